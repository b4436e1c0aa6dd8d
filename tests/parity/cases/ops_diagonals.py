"""Diagonals, bands and triangles of matrices, and windows."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    "diag_embed": lambda wide: (ops.diag_embed(wide), ops.diag_embed(wide, 1, 0, 2)),
    "diagflat": lambda wide: (ops.diagflat(wide), ops.diagflat(wide, -1)),
    "diagonal_scatter": lambda square, two: ops.diagonal_scatter(square, two, 1),
    "matrix_diag": lambda wide: ops.matrix_diag(wide),
    "matrix_diag_k": lambda wide: ops.matrix_diag(
        wide,
        Tensor([0, 1], ms.int32),
        Tensor(3, ms.int32),
        Tensor(3, ms.int32),
        Tensor(9.0, ms.float32),
        "LEFT_RIGHT",
    ),
    "MatrixDiagV3": lambda wide: ops.MatrixDiagV3()(
        wide, Tensor(0, ms.int32), Tensor(3, ms.int32), Tensor(3, ms.int32), Tensor(0.0, ms.float32)
    ),
    "MatrixDiagV3_sup": lambda wide: ops.MatrixDiagV3("LEFT_LEFT")(
        wide,
        Tensor([-1, 0], ms.int32),
        Tensor(3, ms.int32),
        Tensor(4, ms.int32),
        Tensor(7.0, ms.float32),
    ),
    "matrix_diag_part": lambda square: ops.matrix_diag_part(
        square, Tensor([-1, 1], ms.int32), Tensor(9.0, ms.float32)
    ),
    "matrix_diag_part_l": lambda wide: [
        ops.matrix_diag_part(wide, Tensor([-1, 1], ms.int32), Tensor(9.0, ms.float32), a)
        for a in ("LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")
    ],
    "MatrixDiagPartV3": lambda batch: ops.MatrixDiagPartV3()(
        batch, Tensor(1, ms.int32), Tensor(0.0, ms.float32)
    ),
    "matrix_set_diag": lambda square, three: ops.matrix_set_diag(square, three),
    "matrix_set_diag_k": lambda square, wide: ops.matrix_set_diag(
        square, wide, Tensor([0, 1], ms.int32), "LEFT_LEFT"
    ),
    "MatrixSetDiagV3": lambda square, wide: ops.MatrixSetDiagV3()(
        square, wide, Tensor([-1, 0], ms.int32)
    ),
    "matrix_band_part": lambda square: (
        ops.matrix_band_part(square, 1, 0),
        ops.matrix_band_part(square, -1, 0),
    ),
    "MatrixBandPart": lambda batch: ops.MatrixBandPart()(batch, 0, 1),
    "FillDiagonal": lambda square: ops.FillDiagonal(9.0)(square),
    "FillDiagonal_w": lambda tall: ops.FillDiagonal(9.0, True)(tall),
    "DiagPart": lambda square: ops.DiagPart()(square),
    "tril_indices": lambda: (ops.tril_indices(3, 4), ops.tril_indices(3, 2, 1, dtype=ms.int32)),
    "triu_indices": lambda: ops.triu_indices(3, 4, -1),
    "TrilIndices": lambda: ops.TrilIndices(3, 4)(),
    "TriuIndices": lambda: ops.TriuIndices(3, 4, 1, ms.int64)(),
    **{
        n: (
            lambda n=n: (
                getattr(ops, n)(5),
                getattr(ops, n)(5, False),
                getattr(ops, n)(4, dtype=ms.float64),
                getattr(ops, n)(1),
                getattr(ops, n)(0),
            )
        )
        for n in ["hamming_window", "hann_window", "kaiser_window"]
    },
    **{
        n: (
            lambda n=n: (
                getattr(ops, n)(Tensor(5, ms.int32)),
                getattr(ops, n)(Tensor(5, ms.int64), False),
                getattr(ops, n)(Tensor(4, ms.int32), dtype=ms.float64),
                getattr(ops, n)(Tensor(1, ms.int32)),
            )
        )
        for n in ["bartlett_window", "blackman_window"]
    },
    **{
        n: (
            lambda n=n: (
                getattr(ops, n)()(Tensor([5] if n[0] == "H" else 5, ms.int32)),
                getattr(ops, n)(False)(Tensor([6] if n[0] == "H" else 6, ms.int64)),
            )
        )
        for n in ["BartlettWindow", "BlackmanWindow", "HammingWindow"]
    },
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = ("FillDiagonal", "FillDiagonal_w")


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT)
