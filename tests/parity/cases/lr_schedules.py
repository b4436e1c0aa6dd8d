"""Learning rates: schedule cells, lists, and the errors of their arguments."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.parity.case import case

CELLS = {
    "ExponentialDecayLR": (lambda: nn.ExponentialDecayLR(0.1, 0.9, 4),),
    "ExponentialDecayLR_stair": (lambda: nn.ExponentialDecayLR(0.1, 0.9, 4, True),),
    "CosineDecayLR": (lambda: nn.CosineDecayLR(0.01, 0.1, 4),),
    "InverseDecayLR": (lambda: nn.InverseDecayLR(0.1, 0.5, 4),),
    "InverseDecayLR_stair": (lambda: nn.InverseDecayLR(0.1, 0.5, 4, True),),
    "NaturalExpDecayLR": (lambda: nn.NaturalExpDecayLR(0.1, 0.9, 4),),
    "NaturalExpDecayLR_stair": (lambda: nn.NaturalExpDecayLR(0.1, 0.9, 4, True),),
    "PolynomialDecayLR": (lambda: nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5),),
    "PolynomialDecayLR_update": (lambda: nn.PolynomialDecayLR(0.1, 0.01, 3, 0.5, True),),
    "PolynomialDecayLR_rising": (lambda: nn.PolynomialDecayLR(0.01, 0.1, 4, 2.0),),
    "WarmUpLR": (lambda: nn.WarmUpLR(0.1, 4),),
}


@case.table(CELLS, tol=2e-6)
def rates(make):
    schedule = make()
    return [schedule(Tensor(step, ms.int32)) for step in range(12)], repr(schedule)


@case.table(CELLS, tol=2e-6)
def rates_of_the_step_of_an_optimizer(make):
    weights = [Parameter(Tensor([1.0, 2.0]), name="w")]
    optimizer = nn.SGD(weights, make())
    path = []
    for _ in range(6):
        path.append(optimizer.get_lr())
        optimizer((Tensor([1.0, 1.0]),))
    return path, weights[0], [p.name for p in optimizer.get_parameters()]


@case.table(CELLS, tol=2e-6)
def rates_of_a_shape(make):
    return make()(Tensor([3], ms.int32)), make()(Tensor(3.0, ms.float32))


@case.table(CELLS, tol=2e-6)
def compiled(make):
    ms.set_context(mode=ms.GRAPH_MODE)
    return make()(Tensor(3, ms.int32))


DECAY_CELL = ("learning_rate", "decay_rate", "decay_steps", "is_stair")
STEPS = ("total_step", "step_per_epoch")
DECAY_LIST = ("learning_rate", "decay_rate", *STEPS, "decay_epoch", "is_stair")
ENDS = ("learning_rate", "end_learning_rate")
FORMS = {
    "ExponentialDecayLR": DECAY_CELL,
    "CosineDecayLR": ("min_lr", "max_lr", "decay_steps"),
    "InverseDecayLR": DECAY_CELL,
    "NaturalExpDecayLR": DECAY_CELL,
    "PolynomialDecayLR": (*ENDS, "decay_steps", "power", "update_decay_steps"),
    "WarmUpLR": ("learning_rate", "warmup_steps"),
    "piecewise_constant_lr": ("milestone", "learning_rates"),
    "cosine_decay_lr": ("min_lr", "max_lr", *STEPS, "decay_epoch"),
    "exponential_decay_lr": DECAY_LIST,
    "inverse_decay_lr": DECAY_LIST,
    "natural_exp_decay_lr": DECAY_LIST,
    "polynomial_decay_lr": (*ENDS, *STEPS, "decay_epoch", "power", "update_decay_epoch"),
    "warmup_lr": ("learning_rate", *STEPS, "warmup_epoch"),
}
GOOD = {
    "learning_rate": 0.1,
    "decay_rate": 0.9,
    "decay_steps": 4,
    "is_stair": False,
    "min_lr": 0.01,
    "max_lr": 0.1,
    "end_learning_rate": 0.01,
    "power": 0.5,
    "update_decay_steps": False,
    "update_decay_epoch": False,
    "warmup_steps": 4,
    "warmup_epoch": 2,
    "total_step": 6,
    "step_per_epoch": 2,
    "decay_epoch": 2,
    "milestone": [2, 5],
    "learning_rates": [0.1, 0.05],
}
BAD = {
    "negative": -1,
    "negative_float": -0.5,
    "0": 0,
    "0.0": 0.0,
    "1": 1,
    "2.5": 2.5,
    "str": "a",
    "bool": True,
    "None": None,
    "list": [1],
}


@case.table(
    {
        f"{name}-{argument}-{key}": (name, argument, key)
        for name, arguments in FORMS.items()
        for argument in arguments
        for key in BAD
    },
    message=True,
    tol=2e-6,
)
def argument(name, argument, key):
    given = {each: GOOD[each] for each in FORMS[name]} | {argument: BAD[key]}
    made = getattr(nn, name)(**given)
    return made if isinstance(made, list) else made(Tensor(3, ms.int32))


@case.table(
    {
        "cosine_the_wrong_way": (lambda: nn.CosineDecayLR(0.1, 0.01, 4),),
        "cosine_equal": (lambda: nn.CosineDecayLR(0.1, 0.1, 4),),
        "cosine_list_the_wrong_way": (lambda: nn.cosine_decay_lr(0.1, 0.01, 6, 2, 2),),
        "polynomial_equal": (lambda: nn.PolynomialDecayLR(0.1, 0.1, 4, 1.0),),
        "step_of_int": (lambda: nn.WarmUpLR(0.1, 4)(3),),
        "piecewise_not_rising": (lambda: nn.piecewise_constant_lr([5, 2], [0.1, 0.2]),),
        "piecewise_equal": (lambda: nn.piecewise_constant_lr([2, 2], [0.1, 0.2]),),
        "piecewise_lengths": (lambda: nn.piecewise_constant_lr([2, 5], [0.1]),),
        "piecewise_tuple": (lambda: nn.piecewise_constant_lr((2, 5), (0.1, 0.2)),),
        "piecewise_float": (lambda: nn.piecewise_constant_lr([2.0, 5], [0.1, 0.2]),),
        "piecewise_zero": (lambda: nn.piecewise_constant_lr([0, 5], [0.1, 0.2]),),
        "piecewise_int_rate": (lambda: nn.piecewise_constant_lr([2, 5], [1, 2]),),
        "piecewise_str_rate": (lambda: nn.piecewise_constant_lr([2, 5], ["a", 0.1]),),
        "piecewise_negative_rate": (lambda: nn.piecewise_constant_lr([2, 5], [-0.1, 0.1]),),
        "piecewise_bool": (lambda: nn.piecewise_constant_lr([True, 5], [0.1, 0.2]),),
    },
    message=True,
    tol=2e-6,
)
def edges(call):
    made = call()
    return made if isinstance(made, (list, Tensor)) else made(Tensor(3, ms.int32))


@case.table(
    {
        "piecewise": (lambda: nn.piecewise_constant_lr([2, 5, 10], [0.1, 0.05, 0.01]),),
        "cosine": (lambda: nn.cosine_decay_lr(0.01, 0.1, 9, 2, 3),),
        "exponential": (lambda: nn.exponential_decay_lr(0.1, 0.9, 9, 2, 1),),
        "exponential_stair": (lambda: nn.exponential_decay_lr(0.1, 0.9, 9, 2, 2, True),),
        "inverse": (lambda: nn.inverse_decay_lr(0.1, 0.5, 9, 2, 2),),
        "inverse_stair": (lambda: nn.inverse_decay_lr(0.1, 0.5, 9, 2, 2, True),),
        "natural": (lambda: nn.natural_exp_decay_lr(0.1, 0.9, 9, 2, 2),),
        "natural_stair": (lambda: nn.natural_exp_decay_lr(0.1, 0.9, 9, 2, 2, True),),
        "polynomial": (lambda: nn.polynomial_decay_lr(0.1, 0.01, 9, 2, 2, 0.5),),
        "polynomial_update": (lambda: nn.polynomial_decay_lr(0.1, 0.01, 9, 2, 2, 0.5, True),),
        "warmup": (lambda: nn.warmup_lr(0.1, 9, 2, 2),),
    },
    tol=1e-15,
)
def lists(call):
    return call(), type(call()[0]).__name__


@case
def a_module_of_each_kind():
    return (
        nn.dynamic_lr.warmup_lr(0.1, 3, 1, 2),
        isinstance(nn.WarmUpLR(0.1, 4), nn.learning_rate_schedule.LearningRateSchedule),
        isinstance(nn.WarmUpLR(0.1, 4), nn.Cell),
        np.float32(nn.learning_rate_schedule.WarmUpLR(0.1, 4)(Tensor(2, ms.int32)).asnumpy()),
    )
