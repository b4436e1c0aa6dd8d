"""Gradients of operators where a choice was made: ties, edges, kinks, undefined points."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

INF = float("inf")
KINKS = {
    "relu": (lambda: ops.relu, [-1.0, 0.0, 1.0]),
    "relu6": (lambda: ops.relu6, [-1.0, 0.0, 3.0, 6.0, 7.0]),
    "leaky_relu": (lambda: ops.leaky_relu, [-1.0, 0.0, 1.0]),
    "leaky_relu_cell": (lambda: nn.LeakyReLU(0.1), [-1.0, 0.0, 1.0]),
    "elu": (lambda: ops.elu, [-1.0, 0.0, 1.0]),
    "selu": (lambda: ops.selu, [-1.0, 0.0, 1.0]),
    "celu": (lambda: ops.celu, [-1.0, 0.0, 1.0]),
    "hardtanh": (lambda: ops.hardtanh, [-2.0, -1.0, 0.0, 1.0, 2.0]),
    "hardsigmoid": (lambda: ops.hardsigmoid, [-4.0, -3.0, 0.0, 3.0, 4.0]),
    "hardswish": (lambda: ops.hardswish, [-4.0, -3.0, 0.0, 3.0, 4.0]),
    "softshrink": (lambda: ops.softshrink, [-1.0, -0.5, 0.0, 0.5, 1.0]),
    "hardshrink": (lambda: ops.hardshrink, [-1.0, -0.5, 0.0, 0.5, 1.0]),
    "abs": (lambda: ops.abs, [-2.0, 0.0, 2.0]),
    "sign": (lambda: ops.sign, [-2.0, 0.0, 2.0]),
    "sqrt": (lambda: ops.sqrt, [0.0, 4.0]),
    "rsqrt": (lambda: ops.rsqrt, [0.0, 4.0]),
    "log": (lambda: ops.log, [0.0, 2.0]),
    "log1p": (lambda: ops.log1p, [-1.0, 1.0]),
    "reciprocal": (lambda: ops.reciprocal, [0.0, 2.0]),
    "square": (lambda: ops.square, [0.0, INF]),
    "exp": (lambda: ops.exp, [0.0, 100.0, -200.0]),
    "tanh": (lambda: ops.tanh, [0.0, 50.0]),
    "sigmoid": (lambda: ops.sigmoid, [-100.0, 0.0, 100.0]),
    "softplus": (lambda: ops.softplus, [-100.0, 0.0, 100.0]),
    "log_sigmoid": (lambda: ops.logsigmoid, [-100.0, 0.0, 100.0]),
    "gelu": (lambda: ops.gelu, [-1.0, 0.0, 1.0]),
    "silu": (lambda: ops.silu, [-1.0, 0.0, 1.0]),
    "mish": (lambda: ops.mish, [-1.0, 0.0, 1.0]),
    "asin": (lambda: ops.asin, [-1.0, 0.0, 0.5]),
    "acos": (lambda: ops.acos, [0.0, 1.0]),
    "atanh": (lambda: ops.atanh, [0.0, 1.0]),
    "tan": (lambda: ops.tan, [0.0, 1.0]),
    "erf": (lambda: ops.erf, [0.0, 1.0]),
    "floor": (lambda: ops.floor, [0.0, 1.5]),
    "ceil": (lambda: ops.ceil, [0.0, 1.5]),
    "round": (lambda: ops.round, [0.5, 1.5]),
    "trunc": (lambda: ops.trunc, [0.5, 1.5]),
    "norm": (lambda: ops.norm, [0.0, 0.0]),
    "norm_away_from_zero": (lambda: ops.norm, [3.0, 4.0]),
    "norm_one": (lambda: lambda x: ops.norm(x, 1), [0.0, -4.0]),
    "max": (lambda: ops.max, [1.0, 3.0, 3.0]),
    "tensor_max": (lambda: lambda x: x.max(), [1.0, 3.0, 3.0]),
    "tensor_min": (lambda: lambda x: x.min(), [1.0, 1.0, 3.0]),
    "amax": (lambda: ops.amax, [1.0, 3.0, 3.0]),
    "amin": (lambda: ops.amin, [1.0, 1.0, 3.0]),
    "ReduceMax": (lambda: ops.ReduceMax(), [1.0, 3.0, 3.0]),
    "prod": (lambda: ops.prod, [2.0, 0.0, 3.0]),
    "prod_two_zeros": (lambda: ops.prod, [0.0, 0.0, 3.0]),
    "std": (lambda: lambda x: x.std(), [1.0, 1.0, 1.0]),
    "var": (lambda: lambda x: x.var(), [1.0, 2.0, 4.0]),
    "logsumexp": (lambda: lambda x: ops.logsumexp(x, 0), [1000.0, 1000.0]),
    "softmax": (lambda: lambda x: ops.softmax(x, 0) * Tensor([1.0, 2.0, 3.0]), [1.0, 2.0, 2.0]),
    "log_softmax": (lambda: lambda x: ops.log_softmax(x, 0)[0], [1.0, 2.0, 2.0]),
    "cumprod": (lambda: lambda x: ops.cumprod(x, 0), [2.0, 0.0, 3.0]),
    "median": (lambda: lambda x: x.median(0)[0], [1.0, 2.0, 2.0]),
    "clip_edges": (lambda: lambda x: ops.clip_by_value(x, 0.0, 1.0), [-1.0, 0.0, 0.5, 1.0, 2.0]),
    "clamp_edges": (lambda: lambda x: ops.clamp(x, 0.0, 1.0), [-1.0, 0.0, 0.5, 1.0, 2.0]),
    "power_two": (lambda: lambda x: x**2, [0.0, -2.0]),
    "power_half": (lambda: lambda x: x**0.5, [0.0, 4.0]),
    "power_zero": (lambda: lambda x: x**0, [0.0, 4.0]),
    "power_one": (lambda: lambda x: x**1, [0.0, 4.0]),
    "power_of_two": (lambda: lambda x: 2**x, [0.0, 3.0]),
    "floor_divide": (lambda: lambda x: x // 2, [1.0, 5.0]),
    "remainder": (lambda: lambda x: x % 2, [1.5, -5.0]),
    "nan_to_num": (lambda: ops.nan_to_num, [float("nan"), 1.0]),
    "where_guard": (
        lambda: lambda x: ops.where(x > 0, ops.sqrt(x), ops.zeros_like(x)),
        [0.0, 4.0],
    ),
}


# MindSpore's CPU kernels approximate exp and erf to about 2e-6; mish at -2 cancels to a fifth.
@case.table(KINKS, tol=1.5e-5)
def one_input(make, values):
    fn = make()
    return ms.grad(lambda x: fn(x))(Tensor(np.array(values, np.float32)))


PAIRS = {
    "maximum": (lambda: ops.maximum, [1.0, 2.0, 3.0], [2.0, 2.0, 2.0]),
    "minimum": (lambda: ops.minimum, [1.0, 2.0, 3.0], [2.0, 2.0, 2.0]),
    "pow": (lambda: ops.pow, [0.0, 2.0, 0.0], [2.0, 3.0, 0.0]),
    "pow_negative_base": (lambda: ops.pow, [-2.0], [2.0]),
    "div": (lambda: ops.div, [1.0, 0.0], [0.0, 2.0]),
    "atan2": (lambda: ops.atan2, [0.0, 1.0], [1.0, 2.0]),
    "hypot": (lambda: ops.hypot, [3.0], [4.0]),
    "xlogy": (lambda: ops.xlogy, [0.0, 2.0], [1.0, 3.0]),
    "floor_mod": (lambda: ops.floor_mod, [5.0, -5.0], [3.0, 3.0]),
    "fmod": (lambda: ops.fmod, [5.0, -5.0], [3.0, 3.0]),
    "lerp": (lambda: lambda x, y: ops.lerp(x, y, 0.25), [1.0], [5.0]),
    "dot": (lambda: lambda x, y: (x * y).sum(), [1.0, 2.0], [3.0, 4.0]),
    "matmul": (lambda: lambda x, y: ops.matmul(x, y), [1.0, 2.0], [3.0, 4.0]),
    "cdist_zero": (lambda: lambda x, y: ops.norm(x - y), [1.0, 2.0], [1.0, 2.0]),
    "addcmul": (lambda: lambda x, y: ops.addcmul(x, x, y, 0.5), [1.0, 2.0], [3.0, 4.0]),
    "huber_edge": (lambda: lambda x, y: ops.huber_loss(x, y), [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]),
    "smooth_l1_edge": (lambda: ops.smooth_l1_loss, [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]),
    "l1_at_zero": (lambda: ops.l1_loss, [0.0, 1.0], [0.0, 0.0]),
    "mse": (lambda: ops.mse_loss, [0.0, 1.0], [2.0, 0.0]),
    "mul_no_nan": (lambda: ops.MulNoNan(), [1.0, 2.0, -3.0, 0.0], [0.0, 2.0, 0.0, 0.0]),
}


@case.table(PAIRS)
def two_inputs(make, left, right):
    fn = make()
    a, b = (Tensor(np.array(values, np.float32)) for values in (left, right))
    return ms.grad(lambda x, y: fn(x, y), (0, 1))(a, b)


# The two parts of this gradient cancel but for a fortieth: 40 times the tolerance of float32.
@case(tol=4e-5)
def clip_by_norm():
    return ms.grad(lambda x: ops.clip_by_norm(x, 1.0))(Tensor([3.0, 4.0], ms.float32))


@case.table({"1": (1,), "0": (0,), "None": (None,)})
def max_ties_along_an_axis(axis):
    a = Tensor([[1.0, 1.0], [1.0, 0.0]], ms.float32)
    return ms.grad(lambda x: x.max(axis=axis))(a), ms.grad(lambda x: x.min(axis=axis))(a)


@case.table({"valid": (2, 2, "valid"), "same": (3, 1, "same")})
def max_pool_ties(kernel, stride, pad_mode):
    pool = nn.MaxPool2d(kernel, stride, pad_mode)
    return ms.grad(pool)(Tensor(np.ones((1, 1, 4, 4), np.float32)))


@case
def repeated_use_adds_up():
    return ms.grad(lambda x: x + x * x + ops.sin(x) * 0)(Tensor([3.0], ms.float32))


@case
def chain_of_many():
    def fn(x):
        for _ in range(50):
            x = x * 1.01
        return x

    return ms.grad(fn)(Tensor([1.0], ms.float32))


@case(tol=1e-3)
def sums_of_many_in_half_precision():
    x = Tensor(np.ones((8, 2, 64, 64), np.float16))
    w = Tensor(np.array([1, 0.5], np.float16))
    each = w.reshape(2, 1, 1)
    fns = (
        lambda w: x * w.reshape(2, 1, 1),
        lambda w: w.reshape(2, 1, 1) / x,
        lambda w: ops.bias_add(x, w),
        lambda w: ops.prelu(-x, w),
        lambda w: ops.where(x > 2, x, w.reshape(2, 1, 1)),
        lambda w: ops.maximum(x * 0, w.reshape(2, 1, 1)),
        lambda w: ops.broadcast_to(w.reshape(2, 1, 1), x.shape) * each,
        lambda w: ops.dense(x.reshape(-1, 2), Tensor(np.eye(2, dtype=np.float16)), w),
        lambda w: ops.gather_elements(w, 0, ops.zeros(8192, ms.int64)),
        lambda w: ops.gather_nd(w, ops.zeros((8192, 1), ms.int64)),
    )
    return [ms.grad(fn)(w) for fn in fns], ms.grad(lambda w: x / 4 * w)(w[1])
