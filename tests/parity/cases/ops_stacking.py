"""Joining, splitting and moving elements in space."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    **{
        n: (lambda three, wide, n=n: (getattr(ops, n)(three), getattr(ops, n)([wide, three])))
        for n in ["atleast_1d", "atleast_2d", "atleast_3d"]
    },
    "column_stack": lambda two, wide: ops.column_stack((two, wide)),
    "dstack": lambda wide, wide2: ops.dstack((wide, wide2)),
    "dstack1": lambda three: ops.dstack([three, three]),
    "row_stack": lambda three, wide: ops.row_stack((three, three)),
    "dsplit": lambda batch: ops.dsplit(batch, 3),
    "hsplit": lambda wide: ops.hsplit(wide, 3),
    "hsplit_l": lambda wide: ops.hsplit(wide, [1, 2]),
    "vsplit": lambda wide: ops.vsplit(wide, 2),
    "rot90": lambda wide: (
        ops.rot90(wide, 1, [0, 1]),
        ops.rot90(wide, 2, (0, 1)),
        ops.rot90(wide, -1, (0, 1)),
    ),
    "reverse": lambda wide: ops.reverse(wide, [0, 1]),
    "Pack": lambda wide, wide2: ops.Pack(1)((wide, wide2)),
    "Unpack": lambda wide: ops.Unpack(1)(wide),
    "ParallelConcat": lambda wide, wide2: ops.ParallelConcat()((wide[:1], wide2[:1])),
    "IdentityN": lambda wide, two: ops.IdentityN()((wide, two)),
    "Padding": lambda col: ops.Padding(4)(col),
    "padding": lambda col: ops.padding(col, 3),
    "mirror_pad": lambda wide: (
        ops.mirror_pad(wide, Tensor([[1, 0], [1, 1]], ms.int32), "REFLECT"),
        ops.mirror_pad(wide, Tensor([[1, 0], [1, 1]], ms.int32), "SYMMETRIC"),
    ),
    "PadV3": lambda wide: ops.PadV3()(wide, (1, 0), Tensor(2.0, ms.float32)),
    "PadV3_r": lambda batch: ops.PadV3("reflect")(batch, (1, 1)),
    "batch_to_space_nd": lambda image4: ops.batch_to_space_nd(image4, (2, 2), [[0, 0], [0, 1]]),
    "BatchToSpaceND": lambda image4: ops.BatchToSpaceND((2, 2), [[0, 0], [0, 1]])(image4),
    "space_to_batch_nd": lambda image1: ops.space_to_batch_nd(image1, (2, 2), [[0, 0], [0, 0]]),
    "SpaceToBatchND": lambda image1: ops.SpaceToBatchND((2, 2), [[0, 0], [0, 0]])(image1),
    "channel_shuffle": lambda image4c: ops.channel_shuffle(image4c, 2),
    "ChannelShuffle": lambda image4c: ops.ChannelShuffle(2)(image4c),
    "DataFormatDimMap": lambda: ops.DataFormatDimMap()(Tensor([0, 1, -1], ms.int32)),
    "DataFormatVecPermute": lambda: ops.DataFormatVecPermute()(Tensor([1, 2, 3, 4], ms.int32)),
    "TransposeView": lambda wide: ops.TransposeView()(wide, (1, 0)),
    "TransposeExtView": lambda wide: ops.TransposeExtView()(wide, 0, 1),
    "tensor_slice": lambda wide: ops.tensor_slice(wide, (0, 1), (2, 2)),
    "tensor_range": lambda: ops.tensor_range(0, 5, 2),
    "reshape_": lambda wide: ops.reshape_(wide, (3, 2)),
    "shape_": lambda wide: ops.shape_(wide),
    "TensorToTuple": lambda three: ops.TensorToTuple()(three),
    "broadcast_gradient_args": lambda: ops.broadcast_gradient_args((2, 3), (3,)),
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = ("ParallelConcat", "channel_shuffle", "ChannelShuffle")
# These take anything as a first argument, or raise another type.
TOLERANT = (
    "TensorToTuple",
    "Pack",
    "Padding",
    "padding",
)


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT, wrong=name not in TOLERANT)
