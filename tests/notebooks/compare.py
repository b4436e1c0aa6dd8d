"""What counts as a change between two executions of a notebook; nothing is executed here."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator

from nbformat import NotebookNode

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# float32 through some hundred steps; XLA orders sums by the machine's vector width and cores.
RELATIVE, ABSOLUTE = 1e-4, 1e-6


def differences(old: NotebookNode, new: NotebookNode) -> Iterator[str]:
    """Say where two executions of one notebook differ, and where the new one warned.

    Args:
        old: The notebook as it was written.
        new: The notebook as it came out now.

    Yields:
        A line for each cell that differs.
    """
    if len(old.cells) != len(new.cells):
        yield f"{len(old.cells)} cells before, {len(new.cells)} now"
        return
    for number, (before, now) in enumerate(zip(old.cells, new.cells, strict=True)):
        if before.source != now.source:
            yield f"cell {number}: the source differs"
        elif now.cell_type == "code":
            for line in _of_outputs(before.outputs, now.outputs):
                yield f"cell {number}: {line}\n{_indented(now.source)}"


def text_difference(old: str, new: str) -> str | None:
    """Say how two texts differ; None where only space or the last digits of numbers do.

    Whole numbers must be equal; a number with a point or an exponent may be off by ``RELATIVE``.
    """
    before, now = _split(old), _split(new)
    if before == now:
        return None
    same_words = before[0] == now[0] and len(before[1]) == len(now[1])
    if same_words and all(map(_close, before[1], now[1])):
        return None
    lines = difflib.ndiff(old.splitlines(), new.splitlines())
    changed = [line for line in lines if line.startswith(("-", "+"))]
    return "\n".join(["printed (-) before and (+) now:", *changed])


def printed(notebook: NotebookNode, *, without: str | None = None) -> str:
    """Give what the cells print to stdout; cells with the tag ``without`` are left out."""
    return "".join(
        output.text
        for cell in notebook.cells
        if cell.cell_type == "code" and without not in cell.metadata.get("tags", ())
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stdout"
    )


def _of_outputs(old: list[NotebookNode], new: list[NotebookNode]) -> Iterator[str]:
    for output in new:
        if output.output_type == "stream" and output.name == "stderr":
            yield f"wrote to stderr\n{_indented(output.text)}"
    before, now = [_kind(output) for output in old], [_kind(output) for output in new]
    if before != now:
        yield f"gave {before} before, {now} now"
        return
    for one, other in zip(old, new, strict=True):
        difference = text_difference(_text(one), _text(other))
        if difference:
            yield difference


def _kind(output: NotebookNode) -> tuple[str, ...]:
    if output.output_type == "stream":
        return "stream", output.name
    return output.output_type, *sorted(output.get("data", ()))


def _text(output: NotebookNode) -> str:
    """Give the text of an output; of an image nothing, its text is but its size in pixels."""
    if output.output_type == "stream":
        return output.text
    data = output.get("data", {})
    if any(kind.startswith("image/") for kind in data):
        return ""
    return str(data.get("text/plain", ""))


def _split(text: str) -> tuple[list[str], list[str]]:
    """Give the text between the numbers, without space, and the numbers."""
    words = [re.sub(r"\s+", "", part) for part in _NUMBER.split(text)]
    return words, _NUMBER.findall(text)


def _close(old: str, new: str) -> bool:
    if old.lstrip("+-").isdigit() and new.lstrip("+-").isdigit():
        return int(old) == int(new)
    return math.isclose(float(old), float(new), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip("\n").split("\n"))
