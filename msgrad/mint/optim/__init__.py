"""``mindspore.mint.optim``: the optimizers of ``experimental.optim`` as PyTorch computes them.

On a CPU those of MindSpore 2.10 leave the parameters as they were, or have no kernel.
"""

from __future__ import annotations

from typing import Any

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.experimental import optim
from msgrad.experimental.optim._descent import _sgd
from msgrad.experimental.optim._of_moments import _adamw
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """Make a step of AdamW, whose decay is already in the gradient."""
    change, new = _adamw(own, grad, param, slots)
    return change + own.lr * own.weight_decay * param, new


_MOMENTS = (Slot("exp_avg"), Slot("exp_avg_sq"), Slot("max_exp_avg_sq", when="amsgrad"))


class Adam(optim.Adam):
    """Adam; ``eps`` is added after the bias correction. Arguments as in ``experimental.optim``."""

    _rule = Rule(_change, _MOMENTS)


class AdamW(optim.AdamW):
    """Adam with decoupled weight decay. Arguments as in ``experimental.optim``."""

    _rule = Rule(_adamw, _MOMENTS, True)


class FusedAdamW(AdamW):
    """``AdamW``, whose step is one program here anyway."""


class SGD(optim.SGD):
    """Stochastic gradient descent. Arguments as in ``experimental.optim``."""

    _rule = Rule(_sgd, (Slot("accum", label="momentum_buf.{}"), Slot("stat", 1.0, scalar=True)))
    _step_label = "step_t"


__all__ = public_names(globals())
__getattr__ = missing_names(__name__)
