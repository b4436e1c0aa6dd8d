"""MaxUnpool, the reverse of MaxPool, and pools by power, by fraction and in three dimensions."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Family, Layer
from msgrad.nn.cell import Cell


class _MaxUnpool(Family):
    """Puts values where ``MaxPool`` with ``return_indices`` found them, and 0 elsewhere.

    Args:
        kernel_size: Of the pool.
        stride: Of the pool; None for the size of the kernel.
        padding: Of the pool.

    Inputs: x and indices, what the pool gave, and ``output_size``, a tuple, where several sizes
    are possible.
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """Put the values in their places; raises ``ValueError`` for another ``output_size``."""
        if output_size is not None and (not isinstance(output_size, tuple) or not output_size):
            raise ArgumentValueError(
                f"For {self.cls_name}, output_size must be tuple and not empty, but got "
                f"{output_size!r}."
            )
        window = (self.kernel_size, self.stride, self.padding)
        return type(self)._operator(x, indices, *window, output_size or ())


class MaxUnpool1d(_MaxUnpool, operator=ops.max_unpool1d):
    """The reverse of ``MaxPool1d``, on (N, C, L) or (C, L); see ``MaxUnpool2d``."""


class MaxUnpool2d(_MaxUnpool, operator=ops.max_unpool2d):
    """The reverse of ``MaxPool2d``, on (N, C, H, W) or (C, H, W): values put where they were."""


class MaxUnpool3d(_MaxUnpool, operator=ops.max_unpool3d):
    """The reverse of ``MaxPool3d``, on (N, C, D, H, W) or (C, D, H, W); see ``MaxUnpool2d``."""


class _LPPool(Layer):
    _only_lists = True

    norm_type: float
    kernel_size: Any
    stride: Any = None
    ceil_mode: bool = False

    def construct(self, x: Tensor) -> Tensor:
        window = (self.kernel_size, self.stride, self.ceil_mode)
        return type(self)._operator(x, self.norm_type, *window)


class LPPool1d(_LPPool, operator=ops.lp_pool1d):
    """The root of the sum of powers in each window of (N, C, L); see ``LPPool2d``."""


class LPPool2d(_LPPool, operator=ops.lp_pool2d):
    """The root of the sum of powers in each window of (N, C, H, W).

    Args:
        norm_type: The power.
        kernel_size: Size of a window.
        stride: From window to window; None for the size.
        ceil_mode: Whether a window that is not whole counts.
    """


class AdaptiveMaxPool3d(Cell):
    """The largest element in each of as many windows as the output has places.

    Args:
        output_size: int, or a tuple of three.
        return_indices: Whether to return the places too.

    Inputs: input (N, C, D, H, W) or (C, D, H, W).
    """

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = (output_size,) * 3 if isinstance(output_size, int) else output_size
        self.return_indices = return_indices

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _FractionalMaxPool(Layer):
    _only_lists = True

    kernel_size: Any
    output_size: Any = None
    output_ratio: Any = None
    return_indices: bool = False
    _random_samples: Tensor | None = None

    def construct(self, input: Tensor) -> Any:
        sizes = (self.output_size, self.output_ratio, self.return_indices)
        return type(self)._operator(input, self.kernel_size, *sizes, self._random_samples)


class FractionalMaxPool2d(_FractionalMaxPool, operator=ops.fractional_max_pool2d):
    """The largest element in windows whose places are drawn, of (N, C, H, W).

    Args:
        kernel_size: Size of a window.
        output_size: Size of the output, or
        output_ratio: its share of the input's, in (0, 1).
        return_indices: Whether to return the places too.
        _random_samples: Tensor (N, C, 2) of what would be drawn, in [0, 1).
    """


class FractionalMaxPool3d(_FractionalMaxPool, operator=ops.fractional_max_pool3d):
    """The same of (N, C, D, H, W), with samples (N, C, 3); see ``FractionalMaxPool2d``."""


__all__ = public_names(globals())
