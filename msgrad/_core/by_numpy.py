"""Operators outside of programs, by NumPy for shapes that may not come back.

Outside of programs each shape of an operator is a program of XLA: 15 to 120 ms to compile, 10 to
load from disk, where JAX's trace of the kernel takes 1 and NumPy 0.1. Masks, positions and what is
generated word by word are of ever new shapes. So the traced kernel is evaluated by NumPy if all it
does is in the tables below: they give XLA's bits, as long as no number is denormal (XLA takes those
for 0). What comes back often enough is compiled, and then costs nothing here: the compiled kernel
takes the place of this object until it is traced for another shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core as jex

from msgrad._core.context import platform
from msgrad._core.engine import is_tracer, needs_arguments_later, to_device

# Calls of a shape before it is compiled: what they take by NumPy is a small part of that.
_BY_NUMPY = 32
# Calls without a new shape after which this object steps aside.
_QUIET = 64
_MAX_SIZE = 2**20
_MAX_KNOWN = 1024

_Parameters = dict[str, Any]


def _spread(p: _Parameters, x: Any, *_: Any) -> Any:
    shape = [1] * len(p["shape"])
    for at, size in zip(p["broadcast_dimensions"], x.shape, strict=True):
        shape[at] = size
    return np.broadcast_to(x.reshape(shape), p["shape"])


def _cut(p: _Parameters, x: Any) -> Any:
    steps = p["strides"] or (1,) * x.ndim
    return x[tuple(map(slice, p["start_indices"], p["limit_indices"], steps))]


def _cut_at(p: _Parameters, x: Any, *starts: Any) -> Any:
    sizes = p["slice_sizes"]
    limits = [most - size for most, size in zip(x.shape, sizes, strict=True)]
    begins = [min(max(int(s), 0), most) for s, most in zip(starts, limits, strict=True)]
    return x[tuple([slice(b, b + size) for b, size in zip(begins, sizes, strict=True)])]


def _counted(p: _Parameters) -> Any:
    shape, at = p["shape"], p["dimension"]
    counts = np.arange(shape[at]).astype(p["dtype"])
    return np.broadcast_to(counts.reshape([-1] + [1] * (len(shape) - at - 1)), shape)


def _along(function: Any) -> Callable[..., Any]:
    def run(p: _Parameters, x: Any) -> Any:
        if not p["reverse"]:
            return function(x, axis=p["axis"], dtype=x.dtype)
        return np.flip(function(np.flip(x, p["axis"]), axis=p["axis"], dtype=x.dtype), p["axis"])

    return run


def _reduced(function: Any) -> Callable[..., Any]:
    return lambda p, x: function.reduce(x, axis=p["axes"], dtype=x.dtype)


def _first(function: Any) -> Callable[..., Any]:
    return lambda p, x: function(x, axis=p["axes"][0]).astype(p["index_dtype"])


def _of_elements(function: Any) -> Callable[..., Any]:
    return lambda _, *given: function(*given)


_MOVE: dict[str, Callable[..., Any]] = {
    "broadcast_in_dim": _spread,
    "concatenate": lambda p, *xs: np.concatenate(xs, p["dimension"]),
    "copy": lambda _, x: x,
    "dynamic_slice": _cut_at,
    "iota": _counted,
    "reshape": lambda p, x: x.reshape(p["new_sizes"]),
    "rounded": lambda _, x: x,
    "rev": lambda p, x: np.flip(x, p["dimensions"]),
    "select_n": lambda _, which, *xs: np.where(which, xs[1], xs[0]),
    "slice": _cut,
    "split": lambda p, x: np.split(x, np.cumsum(p["sizes"])[:-1], p["axis"]),
    "squeeze": lambda p, x: np.squeeze(x, p["dimensions"]),
    "stack": lambda p, *xs: np.stack(xs, p["axis"]),
    "tile": lambda p, x: np.tile(x, p["reps"]),
    "transpose": lambda p, x: np.transpose(x, p["permutation"]),
}
_COMPARE = {
    name: _of_elements(getattr(np, function))
    for name, function in {
        "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
        "ge": "greater_equal", "neg": "negative", "abs": "absolute", "is_finite": "isfinite",
    }.items()
} | {"argmax": _first(np.argmax), "argmin": _first(np.argmin)}  # fmt: skip
# Rounded once, to the nearest number, as IEEE 754 says; of two XLA may make one step. So is a
# quotient, but XLA multiplies by the reciprocal of a single number.
_ROUND = {
    name: _of_elements(getattr(np, function))
    for name, function in {
        "add": "add", "sub": "subtract", "mul": "multiply", "sqrt": "sqrt",
    }.items()
}  # fmt: skip
_OF_INTEGERS: dict[str, Callable[..., Any]] = {
    **{name: _ROUND[name] for name in ("add", "sub", "mul")},
    **{name: _of_elements(getattr(np, f"bitwise_{name}")) for name in ("and", "or", "xor", "not")},
    **{name: _of_elements(getattr(np, f"{name}imum")) for name in ("min", "max")},
    "sign": _of_elements(np.sign),
    "reduce_sum": _reduced(np.add),
    "reduce_max": _reduced(np.maximum),
    "reduce_min": _reduced(np.minimum),
    "reduce_and": _reduced(np.bitwise_and),
    "reduce_or": _reduced(np.bitwise_or),
    "cumsum": _along(np.cumsum),
    "cumprod": _along(np.cumprod),
}
_FOR_ALL = {*_COMPARE, "convert_element_type"}
_BODIES = {"jit": "jaxpr", "custom_jvp_call": "call_jaxpr"}


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
        self._known: dict[Any, list[Any]] = {}
        self._quiet, self._shown, self._fits = 0, False, True

    def traced(self) -> None:
        """Note that the kernel is being traced, so for shapes that are new."""
        if self._fits and not self._shown:
            self._shown = True
            self._show(self)

    def __call__(self, *operands: Any) -> Any:
        key = _key(operands)
        known = None
        if key is not None and platform() == "cpu" and not needs_arguments_later():
            known = self._known.get(key) or self._begin(key, operands)
        if known is None or known[0] >= _BY_NUMPY or not self._fits:
            self._quiet += 1
            if self._quiet > _QUIET or not self._fits:
                self._shown = False
                self._show(self.jitted)
            return self.jitted(*operands)
        known[0] += 1
        traced, shape = known[1]
        try:
            with np.errstate(all="ignore"):
                leaves = zip(jax.tree.leaves(operands), traced.jaxpr.invars, strict=True)
                given = [np.asarray(x, dtype=variable.aval.dtype) for x, variable in leaves]
                results = _run(traced.jaxpr, traced.consts, given)
        except _NotExactError:
            return self.jitted(*operands)
        return jax.tree.unflatten(shape, map(to_device, results))

    def _begin(self, key: Any, operands: tuple[Any, ...]) -> list[Any]:
        traced = self.jitted.trace(*operands)
        self._fits = _is_exact(traced.jaxpr.jaxpr)
        self._quiet = 0
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        known = self._known[key] = [0, (traced.jaxpr, jax.tree.structure(traced.out_info))]
        return known


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
    for eqn in _all_equations(jaxpr):
        name = eqn.primitive.name
        avals = [atom.aval for atom in (*eqn.invars, *eqn.outvars)]
        if any(not isinstance(getattr(a, "dtype", None), np.dtype) for a in avals):
            return False
        # Sizes of an exported network may be open.
        if any(not isinstance(size, int) for aval in avals for size in aval.shape):
            return False
        if any(aval.size > _MAX_SIZE for aval in avals):
            return False
        kinds = {_kind(aval.dtype) for aval in avals}
        if name in _MOVE:
            # Elements in another order than the first axis first, and one of more than two.
            if eqn.params.get("dimensions") is not None and name == "reshape":
                return False
            if name == "select_n" and (len(eqn.invars) != 3 or eqn.invars[0].aval.dtype != bool):
                return False
        elif "c" in kinds:
            return False
        elif name in _ROUND and "f" in kinds:
            rounded += 1
            if rounded > 1 or any(a.dtype not in (np.float32, np.float64) for a in avals):
                return False
        elif name not in _FOR_ALL and (name not in _OF_INTEGERS or "f" in kinds):
            return False
    return True


def _kind(dtype: Any) -> str:
    return "f" if jnp.issubdtype(dtype, jnp.floating) else dtype.kind


def _all_equations(jaxpr: Any) -> Iterator[Any]:
    for eqn in jaxpr.eqns:
        body = _BODIES.get(eqn.primitive.name)
        if body is None:
            yield eqn
        else:
            yield from _all_equations(eqn.params[body].jaxpr)


def _run(jaxpr: Any, constants: Sequence[Any], given: Sequence[Any]) -> list[Any]:
    values = dict(zip(jaxpr.constvars, map(np.asarray, constants), strict=True))
    values.update(zip(jaxpr.invars, given, strict=True))

    def value(atom: Any) -> Any:
        return _number(atom) if isinstance(atom, jex.Literal) else values[atom]

    for eqn in jaxpr.eqns:
        name, inputs = eqn.primitive.name, [value(atom) for atom in eqn.invars]
        if name in _BODIES:
            body = eqn.params[_BODIES[name]]
            results = _run(body.jaxpr, body.consts, inputs)
        else:
            results = _applied(name, eqn, inputs)
        values.update(zip(eqn.outvars, results, strict=True))
    return [value(atom) for atom in jaxpr.outvars]


def _number(literal: Any) -> Any:
    return np.asarray(literal.val, dtype=literal.aval.dtype)


def _applied(name: str, eqn: Any, inputs: list[Any]) -> Sequence[Any]:
    if name in _MOVE:
        result = _MOVE[name](eqn.params, *inputs)
    else:
        _check(inputs)
        if name == "convert_element_type":
            result = _converted(inputs[0], eqn.params["new_dtype"])
        else:
            table = next(t for t in (_COMPARE, _ROUND, _OF_INTEGERS) if name in t)
            result = table[name](eqn.params, *inputs)
    results = result if eqn.primitive.multiple_results else [result]
    made = [
        np.asarray(x, dtype=variable.aval.dtype)
        for x, variable in zip(results, eqn.outvars, strict=True)
    ]
    if name not in _MOVE:
        _check(made)
    return made


def _check(arrays: Sequence[Any]) -> None:
    for x in arrays:
        if _kind(x.dtype) == "f" and np.any((np.abs(x) < jnp.finfo(x.dtype).tiny) & (x != 0)):
            raise _NotExactError


def _converted(x: Any, dtype: Any) -> Any:
    # Beyond what an integer holds each processor has a rule of its own.
    if _kind(x.dtype) == "f" and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        wide = x.astype(np.float64)
        if not np.all((wide > limits.min - 1.0) & (wide < limits.max + 1.0)):
            raise _NotExactError
        # The largest integers are no floats: ``max + 1`` is, and is excluded.
    return x.astype(dtype)
