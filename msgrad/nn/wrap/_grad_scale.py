"""``grad_scale`` and ``shard_grad_scale``: a gradient unscaled, and its running sum set to 0."""

from __future__ import annotations

from msgrad import ops
from msgrad.common.tensor import Tensor

grad_scale = ops.MultitypeFuncGraph("grad_scale")
shard_grad_scale = ops.MultitypeFuncGraph("shard_grad_scale")


@grad_scale.register("Tensor", "Tensor", "Tensor")
def _of_sum(scale: Tensor, grad: Tensor, accu_grad: Tensor) -> Tensor:
    found = accu_grad * ops.reciprocal(scale)
    ops.assign(accu_grad, ops.zeros_like(accu_grad))
    return found


@shard_grad_scale.register("Tensor", "Tensor", "Tensor")
def _of_gradient(scale: Tensor, grad: Tensor, accu_grad: Tensor) -> Tensor:
    ops.assign(accu_grad, ops.zeros_like(accu_grad))
    return grad * ops.reciprocal(scale)
