"""Layers, optimizers and training cells that msgrad leaves out, each with the way open instead."""

from __future__ import annotations

from msgrad._core.left_out import left_out

_ASCEND = "MindSpore runs it on Ascend alone"
_THOR = "it serves the optimizer thor, of which 2.10 runs no step on its CPU; use"
_ADASUM = "2.10 runs it on groups of eight devices alone; use nn.DistributedGradReducer"

# Name -> what it does, and what to do instead.
_ROWS = {
    "MultilabelMarginLoss": (
        "how far the scores of the true classes are from being above the others",
        f"{_ASCEND}; use nn.MultiLabelSoftMarginLoss",
    ),
    "Conv2dThor": ("a convolution for thor", f"{_THOR} nn.Conv2d"),
    "DenseThor": ("a dense layer for thor", f"{_THOR} nn.Dense"),
    "EmbeddingThor": ("an embedding for thor", f"{_THOR} nn.Embedding"),
    "EmbeddingLookupThor": ("an embedding for thor", f"{_THOR} nn.EmbeddingLookup"),
    "AdaSumByGradWrapCell": ("joins gradients by AdaSum", _ADASUM),
    "AdaSumByDeltaWeightWrapCell": ("joins changes of weights by AdaSum", _ADASUM),
    "OptTFTWrapper": (
        "reports the steps of an optimizer to MindIO",
        "there is no MindIO; use the optimizer itself",
    ),
    "GetNextSingleOp": (
        "reads the next batch from a device queue",
        "there is no device queue; iterate the dataset and call the network with each batch",
    ),
    "PipelineGradReducer": (
        "joins gradients in pipeline parallelism",
        "it belongs to pipeline parallelism; use nn.DistributedGradReducer",
    ),
}
globals().update({name: left_out(__name__, name, *row) for name, row in _ROWS.items()})
__all__ = [*_ROWS]
