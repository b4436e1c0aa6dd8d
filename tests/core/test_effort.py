"""What comes again in other shapes compiles cheaply, then in full; the bits that are promised."""

from __future__ import annotations

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._core import effort
from msgrad._gradients import recorded_program as whole

_CALLS = 3


@pytest.fixture(autouse=True)
def soon_in_full(monkeypatch):
    whole.programs.clear()
    monkeypatch.setattr(effort, "CHEAP_CALLS", _CALLS)
    monkeypatch.setattr(effort, "IN_FULL", 1)
    with ms.eager_mode("deferred"):
        yield


@pytest.fixture
def efforts(monkeypatch):
    """Note of each program of a function that is called how it is compiled."""
    noted = []

    def jit(function, **options):
        made = jax.jit(function, **options)

        def call(*args):
            if not effort.in_transform():
                noted.append("cheap" if "compiler_options" in options else "full")
            return made(*args)

        call.lower = made.lower
        return call

    seen = SimpleNamespace(jit=jit, config=jax.config, default_backend=jax.default_backend)
    monkeypatch.setattr(effort, "jax", seen)
    return noted


def _text(length):
    return Tensor(np.linspace(-1, 1, 2 * length * 4).reshape(2, length, 4).astype(np.float32))


class Net(nn.Cell):
    """Attention without weights, a layer, a normalization: reshapes with the length in them."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4, weight_init="ones")
        self.norm = nn.LayerNorm((4,))

    def construct(self, x):
        n, t, width = x.shape
        y = self.norm(self.dense(x)).reshape(n * t, width).reshape(n, t, width)
        return ops.softmax(ops.matmul(y, y.transpose(0, 2, 1)), -1).sum() + (y * y).mean()


def _gradients():
    net = Net()
    return ms.value_and_grad(net, None, net.trainable_params())


def _jitted():
    return ms.jit(_gradients())


def _graph_mode():
    step = _gradients()
    ms.set_context(mode=ms.GRAPH_MODE)
    return step


MODES = pytest.mark.parametrize("make", [_gradients, _jitted, _graph_mode])


def test_the_rest_at_the_end_of_an_epoch_is_compiled_in_full(efforts, monkeypatch):
    """So that a training in batches of one size is resumed bit for bit."""
    monkeypatch.setattr(effort, "IN_FULL", 2)
    step = _gradients()
    for length in (5, 3, 5, 2):
        step(_text(length))
    assert efforts == ["full", "full", "full", "cheap"]


@MODES
def test_other_shapes_compile_cheaply_until_they_come_back(make, efforts):
    step = make()
    for _ in range(2):
        step(_text(5))
    assert efforts == ["full"] * 2
    efforts.clear()
    for _ in range(_CALLS + 2):
        step(_text(6))
    # ms.jit's first call has a form of its own, with a count of its own.
    assert efforts[:_CALLS] == ["cheap"] * _CALLS and efforts[-1] == "full"
    efforts.clear()
    step(_text(7))
    step(_text(5))
    assert efforts == ["cheap", "full"]


@MODES
def test_deterministic_compiles_in_full(make, efforts):
    step = make()
    ms.set_deterministic(True)
    for length in (5, 6, 7):
        step(_text(length))
    assert efforts == ["full"] * 3
    ms.set_context(deterministic="OFF")
    step(_text(8))
    ms.set_deterministic(True)
    step(_text(8))
    assert efforts[3:] == ["cheap", "full"]


def test_any_number_of_shapes_is_compiled(efforts):
    step = _gradients()
    for length in range(2, 14):
        step(_text(length))
    assert efforts == ["full"] + ["cheap"] * 11


def test_another_structure_or_other_weights_are_compiled_in_full(efforts):
    x = Tensor(np.ones((3, 4), np.float32))
    for width in (2, 3):
        net = nn.Dense(4, width)
        ms.value_and_grad(lambda x, net=net: net(x).sum(), None, net.trainable_params())(x)
    for axis in (0, 1):
        ms.grad(lambda x, axis=axis: (x * x).sum(axis).sum())(x)
    assert efforts == ["full"] * 4


def test_a_gradient_inside_a_gradient(efforts):
    inner = ms.grad(lambda x: (x * x * x).sum())
    outer = ms.grad(lambda x: (inner(x) * x).sum())
    for length in (3, 4):
        x = Tensor(np.arange(length, dtype=np.float32))
        assert np.allclose(outer(x).asnumpy(), 9 * np.arange(length) ** 2)
    assert efforts == ["full", "cheap"]


def test_numbers_agree():
    step, net_input = _gradients(), _text(6)
    step(_text(5))
    results = [step(net_input) for _ in range(_CALLS + 1)]
    for cheap, full in zip(jax.tree.leaves(results[0]), jax.tree.leaves(results[-1]), strict=True):
        assert np.allclose(cheap, full, rtol=2e-6, atol=2e-6)


def test_second_derivative_that_level_0_gets_wrong():
    x, y = jnp.asarray([0.3, 2.0], "float64"), jnp.asarray([-1.2, 0.7], "float64")
    second = jax.grad(lambda x: jax.grad(lambda x: jnp.hypot(x, y).sum())(x).sum())
    cheap = jax.jit(second, compiler_options=effort._cheap_options())(x)
    assert np.allclose(cheap, y**2 / (x**2 + y**2) ** 1.5, rtol=1e-12)


def _train(steps, net, optimizer, lengths):
    step = ms.value_and_grad(net, None, net.trainable_params())
    losses = []
    for length in lengths[steps]:
        loss, gradients = step(_text(length))
        optimizer(gradients)
        losses.append(loss.asnumpy().tobytes())
    return losses


def test_resumed_training_is_equal_bit_for_bit_with_changing_shapes():
    ms.set_deterministic(True)
    lengths = [5, 6, 7, 5, 6, 6, 6, 6, 5]

    def fresh():
        # As in a new process: nothing is compiled, or counted, yet.
        whole.programs.clear()
        ms.set_seed(1)
        net = Net()
        return net, nn.Adam(net.trainable_params(), 0.1)

    net, optimizer = fresh()
    whole_run = _train(slice(0, 9), net, optimizer, lengths)
    net, optimizer = fresh()
    first = _train(slice(0, 4), net, optimizer, lengths)
    saved = {**net.parameters_dict(), **optimizer.parameters_dict()}
    values = {name: p.asnumpy() for name, p in saved.items()}
    net, optimizer = fresh()
    for name, param in {**net.parameters_dict(), **optimizer.parameters_dict()}.items():
        param.set_data(Tensor(values[name]))
    assert first + _train(slice(4, 9), net, optimizer, lengths) == whole_run
