"""Parameters in one memory, where a compiled step was made before they came to share it."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops


def dense(value):
    return nn.Dense(2, 1, weight_init=Tensor([[value, 2.0]], ms.float32), bias_init="zeros")


def losses(run):
    net, target = dense(1.0), dense(5.0)
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    differentiate = ms.value_and_grad(
        lambda x: ((net(x) - target(x)) ** 2).sum() + net(x).sum(), None, optimizer.parameters
    )

    def step(x):
        loss, gradients = differentiate(x)
        optimizer(gradients)
        return loss

    def approach(share):
        for ours, theirs in zip(target.get_parameters(), net.get_parameters(), strict=True):
            ops.assign(ours, ours * (1 - share) + theirs * share)
        return share

    step, approach, found = run(step), run(approach), []

    def some_steps():
        found.extend(float(step(Tensor([[1.0, 2.0], [3.0, 1.0]], ms.float32))) for _ in range(2))
        found.extend(net.weight.asnumpy().ravel().tolist())
        found.extend(target.weight.asnumpy().ravel().tolist())

    some_steps()
    approach(Tensor(0.5))
    some_steps()
    ms.load_param_into_net(target, net.parameters_dict())
    some_steps()
    assert net.weight.asnumpy().tolist() == target.weight.asnumpy().tolist()
    target.weight.set_data(Tensor([[0.25, 0.5]], ms.float32))
    some_steps()
    assert net.weight.asnumpy().tolist() != target.weight.asnumpy().tolist()
    approach(Tensor(0.5))
    ms.load_param_into_net(target, net.parameters_dict())
    some_steps()
    return found


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_compiled_steps_see_what_is_shared_later(mode):
    eager = losses(lambda fn: fn)
    ms.set_context(mode=mode)
    np.testing.assert_allclose(losses(ms.jit), eager, rtol=1e-4)


def test_a_loaded_network_is_no_view_of_its_checkpoint(tmp_path):
    ms.save_checkpoint(dense(3.0), str(tmp_path / "net.ckpt"))
    saved, net = ms.load_checkpoint(str(tmp_path / "net.ckpt")), dense(1.0)
    ms.load_param_into_net(net, saved)
    # A step of an optimizer is slower on views.
    assert [p._view for p in net.get_parameters()] == [None, None]
    nn.SGD([net.weight], 1.0)((Tensor([[1.0, 1.0]], ms.float32),))
    assert saved["weight"].asnumpy().tolist() == net.weight.asnumpy().tolist() == [[2.0, 1.0]]
