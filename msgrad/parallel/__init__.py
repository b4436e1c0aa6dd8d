"""``mindspore.parallel``: in one process there is nothing to spread, so settings are only kept.

The strategies of automatic parallelism and the tools for sharded checkpoints are left out.
"""

from __future__ import annotations

from typing import Any

from msgrad._core.missing import missing_names
from msgrad._core.settings import Settings

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]

_algo = Settings(
    {
        "fully_use_devices": (bool, False),
        "elementwise_op_strategy_follow": (bool, False),
        "enable_algo_approxi": (bool, False),
        "algo_approxi_epsilon": (float, 0.1),
        "tensor_slice_align_enable": (bool, False),
        "tensor_slice_align_size": (int, 16),
    }
)


def set_algo_parameters(**kwargs: Any) -> None:
    """Keep settings of the search for a parallel strategy; none has an effect.

    Args:
        **kwargs: ``fully_use_devices``, ``elementwise_op_strategy_follow`` and the like.

    Raises:
        ValueError: For an unknown keyword.
        TypeError: For a value of another type.
    """
    _algo.set(kwargs)


def get_algo_parameters(attr_key: str) -> Any:
    """Give one of these settings.

    Raises:
        ValueError: For an unknown keyword.
    """
    return _algo.get(attr_key)


def reset_algo_parameters() -> None:
    """Put these settings back."""
    _algo.reset()


__getattr__ = missing_names(__name__)
