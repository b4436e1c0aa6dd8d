"""First and second derivatives of operators as they are called, against finite differences.

The kernels of all operators are checked in ``test_gradient_coverage.py``; here are calls that put
several together, look at an index, or take another way through a kernel.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

import msgrad as ms
from msgrad import Tensor, nn, ops

INDEX = Tensor([[0, 2], [1, 0]])
TARGET = Tensor(np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], np.float32))
LABEL = Tensor([2, 0])

OPERATORS = {
    "index": lambda x: x[1, ::2],
    "index_backwards": lambda x: x[::-1, 1:],
    "index_tensor": lambda x: x[:, Tensor([0, 0, 2])],
    "split": lambda x: ops.split(x, 1, 1)[1],
    "repeat_interleave": lambda x: x.repeat_interleave([1, 2], 0),
    "pad_reflect": lambda x: ops.pad(x, (1, 1), "reflect"),
    "scatter": lambda x: ops.tensor_scatter_elements(x * x, INDEX, x[:, :2], 1, "add"),
    "softmax": ops.softmax,
    "gelu_tanh": lambda x: ops.gelu(x, "tanh"),
    "prelu": lambda x: ops.prelu(x, x[0] * x[1]),
    "dense": lambda x: ops.dense(x, x * 2, x[:, 0]),
    "cross_entropy_probabilities": lambda x: ops.cross_entropy(x, TARGET),
    "clip_by_norm": lambda x: ops.clip_by_norm(x, 0.5),
    "clip_by_global_norm": lambda x: ops.clip_by_global_norm((x, x * x), 0.5)[1],
    "cast": lambda x: (x.astype("float64") * x).astype("float32"),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_derivatives(name):
    x = jnp.asarray(np.array([[0.3, -0.7, 1.1], [0.9, 0.45, -1.6]], np.float32))
    # Finite differences of float32 have about three digits.
    check_grads(
        lambda raw: OPERATORS[name](Tensor(raw))._read(), (x,), order=2, atol=3e-2, rtol=3e-2
    )


@pytest.mark.parametrize("values", [(0, 2, 3, 0), (0, 0, 0, 1), (2, 0, 1, 3)])
def test_products_at_repeated_places_have_every_derivative(values):
    places = Tensor(np.array([[0], [0], [1], [0]], np.int32))
    check_grads(
        lambda x, u: ops.tensor_scatter_mul(Tensor(x), places, Tensor(u))._read(),
        (jnp.array([2.0, 3.0]), jnp.array(values, jnp.float32)),
        order=3,
        atol=3e-2,
        rtol=3e-2,
    )


def _entropy(x, w):
    return ops.binary_cross_entropy(ops.sigmoid(x), TARGET, w)


def _entropy_of_logits(x, w):
    return ops.binary_cross_entropy_with_logits(x, TARGET, w, w[0])


LOSSES = {
    "weight": _entropy,
    "weights_of_logits": _entropy_of_logits,
    "labels_of_sigmoid": lambda x, w: ops.SigmoidCrossEntropyWithLogits()(x, w).sum(),
    "labels_of_softmax": lambda x, w: ops.SoftmaxCrossEntropyWithLogits()(x, w)[0].sum(),
    "labels_of_layer": lambda x, w: nn.SoftmaxCrossEntropyWithLogits(reduction="mean")(x, w),
}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_weights_without_a_gradient_count_in_gradients_of_the_others(loss):
    x, w = (
        Tensor(np.array([[0.3, -0.7, 1.1], [0.9, 0.45, -1.6]], np.float32)),
        Tensor(TARGET.asnumpy() + 1),
    )
    assert not ms.grad(loss, 1)(x, w).asnumpy().any()
    gradient = ms.grad(loss)
    check_grads(lambda raw: gradient(x, Tensor(raw))._read(), (w._read(),), 1, atol=1e-2, rtol=1e-2)


def test_derivatives_are_jax_arrays_of_the_input():
    gradient = jax.grad(lambda raw: ops.softmax(Tensor(raw))._read()[0])(jnp.ones(3))
    assert gradient.shape == (3,)
