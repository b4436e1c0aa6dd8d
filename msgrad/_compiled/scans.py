"""``Scans``: a program computed anew, with the loops of ``reroll.py`` as ``lax.scan``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend import core as jex

from msgrad._core.engine import ClosedJaxpr
from msgrad._core.scopes.lifted import bind_state, is_state

# Fewer turns are not worth a loop: XLA compiles them in a second, and runs them faster unrolled.
MIN_TURNS = 16

# An equation of a turn, and one of its results.
Place = tuple[int, int]


@dataclass(eq=False)
class Stack:
    """Values that stand stacked: pieces of one array, or results of a loop.

    Attributes:
        whole: Makes the array of them from the value of ``source``, with the turns first.
    """

    source: Any
    whole: Callable[[Any], Any]


@dataclass(eq=False)
class Loop:
    """Turns that become a scan.

    Attributes:
        first: The equations of the first turn.
        start, stop: Which equations it stands for.
        slots: For each operand of each equation where its value comes from:
            ``("same" | "carried", equation, result)``, the latter with the atom that the first turn
            has; ``("fixed", atom)``; ``("small", atoms)``; ``("entry", stack, first, step)``.
        constant: Results, as pairs of numbers, that are the same in all turns.
    """

    first: list[Any]
    start: int
    stop: int
    turns: int
    slots: list[list[tuple[Any, ...]]]
    constant: set[tuple[int, int]] = field(default_factory=set)


class Scans:
    """A program with its loops, computed anew."""

    def __init__(self, plan: Any) -> None:
        self._plan = plan
        self._values: dict[Any, Any] = dict(plan.consts)
        self._wholes: dict[Stack, Any] = {}

    def run(self, inputs: list[Any]) -> list[Any]:
        """Compute the program; its results are followed by the state."""
        plan = self._plan
        self._values.update(zip(plan.jaxpr.invars, inputs, strict=True))
        state = [(eqn.outvars[0], eqn.params["index"]) for eqn in plan.eqns if is_state(eqn)]
        self._values.update((var, bind_state(var.aval, index)) for var, index in state)
        number = 0
        while number < len(plan.eqns):
            loop, eqn = plan.loops.get(number), plan.eqns[number]
            if loop is not None:
                self._scan(loop)
            elif not is_state(eqn):
                self._compute(eqn)
            number = number + 1 if loop is None else loop.stop
        return [self._read(atom) for atom in (*plan.jaxpr.outvars, *(var for var, _ in state))]

    def _read(self, atom: Any) -> Any:
        if is_literal(atom):
            return atom.val
        atom = self._plan.aliases.get(atom, atom)
        if atom not in self._values:
            stack, turn = self._plan.entries[atom]
            self._values[atom] = lax.index_in_dim(self._whole(stack), turn, 0, keepdims=False)
        return self._values[atom]

    def _stack_of(self, atoms: list[Any]) -> Any:
        known = [self._plan.known(atom) for atom in atoms]
        dtype = atoms[0].aval.dtype
        if any(value is None for value in known):
            return jnp.stack([jnp.asarray(self._read(atom), dtype) for atom in atoms])
        return jnp.asarray(np.stack([np.asarray(value, dtype) for value in known]))

    def _whole(self, stack: Stack) -> Any:
        if stack not in self._wholes:
            self._wholes[stack] = stack.whole(self._read(stack.source))
        return self._wholes[stack]

    def _compute(self, eqn: Any) -> None:
        rows = _pieces_in_row(self._plan, eqn)
        if rows is not None:
            self._values[eqn.outvars[0]] = self._joined(eqn, rows)
            return
        operands = [*dict.fromkeys(filter(is_var, eqn.invars))]
        results = self._part([eqn], operands, eqn.outvars)(*map(self._read, operands))
        self._values.update(zip(eqn.outvars, results, strict=True))

    def _joined(self, eqn: Any, rows: list[list[Any]]) -> Any:
        """Stack or concatenate entries as they stand."""
        pieces = []
        new = eqn.primitive.name == "stack"
        axis = eqn.params["axis" if new else "dimension"]
        for row in rows:
            if len(row) == 1:
                piece = self._read(row[0])
                pieces.append(jnp.expand_dims(piece, axis) if new else piece)
                continue
            stack, first = self._plan.entries[row[0]]
            step = self._plan.entries[row[1]][1] - first
            piece = jnp.moveaxis(_taken(self._whole(stack), first, step, len(row)), 0, axis)
            if not new:
                shape = row[0].aval.shape
                piece = piece.reshape(*shape[:axis], -1, *shape[axis + 1 :])
            pieces.append(piece)
        return lax.concatenate(pieces, axis) if len(pieces) > 1 else pieces[0]

    def _scan(self, loop: Loop) -> None:
        body = _Body(loop)
        # What the first turn has, in the order of the variables that stand for it.
        carried, fixed, indexed = [], [], []
        for slot, var in body.vars.values():
            if slot[0] == "carried":
                value = lax.convert_element_type(self._read(slot[-1]), var.aval.dtype)
                carried.append((var, slot[1:3], value))
            elif slot[0] == "fixed":
                fixed.append((var, self._read(slot[1])))
            elif slot[0] == "small":
                indexed.append((var, self._stack_of(slot[1]), 0, 1))
            else:
                indexed.append((var, self._whole(slot[1]), *slot[2:]))
        variables = [row[0] for row in (*carried, *fixed, *indexed)]

        def run(places: list[Place], carry: Any, own: Any) -> list[Any]:
            results = [body.eqns[number].outvars[place] for number, place in places]
            part = self._part(body.eqns, variables, results)
            return part(*carry, *(value for _, value in fixed), *own)

        follows = [row[1] for row in carried]
        # All that a turn gives; what nobody needs is dropped in the end (``reroll``).
        results = [(n, i) for n, eqn in enumerate(loop.first) for i in range(len(eqn.outvars))]
        stacked = [each for each in results if each not in loop.constant]
        last = [each for each in stacked if each not in follows]
        kept = [*follows, *last]

        def turn(carry: list[Any], number: Any) -> tuple[list[Any], list[Any]]:
            number, entries = number
            own = [
                lax.dynamic_index_in_dim(array, first + step * number, 0, keepdims=False)
                if entry is None
                else entry
                for entry, (_, array, first, step) in zip(entries, indexed, strict=True)
            ]
            after = run([*kept, *stacked], carry[: len(follows)], own)
            # The cast drops JAX's weak types, which a loop does not carry.
            strong = [lax.convert_element_type(v, v.dtype) for v in after[: len(kept)]]
            return strong, after[len(kept) :]

        avals = [loop.first[number].outvars[place].aval for number, place in last]
        start = [row[2] for row in carried] + [jnp.zeros(a.shape, a.dtype) for a in avals]
        # What is taken in order is given in turn, so that a gradient of it costs no more.
        given = [
            array if (first, step, len(array)) == (0, 1, loop.turns) else None
            for _, array, first, step in indexed
        ]
        numbers = jnp.arange(loop.turns, dtype=np.int32)
        after, ys = lax.scan(turn, start, (numbers, given), loop.turns)
        for (number, place), value in zip(kept, after, strict=True):
            at = loop.stop - len(loop.first) + number
            if (number, place) not in loop.constant:
                self._values[self._plan.eqns[at].outvars[place]] = value
        for (number, place), value in zip(stacked, ys, strict=True):
            self._wholes[self._plan.entries[loop.first[number].outvars[place]][0]] = value
        own = [lax.index_in_dim(row[1], row[2], 0, keepdims=False) for row in indexed]
        found = run([*loop.constant], [row[2] for row in carried], own)
        for (number, place), value in zip(loop.constant, found, strict=True):
            self._values[loop.first[number].outvars[place]] = value

    def _part(self, eqns: list[Any], operands: list[Any], results: list[Any]) -> Any:
        """Return equations as a function."""
        part = self._plan.jaxpr.replace(constvars=[], invars=operands, outvars=results, eqns=eqns)
        return jex.jaxpr_as_fun(ClosedJaxpr(part, []))


class _Body:
    """The equations of one turn, with a variable for each value that comes from elsewhere.

    Attributes:
        vars: ``key -> (slot, variable)``.
    """

    def __init__(self, loop: Loop) -> None:
        self.vars: dict[Any, tuple[tuple[Any, ...], Any]] = {}
        self.eqns: list[Any] = []
        for eqn, slots in zip(loop.first, loop.slots, strict=True):
            operands = []
            for atom, slot in zip(eqn.invars, slots, strict=True):
                if slot[0] == "same" or (slot[0] == "fixed" and is_literal(slot[1])):
                    operands.append(atom)
                    continue
                key = tuple(id(part) if not isinstance(part, (str, int)) else part for part in slot)
                if key not in self.vars:
                    self.vars[key] = (slot, jex.Var(atom.aval))
                operands.append(self.vars[key][1])
            self.eqns.append(eqn.replace(invars=operands))


def _pieces_in_row(plan: Any, eqn: Any) -> list[list[Any]] | None:
    """Divide what is joined into rows that stand stacked as they are; None if there is none."""
    if eqn.primitive.name not in ("stack", "concatenate") or len(eqn.invars) < MIN_TURNS:
        return None
    rows: list[list[Any]] = []
    step = 0
    for atom in eqn.invars:
        entry = plan.entries.get(atom) if is_var(atom) else None
        before = plan.entries.get(rows[-1][-1]) if rows and is_var(rows[-1][-1]) else None
        if entry and before and entry[0] is before[0]:
            now = entry[1] - before[1]
            if now and (len(rows[-1]) == 1 or now == step):
                step = now
                rows[-1].append(atom)
                continue
        rows.append([atom])
    return rows if len(rows) < len(eqn.invars) else None


def _taken(array: Any, first: int, step: int, count: int) -> Any:
    """Return entries at equal distances along the first axis."""
    last = first + step * (count - 1)
    taken = lax.slice_in_dim(array, min(first, last), max(first, last) + 1, abs(step))
    return taken if step > 0 else lax.rev(taken, (0,))


def is_literal(atom: Any) -> bool:
    return isinstance(atom, jex.Literal)


def is_var(atom: Any) -> bool:
    return not isinstance(atom, jex.Literal)
