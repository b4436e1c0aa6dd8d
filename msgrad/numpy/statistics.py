"""Histograms, searching, interpolation, covariances, and questions about dtypes and positions."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError, UnsupportedError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import is_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy.array_creations import linspace
from msgrad.numpy.array_ops import concatenate, stack
from msgrad.numpy.dtypes import dtype_of, promoted
from msgrad.numpy.utils import tensor, tensors, typed


@operator("searchsorted")
def _found(a: Indices, v: Indices, side: str) -> Array:
    if a.ndim != 1:
        raise ArgumentValueError("For 'searchsorted', a must be 1-d.")
    wide = jnp.promote_types(v.dtype, jnp.float32)
    below = jnp.less if side == "left" else jnp.less_equal
    smaller = below(a.astype(jnp.float32).astype(wide), v.astype(wide)[..., None])
    return smaller.sum(-1, dtype=jnp.int32)


@checked
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """Return where each element of ``v`` would go into the sorted vector ``a``, int32."""
    if side not in ("left", "right"):
        raise ArgumentValueError("For 'searchsorted', side must be 'left' or 'right'.")
    a = tensor(a)
    if sorter is not None:
        sorter = tensor(sorter)
        if sorter.ndim != 1 or sorter.size != a.size:
            raise ArgumentValueError("For 'searchsorted', sorter must be 1-d and as long as a.")
        a = a[sorter]
    return _found(a, tensor(v), side)


@operator("interp")
def _interpolated(x: Array, xp: Array, fp: Array, left: Array | None, right: Array | None) -> Array:
    if xp.ndim != 1 or fp.shape != xp.shape:
        raise ArgumentValueError("For 'interp', xp and fp must be 1-d and of one length.")
    points = [p.astype(jnp.float32) for p in (xp, fp)]
    x = x if is_inexact(x.dtype) else x.astype(jnp.float32)
    return jnp.interp(x, *points, left=left, right=right)


@checked
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Tensor:
    """Return the values at ``x`` of the line through the points, ``left`` and ``right`` outside."""
    ends = [None if v is None else tensor(v) for v in (left, right)]
    return _interpolated(*tensors(x, xp, fp), *ends)


@operator("digitize")
def _binned(x: Indices, bins: Indices, right: bool) -> Array:
    if bins.ndim != 1:
        raise ArgumentValueError("For 'digitize', bins must be 1-d.")
    if bins.size == 0:
        return jnp.zeros(x.shape, jnp.int32)
    side = "left" if right else "right"
    rising = _found.kernel(bins, x, side)
    falling = bins.size - _found.kernel(bins[::-1], x, "right" if right else "left")
    return jnp.where(bins[0] <= bins[-1], rising, falling).astype(jnp.int32)


@checked
def digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    """Return the number of the bin of each element; bins rise or fall."""
    return _binned(*tensors(x, bins), right)


@operator("bincount")
def _counted(x: Indices, weights: Array | None, length: int) -> Array:
    ones = jnp.ones(x.shape, jnp.float32) if weights is None else weights.astype(jnp.float32)
    return jnp.zeros(length, jnp.float32).at[jnp.maximum(x, 0)].add(ones, mode="drop")


@checked
def bincount(x: Any, weights: Any = None, minlength: int = 0, length: Any = None) -> Tensor:
    """Return how often each int stands in a vector, or the sum of its weights; float32.

    Args:
        x: Vector of ints, those below 0 counted as 0.
        weights: One number per element.
        minlength: How long the result is at least.
        length: How long it is; in a compiled function it has to be given.
    """
    x = tensor(x)
    if x.ndim != 1:
        raise ArgumentValueError("For 'bincount', x must be 1-d.")
    if x.dtype.np_dtype.kind != "i":
        raise ArgumentTypeError(f"For 'bincount', x must be of signed ints, but is {x.dtype}.")
    weights = None if weights is None else tensor(weights)
    if weights is not None and weights.shape != x.shape:
        raise ArgumentValueError("For 'bincount', x and weights must have the same shape.")
    if length is None:
        length = max(int(x.asnumpy().max(initial=0)) + 1, minlength)
    return _counted(x, weights, length)


@checked
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Tensor:
    """Return the edges of ``bins`` equal bins of an array, or of a range; edges as they are."""
    a = tensor(a)
    if weights is not None and tensor(weights).shape != a.shape:
        raise ArgumentValueError("For 'histogram_bin_edges', weights must have the shape of a.")
    if isinstance(bins, (tuple, list, Tensor)):
        bins = tensor(bins)
        if bins.ndim != 1:
            raise ArgumentValueError("For 'histogram_bin_edges', an array of bins must be 1-d.")
        return bins
    if isinstance(bins, str):
        raise UnsupportedError("For 'histogram_bin_edges', bins cannot be a name.")
    if range is None:
        wide = a.ravel().astype(mstype.float32)
        low, high = ops.reduce_min(wide), ops.reduce_max(wide)
    else:
        if not isinstance(range, (list, tuple)) or len(range) != 2 or range[0] > range[1]:
            raise ArgumentValueError("For 'histogram_bin_edges', range must be (start, end).")
        low, high = tensors(*range)
    half = ops.mul(ops.equal(low, high).astype(mstype.float32), 0.5)
    return linspace(ops.sub(low, half), ops.add(high, half), bins + 1)


def _counts(columns: list[Tensor], edges: list[Tensor], weights: Any, density: bool) -> Tensor:
    """Count rows in a grid of bins; the last bin of each axis has its right edge too."""
    flat: Any = 0
    outside: Any = None
    for x, edge in zip(columns, edges, strict=True):
        last = edge.size - 2
        place = ops.sub(searchsorted(edge, x, "right"), 1)
        place = ops.select(ops.equal(x, edge[-1]), ops.full_like(place, last), place)
        wrong = ops.logical_or(ops.less(place, 0), ops.gt(place, last))
        outside = wrong if outside is None else ops.logical_or(outside, wrong)
        flat = ops.add(ops.mul(place, 1), ops.mul(flat, last + 1))
    shape = tuple(edge.size - 1 for edge in edges)
    total = 1
    for size in shape:
        total *= size
    flat = ops.masked_fill(flat, outside, total)
    count = bincount(flat, weights, length=total).reshape(shape)
    if not density:
        return count
    rest = ops.reduce_sum(count)
    for axis, edge in enumerate(edges):
        width = ops.sub(edge[1:], edge[:-1])
        sizes = [1] * len(shape)
        sizes[axis] = -1
        count = ops.div(count, width.reshape(sizes))
    return ops.div(count, rest)


@checked
def histogram(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    """Return how many elements each bin holds, float32, and the edges of the bins."""
    a = tensor(a)
    edges = histogram_bin_edges(a, bins, range, weights)
    weights = None if weights is None else tensor(weights).ravel()
    return _counts([a.ravel()], [edges], weights, density), edges


@checked
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> tuple[Tensor, list[Tensor]]:
    """Return how many rows each cell of a grid holds, float32, and the edges along each axis."""
    if isinstance(sample, (tuple, list)):
        sample = stack(tensors(*sample), -1)
    elif not isinstance(sample, Tensor):
        raise ArgumentTypeError(f"For 'histogramdd', sample must be array-like, not {sample!r}.")
    if sample.ndim != 2:
        raise ArgumentValueError("For 'histogramdd', an array of samples must be 2-d.")
    count = sample.shape[1]
    bins = [bins] * count if isinstance(bins, int) else bins
    if not isinstance(bins, (tuple, list, Tensor)):
        raise ArgumentTypeError(f"For 'histogramdd', bins must be an int or several, not {bins!r}.")
    ranges = [None] * count if range is None else range
    if len(bins) != count or len(ranges) != count:
        raise ArgumentValueError("For 'histogramdd', give bins and range per axis.")
    columns = list(ops.unstack(sample, 1))
    edges = [
        histogram_bin_edges(x, b, r, weights) for x, b, r in zip(columns, bins, ranges, strict=True)
    ]
    weights = None if weights is None else tensor(weights)
    return _counts(columns, edges, weights, density), edges


@checked
def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return how many points each cell of a plane holds, and the edges along both axes."""
    count, edges = histogramdd((x, y), bins, range, weights, density)
    return count, edges[0], edges[1]


def _observations(x: Any, rowvar: bool) -> Tensor:
    x = tensor(x).astype(mstype.float32)
    if x.ndim > 2 or x.size == 0:
        raise ArgumentValueError("For 'cov', an input must be 1-d or 2-d and not empty.")
    x = x.reshape((1,) * (2 - x.ndim) + tuple(x.shape))
    return x if rowvar or x.shape[0] == 1 else x.T


def _weights(name: str, weights: Any, count: int) -> Tensor:
    weights = tensor(weights)
    if weights.dtype.np_dtype.kind != "i":
        raise ArgumentTypeError(f"For 'cov', {name} must be of ints, but is {weights.dtype}.")
    if weights.ndim > 1 or weights.shape[0] != count:
        raise KernelError(f"For 'cov', {name} must be a vector of {count} weights.")
    return ops.abs(weights.astype(mstype.float32))


@operator("cov")
def _covariance(m: Array, fweights: Array | None, aweights: Array | None, ddof: int) -> Array:
    found = [w for w in (fweights, aweights) if w is not None]
    w = None if not found else found[0] * found[-1] if len(found) == 2 else found[0]
    mean = jnp.average(m, 1, w)
    if w is None:
        divisor = m.shape[1] - ddof
    elif ddof == 0 or aweights is None:
        divisor = w.sum() - ddof
    else:
        divisor = w.sum() - ddof * (w * aweights).sum() / w.sum()
    m = m - mean[:, None]
    product = jnp.dot(m, (m if w is None else m * w).T, precision="highest")
    return jnp.squeeze(product / divisor)


@checked
def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Tensor:
    """Return the covariances of the rows of ``m`` and ``y``, of the columns without ``rowvar``."""
    m = _observations(m, rowvar)
    m = m if y is None else concatenate((m, _observations(y, rowvar)))
    f, a = (
        None if w is None else _weights(name, w, m.shape[1])
        for name, w in (("fweights", fweights), ("aweights", aweights))
    )
    found = _covariance(m, f, a, (0 if bias else 1) if ddof is None else ddof)
    return typed(found, None if dtype is None else mstype.as_dtype(dtype))


@operator("corrcoef")
def _correlation(c: Array) -> Array:
    if not c.ndim:
        return c / c
    deviation = jnp.sqrt(jnp.diag(c))
    return jnp.clip(c / deviation[:, None] / deviation[None, :], -1, 1)


@checked
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    """Return the correlation coefficients of the rows, of the columns without ``rowvar``."""
    found = _correlation(cov(x, y, rowvar))
    return typed(found, None if dtype is None else mstype.as_dtype(dtype))


@checked
def promote_types(type1: Any, type2: Any) -> mstype.DType:
    """Return the dtype in which two dtypes meet."""
    return mstype.from_numpy(promoted(*(mstype.to_numpy(dtype_of(t)) for t in (type1, type2))))


@checked
def result_type(*arrays_and_dtypes: Any) -> mstype.DType:
    """Return the dtype in which arrays, numbers and dtypes meet."""
    found = []
    for item in arrays_and_dtypes:
        known = isinstance(item, (Tensor, bool, int, float))
        found.append(tensor(item).dtype if known else dtype_of(item))
    return mstype.from_numpy(promoted(*map(mstype.to_numpy, found)))


@operator("ravel_multi_index")
def _flat_positions(multi_index: Indices, dims: tuple, mode: str, order: str) -> Array:
    total, stride = 0, 1
    steps = list(zip(multi_index, dims, strict=True))
    for index, size in reversed(steps) if order == "C" else steps:
        inside = jnp.clip(index, 0, size - 1) if mode == "clip" else jnp.mod(index, size)
        total, stride = total + inside * stride, stride * size
    return jnp.asarray(total).astype(jnp.float32)


@checked
def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "clip", order: str = "C") -> Tensor:
    """Return the position in the flattened array for positions on each axis, float32."""
    sizes = tensor(dims)
    if sizes.ndim > 1 or sizes.dtype.np_dtype.kind not in "iu":
        raise ArgumentTypeError(f"For 'ravel_multi_index', dims must be ints, but got {dims!r}.")
    multi_index = tensor(multi_index)
    if multi_index.dtype.np_dtype.kind == "f":
        raise ArgumentTypeError("For 'ravel_multi_index', the positions must be ints.")
    if mode == "raise":
        raise UnsupportedError("For 'ravel_multi_index', the mode 'raise' is not there.")
    if mode not in ("clip", "wrap") or order not in ("C", "F"):
        raise ArgumentValueError(
            "For 'ravel_multi_index', mode must be 'clip' or 'wrap', and order 'C' or 'F'."
        )
    sizes = sizes.ravel().asnumpy().tolist()
    if len(multi_index) != len(sizes):
        raise ArgumentValueError(f"For 'ravel_multi_index', {len(sizes)} positions are needed.")
    return _flat_positions(multi_index, tuple(sizes), mode, order)


__all__ = [
    *("searchsorted", "interp", "digitize", "bincount", "histogram", "histogramdd"),
    *("histogram2d", "histogram_bin_edges", "cov", "corrcoef", "promote_types", "result_type"),
    *("ravel_multi_index",),
]
