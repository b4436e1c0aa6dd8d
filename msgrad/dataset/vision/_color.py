"""Transforms that change colours: brightness to hue, contrast, blur and the like."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import a_number, a_probability, an_int, check_kind, one_of
from msgrad.dataset.vision import _arrays
from msgrad.dataset.vision._operation import (
    ImageOperation,
    Sometimes,
    a_range,
    around,
    check_length,
    checked_image,
    only_array,
    only_pil,
    run,
)
from msgrad.dataset.vision.utils import ConvertMode, is_pil, pillow

# As near to 1 or 0 a factor of RandomColor counts as that.
_NOTHING = 0.00195


class AdjustBrightness(ImageOperation, function="brightness"):
    """Multiply the brightness by a factor of 0 or more."""

    def __init__(self, brightness_factor: float) -> None:
        self._args = (a_number("brightness_factor", brightness_factor, 0),)


class AdjustContrast(ImageOperation, function="contrast"):
    """Multiply the contrast by a factor of 0 or more."""

    def __init__(self, contrast_factor: float) -> None:
        self._args = (a_number("contrast_factor", contrast_factor, 0),)


class AdjustSaturation(ImageOperation, function="saturation"):
    """Multiply the saturation by a factor of 0 or more."""

    def __init__(self, saturation_factor: float) -> None:
        self._args = (a_number("saturation_factor", saturation_factor, 0),)


class AdjustHue(ImageOperation, function="hue"):
    """Turn the hue, by -0.5 to 0.5 of the circle.

    Differs from MindSpore: float images, of which it makes nonsense, raise RuntimeError. With
    another OpenCV than 4.11, which MindSpore has, values may differ by 1.
    """

    def __init__(self, hue_factor: float) -> None:
        self._args = (a_number("hue_factor", hue_factor, -0.5, 0.5),)


class AdjustSharpness(ImageOperation, function="sharpness"):
    """Multiply the sharpness by a factor of 0 or more."""

    def __init__(self, sharpness_factor: float) -> None:
        self._args = (a_number("sharpness_factor", sharpness_factor, 0),)


class AdjustGamma(ImageOperation, function="gamma"):
    """Raise to the power ``gamma`` and multiply by ``gain``."""

    def __init__(self, gamma: float, gain: float = 1.0) -> None:
        self._args = (a_number("gamma", gamma, 0), a_number("gain", gain))


class RandomColorAdjust(ImageOperation):
    """Change brightness, contrast, saturation and hue by random amounts, in random order.

    Args:
        brightness, contrast, saturation: (from, to) of a factor, or one number: as far from 1.
        hue: (from, to) within -0.5 to 0.5, or one number: from ``-hue``.
    """

    def __init__(
        self,
        brightness: Any = (1, 1),
        contrast: Any = (1, 1),
        saturation: Any = (1, 1),
        hue: Any = (0, 0),
    ) -> None:
        factors = {"brightness": brightness, "contrast": contrast, "saturation": saturation}
        far = 2.0**24
        self._ranges = {n: a_range(n, v, 0, far, around=1.0) for n, v in factors.items()}
        self._ranges["hue"] = a_range("hue", hue, -0.5, 0.5, around=0.0)

    def __call__(self, image: Any) -> Any:
        if not is_pil(checked_image(image)):
            _arrays.colored(image, "RandomColorAdjust")
        names = list(self._ranges)
        if is_pil(image):
            # It goes through HSV in any case, as in MindSpore, and loses a little there.
            changes = [(name, random.uniform(*self._ranges[name])) for name in names]
            random.shuffle(changes)
            for name, factor in changes:
                image = run(name, image, factor)
            return image
        chance = self._chance()
        for name in chance.shuffled(names):
            low, high = self._ranges[name]
            if low != high or low != (name != "hue"):
                image = run(name, image, float(chance.single(low, high)))
        return image


class _RandomFactor(ImageOperation):
    """Base of those that draw one factor."""

    def __init__(self, degrees: Any = (0.1, 1.9)) -> None:
        self._range = a_range("degrees", one_of("degrees", degrees, list, tuple), 0, 2.0**24)

    def _draw(self, image: Any) -> tuple[float] | None:
        low, high = self._range
        if is_pil(image):
            return ((high - low) * random.random() + low,)
        return self._of_array(self._chance(), low, high)

    def _of_array(self, chance: Draws, low: float, high: float) -> tuple[float] | None:
        return (around(chance, low, high),)


class RandomColor(_RandomFactor, function="color"):
    """Multiply the saturation by a factor drawn from ``degrees``, (from, to)."""

    def _of_array(self, chance: Draws, low: float, high: float) -> tuple[float] | None:
        factor = float(chance.single(low, high))
        if abs(factor - 1) < _NOTHING:
            return None
        return (0.0 if factor < _NOTHING else factor,)


class RandomSharpness(_RandomFactor, function="enhanced_sharpness"):
    """Multiply the sharpness by a factor drawn from ``degrees``, (from, to)."""


class RandomAdjustSharpness(Sometimes, function="sharpness", arrays=True):
    """Multiply the sharpness by ``degree``, with a probability."""

    def __init__(self, degree: float, prob: float = 0.5) -> None:
        self._args, self._prob = (a_number("degree", degree, 0),), a_probability(prob)


class RandomLighting(ImageOperation):
    """Add AlexNet's noise: the principal colours of ImageNet, by normal factors of ``alpha``."""

    _vectors = np.array(
        [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
    )
    _values = np.array([55.46, 4.794, 1.148])

    def __init__(self, alpha: float = 0.05) -> None:
        self._alpha = a_number("alpha", alpha, 0)

    def __call__(self, image: Any) -> Any:
        if is_pil(image):
            array = _arrays.colored(np.asarray(image.convert("RGB")), "RandomLighting")
            made = array + self._noise(np.random.normal(0, self._alpha, 3))
            return pillow().fromarray(np.clip(made, 0, 255).astype(np.uint8))
        chance = self._chance()
        drawn = [chance.normal(chance.spare) * np.float32(self._alpha) for _ in range(3)]
        array = _arrays.colored(image, "RandomLighting")
        return _arrays.limited(array + self._noise(drawn).astype(np.float32), array)

    def _noise(self, drawn: Any) -> np.ndarray:
        return self._vectors @ (np.asarray(drawn) * self._values)


class Invert(ImageOperation, function="invert"):
    """Take each value from 255."""


class Equalize(ImageOperation, function="equalize"):
    """Spread the values of each channel evenly."""


class AutoContrast(ImageOperation, function="autocontrast"):
    """Stretch the values of each channel from 0 to 255.

    Args:
        cutoff: float, per cent of the lightest and of the darkest pixels that do not count.
        ignore: Values that do not count: int or several.
    """

    def __init__(self, cutoff: float = 0.0, ignore: Any = None) -> None:
        values = [] if ignore is None else [ignore] if isinstance(ignore, int) else ignore
        one_of("ignore", values, list, tuple)
        if not 0 <= a_number("cutoff", cutoff) < 50:
            raise ArgumentValueError(
                f"Input cutoff is not within the required interval of [0, 50), but got {cutoff}."
            )
        self._args = (cutoff, [an_int("ignore", value, 0, 255) for value in values])


class Posterize(ImageOperation, function="posterize", arrays=True):
    """Keep the highest ``bits`` of each value."""

    def __init__(self, bits: int) -> None:
        self._args = (an_int("bits", bits, 0, 8),)

    def _draw(self, image: Any) -> tuple[Any, ...] | None:
        return None if self._args == (8,) else self._args


class Solarize(ImageOperation, function="solarize"):
    """Take the values within ``threshold``, (from, to) or from one number on, from 255."""

    def __init__(self, threshold: Any) -> None:
        both = threshold if isinstance(threshold, tuple) else (threshold, 255)
        self._args = a_range("threshold", both, 0, 255)


class RandomInvert(Invert, Sometimes, arrays=True):
    """Take each value from 255, with a probability."""


class RandomEqualize(Equalize, Sometimes, arrays=True):
    """Spread the values of each channel evenly, with a probability."""


class RandomAutoContrast(AutoContrast, Sometimes, arrays=True):
    """Stretch the values as ``AutoContrast`` does, with a probability."""

    def __init__(self, cutoff: float = 0.0, ignore: Any = None, prob: float = 0.5) -> None:
        super().__init__(cutoff, ignore)
        self._prob = a_probability(prob)


class RandomPosterize(ImageOperation, function="posterize", arrays=True):
    """Keep a number of bits drawn from ``bits``, (from, to) or one number."""

    def __init__(self, bits: Any = (8, 8)) -> None:
        self._range = (bits, bits) if isinstance(bits, int) else bits
        if not isinstance(self._range, (list, tuple)) or len(self._range) != 2:
            raise ArgumentTypeError(f"bits must be int or (from, to), but got {bits}.")
        a_range("bits", tuple(an_int("bits", one, 1, 8) for one in self._range), 1, 8)

    def _draw(self, image: Any) -> tuple[int] | None:
        low, high = self._range
        bits = low if low == high else low + self._chance().below(high - low + 1)
        return None if bits == 8 else (bits,)


class RandomSolarize(ImageOperation, function="solarize"):
    """Take values within a part of ``threshold``, (from, to), drawn at random, from 255."""

    def __init__(self, threshold: Any = (0, 255)) -> None:
        self._range = a_range("threshold", one_of("threshold", threshold, tuple), 0, 255)

    def _draw(self, image: Any) -> tuple[int, ...]:
        (low, high), chance = self._range, self._chance()
        return tuple(sorted(low + chance.below(high - low + 1) for _ in range(2)))


class GaussianBlur(ImageOperation, function="blur"):
    """Blur by a Gaussian.

    Args:
        kernel_size: int, odd; or (along x, along y).
        sigma: float, or (along x, along y); ``0.15 * kernel_size + 0.35`` by default, and for 0.
    """

    def __init__(self, kernel_size: Any, sigma: Any = None) -> None:
        sizes = (kernel_size,) * 2 if isinstance(kernel_size, int) else kernel_size
        check_length("kernel_size", sizes, 2)
        for one in sizes:
            if an_int("kernel_size", one, 1) % 2 == 0:
                raise ArgumentValueError(f"kernel_size must be odd, but got {one}.")
        given = 0.15 * sizes[0] + 0.35 if sigma is None else sigma
        both = given if isinstance(given, (list, tuple)) else (given, given)
        check_length("sigma", both, 2)
        widths = (float(np.float32(a_number("sigma", one, 0))) for one in both)
        self._args = (tuple(sizes), tuple(widths))


class Grayscale(ImageOperation, function="grayscale", python=True):
    """Return a PIL image in gray, of 1 or 3 channels."""

    def __init__(self, num_output_channels: int = 1) -> None:
        check_kind("num_output_channels", num_output_channels, int)
        if num_output_channels not in (1, 3):
            raise ArgumentValueError(
                "Number of channels of the output grayscale image should be either 1 or 3. Got "
                f"{num_output_channels}."
            )
        self._args = (num_output_channels,)

    def __call__(self, *images: Any) -> Any:
        only_pil(images[0])
        return super().__call__(*images)


class RandomGrayscale(Sometimes, function="grayscale", python=True):
    """Return a PIL image in gray, of as many channels, with a probability."""

    def __init__(self, prob: float = 0.1) -> None:
        super().__init__(prob)

    def _draw(self, image: Any) -> tuple[Any, ...] | None:
        only_pil(image)
        return None if super()._draw(image) is None else (1 if image.mode == "L" else 3,)


class ConvertColor(ImageOperation):
    """Change the order and the number of channels of an array.

    Args:
        convert_mode: ConvertMode.
    """

    def __init__(self, convert_mode: ConvertMode) -> None:
        one_of("convert_mode", convert_mode, ConvertMode)
        self._from, self._to = convert_mode.name.removeprefix("COLOR_").split("2")

    def __call__(self, image: Any) -> np.ndarray:
        array = np.atleast_3d(np.asarray(checked_image(image)))
        gray = self._from == "GRAY"
        # As in MindSpore a fourth channel may be there or not.
        if array.ndim > 3 or array.shape[2] not in ((1,) if gray else (3, 4)):
            raise EngineError(
                f"ConvertColor: the image is {np.shape(image)}, but not {self._from}."
            )
        each = [array[..., 0]] * 3 if gray else np.moveaxis(array, -1, 0)
        planes = dict(zip("RGB" if gray else f"{self._from[:3]}A", each, strict=False))
        if self._to == "GRAY":
            return _arrays.gray_of(np.stack([planes[c] for c in "RGB"], -1))
        opaque = np.full(array.shape[:2], 255 if array.dtype == np.uint8 else 1, array.dtype)
        return np.stack([planes.get(c, opaque) for c in self._to], -1)


class RgbToHsv(ImageOperation, python=True):
    """Return colours as hue, saturation and value, 0 to 1, float64.

    Args:
        is_hwc: Whether the channels are the last axis, or the third from the end.
    """

    _way = "rgb_to_hsv"

    def __init__(self, is_hwc: bool = False) -> None:
        self._axis = -1 if one_of("is_hwc", is_hwc, bool) else -3

    def __call__(self, image: Any) -> np.ndarray:
        only_array(image, "image")
        if image.ndim not in (3, 4):
            raise ArgumentTypeError(
                "img shape should be (H, W, C)/(N, H, W, C)/(C ,H, W)/(N, C, H, W). Got "
                f"{image.shape}."
            )
        if image.shape[self._axis] != 3:
            raise ArgumentTypeError(f"img should be 3 channels RGB img. Got {image.shape}.")
        made = getattr(_arrays, self._way)(np.moveaxis(image, self._axis, -1).astype(np.float64))
        return np.moveaxis(made, -1, self._axis)


class HsvToRgb(RgbToHsv):
    """Return hue, saturation and value, 0 to 1, as colours, float64; see ``RgbToHsv``."""

    _way = "hsv_to_rgb"


__all__ = [n for n in public_names(globals()) if n[0].isupper()]
