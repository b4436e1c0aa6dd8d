"""``mindspore.nn.optim``: the optimizers."""

from msgrad.nn.optim.ada_grad import Adagrad
from msgrad.nn.optim.adadelta import Adadelta
from msgrad.nn.optim.adafactor import AdaFactor
from msgrad.nn.optim.adam import Adam, AdamOffload
from msgrad.nn.optim.adam_weight_decay import AdamWeightDecay
from msgrad.nn.optim.adamax import AdaMax
from msgrad.nn.optim.asgd import ASGD
from msgrad.nn.optim.ftrl import FTRL
from msgrad.nn.optim.lamb import Lamb
from msgrad.nn.optim.lars import LARS
from msgrad.nn.optim.lazyadam import LazyAdam
from msgrad.nn.optim.momentum import Momentum
from msgrad.nn.optim.optimizer import Optimizer
from msgrad.nn.optim.proximal_ada_grad import ProximalAdagrad
from msgrad.nn.optim.rmsprop import RMSProp
from msgrad.nn.optim.rprop import Rprop
from msgrad.nn.optim.sgd import SGD
from msgrad.nn.optim.thor import thor

__all__ = [
    "ASGD",
    "FTRL",
    "LARS",
    "SGD",
    "AdaFactor",
    "AdaMax",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "Lamb",
    "LazyAdam",
    "Momentum",
    "Optimizer",
    "ProximalAdagrad",
    "RMSProp",
    "Rprop",
    "thor",
]
