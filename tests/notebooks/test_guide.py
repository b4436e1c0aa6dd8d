"""The migration guide runs every row of its table; the README shows a picture of a notebook."""

from __future__ import annotations

import re

from tests.notebooks.picture import PICTURE, figure
from tests.notebooks.record import NOTEBOOKS, ROOT, read

GUIDE = (NOTEBOOKS / "migration_guide.py").read_text()


def test_every_row_of_the_table_has_a_cell_that_asserts():
    rows = re.findall(r"^# \| \[(.+?)\]\(#(\S+?)\) \|", GUIDE, re.MULTILINE)
    headings = re.findall(r"^# ### (?!\d)(.+)$", GUIDE, re.MULTILINE)
    asserted = re.findall(r'^agree\(\s*"(.+?)"', GUIDE, re.MULTILINE)
    assert [name for name, _ in rows] == headings == asserted
    assert [anchor for _, anchor in rows] == [name.replace(" ", "-") for name in headings]


def test_links_of_the_guide_lead_somewhere():
    links = re.findall(r"\]\((\.\./\S+?|\w+\.ipynb)\)", GUIDE)
    assert links
    assert all((NOTEBOOKS / link).is_file() for link in links)


def test_picture_is_the_notebooks_figure():
    assert PICTURE.read_bytes() == figure(), "run python -m tests.notebooks.picture"


def test_readme_links_every_notebook():
    readme = (ROOT / "README.md").read_text()
    linked = re.findall(r"\(notebooks/(\w+)\.ipynb\)", readme)
    assert sorted(linked) == sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
    assert all(read(name).cells[0].cell_type == "markdown" for name in linked)
