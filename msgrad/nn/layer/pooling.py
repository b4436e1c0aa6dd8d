"""Pooling layers; the operators are in ``msgrad.ops.pool_ops`` and ``adaptive_ops``.

The stride is 1 unless told. Modes of padding are accepted in either case.
"""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.bridge import static
from msgrad._core.checks import a_bool, above, of_type, one_of, positive_int
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank, check_tensor
from msgrad.nn._family import Family, Layer, channels_first
from msgrad.nn._hyper import Switch, Whole
from msgrad.ops.adaptive_ops import adaptive_sizes
from msgrad.ops.conv_ops import per_dimension
from msgrad.ops.pool_ops import avg_pool, max_pool


class _Pool(Layer):
    """What the layers share: checks, adding a missing batch dimension, and ``repr``.

    Args:
        kernel_size: int, or tuple of one for each dimension; 1 unless told.
        stride: The same.
        pad_mode: ``'valid'``, ``'same'`` or ``'pad'``.
        padding: For ``'pad'`` only: int, or tuple of one for each dimension.
        dilation: The same, 1 unless told.
        return_indices: Whether to give also the places of the maxima, int64; for ``'pad'`` only.
        ceil_mode: Whether a window that only begins in the input counts.
        count_include_pad: Whether elements of the padding count as zeros or not at all; those of
            ``'same'`` alone never count.
        divisor_override: What to divide by instead of the number of elements.
        data_format: ``'NCHW'``.
    """

    _cell_shown = "kernel_size stride pad_mode"
    _raises = """Raises:
    TypeError: For arguments of other types, or an input that is not floating.
    ValueError: For sizes that are not positive or do not fit together."""
    _rank = 2

    def _begin(self, given: dict[str, Any]) -> None:
        owner = self.cls_name
        channels_first(owner, given.pop("data_format", "NCHW"))
        super()._begin(given)
        kernel_size, stride = given["kernel_size"], given["stride"]
        mode = of_type(owner, "pad_mode", given["pad_mode"], str).upper()
        self.pad_mode = one_of(owner, "pad_mode", mode, "VALID", "SAME", "PAD")
        self.format = "NCDHW" if self._rank == 3 else "NCHW"
        for name, value in (("kernel_size", kernel_size), ("stride", stride)):
            if isinstance(value, tuple) and not all(type(v) is int for v in value):
                raise ArgumentValueError(
                    f"For '{owner}', the '{name}' must be an positive int number or a tuple, but "
                    f"got {value}"
                )
        self._window = per_dimension("kernel_size", kernel_size, self._rank)
        self._stride = per_dimension("stride", stride, self._rank)
        self.kernel_size = self._shown(kernel_size)
        self.stride = self._shown(stride)

    def _shown(self, value: Any) -> Any:
        """Return the size of a window as MindSpore shows it."""
        size = value[0] if isinstance(value, tuple) and len(value) == 1 else value
        return (1, size) if self._rank == 1 else size

    def _pooled(self, x: Tensor) -> Any:
        raise NotImplementedError

    def construct(self, x: Tensor) -> Any:
        """Pool the input; one without a batch dimension is pooled as a batch of one."""
        if check_tensor(self.cls_name, "x", x).ndim != self._rank + 1:
            if self._rank == 1:
                check_rank(self.cls_name, x, 3)
            return self._pooled(x)
        out = self._pooled(x.expand_dims(0))
        return tuple(o.squeeze(0) for o in out) if isinstance(out, tuple) else out.squeeze(0)


class _MaxPool(_Pool):
    kernel_size: int | tuple[int, ...] = 1
    stride: int | tuple[int, ...] = 1
    pad_mode: str = "valid"
    padding: int | tuple[int, ...] = 0
    dilation: int | tuple[int, ...] = 1
    return_indices: Switch = False
    ceil_mode: Switch = False

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        owner, padding = self.cls_name, self.padding
        self.use_pad = self.pad_mode == "PAD"
        special = (padding, self.dilation) != (0, 1) or self.return_indices or self.ceil_mode
        if special and not self.use_pad:
            raise ArgumentValueError(
                f"For {owner}, the parameter 'padding', 'dilation', 'return_indices', 'ceil_mode' "
                "can not be set to non-default value when pad_mode is not 'pad', but got pad_mode:"
                f"{given['pad_mode']}."
            )
        if isinstance(padding, tuple):
            one_of(owner, "length of padding", len(padding), self._rank)

    def _pooled(self, x: Tensor) -> Any:
        return max_pool(
            x,
            self._window,
            self._stride,
            self.pad_mode.lower(),
            self.padding,
            self.dilation,
            self.ceil_mode,
            mstype.int64.np_dtype if self.return_indices else None,
        )


class MaxPool2d(_MaxPool):
    """Maxima of windows of images; ``ceil_mode`` is for ``'pad'`` only.

    Inputs: x (N, C, H, W) or (C, H, W), floating. Output: (N, C, H_out, W_out), or without N.
    """

    data_format: str = "NCHW"


class MaxPool1d(_MaxPool, rank=1):
    """Maxima of windows of sequences (N, C, L) or (C, L); see ``MaxPool2d`` for the arguments.

    Here ``kernel_size`` and ``stride`` are ints, ``padding`` and ``dilation`` may be tuples of one.
    """

    kernel_size: Whole = 1
    stride: Whole = 1
    padding: int | tuple[int] = 0
    dilation: int | tuple[int] = 1

    def _shown(self, value: int) -> Any:
        return (1, 1, value) if self.pad_mode == "PAD" else (1, value)


class MaxPool3d(_MaxPool, rank=3):
    """Maxima of windows of volumes (N, C, D, H, W) or (C, D, H, W); see ``MaxPool2d``."""


class _AvgPool(_Pool):
    kernel_size: int | tuple[int, ...] = 1
    stride: int | tuple[int, ...] = 1
    pad_mode: str = "valid"
    padding: int | tuple[int, ...] = 0
    ceil_mode: Switch = False
    count_include_pad: Switch = True

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        owner, padding, divisor = self.cls_name, self.padding, given.get("divisor_override")
        if isinstance(padding, (tuple, list)):
            one_of(owner, "length of padding", len(padding), 1, self._rank)
        members = padding if isinstance(padding, (tuple, list)) else (padding,)
        if self.pad_mode != "PAD" and any(p != 0 for p in members):
            raise ArgumentValueError(
                f"For '{owner}', the 'padding' must be zero when 'pad_mode' is not \"PAD\", but "
                f"got 'padding' is {padding} and 'pad_mode' is {self.pad_mode}."
            )
        if divisor is not None:
            above(owner, "divisor_override", of_type(owner, "divisor_override", divisor, int), 0)
        self.divisor_override = divisor
        # With no setting of its own, padding by 'same' does not count in the mean.
        plain = self._rank < 3 and not self.ceil_mode and divisor is None
        self._counts = self.count_include_pad and not (plain and self.pad_mode == "SAME")

    def _pooled(self, x: Tensor) -> Any:
        return avg_pool(
            x,
            self._window,
            self._stride,
            self.pad_mode.lower(),
            self.padding,
            self.ceil_mode,
            self._counts,
            self.divisor_override or 0,
        )


class AvgPool2d(_AvgPool):
    """Means of windows of images; the padding is at most half the kernel.

    Inputs: x (N, C, H, W) or (C, H, W), floating. Output: (N, C, H_out, W_out), or without N.

    Raises:
        TypeError: For arguments of other types, or an input that is not floating.
        ValueError: For sizes that are not positive or do not fit together.
        RuntimeError: If the window is larger than the input.
    """

    divisor_override: int | None = None
    data_format: str = "NCHW"


class AvgPool1d(_AvgPool, rank=1):
    """Means of windows of sequences (N, C, L) or (C, L); see ``AvgPool2d``.

    Where ``'same'`` is all that is asked for, a second window that would reach beyond the end is
    left out: of L < kernel_size + stride there is one mean, of the first ``kernel_size`` elements.

    Raises:
        ValueError: If the window is larger than the input then, too.
    """

    kernel_size: int | tuple[int] = 1
    stride: int | tuple[int] = 1
    padding: int | tuple[int] = 0

    def _is_plain(self) -> bool:
        return self.pad_mode != "PAD" and self.count_include_pad and not self.ceil_mode

    def _pooled(self, x: Tensor) -> Any:
        (size,), (stride,), length = self._window, self._stride, x.shape[-1]
        if self.pad_mode != "SAME" or not self._is_plain() or length >= size + stride:
            return super()._pooled(x)
        if length < size:
            raise ArgumentValueError(
                f"For '{self.cls_name}', the input must be as long as 'kernel_size' {size} at "
                f"least, but its length is {length}."
            )
        return x[..., :size].mean(-1, True)

    def extend_repr(self) -> str:
        if self._is_plain():
            return super().extend_repr()
        (size,), (stride,) = self._window, self._stride
        return f"kernel_size={size}, stride={stride}, pad_mode={self.pad_mode}"


class AvgPool3d(_AvgPool, rank=3):
    """Means of windows of volumes (N, C, D, H, W) or (C, D, H, W); see ``AvgPool2d``.

    Here padding by ``'same'`` does count.
    """

    divisor_override: int | None = None


class _AdaptivePool(Family):
    _rank = 2

    def __init__(self, output_size: int | tuple[int | None, ...]) -> None:
        super().__init__()
        if self._rank == 1:
            self.output_size: Any = positive_int(self.cls_name, "output_size", output_size)
        else:
            self.output_size = adaptive_sizes(output_size, self._rank)

    def construct(self, input: Tensor) -> Any:
        return type(self)._operator(input, self.output_size)


class AdaptiveAvgPool1d(_AdaptivePool, rank=1, operator=ops.adaptive_avg_pool1d):
    """Means of ``output_size`` equal parts of sequences (N, C, L).

    Args:
        output_size: int that divides L.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is not positive, or does not divide L.
    """


class AdaptiveMaxPool1d(_AdaptivePool, rank=1, operator=ops.adaptive_max_pool1d):
    """Maxima of ``output_size`` equal parts of sequences; see ``AdaptiveAvgPool1d``."""

    def construct(self, x: Tensor) -> Tensor:
        return super().construct(x)


class AdaptiveAvgPool2d(_AdaptivePool, operator=ops.adaptive_avg_pool2d):
    """Means of windows of images, chosen so that the output has a given size.

    Args:
        output_size: int, or tuple of two; None keeps the input's size.

    Inputs: x (N, C, H, W) or (C, H, W), floating. Output: ``(N, C, *output_size)``, or
    without N.

    Raises:
        TypeError: For a size of another type, or an input that is not floating.
        ValueError: For a tuple of another length, or a negative size.
    """


class AdaptiveAvgPool3d(_AdaptivePool, rank=3, operator=ops.adaptive_avg_pool3d):
    """Means of windows of volumes; see ``AdaptiveAvgPool2d``, with three sizes."""


class AdaptiveMaxPool2d(_AdaptivePool, operator=ops.adaptive_max_pool2d):
    """Maxima of windows of images; see ``AdaptiveAvgPool2d``.

    Args:
        output_size: int, or tuple of two; None keeps the input's size.
        return_indices: Whether to give also the places of the maxima, int64.
    """

    def __init__(
        self, output_size: int | tuple[int | None, int | None], return_indices: bool = False
    ) -> None:
        super().__init__(static(output_size))
        self.return_indices = a_bool("AdaptiveMaxPool2d", "return_indices", return_indices)

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
