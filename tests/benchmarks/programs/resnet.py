"""A residual network of images, in the ImageNet form."""

from __future__ import annotations

from collections.abc import Callable

from mindspore import Tensor, nn


class Block(nn.Cell):
    """Two convolutions with batch normalisation, around a sum."""

    def __init__(self, before, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, channels, 3, stride, pad_mode="pad", padding=1)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, pad_mode="pad", padding=1)
        self.norm2 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU()
        self.down = None
        if stride != 1 or before != channels:
            conv = nn.Conv2d(before, channels, 1, stride, pad_mode="valid")
            self.down = nn.SequentialCell([conv, nn.BatchNorm2d(channels)])

    def construct(self, x):
        straight = x if self.down is None else self.down(x)
        x = self.relu(self.norm1(self.conv1(x)))
        return self.relu(self.norm2(self.conv2(x)) + straight)


class ResNet(nn.Cell):
    """Stem, stages of two blocks, average, classifier."""

    def __init__(self, widths, classes=10):
        super().__init__()
        self.conv = nn.Conv2d(3, 64, 7, 2, pad_mode="pad", padding=3)
        self.norm = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        blocks, before = [], 64
        for channels in widths:
            blocks += [Block(before, channels, 1 if channels == before else 2)]
            blocks += [Block(channels, channels, 1)]
            before = channels
        self.blocks = nn.SequentialCell(blocks)
        self.head = nn.Dense(before, classes)

    def construct(self, x):
        x = self.pool(self.relu(self.norm(self.conv(x))))
        return self.head(self.blocks(x).mean((2, 3)))


def make(widths: tuple[int, ...]) -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make the network and its loss."""
    net = ResNet(widths)
    net.set_train()
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    return net, forward
