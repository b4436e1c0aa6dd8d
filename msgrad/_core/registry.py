"""The rows: everything that is said once of an operator or a function, for all that reads it.

``@operator`` makes a row of a kernel, ``@function`` of a function that calls operators, ``@method``
of a function that is only a method, ``spelling`` of one that only passes its arguments on,
``public`` of anything else that ``ops`` exports. A row's names are those its module binds it to:
``arcsin = asin`` gives it a second one. From the rows come ``ops.__all__``, the methods of Tensor,
the Primitives, the discovery of tests and the stubs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeVar

from msgrad._core.declared import checked
from msgrad._core.spelling import Text, spelled, spellings_in

Named = TypeVar("Named")


@dataclass
class Row:
    """What is said of one operator or function; ``spelling`` tells how a text of it is written.

    Attributes:
        target: What is called: an ``Operator`` or a function.
        name: MindSpore's name of the operator; of a function, its own.
        primitive: Its Primitive classes, with the parameters of their constructors; True for one
            of the operator's name, made without arguments.
        method: Its Tensor methods; True for one under each of its names.
        also: Other names of arguments, to be given by keyword -> those they stand for.
        checks: Whether its Primitive refuses a wrong option when it is made.
        public: Whether ``ops`` exports it.
        names: What its module binds it to, once all rows are read.
    """

    target: Any
    name: str
    primitive: Text = False
    method: Text = False
    also: Mapping[str, str] | None = None
    checks: bool = False
    public: bool = True
    names: list[str] = field(default_factory=list)


# By identity, since a value of any kind is looked up; a row holds its value.
ROWS: dict[int, Row] = {}
METHODS: dict[str, Any] = {}


def register(row: Row) -> None:
    ROWS[id(row.target)] = row


def row_of(value: Any) -> Row | None:
    """Return the row of an operator or a function; None of anything else."""
    return ROWS.get(id(value))


def public(value: Named) -> Named:
    """Export a value that is no operator, under the names its module binds it to; a decorator."""
    register(Row(value, getattr(value, "__name__", "")))
    return value


def function(
    target: Any = None,
    *,
    name: str | None = None,
    primitive: Text = False,
    method: Text = False,
    also: Mapping[str, str] | None = None,
    checks: bool = False,
    public: bool = True,
) -> Any:
    """Make a row of a function that calls operators, held to its annotations; a decorator.

    Args:
        target: The function.
        name: What error texts call it: by default its own name, or where that is private, the
            first that it is given.
        primitive: What ``Row`` says of it, as of the next ones.
        method: Its Tensor methods.
        also: Other names of arguments, to be given by keyword, with those they stand for.
        checks: Whether its Primitive refuses a wrong option when it is made.
        public: Whether ``ops`` exports it.
    """

    def decorate(target: Any) -> Any:
        spoken = name or target.__name__
        if spoken[0] == "_":
            spoken = next((label for label, _ in spellings_in(primitive or method, [])), spoken)
        held = checked(target, spoken, also)
        register(Row(held, spoken, primitive, method, also, checks, public))
        return held

    return decorate if target is None else decorate(target)


def spelling(
    text: str, target: Any, summary: str = "", *, primitive: Text = False, method: Text = False
) -> Any:
    """Make a row of a spelling, as of an operator with its arguments in another order.

    It stands in the module of its operator, and is pickled by its name there.

    Args:
        text: The spelling, with its name.
        target: The operator or function.
        summary: Its docstring; by default that of ``target``.
        primitive: What ``Row`` says of it.
        method: Its Tensor methods.
    """
    ((name, parameters),) = spellings_in(text, ())
    made: Any = spelled(target, name, parameters)
    made.__module__, made.__doc__ = target.__module__, summary or made.__doc__
    register(Row(made, name, primitive, method))
    return made


def method(names: str) -> Callable[[Named], Named]:
    """Make Tensor methods, or properties, of what is nothing else; a decorator."""

    def decorate(target: Named) -> Named:
        for name in names.split():
            METHODS[name] = target
            if isinstance(target, FunctionType) and not hasattr(target, "__wrapped__"):
                METHODS[name] = checked(target, name)
        return target

    return decorate
