"""What holds an operator can be pickled and copied; a function comes back as the same object."""

from __future__ import annotations

import contextlib
import copy
import functools
import gc
import importlib
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._core.op import Array, Operator, operator

# ``grad`` and others are functions of a module, and so is what they are listed under.
MODULES = ("msgrad", "msgrad.ops", "msgrad.ops.operations", "msgrad.ops.functional", "msgrad.nn")


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": pickled,
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))


@each_way
@pytest.mark.parametrize("module", MODULES)
def test_what_is_public_is_found_again_by_its_name(module, way):
    found = importlib.import_module(module)
    values = {name: getattr(found, name) for name in found.__all__}
    values = {n: v for n, v in values.items() if callable(v) and not isinstance(v, ops.Primitive)}
    assert len(values) > 100
    assert [name for name, value in values.items() if way(value) is not value] == []


@each_way
def test_every_operator_that_there_is(way):
    gc.unfreeze()  # What conftest put aside.
    found = [value for value in gc.get_objects() if type(value) is Operator]
    gc.freeze()
    assert len(found) > 250
    assert [op for op in found if way(op) is not op] == []


@each_way
def test_the_methods_of_tensor(way):
    names = [n for n in dir(Tensor) if callable(getattr(Tensor, n)) and not n.startswith("__")]
    assert len(names) > 100
    functions = {name: getattr(Tensor, name) for name in names}
    assert [name for name, value in functions.items() if way(value) is not value] == []
    assert way(Tensor([-1.0]).abs)().asnumpy().tolist() == [1.0]


def instances(base: type, module: Any) -> Iterator[Any]:
    """Yield one object of each class that can be made of a few numbers."""
    for name in module.__all__:
        cls = getattr(module, name)
        if not (isinstance(cls, type) and issubclass(cls, base)):
            continue
        for count in range(4):
            with contextlib.suppress(TypeError, ValueError, RuntimeError, AttributeError):
                yield cls(*[2] * count)
                break


def shown(value: Any) -> str:
    """Return how it is printed, without addresses."""
    return re.sub("0x[0-9a-f]+", "", repr(value))


@each_way
def test_primitives_keep_their_options(way):
    found = list(instances(ops.Primitive, ops))
    assert len(found) > 200
    for one in found:
        other = way(one)
        assert type(other) is type(one)
        assert shown(other) == shown(one)
        assert shown(vars(other)) == shown(vars(one))


@each_way
@pytest.mark.parametrize(
    "make",
    [ops.ReLU, lambda: ops.ReduceSum(keep_dims=True), lambda: ops.Softmax(0), lambda: ops.Pow()],
)
def test_primitives_compute_as_before(way, make):
    one = make()
    args = [Tensor([[1.0, -2.0]])] * (2 if isinstance(one, ops.Pow) else 1)
    np.testing.assert_array_equal(way(one)(*args).asnumpy(), one(*args).asnumpy())


@each_way
def test_cells(way):
    found = list(instances(nn.Cell, nn))
    assert len(found) > 60
    for one in found:
        other = way(one)
        assert shown(other) == shown(one)
        weights = [p.asnumpy() for p in one.get_parameters()]
        np.testing.assert_equal([p.asnumpy() for p in other.get_parameters()], weights)


total = ops.MultitypeFuncGraph("total")


@total.register("Tensor")
def _total_of_tensor(value):
    return value.sum()


@ops.constexpr
def doubled(value):
    return 2 * value


def halved(gradient):
    return gradient / 2


class Holder(nn.Cell):
    """Holds operators in every way that programs do."""

    def __init__(self):
        super().__init__()
        self.act = ops.relu
        self.alias = ops.less_equal
        self.functions = [ops.tanh, ops.concat]
        self.table = {"sum": ops.ReduceSum(keep_dims=True)}
        self.partial = ops.partial(ops.add, Tensor([1.0]))
        self.keywords = functools.partial(ops.concat, axis=0)
        self.primitive = ops.ReLU()
        self.map = ops.HyperMap(ops.square)
        self.graph = total
        self.number = doubled
        self.dtype = ms.float16
        self.insert = ops.InsertGradientOf(halved)
        self.bound = Tensor([-3.0]).abs

    def construct(self, x):
        x = self.act(x) + self.primitive(x)
        x = self.table["sum"](self.partial(x), 0)
        x = self.insert(self.keywords([x, self.bound(), x]))
        return self.graph(self.map((x,))[0]) * self.number(1), self.dtype


@each_way
def test_a_cell_that_holds_operators(way):
    net = Holder()
    other = way(net)
    for name in ("act", "alias", "number", "dtype"):
        assert getattr(other, name) is getattr(net, name)
    assert all(a is b for a, b in zip(other.functions, net.functions, strict=True))
    x = Tensor([1.0, -2.0])
    assert float(other(x)[0]) == float(net(x)[0])
    assert other(x)[1] is ms.float16
    gradient = ms.grad(other)(x).asnumpy()
    np.testing.assert_array_equal(gradient, ms.grad(net)(x).asnumpy())
    assert gradient.tolist() == [32.0, 0.0]
    compiled = ms.jit(lambda v: other(v)[0])
    assert float(compiled(x)) == float(net(x)[0])


@pytest.mark.parametrize("way", [pickled, copy.deepcopy])
def test_a_copied_network_keeps_its_own_weights(way):
    net = nn.SequentialCell(nn.Dense(2, 2, activation=ops.ReLU()), nn.Dense(2, 1))
    other = way(net)
    before = net(Tensor(np.ones((1, 2), np.float32))).asnumpy()
    for weight in other.trainable_params():
        weight.set_data(weight * 0)
    np.testing.assert_array_equal(net(Tensor(np.ones((1, 2), np.float32))).asnumpy(), before)


def test_an_operator_of_no_module_says_so():
    def kernel(x: Array) -> Array:
        return x

    with pytest.raises(pickle.PicklingError, match="assign it to a name"):
        pickle.dumps(operator("Mine")(kernel))


def test_names_under_which_an_operator_was_pickled_stay():
    # As functions: by module and name.
    for name in ("relu", "add", "concat", "abs", "less_equal"):
        assert pickle.loads(b"cmsgrad.ops\n" + name.encode() + b"\n.") is getattr(ops, name)
    assert b"msgrad.ops" in pickle.dumps(ops.relu, protocol=0)
    assert sys.modules["msgrad.ops"] is ops
