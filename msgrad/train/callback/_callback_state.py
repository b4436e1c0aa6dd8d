"""What callbacks have counted, as entries of a checkpoint; no file is read or written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.train.callback._callback import CallbackManager
from msgrad.train.callback._monitored import Monitored

__all__ = ["restore_callback_state"]

ENTRY = "callback_state"
_NAME = re.compile(rf"{ENTRY}\.(\d+)\.(\w+)\.(.+)")


def callback_state(callbacks: Any) -> dict[str, Any]:
    """Return what ``EarlyStopping`` and ``ReduceLROnPlateau`` have counted, by names of entries.

    Args:
        callbacks: The callbacks of a training, in their order.
    """
    return {
        f"{ENTRY}.{number}.{type(one).__name__}.{name}": value
        if is_tensor(value)
        else Tensor(value, mstype.float64 if isinstance(value, float) else mstype.int64)
        for number, one in enumerate(_counting(callbacks))
        for name, value in one._counted().items()
    }


def restore_callback_state(parameter_dict: Mapping[str, Any], callbacks: Any) -> bool:
    """Make ``EarlyStopping`` and ``ReduceLROnPlateau`` go on counting as of a checkpoint.

    If ``EarlyStopping`` had ended the training by then, its ``stopped_epoch`` is above 0
    afterwards: there is nothing left to train.

    Args:
        parameter_dict: What ``load_checkpoint`` gave for a file that ``ModelCheckpoint`` wrote with
            ``append_info=["callback_state"]``.
        callbacks: The callbacks that ``Model.fit`` or ``Model.train`` will be given.

    Returns:
        Whether the file had anything for them.

    Raises:
        ValueError: If they are not the kinds of callbacks that the file is of; none has changed.
    """
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for name, value in parameter_dict.items():
        match = _NAME.fullmatch(name)
        if match:
            found.setdefault((int(match[1]), match[2]), {})[match[3]] = value
    if not found:
        return False
    counting = _counting(callbacks)
    kinds = [type(one).__name__ for one in counting]
    if kinds != [kind for _, kind in sorted(found)]:
        raise ArgumentValueError(
            f"The checkpoint has the state of {[kind for _, kind in sorted(found)]}, but the "
            f"callbacks are {kinds}; give the same ones in the same order."
        )
    for (number, _), values in found.items():
        counting[number]._go_on(values)
    return True


def _counting(callbacks: Any) -> list[Monitored]:
    return [one for one in CallbackManager(callbacks)._callbacks if isinstance(one, Monitored)]
