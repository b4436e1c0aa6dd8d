"""Gradients through integer Tensors, which MindSpore has and JAX has not (facts 1.4).

MindSpore differentiates integer arithmetic as if it were real: ``x * x`` at an int64 ``x`` has the
gradient ``2x`` in int64, and a cast to an integer passes the gradient on. In JAX an integer has no
tangent. So an integer Tensor with a gradient gets a *carrier*: a float array of zeros of the same
shape, held in the scope, which carries only the tangent. An operator marked ``int_grad`` hands it
on; every other operator ends it, as an integer output without gradient does in MindSpore.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, wrap, wrap_tree
from msgrad._core.context import context
from msgrad._core.engine import is_tracer, lower_one_level
from msgrad._core.promotion import convert, is_inexact


def carrier_dtype(dtype: Any) -> Any:
    """Return the float dtype that holds every value of an integer dtype well enough."""
    return jnp.float32 if jnp.dtype(dtype).itemsize <= 2 else jnp.float64


def attach(tensor: Any, carrier: Any) -> None:
    """Make ``carrier`` carry the tangent of the integer ``tensor`` in the running scope."""
    scope = context.scope
    assert scope is not None, "a carrier lives in a scope"
    scope.carriers[id(tensor)] = (tensor, carrier)


def carrier_of(tensor: Any) -> Any:
    scope = context.scope
    entry = scope.carriers.get(id(tensor)) if scope is not None else None
    return None if entry is None else entry[1]


@jax.custom_jvp
def tangent_of(value: jax.Array) -> jax.Array:
    """Return zeros that carry the tangent of ``value``, which need not be finite."""
    return jnp.zeros_like(value)


@tangent_of.defjvp
def _tangent_of_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    return tangent_of(*primals), tangents[0]


def propagate(
    op: Any,
    options: tuple[Any, ...],
    tensors: Sequence[Any],
    operands: tuple[Any, ...],
    outputs: Any,
) -> Any:
    """Wrap ``outputs`` of the ``Operator`` ``op``, with the tangents of integer operands where it
    hands them on.
    """
    result = wrap_tree(outputs)
    if not op.int_grad:
        return result
    differentiated = [None if s else t for t, s in zip(tensors, op.selects, strict=True)]
    # The quotient of two Tensors has the gradient of an integer in its dtype again.
    floats = op.int_grad == "float" and not (len(tensors) > 1 and all(map(is_tensor, tensors)))
    shadows, carried = _shadows(differentiated, operands, not floats)
    if not carried:
        return result
    scope = context.scope
    assert scope is not None, "carriers live in a scope"
    # Floats stand for the integers that a result is asked to be.
    options = tuple([None if _names_integers(option) else option for option in options])
    moved = op.compiled(options)(*shadows)
    if scope.parent is None:
        tangents = jax.tree.map(tangent_of, moved)
    else:
        # For the calls around the tangent depends on the floating operands as well; their own
        # tangents cancel.
        unmoved = op.compiled(options)(*_shadows(differentiated, operands, not floats, False)[0])
        tangents = jax.tree.map(lambda x, y: tangent_of(x) - tangent_of(y), moved, unmoved)
    if floats:
        scope.float_gradients.update(id(t) for t in tensors if carrier_of(t) is not None)
    pieces = isinstance(outputs, (tuple, list))
    for item, tangent in zip(result, tangents, strict=True) if pieces else [(result, tangents)]:
        if is_inexact(item._data.dtype):
            item._data = item._data + tangent.astype(item._data.dtype)
        elif is_inexact(tangent.dtype):
            attach(item, tangent)
    return result


def _names_integers(option: Any) -> bool:
    kind = getattr(option, "np_dtype", None)
    return kind is not None and not is_inexact(kind)


def as_asked(x: Any, option: Any) -> Any:
    """Return floats, if they have a gradient, as the integers that an operator is to compute in."""
    if not is_tensor(x) or not _names_integers(option) or not is_inexact(x._peek().dtype):
        return x
    raw = x._read()
    return passed_on(x, wrap(convert(raw, option.np_dtype))) if is_tracer(raw) else x


def passed_on(x: Any, result: Any) -> Any:
    """Return a Tensor that was cast from ``x``, with its gradient; through integers, too."""
    if context.scope is None or context.no_grad:
        return result
    target, source = result._peek().dtype, carrier_of(x)
    if source is not None:
        source = integral(x._peek().dtype, source)
    elif not is_inexact(target) and is_inexact(x._peek().dtype):
        raw = x._read()
        source = raw if is_tracer(raw) else None
    if source is None:
        return result
    if is_inexact(target):
        result._data = result._read() + tangent_of(source).astype(target)
    else:
        attach(result, cut_to_integers(tangent_of(source.astype(carrier_dtype(target)))))
    return result


def integral(dtype: Any, carrier: Any) -> Any:
    """Return ``carrier``; the gradient at an integer is itself one, as MindSpore casts it."""
    levels, pulled = _directions()
    if not levels:
        return _integral(dtype, carrier)
    return _cut(levels, dtype, carrier) if pulled else carrier


def cut_to_integers(source: Any) -> Any:
    """Return ``source``; along a direction an integer has an integer tangent."""
    levels, _ = _directions()
    return _cut(levels, None, source) if levels else source


def _directions() -> tuple[int, bool]:
    """Return along how many directions is differentiated, and whether it is pulled back around."""
    scope, levels = context.scope, 0
    while scope is not None and scope.forward:
        scope, levels = scope.parent, levels + 1
    return levels, scope is not None and scope is not context.lift


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _cut(levels: int, pulled: Any, source: Any) -> Any:
    """Return ``source``: with integer tangents, or with gradients around in dtype ``pulled``."""
    return source


@_cut.defjvp
def _cut_tangent(levels: int, pulled: Any, primals: Any, tangents: Any) -> tuple[Any, ...]:
    (source,), (tangent,) = primals, tangents
    if pulled is None:
        tangent = tangent_of(tangent) + jax.lax.stop_gradient(jnp.trunc(tangent))
    both = source, tangent
    if levels > 1:
        return tuple(_cut(levels - 1, pulled, value) for value in both)
    return both if pulled is None else tuple(_integral(pulled, value) for value in both)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _integral(dtype: Any, carrier: Any) -> Any:
    return carrier


def _integral_forward(dtype: Any, carrier: Any) -> tuple[Any, None]:
    return _integral(dtype, carrier), None


def _integral_backward(dtype: Any, _: None, cotangent: Any) -> tuple[Any]:
    rounded = jax.lax.stop_gradient(cotangent)
    if dtype.itemsize <= 2 and dtype.kind in "iu":
        # Like a cast in C, which wraps around.
        rounded = rounded.astype(jnp.int32)
    return (tangent_of(cotangent) + rounded.astype(dtype).astype(cotangent.dtype),)


_integral.defvjp(_integral_forward, _integral_backward)


def _stopped(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_stopped(v) for v in value)
    return lower_one_level(value) if is_inexact(getattr(value, "dtype", bool)) else value


def _shadows(
    tensors: Sequence[Any], operands: Sequence[Any], rounds: bool, moves: bool = True
) -> tuple[tuple[Any, ...], bool]:
    """Return the operands with integers that have a carrier as floats, and whether there are any.

    Within a sequence of Tensors all integers become floats then, since they must stay alike.
    Without ``moves`` the floats have no tangent.
    """
    carriers = [carrier_of(t) if is_tensor(t) else None for t in tensors]
    carried = any(c is not None for c in carriers)
    shadows = []
    for tensor, value, carrier in zip(tensors, operands, carriers, strict=True):
        if carrier is not None:
            tangent = integral(value.dtype, carrier) if rounds else carrier
            shadow = value.astype(carrier.dtype)
            shadows.append(shadow + tangent if moves else shadow)
        elif isinstance(value, tuple) and isinstance(tensor, (tuple, list)):
            inner, found = _shadows(tensor, value, rounds, moves)
            if found:
                dtype = next(i.dtype for i in inner if is_inexact(i.dtype))
                inner = tuple(i.astype(dtype) for i in inner)
            shadows.append(inner)
            carried = carried or found
        else:
            # The tangent of a floating operand is in the outputs already.
            nested = context.scope is not None and context.scope.parent is not None
            shadows.append(value if nested else _stopped(value))
    return tuple(shadows), carried
