"""What several tests of the engine's room begin with."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import pytest


@pytest.fixture
def anything_is_kept() -> Iterator[float]:
    """Let JAX keep programs on disk however fast they compiled; gives the threshold in seconds."""
    name, seconds = "jax_persistent_cache_min_compile_time_secs", 1e-9
    before = jax.config.values[name]
    jax.config.update(name, seconds)
    yield seconds
    jax.config.update(name, before)
