"""What the convolution layers share: checks, weights, calling the operator and ``repr``."""

from __future__ import annotations

import math
from typing import Any

from msgrad._core.bridge import is_tensor, too_large
from msgrad._core.checks import of_type, one_of, positive_int
from msgrad._core.declared import guarded
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common.initializer import HeUniform, Uniform, initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank, check_tensor
from msgrad.nn._family import Layer, bias_apart, channels_first
from msgrad.ops.conv_ops import PAD_MODES, check_pad_mode
from msgrad.ops.nn_ops import bias_add


class Convolution(Layer):
    """Base of the layers; a sequence is an image of height 1. The weight is drawn before the bias.

    ``_rank`` is the number of dimensions that are convolved, ``_operator`` what errors call the
    operator, and with ``_transposed`` the weight is (in, out / group, ...).

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int, or a tuple of one for each dimension of images and volumes.
        stride: The same.
        pad_mode: ``'same'`` (output size is the input's over the stride, rounded up),
            ``'valid'`` (no padding) or ``'pad'`` (the padding that is given).
        padding: For ``'pad'`` only: int, or those before and after in each dimension.
        dilation: As ``kernel_size``.
        group: Number of groups of channels, which divides both numbers of channels.
        has_bias: Whether there is a bias; no unless told.
        weight_init: What ``initializer`` accepts, or a Tensor (out, in / group, ...); None for
            uniform within ``1 / sqrt(in / group * elements of a kernel)``.
        bias_init: The same for the bias (out,).
        data_format: ``'NCHW'``, of volumes ``'NCDHW'``.
        dtype: Of the parameters.
    """

    _cell_shown = (
        "input_channels=in_channels output_channels=out_channels kernel_size stride pad_mode "
        "padding dilation group has_bias weight_init bias_init format=data_format"
    )
    _raises = """Raises:
    TypeError: For arguments of other types, or an input of another dtype.
    ValueError: For sizes that are not positive or do not fit together.
    RuntimeError: If the input has another number of channels."""

    _rank = 2
    _operator = "Conv2D"
    _transposed = False

    def _begin(self, given: dict[str, Any]) -> None:
        """Check the settings, and make the weights.

        Raises:
            TypeError: For a setting of another type.
            ValueError: For one out of range, or channels that the groups do not divide.
        """
        dtype = given.pop("dtype")
        weight_init, bias_init = given.pop("weight_init"), given.pop("bias_init")
        given.setdefault("data_format", "NCHW")
        super()._begin(given)
        owner = self.cls_name
        for name in ("in_channels", "out_channels"):
            value = given[name]
            whole = not isinstance(value, float) or value.is_integer()
            if not whole and not self._transposed:
                raise ArgumentValueError(
                    f"For '{owner}', the '{name}' must be int, but got {value}."
                )
            positive_int(owner, name, value)
        for name in ("kernel_size", "stride", "dilation"):
            setattr(self, name, self._sizes(name, given[name]))
        in_channels, out_channels = given["in_channels"], given["out_channels"]
        group, self.pad_mode = given["group"], given["pad_mode"]
        if in_channels % group or out_channels % group:
            raise ArgumentValueError(
                "The argument 'group' should be divisible by 'in_channels' and 'out_channels', but "
                f"got group:{group}, in_channels:{in_channels}, out_channels:{out_channels}."
            )
        self.data_format = channels_first(self._operator, given["data_format"], self._rank)
        self.padding = self._checked_padding(given["padding"])
        self._draw(self._checked_weight(weight_init), bias_init, dtype)

    def _draw(self, weight_init: Any, bias_init: Any, dtype: Any) -> None:
        """Make the weights, by the sizes that the layer has by now."""
        rows, columns = self.out_channels, self.in_channels // self.group
        if self._transposed:
            rows, columns = self.in_channels, self.out_channels // self.group
        shape = (rows, columns, *self.kernel_size)
        if weight_init is None:
            weight_init = HeUniform(negative_slope=math.sqrt(5))
        self.weight_init, self.bias_init, self.bias = weight_init, bias_init, None
        self.weight = Parameter(initializer(weight_init, shape, dtype), name="weight")
        if self.has_bias:
            if bias_init is None:
                self.bias_init = Uniform(scale=1 / math.sqrt(math.prod(shape[1:])))
            made = initializer(self.bias_init, [self.out_channels], dtype)
            self.bias = Parameter(made, name="bias")

    def _sizes(self, what: str, value: Any) -> tuple[int, ...]:
        """Return the sizes as a tuple of positive ints; the error texts are MindSpore's."""
        rank, it_is = self._rank, f"it is the '{what}' of '{self.cls_name}'."
        task = "When expanding an int number to tuple,"
        if rank == 1:
            of_type(self.cls_name, what, value, int)
        members = (value,) * rank if type(value) is int else value
        if not isinstance(members, tuple):
            raise ArgumentTypeError(
                f"{task} input type must be integer or tuple[int], but got {type(value)}; {it_is}"
            )
        if len(members) != rank:
            kind = ArgumentValueError if rank == 3 else ArgumentTypeError
            raise kind(f"{task} input tuple dimension must be {rank}, but got {value}; {it_is}")
        for member in members:
            if type(member) is not int:
                raise ArgumentTypeError(
                    f"{task} the type of element in input tuple must be an integer, but got "
                    f"{type(member)}."
                )
            if member >= 2**63:
                raise too_large(self.cls_name, what, member)
            if member < 1:
                raise ArgumentValueError(
                    f"For '{self.cls_name}', the '{what} item' must be int and must > 0, but got "
                    f"'{member}' with type 'int'."
                )
        return (1, *members) if rank == 1 else members

    def _checked_padding(self, padding: Any) -> Any:
        owner, rank = self.cls_name, self._rank
        if (rank == 1 or self._transposed) and self.pad_mode not in PAD_MODES:
            raise ArgumentValueError(
                f"For '{owner}', the 'pad_mode' must be one of {list(PAD_MODES)}, but got "
                f"'{self.pad_mode}'."
            )
        if rank == 1:
            of_type(owner, "padding", padding, int)
        if type(padding) is not int and not isinstance(padding, tuple):
            raise ArgumentTypeError(
                f"For '{owner}', the type of 'padding' must be int or tuple(int), but got "
                f"{type(padding).__name__}."
            )
        for member in padding if isinstance(padding, tuple) else (padding,):
            if type(member) is not int or member < 0:
                kind = ArgumentValueError if type(member) is int else ArgumentTypeError
                raise kind(
                    f"For '{owner}', the 'padding' must be int and must >= 0, but got '{member}' "
                    f"with type '{type(member).__name__}'."
                )
        if isinstance(padding, tuple) and len(padding) != 2 * rank:
            raise ArgumentValueError(
                f"For '{self._operator}', the 'pad size' must be int and must = {2 * rank}, but "
                f"got '{len(padding)}' with type 'int'."
            )
        guarded(check_pad_mode, self._operator)(self.pad_mode, padding)
        return (0, 0, padding, padding) if rank == 1 else padding

    def _checked_weight(self, weight_init: Any) -> Any:
        if self._rank > 1 or not is_tensor(weight_init):
            return weight_init
        one_of(self.cls_name, "number of dimensions of weight_init", weight_init.ndim, 3)
        return weight_init.expand_dims(2)

    def _operate(self, x: Tensor, bias: Parameter | None) -> Tensor:
        raise NotImplementedError

    def construct(self, x: Tensor) -> Tensor:
        check_tensor(self.cls_name, "x", x)
        bias = self.bias if self.has_bias else None
        if bias is not None and bias_apart():
            return bias_add(self._operate(x, None), bias)
        return self._operate(x, bias)

    def _of_sequences(self, x: Any) -> Tensor:
        """Run the layer on a Tensor (N, C, L); raises ``ValueError`` for other dimensions."""
        check_rank(self.cls_name, check_tensor(self.cls_name, "x", x), 3)
        return Convolution.construct(self, x.expand_dims(2)).squeeze(2)
