"""Writes the README's table of the names of MindSpore that msgrad has; a test compares it.

Run as ``python -m tests.record_coverage`` after a change to what is public.
"""

from __future__ import annotations

from msgrad.porting.coverage import coverage
from tests._marked import write_part


def table() -> str:
    """Give the counts as a Markdown table."""
    rows = [(row.owner, row.have, row.total) for row in coverage()]
    have, total = (sum(row[i] for row in rows) for i in (1, 2))
    lines = ["| names of | in msgrad | of |", "|---|---|---|"]
    lines += [f"| `{owner}` | {have} | {total} |" for owner, have, total in rows]
    return "\n".join([*lines, f"| all | {have} | {total} |"]) + "\n"


if __name__ == "__main__":
    write_part("coverage", table())
