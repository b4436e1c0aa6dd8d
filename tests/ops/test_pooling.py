"""Windows reduced along one dimension after the other give what XLA's reduce_window gives."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from msgrad.ops import pool_ops


@pytest.mark.parametrize("platform", ["cpu", "gpu"])
@pytest.mark.parametrize(
    ("shape", "size", "stride", "pad"),
    [((2, 3, 7, 8), 3, 2, 1), ((2, 3, 7, 8), 2, 2, 0), ((1, 2, 9), 5, 1, 2)],
)
def test_maxima_and_gradients(monkeypatch, platform, shape, size, stride, pad):
    monkeypatch.setattr(pool_ops, "platform", lambda: platform)
    # Few different numbers: many windows have several maxima, and the first gets the gradient.
    x = jnp.asarray(np.random.default_rng(0).integers(0, 3, shape), jnp.float32)
    rank = len(shape) - 2
    window, strides = (1, 1, *[size] * rank), (1, 1, *[stride] * rank)
    pads = ((0, 0), (0, 0), *[(pad, pad)] * rank)

    def by_window(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, window, strides, pads)

    def ours(x):
        return pool_ops.max_pool.kernel(x, (size,) * rank, (stride,) * rank, "pad", pad)

    expected, pull_expected = jax.vjp(by_window, x)
    found, pull = jax.vjp(ours, x)
    np.testing.assert_array_equal(found, expected)
    # Of small integers, so that sums are exact in any order.
    cotangent = jnp.arange(found.size, dtype=jnp.float32).reshape(found.shape)
    np.testing.assert_array_equal(pull(cotangent)[0], pull_expected(cotangent)[0])
    assert jnp.isnan(ours(x.at[(0, 0, *[3] * rank)].set(jnp.nan))).any()


@pytest.mark.parametrize("shape", [(2, 3, 9, 8), (2, 3, 11), (1, 2, 5, 6, 7)])
def test_means_of_small_and_large_windows(monkeypatch, shape):
    """Member by member and by XLA's own windows: the same means, the same gradients."""
    rank = len(shape) - 2
    x = jnp.array(np.random.default_rng(0).normal(size=shape), jnp.float32)
    given = (3, 2, 3)[:rank], (2, 1, 2)[:rank], "pad", 1, True

    def run(x):
        out, pull = jax.vjp(lambda x: pool_ops.avg_pool.kernel(x, *given), x)
        return out, *pull(jnp.cos(out))

    ours = jax.jit(run)(x)
    monkeypatch.setattr(pool_ops, "_FEW", 0)
    theirs = jax.jit(lambda x: run(x))(x)
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
