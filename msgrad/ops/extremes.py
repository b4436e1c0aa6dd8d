"""The largest and smallest elements, where they are; comparisons are elsewhere.

``max`` along one axis gives the gradient to the element it names, ``amax`` and ``reduce_max``
split it evenly between equal elements, as in MindSpore.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_float
from msgrad._core.registry import function, method, spelling
from msgrad._core.spelling import ABSENT, given
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import axes, one_axis, refuse
from msgrad.ops.reduction import DIM, place_of


def extreme(x: Array, named: tuple[int, ...], keep: bool, largest: bool) -> Array:
    """Return the extremes; ``jnp.max`` refuses 64-bit operands while 64 bits are only explicit."""
    if math.prod(x.shape[a] for a in named) == 0:
        raise ArgumentValueError("the largest or smallest of no elements does not exist.")
    function = jax.lax.reduce_max if largest else jax.lax.reduce_min
    result = function(x, axes=named)
    return jnp.expand_dims(result, named) if keep else result


def _extreme(name: str, largest: bool) -> Any:
    def kernel(
        input: Array,
        where: Array | None,
        axis: Any = None,
        keepdims: bool = False,
        initial: Any = None,
    ) -> Array:
        refuse(input, jnp.bool_, jnp.complexfloating)
        named = axes(axis, input.ndim)
        if initial is None and where is not None:
            raise ArgumentValueError("'initial' must be given with 'where'.")
        if initial is None:
            return extreme(input, named, keepdims, largest)
        chosen = input if where is None else jnp.where(where, input, jnp.full_like(input, initial))
        result = extreme(chosen, named, keepdims, largest)
        return (jax.lax.max if largest else jax.lax.min)(result, jnp.full_like(result, initial))

    return operator(name, int_grad=True)(kernel)


_amax = _extreme("ReduceMax", True)
_amin = _extreme("ReduceMin", False)


_SELECTED = "input, axis=None, keepdims=False, *, initial=None, where=None"
amax = spelling(
    f"amax({_SELECTED})",
    _amax,
    """Largest element over ``axis``; a gradient is split evenly between equal ones.

    Args:
        input: Tensor of a real dtype.
        axis: int, tuple, list or None for all.
        keepdims: Whether reduced dimensions stay, with size 1.
        initial: A number the result is at least.
        where: Bool Tensor, the elements to look at; needs ``initial``.

    Differs from MindSpore: a nan gives nan.
    """,
    method=True,
)
amin = spelling(
    f"amin({_SELECTED})", _amin, "Smallest element over ``axis``; see ``amax``.", method=True
)


def _reduced(word: str, of: Any) -> Any:
    def kernel(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
        axes(axis, x.ndim, none=False)
        return of.kernel(x, None, axis, keep_dims)

    text = f"{word} element over ``axis``; a gradient is split evenly between equal ones."
    return operator(of.name, primitive="(keep_dims=False)", int_grad=True, summary=text)(kernel)


reduce_max, reduce_min = _reduced("Largest", _amax), _reduced("Smallest", _amin)


def position_of(x: Array, axis: int, largest: bool) -> Array:
    """Return the position of the first extreme element along ``axis``, keeping the dimension."""
    if x.shape[axis] == 0:
        raise KernelError("the dimension must not be empty.")
    if x.dtype.itemsize < 8:
        function = jnp.argmax if largest else jnp.argmin
        return function(x, axis=axis, keepdims=True).astype(jnp.int32)
    # JAX's argmax mixes widths on 64-bit operands while 64 bits are only explicit.
    best = extreme(x, (axis,), True, largest)
    hit = (x == best) | (x != x)
    places = jax.lax.broadcasted_iota(jnp.int32, x.shape, axis)
    return jnp.min(jnp.where(hit, places, x.shape[axis]), axis=axis, keepdims=True)


def _arg_extreme(x: Array, axis: Any, keep: bool, largest: bool) -> Array:
    if axis is None:
        # MindSpore keeps no dimension here.
        return position_of(x.reshape(-1), 0, largest)[0]
    place = one_axis(axis, x.ndim)
    if not x.ndim:
        return jnp.zeros((), jnp.int32)
    index = position_of(x, place, largest)
    return index if keep else jnp.squeeze(index, place)


_ARGMAX = {"axis": "dim", "keepdims": "keepdim"}


@operator("Argmax", also=_ARGMAX)
def argmax(input: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    """Position of the first largest element, in int64; in the flattened Tensor without ``dim``."""
    return _arg_extreme(input, dim, keepdim, True).astype(jnp.int64)


@function(method="argmax", also=_ARGMAX, public=False)
def _argmax_method(self: Tensor, dim: Any = ABSENT, keepdim: bool = False) -> Tensor:
    """Position of the first largest element, int64: of all without ``dim``.

    Compiled, without ``dim`` it is that of the last dimension, as in MindSpore.
    """
    return argmax(self, given(dim, None if context.inputs is None else -1), keepdim)


@operator("Argmin", method=True, also=DIM)
def argmin(input: Array, axis: int | None = None, keepdims: bool = False) -> Array:
    """Position of the first smallest element, in int32 (int64 of a 0-d Tensor)."""
    refuse(input, jnp.bool_)
    index = _arg_extreme(input, axis, keepdims, False)
    return index if input.ndim else index.astype(jnp.int64)


def _position(name: str, largest: bool) -> Any:
    def kernel(x: Array, axis: int = -1, output_type: Any = mstype.int32) -> Array:
        return _arg_extreme(x, axis, False, largest).astype(output_type.np_dtype)

    which = "largest" if largest else "smallest"
    text = f"""Return the positions of the {which} elements of an axis.

    Args:
        x: Tensor of real numbers.
        axis: int.
        output_type: int32 or int64.
    """
    return operator(name, primitive="(axis=-1, output_type=mstype.int32)", summary=text)(kernel)


_argmax, _argmin = _position("Argmax", True), _position("Argmin", False)


def _with_value(x: Array, axis: int, keep: bool, largest: bool) -> tuple[Array, Array]:
    """Return positions (int64) and values along one axis; the gradient goes to that position."""
    refuse(x, jnp.bool_, jnp.complexfloating)
    place = one_axis(axis, x.ndim)
    if not x.ndim:
        return jnp.zeros((), jnp.int64), x
    if x.shape[place] == 0:
        raise ArgumentValueError(f"the dimension {axis} must not be empty.")
    index = position_of(x, place, largest)
    value = jnp.take_along_axis(x, index, place)
    if not keep:
        index, value = jnp.squeeze(index, place), jnp.squeeze(value, place)
    return index.astype(jnp.int64), value


def _placed(name: str, largest: bool) -> Any:
    def kernel(x: Array, axis: int = 0, keep_dims: bool = False) -> tuple[Array, Array]:
        return _with_value(x, axis, keep_dims, largest)

    which = "largest" if largest else "smallest"
    text = f"Return the positions (int64) of the {which} elements of an axis, and the elements."
    return operator(name, primitive="(axis=0, keep_dims=False)", int_grad=True, summary=text)(
        kernel
    )


def _of_all(name: str, of: Any) -> Any:
    def kernel(x: Array) -> tuple[Array, Array]:
        return of.kernel(x, None), jnp.zeros((), jnp.int64)

    return operator(name, int_grad=True)(kernel)


_argmax_with_value = _placed("ArgMaxWithValue", True)
_argmin_with_value = _placed("ArgMinWithValue", False)
_max_of_all, _min_of_all = _of_all("Max", _amax), _of_all("Min", _amin)


@operator("initial value")
def _bounded(x: Array, where: Array | None, initial: float, largest: bool) -> Array:
    """Bound each element by ``initial``, which also replaces those that ``where`` leaves out."""
    bound = jnp.full_like(x, initial)
    chosen = (jnp.maximum if largest else jnp.minimum)(x, bound)
    return chosen if where is None else jnp.where(where, chosen, bound)


def _value_and_place(
    largest: bool, input: Any, axis: Any, keepdims: bool, initial: Any, where: Any
) -> Any:
    if axis is None:  # then MindSpore looks at neither of them
        return (_max_of_all if largest else _min_of_all)(input)
    if initial is None and where is not None:
        raise ArgumentValueError("initial value must be provided for where masks")
    if initial is not None:
        input = _bounded(input, where, initial, largest)
    with_value = _argmax_with_value if largest else _argmin_with_value
    index, value = with_value(input, axis, keepdims)
    return value, index


@function(method="argmax_with_value(axis=0, keep_dims: keepdims = False)")
def max(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Largest elements along ``axis`` and where they are.

    Args:
        input: Tensor of a real dtype.
        axis: int, or None for all elements.
        keepdims: Whether the dimension stays, with size 1.
        initial: A number that the result is at least; not looked at without ``axis``.
        where: Bool Tensor, the elements to look at; needs ``initial``, and ``axis`` likewise.

    Returns:
        Values and int64 positions; without ``axis`` the position is 0.
    """
    return _value_and_place(True, input, axis, keepdims, initial, where)


@function(method="argmin_with_value(axis=0, keep_dims: keepdims = False)")
def min(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Smallest elements along ``axis`` and where they are; see ``max``."""
    return _value_and_place(False, input, axis, keepdims, initial, where)


@operator("ArgMinWithValue", int_grad=True)
def _numbers(x: Array, axis: int | None, instead: float) -> Array:
    """Replace each nan, unless there is nothing else along the axis."""
    if not is_float(x.dtype) or not x.ndim:
        return x
    nan = x != x
    place = None if axis is None else one_axis(axis, x.ndim)
    return jnp.where(nan & ~jnp.all(nan, axis=place, keepdims=True), instead, x)


@function(method=True)
def aminmax(input: Any, *, axis: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Smallest and largest elements along ``axis``, not counting nan; without one, of all."""
    low = min(_numbers(input, axis, math.inf), axis, keepdims)[0]
    high = max(_numbers(input, axis, -math.inf), axis, keepdims)[0]
    if axis is None and keepdims:
        shape = (1,) * input.ndim
        return low.reshape(shape), high.reshape(shape)
    return low, high


def _cumulative_extreme(name: str, largest: bool, index_dtype: Any, summary: str) -> Any:
    def kernel(input: Array, axis: int) -> tuple[Array, Array]:
        refuse(input, jnp.bool_, jnp.complexfloating)
        place = place_of(axis, input.ndim)
        run = jax.lax.cummax if largest else jax.lax.cummin
        best = run(jax.lax.stop_gradient(input), axis=place)
        hit = (input == best) | ((input != input) & (best != best))
        places = jax.lax.broadcasted_iota(jnp.int32, input.shape, place)
        index = jax.lax.cummax(jnp.where(hit, places, 0), axis=place)
        return jnp.take_along_axis(input, index, place), index.astype(index_dtype)

    return operator(name, primitive="(axis)", method=True, summary=summary)(kernel)


cummax = _cumulative_extreme(
    "Cummax", True, jnp.int64, "Running maximum along ``axis`` and its int64 positions."
)
cummin = _cumulative_extreme(
    "Cummin", False, jnp.int32, "Running minimum along ``axis`` and its int32 positions."
)


def _extreme_method(pair: Callable[..., Any], single: Callable[..., Any]) -> Callable[..., Any]:
    def method(
        self: Any,
        *place: Any,
        axis: Any = ABSENT,
        keepdims: Any = ABSENT,
        initial: Any = ABSENT,
        where: Any = ABSENT,
        return_indices: Any = ABSENT,
        dim: Any = ABSENT,
        keepdim: Any = ABSENT,
    ) -> Any:
        """``max()``, ``max(dim, keepdim)`` with positions, or ``max(axis=...)`` without."""
        if len(place) > 2:
            raise ArgumentTypeError(f"at most 2 positional arguments are taken, not {len(place)}.")
        plain = all(v is ABSENT for v in (axis, keepdims, initial, where, return_indices))
        named = dim is not ABSENT or keepdim is not ABSENT
        if named and not (plain and (place or dim is not ABSENT)):
            raise ArgumentTypeError(
                "'dim' and 'keepdim' go with no other argument; write 'axis' and 'keepdims'."
            )
        # Compiled, 2.10 takes a mere axis for that of the form without positions.
        counted = bool(place) and isinstance(place[0], (int, np.integer))
        by_place = plain and context.inputs is None and counted
        others = given(dim, given(axis, None)), given(keepdim, given(keepdims, False))
        axis, keepdims = (*place, *others[len(place) :])
        initial, where = given(initial, None), None if where is True else given(where, None)
        if named or by_place or given(return_indices, False):
            return pair(self, axis, keepdims, initial=initial, where=where)
        if axis is None:  # then MindSpore looks at none of the others
            return single(self)
        if isinstance(axis, int):
            return pair(self, axis, keepdims, initial=initial, where=where)[0]
        return single(self, axis, keepdims, initial=initial, where=where)

    return method


method("max")(_extreme_method(max, amax))
method("min")(_extreme_method(min, amin))
