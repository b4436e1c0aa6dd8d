"""``mindspore.rewrite``: changes to the source of a network, which msgrad leaves out.

A Cell of msgrad is a Flax module: replace a layer by assigning another to its attribute.
"""

from __future__ import annotations

from functools import partial

from msgrad._core.left_out import left_out

_row = partial(left_out, __name__)
_ASSIGN = "assign another Cell to the attribute, as in net.conv = nn.Conv2d(...)"

Node = _row("Node", "a call in a network's source", _ASSIGN)
NodeType = _row("NodeType", "a kind of Node", _ASSIGN)
ScopedValue = _row("ScopedValue", "a name in a network's source", _ASSIGN)
SymbolTree = _row("SymbolTree", "a network's source", _ASSIGN)
ValueType = _row("ValueType", "a kind of ScopedValue", _ASSIGN)

__path__: list[str] = []
__all__ = ["Node", "NodeType", "ScopedValue", "SymbolTree", "ValueType"]
