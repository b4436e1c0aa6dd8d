"""Resizing the spatial dimensions by interpolation: nearest, linear, cubic, area."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from msgrad._core.bridge import static
from msgrad._core.checks import above, one_of
from msgrad._core.context import platform
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import wide
from msgrad._core.registry import function
from msgrad._core.rounding import rounded
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating, of_length, of_rank
from msgrad.ops.adaptive_ops import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

Sizes = tuple[int, ...]
# From distances to weights.
Kernel = Callable[[Array], Array]

_RANKS = {
    "nearest": (1, 2, 3),
    "linear": (1,),
    "bilinear": (2,),
    "bicubic": (2,),
    "area": (1, 2, 3),
    "nearest-exact": (1, 2),
    "trilinear": (3,),
}
# Most elements of an axis whose gradient is a product with a matrix on a CPU.
_ROWS = 256
_LINEAR = ("linear", "bilinear", "trilinear", "bicubic")


def _nearest_rows(size: int, count: int, rule: str, step: float) -> np.ndarray:
    """Return which of ``size`` elements each of ``count`` outputs takes."""
    steps = np.arange(count, dtype=np.float32)
    if rule == "corners" and count > 1:
        # Half away from zero, as C rounds.
        at = np.floor(steps * np.float32((size - 1) / (count - 1)) + np.float32(0.5))
    elif rule == "centers":
        at = np.floor((steps + np.float32(0.5)) * np.float32(step))
    else:
        at = np.floor(steps * np.float32(step))
    return np.clip(at, 0, size - 1).astype(np.int32)


def _steps(
    x: Array, sizes: Sizes, factors: tuple[float, ...], times: tuple[int, ...] = (1,)
) -> Iterator[tuple[int, int, float]]:
    """Yield each axis that is resized, its new size, and the distance from output to output.

    A factor says it, if one is given and the new size is none of these ``times`` the old one.
    """
    for place, axis in enumerate(range(x.ndim - len(sizes), x.ndim)):
        count, size = sizes[place], x.shape[axis]
        by_size = not factors or count in [n * size for n in times]
        yield axis, count, size / count if by_size else 1 / factors[place]


# What the older Primitive resizes beside floating images, as labels are.
_WHOLE = "int16", "int32", "int64"


@operator("ResizeNearestNeighbor", int_grad=True)
def _resize_nearest(
    x: Array,
    sizes: Sizes,
    rule: str,
    factors: tuple[float, ...] = (),
    whole: tuple[str, ...] = ("uint8",),
) -> Array:
    if x.dtype.name not in whole:
        floating(x)
    for axis, count, step in _steps(x, sizes, factors, (1, 2)):
        rows, times = _nearest_rows(x.shape[axis], count, rule, step), count // x.shape[axis]
        # Without a gather, whose gradient takes three times as long on a CPU.
        even = times and np.array_equal(rows, np.arange(count) // times)
        x = jnp.repeat(x, times, axis) if even else jnp.take(x, rows, axis)
    return x


def _combined(x: Array, axis: int, parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> Array:
    """Sum elements of an axis: for each new one, by places and weights.

    On a CPU the gradient is a product with a matrix, up to some hundred elements: XLA scatters one
    number at a time, and takes twice as long for a resizing between two convolutions. An infinity
    that comes back makes nan of its row and its column then.
    """

    @jax.custom_jvp
    def combine(x: Array) -> Array:
        line = [-1 if d == axis else 1 for d in range(x.ndim)]
        found = [jnp.take(x, at, axis) * w.astype(x.dtype).reshape(line) for at, w in parts]
        # Which of two products a sum takes unrounded would else depend on the program around it.
        found[0] = rounded(found[0])
        return functools.reduce(jnp.add, found)

    @combine.defjvp
    def moved(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
        count, size = len(parts[0][0]), x.shape[axis]
        matrix = np.zeros((count, size), x.dtype)
        for place, weight in parts:
            np.add.at(matrix, (np.arange(count), place), weight)
        product = lax.dot_general(*tangents, matrix, (((axis,), (1,)), ((), ())))
        return combine(*primals), jnp.moveaxis(product, -1, axis)

    small = platform() == "cpu" and x.shape[axis] <= _ROWS
    return combine(x) if small else combine.fun(x)


def _linear(at: np.ndarray, size: int, centers: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the two elements around each place, with their weights."""
    at = np.maximum(at, 0)
    below = np.minimum(np.floor(at).astype(np.int32), size - 1)
    share = np.minimum(at - below, 1)
    return [(below, 1 - share), (np.minimum(below + 1, size - 1), share)]


def _cubic(at: np.ndarray, size: int, centers: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the four elements around each place, with their weights, in MindSpore's ways.

    These are: distances come from a table of 1024 steps; by centers, Keys' factor is -0.5 and what
    lies outside has no weight, otherwise it is -0.75 and the outermost element is repeated.
    """
    a = -0.5 if centers else -0.75
    low = np.floor(at).astype(np.int64)
    step = np.round((at - low) * 1024) / 1024
    found = []
    for offset in (-1, 0, 1, 2):
        d = np.abs(step - offset)
        near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
        weight = np.where(d <= 1, near, np.where(d < 2, far, 0))
        place = np.clip(low + offset, 0, size - 1)
        found.append((place, np.where(centers & (place != low + offset), 0, weight)))
    total = sum(weight for _, weight in found) if centers else 1
    return [(place, weight / total) for place, weight in found]


def _between(name: str, around: Callable[[np.ndarray, int, bool], Any]) -> Any:
    def kernel(x: Array, sizes: Sizes, rule: str, factors: tuple[float, ...] = ()) -> Array:
        floating(x)
        out = wide(x)
        for axis, count, step in _steps(x, sizes, factors):
            size = x.shape[axis]
            steps = np.arange(count, dtype=np.float64)
            half = 0.5 if rule == "centers" else 0.0
            at = (steps + half) * step - half
            # One element of a sequence is its first by every rule.
            if rule == "corners" or (count == 1 and x.ndim == 3):
                at = steps * ((size - 1) / (count - 1) if count > 1 else 0.0)
            out = _combined(out, axis, around(at, size, rule == "centers"))
        return out.astype(x.dtype)

    return operator(name)(kernel)


_resize_linear = _between("ResizeBilinear", _linear)
_resize_cubic = _between("ResizeBicubic", _cubic)


def _size_of(size: Any, rank: int) -> Sizes:
    members = (size,) * rank if type(size) is int else size
    if not isinstance(members, (tuple, list)) or not all(type(s) is int for s in members):
        raise ArgumentTypeError(
            f"the 'size' must be an int, or a tuple or list of ints, but got {size!r}."
        )
    of_length(members, "size", rank)
    for place, member in enumerate(members):
        above("", f"size[{place}]", member, 0)
    return tuple(members)


def _scaled_size(
    factor: Any, spatial: Sizes, mode: str, recompute: Any, by_factor: bool
) -> tuple[Sizes, tuple[float, ...]]:
    """Return the new sizes, and the factors where these and not the sizes decide on the places."""
    rank = len(spatial)
    factors = (factor,) * rank if not isinstance(factor, (tuple, list)) else tuple(factor)
    if not all(type(f) is float for f in factors):
        raise ArgumentTypeError(f"the 'scale_factor' must be float, but got {factor!r}.")
    of_length(factors, "scale_factor", rank)
    if not (recompute or by_factor or mode == "area" or rank == 3):
        raise ArgumentValueError(
            f"'scale_factor' option cannot currently be set with the mode = {mode} and dim = "
            f"{rank + 2}D. Pass recompute_scale_factor=True, or the size."
        )
    sizes = tuple(math.floor(n * f) for n, f in zip(spatial, factors, strict=True))
    return sizes, () if recompute else factors


@function
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second.

    Args:
        input: Tensor (N, C, L), (N, C, H, W) or (N, C, D, H, W), floating.
        size: The new sizes, an int or one per dimension.
        scale_factor: The factor of the sizes, a float or one per dimension; this or ``size``.
        mode: ``'nearest'``, ``'nearest-exact'``, ``'linear'``, ``'bilinear'``, ``'bicubic'``,
            ``'trilinear'`` or ``'area'``.
        align_corners: For the linear modes: whether the corners keep their places.
        recompute_scale_factor: Must be True with ``scale_factor``, except for ``'area'`` and
            volumes, where otherwise the factor itself says which elements are taken.

    Raises:
        TypeError: For arguments of other types.
        ValueError: If both or neither of size and factor are given, for a mode that the rank does
            not have, or an option that the mode does not have.
    """
    return resized(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


def resized(
    input: Tensor,
    size: Any,
    scale_factor: Any,
    mode: str,
    align_corners: bool | None,
    recompute: bool | None,
    by_factor: bool = False,
) -> Tensor:
    """Do what ``interpolate`` says; ``by_factor``: whether any rank takes a mere factor."""
    one_of("", "mode", mode, *_RANKS)
    rank = input.ndim - 2
    if rank not in _RANKS[mode]:
        raise ArgumentValueError(
            f"the mode {mode} takes inputs of {[r + 2 for r in _RANKS[mode]]} dimensions, but got "
            f"{input.ndim}."
        )
    if size is not None and scale_factor is not None:
        raise ArgumentValueError("'size' and 'scale_factor' cannot be set simultaneously")
    if align_corners is not None and mode not in _LINEAR:
        raise ArgumentValueError(
            f"'align_corners' option cannot currently be set with the mode = {mode}, and dim = "
            f"{input.ndim}D"
        )
    factors = ()
    if size is not None:
        if recompute:
            raise ArgumentValueError(
                "it is incorrect to set 'recompute_scale_factor' to True after specifying an "
                "explicit 'size'."
            )
        sizes = _size_of(size, rank)
    elif scale_factor is not None:
        sizes, factors = _scaled_size(scale_factor, input.shape[2:], mode, recompute, by_factor)
    else:
        raise ArgumentValueError("'size' and 'scale_factor' cannot be both empty")
    if mode == "area":
        if rank == 1:
            return adaptive_avg_pool1d(input, sizes[0])
        return (adaptive_avg_pool2d if rank == 2 else adaptive_avg_pool3d)(input, sizes)
    if mode == "bicubic":
        return _resize_cubic(input, sizes, "corners" if align_corners else "centers", factors)
    if mode in _LINEAR:
        return _resize_linear(input, sizes, "corners" if align_corners else "centers", factors)
    return _resize_nearest(input, sizes, "centers" if mode == "nearest-exact" else "", factors)


upsample = interpolate


def _rule(align_corners: bool, half_pixel_centers: bool) -> str:
    if align_corners and half_pixel_centers:
        raise ArgumentValueError(
            "the half_pixel_centers must be false when align_corners is true, but "
            f"half_pixel_centers got {half_pixel_centers}."
        )
    return "corners" if align_corners else "centers" if half_pixel_centers else ""


def _images(x: Tensor, size: Any) -> Sizes:
    if not isinstance(size, (tuple, list)) or not all(type(s) is int for s in size):
        raise ArgumentTypeError(
            "the type of 'size' should be one of '[list of int, tuple of int]', but got "
            f"{type(size)}."
        )
    of_length(size, "size", 2)
    of_rank(x, 4)
    return tuple(size)


@function(primitive="ResizeNearestNeighbor(*)")
def _nearest_neighbor(
    x: Tensor, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Resize images (N, C, H, W), each element that of the nearest position.

    Args:
        x: Tensor of 4 dimensions, floating, int16, int32 or int64.
        size: The new (H, W).
    """
    rule = _rule(align_corners, half_pixel_centers)
    return _resize_nearest(x, _images(x, size), rule, (), _WHOLE)


@function(primitive="ResizeBilinearV2(*)")
def _bilinear(
    x: Tensor, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Resize images (N, C, H, W), linearly between the four nearest positions.

    Args:
        x: Tensor of 4 dimensions, floating.
        size: The new (H, W), or a Tensor of them.
    """
    rule = _rule(align_corners, half_pixel_centers)
    return _resize_linear(x, _images(x, static(size)), rule)


def _sizes(x: Tensor, size: Any, rank: int) -> Sizes:
    """Return the sizes that came as a tuple, a list or a Tensor; one for each dimension of rank."""
    sizes = static(size)
    sizes = (sizes,) if isinstance(sizes, int) else sizes
    if not isinstance(sizes, tuple) or not all(type(s) is int for s in sizes):
        raise ArgumentTypeError(f"the sizes must be ints, but got {size!r}.")
    if len(sizes) != rank or min(sizes) < 1 or x.ndim != rank + 2:
        raise ArgumentValueError(
            f"there must be {rank} positive sizes and {rank + 2} dimensions, but got {sizes} and "
            f"{x.ndim}."
        )
    return sizes


def _resizes(name: str, resize: Callable[..., Any], doc: str) -> None:
    def resized(
        image: Tensor, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
    ) -> Tensor:
        sizes = _sizes(image, size, 2)
        return resize(image, sizes, _rule(align_corners, half_pixel_centers))

    resized.__doc__ = f"""{doc}

    Args:
        image: Tensor (N, C, H, W), floating.
        size: The new height and width, a tuple or an int32 Tensor.
        align_corners: Whether the corners keep their places.
        half_pixel_centers: Whether places are counted from the centers of elements.
    """
    function(name=name, primitive=f"{name}(*)")(resized)


_resizes("ResizeBicubic", _resize_cubic, "Resize images by cubic interpolation.")
_resizes("ResizeNearestNeighborV2", _resize_nearest, "Resize images by the nearest element.")


@function(primitive="ResizeLinear1D(*)")
def _resize_linear_1d(
    x: Tensor, size: Any, *, coordinate_transformation_mode: str = "align_corners"
) -> Tensor:
    """Resize sequences linearly.

    Args:
        x: Tensor (N, C, L), floating.
        size: The new length: a tuple or a Tensor of one int.
        coordinate_transformation_mode: ``'align_corners'`` or ``'half_pixel'``.
    """
    rules = {"align_corners": "corners", "half_pixel": "centers"}
    if coordinate_transformation_mode not in rules:
        raise KernelError(
            f"the mode must be in {list(rules)}, but got {coordinate_transformation_mode!r}."
        )
    return _resize_linear(x, _sizes(x, size, 1), rules[coordinate_transformation_mode])


def _volume(x: Tensor, output_size: Any, scales: Any) -> tuple[Sizes, tuple[float, ...]]:
    if (output_size is None) == (scales is None):
        raise ArgumentValueError("one of 'output_size' and 'scales' must be given, not both.")
    if output_size is not None:
        return _sizes(x, output_size, 3), ()
    factors = tuple(static(scales))
    sizes = [math.floor(n * f) for n, f in zip(x.shape[2:], factors, strict=True)]
    return _sizes(x, sizes, 3), factors


@function(primitive="UpsampleNearest3D")
def _upsample_nearest_3d(x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor:
    """Resize volumes by the nearest element.

    Args:
        x: Tensor (N, C, D, H, W), floating.
        output_size: The three new sizes, or None.
        scales: The three factors of the sizes, or None.
    """
    sizes, factors = _volume(x, output_size, scales)
    return _resize_nearest(x, sizes, "", factors)


@function(primitive="UpsampleTrilinear3D(*)")
def _upsample_trilinear_3d(
    x: Tensor, output_size: Any = None, scales: Any = None, *, align_corners: bool = False
) -> Tensor:
    """Resize volumes linearly.

    Args:
        x: Tensor (N, C, D, H, W), floating.
        output_size: The three new sizes, or None.
        scales: The three factors of the sizes, or None.
        align_corners: Whether the corners keep their places.
    """
    sizes, factors = _volume(x, output_size, scales)
    return _resize_linear(x, sizes, "corners" if align_corners else "centers", factors)


@operator("ResizeArea", primitive="(align_corners=False)")
def _resize_area(images: Array, size: Sizes, align_corners: bool) -> Array:
    """Resize images by means over what an element covers.

    Args:
        images: Tensor (N, H, W, C).
        size: The new height and width, an int32 Tensor.
        align_corners: Whether the corners keep their places.

    Returns:
        float32 Tensor (N, height, width, C).
    """
    of_rank(images, 4, label="images")
    of_length(size, "size", 2)
    above("", "size", min(size), 0)
    out = images.astype(jnp.float32)
    for axis, count in enumerate(size, 1):
        n = images.shape[axis]
        factor = (n - 1) / (count - 1) if align_corners and count > 1 else n / count
        starts = (np.arange(count) * np.float32(factor))[:, None]
        cells = np.arange(math.ceil(float(starts[-1, 0] + factor)))
        shares = np.clip(
            np.minimum(starts + factor, cells + 1) - np.maximum(starts, cells), 0, None
        )
        weights = np.zeros((count, n))
        np.add.at(weights.T, np.minimum(cells, n - 1), np.maximum(shares, 0).T)
        rows = jnp.asarray((weights / weights.sum(1, keepdims=True)).astype(np.float32))
        out = jnp.moveaxis(jnp.tensordot(rows, out, (1, axis), precision="highest"), 0, axis)
    return out


def _lanczos(radius: int) -> Kernel:
    return lambda x: jnp.where(x > radius, 0, jnp.sinc(x) * jnp.sinc(x / radius))


def _pieces(near: list[float], far: list[float]) -> Kernel:
    """Return a kernel of two cubics, below 1 and below 2."""
    both = [np.array(each, np.float32) for each in (near, far)]
    return lambda x: jnp.where(x < 2, jnp.where(x < 1, *(jnp.polyval(p, x) for p in both)), 0)


_KERNELS: dict[str, Kernel] = {
    "lanczos1": _lanczos(1),
    "lanczos3": _lanczos(3),
    "lanczos5": _lanczos(5),
    "gaussian": lambda x: jnp.where(x < 1.5, jnp.exp(-2 * x * x), 0),
    "box": lambda x: jnp.heaviside(0.5 - x, 0.5),
    "triangle": lambda x: jnp.maximum(1 - x, 0),
    "keyscubic": _pieces([1.5, -2.5, 0, 1], [-0.5, 2.5, -4, 2]),
    # Mitchell and Netravali 1988, with B = C = 1/3.
    "mitchellcubic": _pieces([7 / 6, -2, 0, 8 / 9], [-7 / 18, 2, -10 / 3, 16 / 9]),
}


@operator(
    "ScaleAndTranslate",
    primitive="(images, size, scale, translation, /, kernel_type='lanczos3', antialias=True)",
)
def _scaled(
    images: Array,
    scale: Array,
    translation: Array,
    size: Sizes,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
) -> Array:
    """Scale images and move them.

    Args:
        images: Tensor (N, H, W, C).
        size: The new height and width, an int32 Tensor.
        scale: The factors of height and width, float32 Tensor (2,); without a gradient.
        translation: How far the result is moved down and to the right, float32 Tensor (2,);
            without a gradient.
        kernel_type: ``'lanczos1'``, ``'lanczos3'``, ``'lanczos5'``, ``'gaussian'``, ``'box'``,
            ``'triangle'``, ``'keyscubic'`` or ``'mitchellcubic'``.
        antialias: Whether the kernel is wider where an image is made smaller.

    Returns:
        float32 Tensor (N, height, width, C).

    Raises:
        ValueError: For another kernel.
    """
    one_of("", "kernel_type", kernel_type, *_KERNELS)
    of_rank(images, 4, label="images")
    of_length(size, "size", 2)
    out = images.astype(jnp.float32)
    scale, translation = jax.lax.stop_gradient((scale, translation))
    for axis, count in enumerate(size, 1):
        n, step = images.shape[axis], 1 / scale[axis - 1]
        # The middle of each element of the result, in the image.
        at = ((jnp.arange(count) + 0.5) * step - step * translation[axis - 1])[:, None]
        narrower = 1 / jnp.maximum(step, 1) if antialias else 1
        rows = _KERNELS[kernel_type](jnp.abs(jnp.arange(n) + 0.5 - at) * narrower)
        total = rows.sum(1, keepdims=True)
        inside = (at >= 0) & (at <= n) & (total != 0)
        rows = jnp.where(inside, rows / jnp.where(inside, total, 1), 0).astype(jnp.float32)
        out = jnp.moveaxis(jnp.tensordot(rows, out, (1, axis), precision="highest"), 0, axis)
    return out
