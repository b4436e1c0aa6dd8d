"""How a transform of sounds is made of a function, and how its arguments are checked."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.dataset._arguments import a_number, an_int, check_kind, one_of
from msgrad.dataset.audio import utils
from msgrad.dataset.transforms.transforms import TensorOperation

_LARGE = 2.0**24


def _nonzero(kind: Callable[..., Any], low: float, high: float) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> None:
        if kind(name, value, low, high) == 0:
            raise ArgumentValueError(
                f"Input {name} is not within the required interval of [{low}, 0) and (0, {high}]."
            )

    return check


def above(low: float, high: float) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> None:
        if a_number(name, value, low, high) == low:
            raise ArgumentValueError(
                f"Input {name} is not within the required interval of ({low}, {high}]."
            )

    return check


def _optional(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    return lambda name, value: None if value is None else check(name, value)


def _number(low: float = -_LARGE, high: float = _LARGE) -> Callable[[str, Any], Any]:
    return lambda name, value: a_number(name, value, low, high)


def _count(low: int = 0) -> Callable[[str, Any], Any]:
    return lambda name, value: an_int(name, value, low)


def _numbers(name: str, value: Any) -> None:
    for i, one in enumerate(one_of(name, value, list, tuple)):
        a_number(f"{name}[{i}]", one, -np.inf, np.inf)


def _is(*kinds: Any) -> Callable[[str, Any], Any]:
    return lambda name, value: one_of(name, value, *kinds)


# What an argument of a name must be, of all transforms.
_RULES: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("central_freq", "center_freq", "cutoff_freq", "gain", "gain_db"), _number()),
    **dict.fromkeys(("b0", "b1", "b2", "a1", "a2", "mask_value", "ref", "f_min"), _number()),
    "a0": _nonzero(a_number, -_LARGE, _LARGE),
    "sample_rate": _nonzero(an_int, -(2**31), 2**31 - 1),
    "Q": above(0, 1),
    **dict.fromkeys(("a_coeffs", "b_coeffs"), _numbers),
    **dict.fromkeys(("amin", "ref_value", "top_db"), above(0, _LARGE)),
    **dict.fromkeys(("orig_freq", "new_freq", "rate"), above(0, _LARGE)),
    "fixed_rate": _optional(above(0, _LARGE)),
    **dict.fromkeys(("f_max", "beta"), _optional(_number(0))),
    "power": _number(0),
    "enhancement_amount": _number(0, 100),
    "color": _number(0, 100),
    "shift": _number(-2.0, 2.0),
    "limiter_gain": _optional(_number(-np.inf, np.inf)),
    "rolloff": _is(float),
    **dict.fromkeys(("fade_in_len", "fade_out_len", "mask_start"), _count()),
    **dict.fromkeys(("freq_low", "freq_high"), _count(1)),
    "frame_time": above(0, _LARGE),
    **dict.fromkeys(("tolerance_loss", "tolerance_change"), above(0, _LARGE)),
    **dict.fromkeys(("width", "phase"), _number(0, 100)),
    "delay": _number(0, 30),
    "depth": _number(0, 10),
    "regen": _number(-95, 95),
    "speed": _number(0.1, 10),
    "gain_in": _number(0, 1),
    "gain_out": _number(0, 1e9),
    "delay_ms": _number(0, 5),
    "decay": _number(0, 0.99),
    "mod_speed": _number(0.1, 2),
    "momentum": _number(0),
    "n_steps": _count(-(2**31)),
    "bins_per_octave": _nonzero(an_int, -(2**31), 2**31 - 1),
    **dict.fromkeys(("cmn_window", "min_cmn_window"), _count()),
    **dict.fromkeys(("n_iter", "max_iter"), _count(1)),
    **dict.fromkeys(("freq_mask_param", "time_mask_param", "mask_param", "pad"), _count()),
    **dict.fromkeys(("n_fft", "n_mels", "n_stft", "n_filter", "n_mfcc", "n_lfcc"), _count(1)),
    **dict.fromkeys(("n_freq", "quantization_channels", "lowpass_filter_width"), _count(1)),
    "mask_width": _count(1),
    **dict.fromkeys(("win_length", "hop_length", "length"), _optional(_count(1))),
    **dict.fromkeys(("noise", "const_skirt_gain", "clamp", "iid_masks", "normalized"), _is(bool)),
    **dict.fromkeys(("norm_vars", "sinusoidal", "noise_shaping", "rand_init"), _is(bool)),
    **dict.fromkeys(("center", "onesided", "log_mels", "log_lf"), _is(bool)),
    "axis": lambda name, value: an_int(name, value, 1, 2),
    **dict.fromkeys(("window", "window_type"), _is(utils.WindowType)),
    "pad_mode": _is(utils.BorderType),
    "stype": _is(utils.ScaleType),
    "fade_shape": _is(utils.FadeShape),
    "gain_type": _is(utils.GainType),
    "mel_type": _is(utils.MelType),
    "mel_scale": _is(utils.MelType),
    "modulation": _is(utils.Modulation),
    "interpolation": _is(utils.Interpolation),
    "density_function": _is(utils.DensityFunction),
    "resample_method": _is(utils.ResampleMethod),
    **dict.fromkeys(("melkwargs", "speckwargs"), _optional(_is(dict))),
}

Made = Callable[[np.ndarray], Any]


class ByChance(NamedTuple):
    """A function that is called with what to draw from, too."""

    function: Callable[[np.ndarray, Draws], Any]


# What keeps float16; other results are float32 then. Some are so of any sound.
_KEEPS_HALF = ("Biquad", "Filter", "Filtfilt", "Flanger")
_SINGLE = ("DetectPitchFrequency", "LFCC", "MFCC")
_OF_FLOATS = ("Biquad", "DetectPitchFrequency", "Filter", "Filtfilt")
# What takes lists, too.
_OF_LISTS = ("Biquad", "SpectralCentroid", "Spectrogram")


def operation(function: Callable[..., Any]) -> type[Any]:
    """Make the class of a transform of a function, whose arguments are checked by their names.

    A function that begins with an array, and perhaps with what to draw from, transforms that;
    another one returns what does. Arrays come as float64; floating point results go in the dtype of
    the sound, mostly float32 for float16, integers and bools.
    """
    whole = inspect.signature(function)
    leading = [str(p.annotation) for p in whole.parameters.values()][:2]
    count = leading[:1].count("np.ndarray") + leading[1:].count("Draws")
    signature = inspect.Signature([*whole.parameters.values()][count:])

    @functools.wraps(function)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name in _RULES:
                _RULES[name](name, value)
        made = functools.partial(function, **bound.arguments)
        self._apply = made() if not count else made if count == 1 else ByChance(made)

    members = {
        "__init__": __init__,
        "__call__": _call,
        "__signature__": signature,
        "__doc__": function.__doc__,
        "__module__": function.__module__,
    }
    return type(function.__name__, (TensorOperation,), members)


def _call(self: Any, sound: Any) -> Any:
    name = type(self).__name__
    if name in _OF_LISTS:
        sound = np.asarray(sound)
    check_kind("input", sound, np.ndarray)
    if sound.dtype.kind not in "iufb" or not sound.ndim or not sound.size:
        raise EngineError(
            f"{name}: numbers (..., time) are accepted, one or more, but got {sound.dtype} "
            f"{sound.shape}."
        )
    is_float = sound.dtype.kind == "f"
    if not is_float and name.endswith(_OF_FLOATS):
        raise EngineError(f"{name}: floats are accepted, but got {sound.dtype}; cast them.")
    given, apply = sound.astype(np.float64), self._apply
    drawn = isinstance(apply, ByChance)
    try:
        made = apply.function(given, self._chance()) if drawn else apply(given)
    except (ArithmeticError, LookupError, ValueError) as error:
        raise EngineError(
            f"{name}: its arguments do not fit an array of the shape {sound.shape}: {error}."
        ) from error
    if made is given:
        return sound.copy()
    half = sound.dtype == np.float16 and not name.endswith(_KEEPS_HALF)
    single = half or name in _SINGLE or not (is_float or name == "Flanger")
    kind = np.dtype(np.float32) if single else sound.dtype
    results = [one.astype(kind) if one.dtype.kind == "f" else one for one in _all(made)]
    return tuple(results) if isinstance(made, tuple) else results[0]


def _all(made: Any) -> tuple[np.ndarray, ...]:
    return made if isinstance(made, tuple) else (made,)
