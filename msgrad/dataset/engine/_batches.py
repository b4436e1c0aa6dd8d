"""The datasets that join rows: ``batch``, ``padded_batch``, ``bucket_batch_by_length``."""

from __future__ import annotations

import builtins
import inspect
import operator
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from msgrad._core.declared import Word, checked
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.dataset._arguments import a_list, an_int, check_kind, check_row_size
from msgrad.dataset.engine._columns import Columns
from msgrad.dataset.engine._rows import COUNTED, Row, Run, as_array, called, opened
from msgrad.dataset.engine.datasets import BatchInfo, Dataset, TextBaseDataset
from msgrad.dataset.transforms.transforms import empty_of, padded

_Pads = dict[str, Any] | None


@checked
def _batch_options(
    per_batch_map: Callable[..., Any] | None = None,
    input_columns: Word | list[Any] | None = None,
    output_columns: Word | list[Any] | None = None,
    python_multiprocessing: bool = False,
    max_rowsize: int | list[int] | None = None,
) -> tuple[Any, Any, Any]:
    """Return what decides; the rest is accepted for compatibility."""
    check_row_size(max_rowsize)
    return per_batch_map, input_columns, output_columns


class BatchDataset(Columns):
    """See ``Dataset.batch``."""

    def __init__(
        self, child: Dataset, size: Any, drop: bool, options: dict[str, Any], pads: _Pads = None
    ) -> None:
        self._map, given, outputs = _batch_options(**options)
        super().__init__(child, given, outputs)
        self.batch_size, self.drop_remainder, self._pads = size, drop, _checked_pads(pads)
        if callable(size) and _columns_of(size) not in (None, 0):
            raise ArgumentValueError("callable batch_size should take one parameter (BatchInfo).")
        if given is not None:
            if self._map is None:
                raise ArgumentValueError(
                    "input_columns can be specified only when per_batch_map is set."
                )
            columns = a_list(given)
            if _columns_of(self._map) not in (None, len(columns)):
                raise ArgumentValueError(
                    "The signature of per_batch_map should match with input columns: it takes "
                    f"{len(columns)}, {columns}, and a BatchInfo."
                )

    def get_batch_size(self) -> int:
        return self.batch_size if isinstance(self.batch_size, int) else -1

    def _epoch_size(self) -> int:
        if callable(self.batch_size):
            return sum(1 for _ in self._rows(COUNTED))
        rows = self._children[0]._epoch_size()
        return rows // self.batch_size if self.drop_remainder else -(-rows // self.batch_size)

    def _rows(self, run: Run) -> Iterator[Row]:
        rows = iter(self._children[0]._rows(run.of()))
        for number, first in enumerate(rows):
            info = BatchInfo(run.told_epoch, number)
            size: Any = self.batch_size
            if callable(size):
                size = called("batch_size failed", size, info)
                if not isinstance(size, (int, np.integer)) or size < 1:
                    raise EngineError(f"batch_size must give an int above 0, but gave {size!r}.")
            taken = [first, *islice(rows, int(size) - 1)]
            if len(taken) < size and self.drop_remainder:
                return
            columns: list[Any] = [list(column) for column in builtins.zip(*taken, strict=True)]
            if self._map is not None:
                given = [columns[i] for i in self._places]
                made = called("per_batch_map failed", self._map, *given, info)
                # A list is one column: that of its values.
                made = made if isinstance(made, tuple) else [made]
                columns = self._replaced(columns, self._checked(made, "per_batch_map"))
                if not all(hasattr(column, "__len__") for column in columns):
                    raise EngineError(
                        "per_batch_map must give a list of values for each column, but gave "
                        f"{made!r}. Does it forget to return?"
                    )
                counts = [len(column) for column in columns if not isinstance(column, dict)]
                if len(set(counts)) > 1:
                    raise EngineError(
                        f"per_batch_map must give as many rows as the other columns have, but "
                        f"there are {counts} rows of {self.get_col_names()}."
                    )
            yield joined(columns, self.get_col_names(), self._pads)


def _columns_of(function: Any) -> int | None:
    """Return how many columns a function takes before its BatchInfo, None for any number."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return None
    needed = [one for one in parameters if one.default is one.empty]
    return sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in needed) - 1


def _checked_pads(pads: _Pads) -> _Pads:
    for name, pad in (pads or {}).items():
        check_kind("The key in pad_info", name, str)
        if pad is None:
            continue
        check_kind("The value in pad_info", pad, tuple, list)
        if len(pad) != 2:
            raise ArgumentValueError("The value of pad_info should be a tuple of size 2.")
        check_kind("The value in pad_info", pad, tuple)
        shape, fill = pad
        check_kind("The shape in pad_info", shape, list, type(None))
        for size in shape or ():
            _ = size is None or an_int("dim of shape in pad_info", size, 1)
        check_kind("pad_value", fill, int, float, str, bytes, type(None))
    return pads


def joined(columns: list[Any], names: list[str], pads: _Pads, most: int | None = None) -> Row:
    """Return each column's values as one array.

    Args:
        columns: Lists of values, or arrays that stay.
        names: Their names.
        pads: See ``Dataset.padded_batch``; None for nothing.
        most: What None in a shape stands for; by default the largest size there is.
    """
    row = []
    if unknown := sorted((pads or {}).keys() - set(names)):
        raise EngineError(f"Invalid pad_info, column name: {unknown[0]} does not exist in {names}.")
    for column, name in builtins.zip(columns, names, strict=True):
        values = column
        if not isinstance(column, np.ndarray) and pads is not None and (not pads or name in pads):
            values = [as_array(value) for value in column]
            shape, fill = pads.get(name) or (None, empty_of(values[0]))
            values = _padded(values, shape, 0 if fill is None else fill, most)
        row.append(_stacked(values, name))
    return tuple(row)


def _padded(values: list[np.ndarray], shape: Any, fill: Any, most: int | None) -> list[np.ndarray]:
    wanted = [None] * values[0].ndim if shape is None else shape
    if len(wanted) != values[0].ndim:
        raise EngineError(f"padded_batch: the shape {shape} has not the rank of {values[0].shape}.")
    if not wanted:
        return values
    sizes = [
        size or most or max(value.shape[axis] for value in values)
        for axis, size in enumerate(wanted)
    ]
    return [
        value if value.shape == tuple(sizes) else padded(value, sizes, fill) for value in values
    ]


def _stacked(column: Any, name: str) -> np.ndarray:
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column, dict):
        # A collator's: one value for all rows, in which they are joined already.
        return as_array(column)
    values = [as_array(value) for value in column]
    if isinstance(first := opened(values[0]), dict):
        dicts = [opened(value) for value in values]
        if any(not isinstance(one, dict) or one.keys() != first.keys() for one in dicts):
            raise EngineError(f"Cannot batch dicts with different keys in column {name}.")
        made = {key: _stacked([one[key] for one in dicts], f"{name}.{key}") for key in first}
        return np.asarray(made)
    shapes = {value.shape for value in values}
    if len(shapes) > 1:
        raise EngineError(
            f"Cannot batch tensors with different shapes in column {name}: {sorted(shapes)}. Make "
            "them equal with map, or in a per_batch_map."
        )
    types = {value.dtype.type for value in values}
    if len(types) > 1:
        raise EngineError(
            f"Cannot batch tensors with different types in column {name}: "
            f"{sorted(one.__name__ for one in types)}. Make them equal with map, by TypeCast."
        )
    return np.stack(values)


class PaddedBatchDataset(BatchDataset):
    """See ``Dataset.padded_batch``."""


class BucketBatchByLengthDataset(TextBaseDataset):
    """See ``Dataset.bucket_batch_by_length``."""

    def __init__(
        self,
        child: Dataset,
        picks: tuple[list[str], Any],
        boundaries: list[int],
        sizes: list[int],
        pads: _Pads,
        to_boundary: bool,
        drop: bool,
    ) -> None:
        super().__init__(child)
        self._columns, self._length = picks
        self._boundaries, self._sizes = boundaries, sizes
        self._pads, self._to_boundary, self._drop = _checked_pads(pads), to_boundary, drop

    def get_col_names(self) -> list[str]:
        self._children[0]._places_of(self._columns)
        return super().get_col_names()

    @cached_property
    def _places(self) -> list[int]:
        return self._children[0]._places_of(self._columns)

    def _length_of(self, *values: Any) -> int:
        length = operator.index(self._length(*values))
        if length < 0:
            raise ArgumentValueError(f"element_length_function must give 0 or more, not {length}.")
        return length

    def _epoch_size(self) -> int:
        """Return the number of batches; makes the rows to count them."""
        return sum(1 for _ in self._rows(COUNTED))

    def _rows(self, run: Run) -> Iterator[Row]:
        held: list[list[Row]] = [[] for _ in self._sizes]
        for row in self._children[0]._rows(run.of()):
            values = [row[place] for place in self._places]
            length = (
                (*values[0].shape, 0)[0]
                if self._length is None
                else called("bucket_batch_by_length failed", self._length_of, *values)
            )
            which = int(np.searchsorted(self._boundaries, length, "right"))
            held[which].append(row)
            if len(held[which]) == self._sizes[which]:
                yield self._batch(which, held[which])
                held[which] = []
        for which, rows in enumerate(held):
            if rows and not self._drop:
                yield self._batch(which, rows)

    def _batch(self, which: int, rows: list[Row]) -> Row:
        # Only where a size is left to be found.
        to_boundary = self._to_boundary and any(
            shape is None or None in shape for shape, _ in (self._pads or {}).values()
        )
        if to_boundary and which == len(self._boundaries):
            raise EngineError(
                "bucket_batch_by_length: a row is longer than the last boundary, which "
                "pad_to_bucket_boundary does not allow."
            )
        most = self._boundaries[which] - 1 if to_boundary else None
        columns = [list(column) for column in builtins.zip(*rows, strict=True)]
        return joined(columns, self.get_col_names(), self._pads, most)
