"""Dense layers, Dropout of elements and of channels, Flatten, Identity, TimeDistributed."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.bridge import is_tensor
from msgrad._core.checks import a_bool, at_least, of_type, one_of, positive_int, within
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad._core.op import Array, operator
from msgrad._core.random import OwnStream, channels, seeds_of
from msgrad.common import dtype as mstype
from msgrad.common.initializer import HeUniform, Uniform, initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank, check_tensor
from msgrad.nn._family import Family, Layer, bias_apart
from msgrad.nn.cell import Cell
from msgrad.nn.layer.activation import get_activation
from msgrad.ops.primitive import Primitive
from msgrad.ops.random import drop

# Along the last dimension, whatever their number.
_bias_add = ops.BiasAdd("NHWC")


def _weight(weight_init: Any, units: int, inputs: int, dtype: Any) -> Parameter:
    init = HeUniform(negative_slope=math.sqrt(5)) if weight_init is None else weight_init
    return Parameter(initializer(init, [units, inputs], dtype), name="weight")


def _bias(bias_init: Any, units: int, inputs: int, dtype: Any) -> Parameter:
    init = Uniform(scale=1 / math.sqrt(inputs)) if bias_init is None else bias_init
    return Parameter(initializer(init, [units], dtype), name="bias")


class Dense(Cell):
    """A fully connected layer: ``activation(x @ weight.T + bias)``.

    Args:
        in_channels: Size of the last dimension of the input.
        out_channels: Size of the last dimension of the output.
        weight_init: What ``initializer`` accepts, or a Tensor (out_channels, in_channels); None
            for uniform within ``1 / sqrt(in_channels)``.
        bias_init: The same for the bias (out_channels,).
        has_bias: Whether there is a bias.
        activation: A name that ``get_activation`` knows, a Cell, a Primitive, or None.
        dtype: Of the parameters.

    Inputs: x (..., in_channels), of the dtype of the parameters. Output: (..., out_channels).

    Raises:
        TypeError: For arguments of other types, or an input of another dtype.
        ValueError: For sizes that are not positive, a Tensor of another shape, or an input whose
            last dimension is not ``in_channels``.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: str | Cell | Primitive | None = None,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.in_channels = positive_int("Dense", "in_channels", in_channels)
        self.out_channels = positive_int("Dense", "out_channels", out_channels)
        self.has_bias = a_bool("Dense", "has_bias", has_bias)
        if is_tensor(weight_init) and weight_init.shape != (out_channels, in_channels):
            raise ArgumentValueError(
                "For 'Dense', weight init shape error. The ndim of 'weight_init' must be equal to "
                "2, and the first dim must be equal to 'out_channels', and the second dim must be "
                f"equal to 'in_channels'. But got 'weight_init': {weight_init}, 'out_channels': "
                f"{out_channels}, 'in_channels': {in_channels}."
            )
        self.weight = _weight(weight_init, out_channels, in_channels, dtype)
        self.bias = None
        if has_bias:
            if is_tensor(bias_init) and bias_init.shape != (out_channels,):
                raise ArgumentValueError(
                    "For 'Dense', bias init shape error. The ndim of 'bias_init' must be equal to "
                    "1, and the first dim must be equal to 'out_channels'. But got 'bias_init': "
                    f"{bias_init}, 'out_channels': {out_channels}."
                )
            self.bias = _bias(bias_init, out_channels, in_channels, dtype)
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None and not isinstance(self.activation, (Cell, Primitive)):
            raise ArgumentTypeError(
                "For 'Dense', the 'activation' must be str or Cell or Primitive, but got "
                f"{'type' if isinstance(activation, type) else type(activation).__name__}."
            )
        self.activation_flag = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        bias = self.bias if self.has_bias else None
        if bias is not None and bias_apart():
            out = _bias_add(ops.dense(x, self.weight), bias)
        else:
            out = ops.dense(x, self.weight, bias)
        return self.activation(out) if self.activation_flag and self.activation else out

    def extend_repr(self) -> str:
        parts = [f"input_channels={self.in_channels}", f"output_channels={self.out_channels}"]
        if self.has_bias:
            parts.append("has_bias=True")
        if self.activation_flag:
            parts.append(f"activation={self.activation}")
        return ", ".join(parts)


class Linear(Cell):
    """A fully connected layer without activation: ``x @ weight.T + bias``.

    Args:
        in_features: Size of the last dimension of the input.
        out_features: Size of the last dimension of the output.
        bias: Whether there is a bias.
        weight_init: As for ``Dense``.
        bias_init: As for ``Dense``.
        dtype: Of the parameters; None for float32.

    Inputs: x (..., in_features). Output: (..., out_features).

    Raises:
        TypeError: For arguments of other types.
        ValueError: For sizes that are not positive.
    """

    dense = staticmethod(ops.dense)

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = positive_int("Linear", "in_features", in_features)
        self.out_features = positive_int("Linear", "out_features", out_features)
        self.has_bias = a_bool("Linear", "has_bias", bias)
        kind = mstype.float32 if dtype is None else dtype
        self.weight = _weight(weight_init, out_features, in_features, kind)
        self.bias = _bias(bias_init, out_features, in_features, kind) if bias else None

    def construct(self, x: Tensor) -> Tensor:
        return self.dense(x, self.weight, self.bias)

    def extend_repr(self) -> str:
        parts = [f"input_features={self.in_features}", f"output_features={self.out_features}"]
        if self.has_bias:
            parts.append("has_bias=True")
        return ", ".join(parts)


class Dropout(Cell):
    """In training, sets elements to 0 at random and scales the others up; else does nothing.

    Args:
        keep_prob: The share of elements that stays, in (0, 1]; not used where ``p`` is given.
        p: The probability of an element to be dropped, in [0, 1).
        dtype: Accepted for compatibility.

    Inputs: x, a floating Tensor of any shape. Output: of the same shape and dtype.

    Raises:
        TypeError: If ``keep_prob`` is not a float, or ``p`` not a number.
        ValueError: If they lie outside their range.
    """

    def __init__(
        self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = mstype.float32
    ) -> None:
        super().__init__()
        if p is None:
            of_type("Dropout", "keep_prob", keep_prob, float)
            if not 0 < keep_prob <= 1:
                raise ArgumentValueError(
                    "For 'Dropout', the 'keep_prob' must be a number in range (0, 1], but got "
                    f"{keep_prob}."
                )
        else:
            of_type("Dropout", "p", p, float, int)
            if not 0 <= p < 1:
                raise ArgumentValueError(
                    f"For 'Dropout', the 'p' must be a number in range [0, 1), but got {p}."
                )
        self.p = p
        self.keep_prob = keep_prob
        self._rate = 1.0 - keep_prob if p is None else float(p)
        self._streams = OwnStream(*seeds_of("dropout", None))

    def construct(self, x: Tensor) -> Tensor:
        """Drop elements if the cell is in training."""
        # The rate stays as constructed; networks turn dropout off afterwards by these two.
        if not self.training or self._rate == 0 or self.p == 0 or self.keep_prob == 1:
            return x
        x = check_tensor("Dropout", "x", x)
        return drop(x, 1.0 - self._rate, 0, self._streams)[0]

    def extend_repr(self) -> str:
        """Return the probability, as it was given."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class Flatten(Layer):
    """Makes one dimension of several.

    Args:
        start_dim: The first of them.
        end_dim: The last of them.

    Inputs: x, a Tensor. Output: (N, rest) by default.

    Raises:
        TypeError: If a dimension is not an int, or the input not a Tensor.
        ValueError: If there is no such dimension, or the last comes before the first.
    """

    start_dim: int = 1
    end_dim: int = -1

    def construct(self, x: Tensor) -> Tensor:
        """Flatten the input.

        Raises:
            TypeError: If the input is not a Tensor.
            ValueError: If ``start_dim`` or ``end_dim`` is not among its dimensions.
        """
        rank = max(check_tensor("Flatten", "x", x).ndim, 1)
        for dim in (self.start_dim, self.end_dim):
            # ops.flatten takes a vector as it is; the layer does not.
            if type(dim) is int and not -rank <= dim < rank:
                raise ArgumentValueError(
                    f"'start_dim' or 'end_dim' out of range. For 'Flatten' and {x.ndim} dimensions "
                    f"they must be in [{-rank}, {rank}), but got {dim}."
                )
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Identity(Cell):
    """Return its input.

    Args:
        *args: Accepted, not used.
        **kwargs: Accepted, not used.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Any) -> Any:
        return input


class _ChannelDropout(Family):
    _ranks: ClassVar[tuple[int, ...]] = ()
    _spread: ClassVar[int] = 0

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        of_type(self.cls_name, "p", p, float)
        within(self.cls_name, "p", p, "[0, 1]")
        self.keep_prob = 1.0 - p

    def construct(self, x: Tensor) -> Tensor:
        """Drop channels if the cell is in training."""
        if not self.training or self.keep_prob == 1.0:
            return x
        check_rank(self.cls_name, check_tensor(self.cls_name, "x", x), *self._ranks)
        if self.keep_prob == 0.0:
            return x * 0.0
        return drop(x, self.keep_prob, self._spread, channels())[0]

    def extend_repr(self) -> str:
        """Return the share that is kept, under the name that MindSpore shows it by."""
        return "" if 2 in self._ranks else f"p={self.keep_prob}"


class Dropout1d(_ChannelDropout, ranks=(2, 3), spread=1):
    """In training, sets channels of (N, C, L) or (C, L) to 0 at random, scaling the others up.

    Args:
        p: The probability of a channel to be dropped, in [0, 1].

    Raises:
        TypeError: If ``p`` is not a float.
        ValueError: If it is out of range, or the input of another rank.
    """


class Dropout2d(_ChannelDropout, ranks=(4,), spread=2):
    """In training, sets channels of (N, C, H, W) to 0 at random; see ``Dropout1d``."""


class Dropout3d(_ChannelDropout, ranks=(5,), spread=3):
    """In training, sets channels of (N, C, D, H, W) to 0 at random; see ``Dropout1d``."""


@operator("BiDense", product=True)
def _bilinear(x: Array, y: Array, weight: Array) -> Array:
    return jnp.einsum("...i,oij,...j->...o", x, weight, y)


class BiDense(Cell):
    """A dense layer of two inputs: ``x1 @ weight[i] @ x2 + bias[i]`` for each output i.

    Args:
        in1_channels: Size of the last dimension of the first input.
        in2_channels: The same of the second.
        out_channels: Size of the last dimension of the output.
        weight_init: What ``initializer`` accepts, or a Tensor (out, in1, in2); None for uniform
            within ``1 / sqrt(in1)``.
        bias_init: The same for the bias (out,).
        has_bias: Whether there is a bias.
        dtype: Of the parameters.

    Inputs: input1 (..., in1_channels) and input2 (..., in2_channels), alike but for the last
    dimension. Output: (..., out_channels).

    Raises:
        TypeError: For arguments of other types.
        ValueError: For sizes that are not positive, or shapes that do not fit.
    """

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.in1_channels = positive_int("BiDense", "in1_channels", in1_channels)
        self.in2_channels = positive_int("BiDense", "in2_channels", in2_channels)
        self.out_channels = positive_int("BiDense", "out_channels", out_channels)
        self.has_bias = a_bool("BiDense", "has_bias", has_bias)
        shapes = {"weight": (out_channels, in1_channels, in2_channels), "bias": (out_channels,)}
        inits: dict[str, Any] = {"weight": weight_init, "bias": bias_init}
        self.bias = None
        for name, shape in shapes.items():
            if name == "bias" and not has_bias:
                continue
            init: Any = Uniform(1 / math.sqrt(in1_channels)) if inits[name] is None else inits[name]
            if is_tensor(init):
                one_of("BiDense", f"shape of {name}_init", init.shape, shape)
            setattr(self, name, Parameter(initializer(init, shape, dtype), name))

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        for name, value, size in (
            ("input1", input1, self.in1_channels),
            ("input2", input2, self.in2_channels),
        ):
            last = check_tensor("BiDense", name, value).shape[-1]
            one_of("BiDense", f"last dimension of {name}", last, size)
        one_of("BiDense", "batch of input2", input2.shape[:-1], input1.shape[:-1])
        out = _bilinear(input1, input2, self.weight)
        return out if self.bias is None else out + self.bias

    def extend_repr(self) -> str:
        bias = f", has_bias={self.has_bias}" if self.has_bias else ""
        return (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
            f"output_channels={self.out_channels}{bias}"
        )


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
        of_type(self.cls_name, "reshape_with_axis", reshape_with_axis, int, type(None))
        self.layer = layer
        self.time_axis = time_axis
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Tensor) -> Tensor:
        at_least(self.cls_name, "number of dimensions of inputs", inputs.ndim, 3)
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

__getattr__ = missing_names(__name__)
