"""Distributions of numbers that are continuous; each is a table of formulas on raw arrays."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax.nn import softplus
from jax.scipy.special import betaln, digamma, erf, gammainc, gammaln

from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import require
from msgrad.nn.probability.distribution._method import formula
from msgrad.nn.probability.distribution.distribution import Distribution

Shape = tuple[int, ...]
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


def _uniform(key: Array, like: Array, shape: Shape) -> Array:
    # Above 0, whose logarithm is not finite.
    least = jnp.finfo(jnp.float32).tiny
    raw = jax.random.uniform(key, shape, jnp.float32, least)
    return raw.astype(jnp.promote_types(like.dtype, jnp.float32))


class Normal(
    Distribution,
    arguments="mean sd",
    positive={"sd": "Standard deviation"},
    labels={"sd": "standard deviation"},
):
    """The normal distribution.

    Args:
        mean: Tensor, list or number; the mean. None if it comes with the calls, as the next.
        sd: The standard deviation.
    """

    @formula
    def _log_prob(value: Array, mean: Array, sd: Array) -> Array:
        return -0.5 * jnp.square((value - mean) / sd) - _HALF_LOG_2PI - jnp.log(sd)

    @formula
    def _cdf(value: Array, mean: Array, sd: Array) -> Array:
        return 0.5 * (1.0 + erf((value - mean) / (sd * math.sqrt(2))))

    @formula
    def _mean(mean: Array, sd: Array) -> Array:
        return mean

    _mode = _mean

    @formula
    def _sd(mean: Array, sd: Array) -> Array:
        return sd

    @formula
    def _entropy(mean: Array, sd: Array) -> Array:
        return _HALF_LOG_2PI + 0.5 + jnp.log(sd)

    @formula
    def _kl_loss(mean_b: Array, sd_b: Array, mean: Array, sd: Array) -> Array:
        ratio = jnp.log(sd) - jnp.log(sd_b)
        return 0.5 * (jnp.square((mean - mean_b) / sd_b) + jnp.expm1(2 * ratio)) - ratio

    @formula
    def _sample(key: Array, mean: Array, sd: Array, shape: Shape) -> Array:
        return jax.random.normal(key, shape, jnp.float32) * sd + mean


class HalfNormal(Distribution, arguments="mean sd", positive=Normal._positive):
    """The half normal distribution; only ``prob`` and ``log_prob``.

    Args:
        mean: The mean of the normal distribution, as for ``Normal``.
        sd: Its standard deviation.
    """

    @formula
    def _prob(value: Array, mean: Array, sd: Array) -> Array:
        height = math.sqrt(2 / math.pi) / sd
        return height * jnp.exp(-0.5 * jnp.square((value - mean) / sd)) * (value >= 0)


class Laplace(Distribution, arguments="mean sd", positive=Normal._positive):
    """The Laplace distribution; only ``prob`` and ``log_prob``.

    Args:
        mean: The mean, as for ``Normal``.
        sd: The scale.
    """

    @formula
    def _log_prob(value: Array, mean: Array, sd: Array) -> Array:
        return -jnp.abs((value - mean) / sd) - jnp.log(2.0 * sd)


class StudentT(
    Distribution,
    arguments="df mean sd",
    positive={"sd": "Standard deviation", "df": "Degrees of freedom"},
):
    """Student's t-distribution; only ``prob`` and ``log_prob``.

    Args:
        df: The degrees of freedom.
        mean: The location, as for ``Normal``.
        sd: The scale.
    """

    @formula
    def _log_prob(value: Array, df: Array, mean: Array, sd: Array) -> Array:
        shape = -0.5 * (df + 1.0) * jnp.log1p(jnp.square((value - mean) / sd) / df)
        half = gammaln(0.5 * df) - gammaln(0.5 * (df + 1.0))
        return shape - (jnp.log(sd) + 0.5 * jnp.log(df) + 0.5 * math.log(math.pi) + half)


class Cauchy(
    Distribution, arguments="loc scale", positive={"scale": "scale"}, labels={"loc": "location"}
):
    """The Cauchy distribution; it has no mean and no variance.

    Args:
        loc: The location, as the mean of ``Normal``.
        scale: The scale.
    """

    @formula
    def _log_prob(value: Array, loc: Array, scale: Array) -> Array:
        return -jnp.log1p(jnp.square((value - loc) / scale)) - jnp.log(math.pi * scale)

    @formula
    def _cdf(value: Array, loc: Array, scale: Array) -> Array:
        return jnp.arctan((value - loc) / scale) / math.pi + 0.5

    @formula
    def _log_cdf(value: Array, loc: Array, scale: Array) -> Array:
        return jnp.log1p(2.0 * jnp.arctan((value - loc) / scale) / math.pi) - math.log(2)

    @formula
    def _mode(loc: Array, scale: Array) -> Array:
        return loc

    @formula
    def _entropy(loc: Array, scale: Array) -> Array:
        return jnp.log(scale) + math.log(4 * math.pi)

    @formula
    def _kl_loss(loc_b: Array, scale_b: Array, loc_a: Array, scale_a: Array) -> Array:
        distance = jnp.square(scale_a + scale_b) + jnp.square(loc_a - loc_b)
        return jnp.log(distance) - math.log(4) - jnp.log(scale_a) - jnp.log(scale_b)

    @formula
    def _sample(key: Array, loc: Array, scale: Array, shape: Shape) -> Array:
        return loc + scale * jnp.tan(math.pi * (_uniform(key, loc, shape) - 0.5))

    def _mean(self, *args: Any, **kwargs: Any) -> Tensor:
        raise ArgumentValueError("mean is undefined for Cauchy distribution; its mode is not.")

    def _sd(self, *args: Any, **kwargs: Any) -> Tensor:
        raise ArgumentValueError("standard deviation and variance are undefined for Cauchy.")

    _var = _sd


class Logistic(
    Distribution, arguments="loc scale", positive={"scale": "scale"}, labels={"loc": "location"}
):
    """The logistic distribution.

    Args:
        loc: The location, as the mean of ``Normal``.
        scale: The scale.
    """

    @formula
    def _log_prob(value: Array, loc: Array, scale: Array) -> Array:
        z = (value - loc) / scale
        return -z - 2.0 * softplus(-z) - jnp.log(scale)

    @formula
    def _cdf(value: Array, loc: Array, scale: Array) -> Array:
        return jax.nn.sigmoid((value - loc) / scale)

    @formula
    def _log_cdf(value: Array, loc: Array, scale: Array) -> Array:
        return -softplus((loc - value) / scale)

    @formula
    def _survival_function(value: Array, loc: Array, scale: Array) -> Array:
        return jax.nn.sigmoid((loc - value) / scale)

    @formula
    def _log_survival(value: Array, loc: Array, scale: Array) -> Array:
        return -softplus((value - loc) / scale)

    @formula
    def _mean(loc: Array, scale: Array) -> Array:
        return loc

    _mode = _mean

    @formula
    def _sd(loc: Array, scale: Array) -> Array:
        return scale * (math.pi / math.sqrt(3))

    @formula
    def _entropy(loc: Array, scale: Array) -> Array:
        return jnp.log(scale) + 2.0

    @formula
    def _sample(key: Array, loc: Array, scale: Array, shape: Shape) -> Array:
        u = _uniform(key, loc, shape)
        return (jnp.log(u) - jnp.log1p(-u)) * scale + loc


class Uniform(Distribution, arguments="low high"):
    """The uniform distribution.

    Args:
        low: The lower end, as the mean of ``Normal``.
        high: The upper end, above it.
    """

    def _check_values(self, *values: Tensor | None) -> None:
        require(lambda low, high: low < high, "low must be less than high", *values)

    @formula
    def _prob(value: Array, low: Array, high: Array) -> Array:
        height = jnp.ones_like(value) / (high - low)
        return jnp.where((value >= low) & (value <= high), height, 0.0)

    @formula
    def _cdf(value: Array, low: Array, high: Array) -> Array:
        inside = jnp.where(value < low, 0.0, (value - low) / (high - low))
        return jnp.where(value < high, inside, 1.0)

    @formula
    def _mean(low: Array, high: Array) -> Array:
        return (low + high) / 2.0

    @formula
    def _var(low: Array, high: Array) -> Array:
        return jnp.square(high - low) / 12.0

    @formula
    def _entropy(low: Array, high: Array) -> Array:
        return jnp.log(high - low)

    @formula
    def _kl_loss(low_b: Array, high_b: Array, low: Array, high: Array) -> Array:
        ratio = jnp.log(high_b - low_b) - jnp.log(high - low)
        return jnp.where((low_b <= low) & (high <= high_b), ratio, jnp.inf)

    @formula
    def _sample(key: Array, low: Array, high: Array, shape: Shape) -> Array:
        return (high - low) * _uniform(key, low, shape) + low


class Exponential(Distribution, arguments="rate", positive={"rate": "rate"}):
    """The exponential distribution.

    Args:
        rate: The rate, as the mean of ``Normal``.
    """

    @formula
    def _log_prob(value: Array, rate: Array) -> Array:
        return jnp.where(value < 0, -jnp.inf, jnp.log(rate) - rate * value)

    @formula
    def _cdf(value: Array, rate: Array) -> Array:
        return jnp.where(value < 0, 0.0, 1.0 - jnp.exp(-rate * value))

    @formula
    def _log_survival(value: Array, rate: Array) -> Array:
        return jnp.where(value < 0, 0.0, -rate * value)

    @formula
    def _mean(rate: Array) -> Array:
        return 1.0 / rate

    _sd = _mean

    @formula
    def _mode(rate: Array, dtype: Any) -> Array:
        return jnp.zeros(rate.shape, dtype)

    @formula
    def _entropy(rate: Array) -> Array:
        return 1.0 - jnp.log(rate)

    @formula
    def _kl_loss(rate_b: Array, rate: Array) -> Array:
        return jnp.log(rate) - jnp.log(rate_b) + rate_b / rate - 1.0

    @formula
    def _sample(key: Array, rate: Array, shape: Shape) -> Array:
        return -jnp.log(_uniform(key, rate, shape)) / rate


class Gamma(
    Distribution,
    arguments="concentration rate",
    positive={"concentration": "concentration", "rate": "rate"},
    refused=(int, float),
):
    """The gamma distribution.

    Args:
        concentration: Tensor, list or NumPy array: the shape parameter. None if it comes with the
            calls, as the next.
        rate: The rate, likewise.
    """

    @formula
    def _log_prob(value: Array, concentration: Array, rate: Array) -> Array:
        density = (concentration - 1.0) * jnp.log(value) - rate * value
        return density - (gammaln(concentration) - concentration * jnp.log(rate))

    @formula
    def _cdf(value: Array, concentration: Array, rate: Array) -> Array:
        return gammainc(concentration, rate * value)

    @formula
    def _mean(concentration: Array, rate: Array) -> Array:
        return concentration / rate

    @formula
    def _var(concentration: Array, rate: Array) -> Array:
        return concentration / jnp.square(rate)

    @formula
    def _sd(concentration: Array, rate: Array) -> Array:
        return jnp.sqrt(concentration) / rate

    @formula
    def _mode(concentration: Array, rate: Array) -> Array:
        return jnp.where(concentration > 1.0, (concentration - 1.0) / rate, jnp.nan)

    @formula
    def _entropy(concentration: Array, rate: Array) -> Array:
        shape = gammaln(concentration) + (1.0 - concentration) * digamma(concentration)
        return concentration - jnp.log(rate) + shape

    @formula
    def _kl_loss(
        concentration_b: Array, rate_b: Array, concentration_a: Array, rate_a: Array
    ) -> Array:
        return (
            (concentration_a - concentration_b) * digamma(concentration_a)
            + gammaln(concentration_b)
            - gammaln(concentration_a)
            + concentration_b * (jnp.log(rate_a) - jnp.log(rate_b))
            + concentration_a * (rate_b / rate_a - 1.0)
        )

    @formula
    def _sample(key: Array, concentration: Array, rate: Array, shape: Shape) -> Array:
        return jax.random.gamma(key, concentration, shape) / rate


class Beta(
    Distribution,
    arguments="concentration1 concentration0",
    positive={"concentration1": "concentration1", "concentration0": "concentration0"},
    refused=(float,),
):
    """The beta distribution.

    Args:
        concentration1: Tensor, list or NumPy array: alpha. None if it comes with the calls, as the
            next.
        concentration0: Beta, likewise.
    """

    @formula
    def _log_prob(value: Array, concentration1: Array, concentration0: Array) -> Array:
        density = (concentration1 - 1.0) * jnp.log(value)
        density += (concentration0 - 1.0) * jnp.log1p(-value)
        return density - betaln(concentration1, concentration0)

    @formula
    def _mean(concentration1: Array, concentration0: Array) -> Array:
        return concentration1 / (concentration1 + concentration0)

    @formula
    def _var(concentration1: Array, concentration0: Array) -> Array:
        total = concentration1 + concentration0
        return concentration1 * concentration0 / (jnp.square(total) * (total + 1.0))

    @formula
    def _mode(concentration1: Array, concentration0: Array) -> Array:
        mode = (concentration1 - 1.0) / (concentration1 + concentration0 - 2.0)
        return jnp.where((concentration1 > 1.0) & (concentration0 > 1.0), mode, jnp.nan)

    @formula
    def _entropy(concentration1: Array, concentration0: Array) -> Array:
        total = concentration1 + concentration0
        return (
            betaln(concentration1, concentration0)
            - (concentration1 - 1.0) * digamma(concentration1)
            - (concentration0 - 1.0) * digamma(concentration0)
            + (total - 2.0) * digamma(total)
        )

    @formula
    def _kl_loss(
        concentration1_b: Array,
        concentration0_b: Array,
        concentration1_a: Array,
        concentration0_a: Array,
    ) -> Array:
        more1, more0 = concentration1_b - concentration1_a, concentration0_b - concentration0_a
        return (
            betaln(concentration1_b, concentration0_b)
            - betaln(concentration1_a, concentration0_a)
            - digamma(concentration1_a) * more1
            - digamma(concentration0_a) * more0
            + digamma(concentration1_a + concentration0_a) * (more1 + more0)
        )

    @formula
    def _sample(key: Array, concentration1: Array, concentration0: Array, shape: Shape) -> Array:
        return jax.random.beta(key, concentration1, concentration0, shape)


__all__ = public_names(globals())
