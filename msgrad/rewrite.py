"""``mindspore.rewrite``: changes to the source of a network, which msgrad leaves out.

A Cell of msgrad is a Flax module: replace a layer by assigning another to its attribute.
"""

from msgrad._core.left_out import left_out
from msgrad._core.missing import missing_names
from msgrad.nn.layer.container import CellList, SequentialCell

_ASSIGN = "assign another Cell to the attribute, as in net.conv = nn.Conv2d(...)"
_ROWS = {
    "Node": "a call in a network's source",
    "NodeType": "a kind of Node",
    "PatternEngine": "a search for Nodes that follow one another",
    "PatternNode": "what a PatternEngine looks for",
    "Replacement": "what takes the place of Nodes that were found",
    "ScopedValue": "a name in a network's source",
    "SparseFunc": "a function that stands for a layer, with sparse weights",
    "SymbolTree": "a network's source",
    "ValueType": "a kind of ScopedValue",
}
globals().update({name: left_out(__name__, name, what, _ASSIGN) for name, what in _ROWS.items()})

# Libraries add their own Cells to it on import; here no Cell's source is taken apart.
_subtree_black_list: list[type] = [CellList, SequentialCell]

__path__: list[str] = []
__all__ = [*_ROWS]  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = missing_names(__name__)
