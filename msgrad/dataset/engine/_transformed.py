"""The datasets that ``Dataset``'s methods make; their arguments were checked there."""

from __future__ import annotations

import builtins
import copy
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Any
from uuid import uuid4

import numpy as np

from msgrad._core.declared import checked
from msgrad._core.draws import Draws, Place
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.former import warn_of
from msgrad.dataset._arguments import a_list, check_kind, check_row_size, one_of
from msgrad.dataset.callback.ds_callback import DSCallback
from msgrad.dataset.config import (
    ErrorSamplesMode,
    _shuffle_seed,
    get_error_samples_mode,
    get_num_parallel_workers,
)
from msgrad.dataset.engine._indexed import Indexed
from msgrad.dataset.engine._orders import Buffer
from msgrad.dataset.engine._rows import COUNTED, Row, Run, as_array, called
from msgrad.dataset.engine._told import Told
from msgrad.dataset.engine._workers import made_by_workers
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets import Dataset, TextBaseDataset
from msgrad.dataset.engine.samplers import (
    DistributedSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)
from msgrad.dataset.transforms.transforms import bound, in_pipeline

# How many rows are there to replace others.
_HELD = 16


class Columns(TextBaseDataset):
    """Base of the datasets that replace some columns by others."""

    def __init__(self, child: Dataset, inputs: Any, outputs: Any, most: int | None = None) -> None:
        super().__init__(child)
        self._given = [None if given is None else a_list(given) for given in (inputs, outputs)]
        self._most = most

    # Columns are looked up when they are first needed: that one does not exist is an error of
    # whoever asks for names or rows, and the number of rows is known without them.

    @cached_property
    def _inputs(self) -> list[str]:
        child, given = self._children[0], self._given[0]
        return child.get_col_names()[: self._most] if given is None else child._known(given)

    @cached_property
    def _outputs(self) -> list[str]:
        return self._inputs if self._given[1] is None else self._given[1]

    @cached_property
    def _places(self) -> list[int]:
        names = self._children[0].get_col_names()
        return [names.index(name) for name in self._inputs]

    @cached_property
    def _in_place(self) -> bool:
        return len(self._inputs) == len(self._outputs)

    @cached_property
    def _others(self) -> list[int]:
        return [i for i in range(len(self._children[0].get_col_names())) if i not in self._places]

    @cached_property
    def _kept(self) -> list[int]:
        every = self._all(self._children[0].get_col_names(), self._outputs)
        # Of two columns of one name, the new one stays where it takes the place of an input, else
        # the old one.
        kept = dict(builtins.zip(every, range(len(every)), strict=True))
        if self._in_place:
            kept |= dict(builtins.zip(self._outputs, self._places, strict=True))
        return sorted(kept.values())

    @cached_property
    def _names(self) -> list[str]:
        return self._replaced(self._children[0].get_col_names(), self._outputs)

    def get_col_names(self) -> list[str]:
        return list(self._names)

    def _all(self, row: Any, values: Any) -> list[Any]:
        if self._in_place:
            changed = list(row)
            for place, value in builtins.zip(self._places, values, strict=True):
                changed[place] = value
            return changed
        return [*values, *(row[i] for i in self._others)]

    def _replaced(self, row: Any, values: Any) -> list[Any]:
        every = self._all(row, values)
        return every if len(every) == len(self._kept) else [every[i] for i in self._kept]

    def _checked(self, made: Any, of: str) -> list[Any]:
        values = list(made) if isinstance(made, (tuple, list)) else [made]
        if len(values) != len(self._outputs):
            raise EngineError(
                f"{of} gave {len(values)} columns, but the output columns are {self._outputs}; "
                "name them in output_columns."
            )
        return values


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


class FilterDataset(TextBaseDataset):
    """See ``Dataset.filter``."""

    def __init__(self, child: Dataset, predicate: Any, inputs: Any) -> None:
        super().__init__(child)
        self._given = None if inputs is None else a_list(inputs)
        self._predicate = lambda *values: bool(predicate(*values))

    @cached_property
    def _places(self) -> list[int]:
        child = self._children[0]
        names = child.get_col_names()
        columns = names if self._given is None else child._known(self._given)
        return [names.index(name) for name in columns]

    def _epoch_size(self) -> int:
        """Return the number of rows kept; makes them to count them."""
        return sum(1 for _ in self._rows(Run(_shuffle_seed())))

    def _rows(self, run: Run) -> Iterator[Row]:
        for row in self._children[0]._rows(run.of()):
            if called("filter failed", self._predicate, *(row[i] for i in self._places)):
                yield row


class ShuffleDataset(TextBaseDataset):
    """See ``Dataset.shuffle``.

    Args:
        anew: Whether each epoch has an order of its own.
    """

    def __init__(self, child: Dataset, buffer_size: int, anew: bool = True) -> None:
        super().__init__(child)
        self._buffer = Buffer(buffer_size, anew)

    def _rows(self, run: Run) -> Iterator[Row]:
        child = self._children[0]
        return self._buffer.shuffled(child._rows(run.of()), run.seed, run.epoch, child._epoch_size)


class RepeatDataset(TextBaseDataset):
    """See ``Dataset.repeat``."""

    def __init__(self, child: Dataset, count: int | None) -> None:
        super().__init__(child)
        self._endless = count in (None, -1)
        self._count = 1 if count is None or count == -1 else count

    def get_repeat_count(self) -> int:
        """Return how often it repeats; -1 for endlessly."""
        return -1 if self._endless else self._count

    def _epoch_size(self) -> int:
        return self._count * self._children[0]._epoch_size()

    def _rows(self, run: Run) -> Iterator[Row]:
        first = run.epoch * self._count
        passes = (run.of(epoch=first + again) for again in range(self._count))
        return chain.from_iterable(self._children[0]._rows(each) for each in passes)


class _Slice(TextBaseDataset):
    def __init__(self, child: Dataset, start: int, count: int | None) -> None:
        super().__init__(child)
        self._start, self._count = start, count

    def _epoch_size(self) -> int:
        left = max(0, self._children[0]._epoch_size() - self._start)
        return left if self._count is None else min(left, self._count)

    def _rows(self, run: Run) -> Iterator[Row]:
        stop = None if self._count is None else self._start + self._count
        return islice(self._children[0]._rows(run.of()), self._start, stop)


class SkipDataset(_Slice):
    """See ``Dataset.skip``."""


class TakeDataset(_Slice):
    """See ``Dataset.take``."""


class _Part(Sampler):
    """Rows of one of the datasets of a split."""

    def __init__(self, start: int, count: int, randomize: bool) -> None:
        super().__init__()
        self._part, self._randomize = slice(start, start + count), randomize

    def indices(self, size: int, run: Run) -> Any:
        order = list(range(size))
        return (run.draws(run.seed).shuffled(order) if self._randomize else order)[self._part]


def _part(child: Dataset, start: int, count: int, randomize: bool) -> Dataset:
    """Return one of the datasets of a split.

    In each epoch it takes the same places of the rows, as in MindSpore: where those are shuffled
    before, other rows.
    """
    if isinstance(child, Indexed) and child._random_access:
        part = copy.copy(child)
        part.add_sampler(_Part(start, count, randomize))
        return part
    if randomize:
        child = ShuffleDataset(child, child.get_dataset_size(), anew=False)
    return _Slice(child, start, count)


def split(child: Dataset, sizes: Any, randomize: bool) -> tuple[Dataset, ...]:
    """See ``Dataset.split``."""
    whole = child.get_dataset_size()
    kind = type(sizes[0]) if sizes else None
    if kind not in (int, float) or any(type(size) is not kind for size in sizes):
        raise ArgumentValueError("sizes should be list of int or list of float, and not empty.")
    if min(sizes) <= 0 or (kind is float and max(sizes) > 1):
        raise ArgumentValueError(
            f"sizes is a list of int above 0, or of float in the range (0, 1], but got {sizes}."
        )
    counts = list(sizes)
    if kind is float:
        if abs(sum(sizes) - 1.0) > 1e-9:
            raise ArgumentValueError(
                "sizes is a list of float, but the percentages do not sum up to 1."
            )
        counts = [round(size * whole) for size in sizes]
        counts[0] += whole - sum(counts)
        if min(counts) <= 0:
            raise EngineError(f"The split {sizes} of {whole} rows leaves a part empty.")
    elif sum(counts) != whole:
        raise EngineError(f"Sum of split sizes {sum(counts)} is not equal to dataset size {whole}.")
    starts = np.cumsum([0, *counts[:-1]]).tolist()
    return tuple(
        _part(child, start, count, randomize)
        for start, count in builtins.zip(starts, counts, strict=True)
    )


class ZipDataset(TextBaseDataset):
    """See ``Dataset.zip``."""

    def get_col_names(self) -> list[str]:
        names = [name for child in self._children for name in child.get_col_names()]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise EngineError(
                f"zip: the columns {sorted(twice)} come from several datasets; rename them first."
            )
        return names

    def get_batch_size(self) -> int:
        """Return that of the last dataset."""
        return self._children[-1].get_batch_size()

    def _epoch_size(self) -> int:
        """Return the number of rows of the shortest."""
        return min(child._epoch_size() for child in self._children)

    def _rows(self, run: Run) -> Iterator[Row]:
        each = [child._rows(run.of(i)) for i, child in enumerate(self._children)]
        for rows in builtins.zip(*each, strict=False):
            yield tuple(value for row in rows for value in row)


class SyncWaitDataset(TextBaseDataset):
    """See ``Dataset.sync_wait``."""

    def __init__(self, child: Dataset, name: str, callback: Any) -> None:
        super().__init__(child)
        self._condition = {name: callback}

    def _conditions(self) -> dict[str, Any]:
        return {**super()._conditions(), **self._condition}


class ConcatDataset(TextBaseDataset):
    """See ``Dataset.concat``."""

    def __init__(self, *children: Dataset) -> None:
        super().__init__(*children)
        self._sampler: Any = None
        if len(children) < 2:
            raise EngineError("concat: the datasets to put after this one are not specified.")

    def get_col_names(self) -> list[str]:
        names = super().get_col_names()
        for child in self._children:
            if child.get_col_names() != names:
                raise EngineError(
                    f"concat: the columns {child.get_col_names()} are not {names}; rename or "
                    "project them first."
                )
        return names

    def _epoch_size(self) -> int:
        """Return the number of rows of all."""
        whole = sum(child._epoch_size() for child in self._children)
        if self._sampler is None:
            return whole
        return len(self._sampler.order(whole, COUNTED))

    def use_sampler(self, sampler: Any) -> None:
        """Choose among the rows of all; a RandomSampler mixes the datasets, not the rows of each.

        Differs from MindSpore: which dataset a RandomSampler takes the next row of is drawn from
        other numbers; shards of a MindDataset are every n-th row here too, not rows in one piece.

        Raises:
            TypeError: For other samplers than DistributedSampler and RandomSampler, and for batches
                with the first.
            ValueError: For a RandomSampler with ``num_samples`` or ``replacement``, or one that
                shuffles shards.
        """
        check_kind("sampler", sampler, DistributedSampler, RandomSampler)
        if isinstance(sampler, DistributedSampler) and sampler.shuffle:
            raise ArgumentValueError("The parameter shuffle of DistributedSampler must be False!")
        if isinstance(sampler, RandomSampler) and sampler.replacement:
            raise ArgumentValueError("The parameter replacement of RandomSampler must be False!")
        if isinstance(sampler, RandomSampler) and sampler.num_samples is not None:
            raise ArgumentValueError(
                "The parameter num_samples of RandomSampler is not support to be set!"
            )
        from msgrad.dataset.engine._batches import BatchDataset

        shards = isinstance(sampler, DistributedSampler)
        if shards and any(isinstance(child, BatchDataset) for child in self._children):
            raise ArgumentTypeError("concat: shards are of rows; use_sampler before batch.")
        self._sampler, self.dataset_size = copy.copy(sampler), None
        if shards:
            self._sampler.offset = 0  # then no shard starts over
            self._children = tuple(map(_in_order, self._children))

    def _rows(self, run: Run) -> Iterator[Row]:
        every = self._alike(run)
        if self._sampler is None:
            return every
        if isinstance(self._sampler, DistributedSampler):
            rows = list(every)
            return (rows[i] for i in self._sampler.order(len(rows), run))
        return self._mixed(run)

    def _mixed(self, run: Run) -> Iterator[Row]:
        each = [child._rows(run.of(number)) for number, child in enumerate(self._children)]
        sizes = [child._epoch_size() for child in self._children]
        owner = np.repeat(np.arange(len(each)), sizes)
        for place in self._sampler.order(len(owner), run):
            yield from islice(each[owner[place]], 1)

    def _alike(self, run: Run) -> Iterator[Row]:
        """Yield the rows of all.

        Raises:
            RuntimeError: If the first rows differ in a column's dtype or number of dimensions.
        """
        form: list[Any] = []
        for number, child in enumerate(self._children):
            rows = child._rows(run.of(number))
            for row in islice(rows, 1):
                own = [(value.dtype.type.__name__, value.ndim) for value in row]
                if form and own != form:
                    raise EngineError(
                        "concat: the dtypes and numbers of dimensions must be the same in all "
                        f"datasets, but are {form} and {own}."
                    )
                form = own
                yield row
            yield from rows


def _in_order(child: Dataset) -> Dataset:
    """Return a dataset, or a copy of one that mixes its rows: shards are of rows in order."""
    if not isinstance(child, Indexed) or not isinstance(child.sampler, RandomSampler):
        return child
    child = copy.copy(child)
    child.use_sampler(SequentialSampler())
    return child


class ProjectDataset(TextBaseDataset):
    """See ``Dataset.project``."""

    def __init__(self, child: Dataset, columns: list[str]) -> None:
        super().__init__(child)
        self._columns = columns

    @cached_property
    def _places(self) -> list[int]:
        names = self._children[0].get_col_names()
        return [names.index(name) for name in self.get_col_names()]

    def get_col_names(self) -> list[str]:
        return list(self._children[0]._known(self._columns))

    def _rows(self, run: Run) -> Iterator[Row]:
        for row in self._children[0]._rows(run.of()):
            yield tuple(row[i] for i in self._places)


class RenameDataset(TextBaseDataset):
    """See ``Dataset.rename``."""

    def __init__(self, child: Dataset, old: list[str], new: list[str]) -> None:
        super().__init__(child)
        self._new = dict(builtins.zip(old, new, strict=True))

    def get_col_names(self) -> list[str]:
        child = self._children[0]
        child._known(list(self._new))
        names = [self._new.get(name, name) for name in child.get_col_names()]
        if len(set(names)) < len(names):
            raise EngineError(f"rename: the columns would be {names}, two of one name.")
        return names
