"""Whole programs: MindSpore's guide to gradients, and its tutorial on automatic differentiation."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

# The guide: one Dense of weight [[2, 3, 4]], x = [[1, 2, 3]], y = 19, so that logits are 20.


class Guide(nn.Cell):
    def __init__(self, loss):
        super().__init__()
        self.fc = nn.Dense(3, 1, has_bias=False)
        self.fc.weight.set_data(Tensor([[2.0, 3.0, 4.0]], ms.float32))
        self.loss = loss

    def construct(self, x, y):
        logits = self.fc(x).squeeze()
        return self.loss(logits, y), logits


def guide():
    x, y = Tensor([[1.0, 2.0, 3.0]], ms.float32), Tensor(19, ms.float32)
    return Guide(nn.MSELoss()), x, y


GUIDE = {
    "inputs_with_aux": (0, False, True),
    "target_with_aux": (1, False, True),
    "both_with_aux": ((0, 1), False, True),
    "weights_with_aux": (None, True, True),
    "inputs_and_weights_with_aux": (0, True, True),
    "inputs": (0, False, False),
    "target": (1, False, False),
    "weights": (None, True, False),
    "everything": ((0, 1), True, False),
}


@case.table(GUIDE, prints=True)
def guide_grad(position, weights, has_aux):
    net, x, y = guide()
    weights = ms.ParameterTuple(net.trainable_params()) if weights else None
    result = ms.grad(net, position, weights, has_aux=has_aux)(x, y)
    print(result)
    return result


@case.table(GUIDE, prints=True)
def guide_value_and_grad(position, weights, has_aux):
    net, x, y = guide()
    weights = net.trainable_params() if weights else None
    value, gradient = ms.value_and_grad(net, position, weights, has_aux=has_aux)(x, y)
    print(value)
    print(gradient)
    return value, gradient


@case
def guide_neither():
    net, x, y = guide()
    return ms.grad(net, None, None)(x, y)


@case(prints=True)
def guide_get_grad():
    net, x, y = guide()
    grads = ms.grad(net, 0, net.trainable_params(), has_aux=True, return_ids=True)(x, y)[0]
    print(ms.get_grad(grads, 0))
    print(ms.get_grad(grads, net.fc.weight))
    return grads


@case(prints=True)
def guide_loss_scale():
    from mindspore.amp import StaticLossScaler, all_finite

    net, x, y = guide()
    scaler = StaticLossScaler(scale_value=1024.0)

    def forward(x, y):
        loss, logits = net(x, y)
        print("loss:", loss)
        return scaler.scale(loss), logits

    (loss, logits), gradient = ms.value_and_grad(
        forward, grad_position=None, weights=net.trainable_params(), has_aux=True
    )(x, y)
    print(gradient)
    gradient = scaler.unscale(gradient)
    loss = scaler.unscale(loss)
    finite = all_finite(gradient)
    print(finite)
    clipped = ops.clip_by_global_norm(gradient)
    print(clipped)
    return loss, logits, gradient, finite, clipped


@case(prints=True)
def guide_loss_scale_overflow():
    from mindspore.amp import all_finite

    net, x, y = guide()
    net.fc.weight.set_data(Tensor([[2.0, np.inf, 4.0]], ms.float32))
    gradient = ms.grad(net, None, net.trainable_params(), has_aux=True)(x, y)[0]
    print(all_finite(gradient))
    return all_finite(gradient), gradient


# The tutorial: z = x w + b, binary cross entropy; w is (5, 3), y is zero.


def tutorial():
    grid = np.arange(15, dtype=np.float32).reshape(5, 3)
    x, y = ops.ones(5, ms.float32), ops.zeros(3, ms.float32)
    w = Parameter(Tensor(np.sin(grid).astype(np.float32)), name="w")
    b = Parameter(Tensor(np.array([0.5, -0.25, 1.0], np.float32)), name="b")
    return x, y, w, b


def loss_of(z, y):
    return ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z))


def function(x, y, w, b):
    z = ops.matmul(x, w) + b
    return loss_of(z, y)


def function_with_logits(x, y, w, b):
    z = ops.matmul(x, w) + b
    return loss_of(z, y), z


def function_stopped(x, y, w, b):
    z = ops.matmul(x, w) + b
    return loss_of(z, y), ops.stop_gradient(z)


class Network(nn.Cell):
    def __init__(self, w, b):
        super().__init__()
        self.w, self.b = w, b

    def construct(self, x):
        return ops.matmul(x, self.w) + self.b


@case
def tutorial_loss():
    return function(*tutorial())


@case.table({"plain": (function,), "logits": (function_with_logits,), "stop": (function_stopped,)})
def tutorial_grad(fn):
    return ms.grad(fn, (2, 3))(*tutorial())


@case
def tutorial_aux():
    return ms.grad(function_with_logits, (2, 3), has_aux=True)(*tutorial())


@case
def tutorial_cell():
    x, y, w, b = tutorial()
    model = Network(w, b)
    loss_fn = nn.BCEWithLogitsLoss()

    def forward_fn(x, y):
        return loss_fn(model(x), y)

    grad_fn = ms.value_and_grad(forward_fn, None, weights=model.trainable_params())
    return grad_fn(x, y)


@case(prints=True)
def tutorial_training():
    x, y, w, b = tutorial()
    model = Network(w, b)
    loss_fn = nn.BCEWithLogitsLoss()
    optimizer = nn.SGD(model.trainable_params(), 0.1)
    grad_fn = ms.value_and_grad(lambda x, y: loss_fn(model(x), y), None, optimizer.parameters)
    losses = []
    for step in range(4):
        loss, grads = grad_fn(x, y)
        optimizer(grads)
        losses.append(loss)
        print(f"step {step} loss {loss.asnumpy():.4f}")
    return losses, model.w.asnumpy(), model.b.asnumpy()
