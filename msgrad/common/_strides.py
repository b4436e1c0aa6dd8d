"""Where the elements of a view stand in the memory of the Tensor that it shows; no values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from msgrad.common._views import everything

_CELL = np.empty(1, np.uint8)


class Layout(NamedTuple):
    """The memory of a Tensor, in elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @property
    def contiguous(self) -> bool:
        """Whether the elements lie next to each other, in row-major order."""
        return reshaped(self, (-1,)) == (1,)


def layout(tensor: Any) -> Layout:
    """Return where the elements of a Tensor stand."""
    return _layout(*_way(tensor))


def shares_memory(tensor: Any, result: Any) -> bool:
    """Whether a Tensor in the shape of ``result`` is a view of it, rather than a copy."""
    if tensor._view is None:
        return True
    after = _shape(result)
    # Sizes that are open, as of a network that is exported, are those of no memory.
    return not all(type(size) is int for size in after) or _shares(*_way(tensor), after)


def _way(tensor: Any) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """Return the shape of the Tensor whose memory one shows, and what leads from there to it."""
    steps: list[Any] = []
    while tensor._view is not None:
        base, view_of, _ = tensor._view
        if view_of is not everything:
            step = getattr(view_of, "args", None)
            if step is None:
                break
            op, options, *beside = step
            if beside:
                # The number of a piece, or where a region begins in each dimension.
                beside = [n if isinstance(n, int) else tuple(map(int, n)) for n in beside]
            steps.append((op, options, tuple(beside), _shape(tensor)))
        tensor = base
    return _shape(tensor), tuple(reversed(steps))


def _shape(tensor: Any) -> tuple[int, ...]:
    # Not the value of now: to bring a view up to date takes longer, and its shape stays.
    data = vars(tensor).get("_data")
    return (tensor._now() if data is None else data).shape


@lru_cache(maxsize=4096)
def _layout(shape: tuple[int, ...], steps: tuple[Any, ...]) -> Layout:
    # NumPy's own views, of memory that is never read.
    first = shown = _strided(shape, _row_major(shape))
    for op, options, beside, after in steps:
        view = _VIEWS.get(op.name)
        given = (*beside, *options)
        shown = op.kernel(shown, *given) if view is None else view(shown, after, *given)
    place = [a.__array_interface__["data"][0] for a in (first, shown)]
    return Layout(shown.shape, shown.strides, place[1] - place[0])


@lru_cache(maxsize=4096)
def _shares(shape: tuple[int, ...], steps: tuple[Any, ...], after: tuple[int, ...]) -> bool:
    return reshaped(_layout(shape, steps), after) is not None


def _row_major(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(np.prod(shape[d + 1 :], dtype=np.int64)) for d in range(len(shape)))


def _strided(shape: Sequence[int], strides: Sequence[int], start: Any = _CELL) -> Any:
    return np.lib.stride_tricks.as_strided(start, shape, strides)


def reshaped(of: Any, shape: Sequence[int]) -> tuple[int, ...] | None:
    """Return the strides that memory has in another shape, None where it has to be copied.

    Args:
        of: Something of a ``shape`` and ``strides``, in elements.
        shape: Of as many elements; (-1,) is the one of all.
    """
    total = int(np.prod(of.shape, dtype=np.int64))
    shape = (total,) if tuple(shape) == (-1,) else shape
    if not total:
        return _row_major(shape) if len(shape) != 1 else (1,)
    runs: list[tuple[int, int]] = []
    for size, stride in zip(of.shape, of.strides, strict=True):
        if runs and size != 1 and runs[-1][1] == size * stride:
            runs[-1] = (runs[-1][0] * size, stride)
        elif size != 1:
            runs.append((size, stride))
    found, left, stride = [], 1, 1
    for size in shape:
        if left == 1 and size != 1 and runs:
            left, stride = runs.pop(0)
        if left % size:
            return None
        left //= size
        found.append(left * stride)
    return tuple(found)


def _reshape(shown: Any, after: tuple[int, ...], *_: Any) -> Any:
    strides = reshaped(shown, after)
    assert strides is not None, "a reshape that copies is no view"
    return _strided(after, strides, shown)


def _narrow(shown: Any, after: Any, axis: int, start: int, length: int) -> Any:
    return np.moveaxis(np.moveaxis(shown, int(axis), 0)[start : start + length], 0, int(axis))


def _split(shown: Any, after: Any, index: int, sizes: Any, axis: int) -> Any:
    return _narrow(shown, after, axis, sum(sizes[:index]), sizes[index])


# For operators whose kernels do not take NumPy's arrays: of the shape before and after.
_VIEWS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("Reshape", "flatten", "Squeeze", "ExpandDims", "unsqueeze"), _reshape),
    "StopGradient": lambda shown, after: shown,
    "narrow": _narrow,
    "Split": _split,
    "Unstack": lambda shown, after, index, axis: np.moveaxis(shown, axis, 0)[index],
    "moveaxis": lambda shown, after, *axes: np.moveaxis(shown, *axes),
    "diagonal": lambda shown, after, *options: np.diagonal(shown, *options),
    "BroadcastTo": lambda shown, after, shape: np.broadcast_to(shown, after),
}
