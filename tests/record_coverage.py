"""Writes the README's table of the names of MindSpore that msgrad has; a test compares it.

Run as ``python -m tests.record_coverage`` after a change to what is public.
"""

from __future__ import annotations

from msgrad.porting.coverage import coverage
from tests._marked import write_part


def table() -> str:
    """Return the counts as a Markdown table: a row for each package and class of the top level."""
    rows: dict[str, list[int]] = {}
    for row in coverage():
        owner = ".".join(row.owner.split(".")[:2])
        total = rows.setdefault(owner if "._" not in owner else "internal spellings", [0, 0, 0])
        for i, count in enumerate((row.have, row.refused, row.total)):
            total[i] += count
    lines = ["| names of | in msgrad | left out | of |", "|---|---|---|---|"]
    for owner, counts in rows.items():
        label = owner if owner == "internal spellings" else f"`{owner}`"
        lines.append(f"| {label} | {' | '.join(map(str, counts))} |")
    counts = [sum(column) for column in zip(*rows.values(), strict=True)]
    return "\n".join([*lines, f"| all | {' | '.join(map(str, counts))} |"]) + "\n"


if __name__ == "__main__":
    write_part("coverage", table())
