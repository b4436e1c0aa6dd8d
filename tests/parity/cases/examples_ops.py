"""Forms of operators that programs use now and then: arguments, orders, names of arguments."""

import mindspore as ms
import numpy as np
from mindspore import COOTensor, Parameter, Tensor, mint, nn, ops

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
