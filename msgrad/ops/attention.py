"""Attention as one operator."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.errors import UnsupportedError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import limits
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import multiple_of, need, same_type

_ALL = 2**31 - 1
# Layout -> what brings it to (batch, sequence, heads, size), once heads are a dimension.
_ORDERS = {"BSH": (0, 1, 2, 3), "SBH": (1, 0, 2, 3), "BNSD": (0, 2, 1, 3), "BSND": (0, 1, 2, 3)}


def _heads(x: Array, size: int, layout: str) -> Array:
    split = x.reshape(*x.shape[:2], -1, size) if layout[-1] == "H" else x
    return split.transpose(_ORDERS[layout])


def _band(rows: int, columns: int, before: int, after: int) -> Array:
    """Whether a column is at most ``before`` to the left of a row and ``after`` to the right."""
    apart = jnp.arange(columns) - jnp.arange(rows)[:, None]
    return (apart >= -before) & (apart <= after)


@operator("FlashAttentionScore")
def _attention(
    query: Array,
    key: Array,
    value: Array,
    real_shift: Array | None,
    attn_mask: Indices | None,
    head_num: int,
    scale: float,
    pre_tokens: int,
    next_tokens: int,
    layout: str,
    sparse_mode: int,
) -> tuple[Array, Array, Array]:
    if layout not in _ORDERS or sparse_mode not in (0, 1, 2, 3, 4):
        raise UnsupportedError(
            f"the layout must be in {list(_ORDERS)} and 'sparse_mode' 0 to 4 here, but got "
            f"{layout!r} and {sparse_mode}."
        )
    fits = query.ndim == len(layout) and key.shape == value.shape
    need(fits, f"the query must be {layout}, key and value of one shape", query, key, value)
    same_type(query, key, value)
    size = query.shape[-1] // (head_num if layout[-1] == "H" else 1)
    q, k, v = (_heads(x, size, layout) for x in (query, key, value))
    rows, columns = q.shape[1], k.shape[1]
    shift = columns - rows
    if sparse_mode in (2, 3):
        seen = _band(rows, columns, _ALL, shift if sparse_mode == 3 else 0)
    elif sparse_mode == 4:
        seen = _band(rows, columns, pre_tokens - shift, next_tokens + shift)
    else:
        seen = _band(
            rows, columns, *((pre_tokens, next_tokens) if not sparse_mode else (_ALL,) * 2)
        )
        # In the other modes the mask only says that the rest is left out.
        seen = seen if attn_mask is None else seen & ~attn_mask.astype(bool)
    multiple_of(k.shape[2], "query's number of heads", q.shape[2])
    k, v = (jnp.repeat(x, q.shape[2] // x.shape[2], 2) for x in (k, v))
    scores = jnp.einsum("btnd,bsnd->bnts", q, k, preferred_element_type=jnp.float32) * scale
    scores = scores if real_shift is None else scores + real_shift
    scores = jnp.where(seen, scores, limits(scores.dtype)[0])
    top = jax.lax.stop_gradient(scores.max(-1, keepdims=True))
    powers = jnp.exp(scores - top)
    total = powers.sum(-1, keepdims=True)
    out = jnp.einsum("bnts,bsnd->btnd", (powers / total).astype(v.dtype), v)
    return top, total, out.transpose(_ORDERS[layout]).reshape(query.shape)


def _refuse(keep_prob: float, *given: Any) -> None:
    if keep_prob != 1.0 or any(v is not None for v in given):
        raise UnsupportedError(
            "there is no dropout, no prefix and no packed sequence here; mask keys by attn_mask."
        )


@function
def flash_attention_score(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    real_shift: Tensor | None = None,
    drop_mask: Any = None,
    padding_mask: Any = None,
    attn_mask: Tensor | None = None,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    keep_prob: float = 1.0,
    scalar_value: float = 1.0,
    pre_tokens: int = _ALL,
    next_tokens: int = _ALL,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> Tensor:
    """Compute ``softmax(scale * query @ key.T + shift) @ value``, head by head.

    Args:
        query: Tensor, its dimensions in the order of ``input_layout``, floating.
        key: Tensor of the same dtype; its heads may be fewer, by a factor.
        value: Tensor of the shape of ``key``.
        head_num: The heads of the query.
        real_shift: Tensor (B or 1, heads or 1, S1, S2) that is added before the softmax, or None.
        drop_mask: None.
        padding_mask: Accepted for compatibility.
        attn_mask: Tensor (S1, S2), or with batch and heads before: 1 or True where a key is left
            out; or None. Without effect where ``sparse_mode`` is 2 or more.
        prefix: None.
        actual_seq_qlen: None.
        actual_seq_kvlen: None.
        keep_prob: 1.0.
        scalar_value: The scale.
        pre_tokens: How many keys before a query count, in the modes 0 and 4.
        next_tokens: How many after it count.
        inner_precise: Accepted for compatibility.
        input_layout: ``'BSH'``, ``'SBH'``, ``'BNSD'`` or ``'BSND'``.
        sparse_mode: 0 or 1 for the mask; 2 for no later key, counted from the first, 3 from the
            last; 4 for a band, counted from the last.

    Raises:
        NotImplementedError: For dropout, a prefix, or sequences packed into one dimension.

    Differs from MindSpore: it runs on a CPU too, where MindSpore 2.10 has no kernel of it.
    """
    _refuse(keep_prob, drop_mask, prefix, actual_seq_qlen, actual_seq_kvlen)
    return _attention(
        *(query, key, value, real_shift, attn_mask, head_num, float(scalar_value)),
        *(pre_tokens, next_tokens, input_layout, sparse_mode),
    )[2]


@function(
    primitive="FlashAttentionScore(head_num, keep_prob=1.0, scale_value=1.0, pre_tokens=_ALL, "
    "next_tokens=_ALL, inner_precise: _ = 0, input_layout='BSH', sparse_mode=0)"
)
def _flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    real_shift: Tensor | None = None,
    drop_mask: Any = None,
    padding_mask: Any = None,
    attn_mask: Tensor | None = None,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    *,
    head_num: int,
    keep_prob: float,
    scale_value: float,
    pre_tokens: int,
    next_tokens: int,
    input_layout: str,
    sparse_mode: int,
) -> tuple[Any, ...]:
    """Compute attention; the other arguments are those of ``flash_attention_score``.

    Args:
        scale_value: The scale.

    Returns:
        The maxima and the sums of the softmax (B, heads, S1, 8), None, and the attention.
    """
    _refuse(keep_prob, drop_mask, prefix, actual_seq_qlen, actual_seq_kvlen)
    top, total, out = _attention(
        *(query, key, value, real_shift, attn_mask, head_num, float(scale_value)),
        *(pre_tokens, next_tokens, input_layout, sparse_mode),
    )
    eight = (*top.shape[:3], 8)
    return top.broadcast_to(eight), total.broadcast_to(eight), None, out
