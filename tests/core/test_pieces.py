"""Values needed inside of a gradient call: as operator by operator, from compiled pieces."""

from __future__ import annotations

import contextlib
import gc
import threading
import weakref

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.deferred import recording
from msgrad._gradients import pieces
from msgrad._gradients.recorded_program import programs

VALUES = np.linspace(-0.7, 1, 6, dtype="f").reshape(2, 3)


@pytest.fixture(autouse=True)
def deferred():
    programs.clear()
    with ms.eager_mode("deferred"):
        yield


class State:
    """What a program may use and change."""

    def __init__(self):
        ms.set_seed(3)
        self.w = Parameter(Tensor(VALUES + 0.3), name="w")
        self.b = Parameter(Tensor(VALUES[0] * 0.5), name="b")
        self.total = Parameter(Tensor(VALUES * 0), name="total", requires_grad=False)
        self.seen = []
        self.kept = []

    def look(self, value):
        self.seen.append(value)
        return value


def number(s, x):
    y = ops.tanh(x * s.w + s.b)
    s.look(float(y.sum()))
    return (y * s.w).sum()


def the_loss_itself(s, x):
    loss = (ops.tanh(x * s.w) ** 2).mean()
    s.look(loss.asnumpy())
    return loss


def printed(s, x):
    y = x * s.w
    s.look(str(y))
    return (y * y + s.b).sum()


def branches(s, x):
    y = x * s.w
    if y.sum() > 0:
        y = y * 2
    return ops.exp(y).sum() if y.mean() > 100 else (y * s.b).sum()


def a_loop_until(s, x):
    count = 0
    while ops.abs(x).max() > 0.05:
        x = x * s.w * 0.6
        count += 1
    s.look(count)
    return x.sum() * 3


def after_each_operator(s, x):
    for _ in range(3):
        x = ops.tanh(x)
        s.look(x.asnumpy())
        x = x * s.w
        s.look(x.asnumpy())
        x = x + s.b
        s.look(x.asnumpy())
    return x.sum()


def an_input_and_a_weight(s, x):
    s.look(x.asnumpy())
    y = x * 2
    s.look(s.w.asnumpy())
    s.look(y.asnumpy())
    return (y * s.w * x).sum()


def integers(s, x):
    y = x * s.w
    best = y.argmax(1)
    s.look(best.asnumpy())
    picked = ops.gather_elements(y, 1, best.reshape(2, 1))
    return (picked * ops.one_hot(best, 3)).sum() + y[0, int(best[0])]


def without_gradient(s, x):
    y = x * s.w
    z = ops.stop_gradient(y) * 2
    s.look(z.asnumpy())
    return (z * y + ops.InsertGradientOf(lambda g: s.look(g) * 0 + 5)(z)).sum()


def no_grad(s, x):
    y = ops.tanh(x * s.w)
    with ms._no_grad():
        z = y * s.b
        s.look(z.asnumpy())
        u = z * 2
    return (u * y).sum()


def raw_jax(s, x):
    y = x * s.w
    z = Tensor(jnp.sin(y))
    u = z * s.w + y
    s.look(float(u.sum()))
    return (Tensor(jnp.cos(u) * jnp.exp(z)) * s.b).sum() + (u * x).sum()


def raw_jax_of_an_input(s, x):
    y = x * s.w
    z = Tensor(jnp.sin(x)) * Tensor(jnp.cos(s.w))
    return (y * z * x * s.w).sum()


def hooks(s, x):
    y = x * s.w
    y.register_hook(lambda g: s.look(g) * 2)
    s.look(float(y.mean()))
    return (y * y * s.b).sum()


def inserted_gradient(s, x):
    clip = ops.InsertGradientOf(lambda g: g * 0.5 if float(g.sum()) > 0 else g * 3)
    y = clip(x * s.w)
    s.look(y.asnumpy())
    return (clip(y * y) * s.b).sum()


class Ruled(nn.Cell):
    def __init__(self, s):
        super().__init__()
        self.s = s

    def construct(self, x):
        self.s.look(float(x.sum()))
        return x * x

    def bprop(self, x, out, dout):
        self.s.look(out.asnumpy())
        return (dout * (x if float(dout.sum()) > 0 else out),)


def a_rule(s, x):
    y = Ruled(s)(x * s.w)
    s.look(float(y.sum()))
    return (Ruled(s)(y * s.b) * x).sum()


def written_in_between(s, x):
    y = x * s.w
    ops.assign(s.total, y)
    s.look(s.total.asnumpy())
    ops.assign_add(s.total, y * 2)
    z = s.total * y
    s.look(float(z.sum()))
    s.kept.append(z)
    ops.assign_add(s.total, y)
    return z.sum() + s.total.mean()


def views(s, x):
    y = x * s.w
    row = y[0]
    s.look(row.asnumpy())
    row += 1
    s.look(y.asnumpy())
    y[1, 0] = s.b[1]
    part = y[:, 1:]
    s.look(part.asnumpy())
    y[0, 2] = 7
    return (part * part).sum() + (row * y).sum()


def kept(s, x):
    y = x * s.w
    s.kept += [y, y[0], y.copy()]
    s.look(float(y.sum()))
    z = y * s.b
    s.kept += [z, ops.stop_gradient(z)]
    return z.sum()


def inner_gradient(s, x):
    def inner(z):
        a = ops.tanh(z * s.w)
        s.look(float(a.sum()))
        return (a * z * x).sum()

    y = x * 2
    slope = ms.grad(inner)(y)
    s.look(slope.asnumpy())
    return (slope * s.b + y).sum()


def inner_gradient_of_inner(s, x):
    def cube(z):
        s.look(float(z.sum()))
        return (z * z * z * s.b).sum()

    slope = lambda z: ms.grad(cube)(z)
    curve = ms.grad(lambda z: (slope(z) * s.w).sum())(x)
    s.look(curve.asnumpy())
    return (curve * curve).sum() + slope(x).mean()


def inner_weights(s, x):
    value, (by_x, (by_w,)) = ms.value_and_grad(
        lambda z: (ops.tanh(z * s.w) * s.look(z)).sum(), 0, [s.w]
    )(x * s.w)
    if value > 0:
        by_x = by_x * 2
    return (by_x * by_w).sum() + value


def inner_vjp(s, x):
    y, pull = ms.vjp(lambda z: ops.tanh(z) * s.w, x * s.b)
    s.look(y.asnumpy())
    first = pull(y)[0]
    s.look(float(first.sum()))
    return (first * pull(first)[0]).sum()


def inner_vjp_that_looks(s, x):
    def inner(z):
        a = ops.tanh(z)
        s.look(a.asnumpy())
        return a * s.w

    y, pull = ms.vjp(inner, x * s.b)
    return (pull(y)[0] * pull(x)[0]).sum()


def inner_raw_jax(s, x):
    def inner(z):
        return (Tensor(jnp.sin(z)) * z * s.w).sum()

    slope = ms.grad(inner)(x * s.b)
    return (slope * slope).sum()


def inner_rule(s, x):
    slope = ms.grad(lambda z: (Ruled(s)(z * s.w) * z).sum())(x * 2)
    s.look(float(slope.sum()))
    return (slope * s.b).sum()


def inner_jvp(s, x):
    value, along = ms.jvp(lambda z: ops.tanh(z * s.w) * s.look(z), x, ops.ones_like(x))
    s.look(along.asnumpy())
    return (value * along).sum()


def inner_vmap(s, x):
    y = x * s.w
    s.look(float(y.sum()))
    return (ms.vmap(lambda row: row * row.sum() * s.b)(y) * x).sum()


def recomputed(s, x):
    y = x * s.w
    s.look(float(y.sum()))
    z = ms.recompute(nn.Tanh(), y)
    s.look(float(z.sum()))
    return (z * y).sum()


def no_value_depends_on_it(s, x):
    y = s.b * 2
    s.look(float((x * 3).sum()))
    return y.sum()


def complex_numbers(s, x):
    y = ops.Complex()(x * s.w, x)
    s.look(y.asnumpy())
    return ops.abs(y * y).sum()


def doubles(s, x):
    y = (x * s.w).astype(ms.float64)
    s.look(y.asnumpy())
    return (y * y).sum()


def a_rule_that_no_gradient_reaches(s, x):
    constant = ops.InsertGradientOf(lambda g: s.look(g) * 0 + 7)
    y = constant(x * s.w)
    s.kept.append(y * y)
    z = ops.tanh(x * s.b)
    s.look(float(z.sum()))
    u, v = constant(z) * 2, constant(x) * 3
    s.kept += [u, ops.stop_gradient(constant(z)) * z]
    s.look(float(v.sum()))
    return (v * z).sum() + ops.stop_gradient(u).sum()


def a_hook_on_a_weight(s, x):
    s.w.register_hook(lambda g: s.look(g) * 2)
    y = x * s.w
    s.look(float(y.sum()))
    return (y * s.w).sum()


PROGRAMS = [
    number,
    the_loss_itself,
    printed,
    branches,
    a_loop_until,
    after_each_operator,
    an_input_and_a_weight,
    integers,
    without_gradient,
    no_grad,
    raw_jax,
    raw_jax_of_an_input,
    hooks,
    inserted_gradient,
    a_rule,
    written_in_between,
    views,
    kept,
    inner_gradient,
    inner_gradient_of_inner,
    inner_weights,
    inner_vjp,
    inner_vjp_that_looks,
    inner_raw_jax,
    inner_rule,
    inner_jvp,
    inner_vmap,
    recomputed,
    no_value_depends_on_it,
    complex_numbers,
    doubles,
    a_rule_that_no_gradient_reaches,
    a_hook_on_a_weight,
]


def numbers(program, mode, call):
    """Run a program; give all numbers that came up."""
    with ms.eager_mode(mode):
        state = State()
        found = call(lambda x: program(state, x), Tensor(VALUES), state)
        return [
            np.asarray(t.asnumpy() if isinstance(t, Tensor) else t)
            for t in [*found, state.w, state.total, *state.seen, *state.kept]
            if not isinstance(t, str)
        ]


def value_and_gradients(fn, x, s):
    value, (by_input, by_weight) = ms.value_and_grad(fn, 0, [s.w, s.b])(x)
    return value, by_input, *by_weight


def weights_that_are_used(fn, x, s):
    by_input, by_weight = ops.GradOperation(get_all=True, get_by_list=True)(fn)(x)
    return *by_input, *by_weight


def pulled_twice(fn, x, s):
    value, pull = ms.vjp(fn, x, weights=[s.w, s.b])
    one = pull(value)
    two = pull(value * 2)
    return value, *one[0], *one[1], *two[0], *two[1]


def with_aux(fn, x, s):
    both = lambda x: (fn(x), x * 2)
    (value, aux), gradient = ms.value_and_grad(both, 0, None, has_aux=True)(x)
    return value, aux, gradient


def twice(fn, x, s):
    def slope(x):
        return (ms.grad(fn)(x) * s.b).sum()

    return ms.value_and_grad(slope, 0, None)(x)


def agree(program, call):
    one, other = (numbers(program, mode, call) for mode in ("op", "deferred"))
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(b, a, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_and_gradients_agree(program):
    agree(program, value_and_gradients)


@pytest.mark.parametrize(
    "program",
    [
        number,
        branches,
        integers,
        raw_jax,
        hooks,
        a_rule,
        a_rule_that_no_gradient_reaches,
        written_in_between,
        views,
        inner_gradient,
        inner_vjp,
        doubles,
    ],
)
def test_second_derivatives_agree(program):
    agree(program, twice)


@pytest.mark.parametrize("call", [pulled_twice, with_aux, weights_that_are_used])
@pytest.mark.parametrize("program", [number, raw_jax, kept, written_in_between, inner_weights])
def test_other_gradient_calls_agree(program, call):
    agree(program, call)


def counted(call):
    """Give how many pieces a call runs, and how many of them for the first time."""
    ran, choose = [], pieces.PieceRecorder._program

    def noting(self, *given):
        program = choose(self, *given)
        ran.append(program.compiles and not program.moves)
        return program

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces.PieceRecorder, "_program", noting)
        call()
    return len(ran), sum(ran)


@pytest.mark.parametrize(
    ("program", "count"),
    [(number, 2), (the_loss_itself, 1), (after_each_operator, 10), (an_input_and_a_weight, 2)],
)
def test_a_call_runs_in_the_same_programs_each_time(program, count, monkeypatch):
    state, x = State(), Tensor(VALUES)
    monkeypatch.setattr(pieces.Gate, "through", None)
    step = lambda: ms.value_and_grad(lambda x: program(state, x), 0, [state.w])(x)
    assert counted(step)[0] == count
    assert counted(step) == (count, 0)


def test_a_loop_until_something_holds_is_one_program_however_often_it_runs():
    state = State()
    step = lambda x: ms.grad(lambda x: a_loop_until(state, x))(x)
    step(Tensor(VALUES))
    assert counted(lambda: step(Tensor(VALUES * 0.5)))[1] == 0
    assert state.seen[0] > state.seen[1] > 1


def test_a_structure_that_changes_every_time_is_not_compiled_every_time():
    def fn(x, n):
        y = x * 2
        float(y.sum())
        for _ in range(n):
            y = y * 1.5
        return y.sum()

    x = Tensor([1.0])
    compiled = counted(lambda: [ms.grad(fn)(x, n) for n in range(1, 30)])[1]
    assert compiled <= 10
    np.testing.assert_allclose(ms.grad(fn)(x, 40).asnumpy(), [2 * 1.5**40], rtol=1e-5)


def test_a_raw_jax_function_does_not_end_the_recording(monkeypatch):
    ran = []
    monkeypatch.setattr(recording.Recorder, "replay", lambda self: ran.append(self))
    agree(raw_jax, value_and_gradients)
    assert not ran


def test_an_exception_after_a_cut_leaves_the_state_and_numbers():
    state = State()
    before = state.w.asnumpy(), state.total.asnumpy()
    view = state.w[0]

    def fn(x):
        y = x * state.w
        ops.assign(state.total, y)
        ops.assign(state.w, y * 2)
        state.kept += [y, view * 1]
        float(y.sum())
        ops.assign_add(state.total, y)
        state.kept += [y + 1, Tensor(jnp.sin(y)) * 2]
        raise KeyError("stop")

    with pytest.raises(KeyError):
        ms.grad(fn, 0, [state.w])(Tensor(VALUES))
    for param, values in zip((state.w, state.total), before, strict=True):
        np.testing.assert_array_equal(param.asnumpy(), values)
    y = VALUES * before[0]
    for tensor, values in zip(state.kept, [y, None, y + 1, np.sin(y) * 2], strict=True):
        if values is not None:
            np.testing.assert_allclose(tensor.asnumpy(), values, rtol=1e-6)
    np.testing.assert_array_equal(view.asnumpy(), before[0][0])


def test_an_exception_inside_an_inner_call_may_be_caught():
    state = State()

    def fn(x):
        def inner(z):
            float(z.sum())
            state.kept.append(z * s.b)
            raise KeyError

        s, y = state, x * state.w
        try:
            ms.grad(inner)(y)
        except KeyError:
            y = y * 2
        return (y * y).sum()

    x = Tensor(VALUES)
    with ms.eager_mode("op"):
        expected = ms.grad(fn)(x).asnumpy()
    np.testing.assert_allclose(ms.grad(fn)(x).asnumpy(), expected, rtol=1e-6)
    assert state.kept[1].asnumpy().shape == (2, 3)


def test_a_piece_that_is_interrupted_leaves_the_state(monkeypatch):
    state = State()
    before = state.w.asnumpy()

    def fn(x):
        y = x * state.w
        ops.assign(state.w, y)
        state.kept += [y, x.copy()]
        float(y.sum())
        z = y * 2
        state.kept += [z]
        monkeypatch.setattr(pieces.PieceProgram, "_forward", interrupted)
        return z.sum() if float(z.sum()) else z

    def interrupted(*args):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ms.grad(fn)(Tensor(VALUES))
    np.testing.assert_array_equal(state.w.asnumpy(), before)
    np.testing.assert_allclose(state.kept[0].asnumpy(), VALUES * before)
    np.testing.assert_array_equal(state.kept[1].asnumpy(), VALUES)
    with pytest.raises(RuntimeError, match="never computed"):
        state.kept[2].asnumpy()


def test_another_thread_reads_numbers_and_cuts_nothing():
    found = []

    def fn(x):
        y = x * 2
        reader = threading.Thread(target=lambda: found.extend([y.asnumpy(), (y * 2).asnumpy()]))
        reader.start()
        reader.join()
        return (y * y).sum()

    x = Tensor(VALUES)
    assert counted(lambda: found.append(ms.grad(fn)(x).asnumpy()))[0] == 0
    for values, factor in zip(found, (2, 4, 8), strict=True):
        np.testing.assert_allclose(values, VALUES * factor, rtol=1e-6)


def test_an_operator_that_fails_leaves_no_trace_in_the_structure():
    def fn(x, other):
        y = x * 2
        with contextlib.suppress(RuntimeError, ValueError):
            ops.matmul(y, other)
        return (y * other.sum()).sum() if other.ndim == 1 else y.sum() + other.sum()

    for shape in ((5,), (7,), (5, 1)):
        value = ms.value_and_grad(fn)(Tensor(VALUES), Tensor(np.ones(shape, "f")))[0]
        assert value.shape == ()


def test_steps_that_look_leave_no_arrays():
    state, x = State(), Tensor(VALUES)

    def step():
        for program in (number, raw_jax, inner_gradient, hooks):
            ms.value_and_grad(lambda x, program=program: program(state, x), 0, [state.w])(x)
        state.seen.clear()

    for _ in range(2):
        step()
    gc.collect()
    before = len(jax.live_arrays())
    for _ in range(5):
        step()
    gc.collect()
    assert len(jax.live_arrays()) == before


def test_what_is_not_referred_to_any_more_is_freed():
    """A long loop that looks at values keeps what its pullback needs, and nothing else."""
    alive = []

    def fn(x):
        for _ in range(4):
            y = x + 1.5
            alive.append(weakref.ref(y._peek()))
            float(y.sum())
            x = x * 2
        del y
        gc.collect()
        assert not any(ref() for ref in alive)
        return x.sum()

    ms.grad(fn)(Tensor(VALUES))


@pytest.mark.full_compile
def test_a_resumed_run_cuts_alike():
    def run():
        state, x = State(), Tensor(VALUES)
        step = ms.value_and_grad(lambda x: after_each_operator(state, x), 0, [state.w])
        found = []
        for _ in range(2):
            value, (by_x, (by_w,)) = step(x)
            found += [value.asnumpy(), by_x.asnumpy(), by_w.asnumpy()]
        return found

    once = run()
    programs.clear()
    for a, b in zip(once, run(), strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(once[:3], once[3:], strict=True):
        np.testing.assert_array_equal(a, b)


def test_parameters_that_turn_out_to_be_used_are_found_in_a_recording():
    s = State()
    grad = ops.GradOperation(get_by_list=True)(lambda x: ops.tanh(x * s.w).sum() + 0 * x.sum())
    for _ in range(2):
        (found,) = grad(Tensor(VALUES))
    assert len(programs) == 1
    np.testing.assert_allclose(found.asnumpy(), VALUES / np.cosh(VALUES * s.w.asnumpy()) ** 2, 1e-5)
