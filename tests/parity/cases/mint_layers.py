"""Layers of ``mindspore.mint.nn``: their weights of a seed, results, gradients, wrong arguments."""

import mindspore as ms
import numpy as np

from tests.parity.case import case
from tests.parity.cases.mint_functions import operands
from tests.parity.cases.numpy_elementwise import attempt, of

# How it is made, and what it is called with where the CPU of 2.10 runs it; a wrong call last.
WEIGHTED = {
    "Linear": ("n.Linear(3, 2)", "l(x)", "n.Linear(0, 2)"),
    "Linear_plain": ("n.Linear(3, 2, bias=False)", "l(t)", "n.Linear(3)"),
    "Conv1d": ("n.Conv1d(2, 4, 3)", None, "n.Conv1d(2, 3, 1, groups=2)"),
    "Conv2d": ("n.Conv2d(2, 4, 3, padding=1)", None, "n.Conv2d(0, 4, 3)"),
    "Conv2d_plain": (
        "n.Conv2d(2, 4, (1, 3), stride=2, groups=2, bias=False)",
        None,
        "n.Conv2d(2, 4, 3, padding_mode='a')",
    ),
    "Conv3d": ("n.Conv3d(2, 4, (1, 2, 3))", None, "n.Conv3d(2)"),
    "ConvTranspose2d": (
        "n.ConvTranspose2d(2, 4, 3, groups=2)",
        None,
        "n.ConvTranspose2d(2, 4, 3, padding_mode='reflect')",
    ),
    "BatchNorm1d": ("n.BatchNorm1d(3)", None, "n.BatchNorm1d()"),
    "BatchNorm2d": ("n.BatchNorm2d(3, affine=False)", None, "n.BatchNorm2d('a')"),
    "BatchNorm3d": ("n.BatchNorm3d(3, track_running_stats=False)", None, "n.BatchNorm3d()"),
    "LayerNorm": ("n.LayerNorm(3)", None, "n.LayerNorm()"),
    "LayerNorm_unbiased": ("n.LayerNorm((2, 3), bias=False)", None, "n.LayerNorm('a')"),
    "LayerNorm_plain": ("n.LayerNorm([3], elementwise_affine=False)", None, "n.LayerNorm(None)"),
    "GroupNorm": ("n.GroupNorm(1, 2)", "l(t)", "n.GroupNorm(2, 3)"),
    "GroupNorm_plain": ("n.GroupNorm(2, 2, affine=False)", "l(t)", "n.GroupNorm(1)"),
    "Embedding": ("n.Embedding(4, 3)", None, "n.Embedding(4, 3, padding_idx=4)"),
    "Embedding_padded": ("n.Embedding(4, 3, padding_idx=1)", None, "n.Embedding('a', 3)"),
    "PReLU": ("n.PReLU()", "l(x)", "n.PReLU(dtype=3)"),
    "PReLU_channels": ("n.PReLU(3, 0.5)", "l(x)", "n.PReLU('a')"),
}
PLAIN = {
    "Softmax": ("n.Softmax(1)", "l(x)", "n.Softmax(1, 2)"),
    "Softmax_default": ("n.Softmax()", "l(t)", "n.Softmax(dims=1)"),
    "ReLU": ("n.ReLU()", "l(x)", "n.ReLU(1, 2)"),
    "SiLU": ("n.SiLU()", "l(x)", "n.SiLU(1, 2)"),
    "Hardshrink": ("n.Hardshrink()", "l(x)", "n.Hardshrink(1, 2)"),
    "Softshrink": ("n.Softshrink()", "l(x)", "n.Softshrink(1, 2)"),
    "Hardsigmoid": ("n.Hardsigmoid()", "l(x)", "n.Hardsigmoid(1)"),
    "Hardswish": ("n.Hardswish()", "l(x)", "n.Hardswish(1)"),
    "GLU": ("n.GLU(0)", "l(x)", "n.GLU(1, 2)"),
    "Tanh": ("n.Tanh()", "l(x)", "n.Tanh(1)"),
    "Sigmoid": ("n.Sigmoid()", "l(x)", "n.Sigmoid(1)"),
    "Dropout": ("n.Dropout()", "l(x)", "n.Dropout(0.5, False, 1)"),
    "Dropout_training": ("n.Dropout(0.0).set_train()", "l(x)", "n.Dropout(q=1)"),
    "Dropout2d": ("n.Dropout2d()", "l(t)", "n.Dropout2d(0.5, False, 1)"),
    "Flatten": ("n.Flatten()", "l(t)", "n.Flatten(1, 2, 3)"),
    "Flatten_some": ("n.Flatten(0, 1)", "l(t)", "n.Flatten(a=1)"),
    "Identity": ("n.Identity(3, a=1)", "l(t)", "n.Identity()()"),
    "PixelShuffle": ("n.PixelShuffle(1)", "l(t)", "n.PixelShuffle()"),
    "Upsample": ("n.Upsample(scale_factor=2.0)", "l(t[None])", "n.Upsample(a=1)"),
    "AdaptiveMaxPool2d": ("n.AdaptiveMaxPool2d(1)", "l(t)", "n.AdaptiveMaxPool2d()"),
    "NLLLoss": ("n.NLLLoss()", "l(x, j)", "n.NLLLoss(a=1)"),
    "NLLLoss_sum": ("n.NLLLoss(v, 5, 'sum')", "l(x, j)", "n.NLLLoss(1, 2, 3, 4)"),
    "SmoothL1Loss": ("n.SmoothL1Loss()", "l(x, y)", "n.SmoothL1Loss(a=1)"),
    "SmoothL1Loss_none": ("n.SmoothL1Loss('none', 0.5)", "l(x, y)", "n.SmoothL1Loss(1, 2, 3)"),
    "BCELoss": ("n.BCELoss()", "l(p / 4, p / 4)", "n.BCELoss(a=1)"),
    "BCEWithLogitsLoss": ("n.BCEWithLogitsLoss()", "l(x, p)", "n.BCEWithLogitsLoss(a=1)"),
    "BCEWithLogitsLoss_sum": (
        "n.BCEWithLogitsLoss(reduction='sum', pos_weight=v)",
        "l(x, p)",
        "n.BCEWithLogitsLoss(1, 2, 3, 4)",
    ),
}
LAYERS = WEIGHTED | PLAIN
RUN = {key: row[:2] for key, row in LAYERS.items() if row[1]}


def run(text, **more):
    from mindspore import mint

    return eval(text, {"n": mint.nn, "ms": ms, "np": np, "of": of, **operands(), **more})


def made(text):
    ms.set_seed(1)
    return run(text)


@case.table({key: row[:1] for key, row in WEIGHTED.items()})
def weights(text):
    layer = made(text)
    return [(p.name, p.requires_grad, p.asnumpy()) for p in layer.get_parameters()]


@case.table(RUN, tol=2e-6)
def gives(text, call):
    return run(call, l=made(text))


@case.table(RUN, tol=5e-6)
def gradient(text, call):
    layer = made(text)
    layer.set_grad()
    # By the input and the weights, of the sum of cubes: that of squares is constant after a norm.
    source = call[2]

    def loss(value):
        found = run(call, l=layer, **{source: value})
        return (found * found * found).sum()

    parameters = layer.trainable_params()
    by = ms.grad(loss, 0, parameters) if parameters else ms.grad(loss)
    return by(operands()[source])


@case.table({key: row[2:] for key, row in LAYERS.items()})
def wrong(text):
    return attempt(lambda: run(text))
