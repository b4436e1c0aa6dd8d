"""Convolutions in other operations give what XLA's convolution gives."""

import functools
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from msgrad.ops import _convolution
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
    monkeypatch.setattr(_convolution, "_CHANNELS", 0)


def _given(sizes, kernel):
    rng = np.random.default_rng(0)
    shapes = (2, 3, *sizes), (4, 3, *kernel)
    return [jnp.array(rng.normal(size=shape), jnp.float32) for shape in shapes]


def _ours(x, weight, stride, padding, dilation, groups=1):
    rank = len(stride)
    return convolve.kernel(x, weight, None, rank, stride, "pad", padding, dilation, groups)


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
    monkeypatch.setattr(_convolution, "_WINDOWS", -1)
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
    x, weight = _given((17, 17), (17, 17))
    assert _uses_convolution(x, weight, (1, 1), (0, 0, 0, 0), (1, 1))


def test_few_channels_are_a_convolution(monkeypatch):
    monkeypatch.undo()
    x, weight = _given((2, 2), (3, 3))
    assert _uses_convolution(x, weight, (1, 1), (1, 1, 1, 1), (1, 1))


# Channels, channels out, groups, sizes, kernel, stride, padding before and after, dilation.
GROUPS = {
    "depthwise": (3, 3, 3, (5, 6), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "depthwise, halved": (4, 4, 4, (6, 7), (3, 2), (2, 2), (1, 0, 1, 1), (1, 1)),
    "depthwise, twice": (3, 6, 3, (4, 4), (3, 3), (1, 1), (0, 2, 1, 0), (1, 2)),
    "depthwise, far outside": (2, 4, 2, (3, 3), (2, 2), (2, 1), (3, 2, 0, 4), (1, 1)),
    "depthwise line": (5, 5, 5, (9,), (4,), (3,), (1, 2), (2,)),
    "depthwise volume": (2, 4, 2, (3, 4, 3), (2, 3, 1), (1, 2, 1), (0, 1, 1, 1, 0, 0), (1, 1, 1)),
    "depthwise, too large": (2, 2, 2, (9, 9), (8, 8), (1, 1), (4, 4, 4, 4), (1, 1)),
    "blocks": (6, 9, 3, (5, 5), (3, 3), (2, 1), (1, 1, 1, 1), (1, 2)),
    "one block of many": (80, 40, 20, (4, 4), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "large groups": (96, 64, 2, (3, 3), (1, 1), (1, 1), (0, 0, 0, 0), (1, 1)),
    "line of blocks": (4, 4, 2, (7,), (3,), (1,), (2, 0), (1,)),
    "volume": (3, 4, 1, (4, 5, 6), (3, 2, 3), (1, 2, 1), (1, 1, 0, 1, 1, 1), (1, 1, 2)),
    "layers that are halved": (
        2,
        3,
        1,
        (7, 4, 4),
        (2, 3, 3),
        (2, 1, 1),
        (1, 2, 1, 1, 1, 1),
        (2, 1, 1),
    ),
    "volume of blocks": (4, 6, 2, (3, 4, 4), (2, 3, 3), (1, 1, 1), (0, 1, 1, 1, 1, 1), (1, 1, 1)),
    "one element": (5, 7, 1, (6, 5), (1, 1), (2, 1), (1, 0, 0, 0), (1, 1)),
    "smaller than the kernel": (8, 8, 2, (2, 2), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
}


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float16, jnp.bfloat16])
@pytest.mark.parametrize("name", GROUPS)
def test_groups(name, dtype, monkeypatch):
    _compare(2, GROUPS[name], dtype, monkeypatch)


def test_what_a_large_weight_is_differentiated_by(monkeypatch):
    _compare(8, (16, 32, 16, (12, 12), (3, 3), (1, 1), (1,) * 4, (1, 1)), jnp.float32, monkeypatch)


@pytest.mark.parametrize("images", [1, 7, 12])
def test_depthwise_of_so_many_images(images, monkeypatch):
    _compare(images, GROUPS["depthwise, halved"], jnp.float32, monkeypatch)


# The most elements of a part, images, and the rest as above.
PARTS = {
    "images": (50, 5, (3, 4, 1, (3, 2), (2, 3), (1, 1), (1, 0, 1, 1), (1, 1))),
    "rows": (20, 2, (3, 4, 1, (7, 6), (3, 2), (2, 1), (1, 2, 0, 1), (1, 1))),
    "single rows": (1, 1, (3, 4, 1, (5, 3), (3, 3), (1, 2), (2, 2, 1, 1), (2, 1))),
    "line": (40, 4, (2, 3, 1, (11,), (3,), (1,), (1, 1), (1,))),
    "part of a block": (40, 2, (4, 4, 2, (5, 6), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1))),
    "part of a volume": (40, 1, (2, 3, 1, (3, 4, 4), (2, 3, 3), (1,) * 3, (1,) * 6, (1,) * 3)),
}


@pytest.mark.parametrize("name", PARTS)
def test_gradients_of_weights_in_parts(name, monkeypatch):
    most, images, case = PARTS[name]
    monkeypatch.setattr(_convolution, "_PART", most)
    monkeypatch.setattr(_convolution, "_WINDOWS", -1)
    _compare(images, case, jnp.float32, monkeypatch)


def test_a_large_gradient_is_computed_in_parts():
    x, weight = jnp.ones((4, 3, 128, 128)), jnp.ones((16, 3, 3, 3))
    given = (1, 1), (1, 1, 1, 1), (1, 1)
    gradient = jax.grad(lambda weight: _ours(x, weight, *given).sum())
    program = str(jax.make_jaxpr(gradient)(weight))
    assert program.count("conv_general_dilated") >= 4


def _compare(images, case, dtype, monkeypatch):
    channels, out_channels, groups, sizes, kernel, stride, padding, dilation = case
    rng = np.random.default_rng(0)
    shapes = (images, channels, *sizes), (out_channels, channels // groups, *kernel)
    x, weight = (jnp.array(rng.normal(size=shape), dtype) for shape in shapes)

    def run(x, weight):
        conv = functools.partial(
            _ours, stride=stride, padding=padding, dilation=dilation, groups=groups
        )
        out, pull = jax.vjp(conv, x, weight)
        moved = jax.jvp(conv, (x, weight), (jnp.sin(x), jnp.cos(weight)))[1]
        each = jax.vmap(lambda one: conv(one[None], weight))(x)
        found = out, *pull(jnp.cos(out)), moved, each
        # Of 16 bits nothing is left after it.
        second = jax.grad(lambda w: jnp.sum(jnp.sin(pull(conv(x, w))[0])))
        return (*found, second(weight)) if dtype == jnp.float32 else found

    ours = jax.jit(run)(x, weight)
    monkeypatch.setattr(_convolution, "platform", lambda: "gpu")
    theirs = jax.jit(lambda *given: run(*given))(x, weight)
    wide = jax.jit(lambda *given: run(*given))(x.astype(jnp.float32), weight.astype(jnp.float32))
    for found, expected, exact in zip(ours, theirs, wide, strict=True):
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        wrong = abs(expected.astype(jnp.float32) - exact).max()
        allowed = 2 * wrong + 1e-5 * abs(exact).max() + 1e-6
        np.testing.assert_allclose(np.float32(found), exact, rtol=0, atol=float(allowed))


@pytest.mark.parametrize("name", ["depthwise", "blocks", "depthwise line", "volume", "one element"])
def test_groups_transposed(name, monkeypatch):
    channels, out_channels, groups, sizes, kernel, stride, padding, dilation = GROUPS[name]
    rng = np.random.default_rng(0)
    shapes = (2, out_channels, *sizes), (out_channels, channels // groups, *kernel)
    x, weight = (jnp.array(rng.normal(size=shape), jnp.float32) for shape in shapes)

    def run(x, weight):
        given = (stride, "pad", padding, dilation, groups, tuple(s - 1 for s in stride))
        out, pull = jax.vjp(lambda *a: conv_transpose.kernel(*a, None, *given), x, weight)
        return out, *pull(jnp.cos(out))

    ours = jax.jit(run)(x, weight)
    monkeypatch.setattr(_convolution, "platform", lambda: "gpu")
    theirs = jax.jit(lambda *given: run(*given))(x, weight)
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_a_gradient_keeps_no_windows(monkeypatch):
    """Memory: what a gradient keeps is the image and the weight."""
    monkeypatch.setattr(_convolution, "_PART", 1024)
    for channels, groups in ((64, 64), (64, 16), (64, 1)):
        x, weight = jnp.ones((2, channels, 16, 16)), jnp.ones((channels, channels // groups, 3, 3))
        conv = functools.partial(
            _ours, stride=(1, 1), padding=(1, 1, 1, 1), dilation=(1, 1), groups=groups
        )
        kept = jax.tree.leaves(jax.jit(lambda *a: jax.vjp(conv, *a)[1])(x, weight))
        assert sum(each.size for each in kept) <= 2 * (x.size + 8 * weight.size)


def test_a_gradient_has_no_barrier_of_several_values():
    """A program that has one is compiled without those of ``once``."""
    x, weight = jnp.ones((2, 4, 5, 5)), jnp.ones((4, 1, 3, 3))

    def loss(x, weight):
        return jnp.sum(_ours(x, weight, (1, 1), (1, 1, 1, 1), (1, 1), 4) ** 2)

    program = jax.jit(jax.grad(loss, (0, 1))).lower(x, weight).as_text()
    assert not re.search(r"optimization_barrier %\w+,", program)


def test_no_images_of_several_groups():
    for groups, channels in ((4, 1), (2, 2)):
        x, weight = jnp.ones((0, 4, 5, 5)), jnp.ones((4, channels, 3, 3))
        given = (1, 1), (1, 1, 1, 1), (1, 1), groups
        out, pull = jax.vjp(lambda x, weight, given=given: _ours(x, weight, *given), x, weight)
        assert out.shape == (0, 4, 5, 5)
        assert not pull(out)[1].any()
