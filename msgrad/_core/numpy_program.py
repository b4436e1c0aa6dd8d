"""``NumpyProgram``: a traced program that NumPy runs, for shapes that are not worth compiling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.extend import core as jex

from msgrad._core.engine import scanned, to_device
from msgrad._core.numpy_rows import CLOSE, MOVE, Row
from msgrad._core.promotion import HALF

# Their bodies take their place.
_BODIES = {
    "closed_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "jit": "jaxpr",
    "remat2": "jaxpr",
}
_HALF = frozenset(map(np.dtype, HALF))
# What is not computed in 32 bits where it is given in 16.
_AS_THEY_ARE = {"gather", "scan", "scatter", *MOVE}
# The others are slow in NumPy, or not there.
_DTYPES = {np.dtype(code) for code in "?bhilBHILfd"} | _HALF
# Numbers that an equation may read and write, in the mean: that takes 0.1 ms, and compiling it 0.5.
_MEAN_SIZE = 2**18
# How much longer NumPy takes than XLA, in numbers read and written: for each of these,
_LONGER = {"erf": 6, "erfc": 7, "random_bits": 25, "top_k": 100}
_FLOAT16 = 5
# for each number in a window, found by an index, or multiplied as an integer,
_WINDOW = {"conv_general_dilated": 8, "reduce_window_max": 2, "reduce_window_sum": 2}
_INDEXED = {"gather": 16, "scatter": 16, "scatter-add": 16}
_INTEGERS = 3
# and to run an equation of a loop once more; its numbers are in the cache, and take an eighth.
_AGAIN = 2**12
_CACHED = 8


class _Step(NamedTuple):
    """One equation: its primitive, where its values are, and which of them nothing reads later.

    What is ``wide`` computes with 16 bits in 32, and rounds the result.
    """

    name: str
    parameters: dict[str, Any]
    operands: tuple[int, ...]
    results: tuple[int, ...]
    dtypes: tuple[np.dtype, ...]
    over: tuple[int, ...]
    wide: bool


class OtherOperandsError(TypeError):
    """Operands of other shapes or dtypes than a program was traced for."""


class NumpyProgram:
    """A program as a list of steps; it can be pickled.

    Args:
        closed: The program, as a trace gives it.
        results: What it returns, in shape.
        rows: What runs its primitives, to the bit; None for ``CLOSE``.

    Attributes:
        exact: Whether its bits are XLA's.
    """

    def __init__(
        self, closed: Any, results: Any = None, rows: Mapping[str, Row] | None = None
    ) -> None:
        self._tree, self._rows, self.exact = jax.tree.structure(results), rows, rows is not None
        # Those of constants; the others are None.
        self._values: list[Any] = []
        self._steps: list[_Step] = []
        places = {variable: self._new() for variable in closed.jaxpr.invars}
        self._forms = [_form(variable.aval) for variable in places]
        self._operands = list(places.values())
        self._add(closed.jaxpr, closed.consts, places)
        self._results = [self._place(atom, places) for atom in closed.jaxpr.outvars]
        self._find_last_uses()

    def _new(self, value: Any = None) -> int:
        self._values.append(value)
        return len(self._values) - 1

    def _place(self, atom: Any, places: dict[Any, int]) -> int:
        if isinstance(atom, jex.Literal):
            return self._new(np.asarray(atom.val, dtype=_dtype(atom)))
        return places[atom]

    def _add(self, jaxpr: Any, constants: Sequence[Any], places: dict[Any, int]) -> None:
        for variable, constant in zip(jaxpr.constvars, constants, strict=True):
            places[variable] = self._new(np.asarray(constant))
        for eqn in jaxpr.eqns:
            operands = [self._place(atom, places) for atom in eqn.invars]
            body = _body(eqn)
            if body is None:
                results = [self._new() for _ in eqn.outvars]
                dtypes = tuple([_dtype(variable) for variable in eqn.outvars])
                name = eqn.primitive.name
                wide = name not in _AS_THEY_ARE and any(_dtype(v) in _HALF for v in eqn.invars)
                step = name, _parameters(eqn), tuple(operands), tuple(results), dtypes, (), wide
                self._steps.append(_Step(*step))
            else:
                inside = dict(zip(body.jaxpr.invars, operands, strict=True))
                self._add(body.jaxpr, body.consts, inside)
                results = [self._place(atom, inside) for atom in body.jaxpr.outvars]
            places.update(zip(eqn.outvars, results, strict=True))

    def _find_last_uses(self) -> None:
        read = set(self._results)
        for i, step in reversed([*enumerate(self._steps)]):
            over = {*step.operands, *step.results} - read
            read |= over
            self._steps[i] = step._replace(over=tuple(over))

    def __call__(self, *operands: Any) -> Any:
        """Run it on JAX's arrays, and return some.

        Raises:
            OtherOperandsError: If it was traced for others.
        """
        leaves = jax.tree.leaves(operands)
        if [_form(jax.typeof(x)) for x in leaves] != self._forms:
            raise OtherOperandsError
        return self.of(leaves)

    def of(self, leaves: Sequence[Any]) -> Any:
        """Do the same with the leaves of operands that are known to be those it was traced for."""
        with np.errstate(all="ignore"):
            pairs = zip(leaves, self._forms, strict=True)
            given = [np.asarray(x, dtype=dtype) for x, (_, dtype, _) in pairs]
        results = self.run(given)
        return jax.tree.unflatten(self._tree, map(to_device, results))

    def lower(self, *_: Any) -> NumpyProgram:
        """Return itself: it is called as it is."""
        return self

    compile = lower

    def run(self, given: Sequence[Any]) -> list[Any]:
        """Run it on NumPy's arrays, and return some, which may share memory with those given."""
        values, rows = self._values.copy(), self._rows or CLOSE
        for place, x in zip(self._operands, given, strict=True):
            values[place] = x
        with np.errstate(all="ignore"):
            for name, parameters, operands, places, dtypes, over, wide in self._steps:
                row = _scan if name == "scan" else rows[name]
                inputs = [values[place] for place in operands]
                found = row(parameters, *(map(_wide, inputs) if wide else inputs))
                if not isinstance(found, (list, tuple)):
                    found = (found,)
                for place, x, dtype in zip(places, found, dtypes, strict=True):
                    values[place] = np.asarray(x, dtype=dtype)
                for place in over:
                    values[place] = None
        return [values[place] for place in self._results]


def equations(jaxpr: Any) -> Iterator[Any]:
    """Yield the equations of which a ``NumpyProgram`` has steps."""
    for eqn in jaxpr.eqns:
        body = _body(eqn)
        if body is None:
            yield eqn
        else:
            yield from equations(body.jaxpr)


def fits(jaxpr: Any) -> bool:
    """Whether NumPy runs a program with values close to XLA's, and in little time."""
    if any(getattr(variable.aval, "weak_type", True) for variable in jaxpr.outvars):
        return False
    if not all(map(_is_close, equations(jaxpr))):
        return False
    work, count = _measured(jaxpr)
    return work <= count * _MEAN_SIZE


def _measured(jaxpr: Any) -> tuple[int, int]:
    """Return how long NumPy takes, in numbers read and written, and how many equations it has."""
    work = count = 0
    for eqn in equations(jaxpr):
        count += 1
        if eqn.primitive.name == "scan":
            inside, more = _measured(eqn.params["jaxpr"].jaxpr)
            work += eqn.params["length"] * (inside // _CACHED + more * _AGAIN)
            count += more
        else:
            work += _work(eqn)
    return work, count


def _work(eqn: Any) -> int:
    name, p = eqn.primitive.name, eqn.params
    given, made = [[atom.aval for atom in atoms] for atoms in (eqn.invars, eqn.outvars)]
    if name in _INDEXED:
        # Of a table a gather reads what it finds.
        moved, others = (made[0], ()) if name == "gather" else (given[2], (given[0], *made))
        return _INDEXED[name] * moved.size + sum(aval.size for aval in others)
    work = sum(aval.size for aval in (*given, *made)) * _LONGER.get(name, 1)
    if any(aval.dtype == np.float16 for aval in given) and name not in _AS_THEY_ARE:
        work *= _FLOAT16
    if name in _WINDOW:
        work += _WINDOW[name] * _windowed(eqn)
    elif name == "dot_general" and made[0].dtype.kind in "iu":
        (summed, _), _ = p["dimension_numbers"]
        work += _INTEGERS * made[0].size * prod(given[0].shape[axis] for axis in summed)
    return work


def _windowed(eqn: Any) -> int:
    """Return how many numbers the windows of a pooling have, or that a convolution multiplies."""
    p, made = eqn.params, eqn.outvars[0].aval.size
    if "window_dimensions" in p:
        return made * prod(p["window_dimensions"])
    kernel = eqn.invars[1].aval
    features = kernel.shape[p["dimension_numbers"].rhs_spec[0]]
    groups = p["feature_group_count"] * p["batch_group_count"]
    return made * groups * kernel.size // features**2


def _is_close(eqn: Any) -> bool:
    name, p = eqn.primitive.name, eqn.params
    if name in ("random_wrap", "random_bits"):
        key = (eqn.outvars if name == "random_wrap" else eqn.invars)[0].aval
        one = key.shape == () and str(key.dtype) == "key<fry>"
        return (
            one and jax.config.values["jax_threefry_partitionable"] and p.get("bit_width", 32) == 32
        )
    avals = [atom.aval for atom in (*eqn.invars, *eqn.outvars)]
    # Of nothing NumPy finds no largest.
    if not (is_plain(eqn) and all(aval.dtype in _DTYPES and aval.size for aval in avals)):
        return False
    if name == "scan":
        return p["length"] > 0 and fits(p["jaxpr"].jaxpr)
    if name in ("integer_pow", "pow"):
        return avals[-1].dtype.kind == "f"
    if name == "shift_right_logical":
        return avals[0].dtype.kind == "u"
    if name == "sort":
        return p["num_keys"] == 1
    return name in CLOSE


def is_plain(eqn: Any) -> bool:
    """Whether an equation is of NumPy's dtypes and fixed sizes."""
    for aval in [atom.aval for atom in (*eqn.invars, *eqn.outvars)]:
        # Sizes of an exported network may be open.
        if not isinstance(getattr(aval, "dtype", None), np.dtype) or any(
            not isinstance(size, int) for size in aval.shape
        ):
            return False
    # Of more than two is not chosen.
    return eqn.primitive.name != "select_n" or eqn.invars[0].aval.dtype == bool


def _form(aval: Any) -> tuple[Any, Any, Any]:
    return aval.shape, aval.dtype, aval.weak_type


def _dtype(variable: Any) -> Any:
    # What is in a key.
    dtype = variable.aval.dtype
    return dtype if isinstance(dtype, np.dtype) else np.dtype(np.uint32)


def _wide(x: Any) -> Any:
    return x.astype(np.float32) if x.dtype in _HALF else x


def _body(eqn: Any) -> Any:
    name = _BODIES.get(eqn.primitive.name)
    if name is None:
        return None
    body = eqn.params[name]
    return body if hasattr(body, "jaxpr") else jex.ClosedJaxpr(body, ())


def _parameters(eqn: Any) -> dict[str, Any]:
    if eqn.primitive.name != "scan":
        # Programs of JAX cannot be pickled, and no row asks for them.
        return {k: v for k, v in eqn.params.items() if not hasattr(v, "eqns")}
    fixed, carried, _ = map(len, scanned(eqn.params, eqn.invars))
    named = {name: eqn.params[name] for name in ("length", "reverse")}
    return {"body": NumpyProgram(eqn.params["jaxpr"]), "fixed": fixed, "carried": carried, **named}


def _scan(p: dict[str, Any], *given: Any) -> list[Any]:
    fixed, carried, count = p["fixed"], p["carried"], p["length"]
    state, turned = given[fixed : fixed + carried], given[fixed + carried :]
    turns = []
    for i in reversed(range(count)) if p["reverse"] else range(count):
        made = p["body"].run([*given[:fixed], *state, *[x[i] for x in turned]])
        state = made[:carried]
        turns.append(made[carried:])
    if p["reverse"]:
        turns.reverse()
    return [*state, *map(np.stack, zip(*turns, strict=True))]
