"""Reductions and extremes: any shape and axis against NumPy, gradients, 64-bit operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.test_util import check_grads

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.ops import extremes, quantiles, reduction

NUMPY = {
    "sum": np.sum,
    "mean": np.mean,
    "prod": np.prod,
    "amax": np.max,
    "amin": np.min,
    "var": np.var,
    "std": np.std,
    "all": np.all,
    "any": np.any,
}


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_axis_of_every_shape_as_numpy(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple))
    indices = st.integers(-len(shape), len(shape) - 1)
    some = st.lists(indices, min_size=1, unique_by=lambda a: a % len(shape)).map(tuple)
    axis = data.draw(st.one_of(st.none(), indices, some))
    name = data.draw(st.sampled_from(sorted(NUMPY)))
    values = (np.arange(np.prod(shape)) * 7 % 5 - 1.5).reshape(shape)
    got = getattr(ops, name)(Tensor(values), axis)
    want = NUMPY[name](values, axis=axis)
    assert got.shape == want.shape
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-12, atol=1e-12)


WIDE = {
    "max": lambda x: x.max(0),
    "max axis": lambda x: x.max(axis=0),
    "amin": lambda x: ops.amin(x, 0),
    "argmax": lambda x: x.argmax(0),
    "argmin": lambda x: x.argmin(),
    "ArgMaxWithValue": lambda x: ops.ArgMaxWithValue()(x),
    "median": lambda x: x.median(0),
    "cummax": lambda x: ops.cummax(x, 0),
    "cumsum": lambda x: x.cumsum(0),
    "cumprod": lambda x: x.cumprod(0),
}


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("name", WIDE)
def test_64_bit_operands_agree_with_32_bit_ones(name: str, dtype: Any) -> None:
    values = np.array([[3, 1], [5, 1], [2, 4]])
    narrow = {np.int64: np.int32, np.float64: np.float32}[dtype]
    wide, less = (WIDE[name](Tensor(values.astype(d))) for d in (dtype, narrow))
    pairs = zip(wide, less, strict=True) if isinstance(wide, tuple) else [(wide, less)]
    for one, other in pairs:
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_argmax_finds_the_first_nan_at_both_widths() -> None:
    for dtype in (np.float32, np.float64):
        assert Tensor(np.array([1, np.nan, 3, np.nan], dtype)).argmax(0).item() == 1


SMOOTH = {
    "sum": lambda x: reduction.sum.kernel(x, 1),
    "mean": lambda x: reduction.mean.kernel(x, 1),
    "prod": lambda x: reduction.prod.kernel(x, 1),
    "var": lambda x: reduction.var.kernel(x, 1, 1),
    "std": lambda x: reduction.std.kernel(x, 0),
    "logsumexp": lambda x: reduction.logsumexp.kernel(x, (0, 1)),
    "cumsum": lambda x: reduction.cumsum.kernel(x, 1, exclusive=True, reverse=True),
    "cumprod": lambda x: reduction.cumprod.kernel(x, 1),
    "amax": lambda x: extremes._amax.kernel(x, None, 1),
    "max": lambda x: extremes._argmax_with_value.kernel(x, 1)[1],
    "median": lambda x: quantiles.median.kernel(x)[0],
    "cummin": lambda x: extremes.cummin.kernel(x, 1)[0],
}


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_of_first_and_second_order(name: str) -> None:
    x = np.array([[0.5, -1.5, 2.0], [3.0, 1.0, 0.25]], np.float32)
    check_grads(SMOOTH[name], (x,), order=2, rtol=2e-2, atol=2e-2, eps=1e-2)


@pytest.mark.parametrize(
    "name", ["prod", "cumprod", "cumsum", "std", "logsumexp", "median", "amax"]
)
def test_gradients_in_float64(name: str) -> None:
    function = getattr(ops, name)
    first = (lambda x: function(x, 0)[0]) if name == "median" else lambda x: function(x, 0)
    values = np.array([[2.0, 1.0], [0.5, 3.0], [1.5, 4.0]])
    wide, narrow = (ms.grad(first)(Tensor(values, d)) for d in (ms.float64, ms.float32))
    assert wide.dtype == ms.float64
    np.testing.assert_allclose(wide.asnumpy(), narrow.asnumpy(), rtol=1e-5, atol=1e-6)


def test_ties_share_the_gradient_of_amax_and_not_of_max() -> None:
    x = Tensor([1.0, 3.0, 3.0])
    assert ms.grad(lambda x: ops.amax(x, 0))(x).asnumpy().tolist() == [0.0, 0.5, 0.5]
    assert ms.grad(lambda x: ops.max(x, 0)[0])(x).asnumpy().tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("axis", [True, 1.0, "a"])
def test_an_axis_of_another_type_is_refused_even_after_an_equal_int(axis: Any) -> None:
    x = Tensor([[1.0, 2.0]])
    ops.sum(x, 1)
    with pytest.raises(TypeError):
        ops.sum(x, axis)
