"""Convolution layers; the operators are in ``msgrad.ops.conv_ops``.

``pad_mode`` is ``'same'`` unless told, there is no bias unless told, and a padding other than 0
goes with ``'pad'`` only. The weight is drawn first, then the bias.
Transposed convolutions are in ``conv_transpose``.
"""

from __future__ import annotations

import math
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.initializer import HeUniform, Uniform, initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import a_bool, of_type, positive_int
from msgrad.nn.cell import Cell, check_tensor
from msgrad.nn.layer._bias import bias_apart
from msgrad.ops.conv_ops import PAD_MODES, check_pad_mode, convolve
from msgrad.ops.nn_ops import bias_add

__all__ = ["Conv1d", "Conv2d", "Conv3d"]


def one_per_dimension(owner: str, what: str, value: Any, rank: int) -> tuple[int, ...]:
    """Give an int or a tuple of ``rank`` ints as a tuple of positive ints.

    Raises:
        TypeError: If it is neither an int nor a tuple of ints, or a pair is wanted and it has not
            two members.
        ValueError: For a number below one, or another number of members than the three wanted.
    """
    members = (value,) * rank if type(value) is int else value
    if not isinstance(members, tuple):
        raise ArgumentTypeError(
            "When expanding an int number to tuple, input type must be integer or tuple[int], but "
            f"got {type(value)}; it is the '{what}' of '{owner}'."
        )
    if len(members) != rank:
        kind = ArgumentValueError if rank == 3 else ArgumentTypeError
        raise kind(
            f"When expanding an int number to tuple, input tuple dimension must be {rank}, but got "
            f"{value}; it is the '{what}' of '{owner}'."
        )
    for member in members:
        if type(member) is not int:
            raise ArgumentTypeError(
                "When expanding an int number to tuple, the type of element in input tuple must be "
                f"an integer, but got {type(member)}."
            )
        if member < 1:
            raise ArgumentValueError(
                f"For '{owner}', the '{what} item' must be int and must > 0, but got '{member}' "
                "with type 'int'."
            )
    return members


def _check_padding(owner: str, operator: str, pad_mode: Any, padding: Any, rank: int) -> None:
    if type(padding) is not int and not isinstance(padding, tuple):
        raise ArgumentTypeError(
            f"For '{owner}', the type of 'padding' must be int or tuple(int), but got "
            f"{type(padding).__name__}."
        )
    members = padding if isinstance(padding, tuple) else (padding,)
    for member in members:
        if type(member) is not int or member < 0:
            kind = ArgumentValueError if type(member) is int else ArgumentTypeError
            raise kind(
                f"For '{owner}', the 'padding' must be int and must >= 0, but got '{member}' "
                f"with type '{type(member).__name__}'."
            )
    if isinstance(padding, tuple) and len(padding) != 2 * rank:
        raise ArgumentValueError(
            f"For '{operator}', the 'pad size' must be int and must = {2 * rank}, but got "
            f"'{len(padding)}' with type 'int'."
        )
    check_pad_mode(pad_mode, padding)


def _check_format(owner: str, operator: str, data_format: Any, wanted: str) -> None:
    if data_format == "NHWC":
        raise ArgumentValueError(
            f"For '{owner}', the \"NHWC\" format only support in GPU target, but got the "
            f"'format' is NHWC; transpose the input to {wanted}."
        )
    if data_format != wanted:
        raise ArgumentValueError(
            f"For '{operator}', the 'format' must be str and must be in '['NCHW', 'NHWC']', but "
            f"got '{data_format}'."
            if wanted == "NCHW"
            else f"For '{operator}', the 'data_format' must be str and must be in '['{wanted}']', "
            f"but got '{data_format}'."
        )


class Convolution(Cell):
    """What the convolution layers share: checks, weights and ``repr``.

    ``kernel_size``, ``stride`` and ``dilation`` come as tuples of one int per dimension.
    """

    _operator = "Conv2D"
    _transposed = False  # the weight is (in, out / group, ...) then

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        pad_mode: str,
        padding: Any,
        dilation: tuple[int, ...],
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        data_format: str,
        dtype: Any,
    ) -> None:
        """Check the settings, and make the weights.

        Raises:
            TypeError: For a setting of another type.
            ValueError: For one out of range, or channels that the groups do not divide.
        """
        super().__init__()
        owner = self.cls_name
        for name, value in (("in_channels", in_channels), ("out_channels", out_channels)):
            whole = not isinstance(value, float) or value.is_integer()
            if not whole and "Transpose" not in owner:
                raise ArgumentValueError(
                    f"For '{owner}', the '{name}' must be int, but got {value}."
                )
        self.in_channels = positive_int(owner, "in_channels", in_channels)
        self.out_channels = positive_int(owner, "out_channels", out_channels)
        self.kernel_size = kernel_size
        self.stride = stride
        self.dilation = dilation
        self.group = positive_int(owner, "group", group)
        self.has_bias = a_bool(owner, "has_bias", has_bias)
        if in_channels % group or out_channels % group:
            raise ArgumentValueError(
                "The argument 'group' should be divisible by 'in_channels' and 'out_channels', but "
                f"got group:{group}, in_channels:{in_channels}, out_channels:{out_channels}."
            )
        wanted = "NCDHW" if len(kernel_size) == 3 else "NCHW"
        _check_format(owner, self._operator, data_format, wanted)
        self.data_format = data_format
        _check_padding(owner, self._operator, pad_mode, padding, len(kernel_size))
        self.pad_mode = pad_mode
        self.padding = padding
        rows, columns = out_channels, in_channels // group
        if self._transposed:
            rows, columns = in_channels, out_channels // group
        shape = (rows, columns, *kernel_size)
        init = HeUniform(negative_slope=math.sqrt(5)) if weight_init is None else weight_init
        self.weight_init = init
        self.weight = Parameter(initializer(init, shape, dtype), name="weight")
        self.bias_init = bias_init
        self.bias = None
        if has_bias:
            if bias_init is None:
                self.bias_init = Uniform(scale=1 / math.sqrt(math.prod(shape[1:])))
            made = initializer(self.bias_init, [out_channels], dtype)
            self.bias = Parameter(made, name="bias")

    def _convolved(self, x: Any) -> Tensor:
        check_tensor(self.cls_name, "x", x)
        bias = self.bias if self.has_bias else None
        apart = bias is not None and bias_apart()
        out = convolve(
            x,
            self.weight,
            None if apart else bias,
            self._operator,
            len(self.kernel_size),
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
        )
        return bias_add(out, bias) if apart else out

    def extend_repr(self) -> str:
        """Give the settings."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
            f"padding={self.padding}, dilation={self.dilation}, group={self.group}, "
            f"has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


class Conv2d(Convolution):
    """Convolution of images.

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int or tuple of two ints.
        stride: int or tuple of two ints.
        pad_mode: ``'same'`` (output size is the input's over the stride, rounded up),
            ``'valid'`` (no padding) or ``'pad'`` (the padding that is given).
        padding: For ``'pad'`` only: int, or (top, bottom, left, right).
        dilation: int or tuple of two ints.
        group: Number of groups of channels, which divides both numbers of channels.
        has_bias: Whether there is a bias; no unless told.
        weight_init: What ``initializer`` accepts, or a Tensor (out, in / group, kH, kW); None for
            uniform within ``1 / sqrt(in / group * kH * kW)``.
        bias_init: The same for the bias (out,).
        data_format: ``'NCHW'``.
        dtype: Of the parameters.

    Inputs: x (N, in_channels, H, W), of the dtype of the parameters. Output: (N, out_channels,
    H_out, W_out).

    Raises:
        TypeError: For arguments of other types, or an input of another dtype.
        ValueError: For sizes that are not positive or do not fit together.
        RuntimeError: If the input has another number of channels.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            one_per_dimension("Conv2d", "kernel_size", kernel_size, 2),
            one_per_dimension("Conv2d", "stride", stride, 2),
            pad_mode,
            padding,
            one_per_dimension("Conv2d", "dilation", dilation, 2),
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            dtype,
        )

    def construct(self, x: Tensor) -> Tensor:
        """Convolve the input."""
        return self._convolved(x)


class Conv3d(Convolution):
    """Convolution of volumes (N, C, D, H, W); see ``Conv2d``.

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int or tuple of three ints; so are ``stride`` and ``dilation``.
        stride: See above.
        pad_mode: ``'same'``, ``'valid'`` or ``'pad'``.
        padding: For ``'pad'`` only: int, or six ints (before and after in each dimension).
        dilation: See above.
        group: Number of groups of channels.
        has_bias: Whether there is a bias.
        weight_init: As for ``Conv2d``.
        bias_init: As for ``Conv2d``.
        data_format: ``'NCDHW'``.
        dtype: Of the parameters.

    Raises:
        TypeError, ValueError, RuntimeError: As ``Conv2d``.
    """

    _operator = "Conv3D"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int, int],
        stride: int | tuple[int, int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            one_per_dimension("Conv3d", "kernel_size", kernel_size, 3),
            one_per_dimension("Conv3d", "stride", stride, 3),
            pad_mode,
            padding,
            one_per_dimension("Conv3d", "dilation", dilation, 3),
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            dtype,
        )

    def construct(self, x: Tensor) -> Tensor:
        """Convolve the input."""
        return self._convolved(x)


def known_mode(owner: str, pad_mode: Any) -> str:
    """Give a ``pad_mode`` back if it is one.

    Raises:
        ValueError: For an unknown one.
    """
    if pad_mode not in PAD_MODES:
        raise ArgumentValueError(
            f"For '{owner}', the 'pad_mode' must be str and must be in '{list(PAD_MODES)}', but "
            f"got '{pad_mode}'."
        )
    return pad_mode


def flattened(
    owner: str, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, dilation: Any
) -> tuple[tuple[int, int], tuple[int, int], tuple[int, ...], tuple[int, int]]:
    """Give the settings of a sequence layer as those of images of height 1.

    Raises:
        TypeError: For a setting that is not an int.
        ValueError: For one that is too small, or an unknown mode.
    """
    named = {"kernel_size": kernel_size, "stride": stride, "dilation": dilation}
    for name, value in {**named, "padding": padding}.items():
        of_type(owner, name, value, int)
    for name, value in named.items():
        if value < 1:
            raise ArgumentValueError(
                f"For '{owner}', the '{name}' must be int and must >= 1, but got '{value}' with "
                "type 'int'."
            )
    if padding < 0:
        raise ArgumentValueError(
            f"For '{owner}', the 'padding' must be int and must >= 0, but got '{padding}' with "
            "type 'int'."
        )
    known_mode(owner, pad_mode)
    return (1, kernel_size), (1, stride), (0, 0, padding, padding), (1, dilation)


def flattened_weight(owner: str, weight_init: Any) -> Any:
    """Return the ``weight_init`` of a sequence layer as that of images of height 1.

    Raises:
        ValueError: For a Tensor of other than three dimensions.
    """
    if not is_tensor(weight_init):
        return weight_init
    if weight_init.ndim != 3:
        raise ArgumentValueError(
            f"For '{owner}', the 'weight_init_shape' must be int and must = 3, but got "
            f"'{weight_init.ndim}' with type 'int'."
        )
    return weight_init.expand_dims(2)


def check_sequences(owner: str, x: Any) -> Any:
    """Give ``x`` back if it is a Tensor (N, C, L).

    Raises:
        TypeError: If it is not a Tensor.
        ValueError: For another number of dimensions.
    """
    if check_tensor(owner, "x", x).ndim != 3:
        raise ArgumentValueError(
            f"For '{owner}', the input must have 3 dimensions (N, C, L), but got {x.ndim}."
        )
    return x


class Conv1d(Convolution):
    """Convolution of sequences (N, C, L); see ``Conv2d``. The weight is (out, in / group, 1, k).

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int, as are ``stride``, ``padding`` and ``dilation``.
        stride: See above.
        pad_mode: ``'same'``, ``'valid'`` or ``'pad'``.
        padding: For ``'pad'`` only, put on both sides.
        dilation: See above.
        group: Number of groups of channels.
        has_bias: Whether there is a bias.
        weight_init: As for ``Conv2d``; a Tensor is (out, in / group, k).
        bias_init: As for ``Conv2d``.
        dtype: Of the parameters.

    Raises:
        TypeError, ValueError, RuntimeError: As ``Conv2d``.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        flat = flattened("Conv1d", kernel_size, stride, pad_mode, padding, dilation)
        super().__init__(
            in_channels,
            out_channels,
            flat[0],
            flat[1],
            pad_mode,
            flat[2],
            flat[3],
            group,
            has_bias,
            flattened_weight("Conv1d", weight_init),
            bias_init,
            "NCHW",
            dtype,
        )

    def construct(self, x: Tensor) -> Tensor:
        """Convolve the input."""
        return self._convolved(check_sequences("Conv1d", x).expand_dims(2)).squeeze(2)
