"""``print`` in a compiled function: an operation of the program, so that every call prints.

While a trace runs, ``print`` of that thread becomes an ordered callback: the text is that of the
plain run, and a trace that is given up has printed nothing.
"""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgrad._compiled.number import Number, to_python
from msgrad._compiled.outcomes import Text
from msgrad._compiled.while_loops import prints_once
from msgrad._core.bridge import has_tensors, is_tensor, map_tensors, wrap
from msgrad._core.callbacks import tell_host
from msgrad._core.context import context
from msgrad._core.distributed.devices import spreads
from msgrad._core.engine import concrete, is_tracer, to_device
from msgrad._core.scopes.discovery import value_needed
from msgrad.common.parameter import Parameter

_print = builtins.print
_tracing = 0
_lock = threading.Lock()


@contextmanager
def prints_recorded() -> Iterator[None]:
    """Have ``print`` recorded in the trace that runs inside."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change: int) -> None:
    global _print, _tracing
    with _lock:
        before, _tracing = _tracing, _tracing + change
        if before == 0:
            _print, builtins.print = builtins.print, _recorded
        elif _tracing == 0 and builtins.print is _recorded:
            builtins.print = _print


def _recorded(*args: Any, **options: Any) -> None:
    """Print now or, in a trace, each time the program comes here."""
    if context.lift is None:
        _print(*args, **options)
        return
    if not prints_once():
        raise value_needed(
            "print is within a transform that runs a function for many values at once"
        )
    raws: list[Any] = []
    kinds: list[Any] = []

    def placed(tensor: Any) -> Any:
        # The text of a Parameter has none of its values.
        if isinstance(tensor, Parameter):
            return tensor
        raw = tensor.strong() if type(tensor) is Number else tensor._read()
        if not is_tracer(raw):
            return tensor
        raws.append(concrete(raw))
        kinds.append(tensor.kind if type(tensor) is Number else None)
        return wrap(None)

    # What has no traced value may be another one by then.
    given = [map_tensors(placed, a) if has_tensors(a) else str(a) for a in args]

    def show(*values: Any) -> None:
        rest = zip(values, kinds, strict=True)

        def shown(tensor: Any) -> Any:
            if tensor._data is not None:
                return tensor
            raw, kind = next(rest)
            return wrap(to_device(raw)) if kind is None else to_python(raw, kind)

        _print(*map_tensors(shown, given), **options)

    tell_host(show, raws, ordered=not spreads())


class _Shown(NamedTuple):
    """What a value shows now."""

    text: str
    form: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.form


def formatted(value: Any, spec: str) -> Any:
    """Return a value in its form; a Tensor as it is, for ``text``."""
    return value if is_tensor(value) and type(value) is not Number else format(value, spec)


def text(form: Callable[..., str], *values: Any) -> Any:
    """Return an f-string for ``print``; one of containers of Tensors as text."""
    if any(not is_tensor(v) and has_tensors(v) for v in values):
        return form(*values)
    return Text(form, tuple(v if is_tensor(v) else _Shown(str(v), repr(v)) for v in values))
