"""The operator families fit together: no name is defined by two of them."""

from __future__ import annotations

from collections import Counter

from msgrad import ops


def test_no_two_families_define_one_name():
    assert not [name for name, count in Counter(ops.__all__).items() if count > 1]


def test_every_listed_name_exists():
    assert not [name for name in ops.__all__ if not hasattr(ops, name)]
