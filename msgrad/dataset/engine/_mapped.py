"""``Dataset.map``: rows made by operations, in threads' turns or by worker processes."""

from __future__ import annotations

import builtins
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

from msgrad._core.declared import checked
from msgrad._core.draws import Draws, Place
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.former import warn_of
from msgrad.dataset._arguments import check_row_size, one_of
from msgrad.dataset.callback.ds_callback import DSCallback
from msgrad.dataset.config import (
    ErrorSamplesMode,
    get_error_samples_mode,
    get_num_parallel_workers,
)
from msgrad.dataset.engine._columns import Columns
from msgrad.dataset.engine._rows import Row, Run, as_array, called
from msgrad.dataset.engine._told import Told
from msgrad.dataset.engine._workers import made_by_workers
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets import Dataset
from msgrad.dataset.transforms.transforms import bound, in_pipeline

# How many rows are there to replace others.
_HELD = 16


@checked
def mapped(
    child: Dataset,
    what: tuple[Any, ...],
    python_multiprocessing: bool = False,
    max_rowsize: int | list[int] | None = None,
    cache: DatasetCache | None = None,
    callbacks: Any = None,
    offload: bool | None = None,
    column_order: list[str] | None = None,
) -> Dataset:
    """Return the dataset of ``child.map(*what, **options)``."""
    check_row_size(max_rowsize)
    told = callbacks if isinstance(callbacks, list) else [callbacks] if callbacks else []
    for i, one in enumerate(told):
        one_of(f"callbacks[{i}]", one, DSCallback)
    made = MapDataset(child, *what, processes=python_multiprocessing, callbacks=told)
    if column_order is None:
        return made
    warn_of("map(column_order=...)", "project(...) behind it")
    return made.project(column_order)


class MapDataset(Columns):
    """See ``Dataset.map``.

    Args:
        threads: int, how many threads MindSpore would have for it; as configured for None.
        processes: Whether as many processes make the rows.
        callbacks: What is told of them.

    Differs from MindSpore: callbacks are told row after row, where there threads run ahead; nothing
    is drawn for rows that a later ``take`` or ``zip`` leaves out;
    beside Python functions in processes transforms go on drawing, where there each draws the same
    for all rows of a process.
    """

    def __init__(
        self,
        child: Dataset,
        operations: Any,
        inputs: Any,
        outputs: Any,
        threads: int | None,
        processes: bool,
        callbacks: Sequence[DSCallback] = (),
    ) -> None:
        super().__init__(child, inputs, outputs, 1)
        self._threads = threads or get_num_parallel_workers()
        self._workers = threads if processes and threads else 1
        given = [] if operations is None else operations
        self.operations = list(given) if isinstance(given, (list, tuple)) else [given]
        self._callbacks = callbacks
        for one in self.operations:
            if isinstance(one, type):
                raise ArgumentValueError(
                    "Parameter operations's element of method map should be a dataset processing "
                    f"operation instance, but got: {one}. It may be missing parentheses for "
                    "instantiation."
                )
            if not callable(one):
                raise ArgumentValueError(
                    "Parameter operations's element of method map should be a python function or "
                    f"class method which should be callable, but got: {one}. It doesn't need "
                    "parentheses for python function or class method."
                )
        if not processes:
            self.operations, _ = in_pipeline(self.operations)

    def _rows(self, run: Run) -> Iterator[Row]:
        if not self.operations:
            raise EngineError("Map: No 'operations' are specified.")
        kept = run.kept if run.epoch >= 0 else {}
        threads = kept.setdefault(run.place, Threads(self, run.seed))
        rows, told = self._children[0]._rows(run.of()), None
        mode = get_error_samples_mode()
        self._skips = mode is not ErrorSamplesMode.RETURN
        if self._callbacks and run.epoch >= 0:
            place = (*run.place, -2)
            told = kept[place] = kept.get(place) or Told(self._callbacks)
            rows = told.begun(rows)
        if self._workers == 1:
            made = (self._row(threads.operations(threads.next())[0], row) for row in rows)
        else:
            threads.begin()
            items = ((run.key(i), *threads.item(row)) for i, row in enumerate(rows))
            made = map(threads.taken, made_by_workers(threads.made, items, self._workers))
        if mode is ErrorSamplesMode.REPLACE:
            made = _filled(made, kept.setdefault((*run.place, -3), deque()))
        made = (row for row in made if row is not None)
        yield from made if told is None else told.made(made)
        # The end of an epoch is what one of the threads takes, too.
        threads.next()

    def _row(self, operations: list[Any], row: Row) -> Row | None:
        try:
            return self._changed(operations, row)
        except EngineError:
            if not self._skips:
                raise
            return None

    def _changed(self, operations: list[Any], row: Row) -> Row:
        values: Any = [row[i] for i in self._places]
        for operation in operations:
            name = getattr(operation, "__name__", type(operation).__name__)
            made = called(f"map operation: [{name}] failed on {self._inputs}", operation, *values)
            if isinstance(made, list) and not made:
                raise EngineError(f"map operation: [{name}] gave an empty list; give an array.")
            values = list(made) if isinstance(made, tuple) else [made]
        arrays = [as_array(value) for value in self._checked(values, "map")]
        return tuple(self._replaced(row, arrays))

    def __getstate__(self) -> dict[str, Any]:
        # What goes to workers; they are given rows, and with them all that is known of columns.
        return {"_kept": self._kept, **self.__dict__, "_children": (), "_callbacks": ()}


def _filled(made: Iterator[Row | None], held: deque[Row]) -> Iterator[Row | None]:
    """Yield what is made, and at the end one of the first rows for each that is missing.

    Args:
        made: Rows, None for those that cannot be made.
        held: Rows for it, the next one first; filled here.
    """
    missing = 0
    for row in made:
        missing += row is None
        if row is not None and len(held) < _HELD:
            held.append(row)
        yield row
    if missing and not held:
        raise EngineError("map: no row can be made, so none replaces those that cannot.")
    for _ in range(missing):
        yield held[0]
        held.rotate(-1)


_Places = list[Place]
# In a worker process: where the draws of threads are.
_left: dict[tuple[str, int], _Places] = {}


class Threads:
    """The threads that MindSpore would have for a map, which take its rows in turn.

    Each has the operations with draws of its own, from seeds that count up. Where processes make
    the rows, all of a thread are made by one, which is told where its draws are unless it has
    another row of that thread before.

    Args:
        mapped: Whose operations and rows.
        seed: int, of the first thread.
    """

    def __init__(self, mapped: MapDataset, seed: int) -> None:
        self._mapped, self._seed, self._turn = mapped, seed, -1
        self._name = uuid4().hex
        self._of: dict[int, tuple[list[Any], list[Draws]]] = {}
        self._places: dict[int, _Places] = {}
        self._under_way: Counter[int] = Counter()

    def next(self) -> int:
        """Return the thread whose turn it is."""
        self._turn += 1
        return self._turn % self._mapped._threads

    def operations(self, thread: int) -> tuple[list[Any], list[Draws]]:
        """Return the operations of a thread, and the draws of all of them."""
        if thread not in self._of:
            held: list[Draws] = []
            seeds = self._seed + thread, self._seed
            self._of[thread] = bound(self._mapped.operations, *seeds, held), held
        return self._of[thread]

    def begin(self) -> None:
        """Begin an epoch in processes."""
        self._under_way.clear()

    def item(self, row: Row) -> tuple[int, tuple[int, _Places | None, Row]]:
        """Return the thread whose turn it is, and what ``made`` is given for the next row."""
        thread = self.next()
        places = None if self._under_way[thread] else self._places.get(thread, [])
        self._under_way[thread] += 1
        return thread, (thread, places, row)

    def made(self, item: tuple[int, _Places | None, Row]) -> tuple[int, _Places, Row | None]:
        """Return the thread, where its draws then are, and what becomes of a row."""
        thread, places, row = item
        operations, held = self.operations(thread)
        told = _left[self._name, thread] if places is None else places
        for draws, place in builtins.zip(held, told, strict=False):
            draws.place = place
        made = self._mapped._row(operations, row)
        _left[self._name, thread] = left = [draws.place for draws in held]
        return thread, left, made

    def taken(self, result: tuple[int, _Places, Row | None]) -> Row | None:
        """Return the row that is made, or None for one left out, after which the thread goes on."""
        thread, self._places[thread], row = result
        self._under_way[thread] -= 1
        return row
