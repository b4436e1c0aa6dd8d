"""Initial values: the Initializer classes and `initializer`; the random stream is `_core.philox`.

Every random initializer takes one number from NumPy's global generator when its tensor is
materialised, and everything else from that number, so ``mindspore.set_seed`` or
``numpy.random.seed`` reproduce MindSpore's weights bit for bit.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from msgrad._core import philox
from msgrad._core.bridge import too_large
from msgrad._core.declared import guard_constructor
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    MissingAttributeError,
    OptionError,
    UnsupportedError,
)
from msgrad._core.exports import public_names
from msgrad.common.dtype import DType, float32
from msgrad.common.tensor import Tensor

Kind = TypeVar("Kind", bound="type[Initializer]")
_INITIALIZER_ALIAS: dict[str, type[Initializer]] = {}


class Initializer:
    """Base of all initializers; a subclass fills an array in ``_initialize(self, arr)``.

    The settings of those here are fields of their classes.

    Args:
        **kwargs: the settings of the initializer, kept for display.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    def __post_init__(self) -> None:
        self._kwargs = dict(vars(self))

    def _initialize(self, arr: np.ndarray) -> None:
        raise UnsupportedError(
            f"{type(self).__name__} must define _initialize(self, arr), which fills arr in place."
        )

    def __call__(self, arr: np.ndarray) -> None:
        """Fill `arr` in place."""
        self._initialize(arr)

    def generate(self, shape: tuple[int, ...], np_dtype: np.dtype | type) -> np.ndarray:
        """Return a new array of this shape and dtype, filled by this initializer."""
        arr = np.zeros(shape, np_dtype)
        self(arr)
        return arr


@dataclass_transform(eq_default=False)
def _register(*aliases: str) -> Callable[[Kind], Kind]:
    """Make a class known to `initializer` by its lower-case name and by `aliases`.

    Its settings, if it declares some, are the arguments of its constructor.
    """

    def register(cls: Kind) -> Kind:
        if "__annotations__" in vars(cls) and "__init__" not in vars(cls):
            dataclass(eq=False, repr=False)(cls)
        for alias in (cls.__name__, *aliases):
            _INITIALIZER_ALIAS[alias.lower()] = cls
        guard_constructor(cls)
        return cls

    return register


def _assignment(arr: np.ndarray, num: Any) -> np.ndarray:
    """Set every element of `arr`, in place; `num` is a number or an array that broadcasts."""
    arr[...] = num
    return arr


def _draw_seed() -> int:
    return int(np.random.randint(low=1, high=1 << 63, dtype=np.int64))


def _init_random_uniform(a: float, b: float, shape: Any) -> np.ndarray:
    size = int(np.prod(shape))
    return philox.uniform(_draw_seed(), size, a, b).reshape(shape)


def _init_random_normal(mean: float, sigma: float, shape: Any) -> np.ndarray:
    if sigma < 0:
        raise ArgumentValueError(f"sigma < 0: 'sigma' must not be negative, but got {sigma}.")
    size = int(np.prod(shape))
    return philox.normal(_draw_seed(), size, mean, sigma).reshape(shape)


def _init_truncated_normal(a: float, b: float, mean: float, sigma: float, shape: Any) -> np.ndarray:
    if sigma < 0:
        raise ArgumentValueError(f"sigma < 0: 'sigma' must be positive, but got {sigma}.")
    if sigma == 0:
        raise EngineError("TruncatedNormal: invalid sigma 0; 'sigma' must be positive.")
    size = int(np.prod(shape))
    return philox.truncated_normal(_draw_seed(), size, mean, sigma, a, b).reshape(shape)


def _check_ndim(of: Initializer, arr: np.ndarray, accepted: str, fits: bool) -> None:
    if not fits:
        raise ArgumentValueError(
            f"For {type(of).__name__} initializer, the dimension of the initialized tensor should "
            f"be {accepted}, but got {arr.ndim}."
        )


def _calculate_fan_in_and_fan_out(shape: Sequence[int]) -> tuple[int, int]:
    """Inputs and outputs of one unit of a weight of this shape: (out, in, *kernel)."""
    if len(shape) < 2:
        raise ArgumentValueError(
            "'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 dimensions, "
            f"but got dimensions {len(shape)}."
        )
    kernel = math.prod(shape[2:])
    return shape[1] * kernel, shape[0] * kernel


def _calculate_correct_fan(shape: Sequence[int], mode: str) -> int:
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        raise ArgumentValueError(f"'mode' {mode} not supported, please use one of {list(modes)}")
    return _calculate_fan_in_and_fan_out(shape)[modes.index(mode.lower())]


_GAINS = {
    **dict.fromkeys(("linear", "conv1d", "conv2d", "conv3d", "sigmoid"), 1),
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
}


def _calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return what makes up for a nonlinearity; `param` is the slope of leaky_relu (None: 0.01)."""
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ArgumentValueError(
            "For 'HeUniform', the argument 'nonlinearity' should be one of "
            f"['sigmoid', 'tanh', 'relu' or 'leaky_relu'], but got {nonlinearity}."
        )
    slope = 0.01 if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ArgumentValueError(
            f"For 'HeUniform', 'negative_slope' {param} is not a valid number. When "
            "'nonlinearity' has been "
            "set to 'leaky_relu', 'negative_slope' should be int or float type, but got "
            f"{type(param)}."
        )
    return math.sqrt(2.0 / (1 + slope**2))


@_register("zeros")
class Zero(Initializer):
    """All zeros."""

    def _initialize(self, arr: np.ndarray) -> None:
        arr.fill(0)


@_register("ones")
class One(Initializer):
    """All ones."""

    def _initialize(self, arr: np.ndarray) -> None:
        arr.fill(1)


@dataclass(eq=False, repr=False)
class Constant(Initializer):
    """One number everywhere.

    Args:
        value: the number, or an array of one element; cast to the tensor's dtype.
    """

    value: Any

    def _initialize(self, arr: np.ndarray) -> None:
        value = np.asarray(self.value)
        if value.size != 1:
            raise ArgumentValueError(
                f"For 'Constant', 'value' must be one number, but got {value.size} of them: "
                f"{self.value!r}."
            )
        # In MindSpore, what Zero, One and Constant do to a Tensor is lost: it keeps its values.
        if isinstance(arr, np.ndarray):
            arr[...] = value.reshape(()).astype(arr.dtype)


@_register()
class Identity(Initializer):
    """Ones on the diagonal of a matrix, zeros elsewhere."""

    def _initialize(self, arr: np.ndarray) -> None:
        _check_ndim(self, arr, "2", arr.ndim == 2)
        arr[...] = np.eye(*arr.shape)


@_register()
class Dirac(Initializer):
    """A convolution weight ``(out, in, *kernel)`` that passes its input on, channel by channel.

    Args:
        groups: number of groups of output channels, each passing on the first input channels.
    """

    groups: int = 1

    def _initialize(self, arr: np.ndarray) -> None:
        _check_ndim(self, arr, "3, 4 or 5", arr.ndim in (3, 4, 5))
        if arr.shape[0] % self.groups:
            raise ArgumentValueError(
                "For Dirac initializer, the first dimension of the initialized tensor must be "
                "divisible "
                f"by groups, but got first dimension {arr.shape[0]}, groups {self.groups}."
            )
        arr.fill(0)
        outputs = arr.shape[0] // self.groups
        centre = tuple(size // 2 for size in arr.shape[2:])
        for start in range(0, arr.shape[0], outputs):
            for channel in range(min(outputs, arr.shape[1])):
                arr[(start + channel, channel, *centre)] = 1


@_register()
class Uniform(Initializer):
    """Uniform on [-scale, scale).

    Args:
        scale: half the width of the interval.
    """

    scale: float = 0.07

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, _init_random_uniform(-self.scale, self.scale, arr.shape))


@_register()
class Normal(Initializer):
    """Normally distributed.

    Args:
        sigma: the standard deviation. Note that it comes first.
        mean: the mean.
    """

    sigma: float = 0.01
    mean: float = 0.0

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, _init_random_normal(self.mean, self.sigma, arr.shape))


@_register()
class TruncatedNormal(Initializer):
    """Normally distributed within [a, b].

    Args:
        sigma: the standard deviation before the cut.
        mean: the mean before the cut.
        a, b: the bounds: values, not multiples of sigma, so the defaults cut nothing from sigma =
            0.01.
    """

    sigma: float = 0.01
    mean: float = 0.0
    a: float = -2.0
    b: float = 2.0

    def _initialize(self, arr: np.ndarray) -> None:
        values = _init_truncated_normal(self.a, self.b, self.mean, self.sigma, arr.shape)
        _assignment(arr, values)


@_register("xavier_uniform")
class XavierUniform(Initializer):
    """Uniform on ±gain * sqrt(6 / (fan_in + fan_out)).

    Args:
        gain: factor of the bound.
    """

    gain: float = 1

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = _calculate_fan_in_and_fan_out(arr.shape)
        bound = self.gain * math.sqrt(6.0 / (fan_in + fan_out))
        _assignment(arr, _init_random_uniform(-bound, bound, arr.shape))


@_register("xavier_normal")
class XavierNormal(Initializer):
    """Normal with standard deviation gain * sqrt(2 / (fan_in + fan_out)).

    Args:
        gain: factor of the standard deviation.
    """

    gain: float = 1

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = _calculate_fan_in_and_fan_out(arr.shape)
        sigma = self.gain * math.sqrt(2.0 / (fan_in + fan_out))
        _assignment(arr, _init_random_normal(0, sigma, arr.shape))


@dataclass(eq=False, repr=False)
class _He(Initializer):
    """What the two He initializers share: the standard deviation gain / sqrt(fan)."""

    negative_slope: float = 0
    mode: str = "fan_in"
    nonlinearity: str = "leaky_relu"

    def _deviation(self, shape: tuple[int, ...]) -> float:
        fan = _calculate_correct_fan(shape, self.mode)
        return _calculate_gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


@_register("he_uniform")
class HeUniform(_He):
    """Uniform on ±gain * sqrt(3 / fan), after He et al.

    Args:
        negative_slope: slope of leaky_relu below zero.
        mode: 'fan_in' or 'fan_out'.
        nonlinearity: 'leaky_relu', 'relu', 'tanh', 'sigmoid' or 'linear'; decides the gain.
    """

    def _initialize(self, arr: np.ndarray) -> None:
        bound = math.sqrt(3.0) * self._deviation(arr.shape)
        _assignment(arr, _init_random_uniform(-bound, bound, arr.shape))


@_register("he_normal")
class HeNormal(_He):
    """Normal with standard deviation gain / sqrt(fan), after He et al.

    Args:
        negative_slope, mode, nonlinearity: as in HeUniform.
    """

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, _init_random_normal(0, self._deviation(arr.shape), arr.shape))


_DISTRIBUTIONS = ("uniform", "truncated_normal", "untruncated_normal")


@_register()
class VarianceScaling(Initializer):
    """Random with variance scale / fan.

    Args:
        scale: factor of the variance, above 0.
        mode: 'fan_in', 'fan_out' or 'fan_avg'.
        distribution: 'uniform', 'truncated_normal' or 'untruncated_normal'. As in MindSpore 2.10,
            'truncated_normal' (the default) draws uniform numbers, contrary to its documentation.

    Raises:
        ValueError: For another scale, mode or distribution.
    """

    scale: float = 1.0
    mode: str = "fan_in"
    distribution: str = "truncated_normal"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale <= 0:
            raise ArgumentValueError(
                "For VarianceScaling initializer, the argument 'scale' must be greater than 0, "
                f"but got {self.scale}."
            )
        accepted = {"mode": ("fan_in", "fan_out", "fan_avg"), "distribution": _DISTRIBUTIONS}
        for name, value in {"mode": self.mode, "distribution": self.distribution}.items():
            if value not in accepted[name]:
                raise ArgumentValueError(
                    f"For VarianceScaling initializer, the argument '{name}' must be one of "
                    f"{accepted[name]}, but got {value}."
                )

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = _calculate_fan_in_and_fan_out(arr.shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "untruncated_normal":
            values = _init_random_normal(0, math.sqrt(variance), arr.shape)
        else:
            bound = math.sqrt(3.0 * variance)
            values = _init_random_uniform(-bound, bound, arr.shape)
        _assignment(arr, values)


@_register()
class Orthogonal(Initializer):
    """A matrix with orthonormal rows or columns, whichever are fewer.

    Dimensions after the second count as columns.

    Args:
        gain: factor of the matrix.
    """

    gain: float = 1.0

    def _initialize(self, arr: np.ndarray) -> None:
        _check_ndim(self, arr, "no less than 2", arr.ndim >= 2)
        rows, columns = arr.shape[0], math.prod(arr.shape[1:])
        square = _init_random_normal(0, 1, (rows, columns))
        q, r = np.linalg.qr(square.T if rows < columns else square)
        # The signs of the diagonal make the factorisation, and with it the distribution, unique.
        q = q * np.sign(np.diag(r))
        _assignment(arr, (self.gain * (q.T if rows < columns else q)).reshape(arr.shape))


@_register()
class Sparse(Initializer):
    """A normally distributed matrix with a share of zeros at random places in every column.

    Args:
        sparsity: share of zeros in a column, rounded up to whole rows.
        sigma: standard deviation of the other elements.
    """

    sparsity: float
    sigma: float = 0.01

    def _initialize(self, arr: np.ndarray) -> None:
        _check_ndim(self, arr, "2", arr.ndim == 2)
        rows, columns = arr.shape
        values = _init_random_normal(0, self.sigma, arr.shape)
        zeros = math.ceil(self.sparsity * rows)
        for column in range(columns):
            values[np.random.permutation(rows)[:zeros], column] = 0
        _assignment(arr, values)


def initializer(init: Any, shape: Sequence[int] | int | None = None, dtype: DType = float32) -> Any:
    """Return a tensor whose values are made later: by ``init_data()``, or for a Parameter.

    Args:
        init: an Initializer; the name of one ('normal', 'zeros', 'xavier_uniform', ...); a number;
            or a Tensor, which is returned as it is.
        shape: positive int, or a sequence of them; () makes a scalar.
        dtype: dtype of the tensor (a Tensor as `init` keeps its own).

    Returns:
        Tensor of this shape and dtype.

    Raises:
        TypeError: if `init` is none of these, or `dtype` is no dtype.
        ValueError: if no initializer has the name, or the shape is not positive or not that of
            the Tensor `init`.
        AttributeError: if `shape` is missing.
    """
    sizes = _checked_shape(shape)
    if isinstance(init, Tensor):
        if sizes is None or tuple(init.shape) != sizes:
            raise ArgumentValueError(
                "For 'initializer', the shape of the 'init' argument should be same as the "
                f"argument 'shape', but got the 'init' shape {list(init.shape)} and the 'shape' "
                f"{shape}."
            )
        return init
    if isinstance(init, str):
        found = _INITIALIZER_ALIAS.get(init.lower())
        if found is None:
            raise ArgumentValueError(
                f"For 'initializer', the class corresponding to '{init}' was not found. "
                f"Known names: {sorted(_INITIALIZER_ALIAS)}."
            )
        init = found()
    elif isinstance(init, numbers.Number):
        init = Constant(init)
    elif not isinstance(init, Initializer):
        raise ArgumentTypeError(
            "For 'initializer', the type of the 'init' argument should be 'Tensor', 'number', "
            f"'string' or 'initializer', but got {type(init)}."
        )
    if sizes is None:
        raise MissingAttributeError(
            f"For 'initializer', the argument 'shape' must be given with {type(init).__name__}."
        )
    return Tensor(shape=sizes, dtype=dtype, init=init)


def _checked_shape(shape: Any) -> tuple[int, ...] | None:
    if shape is None:
        return None
    if not isinstance(shape, (list, tuple, int)):
        raise OptionError(
            "For 'initializer', the argument 'shape' must be an int, tuple or list, but got "
            f"{type(shape)}."
        )
    sizes = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    if any(type(n) is int and n >= 2**63 for n in sizes):
        raise too_large("initializer", "shape", max(sizes))
    if not all(isinstance(size, int) and size > 0 for size in sizes):
        raise ArgumentValueError(
            "For 'initializer', the argument 'shape' is invalid, the value of 'shape' must be "
            f"positive integer, but got {sizes if isinstance(shape, (list, tuple)) else shape}"
        )
    return sizes


__all__ = public_names(globals())
