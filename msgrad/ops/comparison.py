"""Element-wise comparisons, logical and bitwise functions; ``logical_not`` is in ``unary``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import check_broadcast, is_inexact, promote
from msgrad.ops._checks import refuse, require_tensor, same_type
from msgrad.ops.primitive import primitive


def _compare(
    name: str, function: Callable[[Array, Array], Array], summary: str, *, ordered: bool = True
) -> Any:
    """Make a comparison; an ``ordered`` one refuses complex operands."""

    def kernel(input: Operand, other: Operand) -> Array:
        if name in ("Equal", "Less"):
            # Only the second may be a number.
            require_tensor(name, input)
        x, y = promote(name, input, other)
        if ordered:
            refuse(name, x, jnp.complexfloating)
        return function(x, y)

    kernel.__name__ = name.lower()
    kernel.__doc__ = summary
    return operator(name)(kernel)


equal = _compare("Equal", jnp.equal, "Whether elements are equal.", ordered=False)
not_equal = _compare("NotEqual", jnp.not_equal, "Whether elements differ.", ordered=False)
greater = _compare("Greater", jnp.greater, "Whether ``input`` is greater than ``other``.")
greater_equal = _compare(
    "GreaterEqual", jnp.greater_equal, "Whether ``input`` is not less than ``other``."
)
less = _compare("Less", jnp.less, "Whether ``input`` is less than ``other``.")
less_equal = _compare(
    "LessEqual", jnp.less_equal, "Whether ``input`` is not greater than ``other``."
)


def _logical(name: str, function: Callable[[Array, Array], Array], summary: str) -> Any:
    def kernel(input: Operand, other: Operand) -> Array:
        # A bool of Python is no weakly typed number.
        require_tensor(name, input, other)
        check_broadcast(name, input, other)
        return function(input.astype(jnp.bool_), other.astype(jnp.bool_))

    kernel.__name__ = name.lower()
    kernel.__doc__ = summary
    return operator(name)(kernel)


logical_and = _logical("LogicalAnd", jnp.logical_and, "Whether both elements are not zero.")
logical_or = _logical("LogicalOr", jnp.logical_or, "Whether one of the elements is not zero.")
logical_xor = _logical("LogicalXor", jnp.logical_xor, "Whether just one element is not zero.")


def _bitwise(
    name: str, function: Callable[[Array, Array], Array], summary: str, *refused: Any
) -> Any:
    def kernel(input: Operand, other: Operand) -> Array:
        x, y = promote(name, input, other)
        refuse(name, x, jnp.inexact, *refused)
        return function(x, y)

    kernel.__name__ = name.lower()
    kernel.__doc__ = summary
    return operator(name)(kernel)


bitwise_and = _bitwise("BitwiseAnd", jnp.bitwise_and, "And of the bits of two integers or bools.")
bitwise_or = _bitwise("BitwiseOr", jnp.bitwise_or, "Or of the bits of two integers or bools.")
bitwise_xor = _bitwise(
    "BitwiseXor", jnp.bitwise_xor, "Exclusive or of the bits of two integers or bools."
)
bitwise_left_shift = _bitwise(
    "BitwiseLeftShift", jnp.left_shift, "Shift the bits of integers to the left.", jnp.bool_
)
bitwise_right_shift = _bitwise(
    "BitwiseRightShift",
    jnp.right_shift,
    "Shift the bits of integers to the right, keeping the sign.",
    jnp.bool_,
)


@operator("BitwiseNot")
def _bitwise_not(input: Array) -> Array:
    """Flip the bits of integers; of bools, not."""
    refuse("BitwiseNot", input, jnp.inexact)
    return ~input


@operator("IsClose")
def isclose(
    input: Array, other: Array, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Array:
    """Whether ``|input - other| <= atol + rtol * |other|``, element by element.

    Args:
        input: Tensor of a real dtype.
        other: Tensor of the same dtype, or one that is promoted with it.
        rtol: Relative tolerance.
        atol: Absolute tolerance.
        equal_nan: Whether two nans count as close.
    """
    same_type("IsClose", input, other)
    x, y = promote("IsClose", input, other)
    refuse("IsClose", x, jnp.complexfloating)
    if not is_inexact(x.dtype):
        x, y = x.astype(jnp.float32), y.astype(jnp.float32)
    return jnp.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)


def _all_close(
    self: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    return bool(isclose(self, other, rtol, atol, equal_nan).asnumpy().all())


@operator("ApproximateEqual")
def _approximate_equal(x: Operand, y: Operand, tolerance: float = 1e-5) -> Array:
    """Whether elements differ by less than a tolerance.

    Args:
        x: Tensor, floating.
        y: Tensor of the same shape and dtype.
        tolerance: The smallest difference that counts.
    """
    x, y = promote("ApproximateEqual", x, y)
    refuse("ApproximateEqual", x, jnp.bool_, jnp.integer, jnp.complexfloating)
    return jnp.abs(x - y) < tolerance


def is_equal_symbol(self: Any, other: Any) -> Any:
    """``==``: element by element with Tensors and numbers, False with anything else."""
    return equal(self, other) if _comparable(other) else False


def is_not_equal_symbol(self: Any, other: Any) -> Any:
    """``!=``: element by element with Tensors and numbers, True with anything else."""
    return not_equal(self, other) if _comparable(other) else True


def _comparable(other: Any) -> bool:
    # A float64 scalar of NumPy is a Python float, the other ones are not: as in MindSpore.
    return isinstance(other, (int, float, jax.Array)) or hasattr(other, "_read")


eq = equal
ne = not_equal
gt = tensor_gt = greater
ge = tensor_ge = greater_equal
lt = tensor_lt = less
le = tensor_le = less_equal


def _logical_method(function: Any) -> Callable[..., Any]:
    def method(self: Any, other: Any = None, *, y: Any = None) -> Any:
        if other is None and y is None:
            raise ArgumentTypeError(f"{function.name}() missing a required argument: 'other'")
        return function(self, y if other is None else other)

    return method


ApproximateEqual = primitive("ApproximateEqual", _approximate_equal, {"tolerance": 1e-5})
BitwiseAnd = primitive("BitwiseAnd", bitwise_and)
BitwiseOr = primitive("BitwiseOr", bitwise_or)
BitwiseXor = primitive("BitwiseXor", bitwise_xor)
Equal = primitive("Equal", equal)
Greater = primitive("Greater", greater)
GreaterEqual = primitive("GreaterEqual", greater_equal)
Less = primitive("Less", less)
LessEqual = primitive("LessEqual", less_equal)
LogicalAnd = primitive("LogicalAnd", logical_and)
LogicalOr = primitive("LogicalOr", logical_or)
LogicalXor = primitive("LogicalXor", logical_xor)
NotEqual = primitive("NotEqual", not_equal)

METHODS: dict[str, Callable[..., Any]] = {
    "equal": equal,
    "eq": equal,
    "not_equal": not_equal,
    "ne": not_equal,
    "greater": greater,
    "gt": greater,
    "greater_equal": greater_equal,
    "ge": greater_equal,
    "less": less,
    "lt": less,
    "less_equal": less_equal,
    "le": less_equal,
    "logical_and": _logical_method(logical_and),
    "logical_or": _logical_method(logical_or),
    "logical_xor": _logical_method(logical_xor),
    "bitwise_and": bitwise_and,
    "bitwise_or": bitwise_or,
    "bitwise_xor": bitwise_xor,
    "bitwise_not": _bitwise_not,
    "bitwise_left_shift": bitwise_left_shift,
    "bitwise_right_shift": bitwise_right_shift,
    "isclose": isclose,
    "allclose": _all_close,
}

__all__ = [
    "ApproximateEqual",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Equal",
    "Greater",
    "GreaterEqual",
    "Less",
    "LessEqual",
    "LogicalAnd",
    "LogicalOr",
    "LogicalXor",
    "NotEqual",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "eq",
    "equal",
    "ge",
    "greater",
    "greater_equal",
    "gt",
    "isclose",
    "le",
    "less",
    "less_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "lt",
    "ne",
    "not_equal",
    "tensor_ge",
    "tensor_gt",
    "tensor_le",
    "tensor_lt",
]
