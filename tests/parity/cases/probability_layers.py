"""Variational layers: first values, divergences and their gradients, draws, wrong arguments."""

import mindspore as ms
import mindspore.nn.probability.bnn_layers as bnn
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

# MindSpore's CPU kernels take exp and log from short polynomials.
APPROXIMATE = 5e-5

LAYERS = {
    "dense": lambda: bnn.DenseReparam(3, 2, activation="relu"),
    "dense_without_bias": lambda: bnn.DenseReparam(3, 2, has_bias=False),
    "local": lambda: bnn.DenseLocalReparam(3, 2, activation=nn.Tanh()),
    "conv": lambda: bnn.ConvReparam(1, 2, 2),
    "conv_of_groups": lambda: bnn.ConvReparam(
        2, 4, (2, 1), 2, "pad", 1, 1, 2, True, bnn.NormalPrior(std=0.3)
    ),
    "own_posterior": lambda: bnn.DenseReparam(
        2, 2, weight_posterior_fn=lambda name, shape: bnn.NormalPosterior(name, shape, loc_mean=1)
    ),
}


def nearly_sure(layer):
    """Make all its deviations so small that a draw is its mean."""
    for parameter in layer.trainable_params():
        start = -13.0 if "std" in parameter.name else 0.3
        values = start + np.arange(parameter.size).reshape(parameter.shape) / 16
        parameter.set_data(Tensor(values, ms.float32))
    return layer


def inputs(layer):
    shape = (2, layer.in_channels, 3, 3) if hasattr(layer, "kernel_size") else (2, 2)
    shape = (2, layer.in_channels) if len(shape) == 2 else shape
    return Tensor(np.linspace(-1, 1, int(np.prod(shape))).reshape(shape), ms.float32)


@case.table({name: (make,) for name, make in LAYERS.items()}, tol=APPROXIMATE)
def begins(make):
    np.random.seed(5)
    layer = make()
    found = [(p.name, p.requires_grad, p.value()) for p in layer.get_parameters()]
    grad = ms.value_and_grad(layer.compute_kl_loss, None, layer.trainable_params())
    return str(layer), found, grad()


@case.table({name: (make,) for name, make in LAYERS.items()}, tol=1e-3)
def computes(make):
    layer = nearly_sure(make())
    x = inputs(layer)
    grad = ms.value_and_grad(lambda x: layer(x).sum(), 0, layer.trainable_params()[:1])
    return layer(x), grad(x)


@case.table({name: (make,) for name, make in LAYERS.items()})
def draws(make):
    layer = make()
    x = inputs(layer)
    first, second = layer(x), layer(x)
    return first.shape, bool((first != second).any())


@case(tol=APPROXIMATE)
def distributions():
    prior, posterior = bnn.NormalPrior(mean=1, std=2), bnn.NormalPosterior("w", (3,))
    posterior.mean.set_data(Tensor([0.1, 0.2, -0.3]))
    posterior.untransformed_std.set_data(Tensor([-5.0, 0.5, 3.0]))
    one = Tensor([1.0], ms.float32)
    return (
        [p.name for p in posterior.get_parameters()],
        [posterior(name) + 0 for name in ("mean", "sd", "var", "entropy")],
        prior("log_prob", one),
        prior("kl_loss", "Normal", posterior("mean"), posterior("sd")),
        posterior("kl_loss", "Normal", one, one),
        str(posterior),
    )


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = bnn.ConvReparam(1, 2, 2, has_bias=True)
        self.rest = nn.SequentialCell(nn.Flatten(), bnn.DenseReparam(18, 3, activation=nn.ReLU()))
        self.out = nn.Dense(3, 2)

    def construct(self, x):
        return self.out(self.rest(self.conv(x)))


def trained():
    np.random.seed(5)
    network = nearly_sure(Network())
    for parameter in network.trainable_params():
        if "std" in parameter.name:
            parameter.set_data(Tensor(np.full(parameter.shape, -9.0), ms.float32))
    x = Tensor(np.linspace(0, 1, 18).reshape(2, 1, 3, 3), ms.float32)
    return network, x, Tensor(np.ones((2, 2)), ms.float32)


@case(tol=1e-2)
def loss_and_divergence():
    network, x, y = trained()
    cell = bnn.WithBNNLossCell(network, nn.MSELoss(), dnn_factor=2, bnn_factor=1e-9)
    params = network.trainable_params()
    value, grads = ms.value_and_grad(cell, None, params)(x, y)
    weights = [g for p, g in zip(params, grads, strict=True) if "std" not in p.name]
    found = value, [ops.abs(g).mean() for g in weights]
    return found, cell.backbone_network is network, [p.name for p in params]


@case
def trains():
    network, x, y = trained()
    cell = bnn.WithBNNLossCell(network, nn.MSELoss(), 1, 1e-12)
    step = nn.TrainOneStepCell(cell, nn.Adam(cell.trainable_params(), 1e-2))
    losses = [float(step(x, y)) for _ in range(6)]
    return losses[-1] < losses[0]


def network():
    return Network()


BAD = {
    "size": lambda: bnn.DenseReparam(0, 2),
    "size_text": lambda: bnn.DenseReparam("a", 2),
    "activation": lambda: bnn.DenseReparam(3, 2, activation="nope"),
    "activation_int": lambda: bnn.DenseReparam(3, 2, activation=3),
    "has_bias": lambda: bnn.DenseReparam(3, 2, has_bias=1),
    "prior": lambda: bnn.DenseReparam(3, 2, weight_prior_fn=3),
    "posterior": lambda: bnn.DenseReparam(3, 2, weight_posterior_fn=lambda a, b: None),
    "kernel": lambda: bnn.ConvReparam(2, 3, 0),
    "group": lambda: bnn.ConvReparam(3, 4, 3, group=2),
    "pad_mode": lambda: bnn.ConvReparam(2, 3, 3, pad_mode="x"),
    "padding": lambda: bnn.ConvReparam(2, 3, 3, padding=1),
    "stride": lambda: bnn.ConvReparam(2, 3, 3, stride=(1, 2, 3)),
    "name": lambda: bnn.NormalPosterior(3, (2,)),
    "shape": lambda: bnn.NormalPosterior("a", 2),
    "loc_mean": lambda: bnn.NormalPosterior("a", (2,), loc_mean="x"),
    "loc_std": lambda: bnn.NormalPosterior("a", (2,), loc_std=-1),
    "loc_std_zero": lambda: bnn.NormalPosterior("a", (2,), loc_std=0),
    "prior_mean": lambda: bnn.NormalPrior(mean="a"),
    "prior_std": lambda: bnn.NormalPrior(std=-1),
    "backbone": lambda: bnn.WithBNNLossCell(3, nn.MSELoss()),
    "factor": lambda: bnn.WithBNNLossCell(network(), nn.MSELoss(), dnn_factor="a"),
    "factor_below_0": lambda: bnn.WithBNNLossCell(network(), nn.MSELoss(), bnn_factor=-1),
    "input_dtype": lambda: bnn.DenseReparam(3, 2)(Tensor(np.ones((2, 3)), ms.float16)),
    "input_shape": lambda: bnn.DenseReparam(3, 2)(Tensor(np.ones((2, 4)), ms.float32)),
    "input_rank": lambda: bnn.DenseReparam(3, 2)(Tensor(np.ones((2, 5, 3)), ms.float32)),
}


@case.table({name: (call,) for name, call in BAD.items()})
def wrong(call):
    return call()
