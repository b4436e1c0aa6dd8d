"""Entries of a checkpoint for resuming: the state of msgrad's random generator, and what callbacks
have counted. No file is read or written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp

from msgrad._core import random
from msgrad._core.bridge import is_tensor, unwrap, wrap
from msgrad._core.errors import ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.train.callback._callback import CallbackManager
from msgrad.train.callback._monitored import Monitored

__all__ = ["restore_callback_state", "restore_random_state"]

CALLBACK_ENTRY = "callback_state"
_NAME = re.compile(rf"{CALLBACK_ENTRY}\.(\d+)\.(\w+)\.(.+)")


def random_state() -> dict[str, Any]:
    """Return the state of each stream, uint32, and how many seeds were given, by their entries."""
    random.generator()
    found = {name: wrap(jnp.copy(state._read())) for name, state in random.states().items()}
    given = random.counts().items()
    return found | {name: Tensor(count, mstype.int64) for name, count in given}


def restore_random_state(parameter_dict: Mapping[str, Any]) -> bool:
    """Put the random generator back to where it was when a checkpoint was written.

    NumPy's global generator is not part of it.

    Args:
        parameter_dict: What ``load_checkpoint`` gave for a file that ``ModelCheckpoint`` wrote with
            ``append_info=["random_state"]``.

    Returns:
        Whether the file had the state.
    """
    found = [random.restore(name, unwrap(value)) for name, value in parameter_dict.items()]
    return any(found)


def callback_state(callbacks: Any) -> dict[str, Any]:
    """Return what ``EarlyStopping`` and ``ReduceLROnPlateau`` have counted, by names of entries.

    Args:
        callbacks: The callbacks of a training, in their order.
    """
    return {
        f"{CALLBACK_ENTRY}.{number}.{type(one).__name__}.{name}": value
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
