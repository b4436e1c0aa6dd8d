"""Random Tensors of other distributions than ``random`` has, and noise.

The numbers are MindSpore's for the same seed where ``tests/parity/cases/random_streams.py`` has
them; the distributions always are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import above
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import is_inexact
from msgrad._core.random import next_key
from msgrad._core.registry import function, method
from msgrad._core.streams import Counted, Short, gammas, truncated
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import refuse
from msgrad.ops.random import (
    Seed,
    Sizes,
    all_of,
    bernoulli,
    drawn,
    dropout2d,
    dropout3d,
    ints,
    kind_of,
    uniform_numbers,
    units_by,
)


def _sizes(shape: Any) -> Sizes:
    values = shape.asnumpy().tolist() if is_tensor(shape) else shape
    if not isinstance(values, (tuple, list)):
        raise ArgumentTypeError(f"the shape must be a tuple or an int Tensor, but got {shape!r}.")
    return tuple(values)


def _wide(sizes: Sizes, *beside: Any) -> Sizes:
    return np.broadcast_shapes(sizes, *(v.shape for v in beside))


@operator("StandardLaplace")
def _laplace(key: Array, mean: Operand, scale: Operand, shape: Sizes) -> tuple[Array, Array]:
    units, following = units_by(Short, key, shape)
    sides = 2 * units - 1
    noise = -jnp.sign(sides) * jnp.log1p(-jnp.abs(sides))
    return noise * scale + mean, following


@function(primitive="StandardLaplace(seed=0, seed2: _ = 0)")
def standard_laplace(shape: Any, seed: Seed | None = None) -> Tensor:
    """Return numbers of the Laplace distribution of mean 0 and scale 1, float32."""
    sizes, kernel = _sizes(shape), "standard_laplace"
    return drawn(Short, kernel, seed, lambda key: _laplace(key, 0.0, 1.0, sizes), sizes)[0]


@function
def laplace(shape: Any, mean: Tensor, lambda_param: Tensor, seed: Seed | None = None) -> Tensor:
    """Return numbers of the Laplace distribution.

    Args:
        shape: tuple of ints, which broadcasts with the two below.
        mean: float32 Tensor.
        lambda_param: float32 Tensor: the scale.
        seed: Names a stream of its own.
    """
    all_of(mstype.float32, mean, lambda_param)
    sizes = _wide(_sizes(shape), mean, lambda_param)
    given = mean, lambda_param, sizes
    return drawn(Short, "laplace", seed, lambda key: _laplace(key, *given), sizes)[0]


@operator("RandomGamma")
def _gamma(key: Array, alpha: Operand, beta: Operand, shape: Sizes) -> Array:
    kind = alpha.dtype if is_inexact(alpha.dtype) else jnp.float32
    draw = jax.random.gamma(jax.random.wrap_key_data(key), alpha.astype(jnp.float32), shape)
    return (draw / beta).astype(kind)


@operator("RandomGamma", product=True)
def _standard_gamma(key: Array, alpha: Operand, shape: Sizes) -> tuple[Array, Array]:
    if key.shape == (2,):
        draw = jax.random.gamma(jax.random.wrap_key_data(key), alpha.astype(jnp.float32), shape)
        return draw.astype(alpha.dtype), key
    # All numbers of one alpha follow each other.
    count = alpha.size and math.prod(shape) // alpha.size
    made, following = gammas(key, jnp.repeat(alpha.reshape(-1), count))
    return made.reshape(alpha.size, count).T.reshape(shape).astype(alpha.dtype), following


@function(primitive="Gamma(seed=0, seed2: _ = 0)")
def gamma(shape: Any, alpha: Tensor, beta: Tensor, seed: Seed | None = None) -> Tensor:
    """Return numbers of the gamma distribution, float32.

    Args:
        shape: tuple of ints, put before the shape of the two below.
        alpha: Tensor: the shape parameter.
        beta: Tensor: the rate.
        seed: Names a stream of its own.

    Differs from MindSpore: it works on the CPU too.
    """
    all_of(mstype.float32, alpha, beta)
    sizes = (*_sizes(shape), *np.broadcast_shapes(alpha.shape, beta.shape))
    return _gamma(next_key(seed), alpha, beta, sizes)


@function(primitive="RandomGamma(seed=0, seed2: _ = 0)")
def random_gamma(shape: Tensor, alpha: Tensor, seed: Seed | None = None) -> Tensor:
    """Return numbers of the gamma distribution of rate 1.

    Args:
        shape: int Tensor (n,), put before the shape of ``alpha``.
        alpha: Tensor: the shape parameter.
        seed: Names a stream of its own.
    """
    sizes = (*_sizes(shape), *alpha.shape)
    draw = lambda key: _standard_gamma(key, alpha, sizes)  # noqa: E731
    return drawn(Counted, "random_gamma", seed, draw, sizes)[0]


@operator("RandomPoisson")
def _poisson(key: Array, rate: Operand, shape: Sizes, dtype: Any) -> Array:
    made = jax.random.wrap_key_data(key)
    return jax.random.poisson(made, rate.astype(jnp.float32), shape).astype(dtype)


@function(primitive="RandomPoisson(seed=0, seed2: _ = 0, dtype=mstype.int64)")
def random_poisson(
    shape: Tensor, rate: Tensor, seed: Seed | None = None, dtype: mstype.DType = mstype.float32
) -> Tensor:
    """Return numbers of the Poisson distribution.

    Args:
        shape: int Tensor (n,), put before the shape of ``rate``.
        rate: Tensor: the means.
        seed: Names a stream of its own.
        dtype: The dtype of the result.
    """
    sizes = (*_sizes(shape), *rate.shape)
    return _poisson(next_key(seed), rate, sizes, dtype.np_dtype)


@function(primitive="Poisson(seed=0, seed2: _ = 0)")
def poisson(shape: Any, mean: Tensor, seed: Seed | None = None) -> Tensor:
    """Return numbers of the Poisson distribution, int32.

    Args:
        shape: tuple of ints, which broadcasts with ``mean``.
        mean: float32 Tensor.
        seed: Names a stream of its own.

    Differs from MindSpore: it works on the CPU too.
    """
    return _poisson(next_key(seed), mean, _wide(_sizes(shape), mean), np.dtype("int32"))


@operator("TruncatedNormal")
def _truncated_standard(key: Array, shape: Sizes, dtype: Any) -> tuple[Array, Array]:
    if key.shape == (2,):
        made = jax.random.wrap_key_data(key)
        return jax.random.truncated_normal(made, -2.0, 2.0, shape, jnp.float32).astype(dtype), key
    numbers, following = truncated(key, math.prod(shape))
    return numbers.reshape(shape).astype(dtype), following


@operator("ParameterizedTruncatedNormal")
def _truncated(
    key: Array, mean: Operand, deviation: Operand, low: Operand, high: Operand, shape: Sizes
) -> Array:
    bounds = ((low - mean) / deviation, (high - mean) / deviation)
    made = jax.random.wrap_key_data(key)
    return jax.random.truncated_normal(made, *bounds, shape, jnp.float32) * deviation + mean


@function(primitive="TruncatedNormal(dtype=mstype.float32, seed=0, seed2: _ = 0)")
def _truncated_normal(shape: Tensor, dtype: Any = mstype.float32, seed: Seed = 0) -> Tensor:
    """Return standard normal numbers between -2 and 2.

    Args:
        shape: int Tensor (n,), or tuple of ints.
        dtype: float16, float32 or float64.
        seed: Names a stream of its own.
    """
    sizes, kind = _sizes(shape), dtype.np_dtype
    draw = lambda key: _truncated_standard(key, sizes, kind)  # noqa: E731
    return drawn(Short, "TruncatedNormal", seed, draw, sizes)[0]


@function(primitive="ParameterizedTruncatedNormal(seed=0, seed2: _ = 0)")
def _parameterized_truncated_normal(
    shape: Tensor, mean: Tensor, stdevs: Tensor, min: Tensor, max: Tensor, seed: Seed = 0
) -> Tensor:
    """Return normal numbers between bounds, each a Tensor of one element or one per row."""
    sizes = _sizes(shape)
    rows = [x.reshape(-1, *[1] * (len(sizes) - 1)) for x in (mean, stdevs, min, max)]
    return _truncated(next_key(seed), *rows, sizes).astype(mean.dtype)


@operator("Cauchy")
def _cauchy_numbers(key: Array, shape: Sizes, median: float, sigma: float) -> Array:
    made = jax.random.wrap_key_data(key)
    return jax.random.cauchy(made, shape, jnp.float32) * sigma + median


@function(primitive="Cauchy(size, median=0.0, sigma=1.0)")
def _cauchy(size: Any, median: float = 0.0, sigma: float = 1.0) -> Tensor:
    """Return numbers of the Cauchy distribution, float32.

    Args:
        size: list or tuple of ints.
        median: The middle of the distribution.
        sigma: Its scale.
    """
    return _cauchy_numbers(next_key(), _sizes(size), median, sigma)


@method("cauchy")
def _cauchy_method(self: Tensor, median: float = 0.0, sigma: float = 1.0) -> Tensor:
    """Return numbers of the Cauchy distribution in the shape and dtype of the Tensor."""
    return _cauchy(self.shape, median, sigma).astype(self.dtype)


@operator("LogNormalReverse")
def _log_normal(key: Array, x: Array, mean: float, std: float) -> Array:
    refuse(x, jnp.integer, jnp.bool_, jnp.complexfloating)
    noise = jax.random.normal(jax.random.wrap_key_data(key), x.shape, jnp.float32)
    return jnp.exp(noise * std + mean).astype(x.dtype)


@function(primitive="LogNormalReverse(mean=1.0, std=2.0)", method="log_normal")
def _log_normal_reverse(input: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Return numbers, in the shape of a Tensor, whose logarithms are normal.

    Args:
        input: Tensor, floating.
        mean: Mean of the logarithms.
        std: Their standard deviation.
    """
    return _log_normal(next_key(), input, mean, std)


@function(primitive="NonDeterministicInts(dtype=mstype.int64)")
def _non_deterministic_ints(shape: Tensor, dtype: Any = mstype.int64) -> Tensor:
    """Return random integers of all bits.

    Args:
        shape: int Tensor (n,).
        dtype: int32 or int64.
    """
    low, high = -(2**31), 2**31 - 1
    raw = kind_of(dtype, mstype.int64, jnp.signedinteger)
    return ints("randint", None, low, high, _sizes(shape), raw)


@function
def randint_like(
    input: Tensor, low: int, high: int, seed: Seed | None = None, *, dtype: Any = None
) -> Tensor:
    """Return integers uniform on [low, high), in the shape and dtype of ``input``."""
    kind = input.dtype if dtype is None else dtype
    raw = kind_of(kind, mstype.int64, jnp.signedinteger)
    return ints("randint_like", seed, int(low), int(high), input.shape, raw)


@function(primitive="Bernoulli(seed=-1, offset=0)")
def _bernoulli(x: Tensor, p: Any = 0.5, seed: int = -1, offset: int = 0) -> Tensor:
    """Return ones with probability ``p`` and zeros, in the shape and dtype of ``x``.

    Args:
        x: Tensor.
        p: Number or Tensor.
        seed: Names the draws, which are the same in each call; -1 for others each time.
        offset: Accepted for compatibility.
    """
    return bernoulli(x, p, seed)


@function(method="bernoulli")
def bernoulli_ext(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 0 or 1, with the elements as the probabilities of 1."""
    return bernoulli(input, input, generator)


def _channels(name: str, drop: Callable[..., Tensor]) -> Any:
    def dropped(x: Tensor, keep_prob: float = 0.5) -> tuple[Tensor, Tensor]:
        kept = drop(_ones_like(x), 1.0 - keep_prob)
        return x * kept, kept != 0

    dropped.__doc__ = """Zero whole channels at random and divide the others by ``keep_prob``.

    Args:
        x: Tensor, floating.
        keep_prob: Probability of a channel to be kept.

    Returns:
        The result, and the bool mask.
    """
    return function(name=name, primitive=f"{name}(keep_prob=0.5)", public=False)(dropped)


@operator("OnesLike", public=False)
def _ones_like(x: Array) -> Array:
    return jnp.ones_like(x)


_dropout2d, _dropout3d = _channels("Dropout2D", dropout2d), _channels("Dropout3D", dropout3d)


@operator("GumbelSoftmax", product=True)
def _gumbel_softmax(logits: Array, units: Array, tau: float, hard: bool, dim: int) -> Array:
    noise = -jnp.log(-jnp.log(units)).astype(logits.dtype)
    soft = jax.nn.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    pick = jnp.argmax(soft, dim)
    one = jax.nn.one_hot(pick, logits.shape[dim], axis=dim, dtype=logits.dtype)
    return one + soft - jax.lax.stop_gradient(soft)


@function
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, dim: int = -1) -> Tensor:
    """Draw from the distributions along ``dim``, with a gradient through the draw.

    Args:
        logits: Tensor, float16 or float32.
        tau: How far from one class the result is.
        hard: Whether it is exactly one class; the gradient is the soft one.
        dim: The dimension of the classes.

    Raises:
        TypeError: If ``logits`` is not a floating Tensor.
        ValueError: If ``tau`` is not positive.
    """
    if not is_inexact(logits.dtype.np_dtype):
        raise ArgumentTypeError(f"'logits' must be a floating Tensor, but got {type(logits)}.")
    above("", "tau", tau, 0)
    units = uniform_numbers("uniform", None, logits.shape)
    return _gumbel_softmax(logits, units, float(tau), hard, dim)


@operator("DropoutGenMask")
def _kept_bits(key: Array, keep: Operand, size: int) -> Array:
    kept = jax.random.bernoulli(jax.random.wrap_key_data(key), keep, (size,))
    return jnp.packbits(kept.astype(jnp.uint8))


@function(primitive="DropoutGenMask(Seed0: _ = 0, Seed1: _ = 0)")
def _dropout_mask(shape: tuple[int, ...], keep_prob: Any) -> Tensor:
    """Draw the mask of ``DropoutDoMask``: a bit for each element, in bytes, 128 bits at a time.

    Args:
        shape: The shape of what is dropped.
        keep_prob: Tensor of one element: the probability of an element to be kept.

    Differs from MindSpore: it works on the CPU too.
    """
    return _kept_bits(next_key(), keep_prob, -(-int(np.prod(shape)) // 128) * 128)


@operator("DropoutDoMask", primitive=True, product=True)
def _dropout_by_mask(input_x: Array, mask: Array, keep_prob: Operand) -> Array:
    """Zero the elements whose bit in a mask is 0, and divide the others by ``keep_prob``.

    Differs from MindSpore: it works on the CPU too.
    """
    kept = jnp.unpackbits(mask)[: input_x.size].reshape(input_x.shape).astype(input_x.dtype)
    return input_x * (kept / jnp.asarray(keep_prob).astype(input_x.dtype))
