"""Operators beside dtypes that are not their usual ones, and integers divided by zero."""

import mindspore as ms
import numpy as np
from mindspore import ops

from tests.parity.case import case


def t(values, dtype=ms.float32):
    return ms.Tensor(values, dtype)


INTS = [3, -2, 1, 0]


@case.table(
    {
        "addcmul": (lambda d: ops.addcmul(t([1, 2], d), t([3, 1], d), t([1, 2], d), 0.5),),
        "addcmul_more": (lambda d: ops.addcmul(t([1, 2], d), t([3, 1], d), t([1, 2], d), 2.7),),
        "addr": (
            lambda d: ops.addr(
                t(np.ones((2, 3))), t([1, 2], d), t([3, 4, 5], d), beta=0.5, alpha=1.5
            ),
        ),
        "addr_ints": (
            lambda d: ops.addr(t(np.ones((2, 3)), d), t([1, 2]), t([3, 4, 5]), beta=0.5, alpha=1.5),
        ),
        "fmod": (lambda d: ops.fmod(t(INTS, d), t([0] * 4, d)),),
        "remainder": (lambda d: ops.remainder(t(INTS, d), t([0, 2, 0, 0], d)),),
        "nanmean": (lambda d: ops.nanmean(t([1.0, 2.0]), dtype=d),),
    }
)
def of_ints(compute):
    return compute(ms.int32), compute(ms.int64)


@case
def addcdiv_of_ints():
    three = (t(v, ms.int64) for v in ([1, 2, 3], [7, -7, 9], [2, 2, 5]))
    return ops.addcdiv(*three, 2.9)


@case
def determinants_of_float16():
    x = t(np.random.RandomState(0).randn(6, 6), ms.float16)
    return ops.det(x), *ops.slogdet(x)


@case.table({"mean": ((2, 3), ()), "both": ((2, 1), (3,)), "none": ((3,), (3,))})
def normal_beside(mean, deviation):
    ms.set_seed(3)
    return ops.normal((3,), t(np.zeros(mean)), t(np.ones(deviation)), seed=5)


@case.table({name: (name,) for name in ("hsplit", "dsplit")})
def too_few_dimensions(name):
    return getattr(ops, name)(t([1, 2, 3, 4]), 2)


@case
def windows_of_more_than_there_is():
    x = t(np.random.RandomState(0).randn(1, 2, 6, 5))
    return ops.adaptive_max_pool2d(x, (8, 3))
