"""``mindspore.dataset.config``: the seed of shuffles; other settings are accepted and kept only."""

from __future__ import annotations

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common.seed import get_seed as global_seed

# MindSpore's own, given as long as none is set; it then shuffles differently each time.
_DEFAULT_SEED = 5489
_settings: dict[str, int] = {}


def set_seed(seed: int) -> None:
    """Seed the shuffles of datasets and the random transforms; they begin anew.

    Args:
        seed: int, 0 to 2**32 - 1.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is outside the range.
    """
    _settings["seed"] = _an_int("seed", seed, 0, 2**32 - 1)
    _settings["seeded"] = _settings.get("seeded", 0) + 1


def get_seed() -> int:
    """Return the seed of shuffles."""
    return _settings.get("seed", _DEFAULT_SEED)


def set_num_parallel_workers(num: int) -> None:
    """Accepted for compatibility: data are made in the thread that asks for them."""
    _settings["workers"] = _an_int("num", num, 1, 2**31 - 1)


def get_num_parallel_workers() -> int:
    """Return what ``set_num_parallel_workers`` was given."""
    return _settings.get("workers", 8)


def set_prefetch_size(size: int) -> None:
    """Accepted for compatibility: nothing is made ahead."""
    _settings["prefetch"] = _an_int("size", size, 1, 2**31 - 1)


def get_prefetch_size() -> int:
    """Return what ``set_prefetch_size`` was given."""
    return _settings.get("prefetch", 16)


def _shuffle_seed() -> int:
    """Return the seed of a new iterator: that of datasets, else the global one, else a new one."""
    if "seed" in _settings:
        return _settings["seed"]
    seed = global_seed()
    return int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed


def _version() -> object:
    """Return what changes whenever a seed is set."""
    return _settings.get("seeded"), global_seed()


def _an_int(name: str, value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ArgumentTypeError(f"{name} isn't of type int, but got {type(value).__name__}.")
    if not low <= value <= high:
        raise ArgumentValueError(f"{name} must be {low} to {high}, but got {value}.")
    return value


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
