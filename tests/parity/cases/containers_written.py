"""Lists and dicts that a Cell or function is given and writes to: who sees it afterwards."""

import mindspore as ms
from mindspore import Parameter, nn

from tests.parity.case import case
from tests.parity.outcome import numbers


class DictSet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(numbers(2), name="w")

    def construct(self, given, x):
        given["y"] = x * self.weight
        return given["y"] + 1


class DictReplaced(nn.Cell):
    def construct(self, given, x):
        given["x"] = x * 2
        return given


class ListSet(nn.Cell):
    def construct(self, given, x):
        given[0] = x * 2
        return given[0]


class ListReturned(nn.Cell):
    def construct(self, given, x):
        given[0] = x * 2
        return given


class ListAppended(nn.Cell):
    def construct(self, given, x):
        given.append(x * 2)
        return given[1]


class ListInList(nn.Cell):
    def construct(self, given, x):
        given[0][0] = x * 2
        given[0].append(x)
        return given[0][0]


GIVEN = {
    "dict_set": (DictSet, lambda: {"x": numbers(2)}),
    "dict_replaced": (DictReplaced, lambda: {"x": numbers(2)}),
    "list_set": (ListSet, lambda: [numbers(2)]),
    "list_returned": (ListReturned, lambda: [numbers(2)]),
    "list_appended": (ListAppended, lambda: [numbers(2)]),
    "list_in_list": (ListInList, lambda: [[numbers(2)]]),
}


@case.table(GIVEN)
def by_a_cell(kind, make):
    given, net = make(), kind()
    return net(given, numbers(2)), given, net(given, numbers(2) + 1), given


@case.table(GIVEN)
def by_a_cell_that_trains(kind, make):
    given, net = make(), kind()
    net.set_grad()
    return net(given, numbers(2)), given


@case.table(GIVEN)
def by_a_jitted_function(kind, make):
    given, net = make(), kind()

    @ms.jit
    def run(given, x):
        return net(given, x)

    return run(given, numbers(2)), given, run(given, numbers(2) + 1), given


class Cached(nn.Cell):
    def construct(self, x, cache):
        cache.append(x)
        return x * len(cache)


class TwoCached(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = Cached(), Cached()

    def construct(self, x):
        cache = []
        x = self.second(self.first(x, cache), cache)
        return x, cache


@case
def by_inner_cells():
    return TwoCached()(numbers(2))


@case
def by_inner_cells_gradient():
    return ms.grad(TwoCached())(numbers(2))


class Unchanged(nn.Cell):
    def construct(self, given):
        return given


class WritesWhatIsReturned(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Unchanged()

    def construct(self, x):
        given = [x]
        self.inner(given).append(x * 2)
        return given


@case
def returned_by_an_inner_cell():
    return WritesWhatIsReturned()(numbers(2))


class ByKeyword(nn.Cell):
    def construct(self, x, *, cache):
        cache["k"] = x * 2
        return x


@case
def by_keyword():
    cache = {}
    return ByKeyword()(numbers(2), cache=cache), cache
