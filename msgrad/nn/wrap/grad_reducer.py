"""``DistributedGradReducer``: joins the gradients of all devices; of one, they stay as they are."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.cell import Cell
from msgrad.nn.wrap._grad_scale import grad_scale as grad_scale
from msgrad.nn.wrap._grad_scale import shard_grad_scale as shard_grad_scale
from msgrad.ops.collective import WORLD_GROUP, check_one_process


class DistributedGradReducer(Cell):
    """Return the sum or mean over the devices of each gradient; in one process, the gradient.

    Args:
        parameters: The parameters that the gradients belong to.
        mean: Whether to take the mean; None for the ``gradients_mean`` of the context.
        degree: How many devices there are, an int above 0; None for 1.
        fusion_type: Accepted for compatibility.
        group: Name of the group of devices.

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
        self.degree = degree or 1
        self.mean = bool(mean)

    def construct(self, grads: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Join the gradients."""
        check_one_process("nn.DistributedGradReducer")
        return grads


__all__ = public_names(globals())
