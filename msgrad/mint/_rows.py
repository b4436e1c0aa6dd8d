"""How the tables of ``mindspore.mint`` are read: each line is a spelling of what ``ops`` has.

``bmm(input: input_x, mat2)`` is ``ops.bmm`` with these parameters (see ``_core.spelling``),
``swapaxes = transpose(...)`` another function's spelling. A line without parentheses names
functions that are those of ``ops``, as ``abs``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

from msgrad import ops
from msgrad._core.spelling import spelled
from msgrad.common.tensor import Tensor


def rows(text: str, module: str, own: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Make the functions of a table.

    Args:
        text: Its lines; what stands after ``name =`` may be a method, ``Tensor.add``.
        module: What the functions give as their module.
        own: Functions that come before those of ``ops``.
    """
    found: dict[str, Any] = {}
    for line in text.strip().splitlines():
        if "(" not in line:
            found.update((name, _target(name, own)) for name in line.split())
            continue
        head, _, parameters = line.partition("(")
        name, _, target = (part.strip() for part in head.partition("="))
        made = spelled(_target(target or name, own), name, parameters.rpartition(")")[0])
        made.__module__ = module
        found[name] = made
    return found


def _target(name: str, own: Mapping[str, Any] | None) -> Any:
    if own and name in own:
        return own[name]
    return getattr(Tensor, name[7:]) if name.startswith("Tensor.") else getattr(ops, name)


def in_place(function: Callable[..., Any]) -> Any:
    """Return the function that writes its result into its first argument, and returns that."""

    def call(input: Any, *rest: Any) -> Any:
        input._write(function(input, *rest).astype(input.dtype)._peek())
        return input

    return _like(function, call)


def on_demand(function: Callable[..., Any]) -> Any:
    """Return the function with one more argument, ``inplace``; see ``in_place``."""
    written = in_place(function)

    def call(*given: Any) -> Any:
        *own, inplace = given
        return written(*own) if inplace else function(*own)

    return _like(
        function, call, Parameter("inplace", Parameter.POSITIONAL_OR_KEYWORD, default=False)
    )


def _like(function: Any, call: Any, *more: Parameter) -> Any:
    """Put the signature of one function, and more parameters, on another."""
    own = signature(function)
    call.__signature__ = own.replace(parameters=[*own.parameters.values(), *more])
    call.__doc__ = function.__doc__
    return call
