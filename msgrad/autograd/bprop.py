"""``Cell.bprop``: a backward pass written by the user, as a ``jax.custom_vjp``.

The rule is attached to the *result* of ``construct``: an identity of (inputs, outputs) whose
backward function calls ``bprop``. What ``construct`` read (Parameters, attributes, closures) thus
need not be its argument; its own gradient is stopped at the innermost level, so Parameters inside
get zeros and higher orders still see through the outputs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, wrap
from msgrad._core.engine import lower_one_level
from msgrad._core.errors import ArgumentTypeError, GradientError
from msgrad._core.promotion import is_inexact
from msgrad._core.cotangent import fit
from msgrad.autograd.insert_gradient import as_gradient


def call_with_bprop(
    construct: Callable[..., Any],
    bprop: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Run ``construct`` under a gradient, with ``bprop(*inputs, out, dout)`` as its backward pass.

    Args:
        construct: The forward function.
        bprop: Gets the inputs in the order of construct's signature (defaults included), the
            output, and the gradient of the output in the output's structure.
        args: Positional inputs of ``construct``.
        kwargs: Keyword inputs of ``construct``.

    Returns:
        The output of ``construct``.
    """
    bound = inspect.signature(construct).bind(*args, **kwargs)
    bound.apply_defaults()
    inputs = [*bound.args, *bound.kwargs.values()]
    output = construct(*args, **kwargs)
    in_tensors = [t for t in inputs if is_tensor(t)]
    out_tensors = list(tensors_in(output))

    def pull(saved: tuple[list[Any], list[Any]], cotangents: list[Any]) -> tuple[Any, Any]:
        in_raws, out_raws = saved
        douts = [
            c if is_inexact(o.dtype) else jnp.zeros_like(o)
            for c, o in zip(cotangents, out_raws, strict=True)
        ]
        given = bprop(*_refill(inputs, in_raws), _refill(output, out_raws), _refill(output, douts))
        return _input_gradients(given, in_raws), [None] * len(out_raws)

    rule = jax.custom_vjp(lambda ins, outs: outs)
    rule.defvjp(lambda ins, outs: (outs, (ins, outs)), pull)
    out_raws = [
        lower_one_level(raw) if is_inexact(raw.dtype) else raw
        for raw in (t._read() for t in out_tensors)
    ]
    ruled = rule([t._read() for t in in_tensors], out_raws)
    return _refill(output, ruled)


def _refill(tree: Any, raws: list[Any]) -> Any:
    """Give ``tree`` with fresh Tensors of ``raws`` in place of its Tensors, in order."""
    rest = iter(raws)
    if isinstance(tree, list):
        return [wrap(next(rest)) if is_tensor(item) else item for item in tree]
    return map_tensors(lambda _: wrap(next(rest)), tree)


def _input_gradients(given: Any, inputs: list[Any]) -> list[Any]:
    """Turn what ``bprop`` returned into one cotangent per Tensor input.

    Raises:
        TypeError: If it returned None.
        RuntimeError: If it returned an empty tuple, too few gradients, or one of a wrong shape.
    """
    if given is None:
        raise ArgumentTypeError("The python function output is none: bprop must return gradients.")
    if not isinstance(given, (tuple, list)):
        # MindSpore 2.0 took a bare gradient for the first input; 2.10 only for a single one.
        given = [given, *[None] * (len(inputs) - 1)]
    if not given:
        raise GradientError("Hook fn grad output is empty! bprop must return gradients.")
    if len(given) < len(inputs):
        raise GradientError(
            f"Grad size should lager than forward inputs, but got {len(given)} vs {len(inputs)}"
        )
    cotangents: list[Any] = []
    for item, primal in zip(given, inputs, strict=False):
        if item is None or not is_inexact(primal.dtype):
            cotangents.append(None)
            continue
        raw = as_gradient(item).astype(primal.dtype)
        cotangents.append(fit(_reduce(raw, primal.shape), primal))
    return cotangents


def _reduce(raw: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient that is larger than its input over what broadcasting would have added.

    Raises:
        RuntimeError: If neither shape broadcasts to the other.
    """
    if raw.size <= 1 or raw.shape == shape:
        return raw
    if raw.size > 1 and len(shape) <= raw.ndim:
        extra = raw.ndim - len(shape)
        kept = raw.shape[extra:]
        if all(s in (k, 1) for s, k in zip(shape, kept, strict=True)):
            axes = [*range(extra)]
            axes += [extra + i for i, s in enumerate(shape) if s == 1 and kept[i] != 1]
            return jnp.sum(raw, axis=tuple(axes))
    raise GradientError(
        "For grad interface or custom function, grad tensor should be broadcast to expected "
        f"shape, but got {list(raw.shape)} vs {list(shape)}"
    )
