"""Settings of MindSpore's cost model, which searches for parallel strategies; only kept here."""

from __future__ import annotations

from msgrad._core.settings import Settings

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


def _get_multi_subgraphs() -> bool:
    return _search.get("multi_subgraphs")


def _set_algo_single_loop(single_loop: bool = True) -> None:
    _search.set({"algo_single_loop": single_loop})


def _get_algo_single_loop() -> bool:
    return _search.get("algo_single_loop")


def _set_rp_matmul_mem_coef(coef: float) -> None:
    _search.set({"rp_matmul_mem_coef": float(coef)})


def _get_rp_matmul_mem_coef() -> float:
    return _search.get("rp_matmul_mem_coef")
