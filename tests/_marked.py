"""Generated parts of the README: what stands between two marks."""

from __future__ import annotations

from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def _parts(readme: Path, name: str) -> tuple[str, str, str]:
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, _, rest = readme.read_text().partition(begin)
    inside, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{readme.name} must have the lines {begin.strip()} and {end}")
    return before + begin, inside, end + after


def read_part(name: str, readme: Path = README) -> str:
    """Give what stands between the marks ``name: begin`` and ``name: end``."""
    return _parts(readme, name)[1]


def write_part(name: str, text: str, readme: Path = README) -> None:
    """Replace what stands between the marks.

    Raises:
        ValueError: If the README does not have them.
    """
    before, _, after = _parts(readme, name)
    readme.write_text(f"{before}{text}{after}")
