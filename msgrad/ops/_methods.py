"""Installs operators on the Tensor class: its symbols and its methods.

The methods are those of the rows. A symbol has its reflected and its in-place form, which gives a
new Tensor, as in MindSpore; all of them must be set, since a Parameter would otherwise take them
from its Flax base.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from msgrad._core.registry import METHODS, ROWS
from msgrad._core.spelling import spelled, spellings_in
from msgrad.common.tensor import Tensor
from msgrad.ops import arithmetic, comparison, linalg, unary
from msgrad.ops._more_methods import more_methods

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": arithmetic.add,
    "sub": arithmetic.sub,
    "mul": arithmetic.mul,
    "truediv": arithmetic.true_divide,
    "floordiv": arithmetic.floor_divide,
    "mod": arithmetic.floor_mod,
    "pow": arithmetic.pow,
    "matmul": linalg.matmul,
    "and": comparison.bitwise_and,
    "or": comparison.bitwise_or,
    "xor": comparison.bitwise_xor,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": comparison.is_equal_symbol,
    "ne": comparison.is_not_equal_symbol,
    "lt": comparison.less,
    "le": comparison.less_equal,
    "gt": comparison.greater,
    "ge": comparison.greater_equal,
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": unary.neg,
    "pos": lambda self: self,
    "abs": unary.abs,
    "invert": unary.logical_not,
    # With a number of digits, Python itself raises the TypeError that MindSpore raises.
    "round": lambda self: unary.round(self),
}
_ABSENT = ("lshift", "rlshift", "ilshift", "rshift", "rrshift", "irshift", "divmod", "rdivmod")


def _reflected(function: Callable[[Any, Any], Any], empty: bool) -> Callable[[Any, Any], Any]:
    def reflected(self: Any, other: Any) -> Any:
        return function(_listed(other, empty), self)

    return reflected


def _listed(other: Any, empty: bool) -> Any:
    return Tensor(other) if isinstance(other, (list, tuple)) and (other or empty) else other


def _symbol(function: Callable[[Any, Any], Any], empty: bool = False) -> Callable[[Any, Any], Any]:
    # A list beside a symbol counts as a Tensor, an empty one beside some; the function refuses it.
    def symbol(self: Any, other: Any) -> Any:
        return function(self, _listed(other, empty))

    return symbol


def _absent(self: Any, other: Any) -> Any:
    return NotImplemented


def _set(name: str, function: Any) -> None:
    setattr(Tensor, name, function)
    if isinstance(function, FunctionType):
        # Pickle and tracebacks know it as the method.
        function.__module__, function.__name__ = Tensor.__module__, name
        function.__qualname__ = f"Tensor.{name}"


def install(exports: Mapping[str, Any]) -> None:
    """Put the symbols and the methods of all rows on the Tensor class.

    Args:
        exports: The names of ``msgrad.ops``.
    """
    for name, function in _BINARY.items():
        empty = name in ("add", "sub")
        _set(f"__{name}__", _symbol(function, empty))
        _set(f"__r{name}__", _reflected(function, empty or name == "pow"))
        _set(f"__i{name}__", _symbol(function, empty))
    for name, function in _COMPARISONS.items():
        _set(f"__{name}__", function if name in ("eq", "ne") else _symbol(function))
    for name, function in _UNARY.items():
        _set(f"__{name}__", function)
    for name in _ABSENT:
        _set(f"__{name}__", _absent)
    for row in ROWS.values():
        for name, text in spellings_in(row.method, row.names):
            _set(name, spelled(row.target, name, text, bound=True, also=row.also))
    for name, function in METHODS.items():
        _set(name, function)
    for name, target in more_methods(exports).items():
        _set(name, spelled(target, name, None, bound=True))
