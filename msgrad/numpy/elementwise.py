"""Element-wise functions of one and of two arrays with a numeric result; each is a row.

Numbers and lists count as 32-bit Tensors here, so that ``float16`` with ``1.0`` gives ``float32``.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import jax.numpy as jnp
from jax.lax import stop_gradient, while_loop

from msgrad import ops
from msgrad._core.checks import at_least
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array
from msgrad._core.promotion import is_float, is_inexact
from msgrad._core.rounding import quotient, rounded
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Function, functions, kernel, row
from msgrad.numpy.dtypes import alike, promoted
from msgrad.numpy.utils import tensor, typed
from msgrad.ops._checks import refuse
from msgrad.ops.arithmetic import log_add, log_add2
from msgrad.ops.unary import rint as _rint

_SMALL = (mstype.int8, mstype.uint8, mstype.bool_)
_FLOATS = (mstype.float16, mstype.float32, mstype.float64)

# Array-likes, or Tensors only; all take a dtype as well.
_of_any = partial(row, "x: Like", cast=True)
_of_tensor = partial(row, "x: Tensor", cast=True)
_of_two = partial(row, "x1: Like, x2: Like", cast=True)
_of_tensors = partial(row, "x1: Tensor, x2: Tensor", cast=True)


def _float32(x: Tensor) -> Tensor:
    return x if x.dtype in _FLOATS else x.astype(mstype.float32)


def _product(x: Tensor, y: Tensor) -> Tensor:
    # For ops.mul a Tensor without dimensions counts as a number, here it does not.
    x, y = (a if a.ndim or not b.ndim else a.reshape((1,)) for a, b in ((x, y), (y, x)))
    return ops.mul(x, y)


def _for_trigonometry(x: Tensor) -> Tensor:
    if x.is_complex():
        raise ArgumentTypeError(f"the dtype must be real, but got {x.dtype}; use mindspore.ops.")
    return x.astype(mstype.float16) if x.dtype in _SMALL else _float32(x)


def _trigonometric(function: Function, summary: str, label: str = "x") -> Any:
    """Make a function of Tensors that computes 8-bit integers and bools in float16."""
    return row(f"{label}: Tensor", lambda x: function(_for_trigonometry(x)), summary, cast=True)


def _rounded_to_zero(x: Tensor) -> Tensor:
    return ops.trunc(x if x.dtype is mstype.float16 else x.astype(mstype.float32))


def _scaled(factor: float, divisor: float, summary: str) -> Any:
    return _of_tensor(lambda x: ops.tensor_div(ops.mul(x, factor), divisor), summary)


absolute = _of_tensor(ops.abs, "Size of each element; Tensors only.")
deg2rad = _scaled(math.pi, 180.0, "Degrees to radians.")
radians = _scaled(math.pi, 180.0, "Degrees to radians.")
rad2deg = _scaled(180.0, math.pi, "Radians to degrees.")
square = _of_any(ops.square, "Square of each element.")
sqrt = _of_any(ops.sqrt, "Square root of each element.")
reciprocal = _of_any(lambda x: ops.tensor_div(1, x), "One over each element.")
exp = _of_any(ops.exp, "e to the power of each element.")
expm1 = _of_any(ops.expm1, "``exp(x) - 1``, exact near 0.")
exp2 = _of_any(lambda x: ops.pow(2, x), "2 to the power of each element.")
log = _of_any(ops.log, "Natural logarithm of each element.")
log1p = _of_any(ops.log1p, "``log(1 + x)``.")
log2 = _of_tensor(ops.log2, "Logarithm to the base 2; Tensors only.")
log10 = _of_tensor(ops.log10, "Logarithm to the base 10; Tensors only.")
floor = _of_any(ops.floor, "Round down to an integer.")
ceil = _of_any(lambda x: ops.ceil(x.astype(mstype.float32)), "Round up, in float32.")
rint = _of_any(_rint, "Round to the nearest integer, halves to even.")
trunc = _of_any(_rounded_to_zero, "Round towards 0, in at most float32.")
fix = row("x: Tensor", _rounded_to_zero, "Round towards 0, in at most float32.")
invert = _of_any(lambda x: x.bitwise_not(), "Flip the bits of each element.")
sin = _trigonometric(ops.sin, "Sine of each element, in radians.")
cos = _trigonometric(ops.cos, "Cosine of each element, in radians.")
tan = _trigonometric(ops.tan, "Tangent of each element, in radians.")
arcsin = _trigonometric(ops.asin, "Inverse sine of each element, in radians.")
arccos = _trigonometric(ops.acos, "Inverse cosine of each element, in radians.", "input")
arctan = _trigonometric(ops.atan, "Inverse tangent of each element, in radians.")
sinh = _trigonometric(ops.sinh, "Hyperbolic sine of each element.")
cosh = _trigonometric(ops.cosh, "Hyperbolic cosine of each element.")
tanh = _trigonometric(ops.tanh, "Hyperbolic tangent of each element.")
arcsinh = _trigonometric(ops.asinh, "Inverse hyperbolic sine of each element.")
arccosh = _trigonometric(ops.acosh, "Inverse hyperbolic cosine of each element.")
arctanh = _trigonometric(ops.atanh, "Inverse hyperbolic tangent of each element.")
negative = row("a: Like", ops.neg, "Return the negative of each element.", cast=True)
positive = row(
    "a: Tensor", lambda a: ops.neg(ops.neg(a)), "The elements as they are, anew.", cast=True
)


@kernel("cbrt")
def _cbrt(x: Array) -> Array:
    return jnp.cbrt(x.astype(promoted(x.dtype, jnp.dtype(jnp.float32))))


@kernel("sign")
def _sign(x: Array) -> Array:
    refuse(x, jnp.bool_)
    return jnp.sign(x) if is_inexact(x.dtype) else jnp.sign(x).astype(jnp.float32)


cbrt = _of_any(_cbrt, "Cube root of each element, at least float32.")
sign = _of_any(_sign, "-1, 0 or 1 by the sign of each element.")


def around(a: Any, decimals: int = 0) -> Tensor:
    """Round to ``decimals`` digits after the point, halves to even."""
    at_least("", "decimals", decimals, 0)
    a = tensor(a, narrow=False)
    return ops.tensor_div(ops.round(a * 10**decimals), 10**decimals) if decimals else ops.round(a)


def _quotient(x1: Tensor, x2: Tensor) -> Tensor:
    if x1.dtype not in _FLOATS[:2] and x2.dtype not in _FLOATS[:2]:
        x1, x2 = x1.astype(mstype.float32), x2.astype(mstype.float32)
    return ops.tensor_div(x1, x2)


def _kernel_of_two(name: str, function: Function) -> Any:
    def computed(x1: Array, x2: Array) -> Array:
        return function(*alike(x1, x2))

    computed.__name__ = name
    return kernel(name)(computed)


def _rest(towards: Function, x1: Array, x2: Array) -> Array:
    dtype = x1.dtype
    if not is_float(dtype):
        x1, x2 = x1.astype(jnp.float32), x2.astype(jnp.float32)
    rest = x1 - rounded(x2 * towards(quotient(x1, x2)))
    return (rest if is_float(dtype) else jnp.where(x2 == 0, 0, rest)).astype(dtype)


def _common_divisor(x1: Array, x2: Array) -> Array:
    wide = x1.dtype if x1.dtype != jnp.bool_ else jnp.int32

    def onward(pair: tuple[Array, Array]) -> tuple[Array, Array]:
        large, small = pair
        rest = jnp.where(small == 0, 0, large % jnp.where(small == 0, 1, small)).astype(wide)
        return jnp.where(small == 0, large, small), rest

    x, y = jnp.broadcast_arrays(*(jnp.abs(stop_gradient(x).astype(wide)) for x in (x1, x2)))
    # Nothing divides nan, and it never becomes 0.
    found = while_loop(lambda pair: (pair[1] != 0).any(where=pair[1] == pair[1]), onward, (x, y))
    return found[0].astype(x1.dtype)


def _common_multiple(x1: Array, x2: Array) -> Array:
    divisor = _common_divisor(x1, x2)
    wide = jnp.where(divisor == 0, 1, divisor).astype(divisor.dtype)
    multiple = jnp.abs(stop_gradient(x1) * (stop_gradient(x2) / wide).astype(x2.dtype))
    return multiple.astype(x1.dtype)


def _with_nan(function: Function, x1: Tensor, x2: Tensor, dtype: Any) -> Tensor:
    """Compute ``maximum`` or ``minimum``; beside an array a 0-d operand takes the array's dtype.

    Then ``dtype`` has no effect in MindSpore, either.
    """
    if x1.ndim == 0 < x2.ndim or x2.ndim == 0 < x1.ndim:
        return ops.cast(function(x1, x2), (x1 if x1.ndim else x2).dtype)
    return typed(function(x1, x2), dtype)


_LIMITED = "x1: Like, x2: Like, dtype=None"


@kernel("logaddexp")
def _logaddexp(x1: Array, x2: Array) -> Array:
    for x in (x1, x2):
        refuse(x, jnp.bool_, jnp.integer)
    return log_add(*alike(x1, x2))


@kernel("logaddexp2")
def _logaddexp2(x1: Array, x2: Array) -> Array:
    x1, x2 = alike(x1, x2)
    refuse(x1, jnp.bool_, jnp.integer)
    return log_add2(x1, x2)


@kernel("copysign")
def _copysign(x1: Array, x2: Array) -> Array:
    if jnp.bool_ in (x1.dtype, x2.dtype):
        raise ArgumentTypeError("a Tensor of dtype bool is not supported.")
    size = jnp.abs(x1)
    return jnp.where(x2 < 0, -size, size)


_heaviside = _kernel_of_two(
    "heaviside", lambda x, y: jnp.where(x < 0, 0, jnp.where(x > 0, 1, y)).astype(x.dtype)
)

add = _of_two(ops.add, "Sum of elements.")
subtract = _of_two(ops.sub, "Difference of elements.")
multiply = _of_tensors(_product, "Product of elements; Tensors only.")
divide = _of_two(_quotient, "Quotient of elements; float32 of two integers.")
true_divide = _of_two(_quotient, "Quotient of elements; float32 of two integers.")
power = _of_two(ops.pow, "``x1`` to the power ``x2``.")
float_power = _of_tensors(
    lambda x, y: ops.pow(x.astype(mstype.float32), y.astype(mstype.float32)),
    "``x1`` to the power ``x2``, in float32; Tensors only.",
)
floor_divide = _of_two(ops.floor_divide, "Quotient, rounded down.")
remainder = _of_two(
    _kernel_of_two("remainder", partial(_rest, jnp.floor)),
    "What ``floor_divide`` leaves; 0 for an integer over 0.",
)
fmod = _of_two(
    _kernel_of_two("fmod", partial(_rest, jnp.trunc)),
    "What a division that rounds towards 0 leaves.",
)
minimum = row(_LIMITED, partial(_with_nan, ops.minimum), "Smaller elements; nan prevails.")
maximum = row(_LIMITED, partial(_with_nan, ops.maximum), "Larger elements; nan prevails.")
hypot = _of_two(
    lambda x, y: ops.sqrt(ops.add(ops.square(x), ops.square(y))), "``sqrt(x1 ** 2 + x2 ** 2)``."
)
heaviside = _of_two(_heaviside, "0 below 0, 1 above, and ``x2`` where ``x1`` is 0.")
logaddexp = _of_two(_logaddexp, "``log(exp(x1) + exp(x2))``.")
logaddexp2 = _of_tensors(_logaddexp2, "``log2(2 ** x1 + 2 ** x2)``.")
gcd = _of_two(_kernel_of_two("gcd", _common_divisor), "Greatest common divisor of integers.")
lcm = _of_two(_kernel_of_two("lcm", _common_multiple), "Least common multiple of integers.")
copysign = _of_two(_copysign, "``x1`` with the sign of ``x2``.")
bitwise_and = _of_two(ops.bitwise_and, "And of the bits of integers.")
bitwise_or = _of_two(ops.bitwise_or, "Or of the bits of integers.")
bitwise_xor = _of_two(ops.bitwise_xor, "Exclusive or of the bits of integers.")
arctan2 = _of_tensors(
    lambda x, y: ops.atan2(_for_trigonometry(x), _for_trigonometry(y)),
    "Angle of the point ``(x2, x1)``, in radians; Tensors only.",
)


def divmod(x1: Any, x2: Any, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """Return ``floor_divide`` and ``remainder`` of two arrays."""
    whole, rest = ops.floor_divide(x1, x2), remainder(x1, x2)
    return (whole, rest) if dtype is None else (whole.astype(dtype), rest.astype(dtype))


def clip(x: Any, xmin: Any, xmax: Any, dtype: Any = None) -> Tensor:
    """Limit the elements to ``[xmin, xmax]``; one of the limits may be None."""
    if xmin is None and xmax is None:
        raise ArgumentValueError("one of xmin and xmax must be given.")
    if xmin is not None:
        x = maximum(x, xmin, dtype)
    return x if xmax is None else minimum(x, xmax, dtype)


abs = fabs = absolute
mod = remainder
bitwise_not = invert
round = around

__all__ = functions(globals())
