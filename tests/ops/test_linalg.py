"""Products, einsum (which MindSpore has not on the CPU), norms: values and gradients."""

from __future__ import annotations

import numpy as np
import pytest
from jax.test_util import check_grads

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.ops import linalg

RNG = np.random.default_rng(0)
A, B = (RNG.normal(size=shape).astype(np.float32) for shape in ((2, 3), (3, 2)))
BATCH = RNG.normal(size=(2, 2, 3)).astype(np.float32)


@pytest.mark.parametrize(
    ("equation", "operands"),
    [
        ("ij,jk->ik", (A, B)),
        ("ij,jk", (A, B)),
        ("bij,jk->bik", (BATCH, B)),
        ("...ij,jk->...ik", (BATCH, B)),
        ("ij->ji", (A,)),
        ("ij->", (A,)),
        ("i,j->ij", (A[0], B[0])),
    ],
)
def test_einsum_as_numpy(equation: str, operands: tuple[np.ndarray, ...]) -> None:
    tensors = [Tensor(o) for o in operands]
    want = np.einsum(equation, *operands)
    for got in (ops.einsum(equation, *tensors), ops.Einsum(equation)(tuple(tensors))):
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-5, atol=1e-6)


def test_einsum_says_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="ij,jk"):
        ops.einsum("ij,jk->ik", Tensor(A), Tensor(A))


SMOOTH = {
    "matmul": (linalg.matmul.kernel, (BATCH, B)),
    "mm": (lambda x, y: linalg.mm.kernel(x, y, True, True), (A, B)),
    "bmm": (lambda x: linalg.bmm.kernel(x, x, False, True), (BATCH,)),
    "outer": (linalg.outer.kernel, (A[0], B[0])),
    "tensor_dot": (lambda x, y: linalg.tensor_dot.kernel(x, y, 1), (A, B)),
    "norm": (lambda x: linalg.norm.kernel(x, None, 1), (A,)),
    "norm 3": (lambda x: linalg.norm.kernel(x, 3, 1), (A,)),
    "l2_loss": (linalg._l2_loss.kernel, (A,)),
    "l2_normalize": (lambda x: linalg._l2_normalize.kernel(x, 1), (A,)),
    "cdist": (lambda x, y: linalg.cdist.kernel(x, y.T), (A, B)),
    "inverse": (linalg.inverse.kernel, (A[:, :2] + 3 * np.eye(2, dtype=np.float32),)),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_of_first_and_second_order(name: str) -> None:
    function, operands = SMOOTH[name]
    check_grads(function, operands, order=2, rtol=3e-2, atol=3e-2, eps=1e-2)


def test_gradient_at_zero_is_nan_of_the_euclidean_norm_only() -> None:
    zero = Tensor([0.0, 0.0])
    assert np.isnan(ms.grad(lambda x: ops.norm(x))(zero).asnumpy()).all()
    for order in (1, 3, float("inf")):
        gradient = ms.grad(lambda x, p=order: ops.norm(x, p))(zero)
        assert gradient.asnumpy().tolist() == [0.0, 0.0]


def test_svd_gives_values_first_and_rebuilds_the_matrix() -> None:
    s, u, v = ops.svd(Tensor(A))
    rebuilt = (u * s) @ v.T
    np.testing.assert_allclose(rebuilt.asnumpy(), A, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 2))])
def test_shapes_that_do_not_fit_are_named(shapes: tuple[tuple[int, ...], ...]) -> None:
    x, y = (Tensor(np.ones(shape, np.float32)) for shape in shapes)
    with pytest.raises(RuntimeError, match="do not fit"):
        ops.matmul(x, y)
