"""Transforms of images where nothing is left to chance: arrays, PIL images, and refusals.

Bytes are compared by their checksum. Widths are multiples of 16: in MindSpore BICUBIC rounds the
pixels that its vector instructions leave over in another way; AdjustHue does so, too, and others.
"""

import io
import zlib

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.transforms as transforms
import mindspore.dataset.vision as vision
import numpy as np
from PIL import Image

from tests.parity.case import case

HEIGHT, WIDTH = 24, 32


def colors():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [(x * 7 + y * 3) % 256, (y * 11 + 20) % 256, (x * y * 5) % 256]
    return np.stack(planes, -1).astype(np.uint8)


def gray():
    return colors()[..., 2]


def floats():
    return colors()[:6, :8].astype(np.float32) / 255


def batch():
    return np.stack([colors(), colors()[::-1]])


def four():
    return np.dstack([colors(), gray()])


def shorts():
    return colors().astype(np.int16) * 3 - 100


def transparent():
    from PIL import Image

    return Image.fromarray(four(), "RGBA")


def picture():
    from PIL import Image

    return Image.fromarray(colors())


def file(kind):
    data = io.BytesIO()
    picture().save(data, kind)
    return np.frombuffer(data.getvalue(), np.uint8)


IMAGES = {
    "colors": colors,
    "gray": gray,
    "floats": floats,
    "picture": picture,
    "batch": batch,
    "four": four,
    "shorts": shorts,
    "transparent": transparent,
}


def seen(made):
    if isinstance(made, (tuple, list)):
        return type(made)(seen(one) for one in made)
    if not isinstance(made, np.ndarray):
        return made.mode, seen(np.asarray(made))
    if made.dtype.kind == "f":
        return made if made.size < 1000 else (made.shape, made.ravel()[::97])
    return str(made.dtype), made.shape, zlib.crc32(np.ascontiguousarray(made).tobytes())


def inter(name):
    return getattr(vision.Inter, name)


EVERY = "colors gray floats picture"
ARRAYS = "colors gray floats"
BYTES = "colors gray"
COLORS = "colors picture"
OF = {
    "hflip": (EVERY, lambda: vision.HorizontalFlip()),
    "vflip": (EVERY, lambda: vision.VerticalFlip()),
    "random_hflip": (EVERY, lambda: vision.RandomHorizontalFlip(1.0)),
    "random_vflip": (EVERY, lambda: vision.RandomVerticalFlip(1.0)),
    "random_hflip_never": (EVERY, lambda: vision.RandomHorizontalFlip(0.0)),
    "crop": (EVERY, lambda: vision.Crop((1, 2), (3, 4))),
    "center_crop": (EVERY, lambda: vision.CenterCrop((5, 6))),
    "center_crop_odd": ("colors gray picture", lambda: vision.CenterCrop((3, 35))),
    "center_crop_larger": ("colors gray picture", lambda: vision.CenterCrop(41)),
    "random_crop_whole": ("colors picture", lambda: vision.RandomCrop((HEIGHT, WIDTH))),
    "random_crop_padded": (
        "colors picture",
        lambda: vision.RandomCrop((HEIGHT + 4, WIDTH + 4), 2, fill_value=3),
    ),
    "pad": (EVERY, lambda: vision.Pad(2)),
    "pad_four": (EVERY, lambda: vision.Pad((1, 2, 3, 4), 7)),
    "pad_two": (EVERY, lambda: vision.Pad([3, 1], (1, 2, 3))),
    "pad_edge": (EVERY, lambda: vision.Pad(2, padding_mode=vision.Border.EDGE)),
    "pad_reflect": (EVERY, lambda: vision.Pad(2, padding_mode=vision.Border.REFLECT)),
    "pad_symmetric": (EVERY, lambda: vision.Pad(2, padding_mode=vision.Border.SYMMETRIC)),
    "pad_to_size": (EVERY, lambda: vision.PadToSize(50)),
    "pad_to_size_at": (EVERY, lambda: vision.PadToSize((50, 60), (1, 2), 9)),
    "rotate": (ARRAYS, lambda: vision.Rotate(33.0)),
    "rotate_linear": (BYTES, lambda: vision.Rotate(33.0, inter("BILINEAR"))),
    "rotate_cubic": (BYTES, lambda: vision.Rotate(33.0, inter("BICUBIC"))),
    "rotate_expand": (BYTES, lambda: vision.Rotate(-20.0, inter("BILINEAR"), True, fill_value=9)),
    "rotate_center": ("colors", lambda: vision.Rotate(50.0, center=(3, 4), fill_value=(1, 2, 3))),
    "random_rotation": (EVERY, lambda: vision.RandomRotation((25, 25))),
    "affine": (BYTES, lambda: vision.Affine(15.0, [0.1, -0.2], 1.1, [10.0, 5.0], fill_value=9)),
    "affine_linear": (
        BYTES,
        lambda: vision.Affine(-40.0, [0.0, 0.2], 0.7, [1.0, 5.0], inter("BILINEAR"), (1, 2, 3)),
    ),
    "random_affine": (
        "colors gray picture",
        lambda: vision.RandomAffine((15, 15), (0, 0, 0, 0), (1.1, 1.1), (10, 10)),
    ),
    "random_affine_turns": ("picture", lambda: vision.RandomAffine((15, 15))),
    "perspective": (
        COLORS,
        lambda: vision.Perspective(
            [[1, 2], [30, 1], [29, 21], [3, 20]], [[3, 4], [29, 2], [28, 20], [1, 22]]
        ),
    ),
    "resized_crop": (ARRAYS, lambda: vision.ResizedCrop(1, 2, 4, 5, (7, 9))),
    "random_resized_crop": (COLORS, lambda: vision.RandomResizedCrop(20, (1, 1), (1.2, 1.2))),
    "five_crop": (EVERY, lambda: vision.FiveCrop((5, 7))),
    "ten_crop": (COLORS, lambda: vision.TenCrop(5, True)),
    "slice_patches": (ARRAYS, lambda: vision.SlicePatches(2, 5)),
    "slice_patches_drop": (ARRAYS, lambda: vision.SlicePatches(4, 5, vision.SliceMode.DROP)),
    "brightness": (EVERY, lambda: vision.AdjustBrightness(1.3)),
    "darkness": (EVERY, lambda: vision.AdjustBrightness(0.0)),
    "contrast": (EVERY, lambda: vision.AdjustContrast(1.3)),
    "contrast_less": (EVERY, lambda: vision.AdjustContrast(0.4)),
    "saturation": (EVERY, lambda: vision.AdjustSaturation(1.3)),
    "saturation_less": (EVERY, lambda: vision.AdjustSaturation(0.4)),
    "sharpness": (ARRAYS, lambda: vision.AdjustSharpness(1.3)),
    "sharpness_less": (EVERY, lambda: vision.AdjustSharpness(0.4)),
    "gamma": (EVERY, lambda: vision.AdjustGamma(1.3, 1.2)),
    "hue": ("picture", lambda: vision.AdjustHue(0.2)),
    "hue_back": ("picture", lambda: vision.AdjustHue(-0.4)),
    "hue_gray": ("gray", lambda: vision.AdjustHue(0.2)),
    "invert": ("colors gray picture", lambda: vision.Invert()),
    "equalize": ("colors gray picture floats", lambda: vision.Equalize()),
    "auto_contrast": ("colors gray picture floats", lambda: vision.AutoContrast()),
    "auto_contrast_cut": ("colors gray picture", lambda: vision.AutoContrast(10.0, [0, 3])),
    "posterize": ("colors gray picture floats", lambda: vision.Posterize(3)),
    "solarize": ("colors gray picture", lambda: vision.Solarize((100, 200))),
    "solarize_from": ("colors gray picture", lambda: vision.Solarize(128)),
    "blur": (EVERY, lambda: vision.GaussianBlur(5, 1.2)),
    "blur_sizes": (EVERY, lambda: vision.GaussianBlur((3, 5))),
    "grayscale": (EVERY, lambda: vision.Grayscale()),
    "grayscale_three": ("picture", lambda: vision.Grayscale(3)),
    "random_grayscale": ("picture", lambda: vision.RandomGrayscale(1.0)),
    "random_color": (COLORS, lambda: vision.RandomColor((0.5, 0.5))),
    "random_sharpness": (COLORS, lambda: vision.RandomSharpness((0.5, 0.5))),
    "random_posterize": ("colors gray picture", lambda: vision.RandomPosterize((3, 3))),
    "random_solarize": ("colors gray picture", lambda: vision.RandomSolarize((100, 100))),
    "random_invert": (COLORS, lambda: vision.RandomInvert(1.0)),
    "random_equalize": (COLORS, lambda: vision.RandomEqualize(1.0)),
    "random_auto_contrast": (COLORS, lambda: vision.RandomAutoContrast(prob=1.0)),
    "random_adjust_sharpness": (COLORS, lambda: vision.RandomAdjustSharpness(0.5, 1.0)),
    "random_color_adjust": ("colors gray", lambda: vision.RandomColorAdjust((1.3, 1.3))),
    "random_saturation": ("colors", lambda: vision.RandomColorAdjust(saturation=(0.5, 0.5))),
    "random_lighting_none": ("colors gray", lambda: vision.RandomLighting(0.0)),
    "to_tensor": (EVERY, lambda: vision.ToTensor()),
    "to_tensor_half": (EVERY, lambda: vision.ToTensor(np.float16)),
    "to_type": (EVERY, lambda: vision.ToType(np.float32)),
    "to_pil": (EVERY, lambda: vision.ToPIL()),
    "to_numpy": (EVERY, lambda: vision.ToNumpy()),
    "hwc2chw": (EVERY, lambda: vision.HWC2CHW()),
    "normalize": (EVERY, lambda: vision.Normalize([121.0, 115.0, 100.0], [70.0, 68.0, 71.0])),
    "rescale": (EVERY, lambda: vision.Rescale(1 / 255.0, 0.5)),
    "erase": (EVERY, lambda: vision.Erase(3, 4, 2, 3, (1, 2, 3))),
    "rgb_to_gray": (
        "colors gray floats",
        lambda: vision.ConvertColor(vision.ConvertMode.COLOR_RGB2GRAY),
    ),
    "rgb_to_bgra": ("colors", lambda: vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGRA)),
    "gray_to_rgb": ("gray", lambda: vision.ConvertColor(vision.ConvertMode.COLOR_GRAY2RGB)),
    "linear": (
        "floats picture",
        lambda: vision.LinearTransformation(np.eye(144) * 2, np.ones(144)),
    ),
    "each_hflip": ("batch", lambda: vision.HorizontalFlip()),
    "each_vflip": ("batch", lambda: vision.VerticalFlip()),
    "each_random_hflip": ("batch", lambda: vision.RandomHorizontalFlip(1.0)),
    "each_random_vflip": ("batch", lambda: vision.RandomVerticalFlip(1.0)),
    "each_resize": ("batch", lambda: vision.Resize((12, 16))),
    "each_resize_cubic": ("batch", lambda: vision.Resize((20, 48), inter("BICUBIC"))),
    "each_center_crop": ("batch", lambda: vision.CenterCrop((5, 40))),
    "each_rotate": ("batch", lambda: vision.Rotate(33.0, fill_value=(1, 2, 3))),
    "each_random_crop": ("batch", lambda: vision.RandomCrop((HEIGHT + 4, WIDTH + 4), 2)),
    "each_blur": ("batch", lambda: vision.GaussianBlur(3)),
    "each_affine": ("batch", lambda: vision.Affine(15.0, [0.0, 0.0], 1.0, 0.0)),
    "four_rotate": ("four", lambda: vision.Rotate(33.0, fill_value=(1, 2, 3))),
    "four_affine": ("four", lambda: vision.Affine(15.0, [0.1, 0.0], 0.8, 5.0, fill_value=9)),
    "four_perspective": (
        "four",
        lambda: vision.Perspective(
            [[1, 2], [30, 1], [29, 21], [3, 20]], [[3, 4], [29, 2], [28, 20], [1, 22]]
        ),
    ),
    "four_pad": ("transparent", lambda: vision.Pad(2, (1, 2, 3))),
    "four_random_crop": (
        "transparent",
        lambda: vision.RandomCrop((HEIGHT + 4, WIDTH + 4), 2, fill_value=3),
    ),
    "rounded_resize": ("shorts", lambda: vision.Resize((10, 20))),
    "rounded_halves": ("shorts", lambda: vision.Resize((12, 16))),
    "rounded_rotate": ("shorts", lambda: vision.Rotate(33.0, inter("BILINEAR"))),
    "rounded_blur": ("shorts", lambda: vision.GaussianBlur(3)),
    "rounded_erase": ("colors", lambda: vision.Erase(3, 4, 2, 3, 1.5)),
    "array_affine": ("picture", lambda: vision.Affine(15.0, [0.1, -0.2], 1.1, [10.0, 5.0])),
    "array_posterize": ("picture", lambda: vision.Posterize(8)),
    "array_invert": ("picture", lambda: vision.RandomInvert(0.0)),
    "array_equalize": ("picture", lambda: vision.RandomEqualize(0.0)),
    "array_auto_contrast": ("picture", lambda: vision.RandomAutoContrast(prob=0.0)),
    "array_sharpness": ("picture", lambda: vision.RandomAdjustSharpness(0.5, 0.0)),
    "array_rand_augment": ("picture", lambda: vision.RandAugment(0)),
    "array_random_resize": ("picture", lambda: vision.RandomResize((HEIGHT, WIDTH))),
    "random_affine_part": (
        "gray",
        lambda: vision.RandomAffine(0, (0.13,) * 4, resample=inter("BILINEAR")),
    ),
    "random_affine_black": ("picture", lambda: vision.RandomAffine((15, 15), fill_value=7)),
    "random_resized_crop_fallback": (
        "colors",
        lambda: vision.RandomResizedCrop(20, (1, 1), (3.0, 3.0)),
    ),
    "random_lighting_transparent": ("transparent", lambda: vision.RandomLighting(0.0)),
    "random_erasing_never": ("colors gray picture", lambda: vision.RandomErasing(0.0)),
    "solarize_at_one": ("colors", lambda: vision.Solarize((100, 100))),
    "subpolicy": (
        "colors",
        lambda: vision.RandomSelectSubpolicy([[(vision.HorizontalFlip(), 1.0)]]),
    ),
}
ROWS = {f"{name}_{of}": (make, of) for name, (images, make) in OF.items() for of in images.split()}


@case.table(ROWS)
def made(make, of):
    return seen(make()(IMAGES[of]()))


HUES = {
    "turned": lambda: vision.AdjustHue(0.2),
    "turned_back": lambda: vision.AdjustHue(-0.4),
    "random": lambda: vision.RandomColorAdjust(hue=(0.2, 0.2)),
}


OF_A_MASK = {
    "flip": lambda: vision.HorizontalFlip(),
    "crop": lambda: vision.CenterCrop((5, 6)),
    "resize": lambda: vision.Resize((10, 12), inter("NEAREST")),
    "linear": lambda: vision.Resize((10, 12)),
    "rotate": lambda: vision.Rotate(33.0),
    "affine": lambda: vision.Affine(10.0, (0.1, 0.0), 1.0, 0.0),
    "invert": lambda: vision.Invert(),
    "brightness": lambda: vision.AdjustBrightness(1.5),
    "solarize": lambda: vision.Solarize(10.0),
    "pad": lambda: vision.Pad(1),
    "equalize": lambda: vision.Equalize(),
    "posterize": lambda: vision.Posterize(3),
    "blur": lambda: vision.GaussianBlur(3),
    "sharpness": lambda: vision.AdjustSharpness(2.0),
    "perspective": lambda: vision.Perspective(
        [[0, 0], [31, 0], [31, 23], [0, 23]], [[3, 4], [30, 2], [28, 20], [2, 21]]
    ),
}


@case.table({name: (make,) for name, make in OF_A_MASK.items()})
def of_a_mask(make):
    return make()(colors() > 99)


@case.table({"square": (10,), "two": ((10, 12),)})
def resized_part(size):
    return vision.ResizedCrop(2, 3, 12, 20, size)(colors())


@case.table({"half": (30.5, None), "whole": (31.0, None), "without_the_ends": (30.5, [0, 255])})
def auto_contrast_of_a_share(cutoff, ignore):
    return vision.AutoContrast(cutoff, ignore)(colors())


@case
def hue_at_the_end_of_a_row():
    wide = np.concatenate([colors(), colors()[:, :18]], 1)[:8]
    return vision.AdjustHue(0.2)(wide)[:, 32:]


@case
def sub_policy_of_a_picture():
    return seen(vision.RandomSelectSubpolicy([[(vision.Equalize(), 1.0)]])(picture()))


def any_colors():
    return np.random.default_rng(0).integers(0, 256, (32, 41, 3)).astype(np.uint8)


@case.table({name: (make,) for name, make in HUES.items()})
def hue(make):
    return zlib.crc32(make()(any_colors()).tobytes())


@case
def rotate_by_any_angle():
    return [
        zlib.crc32(vision.Rotate(angle, inter("BILINEAR"))(any_colors()).tobytes())
        for angle in np.random.default_rng(1).uniform(-800, 800, 40).tolist()
    ]


@case
def random_rotation_by_a_fixed_angle():
    return [
        zlib.crc32(vision.RandomRotation((angle, angle), inter("BILINEAR"))(any_colors()).tobytes())
        for angle in np.random.default_rng(2).uniform(-180, 180, 40).tolist()
    ]


HSV = {"rgb_to_hsv": lambda: vision.RgbToHsv(True), "hsv_to_rgb": lambda: vision.HsvToRgb(True)}


@case.table({f"{name}_{of}": (HSV[name], of) for name in HSV for of in IMAGES}, tol=1e-5)
def hsv(make, of):
    return make()(IMAGES[of]()[:6, :8] if of == "colors" else IMAGES[of]())


SIZES = {"half": (12, 16), "larger": (37, 48), "shorter": 9, "mixed": (40, 13), "same": (24, 32)}
RESIZES = {
    f"{mode}_{size}_{of}": (mode, SIZES[size], of)
    for mode in ("NEAREST", "BILINEAR", "BICUBIC", "AREA", "PILCUBIC", "ANTIALIAS")
    for size in SIZES
    for of in ("colors", "picture")
}
RESIZES |= {
    f"{mode}_{of}": (mode, (5, 13), of)
    for mode in ("NEAREST", "BILINEAR", "BICUBIC", "AREA")
    for of in ("floats", "gray")
}


@case.table(RESIZES)
def resized(mode, size, of):
    return seen(vision.Resize(size, inter(mode))(IMAGES[of]()))


@case.table({"middle": (None,), "corner": ((3, 29),)})
def expanded(center):
    turned = (
        vision.Rotate(17.3 * i - 150, inter("BICUBIC"), True, center, (9, 90, 190))
        for i in range(40)
    )
    return [seen(rotate(colors())) for rotate in turned]


@case.table({kind: (kind,) for kind in ("PNG", "BMP", "JPEG")})
def decoded(kind):
    data = file(kind)
    return [seen(vision.Decode()(data)), seen(vision.Decode(True)(data))]


@case.table({"CMYK": ("JPEG", "CMYK"), "gray": ("JPEG", "L"), "sixteen_bits": ("PNG", "I;16")})
def decoded_of(kind, mode):
    data = io.BytesIO()
    deep = np.arange(24 * 32, dtype=np.uint16).reshape(24, 32) * 85
    made = picture().convert(mode) if mode != "I;16" else Image.fromarray(deep)
    made.save(data, kind)
    return seen(vision.Decode()(np.frombuffer(data.getvalue(), np.uint8)))


@case
def decoded_part():
    crop = vision.RandomCropDecodeResize(20, (1, 1), (1.2, 1.2))
    return seen(crop(file("PNG")))


CHAINS = {
    "arrays": lambda: [vision.Decode(), vision.Resize(20), vision.CenterCrop(16), vision.HWC2CHW()],
    "pictures": lambda: [vision.Decode(to_pil=True), vision.Resize(20), vision.ToTensor()],
    "to_picture": lambda: [vision.Decode(), vision.ToPIL()],
    "function": lambda: [vision.Decode(), lambda image: image[:3]],
    "erasing": lambda: [vision.Decode(), vision.ToTensor(), vision.RandomErasing(0.0)],
    "nested": lambda: [transforms.Compose([vision.Decode()]), vision.VerticalFlip()],
    "always": lambda: [vision.Decode(), transforms.RandomApply([vision.VerticalFlip()], 1.0)],
    "never": lambda: [vision.Decode(), transforms.RandomApply([vision.VerticalFlip()], 0.0)],
    "choice": lambda: [vision.Decode(), transforms.RandomChoice([vision.VerticalFlip()])],
    "order": lambda: [vision.Decode(), transforms.RandomOrder([vision.VerticalFlip()])],
}


@case.table({name: (make,) for name, make in CHAINS.items()})
def composed(make):
    return seen(transforms.Compose(make())(file("PNG")))


def batch():
    return np.stack([colors(), colors()[::-1]]), np.eye(2, dtype=np.float32)


@case
def cut_mix_never():
    images, labels = vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 1.0, 0.0)(*batch())
    return seen(images), labels


REFUSED = {
    "resize_text": lambda: vision.Resize("a"),
    "resize_zero": lambda: vision.Resize(0),
    "resize_three": lambda: vision.Resize((1, 2, 3)),
    "resize_mode": lambda: vision.Resize(5, 2),
    "resize_of_text": lambda: vision.Resize(5)("a"),
    "resize_of_list": lambda: vision.Resize(5)([1]),
    "resize_of_row": lambda: vision.Resize(5)(np.zeros(5, np.uint8)),
    "crop_padding": lambda: vision.RandomCrop(5, -1),
    "crop_large": lambda: vision.RandomCrop(100)(colors()),
    "crop_outside": lambda: vision.Crop((20, 20), 10)(colors()),
    "flip_prob": lambda: vision.RandomHorizontalFlip(2.0),
    "flip_text": lambda: vision.RandomHorizontalFlip("a"),
    "std_zero": lambda: vision.Normalize([1], [0]),
    "mean_length": lambda: vision.Normalize([1, 2], [1]),
    "mean_number": lambda: vision.Normalize(1, 1),
    "mean_channels": lambda: vision.Normalize([1.0, 2.0], [1.0, 2.0])(colors()),
    "pad_text": lambda: vision.Pad("a"),
    "pad_three": lambda: vision.Pad((1, 2, 3)),
    "brightness": lambda: vision.RandomColorAdjust(brightness=-1),
    "hue": lambda: vision.RandomColorAdjust(hue=1),
    "contrast": lambda: vision.RandomColorAdjust(contrast=(2, 1)),
    "rotation_text": lambda: vision.RandomRotation("a"),
    "rotation": lambda: vision.RandomRotation(-1),
    "rotate_center_list": lambda: vision.Rotate(5.0, center=[3, 4]),
    "rotate_center_text": lambda: vision.RandomRotation(5.0, center="a"),
    "rotate_mode": lambda: vision.Rotate(5.0, vision.Inter.ANTIALIAS)(colors()),
    "affine": lambda: vision.RandomAffine(10, translate=(2, 2)),
    "affine_degrees": lambda: vision.Affine(181.0, (0.0, 0.0), 1.0, 0.0),
    "augment": lambda: vision.RandAugment(num_ops=-1),
    "policy": lambda: vision.AutoAugment("imagenet"),
    "decode_flag": lambda: vision.Decode(1),
    "decode_image": lambda: vision.Decode()(colors()),
    "decode_nonsense": lambda: vision.Decode()(np.arange(50, dtype=np.uint8)),
    "scale": lambda: vision.RandomResizedCrop(5, scale=(1, 0.5)),
    "erasing": lambda: vision.RandomErasing(2),
    "to_tensor": lambda: vision.ToTensor("x"),
    "to_tensor_of_number": lambda: vision.ToTensor()(5),
    "cut_mix": lambda: vision.CutMixBatch(0),
    "mix_up": lambda: vision.MixUpBatch(-1),
    "rescale": lambda: vision.Rescale("a", 1),
    "grayscale": lambda: vision.Grayscale(2),
    "solarize": lambda: vision.RandomSolarize(3),
    "to_pil_floats": lambda: vision.ToPIL()(floats()),
}


@case.table({name: (call,) for name, call in REFUSED.items()})
def refused(call):
    call()


KINDS = ("Inter", "Border", "ConvertMode", "ImageBatchFormat", "ImageReadMode", "SliceMode")


@case.table({name: (name,) for name in (*KINDS, "AutoAugmentPolicy")})
def members(name):
    return {one.name: one.value for one in getattr(vision, name)}


ROWS_OF = {
    "one_hot": (lambda: transforms.OneHot(5), np.array([3, 1], np.int32)),
    "one_hot_smooth": (lambda: transforms.OneHot(5, 0.1), np.array(3, np.int64)),
    "one_hot_of_one": (lambda: transforms.OneHot(5), np.array([3], np.int32)),
    "one_hot_of_one_smooth": (lambda: transforms.OneHot(5, 0.1), np.array([[3]])),
    "one_hot_of_a_column": (lambda: transforms.OneHot(5), np.array([[3], [1]], np.int32)),
    "one_hot_of_a_table": (lambda: transforms.OneHot(5), np.array([[3, 1]], np.int32)),
    "one_hot_outside": (lambda: transforms.OneHot(3), np.array(5)),
    "one_hot_float": (lambda: transforms.OneHot(3), np.array(0.5)),
    "type_cast": (lambda: transforms.TypeCast(ms.float16), np.arange(3)),
    "type_cast_numpy": (lambda: transforms.TypeCast(np.int8), np.arange(3.0)),
    "fill": (lambda: transforms.Fill(3), np.array([5, 6], np.float32)),
    "fill_beyond": (lambda: transforms.Fill(300), np.array([5, 6], np.uint8)),
    "fill_of_text": (lambda: transforms.Fill("x"), np.arange(3)),
    "fill_of_texts": (lambda: transforms.Fill(1), np.array(["a"])),
    "type_cast_text": (lambda: transforms.TypeCast(ms.string), np.array(["a", "bb"])),
    "fill_text": (lambda: transforms.Fill("x"), np.array(["aa", "b"])),
    "mask": (lambda: transforms.Mask(transforms.Relational.GT, 3), np.array([2, 3, 4], np.int32)),
    "mask_equal": (
        lambda: transforms.Mask(transforms.Relational.EQ, 3, ms.int16),
        np.array([2.0, 3.0, 4.0]),
    ),
    "pad_end": (lambda: transforms.PadEnd([4], -1), np.array([2, 3], np.int32)),
    "pad_end_text": (lambda: transforms.PadEnd([3], "x"), np.array(["a", "bb"])),
    "pad_end_smaller": (lambda: transforms.PadEnd([1], -1), np.array([2, 3], np.int32)),
    "slice": (lambda: transforms.Slice(slice(1, 3)), np.arange(5)),
    "slice_lists": (lambda: transforms.Slice([0, 2], [1]), np.arange(6).reshape(3, 2)),
    "slice_rest": (lambda: transforms.Slice(..., 1), np.arange(6).reshape(3, 2)),
    "duplicate": (lambda: transforms.Duplicate(), np.array([5], np.int32)),
    "concatenate": (
        lambda: transforms.Concatenate(0, np.array([1], np.int32), np.array([9], np.int32)),
        np.array([5], np.int32),
    ),
    "no_transform": (lambda: transforms.Compose([]), np.arange(3)),
    "no_list": (lambda: transforms.Compose(1), np.arange(3)),
    "no_function": (lambda: transforms.Compose([1]), np.arange(3)),
    "no_probability": (lambda: transforms.RandomApply([vision.Decode()], 2), np.arange(3)),
    "no_axis": (lambda: transforms.Concatenate(2), np.arange(3)),
    "no_fill": (lambda: transforms.Fill([1]), np.arange(3)),
    "no_relation": (lambda: transforms.Mask(1, 2), np.arange(3)),
    "no_shape": (lambda: transforms.PadEnd(3), np.arange(3)),
    "no_slice": (lambda: transforms.Slice("a"), np.arange(3)),
    "no_classes": (lambda: transforms.OneHot("a"), np.arange(3)),
    "no_dtype": (lambda: transforms.TypeCast("x"), np.arange(3)),
}


@case.table(ROWS_OF)
def transformed(make, value):
    return make()(value)


BOXES = [[1, 0, 2, 2, 9], [0, 1, 32, 3, 8], [30.5, 20, 0, 4, 1]]
OUTSIDE = {"wide": [[20, 0, 13, 2]], "high": [[0, 20, 1, 5]], "below": [[-1, 0, 4, 2]]}
OUTSIDE |= {"few": [[1, 2, 3]], "flat": [1, 2, 3, 4]}


def boxed(make, boxes=BOXES, image=colors, dtype=np.float32):
    source = [(image(), np.array(boxes, dtype))]
    data = ds.GeneratorDataset(source, ["image", "boxes"], shuffle=False)
    data = data.map(make(), ["image", "boxes"], num_parallel_workers=1)
    found, boxes = next(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    return found.shape, str(found.dtype), zlib.crc32(found.tobytes()), boxes


@case.table(
    {
        "left_right": (lambda: vision.RandomHorizontalFlipWithBBox(1.0),),
        "upside_down": (lambda: vision.RandomVerticalFlipWithBBox(1.0),),
        "left_right_gray": (lambda: vision.RandomHorizontalFlipWithBBox(1), BOXES, gray),
        "one": (lambda: vision.ResizeWithBBox(48),),
        "two": (lambda: vision.ResizeWithBBox((12, 48), vision.Inter.NEAREST),),
        "probability": (lambda: vision.RandomHorizontalFlipWithBBox(2.0),),
        "probability_text": (lambda: vision.RandomVerticalFlipWithBBox("a"),),
        "size": (lambda: vision.ResizeWithBBox((8,)),),
        "size_0": (lambda: vision.RandomResizeWithBBox(0),),
        "mode": (lambda: vision.ResizeWithBBox((8, 12), "a"),),
        "int32": (lambda: vision.ResizeWithBBox(48), BOXES, colors, np.int32),
        "float64": (lambda: vision.RandomVerticalFlipWithBBox(1.0), BOXES, colors, np.float64),
        **{
            name: (lambda: vision.RandomHorizontalFlipWithBBox(1.0), boxes)
            for name, boxes in OUTSIDE.items()
        },
    }
)
def with_boxes(make, boxes=BOXES, image=colors, dtype=np.float32):
    return boxed(make, boxes, image, dtype)


@case
def boxes_of_parts():
    """Boxes of an image's parts, moved back by where they were: read off the image."""
    found = []
    places = np.stack([*np.meshgrid(np.arange(8), np.arange(8)), np.zeros((8, 8))], -1)
    boxes = np.array([[0, 0, 3, 3, 7], [2, 3, 4, 5, 8], [6, 6, 2, 2, 9]], np.float32)
    for options in ({}, {"padding": [2, 3, 0, 0]}):
        made = vision.RandomCropWithBBox(4, **options)
        for _ in range(30):
            image, moved = made(places.astype(np.uint8), boxes)
            at = image[-1, -1, :2].astype(int) - 3
            wanted = [
                [*np.clip(b[:2] - at, 0, 4), *np.clip(b[:2] + b[2:4] - at, 0, 4), b[4]]
                for b in boxes
                if (b[:2] - at <= 4).all() and (b[:2] + b[2:4] - at >= 0).all()
            ]
            moved[:, 2:4] += moved[:, :2]
            found.append(moved.shape[1] == 5 and moved.tolist() == wanted)
    return sum(found)


@case
def boxes_of_a_resized_part():
    same = boxed(lambda: vision.RandomResizedCropWithBBox(48, (1, 1), (4 / 3, 4 / 3)), BOXES)
    alone = vision.RandomResizedCropWithBBox(4, (0.25, 0.25), (1, 1))
    parts = [alone(np.zeros((8, 8, 3), np.uint8), np.array([[0, 0, 8, 8]], np.float32))]
    return same[3], parts[0][0].shape, parts[0][1]


@case
def on_a_device():
    resize = vision.Resize(8)
    image = vision.Decode().device("CPU") is not None, resize.device() is resize
    return image, vision.Resize(8).device("CPU")(colors()).shape


@case.table({"number": (1,), "gpu": ("GPU",)})
def on_a_wrong_device(device):
    return vision.Resize(8).device(device)


@case
def boxes_of_a_resized_image():
    return boxed(lambda: vision.RandomResizeWithBBox(48))[3]


@case
def no_boxes():
    return vision.RandomHorizontalFlipWithBBox(1.0)(colors())


APART = np.array([[0, 0, 3, 2], [4, 3, 4, 3], [4, 0, 4, 3]], np.float32)


def augmented(make, boxes=APART):
    image = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
    return make()(image, boxes)


@case.table(
    {
        "upside_down": (lambda flip: vision.BoundingBoxAugment(flip, 1.0),),
        "left_right": (
            lambda flip: vision.BoundingBoxAugment(vision.RandomHorizontalFlip(1.0), 1),
            np.array([[1.6, 1.4, 3.7, 3.2, 7.0]], np.float32),
        ),
        "over_another": (
            lambda flip: vision.BoundingBoxAugment(vision.RandomRotation((90, 90)), 1.0),
            np.array([[2, 2, 3, 3]], np.float32),
        ),
        "smaller": (lambda flip: vision.BoundingBoxAugment(vision.CenterCrop((2, 2)), 1.0),),
        "none": (lambda flip: vision.BoundingBoxAugment(flip, 0),),
        "outside": (lambda flip: vision.BoundingBoxAugment(flip, 1), APART + 1),
        "int32": (lambda flip: vision.BoundingBoxAugment(flip, 1), APART.astype(np.int32)),
        "ratio": (lambda flip: vision.BoundingBoxAugment(flip, 2.0),),
        "ratio_text": (lambda flip: vision.BoundingBoxAugment(flip, "a"),),
        "function": (lambda flip: vision.BoundingBoxAugment(lambda x: x),),
        "in_python": (lambda flip: vision.BoundingBoxAugment(vision.ToPIL()),),
    }
)
def augmented_in_boxes(make, boxes=APART):
    return augmented(lambda: make(vision.RandomVerticalFlip(1.0)), boxes)


@case
def how_many_boxes_are_augmented():
    counts = []
    flip = vision.RandomVerticalFlip(1.0)
    before, _ = augmented(lambda: vision.BoundingBoxAugment(flip, 0))
    some = vision.BoundingBoxAugment(flip, 0.5)
    for _ in range(200):
        after, boxes = augmented(lambda: some)
        parts = [np.s_[y : y + h, x : x + w] for x, y, w, h in boxes.astype(int)]
        counts.append(sum(not np.array_equal(before[p], after[p]) for p in parts))
    return sorted(set(counts)), bool(abs(np.mean(counts) - 1.5) < 0.25), counts.count(3) < 60


@case.table({"half_above": (86,), "half_below": (87,)})
def contrast_around_a_half(gray):
    rows = np.array([[[gray] * 3, [gray + 1] * 3]], np.uint8)
    return [vision.AdjustContrast(factor)(rows) for factor in (0.5, 1.3, 3.0)]


# Narrower and higher, where Pillow goes the other way round first.
CUBIC = ((12, 12, 7, 30), (33, 31, 17, 40), (9, 20, 13, 5), (5, 5, 9, 5), (64, 48, 80, 23))


@case
def resized_by_cubes():
    made = np.random.RandomState(3).randint(0, 256, (64, 48, 3)).astype(np.uint8)
    return [seen(vision.Resize(to, inter("PILCUBIC"))(made[:h, :w])) for h, w, *to in CUBIC]


@case
def normalized_by_channels():
    """Means and deviations that differ, with the channels first: one image, a batch of them."""
    image = np.arange(24, dtype=np.float32).reshape(3, 2, 4)
    change = vision.Normalize([4.0, 5.0, 6.0], [1.0, 2.0, 4.0], is_hwc=False)
    return change(image), change(np.stack([image, image + 1]).astype(np.uint8))


@case
def gamma_by_mode():
    modes = ("L", "P", "HSV", "YCbCr", "LA", "RGBA", "CMYK")
    return [seen(vision.AdjustGamma(2.0)(picture().convert(mode))) for mode in modes]


@case
def gray_by_mode():
    return [
        vision.RandomGrayscale(1.0)(picture().convert(mode)).mode for mode in ("L", "F", "RGBA")
    ]


@case
def rounded_once():
    """Numbers whose last bit depends on where they are rounded."""
    image = colors()[:4, :6] / 255
    return (
        vision.Rescale(1 / 0.3081, -0.1307 / 0.3081)(colors()[:4, :6]),
        vision.Rescale(1 / 255.0, 0.5)(image),
        vision.GaussianBlur((3, 5), 1.3)(image),
        vision.AdjustGamma(2.2, 1.5)(image),
        vision.ToTensor("float64")(picture())[:, :3, :5],
    )


@case
def affine_at_the_border():
    image = np.random.RandomState(1).randint(0, 256, (64, 64, 3)).astype(np.uint8)
    made = []
    for seed in range(8):
        ds.config.set_seed(seed)
        change = vision.RandomAffine(
            (-90, 90), (0.1, 0.2), (0.6, 1.4), (0, 20), vision.Inter.BILINEAR, 7
        )
        made.append(seen(change(image)))
    ds.config.set_seed(5489)
    return made


@case.table(
    {
        "single": ((4, 0.5), 1),
        "alpha": ((4, 2), 1),
        "before": ((4, 0.5, False), 3),
        "larger": ((5, 0.5), 1),
        "no_alpha": ((4, 0.0), 1),
        "alpha_kind": ((4, "a"), 1),
        "size": ((0, 0.5), 1),
        "size_kind": (("4", 0.5), 1),
        "single_kind": ((4, 0.5, 1), 1),
    }
)
def mix_up(options, count):
    np.random.seed(5)
    mixed = vision.MixUp(*options)
    images, labels = np.arange(48, dtype=np.float32).reshape(4, 2, 2, 3), np.eye(4)
    return [mixed(images * 10.0**i, labels * (i + 1)) for i in range(count)]


@case
def mix_up_of_a_list():
    return vision.MixUp(2, 0.5)([np.ones((2, 2, 3))] * 2, np.eye(2))
