"""Layers: gradients checked numerically, dtypes, compiled runs, state; values are in parity."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.ops.pool_ops import max_pool


def values(*shape: int, seed: int = 0) -> Tensor:
    return Tensor(np.random.RandomState(seed).randn(*shape), ms.float32)


LAYERS = {
    "conv2d": (lambda: nn.Conv2d(2, 4, 3, group=2, has_bias=True), (1, 2, 4, 5)),
    "conv2d_stride": (lambda: nn.Conv2d(2, 3, (2, 3), 2, dilation=2), (1, 2, 5, 6)),
    "conv2d_transpose": (lambda: nn.Conv2dTranspose(4, 2, 3, 2, group=2), (1, 4, 3, 2)),
    "conv2d_transpose_cut": (
        lambda: nn.Conv2dTranspose(2, 3, 2, 3, "pad", (1, 0, 2, 1)),
        (1, 2, 3, 3),
    ),
    "conv3d": (lambda: nn.Conv3d(1, 2, 2), (1, 1, 3, 3, 3)),
    "max_pool2d": (lambda: nn.MaxPool2d(3, 2, "same"), (1, 2, 5, 6)),
    "max_pool2d_dilation": (lambda: nn.MaxPool2d(2, 1, "pad", 1, 2), (1, 2, 5, 6)),
    "avg_pool2d": (lambda: nn.AvgPool2d(3, 2, "pad", 1, True, False), (1, 2, 5, 6)),
    "adaptive": (lambda: nn.AdaptiveAvgPool2d((2, 4)), (1, 2, 5, 6)),
    "batch_norm": (lambda: nn.BatchNorm2d(3).set_train(), (2, 3, 2, 2)),
    "group_norm": (lambda: nn.GroupNorm(2, 4), (2, 4, 3)),
    "instance_norm": (lambda: nn.InstanceNorm2d(2), (2, 2, 3, 3)),
    "lstm": (lambda: nn.LSTM(3, 2, num_layers=2, bidirectional=True), (4, 2, 3)),
    "gru": (lambda: nn.GRU(3, 2, batch_first=True), (2, 4, 3)),
    "upsample": (lambda: nn.Upsample((3, 5), mode="bilinear"), (1, 2, 2, 3)),
}


@pytest.mark.parametrize("key", LAYERS)
def test_derivatives_are_those_of_differences(key: str) -> None:
    make, shape = LAYERS[key]
    np.random.seed(1)
    layer = make()

    def run(raw: jax.Array) -> jax.Array:
        out = layer(Tensor(raw))
        return jnp.sin((out[0] if isinstance(out, tuple) else out)._read()).sum()

    check_grads(run, (values(*shape)._read(),), order=1, modes=["rev"], atol=2e-2, rtol=2e-2)


SHORT = {
    key: LAYERS[key]
    for key in ("conv2d", "conv2d_transpose", "max_pool2d", "avg_pool2d", "adaptive")
} | {"lstm": (lambda: nn.LSTM(3, 2), (3, 2, 3))}


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
@pytest.mark.parametrize("key", SHORT)
def test_short_floats_give_short_floats_near_the_long_ones(key: str, dtype: ms.dtype.DType) -> None:
    make, shape = SHORT[key]
    layer = make()

    def run(x: Tensor) -> Tensor:
        out = layer(x)
        return out[0] if isinstance(out, tuple) else out

    want = run(values(*shape)).asnumpy()
    layer.to_float(dtype)
    got = run(values(*shape))
    assert got.dtype is dtype
    loose = 0.1 if dtype is ms.bfloat16 else 0.02
    np.testing.assert_allclose(got.astype(ms.float32).asnumpy(), want, atol=loose, rtol=loose)
    grad = ms.grad(run)(values(*shape).astype(dtype))
    assert grad.dtype is dtype
    assert np.isfinite(grad.astype(ms.float32).asnumpy()).all()


def test_places_of_maxima_find_the_maxima() -> None:
    x = values(2, 3, 7, 6)
    out, places = nn.MaxPool2d(3, 2, "pad", 1, return_indices=True, ceil_mode=True)(x)
    flat = x.asnumpy().reshape(2, 3, -1)
    found = np.take_along_axis(flat, places.asnumpy().reshape(2, 3, -1), -1)
    np.testing.assert_array_equal(found.reshape(out.shape), out.asnumpy())


def test_the_first_of_equal_elements_beside_each_other_has_the_gradient() -> None:
    # The last column is in no window; the nan is the largest of its own.
    rows = [[1, 1, 3, 0, np.nan, 0, 9], [1, 0, 2, 3, 0, 0, 9]]
    x = jnp.array(rows, jnp.float32)[None, None]

    def largest(x: jax.Array) -> jax.Array:
        return max_pool.kernel(x, (2, 2), (2, 2), "valid")

    values, pullback = jax.vjp(largest, x)
    np.testing.assert_array_equal(values[0, 0], [[1, 3, np.nan]])
    (grad,) = pullback(jnp.array([[[[5.0, 7.0, 4.0]]]]))
    np.testing.assert_array_equal(grad[0, 0], [[5, 0, 7, 0, 4, 0, 0], [0] * 7])
    tangent = jax.jvp(largest, (x,), (jnp.arange(14.0).reshape(x.shape),))[1]
    np.testing.assert_array_equal(tangent[0, 0], [[0, 2, 4]])


def test_a_compiled_loss_of_a_label_out_of_range_is_nan() -> None:
    loss = ms.jit(lambda x, y: ops.cross_entropy(x, y, reduction="none"))
    got = loss(values(3, 4), Tensor([3, 4, -1])).asnumpy()
    assert np.isnan(got).tolist() == [False, True, True]


def test_transposed_convolution_is_the_gradient_of_a_convolution() -> None:
    weight = values(4, 3, 3, 2)
    x, cotangent = values(2, 3, 7, 8, seed=1), values(2, 4, 4, 4, seed=2)
    forward = nn.Conv2d(3, 4, (3, 2), 2, weight_init=weight)
    want = ms.grad(lambda v: (forward(v) * cotangent).sum())(x)
    back = ops.Conv2DTranspose(3, (3, 2), "same", stride=2)(cotangent, weight, x.shape)
    np.testing.assert_allclose(back.asnumpy(), want.asnumpy(), atol=1e-5)


def test_statistics_are_unchanged_when_the_function_raises() -> None:
    layer = nn.BatchNorm1d(2).set_train()

    def fails(x: Tensor) -> Tensor:
        layer(x)
        raise ValueError("after the layer")

    with pytest.raises(ValueError, match="after the layer"):
        ms.grad(fails)(values(3, 2))
    assert layer.moving_mean.asnumpy().tolist() == [0, 0]
    assert layer.moving_variance.asnumpy().tolist() == [1, 1]


def test_no_gradient_flows_into_the_running_statistics() -> None:
    layer = nn.BatchNorm1d(2).set_train()

    def reads(x: Tensor) -> Tensor:
        layer(x)
        return layer.moving_mean.sum()

    assert ms.grad(reads)(values(3, 2)).asnumpy().tolist() == [[0, 0]] * 3


def test_what_lies_behind_a_sequence_does_not_matter() -> None:
    layer = nn.LSTM(3, 2, bidirectional=True)
    x = values(5, 2, 3)
    other = x.asnumpy().copy()
    other[3:, 0] = 100.0
    lengths = Tensor([3, 5], ms.int32)
    out, (h, c) = layer(x, None, lengths)
    again, (h2, c2) = layer(Tensor(other), None, lengths)
    for one, two in ((out, again), (h, h2), (c, c2)):
        np.testing.assert_array_equal(one.asnumpy(), two.asnumpy())
    short = layer(x[:3, :1])[0]
    np.testing.assert_allclose(out.asnumpy()[:3, :1], short.asnumpy(), atol=1e-6)


def test_a_layer_is_a_loop_of_its_cell() -> None:
    layer, cell = nn.GRU(3, 2), nn.GRUCell(3, 2)
    for mine, other in zip(cell.get_parameters(), layer.get_parameters(), strict=True):
        mine.set_data(other)
    x, state = values(4, 2, 3), Tensor(np.zeros((2, 2)), ms.float32)
    out, last = layer(x)
    for step in range(4):
        state = cell(x[step], state)
        np.testing.assert_allclose(out[step].asnumpy(), state.asnumpy(), atol=1e-6)
    np.testing.assert_allclose(last[0].asnumpy(), state.asnumpy(), atol=1e-6)


@pytest.mark.parametrize("p", [0.25, 0.5])
def test_dropout_of_channels_drops_whole_channels(p: float) -> None:
    out = nn.Dropout2d(p).set_train()(ops.ones((20, 30, 2, 3))).asnumpy()
    first = out[:, :, :1, :1]
    np.testing.assert_array_equal(out, np.broadcast_to(first, out.shape))
    assert abs((first == 0).mean() - p) < 0.08
    np.testing.assert_allclose(np.unique(first), [0, 1 / (1 - p)], rtol=1e-6)


def test_the_padding_row_of_an_embedding_gets_no_gradient() -> None:
    weight = values(4, 2)
    ids = Tensor([[0, 3], [3, 1]], ms.int32)
    out = ops.embedding(ids, weight, padding_idx=-1)
    np.testing.assert_array_equal(out.asnumpy(), weight.asnumpy()[ids.asnumpy()])
    grad = ms.grad(lambda w: ops.embedding(ids, w, padding_idx=-1))(weight)
    assert grad.asnumpy().tolist() == [[1, 1], [1, 1], [0, 0], [0, 0]]
    with pytest.raises(NotImplementedError, match="max_norm"):
        ops.embedding(ids, weight, max_norm=1.0)


def test_norm_of_rms() -> None:
    x, gamma = values(2, 3, 4), values(4, seed=1)
    out, factor = ops.rms_norm(x, gamma)
    raw = x.asnumpy()
    want = 1 / np.sqrt((raw**2).mean(-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(factor.asnumpy(), want, rtol=1e-6)
    np.testing.assert_allclose(out.asnumpy(), raw * want * gamma.asnumpy(), rtol=1e-5)


def test_a_second_derivative_of_pooling_and_convolution() -> None:
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.Tanh(), nn.MaxPool2d(2, 2))
    x = values(1, 1, 4, 4)
    second = ms.grad(lambda v: ms.grad(lambda w: (net(w) ** 2).sum())(v).sum())(x)
    assert second.shape == x.shape
    assert float(ops.abs(second).sum()) > 0


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
@pytest.mark.parametrize("key", SHORT)
def test_layers_and_their_gradients_lower_for_accelerators(key: str, platform: str) -> None:
    make, shape = SHORT[key]
    layer = make()

    def run(raw: jax.Array) -> jax.Array:
        out = layer(Tensor(raw))
        return (out[0] if isinstance(out, tuple) else out)._read().sum()

    raw = values(*shape)._read().astype(jnp.bfloat16 if key != "lstm" else jnp.float32)
    if key.startswith("conv"):
        layer.to_float(ms.bfloat16)
    lowered = jax.jit(jax.grad(run)).trace(raw).lower(lowering_platforms=(platform,))
    assert "func" in lowered.as_text()


class ByHand(nn.Cell):
    def construct(self, x):
        x = x - x.mean(-1, keep_dims=True)
        return x / ops.sqrt((x * x).mean(-1, keep_dims=True) + 1e-5)


class Block(nn.Cell):
    def __init__(self, norm):
        super().__init__()
        self.up, self.down, self.norm = nn.Dense(6, 8), nn.Dense(8, 6), norm()

    def construct(self, x):
        return self.norm(x + self.down(ops.relu(self.up(self.norm(x + x)))))


@pytest.mark.parametrize("norm", [lambda: nn.LayerNorm((6,)), ByHand], ids=["layer", "by_hand"])
def test_a_block_is_compiled_as_fast_as_the_one_before(norm):
    def operations(blocks):
        net = nn.SequentialCell([Block(norm) for _ in range(blocks)])
        gradients = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
        step, state = ms.interop.functionalize(gradients, values(4, 6))
        return jax.jit(step).lower(state, values(4, 6)).compile().as_text().count(" = ")

    two, four, six = map(operations, (2, 4, 6))
    assert six - four < 1.2 * (four - two)
