"""Operators outside of programs, by NumPy for shapes that may not come back.

Outside of programs each shape of an operator is a program of XLA: 15 to 120 ms to compile, 10 to
load from disk, where JAX's trace of the kernel takes 1 and NumPy 0.1. Masks, positions and what is
generated word by word are of ever new shapes. So the traced kernel is evaluated by NumPy: always
where all it does is in ``numpy_rows.EXACT``, which gives XLA's bits, as long as no number is
denormal (XLA takes those for 0); from the ninth shape on where it is in ``CLOSE``, unless
``deterministic`` is set, as in ``effort.py``. What comes back often enough is compiled, and then
costs nothing here: the compiled kernel takes the place of this object until it is traced for
another shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core import effort
from msgrad._core.context import context, platform
from msgrad._core.engine import is_tracer, needs_arguments_later
from msgrad._core.numpy_program import NumpyProgram, equations, fits, is_plain
from msgrad._core.numpy_rows import COMPARE, CONVERT, EXACT, MOVE, OF_INTEGERS, ROUND, Row

# Calls of a shape before it is compiled: what they take by NumPy is a small part of that.
_EXACT_CALLS = 32
# How many shapes are compiled where NumPy's bits are others. The parameters of a network may come
# in some that all come back, and a training in batches of one size is to be resumed bit for bit.
SHAPES_IN_FULL = 8
# Calls without a new shape after which this object steps aside.
_QUIET = 64
_MAX_SIZE = 2**20
_MAX_KNOWN = 1024
_FOR_ALL = COMPARE.keys() | CONVERT.keys()


class _NotExactError(Exception):
    """NumPy would give other bits than XLA for these numbers."""


class ByNumpy:
    """An operator with its static arguments, as ``jax.jit`` would give it.

    Args:
        jitted: ``jax.jit`` of the kernel.
        show: Puts what it is given where calls find it: this object, or ``jitted``.
    """

    def __init__(self, jitted: Any, show: Callable[[Any], None]) -> None:
        self.jitted, self._show, self.__name__ = jitted, show, jitted.__name__
        # How often each shape was run by NumPy, and by what.
        self._known: dict[Any, list[Any]] = {}
        self._quiet, self._shown = 0, False

    def traced(self) -> None:
        """Note that the kernel is being traced, so for shapes that are new."""
        if not self._shown:
            self._shown = True
            self._show(self)

    def __call__(self, *operands: Any) -> Any:
        key = _key(operands)
        known = None
        if key is not None and platform() == "cpu" and not needs_arguments_later():
            known = self._known.get(key) or self._begin(key, operands)
        if known is None or not _may_run(*known):
            self._quiet += 1
            if self._quiet > _QUIET:
                self._shown = False
                self._show(self.jitted)
            return self.jitted(*operands)
        known[0] += 1
        try:
            return known[1].of(jax.tree.leaves(operands))
        except _NotExactError:
            return self.jitted(*operands)

    def _begin(self, key: Any, operands: tuple[Any, ...]) -> list[Any]:
        traced = self.jitted.trace(*operands)
        self._quiet = 0
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        rows = _CHECKED if _is_exact(traced.jaxpr.jaxpr) else None
        again = len(self._known) >= SHAPES_IN_FULL and fits(traced.jaxpr.jaxpr)
        program = NumpyProgram(traced.jaxpr, traced.out_info, rows) if rows or again else None
        known = self._known[key] = [0, program]
        return known


def _may_run(calls: int, program: NumpyProgram | None) -> bool:
    if program is None:
        return False
    if program.exact:
        return calls < _EXACT_CALLS
    return calls < effort.CHEAP_CALLS and not context.deterministic


def _key(operands: tuple[Any, ...]) -> Any:
    """Return what a trace depends on; None where NumPy's arrays do not stand for the operands."""
    key: list[Any] = []
    for x in operands:
        if isinstance(x, jax.Array):
            if is_tracer(x) or x.weak_type or x.committed or x.size > _MAX_SIZE:
                return None
            key.append((x.shape, x.dtype))
        elif isinstance(x, tuple):
            key.append(_key(x))
            if key[-1] is None:
                return None
        elif isinstance(x, np.ndarray):
            key.append((x.shape, x.dtype, None))
        elif x is None or isinstance(x, (int, float)):
            key.append(type(x))
        else:
            return None
    return tuple(key)


def _is_exact(jaxpr: Any) -> bool:
    """Whether NumPy gives the bits that XLA gives."""
    results = [variable.aval for variable in jaxpr.outvars]
    if any(getattr(aval, "weak_type", True) for aval in results):
        return False
    rounded = 0
    for eqn in equations(jaxpr):
        name = eqn.primitive.name
        avals = [atom.aval for atom in (*eqn.invars, *eqn.outvars)]
        if not is_plain(eqn) or any(aval.size > _MAX_SIZE for aval in avals):
            return False
        kinds = {_kind(aval.dtype) for aval in avals}
        if name in MOVE:
            continue
        if "c" in kinds:
            return False
        if name in ROUND and "f" in kinds:
            rounded += 1
            if rounded > 1 or any(a.dtype not in (np.float32, np.float64) for a in avals):
                return False
        elif name not in _FOR_ALL and (name not in OF_INTEGERS or "f" in kinds):
            return False
    return True


def _kind(dtype: Any) -> str:
    return "f" if jnp.issubdtype(dtype, jnp.floating) else dtype.kind


def _checked(row: Row) -> Row:
    def run(parameters: dict[str, Any], *operands: Any) -> Any:
        _check(operands)
        result = row(parameters, *operands)
        _check([result])
        return result

    return run


def _check(arrays: Sequence[Any]) -> None:
    for x in arrays:
        if _kind(x.dtype) == "f" and np.any((np.abs(x) < jnp.finfo(x.dtype).tiny) & (x != 0)):
            raise _NotExactError


def _converted(p: dict[str, Any], x: Any) -> Any:
    dtype = p["new_dtype"]
    # Beyond what an integer holds each processor has a rule of its own.
    if _kind(x.dtype) == "f" and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        wide = x.astype(np.float64)
        if not np.all((wide > limits.min - 1.0) & (wide < limits.max + 1.0)):
            raise _NotExactError
        # The largest integers are no floats: ``max + 1`` is, and is excluded.
    return x.astype(dtype)


_CHECKED = {
    name: row if name in MOVE else _checked(_converted if name in CONVERT else row)
    for name, row in EXACT.items()
}
