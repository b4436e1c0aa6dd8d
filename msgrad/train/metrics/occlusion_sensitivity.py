"""``OcclusionSensitivity``: how much a score sinks where a part of the input is covered."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError, KernelError
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.train.metrics.metric import BuiltIn, not_updated, rearrange_inputs

__all__ = ["OcclusionSensitivity"]


class OcclusionSensitivity(BuiltIn):
    """What a score loses when the surroundings of each place of the input are covered.

    Args:
        pad_val: What covers them, a float.
        margin: How far they reach, an int.
        n_batch: How many covered inputs the network is called with at a time.
        b_box: The least and the largest place of each dimension after the first, or None for all.

    Raises:
        TypeError: For arguments of other types.
    """

    def __init__(
        self, pad_val: float = 0.0, margin: Any = 2, n_batch: int = 128, b_box: Any = None
    ) -> None:
        self.pad_val = of_type(None, "pad_val", pad_val, float)
        self.margin = of_type(None, "margin", margin, int, list)
        self.n_batch = of_type(None, "n_batch", n_batch, int)
        self.b_box = of_type(None, "b_box", b_box, list, type(None))
        super().__init__()

    def clear(self) -> None:
        """Forget the last input."""
        self._lost: np.ndarray | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Compute it for one input, which replaces the last.

        Args:
            inputs: The network, a Cell; its input (1, ...); and the class whose score is looked at.

        Raises:
            ValueError: If there are not three inputs, or the box does not fit.
            TypeError: If the first is not a Cell.
            RuntimeError: If there is not one input and one class.
        """
        self._need(inputs, "classification model", "predicted value", "label")
        image, label = (self._convert_data(value) for value in inputs[1:])
        network = of_type(None, "model", inputs[0], Cell)
        if image.shape[0] > 1 or label.size != 1:
            raise KernelError(
                "For 'OcclusionSensitivity.update', there must be one input and one label, but got "
                f"shapes {image.shape} and {label.shape}."
            )
        sizes, number = np.array(image.shape[1:]), int(label.item())
        low, high = self._box(sizes)
        shape = tuple(high - low + 1)
        covered = []
        for place in np.ndindex(*shape):
            at = low + place
            first, last = np.maximum(at - self.margin, 0), np.minimum(at + self.margin, sizes)
            copy = image.copy()
            copy[(..., *map(slice, first, last))] = self.pad_val
            covered.append(copy)
        scores = [
            network(Tensor(np.concatenate(covered[i : i + self.n_batch]))).asnumpy()[:, number]
            for i in range(0, len(covered), self.n_batch)
        ]
        baseline = network(Tensor(image)).asnumpy()[0, number]
        self._lost = float(baseline) - np.squeeze(np.concatenate(scores).reshape(shape))

    def _box(self, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self.b_box is None:
            return np.zeros_like(sizes), sizes - 1
        if len(self.b_box) != 2 * len(sizes):
            raise ArgumentValueError(
                "For 'OcclusionSensitivity', the 'b_box' must have the least and the largest place "
                f"of each of {len(sizes)} dimensions, but got {self.b_box}."
            )
        low, high = np.array(self.b_box[::2]), np.array(self.b_box[1::2])
        low, high = np.maximum(low, 0), np.where(high < 0, sizes - 1, high)
        if np.any(high >= sizes) or np.any(low > high):
            raise ArgumentValueError(
                "For 'OcclusionSensitivity', maximum bounding box must be smaller than image size "
                f"and not below the minimum, but got {self.b_box} for {tuple(sizes)}."
            )
        return low, high

    def eval(self) -> Any:
        """Return what the score loses at each place; raises ``RuntimeError`` before any input."""
        if self._lost is None:
            raise not_updated()
        return self._lost
