"""``recompute``: forget activations and compute them again backwards, on ``jax.checkpoint``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jax

from msgrad._core.bridge import refill, tensors_in, wrap_arrays
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.scopes.discovery import handled
from msgrad._core.scopes.scope import Scope


def recompute(
    block: Callable[..., Any],
    *args: Any,
    use_reentrant: bool = True,
    output_recompute: bool = False,
    early_stop: bool = True,
    context_fn: Any = None,
    **kwargs: Any,
) -> Any:
    """Run a Cell so that its activations are computed again in the backward pass.

    Args:
        block: A Cell; any callable with ``use_reentrant=False``.
        args: Its inputs.
        use_reentrant: Whether ``block`` must be a Cell.
        output_recompute: Accepted for compatibility.
        early_stop: Accepted for compatibility.
        context_fn: Not supported.
        kwargs: Its keyword inputs.

    Returns:
        What ``block`` returns.

    Raises:
        TypeError: If ``block`` is not a Cell, with ``use_reentrant``.

    Differs from MindSpore: Python runs once; the second pass replays the recorded operations. A
    block that looks at values is run once and keeps its activations, with a warning.
    """
    if context_fn is not None:
        raise NotImplementedError("recompute does not support 'context_fn'; leave it out.")
    if use_reentrant and not hasattr(block, "construct"):
        raise ArgumentTypeError(
            "Recompute function now only support block which inherited from Cell when "
            f"use_reentrant=True! But got {type(block)}."
        )
    return run_recomputed(block, args, kwargs)


def run_recomputed(block: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run ``block`` under ``jax.checkpoint``; outside a gradient call it just runs."""
    if context.scope is None:
        return block(*args, **kwargs)
    cell = getattr(block, "__self__", block)
    if context.lift is not None and hasattr(cell, "get_parameters"):
        # A compiled program takes in state at its top level, not inside the block.
        for param in cell.get_parameters():
            param._read()
    scope = Scope()
    output: Any = None
    escaped: list[Any] = []

    def pure(raws: list[Any]) -> tuple[list[Any], list[Any]]:
        nonlocal output, escaped
        with scope:
            inner = refill((args, kwargs), raws)
            output = wrap_arrays(block(*inner[0], **inner[1]))
            escaped, values = scope.escaped()
            return [t._read() for t in tensors_in(output)], values

    try:
        results, values = jax.checkpoint(pure)([t._read() for t in tensors_in((args, kwargs))])
    except EngineError as error:
        handled(error)
        warnings.warn(f"recompute keeps the activations of {block!r}: {error}", stacklevel=3)
        return block(*args, **kwargs)
    scope.commit(escaped, values)
    return refill(output, results)
