"""``mindspore.nn.optim``: the optimizers."""

from msgrad.nn.optim.adam import Adam
from msgrad.nn.optim.momentum import Momentum
from msgrad.nn.optim.optimizer import Optimizer
from msgrad.nn.optim.sgd import SGD

__all__ = ["SGD", "Adam", "Momentum", "Optimizer"]
