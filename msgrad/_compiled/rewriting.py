"""``rewritten``: functions whose loops on Tensors can be compiled, for the time of a trace.

Python asks the condition of a ``while`` for its truth, and a traced Tensor has none; an ``if`` in a
loop makes more paths than can be traced. Only when a trace has failed at that, the functions then
running are compiled anew from their source, with each ``while`` as a call of ``run_while``, and the
``if`` inside of a loop as one of ``run_if``; where that is not enough, every ``if``. What jumps
sets a flag first (``jumps.py``). An f-string that is printed is put together later. The code is in
place while the call is traced again. Nothing is done to a function whose source does not compile to
the code that it has, nor to what a closure cannot express (``try`` in a loop).
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

from msgrad._compiled.jumps import lowered_loop, lowered_returns, numbers, own_jumps, parsed
from msgrad._core.user_code import is_ours

_HELPERS = {
    "while_loops": ("run_while", "run_if"),
    "choices": (
        "negated",
        "both",
        "either",
        "chosen",
        "known",
        "item",
        "converted",
        "counted",
        "extreme",
    ),
    "printing": ("text", "formatted"),
}
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
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Where a Tensor may be asked for its truth, for a place, or for its number.
_ASKING = (ast.While, ast.For, ast.If, ast.IfExp, ast.Not, ast.Subscript, ast.Call)
_OF_THE_FUNCTION = {"locals", "eval", "exec"}
_FUTURES = 0x1FE0000
# What loops for the user.
_OURS = {"WhileLoop.__call__"}


@contextmanager
def rewritten(
    codes: dict[CodeType, dict[str, Any]], everything: bool = False, counts: bool = False
) -> Iterator[bool]:
    """Have functions with these codes run in their rewritten form.

    Args:
        codes: The codes, each with the globals it runs with.
        everything: Whether each ``if`` becomes a call, and not only those inside of loops.
        counts: Whether a ``for`` over a ``range`` becomes a ``while``.

    Returns:
        Whether there are any.
    """
    new = {code: found for code in codes if (found := _rewritten(code, everything, counts))}
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
def _rewritten(code: CodeType, everything: bool, counts: bool) -> CodeType | None:
    """Return the code of a function with its loops as calls; None where it has none."""
    lines = linecache.getlines(code.co_filename)
    if not lines or code.co_name == "<lambda>":
        return None
    if is_ours(code.co_filename) and code.co_qualname not in _OURS:
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
    if len(found) != 1 or not any(
        isinstance(n, (*_ASKING, ast.JoinedStr)) for n in ast.walk(found[0])
    ):
        return None
    if not _equal(_compiled(tree, code), code):
        return None
    if counts:
        _Counts().visit(found[0])
    if not _rewrite(found[0], everything):
        return None
    found[0].body[:0] = [
        ast.ImportFrom(
            f"msgrad._compiled.{module}", [ast.alias(name, f"_msgrad_{name}") for name in names], 0
        )
        for module, names in _HELPERS.items()
    ]
    for node in (n for each in found[0].body[: len(_HELPERS)] for n in ast.walk(each)):
        ast.copy_location(node, found[0])
    try:
        new = _compiled(ast.fix_missing_locations(tree), code)
    except SyntaxError:
        return None
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


def _rewrite(function: ast.FunctionDef, everything: bool) -> bool:
    """Rewrite a function in place; whether anything has become a call."""
    own = [n for n in _within(function) if isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await))]
    if own:
        return False
    first = [*function.args.posonlyargs, *function.args.args][:1]
    for node in _within(function):
        if first and isinstance(node, ast.Call) and ast.unparse(node) == "super()":
            node.args = parsed(f"__class__, {first[0].arg}", node)[0].value.elts
    prints = _Prints()
    prints.generic_visit(function)
    loops = _Loops(function, everything)
    function.body = loops.with_jumps_lowered(function.body)
    if everything:
        function.body = lowered_returns(function.body, _can_move)
    function.body = loops.block(function.body, everything)
    if loops.moved:
        # What is assigned in functions within only needs a place here.
        names = " = ".join(sorted(loops.moved))
        function.body[:0] = parsed(f"if 0:\n {names} = None", function)
    return loops.count + prints.count > 0


def _within(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield what stands in a function, but not in functions within."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            yield node
            waiting += ast.iter_child_nodes(node)


def _can_move(node: ast.stmt, and_returns: bool = False) -> bool:
    """Whether a statement means the same in a function within.

    Args:
        node: The statement.
        and_returns: Whether it may have a ``return``.
    """
    nodes = [*ast.walk(node)]
    names = {n.id for n in nodes if isinstance(n, ast.Name)}
    return not (
        any(isinstance(n, _REFUSED) and not (and_returns and type(n) is ast.Return) for n in nodes)
        or names & _OF_THE_FUNCTION
        or any(n.startswith("__") for n in _assigned([node]))
    )


class _Loops:
    """Rewrites the loops of a function."""

    def __init__(self, function: ast.FunctionDef, everything: bool) -> None:
        self._function = function
        self._everything = everything
        self.count = 0
        self.moved: set[str] = set()
        self._fixed = {
            name
            for node in ast.walk(function)
            if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        }
        arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
        self._locals = (_assigned(function.body) | arguments) - self._fixed

    def with_jumps_lowered(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return a block whose outermost loops set flags instead of jumping."""
        found: list[ast.stmt] = []
        for each in body:
            if isinstance(each, (ast.While, ast.For)) and self._movable(each, and_returns=True):
                found += lowered_loop(each, self._function)
                continue
            if not isinstance(each, _FUNCTIONS):
                for owner, field, inner in _blocks(each):
                    setattr(owner, field, self.with_jumps_lowered(inner))
            found.append(each)
        return found

    def block(self, body: list[ast.stmt], inside: bool) -> list[ast.stmt]:
        """Rewrite a block that itself stays where it is.

        Args:
            body: Its statements.
            inside: Whether its ``if`` become calls, as in a loop.
        """
        found: list[ast.stmt] = []
        for each in body:
            if isinstance(each, _FUNCTIONS):
                if isinstance(each, ast.FunctionDef) and _rewrite(each, self._everything):
                    self.count += 1
                found.append(each)
                continue
            if not isinstance(each, ast.ClassDef):
                values = _Values()
                for field, value in ast.iter_fields(each):
                    if isinstance(value, ast.expr):
                        setattr(each, field, values.visit(value))
                    elif field == "targets":
                        value[:] = map(values.visit, value)
                self.count += values.count
            if (
                isinstance(each, (ast.While, ast.If))
                and (isinstance(each, ast.While) or (inside and not [*own_jumps([each])]))
                and self._movable(each)
            ):
                found += self._as_call(each)
            else:
                within = inside or isinstance(each, (ast.While, ast.For))
                for owner, field, inner in _blocks(each):
                    setattr(owner, field, self.block(inner, within))
                found.append(each)
        return found

    def _movable(self, node: ast.stmt, and_returns: bool = False) -> bool:
        return not _assigned([node]) & self._fixed and _can_move(node, and_returns)

    def _as_call(self, node: ast.While | ast.If) -> list[ast.stmt]:
        """Return statements that call ``run_while`` or ``run_if``."""
        self.count += 1
        names, filled, lists = self._changed(node)
        fields = ("body", "orelse") if isinstance(node, ast.If) else ("body",)
        blocks = {f"_msgrad_{field}_{self.count}": getattr(node, field) for field in fields}
        run = "".join(f"def {name}():\n {_nonlocal(names + filled)}\n" for name in blocks)
        run += f"_msgrad_run_{type(node).__name__.lower()}(0, {', '.join(blocks)}, {lists})"
        *defined, call = parsed(run, node)
        for function, block in zip(defined, blocks.values(), strict=True):
            function.body += self.block(block, True)
        test = _Logic().visit(node.test)
        call.value.args[0] = test if isinstance(node, ast.If) else _postponed(test)
        return [*defined, call]

    def _changed(self, node: ast.While | ast.If) -> tuple[list[str], list[str], str]:
        """Return the names that a statement assigns, those of which it only assigns elements, and
        the last arguments of ``run_while`` and ``run_if`` as text.
        """
        names = _assigned(node.body + node.orelse)
        self.moved |= names
        filled = {
            n.value.id
            for part in node.body + node.orelse
            for n in ast.walk(part)
            if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
            if isinstance(n.value, ast.Name)
        }
        filled = sorted(filled & self._locals - names)
        names = sorted(names)
        after = self._read_elsewhere(names, node)
        return names, filled, f"{tuple(names)}, {tuple(after)}, {tuple(filled)}"

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


def _nonlocal(names: list[str]) -> str:
    return f"nonlocal {', '.join(names)}" if names else "pass"


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


def _blocks(node: ast.stmt) -> Iterator[tuple[Any, str, list[ast.stmt]]]:
    """Yield the blocks of a statement: what has them, the name of the field, the block."""
    for owner in (node, *getattr(node, "handlers", ())):
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(owner, field, None)
            if isinstance(inner, list):
                yield owner, field, inner


def _postponed(value: ast.expr) -> ast.Lambda:
    """Return a function that gives a value."""
    made = parsed("lambda: 0", value)[0].value
    made.body = value
    return made


class _Calls(ast.NodeTransformer):
    """Makes calls of helpers, and counts them."""

    count = 0

    def call(self, name: str, like: ast.expr, *args: ast.expr) -> ast.Call:
        self.count += 1
        call = ast.Call(ast.Name(f"_msgrad_{name}", ast.Load()), [*args], [])
        return ast.copy_location(call, like)


class _Values(_Calls):
    """Makes each ``a if test else b`` a call, each ``not a``, which is a Tensor for one, each
    ``a[b]``, which has an element for every ``b``, and each ``int(a)``, which is a number for one.
    """

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        plain = isinstance(node.slice, (ast.Slice, ast.Tuple, ast.Constant))
        if plain or not isinstance(node.ctx, ast.Load):
            return node
        return self.call("item", node, node.value, node.slice)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = ast.unparse(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
        if name in ("max", "min"):
            helper = "extreme"
        elif name in ("int", "float", "bool") or name.startswith("math."):
            if len(node.args) != 1 or node.keywords:
                return node
            helper = "converted"
        else:
            return node
        call = self.call(helper, node, node.func, *node.args)
        call.keywords = node.keywords
        return call

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return self.call("negated", node, node.operand) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if names & _OF_THE_FUNCTION or any(isinstance(n, ast.NamedExpr) for n in ast.walk(node)):
            return node
        test = _Logic().visit(node.test)
        return self.call("chosen", node, test, _postponed(node.body), _postponed(node.orelse))


class _Counts(ast.NodeTransformer):
    """Makes each ``for`` over a ``range`` of no constants a ``while``."""

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        call = node.iter
        if (
            not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Name)
            or call.func.id != "range"
            or all(isinstance(each, ast.Constant) for each in call.args)
            or any(isinstance(each, ast.Starred) for each in call.args)
        ):
            return node
        number = next(numbers)
        first, step, count, place = (f"_msgrad_{n}_{number}" for n in ("a", "b", "n", "i"))
        before, (loop,) = (
            parsed(f"{first}, {step}, {count} = _msgrad_counted()\n{place} = 0", node),
            parsed(
                f"while {place} < {count}:\n"
                f" _ = {first} + {place} * {step}\n {place} = {place} + 1",
                node,
            ),
        )
        before[0].value.args = call.args
        loop.body[0].targets = [node.target]
        loop.body += node.body
        loop.orelse = node.orelse
        return [*before, loop]


class _Prints(_Calls):
    """Makes each f-string that is printed or raised a call, with its values as arguments."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "print":
            node.args = [*map(self._later, node.args)]
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        self.generic_visit(node)
        if isinstance(node.exc, ast.Call):
            node.exc.args = [*map(self._later, node.exc.args)]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        self.generic_visit(node)
        node.msg = node.msg and self._later(node.msg)
        return node

    def _later(self, text: ast.expr) -> ast.expr:
        if not isinstance(text, ast.JoinedStr):
            return text
        form = _postponed(text)
        call = self.call("text", text, form)
        for number, part in enumerate(text.values):
            if isinstance(part, ast.FormattedValue):
                value, conversion = part.value, part.conversion
                if part.format_spec is not None:
                    # A Tensor is shown as it is, whatever the form.
                    if conversion != -1:
                        value = ast.JoinedStr([ast.FormattedValue(value, conversion)])
                    value = self.call("formatted", text, value, part.format_spec)
                    conversion = -1
                name = f"_msgrad_value_{number}"
                call.args.append(value)
                form.args.args.append(ast.arg(name))
                text.values[number] = ast.FormattedValue(ast.Name(name, ast.Load()), conversion)
        return call


class _Logic(_Calls):
    """Makes ``and`` and ``or`` of a condition, which may be of Tensors, calls."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = "both" if isinstance(node.op, ast.And) else "either"
        values = [self.visit(value) for value in node.values]
        while len(values) > 1:
            second, first = values.pop(), values.pop()
            values.append(self.call(name, node, first, _postponed(second)))
        return values[0]

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        between = node.comparators[:-1]
        if not between or not all(isinstance(each, (ast.Name, ast.Constant)) for each in between):
            return node
        values = [node.left, *node.comparators]
        pairs = [
            ast.copy_location(ast.Compare(values[i], [op], [values[i + 1]]), node)
            for i, op in enumerate(node.ops)
        ]
        return self.visit_BoolOp(ast.copy_location(ast.BoolOp(ast.And(), [*pairs]), node))

    def generic_visit(self, node: ast.AST) -> Any:
        return node
