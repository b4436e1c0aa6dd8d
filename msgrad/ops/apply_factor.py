"""Steps by Adafactor, as operators; see ``apply``."""

from __future__ import annotations

from functools import partial

import jax.numpy as jnp

from msgrad._core.op import Array
from msgrad.ops.apply import Arrays, written


def _mean_square(x: Array) -> Array:
    return jnp.sqrt(jnp.square(x).mean())


def _ada_factor(
    epsilon,
    clip_threshold,
    beta1,
    beta2,
    weight_decay,
    learning_rate,
    gradient,
    param,
    exp_avg,
    exp_avg_sq_row,
    exp_avg_sq_col,
    exp_avg_sq,
    enable_scale_parameter,
    enable_first_moment,
    enable_weight_decay,
) -> Arrays:
    """Step by Adafactor, whose mean of squares is a product of rows and columns."""
    squares = jnp.square(gradient) + epsilon[0]
    row, col, sq = exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq
    if param.ndim >= 2:
        row = beta2 * row + (1 - beta2) * squares.mean(-1)
        col = beta2 * col + (1 - beta2) * squares.mean(-2)
        mean = (row / row.mean(-1, keepdims=True))[..., None] * col[..., None, :]
    else:
        mean = sq = beta2 * sq + (1 - beta2) * squares
    update = gradient / jnp.sqrt(mean)
    update = update / jnp.maximum(1, _mean_square(update) / clip_threshold)
    rate = learning_rate
    if enable_scale_parameter:
        rate = rate * jnp.maximum(epsilon[1], _mean_square(param))
    update = rate * update
    if enable_first_moment:
        exp_avg = update = beta1 * exp_avg + (1 - beta1) * update
    decayed = param * (1 - weight_decay * rate) if enable_weight_decay else param
    return decayed - update, exp_avg, row, col, sq


_OF_FACTOR = "enable_scale_parameter=False, enable_first_moment=False, enable_weight_decay=False"
_of_factor = partial(written, state=5, primitive=_OF_FACTOR, gives=0, start=7, numbers="Array")
_fused_ada_factor = _of_factor("FusedAdaFactor")(_ada_factor)


@_of_factor("FusedAdaFactorWithGlobalNorm")
def _ada_factor_scaled(
    epsilon,
    clip_threshold,
    beta1,
    beta2,
    weight_decay,
    learning_rate,
    gradient,
    param,
    exp_avg,
    exp_avg_sq_row,
    exp_avg_sq_col,
    exp_avg_sq,
    global_norm,
    enable_scale_parameter,
    enable_first_moment,
    enable_weight_decay,
) -> Arrays:
    """Step by Adafactor, by a gradient that is divided by a norm first."""
    return _ada_factor(
        *(epsilon, clip_threshold, beta1, beta2, weight_decay, learning_rate),
        *(gradient / global_norm, param, exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq),
        *(enable_scale_parameter, enable_first_moment, enable_weight_decay),
    )
