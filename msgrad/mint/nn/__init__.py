"""``mindspore.mint.nn``: layers under PyTorch's names and arguments.

Those without parameters are rows of ``_rows``, the others stand in ``_layers``; what has the same
arguments in ``mindspore.nn`` is that class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgrad import nn
from msgrad._core.missing import missing_names
from msgrad.mint.nn import _layers
from msgrad.mint.nn import functional as functional
from msgrad.mint.nn._rows import layers
from msgrad.nn import Cell as Cell
from msgrad.nn import ConstantPad1d as ConstantPad1d
from msgrad.nn import ConstantPad2d as ConstantPad2d
from msgrad.nn import ConstantPad3d as ConstantPad3d
from msgrad.nn import Identity as Identity
from msgrad.nn import Linear as Linear
from msgrad.nn import ReflectionPad1d as ReflectionPad1d
from msgrad.nn import ReflectionPad2d as ReflectionPad2d
from msgrad.nn import ReflectionPad3d as ReflectionPad3d
from msgrad.nn import ReLU as ReLU
from msgrad.nn import ReplicationPad1d as ReplicationPad1d
from msgrad.nn import ReplicationPad2d as ReplicationPad2d
from msgrad.nn import ReplicationPad3d as ReplicationPad3d
from msgrad.nn import ZeroPad2d as ZeroPad2d

Hardshrink, Hardsigmoid, Hardswish = nn.HShrink, nn.HSigmoid, nn.HSwish
Softshrink = nn.SoftShrink

_FOUND = layers() | {
    name: value
    for name, value in vars(_layers).items()
    if name[0] != "_" and getattr(value, "__module__", "") == _layers.__name__
    if isinstance(value, type)
}
globals().update(_FOUND)
__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    *_FOUND,
    *("ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Hardshrink", "Hardsigmoid", "Hardswish"),
    *("Identity", "Linear", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReLU"),
    *("ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "Softshrink", "ZeroPad2d"),
    *("Cell", "functional"),
]

__getattr__ = missing_names(__name__)

if TYPE_CHECKING:
    # What is made from rows.
    def __getattr__(name: str) -> Any: ...
