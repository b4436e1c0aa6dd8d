"""``mindspore.dataset.config``: the seed; other settings are accepted and kept only."""

from __future__ import annotations

import inspect
import json
import os
import random
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.checks import at_least
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common.seed import _times_seeded
from msgrad.common.seed import get_seed as global_seed
from msgrad.dataset._arguments import check_kind, check_valid

# MindSpore's own, given as long as none is set; it then shuffles differently each time.
_DEFAULT_SEED = 5489
_settings: dict[str, Any] = {}


def set_seed(seed: int) -> None:
    """Seed the shuffles of datasets and the random transforms; they begin anew.

    Seeds Python's and NumPy's global generators too, as MindSpore does. Rows and images are those
    of MindSpore; as there, a transform that is called by hand draws the same in each call.

    Args:
        seed: int, 0 to 2**32 - 1.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is outside the range.
    """
    _settings["seed"] = _an_int("seed", seed, 0, 2**32 - 1), _times_seeded()
    random.seed(seed)
    np.random.seed(seed)


def get_seed() -> int:
    """Return the seed of shuffles."""
    seed, times = _settings.get("seed", (None, -1))
    # That of ``mindspore.set_seed``, if it was called later.
    seed = seed if times == _times_seeded() else global_seed()
    return _DEFAULT_SEED if seed is None else seed


def _kept(
    name: str, default: object, test: object, what: str = "", words: str = ""
) -> tuple[Any, Any]:
    """Return the two functions of a setting that is kept.

    Args:
        name: As in ``set_NAME`` and ``get_NAME``.
        default: Its value at first.
        test: Function of name and value, that raises.
        what: Why it has no effect, if it has none.
        words: How MindSpore calls what is set, its name by default; what else may be given.
    """
    first, *others = words.split() or [name]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [
            inspect.Parameter(first, kind),
            *(inspect.Parameter(word, kind, default=None) for word in others),
        ]
    )

    def setter(*args: Any, **named: Any) -> None:
        try:
            value = signature.bind(*args, **named).arguments[first]
        except TypeError as error:
            raise ArgumentTypeError(f"set_{name}() {error}") from None
        _settings[name] = test(name, value)  # pyright: ignore[reportCallIssue]

    def getter() -> Any:
        return _settings.get(name, default)

    vars(setter)["__signature__"] = signature
    setter.__name__ = setter.__qualname__ = f"set_{name}"
    getter.__name__ = getter.__qualname__ = f"get_{name}"
    setter.__doc__ = f"Accepted for compatibility: {what}." if what else f"Set ``{first}``."
    getter.__doc__ = f"Return what ``set_{name}`` was given, or {default}."
    return setter, getter


def _an_int(name: str, value: Any, low: int, high: int = 2**31 - 1) -> int:
    check_kind(name, value, int)
    if not low <= value <= high:
        raise ArgumentValueError(f"{name} must be {low} to {high}, but got {value}.")
    return value


_count, _steps = partial(_an_int, low=1), partial(_an_int, low=0)


def _a(name: str, value: Any, kind: type) -> Any:
    check_kind(name, value, kind)
    return value


_flag = partial(_a, kind=bool)


def _method(name: str, value: Any) -> str:
    check_valid(name, _a(name, value, str), ("fork", "spawn"))
    return value


ErrorSamplesMode = IntEnum("ErrorSamplesMode", {"RETURN": 0, "REPLACE": 1, "SKIP": 2})
ErrorSamplesMode.__doc__ = (
    "What a ``map`` does with a row that it cannot make: raise, go on without it (SKIP), or give "
    "one of the first ones once more at the end of the epoch (REPLACE)."
)


_ASKED = "rows are made when they are asked for"
_WORKERS = "give num_parallel_workers to the dataset or the map that shall have worker processes"
set_num_parallel_workers, get_num_parallel_workers = _kept(
    "num_parallel_workers", min(8, os.cpu_count() or 1), _count, _WORKERS, "num"
)
set_prefetch_size, get_prefetch_size = _kept("prefetch_size", 16, _count, _ASKED, "size")
set_numa_enable, get_numa_enable = _kept("numa_enable", False, _flag, _ASKED)
set_monitor_sampling_interval, get_monitor_sampling_interval = _kept(
    "monitor_sampling_interval", 1000, _count, _ASKED, "interval"
)
set_callback_timeout, get_callback_timeout = _kept(
    "callback_timeout", 60, _count, _ASKED, "timeout"
)
set_auto_num_workers, get_auto_num_workers = _kept(
    "auto_num_workers", False, _flag, _WORKERS, "enable"
)
set_enable_shared_mem, get_enable_shared_mem = _kept(
    "enable_shared_mem", True, _flag, _ASKED, "enable"
)
set_enable_autotune, get_enable_autotune = _kept(
    "enable_autotune", False, _flag, _ASKED, "enable filepath_prefix"
)
set_autotune_interval, get_autotune_interval = _kept(
    "autotune_interval", 0, _steps, _ASKED, "interval"
)
set_enable_watchdog, get_enable_watchdog = _kept("enable_watchdog", True, _flag, _ASKED, "enable")
set_auto_offload, get_auto_offload = _kept("auto_offload", False, _flag, _ASKED, "offload")
set_fast_recovery, get_fast_recovery = _kept("fast_recovery", True, _flag, _ASKED)
set_debug_mode, get_debug_mode = _kept("debug_mode", False, _flag, _ASKED, "debug_mode_flag")
set_dynamic_shape, get_dynamic_shape = _kept("dynamic_shape", False, _flag, _ASKED, "is_dynamic")
set_multiprocessing_timeout_interval, get_multiprocessing_timeout_interval = _kept(
    "multiprocessing_timeout_interval", 300, _count, _ASKED, "interval"
)
set_multiprocessing_start_method, get_multiprocessing_start_method = _kept(
    "multiprocessing_start_method",
    "fork",
    _method,
    "workers are always started anew",
    "start_method",
)
set_sending_batches, _ = _kept("sending_batches", 0, partial(_a, kind=int), _ASKED, "batch_num")
set_error_samples_mode, get_error_samples_mode = _kept(
    "error_samples_mode", ErrorSamplesMode.RETURN, partial(_a, kind=ErrorSamplesMode)
)
set_error_samples_mode.__doc__ = (
    "Set what becomes of rows that a ``map`` cannot make, an ``ErrorSamplesMode``."
)


def _check_workers(workers: Any) -> int:
    """Return how many workers there are, those of the configuration for None.

    Raises:
        TypeError, ValueError: If it is no number above 0.
    """
    if workers is None:
        return get_num_parallel_workers()
    check_kind("num_parallel_workers", workers, int)
    at_least(None, "num_parallel_workers", workers, 1)
    return workers


def load(file: str) -> None:
    """Set what a file of JSON says of ``numParallelWorkers``, ``seed`` and other settings.

    Raises:
        RuntimeError: If it cannot be read, or a value is not accepted.
    """
    known = {
        "seed": set_seed,
        "numParallelWorkers": set_num_parallel_workers,
        "opConnectorSize": set_prefetch_size,
        "monitorSamplingInterval": set_monitor_sampling_interval,
    }
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
        for name, setter in known.items():
            if name in found:
                setter(found[name])
    except (OSError, TypeError, ValueError) as error:
        raise EngineError(f"Invalid file, failed to load {file}: {error}") from error


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Accepted for compatibility: an iterator's rows are its own."""
    given = {"do_copy": do_copy, "parallel_convert": parallel_convert}
    _settings["iterator_mode"] = {name: _flag(name, value) for name, value in given.items()}


def get_iterator_mode() -> dict[str, bool]:
    """Return what ``set_iterator_mode`` was given, or False for both."""
    return dict(_settings.get("iterator_mode", {"do_copy": False, "parallel_convert": False}))


def _shuffle_seed() -> int:
    """Return the seed of a new iterator: the one set last; a new one for none, or the default."""
    seed = get_seed()
    return int(np.random.SeedSequence().generate_state(1)[0]) if seed == _DEFAULT_SEED else seed


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
