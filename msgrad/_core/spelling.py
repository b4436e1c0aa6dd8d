"""Spellings: one more name for a function, with a signature of its own.

A spelling is written as a signature: ``sum(input, axis: dim = None)`` calls its function with what
comes as ``axis`` in the place of ``dim``. Without parentheses the parameters are the function's
own; what stands for ``_`` is accepted and not passed on, and ``_: reduction = 'add'`` passes what
nobody can give. Several stand in one text, ``"add add_(other)"``; where a name is missing, as in
``"(keep_dims=False)"``, it is the row's own.
Each is compiled once, to a function of Python, so that a call costs no more than passing on its
arguments.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import Parameter
from typing import Any

from msgrad._core.errors import ArgumentTypeError

Text = str | bool

_SPELLING = re.compile(r"(\w+)?(\((?:[^()]|\([^()]*\))*\))?")
# Of our package, so that a warning names the user's line; no file, so that no traceback shows one.
_FILE = os.path.join(os.path.dirname(__file__), "<spelling>")
_SEVERAL = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


class _Absent:
    """Stands for an argument that was not given, where another name may give it."""

    def __repr__(self) -> str:
        return "..."

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()


def given(value: Any, otherwise: Any) -> Any:
    """Return an argument if it was given, and otherwise what came by its other name."""
    return otherwise if value is ABSENT else value


def spellings_in(text: Text, own: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the names in a text of spellings, each with its parameters or None.

    Args:
        text: The spellings; True for one under each of the row's own names, False for none.
        own: The row's own names.
    """
    if isinstance(text, bool):
        yield from ((name, None) for name in own if text)
        return
    for match in _SPELLING.finditer(text):
        name, given = match.groups()
        if name or given:
            yield name or next(iter(own)), given and given[1:-1]


def parameters_in(text: str, module: str) -> list[Parameter]:
    """Return the parameters that a spelling writes; an annotation is what one stands for.

    Args:
        text: What stands between the parentheses.
        module: Where the defaults are looked up.
    """
    made: dict[str, Any] = {}
    source = f"from __future__ import annotations\ndef spelled({text}): ..."
    exec(source, vars(sys.modules[module]), made)
    return list(inspect.signature(made["spelled"]).parameters.values())


def stands_for(parameter: Parameter) -> str:
    """Return the name that the function has for a parameter of a spelling."""
    renamed = parameter.annotation is not parameter.empty
    return parameter.annotation if renamed else parameter.name


def spelled(
    target: Any,
    name: str,
    text: str | None = None,
    *,
    bound: bool = False,
    also: Mapping[str, str] | None = None,
) -> Callable[..., Any]:
    """Compile a spelling of ``target``.

    Args:
        target: An ``Operator`` or a function.
        name: What the spelling is called.
        text: Its parameters, after ``self`` in a method; those of ``target`` by default.
        bound: Whether it is a method, whose first argument is called ``self``.
        also: Other names of arguments, to be given by keyword, with those they stand for.

    Returns:
        A function with its own name and signature, and the docstring and annotations of ``target``.
    """
    declared = inspect.signature(target)
    own = list(declared.parameters.values())
    if text is None:
        given = [p.replace(annotation=p.name) for p in own[bound:]]
    else:
        given = parameters_in(text, getattr(target, "kernel", target).__module__)
    if bound:
        given.insert(0, Parameter("self", own[0].kind, annotation=own[0].name))
    fixed = {stands_for(p): p.default for p in given if p.name == "_"}
    given = [p for p in given if p.name != "_"]
    heard = {stands_for(p): p.name for p in given} | {name: f"_is_{name}" for name in fixed}
    names = [p.name for p in given]
    others = {
        o: heard[p]
        for o, p in (also or {}).items()
        if p in heard and o not in names and heard[p] != "self"
    }
    scope: dict[str, Any] = {"_call": target, "_absent": ABSENT, "_missing": _missing}
    lines = [f" if {other} is not _absent: {label} = {other}" for other, label in others.items()]
    absent = False
    for place, p in enumerate(given):
        # After one that another name may give, those by position need a default as well.
        absent = (absent and p.kind is p.POSITIONAL_OR_KEYWORD) or p.name in others.values()
        if absent and p.default is p.empty:
            given[place] = p.replace(default=ABSENT)
            lines.append(f" if {p.name} is _absent: _missing({name!r}, {p.name!r})")
    scope.update((f"_{p.name}", p.default) for p in given)
    scope.update((f"_is_{name}", value) for name, value in fixed.items())
    passed = ", ".join(_passed(own, heard, hasattr(target, "kernel"), scope))
    lines = [f"def {name}({', '.join(_declared(given, others))}):", *lines]
    exec(compile("\n".join([*lines, f" return _call({passed})"]), _FILE, "exec"), scope)
    made = scope[name]
    made.__doc__ = target.__doc__
    own_kinds = {p.name: p.annotation for p in own if p.annotation is not p.empty}
    kinds = {**{heard[k]: v for k, v in own_kinds.items() if k in heard}, "self": "Tensor"}
    kinds.update((other, kinds[label]) for other, label in others.items() if label in kinds)
    made.__annotations__ = {name: kinds[name] for name in [*names, *others] if name in kinds}
    made.__annotations__["return"] = declared.return_annotation
    return made


def _declared(given: list[Parameter], others: Mapping[str, str]) -> Iterator[str]:
    """Yield the parameters of a spelling as source; their defaults by name."""
    starred = False
    rest = [p for p in given if p.kind is p.VAR_KEYWORD]
    for p in given[: len(given) - len(rest)]:
        if p.kind is p.KEYWORD_ONLY and not starred:
            yield "*"
        starred = starred or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        mark = "*" if p.kind is p.VAR_POSITIONAL else ""
        yield f"{mark}{p.name}" if p.default is p.empty else f"{p.name}=_{p.name}"
    if others and not starred:
        yield "*"
    yield from (f"{other}=_absent" for other in others)
    yield from (f"**{p.name}" for p in rest)


def _passed(
    own: list[Parameter], heard: Mapping[str, str], whole: bool, scope: dict[str, Any]
) -> Iterator[str]:
    """Yield what the target is called with, as source.

    Args:
        own: The parameters of the target.
        heard: Its names of them -> the spelling's.
        whole: Whether it is an operator, which is quickest with all of its arguments in order.
        scope: The names that the source may use.
    """
    named = False
    for p in own:
        if p.kind in _SEVERAL:
            yield f"{'*' * (1 + (p.kind is p.VAR_KEYWORD))}{heard[p.name]}"
        elif p.name in heard:
            named = named or p.kind is p.KEYWORD_ONLY
            yield f"{p.name}={heard[p.name]}" if named and not whole else heard[p.name]
        elif whole:
            scope[f"_of_{p.name}"] = p.default
            yield f"_of_{p.name}"
        else:
            named = True


def _missing(name: str, label: str) -> None:
    raise ArgumentTypeError(f"{name}() missing a required argument: '{label}'")
