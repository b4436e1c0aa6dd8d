"""Counts, histograms and distinct elements, and what says where elements stand.

Sorting is in ``sorting``, quantiles are in ``quantiles``. Where the shape of a result depends on
values, these must be known.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.checks import at_least, of_type, one_of, within
from msgrad._core.errors import KernelError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import limits
from msgrad._core.registry import function, spelling
from msgrad._core.rounding import quotient
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, of_rank, of_shape, one_axis, refuse
from msgrad.ops.reduction import reduce_mean, std
from msgrad.ops.sorting import searchsorted, sort


@operator("Bincount", int_grad=True)
def _counted(weights: Array, places: Indices, size: int) -> Array:
    # What is negative does not count; JAX would count it from the end.
    kept = jnp.where(places < 0, size, places)
    return jnp.zeros(size, weights.dtype).at[kept].add(weights, mode="drop")


@function
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count how often each number occurs, or sum the weights where it does.

    Args:
        input: Tensor (N,), whose values are known; what is negative, or no integer, does not
            count.
        weights: Tensor (N,); ones by default.
        minlength: The least length of the result.

    Returns:
        float32 Tensor.

    Raises:
        ValueError: If ``input`` has not one dimension.
    """
    of_rank(input, 1)
    values = np.asarray(input._concrete("bincount"))
    if values.dtype.kind == "f":
        # A number between two integers is none of those that are counted.
        input = Tensor(np.where(values == np.trunc(values), values, -1).astype(np.int32))
    size = max(int(values.max()) + 1 if values.size else 0, minlength)
    weights = Tensor(np.ones(values.shape)) if weights is None else weights
    return _counted(weights.astype(mstype.float32), input, size)


@function(primitive="Bincount")
def _bincount_primitive(array: Tensor, size: Tensor, weights: Tensor) -> Tensor:
    """Sum the weights of each number below ``size``."""
    return _counted(weights, array, int(size.asnumpy()))


@operator("Bucketize", primitive="(input, /, boundaries)")
def _buckets(input: Array, boundaries: tuple[float, ...], right: bool = False) -> Array:
    """Return the number of the interval that each element lies in: int32.

    Args:
        input: Tensor.
        boundaries: list of floats, in order; an element on one belongs to the interval after it.
    """
    refuse(input, jnp.bool_)
    side = "left" if right else "right"
    edges = np.asarray(boundaries, np.float32)
    return jnp.searchsorted(edges, input, side=side).astype(jnp.int32)


@function
def bucketize(input: Tensor, boundaries: Any, *, right: bool = False) -> Tensor:
    """Return the number of the interval that each element lies in: int32.

    Args:
        input: Tensor.
        boundaries: list, tuple or Tensor of numbers, in order.
        right: Whether an element on a boundary belongs to the interval after it.
    """
    if isinstance(boundaries, Tensor):
        boundaries = boundaries.tolist()
    of_type("", "boundaries", boundaries, list, tuple)
    return _buckets(input, tuple(boundaries), not right)


@operator("Histogram", primitive="(bins=100, min=0.0, max=0.0)")
def histc(input: Array, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Array:
    """Count the elements in ``bins`` intervals of one width: float32, or int32 of integers.

    Args:
        input: Tensor of float16, float32 or int32.
        bins: How many.
        min: Where the first begins; with ``max`` equal to it, the smallest element.
        max: Where the last one ends; the largest element.
    """
    at_least("", "bins", bins, 1)
    low, high = (input.min(), input.max()) if min == max else (min, max)
    x, low, high = (jnp.asarray(v, jnp.float32) for v in (input, low, high))
    wide = jnp.where(low == high, 1.0, 0.0)
    low, high = low - wide, high + wide
    place = jnp.floor(quotient(x - low, high - low) * bins).astype(jnp.int32)
    place = jnp.where(x == high, bins - 1, place)
    inside = (x >= low) & (x <= high)
    counts = jnp.zeros(bins, jnp.int32).at[jnp.where(inside, place, bins)].add(1, mode="drop")
    return counts.astype(jnp.float32 if input.dtype == jnp.float16 else input.dtype)


@operator("HistogramFixedWidth", primitive="(nbins, dtype='int32')")
def _histogram(x: Indices, range: Indices, nbins: int, dtype: str = "int32") -> Array:
    """Count the elements in ``nbins`` intervals of one width, those outside at the ends: int32.

    Args:
        x: Tensor of float16, float32 or int32.
        range: Tensor (2,): where the first begins, where the last ends.
        nbins: How many.
        dtype: Must be "int32".
    """
    at_least("", "nbins", nbins, 1)
    of_shape(range, "range", 2)
    one_of("", "dtype", dtype, "int32")
    low, high = range
    place = jnp.floor(quotient(x - low, high - low) * nbins).astype(jnp.int32)
    place = jnp.clip(place, 0, nbins - 1).reshape(-1)
    return jnp.zeros(nbins, jnp.int32).at[place].add(1)


@function
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Return the elements, each run of equal ones as one.

    Args:
        input: Tensor whose values are known.
        return_inverse: Whether to return where each element went, int64.
        return_counts: Whether to return how long each run is, int64.
        dim: Compare slices of this dimension; by default all elements, flattened.

    Returns:
        A Tensor; with one of the options, a tuple of it and what was asked for.
    """
    values = np.asarray(input._concrete("unique_consecutive"))
    rows = values.reshape(-1, 1) if dim is None else np.moveaxis(values, dim, 0)
    flat = rows.reshape(rows.shape[0], math.prod(rows.shape[1:]))
    begins = np.ones(len(flat), bool)
    begins[1:] = (flat[1:] != flat[:-1]).any(1)
    kept = values.reshape(-1)[begins] if dim is None else np.compress(begins, values, dim)
    inverse = (np.cumsum(begins) - 1).reshape(values.shape if dim is None else -1)
    counts = np.diff(np.append(np.flatnonzero(begins), len(flat)))
    found = [Tensor(kept)]
    found += [Tensor(inverse)] if return_inverse else []
    found += [Tensor(counts)] if return_counts else []
    return tuple(found) if len(found) > 1 else found[0]


@function(primitive="UniqueConsecutive(return_inverse=False, return_counts=False, dim=None)")
def _unique_consecutive(
    input: Tensor, return_inverse: bool, return_counts: bool, dim: int | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the elements, each run of equal ones as one, where each went and how long runs are.

    Along ``dim``, of all elements if it is None. What ``return_inverse`` and ``return_counts`` do
    not ask for is the number 0, as in MindSpore.
    """
    out, inverse, counts = unique_consecutive(input, True, True, dim)
    none = Tensor(0)
    return out, inverse if return_inverse else none, counts if return_counts else none


@function(primitive="UniqueWithPad")
def unique_with_pad(x: Tensor, pad_num: Any) -> tuple[Tensor, Tensor]:
    """Return the distinct elements of a 1-D Tensor, filled up to its size with ``pad_num``.

    Returns:
        The elements in the order of their first occurrence, and for each element of ``x`` its
        position in them.
    """
    of_rank(x, 1)
    values = np.asarray(x._concrete("unique_with_pad"))
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    position = np.empty_like(order)
    position[order] = np.arange(order.size)
    padded = np.full_like(values, int(pad_num))
    padded[: order.size] = values[first[order]]
    return Tensor(padded), Tensor(position[inverse].astype(values.dtype))


@operator("CumulativeLogsumexp", primitive="(exclusive=False, reverse=False)")
def _running_logsumexp(
    x: Array, axis: int, exclusive: bool = False, reverse: bool = False
) -> Array:
    """Return the logarithm of the running sum of the exponentials.

    Args:
        x: Tensor, floating.
        axis: int Tensor of one element.
        exclusive: Whether each element leaves out itself.
        reverse: Whether to run from the end.
    """
    refuse(x, jnp.bool_, jnp.integer)
    place = one_axis(axis, x.ndim)
    found = jax.lax.cumlogsumexp(x, place, reverse)
    if not exclusive:
        return found
    # One step later: minus infinity comes in, and the last result goes.
    ends, cut = [(0, 0)] * x.ndim, [slice(None)] * x.ndim
    ends[place], cut[place] = ((0, 1), slice(1, None)) if reverse else ((1, 0), slice(0, -1))
    return jnp.pad(found, ends, constant_values=limits(x.dtype)[0])[tuple(cut)]


logcumsumexp = spelling(
    "logcumsumexp(input: x, axis)",
    _running_logsumexp,
    "Return the logarithm of the running sum of the exponentials along ``axis``.",
)


@operator("NthElement", primitive="(reverse=False)", int_grad=True)
def _nth_element(input: Array, n: int, reverse: bool = False) -> Array:
    """Return the n-th smallest element of the last dimension.

    Args:
        input: Tensor.
        n: Which, counted from 0.
        reverse: The n-th largest instead.
    """
    within("", "n", n, f"[0, {input.shape[-1]})")
    return jnp.sort(input, -1, descending=reverse)[..., n]


@function(primitive="ListDiff(out_idx=mstype.int32)")
def _list_diff(x: Tensor, y: Tensor, out_idx: Any = mstype.int32) -> tuple[Tensor, Tensor]:
    """Return the elements of ``x`` that are not in ``y``, and where they stand.

    Args:
        x: Tensor (N,) whose values are known.
        y: Tensor (M,) of the same dtype.
        out_idx: int32 or int64.
    """
    values = np.asarray(x._concrete("ListDiff"))
    places = np.flatnonzero(~np.isin(values, np.asarray(y._concrete("ListDiff"))))
    return Tensor(values[places]), Tensor(places.astype(out_idx.np_dtype))


@function(primitive="InvertPermutation")
def _invert_permutation(input_x: tuple[int, ...]) -> tuple[int, ...]:
    """Return the permutation that undoes one, both as tuples of ints.

    Raises:
        ValueError: If the numbers are no permutation.
    """
    need(sorted(input_x) == list(range(len(input_x))), "the input must be a permutation", input_x)
    return tuple(np.argsort(input_x).tolist())


def _bound(name: str, right: bool, where: str) -> Any:
    def bound(sorted_x: Tensor, values: Tensor, out_type: Any = mstype.int32) -> Tensor:
        return searchsorted(sorted_x, values, out_int32=out_type is mstype.int32, right=right)

    bound.__doc__ = f"""Return where values would be inserted into sorted rows, {where} equal ones.

    Args:
        sorted_x: Tensor (M, N), sorted along the last dimension.
        values: Tensor (M, K).
        out_type: int32 or int64.
    """
    said = f"{name}(out_type=mstype.int32)"
    return function(name=name, primitive=said, public=False)(bound)


_lower_bound = _bound("LowerBound", False, "before")
_upper_bound = _bound("UpperBound", True, "after")


@function(primitive="SearchSorted(dtype=mstype.int64, right=False)")
def _search_sorted(
    sorted_sequence: Tensor,
    values: Tensor,
    sorter: Tensor | None = None,
    dtype: Any = mstype.int64,
    right: bool = False,
) -> Tensor:
    """Return the places where ``values`` would be inserted into sorted rows.

    Args:
        sorted_sequence: Tensor (..., N).
        values: Tensor (..., M).
        sorter: int64 Tensor (..., N) that puts the sequence in order.
        dtype: int32 or int64.
        right: After equal elements instead of before them.
    """
    int32 = dtype is mstype.int32
    return searchsorted(sorted_sequence, values, out_int32=int32, right=right, sorter=sorter)


@operator("CountNonZero", primitive="(dims=None)")
def _count_nonzero(x: Array, dims: Any = None) -> Array:
    """Count the elements that are not zero: int64.

    Args:
        x: Tensor.
        dims: int or tuple of ints: along which dimensions.
    """
    return jnp.sum(x != 0, dims, dtype=jnp.int64)


@function(primitive="ReduceStd(axis=[], unbiased=True, keep_dims=False)")
def _reduce_std(
    x: Tensor, axis: Any = (), unbiased: bool = True, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the standard deviation and the mean.

    Args:
        x: Tensor, floating.
        axis: int, tuple or list of them; none for all dimensions.
        unbiased: Whether to divide by one less than the number of elements.
        keep_dims: Whether the dimensions stay, with size 1.
    """
    named = tuple(axis) if isinstance(axis, (list, tuple)) else (axis,)
    deviation = std(x, named or None, int(unbiased), keep_dims)
    return deviation, reduce_mean(x, named, keep_dims)


@operator("InTopK", primitive="(k)")
def intopk(x1: Array, x2: Indices, k: int) -> Array:
    """Whether the score of the right class is among the ``k`` highest of its row.

    Args:
        x1: Tensor (N, classes), float16 or float32.
        x2: int32 or int64 Tensor (N,): the classes.
        k: How many.
    """
    of_rank(x1, 2, label="x1")
    of_shape(x2, "x2", x1.shape[0])
    own = jnp.take_along_axis(x1, x2[:, None].astype(jnp.int32), 1, mode="fill")
    return (jnp.sum(x1 > own, 1) < k) & jnp.isfinite(own[:, 0])


@operator("EqualCount", primitive=True)
def _equal_count(x: Array, y: Array) -> Array:
    """Count the elements that are equal in both Tensors, in their dtype: Tensor (1,)."""
    return jnp.sum(x == y).astype(x.dtype).reshape(1)


@function
def msort(input: Tensor) -> Tensor:
    """Sort along the first dimension."""
    return sort(input, 0)[0]


@operator("diff", int_grad=True)
def _differences(x: Array, prepend: Array | None, append: Array | None, n: int, axis: int) -> Array:
    options = {"prepend": prepend, "append": append}
    return jnp.diff(x, n, axis, **{k: v for k, v in options.items() if v is not None})


@function
def diff(
    x: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences between neighbours along ``axis``.

    Args:
        x: Tensor of one dimension or more.
        n: 1; how many times.
        axis: The dimension.
        prepend: Tensor put before ``x`` first.
        append: Tensor put after it.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        RuntimeError: If ``n`` is not 1, as in MindSpore.
    """
    if n != 1:
        raise KernelError(f"'n' must be 1, but got {n}; call diff again on the result.")
    return _differences(x, prepend, append, n, axis)


diff_ext = spelling(
    "diff_ext(input: x, n=1, dim: axis = -1, prepend=None, append=None)",
    _differences,
    "Return the differences, taken ``n`` times, between neighbours along ``dim``.",
)


@operator("CompareAndBitpack", primitive=True)
def _compare_and_bitpack(x: Array, threshold: Array) -> Array:
    """Return, for every 8 elements of the last dimension, a byte of which ones are greater."""
    return jnp.packbits((x > threshold).astype(jnp.uint8), axis=-1)


@function(primitive="SubAndFilter")
def _sub_and_filter(
    input_x: Tensor, max_num: Tensor | int, offset: Tensor | int
) -> tuple[Tensor, Tensor]:
    """Subtract ``offset`` and keep what lies in [0, max_num); also where it stood."""
    values = np.asarray(input_x._concrete("SubAndFilter")) - np.asarray(offset).astype(
        input_x.dtype.np_dtype
    )
    kept = np.flatnonzero((values >= 0) & (values < np.asarray(max_num)))
    return Tensor(values[kept]), Tensor(kept.astype(values.dtype))


@operator("UnravelIndex", primitive=True)
def _unravel_index(indices: Indices, dims: Indices) -> Array:
    """Return the coordinates, one row for each dimension, of flat positions.

    Args:
        indices: int Tensor (N,) or ().
        dims: int Tensor, the sizes of the dimensions.
    """
    steps = jnp.flip(jnp.cumprod(jnp.flip(jnp.append(dims[1:], 1))))
    return (indices[None] // steps.reshape(-1, *[1] * indices.ndim)) % dims.reshape(
        -1, *[1] * indices.ndim
    )


@function(primitive="RaggedRange(Tsplits)")
def _ragged_range(
    starts: Tensor, limits: Tensor, deltas: Tensor, Tsplits: Any
) -> tuple[Tensor, Tensor]:
    """Return ranges, one after another, and where each begins.

    Args:
        starts: Tensor (N,) or ().
        limits: Tensor likewise.
        deltas: Tensor likewise.
        Tsplits: dtype of the beginnings: int32 or int64.
    """
    bounds = [
        np.atleast_1d(np.asarray(t._concrete("RaggedRange"))) for t in (starts, limits, deltas)
    ]
    ranges = [np.arange(*b) for b in zip(*np.broadcast_arrays(*bounds), strict=True)]
    splits = np.cumsum([0, *map(len, ranges)]).astype(Tsplits.np_dtype)
    return Tensor(splits), Tensor(np.concatenate(ranges).astype(bounds[0].dtype))


@function(primitive="NoRepeatNGram(ngram_size=1)")
def _no_repeat_ngram(state_seq: Tensor, log_probs: Tensor, ngram_size: int = 1) -> Tensor:
    """Return the scores, minus infinity for the words that would repeat an n-gram.

    Args:
        state_seq: int Tensor (batch, beam, length): the words so far.
        log_probs: Tensor (batch, beam, words): the scores of the next one.
        ngram_size: n.
    """
    words, scores = state_seq.asnumpy(), log_probs.asnumpy()
    for place in np.ndindex(words.shape[:2]):
        row = words[place].tolist()
        last = row[len(row) - ngram_size + 1 :]
        for i in range(len(row) - ngram_size + 1):
            if row[i : i + ngram_size - 1] == last:
                scores[(*place, row[i + ngram_size - 1])] = np.finfo(scores.dtype).min
    return Tensor(scores)
