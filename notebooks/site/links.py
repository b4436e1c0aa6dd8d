"""Whether every link within a built site leads to a page, and to a place that is on it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The links and the places of a page.

    Args:
        path: Its file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.places: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what one element names."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.add(value)
            elif value and name in ("id", "name"):
                self.places.add(value)


def broken(site: Path) -> list[str]:
    """Return the links of a site that lead nowhere, a line for each."""
    found = {path.resolve(): _Page(path) for path in site.rglob("*.html")}
    lost = []
    for path, page in found.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            places = found[target].places if target in found else None
            if not target.exists() or (
                parts.fragment and places is not None and unquote(parts.fragment) not in places
            ):
                lost.append(f"{path.relative_to(site.resolve())}: {link}")
    return lost
