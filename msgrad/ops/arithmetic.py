"""Element-wise functions of two Tensors with a numeric result, and sums of many Tensors.

Comparisons, logical and bitwise functions are in ``comparison``; the symbols of the Tensor class
are put together in ``_methods``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Arrays, Indices, Operand, operator
from msgrad._core.promotion import (
    HALF,
    as_inexact,
    check_broadcast,
    is_complex,
    is_float,
    is_inexact,
    is_weak,
    limits,
    promote,
    promote_factors,
)
from msgrad._core.registry import function
from msgrad._core.rounding import quotient, rounded
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import refuse, same_shape, same_type
from msgrad.ops.unary import sloped

# What MindSpore calls the arguments of a few.
_XY = {"x": "input", "y": "other"}
# Default of a factor that is an operand, so that no program is compiled per value.
_ONE: Any = 1


@operator("Add", primitive="Add TensorAdd", int_grad=True)
def add(input: Operand, other: Operand) -> Array:
    """Add element by element with broadcasting; two bools give their logical or."""
    x, y = promote(input, other)
    return jnp.add(x, y)


@operator("Sub", primitive=True, int_grad=True)
def sub(input: Operand, other: Operand) -> Array:
    """Subtract element by element with broadcasting; two bools give where they differ."""
    x, y = promote(input, other)
    return jnp.logical_xor(x, y) if x.dtype == jnp.bool_ else jnp.subtract(x, y)


@operator(
    "Mul",
    method="mul mul_ multiply(value: other)",
    primitive="Mul Muls(input, other, /)",
    int_grad=True,
    product=True,
)
def mul(input: Operand, other: Operand) -> Array:
    """Multiply element by element with broadcasting."""
    x, y = promote_factors(input, other)
    return jnp.multiply(x, y)


def _divide(x: Array, y: Array) -> Array:
    """Return an inexact quotient that is rounded once."""
    if x.dtype in HALF:
        return jnp.divide(*_wide(x, y)).astype(x.dtype)
    return quotient(x, y)


@operator("Div", primitive=True, method=True, int_grad="float", product=True)
def true_divide(dividend: Operand, divisor: Operand) -> Array:
    """Divide element by element with broadcasting; integers and bools give float32."""
    x, y = promote_factors(dividend, divisor)
    if not is_inexact(x.dtype):
        # Not the promoted ones: uint8 / -3 is negative.
        x, y = dividend.astype(jnp.float32), divisor.astype(jnp.float32)
    return _divide(x, y)


def _saturate(x: Array, y: Array, whole: Array) -> Array:
    """Return an integer quotient with MindSpore's values where the divisor is zero."""
    lowest, highest = limits(x.dtype)
    extreme = jnp.where(x > 0, highest, jnp.where(x < 0, lowest, jnp.zeros_like(lowest)))
    return jnp.where(y == 0, extreme, whole)


def _by_zero(dtype: Any) -> Any:
    """Return what MindSpore makes of nan, where it divides integers in floating point."""
    return limits(dtype)[0] if dtype in (jnp.int32, jnp.int64) else 0


def _wide(*operands: Array) -> tuple[Array, ...]:
    """Return floating operands in the dtype that rounding their quotient down is decided in."""
    wide = jnp.float64 if operands[0].dtype in (jnp.float32, jnp.float64) else jnp.float32
    return tuple([x.astype(wide) for x in operands])


@operator("FloorDiv", primitive=True, method="floor_divide floor_divide_", also=_XY)
def floor_divide(input: Operand, other: Operand) -> Array:
    """Divide and round towards minus infinity; an integer over zero gives its type's limit.

    Of a complex quotient the real part is rounded and the imaginary one dropped; over zero it is 0.
    """
    x, y = promote(input, other)
    if is_float(x.dtype):
        return jnp.floor(quotient(*_wide(x, y))).astype(x.dtype)
    if is_complex(x.dtype):
        return jnp.floor(_div_no_nan.kernel(x, y).real).astype(x.dtype)
    if x.dtype == jnp.bool_:
        return jnp.broadcast_arrays(x, y)[0]
    return _saturate(x, y, jnp.floor_divide(x, jnp.where(y == 0, 1, y).astype(y.dtype)))


@operator("TruncateDiv", primitive=True)
def truncate_div(x: Operand, y: Operand) -> Array:
    """Divide and round towards zero; an integer over zero gives its type's limit."""
    x, y = promote(x, y)
    refuse(x, jnp.bool_)
    if is_inexact(x.dtype):
        return jnp.trunc(_divide(x, y))
    whole = jax.lax.div(*jnp.broadcast_arrays(x, jnp.where(y == 0, 1, y).astype(y.dtype)))
    return _saturate(x, y, whole)


@operator("RealDiv", primitive=True, int_grad="float", product=True)
def tensor_div(x: Operand, y: Operand) -> Array:
    """Divide element by element; unlike ``div``, integers stay integers, rounded towards zero."""
    x, y = promote(x, y)
    return _divide(x, y) if is_inexact(x.dtype) else truncate_div.kernel(x, y)


@operator("DivNoNan", primitive=True, int_grad=True, product=True)
def _div_no_nan(x: Operand, y: Operand) -> Array:
    """Divide element by element, with 0 where the divisor is 0."""
    x, y = promote(x, y)
    safe = jnp.where(y == 0, 1, y).astype(y.dtype)
    return jnp.where(y == 0, 0, _divide(x, safe)).astype(x.dtype)


@operator("TruncateDiv")
def _rounded_towards_zero(x: Operand, y: Operand) -> Array:
    x, y = promote(x, y)
    if x.dtype == jnp.bool_:
        return x | ~y
    found = truncate_div.kernel(x, y)
    if is_inexact(x.dtype):
        return found
    return jnp.where(y == 0, _by_zero(x.dtype), found).astype(x.dtype)


@function(method="div divide div_")
def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element with broadcasting.

    Args:
        input: Tensor or number.
        other: Tensor or number.
        rounding_mode: None for the true quotient (float32 of integers), ``'floor'`` to round
            towards minus infinity, ``'trunc'`` towards zero.

    Raises:
        ValueError: For another ``rounding_mode``.
    """
    if rounding_mode is None:
        return true_divide(input, other)
    if rounding_mode == "floor":
        return floor_divide(input, other)
    if rounding_mode == "trunc":
        return _rounded_towards_zero(input, other)
    raise ArgumentValueError(
        f"rounding_mode must be None, 'floor' or 'trunc', but got {rounding_mode!r}."
    )


def _rest(x: Array, y: Array, towards: Callable[[Array], Array]) -> Array:
    """Return what a quotient that is rounded in the wider dtype leaves of the dividend."""
    dividend, divisor = _wide(x, y)
    return (dividend - rounded(towards(quotient(dividend, divisor)) * divisor)).astype(x.dtype)


def _without(x: Array, times: Array, y: Array) -> Array:
    """Return ``x - times * y``; the product is rounded, to 16 bits where it has so many."""
    bits = jnp.finfo(x.dtype)
    product = jax.lax.reduce_precision(jnp.multiply(*_wide(times, y)), bits.nexp, bits.nmant)
    return x - rounded(product).astype(x.dtype)


@operator("FloorMod", primitive=True, int_grad=True)
def floor_mod(x: Operand, y: Operand) -> Array:
    """Remainder of the division that rounds towards minus infinity; it has the divisor's sign."""
    x, y = promote(x, y)
    refuse(x, jnp.bool_, jnp.complexfloating)
    if not is_float(x.dtype):
        return jnp.where(y == 0, _by_zero(x.dtype), jnp.mod(x, y)).astype(x.dtype)
    return _rest(x, y, jnp.floor)


@operator("Remainder", method="remainder remainder_", also={"divisor": "other"}, int_grad=True)
def remainder(input: Operand, other: Operand) -> Array:
    """Remainder of the division that rounds towards minus infinity; bools are accepted too.

    Of an integer by 0 it is that integer.
    """
    x, y = promote(input, other)
    if is_float(x.dtype):
        # Unlike floor_mod, it rounds what it subtracts.
        return _without(x, floor_divide.kernel(x, y), y)
    return x & ~y if x.dtype == jnp.bool_ else jnp.where(y == 0, x, floor_mod.kernel(x, y))


def _left(input: Operand, other: Operand, of_floats: Callable[[Array, Array], Array]) -> Array:
    """Return what is left by a division that rounds towards zero."""
    x, y = promote(input, other)
    refuse(x, jnp.complexfloating)
    if is_float(x.dtype):
        found = of_floats(x, y)
    else:
        found = x & ~y if x.dtype == jnp.bool_ else jnp.where(y == 0, x, jnp.fmod(x, y))
    # A divisor without dimensions does not widen the dtype within its kind.
    narrow = jnp.ndim(other) == 0 < jnp.ndim(input) and input.dtype != jnp.bool_
    narrow = narrow and is_float(x.dtype) == is_float(input.dtype)
    return found.astype(input.dtype) if narrow else found


@operator("Mod", primitive="FmodScalar", method=True, also=_XY, int_grad=True)
def fmod(input: Operand, other: Operand) -> Array:
    """Compute ``input - trunc(input / other) * other``, each step rounded: 6 by 0.1 leaves 0.

    Of an integer by 0 it is that integer.
    """
    return _left(input, other, lambda x, y: _without(x, jnp.trunc(_divide(x, y)), y))


@operator("Mod", primitive=True, also=_XY, int_grad=True)
def _mod(input: Operand, other: Operand) -> Array:
    """Remainder as ``fmod`` has it, but rounded once; of 0 by 0 it is 0.

    Of another integer by 0 it is the lowest one, of 8 and 16 bits 0 as well.
    """
    x, y = promote(input, other)
    rest = _left(input, other, lambda x, y: _rest(x, y, jnp.trunc))
    if not is_inexact(rest.dtype):
        rest = jnp.where(y == 0, _by_zero(rest.dtype), rest)
    return jnp.where((x == 0) & (y == 0), x, rest).astype(rest.dtype)


@operator("TruncateMod", primitive=True, method=True, also=_XY, int_grad=True)
def truncate_mod(input: Operand, other: Operand) -> Array:
    """Remainder as ``fmod`` has it, but exact, and of an integer by 0 it is 0."""
    rest = _left(input, other, jnp.fmod)
    return rest if is_inexact(rest.dtype) else jnp.where(other == 0, 0, rest).astype(rest.dtype)


@jax.custom_jvp
def _power(x: Array, y: Array) -> Array:
    return jnp.power(x, y)


def _power_jvp(primals: tuple[Array, Array], tangents: tuple[Any, Any]) -> tuple[Array, Any]:
    # MindSpore's formula: unlike JAX's it gives nan for x**0 at 0. As in JAX, 0**y does not
    # depend on y, unless that is below 0. An operand that is not differentiated adds no term,
    # since a negative base has no logarithm.
    (x, y), (dx, dy) = primals, tangents
    result = _power(x, y)
    tangent = jnp.zeros_like(result)
    if not isinstance(dx, SymbolicZero):
        tangent = tangent + y * _power(x, y - 1) * dx
    if not isinstance(dy, SymbolicZero):
        logarithm = jnp.log(jnp.where(x == 0, 1, x).astype(x.dtype))
        at_zero = jnp.where(y.real < 0, -jnp.inf, 0)
        slope = jnp.where(x == 0, at_zero, result * logarithm).astype(result.dtype)
        tangent = tangent + slope * dy
    return result, tangent


_power.defjvp(_power_jvp, symbolic_zeros=True)


def _integer_power(x: Array, y: Array) -> Array:
    if x.dtype == jnp.uint8:
        return x**y
    size = jnp.abs(y)
    inverse = jnp.where(jnp.abs(x) == 1, x**size, 0)
    return jnp.where(y < 0, inverse, x**size).astype(x.dtype)


@operator("Pow", int_grad=True, product=True)
def _pow(input: Operand, exponent: Operand) -> Array:
    """Raise to a power element by element; an integer to a negative power gives 0."""
    x, y = promote(input, exponent)
    refuse(x, jnp.bool_)
    return _power(x, y) if is_inexact(x.dtype) else _integer_power(x, y)


@operator("Pow", int_grad=True, product=True)
def _integer_exponent(input: Operand, exponent: int) -> Array:
    x = input.astype(jnp.int64) if input.dtype == jnp.bool_ else input
    return jax.lax.integer_pow(x, exponent)


@function(primitive="Pow", method="pow")
def pow(input: Any, exponent: Any) -> Tensor:
    """Raise to a power element by element; an integer to a negative power gives 0.

    Args:
        input: Tensor or number.
        exponent: Tensor or number; a small int takes a shorter way, by multiplications.
    """
    if type(exponent) is int and 1 <= exponent <= 4 and not isinstance(input, (int, float)):
        return _integer_exponent(input, exponent)
    return _pow(input, exponent)


@operator("FloatPower", method=True, product=True, also={"other": "exponent"}, int_grad=True)
def float_power(input: Operand, exponent: Operand) -> Array:
    """Raise to a power element by element, in float64 (complex128 of complex operands)."""
    x, y = promote(input, exponent)
    wide = jnp.complex128 if jnp.issubdtype(x.dtype, jnp.complexfloating) else jnp.float64
    return _power(x.astype(wide), y.astype(wide))


def pair(
    name: str,
    function: Callable[[Array, Array], Array],
    refused: tuple[Any, ...],
    summary: str,
    numbers: bool = True,
    module: str = __name__,
    **said: Any,
) -> Any:
    """Make an operator of two Tensors, or ``numbers`` beside one, that meet in one dtype."""

    def kernel(input: Operand, other: Operand) -> Array:
        x, y = promote(input, other)
        refuse(x, *refused)
        return function(x, y)

    kernel.__module__ = module
    if not numbers:
        kernel.__annotations__.update(input="Array", other="Array")
    return operator(name, summary=summary, **said)(kernel)


_real_pair = partial(pair, refused=(jnp.bool_, jnp.integer, jnp.complexfloating), method=True)
_EXTREME = """The {} of two Tensors element by element; at a tie the gradient is split evenly.

    Differs from MindSpore: a nan in either operand gives nan.
    """
_chosen = partial(pair, refused=(jnp.complexfloating,), primitive=True, method=True, int_grad=True)
maximum = _chosen(
    "Maximum",
    lambda x, y: jax.lax.max(*jnp.broadcast_arrays(x, y)),
    summary=_EXTREME.format("larger"),
)
minimum = _chosen(
    "Minimum",
    lambda x, y: jax.lax.min(*jnp.broadcast_arrays(x, y)),
    summary=_EXTREME.format("smaller"),
)
atan2 = _real_pair(
    "Atan2",
    jnp.arctan2,
    summary="Angle of the point (other, input), in radians.",
    primitive=True,
    int_grad=True,
)
_hypot = sloped(jnp.hypot, lambda t, h, x, _: t * (x / h), lambda t, h, _, y: t * (y / h))
_copysign = sloped(jnp.copysign, lambda t, z, x, _: t * jnp.sign(z) * jnp.sign(x), None)
hypot = _real_pair(
    "Hypot", _hypot, summary="Square root of the sum of two squares.", primitive=True, int_grad=True
)


_xlogy = sloped(
    jax.scipy.special.xlogy,
    lambda t, _, x, y: t * jnp.where((x == 0) & (y == 0), 0, jnp.log(y)),
    lambda t, _, x, y: t * (x / y),
)


def _single(x: Array) -> Array:
    number = getattr(x, "weak_type", False) and not is_complex(x.dtype)
    return x.astype(jnp.float32) if number else x


@operator("Xlogy", primitive=True, method=True, int_grad=True)
def xlogy(input: Operand, other: Operand) -> Array:
    """``input * log(other)``, and of real numbers 0 where ``input`` is 0; a number is float32."""
    x, y = promote(_single(input), _single(other))
    if is_complex(x.dtype):
        return x * jnp.log(y)
    x, y = map(as_inexact, (x, y))
    return _xlogy(x, y)


def _log_of_sum(compute: Callable[[Array, Array], Array], scale: float) -> Any:
    """Give a logarithm of a sum its derivative also at infinity, where JAX's own is 1 for both."""
    share = lambda t, x, y: t * jax.nn.sigmoid(scale * (x - y))  # noqa: E731
    return sloped(compute, lambda t, _, x, y: share(t, x, y), lambda t, _, x, y: share(t, y, x))


log_add = _log_of_sum(jnp.logaddexp, 1.0)
log_add2 = _log_of_sum(jnp.logaddexp2, math.log(2))
logaddexp = _real_pair("LogAddExp", log_add, summary="Logarithm of the sum of two exponentials.")
logaddexp2 = _real_pair("LogAddExp2", log_add2, summary="Base-2 logarithm of ``2**x + 2**y``.")


@operator("Copysign", method=True, also=_XY, int_grad=True)
def copysign(input: Operand, other: Operand) -> Array:
    """The size of ``input`` with the sign of ``other``; float32 but for float16 and 64."""
    check_broadcast(input, other)
    refuse(input, jnp.bool_, jnp.complexfloating)
    refuse(other, jnp.complexfloating)
    own = not is_weak(input) and str(input.dtype) in ("float16", "float64")
    dtype = input.dtype if own else jnp.float32
    return _copysign(input.astype(dtype), other.astype(dtype))


@operator("SquaredDifference", primitive=True, int_grad=True, product=True)
def _squared_difference(x: Operand, y: Operand) -> Array:
    """Square of the difference, element by element; of its absolute value where it is complex."""
    x, y = promote(x, y)
    refuse(x, jnp.bool_)
    difference = x - y
    return difference * jnp.conj(difference) if is_complex(x.dtype) else jnp.square(difference)


def _share(x: Array, value: Operand) -> Array:
    # Beside integers it is one, too.
    return jnp.asarray(value, x.dtype if jnp.issubdtype(x.dtype, jnp.integer) else None)


@operator("Addcmul", primitive=True, method=True, int_grad=True)
def addcmul(input: Array, tensor1: Array, tensor2: Array, value: Operand = _ONE) -> Array:
    """``input + value * tensor1 * tensor2``, element by element."""
    same_type(input, tensor1, tensor2)
    refuse(input, jnp.bool_)
    scale = _share(input, value)
    return add.kernel(input, mul.kernel(mul.kernel(tensor1, tensor2), scale))


@operator("Addcdiv", primitive=True, method=True)
def addcdiv(input: Array, tensor1: Array, tensor2: Array, value: Operand = _ONE) -> Array:
    """``input + value * tensor1 / tensor2``, element by element."""
    same_type(input, tensor1, tensor2)
    scale = _share(input, value)
    if jnp.issubdtype(input.dtype, jnp.integer):
        return input + jax.lax.div(*jnp.broadcast_arrays(tensor1 * scale, tensor2))
    refuse(input, jnp.bool_)
    return add.kernel(input, mul.kernel(true_divide.kernel(tensor1, tensor2), scale))


@operator("Lerp", primitive=True, method=True)
def lerp(input: Array, end: Array, weight: Operand) -> Array:
    """``input + weight * (end - input)``, element by element."""
    same_type(input, end)
    x, y = promote(input, end)
    refuse(x, jnp.bool_, jnp.integer)
    refuse(weight, jnp.bool_, jnp.integer)
    return x + weight.astype(x.dtype) * (y - x)


@operator("AddN", primitive="AddN AccumulateNV2", int_grad=True)
def addn(x: Arrays) -> Array:
    """Add a tuple or list of Tensors of one shape and dtype.

    Raises:
        TypeError: If ``x`` is not a tuple or list of Tensors, or the dtypes differ.
        ValueError: If the shapes differ or there are none.
    """
    if not x:
        raise ArgumentValueError("the input must hold at least one Tensor, but got 0.")
    same_type(*x)
    same_shape(*x)
    total = x[0]
    for item in x[1:]:
        total = total + item
    return total


def _times(other: Any, alpha: Any) -> Any:
    if isinstance(other, (list, tuple)):
        other = Tensor(other)
    if is_tensor(alpha) or (is_tensor(other) and alpha != 1):
        return mul(other, alpha)
    # A product of numbers is one, which does not widen a Tensor.
    return other if alpha == 1 else other * alpha


_METHOD = "(other, *, alpha=1)"


@function(primitive="AddExt", method=f"add{_METHOD} add_{_METHOD}")
def _add_ext(input: Any, other: Any, alpha: Any = 1) -> Tensor:
    """Compute ``input + alpha * other``, element by element with broadcasting."""
    return add(input, _times(other, alpha))


@function(
    primitive="SubExt",
    method=f"sub{_METHOD} subtract{_METHOD} sub_{_METHOD}",
    also={"y": "other"},
)
def _sub_ext(input: Any, other: Any, alpha: Any = 1) -> Tensor:
    """Compute ``input - alpha * other``, element by element with broadcasting."""
    return sub(input, _times(other, alpha))


@function(also={"y": "other"})
def subtract(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Compute ``input - alpha * other``, element by element with broadcasting.

    The product always counts: ``1 * True`` is an int, ``1.0 * 2`` a float.
    """
    bools = isinstance(other, bool) or getattr(other, "dtype", None) == mstype.bool_
    return sub(input, other * alpha if bools or type(alpha) is not int or alpha != 1 else other)


@function
def scalar_div(x: Any, y: Any) -> float:
    """Divide two Python numbers."""
    return x / y


multiply = tensor_mul = mul
tensor_muls = mul
divide = div
floor_div = tensor_floordiv = floordiv = floor_divide
tensor_add = add
tensor_sub = sub
tensor_pow = pows = pow
tensor_mod = floormod = floor_mod
float_power_ext = float_power
arctan2 = atan2
accumulate_n = addn


@operator("MapUniform", primitive=True)
def _map_uniform(input: Indices, per_group_size: Operand, group_num: Operand) -> Array:
    """Return the numbers of keys that are dealt out to groups: keys that follow lie apart.

    Args:
        input: int Tensor of keys.
        per_group_size: How many keys a group takes, int32 or int64.
        group_num: How many groups there are.
    """
    if input.dtype.kind != "i" or {per_group_size.dtype.kind, group_num.dtype.kind} != {"i"}:
        raise ArgumentTypeError(f"the Tensors must be of int dtypes, but got {input.dtype}.")
    size, groups = per_group_size.astype(input.dtype), group_num.astype(input.dtype)
    size, groups = jnp.broadcast_to(size, input.shape), jnp.broadcast_to(groups, input.shape)
    return jax.lax.rem(input, groups) * size + jax.lax.div(input, groups)
