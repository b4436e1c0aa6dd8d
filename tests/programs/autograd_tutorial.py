"""The steps of MindSpore's tutorial on automatic differentiation, from a function to a network."""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Parameter, Tensor, jacfwd, jacrev, jvp, vjp

x = ops.ones(5, ms.float32)
y = ops.zeros(3, ms.float32)
w = Parameter(Tensor(np.linspace(-1, 1, 15).reshape(5, 3), ms.float32), name="w")
b = Parameter(Tensor([0.5, -0.5, 0.25], ms.float32), name="b")


def function(x, y, w, b):
    z = ops.matmul(x, w) + b
    return ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z))


print("== a function")
print(function(x, y, w, b))
print(ms.grad(function, (2, 3))(x, y, w, b))


def function_with_logits(x, y, w, b):
    z = ops.matmul(x, w) + b
    loss = ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z))
    return loss, z


def function_stop_gradient(x, y, w, b):
    loss, z = function_with_logits(x, y, w, b)
    return loss, ops.stop_gradient(z)


print("== auxiliary outputs")
print(ms.grad(function_with_logits, (2, 3))(x, y, w, b)[1])
print(ms.grad(function_stop_gradient, (2, 3))(x, y, w, b)[1])
grads, (z,) = ms.grad(function_with_logits, (2, 3), has_aux=True)(x, y, w, b)
print(grads[1], z)


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = w
        self.b = b

    def construct(self, x):
        return ops.matmul(x, self.w) + self.b


print("== a network")
model = Network()
loss_fn = nn.BCEWithLogitsLoss()


def forward_fn(x, y):
    return loss_fn(model(x), y)


grad_fn = ms.value_and_grad(forward_fn, None, weights=model.trainable_params())
loss, grads = grad_fn(x, y)
print(loss)
print(grads)
print([p.name for p in model.trainable_params()])


def cube(x):
    return x**3


print("== higher orders, Jacobians, products")
point = Tensor([2.0, 3.0], ms.float32)
print(ms.grad(ms.grad(cube))(point))
print(jacfwd(cube)(point))
print(jacrev(jacfwd(cube))(point))
print(jvp(cube, point, Tensor([1.0, 0.0], ms.float32)))
value, pull = vjp(cube, point)
print(value, pull(Tensor([1.0, 1.0], ms.float32)))
print(ms.vmap(ms.grad(cube))(point))
