"""The operator families fit together: what they export is said by their rows, each name once."""

from __future__ import annotations

from types import ModuleType

import pytest

from msgrad import ops
from msgrad._core.registry import ROWS, Row
from msgrad.ops import arithmetic, reduction
from msgrad.ops._families import exports


def test_every_listed_name_exists_once():
    assert len(set(ops.__all__)) == len(ops.__all__)
    assert not [name for name in ops.__all__ if not hasattr(ops, name)]


def test_no_two_families_define_one_name(monkeypatch):
    monkeypatch.setattr("msgrad.ops._families.ROWS", {})
    other = ModuleType("other")
    other.add = reduction.sum
    with pytest.raises(ValueError, match=r"ops\.add is defined twice"):
        exports([arithmetic, other])


def test_a_class_of_a_row_is_made_when_it_is_asked_for(monkeypatch):
    monkeypatch.delitem(vars(ops), "Hypot", raising=False)
    assert "Hypot" in dir(ops)
    made = ops.Hypot
    assert made is ops.Hypot is vars(ops)["Hypot"]
    assert issubclass(made, ops.Primitive)


def test_the_names_of_a_row_are_those_its_module_has_for_it():
    row = ROWS[id(ops.floor_divide)]
    assert isinstance(row, Row)
    assert row.names == ["floor_divide", "floor_div", "tensor_floordiv", "floordiv"]
    assert ops.floor_div is ops.floor_divide
