"""Metrics that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from functools import partial

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out

_row = partial(left_out, __name__)
_NUMPY = "compute it from Model.predict(...).asnumpy() with"
_SURFACE = f"{_NUMPY} scipy.ndimage.distance_transform_edt"

BleuScore = _row("BleuScore", "BLEU of translations", f"{_NUMPY} the sacrebleu package")
ConfusionMatrixMetric = _row(
    "ConfusionMatrixMetric",
    "rates computed from a confusion matrix",
    "compute it from train.ConfusionMatrix(num_classes).eval()",
)
HausdorffDistance = _row(
    "HausdorffDistance",
    "distance of two point sets",
    f"{_NUMPY} scipy.spatial.distance.directed_hausdorff",
)
MeanSurfaceDistance = _row("MeanSurfaceDistance", "mean distance of two surfaces", _SURFACE)
OcclusionSensitivity = _row(
    "OcclusionSensitivity",
    "change of a score under occlusion",
    "call the network on occluded copies of the input",
)
ROC = _row("ROC", "receiver operating characteristic", f"{_NUMPY} sklearn.metrics.roc_curve")
RootMeanSquareDistance = _row(
    "RootMeanSquareDistance", "root mean square distance of two surfaces", _SURFACE
)
auc = _row("auc", "area under a curve", f"{_NUMPY} sklearn.metrics.auc")

__all__ = public_names(globals())
