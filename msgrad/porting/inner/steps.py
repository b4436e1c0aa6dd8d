"""MindSpore's inner Primitives that step in the rows of a Parameter, one after the other: a table.

What steps is the rule of ``ops.apply``. Differs from MindSpore: ``SparseApplyMomentum`` heeds
``use_nesterov``.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad import ops
from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentValueError, KernelError
from msgrad._core.op import Array, Arrays, Indices, operator
from msgrad.common.tensor import Tensor
from msgrad.ops import apply
from msgrad.porting.inner.rows import classes

_TABLE = """
SparseApplyMomentum(var, accum, lr, grad, indices, momentum, /, use_locking=False, use_nesterov=False) = _step('nesterov' if use_nesterov else 'momentum', (var, accum), grad, indices, lr, momentum)
SparseApplyAdagradDA(var, grad_accum, grad_square_accum, grad, indices, lr, l1, l2, global_step, /, use_locking=False) = _step('averaged', (var, grad_accum, grad_square_accum), grad, indices, lr, l1, l2, global_step)
SparseApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, /, use_locking=False) = _step('centered', (var, mg, ms, mom), grad, indices, lr, rho, momentum, epsilon)
SparseApplyProximalGradientDescent(var, alpha, l1, l2, grad, indices, /, use_locking=False) = _step('proximal', (var,), grad, indices, alpha, l1, l2)
"""  # noqa: E501

_RULES: dict[str, Any] = {
    "momentum": lambda state, g, lr, m: apply._momentum.kernel(*state, lr, g, m, False),
    "nesterov": lambda state, g, lr, m: apply._momentum.kernel(*state, lr, g, m, True),
    "averaged": lambda state, g, *given: apply._adagrad_da.kernel(*state, g, *given),
    "centered": lambda state, g, *given: apply._centered_rms_prop.kernel(*state, g, *given),
    "proximal": lambda state, g, *given: (apply._proximal_descent.kernel(*state, *given, g),),
}


@operator("SparseApply", public=False, product=True)
def _rows(state: Arrays, grad: Array, indices: Indices, given: Arrays, rule: str) -> Arrays:
    def turn(state: Arrays, row: tuple[Array, Array]) -> tuple[Arrays, None]:
        at, own = row
        new = _RULES[rule]([each[at] for each in state], own, *given)
        return tuple(s.at[at].set(n) for s, n in zip(state, new, strict=True)), None

    return jax.lax.scan(turn, tuple(state), (indices, grad))[0]


def _step(rule: str, state: tuple[Tensor, ...], grad: Tensor, indices: Tensor, *given: Any) -> Any:
    var = state[0]
    if grad.shape != (*indices.shape, *var.shape[1:]) or indices.ndim != 1:
        raise ArgumentValueError(
            f"each of the indices needs a row of the gradient, but got {indices.shape} for "
            f"{grad.shape} and 'var' of {var.shape}."
        )
    most = var.shape[0]
    if not jnp.issubdtype(indices._peek().dtype, jnp.integer):
        raise ArgumentValueError(f"'indices' must be ints, but got {indices.dtype}.")
    places = indices._concrete("a sparse step")
    if ((places < 0) | (places >= most)).any():
        raise KernelError(f"indices must be from 0 up to {most}, but got {places}.")
    numbers = [ops.cast(v if is_tensor(v) else Tensor(v), var.dtype) for v in given]
    new = _rows(state, grad, indices, numbers, rule)
    for each, value in zip(state, new, strict=True):
        each._assign(value._peek())
    return new[0]


__getattr__ = classes(_TABLE, globals())
