"""``TransformedDistribution``, a distribution behind a bijector, and two that are such."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.scipy.special import gammaln

from msgrad import ops
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import FLOATS, of_dtypes
from msgrad.nn.probability.bijector.bijector import Bijector
from msgrad.nn.probability.bijector.bijectors import Exp, GumbelCDF, Invert
from msgrad.nn.probability.distribution._method import formula
from msgrad.nn.probability.distribution.continuous import (
    HALF_LOG_2PI,
    Normal,
    Uniform,
    between_normals,
    log_normal,
    logarithm,
    normal_below,
)
from msgrad.nn.probability.distribution.distribution import Distribution

_EULER = float(np.euler_gamma)


class TransformedDistribution(Distribution):
    """The distribution of what a bijector makes of the samples of another.

    Args:
        bijector: The bijector.
        distribution: The other, of floating samples. Its parameters are those of the calls.
        seed: Accepted for compatibility: samples are those of ``distribution``, with its seed.
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
        # Under the names that the cells have in MindSpore.
        self._bijector = bijector
        self._distribution = distribution
        self.is_linear_transformation = bijector.is_constant_jacobian
        self.default_parameters = distribution.default_parameters
        self.parameter_names = distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        self.is_scalar_batch = distribution.is_scalar_batch and bijector.is_scalar_batch
        self.batch_shape = distribution.batch_shape
        shapes = [s for s in (distribution.batch_shape, bijector.batch_shape) if s is not None]
        self.broadcast_shape = np.broadcast_shapes(*shapes) if len(shapes) == 2 else None

    @property
    def bijector(self) -> Bijector:
        """The bijector."""
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        """The distribution that is transformed."""
        return self._distribution

    def _cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self.distribution.cdf(self.bijector.inverse(value), *args, **kwargs)

    def _log_prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        density = self.distribution.log_prob(self.bijector.inverse(value), *args, **kwargs)
        # Where nothing lies, there is nothing to stretch.
        stretched = density + self.bijector.inverse_log_jacobian(value)
        return ops.select(density == -math.inf, density, stretched)

    def _sample(self, *args: Any, **kwargs: Any) -> Tensor:
        return self.bijector.forward(self.distribution.sample(*args, **kwargs))

    def _mean(self, *args: Any, **kwargs: Any) -> Tensor:
        if not self.is_linear_transformation:
            raise ArgumentValueError(
                "mean function must be implemented for non-linear transformation."
            )
        return self.bijector.forward(self.distribution.mean(*args, **kwargs))


class _LocScale(TransformedDistribution):
    """Base of the two, whose parameters are called ``loc`` and ``scale``."""

    _told = Distribution._told
    _arguments = "loc scale"

    def _keep_both(self, loc: Any, scale: Any) -> None:
        self._reset_parameters()
        self._keep({"loc": loc, "scale": scale})
        self.loc, self.scale = self.default_parameters


class LogNormal(_LocScale):
    """The log-normal distribution: the exponential of the normal."""

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: int | None = 0,
        dtype: mstype.DType = mstype.float32,
        name: str = "LogNormal",
    ) -> None:
        super().__init__(Exp(), Normal(loc, scale, None, dtype), seed, name)
        self._keep_both(loc, scale)

    _log_prob = formula(
        lambda value, loc, scale: log_normal(jnp.log(value), loc, scale) - jnp.log(value)
    )
    _cdf = formula(
        lambda value, loc, scale: jnp.where(
            value > 0, normal_below(jnp.log(jnp.where(value > 0, value, 1.0)), loc, scale), 0.0
        )
    )
    _mean = formula(lambda loc, scale: jnp.exp(loc + 0.5 * jnp.square(scale)))
    _mode = formula(lambda loc, scale: jnp.exp(loc - jnp.square(scale)))
    _var = formula(
        lambda loc, scale: jnp.expm1(jnp.square(scale)) * jnp.exp(2.0 * loc + jnp.square(scale))
    )
    _entropy = formula(lambda loc, scale: loc + 0.5 + jnp.log(scale) + HALF_LOG_2PI)
    _kl_loss = formula(
        lambda loc_b, scale_b, loc_a, scale_a: between_normals(loc_b, scale_b, loc_a, scale_a)
    )
    _sample = formula(lambda normals, loc, scale: jnp.exp(normals * scale + loc))


class Gumbel(_LocScale):
    """The Gumbel distribution."""

    def __init__(
        self,
        loc: Any,
        scale: Any,
        seed: int | None = 0,
        dtype: mstype.DType = mstype.float32,
        name: str = "Gumbel",
    ) -> None:
        of_dtypes("Gumbel", "dtype", dtype, FLOATS)
        super().__init__(Invert(GumbelCDF(loc, scale)), Uniform(0.0, 1.0, None, dtype), seed, name)
        self._keep_both(loc, scale)

    _log_prob = formula(
        lambda value, loc, scale: (
            (loc - value) / scale - jnp.exp((loc - value) / scale) - jnp.log(scale)
        )
    )
    _cdf = formula(lambda value, loc, scale: jnp.exp(-jnp.exp((loc - value) / scale)))
    _mean = formula(lambda loc, scale: loc + scale * _EULER)
    _mode = formula(lambda loc, scale: loc)
    _sd = formula(lambda loc, scale: scale * (math.pi / math.sqrt(6)))
    _entropy = formula(lambda loc, scale: 1.0 + jnp.log(scale) + _EULER)
    _kl_loss = formula(
        lambda loc_b, scale_b, loc, scale: (
            (jnp.log(scale_b / scale) + _EULER * (scale / scale_b - 1.0) + (loc - loc_b) / scale_b)
            + jnp.expm1((loc_b - loc) / scale_b + gammaln(scale / scale_b + 1.0))
        )
    )
    _sample = formula(lambda units, loc, scale: loc - scale * jnp.log(-logarithm(units)))


__all__ = public_names(globals())
