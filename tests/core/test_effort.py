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
from msgrad._core.continuity import may_jump
from msgrad._core.numpy_program import NumpyProgram
from msgrad._core.rounding import rounded
from msgrad._gradients import recorded_program as whole

_CALLS = 3


@pytest.fixture(autouse=True)
def soon_in_full(monkeypatch):
    whole.programs.clear()
    monkeypatch.setattr(effort, "CHEAP_CALLS", _CALLS)
    monkeypatch.setattr(effort, "IN_FULL", 1)
    with ms.eager_mode("deferred"):
        yield


@pytest.fixture(params=["by NumPy", "by XLA"])
def efforts(monkeypatch, request):
    """Note of each program of a function that is called with how much effort it runs."""
    noted = []

    class ByNumpy(NumpyProgram):
        def __call__(self, *args):
            noted.append("cheap")
            return super().__call__(*args)

    monkeypatch.setattr(effort, "NumpyProgram", ByNumpy)
    monkeypatch.setattr(effort, "fits", lambda program: request.param == "by NumPy")

    def jit(function, **options):
        made = jax.jit(function, **options)

        def call(*args):
            if not effort.in_transform():
                noted.append("cheap" if "compiler_options" in options else "full")
            return made(*args)

        call.lower, call.trace = made.lower, made.trace
        return call

    seen = SimpleNamespace(jit=jit, config=jax.config, devices=jax.devices)
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


def _hypot_of_a_sum(x):
    """Return a gradient that asks whether one operand, a product and a sum, is the larger."""
    return jax.vjp(lambda x: jnp.hypot(x, x.T * x + 0.5), x)[1](_WEIGHTS.astype(x.dtype))[0]


def _second(x):
    return jax.vjp(_hypot_of_a_sum, x)[1](_WEIGHTS.T.astype(x.dtype))[0]


_WEIGHTS = np.linspace(-1.3, 0.9, 9).reshape(3, 3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", [_hypot_of_a_sum, _second])
def test_what_asks_for_equality_is_not_compiled_at_level_0(function, dtype, monkeypatch):
    monkeypatch.setattr(effort, "fits", lambda program: False)
    with jax.enable_x64(True):
        x = jnp.asarray([[0.31, 0.84, 0.52], [0.93, 0.17, 0.68], [0.45, 0.76, 0.23]], dtype)
        assert may_jump(jax.make_jaxpr(function)(x).jaxpr)
        cheap = effort.compiled(function, cheaply=True)
        assert np.allclose(cheap(x), jax.jit(function)(x), rtol=1e-5)


@pytest.mark.parametrize(
    ("function", "jumps"),
    [
        (lambda x: jnp.tanh(x @ x.T) * jnp.where(x > 0, x, 0), False),
        (lambda x: jax.lax.scan(lambda c, row: (c + row, c * row), x[0], x), False),
        (lambda x: rounded(x * x) - x, False),
        (lambda x: jnp.where(jnp.arange(3) == 1, x, 0), False),
        (lambda x: jnp.where(x.astype("int32") == 1, x, 0), True),
        (jax.grad(lambda x: x.max()), True),
        (lambda x: jnp.where(x > x.T, x, 0), True),
        (lambda x: jax.lax.cond(x[0, 0] == x[1, 1], jnp.sin, jnp.cos, x), True),
        (lambda x: jax.lax.scan(lambda c, row: (c, jnp.floor(row)), 0, x), True),
        (jnp.sort, True),
    ],
)
def test_what_can_jump(function, jumps):
    assert may_jump(jax.make_jaxpr(function)(jnp.ones((3, 3))).jaxpr) is jumps


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
