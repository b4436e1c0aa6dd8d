"""``mindspore.numpy``: NumPy's names on Tensors, with MindSpore's arguments and dtypes.

This file only re-exports. Names, defaults and results are MindSpore's: 32-bit numbers by default,
``dtype=`` on element-wise functions, and int32 or float32 where NumPy has 64 bits.
"""

from msgrad._core.missing import missing_names
from msgrad.numpy import (
    array_creations,
    array_ops,
    dtypes,
    elementwise,
    logic_ops,
    padding,
    products,
    reductions,
    statistics,
    utils,  # noqa: F401
    utils_const,  # noqa: F401
)
from msgrad.numpy.array_creations import *  # noqa: F403
from msgrad.numpy.array_creations import copy  # noqa: F401
from msgrad.numpy.array_ops import *  # noqa: F403
from msgrad.numpy.dtypes import *  # noqa: F403
from msgrad.numpy.dtypes import NINF, PINF, inf, nan, numeric_types, pi, uint  # noqa: F401
from msgrad.numpy.elementwise import *  # noqa: F403
from msgrad.numpy.elementwise import around, round  # noqa: F401
from msgrad.numpy.logic_ops import *  # noqa: F403
from msgrad.numpy.padding import *  # noqa: F403
from msgrad.numpy.products import *  # noqa: F403
from msgrad.numpy.products import matrix_power  # noqa: F401
from msgrad.numpy.reductions import *  # noqa: F403
from msgrad.numpy.statistics import *  # noqa: F403

__all__ = [
    *array_creations.__all__,
    *array_ops.__all__,
    *dtypes.__all__,
    *elementwise.__all__,
    *logic_ops.__all__,
    *padding.__all__,
    *products.__all__,
    *reductions.__all__,
    *statistics.__all__,
]

__getattr__ = missing_names(__name__)
