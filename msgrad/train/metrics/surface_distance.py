"""Distances of the surfaces of two masks: Hausdorff, mean and root mean square."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.checks import of_type, one_of, within
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.train.metrics.metric import BuiltIn, not_updated, rearrange_inputs

__all__ = ["HausdorffDistance", "MeanSurfaceDistance", "RootMeanSquareDistance"]

_METRICS = ["euclidean", "chessboard", "taxicab"]


class _Surfaces(BuiltIn):
    """Base: the edges of two masks, and how far those of the one are from those of the other."""

    _bad_label: type[Exception] = ArgumentValueError

    def __init__(self, distance_metric: str) -> None:
        of_type(None, "distance_metric", distance_metric, str)
        one_of(None, "distance_metric", distance_metric, *_METRICS)
        self.distance_metric = distance_metric
        super().__init__()

    def clear(self) -> None:
        """Forget the last batch."""
        self._edges: tuple[np.ndarray, np.ndarray] | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch, which replaces the last.

        Args:
            inputs: Two masks of one shape, and the number of the label that they are compared for.

        Raises:
            ValueError: If there are not three inputs, or they do not fit.
            TypeError: For inputs of other types.
        """
        self._need(inputs, "predicted value", "true value", "label index")
        label = inputs[2]
        masks = [self._convert_data(value) for value in inputs[:2]]
        if not isinstance(label, (int, float)):
            raise self._bad_label(
                f"For '{self._name()}.update', the label index (input[2]) must be int or float, "
                f"but got {type(label)}."
            )
        if not any(label in mask for mask in masks):
            raise ArgumentValueError(
                f"For '{self._name()}.update', the label index (input[2]) must be in predicted "
                f"value (input[0]) or true value (input[1]), but {label} is not."
            )
        if masks[0].size == 0 or masks[0].shape != masks[1].shape:
            raise ArgumentValueError(
                f"For '{self._name()}.update', predicted value and true value must be of one shape "
                f"and not empty, but got {masks[0].shape} and {masks[1].shape}."
            )
        from scipy import ndimage

        first, second = (m if m.dtype == bool else m == label for m in self._cropped(masks, label))
        self._edges = (
            ndimage.binary_erosion(first) ^ first,
            ndimage.binary_erosion(second) ^ second,
        )

    def _cropped(self, masks: list[np.ndarray], label: Any) -> list[np.ndarray]:
        return masks

    def _distances(self, back: bool = False) -> np.ndarray:
        """Return how far each edge of the one mask is from the other's, or the other way round."""
        if self._edges is None:
            raise not_updated()
        from scipy import ndimage

        here, there = self._edges[::-1] if back else self._edges
        if not there.any():
            return np.full(int(here.sum()), np.inf)
        if self.distance_metric == "euclidean":
            return np.asarray(ndimage.distance_transform_edt(~there))[here]
        return np.asarray(ndimage.distance_transform_cdt(~there, self.distance_metric))[here]


class HausdorffDistance(_Surfaces):
    """The largest distance from one surface to the other.

    Args:
        distance_metric: ``'euclidean'``, ``'chessboard'`` or ``'taxicab'``.
        percentile: The percentile in place of the largest, a float in [0, 100], or None.
        directed: Whether only the way from the first to the second counts.
        crop: Whether the masks are cropped to what they cover first.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For another ``distance_metric``.
    """

    def __init__(
        self,
        distance_metric: str = "euclidean",
        percentile: float | None = None,
        directed: bool | None = False,
        crop: bool | None = True,
    ) -> None:
        super().__init__(distance_metric)
        self.percentile = of_type(None, "percentile", percentile, float, type(None))
        self.directed = of_type(None, "directed", directed, bool, type(None))
        self.crop = of_type(None, "crop", crop, bool, type(None))

    def _cropped(self, masks: list[np.ndarray], label: Any) -> list[np.ndarray]:
        if not self.crop:
            return masks
        masks = [mask == label for mask in masks]
        covered = np.nonzero(masks[0] | masks[1])
        box = tuple(slice(places.min(), places.max() + 1) for places in covered)
        return [np.squeeze(mask[box]) for mask in masks]

    def eval(self) -> Any:
        """Return the distance.

        Raises:
            RuntimeError: Before any batch.
            ValueError: If ``percentile`` is out of range.
        """
        found = [self._largest(self._distances(back)) for back in (False, True)]
        return found[0] if self.directed else max(found)

    def _largest(self, distances: np.ndarray) -> Any:
        if distances.size == 0:
            return np.inf
        if not self.percentile:
            return distances.max()
        within("HausdorffDistance", "percentile", self.percentile, "[0, 100]")
        return np.percentile(distances, self.percentile)


class _Averaged(_Surfaces):
    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = of_type(None, "symmetric", symmetric, bool)

    def _means(self, power: int) -> list[Any]:
        ways = [self._distances()]
        if self.symmetric and ways[0].size:
            ways.append(self._distances(back=True))
        return [(way**power).mean() if way.size else np.inf for way in ways]


class MeanSurfaceDistance(_Averaged):
    """The mean distance from one surface to the other.

    Args:
        symmetric: Whether the way back counts as much.
        distance_metric: ``'euclidean'``, ``'chessboard'`` or ``'taxicab'``.
    """

    def eval(self) -> Any:
        """Return the distance; raises ``RuntimeError`` before any batch."""
        return np.mean(self._means(1))


class RootMeanSquareDistance(_Averaged):
    """The mean squared distance from one surface to the other; if symmetric, its root.

    Args:
        symmetric: Whether the way back counts as much, and the root is taken (as MindSpore does).
        distance_metric: ``'euclidean'``, ``'chessboard'`` or ``'taxicab'``.
    """

    _bad_label = ArgumentTypeError

    def eval(self) -> Any:
        """Return the distance; raises ``RuntimeError`` before any batch."""
        means = self._means(2)
        return np.sqrt(np.mean(means)) if len(means) > 1 else means[0]
