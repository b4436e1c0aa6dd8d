"""The text of ``str`` and ``repr`` of a tensor, MindSpore's to the character; works on arrays.

``str`` is NumPy's. ``repr`` follows rules of its own: cells of one width, at most six entries a
dimension from two dimensions on, and line breaks after a fixed number of cells in one dimension.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad.common.dtype import DType

_EDGE = 3
_LONGEST_ROW = 2 * _EDGE
_LONGEST_VECTOR = 1000
_FEW_CELLS_A_LINE = 12
_MANY_CELLS_A_LINE = 24


def tensor_str(array: np.ndarray) -> str:
    """Return the text of ``str(tensor)`` for a tensor with these values."""
    if _is_extension_float(array):
        wide = array.astype(np.float32)
        if array.ndim == 0:
            return _six_decimals(wide[()])
        return np.array2string(wide, formatter={"float_kind": _six_decimals})
    # MindSpore runs on NumPy 1; later versions switch to exponents at smaller numbers.
    with np.printoptions(legacy="1.25"):
        return str(array)


def tensor_repr(array: np.ndarray, dtype: DType) -> str:
    """Return the text of ``repr(tensor)`` for a tensor with these values."""
    head = f"Tensor(shape={list(array.shape)}, dtype={dtype}, value="
    if array.ndim == 0:
        return f"{head} {_plain_cell(array)(array[()])})"
    gap = " " if array.ndim == 1 else "\n"
    if array.size == 0:
        return f"{head}{gap})"
    return f"{head}{gap}{_body(array)})"


def _is_extension_float(array: np.ndarray) -> bool:
    # ml_dtypes registers bfloat16 and float8 with NumPy as kinds "V" or "f", never with the
    # numpy.floating base class.
    return not issubclass(array.dtype.type, (np.number, np.bool_))


def _six_decimals(value: Any) -> str:
    return f"{float(value):f}"


def _body(array: np.ndarray) -> str:
    limit = _LONGEST_VECTOR if array.ndim == 1 else _LONGEST_ROW
    shortened = [length > limit for length in array.shape]
    for axis, short in enumerate(shortened):
        if short:
            edges = [*range(_EDGE), *range(-_EDGE, 0)]
            array = np.take(array, edges, axis=axis)
    cells = _cells(array)
    few = array.dtype.kind in "fb" and not _is_extension_float(array)
    per_line = _FEW_CELLS_A_LINE if few else _MANY_CELLS_A_LINE
    return _rows(cells, array.shape, shortened, 1, per_line)


def _rows(
    cells: list[str], shape: tuple[int, ...], shortened: list[bool], depth: int, per_line: int
) -> str:
    if len(shape) == 1:
        if shortened[0]:
            return f"[{', '.join(cells[:_EDGE])} ... {', '.join(cells[_EDGE:])}]"
        lines = [", ".join(cells[at : at + per_line]) for at in range(0, len(cells), per_line)]
        # MindSpore also breaks the line after a last cell that fills it.
        end = "\n ]" if len(cells) % per_line == 0 else "]"
        return "[" + ", \n ".join(lines) + end
    stride = len(cells) // shape[0]
    blocks = [
        _rows(cells[at : at + stride], shape[1:], shortened[1:], depth + 1, per_line)
        for at in range(0, len(cells), stride)
    ]
    indent = " " * depth
    joined = f",\n{indent}"
    if shortened[0]:
        return f"[{joined.join(blocks[:_EDGE])}{joined}...\n{indent}{joined.join(blocks[_EDGE:])}]"
    return f"[{joined.join(blocks)}]"


def _cells(array: np.ndarray) -> list[str]:
    if array.dtype.kind == "f" and not _is_extension_float(array):
        digits, width = (4, 11) if array.dtype.itemsize == 2 else (8, 15)
        return [
            f"{_signed_nan(value, f'{value:.{digits}e}'):>{width}}"
            for value in array.ravel().tolist()
        ]
    cell = _plain_cell(array)
    cells = [cell(value) for value in array.ravel()]
    if array.dtype.kind == "c":
        return cells
    width = len("False") if array.dtype.kind == "b" else max(map(len, cells))
    return [text.rjust(width) for text in cells]


def _plain_cell(array: np.ndarray) -> Callable[[Any], str]:
    if array.dtype.kind in "iub":
        return str
    if array.dtype.kind == "c":
        return _complex_cell
    return _general


def _general(value: Any) -> str:
    number = float(value)
    return _signed_nan(number, f"{number:g}")


def _complex_cell(value: Any) -> str:
    imaginary = _general(value.imag)
    return f"{_general(value.real)}{'' if imaginary.startswith('-') else '+'}{imaginary}j"


def _signed_nan(number: float, text: str) -> str:
    # The C++ streams that MindSpore prints with show the sign bit of a nan.
    return f"-{text}" if math.isnan(number) and math.copysign(1.0, number) < 0 else text
