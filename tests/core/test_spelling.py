"""Spellings: what a text says is the function's signature, and what comes is passed on as it says.

The texts of ``mint`` are those of MindSpore 2.10; its functions are rows of such texts.
"""

from __future__ import annotations

import inspect
import sys

import numpy as np
import pytest

from msgrad import Tensor, ops
from msgrad._core import registry
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, MsgradError, ParameterNameError
from msgrad._core.spelling import ABSENT, spelled, spellings_in

X = np.array([[1.0, 4.0], [2.0, 8.0]], np.float32)

# Row, its text in mint, its signature there, a call and what numpy says of it.
MINT = {
    "sum": (
        ops.sum,
        "sum(input, dim=None, keepdim=False, *, dtype=None)",
        "(input, dim=None, keepdim=False, *, dtype=None)",
        lambda f: f(Tensor(X), dim=1, keepdim=True),
        X.sum(1, keepdims=True),
    ),
    "mean": (
        ops.mean,
        "mean(input: x, dim: axis = None, keepdim: keep_dims = False, *, dtype=None)",
        "(input, dim=None, keepdim=False, *, dtype=None)",
        lambda f: f(input=Tensor(X), dim=0),
        X.mean(0),
    ),
    "var": (
        ops.var,
        "var(input, dim: axis = None, *, correction: ddof = 1, keepdim: keepdims = False)",
        "(input, dim=None, *, correction=1, keepdim=False)",
        lambda f: f(Tensor(X), 1),
        X.var(1, ddof=1),
    ),
    "div": (
        ops.div,
        "div(input, other, *, rounding_mode=None)",
        "(input, other, *, rounding_mode=None)",
        lambda f: f(Tensor(X), 3, rounding_mode="floor"),
        X // 3,
    ),
    # A parameter that is left out stays as the function has it.
    "cumsum": (
        ops.cumsum,
        "cumsum(input: x, dim: axis, dtype=None)",
        "(input, dim, dtype=None)",
        lambda f: f(Tensor(X), 0),
        X.cumsum(0),
    ),
    # As in numpy: another order, defaults of its own.
    "amax": (
        ops.amax,
        "amax(a: input, keepdims=True, axis=0)",
        "(a, keepdims=True, axis=0)",
        lambda f: f(Tensor(X)),
        X.max(0, keepdims=True),
    ),
}


@pytest.mark.parametrize("name", MINT)
def test_a_spelling_has_its_own_signature(name):
    target, text, signature, call, wanted = MINT[name]
    ((label, parameters),) = spellings_in(text, [name])
    made = spelled(target, label, parameters)
    plain = [p.replace(annotation=p.empty) for p in inspect.signature(made).parameters.values()]
    assert str(inspect.Signature(plain)) == signature
    assert made.__name__ == name
    assert made.__doc__ == target.__doc__
    np.testing.assert_allclose(call(made).asnumpy(), wanted, rtol=1e-6)


def test_texts():
    assert list(spellings_in(False, ["own"])) == []
    assert list(spellings_in(True, ["own", "alias"])) == [("own", None), ("alias", None)]
    found = list(spellings_in("add (a=(1, 2), *) add_(other)", ["Own"]))
    assert found == [("add", None), ("Own", "a=(1, 2), *"), ("add_", "other")]


def test_defaults_are_looked_up_where_the_function_stands():
    made = spelled(ops.count_nonzero, "count", "input: x, dtype=mstype.int64")
    assert made(Tensor(X)).asnumpy().dtype == np.int64


def test_another_name_of_an_argument():
    made = spelled(ops.cumsum, "cumsum", bound=True, also={"dim": "axis"})
    names = list(inspect.signature(made).parameters)
    assert names == ["self", "axis", "dtype", "exclusive", "reverse", "dim"]
    for given in ({"dim": 1}, {"axis": 1}):
        np.testing.assert_allclose(made(Tensor(X), **given).asnumpy(), X.cumsum(1))
    with pytest.raises(ArgumentTypeError, match=r"cumsum\(\) missing .*'axis'"):
        made(Tensor(X))
    assert repr(ABSENT) == "..."


def test_a_method_passes_on_all_kinds_of_parameters():
    def several(first, /, *rest, named=1, **others):
        return first, rest, named, others

    several.__module__ = __name__
    assert __name__ in sys.modules
    made = spelled(several, "several", bound=True)
    kinds = [p.kind for p in inspect.signature(made).parameters.values()]
    assert kinds[1:] == [p.kind for p in inspect.signature(several).parameters.values()][1:]
    assert made(0, 1, 2, named=3, more=4) == (0, (1, 2), 3, {"more": 4})


METHODS = {
    name: value
    for name, value in vars(Tensor).items()
    if inspect.isfunction(value) and name[:2] != "__"
}


def test_every_method_of_operators_has_a_name_of_its_own():
    assert len(METHODS) > 200
    said = [
        name for row in registry.ROWS.values() for name, _ in spellings_in(row.method, row.names)
    ]
    own = {name: METHODS[name] for name in [*said, *registry.METHODS] if name in METHODS}
    assert len(own) > 200
    assert [n for n, f in own.items() if not f.__doc__] == []
    assert [n for n, f in own.items() if (f.__name__, f.__qualname__) != (n, f"Tensor.{n}")] == []


def test_every_method_that_a_row_says_tells_its_parameters():
    for row in registry.ROWS.values():
        for name, _ in spellings_in(row.method, row.names):
            made = METHODS[name]
            kinds = {p.kind for p in inspect.signature(made).parameters.values()}
            assert inspect.Parameter.VAR_KEYWORD not in kinds, name
            assert next(iter(inspect.signature(made).parameters)) == "self"
            assert made.__doc__ == row.target.__doc__


REFUSED = {
    "ReduceSum": lambda: ops.reduce_sum(Tensor(X), 5),
    "topk": lambda: ops.topk(Tensor(X), 2, 7),
    "Add": lambda: ops.add(Tensor(X), Tensor(np.ones(3, np.float32))),
    "Var": lambda: ops.var(Tensor(X > 2)),
    "MaxPool3D": lambda: ops.MaxPool3D(pad_mode="other")(Tensor(np.ones((1, 1, 2, 2, 2)))),
    "select": lambda: Tensor(X).select(5, 0),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_error_of_a_helper_names_the_operator(name):
    with pytest.raises(MsgradError, match=f"^For '{name}', .*(but got|must be|cast it)"):
        REFUSED[name]()


def test_an_error_is_named_once_and_stays_itself():
    error = ParameterNameError("no such parameter", 3)

    @checked
    def inner():
        raise error

    @checked
    def outer():
        inner()

    with pytest.raises(ParameterNameError) as raised:
        outer()
    assert raised.value is error
    assert error.args == ("For 'inner', no such parameter", 3)
