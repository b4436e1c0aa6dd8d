"""Adam, with Nesterov's form and AMSGrad, and AdamOffload, which is Adam under another name.

The rule of AdamWeightDecay, which MindSpore has in this module too, is in ``adam_weight_decay.py``.
"""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import numpy as np
import optax

from msgrad._core.errors import ArgumentValueError, ParameterNameError
from msgrad.nn._checks import of_type
from msgrad.nn.optim import _checks
from msgrad.nn.optim._rounding import unfused, unfused_square
from msgrad.nn.optim.adam_weight_decay import AdamWeightDecay
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Adam", "AdamOffload", "AdamWeightDecay"]


@functools.cache
def adam(
    beta1: float,
    beta2: float,
    eps: float,
    nesterov: bool,
    amsgrad: bool,
    power_shape: tuple[int, ...] = (),
) -> optax.GradientTransformationExtraArgs:
    """Give the rule, in MindSpore's order of operations, which decides the last bits::

        m += (g - m) * (1 - beta1)        v += (g * g - v) * (1 - beta2)
        w -= lr * sqrt(1 - beta2**t) / (1 - beta1**t) * m / (sqrt(v) + eps)

    Args:
        beta1: Decay of ``m``.
        beta2: Decay of ``v``.
        eps: Not corrected for the bias of ``v``, unlike in most other libraries.
        nesterov: Use ``beta1 * m + (1 - beta1) * g`` for ``m`` in the last line; without effect
            beside ``amsgrad``, as in MindSpore.
        amsgrad: Use the largest ``v`` so far in the last line.
        power_shape: Of ``beta1**t`` and ``beta2**t`` in the state.
    """
    first, second = np.float32(beta1), np.float32(beta2)
    rest1, rest2 = np.float32(1) - first, np.float32(1) - second
    # MindSpore's kernel for AMSGrad rounds each product; the one for plain Adam fuses those of both
    # moments, as XLA does, so that whole vectors of 8 agree bit for bit. What is left over at the
    # end of an array, or of a thread's part of it, it divides in float64 and rounds at the end,
    # which may change the last bit of a weight; that depends on its thread count and stays out.
    kept = unfused if amsgrad else lambda product: product
    square = unfused_square if amsgrad else jnp.square

    def init(params: Any) -> dict[str, Any]:
        def zeros() -> list[Any]:
            return [jnp.zeros_like(param) for param in params]

        one = jnp.ones(power_shape, jnp.float32)
        state = {"beta1_power": one, "beta2_power": one, "moment1": zeros(), "moment2": zeros()}
        return {**state, "vhat": zeros()} if amsgrad else state

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        # Fused, 1 - beta2 would change in its fifth digit. One product for both: where more than 8
        # of XLA's kernels can start at once it wakes another thread, which costs 30 us.
        powers = jnp.stack([state["beta1_power"], state["beta2_power"]], axis=-1)
        powers = unfused(powers * np.array([first, second]))
        power1, power2 = powers[..., 0], powers[..., 1]
        m = [m + kept((g - m) * rest1) for g, m in zip(grads, state["moment1"], strict=True)]
        v = [
            v + kept((square(g) - v) * rest2) for g, v in zip(grads, state["moment2"], strict=True)
        ]
        new = {"beta1_power": power1, "beta2_power": power2, "moment1": m, "moment2": v}
        if amsgrad:
            v = [jnp.maximum(high, now) for high, now in zip(state["vhat"], v, strict=True)]
            new["vhat"] = v
        if nesterov and not amsgrad:
            m = [first * now + rest1 * g for now, g in zip(m, grads, strict=True)]
        correction = jnp.sqrt(1 - power2.reshape(())), 1 - power1.reshape(())
        changes = [
            -(rate * correction[0] / correction[1] * way / (jnp.sqrt(size) + eps))
            for rate, way, size in zip(lr, m, v, strict=True)
        ]
        return changes, new

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class Adam(Optimizer):
    """Adam: steps along a running mean of gradients over the root of that of their squares.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        beta1: float in (0, 1), decay of the mean of gradients.
        beta2: float in (0, 1), decay of the mean of squares.
        eps: float above 0, added to the root; not bias-corrected.
        use_locking: Accepted for compatibility.
        use_nesterov: Whether to use Nesterov's form; without effect beside ``use_amsgrad``.
        weight_decay: As for ``Optimizer``; part of the gradient, not decoupled.
        loss_scale: As for ``Optimizer``.
        use_amsgrad: Whether to divide by the largest mean of squares so far.
        **kwargs: ``use_lazy`` and ``use_offload``, accepted for compatibility.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range, or options that exclude each other.
        KeyError: For other keywords.

    State: ``beta1_power``, ``beta2_power`` (1), ``moment1.*``, ``moment2.*``, with ``use_amsgrad``
    ``vhat.*`` (0).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if kwargs.keys() - {"use_lazy", "use_offload"}:
            raise ParameterNameError(
                "For 'Adam', invalid keys are passed as kwargs, supported keys are 'use_lazy' "
                f"and'use_offload', but got {kwargs.keys()}."
            )
        self.beta1, self.beta2, self.eps = _checks.betas("Adam", beta1, beta2, eps)
        self.use_locking = of_type("Adam", "use_locking", use_locking, bool)
        self.use_nesterov = of_type("Adam", "use_nesterov", use_nesterov, bool)
        self.use_amsgrad = of_type("Adam", "use_amsgrad", use_amsgrad, bool)
        lazy = of_type("Adam", "use_lazy", kwargs.get("use_lazy", False), bool)
        offload = of_type("Adam", "use_offload", kwargs.get("use_offload", False), bool)
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
        self.use_lazy, self.use_offload = lazy, offload
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return adam(self.beta1, self.beta2, self.eps, self.use_nesterov, self.use_amsgrad)


class AdamOffload(Optimizer):
    """Adam; MindSpore computes its moments on the host, msgrad where the parameters are.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        beta1: float in (0, 1), decay of the mean of gradients.
        beta2: float in (0, 1), decay of the mean of squares.
        eps: float above 0, added to the root; not bias-corrected.
        use_locking: Accepted for compatibility.
        use_nesterov: Whether to use Nesterov's form.
        weight_decay: As for ``Optimizer``.
        loss_scale: As for ``Optimizer``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``beta1_power``, ``beta2_power`` (1), ``moment1.*``, ``moment2.*`` (0).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        owner = type(self).__name__
        self.beta1, self.beta2, self.eps = _checks.betas(owner, beta1, beta2, eps)
        self.use_locking = of_type(owner, "use_locking", use_locking, bool)
        self.use_nesterov = of_type(owner, "use_nesterov", use_nesterov, bool)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return adam(self.beta1, self.beta2, self.eps, self.use_nesterov, False, (1,))
