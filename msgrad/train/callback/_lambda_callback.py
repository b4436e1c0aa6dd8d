"""``LambdaCallback``: a callback out of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad.train.callback._callback import Callback, RunContext

__all__ = ["LambdaCallback"]

_Hook = Callable[[RunContext], Any] | None


class LambdaCallback(Callback):
    """Call the given functions, each with the ``RunContext``.

    Args:
        on_train_epoch_begin, ..., on_eval_end: Functions, or None.
    """

    def __init__(
        self,
        on_train_epoch_begin: _Hook = None,
        on_train_epoch_end: _Hook = None,
        on_train_step_begin: _Hook = None,
        on_train_step_end: _Hook = None,
        on_train_begin: _Hook = None,
        on_train_end: _Hook = None,
        on_eval_epoch_begin: _Hook = None,
        on_eval_epoch_end: _Hook = None,
        on_eval_step_begin: _Hook = None,
        on_eval_step_end: _Hook = None,
        on_eval_begin: _Hook = None,
        on_eval_end: _Hook = None,
    ) -> None:
        super().__init__()
        given = {name: hook for name, hook in locals().items() if name.startswith("on_")}
        for name, hook in given.items():
            setattr(self, name, _nothing if hook is None else hook)


def _nothing(run_context: RunContext) -> None:
    return None
