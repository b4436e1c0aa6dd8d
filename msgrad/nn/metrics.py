"""``mindspore.nn.metrics``, an import path of MindSpore's: names of ``msgrad.train.metrics``."""

from msgrad._core.missing import missing_names
from msgrad.train.metrics import *  # noqa: F403
from msgrad.train.metrics import __all__ as __all__

# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []

__getattr__ = missing_names(__name__)
