"""Optimizers: trajectories of SGD, Momentum and Adam, their state, groups, schedules and errors."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

from tests.parity.case import case

STEPS = 10
# One library rounds a product where the other fuses it into the sum, in each of ten steps.
PATH = 2e-6


def params():
    return [
        Parameter(Tensor([1.0, -2.0, 0.5], ms.float32), name="w"),
        Parameter(Tensor([[0.3, -0.7], [1.5, 2.5]], ms.float32), name="net.gamma"),
        Parameter(Tensor([0.25], ms.float32), name="q"),
    ]


def grads(step):
    rng = np.random.default_rng(step)
    return tuple(
        Tensor(rng.normal(size=shape).astype(np.float32)) for shape in ((3,), (2, 2), (1,))
    )


def trajectory(optimizer, weights, steps=STEPS, factor=None):
    """Run the optimizer; gives the weights after every step, then all state at the end."""
    path = []
    for step in range(steps):
        given = grads(step)
        if factor is not None:
            given = tuple(grad * factor for grad in given)
        optimizer(given)
        path.append([weight.asnumpy().copy() for weight in weights])
    return path, [(p.name, p.asnumpy().copy()) for p in optimizer.get_parameters()]


class Falling(nn.learning_rate_schedule.LearningRateSchedule):
    """A schedule: 0.2 / (1 + step)."""

    def construct(self, global_step):
        return 0.2 / (1.0 + global_step.astype(ms.float32))


OPTIMIZERS = {
    "SGD": (lambda p, lr=0.1, **k: nn.SGD(p, lr, **k),),
    "SGD_momentum": (lambda p, lr=0.1, **k: nn.SGD(p, lr, momentum=0.9, **k),),
    "SGD_dampening": (lambda p, lr=0.1, **k: nn.SGD(p, lr, momentum=0.9, dampening=0.3, **k),),
    "SGD_nesterov": (lambda p, lr=0.1, **k: nn.SGD(p, lr, momentum=0.9, nesterov=True, **k),),
    "Momentum": (lambda p, lr=0.1, **k: nn.Momentum(p, lr, 0.9, **k),),
    "Momentum_nesterov": (lambda p, lr=0.1, **k: nn.Momentum(p, lr, 0.9, use_nesterov=True, **k),),
    "Adam": (lambda p, lr=0.1, **k: nn.Adam(p, lr, **k),),
    "Adam_nesterov": (lambda p, lr=0.1, **k: nn.Adam(p, lr, use_nesterov=True, **k),),
    "Adam_amsgrad": (lambda p, lr=0.1, **k: nn.Adam(p, lr, use_amsgrad=True, **k),),
    "Adam_amsgrad_nesterov": (
        lambda p, lr=0.1, **k: nn.Adam(p, lr, use_amsgrad=True, use_nesterov=True, **k),
    ),
    "Adam_betas": (lambda p, lr=0.1, **k: nn.Adam(p, lr, beta1=0.8, beta2=0.95, eps=1e-3, **k),),
}
SOME = {key: OPTIMIZERS[key] for key in ("SGD", "SGD_nesterov", "Momentum", "Adam")}


@case.table(OPTIMIZERS, tol=PATH)
def plain(make):
    weights = params()
    return trajectory(make(weights), weights)


@case.table(OPTIMIZERS, tol=PATH)
def weight_decay(make):
    weights = params()
    return trajectory(make(weights, weight_decay=0.1), weights)


@case.table(SOME, tol=PATH)
def loss_scale(make):
    weights = params()
    return trajectory(make(weights, loss_scale=1024.0), weights, factor=1024.0)


@case.table(SOME, tol=PATH)
def loss_scale_and_weight_decay(make):
    weights = params()
    optimizer = make(weights, loss_scale=8.0, weight_decay=0.05)
    return trajectory(optimizer, weights, factor=8.0)


@case.table(SOME, tol=PATH)
def listed_learning_rates(make):
    weights = params()
    rates = [0.1 / (1 + step) for step in range(STEPS)]
    return trajectory(make(weights, rates), weights)


@case.table(SOME, tol=PATH)
def tensor_of_learning_rates(make):
    weights = params()
    rates = Tensor(np.linspace(0.1, 0.01, STEPS).astype(np.float32))
    return trajectory(make(weights, rates), weights)


@case.table({"of_all": (False,), "of_a_group": (True,)})
def rates_at_steps(grouped):
    weights, rates = params(), [0.1, 0.2, 0.3]
    if grouped:
        groups = [{"params": weights[:1], "lr": rates}, {"params": weights[1:]}]
        rate = (optimizer := nn.SGD(groups, 0.5)).learning_rate[0]
    else:
        rate = (optimizer := nn.SGD(weights, rates)).learning_rate
    steps = (1, [1], [0, 2], -1)
    return [rate(Tensor(step, ms.int32)) for step in steps], rate(optimizer.global_step)[0]


@case
def rate_at_a_number():
    return nn.SGD(params(), [0.1, 0.2]).learning_rate(1)


@case.table(
    {
        "number": (lambda: 0.1, 0.0),
        "listed": (lambda: [0.1, 0.2], 0.0),
        "schedule": (lambda: Falling(), 0.0),
        "decay": (lambda: 0.1, "falling"),
    }
)
def whether_a_rate_changes(rate, decay):
    decay = Falling() if decay == "falling" else decay
    return nn.SGD(params(), rate(), weight_decay=decay)._is_dynamic_lr_or_weight_decay()


@case.table(SOME, tol=PATH)
def schedule(make):
    weights = params()
    return trajectory(make(weights, Falling()), weights)


@case.table(SOME)
def after_the_last_learning_rate(make):
    weights = params()
    optimizer = make(weights, [0.1, 0.2])
    return trajectory(optimizer, weights, steps=3)


@case.table(SOME, tol=PATH)
def groups_of_learning_rates(make):
    weights = params()
    groups = [{"params": weights[:2], "lr": 0.01}, {"params": weights[2:]}]
    return trajectory(make(groups), weights)


@case.table(SOME, tol=PATH)
def groups_of_weight_decay(make):
    weights = params()
    groups = [{"params": weights[:2], "weight_decay": 0.2}, {"params": weights[2:]}]
    return trajectory(make(groups, weight_decay=0.05), weights)


@case.table(SOME, tol=PATH)
def groups_of_everything(make):
    weights = params()
    groups = [
        {"params": weights[:1], "lr": [0.1 / (1 + i) for i in range(STEPS)]},
        {"params": weights[1:2], "lr": 0.05, "weight_decay": 0.1, "grad_centralization": True},
        {"params": weights[2:], "lr": Falling()},
        {"order_params": weights[::-1]},
    ]
    weights = weights[::-1]
    optimizer = make(groups, weight_decay=0.01)
    path = []
    for step in range(STEPS):
        optimizer(grads(step)[::-1])
        path.append([weight.asnumpy().copy() for weight in weights])
    return path, [(p.name, p.asnumpy().copy()) for p in optimizer.get_parameters()]


@case.table(SOME, tol=PATH)
def centralized(make):
    weights = params()
    groups = [{"params": weights, "grad_centralization": True}]
    return trajectory(make(groups), weights, steps=3)


@case.table(SOME)
def half_precision_gradients(make):
    weights = params()
    optimizer = make(weights)
    optimizer(tuple(grad.astype(ms.float16) for grad in grads(0)))
    return [weight.asnumpy() for weight in weights]


@case.table(SOME, tol=2e-3)
def half_precision_weights(make):
    weights = [Parameter(p.astype(ms.float16), name=p.name) for p in params()]
    optimizer = make(weights)
    optimizer(tuple(grad.astype(ms.float16) for grad in grads(0)))
    return [weight.asnumpy() for weight in weights]


@case.table(SOME)
def frozen_parameters_are_updated(make):
    weights = params()
    weights[0].requires_grad = False
    optimizer = make(weights)
    return optimizer(grads(0)), weights


@case.table(OPTIMIZERS)
def made(make):
    optimizer = make(params())
    return (
        repr(optimizer),
        [(p.name, p.shape, p.dtype, p.requires_grad) for p in optimizer.get_parameters()],
        [p.asnumpy() for p in optimizer.get_parameters()],
        [path for path, _ in optimizer.parameters_and_names()],
        isinstance(optimizer, nn.Cell),
        isinstance(optimizer.parameters, ParameterTuple),
    )


@case.table(SOME)
def state_names_of_groups(make):
    weights = params()
    optimizer = make([{"params": weights[:2], "lr": 0.01}, {"params": weights[2:], "lr": 0.02}])
    return [(p.name, p.shape) for p in optimizer.get_parameters()], optimizer.get_lr()


@case.table(SOME)
def result_of_a_step(make):
    optimizer = make(params())
    return optimizer(grads(0)), optimizer.global_step, optimizer(grads(1)), optimizer.global_step


@case.table(
    {
        "all": (slice(None),),
        "one": (slice(1),),
    }
)
def learning_rates_of_groups(which):
    weights = params()
    groups = [{"params": weights[:2], "lr": 0.01}, {"params": weights[2:], "weight_decay": 0.1}]
    optimizer = nn.SGD(groups, 0.1)
    return optimizer.get_lr(), optimizer.get_lr_parameter(weights[which])


RATES = {
    "float": (lambda: 0.1,),
    "int": (lambda: 1,),
    "0": (lambda: 0,),
    "negative": (lambda: -0.1,),
    "negative_int": (lambda: -1,),
    "bool": (lambda: True,),
    "str": (lambda: "a",),
    "None": (lambda: None,),
    "list": (lambda: [0.1, 0.2],),
    "tuple": (lambda: (0.1, 0.2),),
    "list_of_ints": (lambda: [1, 2],),
    "list_with_str": (lambda: [0.1, "a"],),
    "iterator": (lambda: iter([0.1, 0.2]),),
    "tensor": (lambda: Tensor(0.1),),
    "tensor_int": (lambda: Tensor(1),),
    "tensor_half": (lambda: Tensor(0.1, ms.float16),),
    "tensor_1d": (lambda: Tensor([0.1, 0.2], ms.float32),),
    "tensor_2d": (lambda: Tensor([[0.1]], ms.float32),),
    "parameter": (lambda: Parameter(Tensor(0.1), name="lr"),),
    "numpy": (lambda: np.float32(0.1),),
    "schedule": (lambda: Falling(),),
}


@case.table(RATES, message=True)
def learning_rate(value):
    optimizer = nn.SGD(params(), value())
    return repr(optimizer), optimizer.get_lr(), optimizer.dynamic_lr


@case.table(
    {
        "float": (lambda: 0.1,),
        "0": (lambda: 0,),
        "int": (lambda: 1,),
        "negative": (lambda: -0.1,),
        "bool": (lambda: True,),
        "str": (lambda: "a",),
        "None": (lambda: None,),
        "list": (lambda: [0.1],),
        "cell": (lambda: nn.ReLU(),),
    },
    message=True,
)
def weight_decay_argument(value):
    optimizer = nn.SGD(params(), 0.1, weight_decay=value())
    return optimizer.weight_decay, optimizer.get_weight_decay(), optimizer.exec_weight_decay


@case.table(
    {
        "float": (1024.0,),
        "int": (2,),
        "one": (1.0,),
        "0": (0,),
        "negative": (-1.0,),
        "bool": (True,),
        "str": ("a",),
        "None": (None,),
    },
    message=True,
)
def loss_scale_argument(value):
    optimizer = nn.SGD(params(), 0.1, loss_scale=value)
    return optimizer.loss_scale, optimizer.reciprocal_scale, optimizer.need_scale


def grouped(**options):
    return lambda: [{"params": params(), **options}]


PARAMETERS = {
    "empty": (list,),
    "None": (lambda: None,),
    "int": (lambda: 3,),
    "str": (lambda: "ab",),
    "one_parameter": (lambda: params()[0],),
    "tuple": (lambda: tuple(params()),),
    "generator": (lambda: (p for p in params()),),
    "parameter_tuple": (lambda: ParameterTuple(params()),),
    "list_of_int": (lambda: [3],),
    "parameter_and_int": (lambda: [params()[0], 3],),
    "tensor": (lambda: [Tensor(1.0)],),
    "dict": (lambda: {"params": params()},),
    "same_name": (lambda: [params()[0], params()[0]],),
    "group": (lambda: [{"params": params()}],),
    "group_empty": (lambda: [{"params": []}],),
    "group_foreign_key": (lambda: [{"foo": params()}],),
    "group_second_foreign_key": (grouped(foo=1),),
    "group_int": (lambda: [{"params": 3}],),
    "group_list_of_int": (lambda: [{"params": [3]}],),
    "group_twice": (lambda: [{"params": (p := params())}, {"params": p[:1]}],),
    "group_and_parameter": (lambda: [{"params": params()[:2]}, params()[2]],),
    "group_without_params": (lambda: [{"lr": 0.1}],),
    "group_negative_lr": (grouped(lr=-0.1),),
    "group_str_lr": (grouped(lr="a"),),
    "group_negative_weight_decay": (grouped(weight_decay=-0.1),),
    "group_str_weight_decay": (grouped(weight_decay="a"),),
    "group_int_centralization": (grouped(grad_centralization=1),),
    "order_only": (lambda: [{"order_params": params()}],),
    "order_too_short": (lambda: [{"params": (p := params())}, {"order_params": p[:1]}],),
    "order_with_lr": (lambda: [{"params": (p := params())}, {"order_params": p, "lr": 0.1}],),
    "list_lr_lengths": (
        lambda: [
            {"params": (p := params())[:1], "lr": [0.1, 0.2, 0.3]},
            {"params": p[1:], "lr": [0.1, 0.2]},
        ],
    ),
}


@case.table(PARAMETERS, message=True)
def parameters(value):
    optimizer = nn.SGD(value(), 0.1)
    return [p.name for p in optimizer.parameters], optimizer.is_group, optimizer.is_group_lr


GRADIENTS = {
    "list": (lambda: list(grads(0)),),
    "too_few": (lambda: grads(0)[:2],),
    "too_many": (lambda: grads(0) + grads(0)[:1],),
    "numbers": (lambda: (1.0, 2.0, 3.0),),
    "None": (lambda: None,),
    "Nones": (lambda: (None, None, None),),
    "doubles": (lambda: tuple(grad.astype(ms.float64) for grad in grads(0)),),
    "ints": (lambda: tuple(Tensor(np.ones(s, np.int64)) for s in ((3,), (2, 2), (1,))),),
    "parameter_tuple": (lambda: ParameterTuple(params()),),
    "wrong_shape": (lambda: (Tensor([1.0]), *grads(0)[1:]),),
}


# Here the three raise different errors by accident; msgrad has one for all.
UNLIKE = ("SGD-wrong_shape", "Momentum-None", "Adam-numbers", "Adam-Nones")


@case.table(
    {
        f"{key}-{name}": (SOME[key][0], given)
        for key in ("SGD", "Momentum", "Adam")
        for name, (given,) in GRADIENTS.items()
        if f"{key}-{name}" not in UNLIKE
    }
)
def gradients(make, given):
    weights = params()
    optimizer = make(weights)
    return optimizer(given()), weights


@case.table(
    {
        "SGD_momentum_negative": (lambda: nn.SGD(params(), momentum=-1.0),),
        "SGD_momentum_str": (lambda: nn.SGD(params(), momentum="a"),),
        "SGD_momentum_int": (lambda: nn.SGD(params(), momentum=1),),
        "SGD_dampening_negative": (lambda: nn.SGD(params(), dampening=-1.0),),
        "SGD_dampening_int": (lambda: nn.SGD(params(), dampening=1),),
        "SGD_nesterov_int": (lambda: nn.SGD(params(), nesterov=1),),
        "SGD_nesterov_without_momentum": (lambda: nn.SGD(params(), nesterov=True),),
        "SGD_nesterov_dampening": (
            lambda: nn.SGD(params(), momentum=0.9, dampening=0.1, nesterov=True),
        ),
        "Momentum_int": (lambda: nn.Momentum(params(), 0.1, 1),),
        "Momentum_negative": (lambda: nn.Momentum(params(), 0.1, -1.0),),
        "Momentum_str": (lambda: nn.Momentum(params(), 0.1, "a"),),
        "Momentum_nesterov_int": (lambda: nn.Momentum(params(), 0.1, 0.9, use_nesterov=1),),
        "Adam_beta1_1": (lambda: nn.Adam(params(), beta1=1.0),),
        "Adam_beta1_0": (lambda: nn.Adam(params(), beta1=0.0),),
        "Adam_beta1_int": (lambda: nn.Adam(params(), beta1=1),),
        "Adam_beta2_str": (lambda: nn.Adam(params(), beta2="a"),),
        "Adam_eps_0": (lambda: nn.Adam(params(), eps=0.0),),
        "Adam_eps_negative": (lambda: nn.Adam(params(), eps=-1.0),),
        "Adam_eps_int": (lambda: nn.Adam(params(), eps=1),),
        "Adam_locking_int": (lambda: nn.Adam(params(), use_locking=1),),
        "Adam_nesterov_int": (lambda: nn.Adam(params(), use_nesterov=1),),
        "Adam_amsgrad_int": (lambda: nn.Adam(params(), use_amsgrad=1),),
        "Adam_foreign": (lambda: nn.Adam(params(), foo=1),),
        "Adam_lazy": (lambda: nn.Adam(params(), use_lazy=True),),
        "Adam_offload": (lambda: nn.Adam(params(), use_offload=True),),
        "Adam_lazy_and_offload": (lambda: nn.Adam(params(), use_lazy=True, use_offload=True),),
        "Adam_lazy_amsgrad": (lambda: nn.Adam(params(), use_lazy=True, use_amsgrad=True),),
        "Adam_lazy_int": (lambda: nn.Adam(params(), use_lazy=1),),
        "rate_of_another": (
            lambda: nn.SGD(params(), 0.1).get_lr_parameter(Parameter(Tensor(1.0), name="z")),
        ),
        "rate_of_int": (lambda: nn.SGD(params(), 0.1).get_lr_parameter(3),),
        "base_call": (lambda: nn.Optimizer(0.1, params())(grads(0)),),
        "unique": (lambda: setattr(nn.SGD(params()), "unique", 3),),
    },
    message=True,
)
def errors(make):
    return repr(make())


@case.table(
    {
        "nothing": (lambda: nn.SGD(),),
        "no_momentum": (lambda: nn.Momentum(params(), 0.1),),
        "foreign": (lambda: nn.SGD(params(), foo=1),),
        "empty_list_of_rates": (lambda: nn.SGD(params(), []).get_lr(),),
        "rate_of_a_cell": (lambda: nn.SGD(params(), nn.ReLU()),),
        "weight_decay_of_a_tensor": (lambda: nn.SGD(params(), 0.1, weight_decay=Tensor(0.1)),),
        "group_of_a_parameter": (lambda: nn.SGD([{"params": params()[0]}]),),
        "one_parameter_twice": (lambda: nn.SGD([(p := params()[0]), p]),),
    }
)
def error_types(make):
    return repr(make())


def base(**options):
    return nn.Optimizer(0.1, params(), **options)


def grouped_decays():
    first, *others = params()
    groups = [{"params": [first], "weight_decay": 0.1}, {"params": others}]
    return nn.SGD(groups, 0.1, weight_decay=0.2, loss_scale=4.0)


@case.table(
    {
        "decay_weight": (lambda: base(weight_decay=0.1).decay_weight(grads(0)),),
        "decay_weight_scaled": (
            lambda: base(weight_decay=0.1, loss_scale=4.0).decay_weight(grads(0)),
        ),
        "decay_weight_list": (lambda: base(weight_decay=0.1).decay_weight(list(grads(0))),),
        "no_decay_weight": (lambda: base().decay_weight(grads(0)),),
        "scale_grad": (lambda: base(loss_scale=4.0).scale_grad(grads(0)),),
        "scale_grad_list": (lambda: base(loss_scale=4.0).scale_grad(list(grads(0))),),
        "no_scale_grad": (lambda: base().scale_grad(grads(0)),),
        "gradients_centralization": (lambda: base().gradients_centralization(grads(0)),),
        "gradients_centralization_list": (lambda: base().gradients_centralization(list(grads(0))),),
        "flatten_gradients": (lambda: base().flatten_gradients(grads(0)),),
        "get_weight_decay": (lambda: base(weight_decay=0.1).get_weight_decay(),),
        "get_weight_decay_scaled": (
            lambda: base(weight_decay=0.1, loss_scale=4.0).get_weight_decay(),
        ),
        "get_weight_decay_of_a_cell": (
            lambda: (
                base(weight_decay=nn.ExponentialDecayLR(0.1, 0.5, 1), loss_scale=4.0)
                .get_weight_decay()
                .reshape(())
            ),
        ),
        "get_weight_decay_of_groups": (lambda: grouped_decays().get_weight_decay(),),
        "weight_decay_of_groups": (lambda: grouped_decays().weight_decay,),
        "weight_decay_of_adafactor": (
            lambda: nn.AdaFactor(
                params(), 0.1, relative_step=False, weight_decay=0.1, loss_scale=4.0
            ).get_weight_decay(),
        ),
        "unique": (lambda: base().unique,),
        "target": (lambda: base().target,),
    }
)
def helpers(call):
    return call()


@case
def own_optimizer():
    class Mine(nn.Optimizer):
        def __init__(self, parameters, rate):
            super().__init__(rate, parameters, weight_decay=0.1)
            self.moments = self.parameters.clone(prefix="moments", init="zeros")
            self.assign = ops.Assign()

        def construct(self, gradients):
            rate = self.get_lr()
            gradients = self.decay_weight(gradients)
            for weight, moment, grad in zip(self.parameters, self.moments, gradients, strict=True):
                self.assign(moment, moment * 0.9 + grad)
                self.assign(weight, weight - moment * rate)
            return True

    weights = params()
    optimizer = Mine(weights, [0.1, 0.2, 0.3])
    return trajectory(optimizer, weights, steps=3)


@case(tol=PATH)
def computed_weight_decay_of_ftrl():
    weights = params()
    optimizer = nn.FTRL(weights, learning_rate=0.1, weight_decay=Falling(), loss_scale=2.0)
    return trajectory(optimizer, weights, steps=3)


@case
def gradients_halved_by_a_subclass():
    class Halved(nn.Momentum):
        def construct(self, gradients):
            return super().construct(tuple([grad * 0.5 for grad in gradients]))

    weights = params()
    return trajectory(Halved(weights, 0.1, 0.9), weights, steps=2)


@case
def a_step_of_training():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    rows, wanted = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), Tensor([[1.0], [2.0]], ms.float32)
    loss_fn = nn.MSELoss()
    step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    losses = []
    for _ in range(3):
        loss, gradient = step(rows, wanted)
        optimizer(gradient)
        losses.append(loss)
    return losses, net.weight, net.bias


@case
def learning_rate_changed_by_assign():
    weights = params()
    optimizer = nn.SGD(weights, 0.1)
    optimizer(grads(0))
    ops.assign(optimizer.learning_rate, Tensor(0.5, ms.float32))
    optimizer(grads(0))
    return weights, optimizer.get_lr()


@case
def learning_rate_changed_by_set_data():
    weights = params()
    optimizer = nn.Momentum(weights, 0.1, 0.9)
    optimizer(grads(0))
    optimizer.learning_rate.set_data(Tensor(0.5, ms.float32))
    optimizer(grads(0))
    return weights


@case
def momentum_changed():
    weights = params()
    optimizer = nn.SGD(weights, 0.1)
    optimizer(grads(0))
    optimizer.momentum.set_data(Tensor(0.9, ms.float32))
    optimizer(grads(1))
    optimizer(grads(2))
    return weights


@case.table({kind.__name__: (kind,) for kind in (nn.Momentum, nn.RMSProp, nn.AdamWeightDecay)})
def parameter_called_params(kind):
    weight = Parameter(Tensor([1.0, 2.0]), name="params")
    optimizer = kind(
        [weight], **({"momentum": 0.9} if kind is nn.Momentum else {}), learning_rate=0.1
    )
    optimizer((Tensor([0.5, -0.5]),))
    return weight, getattr(optimizer, "params", None), optimizer.parameters


class Doubled(nn.SGD):
    def construct(self, gradients):
        return super().construct(tuple(gradient * 2 for gradient in gradients))


@case
def construct_of_a_subclass():
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    Doubled([weight], 0.1)((Tensor([1.0, 1.0]),))
    return weight.asnumpy()
