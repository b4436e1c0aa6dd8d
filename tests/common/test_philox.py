"""The random stream of initial weights, by published vectors and by its own laws."""

from __future__ import annotations

import time

import numpy as np
import pytest

from msgrad._core import philox

# The known answer of the Random123 distribution for philox4x32-10 with key and counter zero: what
# seed 0 begins with, as the counter is made of the block number and the seed.
ZERO_VECTOR = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


def test_known_answer():
    assert philox.random_words(0, 4).tolist() == ZERO_VECTOR


def test_the_stream_does_not_depend_on_how_much_is_asked():
    many = philox.random_words(2**62 + 12345, 100_000)
    for count in (0, 1, 3, 4, 5, 32_767, 32_768, 32_769, 99_999):
        np.testing.assert_array_equal(philox.random_words(2**62 + 12345, count), many[:count])


def test_seeds_give_different_streams():
    streams = [
        philox.random_words(seed, 4).tolist() for seed in (1, 2, 2**32, 2**32 + 1, 2**63 - 1)
    ]
    assert len({tuple(stream) for stream in streams}) == len(streams)


@pytest.mark.parametrize("count", [1, 2, 3, 32_769])
def test_normal_of_any_length_is_a_prefix(count):
    np.testing.assert_array_equal(
        philox.normal(7, count, 0.5, 2.0), philox.normal(7, 40_000, 0.5, 2.0)[:count]
    )


# Ten standard errors of the sample mean and deviation of a million numbers.
SLACK = 10 / 1000


def test_uniform_moments():
    values = philox.uniform(3, 1_000_000, -1.0, 3.0)
    assert values.dtype == np.float32
    assert values.min() >= -1.0
    assert values.max() <= 3.0
    assert abs(values.mean() - 1.0) < 2 * SLACK
    assert abs(values.std() - 4 / np.sqrt(12)) < 2 * SLACK


def test_normal_moments():
    values = philox.normal(3, 1_000_000, 1.0, 2.0)
    assert values.dtype == np.float32
    assert abs(values.mean() - 1.0) < 2 * SLACK
    assert abs(values.std() - 2.0) < 2 * SLACK


def test_truncated_normal_stays_within_its_bounds():
    values = philox.truncated_normal(3, 1_000_000, 0.0, 1.0, -2.0, 2.0)
    assert np.abs(values).max() <= 2.0
    # The standard deviation of a standard normal cut at two.
    assert abs(values.std() - 0.879626) < SLACK


def test_truncated_normal_is_finite_far_outside():
    assert np.isfinite(philox.truncated_normal(3, 10, 0.0, 1.0, -300.0, -299.0)).all()
    assert np.isfinite(philox.truncated_normal(3, 10, 0.0, 1.0, 299.0, 300.0)).all()


@pytest.mark.parametrize("name", ["uniform", "normal"])
def test_a_resnet_of_weights_takes_no_noticeable_time(name):
    start = time.process_time()
    getattr(philox, name)(1, 11_700_000, 0.0, 1.0)
    # Measured 0.25 s; an implementation in a Python loop takes minutes.
    assert time.process_time() - start < 5.0
