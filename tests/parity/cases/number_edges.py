"""Dtypes of results where operands differ or are unusual, and gradients at infinity."""

# pyright: reportMissingImports=false

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops

from tests.parity.case import case

INF = float("inf")


def of(dtype, *values):
    return Tensor(np.array(values or (1, 2)), getattr(ms, dtype))


@case.table(
    {
        "int8_float16": ("int8", "float16"),
        "int32_float64": ("int32", "float64"),
        "uint16_int8": ("uint16", "int8"),
        "uint64_float32": ("uint64", "float32"),
        "float16_float32": ("float16", "float32"),
        "float32_float64": ("float32", "float64"),
        "float64_int32": ("float64", "int32"),
        "bfloat16_int32": ("bfloat16", "int32"),
        "bool_float32": ("bool_", "float32"),
    }
)
def copysign(first, second):
    return ops.copysign(of(first), of(second))


@case.table({dtype: (dtype,) for dtype in ("bool_", "uint8", "uint16", "uint32", "uint64")})
def totals(dtype):
    x = of(dtype, [1, 2], [0, 3])
    return [
        *(ops.sum(x), ops.sum(x, 0), x.sum(), mint.sum(x, 1), ops.prod(x), mint.prod(x, 1)),
        *(ops.sum(x, dtype=ms.uint16), mnp.sum(x), x.trace()),
        mnp.cumsum(x) if dtype in ("uint8", "uint16", "uint64") else None,
    ]


@case.table({dtype: (dtype,) for dtype in ("int8", "uint8", "int32")})
def spread_of_integers(dtype):
    x = of(dtype, 1, 2, 3, 9)
    return x.std(), x.var(), x.var(0, 1), mnp.std(x)


@case.table({"number": (2.5,), "tensor": (Tensor,)})
def filled_like(value):
    x = of("int8")
    return mnp.full_like(x, value(2.5) if callable(value) else value)


@case.table({"all": (None,), "rows": (1,)})
def some_of_uint8(axis):
    x = of("uint8", [0, 0], [3, 0])
    return ops.any(x, axis), mint.any(x) if axis is None else x.any(axis), ops.all(x, axis)


@case.table(
    {
        "float_int": ("float32", "int32"),
        "int_float": ("int32", "float32"),
        "wide": ("float64", "float32"),
    }
)
def inner_with_one_number(first, second):
    number, row = of(first, 2).reshape(()), of(second)
    return ops.inner(number, row), ops.inner(row, number)


@case.table(
    {
        "int8_int32": ("int8", "int32"),
        "uint8_int8": ("uint8", "int8"),
        "int32_float16": ("int32", "float16"),
        "float32_float64": ("float32", "float64"),
        "float32_int32": ("float32", "int32"),
    }
)
def diagonal_scatter(first, second):
    return ops.diagonal_scatter(of(first, [1, 2], [3, 4]), of(second, 5, 6))


@case.table(
    {
        "float32_float16": ("float32", "float16"),
        "float16_float32": ("float16", "float32"),
    }
)
def cross_entropies(first, second):
    x, y = of(first, [0.25, 0.5], [0.5, 0.75]), of(second, [0.25, 0.5], [0.5, 0.75])
    return [
        ops.binary_cross_entropy_with_logits(x, y),
        mint.nn.functional.binary_cross_entropy_with_logits(x, y, x),
        ops.nll_loss(x, Tensor([0, 1], ms.int32), y[0]),
    ]


@case.table({"int32": ("int32",), "float64": ("float64",)})
def cartesian_product_of_one(dtype):
    return ops.cartesian_prod(of(dtype))


@case
def vecdot_of_other_ranks():
    rows = of("float32", [1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    return [
        *(ops.vecdot(Tensor(2.0), rows), ops.vecdot(rows[0], rows), ops.vecdot(rows, Tensor(2.0))),
        ops.vecdot(rows, rows[0], axis=0),
    ]


@case.table(
    {
        "float64": ("float64", "float64"),
        "int64_float16": ("int64", "float16"),
        "float64_float16": ("float64", "float16"),
        "bfloat16_float32": ("bfloat16", "float32"),
        "uint8_int8": ("uint8", "int8"),
        "int64_bool": ("int64", "bool_"),
        "complex128_float16": ("complex128", "float16"),
        "complex64_float64": ("complex64", "float64"),
    }
)
def list_of_tensors(first, second):
    return mnp.negative([of(first), of(second)]), mnp.sum((of(first), of(second)))


@case
def array_of_float64():
    return mnp.array([of("float64")]), mnp.array([Tensor(1.5, ms.float64), 2])


@case
def complex_beside_float():
    x, y = of("float64", 1.0, 2.0), Tensor([1 + 1j, 2], ms.complex128)
    return mnp.polyadd(x, y), mnp.polysub(y, x)


@case.table(
    {
        "float32": (lambda x: np.float32(2) * x,),
        "float64": (lambda x: np.float64(2) - x,),
        "int64": (lambda x: np.int64(2) + x,),
        "array": (lambda x: np.ones(2, np.float32) / x,),
        "compared": (lambda x: np.float32(2) > x,),
    }
)
def bfloat16_beside_numpy(call):
    return call(of("bfloat16", 1.5, 2.0))


@case.table(
    {
        "second": (lambda: mint.max(of("int32"), 1.5),),
        "first": (lambda: mint.min(1, of("int32")),),
        "float16": (lambda: mint.min(1.5, of("float16")),),
        "bool": (lambda: mint.max(of("float32"), True),),
        "numpy": (lambda: mint.max(of("float32"), np.float32(1.5)),),
    }
)
def extreme_of_a_number(call):
    return call()


@case.table(
    {
        "start": (lambda: ops.zeta(of("float32", 2.0, 3.0), 1),),
        "order": (lambda: ops.zeta(2.5, of("float64", 2.0, 3.0)),),
        "int": (lambda: ops.zeta(of("int32", 2, 3), 1.5),),
        "two": (lambda: ops.zeta(1, 2),),
    }
)
def zeta_of_a_number(call):
    return call()


@case.table(
    {
        "int8_int64": ("int8", "int64"),
        "uint8_int16": ("uint8", "int16"),
        "int32_uint16": ("int32", "uint16"),
    }
)
def shifted(first, second):
    return of(first, 4, -8 if first[0] == "i" else 8).bitwise_right_shift(of(second, 1, 2))


@case
def concatenated_unsigned():
    return ops.cat([of("uint64"), of("float32")])


@case.table({"one": (1,), "two": (2,), "half": (0.5,), "none": (0,), "inf": (INF,)})
def norm_of_nothing(order):
    x = Tensor(np.zeros((0, 3)), ms.float32)
    return ops.vector_norm(x, order, 1), ops.norm(x, order, 1), ops.vector_norm(x, order)


@case
def next_after_infinity():
    return ops.nextafter(of("float32", INF, -INF, 1.0), of("float32", 1.0, 1.0, INF))


FIRST = (0.0, INF, -INF, INF, -INF, 3e38, 1.0, 2.0)
SECOND = (INF, 0.0, -INF, INF, 2.0, 3e38, 1.0, -INF)


@case.table(
    {
        "logaddexp": (lambda x, y: ops.logaddexp(x, y),),
        "logaddexp2": (lambda x, y: ops.logaddexp2(x, y),),
        "smooth_l1_loss": (lambda x, y: ops.smooth_l1_loss(x, y),),
        "smooth_l1_loss_half": (lambda x, y: ops.smooth_l1_loss(x, y, 0.5),),
    }
)
def gradient_at_infinity(call):
    x, y = of("float32", *FIRST), of("float32", *SECOND)
    return ms.grad(call, (0, 1))(x, y)


@case.table({"float32": ("float32",), "float16": ("float16",)})
def gradient_of_hardswish(dtype):
    x = of(dtype, INF, -INF, 3.0, -3.0, 2.5, -2.5, 3.5, 0.0)
    return ops.hardswish(x), ms.grad(ops.hardswish)(x)


WHOLE = {dtype: (dtype,) for dtype in ("int8", "int32", "int64", "uint8")}


@case.table(WHOLE)
def rests_of_division_by_zero(dtype):
    x, y = of(dtype, 0, 1, 7, 100, 3), of(dtype, 0, 0, 0, 0, 2)
    return [
        *(ops.fmod(x, y), mint.fmod(x, y), mint.remainder(x, y), ops.remainder(x, y)),
        *(x % y, ops.floor_mod(x, y), ops.Mod()(x, y)),
        ops.truncate_mod(x, y) if dtype in ("int32", "uint8") else None,
        *(ops.div(x, y, rounding_mode="trunc"), mint.div(x, y, rounding_mode="trunc")),
    ]


@case
def rests_of_bools():
    x, y = of("bool_", True, True, False, False), of("bool_", True, False, True, False)
    return ops.fmod(x, y), mint.remainder(x, y), ops.div(x, y, rounding_mode="trunc")


@case.table({"float16": ("float16",), "float32": ("float32",)})
def rests_of_zero(dtype):
    x, y = of(dtype, 0.0, 1.0, 5.0), of(dtype, 0.0, 0.0, 3.0)
    return (
        ops.Mod()(x, y),
        ops.truncate_mod(x, y),
        ms.grad(lambda x, y: ops.Mod()(x, y), (0, 1))(x[2:], y[2:]),
    )


@case.table({"half": (0.5,), "above_one": (2.7,), "tensor": (lambda: Tensor(2.7),)})
def factor_of_integers(value):
    x = of("int32", 1, -2, 3)
    value = value() if callable(value) else value
    return ops.addcmul(x, x, x, value), x.addcmul(x, x, value=value)


@case.table({"default": (0.2,), "above_one": (1.7,)})
def slope_of_integers(alpha):
    return ops.leaky_relu(of("int32", 3, -3, 20, -20), alpha)


@case
def threshold_of_uint8():
    return ops.threshold(of("uint8", 0, 1, 5), 1, -1)


@case.table({"0": (0,), "1": (1,), "-1": (-1,), "2": (2,), "inf": (INF,), "-inf": (-INF,)})
def norm_of_integers(order):
    x = of("int32", [1, -2, 3], [0, 5, 0])
    return ops.norm(x, order), x.norm(order)


@case.table({"0": (0,), "inf": (INF,)})
def norm_of_integers_along(order):
    x = of("int16", [1, -2, 3], [0, 5, 0])
    return ops.norm(x, order, 1), ops.norm(x, order, 0, True)


@case.table({"plain": (), "inverse": (True,), "counts": (False, True), "axis": (True, True, 0)})
def runs_from_the_primitive(*given):
    return ops.UniqueConsecutive(*given)(of("float32", 1, 1, 2, 3, 3))


@case
def logarithm_of_a_softmax_of_a_number():
    return ops.log_softmax(Tensor(0.7), 0), ops.LogSoftmax(0)(Tensor(0.7))


@case
def sizes_of_determinants_in_float16():
    return ops.slogdet(of("float16", [1.0, 2.0], [3.0, 5.0]))


@case.table({"training": (True,), "fixed": (False,)})
def normalized_float16(training):
    x = of("float16", [[1.0, 2.0], [3.0, 5.0]])
    vectors = [of("float16", *v) for v in ((1.0, 2.0), (0.0, 1.0), (0.0, 0.0), (1.0, 1.0))]
    vectors[2:] = [ms.Parameter(v, name=str(i)) for i, v in enumerate(vectors[2:])]
    return [v.dtype for v in ops.BatchNorm(training)(x, *vectors)]


@case.table({"merged": (True,), "each_once": (False,)}, tol=4e-2)
def alignment_in_float16(merged):
    x = Tensor(np.cos(np.arange(20)).reshape(5, 1, 4), ms.float16)
    labels = Tensor([[0, 0], [0, 1]]), Tensor([1, 2], ms.int32), Tensor([5], ms.int32)
    return ops.CTCLoss(ctc_merge_repeated=merged)(x, *labels)


@case
def alignment_of_labels_in_float16():
    x, counts = Tensor(np.zeros((5, 1, 4)), ms.float16), Tensor([2], ms.int32)
    return ops.ctc_loss(x, Tensor([[1, 2]], ms.int32), Tensor([5], ms.int32), counts)


@case.table(
    {f"{p}_{epsilon}": (p, epsilon) for p in (0, 1, 2, 3) for epsilon in (1e-12, 1e-3, 0.5)},
    tol=1e-5,
)
def least_norm(p, epsilon):
    x = of("float32", [0, 0, 0], [1e-3, 0, 0], [1, 2, 3], [1e-7, 1e-7, 0])
    norm = ops.LpNorm([1], p, False, epsilon)
    return norm(x), ms.grad(lambda x: norm(x).sum())(x)


@case.table({dtype: (dtype,) for dtype in ("bool_", "uint8", "int32", "float32")})
def product_over_a_tuple(dtype):
    x = of(dtype, [1, 2, 3], [1, 1, 4])
    return ops.prod(x, (0, 1)), ops.prod(x, (1,), True), ops.prod(x, (0,), dtype=ms.int64)


@case
def bools_scattered():
    updates = Tensor([True, True, False])
    x, places = of("bool_", [False, False, True]), Tensor([[0, 0, 2]])
    return [
        ops.scatter_nd(Tensor([[0], [0], [2]]), updates, (3,)),
        ops.tensor_scatter_elements(x, places, updates.reshape(1, 3), 1, "add"),
    ]


@case
def bools_added():
    x = Tensor([True, False])
    return ops.tensor_scatter_add(x, Tensor([[0]]), x[:1])


@case.table({dtype: (dtype,) for dtype in ("int16", "int32", "int64", "uint8", "bool_")})
def labels_resized(dtype):
    x = Tensor(np.arange(12).reshape(1, 1, 3, 4), getattr(ms, dtype))
    return ops.ResizeNearestNeighbor((2, 5))(x)


@case
def labels_interpolated():
    return ops.interpolate(Tensor(np.arange(12).reshape(1, 1, 3, 4)), size=(2, 5), mode="nearest")


# What 2.10's CPU kernels lose, get wrong or leave to chance: msgrad differs on purpose.
NAN = float("nan")


@case.table(
    {
        "relu": (lambda x: ops.relu(x),),
        "relu6": (lambda x: ops.relu6(x),),
        "hardshrink": (lambda x: ops.hardshrink(x),),
        "softplus": (lambda x: ops.softplus(x),),
        "maximum": (lambda x: ops.maximum(x, Tensor(0.0)),),
        "minimum": (lambda x: ops.minimum(x, Tensor(0.0)),),
        "amax": (lambda x: ops.amax(x),),
        "amin": (lambda x: ops.amin(x),),
        "max": (lambda x: x.max(),),
        "clamp": (lambda x: ops.clamp(x, NAN, 2.0),),
        "max_pool2d": (lambda x: nn.MaxPool2d(2)(x.reshape(1, 1, 2, 2)),),
        "heaviside": (lambda x: ops.heaviside(x, Tensor([1.0, 1.0, 1.0, 1.0])),),
        "topk": (lambda x: ops.topk(x, 1)[0],),
        "sort": (lambda x: ops.sort(x)[0],),
    }
)
def nan_is_kept(call):
    return call(of("float32", 1.0, NAN, -2.0, 0.5))


@case.table(
    {
        "divided": (lambda x, y: x / y,),
        "floored": (lambda x, y: x // y,),
        "div": (lambda x, y: ops.div(x, y),),
        "copysign": (lambda x, y: ops.copysign(x, y),),
        "signbit": (lambda x, y: ops.signbit(y),),
    }
)
def zeros_with_a_sign(call):
    return call(of("float32", 1.0, -1.0), of("float32", -0.0, -0.0))


@case.table(
    {
        "power": (lambda x: x**5,),
        "inverse": (lambda x: ops.pow(x - 200, -1),),
        "mean": (lambda x: x.mean(),),
        "norm": (lambda x: ops.norm(x),),
        "mse_loss": (lambda x: ops.mse_loss(x, x * 0),),
    }
)
def integers_that_overflow(call):
    return call(of("uint8", 200, 100, 250))


@case.table({"sum": (lambda x: ops.sum(x),), "power": (lambda x: ops.pow(x, 2),)})
def integers_beyond_float64(call):
    return call(Tensor(np.array([2**53 + 1, 2]), ms.int64))


@case.table({"int32": ("int32",), "float32": ("float32",)})
def any_along(dtype):
    return ops.any(of(dtype, [0, 0, 0], [1, 0, 0], [0, 0, 2], [0, 3, 0]), 1)


@case.table({"values": (False,), "gradient": (True,)})
def taken_backwards(gradient):
    x = of("float32", 1.0, 2.0, 3.0)

    def call(x):
        return x[::-1] * Tensor([1.0, 2.0, 3.0])

    return ms.grad(call)(x) if gradient else call(x)


@case.table({dtype: (dtype,) for dtype in ("int8", "uint8", "int32", "int64", "uint32", "uint64")})
def floats_made_integers(dtype):
    x, kind = of("float32", -1.7, 300.0, 3e9, -3e9, 1e20, NAN), getattr(ms, dtype)
    changed = Tensor(x)
    changed.set_dtype(kind)
    held = Parameter(Tensor(np.zeros(6), kind), name="held")
    held.set_data(x)
    return [
        *(Tensor(x, kind), x.astype(kind), changed, x, held.value()),
        *(mnp.array(x, kind), Tensor(np.zeros(2), kind).masked_fill(Tensor([True, False]), -1.7)),
        ops.arange(-2.5, 3, dtype=kind),
    ]


@case
def complex_made_integers():
    x = Tensor(np.array([-1.7 + 2j, 300, 3e9]), ms.complex64)
    return x.astype(ms.uint8), x.astype(ms.int32), x.astype(ms.bool_), ops.arange(3, dtype=ms.bool_)


@case.table(
    {
        "float_of_int": ("int32", 1.5),
        "int_of_int": ("int32", 1),
        "bool_of_float": ("float32", True),
        "float_of_bool": ("bool_", 1.5),
    }
)
def number_as_data(dtype, value):
    held = Parameter(Tensor(np.zeros(2), getattr(ms, dtype)), name="held")
    held.set_data(value)
    return held.value()


@case
def dtype_set_beside_what_is_shared():
    x = of("float32", [1.5, 2.5], [3.5, -1.0])
    y, z = Tensor(x), Tensor(x)
    y.set_dtype(ms.int32)
    y[0] = 9
    x.set_dtype(ms.float16)
    z[0] = 5
    return x, y, z


@case.table({"float16": ("float16",), "float32": ("float32",)})
def sums_cast_in_the_end(dtype):
    x = of(dtype, -1.7, 100.6, 100.9)
    return [
        *(x.cumsum(0, ms.int32), ops.cumsum(x, 0, ms.int32), mnp.cumsum(x, 0, ms.int32)),
        *(x.cumsum(0, ms.bool_), ops.nansum(x, 0, dtype=ms.int32), x.sum(0, dtype=ms.int32)),
    ]


@case
def sums_of_float16():
    x = Tensor(np.arange(6000).reshape(60, 100) % 7 / 7, ms.float16)
    return [
        *(x.sum(), ops.sum(x), ops.ReduceSum()(x), x.sum(0), ops.nansum(x), ops.nanmean(x)),
        *(x.mean(), ms.grad(lambda v: (v * v).sum())(x)[0, :8], ops.trace(x)),
    ]


@case
def products_and_angles_of_float16():
    x, factors = Tensor(np.arange(6000) % 7 / 7, ms.float16), Tensor([1.001] * 1000, ms.float16)
    rows = x.reshape(1, -1), x.reshape(1, -1) + 1
    return [
        *(ops.prod(factors), ops.ReduceProd()(factors), ops.cosine_similarity(*rows)),
        ops.cosine_similarity(rows[0] * 0, rows[1]),
    ]


PARTS_OF_MULTIPLES = {
    "floor_divide": ops.floor_divide,
    "remainder": ops.remainder,
    "fmod": ops.fmod,
    "Mod": lambda x, y: ops.Mod()(x, y),
    "truncate_div": lambda x, y: ops.TruncateDiv()(x, y),
    "floor_of_quotient": lambda x, y: ops.floor(x / y),
    "there_and_back": lambda x, y: x / y * y == x,
    "numpy_remainder": lambda x, y: mnp.remainder(x, y) if x.dtype == ms.float32 else y,
}


@case.table({name: (part,) for name, part in PARTS_OF_MULTIPLES.items()})
def multiples_of_one_number(part):
    """Divided by what is broadcast, each quotient is rounded once."""
    multiples = np.array([-6, 1, 2, 5, 10, 11, 30])[:, None] * np.array([7, 49, 107, 0.1, 1e-3])
    return [
        part(Tensor(multiples[:, i], dtype), Tensor(multiples[1, i], dtype))
        for dtype in (ms.float16, ms.float32, ms.float64)
        for i in range(5)
    ] + [part(Tensor(multiples, ms.float32), Tensor(multiples[1], ms.float32))]


@case
def divided_by_nothing_and_by_infinity():
    x, y = Tensor([0.0, 1.0, -2.5, INF, 3.0]), Tensor([0.0, 1.0, INF, 2.0, -INF])
    return [part(x, y) for part in (ops.fmod, mint.fmod, ops.Mod(), ops.TruncateMod())]


MEANS = {
    "mean": lambda x: ops.mean(x),
    "mean_of_rows": lambda x: mint.mean(x.reshape(1, -1), 1, True),
    "avg_pool1d": lambda x: ops.avg_pool1d(x.reshape(1, 1, -1), x.size),
    "adaptive_avg_pool2d": lambda x: ops.adaptive_avg_pool2d(x.reshape(1, 1, -1), 1),
    "l1_loss": lambda x: ops.l1_loss(x, x * 0),
}


@case.table({name: (mean,) for name, mean in MEANS.items()})
def means_of_one_number(mean):
    return [mean(Tensor(np.full(n, 3), ms.float32)) == 3 for n in (41, 47, 61, 82)]


@case
def spread_of_one_number():
    columns = Tensor(np.full((41, 2), (3, 255)), ms.float32)
    return [
        *(columns.std(0), ops.var(columns, 0), ops.var(columns, 0, 1), columns.std()[None][:0]),
        (columns - columns.mean(0)) / (columns.std(0) + 1e-8),
    ]


@case.table({str(bins): (bins,) for bins in (3, 49, 100)})
def intervals(bins):
    return ops.histc(Tensor(np.arange(-30, 100) * 0.1, ms.float32), bins, 0.0, bins / 10)
