"""Window functions of signal processing, and their Primitives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.checks import at_least, of_type
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.registry import function
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import of_rank


def _window(
    shape: Callable[..., np.ndarray], length: int, periodic: bool, dtype: Any, *options: Any
) -> Tensor:
    """Return a window of one of NumPy's shapes; a periodic one lacks its last point."""
    of_type("", "window_length", length, int)
    at_least("", "window_length", length, 0)
    if dtype is not None and dtype not in mstype.float_type:
        raise ArgumentTypeError(f"'dtype' must be a floating one, but got {dtype}.")
    n = length + 1 if periodic and length > 1 else length
    values = shape(n, *options)[:length]
    return Tensor(values if dtype is None else values.astype(dtype.np_dtype))


def _cosine(n: int, alpha: float, beta: float) -> np.ndarray:
    return np.ones(n) if n < 2 else alpha - beta * np.cos(2 * np.pi * np.arange(n) / (n - 1))


def _from_tensor(name: str, shape: Callable[..., np.ndarray]) -> Any:
    """Make a window whose length comes as a Tensor, with its Primitive."""

    def window(
        window_length: Tensor, periodic: bool = True, *, dtype: mstype.DType = mstype.float32
    ) -> Tensor:
        length = int(window_length.asnumpy())
        return _window(shape, length, periodic, mstype.float32 if dtype is None else dtype)

    window.__doc__ = f"""Return the {name} window, float32 by default.

    Args:
        window_length: int32 or int64 Tensor of one element.
        periodic: False for a symmetric window.
        dtype: float16, float32 or float64.
    """
    primitive = f"{name}Window(periodic=True, dtype=mstype.float32)"
    return function(name=f"{name.lower()}_window", primitive=primitive)(window)


bartlett_window = _from_tensor("Bartlett", np.bartlett)
blackman_window = _from_tensor("Blackman", np.blackman)


@function
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the Hamming window ``alpha - beta * cos(2 pi n / N)``, float32 by default.

    Args:
        window_length: int, not negative.
        periodic: False for a symmetric window.
        alpha: The constant.
        beta: The size of the cosine.
        dtype: float16, float32 or float64.
    """
    # Of one point or none, MindSpore's is float64.
    kind = mstype.float32 if dtype is None and window_length > 1 else dtype
    return _window(_cosine, window_length, periodic, kind, alpha, beta)


@function(primitive="HammingWindow(periodic=True, alpha=0.54, beta=0.46, dtype=mstype.float32)")
def _hamming_of_tensor(
    length: Tensor,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    dtype: mstype.DType = mstype.float32,
) -> Tensor:
    """Return the Hamming window; its arguments are those of ``hamming_window``.

    Args:
        length: int Tensor (1,).

    Raises:
        ValueError: If ``length`` is not of one dimension.
    """
    of_rank(length, 1, label="length")
    return _window(_cosine, int(length.asnumpy()[0]), periodic, dtype, alpha, beta)


@function
def hann_window(
    window_length: int, periodic: bool = True, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return the Hann window, float64 by default; see ``hamming_window`` for the arguments."""
    return _window(np.hanning, window_length, periodic, dtype)


@function
def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the Kaiser window, float64 by default; ``beta`` is how narrow it is."""
    return _window(np.kaiser, window_length, periodic, dtype, beta)
