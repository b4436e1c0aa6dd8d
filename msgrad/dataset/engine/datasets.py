"""``Dataset`` and what is done to it: batch, map, shuffle, split, ...; no source of rows.

A dataset gives the rows of one epoch, tuples of NumPy arrays, from ``_rows(run)``; it knows its
columns and its size without making any.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from msgrad._core.checks import at_least
from msgrad._core.declared import Word, checked
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    MissingAttributeError,
    TextLater,
)
from msgrad._core.missing import missing_names, missing_text
from msgrad.dataset._arguments import a_list, check_count, check_kind, one_of
from msgrad.dataset.config import _check_workers
from msgrad.dataset.engine._rows import COUNTED, Row, Run
from msgrad.dataset.engine.iterators import DictIterator, TupleIterator

__all__ = ["Dataset", "TextBaseDataset", "zip"]

# What the methods of a Dataset make, which programs compare types with.
STEPS = {
    **dict.fromkeys(
        ("BatchDataset", "BucketBatchByLengthDataset", "PaddedBatchDataset"),
        "msgrad.dataset.engine._batches",
    ),
    **dict.fromkeys(("MappableDataset", "VisionBaseDataset"), "msgrad.dataset.engine._indexed"),
    "SourceDataset": "msgrad.dataset.engine.datasets_standard_format",
    **dict.fromkeys(("ProjectDataset", "RenameDataset"), "msgrad.dataset.engine._columns"),
    "MapDataset": "msgrad.dataset.engine._mapped",
    **dict.fromkeys(("ConcatDataset", "ZipDataset"), "msgrad.dataset.engine._combined"),
    **dict.fromkeys(
        (
            *("FilterDataset", "RepeatDataset", "ShuffleDataset", "SkipDataset", "SyncWaitDataset"),
            "TakeDataset",
        ),
        "msgrad.dataset.engine._selected",
    ),
}


@dataclass(frozen=True)
class BatchInfo:
    """What a ``per_batch_map`` is told last: the numbers of the epoch and of the batch."""

    epoch_num: int
    batch_num: int

    def get_epoch_num(self) -> int:
        """Return the number of the epoch, from 0."""
        return self.epoch_num

    def get_batch_num(self) -> int:
        """Return the number of the batch in its epoch, from 0."""
        return self.batch_num


class Dataset:
    """Base of datasets; made by ``GeneratorDataset``, ``NumpySlicesDataset`` and the methods here.

    Everything is plain Python, run by whoever asks for the next row, except where
    ``GeneratorDataset`` and ``map`` are given worker processes.
    """

    # What get_dataset_size returns from now on: found by its first call, or set by a program that
    # will not have the rows counted. What is made of this dataset does not ask it.
    dataset_size: Any = None

    def __init__(self, *children: Dataset) -> None:
        self._children = children
        self._init_step = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise MissingAttributeError(f"'{type(self).__name__}' has no attribute '{name}'")
        text = TextLater(missing_text, "msgrad.dataset.Dataset", name, type(self))
        raise MissingAttributeError(text)

    def _rows(self, run: Run) -> Iterator[Row]:
        return self._children[0]._rows(run.of())

    # What is known of it ----------------------------------------------------------------------

    def get_col_names(self) -> list[str]:
        """Return the names of the columns."""
        return self._children[0].get_col_names()

    def get_dataset_size(self) -> int:
        """Return the number of rows (batches) of an epoch; ``dataset_size``, where that is set."""
        if self.dataset_size is None:
            self.dataset_size = self._epoch_size()
        return self.dataset_size

    def _epoch_size(self) -> int:
        return self._children[0]._epoch_size()

    def get_batch_size(self) -> int:
        """Return the number of rows in a batch; 1 without ``batch``."""
        return self._children[0].get_batch_size() if self._children else 1

    def get_repeat_count(self) -> int:
        """Return how often ``repeat`` repeats."""
        return self._children[0].get_repeat_count() if self._children else 1

    def num_classes(self) -> int | None:
        """Return the number of classes, or None where there are none."""
        return self._children[0].num_classes() if self._children else None

    def get_class_indexing(self) -> dict[str, Any]:
        """Return the labels of classes by name."""
        return self._children[0].get_class_indexing() if self._children else {}

    def _first(self) -> Row:
        self.get_col_names()  # raises if one that is asked for does not exist
        return next(iter(self._rows(COUNTED)), ())

    @checked
    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """Return the shape of each column, of the first row.

        Args:
            estimate: Whether all rows are made, and sizes that are not those of each are None.

        Raises:
            RuntimeError: With ``estimate``, if rows differ in their number of dimensions.
        """
        shapes: list[list[int | None]] = [
            [0] if value.dtype.kind == "O" else list(value.shape) for value in self._first()
        ]
        for row in self._rows(COUNTED) if estimate else ():
            for shape, value in builtins.zip(shapes, row, strict=True):
                if len(shape) != value.ndim:
                    raise EngineError(
                        f"Inconsistent shapes, expect same shape for each data row, but got {shape}"
                        f" and {list(value.shape)}."
                    )
                for axis, size in enumerate(value.shape):
                    shape[axis] = size if size == shape[axis] else None
        return shapes

    def output_types(self) -> list[np.dtype]:
        """Return the NumPy dtype of each column, of the first row."""
        kinds = [value.dtype for value in self._first()]
        return [np.dtype(kind.type) if kind.kind in "US" else kind for kind in kinds]

    @property
    def children(self) -> list[Dataset]:
        """The datasets that this one was made of."""
        return list(self._children)

    def __len__(self) -> int:
        return self.get_dataset_size()

    # Iterating --------------------------------------------------------------------------------

    @checked
    def create_tuple_iterator(
        self,
        columns: str | list[str] | None = None,
        num_epochs: int = -1,
        output_numpy: bool | None = False,
        do_copy: bool = False,
    ) -> TupleIterator:
        """Make an iterator over rows as lists of Tensors.

        Args:
            columns: Names of the columns to give, or None for all.
            num_epochs: int, how many epochs, those before ``set_init_step`` among them; -1 for any
                number.
            output_numpy: Whether to give arrays.
            do_copy: Accepted for compatibility.

        Raises:
            ValueError: For another ``num_epochs``.
        """
        picked = None if columns is None else a_list(columns)
        return TupleIterator(self, picked, _epochs(num_epochs), output_numpy)

    @checked
    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool | None = False, do_copy: bool = False
    ) -> DictIterator:
        """Make an iterator over rows as dicts of Tensors by column; see the one over tuples."""
        return DictIterator(self, None, _epochs(num_epochs), output_numpy)

    def __iter__(self) -> TupleIterator:
        return self.create_tuple_iterator(num_epochs=1)

    def reset(self) -> None:
        """Accepted for compatibility: each epoch of an iterator starts from the beginning."""

    @checked
    def set_init_step(self, init_step: int) -> None:
        """Make iterators start where a training of ``init_step`` steps would go on.

        Args:
            init_step: int; epochs done times their size, plus steps of the epoch begun. The
                shuffles are those of that epoch, if a seed is set.
        """
        check_count("init_step", init_step, 0)
        self._init_step = init_step

    def get_init_step(self) -> int:
        """Return what ``set_init_step`` was given, or 0."""
        return self._init_step

    def _places_of(self, columns: list[str]) -> list[int]:
        """Return where columns stand; raises ``RuntimeError`` for one that does not exist."""
        names = self.get_col_names()
        for name in columns:
            if name not in names:
                raise EngineError(
                    f"Invalid parameter, column name: {name} doesn't exist in the dataset columns "
                    f"{names}."
                )
        return [names.index(name) for name in columns]

    # New datasets -----------------------------------------------------------------------------

    @checked
    def batch(
        self,
        batch_size: int | Callable[..., int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> Dataset:
        """Join rows to batches.

        Args:
            batch_size: int, or a function of a ``BatchInfo`` that gives it.
            drop_remainder: Whether to leave out a last batch that is not full.
            num_parallel_workers: Accepted for compatibility.
            kwargs: ``per_batch_map`` (function of the columns, each a list of arrays, and a
                ``BatchInfo``; gives a tuple of lists), ``input_columns``, ``output_columns``.

        Raises:
            TypeError, ValueError: For arguments that are not accepted.
            RuntimeError: In iteration, if the rows of a batch differ in shape.
        """
        if not callable(batch_size):
            check_count("batch_size", batch_size, 1)
        _check_workers(num_parallel_workers)
        return _step("BatchDataset")(self, batch_size, drop_remainder, kwargs)

    @checked
    def padded_batch(
        self,
        batch_size: int | Callable[..., int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> Dataset:
        """Join rows to batches, their arrays padded to one shape.

        Args:
            batch_size: int, or a function of a ``BatchInfo`` that gives it.
            drop_remainder: Whether to leave out a last batch that is not full.
            num_parallel_workers: Accepted for compatibility.
            pad_info: dict by column of (shape, value); None in a shape, or for it, is the largest
                of the batch, None for the value 0. Other columns are not padded; {} pads all, None
                nothing.
        """
        if not callable(batch_size):
            check_count("batch_size", batch_size, 1)
        _check_workers(num_parallel_workers)
        return _step("PaddedBatchDataset")(self, batch_size, drop_remainder, {}, pad_info)

    @checked
    def bucket_batch_by_length(
        self,
        column_names: list[str],
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict[str, Any] | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Dataset:
        """Join rows of like length to batches.

        Args:
            column_names: The columns of which the length is taken.
            bucket_boundaries: list of int that rises: a row goes to the first bucket whose
                boundary is above its length, or to one more.
            bucket_batch_sizes: list of int, for each bucket, one more than boundaries.
            element_length_function: Function of these columns; the length of the one by default.
            pad_info: As for ``padded_batch``, but None too pads all.
            pad_to_bucket_boundary: Whether None in a shape is the bucket's boundary less one.
            drop_remainder: Whether to leave out last batches that are not full.

        Raises:
            ValueError: For boundaries and sizes that do not go together.
        """
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ArgumentValueError(
                "bucket_batch_sizes must contain one element more than bucket_boundaries."
            )
        if sorted(set(bucket_boundaries)) != bucket_boundaries:
            raise ArgumentValueError("bucket_boundaries should be strictly increasing.")
        if not bucket_boundaries:
            raise ArgumentValueError("bucket_boundaries cannot be empty.")
        if min(*bucket_boundaries, *bucket_batch_sizes) < 1:
            raise ArgumentValueError("bucket_boundaries and bucket_batch_sizes must be above 0.")
        if element_length_function is None and len(column_names) != 1:
            raise ArgumentValueError(
                "If element_length_function is not specified, exactly one column name should be "
                "passed."
            )
        picks = (column_names, element_length_function)
        rest = (pad_info or {}, pad_to_bucket_boundary, drop_remainder)
        return _step("BucketBatchByLengthDataset")(
            self, picks, bucket_boundaries, bucket_batch_sizes, *rest
        )

    @checked
    def map(
        self,
        operations: Any,
        input_columns: Word | list[Any] | tuple[Any, ...] | None = None,
        output_columns: str | list[str] | None = None,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> Dataset:
        """Apply functions to columns.

        Args:
            operations: Function of arrays, or list of them, each called with what the one before
                gave.
            input_columns: The columns it is given; the first one by default.
            output_columns: Names of what it gives, where that are others or more or fewer.
            num_parallel_workers: int, how many draw in turn for random transforms, as MindSpore's
                threads; with ``python_multiprocessing=True`` as many processes.
            kwargs: ``python_multiprocessing``, ``callbacks`` (a DSCallback or several); others are
                accepted for compatibility, and MindSpore 1's ``column_order``, as by ``project``.

        Raises:
            TypeError: For arguments that are not accepted.
            ValueError: If an operation cannot be called.
            RuntimeError: In iteration, if a column does not exist or an operation fails.
        """
        from msgrad.dataset.engine._mapped import mapped

        _check_workers(num_parallel_workers)
        rest = input_columns, output_columns, num_parallel_workers
        return mapped(self, (operations, *rest), **kwargs)

    def filter(
        self,
        predicate: Callable[..., Any],
        input_columns: str | list[str] | None = None,
        num_parallel_workers: int | None = None,
    ) -> Dataset:
        """Keep the rows for which ``predicate(*columns)`` is true."""
        _check_workers(num_parallel_workers)
        check_kind("predicate", predicate, Callable)
        return _step("FilterDataset")(self, predicate, input_columns)

    @checked
    def shuffle(self, buffer_size: int) -> Dataset:
        """Shuffle: each row is drawn from the next ``buffer_size`` ones, anew in each epoch.

        Raises:
            ValueError: If ``buffer_size`` is below 2.
            RuntimeError: After ``sync_wait``.
        """
        check_count("buffer_size", buffer_size, 2)
        if self._conditions():
            raise EngineError("No shuffle after sync operators.")
        return _step("ShuffleDataset")(self, buffer_size)

    @checked
    def repeat(self, count: int | None = None) -> Dataset:
        """Make an epoch of ``count`` epochs; None or -1 counts as 1, as for MindSpore's sizes.

        Raises:
            ValueError: For a count that is neither -1 nor above 0.
        """
        if count is not None:
            check_count("count", count, 1, -1)
        return _step("RepeatDataset")(self, count)

    @checked
    def skip(self, count: int) -> Dataset:
        """Leave out the first ``count`` rows."""
        check_count("count", count, 0)
        return _step("SkipDataset")(self, count, None)

    @checked
    def take(self, count: int = -1) -> Dataset:
        """Keep the first ``count`` rows; -1 keeps all."""
        check_count("count", count, 1, -1)
        return _step("TakeDataset")(self, 0, None if count == -1 else count)

    @checked
    def split(self, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Split into datasets that share no row.

        Args:
            sizes: list of int that add up to the size, or of float that add up to 1.
            randomize: Whether rows are drawn at random; the same ones in every epoch.

        Raises:
            ValueError, RuntimeError: For sizes that are not accepted.
        """
        from msgrad.dataset.engine._selected import split

        return split(self, sizes, randomize)

    def zip(self, datasets: Any) -> Dataset:
        """Put the columns of other datasets beside these; the shortest ends the epoch."""
        return _step("ZipDataset")(self, *_several(datasets))

    def concat(self, datasets: Any) -> Dataset:
        """Put the rows of other datasets, of the same columns, after these."""
        return _step("ConcatDataset")(self, *_several(datasets))

    __add__ = concat

    def project(self, columns: str | list[str]) -> Dataset:
        """Keep some columns, in the given order."""
        one_of("columns", columns, str, list)
        if not columns:
            raise ArgumentValueError("columns should not be empty.")
        return _step("ProjectDataset")(self, a_list(columns))

    def rename(self, input_columns: str | list[str], output_columns: str | list[str]) -> Dataset:
        """Return columns other names.

        Raises:
            ValueError: If there are not as many new names as old ones.
        """
        old, new = a_list(input_columns), a_list(output_columns)
        if len(old) != len(new):
            raise ArgumentValueError(
                "Number of column in input_columns and output_columns is not equal."
            )
        return _step("RenameDataset")(self, old, new)

    def flat_map(self, func: Callable[..., Dataset]) -> Dataset:
        """Concatenate the datasets that ``func(*row)`` makes of the rows of an epoch, read now.

        Raises:
            TypeError: If ``func`` is no function, or returns something else.
        """
        check_kind("func", func, Callable)
        made = [func(*row) for row in self._rows(Run(0))]
        if not made or not all(isinstance(one, Dataset) for one in made):
            raise ArgumentTypeError("flat_map must return a Dataset object.")
        return made[0].concat(made[1:]) if made[1:] else made[0]

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write the rows of an epoch into MindRecord files, which MindDataset reads.

        Raises:
            TypeError, ValueError, RuntimeError: For arguments or rows that are not accepted.
        """
        from msgrad.dataset.engine._saved import save

        one_of("file_name", file_name, str)
        if not 1 <= one_of("num_files", num_files, int) <= 1000:
            raise ArgumentValueError(f"num_files must be 1 to 1000, but got {num_files}.")
        if file_type != "mindrecord":
            raise ArgumentValueError(f"{file_type} dataset format is not supported.")
        save(self.create_dict_iterator(1, output_numpy=True), file_name, num_files)

    @checked
    def sync_wait(
        self, condition_name: Word, num_batch: int = 1, callback: Callable[..., Any] | None = None
    ) -> Dataset:
        """Name a condition, whose ``callback(data)`` ``sync_update`` calls.

        Raises:
            ValueError: If ``num_batch`` is below 1.
            RuntimeError: If there is a condition of this name.

        Differs from MindSpore: nothing has to wait, since a row is made when it is asked for.
        """
        at_least("sync_wait", "num_batch", num_batch, 1)
        if condition_name in self._conditions():
            raise EngineError("Condition name is already in use.")
        return _step("SyncWaitDataset")(self, condition_name, callback)

    def sync_update(
        self, condition_name: str, num_batch: int | None = None, data: Any = None
    ) -> None:
        """Call the callback of a condition.

        Raises:
            RuntimeError: If there is no such condition, or ``num_batch`` is below 1.
        """
        if num_batch is not None and num_batch < 1:
            raise EngineError(
                f"Sync_update batch size can only be positive integer, got: {num_batch}."
            )
        conditions = self._conditions()
        if condition_name not in conditions:
            raise EngineError("Condition name not found.")
        if conditions[condition_name] is not None:
            conditions[condition_name](data)

    def _conditions(self) -> dict[str, Any]:
        return {k: v for child in self._children for k, v in child._conditions().items()}

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """Return ``apply_func(self)``."""
        made = apply_func(self)
        if not isinstance(made, Dataset):
            raise ArgumentTypeError("apply_func must return a dataset.")
        return made


def zip(datasets: tuple[Dataset, ...]) -> Dataset:
    """Put the columns of several datasets beside each other; the shortest ends the epoch.

    Raises:
        TypeError: If they are not in a tuple.
        ValueError: For less than two.
    """
    check_kind("datasets", datasets, tuple)
    if len(datasets) < 2:
        raise ArgumentValueError("Can't zip empty or just one dataset!")
    return datasets[0].zip(datasets[1:])


def _several(datasets: Any) -> tuple[Dataset, ...]:
    several = (datasets,) if isinstance(datasets, Dataset) else tuple(datasets)
    for one in several:
        check_kind("dataset", one, Dataset)
    return several


def _epochs(value: int) -> int:
    check_count("num_epochs", value, -1)
    if value == 0:
        raise EngineError("num_epochs should be either -1 or positive, but got 0.")
    return value


class TextBaseDataset(Dataset):
    """The base of datasets that may be texts: all but those of images and of sounds.

    Differs from MindSpore: ``build_vocab`` and its like return the vocabulary; in 2.10 None.
    """

    def build_vocab(
        self, columns: Any, freq_range: Any, top_k: Any, special_tokens: Any, special_first: Any
    ) -> Any:
        """Number the words; see ``text.Vocab.from_dataset``."""
        from msgrad.dataset.text import Vocab

        return Vocab.from_dataset(self, columns, freq_range, top_k, special_tokens, special_first)

    def build_sentencepiece_vocab(
        self, columns: Any, vocab_size: Any, character_coverage: Any, model_type: Any, params: Any
    ) -> Any:
        """Train a model of pieces of words; see ``text.SentencePieceVocab.from_dataset``."""
        from msgrad.dataset.text import SentencePieceVocab as Vocab

        options = vocab_size, character_coverage, model_type, params
        return Vocab.from_dataset(self, columns, *options)


def _step(name: str) -> Any:
    """Return a class of ``STEPS``; those derive from the one here."""
    return getattr(sys.modules[__name__], name)


__getattr__ = missing_names(__name__, STEPS)
