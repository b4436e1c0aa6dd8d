"""Training cells: loss, evaluation, one step; copies and subclasses as programs write them."""

import mindspore as ms
import mindspore.common.dtype as mstype
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, nn, ops
from mindspore.communication.management import get_group_size
from mindspore.context import ParallelMode
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.parallel._auto_parallel_context import auto_parallel_context
from mindspore.parallel._utils import _get_device_num, _get_gradients_mean, _get_parallel_mode

from tests.parity.case import case

STEPS = 20
BATCHES = [
    (np.sin(np.arange(8.0) + 3 * i).reshape(4, 2), np.cos(np.arange(4.0) + i).reshape(4, 1))
    for i in range(STEPS)
]


def batch(index=0, factor=1.0):
    rows, wanted = BATCHES[index]
    return Tensor(rows * factor, ms.float32), Tensor(wanted, ms.float32)


class Regression(nn.Cell):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Dense(
            2,
            3,
            weight_init=Tensor(np.arange(6.0).reshape(3, 2) / 7, ms.float32),
            bias_init="zeros",
        )
        self.out = nn.Dense(3, 1, weight_init=Tensor([[0.5, -0.25, 1.0]]), bias_init="ones")
        self.calls = 0

    def construct(self, x):
        self.calls += 1
        return self.out(ops.relu(self.hidden(x)))


def with_loss(net=None, reduction="mean"):
    return nn.WithLossCell(net or Regression(), nn.MSELoss(reduction))


def sgd(net, rate=0.1, **options):
    return nn.SGD(net.trainable_params(), rate, **options)


def weights_of(net):
    return [p.asnumpy().copy() for p in net.trainable_params()]


@case
def with_loss_cell():
    net = with_loss()
    names = [p.name for p in net.get_parameters()], [name for name, _ in net.cells_and_names()]
    return net(*batch()), repr(net), names, net.backbone_network is net._backbone


@case.table({"plain": ({},), "cast": ({"add_cast_fp32": True},), "half": ({"half": True},)})
def with_eval_cell(options):
    options = dict(options)
    net = Regression()
    if options.pop("half", False):
        net.to_float(ms.float16)
        options["add_cast_fp32"] = True
    cell = nn.WithEvalCell(net, nn.MSELoss(), **options)
    return cell(*batch()), [p.name for p in cell.get_parameters()]


@case
def with_eval_cell_flag():
    return nn.WithEvalCell(Regression(), nn.MSELoss(), 1)


@case.table({"none": (None,), "two": (2.0,), "int": (3,)})
def train_one_step(sens):
    net = with_loss()
    step = nn.TrainOneStepCell(net, sgd(net), sens)
    losses = [step(*batch(i)) for i in range(3)]
    return losses, weights_of(net), net.backbone_network.calls


@case
def train_one_step_attributes():
    net = with_loss()
    step = nn.TrainOneStepCell(net, sgd(net))
    return (
        (step.sens, step.reducer_flag, step.return_grad, step.parallel_mode, net.requires_grad),
        [p.name for p in step.get_parameters()],
        [p.name for p in step.weights],
        [p.name for p in step.trainable_params()],
        step.training,
        type(step.optimizer),
        step.grad_reducer((Tensor(1.0),)),
        repr(step),
    )


@case
def train_one_step_gradients():
    net = with_loss()
    return nn.TrainOneStepCell(net, sgd(net), return_grad=True)(*batch())


@case.table({"loss_scale": (1024.0,), "other": (2.0,)})
def sens_with_the_loss_scale_of_the_optimizer(scale):
    net = with_loss()
    step = nn.TrainOneStepCell(net, sgd(net, loss_scale=1024.0), scale)
    return [step(*batch(i)) for i in range(2)], weights_of(net)


@case
def train_one_step_of_a_vector_loss():
    net = with_loss(reduction="none")
    return nn.TrainOneStepCell(net, sgd(net))(*batch()), weights_of(net)


class Several(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x, y):
        logits = self.net(x)
        return ((logits - y) ** 2).mean(), logits


@case.table({"none": (None,), "two": (2.0,)})
def train_one_step_of_several_outputs(sens):
    net = Several(Regression())
    return nn.TrainOneStepCell(net, sgd(net), sens)(*batch()), weights_of(net)


@case.table({"network": (3, None), "optimizer": (None, 3)}, message=True)
def train_one_step_errors(network, optimizer):
    net = with_loss()
    return nn.TrainOneStepCell(network or net, optimizer or sgd(net))


@case
def frozen_parameter():
    net = with_loss()
    optimizer = nn.SGD(list(net.get_parameters()), 0.1)
    net.backbone_network.hidden.weight.requires_grad = False
    step = nn.TrainOneStepCell(net, optimizer)
    return [step(*batch(i)) for i in range(2)], [p.asnumpy() for p in net.get_parameters()]


class Noisy(nn.Cell):
    """Says how often it ran: a counter in a Parameter."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        self.count = Parameter(Tensor(0.0, ms.float32), name="count", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.count, Tensor(1.0, ms.float32))
        return self.fc(x)


@case
def forward_runs_once():
    net = with_loss(Noisy())
    step = nn.TrainOneStepCell(net, sgd(net))
    losses = [step(*batch(i)) for i in range(3)]
    return losses, net.backbone_network.count.asnumpy(), weights_of(net)


@case
def two_networks_by_turns():
    first, second = with_loss(), with_loss(Noisy())
    steps = [nn.TrainOneStepCell(net, sgd(net)) for net in (first, second)]
    losses = [steps[i % 2](*batch(i)) for i in range(6)]
    return losses, weights_of(first), weights_of(second)


@case
def adversaries():
    """Two steps that share a network, each with weights of its own, as a GAN has."""
    maker, judge = (
        nn.Dense(2, 2, weight_init="ones", bias_init="zeros"),
        nn.Dense(2, 1, weight_init="ones", bias_init="zeros"),
    )
    for name, net in (("maker", maker), ("judge", judge)):
        net.update_parameters_name(f"{name}.")

    class Fake(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.maker, self.judge = maker, judge

        def construct(self, x):
            return ops.softplus(-self.judge(self.maker(x))).mean()

    class Real(Fake):
        def construct(self, x):
            return ops.softplus(self.judge(self.maker(x))).mean() - self.judge(x).mean()

    made = nn.TrainOneStepCell(Fake(), nn.SGD(maker.trainable_params(), 0.1))
    judged = nn.TrainOneStepCell(Real(), nn.SGD(judge.trainable_params(), 0.1))
    rows = [batch(i)[0] for i in range(3)]
    return [(judged(x), made(x)) for x in rows], weights_of(maker), weights_of(judge)


class OwnTrainOneStepCell(nn.Cell):
    """A copy of the training cell as repositories carry it, with the imports of parallel modes."""

    def __init__(self, network, optimizer, sens=1.0):
        super(OwnTrainOneStepCell, self).__init__(auto_prefix=False)  # noqa: UP008
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = self.optimizer.parameters
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.reducer_flag = False
        self.grad_reducer = F.identity
        self.parallel_mode = _get_parallel_mode()
        self.reducer_flag = self.parallel_mode in (
            ParallelMode.DATA_PARALLEL,
            ParallelMode.HYBRID_PARALLEL,
        )
        if self.reducer_flag:
            self.mean = _get_gradients_mean()
            self.degree = _get_device_num()
            self.grad_reducer = DistributedGradReducer(self.weights, self.mean, self.degree)

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = F.fill(loss.dtype, loss.shape, self.sens)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        grads = self.grad_reducer(grads)
        return F.depend(loss, self.optimizer(grads))


@case.table({"sgd": ("sgd",), "momentum": ("momentum",), "adam": ("adam",)}, tol=1e-5)
def own_train_one_step_cell(kind):
    net = with_loss()
    params = net.trainable_params()
    optimizer = {
        "sgd": lambda: nn.SGD(params, 0.1),
        "momentum": lambda: nn.Momentum(params, 0.05, 0.9, weight_decay=1e-3),
        "adam": lambda: nn.Adam(params, 0.01),
    }[kind]()
    step = OwnTrainOneStepCell(net, optimizer)
    step.set_train()
    return [step(*batch(i)) for i in range(STEPS)], weights_of(net), net.backbone_network.calls


@case
def own_step_with_statistics():
    net = with_loss(Noisy())
    step = OwnTrainOneStepCell(net, sgd(net), 2.0)
    return [step(*batch(i)) for i in range(3)], net.backbone_network.count.asnumpy()


@case
def own_step_knows_the_mode():
    net = with_loss()
    context.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    try:
        step = OwnTrainOneStepCell(net, sgd(net))
        seen = step.reducer_flag, step.mean, step.degree, type(step.grad_reducer).__name__
    finally:
        context.reset_auto_parallel_context()
    return seen, _get_parallel_mode(), _get_gradients_mean(), get_group_size()


clip_grad = C.MultitypeFuncGraph("clip_grad")


@clip_grad.register("Number", "Number", "Tensor")
def _clip_grad(clip_type, clip_value, grad):
    if clip_type not in (0, 1):
        return grad
    if clip_type == 0:
        low, high = (
            F.cast(F.tuple_to_array((-clip_value,)), grad.dtype),
            F.cast(F.tuple_to_array((clip_value,)), grad.dtype),
        )
        return ops.clip_by_value(grad, low, high)
    return nn.ClipByNorm()(grad, F.cast(F.tuple_to_array((clip_value,)), grad.dtype))


grad_scale = C.MultitypeFuncGraph("grad_scale")
reciprocal = P.Reciprocal()


@grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale, grad):
    return grad * F.cast(reciprocal(scale), F.dtype(grad))


_grad_overflow = C.MultitypeFuncGraph("_grad_overflow")


@_grad_overflow.register("Tensor")
def _tensor_grad_overflow(grad):
    return 1.0 - ops.isfinite(grad).all().astype(mstype.float32)


class OwnTrainWithLossScale(nn.TrainOneStepWithLossScaleCell):
    """A subclass with clipping by the global norm, as language models carry it."""

    def __init__(self, network, optimizer, scale_sense, clip=1.0):
        super(OwnTrainWithLossScale, self).__init__(  # noqa: UP008
            network, optimizer, scale_sense
        )
        self.hyper_map = C.HyperMap()
        self.clip = clip

    def construct(self, *inputs):
        weights = self.weights
        loss = self.network(*inputs)
        scaling_sens = self.scale_sense
        status, scaling_sens = self.start_overflow_check(loss, scaling_sens)
        scaling_sens_filled = C.ones_like(loss) * F.cast(scaling_sens, F.dtype(loss))
        grads = self.grad(self.network, weights)(*inputs, scaling_sens_filled)
        grads = self.hyper_map(F.partial(grad_scale, scaling_sens), grads)
        grads = ops.clip_by_global_norm(grads, self.clip)
        grads = self.grad_reducer(grads)
        cond = self.get_overflow_status(status, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            self.optimizer(grads)
        return loss, overflow, scaling_sens.value()


class Checked(OwnTrainWithLossScale):
    """The one method that has no kernel on CPU, written with operators that have."""

    def get_overflow_status(self, status, compute_output):
        flags = self.hyper_map(F.partial(_grad_overflow), compute_output)
        return self.less_equal(self.base, ops.addn(flags))


class CheckedPlain(nn.TrainOneStepWithLossScaleCell):
    """The library's own step, with the check written so that it runs on CPU."""

    def get_overflow_status(self, status, compute_output):
        flags = self.hyper_map(_grad_overflow, compute_output)
        return self.less_equal(self.base, ops.addn(flags))


SCALES = {
    "dynamic": lambda: nn.DynamicLossScaleUpdateCell(2.0**10, 2, 3),
    "huge": lambda: nn.DynamicLossScaleUpdateCell(2.0**126, 2, 3),
    "fixed": lambda: nn.FixedLossScaleUpdateCell(128),
    "tensor": lambda: Tensor(64.0, ms.float32),
    "one": lambda: Tensor([64.0], ms.float32),
}


def twenty_steps(kind, scale, clip=None):
    net = with_loss()
    options = {} if clip is None else {"clip": clip}
    step = kind(net, sgd(net), SCALES[scale](), **options)
    step.set_train()
    seen = []
    for i in range(STEPS):
        # The fifth and the eleventh batch overflow.
        loss, overflow, sens = step(*batch(i, 1e30 if i in (4, 10) else 8.0))
        seen.append((loss, overflow, Tensor(sens).asnumpy().copy()))
    return seen, weights_of(net), step.scale_sense.asnumpy(), net.backbone_network.calls


@case.table({scale: (scale,) for scale in SCALES}, tol=1e-5)
def loss_scale_step(scale):
    return twenty_steps(CheckedPlain, scale)


@case.table({"dynamic": ("dynamic", 1.0), "huge": ("huge", 0.5), "fixed": ("fixed", 1.0)}, tol=1e-5)
def own_loss_scale_step(scale, clip):
    return twenty_steps(Checked, scale, clip)


@case
def golden_loss_scale_step():
    net = nn.WithLossCell(
        nn.Dense(2, 1, weight_init=Tensor([[1.0, 2.0]]), bias_init="zeros"), nn.MSELoss()
    )
    update = nn.DynamicLossScaleUpdateCell(4096, 2, 2)
    step = CheckedPlain(net, sgd(net, 0.01), update)
    rows, wanted = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), Tensor([[1.0], [2.0]], ms.float32)
    seen = []
    for factor in (1.0, np.inf, 1.0, 1.0):
        loss, overflow, sens = step(rows * Tensor(factor, ms.float32), wanted)
        seen.append((loss, overflow, sens.asnumpy().copy(), weights_of(net)))
    return seen, update.cur_iter.asnumpy(), update.last_overflow_iter.asnumpy()


@case
def loss_scale_attributes():
    net = with_loss()
    update = nn.DynamicLossScaleUpdateCell(16, 2, 3)
    step = nn.TrainOneStepWithLossScaleCell(net, sgd(net), update)
    return (
        step.scale_sense,
        step.loss_scaling_manager is update,
        (step.is_distributed, step.base, step.reducer_flag, step.parallel_mode),
        [p.name for p in step.get_parameters()],
        step.less_equal(step.base, Tensor(2.0, ms.float32)),
        step.reduce_sum(Tensor([1.0, 2.0], ms.float32)),
        step.start_overflow_check(Tensor(1.0), Tensor(2.0)),
        step.process_loss_scale(Tensor(True)),
        step.scale_sense.asnumpy(),
        step.hyper_map(ops.square, (Tensor([2.0]),)),
        step.grad(net, step.weights)(*batch(), Tensor(2.0, ms.float32)),
    )


@case.table(
    {
        "float": (lambda: 2.0,),
        "int_cell": (lambda: nn.FixedLossScaleUpdateCell(3),),
        "two": (lambda: Tensor([1.0, 2.0], ms.float32),),
        "matrix": (lambda: Tensor([[1.0]], ms.float32),),
        "None": (lambda: None,),
        "other_cell": (lambda: nn.ReLU(),),
        "tensor": (lambda: Tensor([3.0], ms.float32),),
    },
    message=True,
)
def scale_sense(value):
    net = with_loss()
    return nn.TrainOneStepWithLossScaleCell(net, sgd(net), value()).scale_sense


@case.table(
    {
        "tensor": (lambda: Tensor([3.0], ms.float32),),
        "two": (lambda: Tensor([3.0, 4.0], ms.float32),),
        "float": (lambda: 3.0,),
        "int": (lambda: 3,),
    },
    message=True,
)
def set_sense_scale(value):
    net = with_loss()
    step = nn.TrainOneStepWithLossScaleCell(net, sgd(net), Tensor([8.0], ms.float32))
    return step.set_sense_scale(value()), step.scale_sense


@case.table(
    {
        "default": ({}, 2),
        "all": ({"get_all": True}, 2),
        "one": ({"get_all": True}, 1),
        "by_list": ({"get_by_list": True}, 2),
        "both": ({"get_all": True, "get_by_list": True}, 2),
        "sens": ({"sens_param": True}, 2),
        "everything": ({"get_all": True, "get_by_list": True, "sens_param": True}, 2),
    }
)
def forward_value_and_grad(options, count):
    net = with_loss() if count == 2 else Regression()
    weights = ParameterTuple(net.trainable_params()) if "get_by_list" in options else None
    cell = nn.ForwardValueAndGrad(net, weights, **options)
    inputs = batch()[:count]
    if "sens_param" in options:
        inputs += (Tensor(2.0, ms.float32),)
    return cell(*inputs), net.requires_grad, [p.name for p in cell.get_parameters()]


@case.table(
    {
        "no_weights": (lambda: {"get_by_list": True},),
        "flag": (lambda: {"get_all": 1},),
        "network": (lambda: {"network": 3},),
        "function": (lambda: {"network": lambda x, y: x * y.sum()},),
    },
    message=True,
)
def forward_value_and_grad_of(options):
    return nn.ForwardValueAndGrad(**{"network": with_loss(), **options()})(*batch())


@case
def parameter_update():
    net = nn.Dense(2, 1, weight_init="ones")
    out = nn.ParameterUpdate(net.weight)(Tensor([[7.0, 8.0]], ms.float32))
    return type(out).__name__ in ("Parameter", "Tensor"), out.asnumpy(), net.weight.asnumpy()


@case.table({"zero": (0,), "float": (1.5,), "one": (1,), "none": (None,)}, message=True)
def reducer(degree):
    net = with_loss()
    made = nn.DistributedGradReducer(sgd(net).parameters, True, degree)
    return type(made)


@case
def accumulation_in_parameters():
    """The gradients of four batches are added up in Parameters, and cleared after the step."""
    net = with_loss()
    optimizer = sgd(net)
    sums = optimizer.parameters.clone(prefix="accumulated", init="zeros")
    zeros = optimizer.parameters.clone(prefix="zeros", init="zeros")
    counter = Parameter(Tensor(1, ms.int32), name="counter")
    hyper_map, add = C.HyperMap(), P.AssignAdd()
    grad = ms.value_and_grad(net, None, optimizer.parameters)
    losses, seen = [], []
    for i in range(12):
        loss, grads = grad(*batch(i))
        hyper_map(F.partial(add), sums, grads)
        if counter % 4 == 0:
            optimizer(sums)
            hyper_map(F.partial(ops.assign), sums, zeros)
            seen.append(weights_of(net))
        ops.assign_add(counter, Tensor(1, ms.int32))
        losses.append(loss)
    return losses, seen, [p.asnumpy() for p in sums], [p.name for p in sums]


@case
def accumulation_by_value():
    """The same without state: the sum of the gradients is carried along."""
    net = with_loss()
    optimizer = sgd(net)
    grad = ms.value_and_grad(net, None, optimizer.parameters)
    total, losses = None, []
    for i in range(12):
        loss, grads = grad(*batch(i))
        total = grads if total is None else ops.HyperMap()(ops.add, total, grads)
        losses.append(loss)
        if i % 4 == 3:
            optimizer(ops.HyperMap()(lambda g: g / 4, total))
            total = None
    return losses, weights_of(net)


_sum_op, _clear_op = C.MultitypeFuncGraph("sum_op"), C.MultitypeFuncGraph("clear_op")


@_sum_op.register("Tensor", "Tensor")
def _sum_gradient(total, grad):
    return ops.assign_add(total, grad)


@_clear_op.register("Tensor", "Tensor")
def _clear_gradient(total, zero):
    return ops.assign(total, zero)


class Accumulating(nn.Cell):
    """A training cell that adds up gradients, as the tutorials on accumulation have it."""

    def __init__(self, network, optimizer, every):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.sums = self.weights.clone(prefix="sum", init="zeros")
        self.zeros = self.weights.clone(prefix="zeros", init="zeros")
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.hyper_map = C.HyperMap()
        self.every, self.step = every, 0

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), 1.0)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        self.step += 1
        done = self.hyper_map(F.partial(_sum_op), self.sums, grads)
        loss = F.depend(loss, done)
        if self.step % self.every == 0:
            loss = F.depend(loss, self.optimizer(self.sums))
            loss = F.depend(loss, self.hyper_map(F.partial(_clear_op), self.sums, self.zeros))
        return loss


@case
def accumulating_cell():
    net = with_loss()
    cell = Accumulating(net, nn.Momentum(net.trainable_params(), 0.05, 0.9), 3)
    return [cell(*batch(i)) for i in range(9)], weights_of(net), net.backbone_network.calls


@case.table({"value": (0, 0.05), "none": (2, 0.05)})
def clipping_graph(kind, limit):
    net = with_loss()
    grads = ms.grad(net, None, ParameterTuple(net.trainable_params()))(*batch())
    return C.HyperMap()(F.partial(clip_grad, kind, limit), grads)


@case
def context_of_parallel():
    return (
        auto_parallel_context().get_parallel_mode(),
        auto_parallel_context().get_device_num_is_set(),
    )


@case
def accumulated_in_a_class_of_ones_own():
    from mindspore.boost import GradientAccumulation

    class Sums(GradientAccumulation):
        def construct(self, loss, grads):
            self.hyper_map(ops.assign_add, self._grad_accumulation, grads)
            return loss

    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    sums = Sums(2, nn.SGD([weight], 0.1))
    for _ in range(3):
        sums(Tensor(0.5), (Tensor([3.0, 4.0]),))
    return sums._grad_accumulation


class Exiting(nn.TrainOneStepWithLossScaleCell):
    def construct(self, *inputs):
        loss = self.network(*inputs)
        grads = self.grad(self.network, self.weights)(*inputs, ops.ones_like(loss))
        if self.use_graceful_exit:
            grads = self.graceful_exit.exit_by_request(grads, self.init_param, self.exit_param)
        return F.depend(loss, self.optimizer(grads))


@case
def step_that_may_exit():
    net = with_loss()
    cell = Exiting(net, nn.Momentum(net.trainable_params(), 0.05, 0.9), Tensor(1.0, ms.float32))
    return [cell(*batch(i)) for i in range(3)], weights_of(net), cell.use_graceful_exit
