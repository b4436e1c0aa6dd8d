"""What public repositories do that no other family has; found by running tests/repositories."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common import initializer
from mindspore.nn.layer.rnn_cells import RNNCellBase

from tests.parity.case import case


class Blocks(nn.Cell):
    """A list in a cell, so that names have two numbers in them."""

    def __init__(self, count=1):
        super().__init__()
        self.blocks = nn.CellList([nn.Dense(1, 1, has_bias=False) for _ in range(count)])


class Stages(nn.Cell):
    """Lists that are empty when they become attributes, as in mindcv's pit."""

    def __init__(self, count):
        super().__init__()
        self.stages = nn.CellList([])
        self.pools = nn.CellList([])
        for _ in range(count):
            self.stages.append(Blocks(2))
            self.pools.append(nn.Dense(1, 1, has_bias=False))


def appended(*cells):
    made = nn.CellList([])
    for cell in cells:
        made.append(cell)
    return made


@case.table(
    {
        "stages": (lambda: Stages(3),),
        "append": (lambda: appended(Blocks(), Blocks(), Blocks()),),
        "append_without_parameters": (lambda: appended(nn.ReLU(), Blocks(), nn.ReLU(), Blocks()),),
        "extend": (lambda: appended(Blocks(), Blocks()).extend([Blocks(), Blocks()]),),
        "sequential": (lambda: nn.SequentialCell(appended(Blocks(), Blocks()), Blocks()),),
    }
)
def names_with_two_numbers(make):
    return [(path, param.name) for path, param in make().parameters_and_names()]


@case.table(
    {
        "padded": ([[0, 1, 5, 5], [3, 4, 0, 5]],),
        "padded_far": ([[0, 1, 5, 5, 5, 5, 5], [3, 5, 5, 5, 5, 5, 5]],),
        "more_than_blank": ([[0, 1, 6, 6], [3, 4, 0, 2]],),
    },
    tol=1e-5,  # sums over all alignments of eight steps
)
def ctc_loss_of_padded_labels(labels):
    """mindocr's, padded with the blank."""
    x = Tensor(np.sin(np.arange(96)).reshape(8, 2, 6).astype(np.float32))
    places = Tensor(np.array(list(np.ndindex(np.shape(labels)))), ms.int64)
    values, steps = Tensor(np.ravel(labels), ms.int32), Tensor([8, 8], ms.int32)

    def loss_of(x):
        return ops.CTCLoss(ctc_merge_repeated=True)(x, places, values, steps)

    return loss_of(x), ms.grad(lambda x: loss_of(x)[0].sum())(x)


@case
def initializers_called_on_a_parameter():
    """mindocr's svtr does so; nothing comes of it."""
    weight = Parameter(Tensor([1.5, 2.5], ms.float32), name="weight")
    for initialize in (initializer.Zero(), initializer.One(), initializer.Constant(3.0)):
        initialize(weight)
    return weight


@case.table({"int": (2,), "float": (1.5,), "bool": (True,), "text": ("a",), "none": (None,)})
def filled_tensor(value):
    x = Tensor([1.0, 2.0], ms.float32)
    return x.fill(value), x, Tensor([1, 2], ms.int32).fill(value)


class Gated(RNNCellBase):
    """A recurrent cell of one's own, as mindocr's."""

    def __init__(self, has_bias):
        super().__init__(2, 3, has_bias, num_chunks=3)

    def construct(self, x):
        return ops.matmul(x, self.weight_ih.T)


@case.table({"bias": (True,), "no_bias": (False,)})
def cell_on_rnn_cell_base(has_bias):
    cell = Gated(has_bias)
    named = [(param.name, param.shape) for param in cell.get_parameters()]
    return named, cell(Tensor(np.ones((1, 2), np.float32))).shape, cell.hidden_size


class Weighted(nn.Cell):
    """A constructor with an argument called cls, as the losses of mindyolo."""

    def __init__(self, box, cls=0.5):
        super().__init__()
        self.weights = (box, cls)


@case
def argument_called_cls():
    return (
        Weighted(1.0, cls=2.0).weights,
        Weighted(1.0, 3.0).weights,
        Weighted(cls=1, box=2).weights,
    )


@case
def tuple_to_array_of_a_range():
    return ops.tuple_to_array(range(3)), ops.TupleToArray()(range(1, 3))


def turned_off(dropout, **attributes):
    for name, value in attributes.items():
        setattr(dropout, name, value)
    return dropout.set_train()(Tensor(np.ones(64), ms.float32))


@case
def dropout_turned_off_after_building():
    return (
        turned_off(nn.Dropout(p=0.5), p=0.0),
        turned_off(nn.Dropout(p=0.5), keep_prob=1.0),
        turned_off(nn.Dropout(keep_prob=0.5), keep_prob=1.0),
        turned_off(nn.Dropout(p=0.0), p=0.5),
    )


PICKED = Tensor(np.array([0, 2], np.int32))


def whole(y):
    y[PICKED][:] = 1


def column(y):
    y[PICKED][:, 0] = 1


def by_mask(y):
    y[Tensor(np.array([True, False, True]))][0] = 1


def by_list(y):
    y[[0, 2]][0] = 1


def region_of_it(y):
    y[PICKED][1][3] = 3


def twice(y):
    y[1:][PICKED[:1]][0] = 2


def kept_and_written_again(y):
    found = y[PICKED]
    found[0] = 1
    y[0] = 5
    found[1, 1] = 2


def by_other_means(y):
    found = y[PICKED]
    found += 1
    found.add_(1)
    y[PICKED].view(8)[0] = 1


@case.table(
    {
        write.__name__: (write,)
        for write in (
            *(whole, column, by_mask, by_list, region_of_it, twice),
            *(kept_and_written_again, by_other_means),
        )
    }
)
def write_into_what_was_picked(write):
    y = Tensor(np.zeros((3, 4), np.float32))
    write(y)

    def through(x):
        y = x * 1
        write(y)
        return (y * y).sum()

    return y, ms.value_and_grad(through)(Tensor(np.ones((3, 4), np.float32)))
