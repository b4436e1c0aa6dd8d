"""Distributions of numbers that count; each is a table of formulas on raw arrays."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import gammainc, gammaln

from msgrad._core.exports import public_names
from msgrad._core.op import Array
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import FLOATS, INTS, require
from msgrad.nn.probability.distribution._method import formula
from msgrad.nn.probability.distribution.distribution import Distribution

Shape = tuple[int, ...]
_ANY = (*INTS, *FLOATS)


def _probabilities(value: Tensor | None) -> None:
    require(lambda p: p > 0, "Probabilities must be greater than zero", value)
    require(lambda p: p < 1, "Probabilities must be less than one", value)


class Bernoulli(Distribution, arguments="probs", standard=mstype.int32, accepted=_ANY, counts=True):
    """The Bernoulli distribution: 1, or 0.

    Args:
        probs: Tensor, list or number, between 0 and 1: the probability of 1. None if it comes with
            the calls, where it is ``probs1``.
    """

    def _check_values(self, *values: Tensor | None) -> None:
        _probabilities(*values)

    @formula
    def _log_prob(value: Array, probs1: Array) -> Array:
        least = float(jnp.finfo(probs1.dtype).eps)
        clamped = jnp.clip(probs1, least, 1 - least)
        return jnp.log(clamped) * value + jnp.log(1.0 - clamped) * (1.0 - value)

    @formula
    def _cdf(value: Array, probs1: Array) -> Array:
        value, probs0 = jnp.broadcast_arrays(jnp.floor(value), 1.0 - probs1)
        return jnp.where(value < 0, 0.0, jnp.where(value < 1, probs0, 1.0))

    @formula
    def _mean(probs1: Array) -> Array:
        return probs1

    @formula
    def _mode(probs1: Array, dtype: Any) -> Array:
        return (probs1 > 0.5).astype(dtype)

    @formula
    def _var(probs1: Array) -> Array:
        return (1.0 - probs1) * probs1

    @formula
    def _entropy(probs1: Array) -> Array:
        probs0 = 1.0 - probs1
        return -probs0 * jnp.log(probs0) - probs1 * jnp.log(probs1)

    @formula
    def _kl_loss(probs1_b: Array, probs1: Array) -> Array:
        probs0, probs0_b = 1.0 - probs1, 1.0 - probs1_b
        return probs1 * jnp.log(probs1 / probs1_b) + probs0 * jnp.log(probs0 / probs0_b)

    @formula
    def _sample(key: Array, probs1: Array, shape: Shape) -> Array:
        return jax.random.bernoulli(key, probs1, shape)


class Geometric(Distribution, arguments="probs", standard=mstype.int32, accepted=_ANY, counts=True):
    """The geometric distribution: the failures before the first success.

    Args:
        probs: Tensor, list or number, between 0 and 1: the probability of success. None if it
            comes with the calls, where it is ``probs1``.
    """

    def _check_values(self, *values: Tensor | None) -> None:
        _probabilities(*values)

    @formula
    def _prob(value: Array, probs1: Array) -> Array:
        value = jnp.floor(value)
        mass = jnp.exp(jnp.log(1.0 - probs1) * value + jnp.log(probs1))
        return jnp.where(value < 0, 0.0, mass)

    @formula
    def _cdf(value: Array, probs1: Array) -> Array:
        value = jnp.floor(value)
        return jnp.where(value < 0, 0.0, 1.0 - jnp.power(1.0 - probs1, value + 1.0))

    @formula
    def _mean(probs1: Array) -> Array:
        return (1.0 - probs1) / probs1

    @formula
    def _mode(probs1: Array, dtype: Any) -> Array:
        return jnp.zeros(probs1.shape, dtype)

    @formula
    def _var(probs1: Array) -> Array:
        return (1.0 - probs1) / jnp.square(probs1)

    @formula
    def _entropy(probs1: Array) -> Array:
        probs0 = 1.0 - probs1
        return (-probs0 * jnp.log(probs0) - probs1 * jnp.log(probs1)) / probs1

    @formula
    def _kl_loss(probs1_b: Array, probs1: Array) -> Array:
        probs0, probs0_b = 1.0 - probs1, 1.0 - probs1_b
        return jnp.log(probs1 / probs1_b) + probs0 / probs1 * jnp.log(probs0 / probs0_b)

    @formula
    def _sample(key: Array, probs1: Array, shape: Shape) -> Array:
        # Counted from 1 there.
        return jax.random.geometric(key, probs1, shape) - 1


class Poisson(
    Distribution,
    arguments="rate",
    positive={"rate": "rate"},
    refused=(int, float),
    accepted=_ANY,
):
    """The Poisson distribution.

    Args:
        rate: Tensor, list or NumPy array: the mean. None if it comes with the calls.
    """

    @formula
    def _log_prob(value: Array, rate: Array) -> Array:
        count = jnp.maximum(value, 0)
        mass = jnp.log(rate) * count - gammaln(count + 1.0)
        return jnp.where(value == count, mass, -jnp.inf) - rate

    @formula
    def _cdf(value: Array, rate: Array) -> Array:
        below = 1.0 - gammainc(1.0 + jnp.maximum(value, 0), rate)
        return jnp.where(value < 0, 0.0, below)

    @formula
    def _mean(rate: Array) -> Array:
        return rate

    _var = _mean

    @formula
    def _mode(rate: Array) -> Array:
        return jnp.floor(rate)

    @formula
    def _sample(key: Array, rate: Array, shape: Shape) -> Array:
        return jax.random.poisson(key, rate, shape)


def _at(value: Array, table: Array) -> tuple[Array, Array]:
    """Return what a table says of each class in ``value``, and the class, rounded."""
    # What lies between -1 and 0 counts as 0.
    value = jnp.where((value < 0) & (value > -1), 0.0, jnp.floor(value))[..., None]
    sizes = np.broadcast_shapes(value.shape, table.shape)
    value = jnp.broadcast_to(value, (*sizes[:-1], 1))
    index = jnp.clip(value, 0, sizes[-1] - 1).astype(jnp.int32)
    found = jnp.take_along_axis(jnp.broadcast_to(table, sizes), index, -1)
    return found[..., 0], value[..., 0]


class Categorical(
    Distribution, arguments="probs", standard=mstype.int32, accepted=_ANY, counts=True
):
    """The categorical distribution: one of some classes, which are numbered from 0.

    Args:
        probs: Tensor (..., K) or list: the probabilities of K classes, each above 0, their sum 1.
            None if they come with the calls.
    """

    def _keep(self, parameters: Any) -> None:
        super()._keep(parameters)
        if self._broadcast_shape is not None:
            self._is_scalar_batch = self._is_scalar_batch or len(self._broadcast_shape) == 1
            self._broadcast_shape = self._broadcast_shape[:-1]

    def _check_values(self, *values: Tensor | None) -> None:
        require(np.ndim, "probs for Categorical distribution must have rank >= 1", *values)
        _probabilities(*values)
        require(
            lambda p: np.abs(p.sum(-1) - 1) < 11 * np.finfo(p.dtype).eps,
            "Probabilities for each category should sum to one for Categorical distribution",
            *values,
        )

    def _event_of(self, shape: Shape) -> Shape:
        return shape[:-1]

    @formula
    def _log_prob(value: Array, probs: Array) -> Array:
        found, value = _at(value, jnp.log(probs))
        return jnp.where((value < 0) | (value > probs.shape[-1] - 1), jnp.nan, found)

    @formula
    def _cdf(value: Array, probs: Array) -> Array:
        found, value = _at(value, jnp.cumsum(probs, -1))
        return jnp.where(value < 0, 0.0, found)

    @formula
    def _mean(probs: Array) -> Array:
        classes = jnp.arange(probs.shape[-1], dtype=jnp.float32)
        return jnp.sum(classes * probs, -1, keepdims=True)

    @formula
    def _mode(probs: Array, dtype: Any) -> Array:
        return jax.lax.argmax(probs, probs.ndim - 1, jnp.int32).astype(dtype)

    @formula
    def _var(probs: Array) -> Array:
        classes = jnp.arange(probs.shape[-1], dtype=jnp.float32)
        mean = jnp.sum(classes * probs, -1, keepdims=True)
        return jnp.sum(jnp.square(classes) * probs, -1, keepdims=True) - jnp.square(mean)

    # As in MindSpore, these two have no dimension of size 1, be it of the batch.
    @formula
    def _entropy(probs: Array) -> Array:
        return jnp.squeeze(-jnp.sum(jnp.log(probs) * probs, -1))

    @formula
    def _kl_loss(probs_b: Array, probs: Array) -> Array:
        logits, logits_b = jax.nn.log_softmax(jnp.log(probs)), jax.nn.log_softmax(jnp.log(probs_b))
        return jnp.squeeze(jnp.sum(jnp.exp(logits) * (logits - logits_b), -1))

    @formula
    def _sample(key: Array, probs: Array, shape: Shape) -> Array:
        return jax.random.categorical(key, jnp.log(probs), shape=shape)


__all__ = public_names(globals())
