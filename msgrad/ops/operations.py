"""``mindspore.ops.operations``, an import path of MindSpore's: the names of ``msgrad.ops``."""

from msgrad._core.missing import missing_names
from msgrad.ops import *  # noqa: F403
from msgrad.ops import __all__ as __all__
from msgrad.ops.control import identity as _identity
from msgrad.ops.primitive import primitive as _primitive

# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []

# A Primitive here, and a function in ``ops``.
identity = _primitive("identity", _identity)

_INNER = "msgrad.porting.inner"
__getattr__ = missing_names(
    __name__,
    {
        **dict.fromkeys(("Load", "_VirtualDataset"), f"{_INNER}.misc"),
        **dict.fromkeys(("TransShape", "TypeAs"), f"{_INNER}.not_on_cpu"),
        "CTCLossV2Grad": f"{_INNER}.gradients",
    },
)
