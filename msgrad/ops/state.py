"""Writing to Parameters: assign, assign_add, assign_sub."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import operand, wrap
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, Operand, Operator, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import as_type_of


def _summand(variable: Array, value: Array) -> Array:
    """Return ``value`` as ``_fitting`` does; of shapes () and (1,) either fits the other."""
    if {variable.shape, value.shape} == {(), (1,)}:
        value = value.reshape(variable.shape)
    return _fitting(variable, value)


def _fitting(variable: Array, value: Array) -> Array:
    """Return ``value`` in the dtype of ``variable``, which must hold it without a loss of kind."""
    if value.ndim != variable.ndim or value.shape != variable.shape:
        what = "rank" if value.ndim != variable.ndim else "shape"
        raise ArgumentValueError(
            f"'value' must have the same {what} as 'variable'. But got 'value' shape: "
            f"{list(value.shape)}, 'variable' shape: {list(variable.shape)}."
        )
    return as_type_of(variable, value)


@operator("Assign", int_grad=True)
def _assign(variable: Array, value: Operand) -> Array:
    return _fitting(variable, jnp.asarray(value))


@operator("AssignAdd", int_grad=True)
def _assign_add(variable: Array, value: Operand) -> Array:
    return variable + _summand(variable, jnp.asarray(value))


@operator("AssignSub", int_grad=True)
def _assign_sub(variable: Array, value: Operand) -> Array:
    return variable - _summand(variable, jnp.asarray(value))


def _written(op: Operator, variable: Any, value: Any) -> Tensor:
    of_type(op.name, "variable", variable, Tensor)
    new = op.run((), (variable, value), (variable._peek(), operand(op.places[1], value)))
    variable._assign(new._peek())
    # What was assigned is a constant: the result is differentiated into the variable.
    return wrap(variable._peek()) if op is _assign else new


@function(primitive="Assign")
def assign(variable: Any, value: Any) -> Tensor:
    """Replace the values of a Parameter, in place.

    Args:
        variable: Parameter or Tensor.
        value: Tensor or number of the same shape; cast to the dtype of the variable.

    Returns:
        A Tensor of the new values.

    Raises:
        TypeError: If the variable is not a Tensor, or its dtype cannot hold the value's.
        ValueError: If the shapes differ.
    """
    return _written(_assign, variable, value)


@function(primitive="AssignAdd")
def assign_add(variable: Any, value: Any) -> Tensor:
    """Add to the values of a Parameter, in place; see ``assign``. Shapes () and (1,) mix."""
    return _written(_assign_add, variable, value)


@function(primitive="AssignSub")
def assign_sub(variable: Any, value: Any) -> Tensor:
    """Subtract from the values of a Parameter, in place; see ``assign_add``."""
    return _written(_assign_sub, variable, value)
