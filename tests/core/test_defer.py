"""Deferred execution: results as operator by operator, one program, nothing left behind."""

from __future__ import annotations

import copy
import gc
import os
import subprocess
import sys

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._gradients import pieces
from msgrad._gradients import recorded_program as whole
from msgrad._gradients.piece_program import PieceProgram


@pytest.fixture(autouse=True)
def deferred():
    # What other tests compiled: a full table would drop a program for each one added.
    whole.programs.clear()
    with ms.eager_mode("deferred"):
        yield


@pytest.fixture
def cuts(monkeypatch):
    """Count the pieces into which recordings were cut; without any they were run as a whole."""
    counted = []
    run = pieces.PieceRecorder._run_piece

    def counting(self):
        counted.append(len(self.ops))
        run(self)

    monkeypatch.setattr(pieces.PieceRecorder, "_run_piece", counting)
    return counted


def compiles(call):
    """Give how many programs a call makes."""
    before = len(whole.programs)
    call()
    return len(whole.programs) - before


class Net(nn.Cell):
    """Every kind of state: weights, statistics, dropout's random state, a Tensor on self."""

    def __init__(self):
        super().__init__()
        # A bias would have a gradient of rounding errors, of which Adam makes whole steps.
        self.fc1 = nn.Dense(6, 8, has_bias=False)
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(p=0.5)
        self.fc2 = nn.Dense(8, 3)
        self.seen = None

    def construct(self, x):
        self.seen = self.drop(ops.relu(self.norm(self.fc1(x))))
        return self.fc2(self.seen)


def data(rows=5):
    rng = np.random.default_rng(3)
    return Tensor(rng.normal(size=(rows, 6)).astype("f")), Tensor(np.arange(rows) % 3, ms.int32)


def trained(mode, steps=3, jit=False):
    """Train three steps; give all numbers that came up."""
    with ms.eager_mode(mode):
        ms.set_seed(5)
        net = Net()
        net.set_train()
        if jit:
            net.construct = ms.jit(net.construct)
        loss_fn = nn.CrossEntropyLoss()
        optimizer = nn.Adam(net.trainable_params(), 0.01)
        forward = lambda x, y: loss_fn(net(x), y.reshape(-1))
        step = ms.value_and_grad(forward, None, optimizer.parameters)
        x, y = data()
        numbers = []
        for _ in range(steps):
            loss, gradients = step(x, y)
            optimizer(gradients)
            numbers += [loss, *gradients, net.seen.copy()]
        return [t.asnumpy() for t in [*numbers, *net.get_parameters()]]


@pytest.mark.full_compile
def test_training_is_the_same_both_ways(cuts):
    one, other = trained("op"), trained("deferred")
    assert not cuts
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)


def test_what_is_compiled_becomes_a_part_of_the_program(cuts):
    one, other = trained("deferred"), trained("deferred", jit=True)
    assert not cuts
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
    square = ms.jit(lambda x: (x * x).sum())
    again = ms.grad(lambda x: ms.grad(lambda x: square(x * x))(x).sum())
    before = len(whole.programs)
    for size in (*range(2, 16), *range(2, 16)):
        x = Tensor(np.arange(size, dtype="f"))
        np.testing.assert_allclose(again(x), 12 * x.asnumpy() ** 2)
    assert not cuts
    # The inner gradient is a part of the outer one: a program for each shape.
    assert len(whole.programs) - before == 2 * 14


def test_one_program_for_all_steps_and_one_more_for_a_new_shape(cuts):
    net = nn.SequentialCell(nn.Dense(6, 7), nn.Tanh(), nn.Dense(7, 2))
    step = ms.value_and_grad(lambda x, s: (net(x) * s).sum(), None, net.trainable_params())
    x = data(4)[0]
    assert compiles(lambda: [step(x, 0.1 * i) for i in range(5)]) == 1
    assert compiles(lambda: step(data(3)[0], 1.0)) == 1
    assert compiles(lambda: [step(x, 2.0), step(data(3)[0], 3.0)]) == 0
    assert not cuts


def test_a_number_that_changes_is_an_input_not_a_new_program():
    grad = ms.grad(lambda x, a: (x * a + a).sum())
    x = Tensor([1.0, 2.0])
    results = []
    assert compiles(lambda: results.extend(float(grad(x, i * 0.5)[0]) for i in range(1, 6))) == 1
    assert results == [0.5, 1.0, 1.5, 2.0, 2.5]


def test_an_int_and_a_float_are_two_structures():
    grad = ms.value_and_grad(lambda x, a: x * a)
    x = Tensor(3.0)
    assert [float(grad(x, a)[0]) for a in (2, 2.0, True)] == [6.0, 6.0, 3.0]


@pytest.mark.parametrize(
    "look",
    [
        lambda y: float(y.sum()),
        lambda y: y.asnumpy(),
        lambda y: bool(y.sum() > 0),
        lambda y: str(y),
        lambda y: Tensor(jax.numpy.sin(y)),
        lambda y: y[int(y.argmax())],
    ],
)
def test_looking_at_a_value_gives_it_at_once(look, cuts):
    seen = []

    def fn(x):
        y = x * x
        seen.append(look(y))
        return (y * 3).sum()

    x = Tensor([1.0, 2.0])
    value, gradient = ms.value_and_grad(fn)(x)
    assert cuts
    assert float(value) == 15
    assert gradient.asnumpy().tolist() == [6, 12]
    assert str(seen[0]) == str(look(Tensor([1.0, 4.0])))


def test_branches_on_values_are_taken_as_the_values_say():
    def fn(x):
        y = x * 2
        return y * 10 if y > 4 else -y

    gradients = [float(ms.grad(fn)(Tensor(v))) for v in (1.0, 3.0, 1.5, 2.5)]
    assert gradients == [-2, 20, -2, 20]


def test_an_error_is_raised_by_the_call_that_caused_it(cuts):
    def fn(x):
        y = x * 2
        try:
            ops.matmul(y, y)
        except RuntimeError:
            y = y + 1
        return y.sum()

    value, gradient = ms.value_and_grad(fn)(Tensor(np.ones((2, 3), "f")))
    assert float(value) == 18
    assert gradient.asnumpy().tolist() == [[2.0] * 3] * 2
    assert not cuts


def test_a_call_that_raises_leaves_values_and_no_tracers():
    net = Net()
    net.set_train()
    before = {k: v.asnumpy() for k, v in net.parameters_dict().items()}

    def fn(x):
        net(x)
        raise KeyError("stop")

    with pytest.raises(KeyError):
        ms.grad(fn)(data()[0])
    assert net.seen.asnumpy().shape == (5, 8)
    for name, param in net.parameters_dict().items():
        np.testing.assert_array_equal(param.asnumpy(), before[name])


def test_a_gradient_inside_a_gradient_is_one_program(cuts):
    net = nn.SequentialCell(nn.Dense(2, 8), nn.Tanh(), nn.Dense(8, 1))

    def residual(x):
        slope = ms.grad(net)(x)
        curve = ms.grad(lambda z: ms.grad(net)(z)[:, 0])(x)
        return ((slope[:, 1] - 0.1 * curve[:, 0]) ** 2).mean()

    x = Tensor(np.random.default_rng(0).normal(size=(4, 2)).astype("f"))
    step = ms.value_and_grad(residual, None, net.trainable_params())
    value, gradients = step(x)
    assert not cuts
    with ms.eager_mode("op"):
        expected, others = step(x)
    np.testing.assert_allclose(value.asnumpy(), expected.asnumpy(), rtol=1e-5)
    for a, b in zip(gradients, others, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-6)


def test_inserted_gradients_cut_the_recording(cuts):
    clip = ops.InsertGradientOf(lambda g: ops.clip_by_value(g, -1.0, 1.0))
    gradient = ms.grad(lambda x: (clip(x * 3) * 5).sum())(Tensor([1.0, 2.0]))
    assert gradient.asnumpy().tolist() == [3.0, 3.0]
    assert cuts


def test_a_parameter_written_in_the_forward_pass():
    class Counts(nn.Cell):
        def __init__(self):
            super().__init__()
            self.total = Parameter(Tensor([0.0]), requires_grad=False)

        def construct(self, x):
            ops.assign_add(self.total, x)
            return (x * self.total).sum()

    net = Counts()
    gradients = [float(ms.grad(net)(Tensor([2.0]))[0]) for _ in range(3)]
    assert float(net.total[0]) == 6
    with ms.eager_mode("op"):
        net.total.set_data(Tensor([0.0]))
        assert gradients == [float(ms.grad(net)(Tensor([2.0]))[0]) for _ in range(3)]


def test_the_pullback_of_vjp_is_compiled_and_runs_twice(cuts):
    out, pull = ms.vjp(lambda x: (x * x, x.sum()), Tensor([1.0, 2.0]))
    one = pull(Tensor([1.0, 1.0]), Tensor(1.0))[0].asnumpy()
    two = pull(Tensor([2.0, 0.0]), Tensor(0.0))[0].asnumpy()
    assert one.tolist() == [3, 5]
    assert two.tolist() == [4, 0]
    assert out[0].asnumpy().tolist() == [1, 4]
    assert cuts == [2], "both operators are one piece"


def test_a_sens_of_the_wrong_shape_leaves_the_program_whole():
    net = Net()
    net.set_train()
    grad = ops.GradOperation(sens_param=True)(net)
    x = data()[0]
    with pytest.raises(ValueError, match="shape should be"):
        grad(x, Tensor(np.ones((2, 2), "f")))
    assert net.seen.asnumpy().shape == (5, 8)
    assert grad(x, Tensor(np.ones((5, 3), "f"))).shape == (5, 6)


def test_a_structure_that_changes_every_step_is_not_compiled_every_step():
    def fn(x, n):
        for _ in range(n):
            x = x * 1.5
        return x.sum()

    grad = ms.grad(fn)
    x = Tensor([1.0])
    assert compiles(lambda: [grad(x, n) for n in range(1, 40)]) <= 10
    np.testing.assert_allclose(grad(x, 3).asnumpy(), [1.5**3])


def test_what_is_alive_at_the_end_does_not_make_a_program_each_time():
    kept = []

    def fn(x, keep):
        y = x * 2
        z = y + 1
        kept.append([y, z] if keep == 2 else [z] if keep else [])
        return (z * y).sum()

    grad = ms.grad(fn)
    x = Tensor([1.0, 3.0])
    assert compiles(lambda: [grad(x, k) for k in (2, 0, 1, 2, 0)]) == 1
    assert [t.asnumpy().tolist() for t in kept[3]] == [[2, 6], [3, 7]]


def test_a_function_that_needs_values_runs_in_pieces_and_without_them_as_a_whole(cuts):
    looks = [True]

    def fn(x):
        y = x * x
        if looks[0]:
            float(y.sum())
        return y.sum()

    grad, x = ms.grad(fn), Tensor([1.0, 3.0])
    assert compiles(lambda: [grad(x) for _ in range(20)]) == 2
    assert len(cuts) == 40
    looks[0] = False
    assert compiles(lambda: grad(x)) == 1
    assert len(cuts) == 40
    assert grad(x).asnumpy().tolist() == [2, 6]


def test_the_caches_are_bounded(monkeypatch):
    monkeypatch.setattr(whole, "_MAX_PROGRAMS", 4)
    monkeypatch.setattr(whole, "programs", whole.Programs())
    for n in range(30, 40):
        ms.grad(lambda x: (x * 2).sum())(Tensor(np.ones(n, "f")))
    assert len(whole.programs._known) == 4


def test_steps_leave_no_arrays():
    x, y = data()
    net = Net()
    net.set_train()
    loss_fn = nn.CrossEntropyLoss()
    step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, net.trainable_params())
    for _ in range(3):
        step(x, y)
    gc.collect()
    before = len(jax.live_arrays())
    for _ in range(50):
        step(x, y)
    gc.collect()
    assert len(jax.live_arrays()) == before


@pytest.mark.parametrize("looks", [False, True])
def test_a_deep_copy_made_in_the_forward_pass_keeps_its_value(looks):
    kept = []

    def fn(x):
        y = x * 2
        kept[:] = [copy.deepcopy(x), copy.deepcopy(y)]
        if looks:
            y.asnumpy()
        return (y * kept[0]).sum()

    ms.grad(fn)(Tensor([1.0, 2.0], ms.float32))
    assert [(t * 1).asnumpy().tolist() for t in kept] == [[1, 2], [2, 4]]


@pytest.mark.parametrize("made", [Tensor, Parameter])
@pytest.mark.parametrize("mode", ["deferred", "op"])
def test_a_view_from_outside_is_a_constant_also_when_it_is_out_of_date(made, mode):
    base = made(Tensor([1.0, 2.0, 3.0], ms.float32))
    view = base[0:2]
    fn = lambda t: (view * view * t[0:2]).sum() + t.sum()
    with ms.eager_mode(mode):
        assert ms.grad(fn)(base).asnumpy().tolist() == [2, 5, 1]
        base[0] = 9
        assert ms.grad(fn)(base).asnumpy().tolist() == [82, 5, 1]
    assert view.asnumpy().tolist() == [9, 2]


def test_a_view_read_in_a_call_that_fails_follows_its_base():
    base = Parameter(Tensor([1.0, 2.0], ms.float32))
    view = base[0:1]
    ops.assign(base, base * 10)

    def fn(x):
        (view * x).sum().asnumpy()
        raise ValueError

    with pytest.raises(ValueError):
        ms.grad(fn)(Tensor([1.0], ms.float32))
    assert view.asnumpy().tolist() == [10]


@pytest.mark.parametrize("call", [lambda fn, x: ms.grad(fn)(x), ms.vjp])
def test_an_interrupt_while_the_program_runs_leaves_the_state_and_says_what_is_missing(
    call, monkeypatch
):
    weight = Parameter(Tensor([1.0, 2.0], ms.float32))
    view = weight[0:1]
    ops.assign(weight, weight * 10)
    kept = []

    def fn(x):
        kept[:] = [x * weight, x.copy()]
        ops.assign(weight, kept[0])
        return (kept[0] * view).sum()

    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(whole.TransformedProgram, "_evaluate", interrupted)
    monkeypatch.setattr(PieceProgram, "_forward", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call(fn, Tensor([3.0, 4.0], ms.float32))
    assert (weight.asnumpy().tolist(), view.asnumpy().tolist()) == ([10, 20], [10])
    with pytest.raises(RuntimeError, match="never computed"):
        kept[0].asnumpy()
    if call is ms.vjp:
        # Its numbers are those of the input.
        assert kept[1].asnumpy().tolist() == [3, 4]
        return
    with pytest.raises(RuntimeError, match="never computed"):
        kept[1].asnumpy()


def test_a_piece_that_fails_raises_its_own_error():
    kept = []

    def fn(x):
        kept[:] = [ops.log(-x), x.copy()]
        return kept[0].sum()

    jax.config.update("jax_debug_nans", True)
    try:
        with pytest.raises(FloatingPointError):
            ms.grad(lambda x: ops.stop_gradient(fn(x)).item() + x)(Tensor([1.0], ms.float32))
    finally:
        jax.config.update("jax_debug_nans", False)
    with pytest.raises(RuntimeError, match="never computed"):
        kept[0].asnumpy()
    assert kept[1].asnumpy().tolist() == [1]


@pytest.mark.parametrize("mode", ["deferred", "op"])
def test_an_error_inside_vmap_inside_a_gradient_call_is_the_one_that_is_raised(mode):
    fn = lambda x: ms.vmap(lambda row: row * float(row.sum()))(x * 2).sum()
    with ms.eager_mode(mode), pytest.raises(RuntimeError, match="needs the tensor's value"):
        ms.grad(fn)(Tensor([[1.0, 2.0]], ms.float32))


@pytest.mark.full_compile
def test_resumed_training_computes_the_same_bits():
    """The first step of a process uses the program that every later one uses."""
    once = trained("deferred")
    jax.clear_caches()
    whole.programs.clear()
    for a, b in zip(once, trained("deferred"), strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_environment_switch():
    code = "import msgrad, msgrad._core.deferred.recording as d; print(d.deferring())"
    run = lambda value: subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "MSGRAD_EAGER": value},
        capture_output=True,
        text=True,
    )
    assert run("op").stdout.strip() == "False"
    assert run("").stdout.strip() == "True"
    assert "MSGRAD_EAGER must be one of" in run("fast").stderr


STARTED = """
import atexit, jax
# Before msgrad's, so that it runs after it.
atexit.register(lambda: print(sum(not a.is_ready() for a in jax.live_arrays())))
import numpy as np, msgrad as ms
x = ms.Tensor(np.ones((1000, 1000), np.float32))
for _ in range(8):
    x = ms.ops.matmul(x, x)
"""


def test_a_process_waits_for_what_it_has_started():
    """XLA crashes where its library ends under a thread that is in a program."""
    done = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "0", "")


def test_eager_mode_refuses_other_modes():
    with pytest.raises(ValueError, match="eager_mode"), ms.eager_mode("jit"):
        pass
