"""``data_sink``: a step that takes its data from a dataset by itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad.autograd import jit
from msgrad.common.jit_config import JitConfig
from msgrad.train.callback._callback import an_int
from msgrad.train.dataset_helper import DatasetHelper, dataset_size

__all__ = ["data_sink"]


def data_sink(
    fn: Callable[..., Any],
    dataset: Any,
    sink_size: int = 1,
    jit_config: JitConfig | None = None,
    input_signature: Any = None,
) -> Callable[[], Any]:
    """Make a function without arguments that runs ``fn`` on the next batch of a dataset.

    Args:
        fn: A function of the columns of a batch, as a training step.
        dataset: Dataset; after its last batch it begins again.
        sink_size: int, how many batches each call runs.
        jit_config: If given, ``fn`` is compiled, as by ``jit``.
        input_signature: Accepted for compatibility.

    Returns:
        The function; it gives the result of ``fn`` for the last of its batches.

    Raises:
        TypeError: If ``fn`` is no function, or ``jit_config`` or ``sink_size`` of another type.
        ValueError: For a ``sink_size`` below 1, or a dataset without batches.
        RuntimeError: In a call, if the dataset cannot begin again.

    Differs from MindSpore: it works on a CPU as well.
    """
    if not callable(fn):
        raise ArgumentTypeError(f"For 'data_sink', fn must be a function, but got {type(fn)}.")
    of_type("data_sink", "jit_config", jit_config, JitConfig, type(None))
    an_int(sink_size, 1)
    if dataset_size(dataset) < 1:
        raise ArgumentValueError("For 'data_sink', the dataset must have at least one batch.")
    step = fn if jit_config is None else jit(fn)
    rows = _endless(dataset)

    @functools.wraps(fn)
    def sink_process() -> Any:
        result = None
        for _ in range(sink_size):
            result = step(*next(rows))
        return result

    # Its signature is its own: no arguments.
    del sink_process.__wrapped__
    return sink_process


def _endless(dataset: Any) -> Iterator[Any]:
    epochs = DatasetHelper(dataset, False, epoch_num=-1)
    while True:
        ran = False
        for row in epochs:
            ran = True
            yield row
        if not ran:
            raise EngineError(
                "For 'data_sink', the dataset gave no batch in an epoch; can it be run again?"
            )
