"""Functions that move, join, split and select elements; dtypes stay as they are.

Results share their elements with the input where those of ``msgrad.ops`` do.
"""

from __future__ import annotations

import builtins
from functools import partial
from itertools import pairwise
from types import FunctionType
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Arrays, Indices
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Function, Like, Places, functions, kernel, row
from msgrad.numpy.dtypes import alike
from msgrad.numpy.utils import axes_of, tensor, tensors
from msgrad.ops._checks import need, normal_axes, normal_axis

_MAX_DIMENSIONS = 32


def expand_dims(a: Tensor, axis: int | tuple[int, ...] | list[int]) -> Tensor:
    """Insert dimensions of size 1 at the given places."""
    if isinstance(axis, int):
        return ops.expand_dims(a, axis)
    for place in sorted(normal_axes(axis, a.ndim + len(axis))):
        a = ops.expand_dims(a, place)
    return a


squeeze = row("a: Tensor, axis=None", Tensor.squeeze, "Remove dimensions of size 1, or all such.")
transpose = row("a: Tensor, axes=None", Tensor.transpose, "Permute, or reverse, the dimensions.")
swapaxes = row("x: Tensor, axis1: int, axis2: int", Tensor.swapaxes, "Exchange two dimensions.")
reshape = row("x: Tensor, new_shape", Tensor.reshape, "Return the elements in another shape.")
ravel = row("x: Tensor", Tensor.ravel, "Return the elements as a vector.")
argwhere = row(
    "a: Like", ops.argwhere, "Return the positions of elements other than 0, one row each."
)
array_str = row("a: Tensor", str, "Return what ``str`` returns of a Tensor.")
take = row(
    'a: Tensor, indices: Tensor, axis: int | None = None, mode: str = "clip"',
    Tensor.take,
    "Take elements along an axis; ``mode`` says what a position outside does.",
)
repeat = row(
    "a: Like, repeats: Tensor | int | tuple | list, axis: int | None = None",
    Tensor.repeat_interleave,
    "Repeat each element along an axis, of the flattened array where it is None.",
)


def rollaxis(x: Tensor, axis: int, start: int = 0) -> Tensor:
    """Move a dimension back until it stands before ``start``."""
    axis = normal_axis(axis, x.ndim)
    if not -x.ndim <= start <= x.ndim:
        raise ArgumentValueError(f"start must be within the axes, not {start}.")
    start = start + x.ndim if start < 0 else start
    return ops.moveaxis(x, axis, start - (axis < start))


def moveaxis(a: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other places; the others keep their order."""
    return ops.moveaxis(a, axes_of(source, a.ndim), axes_of(destination, a.ndim))


@kernel("concatenate", int_grad=True)
def _joined(arrays: Arrays, axis: int) -> Array:
    return jnp.concatenate(alike(*arrays), axis)


def concatenate(arrays: Tensor | tuple | list, axis: int | None = 0) -> Tensor:
    """Join arrays along an axis, flattened where it is None; dtypes are promoted."""
    flat = axis is None or axis >= _MAX_DIMENSIONS
    if isinstance(arrays, Tensor) and flat:
        return arrays.ravel()
    parts = [part.ravel() if flat else part for part in arrays]
    place = 0 if axis is None or flat else normal_axis(axis, parts[0].ndim)
    return parts[0] if len(parts) == 1 and not flat else _joined(parts, place)


def append(arr: Tensor, values: Tensor, axis: int | None = None) -> Tensor:
    """Join two arrays along an axis, flattened where it is None."""
    if axis is not None and arr.ndim != values.ndim:
        raise ArgumentValueError("both Tensors must have the same rank.")
    return concatenate((arr, values), axis)


def _at_least(ndim: int, x: Tensor) -> Tensor:
    return x.reshape((1,) * (ndim - x.ndim) + tuple(x.shape)) if x.ndim < ndim else x


def _deep(x: Tensor) -> Tensor:
    x = _at_least(2, x)
    return ops.expand_dims(x, 2) if x.ndim == 2 else x


def _stacking(axis: int, shaped: Function, summary: str) -> Any:
    def stacked(tup: Any) -> Tensor:
        if isinstance(tup, Tensor):
            return tup
        if not tup:
            raise ArgumentValueError("at least one Tensor is needed.")
        parts = tuple(shaped(part) for part in tup)
        return ops.Concat(builtins.min(axis, parts[0].ndim - 1))(parts)

    return row("tup: Tensor | tuple | list", stacked, summary)


def _of_each(shaped: Function, count: str) -> Any:
    def made(*arys: Tensor) -> Any:
        found = [shaped(x) for x in arys]
        return found[0] if len(found) == 1 else found

    return row("*arys: Tensor", made, f"Return each Tensor with at least {count}; a list of some.")


hstack = _stacking(1, partial(_at_least, 1), "Join along the second axis, vectors along the first.")
vstack = _stacking(0, partial(_at_least, 2), "Join along the first axis, vectors as rows.")
dstack = _stacking(2, _deep, "Join along the third axis.")
column_stack = _stacking(
    1,
    lambda x: x.reshape(-1, 1) if x.ndim < 2 else x,
    "Join along the second axis, vectors as columns.",
)
atleast_1d = _of_each(partial(_at_least, 1), "one dimension")
atleast_2d = _of_each(partial(_at_least, 2), "two dimensions")
atleast_3d = _of_each(_deep, "three dimensions")


def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Join arrays of one shape along a new axis; dtypes are promoted."""
    if not isinstance(arrays, (Tensor, tuple, list)):
        raise ArgumentValueError(f"a tuple of Tensors is needed, but got {type(arrays)}.")
    parts = list(arrays)
    axis %= parts[0].ndim + 1
    return _joined([ops.expand_dims(part, axis) for part in parts], axis)


@kernel("where", int_grad=True)
def where(condition: Places, x: Like = None, y: Like = None) -> Array:
    """Return elements of ``x`` where the condition is true, else of ``y``; both must be given."""
    return jnp.where(condition.astype(jnp.bool_), *alike(x, y))


def unique(x: Tensor, return_inverse: bool | int = False) -> Any:
    """Return the different elements, and by ``return_inverse`` the place of each one in them."""
    found = ops.unique(x.ravel() if x.ndim > 1 else x)
    return found if return_inverse else found[0]


def intersect1d(
    ar1: Like, ar2: Like, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Return what stands in both arrays, sorted, and by ``return_indices`` where it stood."""
    one, other = alike(ar1.asnumpy(), ar2.asnumpy())
    found = np.intersect1d(one, other, assume_unique, return_indices)
    if not return_indices:
        return Tensor(found)
    return (Tensor(found[0]), *(Tensor(places.astype(np.int32)) for places in found[1:]))


def roll(a: Tensor, shift: Any, axis: Any = None) -> Tensor:
    """Shift the elements along axes, those that leave come in at the other end."""
    for given in (shift, 0 if axis is None else axis):
        several = given if isinstance(given, (tuple, list)) else (given,)
        if not all(isinstance(value, int) for value in several):
            raise ArgumentTypeError(f"shifts and axes must be ints, but got {given!r}.")
    return ops.roll(a, shift, axis) if shift else a


def tile(a: Tensor, reps: int | tuple | list) -> Tensor:
    """Repeat the array along each axis."""
    sizes = (reps,) if isinstance(reps, int) else tuple(reps)
    return ops.tile(a, (1,) * (a.ndim - len(sizes)) + sizes)


@kernel("broadcast_to", int_grad=True)
def broadcast_to(array: Array, shape: tuple | list) -> Array:
    """Return the array repeated to a shape."""
    return jnp.broadcast_to(array, shape)


def broadcast_arrays(*args: Tensor) -> list[Tensor]:
    """Return the arrays, each in the shape that all of them broadcast to."""
    shape = np.broadcast_shapes(*[a.shape for a in args])
    return [broadcast_to(a, shape) for a in args]


def _split(x: Tensor, sections: Any, axis: int, equal: bool = True) -> Any:
    size = x.shape[normal_axis(axis, x.ndim)]
    if isinstance(sections, int):
        if not 0 < sections <= size or (equal and size % sections):
            raise ArgumentValueError(f"an axis of {size} cannot be cut into {sections} parts.")
        long = size % sections
        sizes = [size // sections + 1] * long + [size // sections] * (sections - long)
        return ops.split(x, sizes, axis)
    if not isinstance(sections, (tuple, list)) or not all(isinstance(s, int) for s in sections):
        raise ArgumentTypeError(
            f"indices_or_sections must be an int or a tuple or list of ints, but got {sections!r}."
        )
    limits = [0, *(s + size if s < 0 else s for s in sections), size]
    sizes = [end - start for start, end in pairwise(limits)]
    if builtins.min(sizes) <= 0:
        raise ArgumentValueError(f"the places {sections} leave an empty part of {size}.")
    return list(ops.split(x, sizes, axis))


_WHERE = "x: Tensor, indices_or_sections"
split = row(
    f"{_WHERE}, axis: int = 0", _split, "Cut into equal parts (a tuple), or at places (a list)."
)
array_split = row(
    f"{_WHERE}, axis: int = 0",
    partial(_split, equal=False),
    "Cut into parts that differ in size by at most one (a tuple), or at places (a list).",
)
vsplit = row(_WHERE, partial(_split, axis=0), "Cut along the first axis, see ``split``.")
hsplit = row(_WHERE, partial(_split, axis=1), "Cut along the second axis, see ``split``.")
dsplit = row(_WHERE, partial(_split, axis=2), "Cut along the third axis, see ``split``.")


def flip(m: Tensor, axis: Any = None) -> Tensor:
    """Reverse the elements along axes, by default all."""
    axes = axes_of(axis, m.ndim)
    return ops.flip(m, axes) if axes else m


flipud = row("m: Tensor", lambda m: flip(m, 0), "Reverse the elements along the first axis.")
fliplr = row("m: Tensor", lambda m: flip(m, 1), "Reverse the elements along the second axis.")


def rot90(a: Tensor, k: int = 1, axes: tuple | list = (0, 1)) -> Tensor:
    """Turn by ``k`` times 90 degrees, from the first towards the second axis."""
    need(len(axes) == 2, "axes must be two axes", axes)
    axes = normal_axes(axes, a.ndim)
    return ops.rot90(a, k, axes) if k % 4 else a


@kernel("take_along_axis", int_grad=True)
def take_along_axis(arr: Array, indices: Indices, axis: int | None) -> Array:
    """Take elements by positions along an axis, one position per result."""
    if axis is None:
        arr, axis = arr.ravel(), 0
    if arr.ndim != indices.ndim:
        raise ArgumentValueError("both Tensors must have the same rank.")
    axis = normal_axis(axis, arr.ndim)
    around = [1 if i == axis else size for i, size in enumerate(arr.shape)]
    shape = jnp.broadcast_shapes(indices.shape, around)
    return jnp.take_along_axis(arr, jnp.broadcast_to(indices, shape), axis)


@kernel("select", int_grad=True)
def select(condlist: Places, choicelist: Like, default: Like = 0) -> Array:
    """Return per place the element of the first choice whose condition is true."""
    if not condlist.ndim or not choicelist.ndim:
        raise ArgumentValueError("neither list may be a number.")
    if len(condlist) != len(choicelist):
        raise ArgumentValueError("both lists must have the same length.")
    picked = [c.astype(jnp.bool_) for c in condlist]
    return jnp.select(picked, list(choicelist), default.astype(choicelist.dtype))


@kernel("choose", int_grad=True)
def _by_number(a: Indices, choices: Array, mode: str) -> Array:
    if not jnp.issubdtype(a.dtype, jnp.signedinteger):
        raise ArgumentValueError("a must be of a signed integer dtype.")
    one_of("", "mode", mode, "clip", "wrap")
    return jnp.choose(a, list(choices), mode=mode)


def choose(a: Like, choices: Any, mode: str = "clip") -> Tensor:
    """Return per place the element of the choice that ``a`` numbers there."""
    if mode == "raise":
        raise UnsupportedError("the mode 'raise' is not there; take 'clip'.")
    if isinstance(choices, (tuple, list)):
        choices = stack(broadcast_arrays(*tensors(*choices)))
    return _by_number(a, tensor(choices), mode)


def size(a: Like, axis: int | None = None) -> int:
    """Return the number of elements, or that along an axis."""
    return a.size if axis is None else a.shape[normal_axis(axis, a.ndim)]


def apply_along_axis(func1d: Any, axis: int, arr: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Apply a function to every vector along an axis; its result stands in the axis's place."""
    place = normal_axis(axis, ops.rank(arr))
    rows = moveaxis(arr, place, -1)
    around = tuple(rows.shape[:-1])
    made = stack([func1d(r, *args, **kwargs) for r in rows.reshape((-1, rows.shape[-1]))])
    inner = tuple(made.shape[1:])
    made = made.reshape(around + inner)
    if not inner:
        return made
    return ops.moveaxis(
        made,
        tuple(builtins.range(len(around), made.ndim)),
        tuple(builtins.range(place, place + len(inner))),
    )


def apply_over_axes(func: Any, a: Any, axes: Any) -> Tensor:
    """Apply ``func(array, axis=axis)`` along each axis in turn; the rank stays."""
    made = a = tensor(a)
    for axis in (axes,) if isinstance(axes, int) else axes:
        made = func(made, axis=axis)
        made = ops.expand_dims(made, axis) if made.ndim != a.ndim else made
        if made.ndim != a.ndim:
            raise ArgumentValueError("For 'apply_over_axes', the function changed the rank.")
    return made


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """Return ``funclist[i](x)``, or that value, where ``condlist[i]`` is true; one more is else."""
    x = tensor(x)
    choices = funclist
    if isinstance(funclist, (tuple, list)) and isinstance(funclist[0], FunctionType):
        choices = [function(x, *args, **kw) for function in funclist]
    conditions, values = _at_least(1, tensor(condlist)), _at_least(1, tensor(choices))
    cases = len(conditions)
    if len(values) not in (cases, cases + 1):
        raise ArgumentValueError(
            f"For 'piecewise', there must be {cases} or {cases + 1} functions or values, but got "
            f"{len(values)}."
        )
    return select(conditions, values[:cases], values[-1] if len(values) > cases else 0)


@kernel("unravel_index")
def unravel_index(indices: Places, shape: int | tuple | list, order: str = "C") -> Any:
    """Return the position on each axis of an array for positions in its flattened form."""
    one_of("", "order", order, "C", "F")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    step = 1 if order == "C" else -1
    found = jnp.unravel_index(indices, sizes[::step])[::step]
    return found[0].ravel() if indices.ndim == 0 and len(sizes) == 1 else found


__all__ = functions(globals(), plain=("apply_along_axis", "apply_over_axes", "piecewise"))
