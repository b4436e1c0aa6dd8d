"""``mindspore.parallel``: how a program is spread over the devices of a process.

The search for strategies is XLA's, so its settings are only kept; the tools for sharded checkpoints
are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad._core.paths import later
from msgrad._core.settings import Settings

set_algo_parameters, get_algo_parameters, reset_algo_parameters = Settings(
    {
        "fully_use_devices": (bool, False),
        "elementwise_op_strategy_follow": (bool, False),
        "enable_algo_approxi": (bool, False),
        "algo_approxi_epsilon": (float, 0.1),
        "tensor_slice_align_enable": (bool, False),
        "tensor_slice_align_size": (int, 16),
    }
).functions(__name__, "algo_parameters", "the search for a parallel strategy, without effect")

__all__ = public_names(globals(), *later(__name__))

__getattr__ = missing_names(__name__)

if TYPE_CHECKING:
    from msgrad.parallel._layout import Layout as Layout
    from msgrad.parallel._layout import shard as shard
    from msgrad.parallel._sharded import load_segmented_checkpoints as load_segmented_checkpoints
    from msgrad.parallel._sharded import merge_sliced_parameter as merge_sliced_parameter
    from msgrad.parallel._sharded import parameter_broadcast as parameter_broadcast
    from msgrad.parallel._sharded import (
        sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
    )
    from msgrad.train.serialization import build_searched_strategy as build_searched_strategy
    from msgrad.train.serialization import (
        load_distributed_checkpoint as load_distributed_checkpoint,
    )
