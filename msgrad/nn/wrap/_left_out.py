"""Training cells that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from functools import partial

from msgrad._core.left_out import left_out

_row = partial(left_out, __name__)

GetNextSingleOp = _row(
    "GetNextSingleOp",
    "reads the next batch from a device queue",
    "there is no device queue; iterate the dataset and call the network with each batch",
)
PipelineGradReducer = _row(
    "PipelineGradReducer",
    "joins gradients in pipeline parallelism",
    "it belongs to pipeline parallelism; use nn.DistributedGradReducer",
)
