"""Training cells that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError

_INSTEAD = {
    "GetNextSingleOp": (
        "there is no device queue; iterate the dataset and call the network with each batch"
    ),
    "GradAccumulationCell": (
        "it belongs to pipeline parallelism; add the gradients up in Parameters with "
        "ops.HyperMap()(ops.assign_add, sums, grads) and call the optimizer every n steps"
    ),
    "MicroBatchInterleaved": "it belongs to model parallelism; call the network on the whole batch",
    "PipelineCell": "it belongs to pipeline parallelism; call the network on the whole batch",
    "PipelineGradReducer": "it belongs to pipeline parallelism; use nn.DistributedGradReducer",
}


class _LeftOut:
    """Base of the classes that only say that they are not there."""

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        name = type(self).__name__
        raise UnsupportedError(f"msgrad leaves out nn.{name}: {_INSTEAD[name]}.")


class GetNextSingleOp(_LeftOut):
    """Left out: reads the next batch from a device queue."""


class GradAccumulationCell(_LeftOut):
    """Left out: gradient accumulation of pipeline parallelism."""


class MicroBatchInterleaved(_LeftOut):
    """Left out: splits a batch to overlap communication and computation."""


class PipelineCell(_LeftOut):
    """Left out: splits a batch for pipeline parallelism."""


class PipelineGradReducer(_LeftOut):
    """Left out: joins gradients in pipeline parallelism."""
