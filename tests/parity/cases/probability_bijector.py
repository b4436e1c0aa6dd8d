"""Bijectors of nn.probability, and distributions that they transform."""

import mindspore as ms
import mindspore.nn.probability.bijector as msb
import mindspore.nn.probability.distribution as msd
import numpy as np
from mindspore import Tensor

from tests.parity.case import case

# MindSpore's CPU kernels take exp and log from short polynomials: 5e-6 off at most.
APPROXIMATE = 5e-5
METHODS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


def x(dtype=np.float32):
    return Tensor(np.array([0.3, 0.7], dtype))


BIJECTORS = {
    "Exp": (lambda: msb.Exp(),),
    "GumbelCDF": (lambda: msb.GumbelCDF(0.1, 2.0),),
    "Invert": (lambda: msb.Invert(msb.Softplus(2.0)),),
    "PowerTransform": (lambda: msb.PowerTransform(0.5),),
    "PowerTransform_many": (lambda: msb.PowerTransform(Tensor([1.0, 2.0], ms.float32)),),
    "ScalarAffine": (lambda: msb.ScalarAffine(2.0, 1.0),),
    "ScalarAffine_many": (lambda: msb.ScalarAffine(x() + 2.0, x()),),
    "Softplus": (lambda: msb.Softplus(2.0),),
}


@case.table(BIJECTORS, tol=APPROXIMATE)
def values(make):
    bijector = make()
    facts = bijector.name, bijector.is_constant_jacobian, bijector.is_injective, bijector.dtype
    shapes = bijector.batch_shape, bijector.is_scalar_batch
    return [bijector(method, x()) for method in METHODS], facts, shapes


@case.table(BIJECTORS, tol=5e-3)
def half(make):
    bijector = make()
    return [getattr(bijector, method)(x(np.float16)) for method in METHODS]


@case.table({k: v for k, v in BIJECTORS.items() if k != "Exp"}, tol=APPROXIMATE)
def gradient(make):
    bijector = make()
    return [ms.grad(lambda v, m=method: bijector(m, v).sum())(x()) for method in METHODS]


@case.table({method: (method,) for method in METHODS}, tol=APPROXIMATE)
def gradient_of_exp(method):
    return ms.grad(lambda v: msb.Exp()(method, v).sum())(x())


def outcome(function, *args):
    try:
        return function(*args)
    except (NotImplementedError, ValueError) as error:
        return "not there" if isinstance(error, NotImplementedError) else "undefined"


@case.table(
    {"Exp": (lambda: msb.Exp(),), "ScalarAffine": (lambda: msb.ScalarAffine(2.0, 1.0),)},
    tol=APPROXIMATE,
)
def transformed(make):
    dist = make()(msd.Normal(0.0, 1.0))
    of_values = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")
    found = [dist(method, x()) for method in of_values]
    found += [outcome(dist, method) for method in ("mean", "mode", "sd", "var", "entropy")]
    facts = dist.is_linear_transformation, dist.batch_shape, dist.broadcast_shape, dist.dtype
    return found, facts, dist.name, dist.bijector.name, dist.distribution.name


@case(tol=APPROXIMATE)
def parameters_of_a_call():
    dist = msd.TransformedDistribution(msb.Exp(), msd.Normal())
    mean, sd = Tensor([0.0, 1.0], ms.float32), Tensor([1.0, 2.0], ms.float32)
    slope = ms.grad(lambda m, s: dist.log_prob(x(), m, s).sum(), (0, 1))(mean, sd)
    return dist.log_prob(x(), mean, sd), dist.sample((3,), mean, sd).shape, slope


WRONG = {
    "int_value": (lambda: msb.Exp()("forward", Tensor([1], ms.int32)),),
    "number": (lambda: msb.Exp().forward(1.0),),
    "Exp": (lambda: msb.Exp(3),),
    "GumbelCDF": (lambda: msb.GumbelCDF(0.0, 0.0),),
    "Invert": (lambda: msb.Invert(3),),
    "PowerTransform": (lambda: msb.PowerTransform(-1.0),),
    "PowerTransform_int": (lambda: msb.PowerTransform(2),),
    "ScalarAffine": (lambda: msb.ScalarAffine(True, 1.0),),
    "ScalarAffine_dtypes": (lambda: msb.ScalarAffine(x(np.float16), 1.0),),
    "Softplus": (lambda: msb.Softplus("a"),),
    "TransformedDistribution": (lambda: msd.TransformedDistribution(3, msd.Normal(0.0, 1.0)),),
    "of_integers": (lambda: msb.Exp()(msd.Bernoulli(0.4)),),
    "method": (lambda: msb.Exp()("backward", x()),),
}


@case.table(WRONG)
def wrong(call):
    return call()
