"""Flax layers inside a Cell: trained by MindSpore's cells as they are by Flax itself."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Tensor, nn

LAYERS = {
    "LayerNorm": lambda rngs: nnx.LayerNorm(8, rngs=rngs),
    "RMSNorm": lambda rngs: nnx.RMSNorm(8, rngs=rngs),
    "GroupNorm": lambda rngs: nnx.GroupNorm(8, num_groups=2, rngs=rngs),
    "BatchNorm": lambda rngs: nnx.BatchNorm(8, rngs=rngs),
    "Dropout": lambda rngs: nnx.Dropout(0.5, rngs=rngs),
}


class Mixed(nn.Cell):
    def __init__(self, name):
        super().__init__()
        self.first = nnx.Linear(4, 8, rngs=nnx.Rngs(0))
        self.layer = LAYERS[name](nnx.Rngs(1))
        self.last = nn.Dense(8, 3)

    def construct(self, x):
        return self.last(self.layer(self.first(x)))


def trained(name, compiled):
    ms.set_seed(1)
    net = Mixed(name)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    if compiled:
        step = ms.jit(step)
    rng = np.random.RandomState(0)
    x, y = (Tensor(rng.normal(size=(6, n)).astype(np.float32)) for n in (4, 3))
    losses = [float(step(x, y)) for _ in range(5)]
    return losses, net


@pytest.mark.parametrize("name", LAYERS)
def test_layers_with_and_without_own_state_train(name):
    losses, net = trained(name, compiled=False)
    assert np.isfinite(losses).all()
    assert len(set(losses)) == len(losses)
    if name == "BatchNorm":
        assert np.abs(np.asarray(net.layer.mean.get_value())).max() > 0


@pytest.mark.parametrize("name", LAYERS)
def test_compiled_as_eager(name):
    eager, net = trained(name, compiled=False)
    compiled, other = trained(name, compiled=True)
    np.testing.assert_allclose(compiled, eager, rtol=1e-5)
    for one, two in zip(
        nnx.to_flat_state(nnx.state(net)), nnx.to_flat_state(nnx.state(other)), strict=True
    ):
        assert one[0] == two[0]
        if "key" not in one[0]:
            np.testing.assert_allclose(
                np.asarray(one[1].get_value()), np.asarray(two[1].get_value()), rtol=1e-4, atol=1e-6
            )


def test_parameters_of_a_layer_are_true_also_in_copies():
    net = Mixed("LayerNorm")
    assert net.layer.scale
    assert copy.deepcopy(net).layer.scale
    graph, state = nnx.split(net)
    assert nnx.merge(graph, state).layer.scale
    with pytest.raises(ValueError, match="only one element"):
        bool(net.last.bias)


def test_a_flax_layer_takes_the_place_of_a_cell():
    net = nn.SequentialCell(nn.Dense(4, 3))
    holder = nn.WithLossCell(net, nn.MSELoss())
    x, y = Tensor(np.ones((2, 4), np.float32)), Tensor(np.zeros((2, 3), np.float32))
    run = ms.jit(holder)
    before = float(run(x, y))
    holder._backbone = ms.interop.to_nnx(net, strict=True)
    assert float(run(x, y)) == pytest.approx(before, rel=1e-5)
    names = [param.name for param in holder.trainable_params()]
    assert names == ["_backbone.layers.0.bias", "_backbone.layers.0.kernel"]
    holder._backbone.layers[0].kernel.set_value(net[0].weight.asnumpy().T * 0)
    assert float(run(x, y)) != pytest.approx(before, rel=1e-5)
    with pytest.raises(TypeError, match="already exists"):
        holder._loss_fn = 3
