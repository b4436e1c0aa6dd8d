"""``python -m msgrad report``: the line that costs time is named, in text and on a page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from msgrad.porting.report import Report, Span, _operator_of, _stages
from msgrad.porting.report_page import as_page, as_text

PROGRAM = """
import sys

import numpy as np
import mindspore as ms
from mindspore import Tensor

def forward(x):
    loss = (x * x).sum()
    if float(loss) > 100:
        print("diverged")
    return loss * 2

for _ in range(3):
    ms.value_and_grad(forward)(Tensor(np.ones(4, np.float32)))

double = ms.jit(lambda x: x * 2)
for size in (2, 3):
    double(Tensor(np.ones(size, np.float32)))

@ms.jit
def shown(x):
    return x * float(x.asnumpy().sum())

shown(Tensor([1.0]))
print("arguments", sys.argv[1:])
raise SystemExit(7)
"""


def report(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-m", "msgrad", "report", *words]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


class Tags(HTMLParser):
    """The tags of a page; each but the last ones must be closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_program_with_a_value_in_its_forward_pass(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    found = report("--html", "page.html", "program.py", "--lr", "3", cwd=tmp_path)
    # The program itself is as it would be under `run`.
    assert found.stdout == "arguments ['--lr', '3']\n"
    assert found.returncode == 7
    text = found.stderr
    assert "msgrad report: program.py --lr 3" in text
    assert "program.py:10  if float(loss) > 100:" in text.replace("\n", " ")
    # The end of a gradient call runs the rest; that is nobody's value.
    assert "ms.value_and_grad(forward)" not in text
    assert "float32[2]; float32[3]" in text
    assert "return x * float(x.asnumpy().sum())" in text
    assert "Mul" in text.partition("Slowest operators")[2]
    page = (tmp_path / "page.html").read_text()
    tags = Tags(page)
    assert not tags.open
    assert {"svg", "rect", "table"} < set(tags.seen)
    assert "if float(loss) &gt; 100:" in page


@pytest.mark.parametrize("words", [[], ["--html"], ["--seconds", "soon", "program.py"]])
def test_what_is_not_understood(words, tmp_path):
    found = report(*words, cwd=tmp_path)
    assert found.returncode == 1
    assert "usage: python -m msgrad report" in found.stderr


def test_stages_are_told_apart_and_add_up():
    spans = [
        Span("import", "", 0.0, 1.0),
        Span("trace", "inner", 1.2, 0.2),
        Span("trace", "outer", 1.0, 1.0),
        Span("compile", "inside the trace", 1.5, 0.25),
    ]
    stages = _stages(spans, 4.0)
    assert stages == pytest.approx(
        {"import": 1.0, "trace": 0.75, "lower": 0.0, "compile": 0.25, "run": 2.0}
    )


def test_operators_have_mindspores_names():
    assert _operator_of("jit(run)/jvp(jit(ReLU))/jit(relu)/max") == "ReLU"
    assert _operator_of("jit(run)/transpose(jvp(jit(Dense)))/dot_general") == "Dense, backward"
    assert _operator_of("reduce_sum") == "reduce_sum"


def test_a_page_escapes_what_programs_are_called():
    nothing = Report(["<b>.py"], 1.0, {"import": 1.0, "run": 0.0}, [], [], 0, [], [], [], [], 0.0)
    assert "<b>" not in as_page(nothing)
    assert as_text(nothing).startswith("\nmsgrad report: <b>.py, 1.0 s")


BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")


@pytest.mark.skipif(BROWSER is None, reason="needs chromium, to look at the page in it")
def test_the_page_in_a_browser(tmp_path):
    spans = [Span("import", "jax", 0.0, 1.0), Span("compile", "step", 1.5, 2.0)]
    stages = {"import": 1.0, "compile": 2.0, "run": 1.0}
    values = [("program.py:10", 3)]
    whole = Report(
        ["program.py"], 4.0, stages, spans, [("step", 1, 2.0)], 0, [], [], values, [], 0.0
    )
    (tmp_path / "page.html").write_text(as_page(whole))

    seen = subprocess.run(
        [
            *(str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu"),
            *(
                f"--user-data-dir={tmp_path}/user",
                "--enable-logging=stderr",
                "--window-size=900,700",
            ),
            *("--dump-dom", f"--screenshot={tmp_path}/page.png", "page.html"),
        ],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert b":CONSOLE" not in seen.stderr
    page = seen.stdout.decode()
    assert page.count("<rect ") == len(spans) + 1
    assert "compile step: 2.000 s, at 1.50 s" in page
    # The browser has put the rows into a body of the table.
    assert '<tbody><tr><th>program</th><th class="number">times</th>' in page
    assert "<td>program.py:10  </td>" in page
    with Image.open(tmp_path / "page.png") as picture:
        colors = picture.convert("RGB").getcolors(2**20)
    shown = {color: count for count, color in colors or ()}
    # Half of the timeline's row is compiling, in its color; a quarter is importing.
    assert shown[(0xE7, 0x8A, 0xC3)] > 1.5 * shown[(0x8D, 0xA0, 0xCB)] > 1000
