"""The other optimizers: trajectories of each rule, their state, groups, schedules and errors."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn

from tests.parity.case import case
from tests.parity.cases.optim import PATH, STEPS, Falling, grads, params, trajectory


def of(name, **own):
    """Make the optimizer that a row is for, with a learning rate unless ``own`` has one."""

    def make(p, lr=0.1, **options):
        return getattr(nn, name)(p, **{"learning_rate": lr, **own, **options})

    return (make,)


RULES = {
    "AdamWeightDecay": of("AdamWeightDecay"),
    "AdamWeightDecay_betas": of("AdamWeightDecay", beta1=0.8, beta2=0.95, eps=1e-3),
    "AdaMax": of("AdaMax"),
    "AdaMax_betas": of("AdaMax", beta1=0.8, beta2=0.95, eps=1e-3),
    "AdamOffload": of("AdamOffload"),
    "AdamOffload_nesterov": of("AdamOffload", use_nesterov=True),
    "LazyAdam": of("LazyAdam"),
    "LazyAdam_nesterov": of("LazyAdam", use_nesterov=True),
    "RMSProp": of("RMSProp"),
    "RMSProp_momentum": of("RMSProp", momentum=0.5, decay=0.7, epsilon=1e-3),
    "RMSProp_centered": of("RMSProp", centered=True),
    "RMSProp_centered_momentum": of("RMSProp", centered=True, momentum=0.5, epsilon=1e-3),
    "Adagrad": of("Adagrad"),
    "Adagrad_accum": of("Adagrad", accum=0.5),
    "Adagrad_without_slots": of("Adagrad", update_slots=False),
    "ProximalAdagrad": of("ProximalAdagrad"),
    "ProximalAdagrad_l1": of("ProximalAdagrad", l1=0.2),
    "ProximalAdagrad_l2": of("ProximalAdagrad", l2=0.3, accum=0.5),
    "ProximalAdagrad_l1_l2": of("ProximalAdagrad", l1=0.1, l2=0.3),
    "FTRL": of("FTRL"),
    "FTRL_l1": of("FTRL", l1=0.2),
    "FTRL_l1_l2": of("FTRL", l1=0.1, l2=0.2),
    "FTRL_power": of("FTRL", lr_power=-0.3),
    "Adadelta": of("Adadelta"),
    "Adadelta_rho": of("Adadelta", rho=0.5, epsilon=1e-3),
    "ASGD": of("ASGD"),
    "ASGD_averaging": of("ASGD", lambd=0.1, alpha=0.5, t0=3.0),
    "Rprop": of("Rprop"),
    "Rprop_etas": of("Rprop", etas=(0.3, 1.5), step_sizes=(0.05, 0.2)),
    "AdaFactor": of("AdaFactor", learning_rate=None),
    "AdaFactor_warmup": of("AdaFactor", learning_rate=None, warmup_init=True),
    "AdaFactor_unscaled": of("AdaFactor", learning_rate=None, scale_parameter=False),
    "AdaFactor_clip": of("AdaFactor", learning_rate=None, clip_threshold=0.3, decay_rate=0.5),
    "AdaFactor_eps": of("AdaFactor", learning_rate=None, eps=(1e-3, 0.5)),
    "AdaFactor_compression": of("AdaFactor", learning_rate=None, compression=True),
    "AdaFactor_rate": of("AdaFactor", relative_step=False, scale_parameter=False),
    "AdaFactor_rate_scaled": of("AdaFactor", relative_step=False),
}
WITHOUT_MEAN = {
    "AdaFactor_beta1_0": of("AdaFactor", learning_rate=None, beta1=0.0),
    "AdaFactor_beta1_None": of("AdaFactor", learning_rate=None, beta1=None),
}
ONE_EACH = [
    "AdamWeightDecay",
    "AdaMax",
    "AdamOffload",
    "LazyAdam",
    "RMSProp",
    "RMSProp_centered",
    "Adagrad",
    "ProximalAdagrad",
    "FTRL",
    "Adadelta",
    "ASGD",
    "Rprop",
    "AdaFactor_rate",
]
SOME = {key: RULES[key] for key in ONE_EACH}
GROUPED = {key: SOME[key] for key in SOME if key != "AdaFactor_rate"}
# MindSpore has no kernels for these with gradients or weights of half precision.
HALF = {key: SOME[key] for key in SOME if key not in ("AdamOffload", "FTRL")}
MIXED = {key: SOME[key] for key in SOME if key != "AdamOffload" and "RMSProp" not in key}
SCALED = {key: SOME[key] for key in SOME if key not in ("AdamWeightDecay", "ASGD", "Rprop")}


@case.table(RULES, tol=PATH)
def plain(make):
    weights = params()
    return trajectory(make(weights), weights)


@case.table(RULES, tol=PATH)
def weight_decay(make):
    weights = params()
    return trajectory(make(weights, weight_decay=0.1), weights)


# Its state `linear` adds up ten terms of up to 40, each rounded by 2**-24 of that.
@case(tol=2e-5)
def ftrl_with_l2():
    weights = params()
    return trajectory(nn.FTRL(weights, learning_rate=0.1, l2=0.3, initial_accum=0.5), weights)


@case.table(WITHOUT_MEAN, tol=PATH)
def ada_factor_without_mean(make):
    weights = params()
    return trajectory(make(weights), weights)[0]


# Whole vectors only: how the rest is rounded depends on MindSpore's threads.
@case.table({"8": (8,), "64": (64,), "8x12": ((8, 12),)}, tol=0.0)
def adam_bit_for_bit(shape):
    rng = np.random.default_rng(5)
    weights = [Parameter(Tensor(rng.normal(size=shape).astype(np.float32)), name="w")]
    optimizer = nn.Adam(weights, 0.1)
    path = []
    for _ in range(STEPS):
        optimizer((Tensor(rng.normal(size=shape).astype(np.float32)),))
        path.append(weights[0].asnumpy().copy())
    return path, [(p.name, p.asnumpy().copy()) for p in optimizer.get_parameters()]


@case.table(SCALED, tol=PATH)
def loss_scale(make):
    weights = params()
    optimizer = make(weights, loss_scale=8.0, weight_decay=0.05)
    return trajectory(optimizer, weights, factor=8.0)


@case.table(SOME, tol=PATH)
def listed_learning_rates(make):
    weights = params()
    return trajectory(make(weights, [0.1 / (1 + step) for step in range(STEPS)]), weights)


@case.table(SOME, tol=PATH)
def schedule(make):
    weights = params()
    return trajectory(make(weights, Falling()), weights)


@case.table(GROUPED, tol=PATH)
def groups(make):
    weights = params()
    given = [
        {"params": weights[:1], "lr": 0.01},
        {"params": weights[1:], "lr": Falling(), "weight_decay": 0.2},
        {"order_params": weights[::-1]},
    ]
    weights = weights[::-1]
    optimizer = make(given, weight_decay=0.05)
    path = []
    for step in range(STEPS):
        optimizer(grads(step)[::-1])
        path.append([weight.asnumpy().copy() for weight in weights])
    return path, [(p.name, p.asnumpy().copy()) for p in optimizer.get_parameters()]


@case.table(GROUPED, tol=PATH)
def groups_of_constant_rates(make):
    weights = params()
    given = [{"params": weights[:2], "lr": 0.01}, {"params": weights[2:], "weight_decay": 0.2}]
    return trajectory(make(given), weights, steps=4)


@case.table(RULES)
def made(make):
    optimizer = make(params())
    return (
        repr(optimizer),
        [(p.name, p.shape, p.dtype, p.requires_grad) for p in optimizer.get_parameters()],
        [p.asnumpy() for p in optimizer.get_parameters()],
        [path for path, _ in optimizer.parameters_and_names()],
        isinstance(optimizer.parameters, ParameterTuple),
    )


@case.table(SOME)
def result_of_a_step(make):
    optimizer = make(params())
    return optimizer(grads(0)), optimizer.global_step


@case.table(MIXED, tol=2e-3)
def half_precision_gradients(make):
    weights = params()
    optimizer = make(weights)
    optimizer(tuple(grad.astype(ms.float16) for grad in grads(0)))
    return [weight.asnumpy() for weight in weights]


@case.table(HALF, tol=2e-3)
def half_precision_weights(make):
    weights = [Parameter(p.astype(ms.float16), name=p.name) for p in params()]
    optimizer = make(weights)
    optimizer(tuple(grad.astype(ms.float16) for grad in grads(0)))
    return [weight.asnumpy() for weight in weights], [
        (p.name, p.dtype) for p in optimizer.get_parameters()
    ]


@case.table({key: SOME[key] for key in SOME if key != "Adadelta"})
def list_of_gradients(make):
    return make(params())(list(grads(0)))


@case.table(
    {
        "tensor": (lambda: Tensor(0.1),),
        "parameter": (lambda: Parameter(Tensor(0.1), name="rate"),),
        "listed": (lambda: [0.1, 0.2, 0.1],),
        "schedule": (Falling,),
    },
    tol=PATH,
)
def ada_factor_scales_numbers_only(rate):
    weights = params()
    optimizer = nn.AdaFactor(weights, rate(), relative_step=False)
    return trajectory(optimizer, weights, 3), optimizer.scale_parameter


@case
def ada_factor_and_its_groups():
    weights = params()
    given = [{"params": weights[:1], "weight_decay": 0.3}, {"params": weights[1:]}]
    optimizer = nn.AdaFactor(given, weight_decay=0.05)
    optimizer.target = "CPU"
    plain = nn.AdaFactor(params(), weight_decay=0.05)
    shown = [o.get_weight_decay() for o in (optimizer, plain)], optimizer.target, plain.decay_flags
    return trajectory(optimizer, weights, 2), shown


@case.table(
    {key: RULES[key] for key in ("AdamWeightDecay", "ASGD", "Rprop", "AdaFactor")}, tol=2e-6
)
def gradients_of_64_bits(make):
    weights = params()
    optimizer = make(weights)
    for step in range(2):
        optimizer(tuple(grad.astype(ms.float64) for grad in grads(step)))
    return weights, [p.dtype for p in optimizer.get_parameters()]


@case.table(
    {
        "SGD": (lambda p: nn.SGD(p, 0.1, momentum=0.9),),
        "Adam": (lambda p: nn.Adam(p, 0.1),),
        "Adam_nesterov": (lambda p: nn.Adam(p, 0.1, use_nesterov=True),),
        "LazyAdam": (lambda p: nn.LazyAdam(p, 0.1),),
    },
    tol=1e-3,
)
def half_precision_for_some_steps(make):
    weights = [Parameter(p.astype(ms.float16), name=p.name) for p in params()]
    optimizer = make(weights)
    for step in range(4):
        optimizer(tuple(grad.astype(ms.float16) for grad in grads(step)))
    return [(p.name, p) for p in optimizer.get_parameters()]


# The moments are rounded to float16 in every step, once for each operation in MindSpore.
@case(tol=5e-3)
def decoupled_half_precision_weights_of_single_precision_gradients():
    weights = [Parameter(p.astype(ms.float16), name=p.name) for p in params()]
    optimizer = nn.AdamWeightDecay(weights, 0.1)
    for step in range(3):
        optimizer(grads(step))
    return weights


@case.table(
    {
        "matrix": ((4, 6),),
        "tall": ((6, 2),),
        "three_dimensions": ((2, 3, 4),),
        "four_dimensions": ((2, 3, 3, 2),),
        "row": ((1, 5),),
    },
    tol=PATH,
)
def ada_factor_shapes(shape):
    rng = np.random.default_rng(3)
    weights = [Parameter(Tensor(rng.normal(size=shape).astype(np.float32)), name="w")]
    optimizer = nn.AdaFactor(weights)
    path = []
    for _ in range(4):
        optimizer((Tensor(rng.normal(size=shape).astype(np.float32)),))
        path.append(weights[0].asnumpy().copy())
    return path, [(p.name, p.asnumpy().copy()) for p in optimizer.get_parameters()]


class Halving(nn.Cell):
    def construct(self, step):
        return 0.2 * 0.5**step


GROUPS_DECAY = {"float": (lambda: 0.3, 0.05), "dynamic": (Halving, 0.0)}


@case.table(GROUPS_DECAY, tol=PATH)
def ada_factor_weight_decay_of_groups(make, own):
    weights = params()
    given = [{"params": weights[:1], "weight_decay": make()}, {"params": weights[1:]}]
    optimizer = nn.AdaFactor(given, learning_rate=None, weight_decay=own)
    return trajectory(optimizer, weights, steps=3)


@case.table({"l1": ({"l1": 0.2},), "centered": ({},)}, tol=PATH)
def zero_gradients(options):
    weights = params()
    make = nn.ProximalAdagrad if options else nn.Rprop
    optimizer = make(weights, 0.1, **options)
    for step in range(4):
        optimizer(tuple(grad * (step % 2) for grad in grads(step)))
    return weights


BAD = {
    "negative": -1.0,
    "zero": 0.0,
    "one": 1.0,
    "int": 1,
    "int_0": 0,
    "str": "a",
    "bool": True,
    "None": None,
    "list": [0.5],
}
ARGUMENTS = {
    "AdamWeightDecay": ("beta1", "eps"),
    "AdaMax": ("beta2", "eps"),
    "AdamOffload": ("beta1", "eps", "use_locking", "use_nesterov"),
    "LazyAdam": ("beta1", "eps", "use_locking", "use_nesterov"),
    "RMSProp": ("decay", "momentum", "epsilon", "use_locking", "centered"),
    "Adagrad": ("accum", "update_slots"),
    "ProximalAdagrad": ("accum", "l1", "l2", "use_locking"),
    "FTRL": ("initial_accum", "lr_power", "l1", "l2", "use_locking"),
    "Adadelta": ("rho", "epsilon"),
    "ASGD": ("lambd", "alpha", "t0"),
    "Rprop": ("etas", "step_sizes"),
    "AdaFactor": [
        "eps",
        "clip_threshold",
        "decay_rate",
        "beta1",
        "scale_parameter",
        "relative_step",
        "warmup_init",
        "compression",
    ],
}


@case.table(
    {
        f"{name}-{argument}-{key}": (name, argument, value)
        for name, arguments in ARGUMENTS.items()
        for argument in arguments
        for key, value in BAD.items()
    },
    message=True,
)
def argument(name, argument, value):
    return repr(getattr(nn, name)(params(), **{argument: value}))


@case.table(
    {
        "Rprop_etas_three": (lambda: nn.Rprop(params(), etas=(0.5, 1.2, 3.0)),),
        "Rprop_etas_list": (lambda: nn.Rprop(params(), etas=[0.5, 1.2]),),
        "Rprop_etas_wrong_way": (lambda: nn.Rprop(params(), etas=(1.2, 0.5)),),
        "Rprop_etas_ints": (lambda: nn.Rprop(params(), etas=(0, 2)),),
        "Rprop_etas_negative": (lambda: nn.Rprop(params(), etas=(-0.5, 1.5)),),
        "Rprop_sizes_list": (lambda: nn.Rprop(params(), step_sizes=[0.1, 1.0]),),
        "Rprop_sizes_three": (lambda: nn.Rprop(params(), step_sizes=(0.1, 1.0, 2.0)),),
        "Rprop_sizes_wrong_way": (lambda: nn.Rprop(params(), step_sizes=(1.0, 0.1)),),
        "Rprop_sizes_ints": (lambda: nn.Rprop(params(), step_sizes=(1, 2)),),
        "Rprop_sizes_negative": (lambda: nn.Rprop(params(), step_sizes=(-1.0, 2.0)),),
        "AdaFactor_rate_and_relative": (lambda: nn.AdaFactor(params(), 0.1),),
        "AdaFactor_warmup_alone": (
            lambda: nn.AdaFactor(params(), 0.1, relative_step=False, warmup_init=True),
        ),
        "AdaFactor_no_rate": (lambda: nn.AdaFactor(params(), relative_step=False),),
        "AdaFactor_decay_dynamic": (lambda: nn.AdaFactor(params(), weight_decay=Halving()),),
        "AdaFactor_decay_int": (lambda: nn.AdaFactor(params(), weight_decay=1),),
        "AdaFactor_eps_list": (lambda: nn.AdaFactor(params(), eps=[1e-30, 1e-3]),),
        "AdaFactor_eps_ints": (lambda: nn.AdaFactor(params(), eps=(1, 1)),),
        "AdaFactor_eps_negative": (lambda: nn.AdaFactor(params(), eps=(-1.0, 1e-3)),),
        "AdaFactor_eps_one": (lambda: nn.AdaFactor(params(), eps=(1e-3,)),),
        "AdamWeightDecay_scale": (lambda: nn.AdamWeightDecay(params(), loss_scale=2.0),),
        "FTRL_power_positive": (lambda: nn.FTRL(params(), lr_power=0.5),),
        "FTRL_dynamic": (lambda: nn.FTRL(params(), learning_rate=[0.1, 0.2]),),
        "FTRL_negative_rate": (lambda: nn.FTRL(params(), learning_rate=-0.1),),
        "FTRL_scale_0": (lambda: nn.FTRL(params(), loss_scale=0.0),),
        "LARS_of_a_number": (lambda: nn.LARS(3),),
        "LARS_of_Momentum": (lambda: nn.LARS(nn.Momentum(params(), 0.1, 0.9)),),
        "LARS_epsilon": (lambda: nn.LARS(nn.Momentum(params(), 0.1, 0.9), epsilon=1),),
        "LARS_coefficient": (lambda: nn.LARS(nn.Momentum(params(), 0.1, 0.9), coefficient=1),),
        "LARS_coefficient_negative": (
            lambda: nn.LARS(nn.Momentum(params(), 0.1, 0.9), coefficient=-1.0),
        ),
        "LARS_clip": (lambda: nn.LARS(nn.Momentum(params(), 0.1, 0.9), use_clip=1),),
        "Lamb": (lambda: nn.Lamb(params(), 0.1),),
        "Lamb_beta1": (lambda: nn.Lamb(params(), 0.1, beta1=1.0),),
        "Lamb_eps": (lambda: nn.Lamb(params(), 0.1, eps=0.0),),
        "Lamb_eps_int": (lambda: nn.Lamb(params(), 0.1, eps=1),),
    },
    message=True,
)
def errors(make):
    return repr(make())


@case.table(
    {
        "Lamb": (lambda: nn.Lamb(params(), 0.1),),
        "LARS": (lambda: nn.LARS(nn.Momentum(params(), 0.1, 0.9)),),
        "LARS_of_groups": (
            lambda: nn.LARS(
                nn.SGD([{"params": params(), "weight_decay": 0.1}], 0.1, weight_decay=0.2)
            ),
        ),
    }
)
def made_without_a_kernel(make):
    optimizer = make()
    return (
        [(p.name, p.shape, p.dtype, p.requires_grad) for p in optimizer.get_parameters()],
        [p.asnumpy() for p in optimizer.get_parameters()],
        [path for path, _ in optimizer.parameters_and_names()],
    )


@case.table(
    {
        "LazyAdam": of("LazyAdam"),
        "FTRL": of("FTRL"),
        "ProximalAdagrad": of("ProximalAdagrad", l2=0.5),
        "Adam": of("Adam"),
        "Adam_lazy": of("Adam", use_lazy=True),
    }
)
def rows_that_are_looked_up(make):
    return looked_up(make, ([1, 1, 2], [0, 0, 2], [3, 0, 1]))


# A row that is looked up twice decays twice in MindSpore.
@case.table({key: of(key, weight_decay=0.1) for key in ("LazyAdam", "FTRL", "Adam")})
def rows_that_are_looked_up_decay(make):
    return looked_up(make, ([1, 3, 2], [0, 3, 2], [3, 0, 1]))


def looked_up(make, lookups):
    class Weighted(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table = nn.EmbeddingLookup(4, 2)

        def construct(self, indices, weights):
            return (self.table(indices) * weights).sum()

    net = Weighted()
    table = net.table.embedding_table
    table.set_data(Tensor(np.arange(8).reshape(4, 2), ms.float32))
    rule = make([table])
    rule.target = "CPU"
    gradient = ms.grad(net, None, rule.parameters)

    @ms.jit
    def step(indices, weights):
        return rule(gradient(indices, weights))

    seen = []
    for indices in lookups:
        step(Tensor(indices, ms.int32), Tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]]))
        seen.append(table.asnumpy().copy())
    return seen


class OfOptimizerOnly(nn.AdamWeightDecay):
    """Calls the constructor of ``Optimizer``, and makes itself what AdamWeightDecay's makes."""

    def __init__(self, params):
        super(nn.AdamWeightDecay, self).__init__(0.1, params, 0.05)
        self.beta1 = Tensor(np.array([0.8], np.float32))
        self.beta2 = Tensor(np.array([0.95], np.float32))
        self.eps = Tensor(np.array([1e-3], np.float32))
        self.moments1 = self.parameters.clone(prefix="m", init="zeros")
        self.moments2 = self.parameters.clone(prefix="v", init="zeros")
        self.fused_opt = ms.ops.AdamWeightDecay()
        self.use_fused_opt = True


@case.table({"one_group": (False,), "groups": (True,)}, tol=PATH)
def around_the_constructor(grouped):
    weights = params()
    given = [{"params": weights[:1], "weight_decay": 0.2}, {"params": weights[1:]}]
    return trajectory(OfOptimizerOnly(given if grouped else weights), weights)


@case.table({key: (key,) for key in ("Adam", "AdaMax", "Lamb", "Momentum", "FTRL", "LazyAdam")})
def constructor_after_the_class(name):
    class Own(getattr(nn, name)):
        def __init__(self, params):
            super(getattr(nn, name), self).__init__(0.1, params, 0.01)

        def construct(self, gradients):
            return self.get_lr(), self.get_weight_decay()

    own = Own(params())
    return own(grads(0)), [p.name for p in own.get_parameters()]


@case.table({key: (key,) for key in ("ExponentialDecayLR", "NaturalExpDecayLR", "CosineDecayLR")})
def schedule_constructor_after_the_class(name):
    class Own(getattr(nn, name)):
        def __init__(self):
            super(getattr(nn, name), self).__init__()

        def construct(self, global_step):
            return 0.5 * global_step

    return Own()(Tensor(3, ms.int32))


@case.table({"one_group": (False,), "groups": (True,)})
def weight_decay_put_in_later(grouped):
    class Own(nn.Optimizer):
        def __init__(self, params):
            super().__init__(0.1, params, 0.02)
            self.weight_decay = 0.03

        def construct(self, gradients):
            return self.get_weight_decay()

    weights = params()
    return Own([{"params": weights, "weight_decay": 0.1}] if grouped else weights)(grads(0))
