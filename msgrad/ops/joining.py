"""Joining Tensors and cutting them into parts: concat, stack, split, unbind, narrow, slices."""

from __future__ import annotations

import builtins
import functools
import itertools
import warnings
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, operand, static
from msgrad._core.checks import above
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, Arrays, Operator, dispatch, operator
from msgrad._core.promotion import result_type
from msgrad._core.registry import function, method, spelling
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import multiple_of, need, normal_axis, of_length, same_shape, same_type
from msgrad.ops.array import Sizes, expand_dims, sizes_of


def _check_alike(tensors: Arrays) -> None:
    if not tensors:
        raise ArgumentValueError("at least one Tensor is needed, but got none.")
    if any(getattr(x, "weak_type", False) for x in tensors):
        raise ArgumentTypeError("every element must be a Tensor, not a number.")


@operator("Concat", int_grad=True)
def _concat(tensors: Arrays, axis: int = 0, promotes: bool = False) -> Array:
    _check_alike(tensors)
    shapes = [list(x.shape) for x in tensors]
    if len({x.ndim for x in tensors}) > 1:
        raise ArgumentValueError(f"all Tensors need the same rank; shapes: {shapes}.")
    at = normal_axis(axis, tensors[0].ndim)
    if len({x.shape[:at] + x.shape[at + 1 :] for x in tensors}) > 1:
        raise ArgumentValueError(f"shapes must match except in axis {axis}, but got {shapes}.")
    dtypes = [str(x.dtype) for x in tensors]
    dtype = functools.reduce(result_type, [x.dtype for x in tensors])
    if promotes:
        return jnp.concatenate([x.astype(dtype) for x in tensors], at)
    if len(set(dtypes)) > 1:
        raise KernelError(f"all Tensors must have one dtype, but got {dtypes}; cast them first.")
    return jnp.concatenate(tensors, at)


@function(primitive="Concat(axis=0)")
def concat(tensors: Any, axis: int = 0) -> Tensor:
    """Join Tensors along an existing dimension.

    Args:
        tensors: tuple or list of Tensors, alike in every dimension but ``axis``. Their dtypes may
            differ in a compiled call and under ``vmap``, as in MindSpore.
        axis: The dimension.

    Raises:
        TypeError: If ``tensors`` is not a sequence of Tensors.
        ValueError: If there are none, or their shapes do not fit.
        RuntimeError: If their dtypes differ in an eager call.
    """
    return _concat(tensors, axis, context.inputs is not None)


cat = concat


@operator("Stack", primitive="(axis=0) Pack(axis=0) StackExt(dim: axis = 0)", int_grad=True)
def stack(tensors: Arrays, axis: int = 0) -> Array:
    """Join Tensors of one shape and dtype along a new dimension.

    Raises:
        TypeError: If ``tensors`` is not a sequence of Tensors, or their dtypes differ.
        ValueError: If there are none, or their shapes differ.
    """
    _check_alike(tensors)
    same_shape(*tensors)
    same_type(*tensors)
    return jnp.stack(tensors, normal_axis(axis, tensors[0].ndim + 1))


@operator("Split", int_grad=True)
def _split(input: Array, sizes: Sizes, axis: int) -> tuple[Array, ...]:
    return tuple(jax.lax.split(input, sizes, axis))


@operator("Unstack", int_grad=True)
def _unstack(input: Array, axis: int) -> tuple[Array, ...]:
    return tuple(jnp.unstack(input, axis=axis))


def _piece(op: Operator, options: tuple[Any, ...], index: int, raw: Any) -> Any:
    return dispatch(op, options, (raw,))[index]


def _pieces(op: Operator, input: Any, *options: Any) -> tuple[Tensor, ...]:
    """Run an operator that cuts its input, and make each piece a view."""
    results = op.run(options, (input,), (operand(op.places[0], input),))
    if is_tensor(input):
        for index, result in enumerate(results):
            result._set_base(input, functools.partial(_piece, op, options, index))
    return results


@function(primitive="SplitWithSize")
def split(
    tensor: Tensor,
    split_size_or_sections: int | Sequence[int] | None = None,
    axis: int = 0,
    output_num: int | None = None,
) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into pieces of a size (the last may be shorter) or of sizes.

    Args:
        tensor: Tensor of at least one dimension.
        split_size_or_sections: The size of each piece, or a list of all sizes.
        axis: The dimension.
        output_num: How many equal pieces, as 1.x has it instead of the second argument. It also
            had ``split(tensor, axis, output_num)``, which is meant where ``axis`` is too large.

    Returns:
        A tuple of views.

    Raises:
        ValueError: If a size is not positive or the sizes do not add up.
    """
    given = static(split_size_or_sections)
    if output_num is None and type(given) is int and axis >= tensor.ndim > given >= 0:
        axis, output_num = given, axis
    at = normal_axis(axis, tensor.ndim)
    total = tensor.shape[at]
    if output_num is not None:
        given = _size_of_piece(total, output_num)
    elif given is None:
        raise ArgumentTypeError("split() is missing the argument 'split_size_or_sections'")
    if type(given) is int:
        above("split", "split_size_or_sections", given, 0)
        whole, rest = divmod(total, given)
        sizes = (given,) * whole + ((rest,) if rest or not total else ())
    else:
        sizes = sizes_of(given)
        if sum(sizes) != total or any(s < 0 for s in sizes):
            raise ArgumentValueError(
                f"The sum of 'split_size_or_sections' should be equal to {total}, but got "
                f"{sum(sizes)}."
            )
    return _pieces(_split, tensor, sizes, at)


def _size_of_piece(total: int, pieces: int) -> int:
    warnings.warn(
        "ops.split(x, axis, output_num) is of MindSpore 1; write ops.split(x, size, axis).",
        DeprecationWarning,
        stacklevel=4,
    )
    if pieces < 1 or total % pieces:
        raise ArgumentValueError(f"{total} elements cannot be cut into {pieces} equal pieces.")
    return total // pieces


@method("split")
def _split_method(
    self: Tensor,
    split_size: Any = None,
    dim: int = 0,
    *,
    axis: int | None = None,
    split_size_or_sections: Any = None,
) -> tuple[Tensor, ...]:
    """Cut into pieces along a dimension, by their size or their sizes."""
    sizes = split_size_or_sections if split_size is None else split_size
    return split(self, sizes, dim if axis is None else axis)


@function(primitive="Split(*)")
def _split_evenly(input_x: Tensor, *, axis: int = 0, output_num: int = 1) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into equal pieces.

    Args:
        input_x: Tensor.
        axis: int.
        output_num: How many pieces.
    """
    at = normal_axis(axis, input_x.ndim)
    multiple_of(output_num, f"size of axis {at}", input_x.shape[at])
    return _pieces(_split, input_x, (input_x.shape[at] // output_num,) * output_num, at)


@function(
    primitive="Chunk(input, chunks, dim: axis = 0, /)",
    method="(chunks, dim: axis = 0)",
    also={"axis": "axis"},
)
def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into at most ``chunks`` equal pieces, the last smaller.

    Raises:
        ValueError: If ``chunks`` is not positive, or ``axis`` out of range.
    """
    above("chunk", "chunks", chunks, 0)
    at = normal_axis(axis, input.ndim)
    return split(input, max(1, -(-input.shape[at] // chunks)), at)


@function(method=True)
def tensor_split(
    input: Tensor, indices_or_sections: int | Sequence[int], axis: int = 0
) -> tuple[Tensor, ...]:
    """Cut a Tensor at the given positions, or into a number of nearly equal pieces."""
    at = normal_axis(axis, input.ndim)
    total, given = input.shape[at], static(indices_or_sections)
    if type(given) is int:
        pieces = given if total else 1
        size, rest = divmod(total, pieces)
        sizes = (size + 1,) * rest + (size,) * (pieces - rest)
    else:
        bounds = [0, *(min(b if b >= 0 else b + total, total) for b in given), total]
        sizes = tuple(max(0, b - a) for a, b in itertools.pairwise(bounds))
    return _pieces(_split, input, sizes, at)


@function(method=True)
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along a dimension, without it, as a tuple of views."""
    return _pieces(_unstack, input, normal_axis(dim, input.ndim, "dim"))


unstack = spelling(
    "unstack(input_x: input, axis: dim = 0)",
    unbind,
    primitive="Unpack(axis=0) Unstack(axis=0, num: _ = None)",
)


@operator(
    "narrow", method="(dim: axis, start, length)", also={"axis": "axis"}, int_grad=True, view=True
)
def narrow(input: Array, axis: int | bool, start: int, length: int) -> Array:
    """Return ``length`` elements of ``axis`` from ``start`` on, as a view.

    Raises:
        ValueError: If they reach outside the dimension, or ``axis`` is out of range.
    """
    at = normal_axis(int(axis), input.ndim)
    size = input.shape[at]
    first = start
    fits = 0 <= first <= size and 0 <= length <= size - first
    need(fits, f"start and length must fit axis {axis}", input, start, length)
    return jax.lax.slice_in_dim(input, first, first + length, axis=at)


@operator(
    "StridedSlice",
    primitive="(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)",
    int_grad=True,
    view=True,
)
def strided_slice(
    input_x: Array,
    begin: Sizes,
    end: Sizes,
    strides: Sizes,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Array:
    """Return ``x[begin[0]:end[0]:strides[0], ...]``; bit ``i`` of a mask is about dimension ``i``.

    Args:
        input_x: Tensor.
        begin: First positions.
        end: Positions that end the slices, themselves not included.
        strides: Steps; negative ones go backwards.
        begin_mask: Slices that begin where the dimension does.
        end_mask: Slices that end where the dimension does.
        ellipsis_mask: The one position that stands for ``...``.
        new_axis_mask: Positions that insert a dimension of size 1.
        shrink_axis_mask: Positions that take one index and drop the dimension.

    Raises:
        ValueError: If ``begin``, ``end`` and ``strides`` differ in length, or a stride is 0.
    """
    for label, given in (("end", end), ("strides", strides)):
        of_length(given, label, len(begin))
    if 0 in strides:
        raise ArgumentValueError("'strides' cannot contain 0.")
    index: list[Any] = []
    for i, (a, b, step) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(a)
        else:
            first = None if begin_mask & bit else a
            index.append(builtins.slice(first, None if end_mask & bit else b, step))
    return input_x[tuple(index)]


@operator("Slice", primitive=True, also={"input": "input_x"}, int_grad=True, view=True)
def slice(input_x: Array, begin: Sizes, size: Sizes) -> Array:
    """Return ``size[i]`` elements of dimension ``i`` from ``begin[i]`` on; -1 takes the rest.

    Raises:
        ValueError: If there is not one pair per dimension, or they reach outside it.
    """
    spans = tuple(
        builtins.slice(b, n if s == -1 else b + s)
        for b, s, n in zip(begin, size, input_x.shape, strict=True)
    )
    fits = all(s.stop <= n for s, n in zip(spans, input_x.shape, strict=True))
    need(fits, "the slice must not reach outside of the input", input_x, begin, size)
    return input_x[spans]


tensor_slice = slice


@function(primitive="SliceExt")
def _slice_ext(input: Tensor, dim: int, start: int, end: int, step: int) -> Tensor:
    """Return the elements ``start:end:step`` of a dimension, as a view."""
    at = normal_axis(dim, input.ndim, "dim")
    return input[(builtins.slice(None),) * at + (builtins.slice(start, end, step),)]


@function
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the second dimension, 1-D ones along their only one."""
    tensors = [x if x.ndim else expand_dims(x, 0) for x in tensors]
    return concat(tensors, 0 if tensors[0].ndim < 2 else 1)


@function
def vstack(inputs: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the first dimension, 1-D ones as rows."""
    return concat([x if x.ndim > 1 else x.reshape((1, -1)) for x in inputs], 0)


row_stack = spelling("row_stack(tensors: inputs)", vstack)
