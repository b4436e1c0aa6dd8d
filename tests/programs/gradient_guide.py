"""The steps of MindSpore's guide to gradients, on one Dense layer whose numbers are exact."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.amp import StaticLossScaler, all_finite


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 1, has_bias=False)
        self.fc.weight.set_data(Tensor([[2.0, 3.0, 4.0]], ms.float32))
        self.loss = nn.MSELoss()

    def construct(self, x, y):
        logits = self.fc(x).squeeze()
        return self.loss(logits, y), logits


net = Net()
x = Tensor([[1, 2, 3]], ms.float32)
y = Tensor(19, ms.float32)
weights = ms.ParameterTuple(net.trainable_params())

print("== grad, only the loss is differentiated")
print(ms.grad(net, grad_position=0, has_aux=True)(x, y))
print(ms.grad(net, grad_position=1, has_aux=True)(x, y))
print(ms.grad(net, grad_position=(0, 1), has_aux=True)(x, y))
print(ms.grad(net, grad_position=None, weights=weights, has_aux=True)(x, y))
print(ms.grad(net, grad_position=0, weights=weights, has_aux=True)(x, y))

print("== grad, all outputs are differentiated")
print(ms.grad(net, grad_position=0)(x, y))
print(ms.grad(net, grad_position=None, weights=weights)(x, y))

print("== value_and_grad")
value, gradient = ms.value_and_grad(net, grad_position=0, weights=weights, has_aux=True)(x, y)
print("value:", value)
print("grads:", gradient)
try:
    ms.grad(net, grad_position=None, weights=None)
except ValueError as error:
    print("ValueError:", error)

print("== loss scaling and clipping")
loss_scaler = StaticLossScaler(scale_value=1024.0)


def forward_fn(x, y):
    loss, _ = net(x, y)
    print("loss", loss)
    return loss_scaler.scale(loss)


loss, grads = ms.value_and_grad(forward_fn, grad_position=None, weights=weights)(x, y)
print("scaled:", loss, grads)
print("all finite:", all_finite(grads))
print("unscaled:", loss_scaler.unscale(loss), loss_scaler.unscale(grads))
print("clipped:", ops.clip_by_global_norm(loss_scaler.unscale(grads)))

print("== gradients and their names")
named = ms.grad(net, grad_position=0, weights=net.fc.weight, has_aux=True)(x, y)
print(named)
ids = ms.grad(net, grad_position=(0, 1), weights=weights, return_ids=True)(x, y)
print(ids)
print(ms.get_grad(ids, 1))
print(ms.get_grad(ids, net.fc.weight))

print("== a step down the gradient")
rate = Parameter(Tensor(0.5, ms.float32), name="rate")
(weight_gradient,) = ms.grad(forward_fn, grad_position=None, weights=weights)(x, y)
ops.assign_sub(net.fc.weight, rate * weight_gradient / 1024.0)
print(net.fc.weight.asnumpy())
print(isinstance(net.fc.weight, Tensor), net.fc.weight.name, net.fc.weight.shape)
