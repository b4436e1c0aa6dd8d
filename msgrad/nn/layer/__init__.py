"""``mindspore.nn.layer``: the layers, one module per kind."""

from msgrad.nn.layer import activation, basic, container
from msgrad.nn.layer.activation import *  # noqa: F403
from msgrad.nn.layer.basic import *  # noqa: F403
from msgrad.nn.layer.container import *  # noqa: F403

__all__ = [*activation.__all__, *basic.__all__, *container.__all__]
