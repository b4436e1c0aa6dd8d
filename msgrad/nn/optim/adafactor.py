"""AdaFactor: Adam's second moment kept as one row and one column for each matrix."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import optax

from msgrad._core.errors import ArgumentValueError
from msgrad.common.parameter import Parameter
from msgrad.nn._checks import at_least_zero, of_type
from msgrad.nn.optim import _checks
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["AdaFactor"]


@dataclass(frozen=True)
class _Options:
    """See ``AdaFactor``."""

    eps: tuple[float, float]
    clip_threshold: float
    decay_rate: float
    beta1: float
    scale_parameter: bool
    relative_step: bool
    warmup_init: bool
    compression: bool


def _rms(x: jax.Array) -> jax.Array:
    return jnp.sqrt(jnp.mean(jnp.square(x)))


def _mean(share: jax.Array, old: jax.Array, new: jax.Array) -> jax.Array:
    return old * share + new * (1 - share)


@functools.cache
def adafactor(options: _Options) -> optax.GradientTransformationExtraArgs:
    """Give the rule, in which a parameter of two or more dimensions is a stack of matrices."""
    small = jnp.float16 if options.compression else None

    def init(params: Any) -> dict[str, Any]:
        def zeros(shape: tuple[int, ...], like: Any, dtype: Any = None) -> jax.Array:
            return jnp.zeros(shape, dtype or like.dtype)

        state: dict[str, list[jax.Array]] = {"exp_avg": []} if options.beta1 else {}
        state |= {"exp_avg_sq_row": [], "exp_avg_sq_col": [], "exp_avg_sq": []}
        for param in params:
            shape, factored = param.shape, param.ndim > 1
            if options.beta1:
                state["exp_avg"].append(zeros(shape, param))
            row, column = (shape[:-1], (*shape[:-2], shape[-1])) if factored else ((1,), (1,))
            state["exp_avg_sq_row"].append(zeros(row, param))
            state["exp_avg_sq_col"].append(zeros(column, param))
            whole = zeros((1,), param) if factored else zeros(shape, param, small)
            state["exp_avg_sq"].append(whole)
        return {**state, "step": jnp.zeros((1,), jnp.float32)}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, decay: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        step = state["step"] + 1
        count = step.reshape(())
        share = 1 - jnp.power(count, -options.decay_rate)
        new: dict[str, Any] = {name: [] for name in state}
        changes = []
        for index, (rate, share_off, given, param) in enumerate(
            zip(lr, decay, grads, params, strict=True)
        ):
            old = {
                name: value[index].astype(jnp.float32)
                for name, value in state.items()
                if name != "step"
            }
            g, wide = given.astype(jnp.float32), param.astype(jnp.float32)
            if options.relative_step:
                most = 1e-6 * count if options.warmup_init else 1e-2
                rate = jnp.minimum(most, 1 / jnp.sqrt(count))
            if options.scale_parameter:
                rate = rate * jnp.maximum(options.eps[1], _rms(wide))
            square = jnp.square(g) + options.eps[0]
            if g.ndim > 1:
                row = _mean(share, old["exp_avg_sq_row"], square.mean(-1))
                column = _mean(share, old["exp_avg_sq_col"], square.mean(-2))
                old |= {"exp_avg_sq_row": row, "exp_avg_sq_col": column}
                rows = jax.lax.rsqrt(row / row.mean(-1, keepdims=True))[..., None]
                way = rows * jax.lax.rsqrt(column)[..., None, :] * g
            else:
                old["exp_avg_sq"] = _mean(share, old["exp_avg_sq"], square)
                way = jax.lax.rsqrt(old["exp_avg_sq"]) * g
            way = way / jnp.maximum(1.0, _rms(way) / options.clip_threshold) * rate
            if options.beta1:
                way = old["exp_avg"] * options.beta1 + way * (1 - options.beta1)
                old["exp_avg"] = way
            changes.append(-(way + share_off * rate * wide))
            for name, value in old.items():
                new[name].append(value)
        return changes, {**new, "step": step}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class AdaFactor(Optimizer):
    """Adaptive rates with sublinear memory.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``; None with ``relative_step``.
        eps: tuple or list of two floats, 0 or more: added to squared gradients, and the least
            size of a parameter for ``scale_parameter``.
        clip_threshold: float, 0 or more; the largest root mean square of a step over its rate.
        decay_rate: float in (0, 1); the power of the step in the decay of the second moment.
        beta1: Number, 0 or more, decay of the mean of steps; 0 or None for none.
        weight_decay: As for ``Optimizer``, but of every parameter, and decoupled:
            ``rate * weight_decay * w`` is taken off.
        scale_parameter: Whether the rate is multiplied by the parameter's root mean square.
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
    ``exp_avg.*``; groups, which 2.10 fails with, work.
    """

    _decoupled = True
    # Its step does not depend on the size of a gradient, but for `eps`.
    _unscales = False
    _spared = ()
    _state_labels = {
        "exp_avg_sq_row": "exp_avg_sq_row_{}",
        "exp_avg_sq_col": "exp_avg_sq_col_{}",
        "exp_avg_sq": "exp_avg_sq_{}",
        "step": "afactor_step",
    }
    step: Parameter

    def __init__(
        self,
        params: Any,
        learning_rate: Any = None,
        eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = 0.8,
        beta1: float | None = 0.9,
        weight_decay: Any = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        if learning_rate is not None and relative_step:
            raise ArgumentValueError(
                "Cannot combine manual lr and relative_step options", learning_rate
            )
        if warmup_init and not relative_step:
            raise ArgumentValueError("warmup_init requires relative_step=True")
        if learning_rate is None and not relative_step:
            raise ArgumentValueError("Cannot learning_rate is None and relative_step=False")
        super().__init__(
            0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale
        )
        of_type("AdaFactor", "eps", eps, list, tuple)
        if len(eps) != 2:
            raise ArgumentValueError("eps must have 2 value: (eps1, eps2).")
        for index, value in enumerate(eps):
            _checks.a_float("AdaFactor", f"eps{index}", value)
        _checks.a_float("AdaFactor", "clip_threshold", clip_threshold)
        of_type("AdaFactor", "decay_rate", decay_rate, float)
        if not 0 < decay_rate < 1:
            raise ArgumentValueError(
                f"For 'AdaFactor', the 'decay_rate' must be in range of (0, 1), but got "
                f"{decay_rate} with type 'float'."
            )
        if beta1 is not None:
            of_type("AdaFactor", "beta1", beta1, int, float)
            at_least_zero("AdaFactor", "beta1", beta1)
        of_type("AdaFactor", "scale_parameter", scale_parameter, bool)
        of_type("AdaFactor", "relative_step", relative_step, bool)
        of_type("AdaFactor", "compression", compression, bool)
        self.eps, self.clip_threshold, self.decay_rate = tuple(eps), clip_threshold, decay_rate
        self.beta1, self.compression = beta1, compression
        self.scale_parameter, self.relative_step = scale_parameter, relative_step
        self.warmup_init = bool(warmup_init)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return adafactor(
            _Options(
                (self.eps[0], self.eps[1]),
                self.clip_threshold,
                self.decay_rate,
                self.beta1 or 0.0,
                self.scale_parameter,
                self.relative_step,
                self.warmup_init,
                self.compression,
            )
        )
