"""A program as MindSpore's users write it: a type checker accepts every line."""

from typing import reveal_type

import numpy as np

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.common.initializer import Normal, initializer


class Net(nn.Cell):
    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, pad_mode="pad", padding=1, has_bias=True)
        self.bn = nn.BatchNorm2d(width)
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.dense = nn.SequentialCell(nn.Dense(width * 16, 32), nn.ReLU(), nn.Dense(32, 10))
        self.scale = Parameter(initializer(Normal(0.02), [10], ms.float32), name="scale")
        self.sum = ops.ReduceSum(keep_dims=True)

    def construct(self, x):
        x = self.pool(ops.relu(self.bn(self.conv(x))))
        x = self.dense(self.flatten(x)) * self.scale + 1
        return x - self.sum(x, 1) / x.shape[1]


net = Net()
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=1e-3, weight_decay=0.0)


def forward(data, label):
    logits = net(data)
    return loss_fn(logits, label), logits


grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
(loss, _), grads = grad_fn(ops.randn(2, 3, 8, 8), Tensor([1, 2], ms.int32))
optimizer(grads)
net.set_train(False)

x = Tensor(np.ones((2, 4, 8, 8)), ms.float32)
w = ops.ones((4, 4, 3, 3), ms.float32)
y = ops.Conv2D(4, 3)(x, w)
z = 2 * x + 1 - x / 3**2 @ x
rows, total = x.shape[0], ops.ReduceSum(keep_dims=True)(x, 0)
mean = x.sum(0).mean(-1, keep_dims=True).astype(ms.float16)
flat = x.reshape(2, -1).reshape((8, -1)).transpose(1, 0)[:, 0]
top, places = ops.topk(flat, 3)
if (top > 0.5).all() and float(loss.asnumpy()) < 3.0:
    top[0] = 1.0
print(f"{rows} {total} {mean} {int(places[0])} {-y} {z.dtype} {abs(top)}", ops.softmax(x, axis=1))

# What an editor knows of results, so that it can complete what follows them.
reveal_type(x + 1)  # is Tensor
reveal_type(1 - x)  # is Tensor
reveal_type(x @ x > 0)  # is Tensor
reveal_type(x[0, 1:])  # is Tensor
reveal_type(x.sum(0, keepdims=True).add(1))  # is Tensor
reveal_type(x.shape)  # is tuple[int, ...]
reveal_type(x.abs().reshape(-1).T)  # is Tensor
reveal_type(ops.topk(x, 2))  # is tuple[Tensor, Tensor]
reveal_type(ops.relu(x))  # is Tensor
reveal_type(ops.Softmax()(x))  # is Tensor
reveal_type(ops.ArgMaxWithValue()(x))  # is tuple[Tensor, Tensor]
reveal_type(net.conv)  # is Conv2d
reveal_type(net.trainable_params())  # is list[Parameter]
