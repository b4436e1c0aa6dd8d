"""Resizing as Primitives, and colors: values, gradients, refused arguments."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def images():
    return numbers(1, 2, 4, 5)


def volumes():
    return numbers(1, 1, 2, 3, 2)


def colors():
    return numbers(1, 2, 4, 3, low=0)


def size(*sizes):
    return Tensor(sizes, ms.int32)


RULES = {"plain": (False, False), "corners": (True, False), "centers": (False, True)}


@case.table(
    {
        **{
            f"{name}_{rule}": (
                lambda name=name, rule=rule: getattr(ops, name)(*RULES[rule]),
                lambda: (images(), size(3, 7)),
                (0,),
            )
            for name in ("ResizeBicubic", "ResizeNearestNeighborV2")
            for rule in RULES
        },
        "bicubic_tuple": (lambda: ops.ResizeBicubic(), lambda: (images(), (8, 2))),
        "bicubic_both": (lambda: ops.ResizeBicubic(True, True), lambda: (images(), size(3, 7))),
        "bicubic_size": (lambda: ops.ResizeBicubic(), lambda: (images(), size(3, 7, 1))),
        "bicubic_rank": (lambda: ops.ResizeBicubic(), lambda: (volumes(), size(3, 7))),
        "interpolate_bicubic": (
            lambda: lambda x: ops.interpolate(x, size=(3, 7), mode="bicubic"),
            lambda: (images(),),
            (0,),
        ),
        "interpolate_bicubic_corners": (
            lambda: lambda x: ops.interpolate(x, (3, 7), mode="bicubic", align_corners=True),
            lambda: (images(),),
        ),
        "linear_1d": (lambda: ops.ResizeLinear1D(), lambda: (numbers(1, 2, 5), size(7)), (0,)),
        "linear_1d_centers": (
            lambda: ops.ResizeLinear1D("half_pixel"),
            lambda: (numbers(1, 2, 5), (7,)),
            (0,),
        ),
        "linear_to_one_element": (
            lambda: lambda x: ops.interpolate(x, 1, mode="linear"),
            lambda: (numbers(1, 2, 4),),
            (0,),
        ),
        "linear_1d_mode": (
            lambda: ops.ResizeLinear1D("asymmetric"),
            lambda: (numbers(1, 2, 5), (7,)),
        ),
        "nearest_3d": (
            lambda: ops.UpsampleNearest3D(),
            lambda: (volumes(), (3, 4, 5), None),
            (0,),
        ),
        "nearest_3d_scales": (
            lambda: ops.UpsampleNearest3D(),
            lambda: (volumes(), None, [1.5, 2.0, 1.0]),
        ),
        "nearest_3d_neither": (lambda: ops.UpsampleNearest3D(), lambda: (volumes(), None, None)),
        "trilinear": (
            lambda: ops.UpsampleTrilinear3D(),
            lambda: (volumes(), (3, 4, 5), None),
            (0,),
        ),
        "trilinear_corners": (
            lambda: ops.UpsampleTrilinear3D(True),
            lambda: (volumes(), (3, 4, 5), None),
        ),
        "area": (lambda: ops.ResizeArea(), lambda: (numbers(1, 4, 5, 2), size(3, 7))),
        "area_corners": (lambda: ops.ResizeArea(True), lambda: (numbers(1, 4, 5, 2), size(3, 7))),
        "area_half": (lambda: ops.ResizeArea(), lambda: (numbers(1, 4, 6, 2), size(2, 3))),
        **{
            f"scaled_{kernel}_{antialias}": (
                lambda kernel=kernel, antialias=antialias: ops.ScaleAndTranslate(kernel, antialias),
                lambda: (
                    *(numbers(1, 4, 5, 2), size(3, 6)),
                    *(Tensor([0.6, 1.3], ms.float32), Tensor([0.2, -0.5], ms.float32)),
                ),
                (0, 2, 3),
            )
            for kernel in (
                *("lanczos1", "lanczos3", "lanczos5", "gaussian"),
                *("box", "triangle", "keyscubic", "mitchellcubic"),
            )
            for antialias in (True, False)
        },
        "scaled_unknown": (
            lambda: ops.ScaleAndTranslate("nearest"),
            lambda: (numbers(1, 4, 5, 2), size(3, 6), *[Tensor([1.0, 1.0], ms.float32)] * 2),
        ),
        "to_hsv": (lambda: ops.RGBToHSV(), lambda: (colors(),), (0,)),
        "to_hsv_shape": (lambda: ops.RGBToHSV(), lambda: (images(),)),
        "to_rgb": (lambda: ops.HSVToRGB(), lambda: (colors(),)),
        "hue": (lambda: ops.AdjustHue(), lambda: (colors(), Tensor(0.2, ms.float32))),
        "hue_back": (lambda: ops.AdjustHue(), lambda: (colors(), Tensor(-0.7, ms.float32))),
        "hue_shape": (lambda: ops.AdjustHue(), lambda: (images(), Tensor(0.2, ms.float32))),
        "saturation": (
            lambda: ops.AdjustSaturation(),
            lambda: (colors(), Tensor(0.2, ms.float32)),
        ),
        "saturation_full": (
            lambda: ops.AdjustSaturation(),
            lambda: (colors(), Tensor(5.0, ms.float32)),
        ),
    },
    tol=1e-5,
)
def operator(make, inputs, *positions):
    return outcome(make(), inputs(), *positions)
