"""Training cells that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from functools import partial

from msgrad._core.left_out import left_out

_row = partial(left_out, __name__)
_WHOLE = "call the network on the whole batch"

GetNextSingleOp = _row(
    "GetNextSingleOp",
    "reads the next batch from a device queue",
    "there is no device queue; iterate the dataset and call the network with each batch",
)
GradAccumulationCell = _row(
    "GradAccumulationCell",
    "gradient accumulation of pipeline parallelism",
    "it belongs to pipeline parallelism; add the gradients up in Parameters with "
    "ops.HyperMap()(ops.assign_add, sums, grads) and call the optimizer every n steps",
)
MicroBatchInterleaved = _row(
    "MicroBatchInterleaved",
    "splits a batch to overlap communication and computation",
    f"it belongs to model parallelism; {_WHOLE}",
)
PipelineCell = _row(
    "PipelineCell",
    "splits a batch for pipeline parallelism",
    f"it belongs to pipeline parallelism; {_WHOLE}",
)
PipelineGradReducer = _row(
    "PipelineGradReducer",
    "joins gradients in pipeline parallelism",
    "it belongs to pipeline parallelism; use nn.DistributedGradReducer",
)
