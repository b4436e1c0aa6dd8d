"""Effects on sounds with a memory: echoes that move, dither, other pitches, sounds of spectra.

The formulas are those of SoX (flanger, phaser), of Griffin and Lim (1984) with the momentum of
Perraudin, Balazs and Søndergaard (2013), and of a phase vocoder.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.dataset.audio import _spectra
from msgrad.dataset.audio._operation import ByChance, Made, above, operation
from msgrad.dataset.audio.utils import (
    DensityFunction,
    Interpolation,
    MelType,
    Modulation,
    NormType,
    WindowType,
    _mels,
)


def _wave(kind: Any, size: int, low: float, high: float, phase: float) -> np.ndarray:
    """Return one period of a wave between two values; ``phase`` is a part of it."""
    at = (np.arange(size) + int(phase * size + 0.5)) % size / size
    if kind is Modulation.SINUSOIDAL:
        unit = (np.sin(2 * np.pi * at) + 1) / 2
    else:
        unit = 1 - np.abs((at * 2 + 0.5) % 2 - 1)
    return unit * (high - low) + low


@operation
def Flanger(
    sound: np.ndarray,
    sample_rate: int,
    delay: float = 0.0,
    depth: float = 2.0,
    regen: float = 0.0,
    width: float = 71.0,
    speed: float = 0.5,
    phase: float = 25.0,
    modulation: Any = Modulation.SINUSOIDAL,
    interpolation: Any = Interpolation.LINEAR,
) -> np.ndarray:
    """Add an echo to a sound (..., channel, time), of at most 4 channels, whose delay changes.

    Args:
        sample_rate: int, samples in a second.
        delay: float, 0 to 30, the least delay in milliseconds.
        depth: float, 0 to 10, by how many it changes.
        regen: float, -95 to 95, how much of the echo has an echo, in percent.
        width: float, 0 to 100, how loud the echo is, in percent.
        speed: float, 0.1 to 10, how often the delay changes in a second.
        phase: float, 0 to 100, how far channels are apart in that, in percent.
        modulation: Modulation.
        interpolation: Interpolation, between samples.
    """
    again, loud = regen / 100, width / 100
    size = int((delay + depth) / 1000 * sample_rate + 0.5) + 2
    least = np.floor(delay / 1000 * sample_rate + 0.5)
    wave = _wave(modulation, int(sample_rate / speed), least, size - 2.0, 0.75)
    if sound.ndim < 2 or sound.shape[-2] > 4:
        raise EngineError(
            f"Flanger: (..., channel, time) of at most 4 channels, but got {sound.shape}."
        )
    channels = np.arange(sound.shape[-2])
    begin = (channels * len(wave) * phase / 100 + 0.5).astype(int)
    past, echo, found = np.zeros((*sound.shape[:-1], size)), 0.0, np.empty_like(sound)
    for t in range(sound.shape[-1]):
        back = wave[(t + begin) % len(wave)]
        past[..., -t % size] = sound[..., t] + echo * again
        whole = back.astype(int)
        first, second, third = (past[..., channels, (whole + more - t) % size] for more in range(3))
        part = back - whole
        echo = first + (second - first) * part
        if interpolation is Interpolation.QUADRATIC:
            echo += (first + third - 2 * second) * part * (part - 1) / 2
        found[..., t] = sound[..., t] + echo * loud * (1 - abs(again))
    return np.clip(found / (1 + loud), -1, 1)


@operation
def Phaser(
    sound: np.ndarray,
    sample_rate: int,
    gain_in: float = 0.4,
    gain_out: float = 0.74,
    delay_ms: float = 3.0,
    decay: float = 0.4,
    mod_speed: float = 0.5,
    sinusoidal: bool = True,
) -> np.ndarray:
    """Add an echo to a sound, whose delay changes, and which has echoes.

    Args:
        sample_rate: int, samples in a second.
        gain_in: float, 0 to 1, how loud the sound is before.
        gain_out: float, how loud the result is.
        delay_ms: float, 0 to 5, the longest delay in milliseconds.
        decay: float, 0 to 0.99, how loud an echo is.
        mod_speed: float, 0.1 to 2, how often the delay changes in a second.
        sinusoidal: bool, whether it does so as a sine, not as a triangle.
    """
    size = int(delay_ms / 1000 * sample_rate + 0.5)
    kind = Modulation.SINUSOIDAL if sinusoidal else Modulation.TRIANGULAR
    period = int(sample_rate / mod_speed + 0.5)
    wave = (_wave(kind, period, 1.0, size, 0.25) + 0.5).astype(int)
    past, found = np.zeros((*sound.shape[:-1], size)), sound * gain_in
    for t in range(sound.shape[-1]):
        found[..., t] += past[..., (t + wave[t % period]) % size]
        past[..., (t + 1) % size] = found[..., t] * decay
    return np.clip(found * gain_out, -1, 1)


@operation
def Dither(
    sound: np.ndarray,
    chance: Draws,
    density_function: Any = DensityFunction.TPDF,
    noise_shaping: bool = False,
) -> np.ndarray:
    """Round a sound to 16 bits, after noise was added.

    Args:
        density_function: DensityFunction, of the noise.
        noise_shaping: bool, whether the error of a sample is added to the next one.
    """
    rows = sound.reshape(-1, sound.shape[-1]).copy()

    def drawn(count: int) -> float:
        total = 0.0
        for _ in range(count):
            # As in 2.10, what is drawn holds the sum from then on.
            row = int(chance.single() * len(rows)) if len(rows) > 1 else 0
            at = row, int(chance.single() * rows.shape[1])
            total = rows[at] = rows[at] + total
        return total

    noise: Any = np.bartlett(rows.shape[1] + 1)[:-1]
    if density_function is not DensityFunction.TPDF:
        noise = drawn(1 if density_function is DensityFunction.RPDF else 7)
    found = np.round(sound * (2**15 - 2) + noise) / 2**15
    if noise_shaping:
        found[..., 1:] += (found - rows.reshape(sound.shape))[..., :-1]
    return found


@operation
def GriffinLim(
    n_fft: int = 400,
    n_iter: int = 32,
    win_length: int | None = None,
    hop_length: int | None = None,
    window_type: Any = WindowType.HANN,
    power: float = 2.0,
    momentum: float = 0.99,
    length: int | None = None,
    rand_init: bool = True,
) -> ByChance:
    """Return a sound whose spectrum has these absolute values (..., frequency, time).

    Args:
        n_fft, win_length, hop_length, length: As of ``InverseSpectrogram``.
        n_iter: int, how often the phases are made better.
        window_type: WindowType.
        power: float, above 0, of the absolute values.
        momentum: float, 0 to 1, how much of the last change goes on.
        rand_init: bool, whether the phases begin at random, instead of at 0.

    Differs from MindSpore: phases at random are other ones than MindSpore's.
    """
    above(0, 2.0**24)("power", power)
    size = win_length or n_fft
    window = _spectra._window(window_type, size, n_fft)
    hop = hop_length or size // 2
    inverse: Any = _spectra.InverseSpectrogram(length or None, n_fft, size, hop, window=window_type)

    def apply(spectrum: np.ndarray, chance: Draws) -> np.ndarray:
        if spectrum.ndim < 2 or spectrum.shape[-2] != n_fft // 2 + 1:
            raise EngineError(
                f"GriffinLim: ({n_fft // 2 + 1}, time) is accepted, but got {spectrum.shape}."
            )
        if momentum >= 1:
            raise EngineError(f"GriffinLim: momentum must be below 1, but got {momentum}.")
        if length and n_fft >= length:
            raise EngineError(f"GriffinLim: length must be above n_fft, but got {length}.")
        absolute = spectrum ** (1 / power)
        before, turn = 0.0, np.ones(spectrum.shape, complex)
        if rand_init:
            drawn = [chance.single() for _ in range(2 * spectrum.size)]
            turn = _spectra._complex(np.array(drawn, float).reshape(*spectrum.shape, 2))
        back = lambda: inverse._apply(_spectra._pair(absolute * turn))  # noqa: E731
        for _ in range(n_iter):
            rebuilt = _spectra._stft(back(), window, hop)
            turn = rebuilt - before * momentum / (1 + 2 * momentum)
            turn = turn / (np.abs(turn) + 1e-16)
            before = rebuilt
        return back()

    return ByChance(apply)


@operation
def PitchShift(
    sample_rate: int,
    n_steps: int,
    bins_per_octave: int = 12,
    n_fft: int = 512,
    win_length: int | None = None,
    hop_length: int | None = None,
    window: Any = WindowType.HANN,
) -> Made:
    """Return a sound at another pitch, as long as before.

    Args:
        sample_rate: int, samples in a second.
        n_steps: int, by how many steps it is higher.
        bins_per_octave: int, how many of them an octave has.
        n_fft, win_length, hop_length, window: As of ``Spectrogram``; ``hop_length`` is a quarter
            of a window by default.
    """
    size = win_length or n_fft
    hop = hop_length or size // 4
    weights = _spectra._window(window, size, n_fft)
    rate = 2 ** (-n_steps / bins_per_octave)
    advance = np.linspace(0, np.pi * hop, n_fft // 2 + 1)[:, None]

    def apply(sound: np.ndarray) -> np.ndarray:
        pairs = _spectra._pair(_spectra._stft(sound, weights, hop))
        slow = _spectra._stretched(pairs, rate, advance).reshape(*pairs.shape[:-2], -1, 2)
        length = round(sound.shape[-1] / rate)
        back: Any = _spectra.InverseSpectrogram(length, n_fft, size, hop, window=window)
        again: Any = _spectra.Resample(int(sample_rate / rate), sample_rate)
        found = again._apply(back._apply(slow))[..., : sound.shape[-1]]
        short = sound.shape[-1] - found.shape[-1]
        return np.pad(found, [(0, 0)] * (sound.ndim - 1) + [(0, short)])

    return apply


@operation
def InverseMelScale(
    n_stft: int,
    n_mels: int = 128,
    sample_rate: int = 16000,
    f_min: float = 0.0,
    f_max: float | None = None,
    max_iter: int = 100000,
    tolerance_loss: float = 1e-5,
    tolerance_change: float = 1e-8,
    sgdargs: dict[str, float] | None = None,
    norm: Any = NormType.NONE,
    mel_type: Any = MelType.HTK,
) -> ByChance:
    """Return a spectrum (channel, n_stft, time) of one on the mel scale (..., n_mels, time).

    It is found by gradient descent from random numbers, for each channel, and cut at 0.

    Args:
        n_stft, n_mels, sample_rate, f_min, f_max, norm, mel_type: As of ``MelScale``.
        max_iter: int, how many steps at most.
        tolerance_loss: float, the loss that is good enough.
        tolerance_change: float, how little it changes in a step that is the last.
        sgdargs: dict of ``sgd_lr``, the size of a step, 0.1 by default; and ``sgd_momentum``, which
            does nothing in 2.10 either.

    Differs from MindSpore: of a float64 spectrum, the random numbers are other ones.
    """
    options: Any = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
    lr, _ = options["sgd_lr"], options["sgd_momentum"]
    top = sample_rate // 2 if f_max is None else f_max
    if top <= f_min:
        raise ArgumentValueError("InverseMelScale: f_max should be greater than f_min.")
    bank = _mels(n_stft, f_min, top, n_mels, sample_rate, norm, mel_type).T.astype(float)

    def one(mels: np.ndarray, chance: Draws) -> np.ndarray:
        found = np.array([chance.single() for _ in range(n_stft * mels.shape[1])], float)
        found = found.reshape(n_stft, -1)
        loss = np.inf
        for _ in range(max_iter):
            off = bank @ found - mels
            before, loss = loss, (off**2).mean()
            if loss < tolerance_loss or abs(before - loss) < tolerance_change:
                break
            found -= lr * (bank.T @ off) / mels.shape[1]
        return np.maximum(found, 0)

    def apply(spectrum: np.ndarray, chance: Draws) -> np.ndarray:
        if spectrum.ndim < 2 or spectrum.shape[-2] != n_mels:
            raise EngineError(f"InverseMelScale: ({n_mels}, time), but got {spectrum.shape}.")
        rows = spectrum.reshape(-1, *spectrum.shape[-2:])
        found = np.stack([one(row, chance) for row in rows])
        batches = spectrum.shape[:-2] if spectrum.ndim > 3 else (len(rows),)
        return found.reshape(*batches, *found.shape[-2:])

    return ByChance(apply)
