"""BiDense: a dense layer of two inputs."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad.common import dtype as mstype
from msgrad.common.initializer import Uniform, initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import a_bool, positive_int
from msgrad.nn.cell import Cell, check_tensor


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
            if is_tensor(init) and init.shape != shape:
                raise ArgumentValueError(
                    f"For 'BiDense', {name} init shape error: it must be {shape}, but got "
                    f"{init.shape}."
                )
            setattr(self, name, Parameter(initializer(init, shape, dtype), name))

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        for name, value, size in (
            ("input1", input1, self.in1_channels),
            ("input2", input2, self.in2_channels),
        ):
            if check_tensor("BiDense", name, value).shape[-1] != size:
                raise ArgumentValueError(
                    f"For 'BiDense', the last dimension of '{name}' must be {size}, but got "
                    f"{value.shape[-1]}."
                )
        if input1.shape[:-1] != input2.shape[:-1]:
            raise ArgumentValueError(
                "For 'BiDense', the dimensions before the last must be the same, but got "
                f"{input1.shape} and {input2.shape}."
            )
        out = _bilinear(input1, input2, self.weight)
        return out if self.bias is None else out + self.bias

    def extend_repr(self) -> str:
        bias = f", has_bias={self.has_bias}" if self.has_bias else ""
        return (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
            f"output_channels={self.out_channels}{bias}"
        )


__all__ = public_names(globals())
