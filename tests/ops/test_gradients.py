"""First and second derivatives of the differentiable operators against finite differences."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

from msgrad import Tensor, ops

INDEX = Tensor([[0, 2], [1, 0]])
TARGET = Tensor(np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], np.float32))
LABEL = Tensor([2, 0])

OPERATORS = {
    "reshape": lambda x: x.reshape(3, 2),
    "transpose": lambda x: x.T,
    "index": lambda x: x[1, ::2],
    "index_backwards": lambda x: x[::-1, 1:],
    "index_tensor": lambda x: x[:, Tensor([0, 0, 2])],
    "concat": lambda x: ops.concat((x, x * x), 1),
    "stack": lambda x: ops.stack((x, x * x)),
    "split": lambda x: ops.split(x, 1, 1)[1],
    "tile": lambda x: x.tile((2, 2)),
    "repeat_interleave": lambda x: x.repeat_interleave([1, 2], 0),
    "pad": lambda x: ops.pad(x, (1, 2), value=3.0),
    "pad_reflect": lambda x: ops.pad(x, (1, 1), "reflect"),
    "tril": ops.tril,
    "diag": ops.diag,
    "gather": lambda x: ops.gather(x, Tensor([2, 0]), 1),
    "gather_elements": lambda x: ops.gather_elements(x, 1, INDEX),
    "gather_nd": lambda x: ops.gather_nd(x, INDEX[1:]),
    "scatter": lambda x: ops.tensor_scatter_elements(x * x, INDEX, x[:, :2], 1, "add"),
    "where": lambda x: ops.where(TARGET > 0.2, x, x * x),
    "masked_fill": lambda x: x.masked_fill(TARGET > 0.2, 1.0),
    "sort": lambda x: ops.sort(x)[0],
    "topk": lambda x: ops.topk(x, 2)[0],
    "softmax": ops.softmax,
    "log_softmax": ops.log_softmax,
    "gelu": ops.gelu,
    "gelu_tanh": lambda x: ops.gelu(x, "tanh"),
    "elu": ops.elu,
    "selu": ops.selu,
    "silu": ops.silu,
    "softplus": ops.softplus,
    "mish": ops.mish,
    "logsigmoid": ops.logsigmoid,
    "hardswish": ops.hardswish,
    "prelu": lambda x: ops.prelu(x, x[0] * x[1]),
    "dense": lambda x: ops.dense(x, x * 2, x[:, 0]),
    "layer_norm": lambda x: ops.layer_norm(x, (3,), x[0], x[1]),
    "mse_loss": lambda x: ops.mse_loss(x, TARGET),
    "huber_loss": lambda x: ops.huber_loss(x, TARGET, delta=0.05),
    "bce_with_logits": lambda x: ops.binary_cross_entropy_with_logits(x, TARGET, x * x),
    "cross_entropy": lambda x: ops.cross_entropy(x, LABEL, label_smoothing=0.1),
    "cross_entropy_probabilities": lambda x: ops.cross_entropy(x, TARGET),
    "kl_div": lambda x: ops.kl_div(x, TARGET),
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


def test_derivatives_are_jax_arrays_of_the_input():
    gradient = jax.grad(lambda raw: ops.softmax(Tensor(raw))._read()[0])(jnp.ones(3))
    assert gradient.shape == (3,)
