"""Gradients through integer Tensors, which MindSpore has and JAX has not (facts 1.4).

MindSpore differentiates integer arithmetic as if it were real: ``x * x`` at an int64 ``x`` has the
gradient ``2x`` in int64, and a cast to an integer passes the gradient on. In JAX an integer has no
tangent. So an integer Tensor with a gradient gets a *carrier*: a float array of zeros of the same
shape, held in the scope, which carries only the tangent. An operator marked ``int_grad`` hands it
on; every other operator ends it, as an integer output without gradient does in MindSpore.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, wrap_tree
from msgrad._core.context import context
from msgrad._core.engine import lower_one_level
from msgrad._core.promotion import is_inexact

if TYPE_CHECKING:
    from msgrad._core.op import Operator


def carrier_dtype(dtype: Any) -> Any:
    """Give the float dtype that holds every value of an integer dtype well enough."""
    return jnp.float32 if jnp.dtype(dtype).itemsize <= 2 else jnp.float64


def attach(tensor: Any, carrier: Any) -> None:
    """Let ``carrier`` carry the tangent of the integer ``tensor`` in the running scope."""
    scope = context.scope
    assert scope is not None, "a carrier lives in a scope"
    scope.carriers[id(tensor)] = (tensor, carrier)


def carrier_of(tensor: Any) -> Any:
    """Give the carrier of ``tensor``, or None."""
    scope = context.scope
    entry = scope.carriers.get(id(tensor)) if scope is not None else None
    return None if entry is None else entry[1]


def tangent_of(value: jax.Array) -> jax.Array:
    """Give zeros that carry the tangent of ``value``."""
    return value - jax.lax.stop_gradient(value)


def propagate(
    op: Operator,
    options: tuple[Any, ...],
    tensors: Sequence[Any],
    operands: tuple[Any, ...],
    outputs: Any,
) -> Any:
    """Wrap ``outputs``, handing on the tangents of integer operands where ``op`` allows it."""
    carriers = [carrier_of(t) if is_tensor(t) else None for t in tensors]
    result = wrap_tree(outputs)
    if not op.int_grad or isinstance(outputs, (tuple, list)):
        return result
    if all(c is None for c in carriers):
        return result
    # Tangents of floating operands are in ``outputs`` already.
    shadows = [
        lower_one_level(o) if c is None else o.astype(c.dtype) + c
        for o, c in zip(operands, carriers, strict=True)
    ]
    if op.int_grad == "float":
        scope = context.scope
        assert scope is not None, "carriers live in a scope"
        scope.float_gradients.update(
            id(t) for t, c in zip(tensors, carriers, strict=True) if c is not None
        )
    tangent = tangent_of(op.compiled(options)(*shadows))
    if is_inexact(outputs.dtype):
        result._data = outputs + tangent.astype(outputs.dtype)
    else:
        attach(result, tangent)
    return result
