"""Which names of MindSpore a program uses, read from its source; it is not run.

Only what is reached through an import is seen: methods called on Tensors and Cells are not. Scopes
are not told apart: a local variable that hides an imported name counts as that name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from msgrad._core.missing import SEE_CHECK
from msgrad.porting.coverage import first_missing
from msgrad.porting.install import msgrad_path


@dataclass
class Use:
    """One name of MindSpore in the scanned files.

    Attributes:
        name: Its dotted path, ``mindspore.ops.add``.
        missing: What to tell about it where msgrad does not have it, else None.
        places: The lines with it, of each file.
    """

    name: str
    missing: str | None = None
    places: dict[Path, list[int]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return sum(map(len, self.places.values()))


@dataclass
class Report:
    """What a scan found.

    Attributes:
        uses: One entry per name, the most used first.
        files: How many files use MindSpore.
        unreadable: ``file: reason`` of files that are not Python of this version.
    """

    uses: list[Use]
    files: int
    unreadable: list[str]

    @property
    def missing(self) -> list[Use]:
        """The uses that msgrad does not have."""
        return [use for use in self.uses if use.missing]


def scan(paths: Iterable[Path]) -> Report:
    """Read every Python file among and below ``paths``.

    Raises:
        FileNotFoundError: If a path does not exist.
    """
    uses: dict[str, Use] = {}
    using = 0
    unreadable = []
    for file in _python_files(paths):
        try:
            tree = ast.parse(file.read_bytes(), str(file))
        except (SyntaxError, ValueError) as error:
            unreadable.append(f"{file}: {error}")
            continue
        found = names_used(tree)
        using += bool(found)
        for path, line in sorted(set(found), key=lambda each: each[1]):
            name, text = first_missing(path) or (path, None)
            use = uses.setdefault(name, Use(name, text and text.removesuffix(SEE_CHECK)))
            lines = use.places.setdefault(file, [])
            if lines[-1:] != [line]:
                lines.append(line)
    ordered = sorted(uses.values(), key=lambda use: (-use.count, use.name))
    return Report(ordered, using, unreadable)


def _python_files(paths: Iterable[Path]) -> list[Path]:
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"There is no file or folder '{path}'.")
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def names_used(tree: ast.AST) -> list[tuple[str, int]]:
    """Return the dotted path and line of every use of MindSpore in a syntax tree."""
    reader = _Reader()
    reader.visit(_ImportsFirst(reader).read(tree))
    return reader.found


class _Reader(ast.NodeVisitor):
    """Collects attribute chains that start at a name bound to MindSpore by an import."""

    def __init__(self) -> None:
        self.bound: dict[str, str] = {}
        self.found: list[tuple[str, int]] = []

    def visit_Attribute(self, node: ast.Attribute) -> None:
        parts = []
        at: ast.expr = node
        while isinstance(at, ast.Attribute):
            parts.append(at.attr)
            at = at.value
        if isinstance(at, ast.Name) and at.id in self.bound:
            self.found.append((".".join([self.bound[at.id], *reversed(parts)]), node.lineno))
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        # A module alone is only the beginning of a use; its import has been counted.
        if isinstance(node.ctx, ast.Load) and "." in self.bound.get(node.id, ""):
            self.found.append((self.bound[node.id], node.lineno))


class _ImportsFirst(ast.NodeVisitor):
    """Fills a reader's bindings before it reads: a function may stand above the import it uses."""

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader

    def read(self, tree: ast.AST) -> ast.AST:
        self.visit(tree)
        return tree

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if msgrad_path(alias.name) is None:
                continue
            self._reader.found.append((alias.name, node.lineno))
            if alias.asname:
                self._reader.bound[alias.asname] = alias.name
            else:
                root = alias.name.partition(".")[0]
                self._reader.bound[root] = root

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or node.module is None or msgrad_path(node.module) is None:
            return
        for alias in node.names:
            if alias.name == "*":
                self._reader.found.append((node.module, node.lineno))
                continue
            name = f"{node.module}.{alias.name}"
            self._reader.found.append((name, node.lineno))
            self._reader.bound[alias.asname or alias.name] = name
