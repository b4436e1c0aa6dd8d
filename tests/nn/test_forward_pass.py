"""A Cell that runs without a gradient, recorded: as operator by operator, state and all."""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.context import context
from msgrad._core.deferred.recording import Pending
from msgrad._gradients import forward_pass
from msgrad._gradients.forward_pass import ForwardRecorder

X = Tensor(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))


AT_ONCE = forward_pass._AT_ONCE


@pytest.fixture(autouse=True)
def from_the_first_operator_on(monkeypatch):
    monkeypatch.setattr(forward_pass, "_AT_ONCE", 0)


@pytest.fixture
def pieces(monkeypatch):
    """Note how many operators each recorded piece has."""
    found, run = [], ForwardRecorder._run
    monkeypatch.setattr(
        ForwardRecorder, "_run", lambda self: (found.append(len(self.ops)), run(self))[1]
    )
    return found


class Net(nn.Cell):
    """Calls a function of itself and of the input."""

    def __init__(self, fn):
        super().__init__()
        self.fn = fn
        self.dense = nn.Dense(3, 3, weight_init="ones")
        self.norm = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(p=0.5)
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)
        self.kept = None

    def construct(self, x):
        return self.fn(self, x)


def writes_in_place(net, x):
    y = ops.zeros_like(x) + 1
    y[0] = 3
    y += x
    net.kept = y.sum(axis=0)
    return y


def keeps(net, x):
    net.kept = ops.tanh(net.dense(x))
    return [net.kept * 2, {"sum": net.kept.sum()}]


def views(net, x):
    y = x * 2
    row = y[1]
    y *= 3
    row2 = row + y.reshape(3, 4)[0, 0]
    return row2, y.T, y.view(3, 4)


def counts(net, x):
    ops.assign_add(net.count, Tensor(1.0))
    return net.dense(x) * net.count


def casts(net, x):
    return ops.cast(x, ms.int32) + 1, x.astype(ms.float16) * 2, ops.cast(x, ms.float64).sum()


def branches(net, x):
    y = net.dense(x)
    if y.sum() > 0:
        return y * 2
    return y - 1


def differentiates(net, x):
    inner = ms.grad(lambda z: (net.dense(z * 2) ** 2).sum())(x + 1)
    return inner * 2, ms.vmap(ms.grad(lambda z: (z * z).sum()))(x * 2)


PROGRAMS = {
    "layers": lambda net, x: net.norm(ops.relu(net.dense(x))),
    "dropout": lambda net, x: net.drop(net.dense(x)) * 2,
    "in_place": writes_in_place,
    "keeps": keeps,
    "views": views,
    "counts": counts,
    "casts": casts,
    "branches": branches,
    "differentiates": differentiates,
    "raw": lambda net, x: ops.tanh(Tensor(jnp.sin(net.dense(x).__jax_array__())) * 2) + 1,
    "jit": lambda net, x: ms.jit(lambda y: y * 2 + net.count)(net.dense(x) * 2) + 1,
    "numbers": lambda net, x: x * float((x * 2 + 1).max()) + net.dense(x).shape[0],
    "nothing": lambda net, x: x,
    "none": lambda net, x: None,
    "no_grad": lambda net, x: _without(net, x),
}


def _without(net, x):
    with ms._no_grad():
        return net.dense(x * 2) + 1


def values(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (tuple, list)):
        return [v for item in tree for v in values(item)]
    return [] if tree is None else [tree.asnumpy()]


def outcome(name, train):
    ms.set_seed(5)
    net = Net(PROGRAMS[name]).set_train(train)
    x = Tensor(X.asnumpy())
    found = [values(net(x)) for _ in range(2)]
    assert context.recorder is None
    tensors = [net.kept] if net.kept is not None else []
    state = [*net.get_parameters(), *tensors, x]
    assert not any(type(t._data) is Pending for t in state)
    return [a for part in found for a in part] + [t.asnumpy() for t in state]


@pytest.mark.parametrize("train", [False, True], ids=["eval", "train"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_as_operator_by_operator(name, train, pieces):
    with ms.eager_mode("op"):
        expected = outcome(name, train)
    assert not pieces
    found = outcome(name, train)
    assert pieces or name in ("nothing", "none")
    for one, other in zip(found, expected, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-6)


def test_one_program_for_all_calls(pieces):
    net = nn.SequentialCell(nn.Dense(3, 3), nn.Tanh(), nn.Dense(3, 2), nn.Softmax())
    net(X)
    before = len(jax.devices()[0].client.live_executables())
    for _ in range(3):
        net(X)
    assert pieces == [4, 4, 4, 4]
    assert len(jax.devices()[0].client.live_executables()) <= before


def test_what_is_small_is_not_recorded(pieces, monkeypatch):
    monkeypatch.setattr(forward_pass, "_AT_ONCE", AT_ONCE)
    nn.Dense(3, 3)(X)
    nn.SequentialCell(nn.Dense(3, 3), nn.Tanh())(X)
    assert not pieces
    nn.SequentialCell(*[nn.Tanh() for _ in range(AT_ONCE + 3)])(X)
    assert pieces == [3]


def test_print_shows_values_where_it_stands(capsys, pieces):
    def prints(net, x):
        y = x * 2
        print("first", y[0, 0])
        z = y + 1
        print("second", float(z[0, 0]))
        return z

    Net(prints)(X)
    assert capsys.readouterr().out.split() == ["first", "-2.0", "second", "-1.0"]
    assert len(pieces) == 2


def test_hooks_see_values(pieces):
    net, seen = nn.SequentialCell(nn.Dense(3, 3), nn.Tanh()), []
    net[0].register_forward_hook(lambda cell, inputs, output: seen.append(output.asnumpy()))
    net.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 2,))
    net.register_forward_hook(lambda cell, inputs, output: output + 1)
    recorded = [net(X).asnumpy(), *seen]
    seen.clear()
    with ms.eager_mode("op"):
        expected = [net(X).asnumpy(), *seen]
    for one, other in zip(recorded, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    assert pieces


def test_an_error_leaves_what_was_done_before_it():
    def fails(net, x):
        ops.assign_add(net.count, Tensor(1.0))
        net.kept = x * 2 + 1
        return ops.matmul(x, x)

    net = Net(fails)
    with pytest.raises(RuntimeError, match="MatMul"):
        net(X)
    assert context.recorder is None
    assert float(net.count) == 1
    assert net.kept.asnumpy() == pytest.approx(X.asnumpy() * 2 + 1)
    assert type(net.kept._data) is not Pending
    assert (net.kept * 2).shape == (4, 3)


def test_a_program_that_fails_says_so_where_its_value_is_read(monkeypatch):
    def breaks(self):
        raise MemoryError("no more")

    net = Net(keeps)
    monkeypatch.setattr(ForwardRecorder, "_run", breaks)
    with pytest.raises(MemoryError):
        net(X)
    assert context.recorder is None
    with pytest.raises(RuntimeError, match="never computed"):
        net.kept.asnumpy()
    monkeypatch.undo()
    assert net(X)[0].shape == (4, 3)


def test_another_thread_may_look_meanwhile():
    seen = []

    def shares(net, x):
        y = x * 2 + 1
        # A Parameter is never one of the values that are not computed yet.
        ops.assign(net.count, (y * 0 + 5).max())
        z = y * 3
        other = threading.Thread(target=lambda: seen.append((z * 2).asnumpy()))
        other.start()
        other.join()
        seen.append(float(net.count))
        return z + 1

    result = Net(shares)(X)
    expected = (X.asnumpy() * 2 + 1) * 3
    assert seen[0] == pytest.approx(expected * 2)
    assert seen[1] == 5
    assert result.asnumpy() == pytest.approx(expected + 1)


class Statistics(nn.Cell):
    def __init__(self, between=lambda net: None):
        super().__init__()
        self.norms = nn.CellList([nn.BatchNorm1d(3) for _ in range(3)])
        self.between = between

    def construct(self, x):
        for norm in self.norms:
            x = ops.tanh(norm(x)) * 2
        self.between(self)
        return self.norms[0](x) + 1


def statistics(net):
    return [p.asnumpy() for p in net.get_parameters() if not p.requires_grad]


def test_statistics_of_a_training_are_written_by_one_program(pieces):
    net, other = Statistics().set_train(), Statistics().set_train()
    with ms.eager_mode("op"):
        expected = [other(X).asnumpy(), *statistics(other)]
    found = [net(X).asnumpy(), *statistics(net)]
    assert len(pieces) == 1
    for one, another in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, another, rtol=2e-6, atol=1e-6)
    before = found[1:]
    net(X)
    assert any((a != b).any() for a, b in zip(before, statistics(net), strict=True))


def in_a_thread(call):
    found = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize(
    "look",
    [
        statistics,
        lambda net: in_a_thread(lambda: statistics(net)),
        lambda net: in_a_thread(lambda: [v.asnumpy() for v in _compiled(net)(X)]),
        lambda net: [v.asnumpy() for v in _compiled(net)(X)],
        lambda net: ms.grad(lambda x: (x * net.norms[1].moving_mean).sum())(X[0]).asnumpy(),
    ],
    ids=["here", "thread", "compiled in a thread", "compiled", "gradient"],
)
def test_statistics_are_seen_while_they_are_recorded(look, pieces):
    def outcome():
        seen = []
        net = Statistics(lambda net: seen.append(look(net))).set_train()
        net(X)
        return [*(seen[0] if isinstance(seen[0], list) else seen), *statistics(net)]

    with ms.eager_mode("op"):
        expected = outcome()
    found = outcome()
    assert pieces
    for one, another in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, another, rtol=2e-6, atol=1e-6)


def _compiled(net):
    def run(x):
        ops.assign_add(net.norms[2].moving_mean, ops.ones((3,)))
        return x + net.norms[0].moving_mean, x * net.norms[2].moving_mean

    return ms.jit(run)


def test_statistics_are_as_before_where_the_program_fails(monkeypatch):
    def breaks(self):
        raise MemoryError("no more")

    net = Statistics().set_train()
    before = statistics(net)
    monkeypatch.setattr(ForwardRecorder, "_run", breaks)
    with pytest.raises(MemoryError):
        net(X)
    for one, another in zip(before, statistics(net), strict=True):
        np.testing.assert_array_equal(one, another)
    monkeypatch.undo()
    net(X)
    assert (statistics(net)[0] != before[0]).any()


def test_a_training_of_one_thread_and_forward_passes_of_others():
    net = Statistics().set_train()
    step = _compiled(net)
    step(X)
    calls = [lambda: net(X), lambda: net(X), lambda: step(X), lambda: statistics(net)]
    threads = [
        threading.Thread(target=lambda call=call: [call() for _ in range(20)], daemon=True)
        for call in calls
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert all(np.isfinite(values).all() for values in statistics(net))


def test_a_training_step_as_a_cell():
    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = nn.SequentialCell(nn.Dense(3, 4, weight_init="ones"), nn.Dense(4, 1))
            self.net[1].weight.set_data(ops.ones((1, 4)))
            self.optimizer = nn.Adam(self.net.trainable_params(), 0.1)
            weights = self.optimizer.parameters
            self.grad = ms.value_and_grad(lambda x: (self.net(x * 2) ** 2).mean(), None, weights)

        def construct(self, x):
            loss, gradients = self.grad(x)
            gradients = ops.clip_by_global_norm(gradients, 1.0)
            self.optimizer(gradients)
            return loss * 2

    def losses():
        ms.set_seed(1)
        step = Step()
        return [float(step(X)) for _ in range(3)] + [step.net[0].weight.asnumpy().sum()]

    found = losses()
    with ms.eager_mode("op"):
        assert found == pytest.approx(losses(), rel=1e-5)


def test_what_surrounds_a_cell_is_as_ever(pieces):
    net = nn.SequentialCell(nn.Dense(3, 3), nn.Tanh())
    ms.grad(net)(X)
    ms.jit(net.construct)(X)
    ms.vmap(lambda x: net(x))(X)
    jax.vmap(lambda x: net(Tensor(x)).__jax_array__())(X.__jax_array__())
    assert not pieces


class Text(nn.Cell):
    """The loss of a text: indices are cut, counted and looked at within it."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(9, 3), nn.Embedding(5, 3)
        self.head, self.loss = nn.Dense(3, 9), nn.CrossEntropyLoss()

    def construct(self, text):
        given, labels = text[:, :-1], text[:, 1:]
        x = self.words(given) + self.places(ops.arange(given.shape[1]))
        return self.loss(self.head(x).reshape(-1, 9), labels.reshape(-1))


def test_labels_and_indices_are_looked_at_without_a_cut(pieces):
    net = Text().set_train(False)
    net(Tensor([[1, 2, 3, 4], [5, 6, 7, 8]], ms.int32))
    assert len(pieces) == 1
    with pytest.raises(RuntimeError, match="every label must be"):
        net(Tensor([[1, 2, 3, 4], [5, 6, 7, 9]], ms.int32))
