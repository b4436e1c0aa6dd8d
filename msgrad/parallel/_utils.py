"""What copies of MindSpore's training cells ask about the parallel setting, for one process."""

from __future__ import annotations

from msgrad.context import ParallelMode, get_auto_parallel_context

_ALONE = ParallelMode.STAND_ALONE


def _get_device_num() -> int:
    """Give ``device_num`` of the context, which counts in a parallel mode only; else 1."""
    return get_auto_parallel_context("device_num") if _get_parallel_mode() != _ALONE else 1


def _get_stage_device_num() -> int:
    return _get_device_num() // _get_pipeline_stages()


def _get_global_rank() -> int:
    return 0


def _get_parallel_mode() -> str:
    return get_auto_parallel_context("parallel_mode")


def _get_gradients_mean() -> bool:
    return get_auto_parallel_context("gradients_mean")


def _get_full_batch() -> bool:
    return get_auto_parallel_context("full_batch")


def _get_enable_parallel_optimizer() -> bool:
    return get_auto_parallel_context("enable_parallel_optimizer")


def _get_grad_accumulation_shard() -> bool:
    return False


def _get_parameter_broadcast() -> bool:
    return get_auto_parallel_context("parameter_broadcast")


def _get_pipeline_stages() -> int:
    return get_auto_parallel_context("pipeline_stages")


def _is_in_auto_parallel_mode() -> bool:
    return _get_parallel_mode() in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _is_in_data_parallel_mode() -> bool:
    return _get_parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode() -> bool:
    return _get_parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _need_to_full() -> bool:
    return False
