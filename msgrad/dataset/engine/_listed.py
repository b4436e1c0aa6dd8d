"""``listed``: the class of a dataset from a function that yields what its rows are made of."""

from __future__ import annotations

import inspect
import wave
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.declared import checked
from msgrad._core.errors import EngineError
from msgrad.dataset._arguments import check_valid, existing_file, existing_folder
from msgrad.dataset.config import _check_workers
from msgrad.dataset.engine._indexed import Indexed, VisionBaseDataset
from msgrad.dataset.engine._rows import Row
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets_standard_format import MIXED, Shuffle

Rows = Iterator[tuple[Any, ...]]

# The arguments that follow those of the function, in MindSpore's order.
IMAGES = "num_samples num_parallel_workers shuffle decode sampler num_shards shard_id cache"
ARRAYS = IMAGES.replace("decode ", "")
LINES = ARRAYS.replace("sampler ", "")


def _common(
    num_samples: int | None = None,
    num_parallel_workers: int | None = None,
    shuffle: bool | None = None,
    decode: bool | None = False,
    sampler: Any = None,
    num_shards: int | None = None,
    shard_id: int | None = None,
    cache: DatasetCache | None = None,
    decrypt: Callable[..., bytes] | None = None,
) -> None:
    """Declare what all of them take."""


class Listed(Indexed):
    """Base of datasets that are a list of rows: a path in a row is the file's image or bytes.

    Differs from MindSpore: ``Shuffle.FILES`` keeps the order of files.
    """

    _told = {
        **Indexed._told,
        "dataset_dir": "The folder.",
        "usage": "Which part is read.",
        "decode": "Whether images are read, to (H, W, 3), or are the files' bytes.",
        "decrypt": "Function of the file's path and ``'r'`` that gives its bytes, or None.",
    }
    # The function that yields the rows, and what it is given.
    _listing: Callable[..., Rows]
    _given: dict[str, Any]
    _columns: Sequence[str]
    _decode, _decrypt = False, None

    @cached_property
    def _all(self) -> list[tuple[Any, ...]]:
        try:
            found = list(self._listing(**self._given))
        except (OSError, LookupError, ValueError) as error:
            raise EngineError(f"Invalid data, {type(self).__name__}: {error!r}") from error
        if not found:
            part, place = self._given.get("usage") or "data", next(iter(self._given.values()))
            raise EngineError(
                f"Invalid data, {type(self).__name__} API can't read the data file (interface "
                f"mismatch or no data found): no {part} file in {place}."
            )
        # A test may have fewer columns.
        self._columns = self._columns[: len(found[0])]
        return found

    def get_col_names(self) -> list[str]:
        return list(self._columns if self._all else ())

    def _count(self) -> int:
        return len(self._all)

    def _labels(self) -> np.ndarray | None:
        found = [i for i, name in enumerate(self._columns) if name.endswith("label")]
        return np.array([row[found[0]] for row in self._all]) if found else None

    def _row_at(self, index: int) -> Row:
        return tuple(map(self._value, self._all[index]))

    def _value(self, value: Any) -> np.ndarray:
        if isinstance(value, Path):
            try:
                read = self._decrypt(str(value), "r") if self._decrypt else value.read_bytes()
            except FileNotFoundError as error:
                raise EngineError(f"Invalid data, {type(self).__name__}: {error}.") from error
            data = np.frombuffer(read, np.uint8)
            if not self._decode:
                return data
            from msgrad.dataset.vision._arrays import decoded

            return decoded(data)
        return np.array(value() if callable(value) else value)


def listed(
    columns: str | dict[str, str],
    order: str,
    members: dict[str, Any] | None = None,
    **valid: Iterable[Any],
) -> Callable[[Callable[..., Rows]], type[Any]]:
    """Make the class of a dataset; a decorator of the function that yields its rows.

    Args:
        columns: Their names, or those for each value of ``task`` or ``target_type``, the first by
            default.
        order: The arguments that follow, those of the function too where they stand among others.
        valid: The values that arguments may have, besides None.
    """

    def make(function: Callable[..., Rows]) -> type[Any]:
        own, names = inspect.signature(function).parameters, order.split()
        common = inspect.signature(_common).parameters
        first = [parameter for name, parameter in own.items() if name not in names]
        signature = inspect.Signature([*first, *((own | common)[name] for name in names)])
        check_common, rows = checked(_common, function.__name__), checked(function)

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = {name: bound.arguments.pop(name) for name in names if name not in own}
            # Only the rows of files may be shuffled in several ways.
            if "sampler" not in names and isinstance(given["shuffle"], Shuffle):
                given["shuffle"] = given["shuffle"] in MIXED
            super(made, self).__init__()
            check_common(**given)
            # Only the arguments are looked at before the first row is asked for.
            rows(**bound.arguments)
            if "dataset_dir" in bound.arguments:
                existing_folder(bound.arguments["dataset_dir"])
            for name in ("dataset_file", "annotation_file"):
                existing_file(bound.arguments.get(name, __file__))
            for name, values in valid.items():
                check_valid(name, bound.arguments[name], values)
            _check_workers(given["num_parallel_workers"])
            self._given = dict(bound.arguments)
            by = columns if isinstance(columns, dict) else {"": columns}
            kinds = (bound.arguments.get(name) for name in ("task", "target_type", "usage"))
            told = by[next((kind for kind in kinds if kind in by), next(iter(by)))]
            more = ["_meta-filename"] if bound.arguments.get("extra_metadata") else []
            self._columns = [*told.split(), *more]
            self._decode, self._decrypt = given.get("decode") or False, given.get("decrypt")
            which = ("shuffle", "sampler", "num_shards", "shard_id", "num_samples")
            self._order_by(*map(given.get, which))

        __init__.__annotations__ = dict.fromkeys(signature.parameters)
        own_members = {
            "__init__": __init__,
            "__signature__": signature,
            "__doc__": function.__doc__,
            "__module__": function.__module__,
            "_listing": staticmethod(function),
            **(members or {}),
        }
        of_images = "decode" in names or str(columns).startswith("image")
        bases = (Listed, VisionBaseDataset) if of_images else (Listed,)
        made = type(function.__name__, bases, own_members)
        return made

    return make


def folders(path: Path) -> list[Path]:
    """Return the folders in one, by name."""
    return sorted(found for found in path.iterdir() if found.is_dir())


def files(path: Path, pattern: str = "*") -> list[Path]:
    """Return the files in a folder, by name."""
    return sorted(found for found in path.glob(pattern) if found.is_file())


def numbered(found: Iterable[Path], kind: type[Any] = np.int32) -> Rows:
    """Yield the files in folders, each with the number of its folder."""
    for number, folder in enumerate(found):
        for path in files(folder):
            yield path, kind(number)


def lines(path: Path) -> list[str]:
    """Return the lines of a file that are not empty."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def sound(path: Path, rate: type[Any] = np.uint32) -> tuple[Any, Any]:
    """Return how the samples of a file of 16 bits are read, (channels, time), and their rate."""

    def read() -> np.ndarray:
        with wave.open(str(path)) as file:
            data = np.frombuffer(file.readframes(file.getnframes()), "<i2")
            return (data.reshape(-1, file.getnchannels()).T / np.float32(32767)).astype(np.float32)

    with wave.open(str(path)) as file:
        return read, rate(file.getframerate())
