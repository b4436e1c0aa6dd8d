"""Boxes and regions: overlap, coding, suppression, ROIAlign, CropAndResize."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def boxes(shift=0.0, dtype=ms.float32):
    return Tensor(np.array([[0, 0, 10, 10], [2, 2, 8, 9], [4, 1, 12, 7]]) + shift, dtype)


def others(dtype=ms.float32):
    return Tensor([[1, 0, 9, 11], [3, 2, 8, 8], [4, 2, 11, 7]], dtype)


def scored(dtype=ms.float32):
    rows = [[0, 0, 10, 10, 0.5], [2, 2, 8, 9, 0.9], [4, 1, 12, 7, 0.7], [1, 0, 10, 10, 0.2]]
    return Tensor(rows, dtype)


def image():
    return numbers(1, 5, 4, 2)


def parts():
    return Tensor([[0.1, 0.2, 0.9, 0.7], [0, 0, 1.2, 1]], ms.float32)


def which():
    return Tensor([0, 0], ms.int32)


def wide_regions():
    return Tensor([[0, -2, 0.5, 3, 8], [0, 1, 1, 5.5, 5], [0, 0, 0, 60, 60]], ms.float32)


def regions():
    return Tensor([[0, 1, 1, 9, 8], [1, 0, 2, 6, 11]], ms.float32)


def features():
    return numbers(2, 2, 6, 6)


STDS = (0.1, 0.1, 0.2, 0.2)
MEANS = (0.0, 0.1, 0.2, 0.3)


def many_boxes(classes):
    corners = np.random.RandomState(3).rand(2, 6, classes, 4) * 0.6
    corners[..., 2:] += 0.4 + 0.3 * corners[..., :2]
    return Tensor(corners, ms.float32)


def limits(per_class, total, overlap=0.4, score=0.1):
    kinds = (ms.int32, ms.int32, ms.float32, ms.float32)
    given = zip((per_class, total, overlap, score), kinds, strict=True)
    return tuple(Tensor(value, kind) for value, kind in given)


COMBINED = {
    "plain": ((), 1, (2, 4)),
    "of_classes": ((), 2, (2, 4)),
    "padded": ((True,), 2, (2, 9)),
    "more_than_there_are": ((), 1, (9, 20)),
    "not_cut": ((False, False), 2, (3, 5)),
    "strict": ((), 1, (3, 5, 0.1, 0.5)),
}


@case.table(COMBINED, tol=1e-5)
def combined(options, classes, sizes):
    suppress = ops.CombinedNonMaxSuppression(*options)
    return suppress(many_boxes(classes), numbers(2, 6, 2, low=0), *limits(*sizes))


@case
def combined_of_three_classes():
    return ops.CombinedNonMaxSuppression()(many_boxes(3), numbers(2, 6, 2), *limits(2, 4))


@case.table(
    {
        "encode": (lambda: ops.BoundingBoxEncode(), lambda: (boxes(), others())),
        "encode_scaled": (
            lambda: ops.BoundingBoxEncode(MEANS, STDS),
            lambda: (boxes(), others()),
        ),
        "encode_16": (
            lambda: ops.BoundingBoxEncode(),
            lambda: (boxes(0, ms.float16), others(ms.float16)),
        ),
        "encode_dtypes": (
            lambda: ops.BoundingBoxEncode(),
            lambda: (boxes(0, ms.float16), others()),
        ),
        "encode_shape": (lambda: ops.BoundingBoxEncode(), lambda: (scored(), others())),
        "encode_function": (lambda: ops.bounding_box_encode, lambda: (boxes(), others())),
        "decode": (
            lambda: ops.BoundingBoxDecode((9, 15)),
            lambda: (boxes(), numbers(3, 4)),
        ),
        "decode_scaled": (
            lambda: ops.BoundingBoxDecode((100, 120), MEANS, STDS, 0.5),
            lambda: (boxes(20), numbers(3, 4)),
        ),
        "decode_function": (
            lambda: ops.bounding_box_decode,
            lambda: (boxes(), numbers(3, 4), (9, 15)),
        ),
        "decode_max_shape": (
            lambda: ops.BoundingBoxDecode((9, 15, 3)),
            lambda: (boxes(), numbers(3, 4)),
        ),
        "check_valid": (lambda: ops.CheckValid(), lambda: (boxes(), Tensor([10, 12, 1.0]))),
        "check_valid_16": (
            lambda: ops.check_valid,
            lambda: (boxes(0, ms.float16), Tensor([10, 12, 2.0], ms.float16)),
        ),
        "check_valid_below": (lambda: ops.check_valid, lambda: (boxes(-1), Tensor([99, 99, 1.0]))),
        "check_valid_dtypes": (
            lambda: ops.CheckValid(),
            lambda: (boxes(0, ms.float16), Tensor([10, 12, 1.0])),
        ),
        "iou": (lambda: ops.IOU(), lambda: (boxes(), others()), (0, 1)),
        "iof": (lambda: ops.IOU("iof"), lambda: (boxes(), others())),
        "iou_16": (lambda: ops.IOU(), lambda: (boxes(0, ms.float16), others(ms.float16))),
        "iou_function": (lambda: ops.iou, lambda: (boxes(), others())),
        "iou_counts": (lambda: ops.iou, lambda: (boxes(), others()[:2])),
        "iou_mode": (lambda: ops.IOU("giou"), lambda: (boxes(), others())),
        "nms": (lambda: ops.NMSWithMask(0.3), lambda: (scored(),)),
        "nms_narrow": (lambda: ops.NMSWithMask(0.1), lambda: (scored(),)),
        "nms_wide": (lambda: ops.NMSWithMask(0.7), lambda: (scored(),)),
        "nms_shape": (lambda: ops.NMSWithMask(0.3), lambda: (boxes(),)),
        "overlaps": (
            lambda: ops.NonMaxSuppressionWithOverlaps(),
            lambda: (
                Tensor([[1, 0.6, 0.2], [0.6, 1, 0.3], [0.2, 0.3, 1]], ms.float32),
                Tensor([0.5, 0.9, 0.7], ms.float32),
                Tensor(3, ms.int32),
                Tensor(0.4, ms.float32),
                Tensor(0.1, ms.float32),
            ),
        ),
        "roi_align": (
            lambda: ops.ROIAlign(2, 2, 0.5, 2),
            lambda: (features(), regions()),
            (0,),
        ),
        "roi_align_end": (
            lambda: ops.ROIAlign(2, 2, 0.5, 2, 0),
            lambda: (features(), regions()),
            (0,),
        ),
        "roi_align_parts": (
            lambda: ops.ROIAlign(3, 2, 0.25, 1),
            lambda: (features(), regions()),
        ),
        "roi_align_adaptive": (
            lambda: ops.ROIAlign(2, 2, 0.5, 0),
            lambda: (features(), wide_regions()),
            (0,),
        ),
        "roi_align_adaptive_end": (
            lambda: ops.ROIAlign(2, 1, 1.0, -1, 0),
            lambda: (features(), wide_regions()),
        ),
        "roi_align_adaptive_small": (
            lambda: ops.ROIAlign(4, 4, 0.5, 0),
            lambda: (features(), wide_regions()),
        ),
        "roi_align_outside": (
            lambda: ops.ROIAlign(2, 2, 1.0, 2),
            lambda: (features(), regions()),
        ),
        "roi_align_mode": (
            lambda: ops.ROIAlign(2, 2, 0.5, 2, 2),
            lambda: (features(), regions()),
        ),
        "crop": (
            lambda: ops.CropAndResize(),
            lambda: (image(), parts(), which(), (3, 2)),
            (0,),
        ),
        "crop_boxes": (
            lambda: ops.CropAndResize(),
            lambda: (image(), parts(), which(), (3, 2)),
            (0, 1),
        ),
        "crop_nearest": (
            lambda: ops.CropAndResize("nearest", 7.0),
            lambda: (image(), parts(), which(), (3, 2)),
            (0,),
        ),
        "crop_centers": (
            lambda: ops.CropAndResize("bilinear_v2"),
            lambda: (image(), parts(), which(), (3, 2)),
        ),
        "crop_one_row": (
            lambda: ops.crop_and_resize,
            lambda: (image(), parts(), which(), (1, 2)),
        ),
        "crop_method": (
            lambda: ops.CropAndResize("cubic"),
            lambda: (image(), parts(), which(), (3, 2)),
        ),
        "crop_boxes_shape": (
            lambda: ops.crop_and_resize,
            lambda: (image(), image(), which(), (3, 2)),
        ),
    },
    tol=1e-5,
)
def operator(make, inputs, *positions):
    return outcome(make(), inputs(), *positions)


@case.table(
    {
        "all": (4, [[True, False, True], [False, True, True]]),
        "fewer": (6, [[True, False, True], [False, False, False]]),
        "more_than_there_are": (9, [[True, False, True], [False, True, True]]),
        "line": (2, [True, True]),
        "none": (2, [[False, False]]),
    }
)
def random_choice(count, mask):
    places, found = ops.RandomChoiceWithMask(count, 1, 1)(Tensor(mask))
    chosen = [
        tuple(p) for p, f in zip(places.asnumpy().tolist(), found.asnumpy(), strict=True) if f
    ]
    rest = places.asnumpy()[~found.asnumpy()]
    return sorted(chosen), found, places.dtype, places.shape, rest


@case
def random_choice_of_numbers():
    return ops.RandomChoiceWithMask(2)(Tensor([1.0, 2.0]))
