"""What is heard in speech: its pitch, and frames without the mean of those around.

The formulas are those of Kaldi: the sliding window, and the normalized cross-correlation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import EngineError
from msgrad.dataset.audio._operation import operation

_windows: Any = np.lib.stride_tricks.sliding_window_view


@operation
def SlidingWindowCmn(
    frames: np.ndarray,
    cmn_window: int = 600,
    min_cmn_window: int = 100,
    center: bool = False,
    norm_vars: bool = False,
) -> np.ndarray:
    """Return frames (..., time, frequency) less the mean of the frames around each.

    Args:
        cmn_window: int, how many frames are around it.
        min_cmn_window: int, how many at least at the begin, unless ``center``.
        center: bool, whether the frame is in their middle instead of at their end.
        norm_vars: bool, whether it is divided by their deviation, too.
    """
    if frames.ndim < 2:
        raise EngineError(f"SlidingWindowCmn: (..., time, frequency), not {frames.shape}.")
    count, found = frames.shape[-2], np.empty_like(frames)
    for t in range(count):
        start = t - cmn_window // 2 if center else t - cmn_window
        end = start + cmn_window if center else t + 1
        if start < 0:
            start, end = 0, end - start
        if not center and end > t:
            end = max(t + 1, min_cmn_window)
        if end > count:
            start, end = max(0, start - end + count), count
        around = frames[..., start:end, :]
        found[..., t, :] = frames[..., t, :] - around.mean(-2)
        if norm_vars:
            found[..., t, :] *= 0 if end - start == 1 else around.var(-2) ** -0.5
    return found[0] if found.ndim == 2 and count == 1 else found


def _peak(values: np.ndarray) -> tuple[Any, Any]:
    """Return the largest of the last axis, and where it is; of none, the first place."""
    if not values.shape[-1]:
        return -np.inf, np.zeros(values.shape[:-1], int)
    return values.max(-1), values.argmax(-1)


@operation
def DetectPitchFrequency(
    sound: np.ndarray,
    sample_rate: int,
    frame_time: float = 0.01,
    win_length: int = 30,
    freq_low: int = 85,
    freq_high: int = 3400,
) -> np.ndarray:
    """Return the pitch (..., frames) of a sound in Hz, by its correlation with itself later.

    Args:
        sample_rate: int, samples in a second.
        frame_time: float, how long a frame is, in seconds.
        win_length: int, of how many frames the median is taken.
        freq_low: int, the lowest pitch.
        freq_high: int, the highest.
    """
    size, most = int(np.ceil(sample_rate * frame_time)), int(np.ceil(sample_rate / freq_low))
    least, half = int(np.ceil(sample_rate / freq_high)), (win_length - 1) // 2
    count = -(-sound.shape[-1] // size)
    room = [(0, 0)] * (sound.ndim - 1) + [(0, most + count * size - sound.shape[-1])]
    frames = _windows(np.pad(sound, room), size, -1)[..., : count * size + most, :]
    energy = (np.sqrt((frames**2).sum(-1)) + 1e-9) ** 2
    first = frames[..., : count * size : size, :]
    alike = np.empty((*first.shape[:-1], most))
    for lag in range(1, most + 1):
        at = slice(lag, lag + count * size, size)
        both = (first * frames[..., at, :]).sum(-1)
        alike[..., lag - 1] = both / energy[..., : count * size : size] / energy[..., at]
    best, near = alike[..., least:], alike[..., least : most // 2]
    (peak, lag), (peak_near, lag_near) = map(_peak, (best, near))
    lags = np.where(peak_near > 0.99 * peak, lag_near, lag) + least + 1
    ends = [(0, 0)] * (lags.ndim - 1) + [(half, 0)]
    lags = np.pad(lags, ends, "edge")
    if win_length > lags.shape[-1]:
        return np.empty((*lags.shape[:-1], 0))
    median = np.sort(_windows(lags, win_length, -1), -1)[..., (win_length - 1) // 2]
    return sample_rate / (1e-9 + median)
