"""``mindspore.experimental.optim``: optimizers whose ``param_groups`` can be changed."""

from msgrad._core.exports import public_names
from msgrad.experimental.optim import lr_scheduler as lr_scheduler
from msgrad.experimental.optim.adadelta import *  # noqa: F403
from msgrad.experimental.optim.adagrad import *  # noqa: F403
from msgrad.experimental.optim.adam import *  # noqa: F403
from msgrad.experimental.optim.adamax import *  # noqa: F403
from msgrad.experimental.optim.adamw import *  # noqa: F403
from msgrad.experimental.optim.asgd import *  # noqa: F403
from msgrad.experimental.optim.nadam import *  # noqa: F403
from msgrad.experimental.optim.optimizer import Optimizer as Optimizer
from msgrad.experimental.optim.radam import *  # noqa: F403
from msgrad.experimental.optim.rmsprop import *  # noqa: F403
from msgrad.experimental.optim.rprop import *  # noqa: F403
from msgrad.experimental.optim.sgd import *  # noqa: F403

__all__ = public_names(globals(), "lr_scheduler")
