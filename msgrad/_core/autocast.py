"""``Autocast``: which float dtype operators compute in while a part of a network runs.

``Cell.to_float`` and ``mindspore.amp`` make them, ``Operator`` applies them; the lists of names of
mixed precision are in ``msgrad.amp``.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgrad._core import basics
from msgrad._core.bridge import is_tensor, map_tensors, wrap
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.op import dispatch
from msgrad._core.promotion import is_float, result_type

# The widest floating dtype of the operands, for operators that do not promote on their own.
WIDEST = object()


@dataclass(frozen=True, eq=False)
class Autocast:
    """What happens to the floating operands of every operator.

    In a compiled call MindSpore casts what a Cell is given and the Tensors that it finds, not what
    it computes: what is made float32 there stays so. An eager call casts all operands.

    Attributes:
        dtype: What they are cast to (a NumPy dtype), or None to leave them.
        by_name: Operator name -> dtype, or ``WIDEST``, where it differs from ``dtype``.
        result: What floating results are cast to, or None: those of the operators in ``by_name``,
            or, without such names, those of the whole Cell.
    """

    dtype: Any = None
    by_name: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None

    def operands(self, name: str, tensors: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Cast the raw operands of the operator ``name``, which were read from ``tensors``."""
        dtype = self.by_name.get(name, self.dtype)
        if dtype is WIDEST:
            dtype = _widest(values)
        if dtype is None:
            return values
        if context.lift is not None and name not in self.by_name:
            return _cast_found(tensors, values, dtype)
        return tuple([_cast(v, dtype) for v in values])

    def inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Cast the arguments of a Cell in a compiled call."""
        if self.dtype is None or context.lift is None:
            return args, kwargs
        return floating_to(self.dtype, (args, kwargs))

    def of_operator(self, name: str, outputs: Any) -> Any:
        """Cast what the operator ``name`` returned."""
        if self.result is None or name not in self.by_name:
            return outputs
        return floating_to(self.result, outputs)

    def of_cell(self, outputs: Any) -> Any:
        """Cast what the Cell returned."""
        return outputs if self.result is None or self.by_name else floating_to(self.result, outputs)


def floating_to(dtype: Any, tree: Any) -> Any:
    """Cast the floating Tensors in nested tuples, lists and dicts to a NumPy dtype."""

    def cast(tensor: Any) -> Any:
        raw = tensor._peek()
        changes = is_float(raw.dtype) and raw.dtype != dtype
        return wrap(dispatch(basics.cast, (dtype,), (raw,))) if changes else tensor

    return map_tensors(cast, tree)


def _widest(values: tuple[Any, ...]) -> Any:
    leaves = [v for value in values for v in (value if isinstance(value, tuple) else (value,))]
    floats = [v.dtype for v in leaves if hasattr(v, "dtype") and is_float(v.dtype)]
    return functools.reduce(result_type, floats) if floats else None


def _cast_found(tensors: Any, values: Any, dtype: Any) -> tuple[Any, ...]:
    """Cast the operands that the call did not compute."""

    def cast(tensor: Any, value: Any) -> Any:
        if isinstance(value, tuple):
            return _cast_found(tensor, value, dtype)
        computed = is_tensor(tensor) and is_tracer(tensor._data)
        return value if computed else _cast(value, dtype)

    return tuple(map(cast, tensors, values))


def _cast(value: Any, dtype: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_cast(v, dtype) for v in value])
    found = getattr(value, "dtype", None)
    if found is None or found == dtype or not is_float(found):
        return value
    return dispatch(basics.cast, (dtype,), (value,))
