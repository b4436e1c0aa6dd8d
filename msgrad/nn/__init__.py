"""``mindspore.nn``: Cell, containers, layers, losses and optimizers."""

from msgrad.nn.cell import Cell

__all__ = ["Cell"]
