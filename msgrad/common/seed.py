"""The global seed: `set_seed`, `get_seed`; what it seeds is in `_core.random` and in NumPy."""

from __future__ import annotations

import random

import numpy as np

from msgrad._core.checks import of_type, within

__all__ = ["get_seed", "set_seed"]

# Of the process, not of the thread: a data-loading thread must see the seed that the program set.
_global_seed: int | None = None
_seedings = 0


def set_seed(seed: int) -> None:
    """Seed initial weights, random operators, Python's and NumPy's global generators.

    Args:
        seed: int, 0 to 2**32 - 1.

    Raises:
        TypeError: if `seed` is not an int (a bool is not).
        ValueError: if `seed` is outside the range.
    """
    global _global_seed, _seedings
    of_type("set_seed", "seed", seed, int)
    within("set_seed", "seed", seed, f"[0, {2**32})")
    # Imported late: most programs that only build weights never need the device generator.
    from msgrad._core.random import seed_generator
    from msgrad.common.generator import default_generator

    seed_generator(seed)
    default_generator._seed = seed
    random.seed(seed)
    np.random.seed(seed)
    _global_seed = seed
    _seedings += 1


def _get_graph_seed(op_seed: int | None, kernel_name: str) -> tuple[int, int]:
    """Return the global seed and one of an operator's own, as operators take them."""
    from msgrad._core.random import seeds_of

    return seeds_of(kernel_name, op_seed)


def _times_seeded() -> int:
    """Return how often `set_seed` was called: what else can be seeded goes by the later call."""
    return _seedings


def get_seed() -> int | None:
    """Return the seed that `set_seed` was last given, or None."""
    return _global_seed
