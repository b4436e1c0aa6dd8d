"""``x[index]`` and ``x[index] = value``: what an index means, and the kernels that carry it out.

Where a slice starts and which integer was given are operands of the compiled kernels, not part of
what they are compiled for, so that ``x[i]`` in a loop compiles once.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import weakref
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor, operand, tensors_in
from msgrad._core.context import GRAPH_MODE, context
from msgrad._core.declared import Sizes
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError, TensorIndexError
from msgrad._core.op import Array, Arrays, Indices, Operand, Operator, dispatch, operator
from msgrad._core.promotion import convert
from msgrad._core.registry import method
from msgrad._core.scopes.discovery import value_needed
from msgrad.common._construct import to_numpy
from msgrad.common._views import detach, is_of_the_call, rebound, write_through
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import host_values
from msgrad.ops.joining import stack
from msgrad.ops.selecting import where

Spans = tuple[tuple[int, int], ...]

_ACCEPTED = (
    "Only support integers, slices(`:`), ellipsis(`...`), None, bool, tensor, int, list and tuple "
    "as index"
)


_MOST_LINKS = 4


class _Plan(NamedTuple):
    """An index that has been checked against a shape.

    Attributes:
        starts: The lowest position of the region in each dimension, int32.
        spans: How many elements of each dimension, and the (signed) step between them.
        shape: The shape of the region, without integer dimensions and with the new ones.
        arrays: The index arrays.
        axes: Which dimensions of ``shape`` they index.
    """

    starts: np.ndarray
    spans: Spans
    shape: tuple[int, ...]
    arrays: tuple[Any, ...]
    axes: tuple[int, ...]


def _cut(x: Array, starts: Array, spans: Spans) -> Array:
    """Return the region ``spans`` of ``x`` whose lowest corner is at ``starts``."""
    if isinstance(x, np.ndarray):
        corners = zip(starts, _covers(spans), strict=True)
        covered: Any = x[tuple(slice(start, start + n) for start, n in corners)]
        return covered[tuple(slice(None, None, step) for _, step in spans)]
    if tuple(n for n, _ in spans) != x.shape:
        x = jax.lax.dynamic_slice(x, [starts[i] for i in range(len(spans))], _covers(spans))
    backwards = tuple(d for d, (_, step) in enumerate(spans) if step < 0)
    if backwards:
        x = jax.lax.rev(x, backwards)
    if any(abs(step) != 1 for _, step in spans):
        x = x[tuple(slice(None, None, abs(step)) for _, step in spans)]
    return x


def _paste(x: Array, starts: Array, spans: Spans, region: Array) -> Array:
    """Return ``x`` with the region that ``_cut`` takes replaced."""
    backwards = tuple(d for d, (_, step) in enumerate(spans) if step < 0)
    if backwards:
        region = jax.lax.rev(region, backwards)
    corner = [starts[i] for i in range(len(spans))]
    if any(abs(step) != 1 for _, step in spans):
        cover = jax.lax.dynamic_slice(x, corner, _covers(spans))
        # Reversed, a stepped region begins at its lowest element again.
        region = cover.at[tuple(slice(None, None, abs(step)) for _, step in spans)].set(region)
    if region.shape == x.shape:
        return region
    return jax.lax.dynamic_update_slice(x, region, corner)


def _covers(spans: Spans) -> list[int]:
    return [(n - 1) * abs(step) + 1 if n else 0 for n, step in spans]


def _at(shape: Any, arrays: Arrays, axes: tuple[int, ...]) -> tuple[Any, ...]:
    index: list[Any] = [slice(None)] * len(shape)
    for axis, array in zip(axes, arrays, strict=True):
        # Not weakly typed, as a traced Python number is: JAX would add an int32 to it.
        index[axis] = jax.lax.convert_element_type(array, array.dtype)
    return tuple(index)


@operator("StridedSlice", int_grad=True)
def _read_region(input: Array, starts: Indices, spans: Spans, shape: Sizes) -> Array:
    return _cut(input, starts, spans).reshape(shape)


@operator("tensor getitem", int_grad=True)
def _read_elements(
    input: Array, starts: Indices, arrays: Arrays, spans: Spans, shape: Sizes, axes: tuple[int, ...]
) -> Array:
    _check_broadcast(arrays)
    return _cut(input, starts, spans).reshape(shape)[_at(shape, arrays, axes)]


@operator("SetItem", int_grad=True)
def _write_elements(
    input: Array,
    value: Operand,
    starts: Indices,
    arrays: Arrays,
    spans: Spans,
    shape: Sizes,
    axes: tuple[int, ...],
) -> Array:
    value = convert(jnp.asarray(value), input.dtype)
    if not axes:
        new = _fit(value, shape)
    else:
        _check_broadcast(arrays)
        region = _cut(input, starts, spans).reshape(shape)
        at = _at(shape, arrays, axes)
        target = jax.eval_shape(lambda r: r[at], region).shape
        new = region.at[at].set(_fit(value, target))
    return _paste(input, starts, spans, new.reshape([n for n, _ in spans]))


def _fit(value: Array, shape: Any) -> Array:
    if not shape and value.shape == (1,):
        return value.reshape(())
    if 0 in shape:
        return jnp.zeros(shape, value.dtype)
    if value.ndim > len(shape):
        raise ArgumentValueError(
            f"For SetItem, the value has shape {list(value.shape)}, but what it is assigned to has "
            f"shape {list(shape)}; its rank must not be larger."
        )
    try:
        return jnp.broadcast_to(value, shape)
    except ValueError:
        raise ArgumentValueError(
            "in order to broadcast, each dimension pair must be equal or input dimension is 1. But "
            f"got x_shape: {list(value.shape)}, target shape: {list(shape)}."
        ) from None


def _check_broadcast(arrays: Arrays) -> None:
    try:
        np.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError:
        raise ArgumentValueError(
            "the index Tensors need to broadcast, but their shapes are "
            f"{[list(a.shape) for a in arrays]}."
        ) from None


@method("__getitem__")
def getitem(self: Tensor, index: Any) -> Tensor:
    """Return the elements that ``index`` selects.

    Args:
        index: An int, slice, None, Ellipsis, True, list, int or bool Tensor, or a tuple of these.

    Returns:
        A view that shares its elements with ``self`` where integers, slices, None and Ellipsis
        select; where lists or Tensors do, a Tensor of its own; ``found[i] = value`` writes it back.

    Raises:
        IndexError: For an index out of bounds, too many, or of another type.
    """
    if index is Ellipsis or (isinstance(index, tuple) and not index):
        return self
    raw = self._peek()
    plan = _plan(index, raw.shape, "get")
    if plan.axes:
        options = (plan.spans, plan.shape, plan.axes)
        result = _read_elements.run(options, (self, None, None), (raw, plan.starts, plan.arrays))
        _note_source(result, self, index)
        return result
    options = (plan.spans, plan.shape)
    result = _read_region.run(options, (self, None), (raw, plan.starts))
    result._set_base(self, functools.partial(_region_shown, _read_region, options, plan.starts))
    if index is not None or self._picked is not None:
        result._picked = (self, None, 0 if self._picked is None else self._picked[2])
    return result


def _region_shown(op: Operator, options: tuple[Any, ...], starts: Any, raw: Any) -> Any:
    return dispatch(op, options, (raw, starts))


def _note_source(found: Tensor, source: Tensor, index: Any) -> None:
    """Note what a Tensor was picked from by a list or a Tensor, and how.

    What somebody holds is not kept alive for it, only an intermediate result is; and not more than
    a few of these, or a loop of ``x = x[order]`` would hold all that went before.
    """
    links = 0 if source._picked is None else source._picked[2] + 1
    if links < _MOST_LINKS:
        passing = links > 0 or source._view is not None
        found._picked = (source if passing else weakref.ref(source), index, links)


def _hand_back(tensor: Tensor) -> None:
    """Write a Tensor that was assigned to into what it was picked from.

    Only an assignment to an index of it does so in MindSpore, and it writes all of its elements;
    of a region of it (a view, index None) the elements are where they belong, until it is detached
    (the index is then what it was a view by).
    """
    picked = tensor._picked
    while picked is not None:
        source, index, _ = picked
        if type(source) is weakref.ref:
            source = source()
        if source is None:
            return
        if callable(index):
            source._write_elements(write_through(source._read(), index, tensor._read()))
        elif index is not None:
            source[index] = tensor
            return
        tensor, picked = source, source._picked


@method("__setitem__")
def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Replace the elements that ``index`` selects, in place.

    Args:
        index: As for reading.
        value: Tensor, number, list or tuple; cast to the tensor's dtype and broadcast.

    Raises:
        IndexError: As for reading.
        TypeError: If the value is None, a NumPy array or of another kind.
        ValueError: If the value's shape does not broadcast to the selected elements.
    """
    if any(map(_selects_nothing, index if isinstance(index, tuple) else [index])):
        return
    stays = _writes_in_place(index)
    value = _plain(value)
    if not is_tensor(value) and not isinstance(value, (int, float, list, tuple)):
        _refuse_value(value)
    raw = self._peek()
    if isinstance(index, Tensor) and not index.shape and index._peek().dtype == np.bool_:
        if not index:
            return
        index = ...
    if isinstance(value, (list, tuple)):
        value = _joined(value, self.dtype) if [*tensors_in(value)] else Tensor(value)
    if isinstance(index, Tensor) and _is_traced_mask(index, raw.shape, value):
        rest = len(raw.shape) - len(index.shape)
        mask = index.reshape((*index.shape, *[1] * rest)) if rest else index
        index, value = ..., where(mask, value, self)
    plan = _plan(index, raw.shape, "set")
    given = operand(_write_elements.places[1], value)
    options = (plan.spans, plan.shape, plan.axes)
    operands = (raw, given, plan.starts, plan.arrays)
    # A plain wrapper's array: the result replaces the payload of this very object.
    result = _write_elements.run(options, (self, value, None, None), operands)
    if not stays and (context.scope is None or is_of_the_call(self)):
        rebound(self)
        detach(self)
    self._write_elements(result._peek())
    if self._picked is not None:
        _hand_back(self)


def _joined(value: Any, dtype: Any) -> Tensor:
    """Return nested lists of Tensors and numbers as a Tensor, through which they have gradients."""
    if isinstance(value, (list, tuple)):
        return stack([_joined(item, dtype) for item in value])
    # In a list, so that None is refused.
    return value if is_tensor(value) else Tensor([value], dtype).reshape(())


def _writes_in_place(index: Any) -> bool:
    """Whether a write to this index goes to the memory that views share.

    Otherwise MindSpore gives the Tensor memory of its own: what it is a view of, and what is a view
    of it, keep theirs. Only what it was picked from by an index is written all the same.
    """
    if isinstance(index, tuple):
        return all(i is None or i is ... or _writes_in_place(i) for i in index)
    return isinstance(index, (int, slice)) and index is not True


def _is_traced_mask(index: Tensor, shape: tuple[int, ...], value: Any) -> bool:
    """Whether to choose between old and new, as the number of those chosen is not known."""
    if index._peek().dtype != np.bool_ or not index.shape:
        return False
    single = not is_tensor(value) or value.shape == (1,)
    if index.shape != shape[: index.ndim] or not (single or value.ndim <= len(shape) - index.ndim):
        return False
    return is_tracer(concrete(index._read()))


def _selects_nothing(item: Any) -> bool:
    return item is False or (isinstance(item, (list, tuple)) and not item)


def _plain(item: Any) -> Any:
    """Return a number of NumPy as Python's in a compiled call, where it is a constant."""
    compiled = isinstance(item, np.generic) and context.inputs is not None
    return item.item() if compiled else item


def _refuse_value(value: Any) -> None:
    if value is None or isinstance(value, np.ndarray):
        raise ArgumentTypeError(
            f"only support numbers, Tensor, tuple, list as value, but got {value} with type "
            f"{type(value)}"
        )
    if not isinstance(value, jax.Array):
        raise _unsupported(value)


def _unsupported(item: Any) -> TensorIndexError:
    if isinstance(item, (float, np.ndarray)):
        return TensorIndexError(f"{_ACCEPTED}, but got {item} with type {type(item)}")
    return TensorIndexError(
        f"Unsupported Python object type received: {type(item)}. Supported types for tensor "
        "indexing are: list, int, float, tuple, slice, ellipsis, None, array, bool, or Tensor. "
        f"Received value: {item!r}"
    )


def _plan(index: Any, shape: tuple[int, ...], mode: str) -> _Plan:
    items = _items(index)
    if not (len(items) == 1 and items[0] is index):
        _check_members(items)
    items = [_normal(item, mode) for item in items]
    if not shape and any(not (i is None or i is Ellipsis or i is True) for i in items):
        if isinstance(index, tuple):
            raise TensorIndexError("too many indices for tensor of dimension0")
        if mode == "get" and type(index) is not int:
            raise ArgumentValueError(
                "The input data's dim must in the range of [1, 8], but got '0'."
            )
        raise ArgumentTypeError("Cannot iterate over a scalar tensor.")
    items = _expand_ellipsis(items, len(shape))
    advanced = any(isinstance(i, _Advanced) for i in items)
    if any(i is True for i in items):
        items = _with_true_as_none(items, advanced)
    starts, spans, kept = [], [], []
    arrays: list[Any] = []
    axes: list[int] = []
    dim = 0
    for item in items:
        if item is None:
            kept.append(1)
        elif isinstance(item, slice):
            start, length, step = _span(item, shape[dim])
            starts.append(start)
            spans.append((length, step))
            kept.append(length)
            dim += 1
        elif advanced:
            given = isinstance(item, _Advanced)
            own = item.arrays if given else [np.int32(_position(item, dim, shape[dim], mode))]
            for array in own:
                arrays.append(array)
                axes.append(len(kept))
                kept.append(shape[dim])
                starts.append(0)
                spans.append((shape[dim], 1))
                if given:
                    item.check(array, shape, dim, mode)
                dim += 1
        else:
            starts.append(_position(item, dim, shape[dim], mode))
            spans.append((1, 1))
            dim += 1
    return _Plan(
        np.array(starts, dtype=np.int32), tuple(spans), tuple(kept), tuple(arrays), tuple(axes)
    )


def _check_members(items: list[Any]) -> None:
    for item in items:
        if isinstance(item, (float, np.ndarray)):
            raise ArgumentTypeError(
                "For tuple index, the types only support 'Slice', 'Ellipsis', 'None', 'Tensor', "
                f"'int', 'List', 'Tuple', 'bool', but got {item} with type {type(item)}."
            )


def _with_true_as_none(items: list[Any], advanced: bool) -> list[Any]:
    """Replace the first True by None: all of them, and what are arrays, share one dimension."""
    found = []
    for item in items:
        if item is not True:
            found.append(item)
        elif not advanced:
            found.append(None)
            advanced = True
    return found


@dataclasses.dataclass(slots=True, eq=False)
class _Advanced:
    """An index by arrays: one of integers, or as many as a mask has dimensions."""

    arrays: list[Any]
    listed: bool
    mask_shape: tuple[int, ...] | None = None

    def check(self, array: Any, shape: tuple[int, ...], dim: int, mode: str) -> None:
        """Raise for a mask that does not fit, or an integer out of bounds."""
        if self.mask_shape is not None:
            if array is self.arrays[0]:
                found = shape[dim : dim + len(self.arrays)]
                if found != self.mask_shape:
                    error = TensorIndexError if self.listed else ArgumentValueError
                    raise error(
                        f"The shape of index {list(self.mask_shape)} does not match the shape of "
                        f"the indexed data {list(shape)} at dim index {dim}"
                    )
            return
        values = host_values(array)
        if values is None or not values.size:
            return
        size = shape[dim]
        bad = values[(values < -size) | (values >= size)]
        if not bad.size:
            return
        worst = int(bad.reshape(-1)[0])
        text = f"index {worst} is out of bounds for dimension with size {size}"
        if mode == "set" and worst >= 0 and not self.listed:
            raise ArgumentValueError(text)
        raise TensorIndexError(text) if self.listed else KernelError(text)


def _items(index: Any) -> list[Any]:
    if isinstance(index, tuple):
        return list(index)
    if isinstance(index, list) and any(
        i is None or i is Ellipsis or isinstance(i, (list, tuple, slice)) or is_tensor(i)
        for i in index
    ):
        return list(index)
    return [index]


def _normal(item: Any, mode: str) -> Any:
    """Turn one item into an int, a slice, None, Ellipsis or ``_Advanced``."""
    item = _plain(getattr(item, "__ms_origin_object__", item))
    if type(item) is int or item is None or item is Ellipsis:
        return item
    if isinstance(item, slice):
        return item
    if isinstance(item, bool):
        if not item and mode == "get":
            raise TensorIndexError(
                "When tensor is indexed by a bool object, the value only support 'True'."
            )
        return True
    if is_tensor(item):
        return _by_array(item._read(), False, mode)
    if isinstance(item, (list, tuple)):
        if not item:
            raise TensorIndexError("When tensor is indexed by list, the list can't be empty.")
        array = to_numpy(item)
        _check_members(array.reshape(-1)[:1].tolist())
        return _by_array(array, True, mode)
    if isinstance(item, jax.Array):
        return _by_array(item, False, mode)
    if isinstance(item, int):
        return int(item)
    raise _unsupported(item)


def _by_array(raw: Any, listed: bool, mode: str) -> Any:
    if raw.dtype == np.bool_:
        if not raw.ndim:
            raise ArgumentValueError(
                "The input data's dim must in the range of [1, 7], but got '0'."
            )
        known = concrete(raw)
        if is_tracer(known):
            raise value_needed(
                "A bool Tensor as index needs its values, but they are only known when the "
                "compiled or vectorised function runs; use mindspore.ops.where instead."
            )
        mask = np.asarray(known)
        arrays = [a.astype(np.int32) for a in np.nonzero(mask)]
        return _Advanced(list(arrays), listed, mask.shape)
    if not jnp.issubdtype(raw.dtype, jnp.signedinteger):
        raise TensorIndexError(f"The tensor index must be int or bool type, but got {raw.dtype}.")
    if not raw.ndim:
        known = concrete(raw)
        # (In GRAPH_MODE it is written as an index Tensor is: out of bounds, a ValueError.)
        if not is_tracer(known) and (mode == "get" or context.mode != GRAPH_MODE):
            return int(known)
    return _Advanced([raw], listed)


def _expand_ellipsis(items: list[Any], ndim: int) -> list[Any]:
    used = sum(
        len(i.arrays) if isinstance(i, _Advanced) else not (i is None or i is Ellipsis or i is True)
        for i in items
    )
    if used > ndim:
        raise TensorIndexError(f"too many indices for tensor of dimension {ndim}")
    count = sum(i is Ellipsis for i in items)
    if count > 1:
        raise TensorIndexError("An index can only have a single ellipsis('...')")
    fill = [slice(None)] * (ndim - used)
    if not count:
        return items + fill
    at = next(k for k, i in enumerate(items) if i is Ellipsis)
    return items[:at] + fill + items[at + 1 :]


def _position(index: int, dim: int, size: int, mode: str) -> int:
    if not -size <= index < size:
        if mode == "set":
            raise TensorIndexError(
                f"Index {index} is out of bounds for axis {dim} with size {size}"
            )
        raise TensorIndexError(f"index {index} is out of bounds for dimension with size {size}")
    return index + size if index < 0 else index


def _span(item: slice, size: int) -> tuple[int, int, int]:
    """Return the lowest position, the length and the step of a slice."""
    if item.start is None and item.stop is None and item.step is None:
        # The size may be a symbol of ``jax.export``.
        return 0, size, 1

    def bound(value: Any) -> int | None:
        if value is None or type(value) is int:
            return value
        if is_tensor(value) or (isinstance(value, int) and not isinstance(value, bool)):
            return int(value)
        raise KernelError("Slice index type must be int, tensor or none.")

    start, stop, step = bound(item.start), bound(item.stop), bound(item.step)
    if step == 0:
        raise ArgumentValueError("'strides' cannot contain 0")
    first, last, step = slice(start, stop, step).indices(size)
    length = max(0, math.ceil((last - first) / step))
    if not length:
        return 0, 0, 1
    if length == 1:
        return first, 1, 1
    return (first if step > 0 else first + (length - 1) * step), length, step
