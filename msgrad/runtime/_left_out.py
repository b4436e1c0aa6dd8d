"""What belongs to the memory and the cores of Ascend devices, which JAX manages itself."""

from msgrad._core.left_out import left_out_all

_ROWS = {
    "JAX allocates; see the XLA_PYTHON_CLIENT variables": "MemPool PluggableAllocator use_mem_pool",
    "JAX decides what runs on which core": (
        "StreamLimitCtx get_device_limit get_stream_limit reset_stream_limit set_device_limit "
        "set_stream_limit"
    ),
    "compile the function with ms.jit": "memory_replay",
}
_NAMES = left_out_all(__name__, "a part of Ascend devices", _ROWS)
globals().update(_NAMES)

__all__ = [*_NAMES]
