"""``mindspore.boost.grad_accumulation``: the optimizer steps once in several calls."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.ops import HyperMap, MultitypeFuncGraph

gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def cumulative_grad_process(accumulation_step: int, cumulative_grad: Any, grad: Any) -> Any:
    """Add ``grad / accumulation_step`` to what has come before."""
    return ops.assign_add(cumulative_grad, grad / accumulation_step)


@gradient_clear_op.register("Tensor")
def clear_grad(cumulative_grad: Any) -> Any:
    """Begin again from zero."""
    return ops.assign(cumulative_grad, ops.zeros_like(cumulative_grad))


class GradientAccumulation(Cell):
    """Adds gradients up, and steps the optimizer with their mean every few calls.

    Args:
        max_accumulation_step: How many calls make one step.
        optimizer: The optimizer.
    """

    def __init__(self, max_accumulation_step: int, optimizer: Any) -> None:
        super().__init__()
        self._max_accumulation_step = max_accumulation_step
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.hyper_map = HyperMap()
        self._grad_accumulation = self.weights.clone("grad_accumulation", "zeros")
        self._accumulation_step = Parameter(Tensor(0), "accumulation_step")

    def construct(self, loss: Any, grads: Any) -> Any:
        """Add the gradients; returns the loss."""
        for held, grad in zip(self._grad_accumulation, grads, strict=True):
            cumulative_grad_process(self._max_accumulation_step, held, grad)
        self._accumulation_step = self._accumulation_step + 1
        if self._accumulation_step >= self._max_accumulation_step:
            self.optimizer(tuple(self._grad_accumulation))
            self._accumulation_step = self._accumulation_step * 0
            for held in self._grad_accumulation:
                clear_grad(held)
        return loss
