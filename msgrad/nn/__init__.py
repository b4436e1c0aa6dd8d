"""``mindspore.nn``: Cell, containers, layers, losses and optimizers."""

from msgrad._core.missing import missing_names
from msgrad.nn.cell import Cell
from msgrad.nn.layer import *  # noqa: F403

__all__ = ["Cell"]

__getattr__ = missing_names(__name__)
