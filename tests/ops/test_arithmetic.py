"""Arithmetic: promotion of every pair of dtypes, gradients, the symbols of the Tensor class."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jax.test_util import check_grads

import msgrad as ms
from msgrad import Parameter, Tensor, ops
from msgrad.ops import arithmetic

RECORDING = Path(__file__).parents[1] / "parity" / "recordings" / "tensor_arith.json"
ROWS = {
    name: dict(outcome["returns"]["dict"])
    for name, outcome in json.loads(RECORDING.read_text())["cases"].items()
    if name.startswith("promotion[")
}
PAIRS = sorted((name, other) for name, row in ROWS.items() for other in row)
SYMBOLS = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "**": lambda x, y: x**y,
    "<": lambda x, y: x < y,
}


@settings(max_examples=60, deadline=None)
@given(pair=st.sampled_from(PAIRS), shape=st.sampled_from([(), (1,), (2, 1), (3,)]))
def test_promotion_is_that_of_mindspore_for_every_shape(
    pair: tuple[str, str], shape: tuple[int, ...]
) -> None:
    name, right = pair
    left, symbol = name.removeprefix("promotion[").removesuffix("]").split(" ")
    # A factor of no dimension does not widen the other: the cases of `casts`.
    assume(shape != () or symbol not in "*/")
    x = Tensor(np.ones(shape), getattr(ms, left))
    y = Tensor(np.ones((3,)), getattr(ms, right))
    want = ROWS[name][right]
    if want.endswith("Error"):
        with pytest.raises(TypeError):
            SYMBOLS[symbol](x, y)
    else:
        result = SYMBOLS[symbol](x, y)
        assert (str(result.dtype), result.shape) == (want, np.broadcast_shapes(shape, (3,)))


SMOOTH = {
    name: getattr(arithmetic, name).kernel
    for name in (
        *("add", "sub", "mul", "true_divide", "maximum", "minimum", "atan2", "hypot", "xlogy"),
        *("logaddexp", "floor_mod", "fmod", "_pow", "_squared_difference", "tensor_div"),
    )
}


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_of_first_and_second_order(name: str) -> None:
    x = np.array([[0.7, 1.9], [2.3, 0.4]], np.float32)
    y = np.array([1.3, 0.9], np.float32)
    check_grads(SMOOTH[name], (x, y), order=2, rtol=2e-2, atol=2e-2, eps=1e-2)


@pytest.mark.parametrize("exponent", [1, 2, 3, 4])
def test_the_short_way_of_small_powers_agrees_with_the_long_one(exponent: int) -> None:
    x = Tensor([-1.5, 0.0, 2.0])
    long = ms.grad(lambda x: x ** float(exponent))(x)
    short = ms.grad(lambda x: x**exponent)(x)
    np.testing.assert_allclose(short.asnumpy(), long.asnumpy(), rtol=1e-6)
    assert (Tensor([True, False]) ** exponent).dtype == ms.int64


def test_a_negative_base_has_a_gradient_when_the_exponent_is_a_constant() -> None:
    gradient = ms.grad(lambda x: x ** Tensor([3.0, 2.5]))(Tensor([-2.0, 4.0]))
    np.testing.assert_allclose(gradient.asnumpy(), [12.0, 20.0], rtol=1e-6)


def test_results_are_never_weakly_typed() -> None:
    for result in (ops.add(2, 3), Tensor(1.0) + 2, 2 ** Tensor(3), ops.div(1, 2)):
        assert not result._read().weak_type


def test_a_float_number_keeps_its_bits_beside_float64() -> None:
    x = Tensor(np.array([1.0]))
    assert (x * 0.1).asnumpy()[0] == 0.1
    assert (Tensor([1]) + 2**40).asnumpy()[0] == 2**40 + 1


def test_alpha_and_beta_of_one_value_and_two_types_do_not_share_a_program() -> None:
    x = Tensor([1, 2])
    assert x.add(x, alpha=2).dtype == ms.int64
    assert x.add(x, alpha=2.0).dtype == ms.float32


@pytest.mark.parametrize("symbol", ["__lshift__", "__rshift__", "__divmod__", "__rdivmod__"])
def test_symbols_mindspore_lacks_are_lacking_on_parameters_too(symbol: str) -> None:
    weight = Parameter(Tensor([3, 4]), name="w")
    assert getattr(weight, symbol)(2) is NotImplemented


def test_reflected_bitwise_symbols_work() -> None:
    assert (6 & Tensor([3, 4])).asnumpy().tolist() == [2, 4]
    assert (1 | Parameter(Tensor([2, 4]), name="w")).asnumpy().tolist() == [3, 5]
