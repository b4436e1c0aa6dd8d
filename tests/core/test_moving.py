"""What only moves elements needs no program for a new shape, and gives the same elements."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad._core import moving
from msgrad._core.compiles import process_counts

_CALLS = {
    "slice": lambda x: x[1:],
    "steps back": lambda x: x[::-2, -1:0:-1],
    "integer": lambda x: x[2, None, ..., 1],
    "nothing": lambda x: x[5:5],
    "reshape": lambda x: x.reshape(-1),
    "transpose": lambda x: ops.transpose(x, (2, 0, 1)),
    "permute": lambda x: ops.permute(x, (1, 2, 0)),
    "swapaxes": lambda x: x.swapaxes(0, 2),
    "swapdims": lambda x: x.swapdims(1, 2),
    "flatten": lambda x: x.flatten(order="F"),
}
_DTYPES = (ms.float32, ms.float64, ms.bfloat16, ms.int8, ms.int64, ms.bool_, ms.complex64)


def _given(length, dtype=ms.float32):
    values = np.arange(length * 20, dtype=np.float32).reshape(length, 5, 4) - 7
    return Tensor(values).astype(dtype)


@pytest.mark.parametrize("name", _CALLS)
def test_a_new_shape_compiles_nothing_and_what_comes_back_is_compiled(name, monkeypatch):
    monkeypatch.setattr(moving, "_BY_NUMPY", 2)
    call, lengths = _CALLS[name], range(300, 306)
    call(_given(299))
    given = [_given(length) for length in lengths]
    programs = process_counts.programs
    first = [call(x) for x in given]
    assert [call(x).shape for x in given] == [y.shape for y in first]
    assert process_counts.programs == programs
    for x, y in zip(given, first, strict=True):
        again = call(x)
        assert (again.dtype, again.shape) == (y.dtype, y.shape)
        np.testing.assert_array_equal(again.asnumpy(), y.asnumpy())
    assert process_counts.programs == programs + len(given)


@pytest.mark.parametrize("dtype", _DTYPES, ids=str)
@pytest.mark.parametrize("name", _CALLS)
def test_gives_what_the_compiled_kernel_gives(name, dtype, monkeypatch):
    x = _given(6, dtype)
    moved = _CALLS[name](x)
    monkeypatch.setattr(moving, "_BY_NUMPY", 0)
    compiled = _CALLS[name](x)
    assert (moved.dtype, moved.shape) == (compiled.dtype, compiled.shape)
    assert moved.__jax_array__().weak_type == compiled.__jax_array__().weak_type
    assert moved.__jax_array__().committed == compiled.__jax_array__().committed
    np.testing.assert_array_equal(
        moved.astype(ms.complex64).asnumpy(), compiled.astype(ms.complex64).asnumpy()
    )


def test_shares_no_memory_with_what_it_was_moved_from():
    x = _given(311)
    y = x.reshape(-1)
    raws = [t.__jax_array__().unsafe_buffer_pointer() for t in (x, y)]
    assert raws[0] != raws[1]


def test_errors_are_those_of_the_kernel():
    with pytest.raises(ValueError, match="For 'Reshape', the shape"):
        _given(312).reshape(7, 13)


def test_a_traced_call_stays_a_part_of_its_program():
    table = _given(313)
    step = ms.jit(lambda x: x + table[: x.shape[0]])
    np.testing.assert_array_equal(step(_given(3)).asnumpy(), 2 * _given(3).asnumpy())
    table.assign_value(table * 0)
    np.testing.assert_array_equal(step(_given(3)).asnumpy(), _given(3).asnumpy())
