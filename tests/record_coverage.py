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
        total = rows.setdefault(owner if "._" not in owner else "internal spellings", [0, 0])
        total[0] += row.have
        total[1] += row.total
    lines = ["| names of | in msgrad | of |", "|---|---|---|"]
    for owner, (have, total) in rows.items():
        label = owner if owner == "internal spellings" else f"`{owner}`"
        lines.append(f"| {label} | {have} | {total} |")
    have, total = (sum(counts) for counts in zip(*rows.values(), strict=True))
    return "\n".join([*lines, f"| all | {have} | {total} |"]) + "\n"


if __name__ == "__main__":
    write_part("coverage", table())
