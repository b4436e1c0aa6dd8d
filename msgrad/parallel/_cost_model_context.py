"""Settings of MindSpore's cost model, which searches for parallel strategies; only kept here."""

from __future__ import annotations

from typing import Any

from msgrad._core.settings import Settings

_FUSION = "costmodel_allreduce_fusion_"

_settings = Settings(
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
)


def set_cost_model_context(**kwargs: Any) -> None:
    """Keep settings; none has an effect.

    Raises:
        ValueError: For an unknown keyword.
        TypeError: For a value of another type.
    """
    _settings.set(kwargs)


def get_cost_model_context(attr_key: str) -> Any:
    """Give one of them; raises ``ValueError`` for an unknown keyword."""
    return _settings.get(attr_key)


def reset_cost_model_context() -> None:
    """Put them back."""
    _settings.reset()
