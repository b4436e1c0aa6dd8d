"""``experimental.optim``: trajectories, groups and errors of its optimizers and schedulers."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.experimental import optim

from tests.parity.case import case
from tests.parity.cases.optim import grads, params

STEPS = 8


def trajectory(optimizer, weights, steps=STEPS):
    path = []
    for step in range(steps):
        optimizer(grads(step))
        path.append([weight.asnumpy().copy() for weight in weights])
    return path, [(p.name, p.asnumpy().copy()) for p in optimizer.get_parameters()]


def of(name, **own):
    return (lambda p, **options: getattr(optim, name)(p, **{"lr": 0.1, **own, **options}),)


RULES = {
    "SGD": of("SGD"),
    "SGD_momentum": of("SGD", momentum=0.9, dampening=0.3),
    "SGD_nesterov": of("SGD", momentum=0.9, nesterov=True),
    "Adam": of("Adam"),
    "Adam_betas": of("Adam", betas=(0.8, 0.95), eps=1e-3),
    "Adam_amsgrad": of("Adam", amsgrad=True),
    "AdamW": of("AdamW"),
    "AdamW_betas": of("AdamW", betas=(0.8, 0.95), eps=1e-3),
    "AdamW_amsgrad": of("AdamW", amsgrad=True),
    "Adadelta": of("Adadelta"),
    "Adadelta_rho": of("Adadelta", rho=0.5, eps=1e-3),
    "Adagrad": of("Adagrad"),
    "Adagrad_decay": of("Adagrad", lr_decay=0.1, initial_accumulator_value=0.5, eps=1e-3),
    "Adamax": of("Adamax"),
    "Adamax_betas": of("Adamax", betas=(0.8, 0.95), eps=1e-3),
    "RMSprop": of("RMSprop"),
    "RMSprop_momentum": of("RMSprop", momentum=0.5, alpha=0.9, eps=1e-3),
    "RMSprop_centered": of("RMSprop", centered=True),
    "RAdam": of("RAdam"),
    "RAdam_betas": of("RAdam", betas=(0.8, 0.95), eps=1e-3),
    "NAdam": of("NAdam"),
    "NAdam_betas": of("NAdam", betas=(0.8, 0.95), eps=1e-3, momentum_decay=0.1),
    "Rprop": of("Rprop"),
    "Rprop_etas": of("Rprop", etas=(0.3, 1.5), step_sizes=(0.05, 0.2)),
    "ASGD": of("ASGD"),
    "ASGD_averaging": of("ASGD", lambd=0.1, alpha=0.5, t0=3.0),
}
DECAYED = {key: make for key, make in RULES.items() if not key.startswith("Rprop")}
MAXIMIZED = {
    key: RULES[key]
    for key in [
        "SGD_momentum",
        "Adam",
        "AdamW",
        "Adadelta",
        "Adagrad",
        "Adamax",
        "RMSprop",
        "Rprop",
        "ASGD",
    ]
}
ONE_EACH = {key: make for key, make in RULES.items() if "_" not in key}


@case.table(RULES, tol=2e-6)
def plain(make):
    weights = params()
    return trajectory(make(weights), weights)


# Its moment is ten times a gradient, and each of its roundings 2**-24 of that.
@case.table({"plain": (0.0,), "weight_decay": (0.1,)}, tol=5e-6)
def rms_prop_centered_with_momentum(decay):
    weights = params()
    optimizer = optim.RMSprop(weights, lr=0.1, centered=True, momentum=0.5, weight_decay=decay)
    return trajectory(optimizer, weights)


@case.table(DECAYED, tol=2e-6)
def weight_decay(make):
    weights = params()
    return trajectory(make(weights, weight_decay=0.1), weights)


@case.table(MAXIMIZED, tol=2e-6)
def maximize(make):
    weights = params()
    return trajectory(make(weights, maximize=True), weights, 4)


@case.table(ONE_EACH, tol=2e-6)
def groups(make):
    weights = params()
    given = [{"params": weights[:1], "lr": 0.01}, {"params": weights[1:]}]
    if make is not RULES["Rprop"][0]:
        given[1]["weight_decay"] = 0.2
    return trajectory(make(given), weights, 4)


@case
def weight_decay_that_no_rule_takes():
    weights = params()
    each = [{"params": weights[:1], "weight_decay": 0.3}, {"params": weights[1:]}]
    return trajectory(optim.Rprop(each, lr=0.1), weights)


@case
def made_of_groups():
    first, *others = params()
    groups = [{"params": [first], "lr": 0.5}, {"params": others, "momentum": 0.9}]
    return repr(optim.SGD(groups, 0.25))


@case.table(ONE_EACH)
def made(make):
    optimizer = make(params())
    return (
        repr(optimizer),
        str(optimizer),
        [(p.name, p.shape, p.dtype, p.requires_grad) for p in optimizer.get_parameters()],
        [p.asnumpy() for p in optimizer.get_parameters()],
        [
            {key: value for key, value in group.items() if key != "params"}
            for group in optimizer.param_groups
        ],
        [p.name for p in optimizer.param_groups[0]["params"]],
        optimizer.defaults,
        [p.name for p in optimizer.parameters],
        isinstance(optimizer, optim.Optimizer),
        isinstance(optimizer, nn.Cell),
    )


@case.table({key: make for key, make in ONE_EACH.items() if key not in ("RAdam", "NAdam")})
def result_of_a_step(make):
    optimizer = make(params())
    return optimizer(grads(0)), optimizer(list(grads(1)))


@case
def lr_is_a_parameter_of_the_group():
    weights = params()
    optimizer = optim.SGD([{"params": weights[:1], "lr": 0.01}, {"params": weights[1:]}], lr=0.1)
    first = [group["lr"] for group in optimizer.param_groups]
    ms.ops.assign(optimizer.param_groups[1]["lr"], Tensor(0.5, ms.float32))
    optimizer(grads(0))
    return first, optimizer.lrs, weights


@case.table(ONE_EACH, tol=2e-6)
def lr_set_as_a_float(make):
    weights = params()
    optimizer = make(weights)
    optimizer(grads(0))
    for group in optimizer.param_groups:
        group["lr"] = 0.03
    optimizer(grads(1))
    return weights, float(optimizer.param_groups[0]["lr"])


@case
def training():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = optim.AdamW(net.trainable_params(), lr=0.05)
    schedule = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    rows, wanted = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), Tensor([[1.0], [2.0]], ms.float32)
    loss_fn = nn.MSELoss()
    step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    losses = []
    for _ in range(5):
        loss, gradient = step(rows, wanted)
        optimizer(gradient)
        schedule.step()
        losses.append((loss, schedule.get_last_lr()))
    return losses, net.weight, net.bias


def two_groups():
    weights = params()
    return optim.SGD([{"params": weights[:1], "lr": 0.01}, {"params": weights[1:]}], lr=0.1)


L = optim.lr_scheduler
SCHEDULERS = {
    "StepLR": (lambda o: L.StepLR(o, 3, 0.5),),
    "MultiStepLR": (lambda o: L.MultiStepLR(o, [2, 5, 5], 0.5),),
    "ConstantLR": (lambda o: L.ConstantLR(o, 0.25, 4),),
    "LinearLR": (lambda o: L.LinearLR(o, 0.25, 0.75, 4),),
    "ExponentialLR": (lambda o: L.ExponentialLR(o, 0.8),),
    "PolynomialLR": (lambda o: L.PolynomialLR(o, 4, 2.0),),
    "LambdaLR": (lambda o: L.LambdaLR(o, lambda epoch: 0.9**epoch),),
    "LambdaLR_list": (lambda o: L.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: 1.0]),),
    "MultiplicativeLR": (lambda o: L.MultiplicativeLR(o, lambda epoch: 0.95),),
    "CosineAnnealingLR": (lambda o: L.CosineAnnealingLR(o, 4, 0.001),),
    "CosineAnnealingWarmRestarts": (lambda o: L.CosineAnnealingWarmRestarts(o, 3, 2, 0.001),),
    "CyclicLR": (lambda o: L.CyclicLR(o, 0.01, 0.1, 3, 2),),
    "CyclicLR_triangular2": (lambda o: L.CyclicLR(o, 0.01, 0.1, 2, mode="triangular2"),),
    "CyclicLR_exp_range": (lambda o: L.CyclicLR(o, 0.01, 0.1, 2, mode="exp_range", gamma=0.9),),
    "CyclicLR_lists": (lambda o: L.CyclicLR(o, [0.01, 0.02], [0.1, 0.3], 3),),
    "CyclicLR_scale_fn": (lambda o: L.CyclicLR(o, 0.01, 0.1, 2, scale_fn=lambda x: 1 / (1 + x)),),
    "SequentialLR": (
        lambda o: L.SequentialLR(o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)], [3]),
    ),
}


@case.table(SCHEDULERS, tol=2e-6)
def schedule(make):
    optimizer = two_groups()
    scheduler = make(optimizer)
    path = [[group["lr"].asnumpy().copy() for group in optimizer.param_groups]]
    for _ in range(12):
        scheduler.step()
        path.append([group["lr"].asnumpy().copy() for group in optimizer.param_groups])
    return path, scheduler.get_last_lr(), scheduler.last_epoch


@case.table(
    {
        "min": ({"factor": 0.5, "patience": 1}, [3.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]),
        "max": ({"mode": "max", "patience": 0}, [1.0, 2.0, 1.0, 1.0, 3.0]),
        "abs": ({"threshold_mode": "abs", "threshold": 0.5, "patience": 0}, [3.0, 2.8, 2.0, 1.9]),
        "cooldown": ({"patience": 0, "cooldown": 2, "factor": 0.5}, [1.0] * 8),
        "min_lr": ({"patience": 0, "min_lr": 0.005}, [1.0] * 5),
        "min_lrs": ({"patience": 0, "min_lr": [0.005, 0.05]}, [1.0] * 5),
        "eps": ({"patience": 0, "eps": 0.02}, [1.0] * 5),
        "tensors": ({"patience": 0}, [Tensor, Tensor, Tensor]),
    },
    tol=2e-6,
)
def on_plateau(options, metrics):
    optimizer = two_groups()
    scheduler = L.ReduceLROnPlateau(optimizer, **options)
    path = []
    for metric in metrics:
        scheduler.step(Tensor(1.0, ms.float32) if metric is Tensor else metric)
        path.append([group["lr"].asnumpy().copy() for group in optimizer.param_groups])
    return path


# Taken for their truth, or not looked at before the first step.
TRUTHS = ("amsgrad", "centered", "alpha", "step_sizes", "betas", "etas")
BAD = {"negative": -1.0, "one": 1.0, "str": "a"}
ARGUMENTS = {
    "SGD": ("lr", "momentum", "dampening", "weight_decay", "nesterov"),
    "Adam": ("lr", "betas", "eps", "weight_decay", "amsgrad"),
    "AdamW": ("lr", "betas", "eps", "weight_decay"),
    "Adadelta": ("lr", "rho", "eps"),
    "Adagrad": ("lr", "lr_decay", "initial_accumulator_value", "eps"),
    "Adamax": ("lr", "betas", "eps"),
    "RMSprop": ("lr", "alpha", "eps", "momentum", "centered"),
    "NAdam": ("lr", "betas", "momentum_decay"),
    "RAdam": ("lr", "betas", "eps"),
    "Rprop": ("lr", "etas"),
    "ASGD": ("lr", "lambd", "alpha", "t0"),
}


@case.table(
    {
        f"{name}-{argument}-{key}": (name, argument, value)
        for name, arguments in ARGUMENTS.items()
        for argument in arguments
        for key, value in BAD.items()
        if not (key == "str" and argument in TRUTHS)
    }
)
def argument(name, argument, value):
    return repr(getattr(optim, name)(params(), **{"lr": 0.1, argument: value}))


def sgd():
    return optim.SGD(params(), lr=0.1)


@case.table(
    {
        "parameter": (lambda: optim.SGD(params()[0], 0.1),),
        "ints": (lambda: optim.SGD([3], 0.1),),
        "too_few": (lambda: sgd()(grads(0)[:1]),),
        "betas_of_one": (lambda: optim.Adam(params(), betas=0.9),),
        "etas_of_one": (lambda: optim.Rprop(params(), etas=0.9),),
    }
)
def error_types(make):
    return type(make()).__name__


@case.table(
    {
        "betas_1": (lambda: optim.Adam(params(), betas=(1.0, 0.9)),),
        "betas_ints": (lambda: optim.Adam(params(), betas=(0, 0)),),
        "betas_three": (lambda: optim.Adam(params(), betas=(0.9, 0.9, 0.9)),),
        "betas_list": (lambda: optim.Adam(params(), betas=[0.9, 0.9]),),
        "nesterov_alone": (lambda: optim.SGD(params(), 0.1, nesterov=True),),
        "nesterov_dampening": (
            lambda: optim.SGD(params(), 0.1, momentum=0.9, dampening=0.1, nesterov=True),
        ),
        "etas_wrong_way": (lambda: optim.Rprop(params(), etas=(1.2, 0.5)),),
        "no_parameters": (lambda: optim.SGD([], 0.1),),
        "group_twice": (lambda: optim.SGD([{"params": (p := params())}, {"params": p}], 0.1),),
        "group_without_params": (lambda: optim.SGD([{"lr": 0.1}], 0.1),),
        "group_foreign_key": (lambda: optim.SGD([{"params": params(), "foo": 1}], 0.1),),
        "lr_of_a_tensor": (lambda: optim.SGD(params(), Tensor(0.1)),),
        "lr_list": (lambda: optim.SGD(params(), [0.1, 0.2]),),
        "scheduler_of_nn": (lambda: L.StepLR(nn.SGD(params(), 0.1), 3),),
        "scheduler_of_int": (lambda: L.StepLR(3, 3),),
        "step_size_float": (lambda: L.StepLR(sgd(), 3.0),),
        "step_size_str": (lambda: L.StepLR(sgd(), "a"),),
        "gamma_str": (lambda: L.StepLR(sgd(), 3, "a"),),
        "milestones_int": (lambda: L.MultiStepLR(sgd(), 3),),
        "milestones_float": (lambda: L.MultiStepLR(sgd(), [1.5]),),
        "milestones_falling": (lambda: L.MultiStepLR(sgd(), [5, 2]),),
        "linear_start_0": (lambda: L.LinearLR(sgd(), 0.0),),
        "linear_start_2": (lambda: L.LinearLR(sgd(), 2.0),),
        "linear_end_2": (lambda: L.LinearLR(sgd(), 0.5, 2.0),),
        "constant_2": (lambda: L.ConstantLR(sgd(), 2.0),),
        "plateau_mode": (lambda: L.ReduceLROnPlateau(sgd(), "mid"),),
        "plateau_factor": (lambda: L.ReduceLROnPlateau(sgd(), factor=1.0),),
        "plateau_threshold_mode": (lambda: L.ReduceLROnPlateau(sgd(), threshold_mode="x"),),
        "plateau_min_lrs": (lambda: L.ReduceLROnPlateau(sgd(), min_lr=[0.1, 0.2]),),
        "restarts_0": (lambda: L.CosineAnnealingWarmRestarts(sgd(), 0),),
        "restarts_mult_0": (lambda: L.CosineAnnealingWarmRestarts(sgd(), 2, 0),),
        "cyclic_mode": (lambda: L.CyclicLR(sgd(), 0.01, 0.1, mode="x"),),
        "cyclic_lists": (lambda: L.CyclicLR(sgd(), [0.01, 0.1], 0.1),),
        "lambdas": (lambda: L.LambdaLR(sgd(), [abs, abs]),),
        "sequential_milestones": (
            lambda: L.SequentialLR(o := sgd(), [L.StepLR(o, 1), L.StepLR(o, 2)], [1, 2]),
        ),
        "base": (lambda: L.LRScheduler(sgd()),),
    },
    message=True,
)
def errors(make):
    return type(make()).__name__


@case
def parameters_of_half_precision():
    weights = [Parameter(p.astype(ms.float16), name=p.name) for p in params()]
    optimizer = optim.Adam(weights, lr=0.1)
    optimizer(tuple(grad.astype(ms.float16) for grad in grads(0)))
    return [(p.name, p.dtype) for p in optimizer.get_parameters()], np.array(
        [w.asnumpy().sum() for w in weights]
    ).shape


class Heavy(optim.Optimizer):
    """A momentum of one's own, kept in ``state`` by parameter."""

    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr, "momentum": 0.9})

    def construct(self, gradients):
        for number, group in enumerate(self.param_groups):
            for i, param in enumerate(group["params"], self.group_start_id[number]):
                kept = self.state[param]
                if "buffer" in kept:
                    kept["buffer"] = kept["buffer"] * group["momentum"] + gradients[i]
                else:
                    kept["buffer"] = gradients[i].copy()
                param.set_data(param - group["lr"] * kept["buffer"])
        return True


@case
def state_of_ones_own_by_parameter():
    weights = params()
    optimizer = Heavy(weights, 0.1)
    path = trajectory(optimizer, weights, 3)
    kept = [(p.name, sorted(optimizer.state[p])) for p in weights]
    return path, kept, type(optimizer.state).__name__, type(optim.Adam(params()).state).__name__


_moved = ops.MultitypeFuncGraph("moved")


@_moved.register("Tensor", "Tensor", "Tensor")
def _moved_by(rate, param, grad):
    return ops.assign_sub(param, rate * grad)


class Mapped(optim.Optimizer):
    """Gradient descent by the operators that MindSpore's base brings along."""

    def construct(self, gradients):
        rates = tuple(self.lrs * len(gradients))
        self.map_(_moved, rates, self.parameters, gradients)
        return self.hyper_map(_moved, rates, self.parameters, gradients)


@case
def mapped_by_the_base():
    weights = params()
    return trajectory(Mapped(weights, {"lr": 0.1}), weights, 2)
