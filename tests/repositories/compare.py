"""Compares the numbers that a driver wrote under the two libraries, as a table in Markdown.

Run from the root of the repository, with the files of `--out`, the real MindSpore's first::

    python -m tests.repositories.compare mindspore.json msgrad.json [graph.json ...]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def apart(right: Any, left: Any) -> float:
    """Return the greatest difference of two numbers or lists, relative where they are above 1."""
    if isinstance(right, (int, float)):
        return abs(right - left) / max(1.0, abs(right))
    return max((apart(one, other) for one, other in zip(right, left, strict=True)), default=0.0)


def outputs_apart(right: dict[str, Any], left: dict[str, Any]) -> float:
    """Return the greatest difference of outputs in units of their spread (at least 1)."""
    if "values" not in right or "values" not in left:
        return apart([right["sum"], right["spread"]], [left["sum"], left["spread"]])
    pairs = zip(right["values"], left["values"], strict=True)
    return max(abs(one - other) for one, other in pairs) / max(1.0, right["spread"])


def norms_apart(right: dict[str, float], left: dict[str, float]) -> tuple[float, str]:
    """Return the greatest relative difference of the norms of gradients that matter, and whose."""
    if list(right) != list(left):
        return float("nan"), "names differ"
    floor = 1e-3 * max(right.values(), default=0.0)
    found = [(abs(left[name] - one) / max(one, floor), name) for name, one in right.items()]
    return max(found, default=(0.0, ""))


def row(name: str, right: dict[str, Any] | None, left: dict[str, Any]) -> str:
    """Return the line of one model."""
    cells = [name]
    for one in (right, left):
        cells.append("-" if one is None else one.get("raises", "ran").split("\n")[0][:60])
    if right is None or "raises" in right or "raises" in left:
        return "| " + " | ".join(cells) + " | | | |"
    cells.append(f"{outputs_apart(right, left):.0e}")
    cells.append(f"{apart(right['losses'], left['losses']):.0e}")
    if "norms" in right:
        difference, whose = norms_apart(right["norms"], left["norms"])
        cells.append(f"{difference:.0e}" + (f" {whose}" if not difference < 1e-3 else ""))
    else:
        cells.append("")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    expected = json.loads(Path(sys.argv[1]).read_text())
    for path in sys.argv[2:]:
        print(f"\n{path}\n\n| model | MindSpore | msgrad | outputs | losses | gradients |")
        print("|---|---|---|---|---|---|")
        for name, left in json.loads(Path(path).read_text()).items():
            print(row(name, expected.get(name), left))


if __name__ == "__main__":
    main()
