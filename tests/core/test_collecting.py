"""The garbage collector waits while an import or a trace makes what stays."""

from __future__ import annotations

import gc

import pytest

import msgrad as ms
from msgrad._core import collecting
from msgrad._core.collecting import uncollected


@pytest.mark.parametrize("collecting", [True, False])
def test_it_is_as_it_was(monkeypatch, collecting):
    calls = []
    monkeypatch.setattr("gc.isenabled", lambda: collecting)
    monkeypatch.setattr("gc.disable", lambda: calls.append("disable"))
    monkeypatch.setattr("gc.enable", lambda: calls.append("enable"))
    with pytest.raises(ImportError), uncollected():
        raise ImportError
    assert calls == ["disable", *["enable"] * collecting]


@pytest.mark.parametrize(
    ("aside", "done"), [(0, [*["freeze", "unfreeze"] * 2, "collect"]), (7, [])]
)
def test_what_is_made_counts_as_old_until_it_is_too_much(monkeypatch, aside, done):
    calls, kept, young = [], [], gc.collect
    monkeypatch.setattr(collecting, "_made", made := collecting._Made())
    made.count = 0
    monkeypatch.setattr(collecting, "_FULL", 60_000)
    monkeypatch.setattr("gc.get_freeze_count", lambda: aside)
    for name in ("freeze", "unfreeze", "collect"):
        monkeypatch.setattr(f"gc.{name}", lambda name=name: calls.append(name))
    for count in (25_000, 100, 25_000, 25_000):
        young(0)
        with uncollected():
            kept += [[] for _ in range(count)]
    assert calls == done


def test_a_compiled_function_is_traced_without_it():
    seen = []

    @ms.jit
    def f(x):
        seen.append(gc.isenabled())
        return x * 2

    assert gc.isenabled()
    f(ms.Tensor([1.0]))
    assert seen
    assert not any(seen)
    assert gc.isenabled()


def test_it_is_on_again_after_a_trace_that_failed():
    def f(x):
        return ms.ops.matmul(x, x)

    for run in (ms.jit(f), ms.grad(f)):
        with pytest.raises(Exception, match="do not fit"):
            run(ms.Tensor([[1.0, 2.0]]))
    assert gc.isenabled()
