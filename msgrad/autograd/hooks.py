"""Hooks on gradients: ``Tensor.register_hook``, ``HookBackward`` and those of a Cell."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, wrap
from msgrad._core.checks import of_type
from msgrad._core.context import bump_revision, context
from msgrad._core.deferred.recording import materialize
from msgrad._core.engine import is_tracer
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.cotangent import fit
from msgrad._core.scopes.integer_gradients import attach, carrier_of
from msgrad._gradients.identity import hooked, identity_with
from msgrad._gradients.pieces import PieceRecorder
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


def register(
    owner: Any, kind: str, hook_fn: Callable[..., Any], entry: Any, prepend: bool = False
) -> HookHandle:
    """Add ``entry`` to the hooks that a Cell or Tensor keeps under the attribute ``kind``."""
    check_hook(hook_fn)
    hooks: OrderedDict[int, Any] | None = getattr(owner, kind, None)
    if hooks is None:
        hooks = OrderedDict()
        object.__setattr__(owner, kind, hooks)
    handle = HookHandle(hooks)
    hooks[handle.handle_id] = entry
    if prepend:
        hooks.move_to_end(handle.handle_id, last=False)
    return handle


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

    Differs from MindSpore: of a hook on a result inside a gradient call that is compiled, or runs
    operator by operator, or whose values were looked at since, only the uses count that follow
    its registration.
    """
    first = self._hooks is None
    handle = register(self, "_hooks", hook, hook)
    scope = context.scope
    if first and scope is not None:
        raw = self._peek()
        recorder = scope.recorder
        again = recorder.taken_back(raw) if isinstance(recorder, PieceRecorder) else None
        value = materialize(raw)
        if is_tracer(value):
            value = hooked(self, value, every_level=True)
            if id(self) in scope.values:
                scope.substitute(self, value)
            else:
                self._data = value
        if again is not None:
            again(value)
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


def with_gradient_hook(
    values: Any, pull: Callable[[tuple[Any, ...]], Any], absent: bool = False
) -> Any:
    """Return ``values`` with ``pull`` on the gradients of all Tensors in them together.

    Args:
        values: Nested tuples, lists and dicts.
        pull: Takes the gradients and gives new ones (a tuple or one Tensor), or None.
        absent: Whether an integer without a gradient has None there, instead of zeros.
    """
    tensors = list(tensors_in(values))
    found = [*map(moving_part, tensors)]
    if not any(map(is_tracer, found)):
        return values
    if context.no_grad:
        return map_tensors(Tensor.copy, values)
    # Not the Tensors: JAX keeps the function below, with all that it refers to.
    kinds = [(raw is not None, t._peek()) for raw, t in zip(found, tensors, strict=True)]
    kinds = [(moves, raw.shape, raw.dtype) for moves, raw in kinds]

    def on_cotangents(cotangents: list[Any]) -> list[Any]:
        rest = iter(cotangents)
        gradients = [
            wrap(next(rest).astype(dtype))
            if moves
            else None
            if absent
            else wrap(jnp.zeros(shape, dtype))
            for moves, shape, dtype in kinds
        ]
        given = pull(tuple(gradients))
        if given is None:
            return cotangents
        chosen: Sequence[Any] = given if isinstance(given, (tuple, list)) else (given,)
        kept = [(g, kind[2]) for g, kind in zip(chosen, kinds, strict=True) if kind[0]]
        return [
            jnp.zeros_like(c)
            if g is None
            else fit(g._read() if is_inexact(dtype) else g._read().astype(dtype).astype(c.dtype), c)
            for (g, dtype), c in zip(kept, cotangents, strict=True)
        ]

    hooked_parts = iter(identity_with(on_cotangents)([raw for raw in found if raw is not None]))
    results = []
    for tensor, raw in zip(tensors, found, strict=True):
        integer = not is_inexact(tensor._peek().dtype)
        result = wrap(tensor._peek() if integer else next(hooked_parts))
        if integer and raw is not None:
            attach(result, next(hooked_parts))
        results.append(result)
    rest = iter(results)
    return map_tensors(lambda _: next(rest), values)


def moving_part(tensor: Tensor) -> Any:
    """Return the raw array that carries the tangent of a Tensor, None for a mere integer."""
    return tensor._read() if is_inexact(tensor._peek().dtype) else carrier_of(tensor)
