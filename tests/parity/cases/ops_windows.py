"""Pooling with places and back, fractional pooling, transposed volumes; and losses of margins."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def ints(values, dtype=ms.int64):
    return Tensor(values, dtype)


def image():
    return numbers(1, 2, 5, 5)


def volume():
    return numbers(1, 2, 4, 5, 5)


def small():
    return numbers(1, 1, 2, 2)


def places():
    return ints([[[[0, 3], [9, 14]]]])


def small_volume():
    return numbers(1, 1, 1, 2, 2)


def volume_places():
    return ints([[[[[0, 3], [9, 30]]]]])


POOLS = {
    "adaptive_3d": (
        lambda: ops.AdaptiveMaxPool3D(),
        lambda: (numbers(1, 3, 4, 5), ints([2, 2, 3], ms.int32)),
    ),
    "adaptive_3d_function": (
        lambda: ops.adaptive_max_pool3d,
        lambda: (numbers(1, 3, 4, 5), (2, 2, 3)),
        (0,),
    ),
    "adaptive_3d_places": (
        lambda: ops.adaptive_max_pool3d,
        lambda: (numbers(1, 3, 4, 5), (2, 4, 3), True),
    ),
    "adaptive_3d_size": (lambda: ops.adaptive_max_pool3d, lambda: (image(), (2, 2))),
    "argmax": (lambda: ops.MaxPoolWithArgmaxV2(2, 1, 0), lambda: (image(),), (0,)),
    "argmax_padded": (
        lambda: ops.MaxPoolWithArgmaxV2((3, 2), 2, 1, (1, 2), True, ms.int32),
        lambda: (image(),),
    ),
    "argmax_type": (
        lambda: ops.MaxPoolWithArgmaxV2(2, 1, 0, argmax_type=ms.float32),
        lambda: (image(),),
    ),
    "argmax_3d": (lambda: ops.MaxPool3DWithArgmax(2, 1, 0), lambda: (volume(),), (0,)),
    "argmax_3d_rank": (lambda: ops.MaxPool3DWithArgmax(2, 1, 0), lambda: (image(),)),
    "unpool": (
        lambda: ops.MaxUnpool2D(2, 2, 0, (1, 1, 4, 4)),
        lambda: (small(), places()),
        (0,),
    ),
    "unpool_usual": (lambda: ops.MaxUnpool2D(2), lambda: (small(), places())),
    "unpool_shapes": (lambda: ops.MaxUnpool2D(2), lambda: (image(), places())),
    "unpool_3d": (
        lambda: ops.MaxUnpool3D(2, 2, 0, (1, 1, 2, 4, 4)),
        lambda: (small_volume(), volume_places()),
        (0,),
    ),
    "unpool_1d_function": (
        lambda: ops.max_unpool1d,
        lambda: (numbers(1, 1, 2), ints([[[0, 3]]]), 2, 2, 0),
        (0,),
    ),
    "unpool_2d_function": (
        lambda: ops.max_unpool2d,
        lambda: (small(), places(), 2, 2, 0, (1, 1, 5, 5)),
        (0,),
    ),
    "unpool_2d_no_batch": (
        lambda: ops.max_unpool2d,
        lambda: (small()[0], places()[0], 2),
    ),
    "unpool_2d_size": (
        lambda: ops.max_unpool2d,
        lambda: (small(), places(), 2, 2, 0, (1, 1, 9, 9)),
    ),
    "unpool_3d_function": (
        lambda: ops.max_unpool3d,
        lambda: (small_volume(), volume_places(), 2),
        (0,),
    ),
    "fractional": (
        lambda: ops.FractionalMaxPoolWithFixedKsize((2, 2), (2, 2)),
        lambda: (image(), numbers(1, 2, 2, low=0)),
    ),
    "fractional_int": (
        lambda: ops.FractionalMaxPoolWithFixedKsize(2, (3, 2)),
        lambda: (image(), numbers(1, 2, 2, low=0)),
    ),
    "fractional_ratio": (
        lambda: ops.fractional_max_pool2d,
        lambda: (image(), (2, 3), None, (0.5, 0.5), True, numbers(1, 2, 2, low=0)),
    ),
    "fractional_neither": (lambda: ops.fractional_max_pool2d, lambda: (image(), 2)),
    "fractional_3d": (
        lambda: ops.FractionalMaxPool3DWithFixedKsize((2, 2, 2), (2, 2, 2)),
        lambda: (volume(), numbers(1, 2, 3, low=0)),
    ),
    "fractional_3d_function": (
        lambda: ops.fractional_max_pool3d,
        lambda: (volume(), 2, (2, 3, 2), None, True, numbers(1, 2, 3, low=0)),
    ),
    "lp_1d": (
        lambda: ops.lp_pool1d,
        lambda: (numbers(1, 2, 6, low=0.1), 2.0, 2, 2, False),
        (0,),
    ),
    "lp_1d_no_batch": (lambda: ops.lp_pool1d, lambda: (numbers(2, 6), 1.0, 3)),
    "lp_2d": (
        lambda: ops.lp_pool2d,
        lambda: (numbers(1, 2, 5, 6, low=0.1), 3.0, 2, 2, True),
        (0,),
    ),
    "lp_2d_kernel": (lambda: ops.lp_pool2d, lambda: (image(), 2.0, 2.0)),
    "transpose_3d": (
        lambda: ops.Conv3DTranspose(2, 2, 2),
        lambda: (numbers(1, 2, 2, 3, 3), numbers(2, 2, 2, 2, 2)),
        (0, 1),
    ),
    "transpose_3d_padded": (
        lambda: ops.Conv3DTranspose(2, 2, 2, 1, "pad", 1, 2, output_padding=1),
        lambda: (numbers(1, 2, 2, 3, 3), numbers(2, 2, 2, 2, 2)),
    ),
    "transpose_3d_function": (
        lambda: ops.conv3d_transpose,
        lambda: (numbers(1, 2, 2, 3, 3), numbers(2, 2, 2, 2, 2), "same", 0, 2),
    ),
    "transpose_3d_rank": (
        lambda: ops.conv3d_transpose,
        lambda: (image(), numbers(2, 2, 2, 2, 2)),
    ),
}


def scores():
    return numbers(3, 4)


def classes():
    return ints([1, 2, 0])


def labels():
    return Tensor([[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]], ms.float32)


LOSSES = {
    **{
        f"multi_margin_{p}_{reduction}": (
            lambda p=p, reduction=reduction: ops.MultiMarginLoss(p, 0.5, reduction),
            lambda: (scores(), classes()),
            (0,),
        )
        for p in (1, 2)
        for reduction in ("mean", "sum", "none")
    },
    "multi_margin_weights": (
        lambda: ops.multi_margin_loss,
        lambda: (scores(), classes(), 2, 1, numbers(4, low=0)),
        (0,),
    ),
    "multi_margin_power": (lambda: ops.multi_margin_loss, lambda: (scores(), classes(), 3)),
    "multi_margin_target": (
        lambda: ops.multi_margin_loss,
        lambda: (scores(), ints([1, 2, 0], ms.int32)),
    ),
    **{
        f"cosine_{reduction}": (
            lambda reduction=reduction: (
                lambda *args: ops.cosine_embedding_loss(*args, 0.1, reduction)
            ),
            lambda: (scores(), numbers(3, 4, seed=1), ints([1, -1, 1])),
            (0, 1),
        )
        for reduction in ("mean", "sum", "none")
    },
    "cosine_margin": (
        lambda: ops.cosine_embedding_loss,
        lambda: (scores(), scores(), ints([1, -1, 1]), 2.0),
    ),
    "cosine_shapes": (
        lambda: ops.cosine_embedding_loss,
        lambda: (scores(), scores(), ints([1, -1])),
    ),
    "gaussian": (
        lambda: ops.gaussian_nll_loss,
        lambda: (scores(), numbers(3, 4, seed=1), numbers(3, 1, low=0.1)),
        (0, 1, 2),
    ),
    "gaussian_full": (
        lambda: ops.gaussian_nll_loss,
        lambda: (scores(), numbers(3, 4, seed=1), numbers(3, low=-0.1), True, 0.3, "none"),
    ),
    "gaussian_gradient_below_eps": (
        lambda: lambda *args: ops.gaussian_nll_loss(*args, False, 0.5),
        lambda: (scores(), numbers(3, 4, seed=1), numbers(3, 4, low=0.1)),
        (0, 1, 2),
    ),
    "gaussian_eps": (
        lambda: ops.gaussian_nll_loss,
        lambda: (scores(), scores(), scores(), False, -1.0),
    ),
    "multilabel": (
        lambda: ops.multilabel_soft_margin_loss,
        lambda: (scores(), labels()),
        (0,),
    ),
    "multilabel_weights": (
        lambda: ops.multilabel_soft_margin_loss,
        lambda: (scores(), labels(), numbers(4, low=0), "none"),
    ),
    "multilabel_shapes": (
        lambda: ops.multilabel_soft_margin_loss,
        lambda: (scores(), numbers(3, 3)),
    ),
    "multilabel_reduction": (
        lambda: ops.multilabel_soft_margin_loss,
        lambda: (scores(), labels(), None, "max"),
    ),
}


@case.table({**POOLS, **LOSSES}, tol=1e-5)
def operator(make, inputs, *positions):
    return outcome(make(), inputs(), *positions)
