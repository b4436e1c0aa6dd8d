"""``mindspore.nn.wrap``: training cells."""

from msgrad._core.exports import public_names
from msgrad.nn._left_out import GetNextSingleOp as GetNextSingleOp  # pyright: ignore
from msgrad.nn._left_out import PipelineGradReducer as PipelineGradReducer  # pyright: ignore
from msgrad.nn.wrap.cell_wrapper import *  # noqa: F403
from msgrad.nn.wrap.grad_reducer import *  # noqa: F403
from msgrad.nn.wrap.loss_scale import *  # noqa: F403
from msgrad.nn.wrap.micro_batches import *  # noqa: F403

__all__ = public_names(globals(), "GetNextSingleOp", "PipelineGradReducer")
