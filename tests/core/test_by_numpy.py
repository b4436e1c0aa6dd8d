"""What NumPy computes bit for bit as XLA does needs no program for a new shape."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad._core import by_numpy, effort
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
    "concat": lambda x: ops.cat((x, x), 1),
    "stack": lambda x: ops.stack((x, x), -1),
    "split": lambda x: x.split(2, 1)[1],
    "tile": lambda x: ops.tile(x, (2, 1, 1)),
    "tril": ops.tril,
    "fill": lambda x: ops.full(x.shape, 2.5),
    "where": lambda x: ops.where(x.astype(ms.bool_), x, 0),
    "masked fill": lambda x: x.masked_fill(x.astype(ms.bool_), 1),
    "equal": lambda x: x == -3,
}
# Of numbers that are ordered.
_ARITHMETIC = {
    "sub": lambda x: 1 - x,
    "mul": lambda x: x * x,
    "add": lambda x: x + x[:1],
    "div": lambda x: x / 3,
    "neg": lambda x: -x,
    "greater": lambda x: x > 3,
    "to int": lambda x: x.astype(ms.int32),
    "to half": lambda x: x.astype(ms.float16),
    "to bfloat16": lambda x: x.astype(ms.bfloat16),
    "to double": lambda x: x.astype(ms.float64),
    "argmax": lambda x: x.argmax(1),
    "sum": lambda x: x.astype(ms.int64).sum(1),
    "max": lambda x: x.astype(ms.int32).max(),
    "any": lambda x: x.any(1),
    "cumsum": lambda x: x.astype(ms.int32).cumsum(1),
    "sqrt": lambda x: ops.sqrt(x * x),
    "floor divide": lambda x: x // 2,
}
_DTYPES = (ms.float32, ms.float64, ms.bfloat16, ms.int8, ms.int64, ms.bool_, ms.complex64)


def _given(length, dtype=ms.float32):
    values = np.arange(length * 20, dtype=np.float32).reshape(length, 5, 4) - 7
    return Tensor(values).astype(dtype)


@pytest.mark.parametrize("name", _CALLS)
def test_a_new_shape_compiles_nothing_and_what_comes_back_is_compiled(name, monkeypatch):
    monkeypatch.setattr(by_numpy, "_EXACT_CALLS", 2)
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
    assert process_counts.programs >= programs + len(given)


@pytest.mark.parametrize("dtype", _DTYPES, ids=str)
@pytest.mark.parametrize("name", _CALLS)
def test_gives_what_the_compiled_kernel_gives(name, dtype, monkeypatch):
    x = _given(6, dtype)
    moved = _CALLS[name](x)
    monkeypatch.setattr(by_numpy, "_EXACT_CALLS", 0)
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


_SPECIAL = (
    0.0,
    -0.0,
    1e-39,
    -1e-39,
    3e-8,
    65520.0,
    3e9,
    -3e9,
    1e38,
    3.4e38,
    np.inf,
    -np.inf,
    np.nan,
)


@pytest.mark.parametrize("dtype", [ms.float32, ms.float64, ms.float16, ms.bfloat16], ids=str)
@pytest.mark.parametrize("name", _ARITHMETIC)
def test_arithmetic_has_the_bits_of_xla(name, dtype, monkeypatch):
    values = np.resize(np.array(_SPECIAL + tuple(np.linspace(-9, 9, 40))), (7, 8))
    _agrees(_ARITHMETIC[name], Tensor(values.astype(np.float32)).astype(dtype), monkeypatch)


@pytest.mark.parametrize("dtype", [ms.int8, ms.int32, ms.int64, ms.uint8, ms.bool_], ids=str)
@pytest.mark.parametrize("name", [name for name in _ARITHMETIC if name not in ("neg", "sub")])
def test_so_has_that_of_integers(name, dtype, monkeypatch):
    values = np.arange(-60, 60).reshape(6, 20) * 2**25
    _agrees(_ARITHMETIC[name], Tensor(values).astype(dtype), monkeypatch)


def _agrees(call, x, monkeypatch):
    evaluated = call(x)
    monkeypatch.setattr(by_numpy, "_EXACT_CALLS", 0)
    compiled = call(x)
    assert (evaluated.dtype, evaluated.shape) == (compiled.dtype, compiled.shape)
    one, other = [np.asarray(t.__jax_array__()) for t in (evaluated, compiled)]
    if one.dtype.kind not in "iub":
        one, other = one.astype(np.float64), other.astype(np.float64)
        signs = [np.signbit(a[~np.isnan(a)]).tolist() for a in (one, other)]
        assert signs[0] == signs[1]
    np.testing.assert_array_equal(one, other)


def test_what_is_close_is_compiled_in_a_few_shapes_first_and_again_where_it_comes_back(monkeypatch):
    monkeypatch.setattr(by_numpy, "SHAPES_IN_FULL", 2)
    monkeypatch.setattr(effort, "CHEAP_CALLS", 3)

    def compiled(length):
        programs = process_counts.programs
        x = Tensor(np.linspace(-1, 1, length, dtype=np.float32))
        np.testing.assert_allclose(ops.atanh(x / 2), np.arctanh(x.asnumpy() / 2), 1e-5)
        return process_counts.programs > programs

    lengths = [401, 402, 403, 404, *[405] * 4]
    assert [compiled(n) for n in lengths] == [True, True, False, False, *[False] * 3, True]
    ms.set_deterministic(True)
    assert compiled(403)
