"""``mindspore.scipy.fft``: the discrete cosine transform of type 2 and its inverse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.fft as jsf

from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_inexact

__all__ = ["dct", "dctn", "idct", "idctn"]


def _along(compute: Callable[..., Array], x: Array, n: Any, axis: int) -> Array:
    if jnp.iscomplexobj(x):
        return jax.lax.complex(*(_along(compute, part, n, axis) for part in (x.real, x.imag)))
    wide = x if is_inexact(x.dtype) and x.dtype.itemsize > 2 else x.astype(jnp.float32)
    return compute(wide, n=n, axis=axis, norm="ortho")


def _check(type: int, norm: str | None) -> None:
    if type != 2:
        raise ArgumentValueError("Only dct type II is supported currently.")
    if norm not in (None, "ortho"):
        raise ArgumentValueError('Only norm "ortho" is supported currently.')


def _line(name: str, compute: Callable[..., Array]) -> Any:
    def kernel(
        x: Array, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
    ) -> Array:
        _check(type, norm)
        return _along(compute, x, n, axis)

    kernel.__doc__ = f"Compute the orthonormal {name}, of type 2, along ``axis``, cut to ``n``."
    kernel.__name__ = kernel.__qualname__ = name
    return operator(name.upper(), public=False)(kernel)


def _grid(name: str, compute: Callable[..., Array]) -> Any:
    def kernel(
        x: Array, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None
    ) -> Array:
        _check(type, norm)
        places = range(-(x.ndim if s is None else len(s)), 0) if axes is None else axes
        for i, axis in enumerate(places):
            x = _along(compute, x, None if s is None else s[i], axis)
        return x

    kernel.__doc__ = f"Compute the orthonormal {name}, of type 2, over ``axes``, cut to ``s``."
    kernel.__name__ = kernel.__qualname__ = name
    return operator(name.upper(), public=False)(kernel)


dct, idct = _line("dct", jsf.dct), _line("idct", jsf.idct)
dctn, idctn = _grid("dctn", jsf.dct), _grid("idctn", jsf.idct)
