"""What parity cases cannot show of training cells and mixed precision on this device.

The overflow check itself (MindSpore has none on CPU), bfloat16 layers, what a kept forward pass
costs and when it is not used, and what is left out.
"""

from __future__ import annotations

import copy
import gc
import weakref

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, amp, nn, ops
from msgrad._core.context import context


class Counted(nn.Cell):
    def __init__(self, rate: float = 0.0) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 1, weight_init=Tensor([[1.0, 2.0]]), bias_init="zeros")
        self.drop = nn.Dropout(p=rate)
        self.calls = 0

    def construct(self, x):
        self.calls += 1
        return self.fc(self.drop(x))


def rows(factor: float = 1.0) -> Tensor:
    return Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32) * Tensor(factor, ms.float32)


def wanted() -> Tensor:
    return Tensor([[1.0], [2.0]], ms.float32)


def scaled_step(update, optimizer=None, cls=nn.TrainOneStepWithLossScaleCell):
    net = nn.WithLossCell(Counted(), nn.MSELoss())
    optimizer = optimizer or (lambda params: nn.SGD(params, 0.01))
    return cls(net, optimizer(net.trainable_params()), update)


def state(cell: nn.Cell) -> dict[str, np.ndarray]:
    return {p.name: p.asnumpy().copy() for p in cell.get_parameters()}


def test_loss_scale_step_gives_the_recorded_numbers():
    step = scaled_step(nn.DynamicLossScaleUpdateCell(4096, 2, 2))
    seen = [step(rows(f), wanted()) for f in (1.0,)]
    scales = [float(step.scale_sense)]
    for factor in (np.inf, 1.0, 1.0):
        seen.append(step(rows(factor), wanted()))
        scales.append(float(step.scale_sense))
    assert [bool(overflow) for _, overflow, _ in seen] == [False, True, False, False]
    assert scales == [4096, 2048, 2048, 4096]
    losses = [float(loss) for loss, _, _ in seen]
    np.testing.assert_allclose(losses, [48.5, np.inf, 22.687395, 10.617984], rtol=1e-6)
    weight = step.network.backbone_network.fc.weight.asnumpy()
    np.testing.assert_allclose(weight, [[0.332476, 1.053584]], rtol=1e-5)
    assert seen[0][2] is step.scale_sense


def test_a_step_that_overflows_changes_nothing_but_the_scale():
    step = scaled_step(nn.DynamicLossScaleUpdateCell(2.0**126, 2, 1000), lambda p: nn.Adam(p, 0.01))
    fresh = state(step)
    for count in range(1, 6):
        _, overflow, _ = step(rows(8.0), wanted())
        assert overflow
        assert float(step.scale_sense) == 2.0 ** (126 - count)
    updates = {"scale_sense", "current_iterator_step", "last_overflow_iterator_step"}
    changed = {n for n, v in state(step).items() if not np.array_equal(v, fresh[n])}
    assert changed == updates
    while step(rows(8.0), wanted())[1]:
        pass
    assert not np.array_equal(state(step)["fc.weight"], fresh["fc.weight"])


def test_what_a_subclass_may_replace_is_used():
    seen = []

    class Mine(nn.TrainOneStepWithLossScaleCell):
        def start_overflow_check(self, pre_cond, compute_input):
            seen.append("start")
            return super().start_overflow_check(pre_cond, compute_input)

        def get_overflow_status(self, status, compute_output):
            seen.append((status.shape, len(compute_output)))
            return super().get_overflow_status(status, compute_output)

        def process_loss_scale(self, overflow):
            seen.append(bool(overflow))
            return super().process_loss_scale(overflow)

    step = scaled_step(nn.FixedLossScaleUpdateCell(8), cls=Mine)
    step.grad_reducer = nn.DistributedGradReducer(step.weights)
    step(rows(), wanted())
    assert seen == ["start", ((8,), 2), False]


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32])
def test_overflow_status_sees_every_gradient(bad, dtype):
    step = scaled_step(Tensor(1.0, ms.float32))
    good, other = Tensor([1.0, 2.0], dtype), Tensor([[3.0, bad]], ms.float32).astype(dtype)
    assert not step.get_overflow_status(None, (good, (good,)))
    assert step.get_overflow_status(None, (good, [good, (other,)]))


def test_forward_runs_once_with_one_dropout_mask():
    net = nn.WithLossCell(Counted(0.5), nn.MSELoss())
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.0), return_grad=True)
    step.set_train()
    for _ in range(8):
        loss, grads = step(Tensor([[1.0, 1.0]], ms.float32), Tensor([[0.0]], ms.float32))
        kept = grads["fc.weight"].asnumpy() != 0
        # With mask m the output is 2 m @ [1, 2], and its gradient is 0 where m is.
        np.testing.assert_allclose(float(loss), (2 * kept @ [1.0, 2.0]) ** 2, rtol=1e-6)
    assert net.backbone_network.calls == 8
    assert context.forward is None


class TestKeptForward:
    def net(self) -> Counted:
        net = Counted()
        net.set_grad()
        return net

    def gradient(self, net, x):
        return ops.GradOperation(get_by_list=True)(net, net.trainable_params())(x)[0].asnumpy()

    def test_is_taken_once(self):
        net, x = self.net(), rows()
        net(x)
        self.gradient(net, x)
        assert net.calls == 1
        self.gradient(net, x)
        assert net.calls == 2

    def test_is_not_taken_for_other_inputs(self):
        net = self.net()
        net(rows())
        np.testing.assert_allclose(self.gradient(net, rows(2.0)), [[8.0, 12.0]])
        assert net.calls == 2

    def test_is_not_taken_after_the_weights_changed(self):
        net, x = self.net(), rows()
        net(x)
        ops.assign(net.fc.bias, Tensor([1.0], ms.float32))
        self.gradient(net, x)
        assert net.calls == 2

    def test_is_not_taken_after_the_input_was_written(self):
        net, x = self.net(), rows()
        net(x)
        x[0] = 0.0
        np.testing.assert_allclose(self.gradient(net, x), [[3.0, 4.0]])

    def test_is_not_taken_for_other_weights(self):
        net, x = self.net(), rows()
        net(x)
        stranger = Parameter(Tensor([1.0], ms.float32), name="stranger")
        gradient = ops.GradOperation(get_by_list=True)(net, [net.fc.bias, stranger])(x)
        assert [g.asnumpy().tolist() for g in gradient] == [[2.0], [0.0]]

    def test_is_not_made_without_set_grad_or_under_no_grad(self):
        Counted()(rows())
        with ms._no_grad():
            self.net()(rows())
        assert context.forward is None

    def test_is_not_made_inside_a_jax_transform(self):
        net = self.net()
        with jax.checking_leaks():
            jax.jit(lambda raw: net(Tensor(raw))._read())(rows()._read())
        assert context.forward is None

    def test_does_not_keep_the_cell(self):
        net = self.net()
        net(rows())
        seen, array = weakref.ref(net), weakref.ref(net.fc.weight)
        del net
        gc.collect()
        assert seen() is None and array() is None

    def test_an_error_leaves_none(self):
        net = self.net()
        net(rows())
        with pytest.raises(ValueError, match="Dense shape error"):
            net(Tensor([[1.0]], ms.float32))
        assert context.forward is None


class Mixed(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.free = nn.Dense(2, 2, weight_init="ones", has_bias=False)
        self.fc = nn.Dense(2, 3, weight_init="ones", bias_init="zeros")
        self.norm = nn.LayerNorm([3])
        self.seen: list[ms.common.dtype.DType] = []

    def construct(self, x):
        product = self.free(x)
        hidden = ops.relu(self.fc(product))
        out = self.norm(hidden)
        self.seen = [product.dtype, hidden.dtype, out.dtype]
        return out


LEVELS = {
    "O1": lambda low: [ms.float32, ms.float32, ms.float32],
    "O2": lambda low: [low, low, low],
    "O3": lambda low: [low, low, low],
    # A bias stays float32, and so does its sum with the product.
    "auto": lambda low: [low, ms.float32, ms.float32],
}


@pytest.mark.parametrize("low", [ms.float16, ms.bfloat16], ids=str)
@pytest.mark.parametrize("level", LEVELS)
def test_dtypes_of_each_level(level, low):
    source = Mixed()
    net = amp.auto_mixed_precision(source, level, low)
    params = net.trainable_params()
    out, grads = ms.value_and_grad(net, None, params)(rows())
    seen = next(cell.seen for _, cell in net.cells_and_names() if isinstance(cell, Mixed))
    assert seen == LEVELS[level](low)
    assert out.dtype is ms.float32
    assert {p.dtype for p in params} == {g.dtype for g in grads} == {ms.float32}
    assert context.mixed is None


def test_black_cells_compute_in_float32():
    # 60000 ** 2 overflows float16, so the variance is finite in float32 only.
    x = Tensor([[60000.0, -60000.0, 30000.0]], ms.float32)
    expected = nn.LayerNorm([3])(x).asnumpy()
    kept = amp.auto_mixed_precision(nn.SequentialCell(nn.LayerNorm([3])), "O2")(x).asnumpy()
    np.testing.assert_allclose(kept, expected, atol=2e-3)


def test_level_1_leaves_the_original_alone():
    source = Mixed()
    net = amp.auto_mixed_precision(source, "O1")
    x = Tensor([[1.0001, 2.0]], ms.float32)
    assert float(source.fc(x)[0, 0]) == pytest.approx(3.0001, rel=1e-6)
    assert float(net.fc(x)[0, 0]) == 3.0
    assert net.fc is not source.fc and net.fc.weight is source.fc.weight


def test_an_error_and_a_copy_keep_the_dtype_in_order():
    net = nn.Dense(2, 1).to_float(ms.float16)
    with pytest.raises(ValueError, match="Dense shape error"):
        net(Tensor([[1.0]], ms.float32))
    assert context.mixed is None
    assert copy.deepcopy(net)(rows()).dtype is ms.float16


@pytest.mark.parametrize("level", ["O0", "O2", "O3"])
def test_build_train_network_with_a_dynamic_scale(level):
    net = Counted()
    step = amp.build_train_network(
        net,
        nn.SGD(net.trainable_params(), 0.01),
        nn.MSELoss(),
        level,
        loss_scale_manager=ms.DynamicLossScaleManager(2.0**40, 2, 2),
    )
    overflows = [bool(step(rows(), wanted())[1]) for _ in range(40)]
    losses = [float(step(rows(), wanted())[0]) for _ in range(3)]
    assert overflows[0] == (level != "O0")
    assert not all(overflows)
    assert losses[2] < losses[0] < 48.5


def test_keywords_of_build_train_network():
    net = Mixed()
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    with pytest.raises(ValueError, match="boost_level"):
        amp.build_train_network(net, optimizer, boost_level="O4")
    kept = amp.build_train_network(
        net, optimizer, nn.MSELoss(), "O3", keep_batchnorm_fp32=True
    ).network.backbone_network
    assert "_OutputTo16" in repr(kept)


@pytest.mark.parametrize("name", ["GetNextSingleOp", "PipelineGradReducer"])
def test_left_out_cells_say_what_to_do(name):
    with pytest.raises(NotImplementedError, match=name):
        getattr(nn, name)(nn.ReLU(), 2)


def test_collective_operators_of_one_process():
    x = rows()
    for operator in (ops.AllReduce(), ops.AllGather(), ops.Broadcast(0), ops.ReduceScatter("max")):
        np.testing.assert_array_equal(ms.grad(operator)(x).asnumpy(), np.ones((2, 2)))
        assert operator(x) is x
        with pytest.raises(TypeError, match="Tensor"):
            operator(1)
    grads = (x, x)
    assert nn.DistributedGradReducer([], True, 1)(grads) == grads
    with pytest.raises(ValueError, match="op"):
        ops.AllReduce("mean")


def test_float_status():
    status = ops.FloatStatus()
    assert [float(status(rows(f))) for f in (1.0, np.inf, np.nan)] == [0.0, 1.0, 1.0]
    with pytest.raises(NotImplementedError, match="all_finite"):
        ops.NPUGetFloatStatus()(rows())


def test_communication_of_one_process():
    from msgrad import communication

    try:
        communication.init("nccl")
        assert communication.GlobalComm.INITED
        communication.create_group("mine", [0])
        assert communication.get_process_group_ranks("mine") == [0]
        assert communication.get_world_rank_from_group_rank("mine", 0) == 0
        with pytest.raises(ValueError, match="one process"):
            communication.get_group_rank_from_world_rank(1, "mine")
        with pytest.raises(NotImplementedError, match="process"):
            communication.create_group("more", [0, 1])
    finally:
        communication.release()


def test_parameter_server_is_left_out():
    with pytest.raises(NotImplementedError, match="parameter server"):
        ms.set_ps_context(enable_ps=True)


def test_context_object_sets_what_the_context_gives():
    from msgrad.parallel._auto_parallel_context import auto_parallel_context

    auto_parallel_context().set_parallel_mode("data_parallel")
    assert ms.get_auto_parallel_context("parallel_mode") == "data_parallel"
    with pytest.raises(AttributeError, match="set_<keyword>"):
        auto_parallel_context().parallel_mode


class Written(nn.Cell):
    """Counts its runs in a Parameter, as BatchNorm updates its statistics."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.count, Tensor(1.0, ms.float32))
        return self.fc(x)


class OwnStep(nn.Cell):
    def __init__(self, network, optimizer) -> None:
        super().__init__(auto_prefix=False)
        self.network, self.optimizer = network.set_grad(), optimizer
        self.weights = optimizer.parameters
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = ops.fill(loss.dtype, loss.shape, 1.0)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        return ops.depend(loss, self.optimizer(grads))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("kind", [OwnStep, nn.TrainOneStepCell])
def test_a_step_updates_statistics_once(kind, compiled):
    net = nn.WithLossCell(Written(), nn.MSELoss())
    step = kind(net, nn.SGD(net.trainable_params(), 0.01))
    run = ms.jit(step) if compiled else step
    losses = [float(run(rows(), wanted())) for _ in range(4)]
    assert float(net.backbone_network.count) == 4
    assert losses == sorted(losses, reverse=True) and losses[3] < losses[0]
    assert context.forward is None


def test_a_compiled_step_notices_to_float():
    net = Counted()
    run = ms.jit(lambda x: net(x))
    assert run(rows()).dtype is ms.float32
    net.to_float(ms.bfloat16)
    assert run(rows()).dtype is ms.bfloat16


def test_a_network_of_mixed_precision_compiles():
    for level in LEVELS:
        net = amp.auto_mixed_precision(Mixed(), level)
        compiled = ms.jit(lambda x, net=net: net(x))
        np.testing.assert_allclose(compiled(rows()).asnumpy(), net(rows()).asnumpy(), atol=2e-3)
        assert compiled.stats.compiles == 1
