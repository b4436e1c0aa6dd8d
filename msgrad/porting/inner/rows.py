"""How the tables of inner Primitives are read: a line makes a class when its name is asked for.

``NAME(x, y, /, axis=0) = expression`` is a Primitive made with ``axis`` and called on ``x`` and
``y``; the expression is one of Python's, over these, ``ops`` and what the table's module has.

``NAME(x, dy, /, axis=0) -> forward(x, axis)`` is the derivative of an expression. What it is
multiplied by are the arrays that the expression does not mention, or those that are ``: Out``.
It is taken for the first array that the expression has, or for those that stand behind ``for``;
``for w=shape`` and a static ``shape`` begin as zeros of that shape, since what is linear in an
array has the same derivative everywhere. Of the other annotations, ``Indices`` has no gradient,
``Unused`` is what MindSpore keeps of the forward pass, and ``Any`` is static.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp

from msgrad import ops
from msgrad._core.bridge import unwrap, wrap, wrap_tree
from msgrad._core.context import context
from msgrad._core.op import Operator
from msgrad._core.spelling import spelled
from msgrad.ops.primitive import primitive

_LINE = re.compile(r"(\w+)\((.*)\) (=|->) (.*?)(?: for (.*))?$")
_ARRAYS = {"Out": "Array", "Operand": "Operand", "Indices": "Indices", "Unused": "Unused"}


def classes(table: str, scope: dict[str, Any]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module with a table.

    Args:
        table: The lines.
        scope: ``vars()`` of the module, where expressions find their names, and classes are kept.
    """
    found = {line.partition("(")[0]: line for line in table.strip().splitlines()}
    scope["__all__"] = [*found]

    def __getattr__(name: str) -> Any:
        if name not in found:
            raise AttributeError(f"module '{scope['__name__']}' has no attribute '{name}'")
        made = _primitive(found[name], scope)
        made.__module__ = scope["__name__"]
        return scope.setdefault(name, made)

    return __getattr__


def _primitive(line: str, scope: dict[str, Any]) -> Any:
    match = _LINE.match(line)
    assert match, line
    name, given, kind, expression, targets = match.groups()
    parameters = _parameters(given, scope)
    options = {p.name: p.default for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD}
    if not any(p.kind is p.POSITIONAL_ONLY for p in parameters):
        options = {}
    text = ", ".join(map(_plain, parameters))
    if kind == "=":
        function, what = _evaluated(text, expression, scope), "Compute"
    else:
        parameters.sort(key=lambda p: _kind(p, options) is None)
        kernel = _derivative(name, parameters, options, expression, targets, scope)
        operator = Operator(kernel, name, int_grad=False, view=False, autocast=True, product=False)
        function, what = spelled(operator, name, text), "Compute the derivative of"
    function.__name__ = function.__qualname__ = name
    function.__module__ = scope["__name__"]
    function.__doc__ = f"{what} ``{expression}``."
    return primitive(name, function, options)


def _parameters(text: str, scope: dict[str, Any]) -> list[inspect.Parameter]:
    made: dict[str, Any] = {}
    exec(f"from __future__ import annotations\ndef row({text}): ...", scope, made)
    return list(inspect.signature(made["row"]).parameters.values())


def _plain(p: inspect.Parameter) -> str:
    return p.name if p.default is p.empty else f"{p.name}={p.default!r}"


def _kind(p: inspect.Parameter, options: dict[str, Any]) -> str | None:
    """Return the annotation of an array in a kernel; None of what is static."""
    if p.name in options:
        return None
    kind = "Array" if p.annotation is p.empty else _ARRAYS.get(p.annotation)
    if kind == "Unused":
        return "Indices | None"
    return kind and (kind if p.default is p.empty else f"{kind} | None")


def _names(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}


def _evaluated(parameters: str, expression: str, scope: dict[str, Any]) -> Any:
    found: dict[str, Any] = {}
    for name in _names(expression) - scope.keys():
        for module in (sys.modules[scope["__name__"]], ops):
            if name not in found and hasattr(module, name):
                found[name] = getattr(module, name)
    return eval(f"lambda {parameters}: ({expression})", {**found, **scope})


@contextlib.contextmanager
def _apart() -> Iterator[None]:
    """Run operators at once, on the arrays of a kernel: no call around it records or notes them."""
    state = vars(context)
    around = dict(state)
    state.clear()
    try:
        yield
    finally:
        state.clear()
        state.update(around)


def _derivative(
    name: str,
    parameters: list[inspect.Parameter],
    options: dict[str, Any],
    expression: str,
    targets: str | None,
    scope: dict[str, Any],
) -> Callable[..., Any]:
    kinds = {p.name: _kind(p, options) for p in parameters}
    mentioned, outs = _names(expression), [p.name for p in parameters if p.annotation == "Out"]
    outs = outs or [
        p.name
        for p in parameters
        if kinds[p.name] and p.annotation is p.empty and p.name not in mentioned
    ]
    first = (n for n, kind in kinds.items() if kind and n in mentioned and n not in outs)
    pairs = [t.partition("=")[::2] for t in (targets or next(first)).split("; ")]
    labels = [label for label, _ in pairs]
    given = ", ".join(kinds)
    starts = _evaluated(given, f"({', '.join(start or label for label, start in pairs)},)", scope)
    forward = _evaluated(given, f"lambda {', '.join(labels)}: {expression}", scope)

    def kernel(*arrays: Any, **statics: Any) -> Any:
        values = dict(zip(kinds, map(_wrapped, arrays), strict=False), **statics)

        def run(*raw: Any) -> Any:
            return jax.tree.map(unwrap, forward(**values)(*wrap_tree(raw)), is_leaf=ops.is_tensor)

        with _apart():
            by = [unwrap(values[out]) for out in outs]
            begin = map(unwrap, starts(**values))
            begin = [jnp.zeros(b, by[0].dtype) if isinstance(b, tuple) else b for b in begin]
            whole = not any(jnp.issubdtype(b.dtype, jnp.inexact) for b in begin)
            floats = [b.astype(jnp.float64) for b in begin] if whole else begin
            result, pull = jax.vjp(run, *floats)
            by = [each.astype(jnp.float64) for each in by] if whole else by
            by = by or [jnp.ones_like(result)]
            found = pull(by[0] if len(by) == 1 else tuple(by))
        found = [f.astype(b.dtype) for f, b in zip(found, begin, strict=True)]
        return tuple(found) if len(found) > 1 else found[0]

    kernel.__name__ = kernel.__qualname__ = name
    kernel.__module__ = scope["__name__"]
    # It is called with all of its arguments, so that what is required may follow what is not.
    shown = [
        inspect.Parameter(
            p.name, p.KEYWORD_ONLY, default=p.default, annotation=kinds[p.name] or "Any"
        )
        for p in parameters
    ]
    kernel.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return kernel


def _wrapped(array: Any) -> Any:
    return array if array is None else wrap(array)
