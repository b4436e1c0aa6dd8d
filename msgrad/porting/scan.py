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
    # First: a function may stand above the import it uses.
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in sorted(imports, key=lambda node: node.lineno):
        reader.bind(node)
    reader.visit(tree)
    return reader.found


class _Reader(ast.NodeVisitor):
    """Collects attribute chains that start at a name bound to MindSpore by an import."""

    def __init__(self) -> None:
        self.bound: dict[str, str] = {}
        self.found: list[tuple[str, int]] = []

    def bind(self, node: ast.Import | ast.ImportFrom) -> None:
        """Note what an import binds; that of a module is a use."""
        inside = node.module if isinstance(node, ast.ImportFrom) else None
        if isinstance(node, ast.ImportFrom) and (node.level or inside is None):
            return
        for alias in node.names:
            path = alias.name if inside is None else f"{inside}.{alias.name}"
            if msgrad_path(inside or path) is None:
                continue
            self.found.append((path.removesuffix(".*"), node.lineno))
            # Without another name, `import a.b` binds `a`.
            first = path.partition(".")[0] if inside is None else alias.name
            if alias.name != "*":
                self.bound[alias.asname or first] = path if alias.asname or inside else first

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
