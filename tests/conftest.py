"""What every test starts from: JAX on the CPU, a fresh context, no ``mindspore`` installed."""

from __future__ import annotations

import os

# Before anything imports jax: a test must not take a GPU that happens to be there.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
import pytest

import msgrad
from msgrad._core.context import PYNATIVE_MODE
from msgrad._core.context import context as core_context
from msgrad.context import _set_options, reset_auto_parallel_context

_SEED = 2024


@pytest.fixture(autouse=True)
def fresh_state():
    """Seed the generators, and undo what a test did to the context or to ``import mindspore``."""
    np.random.seed(_SEED)
    device = jax.config.values["jax_default_device"]
    yield
    core_context.mode = PYNATIVE_MODE
    core_context.forward = None
    _set_options.clear()
    reset_auto_parallel_context()
    jax.config.update("jax_default_device", device)
    msgrad.uninstall()
