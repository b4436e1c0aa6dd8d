"""Activation layers, each thin on its functional operator, LRN, and ``get_activation``."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.bridge import is_tensor
from msgrad._core.checks import of_type, positive_int
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, ParameterNameError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank
from msgrad.nn._family import Bare, Family, Layer
from msgrad.nn._hyper import Switch
from msgrad.nn.cell import Cell
from msgrad.ops.random import with_slopes


class _Plain(Bare):
    """An activation without settings, one operator element by element, on a Tensor of any shape."""

    def construct(self, x: Tensor) -> Tensor:
        return type(self)._operator(x)


class _PlainOfInput(_Plain):
    def construct(self, input: Tensor) -> Tensor:
        return type(self)._operator(input)


class _PlainOfInputX(_Plain):
    def construct(self, input_x: Tensor) -> Tensor:
        return type(self)._operator(input_x)


class ReLU(_PlainOfInput, operator=ops.relu):
    """``max(x, 0)`` element by element, on a Tensor of any shape."""


class ReLU6(_Plain, operator=ops.relu6):
    """``min(max(x, 0), 6)`` element by element, on a Tensor of any shape."""


class Tanh(_Plain, operator=ops.tanh):
    """``tanh(x)`` element by element, on a Tensor of any shape."""


class Sigmoid(_Plain, operator=ops.sigmoid):
    """``1 / (1 + exp(-x))`` element by element, on a Tensor of any shape."""


class SiLU(_Plain, operator=ops.silu):
    """``x * sigmoid(x)`` element by element, on a Tensor of any shape."""


class HSwish(_PlainOfInput, operator=ops.hardswish):
    """``x * relu6(x + 3) / 6`` element by element, on a Tensor of any shape."""


class HSigmoid(_PlainOfInput, operator=ops.hardsigmoid):
    """``relu6(x + 3) / 6`` element by element, on a Tensor of any shape."""


class LogSigmoid(_PlainOfInputX, operator=ops.logsigmoid):
    """``log(sigmoid(x))`` element by element, on a Tensor of any shape."""


class Mish(_PlainOfInputX, operator=ops.mish):
    """``x * tanh(log(1 + exp(x)))`` element by element, on a Tensor of any shape."""


class SeLU(_PlainOfInputX, operator=ops.selu):
    """The scaled exponential linear unit element by element, on a Tensor of any shape."""


class Softsign(_Plain, operator=ops.softsign):
    """``x / (1 + abs(x))`` element by element, on a Tensor of any shape."""


class Tanhshrink(_Plain, operator=ops.tanhshrink):
    """``x - tanh(x)`` element by element, on a Tensor of any shape."""


class FastGelu(_Plain, operator=ops.fast_gelu):
    """``x * sigmoid(1.702 * x)`` element by element, on a Tensor of any shape."""


class GELU(Layer):
    """``x * Phi(x)`` element by element, ``Phi`` the normal distribution function.

    Args:
        approximate: True for the tanh approximation (``ops.gelu`` by default is exact).

    Raises:
        TypeError: If ``approximate`` is not a bool.
    """

    approximate: Switch = True

    def construct(self, x: Tensor) -> Tensor:
        return ops.gelu(x, approximate="tanh" if self.approximate else "none")


class LeakyReLU(Layer):
    """``x`` where positive, else ``alpha * x``.

    Args:
        alpha: The slope below 0; 0.2 unless told.
    """

    alpha: float = 0.2

    def construct(self, x: Tensor) -> Tensor:
        return ops.leaky_relu(x, alpha=self.alpha)


class ELU(Cell):
    """``x`` where positive, else ``alpha * (exp(x) - 1)``.

    Args:
        alpha: The limit below 0 is ``-alpha``; MindSpore supports 1.0 only.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.elu = ops.Elu(alpha)

    def construct(self, x: Tensor) -> Tensor:
        return self.elu(x)


class Softmax(Cell):
    """``exp(x) / sum(exp(x))`` along an axis.

    Args:
        axis: int, or a tuple of one int.

    Raises:
        TypeError: If ``axis`` is of another type.
    """

    def __init__(self, axis: int | tuple[int, ...] = -1) -> None:
        super().__init__()
        if not isinstance(axis, (int, tuple)):
            raise ArgumentTypeError(
                "For 'Softmax', the type of 'axis' should be one of '[int, tuple of int]', but got "
                f"{type(axis)}."
            )
        self.axis = axis

    def construct(self, input: Tensor) -> Tensor:
        # A tuple is refused by the operator.
        return ops.softmax(input, axis=self.axis)  # pyright: ignore[reportArgumentType]


class LogSoftmax(Layer):
    """``log(softmax(x))`` along an axis.

    Args:
        axis: The axis.
    """

    axis: int = -1

    def construct(self, x: Tensor) -> Tensor:
        return ops.log_softmax(x, axis=self.axis)


class CELU(Layer):
    """``x`` where positive, else ``alpha * (exp(x / alpha) - 1)``.

    Args:
        alpha: float, not 0.
    """

    alpha: float = 1.0

    def construct(self, x: Tensor) -> Tensor:
        of_type("CELU", "alpha", self.alpha, float)
        return ops.celu(x, alpha=self.alpha)


class Hardtanh(Cell):
    """Clips to an interval.

    Args:
        min_val: Its lower end.
        max_val: Its upper end.

    Raises:
        ValueError: If the interval is empty.
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0) -> None:
        super().__init__()
        if min_val >= max_val:
            raise ArgumentValueError(
                f"For Hardtanh, min_val should be less than max_val,but got {min_val} and {max_val}"
            )
        self.min_val = min_val
        self.max_val = max_val

    def construct(self, x: Tensor) -> Tensor:
        return ops.hardtanh(x, self.min_val, self.max_val)


class PReLU(Cell):
    """``x`` where positive, else ``w * x`` with a trained slope.

    Args:
        channel: Number of slopes: 1, or C of the input (N, C, ...).
        w: Their first value; a float, a list of ``channel`` floats, or a Tensor (channel,).

    Raises:
        TypeError: For values of other types.
        ValueError: If ``channel`` is not positive, or the number of values is another.
    """

    def __init__(self, channel: int = 1, w: Any = 0.25) -> None:
        super().__init__()
        positive_int("PReLU", "channel", channel)
        if isinstance(w, (float, list)) or is_tensor(w):
            sizes = (channel,) if isinstance(w, float) else tuple(np.shape(w))
        else:
            raise ArgumentTypeError(
                f"For 'PReLU', the 'w' only supported float, list and tensor, but got "
                f"{type(w).__name__}."
            )
        if sizes != (channel,):
            raise ArgumentValueError(
                f"For 'PReLU', the dimension of 'w' should be 1 and its length 'channel' "
                f"{channel}, but got shape {sizes}."
            )
        slopes = w if is_tensor(w) else Tensor(np.full(channel, w, np.float32))
        self.w = Parameter(slopes, name="a")

    def construct(self, x: Tensor) -> Tensor:
        return ops.prelu(x, ops.cast(self.w, x.dtype))


class GLU(Layer):
    """The first half of an axis times the sigmoid of the second.

    Args:
        axis: The axis, of even size.
    """

    axis: int = -1

    def construct(self, x: Tensor) -> Tensor:
        return ops.glu(x, self.axis)


class _Shrink(Family):
    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = of_type(self.cls_name, "lambd", lambd, bool, int, float)

    def construct(self, input: Tensor) -> Tensor:
        return type(self)._operator(input, self.lambd)


class HShrink(_Shrink, operator=ops.hardshrink):
    """Makes 0 of the elements within ``[-lambd, lambd]``; 0.5 unless told."""


class SoftShrink(_Shrink, operator=ops.softshrink):
    """Brings elements nearer to 0 by ``lambd``, those within it to 0; 0.5 unless told."""


class Threshold(Layer):
    """``x`` where above a threshold, else a value.

    Args:
        threshold: The threshold.
        value: The value.
    """

    threshold: float
    value: float

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.threshold(input_x, self.threshold, self.value)


class Softmin(Layer):
    """The softmax of ``-x`` along an axis.

    Args:
        axis: int, or a tuple of one int.
    """

    axis: int | tuple[int, ...] = -1

    def construct(self, x: Tensor) -> Tensor:
        axis = self.axis[0] if isinstance(self.axis, tuple) else self.axis
        return ops.softmin(x, axis)


class Softmax2d(_Plain):
    """The softmax over the channels of (N, C, H, W) or (C, H, W)."""

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation.

        Raises:
            ValueError: For another number of dimensions.
        """
        check_rank("Softmax2d", x, 3, 4)
        return ops.softmax(x, -3)


class RReLU(Cell):
    """``x`` where positive, else ``a * x`` with a slope drawn for each element, in any mode.

    Args:
        lower: The least slope.
        upper: The largest.

    Raises:
        TypeError: If they are not numbers, or the input is not a Tensor.
        ValueError: If ``lower`` is above ``upper``.
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3) -> None:
        super().__init__()
        of_type("RReLU", "upper", upper, float, int)
        of_type("RReLU", "lower", lower, float, int)
        if lower > upper:
            raise ArgumentValueError(
                "For RReLU, the value of 'upper' must be greater than or equal to 'lower', but got "
                f"upper: {upper}, lower: {lower}. "
            )
        self.lower = Tensor(lower, mstype.float32)
        self.upper = Tensor(upper, mstype.float32)

    def construct(self, x: Tensor) -> Tensor:
        of_type("rrelu", "input", x, Tensor)
        return with_slopes(x, ops.uniform(x.shape, self.lower, self.upper))


class PReLUExt(Cell):
    """``x`` where positive, else ``a * x`` with a trained slope.

    Args:
        num_parameters: Number of slopes: 1, or C of the input (N, C, ...).
        init: Their first value.
        dtype: Of the slopes; None for float32.
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None) -> None:
        super().__init__()
        slopes = Tensor(np.full(num_parameters, init, np.float32), dtype)
        self.weight = Parameter(slopes, name="weight")

    def construct(self, input: Tensor) -> Tensor:
        return ops.prelu(input, self.weight)


_NAMED = (
    *(Softmin, Softmax, Softmax2d, LogSoftmax, ReLU, ReLU6, RReLU, SiLU, Tanh, Tanhshrink),
    *(Hardtanh, GELU, ELU, Sigmoid, Softsign, PReLU, LeakyReLU, HSwish, HSigmoid, LogSigmoid),
    *(SoftShrink, HShrink, Threshold, Mish),
)
_ACTIVATIONS: dict[str, type[Cell]] = {
    **{cls.__name__.lower(): cls for cls in _NAMED},
    "fast_gelu": FastGelu,
    "preluExt": PReLUExt,
}

# Under the name that programs import.
_activation = _ACTIVATIONS


def get_activation(name: str | None, prim_name: str | None = None) -> Any:
    """Return a new activation layer by name.

    Args:
        name: Such as ``'relu'``; None gives None.
        prim_name: Who asks, for the error text.

    Raises:
        KeyError: For a name that is not in the table.
    """
    if name is None:
        return None
    if isinstance(name, (list, dict, set)):
        raise ArgumentTypeError(f"The 'name' must be a str, but got {name}.")
    if not isinstance(name, str) or name not in _ACTIVATIONS:
        who = f"For '{prim_name}', the" if prim_name else "The"
        raise ParameterNameError(
            f"{who} 'name' must be in {list(_ACTIVATIONS)}, but got {name}; any Cell can be given "
            "instead of a name."
        )
    return _ACTIVATIONS[name]()


class LRN(Cell):
    """Local response normalisation: elements divided by the squares of neighbouring channels.

    Args:
        depth_radius: How many channels on each side count.
        bias: Added to the sum.
        alpha: Factor on the sum of squares.
        beta: The power of the divisor.
        norm_region: ``'ACROSS_CHANNELS'``.

    Inputs: input_x (N, C, H, W), floating.
    """

    def __init__(
        self,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ) -> None:
        super().__init__()
        of_type("LRN", "depth_radius", depth_radius, int)
        self.lrn_op = ops.LRN(depth_radius, bias, alpha, beta, norm_region)

    def construct(self, input_x: Tensor) -> Tensor:
        return self.lrn_op(input_x)


__all__ = public_names(globals())
