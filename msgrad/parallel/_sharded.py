"""What joins or splits the checkpoints of several devices; those of msgrad are whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.left_out import refused
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.train._strategy import build_searched_strategy as build_searched_strategy
from msgrad.train._strategy import joined
from msgrad.train.serialization import load_checkpoint, load_param_into_net

_WHOLE = "a checkpoint of msgrad is whole, whatever devices trained it: use load_checkpoint"

_REFUSED = (
    "convert_checkpoint_by_rank convert_checkpoints get_ckpt_path_with_strategy "
    "merge_pipeline_strategys rank_list_for_convert rank_list_for_transform "
    "restore_group_info_list set_op_strategy_config transform_checkpoint_by_rank "
    "transform_checkpoints unified_safetensors"
)
globals().update({name: refused(__name__, name, _WHOLE) for name in _REFUSED.split()})


def merge_sliced_parameter(
    sliced_parameters: list[Parameter], strategy: dict[str, Any] | None = None
) -> Parameter:
    """Return the Parameter whose parts are given.

    Args:
        sliced_parameters: Parameters of one name, in the order of the devices.
        strategy: What ``build_searched_strategy`` returned; without it, or without that name, the
            parts stand one after the other along dimension 0.

    Raises:
        TypeError: For other types.
        ValueError: If there are none, names or shapes differ, or there are not as many as devices.
    """
    if not isinstance(sliced_parameters, list) or not isinstance(strategy, (dict, type(None))):
        raise ArgumentTypeError(
            "'sliced_parameters' should be list and 'strategy' a dict, but got "
            f"{type(sliced_parameters)} and {type(strategy)}."
        )
    for part in sliced_parameters:
        of_type("merge_sliced_parameter", "sliced_parameters", part, Parameter)
    kinds = {(part.name, part.ndim, part.shape[1:]) for part in sliced_parameters}
    if len(kinds) != 1:
        raise ArgumentValueError(
            "the parts must be of one name, and of one shape but for dimension 0, but got "
            f"{sorted(kinds)}."
        )
    first = sliced_parameters[0]
    values = [part.asnumpy() for part in sliced_parameters]
    layout = (strategy or {}).get(first.name)
    whole = np.concatenate(values) if layout is None else joined(values, layout)
    return Parameter(Tensor(whole), first.name, first.requires_grad)


def load_segmented_checkpoints(
    ckpt_file_dir: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: Any = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Callable[[str], bool] | None = None,
) -> dict[str, Any]:
    """Read all ``.ckpt`` files of a folder; see ``load_checkpoint`` for the other arguments.

    Args:
        ckpt_file_dir: The folder.
        net: A Cell to load the values into.

    Returns:
        Parameters by name; of those of one name that of the last file, in the order of their names.

    Raises:
        TypeError: If ``ckpt_file_dir`` is not a str.
        ValueError: If it is not a folder.
    """
    of_type("load_segmented_checkpoints", "ckpt_file_dir", ckpt_file_dir, str)
    if not Path(ckpt_file_dir).is_dir():
        raise ArgumentValueError(f"{ckpt_file_dir} doesn't exist, or it's not a directory.")
    loaded: dict[str, Any] = {}
    for file in sorted(Path(ckpt_file_dir).glob("*.ckpt")):
        options = (dec_key, dec_mode, specify_prefix, choice_func)
        loaded.update(load_checkpoint(str(file), None, False, filter_prefix, *options))
    if net is not None:
        load_param_into_net(net, loaded, strict_load)
    return loaded


def sync_pipeline_shared_parameters(net: Any) -> None:
    """Accepted for compatibility: parameters that stages share are one Parameter here."""


def parameter_broadcast(net: Any, layout: Any, cur_rank: int = 0, initial_rank: int = 0) -> None:
    """Accepted for compatibility: every process has all parameters."""
