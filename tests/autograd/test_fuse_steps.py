"""``fuse_steps``: n steps in one program are the n compiled steps, in all that they leave."""

import gc
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

# Draws from the global generator, which eager and compiled calls share.
UNSEEDED = ops.UniformReal()

N = 6
_rng = np.random.default_rng(0)
X = _rng.normal(size=(2, N, 8, 4)).astype(np.float32)
Y = X.sum(-1, keepdims=True)
# Its gradient overflows: a step that a loss scale passes over.
OVERFLOWING = Y.copy()
OVERFLOWING[0, 2] = np.inf


def network():
    return nn.SequentialCell(
        nn.Dense(4, 16), nn.BatchNorm1d(16), nn.Tanh(), nn.Dropout(p=0.3), nn.Dense(16, 1)
    )


def by_cell(rule):
    net = network()
    cell = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), rule(net.trainable_params()))
    return cell.set_train(), cell


def by_hand(rule):
    net = network().set_train()
    optimizer = rule(net.trainable_params())
    after = ms.value_and_grad(
        lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters, has_aux=False
    )

    def step(x, y):
        loss, grads = after(x, y)
        optimizer(ops.clip_by_global_norm(grads, 1.0))
        return loss, {"norm": ops.sqrt(sum((g * g).sum() for g in grads)), "kind": "clipped"}

    return step, nn.CellList([net, optimizer], auto_prefix=False)


def with_loss_scale(rule):
    net = network()
    scale = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**10, scale_factor=4, scale_window=2)
    cell = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()), rule(net.trainable_params()), scale_sense=scale
    )
    return cell.set_train(), cell


RULES = {
    "adam_listed_rates": lambda p: nn.Adam(p, nn.cosine_decay_lr(1e-3, 0.1, 100, 10, 10)),
    "momentum_schedule": lambda p: nn.Momentum(
        p, nn.ExponentialDecayLR(0.1, 0.5, 4, is_stair=True), 0.9, weight_decay=0.01
    ),
    "lamb": lambda p: nn.Lamb(p, nn.PolynomialDecayLR(0.1, 0.01, 8, 0.5)),
}


def small():
    net = nn.SequentialCell(nn.Dense(4, 1), nn.Dropout(p=0.1))
    rule = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    cell = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), rule)
    return cell.set_train(), cell


def raw_state(owner):
    return {p.name: p.asnumpy() for p in owner.get_parameters()}


def leaves(tree):
    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree) if not isinstance(leaf, str)]


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (by_cell, "adam_listed_rates"),
        (by_hand, "momentum_schedule"),
        (with_loss_scale, "lamb"),
    ],
)
def test_n_fused_steps_are_n_compiled_steps_bit_for_bit(make, rule):
    labels = OVERFLOWING if make is with_loss_scale else Y
    ms.set_seed(1)
    step, owner = make(RULES[rule])
    one = ms.jit(lambda x, y: step(x, y))
    expected = [
        [leaves(one(Tensor(X[r, i]), Tensor(labels[r, i]))) for i in range(N)] for r in range(2)
    ]
    state, drawn = raw_state(owner), ops.rand(3).asnumpy()

    ms.set_seed(1)
    step, owner = make(RULES[rule])
    fused = ms.fuse_steps(step, N)
    for r in range(2):
        found = leaves(fused(X[r], labels[r]))
        for index in range(N):
            for value, wanted in zip(found, expected[r][index], strict=True):
                assert value[index].tobytes() == wanted.tobytes()
    assert raw_state(owner).keys() == state.keys()
    for name, value in raw_state(owner).items():
        assert value.tobytes() == state[name].tobytes(), name
    assert np.array_equal(ops.rand(3).asnumpy(), drawn)
    assert (fused.stats.compiles, fused.stats.hits, fused.stats.fallbacks) == (1, 1, {})


def scaled(x, factor=2.0, *, shift=None):
    return x * factor if shift is None else x * factor + shift


@pytest.mark.parametrize(
    "args",
    [
        (np.arange(3.0, dtype=np.float32),),
        (jnp.arange(3.0),),
        (Tensor([0.0, 1.0, 2.0]),),
        ([(np.float32(i),) for i in range(3)],),
        ([[Tensor(float(i))] for i in range(3)],),
        ([np.array(i, np.float32) for i in range(3)],),
    ],
)
def test_forms_of_the_inputs(args):
    fused = ms.fuse_steps(scaled, 3)
    assert fused.__name__ == "scaled"
    out = fused(*args)
    assert (type(out), out.dtype) == (Tensor, ms.float32)
    assert out.asnumpy().tolist() == [0, 2, 4]


def test_constants_keywords_and_nested_inputs():
    x = np.arange(3.0, dtype=np.float32)
    fused = ms.fuse_steps(scaled, 3)
    assert fused(x, 3.0).asnumpy().tolist() == [0, 3, 6]
    assert fused(x, shift=Tensor([1.0, 2.0, 3.0])).asnumpy().tolist() == [1, 4, 7]
    doubles = fused([(np.full(2, i / 3), 10) for i in range(3)])
    assert doubles.dtype == ms.float64
    np.testing.assert_allclose(doubles.asnumpy()[:, 1], [0, 10 / 3, 20 / 3], 1e-15)
    nested = ms.fuse_steps(lambda both: both["x"] + both["more"][0], 3)
    assert nested({"x": x, "more": (x,)}).asnumpy().tolist() == [0, 2, 4]
    assert nested([({"x": x[i], "more": (x[i],)},) for i in range(3)]).asnumpy().tolist() == [
        0,
        2,
        4,
    ]


@pytest.mark.parametrize("ask", [bool, float], ids=["compiled", "plain"])
@pytest.mark.filterwarnings("ignore:fuse_steps")
def test_a_returned_parameter_is_that_of_each_step(ask):
    weight = Parameter(Tensor(1.0), name="w")

    def step(x):
        if ask(x > 1):
            ops.assign_add(weight, x)
        return weight

    out = ms.fuse_steps(step, 3)(np.array([1, 2, 3], np.float32))
    assert (type(out), out.asnumpy().tolist()) == (Tensor, [1, 3, 6])


def test_listed_rates_that_come_to_an_end():
    weight = Parameter(Tensor([1.0]), name="w")
    optimizer = nn.SGD([weight], [0.1] * 5)
    after = ms.value_and_grad(lambda: weight.sum(), None, optimizer.parameters)
    fused = ms.fuse_steps(lambda: optimizer(after()[1]), 3)
    fused()
    value = weight.asnumpy()
    with pytest.raises(RuntimeError, match="holds 5"):
        fused()
    assert np.array_equal(weight.asnumpy(), value)
    assert optimizer.global_step.asnumpy().tolist() == [3]


def test_a_step_without_inputs_and_a_closed_over_tensor():
    weight, data = Parameter(Tensor([8.0]), name="w"), Tensor([2.0])
    fused = ms.fuse_steps(lambda: ops.assign(weight, weight / data), 3)
    assert fused().asnumpy().tolist() == [[4], [2], [1]]
    assert weight.asnumpy().tolist() == [1]
    data.assign_value(Tensor([0.5]))
    fused()
    assert weight.asnumpy().tolist() == [8]
    assert fused.stats.compiles == 1


def test_another_shape_or_mode_is_compiled_and_comes_back():
    net = network()
    fused = ms.fuse_steps(lambda x: net(x).sum(), N)
    for train, batch in ((True, 8), (True, 4), (False, 4), (True, 8), (True, 4)):
        net.set_train(train)
        fused(X[0, :, :batch])
    assert (fused.stats.compiles, fused.stats.hits) == (3, 2)


class Recurrent(nn.Cell):
    def __init__(self, start):
        super().__init__()
        self.hidden = start
        self.other = Tensor([1.0])
        self.register_buffer("mean", Tensor([0.0]))

    def construct(self, x):
        if self.hidden is None:
            self.hidden = x * 0
        self.hidden = self.hidden * 0.5 + x
        self.other, self.hidden = self.hidden, self.other
        self.mean = self.mean * 0.9 + self.hidden
        self.seen = x
        return self.hidden + self.mean


@pytest.mark.parametrize("start", [None, 3.0])
def test_tensors_on_cells_go_from_step_to_step(start):
    nets = [Recurrent(None if start is None else Tensor([start])) for _ in range(3)]
    x = np.arange(10.0, dtype=np.float32).reshape(2, 5, 1)
    one, fused = ms.jit(lambda x: nets[1](x)), ms.fuse_steps(nets[2], 5)
    for half in x:
        expected = [nets[0](Tensor(row)).asnumpy() for row in half]
        np.testing.assert_allclose([one(Tensor(row)).asnumpy() for row in half], expected, 1e-6)
        np.testing.assert_allclose(fused(half).asnumpy(), expected, 1e-6)
        for name in ("hidden", "other", "mean", "seen"):
            wanted = getattr(nets[0], name).asnumpy()
            np.testing.assert_allclose(getattr(nets[1], name).asnumpy(), wanted, 1e-6)
            np.testing.assert_allclose(getattr(nets[2], name).asnumpy(), wanted, 1e-6)


def test_python_runs_once_and_the_state_is_donated():
    runs = []
    weight = Parameter(Tensor(np.zeros(100_000, np.float32)), name="w")

    def step(x):
        runs.append(1)
        ops.assign_add(weight, x)
        return x.sum()

    fused = ms.fuse_steps(step, 3)
    x = np.ones((3, 100_000), np.float32)
    fused(x)
    taken, address = weight.value(), weight._data.unsafe_buffer_pointer()
    fused(x)
    assert np.all(taken.asnumpy() == 3)
    del taken
    address = weight._data.unsafe_buffer_pointer()
    fused(x)
    assert weight._data.unsafe_buffer_pointer() == address
    assert np.all(weight.asnumpy() == 9)
    assert len(runs) == 1


def counted_branch():
    weight = Parameter(Tensor([1.0]), name="w")
    runs = []

    def step(x):
        runs.append(1)
        ops.assign_add(weight, x)
        if weight > 3:
            ops.assign(weight, weight - 3)
        return weight * UNSEEDED((1,)), float(weight), "text"

    return weight, runs, step


def test_a_step_that_needs_a_value_is_a_loop_with_one_warning():
    x = np.arange(4.0, dtype=np.float32).reshape(4, 1)
    ms.set_seed(5)
    weight, _, step = counted_branch()
    expected = [step(Tensor(row)) for row in x] + [step(Tensor(row)) for row in x]
    value = weight.asnumpy()

    ms.set_seed(5)
    weight, runs, step = counted_branch()
    fused = ms.fuse_steps(step, 4)
    with pytest.warns(UserWarning, match="loop of 4 steps.*it returns numbers"):
        first = fused(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        second = fused(x)
    drawn = np.concatenate([first[0].asnumpy(), second[0].asnumpy()])
    assert np.array_equal(drawn, np.stack([e[0].asnumpy() for e in expected]))
    assert first[1] + second[1] == [e[1] for e in expected]
    assert first[2] == "text"
    assert np.array_equal(weight.asnumpy(), value)
    # Eight steps, and a trace of each branch.
    assert len(runs) == 10
    assert list(fused.stats.fallbacks.values()) == [1]


def test_a_branch_is_part_of_the_loop():
    weight = Parameter(Tensor(1.0), name="w")

    def step(x):
        if weight > 3:
            ops.assign(weight, weight - 3)
        ops.assign_add(weight, x)
        return weight.value()

    fused = ms.fuse_steps(step, 4)
    x = np.array([1, 2, 3, 4], np.float32)
    assert fused(x).asnumpy().tolist() == [2, 4, 4, 5]
    assert fused(x).asnumpy().tolist() == [3, 5, 5, 6]
    assert (fused.stats.compiles, fused.stats.hits, fused.stats.fallbacks) == (1, 1, {})


def test_python_values_that_change_from_step_to_step():
    class Counting(nn.Cell):
        def __init__(self, end):
            super().__init__()
            self.count, self.end = 0, end

        def construct(self, x):
            self.count = min(self.count + 1, self.end)
            return x * self.count

    x = np.ones(3, np.float32)
    settling = ms.fuse_steps(Counting(2), 3)
    assert settling(x).asnumpy().tolist() == [1, 2, 2]
    assert settling(x).asnumpy().tolist() == [2, 2, 2]
    assert settling(x).asnumpy().tolist() == [2, 2, 2]
    assert (settling.stats.compiles, settling.stats.hits) == (2, 1)
    endless = ms.fuse_steps(Counting(100), 3)
    with pytest.warns(UserWarning, match="changes from"):
        found = np.concatenate([endless(x).asnumpy() for _ in range(6)])
    assert found.tolist() == list(range(1, 19))


def test_tensors_that_a_step_leaves_in_a_list():
    kept = []

    def step(x):
        kept.append(x * 2)
        return x

    fused = ms.fuse_steps(step, 3)
    with pytest.warns(UserWarning, match="kept in a list") as caught:
        fused(np.array([1, 2, 3], np.float32))
    assert len(caught) == 1
    fused(np.array([1, 2, 3], np.float32))
    assert [float(k) for k in kept] == [2, 4, 6, 2, 4, 6]


def test_a_state_that_changes_its_shape_is_a_loop_of_compiled_steps():
    class Growing(nn.Cell):
        def __init__(self):
            super().__init__()
            self.all = Tensor([0.0])

        def construct(self, x):
            self.all = ops.cat((self.all, x))
            return self.all.sum()

    net = Growing()
    fused = ms.fuse_steps(net, 3)
    with pytest.warns(UserWarning, match=r"Tensor kept on a Cell of shape \(1,\)"):
        out = fused(np.ones((3, 1), np.float32))
    assert out.asnumpy().tolist() == [1, 2, 3]
    assert net.all.asnumpy().tolist() == [0, 1, 1, 1]
    assert fused(np.ones((3, 1), np.float32)).asnumpy().tolist() == [4, 5, 6]


def test_a_step_writes_into_a_copy_of_its_input():
    def step(x):
        x[0] = 5.0
        return x.sum()

    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    fused = ms.fuse_steps(step, 2)
    for _ in range(2):
        assert fused(x).asnumpy().tolist() == [7, 9]
        assert x.asnumpy().tolist() == [[1, 2], [3, 4]]


def test_inside_a_compiled_function_and_under_a_gradient():
    weight = Parameter(Tensor([2.0]), name="w")

    def step(x):
        ops.assign(weight, weight * x)
        return weight.value()

    fused = ms.fuse_steps(step, 3)
    x = Tensor([[2.0], [3.0], [5.0]])
    assert ms.jit(lambda x: fused(x))(x).asnumpy().tolist() == [[4], [12], [60]]
    weight.set_data(Tensor([2.0]))
    smooth = ms.fuse_steps(lambda x: weight * x * x, 3)
    for _ in range(2):
        by_x, by_w = ms.grad(lambda x: smooth(x).sum(), 0, weight)(x)
        assert by_x.asnumpy().tolist() == [[8], [12], [20]]
        assert by_w.asnumpy().tolist() == [38]


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: ms.fuse_steps(3, 2), TypeError, "must be callable"),
        (lambda: ms.fuse_steps(scaled, 2.0), TypeError, "'n' must be int"),
        (lambda: ms.fuse_steps(scaled, True), TypeError, "'n' must be int"),
        (lambda: ms.fuse_steps(scaled, 0), ValueError, "at least 1"),
        (lambda: ms.fuse_steps(scaled, 2, unroll=0), ValueError, "'unroll' must be at least 1"),
        (lambda: ms.fuse_steps(scaled, 2)(X), ValueError, r"leading axis of 2"),
        (lambda: ms.fuse_steps(scaled, 3)(X), ValueError, r"array 0 has the shape \(2, 6, 8, 4\)"),
        (lambda: ms.fuse_steps(scaled, 3)(Tensor(1.0)), ValueError, r"the shape \(\)"),
        (lambda: ms.fuse_steps(scaled, 3)([(X,)] * 2), ValueError, "each of the 3 steps"),
        (lambda: ms.fuse_steps(scaled, 2)([X, X[0]]), ValueError, "same structure"),
        (lambda: ms.fuse_steps(scaled, 2)([(X, 1), (X, 2)]), ValueError, "but got 1, 2"),
        (lambda: ms.fuse_steps(scaled, 2)([(X,), (X, X)]), ValueError, "same structure"),
    ],
)
def test_errors(call, kind, text):
    if "leading axis of 2" in text:
        call = lambda: ms.fuse_steps(scaled, 2)(X[0])
    with pytest.raises(kind, match=text):
        call()


def test_an_exception_leaves_the_state_alone():
    ms.set_seed(2)
    step, owner = small()
    fused = ms.fuse_steps(step, N)
    fused(X[0], Y[0])
    state = raw_state(owner)
    with pytest.raises(ValueError, match="leading axis"):
        fused(X[0, :3], Y[0])
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        fused(X[0, :, :, :3], Y[0])
    for name, value in raw_state(owner).items():
        assert np.array_equal(value, state[name]), name
    fused(X[1], Y[1])
    assert fused.stats.compiles == 1


def test_calls_leave_nothing_behind():
    step, _ = small()
    fused = ms.fuse_steps(step, N, unroll=2)
    fused(X[0], Y[0])
    fused(X[0], Y[0])
    gc.collect()
    before = len(jax.live_arrays())
    for _ in range(50):
        fused(X[0], Y[0])
    gc.collect()
    assert len(jax.live_arrays()) <= before
    assert fused.stats.compiles == 1


@pytest.mark.parametrize("unroll", [None, 1])
def test_convolutions_are_the_same_steps(unroll):
    def make():
        ms.set_seed(4)
        net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Dense(72, 1))
        loss = nn.WithLossCell(net, nn.MSELoss())
        return net, nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.01, 0.9))

    x, y = X.reshape(2, N, 8, 4)[..., :1] * np.ones((1, 36), np.float32), Y
    x = x.reshape(2, N, 8, 1, 6, 6)
    (net, one), (other, fused) = make(), make()
    one, fused = ms.jit(one), ms.fuse_steps(fused, N, unroll=unroll)
    for r in range(2):
        expected = [float(one(Tensor(x[r, i]), Tensor(y[r, i]))) for i in range(N)]
        np.testing.assert_allclose(fused(x[r], y[r]).asnumpy(), expected, 1e-5)
    for p, q in zip(net.get_parameters(), other.get_parameters(), strict=True):
        np.testing.assert_allclose(p.asnumpy(), q.asnumpy(), 1e-4, 1e-6)
    assert (fused.stats.compiles, fused.stats.hits) == (1, 1)
