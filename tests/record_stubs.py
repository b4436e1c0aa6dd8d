"""Writes the stubs: what an editor and a type checker see of names that are made at run time.

Run as ``python -m tests.record_stubs`` after a change to operators; ``test_stubs.py`` holds the
files to it. A stub says what ``inspect.signature`` says of the live objects. In the place of the
arrays of a kernel stand Tensors; what is declared nowhere is ``Any``.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from msgrad import Tensor, ops
from msgrad._core.docstrings import summary
from msgrad._core.left_out import is_left_out
from msgrad.ops.primitive import Primitive

ROOT = Path(__file__).parents[1]
# The modules whose names are rows.
MODULES = ("msgrad.ops", "msgrad.mint.functions", "msgrad.mint.nn.functional")
# MindSpore's other import paths to the operators.
PATHS = ("composite", "functional", "operations", "primitive")
INSTALLED = "msgrad/common/_installed.pyi"

# What annotations of kernels and of `declared` stand for.
KINDS = {
    "Array": "Tensor",
    "Indices": "Tensor",
    "Arrays": "Sequence[Tensor]",
    "Operand": "_Operand",
    "Sizes": "_Sizes",
    "Window": "_Window",
    "Word": "str",
    "Whole": "int | Tensor",
    "Seed": "int",
    "DType": "mstype.DType",
}
TYPING = ("Any", "Callable", "Iterator", "Mapping", "NoReturn", "Sequence")
HEAD = """
import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, dataclass_transform

import jax
import numpy as np

from msgrad import ops as _ops
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor

_Operand = Tensor | bool | int | float | complex | np.number[Any] | np.bool_
_Sizes = int | tuple[int, ...] | list[int]
_Window = int | tuple[int, ...]
# What stands beside a symbol.
_Other = _Operand | jax.Array | list[Any] | tuple[Any, ...]
"""
# The bases of what stands in the stub of ``msgrad.ops``.
BASES = """
@dataclass_transform(eq_default=False)
class _Row(Primitive):
    \"\"\"Its constructor takes its attributes, in their order.\"\"\"

class _LeftOutPrimitive(Primitive):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn: ...

class _LeftOut:
    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn: ...
"""


class _Code(str):
    """Stands as it is in a signature."""

    def __repr__(self) -> str:
        return str(self)


class _Annotations(ast.NodeTransformer):
    """Rewrites the names of an annotation to those of the stub.

    Args:
        scope: The globals of the function that declares it.
        taken: Names that mean something else where the annotation is to stand.
    """

    def __init__(self, scope: dict[str, Any], taken: Container[str]) -> None:
        self.scope, self.taken = scope, taken
        self.imports: set[str] = set()

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = node.id
        if name in KINDS:
            return self.visit(ast.parse(KINDS[name], mode="eval").body)
        if name in TYPING or name in ("Tensor", "mstype", "np", "jax") or name[0] == "_":
            return node
        if hasattr(builtins, name):
            return ast.Name(f"builtins.{name}" if name in self.taken else name)
        found = self.scope.get(name)
        if not isinstance(found, type) or found.__name__ != name:
            return ast.Name("Any")
        self.imports.add(f"from {found.__module__} import {name}")
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self.visit(ast.parse(node.value, mode="eval").body) if _is_text(node) else node


def _is_text(node: ast.Constant) -> bool:
    return isinstance(node.value, str)


def _literal(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_literal, value))
    return (
        value is None
        or isinstance(value, (bool, int, str))
        or (type(value) is float and abs(value) < float("inf"))
    )


def _default(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return ""
    return f" = {parameter.default!r}" if _literal(parameter.default) else " = ..."


class Stub:
    """The text of one stub file.

    Args:
        taken: The names that it defines, which hide those of ``builtins``.
    """

    def __init__(self, taken: Container[str]) -> None:
        self.taken = taken
        self.imports: set[str] = set()

    def annotation(self, declared: Any, scope: dict[str, Any]) -> _Code:
        """Return what an annotation is in the stub."""
        if declared is inspect.Parameter.empty:
            return _Code("Any")
        if not isinstance(declared, str):
            declared = getattr(declared, "__name__", "Any")
        rewrite = _Annotations(scope, self.taken)
        code = ast.unparse(rewrite.visit(ast.parse(declared, mode="eval").body))
        self.imports |= rewrite.imports
        return _Code(code)

    def signature(self, value: Any, method: bool = False, returns: str | None = None) -> str:
        """Return the signature of a callable as source.

        Args:
            value: The function, operator or class.
            method: Whether its first parameter is the object it belongs to.
            returns: What it returns, where it does not say so itself.
        """
        declared = inspect.signature(value)
        scope = _scope(value)
        parameters = [
            p.replace(
                annotation=self.annotation(p.annotation, scope),
                default=p.default if p.default is p.empty or _literal(p.default) else _Code("..."),
            )
            for p in declared.parameters.values()
        ]
        if method:
            parameters[0] = inspect.Parameter("self", parameters[0].kind)
        kind = _Code(returns or self.annotation(declared.return_annotation, scope))
        return str(declared.replace(parameters=parameters, return_annotation=kind))

    def function(self, name: str, value: Any, method: bool = False) -> str:
        """Return the definition of a function or method."""
        if isinstance(value, property):
            kind = self.annotation(
                inspect.signature(value.fget).return_annotation, _scope(value.fget)
            )
            return f"@property\ndef {name}(self) -> {kind}:{_body(value)}"
        return f"def {name}{self.signature(value, method)}:{_body(value)}"

    def symbol(self, name: str, value: Any) -> str:
        """Return the definition of a symbol of Tensor."""
        if name in ("__getitem__", "__setitem__", "__format__"):
            return self.function(name, value, method=True)
        several = len(inspect.signature(value).parameters) > 1
        other = f", other: {'Any' if name in ('__eq__', '__ne__') else '_Other'}" if several else ""
        return f"def {name}(self{other}) -> Tensor: ..."

    def primitive(self, name: str, cls: type, bases: Mapping[str, str]) -> str:
        """Return the definition of a Primitive class.

        Args:
            name: Its name.
            cls: The class.
            bases: The bases that have a `__call__`, by its text.
        """
        scope = _scope(cls._function)  # type: ignore[attr-defined]
        options = [
            f"{p.name}: {self.annotation(p.annotation, scope)}{_default(p)}"
            for p in inspect.signature(cls).parameters.values()
        ]
        called = self.called(cls)
        base = bases.get(called)
        return f"class {name}({base or '_Row'}):{_body(cls, *options, *([] if base else [called]))}"

    def called(self, cls: type) -> str:
        """Return the definition of how a Primitive is called."""
        return f"def __call__{self.signature(cls.__call__, True)}: ..."

    def bases(self, classes: Iterable[type]) -> dict[str, str]:
        """Return the names of bases for the `__call__` that many Primitives have, by its text."""
        counts = Counter(map(self.called, classes))
        common = [text for text, count in counts.most_common() if count > 3]
        names: dict[str, str] = {}
        for text in common:
            words = [arg.arg for arg in ast.walk(ast.parse(text)) if isinstance(arg, ast.arg)][1:]
            name = "_".join(["_Of", *words])
            names[text] = name + "_" * sum(n.rstrip("_") == name for n in names.values())
        return names

    def named(self, name: str, value: Any, bases: Mapping[str, str]) -> str:
        """Return the definition of what a module has under a name."""
        if not isinstance(value, type):
            return self.function(name, value)
        if _is_row(value):
            return self.primitive(name, value, bases)
        if is_left_out(value):
            kind = "_LeftOutPrimitive" if issubclass(value, Primitive) else "_LeftOut"
            return f"class {name}({kind}):{_body(value)}"
        if value is Tensor:
            return ""
        self.imports.add(f"from {value.__module__} import {value.__name__} as {name}")
        return ""

    def text(self, about: str, parts: Iterator[str] | list[str]) -> str:
        """Return the whole file."""
        body = "\n".join(parts)
        imports = "\n".join(sorted(self.imports))
        said = f'"""{about}\n\nWritten by ``python -m tests.record_stubs``.\n"""\n'
        return formatted("\n".join([said, imports, HEAD, body]))


def _is_row(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Primitive) and "_function" in vars(value)


def _scope(value: Any) -> dict[str, Any]:
    """Return the globals in which the annotations of a callable mean something."""
    return getattr(inspect.unwrap(getattr(value, "kernel", value)), "__globals__", {})


def _body(documented: Any, *lines: str) -> str:
    said = textwrap.wrap(summary(documented).replace("\\", "\\\\"), 86)
    text = ['"""' + "\n".join(said) + ("\n" if len(said) > 1 else "") + '"""'] if said else []
    return "\n" + textwrap.indent("\n".join([*text, *lines]) or "...", "    ")


def formatted(text: str) -> str:
    """Return a stub as ruff writes it, without the imports that it does not use."""
    for command in (["check", "--fix-only", "--select", "I,F401"], ["format"]):
        whole = [
            sys.executable,
            "-m",
            "ruff",
            *command,
            "--quiet",
            "--stdin-filename",
            "_.pyi",
            "-",
        ]
        done = subprocess.run(whole, input=text, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        text = done.stdout
    return text


def of_module(module: ModuleType) -> str:
    """Return the stub of a module of rows."""
    stub = Stub(set(module.__all__))
    values = {name: getattr(module, name) for name in sorted(module.__all__)}
    head = ["__all__: list[str]"]
    if module is ops:
        stub.imports = {f"from {module.__name__} import {path} as {path}" for path in PATHS}
    else:
        here = {name for name, value in values.items() if vars(ops).get(name) is value}
        stub.imports = {f"from msgrad.ops import {name} as {name}" for name in here}
        values = {name: value for name, value in values.items() if name not in here}
    bases = stub.bases(filter(_is_row, values.values()))
    if bases:
        head += [BASES, *(f"class {name}(_Row):\n    {text}" for text, name in bases.items())]
    firsts = {id(value): name for name, value in reversed(values.items())}
    same = {n: firsts[id(v)] for n, v in values.items() if firsts[id(v)] != n}
    parts = [stub.named(name, value, bases) for name, value in values.items() if name not in same]
    return stub.text(f"The names of ``{module.__name__}``.", [*head, *parts, *_aliases(same)])


def _aliases(names: Mapping[str, str]) -> list[str]:
    return [f"{name} = {first}" for name, first in names.items()]


def of_tensor() -> str:
    """Return the stub of what is put on the Tensor class, which ``tensor.py`` does not define."""
    body = next(
        node
        for node in ast.parse(inspect.getsource(importlib.import_module(Tensor.__module__))).body
        if isinstance(node, ast.ClassDef) and node.name == "Tensor"
    )
    own = {
        target.id
        for node in body.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    own |= {node.name for node in ast.walk(body) if isinstance(node, ast.FunctionDef)}
    installed = {
        name: value
        for name, value in sorted(vars(Tensor).items())
        if name not in own | ABSENT and (callable(value) or isinstance(value, property))
    }
    stub = Stub(installed)
    parts, same = [], {}
    for name, value in installed.items():
        if name.startswith("__"):
            parts.append(stub.symbol(name, value))
        elif _is_as_function(stub, name, value):
            same[name] = f"_ops.{name}"
        else:
            parts.append(stub.function(name, value, True))
    about = "The symbols and methods of Tensor that operators are."
    # `__eq__` alone would make it unhashable.
    parts = [
        '"""See ``Tensor``."""',
        "def __hash__(self) -> builtins.int: ...",
        *_aliases(same),
        *parts,
    ]
    return stub.text(about, ["class Installed:", textwrap.indent("\n".join(parts), "    ")])


def _is_as_function(stub: Stub, name: str, method: Any) -> bool:
    """Whether a method has the signature and summary of the function of its name."""
    function = vars(ops).get(name)
    if isinstance(method, property) or not callable(function) or isinstance(function, type):
        return False
    mine, other = (stub.function(name, value) for value in (method, function))
    first = r"\((self|\w+: (?:Tensor|_Operand))(?=[,)])"
    return re.sub(first, "(self", mine, count=1) == re.sub(first, "(self", other, count=1)


ABSENT = {f"__{name}__" for name in importlib.import_module("msgrad.ops._methods")._ABSENT}


def stubs() -> dict[str, str]:
    """Return the text of each stub by its path."""
    modules = [importlib.import_module(path) for path in MODULES]
    found = {
        Path(str(m.__file__)).relative_to(ROOT).with_suffix(".pyi").as_posix(): of_module(m)
        for m in modules
    }
    return {**found, INSTALLED: of_tensor()}


if __name__ == "__main__":
    for path, text in stubs().items():
        (ROOT / path).write_text(text)
