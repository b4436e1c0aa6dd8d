"""Optimizer steps as operators: what they leave in their Parameters, and what they give."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers

ADAM = (0.9, 0.999, 0.1, 0.9, 0.999, 1e-8)


def scalars(values):
    return tuple(Tensor(value, ms.float32) for value in values)


def state(kinds):
    """Parameters: ``v`` of any numbers, ``p`` of positive ones, ``h`` of large, ``o`` 0 and 1."""
    ranges = {"v": (-1, 1), "p": (0.1, 1), "h": (2, 3)}
    made = []
    for place, kind in enumerate(kinds):
        if kind == "o":
            value = Tensor([[0, 1], [1, 0]], ms.float32)
        else:
            low, high = ranges[kind]
            value = numbers(2, 2, low=low, high=high, seed=place)
        made.append(Parameter(value, name=f"p{place}"))
    return made


def gradient():
    return numbers(2, 2, seed=9)


def rows():
    return numbers(1, 2, seed=9), Tensor([1], ms.int32)


def twice():
    return numbers(3, 2, seed=9), Tensor([1, 0, 1], ms.int32)


# Operator, its Parameters, what follows them. Of these, 2.10's CPU kernels leave the results
# unwritten: only the Parameters are compared.
STATE_ONLY = {
    "Adam": (lambda: ops.Adam(), "vvp", lambda: (*scalars(ADAM), gradient())),
    "Adam_nesterov": (
        lambda: ops.Adam(use_nesterov=True),
        "vvp",
        lambda: (*scalars(ADAM), gradient()),
    ),
    "AdamWeightDecay": (
        lambda: ops.AdamWeightDecay(),
        "vvp",
        lambda: (*scalars((0.1, 0.9, 0.999, 1e-8, 0.01)), gradient()),
    ),
    "AdamWeightDecay_numbers": (
        lambda: ops.AdamWeightDecay(),
        "vvp",
        lambda: (0.1, 0.9, 0.999, 1e-8, 0.01, gradient()),
    ),
    "FusedCastAdamWeightDecay": (
        lambda: ops.FusedCastAdamWeightDecay(),
        "vvp",
        lambda: (
            *scalars((0.1, 0.9, 0.999, 1e-8, 0.01)),
            gradient().astype(ms.float16),
            Tensor(2.0, ms.float32),
        ),
    ),
    "ApplyCenteredRMSProp": (
        lambda: ops.ApplyCenteredRMSProp(),
        "vvhv",
        lambda: (gradient(), 0.1, 0.9, 0.5, 1e-6),
    ),
    "ApplyRMSProp": (
        lambda: ops.ApplyRMSProp(),
        "vpv",
        lambda: (Tensor(0.1, ms.float32), gradient(), 0.9, 0.5, 1e-6),
    ),
    "FusedSparseAdam": (
        lambda: ops.FusedSparseAdam(),
        "vvp",
        lambda: (*scalars(ADAM), *rows()),
    ),
    "FusedSparseAdam_twice": (
        lambda: ops.FusedSparseAdam(use_nesterov=True),
        "vvp",
        lambda: (*scalars(ADAM), *twice()),
    ),
    "FusedSparseLazyAdam": (
        lambda: ops.FusedSparseLazyAdam(),
        "vvp",
        lambda: (*scalars(ADAM), *rows()),
    ),
    "FusedSparseLazyAdam_twice": (
        lambda: ops.FusedSparseLazyAdam(use_nesterov=True),
        "vvp",
        lambda: (*scalars(ADAM), *twice()),
    ),
    "FusedSparseFtrl": (
        lambda: ops.FusedSparseFtrl(0.1, 0.01, 0.02, -0.5),
        "vpv",
        lambda: rows(),
    ),
    "FusedSparseFtrl_twice": (
        lambda: ops.FusedSparseFtrl(0.1, 0.01, 0.02, -0.7),
        "vpv",
        lambda: twice(),
    ),
    "FusedSparseProximalAdagrad": (
        lambda: ops.FusedSparseProximalAdagrad(),
        "vp",
        lambda: (*scalars((0.1, 0.01, 0.02)), *rows()),
    ),
    "FusedSparseProximalAdagrad_twice": (
        lambda: ops.FusedSparseProximalAdagrad(),
        "vp",
        lambda: (*scalars((0.1, 0.01, 0.02)), *twice()),
    ),
}

WHOLE = {
    "AdamNoUpdateParam": (
        lambda: ops.AdamNoUpdateParam(),
        "vp",
        lambda: (*scalars(ADAM), gradient()),
    ),
    "ApplyAdaMax": (
        lambda: ops.ApplyAdaMax(),
        "vvp",
        lambda: (0.9, 0.1, 0.9, 0.99, 1e-8, gradient()),
    ),
    "ApplyAdadelta": (
        lambda: ops.ApplyAdadelta(),
        "vpp",
        lambda: (0.1, 0.9, 1e-6, gradient()),
    ),
    "ApplyAdagrad": (lambda: ops.ApplyAdagrad(), "vp", lambda: (0.1, gradient())),
    "ApplyAdagrad_fixed": (lambda: ops.ApplyAdagrad(False), "vp", lambda: (0.1, gradient())),
    "ApplyAdagradV2": (lambda: ops.ApplyAdagradV2(1e-2), "vp", lambda: (0.1, gradient())),
    "ApplyAdagradV2_fixed": (
        lambda: ops.ApplyAdagradV2(1e-2, False),
        "vp",
        lambda: (0.1, gradient()),
    ),
    "ApplyAdagradDA": (
        lambda: ops.ApplyAdagradDA(),
        "vvp",
        lambda: (gradient(), 0.1, 0.01, 0.02, 2),
    ),
    "ApplyAdamWithAmsgrad": (
        lambda: ops.ApplyAdamWithAmsgrad(),
        "vvpp",
        lambda: (*scalars((0.9, 0.999, 0.1)), gradient()),
    ),
    "ApplyAdamWithAmsgradV2": (
        lambda: ops.ApplyAdamWithAmsgradV2(),
        "vvpp",
        lambda: (*scalars(ADAM), gradient()),
    ),
    "ApplyAddSign": (lambda: ops.ApplyAddSign(), "vv", lambda: (0.1, 1.0, 0.5, 0.9, gradient())),
    "ApplyPowerSign": (
        lambda: ops.ApplyPowerSign(),
        "vv",
        lambda: (0.1, 2.0, 0.5, 0.9, gradient()),
    ),
    "ApplyFtrl": (
        lambda: ops.ApplyFtrl(),
        "vpv",
        lambda: (gradient(), 0.1, 0.01, 0.02, -0.5),
    ),
    "ApplyGradientDescent": (lambda: ops.ApplyGradientDescent(), "v", lambda: (0.1, gradient())),
    "ApplyMomentum": (
        lambda: ops.ApplyMomentum(),
        "vv",
        lambda: (Tensor(0.1, ms.float32), gradient(), Tensor(0.9, ms.float32)),
    ),
    "ApplyMomentum_scaled": (
        lambda: ops.ApplyMomentum(False, False, 2.0),
        "vv",
        lambda: (0.1, gradient(), 0.9),
    ),
    "ApplyMomentum_nesterov": (
        lambda: ops.ApplyMomentum(True),
        "vv",
        lambda: (0.1, gradient(), 0.9),
    ),
    "ApplyProximalAdagrad": (
        lambda: ops.ApplyProximalAdagrad(),
        "vp",
        lambda: (0.1, 0.01, 0.02, gradient()),
    ),
    "ApplyProximalGradientDescent": (
        lambda: ops.ApplyProximalGradientDescent(),
        "v",
        lambda: (0.1, 0.01, 0.02, gradient()),
    ),
    "SparseApplyAdagrad": (lambda: ops.SparseApplyAdagrad(0.1), "vp", lambda: rows()),
    "SparseApplyAdagradV2": (
        lambda: ops.SparseApplyAdagradV2(0.1, 1e-2),
        "vp",
        lambda: rows(),
    ),
    "SparseApplyAdagradV2_fixed": (
        lambda: ops.SparseApplyAdagradV2(0.1, 1e-2, False, False),
        "vp",
        lambda: twice(),
    ),
    "SparseApplyRMSProp": (
        lambda: ops.SparseApplyRMSProp(0.9, 0.5, 1e-3),
        "vpv",
        lambda: (0.1, numbers(2, 2, seed=9), Tensor([1, 0], ms.int32)),
    ),
    "SparseApplyFtrl": (
        lambda: ops.SparseApplyFtrl(0.1, 0.01, 0.02, -0.5),
        "vpv",
        lambda: rows(),
    ),
}


@case.table(STATE_ONLY, tol=1e-5)
def state_after(make, kinds, rest):
    parameters = state(kinds)
    make()(*parameters, *rest())
    return [p.value() for p in parameters]


@case.table(WHOLE, tol=1e-5)
def whole(make, kinds, rest):
    parameters = state(kinds)
    results = make()(*parameters, *rest())
    return results, [p.value() for p in parameters]


@case.table(
    {
        "first": (0.3, 0.1, False, "o"),
        "later": (0.0, 0.1, False, "v"),
        "nesterov": (0.0, 0.1, True, "o"),
    },
    tol=1e-5,
)
def sgd(dampening, decay, nesterov, stat):
    params, accum, stat = state("vv" + stat)
    rate, momentum = scalars((0.1, 0.9))
    result = ops.SGD(dampening, decay, nesterov)(params, gradient(), rate, accum, momentum, stat)
    return result, params.value(), accum.value(), stat.value()


@case.table(
    {
        "shape": (lambda: ops.ApplyMomentum(), "vv", lambda: (0.1, numbers(3, 2), 0.9)),
        "adam_shape": (lambda: ops.Adam(), "vvp", lambda: (*scalars(ADAM), numbers(3, 2))),
        "a_list": (lambda: ops.ApplyAdagrad(), "vp", lambda: (0.1, [1.0])),
        "indices": (
            lambda: ops.FusedSparseLazyAdam(),
            "vvp",
            lambda: (*scalars(ADAM), numbers(1, 2), Tensor([1, 0], ms.int32)),
        ),
        "use_nesterov": (lambda: ops.Adam(False, 1), "v", lambda: ()),
    }
)
def refused(make, kinds, rest):
    return make()(*state(kinds), *rest())


FACTOR = ([1e-30, 1e-3], 1.0, 0.9, 0.8, 0.01, 0.1)


@case.table(
    {
        "plain": (False, False, False),
        "scaled": (True, False, False),
        "averaged": (False, True, False),
        "decayed": (True, True, True),
    },
    tol=1e-5,
)
def ada_factor(*options):
    param, average, square = state("vvp")
    row = Parameter(numbers(2, low=0.1, seed=4), name="row")
    column = Parameter(numbers(2, low=0.1, seed=5), name="column")
    kept = (param, average, row, column, square)
    ops.FusedAdaFactor(*options)(*scalars(FACTOR), gradient(), *kept)
    ops.FusedAdaFactorWithGlobalNorm(*options)(
        *scalars(FACTOR), gradient(), *kept, Tensor(2.0, ms.float32)
    )
    return [p.value() for p in kept]


@case
def ada_factor_of_one_dimension():
    names = ("param", "average", "row", "column", "square")
    kept = [Parameter(numbers(3, low=0.1, seed=i), name=n) for i, n in enumerate(names)]
    ops.FusedAdaFactor()(*scalars(FACTOR), numbers(3, seed=9), *kept)
    return [p.value() for p in kept]


@case
def trained_by_momentum():
    """A loop as model repositories write their own optimizers."""
    weight = Parameter(numbers(2, 3), name="weight")
    accum = Parameter(Tensor(np.zeros((2, 3)), ms.float32), name="accum")
    x = numbers(3, 4, seed=2)
    step = ops.ApplyMomentum()
    losses = []
    grad = ms.value_and_grad(lambda x: ops.matmul(weight, x).abs().sum(), None, [weight])
    for _ in range(3):
        loss, grads = grad(x)
        step(weight, accum, Tensor(0.05, ms.float32), grads[0], Tensor(0.9, ms.float32))
        losses.append(loss)
    return losses, weight.value(), accum.value()
