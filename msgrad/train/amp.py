"""``mindspore.train.amp``, an import path of MindSpore's: names of ``msgrad.amp``."""

import numpy as np

from msgrad._core.errors import ArgumentValueError, UnsupportedError
from msgrad.amp import DynamicLossScaleManager, build, mixed_precision
from msgrad.amp.build import *  # noqa: F403
from msgrad.amp.mixed_precision import *  # noqa: F403
from msgrad.amp.mixed_precision import _lowered as _auto_black_list  # noqa: F401
from msgrad.amp.mixed_precision import _OutputTo16 as _OutputTo16
from msgrad.amp.mixed_precision import _OutputTo32 as _OutputTo32
from msgrad.common import dtype as mstype
from msgrad.nn.cell import Cell

_config_level = {
    level: {
        "keep_batchnorm_fp32": level == "O2",
        "cast_model_type": mstype.float16 if level in ("O2", "O3") else mstype.float32,
        "loss_scale_manager": DynamicLossScaleManager() if level == "O2" else None,
    }
    for level in mixed_precision.LEVELS
}


def _do_keep_batchnorm_fp32(network: Cell) -> None:
    """Have the normalisations below a Cell compute in float32, and give float16."""
    black = tuple(mixed_precision.get_black_list())
    mixed_precision._keep_in_float32(network, black, np.dtype("float16"), set())


def _auto_mixed_precision_rewrite(
    network: Cell,
    dtype: mstype.DType,
    *,
    white_list: list[type] | None = None,
    black_list: list[type] | None = None,
) -> Cell:
    """Return a copy of a network that computes what a list names in a lower precision.

    Raises:
        ValueError: For no list.
        NotImplementedError: For a ``black_list``.
    """
    if not white_list and not black_list:
        raise ArgumentValueError(
            "For _auto_mixed_precision_rewrite, one of white_list and black_list must be provided."
        )
    if not white_list:
        raise UnsupportedError(
            "msgrad rewrites no program by a 'black_list'; nearest: "
            "amp.custom_mixed_precision(network, black_list=...)."
        )
    return mixed_precision.custom_mixed_precision(network, white_list=white_list, dtype=dtype)


AMP_WHITE_LIST = mixed_precision.get_white_list()
AMP_BLACK_LIST = mixed_precision.get_black_list()

__all__ = [*build.__all__, *mixed_precision.__all__]
