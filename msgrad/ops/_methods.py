"""Installs operators on the Tensor class: its symbols and its methods.

The methods are those of the rows, and functions of ``msgrad.ops`` under the same name. A symbol has
its reflected and its in-place form, which gives a new Tensor, as in MindSpore; all of them must be
set, since a Parameter would otherwise take them from its Flax base. A method in place writes the
Tensor it is called on and returns it; most of these 2.10 runs on an Ascend device only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from numbers import Real
from types import FunctionType
from typing import Any

from msgrad._core.bridge import tensors_in
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, KernelError
from msgrad._core.registry import METHODS, ROWS
from msgrad._core.spelling import spelled, spellings_in
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.ops import arithmetic, comparison, joining, linalg, unary

FUNCTIONS = (
    "adjoint angle bincount cholesky cholesky_inverse cholesky_solve col2im "
    "cov diagflat diagonal_scatter diff dsplit eigvals fills fmax fmin fold gcd geqrf "
    "heaviside histc hsplit i0 igamma igammac index_fill inplace_update invert isneginf isposinf "
    "isreal lcm ldexp log_matrix_determinant logcumsumexp logdet logit lstsq lu_solve "
    "matrix_power msort mvlgamma nanmedian nanquantile nextafter orgqr "
    "quantile random_categorical renorm reverse rot90 "
    "select_scatter sgn signbit sinc slice_scatter slogdet "
    "soft_shrink unfold unique_consecutive unique_with_pad unsorted_segment_max "
    "unsorted_segment_min unsorted_segment_prod vsplit xdivy"
)
IN_PLACE = (
    "addmm clamp erfinv fill_diagonal floor index_fill log masked_fill masked_scatter "
    "scatter scatter_add sigmoid sign tanh"
)


def in_place(function: Any) -> Callable[..., Tensor]:
    """Return the in-place form of a function: the result, in the dtype of its first argument.

    It raises RuntimeError, and writes nothing, if the result has another shape.
    """

    @functools.wraps(function)
    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        result = _fitting(self, function(self, *args, **kwargs), function.__name__)
        self._write_elements(result._peek())
        return self

    summary = (function.__doc__ or "").partition("\n")[0]
    write.__doc__ = f"In place: {summary}"
    return write


def _fitting(tensor: Tensor, result: Tensor, name: str) -> Tensor:
    if result.shape != tensor.shape:
        raise KernelError(
            f"{name} in place: the result has the shape {result.shape}, the Tensor "
            f"{tensor.shape}; assign the result, or give what broadcasts to that."
        )
    return result.astype(tensor.dtype)


# These write only where they are compiled; eagerly 2.10 gives the result and leaves the Tensor.
COMPILED_IN_PLACE = "add_ mul_ div_ floor_divide_ remainder_ sub_"


def _in_place_where_compiled(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    write, always = in_place(function), function.__name__ != "sub_"

    @functools.wraps(function)
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        # sub_ has a form without alpha, which never writes.
        if context.inputs is None or not (always or "alpha" in kwargs):
            return function(self, *args, **kwargs)
        # Beside integers 2.5 counts as 2.
        others = (Tensor(a, self.dtype) if isinstance(a, (Real, Tensor)) else a for a in args)
        return write(self, *others, **kwargs)

    return method


def _written_where_compiled(function: Callable[[Any, Any], Tensor]) -> Callable[[Any, Any], Tensor]:
    """Return the symbol ``p += x`` of a Parameter, which writes it where it is compiled."""

    def symbol(self: Tensor, other: Any) -> Tensor:
        if context.inputs is None or not isinstance(other, (Real, Tensor)):
            return function(self, other)
        new = function(self, Tensor(other, self.dtype))
        new = _fitting(self, new, function.__name__)
        self._assign(new._peek())
        # In a gradient what is written counts as a constant, and the result does not.
        return self if context.scope is context.lift else new

    return symbol


def more_methods(exports: Mapping[str, Any]) -> dict[str, Any]:
    """Return the methods by name.

    Args:
        exports: The names of ``msgrad.ops``.
    """
    found = {name: exports[name] for name in FUNCTIONS.split()}
    for name in IN_PLACE.split():
        # The method first: `ops.scatter_add` is another operator than `Tensor.scatter_add`.
        source = getattr(Tensor, name, None) or exports[name]
        found[f"{name}_"] = in_place(source)
    return found


# ``**=``, ``@=``, ``&=`` and their like give a new Tensor there, too.
_WRITTEN = "add sub mul truediv floordiv mod"
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


# Beside which symbols a list or a tuple stands for a Tensor of the other's dtype; with "r", on the
# left of it. In a compiled call beside more of them; a function refuses what is left a list.
_LISTS = ("add", "radd", "sub", "rsub", "isub", "floordiv", "rfloordiv", "rpow")
_COMPILED = ("add", "sub", "mul", "truediv", "floordiv", "mod")
_COMPILED_LISTS = {*_LISTS, *(f"{kind}{name}" for name in _COMPILED for kind in ("", "r", "i"))}


def _joined(items: Any, dtype: Any) -> Tensor:
    """Return a list or a tuple as a Tensor; those in it are stacked, with their gradients."""
    if next(iter(tensors_in(items)), None) is None:
        return Tensor(items, dtype)
    parts = [
        item
        if isinstance(item, Tensor)
        else (_joined if isinstance(item, (list, tuple)) else Tensor)(item, dtype)
        for item in items
    ]
    kinds = sorted({str(part.dtype) for part in parts})
    if len(kinds) > 1:
        raise ArgumentTypeError(f"All input must have the same data type, but got {kinds}.")
    return joining.stack(parts)


def _symbol(function: Callable[[Any, Any], Any], name: str) -> Callable[[Any, Any], Any]:
    reflected, always, compiled = name[0] == "r", name in _LISTS, name in _COMPILED_LISTS

    def symbol(self: Any, other: Any) -> Any:
        if isinstance(other, (list, tuple)) and (
            always or (compiled and context.inputs is not None)
        ):
            other = _joined(other, self.dtype)
        return function(other, self) if reflected else function(self, other)

    return symbol


def _formatted(self: Tensor, spec: str) -> str:
    # What is compiled shows a Tensor as it is, whatever the form; Python refuses that.
    compiled = context.plain or context.lift is not None
    return str(self) if compiled else object.__format__(self, spec)


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
        for kind in ("", "r", "i"):
            _set(f"__{kind}{name}__", _symbol(function, f"{kind}{name}"))
    for name in _WRITTEN.split():
        eager = getattr(Tensor, f"__i{name}__")
        setattr(Parameter, f"__i{name}__", _written_where_compiled(eager))
    for name, function in _COMPARISONS.items():
        _set(f"__{name}__", function if name in ("eq", "ne") else _symbol(function, name))
    for name, function in _UNARY.items():
        _set(f"__{name}__", function)
    _set("__format__", _formatted)
    for name in _ABSENT:
        _set(f"__{name}__", lambda self, other: NotImplemented)
    for row in ROWS.values():
        for name, text in spellings_in(row.method, row.names):
            _set(name, spelled(row.target, name, text, bound=True, also=row.also))
    for name, function in METHODS.items():
        _set(name, function)
    for name, target in more_methods(exports).items():
        _set(name, spelled(target, name, None, bound=True))
    for name in COMPILED_IN_PLACE.split():
        _set(name, _in_place_where_compiled(getattr(Tensor, name)))
