"""``Jvp`` and ``Vjp``: a function with its derivative along a vector, as Cells."""

from __future__ import annotations

from typing import Any

from msgrad._core.exports import public_names
from msgrad.autograd import jvp, vjp
from msgrad.nn.cell import Cell


class _Derivative(Cell):
    """What both share: the function.

    Args:
        fn: A function or Cell of Tensors.
    """

    def __init__(self, fn: Any) -> None:
        super().__init__()
        self.fn = fn


class Jvp(_Derivative):
    """A function's output and its derivative along a vector; see ``ops.jvp``.

    Args:
        fn: A function or Cell of Tensors.

    Inputs: those of the function, and the vector, a tuple where they are several. Output: a pair.
    """

    def construct(self, *args: Any) -> Any:
        *inputs, vector = args
        return jvp(self.fn, tuple(inputs), vector)


class Vjp(_Derivative):
    """A function's output and the gradients for a cotangent; see ``ops.vjp``.

    Args:
        fn: A function or Cell of Tensors.

    Inputs: those of the function, and the cotangent. Output: a pair of the output and the
    gradient, a tuple of gradients where the inputs are several.
    """

    def construct(self, *args: Any) -> Any:
        output, gradient = vjp(self.fn, *args[:-1])
        found = gradient(args[-1])
        return output, found[0] if len(args) == 2 and isinstance(found, tuple) else found


__all__ = public_names(globals())
