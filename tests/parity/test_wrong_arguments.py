"""Holds msgrad to what MindSpore raises for calls with wrong arguments, and to errors of its own.

The calls are in ``wrong_arguments/forms.py``, what MindSpore does in ``recording.json``, and in
``differences.json`` where msgrad does something else: by reason, then by form, each a list of
``argument:value``. An entry that is no longer true fails its test. ``python -m
tests.parity.test_wrong_arguments`` writes the entries that are missing, under a reason to replace.
"""

from __future__ import annotations

import builtins
import json
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import msgrad
from msgrad._core.errors import MsgradError
from tests.parity.wrong_arguments.forms import FORMS, first_builtin, namespace, outcome, variants
from tests.parity.wrong_arguments.record import LETTERS, RECORDING

DIFFERENCES = RECORDING.with_name("differences.json")
SECONDS = 20
# What a text must not name: it means nothing to someone who called MindSpore.
INTERNAL = re.compile(r"\bjax\b|Tracer|\bjnp\b|\bXLA\b|weak_type|ShapedArray|\boptax\b|\bnnx\b")
# Python's own words where it cannot bind the arguments of a call.
BINDING = re.compile(
    r"takes .*argument|unexpected keyword|multiple values|required (positional|keyword|argument)"
)


class Hang(BaseException):
    """A call did not come back."""


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # A call that loops fails its test instead of holding up the others.
    def stop(*_: Any) -> None:
        raise Hang(f"no answer within {SECONDS} s")

    monkeypatch.chdir(tmp_path)
    msgrad.install()
    before = signal.signal(signal.SIGALRM, stop)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@cache
def recorded() -> dict[str, dict[str, str]]:
    return json.loads(RECORDING.read_text())


def wanted(form: str) -> dict[str, str]:
    """Return what MindSpore does in each case of a form."""
    names = {letter: name for name, letter in LETTERS.items()}
    outcomes = {
        slot: iter(re.findall(r"\((\w+)\)|(\w)", text)) for slot, text in recorded()[form].items()
    }
    found = {}
    for slot, value, _ in variants(form):
        written_out, letter = next(outcomes[slot])
        found[f"{slot}:{value}"] = written_out or names[letter]
    return found


def agrees(want: str, error: BaseException | None) -> bool:
    """Whether a call did what MindSpore does; where that crashes, anything is as good."""
    if want == "crashed":
        return True
    if error is None or want == "accepted":
        return error is None and want == "accepted"
    kind = getattr(builtins, want)
    return isinstance(error, kind) or issubclass(getattr(builtins, first_builtin(error)), kind)


def is_internal(error: BaseException) -> bool:
    """Whether an error speaks of what stands behind msgrad."""
    if INTERNAL.search(str(error)):
        return True
    return not isinstance(error, MsgradError) and not BINDING.search(str(error))


def observed(form: str) -> tuple[dict[str, str], list[str]]:
    """Return the cases of a form that differ, with what happened, and the internal texts."""
    differing, internal = {}, []
    want = wanted(form)
    for slot, value, source in variants(form):
        signal.alarm(SECONDS)
        error = outcome(source, namespace())
        signal.alarm(0)
        case = f"{slot}:{value}"
        if not agrees(want[case], error):
            got = "accepted" if error is None else first_builtin(error)
            differing[case] = f"{want[case]} in MindSpore, {got} here: {error}"
        # What the functions of the forms raise is theirs.
        if error is not None and "forms.py" not in str(_innermost(error)) and is_internal(error):
            internal.append(f"{source}: {type(error).__name__}: {error}")
    return differing, internal


def _innermost(error: BaseException) -> str:
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    name = "" if at is None else at.tb_frame.f_code.co_name
    return "forms.py" if name in ("square", "hook", "<lambda>") else ""


@cache
def listed() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for forms in json.loads(DIFFERENCES.read_text()).values():
        for form, cases in forms.items():
            found.setdefault(form, set()).update(cases)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMS)
def test_same_type_as_mindspore(form: str) -> None:
    signal.alarm(SECONDS)
    assert outcome(form, namespace()) is None
    differing, internal = observed(form)
    known = listed().get(form, set())
    texts = "\n".join(f"{case}: {text}" for case, text in differing.items() if case not in known)
    assert not texts, texts
    assert known <= differing.keys(), f"agree now: {known - differing.keys()}"
    assert not internal, "\n".join(internal)


def test_every_form_is_recorded() -> None:
    assert list(recorded()) == list(FORMS)
    assert all(rows[""] == "accepted" for rows in recorded().values())


def test_97_of_100_raise_the_same_type() -> None:
    cases = [want for form in FORMS for want in wanted(form).values() if want != "crashed"]
    assert len(cases) > 5000
    assert sum(map(len, listed().values())) <= 0.03 * len(cases)


def main() -> None:
    """Write into ``differences.json`` what differs and is not listed; drop what agrees."""
    import os
    import tempfile
    import warnings

    warnings.simplefilter("ignore")
    msgrad.install()
    kept = json.loads(DIFFERENCES.read_text()) if DIFFERENCES.exists() else {}
    reason_of = {
        (form, case): reason
        for reason, forms in kept.items()
        for form, cases in forms.items()
        for case in cases
    }
    written: dict[str, dict[str, list[str]]] = {}
    os.chdir(tempfile.mkdtemp())
    for form in FORMS:
        differing, internal = observed(form)
        for text in internal:
            print("internal:", text[:300])
        for case, text in differing.items():
            reason = reason_of.get((form, case), f"to do: {text.split(':')[0]}")
            written.setdefault(reason, {}).setdefault(form, []).append(case)
    DIFFERENCES.write_text(json.dumps(written, indent=1) + "\n")
    total = sum(len(cases) for forms in written.values() for cases in forms.values())
    print(total, {reason: sum(map(len, forms.values())) for reason, forms in written.items()})


if __name__ == "__main__":
    main()
