"""Special functions: Bessel, gamma, beta and zeta, and the activations made of them.

A row is MindSpore's name, the function of ``jax.scipy.special`` or ``scipy.special``, and what it
refuses. What JAX lacks SciPy computes on the host; the derivatives are written here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import special

from msgrad._core.callbacks import call_on_host
from msgrad._core.checks import at_least
from msgrad._core.errors import ArgumentValueError, KernelError
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import as_inexact, is_weak, promote
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import of_dtype, refuse, same_type
from msgrad.ops.arithmetic import pair
from msgrad.ops.unary import elementwise, sign, sloped

_FLOAT = (jnp.bool_, jnp.integer, jnp.complexfloating)
_REAL = (jnp.bool_, jnp.complexfloating)
_pair_of = partial(pair, primitive=True, module=__name__)


def _on_the_host(name: str, slope: Callable[[Array, Array], Array]) -> Callable[[Array], Array]:
    """Make a JAX function of one of ``scipy.special`` and its slope, of ``x`` and the result."""

    @jax.custom_jvp
    def computed(x: Array) -> Array:
        if not x.size:
            return x
        wide = x if x.dtype == jnp.float64 else x.astype(jnp.float32)
        compute = partial(_scipy, name)
        return call_on_host(compute, [wide], [wide], vmap_method="sequential")[0].astype(x.dtype)

    computed.defjvps(lambda t, result, x: t * slope(x, result))
    return computed


def _scipy(name: str, values: np.ndarray) -> list[np.ndarray]:
    from scipy import special

    return [getattr(special, name)(values.astype(np.float64))]


def _over(y: Array, x: Array) -> Array:
    """Return ``y / x`` of a function that is ``x / 2`` near 0."""
    zero = x == 0
    return jnp.where(zero, 0.5, y / jnp.where(zero, 1, x)).astype(x.dtype)


_j0 = _on_the_host("j0", lambda x, _: -_j1(x))
_j1 = _on_the_host("j1", lambda x, y: _j0(x) - _over(y, x))
_y0 = _on_the_host("y0", lambda x, _: -_y1(x))
_y1 = _on_the_host("y1", lambda x, y: _y0(x) - y / x)
_k0 = _on_the_host("k0", lambda x, _: -_k1(x))
_k1 = _on_the_host("k1", lambda x, y: -_k0(x) - y / x)
_k0e = _on_the_host("k0e", lambda x, y: y - _k1e(x))
_k1e = _on_the_host("k1e", lambda x, y: y * (1 - 1 / x) - _k0e(x))


# JAX's have an absolute value in them, whose derivative at 0 is 1.
_i0 = sloped(special.i0, lambda t, _, x: t * _i1(x))
_i1 = sloped(special.i1, lambda t, y, x: t * (_i0(x) - _over(y, x)))


def _bessel(name: str, compute: Callable[[Array], Array]) -> Any:
    """Make the row of one Bessel function: ``bessel_i0`` and ``BesselI0``."""

    edge = {"k": jnp.inf, "y": -jnp.inf}.get(name[0])

    def kernel(x: Array) -> Array:
        refuse(x, *_FLOAT)
        found = compute(x)
        return found if edge is None else jnp.where(x < 0, edge, found).astype(x.dtype)

    label = f"Bessel{name.upper().replace('E', 'e')}"
    summary = f"Compute the Bessel function {name} of each element."
    also = {"input": "x"}
    return operator(label, primitive=True, product=True, summary=summary, also=also)(kernel)


bessel_i0, bessel_i0e = _bessel("i0", _i0), _bessel("i0e", special.i0e)
bessel_i1, bessel_i1e = _bessel("i1", _i1), _bessel("i1e", special.i1e)
bessel_j0, bessel_j1 = _bessel("j0", _j0), _bessel("j1", _j1)
bessel_k0, bessel_k0e = _bessel("k0", _k0), _bessel("k0e", _k0e)
bessel_k1, bessel_k1e = _bessel("k1", _k1), _bessel("k1e", _k1e)
bessel_y0, bessel_y1 = _bessel("y0", _y0), _bessel("y1", _y1)
i0 = bessel_i0


def _pair(name: str, compute: Callable[[Array, Array], Array], summary: str) -> Any:
    """Make the row of a function of two floating Tensors of one dtype."""

    def kernel(input: Array, other: Array) -> Array:
        same_type(input, other)
        refuse(input, *_FLOAT)
        return compute(*promote(input, other))

    return operator(name, primitive=True, summary=summary)(kernel)


# Where the order is below 1 the value is nan, the slope is not.
_zeta = sloped(special.zeta, None, lambda t, _, order, start: -t * order * _zeta(order + 1, start))

# The derivative by the order alone is zero in MindSpore.
igamma = _pair("Igamma", special.gammainc, "Compute the lower regularized incomplete gamma.")
igammac = _pair("Igammac", special.gammaincc, "Compute the upper regularized incomplete gamma.")


@operator("Zeta", primitive=True)
def zeta(input: Operand, other: Operand) -> Array:
    """Compute the Hurwitz zeta function: the sum of ``(k + other) ** -input`` over k."""
    tensors = [x for x in (input, other) if not is_weak(x)]
    same_type(*tensors)
    for x in tensors or (input, other):
        refuse(x, *_FLOAT)
    return _zeta(*promote(input, other))


# MindSpore's gradient is that of ``x`` alone, which depends on ``a`` and ``b``.
_beta_below = sloped(
    special.betainc,
    None,
    None,
    lambda t, _, a, b, x: (
        t * jnp.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b))
    ),
)


@operator("Betainc", primitive=True)
def _betainc(a: Array, b: Array, x: Array) -> Array:
    """Compute the regularized incomplete beta function; its gradient is with respect to ``x``."""
    same_type(a, b, x)
    refuse(x, *_FLOAT)
    return _beta_below(a, b, x)


@operator("Polygamma", primitive=True)
def polygamma(n: Operand, input: Array) -> Array:
    """Compute the derivative of order ``n`` of ``digamma``, element by element.

    Args:
        n: Tensor of int32 or int64, not negative.
        input: Tensor, floating.
    """
    refuse(input, *_FLOAT)
    order = jax.lax.stop_gradient(jnp.asarray(n).astype(jnp.int32))
    return special.polygamma(*jnp.broadcast_arrays(order, input)).astype(input.dtype)


@operator("Mvlgamma", primitive="(p)")
def mvlgamma(input: Array, p: int) -> Array:
    """Compute the logarithm of the multivariate gamma function of dimension ``p``.

    Raises:
        ValueError: If ``p`` is less than 1.
    """
    refuse(input, *_FLOAT)
    at_least("", "p", p, 1)
    return special.multigammaln(input, p).astype(input.dtype)


_log_odds = sloped(lambda x: jnp.log(x / (1 - x)), lambda t, _, x: t / (x * (1 - x)))


@operator("Logit", primitive="(eps=-1.0)")
def logit(input: Array, eps: float | None = None) -> Array:
    """Compute ``log(x / (1 - x))``, of ``x`` moved into [eps, 1 - eps] where ``eps`` is given."""
    refuse(input, *_FLOAT)
    if eps is None or eps < 0:
        # Undefined outside of [0, 1], and so is the slope.
        x = input + jnp.where((input < 0) | (input > 1), jnp.nan, 0).astype(input.dtype)
    else:
        # At a bound the slope is whole.
        x = jnp.where(input < eps, eps, jnp.where(input > 1 - eps, 1 - eps, input))
        x = x.astype(input.dtype)
    return _log_odds(x)


@operator("Sinc", primitive=True)
def sinc(input: Array) -> Array:
    """Compute ``sin(pi x) / (pi x)`` of each element, 1 at 0; float32 of integers."""
    x = as_inexact(input)
    angle = jnp.pi * x
    zero = angle == 0
    # At 0 by JAX's series; elsewhere pi is rounded to the dtype, as in MindSpore and JAX 0.10.
    return jnp.where(zero, jnp.sinc(x), jnp.sin(angle) / jnp.where(zero, 1, angle))


@operator("Angle", primitive=True)
def angle(input: Array) -> Array:
    """Compute the angle of complex numbers, in radians."""
    of_dtype(input, "input", jnp.complex64, jnp.complex128)
    return jnp.angle(input)


@operator("ComplexAbs", primitive=True)
def _complex_abs(x: Array) -> Array:
    """Compute the size of complex numbers."""
    of_dtype(x, "input", jnp.complex64, jnp.complex128)
    return jnp.abs(x)


@operator("Polar", primitive=True, product=True)
def polar(abs: Array, angle: Array) -> Array:
    """Return the complex numbers of a size and an angle, float32 or float64."""
    same_type(abs, angle)
    refuse(abs, *_FLOAT)
    return jax.lax.complex(abs * jnp.cos(angle), abs * jnp.sin(angle))


@operator("view_as_real", int_grad=False)
def view_as_real(input: Array) -> Array:
    """Return the real and imaginary parts of complex numbers, in a new last dimension."""
    of_dtype(input, "input", jnp.complex64, jnp.complex128)
    return jnp.stack([input.real, input.imag], -1)


@operator("Sgn")
def sgn(input: Array) -> Array:
    """Compute the sign of each element, or the direction of complex ones."""
    return sign.kernel(input)


def _tested(test: Callable[[Array], Array], what: str) -> Any:
    given = test.__name__, lambda x: test(as_inexact(x)), (jnp.complexfloating,), f"Whether {what}."
    return elementwise(*given, primitive=False, method=False, module=__name__)


signbit = _tested(jnp.signbit, "the sign is minus")
isposinf = _tested(jnp.isposinf, "it is +infinity")
isneginf = _tested(jnp.isneginf, "it is -infinity")


@operator("isreal")
def isreal(input: Array) -> Array:
    """Whether elements have no imaginary part."""
    return jnp.isreal(input)


@function
def is_nonzero(input: Tensor) -> bool:
    """Whether the one element of a Tensor is not zero.

    Raises:
        ValueError: If there are more.
    """
    if input.size != 1:
        raise ArgumentValueError(f"the input must have one element, but got {input.size}.")
    return bool(input.asnumpy().reshape(()) != 0)


@operator("Eps", primitive=True)
def eps(x: Array) -> Array:
    """Return a Tensor like ``x`` of the distance from 1 to the next number of its dtype."""
    refuse(x, *_FLOAT)
    return jnp.full_like(x, jnp.finfo(x.dtype).eps)


@operator("Heaviside", primitive=True)
def heaviside(input: Array, values: Array) -> Array:
    """Return 0 for negative elements, 1 for positive ones, and ``values`` where they are 0."""
    same_type(input, values)
    return jnp.heaviside(as_inexact(input), as_inexact(values)).astype(input.dtype)


@operator("NextAfter", primitive=True)
def nextafter(input: Array, other: Array) -> Array:
    """Return the next number after ``input`` in the direction of ``other``, float32 or 64."""
    same_type(input, other)
    refuse(input, *_FLOAT)
    x, y = promote(input, other)
    step = jnp.nextafter(jax.lax.stop_gradient(x), jax.lax.stop_gradient(y)) - x
    return x + jax.lax.stop_gradient(jnp.where(jnp.isinf(x), 0, step))


def _smaller_or_larger(name: str, compute: Callable[[Array, Array], Array], which: str) -> Any:
    summary, refused = f"The {which} of two elements; of a number and nan, the number.", _REAL
    return _pair_of(name, compute, refused, summary, int_grad=True)


# Of equal ones the first has the gradient, unlike with jnp.fmax.
fmax = _smaller_or_larger("Fmax", lambda x, y: jnp.where((x >= y) | jnp.isnan(y), x, y), "larger")
fmin = _smaller_or_larger("Fmin", lambda x, y: jnp.where((x <= y) | jnp.isnan(y), x, y), "smaller")


_of_integers = partial(_pair_of, refused=(jnp.bool_, jnp.inexact), numbers=False)
_OF_INTEGERS = "{} of integers, element by element."
gcd = _of_integers("Gcd", jnp.gcd, summary=_OF_INTEGERS.format("Greatest common divisor"))
lcm = _of_integers("Lcm", jnp.lcm, summary=_OF_INTEGERS.format("Least common multiple"))


@operator("PopulationCount", primitive=True)
def population_count(input_x: Array) -> Array:
    """Count the bits that are set in each integer: uint8."""
    refuse(input_x, jnp.bool_, jnp.inexact)
    return jax.lax.population_count(input_x).astype(jnp.uint8)


@operator("ldexp", int_grad=True, product=True)
def ldexp(x: Operand, other: Operand) -> Array:
    """Compute ``x * 2 ** other``, element by element; in float32 at least beside a Tensor."""
    factor = jnp.exp2(as_inexact(other))
    if getattr(other, "weak_type", False):
        factor = factor.astype(as_inexact(x).dtype)
    return jnp.multiply(*promote(x, factor))


@operator("Xdivy", primitive=True, int_grad=True, product=True)
def xdivy(x: Operand, y: Operand) -> Array:
    """Divide element by element, and 0 where ``x`` is 0."""
    a, b = promote(x, y)
    refuse(a, jnp.bool_, jnp.integer)
    quotient = a / jnp.where(a == 0, 1, b).astype(b.dtype)
    return jnp.where(a == 0, 0, quotient).astype(a.dtype)


@operator("MulNoNan", primitive=True, int_grad=True, product=True)
def _mul_no_nan(x: Operand, y: Operand) -> Array:
    """Multiply element by element, and 0 where ``y`` is 0, even of infinity or nan."""
    a, b = promote(x, y)
    refuse(a, jnp.bool_)
    # Its slope in y is x there too, where that is a number.
    return (jnp.where((b == 0) & ~jnp.isfinite(a), 0, a) * b).astype(a.dtype)


@operator("SquareSumAll", primitive=True)
def _square_sum_all(x: Array, y: Array) -> tuple[Array, Array]:
    """Return the sum of the squares of each of two Tensors."""
    same_type(x, y)
    return jnp.sum(jnp.square(x)), jnp.sum(jnp.square(y))


@function(primitive="CheckNumerics")
def _check_numerics(x: Tensor) -> Tensor:
    """Return the Tensor; it must hold neither nan nor infinity.

    Raises:
        RuntimeError: If it does, and its values are known.
    """
    values = x.asnumpy()
    if not np.isfinite(values).all():
        raise KernelError(": Tensor had NaN values" if np.isnan(values).any() else ": Inf values")
    return x
