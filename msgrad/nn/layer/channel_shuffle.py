"""ChannelShuffle: channels of groups, dealt out in turn."""

from __future__ import annotations

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell


class ChannelShuffle(Cell):
    """Puts the channels of groups in turn: the first of each group, the second of each, ...

    Args:
        groups: How many groups there are, which divides the channels.

    Inputs: x (N, C, ...). Output: of the same shape.

    Raises:
        TypeError: If ``groups`` is not an int.
        ValueError: If it is not positive.
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        if not isinstance(groups, int):
            raise ArgumentTypeError(
                f"For ChannelShuffle, the param `groups` must be int, but got {type(groups)}."
            )
        if groups < 1:
            raise ArgumentValueError(
                f"For ChannelShuffle, the param `groups` must be larger than 0, but got {groups}."
            )
        self.groups = groups

    def construct(self, x: Tensor) -> Tensor:
        groups = x.reshape((x.shape[0], self.groups, x.shape[1] // self.groups, -1))
        return groups.swapaxes(1, 2).reshape(x.shape)


__all__ = public_names(globals())
