"""Optimizers with ``param_groups`` that divide by the root of squares of gradients."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Listing
from msgrad.nn._hyper import AboveZero, FromZero, Ratio
from msgrad.nn.optim._of_squares import adadelta
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, rest, unfused, unfused_square

__all__ = ["Adadelta", "Adagrad", "RMSprop"]


def _adagrad(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    accum = slots["accum"] + grad * grad
    rate = own.lr / (1 + (own.step - 1) * own.lr_decay)
    return -(rate * grad / (jnp.sqrt(accum) + own.eps)), {"accum": accum}


class Adagrad(Listing):
    """Adagrad.

    Args:
        lr_decay: Number, 0 or more; step ``t``, from 0, has the rate ``lr / (1 + t * lr_decay)``.
        initial_accumulator_value: Number, 0 or more, what the sums of squares begin with.
        eps: Number above 0, added to the roots.

    State: ``accum.*``, ``step_t`` (0).
    """

    _rule = Rule(_adagrad, (Slot("accum", "initial_accumulator_value"),))
    _step_label = "step_t"
    _order = ("lr", "lr_decay", "eps")

    params: Any
    lr: AboveZero = 1e-2
    lr_decay: FromZero = 0.0
    weight_decay: FromZero = 0.0
    initial_accumulator_value: FromZero = 0.0
    eps: AboveZero = 1e-10
    _: KW_ONLY
    maximize: bool = False


def _adadelta(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    own.epsilon = own.eps
    return adadelta(own, grad, param, slots)


class Adadelta(Listing):
    """Adadelta.

    Args:
        rho: float in [0, 1], decay of both means of squares.
        eps: Number above 0, added under the roots.

    State: ``accum.*``, ``accum_update.*`` (0).
    """

    _rule = Rule(_adadelta, (Slot("accum"), Slot("accum_update")))

    params: Any
    lr: AboveZero = 1.0
    rho: Ratio = 0.9
    eps: AboveZero = 1e-6
    weight_decay: FromZero = 0.0
    _: KW_ONLY
    maximize: bool = False


def _rmsprop(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    new = dict(slots)
    size = new["mean_square"] = slots["mean_square"] * own.alpha + rest(own.alpha) * grad * grad
    if own.centered:
        mean = new["mean_grad"] = slots["mean_grad"] * own.alpha + rest(own.alpha) * grad
        # A variance, which rounding can leave below 0.
        size = jnp.maximum(size - unfused_square(mean), 0)
    way = grad / (jnp.sqrt(size) + own.eps)
    if own.momentum:
        way = new["moment"] = unfused(slots["moment"] * own.momentum) + way
    return -unfused(own.lr * way), new


class RMSprop(Listing):
    """RMSprop; ``eps`` is added to the root, not under it as in ``nn.RMSProp``.

    Args:
        alpha: Number, 0 or more, decay of the mean of squares.
        centered: Whether to divide by the root of the variance instead.

    State: ``mean_grad.*``, ``mean_square.*``, ``moment.*`` (0).
    """

    _rule = Rule(_rmsprop, (Slot("mean_grad"), Slot("mean_square"), Slot("moment")))
    _order = ("lr", "momentum", "alpha", "eps", "centered")

    params: Any
    lr: AboveZero = 1e-2
    alpha: FromZero = 0.99
    eps: AboveZero = 1e-8
    weight_decay: FromZero = 0.0
    momentum: FromZero = 0.0
    centered: bool = False
    maximize: bool = False
