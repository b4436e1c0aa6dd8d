"""``jvp`` and ``vjp``: derivatives along a direction, and pulled back from one (facts 1.7)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from msgrad._compiled.graph_mode import compiles_now, in_graph_mode
from msgrad._compiled.inputs import apart, compiling, differentiated_in, has_gradient
from msgrad._core.bridge import is_tensor, refill, tensors_in, wrap
from msgrad._core.checks import of_type
from msgrad._core.context import context
from msgrad._core.declared import check
from msgrad._core.deferred.recording import materialize
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.promotion import check_broadcast
from msgrad._gradients.differentiated_call import DifferentiatedCall
from msgrad._gradients.gradients_of import checked_cotangents
from msgrad._gradients.structure import check_weights, of_weights
from msgrad.autograd.grad import all_outputs
from msgrad.common.tensor import Tensor


def first_of_several(output: Any) -> list[Any]:
    """Select the Tensors of the first output; raises ``ValueError`` if there is only one."""
    if not isinstance(output, tuple) or len(output) < 2:
        raise ArgumentValueError(
            "When 'has_aux' is True, origin 'fn' requires more than one outputs."
        )
    return list(tensors_in(output[0]))


def aux_of(output: Any) -> Any:
    """Return what stands beside the first output: bare for one, a tuple for several."""
    return output[1] if len(output) == 2 else tuple(output[1:])


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return the output of ``fn`` and its derivative along ``v``, in one forward pass.

    Args:
        fn: Function or Cell of Tensors.
        inputs: A Tensor, or a tuple or list of Tensors.
        v: The direction: for each input a Tensor of a shape that broadcasts to its shape.
        has_aux: Only the first output is differentiated.

    Returns:
        ``(output, derivative)``; with ``has_aux`` ``(output[0], derivative, aux)``.

    Raises:
        TypeError: If an input is not a Tensor, or ``has_aux`` not a bool.
        ValueError: If there is not one direction per input.

    Differs from MindSpore: a single input may be given as a 1-tuple.
    """
    check("jvp", "has_aux", "bool", has_aux)
    if compiles_now() and callable(fn):
        pushed = functools.partial(jvp, fn, has_aux=has_aux)
        return in_graph_mode(pushed, fn, None, "jvp", has_aux)(inputs, v)
    args = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
    directions = list(v) if isinstance(v, (tuple, list)) else [v]
    if len(args) != len(directions):
        raise ArgumentValueError(
            f"v has invalid length: should be {len(args)}, but got {len(directions)}"
        )
    if not callable(fn):
        raise ArgumentValueError(f"For 'jvp', the 'fn' must be a function, but got {type(fn)}.")
    _check_tensors([*args, *directions])
    # The direction is that of a place, not of all that the object is read for: each gets its own.
    args = [
        wrap(t._peek()) if type(t) is Tensor or any(t is u for u in args[:i]) else t
        for i, t in enumerate(args)
    ]
    for t, d in zip(args, directions, strict=True):
        check_broadcast(t, d)
    tangents = [_direction(d, t._peek()) for t, d in zip(args, directions, strict=True)]
    select = first_of_several if has_aux else all_outputs
    # MindSpore compiles it, also in PYNATIVE.
    with compiling(tuple(args), {}):
        call = DifferentiatedCall(fn, args, {}, args, select)
        derivative = call.push_forward(tangents)
    output = call.output
    if has_aux:
        return output[0], call.carried_on(refill(output[0], derivative)), aux_of(output)
    return output, call.carried_on(refill(output, derivative))


def _direction(given: Any, like: Any) -> Any:
    raw = given._peek()
    if (raw.shape, raw.dtype) == (like.shape, like.dtype):
        return raw
    return jnp.broadcast_to(materialize(raw), like.shape).astype(like.dtype)


def _check_tensors(values: Sequence[Any]) -> None:
    for value in values:
        of_type(None, "inputs", value, Tensor)


def vjp(
    fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False
) -> tuple[Any, ...]:
    """Return the output of ``fn`` and a function that pulls cotangents back through it.

    Args:
        fn: Function or Cell of Tensors; it runs once, however often the pullback is called.
        inputs: The Tensors to differentiate with respect to; a tuple or list of them is handed
            on, and drops out of the result.
        weights: Parameter, or list or tuple of Parameters, to differentiate as well.
        has_aux: Only the first output is differentiated.

    Returns:
        ``(output, pullback)``; with ``has_aux`` ``(output[0], pullback, aux)``. The pullback takes
        one cotangent per output (or one tuple of them) and gives a tuple of input gradients; with
        weights, that tuple and the weights' gradients. Made in a ``_no_grad`` block, or in the
        ``construct`` beside a ``bprop``, it gives zeros.

    Raises:
        TypeError: If an input is not a Tensor, or ``has_aux`` not a bool.
        ValueError: If ``has_aux`` is given for a single output.

    Differs from MindSpore: a second call of the pullback does not run ``fn`` again, and so does
    not warn.
    """
    check("vjp", "has_aux", "bool", has_aux)
    _check_tensors([v for v in inputs if not isinstance(v, (tuple, list))])
    if context.inputs is None and compiles_now():
        with compiling(inputs, {}):
            return vjp(fn, *inputs, weights=weights, has_aux=has_aux)
    inputs, _ = apart(inputs, {})
    params = check_weights(weights)
    chosen = [value for value in inputs if has_gradient(value)]
    differentiated, as_inputs = differentiated_in(chosen)
    targets = [*differentiated, *params]
    variables = list({id(t): t for t in targets}.values())
    select = first_of_several if has_aux else all_outputs
    call = DifferentiatedCall(fn, inputs, {}, variables, select)
    pullback = call.linearize()
    output, selected = call.output, call.selected
    # In a _no_grad block MindSpore prepares nothing.
    constant = context.no_grad and context.inputs is None

    def pull(*given: Any) -> Any:
        sens = given[0] if len(given) == 1 else given
        raws = pullback(checked_cotangents(sens, [t._peek() for t in selected]))
        if constant:
            raws = [jnp.zeros(raw.shape, raw.dtype) for raw in raws]
        gradients = call.wrapped(raws, targets)
        by_input = tuple(as_inputs(gradients[: len(differentiated)]))
        if weights is None:
            return by_input
        return by_input, of_weights(weights, gradients[len(differentiated) :])

    return (output[0], pull, aux_of(output)) if has_aux else (output, pull)


def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the result of a function, and a function of its directional derivative there.

    Args:
        fn: The function of Tensors.
        inputs: Tensor, or a tuple or list of them.

    Raises:
        TypeError: If ``inputs`` holds anything but Tensors.
    """
    values = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    if not values or not all(map(is_tensor, values)):
        raise ArgumentTypeError("The inputs type must be a Tensor, tuple or list of Tensors.")

    first = next(iter(values))

    def pushed(*tangents: Any) -> Any:
        given = tangents[0] if len(tangents) == 1 else tangents
        return jvp(fn, inputs if len(values) > 1 else first, given)[1]

    return fn(*values), pushed
