"""Arguments that are accepted where one expects them refused, and attributes set after the fact."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, mint, nn, ops

from tests.parity.case import case

DTYPES = ("bool", "int8", "uint8", "int32", "float32")


@case.table({dtype: (dtype,) for dtype in DTYPES})
def cumsum_of_narrow_integers(dtype):
    x = Tensor(np.array([[1, 0, 2], [3, 4, 5]], dtype))
    every = x.cumsum(), x.cumsum(None, ms.float32), x.cumsum(dim=1)
    return every, x.cumsum(1, ms.int8), x.cumsum(axis=-1, dtype=x.dtype)


@case
def cumsum_of_bool_by_function():
    return ops.cumsum(Tensor([True, False]), 0)


@case.table({"0": (0,), "1": (1,), "3": (3,), "4": (4,)})
def mint_t(ndim):
    return mint.t(Tensor(np.arange(2**ndim).reshape((2,) * ndim)))


@case.table({"Tensor": (True,), "tuple": (False,)})
def boundaries(tensor):
    x, edges = Tensor([0.5, 3.0, 9.0]), Tensor([1, 3, 5]) if tensor else (1.0, 3.0)
    return ops.bucketize(x, edges), ops.bucketize(x, edges, right=True)


@case
def xlogy_of_complex():
    x, y = Tensor(np.array([1 + 1j, 0, 2], "complex64")), Tensor(np.array([1j, 0, 2], "complex64"))
    return ops.xlogy(x, y), x.xlogy(y)


class Weighted(nn.LossBase):
    def construct(self, logits, labels):
        return self.get_loss(logits - labels, 0.5)


@case.table({"get_loss": (Weighted,), "MSELoss": (nn.MSELoss,), "L1Loss": (nn.L1Loss,)})
def reduction_changed_after(cls):
    loss, x, y = cls(), Tensor([1.0, 2.0]), Tensor([0.0, 0.0])
    found = [loss(x, y)]
    loss.average = False
    found.append(loss(x, y))
    loss.reduce = False
    return [*found, loss(x, y)]


@case
def numpy_diff_between_arrays():
    import mindspore.numpy as mnp

    x = Tensor(np.array([[1.0, 4.0, 9.0], [2.0, 3.0, 5.0]], "float32"))
    return mnp.diff(x, 2, 1, x, x), mnp.diff(x, 1, 0, prepend=x), mnp.diff(x, 1, -1, 7.0, x)


@case.table({"loss": (True, {}), "own": (False, {}), "scale": (True, {"scale": 8.0})})
def trains_what_is_built(loss, scale):
    net = nn.SequentialCell(nn.BatchNorm1d(3), nn.Dense(3, 2))
    if scale:
        scale = {"loss_scale_manager": amp.FixedLossScaleManager(scale["scale"], False)}
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = amp.build_train_network(net, optimizer, nn.MSELoss() if loss else None, **scale)
    return step.training, net.training, net[0].training


AXES = {
    "None": None,
    "(0, 0)": (0, 0),
    "(0,)": (0,),
    "5": 5,
    "-3": -3,
    "1": 1,
    "(0, None)": (0, None),
}


@case.table({f"{n}_{key}": (n, axes) for n in (1, 2) for key, axes in AXES.items()})
def out_axes(count, axes):
    x = Tensor(np.array([[1.0, 4.0, 9.0], [2.0, 3.0, 5.0]], "float32"))

    def one(x):
        return x * 2

    def two(x):
        return x, x * 2

    return ms.vmap(one if count == 1 else two, 0, axes)(x)


@case.table({"pre": (True,), "after": (False,)})
def backward_hook_gives_a_number(pre):
    cell = nn.ReLU()
    if pre:
        cell.register_backward_pre_hook(lambda cell, given: 1.0)
    else:
        cell.register_backward_hook(lambda cell, grads, given: 1.0)
    return ms.grad(cell)(Tensor([1.0, 2.0]))


@case
def hook_backward_gives_too_many():
    return ms.grad(lambda x: ops.HookBackward(lambda g: (g[0], g[0]))(x * 2))(Tensor([1.0, 2.0]))
