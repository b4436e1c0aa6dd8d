"""Identities whose backward pass runs Python: what hooks and inserted gradients are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.context import context
from msgrad._core.deferred.recording import materialize
from msgrad._core.engine import no_forward_rule
from msgrad._core.errors import EngineError
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.cotangent import instantiated


def identity_with(
    pull: Callable[[list[Any]], list[Any]], every_level: bool = True
) -> Callable[[list[Any]], list[Any]]:
    """Return an identity of a list of raw arrays with a backward pass of its own.

    Args:
        pull: Takes the cotangents of the list and gives those to pass on, of the same shapes.
        every_level: Whether each of nested transforms runs ``pull``, as MindSpore does, or only
            the innermost.
    """

    @jax.custom_vjp
    def identity(raws: list[Any]) -> list[Any]:
        return raws

    def forward(primals: list[Any]) -> tuple[list[Any], list[bool]]:
        raws = [primal.value for primal in primals]
        # Called again, for the transform around this one.
        return identity(raws) if every_level else raws, [is_inexact(raw.dtype) for raw in raws]

    def backward(moves: list[bool], cotangents: list[Any]) -> tuple[list[Any]]:
        if nothing_arrives(cotangents):
            return ([None] * len(moves),)
        given = pull([*map(instantiated, cotangents)])
        return ([g if m else None for g, m in zip(given, moves, strict=True)],)

    identity.defvjp(forward, backward, symbolic_zeros=True)

    def applied(raws: list[Any]) -> list[Any]:
        check_pulled_back()
        return identity(raws)

    return applied


def check_pulled_back() -> None:
    """Raise ``no_forward_rule`` where a derivative along a direction is taken around."""
    scope = context.scope
    while scope is not None:
        if scope.forward:
            raise no_forward_rule()
        scope = scope.parent


def nothing_arrives(cotangents: Sequence[Any]) -> bool:
    """Whether no result depends on any of these values: then a rule of the user's does not run."""
    return all(type(cotangent) is SymbolicZero for cotangent in cotangents)


def hooked(tensor: Any, value: Any, every_level: bool) -> Any:
    """Return ``value``, which substitutes ``tensor``, with the hooks of ``tensor`` on its
    gradient; see ``identity_with`` for ``every_level``.

    The hooks are looked up when the gradient arrives, in the order of their registration.
    """
    hooks = tensor._hooks
    if hooks is None:
        return value
    identity = identity_with(lambda found: [run_hooks(hooks, found[0])], every_level)
    return identity([materialize(value)])[0]


def run_hooks(hooks: dict[int, Callable[..., Any]], gradient: Any) -> Any:
    """Pass a raw gradient through tensor hooks.

    Raises:
        RuntimeError: If a hook returns something that is neither a Tensor nor None.
    """
    for hook in list(hooks.values()):
        given = hook(wrap(gradient))
        if given is None:
            continue
        if not is_tensor(given):
            raise EngineError(
                "Tensor hook should be return Tensor, but get type: "
                f"{type(given).__name__}. Return a Tensor, or None to leave the gradient."
            )
        gradient = jnp.broadcast_to(given._read(), gradient.shape).astype(gradient.dtype)
    return gradient
