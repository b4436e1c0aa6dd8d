"""The global seed: errors, and what it reproduces."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from msgrad.common import initializer as init
from msgrad.common.seed import get_seed, set_seed


@pytest.fixture(autouse=True)
def _restore(monkeypatch):
    # By its path, since msgrad.common.seed is the function.
    monkeypatch.setattr(sys.modules["msgrad.common.seed"], "_global_seed", None)


def test_nothing_is_set_at_first():
    assert get_seed() is None


def test_seeds_numpy():
    assert set_seed(1) is None
    assert get_seed() == 1
    assert round(np.random.rand(), 6) == 0.417022


def test_repeats_initial_weights():
    set_seed(7)
    first = init.Uniform(1.0).generate((3,), np.float32)
    set_seed(7)
    np.testing.assert_array_equal(init.Uniform(1.0).generate((3,), np.float32), first)
    assert first.tolist() == np.array([-0.15646082, -0.10943088, -0.7898739], np.float32).tolist()


@pytest.mark.parametrize("given", ["a", 1.0, None, np.int64(3), True])
def test_wrong_type(given):
    with pytest.raises(TypeError, match="seed"):
        set_seed(given)
    assert get_seed() is None


@pytest.mark.parametrize("given", [-1, 2**32, 2**64])
def test_wrong_value(given):
    with pytest.raises(ValueError, match=r"[sS]eed"):
        set_seed(given)
    assert get_seed() is None


@pytest.mark.parametrize("given", [0, 2**32 - 1])
def test_limits(given):
    set_seed(given)
    assert get_seed() == given
