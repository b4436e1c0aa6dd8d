"""``mindspore.boost``: its training cells; the tricks that make them approximate are left out.

What makes one device compute less approximately (frozen layers, less BatchNorm) or joins several
is left out: ``XLA`` compiles the whole step already.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out, refused
from msgrad.boost.grad_accumulation import GradientAccumulation as GradientAccumulation
from msgrad.nn import TrainOneStepCell, TrainOneStepWithLossScaleCell

_row = partial(left_out, __name__)
_PLAIN = "train with nn.TrainOneStepCell or Model"


class BoostTrainOneStepCell(TrainOneStepCell):
    """``nn.TrainOneStepCell``; options that an ``AutoBoost`` would set do not exist."""


class BoostTrainOneStepWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """``nn.TrainOneStepWithLossScaleCell``."""


AutoBoost = _row("AutoBoost", "chooses what to leave out of a training", _PLAIN)
AdaSum = _row("AdaSum", "adds gradients of several devices adaptively", _PLAIN)
DimReduce = _row("DimReduce", "trains along principal directions", _PLAIN)
FreezeOpt = _row("FreezeOpt", "freezes layers step by step", "set requires_grad of parameters")
GradientFreeze = _row("GradientFreeze", "freezes layers", "set requires_grad of parameters")
GroupLossScaleManager = _row("GroupLossScaleManager", "scales by groups", "use amp.LossScaler")
LessBN = _row("LessBN", "leaves BatchNorm out of some steps", _PLAIN)
OptimizerProcess = _row("OptimizerProcess", "changes an optimizer", _PLAIN)
ParameterProcess = _row("ParameterProcess", "groups parameters", "give the optimizer groups")
freeze_cell: Any = refused(__name__, "freeze_cell", "set requires_grad of parameters")

__all__ = public_names(globals())
