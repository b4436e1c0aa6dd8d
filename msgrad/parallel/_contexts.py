"""Contexts of MindSpore's parallel part: ``auto_parallel_context()``, the cost model, servers.

The settings of the cost model, which searches for parallel strategies, are only kept; parameter
servers there are none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgrad._core.errors import MissingAttributeError
from msgrad._core.settings import Settings
from msgrad.context import get_auto_parallel_context, set_auto_parallel_context
from msgrad.context import set_ps_context as _set_ps_context

_FUSION = "costmodel_allreduce_fusion_"

set_cost_model_context, get_cost_model_context, reset_cost_model_context = Settings(
    {
        "device_memory_capacity": (float, 17179869184.0),
        "costmodel_alpha": (float, 1.0),
        "costmodel_beta": (float, 400.0),
        "costmodel_gamma": (float, 0.001),
        "costmodel_communi_threshold": (float, 2048.0),
        "costmodel_communi_const": (float, 3072.0),
        "costmodel_communi_bias": (float, 1024.0),
        "run_phase": (int, 0),
        f"{_FUSION}algorithm": (int, 0),
        f"{_FUSION}times": (int, 0),
        f"{_FUSION}tail_percent": (float, 0.1),
        f"{_FUSION}tail_time": (float, 0.1),
        f"{_FUSION}allreduce_inherent_time": (float, 0.1),
        f"{_FUSION}allreduce_bandwidth": (float, 0.1),
        f"{_FUSION}computation_time_parameter": (float, 0.1),
    }
).functions(__name__, "cost_model_context", "the cost model, without effect")

_search = Settings(
    {
        "multi_subgraphs": (bool, False),
        "algo_single_loop": (bool, False),
        "rp_matmul_mem_coef": (float, 0.1),
    }
)


def _set_multi_subgraphs(multi_subgraph: bool = True) -> None:
    _search.set({"multi_subgraphs": multi_subgraph})


def _set_algo_single_loop(single_loop: bool = True) -> None:
    _search.set({"algo_single_loop": single_loop})


def _set_rp_matmul_mem_coef(coef: float) -> None:
    _search.set({"rp_matmul_mem_coef": float(coef)})


_get_multi_subgraphs: Callable[[], bool] = partial(_search.get, "multi_subgraphs")
_get_algo_single_loop: Callable[[], bool] = partial(_search.get, "algo_single_loop")
_get_rp_matmul_mem_coef: Callable[[], float] = partial(_search.get, "rp_matmul_mem_coef")


class _AutoParallelContext:
    """Has ``get_<keyword>()`` and ``set_<keyword>(value)`` for each keyword of the context."""

    def get_device_num_is_set(self) -> bool:
        """Whether ``device_num`` counts: it does not, in one process."""
        return False

    def set_all_reduce_fusion_split_indices(self, indices: list[int], group: str = "") -> None:
        """Accepted for compatibility: which gradients are sent together."""

    def set_all_reduce_fusion_split_sizes(self, sizes: list[int], group: str = "") -> None:
        """Accepted for compatibility: how many gradients are sent together."""

    def set_enable_all_reduce_fusion(self, enable: bool) -> None:
        """Accepted for compatibility: whether gradients are sent together."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb, _, key = name.partition("_")
        if verb == "get":
            return lambda: get_auto_parallel_context(key)
        if verb == "set":
            return lambda value: set_auto_parallel_context(**{key: value})
        raise MissingAttributeError(
            f"auto_parallel_context() has no '{name}'; it has get_<keyword> and set_<keyword>."
        )


_the_context = _AutoParallelContext()


def auto_parallel_context() -> _AutoParallelContext:
    """Return the one object of this kind."""
    return _the_context


def _is_role_sched() -> bool:
    return False


_is_role_pserver = _is_role_worker = _is_role_sched


def destroy_allgather_cell() -> None:
    """Do nothing: a checkpoint is gathered without a Cell that would have to go."""


def _get_ps_context(attr_key: str) -> Any:
    return False


__all__ = ["_get_ps_context", "_is_role_pserver", "_is_role_sched", "_set_ps_context"]
