"""Layers and optimizers that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from functools import partial

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out

_row = partial(left_out, __name__)
_ASCEND = "MindSpore runs it on Ascend alone"
_THOR = "it serves the optimizer thor, which 2.10 cannot make on its CPU; use"
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

__all__ = public_names(globals())
