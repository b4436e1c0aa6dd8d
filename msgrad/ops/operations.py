"""``mindspore.ops.operations``, an import path of MindSpore's: the names of ``msgrad.ops``."""

from msgrad._core.missing import missing_names
from msgrad.ops import *  # noqa: F403
from msgrad.ops import __all__ as __all__

# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []

_INNER = "msgrad.porting.inner"
__getattr__ = missing_names(
    __name__,
    {
        **dict.fromkeys(("Load", "_VirtualDataset"), f"{_INNER}.misc"),
        **dict.fromkeys(("TransShape", "TypeAs"), f"{_INNER}.not_on_cpu"),
        "CTCLossV2Grad": f"{_INNER}.gradients",
    },
)
