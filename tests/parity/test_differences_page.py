"""The page of differences is what ``differences.py`` says now."""

from __future__ import annotations

from tests.parity.differences import DIFFERENCES
from tests.parity.page import PAGE, render


def test_committed_page_is_current() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == render(DIFFERENCES), "write it again: python -m tests.parity.page"


def test_cases_of_one_reason_share_a_line() -> None:
    page = render({"layers:a": "one", "grad_hooks:b[c:d]": "two", "layers:e": "one"})
    assert page.index("(cases/grad_hooks.py)") < page.index("(cases/layers.py)")
    assert "\n- two: `b[c:d]`\n" in page
    assert "\n- one: `a`, `e`\n" in page
