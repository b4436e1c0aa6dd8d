"""Hooks on gradients: ``Tensor.register_hook``, ``HookBackward`` and those of a Cell."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.bridge import is_tensor, refill, tensors_in, wrap
from msgrad._core.checks import of_type
from msgrad._core.context import bump_revision, context
from msgrad._core.engine import is_tracer
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.scopes.cotangent import fit
from msgrad._gradients.identity import hooked, identity_with
from msgrad.common.tensor import Tensor
from msgrad.ops.primitive import Primitive

_ids = itertools.count()


class HookHandle:
    """What registering a hook returns; ``remove`` takes the hook off and may be called twice."""

    def __init__(self, hooks: dict[int, Any]) -> None:
        self._hooks = hooks
        self.handle_id = next(_ids)
        # What is compiled without the hook no longer fits.
        bump_revision()

    def remove(self) -> None:
        """Remove the hook."""
        self._hooks.pop(self.handle_id, None)
        bump_revision()


def check_hook(hook: Any) -> None:
    """Raise ``TypeError`` for a hook that cannot be called."""
    of_type(None, "hook", hook, Callable)


def register_hook(self: Tensor, hook: Callable[[Tensor], Any]) -> HookHandle:
    """Call ``hook`` with the gradient of this Tensor when it is known.

    Args:
        self: The Tensor or Parameter.
        hook: Takes the gradient (Tensor) and returns another one, or None to leave it. Several
            hooks run in the order of their registration, each on the result of the one before.

    Returns:
        A handle with ``remove``.

    Raises:
        TypeError: If ``hook`` is not callable.

    Differs from MindSpore: a hook on a result inside a gradient call sees the gradient of the
    uses that follow its registration, not of earlier ones.
    """
    check_hook(hook)
    hooks = self._hooks
    first = hooks is None
    if hooks is None:
        hooks = self._hooks = {}
    handle = HookHandle(hooks)
    hooks[handle.handle_id] = hook
    scope = context.scope
    if first and scope is not None:
        raw = self._read()
        if is_tracer(raw):
            value = hooked(self, raw, every_level=True)
            if id(self) in scope.values:
                scope.substitute(self, value)
            else:
                self._data = value
    return handle


def hooks(self: Tensor) -> list[Callable[[Tensor], Any]]:
    """Return the hooks that are registered on this Tensor, in their order."""
    return list((self._hooks or {}).values())


Tensor.register_hook = register_hook  # pyright: ignore[reportAttributeAccessIssue]
Tensor.hooks = hooks  # pyright: ignore[reportAttributeAccessIssue]


class HookBackward(Primitive):
    """Identity that hands the gradients passing through it to a function.

    Args:
        hook_fn: Called with a tuple of gradients, one per Tensor passed through; returns such a
            tuple, or None to leave them.
        cell_id: Accepted for compatibility.

    Raises:
        TypeError: If ``hook_fn`` is not callable, or returns something else.
    """

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = "") -> None:
        super().__init__("HookBackward")
        check_hook(hook_fn)
        self.hook_fn = hook_fn

    def __call__(self, *args: Any) -> Any:
        """Return the arguments back: one bare, several as a tuple."""
        given = with_gradient_hook(args, self._pull)
        return given[0] if len(given) == 1 else given

    def _pull(self, gradients: tuple[Tensor, ...]) -> Any:
        given = self.hook_fn(gradients)
        name = getattr(self.hook_fn, "__name__", repr(self.hook_fn))
        for item in given if isinstance(given, (tuple, list)) else (given,):
            if given is not None and not is_tensor(item):
                raise ArgumentTypeError(
                    f"The output type of function: {name} should be a tensor but got "
                    f"{type(item).__name__}."
                )
        if isinstance(given, (tuple, list)) and len(given) != len(gradients):
            raise ArgumentTypeError(
                f"The output of function: {name} should be {len(gradients)} Tensors, but got "
                f"{len(given)}."
            )
        return given


def with_gradient_hook(values: Any, pull: Callable[[tuple[Tensor, ...]], Any]) -> Any:
    """Return ``values`` with ``pull`` on the gradients of all Tensors in them together.

    Args:
        values: Nested tuples, lists and dicts.
        pull: Takes the gradients and gives new ones (a tuple or one Tensor), or None.
    """
    tensors = list(tensors_in(values))
    raws = [t._read() for t in tensors]
    if not any(is_tracer(raw) for raw in raws):
        return values

    def on_cotangents(cotangents: list[Any]) -> list[Any]:
        given = pull(tuple(wrap(c) for c in cotangents))
        if given is None:
            return cotangents
        chosen: Sequence[Any] = given if isinstance(given, (tuple, list)) else (given,)
        return [fit(g._read(), c) for g, c in zip(chosen, cotangents, strict=True)]

    return refill(values, identity_with(on_cotangents)(raws))
