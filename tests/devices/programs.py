"""Programs for eight devices, each run on them and on one; ``test_devices.py`` starts this.

    XLA_FLAGS=--xla_force_host_platform_device_count=8 python -m tests.devices.programs

Every program is called with whether it is spread, and returns numbers, which must be the same to
rounding. What must be true besides, it asserts.
"""

from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.parallel._layout import AutoParallel
from tests.benchmarks.devices import KINDS, SMALL, compile_here

DEVICES = 8
# float32 through some steps of Adam: sums over a batch are in another order.
TOLERANCE = 2e-5
X = np.random.RandomState(0).randn(16, 8).astype(np.float32)
PROGRAMS: list[Callable[[bool], Any]] = []


def program(function: Callable[[bool], Any]) -> Callable[[bool], Any]:
    PROGRAMS.append(function)
    return function


def spread(on: bool, **settings: Any) -> None:
    """Choose the mode; ``settings`` count on several devices only."""
    mode = "semi_auto_parallel" if on else "stand_alone"
    ms.set_auto_parallel_context(parallel_mode=mode, **settings if on else {})


class Linear(nn.Cell):
    """A product whose operator has a strategy; ``half`` rounds its weight to bfloat16."""

    def __init__(self, rows: int, columns: int, strategy: Any, half: bool = False) -> None:
        super().__init__()
        values = np.random.RandomState(rows).randn(rows, columns).astype(np.float32) / 4
        self.weight = Parameter(Tensor(values), name="weight")
        self.product = ops.MatMul().shard(strategy)
        self.half = half

    def construct(self, x: Any) -> Any:
        weight = self.weight
        if self.half:
            # Sums over devices in bfloat16 itself would differ in the third digit.
            weight = weight.astype(ms.bfloat16).astype(ms.float32)
        return self.product(x, weight)


def network(*strategies: Any, half: bool = False) -> nn.SequentialCell:
    first, second = strategies or (((2, 1), (1, 4)), ((2, 4), (4, 1)))
    return nn.SequentialCell(Linear(8, 16, first, half), nn.ReLU(), Linear(16, 8, second, half))


def part(tensor: Any) -> tuple[int, ...]:
    """Return the shape that one device has of a Tensor."""
    return tensor._read().addressable_shards[0].data.shape


def steps(net: nn.Cell, number: int = 4, graph: bool = False) -> tuple[Any, list[float]]:
    """Train; returns the optimizer and the losses. It is compiled once."""
    optimizer = nn.Adam(net.trainable_params(), 1e-2)
    mean_square = nn.MSELoss()
    gradient = ms.value_and_grad(lambda x: mean_square(net(x), x), None, net.trainable_params())

    def step(x: Any) -> Any:
        loss, gradients = gradient(x)
        optimizer(gradients)
        return loss

    run = ms.jit(step)
    if graph:
        ms.set_context(mode=ms.GRAPH_MODE)
        cell = nn.TrainOneStepCell(nn.WithLossCell(net, mean_square), optimizer).set_train()
        run = functools.partial(_twice, cell)
    losses = [float(run(Tensor(X))) for _ in range(number)]
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return optimizer, losses


def _twice(fn: Callable[..., Any], x: Any) -> Any:
    return fn(x, x)


def after(net: nn.Cell, losses: list[float]) -> list[Any]:
    return [losses, *(param.asnumpy() for param in net.get_parameters())]


@program
def operators(on: bool) -> Any:
    """Weights and moments stand cut as the products say, also where these take a cast one."""
    spread(on)
    seen = []
    for half, graph in ((False, False), (True, False), (False, True)):
        net = network(half=half)
        optimizer, losses = steps(net, graph=graph)
        if on:
            assert [part(w) for w in net.trainable_params()] == [(8, 4), (4, 8)]
            assert [part(m) for m in optimizer.moment1] == [(8, 4), (4, 8)]
        # Nothing more is needed to use what stands on several devices, also operator by operator.
        seen += [*after(net, losses), net(Tensor(X)).asnumpy(), (net[0].weight * 2).asnumpy()]
    return seen


@program
def compiled_once(on: bool) -> Any:
    """State stands where it is to stand before the first step; the second is the same program."""
    spread(on)
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net := network(), nn.MSELoss()),
        nn.Adam(net.trainable_params(), 1e-2),
    ).set_train()
    run = ms.jit(lambda x: step(x, x))
    losses = [run(Tensor(X))]
    before = ms.jit_stats()["<process>"].compiles
    losses += [run(Tensor(X)) for _ in range(5)]
    assert ms.jit_stats()["<process>"].compiles == before
    return [float(loss) for loss in losses]


@program
def layouts(on: bool) -> Any:
    spread(on)
    grid = ms.Layout((4, 2), ("dp", "mp"))
    net = network(
        (grid("dp", "None"), grid("None", "mp")), (grid("dp", "mp"), grid(("mp",), "None"))
    )
    _, losses = steps(net)
    if on:
        assert [part(w) for w in net.trainable_params()] == [(8, 8), (8, 8)]
    return after(net, losses)


@program
def operators_of_layers(on: bool) -> Any:
    spread(on)
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(8, 16), nn.LayerNorm((16,)), nn.Dense(16, 8))
    net[0].matmul.shard(((2, 1), (4, 1)))
    net[0].bias_add.shard(((2, 4), (4,)))
    copied = copy.deepcopy(net)
    _, losses = steps(copied)
    if on:
        assert part(copied[0].weight) == (4, 8) and part(copied[0].bias) == (4,)
        assert part(copied[2].weight) == (8, 16)
    return after(copied, losses)


@program
def batches(on: bool) -> Any:
    """Nothing said: the batch is cut, weights are whole; statistics are those of all of it."""
    spread(on)
    ms.set_seed(4)
    # No bias before the statistics: its gradient is zero but for rounding, which Adam scales up.
    first = nn.Dense(8, 8, has_bias=False)
    net = nn.SequentialCell(first, nn.BatchNorm1d(8), nn.Dropout(p=0.5), nn.Dense(8, 8))
    net.set_train()
    _, losses = steps(net)
    if on:
        assert {len(w._read().addressable_shards) for w in net.trainable_params()} == {DEVICES}
        assert all(w._read().is_fully_replicated for w in net.get_parameters())
    return after(net, losses)


@program
def optimizer_state(on: bool) -> Any:
    spread(on, enable_parallel_optimizer=True)
    ms.set_seed(5)
    net = nn.SequentialCell(nn.Dense(8, 16), nn.Dense(16, 8))
    optimizer, losses = steps(net)
    if on:
        assert [part(m) for m in optimizer.moment2] == [(2, 8), (2,), (1, 16), (1,)]
        assert part(net[0].weight) == (16, 8)
    # Beside a strategy: the columns in 4 as it says, the rows in the 2 that are left.
    other = network()
    optimizer, more = steps(other)
    if on:
        assert [part(w) for w in other.trainable_params()] == [(8, 4), (4, 8)]
        assert [part(m) for m in optimizer.moment1] == [(4, 4), (2, 8)]
    return [*after(net, losses), *after(other, more)]


@program
def cells_and_functions(on: bool) -> Any:
    spread(on, dataset_strategy=((4, 1),), device_num=4)
    ms.set_seed(6)
    net = nn.SequentialCell(nn.Dense(8, 16), nn.Dense(16, 8))
    net[0].shard(((4, 1),), ((4, 1),), parameter_plan={"self.0.weight": (2, 2), "nope": (1,)})
    grid = ms.Layout((2, 2), ("dp", "mp"))
    double = ms.shard(lambda x: x + x, (grid("dp", "mp"),), (grid("mp", "dp"),))
    _, losses = steps(net)
    if on:
        assert part(net[0].weight) == (8, 4)
        assert len(net[1].weight._read().addressable_shards) == 4
        assert ms.shard(net, ((4, 1),)) is not net

    @ms.jit
    def all_of_it(x: Any) -> Any:
        return ops.reshard(double(net(x)), grid("None", ("dp", "mp")))

    result = all_of_it(Tensor(X))
    if on:
        assert part(result) == (16, 2)
    return [*after(net, losses), result.asnumpy(), double(Tensor(X)).asnumpy()]


@program
def auto_parallel(on: bool) -> Any:
    """The mode is that of the wrapped network, in GRAPH_MODE and inside of a compiled step."""
    net = network()
    wrapped = AutoParallel(net)
    wrapped.hsdp()
    if not on:
        wrapped = net
    result = ms.jit(lambda x: wrapped(x))(Tensor(X))
    ms.set_context(mode=ms.GRAPH_MODE)
    again = wrapped(Tensor(X))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    if on:
        assert part(net[0].weight) == (8, 4)
        assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"
    return [result.asnumpy(), again.asnumpy(), *after(net, [])]


@program
def fused_steps(on: bool) -> Any:
    spread(on)
    net = network()
    optimizer = nn.Momentum(net.trainable_params(), 1e-2, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    stacked = Tensor(np.stack([X, X + 1, X - 1]))
    losses = [ms.fuse_steps(step, 3)(stacked, stacked).asnumpy() for _ in range(2)]
    if on:
        assert part(net[0].weight) == part(optimizer.moments[0]) == (8, 4)
    return [*losses, *after(net, [])]


@program
def refused(on: bool) -> Any:
    """What does not fit says so, and nothing has changed."""
    if not on:
        return []
    spread(on)
    for strategy, words in (
        (((3, 1), (1, 1)), "there are 8 devices"),
        (((2, 1),), "1 strategies for 2 Tensors"),
        (((2,), (1, 1)), "another number of dimensions"),
    ):
        net = network(strategy, ((1, 1), (1, 1)))
        before = net[0].weight.asnumpy()
        with pytest.raises(RuntimeError, match=words):
            ms.jit(net)(Tensor(X))
        assert np.array_equal(net[0].weight.asnumpy(), before)
    ms.set_auto_parallel_context(device_num=16)
    with pytest.raises(RuntimeError, match="xla_force_host_platform_device_count=16"):
        ms.jit(lambda x: x + 1)(Tensor(X))
    for wrong in (3, ((2, "a"),), (None,), ()):
        for call in (nn.Dense(2, 2).shard, functools.partial(ms.shard, abs)):
            with pytest.raises(TypeError):
                call(wrong)
    for plan in ({"weight": (3, 1)}, {"weight": (2,)}):
        with pytest.raises(ValueError, match="weight"):
            nn.Dense(2, 2).shard(((1, 1),), None, plan)
    return []


@program
def copies(on: bool) -> Any:
    """A Primitive with a strategy can be pickled and copied, and computes as ever."""
    operator = ops.MatMul().shard(((2, 1), (1, 4)))
    again = pickle.loads(pickle.dumps(copy.deepcopy(operator)))
    assert type(again) is type(operator) and type(again).__name__ == "MatMul"
    assert isinstance(again, ops.MatMul) and again.attrs == operator.attrs
    spread(on)
    result = ms.jit(lambda x: again(x, x.T))(Tensor(X))
    if on:
        assert len(result._read().addressable_shards) == DEVICES
    return [result.asnumpy(), again(Tensor(X), Tensor(X.T)).asnumpy()]


@program
def study(on: bool) -> Any:
    """Data parallel sends the gradients around twice, and Adam's state need not be whole."""
    if not on:
        return []
    whole, cut = (compile_here(SMALL, kind) for kind in KINDS)
    weights = 4 * whole.parameters
    around = (DEVICES - 1) / DEVICES
    assert whole.sent.keys() == {"all-reduce"}
    assert whole.sent["all-reduce"] == pytest.approx(2 * around * weights, rel=1e-3)
    assert sum(cut.sent.values()) >= 2 * around * weights
    assert whole.kept == pytest.approx(3 * weights, rel=1e-2)
    assert cut.kept == pytest.approx((1 + 2 / DEVICES) * weights, rel=1e-2)
    return []


def main() -> None:
    """Run all of them on one device, then on all."""
    assert len(jax.devices()) == DEVICES
    for each in PROGRAMS:
        seen = []
        for on in (False, True):
            ms.set_context(mode=ms.PYNATIVE_MODE)
            try:
                seen.append(each(on))
            finally:
                ms.reset_auto_parallel_context()
        for one, many in zip(*seen, strict=True):
            np.testing.assert_allclose(many, one, TOLERANCE, TOLERANCE, err_msg=each.__name__)
        print(each.__name__, flush=True)


if __name__ == "__main__":
    main()
