"""Gradients of resizing by a matrix and by scattering are the same."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad.ops import resize_ops


@pytest.mark.parametrize("rule", ["corners", "centers", "left"])
@pytest.mark.parametrize("sizes", [(8, 10), (3, 4), (7, 1), (13, 5)])
@pytest.mark.parametrize("name", ["_resize_linear", "_resize_cubic"])
def test_both_ways(monkeypatch, name, sizes, rule):
    x = jnp.array(np.random.default_rng(0).normal(size=(2, 3, 4, 5)), jnp.float32)
    resize = getattr(resize_ops, name).kernel

    def run(x):
        out, pull = jax.vjp(lambda x: resize(x, sizes, rule), x)
        return out, *pull(jnp.cos(out))

    assert "scatter" not in str(jax.make_jaxpr(run)(x))
    ours = jax.jit(run)(x)
    monkeypatch.setattr(resize_ops, "_ROWS", 0)
    theirs = jax.jit(lambda x: run(x))(x)
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
