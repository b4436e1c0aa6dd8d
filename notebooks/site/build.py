"""Builds the documentation site: ``python notebooks/site/build.py OUT [option of sphinx-build ...]``.

Its sources are the pages beside this file, the notebooks with the outputs they were recorded with,
parts of the README, the differences, the changelog, and what is written from the exports: coverage
and reference. Warnings are errors, and so is a link within the site that leads nowhere.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

from links import broken
from reference import pages, reason
from sphinx.cmd.build import main as sphinx

from msgrad.porting.coverage import mindspore_names, value_of
from tests.record_coverage import table

# Links that lead out of the notebooks, or from one file to another, and where they lead here.
_LINKS = {
    r"\(\.\./README\.md\)": "(speed.md)",
    r"\((\.\./)?tests/parity/DIFFERENCES\.md\)": "(differences.md)",
    r"\(notebooks/": "(",
    r"\[([^]\n]+)\]\(cases/[^)]+\)": r"\1",
    # Jupyter keeps capitals in the anchor of a heading.
    r"\(#[\w-]+\)": lambda link: link[0].lower(),
}


def gather(source: Path) -> None:
    """Put the sources of all pages into a folder."""
    copied = {path.name: path for path in [*HERE.glob("*.md"), *HERE.parent.glob("*.ipynb")]}
    copied["README.md"] = ROOT / "README.md"
    copied["changelog.md"] = ROOT / "CHANGELOG.md"
    copied["differences.md"] = ROOT / "tests/parity/DIFFERENCES.md"
    for name, path in copied.items():
        text = path.read_text()
        for link, here in _LINKS.items():
            text = re.sub(link, here, text)
        (source / name).write_text(text)
    for path in HERE.parent.glob("*.png"):
        shutil.copy(path, source)
    (source / "coverage.md").write_text(coverage())
    (source / "reference").mkdir()
    for name, text in pages().items():
        (source / "reference" / f"{name}.rst").write_text(text)


def coverage() -> str:
    """Return the page of what is there and what is left out, in Markdown."""
    why = defaultdict(list)
    for name in mindspore_names():
        if text := reason(value_of(name)):
            why[text].append(f"`{name.removeprefix('mindspore.')}`")
    left_out = "\n".join(f"- {text}: {', '.join(names)}" for text, names in sorted(why.items()))
    return (
        "# How much of MindSpore\n\nOf the public names of MindSpore 2.10.0:\n\n"
        f"{table()}\n## Left out\n\nThese raise NotImplementedError, with the reason and what to use "
        f"instead:\n\n{left_out}\n"
    )


def main(out: Path, *options: str) -> int:
    """Build the site; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        source.mkdir()
        gather(source)
        asked = ["-q", "-W", "--keep-going", "-j", "2", "-c", str(HERE), "-d", f"{folder}/doctrees"]
        failed = sphinx([*asked, *options, str(source), str(out)])
    lost = broken(out)
    print("\n".join(lost) or f"{len([*out.rglob('*.html')])} pages, every link leads somewhere")
    return failed or len(lost) > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
