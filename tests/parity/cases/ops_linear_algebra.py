"""Factors of matrices, norms, distances and products."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    **{
        n: (lambda spd, n=n: getattr(ops, n)(spd))
        for n in [
            "cholesky",
            "cholesky_inverse",
            "eig",
            "eigvals",
            "geqrf",
            "qr",
            "log_matrix_determinant",
            "logdet",
            "slogdet",
            "matrix_determinant",
            "pinv",
            "cond",
            "adjoint",
            "matrix_norm",
            "vector_norm",
            "cov",
            "block_diag",
        ]
    },
    **{
        n: (lambda spd, n=n: getattr(ops, n)()(spd))
        for n in [
            "Cholesky",
            "CholeskyInverse",
            "Eig",
            "Geqrf",
            "Qr",
            "LogMatrixDeterminant",
            "MatrixLogarithm",
            "Svd",
            "ConjugateTranspose",
        ]
    },
    "cholesky_inverse": lambda spd: ops.cholesky_inverse(ops.tril(spd)),
    "CholeskyInverse": lambda spd: ops.CholeskyInverse()(ops.tril(spd)),
    "eig": lambda spd: [ops.abs(x) for x in ops.eig(ops.tril(spd))],
    "eigvals": lambda spd: ops.eigvals(ops.tril(spd)),
    "Eig": lambda spd: ops.Eig()(ops.tril(spd)),
    "Svd": lambda spd: ops.Svd()(spd)[0],
    "cholesky_u": lambda spd: ops.cholesky(spd, True),
    "Eig_v": lambda spd: ops.abs(ops.Eig(True)(ops.tril(spd))[1]),
    "ConjugateTranspose": lambda cwide: ops.ConjugateTranspose()(cwide, (1, 0)),
    "MatrixLogarithm": lambda cspd: ops.MatrixLogarithm()(cspd),
    "cholesky_solve": lambda spd, wide: ops.cholesky_solve(wide.T, ops.tril(spd)),
    "CholeskySolve": lambda spd, wide: ops.CholeskySolve()(wide.T, ops.tril(spd)),
    "lu_solve": lambda spd, wide: ops.lu_solve(wide.T, spd, Tensor([1, 2, 3], ms.int32)),
    "LuSolve": lambda spd, wide: ops.LuSolve()(wide.T, spd, Tensor([1, 2, 3], ms.int32)),
    "lu_unpack": lambda spd: ops.lu_unpack(spd, Tensor([1, 3, 3], ms.int32)),
    "LuUnpack": lambda spd: ops.LuUnpack()(spd, Tensor([1, 3, 3], ms.int32)),
    "lstsq": lambda wide, spd: ops.lstsq(spd, wide.T),
    "Lstsq": lambda wide, spd: ops.Lstsq()(spd, wide.T),
    "matrix_solve": lambda spd, wide: ops.matrix_solve(spd, wide.T),
    "MatrixSolve": lambda spd, wide: ops.MatrixSolve(True)(spd, wide.T),
    "MatrixSolveLs": lambda spd, wide: ops.MatrixSolveLs()(spd, wide.T, Tensor(0.0, ms.float64)),
    "MatrixTriangularSolve": lambda spd, wide: ops.MatrixTriangularSolve()(spd, wide.T),
    "TridiagonalMatMul": lambda row3, square: ops.TridiagonalMatMul()(row3, row3, row3, square),
    "matrix_power": lambda spd: (ops.matrix_power(spd, 3), ops.matrix_power(spd, -1)),
    "MatrixPower": lambda spd: ops.MatrixPower(2)(spd),
    "orgqr": lambda wide, two: ops.orgqr(wide.T, two),
    "Orgqr": lambda wide, two: ops.Orgqr()(wide.T, two),
    "qr_c": lambda wide: ops.qr(wide.T, "complete"),
    "pinv_w": lambda wide: ops.pinv(wide),
    "matrix_norm_2": lambda wide: [
        ops.matrix_norm(wide, o) for o in (2, -2, 1, "nuc", float("inf"))
    ],
    "vector_norm_1": lambda wide: [
        ops.vector_norm(wide, o, 1) for o in (1, 0, 3, float("inf"), -1.0)
    ],
    "cond_p": lambda spd: [ops.cond(spd, p) for p in (2, 1, "fro", "nuc", -2, float("inf"))],
    "vecdot": lambda wide, wide2: ops.vecdot(wide, wide2),
    "batch_dot": lambda batch, batch2: ops.batch_dot(batch, batch2),
    "batch_dot_axes": lambda batch, batch2: ops.batch_dot(batch, batch2, (2, 2)),
    "batch_dot_vec": lambda wide, wide2: ops.batch_dot(wide, wide2),
    "bidense": lambda wide, wide2: ops.bidense(
        wide, wide2, Tensor(np.arange(18).reshape(2, 3, 3), ms.float32)
    ),
    "Dense": lambda wide, spd, three: ops.Dense()(wide, spd, three),
    "cartesian_prod": lambda two, three: ops.cartesian_prod(two, three),
    "combinations": lambda three: (ops.combinations(three), ops.combinations(three, 2, True)),
    "cov_w": lambda wide: ops.cov(wide, correction=0, fweights=Tensor([1, 2, 1], ms.int64)),
    "pdist": lambda wide: ops.pdist(wide),
    "Pdist": lambda wide: ops.Pdist(3.0)(wide),
    "Cdist": lambda wide, wide2: ops.Cdist()(wide, wide2),
    "vander": lambda three: (ops.vander(three), ops.vander(three, 2)),
    "renorm": lambda square: ops.renorm(square, 2, 0, 1.5),
    "Renorm": lambda square: ops.Renorm(1, 1, 1.5)(square),
    "trapz": lambda wide: (ops.trapz(wide), ops.trapz(wide, dx=2.0, dim=0)),
    "trapz_x": lambda wide, wide2: ops.trapz(wide, wide2),
    "Svd_f": lambda wide: ops.Svd(compute_uv=False)(wide),
    "block_diag2": lambda wide, three: ops.block_diag(wide, three),
    "svd_values": lambda wide: ops.Svd(False)(wide)[0],
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = (
    "cholesky",
    "eig",
    "eigvals",
    "geqrf",
    "qr",
    "Cholesky",
    "Eig",
    "Geqrf",
    "Qr",
    "MatrixLogarithm",
    "cholesky_u",
    "Eig_v",
    "lu_solve",
    "LuSolve",
    "lstsq",
    "Lstsq",
    "TridiagonalMatMul",
    "orgqr",
    "Orgqr",
    "qr_c",
    "cholesky_inverse",
    "CholeskyInverse",
)


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT)


@case.table({name: (name,) for name in ("inverse", "MatrixInverse")})
def inverse_of_a_singular_matrix(name):
    x = Tensor([[1.0, 2.0], [2.0, 4.0]], ms.float32)
    return ops.MatrixInverse()(x) if name == "MatrixInverse" else ops.inverse(x)
