"""Spectra of sounds, and what is computed of them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import signal

from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.dataset._arguments import a_number, an_int, check_kind, one_of
from msgrad.dataset.audio import utils
from msgrad.dataset.audio._loudness import AmplitudeToDB
from msgrad.dataset.audio._operation import Made, above, operation
from msgrad.dataset.audio.utils import (
    BorderType,
    MelType,
    NormMode,
    NormType,
    ResampleMethod,
    WindowType,
)


def _window(kind: Any, size: int, n_fft: int) -> np.ndarray:
    if size > n_fft:
        raise ArgumentValueError(
            f"Input win_length should be no more than n_fft, but got win_length: {size} and n_fft: "
            f"{n_fft}."
        )
    name: Any = ("kaiser", 12.0) if kind is WindowType.KAISER else kind.value
    left = (n_fft - size) // 2
    return np.pad(signal.get_window(name, size), (left, n_fft - size - left))


def _stft(
    sound: np.ndarray,
    window: np.ndarray,
    hop: int,
    center: bool = True,
    pad_mode: Any = BorderType.REFLECT,
    onesided: bool = True,
) -> np.ndarray:
    """Return the spectrum (..., frequency, time)."""
    size = len(window)
    if center:
        ends = [(0, 0)] * (sound.ndim - 1) + [(size // 2, size // 2)]
        sound = np.pad(sound, ends, pad_mode.value)
    if sound.shape[-1] < size:
        raise EngineError(f"Spectrogram: n_fft is {size}, but there are {sound.shape[-1]} samples.")
    frames = np.lib.stride_tricks.sliding_window_view(sound, size, -1)[..., ::hop, :] * window
    found = (np.fft.rfft if onesided else np.fft.fft)(frames)
    return np.swapaxes(found, -1, -2)


def _pair(values: np.ndarray) -> np.ndarray:
    return np.stack([np.real(values), np.imag(values)], -1)


def _complex(values: np.ndarray) -> np.ndarray:
    if values.ndim < 2 or values.shape[-1] != 2:
        raise EngineError(f"A spectrum is (..., frequency, time, 2), but the array {values.shape}.")
    return values[..., 0] + 1j * values[..., 1]


@operation
def Spectrogram(
    n_fft: int = 400,
    win_length: int | None = None,
    hop_length: int | None = None,
    pad: int = 0,
    window: Any = WindowType.HANN,
    power: float = 2.0,
    normalized: bool = False,
    center: bool = True,
    pad_mode: Any = BorderType.REFLECT,
    onesided: bool = True,
) -> Made:
    """Return the spectrum (..., frequency, time) of a sound.

    Args:
        n_fft: int, of how many samples each frame is.
        win_length: int, how many of them the window has; all by default.
        hop_length: int, how far frames are apart; half a window by default.
        pad: int, zeros at both ends.
        window: WindowType.
        power: float, of the absolute values; 0 for complex numbers (..., frequency, time, 2).
        normalized: bool, whether it is divided by the root of the window's energy.
        center: bool, whether frame t has its middle at t * hop_length.
        pad_mode: BorderType, what stands at the ends then.
        onesided: bool, whether frequencies that say the same twice are left out.
    """
    weights = _window(window, win_length or n_fft, n_fft)
    hop = hop_length or (win_length or n_fft) // 2

    def apply(sound: np.ndarray) -> np.ndarray:
        sound = np.pad(sound, [(0, 0)] * (sound.ndim - 1) + [(pad, pad)])
        found = _stft(sound, weights, hop, center, pad_mode, onesided)
        found = found / np.sqrt((weights**2).sum()) if normalized else found
        return np.abs(found) ** power if power else _pair(found)

    return apply


@operation
def InverseSpectrogram(
    length: int | None = None,
    n_fft: int = 400,
    win_length: int | None = None,
    hop_length: int | None = None,
    pad: int = 0,
    window: Any = WindowType.HANN,
    normalized: bool = False,
    center: bool = True,
    pad_mode: Any = BorderType.REFLECT,
    onesided: bool = True,
) -> Made:
    """Return the sound of a spectrum (..., frequency, time, 2); see ``Spectrogram``.

    Args:
        length: int, of the sound; as many samples as there are by default.
    """
    weights = _window(window, win_length or n_fft, n_fft)
    hop = hop_length or (win_length or n_fft) // 2

    def apply(pairs: np.ndarray) -> np.ndarray:
        spectrum = np.swapaxes(_complex(pairs), -1, -2)
        spectrum = spectrum * np.sqrt((weights**2).sum()) if normalized else spectrum
        frames = np.real((np.fft.irfft if onesided else np.fft.ifft)(spectrum, n_fft)) * weights
        count = frames.shape[-2]
        found = np.zeros((*frames.shape[:-2], n_fft + hop * (count - 1)))
        energy = np.zeros(found.shape[-1])
        for i in range(count):
            found[..., i * hop : i * hop + n_fft] += frames[..., i, :]
            energy[i * hop : i * hop + n_fft] += weights**2
        found = found / np.where(energy > 1e-11, energy, 1)
        start = n_fft // 2 if center else 0
        # As many samples as there are hops, also where nothing was padded; or what is asked for.
        asked = hop * (count - 1) if length is None else length + 2 * pad
        found = found[..., start : start + asked]
        lacking = [(0, 0)] * (found.ndim - 1) + [(0, asked - found.shape[-1])]
        found = np.pad(found, lacking)
        return found[..., pad : found.shape[-1] - pad] if pad else found

    return apply


@operation
def SpectralCentroid(
    sample_rate: int,
    n_fft: int = 400,
    win_length: int | None = None,
    hop_length: int | None = None,
    pad: int = 0,
    window: Any = WindowType.HANN,
) -> Made:
    """Return the mean frequency (..., 1, time) of a sound; see ``Spectrogram``."""
    an_int("sample_rate", sample_rate, 0)
    made: Any = Spectrogram(n_fft, win_length, hop_length, pad, window, 1.0)

    def apply(sound: np.ndarray) -> np.ndarray:
        found = made._apply(sound)
        hertz = np.linspace(0, sample_rate // 2, 1 + n_fft // 2)[:, None]
        return (hertz * found).sum(-2, keepdims=True) / found.sum(-2, keepdims=True)

    return apply


def _through(bank: np.ndarray) -> Made:
    """Return what takes (..., frequency, time) through a matrix of frequencies."""

    def apply(spectrum: np.ndarray) -> np.ndarray:
        if spectrum.ndim < 2 or spectrum.shape[-2] != len(bank):
            raise EngineError(f"There must be {len(bank)} frequencies, but got {spectrum.shape}.")
        return bank.astype(np.float64).T @ spectrum

    return apply


@operation
def MelScale(
    n_mels: int = 128,
    sample_rate: int = 16000,
    f_min: float = 0.0,
    f_max: float | None = None,
    n_stft: int = 201,
    norm: Any = NormType.NONE,
    mel_type: Any = MelType.HTK,
) -> Made:
    """Return a spectrum (..., n_stft, time) on the mel scale, (..., n_mels, time).

    Args:
        n_mels, sample_rate, f_min, norm, mel_type: As of ``melscale_fbanks``.
        f_max: float; half of ``sample_rate`` by default.
        n_stft: int, how many frequencies come.
    """
    top = sample_rate // 2 if f_max is None else f_max
    if top <= f_min:
        raise ArgumentValueError("MelScale: f_max should be greater than f_min.")
    return _through(utils._mels(n_stft, f_min, top, n_mels, sample_rate, norm, mel_type))


@operation
def MelSpectrogram(
    sample_rate: int = 16000,
    n_fft: int = 400,
    win_length: int | None = None,
    hop_length: int | None = None,
    f_min: float = 0.0,
    f_max: float | None = None,
    pad: int = 0,
    n_mels: int = 128,
    window: Any = WindowType.HANN,
    power: float = 2.0,
    normalized: bool = False,
    center: bool = True,
    pad_mode: Any = BorderType.REFLECT,
    onesided: bool = True,
    norm: Any = NormType.NONE,
    mel_scale: Any = MelType.HTK,
) -> Made:
    """Return the spectrum of a sound on the mel scale; see ``Spectrogram`` and ``MelScale``."""
    one_of("f_min", f_min, float)
    above(0, 2.0**24)("power", power)
    options = (window, power, normalized, center, pad_mode, onesided)
    spectrum: Any = Spectrogram(n_fft, win_length, hop_length, pad, *options)
    count = n_fft // 2 + 1 if onesided else n_fft
    mels: Any = MelScale(n_mels, sample_rate, f_min, f_max or None, count, norm, mel_scale)

    def apply(sound: np.ndarray) -> np.ndarray:
        if center and sound.shape[-1] <= n_fft // 2:
            raise EngineError(
                f"MelSpectrogram: there must be more than n_fft / 2 samples, {n_fft // 2}, but "
                f"there are {sound.shape[-1]}."
            )
        return mels._apply(spectrum._apply(sound))

    return apply


def _coefficients(spectrum: Any, count: int, of: int, norm: Any, log: bool) -> Made:
    decibels: Any = AmplitudeToDB()
    bank = _through(utils.create_dct(count, of, norm))

    def apply(sound: np.ndarray) -> np.ndarray:
        found = spectrum(sound)
        return bank(np.log(found + 1e-6) if log else decibels._apply(found))

    return apply


def _of_two(dct_type: int) -> None:
    if one_of("dct_type", dct_type, int) != 2:
        raise ArgumentValueError(f"dct_type must be 2, but got : {dct_type}.")


@operation
def MFCC(
    sample_rate: int = 16000,
    n_mfcc: int = 40,
    dct_type: int = 2,
    norm: Any = NormMode.ORTHO,
    log_mels: bool = False,
    melkwargs: dict[str, Any] | None = None,
) -> Made:
    """Return coefficients (..., n_mfcc, time) of the cosines in the mel spectrum of a sound.

    Args:
        sample_rate: int, samples in a second.
        n_mfcc: int, how many.
        dct_type: Must be 2.
        norm: NormMode.
        log_mels: bool, whether logarithms are taken instead of decibels.
        melkwargs: dict of options of ``MelSpectrogram``.
    """
    _of_two(dct_type)
    options = melkwargs or {}
    mels = options.get("n_mels", 128)
    if n_mfcc > mels:
        raise ArgumentValueError("The number of MFCC coefficients must be no more than # mel bins.")
    spectrum: Any = MelSpectrogram(sample_rate, **options)
    return _coefficients(spectrum._apply, n_mfcc, mels, norm, log_mels)


@operation
def LFCC(
    sample_rate: int = 16000,
    n_filter: int = 128,
    n_lfcc: int = 40,
    f_min: float = 0.0,
    f_max: float | None = None,
    dct_type: int = 2,
    norm: Any = NormMode.ORTHO,
    log_lf: bool = False,
    speckwargs: dict[str, Any] | None = None,
) -> Made:
    """Return coefficients (..., n_lfcc, time) of the cosines in the spectrum of a sound.

    Args:
        sample_rate: int, samples in a second.
        n_filter: int, how many filters, from ``f_min`` to ``f_max``.
        n_lfcc: int, how many coefficients.
        dct_type: Must be 2.
        norm: NormMode.
        log_lf: bool, whether logarithms are taken instead of decibels.
        speckwargs: dict of options of ``Spectrogram``.
    """
    _of_two(dct_type)
    options = speckwargs or {}
    spectrum: Any = Spectrogram(**options)
    a_number("f_min", f_min, 0)
    top = f_max or sample_rate // 2
    count = options.get("n_fft", 400) // 2 + 1
    bank = _through(utils._linear(count, f_min, top, n_filter, sample_rate))
    found = lambda sound: bank(spectrum._apply(sound))  # noqa: E731
    return _coefficients(found, n_lfcc, n_filter, norm, log_lf)


@operation
def Angle() -> Made:
    """Return the angles of complex numbers (..., 2)."""
    return lambda pairs: np.angle(_complex(pairs))


@operation
def ComplexNorm(power: float = 1.0) -> Made:
    """Return a power of the absolute values of complex numbers (..., 2)."""
    return lambda pairs: np.abs(_complex(pairs)) ** power


@operation
def Magphase(power: float = 1.0) -> Made:
    """Return a power of the absolute values of complex numbers (..., 2), and their angles."""
    return lambda pairs: (np.abs(_complex(pairs)) ** power, np.angle(_complex(pairs)))


def _stretched(pairs: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
    """Return a spectrum (..., frequency, time, 2) played faster, its phases going on."""
    if pairs.ndim < 3:
        raise EngineError(f"the spectrum must be (..., frequency, time, 2), but got {pairs.shape}.")
    spectrum = _complex(pairs)
    if rate == 1:
        # As one batch, unlike at other rates.
        return pairs.reshape(-1, *pairs.shape[-3:])
    steps = np.arange(0, spectrum.shape[-1], rate)
    padded = np.pad(spectrum, [(0, 0)] * (spectrum.ndim - 1) + [(0, 2)])
    left, right = padded[..., steps.astype(int)], padded[..., (steps + 1).astype(int)]
    turn = np.angle(right) - np.angle(left) - advance
    turn = turn - 2 * np.pi * np.round(turn / (2 * np.pi)) + advance
    phase = np.cumsum(np.concatenate([np.angle(spectrum[..., :1]), turn[..., :-1]], -1), -1)
    part = steps % 1
    return _pair((part * np.abs(right) + (1 - part) * np.abs(left)) * np.exp(1j * phase))


@operation
def PhaseVocoder(rate: float, phase_advance: np.ndarray) -> Made:
    """Play a spectrum (..., frequency, time, 2) faster, at the same pitch.

    Args:
        rate: float, how much faster.
        phase_advance: Array (frequency, 1), how far a phase turns from frame to frame.

    Differs from MindSpore: at a rate of 1 no axis is added.
    """
    check_kind("phase_advance", phase_advance, np.ndarray)
    advance = phase_advance.astype(np.float64)
    if advance.ndim != 2 or advance.shape[1] != 1:
        raise EngineError(f"PhaseVocoder: phase_advance is (frequency, 1), not {advance.shape}.")
    return lambda pairs: _stretched(pairs, rate, advance)


@operation
def TimeStretch(
    hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None
) -> Made:
    """Play a spectrum (..., frequency, time, 2) faster, at the same pitch.

    Args:
        hop_length: int, how far its frames are apart; ``n_freq - 1`` by default.
        n_freq: int, how many frequencies it has.
        fixed_rate: float, how much faster; 1 by default.
    """
    advance = np.linspace(0, np.pi * (hop_length or n_freq - 1), n_freq)[:, None]

    def apply(pairs: np.ndarray) -> np.ndarray:
        count = pairs.shape[-3] if pairs.ndim > 2 else 0
        return _stretched(pairs, fixed_rate or 1.0, advance[:count])

    return apply


@operation
def Resample(
    orig_freq: float = 16000,
    new_freq: float = 16000,
    resample_method: Any = ResampleMethod.SINC_INTERPOLATION,
    lowpass_filter_width: int = 6,
    rolloff: float = 0.99,
    beta: float | None = None,
) -> Made:
    """Return a sound at another sample rate, by interpolation with windowed sines.

    Args:
        orig_freq: float, samples in a second.
        new_freq: float, those that are wanted.
        resample_method: ResampleMethod.
        lowpass_filter_width: int, how many zeros a sine has on each side.
        rolloff: float, 0 to 1, which part of the frequencies is kept.
        beta: float, of the Kaiser window.
    """
    if not 0 < rolloff <= 1:
        raise ArgumentValueError("Input rolloff is not within the required interval of (0, 1].")
    common = np.gcd(int(orig_freq), int(new_freq))
    old, new = int(orig_freq) // common, int(new_freq) // common
    base = min(old, new) * rolloff
    width = int(np.ceil(lowpass_filter_width * old / base))

    @functools.lru_cache(maxsize=1)
    def weights(count: int, reach: int) -> np.ndarray:
        # For each of the new samples of a period, those of the old ones around it.
        at = np.arange(-width, reach) / old - np.arange(count)[:, None] / new
        at = np.clip(at * base, -lowpass_filter_width, lowpass_filter_width)
        if resample_method is ResampleMethod.SINC_INTERPOLATION:
            window = np.cos(at * np.pi / lowpass_filter_width / 2) ** 2
        else:
            kaiser = 14.769656459379492 if beta is None else beta
            inside = np.sqrt(1 - (at / lowpass_filter_width) ** 2)
            window = np.i0(kaiser * inside) / np.i0(kaiser)
        return np.sinc(at) * window * base / old

    def apply(sound: np.ndarray) -> np.ndarray:
        if old == new:
            return sound
        size = sound.shape[-1]
        length = -(-new * size // old)
        # A sound may be much shorter than a period, which has up to a second.
        kernel = weights(min(new, length), width + old if size >= old else size)
        padded = np.pad(sound, [(0, 0)] * (sound.ndim - 1) + [(width, width + old)])
        rows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[1], -1)[..., ::old, :]
        found = (rows @ kernel.T).reshape(*sound.shape[:-1], -1)
        return found[..., :length]

    return apply
