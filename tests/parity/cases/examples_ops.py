"""Forms of operators that programs use now and then: arguments, orders, names of arguments."""

import mindspore as ms
import numpy as np
from mindspore import COOTensor, Parameter, Tensor, mint, nn, ops
from mindspore import numpy as mnp
from mindspore.mint.nn import functional as F

from tests.parity.case import case

NAN = float("nan")


def grid():
    return Tensor([[2, -3, 1], [4, 6, 5]], ms.int64)


def reals(*rows):
    return Tensor(list(rows), ms.float32)


def mask(*rows):
    return Tensor(np.array(rows, bool))


def sparse(places, values):
    return COOTensor(Tensor(places, ms.int64), Tensor(values, ms.int32), (3, 4))


def joined(parts, axis):
    out = ops.coo_concat(parts, axis)
    return out.indices, out.values, out.shape


def left():
    return sparse([[0, 3], [2, 1]], [8, 9])


def right():
    return sparse([[2, 3], [0, 0], [1, 2]], [5, 6, 7])


BOUNDED = {
    "min_initial": lambda: ops.min(grid(), 1, initial=0),
    "max_initial": lambda: ops.max(grid(), 0, initial=3),
    "min_initial_below_all": lambda: ops.min(grid(), 1, True, initial=-9),
    "min_initial_of_all": lambda: ops.min(grid(), initial=-9),
    "max_where": lambda: ops.max(grid(), 1, initial=5, where=mask([1, 0, 1], [0, 0, 1])),
    "min_where": lambda: ops.min(grid(), 1, initial=3, where=mask([0], [1])),
    "max_where_of_all": lambda: ops.max(grid(), initial=9, where=mask([1, 0, 1], [0, 0, 1])),
    "min_where_alone": lambda: ops.min(grid(), 1, where=mask([1, 0, 1], [0, 0, 1])),
    "max_where_alone_of_all": lambda: ops.max(grid(), where=mask([1, 0, 1], [0, 0, 1])),
    "method_initial": lambda: grid().max(1, initial=3),
    "method_initial_of_all": lambda: grid().max(initial=9),
    "method_where": lambda: grid().min(0, initial=4, where=mask([1, 0, 1], [0, 1, 1])),
    "aminmax_nan": lambda: ops.aminmax(reals(3.0, NAN, 7.0), axis=0),
    "aminmax_nan_rows": lambda: ops.aminmax(reals([3, NAN], [7, 1]), axis=1),
    "aminmax_nan_first": lambda: ops.aminmax(reals(NAN, 3.0, 7.0), axis=0),
    "aminmax_only_nan": lambda: ops.aminmax(reals(NAN, NAN), axis=0),
    "aminmax_all": lambda: grid().aminmax(axis=None),
    "aminmax_all_kept": lambda: ops.aminmax(reals([3, 2], [7, 1]), axis=None, keepdims=True),
    "aminmax_gradient": lambda: ms.grad(lambda x: ops.aminmax(x, axis=None)[1])(reals(7.0, 1, 7)),
    "argmax_with_value": lambda: grid().argmax_with_value(),
    "argmin_with_value": lambda: grid().argmin_with_value(1, keep_dims=True),
    "argmin_with_value_of_all": lambda: grid().argmin_with_value(None, True),
}


@case.table({name: (call,) for name, call in BOUNDED.items()})
def bounded(call):
    return call()


def written_by_update():
    param = Parameter(reals([0, 0], [0, 0]), name="w")
    out = nn.ParameterUpdate(param)(reals([4, 3], [2, 1]))
    return type(out) is Tensor, out, param.asnumpy()


OTHERS = {
    "coo_concat_columns": lambda: joined((left(), right()), 1),
    "coo_concat_rows": lambda: joined((right(), left()), 0),
    "full_of_float": lambda: ops.full((2, 1), 2.75),
    "full_of_bool": lambda: ops.full((2,), True),
    "sequence_mask_of_rows": lambda: ops.sequence_mask(Tensor([[2, 0], [1, 3]], ms.int64)),
    "sequence_mask_of_one": lambda: ops.sequence_mask(Tensor(3)),
    "std_bool": lambda: ops.std(reals([1, 5], [4, 2]), 0, ddof=True),
    "var_bool": lambda: ops.var(reals([1, 5], [4, 2]), 1, False, True),
    "var_mean_bool": lambda: ops.var_mean(reals([1, 5], [4, 2]), 0, True),
    "std_mean_bool": lambda: ops.std_mean(reals([1, 5], [4, 2]), 0, ddof=True),
    "var_float": lambda: ops.var(reals([1, 5], [4, 2]), 0, ddof=1.5),
    "expand_as_x": lambda: reals(4.0, 2.0).expand_as(x=grid()[:, :2]),
    "sub_and_filter": lambda: ops.SubAndFilter()(Tensor([2, 9, 4, 7], ms.int32), 5, 3),
    "parameter_update": written_by_update,
    "amax_ext": lambda: ops.function.math_func.amax_ext(reals([1, 5], [4, 2]), dim=1),
    "softmax_ext": lambda: ops.function.nn_func.softmax_ext(reals(2.0, 2.0)),
    "chunk_view": lambda: ops.function.array_func.chunk_view(reals(4.0, 2.0, 1.0), 2),
    "transpose_ext_view": lambda: ops.auto_generate.transpose_ext_view(grid(), 0, 1),
    "any_overloaded": lambda: ops.functional_overload.any(mask([1, 0], [0, 0]), 1),
}


@case.table({name: (call,) for name, call in OTHERS.items()})
def others(call):
    return call()


VIEWS = {
    "int32": (ms.int64, ms.int32),
    "int16": (ms.int64, ms.int16),
    "int8": (ms.int32, ms.int8),
    "wider": (ms.int16, ms.int64),
    "wider_float": (ms.float32, ms.float64),
    "too_few": (ms.int8, ms.int64),
    "bool": (ms.int16, ms.bool_),
    "of_bool": (ms.bool_, ms.uint8),
    "same": (ms.float32, ms.int32),
}


@case.table(VIEWS)
def view_of_bits(old, new):
    return Tensor([[1, 0, -2, 3], [4, 5, 6, 7]], old).view(new)


@case
def view_of_bits_by_name():
    return Tensor([1.5, -2.0], ms.float32).view(dtype=ms.int32)


@case
def view_of_bits_of_one():
    return Tensor(3, ms.int64).view(ms.int32)


@case
def custom_reg_op():
    described = ops.CustomRegOp().input(0, "u", "dynamic").output(0, "v").target("CPU")
    return described.get_op_info()["inputs"], described.op_name


@case
def tbe_reg_op():
    described = ops.TBERegOp("Half").input(0, "u", None, "required", None)
    described.output(0, "v", True, "optional", "all")
    return described.inputs, described.outputs


@case
def mint_softmax_still_needs_dim():
    return mint.softmax(reals(0.0, 1.0))


@case.table(
    {
        "relu": (lambda x: ops.relu(x),),
        "maximum": (lambda x: ops.maximum(x, Tensor(0.0, ms.float32)),),
        "minimum": (lambda x: ops.minimum(x, Tensor(0.0, ms.float32)),),
        "clamp": (lambda x: ops.clamp(x, 0.0, 1.0),),
        "hardtanh": (lambda x: ops.hardtanh(x),),
        "max_pool2d": (lambda x: ops.max_pool2d(x.reshape(1, 1, 3, 1), (3, 1)),),
        "relu6": (lambda x: ops.relu6(x),),
        "hardshrink": (lambda x: ops.hardshrink(x),),
        "softshrink": (lambda x: ops.softshrink(x),),
        "max": (lambda x: ops.max(x)[0],),
        "amax": (lambda x: ops.amax(x),),
        "cummax": (lambda x: ops.cummax(x, 0),),
        "elu": (lambda x: ops.elu(x),),
        "leaky_relu": (lambda x: ops.leaky_relu(x),),
    }
)
def of_nan(function):
    return function(Tensor([float("nan"), 1.0, -1.0], ms.float32))


@case.table(
    {
        "int32_int64": (ms.int32, ms.int64),
        "uint8_int64": (ms.uint8, ms.int64),
        "int32_float32": (ms.int32, ms.float32),
        "float16_float32": (ms.float16, ms.float32),
        "float32_float64": (ms.float32, ms.float64),
        "bool_int64": (ms.bool_, ms.int64),
    }
)
def fmod_by_one_number(dtype, of_divisor):
    divisor = Tensor(4, of_divisor)
    x = Tensor([5, 6], dtype)
    return mint.fmod(x, divisor), mint.fmod(x, divisor.reshape(1)), x.fmod(divisor)


@case.table(
    {
        "bounds": (lambda: mint.clamp(Tensor([1, 2]), Tensor(True)),),
        "upper": (lambda: Tensor([1.0, 2.0]).clamp(max=Tensor([True, True])),),
        "input": (lambda: mint.clamp(Tensor([True, False]), 0, 1),),
        "int32_int64": (lambda: mint.clamp(Tensor([1, 2], ms.int32), Tensor(2)),),
    }
)
def clamp_of(function):
    return function()


@case.table({"ops": (lambda: ops.softplus,), "mint": (lambda: F.softplus,)})
def softplus_by_zero(function):
    return function()(Tensor([1.0, -1.0], ms.float32), 0)


@case.table(
    {
        "view": (lambda x: x.view(Tensor(-1)),),
        "reshape": (lambda x: x.reshape(Tensor(-1)),),
        "views": (lambda x: x.view(Tensor(3), Tensor(2)),),
        "select": (lambda x: x.select(Tensor(1), 2),),
        "select_both": (lambda x: x.select(Tensor(1), Tensor(0)),),
        "interpolate": (lambda x: F.interpolate(x.reshape(1, 1, 2, 3), size=Tensor(2)),),
        "interpolate_two": (
            lambda x: F.interpolate(x.reshape(1, 1, 2, 3), size=(Tensor(2), Tensor(4))),
        ),
        "interpolate_row": (lambda x: F.interpolate(x.reshape(1, 1, 2, 3), size=Tensor([2, 4])),),
        "upsample": (lambda x: F.upsample(x.reshape(1, 1, 2, 3), size=Tensor(4)),),
    }
)
def sizes_as_tensors(function):
    return function(Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ms.float32))


@case.table(
    {
        "array": (lambda: mnp.array([[1, 2], [3]]),),
        "asarray": (lambda: mnp.asarray([[1], []]),),
        "asfarray": (lambda: mnp.asfarray([1, [2]]),),
        "sum": (lambda: mnp.sum([[1, 2], [3]]),),
    }
)
def ragged(function):
    return function()


@case.table(
    {
        "channels": (lambda: ops.Conv3D(3, 2), (3, 3, 2, 2, 2)),
        "kernel": (lambda: ops.Conv3D(3, 2), (3, 2, 2, 2, 1)),
    }
)
def conv3d_refuses(operator, shape):
    ones = np.ones((1, 2, 4, 4, 4), np.float32)
    return operator()(Tensor(ones), Tensor(np.ones(shape, np.float32)))


@case.table({"long": ([5, 1],), "negative": ([-1, 1],)})
def reverse_sequence_by_lengths(lengths):
    return ops.reverse_sequence(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor(lengths), 0, 1)


@case
def mvlgamma_where_it_is_undefined():
    return ops.mvlgamma(Tensor([0.5, 3.0], ms.float32), 3)


LOWER = [[2.0, 0.0, 0.0], [0.1, 3.0, 0.0], [0.2, 0.3, 4.0]]
FULL = [[2.0, 0.5, 0.25], [0.1, 3.0, 1.0], [0.2, 0.3, 4.0]]


@case.table(
    {
        f"{name}_{upper}": (factor, upper)
        for name, factor in (("lower", LOWER), ("full", FULL))
        for upper in (False, True)
    }
)
def of_a_cholesky_factor(factor, upper):
    right = Tensor([[2.0, 0.5], [0.5, 3.0], [0.25, 1.0]], ms.float32)
    x = Tensor(factor, ms.float32)

    def solved(x):
        return ops.cholesky_solve(right, x, upper)

    return solved(x), ms.grad(solved)(x), ops.cholesky_inverse(x, upper)


@case.table({"lower": (LOWER, False), "upper": (FULL, True)})
def gradient_of_cholesky_inverse(factor, upper):
    return ms.grad(lambda x: ops.cholesky_inverse(x, upper))(Tensor(factor, ms.float32))


@case.table(
    {
        name: (name, dtype)
        for name, dtype in (("int32", ms.int32), ("int64", ms.int64), ("int16", ms.int16))
    }
)
def scatter_div_of_integers(name, dtype):
    x, updates = Tensor([7, -7, 9], dtype), Tensor([2, 2], dtype)
    rows = Tensor([[0], [1]], ms.int32)
    copied = x.scatter_div(rows, updates)
    weight = Parameter(x, name="x")
    return copied, ops.scatter_div(weight, rows.reshape(-1), updates)


@case
def frac_of_bools():
    return ops.frac(Tensor([True, False]))


@case
def logit_outside():
    x = Tensor([0.5, -1.0, 2.0], ms.float32)
    return ops.logit(x), ms.grad(ops.logit)(x), ms.grad(lambda a: ops.logit(a, 0.1))(x)


@case
def take_from_nothing():
    return Tensor(np.zeros((2, 0), np.int64)).take(Tensor(np.zeros((2, 0), np.int32)))


@case
def any_of_numbers():
    return ops.any(Tensor([[0.0, 2.0], [4.0, 0.0]], ms.float32))


@case.table(
    {
        "vander": (lambda x: ops.vander(x, 2),),
        "vecdot": (lambda x: ops.vecdot(x, x),),
        "trace": (lambda x: ops.trace(ops.diag(x)),),
        "tanhshrink": (lambda x: ops.tanhshrink(x),),
        "relu_of_bools": (lambda x: ops.relu(x > 0),),
        "kron_of_bools": (lambda x: ops.kron(x > 0, x < 2),),
        "vecdot_of_bools": (lambda x: ops.vecdot(x > 0, x < 2),),
    }
)
def of_short_integers(function):
    return function(Tensor([1, 0, 3], ms.int16))


@case.table(
    {
        "masked_select": (lambda x: ops.masked_select(x, Tensor(True)),),
        "masked_select_none": (lambda x: x.masked_select(Tensor(False)),),
        "hstack": (lambda x: ops.hstack((x, x)),),
        "vstack": (lambda x: ops.vstack((x, x)),),
        "meshgrid": (lambda x: ops.meshgrid(x, x),),
        "meshgrid_beside_a_row": (lambda x: ops.meshgrid(x, Tensor([1.0, 2.0], ms.float32)),),
        "nanmedian": (lambda x: ops.nanmedian(x),),
    }
)
def of_a_tensor_without_dimensions(function):
    return function(Tensor(0.5, ms.float32))


@case.table(
    {
        **{
            f"bessel_{kind}": (lambda x, kind=kind: getattr(ops, f"bessel_{kind}")(x),)
            for kind in ("j0", "k1", "k0e", "y1")
        },
        "combinations": (lambda x: ops.combinations(x.reshape(0)),),
        "unique_consecutive": (lambda x: ops.unique_consecutive(x, True, True),),
        "fftshift": (lambda x: ops.fftshift(x.reshape(3, 0), ()),),
    }
)
def of_an_empty_tensor(function):
    return function(Tensor(np.zeros((0, 3), np.float32)))


@case
def combinations_of_too_few():
    return ops.combinations(Tensor([1.0, 2.0], ms.float32), 3)


@case.table({"fftshift": (lambda: ops.fftshift,), "ifftshift": (lambda: ops.ifftshift,)})
def shifted_along_no_dimension(function):
    return function()(Tensor([0.0, 1.0, 2.0], ms.float32), ())


@case.table(
    {
        "one": ([0.5], [1.0], None),
        "one_weighted": ([0.5], [1.0], [3.0]),
        "two": ([0.5, 0.25], [1.0, 0.0], None),
    }
)
def binary_cross_entropy_of(logits, labels, weight):
    arrays = [None if a is None else Tensor(a, ms.float32) for a in (logits, labels, weight)]
    return ops.binary_cross_entropy(*arrays)


@case
def xlogy_of_zero():
    x = Tensor([0.0, 0.0, 1.0], ms.float32)
    return ops.xlogy(x, Tensor([0.0, -1.0, 0.0], ms.float32))


@case.table(
    {
        "matrix_solve": (lambda x: ops.matrix_solve(x, x),),
        "lstsq": (lambda x: ops.lstsq(x, x),),
        "inverse": (lambda x: ops.inverse(x),),
        "svd": (lambda x: ops.svd(x),),
        "eigvals": (lambda x: ops.eigvals(x),),
        "pinv": (lambda x: ops.pinv(x),),
        "orgqr": (lambda x: ops.orgqr(x, x[0]),),
        "cond": (lambda x: ops.cond(x),),
    }
)
def of_a_float16_matrix(function):
    return function(Tensor([[2.0, 0.0], [0.0, 4.0]], ms.float16))


@case.table(
    {
        "interpolate": (lambda x: ops.interpolate(x, size=(3, 4)),),
        "upsample": (lambda x: ops.upsample(x, size=(4, 4)),),
        "mint": (lambda x: F.interpolate(x, size=(4, 2)),),
        "bilinear": (lambda x: ops.interpolate(x, size=(3, 4), mode="bilinear"),),
        "by_a_tensor": (
            lambda x: ops.ResizeBilinearV2()(x.astype(ms.float32), Tensor([4, 4], ms.int32)),
        ),
    }
)
def resized_bytes(function):
    return function(Tensor([[[[1, 2], [3, 200]]]], ms.uint8))


@case.table(
    {
        "split": (lambda x: ops.split(x, 2),),
        "split_method": (lambda x: x.split(2),),
        "chunk": (lambda x: ops.chunk(x, 2),),
        "chunk_method": (lambda x: x.chunk(3, 1),),
    }
)
def pieces_of_nothing(function):
    return function(Tensor(np.zeros((0, 3), np.float32)))


@case.table(
    {
        "mint_chunk": (lambda x: mint.chunk(x, 2),),
        "tensor_split": (lambda x: ops.tensor_split(x, 2),),
        "tensor_split_method": (lambda x: x.tensor_split(3, 0),),
        "vsplit": (lambda x: ops.vsplit(x, 2),),
    }
)
def more_pieces_of_nothing(function):
    return function(Tensor(np.zeros((0, 3), np.float32)))


@case.table(
    {
        "number": (lambda x, where: x.masked_fill(where, 2),),
        "float": (lambda x, where: x.masked_fill(where, 2.5),),
        "bool": (lambda x, where: x.masked_fill(where, True),),
        "tensor": (lambda x, where: ops.masked_fill(x, where, Tensor(1j, ms.complex64)),),
        "gradient": (
            lambda x, where: ms.grad(lambda a: ops.abs(a.masked_fill(where, 2)).sum())(x),
        ),
    }
)
def complex_numbers_filled(function):
    return function(Tensor(np.array([1 + 2j, 3 - 1j], np.complex64)), Tensor([True, False]))


@case.table(
    {
        "weights": (lambda x: ops.bincount(x, Tensor([1, 2, 3, 4], ms.int64)),),
        "half_weights": (lambda x: ops.bincount(x, Tensor([1, 0.5, 3, 4], ms.float16)),),
        "bool_weights": (lambda x: ops.bincount(x, Tensor([True, True, False, True])),),
        "floats": (lambda x: ops.bincount(x.astype(ms.float32)),),
        "halves": (lambda x: x.astype(ms.float16).bincount(),),
        "fractions": (lambda x: ops.bincount(x + Tensor([0.0, 0.5, 0.25, 0.0], ms.float32)),),
    }
)
def numbers_counted(function):
    return function(Tensor([0, 1, 1, 3], ms.int32))


@case.table({"uint8": (ms.uint8,), "bool": (ms.bool_,), "int32": (ms.int32,)})
def hardtanh_of_integers(dtype):
    x = Tensor([0, 1, 3], ms.int32).astype(dtype)
    return ops.hardtanh(x), nn.Hardtanh()(x)


@case.table({"no_dimension": ([],), "vector": ([2],), "batch": ([2, 1],)})
def prelu_keeps_the_dtype(shape):
    x = Tensor(np.full(shape, -2.0, np.float32))
    weight = Tensor([0.5], ms.float32)
    return F.prelu(x, weight), F.prelu(x.astype(ms.float16), weight)


@case.table(
    {
        "mint": (lambda x: mint.softmax(x, 0),),
        "mint_none": (lambda x: mint.softmax(x, None),),
        "functional": (F.softmax,),
        "layer": (lambda x: mint.nn.Softmax(-1)(x),),
    }
)
def softmax_without_dimensions(function):
    return function(Tensor(2.0, ms.float32))


@case.table({"1": ((8,),), "2": ((2, 4),), "3": ((2, 2, 2),)}, tol=1e-5)
def softmax_along_none(shape):
    return mint.softmax(Tensor(np.arange(8.0, dtype=np.float32).reshape(shape)), None)


@case.table(
    {
        "gather": (lambda x, i: mint.gather(x, 0, i),),
        "elements": (lambda x, i: ops.gather_elements(x, -1, i),),
        "d": (lambda x, i: ops.gather_d(x, 0, i),),
    }
)
def gathered_without_dimensions(function):
    x, i = Tensor([3.0, 4.0], ms.float32), Tensor(0, ms.int64)
    return function(x[1], i), function(x, i), function(x[1], i.reshape(1))


@case.table({"int8": (ms.int8,), "uint8": (ms.uint8,), "int32": (ms.int32,), "int64": (ms.int64,)})
def integers_in_layers(dtype):
    x = Tensor([[1, 2], [3, 4]], dtype)
    images = x[None, None]
    return (
        F.linear(x, Tensor([[1, 2], [1, 0]], dtype)),
        F.linear(x[0], x, Tensor([1, 1], dtype)),
        ops.max_pool2d(images, 2, 1, 1, return_indices=True),
        ops.max_pool2d(images, 2, 1, 1, 2),
        nn.MaxPool2d(2, pad_mode="pad")(images),
        ops.max_pool3d(images[None], (1, 2, 2)),
    )


@case
def integers_in_a_large_window():
    x = Tensor(np.arange(-100, 0).reshape(1, 1, 10, 10), ms.int32)
    return ops.max_pool2d(x, 9, 1, 4)


@case.table(
    {
        "bools": (lambda x: ops.subtract(x, x[::-1]),),
        "bool": (lambda x: ops.subtract(x, True),),
        "bools_by_a_float": (lambda x: ops.subtract(x, x, alpha=1.0),),
        "integers_by_a_float": (lambda x: ops.subtract(x.int(), x.int(), alpha=1.0),),
        "diff": (ops.diff,),
        "diff_method": (lambda x: x.diff(),),
        "mint_diff_twice": (lambda x: mint.diff(x, 2),),
        "diff_after": (lambda x: ops.diff(x, prepend=Tensor([True])),),
    }
)
def differences_of_bools(function):
    return function(Tensor([True, False, False, True]))


@case
def histogram_of_halves():
    return ops.histc(Tensor([1, 0, 0, 1, 3], ms.float16), 4)


@case.table({"int8": (ms.int8,), "uint8": (ms.uint8,), "int32": (ms.int32,), "int64": (ms.int64,)})
def losses_of_integers(dtype):
    x, y = Tensor([1, 0, 5], dtype), Tensor([3, 3, 3], dtype)
    return [
        loss(x, y)
        for r in ("mean", "sum", "none")
        for loss in (nn.L1Loss(r), nn.MSELoss(r), lambda a, b, r=r: ops.l1_loss(a, b, r))
    ]


@case.table({str(k): (k,) for k in (0, 1, -1, 2)})
def matrix_of_a_diagonal_beside(k):
    x = reals([1, 2, 3], [4, 5, 6])
    return ops.matrix_diag(x, k), ops.matrix_diag(x, k, num_rows=5)


@case
def bits_of_nothing():
    x = Tensor(np.zeros((0, 4), np.float32))
    return x.view(ms.float64), x.view(ms.float16), x.view(ms.int32)


@case
def covariance_of_halves():
    return ops.cov(Tensor([[1, 5, 2], [7, 3, 4]], ms.float16))
