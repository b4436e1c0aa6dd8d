"""Layers that compute with matrices and numbers: MatMul, Moments, Range, Unfold and their like."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.checks import of_type, one_of, within
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensor
from msgrad.nn._family import Bare, Layer
from msgrad.nn._hyper import Flag
from msgrad.nn.cell import Cell

_HALF_OR_SINGLE = (mstype.float16, mstype.float32)


class MatMul(Layer):
    """The product of matrices, or of batches of them, with broadcasting; see ``ops.matmul``.

    Args:
        transpose_x1: Whether the first is transposed; not where it is a vector.
        transpose_x2: The same for the second.

    Inputs: x1 and x2, Tensors with a dimension at least.

    Raises:
        TypeError: If a setting is not a bool.
        ValueError: If the columns of the one are not the rows of the other.
    """

    transpose_x1: Flag = False
    transpose_x2: Flag = False

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        if self.transpose_x1 and x1.ndim > 1:
            x1 = x1.swapaxes(-1, -2)
        if self.transpose_x2 and x2.ndim > 1:
            x2 = x2.swapaxes(-1, -2)
        columns, rows = x1.shape[-1], x2.shape[-2] if x2.ndim > 1 else x2.shape[0]
        if columns != rows:
            raise ArgumentValueError(
                "For 'MatMul', the column of matrix dimensions of 'x1' should be equal to the row "
                f"of matrix dimensions of 'x2', but got {columns} and {rows}."
            )
        return ops.matmul(x1, x2)


@operator("Moments", product=True)
def _moments(x: Array, axis: tuple[int, ...] | None, keep_dims: bool) -> tuple[Array, Array]:
    wide = x.astype(jnp.float32)
    mean, variance = wide.mean(axis, keepdims=keep_dims), wide.var(axis, keepdims=keep_dims)
    return mean.astype(x.dtype), variance.astype(x.dtype)


class Moments(Cell):
    """The mean and the variance (not unbiased) over some dimensions.

    Args:
        axis: int or tuple of ints; None or () for all dimensions.
        keep_dims: Whether the dimensions stay, with size 1.

    Inputs: x, float16 or float32. Output: a tuple of two Tensors of the dtype of x.

    Raises:
        TypeError: For settings of other types, or an input of another dtype.
    """

    def __init__(
        self, axis: int | tuple[int, ...] | None = None, keep_dims: bool | None = None
    ) -> None:
        super().__init__()
        for number, item in enumerate(axis if isinstance(axis, tuple) else ()):
            of_type("Moments", f"axis[{number}]", item, int)
        self.axis = of_type("Moments", "axis", () if axis is None else axis, int, tuple)
        self.keep_dims = of_type(
            "Moments", "keep_dims", bool(keep_dims) if keep_dims is None else keep_dims, bool
        )

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        check_tensor("Moments", "input x", x, *_HALF_OR_SINGLE)
        axis = (self.axis,) if isinstance(self.axis, int) else self.axis or None
        return _moments(x, axis, self.keep_dims)


class Range(Cell):
    """Numbers from a start by a step, as ``np.arange`` makes them; float32 or int32.

    Args:
        start: The first; with no ``limit``, the end, and the first is 0.
        limit: The end, which is not reached.
        delta: The step, not 0.

    Raises:
        ValueError: If ``delta`` is 0.
    """

    def __init__(self, start: float, limit: float | None = None, delta: float = 1) -> None:
        super().__init__()
        if delta == 0:
            raise ArgumentValueError("For 'Range', the 'delta' can not be zero.")
        numbers = np.arange(start, limit, delta)
        self.ms_dtype = mstype.float32 if numbers.dtype == np.float64 else mstype.int32
        self.result_tensor = Tensor(numbers, self.ms_dtype)

    def construct(self) -> Tensor:
        return self.result_tensor


class L1Regularizer(Cell):
    """The sum of the absolute values, times a scale.

    Args:
        scale: A finite number above 0.

    Inputs: weights, a Tensor of numbers. Output: 0-d float32.

    Raises:
        TypeError: If ``scale`` is not a number.
        ValueError: If it is not positive, or not finite.
    """

    def __init__(self, scale: float) -> None:
        super().__init__()
        of_type("L1Regularizer", "scale", scale, int, float)
        within("L1Regularizer", "scale", scale, "(0, inf)")
        self.scale = Tensor(scale, mstype.float32)

    def construct(self, weights: Tensor) -> Tensor:
        if weights.dtype is mstype.bool_:
            raise ArgumentTypeError("For 'L1Regularizer', the weights must not be bool.")
        return self.scale * ops.abs(weights).sum()


class Unflatten(Cell):
    """Makes several dimensions of one.

    Args:
        axis: Which one, an int.
        unflattened_size: Their sizes, a tuple or list.

    Raises:
        TypeError: For arguments of other types.
    """

    def __init__(self, axis: int, unflattened_size: tuple[int, ...] | list[int]) -> None:
        super().__init__()
        self.axis = of_type("Unflatten", "axis", axis, int)
        of_type("Unflatten", "unflattended_size", unflattened_size, list, tuple)
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, input_x: Tensor) -> Tensor:
        rest = () if self.axis == -1 else input_x.shape[self.axis + 1 :]
        return input_x.reshape((*input_x.shape[: self.axis], *self.unflattened_size, *rest))


class Roll(Cell):
    """Moves elements along dimensions, the last ones to the front; see ``ops.roll``.

    Args:
        shift: By how much, an int, or several in a tuple or list.
        axis: Along which dimensions, as many as shifts.

    Raises:
        TypeError: For arguments of other types.
        ValueError: If there are more of the one than of the other.

    Differs from MindSpore: it runs on the CPU too.
    """

    def __init__(self, shift: Any, axis: Any) -> None:
        super().__init__()
        of_type("Roll", "shift", shift, int, tuple, list)
        of_type("Roll", "axis", axis, int, tuple, list)
        self.shift = list(shift) if isinstance(shift, (tuple, list)) else [shift]
        self.axis = list(axis) if isinstance(axis, (tuple, list)) else [axis]
        if len(self.shift) != len(self.axis):
            raise ArgumentValueError(
                "For 'Roll', the shape of 'shift' and the shape of 'axis' must be the same, but "
                f"got the length of 'shift' {len(self.shift)} and the length of 'axis' "
                f"{len(self.axis)}."
            )

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.roll(input_x, tuple(self.shift), tuple(self.axis))


@operator("ExtractImagePatches")
def _patches(
    x: Array,
    ksizes: tuple[int, ...],
    strides: tuple[int, ...],
    rates: tuple[int, ...],
    padding: str,
) -> Array:
    n, c = x.shape[:2]
    found = jax.lax.conv_general_dilated_patches(
        x, ksizes, strides, padding, rhs_dilation=rates, precision=jax.lax.Precision.HIGHEST
    )
    # JAX has the channel first and then the place in the window; MindSpore the other way round.
    rows, columns = found.shape[2:]
    every = found.shape[1]
    split = found.reshape(n, c, every // c, rows, columns)
    return split.swapaxes(1, 2).reshape(n, every, rows, columns)


class Unfold(Cell):
    """The windows of images, each as one pixel with the channels of all its places.

    Args:
        ksizes: Size of a window, ``(1, rows, columns, 1)``.
        strides: From window to window, likewise.
        rates: From place to place within a window, likewise.
        padding: ``'valid'`` or ``'same'``.

    Inputs: input_x (N, C, H, W). Output: (N, rows * columns * C, H_out, W_out), the place in the
    window first.

    Raises:
        TypeError: If a size is neither tuple nor list.
        ValueError: If it is of another form.

    Differs from MindSpore: it runs on the CPU too.
    """

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid") -> None:
        super().__init__()
        settings = {"ksize": ksizes, "stride": strides, "rate": rates}
        for name, value in settings.items():
            of_type("Unfold", f"{name}s", value, tuple, list)
            if len(value) != 4 or value[0] != 1 or value[3] != 1:
                raise ArgumentValueError(
                    f"For 'Unfold' the format of '{name}s' must be [1, {name}_row, {name}_col, 1], "
                    f"but got {value}."
                )
            if not all(isinstance(item, int) and item > 0 for item in value):
                raise ArgumentValueError(
                    f"For 'Unfold' the {name}_row and {name}_col in '{name}s' must be an positive "
                    f"integer number, but got {name}_row is {value[1]}, {name}_col is {value[2]}"
                )
        one_of("Unfold", "padding", padding.lower(), "valid", "same")
        self._sizes = tuple(tuple(value[1:3]) for value in settings.values())
        self.padding = padding

    def construct(self, input_x: Tensor) -> Tensor:
        return _patches(input_x, *self._sizes, self.padding.upper())


class _OfMatrices(Bare):
    """A layer of matrices, by one operator. Differs from MindSpore: it runs on the CPU too."""

    def construct(self, input_x: Tensor) -> Tensor:
        return type(self)._operator(input_x)


@operator("MatrixDiag")
def _diagonal_matrix(x: Array) -> Array:
    return x[..., None] * jnp.eye(x.shape[-1], dtype=x.dtype)


@operator("MatrixDiagPart")
def _diagonal_of(x: Array) -> Array:
    return jnp.diagonal(x, axis1=-2, axis2=-1)


@operator("MatrixSetDiag")
def _with_diagonal(x: Array, diagonal: Array) -> Array:
    places = jnp.arange(min(x.shape[-2:]))
    return x.at[..., places, places].set(diagonal)


class MatrixDiag(_OfMatrices, operator=_diagonal_matrix):
    """Matrices with the last dimension of the input as diagonals; runs on the CPU too."""


class MatrixDiagPart(_OfMatrices, operator=_diagonal_of):
    """The diagonals of the matrices in the last two dimensions; runs on the CPU too."""


class _OfA(_OfMatrices):
    def construct(self, a: Tensor) -> Tensor:
        return type(self)._operator(a)


class MatDet(_OfA, operator=ops.det):
    """The determinants of symmetric, positive definite matrices; runs on the CPU too."""


class MatInverse(_OfA, operator=ops.inverse):
    """The inverses of symmetric, positive definite matrices; runs on the CPU too."""


class MatrixSetDiag(Bare):
    """Matrices with other diagonals; runs on the CPU too."""

    def construct(self, input_x: Tensor, diagonal: Tensor) -> Tensor:
        """Replace the diagonals of ``input_x`` by the last dimension of ``diagonal``."""
        return _with_diagonal(input_x, diagonal)


@operator("IGamma")
def _igamma(a: Array, x: Array) -> Array:
    return jnp.where((a <= 0) | (x < 0), jnp.nan, jax.scipy.special.gammainc(a, x))


@operator("LBeta")
def _lbeta(x: Array, y: Array) -> Array:
    return jax.scipy.special.betaln(x, y)


class LGamma(Bare):
    """The logarithm of the absolute value of the gamma function; float16 or float32."""

    def construct(self, x: Tensor) -> Tensor:
        """Compute the function; raises ``TypeError`` for other dtypes."""
        return ops.lgamma(check_tensor("LGamma", "x", x, *_HALF_OR_SINGLE))


class DiGamma(Bare):
    """The derivative of ``LGamma``; float16 or float32."""

    def construct(self, x: Tensor) -> Tensor:
        """Compute the function; raises ``TypeError`` for other dtypes."""
        return ops.digamma(check_tensor("DiGamma", "x", x, *_HALF_OR_SINGLE))


class IGamma(Bare):
    """The regularised lower incomplete gamma function of float32 Tensors ``a`` and ``x``."""

    def construct(self, a: Tensor, x: Tensor) -> Tensor:
        """Compute the function; raises ``TypeError`` for other dtypes."""
        return _igamma(
            *(check_tensor("IGamma", k, v, mstype.float32) for k, v in (("a", a), ("x", x)))
        )


class LBeta(Bare):
    """The logarithm of the beta function of two Tensors, float16 or float32."""

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute the function; raises ``TypeError`` for other dtypes."""
        return _lbeta(
            *(check_tensor("LBeta", k, v, *_HALF_OR_SINGLE) for k, v in (("x", x), ("y", y)))
        )


__all__ = public_names(globals())
