"""Element-wise functions of one Tensor: exponentials, trigonometry, rounding, tests for nan.

Activations are neural-network operators; ``clip`` and the functions of two Tensors stand in other
modules. Each function below is a row: MindSpore's name, the JAX function and what it refuses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.op import Array, operator
from msgrad._core.promotion import as_inexact, is_complex, is_float, is_inexact, limits
from msgrad.ops._checks import refuse

_INEXACT = (jnp.bool_, jnp.integer)
_FLOAT = (jnp.bool_, jnp.integer, jnp.complexfloating)
_NUMBER = (jnp.bool_,)
# What MindSpore calls the argument of a few.
_X = {"x": "input"}
_REAL = (jnp.complexfloating,)


def elementwise(
    name: str,
    function: Callable[[Array], Array],
    refused: tuple[Any, ...],
    summary: str,
    *,
    primitive: bool = True,
    method: bool | str = True,
    module: str = __name__,
    **said: Any,
) -> Any:
    """Make the operator ``name`` of ``function``; a dtype of a ``refused`` kind is a TypeError."""

    def kernel(input: Array) -> Array:
        refuse(input, *refused)
        return function(input)

    kernel.__module__ = module
    said = {"primitive": primitive, "method": method, "summary": summary, **said}
    return operator(name, **said)(kernel)


def _sign(x: Array) -> Array:
    # By comparing, so that nan and -0.0 give 0.0, as in MindSpore.
    return (
        jnp.sign(x) if not is_float(x.dtype) else (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)
    )


def _acosh(x: Array) -> Array:
    # Times nan, so that the gradient is nan where the value is.
    return jnp.arccosh(x) if is_complex(x.dtype) else jnp.arccosh(x) * jnp.where(x < 1, jnp.nan, 1)


def sloped(compute: Callable[..., Array], *slopes: Any) -> Any:
    """Return a JAX function with derivatives of its own: of tangent, result and operands."""
    function = jax.custom_jvp(compute)
    function.defjvps(*slopes)
    return function


def moved_by(compute: Callable[..., Array], *moving: int) -> Any:
    """Return a JAX function whose other operands get a gradient of zeros.

    A gradient of these depends on all operands, so that the second derivative is whole.
    """
    function = jax.custom_jvp(compute)

    @function.defjvp
    def _(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Array, Array]:
        def of_moving(*values: Array) -> Array:
            place = dict(zip(moving, values, strict=True))
            return compute(*(place.get(i, primal) for i, primal in enumerate(primals)))

        values, changes = ([given[i] for i in moving] for given in (primals, tangents))
        return function(*primals), jax.jvp(of_moving, values, changes)[1]

    return function


@jax.custom_jvp
def size(x: Array) -> Array:
    """Return the size of each element, with derivative 0 at 0 where JAX has 1."""
    return jnp.abs(x).astype(x.dtype)


@size.defjvp
def _size_jvp(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (x,), (dx,) = primals, tangents
    if jnp.iscomplexobj(x):
        # JAX's sign has no derivative of complex numbers either, which have one.
        sign = jnp.where(x == 0, 0, x) / jnp.where(x == 0, 1, jnp.abs(x))
    else:
        sign = jnp.sign(x)
    slope = jnp.conj(sign) * dx
    return size(x), slope.real.astype(slope.dtype)


abs = elementwise("Abs", size, (), "Size of each element.", int_grad=True)
neg = elementwise("Neg", jnp.negative, _NUMBER, "Negative of each element.", int_grad=True)
square = elementwise(
    "Square", jnp.square, _NUMBER, "Square of each element.", int_grad=True, product=True
)
sign = elementwise("Sign", _sign, _NUMBER, "-1, 0 or 1 by the sign of each element; 0 of nan.")
positive = elementwise(
    "Positive", jnp.asarray, (), "The Tensor itself, as a new one.", primitive=False, int_grad=True
)

# On the CPU MindSpore gives the result of ``exp_`` and leaves the Tensor as it was.
exp = elementwise("Exp", jnp.exp, _INEXACT, "e to the power of each element.", method="exp exp_")
expm1 = elementwise("Expm1", jnp.expm1, _INEXACT, "``exp(x) - 1``, exact near 0.")
exp2 = elementwise(
    "Exp2",
    lambda x: jnp.exp2(as_inexact(x)),
    (),
    "2 to the power of each element.",
    int_grad=True,
    primitive=False,
    method=False,
)
log = elementwise("Log", jnp.log, _INEXACT, "Natural logarithm of each element.")
log1p = elementwise("Log1p", jnp.log1p, _INEXACT, "``log(1 + x)``, exact near 0.")
log2 = elementwise(
    "Log2",
    jnp.log2,
    _INEXACT,
    "Logarithm to the base 2 of each element.",
    product=True,
    primitive=False,
)
log10 = elementwise(
    "Log10",
    lambda x: jnp.log(x) / math.log(10.0),
    _INEXACT,
    "Logarithm to the base 10 of each element.",
    product=True,
    primitive=False,
)
sqrt = elementwise(
    "Sqrt",
    lambda x: jnp.sqrt(as_inexact(x)),
    (),
    "Square root; float32 of integers.",
    also=_X,
    int_grad="float",
)
rsqrt = elementwise("Rsqrt", jax.lax.rsqrt, _INEXACT, "One over the square root.")
reciprocal = elementwise(
    "Reciprocal",
    lambda x: 1 / as_inexact(x),
    (),
    "One over each element; float32 of integers.",
    int_grad="float",
)
inv = elementwise("Inv", lambda x: 1 / x, _INEXACT, "One over each element.", also=_X)

sin = elementwise("Sin", jnp.sin, _INEXACT, "Sine of each element, in radians.")
cos = elementwise("Cos", jnp.cos, _INEXACT, "Cosine of each element, in radians.")
tan = elementwise("Tan", jnp.tan, _INEXACT, "Tangent of each element, in radians.")
asin = elementwise(
    "Asin", jnp.arcsin, _INEXACT, "Inverse sine of each element, in radians.", also=_X
)
acos = elementwise("ACos", jnp.arccos, _INEXACT, "Inverse cosine of each element, in radians.")
atan = elementwise("Atan", jnp.arctan, _INEXACT, "Inverse tangent of each element, in radians.")
sinh = elementwise("Sinh", jnp.sinh, _INEXACT, "Hyperbolic sine of each element.")
cosh = elementwise("Cosh", jnp.cosh, _INEXACT, "Hyperbolic cosine of each element.")
tanh = elementwise("Tanh", jnp.tanh, _INEXACT, "Hyperbolic tangent of each element.")
asinh = elementwise("Asinh", jnp.arcsinh, _INEXACT, "Inverse hyperbolic sine of each element.")
acosh = elementwise("Acosh", _acosh, _INEXACT, "Inverse hyperbolic cosine of each element.")
atanh = elementwise("Atanh", jnp.arctanh, _INEXACT, "Inverse hyperbolic tangent of each element.")
deg2rad = elementwise(
    "Deg2Rad", jnp.deg2rad, _FLOAT, "Degrees to radians.", product=True, primitive=False, also=_X
)
rad2deg = elementwise(
    "Rad2Deg", jnp.rad2deg, _FLOAT, "Radians to degrees.", product=True, primitive=False, also=_X
)

sigmoid = elementwise("Sigmoid", jax.nn.sigmoid, _INEXACT, "``1 / (1 + exp(-x))``.")
erf = elementwise("Erf", jax.scipy.special.erf, _FLOAT, "Error function of each element.")
erfc = elementwise("Erfc", jax.scipy.special.erfc, _FLOAT, "``1 - erf(x)``, exact for large x.")
erfinv = elementwise(
    "Erfinv", jax.scipy.special.erfinv, _FLOAT, "Inverse of the error function.", product=True
)


def _with_a_pole(x: Array) -> Array:
    # JAX's is nan at 0.
    pole = jnp.copysign(jnp.inf, -x).astype(x.dtype)
    return jnp.where(x == 0, pole, jax.scipy.special.digamma(x))


_digamma = sloped(_with_a_pole, lambda t, _, x: t * jax.scipy.special.polygamma(1, x))
_lgamma = sloped(jax.scipy.special.gammaln, lambda t, _, x: t * _digamma(x))
lgamma = elementwise(
    "Lgamma",
    lambda x: _lgamma(as_inexact(x)),
    (jnp.bool_, jnp.int8, jnp.int16, jnp.int64, jnp.unsignedinteger, jnp.complexfloating),
    "Logarithm of the size of the gamma function; float32 of int32.",
)
digamma = elementwise(
    "Digamma",
    _digamma,
    _FLOAT,
    "Derivative of ``lgamma`` of each element.",
)

floor = elementwise("Floor", jnp.floor, _FLOAT, "Round down to an integer.")
ceil = elementwise("Ceil", jnp.ceil, _FLOAT, "Round up to an integer.")
rint = elementwise(
    "Rint",
    jnp.rint,
    _FLOAT,
    "Round to the nearest integer, halves to even.",
    method=False,
    public=False,
)
trunc = elementwise(
    "Trunc",
    lambda x: jnp.trunc(x) if is_inexact(x.dtype) else x,
    _REAL,
    "Round towards 0; integers and bools stay as they are.",
)
frac = elementwise(
    "Frac",
    lambda x: (
        x - jnp.trunc(x)
        if is_inexact(x.dtype)
        else jnp.zeros_like(x, jnp.int64 if x.dtype == jnp.bool_ else x.dtype)
    ),
    _REAL,
    "What ``trunc`` leaves of each element.",
    int_grad=True,
    primitive=False,
    also=_X,
)
isnan = elementwise(
    "IsNan", jnp.isnan, (), "Whether each element is nan.", also={"tensor": "input"}
)
isinf = elementwise("IsInf", jnp.isinf, (), "Whether each element is infinite.")
isfinite = elementwise(
    "IsFinite", jnp.isfinite, (), "Whether each element is neither nan nor infinite."
)
logical_not = elementwise(
    "LogicalNot", lambda x: ~x.astype(jnp.bool_), (), "Whether each element is zero or False."
)


@operator("Round", primitive=True, method=True)
def round(input: Array, *, decimals: int = 0) -> Array:
    """Round to ``decimals`` digits after the point, halves to even.

    Differs from MindSpore: ``decimals`` other than 0 works on the CPU too.
    """
    refuse(input, jnp.bool_)
    if is_inexact(input.dtype):
        return jnp.round(input, decimals)
    if decimals >= 0:
        return input
    unit = 10**-decimals
    return (jnp.round(input.astype(jnp.float64) / unit) * unit).astype(input.dtype)


@operator("NanToNum", primitive="(nan=None, posinf=None, neginf=None)", method=True)
def nan_to_num(
    input: Array, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Array:
    """Replace nan by ``nan`` (0) and infinities by ``posinf``, ``neginf`` (the largest numbers)."""
    low, high = limits(input.dtype) if is_float(input.dtype) else (None, None)
    high, low = high if posinf is None else posinf, low if neginf is None else neginf
    return jnp.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=high, neginf=low)


real = elementwise(
    "Real", jnp.real, (), "Real part of each element; of a real Tensor, the Tensor itself."
)
imag = elementwise("Imag", jnp.imag, (), "Imaginary part of each element; of a real Tensor, zeros.")
conj = elementwise("Conj", jnp.conj, (), "Complex conjugate of each element.", int_grad=True)


@operator("Complex", primitive=True)
def _complex(real: Array, imag: Array) -> Array:
    """Return complex numbers of their real and imaginary parts, of one dtype and shape."""
    return jax.lax.complex(*jnp.broadcast_arrays(real, imag))


absolute = abs
negative = neg
tensor_exp = exp
tensor_expm1 = expm1
isnan_ext = isnan
arcsin, arccos, arctan = asin, acos, atan
arcsinh, arccosh, arctanh = asinh, acosh, atanh
