"""The small transformer."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax

_HEADS = 4
_PER_BLOCK = 12


def params(weights: dict[str, Any]) -> Any:
    """Give embedding, places, 12 arrays a block, and those of the end; dense weights (in, out)."""
    names = ["embedding.embedding_table", "place"]
    blocks = len([name for name in weights if name.endswith(".qkv.weight")])
    for i in range(blocks):
        for part in ("norm1", "attention.qkv", "attention.out", "norm2", "wide", "narrow"):
            names += _pair(f"blocks.{i}.{part}")
    names += _pair("norm") + _pair("head")
    dense = [w.T if name.endswith(".weight") else w for name, w in weights.items()]
    by_name = dict(zip(weights, dense, strict=True))
    return [by_name[name] for name in names], ()


def _pair(part: str) -> list[str]:
    ends = ("gamma", "beta") if "norm" in part else ("weight", "bias")
    return [f"{part}.{end}" for end in ends]


def _normalised(x: jax.Array, gamma: jax.Array, beta: jax.Array) -> jax.Array:
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gamma + beta


def _attention(x: jax.Array, w: jax.Array, b: jax.Array) -> jax.Array:
    n, t, width = x.shape
    q, k, v = ((part.reshape(n, t, _HEADS, -1)) for part in jnp.split(x @ w + b, 3, -1))
    scores = jnp.einsum("nthd,nshd->nhts", q, k) / (width // _HEADS) ** 0.5
    scores = jnp.where(jnp.tri(t, dtype=bool), scores, -1e9)
    return jnp.einsum("nhts,nshd->nthd", jax.nn.softmax(scores), v).reshape(n, t, width)


def loss(params: list[jax.Array], stats: Any, x: jax.Array, y: jax.Array) -> Any:
    """Give the cross entropy."""
    table, place, *rest = params
    *blocks, gamma, beta, head, shift = rest
    x = table[x] + place
    for i in range(0, len(blocks), _PER_BLOCK):
        g1, s1, qkv, bqkv, out, bout, g2, s2, wide, bwide, narrow, bnarrow = blocks[
            i : i + _PER_BLOCK
        ]
        x = x + _attention(_normalised(x, g1, s1), qkv, bqkv) @ out + bout
        x = x + jax.nn.gelu(_normalised(x, g2, s2) @ wide + bwide) @ narrow + bnarrow
    logits = _normalised(x, gamma, beta) @ head + shift
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), stats
