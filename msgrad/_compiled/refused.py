"""``as_compiled``: what Python raises in compiled code, as what MindSpore's compiler raises there.

Python itself runs a function once to compile it, and raises ``ZeroDivisionError`` where MindSpore
2.10 raises ``ValueError``. Each row below makes it both, so that a program may catch either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from msgrad._compiled.outcomes import by_raise

# What Python raises, with this in its text, and what MindSpore does.
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
