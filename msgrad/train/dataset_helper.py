"""``DatasetHelper``: the batches of a dataset, epoch by epoch, as a Model feeds them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import MissingAttributeError
from msgrad._core.left_out import refused
from msgrad.common.tensor import Tensor

__all__ = ["DatasetHelper", "connect_network_with_dataset"]


def dataset_size(dataset: Any) -> int:
    """Return the number of batches of a dataset.

    Raises:
        AttributeError: If the object is no dataset.
    """
    if not hasattr(dataset, "get_dataset_size"):
        raise MissingAttributeError(
            f"'{type(dataset).__name__}' object has no attribute 'get_dataset_size'. Pass a "
            "dataset of mindspore.dataset, or an object with get_dataset_size() and "
            "create_tuple_iterator()."
        )
    return dataset.get_dataset_size()


class DatasetHelper:
    """The batches of a dataset; each ``for`` loop over it is one epoch.

    Args:
        dataset: Object with ``get_dataset_size`` and ``create_tuple_iterator`` (or
            ``create_dict_iterator``).
        dataset_sink_mode: Accepted for compatibility; there is no device queue.
        sink_size: Accepted for compatibility.
        epoch_num: How many epochs will be asked for.
    """

    def __init__(
        self, dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1
    ) -> None:
        of_type(None, "dataset_sink_mode", dataset_sink_mode, bool)
        self._size = dataset_size(dataset)
        self._dataset = dataset
        self._epochs = epoch_num
        self._iterator: Any = None

    def __iter__(self) -> Iterator[Any]:
        if self._iterator is None:
            self._iterator = self._make()
        seen = False
        for element in self._iterator:
            seen = True
            yield _tensors(element)
        if not seen and self._size > 0:
            # MindSpore's iterators start over after their end; a Python generator does not.
            self._iterator = self._make()
            yield from map(_tensors, self._iterator)

    def _make(self) -> Any:
        named = not hasattr(self._dataset, "create_tuple_iterator")
        make = getattr(self._dataset, f"create_{'dict' if named else 'tuple'}_iterator")
        accepted = inspect.signature(make).parameters
        every = any(one.kind is one.VAR_KEYWORD for one in accepted.values())
        options = {"num_epochs": self._epochs, "do_copy": False}
        return make(**{k: v for k, v in options.items() if every or k in accepted})

    def types_shapes(self) -> tuple[Any, Any]:
        """Return the dtypes and shapes of the columns."""
        return self._dataset.output_types(), self._dataset.output_shapes()

    def sink_size(self) -> int:
        """Return 1: batches are fed one by one."""
        return 1

    def stop_send(self) -> None:
        """Accepted for compatibility: there is no device queue."""

    def release(self) -> None:
        """Accepted for compatibility: there is no device queue."""

    def continue_send(self) -> None:
        """Accepted for compatibility: there is no device queue."""


def _tensors(element: Any) -> Any:
    if isinstance(element, dict):
        element = list(element.values())
    if isinstance(element, (list, tuple)):
        made = [
            Tensor(item) if isinstance(item, np.ndarray) and item.dtype.kind not in "USO" else item
            for item in element
        ]
        return made if isinstance(element, list) else tuple(made)
    return element


connect_network_with_dataset = refused(
    __name__,
    "connect_network_with_dataset",
    "there is no device queue; loop over the DatasetHelper and call the network with each batch",
)
