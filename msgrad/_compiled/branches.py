"""``join_paths``: a function whose Python asks traced Tensors for their truth, as one program.

An ``if``, ``while``, ``and``, ``not``, ``in`` or ternary on a Tensor calls its ``bool``. The
function is traced once for each sequence of decisions (``LiftScope.decide``), and the traces are
joined by ``jax.lax.cond``: what stands before a predicate once, what follows it in a branch each.
So Python itself is what runs in either branch, and no source is needed or changed. Paths that give
values of another structure, shape or dtype, or raise, stand side by side in the output
(``outcomes.py``). What cannot be joined (too many paths, as in a loop; attributes that are no
Tensors) raises ``Uncompilable``, and the call runs as plain Python. Python's own effects (a list
that grows) happen once for each path, while it is traced; a print, each time (``printing.py``).

A transform of the source was tried for this (diastatic-malt 2.15, the maintained AutoGraph) and
left out. It pipes the local names that a block assigns through ``lax.cond``, and sees no other
change: with ``l = []``, ``if x > 0: l.append(x)``, ``return x + len(l)`` both branches append, and
a negative ``x`` gives ``x + 1`` without a word; so does ``nonlocal`` in an inner function. A
Parameter or an attribute that is written in a branch, or in a function called there, leaks its
tracer. It has no source of what ``exec`` made, and fails on ``match``. Only loops on Tensors, of
which there is no trace for each path, take the source (``rewriting.py``), and what has too many
paths, and only where none of that happens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend import core as jex

from msgrad._compiled.number import Number
from msgrad._compiled.outcomes import Outcomes
from msgrad._compiled.reroll import reroll
from msgrad._compiled.scans import is_literal
from msgrad._core.bridge import is_tensor, tensors_in, wrap
from msgrad._core.deferred.recording import to_trace
from msgrad._core.distributed.across import axes
from msgrad._core.engine import ClosedJaxpr, is_tracer
from msgrad._core.scopes.discovery import ABSENT, BOOKKEEPING, LiftScope, Uncompilable
from msgrad._core.scopes.lifted import bind_state, is_predicate, is_state, uses
from msgrad.common.parameter import Parameter

_MAX_PATHS = 16


class Unrepeatable(Uncompilable):
    """The function does something else each time."""


class Differing(Uncompilable):
    """Paths give values of different structure, shape or dtype, or raise."""


@dataclass
class Trace:
    """One trace of a call.

    Attributes:
        scope: What it found out about state.
        closed: The equations; results are the Tensors of ``output``, then ``escaped``.
        output: What the function returned.
        escaped: What was written, then other Tensors that outlive the call.
        returned: As of ``Program``.
        kept: ``(id of a Cell, registry or '', name) -> (Cell, escaped)`` of the attributes that
            were given a Tensor.
        constants: ``(id of a Cell, name) -> value`` of those that were given something else, and
            ``(id, '')`` of the lists, dicts and sets on Cells that were changed.
        layouts: How state is cut, by number, where the program is spread over devices; else None.
    """

    scope: LiftScope
    closed: Any
    output: Any
    escaped: list[Any]
    returned: list[Any] | None
    kept: dict[tuple[int, str, str], tuple[Any, int]] = field(default_factory=dict)
    constants: dict[tuple[int, str], Any] = field(default_factory=dict)
    layouts: dict[int, Any] | None = None

    @property
    def outputs(self) -> list[Any]:
        """The variables of what the function returned."""
        outvars = self.closed.jaxpr.outvars
        return outvars[: len(outvars) - len(self.escaped)]

    def note_attributes(self) -> None:
        """Note how the Cells stand now, before it is undone for the next trace."""
        places = {id(t): i for i, t in enumerate(self.escaped)}
        for key, attributes, before in self.scope.attribute_dicts():
            if key in self.scope.newborn:
                continue
            cell = self.scope.cells[key]
            registry = "" if attributes is vars(cell) else "_buffers"
            for name, value in attributes.items():
                was = before.get(name, ABSENT)
                if not registry and name in ("_params", "_cells"):
                    old = () if was is ABSENT else was.values()
                    if [*map(id, value.values())] != [*map(id, old)]:
                        raise Uncompilable("a branch changes the Parameters or Cells of a Cell")
                elif value is was or name == "_buffers" or name in BOOKKEEPING:
                    continue
                elif id(value) in places and not isinstance(value, Parameter):
                    self.kept[key, registry, name] = (cell, places[id(value)])
                else:
                    self.constants[key, name] = value
            if not registry:
                for name in before.keys() - attributes.keys():
                    self.constants[key, name] = ABSENT
        buffers = {id(vars(cell).get("_buffers")) for cell in self.scope.cells.values()}
        for key, (container, content) in self.scope.contents.items():
            if key not in buffers and not same_structure(container, content):
                self.constants[key, ""] = container.copy()


def join_paths(
    first: Trace,
    trace: Callable[[tuple[bool, ...]], Trace],
    inputs: list[Any],
    apart: bool = False,
) -> Trace:
    """Trace the other paths through a function and join them all.

    Args:
        first: The trace in which every predicate was answered with yes.
        trace: Traces with given decisions, and yes to what is asked after them.
        inputs: The Tensors among the arguments.
        apart: Whether values of different structure, shape or dtype may be outcomes of their own.

    Returns:
        A trace that stands for all of them.

    Raises:
        Uncompilable: If they cannot be joined; the Cells are as before the call.
    """
    paths = [first]
    try:
        while True:
            paths[-1].note_attributes()
            decisions = paths[-1].scope.decisions
            yes = [i for i, decision in enumerate(decisions) if decision]
            if not yes:
                return _join(paths, inputs, apart)
            if len(paths) == _MAX_PATHS:
                raise Uncompilable(
                    f"its ifs and loops on Tensors make more than {_MAX_PATHS} paths through it"
                )
            paths[-1].scope.undo()
            given = (*decisions[: yes[-1]], False)
            paths.append(trace(given))
            if tuple(paths[-1].scope.decisions[: len(given)]) != given:
                raise Unrepeatable("it does not ask the same questions when it runs again")
    except BaseException as error:
        paths[-1].scope.undo()
        if isinstance(error, Uncompilable) and error.__cause__ is None:
            error.stack = (paths[-1].scope.predicate_stacks or first.scope.predicate_stacks)[-1]
        raise


def _join(paths: list[Trace], inputs: list[Any], apart: bool) -> Trace:
    """Join traces; the Cells stand as the last one left them."""
    last = paths[-1]
    kinds = _kinds_of_output(paths) if apart else [paths]
    for path in paths:
        if not apart and not same_structure(path.output, last.output):
            raise Differing("its branches return values of different structure")
        mine, others = path.constants, last.constants
        if mine.keys() != others.keys() or not all(
            same_structure(mine[key], others[key]) for key in mine
        ):
            raise Uncompilable("a branch changes an attribute of a Cell that is no Tensor")

    joint = _Joint(paths, inputs)
    scope = last.scope
    scope.written = dict.fromkeys(joint.written)
    for key, tensor in joint.written.items():
        scope.values.setdefault(key, (tensor, None))
    escaped = [joint.written[key] for key in scope.written]
    places: list[tuple[int, str, str]] = []
    for path in paths:
        for key, (cell, _) in path.kept.items():
            if key not in places:
                places.append(key)
                escaped.append(_attribute(cell, key, in_last=key in last.kept))
    for path in paths:
        for key, cell in path.scope.cells.items():
            if key not in scope.cells:
                scope.cells[key], scope.before[key] = cell, path.scope.before[key]
        scope.missed |= path.scope.missed
        scope.reads = path.scope.reads | scope.reads
        scope.baked |= path.scope.baked

    results = [
        _outputs(path, kinds) + joint.results(path, list(scope.written), places) for path in paths
    ]
    forms = [[(atom.aval.shape, atom.aval.dtype) for atom in each] for each in results]
    for form in forms:
        for one, other in zip(form, forms[-1], strict=True):
            if one != other:
                raise Differing(
                    f"its branches give {one[1]}{list(one[0])} and {other[1]}{list(other[0])} for "
                    "the same value"
                )
    closed = jax.make_jaxpr(joint.program(results), axis_env=axes())(
        [to_trace(t._peek()) for t in inputs]
    )
    check_convolutions(closed)
    scope.lifted = joint.lifted
    checks: Counter[Any] = Counter()
    for path in paths:
        checks |= Counter(path.scope.checks)
    scope.checks = list(checks.elements())
    returned = [each for kind in kinds for each in _returned(kind)]
    output = last.output
    if len(kinds) > 1:
        output = Outcomes(wrap(None), tuple(kind[-1].output for kind in kinds))
        returned.insert(0, None)
    returned = None if returned == [None] * len(returned) else returned
    return Trace(scope, closed, output, escaped, returned)


def _kinds_of_output(paths: list[Trace]) -> list[list[Trace]]:
    """Return the paths in groups whose outputs have one form."""
    kinds: list[list[Trace]] = []

    def form(path: Trace) -> list[Any]:
        return [(atom.aval.shape, atom.aval.dtype) for atom in path.outputs]

    for path in paths:
        for kind in kinds:
            if same_structure(path.output, kind[0].output) and form(path) == form(kind[0]):
                kind.append(path)
                break
        else:
            kinds.append([path])
    return kinds


def _outputs(path: Trace, kinds: list[list[Trace]]) -> list[Any]:
    """Return the outputs of a path, among those of the others that it is not of one kind with."""
    if len(kinds) == 1:
        return path.outputs
    mine = [any(each is path for each in kind) for kind in kinds]
    found: list[Any] = [_Constant(mine.index(True), jax.ShapeDtypeStruct((), np.int32))]
    for kind, own in zip(kinds, mine, strict=True):
        found += path.outputs if own else [_Constant(0, atom.aval) for atom in kind[0].outputs]
    return found


def _returned(paths: list[Trace]) -> list[Any]:
    """Return ``Trace.returned`` of paths with outputs of one form, with None for all of None."""
    last = paths[-1]
    if len({tuple(map(id, path.returned or ())) for path in paths}) == 1:
        found = last.returned
    else:
        found = [t.kind if type(t) is Number else None for t in tensors_in(last.output)]
    if not found or isinstance(found[0], Parameter):
        # A Parameter is chosen by a branch: a value, as in MindSpore.
        return [None] * len(last.outputs)
    return found


def check_convolutions(closed: Any) -> None:
    """Raise where a branch would have convolutions that XLA computes slowly there."""
    slow = jax.default_backend() == "cpu" and any(
        eqn.primitive is jex.primitives.cond_p
        and any(uses(branch.jaxpr, "conv_general_dilated") for branch in eqn.params["branches"])
        for eqn in closed.jaxpr.eqns
    )
    if slow:
        raise Uncompilable(
            "convolutions follow an if on a Tensor; XLA computes them many times slower within a "
            "branch on the CPU"
        )


def _attribute(cell: Any, key: tuple[int, str, str], in_last: bool) -> Any:
    """Return the Tensor that stands as an attribute, a new one where the last path has set none."""
    place = vars(cell)[key[1]] if key[1] else vars(cell)
    if not in_last:
        if not is_tensor(place.get(key[2])):
            raise Uncompilable(f"'{key[2]}' of a Cell is a Tensor after one branch only")
        place[key[2]] = wrap(None)
    return place[key[2]]


class _Joint:
    """Traces side by side: how each one names the same state and results."""

    def __init__(self, paths: list[Trace], inputs: list[Any]) -> None:
        self._paths = paths
        self._inputs = {id(t): i for i, t in enumerate(inputs)}
        self.lifted: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._avals: list[Any] = []
        for path in paths:
            for eqn in path.closed.jaxpr.eqns:
                if is_state(eqn):
                    self._number(path.scope.lifted[eqn.params["index"]], eqn.outvars[0].aval)
        # What was there before and is written on some path, in the order of ``LiftScope.escaped``.
        found = {key: path.scope.values[key][0] for path in paths for key in path.scope.written}
        known = [key for key in found if key in self._numbers or key in self._inputs]
        known.sort(key=lambda key: self._numbers.get(key, len(self._numbers)))
        self.written = {key: found[key] for key in known}

    def _number(self, tensor: Any, aval: Any = None) -> int:
        if id(tensor) not in self._numbers:
            self._numbers[id(tensor)] = len(self.lifted)
            self.lifted.append(tensor)
            self._avals.append(tensor._peek().aval if aval is None else aval)
        return self._numbers[id(tensor)]

    def results(
        self, path: Trace, written: list[int], places: list[tuple[int, str, str]]
    ) -> list[Any]:
        """Return what stands for each result that outlives the call on one path: a variable, or
        ``_Unchanged``.
        """
        atoms, outputs = path.closed.jaxpr.outvars, len(path.outputs)
        after = {id(t): atoms[outputs + i] for i, t in enumerate(path.escaped)}

        def value_of(tensor: Any) -> Any:
            if id(tensor) in after:
                return after[id(tensor)]
            if id(tensor) in self._inputs:
                return path.closed.jaxpr.invars[self._inputs[id(tensor)]]
            number = self._number(tensor)
            return _Unchanged(number, self._avals[number])

        found = [value_of(self.written[key]) for key in written]
        for key in places:
            if key in path.kept:
                found.append(atoms[outputs + path.kept[key][1]])
                continue
            befores = (w.scope.before[key[0]] for w in self._paths if key[0] in w.scope.before)
            before = next(befores)
            old = (before.get("_buffers", {}) if key[1] else before).get(key[2])
            if not is_tensor(old):
                raise Uncompilable(f"'{key[2]}' of a Cell is a Tensor after one branch only")
            found.append(value_of(old))
        return found

    def program(self, results: list[list[Any]]) -> Callable[[list[Any]], list[Any]]:
        """Return the joint function of the inputs."""

        def joint(raws: list[Any]) -> list[Any]:
            state = [bind_state(aval, i) for i, aval in enumerate(self._avals)]
            walks = [
                _Walk(path, result, state, raws, self._numbers)
                for path, result in zip(self._paths, results, strict=True)
            ]
            return _walk(walks, 0)

        return joint


@dataclass
class _Constant:
    """A result that has one value on a path."""

    value: int
    aval: Any


@dataclass
class _Unchanged:
    """A result that a path leaves as the state it was."""

    number: int
    aval: Any


class _Walk:
    """The equations of one path, part by part between its predicates."""

    def __init__(
        self,
        path: Trace,
        results: list[Any],
        state: list[Any],
        raws: list[Any],
        numbers: dict[int, int],
    ) -> None:
        self.jaxpr = path.closed.jaxpr
        self.decisions = path.scope.decisions
        self._results, self._state = results, state
        self.values = dict(zip(self.jaxpr.constvars, path.closed.consts, strict=True))
        self.values.update(zip(self.jaxpr.invars, raws, strict=True))
        self.parts: list[list[Any]] = [[]]
        self._predicates: list[Any] = []
        for eqn in self.jaxpr.eqns:
            if is_state(eqn):
                number = numbers[id(path.scope.lifted[eqn.params["index"]])]
                self.values[eqn.outvars[0]] = state[number]
            elif is_predicate(eqn):
                self._predicates.append(eqn.invars[0])
                self.parts.append([])
            else:
                self.parts[-1].append(eqn)
        self.later: list[set[Any]] = []
        later = {atom for atom in self.jaxpr.outvars if not is_literal(atom)}
        for number in reversed(range(len(self.parts))):
            self.later.insert(0, later)
            used = {v for e in self.parts[number] for v in e.invars if not is_literal(v)}
            later = later | used
            if number:
                later = later | {self._predicates[number - 1]}

    def value(self, atom: Any) -> Any:
        """Return the value of a variable or literal."""
        return atom.val if is_literal(atom) else self.values[atom]

    def part(self, number: int, results: list[Any]) -> Any:
        """Return part ``number`` as a jaxpr of what it needs."""
        eqns = self.parts[number]
        defined: set[Any] = set()
        needed: dict[Any, None] = {}
        for eqn in eqns:
            needed.update({v: None for v in eqn.invars if not is_literal(v) and v not in defined})
            defined.update(eqn.outvars)
        return self.jaxpr.replace(constvars=[], invars=list(needed), outvars=results, eqns=eqns)

    def form(self, number: int) -> tuple[list[Any], str]:
        """Return the values that part ``number`` needs, and what it does with them, as text."""
        part = self.part(number, [])
        # Functions are known by their addresses only.
        return [self.values[v] for v in part.invars], re.sub(" at 0x[0-9a-f]+", "", str(part))

    def predicate(self, number: int) -> Any:
        """Return the predicate after part ``number``."""
        return self.value(self._predicates[number])

    def results(self) -> list[Any]:
        """Return the joint results as they are on this path."""

        def value_of(atom: Any) -> Any:
            if isinstance(atom, _Constant):
                return jnp.full(atom.aval.shape, atom.value, atom.aval.dtype)
            return self._state[atom.number] if isinstance(atom, _Unchanged) else self.value(atom)

        found = [value_of(atom) for atom in self._results]
        # The cast drops JAX's weak types, in which branches may differ.
        return [
            lax.convert_element_type(value, atom.aval.dtype)
            for value, atom in zip(found, self._results, strict=True)
        ]


def _walk(walks: list[_Walk], number: int) -> list[Any]:
    """Run paths that are the same up to part ``number``, and branch where they part."""
    _run_part(walks, number)
    if number == len(walks[0].decisions):
        return walks[0].results()
    yes = [walk for walk in walks if walk.decisions[number]]
    no = [walk for walk in walks if not walk.decisions[number]]
    return lax.cond(
        walks[0].predicate(number), lambda: _walk(yes, number + 1), lambda: _walk(no, number + 1)
    )


def _run_part(walks: list[_Walk], number: int) -> None:
    """Compute one part, which is the same in all ``walks``, for all of them.

    Raises:
        Unrepeatable: If it is not: Python has found other values.
    """
    first = walks[0]
    eqns = first.parts[number]
    needed, text = first.form(number)
    for other in walks[1:]:
        others, other_text = other.form(number)
        if text != other_text or not all(map(_equal, needed, others)):
            raise Unrepeatable("it computes other things when it runs again")
    places = [
        (row, column)
        for row, eqn in enumerate(eqns)
        for column in range(len(eqn.outvars))
        if any(w.parts[number][row].outvars[column] in w.later[number] for w in walks)
    ]
    wanted = [eqns[row].outvars[column] for row, column in places]
    part = first.part(number, wanted)
    given = [not is_tracer(value) for value in needed]
    closed = reroll(
        ClosedJaxpr(
            part.replace(
                constvars=[v for v, known in zip(part.invars, given, strict=True) if known],
                invars=[v for v, known in zip(part.invars, given, strict=True) if not known],
            ),
            [value for value in needed if not is_tracer(value)],
        )
    )
    values = jex.jaxpr_as_fun(closed)(*(value for value in needed if is_tracer(value)))
    for (row, column), value in zip(places, values, strict=True):
        for walk in walks:
            walk.values[walk.parts[number][row].outvars[column]] = value


def _equal(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if is_tracer(a) or is_tracer(b):
        return False
    return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=np.asarray(a).dtype.kind in "fc")


def same_structure(a: Any, b: Any) -> bool:
    """Whether two outputs have the same containers and the same values that are no Tensors."""
    if a is b:
        return True
    if is_tensor(a) or is_tensor(b):
        return is_tensor(a) and is_tensor(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same_structure, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same_structure(a[key], b[key]) for key in a)
    return isinstance(a, (int, float, complex, bool, str, bytes, set, frozenset)) and a == b
