"""How a Cell shows itself in a notebook: a table of its parameters. ``repr`` is in ``cell.py``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import prod

from msgrad.common.parameter import Parameter

_HEAD = ("parameter", "shape", "dtype", "trainable", "elements")
_NUMBERS = _HEAD.index("elements")
_MOST_ROWS = 100


class DisplayMixin:
    """The part of ``Cell`` that a notebook asks for when a Cell is the value of a code cell."""

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        params = list(self.get_parameters())
        total = sum(map(_elements, params))
        trained = sum(_elements(param) for param in params if param.requires_grad)
        title = f"<b>{escape(type(self).__name__)}</b>: {_counted(params)}, {total:,} elements"
        if params:
            title += f", {trained:,} of them trainable"
        rows = [_row("th", _HEAD)] if params else []
        rows += [_row("td", _texts(param)) for param in params[:_MOST_ROWS]]
        left = params[_MOST_ROWS:]
        if left:
            elements = f"{sum(map(_elements, left)):,}"
            rows.append(_row("td", (f"and {len(left)} more", "", "", "", elements)))
        return f"<div>{title}</div>" + (f"<table>{''.join(rows)}</table>" if rows else "")


def _elements(param: Parameter) -> int:
    return prod(param.shape)


def _counted(params: list[Parameter]) -> str:
    return f"{len(params)} parameter" + ("" if len(params) == 1 else "s")


def _texts(param: Parameter) -> Iterable[str]:
    trainable = "yes" if param.requires_grad else "no"
    return param.name, str(param.shape), str(param.dtype), trainable, f"{_elements(param):,}"


def _row(kind: str, texts: Iterable[str]) -> str:
    cells = [
        f'<{kind} style="text-align: {"right" if column == _NUMBERS else "left"}">'
        f"{escape(text)}</{kind}>"
        for column, text in enumerate(texts)
    ]
    return f"<tr>{''.join(cells)}</tr>"
