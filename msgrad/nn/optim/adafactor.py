"""AdaFactor: Adam's second moment kept as one row and one column for each matrix."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.checks import at_least_zero, inside, of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._hyper import Exact, Flag, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["AdaFactor"]


def _rms(x: Array) -> Array:
    return jnp.sqrt(jnp.mean(jnp.square(x)))


def _mean(share: Array, old: Array, new: Array) -> Array:
    return old * share + new * (1 - share)


def _row(param: Array, own: Any) -> Array:
    return jnp.zeros(param.shape[:-1] if param.ndim > 1 else (1,), param.dtype)


def _column(param: Array, own: Any) -> Array:
    factored = param.ndim > 1
    return jnp.zeros((*param.shape[:-2], param.shape[-1]) if factored else (1,), param.dtype)


def _whole(param: Array, own: Any) -> Array:
    if param.ndim > 1:
        return jnp.zeros((1,), param.dtype)
    return jnp.zeros(param.shape, jnp.float16 if own.compression else param.dtype)


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """Adam's, with a parameter of two or more dimensions as a stack of matrices."""
    count = slots["step"].reshape(())
    share = 1 - jnp.power(count, -own.decay_rate)
    old = {name: value.astype(jnp.float32) for name, value in slots.items()}
    grad, param, rate = grad.astype(jnp.float32), param.astype(jnp.float32), own.lr
    if own.relative_step:
        most = 1e-6 * count if own.warmup_init else 1e-2
        rate = jnp.minimum(most, 1 / jnp.sqrt(count))
    if own.scale_parameter:
        rate = rate * jnp.maximum(own.eps[1], _rms(param))
    square = jnp.square(grad) + own.eps[0]
    if grad.ndim > 1:
        row = _mean(share, old["exp_avg_sq_row"], square.mean(-1))
        column = _mean(share, old["exp_avg_sq_col"], square.mean(-2))
        new = {"exp_avg_sq_row": row, "exp_avg_sq_col": column}
        rows = jax.lax.rsqrt(row / row.mean(-1, keepdims=True))[..., None]
        way = rows * jax.lax.rsqrt(column)[..., None, :] * grad
    else:
        new = {"exp_avg_sq": _mean(share, old["exp_avg_sq"], square)}
        way = jax.lax.rsqrt(new["exp_avg_sq"]) * grad
    way = way / jnp.maximum(1.0, _rms(way) / own.clip_threshold) * rate
    if own.beta1:
        way = new["exp_avg"] = old["exp_avg"] * own.beta1 + way * (1 - own.beta1)
    return -(way + own.weight_decay * rate * param), new


class AdaFactor(Optimizer):
    """Adaptive rates with sublinear memory.

    Args:
        learning_rate: As for ``Optimizer``; None with ``relative_step``.
        eps: tuple or list of two floats, 0 or more: added to squared gradients, and the least
            size of a parameter for ``scale_parameter``.
        clip_threshold: float, 0 or more; the largest root mean square of a step over its rate.
        decay_rate: float in (0, 1); the power of the step in the decay of the second moment.
        beta1: Number, 0 or more, decay of the mean of steps; 0 or None for none.
        weight_decay: float, 0 or more; of every parameter, also of those in groups with another
            one, and decoupled: ``rate * weight_decay * w`` is taken off.
        scale_parameter: Whether the rate is multiplied by the parameter's root mean square; not if
            ``learning_rate`` is a Tensor, a list or a schedule.
        relative_step: Whether the rate is computed from the step.
        warmup_init: Whether that rate begins with 1e-6 and grows.
        compression: Whether the second moments of vectors are float16.
        loss_scale: Accepted for compatibility; gradients are not divided by it, as in MindSpore.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range, or options that exclude each other.

    State: ``exp_avg.*``, ``exp_avg_sq_row_*``, ``exp_avg_sq_col_*``, ``exp_avg_sq_*``,
    ``afactor_step`` (0).

    Differs from MindSpore: without ``beta1`` there is no unnamed Parameter in place of
    ``exp_avg.*``; groups with learning rates of their own, which 2.10 fails with, work.
    """

    # Its step does not depend on the size of a gradient, but for `eps`.
    _unscales = False
    _rate = 0.0
    _targets = ("CPU",)
    _checks_dtypes = False
    _rule = Rule(
        _change,
        (
            Slot("exp_avg", when="beta1"),
            Slot("exp_avg_sq_row", _row, label="exp_avg_sq_row_{}"),
            Slot("exp_avg_sq_col", _column, label="exp_avg_sq_col_{}"),
            Slot("exp_avg_sq", _whole, label="exp_avg_sq_{}"),
            Slot("step", shared=(1,), label="afactor_step"),
        ),
        decoupled=True,
        advance=lambda own, slots: {"step": slots["step"] + 1},
        whole=True,
    )

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = None,
        eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: Exact = 0.8,
        beta1: float | None = 0.9,
        weight_decay: Any = 0.0,
        scale_parameter: Flag = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: Flag = False,
        loss_scale: float = 1.0,
    ) -> None:
        if not isinstance(weight_decay, float):
            raise ArgumentTypeError(
                "For 'AdaFactor', the 'weight_decay' must be 'float',  but got "
                f"'{type(weight_decay).__name__}'."
            )
        if learning_rate is not None and relative_step:
            raise ArgumentValueError(
                "Cannot combine manual lr and relative_step options", learning_rate
            )
        if warmup_init and not relative_step:
            raise ArgumentValueError("warmup_init requires relative_step=True")
        if learning_rate is None and not relative_step:
            raise ArgumentValueError("Cannot learning_rate is None and relative_step=False")
        of_type("AdaFactor", "relative_step", relative_step, bool)
        of_type("AdaFactor", "eps", eps, list, tuple)
        if len(eps) != 2:
            raise ArgumentValueError("eps must have 2 value: (eps1, eps2).")
        for name, value in (("eps0", eps[0]), ("eps1", eps[1]), ("clip_threshold", clip_threshold)):
            at_least_zero("AdaFactor", name, of_type("AdaFactor", name, value, float))
        inside("AdaFactor", "decay_rate", decay_rate, 0, 1)
        if beta1 is not None:
            at_least_zero("AdaFactor", "beta1", of_type("AdaFactor", "beta1", beta1, int, float))

    def _begin(self, given: dict[str, Any]) -> None:
        decay, rate = given["weight_decay"], given["learning_rate"]
        if rate is not None and not isinstance(rate, (int, float)):
            given["scale_parameter"] = False
        super()._begin(given)
        # As in MindSpore the weight decays of groups count for nothing.
        self._decays = (decay,) * len(self.parameters)
        self.weight_decay, self.dynamic_weight_decay = Tensor(decay, mstype.float32), False

    def get_weight_decay(self) -> Any:
        return self.weight_decay
