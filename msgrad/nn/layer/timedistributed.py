"""TimeDistributed: a layer applied to each step of a sequence."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.cell import Cell
from msgrad.ops.primitive import Primitive


class TimeDistributed(Cell):
    """Applies a layer to each step of a sequence.

    Args:
        layer: A Cell or Primitive.
        time_axis: The axis of the steps.
        reshape_with_axis: An axis that is joined with that of the steps, so that the layer is
            applied once; None to apply it to one step after the other.

    Inputs: a Tensor (N, T, ...) for ``time_axis`` 1. Output: (N, T, ...).

    Raises:
        TypeError: For arguments of other types.
        ValueError: If the shapes do not fit.
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None) -> None:
        super().__init__()
        of_type(self.cls_name, "layer", layer, Cell, Primitive)
        of_type(self.cls_name, "time_axis", time_axis, int)
        if reshape_with_axis is not None:
            of_type(self.cls_name, "reshape_with_axis", reshape_with_axis, int)
        self.layer = layer
        self.time_axis = time_axis
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Tensor) -> Tensor:
        if inputs.ndim < 3:
            raise ArgumentValueError(
                f"For '{self.cls_name}', the inputs must have 3 dimensions at least, but got "
                f"{inputs.ndim}."
            )
        axis = self.time_axis % inputs.ndim
        if self.reshape_with_axis is None:
            return ops.stack([self.layer(step) for step in ops.unstack(inputs, axis)], axis)
        other = self.reshape_with_axis % inputs.ndim
        # The steps go next to the other axis, on the side they came from; the last stays the last.
        after = axis > other and other < inputs.ndim - 1
        order = [each for each in range(inputs.ndim) if each != axis]
        first = order.index(other) + after
        order.insert(first, axis)
        first -= after
        moved = inputs.transpose(tuple(order))
        pair = moved.shape[first : first + 2]
        joined = moved.reshape((*moved.shape[:first], -1, *moved.shape[first + 2 :]))
        out = self.layer(joined)
        return out.reshape((*out.shape[:first], *pair, *out.shape[first + 1 :]))


__all__ = public_names(globals())
