"""Writing the rows of a dataset into MindRecord files, for ``Dataset.save``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from string import punctuation
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError
from msgrad.mindrecord.filewriter import FileWriter

# The field of a schema that holds an array of each kind and size of item, as 2.10 has it.
_TYPES = {
    **dict.fromkeys(("b1", "i1", "i2", "i4", "u1", "u2"), "int32"),
    **dict.fromkeys(("i8", "u4", "u8"), "int64"),
    **dict.fromkeys(("f2", "f4"), "float32"),
    "f8": "float64",
}
_ROWS_AT_ONCE = 1024


def save(rows: Iterator[dict[str, np.ndarray]], file_name: str, num_files: int) -> None:
    """Write rows, all with the columns, dtypes and numbers of dimensions of the first.

    Raises:
        RuntimeError: If there are none, they differ, or the files exist; nothing is left then.
    """
    if not Path(file_name).parent.is_dir():
        raise EngineError(f"There is no folder for {file_name}; create it before saving.")
    first = next(rows, None)
    if first is None:
        raise EngineError("The dataset has no rows, and there is nothing to save.")
    schema = {name: _field(name, value) for name, value in first.items()}
    writer = FileWriter(file_name, num_files)
    writer.add_schema({_named(name): field for name, field in schema.items()}, "mindrecord")
    writer._opened()
    every = (
        {_named(n): _entry(n, row[n], schema[n]) for n in schema} for row in chain([first], rows)
    )
    try:
        while some := list(islice(every, _ROWS_AT_ONCE)):
            writer.write_raw_data(some)
        writer.commit()
    except BaseException:
        writer._discard()
        raise


def _named(column: str) -> str:
    name = re.sub(f"[{re.escape(punctuation)}]", "_", column)
    if not re.fullmatch(r"\w+", name, re.ASCII):
        raise EngineError(
            f"The name of a field is of letters, digits and '_', but got {column!r}; rename it."
        )
    return name


def _field(column: str, value: np.ndarray) -> dict[str, Any]:
    kind = value.dtype.kind
    if kind in "US" and not value.ndim:
        return {"type": "string" if kind == "U" else "bytes"}
    name = _TYPES.get(f"{kind}{value.dtype.itemsize}")
    if name is None:
        raise EngineError(
            f"MindRecord files hold numbers, their arrays, and single strings or bytes, but the "
            f"column '{column}' is of {value.dtype} with {value.ndim} dimensions."
        )
    return {"type": name, "shape": [-1, *value.shape[1:]]} if value.ndim else {"type": name}


def _entry(column: str, value: np.ndarray, field: dict[str, Any]) -> Any:
    if _field(column, value) != field:
        raise EngineError(
            f"The first row of '{column}' is as {field} says, but a later one is of {value.dtype} "
            f"and shape {value.shape}; pad the rows, or cast them."
        )
    if field["type"] in ("string", "bytes"):
        return value.item()
    return value.astype(field["type"])[()]
