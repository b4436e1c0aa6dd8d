"""Layers, losses and training cells take what MindSpore's take, and say so to ``inspect``."""

from __future__ import annotations

import inspect
import json
import pydoc
import re

import pytest

from msgrad import nn
from tests.nn.record_signatures import SIGNATURES, signatures

RECORDED = json.loads(SIGNATURES.read_text())
# The constructors of optimizers are hidden by a decorator in MindSpore.
OURS = {
    name: found
    for name, found in signatures(nn).items()
    if not getattr(nn, name).__module__.startswith(("msgrad.nn.optim", "msgrad.nn.learning_rate"))
}


@pytest.mark.parametrize("name", OURS)
def test_same_parameters_as_mindspore(name: str) -> None:
    assert name in RECORDED, f"mindspore.nn has no {name}: begin its name with an underscore"
    constructor, call = RECORDED[name]
    # Recurrent layers hide their constructor in MindSpore; here it is shown.
    hidden = name in ("GRU", "LSTM", "RNN")
    assert OURS[name] == [OURS[name][0] if hidden else constructor, call]


@pytest.mark.parametrize("name", [*OURS, "Adam", "Momentum"])
def test_a_class_shows_its_constructor(name: str) -> None:
    cls = getattr(nn, name)
    own = list(inspect.signature(cls.__init__).parameters.values())[1:]
    assert list(inspect.signature(cls).parameters.values()) == own
    if own:
        star = "*, " if own[0].kind is inspect.Parameter.KEYWORD_ONLY else ""
        # From Python 3.13 on, long signatures have a line for each parameter, behind a bar.
        first, shown = f"{name}({star}{own[0]}", pydoc.plain(pydoc.render_doc(cls))
        assert re.sub(r"[\s|]", "", first) in re.sub(r"[\s|]", "", shown)


def test_a_subclass_shows_its_own_and_a_cell_its_call() -> None:
    class Narrow(nn.Conv2d):
        def __init__(self, channels: int) -> None:
            super().__init__(channels, channels, 3)

    assert list(inspect.signature(Narrow).parameters) == ["channels"]
    assert list(inspect.signature(Narrow(2)).parameters) == ["args", "kwargs"]
