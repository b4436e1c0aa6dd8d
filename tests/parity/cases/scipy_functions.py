"""``mindspore.scipy``: linear algebra and minimizers."""

import mindspore as ms
import mindspore.scipy.linalg as linalg
import mindspore.scipy.optimize as optimize
import numpy as np
from mindspore import Tensor

from tests.parity.case import case


def a():
    return Tensor(np.array([[4.0, 1.0], [1.0, 3.0]], np.float32))


def b():
    return Tensor(np.array([1.0, 2.0], np.float32))


def lower():
    return Tensor(np.array([[2.0, 0.0], [1.0, 3.0]], np.float32))


def squares(x):
    return ((x - 1) ** 2).sum()


CALLS = {
    "inv": lambda: linalg.inv(a()),
    "inv_int": lambda: linalg.inv(Tensor([[1, 2], [3, 4]])),
    "inv_vector": lambda: linalg.inv(b()),
    "inv_array": lambda: linalg.inv(np.eye(2)),
    "det": lambda: linalg.det(a()),
    "cholesky": lambda: linalg.cholesky(a()),
    "cholesky_lower": lambda: linalg.cholesky(a(), lower=True),
    "cho_factor": lambda: linalg.cho_factor(a(), lower=True),
    "cho_solve": lambda: linalg.cho_solve((linalg.cholesky(a(), lower=True), True), b()),
    "eigh": lambda: linalg.eigh(a(), eigvals_only=True),
    "eigh_vectors": lambda: linalg.eigh(a())[1].abs(),
    "lu": lambda: linalg.lu(a()),
    "lu_factor": lambda: linalg.lu_factor(a()),
    "lu_solve": lambda: linalg.lu_solve(linalg.lu_factor(a()), a()),
    "lu_solve_t": lambda: linalg.lu_solve(linalg.lu_factor(a()), a(), 1),
    "lu_solve_trans": lambda: linalg.lu_solve(linalg.lu_factor(a()), a(), 3),
    "triangular": lambda: linalg.solve_triangular(lower(), b(), lower=True),
    "triangular_t": lambda: linalg.solve_triangular(lower(), b(), lower=True, trans="T"),
    "block_diag": lambda: linalg.block_diag(a(), b()),
    "lstsq": lambda: linalg.lstsq(a(), b()),
    "gradient": lambda: ms.grad(lambda x: linalg.inv(x).sum())(a()),
    "assignment": lambda: optimize.linear_sum_assignment(
        Tensor(np.array([[4.0, 1.0], [2.0, 3.0]])), False, Tensor(2)
    ),
}


@case.table({name: (name,) for name in CALLS}, tol=1e-5)
def scipy_call(name):
    return CALLS[name]()


@case.table({"bfgs": ("bfgs",), "lbfgs": ("lbfgs",), "other": ("newton",)}, tol=1e-5)
def minimized(method):
    found = optimize.minimize(squares, Tensor(np.zeros(2, np.float32)), method=method)
    return found.x, found.success, found.fun


@case(tol=1e-5)
def line_search():
    found = optimize.line_search(
        squares, Tensor(np.zeros(2, np.float32)), Tensor(np.ones(2, np.float32))
    )
    return found.failed, found.a_k, found.f_k


@case.table({"bfgs": ("BFGS",), "lbfgs": ("LBFGS",)}, tol=1e-4)
def minimum_among_several(method):
    def function(p):
        x, y = p
        return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2

    start = Tensor(np.zeros(2, np.float32))
    options = {"maxiter": None, "gtol": 1e-6}
    found = optimize.minimize(function, start, method=method, options=options)
    return found.x, found.success


@case(tol=1e-3)
def minimum_in_a_valley():
    def function(p):
        return 100.0 * (p[1] - p[0] ** 2) ** 2 + (1.0 - p[0]) ** 2

    return optimize.minimize(function, Tensor([-1.2, 1.0]), method="BFGS").x
