"""Indices of Tensors without dimensions, bools among others, unsigned ones, nothing selected."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, grad, int8, int64, ops, uint8, value_and_grad

from tests.parity.case import case


def grid(*sizes):
    return Tensor(np.arange(np.prod(sizes)).reshape(sizes).astype(np.float32))


def written(tensor, index, value=5):
    try:
        tensor[index] = value
    except Exception as error:
        return tensor, error
    return tensor, None


SCALARS = {
    "int": (lambda: 0,),
    "slice": (lambda: slice(0, 1),),
    "tensor": (lambda: Tensor([0]),),
    "list": (lambda: [0],),
    "tuple": (lambda: (0,),),
    "tuple_of_slice": (lambda: (slice(None),),),
    "tuple_of_tensor": (lambda: (Tensor([0]),),),
    "int_and_ellipsis": (lambda: (0, ...),),
}


@case.table(SCALARS)
def of_a_scalar(index):
    return grid()[index()]


@case.table({k: SCALARS[k] for k in ("int", "slice", "tuple")})
def written_to_a_scalar(index):
    return written(grid(), index())


@case
def written_to_a_scalar_by_mask():
    x = grid() + 3
    x[x > 2] = 1
    y = grid(2, 3)
    y[Tensor(False)] = 7
    return x, y


FORMS = {
    "true_true": (lambda: (True, True),),
    "list_true": (lambda: ([0], True),),
    "true_tensor": (lambda: (True, Tensor([1, 0], int8)),),
    "int_false": (lambda: (0, False),),
    "false_slice": (lambda: (False, slice(None)),),
    "int_empty": (lambda: (0, ()),),
    "unsigned": (lambda: Tensor([1], uint8),),
    "unsigned_int": (lambda: (0, Tensor(1, uint8)),),
    "float": (lambda: (0, 1.5),),
    "list_of_float": (lambda: [1.5],),
    "array": (lambda: (0, np.array([0])),),
    "bools_too_short": (lambda: [True],),
    "bools_too_long": (lambda: [True, True, False],),
}


@case.table(FORMS)
def read(index):
    return grid(2, 3)[index()]


@case.table({k: v for k, v in FORMS.items() if k != "true_tensor"})
def write(index):
    return written(grid(2, 3), index())


@case.table(
    {
        "slice": (lambda: slice(1, 0),),
        "slice_from_end": (lambda: slice(-1, -4),),
        "mask": (lambda: Tensor([False, False]),),
    }
)
def nothing_to_write_to(index):
    return written(grid(2, 3), index(), Tensor([[1.0, 2.0, 3.0]]))


@case.table(
    {
        "beyond_the_beginning": (lambda: slice(1, -3, -1),),
        "beyond_the_end": (lambda: (Tensor([0, 1], int64), slice(3, None, -1)),),
        "and_another": (lambda: (slice(None, None, -1), slice(None, -2)),),
    }
)
def backwards(index):
    return grid(2, 3)[index()]


@case
def gradient_at_negative_indices():
    def picked(x):
        return x[Tensor([-3, -2])]

    return grad(picked)(grid(3, 2))


ONE, TWO = np.int64(1), np.float32(2)


@ms.jit
def _numbers_of_numpy(x):
    y = x * 1
    y[ONE] = TWO
    return x[ONE], x[0, ONE], y


@case
def numbers_of_numpy_where_compiled():
    return _numbers_of_numpy(grid(2, 3))


@case.table({"beyond": (5,), "before": (-4,)})
def written_out_of_bounds_in_graph_mode(index):
    ms.set_context(mode=ms.GRAPH_MODE)
    x = grid(3)
    x[Tensor(index)] = 9
    return x


@case.table(
    {
        "list": (lambda: [0, -9],),
        "tensor": (lambda: Tensor([-9, 0]),),
        "list_after": (lambda: [5, 0],),
        "tensor_after": (lambda: Tensor([5, 0]),),
        "lists": (lambda: ([5, 0], [0, 1]),),
        "list_and_int": (lambda: ([0, -5], 1),),
        "list_and_slice": (lambda: (slice(None), [0, 3]),),
    }
)
def written_out_of_bounds(index):
    return written(grid(2, 3), index())


@case
def gradient_of_a_value_written_twice():
    def written_to(x, value):
        y = x * 2
        y[Tensor([1, 1])] = value
        return (y * y).sum()

    return value_and_grad(written_to, (0, 1))(grid(3), Tensor(3.0))


def element(x, i):
    return x[i]


def gathered(x, i):
    return ops.gather(x, i, 0)


def gathered_by_elements(x, i):
    return ops.gather_elements(x, 0, i.reshape(1))


def written_at(x, i):
    x[i] = 5.0
    return x


@case.table(
    {
        "element": (element,),
        "gather": (gathered,),
        "gather_elements": (gathered_by_elements,),
        "write": (written_at,),
    }
)
def compiled_out_of_bounds(select):
    return ms.jit(select)(Tensor([1.0, 2.0, 3.0], ms.float32), Tensor(5))


def elements_written(x):
    y = x * 1
    y[0] = (1.0, x[1, 1], x[0, 1])
    return (y * y).sum()


def rows_written(x):
    y = x * 1
    y[:2] = [x[0], x[1] * 2]
    return (y * y).sum()


def elements_of_elements_written(x):
    y = x * 1
    y[1:] = [[x[0, 0], 2, x[2, 2]], x[0]]
    return (y * y).sum()


@case.table({f.__name__: (f,) for f in (elements_written, rows_written)})
def gradient_of_a_list_written(function):
    values = Tensor(np.arange(9).reshape(3, 3), ms.float32)
    eager, compiled = ms.value_and_grad(function), ms.jit(ms.value_and_grad(function))
    return eager(values), compiled(values)


@case
def gradient_of_a_nested_list_written():
    return ms.value_and_grad(elements_of_elements_written)(grid(3))


@case.table({"number": (7.9,), "other": (lambda: Tensor(2, ms.int64),), "none": (None,)})
def a_list_written(item):
    x = Tensor([1, 2, 3], ms.int32)
    x[:2] = [Tensor(1.5), item() if callable(item) else item]
    return x
