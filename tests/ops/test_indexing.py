"""``x[i]`` compiles once, writes reach views, and a failed write changes nothing."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor
from msgrad._core import by_numpy
from msgrad._core.by_numpy import ByNumpy
from msgrad.ops import indexing


def compiled_programs(op):
    programs = [p.jitted if type(p) is ByNumpy else p for p in op._compiled.values()]
    return sum(program._cache_size() for program in programs)


def grid(*sizes):
    return Tensor(np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes))


@pytest.mark.parametrize(
    "read",
    [
        lambda a, i: a[i],
        lambda a, i: a[i - 9],
        lambda a, i: a[:, i],
        lambda a, i: a[i : i + 1],
        lambda a, i: a[i, ..., i],
    ],
)
def test_reading_in_a_loop_compiles_once(read, monkeypatch):
    monkeypatch.setattr(by_numpy, "_EXACT_CALLS", 0)
    a = grid(9, 9)
    read(a, 0)
    before = compiled_programs(indexing._read_region)
    for i in range(1, 8):
        read(a, i)
    assert compiled_programs(indexing._read_region) == before


def test_writing_in_a_loop_compiles_once():
    a = grid(9, 7)
    a[0, 1] = 5.0
    before = compiled_programs(indexing._write_elements)
    for i in range(1, 7):
        a[i, i] = float(i)
    assert compiled_programs(indexing._write_elements) == before


def test_a_write_under_a_gradient_is_differentiated():
    def f(x, y):
        z = x * 1
        z[1] = y * 3
        return z * z

    x, y = Tensor([1.0, 2.0]), Tensor(4.0)
    gx, gy = ms.grad(f, (0, 1))(x, y)
    assert gx.asnumpy().tolist() == [2.0, 0.0]
    assert float(gy) == 72.0


@pytest.mark.parametrize("value", [None, "x", [1, 2], Tensor([1.0, 2.0])])
def test_a_refused_write_changes_nothing(value):
    a = grid(2, 3)
    with pytest.raises((TypeError, ValueError, IndexError)):
        a[0] = value
    assert a.asnumpy().tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


@pytest.mark.parametrize(
    "index", [np.s_[1], np.s_[:, ::2], np.s_[::-1, 1:], np.s_[..., None, 1], np.s_[2:0:-1]]
)
def test_reading_and_writing_agree_with_numpy(index):
    a, want = grid(4, 5), np.arange(20, dtype=np.float32).reshape(4, 5)
    assert np.array_equal(a[index].asnumpy(), want[index])
    a[index] = 7.0
    want[index] = 7.0
    assert np.array_equal(a.asnumpy(), want)


def test_picked_elements_keep_only_what_nobody_else_can_write_to():
    order = Tensor([1, 0])
    x = Tensor([1.0, 2.0])
    source = weakref.ref(x)
    picked = x[order]
    del x
    assert source() is None
    picked[0] = 3.0
    assert picked.asnumpy().tolist() == [3, 1]
    first = picked
    for _ in range(5):
        picked = picked[order]
    held = weakref.ref(first)
    del first
    gc.collect()
    assert held() is None


def test_copies_of_picked_elements_are_independent():
    x = Tensor([1.0, 2.0])
    picked = x[Tensor([1])]
    for other in (copy.deepcopy(picked), pickle.loads(pickle.dumps(picked)), picked.copy()):
        other[0] = 5.0
    assert x.asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("index", [[1, 0, 1], [True, False, True], ([0, 2], slice(None))])
def test_lists_are_constants_of_a_compiled_function(index):
    runs = []

    @ms.jit
    def picked(x):
        runs.append(1)
        return x[index]

    x = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
    for value in (x, x + 1):
        np.testing.assert_array_equal(picked(value).asnumpy(), value.asnumpy()[index])
    assert len(runs) == 1


def test_what_is_written_where_tensors_picked_is_compiled():
    runs = []

    @ms.jit
    def marked(rows):
        runs.append(1)
        zeros = ms.ops.zeros((4, 2), ms.float32)
        zeros[rows + 0][:, 0] = 1.0
        return zeros

    for rows in ([0, 2], [1, 3]):
        expected = np.zeros((4, 2), np.float32)
        expected[rows, 0] = 1
        np.testing.assert_array_equal(marked(Tensor(rows)).asnumpy(), expected)
    assert len(runs) == 1
