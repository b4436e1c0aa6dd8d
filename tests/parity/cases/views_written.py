"""What a write through an index does to the Tensors that share elements with the one written.

A write to integers and slices goes to the elements that all of them share. For any other index
(a mask, a list, a Tensor, None, Ellipsis) 2.10 gives the Tensor elements of its own.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, ops

from tests.parity.case import case


def grid():
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


VIEWS = {
    "view": lambda y: y.view(3, 2),
    "transposed": lambda y: y.T,
    "row": lambda y: y[0],
    "columns": lambda y: y[:, 1:],
    "axis": lambda y: y[None],
    "chunk": lambda y: ops.chunk(y, 2, 0)[0],
    "of_a_slice": lambda y: y[:1].view(3),
    "slice_of_it": lambda y: y.view(3, 2)[:2],
    "row_of_it": lambda y: y.T[0],
    "data": lambda y: y.data,
}
INDICES = {
    "int": lambda y: 0,
    "slice": lambda y: slice(0, 1),
    "ellipsis": lambda y: ...,
    "ellipsis_in_a_tuple": lambda y: (..., 0),
    "none": lambda y: None,
    "none_in_a_tuple": lambda y: (None, 0),
    "list_in_a_tuple": lambda y: ([0],),
    "tensor": lambda y: Tensor([0], ms.int32),
    "mask": lambda y: y > 0,
}


@case.table({f"{v}-{i}": (VIEWS[v], INDICES[i]) for v in VIEWS for i in INDICES})
def written_to_the_view(view_of, index):
    y = grid()
    view = view_of(y)
    view[index(view)] = 50.0
    before = y.asnumpy().copy()
    y[0, 1] = 7.0
    view[0] = 60.0
    return before, y, view


@case.table({f"{v}-{i}": (VIEWS[v], INDICES[i]) for v in VIEWS for i in INDICES})
def written_to_the_base(view_of, index):
    y = grid()
    view = view_of(y)
    y[1, 1] = 7.0
    y[index(y)] = 50.0
    before = view.asnumpy().copy()
    y[0, 1] = 8.0
    view[0] = 60.0
    return before, y, view


def masked_view(x):
    y = x * 1
    flat = y.view(-1)
    flat[flat > 1] = 50.0
    return y * 2, flat * 1


def masked_base(x):
    y = x * 1
    flat = y.view(-1)
    y[y > 1] = 50.0
    flat[0] = 9.0
    return y * 2, flat * 1


def masked_row(x):
    y = x * 1
    row = y[0]
    row[row > 1] = 50.0
    y[0, 0] = 9.0
    return y * 2, row * 1


FUNCTIONS = {f.__name__: (f,) for f in (masked_view, masked_base, masked_row)}


@case.table(FUNCTIONS)
def gradient(function):
    return ms.value_and_grad(function)(grid())


def through_a_view(x):
    y = x * 1
    flat = y.view(-1)
    flat[0] = 9.0
    return y * y


def under_a_view(x):
    y = x * 1
    row = y[0]
    y[0, 1] = 9.0
    return row * row


@case.table({"view": (through_a_view,), "base": (under_a_view,)})
def gradient_of_what_is_shared(function):
    return function(grid()), ms.value_and_grad(function)(grid())


@case.table({name: f for name, f in FUNCTIONS.items() if name != "masked_row"})
def compiled(function):
    return ms.jit(function)(grid())


@case
def a_given_tensor_is_not_written():
    def loss(x):
        flat = x.view(-1)
        flat[flat > 2] = 0.0
        return (flat * flat).sum()

    given = grid()
    return loss(given), given, ms.grad(loss)(given), given


@case
def a_view_of_a_view_stays_with_the_base():
    y = grid()
    view = y.view(-1)
    other = view.view(3, 2)
    view[[0]] = 50.0
    other[1] = 60.0
    return y, view, other


@case
def pruned_parameter():
    p = Parameter(grid(), name="p")
    before, row = p.data, p[0]
    p[p > 2] = 50.0
    row[1] = 7.0
    return p.asnumpy().copy(), before, row


@case.table(
    {
        "tensor": (grid, "assign_value"),
        "parameter": (lambda: Parameter(grid(), name="p"), "set_data"),
    }
)
def written_and_then_replaced(make, method):
    y = make()
    view = y.view(-1)
    y[0, 1] = 7.0
    getattr(y, method)(grid() * 10)
    return y.asnumpy().copy(), view


@case
def a_row_of_what_is_replaced_is_written_back():
    p = Parameter(grid(), name="p")
    row = p[0]
    p.set_data(grid() + 10)
    row[0] = 5.0
    return p.asnumpy().copy(), row


@case.table({"compiled": (ms.jit,), "eager": (lambda f: f,)})
def masked_parameter(how):
    p = Parameter(grid(), name="p")

    def run(x):
        p[p > 2] = 50.0
        return x * p

    return how(run)(grid()), p.asnumpy().copy()


@case.table(
    {
        "whole": (lambda y: y.view(3, 2),),
        "slice": (lambda y: y[:, 1:],),
        "transposed": (lambda y: y.T,),
    }
)
def copied_into(view_of):
    y = grid()
    view = view_of(y)
    view.copy_(ops.ones(view.shape))
    return y.asnumpy().copy(), view


def an_element(row):
    y = row * 1
    y[0] = 5
    return y


def from_its_own(row):
    y = row * 2
    y[1:] = y[:2] * row[0]
    return y


def into_a_constant(row):
    y = ops.zeros(3)
    y[1] = row[2]
    return y


def at_a_mask(row):
    y = row * 1
    y[y > 1] = 0
    return y


def into_a_part(row):
    y = ops.stack([row, row * 2])
    y[0][1] = 3
    return y


def into_the_input(row):
    row[0] = 5
    return row


def at_another_place(row):
    y = row * 1
    y[ops.arange(2)] = row[2]
    return y.sum()


IN_EXAMPLES = {
    f.__name__: (f,)
    for f in (
        *(an_element, from_its_own, into_a_constant, at_a_mask, into_a_part),
        *(into_the_input, at_another_place),
    )
}


@case.table(IN_EXAMPLES)
def in_examples(function):
    x = grid()
    return ms.vmap(function)(x), x


def total_in_examples(function):
    def total(x):
        return (ms.vmap(function)(x) ** 2).sum()

    return total


@case.table({key: IN_EXAMPLES[key] for key in [*IN_EXAMPLES][:5]})
def gradient_in_examples(function):
    return ms.grad(total_in_examples(function))(grid())


def written_at(row, place):
    y = row * 1
    y[place] = row[place] * row[0]
    return (y * y).sum()


@case.table({"int32": (ms.int32,), "int64": (ms.int64,)})
def gradient_of_each_example(dtype):
    places = Tensor([2, 1], dtype)
    return ms.vmap(ms.grad(written_at))(grid(), places)


def numbered():
    return Tensor(np.arange(1, 13, dtype=np.float32).reshape(3, 4))


SHOWN = {
    "whole": lambda a: a[:],
    "rows": lambda a: a[1:],
    "every_second_row": lambda a: a[::2],
    "columns": lambda a: a[:, 1:3],
    "column": lambda a: a[:, 1],
    "narrowed": lambda a: a.narrow(1, 1, 2),
    "transposed": lambda a: a.T,
    "transposed_twice": lambda a: a.T.T,
    "row_transposed": lambda a: a[:1].T,
    "moved": lambda a: a.movedim(0, 1),
    "part": lambda a: a.split(2, 1)[0],
    "unbound": lambda a: a.unbind(1)[0],
    "diagonal": lambda a: a.diagonal(),
    "block": lambda a: a.view(3, 2, 2)[1:2, :, 0:1],
    "in_blocks": lambda a: a.view(3, 2, 2).transpose(0, 2, 1)[0],
    "repeated": lambda a: a[:1].expand((3, 4)),
}
MADE_OF_IT = {
    "contiguous": lambda v: v.contiguous(),
    "reshape": lambda v: v.reshape(-1),
    "reshape_same": lambda v: v.reshape(v.shape),
    "reshape_split": lambda v: v.reshape(v.shape[:-1] + (v.shape[-1], 1)),
    "flatten": lambda v: v.flatten(),
    "mint_flatten": lambda v: mint.flatten(v),
    "astype": lambda v: v.astype(ms.float32),
}
OVERLAPPING = ("reshape_same", "reshape_split")


@case.table(
    {
        f"{shown}-{made}": (SHOWN[shown], MADE_OF_IT[made])
        for shown in SHOWN
        for made in MADE_OF_IT
        if shown != "repeated" or made not in OVERLAPPING
    }
)
def what_is_made_of_a_view(shown, made):
    a = numbered()
    b = made(shown(a))
    b[0] = 99.0
    return a, b


@case.table({key: (shown,) for key, shown in SHOWN.items()})
def where_a_view_stands(shown):
    v = shown(numbered())
    return v.is_contiguous(), v.stride(), v.storage_offset()
