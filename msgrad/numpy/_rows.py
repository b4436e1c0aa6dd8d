"""How a function of ``mindspore.numpy`` is made: array-likes in, errors of ours out.

A file ends with ``__all__ = functions(globals())``, which holds what the file defines to its
annotations; what is annotated ``Like`` comes as a Tensor. A function that only passes its arguments
on is a ``row``, one of raw arrays a ``kernel``.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from msgrad._core.declared import checked
from msgrad._core.exports import public_names
from msgrad._core.op import operator
from msgrad._core.spelling import parameters_in, spelled
from msgrad.common import dtype as mstype
from msgrad.numpy.utils import Like, tensor, typed

Function = Callable[..., Any]
# What is array-like and only selects: positions, masks, conditions. Kernels have these.
Places = Any

_OF_TENSORS = re.compile("Array|Indices")
_UNNAMED = "_row"


def row(parameters: str, target: Function, summary: str, *, cast: bool = False) -> Any:
    """Make a function that passes its arguments on.

    Args:
        parameters: Its parameters, as Python writes them; in the order in which they are passed on.
        target: What computes.
        summary: Its docstring.
        cast: Whether a parameter ``dtype`` follows, to which the result is cast.
    """
    if cast:
        parameters, target = f"{parameters}, dtype=None", _typed(target)
    own = parameters_in(parameters, __name__)
    passed = ", ".join("*" * (p.kind is p.VAR_POSITIONAL) + p.name for p in own)
    scope: dict[str, Any] = {"_target": target, "mstype": mstype}
    source = f"def {_UNNAMED}({parameters}): return _target({passed})"
    exec(f"from __future__ import annotations\n{source}", scope)
    scope[_UNNAMED].__doc__ = summary
    return scope[_UNNAMED]


def _typed(target: Function) -> Function:
    return lambda *values: typed(target(*values[:-1]), values[-1])


def kernel(name: str, *, int_grad: bool = False, product: bool = False) -> Function:
    """Make a function of Tensors of one of raw arrays, as ``operator`` does; a decorator."""

    def decorate(target: Any) -> Any:
        face = target.__annotations__
        target.__annotations__ = {
            label: kind.replace("Like", "Operand").replace("Places", "Indices")
            for label, kind in face.items()
        }
        own = operator(name, int_grad=int_grad, product=product)(target)
        # Where it is found again when it is pickled.
        vars(sys.modules[target.__module__])[f"_{target.__name__}_operator"] = own
        made = spelled(own, target.__name__)
        made.__annotations__ = {n: _OF_TENSORS.sub("Tensor", kind) for n, kind in face.items()}
        made.__module__ = target.__module__
        made.kernel = target  # type: ignore[attr-defined]
        return made

    return decorate


def functions(module: dict[str, Any], *more: str, plain: tuple[str, ...] = ()) -> list[str]:
    """Hold the functions that a module defines to their annotations, and return its names.

    Args:
        module: Its ``globals()``.
        more: Names of what is no function.
        plain: Functions that call some of the user's, whose errors are theirs.
    """
    held: dict[Any, Any] = {}
    for name, value in list(module.items()):
        if not isinstance(value, FunctionType) or name[0] == "_" or name in plain:
            continue
        if value.__name__ == _UNNAMED:
            value.__name__ = value.__qualname__ = name
            value.__module__ = module["__name__"]
        if value.__module__ == module["__name__"]:
            if value not in held:
                held[value] = checked(_of_likes(value))
            module[name] = held[value]
    return public_names(module, *more)


def _of_likes(function: Function) -> Function:
    """Return a function that makes Tensors of what is annotated ``Like`` or ``Places``."""
    kinds: Mapping[str, Any] = inspect.signature(function).parameters
    likes = {n: p for n, p in kinds.items() if str(p.annotation).startswith(("Like", "Places"))}
    if not likes:
        return function
    optional = {name for name, p in likes.items() if "None" in p.annotation}
    by_place = tuple(kinds)

    def wanted(value: Any, name: str) -> Any:
        return value if name not in likes or (value is None and name in optional) else tensor(value)

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        made = map(wanted, args, by_place)
        named = {name: wanted(value, name) for name, value in named.items()}
        return function(*made, *args[len(by_place) :], **named)

    return call


__all__ = ["Function", "Like", "Places", "functions", "kernel", "row"]
