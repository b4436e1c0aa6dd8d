"""``mindspore.numpy``: NumPy's names on Tensors, with MindSpore's arguments and dtypes.

This file only re-exports. Names, defaults and results are MindSpore's: 32-bit numbers by default,
``dtype=`` on element-wise functions, and int32 or float32 where NumPy has 64 bits.
"""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.numpy import utils  # noqa: F401
from msgrad.numpy.array_creations import *  # noqa: F403
from msgrad.numpy.array_ops import *  # noqa: F403
from msgrad.numpy.dtypes import *  # noqa: F403
from msgrad.numpy.dtypes import NINF, PINF, inf, nan, numeric_types, pi, uint  # noqa: F401
from msgrad.numpy.elementwise import *  # noqa: F403
from msgrad.numpy.logic_ops import *  # noqa: F403
from msgrad.numpy.padding import *  # noqa: F403
from msgrad.numpy.products import *  # noqa: F403
from msgrad.numpy.reductions import *  # noqa: F403
from msgrad.numpy.statistics import *  # noqa: F403

# MindSpore's star import does not bring these.
__all__ = sorted(
    {*public_names(globals(), *numeric_types, "mgrid", "ogrid")}
    - {"around", "copy", "matrix_power", "round"}
)

__getattr__ = missing_names(__name__)
