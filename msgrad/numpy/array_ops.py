"""Functions that move, join, split and select elements; dtypes stay as they are.

Results share their elements with the input where those of ``msgrad.ops`` do.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import FunctionType
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Arrays, Indices, operator
from msgrad.common.tensor import Tensor
from msgrad.numpy.dtypes import promoted
from msgrad.numpy.utils import axes_of, tensor, tensors
from msgrad.ops._axis import normal_axes, normal_axis

_MAX_DIMENSIONS = 32


@checked
def expand_dims(a: Tensor, axis: int | tuple[int, ...] | list[int]) -> Tensor:
    """Insert dimensions of size 1 at the given places."""
    if isinstance(axis, int):
        return ops.expand_dims(a, axis)
    for place in sorted(normal_axes(axis, a.ndim + len(axis))):
        a = ops.expand_dims(a, place)
    return a


@checked
def squeeze(a: Tensor, axis: Any = None) -> Tensor:
    """Remove dimensions of size 1: the given ones, or all."""
    return a.squeeze(axis)


@checked
def transpose(a: Tensor, axes: Any = None) -> Tensor:
    """Permute the dimensions; reverse them without ``axes``."""
    return a.transpose(axes)


@checked
def rollaxis(x: Tensor, axis: int, start: int = 0) -> Tensor:
    """Move a dimension back until it stands before ``start``."""
    axis = normal_axis(axis, x.ndim)
    if not -x.ndim <= start <= x.ndim:
        raise ArgumentValueError(f"For 'rollaxis', start must be within the axes, not {start}.")
    start = start + x.ndim if start < 0 else start
    return ops.moveaxis(x, axis, start - (axis < start))


@checked
def swapaxes(x: Tensor, axis1: int, axis2: int) -> Tensor:
    """Exchange two dimensions."""
    return x.swapaxes(axis1, axis2)


@checked
def reshape(x: Tensor, new_shape: Any) -> Tensor:
    """Return the elements in another shape; one size may be -1."""
    return x.reshape(new_shape)


@checked
def ravel(x: Tensor) -> Tensor:
    """Return the elements as a vector."""
    return x.ravel()


@checked
def moveaxis(a: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other places; the others keep their order."""
    places = axes_of("moveaxis", source, a.ndim), axes_of("moveaxis", destination, a.ndim)
    return ops.moveaxis(a, *places)


@operator("concatenate", int_grad=True)
def _joined(arrays: Arrays, axis: int) -> Array:
    dtype = promoted(*[a.dtype for a in arrays])
    return jnp.concatenate([a.astype(dtype) for a in arrays], axis)


@checked
def concatenate(arrays: Tensor | tuple | list, axis: int | None = 0) -> Tensor:
    """Join arrays along an axis, flattened where it is None; dtypes are promoted."""
    flat = axis is None or axis >= _MAX_DIMENSIONS
    if isinstance(arrays, Tensor) and flat:
        return arrays.ravel()
    parts = [part.ravel() if flat else part for part in arrays]
    place = 0 if axis is None or flat else normal_axis(axis, parts[0].ndim)
    return parts[0] if len(parts) == 1 and not flat else _joined(parts, place)


@checked
def append(arr: Tensor, values: Tensor, axis: int | None = None) -> Tensor:
    """Join two arrays along an axis, flattened where it is None."""
    if axis is not None and arr.ndim != values.ndim:
        raise ArgumentValueError("For 'append', both Tensors must have the same rank.")
    return concatenate((arr, values), axis)


def _stacking(name: str, axis: int, summary: str) -> Any:
    def call(tup: Tensor | tuple | list) -> Tensor:
        if isinstance(tup, Tensor):
            return tup
        if not tup:
            raise ArgumentValueError(f"For '{name}', at least one Tensor is needed.")
        parts = [_SHAPED[name](part) for part in tup]
        return ops.Concat(0 if name == "hstack" and parts[0].ndim == 1 else axis)(tuple(parts))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = summary
    return checked(call)


def _at_least(ndim: int, x: Tensor) -> Tensor:
    return x.reshape((1,) * (ndim - x.ndim) + tuple(x.shape)) if x.ndim < ndim else x


def _column(x: Tensor) -> Tensor:
    return x.reshape(-1, 1) if x.ndim < 2 else x


def _deep(x: Tensor) -> Tensor:
    x = _at_least(2, x)
    return ops.expand_dims(x, 2) if x.ndim == 2 else x


_SHAPED: dict[str, Callable[[Tensor], Tensor]] = {
    "hstack": lambda x: _at_least(1, x),
    "vstack": lambda x: _at_least(2, x),
    "column_stack": _column,
    "dstack": _deep,
}
hstack = _stacking("hstack", 1, "Join along the second axis, vectors along their only one.")
vstack = _stacking("vstack", 0, "Join along the first axis, vectors as rows.")
dstack = _stacking("dstack", 2, "Join along the third axis.")
column_stack = _stacking("column_stack", 1, "Join along the second axis, vectors as columns.")


@checked
def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Join arrays of one shape along a new axis; dtypes are promoted."""
    if not isinstance(arrays, (Tensor, tuple, list)):
        raise ArgumentValueError(f"For 'stack', got {type(arrays)}; give a tuple of Tensors.")
    parts = list(arrays)
    axis %= parts[0].ndim + 1
    return _joined([ops.expand_dims(part, axis) for part in parts], axis)


@operator("where", int_grad=True)
def _chosen(condition: Indices, x: Array, y: Array) -> Array:
    dtype = promoted(x.dtype, y.dtype)
    return jnp.where(condition.astype(jnp.bool_), x.astype(dtype), y.astype(dtype))


@checked
def where(condition: Any, x: Any = None, y: Any = None) -> Tensor:
    """Return elements of ``x`` where the condition is true, else of ``y``; both must be given."""
    return _chosen(*tensors(condition, x, y))


def _several(made: Sequence[Any]) -> Any:
    return made[0] if len(made) == 1 else list(made)


@checked
def atleast_1d(*arys: Tensor) -> Any:
    """Return each Tensor with at least one dimension; a list of several."""
    return _several([_at_least(1, x) for x in arys])


@checked
def atleast_2d(*arys: Tensor) -> Any:
    """Return each Tensor with at least two dimensions; a list of several."""
    return _several([_at_least(2, x) for x in arys])


@checked
def atleast_3d(*arys: Tensor) -> Any:
    """Return each Tensor with at least three dimensions; a list of several."""
    return _several([_deep(x) for x in arys])


@checked
def unique(x: Tensor, return_inverse: bool = False) -> Any:
    """Return the different elements, and by ``return_inverse`` the place of each one in them."""
    found = ops.unique(x.ravel() if x.ndim > 1 else x)
    return found if return_inverse else found[0]


@checked
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Return what stands in both arrays, sorted, and by ``return_indices`` where it stood."""
    ar1, ar2 = tensors(ar1, ar2)
    found = np.intersect1d(ar1.asnumpy(), ar2.asnumpy(), assume_unique, return_indices)
    if not return_indices:
        return Tensor(found)
    return (Tensor(found[0]), *(Tensor(places.astype(np.int32)) for places in found[1:]))


@operator("roll", int_grad=True)
def _rolled(a: Array, shift: Any, axis: Any) -> Array:
    return jnp.roll(a, shift, axis)


@checked
def roll(a: Tensor, shift: Any, axis: Any = None) -> Tensor:
    """Shift the elements along axes, those that leave come in at the other end."""
    for given in (shift, 0 if axis is None else axis):
        several = given if isinstance(given, (tuple, list)) else (given,)
        if not all(isinstance(value, int) for value in several):
            raise ArgumentTypeError(f"For 'roll', shifts and axes must be ints, but got {given!r}.")
    return _rolled(a, shift, axis) if shift else a


@checked
def tile(a: Tensor, reps: int | tuple | list) -> Tensor:
    """Repeat the array along each axis."""
    sizes = (reps,) if isinstance(reps, int) else tuple(reps)
    return ops.tile(a, (1,) * (a.ndim - len(sizes)) + sizes)


@operator("broadcast_to", int_grad=True)
def repeated(array: Array, shape: tuple | list) -> Array:
    return jnp.broadcast_to(array, shape)


@checked
def broadcast_to(array: Tensor, shape: tuple | list) -> Tensor:
    """Return the array repeated to a shape."""
    return repeated(array, shape)


@checked
def broadcast_arrays(*args: Tensor) -> list[Tensor]:
    """Return the arrays, each in the shape that all of them broadcast to."""
    shape = np.broadcast_shapes(*[a.shape for a in args])
    return [repeated(a, shape) for a in args]


def _split(name: str, x: Tensor, sections: Any, axis: int) -> Any:
    size = x.shape[normal_axis(axis, x.ndim)]
    if isinstance(sections, int):
        if not 0 < sections <= size or (name == "split" and size % sections):
            raise ArgumentValueError(f"For '{name}', {size} cannot be cut into {sections} parts.")
        long = size % sections
        sizes = [size // sections + 1] * long + [size // sections] * (sections - long)
        return ops.split(x, sizes, axis)
    if not isinstance(sections, (tuple, list)) or not all(isinstance(s, int) for s in sections):
        raise ArgumentTypeError(
            f"For '{name}', indices_or_sections must be an int or a tuple or list of ints, but "
            f"got {sections!r}."
        )
    limits = [0, *(s + size if s < 0 else s for s in sections), size]
    sizes = [end - start for start, end in pairwise(limits)]
    if builtins.min(sizes) <= 0:
        raise ArgumentValueError(f"For '{name}', {sections} leaves an empty part of {size}.")
    return list(ops.split(x, sizes, axis))


@checked
def split(x: Tensor, indices_or_sections: Any, axis: int = 0) -> Any:
    """Cut into equal parts (a tuple), or at the given places (a list)."""
    return _split("split", x, indices_or_sections, axis)


@checked
def array_split(x: Tensor, indices_or_sections: Any, axis: int = 0) -> Any:
    """Cut into parts that differ in size by at most one (a tuple), or at places (a list)."""
    return _split("array_split", x, indices_or_sections, axis)


@checked
def vsplit(x: Tensor, indices_or_sections: Any) -> Any:
    """Cut along the first axis, see ``split``."""
    return _split("split", x, indices_or_sections, 0)


@checked
def hsplit(x: Tensor, indices_or_sections: Any) -> Any:
    """Cut along the second axis, see ``split``."""
    return _split("split", x, indices_or_sections, 1)


@checked
def dsplit(x: Tensor, indices_or_sections: Any) -> Any:
    """Cut along the third axis, see ``split``."""
    return _split("split", x, indices_or_sections, 2)


@checked
def flip(m: Tensor, axis: Any = None) -> Tensor:
    """Reverse the elements along axes, by default all."""
    axes = axes_of("flip", axis, m.ndim)
    return ops.flip(m, axes) if axes else m


@checked
def flipud(m: Tensor) -> Tensor:
    """Reverse the elements along the first axis."""
    return flip(m, 0)


@checked
def fliplr(m: Tensor) -> Tensor:
    """Reverse the elements along the second axis."""
    return flip(m, 1)


@operator("rot90", int_grad=True)
def _turned(a: Array, k: int, axes: tuple) -> Array:
    return jnp.rot90(a, k, axes)


@checked
def rot90(a: Tensor, k: int = 1, axes: tuple | list = (0, 1)) -> Tensor:
    """Turn by ``k`` times 90 degrees, from the first towards the second axis."""
    if len(axes) != 2:
        raise ArgumentValueError(f"For 'rot90', axes must be two axes, but got {axes}.")
    axes = normal_axes(axes, a.ndim)
    return _turned(a, k, axes) if k % 4 else a


@operator("take_along_axis", int_grad=True)
def _taken(arr: Array, indices: Indices, axis: int) -> Array:
    around = [1 if i == axis else size for i, size in enumerate(arr.shape)]
    shape = jnp.broadcast_shapes(indices.shape, around)
    return jnp.take_along_axis(arr, jnp.broadcast_to(indices, shape), axis)


@checked
def take_along_axis(arr: Tensor, indices: Tensor, axis: int | None) -> Tensor:
    """Take elements by positions along an axis, one position per result."""
    if axis is None:
        arr, axis = arr.ravel(), 0
    if arr.ndim != indices.ndim:
        raise ArgumentValueError("For 'take_along_axis', both Tensors must have the same rank.")
    return _taken(arr, indices, normal_axis(axis, arr.ndim))


@checked
def take(a: Tensor, indices: Tensor, axis: int | None = None, mode: str = "clip") -> Tensor:
    """Take elements along an axis; ``mode`` says what a position outside does."""
    return a.take(indices, axis, mode)


@checked
def repeat(a: Any, repeats: Tensor | int | tuple | list, axis: int | None = None) -> Tensor:
    """Repeat each element along an axis, of the flattened array where it is None."""
    return tensor(a).repeat_interleave(repeats, axis)


@operator("select", int_grad=True)
def _first_true(conditions: Indices, choices: Array, default: Array) -> Array:
    ranks = [conditions.ndim, choices.ndim]
    if builtins.min(ranks) == 0:
        raise ArgumentValueError("For 'select', neither list may be a number.")
    if len(conditions) != len(choices):
        raise ArgumentValueError("For 'select', both lists must have the same length.")
    picked = [c.astype(jnp.bool_) for c in conditions]
    return jnp.select(picked, list(choices), default.astype(choices.dtype))


@checked
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """Return per place the element of the first choice whose condition is true."""
    return _first_true(*tensors(condlist, choicelist, default))


@operator("choose", int_grad=True)
def _by_number(a: Indices, choices: Array, mode: str) -> Array:
    if not jnp.issubdtype(a.dtype, jnp.signedinteger):
        raise ArgumentValueError("For 'choose', a must be of a signed integer dtype.")
    if mode not in ("clip", "wrap"):
        raise ArgumentValueError(f"For 'choose', mode must be 'clip' or 'wrap', but got {mode!r}.")
    return jnp.choose(a, list(choices), mode=mode)


@checked
def choose(a: Any, choices: Any, mode: str = "clip") -> Tensor:
    """Return per place the element of the choice that ``a`` numbers there."""
    if mode == "raise":
        raise UnsupportedError("For 'choose', the mode 'raise' is not there; take 'clip'.")
    if isinstance(choices, (tuple, list)):
        choices = stack(broadcast_arrays(*tensors(*choices)))
    return _by_number(tensor(a), tensor(choices), mode)


@checked
def size(a: Any, axis: int | None = None) -> int:
    """Return the number of elements, or that along an axis."""
    a = tensor(a)
    return a.size if axis is None else a.shape[normal_axis(axis, a.ndim)]


@checked
def array_str(a: Tensor) -> str:
    """Return what ``str`` returns of a Tensor."""
    return str(a)


def apply_along_axis(func1d: Any, axis: int, arr: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Apply a function to every vector along an axis; its result stands in the axis's place."""
    place = normal_axis(axis, ops.rank(arr))
    rows = moveaxis(arr, place, -1)
    around = tuple(rows.shape[:-1])
    rows = rows.reshape((-1, rows.shape[-1]))
    made = stack([func1d(row, *args, **kwargs) for row in rows])
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
    conditions = list(condlist) if isinstance(condlist, (tuple, list)) else tensor(condlist)
    conditions = tensor(conditions) if isinstance(conditions, list) else atleast_1d(conditions)
    values = tensor(choices)
    cases, values = len(conditions), _at_least(1, values)
    if len(values) not in (cases, cases + 1):
        raise ArgumentValueError(
            f"For 'piecewise', there must be {cases} or {cases + 1} functions or values, but got "
            f"{len(values)}."
        )
    default = values[-1] if len(values) > cases else 0
    return select(conditions, values[:cases], default)


@operator("unravel_index")
def _positions(indices: Indices, shape: tuple, order: str) -> tuple[Array, ...]:
    total = int(np.prod(shape))
    flat = jnp.mod(jnp.clip(indices, -total, total - 1), total)
    found = []
    for length in shape if order == "F" else shape[::-1]:
        found.append(flat % length)
        flat = flat // length
    return tuple(found if order == "F" else found[::-1])


@checked
def unravel_index(indices: Any, shape: int | tuple | list, order: str = "C") -> Any:
    """Return the position on each axis of an array for positions in its flattened form."""
    if order not in ("C", "F"):
        raise ArgumentValueError(f"For 'unravel_index', order must be 'C' or 'F', not {order!r}.")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    indices = tensor(indices)
    found = _positions(indices, sizes, order)
    return found[0].ravel() if indices.ndim == 0 and len(sizes) == 1 else found


@checked
def argwhere(a: Any) -> Tensor:
    """Return the positions of elements other than 0, one row each."""
    return ops.argwhere(tensor(a))


__all__ = [
    *("transpose", "expand_dims", "squeeze", "rollaxis", "swapaxes", "reshape", "ravel"),
    *("concatenate", "where", "atleast_1d", "atleast_2d", "atleast_3d", "column_stack", "hstack"),
    *("dstack", "vstack", "stack", "unique", "moveaxis", "tile", "broadcast_to"),
    *("broadcast_arrays", "append", "roll", "split", "vsplit", "flip", "flipud", "fliplr"),
    *("hsplit", "dsplit", "take_along_axis", "take", "repeat", "rot90", "select", "array_split"),
    *("choose", "size", "array_str", "apply_along_axis", "piecewise", "unravel_index"),
    *("apply_over_axes", "argwhere", "intersect1d"),
]
