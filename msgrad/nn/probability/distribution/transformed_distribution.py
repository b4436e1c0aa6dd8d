"""``TransformedDistribution``, a distribution behind a bijector, and two that are such."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf, gammaln

from msgrad import ops
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.probability._formula import FLOATS, of_dtypes
from msgrad.nn.probability.bijector.bijector import Bijector
from msgrad.nn.probability.bijector.bijectors import Exp, GumbelCDF, Invert
from msgrad.nn.probability.distribution._method import formula
from msgrad.nn.probability.distribution.continuous import Normal, Shape, Uniform
from msgrad.nn.probability.distribution.distribution import Distribution

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


class TransformedDistribution(Distribution):
    """The distribution of what a bijector makes of the samples of another.

    Args:
        bijector: The bijector.
        distribution: The other, of floating samples. Its parameters are those of the calls.
        seed: Accepted for compatibility: samples are those of ``distribution``, with its seed.
        name: What error texts call it.
    """

    def __init__(
        self,
        bijector: Bijector,
        distribution: Distribution,
        seed: int | None = None,
        name: str = "transformed_distribution",
    ) -> None:
        owner = type(self).__name__
        of_type(owner, "bijector", bijector, Bijector)
        of_type(owner, "distribution", distribution, Distribution)
        of_dtypes(owner, "dtype", distribution.dtype, FLOATS)
        param = {"bijector": bijector, "distribution": distribution, "seed": seed, "name": name}
        super().__init__(seed, distribution.dtype, name, param)
        self._bijector = bijector
        self._distribution = distribution
        self.default_parameters = distribution.default_parameters
        self.parameter_names = distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        self._is_scalar_batch = distribution.is_scalar_batch and bijector.is_scalar_batch
        self._batch_shape = distribution.batch_shape
        shapes = (distribution.batch_shape, bijector.batch_shape)
        known = [shape for shape in shapes if shape is not None]
        self._broadcast_shape = np.broadcast_shapes(*known) if len(known) == 2 else None

    @property
    def bijector(self) -> Bijector:
        """The bijector."""
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        """The distribution that is transformed."""
        return self._distribution

    @property
    def is_linear_transformation(self) -> bool:
        """Whether the bijector is linear; only then there is a mean."""
        return self._bijector.is_constant_jacobian

    def _cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self._distribution.cdf(self._bijector.inverse(value), *args, **kwargs)

    def _log_prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        density = self._distribution.log_prob(self._bijector.inverse(value), *args, **kwargs)
        # Where nothing lies, there is nothing to stretch.
        stretched = density + self._bijector.inverse_log_jacobian(value)
        return ops.select(density == -math.inf, density, stretched)

    def _sample(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._bijector.forward(self._distribution.sample(*args, **kwargs))

    def _mean(self, *args: Any, **kwargs: Any) -> Tensor:
        if not self.is_linear_transformation:
            raise ArgumentValueError(
                "mean function must be implemented for non-linear transformation"
            )
        return self._bijector.forward(self._distribution.mean(*args, **kwargs))


class _LocScale(TransformedDistribution):
    """Base of the two, whose parameters are called ``loc`` and ``scale``."""

    _arguments = "loc scale"

    def _keep_both(self, loc: Any, scale: Any) -> None:
        self._reset_parameters()
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")

    @property
    def loc(self) -> Tensor | None:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Tensor | None:
        """The scale."""
        return self._scale


class LogNormal(_LocScale):
    """The log-normal distribution: the exponential of the normal.

    Args:
        loc: The mean of the normal distribution, as for ``Normal``.
        scale: Its standard deviation.
        dtype: dtype of samples.
    """

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: int | None = 0,
        dtype: mstype.DType = mstype.float32,
        name: str = "LogNormal",
    ) -> None:
        super().__init__(Exp(), Normal(loc, scale, dtype=dtype), seed, name)
        self._keep_both(loc, scale)

    @formula
    def _log_prob(value: Array, loc: Array, scale: Array) -> Array:
        log = jnp.log(value)
        return -0.5 * jnp.square((log - loc) / scale) - _HALF_LOG_2PI - jnp.log(scale) - log

    @formula
    def _cdf(value: Array, loc: Array, scale: Array) -> Array:
        normal = 0.5 * (1.0 + erf((jnp.log(value) - loc) / (scale * math.sqrt(2))))
        return jnp.where(value > 0, normal, 0.0)

    @formula
    def _mean(loc: Array, scale: Array) -> Array:
        return jnp.exp(loc + 0.5 * jnp.square(scale))

    @formula
    def _mode(loc: Array, scale: Array) -> Array:
        return jnp.exp(loc - jnp.square(scale))

    @formula
    def _var(loc: Array, scale: Array) -> Array:
        var = jnp.square(scale)
        return jnp.expm1(var) * jnp.exp(2.0 * loc + var)

    @formula
    def _entropy(loc: Array, scale: Array) -> Array:
        return loc + 0.5 + jnp.log(scale) + _HALF_LOG_2PI

    @formula
    def _kl_loss(loc_b: Array, scale_b: Array, loc_a: Array, scale_a: Array) -> Array:
        ratio = jnp.log(scale_a) - jnp.log(scale_b)
        return 0.5 * (jnp.square((loc_a - loc_b) / scale_b) + jnp.expm1(2 * ratio)) - ratio

    @formula
    def _sample(key: Array, loc: Array, scale: Array, shape: Shape) -> Array:
        noise = jax.random.normal(key, shape, jnp.float32)
        return jnp.exp(noise * scale + loc)


class Gumbel(_LocScale):
    """The Gumbel distribution; its parameters are those of the constructor.

    Args:
        loc: The location, as the mean of ``Normal``; not None.
        scale: The scale; not None.
        dtype: dtype of samples.
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        seed: int | None = 0,
        dtype: mstype.DType = mstype.float32,
        name: str = "Gumbel",
    ) -> None:
        of_dtypes("Gumbel", "dtype", dtype, FLOATS)
        uniform = Uniform(0.0, 1.0, dtype=dtype)
        super().__init__(Invert(GumbelCDF(loc, scale)), uniform, seed, name)
        self._keep_both(loc, scale)

    @formula
    def _log_prob(value: Array, loc: Array, scale: Array) -> Array:
        z = (value - loc) / scale
        return -(z + jnp.exp(-z)) - jnp.log(scale)

    @formula
    def _cdf(value: Array, loc: Array, scale: Array) -> Array:
        return jnp.exp(-jnp.exp((loc - value) / scale))

    @formula
    def _mean(loc: Array, scale: Array) -> Array:
        return loc + scale * float(np.euler_gamma)

    @formula
    def _mode(loc: Array, scale: Array) -> Array:
        return loc

    @formula
    def _sd(loc: Array, scale: Array) -> Array:
        return scale * (math.pi / math.sqrt(6))

    @formula
    def _entropy(loc: Array, scale: Array) -> Array:
        return 1.0 + jnp.log(scale) + float(np.euler_gamma)

    @formula
    def _kl_loss(loc_b: Array, scale_b: Array, loc: Array, scale: Array) -> Array:
        ratio = scale / scale_b
        spread = jnp.expm1((loc_b - loc) / scale_b + gammaln(ratio + 1.0))
        gamma = float(np.euler_gamma) * (ratio - 1.0)
        return gamma - jnp.log(ratio) + (loc - loc_b) / scale_b + spread

    @formula
    def _sample(key: Array, loc: Array, scale: Array, shape: Shape) -> Array:
        return loc + scale * jax.random.gumbel(key, shape, jnp.float32)


__all__ = public_names(globals())
