"""What copies of MindSpore's training cells ask about the parallel setting, for one process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgrad.context import ParallelMode, get_auto_parallel_context


def _is(*modes: str) -> Callable[[], bool]:
    return lambda: _get_parallel_mode() in modes


_get_parallel_mode: Callable[[], str] = partial(get_auto_parallel_context, "parallel_mode")
_get_gradients_mean: Callable[[], bool] = partial(get_auto_parallel_context, "gradients_mean")
_get_full_batch: Callable[[], bool] = partial(get_auto_parallel_context, "full_batch")
_get_enable_parallel_optimizer: Callable[[], bool] = partial(
    get_auto_parallel_context, "enable_parallel_optimizer"
)
_get_parameter_broadcast: Callable[[], bool] = partial(
    get_auto_parallel_context, "parameter_broadcast"
)
_get_pipeline_stages: Callable[[], Any] = partial(get_auto_parallel_context, "pipeline_stages")
_is_in_auto_parallel_mode = _is(ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)
_is_in_data_parallel_mode = _is(ParallelMode.DATA_PARALLEL)
_is_in_hybrid_parallel_mode = _is(ParallelMode.HYBRID_PARALLEL)


def _get_device_num() -> int:
    """Return ``device_num`` of the context, which counts in a parallel mode only; else 1."""
    alone = _get_parallel_mode() == ParallelMode.STAND_ALONE
    return 1 if alone else get_auto_parallel_context("device_num")


def _get_stage_device_num() -> int:
    return _get_device_num() // _get_pipeline_stages()


def _get_global_rank() -> int:
    return 0


def _need_to_full() -> bool:
    return False


def _check_full_batch() -> None:
    """Accepted for compatibility: ``full_batch`` counts in a parallel mode only."""


_get_grad_accumulation_shard = _is_sharding_propagation = _is_parallel_mode = _need_to_full
_parallel_predict_check = _reset_op_id = _check_full_batch
