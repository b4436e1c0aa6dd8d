"""``DistributedGradReducer``: the sum or mean of the gradients of all ranks; of one, they stay."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.checks import of_type
from msgrad._core.distributed.groups import WORLD_GROUP, ranks_of
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.context import get_auto_parallel_context
from msgrad.nn.cell import Cell
from msgrad.ops.collective import broadcast, reduce_together


class DistributedGradReducer(Cell):
    """Return the sum or mean over the ranks of each gradient; in one process, the gradient.

    They are joined to one buffer for each dtype, and reduced as that.

    Args:
        parameters: The parameters that the gradients belong to.
        mean: Whether to take the mean; None for the ``gradients_mean`` of the context.
        degree: What the mean divides by, an int above 0; None for the number of ranks.
        fusion_type: Accepted for compatibility.
        group: Name of the group of ranks.

    Raises:
        ValueError: For a ``degree`` that is not an int above 0.
        TypeError: For ``parameters`` that cannot be iterated.

    Differs from MindSpore: calling it in a single process works.
    """

    def __init__(
        self,
        parameters: Any,
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str = WORLD_GROUP,
    ) -> None:
        super().__init__(auto_prefix=False)
        if degree is not None and (not isinstance(degree, int) or degree <= 0):
            raise ArgumentValueError(
                "For 'DistributedGradReducer', parameter 'degree' in DistributedGradReducer should "
                f"large than 0 and be int, degree: {degree}."
            )
        of_type("DistributedGradReducer", "parameters", parameters, tuple, list)
        self._ranks = ranks_of(group)
        self.degree = degree or len(self._ranks)
        self.mean = get_auto_parallel_context("gradients_mean") if mean is None else bool(mean)

    def construct(self, grads: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        if len(self._ranks) == 1:
            return grads
        factor = 1.0 / self.degree if self.mean else None
        return tuple(reduce_together(grads, self._ranks, factor=factor))


def _broadcast_parameters(cell: Cell, root: int = 0, group: str = WORLD_GROUP) -> None:
    """Give all ranks the parameters that one of them has, those of an optimizer too."""
    ranks = ranks_of(group)
    if len(ranks) > 1:
        for parameter in cell.get_parameters():
            if parameter._part_of is not None:
                continue
            parameter.set_data(broadcast(parameter, ranks, ranks.index(root)))


# A gradient unscaled, and its running sum set to 0.
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


__all__ = public_names(globals())
