"""Adam and those that keep means of gradients as it does."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError, ParameterNameError
from msgrad._core.promotion import wide
from msgrad.nn._hyper import Flag, Positive, Share, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, total, unfused, unfused_square
from msgrad.nn.optim.optimizer import Listing, Optimizer

__all__ = ["AdaMax", "Adam", "AdamOffload", "AdamWeightDecay", "Lamb", "LazyAdam"]


def _advance_adam(own: Any, slots: Slots) -> Slots:
    # Fused, 1 - beta2 would change in its fifth digit. One product for both: where more than 8 of
    # XLA's kernels can start at once it wakes another thread, which costs 30 us.
    powers = jnp.stack([slots["beta1_power"], slots["beta2_power"]], axis=-1)
    powers = unfused(powers * np.array([np.float32(own.beta1), np.float32(own.beta2)]))
    power1, power2 = powers[..., 0], powers[..., 1]
    whole, root = 1 - power1.reshape(()), jnp.sqrt(1 - power2.reshape(()))
    return {"beta1_power": power1, "beta2_power": power2, "whole": whole, "root": root}


def _adam(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """In MindSpore's order of operations, which decides the last bits::

        m += (g - m) * (1 - beta1)        v += (g * g - v) * (1 - beta2)
        w -= lr * sqrt(1 - beta2**t) / (1 - beta1**t) * m / (sqrt(v) + eps)

    Nesterov's form has ``beta1 * m + (1 - beta1) * g`` for ``m`` in the last line, AMSGrad, beside
    which that is without effect, the largest ``v`` so far.
    """
    first = np.float32(own.beta1)
    rest1, rest2 = np.float32(1) - first, np.float32(1) - np.float32(own.beta2)
    # MindSpore's kernel for AMSGrad rounds each product; the one for plain Adam fuses those of both
    # moments, as XLA does, so that whole vectors of 8 agree bit for bit. What is left over at the
    # end of an array, or of a thread's part of it, it divides in float64 and rounds at the end,
    # which may change the last bit of a weight; that depends on its thread count and stays out.
    amsgrad = "vhat" in slots
    kept = unfused if amsgrad else lambda product: product
    square = unfused_square if amsgrad else jnp.square
    # In float32, as MindSpore's kernel.
    grad, m, v = (wide(x) for x in (grad, slots["moment1"], slots["moment2"]))
    m = m + kept((grad - m) * rest1)
    v = v + kept((square(grad) - v) * rest2)
    new = {"moment1": m, "moment2": v}
    if amsgrad:
        v = new["vhat"] = jnp.maximum(slots["vhat"], v)
    elif own.use_nesterov:
        m = first * m + rest1 * grad
    rate = own.lr * slots["root"] / slots["whole"]
    return -(rate * m / (jnp.sqrt(v) + own.eps)), new


def _rule(power_shape: tuple[int, ...], *more: Slot) -> Rule:
    powers = (Slot(f"beta{i}_power", 1.0, shared=power_shape) for i in (1, 2))
    return Rule(_adam, (*powers, Slot("moment1"), Slot("moment2"), *more), advance=_advance_adam)


class Adam(Optimizer):
    """Adam: steps along a running mean of gradients over the root of that of their squares.

    Args:
        eps: float above 0, added to the root; not bias-corrected.
        use_nesterov: Whether to use Nesterov's form; without effect beside ``use_amsgrad``.
        weight_decay: As for ``Optimizer``; part of the gradient, not decoupled.
        use_amsgrad: Whether to divide by the largest mean of squares so far.
        **kwargs: ``use_lazy``: bool, whether of a table that is looked up sparsely only the rows
            with a gradient are updated, as in ``LazyAdam``; ``use_offload``, accepted for
            compatibility.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range, or options that exclude each other.
        KeyError: For other keywords.

    State: ``beta1_power``, ``beta2_power`` (1), ``moment1.*``, ``moment2.*``, with ``use_amsgrad``
    ``vhat.*`` (0).
    """

    _targets = ("CPU",)
    _rule = _rule((), Slot("vhat", when="use_amsgrad"))
    use_lazy = use_offload = False

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: Share = 0.9,
        beta2: Share = 0.999,
        eps: Positive = 1e-8,
        use_locking: Flag = False,
        use_nesterov: Flag = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: Flag = False,
        **kwargs: Any,
    ) -> None:
        if kwargs.keys() - {"use_lazy", "use_offload"}:
            raise ParameterNameError(
                "For 'Adam', invalid keys are passed as kwargs, supported keys are 'use_lazy' "
                f"and'use_offload', but got {kwargs.keys()}."
            )
        for name, value in kwargs.items():
            of_type("Adam", name, value, bool)
        lazy, offload = (kwargs.get(name, False) for name in ("use_lazy", "use_offload"))
        if lazy and offload:
            raise ArgumentValueError(
                "For 'Adam', 'use_lazy' and 'use_offload' can not both be True.But got "
                f"use_lazy={lazy}, use_offload={offload}."
            )
        if use_amsgrad and (lazy or offload):
            raise ArgumentValueError(
                "For lazy Adam and Adam with offload, there is no parameter named 'use_amsgrad'."
                f"but got 'use_amsgrad'={use_amsgrad}."
            )

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        self._by_rows = self.use_lazy


class _PlainAdam(Listing):
    """Adam as it is.

    Args:
        eps: float above 0, added to the root; not bias-corrected.

    State: ``beta1_power``, ``beta2_power`` (1), ``moment1.*``, ``moment2.*`` (0).
    """

    _only_lists = True
    _rule = _rule((1,))

    params: Any
    learning_rate: Any = 1e-3
    beta1: Share = 0.9
    beta2: Share = 0.999
    eps: Positive = 1e-8
    use_locking: Flag = False
    use_nesterov: Flag = False
    weight_decay: Any = 0.0
    loss_scale: float = 1.0


class AdamOffload(_PlainAdam):
    """Adam; MindSpore computes its moments on the host, msgrad where the parameters are.

    State: ``beta1_power``, ``beta2_power`` (1), ``moment1.*``, ``moment2.*`` (0).
    """


def _mean(beta: float, old: Array, new: Array) -> Array:
    # 1 - beta in the dtype of the numbers, which decides its last digits; of bfloat16, in which
    # 0.999 is 1, MindSpore has no kernel.
    share = jnp.asarray(beta, jnp.float32 if new.dtype == jnp.bfloat16 else new.dtype)
    return old * share + new * (1 - share)


def _change_decoupled(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= lr * (m / (sqrt(v) + eps) + decay * w)``."""
    grad = grad.astype(param.dtype)
    m = _mean(own.beta1, slots["moments1"], grad)
    v = _mean(own.beta2, slots["moments2"], grad * grad)
    way = m / (jnp.sqrt(v) + own.eps) + own.weight_decay * param
    return -(own.lr * way), {"moments1": m, "moments2": v}


class _WithMeans(Listing):
    _only_lists = True

    params: Any
    learning_rate: Any
    beta1: Share = 0.9
    beta2: Share = 0.999
    eps: Positive = 1e-6
    weight_decay: Any = 0.0


class AdamWeightDecay(_WithMeans):
    """Adam without bias correction, and with weight decay apart from the gradient.

    Args:
        weight_decay: As for ``Optimizer``, but decoupled: ``lr * weight_decay * w`` is taken off.

    State: ``adam_m.*``, ``adam_v.*`` (0).
    """

    _checks_dtypes = False
    _rule = Rule(
        _change_decoupled,
        (Slot("moments1", label="adam_m.{}"), Slot("moments2", label="adam_v.{}")),
        decoupled=True,
    )

    learning_rate: Any = 1e-3


class LazyAdam(_PlainAdam):
    """Adam; of the table of an ``EmbeddingLookup`` with ``sparse`` only those rows are updated that
    have a gradient. Arguments, errors and state are those of ``AdamOffload``.

    Differs from MindSpore: a row that was looked up several times is updated once, by the sum, also
    where ``target`` is not ``"CPU"``, and decays once; and in PYNATIVE as in GRAPH_MODE, where
    2.10 fails.
    """

    _targets = ("CPU",)
    _by_rows = True


def _advance_adamax(own: Any, slots: Slots) -> Slots:
    power = unfused(slots["beta1_power"] * np.float32(own.beta1))
    return {"beta1_power": power, "whole": 1 - power.reshape(())}


def _adamax(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= lr / (1 - beta1**t) * m / (u + eps)``, ``u = max(beta2 * u, |g|)``."""
    first, second = np.float32(own.beta1), np.float32(own.beta2)
    m = first * slots["moment1"] + (1 - first) * grad
    size = jnp.maximum(second * slots["moment2"], jnp.abs(grad))
    return -(own.lr / slots["whole"] * m / (size + own.eps)), {"moment1": m, "moment2": size}


class AdaMax(_WithMeans):
    """Adam after the infinity norm.

    Args:
        beta2: float in (0, 1), decay of the largest gradient.
        eps: float above 0, added to the largest gradient.

    State: ``beta1_power`` (1), ``moment1.*``, ``moment2.*`` (0).
    """

    _rule = Rule(
        _adamax,
        (Slot("beta1_power", 1.0, shared=(1,)), Slot("moment1"), Slot("moment2")),
        advance=_advance_adamax,
    )

    learning_rate: Any = 0.001
    eps: Positive = 1e-8
    loss_scale: float = 1.0


def _advance_lamb(own: Any, slots: Slots) -> Slots:
    betas = np.float32(own.beta1), np.float32(own.beta2)
    return {f"whole{i}": 1 - beta**own.step for i, beta in enumerate(betas, 1)}


def _lamb(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= lr * norm(w) / norm(r) * r``, ``r`` being Adam's direction plus ``decay * w``; where a
    norm is 0, the step is ``lr * r``.
    """
    first, second = np.float32(own.beta1), np.float32(own.beta2)
    m = slots["moments1"] * first + grad * (1 - first)
    v = slots["moments2"] * second + grad * grad * (1 - second)
    size = jnp.sqrt(v / slots["whole2"]) + own.eps
    way = m / slots["whole1"] / size + own.weight_decay * param
    return -(own.lr * (_trust(own, param, way) * way)), {"moments1": m, "moments2": v}


def _trust(own: Any, param: Array, way: Array) -> Array:
    squares = [jnp.sum(jnp.square(x.astype(jnp.float32))) for x in (param, way)]
    sizes = [jnp.sqrt(x) for x in total(own, squares)]
    both = (sizes[0] > 0) & (sizes[1] > 0)
    return jnp.where(both, sizes[0] / jnp.where(both, sizes[1], 1.0), 1.0)


class Lamb(_WithMeans):
    """Adam with a step for each parameter that is as long as the parameter, times the rate.

    Args:
        weight_decay: As for ``Optimizer``, but decoupled: part of the direction.

    State: ``lamb_m.*``, ``lamb_v.*`` (0).

    Differs from MindSpore: it runs on every device; MindSpore 2.10 has no kernel for CPU.
    """

    _rule = Rule(
        _lamb,
        (Slot("moments1", label="lamb_m.{}"), Slot("moments2", label="lamb_v.{}")),
        decoupled=True,
        advance=_advance_lamb,
    )

    learning_rate: Any
