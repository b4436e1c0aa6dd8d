"""Transforms that draw what is done: policies, erasing, and mixtures of the images of a batch."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import a_number, a_probability, an_int, one_of
from msgrad.dataset.vision._arrays import mixed
from msgrad.dataset.vision._operation import (
    ImageOperation,
    a_fill,
    a_share,
    checked_image,
    only_array,
    run,
)
from msgrad.dataset.vision.utils import (
    AutoAugmentPolicy,
    ImageBatchFormat,
    Inter,
    get_image_size,
    is_pil,
)

# How strong each operation is, from the first bin of a policy to the last one, and whether its sign
# is drawn; a translation below 1 is a share of the size. That of RandAugment; AutoAugment differs
# in one, TrivialAugmentWide goes further.
_STRENGTH: dict[str, tuple[float, float, bool]] = {
    "Identity": (0.0, 0.0, False),
    "ShearX": (0.0, 0.3, True),
    "ShearY": (0.0, 0.3, True),
    "TranslateX": (0.0, 150 / 331, True),
    "TranslateY": (0.0, 150 / 331, True),
    "Rotate": (0.0, 30.0, True),
    "Brightness": (0.0, 0.9, True),
    "Color": (0.0, 0.9, True),
    "Contrast": (0.0, 0.9, True),
    "Sharpness": (0.0, 0.9, True),
    "Posterize": (8.0, 4.0, False),
    "Solarize": (255.0, 0.0, False),
    "AutoContrast": (0.0, 0.0, False),
    "Equalize": (0.0, 0.0, False),
    "Invert": (0.0, 0.0, False),
}
_LEARNED = {**_STRENGTH, "Solarize": (256.0, 0.0, False)}
_WIDE = {
    **_STRENGTH,
    "TranslateX": (0.0, 32.0, True),
    "TranslateY": (0.0, 32.0, True),
    "Rotate": (0.0, 135.0, True),
    **dict.fromkeys(("ShearX", "ShearY"), (0.0, 0.99, True)),
    **dict.fromkeys(("Brightness", "Color", "Contrast", "Sharpness"), (0.0, 0.99, True)),
    "Posterize": (8.0, 2.0, False),
}
# In the order of which RandAugment and TrivialAugmentWide draw one.
_NAMES = sorted(_STRENGTH.keys() - {"Invert"})
# Those of which the strength is nothing.
_PLAIN = ("AutoContrast", "Equalize", "Identity")
_FACTORS = {
    "Brightness": "brightness",
    "Color": "saturation",
    "Contrast": "contrast",
    "Sharpness": "enhanced_sharpness",
}
_OTHERS: dict[str, Callable[[float], tuple[Any, ...]]] = {
    "Posterize": lambda amount: (int(amount),),
    "Solarize": lambda amount: (amount, 255),
    "AutoContrast": lambda amount: (0.0, []),
    "Equalize": lambda amount: (),
    "Invert": lambda amount: (),
}


def _augmented(image: Any, name: str, amount: float, mode: Inter, fill: Any) -> Any:
    """Return the image after one operation of a policy."""
    if name in _FACTORS:
        return run(_FACTORS[name], image, float(np.float32(1) + np.float32(amount)))
    if name == "Rotate":
        return run("rotate", image, amount, mode, False, None, fill)
    if name in _OTHERS:
        return run(name.lower(), image, *_OTHERS[name](amount))
    if name == "Identity":
        return image
    across = amount if name[-1] == "X" else 0.0, amount if name[-1] == "Y" else 0.0
    if name.startswith("Translate"):
        # As in MindSpore, by so many widths or heights: unless that is 0, the image is gone.
        height, width = get_image_size(image)
        shift = int(across[0]) * width, int(across[1]) * height
        return run("affine", image, 0.0, shift, 1.0, (0.0, 0.0), mode, fill)
    shear = math.degrees(across[0]), math.degrees(across[1])
    return run("affine", image, 0.0, (0.0, 0.0), 1.0, shear, mode, fill)


class _Policy(ImageOperation):
    """Base of those that draw operations by name."""

    _table = _STRENGTH

    def __call__(self, image: Any) -> Any:
        image = checked_image(image)
        return self._augment(np.array(image) if is_pil(image) else image)

    def _augment(self, image: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define _augment.")

    def _outside(self, interpolation: Any, fill_value: Any) -> None:
        self._mode = one_of("interpolation", interpolation, Inter)
        self._fill = a_fill(fill_value)

    def _apply(self, image: Any, name: str, bins: tuple[int, int], negative: bool) -> Any:
        """Return the image after an operation, as strong as one of several bins is, from 0."""
        first, last, signed = (np.float32(value) for value in self._table[name])
        if name.startswith("Translate") and last < 1:
            last *= np.float32(get_image_size(image)[name[-1] == "X"])
        at, most = np.float32(bins[0]), np.float32(bins[1] - 1)
        amount = first + at * ((last - first) / most)
        amount = np.rint(amount) if name == "Posterize" else amount
        sign = -1 if signed and negative else 1
        return _augmented(image, name, sign * float(amount), self._mode, self._fill)


def _one_of(chance: Draws, count: int) -> int:
    """Return one of 0 to ``count - 1``; 0 is twice as likely as each of the others, as there."""
    return chance.below(count + 1) % count


class RandAugment(_Policy):
    """Apply operations drawn from 14, all of one strength.

    Args:
        num_ops: int, how many.
        magnitude: int, the strength, below ``num_magnitude_bins``.
        num_magnitude_bins: int.
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        self._count = an_int("num_ops", num_ops, 0)
        bins = an_int("num_magnitude_bins", num_magnitude_bins, 2)
        self._bins = an_int("magnitude", magnitude, 0, bins - 1), bins
        self._outside(interpolation, fill_value)

    def _augment(self, image: Any) -> Any:
        chance = self._chance()
        for _ in range(self._count):
            name, negative = _NAMES[_one_of(chance, len(_NAMES))], _one_of(chance, 2) == 1
            image = self._apply(image, name, self._bins, negative)
        return image


class TrivialAugmentWide(_Policy):
    """Apply one operation drawn from 14, of a strength drawn too.

    Args:
        num_magnitude_bins: int, how many strengths there are.
    """

    _table = _WIDE

    def __init__(
        self,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        self._bins = an_int("num_magnitude_bins", num_magnitude_bins, 2)
        self._outside(interpolation, fill_value)

    def _augment(self, image: Any) -> Any:
        chance = self._chance()
        name = _NAMES[_one_of(chance, len(_NAMES))]
        strength = 0 if name in _PLAIN else _one_of(chance, self._bins)
        return self._apply(image, name, (strength, self._bins), _one_of(chance, 2) == 1)


# The learned policies (Cubuk et al. 2019, https://arxiv.org/abs/1805.09501): 25 pairs each, of
# operations, their probability in tenths and their strength of 9.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: """
        Posterize 4 8 Rotate 6 9, Solarize 6 5 AutoContrast 6 0, Equalize 8 0 Equalize 6 0,
        Posterize 6 7 Posterize 6 6, Equalize 4 0 Solarize 2 4, Equalize 4 0 Rotate 8 8,
        Solarize 6 3 Equalize 6 0, Posterize 8 5 Equalize 10 0, Rotate 2 3 Solarize 6 8,
        Equalize 6 0 Posterize 4 6, Rotate 8 8 Color 4 0, Rotate 4 9 Equalize 6 0,
        Equalize 0 0 Equalize 8 0, Invert 6 0 Equalize 10 0, Color 6 4 Contrast 10 8,
        Rotate 8 8 Color 10 2, Color 8 8 Solarize 8 7, Sharpness 4 7 Invert 6 0,
        ShearX 6 5 Equalize 10 0, Color 4 0 Equalize 6 0, Equalize 4 0 Solarize 2 4,
        Solarize 6 5 AutoContrast 6 0, Invert 6 0 Equalize 10 0, Color 6 4 Contrast 10 8,
        Equalize 8 0 Equalize 6 0""",
    AutoAugmentPolicy.CIFAR10: """
        Invert 1 0 Contrast 2 6, Rotate 7 2 TranslateX 3 9, Sharpness 8 1 Sharpness 9 3,
        ShearY 5 8 TranslateY 7 9, AutoContrast 5 0 Equalize 9 0, ShearY 2 7 Posterize 3 7,
        Color 4 3 Brightness 6 7, Sharpness 3 9 Brightness 7 9, Equalize 6 0 Equalize 5 0,
        Contrast 6 7 Sharpness 6 5, Color 7 7 TranslateX 5 8, Equalize 3 0 AutoContrast 4 0,
        TranslateY 4 3 Sharpness 2 6, Brightness 9 6 Color 2 8, Solarize 5 2 Invert 0 0,
        Equalize 2 0 AutoContrast 6 0, Equalize 2 0 Equalize 6 0, Color 9 9 Equalize 6 0,
        AutoContrast 8 0 Solarize 2 8, Brightness 1 3 Color 7 0, Solarize 4 5 AutoContrast 9 0,
        TranslateY 9 9 TranslateY 7 9, AutoContrast 9 0 Solarize 8 3, Equalize 8 0 Invert 1 0,
        TranslateY 7 9 AutoContrast 9 0""",
    AutoAugmentPolicy.SVHN: """
        ShearX 9 4 Invert 2 0, ShearY 9 8 Invert 7 0, Equalize 6 0 Solarize 6 6,
        Invert 9 0 Equalize 6 0, Equalize 6 0 Rotate 9 3, ShearX 9 4 AutoContrast 8 0,
        ShearY 9 8 Invert 4 0, ShearY 9 5 Solarize 2 6, Invert 9 0 AutoContrast 8 0,
        Equalize 6 0 Rotate 9 3, ShearX 9 4 Solarize 3 3, ShearY 8 8 Invert 7 0,
        Equalize 9 0 TranslateY 6 6, Invert 9 0 Equalize 6 0, Contrast 3 3 Rotate 8 4,
        Invert 8 0 TranslateY 0 2, ShearY 7 6 Solarize 4 8, Invert 6 0 Rotate 8 4,
        ShearY 3 7 TranslateX 9 3, ShearX 1 6 Invert 6 0, Solarize 7 2 TranslateY 6 7,
        ShearY 8 4 Invert 8 0, ShearX 7 9 TranslateY 8 3, ShearY 8 5 AutoContrast 7 0,
        ShearX 7 2 Invert 1 0""",
}


class AutoAugment(_Policy):
    """Apply one of 25 pairs of operations that were learned for a data set.

    Args:
        policy: AutoAugmentPolicy.
    """

    _table = _LEARNED

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        pairs = _POLICIES[one_of("policy", policy, AutoAugmentPolicy)].split(",")
        self._pairs = [pair.split() for pair in pairs]
        self._outside(interpolation, fill_value)

    def _augment(self, image: Any) -> Any:
        chance = self._chance()
        words = self._pairs[chance.below(len(self._pairs))]
        drawn, signs = [chance.single() for _ in range(2)], [chance.below(2) for _ in range(2)]
        for i, (name, tenths, strength) in enumerate((words[:3], words[3:])):
            if drawn[i] <= np.float32(int(tenths) / 10):
                image = self._apply(image, name, (int(strength), 10), signs[i] == 0)
        return image


class UniformAugment(ImageOperation):
    """Apply ``num_ops`` transforms drawn from a list, each with probability one half."""

    _within = ("_transforms",)

    def __init__(self, transforms: list[Any], num_ops: int = 2) -> None:
        one_of("transforms", transforms, list)
        if an_int("num_ops", num_ops, 1) > len(transforms):
            raise ArgumentValueError(
                f"num_ops is greater than transforms list size: {num_ops} of {len(transforms)}."
            )
        self._transforms, self._count = transforms, num_ops

    def __call__(self, image: Any) -> Any:
        if is_pil(image):
            for i in np.random.choice(len(self._transforms), self._count, replace=False):
                drawn = random.random()
                if random.random() < drawn:
                    image = self._transforms[i](image.copy())
            return image
        chance = self._chance()
        for transform in chance.sample(self._transforms, self._count):
            if not chance.below(2):
                image = transform(image)
        return image


class RandomSelectSubpolicy(ImageOperation):
    """Apply the transforms of one list, drawn from several, each with its probability.

    Args:
        policy: list of lists of (transform, probability).
    """

    _within = ("_policy",)

    def __init__(self, policy: list[list[tuple[Any, float]]]) -> None:
        if not one_of("policy", policy, list) or not all(policy):
            raise ArgumentValueError("policy can not be empty.")
        for one in policy:
            for _, prob in one:
                a_probability(prob)
        self._policy = policy

    def __call__(self, image: Any) -> Any:
        chance = self._chance()
        image = np.array(image) if is_pil(image) else image
        for transform, prob in self._policy[chance.below(len(self._policy))]:
            if chance.unit() <= prob:
                image = transform(image)
        return image


class CutOut(ImageOperation):
    """Set random squares of an array to zero.

    Args:
        length: int, their side.
        num_patches: int, how many.
        is_hwc: Whether the channels are the last axis, or the first.
    """

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True) -> None:
        self._length, self._count = (
            an_int("length", length, 1),
            an_int("num_patches", num_patches, 1),
        )
        self._first = not one_of("is_hwc", is_hwc, bool)

    def __call__(self, image: Any) -> np.ndarray:
        array = np.array(image)
        if array.ndim != 3:
            raise EngineError(f"CutOut: the image must be 3-d, but is {array.shape}.")
        plane = np.moveaxis(array, 0, -1) if self._first else array
        height, width = plane.shape[:2]
        if self._length > min(height, width):
            raise EngineError(f"CutOut: a square of {self._length} is larger than {array.shape}.")
        chance = self._chance()
        for _ in range(self._count):
            # A square may hang over the edge, or lie outside.
            y, x = (chance.below(n + self._length + 1) - self._length for n in (height, width))
            plane[max(y, 0) : max(y + self._length, 0), max(x, 0) : max(x + self._length, 0)] = 0
        return array


class RandomErasing(ImageOperation, python=True):
    """Fill a random part of an array (C, H, W), with a probability.

    Args:
        scale: (from, to), the part's share of the area.
        ratio: (from, to), width by height.
        value: Number, one for each channel, or "random" for noise.
        inplace: Whether the array itself is changed.
        max_attempts: int, how often is tried to find a part that fits; then nothing is done.
    """

    def __init__(
        self,
        prob: float = 0.5,
        scale: Any = (0.02, 0.33),
        ratio: Any = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ) -> None:
        self._prob = a_probability(prob)
        self._scale, self._ratio = a_share("scale", scale), a_share("ratio", ratio)
        several = isinstance(value, (list, tuple))
        if isinstance(value, str) and value != "random":
            raise ArgumentValueError("The value for erasing should be 'random', or numbers.")
        if several and len(value) != 3:
            raise ArgumentValueError(f"The value for erasing must be of 3 channels, not {value}.")
        for one in value if several else () if value == "random" else (value,):
            an_int("value", one, 0, 255)
        self._value, self._inplace = value, one_of("inplace", inplace, bool)
        self._attempts = an_int("max_attempts", max_attempts, 1)

    def __call__(self, image: Any) -> np.ndarray:
        if random.random() >= self._prob:
            return image
        only_array(image)
        if image.ndim != 3:
            raise ArgumentTypeError(f"img shape should be (C, H, W). Got {image.shape}.")
        made = image if self._inplace else image.copy()
        height, width = image.shape[1:]
        for _ in range(self._attempts):
            area = random.uniform(*self._scale) * (height * width)
            shape = random.uniform(*self._ratio)
            broad = round(math.sqrt(area * shape))
            high = round(broad / shape)
            if high < height and broad < width:
                top, left = random.randint(0, height - high), random.randint(0, width - broad)
                part = made[:, top : top + high, left : left + broad]
                if self._value == "random":
                    part[:] = np.random.normal(0, 1, part.shape)
                else:
                    part[:] = np.reshape(np.asarray(self._value), (-1, 1, 1))
                break
        return made


class MixUp(ImageOperation, python=True):
    """Mix each image of a batch with another, and their one-hot labels, by a share of its own.

    The shares are drawn from ``numpy.random``. Images and labels are float64 then.

    Args:
        batch_size: int, how many images there are.
        alpha: float above 0, of the Beta distribution of the shares.
        is_single: Whether the other image is the next one of the batch, or the one in the same
            place of the batch before, as it was mixed.
    """

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True) -> None:
        self._size = an_int("batch_size", batch_size, 1, 2**24)
        self._alpha, self._single = _above_0("alpha", alpha), one_of("is_single", is_single, bool)
        self._before: tuple[Any, Any] | None = None

    def __call__(self, image: Any, label: Any) -> tuple[np.ndarray, np.ndarray]:
        for value in (image, label):
            one_of("image and label", value, np.ndarray)
        shares = np.random.beta(self._alpha, self._alpha, self._size)
        if self._single:
            around = (np.concatenate((v[1 : self._size], v[:1])) for v in (image, label))
        else:
            around = self._before or (image, label)
        of_images, of_labels = shares.reshape(-1, 1, 1, 1), shares.reshape(-1, 1)
        others, names = around
        made = of_images * image + (1 - of_images) * others
        self._before = made, of_labels * label + (1 - of_labels) * names
        return self._before


class MixUpBatch(ImageOperation):
    """Mix each image of a batch with another, and their one-hot labels.

    Args:
        alpha: float above 0, of the Beta distribution of the share.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self._alpha = _above_0("alpha", alpha)

    def __call__(self, images: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
        images, labels = _a_batch(images, labels)
        chance = self._chance()
        share = next(_shares(chance, self._alpha))
        others = np.asarray(chance.shuffled(list(range(len(images)))))
        return mixed(images, images[others], float(share)), _mixed_labels(labels, others, share)


class CutMixBatch(ImageOperation):
    """Put a part of another image into each one of a batch, and mix their one-hot labels.

    Args:
        image_batch_format: ImageBatchFormat.
        alpha: float above 0, of the Beta distribution of the share that is kept.
        prob: float, 0 to 1, for each image.
    """

    def __init__(
        self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0
    ) -> None:
        kind = one_of("image_batch_format", image_batch_format, ImageBatchFormat)
        self._first = kind is ImageBatchFormat.NCHW
        self._alpha, self._prob = _above_0("alpha", alpha), a_probability(prob)

    def __call__(self, images: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
        images, labels = _a_batch(images, labels)
        chance = self._chance()
        others = np.asarray(chance.shuffled(list(range(len(images)))))
        made, shares = images.copy(), np.ones(len(images), np.float32)
        planes = np.moveaxis(made, 1, -1) if self._first else made
        source = np.moveaxis(images, 1, -1) if self._first else images
        height, width = planes.shape[1:3]
        for i, share in zip(range(len(images)), _shares(chance, self._alpha), strict=False):
            if chance.unit() >= self._prob:
                continue
            part = self._part(chance, share, height, width)
            planes[i][part] = source[others[i]][part]
            shares[i] = 1 - np.float32(planes[i][part][..., 0].size) / np.float32(height * width)
        shares = shares.reshape(-1, *[1] * (labels.ndim - 1))
        return made, _mixed_labels(labels, others, shares)

    @staticmethod
    def _part(chance: Draws, share: np.float32, height: int, width: int) -> tuple[slice, slice]:
        """Return rows and columns of the part, of which a share of each side is kept."""
        x, y = chance.below(width + 1), chance.below(height + 1)
        part = []
        for middle, whole in ((y, height), (x, width)):
            half = int(whole * np.sqrt(np.float32(1) - share)) // 2
            begin, end = (min(max(middle + far, 0), whole - 1) for far in (-half, half))
            part.append(slice(begin, begin + min(max(end - begin, 1), whole - 1)))
        return part[0], part[1]


def _shares(chance: Draws, alpha: float) -> Iterator[np.float32]:
    """Yield numbers of the Beta distribution."""
    spares: tuple[list[np.float32], list[np.float32]] = [], []
    while True:
        one, two = (chance.gamma(alpha, spare) for spare in spares)
        yield one / (one + two)


def _above_0(name: str, value: Any) -> float:
    if a_number(name, value) <= 0:
        raise ArgumentValueError(f"Input {name} is not above 0, but is {value}.")
    return value


def _a_batch(images: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    if images.ndim != 4 or labels.ndim not in (2, 3) or len(images) != len(labels):
        raise EngineError(
            "A mixture needs a batch of images, 4-d, and their one-hot labels, 2-d or 3-d, but got "
            f"{images.shape} and {labels.shape}."
        )
    return images, labels


def _mixed_labels(labels: np.ndarray, others: np.ndarray, share: Any) -> np.ndarray:
    return (labels * share + labels[others] * (1 - share)).astype(np.float32)


__all__ = [n for n in public_names(globals()) if n[0].isupper()]
