"""A small convolutional classifier of 32x32 colour images: two convolutions, two dense layers."""

from __future__ import annotations

from collections.abc import Callable

from mindspore import Tensor, nn


class ConvNet(nn.Cell):
    """Two blocks of convolution, ReLU and max pooling, then two dense layers."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3, pad_mode="same", has_bias=True)
        self.conv2 = nn.Conv2d(32, 64, 3, pad_mode="same", has_bias=True)
        self.pool = nn.MaxPool2d(2, 2)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.dense1 = nn.Dense(64 * 8 * 8, 128)
        self.dense2 = nn.Dense(128, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        return self.dense2(self.relu(self.dense1(self.flatten(x))))


def make() -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make the network and its loss."""
    net = ConvNet()
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    return net, forward
