"""``mindspore.ops.composite``, an import path of MindSpore's: the names of ``msgrad.ops``."""

from msgrad._core.missing import missing_names
from msgrad.ops import *  # noqa: F403
from msgrad.ops import __all__ as __all__

# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []

__getattr__ = missing_names(__name__)
