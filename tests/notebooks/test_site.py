"""The pages of the site: their code runs, the reference has each name once, dead links are found.

That Sphinx builds it without a warning, ``.ci/run`` sees.
"""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from types import ModuleType

import pytest

import msgrad
from tests.notebooks.record import NOTEBOOKS

SITE = NOTEBOOKS / "site"


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"site_{name}", SITE / f"{name}.py")
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("get_started", ["step 0: loss", "'hidden.weight'", "(3, 32)", "(5, 3)"]),
        ("compiled", ["(compiled.md, block 1:7", "(10,)", "JitStats"]),
        ("devices", ["0."]),
    ],
)
def test_the_code_of_a_page_runs(page, says, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (SITE / f"{page}.md").read_text(), re.M | re.S)
    names = {"__name__": "__main__"}
    with msgrad.install():
        for number, block in enumerate(blocks):
            exec(compile(block, f"{page}.md, block {number}", "exec"), names)
    shown = capsys.readouterr().out
    assert [text for text in says if text not in shown] == []


def test_the_reference_has_each_name_once():
    made = module("reference").pages()
    listed = Counter(re.findall(r"^\.\. auto\w+:: (\S+)", "".join(made.values()), re.M))
    assert [name for name, count in listed.items() if count > 1] == []
    assert {"msgrad.nn.Dense", "msgrad.ops.add", "msgrad.interop.functionalize"} < set(listed)
    assert "autofunction:: msgrad.ops.conv2d" in made["ops.conv_ops"]
    assert "   :members:" in made["Tensor"]
    # Left out, and so on the page of coverage.
    assert "msgrad.ops.BasicLSTMCell" not in listed
    assert module("reference").reason(msgrad.ops.BasicLSTMCell)


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">.</a><a href="b.html#gone">.</a><a href="c.html">.</a>'
        '<a id="here"></a><a href="#here">.</a><a href="https://x.org/c.html">.</a>'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">.</h1><img src="missing.png">')
    assert sorted(module("links").broken(tmp_path)) == [
        "a.html: b.html#gone",
        "a.html: c.html",
        "b.html: missing.png",
    ]
