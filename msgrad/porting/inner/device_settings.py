"""Settings of ``mindspore.device_context``; how to compute is up to XLA, but for TF32.

The others are accepted without effect; on a computer without the device, MindSpore ignores them
too.
"""

from __future__ import annotations

import jax

from msgrad._core.checks import of_type
from msgrad._core.settings import accepted_as

_NAMES = """
aclinit_config aclnn_cache aoe_job_type aoe_tune_mode conv_allow_hf32
conv_dgrad_algo conv_fprop_algo conv_wgrad_algo debug_option execute_timeout matmul_allow_hf32
op_compile op_precision_mode precision_mode threads_num
"""


_WHY = "a setting of a device, which JAX does not use"
globals().update((name, accepted_as(name, _WHY)) for name in _NAMES.split())


# Whether TF32, 10 bits for each operand, is allowed, as MindSpore has it at first.
_allowed = {"matmul": False, "conv": True}


def matmul_allow_tf32(value: bool) -> None:
    """Allow TF32 in products of float32 on a GPU; at first it is not.

    Differs from MindSpore: it sets JAX's own ``jax_default_matmul_precision``, so the program's
    other JAX code follows, too; and products do not have TF32 where convolutions must not.

    Args:
        value: Whether it is allowed.

    Raises:
        TypeError: If ``value`` is no bool.
    """
    _allow("matmul", value)


def conv_allow_tf32(value: bool) -> None:
    """Allow TF32 in convolutions of float32 on a GPU, or not; see ``matmul_allow_tf32``.

    Raises:
        TypeError: If ``value`` is no bool.
    """
    _allow("conv", value)


def _allow(kind: str, value: bool) -> None:
    of_type(f"{kind}_allow_tf32", "value", value, bool)
    if is_available():
        _allowed[kind] = value
        fast = "tensorfloat32" if _allowed["matmul"] else None
        jax.config.update("jax_default_matmul_precision", fast if _allowed["conv"] else "float32")


def device_count() -> int:
    """Return the number of GPUs that JAX has here."""
    try:
        return len(jax.devices("gpu"))
    except RuntimeError:
        return 0


def is_available() -> bool:
    """Whether JAX has a GPU here."""
    return device_count() > 0


def cpu_count() -> int:
    """Return the number of devices that JAX makes of the CPU."""
    return len(jax.devices("cpu"))


def has_cpu() -> bool:
    """Whether JAX computes on the CPU: always."""
    return True


def has_ascend() -> bool:
    """Whether there is an Ascend device: never."""
    return False
