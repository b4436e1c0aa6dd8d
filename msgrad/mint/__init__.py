"""``mindspore.mint``: the operators under PyTorch's names and arguments.

Functions are the rows of ``functions``, over ``msgrad.ops``. Many of them 2.10 has for Ascend only,
and raises RuntimeError on a CPU; here they run everywhere, as MindSpore documents them. Layers are
in ``nn``, optimizers in ``optim``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgrad._core.left_out import left_out
from msgrad._core.missing import missing_names
from msgrad.common.tensor import Tensor as Tensor
from msgrad.mint import functions
from msgrad.mint.functions import *  # noqa: F403

_NPU = "its kernel is one of Ascend's"

batch_norm_elemt = left_out(__name__, "batch_norm_elemt", _NPU, "use mint.nn.functional.batch_norm")
batch_norm_gather_stats_with_counts = left_out(
    __name__, "batch_norm_gather_stats_with_counts", _NPU, "use mint.nn.functional.batch_norm"
)
batch_norm_stats = left_out(__name__, "batch_norm_stats", _NPU, "use mint.var_mean")
conv_tbc = left_out(__name__, "conv_tbc", _NPU, "permute, and use mint.nn.functional.conv1d")

__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    *functions.__all__,
    *("batch_norm_elemt", "batch_norm_gather_stats_with_counts", "batch_norm_stats", "conv_tbc"),
    *("conv2d", "distributed", "functional", "linalg", "nn", "optim", "special"),
]

__getattr__ = missing_names(
    __name__, {"conv2d": "msgrad.mint.nn.functional", "functional": "msgrad.mint.nn"}
)

if TYPE_CHECKING:
    from msgrad.mint import distributed as distributed
    from msgrad.mint import linalg as linalg
    from msgrad.mint import nn as nn
    from msgrad.mint import optim as optim
    from msgrad.mint import special as special
    from msgrad.mint.nn import functional as functional
    from msgrad.mint.nn.functional import conv2d as conv2d
