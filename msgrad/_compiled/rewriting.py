"""``rewritten``: functions whose loops on Tensors can be compiled, for the time of a trace.

Python asks the condition of a ``while`` for its truth, and a traced Tensor has none. Only when a
trace has failed at that, the functions then running are compiled anew from their source, with each
``while`` as a call of ``run_while``, and the ``if`` inside as one of ``run_if``; their code is in
place while the call is traced again. Nothing is done to a function whose source does not compile to
the code that it has, nor to what a closure cannot express (``return`` in a loop, ``super()``).
"""

from __future__ import annotations

import ast
import functools
import gc
import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from msgrad._core.user_code import is_ours

_MODULE = "msgrad._compiled.while_loops"
_HELPERS = ("run_while", "run_if", "negated", "both", "either")
# What means something else in a function within, or cannot stand there.
_REFUSED = (
    ast.Return,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.Delete,
    ast.Global,
    ast.Nonlocal,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Import,
    ast.ImportFrom,
    ast.Match,
    ast.Try,
    ast.AsyncFor,
    ast.AsyncWith,
)
_FUTURES = 0x1FE0000


@contextmanager
def rewritten(codes: dict[CodeType, dict[str, Any]]) -> Iterator[bool]:
    """Have functions with these codes run in their rewritten form; whether there are any.

    Args:
        codes: The codes, each with the globals it runs with.
    """
    new = {code: found for code in codes if (found := _rewritten(code))}
    functions = [f for code in new for f in _functions(code, codes[code])]
    try:
        for function in functions:
            function.__code__ = new[function.__code__]
        yield bool(functions)
    finally:
        old = {id(found): code for code, found in new.items()}
        for function in functions:
            function.__code__ = old.get(id(function.__code__), function.__code__)


def _functions(code: CodeType, names: dict[str, Any]) -> list[FunctionType]:
    """Return what has a code: the function of that name, or what a search of all objects finds."""
    first, *rest = code.co_qualname.split(".")
    found = functools.reduce(lambda value, n: getattr(value, n, None), rest, names.get(first))
    found = getattr(found, "__wrapped__", found)
    # The search takes 0.1 s in a large program, and sees nothing of what is frozen.
    if isinstance(found, FunctionType) and found.__code__ is code:
        return [found]
    return [f for f in gc.get_referrers(code) if isinstance(f, FunctionType) and f.__code__ is code]


@functools.lru_cache(maxsize=256)
def _rewritten(code: CodeType) -> CodeType | None:
    """Return the code of a function with its loops as calls; None where it has none."""
    lines = linecache.getlines(code.co_filename)
    if not lines or code.co_name == "<lambda>" or is_ours(code.co_filename):
        return None
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return None
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.name == code.co_name
        and _line(node) == code.co_firstlineno
    ]
    if len(found) != 1 or not any(isinstance(n, ast.While) for n in ast.walk(found[0])):
        return None
    if not _equal(_compiled(tree, code), code):
        return None
    loops = _Loops(found[0])
    found[0].body = loops.block(found[0].body)
    if not loops.moved:
        return None
    helpers = [ast.alias(name, f"_msgrad_{name}") for name in _HELPERS]
    found[0].body.insert(0, ast.ImportFrom(_MODULE, helpers, 0))
    # What is assigned in functions within only needs a place here.
    found[0].body[1:1] = _parsed(f"if 0:\n {' = '.join(sorted(loops.moved))} = None", found[0])
    for node in ast.walk(found[0].body[0]):
        ast.copy_location(node, found[0])
    new = _compiled(ast.fix_missing_locations(tree), code)
    return new if new is not None and new.co_freevars == code.co_freevars else None


def _line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _compiled(tree: ast.Module, code: CodeType) -> CodeType | None:
    """Compile a module, and return the code of a function in it."""
    flags = code.co_flags & _FUTURES
    whole = compile(tree, code.co_filename, "exec", flags, dont_inherit=True)
    waiting = [whole]
    while waiting:
        each = waiting.pop()
        if (each.co_name, each.co_firstlineno) == (code.co_name, code.co_firstlineno):
            return each
        waiting += [c for c in each.co_consts if isinstance(c, CodeType)]
    return None


def _equal(one: CodeType | None, other: CodeType) -> bool:
    """Whether two codes do the same: the source is that of the function."""
    if one is None or (one.co_code, one.co_names, one.co_varnames, one.co_freevars) != (
        other.co_code,
        other.co_names,
        other.co_varnames,
        other.co_freevars,
    ):
        return False
    pairs = list(zip(one.co_consts, other.co_consts, strict=False))
    return len(one.co_consts) == len(other.co_consts) and all(
        _equal(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else repr(a) == repr(b)
        for a, b in pairs
    )


class _Loops:
    """Rewrites the loops of a function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self._function = function
        self.count = 0
        self.moved: set[str] = set()
        self._fixed = {
            name
            for node in ast.walk(function)
            if isinstance(node, ast.Global)
            for name in node.names
        }

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite the loops in a block that itself stays where it is."""
        found: list[ast.stmt] = []
        for each in body:
            if isinstance(each, ast.While) and self._can_move(each):
                found += self._while(each)
                continue
            if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for field in ("body", "orelse", "finalbody"):
                    inner = getattr(each, field, None)
                    if isinstance(inner, list):
                        setattr(each, field, self.block(inner))
                for handler in getattr(each, "handlers", ()):
                    handler.body = self.block(handler.body)
            found.append(each)
        return found

    def _can_move(self, loop: ast.While) -> bool:
        nodes = [*ast.walk(loop)]
        names = {n.id for n in nodes if isinstance(n, ast.Name)}
        return not (
            loop.orelse
            or any(isinstance(n, _REFUSED) for n in nodes)
            or names & {"super", "__class__", "locals", "eval", "exec"}
            or _assigned(loop.body) & self._fixed
            or any(name.startswith("__") for name in _assigned(loop.body))
        )

    def _while(self, loop: ast.While) -> list[ast.stmt]:
        """Return statements that call ``run_while``."""
        self.count += 1
        number = self.count
        stop, skip = f"_msgrad_stop_{number}", f"_msgrad_skip_{number}"
        jumps = {type(n) for n in _own_jumps(loop.body)}
        before: list[ast.stmt] = []
        body, test = loop.body, _logic(loop.test)
        if jumps:
            flags = {ast.Break: stop, ast.Continue: skip}
            body = _without_jumps(body, flags)
            if ast.Continue in jumps:
                body = [*_parsed(f"{skip} = False", loop), *body]
                before += _parsed(f"{skip} = False", loop)
            if ast.Break in jumps:
                before += _parsed(f"{stop} = False", loop)
                call = _parsed(f"_msgrad_both(_msgrad_negated({stop}), lambda: 0)", loop)[0].value
                call.args[1].body = test
                test = call
        body = self._inside(body)
        names = sorted(_assigned(body))
        self.moved.update(names)
        after = self._read_elsewhere(names, loop)
        defined = _parsed(
            f"def _msgrad_test_{number}():\n return 0\n"
            f"def _msgrad_body_{number}():\n {_nonlocal(names)}\n"
            f"_msgrad_run_while(_msgrad_test_{number}, _msgrad_body_{number}, {_tuple(names)}, "
            f"{_tuple(after)})",
            loop,
        )
        defined[0].body[0].value = test
        defined[1].body += body
        return [*before, *defined]

    def _inside(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite what stands in the body of a loop."""
        found: list[ast.stmt] = []
        for each in body:
            if isinstance(each, ast.While):
                found += self._while(each)
            elif isinstance(each, ast.If) and not [*_own_jumps([each])]:
                found += self._if(each)
            else:
                for field in ("body", "orelse"):
                    if isinstance(getattr(each, field, None), list):
                        setattr(each, field, self._inside(getattr(each, field)))
                found.append(each)
        return found

    def _if(self, node: ast.If) -> list[ast.stmt]:
        self.count += 1
        number = self.count
        then, otherwise = self._inside(node.body), self._inside(node.orelse)
        names = sorted(_assigned(then) | _assigned(otherwise))
        self.moved.update(names)
        after = self._read_elsewhere(names, node)
        defined = _parsed(
            f"def _msgrad_then_{number}():\n {_nonlocal(names)}\n"
            f"def _msgrad_else_{number}():\n {_nonlocal(names)}\n"
            f"_msgrad_run_if(0, _msgrad_then_{number}, _msgrad_else_{number}, {_tuple(names)}, "
            f"{_tuple(after)})",
            node,
        )
        defined[0].body += then
        defined[1].body += otherwise
        defined[2].value.args[0] = _logic(node.test)
        return defined

    def _read_elsewhere(self, names: list[str], node: ast.While | ast.If) -> list[str]:
        """Return the names that are read outside of a statement, or by its condition."""
        inside = {id(n) for part in node.body + node.orelse for n in ast.walk(part)}
        read = {
            n.id
            for n in ast.walk(self._function)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside
        }
        read |= {
            n.target.id
            for n in ast.walk(self._function)
            if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
            if id(n) not in inside
        }
        return [name for name in names if name in read]


def _tuple(names: list[str]) -> str:
    return repr(tuple(names))


def _nonlocal(names: list[str]) -> str:
    return f"nonlocal {', '.join(names)}" if names else "pass"


def _parsed(text: str, like: ast.AST) -> list[Any]:
    nodes = ast.parse(text).body
    for node in nodes:
        for each in ast.walk(node):
            if hasattr(each, "lineno"):
                ast.copy_location(each, like)
    return nodes


def _assigned(body: list[ast.stmt]) -> set[str]:
    """Return the names that a block assigns, also in the blocks that stand in functions of ours."""
    found: set[str] = set()
    for each in body:
        found |= _stored(each)
    return found


def _stored(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Nonlocal):
        return set(node.names)
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)):
        walrus = (n.target for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
        return {name for target in walrus for name in _stored(target)}
    return {name for child in ast.iter_child_nodes(node) for name in _stored(child)}


def _own_jumps(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the ``break`` and ``continue`` of the loop that has this body."""
    for each in body:
        if isinstance(each, (ast.Break, ast.Continue)):
            yield each
        elif not isinstance(each, (ast.While, ast.For)):
            for field in ("body", "orelse"):
                yield from _own_jumps(getattr(each, field, []))


def _without_jumps(body: list[ast.stmt], flags: dict[type, str]) -> list[ast.stmt]:
    """Return a body that sets flags instead of jumping, and looks at them."""
    found: list[ast.stmt] = []
    for index, each in enumerate(body):
        if isinstance(each, (ast.Break, ast.Continue)):
            return [*found, *_parsed(f"{flags[type(each)]} = True", each)]
        jumps = {type(n) for n in _own_jumps([each])}
        for field in ("body", "orelse") if jumps else ():
            if getattr(each, field, None):
                setattr(each, field, _without_jumps(getattr(each, field), flags))
        found.append(each)
        rest = body[index + 1 :]
        if jumps and rest:
            asked = " or ".join(flags[kind] for kind in (ast.Break, ast.Continue) if kind in jumps)
            (guard,) = _parsed(f"if not ({asked}):\n pass", each)
            guard.body = _without_jumps(rest, flags)
            return [*found, guard]
    return found


class _Logic(ast.NodeTransformer):
    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = "both" if isinstance(node.op, ast.And) else "either"
        values = [self.visit(value) for value in node.values]
        while len(values) > 1:
            second, first = values.pop(), values.pop()
            call = _parsed(f"_msgrad_{name}(0, lambda: 0)", node)[0].value
            call.args[0], call.args[1].body = first, second
            values.append(call)
        return values[0]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if not isinstance(node.op, ast.Not):
            return node
        call = _parsed("_msgrad_negated(0)", node)[0].value
        call.args[0] = self.visit(node.operand)
        return call

    def generic_visit(self, node: ast.AST) -> Any:
        return node


def _logic(test: ast.expr) -> Any:
    """Return a condition in which ``and``, ``or`` and ``not`` may be of Tensors."""
    return _Logic().visit(test)
