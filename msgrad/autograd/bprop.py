"""``Cell.bprop``: a backward pass written by the user, as a ``jax.custom_vjp``.

The rule is attached to the *result* of ``construct``: an identity of (inputs, outputs) whose
backward function calls ``bprop``. What ``construct`` read (Parameters, attributes, closures) thus
need not be its argument. ``construct`` itself runs without gradients, so Parameters inside get
zeros, and every order of a derivative passes through ``bprop``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import has_tensors, is_tensor, map_tensors, refill, tensors_in, wrap
from msgrad._core.context import context
from msgrad._core.deferred.recording import materialize
from msgrad._core.errors import ArgumentTypeError, GradientError
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.cotangent import fit, instantiated
from msgrad._core.scopes.integer_gradients import attach, carrier_dtype, carrier_of
from msgrad._gradients.identity import check_pulled_back, nothing_arrives
from msgrad.autograd.insert_gradient import as_gradient
from msgrad.autograd.no_grad import _no_grad


def call_with_bprop(
    construct: Callable[..., Any],
    bprop: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    absent: Callable[[], bool] = lambda: False,
) -> Any:
    """Run ``construct`` under a gradient, with ``bprop(*inputs, out, dout)`` as its backward pass.

    Args:
        construct: The forward function.
        bprop: Gets the inputs in the order of construct's signature (defaults included), the
            output, and the gradient of the output in the output's structure.
        args: Positional inputs of ``construct``.
        kwargs: Keyword inputs of ``construct``.
        absent: Whether an output that nothing depends on has None for its gradient, not zeros.

    Returns:
        The output of ``construct``.
    """
    if context.no_grad:
        return construct(*args, **kwargs)
    bound = inspect.signature(construct).bind(*args, **kwargs)
    bound.apply_defaults()
    inputs = [*bound.args, *bound.kwargs.values()]
    scope = context.scope
    assert scope is not None, "a backward pass needs a gradient call"
    before = len(scope.made)
    in_tensors = list(tensors_in(inputs))
    # Where construct writes to an input, its gradient is that of what came.
    came = [t._peek() for t in in_tensors]
    with _no_grad():
        output = construct(*args, **kwargs)
    made = {id(t) for ref in scope.made[before:] if (t := ref()) is not None and t._view is None}
    in_raws = [t._read() for t in in_tensors]
    out_tensors = list(tensors_in(output))
    out_raws = [t._number() for t in out_tensors]

    # A compiled program that has the rule in it must not keep what it was traced with.
    given_form, output_form = (map_tensors(lambda _: wrap(None), tree) for tree in (inputs, output))

    def pull(saved: tuple[Any, ...], cotangents: list[Any]) -> tuple[Any, ...]:
        ins, outs, like = saved
        if nothing_arrives(cotangents):
            return [None] * len(like), [None] * len(ins), [None] * len(outs)
        left_out = absent()
        douts = iter(
            None if left_out and nothing_arrives([c]) else wrap(instantiated(c).astype(o.dtype))
            for c, o in zip(cotangents, outs, strict=True)
        )
        given = bprop(
            *refill(given_form, ins),
            refill(output_form, outs),
            map_tensors(lambda _: next(douts), output_form),
        )
        return _input_gradients(given, given_form, like), [None] * len(ins), [None] * len(outs)

    # An integer input has no tangent of its own; its carrier, if it has one, stands for it.
    differentiated = [
        materialize(raw) if (carrier := carrier_of(t)) is None else carrier
        for t, raw in zip(in_tensors, came, strict=True)
    ]

    @jax.custom_vjp
    def rule(differentiated: list[Any], ins: list[Any], outs: list[Any]) -> list[Any]:
        return [
            o if is_inexact(o.dtype) else jnp.zeros(o.shape, carrier_dtype(o.dtype)) for o in outs
        ]

    def forward(*primals: list[Any]) -> tuple[list[Any], Any]:
        differentiated, ins, outs = ([p.value for p in given] for given in primals)
        # Called again, for the transform around this one: it sees the rule as well.
        ruled = rule(differentiated, ins, outs)
        seen = [r if is_inexact(o.dtype) else o for r, o in zip(ruled, outs, strict=True)]
        return ruled, (ins, seen, differentiated)

    rule.defvjp(forward, pull, symbolic_zeros=True)
    check_pulled_back()
    results = {}
    for tensor, raw, ruled in zip(
        out_tensors, out_raws, rule(differentiated, in_raws, out_raws), strict=True
    ):
        # The very object, so that what construct kept of it carries the rule too.
        result = results[id(tensor)] = tensor if id(tensor) in made else wrap(raw)
        if is_inexact(raw.dtype) and id(result) in scope.written:
            result._write(ruled)
        elif is_inexact(raw.dtype):
            result._data = ruled
        else:
            attach(result, ruled)
    return map_tensors(lambda tensor: results[id(tensor)], output)


def _input_gradients(given: Any, inputs: list[Any], like: list[Any]) -> list[Any]:
    """Turn what ``bprop`` returned into one cotangent per Tensor in the inputs.

    Args:
        given: What ``bprop`` returned.
        inputs: The inputs; one may be a tuple of Tensors, whose gradient is a tuple too.
        like: The differentiated array of each Tensor in them.

    Raises:
        TypeError: If ``bprop`` returned None.
        RuntimeError: If it returned an empty tuple, too few gradients, or one of a wrong shape.
    """
    if given is None:
        raise ArgumentTypeError("The python function output is none: bprop must return gradients.")
    slots = sum(has_tensors(item) for item in inputs)
    if not isinstance(given, (tuple, list)):
        # MindSpore 2.0 took a bare gradient for the first input; 2.10 only for a single one.
        given = [given, *[None] * (slots - 1)]
    if not given:
        raise GradientError("Hook fn grad output is empty! bprop must return gradients.")
    if isinstance(given[0], (tuple, list)) and is_tensor(inputs[0]):
        # The older form: gradients of the inputs, then of the weights, which are ignored.
        given = given[0]
    if len(given) < slots:
        raise GradientError(
            f"Grad size should lager than forward inputs, but got {len(given)} vs {slots}"
        )
    items = _paired(given, inputs)
    return [_cotangent(item, primal) for item, primal in zip(items, like, strict=True)]


def _paired(given: Any, inputs: Any) -> list[Any]:
    """Return the gradient given for each Tensor in the inputs, by its place.

    What is given for a number counts for nothing; it may be left out where all numbers are.
    """
    if is_tensor(inputs):
        return [given]
    if given is None or not has_tensors(inputs):
        return [None for _ in tensors_in(inputs)]
    given, parts = (list(t.values() if isinstance(t, dict) else t) for t in (given, inputs))
    if len(given) < len(parts):
        parts = [part for part in parts if has_tensors(part)]
    return [g for pair in zip(given, parts, strict=False) for g in _paired(*pair)]


def _cotangent(item: Any, primal: Any) -> Any:
    if not is_inexact(primal.dtype):
        return None
    if item is None:
        return jnp.zeros(primal.shape, primal.dtype)
    raw = as_gradient(item).astype(primal.dtype)
    if raw.ndim == 0 and primal.size != 1:
        raise _misfit(raw, primal.shape)
    return fit(_reduce(raw, primal.shape), primal)


def _misfit(raw: Any, shape: tuple[int, ...]) -> GradientError:
    return GradientError(
        "For grad interface or custom function, grad tensor should be broadcast to expected "
        f"shape, but got {list(raw.shape)} vs {list(shape)}"
    )


def _reduce(raw: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient that is larger than its input over what broadcasting would have added.

    Raises:
        RuntimeError: If neither shape broadcasts to the other.
    """
    if raw.shape == shape or (raw.size <= 1 and raw.ndim <= len(shape)):
        return raw
    if len(shape) <= raw.ndim:
        extra = raw.ndim - len(shape)
        kept = raw.shape[extra:]
        if all(s in (k, 1) for s, k in zip(shape, kept, strict=True)):
            axes = [*range(extra)]
            axes += [extra + i for i, s in enumerate(shape) if s == 1 and kept[i] != 1]
            return jnp.sum(raw, axis=tuple(axes))
    raise _misfit(raw, shape)
