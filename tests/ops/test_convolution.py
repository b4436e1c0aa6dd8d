"""Images smaller than the kernel: the product of matrices gives what XLA's convolution gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from msgrad.ops import _image_windows, conv_ops
from msgrad.ops.conv_ops import conv_transpose, convolve

# Sizes, kernel, stride, padding before and after for each dimension, dilation.
SMALL = {
    "2x2": ((2, 2), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "1x1": ((1, 1), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "halved": ((2, 3), (3, 3), (2, 2), (1, 1, 1, 1), (1, 1)),
    "whole": ((4, 5), (4, 5), (1, 1), (0, 0, 0, 0), (1, 1)),
    "gradient": ((4, 4), (3, 3), (1, 1), (0, 0, 0, 0), (1, 1)),
    "dilated": ((5, 5), (2, 3), (1, 2), (0, 0, 1, 0), (4, 2)),
    "cut": ((5, 1), (2, 2), (5, 1), (0, 1, 3, 0), (1, 1)),
    "padding only": ((1, 1), (2, 1), (3, 1), (0, 3, 0, 0), (1, 1)),
    "line": ((2,), (3,), (1,), (1, 1), (1,)),
    "volume": ((1, 2, 2), (2, 2, 3), (1, 1, 1), (0, 1, 0, 0, 1, 1), (1, 1, 1)),
}


@pytest.fixture(autouse=True)
def few_channels_count(monkeypatch):
    """By default those of the tests are left to XLA."""
    monkeypatch.setattr(_image_windows, "_CHANNELS", 0)


def _given(sizes, kernel):
    rng = np.random.default_rng(0)
    shapes = (2, 3, *sizes), (4, 3, *kernel)
    return [jnp.array(rng.normal(size=shape), jnp.float32) for shape in shapes]


def _ours(x, weight, stride, padding, dilation, groups=1):
    rank = len(stride)
    return convolve.kernel(
        x, weight, None, "Conv2D", rank, stride, "pad", padding, dilation, groups
    )


def _uses_convolution(x, weight, *options):
    program = jax.make_jaxpr(lambda x, weight: _ours(x, weight, *options))(x, weight)
    return "conv_general_dilated" in str(program)


@pytest.mark.parametrize("name", SMALL)
def test_small_images(name):
    sizes, kernel, stride, padding, dilation = SMALL[name]
    x, weight = _given(sizes, kernel)
    assert not _uses_convolution(x, weight, stride, padding, dilation)
    pairs = list(zip(padding[::2], padding[1::2], strict=True))

    def plain(x, weight):
        return lax.conv_general_dilated(x, weight, stride, pairs, rhs_dilation=dilation)

    @jax.jit
    def both(x, weight):
        found = []
        for fn in (plain, lambda x, w: _ours(x, w, stride, padding, dilation)):
            out, pull = jax.vjp(fn, x, weight)
            found.append((out, *pull(jnp.cos(out))))
        return found

    for theirs, ours in zip(*both(x, weight), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


# Sizes, kernel, stride, mode, padding, dilation, output padding.
SMALL_TRANSPOSED = {
    "1x1": ((1, 1), (4, 4), (1, 1), "pad", 0, (1, 1), (0, 0)),
    "doubled": ((2, 2), (4, 4), (2, 2), "pad", 1, (1, 1), (0, 0)),
    "same": ((2, 3), (3, 3), (2, 1), "same", 0, (1, 1), (0, 0)),
    "cut": ((2, 2), (3, 3), (3, 2), "pad", (2, 0, 1, 1), (2, 1), (1, 0)),
    "gaps": ((2, 2), (5, 1), (1, 3), "valid", 0, (1, 1), (0, 0)),
}


@pytest.mark.parametrize("name", SMALL_TRANSPOSED)
def test_small_images_transposed(name, monkeypatch):
    sizes, kernel, stride, mode, padding, dilation, more = SMALL_TRANSPOSED[name]
    x, weight = _given(sizes, kernel)
    weight, bias = weight[:3], jnp.arange(3.0)

    def run(x, weight, bias):
        given = (stride, mode, padding, dilation, 1, more)
        out, pull = jax.vjp(lambda *a: conv_transpose.kernel(*a, *given), x, weight, bias)
        return out, *pull(jnp.cos(out))

    ours = jax.jit(run)(x, weight, bias)
    assert "conv_general_dilated" not in str(jax.make_jaxpr(run)(x, weight, bias))
    monkeypatch.setattr(conv_ops, "is_small", lambda *_: False)
    theirs = jax.jit(lambda *given: run(*given))(x, weight, bias)
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_a_second_derivative_and_vmap():
    sizes, kernel, stride, padding, dilation = SMALL["2x2"]
    x, weight = _given(sizes, kernel)

    def energy(fn):
        def loss(x, weight):
            return jnp.sum(fn(x[None], weight) ** 3)

        return jax.vmap(jax.grad(lambda x: jnp.sum(jax.grad(loss, 1)(x, weight) ** 2)))

    plain = energy(lambda x, w: lax.conv_general_dilated(x, w, stride, "SAME"))
    ours = energy(lambda x, w: _ours(x, w, stride, padding, dilation))
    theirs, found = jax.jit(lambda x: (plain(x), ours(x)))(x)
    np.testing.assert_allclose(found, theirs, rtol=1e-4)


def test_others_are_convolutions():
    x, weight = _given((3, 3), (3, 3))
    assert _uses_convolution(x, weight, (1, 1), (1, 1, 1, 1), (1, 1))
    assert _uses_convolution(x[:, :, :2, :2], weight[:3, :1], (1, 1), (1, 1, 1, 1), (1, 1), 3)
    x, weight = _given((17, 17), (17, 17))
    assert _uses_convolution(x, weight, (1, 1), (0, 0, 0, 0), (1, 1))


def test_few_channels_are_a_convolution(monkeypatch):
    monkeypatch.undo()
    x, weight = _given((2, 2), (3, 3))
    assert _uses_convolution(x, weight, (1, 1), (1, 1, 1, 1), (1, 1))
