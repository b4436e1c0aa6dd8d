"""GRAPH_MODE: what MindSpore gives in it as under PYNATIVE_MODE, msgrad gives in it as well."""

from __future__ import annotations

import json
from typing import Any

import pytest

import msgrad
from tests.parity.case import cases, observe
from tests.parity.compare import differences
from tests.parity.differences import DIFFERENCES, NOT_YET
from tests.parity.record import GRAPH_MODE
from tests.parity.test_parity import marks, recorded

msgrad.install()

# A compiled program cannot raise for a value: what is out of range gives nan, on CPU too.
ACCEPTED = {"losses:error_types[cross_entropy_label]", "embedding:inputs[out_of_range]"}
SAME: dict[str, Any] = {f: entry["same"] for f, entry in json.loads(GRAPH_MODE.read_text()).items()}


@pytest.fixture(autouse=True)
def installed() -> None:
    msgrad.install()


@pytest.mark.parametrize(
    ("family", "name"),
    [
        pytest.param(family, name, id=f"{family}:{name}", marks=marks(f"{family}:{name}"))
        for family, names in SAME.items()
        for name in names
        if f"{family}:{name}" not in {*DIFFERENCES, *NOT_YET, *ACCEPTED}
    ],
)
def test_same_in_graph_mode(family: str, name: str) -> None:
    one = cases(family)[name]
    want = recorded(family)[name]
    found = differences(want, got := observe(one, graph=True), one.tol, one.message)
    listed = "\n".join(found)
    assert not found, f"{family}:{name}\n{listed}\nMindSpore: {want}\nmsgrad:    {got}"
