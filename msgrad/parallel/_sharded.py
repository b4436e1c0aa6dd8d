"""What joins or splits the checkpoints of several devices; those of msgrad are whole."""

from __future__ import annotations

from typing import Any

from msgrad._core.left_out import refused

_WHOLE = "a checkpoint of msgrad is whole, whatever devices trained it: use load_checkpoint"

transform_checkpoints = refused(__name__, "transform_checkpoints", _WHOLE)
transform_checkpoint_by_rank = refused(__name__, "transform_checkpoint_by_rank", _WHOLE)
rank_list_for_transform = refused(__name__, "rank_list_for_transform", _WHOLE)
merge_pipeline_strategys = refused(__name__, "merge_pipeline_strategys", _WHOLE)
merge_sliced_parameter = refused(__name__, "merge_sliced_parameter", _WHOLE)
load_segmented_checkpoints = refused(__name__, "load_segmented_checkpoints", _WHOLE)
build_searched_strategy = refused(__name__, "build_searched_strategy", _WHOLE)
restore_group_info_list = refused(__name__, "restore_group_info_list", _WHOLE)
set_op_strategy_config = refused(__name__, "set_op_strategy_config", _WHOLE)
unified_safetensors = refused(__name__, "unified_safetensors", _WHOLE)
get_ckpt_path_with_strategy = refused(__name__, "get_ckpt_path_with_strategy", _WHOLE)

convert_checkpoints = refused(__name__, "convert_checkpoints", _WHOLE)
convert_checkpoint_by_rank = refused(__name__, "convert_checkpoint_by_rank", _WHOLE)
rank_list_for_convert = refused(__name__, "rank_list_for_convert", _WHOLE)


def sync_pipeline_shared_parameters(net: Any) -> None:
    """Accepted for compatibility: parameters that stages share are one Parameter here."""


def parameter_broadcast(net: Any, layout: Any, cur_rank: int = 0, initial_rank: int = 0) -> None:
    """Accepted for compatibility: every process has all parameters."""
