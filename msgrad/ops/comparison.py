"""Element-wise comparisons, logical and bitwise functions; ``logical_not`` is in ``unary``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import check_broadcast, is_inexact, is_weak, promote
from msgrad._core.registry import method
from msgrad.ops._checks import refuse, require_tensor, same_type


def _holding_the_number(x: Array, y: Array) -> tuple[Array, Array]:
    """Return integers in a dtype that holds the Python number beside them, too."""
    number, tensor = (x, y) if is_weak(x) else (y, x)
    whole = all(jnp.issubdtype(one.dtype, jnp.integer) for one in (x, y))
    if whole and is_weak(number) and number.dtype.itemsize > tensor.dtype.itemsize:
        return x.astype(number.dtype), y.astype(number.dtype)
    return x, y


def _compare(
    name: str,
    method: str,
    function: Callable[[Array, Array], Array],
    summary: str,
    *,
    ordered: bool = True,
) -> Any:
    """Make a comparison; an ``ordered`` one refuses complex operands."""

    def kernel(input: Operand, other: Operand) -> Array:
        x, y = promote(*_holding_the_number(input, other))
        if ordered:
            refuse(x, jnp.complexfloating)
        return function(x, y)

    if name in ("Equal", "Less"):
        # Only the second may be a number.
        kernel.__annotations__["input"] = "Array"
    return operator(name, primitive=True, method=method, summary=summary)(kernel)


equal = _compare("Equal", "equal eq", jnp.equal, "Whether elements are equal.", ordered=False)
not_equal = _compare(
    "NotEqual", "not_equal ne", jnp.not_equal, "Whether elements differ.", ordered=False
)
greater = _compare(
    "Greater", "greater gt", jnp.greater, "Whether ``input`` is greater than ``other``."
)
greater_equal = _compare(
    "GreaterEqual",
    "greater_equal ge",
    jnp.greater_equal,
    "Whether ``input`` is not less than ``other``.",
)
less = _compare("Less", "less lt", jnp.less, "Whether ``input`` is less than ``other``.")
less_equal = _compare(
    "LessEqual", "less_equal le", jnp.less_equal, "Whether ``input`` is not greater than ``other``."
)
eq = equal
ne = not_equal
gt = tensor_gt = greater
ge = tensor_ge = greater_equal
lt = tensor_lt = less
le = tensor_le = less_equal


def _logical(name: str, function: Callable[[Array, Array], Array], summary: str) -> Any:
    def kernel(input: Operand, other: Operand) -> Array:
        # A bool of Python is no weakly typed number.
        require_tensor(input, other)
        check_broadcast(input, other)
        return function(input.astype(jnp.bool_), other.astype(jnp.bool_))

    said = {"primitive": True, "method": True, "also": {"y": "other"}}
    return operator(name, **said, summary=summary)(kernel)


logical_and = _logical("LogicalAnd", jnp.logical_and, "Whether both elements are not zero.")
logical_or = _logical("LogicalOr", jnp.logical_or, "Whether one of the elements is not zero.")
logical_xor = _logical("LogicalXor", jnp.logical_xor, "Whether just one element is not zero.")


def _bitwise(
    name: str, function: Callable[[Array, Array], Array], summary: str, *refused: Any
) -> Any:
    shifts = name.endswith("Shift")

    def kernel(input: Operand, other: Operand) -> Array:
        if shifts and not is_weak(input):
            refuse(other, jnp.inexact, *refused)
            other = other.astype(input.dtype)
        x, y = promote(input, other)
        refuse(x, jnp.inexact, *refused)
        return function(x, y)

    primitive = name.removeprefix("Bitwise") if shifts else True
    return operator(name, primitive=primitive, method=True, summary=summary)(kernel)


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


@operator("BitwiseNot", primitive="Invert", method="bitwise_not")
def invert(x: Array) -> Array:
    """Flip the bits of integers; of bools, not."""
    refuse(x, jnp.inexact)
    return ~x


@operator("IsClose", primitive="(rtol=1e-5, atol=1e-8, equal_nan=False)", method=True)
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
    same_type(input, other)
    x, y = promote(input, other)
    refuse(x, jnp.complexfloating)
    if not is_inexact(x.dtype):
        x, y = x.astype(jnp.float32), y.astype(jnp.float32)
    return jnp.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)


@method("allclose")
def _all_close(
    self: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether all elements are close to each other; see ``isclose``."""
    return bool(isclose(self, other, rtol, atol, equal_nan).asnumpy().all())


@operator("ApproximateEqual", primitive="(tolerance=1e-5)", method="(other: y, tolerance=1e-5)")
def approximate_equal(x: Operand, y: Operand, tolerance: float = 1e-5) -> Array:
    """Whether elements differ by less than a tolerance.

    Args:
        x: Tensor, floating.
        y: Tensor of the same shape and dtype.
        tolerance: The smallest difference that counts.
    """
    x, y = promote(x, y)
    refuse(x, jnp.bool_, jnp.integer, jnp.complexfloating)
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
