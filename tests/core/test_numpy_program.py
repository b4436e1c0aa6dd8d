"""What JAX traces and NumPy runs gives what XLA gives, and is kept on disk."""

from __future__ import annotations

import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from msgrad._core.numpy_program import NumpyProgram, OtherOperandsError, fits

X = np.random.default_rng(0).normal(size=(2, 3, 8, 7)).astype(np.float32)
M = X[0, 0]
_TABLE = np.ones((2**20, 4), np.float32)
AT = np.array([[1, 0], [9, 2], [-3, 5], [4, 4]], np.int32)


def _conv(x, w, **given):
    strides = given.pop("window_strides", (1, 1))
    padding = given.pop("padding", [(1, 2), (0, 1)])
    return lax.conv_general_dilated(x, w, strides, padding, **given)


def _gradients(function, *given):
    cotangent = jax.eval_shape(function, *given)
    ones = jnp.cos(jnp.arange(cotangent.size, dtype=np.float32)).reshape(cotangent.shape)
    return jax.vjp(function, *given)[1](ones)


@jax.custom_vjp
def _twice(x):
    return 2 * x


_twice.defvjp(lambda x: (2 * x, None), lambda _, g: (2 * g,))

_OF_ONE = (
    "abs acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor "
    "is_finite log log1p logistic neg rsqrt sign sin sinh sqrt square tan tanh"
)
_ELEMENTWISE = {name: getattr(lax, name) for name in _OF_ONE.split()} | {
    "to even": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
    "away from zero": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
    "powers": lambda x: (x**-3, x**5, x**0 + x**1, lax.pow(jnp.abs(x), x)),
    "two": lambda x: (lax.rem(x, x[::-1]), lax.atan2(x, x[::-1]), lax.max(x, -x), x / x[::-1]),
    "clamp": lambda x: lax.clamp(-0.5, x, np.float32(0.7)),
    "to integers": lambda x: [(x * 1e10).astype(t) for t in ("int8", "uint8", "int32", "int64")],
    "bits": lambda x: lax.bitcast_convert_type(x, np.uint32) >> 3,
    "halves of bits": lambda x: lax.bitcast_convert_type(x, np.uint16),
    "bits of 16": lambda x: lax.bitcast_convert_type(x.astype(jnp.bfloat16), np.int16),
    "bits together": lambda x: lax.bitcast_convert_type(jnp.stack([x, x], -1), np.float64),
    "largest": lambda x: [lax.top_k(lax.pad(x, -x[4], [(0, 0, 0)]), 9), lax.top_k(x > 0, 3)],
}
_PROGRAMS = {
    "gather rows": (lambda x, i: x[i], M, AT[:, 1]),
    "gather points": (lambda x, i: x.at[i[:, 0], i[:, 1]].get(mode="fill"), M, AT),
    "gather windows": (lambda x, i: jax.vmap(lambda k: lax.dynamic_slice(x, k, (2, 3)))(i), M, AT),
    "gather along": (lambda x, i: jnp.take_along_axis(x, i % 7, 1), M[:4], AT),
    "gather of a batch": (lambda x, i: jax.vmap(lambda r, k: r[k])(x, i[:, 0] % 7), M[:4], AT),
    "scatter": (lambda x, i: x.at[i[:, 0]].set(2.0, mode="drop"), M, AT),
    "scatter-add": (lambda x, i: x.at[i[:, 0], i[:, 1]].add(x[:4, 0], mode="drop"), M, AT),
    "scatter in bounds": (lambda x, i: x.at[i[:, 0]].set(2.0, mode="promise_in_bounds"), M, AT),
    "gather of 16 bits": (
        lambda x, i: x.astype(jnp.bfloat16).at[i[:, 0]].get(mode="fill").astype(np.float32),
        M,
        AT,
    ),
    "scatter-add rows": (lambda x, i: x.at[i[:, 1] % 3].add(x[:4]), M, AT),
    "gather's gradient": (lambda x, i: _gradients(lambda x: jnp.take(x, i, 0), x), M, AT),
    "update": (lambda x: lax.dynamic_update_slice(x, x[:2, :2], (7, -3)), M),
    "pad": (lambda x: lax.pad(x, 2.0, [(1, -2, 2), (-1, 3, 0)]), M),
    "sums": (lambda x: (x.sum(0), x.sum((1, 3)), x.max((0, 2)), x.prod(2), x.min()), X),
    "long sum": (lambda x: jnp.broadcast_to(x, (3000, 8, 7)).sum(0), M),
    "along": (
        lambda x: (x.cumsum(1), lax.cumsum(x, 0, reverse=True), lax.cumprod(x, 1), lax.cummax(x)),
        M,
    ),
    "long running sum": (lambda x: jnp.tile(jnp.abs(x).ravel(), 9000).cumsum()[::1000], M[0]),
    "largest of integers": (
        lambda i: [lax.top_k(i.astype(t), 2, axis=0) for t in ("int32", "uint8", "int64")],
        AT * 2**29,
    ),
    "sort": (lambda x: (jnp.sort(x, 1), jnp.argsort(x, 0), lax.top_k(x, 3), x.argmax(1)), M),
    "products": (lambda x: (x @ x.T, jnp.einsum("abcd,abed->bace", X, X), x[0] @ x[1]), M),
    "products of broadcasts": (lambda x: jnp.ones((5, 8)) @ x + jnp.full((5, 8), x[0, 0]) @ x, M),
    "products of bytes": (
        lambda x: (
            lax.dot(x[0, 0], x[0, 0].T, preferred_element_type=np.int32),
            _conv(x, x[:, :, :3, :2], preferred_element_type=np.int32),
        ),
        (X * 50).astype(np.int8),
    ),
    "convolution": (_conv, X, X[:, :, :3, :2]),
    "dilated": (lambda x, w: _conv(x, w, rhs_dilation=(2, 3)), X, X[:, :, :3, :2]),
    "strides": (lambda x, w: _conv(x, w, window_strides=(2, 3)), X, X[:, :, :3, :2]),
    "spread": (lambda x, w: _conv(x, w, lhs_dilation=(2, 1)), X, X[:, :, :3, :2]),
    "groups": (lambda x, w: _conv(x, w, feature_group_count=3), X, X.reshape(6, 1, 8, 7)[..., :2]),
    "channels last": (
        lambda x, w: _conv(x, w, dimension_numbers=("NHWC", "HWIO", "NHWC")),
        X.transpose(0, 2, 3, 1),
        X[:, :, :3, :2].transpose(2, 3, 1, 0),
    ),
    "convolution's gradients": (
        lambda x, w: _gradients(lambda x, w: _conv(x, w, window_strides=(2, 2)), x, w),
        X,
        X[:, :, :3, :2],
    ),
    "gradients of groups": (
        lambda x, w: _gradients(lambda x, w: _conv(x, w, feature_group_count=3), x, w),
        X,
        X.reshape(6, 1, 8, 7)[..., :2],
    ),
    "windows": (
        lambda x: (
            lax.reduce_window(x, -np.inf, lax.max, (1, 1, 3, 2), (1, 1, 2, 1), "SAME"),
            lax.reduce_window(x, 0.0, lax.add, (1, 1, 3, 2), (1, 1, 1, 2), "VALID"),
            lax.reduce_window(jnp.tile(x, 4), 0.0, lax.add, (1, 2, 6, 23), (1, 1, 1, 1), "SAME"),
        ),
        X,
    ),
    "loop": (lambda x: lax.scan(lambda c, r: (c * 0.5 + r, c + 1), x[0], x), M),
    "loop back": (lambda x: lax.scan(lambda c, r: (c + r, c), x[0], x, reverse=True), M),
    "loop's gradient": (
        lambda x: _gradients(lambda x: lax.scan(lambda c, r: (c * r, c), x[0], x)[1], x),
        M,
    ),
    "draws": (lambda key: jax.random.uniform(jax.random.wrap_key_data(key), (5, 7)), AT[:2, 0]),
    "64 bits": (lambda x: (x.astype(np.int64) << 40, x.astype(np.float64) * 1e40), M),
    "integers": (lambda i: (i & 3, i | 8, i ^ 5, ~i, i * i - 2, i.max(), i < 3, i.sum(0)), AT),
    "quotients": (lambda i: [f(x, i - 2) for f in (lax.div, lax.rem) for x in (i, i * 7 - 30)], AT),
    "bodies": (
        lambda x: (jax.checkpoint(jnp.sin)(x), jax.nn.relu(x), _twice(x), jax.jit(jnp.cos)(x)),
        M,
    ),
    **{
        dtype: (lambda x, dtype=dtype: _in_16_bits(x.astype(dtype)), M)
        for dtype in ("float16", "bfloat16")
    },
    "nothing": (lambda x: x, M),
}


def _in_16_bits(x):
    turns = lax.scan(lambda c, row: (c * row, c), x[0], x)
    return x * x + 1, jnp.tanh(x), x @ x.T, lax.reduce_max(x, (0,)), x > 0, x.astype(int), turns


def test_a_program_takes_what_it_was_traced_for():
    traced = jax.jit(jnp.add).trace(M, M)
    program = NumpyProgram(traced.jaxpr, traced.out_info)
    for other in (M[0], M.astype(int), 1.0):
        with pytest.raises(OtherOperandsError):
            program(M, other)


def _check(function, *given):
    traced = jax.jit(function).trace(*given)
    assert fits(traced.jaxpr.jaxpr)
    program = NumpyProgram(traced.jaxpr, traced.out_info)
    expected = jax.jit(function)(*given)
    for made in (program(*given), pickle.loads(pickle.dumps(program))(*given)):
        assert jax.tree.structure(made) == jax.tree.structure(expected)
        for x, y in zip(jax.tree.leaves(made), jax.tree.leaves(expected), strict=True):
            assert isinstance(x, jax.Array) and (x.dtype, x.shape) == (y.dtype, y.shape)
            close = 2e-5 if x.dtype != jnp.float16 and x.dtype != jnp.bfloat16 else 0.02
            np.testing.assert_allclose(x, y, close, close)


@pytest.mark.parametrize("name", _ELEMENTWISE)
def test_functions_of_elements(name):
    special = np.array([0, -0.0, 1, -1, np.nan, np.inf, -np.inf, 3e38, 1e-3, 2.5, -2.5], np.float32)
    _check(_ELEMENTWISE[name], np.concatenate([special, M.ravel()]))


@pytest.mark.parametrize("name", _PROGRAMS)
def test_programs(name):
    function, *given = _PROGRAMS[name]
    if name == "draws":
        given = [np.array([7, 9], np.uint32)]
    _check(function, *given)


@pytest.mark.parametrize(
    ("function", "size", "expected"),
    [
        (lambda x: lax.scan(lambda c, r: (c * r, c), x[0], x), 16, True),
        (lambda x: lax.scan(lambda c, r: (c * r, c), x[0], x), 4096, False),
        (lambda x: lax.top_k(x, 2), 256, True),
        (lambda x: lax.top_k(x, 2), 1024, False),
        (lambda x: x.astype(int) @ x.astype(int).T, 64, True),
        (lambda x: x.astype(int) @ x.astype(int).T, 512, False),
        (lambda x: jnp.asarray(_TABLE)[x[:, 0].astype(int)], 64, True),
        (lambda x: lax.erf(x + 1), 2**13, True),
        (lambda x: lax.erf(x + 1), 2**14, False),
    ],
)
def test_what_takes_long_is_compiled(function, size, expected):
    traced = jax.jit(function).trace(np.ones((size, 4), np.float32))
    assert fits(traced.jaxpr.jaxpr) == expected
