"""SequentialCell, CellList and CellDict: building, indexing, changing, names and errors."""

from collections import OrderedDict

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.parity.case import case


class Times(nn.Cell):
    """Multiplies by one weight, whose value tells cells apart."""

    def __init__(self, factor):
        super().__init__()
        self.w = Parameter(Tensor(np.array([factor], np.float32)), name="w")

    def construct(self, x):
        return x * self.w


def x():
    return Tensor([1.0, 2.0], ms.float32)


def three():
    return [Times(2.0), Times(3.0), Times(5.0)]


def described(cell):
    """Everything by which a container shows: repr, length, parameters by path and by name."""
    return (
        repr(cell),
        len(cell),
        [(path, p.name, p.asnumpy().tolist()) for path, p in cell.parameters_and_names()],
        [path for path, _ in cell.cells_and_names()],
    )


def put(index, value):
    def change(cells):
        cells[index] = value()

    return change


def delete(index):
    def change(cells):
        del cells[index]

    return change


SEQUENTIAL = {
    "args": (lambda: nn.SequentialCell(*three()),),
    "list": (lambda: nn.SequentialCell(three()),),
    "ordered": (lambda: nn.SequentialCell(OrderedDict(zip("abc", three(), strict=True))),),
    "one": (lambda: nn.SequentialCell(Times(2.0)),),
    "empty": (lambda: nn.SequentialCell(),),
    "empty_list": (lambda: nn.SequentialCell([]),),
    "nested": (lambda: nn.SequentialCell(nn.SequentialCell(three()), Times(7.0)),),
    "twice_the_same": (lambda: nn.SequentialCell([(one := Times(2.0)), one]),),
}


@case.table(SEQUENTIAL)
def sequential(make):
    cells = make()
    return described(cells), bool(cells)


@case.table({key: row for key, row in SEQUENTIAL.items() if "empty" not in key})
def sequential_call(make):
    return make()(x())


@case.table({key: row for key, row in SEQUENTIAL.items() if "empty" in key})
def sequential_of_nothing(make):
    return make()(())


@case.table(
    {
        "int": (lambda: (3,),),
        "str": (lambda: ("a",),),
        "list_of_int": (lambda: ([3],),),
        "second_int": (lambda: (Times(2.0), 3),),
        "list_and_cell": (lambda: ([Times(2.0)], Times(3.0)),),
        "tuple": (lambda: ((Times(2.0), Times(3.0)),),),
        "dict": (lambda: ({"a": Times(2.0)},),),
        "None": (lambda: (None,),),
        "function": (lambda: (lambda v: v,),),
        "ordered_of_int": (lambda: (OrderedDict(a=3),),),
        "cell_list": (lambda: (nn.CellList(three()),),),
    },
    message=True,
)
def sequential_errors(make):
    return described(nn.SequentialCell(*make()))


INDEX = {
    "0": (0,),
    "2": (2,),
    "-1": (-1,),
    "-3": (-3,),
    "3": (3,),
    "-4": (-4,),
    "9": (9,),
    "str": ("0",),
    "float": (1.0,),
    "True": (True,),
    "None": (None,),
}
SLICES = {
    "1:": (slice(1, None),),
    ":2": (slice(None, 2),),
    "::2": (slice(None, None, 2),),
    "::-1": (slice(None, None, -1),),
    "5:": (slice(5, None),),
    ":": (slice(None),),
    "-2:": (slice(-2, None),),
}


@case.table(INDEX, message=True)
def sequential_index(index):
    return described(nn.SequentialCell([nn.SequentialCell(c) for c in three()])[index])


@case.table(SLICES)
def sequential_slice(index):
    return described(nn.SequentialCell(three())[index])


@case.table(SLICES)
def sequential_slice_of_ordered(index):
    return described(nn.SequentialCell(OrderedDict(zip("abc", three(), strict=True)))[index])


def changed_in_a_cell(container, change):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = container(three())

    net = Net()
    change(net.body)
    return repr(net), [(path, p.name) for path, p in net.parameters_and_names()]


SEQUENTIAL_CHANGES = {
    "append": (lambda cells: cells.append(Times(7.0)),),
    "append_int": (lambda cells: cells.append(3),),
    "append_None": (lambda cells: cells.append(None),),
    "set_0": (put(0, lambda: Times(7.0)),),
    "set_-1": (put(-1, lambda: Times(7.0)),),
    "set_3": (put(3, lambda: Times(7.0)),),
    "set_int": (put(0, lambda: 3),),
    "set_str_index": (put("0", lambda: Times(7.0)),),
    "delete_0": (delete(0),),
    "delete_1": (delete(1),),
    "delete_-1": (delete(-1),),
    "delete_slice": (delete(slice(0, 2)),),
    "delete_9": (delete(9),),
    "delete_str": (delete("0"),),
    "extend": (lambda cells: cells.extend([Times(7.0)]),),
}


@case.table(SEQUENTIAL_CHANGES, message=True)
def sequential_change(change):
    cells = nn.SequentialCell(three())
    given = change(cells)
    return given is cells, described(cells), cells(x())


@case.table(SEQUENTIAL_CHANGES, message=True)
def sequential_change_of_ordered(change):
    cells = nn.SequentialCell(OrderedDict(zip("abc", three(), strict=True)))
    change(cells)
    return described(cells), cells(x())


@case.table(
    {
        "append": (lambda cells: cells.append(Times(7.0)),),
        "set_0": (put(0, lambda: Times(7.0)),),
        "delete_0": (delete(0),),
    }
)
def sequential_change_in_a_cell(change):
    return changed_in_a_cell(nn.SequentialCell, change)


@case
def sequential_iterates():
    cells = nn.SequentialCell(three())
    return [cell.w for cell in cells]


@case
def sequential_runs_in_order():
    return nn.SequentialCell(nn.ReLU(), Times(-1.0), nn.ReLU())(x())


@case
def sequential_of_two_inputs():
    return nn.SequentialCell(three())(x(), x())


@case
def sequential_reassigned_attribute():
    cells = nn.SequentialCell(three())
    cells.extra = Times(7.0)
    return described(cells), cells(x())


@case
def sequential_set_grad():
    cells = nn.SequentialCell(three())
    given = cells.set_grad()
    return given is cells, cells.requires_grad, [cell.requires_grad for cell in cells]


@case
def sequential_set_train():
    cells = nn.SequentialCell(three()).set_train()
    return cells.training, [cell.training for cell in cells]


@case
def gradient_through_sequential():
    cells = nn.SequentialCell(three())
    return ms.grad(cells, 0, cells.trainable_params())(x())


LISTS = {
    "list": (lambda: nn.CellList(three()),),
    "args": (lambda: nn.CellList(*three()),),
    "tuple": (lambda: nn.CellList(tuple(three())),),
    "generator": (lambda: nn.CellList(cell for cell in three()),),
    "empty": (lambda: nn.CellList(),),
    "empty_list": (lambda: nn.CellList([]),),
    "one": (lambda: nn.CellList(Times(2.0)),),
    "auto_prefix": (lambda: nn.CellList(three(), auto_prefix=False),),
    "nested": (lambda: nn.CellList([nn.CellList(three()), Times(7.0)]),),
    "twice_the_same": (lambda: nn.CellList([(one := Times(2.0)), one]),),
}


@case.table(LISTS)
def cell_list(make):
    cells = make()
    return described(cells), bool(cells)


@case.table(
    {
        "int": (lambda: (3,),),
        "list_of_int": (lambda: ([3],),),
        "list_of_cell_and_None": (lambda: ([Times(2.0), None],),),
        "str": (lambda: ("ab",),),
        "None": (lambda: (None,),),
        "list_and_cell": (lambda: ([Times(2.0)], Times(3.0)),),
        "function": (lambda: ([lambda v: v],),),
        "dict": (lambda: ({"a": Times(2.0)},),),
    },
    message=True,
)
def cell_list_errors(make):
    return described(nn.CellList(*make()))


@case.table(INDEX, message=True)
def cell_list_index(index):
    return described(nn.CellList([nn.CellList([c]) for c in three()])[index])


@case.table(SLICES)
def cell_list_slice(index):
    return described(nn.CellList(three())[index])


def iadd(value):
    def change(cells):
        cells += value()
        return cells

    return change


@case.table(
    {
        "append": (lambda cells: cells.append(Times(7.0)),),
        "append_int": (lambda cells: cells.append(3),),
        "append_list": (lambda cells: cells.append([Times(7.0)]),),
        "extend_list": (lambda cells: cells.extend([Times(7.0), Times(11.0)]),),
        "extend_cell_list": (lambda cells: cells.extend(nn.CellList([Times(7.0)])),),
        "extend_tuple": (lambda cells: cells.extend((Times(7.0),)),),
        "extend_generator": (lambda cells: cells.extend(c for c in [Times(7.0)]),),
        "extend_cell": (lambda cells: cells.extend(Times(7.0)),),
        "extend_int": (lambda cells: cells.extend([3]),),
        "extend_twice_the_same": (lambda cells: cells.extend([(one := Times(7.0)), one]),),
        "insert_0": (lambda cells: cells.insert(0, Times(7.0)),),
        "insert_1": (lambda cells: cells.insert(1, Times(7.0)),),
        "insert_-1": (lambda cells: cells.insert(-1, Times(7.0)),),
        "insert_3": (lambda cells: cells.insert(3, Times(7.0)),),
        "insert_4": (lambda cells: cells.insert(4, Times(7.0)),),
        "insert_9": (lambda cells: cells.insert(9, Times(7.0)),),
        "insert_-9": (lambda cells: cells.insert(-9, Times(7.0)),),
        "insert_int": (lambda cells: cells.insert(0, 3),),
        "insert_at_str": (lambda cells: cells.insert("0", Times(7.0)),),
        "iadd": (iadd(lambda: [Times(7.0)]),),
        "iadd_cell_list": (iadd(lambda: nn.CellList([Times(7.0)])),),
        "iadd_int": (iadd(lambda: 3),),
        "set_0": (put(0, lambda: Times(7.0)),),
        "set_-1": (put(-1, lambda: Times(7.0)),),
        "set_3": (put(3, lambda: Times(7.0)),),
        "set_str": (put("a", lambda: Times(7.0)),),
        "set_slice": (put(slice(0, 1), lambda: Times(7.0)),),
        "delete_0": (delete(0),),
        "delete_1": (delete(1),),
        "delete_-1": (delete(-1),),
        "delete_slice": (delete(slice(0, 2)),),
        "delete_every_other": (delete(slice(None, None, 2)),),
        "delete_3": (delete(3),),
        "delete_-4": (delete(-4),),
        "delete_str": (delete("0"),),
        "pop": (lambda cells: cells.pop(),),
        "call": (lambda cells: cells(x()),),
    },
    message=True,
)
def cell_list_change(change):
    cells = nn.CellList(three())
    given = change(cells)
    return given is cells, described(cells)


@case.table(
    {
        "append": (lambda cells: cells.append(Times(7.0)),),
        "insert": (lambda cells: cells.insert(0, Times(7.0)),),
        "extend": (lambda cells: cells.extend([Times(7.0)]),),
        "set": (put(1, lambda: Times(7.0)),),
        "delete": (delete(0),),
    }
)
def cell_list_change_in_a_cell(change):
    return changed_in_a_cell(nn.CellList, change)


def appended(empty):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = empty()
            self.body.append(Times(2.0))
            self.body.append(Times(3.0))
            self.other = empty()
            self.other.append(Times(5.0))

    return Net()


@case.table({"list": (lambda: nn.CellList(),), "sequential": (lambda: nn.SequentialCell(),)})
def appended_after_it_was_attached(empty):
    net = appended(empty)
    outer = nn.SequentialCell(net)
    return repr(net), [(path, p.name) for path, p in outer.parameters_and_names()]


@case.table({"list": (lambda: nn.CellList(),), "sequential": (lambda: nn.SequentialCell(),)})
def names_after_appending(empty):
    net = appended(empty)
    return [(path, p.name) for path, p in net.parameters_and_names()]


@case.table(
    {"list": (lambda: nn.CellList(three()),), "sequential": (lambda: nn.SequentialCell(three()),)}
)
def names_after_slicing(make):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = make()

    net = Net()
    part = net.body[1:]
    return [[(path, p.name) for path, p in cell.parameters_and_names()] for cell in (part, net)]


@case
def appended_to_a_slice():
    cells = nn.SequentialCell(three())
    part = cells[1:]
    part.append(Times(7.0))
    return described(part), described(cells)


@case
def deleted_from_a_slice():
    part = nn.SequentialCell(three())[1:]
    del part[0]
    return described(part)


@case
def ordered_appended_and_deleted():
    cells = nn.SequentialCell(OrderedDict(zip("abc", three(), strict=True)))
    cells.append(Times(7.0))
    del cells[0]
    return described(cells)


@case
def cell_list_iterates():
    cells = nn.CellList(three())
    return [cell.w for cell in cells], cells[1] in cells, [type(c) for c in reversed(cells)]


@case
def cell_list_in_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = nn.CellList(three())

        def construct(self, x):
            for cell in self.body:
                x = cell(x)
            return x

    net = Net()
    return net(x()), ms.grad(net, None, net.trainable_params())(x())


@case
def cell_list_set_grad():
    cells = nn.CellList(three())
    given = cells.set_grad(True)
    return given is cells, cells.requires_grad, [cell.requires_grad for cell in cells]


def pairs():
    return list(zip("abc", three(), strict=True))


@case.table(
    {
        "empty": (lambda: nn.CellDict(),),
        "pairs": (lambda: nn.CellDict(pairs()),),
        "dict": (lambda: nn.CellDict(dict(pairs())),),
        "ordered": (lambda: nn.CellDict(OrderedDict(pairs())),),
        "cell_dict": (lambda: nn.CellDict(nn.CellDict(pairs())),),
        "tuples": (lambda: nn.CellDict(tuple(pairs())),),
        "zip": (lambda: nn.CellDict(zip("abc", three(), strict=True)),),
        "lists": (lambda: nn.CellDict([list(pair) for pair in pairs()]),),
        "auto_prefix": (lambda: nn.CellDict(pairs(), auto_prefix=False),),
        "keyword": (lambda: nn.CellDict(a=Times(2.0)),),
    },
)
def cell_dict(make):
    cells = make()
    return described(cells), bool(cells), list(cells.keys())


@case.table(
    {
        "int": (lambda: (3,),),
        "two": (lambda: ({"a": Times(2.0)}, {"b": Times(3.0)}),),
        "key_int": (lambda: ({1: Times(2.0)},),),
        "key_dot": (lambda: ({"a.b": Times(2.0)},),),
        "key_empty": (lambda: ({"": Times(2.0)},),),
        "key_of_a_method": (lambda: ({"keys": Times(2.0)},),),
        "value_int": (lambda: ({"a": 3},),),
        "value_None": (lambda: ({"a": None},),),
        "value_cell_list": (lambda: ({"a": nn.CellList(three())},),),
        "value_sequential": (lambda: ({"a": nn.SequentialCell(three())},),),
        "value_cell_dict": (lambda: ({"a": nn.CellDict(pairs())},),),
        "triples": (lambda: ([("a", Times(2.0), 3)],),),
        "list_of_cells": (lambda: (three(),),),
        "list_of_int": (lambda: ([3],),),
        "None": (lambda: (None,),),
        "str": (lambda: ("ab",),),
    },
    message=True,
)
def cell_dict_errors(make):
    return described(nn.CellDict(*make()))


@case.table(
    {
        "set": (put("d", lambda: Times(7.0)),),
        "set_existing": (put("a", lambda: Times(7.0)),),
        "set_int": (put("a", lambda: 3),),
        "set_key_int": (put(0, lambda: Times(7.0)),),
        "set_key_dot": (put("a.b", lambda: Times(7.0)),),
        "delete": (delete("a"),),
        "delete_missing": (delete("z"),),
        "pop": (lambda cells: cells.pop("b").w,),
        "pop_missing": (lambda cells: cells.pop("z"),),
        "clear": (lambda cells: cells.clear(),),
        "update_dict": (lambda cells: cells.update({"a": Times(7.0), "d": Times(11.0)}),),
        "update_pairs": (lambda cells: cells.update([("d", Times(7.0))]),),
        "update_cell_dict": (lambda cells: cells.update(nn.CellDict({"d": Times(7.0)})),),
        "update_int": (lambda cells: cells.update(3),),
        "update_value_int": (lambda cells: cells.update({"a": 3}),),
        "get": (lambda cells: cells["b"].w,),
        "get_missing": (lambda cells: cells["z"],),
        "get_int": (lambda cells: cells[0],),
        "attribute": (lambda cells: cells.b.w,),
        "contains": (lambda cells: ("a" in cells, "z" in cells),),
        "iterate": (lambda cells: list(cells),),
        "keys": (lambda cells: list(cells.keys()),),
        "values": (lambda cells: [cell.w for cell in cells.values()],),
        "items": (lambda cells: [(key, cell.w) for key, cell in cells.items()],),
        "call": (lambda cells: cells(x()),),
        "set_attribute": (lambda cells: setattr(cells, "d", Times(7.0)),),
    },
    message=True,
)
def cell_dict_change(change):
    cells = nn.CellDict(pairs())
    given = change(cells)
    return given is cells, None if given is cells else given, described(cells)


@case
def cell_dict_in_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = nn.CellDict(pairs())

        def construct(self, x):
            for key in ("b", "c"):
                x = self.body[key](x)
            return x

    net = Net()
    return net(x()), repr(net), [(path, p.name) for path, p in net.parameters_and_names()]
