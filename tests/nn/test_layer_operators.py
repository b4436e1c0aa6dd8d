"""The operators that layers show: the same at each read, seen by compiled calls, kept by copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, mint, nn, ops


def doubled(operator: object) -> object:
    return lambda *inputs: operator(*inputs) * 2


def rows() -> Tensor:
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_an_operator_is_made_once_and_is_no_attribute_until_replaced() -> None:
    layer = nn.Dense(3, 2)
    assert layer.matmul is layer.matmul
    assert layer.matmul is not nn.Dense(3, 2).matmul
    assert "matmul" not in vars(layer)
    assert isinstance(layer.matmul, ops.MatMul)
    with pytest.raises(AttributeError, match="no attribute 'conv2d'"):
        _ = layer.conv2d


def test_a_layer_nobody_touched_computes_as_before() -> None:
    touched, other = nn.Dense(3, 2), nn.Dense(3, 2)
    before = other(rows()).asnumpy()
    touched.matmul = doubled(touched.matmul)
    assert np.array_equal(other(rows()).asnumpy(), before)


def test_a_compiled_call_sees_each_replacement() -> None:
    first, second = nn.Dense(3, 2, has_bias=False), nn.Dense(3, 2, has_bias=False)
    second.weight.set_data(first.weight)
    run = ms.jit(lambda x: (first(x), second(x)))
    want = first(rows()).asnumpy()
    run(rows())
    for layer, factors in ((first, (2, 1)), (second, (2, 2)), (first, (4, 2))):
        layer.matmul = doubled(layer.matmul)
        for found, factor in zip(run(rows()), factors, strict=True):
            np.testing.assert_allclose(found.asnumpy(), factor * want, rtol=1e-5)


def test_a_cell_in_place_of_an_operator_is_a_child_cell() -> None:
    layer = nn.Dense(3, 3, has_bias=False)
    layer.bias_add = nn.ReLU()
    layer.activation = nn.ReLU()
    layer.activation_flag = True
    assert [name for name, _ in layer.cells_and_names()] == ["", "bias_add", "activation"]
    layer.matmul = nn.MatMul(False, True)
    want = np.maximum(rows().asnumpy() @ layer.weight.asnumpy().T, 0)
    np.testing.assert_allclose(layer(rows()).asnumpy(), want, rtol=1e-5)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda layer: pickle.loads(pickle.dumps(layer))])
def test_a_copy_keeps_what_was_replaced(copied: Callable[[nn.Cell], nn.Cell]) -> None:
    layer = nn.Tanh()
    layer.tanh = ops.Sigmoid()
    np.testing.assert_array_equal(copied(layer)(rows()).asnumpy(), ops.sigmoid(rows()).asnumpy())


def test_keywords_still_name_the_inputs() -> None:
    layer = nn.ReLU()
    layer.relu = ops.Tanh()
    np.testing.assert_array_equal(layer(input=rows()).asnumpy(), ops.tanh(rows()).asnumpy())


def test_a_pool_that_no_operator_computes_has_none() -> None:
    assert not hasattr(nn.MaxPool2d(2, pad_mode="pad", padding=1), "max_pool")
    assert hasattr(nn.MaxPool2d(2), "max_pool")


def test_dropout_reads_its_operator_in_training() -> None:
    layer = nn.Dropout(p=0.5)
    layer.dropout = lambda x: (x * 3, None)
    assert np.array_equal(layer(rows()).asnumpy(), rows().asnumpy())
    assert np.array_equal(layer.set_train()(rows()).asnumpy(), 3 * rows().asnumpy())


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_convolutions_of_mint_compute_by_their_attribute(rank: int) -> None:
    layer = getattr(mint.nn, f"Conv{rank}d")(2, 3, 2, padding=1)
    x = Tensor(np.ones((1, 2) + (4,) * rank, np.float32))
    options = (layer.stride, layer.padding, layer.dilation, layer.groups)
    operate = getattr(layer, f"conv{rank}d")
    given = layer(x).asnumpy()
    assert np.array_equal(operate(x, layer.weight, layer.bias, *options).asnumpy(), given)
    setattr(layer, f"conv{rank}d", doubled(operate))
    assert np.array_equal(layer(x).asnumpy(), 2 * given)
    assert not layer.transposed


def test_the_linear_layer_computes_by_its_attribute() -> None:
    layer = mint.nn.Linear(3, 2)
    before = layer(rows()).asnumpy()
    layer.dense = doubled(layer.dense)
    assert np.array_equal(layer(rows()).asnumpy(), 2 * before)
