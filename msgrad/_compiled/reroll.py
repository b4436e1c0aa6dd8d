"""``reroll``: a loop that Python has unrolled into a trace, as a loop again.

A ``for`` in Python stands in a trace once for each turn, and XLA compiles each turn: 200 steps of
an LSTM and their gradient take minutes. Here equations that repeat, also those of the backward
pass, become one ``lax.scan``. The trace is what Python really did in every turn, so nothing is
assumed of the source: what differs from turn to turn, as in the first one, stays as it is, and so
does what cannot be wired as a scan. Tracing takes 0.4 ms a step; it is compiling that is saved.

A value within a turn may come from the same turn, from the one before (it is carried), or from
outside: the same for all turns, a number or array that is known, or an entry for each turn of what
stands stacked, as the results of another loop do. Nothing is stacked that is not so already: a
layer that is repeated with other weights is no loop.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend import core as jex

from msgrad._core.engine import is_tracer
from msgrad._core.scopes.lifted import bind_state, is_state, uses

# Fewer turns are not worth a loop: XLA compiles them in a second, and runs them faster unrolled.
MIN_TURNS = 16
# Distances at which a repetition is looked for, in occurrences of its first equation.
_MAX_DISTANCES = 32
# Elements of an array that may be another one in each turn.
_MAX_KNOWN = 1024


def reroll(closed: Any) -> Any:
    """Return a recorded program with its repetitions as loops; the same where there are none."""
    if len(closed.jaxpr.eqns) < MIN_TURNS:
        return closed
    plan = _Plan(closed)
    if not plan.loops:
        return closed
    return jax.make_jaxpr(_Emission(plan).run)([var.aval for var in closed.jaxpr.invars])


@dataclass(eq=False)
class _Stack:
    """Values that stand stacked: pieces of one array, or results of a loop.

    Attributes:
        whole: Makes the array of them from the value of ``source``, with the turns first.
    """

    source: Any
    whole: Callable[[Any], Any]


@dataclass(eq=False)
class _Loop:
    """Turns that become a scan.

    Attributes:
        first: The equations of the first turn.
        start, stop: Which equations it stands for.
        slots: For each operand of each equation where its value comes from:
            ``("same" | "carried", equation, result)``, the latter with the atom that the first turn
            has; ``("fixed", atom)``; ``("known", values)``; ``("entry", stack, first, step)``.
        constant: Results, as pairs of numbers, that are the same in all turns.
    """

    first: list[Any]
    start: int
    stop: int
    turns: int
    slots: list[list[tuple[Any, ...]]]
    constant: set[tuple[int, int]] = field(default_factory=set)


def _key(eqn: Any, number: int) -> Any:
    """Return what is the same for two equations that compute the same of other values."""
    if eqn.effects or is_state(eqn):
        return number
    forms = [(a.aval.shape, a.aval.dtype) for a in (*eqn.invars, *eqn.outvars) if _plain(a.aval)]
    if len(forms) < len(eqn.invars) + len(eqn.outvars):
        return number
    params = tuple((name, _hashable(value)) for name, value in eqn.params.items())
    return eqn.primitive, eqn.ctx, params, tuple(forms)


def _plain(aval: Any) -> bool:
    return hasattr(aval, "shape") and isinstance(aval.dtype, np.dtype)


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value


class _Plan:
    """Which equations of a program become which loops."""

    def __init__(self, closed: Any) -> None:
        self.jaxpr = closed.jaxpr
        self.consts = dict(zip(self.jaxpr.constvars, closed.consts, strict=True))
        self.eqns = _without_wide_calls(self.jaxpr.eqns)
        self.loops: dict[int, _Loop] = {}
        # Of a variable: the stack that it stands in, and where there.
        self.entries: dict[Any, tuple[_Stack, int]] = {}
        # Of a variable that is the same in all turns: that of the first.
        self.aliases: dict[Any, Any] = {}
        self._made_at = {
            var: (number, place)
            for number, eqn in enumerate(self.eqns)
            for place, var in enumerate(eqn.outvars)
        }
        numbers: dict[Any, int] = {}
        self._keys = [numbers.setdefault(_key(e, i), len(numbers)) for i, e in enumerate(self.eqns)]
        # XLA computes a convolution many times slower in a loop on the CPU.
        slow = ("conv_general_dilated",) if jax.default_backend() == "cpu" else ()
        self._unfit = ("pure_callback", "rng_uniform", *slow)
        self._often = {k for k, n in Counter(self._keys).items() if n >= MIN_TURNS}
        if self._often:
            self._find_loops()

    def _find_loops(self) -> None:
        places = defaultdict(list)
        for number, key in enumerate(self._keys):
            places[key].append(number)
        rank = {n: i for found in places.values() for i, n in enumerate(found)}
        number = 0
        while number < len(self.eqns):
            key, end = self._keys[number], number + 1
            if key in self._often:
                after = places[key][rank[number] + 1 :][:_MAX_DISTANCES]
                period, stop = self._longest(number, [i - number for i in after])
                if period:
                    # Twice as long a turn where a value is used two turns later.
                    loop = self._loop(number, period, stop) or self._loop(number, 2 * period, stop)
                    end = stop if loop is None else loop.stop
            for eqn in self.eqns[number:end]:
                self._note_pieces(eqn)
            number = end

    def _longest(self, start: int, periods: list[int]) -> tuple[int, int]:
        """Return the period with which most equations repeat from here on, and where they end."""
        keys, best = self._keys, (0, start)
        for period in periods:
            stop = start + period
            while stop < len(keys) and keys[stop] == keys[stop - period]:
                stop += 1
            if stop - start >= MIN_TURNS * period and stop > best[1] + period:
                best = period, stop
        return best

    def _loop(self, start: int, period: int, stop: int) -> _Loop | None:
        """Make a loop of equations that repeat, of the turns that can be wired."""
        if stop - start < MIN_TURNS * period:
            return None
        start += self._boundary(start, period)
        wiring = _Wiring(self, start, period, (stop - start) // period)
        first, last = wiring.longest()
        if last - first < MIN_TURNS:
            return None
        begin = start + first * period
        eqns = self.eqns[begin : begin + period]
        if uses(self.jaxpr.replace(eqns=eqns), *self._unfit):
            return None
        slots = wiring.slots(first, last)
        loop = _Loop(eqns, begin, start + last * period, last - first, slots)
        self._note_results(loop)
        self.loops[begin] = loop
        return loop

    def _boundary(self, start: int, period: int) -> int:
        """Return the offset at which a turn leaves least to the next one."""
        begin = start + (MIN_TURNS // 2) * period
        spans: dict[Any, tuple[int, int, int]] = {}
        for number in range(begin, begin + period):
            for atom in self.eqns[number].invars:
                made = self.made_at(atom)
                if made is not None and number - period < made[0]:
                    last = max(number - begin, spans.get(atom, (0, 0, 0))[1])
                    spans[atom] = (made[0] - begin, last, atom.aval.size)

        def carried(offset: int) -> int:
            cuts = (offset, offset - period, offset + period)
            return sum(
                size for made, used, size in spans.values() if any(made < c <= used for c in cuts)
            )

        return min(range(period), key=carried) if period <= 64 else 0

    def _note_results(self, loop: _Loop) -> None:
        """Note what results of a loop the equations after it can find stacked."""
        for number, eqn in enumerate(loop.first):
            of_operands = [
                slot[0] == "fixed" or (slot[0] == "same" and slot[1:] in loop.constant)
                for slot in loop.slots[number]
            ]
            of_results = _constant_results(eqn, of_operands)
            for place, (var, constant) in enumerate(zip(eqn.outvars, of_results, strict=True)):
                if constant:
                    loop.constant.add((number, place))
                stack = _Stack((loop, number, place), _same)
                for turn in range(loop.turns):
                    at = loop.start + turn * len(loop.first) + number
                    other = self.eqns[at].outvars[place]
                    if constant:
                        self.aliases[other] = var
                    else:
                        self.entries[other] = (stack, turn)

    def _note_pieces(self, eqn: Any) -> None:
        """Note the pieces of an array that was divided."""
        name, sizes = eqn.primitive.name, eqn.params.get("sizes", ())
        if name not in ("unstack", "split") or len(eqn.outvars) < MIN_TURNS:
            return
        axis = eqn.params["axis"]
        if name == "unstack":
            stack = _Stack(eqn.invars[0], lambda whole: jnp.moveaxis(whole, axis, 0))
        elif len(set(sizes)) == 1:

            def parts(whole: Any) -> Any:
                shape = (*whole.shape[:axis], len(sizes), sizes[0], *whole.shape[axis + 1 :])
                return jnp.moveaxis(whole.reshape(shape), axis, 0)

            stack = _Stack(eqn.invars[0], parts)
        else:
            return
        self.entries.update({var: (stack, i) for i, var in enumerate(eqn.outvars)})

    def known(self, atom: Any) -> Any:
        """Return the value of a literal or of a small constant; None for another atom."""
        value = atom.val if _is_literal(atom) else self.consts.get(atom)
        if value is None or is_tracer(value) or np.size(value) > _MAX_KNOWN:
            return None
        return np.asarray(value, atom.aval.dtype)

    def made_at(self, atom: Any) -> tuple[int, int] | None:
        """Return which equation makes a value, as which result."""
        return None if _is_literal(atom) else self._made_at.get(atom)

    def identity(self, atom: Any) -> Any:
        """Return what is the same for atoms of one value."""
        if _is_literal(atom):
            return repr(atom.val), atom.aval.dtype
        return self.aliases.get(atom, atom)


class _Wiring:
    """Where the operands of repeated equations come from."""

    def __init__(self, plan: _Plan, start: int, period: int, turns: int) -> None:
        self._plan, self._start, self._period, self._turns = plan, start, period, turns
        eqns = plan.eqns
        self._places = [(q, j) for q in range(period) for j in range(len(eqns[start + q].invars))]

    def _atom(self, turn: int, place: tuple[int, int]) -> Any:
        return self._plan.eqns[self._start + turn * self._period + place[0]].invars[place[1]]

    def longest(self) -> tuple[int, int]:
        """Return the longest range of turns that can be wired alike: the first, and the end."""
        best, first = (0, 0), 0
        while self._turns - first > best[1] - best[0]:
            slots: list[Any] = [None] * len(self._places)
            turn = first
            while turn < self._turns:
                found = [self._slot(*args, first, turn) for args in zip(self._places, slots)]
                if None in found:
                    break
                slots, turn = found, turn + 1
            if turn - first > best[1] - best[0]:
                best = (first, turn)
            first = max(turn - 1, first + 1)
        return best

    def slots(self, first: int, last: int) -> list[list[tuple[Any, ...]]]:
        """Return where operands come from, in the form that ``_Loop`` has."""
        found: list[list[tuple[Any, ...]]] = [[] for _ in range(self._period)]
        for place in self._places:
            slot: Any = None
            for turn in range(first, last):
                slot = self._slot(place, slot, first, turn)
            atom = self._atom(first, place)
            if slot[0] == "carried":
                slot = (*slot, atom)
            elif slot[0] == "fixed":
                slot = ("fixed", self._plan.aliases.get(atom, atom) if _is_var(atom) else atom)
            elif slot[0] == "known":
                atoms = [self._atom(turn, place) for turn in range(first, last)]
                slot = ("known", np.stack([self._plan.known(a) for a in atoms]))
            found[place[0]].append(slot)
        return found

    def _slot(self, place: tuple[int, int], slot: Any, first: int, turn: int) -> Any:
        """Return how the turns from ``first`` to ``turn`` can have this operand, None if not alike.

        Args:
            place: The operand.
            slot: The same for the turns before.
            first, turn: The range of turns.
        """
        plan, atom = self._plan, self._atom(turn, place)
        made = plan.made_at(atom)
        if made is not None and made[0] >= self._start + first * self._period:
            ago = turn - (made[0] - self._start) // self._period
            inner = ((made[0] - self._start) % self._period, made[1])
            if ago == 0:
                now = ("same", *inner)
                return now if turn == first or slot == now else None
            now = ("carried", *inner)
            alike = slot == now or (turn == first + 1 and slot[0] != "same")
            return now if ago == 1 and alike else None
        if turn == first:
            return ("fixed",)
        before = self._atom(turn - 1, place)
        if slot[0] == "fixed" and plan.identity(before) == plan.identity(atom):
            return slot
        if slot[0] in ("fixed", "known"):
            if plan.known(before) is not None and plan.known(atom) is not None:
                return ("known",)
        if turn == first + 1 or slot[0] == "entry":
            here, there = (plan.entries.get(a) if _is_var(a) else None for a in (atom, before))
            if here and there and here[0] is there[0] and here[1] != there[1]:
                step = here[1] - there[1]
                if turn == first + 1:
                    return ("entry", here[0], there[1], step)
                return slot if slot[3] == step else None
        return None


class _Emission:
    """A program with its loops, computed anew."""

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._values: dict[Any, Any] = dict(plan.consts)
        self._wholes: dict[_Stack, Any] = {}
        # Of each result of a loop, the turns whose value is needed after it, on its own.
        self._needed: dict[Any, set[int]] = defaultdict(set)
        self._stacked: set[Any] = set()
        self._first_results: set[Any] = set()
        number = 0
        while number < len(plan.eqns):
            loop = plan.loops.get(number)
            if loop is None:
                self._note(plan.eqns[number].invars, _pieces_in_row(plan, plan.eqns[number]))
                number += 1
                continue
            for slot in (slot for slots in loop.slots for slot in slots):
                if slot[0] == "entry":
                    self._note_stack(slot[1])
                elif slot[0] in ("fixed", "carried"):
                    self._note([slot[-1]])
            number = loop.stop
        self._note(plan.jaxpr.outvars)

    def _note(self, atoms: list[Any], rows: Any = None) -> None:
        for row in rows or [[atom] for atom in atoms]:
            if len(row) > 1:
                self._note_stack(self._plan.entries[row[0]][0])
                continue
            atom = row[0]
            if not _is_var(atom):
                continue
            self._first_results.add(self._plan.aliases.get(atom))
            if atom in self._plan.entries:
                stack, turn = self._plan.entries[atom]
                self._needed[stack.source].add(turn)
                self._note_stack(stack, whole=False)

    def _note_stack(self, stack: _Stack, whole: bool = True) -> None:
        if isinstance(stack.source, tuple):
            if whole:
                self._stacked.add(stack.source)
        else:
            self._note([stack.source])

    def run(self, inputs: list[Any]) -> list[Any]:
        """Compute the program."""
        plan = self._plan
        self._values.update(zip(plan.jaxpr.invars, inputs, strict=True))
        for eqn in plan.eqns:
            if is_state(eqn):
                var = eqn.outvars[0]
                self._values[var] = bind_state(var.aval, eqn.params["index"])
        number = 0
        while number < len(plan.eqns):
            loop, eqn = plan.loops.get(number), plan.eqns[number]
            if loop is not None:
                self._scan(loop)
            elif not is_state(eqn):
                self._compute(eqn)
            number = number + 1 if loop is None else loop.stop
        return [self._read(atom) for atom in plan.jaxpr.outvars]

    def _read(self, atom: Any) -> Any:
        if _is_literal(atom):
            return atom.val
        atom = self._plan.aliases.get(atom, atom)
        if atom not in self._values:
            stack, turn = self._plan.entries[atom]
            self._values[atom] = lax.index_in_dim(self._whole(stack), turn, 0, keepdims=False)
        return self._values[atom]

    def _whole(self, stack: _Stack) -> Any:
        if stack not in self._wholes:
            self._wholes[stack] = stack.whole(self._read(stack.source))
        return self._wholes[stack]

    def _compute(self, eqn: Any) -> None:
        rows = _pieces_in_row(self._plan, eqn)
        if rows is not None:
            self._values[eqn.outvars[0]] = self._joined(eqn, rows)
            return
        operands = [*dict.fromkeys(filter(_is_var, eqn.invars))]
        part = self._plan.jaxpr.replace(
            constvars=[], invars=operands, outvars=eqn.outvars, eqns=[eqn]
        )
        results = _function(part)(*map(self._read, operands))
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

    def _scan(self, loop: _Loop) -> None:
        """Compute a loop."""
        body = _Body(loop)
        # What the first turn has, in the order of the variables that stand for it.
        carried, fixed, indexed = [], [], []
        for slot, var in body.vars.values():
            if slot[0] == "carried":
                value = lax.convert_element_type(self._read(slot[-1]), var.aval.dtype)
                carried.append((slot[1:3], var, value))
            elif slot[0] == "fixed":
                fixed.append((var, self._read(slot[1])))
            elif slot[0] == "known":
                indexed.append((var, jnp.asarray(slot[1]), 0, 1))
            else:
                indexed.append((var, self._whole(slot[1]), *slot[2:]))
        follows = [place for place, _, _ in carried]
        last: list[tuple[int, int]] = []
        stacked: list[tuple[int, int]] = []
        for number, eqn in enumerate(loop.first):
            for place in range(len(eqn.outvars)):
                source = _source_of(self._plan, loop, number, place)
                needed = self._needed.get(source, set())
                if source in self._stacked or needed - {loop.turns - 1}:
                    stacked.append((number, place))
                elif needed and (number, place) not in follows:
                    last.append((number, place))
        at_last = {place: body.eqns[place[0]].outvars[place[1]] for place in [*follows, *last]}
        results = [at_last[place] for place in [*follows, *last]]
        results += [body.eqns[number].outvars[place] for number, place in stacked]
        variables = [var for _, var, _ in carried] + [row[0] for row in [*fixed, *indexed]]
        run = _function(
            self._plan.jaxpr.replace(
                constvars=[], invars=variables, outvars=results, eqns=body.eqns
            )
        )
        whole = [
            entry[1] if entry[2:] == (0, 1) and len(entry[1]) == loop.turns else None
            for entry in indexed
        ]

        def turn(carry: list[Any], now: tuple[Any, list[Any]]) -> tuple[list[Any], list[Any]]:
            number, entries = now
            entries = iter(entries)
            own = [
                next(entries)
                if given is not None
                else lax.dynamic_index_in_dim(array, first + step * number, 0, keepdims=False)
                for given, (_, array, first, step) in zip(whole, indexed, strict=True)
            ]
            after = run(*carry[: len(carried)], *(value for _, value in fixed), *own)
            # The cast drops JAX's weak types, which a loop does not carry.
            count = len(follows) + len(last)
            kept = [lax.convert_element_type(v, v.dtype) for v in after[:count]]
            return kept, after[count:]

        start = [value for _, _, value in carried]
        start += [jnp.zeros(at_last[place].aval.shape, at_last[place].aval.dtype) for place in last]
        numbers = jnp.arange(loop.turns, dtype=np.int32)
        given = [array for array in whole if array is not None]
        after, ys = lax.scan(turn, start, (numbers, given), loop.turns)
        self._keep(loop, dict(zip([*follows, *last], after, strict=False)), zip(stacked, ys))
        constant = [
            place
            for place in sorted(loop.constant)
            if loop.first[place[0]].outvars[place[1]] in self._first_results
        ]
        if constant:
            outvars = [body.eqns[number].outvars[place] for number, place in constant]
            once = self._plan.jaxpr.replace(
                constvars=[], invars=variables, outvars=outvars, eqns=body.eqns
            )
            own = [lax.index_in_dim(row[1], row[2], 0, keepdims=False) for row in indexed]
            found = _function(once)(
                *(value for _, _, value in carried), *(value for _, value in fixed), *own
            )
            for (number, place), value in zip(constant, found, strict=True):
                self._values[loop.first[number].outvars[place]] = value

    def _keep(self, loop: _Loop, last: dict[tuple[int, int], Any], stacked: Any) -> None:
        """Keep the results of a loop under the variables that need them."""
        period = len(loop.first)
        for (number, place), value in last.items():
            var = self._plan.eqns[loop.stop - period + number].outvars[place]
            if (number, place) not in loop.constant:
                self._values[var] = value
        for (number, place), value in stacked:
            stack, _ = self._plan.entries[loop.first[number].outvars[place]]
            self._wholes[stack] = value


class _Body:
    """The equations of one turn, with a variable for each value that comes from elsewhere.

    Attributes:
        vars: ``key -> (slot, variable)``.
    """

    def __init__(self, loop: _Loop) -> None:
        self.vars: dict[Any, tuple[tuple[Any, ...], Any]] = {}
        self.eqns: list[Any] = []
        for eqn, slots in zip(loop.first, loop.slots, strict=True):
            operands = []
            for atom, slot in zip(eqn.invars, slots, strict=True):
                if slot[0] == "same" or (slot[0] == "fixed" and _is_literal(slot[1])):
                    operands.append(atom)
                    continue
                key = tuple(id(part) if not isinstance(part, (str, int)) else part for part in slot)
                if key not in self.vars:
                    self.vars[key] = (slot, jex.Var(atom.aval))
                operands.append(self.vars[key][1])
            self.eqns.append(eqn.replace(invars=operands))


def _source_of(plan: _Plan, loop: _Loop, number: int, place: int) -> Any:
    entry = plan.entries.get(loop.first[number].outvars[place])
    return None if entry is None else entry[0].source


def _pieces_in_row(plan: _Plan, eqn: Any) -> list[list[Any]] | None:
    """Divide what is joined into rows that stand stacked as they are; None if there is none."""
    if eqn.primitive.name not in ("stack", "concatenate") or len(eqn.invars) < MIN_TURNS:
        return None
    rows: list[list[Any]] = []
    step = 0
    for atom in eqn.invars:
        entry = plan.entries.get(atom) if _is_var(atom) else None
        before = plan.entries.get(rows[-1][-1]) if rows and _is_var(rows[-1][-1]) else None
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


def _constant_results(eqn: Any, of_operands: list[bool]) -> list[bool]:
    """Say which results follow from operands that are the same in all turns."""
    inner = eqn.params.get("jaxpr") if eqn.primitive.name == "jit" else None
    if all(of_operands) or inner is None:
        return [all(of_operands)] * len(eqn.outvars)
    found = {v for v, same in zip(inner.jaxpr.invars, of_operands, strict=True) if same}
    found.update(inner.jaxpr.constvars)
    for each in inner.jaxpr.eqns:
        operands = [_is_literal(atom) or atom in found for atom in each.invars]
        results = _constant_results(each, operands)
        found.update(v for v, same in zip(each.outvars, results, strict=True) if same)
    return [_is_literal(atom) or atom in found for atom in inner.jaxpr.outvars]


def _without_wide_calls(eqns: list[Any]) -> list[Any]:
    """Return equations in which those that join or divide many values stand on their own."""
    found = []
    for eqn in eqns:
        inner = eqn.params.get("jaxpr") if eqn.primitive.name == "jit" else None
        if (
            inner is None
            or max(len(eqn.invars), len(eqn.outvars)) < MIN_TURNS
            or len(inner.jaxpr.eqns) != 1
            or inner.consts
        ):
            found.append(eqn)
            continue
        (only,) = inner.jaxpr.eqns
        names = dict(zip(inner.jaxpr.invars, eqn.invars, strict=True))
        results = dict(zip(inner.jaxpr.outvars, eqn.outvars, strict=True))
        if only.effects or len(results) != len(eqn.outvars) or {*only.outvars} < {*results}:
            found.append(eqn)
            continue
        found.append(
            only.replace(
                invars=[names.get(a, a) if _is_var(a) else a for a in only.invars],
                outvars=[results.get(v, v) for v in only.outvars],
            )
        )
    return found


def _function(jaxpr: Any) -> Callable[..., list[Any]]:
    return jex.jaxpr_as_fun(jex.ClosedJaxpr(jaxpr, []))


def _same(value: Any) -> Any:
    return value


def _is_literal(atom: Any) -> bool:
    return isinstance(atom, jex.Literal)


def _is_var(atom: Any) -> bool:
    return not isinstance(atom, jex.Literal)
