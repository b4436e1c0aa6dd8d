"""Steps of optimizers in those rows of a Parameter that have a gradient; see ``apply``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._core.op import Array, Indices
from msgrad.ops._checks import need
from msgrad.ops.apply import Arrays, by_adam, by_ftrl, by_proximal, by_rms, written


def _rows(
    rule: Callable[..., Arrays], state: Arrays, grad: Array, indices: Indices, *given: Any
) -> Arrays:
    """Return a state of which the rows that have a gradient are changed by a rule.

    Rows of one index are added up first; ``rule`` takes the state and a gradient of its shape.
    """
    fits = indices.ndim == 1 and grad.shape == (indices.size, *state[0].shape[1:])
    need(fits, "each of the indices needs a row of the gradient", indices, grad)
    whole = jnp.zeros_like(state[0]).at[indices].add(grad)
    named = jnp.zeros(state[0].shape[0], bool).at[indices].set(True)
    named = named.reshape(-1, *(1,) * (grad.ndim - 1))
    new = rule(*state, whole, *given)
    return tuple(jnp.where(named, n, old) for n, old in zip(new, state, strict=True))


@written("FusedSparseAdam", 3, "use_locking: _ = False, use_nesterov=False")
def _sparse_adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, indices, use_nesterov
) -> Arrays:
    """Step by Adam, where all rows but those of the indices have a gradient of 0."""
    whole = jnp.zeros_like(var).at[indices].add(gradient)
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)
    return by_adam(var, m, v, whole, *powers)


@written("FusedSparseLazyAdam", 3, "use_locking: _ = False, use_nesterov=False")
def _lazy_adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, indices, use_nesterov
) -> Arrays:
    """Step by Adam in the rows of the indices; the others stay, also their moments."""
    powers = (beta1_power, beta2_power, lr, (beta1, beta2), epsilon, use_nesterov)
    return _rows(by_adam, (var, m, v), gradient, indices, *powers)


@written("SparseApplyAdagrad", 2, "lr, update_slots=True, use_locking: _ = False")
def _sparse_adagrad(var, accum, grad, indices, lr, update_slots) -> Arrays:
    """Step by Adagrad in the rows of the indices."""
    return _rows(_adagrad_rows, (var, accum), grad, indices, lr, 0.0, update_slots)


@written("SparseApplyAdagradV2", 2, "lr, epsilon, use_locking: _ = False, update_slots=True")
def _sparse_adagrad_v2(var, accum, grad, indices, lr, epsilon, update_slots) -> Arrays:
    """Step by Adagrad in the rows of the indices, with a number added under the root."""
    return _rows(_adagrad_rows, (var, accum), grad, indices, lr, epsilon, update_slots)


def _adagrad_rows(var, accum, grad, lr, epsilon, update_slots) -> Arrays:
    accum = accum + jnp.square(grad) if update_slots else accum
    return var - lr * grad / jnp.sqrt(accum + epsilon), accum


def _sparse_ftrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power) -> Arrays:
    """Step by FTRL in the rows of the indices."""
    return _rows(by_ftrl, (var, accum, linear), grad, indices, lr, l1, l2, lr_power)


_FTRL = "lr, l1, l2, lr_power, use_locking: _ = False"
_sparse_apply_ftrl = written("SparseApplyFtrl", 3, _FTRL)(_sparse_ftrl)
_fused_sparse_ftrl = written("FusedSparseFtrl", 3, _FTRL)(_sparse_ftrl)


@written("FusedSparseProximalAdagrad", 2, "use_locking: _ = False")
def _sparse_proximal(var, accum, lr, l1, l2, grad, indices) -> Arrays:
    """Step by Adagrad, then towards 0, in the rows of the indices."""
    return _rows(by_proximal, (var, accum), grad, indices, lr, l1, l2)


@written("SparseApplyRMSProp", 3, "rho, momentum, epsilon, use_locking: _ = False")
def _sparse_rms_prop(var, mean_square, moment, lr, grad, indices, rho, momentum, epsilon) -> Arrays:
    """Step by RMSProp in the rows of the indices."""
    state = (var, mean_square, moment)
    return _rows(by_rms, state, grad, indices, lr, rho, momentum, epsilon)
