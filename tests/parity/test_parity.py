"""Holds msgrad to the recordings: every case of every family, and that none is missing.

A case in which gradient calls recorded more than one operator runs once more operator by operator,
as under ``MSGRAD_EAGER=op``; for the others that would be the same again. What MindSpore gives in
GRAPH_MODE as under PYNATIVE_MODE runs in it as well, in the same test: its kernels are there.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import msgrad
from msgrad._core.deferred.recording import Recorder
from tests.parity.case import cases, observe
from tests.parity.compare import differences
from tests.parity.differences import DIFFERENCES, NOT_YET
from tests.parity.record import GRAPH_MODE, RECORDINGS, families

msgrad.install()

ORACLE = os.environ.get("MSGRAD_ORACLE_PYTHON")


@pytest.fixture(autouse=True)
def installed() -> None:
    msgrad.install()


# Held to more digits than a quick compile keeps: in MindSpore a product and a sum are one step.
FULL_COMPILE = {
    "compiled_python:quotients_near_integers",
    "grad_programs:recurrent_until_saturated",
    "optim_rules:adam_bit_for_bit",
    "wrap:loss_scale_step",
    "ops_nn:slope[gelu_tanh]",
    "ops_nn:slope[GeLU]",
}

# A compiled program cannot raise for a value: what is out of range gives nan, on CPU too.
ACCEPTED = {"losses:error_types[cross_entropy_label]", "embedding:inputs[out_of_range]"}
SAME_IN_GRAPH_MODE = {
    f"{family}:{name}"
    for family, entry in json.loads(GRAPH_MODE.read_text()).items()
    for name in entry["same"]
} - {*DIFFERENCES, *NOT_YET, *ACCEPTED}


def marks(label: str) -> list[Any]:
    return [pytest.mark.full_compile] if FULL_COMPILE & {label, label.split("[")[0]} else []


@cache
def recorded(family: str) -> dict[str, Any]:
    path = RECORDINGS / f"{family}.json"
    return json.loads(path.read_text())["cases"] if path.exists() else {}


@pytest.mark.parametrize(
    ("family", "name"),
    [
        pytest.param(family, name, id=f"{family}:{name}", marks=marks(f"{family}:{name}"))
        for family in families()
        for name in recorded(family)
    ],
)
def test_same_as_mindspore(
    family: str, name: str, monkeypatch: pytest.MonkeyPatch, fresh_state: Callable[[], None]
) -> None:
    record, calls = Recorder.record, []

    def counted(*args: Any) -> Any:
        calls.append(1)
        return record(*args)

    monkeypatch.setattr(Recorder, "record", counted)
    _hold(family, name)
    if len(calls) > 1:
        with msgrad.eager_mode("op"):
            _hold(family, name, " operator by operator")
    if f"{family}:{name}" in SAME_IN_GRAPH_MODE:
        fresh_state()
        _hold(family, name, " in GRAPH_MODE", graph=True)


def _hold(family: str, name: str, how: str = "", graph: bool = False) -> None:
    one = cases(family)[name]
    want = recorded(family)[name]
    found = differences(want, got := observe(one, graph), one.tol, one.message)
    label = f"{family}:{name}"
    if label in NOT_YET:
        assert got.get("raises", [""])[0] in ("AttributeError", "NotImplementedError"), (
            f"{label} runs now: take it out of NOT_YET"
        )
        assert NOT_YET[label] in got["text"]
    elif label in DIFFERENCES:
        assert found, f"{label} agrees with MindSpore again: take it out of differences.py"
    else:
        listed = "\n".join(found)
        assert not found, f"{label}{how}\n{listed}\nMindSpore: {want}\nmsgrad:    {got}"


@pytest.mark.parametrize("family", families())
def test_every_case_is_recorded_and_every_recording_has_a_case(family: str) -> None:
    assert list(cases(family)) == list(recorded(family)), f"record again: {family}"


def test_no_recording_without_a_family() -> None:
    assert {path.stem for path in RECORDINGS.glob("*.json")} == set(families())


def test_accepted_differences_name_cases() -> None:
    names = {f"{family}:{name}" for family in families() for name in recorded(family)}
    assert {*DIFFERENCES, *SAME_IN_GRAPH_MODE} <= names


@pytest.mark.oracle
@pytest.mark.skipif(not ORACLE, reason="MSGRAD_ORACLE_PYTHON names no interpreter")
@pytest.mark.parametrize("family", families())
def test_mindspore_still_gives_what_is_recorded(family: str, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [str(ORACLE), "-m", "tests.parity.record", "--out", str(tmp_path), family]
    subprocess.run(command, cwd=root, check=True, env={**os.environ, "PYTHONPATH": str(root)})
    live = json.loads((tmp_path / f"{family}.json").read_text())["cases"]
    assert live.keys() == recorded(family).keys()
    changed = {
        name: found
        for name, want in recorded(family).items()
        if "crashed" not in want and (found := differences(want, live[name], message=True))
    }
    assert not changed
