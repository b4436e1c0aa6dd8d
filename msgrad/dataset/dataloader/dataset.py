"""What a ``DataLoader`` reads: rows that have numbers, rows that come one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor

Item = TypeVar("Item", covariant=True)


class Dataset(Generic[Item]):
    """Base of datasets whose rows have numbers; a subclass defines ``__getitem__``.

    With ``__len__`` too, which most samplers need.

    Raises:
        NotImplementedError: In a subclass without ``__getitem__``, once a row is asked for.
    """

    def __getitem__(self, index: Any) -> Item:
        raise NotImplementedError(f"{type(self).__name__} must implement __getitem__ method.")


class IterableDataset(Dataset[Item], Iterable[Item]):
    """Base of datasets whose rows come one after the other; a subclass defines ``__iter__``.

    In worker processes each has the whole dataset: ``get_worker_info`` says which rows to give.
    """

    def __iter__(self) -> Iterator[Item]:
        raise NotImplementedError(f"{type(self).__name__} must implement __iter__ method.")


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """The rows of Tensors, side by side.

    Args:
        *tensors: Tensors of equal size in the first dimension.

    Raises:
        ValueError: If those sizes differ.
    """

    def __init__(self, *tensors: Tensor) -> None:
        if len({tensor.shape[0] for tensor in tensors}) > 1:
            raise ArgumentValueError(
                "All tensors must have the same size in the first dimension, but got shapes "
                f"{[tensor.shape for tensor in tensors]}."
            )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


__all__ = public_names(globals())
