"""Installs operators on the Tensor class: its arithmetic symbols and its methods.

A method is the functional operator itself; a ``def`` stands here only where the method takes its
arguments in another form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad.common.tensor import Tensor
from msgrad.ops import arithmetic


def _reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def reflected(self: Any, other: Any) -> Any:
        return function(other, self)

    return reflected


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": arithmetic.add,
    "sub": arithmetic.sub,
    "mul": arithmetic.mul,
    "truediv": arithmetic.div,
    "floordiv": arithmetic.floor_divide,
    "mod": arithmetic.floor_mod,
    "pow": arithmetic.pow,
}


def _install() -> None:
    for name, function in _BINARY.items():
        setattr(Tensor, f"__{name}__", function)
        setattr(Tensor, f"__r{name}__", _reflected(function))
        setattr(Tensor, f"__i{name}__", function)
    setattr(Tensor, "__neg__", arithmetic.neg)


_install()
