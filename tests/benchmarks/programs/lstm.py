"""A language model of one LSTM layer."""

from __future__ import annotations

from collections.abc import Callable

from mindspore import Tensor, nn


class LanguageModel(nn.Cell):
    """Embedding, LSTM, dense layer."""

    def __init__(self, words, width):
        super().__init__()
        self.words = words
        self.embedding = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.head = nn.Dense(width, words)

    def construct(self, text):
        hidden, _ = self.lstm(self.embedding(text))
        return self.head(hidden).reshape(-1, self.words)


def make(words: int, width: int) -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make the network and its loss."""
    net = LanguageModel(words, width)
    loss_fn = nn.CrossEntropyLoss()

    def forward(text, target):
        return loss_fn(net(text), target.reshape(-1))

    return net, forward
