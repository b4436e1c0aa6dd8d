"""The small convolutional classifier."""

from __future__ import annotations

from typing import Any

from torch import nn


class ConvNet(nn.Module):
    """Two blocks of convolution, ReLU and max pooling, then two dense layers."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.pool = nn.MaxPool2d(2, 2)
        self.relu = nn.ReLU()
        self.dense1 = nn.Linear(64 * 8 * 8, 128)
        self.dense2 = nn.Linear(128, 10)

    def forward(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        return self.dense2(self.relu(self.dense1(x.flatten(1))))


def make() -> Any:
    """Make the network and its loss."""
    net = ConvNet()
    loss_fn = nn.CrossEntropyLoss()
    return net, lambda x, y: loss_fn(net(x), y.long())
