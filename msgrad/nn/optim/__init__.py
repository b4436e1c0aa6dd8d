"""``mindspore.nn.optim``: the optimizers."""

from msgrad._core.exports import public_names
from msgrad.nn.optim.ada_grad import *  # noqa: F403
from msgrad.nn.optim.adadelta import *  # noqa: F403
from msgrad.nn.optim.adafactor import *  # noqa: F403
from msgrad.nn.optim.adam import *  # noqa: F403
from msgrad.nn.optim.adamax import *  # noqa: F403
from msgrad.nn.optim.asgd import *  # noqa: F403
from msgrad.nn.optim.ftrl import *  # noqa: F403
from msgrad.nn.optim.lamb import *  # noqa: F403
from msgrad.nn.optim.lars import *  # noqa: F403
from msgrad.nn.optim.lazyadam import *  # noqa: F403
from msgrad.nn.optim.momentum import *  # noqa: F403
from msgrad.nn.optim.optimizer import Optimizer as Optimizer
from msgrad.nn.optim.proximal_ada_grad import *  # noqa: F403
from msgrad.nn.optim.rmsprop import *  # noqa: F403
from msgrad.nn.optim.rprop import *  # noqa: F403
from msgrad.nn.optim.sgd import *  # noqa: F403
from msgrad.nn.optim.thor import *  # noqa: F403

__all__ = public_names(globals())
