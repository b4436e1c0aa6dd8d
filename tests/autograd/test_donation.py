"""State that stays with its program between steps, and comes back where it is read or written."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._compiled.inputs import compiling
from msgrad._compiled.record import record
from tests.autograd.test_jit_state import batch

STEPS = 12


class Job:
    """A network, its optimizer and its compiled step."""

    def __init__(self, rate=0.1):
        ms.set_seed(1)
        self.net = nn.SequentialCell(nn.Dense(4, 3), nn.Tanh(), nn.Dense(3, 1))
        self.rule = nn.Adam(self.net.trainable_params(), rate)
        take = ms.value_and_grad(lambda x: (self.net(x) ** 2).mean(), None, self.rule.parameters)

        @ms.jit
        def step(x):
            loss, grads = take(x)
            self.rule(grads)
            return loss

        self.step = step
        self.state = [*self.net.get_parameters(), *self.rule.get_parameters()]

    def run(self, steps=STEPS):
        x = batch()
        return [self.step(x) for _ in range(steps)]

    def stays(self):
        """Tell whether the weights are with the program."""
        return all("_data" not in vars(p) for p in self.net.get_parameters())

    def values(self):
        return [p.asnumpy() for p in self.state]


def looked_at_in_every_step(steps):
    job = Job()
    for _ in range(steps):
        job.run(1)
        job.values()
    return job.values()


def assert_same(values, expected):
    for ours, theirs in zip(values, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_state_stays_with_its_program_and_is_the_same():
    job = Job()
    job.run()
    assert job.stays()
    assert_same(job.values(), looked_at_in_every_step(STEPS))
    assert not job.stays()
    job.run(STEPS)
    assert job.stays()
    assert_same(job.values(), looked_at_in_every_step(2 * STEPS))
    assert job.step.stats.compiles == 1


def test_state_that_is_looked_at_moves_out_ever_less_often():
    job = Job()
    stayed = []
    for _ in range(200):
        job.run(1)
        stayed.append(job.stays())
        job.values()
    assert 1 <= sum(stayed) <= 6


LOOKS = {
    "read": lambda job: job.net[0].weight.asnumpy(),
    "operator": lambda job: (job.net[0].weight * 1).asnumpy(),
    "view": lambda job: job.net[0].weight[0].asnumpy(),
    "repr": lambda job: repr(job.net[0].weight),
    "deepcopy": lambda job: copy.deepcopy(job.net[0].weight),
    "deepcopy of a Cell": lambda job: copy.deepcopy(job.net),
    "copy": lambda job: copy.copy(job.net[0].weight).asnumpy(),
    "pickle": lambda job: pickle.dumps(job.net[0].weight),
    "eager step": lambda job: ms.grad(lambda x: job.net(x).sum())(batch()),
    "another program": lambda job: ms.jit(lambda x: job.net(x))(batch()),
    "learning rate": lambda job: job.rule.get_lr(),
    "JAX": lambda job: jax.tree.leaves(job.net[0].weight),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
def test_looking_at_it_changes_nothing(look):
    job = Job()
    job.run()
    look(job)
    job.run(3)
    look(job)
    job.run(STEPS)
    assert_same(job.values(), looked_at_in_every_step(2 * STEPS + 3))


def set_data(net, value):
    net[0].weight.set_data(Tensor(value))


def assign(net, value):
    ops.assign(net[0].weight, Tensor(value))


def row_by_row(net, value):
    for number, row in enumerate(value):
        net[0].weight[number] = Tensor(row)


def by_a_program(net, value):
    ms.jit(lambda new: net[0].weight.set_data(new) is None)(Tensor(value))


def by_another_step(net, value):
    weight = net[0].weight

    @ms.jit
    def step(new):
        weight.set_data(weight * 0 + new)
        return new.sum()

    for _ in range(STEPS):
        step(Tensor(value))


def load(net, value):
    name = net[0].weight.name
    ms.load_param_into_net(net, {name: Parameter(Tensor(value), name=name)})


@pytest.mark.parametrize(
    "write", [set_data, assign, row_by_row, by_a_program, by_another_step, load]
)
def test_what_is_written_in_between_counts(write):
    value = np.arange(12, dtype=np.float32).reshape(3, 4) / 10
    found = []
    for looks in (False, True):
        job = Job()
        job.run()
        if looks:
            job.values()
        else:
            assert job.stays()
        write(job.net, value)
        np.testing.assert_array_equal(job.net[0].weight.asnumpy(), value)
        write(job.net, value)
        job.run(1)
        if looks:
            job.values()
        job.run(STEPS)
        found.append(job.values())
    assert_same(*found)


def test_a_step_that_raises_leaves_it_where_it_is():
    job = Job()
    job.run()
    with pytest.raises((TypeError, ValueError)):
        job.step(Tensor(np.ones((2, 5), np.float32)))
    job.run(3)
    assert_same(job.values(), looked_at_in_every_step(STEPS + 3))


def test_two_programs_take_turns():
    job, other = Job(), Job()
    x, wide = batch(), ops.cat([batch(), batch()])
    for _ in range(30):
        job.step(x)
        job.step(wide)
        other.step(x)
        other.values()
        other.step(wide)
        other.values()
    assert_same(job.values(), other.values())


def test_schedules_and_counted_writes_go_on():
    rates = [0.1 / (1 + i) for i in range(40)]
    job, other = Job(rates), Job(rates)
    job.run(30)
    for _ in range(30):
        other.run(1)
        other.values()
    assert int(job.rule.global_step.asnumpy()[0]) == 30
    assert_same(job.values(), other.values())


def test_views_see_the_steps_made_meanwhile():
    job = Job()
    row = job.net[0].weight[0]
    job.run(1)
    before = row.asnumpy()
    job.run()
    assert not np.array_equal(row.asnumpy(), before)
    np.testing.assert_array_equal(row.asnumpy(), job.net[0].weight.asnumpy()[0])


def test_what_is_given_back_is_not_given_away():
    weight = Parameter(Tensor(np.ones(3, np.float32)), name="weight")

    @ms.jit
    def step(x):
        weight.set_data(weight + x)
        return weight * 1, weight

    x, taken = Tensor(np.ones(3, np.float32)), []
    for _ in range(STEPS):
        taken.append(step(x))
    for number, values in enumerate(taken):
        for value in values:
            np.testing.assert_array_equal(value.asnumpy(), np.full(3, number + 2.0))


def test_an_input_that_becomes_state_is_not_given_away():
    class Last(nn.Cell):
        def __init__(self):
            super().__init__()
            self.last = Parameter(Tensor(np.zeros(3, np.float32)), name="last")

        @ms.jit
        def construct(self, x):
            old = self.last * 1
            self.last.set_data(x)
            return old

    cell = Last()
    xs = [Tensor(np.full(3, i, np.float32)) for i in range(STEPS)]
    for x in xs:
        cell(x)
    for i, x in enumerate(xs):
        np.testing.assert_array_equal(x.asnumpy(), np.full(3, i))


def test_what_an_attribute_of_a_cell_shares_is_not_given_away():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor(np.ones(3, np.float32)), name="weight")
            self.seen = None

        @ms.jit
        def construct(self, x):
            self.weight.set_data(self.weight + x)
            self.seen = self.weight * 1
            self.same = self.weight
            return x.sum()

    net, seen = Net(), []
    for _ in range(STEPS):
        net(Tensor(np.ones(3, np.float32)))
        seen.append(net.seen)
        assert net.same is net.weight
    for number, value in enumerate(seen):
        np.testing.assert_array_equal(value.asnumpy(), np.full(3, number + 2.0))


def test_a_dropped_program_does_not_take_it_along():
    job = Job()
    job.run()
    assert job.stays()
    del job.step
    assert_same(job.values(), looked_at_in_every_step(STEPS))


def test_a_parameter_that_lives_on_does_not_keep_the_others():
    job = Job()
    job.run()
    bias, weight = job.net[2].bias, weakref.ref(job.net[0].weight)
    del job
    gc.collect()
    assert weight() is None
    assert "_data" in vars(bias)


class Closed(Parameter):
    def __getattr__(self, name):
        raise AttributeError(name)


class Watched(Parameter):
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


@pytest.mark.parametrize("kind", [Closed, Watched])
def test_parameters_that_look_up_their_attributes_themselves(kind):
    weight = kind(Tensor(np.ones(3, np.float32)), name="weight")

    @ms.jit
    def step(x):
        weight.set_data(weight + x)
        return x.sum()

    for _ in range(STEPS):
        step(Tensor(np.ones(3, np.float32)))
    np.testing.assert_array_equal(weight.asnumpy(), np.full(3, STEPS + 1.0))


def test_a_copied_instance_dict_is_no_endless_search():
    job = Job()
    job.run()
    bias, other = job.net[2].bias, Parameter(Tensor(np.zeros(1, np.float32)), name="other")
    vars(other).clear()
    vars(other).update(vars(bias))
    with pytest.raises(AttributeError):
        other.asnumpy()
    assert_same(job.values(), looked_at_in_every_step(STEPS))


def test_a_weak_dtype_is_another_kind_of_call():
    for as_keyword in (False, True):
        half = Tensor(np.ones(2, np.float16))
        function = ms.jit(lambda x: x * half)
        for weak in (True, False, True):
            x = Tensor(jax.numpy.asarray(1.0) if weak else np.float32(1))
            given = function(x=x) if as_keyword else function(x)
            assert given.dtype == (x * half).dtype


def test_an_output_is_one_result_of_the_program():
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    kept: list[Tensor] = []

    def step(x: Tensor, keeps: bool) -> Tensor:
        ops.assign(weight, weight + x)
        loss = (weight * x).sum()
        if keeps:
            kept.append(loss)
        return loss

    x = Tensor([3.0, 4.0])
    with compiling((x,), {}):
        program, escaped = record(step, (x, False), {}, [x])
    assert len(program.result_avals) == 2 and escaped == []
    # Where the traced call has kept it elsewhere, it gets its value there.
    assert float(ms.jit(step)(x, True)) == 36.0 and float(kept[0]) == 36.0
