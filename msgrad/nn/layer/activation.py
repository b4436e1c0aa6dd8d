"""Activation layers, each thin on its functional operator, and ``get_activation``."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError, ParameterNameError
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import a_bool
from msgrad.nn.cell import Cell

__all__ = [
    "ELU",
    "GELU",
    "HSigmoid",
    "HSwish",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "get_activation",
]


class _Plain(Cell):
    """An activation without settings, which therefore takes no argument."""

    def __init__(self) -> None:
        super().__init__()


class ReLU(_Plain):
    """``max(x, 0)`` element by element, on a Tensor of any shape."""

    def construct(self, input: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.relu(input)


class ReLU6(_Plain):
    """``min(max(x, 0), 6)`` element by element, on a Tensor of any shape."""

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.relu6(x)


class Tanh(_Plain):
    """``tanh(x)`` element by element, on a Tensor of any shape."""

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.tanh(x)


class Sigmoid(_Plain):
    """``1 / (1 + exp(-x))`` element by element, on a Tensor of any shape."""

    def construct(self, input_x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.sigmoid(input_x)


class SiLU(_Plain):
    """``x * sigmoid(x)`` element by element, on a Tensor of any shape."""

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.silu(x)


class HSwish(_Plain):
    """``x * relu6(x + 3) / 6`` element by element, on a Tensor of any shape."""

    def construct(self, input: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.hardswish(input)


class HSigmoid(_Plain):
    """``relu6(x + 3) / 6`` element by element, on a Tensor of any shape."""

    def construct(self, input: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.hardsigmoid(input)


class LogSigmoid(_Plain):
    """``log(sigmoid(x))`` element by element, on a Tensor of any shape."""

    def construct(self, input_x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.logsigmoid(input_x)


class GELU(Cell):
    """``x * Phi(x)`` element by element, ``Phi`` the normal distribution function.

    Args:
        approximate: True for the tanh approximation (``ops.gelu`` by default is exact).

    Raises:
        TypeError: If ``approximate`` is not a bool.
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = a_bool("GELU", "approximate", approximate)

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.gelu(x, approximate="tanh" if self.approximate else "none")


class LeakyReLU(Cell):
    """``x`` where positive, else ``alpha * x``.

    Args:
        alpha: The slope below 0; 0.2 unless told.
    """

    def __init__(self, alpha: float = 0.2) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.leaky_relu(x, alpha=self.alpha)


class ELU(Cell):
    """``x`` where positive, else ``alpha * (exp(x) - 1)``.

    Args:
        alpha: The limit below 0 is ``-alpha``; MindSpore supports 1.0 only.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.elu(x, alpha=self.alpha)


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
        """Compute the activation."""
        return ops.softmax(input, axis=self.axis)


class LogSoftmax(Cell):
    """``log(softmax(x))`` along an axis.

    Args:
        axis: The axis.
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        """Compute the activation."""
        return ops.log_softmax(x, axis=self.axis)


_ACTIVATIONS: dict[str, type[Cell]] = {
    "softmax": Softmax,
    "logsoftmax": LogSoftmax,
    "relu": ReLU,
    "relu6": ReLU6,
    "silu": SiLU,
    "tanh": Tanh,
    "gelu": GELU,
    "elu": ELU,
    "sigmoid": Sigmoid,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "logsigmoid": LogSigmoid,
}


def get_activation(name: str | None, prim_name: str | None = None) -> Any:
    """Give a new activation layer by name.

    Args:
        name: Such as ``'relu'``; None gives None.
        prim_name: Who asks, for the error text.

    Raises:
        KeyError: For a name that is not in the table.
    """
    if name is None:
        return None
    if not isinstance(name, str) or name not in _ACTIVATIONS:
        who = f"For '{prim_name}', the" if prim_name else "The"
        raise ParameterNameError(
            f"{who} 'name' must be in {list(_ACTIVATIONS)}, but got {name}; any Cell can be given "
            "instead of a name."
        )
    return _ACTIVATIONS[name]()
