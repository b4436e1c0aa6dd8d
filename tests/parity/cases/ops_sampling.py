"""Sampling images: grids, windows as columns, deformable convolutions; and sequences, CTC, LSTM."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def images(low=-1.0):
    return numbers(1, 2, 3, 4, low=low)


def volumes():
    return numbers(1, 2, 3, 4, 2)


def grid(far=1.3):
    return numbers(1, 2, 3, 2, low=-far, high=far)


def deep_grid():
    return numbers(1, 2, 3, 2, 3, low=-1.3, high=1.3)


def larger():
    return numbers(1, 2, 4, 4)


def ints(values, dtype=ms.int32):
    return Tensor(values, dtype)


GRIDS = {
    "grid_2d": (lambda: ops.GridSampler2D(), lambda: (images(), grid()), (0, 1)),
    **{
        f"grid_{mode}_{padding}_{corners}": (
            lambda mode=mode, padding=padding, corners=corners: ops.GridSampler2D(
                mode, padding, corners
            ),
            lambda: (images(), grid(2.6)),
            (0, 1),
        )
        for mode in ("bilinear", "nearest")
        for padding in ("border", "reflection", "zeros")
        for corners in (False, True)
    },
    "grid_3d": (lambda: ops.GridSampler3D(), lambda: (volumes(), deep_grid()), (0, 1)),
    "grid_3d_border": (
        lambda: ops.GridSampler3D("bilinear", "border", True),
        lambda: (volumes(), deep_grid()),
        (0, 1),
    ),
    "grid_function": (lambda: ops.grid_sample, lambda: (images(), grid())),
    "grid_function_3d": (
        lambda: ops.grid_sample,
        lambda: (volumes(), deep_grid(), "nearest", "zeros", True),
    ),
    "grid_mode": (lambda: ops.grid_sample, lambda: (images(), grid(), "bicubic")),
    "grid_shape": (lambda: ops.grid_sample, lambda: (images(), deep_grid())),
    "grid_dtype": (lambda: ops.grid_sample, lambda: (images(), grid().astype(ms.float16))),
    "affine": (lambda: ops.AffineGrid(), lambda: (numbers(2, 2, 3), (2, 1, 3, 2)), (0,)),
    "affine_corners": (
        lambda: ops.affine_grid,
        lambda: (numbers(2, 2, 3), (2, 1, 3, 2), True),
        (0,),
    ),
    "affine_3d": (
        lambda: ops.affine_grid,
        lambda: (numbers(2, 3, 4), (2, 1, 3, 2, 2), True),
        (0,),
    ),
    "affine_size": (lambda: ops.affine_grid, lambda: (numbers(2, 2, 3), (3, 1, 3, 2))),
}

WINDOWS = {
    "im2col": (lambda: ops.Im2Col((2, 2), 1, 1, (0, 0)), lambda: (images(),), (0,)),
    "im2col_int": (lambda: ops.Im2Col(2, 2, 1, 1), lambda: (images(),)),
    "im2col_dilation": (lambda: ops.Im2Col((2, 1), (1, 2), (2, 1), (1, 0)), lambda: (images(),)),
    "im2col_shape": (lambda: ops.Im2Col(2), lambda: (numbers(2, 3),)),
    "col2im": (
        lambda: ops.Col2Im((2, 2), 1, 0, 1),
        lambda: (numbers(1, 2, 4, 6), ints([3, 4])),
        (0,),
    ),
    "col2im_function": (
        lambda: ops.col2im,
        lambda: (numbers(1, 2, 4, 6), ints([3, 4]), (2, 2), (1, 1), (0, 0), (1, 1)),
    ),
    "col2im_count": (
        lambda: ops.Col2Im((2, 2), 1, 0, 1),
        lambda: (numbers(1, 2, 4, 5), ints([3, 4])),
    ),
    "volume_patches": (
        lambda: ops.ExtractVolumePatches(2, 1, "VALID"),
        lambda: (numbers(1, 2, 3, 3, 3),),
        (0,),
    ),
    "volume_patches_same": (
        lambda: ops.ExtractVolumePatches((1, 1, 2, 1, 3), (1, 1, 1, 2, 2), "SAME"),
        lambda: (numbers(1, 2, 3, 3, 3),),
    ),
    "volume_patches_rank": (
        lambda: ops.ExtractVolumePatches(2, 1, "VALID"),
        lambda: (images(),),
    ),
    "unfold": (lambda: ops.unfold, lambda: (images(), (2, 2)), (0,)),
    "unfold_wide": (lambda: ops.unfold, lambda: (images(), (2, 2), 1, (1, 0), (1, 2)), (0,)),
    "unfold_int": (lambda: ops.unfold, lambda: (images(), 2)),
    "unfold_kernel": (lambda: ops.unfold, lambda: (images(), 2.0)),
    "fold": (lambda: ops.fold, lambda: (numbers(1, 8, 6), ints([3, 4]), (2, 2)), (0,)),
    "fold_wide": (
        lambda: ops.fold,
        lambda: (numbers(1, 8, 8), ints([3, 4]), (2, 2), 1, (1, 0), (1, 2)),
        (0,),
    ),
    "fold_4d": (
        lambda: ops.fold,
        lambda: (numbers(1, 2, 4, 6), ints([3, 4]), (2, 2)),
        (0,),
    ),
    "fold_4d_shape": (lambda: ops.fold, lambda: (numbers(1, 2, 3, 6), ints([3, 4]), (2, 2))),
    "fold_shape": (lambda: ops.fold, lambda: (numbers(1, 7, 6), ints([3, 4]), (2, 2))),
    "deformable": (
        lambda: ops.deformable_conv2d,
        lambda: (
            *(larger(), numbers(2, 2, 2, 2), numbers(1, 12, 3, 3)),
            *((2, 2), (1, 1, 1, 1), (0, 0, 0, 0)),
        ),
        (0, 1, 2),
    ),
    "deformable_padded": (
        lambda: ops.deformable_conv2d,
        lambda: (
            *(larger(), numbers(2, 2, 2, 3), numbers(1, 18, 3, 2)),
            *((2, 3), (1, 1, 2, 3), (1, 2, 2, 1), numbers(2), (1, 1, 2, 1)),
        ),
    ),
    "deformable_groups": (
        lambda: ops.deformable_conv2d,
        lambda: (
            *(numbers(2, 4, 4, 4), numbers(2, 2, 2, 2), numbers(2, 24, 3, 3)),
            *((2, 2), (1, 1, 1, 1), (0, 0, 0, 0), None, (1, 1, 1, 1), 2, 2),
        ),
    ),
    "deformable_offsets_shape": (
        lambda: ops.deformable_conv2d,
        lambda: (
            *(larger(), numbers(2, 2, 2, 2), numbers(1, 11, 3, 3)),
            *((2, 2), (1, 1, 1, 1), (0, 0, 0, 0)),
        ),
    ),
}


def logits():
    return numbers(4, 2, 3)


def log_probs():
    return Tensor(np.log(np.random.RandomState(0).dirichlet(np.ones(3), (4, 2))), ms.float32)


def sparse_labels():
    return ints([[0, 0], [0, 1], [1, 0]], ms.int64), ints([0, 1, 1])


SEQUENCES = {
    "reverse": (
        lambda: ops.ReverseSequence(1),
        lambda: (numbers(2, 3, 2), ints([2, 3])),
        (0,),
    ),
    "reverse_batch": (
        lambda: ops.ReverseSequence(0, 1),
        lambda: (numbers(2, 3, 2), ints([2, 1, 0], ms.int64)),
    ),
    "reverse_function": (
        lambda: ops.reverse_sequence,
        lambda: (numbers(2, 3, 2), ints([2, 3]), 1),
    ),
    "reverse_dims": (lambda: ops.ReverseSequence(1, 1), lambda: (numbers(2, 3, 2), ints([2, 3]))),
    "reverse_lengths": (
        lambda: ops.ReverseSequence(1),
        lambda: (numbers(2, 3, 2), ints([2, 3, 1])),
    ),
    "reverse_float_lengths": (
        lambda: ops.ReverseSequence(1),
        lambda: (numbers(2, 3, 2), Tensor([2.0, 3.0])),
    ),
    "mask": (lambda: ops.sequence_mask, lambda: (ints([[1, 3], [2, 0]]), 4)),
    "mask_largest": (lambda: ops.sequence_mask, lambda: (ints([[1, 3], [2, 0]]),)),
    "mask_float": (lambda: ops.sequence_mask, lambda: (Tensor([1.0, 2.0]), 4)),
    "ctc": (lambda: ops.CTCLoss(), lambda: (logits(), *sparse_labels(), ints([4, 3])), (0,)),
    "ctc_repeated": (
        lambda: ops.CTCLoss(),
        lambda: (logits(), sparse_labels()[0], ints([1, 1, 0]), ints([4, 3])),
    ),
    "ctc_ignored": (
        lambda: ops.CTCLoss(ignore_longer_outputs_than_inputs=True),
        lambda: (
            logits(),
            ints([[0, 0], [0, 1], [0, 2], [1, 0]], ms.int64),
            *(ints([0, 1, 0, 1]), ints([2, 3])),
        ),
        (0,),
    ),
    **{
        f"ctc_{'_'.join(options)}": (
            lambda options=options: ops.CTCLoss(**options),
            lambda: (
                logits(5, 3),
                ints([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]], ms.int64),
                *(ints([0, 0, 1, 1, 0]), ints([5, 3, 2])),
            ),
            (0,),
        )
        for options in (
            {"preprocess_collapse_repeated": True},
            {"ctc_merge_repeated": False},
            {"ctc_merge_repeated": False, "preprocess_collapse_repeated": True},
        )
    },
    "ctc_shape": (
        lambda: ops.CTCLoss(),
        lambda: (numbers(2, 3), *sparse_labels(), ints([4, 3])),
    ),
    "ctc_labels": (
        lambda: ops.CTCLoss(),
        lambda: (logits(), ints([[0, 0], [0, 1]], ms.int64), ints([0, 1, 1]), ints([4, 3])),
    ),
    "ctc_v2": (
        lambda: ops.CTCLossV2(),
        lambda: (log_probs(), ints([[1, 2], [1, 0]]), ints([4, 3]), ints([2, 1])),
    ),
    **{
        f"ctc_function_{reduction}": (
            lambda reduction=reduction: lambda *args: ops.ctc_loss(*args, reduction=reduction)[0],
            lambda: (log_probs(), ints([[1, 2], [1, 1]]), ints([4, 3]), ints([2, 2])),
            (0,),
        )
        for reduction in ("none", "sum", "mean")
    },
    **{
        f"ctc_of_other_kinds_{place}": (
            lambda: lambda *args: ops.ctc_loss(*args)[0],
            lambda place=place: tuple(
                arg.astype(ms.float32 if place else ms.int32) if at == place else arg
                for at, arg in enumerate(
                    (log_probs(), ints([[1, 2], [2, 1]]), ints([4, 3]), ints([2, 1]))
                )
            ),
        )
        for place in range(4)
    },
    "ctc_blank": (
        lambda: ops.ctc_loss,
        lambda: (
            *(log_probs(), ints([[1, 0], [1, 0]]), ints([4, 3]), ints([2, 1])),
            *(2, "none"),
        ),
    ),
    "ctc_impossible": (
        lambda: ops.ctc_loss,
        lambda: (
            *(log_probs(), ints([[1, 1], [1, 2]]), ints([2, 3]), ints([2, 1])),
            *(0, "none"),
        ),
    ),
    "ctc_zero_infinity": (
        lambda: lambda *args: ops.ctc_loss(*args)[0],
        lambda: (
            *(log_probs(), ints([[1, 1], [1, 2]]), ints([2, 3]), ints([2, 1])),
            *(0, "none", True),
        ),
        (0,),
    ),
    "ctc_reduction": (
        lambda: ops.ctc_loss,
        lambda: (
            *(log_probs(), ints([[1, 2], [1, 0]]), ints([4, 3]), ints([2, 1])),
            *(0, "max"),
        ),
    ),
    **{
        f"edit_distance_{normalize}": (
            lambda normalize=normalize: ops.EditDistance(normalize),
            lambda: (
                *(ints([[0, 0, 0], [1, 0, 1], [1, 1, 1]], ms.int64), ints([1, 2, 3], ms.int64)),
                ints([2, 2, 2], ms.int64),
                *(ints([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], ms.int64),),
                *(ints([2, 3, 2, 2], ms.int64), ints([2, 2, 2], ms.int64)),
            ),
        )
        for normalize in (False, True)
    },
    "greedy": (lambda: ops.CTCGreedyDecoder(), lambda: (numbers(6, 2, 3), ints([6, 4]))),
    "greedy_repeated": (
        lambda: ops.CTCGreedyDecoder(False),
        lambda: (numbers(6, 2, 3), ints([6, 4])),
    ),
    "greedy_function": (lambda: ops.ctc_greedy_decoder, lambda: (logits(), ints([4, 2]))),
    "greedy_lengths": (lambda: ops.CTCGreedyDecoder(), lambda: (logits(), ints([4, 2, 1]))),
}


@case.table({**GRIDS, **WINDOWS, **SEQUENCES}, tol=1e-5)
def operator(make, inputs, *positions):
    return outcome(make(), inputs(), *positions)


@case.table(
    {"plain": (False, 1, 60), "bias": (True, 1, 72), "two_directions": (True, 2, 144)}, tol=1e-5
)
def lstm(has_bias, directions, size):
    run = ops.LSTM(2, 3, 1, has_bias, directions == 2, 0.0)
    given = (
        *(numbers(4, 2, 2), numbers(directions, 2, 3), numbers(directions, 2, 3, seed=1)),
        numbers(size, 1, 1),
    )
    return outcome(lambda *args: run(*args)[:3], given, (0, 1, 2, 3))


@case
def lstm_of_one_dimension():
    return ops.LSTM(2, 3, 1, False, False, 0.0)(*[numbers(4)] * 4)
