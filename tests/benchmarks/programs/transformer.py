"""A small transformer that predicts each next token of a text."""

from __future__ import annotations

import math
from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class Attention(nn.Cell):
    """Causal self-attention with several heads."""

    def __init__(self, width, heads, tokens):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.qkv = nn.Dense(width, 3 * width)
        self.out = nn.Dense(width, width)
        self.mask = Tensor(np.triu(np.full((tokens, tokens), -1e9, np.float32), 1))

    def construct(self, x):
        n, t, width = x.shape
        q, k, v = ops.split(self.qkv(x), width, axis=2)
        q = q.reshape(n, t, self.heads, self.size).transpose(0, 2, 1, 3)
        k = k.reshape(n, t, self.heads, self.size).transpose(0, 2, 3, 1)
        v = v.reshape(n, t, self.heads, self.size).transpose(0, 2, 1, 3)
        mask = self.mask if t == self.mask.shape[0] else self.mask[:t, :t]
        scores = ops.matmul(q, k) / math.sqrt(self.size) + mask
        mixed = ops.matmul(ops.softmax(scores, -1), v)
        return self.out(mixed.transpose(0, 2, 1, 3).reshape(n, t, width))


class Block(nn.Cell):
    """Attention and two dense layers, each after a normalisation and around a sum."""

    def __init__(self, width, heads, tokens):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.attention = Attention(width, heads, tokens)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.wide = nn.Dense(width, 4 * width)
        self.gelu = nn.GELU()
        self.narrow = nn.Dense(4 * width, width)

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.narrow(self.gelu(self.wide(self.norm2(x))))


class Transformer(nn.Cell):
    """Embeddings, blocks, and the logits of the next token."""

    def __init__(self, words, width, heads, tokens, depth):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        place = np.random.default_rng(1).normal(size=(tokens, width)) * 0.02
        self.place = Parameter(Tensor(place, ms.float32), name="place")
        self.blocks = nn.SequentialCell([Block(width, heads, tokens) for _ in range(depth)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.head = nn.Dense(width, words)

    def construct(self, x):
        t = x.shape[1]
        place = self.place if t == self.place.shape[0] else self.place[:t]
        return self.head(self.norm(self.blocks(self.embedding(x) + place)))


def make(
    words: int, width: int, heads: int, tokens: int, depth: int
) -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make the network and its loss."""
    net = Transformer(words, width, heads, tokens, depth)
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x).reshape(-1, words), y.reshape(-1))

    return net, forward
