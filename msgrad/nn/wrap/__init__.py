"""``mindspore.nn.wrap``: training cells."""

from msgrad.nn.wrap import cell_wrapper, grad_reducer, loss_scale
from msgrad.nn.wrap._left_out import PipelineGradReducer
from msgrad.nn.wrap.cell_wrapper import *  # noqa: F403
from msgrad.nn.wrap.grad_reducer import *  # noqa: F403
from msgrad.nn.wrap.loss_scale import *  # noqa: F403

__all__ = [
    "PipelineGradReducer",
    *cell_wrapper.__all__,
    *grad_reducer.__all__,
    *loss_scale.__all__,
]
