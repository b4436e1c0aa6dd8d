"""Joining and splitting along the second or third dimension, and moving elements in space.

``concat``, ``stack`` and ``split`` are in ``joining``, permuting dimensions is in ``array``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, Arrays, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import multiple_of, need, normal_axes, same_type
from msgrad.ops.array import broadcast_to
from msgrad.ops.joining import tensor_split

_Pairs = Any


@operator("atleast", int_grad=True)
def _grown(input: Array, rank: int) -> Array:
    grow = (jnp.atleast_1d, jnp.atleast_2d, jnp.atleast_3d)[rank - 1]
    return grow(input)


def _at_least(rank: int) -> Any:
    def atleast(inputs: Any) -> Any:
        if is_tensor(inputs):
            return _grown(inputs, rank)
        return tuple(_grown(x, rank) for x in inputs)

    atleast.__doc__ = f"""Give Tensors of fewer than {rank} dimensions new ones of size 1.

    Args:
        inputs: Tensor, or a tuple or list of them.

    Returns:
        A Tensor or a tuple of them.
    """
    return function(name=f"atleast_{rank}d")(atleast)


atleast_1d = _at_least(1)
atleast_2d = _at_least(2)
atleast_3d = _at_least(3)


@operator("column_stack", int_grad=True)
def column_stack(tensors: Arrays) -> Array:
    """Join Tensors along the second dimension; those of one dimension are columns."""
    return jnp.column_stack(list(tensors))


@operator("dstack", int_grad=True)
def dstack(tensors: Arrays) -> Array:
    """Join Tensors along the third dimension, which those of fewer are given."""
    return jnp.dstack(list(tensors))


def _splitter(name: str, axis: int) -> Any:
    def splits(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
        need(input.ndim > axis, f"there must be {axis + 1} dimensions or more", input)
        return tensor_split(input, indices_or_sections, axis)

    splits.__doc__ = f"""Split a Tensor along dimension {axis}.

    Args:
        input: Tensor.
        indices_or_sections: int: how many parts; tuple or list of ints: where to cut.
    """
    return function(name=name)(splits)


vsplit, hsplit, dsplit = (_splitter("vsplit", 0), _splitter("hsplit", 1), _splitter("dsplit", 2))


@operator("rot90", int_grad=True)
def rot90(input: Array, k: int, dims: Any) -> Array:
    """Turn the plane of two dimensions by ``k`` quarters, from the first to the second."""
    first, second = normal_axes(dims, input.ndim, "dims")
    return jnp.rot90(input, k, (first, second))


@operator("ParallelConcat", primitive=True, int_grad=True)
def _parallel_concat(values: Arrays) -> Array:
    """Join Tensors (1, ...) of one shape and dtype along the first dimension."""
    same_type(*values)
    return jnp.concatenate(list(values))


@operator("IdentityN", primitive=True, int_grad=True)
def _identity_n(x: Arrays) -> tuple[Array, ...]:
    """Return the Tensors as they are."""
    return tuple(x)


@operator("Padding", primitive="(pad_dim_size=8)", int_grad=True)
def padding(x: Array, pad_dim_size: int = 8) -> Array:
    """Fill the last dimension, which has size 1, with zeros up to ``pad_dim_size``.

    Raises:
        ValueError: If it has not, or there are fewer than two dimensions.
    """
    if x.ndim < 2 or x.shape[-1] != 1 or pad_dim_size < 1:
        raise ArgumentValueError(f"the last of two dimensions must have size 1, not {x.shape}.")
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, pad_dim_size - 1)])


@operator("PadV3", int_grad=True)
def _padded(x: Array, value: Array | None, pairs: _Pairs, mode: str) -> Array:
    if mode == "constant":
        fill = jnp.zeros((), x.dtype) if value is None else value.astype(x.dtype).reshape(())
        # Not jnp.pad, which takes nothing away.
        return jax.lax.pad(x, fill, [(*pair, 0) for pair in pairs])
    return jnp.pad(x, pairs, {"circular": "wrap"}.get(mode, mode))  # type: ignore[arg-type]


@function(primitive="PadV3(mode='constant', paddings_contiguous=True)")
def _pad_v3(
    x: Tensor,
    paddings: Any,
    constant_values: Any = None,
    mode: str = "constant",
    paddings_contiguous: bool = True,
) -> Tensor:
    """Pad the last dimensions.

    Args:
        x: Tensor.
        paddings: Tensor or tuple of ints: before and after, of the last dimension first.
        constant_values: Tensor or number to pad with; 0 by default.
        mode: ``'constant'``, ``'reflect'``, ``'edge'`` or ``'circular'``.
        paddings_contiguous: False where all that stand before come first.
    """
    sizes = np.asarray(paddings.asnumpy() if is_tensor(paddings) else paddings).tolist()
    half = len(sizes) // 2
    if not paddings_contiguous:
        sizes = [size for pair in zip(sizes[:half], sizes[half:], strict=True) for size in pair]
    pairs = [(0, 0)] * (x.ndim - half)
    pairs += [(sizes[2 * i], sizes[2 * i + 1]) for i in reversed(range(half))]
    value = constant_values
    if value is not None and not is_tensor(value):
        value = Tensor(value, x.dtype)
    return _padded(x, value, tuple(pairs), mode)


@operator("SpaceToBatchND", primitive="(block_shape: block_size, paddings)", int_grad=True)
def space_to_batch_nd(input_x: Array, block_size: Any, paddings: Any) -> Array:
    """Cut the last dimensions into blocks, and put the places in a block into the batch.

    Args:
        input_x: Tensor (N, C, ...).
        block_size: int, or one for each of the last dimensions.
        paddings: For each a pair: how many zeros come before and after.

    Returns:
        Tensor (N * product of the sizes, C, ...).
    """
    blocks = _blocks(block_size, len(paddings))
    k, lead = len(blocks), input_x.ndim - len(blocks)
    x = jnp.pad(input_x, [(0, 0)] * lead + [tuple(p) for p in paddings])
    if any(n % b for n, b in zip(x.shape[lead:], blocks, strict=True)):
        raise ArgumentValueError(f"the shape {x.shape} must be a multiple of {blocks}.")
    split = [v for n, b in zip(x.shape[lead:], blocks, strict=True) for v in (n // b, b)]
    x = x.reshape(*x.shape[:lead], *split)
    inner = [lead + 2 * i + 1 for i in range(k)]
    outer = [lead + 2 * i for i in range(k)]
    x = x.transpose(*inner, *range(lead), *outer)
    return x.reshape(-1, *x.shape[k + 1 :])


@operator("BatchToSpaceND", primitive="(block_shape, crops)", int_grad=True)
def batch_to_space_nd(input_x: Array, block_shape: Any, crops: Any) -> Array:
    """Put parts of the batch between the elements of the last dimensions.

    Args:
        input_x: Tensor (N, C, ...).
        block_shape: int, or one for each of the last dimensions.
        crops: For each a pair: how much is cut off before and after.

    Returns:
        Tensor (N / product of the sizes, C, ...).
    """
    blocks = _blocks(block_shape, len(crops))
    k, lead = len(blocks), input_x.ndim - len(blocks)
    count = int(np.prod(blocks))
    multiple_of(count, "batch", input_x.shape[0])
    x = input_x.reshape(*blocks, input_x.shape[0] // count, *input_x.shape[1:])
    order = [*range(k, k + lead)]
    order += [place for i in range(k) for place in (k + lead + i, i)]
    x = x.transpose(*order)
    sizes = [n * b for n, b in zip(input_x.shape[lead:], blocks, strict=True)]
    x = x.reshape(*x.shape[:lead], *sizes)
    cuts = [slice(a, n - b) for n, (a, b) in zip(sizes, crops, strict=True)]
    return x[(slice(None),) * lead + tuple(cuts)]


def _blocks(given: Any, count: int) -> tuple[int, ...]:
    blocks = (given,) * count if isinstance(given, int) else tuple(given)
    if len(blocks) != count or min(blocks) < 1:
        raise ArgumentValueError(f"one positive block size is needed for each pair, not {given}.")
    return blocks


@operator("ChannelShuffle", primitive="(group: groups)", int_grad=True)
def channel_shuffle(x: Array, groups: int) -> Array:
    """Deal the channels of (N, C, ...) out to ``groups``, one after another."""
    if x.ndim < 3 or groups < 1 or x.shape[1] % groups:
        raise ArgumentValueError(f"the channels of {x.shape} must be a multiple of {groups}.")
    split = x.reshape(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])
    return jnp.swapaxes(split, 1, 2).reshape(x.shape)


def _permuted_format(name: str, ask: Callable[[list[int], Array], Array], summary: str) -> Any:
    def kernel(x: Array, src_format: str = "NHWC", dst_format: str = "NCHW") -> Array:
        if sorted(src_format) != sorted(dst_format):
            raise ArgumentValueError(f"{src_format!r} and {dst_format!r} name other dimensions.")
        return ask([src_format.index(c) for c in dst_format], x)

    doc = f"""{summary}

    Args:
        x: int Tensor.
        src_format: The dimensions as they stand, such as ``'NHWC'``.
        dst_format: As they are to stand, such as ``'NCHW'``.
    """
    said = "(src_format='NHWC', dst_format='NCHW')"
    return operator(name, primitive=said, summary=doc)(kernel)


_dim_map = _permuted_format(
    "DataFormatDimMap",
    lambda to, x: jnp.asarray(to, x.dtype)[x],
    "Return where dimensions of one data format stand in another.",
)
_vec_permute = _permuted_format(
    "DataFormatVecPermute",
    lambda to, x: x[jnp.asarray(to, jnp.int32)],
    "Put numbers, one for each dimension, into the order of another data format.",
)


@function(primitive="Expand")
def _expand(x: Tensor, shape: Tensor) -> Tensor:
    """Repeat a Tensor to a larger shape, which comes as an int Tensor."""
    return broadcast_to(x, tuple(shape.asnumpy().tolist()))


@function(primitive="SelectView")
def _select_view(input: Tensor, index: int, dim: int) -> Tensor:
    """Return one slice of a dimension."""
    return input[(slice(None),) * dim + (index,)]


@function(primitive="TensorToTuple")
def _tensor_to_tuple(x: Tensor) -> tuple[Any, ...]:
    """Return the elements of a 1-D Tensor as a tuple of numbers."""
    return tuple(x.asnumpy().tolist())
