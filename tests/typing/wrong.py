"""What a type checker refuses: the lines that are marked, and no other."""

import msgrad as ms
from msgrad import Tensor, nn, ops

x = Tensor([[1.0, 2.0], [3.0, 4.0]])

ops.matmul(x, x, 3, foo=1)  # refused
x.sun()  # refused
ops.ReduceSum(keep_dim=True)  # refused
ops.softmax(x, axes=1)  # refused
ops.sofmax(x)  # refused
ops.ReduceSum()(x, axes=0)  # refused
ops.Conv2D("4", 3)  # refused
ops.exp("x")  # refused
x.matmul()  # refused
x + "1"  # refused
x.shape()  # refused
nn.Conv2d(3, 4)  # refused
nn.Conv2d(3, 4, 3, kernel=3)  # refused
nn.Conv2D(3, 4, 3)  # refused
nn.SGD([], lr=0.1)  # refused
ms.value_and_grads(ops.exp)  # refused
ms.value_and_grad(ops.exp, weight=None)  # refused
ms.Parameter(x, label="w")  # refused
ops.matmul(x, x)
