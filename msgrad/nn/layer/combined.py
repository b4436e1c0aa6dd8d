"""Layers with their normalisation and activation in one: Conv2dBnAct, DenseBnAct."""

from __future__ import annotations

from typing import Any, ClassVar

from msgrad._core.errors import ArgumentTypeError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Layer
from msgrad.nn._hyper import Switch
from msgrad.nn.cell import Cell
from msgrad.nn.layer.activation import LeakyReLU, get_activation
from msgrad.nn.layer.basic import Dense
from msgrad.nn.layer.conv import Conv2d, _Settings
from msgrad.nn.layer.normalization import BatchNorm1d, BatchNorm2d
from msgrad.ops.primitive import Primitive


class _Combined(Layer):
    """What both share: after the layer a normalisation, if there is one, and an activation.

    Args:
        has_bn: Whether there is a normalisation.
        momentum: Of the normalisation, as ``BatchNorm2d`` takes it.
        eps: Of the normalisation.
        activation: A name that ``get_activation`` knows, a Cell, a Primitive, or None.
        alpha: The slope, where the activation is ``'leakyrelu'``.
        after_fake: Accepted for compatibility.
    """

    _raises = """Raises:
    TypeError: For arguments of other types.
    ValueError: For values out of range.
    KeyError: For an unknown activation."""

    # The name of the layer, its class, and that of the normalisation.
    _made: ClassVar[Any] = None

    def _begin(self, given: dict[str, Any]) -> None:
        names = ("has_bn", "momentum", "eps", "activation", "alpha", "after_fake")
        has_bn, momentum, eps, activation, alpha, after_fake = (given.pop(n) for n in names)
        super()._begin({"has_bn": has_bn, "after_fake": after_fake})
        owner, (name, layer, norm) = self.cls_name, self._made
        # What is left is the layer's.
        setattr(self, name, layer(**given))
        self.has_act = activation is not None
        if has_bn:
            self.batchnorm = norm(given["out_channels"], eps, momentum)
        if activation == "leakyrelu":
            self.activation: Any = LeakyReLU(alpha)
        else:
            named = isinstance(activation, str)
            self.activation = get_activation(activation) if named else activation
        if self.has_act and not isinstance(self.activation, (Cell, Primitive)):
            raise ArgumentTypeError(
                f"For '{owner}', the 'activation' must be str or Cell or Primitive, but got "
                f"{type(activation).__name__}."
            )

    def _finished(self, x: Tensor) -> Tensor:
        if self.has_bn:
            x = self.batchnorm(x)
        return self.activation(x) if self.has_act else x


class Conv2dBnAct(_Settings, _Combined, made=("conv", Conv2d, BatchNorm2d)):
    """A convolution, batch normalisation if there is to be one, and an activation.

    Args:
        in_channels: As for ``Conv2d``, up to ``bias_init``; weights are normal, biases 0.
        out_channels: C of the output.
        kernel_size: int or tuple of two ints.
        stride: int or tuple of two ints.
        pad_mode: ``'same'``, ``'valid'`` or ``'pad'``.
        padding: For ``'pad'`` only.
        dilation: int or tuple of two ints.
        group: Number of groups of channels.
        has_bias: Whether the convolution has a bias.
        weight_init: What ``initializer`` accepts.
        bias_init: The same for the bias.
    """

    group: int = 1
    has_bias: bool = False
    weight_init: Any = "normal"
    bias_init: Any = "zeros"
    has_bn: Switch = False
    momentum: float = 0.997
    eps: float = 1e-5
    activation: Any = None
    alpha: float = 0.2
    after_fake: Switch = True

    def construct(self, x: Tensor) -> Tensor:
        return self._finished(self.conv(x))


class DenseBnAct(_Combined, made=("dense", Dense, BatchNorm1d)):
    """A dense layer, batch normalisation if there is to be one, and an activation.

    Args:
        in_channels: As for ``Dense``.
        out_channels: Size of the last dimension of the output.
        weight_init: What ``initializer`` accepts; normal unless told.
        bias_init: The same for the bias; 0 unless told.
        has_bias: Whether the dense layer has a bias.
    """

    in_channels: int
    out_channels: int
    weight_init: Any = "normal"
    bias_init: Any = "zeros"
    has_bias: bool = True
    has_bn: Switch = False
    momentum: float = 0.9
    eps: float = 1e-5
    activation: Any = None
    alpha: float = 0.2
    after_fake: Switch = True

    def construct(self, x: Tensor) -> Tensor:
        return self._finished(self.dense(x))


__all__ = public_names(globals())
