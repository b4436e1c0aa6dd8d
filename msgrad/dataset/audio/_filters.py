"""Filters of sounds: coefficients by the formulas of the Audio EQ Cookbook and of SoX."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from msgrad._core.errors import ArgumentValueError
from msgrad.dataset.audio._operation import Made, operation


def _filtered(b: Any, a: Any, clamp: bool = True) -> Made:
    def apply(sound: np.ndarray) -> np.ndarray:
        found: Any = signal.lfilter(np.array(b, float), np.array(a, float), sound)
        return np.clip(found, -1, 1) if clamp else found

    return apply


def _angle(rate: float, freq: float, q: float) -> tuple[float, float]:
    """Return the cosine of a frequency, and half its sine over Q."""
    turn = 2 * np.pi * freq / rate
    return float(np.cos(turn)), float(np.sin(turn) / 2 / q)


def _shelf(cos: float, alpha: float, gain: float, side: int) -> Made:
    """Return a filter that raises what is above a frequency (side 1) or below it (-1)."""
    root = 10 ** (gain / 40)
    bend, off, on = 2 * np.sqrt(root) * alpha, (root - 1) * cos * side, (root + 1) * cos * side
    high, low = root + 1, root - 1
    b = (high + off + bend, -2 * side * (low + on), high + off - bend)
    a = (high - off + bend, 2 * side * (low - on), high - off - bend)
    return _filtered(root * np.array(b), a)


@operation
def AllpassBiquad(sample_rate: int, central_freq: float, Q: float = 0.707) -> Made:
    """Turn phases around a frequency.

    Args:
        sample_rate: int, samples in a second.
        central_freq: float, the frequency in Hz.
        Q: float, 0 to 1, how narrow.
    """
    cos, alpha = _angle(sample_rate, central_freq, Q)
    return _filtered((1 - alpha, -2 * cos, 1 + alpha), (1 + alpha, -2 * cos, 1 - alpha))


@operation
def BandBiquad(
    sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False
) -> Made:
    """Keep a band of frequencies, by SoX; see ``AllpassBiquad``.

    Args:
        noise: bool, whether the sound is noise rather than tones.
    """
    a2 = np.exp(-2 * np.pi * central_freq / Q / sample_rate)
    a1 = -4 * a2 / (1 + a2) * np.cos(2 * np.pi * central_freq / sample_rate)
    b0 = np.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
    if noise:
        b0 = np.sqrt(((1 + a2) ** 2 - a1 * a1) * (1 - a2) / (1 + a2))
    return _filtered((b0, 0, 0), (1, a1, a2))


@operation
def BandpassBiquad(
    sample_rate: int, central_freq: float, Q: float = 0.707, const_skirt_gain: bool = False
) -> Made:
    """Keep a band of frequencies; see ``AllpassBiquad``.

    Args:
        const_skirt_gain: bool, whether the peak is Q high instead of 1.
    """
    cos, alpha = _angle(sample_rate, central_freq, Q)
    peak = alpha * Q if const_skirt_gain else alpha
    return _filtered((peak, 0, -peak), (1 + alpha, -2 * cos, 1 - alpha))


@operation
def BandrejectBiquad(sample_rate: int, central_freq: float, Q: float = 0.707) -> Made:
    """Take a band of frequencies away; see ``AllpassBiquad``."""
    cos, alpha = _angle(sample_rate, central_freq, Q)
    return _filtered((1, -2 * cos, 1), (1 + alpha, -2 * cos, 1 - alpha))


@operation
def BassBiquad(
    sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707
) -> Made:
    """Raise what is below a frequency, by decibels; see ``AllpassBiquad``."""
    return _shelf(*_angle(sample_rate, central_freq, Q), gain, -1)


@operation
def TrebleBiquad(
    sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707
) -> Made:
    """Raise what is above a frequency, by decibels; see ``AllpassBiquad``."""
    return _shelf(*_angle(sample_rate, central_freq, Q), gain, 1)


@operation
def Biquad(b0: float, b1: float, b2: float, a0: float, a1: float, a2: float) -> Made:
    """Filter with the coefficients of the numerator, ``b``, and of the denominator, ``a``."""
    return _filtered((b0, b1, b2), (a0, a1, a2))


# Of a sample rate: frequency, slope and gain.
_DEEMPH = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}


@operation
def DeemphBiquad(sample_rate: int) -> Made:
    """Undo the emphasis of Compact Discs.

    Args:
        sample_rate: int, 44100 or 48000.
    """
    if sample_rate not in _DEEMPH:
        raise ArgumentValueError(
            f"Argument sample_rate should be 44100 or 48000, but got {sample_rate}."
        )
    freq, slope, gain = _DEEMPH[sample_rate]
    root, turn = 10 ** (gain / 40), 2 * np.pi * freq / sample_rate
    alpha = np.sin(turn) / 2 * np.sqrt((root + 1 / root) * (1 / slope - 1) + 2)
    return _shelf(np.cos(turn), alpha, gain, 1)


@operation
def EqualizerBiquad(sample_rate: int, center_freq: float, gain: float, Q: float = 0.707) -> Made:
    """Raise a band of frequencies, by decibels; see ``AllpassBiquad``."""
    cos, alpha = _angle(sample_rate, center_freq, Q)
    up, down = alpha * 10 ** (gain / 40), alpha / 10 ** (gain / 40)
    return _filtered((1 + up, -2 * cos, 1 - up), (1 + down, -2 * cos, 1 - down))


@operation
def HighpassBiquad(sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> Made:
    """Keep what is above a frequency; see ``AllpassBiquad``."""
    cos, alpha = _angle(sample_rate, cutoff_freq, Q)
    half = (1 + cos) / 2
    return _filtered((half, -2 * half, half), (1 + alpha, -2 * cos, 1 - alpha))


@operation
def LowpassBiquad(sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> Made:
    """Keep what is below a frequency; see ``AllpassBiquad``."""
    cos, alpha = _angle(sample_rate, cutoff_freq, Q)
    half = (1 - cos) / 2
    return _filtered((half, 2 * half, half), (1 + alpha, -2 * cos, 1 - alpha))


# Of a sample rate: zeros and poles, as SoX has them.
_RIAA = {
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


@operation
def RiaaBiquad(sample_rate: int) -> Made:
    """Undo the equalization of vinyl records.

    Args:
        sample_rate: int, 44100, 48000, 88200 or 96000.
    """
    if sample_rate not in _RIAA:
        raise ArgumentValueError(
            f"sample_rate should be one of {list(_RIAA)}, but got {sample_rate}."
        )
    b, a = map(np.poly, _RIAA[sample_rate])
    at = np.exp(-2j * np.pi * 1000 / sample_rate * np.arange(3))
    return _filtered(b * abs(a @ at) / abs(b @ at), a)


def _alike(a: Any, b: Any) -> None:
    if len(a) != len(b):
        raise ArgumentValueError("The size of a_coeffs should be the same as that of b_coeffs.")


@operation
def LFilter(a_coeffs: Any, b_coeffs: Any, clamp: bool = True) -> Made:
    """Filter with coefficients.

    Args:
        a_coeffs: Those of the denominator, list or tuple of float.
        b_coeffs: Those of the numerator, as many.
        clamp: bool, whether the result is cut at -1 and 1.
    """
    _alike(a_coeffs, b_coeffs)
    return _filtered(b_coeffs, a_coeffs, clamp)


@operation
def Filtfilt(a_coeffs: Any, b_coeffs: Any, clamp: bool = True) -> Made:
    """Filter forwards, and the result backwards; see ``LFilter``."""
    _alike(a_coeffs, b_coeffs)
    first, last = _filtered(b_coeffs, a_coeffs, False), _filtered(b_coeffs, a_coeffs, clamp)
    return lambda sound: last(first(sound)[..., ::-1])[..., ::-1]


@operation
def Overdrive(gain: float = 20.0, color: float = 20.0) -> Made:
    """Distort as an overdriven amplifier does.

    Args:
        gain: float, 0 to 100, decibels before it.
        color: float, 0 to 100, how much there is of even harmonics.
    """
    if not 0 <= gain <= 100:
        raise ArgumentValueError("Input gain is not within the required interval of [0, 100].")

    def apply(sound: np.ndarray) -> np.ndarray:
        driven = np.clip(sound * 10 ** (gain / 20) + color / 200, -1, 1)
        heard: Any = signal.lfilter([1, -1], [1, -0.995], driven - driven**3 / 3)
        return np.clip(sound * 0.5 + heard * 0.75, -1, 1)

    return apply
