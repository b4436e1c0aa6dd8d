"""``mindspore.common``: Tensor, Parameter, dtypes, initializers and random states, re-exported."""

from typing import TYPE_CHECKING

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common import dtype
from msgrad.common.dtype import *  # noqa: F403
from msgrad.common.parameter import Parameter as Parameter
from msgrad.common.parameter import ParameterTuple as ParameterTuple
from msgrad.common.seed import *  # noqa: F403
from msgrad.common.tensor import Tensor as Tensor
from msgrad.common.tensor import tensor as tensor

# isort: split
# After the module `seed`, which its function of that name hides here, as in MindSpore.
from msgrad.common.generator import *  # noqa: F403
from msgrad.common.mutable import mutable as mutable

__all__ = public_names(globals(), "default_generator", *dtype.__all__)

__getattr__ = missing_names(
    __name__,
    {
        "RowTensor": "msgrad.ops.sparse_tensor",
        "_Function": "msgrad.autograd",
        "Type": "msgrad.common.dtype",
        "jit": "msgrad.autograd",
    },
)

if TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad.common import dtype as dtype
    from msgrad.common import generator as generator
    from msgrad.common import initializer as initializer
    from msgrad.common import parameter as parameter
