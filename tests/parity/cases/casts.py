"""Dtypes of products with a Tensor of no dimension, and what casts to integers give."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops

from tests.parity.case import case


def made(values, dtype):
    return Tensor(np.array(values, np.float32)).astype(getattr(ms, dtype))


# The dtype without dimensions, and that of the other.
PAIRS = {
    "float64-float32": ("float64", "float32"),
    "float32-float16": ("float32", "float16"),
    "int64-int8": ("int64", "int8"),
    "float16-int32": ("float16", "int32"),
    "int8-bool": ("int8", "bool_"),
    "int32-float16": ("int32", "float16"),
}


@case.table(PAIRS)
def products(single, several):
    a, b = made(2, single), made([2, 1], several)
    return a * b, b * a, b / a, a / b, a + b, ops.mul(b, a), mint.div(b, a), ops.RealDiv()(b, a)


@case
def product_of_a_parameter():
    return made([2, 1], "float16") * Parameter(made(2, "float32"), name="scale")


@case
def products_of_one_element():
    single, one = made(2, "float64"), made([2], "float64")
    return single * made(2, "float32"), single * made([2], "float32"), one * made([2, 1], "float32")


@case
def product_that_does_not_fit():
    return made(70000, "float32") * made([1, 2], "float16"), made(300, "int64") * made([1], "int8")


@case
def gradient_of_a_product():
    inputs = made(2.3, "float64"), made([2, 1], "float32")
    return ms.value_and_grad(lambda a, b: a * b, (0, 1))(*inputs)


@case
def product_compiled():
    @ms.jit
    def scaled(a, b):
        return a * b, b / a

    return scaled(made(2, "float32"), made([2, 1], "float16"))


ODD = [300.0, -1.0, -2.5, np.nan, np.inf, -np.inf, 1e10, 255.9]


@case.table(
    {d: (getattr(np, d),) for d in ("float16", "float32", "float64")},
)
def to_integers(dtype):
    x = Tensor(np.array(ODD).clip(-6e4, 6e4).astype(dtype) if dtype is np.float16 else ODD, None)
    x = x if dtype is np.float16 else x.astype(ms.float64 if dtype is np.float64 else ms.float32)
    names = ("int8", "uint8", "int16", "uint16", "int32", "int64", "uint32")
    return [x.astype(getattr(ms, name)) for name in names]


@case
def written_into_integers():
    a, b = Tensor([1, 2, 3]), Tensor([1, 2], ms.uint8)
    a[0] = float("nan")
    b[0], b[1] = -1.5, Tensor(-2.0)
    return a, b


@case.table({name: (name,) for name in ("hardsigmoid", "acosh", "bessel_k0", "bessel_y1")})
def where_there_is_no_value(name):
    return getattr(ops, name)(made([-3.0, -0.5, np.nan, 2.0], "float32"))


@case
def gradient_where_there_is_no_value():
    return ms.grad(ops.acosh)(made([-3.0, -0.5, np.nan, 2.0], "float32"))


@case
def pooling_in_64_bits():
    x = Tensor(np.sin(np.arange(16.0)).reshape(1, 1, 4, 4))
    found = ops.max_pool2d(x, 2, return_indices=True)
    return found, nn.AdaptiveMaxPool2d(2)(x), ms.grad(nn.AdaptiveMaxPool2d(2))(x)


@case
def unique_in_64_bits():
    return ops.unique(Tensor(np.array([2.0, 1.0, 2.0])))


@case.table({"int": (1,), "zero": (0.0,)})
def rate_of_ftrl(rate):
    return nn.FTRL([Parameter(Tensor([1.0]), name="w")], learning_rate=rate)


@case
def size_and_recomputed_factor():
    return ops.interpolate(made([[[1, 2]]], "float32"), size=3, recompute_scale_factor=True)
