"""The garbage collector waits while an import or a trace makes what stays."""

from __future__ import annotations

import gc

import pytest

import msgrad as ms
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
