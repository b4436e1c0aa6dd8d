"""``mindspore.dataset.audio.utils``: what transforms of sounds can be told, and their matrices."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import a_number, an_int, one_of


def _kind(name: str, members: str) -> Any:
    """Return an enumeration, whose values are the names of its members in lower case."""
    words = members.split()
    made: Any = Enum(name, {word: word.lower() for word in words}, type=str, module=__name__)
    made.__doc__ = f"One of {', '.join(words)}."
    return made


BorderType: Any = _kind("BorderType", "CONSTANT EDGE REFLECT SYMMETRIC")
FadeShape: Any = _kind("FadeShape", "QUARTER_SINE HALF_SINE LINEAR LOGARITHMIC EXPONENTIAL")
GainType: Any = _kind("GainType", "AMPLITUDE POWER DB")
Interpolation: Any = _kind("Interpolation", "LINEAR QUADRATIC")
MelType: Any = _kind("MelType", "HTK SLANEY")
Modulation: Any = _kind("Modulation", "SINUSOIDAL TRIANGULAR")
NormMode: Any = _kind("NormMode", "ORTHO NONE")
NormType: Any = _kind("NormType", "SLANEY NONE")
ResampleMethod: Any = _kind("ResampleMethod", "SINC_INTERPOLATION KAISER_WINDOW")
ScaleType: Any = _kind("ScaleType", "POWER MAGNITUDE")
WindowType: Any = _kind("WindowType", "BARTLETT BLACKMAN HAMMING HANN KAISER")


class DensityFunction(str, Enum):  # noqa: UP042
    """One of TPDF, RPDF, GPDF."""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


def create_dct(n_mfcc: int, n_mels: int, norm: Any = NormMode.NONE) -> np.ndarray:
    """Return the matrix (n_mels, n_mfcc) of a discrete cosine transform.

    Args:
        n_mfcc: How many coefficients.
        n_mels: Of how many values.
        norm: NormMode.

    Raises:
        TypeError, ValueError: For other arguments.
    """
    _ = an_int("n_mfcc", n_mfcc, 1), an_int("n_mels", n_mels, 1)
    angles = np.pi / n_mels * (np.arange(n_mels)[:, None] + 0.5) * np.arange(n_mfcc)
    if one_of("norm", norm, NormMode) is NormMode.NONE:
        return (2 * np.cos(angles)).astype(np.float32)
    scale = np.where(np.arange(n_mfcc) == 0, np.sqrt(0.5), 1) * np.sqrt(2 / n_mels)
    return (scale * np.cos(angles)).astype(np.float32)


def _triangles(n_freqs: int, sample_rate: int, points: np.ndarray) -> np.ndarray:
    """Return filters (n_freqs, n) that rise and fall between each three of the points."""
    off = points - np.linspace(0, sample_rate / 2, n_freqs)[:, None]
    width = np.diff(points)
    return np.maximum(0, np.minimum(-off[:, :-2] / width[:-1], off[:, 2:] / width[1:]))


def _check_bank(
    n_freqs: int, f_min: float, f_max: float, count: tuple[str, int], sample_rate: int
) -> None:
    for name, size in (("n_freqs", n_freqs), count, ("sample_rate", sample_rate)):
        an_int(name, size, 1)
    for name, frequency in (("f_min", f_min), ("f_max", f_max)):
        a_number(name, frequency, 0, 2**24)
    if f_min > f_max or not f_max:
        raise ArgumentValueError(
            f"Input f_min should be no more than f_max, which is above 0, but got f_min: {f_min} "
            f"and f_max: {f_max}."
        )


def linear_fbanks(
    n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int
) -> np.ndarray:
    """Return triangular filters (n_freqs, n_filter), alike in width.

    Args:
        n_freqs: How many frequencies a spectrum has.
        f_min: The lowest frequency of the filters.
        f_max: The highest.
        n_filter: How many filters.
        sample_rate: Samples in a second.

    Raises:
        TypeError, ValueError: For other arguments.
    """
    _check_bank(n_freqs, f_min, f_max, ("n_filter", n_filter), sample_rate)
    return _linear(n_freqs, f_min, f_max, n_filter, sample_rate)


def _linear(
    n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int
) -> np.ndarray:
    points = np.linspace(f_min, f_max, n_filter + 2)
    return _triangles(n_freqs, sample_rate, points).astype(np.float32)


_STEP = np.log(6.4) / 27


def _mel(hertz: Any, slaney: bool) -> Any:
    if not slaney:
        return 2595 * np.log10(1 + hertz / 700)
    return 3 * hertz / 200 if hertz < 1000 else 15 + np.log(hertz / 1000) / _STEP


def _hertz(mel: np.ndarray, slaney: bool) -> np.ndarray:
    if not slaney:
        return 700 * (10 ** (mel / 2595) - 1)
    return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp(_STEP * (mel - 15)))


def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: Any = NormType.NONE,
    mel_type: Any = MelType.HTK,
) -> np.ndarray:
    """Return triangular filters (n_freqs, n_mels), alike in width on the mel scale.

    Args:
        n_freqs: How many frequencies a spectrum has.
        f_min: The lowest frequency of the filters.
        f_max: The highest.
        n_mels: How many filters.
        sample_rate: Samples in a second.
        norm: NormType, whether filters are alike in area.
        mel_type: MelType.

    Raises:
        TypeError, ValueError: For other arguments.
    """
    _check_bank(n_freqs, f_min, f_max, ("n_mels", n_mels), sample_rate)
    one_of("norm", norm, NormType)
    one_of("mel_type", mel_type, MelType)
    return _mels(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type)


def _mels(
    n_freqs: int, f_min: float, f_max: float, n_mels: int, sample_rate: int, norm: Any, kind: Any
) -> np.ndarray:
    slaney = kind is MelType.SLANEY
    ends = _mel(f_min, slaney), _mel(f_max, slaney)
    points = _hertz(np.linspace(*ends, n_mels + 2), slaney)
    found = _triangles(n_freqs, sample_rate, points)
    if norm is NormType.SLANEY:
        found = found * 2 / (points[2:] - points[:-2])
    return found.astype(np.float32)


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
