"""Metrics that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError

_NUMPY = "compute it from Model.predict(...).asnumpy() with"
_INSTEAD = {
    "BleuScore": f"{_NUMPY} the sacrebleu package",
    "ConfusionMatrixMetric": "compute it from train.ConfusionMatrix(num_classes).eval()",
    "HausdorffDistance": f"{_NUMPY} scipy.spatial.distance.directed_hausdorff",
    "MeanSurfaceDistance": f"{_NUMPY} scipy.ndimage.distance_transform_edt",
    "OcclusionSensitivity": "call the network on occluded copies of the input",
    "ROC": f"{_NUMPY} sklearn.metrics.roc_curve",
    "RootMeanSquareDistance": f"{_NUMPY} scipy.ndimage.distance_transform_edt",
    "auc": f"{_NUMPY} sklearn.metrics.auc",
}


def _refuse(name: str) -> NoReturn:
    raise UnsupportedError(f"msgrad leaves out train.{name}: {_INSTEAD[name]}.")


class _LeftOut:
    """Base of the classes that only say that they are not there."""

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        _refuse(type(self).__name__)


class BleuScore(_LeftOut):
    """Left out: BLEU of translations."""


class ConfusionMatrixMetric(_LeftOut):
    """Left out: rates computed from a confusion matrix."""


class HausdorffDistance(_LeftOut):
    """Left out: distance of two point sets."""


class MeanSurfaceDistance(_LeftOut):
    """Left out: mean distance of two surfaces."""


class OcclusionSensitivity(_LeftOut):
    """Left out: change of a score under occlusion."""


class ROC(_LeftOut):
    """Left out: receiver operating characteristic."""


class RootMeanSquareDistance(_LeftOut):
    """Left out: root mean square distance of two surfaces."""


def auc(x: Any, y: Any, reorder: bool = False) -> NoReturn:
    """Left out: area under a curve."""
    _refuse("auc")
