"""Private functions of ``mindspore.ops.function.nn_func`` that attention layers are built of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentValueError
from msgrad.common.tensor import Tensor

__all__: list[str] = []


def _check_qkv_shape(query_ndim: int, key_ndim: int, value_ndim: int) -> bool:
    """Whether query, key and value are batched, by their dimensions."""
    if query_ndim not in (2, 3):
        raise ArgumentValueError(
            "The `query` should be unbatched 2D or batched 3D tensor, but got `query` with "
            f"{query_ndim}D."
        )
    if (key_ndim, value_ndim) != (query_ndim,) * 2:
        raise ArgumentValueError(
            f"For {_kind(query_ndim)} `query`, the `key` and `value` must be {query_ndim}D tensor, "
            f"but got `key` with {key_ndim}D and `value` with {value_ndim}D."
        )
    return query_ndim == 3


def _check_kpm_shape(query_ndim: int, kmp_ndim: int) -> None:
    """Raise unless a padding mask has one dimension less than the query."""
    if kmp_ndim != query_ndim - 1:
        raise ArgumentValueError(
            f"For {_kind(query_ndim)} `query`, the `key_padding_mask` must be `None` or "
            f"{query_ndim - 1}D, but got `key_padding_mask` with {kmp_ndim}D."
        )


def _check_attn_mask_shape(
    query_ndim: int,
    query_shape: Sequence[int],
    key_shape: Sequence[int],
    attn_mask_ndim: int,
    attn_mask_shape: Sequence[int],
    num_heads: int,
) -> None:
    """Raise unless a mask has two or three dimensions; without a batch, of heads and lengths."""
    if attn_mask_ndim not in (2, 3):
        raise ArgumentValueError(
            f"For {_kind(query_ndim)} `query`, the `attn_mask` must be `None`, 2-D or 3-D, but got "
            f"`attn_mask` with {attn_mask_ndim}D."
        )
    whole = (num_heads, query_shape[0], key_shape[0])
    if query_ndim == 2 and attn_mask_ndim == 3 and tuple(attn_mask_shape) != whole:
        raise ArgumentValueError(
            f"The shape of `attn_mask` must be {whole}, but got {tuple(attn_mask_shape)}."
        )


def _kind(ndim: int) -> str:
    return "batched" if ndim == 3 else "unbatched"


def _in_projection(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    b_q: Tensor | None = None,
    b_k: Tensor | None = None,
    b_v: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return query, key and value, each by its own projection."""
    return ops.dense(q, w_q, b_q), ops.dense(k, w_k, b_k), ops.dense(v, w_v, b_v)


def _in_projection_packed(
    q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None, k_is_v: bool, q_is_k: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Return query, key and value by the projections that are thirds of one (3 E, E)."""
    biases = (None,) * 3 if b is None else ops.chunk(b, 3)
    return _in_projection(q, k, v, *ops.chunk(w, 3), *biases)


def _inner_dropout(x: Tensor, p: float, training: bool) -> Tensor:
    """Drop elements, in training."""
    return ops.dropout(x, p=p, training=training)


def _inner_pad(x: Tensor, padding: tuple[int, ...], value: float | None = None) -> Tensor:
    """Pad with a value."""
    return ops.pad(x, padding, value=value)


def _interploate_ext_make_tuple(input: Tensor, value: Any) -> Sequence[Any]:
    """Return a number for each dimension of an image."""
    return value if isinstance(value, (tuple, list)) else (value,) * (input.ndim - 2)


def _interpolate_ext_scale_factor_convert_size(
    input: Tensor, scale_factor: Sequence[float]
) -> tuple[int, ...]:
    """Return the sizes of an image that is scaled."""
    sizes = zip(input.shape[2:], scale_factor, strict=False)
    return tuple(int(size * factor) for size, factor in sizes)


def _scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None,
    dropout_p: float,
    is_causal: bool,
    is_training: bool,
    dtype: Any,
) -> tuple[Tensor, Tensor]:
    """Compute ``softmax(q k^T / sqrt(E) + mask) v``, and the weights; True in a mask adds 1.

    Args:
        query: (..., L, E); ``key`` and ``value``: (..., S, E).
        attn_mask: What is added to the scores, broadcast to (..., L, S), or None.
        dropout_p: The probability of a weight to be dropped while ``is_training``.
        is_causal: The mask is ones on and below the diagonal instead.
        dtype: That of the scale and of this mask.
    """
    scale = Tensor(query.shape[-1], dtype).sqrt().sqrt()
    scores = ops.matmul(query / scale, (key / scale).swapaxes(-1, -2))
    mask = ops.ones(scores.shape[-2:], dtype).tril() if is_causal else attn_mask
    weights = ops.softmax(scores if mask is None else scores + mask, -1)
    if dropout_p and is_training:
        weights = ops.dropout(weights, dropout_p)
    return ops.matmul(weights, value), weights
