"""Operators of MindSpore's private modules that programs import, made of public ones."""

from __future__ import annotations

import inspect
import math
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp

from msgrad import ops
from msgrad._core.checks import of_type
from msgrad._core.errors import KernelError, UnsupportedError
from msgrad._core.op import Array, Indices, operator
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn.layer.transformer import MultiheadAttention
from msgrad.ops.array import Sizes
from msgrad.ops.primitive import primitive
from msgrad.ops.recurrent import unpacked_weights
from msgrad.ops.selecting import tensor_scatter_elements

__all__ = ["GRUV2", "PSROIPooling", "Scatter", "StridedSliceGrad", "multi_head_attention_forward"]


def _scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str = "none") -> Tensor:
    """Write ``src`` into a copy at the positions along ``dim`` that ``index`` names."""
    of_type("Scatter", "reduce", reduce, str)
    return tensor_scatter_elements(input, index, src, dim, reduce)


Scatter = primitive("Scatter", _scatter)


@operator("StridedSliceGrad", int_grad=True)
def _strided_slice_grad(
    dy: Array,
    shapex: Sizes,
    begin: Sizes,
    end: Sizes,
    strides: Sizes,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Array:
    """Return zeros of a shape, with ``dy`` where ``StridedSlice`` takes its result from."""
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    places = jnp.arange(math.prod(shapex), dtype=jnp.int32).reshape(shapex)
    taken = ops.strided_slice.kernel(places, begin, end, strides, *masks)
    return jnp.zeros(places.size, dy.dtype).at[taken].set(dy).reshape(shapex)


_MASKS = "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask"
StridedSliceGrad = primitive(
    "StridedSliceGrad", _strided_slice_grad, dict.fromkeys(_MASKS.split(), 0)
)


@operator("GRUV2")
def _gru_v2(
    x: Array,
    h: Array,
    w: Array,
    seq_length: Indices,
    input_size: int,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: float,
    is_train: bool = True,
) -> tuple[Array, ...]:
    """Run a GRU of one layer over sequences, all of them to their end, as MindSpore's CPU does.

    The weights are those of the inputs of all directions, those of the state, and the biases; its
    gates update, reset, new.
    """
    if num_layers != 1:
        raise UnsupportedError("the Primitive GRUV2 has one layer; mindspore.nn.GRU has several.")
    directions = 1 + bidirectional
    inputs, states, biases = unpacked_weights(
        w, directions, 3 * hidden_size, input_size, hidden_size, has_bias
    )
    runs = []
    for d in range(directions):
        own = states[d].T

        def step(state: Array, given: Array, own: Array = own) -> tuple[Array, Array]:
            both = given[:, : 2 * hidden_size] + state @ own[:, : 2 * hidden_size]
            update, reset = jnp.split(jax.nn.sigmoid(both), 2, -1)
            new = jnp.tanh(given[:, 2 * hidden_size :] + reset * state @ own[:, 2 * hidden_size :])
            state = new + update * (state - new)
            return state, state

        given = x @ inputs[d].T + (biases[d] if has_bias else 0)
        runs.append(jax.lax.scan(step, h[d], given, reverse=d == 1))
    last, out = zip(*runs, strict=True)
    zero = jnp.zeros((1, 1), x.dtype)
    return jnp.concatenate(out, -1), jnp.stack(last), zero, zero


_SIZES = "input_size hidden_size num_layers has_bias bidirectional dropout"
GRUV2 = primitive(
    "GRUV2", _gru_v2, dict.fromkeys(_SIZES.split(), inspect.Parameter.empty) | {"is_train": True}
)


@operator("PSROIPooling")
def _psroi_pooling(
    features: Array, rois: Indices, spatial_scale: float, group_size: int, output_dim: int
) -> Array:
    """Return means of the parts of regions, each part's of channels of its own.

    ``rois`` (N, 5, R) have the image and x, y, x, y; the result is (N R, output_dim, group_size,
    group_size). As in MindSpore, the last row and column of an image are in no part. Differs from
    MindSpore, which reads the regions right for R = 1, and whose gradient has that row and column.
    """
    wanted, sizes = output_dim * group_size**2, features.shape[2:]
    if features.shape[1] != wanted:
        raise KernelError(f"there must be {wanted} channels, but got {features.shape[1]}.")
    rois = jnp.moveaxis(rois, 1, -1).reshape(-1, 5)
    ends = rois[:, 1:] * spatial_scale
    ends = jnp.sign(ends) * jnp.floor(jnp.abs(ends) + 0.5)
    parts = jnp.arange(group_size)
    inside = []
    for axis, size in zip((1, 0), sizes, strict=True):
        first = ends[:, axis, None]
        step = jnp.maximum(ends[:, axis + 2, None] - first, 1) / group_size
        low, high = jnp.floor(first + parts * step), jnp.ceil(first + (parts + 1) * step)
        cells = jnp.arange(size - 1)
        row = (cells >= low[..., None]) & (cells < high[..., None])
        inside.append(jnp.pad(row, ((0, 0), (0, 0), (0, 1))).astype(features.dtype))
    rows, columns = inside
    own = features.reshape(-1, output_dim, group_size, group_size, *sizes)
    own = own[rois[:, 0].astype(jnp.int32)]
    total = jnp.einsum("rcpqhw,rph,rqw->rcpq", own, rows, columns)
    cells_of = rows.sum(-1)[:, None, :, None] * columns.sum(-1)[:, None, None, :]
    return total / jnp.maximum(cells_of, 1)


PSROIPooling = primitive(
    "PSROIPooling",
    _psroi_pooling,
    dict.fromkeys(("spatial_scale", "group_size", "output_dim"), inspect.Parameter.empty),
)


class _Settings(SimpleNamespace):
    """What ``MultiheadAttention`` reads of itself, without a layer."""

    _mask = MultiheadAttention._mask
    _projected = MultiheadAttention._projected


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: None = None,
    static_v: None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
    k_is_v: bool = False,
    q_is_k: bool = False,
    dtype: Any = mstype.float32,
) -> tuple[Tensor, Tensor]:
    """Compute what ``nn.MultiheadAttention`` does, of weights that are given.

    Args:
        query: (L, N, E) or (L, E); ``key`` and ``value`` likewise.
        embed_dim_to_check: E.
        num_heads: How many heads there are.
        in_proj_weight: (3 E, E), unless ``use_separate_proj_weight``.
        in_proj_bias: (3 E,) or None.
        bias_k: A key that is appended, ``bias_v`` its value, or None.
        add_zero_attn: Whether a key and value of zeros are appended.
        dropout_p: The probability of a weight to be dropped, while ``training``.
        out_proj_weight: (E, E), with ``out_proj_bias`` (E,) or None.
        key_padding_mask: As of the layer, with ``attn_mask``.
        q_proj_weight: Of the three projections, with ``use_separate_proj_weight``.
        average_attn_weights: Whether the weights are their mean over the heads.
        static_k, static_v, is_causal, k_is_v, q_is_k, dtype: Accepted for compatibility.

    Returns:
        The output, as ``query``, and the weights.
    """
    own = _Settings(
        embed_dim=embed_dim_to_check,
        num_heads=num_heads,
        head_dim=embed_dim_to_check // num_heads,
        batch_first=False,
        training=training,
        dropout=dropout_p,
        in_proj_weight=None if use_separate_proj_weight else in_proj_weight,
        in_proj_bias=in_proj_bias,
        q_proj_weight=q_proj_weight,
        k_proj_weight=k_proj_weight,
        v_proj_weight=v_proj_weight,
        bias_k=bias_k,
        bias_v=bias_v,
        add_zero_attn=add_zero_attn,
        out_proj=lambda x: ops.dense(x, out_proj_weight, out_proj_bias),
    )
    construct: Any = MultiheadAttention.construct
    given = (key_padding_mask, True, attn_mask, average_attn_weights)
    return construct(own, query, key, value, *given)
