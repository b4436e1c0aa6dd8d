"""Dropout of whole channels; of single elements it is in ``basic``."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn._family import Family
from msgrad.nn.cell import check_rank, check_tensor


class _ChannelDropout(Family):
    _ranks: tuple[int, ...] = ()
    _operator: Any = None

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        of_type(self.cls_name, "p", p, float)
        if not 0 <= p <= 1:
            raise ArgumentValueError(
                f"For '{self.cls_name}', the 'p' must be a number in range [0, 1], but got {p}."
            )
        self.keep_prob = 1.0 - p

    def construct(self, x: Tensor) -> Tensor:
        """Drop channels if the cell is in training."""
        if not self.training or self.keep_prob == 1.0:
            return x
        check_rank(self.cls_name, check_tensor(self.cls_name, "x", x), *self._ranks)
        if self.keep_prob == 0.0:
            return x * 0.0
        return type(self)._operator(x, 1.0 - self.keep_prob, True)

    def extend_repr(self) -> str:
        """Return the share that is kept, under the name that MindSpore shows it by."""
        return "" if 2 in self._ranks else f"p={self.keep_prob}"


class Dropout1d(_ChannelDropout, ranks=(2, 3), operator=ops.dropout1d):
    """In training, sets channels of (N, C, L) or (C, L) to 0 at random, scaling the others up.

    Args:
        p: The probability of a channel to be dropped, in [0, 1].

    Raises:
        TypeError: If ``p`` is not a float.
        ValueError: If it is out of range, or the input of another rank.
    """


class Dropout2d(_ChannelDropout, ranks=(4,), operator=ops.dropout2d):
    """In training, sets channels of (N, C, H, W) to 0 at random; see ``Dropout1d``."""


class Dropout3d(_ChannelDropout, ranks=(5,), operator=ops.dropout3d):
    """In training, sets channels of (N, C, D, H, W) to 0 at random; see ``Dropout1d``."""


__all__ = public_names(globals())
