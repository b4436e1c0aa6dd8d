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

# Loaded when they are asked for: by name, or by `import *`.
_LATER = {
    **dict.fromkeys(
        ("COOTensor", "CSRTensor", "RowTensor", "SparseTensor"), "msgrad.ops.sparse_tensor"
    ),
    **dict.fromkeys(
        ("_Function", "_no_grad", "jit", "jit_class", "lazy_inline", "recompute"),
        "msgrad.autograd",
    ),
    **dict.fromkeys(("ms_memory_recycle", "set_recursion_limit"), "msgrad.runtime._api"),
    **dict.fromkeys(
        (
            *("Int", "QuantDtype", "Symbol", "enable_dynamic", "flops_collection"),
            *("from_numpy", "load_mindir", "mindio_preload", "no_inline", "save_mindir"),
            *("register_saved_tensors_hooks", "saved_tensors_hooks", "set_dump"),
            *("set_mindio_server_info", "swap_tensors"),
        ),
        "msgrad._top",
    ),
    "DeviceCtx": "msgrad.device_manager",
    "JitConfig": "msgrad.common.jit_config",
    "Type": "msgrad.common.dtype",
    "UntypedStorage": "msgrad.ops.tensor_state",
    "is_tensor": "msgrad.ops",
}

__all__ = public_names(globals(), "default_generator", "dtype", *dtype.__all__, *_LATER)

__getattr__ = missing_names(__name__, _LATER)

if TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad._gradients.saved_tensors import *  # noqa: F403
    from msgrad._top import Int as Int
    from msgrad._top import QuantDtype as QuantDtype
    from msgrad._top import Symbol as Symbol
    from msgrad._top import enable_dynamic as enable_dynamic
    from msgrad._top import from_numpy as from_numpy
    from msgrad._top import no_inline as no_inline
    from msgrad._top import set_dump as set_dump
    from msgrad._top import swap_tensors as swap_tensors
    from msgrad.autograd import jit as jit
    from msgrad.autograd import jit_class as jit_class
    from msgrad.autograd import lazy_inline as lazy_inline
    from msgrad.autograd import recompute as recompute
    from msgrad.common import dtype as dtype
    from msgrad.common import generator as generator
    from msgrad.common import initializer as initializer
    from msgrad.common import parameter as parameter
    from msgrad.common.dtype import Type as Type
    from msgrad.common.jit_config import JitConfig as JitConfig
    from msgrad.device_manager import DeviceCtx as DeviceCtx
    from msgrad.ops import is_tensor as is_tensor
    from msgrad.ops.sparse_tensor import *  # noqa: F403
    from msgrad.ops.tensor_state import UntypedStorage as UntypedStorage
    from msgrad.runtime._api import ms_memory_recycle as ms_memory_recycle
    from msgrad.runtime._api import set_recursion_limit as set_recursion_limit
