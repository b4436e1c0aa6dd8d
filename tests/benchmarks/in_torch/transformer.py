"""The small transformer."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    """Causal self-attention with several heads."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        n, t, width = x.shape
        q, k, v = (
            part.view(n, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, 2)
        )
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(n, t, width))


class Block(nn.Module):
    """Attention and two dense layers, each after a normalisation and around a sum."""

    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.wide = nn.Linear(width, 4 * width)
        # The form that nn.GELU of MindSpore has unless told.
        self.gelu = nn.GELU(approximate="tanh")
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.narrow(self.gelu(self.wide(self.norm2(x))))


class Transformer(nn.Module):
    """Embeddings, blocks, and the logits of the next token."""

    def __init__(self, words, width, heads, tokens, depth):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.place = nn.Parameter(torch.zeros(tokens, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words)

    def forward(self, x):
        return self.head(self.norm(self.blocks(self.embedding(x) + self.place[: x.shape[1]])))


def make(words: int, width: int, heads: int, tokens: int, depth: int) -> Any:
    """Make the network and its loss."""
    net = Transformer(words, width, heads, tokens, depth)
    loss_fn = nn.CrossEntropyLoss()
    return net, lambda x, y: loss_fn(net(x).view(-1, words), y.reshape(-1).long())
