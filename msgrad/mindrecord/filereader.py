"""``FileReader``: the rows of MindRecord files, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgrad._core.errors import EngineError
from msgrad.mindrecord._format import MindRecordException, MindRecordFile, files_of


class FileReader:
    """Reads the rows of MindRecord files.

    Args:
        file_name: The path of a file, which is read with the others that it was written with, or a
            list of paths.
        num_consumer: Accepted for compatibility.
        columns: Names of the fields that are read; None for all.
        operator: Accepted for compatibility.

    Raises:
        RuntimeError: If a file is not there, or is of another kind.
    """

    def __init__(
        self,
        file_name: str | list[str],
        num_consumer: int = 4,
        columns: list[str] | None = None,
        operator: Any = None,
    ) -> None:
        paths = [file_name] if isinstance(file_name, str) else file_name
        if not all(isinstance(path, str) for path in paths):
            raise MindRecordException(f"file_name must be a path or a list of them: {file_name}.")
        if columns is not None and not isinstance(columns, list):
            raise MindRecordException("Invalid parameter type. 'columns' expect list type.")
        for path in paths:
            MindRecordFile(path)
        self._files = files_of(file_name)
        absent = set(columns or ()) - self._files[0].schema.keys()
        if absent:
            raise EngineError(f"The files have no fields {sorted(absent)}.")
        self._columns, self._open = columns, True

    def get_next(self) -> Iterator[dict[str, Any]]:
        """Yield the rows: numbers, strings, bytes and arrays by the names of the fields."""
        for file in self._files:
            for index in range(len(file)):
                if not self._open:
                    return
                row = file.row(index)
                wanted = row if self._columns is None else self._columns
                yield {name: row[name] for name in wanted}

    def schema(self) -> dict[str, dict[str, Any]]:
        """Return the schema, field by field."""
        return dict(sorted(self._files[0].schema.items()))

    def len(self) -> int:
        """Return the number of rows."""
        return sum(map(len, self._files))

    def close(self) -> None:
        """Stop reading: ``get_next`` gives no more rows."""
        self._open = False
