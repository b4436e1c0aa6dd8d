"""How loud a sound is: gains, fades and shifts, codes of few bits, and parts that are masked."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.checks import at_least
from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.dataset._arguments import a_number
from msgrad.dataset.audio._operation import ByChance, Made, operation
from msgrad.dataset.audio.utils import BorderType, FadeShape, GainType, ScaleType


@operation
def AmplitudeToDB(
    spectrum: np.ndarray,
    stype: Any = ScaleType.POWER,
    ref_value: float = 1.0,
    amin: float = 1e-10,
    top_db: float = 80.0,
) -> np.ndarray:
    """Return decibels of a spectrum (..., frequency, time).

    Args:
        stype: ScaleType, what the spectrum is of.
        ref_value: float, what has 0 dB.
        amin: float, what a lesser ``ref_value`` counts as; what is in a spectrum counts as 1e-10 or
            more, whatever ``amin`` is, in 2.10 too.
        top_db: float, how far below the loudest is cut.
    """
    scale = 10.0 if stype is ScaleType.POWER else 20.0
    if spectrum.ndim < 2:
        raise EngineError(f"AmplitudeToDB: (..., frequency, time), not {spectrum.shape}.")
    found = scale * (np.log10(np.maximum(spectrum, 1e-10)) - np.log10(max(amin, ref_value)))
    most = found.max(axis=tuple(range(max(-3, -found.ndim), 0)), keepdims=True)
    return np.maximum(found, most - top_db)


@operation
def DBToAmplitude(ref: float, power: float) -> Made:
    """Return ``ref * (10 ** (0.1 * x)) ** power``."""
    return lambda sound: ref * (10 ** (0.1 * sound)) ** power


@operation
def Contrast(sound: np.ndarray, enhancement_amount: float = 75.0) -> np.ndarray:
    """Make a sound louder, as compression does.

    Args:
        enhancement_amount: float, 0 to 100.
    """
    angle = sound * np.pi / 2
    return np.sin(angle + enhancement_amount / 750 * np.sin(angle * 4))


@operation
def DCShift(sound: np.ndarray, shift: float, limiter_gain: float | None = None) -> np.ndarray:
    """Add a constant.

    Args:
        shift: float, -2 to 2.
        limiter_gain: float, how much of a peak is kept; None or 0 cuts peaks at -1 and 1.
    """
    plain = np.clip(sound + shift, -1, 1)
    if not limiter_gain or not shift:
        return plain
    side, most = np.sign(shift), 1 - (abs(shift) - limiter_gain)
    # By 2.10's rules the peak is added to the limit, to the upper one also for a shift down.
    peak = (sound - side * most) * limiter_gain / (1 - most)
    limited = np.minimum(side * (peak + most + shift), most) * side
    return np.where(side * sound > most, limited, plain)


_FADES = {
    FadeShape.LINEAR: lambda up: up,
    FadeShape.EXPONENTIAL: lambda up: 2 ** (up - 1) * up,
    # At its end a little more than 1, as in 2.10.
    FadeShape.LOGARITHMIC: lambda up: np.log10(0.1 + up) + 1,
    FadeShape.QUARTER_SINE: lambda up: np.sin(up * np.pi / 2),
    FadeShape.HALF_SINE: lambda up: np.sin(up * np.pi - np.pi / 2) / 2 + 0.5,
}


@operation
def Fade(
    sound: np.ndarray,
    fade_in_len: int = 0,
    fade_out_len: int = 0,
    fade_shape: Any = FadeShape.LINEAR,
) -> np.ndarray:
    """Fade a sound in and out.

    Args:
        fade_in_len: int, over how many samples.
        fade_out_len: int, likewise at the end.
        fade_shape: FadeShape.
    """
    size = sound.shape[-1]
    if max(fade_in_len, fade_out_len) > size:
        raise EngineError(f"Fade: {fade_in_len} and {fade_out_len} of {size} samples.")
    if not fade_in_len and not fade_out_len:
        return sound
    shape = _FADES[fade_shape]
    sound = sound.copy()
    sound[..., :fade_in_len] *= shape(np.linspace(0, 1, fade_in_len))
    sound[..., size - fade_out_len :] *= shape(np.linspace(1, 0, fade_out_len))
    return sound


@operation
def Gain(gain_db: float = 1.0) -> Made:
    """Make a sound louder by decibels."""
    return lambda sound: sound * 10 ** (gain_db / 20)


@operation
def Vol(gain: float, gain_type: Any = GainType.AMPLITUDE) -> Made:
    """Make a sound louder, and cut it at -1 and 1.

    Args:
        gain: float, 0 or more for an amplitude, above 0 for a power.
        gain_type: GainType, what the gain is of.
    """
    if gain_type is GainType.AMPLITUDE:
        a_number("gain", gain, 0)
    if gain_type is GainType.POWER and gain <= 0:
        raise ArgumentValueError(f"Input gain of a power must be above 0, but got {gain}.")
    factor = gain
    if gain_type is not GainType.AMPLITUDE:
        factor = 10 ** (gain / 20) if gain_type is GainType.DB else np.sqrt(gain)
    return lambda sound: np.clip(sound * factor, -1, 1)


@operation
def MuLawEncoding(sound: np.ndarray, quantization_channels: int = 256) -> np.ndarray:
    """Return a sound between -1 and 1 as int32 below ``quantization_channels``, by mu-law."""
    mu = quantization_channels - 1.0
    found = np.sign(sound) * np.log1p(mu * np.abs(sound)) / np.log1p(mu)
    return ((found + 1) / 2 * mu + 0.5).astype(np.int32)


@operation
def MuLawDecoding(code: np.ndarray, quantization_channels: int = 256) -> np.ndarray:
    """Return the sound that ``MuLawEncoding`` has encoded."""
    mu = quantization_channels - 1.0
    found = code / mu * 2 - 1
    return np.sign(found) * np.expm1(np.abs(found) * np.log1p(mu)) / mu


@operation
def ComputeDeltas(win_length: int = 5, pad_mode: Any = BorderType.EDGE) -> Made:
    """Return how fast a spectrum (..., frequency, time) changes.

    Args:
        win_length: int, 3 or more, over how many frames.
        pad_mode: BorderType, what stands at the ends.
    """
    at_least("ComputeDeltas", "win_length", win_length, 3)
    half = (win_length - 1) // 2
    weights = np.arange(-half, half + 1)

    def apply(spectrum: np.ndarray) -> np.ndarray:
        if spectrum.ndim < 2:
            raise EngineError(f"ComputeDeltas: (..., frequency, time), not {spectrum.shape}.")
        ends = [(0, 0)] * (spectrum.ndim - 1) + [(half, half)]
        padded: Any = np.pad(spectrum, ends, pad_mode.value)
        windows = np.lib.stride_tricks.sliding_window_view(padded, len(weights), -1)
        return windows @ weights / (weights**2).sum()

    return apply


def _masked(spectrum: np.ndarray, axis: int, start: Any, width: Any, value: float) -> np.ndarray:
    """Set a part along an axis, counted as of (channel, frequency, time)."""
    if spectrum.ndim < 2 or start + width > spectrum.shape[axis - 3]:
        raise EngineError(f"A mask at {start}, {width} long, of the shape {spectrum.shape}.")
    places = np.arange(spectrum.shape[axis - 3]).reshape((-1, 1) if axis == 1 else (1, -1))
    return np.where((places >= start) & (places < start + width), value, spectrum)


@operation
def MaskAlongAxis(
    spectrum: np.ndarray, mask_start: int, mask_width: int, mask_value: float, axis: int
) -> np.ndarray:
    """Set a part of a spectrum (..., frequency, time).

    Args:
        mask_start: int, where it begins.
        mask_width: int, how long it is.
        mask_value: float.
        axis: int, 1 for frequencies, 2 for times.
    """
    return _masked(spectrum, axis, mask_start, mask_width, mask_value)


@operation
def MaskAlongAxisIID(
    spectrum: np.ndarray, chance: Draws, mask_param: int, mask_value: float, axis: int
) -> np.ndarray:
    """Set a part of a spectrum (..., frequency, time), by chance, the same of all channels.

    Args:
        mask_param: int, how long it is at most.
        mask_value: float.
        axis: int, 1 for frequencies, 2 for times.
    """
    if spectrum.ndim < 2 or mask_param > spectrum.shape[axis - 3]:
        raise EngineError(f"MaskAlongAxisIID: {mask_param} of the shape {spectrum.shape}.")
    width = chance.below(mask_param + 1)
    start = chance.below(spectrum.shape[axis - 3] - width + 1)
    return _masked(spectrum, axis, start, width, mask_value)


def _mask(axis: int, iid: bool, width: int, start: int, value: float) -> Made | ByChance:
    a_number("mask_value", value, 0)
    if iid:
        made: Any = MaskAlongAxisIID(width, value, axis)
        return made._apply
    return lambda spectrum: _masked(spectrum, axis, start if width else 0, width, value)


@operation
def FrequencyMasking(
    iid_masks: bool = False, freq_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
) -> Made | ByChance:
    """Set some frequencies of a spectrum (..., frequency, time).

    Args:
        iid_masks: bool, whether by chance.
        freq_mask_param: int, how many; at most so many where it is by chance.
        mask_start: int, where they begin, where it is not.
        mask_value: float.
    """
    return _mask(1, iid_masks, freq_mask_param, mask_start, mask_value)


@operation
def TimeMasking(
    iid_masks: bool = False, time_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
) -> Made | ByChance:
    """Set some times of a spectrum (..., frequency, time); see ``FrequencyMasking``."""
    return _mask(2, iid_masks, time_mask_param, mask_start, mask_value)
