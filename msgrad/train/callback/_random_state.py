"""The state of msgrad's random generator as entries of a checkpoint; no file is read or written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp

from msgrad._core import random
from msgrad._core.bridge import unwrap, wrap

__all__ = ["restore_random_state"]

ENTRY = "random_state"


def random_state() -> dict[str, Any]:
    """Return the state of each stream as a Tensor (2,) uint32, by the name of its entry."""
    random.generator()
    return {
        ENTRY if seed is None else f"{ENTRY}.{seed}": wrap(jnp.copy(stream._read()))
        for seed, stream in random._streams.items()
    }


def restore_random_state(parameter_dict: Mapping[str, Any]) -> bool:
    """Put the random generator back to where it was when a checkpoint was written.

    NumPy's global generator is not part of it.

    Args:
        parameter_dict: What ``load_checkpoint`` gave for a file that ``ModelCheckpoint`` wrote with
            ``append_info=["random_state"]``.

    Returns:
        Whether the file had the state.
    """
    found = {name: unwrap(value) for name, value in parameter_dict.items() if _seed_of(name)}
    for name, raw in found.items():
        random.generator(_seed_of(name)[0])._write(raw)  # type: ignore[index]
    return bool(found)


def _seed_of(name: str) -> tuple[int | None] | None:
    if name == ENTRY:
        return (None,)
    first, _, seed = name.partition(".")
    return (int(seed),) if first == ENTRY and seed.isdigit() else None
