"""``mindspore.nn.probability.bnn_layers``: layers whose weights are normal distributions.

Each call draws weights anew from the posterior, ``mean + std * noise``, so that the gradient flows
to its Parameters (Kingma and Welling, Auto-Encoding Variational Bayes, arXiv:1312.6114);
``compute_kl_loss`` is the divergence that the loss is to be added, ``WithBNNLossCell`` adds it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.checks import a_bool, positive_int
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._hyper import Count, Switch, hyperparameters
from msgrad.nn.cell import Cell
from msgrad.nn.layer.activation import get_activation
from msgrad.nn.layer.conv import Conv2d
from msgrad.nn.probability.distribution import Normal
from msgrad.nn.wrap.cell_wrapper import WithLossCell

# What a standard deviation is at least.
_LEAST = 1e-6


def _number(name: str, value: Any, least: float = -math.inf) -> float:
    if not isinstance(value, (int, float)) or value < least:
        more = f" and its value must >= {least}" if least == 0 else ""
        raise ArgumentTypeError(
            f"The type of `{name}` must be `int` or `float`{more}, but got {value!r}."
        )
    return value


def _factor(name: str, value: Any) -> float:
    if _number(name, value) < 0:
        raise ArgumentValueError(f"The value of `{name}` must >= 0, but got {value}.")
    return value


class NormalPrior(Cell):
    """A normal distribution without Parameters; called as ``nn.probability``'s ``Normal`` is.

    Args:
        dtype: Of its results.
        mean: The mean.
        std: The standard deviation; ``ValueError`` where it is not above 0.
    """

    def __init__(self, dtype: Any = mstype.float32, mean: float = 0, std: float = 0.1) -> None:
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        return self.normal(*inputs)


class NormalPosterior(Cell):
    """Normal distributions with the Parameters ``mean`` and ``untransformed_std``.

    The standard deviation is ``softplus(untransformed_std) + 1e-6``.

    Differs from MindSpore: below -10 softplus keeps its digits.

    Args:
        name: What the Parameters' names begin with.
        shape: Of both.
        dtype: Of both.
        loc_mean, loc_std: Of the normal distribution that ``mean`` is first drawn from.
        untransformed_scale_mean, untransformed_scale_std: The same for ``untransformed_std``.

    Raises:
        TypeError: For arguments of other types, and deviations below 0.
    """

    def __init__(
        self,
        name: str,
        shape: tuple[int, ...] | list[int],
        dtype: Any = mstype.float32,
        loc_mean: float = 0,
        loc_std: float = 0.1,
        untransformed_scale_mean: float = -5,
        untransformed_scale_std: float = 0.1,
    ) -> None:
        super().__init__()
        if not isinstance(name, str):
            raise ArgumentTypeError(f"The type of `name` must be `str`, but got {name!r}.")
        if not isinstance(shape, (tuple, list)):
            raise ArgumentTypeError(
                f"The type of `shape` must be `tuple` or `list`, not {shape!r}."
            )
        _number("loc_mean", loc_mean)
        _number("untransformed_scale_mean", untransformed_scale_mean)
        _number("loc_std", loc_std, 0)
        _number("untransformed_scale_std", untransformed_scale_std, 0)
        drawn = np.random.normal(loc_mean, loc_std, shape)
        self.mean = Parameter(Tensor(drawn, dtype), name=f"{name}_mean")
        drawn = np.random.normal(untransformed_scale_mean, untransformed_scale_std, shape)
        self.untransformed_std = Parameter(Tensor(drawn, dtype), name=f"{name}_untransformed_std")
        self.normal = Normal(dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        std = ops.softplus(self.untransformed_std) + _LEAST
        return self.normal(*inputs, mean=self.mean, sd=std)


def _posterior(name: str, shape: tuple[int, ...]) -> NormalPosterior:
    return NormalPosterior(name, shape)


class _Variational(Cell):
    """The distributions of the weight and, where there is one, of the bias.

    Args:
        shapes: Of ``weight`` and, if there is one, ``bias``.
        functions: The four arguments ``weight_prior_fn`` to ``bias_posterior_fn``.
    """

    def _make(self, shapes: dict[str, tuple[int, ...]], functions: dict[str, Any]) -> None:
        for of, shape in shapes.items():
            prior = functions[f"{of}_prior_fn"]
            setattr(self, f"{of}_prior", prior if isinstance(prior, Cell) else prior())
            try:
                posterior = functions[f"{of}_posterior_fn"](shape=shape, name=f"bnn_{of}")
            except TypeError as error:
                raise ArgumentTypeError(
                    f"The type of `{of}_posterior_fn` must be `NormalPosterior`, or a function of "
                    f"`name` and `shape` that returns one: {error}"
                ) from error
            for name, parameter in posterior.parameters_and_names(expand=False):
                parameter.name = name
            setattr(self, f"{of}_posterior", posterior)
        self._distributed = tuple(shapes)

    def compute_kl_loss(self) -> Tensor:
        """Return the sum of the divergences of posterior and prior, of the weight and the bias."""
        found = []
        for of in self._distributed:
            prior, posterior = getattr(self, f"{of}_prior"), getattr(self, f"{of}_posterior")
            found.append(prior("kl_loss", "Normal", posterior("mean"), posterior("sd")).sum())
        return sum(found[1:], found[0])

    def _said(self) -> str:
        parts = []
        for of in ("weight", "bias"):
            if of == "bias":
                parts.append(f"has_bias={of in self._distributed}")
            if of in self._distributed:
                posterior = getattr(self, f"{of}_posterior")
                parts.append(f"{of}_mean={posterior.mean}")
                parts.append(f"{of}_std={posterior.untransformed_std}")
        return ", ".join(parts)


class DenseReparam(_Variational):
    """A ``Dense`` layer whose weight and bias are drawn anew in each call.

    Args:
        in_channels, out_channels: Sizes of the last dimension of input and output.
        activation: A name that ``get_activation`` knows, a Cell, or None.
        has_bias: Whether there is a bias.
        weight_prior_fn, bias_prior_fn: The distribution before training: a Cell, or what makes one.
        weight_posterior_fn, bias_posterior_fn: Function of ``name`` and ``shape`` that makes the
            distribution that is trained, a ``NormalPosterior``.

    Inputs: x (N, in_channels), float32. Output: (N, out_channels).

    Raises:
        TypeError: For arguments of other types.
        ValueError: For sizes that are not positive, or an activation of another type.
        KeyError: For an unknown activation.
    """

    # Whether it is the product that is drawn.
    _locally = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        activation: str | Cell | None = None,
        has_bias: bool = True,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Callable[..., Any] = _posterior,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Callable[..., Any] = _posterior,
    ) -> None:
        super().__init__()
        functions = {name: value for name, value in locals().items() if name.endswith("_fn")}
        self.in_channels = positive_int(None, "in_channels", in_channels)
        self.out_channels = positive_int(None, "out_channels", out_channels)
        self.has_bias = a_bool(None, "has_bias", has_bias)
        shapes = {"weight": (out_channels, in_channels), "bias": (out_channels,)}
        self._make(shapes if has_bias else {"weight": shapes["weight"]}, functions)
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None and not isinstance(self.activation, Cell):
            raise ArgumentValueError(
                f"The 'activation' must be a name, a Cell or None, but got {activation!r}."
            )
        self.activation_flag = activation is not None
        if self._locally:
            self.normal = Normal()

    def construct(self, x: Tensor) -> Tensor:
        out = self._multiplied(x)
        if self.has_bias:
            out = ops.bias_add(out, self.bias_posterior("sample"))
        return self.activation(out) if self.activation is not None else out

    def _multiplied(self, x: Tensor) -> Tensor:
        return ops.MatMul(transpose_b=True)(x, self.weight_posterior("sample"))

    def extend_repr(self) -> str:
        text = f"in_channels={self.in_channels}, out_channels={self.out_channels}, {self._said()}"
        return text + (f", activation={self.activation}" if self.activation_flag else "")


class DenseLocalReparam(DenseReparam):
    """As ``DenseReparam``, but it is the product with the weight that is drawn, for each example.

    Of mean ``x @ mean.T`` and variance ``x**2 @ std.T**2`` (Kingma, Salimans and Welling,
    Variational Dropout and the Local Reparameterization Trick, arXiv:1506.02557).
    """

    _locally = True

    def _multiplied(self, x: Tensor) -> Tensor:
        product = ops.MatMul(transpose_b=True)
        mean = product(x, self.weight_posterior("mean"))
        variance = product(ops.square(x), ops.square(self.weight_posterior("sd")))
        return self.normal("sample", mean=mean, sd=ops.sqrt(variance))


class ConvReparam(Conv2d, _Variational):
    """A ``Conv2d`` whose weight and bias are drawn anew in each call.

    Args:
        in_channels: See ``Conv2d``, as for the arguments up to ``has_bias``.
        weight_prior_fn: See ``DenseReparam``, as for the three others.

    Inputs: x (N, in_channels, H, W), float32. Output: (N, out_channels, H_out, W_out).
    """

    @hyperparameters
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int] = 1,
        group: Count = 1,
        has_bias: Switch = False,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Callable[..., Any] = _posterior,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Callable[..., Any] = _posterior,
    ) -> None: ...

    def _begin(self, given: dict[str, Any]) -> None:
        functions = {name: given.pop(name) for name in list(given) if name.endswith("_fn")}
        super()._begin(
            {**given, "weight_init": "normal", "bias_init": "zeros", "dtype": mstype.float32}
        )
        # They are there, and nothing uses them.
        unused = {p.name: p for p in (self.weight, self.bias) if p is not None}
        for parameter in unused.values():
            parameter.requires_grad = False
        self._make({name: parameter.shape for name, parameter in unused.items()}, functions)

    def construct(self, x: Tensor) -> Tensor:
        out = self._operate(x, None, self.weight_posterior("sample"))
        return ops.bias_add(out, self.bias_posterior("sample")) if self.has_bias else out

    def extend_repr(self) -> str:
        names = "in_channels out_channels kernel_size stride pad_mode padding dilation group"
        settings = [f"{name}={getattr(self, name)}" for name in names.split()]
        return ", ".join([*settings, self._said()])


class WithBNNLossCell(WithLossCell):
    """A network with its loss and the divergences of its variational layers.

    ``dnn_factor * loss_fn(backbone(data), label) + bnn_factor * sum of compute_kl_loss()``.

    Args:
        backbone: The network.
        loss_fn: Called with its output and the label.
        dnn_factor: The factor of the loss.
        bnn_factor: The factor of the divergences.

    Raises:
        AttributeError: If ``backbone`` is no Cell.
        TypeError, ValueError: For factors that are no numbers, or below 0.
    """

    def __init__(
        self, backbone: Any, loss_fn: Any, dnn_factor: float = 1, bnn_factor: float = 1
    ) -> None:
        super().__init__(backbone, loss_fn)
        self.dnn_factor = _factor("dnn_factor", dnn_factor)
        self.bnn_factor = _factor("bnn_factor", bnn_factor)
        layers = [cell for _, cell in backbone.cells_and_names() if isinstance(cell, _Variational)]
        self.kl_loss = [layer.compute_kl_loss for layer in layers]

    def construct(self, data: Any, label: Any) -> Any:
        loss = super().construct(data, label) * self.dnn_factor
        return loss + sum(each() for each in self.kl_loss) * self.bnn_factor


# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []
__all__ = public_names(globals())
