"""Settings of ``mindspore.device_context``, accepted without effect: how to compute is up to XLA.

On a computer without the device, MindSpore ignores them too.
"""

from __future__ import annotations

import jax

from msgrad._core.settings import accepted_as

_NAMES = """
aclinit_config aclnn_cache aoe_job_type aoe_tune_mode conv_allow_hf32 conv_allow_tf32
conv_dgrad_algo conv_fprop_algo conv_wgrad_algo debug_option execute_timeout matmul_allow_hf32
matmul_allow_tf32 op_compile op_precision_mode precision_mode threads_num
"""


_WHY = "a setting of a device, which JAX does not use"
globals().update((name, accepted_as(name, _WHY)) for name in _NAMES.split())


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
