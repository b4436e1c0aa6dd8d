"""Matrices of dtypes that are seldom: float16 and ints of decompositions, norms, solvers; CSR."""

import mindspore as ms
import mindspore.numpy as mnp
import mindspore.scipy as msp
import numpy as np
from mindspore import CSRTensor, Tensor, ops

from tests.parity.case import case


def matrix(dtype):
    return Tensor([[2, 1], [1, 5]], ms.float32).astype(dtype)


def csr(dtype):
    values = Tensor([1, -2, 3], ms.float32).astype(dtype)
    return CSRTensor(Tensor([0, 1, 3, 3], ms.int32), Tensor([1, 0, 2], ms.int32), values, (3, 4))


OF_INTS = {
    "matrix_power": lambda x: [ops.matrix_power(x, n) for n in (0, 1, 3)],
    "matrix_power_negative": lambda x: ops.matrix_power(x, -1),
    "vector_norm": lambda x: [ops.vector_norm(x, n) for n in (2, 1, 0, float("inf"))],
    "addbmm": lambda x: ops.addbmm(x, x.expand_dims(0), x.expand_dims(0)),
    "solve_triangular": lambda x: msp.linalg.solve_triangular(x, x, lower=True),
}
OF_HALVES = {
    "cholesky": lambda x: [ops.cholesky(x), ops.cholesky(x, True)],
    "qr": lambda x: [abs(part) for part in ops.qr(x)],
    "geqrf": lambda x: abs(ops.geqrf(x)[0]),
    "logdet": ops.logdet,
    "norms": lambda x: [ops.matrix_norm(x, "nuc"), ops.matrix_norm(x, 2)],
}


@case.table(
    {
        f"{name}_{dtype}": (function, dtype)
        for name, function in OF_INTS.items()
        for dtype in ("int32", "int64")
    }
)
def of_ints(function, dtype):
    return function(matrix(getattr(ms, dtype)))


@case.table({name: (function,) for name, function in OF_HALVES.items()}, tol=4e-3)
def of_halves(function):
    return function(matrix(ms.float16))


@case.table({name: (name,) for name in ("float32", "int32")})
def csr_and_number(name):
    """The values alone."""
    x = csr(getattr(ms, name))
    return [x * 2, x * 2.5, x / 2, x * Tensor(2.0), x * Tensor([[2.0]]), x / Tensor([2.0])]


def of_numbers(dtype):
    """A Hermitian, positive matrix."""
    return Tensor(np.array([[2, 1 + 1j], [1 - 1j, 5]]), dtype)


OF_COMPLEX = {
    "logdet": lambda x: [ops.logdet(x), ops.logdet(x[::-1]), ops.logdet(x * x)],
    "slogdet": lambda x: list(ops.slogdet(x)),
    "logdet_method": lambda x: x.logdet(),
    "svd": lambda x: [ops.svd(x, compute_uv=False), x.svd()[0]],
    "eigh": lambda x: [msp.linalg.eigh(x, eigvals_only=True), msp.linalg.eigh(x)[0]],
    "norm": lambda x: [ops.norm(x), x.norm(), ops.norm(x[0]), ops.norm(x, dim=1, keepdim=True)],
    "norm_of_matrices": lambda x: [ops.norm(x, "fro"), ops.norm(x, dim=(0, 1))],
    "norm_zero": lambda x: ops.norm(x, 0, dim=1),
    "vector_norm": lambda x: ops.vector_norm(x),
    "vector_norm_one": lambda x: ops.vector_norm(x, 1),
    "matrix_norm": lambda x: ops.matrix_norm(x),
    "numpy_sin": mnp.sin,
    "numpy_tanh": mnp.tanh,
}


@case.table(
    {
        f"{name}_{dtype}": (function, dtype)
        for name, function in OF_COMPLEX.items()
        for dtype in ("complex64", "complex128")
    },
    tol=2e-5,
)
def of_complex(function, dtype):
    return function(of_numbers(getattr(ms, dtype)))
