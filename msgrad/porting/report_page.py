"""A ``Report`` as text for a terminal, and as one HTML page with a timeline."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from typing import Any

from msgrad.porting.report import Report, Span

_MOST = 12
_COLORS = {
    "import": "#8da0cb",
    "trace": "#fc8d62",
    "lower": "#e5c494",
    "compile": "#e78ac3",
    "run": "#66c2a5",
}
_CURES = {
    "plain": "Move what needs the value out of the compiled function, or return the Tensor.",
    "values": "Each of these waits for the device and cuts the program there. Return the Tensor "
    "from the function and look at it after the call, or look at it every N steps.",
    "anew": "Pad inputs to a few shapes; keep numbers that change in Tensors or Parameters.",
}
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222;
  margin: 2em auto; padding: 0 1em; max-width: 60em }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 2em }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .2em .8em .2em 0; border-bottom: 1px solid #ddd }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
code { font-size: .92em } .cure { color: #555 } .key { display: inline-block; margin-right: 1.2em }
.key i { display: inline-block; width: .9em; height: .9em; margin-right: .4em }
svg { width: 100%; height: 11em; background: #f7f7f7 }
"""


def _sections(report: Report) -> list[tuple[str, Sequence[str], list[tuple[Any, ...]], str]]:
    """Return title, columns, rows and cure of each table; columns that end in ``#`` are numbers."""
    compiled = [(n, c, f"{s:.2f}") for n, c, s in report.compiled[:_MOST]]
    operators = [(n, c, f"{1e3 * s:.1f}") for n, c, s in report.operators[:_MOST]]
    programs = sum(count for _, count, _ in report.compiled)
    return [
        (
            f"Compiled: {programs} programs, {report.from_disk} of them from the disk",
            ("program", "times#", "seconds#"),
            compiled,
            "",
        ),
        (
            "Compiled anew",
            ("function", "programs#", "for"),
            [(name, len(kinds), "; ".join(kinds[:4])) for name, kinds in report.anew],
            _CURES["anew"],
        ),
        (
            "Ran as plain Python",
            ("function", "because", "kinds of calls#"),
            list(report.plain),
            _CURES["plain"],
        ),
        (
            "Values needed within a gradient call",
            ("line", "times#"),
            [(_with_source(line), count) for line, count in report.values[:_MOST]],
            _CURES["values"],
        ),
        (
            f"Slowest operators, in the first {report.watched:.0f} s",
            ("operator", "calls#", "ms#"),
            operators,
            "",
        ),
        (
            "Memory",
            ("of", "MiB#"),
            [(of, f"{size / 2**20:.0f}") for of, size in report.memory.items()],
            "",
        ),
    ]


def _with_source(line: str) -> str:
    import linecache

    file, _, number = line.rpartition(":")
    source = linecache.getline(file, int(number)).strip() if number.isdigit() else ""
    return f"{os.path.relpath(file) if file else line}:{number}  {source}"


def as_text(report: Report) -> str:
    """Return the report for a terminal."""
    lines = [
        f"\nmsgrad report: {' '.join(report.program)}, {report.seconds:.1f} s",
        "  " + " | ".join(f"{stage} {took:.1f} s" for stage, took in report.stages.items()),
    ]
    for title, columns, rows, cure in _sections(report):
        if not rows:
            continue
        lines += ["", title]
        cells = [[str(cell) for cell in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            padded = [
                cell.rjust(width) if name.endswith("#") else cell.ljust(width)
                for cell, width, name in zip(row, widths, columns, strict=True)
            ]
            lines.append("  " + "  ".join(padded).rstrip())
        if cure:
            lines.append(f"  -> {cure}")
    return "\n".join(lines)


def as_page(report: Report) -> str:
    """Return the report as an HTML page that needs nothing else."""
    program = escape(" ".join(report.program))
    keys = "".join(
        f'<span class="key"><i style="background:{_COLORS[stage]}"></i>{stage} {took:.1f} s</span>'
        for stage, took in report.stages.items()
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>msgrad report: {program}</title>
<style>{_STYLE}</style></head><body>
<h1>{program}: {report.seconds:.1f} s</h1>
<p>{keys}</p>
{_timeline(report)}
{"".join(_table(*section) for section in _sections(report))}
</body></html>
"""


def _timeline(report: Report) -> str:
    """Return bars by time; a row for each stage, the program's own running beneath."""
    rows = list(_COLORS)
    scale = 1000 / max(report.seconds, 1e-9)

    def bar(span: Span) -> str:
        x, width = span.start * scale, max(span.seconds * scale, 0.5)
        y = 10 + 30 * rows.index(span.stage)
        title = escape(f"{span.stage} {span.name}: {span.seconds:.3f} s, at {span.start:.2f} s")
        return (
            f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="22" '
            f'fill="{_COLORS[span.stage]}"><title>{title}</title></rect>'
        )

    begun = report.stages["import"]
    whole = Span("run", "the program", begun, max(report.seconds - begun, 0.0))
    # Others are too short to be seen among so many.
    longest = sorted([*report.spans, whole], key=lambda span: -span.seconds)[:2000]
    bars = "".join(map(bar, longest))
    return (
        f'<svg viewBox="0 0 1000 165" preserveAspectRatio="none" role="img" '
        f'aria-label="timeline">{bars}</svg>'
    )


def _table(title: str, columns: Sequence[str], rows: list[tuple[Any, ...]], cure: str) -> str:
    if not rows:
        return ""
    classes = [' class="number"' if name.endswith("#") else "" for name in columns]
    head = "".join(
        f"<th{kind}>{escape(name.rstrip('#'))}</th>"
        for name, kind in zip(columns, classes, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{escape(str(cell))}</td>" for cell, kind in zip(row, classes, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    text = f'<p class="cure">{escape(cure)}</p>' if cure else ""
    return f"<h2>{escape(title)}</h2><table><tr>{head}</tr>{body}</table>{text}"
