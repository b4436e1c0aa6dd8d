"""The shape of a Tensor and the arrangement of its elements: reshape, permute, repeat, flip.

Padding is in ``pad_ops``, triangles and diagonals in ``matrices``, joining and cutting in
``joining``, selecting by index or mask in ``selecting``.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.basics import slices_at
from msgrad._core.bridge import operand, static, too_large
from msgrad._core.checks import above, of_type, one_of
from msgrad._core.engine import is_size
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import broadcast
from msgrad._core.registry import function, method, spelling
from msgrad.common import dtype as mstype
from msgrad.common._strides import layout, shares_memory
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import multiple_of, normal_axes, normal_axis, of_length

Sizes = tuple[int, ...]


def sizes_of(shape: Any) -> Sizes:
    """Return ``shape`` if it is a tuple of ints, as ``static`` makes of a list or Tensor."""
    if not isinstance(shape, tuple) or not all(map(is_size, shape)):
        raise ArgumentTypeError(f"the shape must be a tuple or list of ints, but got {shape!r}.")
    return shape


def _spread(args: tuple[Any, ...]) -> Any:
    """Return ``f(2, 3)`` and ``f((2, 3))`` in one form."""
    first = args[0] if len(args) == 1 else args
    return (
        (first,)
        if isinstance(first, int) or is_size(first) or getattr(first, "ndim", 1) == 0
        else first
    )


@operator("Reshape", primitive=True, int_grad=True, view=shares_memory)
def reshape(input: Array, shape: Sizes) -> Array:
    """Return the elements in row-major order in another shape.

    Args:
        input: Tensor of any shape and dtype.
        shape: tuple, list or Tensor of ints; one may be -1 and is inferred.

    Returns:
        A view of ``input``.

    Raises:
        TypeError: If the shape is not a sequence of ints.
        ValueError: If it does not fit the number of elements.
    """
    sizes = sizes_of(shape)
    numbers = [s for s in sizes if type(s) is int]
    if max(numbers, default=0) >= 2**63:
        raise too_large("Reshape", "shape", max(numbers))
    if sum(s == -1 for s in sizes) > 1:
        raise ArgumentValueError(f"only one dimension can be inferred, but got shape {sizes}.")
    known = math.prod(s for s in sizes if s != -1)
    if known == 0:  # JAX infers nothing beside a 0
        sizes = tuple(0 if s == -1 else s for s in sizes)
    fits = input.size % known == 0 if -1 in sizes else input.size == known
    if not fits or any(s < -1 for s in sizes):
        raise ArgumentValueError(
            f"the shape {list(sizes)} is invalid for input of size {input.size} with shape "
            f"{list(input.shape)}."
        )
    return input.reshape(sizes)


def _sizes_given(method: str, given: tuple[Any, ...], named: dict[str, Any], *labels: str) -> Any:
    """Return the sizes that a method got one by one, as a sequence, or by one of its names."""
    if len(named) != (not given) or not named.keys() <= set(labels):
        raise ArgumentTypeError(
            f"{method}() takes '{labels[0]}' once, as a tuple or one by one, but got {len(given)} "
            f"arguments and the keywords {list(named)}."
        )
    if bool in map(type, given):
        # Seen here, since the kernel compiled for a size of 1 is that of True as well.
        raise ArgumentTypeError(f"{method}() takes ints as sizes, but got {given}.")
    return _spread(given) if given else next(iter(named.values()))


@method("reshape")
def _reshape_method(self: Tensor, *shape: Any, **named: Any) -> Tensor:
    """Return a view in another shape: ``reshape(2, 3)`` or ``reshape((2, 3))``."""
    return reshape(self, _sizes_given("reshape", shape, named, "shape"))


@method("view")
def _view(self: Tensor, *shape: Any, **named: Any) -> Tensor:
    """Return a view in another shape, or of the same bits in another ``dtype``."""
    kind = named.get("dtype", shape[0] if len(shape) == 1 else None)
    if isinstance(kind, mstype.DType):
        return _reinterpret(self, mstype.to_numpy(kind))
    return _reshape_method(self, *shape, **named)


@operator("view")
def _reinterpret(input: Array, dtype: Any) -> Array:
    new, old = np.dtype(dtype).itemsize, input.dtype.itemsize
    lines = input.shape[:-1]
    bits = input.astype(jnp.uint8) if input.dtype == jnp.bool_ else input
    if new != old and not input.ndim:
        raise ArgumentValueError("a 0-d Tensor cannot be viewed in a dtype of another size.")
    if new > old:
        multiple_of(new // old, f"last dimension, to be viewed as {dtype},", input.shape[-1])
        bits = bits.reshape(*lines, input.shape[-1] // (new // old), new // old)
    whole = dtype == jnp.bool_
    result = jax.lax.bitcast_convert_type(bits, jnp.uint8 if whole else dtype)
    result = result.reshape(*lines, input.shape[-1] * (old // new)) if new < old else result
    return result != 0 if whole else result


@function(method="reshape_as view_as")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Return ``input`` in the shape of ``other``, as a view."""
    return reshape(input, other.shape)


@operator("Flatten", primitive=True, int_grad=True)
def _rows(input_x: Array) -> Array:
    """Return rows of what stands after the first dimension: (N, ...) gives (N, -1), (N,) (N, 1)."""
    if not input_x.ndim:
        raise KernelError("the input must have a dimension, but its shape is ().")
    return input_x.reshape(input_x.shape[0], math.prod(input_x.shape[1:]))


@operator("Flatten", int_grad=True)
def flatten(input: Array, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Array:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one.

    Args:
        input: Tensor of any shape; 0-d gives shape (1,).
        order: ``'C'`` for row-major, ``'F'`` for column-major order.
        start_dim: First dimension; the batch dimension is kept by default.
        end_dim: Last dimension.

    Raises:
        TypeError: If ``order`` is not a str.
        ValueError: If it is neither ``'C'`` nor ``'F'``, or a dimension is out of range.
    """
    return _flattened(input, order, start_dim, end_dim)


@operator("flatten", method="flatten", int_grad=True, view=shares_memory)
def _flatten_method(input: Array, order: Any = "C", start_dim: int = 0, end_dim: int = -1) -> Array:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one, as a view."""
    if type(order) is int:
        # The overload flatten(start_dim, end_dim).
        return _flattened(input, "C", order, start_dim if start_dim else end_dim)
    return _flattened(input, order, start_dim, end_dim)


def _flattened(x: Array, order: Any, start: int, end: int) -> Array:
    of_type("", "order", order, str)
    one_of("", "order", order, "C", "F")
    if order == "F":
        x = x.transpose()
    if x.ndim < 2:
        return x.reshape(-1)
    first = normal_axis(start, x.ndim, "start_dim")
    last = normal_axis(end, x.ndim, "end_dim")
    if first > last:
        raise ArgumentValueError("'start_dim' must not come after 'end_dim'.")
    return x.reshape(*x.shape[:first], math.prod(x.shape[first : last + 1]), *x.shape[last + 1 :])


@function(method=True)
def ravel(input: Tensor) -> Tensor:
    """Return all elements in row-major order in one dimension, as a view."""
    return reshape(input, (-1,))


@operator("Transpose", primitive="Transpose TransposeView", int_grad=True, view=True)
def transpose(input: Array, dims: Sizes) -> Array:
    """Permute the dimensions: dimension ``i`` of the view is dimension ``dims[i]`` of ``input``.

    Raises:
        ValueError: If ``dims`` is not a permutation of all dimensions.
    """
    of_length(dims, "perm", input.ndim)
    return input.transpose(normal_axes(dims, input.ndim, "perm"))


@operator("permute", int_grad=True, view=True)
def permute(input: Array, axis: Sizes) -> Array:
    """Permute the dimensions; as ``transpose``."""
    return transpose.kernel(input, axis)


@method("transpose")
def _transpose_method(self: Tensor, *axes: Any) -> Tensor:
    """Permute the dimensions: all reversed, two exchanged, or in the order given."""
    if not axes or axes == (None,):
        return transpose(self, tuple(reversed(range(self.ndim))))
    if len(axes) == 2:
        # transpose(dim0, dim1) exchanges two dimensions, of a matrix as well.
        return swapaxes(self, *axes)
    return transpose(self, _spread(axes))


@method("permute")
def _permute_method(self: Tensor, *axis: Any, **named: Any) -> Tensor:
    """Permute the dimensions, ``permute(1, 0)`` or ``permute((1, 0))``, or reverse them."""
    if not axis and not named:
        return _transpose_method(self)
    return transpose(self, _sizes_given("permute", axis, named, "axis", "dims"))


@operator("swapaxes", primitive="TransposeExtView", method=True, int_grad=True, view=True)
def swapaxes(input: Array, axis0: int, axis1: int) -> Array:
    """Exchange two dimensions, as a view."""
    first, second = (normal_axis(a, input.ndim) for a in (axis0, axis1))
    return input.swapaxes(first, second)


@operator("swapdims", method=True, int_grad=True, view=True)
def swapdims(input: Array, dim0: int, dim1: int) -> Array:
    """Exchange two dimensions, as a view; as ``swapaxes``."""
    return swapaxes.kernel(input, dim0, dim1)


@operator("moveaxis", method=True, int_grad=True, view=True)
def moveaxis(x: Array, source: Any, destination: Any) -> Array:
    """Move dimensions to other positions; the rest keep their order.

    Raises:
        ValueError: If ``source`` and ``destination`` differ in number, or are out of range.
    """
    origins = normal_axes(source, x.ndim, "source")
    targets = normal_axes(destination, x.ndim, "destination")
    of_length(targets, "destination", len(origins))
    return jnp.moveaxis(x, origins, targets)


movedim = moveaxis


@function(method=True)
def t(input: Tensor) -> Tensor:
    """Transpose a 2-D Tensor; others come back in their shape."""
    return transpose(input, (1, 0) if input.ndim == 2 else tuple(range(input.ndim)))


def _matrix_transpose(self: Tensor) -> Tensor:
    if self.ndim < 2:
        raise ArgumentValueError(f"mT needs at least 2 dimensions, but got shape {self.shape}.")
    return swapaxes(self, -1, -2)


def _adjoint(self: Tensor) -> Tensor:
    if self.ndim != 2:
        raise ArgumentValueError(f"H needs 2 dimensions, but got shape {self.shape}.")
    turned = transpose(self, (1, 0))
    return turned.conj() if self.is_complex() else turned


@operator("Squeeze", primitive="(axis=())", method=True, int_grad=True, view=True)
def squeeze(input: Array, axis: Any = None) -> Array:
    """Drop dimensions of size 1: all, or those in ``axis`` (an axis of another size is kept)."""
    if axis is None or axis == () or not input.ndim:
        return jnp.squeeze(input)
    axes = normal_axes(axis, input.ndim)
    return jnp.squeeze(input, tuple(a for a in axes if input.shape[a] == 1))


@operator("ExpandDims", primitive=True, method=True, int_grad=True, view=True)
def expand_dims(input_x: Array, axis: int) -> Array:
    """Insert a dimension of size 1 at ``axis``, as a view."""
    return jnp.expand_dims(input_x, normal_axis(axis, input_x.ndim + 1))


@operator("unsqueeze", method=True, also={"axis": "dim"}, int_grad=True, view=True)
def unsqueeze(input: Array, dim: int) -> Array:
    """Insert a dimension of size 1 at ``dim``, as a view."""
    return expand_dims.kernel(input, dim)


@operator(
    "BroadcastTo",
    primitive="(shape)",
    also={"input_x": "input", "size": "shape"},
    int_grad=True,
    view=True,
)
def broadcast_to(input: Array, shape: Sizes) -> Array:
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size.

    Raises:
        ValueError: If the shapes do not broadcast.
    """
    sizes = sizes_of(shape)
    lead = len(sizes) - input.ndim
    full = tuple(input.shape[i - lead] if s == -1 and i >= lead else s for i, s in enumerate(sizes))
    fits = lead >= 0 and -1 not in full
    if not fits or any(a not in (1, b) for a, b in zip(input.shape, full[lead:], strict=True)):
        raise ArgumentValueError(
            "in order to broadcast, each dimension pair must be equal or input dimension is 1 or "
            f"target dimension is -1. But got x_shape: {list(input.shape)}, target shape: "
            f"{list(sizes)}."
        )
    return broadcast(input, full)


expand = broadcast_to


@method("broadcast_to")
def _broadcast_to_method(self: Tensor, *shape: Any, **named: Any) -> Tensor:
    """Broadcast to a shape: ``broadcast_to(2, 3)`` or ``broadcast_to((2, 3))``."""
    return broadcast_to(self, _sizes_given("broadcast_to", shape, named, "shape"))


@method("expand")
def _expand_method(self: Tensor, *size: Any) -> Tensor:
    """Broadcast to a shape: ``expand(2, 3)`` or ``expand((2, 3))``."""
    return broadcast_to(self, _spread(size))


@function(method=True, also={"x": "other"})
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Broadcast ``input`` to the shape of ``other``."""
    return broadcast_to(input, other.shape)


@operator("Tile", primitive=True, int_grad=True, lists=False)
def tile(input: Array, dims: Sizes) -> Array:
    """Repeat the whole Tensor ``dims[i]`` times along dimension ``i``.

    Raises:
        TypeError: If ``dims`` is not a tuple of ints; a list is none.
        ValueError: If one is negative.
    """
    if any(d < 0 for d in sizes_of(dims)):
        raise ArgumentValueError(f"'dims' cannot contain negative integer numbers, but got {dims}.")
    return jnp.tile(input, dims)


@method("tile")
def _tile_method(self: Tensor, *dims: Any, **named: Any) -> Tensor:
    """Repeat the whole Tensor along its dimensions; see ``tile``."""
    return tile(self, _sizes_given("tile", dims, named, "dims", "reps", "input", "multiples"))


@method("repeat")
def _repeat_method(self: Tensor, *repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat the whole Tensor; with ``axis``, its elements."""
    # Up to MindSpore 2.4 this was numpy's repeat, with an axis; since then it is a tile.
    if axis is not None:
        return repeat_interleave(self, _spread(repeats), axis)
    dims = static(_spread(repeats))
    if len(dims) < self.ndim:
        raise ArgumentValueError(
            f"the number of repeats ({len(dims)}) must not be smaller than the number of "
            f"dimensions ({self.ndim}); use repeat_interleave to repeat elements."
        )
    return tile(self, dims)


@operator("repeat_elements", int_grad=True)
def repeat_elements(x: Array, rep: int, axis: int = 0) -> Array:
    """Repeat each element ``rep`` times along ``axis``.

    Raises:
        ValueError: If ``rep`` is not positive, or ``axis`` out of range.
    """
    above("", "rep", rep, 0)
    return jnp.repeat(x, rep, normal_axis(axis, x.ndim))


@operator("repeat_interleave", int_grad=True)
def _take_rows(input: Array, rows: Indices, axis: int) -> Array:
    return slices_at(input, rows, axis)


@function(
    primitive="RepeatInterleaveTensor(input, repeats, dim: axis = None, output_size: _ = None, /)",
    method="(repeats, dim: axis = None, *, output_size: _ = None)",
)
def repeat_interleave(input: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat elements along ``axis``, or of the flattened Tensor where it is None.

    Args:
        input: Tensor of any shape.
        repeats: int, or one int per element of ``axis`` (tuple, list or Tensor).
        axis: The dimension.

    Raises:
        ValueError: If a number of repeats is not positive, or there are too few of them.
    """
    if axis is None:
        input, axis = ravel(input), 0
    axis = normal_axis(axis, input.ndim)
    counts = static(repeats)
    if isinstance(counts, tuple) and len(counts) == 1:
        counts = counts[0]
    if type(counts) is int:
        return repeat_elements(input, counts, axis)
    of_length(counts, "repeats", input.shape[axis])
    rows = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    raw = operand(_take_rows.places[0], input)
    return _take_rows.run((axis,), (input, None), (raw, rows))


@operator("ReverseV2", primitive="(axis: dims)", method=True, int_grad=True)
def flip(input: Array, dims: Sizes) -> Array:
    """Reverse the order of the elements along the given dimensions (a tuple or list of ints).

    Raises:
        TypeError: If ``dims`` is neither a tuple nor a list.
    """
    of_type("", "dims", dims, tuple)
    return jnp.flip(input, normal_axes(dims, input.ndim))


@operator("Roll", primitive="(shifts, dims=None)", method=True, int_grad=True)
def roll(input: Array, shifts: Sizes, dims: Sizes | None = None) -> Array:
    """Shift the elements cyclically, by ``shifts`` along ``dims`` or of the flattened Tensor."""
    return jnp.roll(input, shifts, dims)


@function(primitive="Shape")
def shape(input_x: Tensor) -> Sizes:
    """Return the sizes of the dimensions as a tuple of ints."""
    return input_x.shape


@function(primitive="Rank", method="dim ndimension")
def rank(input_x: Tensor) -> int:
    """Return the number of dimensions."""
    return input_x.ndim


@function(primitive="Size", method="numel nelement", also={"input": "input_x"})
def size(input_x: Tensor) -> int:
    """Return the number of elements."""
    return input_x.size


numel = size
shape_, reshape_ = shape, reshape


@method("stride")
def _stride(self: Tensor, dim: int | None = None) -> Any:
    """Return the steps, in elements, from one element to the next in each dimension."""
    steps = [*layout(self).strides]
    return steps if dim is None else steps[dim]


reverse = spelling(
    "reverse(x: input, axis: dims)", flip, "Reverse the order along each dimension of ``axis``."
)
fliplr = spelling(
    "fliplr(input, _: dims = (1,))", flip, "Reverse the second dimension.", method=True
)
flipud = spelling(
    "flipud(input, _: dims = (0,))", flip, "Reverse the first dimension.", method=True
)


@function(primitive="TensorShape")
def dyn_shape(input_x: Tensor) -> Tensor:
    """Return the sizes of the dimensions as an int64 Tensor."""
    return Tensor(list(input_x.shape), mstype.int64)


def _transposed(self: Tensor) -> Tensor:
    """The dimensions reversed; a Tensor of fewer than two is itself."""
    return _transpose_method(self) if self.ndim > 1 else self


method("T")(property(_transposed))
method("mT")(property(_matrix_transpose))
method("H")(property(_adjoint))
method("clone")(Tensor.copy)


@method("contiguous")
def _contiguous(self: Tensor) -> Tensor:
    """Return the Tensor itself, or a copy where it shows a part of another or its elements
    stand in another order.
    """
    place = layout(self)
    return self if place.contiguous and not place.offset else self.copy()


@method("is_contiguous")
def _is_contiguous(self: Tensor) -> bool:
    """Whether the elements lie next to each other in memory, in row-major order."""
    return layout(self).contiguous


@method("storage_offset")
def _storage_offset(self: Tensor) -> int:
    """Return how many elements of the Tensor that this one shows a part of come before it."""
    return layout(self).offset
