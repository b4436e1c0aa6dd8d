"""``mindspore.nn``: Cell, containers, layers, losses and optimizers."""

from msgrad._core.missing import missing_names
from msgrad.nn import layer, learning_rate_schedule, loss, optim
from msgrad.nn.cell import Cell
from msgrad.nn.layer import *  # noqa: F403
from msgrad.nn.learning_rate_schedule import *  # noqa: F403
from msgrad.nn.loss import *  # noqa: F403
from msgrad.nn.optim import *  # noqa: F403

__all__ = [
    "Cell",
    *layer.__all__,
    *learning_rate_schedule.__all__,
    *loss.__all__,
    *optim.__all__,
]

__getattr__ = missing_names(__name__)
