"""The comparison itself: what counts as the same outcome, and what does not."""

from __future__ import annotations

import pytest

from tests.parity.compare import differences


def tensor(values: list, dtype: str = "Float32") -> dict:
    return {"returns": {"tensor": dtype, "shape": [len(values)], "values": values}}


def raised(*names: str, text: str = "") -> dict:
    return {"raises": [*names, "Exception", "BaseException"], "text": text}


ONE = {"tensor": "Float32", "shape": [], "values": [1.0]}


@pytest.mark.parametrize(
    ("want", "got"),
    [
        (tensor([1.0, "nan", "inf"]), tensor([1.0000005, "nan", "inf"])),
        (tensor([1.0], "Float16"), tensor([1.001], "Float16")),
        ({"returns": 0.1}, {"returns": 0.10000000149}),
        (raised("ValueError"), raised("ValueError", text="other")),
        (raised("LookupError"), raised("KeyError", "LookupError")),
        ({"returns": {"exception": raised("ValueError")}},) * 2,
        ({"returns": [{"dtype": "Float32"}, {"float": "nan"}, {"object": "ReLU"}, "s", None]},) * 2,
        ({"returns": {"complex": [0.1, 2.0]}}, {"returns": {"complex": [0.1 + 1e-9, 2.0]}}),
        ({"returns": {"dict": [["a", ONE]]}},) * 2,
    ],
)
def test_same(want: dict, got: dict) -> None:
    assert differences(want, got) == []


@pytest.mark.parametrize(
    ("want", "got"),
    [
        (tensor([1.0]), tensor([1.00001])),
        (tensor([1.0]), tensor(["nan"])),
        (tensor([1.0]), tensor([1.0], "Float64")),
        (tensor([1], "Int64"), tensor([2], "Int64")),
        (tensor([1.0]), tensor([1.0, 1.0])),
        ({"returns": ONE}, {"returns": {"tuple": [ONE]}}),
        ({"returns": [ONE]}, {"returns": {"tuple": [ONE]}}),
        ({"returns": {"tuple": []}}, {"returns": {"tuple": [], "class": "ParameterTuple"}}),
        ({"returns": 1}, {"returns": 1.0}),
        ({"returns": 1}, {"returns": True}),
        ({"returns": None}, {"returns": 0}),
        ({"returns": [1]}, {"returns": [True]}),
        ({"returns": {"dtype": "Float32"}}, {"returns": {"dtype": "Float16"}}),
        ({"returns": {"float": "inf"}}, {"returns": {"float": "-inf"}}),
        ({"returns": {"dict": [["a", 1]]}}, {"returns": {"dict": [["b", 1]]}}),
        ({"returns": {"complex": [0.1, 2.0]}}, {"returns": {"complex": [0.1, 2.1]}}),
        ({"returns": 1.0}, raised("ValueError")),
        (raised("KeyError", "LookupError"), raised("LookupError")),
        (raised("ValueError"), raised("TypeError")),
        ({"returns": 1, "prints": "a\n"}, {"returns": 1, "prints": ""}),
        ({"crashed": True}, {"returns": 1}),
    ],
)
def test_different(want: dict, got: dict) -> None:
    assert differences(want, got) != []


def test_own_tolerance() -> None:
    assert differences(tensor([1.0]), tensor([1.00001]), tol=1e-4) == []
    assert differences(tensor([1.0]), tensor([1.001]), tol=1e-4)


def test_a_message_may_say_more_but_not_less() -> None:
    want = raised("ValueError", text="must be int.")
    for text, same in (("must be int, but got 'a'.", True), ("must be", False), ("be int.", False)):
        got = raised("ValueError", text=text)
        assert (differences(want, got, message=True) == []) is same
