"""Changing gradients on their way back: ``InsertGradientOf``, ``bprop``, hooks."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


def square(x, y):
    return x**2 + y


def double_and_show(gradient):
    print("gradient of the square is", gradient)
    return gradient * 2


show = ops.InsertGradientOf(double_and_show)


def shown_square(x, y):
    return show(x**2) + y


x, y = Tensor([3.0], ms.float32), Tensor([5.0], ms.float32)
print("== InsertGradientOf")
print(ms.grad(square, (0, 1))(x, y))
print(ms.grad(shown_square, (0, 1))(x, y))
print(shown_square(x, y))


def clip(gradient):
    if gradient > 1.0:
        return ops.ones_like(gradient)
    return gradient


def keep(gradient):
    print("kept", gradient)


def hundred(gradient):
    return 100.0


clip_gradient = ops.InsertGradientOf(clip)
keep_gradient = ops.InsertGradientOf(keep)
constant = ops.InsertGradientOf(hundred)


def steep(x):
    return clip_gradient(keep_gradient(x) * 7.0)


def flat(x):
    return clip_gradient(keep_gradient(x) * 0.5)


def fixed(x):
    return constant(x) * 3.0


print(ms.grad(steep)(x))
print(ms.grad(flat)(x))
print(ms.grad(fixed)(x))

print("== bprop")


class Rounded(nn.Cell):
    """Rounds, and passes the gradient straight through."""

    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        print("x", x, "out", out, "dout", dout)
        return (dout,)


class Swapped(nn.Cell):
    """Gives each input the gradient of the other."""

    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return x * dout, y * dout


rounded, swapped = Rounded(), Swapped()


def round_and_square(x):
    return rounded(x * 1.25) ** 2


print(ms.grad(round_and_square)(Tensor([2.0, -2.0], ms.float32)))
print(ms.grad(swapped, (0, 1))(x, y))

print("== hooks and stop_gradient")
seen = []


def hook(cell, grad_input, grad_output):
    seen.append((type(cell).__name__, len(grad_input), grad_output[0].shape))


layer = nn.Dense(2, 1, weight_init=Tensor([[1.0, -2.0]]), bias_init=Tensor([0.5]))
handle = layer.register_backward_hook(hook)
data = Tensor(np.array([[1.0, 2.0], [3.0, 4.0]]), ms.float32)
print(ms.grad(layer)(data))
handle.remove()
print(ms.grad(layer)(data))
print(seen)


def half_stopped(x):
    return x * ops.stop_gradient(x)


print(ms.grad(half_stopped)(x))
