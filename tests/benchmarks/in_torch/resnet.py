"""The residual network, in the form that torchvision has."""

from __future__ import annotations

from typing import Any

from torch import nn


class Block(nn.Module):
    """Two convolutions with batch normalisation, around a sum."""

    def __init__(self, before, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, channels, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)
        self.down = None
        if stride != 1 or before != channels:
            conv = nn.Conv2d(before, channels, 1, stride, bias=False)
            self.down = nn.Sequential(conv, nn.BatchNorm2d(channels))

    def forward(self, x):
        straight = x if self.down is None else self.down(x)
        x = self.relu(self.norm1(self.conv1(x)))
        return self.relu(self.norm2(self.conv2(x)) + straight)


class ResNet(nn.Module):
    """Stem, stages of two blocks, average, classifier."""

    def __init__(self, widths, classes=10):
        super().__init__()
        self.conv = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.norm = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.pool = nn.MaxPool2d(3, 2, 1)
        blocks, before = [], 64
        for channels in widths:
            blocks += [Block(before, channels, 1 if channels == before else 2)]
            blocks += [Block(channels, channels, 1)]
            before = channels
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(before, classes)

    def forward(self, x):
        x = self.pool(self.relu(self.norm(self.conv(x))))
        return self.head(self.blocks(x).mean((2, 3)))


def make(widths: tuple[int, ...]) -> Any:
    """Make the network and its loss."""
    net = ResNet(widths)
    loss_fn = nn.CrossEntropyLoss()
    return net, lambda x, y: loss_fn(net(x), y.long())
