"""Distributions of numbers that count; each is a table of formulas on raw arrays."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.nn import log_softmax
from jax.scipy.special import gammainc, gammaln, xlogy

from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import FLOATS, INTS, require
from msgrad.nn.probability.distribution._method import formula
from msgrad.nn.probability.distribution.continuous import logarithm
from msgrad.nn.probability.distribution.distribution import Distribution

_ANY = (*INTS, *FLOATS)


class _OfProbabilities(Distribution, standard=mstype.int32, accepted=_ANY, counts=True):
    """Base of those whose parameter are probabilities."""

    def _check_values(self, *values: Tensor | None) -> None:
        require(lambda p: p > 0, "Probabilities must be greater than zero", *values)
        require(lambda p: p < 1, "Probabilities must be less than one", *values)


def _binary_entropy(probs1: Any) -> jax.Array:
    return -(1.0 - probs1) * jnp.log(1.0 - probs1) - probs1 * jnp.log(probs1)


class Bernoulli(_OfProbabilities, arguments="probs"):
    """The Bernoulli distribution: 1, or 0."""

    @formula
    def _log_prob(value: Any, probs1: Any) -> jax.Array:
        least = float(jnp.finfo(probs1.dtype).eps)
        p = jnp.clip(probs1, least, 1 - least)
        return jnp.log(p) * value + jnp.log(1.0 - p) * (1.0 - value)

    _cdf = formula(
        lambda value, probs1: jnp.where(value < 0, 0.0, jnp.where(value < 1, 1.0 - probs1, 1.0))
    )
    _mean = formula(lambda probs1: probs1)
    _mode = formula(lambda probs1, dtype: (probs1 > 0.5).astype(dtype))
    _var = formula(lambda probs1: (1.0 - probs1) * probs1)
    _entropy = formula(_binary_entropy)
    _kl_loss = formula(
        lambda probs1_b, probs1: (
            probs1 * jnp.log(probs1 / probs1_b)
            + (1.0 - probs1) * jnp.log((1.0 - probs1) / (1.0 - probs1_b))
        )
    )
    _sample = formula(lambda units, probs1: units < probs1)


class Geometric(_OfProbabilities, arguments="probs"):
    """The geometric distribution: the failures before the first success."""

    _prob = formula(
        lambda value, probs1: jnp.where(
            value < 0, 0.0, jnp.exp(jnp.log(1.0 - probs1) * jnp.floor(value) + jnp.log(probs1))
        )
    )
    _cdf = formula(
        lambda value, probs1: jnp.where(
            value < 0, 0.0, 1.0 - jnp.power(1.0 - probs1, jnp.floor(value) + 1.0)
        )
    )
    _mean = formula(lambda probs1: (1.0 - probs1) / probs1)
    _mode = formula(lambda probs1, dtype: jnp.zeros(probs1.shape, dtype))
    _var = formula(lambda probs1: (1.0 - probs1) / jnp.square(probs1))
    _entropy = formula(lambda probs1: _binary_entropy(probs1) / probs1)
    _kl_loss = formula(
        lambda probs1_b, probs1: (
            jnp.log(probs1 / probs1_b)
            + (1.0 - probs1) / probs1 * jnp.log((1.0 - probs1) / (1.0 - probs1_b))
        )
    )
    _sample = formula(lambda units, probs1: jnp.floor(logarithm(units) / jnp.log(1.0 - probs1)))


class Poisson(
    Distribution, arguments="rate", positive={"rate": "rate"}, refused=(int, float), accepted=_ANY
):
    """The Poisson distribution."""

    _log_prob = formula(
        lambda value, rate: jnp.where(
            value < 0, -jnp.inf, xlogy(jnp.maximum(value, 0), rate) - gammaln(value + 1.0) - rate
        )
    )
    _cdf = formula(
        lambda value, rate: jnp.where(
            value < 0,
            0.0,
            1.0 - gammainc(1.0 + jnp.where(value < 0, 0.0, value), rate.astype(value.dtype)),
        )
    )
    _mean = _var = formula(lambda rate: rate)
    _mode = formula(lambda rate: jnp.floor(rate))
    _sample = formula(lambda key, rate, shape: jax.random.poisson(key, rate, shape))


def _at(value: Any, table: Any) -> tuple[jax.Array, jax.Array]:
    """Return what a table says of each class in ``value``, and the class, rounded."""
    # What lies between -1 and 0 counts as 0.
    value = jnp.where((value < 0) & (value > -1), 0.0, jnp.floor(value))[..., None]
    sizes = np.broadcast_shapes(value.shape, table.shape)
    value = jnp.broadcast_to(value, (*sizes[:-1], 1))
    index = jnp.clip(value, 0, sizes[-1] - 1).astype(jnp.int32)
    found = jnp.take_along_axis(jnp.broadcast_to(table, sizes), index, -1)
    return found[..., 0], value[..., 0]


def _moment(order: int, probs: Any) -> jax.Array:
    classes = jnp.arange(probs.shape[-1], dtype=jnp.float32)
    return jnp.sum(classes**order * probs, -1, keepdims=True)


class Categorical(_OfProbabilities, arguments="probs"):
    """The categorical distribution: one of some classes, which are numbered from 0.

    Args:
        probs: Tensor (..., K) or list: the probabilities of K classes, each above 0, their sum 1.
            None if they come with the calls.
    """

    def _keep(self, parameters: Any) -> None:
        super()._keep(parameters)
        if self.broadcast_shape is not None:
            self.is_scalar_batch = len(self.broadcast_shape) == 1
            self.broadcast_shape = self.broadcast_shape[:-1]

    def _check_values(self, *values: Tensor | None) -> None:
        require(np.ndim, "probs for Categorical distribution must have rank >= 1", *values)
        super()._check_values(*values)
        require(
            # The numbers that are given are rounded to float32 at first.
            lambda p: np.abs(p.sum(-1) - 1) < 11 * max(np.finfo(p.dtype).eps, 2**-23),
            "Probabilities for each category should sum to one for Categorical distribution",
            *values,
        )

    def _event_of(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return shape[:-1]

    @formula
    def _log_prob(value: Any, probs: Any) -> jax.Array:
        found, value = _at(value, jnp.log(probs))
        return jnp.where((value < 0) | (value > probs.shape[-1] - 1), jnp.nan, found)

    _cdf = formula(
        lambda value, probs: jnp.where(value <= -1, 0.0, _at(value, jnp.cumsum(probs, -1))[0])
    )
    _mean = formula(lambda probs: _moment(1, probs))
    _mode = formula(
        lambda probs, dtype: jax.lax.argmax(probs, probs.ndim - 1, jnp.int32).astype(dtype)
    )
    _var = formula(lambda probs: _moment(2, probs) - jnp.square(_moment(1, probs)))
    # As in MindSpore, these two have no dimension of size 1, be it of the batch.
    _entropy = formula(lambda probs: jnp.squeeze(-jnp.sum(jnp.log(probs) * probs, -1)))

    @formula
    def _kl_loss(probs_b: Any, probs: Any) -> jax.Array:
        logits, logits_b = log_softmax(jnp.log(probs)), log_softmax(jnp.log(probs_b))
        return jnp.squeeze(jnp.sum(jnp.exp(logits) * (logits - logits_b), -1))

    @formula
    def _sample(choices: Any, probs: Any) -> jax.Array:
        """Return which class each number in [0, 1) means; a row was drawn after another."""
        sums = jnp.cumsum(probs, -1).reshape(-1, probs.shape[-1])
        found = jax.vmap(jnp.searchsorted)(sums / sums[:, -1:], choices.reshape(len(sums), -1))
        return found.T.reshape(choices.shape)


__all__ = public_names(globals())
