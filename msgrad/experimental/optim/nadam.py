"""NAdam: Adam with Nesterov's form and a momentum that grows."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad.experimental.optim import _checks
from msgrad.experimental.optim._step import Rule, Slot, Slots, remainder, rest
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["NAdam"]


def _change(
    grad: jax.Array, param: jax.Array, slots: Slots, lr: jax.Array, step: jax.Array, own: Any
) -> tuple[jax.Array, Slots]:
    first, second = own.betas[:2]
    m = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = slots["exp_avg_sq"] * second + grad * grad * rest(second)
    now = first * (1 - 0.5 * 0.96 ** (step * own.momentum_decay))
    then = first * (1 - 0.5 * 0.96 ** ((step + 1) * own.momentum_decay))
    product = slots["mu_product"] * now
    size = jnp.sqrt(v / remainder(second, step)) + own.eps
    way = (1 - now) / (1 - product) * grad + then / (1 - product * then) * m
    return -(lr * way / size), {"exp_avg": m, "exp_avg_sq": v, "mu_product": product}


class NAdam(Optimizer):
    """Adam with Nesterov's momentum.

    Args:
        params: As for ``Optimizer``.
        lr: Number or Tensor above 0.
        betas: tuple of two numbers in [0, 1), the decays of the means of gradients and squares.
        eps: Number above 0, added to the root.
        weight_decay: Number, 0 or more.
        momentum_decay: Number, 0 or more; how fast the momentum grows to ``betas[0]``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``step_t``, ``exp_avg.*``, ``exp_avg_sq.*`` (0), ``mu_product_*`` (1), the last not
    among the optimizer's parameters, as in MindSpore.
    """

    _rule = Rule(
        _change, (Slot("exp_avg"), Slot("exp_avg_sq"), Slot("mu_product", 1.0, scalar=True))
    )
    _step_label = "step_t"
    _step_early = True

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
    ) -> None:
        _checks.at_least("NAdam", "lr", lr, strictly=True)
        _checks.betas("NAdam", betas)
        _checks.at_least("NAdam", "eps", eps, strictly=True)
        _checks.at_least("NAdam", "momentum_decay", momentum_decay)
        _checks.at_least("NAdam", "weight_decay", weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
        }
        super().__init__(params, defaults)
