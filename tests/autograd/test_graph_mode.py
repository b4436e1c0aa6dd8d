"""GRAPH_MODE: what compiles and how often, what changes are seen, where Python steps in."""

import copy
import gc
import pickle
import threading
import warnings
import weakref

import numpy as np
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._compiled.program_cache import cached_on
from msgrad.context import get_context, set_context
from msgrad.nn.wrap.loss_scale import DynamicLossScaleUpdateCell, TrainOneStepWithLossScaleCell


@pytest.fixture(autouse=True)
def graph_mode():
    set_context(mode=ms.GRAPH_MODE)


def batch(rows=4, scale=1.0):
    return Tensor(np.linspace(-scale, scale, rows * 3, dtype=np.float32).reshape(rows, 3))


def compiles(owner, name="call"):
    """How often the calls of a Cell have been compiled."""
    return cached_on(owner, name, lambda: pytest.fail("nothing is compiled")).stats.compiles


def is_compiled(owner):
    return "_program_cache" in vars(owner)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)
        self.factor = 2.0
        self.traces = []

    def construct(self, x):
        self.traces.append(1)
        return self.dense(x) * self.factor


class Loss(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, x):
        return (self.net(x) ** 2).mean()


def eagerly(call):
    set_context(mode=ms.PYNATIVE_MODE)
    try:
        return call()
    finally:
        set_context(mode=ms.GRAPH_MODE)


def test_the_outermost_cell_compiles_and_gives_the_eager_numbers():
    net = Net()
    x = batch()
    expected = eagerly(lambda: net(x)).asnumpy()
    net.traces.clear()
    for _ in range(3):
        np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-6, atol=1e-7)
    assert len(net.traces) == 1
    assert compiles(net) == 1
    assert not is_compiled(net.dense)


def test_one_compile_for_a_thousand_steps_and_one_for_each_shape():
    net = Net()
    step = nn.TrainOneStepCell(Loss(net), nn.Momentum(net.trainable_params(), 0.01, 0.9))
    step.set_train()
    for _ in range(1000):
        step(batch())
    assert compiles(step) == 1
    for rows in (2, 4, 2, 4):
        step(batch(rows))
    assert compiles(step) == 2
    step.set_train(True)
    step(batch())
    assert compiles(step) == 2
    assert int(step.optimizer.global_step[0]) == 1005
    assert len(net.traces) == 2


def test_a_training_cell_follows_the_eager_losses():
    def run():
        ms.set_seed(3)
        hidden = nn.BatchNorm1d(8), nn.Dropout(p=0.3)
        net = nn.SequentialCell(nn.Dense(3, 8), *hidden, nn.Dense(8, 1))
        rate = nn.CosineDecayLR(0.001, 0.01, 10)
        rule = nn.Momentum(net.trainable_params(), rate, 0.9, weight_decay=0.01)
        scale = DynamicLossScaleUpdateCell(2.0**10, 2, 3)
        step = TrainOneStepWithLossScaleCell(Loss(net), rule, scale)
        step.set_train()
        inputs = [batch(), batch(scale=2.0), batch() / 0.0, *[batch()] * 5]
        outs = [[np.array(part.asnumpy()) for part in step(x)] for x in inputs]
        return outs, [p.asnumpy() for p in step.get_parameters()], step

    (outs, state, step), (eager, other, _) = run(), eagerly(run)
    for one, two in zip(outs, eager, strict=True):
        for a, b in zip(one, two, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4)
    for a, b in zip(state, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    assert compiles(step) == 1


def test_dropout_differs_and_repeats_after_set_seed():
    found = []
    for _ in range(2):
        ms.set_seed(5)
        net = nn.SequentialCell(nn.Dense(3, 64), nn.Dropout(p=0.5))
        net.set_train()
        found.append([net(batch()).asnumpy() for _ in range(2)])
    assert not np.array_equal(*found[0])
    assert np.array_equal(*found)
    net.set_train(False)
    assert np.array_equal(net(batch()).asnumpy(), net(batch()).asnumpy())
    assert compiles(net) == 2


def test_weights_that_change_are_seen_without_compiling():
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    ones = Tensor(np.ones((1, 3), np.float32))
    assert net(ones).asnumpy().tolist() == [[3, 3]]
    net.weight.set_data(Tensor(np.full((2, 3), 2, np.float32)))
    assert net(ones).asnumpy().tolist() == [[6, 6]]
    ms.load_param_into_net(net, {"bias": Parameter(Tensor([1.0, 2.0]), name="bias")})
    assert net(ones).asnumpy().tolist() == [[7, 8]]
    ops.assign(net.bias, Tensor([0.0, 0.0]))
    assert net(ones).asnumpy().tolist() == [[6, 6]]
    net.bias[0] = 5.0
    assert net(ones).asnumpy().tolist() == [[11, 6]]
    assert compiles(net) == 1


def test_parameters_that_are_made_or_replaced_are_seen():
    class Lazy(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = None

        def construct(self, x):
            if self.weight is None:
                self.weight = Parameter(ops.ones((3, 2), ms.float32), name="weight")
            ops.assign_add(self.weight, ops.ones((3, 2), ms.float32))
            return ops.matmul(x, self.weight)

    net, ones = Lazy(), Tensor(np.ones((1, 3), np.float32))
    assert [net(ones)[0, 0].item() for _ in range(4)] == [6, 9, 12, 15]
    assert compiles(net) == 2
    net.weight = Parameter(Tensor(np.zeros((3, 2), np.float32)), name="weight")
    assert net(ones)[0, 0].item() == 3


def test_a_changed_attribute_makes_another_program():
    net, x = Net(), batch()
    first = net(x).asnumpy()
    net.factor = 4.0
    np.testing.assert_allclose(net(x).asnumpy(), first * 2, rtol=1e-6)
    net.factor = 2.0
    net.never_read = 1
    np.testing.assert_allclose(net(x).asnumpy(), first, rtol=1e-6)
    assert compiles(net) == 2
    outer = nn.SequentialCell(net)
    outer(x)
    net.factor = 8.0
    np.testing.assert_allclose(outer(x).asnumpy(), first * 4, rtol=1e-6)
    net.dense = nn.Dense(3, 2, weight_init="zeros", bias_init="zeros")
    assert not np.any(outer(x).asnumpy())


def test_an_attribute_that_construct_sets_is_set_by_every_call():
    class Marking(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mark = "never"

        def construct(self, x):
            self.mark = "called"
            return x * 2

    net = Marking()
    for _ in range(3):
        net.mark = "reset"
        net(batch())
        assert net.mark == "called"
    assert compiles(net) == 1


def test_a_counter_in_python_ends_in_plain_python():
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def construct(self, x):
            self.calls += 1
            return x * self.calls

    net = Counting()
    one = Tensor([1.0])
    with pytest.warns(UserWarning, match="'calls' of a Cell changes from call to call") as caught:
        assert [net(one).item() for _ in range(12)] == list(range(1, 13))
    assert len(caught) == 1
    assert net.calls == 12
    assert compiles(net) < 10


def test_state_kept_as_an_attribute_goes_on():
    class Recurrent(nn.Cell):
        def __init__(self):
            super().__init__()
            self.hidden = None

        def construct(self, x):
            self.hidden = x if self.hidden is None else self.hidden * 0.5 + x
            return self.hidden

    net, x = Recurrent(), Tensor([8.0])
    assert [net(x).item() for _ in range(4)] == [8, 12, 14, 15]
    net.hidden = None
    assert [net(x).item() for _ in range(2)] == [8, 12]
    assert compiles(net) == 2


def test_a_tensor_kept_where_it_cannot_be_renewed_runs_as_plain_python():
    class Listing(nn.Cell):
        def __init__(self):
            super().__init__()
            self.seen = []

        def construct(self, x):
            self.seen.append(x * 2)
            return x

    net = Listing()
    with pytest.warns(UserWarning, match="kept in a list"):
        net(Tensor([1.0]))
    for value in (2.0, 3.0):
        net(Tensor([value]))
    assert [t.item() for t in net.seen] == [2, 4, 6]


def test_what_needs_a_value_runs_as_plain_python_with_one_warning(capsys):
    class Printing(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")

        def construct(self, x):
            out = self.dense(x)
            print(out.asnumpy().sum())
            return out

    net, ones = Printing(), Tensor(np.ones((1, 3), np.float32))
    with pytest.warns(UserWarning, match="runs as plain Python") as caught:
        net(ones)
    for _ in range(2):
        net(ones)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "Printing runs as plain Python" in text
    assert f"{__file__}:" in text
    assert "print(out.asnumpy().sum())" in text
    assert caught[0].filename == __file__
    assert capsys.readouterr().out == "3.0\n" * 3
    assert not is_compiled(net.dense)


def test_gradient_functions_compile_once_however_often_they_are_made():
    net, x = Net(), batch()
    weights = net.trainable_params()
    makers = [
        lambda: ms.grad(net)(x),
        lambda: ms.value_and_grad(net, 0, weights)(x),
        lambda: ms.value_and_grad(net, None, list(weights))(x),
        lambda: ops.GradOperation(get_all=True)(net)(x),
        lambda: ops.GradOperation(get_by_list=True)(net, weights)(x),
        lambda: ops.GradOperation(get_by_list=True, sens_param=True)(net)(x, batch(4)[:, :2]),
    ]
    for make in makers:
        expected = eagerly(make)
        before = len(net.traces)
        for _ in range(3):
            found = make()
            for one, other in zip(flat(found), flat(expected), strict=True):
                np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6, atol=1e-7)
        assert len(net.traces) == before + 1


def flat(tree):
    return [tree] if isinstance(tree, Tensor) else [leaf for item in tree for leaf in flat(item)]


def test_a_gradient_function_of_a_method():
    class Trainer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = Net()

        def forward(self, x):
            return (self.net(x) ** 2).mean()

        def step(self, x):
            return ms.value_and_grad(self.forward, None, self.net.trainable_params())(x)

    trainer = Trainer()
    for _ in range(3):
        trainer.step(batch())
    assert len(trainer.net.traces) == 1


def test_what_a_function_does_not_read_does_not_compile_it_again():
    class Trainer:
        def __init__(self):
            self.factor, self.steps = 2.0, 0

        def forward(self, x):
            return x * self.factor

        def step(self):
            self.steps += 1
            return ms.grad(self.forward)(Tensor([1.0])).item()

    ms.set_context(mode=ms.GRAPH_MODE)
    trainer = Trainer()
    assert [trainer.step() for _ in range(3)] == [2, 2, 2]
    [stats] = [s for name, s in ms.jit_stats().items() if Trainer.forward.__qualname__ in name]
    assert (stats.compiles, stats.hits) == (1, 2)
    trainer.factor = 3.0
    assert trainer.step() == 3


class Weighing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.measured = nn.Dense(2, 1)

    def construct(self, x):
        return self.measured(x).sum()


measured = None


def test_an_attribute_with_the_name_of_a_global_variable_compiles_once():
    global measured
    net, weights = Weighing(), ms.ParameterTuple
    ms.set_context(mode=ms.GRAPH_MODE)
    for _ in range(3):
        # Made anew in every step, as many programs do; the result is the global variable.
        measured, _ = ms.value_and_grad(net, None, weights(net.trainable_params()))(
            Tensor([[1.0, 2.0]])
        )
    [stats] = [s for name, s in ms.jit_stats().items() if "Weighing" in name]
    assert (stats.compiles, stats.hits) == (1, 2)


def test_functions_that_are_made_anew_see_their_own_variables():
    x, found = Tensor([1.0, 2.0]), []
    for factor in (2.0, 3.0):

        def fn(x, factor=factor):
            return (x * factor).sum()

        found.append(ms.grad(fn)(x).asnumpy().tolist())
    assert found == [[2, 2], [3, 3]]


def test_the_forward_pass_is_not_kept_for_a_gradient_that_is_compiled():
    net = nn.SequentialCell(nn.Dense(3, 2), nn.BatchNorm1d(2, momentum=0.5))
    net.set_train()
    net.set_grad()
    x = batch()
    net(x)
    assert ms._core.context.context.forward is None
    once = net[1].moving_mean.asnumpy()
    ops.GradOperation(get_by_list=True)(net, net.trainable_params())(x)
    np.testing.assert_allclose(net[1].moving_mean.asnumpy(), once * 1.5, rtol=1e-5, atol=1e-7)


def test_in_one_step_the_network_runs_once():
    net = nn.SequentialCell(nn.BatchNorm1d(3, momentum=0.5), nn.Dense(3, 1))
    step = nn.TrainOneStepCell(Loss(net), nn.SGD(net.trainable_params(), 0.1))
    step.set_train()
    x = Tensor(np.array([[1, 2, 3], [3, 5, 7]], np.float32))
    step(x)
    np.testing.assert_allclose(net[0].moving_mean.asnumpy(), [1, 1.75, 2.5], rtol=1e-6)


def test_optimizers_are_compiled_calls_of_their_own():
    net = nn.Dense(3, 1)
    rule = nn.Adam(net.trainable_params(), 0.1)
    before = net.weight.asnumpy()
    rule(tuple(ops.ones_like(p) for p in rule.parameters))
    np.testing.assert_allclose(net.weight.asnumpy(), before - 0.1, rtol=1e-5)
    assert not is_compiled(rule)


def test_listed_learning_rates_come_to_an_end():
    net = nn.Dense(3, 1)
    rule = nn.SGD(net.trainable_params(), [0.1, 0.05, 0.01])
    step = nn.TrainOneStepCell(Loss(net), rule)
    for _ in range(3):
        step(batch())
    weight = net.weight.asnumpy()
    with pytest.raises(RuntimeError, match="step 3 has no learning rate"):
        step(batch())
    assert np.array_equal(net.weight.asnumpy(), weight)
    rule.global_step.set_data(Tensor([1], ms.int32))
    step(batch())
    step(batch())
    with pytest.raises(RuntimeError, match="no learning rate"):
        step(batch())


def test_inputs_come_back_as_themselves_and_parameters_as_values():
    class Same(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor([1.0]), name="weight")

        def construct(self, x):
            ops.assign_add(self.weight, x)
            return x, self.weight, x * 2

    net, x = Same(), Tensor([1.0])
    kept = []
    for turn in (2, 3):
        out, weight, double = net(x)
        assert out is x
        assert type(weight) is Tensor
        assert (weight.item(), double.item()) == (turn, 2)
        kept.append(weight)
    assert [k.item() for k in kept] == [2, 3]


def test_copies_and_pickles_have_programs_of_their_own():
    net = Net()
    x = batch()
    first = net(x).asnumpy()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        other.dense.weight.set_data(other.dense.weight * 0)
        other.dense.bias.set_data(other.dense.bias * 0)
        assert not np.any(other(x).asnumpy())
    np.testing.assert_allclose(net(x).asnumpy(), first)
    shallow = copy.copy(net)
    shallow.factor = 0.0
    assert not np.any(shallow(x).asnumpy())
    np.testing.assert_allclose(net(x).asnumpy(), first)
    merged = nnx.merge(*nnx.split(net))
    np.testing.assert_allclose(merged(x).asnumpy(), first)


def test_programs_are_dropped_with_their_cell():
    net = Net()
    net(batch())
    ms.grad(net)(batch())
    gone = weakref.ref(net)
    del net
    gc.collect()
    assert gone() is None


def test_flax_layers_inside_a_cell():
    class Mixed(nn.Cell):
        def __init__(self):
            super().__init__()
            rngs = nnx.Rngs(0)
            self.linear = nnx.Linear(3, 4, rngs=rngs)
            self.norm = nnx.BatchNorm(4, momentum=0.5, rngs=rngs)

        def construct(self, x):
            return self.norm(self.linear(x))

    def run():
        net = Mixed()
        outs = [net(batch()).asnumpy() for _ in range(3)]
        return outs, np.asarray(net.norm.mean.get_value())

    (outs, mean), (eager, other) = run(), eagerly(run)
    np.testing.assert_allclose(outs, eager, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(mean, other, rtol=1e-5, atol=1e-6)


def test_the_mode_is_that_of_the_process():
    seen = []

    def look():
        seen.append(get_context("mode"))
        set_context(mode=ms.PYNATIVE_MODE)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [ms.GRAPH_MODE]
    assert get_context("mode") == ms.PYNATIVE_MODE


def test_operators_outside_of_cells_run_at_once():
    names = set(ms.jit_stats())
    x = Tensor([1.0, -1.0])
    assert (ops.relu(x) + 1).asnumpy().tolist() == [2, 1]
    if x[0] > 0:
        x[0] = 5.0
    assert x.asnumpy().tolist() == [5, -1]
    assert set(ms.jit_stats()) <= names


def test_stats_are_listed_by_name():
    class Listed(Net):
        pass

    net = Listed()
    net(batch())
    net(batch())
    ms.grad(net)(batch())
    stats = ms.jit_stats()
    calls = [s for n, s in stats.items() if n.split(" (")[0].endswith("Listed") and s.hits]
    assert [(s.compiles, s.hits, s.fallbacks) for s in calls] == [(1, 1, {})]
    assert any("gradient of" in name and "Listed" in name for name in stats)


def test_as_many_kinds_as_there_are_stay_bounded():
    class Scaled(nn.Cell):
        def construct(self, x, factor):
            return x * factor

    net = Scaled()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for factor in range(70):
            assert net(Tensor([1.0]), factor).item() == factor
    assert compiles(net) == 64
    assert len(caught) == 1
    entry = cached_on(net, "call", dict)
    assert len(entry._table.programs) <= 64
    assert len(entry._table.plain) <= 64
    assert net(Tensor([1.0]), 3).item() == 3
    assert compiles(net) == 64


def test_gradient_functions_of_what_cannot_keep_programs():
    layer = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
    before = set(vars(layer))
    after = ms.grad(lambda x: layer(x).sum())
    direct = ms.grad(layer)

    class Callable:
        __slots__ = ()

        def __call__(self, x):
            return (x * x).sum()

    plain = ms.grad(Callable())
    for _ in range(2):
        np.testing.assert_allclose(direct(batch()).asnumpy(), after(batch()).asnumpy())
        np.testing.assert_allclose(plain(batch()).asnumpy(), 2 * batch().asnumpy())
    assert set(vars(layer)) == before


@pytest.mark.parametrize("kind", ["register_backward_hook", "register_backward_pre_hook"])
def test_a_backward_hook_of_an_inner_cell_is_compiled(kind):
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Tanh())
    seen = []

    def hook(cell, *gradients):
        seen.append(len(gradients))
        return gradients[0][0] * 2

    plain = ms.grad(net)(batch())
    getattr(net[1], kind)(hook)
    # What it was given may not outlive the trace: that would be a warning, and no program.
    gradient = ms.grad(net)
    np.testing.assert_allclose(gradient(batch()), plain * 2, rtol=1e-6)
    calls = len(seen)
    np.testing.assert_allclose(gradient(batch()), plain * 2, rtol=1e-6)
    assert len(seen) == calls > 0
