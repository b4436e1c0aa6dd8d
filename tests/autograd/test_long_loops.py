"""Long loops in compiled functions: a ``for`` that Python unrolls becomes one ``lax.scan`` again, a
``while`` on Tensors ``lax.while_loop``. Results, gradients and state are those of eager calls.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._compiled import loop_gradient
from msgrad._compiled import record as record_module
from msgrad._compiled import reroll as reroll_module
from msgrad._compiled.reroll import reroll, rerolled
from msgrad._core.scopes.lifted import uses

# Draws from the global generator, which eager and compiled calls share.
UNSEEDED = ops.UniformReal()

STEPS = 20


@pytest.fixture
def recorded(monkeypatch):
    """The programs that are recorded meanwhile."""
    found, record = [], record_module.record

    def noted(*args):
        result = record(*args)
        found.append(result[0].recorded.jaxpr)
        return result

    monkeypatch.setattr(record_module, "record", noted)
    return found


class World(nn.Cell):
    def __init__(self, body):
        super().__init__()
        self.weight = Parameter(Tensor([[0.5, -0.3], [0.2, 0.4]]), name="weight")
        self.bias = Parameter(Tensor([0.1, 0.2]), name="bias")
        self.count = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)
        values = np.ones((STEPS, 50, 2), np.float32)
        self.many = [Parameter(Tensor(v), name=f"p{i}") for i, v in enumerate(values)]
        self.small = [Parameter(Tensor(v[0]), name=f"s{i}") for i, v in enumerate(values)]
        self.kept = Tensor([0.0, 0.0])
        self.calls, self.seen = 0, []
        self.body = body

    def construct(self, x):
        return self.body(self, x)

    def step(self, x, h):
        return ops.tanh(x + ops.matmul(h, self.weight) + self.bias)


def everything(net, results):
    leaves = jax.tree.leaves(results, is_leaf=lambda v: isinstance(v, Tensor))
    state = [net.weight, net.bias, net.count, net.kept, Tensor(net.calls), UNSEEDED((2,))]
    return [np.asarray(v.asnumpy() if isinstance(v, Tensor) else v) for v in [*leaves, *state]]


def check(make, body, x, calls=2):
    """Compare ``make`` of a Cell with the same compiled; gives the statistics."""
    found = []
    for compile_ in (lambda f: f, ms.jit):
        ms.set_seed(3)
        net = World(body)
        run = compile_(make(net))
        found.append(everything(net, [run(x) for _ in range(calls)]))
    for one, other in zip(*found, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_allclose(other, one, rtol=3e-5, atol=1e-5)
    return run.stats


# A ``for`` over many steps -----------------------------------------------------------------


def last(net, x):
    h = ops.zeros((2,))
    for t in range(STEPS):
        h = net.step(x[t], h)
    return h.sum()


def collected(net, x):
    h, found = ops.zeros((2,)), []
    for row in x:
        h = net.step(row, h)
        found.append(h * len(found) * 0.1)
    return (ops.stack(found, 1) ** 2).mean() + found[1].sum()


def both_ways(net, x):
    h, found, back = ops.zeros((2,)), [], []
    for row in ops.unbind(x):
        h = net.step(row, h)
        found.append(h)
    for h_t in reversed(found):
        h = net.step(h_t, h)
        back.append(h.reshape(1, 2))
    return (ops.cat(back) * ops.stack(found)).sum()


def of_two_turns(net, x):
    before, h = x[0], x[1]
    for t in range(2 * STEPS):
        before, h = h, net.step(x[t % STEPS], before) - h
    return h.sum()


def with_state_and_chance(net, x):
    for t in range(STEPS):
        net.count += 1
        net.kept = net.kept * 0.5 + x[t] + UNSEEDED((2,))
        ops.assign_add(net.bias, net.kept * 0.01)
    return net.kept.sum() * net.count


def same_in_all_turns(net, x):
    h, found = x[0], []
    for _ in range(STEPS):
        scale = ops.exp(net.bias)
        found.append(scale)
        h = h * 0.5 + scale
    return h.sum() + (found[3] * found[4]).sum() + ops.stack(found).sum()


def losses(net, x):
    h, total = ops.zeros((2,)), 0.0
    for t in range(STEPS):
        h = net.step(x[t], h)
        total = total + ops.abs(h - x[STEPS - 1 - t]).mean()
    return total / STEPS


def written_in_place(net, x):
    y = ops.zeros((STEPS, 2)) + 0
    for t in range(STEPS):
        y[t] = x[t] * 2 + y[t - 1]
    return y.sum()


def after_an_if(net, x):
    h = x[0] if x.sum() > 0 else x[1]
    for t in range(STEPS):
        h = net.step(x[t], h)
    return h.sum()


UNROLLED = {
    last: 1,
    collected: 1,
    both_ways: 2,
    of_two_turns: 1,
    with_state_and_chance: 1,
    same_in_all_turns: 1,
    losses: 1,
    written_in_place: 1,
    after_an_if: 1,
}


def rows():
    return Tensor(np.random.default_rng(0).normal(size=(STEPS, 2)).astype(np.float32))


def scans(jaxpr):
    return sum(eqn.primitive.name == "scan" for eqn in jaxpr.eqns)


@pytest.mark.parametrize("body", UNROLLED, ids=lambda f: f.__name__)
def test_steps_are_one_loop(body, recorded):
    stats = check(lambda net: lambda x: net(x), body, rows())
    assert (stats.compiles, stats.hits, stats.fallbacks) == (1, 1, {})
    assert uses(recorded[-1], "scan")
    if body is not after_an_if:
        assert scans(recorded[-1]) == UNROLLED[body]


@pytest.mark.parametrize("body", UNROLLED, ids=lambda f: f.__name__)
def test_the_gradient_is_another_loop(body, recorded):
    def make(net):
        return lambda x: ms.value_and_grad(net, 0, [net.weight, net.bias])(x)

    stats = check(make, body, rows(), calls=1)
    assert (stats.compiles, stats.fallbacks) == (1, {})
    assert uses(recorded[-1], "scan")
    if body is not after_an_if:
        assert scans(recorded[-1]) >= UNROLLED[body]


def with_numbers(net, x):
    h = net.kept
    for t in range(STEPS):
        h = 0.9 * h + net.step(x[t], h) / 2 + t
    return h


@pytest.mark.parametrize("body", [last, losses, with_numbers], ids=lambda f: f.__name__)
def test_inputs_of_an_eager_call_are_stacked(body, monkeypatch):
    made, reroll_ = [], reroll_module.reroll
    monkeypatch.setattr(reroll_module, "reroll", lambda c: made.append(reroll_(c)) or made[-1])

    def gradients():
        # A program of its own: others are known.
        net = World(lambda net, x: body(net, x) * 1.5)
        return ms.grad(net, None, [net.weight, net.bias])(rows())

    # Where many structures came once, one is compiled as it comes again.
    gradients()
    found = gradients()
    assert [scans(closed.jaxpr) for closed in made] == [2]
    with ms.eager_mode("op"):
        for one, other in zip(gradients(), found, strict=True):
            np.testing.assert_allclose(other.asnumpy(), one.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("size", "loops"), [(2, 1), (2**16, 0)])
def test_inputs_that_are_large_are_not(size, loops):
    def run(primals, inputs):
        (y,) = primals
        for x in inputs:
            y = jnp.tanh(y * x)
        return y

    args = [jnp.ones(size)], [jnp.ones(size) for _ in range(STEPS)]
    assert scans(jax.make_jaxpr(rerolled(run))(*args).jaxpr) == loops
    np.testing.assert_allclose(rerolled(run)(*args), run(*args), rtol=1e-6)


@pytest.mark.parametrize(("operators", "loops"), [(1, 0), (9, 1)])
def test_turns_that_cost_less_than_reading_their_results_stay(operators, loops):
    def run(x):
        read = []
        for _ in range(STEPS):
            for _ in range(operators):
                x = jnp.tanh(x)
            read.append(x)
        return read

    closed = jax.make_jaxpr(run)(jnp.ones(STEPS))
    assert scans(reroll(closed).jaxpr) == loops


def test_a_gradient_of_what_is_compiled(recorded):
    net, x = World(last), rows()
    run = ms.jit(lambda x: net(x))
    expected = ms.grad(net, 0, net.weight)(x)
    found = ms.grad(run, 0, net.weight)(x)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.asnumpy(), rtol=1e-5, atol=1e-6)
    assert scans(recorded[-1]) == 1


def other_weights(net, x):
    y = x[0]
    for weight in net.many:
        y = ops.tanh(weight * y + 1).sum(0)
    return y


def other_small_weights(net, x):
    y = x[0]
    for weight in net.small:
        y = ops.tanh(weight * y + 1)
    return y


def too_few(net, x):
    y = x[0]
    for t in range(8):
        y = ops.tanh(y + x[t])
    return y


@pytest.mark.parametrize(
    "body", [other_weights, other_small_weights, too_few], ids=lambda f: f.__name__
)
def test_what_stays_unrolled(body, recorded):
    check(lambda net: lambda x: net(x), body, rows(), calls=1)
    assert not uses(recorded[-1], "scan")


def test_a_loop_of_convolutions_stays_unrolled_on_the_cpu():
    def body(x):
        for _ in range(STEPS):
            x = jax.lax.conv(x, x, (1, 1), "SAME")
        return x

    closed = jax.make_jaxpr(body)(np.ones((1, 1, 1, 1), np.float32))
    assert reroll(closed) is closed


def test_a_long_loop_compiles_about_as_much_as_a_short_one(recorded):
    net = World(last)
    for steps in (20, 200):
        x = Tensor(np.zeros((steps, 2), np.float32))

        def run(x, steps=steps):
            h = x[0]
            for t in range(steps):
                h = net.step(x[t], h)
            return h.sum()

        ms.jit(lambda x, run=run: ms.grad(run)(x))(x)
    short, long = (len(jaxpr.eqns) for jaxpr in recorded)
    assert long <= short


def test_fused_steps_of_a_loop():
    x = Tensor(np.random.default_rng(1).normal(size=(3, STEPS, 2)).astype(np.float32))
    found = []
    for fused in (False, True):
        ms.set_seed(0)
        net = World(losses)
        step = nn.TrainOneStepCell(net, nn.SGD([net.weight, net.bias], 0.1))
        values = ms.fuse_steps(step, 3)(x) if fused else [step(x[i]) for i in range(3)]
        found.append([*(float(v) for v in values), *net.weight.asnumpy().ravel()])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)


# ``while`` on Tensors ----------------------------------------------------------------------


def until_large(net, x):
    while x.sum() < 10:
        x = x + 1
    return x


def counted(net, x):
    n = 0
    while n < x.sum() and n < 5:
        x = x - 0.25 * n
        n += 1
    return x, n


def with_tuples(net, x):
    pair = (x, x * 2)
    while pair[0].sum() < 20:
        pair = (pair[1], pair[0] + ops.abs(pair[1]) + 1)
    return pair


def with_state(net, x):
    while x.sum() < 30:
        net.count += 1
        ops.assign_add(net.bias, x * 0.01)
        x = x + ops.abs(net.bias) + UNSEEDED((2,))
    return x, net.count * 1


def until_break(net, x):
    n = 0
    while True:
        x = x * 1.5 + 1
        n += 1
        if x.sum() > 10:
            break
        if n == 3:
            x = x - 1
    return x, n


def until_continue(net, x):
    k = x * 0
    while x.sum() < 30 or k.sum() < 0:
        x = x + 1
        if not x[0] > 3:
            continue
        if x[0] > 8:
            k = k + x
            if k.sum() > 100:
                break
        else:
            k = k - 1
    return x, k


def within_a_loop(net, x):
    n = 0
    while x.sum() < 10:
        y = x
        while y.sum() < 6:
            y = y + 1
            n = n + 1
        for k in range(3):
            if k == 1:
                continue
            y = y + k
        x = x + ops.abs(y) * 0.5
    return x, n


def written_by_position(net, x):
    y, i = ops.zeros((4,)), Tensor(0, ms.int32)
    while i < 3:
        y[i] = x[0] * i
        i = i + 1
    return y


def descending(net, x):
    slope = ms.grad(lambda v: ((v - 3) ** 2).sum())
    while ops.abs(slope(x)).max() > 1e-2:
        x = x - 0.1 * slope(x)
    return x


def type_of_the_first_turn(net, x):
    largest = x[0] * 0
    done = False
    while not done:
        largest = ops.maximum(largest, x.max())
        x = x + 1
        done = x.sum() > 8
    return largest


def a_return(net, x):
    while x.sum() < 20:
        if x[0] > 5:
            return x * 2
        x = x + 1
    return x


def a_float(net, x):
    f = 0.1
    while x.sum() < 12:
        x = x + f
        f = f * 1.5
    return x, f


WHILE = [
    until_large,
    counted,
    with_tuples,
    with_state,
    until_break,
    until_continue,
    within_a_loop,
    written_by_position,
    descending,
    type_of_the_first_turn,
    a_return,
    a_float,
]


@pytest.mark.parametrize("body", WHILE, ids=lambda f: f.__name__)
def test_a_while_is_compiled(body):
    for start in ([0.5, 0.25], [40.0, -3.0]):
        stats = check(lambda net: lambda x: net(x), body, Tensor(start))
        assert (stats.compiles, stats.hits, stats.fallbacks) == (1, 1, {})


def test_a_while_of_a_function_without_a_name_of_its_own_is_compiled():
    """One within a function, and one whose name stands for what decorates it."""

    def local(net, x):
        while x.sum() < 10:
            x = x * 2 + ops.abs(net.weight[0])
        return x

    for body in (local, decorated):
        stats = check(lambda net: lambda x: net(x), body, Tensor([0.5, 0.25]))
        assert (stats.compiles, stats.hits, stats.fallbacks) == (1, 1, {})


def twice(function):
    @functools.wraps(function)
    def run(net, x):
        return function(net, function(net, x))

    return run


@twice
def decorated(net, x):
    while x.sum() < 10:
        x = x * 2 + ops.abs(net.weight[0])
    return x


def a_list_that_grows(net, x):
    found = []
    while x.sum() < 10:
        x = x + 1
        found.append(x)
    return ops.stack(found)


def a_list_of_numbers(net, x):
    found = []
    while x.sum() < 30:
        found.append(1)
        x = x + len(found)
    return x


def an_attribute(net, x):
    while x.sum() < 30:
        net.calls += 1
        x = x + net.calls
    return x


def an_iterator(net, x):
    numbers = iter(range(40))
    while x.sum() < 60:
        x = x + next(numbers)
    return x


def an_alias(net, x):
    y = x * 1
    z = y
    while y.sum() < 10:
        z[0] = z[0] + 1
        y = y + z
    return y, z


def a_view(net, x):
    y = x * 1
    z = y[0:1]
    while y[1] < 10:
        y[0] = y[0] + 1
        z = z + y[0]
        y[1] = y[1] + 1
    return y, z


def a_shape(net, x):
    while x.sum() < 50:
        x = ops.concat((x, x))
    return x


def a_closure(net, x):
    n = 0

    def count():
        nonlocal n
        n += 1
        return n

    while x.sum() < 40:
        x = x + count()
    return x


def a_value(net, x):
    while x.sum() < 12:
        x = x + float(x.asnumpy()[0])
    return x


PLAIN = [
    a_list_that_grows,
    a_list_of_numbers,
    an_attribute,
    an_iterator,
    an_alias,
    a_view,
    a_shape,
    a_closure,
    a_value,
]


@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
@pytest.mark.parametrize("body", PLAIN, ids=lambda f: f.__name__)
def test_what_no_loop_can_carry_runs_as_plain_python(body):
    stats = check(lambda net: lambda x: net(x), body, Tensor([0.5, 0.25]))
    assert stats.compiles == 0
    assert len(stats.fallbacks) == 1


def of_what_moves(net, x):
    h, n, kept = x * 1, 0, Tensor(2, ms.int32)
    while h.sum() < 3 and n < 40:
        h = net.step(h, x) * kept + h * 1.01
        n += 1
        net.count += 1
        if h[0] > 1:
            h = h - net.bias
    return h * n


def never(net, x):
    y = x * net.bias
    while y.sum() > 1e9:
        y = y * net.weight.sum()
    return y


@pytest.fixture
def few_places(monkeypatch):
    """Have loops keep few states, so that turns run again."""
    monkeypatch.setattr(loop_gradient, "_MAX_PLACES", 4)
    monkeypatch.setattr(loop_gradient, "_MIN_PLACES", 4)


WITH_A_GRADIENT = [counted, with_tuples, until_continue, within_a_loop, of_what_moves, never]


@pytest.mark.parametrize("body", WITH_A_GRADIENT, ids=lambda f: f.__name__)
def test_a_gradient_through_a_while_is_compiled(body, few_places):
    def make(net):
        def summed(x):
            leaves = jax.tree.leaves(net(x), is_leaf=lambda v: isinstance(v, Tensor))
            return sum((v * v * ops.ones((1,))).sum() for v in leaves)

        return lambda x: ms.value_and_grad(summed, 0, [net.weight, net.bias])(x)

    stats = check(make, body, Tensor([0.5, 0.25]))
    assert (stats.compiles, stats.fallbacks) == (1, {})


def of_many_turns(x, n):
    i = Tensor(0, ms.int32)
    while i < n:
        x = ops.sin(x * 1.5) + x * 0.1
        i = i + 1
    return x.sum()


def test_a_gradient_of_what_is_compiled_through_a_while(few_places):
    run, x = ms.jit(of_many_turns), Tensor([0.5, 0.25])
    for count in (0, 1, 4, 5, 37):
        n = Tensor(count, ms.int32)
        expected = ms.value_and_grad(of_many_turns)(x, n)
        for one, other in zip(expected, ms.value_and_grad(run)(x, n), strict=True):
            np.testing.assert_allclose(other.asnumpy(), one.asnumpy(), rtol=1e-5)
    assert run.stats.compiles == 1
    assert run.stats.fallbacks == {}


def test_other_derivatives_of_what_is_compiled_through_a_while():
    run, x = ms.jit(until_large), Tensor([0.5, 0.25])

    def both(of):
        return of(lambda x: until_large(None, x * x)), of(lambda x: run(None, x * x))

    for of in (
        lambda f: ms.jvp(f, (x,), (x,))[1],
        lambda f: ms.jacrev(f)(x),
        lambda f: ms.jacfwd(f)(x),
        lambda f: ms.grad(ms.grad(lambda x: (f(x) ** 3).sum()))(x),
    ):
        one, other = both(of)
        np.testing.assert_allclose(other.asnumpy(), one.asnumpy(), rtol=1e-5)


@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
def test_a_second_derivative_through_a_while_runs_as_plain_python():
    def make(net):
        return lambda x: ms.grad(lambda x: (ms.grad(net)(x * x) ** 2).sum())(x)

    stats = check(make, until_large, Tensor([0.5, 0.25]))
    assert stats.compiles == 0


def test_the_code_of_a_function_is_as_before():
    code = until_large.__code__
    run = ms.jit(until_large)
    for start in ([0.0, 1.0], [2.0, 3.0], [20.0, 0.0]):
        expected = until_large(None, Tensor(start)).asnumpy()
        np.testing.assert_array_equal(run(None, Tensor(start)).asnumpy(), expected)
    assert run.stats.compiles == 1
    assert until_large.__code__ is code


def test_a_source_that_has_changed_is_not_taken(tmp_path):
    path = tmp_path / "program.py"
    text = "def loop(x):\n    while x < 10:\n        x = x + 1\n    return x\n"
    path.write_text(text.replace("+ 1", "+ 3"))
    space = {}
    exec(compile(text, str(path), "exec"), space)
    run = ms.jit(space["loop"])
    with pytest.warns(UserWarning, match="runs as plain Python"):
        assert float(run(Tensor(0.5))) == 10.5


def test_graph_mode_compiles_a_while():
    class Alone(World):
        pass

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Alone(with_state)
    net(Tensor([0.5, 0.25]))
    # Those of other tests may still be there under their own name.
    (stats,) = (v for k, v in ms.jit_stats().items() if k.endswith("Alone"))
    assert stats.fallbacks == {}


@pytest.mark.parametrize("of", ["layer_norm", "group_norm", "depthwise"])
def test_a_small_loop_of_layers_that_are_computed_once(of):
    """XLA writes a small loop as one kernel, if nothing in it is to be computed once."""
    layers = {
        "layer_norm": nn.LayerNorm((4,)),
        "group_norm": nn.GroupNorm(1, 2),
        "depthwise": nn.Conv2d(2, 2, 3, group=2, weight_init="ones"),
    }
    layer, x = layers[of], Tensor(np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4) / 8)

    def turns(x):
        for _ in range(STEPS):
            x = ops.tanh(layer(x)) * 0.5
        return x

    def until(x):
        while x.sum() < 90:
            x = ops.tanh(layer(x)) * 0.25 + x + 1
        return x

    for fn in (turns, until, ms.grad(turns)):
        np.testing.assert_allclose(ms.jit(fn)(x).asnumpy(), fn(x).asnumpy(), rtol=1e-4, atol=1e-6)
