"""Histograms, searching, interpolation, covariances, and questions about dtypes and positions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError, UnsupportedError
from msgrad._core.op import Array, Arrays, Indices
from msgrad._core.promotion import as_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Like, Places, functions, kernel
from msgrad.numpy.array_ops import concatenate, stack
from msgrad.numpy.dtypes import dtype_of, promoted
from msgrad.numpy.utils import tensor, tensors, typed
from msgrad.ops._checks import of_rank
from msgrad.ops.counting import _counted
from msgrad.ops.creation import spaced


@kernel("searchsorted")
def _found(a: Indices, v: Indices, side: str) -> Array:
    of_rank(a, 1, label="a")
    wide = jnp.promote_types(v.dtype, jnp.float32)
    below = jnp.less if side == "left" else jnp.less_equal
    smaller = below(a.astype(jnp.float32).astype(wide), v.astype(wide)[..., None])
    return smaller.sum(-1, dtype=jnp.int32)


def searchsorted(a: Like, v: Like, side: str = "left", sorter: Like | None = None) -> Tensor:
    """Return where each element of ``v`` would go into the sorted vector ``a``, int32."""
    one_of("", "side", side, "left", "right")
    if sorter is not None:
        if sorter.ndim != 1 or sorter.size != a.size:
            raise ArgumentValueError("sorter must be 1-d and as long as a.")
        a = a[sorter]
    return _found(a, v, side)


@kernel("interp")
def interp(
    x: Like, xp: Like, fp: Like, left: Like | None = None, right: Like | None = None
) -> Array:
    """Return the values at ``x`` of the line through the points, ``left`` and ``right`` outside."""
    if xp.ndim != 1 or fp.shape != xp.shape:
        raise ArgumentValueError("xp and fp must be 1-d and of one length.")
    points = [p.astype(jnp.float32) for p in (xp, fp)]
    x = as_inexact(x)
    return jnp.interp(x, *points, left=left, right=right)


@kernel("digitize")
def digitize(x: Places, bins: Places, right: bool | int = False) -> Array:
    """Return the number of the bin of each element; bins rise or fall."""
    of_rank(bins, 1, label="bins")
    return jnp.digitize(x, bins, bool(right)).astype(jnp.int32)


def bincount(
    x: Like, weights: Like | None = None, minlength: int = 0, length: Any = None
) -> Tensor:
    """Return how often each int stands in a vector, or the sum of its weights; float32.

    Args:
        x: Vector of ints, those below 0 counted as 0.
        weights: One number per element.
        minlength: How long the result is at least.
        length: How long it is; in a compiled function it has to be given.
    """
    of_rank(x, 1)
    if x.dtype.np_dtype.kind != "i":
        raise ArgumentTypeError(f"x must be of signed ints, but is {x.dtype}.")
    if weights is not None and weights.shape != x.shape:
        raise ArgumentValueError("x and weights must have the same shape.")
    if length is None:
        length = max(int(x.asnumpy().max(initial=0)) + 1, minlength)
    weights = ops.ones(x.shape) if weights is None else weights.astype(mstype.float32)
    return _counted(weights, ops.clamp(x, 0), length)


@kernel("histogram_bin_edges")
def _edges(a: Array, bins: int, range: tuple | None) -> Array:
    x = a.astype(jnp.float32)
    low, high = (x.min(), x.max()) if range is None else map(jnp.float32, range)
    margin = jnp.where(low == high, jnp.float32(0.5), 0)
    return spaced(low - margin, high + margin, bins, bins + 1)[0]


def histogram_bin_edges(
    a: Like, bins: Any = 10, range: Any = None, weights: Like | None = None
) -> Tensor:
    """Return the edges of ``bins`` equal bins of an array, or of a range; edges as they are."""
    if weights is not None and weights.shape != a.shape:
        raise ArgumentValueError("weights must have the shape of a.")
    if isinstance(bins, (tuple, list, Tensor)):
        bins = tensor(bins)
        of_rank(bins, 1, label="bins")
        return bins
    if isinstance(bins, str):
        raise UnsupportedError("the bins cannot be a name.")
    pair = range is None or (isinstance(range, (list, tuple)) and len(range) == 2)
    if not pair or (range and range[0] > range[1]):
        raise ArgumentValueError("the range must be (start, end).")
    return _edges(a, bins, range)


@kernel("histogramdd")
def _counts(sample: Array, edges: Arrays, weights: Array | None, density: bool | int) -> Array:
    found = jnp.histogramdd(sample, list(edges), weights=weights, density=bool(density))[0]
    return found.astype(jnp.float32)


def histogram(
    a: Like,
    bins: Any = 10,
    range: Any = None,
    weights: Like | None = None,
    density: bool | int = False,
) -> tuple[Tensor, Tensor]:
    """Return how many elements each bin holds, float32, and the edges of the bins."""
    edges = histogram_bin_edges(a, bins, range, weights)
    weights = None if weights is None else weights.ravel()
    return _counts(a.reshape(-1, 1), [edges], weights, density), edges


def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Like | None = None,
    density: bool | int = False,
) -> tuple[Tensor, list[Tensor]]:
    """Return how many rows each cell of a grid holds, float32, and the edges along each axis."""
    if isinstance(sample, (tuple, list)):
        sample = stack(tensors(*sample), -1)
    elif not isinstance(sample, Tensor):
        raise ArgumentTypeError(f"sample must be array-like, not {sample!r}.")
    of_rank(sample, 2, label="sample")
    count = sample.shape[1]
    bins = [bins] * count if isinstance(bins, int) else bins
    if not isinstance(bins, (tuple, list, Tensor)):
        raise ArgumentTypeError(f"bins must be an int or several, not {bins!r}.")
    ranges = [None] * count if range is None else range
    if len(bins) != count or len(ranges) != count:
        raise ArgumentValueError("give bins and range per axis.")
    columns = zip(ops.unstack(sample, 1), bins, ranges, strict=True)
    edges = [histogram_bin_edges(x, b, r, weights) for x, b, r in columns]
    return _counts(sample, edges, weights, density), edges


def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: bool | int = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return how many points each cell of a plane holds, and the edges along both axes."""
    count, edges = histogramdd((x, y), bins, range, weights, density)
    return count, edges[0], edges[1]


def _observations(x: Tensor, rowvar: bool) -> Tensor:
    x = x.astype(mstype.float32)
    if x.ndim > 2 or x.size == 0:
        raise ArgumentValueError("an input must be 1-d or 2-d and not empty.")
    x = x if x.ndim == 2 else x.reshape(1, -1)
    return x if rowvar or x.shape[0] == 1 else x.T


def _check_weights(name: str, weights: Tensor | None, count: int) -> None:
    if weights is None:
        return
    if weights.dtype.np_dtype.kind != "i":
        raise ArgumentTypeError(f"For 'cov', {name} must be of ints, but is {weights.dtype}.")
    if weights.ndim > 1 or weights.shape[0] != count:
        raise KernelError(f"For 'cov', {name} must be a vector of {count} weights.")


@kernel("cov")
def _covariance(m: Array, fweights: Array | None, aweights: Array | None, ddof: int) -> Array:
    with jax.default_matmul_precision("highest"):
        return jnp.cov(m, ddof=ddof, fweights=fweights, aweights=aweights)


def cov(
    m: Like,
    y: Like | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Like | None = None,
    aweights: Like | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the covariances of the rows of ``m`` and ``y``, of the columns without ``rowvar``."""
    m = _observations(m, rowvar)
    m = m if y is None else concatenate((m, _observations(y, rowvar)))
    _check_weights("fweights", fweights, m.shape[1])
    _check_weights("aweights", aweights, m.shape[1])
    found = _covariance(m, fweights, aweights, 1 - bias if ddof is None else ddof)
    return typed(found, None if dtype is None else mstype.as_dtype(dtype))


@kernel("corrcoef")
def _correlation(c: Array) -> Array:
    if not c.ndim:
        return c / c
    variance = jnp.diag(c)
    return jnp.clip(c / jnp.sqrt(variance[:, None] * variance), -1, 1)


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    """Return the correlation coefficients of the rows, of the columns without ``rowvar``."""
    found = _correlation(cov(x, y, rowvar))
    return typed(found, None if dtype is None else mstype.as_dtype(dtype))


def promote_types(type1: Any, type2: Any) -> mstype.DType:
    """Return the dtype in which two dtypes meet."""
    return mstype.from_numpy(promoted(*(mstype.to_numpy(dtype_of(t)) for t in (type1, type2))))


def result_type(*arrays_and_dtypes: Any) -> mstype.DType:
    """Return the dtype in which arrays, numbers and dtypes meet."""
    found = []
    for item in arrays_and_dtypes:
        if isinstance(item, str):
            found.append(np.dtype(item))
            continue
        known = isinstance(item, (Tensor, bool, int, float))
        found.append(mstype.to_numpy(tensor(item).dtype if known else dtype_of(item)))
    return mstype.from_numpy(promoted(*found))


@kernel("ravel_multi_index")
def _flat_positions(multi_index: Indices, dims: tuple, mode: str, order: str) -> Array:
    found = jnp.ravel_multi_index(tuple(multi_index), dims, mode, order)
    return found.astype(jnp.float32)


def ravel_multi_index(
    multi_index: Like, dims: Like, mode: str = "clip", order: str = "C"
) -> Tensor:
    """Return the position in the flattened array for positions on each axis, float32."""
    if dims.ndim > 1 or dims.dtype.np_dtype.kind not in "iu":
        raise ArgumentTypeError(f"dims must be ints, but got {dims!r}.")
    if multi_index.dtype.np_dtype.kind == "f":
        raise ArgumentTypeError("the positions must be ints.")
    if mode == "raise":
        raise UnsupportedError("the mode 'raise' is not there.")
    if mode not in ("clip", "wrap") or order not in ("C", "F"):
        raise ArgumentValueError("mode must be 'clip' or 'wrap', and order 'C' or 'F'.")
    sizes = dims.ravel().asnumpy().tolist()
    if len(multi_index) != len(sizes):
        raise ArgumentValueError(f"For 'ravel_multi_index', {len(sizes)} positions are needed.")
    return _flat_positions(multi_index, tuple(sizes), mode, order)


__all__ = functions(globals())
