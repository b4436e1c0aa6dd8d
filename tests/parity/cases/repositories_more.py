"""What more public repositories do; found by running tests/repositories."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

NONE = [5, 5, 5]


@case.table(
    {
        "one": ([NONE, [3, 4, 0]], [8, 8]),
        "both": ([NONE, NONE], [8, 8]),
        "short": ([[0, 1, 2], NONE], [8, 2]),
    },
    tol=1e-5,  # sums over all alignments of eight steps
)
def ctc_loss_of_no_label(labels, steps):
    """mindocr's, of an image without text."""
    x = Tensor(np.sin(np.arange(96)).reshape(8, 2, 6).astype(np.float32))
    places = Tensor(np.array(list(np.ndindex(np.shape(labels)))), ms.int64)
    values, steps = Tensor(np.ravel(labels), ms.int32), Tensor(steps, ms.int32)

    def loss_of(x):
        return ops.CTCLoss(ctc_merge_repeated=True)(x, places, values, steps)

    return loss_of(x), ms.grad(lambda x: (loss_of(x)[0] * Tensor([1.0, 0.5])).sum())(x)


@case
def names_of_prelu():
    """srgan's, of the applications: a checkpoint has its slopes as w."""
    alone, inside = nn.PReLU(2), nn.SequentialCell(nn.PReLU(2))
    names = [(path, w.name) for net in (alone, inside) for path, w in net.parameters_and_names()]
    return names, alone.w


@case
def prelu_of_float16():
    return nn.PReLU(2)(Tensor([[1, -2], [-3, 4]], ms.float16))


@case
def picked_by_a_list_in_jit():
    """mindyolo's losses: sizes and corners in another order."""

    @ms.jit
    def turned(x):
        gain = ops.ones(7, ms.float32)
        gain[2:6] = Tensor((4, 3, 2, 1), ms.float32)[[3, 2, 3, 2]]
        return x[[1, 0, 1, 0]], gain

    return turned(Tensor([1.0, 2.0, 3.0]))
