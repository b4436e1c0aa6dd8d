"""``lowered_loop``, ``lowered_returns``: statements that set flags instead of jumping.

A ``break``, ``continue`` or ``return`` under an ``if`` on a Tensor cannot leave the block that
``while_loops.py`` traces. It becomes a flag, and what would have been left out stands under an
``if`` on the flag. Flags are Python's own as long as no Tensor decides about them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

# Whether a function has come to a ``return``, and what it gives.
DONE, VALUE = "_msgrad_done", "_msgrad_value"

numbers = count(1)
_Loop = ast.While | ast.For
_LOOPS = (ast.While, ast.For)


def parsed(text: str, like: ast.AST) -> list[Any]:
    """Return statements, which stand where another one does."""
    nodes = ast.parse(text).body
    for node in nodes:
        for each in ast.walk(node):
            if hasattr(each, "lineno"):
                ast.copy_location(each, like)
    return nodes


def own_jumps(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the ``break`` and ``continue`` of the loop that has this body."""
    for each in body:
        if isinstance(each, (ast.Break, ast.Continue)):
            yield each
        for field in ("orelse",) if isinstance(each, _LOOPS) else ("body", "orelse"):
            yield from own_jumps(getattr(each, field, []))


def lowered_loop(loop: _Loop, function: ast.FunctionDef) -> list[ast.stmt]:
    """Return a loop, and those in it, without jumps that are decided by Tensors.

    The statements may end with a ``return`` of the function.
    """
    if not any(isinstance(n, ast.Return) for part in loop.body for n in ast.walk(part)):
        return _lowered(loop, function)
    endless = isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)
    endless = endless and not any(isinstance(n, ast.Break) for n in own_jumps(loop.body))
    loop.body = _as_breaks(loop.body)
    end = parsed(f"def f():\n return {VALUE}", loop)[0].body
    return [
        *parsed(f"{DONE} = False", loop),
        *_lowered(loop, function),
        *(end if endless else _under(DONE, end, loop)),
    ]


def lowered_returns(body: list[ast.stmt], can_move: Callable[..., bool]) -> list[ast.stmt]:
    """Return the body of a function that has one ``return``, at its end, if any is under an ``if``.

    Args:
        body: The body, whose loops are lowered already.
        can_move: Whether a statement may stand in a function within, also with a ``return``.
    """
    under = [
        each
        for each in body
        if not isinstance(each, (ast.Return, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if any(isinstance(n, ast.Return) for n in _own(each))
    ]
    if not under or not all(isinstance(each, ast.If) and can_move(each, True) for each in under):
        return body
    like = body[-1]
    if not _ends(body):
        body = [*body, *parsed("def f():\n return None", like)[0].body]
    return [
        *parsed(f"{DONE} = False", like),
        *_without(body, {ast.Return: DONE}),
        *parsed(f"def f():\n return {VALUE}", like)[0].body,
    ]


def _own(node: ast.stmt) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _own(child)  # pyright: ignore[reportArgumentType]


def _ends(body: list[ast.stmt]) -> bool:
    """Whether nothing that follows a block is run."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _ends(last.body) and _ends(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise))


def _as_breaks(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the body of a loop that notes what a ``return`` gives, and breaks."""
    found: list[ast.stmt] = []
    for each in body:
        if isinstance(each, ast.Return):
            return [*found, *_noted(each), ast.copy_location(ast.Break(), each)]
        inside = any(isinstance(n, ast.Return) for n in ast.walk(each))
        for field in ("body", "orelse") if inside else ():
            setattr(each, field, _as_breaks(getattr(each, field, [])))
        found.append(each)
        if inside and isinstance(each, _LOOPS):
            found += _under(DONE, [ast.copy_location(ast.Break(), each)], each)
    return found


def _under(condition: str, body: list[ast.stmt], like: ast.AST) -> list[ast.stmt]:
    (made,) = parsed(f"if {condition}:\n pass", like)
    made.body = body
    return [made]


def _noted(node: ast.Return) -> list[ast.stmt]:
    value, done = parsed(f"{VALUE} = None\n{DONE} = True", node)
    value.value = node.value or value.value
    return [value, done]


def _lowered(loop: _Loop, function: ast.FunctionDef) -> list[ast.stmt]:
    inside = {id(n) for n in ast.walk(loop)}
    loop.body = _inner_lowered(loop.body, function)
    loop.orelse = _inner_lowered(loop.orelse, function)
    jumps = {type(n) for n in own_jumps(loop.body)}
    if not jumps and not loop.orelse:
        return [loop]
    number = next(numbers)
    flags: dict[type, str] = {
        ast.Break: f"_msgrad_stop_{number}",
        ast.Continue: f"_msgrad_skip_{number}",
    }
    stop, skip = flags.values()
    before: list[ast.stmt] = []
    body = _without(loop.body, flags)
    if ast.Continue in jumps:
        body = [*parsed(f"{skip} = False", loop), *body]
        before += parsed(f"{skip} = False", loop)
    orelse, loop.orelse = loop.orelse, []
    if ast.Break not in jumps:
        loop.body = body
        return [*before, loop, *orelse]
    before += parsed(f"{stop} = False", loop)
    if isinstance(loop, ast.While):
        test = parsed(f"not {stop} and 0", loop)[0].value
        test.values[1], loop.test = loop.test, test
    else:
        names = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        nodes = (n for n in ast.walk(function) if isinstance(n, ast.Name) and id(n) not in inside)
        if names & {n.id for n in nodes}:
            item = parsed(f"_msgrad_item_{number} = _msgrad_item_{number}", loop)[0]
            item.targets, loop.target = [loop.target], item.targets[0]
            body = [item, *body]
        end = parsed(f"for _ in ():\n if _msgrad_known({stop}):\n  break", loop)[0].body
        body = [*end, *_under(f"not {stop}", body, loop)]
    loop.body = body
    return [*before, loop, *(_under(f"not {stop}", orelse, loop) if orelse else ())]


def _inner_lowered(body: list[ast.stmt], function: ast.FunctionDef) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for each in body:
        if isinstance(each, _LOOPS):
            found += _lowered(each, function)
            continue
        for field in ("body", "orelse"):
            if isinstance(getattr(each, field, None), list):
                setattr(each, field, _inner_lowered(getattr(each, field), function))
        found.append(each)
    return found


def _without(body: list[ast.stmt], flags: dict[type, str]) -> list[ast.stmt]:
    """Return a body that sets flags instead of jumping, and looks at them."""
    found: list[ast.stmt] = []
    for index, each in enumerate(body):
        if isinstance(each, ast.Return) and ast.Return in flags:
            return [*found, *_noted(each)]
        if type(each) in flags:
            return [*found, *parsed(f"{flags[type(each)]} = True", each)]
        inside = _own(each) if ast.Return in flags else own_jumps([each])
        jumps = {type(n) for n in inside if type(n) in flags}
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            jumps = set()
        for field in ("body", "orelse") if jumps else ():
            if getattr(each, field, None):
                setattr(each, field, _without(getattr(each, field), flags))
        found.append(each)
        rest = body[index + 1 :]
        if jumps and rest:
            asked = " or ".join(flag for kind, flag in flags.items() if kind in jumps)
            return [*found, *_under(f"not ({asked})", _without(rest, flags), each)]
    return found
