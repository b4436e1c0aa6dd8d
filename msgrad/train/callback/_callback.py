"""``Callback`` and what calls it: run context, parameters, manager. No callback that does anything.

Each event has a new name (``on_train_step_end``) and an older one (``step_end``), which the new one
calls unless it is overridden; evaluation calls the older ones too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor, too_large
from msgrad._core.declared import Guarded
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, ParameterNameError

__all__ = ["Callback", "RunContext"]

OLD_HOOKS = ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")


def _event(name: str, when: str) -> Callable[[Any, RunContext], None]:
    """Return the method for an event, which calls that of its older name."""
    older = name.split("_", 2)[2]

    def method(self: Callback, run_context: RunContext) -> None:
        getattr(self, older)(run_context)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Callback.{name}", when
    return method


class Callback(Guarded):
    """Base of callbacks: override the events to act on, each with the ``RunContext``.

    A callback is also a context manager, entered before and left after training or evaluation.
    """

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> Any:
        return None

    def begin(self, run_context: RunContext) -> None:
        """Before everything."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Before each epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """After each epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Before each step."""

    def step_end(self, run_context: RunContext) -> None:
        """After each step."""

    def end(self, run_context: RunContext) -> None:
        """After everything."""

    on_train_begin = _event("on_train_begin", "Before training.")
    on_train_epoch_begin = _event("on_train_epoch_begin", "Before each epoch of training.")
    on_train_epoch_end = _event(
        "on_train_epoch_end",
        "After each epoch of training, and after the evaluation that follows it in ``fit``.",
    )
    on_train_step_begin = _event("on_train_step_begin", "Before each training step.")
    on_train_step_end = _event("on_train_step_end", "After each training step.")
    on_train_end = _event("on_train_end", "After training.")
    on_eval_begin = _event("on_eval_begin", "Before an evaluation.")
    on_eval_epoch_begin = _event("on_eval_epoch_begin", "Before the pass of an evaluation.")
    on_eval_epoch_end = _event("on_eval_epoch_end", "After the pass of an evaluation.")
    on_eval_step_begin = _event("on_eval_step_begin", "Before each step of an evaluation.")
    on_eval_step_end = _event("on_eval_step_end", "After each step of an evaluation.")
    on_eval_end = _event("on_eval_end", "After an evaluation.")


class InternalCallbackParam(dict):
    """What callbacks know of the run: a dict whose entries are attributes too."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise ParameterNameError(name)
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class RunContext:
    """What a callback is given: the parameters of the run, and a way to stop it.

    Args:
        original_args: dict, usually an ``InternalCallbackParam``.

    Raises:
        TypeError: If it is not a dict.
    """

    def __init__(self, original_args: Any) -> None:
        if not isinstance(original_args, dict):
            raise ArgumentTypeError(
                "The argument 'original_args' of RunContext should be dict type, but got "
                f"{type(original_args)}."
            )
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """Return the parameters of the run (``cur_step_num``, ``net_outputs``, ...)."""
        return self._original_args

    def request_stop(self) -> None:
        """Ask for the end of training; the present step or epoch is closed as usual."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether the end was asked for."""
        return self._stop_requested


class CallbackManager(Callback):
    """Calls several callbacks, in their order, as one.

    Args:
        callbacks: A Callback, a list or tuple of them, or None.

    Raises:
        TypeError: If one is not a Callback.
    """

    def __init__(self, callbacks: Any) -> None:
        if callbacks is None:
            callbacks = []
        elif isinstance(callbacks, Callback):
            callbacks = [callbacks]
        if not isinstance(callbacks, (list, tuple)) or not all(
            isinstance(one, Callback) for one in callbacks
        ):
            raise ArgumentTypeError(
                "When the 'callbacks' is a list, the elements in 'callbacks' must be Callback "
                f"functions. Got {callbacks!r}: pass a Callback or a list of them."
            )
        self._callbacks: list[Callback] = list(callbacks)
        self._stack = ExitStack()

    def __enter__(self) -> CallbackManager:
        entered = ExitStack()
        with entered:
            self._callbacks = [entered.enter_context(one) or one for one in self._callbacks]
            self._stack = entered.pop_all()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._stack.__exit__(*error)


def _forwarded(name: str) -> Any:
    def method(self: CallbackManager, run_context: RunContext) -> None:
        for one in self._callbacks:
            getattr(one, name)(run_context)

    method.__name__ = name
    method.__doc__ = getattr(Callback, name).__doc__
    return method


for _name in [*OLD_HOOKS, *(name for name in vars(Callback) if name.startswith("on_"))]:
    setattr(CallbackManager, _name, _forwarded(_name))


def set_cur_net(net: Any) -> None:
    """Accepted for compatibility: MindSpore notes the network that is compiled."""


def mean_loss(net_outputs: Any) -> Any:
    """Return the mean of the loss among the outputs of a step: the first of several, or None."""
    several = isinstance(net_outputs, (tuple, list))
    loss: Any = (net_outputs[0] if net_outputs else None) if several else net_outputs
    values: Any = loss.asnumpy() if is_tensor(loss) else loss
    return np.mean(values) if isinstance(values, np.ndarray) else values


def _handle_loss(net_outputs: Any) -> Any:
    """Return the loss as callbacks of programs ask for it: a float, or the first of several."""
    if is_tensor(net_outputs):
        return float(net_outputs.asnumpy().mean())
    several = isinstance(net_outputs, (tuple, list))
    return net_outputs[0] if several and is_tensor(net_outputs[0]) else net_outputs


def an_int(value: Any, at_least: int = 0) -> int:
    """Return ``value`` if it is an int of ``at_least`` or more.

    Raises:
        TypeError: If it is not an int (a bool is not).
        ValueError: If it is too small.
    """
    if not isinstance(value, int):
        raise ArgumentTypeError(f"The input value must be int, but got '{type(value).__name__}'")
    if value >= 2**63:
        raise too_large("a callback", "an argument", value)
    if isinstance(value, bool) or value < at_least:
        kind = ArgumentTypeError if isinstance(value, bool) else ArgumentValueError
        sign = ">= 0" if at_least == 0 else "> 0"
        raise kind(
            f"The input value must be int and must {sign}, but got '{value}' with type "
            f"'{type(value).__name__}'."
        )
    return value


def a_bool(value: Any) -> bool:
    """Return ``value`` if it is a bool; raises ``TypeError`` if not."""
    if not isinstance(value, bool):
        raise ArgumentTypeError(f"The input value must be a bool, but got {type(value).__name__}.")
    return value
