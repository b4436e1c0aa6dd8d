"""``mindspore.experimental.optim``: optimizers whose ``param_groups`` can be changed."""

from msgrad.experimental.optim import lr_scheduler
from msgrad.experimental.optim.adadelta import Adadelta
from msgrad.experimental.optim.adagrad import Adagrad
from msgrad.experimental.optim.adam import Adam
from msgrad.experimental.optim.adamax import Adamax
from msgrad.experimental.optim.adamw import AdamW
from msgrad.experimental.optim.asgd import ASGD
from msgrad.experimental.optim.nadam import NAdam
from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.experimental.optim.radam import RAdam
from msgrad.experimental.optim.rmsprop import RMSprop
from msgrad.experimental.optim.rprop import Rprop
from msgrad.experimental.optim.sgd import SGD

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]
