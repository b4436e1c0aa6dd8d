"""What a compiled function gives: ``Outcomes``, where its paths give values of different structure.

One path may return None, another a Tensor, or raise. The program then has the values of each of
them, zeros for those of the paths not taken, and the number of the one that was: Python looks at
that one number, after the program has run, and returns or raises what belongs to it. Also
``as_compiled``: what Python raises in compiled code, as MindSpore does there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dis import opmap
from functools import cache
from types import GeneratorType
from typing import Any, NamedTuple

import numpy as np

from msgrad._core.bridge import wrap_arrays
from msgrad._core.user_code import is_ours
from msgrad.common.mutable import MUTABLE


class Text(NamedTuple):
    """An f-string, of values that may be known later."""

    form: Callable[..., str]
    values: tuple[Any, ...]

    def __str__(self) -> str:
        return self.form(*self.values)


# As MindSpore returns them. An iterator would go on in the trace when the trace is over.
_LISTED: dict[type, type] = {
    **dict.fromkeys((range, zip, enumerate, map, type({}.keys()), type({}.values())), tuple),
    **dict.fromkeys((filter, GeneratorType, type({}.items())), list),
    **{made: kind for kind, made in MUTABLE.items() if kind not in (tuple, list)},
}


def returned(value: Any) -> Any:
    """Return what a function returns in a form that outlives its trace.

    Iterators become tuples or lists, NumPy's numbers those of Python, mutable dicts and numbers
    plain ones, and raw arrays Tensors.
    """
    if type(value) in _LISTED:
        value = _LISTED[type(value)](value)
    if type(value) in (tuple, list) and any(type(v) in _LISTED or _is_number(v) for v in value):
        value = type(value)(map(returned, value))
    return wrap_arrays(value.item() if _is_number(value) else value)


def _is_number(value: Any) -> bool:
    return isinstance(value, np.generic)


class Raised(NamedTuple):
    """What a path raises: the exception without its arguments, and these."""

    error: Exception
    arguments: tuple[Any, ...]


class Outcomes(NamedTuple):
    """The number of what a call gives, and all that it may give."""

    number: Any
    values: tuple[Any, ...]


def raised(error: Exception) -> Raised | None:
    """Return an exception as an output; None where no ``raise`` or ``assert`` of the user's is it.

    What msgrad or JAX raises in a trace need not be what it raises eagerly.
    """
    if not by_raise(error):
        return None
    arguments, error.args = error.args, ()
    # Its frames hold values of the trace.
    error.__traceback__ = error.__context__ = error.__cause__ = None
    return Raised(error, arguments)


def by_raise(error: Exception) -> bool:
    """Whether a ``raise`` or ``assert`` that is not of msgrad, JAX or Flax has raised it."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return False
    code = traceback.tb_frame.f_code
    at = code.co_code[traceback.tb_lasti]
    return not is_ours(code.co_filename) and at == opmap["RAISE_VARARGS"]


def settled(outcomes: Outcomes) -> Any:
    """Return what a call gives, or raise it."""
    value = outcomes.values[int(outcomes.number)]
    if not isinstance(value, Raised):
        return value
    arguments = (str(a) if isinstance(a, Text) else a for a in value.arguments)
    error = type(value.error).__new__(type(value.error), *arguments)
    vars(error).update(vars(value.error))
    raise error


# What Python raises, with this in its text, and what MindSpore's compiler does. Python itself runs
# a function once to compile it, and raises ``ZeroDivisionError`` where MindSpore 2.10 raises
# ``ValueError``. Each row makes it both, so that a program may catch either.
_ROWS: tuple[tuple[type[Exception], str, type[Exception]], ...] = (
    (ZeroDivisionError, "", ValueError),
    (KeyError, "", ValueError),
    (StopIteration, "", ValueError),
    (TypeError, "not callable|has no __call__", ValueError),
    (TypeError, "no len|not subscriptable|NoneType.* not iterable", AttributeError),
    (TypeError, "^(list|tuple) indices must", IndexError),
    (TypeError, "^string indices must", RuntimeError),
    (TypeError, "keyword argument|positional argument|argument after|missing .*argument|"
     "expected .*argument|takes .*argument|not supported between|Failed calling", RuntimeError),
    (ValueError, "^range", RuntimeError),
    (ValueError, "values to unpack|does not match the shape of the indexed data", IndexError),
    (IndexError, "^(list|tuple) .*out of range", ValueError),
    (IndexError, "^string index out of range", RuntimeError),
    (RuntimeError, "^Slice index type must", TypeError),
)  # fmt: skip


def as_compiled(error: Exception) -> Exception:
    """Return an exception that also is of the type that MindSpore raises; itself if that is so.

    What a ``raise`` of the user's code, or of a library it uses, has raised is left as it is.
    """
    if not by_raise(error):
        for kind, text, other in _ROWS:
            if isinstance(error, kind) and re.search(text, str(error)):
                new = _both(type(error), other)(*error.args)
                vars(new).update(vars(error))
                new.__cause__, new.__context__ = error.__cause__, error.__context__
                return new.with_traceback(error.__traceback__)
    return error


@cache
def _both(kind: type[Exception], other: type[Exception]) -> Callable[..., Exception]:
    if issubclass(kind, other):
        return kind
    # Of the same name, since that is what is printed.
    return type(kind.__name__, (kind, other), {"__module__": kind.__module__})
