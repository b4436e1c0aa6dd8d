"""Adam with ``param_groups``, and those that keep means of gradients as it does."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Listing
from msgrad.nn._hyper import AboveZero, Betas, FromZero
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, remainder, rest

__all__ = ["Adam", "AdamW", "Adamax", "NAdam", "RAdam"]


def _adam(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    new = dict(slots)
    m = new["exp_avg"] = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = new["exp_avg_sq"] = slots["exp_avg_sq"] + (grad * grad - slots["exp_avg_sq"]) * rest(second)
    if own.amsgrad:
        v = new["max_exp_avg_sq"] = jnp.maximum(slots["max_exp_avg_sq"], v)
    rate = own.lr * jnp.sqrt(remainder(second, own.step)) / remainder(first, own.step)
    return -(rate * m / (jnp.sqrt(v) + own.eps)), new


class _WithLargest(Listing):
    params: Any
    lr: FromZero = 1e-3
    betas: Betas = (0.9, 0.999)
    eps: FromZero = 1e-8
    weight_decay: FromZero = 0.0
    amsgrad: bool = False
    _: KW_ONLY
    maximize: bool = False


class Adam(_WithLargest):
    """Adam; ``eps`` is not bias-corrected, as in ``nn.Adam``.

    Args:
        eps: Number, 0 or more, added to the root.

    State: ``exp_avg.*``, ``exp_avg_sq.*``, ``max_exp_avg_sq.*``, ``state_step`` (0).
    """

    _rule = Rule(_adam, (Slot("exp_avg"), Slot("exp_avg_sq"), Slot("max_exp_avg_sq")))
    _step_label = "state_step"


def _adamw(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    new = dict(slots)
    m = new["exp_avg"] = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = new["exp_avg_sq"] = slots["exp_avg_sq"] * second + grad * grad * rest(second)
    if own.amsgrad:
        v = new["max_exp_avg_sq"] = jnp.maximum(slots["max_exp_avg_sq"], v)
    size = jnp.sqrt(v) / jnp.sqrt(remainder(second, own.step)) + own.eps
    way = own.lr / remainder(first, own.step) * (m / size)
    return -way - own.lr * own.weight_decay * param, new


class AdamW(_WithLargest):
    """Adam with decoupled weight decay; ``eps`` is added after the bias correction.

    Args:
        eps: Number, 0 or more, added to the root.

    State: ``exp_avg.*``, ``exp_avg_sq.*``, ``max_exp_avg_sq.*``, ``state_step`` (0).
    """

    _rule = Rule(_adamw, (Slot("exp_avg"), Slot("exp_avg_sq"), Slot("max_exp_avg_sq")), True)
    _step_label = "state_step"

    weight_decay: FromZero = 1e-2


def _adamax(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    m = slots["exp_avg"] * first + grad * rest(first)
    size = jnp.maximum(slots["exp_inf"] * second, jnp.abs(grad) + own.eps)
    return -(own.lr / remainder(first, own.step) * m / size), {"exp_avg": m, "exp_inf": size}


class _WithMeans(Listing):
    params: Any
    lr: AboveZero = 2e-3
    betas: Betas = (0.9, 0.999)
    eps: AboveZero = 1e-8
    weight_decay: FromZero = 0.0


class Adamax(_WithMeans):
    """Adam after the infinity norm.

    Args:
        betas: tuple of two numbers in [0, 1), the decays of the mean and the largest gradient.
        eps: Number above 0, added to the size of a gradient.

    State: ``step_t``, ``exp_avg.*``, ``exp_inf.*`` (0).
    """

    _rule = Rule(_adamax, (Slot("exp_avg"), Slot("exp_inf")))
    _step_label = "step_t"
    _step_early = True

    _: KW_ONLY
    maximize: bool = False


def _nadam(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    step, momentum_decay = own.step, own.momentum_decay
    m = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = slots["exp_avg_sq"] * second + grad * grad * rest(second)
    now = first * (1 - 0.5 * 0.96 ** (step * momentum_decay))
    then = first * (1 - 0.5 * 0.96 ** ((step + 1) * momentum_decay))
    product = slots["mu_product"] * now
    size = jnp.sqrt(v / remainder(second, step)) + own.eps
    way = (1 - now) / (1 - product) * grad + then / (1 - product * then) * m
    return -(own.lr * way / size), {"exp_avg": m, "exp_avg_sq": v, "mu_product": product}


class NAdam(_WithMeans):
    """Adam with Nesterov's momentum.

    Args:
        eps: Number above 0, added to the root.
        momentum_decay: Number, 0 or more; how fast the momentum grows to ``betas[0]``.

    State: ``step_t``, ``exp_avg.*``, ``exp_avg_sq.*`` (0), ``mu_product_*`` (1), the last not
    among the optimizer's parameters, as in MindSpore.
    """

    _rule = Rule(
        _nadam, (Slot("exp_avg"), Slot("exp_avg_sq"), Slot("mu_product", 1.0, scalar=True))
    )
    _step_label = "step_t"
    _step_early = True

    momentum_decay: FromZero = 4e-3


def _radam(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    m = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = slots["exp_avg_sq"] * second + grad * grad * rest(second)
    whole = remainder(second, own.step)
    most = 2 / rest(second) - 1
    now = most - 2 * own.step * (1 - whole) / whole
    # Where the variance cannot be judged yet, the step is that of plain momentum.
    judged = now > 5
    ratio = (now - 4) * (now - 2) * most / ((most - 4) * (most - 2) * now)
    rectified = jnp.sqrt(jnp.where(judged, ratio, 1.0)) * jnp.sqrt(whole) / (jnp.sqrt(v) + own.eps)
    way = m / remainder(first, own.step) * jnp.where(judged, rectified, 1.0)
    return -(own.lr * way), {"exp_avg": m, "exp_avg_sq": v}


class RAdam(_WithMeans):
    """Rectified Adam.

    Args:
        eps: Number above 0, added to the root.

    State: ``step_t``, ``exp_avg.*``, ``exp_avg_sq.*`` (0).
    """

    _rule = Rule(_radam, (Slot("exp_avg"), Slot("exp_avg_sq")))
    _step_label = "step_t"
    _step_early = True

    lr: AboveZero = 1e-3
