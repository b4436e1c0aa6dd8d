"""``DataLoader``: batches of a dataset's rows, made here or by worker processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice, repeat
from multiprocessing.context import BaseContext
from typing import Any

import numpy as np

from msgrad._core.checks import at_least
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad.common.tensor import Tensor
from msgrad.dataset._arguments import check_kind
from msgrad.dataset.dataloader._workers import made_by_workers
from msgrad.dataset.dataloader.dataset import IterableDataset
from msgrad.dataset.dataloader.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)

_OF_TEXTS_OR_OBJECTS = "SUO"


DatasetType = Enum("DatasetType", {"MapDataset": 0, "IterableDataset": 1})
DatasetType.__doc__ = "Whether a dataset's rows have numbers."


class InfiniteSampler(Sampler[None]):
    """As many turns as an iterable dataset has rows: None, without end."""

    def __iter__(self) -> Iterator[None]:
        return repeat(None)


def _refilled(like: Any, values: list[Any]) -> Any:
    """Return values in a sequence like another one; a list where there is none of its type."""
    kind: Any = type(like)
    if hasattr(like, "_fields"):
        return kind(*values)
    if kind is tuple:
        return values
    try:
        return kind(values)
    except TypeError:
        return values


def _remade(like: Mapping[Any, Any], values: dict[Any, Any]) -> Any:
    """Return values in a mapping like another one; a dict where there is none of its type."""
    kind: Any = type(like)
    try:
        if hasattr(like, "default_factory"):
            return kind(like.default_factory, values)  # pyright: ignore[reportAttributeAccessIssue]
        return kind(values)
    except TypeError:
        return values


def default_collate(batch: list[Any]) -> Any:
    """Return the rows of a batch as one: numbers, arrays and Tensors as a Tensor of one dimension
    more, texts as they are, and dicts and sequences of such things by their elements.

    A list or tuple of rows' elements comes as a list; a named tuple, and what a dict is, stay.

    Raises:
        TypeError: For other things: None, sets, complex numbers, arrays of texts or objects.
        ValueError: For arrays of different shapes.
        RuntimeError: For sequences of different lengths.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return Tensor(np.stack([tensor.asnumpy() for tensor in batch]))
    if isinstance(first, np.ndarray):
        if first.dtype.kind in _OF_TEXTS_OR_OBJECTS:
            raise ArgumentTypeError(
                f"NumPy arrays with dtype {first.dtype} are not supported for collation; give "
                "numbers, or a collate_fn of your own."
            )
        return Tensor(np.stack(batch))
    if isinstance(first, (np.number, np.bool_)):
        return Tensor(np.asarray(batch))
    if isinstance(first, float):
        return Tensor(np.asarray(batch, np.float64))
    if isinstance(first, int):
        return Tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return _remade(first, {key: default_collate([row[key] for row in batch]) for key in first})
    if isinstance(first, Sequence):
        if len({len(row) for row in batch}) > 1:
            raise EngineError(
                "Each element in list of batch must be of equal size, but got lengths "
                f"{[len(row) for row in batch]}."
            )
        # Not a list: what is left as it is stays what ``zip`` gave.
        columns: Any = zip(*batch, strict=True)
        return _refilled(first, [default_collate(column) for column in columns])
    raise ArgumentTypeError(
        f"Cannot find the appropriate collate function for type {type(first)}; give a collate_fn "
        "of your own."
    )


def default_convert(data: Any) -> Any:
    """Return a row with its arrays and NumPy's numbers as Tensors; all else stays.

    Also in dicts and sequences, as ``default_collate``.
    """
    if isinstance(data, (np.ndarray, np.number, np.bool_)):
        return data if data.dtype.kind in _OF_TEXTS_OR_OBJECTS else Tensor(np.asarray(data))
    if isinstance(data, Mapping):
        return _remade(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _refilled(data, [default_convert(value) for value in data])
    return data


class DataLoader:
    """Batches of a dataset's rows; each ``for`` over it is an epoch.

    Args:
        dataset: What has rows by number (``__getitem__``), or an ``IterableDataset``.
        batch_size: int above 0; None for single rows.
        shuffle: Whether the rows come in random order.
        sampler: Iterable of row numbers, instead of ``shuffle``.
        batch_sampler: Iterable of lists of them, instead of ``batch_size``, ``shuffle``,
            ``sampler`` and ``drop_last``.
        num_workers: int, how many processes make the batches; 0 for this one.
        collate_fn: Makes a batch of a list of rows, or something of a row where there are no
            batches; by default ``default_collate`` or ``default_convert``.
        pin_memory: Accepted for compatibility.
        drop_last: Whether a last batch with fewer rows is left out.
        timeout: Seconds to wait for a batch of a worker; 0 for any time.
        worker_init_fn: Called in each worker with its number, from 0, before the first row.
        multiprocessing_context: Accepted for compatibility.
        generator: np.random.Generator for the order and the workers' seeds; by default a fresh one,
            another one in each run.
        prefetch_factor: int above 0, how many batches a worker makes ahead; 2 by default.
        persistent_workers: Whether workers keep the dataset as it was sent to them in the first
            epoch. (The processes stay in any case.)
        in_order: Whether batches of workers come in the order of their rows, and not of the time
            at which they are ready.

    Differs from MindSpore: workers are new processes and no forks, since forks of a process with
    JAX's threads hang; the dataset and the functions go to them by cloudpickle (``msgrad[data]``).
    What Python's and NumPy's global generators give in them is other numbers.

    Raises:
        TypeError, ValueError: For arguments of other types, or that contradict each other.
        NotImplementedError: For a dataset without ``__getitem__``; for workers without loky.
        RuntimeError: In an epoch: if a worker raises, is killed, or does not answer in time.
    """

    @checked
    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[int] | None = None,
        batch_sampler: Iterable[list[int]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0.0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: BaseContext | str | None = None,
        generator: np.random.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        in_order: bool = True,
    ) -> None:
        iterable = isinstance(dataset, IterableDataset)
        if not iterable and not hasattr(dataset, "__getitem__"):
            raise NotImplementedError(
                f"{type(dataset).__name__} should implement __getitem__ method if it is map style."
            )
        check_kind("generator", generator, np.random.Generator, type(None))
        for name, value in {"num_workers": num_workers, "timeout": timeout}.items():
            at_least("DataLoader", name, value, 0)
        sizes = {"batch_size": batch_size, "prefetch_factor": prefetch_factor}
        for name, value in sizes.items():
            if value is not None:
                at_least("DataLoader", name, value, 1)
        _check_together(
            "when dataset is iterable style",
            iterable,
            shuffle=shuffle,
            sampler=sampler is not None,
            batch_sampler=batch_sampler is not None,
        )
        _check_together("with shuffle", shuffle, sampler=sampler is not None)
        _check_together(
            "with batch_sampler",
            batch_sampler is not None,
            batch_size=batch_size != 1,
            shuffle=shuffle,
            sampler=sampler is not None,
            drop_last=drop_last,
        )
        if not num_workers:
            _check_together(
                "when num_workers is 0; it must be greater than 0",
                True,
                prefetch_factor=prefetch_factor is not None,
                persistent_workers=persistent_workers,
                multiprocessing_context=multiprocessing_context is not None,
            )
        self.dataset: Any = dataset
        self.num_workers, self.collate_fn = num_workers, collate_fn
        self.pin_memory, self.timeout, self.worker_init_fn = pin_memory, timeout, worker_init_fn
        self.generator = np.random.default_rng() if generator is None else generator
        self.persistent_workers, self.in_order = persistent_workers, in_order
        self.dataset_type = DatasetType.IterableDataset if iterable else DatasetType.MapDataset
        if sampler is None:
            if iterable:
                sampler = InfiniteSampler()  # pyright: ignore[reportAssignmentType]
            elif shuffle:
                sampler = RandomSampler(dataset, generator=self.generator)
            else:
                sampler = SequentialSampler(dataset)
        self.sampler: Any = sampler
        self.batch_size = None if batch_sampler is not None else batch_size
        self.drop_last = drop_last
        if self.batch_size is not None:
            batch_sampler = BatchSampler(self.sampler, self.batch_size, drop_last)
        self.batch_sampler: Any = batch_sampler
        self.auto_collation = batch_sampler is not None
        self.index_sampler: Any = self.batch_sampler if self.auto_collation else self.sampler
        self.multiprocessing_context = _context(multiprocessing_context)
        self.prefetch_factor = (prefetch_factor or 2) if num_workers else None
        self._sent: Any = None

    def __iter__(self) -> Iterator[Any]:
        return _Epoch(self)

    def __len__(self) -> int:
        if self.dataset_type is DatasetType.MapDataset:
            return len(self.index_sampler)
        rows, size = len(self.dataset), self.batch_size or 1
        return rows // size if self.drop_last else -(-rows // size)

    def _work(self) -> Callable[[], Callable[[Any], Any]]:
        """Return what starts an epoch; that gives what makes a batch of row numbers."""
        dataset, batched = self.dataset, self.auto_collation
        collate = self.collate_fn or (default_collate if batched else default_convert)
        iterable = self.dataset_type is DatasetType.IterableDataset
        drop_last = self.drop_last

        def start() -> Callable[[Any], Any]:
            rows = iter(dataset) if iterable else None

            def make(index: Any) -> Any:
                if rows is None:
                    return collate([dataset[i] for i in index] if batched else dataset[index])
                if not batched:
                    return collate(next(rows))
                batch = list(islice(rows, len(index)))
                if not batch or (drop_last and len(batch) < len(index)):
                    raise StopIteration
                return collate(batch)

            return make

        return start


class _Epoch:
    """The batches of one epoch, one after the other."""

    def __init__(self, loader: DataLoader) -> None:
        self._loader = loader
        self._batches = made_by_workers(loader) if loader.num_workers else self._made_here()

    def _made_here(self) -> Iterator[Any]:
        make = self._loader._work()()
        for index in self._loader.index_sampler:
            try:
                batch = make(index)
            except StopIteration:
                return
            yield batch

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._batches)

    def __len__(self) -> int:
        return len(self._loader)


def _check_together(where: str, if_so: Any, **given: Any) -> None:
    for name, value in given.items():
        if if_so and value:
            raise ArgumentValueError(f"{name} cannot be specified {where}.")


def _context(given: Any) -> Any:
    if isinstance(given, str):
        return multiprocessing.get_context(given)
    if given is None or isinstance(given, BaseContext):
        return given or multiprocessing
    raise ArgumentTypeError(
        "multiprocessing_context must be "
        f"{multiprocessing.get_all_start_methods()} or multiprocessing.context.BaseContext, but "
        f"got: {given}."
    )


__all__ = ["DataLoader", "default_collate", "default_convert"]
