"""``jit``: every form of calling it, on all that can be called, with every kind of argument."""

import copy
import dataclasses
import functools
import gc
import warnings
import weakref

import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

X = np.array([1.0, 2.0], np.float32)


def x():
    return Tensor(X)


class Scale(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.factor = Parameter(Tensor(factor), name="factor")

    @ms.jit
    def construct(self, x):
        return x * self.factor

    @ms.jit
    def twice(self, x, add=0.0):
        return x * self.factor * 2 + add


def test_methods_of_cells_are_compiled_for_each_cell_and_dropped_with_it():
    one, two = Scale(2.0), Scale(3.0)
    for _ in range(2):
        assert one(x()).asnumpy().tolist() == [2, 4]
        assert two.twice(x(), add=1.0).asnumpy().tolist() == [7, 13]
        assert one.twice(x()).asnumpy().tolist() == [4, 8]
    copied = copy.deepcopy(one)
    copied.factor.set_data(Tensor(5.0))
    assert copied(x()).asnumpy().tolist() == [5, 10]
    assert one(x()).asnumpy().tolist() == [2, 4]
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None


def test_methods_of_other_objects():
    class Model:
        def __init__(self, factor):
            self.weight = Parameter(Tensor(X), name="w")
            self.factor = factor

        @ms.jit
        def step(self, x):
            ops.assign_add(self.weight, x)
            return self.weight * self.factor

        @classmethod
        @ms.jit
        def made(cls, x):
            return x * 3

        @staticmethod
        @ms.jit
        def plain(x):
            return x * 4

    one, two = Model(1.0), Model(10.0)
    assert one.step(x()).asnumpy().tolist() == [2, 4]
    assert two.step(x()).asnumpy().tolist() == [20, 40]
    assert one.step(x()).asnumpy().tolist() == [3, 6]
    assert Model.step.stats.compiles == 2
    assert Model.made(x()).asnumpy().tolist() == [3, 6]
    assert Model.plain(x()).asnumpy().tolist() == [4, 8]
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None
    assert two.step(x()).asnumpy().tolist() == [30, 60]


def test_a_jitted_cell_stays_a_cell_and_so_does_its_copy():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    assert ms.jit(net) is net
    row = Tensor(X.reshape(1, 2))
    assert [net(row).item() for _ in range(3)] == [3, 3, 3]
    other = copy.deepcopy(net)
    other.weight.set_data(other.weight * 2)
    assert (other(row).item(), net(row).item()) == (6, 3)
    gradient = ms.grad(net, None, net.trainable_params())(row)
    assert [g.asnumpy().tolist() for g in gradient] == [[[1, 2]], [1]]


@pytest.mark.parametrize(
    "function",
    [
        functools.partial(lambda a, b: a * b, b=3.0),
        functools.partial(lambda b, a: a * b, 3.0),
        lambda a: ms.jit(lambda b: b * 3.0)(a),
    ],
    ids=["keyword", "position", "nested"],
)
def test_what_can_be_compiled(function):
    fast = ms.jit(function)
    for _ in range(2):
        assert fast(x()).asnumpy().tolist() == [3, 6]
    assert (fast.stats.compiles, fast.stats.hits) == (1, 1)


def test_classes_and_builtins_are_given_back():
    assert ms.jit(nn.ReLU) is nn.ReLU
    assert ms.jit(len) is len
    assert ms.jit("text") == "text"


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"capture_mode": "foo"}, ValueError, "'capture_mode' must be one of"),
        ({"jit_level": "O2"}, ValueError, "'jit_level' must be one of"),
        ({"dynamic": 7}, ValueError, r"one of \[0, 1\]"),
        ({"dynamic": True}, TypeError, "must be int"),
        ({"fullgraph": 3}, TypeError, "must be bool, but got 3"),
    ],
)
def test_options_that_mindspore_refuses(options, error, text):
    with pytest.raises(error, match=text):
        ms.jit(lambda x: x, **options)
    with pytest.raises(error, match=text):
        ms.jit(**options)


def test_options_that_are_accepted():
    options = {"jit_config": 3, "input_signature": x(), "hash_args": 1, "backend": "GE"}
    assert ms.jit(lambda x: x + 1, **options)(x()).asnumpy().tolist() == [2, 3]


@dataclasses.dataclass(frozen=True)
class Frozen:
    factor: float


class Opaque:
    def __init__(self, factor):
        self.factor = factor


class Slotted:
    __slots__ = ("factor",)

    def __init__(self, factor):
        self.factor = factor


@pytest.mark.parametrize(
    ("argument", "same", "other"),
    [
        (lambda: 2, True, lambda: 3),
        (lambda: 2.5, True, lambda: -2.5),
        (lambda: 0.0, True, lambda: -0.0),
        (lambda: 1, True, lambda: True),
        (lambda: "a", True, lambda: "b"),
        (lambda: None, True, lambda: 1),
        (lambda: (1, [2, {"a": 3}]), True, lambda: (1, [2, {"a": 4}])),
        (lambda: ms.float32, True, lambda: ms.float16),
        (lambda: np.float32(2), True, lambda: np.float32(3)),
        (lambda: np.arange(4), True, lambda: np.arange(4)[::-1]),
        (lambda: np.arange(4), True, lambda: np.arange(4, dtype=np.int32)),
        (lambda: Frozen(2.0), True, lambda: Frozen(3.0)),
        (lambda: Opaque(2.0), False, lambda: Opaque(2.0)),
        (lambda: Slotted(2.0), False, lambda: Slotted(2.0)),
        (lambda: slice(1, 2), False, lambda: slice(2, 3)),
        (lambda: {1, 2}, False, lambda: {1}),
        (lambda: ops.relu, True, lambda: ops.tanh),
    ],
)
def test_constants_are_told_apart(argument, same, other):
    seen = []

    @ms.jit
    def function(x, constant):
        seen.append(constant)
        return x * 2

    first, again = argument(), argument() if same else None
    function(x(), first)
    function(x(), first if again is None else again)
    function(x(), constant=first)
    assert function.stats.compiles == 2
    function(x(), second := other())
    assert function.stats.compiles == 3
    # A list or dict comes as a copy.
    assert seen[-1] is second or seen[-1] == second
    assert function.stats.fallbacks == {}


def test_objects_in_keys_are_not_kept_alive():
    function = ms.jit(lambda x, o: x * o.factor)
    found = []
    for factor in range(30):
        thing = Opaque(float(factor))
        found += [function(x(), thing)[0].item() for _ in range(2)]
    assert found[::2] == found[1::2] == list(range(30))
    gone = weakref.ref(thing)
    del thing
    gc.collect()
    assert gone() is None


def test_raw_arrays_are_inputs():
    kinds = []

    @ms.jit
    def function(x, raw):
        kinds.append(hasattr(raw, "at"))
        return x + raw.at[0].set(0.0) if kinds[-1] else x

    for factor in (1.0, 2.0):
        out = function(x(), jnp.asarray(X * factor))
        assert out.asnumpy().tolist() == [1, 2 + 2 * factor]
    assert kinds == [True]
    assert function.stats.compiles == 1


def test_defaults_keywords_and_structures():
    @ms.jit
    def function(a, b=2.0, *rest, scale, **more):
        return (a * b + sum(rest)) * scale + more["extra"]["shift"][0]

    for _ in range(2):
        out = function(x(), 3.0, x(), x(), scale=x(), extra={"shift": (x(),)})
        assert out.asnumpy().tolist() == [6, 22]
    assert function.stats.compiles == 1


def test_numbers_in_mutable_are_followed():
    function = ms.jit(lambda x, n: x * n)
    assert [function(x(), ms.mutable(n))[0].item() for n in (2, 3, 2)] == [2, 3, 2]


def test_compiled_functions_inside_compiled_functions():
    inner = ms.jit(lambda x: x * 2)
    outer = ms.jit(lambda x: inner(x) + inner(x + 1))
    for _ in range(2):
        assert outer(x()).asnumpy().tolist() == [6, 10]
    assert (outer.stats.compiles, inner.stats.compiles) == (1, 0)
    assert ms.grad(outer)(x()).asnumpy().tolist() == [4, 4]


def test_stats_have_names_and_are_dropped():
    def named(x):
        return x

    fast = ms.jit(named)
    again = ms.jit(named)
    fast(x())
    names = [n for n in ms.jit_stats() if "test_stats_have_names" in n]
    assert sorted(names) == sorted([named.__qualname__, f"{named.__qualname__} (2)"])
    assert {id(ms.jit_stats()[n]) for n in names} == {id(fast.stats), id(again.stats)}
    del fast, again
    gc.collect()
    assert not [n for n in ms.jit_stats() if "test_stats_have_names" in n]


def test_reasons_are_bounded():
    @ms.jit
    def asking(x, n):
        raise_at = compile(f"\n\n\n{'int(x.sum())'}", f"file{n}", "exec")
        exec(raise_at, {"x": x})
        return x

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(40):
            asking(x(), n)
    assert len(asking.stats.fallbacks) <= 32
    assert len(caught) == 40
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asking(x(), 39)


def test_an_error_in_the_arguments_is_that_of_python():
    function = ms.jit(lambda a: a)
    with pytest.raises(TypeError, match="positional argument"):
        function(x(), x())
    assert function.stats.fallbacks == {}


def test_hooks_that_come_and_go_are_seen():
    weight = Parameter(Tensor(X), name="w")
    cell = nn.ReLU()
    gradient = ms.jit(ms.grad(lambda x: (cell(x) * weight).sum(), None, weight))
    assert gradient(x()).asnumpy().tolist() == [1, 2]
    first = weight.register_hook(lambda g: g * 10)
    assert gradient(x()).asnumpy().tolist() == [10, 20]
    second = weight.register_hook(lambda g: g + 1)
    assert gradient(x()).asnumpy().tolist() == [11, 21]
    first.remove()
    assert gradient(x()).asnumpy().tolist() == [2, 3]
    second.remove()
    handles = []
    for times in (1, 2, 3):
        handles.append(cell.register_forward_hook(lambda cell, inputs, out: out * 2))
        assert gradient(x()).asnumpy().tolist() == [2**times, 2 * 2**times]
    for handle in handles:
        handle.remove()
    assert gradient(x()).asnumpy().tolist() == [1, 2]


class Listed(nn.Cell):
    def __init__(self):
        self.first = 1  # Before that of Cell, as MindSpore allows.
        super().__init__()
        self.layers = nn.CellList([nn.Tanh(), nn.ReLU()])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@pytest.mark.parametrize(
    "made",
    [lambda x: nn.CrossEntropyLoss()(x, x), lambda x: nn.LeakyReLU(0.1)(x), lambda x: Listed()(x)],
)
def test_layers_made_in_a_call_are_nothing_that_the_next_call_looks_for(made):
    @ms.jit
    def fn(x):
        return made(x).sum()

    values = [fn(x()).asnumpy().tolist() for _ in range(3)]
    assert values == [made(x()).sum().asnumpy().tolist()] * 3
    [stats] = [stats for name, stats in ms.jit_stats().items() if fn.__qualname__ in name]
    assert (stats.compiles, stats.hits) == (1, 2)
