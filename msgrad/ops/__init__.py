"""``mindspore.ops``: every operator as a function and as a Primitive class, re-exported.

The gradient transforms are found here too, as in MindSpore, but looked up in ``msgrad.autograd``
when they are asked for: that package is built on this one.
"""

from __future__ import annotations

import msgrad.ops._methods  # noqa: F401 - puts the methods on Tensor
from msgrad._core.missing import missing_names
from msgrad.ops.adaptive_ops import *  # noqa: F403
from msgrad.ops.adaptive_ops import __all__ as _adaptive_ops
from msgrad.ops.arithmetic import *  # noqa: F403
from msgrad.ops.arithmetic import __all__ as _arithmetic
from msgrad.ops.array import *  # noqa: F403
from msgrad.ops.array import __all__ as _array
from msgrad.ops.cast import *  # noqa: F403
from msgrad.ops.cast import __all__ as _cast
from msgrad.ops.clip import *  # noqa: F403
from msgrad.ops.clip import __all__ as _clip
from msgrad.ops.collective import *  # noqa: F403
from msgrad.ops.collective import __all__ as _collective
from msgrad.ops.comparison import *  # noqa: F403
from msgrad.ops.comparison import __all__ as _comparison
from msgrad.ops.control import *  # noqa: F403
from msgrad.ops.control import __all__ as _control
from msgrad.ops.conv_ops import *  # noqa: F403
from msgrad.ops.conv_ops import __all__ as _conv_ops
from msgrad.ops.creation import *  # noqa: F403
from msgrad.ops.creation import __all__ as _creation
from msgrad.ops.embedding_op import *  # noqa: F403
from msgrad.ops.embedding_op import __all__ as _embedding_op
from msgrad.ops.extremes import *  # noqa: F403
from msgrad.ops.extremes import __all__ as _extremes
from msgrad.ops.float_status import *  # noqa: F403
from msgrad.ops.float_status import __all__ as _float_status
from msgrad.ops.index_adding import *  # noqa: F403
from msgrad.ops.index_adding import __all__ as _index_adding
from msgrad.ops.joining import *  # noqa: F403
from msgrad.ops.joining import __all__ as _joining
from msgrad.ops.linalg import *  # noqa: F403
from msgrad.ops.linalg import __all__ as _linalg
from msgrad.ops.losses import *  # noqa: F403
from msgrad.ops.losses import __all__ as _losses
from msgrad.ops.matrices import *  # noqa: F403
from msgrad.ops.matrices import __all__ as _matrices
from msgrad.ops.nn_ops import *  # noqa: F403
from msgrad.ops.nn_ops import __all__ as _nn_ops
from msgrad.ops.norm_ops import *  # noqa: F403
from msgrad.ops.norm_ops import __all__ as _norm_ops
from msgrad.ops.pad_ops import *  # noqa: F403
from msgrad.ops.pad_ops import __all__ as _pad_ops
from msgrad.ops.pixel_ops import *  # noqa: F403
from msgrad.ops.pixel_ops import __all__ as _pixel_ops
from msgrad.ops.pool_ops import *  # noqa: F403
from msgrad.ops.pool_ops import __all__ as _pool_ops
from msgrad.ops.primitive import Primitive
from msgrad.ops.random import *  # noqa: F403
from msgrad.ops.random import __all__ as _random
from msgrad.ops.reduction import *  # noqa: F403
from msgrad.ops.reduction import __all__ as _reduction
from msgrad.ops.resize_ops import *  # noqa: F403
from msgrad.ops.resize_ops import __all__ as _resize_ops
from msgrad.ops.scattering import *  # noqa: F403
from msgrad.ops.scattering import __all__ as _scattering
from msgrad.ops.selecting import *  # noqa: F403
from msgrad.ops.selecting import __all__ as _selecting
from msgrad.ops.sorting import *  # noqa: F403
from msgrad.ops.sorting import __all__ as _sorting
from msgrad.ops.state import *  # noqa: F403
from msgrad.ops.state import __all__ as _state
from msgrad.ops.unary import *  # noqa: F403
from msgrad.ops.unary import __all__ as _unary

_GRADIENTS = (
    "GradOperation",
    "HookBackward",
    "InsertGradientOf",
    "derivative",
    "get_grad",
    "grad",
    "isconstant",
    "jacfwd",
    "jacrev",
    "jet",
    "jvp",
    "recompute",
    "value_and_grad",
    "vjp",
    "vmap",
)

__all__ = [
    "Primitive",
    *_GRADIENTS,
    *_adaptive_ops,
    *_arithmetic,
    *_array,
    *_cast,
    *_clip,
    *_collective,
    *_comparison,
    *_control,
    *_conv_ops,
    *_creation,
    *_embedding_op,
    *_extremes,
    *_float_status,
    *_joining,
    *_linalg,
    *_losses,
    *_matrices,
    *_nn_ops,
    *_norm_ops,
    *_pad_ops,
    *_pixel_ops,
    *_pool_ops,
    *_random,
    *_reduction,
    *_resize_ops,
    *_index_adding,
    *_scattering,
    *_selecting,
    *_sorting,
    *_state,
    *_unary,
]

__getattr__ = missing_names(__name__, dict.fromkeys(_GRADIENTS, "msgrad.autograd"))
