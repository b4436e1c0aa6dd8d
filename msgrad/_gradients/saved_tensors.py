"""``saved_tensors_hooks``: what an operator keeps for its derivative goes through hooks.

While hooks are in force, the operators of a gradient call run one by one, each with a derivative
whose residuals are packed when it has run and unpacked when its gradient comes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import jax

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import of_type
from msgrad._core.context import context
from msgrad._core.deferred.recording import materialize, run_eagerly
from msgrad._core.engine import is_tracer
from msgrad._core.errors import EngineError
from msgrad._core.promotion import is_inexact

__all__ = ["register_saved_tensors_hooks", "saved_tensors_hooks"]


class saved_tensors_hooks:
    """Context manager: what operators keep for their gradients goes through two hooks.

    The innermost counts.

    Args:
        pack_hook: Takes a Tensor after its operator has run; what it returns is kept instead.
        unpack_hook: Takes that when the gradient is computed, and returns a Tensor.

    Raises:
        TypeError: When it is entered, if one of them is not callable.
        RuntimeError: In the backward pass, if ``unpack_hook`` returns no Tensor.

    Differs from MindSpore: which Tensors an operator keeps, JAX decides. They are those of
    MindSpore for products, matrix products and exponentials, not for all operators.
    """

    def __init__(self, pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        for hook in (self.pack_hook, self.unpack_hook):
            of_type("saved_tensors_hooks", "hook", hook, Callable)
        scope = context.scope
        self._scope, self._recorder = scope, scope and scope.recorder
        self._around, context.saved_hooks = context.saved_hooks, self
        put_on()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        context.saved_hooks = self._around
        if self._scope is not None:
            self._scope.recorder = self._recorder


def register_saved_tensors_hooks(
    pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator: compiled, the function runs with ``saved_tensors_hooks``.

    Args:
        pack_hook: As there.
        unpack_hook: As there.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def hooked(*args: Any, **kwargs: Any) -> Any:
            if context.lift is None:
                return function(*args, **kwargs)
            with saved_tensors_hooks(pack_hook, unpack_hook):
                return function(*args, **kwargs)

        return hooked

    return decorate


def put_on() -> None:
    """Have the operators of the innermost gradient call run with the hooks in force."""
    scope, hooks = context.scope, context.saved_hooks
    if scope is not None and hooks is not None:
        outer = scope.recorder
        while isinstance(outer, _Packer):
            outer = outer.outer
        scope.recorder = _Packer(hooks, outer)


@jax.tree_util.register_static
@dataclass(eq=False)
class _Kept:
    """What was packed: no value that a transform could look into."""

    packed: list[Any]
    structure: Any


class _Packer:
    """Stands where a recorder does, and runs what would be recorded."""

    def __init__(self, hooks: saved_tensors_hooks, outer: Any) -> None:
        self.hooks, self.outer = hooks, outer

    def abandon(self) -> None:
        """As the recorder that it stands before."""
        if self.outer is not None:
            self.outer.abandon()

    def record(self, op: Any, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
        """Return what the operator gives; None where nothing is differentiated."""
        leaves, structure = jax.tree.flatten(operands, is_leaf=lambda v: not isinstance(v, tuple))
        values = [materialize(leaf) for leaf in leaves]
        if not any(map(is_tracer, values)):
            return None
        arrays = [i for i, value in enumerate(values) if isinstance(value, jax.Array)]

        def run(*given: Any) -> Any:
            merged = list(values)
            for i, value in zip(arrays, given, strict=True):
                merged[i] = value
            return run_eagerly(op, options, jax.tree.unflatten(structure, merged))

        def forward(*given: Any) -> tuple[Any, _Kept]:
            out, pull = jax.vjp(run, *given)
            residuals, shape = jax.tree.flatten(pull)
            return out, _Kept([*map(self._packed, residuals)], shape)

        def backward(kept: _Kept, cotangents: Any) -> Any:
            pull = jax.tree.unflatten(kept.structure, [*map(self._unpacked, kept.packed)])
            return pull(cotangents)

        saved = jax.custom_vjp(run)
        saved.defvjp(forward, backward)
        return saved(*(values[i] for i in arrays))

    def _packed(self, value: Any) -> tuple[bool, Any]:
        if not is_inexact(value.dtype):
            return False, value
        return True, self._called(self.hooks.pack_hook, wrap(value))

    def _unpacked(self, kept: tuple[bool, Any]) -> Any:
        packed, value = kept
        if not packed:
            return value
        given = self._called(self.hooks.unpack_hook, value)
        if not is_tensor(given):
            raise EngineError(f"'unpack_hook' must return a Tensor, but got {type(given)}.")
        return given._read()

    def _called(self, hook: Callable[..., Any], value: Any) -> Any:
        # The hooks' own operators are no part of the gradient call.
        scope, context.scope = context.scope, None
        try:
            return hook(value)
        finally:
            context.scope = scope
