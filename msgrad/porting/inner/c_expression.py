"""``mindspore._c_expression``: what programs take of MindSpore's C++ part and may do without it.

Switches of its runtime are accepted and do nothing; what asks for another device says that there is
none. Kernels and graphs, which only that part has, are absent.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from msgrad._core import philox
from msgrad._core.bridge import unwrap
from msgrad._core.settings import accepted_as
from msgrad.autograd import GradOperation as GradOperation_
from msgrad.common import dtype as mstype
from msgrad.common._param_info import ParamInfo
from msgrad.common.tensor import Tensor
from msgrad.context import get_context, set_context
from msgrad.nn.cell import Cell as Cell_
from msgrad.nn.mixed_precision_type import MixedPrecisionType
from msgrad.ops import dense as pyboost_dense
from msgrad.ops.primitive import Primitive as Primitive_
from msgrad.ops.sparse_tensor import COOTensor, CSRTensor, RowTensor

__all__ = [
    "COOTensor",
    "CSRTensor",
    "Cell_",
    "GradOperation_",
    "MSContext",
    "MixedPrecisionType",
    "ParamInfo",
    "Primitive_",
    "RowTensor",
    "Tensor",
    "ms_ctx_param",
    "pyboost_dense",
]

# Numbers of dtypes in MindSpore's C++ headers.
_IDS = {
    kind: number
    for number, kind in enumerate(
        (mstype.bool_, mstype.int_, mstype.int8, mstype.int16, mstype.int32, mstype.int64,
         mstype.uint, mstype.uint8, mstype.uint16, mstype.uint32, mstype.uint64, mstype.float_,
         mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16), start=30)
}  # fmt: skip


class ms_ctx_param(Enum):
    """Keywords of the context, as the C++ part calls them."""

    mode = "mode"
    device_target = "device_target"
    device_id = "device_id"
    max_call_depth = "max_call_depth"
    save_graphs = "save_graphs"
    deterministic = "deterministic"
    enable_graph_kernel = "enable_graph_kernel"


AmpLevel = Enum("AmpLevel", {"AmpO0": 0, "AmpO1": 1, "AmpO2": 2, "AmpO3": 3, "AmpAuto": 4})
AmpLevel.__doc__ = "How much of a Cell ``create_amp_strategy`` is for."


class create_amp_strategy:
    """What programs assign to ``cell.amp_strategy``: kept, but without effect (as in MindSpore)."""

    def __init__(
        self,
        amp_level: AmpLevel,
        amp_dtype: mstype.DType,
        white_list: list[Any],
        black_list: list[Any],
    ) -> None:
        self.get_amp_level = lambda: amp_level
        self.get_amp_dtype = lambda: amp_dtype
        self.get_white_list = lambda: white_list
        self.get_black_list = lambda: black_list


class MSContext:
    """The context as an object, of which there is one."""

    @staticmethod
    def get_instance() -> MSContext:
        """Return the one object."""
        return _context

    def get_param(self, key: ms_ctx_param) -> Any:
        """Return a setting."""
        return get_context(key.value)

    def set_param(self, key: ms_ctx_param, value: Any) -> None:
        """Set a setting."""
        set_context(**{key.value: value})

    def set_backend_policy(self, policy: str) -> None:
        """Accepted for compatibility: there is one way that graphs are compiled here."""

    def get_ascend_soc_version(self) -> str:
        """Return the name of the Ascend chip: ``""``, for there is none."""
        return ""

    def is_ascend_plugin_loaded(self) -> bool:
        """Whether an Ascend device can be used."""
        return False

    def is_pkg_support_device(self, device: str) -> bool:
        """Whether a kind of device can be used."""
        return device in ("CPU", "GPU")


_context = K_CONTEXT = MSContext()


def type_to_type_id(kind: mstype.DType) -> int:
    """Return the number of a dtype."""
    return _IDS[kind]


def str_to_enum(op_name: str, arg_name: str, value: str) -> str:
    """Return the value, which kernels of msgrad take as it is."""
    return value


def _filled(name: str) -> Any:
    def fill(seed: int, data: np.ndarray, *about: float) -> None:
        data[...] = getattr(philox, name)(seed, data.size, *about).reshape(data.shape)

    return fill


_random_normal, _random_uniform = _filled("normal"), _filled("uniform")


def is_reboot_node() -> bool:
    """Whether this process was restarted by a cluster; none is."""
    return False


def enable_security() -> bool:
    """Whether MindSpore was built without profiler and dumps; False."""
    return False


def get_code_extra(function: Any) -> None:
    """Return what MindSpore's compiler of bytecode keeps of a function: None, as it has not run."""


def swap_cache(host: Any, device: Any, block_mapping: Any, is_device_to_host: bool) -> None:
    """Copy blocks between two Tensors, as a cache that is paged out.

    Args:
        host: Tensor of the blocks that are kept on the host.
        device: Tensor of those on the device.
        block_mapping: Tensor (n, 2) of pairs: which block goes to which.
        is_device_to_host: The direction.
    """
    source, target = (device, host) if is_device_to_host else (host, device)
    places = unwrap(block_mapping)
    target._write(target._read().at[places[:, 1]].set(source._read()[places[:, 0]]))


class TensorTransform:
    """Moves Tensors from one sharding to another in MindSpore; here ``jax.device_put`` does."""

    @staticmethod
    def get_instance() -> TensorTransform:
        """Return the one object."""
        return _transform


_transform = TensorTransform()
_SWITCHES = (
    "pi_jit_set_context disable_multi_thread _framework_profiler_step_start "
    "_framework_profiler_step_end update_pijit_default_config reset_op_id _ms_memory_recycle"
)
_TRUE = "jit_mode_pi_enable jit_mode_pi_disable clear_jit_compile_results"
for _names, _result in ((_SWITCHES, None), (_TRUE, True)):
    for _name in _names.split():
        globals()[_name] = accepted_as(_name, "there is no such runtime here", _result)
