"""Layers and optimizers that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from functools import partial

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out

_row = partial(left_out, __name__)
_ASCEND = "MindSpore runs it on Ascend alone"
_THOR = "it serves the optimizer thor, which is left out; use"
_ADASUM = "2.10 runs it on groups of eight devices alone; use nn.DistributedGradReducer"

MultilabelMarginLoss = _row(
    "MultilabelMarginLoss",
    "how far the scores of the true classes are from being above the others",
    f"{_ASCEND}; use nn.MultiLabelSoftMarginLoss",
)
Conv2dThor = _row("Conv2dThor", "a convolution for thor", f"{_THOR} nn.Conv2d")
DenseThor = _row("DenseThor", "a dense layer for thor", f"{_THOR} nn.Dense")
EmbeddingThor = _row("EmbeddingThor", "an embedding for thor", f"{_THOR} nn.Embedding")
EmbeddingLookupThor = _row(
    "EmbeddingLookupThor", "an embedding for thor", f"{_THOR} nn.EmbeddingLookup"
)
AdaSumByGradWrapCell = _row("AdaSumByGradWrapCell", "joins gradients by AdaSum", _ADASUM)
AdaSumByDeltaWeightWrapCell = _row(
    "AdaSumByDeltaWeightWrapCell", "joins changes of weights by AdaSum", _ADASUM
)
OptTFTWrapper = _row(
    "OptTFTWrapper",
    "reports the steps of an optimizer to MindIO",
    "there is no MindIO; use the optimizer itself",
)


def _ext(name: str, of: str) -> type:
    return _row(name, f"mint's {of}", f"{_ASCEND}; use mint.nn.{of}")


AvgPool1dExt = _ext("AvgPool1dExt", "AvgPool1d")
AvgPool2dExt = _ext("AvgPool2dExt", "AvgPool2d")
AvgPool3dExt = _ext("AvgPool3dExt", "AvgPool3d")
Dropout2dExt = _ext("Dropout2dExt", "Dropout2d")
DropoutExt = _ext("DropoutExt", "Dropout")
EmbeddingExt = _ext("EmbeddingExt", "Embedding")
L1LossExt = _ext("L1LossExt", "L1Loss")
LayerNormExt = _ext("LayerNormExt", "LayerNorm")
LogSoftmaxExt = _ext("LogSoftmaxExt", "LogSoftmax")
MaxPool2dExt = _ext("MaxPool2dExt", "MaxPool2d")

__all__ = public_names(globals())
