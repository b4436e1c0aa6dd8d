"""``reroll``: a loop that Python has unrolled into a trace, as a loop again.

A ``for`` in Python stands in a trace once for each turn, and XLA compiles each turn: 200 steps of
an LSTM and their gradient take minutes. Here equations that repeat, also those of the backward
pass, become one ``lax.scan``. The trace is what Python really did in every turn, so nothing is
assumed of the source: what differs from turn to turn, as in the first one, stays as it is, and so
does what cannot be wired as a scan. Tracing takes 0.4 ms a step; it is compiling that is saved.

A value within a turn may come from the same turn, from the one before (it is carried), or from
outside: the same for all turns, a small array in each turn, or an entry for each turn of what
stands stacked, as the results of another loop do. Nothing large is stacked that is not so already,
and nothing that is given and may have a gradient, as weights do: a layer that is repeated with
other weights is no loop. (Its gradients would be cut out of one array, and XLA would compile a
kernel for each place in it: 250 layers of 8 took five times as long.)
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core as jex

from msgrad._compiled.scans import MIN_TURNS, Loop, Scans, Stack, is_literal, is_var
from msgrad._core.distributed.across import axes
from msgrad._core.engine import is_tracer, needed_for
from msgrad._core.scopes.lifted import is_state, uses

# Distances at which a repetition is looked for, in occurrences of its first equation.
_MAX_DISTANCES = 32
# Elements of what may be another value in each turn: of a constant, of another one.
_MAX_KNOWN, _MAX_SMALL = 1024, 64
# Elements of what is given one by one and may be copied into one array, in each call.
_MAX_STACKED = 2**20


def reroll(closed: Any) -> Any:
    """Return a recorded program with its repetitions as loops; the same where there are none."""
    if len(closed.jaxpr.eqns) < MIN_TURNS:
        return closed
    plan = Plan(closed)
    if not plan.loops:
        return closed
    given = [var.aval for var in closed.jaxpr.invars]
    made = jax.make_jaxpr(Scans(plan).run, axis_env=axes())(given)
    made = needed_for(made, len(closed.jaxpr.outvars))
    # A loop whose results are read one by one, as by turns of a gradient too few for a loop, costs
    # more to compile than its turns.
    return made if len(made.jaxpr.eqns) < len(closed.jaxpr.eqns) else closed


def rerolled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of arrays with its repetitions as loops, for ``jax.jit``.

    Args:
        function: Of primals, inputs and more. No input has a gradient, so those of one form, as the
            ``x[t]`` of an unrolled loop, may stand stacked.
    """

    def run(primals: Any, inputs: Any, *more: Any) -> Any:
        groups = _of_one_form(inputs)

        def stacked(primals: Any, inputs: Any, *more: Any) -> Any:
            inputs = list(inputs)
            for group in groups:
                pieces = jnp.unstack(jnp.stack([inputs[i] for i in group]))
                for i, piece in zip(group, pieces, strict=True):
                    inputs[i] = piece
            return function(primals, inputs, *more)

        args = primals, inputs, *more
        closed, form = jax.make_jaxpr(stacked, return_shape=True)(*args)
        loops = reroll(closed)
        if groups and loops is closed:
            return function(*args)
        results = jex.jaxpr_as_fun(loops)(*jax.tree.leaves(args))
        return jax.tree.unflatten(jax.tree.structure(form), results)

    return run


def _of_one_form(inputs: Any) -> list[list[int]]:
    """Return the places of inputs that have one shape and dtype, where they are many and small."""
    groups = defaultdict(list)
    for place, value in enumerate(inputs):
        aval = jax.typeof(value)
        if _plain(aval) and not aval.weak_type:
            groups[aval.shape, aval.dtype].append(place)
    return [
        group
        for (shape, _), group in groups.items()
        if len(group) >= MIN_TURNS and math.prod(shape) * len(group) <= _MAX_STACKED
    ]


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
    return (
        hasattr(aval, "shape")
        and isinstance(aval.dtype, np.dtype)
        and aval.dtype != jax.dtypes.float0
    )


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value


class Plan:
    """Which equations of a program become which loops."""

    def __init__(self, closed: Any) -> None:
        self.jaxpr = closed.jaxpr
        self.consts = dict(zip(self.jaxpr.constvars, closed.consts, strict=True))
        self._given = {*self.jaxpr.invars}
        self.eqns = _without_wide_calls(self.jaxpr.eqns)
        self.loops: dict[int, Loop] = {}
        # Of a variable: the stack that it stands in, and where there.
        self.entries: dict[Any, tuple[Stack, int]] = {}
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
            far, stop = start + (MIN_TURNS - 1) * period, start + period
            if far >= len(keys) or keys[far] != keys[start]:
                continue
            while stop < len(keys) and keys[stop] == keys[stop - period]:
                stop += 1
            if stop - start >= MIN_TURNS * period and stop > best[1] + period:
                best = period, stop
        return best

    def _loop(self, start: int, period: int, stop: int) -> Loop | None:
        """Make a loop of equations that repeat, of the turns that can be wired."""
        if stop - start < MIN_TURNS * period:
            return None
        wiring = _Wiring(self, start, period, (stop - start) // period)
        first, last = wiring.longest()
        if last - first < MIN_TURNS:
            return None
        begin = start + first * period
        eqns = self.eqns[begin : begin + period]
        if uses(self.jaxpr.replace(eqns=eqns), *self._unfit):
            return None
        slots = wiring.slots(first, last)
        loop = Loop(eqns, begin, start + last * period, last - first, slots)
        self._note_results(loop)
        self.loops[begin] = loop
        return loop

    def _note_results(self, loop: Loop) -> None:
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
                stack = Stack((loop, number, place), lambda whole: whole)
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
            stack = Stack(eqn.invars[0], lambda whole: jnp.moveaxis(whole, axis, 0))
        elif len(set(sizes)) == 1:

            def parts(whole: Any) -> Any:
                shape = (*whole.shape[:axis], len(sizes), sizes[0], *whole.shape[axis + 1 :])
                return jnp.moveaxis(whole.reshape(shape), axis, 0)

            stack = Stack(eqn.invars[0], parts)
        else:
            return
        self.entries.update({var: (stack, i) for i, var in enumerate(eqn.outvars)})

    def small(self, atom: Any) -> bool:
        """Whether a value may be another one in each turn: a small one, or a small constant."""
        if self.known(atom) is not None:
            return atom.aval.size <= _MAX_KNOWN
        made = self.made_at(atom)
        given = is_state(self.eqns[made[0]]) if made else atom in self._given
        # A number of Python's is given in eager calls, so that others need no program of their own.
        number = atom.aval.weak_type and not atom.aval.shape
        return atom.aval.size <= _MAX_SMALL and (number or not given)

    def known(self, atom: Any) -> Any:
        """Return the value of a literal or of a constant; None for another atom."""
        value = atom.val if is_literal(atom) else self.consts.get(atom)
        return None if value is None or is_tracer(value) else value

    def made_at(self, atom: Any) -> tuple[int, int] | None:
        """Return which equation makes a value, as which result."""
        return None if is_literal(atom) else self._made_at.get(atom)

    def identity(self, atom: Any) -> Any:
        """Return what is the same for atoms of one value."""
        if is_literal(atom):
            return repr(atom.val), atom.aval.dtype
        return self.aliases.get(atom, atom)


class _Wiring:
    """Where the operands of repeated equations come from."""

    def __init__(self, plan: Plan, start: int, period: int, turns: int) -> None:
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
                found = [
                    self._slot(*args, first, turn) for args in zip(self._places, slots, strict=True)
                ]
                if None in found:
                    break
                slots, turn = found, turn + 1
            if turn - first > best[1] - best[0]:
                best = (first, turn)
            first = max(turn - 1, first + 1)
        return best

    def slots(self, first: int, last: int) -> list[list[tuple[Any, ...]]]:
        """Return where operands come from, in the form that ``Loop`` has."""
        found: list[list[tuple[Any, ...]]] = [[] for _ in range(self._period)]
        for place in self._places:
            slot: Any = None
            for turn in range(first, last):
                slot = self._slot(place, slot, first, turn)
            atom = self._atom(first, place)
            if slot[0] == "carried":
                slot = (*slot, atom)
            elif slot[0] == "fixed":
                slot = ("fixed", self._plan.aliases.get(atom, atom) if is_var(atom) else atom)
            elif slot[0] == "small":
                slot = ("small", [self._atom(turn, place) for turn in range(first, last)])
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
        entry = slot[0] == "entry" or (is_var(atom) and atom in plan.entries)
        if slot[0] in ("fixed", "small") and not entry and plan.small(before) and plan.small(atom):
            return ("small",)
        if turn == first + 1 or slot[0] == "entry":
            here, there = (plan.entries.get(a) if is_var(a) else None for a in (atom, before))
            if here and there and here[0] is there[0] and here[1] != there[1]:
                step = here[1] - there[1]
                if turn == first + 1:
                    return ("entry", here[0], there[1], step)
                return slot if slot[3] == step else None
        return None


def _constant_results(eqn: Any, of_operands: list[bool]) -> list[bool]:
    """Return which results follow from operands that are the same in all turns."""
    inner = eqn.params.get("jaxpr") if eqn.primitive.name == "jit" else None
    if all(of_operands) or inner is None:
        return [all(of_operands)] * len(eqn.outvars)
    found = {v for v, same in zip(inner.jaxpr.invars, of_operands, strict=True) if same}
    found.update(inner.jaxpr.constvars)
    for each in inner.jaxpr.eqns:
        operands = [is_literal(atom) or atom in found for atom in each.invars]
        results = _constant_results(each, operands)
        found.update(v for v, same in zip(each.outvars, results, strict=True) if same)
    return [is_literal(atom) or atom in found for atom in inner.jaxpr.outvars]


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
                invars=[names.get(a, a) if is_var(a) else a for a in only.invars],
                outvars=[results.get(v, v) for v in only.outvars],
            )
        )
    return found
