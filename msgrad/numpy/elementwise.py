"""Element-wise functions of one and of two arrays with a numeric result; each is a row.

Numbers and lists count as 32-bit Tensors here, so that ``float16`` with ``1.0`` gives ``float32``.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
from jax.lax import stop_gradient, while_loop

from msgrad import ops
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_float, is_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Function, binary, unary
from msgrad.numpy.dtypes import promoted
from msgrad.numpy.utils import tensor, typed
from msgrad.ops._checks import refuse
from msgrad.ops.unary import rint as _rint

_SMALL = (mstype.int8, mstype.uint8, mstype.bool_)
_FLOATS = (mstype.float16, mstype.float32, mstype.float64)


def _float32(x: Tensor) -> Tensor:
    return x if x.dtype in _FLOATS else x.astype(mstype.float32)


def _rounded_to_zero(x: Tensor) -> Tensor:
    return ops.trunc(x if x.dtype is mstype.float16 else x.astype(mstype.float32))


def trigonometric(name: str, function: Function, summary: str) -> Any:
    """Make a function of Tensors that computes 8-bit integers and bools in float16."""
    return unary(name, lambda x: function(_for_trigonometry(x)), summary, strict=True)


def _for_trigonometry(x: Tensor) -> Tensor:
    return x.astype(mstype.float16) if x.dtype in _SMALL else _float32(x)


def kernel_of_two(name: str, function: Function, *, product: bool = False) -> Any:
    """Make an operator of a function of two raw arrays, given in their common dtype."""

    def kernel(x1: Array, x2: Array) -> Array:
        dtype = promoted(x1.dtype, x2.dtype)
        return function(x1.astype(dtype), x2.astype(dtype))

    return operator(name, product=product)(kernel)


absolute = unary("absolute", ops.abs, "Size of each element; Tensors only.", strict=True)
deg2rad = unary(
    "deg2rad", lambda x: ops.tensor_div(ops.mul(x, math.pi), 180.0), "Degrees to radians.",
    strict=True,
)  # fmt: skip
radians = unary(
    "radians", lambda x: ops.tensor_div(ops.mul(x, math.pi), 180.0), "Degrees to radians.",
    strict=True,
)  # fmt: skip
rad2deg = unary(
    "rad2deg", lambda x: ops.tensor_div(ops.mul(x, 180.0), math.pi), "Radians to degrees.",
    strict=True,
)  # fmt: skip
square = unary("square", ops.square, "Square of each element.")
sqrt = unary("sqrt", ops.sqrt, "Square root of each element.")
reciprocal = unary("reciprocal", lambda x: ops.tensor_div(1, x), "One over each element.")
exp = unary("exp", ops.exp, "e to the power of each element.")
expm1 = unary("expm1", ops.expm1, "``exp(x) - 1``, exact near 0.")
exp2 = unary("exp2", lambda x: ops.pow(2, x), "2 to the power of each element.")
log = unary("log", ops.log, "Natural logarithm of each element.")
log1p = unary("log1p", ops.log1p, "``log(1 + x)``.")
log2 = unary("log2", ops.log2, "Logarithm to the base 2; Tensors only.", strict=True)
log10 = unary("log10", ops.log10, "Logarithm to the base 10; Tensors only.", strict=True)
floor = unary("floor", ops.floor, "Round down to an integer.")
ceil = unary("ceil", lambda x: ops.ceil(x.astype(mstype.float32)), "Round up, in float32.")
rint = unary("rint", _rint, "Round to the nearest integer, halves to even.")
trunc = unary("trunc", _rounded_to_zero, "Round towards 0, in at most float32.")
invert = unary("invert", lambda x: x.bitwise_not(), "Flip the bits of each element.")
sin = trigonometric("sin", ops.sin, "Sine of each element, in radians.")
cos = trigonometric("cos", ops.cos, "Cosine of each element, in radians.")
tan = trigonometric("tan", ops.tan, "Tangent of each element, in radians.")
arcsin = trigonometric("arcsin", ops.asin, "Inverse sine of each element, in radians.")
arctan = trigonometric("arctan", ops.atan, "Inverse tangent of each element, in radians.")
sinh = trigonometric("sinh", ops.sinh, "Hyperbolic sine of each element.")
cosh = trigonometric("cosh", ops.cosh, "Hyperbolic cosine of each element.")
tanh = trigonometric("tanh", ops.tanh, "Hyperbolic tangent of each element.")
arcsinh = trigonometric("arcsinh", ops.asinh, "Inverse hyperbolic sine of each element.")
arccosh = trigonometric("arccosh", ops.acosh, "Inverse hyperbolic cosine of each element.")
arctanh = trigonometric("arctanh", ops.atanh, "Inverse hyperbolic tangent of each element.")


@operator("cbrt")
def _cbrt(x: Array) -> Array:
    return jnp.cbrt(x.astype(promoted(x.dtype, jnp.dtype(jnp.float32))))


@operator("sign")
def _sign(x: Array) -> Array:
    if x.dtype == jnp.bool_:
        raise ArgumentTypeError("For 'sign', a Tensor of dtype bool is not supported.")
    return jnp.sign(x) if is_inexact(x.dtype) else jnp.sign(x).astype(jnp.float32)


cbrt = unary("cbrt", _cbrt, "Cube root of each element, at least float32.")
sign = unary("sign", _sign, "-1, 0 or 1 by the sign of each element.")


@checked
def arccos(input: Tensor, dtype: Any = None) -> Tensor:
    """Inverse cosine of each element, in radians."""
    return typed(ops.acos(_for_trigonometry(input)), dtype)


@checked
def positive(a: Tensor, dtype: Any = None) -> Tensor:
    """Return the elements as they are, in a new Tensor."""
    return typed(ops.neg(ops.neg(a)), dtype)


@checked
def negative(a: Any, dtype: Any = None) -> Tensor:
    """Return the negative of each element."""
    return typed(ops.neg(tensor(a)), dtype)


@checked
def fix(x: Tensor) -> Tensor:
    """Round towards 0, in at most float32."""
    return _rounded_to_zero(x)


@checked
def around(a: Any, decimals: int = 0) -> Tensor:
    """Round to ``decimals`` digits after the point, halves to even."""
    if decimals < 0:
        raise ArgumentValueError(f"For 'around', decimals must not be below 0, but got {decimals}.")
    a = tensor(a, narrow=False)
    return ops.tensor_div(ops.round(a * 10**decimals), 10**decimals) if decimals else ops.round(a)


def _quotient(x1: Tensor, x2: Tensor) -> Tensor:
    if x1.dtype not in _FLOATS[:2] and x2.dtype not in _FLOATS[:2]:
        x1, x2 = x1.astype(mstype.float32), x2.astype(mstype.float32)
    return ops.tensor_div(x1, x2)


def _rest(x1: Array, x2: Array, rounded: Function) -> Array:
    dtype = x1.dtype
    if not is_float(dtype):
        x1, x2 = x1.astype(jnp.float32), x2.astype(jnp.float32)
    rest = x1 - x2 * rounded(x1 / x2)
    return (rest if is_float(dtype) else jnp.where(x2 == 0, 0, rest)).astype(dtype)


def _common_divisor(x1: Array, x2: Array) -> Array:
    wide = x1.dtype if x1.dtype != jnp.bool_ else jnp.int32

    def step(pair: tuple[Array, Array]) -> tuple[Array, Array]:
        large, small = pair
        return small, jnp.where(small == 0, 0, large % jnp.where(small == 0, 1, small)).astype(wide)

    def onward(pair: tuple[Array, Array]) -> tuple[Array, Array]:
        large, small = step(pair)
        done = pair[1] == 0
        return jnp.where(done, pair[0], large), jnp.where(done, pair[1], small)

    x, y = jnp.broadcast_arrays(*(jnp.abs(stop_gradient(x).astype(wide)) for x in (x1, x2)))
    found = while_loop(lambda pair: (pair[1] != 0).any(), onward, (x, y))
    return found[0].astype(x1.dtype)


def _common_multiple(x1: Array, x2: Array) -> Array:
    divisor = _common_divisor(x1, x2)
    wide = jnp.where(divisor == 0, 1, divisor).astype(divisor.dtype)
    multiple = jnp.abs(stop_gradient(x1) * (stop_gradient(x2) / wide).astype(x2.dtype))
    return multiple.astype(x1.dtype)


def _floating(*arrays: Array) -> tuple[Array, ...]:
    for x in arrays:
        refuse(x, jnp.bool_, jnp.integer)
    return arrays


def _with_nan(name: str, function: Function) -> Any:
    """Make ``maximum`` or ``minimum``; a 0-d operand takes the dtype of the other one."""

    def call(x1: Tensor, x2: Tensor) -> Tensor:
        if x1.ndim == 0 < x2.ndim or x2.ndim == 0 < x1.ndim:
            return ops.cast(function(x1, x2), (x1 if x1.ndim else x2).dtype)
        return function(x1, x2)

    return call


_heaviside = kernel_of_two(
    "heaviside", lambda x, y: jnp.where(x < 0, 0, jnp.where(x > 0, 1, y)).astype(x.dtype)
)
_gcd = kernel_of_two("gcd", _common_divisor)
_lcm = kernel_of_two("lcm", _common_multiple)
_logaddexp2 = kernel_of_two("logaddexp2", lambda x, y: jnp.logaddexp2(*_floating(x, y)))
_mod = kernel_of_two("remainder", lambda x, y: _rest(x, y, jnp.floor))
_fmod = kernel_of_two("fmod", lambda x, y: _rest(x, y, jnp.trunc))


@operator("logaddexp")
def _logaddexp(x1: Array, x2: Array) -> Array:
    dtype = promoted(*(x.dtype for x in _floating(x1, x2)))
    return jnp.logaddexp(x1.astype(dtype), x2.astype(dtype))


@operator("copysign")
def _copysign(x1: Array, x2: Array) -> Array:
    if jnp.bool_ in (x1.dtype, x2.dtype):
        raise ArgumentTypeError("For 'copysign', a Tensor of dtype bool is not supported.")
    size = jnp.abs(x1)
    return jnp.where(x2 < 0, -size, size)


add = binary("add", ops.add, "Sum of elements.")
subtract = binary("subtract", ops.sub, "Difference of elements.")
multiply = binary("multiply", ops.mul, "Product of elements; Tensors only.", strict=True)
divide = binary("divide", _quotient, "Quotient of elements; float32 of two integers.")
true_divide = binary("true_divide", _quotient, "Quotient of elements; float32 of two integers.")
power = binary("power", ops.pow, "``x1`` to the power ``x2``.")
float_power = binary(
    "float_power",
    lambda x, y: ops.pow(x.astype(mstype.float32), y.astype(mstype.float32)),
    "``x1`` to the power ``x2``, in float32; Tensors only.",
    strict=True,
)
floor_divide = binary("floor_divide", ops.floor_divide, "Quotient, rounded down.")
remainder = binary("remainder", _mod, "What ``floor_divide`` leaves; 0 for an integer over 0.")
fmod = binary("fmod", _fmod, "What a division that rounds towards 0 leaves.")
minimum = binary("minimum", _with_nan("minimum", ops.minimum), "Smaller elements; nan prevails.")
maximum = binary("maximum", _with_nan("maximum", ops.maximum), "Larger elements; nan prevails.")
hypot = binary(
    "hypot",
    lambda x, y: ops.sqrt(ops.add(ops.square(x), ops.square(y))),
    "``sqrt(x1 ** 2 + x2 ** 2)``.",
)
heaviside = binary("heaviside", _heaviside, "0 below 0, 1 above, and ``x2`` where ``x1`` is 0.")
logaddexp = binary("logaddexp", _logaddexp, "``log(exp(x1) + exp(x2))``.")
logaddexp2 = binary("logaddexp2", _logaddexp2, "``log2(2 ** x1 + 2 ** x2)``.", strict=True)
gcd = binary("gcd", _gcd, "Greatest common divisor of integers.")
lcm = binary("lcm", _lcm, "Least common multiple of integers.")
copysign = binary("copysign", _copysign, "``x1`` with the sign of ``x2``.")
bitwise_and = binary("bitwise_and", ops.bitwise_and, "And of the bits of integers.")
bitwise_or = binary("bitwise_or", ops.bitwise_or, "Or of the bits of integers.")
bitwise_xor = binary("bitwise_xor", ops.bitwise_xor, "Exclusive or of the bits of integers.")
arctan2 = binary(
    "arctan2",
    lambda x, y: ops.atan2(_for_trigonometry(x), _for_trigonometry(y)),
    "Angle of the point ``(x2, x1)``, in radians; Tensors only.",
    strict=True,
)


@checked
def divmod(x1: Any, x2: Any, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """Return ``floor_divide`` and ``remainder`` of two arrays."""
    return typed(ops.floor_divide(x1, x2), dtype), remainder(x1, x2, dtype)


@checked
def clip(x: Any, xmin: Any, xmax: Any, dtype: Any = None) -> Tensor:
    """Limit the elements to ``[xmin, xmax]``; one of the limits may be None."""
    if xmin is None and xmax is None:
        raise ArgumentValueError("For 'clip', one of xmin and xmax must be given.")
    if xmin is not None:
        x = maximum(x, xmin, dtype)
    return x if xmax is None else minimum(x, xmax, dtype)


abs = fabs = absolute
mod = remainder
bitwise_not = invert
round = around

__all__ = [
    *("add", "subtract", "multiply", "divide", "true_divide", "power", "absolute", "minimum"),
    *("square", "sqrt", "reciprocal", "log", "maximum", "heaviside", "hypot", "float_power"),
    *("floor", "deg2rad", "rad2deg", "positive", "negative", "clip", "floor_divide", "remainder"),
    *("mod", "fix", "fmod", "trunc", "exp", "expm1", "fabs", "exp2", "divmod", "cbrt", "ceil"),
    *("abs", "gcd", "lcm", "log1p", "logaddexp", "log2", "logaddexp2", "log10", "sin", "cos"),
    *("tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh"),
    *("arctanh", "arctan2", "sign", "copysign", "radians", "bitwise_and", "bitwise_or"),
    *("bitwise_xor", "invert", "bitwise_not", "rint"),
]
