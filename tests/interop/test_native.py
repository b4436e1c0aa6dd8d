"""``to_nnx``: every layer of the table gives what msgrad gives, values and gradients, and back."""

from __future__ import annotations

import copy

import cloudpickle
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Tensor, interop, nn, ops
from msgrad.interop.native import _TABLE
from tests.without_msgrad import run_without_msgrad

IMAGE, ROWS = (2, 4, 5, 6), (3, 4)
# By name: the layer, its inputs.
LAYERS = {
    "Dense": (lambda: nn.Dense(4, 3, activation="relu"), ROWS),
    "Linear": (lambda: nn.Linear(4, 3, bias=False), ROWS),
    "Conv1d": (lambda: nn.Conv1d(4, 6, 3, 2, has_bias=True, dilation=1), (2, 4, 7)),
    "Conv1d pad": (lambda: nn.Conv1d(4, 6, 3, pad_mode="pad", padding=2), (2, 4, 7)),
    "Conv2d": (lambda: nn.Conv2d(4, 6, 3, 2, has_bias=True), IMAGE),
    "Conv2d pad": (
        lambda: nn.Conv2d(4, 6, (2, 3), pad_mode="pad", padding=(1, 0, 2, 1), group=2), IMAGE),
    "Conv2d int": (lambda: nn.Conv2d(4, 6, 3, pad_mode="pad", padding=1, dilation=2), IMAGE),
    "Conv3d": (lambda: nn.Conv3d(1, 2, 2, pad_mode="valid"), (1, 1, 3, 4, 5)),
    "Conv2dTranspose": (lambda: nn.Conv2dTranspose(4, 6, 3, 2, has_bias=True), IMAGE),
    "Conv2dTranspose pad": (
        lambda: nn.Conv2dTranspose(4, 2, (3, 2), 2, "pad", (1, 0, 1, 1), dilation=(2, 1)), IMAGE),
    "Conv3dTranspose": (lambda: nn.Conv3dTranspose(1, 2, 2, 2, "valid"), (1, 1, 3, 4, 5)),
    "BatchNorm1d": (lambda: nn.BatchNorm1d(4).set_train(), ROWS),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(4, eps=1e-3), IMAGE),
    "LayerNorm": (lambda: nn.LayerNorm((4,), epsilon=1e-5), ROWS),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), IMAGE),
    "Embedding": (lambda: nn.Embedding(5, 3), None),
    "Dropout": (lambda: nn.Dropout(p=0.5), ROWS),
    "Flatten": (lambda: nn.Flatten(1, 2), IMAGE),
    "Identity": (lambda: nn.Identity(), ROWS),
    "MaxPool2d": (lambda: nn.MaxPool2d(3, 2, "same"), IMAGE),
    "AvgPool2d": (lambda: nn.AvgPool2d((2, 3), 2, "same"), IMAGE),
    **{name: (getattr(nn, name), ROWS) for name in (
        "ReLU", "ReLU6", "Tanh", "Sigmoid", "SiLU", "GELU", "LeakyReLU", "Softmax", "LogSoftmax")},
}  # fmt: skip


class Block(nn.Cell):
    """An own Cell."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3)
        self.norm = nn.BatchNorm2d(channels)

    def construct(self, x: Tensor) -> Tensor:
        return ops.relu(self.norm(self.conv(x)) + x)


def drawn(cell: nn.Cell, shape) -> np.ndarray:
    """Give all weights values that tell them apart; return an input."""
    rng = np.random.default_rng(0)
    for param in cell.get_parameters():
        param.set_data(Tensor(rng.uniform(0.2, 1.5, param.shape).astype(np.float32)))
    if shape is None:
        return np.array([[1, 4], [0, 1]], np.int32)
    return rng.normal(size=shape).astype(np.float32)


def values(cell: nn.Cell, x) -> dict[str, np.ndarray]:
    """Return the output of a Cell, and the gradients of its squares by name."""
    params = ms.ParameterTuple(cell.trainable_params())

    def loss(x):
        out = cell(x)
        return (out**2).sum(), out

    if not params:
        return {"output": cell(Tensor(x)).asnumpy()}
    (_, out), grads = ms.value_and_grad(loss, None, params, has_aux=True)(Tensor(x))
    found = {p.name: g.asnumpy() for p, g in zip(params, grads, strict=True)}
    return {"output": out.asnumpy(), **found}


def native_values(net, cell: nn.Cell, x) -> dict[str, np.ndarray]:
    """Return the same of a network; the gradients get MindSpore's names by ``from_nnx``."""
    if not isinstance(net, nnx.Module):
        return {"output": np.asarray(net(x))}
    graph, params, rest = nnx.split(net, nnx.Param, ...)

    @jax.jit
    def run(params, rest):
        def loss(params):
            out = nnx.merge(graph, params, rest, copy=True)(x)
            return (out**2).sum(), out

        return jax.grad(loss, has_aux=True)(params)

    grads, out = run(params, rest)
    return {"output": out} | named(net, cell, jax.tree.leaves(grads))


def named(net, cell: nn.Cell, gradients) -> dict[str, np.ndarray]:
    """Return gradients, as JAX has them in a row, by MindSpore's names."""
    graph, params, rest = nnx.split(net, nnx.Param, ...)
    target = copy.deepcopy(cell)
    params = jax.tree.unflatten(jax.tree.structure(params), gradients)
    interop.from_nnx(nnx.merge(graph, params, rest), target)
    return {p.name: p.asnumpy() for p in target.trainable_params()}


def close(one, other) -> None:
    assert set(one) == set(other)
    for name, value in one.items():
        if name == "output":
            np.testing.assert_allclose(other[name], value, rtol=1e-6, atol=1e-6)
        most = 1e-5 * max(1, np.abs(value).max())
        np.testing.assert_allclose(other[name], value, rtol=1e-5, atol=most, err_msg=name)


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_of_the_table(name):
    make, shape = LAYERS[name]
    cell = make()
    x = drawn(cell, shape)
    net = interop.to_nnx(cell, strict=True)
    close(values(cell, x), native_values(net, cell, x))


@pytest.mark.parametrize("bias", [True, False])
def test_recurrent_cells_are_called_as_in_flax(bias):
    x, h, c = (np.random.randn(2, n).astype(np.float32) for n in (3, 4, 4))
    lstm, gru = nn.LSTMCell(3, 4, bias), nn.GRUCell(3, 4, bias)
    (new_c, new_h), out = interop.to_nnx(lstm, strict=True)((c, h), x)
    for found, wanted in zip((new_h, new_c), lstm(Tensor(x), (Tensor(h), Tensor(c))), strict=True):
        np.testing.assert_allclose(found, wanted.asnumpy(), rtol=1e-6, atol=1e-6)
    assert (out == new_h).all()
    carry, _ = interop.to_nnx(gru, strict=True)(h, x)
    np.testing.assert_allclose(carry, gru(Tensor(x), Tensor(h)).asnumpy(), rtol=1e-6, atol=1e-6)
    other = nn.GRUCell(3, 4, bias)
    interop.from_nnx(interop.to_nnx(gru), other)
    for one, two in zip(gru.get_parameters(), other.get_parameters(), strict=True):
        assert (one.asnumpy() == two.asnumpy()).all()


def test_the_table_is_all_tested():
    tested = {type(make()) for make, _ in LAYERS.values()} | {nn.LSTMCell, nn.GRUCell}
    assert tested == set(_TABLE)


def images() -> nn.Cell:
    return nn.SequentialCell(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
        nn.Dropout(p=0.3), nn.Dense(16, 3, activation=nn.GELU()), nn.LayerNorm((3,)),
    )  # fmt: skip


WITHOUT = """
import sys
import cloudpickle, jax, numpy as np
from flax import nnx
for name in sys.argv[1:]:
    net, x = cloudpickle.load(open(f"{name}.pkl", "rb"))
    def loss(net):
        out = net(x)
        return (out**2).sum(), out
    grads, out = nnx.jit(nnx.grad(loss, has_aux=True))(net)
    np.savez(f"{name}.npz", out, net(x[:1]), *jax.tree.leaves(grads))
"""


class Residual(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3)
        self.blocks = nn.CellList([Block(4), Block(4)])
        self.head = nn.Dense(4, 2)

    def construct(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean((2, 3)))


class Sequences(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.head = nn.LSTM(4, 3, batch_first=True), nn.Dense(3, 2)

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.lstm(x[:, 0])[0][:, -1])


class Attending(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True)
        self.head = nn.Dense(4, 2)

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.layer(x[:, 0]).mean(1))


def test_networks_go_on_in_a_process_without_msgrad(tmp_path):
    """Layers of the table as Flax's modules, own Cells as programs, also for other batches."""
    cells = {
        "images": images(),
        "residual": Residual(),
        "sequences": Sequences(),
        "attending": Attending(),
    }
    sent = {}
    for name, cell in cells.items():
        x = drawn(cell.set_train(False), (2, 1, 4, 4))
        sent[name] = interop.to_nnx(cell, Tensor(x)), x
        (tmp_path / f"{name}.pkl").write_bytes(cloudpickle.dumps(sent[name]))
    run_without_msgrad(WITHOUT, *cells, cwd=tmp_path)
    for name, cell in cells.items():
        with np.load(tmp_path / f"{name}.npz") as found:
            out, one, *gradients = found.values()
        net, x = sent[name]
        close(values(cell, x), {"output": out} | named(net, cell, gradients))
        np.testing.assert_allclose(one, out[:1], rtol=1e-5, atol=1e-6)


def test_a_program_trains_and_comes_back():
    cell = nn.SequentialCell(Block(1), nn.Flatten(), nn.Dropout(p=0.5), Drops()).set_train()
    x = drawn(cell, (2, 1, 2, 2))
    cell[0].conv.weight.requires_grad = False
    net = interop.to_nnx(cell, Tensor(x))
    block, drops = net.layers[0], net.layers[3]
    kinds = {name: type(value) for name, value in block.weights.items()}
    assert kinds == {
        "0.conv.weight": nnx.BatchStat, "0.norm.gamma": nnx.Param, "0.norm.beta": nnx.Param,
        "0.norm.moving_mean": nnx.BatchStat, "0.norm.moving_variance": nnx.BatchStat}  # fmt: skip
    first, second = (np.asarray(drops(np.ones((16, 4), np.float32))) for _ in range(2))
    assert (first != second).any() and {*first.ravel()} == {0, 2}
    net(x)
    cell[0](Tensor(x))
    mean = cell[0].norm.moving_mean.asnumpy()
    np.testing.assert_allclose(block.weights["0.norm.moving_mean"][...], mean, rtol=1e-5)
    net.eval()
    np.testing.assert_allclose(net(x), cell.set_train(False)(Tensor(x)).asnumpy(), rtol=1e-5)
    assert (block.weights["0.norm.moving_mean"][...] == mean).all()
    block.weights["0.norm.gamma"].set_value(jnp.full(1, 3.0))
    interop.from_nnx(net, cell)
    assert cell[0].norm.gamma.asnumpy().tolist() == [3]


class Drops(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x: Tensor) -> Tensor:
        return self.drop(x)


def test_programs_share_what_their_cells_share():
    norm = nn.BatchNorm2d(1)
    one, other = Block(1), Block(1)
    one.norm = other.norm = norm
    cell = nn.SequentialCell(one, other)
    net = interop.to_nnx(cell, Tensor(drawn(cell, (2, 1, 2, 2))))
    name = norm.gamma.name
    assert net.layers[0].weights[name] is net.layers[1].weights[name]


def test_own_cells_keep_their_construct_and_their_gradients():
    cell = nn.SequentialCell(nn.Conv2d(1, 4, 3), Block(4), Own2(), nn.Dense(4, 2)).set_train()
    x = drawn(cell, (2, 1, 4, 4))
    net = interop.to_nnx(cell)
    assert [type(layer).__name__ for layer in net.layers] == [
        "Sequential", "_KeptCell", "_KeptCell", "Linear"]  # fmt: skip
    close(values(cell, x), native_values(net, cell, x))
    with pytest.raises(NotImplementedError, match=r"Block \('1'\), Own2 \('2'\)"):
        interop.to_nnx(cell, strict=True)


class Own2(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x.mean((2, 3))


def test_trained_by_optax_and_back():
    cell = images().set_train(False)
    x = drawn(cell, (2, 1, 4, 4))
    before = {p.name: p.asnumpy() for p in cell.get_parameters()}
    net = interop.to_nnx(cell)
    optimizer = nnx.Optimizer(net, optax.sgd(0.1), wrt=nnx.Param)
    optimizer.update(net, nnx.jit(nnx.grad(lambda net: (net(x) ** 2).sum()))(net))
    for param in cell.get_parameters():
        assert (param.asnumpy() == before[param.name]).all()
    interop.from_nnx(net, cell)
    np.testing.assert_allclose(cell(Tensor(x)).asnumpy(), net(x), rtol=1e-5, atol=1e-5)
    assert (cell[0].weight.asnumpy() != before["0.weight"]).any()
    # The statistics are no nnx.Param, nor is what is frozen.
    assert (cell[1].moving_mean.asnumpy() == before["1.moving_mean"]).all()
    cell[1].gamma.requires_grad = False
    frozen = interop.to_nnx(cell)
    assert not isinstance(frozen.layers[1].scale, nnx.Param)
    np.testing.assert_allclose(frozen(x), net(x), rtol=1e-5, atol=1e-5)


def test_one_layer_in_two_places_and_containers():
    dense = nn.Dense(4, 4)
    cell = nn.SequentialCell(dense, nn.Tanh(), dense)
    net = interop.to_nnx(cell)
    assert net.layers[0] is net.layers[2]
    assert net.layers[1] is jnp.tanh
    listed = interop.to_nnx(nn.CellList([dense, nn.CellDict({"a": nn.Dense(4, 2)})]))
    assert listed[1]["a"].kernel.shape == (4, 2)
    other = nn.CellList([nn.Dense(4, 4), nn.CellDict({"a": nn.Dense(4, 2)})])
    interop.from_nnx(listed, other)
    assert (other[0].weight.asnumpy() == dense.weight.asnumpy()).all()


def test_what_has_no_equivalent_and_what_does_not_fit():
    for cell in (
        nn.LayerNorm((2, 3), 1, 1),
        nn.MaxPool2d(2, pad_mode="pad"),
        nn.Conv2dTranspose(2, 2, 2, 2, group=2),
        nn.Dense(2, 3).to_float(ms.float16),
        nn.PReLU(),
    ):
        with pytest.raises(NotImplementedError, match=type(cell).__name__):
            interop.to_nnx(cell, strict=True)
    with pytest.raises(TypeError, match="a Cell"):
        interop.to_nnx(3)
    net = interop.to_nnx(nn.SequentialCell(nn.Dense(2, 3)))
    target = nn.SequentialCell(nn.Dense(2, 4))
    before = target[0].weight.asnumpy()
    for wrong in (target, nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 2)), Own2()):
        with pytest.raises(ValueError, match=r"in the network|is not what to_nnx"):
            interop.from_nnx(net, wrong)
    assert (target[0].weight.asnumpy() == before).all()
