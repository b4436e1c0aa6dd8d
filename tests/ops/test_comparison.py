"""Comparisons: symbols with anything, logical functions of numbers, closeness."""

from __future__ import annotations

import numpy as np
import pytest

from msgrad import Parameter, Tensor, ops


@pytest.mark.parametrize("other", [None, "a", [1.0], (1.0,), {}, object(), np.ones(1), 1j])
def test_equality_with_other_kinds_is_a_python_bool(other: object) -> None:
    x = Tensor([1.0])
    assert (x == other) is False
    assert (x != other) is True


def test_hash_is_of_the_object_and_membership_of_lists_works() -> None:
    x, w = Tensor([1.0, 2.0]), Parameter(Tensor([1.0]), name="w")
    assert {x: 1, w: 2}[x] == 1
    assert x in [x]


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_logical_functions_take_bools_and_no_numbers(name: str) -> None:
    want = getattr(np, name)([0.0, 2.0], True)
    assert getattr(ops, name)(Tensor([0.0, 2.0]), True).asnumpy().tolist() == want.tolist()
    with pytest.raises(TypeError, match="must be a Tensor"):
        getattr(ops, name)(Tensor([0.0, 2.0]), 3)


def test_complex_tensors_have_no_order() -> None:
    z = ops.Complex()(Tensor([1.0]), Tensor([2.0]))
    assert (z == z).asnumpy().tolist() == [True]
    with pytest.raises(TypeError, match="complex64 is not supported"):
        ops.less(z, z)


def test_allclose_is_a_python_bool() -> None:
    x = Tensor([1.0, float("nan")])
    assert x.allclose(x) is False
    assert x.allclose(x, equal_nan=True) is True
    assert Tensor([1, 2]).allclose(Tensor([1, 2])) is True
