"""Reading images between their elements: grid_sample, and the grids it is given."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import wide
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating, of_rank, same_type

_MODES = ("bilinear", "nearest")
_PADDINGS = ("zeros", "border", "reflection")


def element_at(x: Array, image: Array, at: tuple[Array, ...]) -> Array:
    """Return the elements at places; 0 outside of the image, and no gradient to the places.

    Args:
        x: Array (N, C, ...).
        image: Which of N, int; broadcasts with the places.
        at: A place along each dimension after the second, whole numbers of any dtype.

    Returns:
        Array (..., C), the dimensions of the places first.
    """
    sizes = x.shape[2:]
    inside, row = True, image
    for a, size in zip(at, sizes, strict=True):
        inside = inside & (a >= 0) & (a < size)
        row = row * size + jnp.clip(a, 0, size - 1).astype(jnp.int32)
    # One index of rows: XLA compiles this, and its derivative, in half the time of one a dimension.
    rows = jnp.moveaxis(x, 1, -1).reshape(-1, x.shape[1])
    return jnp.where(jnp.asarray(inside)[..., None], rows[row], 0)


def linear_at(x: Array, image: Array, at: tuple[Array, ...]) -> Array:
    """Interpolate linearly between the elements around places; see ``element_at``."""
    at = tuple(jnp.broadcast_arrays(*at))
    lows = tuple(jax.lax.stop_gradient(jnp.floor(a)) for a in at)
    corners = np.array([*itertools.product((0, 1), repeat=len(at))])
    # All corners in one gather: its derivative then is one scatter, and each takes XLA a second.
    ways = zip(lows, corners.T.tolist(), strict=True)
    read = element_at(x, image, tuple(jnp.stack([low + s for s in way]) for low, way in ways))
    out: Any = 0
    for found, corner in zip(read, corners, strict=True):
        weight: Any = 1
        for a, low, step in zip(at, lows, corner, strict=True):
            weight = weight * (a - low if step else 1 - (a - low))
        out = out + found * jnp.asarray(weight)[..., None]
    return out


def _reflected(at: Array, low: float, high: float) -> Array:
    """Return places folded back into ``[low, high]``."""
    span = high - low
    if span <= 0:
        return jnp.zeros_like(at)
    away = jnp.abs(at - low)
    rest = jnp.mod(away, span)
    even = jnp.mod(jnp.floor(away / span), 2) == 0
    return low + jnp.where(even, rest, span - rest)


def _places(at: Array, size: int, padding_mode: str, align_corners: bool) -> Array:
    """Return coordinates of -1 to 1 as places along a dimension."""
    at = (at + 1) / 2 * (size - 1) if align_corners else ((at + 1) * size - 1) / 2
    if padding_mode == "reflection":
        at = _reflected(at, 0, size - 1) if align_corners else _reflected(at, -0.5, size - 0.5)
    if padding_mode == "zeros":
        # Weights of places that are not finite would be nan, and they are outside.
        return jnp.where(jnp.isfinite(at), at, -2)
    return jnp.clip(at, 0, size - 1)


@operator("grid_sample", public=False)
def sample(input: Array, grid: Array, mode: str, padding_mode: str, align_corners: bool) -> Array:
    """Return the elements of images at the places of a grid; the last of a place is of the width.

    Args:
        input: Tensor (N, C, ...), floating.
        grid: Tensor (N, ..., d) of the same dtype, from -1 to 1.
        mode: ``'bilinear'`` or ``'nearest'``.
        padding_mode: What lies outside: ``'zeros'``, ``'border'`` or ``'reflection'``.
        align_corners: Whether -1 and 1 are the centers of the outermost elements.
    """
    rank = input.ndim - 2
    if mode not in _MODES or padding_mode not in _PADDINGS:
        raise ArgumentValueError(
            f"the modes must be in {_MODES} and {_PADDINGS}, but got {mode!r} and {padding_mode!r}."
        )
    same_type(input, grid)
    floating(input)
    if grid.ndim != input.ndim or grid.shape[-1] != rank or grid.shape[0] != input.shape[0]:
        raise ArgumentValueError(
            f"the shapes of input and grid must be (N, C, ...) and (N, ..., {rank}), but got "
            f"{input.shape} and {grid.shape}."
        )
    x, parts = wide(input), wide(grid)
    at = tuple(
        _places(parts[..., rank - 1 - d], size, padding_mode, align_corners)
        for d, size in enumerate(input.shape[2:])
    )
    image = jnp.arange(input.shape[0]).reshape(-1, *(1,) * rank)
    if mode == "nearest":
        out = element_at(x, image, tuple(map(jax.lax.round, at)))
    else:
        out = linear_at(x, image, at)
    return jnp.moveaxis(out, -1, 1).astype(input.dtype)


@function
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Return the elements of images, or volumes, at the places of a grid.

    Args:
        input: Tensor (N, C, H, W) or (N, C, D, H, W), floating.
        grid: Tensor (N, H2, W2, 2) or (N, D2, H2, W2, 3), from -1 to 1, the width's place first.
        mode: ``'bilinear'`` or ``'nearest'``.
        padding_mode: What lies outside: ``'zeros'``, ``'border'`` or ``'reflection'``.
        align_corners: Whether -1 and 1 are the centers of the outermost elements.

    Returns:
        Tensor (N, C, H2, W2) or (N, C, D2, H2, W2).
    """
    of_rank(input, 4, 5)
    return sample(input, grid, mode, padding_mode, bool(align_corners))


def _of_rank(rank: int) -> None:
    def sampled(
        input_x: Tensor,
        grid: Tensor,
        *,
        interpolation_mode: str = "bilinear",
        padding_mode: str = "zeros",
        align_corners: bool = False,
    ) -> Tensor:
        of_rank(input_x, rank + 2)
        return sample(input_x, grid, interpolation_mode, padding_mode, align_corners)

    sampled.__doc__ = (sample.__doc__ or "").replace(" mode:", " interpolation_mode:")
    function(name=f"GridSampler{rank}D", primitive=f"GridSampler{rank}D(*)")(sampled)


_of_rank(2)
_of_rank(3)


@operator("AffineGrid", primitive="(align_corners=False)", product=True)
def affine_grid(theta: Array, size: tuple[int, ...], align_corners: bool = False) -> Array:
    """Return the grid on which ``grid_sample`` applies affine maps to images.

    Args:
        theta: Tensor (N, 2, 3), or (N, 3, 4) for volumes.
        size: The shape of the images, (N, C, H, W) or (N, C, D, H, W).
        align_corners: Whether -1 and 1 are the centers of the outermost elements.

    Returns:
        Tensor (N, H, W, 2) or (N, D, H, W, 3).
    """
    rank = len(size) - 2
    if rank not in (2, 3) or theta.shape != (size[0], rank, rank + 1):
        raise ArgumentValueError(
            f"theta must be (N, {rank}, {rank + 1}) for images of size {size}, but got "
            f"{theta.shape}."
        )
    lines = []
    for n in size[2:]:
        steps = np.arange(n, dtype=np.float32)
        whole = steps * 2 / max(n - 1, 1) - (n > 1) if align_corners else (2 * steps + 1) / n - 1
        lines.append(whole.astype(theta.dtype))
    # The width's place first.
    places = np.meshgrid(*lines, indexing="ij")[::-1]
    points = jnp.asarray(np.stack([*places, np.ones_like(places[0])], -1))
    return jnp.einsum("...k,njk->n...j", points, theta, precision="highest")
