"""Writes ``DIFFERENCES.md`` from ``differences.py``; it decides nothing about differences.

``python -m tests.parity.page``, from the root of the repository. What each family is about is the
docstring of its module, which is read and not imported.
"""

from __future__ import annotations

import ast
from itertools import groupby
from pathlib import Path

from tests.parity.differences import DIFFERENCES

HERE = Path(__file__).resolve().parent
PAGE = HERE / "DIFFERENCES.md"

_HEAD = """\
# Differences from MindSpore 2.10

Every case below was run under MindSpore 2.10.0 on a CPU and comes out differently in msgrad, on
purpose and for the reason given. All other cases in `cases/` come out alike. A line reads: the
reason, then the cases; `name[row]` is the function `name` in the family's file, with that row of
its table.

Numbers are compared to a few units of their last digit. The product of an operator is rounded
before another one adds to it, as in MindSpore, also in a compiled program; the sums that JAX makes
in a backward pass may be contracted (`a * b + c * d` with one product exact), and what cancels in
them exactly there may leave a last digit here. `MSGRAD_EAGER=op` runs each step by itself.
`XLA_FLAGS=--xla_cpu_max_isa=AVX` turns contraction off on a CPU; it is not the default, since `erf`
takes up to 16 times as long, and a compiled step of the PINN of `tests/benchmarks` 1.3 times.

Written by `python -m tests.parity.page` from `differences.py`; a test fails when it is out of date.
"""


def _about(family: str) -> str:
    source = (HERE / "cases" / f"{family}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").split("\n\n")[0].replace("\n", " ")


def render(differences: dict[str, str]) -> str:
    """Give the page: families by name, in each the reasons in the order of their first case.

    Args:
        differences: ``family:case`` and the reason that case differs.
    """
    parts = [_HEAD]
    named = [(*label.split(":", 1), reason) for label, reason in differences.items()]
    for family, entries in groupby(sorted(named, key=lambda e: e[0]), key=lambda e: e[0]):
        by_reason: dict[str, list[str]] = {}
        for _, name, reason in entries:
            by_reason.setdefault(reason, []).append(f"`{name}`")
        parts.append(f"## [{family}](cases/{family}.py)\n\n{_about(family)}\n")
        parts.append("".join(f"- {r}: {', '.join(names)}\n" for r, names in by_reason.items()))
    return "\n".join(parts)


def main() -> None:
    """Write the page."""
    PAGE.write_text(render(DIFFERENCES), encoding="utf-8")


if __name__ == "__main__":
    main()
