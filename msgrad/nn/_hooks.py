"""Forward hooks of a Cell; backward hooks are not supported yet."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from msgrad._core.errors import ArgumentTypeError, UnsupportedError

_ids = itertools.count()


class HookHandle:
    """What registering a hook returns; ``remove`` takes the hook off and may be called twice."""

    def __init__(self, hooks: dict[int, Any]) -> None:
        self._hooks = hooks
        self.handle_id = next(_ids)

    def remove(self) -> None:
        """Take the hook off."""
        self._hooks.pop(self.handle_id, None)


class HooksMixin:
    """The part of ``Cell`` that runs hooks around the forward pass."""

    _forward_pre: dict[int, tuple[Callable[..., Any], bool]] | None = None
    _forward: dict[int, tuple[Callable[..., Any], bool, bool]] | None = None

    @property
    def _has_hooks(self) -> bool:
        return bool(self._forward_pre or self._forward)

    def register_forward_pre_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Call ``hook_fn(cell, inputs)`` before the cell runs.

        Args:
            hook_fn: May return None, or inputs to use instead (a tuple, or one bare value); with
                ``with_kwargs`` it is called as ``hook_fn(cell, inputs, kwargs)`` and returns a
                pair.
            prepend: Run it before the hooks that exist.
            with_kwargs: Hand over keyword arguments too.

        Raises:
            TypeError: If ``hook_fn`` is not callable.
        """
        if self._forward_pre is None:
            object.__setattr__(self, "_forward_pre", {})
        assert self._forward_pre is not None
        return _register(self._forward_pre, hook_fn, (hook_fn, with_kwargs), prepend)

    def register_forward_hook(
        self,
        hook_fn: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> HookHandle:
        """Call ``hook_fn(cell, inputs, output)`` after the cell has run.

        Args:
            hook_fn: May return None or an output to use instead; with ``with_kwargs`` it is
                called as ``hook_fn(cell, inputs, kwargs, output)``.
            prepend: Run it before the hooks that exist.
            with_kwargs: Hand over keyword arguments too.
            always_call: Run it also when the forward pass raises.

        Raises:
            TypeError: If ``hook_fn`` is not callable.
        """
        if self._forward is None:
            object.__setattr__(self, "_forward", {})
        assert self._forward is not None
        return _register(self._forward, hook_fn, (hook_fn, with_kwargs, always_call), prepend)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Not supported yet."""
        raise UnsupportedError(
            "Cell.register_backward_pre_hook is not supported yet; use "
            "mindspore.ops.InsertGradientOf on the cell's output instead."
        )

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Not supported yet."""
        raise UnsupportedError(
            "Cell.register_backward_hook is not supported yet; use mindspore.ops.InsertGradientOf "
            "on the cell's input instead."
        )

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for hook, with_kwargs in list((self._forward_pre or {}).values()):
            given = hook(self, args, kwargs) if with_kwargs else hook(self, args)
            if given is None:
                continue
            if with_kwargs:
                args, kwargs = given
            else:
                args = given if isinstance(given, tuple) else (given,)
        after = list((self._forward or {}).values())
        try:
            output = self._run(args, kwargs)
        except Exception:
            for hook, with_kwargs, always_call in after:
                if always_call:
                    hook(self, args, kwargs, None) if with_kwargs else hook(self, args, None)
            raise
        for hook, with_kwargs, _ in after:
            given = hook(self, args, kwargs, output) if with_kwargs else hook(self, args, output)
            if given is not None:
                output = given
        return output


def _register(
    hooks: dict[int, Any], hook_fn: Callable[..., Any], entry: Any, prepend: bool
) -> HookHandle:
    if not callable(hook_fn):
        raise ArgumentTypeError(
            f"Expected a callable hook function, but got {type(hook_fn).__name__}."
        )
    handle = HookHandle(hooks)
    if prepend:
        rest = dict(hooks)
        hooks.clear()
        hooks[handle.handle_id] = entry
        hooks.update(rest)
    else:
        hooks[handle.handle_id] = entry
    return handle
