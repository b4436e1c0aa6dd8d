"""``WithGradCell``: a network with its loss, that gives the gradients of its weights."""

from __future__ import annotations

from typing import Any

from msgrad._core.exports import public_names
from msgrad.autograd import GradOperation
from msgrad.common.parameter import ParameterTuple
from msgrad.nn.cell import Cell
from msgrad.nn.wrap.cell_wrapper import WithLossCell


class WithGradCell(Cell):
    """The gradients of the weights of a network, by its loss.

    Args:
        network: The Cell; training mode is set.
        loss_fn: Called with the network's output and the label; None if the network gives a loss.
        sens: The cotangent of the loss; None for 1.

    Output: a tuple of gradients, one for each trainable parameter.
    """

    def __init__(self, network: Cell, loss_fn: Any = None, sens: Any = None) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        self.sens = sens
        whole = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss = whole.set_train()

    def construct(self, *inputs: Any) -> Any:
        more = () if self.sens is None else (self.sens,)
        return self.grad(self.network_with_loss, self.weights)(*inputs, *more)


__all__ = public_names(globals())
