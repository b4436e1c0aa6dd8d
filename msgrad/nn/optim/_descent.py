"""Optimizers that step along a gradient, or by its sign."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.checks import inside, of_type
from msgrad._core.context import context
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.nn._hyper import Damping, Exact, Flag, from_zero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Listing, Optimizer

__all__ = ["ASGD", "SGD", "Momentum", "Rprop"]


def _sgd(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``a = momentum * a + (1 - dampening) * g``, the first ``a`` being ``g``, ``w -= lr * a``.

    Nesterov's form steps along ``g + momentum * a``; without momentum a step is along ``g``.
    """
    if not own.moving:
        return -(own.lr * grad), {}
    made = {}
    if own.dampening:
        # `stat` is 1 until the first step was made.
        fresh = slots["stat"]
        grad = grad * jnp.where(fresh > 0, 1.0, 1.0 - own.dampening).astype(grad.dtype)
        made["stat"] = jnp.zeros_like(fresh)
    accum = grad + own.momentum * slots["accum"]
    way = grad + own.momentum * accum if own.nesterov else accum
    return -(own.lr * way), {"accum": accum, **made}


# Without dampening no step reads it: writing as many zeros as there are weights in each would only
# take time. It is set once, see ``SGD._count``.
_STAT = Slot("stat", 1.0, when="dampening")


class SGD(Optimizer):
    """Stochastic gradient descent.

    Args:
        momentum: 0 or more.
        dampening: 0 or more; the share of a gradient that is kept out of the accumulated one.
        weight_decay: A number; see ``Optimizer``.
        nesterov: Whether to use Nesterov's form; needs a momentum and no dampening.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For negative numbers, or ``nesterov`` without momentum or with dampening.

    State: ``accum.*`` (0) and ``stat.*`` (1 until the first step with momentum, then 0).
    """

    _dynamic_decay = False
    _integer_gradients = False
    _hyper_names = ("momentum",)
    _rule = Rule(_sgd, (Slot("accum"), _STAT))
    _moving: tuple[int, bool] = (-1, False)
    # Whether `stat` is still to be set.
    _stat_unset: bool = True

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: Damping = 0.0,
        dampening: Damping = 0.0,
        weight_decay: float = 0.0,
        nesterov: Flag = False,
        loss_scale: float = 1.0,
    ) -> None:
        if nesterov and (momentum == 0 or dampening != 0):
            raise ArgumentValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {momentum}, 'dampening' {dampening}."
            )

    def _own(self) -> tuple[tuple[str, Any], ...]:
        version, moving = self._moving
        raw = concrete(self.momentum._read())
        if self.momentum._writes() != version and not is_tracer(raw):
            moving = bool(raw > 0)
            self._moving = (self.momentum._writes(), moving)
        return (*super()._own(), ("moving", moving))

    def _hold(self, slot: Slot, raws: Any, known: int = 0) -> None:
        super()._hold(slot, raws, known)
        if not self.dampening:
            super()._hold(_STAT, [_STAT.make(raw, None) for raw in raws])
            self._state_names = (slot.name,)

    def _count(self, write: Any) -> None:
        super()._count(write)
        if self._stat_unset and self._moving[1] and not self.dampening:
            if context.lift is None:
                self._set_stat()
            else:
                context.lift.checks.append(self._set_stat)

    def _set_stat(self, count: int = 1) -> None:
        """Set it, before a compiled step runs or after another."""
        if self._stat_unset:
            for held in self.stat:
                held._write(jnp.asarray(np.zeros(held.shape, held._read().dtype)))
            vars(self)["_stat_unset"] = False


def _momentum(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``a = momentum * a + g``; Nesterov's form steps along ``g + momentum * a``."""
    accum = grad + own.momentum * slots["moments"]
    way = grad + own.momentum * accum if own.use_nesterov else accum
    return -(own.lr * way), {"moments": accum}


class Momentum(Optimizer):
    """Gradient descent with momentum.


    Raises:
        TypeError: For arguments of other types.
        ValueError: For negative numbers.

    State: ``moments.*`` (0).

    Differs from MindSpore: ``use_nesterov`` works; MindSpore 2.10 ignores it on CPU.
    """

    _hyper_names = ("momentum",)
    _rule = Rule(_momentum, (Slot("moments"),))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: Exact,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        from_zero("Momentum", "momentum", momentum)
        if not isinstance(use_nesterov, bool):
            raise ArgumentTypeError(
                f"The input value must be a bool, but got {type(use_nesterov).__name__}."
            )

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        # Of the instance: a parameter may itself be called "params".
        self.params = self.parameters


def asgd(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= eta * (lambd * w + g)``, then ``eta = lr / (1 + lambd * lr * step) ** alpha``.

    ``ax`` goes on to ``w`` by ``mu = 1 / max(1, step - t0)`` of the way.
    """
    mu, mean = slots["mu"], slots["ax"]
    eta = jnp.where(own.step == 1, own.lr, slots["eta"])
    value = param * (1 - own.lambd * eta) - eta * grad
    return value - param, {
        "ax": jnp.where(mu == 1, value, mean + (value - mean) * mu),
        "eta": own.lr / (1 + own.lambd * own.lr * own.step) ** own.alpha,
        "mu": 1 / jnp.maximum(1.0, own.step - own.t0),
    }


class ASGD(Listing):
    """Averaged stochastic gradient descent.

    Args:
        lambd: float, the decay.
        alpha: float, the power by which the rate falls.
        t0: float, the step from which on the mean is more than the last weights.

    Inputs: gradients, a tuple or list of Tensor. Output: True.

    Raises:
        TypeError: For arguments of other types.

    State: ``mu_*`` (1), ``eta_*`` (0), ``ax_.*`` (0), the mean of the weights.
    """

    _takes_lists = True
    _checks_dtypes = False
    _rule = Rule(
        asgd, (Slot("mu", 1.0, scalar=True), Slot("eta", scalar=True), Slot("ax", label="ax_.{}"))
    )

    params: Any
    learning_rate: Any = 0.1
    lambd: Exact = 1e-4
    alpha: Exact = 0.75
    t0: Exact = 1e6
    weight_decay: Any = 0.0


def rprop(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= size * sign(g)``; ``size`` begins with the rate and is multiplied by ``etas[0]`` where
    the sign has turned, and then ``g`` counts as 0, and by ``etas[1]`` where it has not.
    """
    turned = jnp.sign(grad * slots["prev"])
    factor = jnp.where(turned > 0, own.etas[1], jnp.where(turned < 0, own.etas[0], 1.0))
    size = slots["step_size"]
    size = jnp.where(own.step == 1, own.lr.astype(size.dtype), size)
    size = jnp.clip(size * factor.astype(size.dtype), *own.step_sizes)
    grad = jnp.where(turned < 0, 0, grad)
    return -jnp.sign(grad) * size, {"prev": grad, "step_size": size}


class Rprop(Optimizer):
    """Resilient backpropagation.

    Args:
        learning_rate: As for ``Optimizer``; only the size of the first step.
        etas: tuple of a float in (0, 1) and one above 1: the factors of a step.
        step_sizes: tuple of two floats: the smallest and the largest step.

    Inputs: gradients, a tuple or list of Tensor. Output: True.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range, or tuples of another length.

    State: ``prev.*``, ``step_size.*`` (0).
    """

    _takes_lists = True
    _checks_dtypes = False
    _rule = Rule(rprop, (Slot("prev"), Slot("step_size")))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: Any = 0.0,
    ) -> None:
        _check_pair("etas", etas, f"got {type(etas)}")
        for name, value, low, high in (
            ("etaminus", etas[0], 0.0, 1.0),
            ("etaplus", etas[1], 1.0, float("inf")),
        ):
            if not isinstance(value, float):
                raise ArgumentTypeError(
                    f"For 'Rprop', the '{name}' must be 'float',  but got '{type(value).__name__}'."
                )
            inside("Rprop", name, value, low, high)
        # MindSpore's text; what came stands behind it.
        came = f"got <class 'tuple'>; got {type(step_sizes).__name__}"
        _check_pair("step_sizes", step_sizes, came)
        of_type("Rprop", "min_step_sizes", step_sizes[0], float)
        of_type("Rprop", "max_step_sizes", step_sizes[1], float)
        if step_sizes[0] > step_sizes[1]:
            raise ArgumentValueError(
                "For Rprop, maximal step size should not be less than minimal step size, but got "
                f"{step_sizes[0]} > {step_sizes[1]}."
            )


def _check_pair(name: str, value: Any, came: str) -> None:
    if not isinstance(value, tuple):
        raise ArgumentTypeError(f"For Rprop, {name} must be a tuple, but {came}.")
    if len(value) != 2:
        raise ArgumentValueError(
            f"For Rprop, {name} must be a tuple with the size of 2, but got {len(value)}."
        )
