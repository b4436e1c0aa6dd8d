"""Distributions of numbers that are continuous; each is a table of formulas on raw arrays."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax.nn import sigmoid, softplus
from jax.scipy.special import betaln, digamma, erf, gammainc, gammaln

from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import require
from msgrad.nn.probability.distribution._method import formula
from msgrad.nn.probability.distribution.distribution import Distribution

HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_LEAST = float(jnp.finfo(jnp.float32).tiny)


def logarithm(units: jax.Array) -> jax.Array:
    """Compute the logarithm of numbers in [0, 1); that of 0 is finite."""
    return jnp.log(jnp.maximum(units, _LEAST))


def log_normal(value: Any, mean: Any, sd: Any) -> jax.Array:
    """Compute the logarithm of the normal density."""
    return -0.5 * jnp.square((value - mean) / sd) - HALF_LOG_2PI - jnp.log(sd)


def normal_below(value: Any, mean: Any, sd: Any) -> jax.Array:
    """Compute the normal probability of at most ``value``."""
    return 0.5 * (1.0 + erf((value - mean) / (sd * math.sqrt(2))))


def between_normals(mean_b: Any, sd_b: Any, mean: Any, sd: Any) -> jax.Array:
    """Compute the Kullback-Leibler divergence of one normal distribution from another."""
    ratio = jnp.log(sd) - jnp.log(sd_b)
    return 0.5 * (jnp.square((mean - mean_b) / sd_b) + jnp.expm1(2 * ratio)) - ratio


_SD = {"sd": "Standard deviation"}


class Normal(Distribution, arguments="mean sd", positive=_SD, labels={"sd": "standard deviation"}):
    """The normal distribution."""

    _log_prob = formula(log_normal)
    _cdf = formula(normal_below)
    _mean = _mode = formula(lambda mean, sd: mean)
    _sd = formula(lambda mean, sd: sd)
    _entropy = formula(lambda mean, sd: HALF_LOG_2PI + 0.5 + jnp.log(sd))
    _kl_loss = formula(between_normals)
    _sample = formula(lambda normals, mean, sd: normals * sd + mean)


class HalfNormal(Distribution, arguments="mean sd", positive=_SD):
    """The half normal distribution; only ``prob`` and ``log_prob``."""

    @formula
    def _prob(value: Any, mean: Any, sd: Any) -> jax.Array:
        height = math.sqrt(2 / math.pi) / sd
        return height * jnp.exp(-0.5 * jnp.square((value - mean) / sd)) * (value >= 0)


class Laplace(Distribution, arguments="mean sd", positive=_SD):
    """The Laplace distribution; only ``prob`` and ``log_prob``."""

    _log_prob = formula(lambda value, mean, sd: -jnp.abs((value - mean) / sd) - jnp.log(2.0 * sd))


class StudentT(Distribution, arguments="df mean sd", positive={**_SD, "df": "Degrees of freedom"}):
    """Student's t-distribution; only ``prob`` and ``log_prob``."""

    @formula
    def _log_prob(value: Any, df: Any, mean: Any, sd: Any) -> jax.Array:
        density = -0.5 * (df + 1.0) * jnp.log1p(jnp.square((value - mean) / sd) / df)
        gammas = gammaln(0.5 * df) - gammaln(0.5 * (df + 1.0))
        return density - (jnp.log(sd) + 0.5 * jnp.log(df) + 0.5 * math.log(math.pi) + gammas)


_LOC = {"positive": {"scale": "scale"}, "labels": {"loc": "location"}}


class Cauchy(Distribution, arguments="loc scale", **_LOC):
    """The Cauchy distribution; it has no mean and no variance."""

    _log_prob = formula(
        lambda value, loc, scale: (
            -jnp.log1p(jnp.square((value - loc) / scale)) - jnp.log(math.pi * scale)
        )
    )
    _cdf = formula(lambda value, loc, scale: jnp.arctan((value - loc) / scale) / math.pi + 0.5)
    _log_cdf = formula(
        lambda value, loc, scale: (
            jnp.log1p(2.0 * jnp.arctan((value - loc) / scale) / math.pi) - math.log(2)
        )
    )
    _mode = formula(lambda loc, scale: loc)
    _entropy = formula(lambda loc, scale: jnp.log(scale) + math.log(4 * math.pi))
    _kl_loss = formula(
        lambda loc_b, scale_b, loc_a, scale_a: (
            jnp.log(jnp.square(scale_a + scale_b) + jnp.square(loc_a - loc_b))
            - (math.log(4) + jnp.log(scale_a) + jnp.log(scale_b))
        )
    )
    _sample = formula(lambda units, loc, scale: loc + scale * jnp.tan(math.pi * (units - 0.5)))

    def _mean(self, *args: Any, **kwargs: Any) -> Tensor:
        raise ArgumentValueError("mean is undefined for Cauchy distribution; its mode is not.")

    def _sd(self, *args: Any, **kwargs: Any) -> Tensor:
        raise ArgumentValueError("standard deviation and variance are undefined for Cauchy.")


class Logistic(Distribution, arguments="loc scale", **_LOC):
    """The logistic distribution."""

    _log_prob = formula(
        lambda value, loc, scale: (
            (loc - value) / scale - 2.0 * softplus((loc - value) / scale) - jnp.log(scale)
        )
    )
    _cdf = formula(lambda value, loc, scale: sigmoid((value - loc) / scale))
    _log_cdf = formula(lambda value, loc, scale: -softplus((loc - value) / scale))
    _survival_function = formula(lambda value, loc, scale: sigmoid((loc - value) / scale))
    _log_survival = formula(lambda value, loc, scale: -softplus((value - loc) / scale))
    _mean = _mode = formula(lambda loc, scale: loc)
    _sd = formula(lambda loc, scale: scale * (math.pi / math.sqrt(3)))
    _entropy = formula(lambda loc, scale: jnp.log(scale) + 2.0)
    _sample = formula(
        lambda units, loc, scale: (logarithm(units) - jnp.log1p(-units)) * scale + loc
    )


class Uniform(Distribution, arguments="low high"):
    """The uniform distribution."""

    def _check_values(self, *values: Tensor | None) -> None:
        require(lambda low, high: low < high, "low must be less than high", *values)

    _prob = formula(
        lambda value, low, high: jnp.where(
            (value >= low) & (value <= high), jnp.ones_like(value) / (high - low), 0.0
        )
    )
    _cdf = formula(
        lambda value, low, high: jnp.where(
            value < low, 0.0, jnp.where(value < high, (value - low) / (high - low), 1.0)
        )
    )
    _mean = formula(lambda low, high: (low + high) / 2.0)
    _var = formula(lambda low, high: jnp.square(high - low) / 12.0)
    _entropy = formula(lambda low, high: jnp.log(high - low))
    _kl_loss = formula(
        lambda low_b, high_b, low, high: jnp.where(
            (low_b <= low) & (high <= high_b),
            jnp.log(high_b - low_b) - jnp.log(high - low),
            jnp.inf,
        )
    )
    _sample = formula(lambda units, low, high: (high - low) * units + low)


class Exponential(Distribution, arguments="rate", positive={"rate": "rate"}):
    """The exponential distribution."""

    _log_prob = formula(
        lambda value, rate: jnp.where(value < 0, -jnp.inf, jnp.log(rate) - rate * value)
    )
    _cdf = formula(lambda value, rate: jnp.where(value < 0, 0.0, 1.0 - jnp.exp(-rate * value)))
    _log_survival = formula(lambda value, rate: jnp.where(value < 0, 0.0, -rate * value))
    _mean = _sd = formula(lambda rate: 1.0 / rate)
    _mode = formula(lambda rate, dtype: jnp.zeros(rate.shape, dtype))
    _entropy = formula(lambda rate: 1.0 - jnp.log(rate))
    _kl_loss = formula(lambda rate_b, rate: jnp.log(rate) - jnp.log(rate_b) + rate_b / rate - 1.0)
    _sample = formula(lambda units, rate: -logarithm(units) / rate)


class Gamma(
    Distribution,
    arguments="concentration rate",
    positive={"concentration": "concentration", "rate": "rate"},
    refused=(int, float),
):
    """The gamma distribution."""

    _log_prob = formula(
        lambda value, concentration, rate: (
            ((concentration - 1.0) * jnp.log(value) - rate * value)
            - (gammaln(concentration) - concentration * jnp.log(rate))
        )
    )
    _cdf = formula(lambda value, concentration, rate: gammainc(concentration, rate * value))
    _mean = formula(lambda concentration, rate: concentration / rate)
    _var = formula(lambda concentration, rate: concentration / jnp.square(rate))
    _sd = formula(lambda concentration, rate: jnp.sqrt(concentration) / rate)
    _mode = formula(
        lambda concentration, rate: jnp.where(
            concentration > 1.0, (concentration - 1.0) / rate, jnp.nan
        )
    )
    _entropy = formula(
        lambda concentration, rate: (
            concentration
            - jnp.log(rate)
            + (gammaln(concentration) + (1.0 - concentration) * digamma(concentration))
        )
    )
    _kl_loss = formula(
        lambda concentration_b, rate_b, concentration_a, rate_a: (
            (concentration_a - concentration_b) * digamma(concentration_a)
            + (gammaln(concentration_b) - gammaln(concentration_a))
            + concentration_b * (jnp.log(rate_a) - jnp.log(rate_b))
            + concentration_a * (rate_b / rate_a - 1.0)
        )
    )
    _sample = formula(
        lambda key, concentration, rate, shape: jax.random.gamma(key, concentration, shape) / rate
    )


class Beta(
    Distribution,
    arguments="concentration1 concentration0",
    positive={"concentration1": "concentration1", "concentration0": "concentration0"},
    refused=(float,),
):
    """The beta distribution."""

    _log_prob = formula(
        lambda value, concentration1, concentration0: (
            (concentration1 - 1.0) * jnp.log(value)
            + (concentration0 - 1.0) * jnp.log1p(-value)
            - betaln(concentration1, concentration0)
        )
    )
    _mean = formula(
        lambda concentration1, concentration0: concentration1 / (concentration1 + concentration0)
    )

    @formula
    def _var(concentration1: Any, concentration0: Any) -> jax.Array:
        total = concentration1 + concentration0
        return concentration1 * concentration0 / (jnp.square(total) * (total + 1.0))

    _mode = formula(
        lambda concentration1, concentration0: jnp.where(
            (concentration1 > 1.0) & (concentration0 > 1.0),
            (concentration1 - 1.0) / (concentration1 + concentration0 - 2.0),
            jnp.nan,
        )
    )
    _entropy = formula(
        lambda concentration1, concentration0: (
            betaln(concentration1, concentration0)
            - (concentration1 - 1.0) * digamma(concentration1)
            - (concentration0 - 1.0) * digamma(concentration0)
            + (concentration1 + concentration0 - 2.0) * digamma(concentration1 + concentration0)
        )
    )

    @formula
    def _kl_loss(
        concentration1_b: Any, concentration0_b: Any, concentration1_a: Any, concentration0_a: Any
    ) -> jax.Array:
        alpha, beta = concentration1_a, concentration0_a
        more_alpha, more_beta = concentration1_b - alpha, concentration0_b - beta
        means = digamma(alpha) * more_alpha + digamma(beta) * more_beta
        means -= digamma(alpha + beta) * (more_alpha + more_beta)
        return betaln(concentration1_b, concentration0_b) - betaln(alpha, beta) - means

    _sample = formula(
        lambda key, concentration1, concentration0, shape: jax.random.beta(
            key, concentration1, concentration0, shape
        )
    )


__all__ = public_names({k: v for k, v in globals().items() if k[0].isupper() or k[0] == "_"})
