"""``CompiledProgram``: one recorded and compiled form of a function, and how it runs on the state.

Every step of a compiled training loop passes through ``run``: nothing is done for each Parameter
that can be done once. Where nobody looks at the state between two steps it becomes resident: its
arrays go from one call to the next as the list that JAX gave, and whoever looks has them evicted.
How a program is recorded is in ``record.py``, which call runs it in ``function.py``.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Any

import jax

from msgrad._compiled.branches import Trace
from msgrad._compiled.guards import Guards
from msgrad._compiled.number import Number, to_python
from msgrad._compiled.spread import state_shardings
from msgrad._core import context as _context
from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, wrap
from msgrad._core.context import bump_revision, context
from msgrad._core.deferred.recording import materialize
from msgrad._core.distributed.across import Across, OwnerAcross
from msgrad._core.distributed.ordered import uses_ranks
from msgrad._core.effort import compiled
from msgrad._core.engine import derivatives_around, is_tracer, needs_arguments_later
from msgrad._core.engine.flax import place_of
from msgrad._core.op import dispatch
from msgrad._core.ownership import (
    Owner,
    Place,
    evict,
    is_my_turn,
    lock,
    outlived,
    read_together,
    wait_for_turn,
)
from msgrad._core.scopes.discovery import ABSENT, BOOKKEEPING, REGISTRIES, LiftScope
from msgrad._core.scopes.lifted import as_function, has_callback, uses
from msgrad.common.mutable import unwrapped
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import can_be_taken

# Unobserved calls after which state becomes resident, at first: twice as many after each time.
_FIRST_BACKOFF = 4
_LONGEST_BACKOFF = 4096


class OnceDifferentiable(Exception):
    """The program has a loop on Tensors, and is called for a derivative of a derivative."""


class CompiledProgram:
    """One compiled form of a function, for one signature.

    Args:
        trace: What was recorded.
        inputs: The Tensors among the arguments.

    Attributes:
        lifted: The Tensors that it reads as state.
        donated, kept: Which of them it writes and may have the arrays of, and which it only reads.
        written: What it writes: Tensors, or the numbers of inputs.
        slots: Tensors that are attributes of Cells, see ``_slots``.
        assigned: Attributes of Cells that it sets to something that is no Tensor, with the value.
        output: What the function returned, with empty Tensors.
        returned: For each Tensor of the output that is an input, or a Parameter itself, its
            number, or the Parameter; for what is a Python number its type; None for others,
            or at all where there is none.
        recorded: What was traced.
        pure: The function ``(*state, *inputs) -> results``; ``result_avals`` are of its results.
        flat: The same as ``_flat`` has it, or a loop of it.
        call, call_inside: That, compiled; the first donates its state.
        as_operator: The second, as an operator of recordings.
        guards: Whether it still stands for a call of its signature.
        only_for: Its only inputs, where the trace has taken them for state; else None.
        across: Whether it has collectives, and runs on several ranks.
        layouts: What its strategies say of the state, by number; None on one device.
        checks: What is to be called before each run, and with which number.
        single_use: Why it stands for the call that recorded it only, in words; else empty.
        waits: Whether it must have succeeded before state may change.
        hits: How often it has run without being compiled for it.
        undo: Gives Cells back the attributes they had before the trace, until it has run.
        owner: Where its state stands, and who has it; None until it first runs.
    """

    def __init__(self, trace: Trace, inputs: list[Any]) -> None:
        scope, escaped = trace.scope, trace.escaped
        written = [scope.values[key][0] for key in scope.written]
        writes = {id(t) for t in written if can_be_taken(type(t))}
        self.lifted = scope.lifted
        self.donated = [i for i, t in enumerate(scope.lifted) if id(t) in writes]
        self.kept = [i for i, t in enumerate(scope.lifted) if id(t) not in writes]
        numbers = {id(t): i for i, t in enumerate(inputs)}
        self.written = [numbers.get(id(t), t) for t in written]
        # What an input must not be: where one is written, what is read elsewhere is not the same.
        alone = self.lifted if int in map(type, self.written) else self.written
        self._alone = {id(t) for t in alone}
        self.only_for: list[Any] | None = None
        self.slots = _slots(scope, escaped)
        self.assigned = _assigned(scope)
        # Placeholders: the traced values must not outlive the trace.
        self.output = map_tensors(lambda _: wrap(None), trace.output)
        self.returned = trace.returned
        self.guards = Guards(scope, self.slots)
        self.checks = list(Counter(scope.checks).items())
        self.single_use = scope.leak
        self.hits = 0
        self.undo = scope.undo

        self.recorded = trace.closed
        self.pure = as_function(trace.closed)
        self.result_avals = trace.closed.out_avals
        # A callback may raise when the state it was to replace has been given away.
        self.waits = has_callback(trace.closed.jaxpr)
        self._prints = uses(trace.closed.jaxpr, "debug_callback")
        self._loops = uses(trace.closed.jaxpr, "while")
        self.across = uses_ranks(trace.closed.jaxpr)
        self._recordable = not (self.waits or self._prints or self._loops or self.across)
        self.layouts = trace.layouts
        self.runs_as(_flat(self.pure, self.donated, self.kept, len(escaped)))

        self.owner: Owner | None = None
        self._unobserved, self._backoff = 0, _FIRST_BACKOFF

    def fits(self, inputs: Sequence[Any]) -> bool:
        """Whether it stands for a call of these Tensors, which may also be its state."""
        if self.only_for is None:
            return not self._alone or self._alone.isdisjoint(map(id, inputs))
        return all(ref() is t for ref, t in zip(self.only_for, inputs, strict=True))

    def runs_as(self, run: Callable[..., Any], cheaply: bool = False, **options: Any) -> None:
        """Set what is compiled and called, and with how much effort, see ``effort.py``."""
        self.flat, self._cheaply = run, cheaply
        self.call: Any
        self.call_inside: Any
        if self.across:
            self.call = Across(run, donates=True, stays=True)
            self.call_inside = Across(run)
        else:
            self.call = compiled(run, cheaply, donate_argnums=0, **options)
            self.call_inside = compiled(run, cheaply, **options)
        self.as_operator = _AsOperator(self.call_inside)

    def run(self, inputs: Sequence[Any], raws: list[Any], escaped: list[Any] | None = None) -> Any:
        """Run on the state as it stands, and commit what that gives.

        Args:
            inputs: The distinct Tensors among the arguments.
            raws: Their arrays.
            escaped: In the call that recorded it, the new Tensors that outlive it.

        Returns:
            What the function returns, or its ``Outcomes``. If the program fails, no state has
            changed; unless memory gives out while it runs, since XLA has been given it by then.

        Raises:
            OnceDifferentiable: If it must run as plain Python here.
        """
        for check, times in self.checks:
            check(times)
        owner = self.owner or self._prepare(inputs, raws, escaped)
        if self._sharings != _context.sharings:
            with lock:
                self._look(owner, inputs, escaped)
        # A view that is given and written has what it shows written, too.
        views = self._given and any(inputs[i]._view is not None for i in self._given)
        if context.scope is not None:
            if self._loops and derivatives_around() > (not self._prints):
                if escaped is not None:
                    self.undo()
                raise OnceDifferentiable
            results = self._run_on_tensors(inputs, raws, escaped)
        elif self._changes_nothing and not escaped:
            self._locate(owner, inputs, escaped)
            results = self.call_inside([], read_together(self._read), raws)
        elif self.waits and not (self._on_tensors or views):
            # Without the lock: a callback may wait for a thread that reads.
            results = self._run_without_donation(owner, inputs, raws, escaped)
        else:
            wait_for_turn()
            with lock:
                is_my_turn()
                if self._on_tensors or views:
                    results = self._run_on_tensors(inputs, raws, escaped)
                elif needs_arguments_later():
                    results = self._run_without_donation(owner, inputs, raws, escaped)
                else:
                    results = self._run_with_donation(owner, inputs, raws, escaped)
        if escaped is not None:
            self.undo = _nothing
        if self._prints:
            # Before what the caller prints.
            jax.effects_barrier()
        return wrap(results[-1]) if self._single else self._output(inputs, results)

    def _prepare(self, inputs: Sequence[Any], raws: list[Any], escaped: list[Any] | None) -> Owner:
        """Find where the state stands; compile while it stands there, since readers wait otherwise.

        Sets ``_on_tensors``, whether what is written is more than what stands in instance dicts,
        and ``_rebinds``, whether the state is other Tensors in every call.
        """
        with lock:
            self._places = [*map(place_of, self.lifted)]
            for place in self._places:
                place["_of_a_program"] = True
            numbers = {id(t): i for i, t in enumerate(self.lifted)}
            # A Tensor that the trace itself made and wrote has no number.
            self._written_as = [numbers.get(id(t)) for t in self.written]
            if self.layouts is not None:
                self._spread()
            self._given = [t for t in self.written if isinstance(t, int)]
            self._rebinds = bool(self.slots["read"] or self._given)
            self._assigns = bool(self.assigned or self.slots["write"] or self.slots["new"])
            self._changes_nothing = not (self.written or self.assigned or self.slots["write"])
            self._outputs = len(list(tensors_in(self.output)))
            self._single = is_tensor(self.output) and self.returned is None
            owner = (OwnerAcross if self.across else Owner)([], [])
            self._look(owner, inputs, escaped)
            arrays = None if self._on_tensors else [*map(read_together, (owner.places, self._read))]
        if not (arrays is None or self._changes_nothing or self.waits or context.scope is not None):
            self.call.lower(*arrays, raws).compile()
        # Tensors may outlive the program that has their arrays; the owner knows no Cell.
        weakref.finalize(self, owner.put_back_soon).atexit = False
        self.owner = owner
        return owner

    def _look(self, owner: Owner, inputs: Sequence[Any], escaped: list[Any] | None) -> None:
        """Find which Tensors of the state are views; with the lock, and anew when others become."""
        self._sharings = _context.sharings
        evict(self._places)
        self._on_tensors = any(self.lifted[i]._view is not None for i in self.donated) or any(
            "_data" not in place for place in self._places
        )
        self._bind(owner, inputs, escaped)

    def shardings(self) -> tuple[list[Any], list[Any]]:
        """Return how the state stands on the devices, and the results: None where XLA decides."""
        state = state_shardings(self.lifted, self.layouts or {})
        stands = {id(t): sharding for t, sharding in zip(self.lifted, state, strict=True)}
        written = [stands.get(id(t)) for t in self.written]
        return state, written + [None] * (len(self.result_avals) - len(written))

    def _spread(self) -> None:
        """Put the state where it is to stand on the devices, and have it stay there."""
        state, results = self.shardings()
        for place, sharding in zip(self._places, state, strict=True):
            if "_data" in place:
                place["_data"] = jax.device_put(place["_data"], sharding)
        self.runs_as(self.flat, self._cheaply, out_shardings=results)

    def _bind(self, owner: Owner, inputs: Sequence[Any], escaped: list[Any] | None) -> None:
        """Find the state, where attributes of Cells and inputs are written: anew in each call."""
        # After the trace itself the new Tensors stand there already, still without a value.
        for index, place, name in () if escaped is not None else self.slots["read"]:
            self.lifted[index] = tensor = place[name]
            self._places[index] = place_of(tensor)
        owner.places = [self._places[i] for i in self.donated]
        owner.targets = [place_of(t) for t in self._tensors_written(inputs)]
        self._read = [self._places[i] for i in self.kept]
        self._views = [t for i in self.kept if (t := self.lifted[i])._view is not None]

    def _locate(self, owner: Owner, inputs: Sequence[Any], escaped: list[Any] | None) -> None:
        if self._rebinds:
            self._bind(owner, inputs, escaped)
        for view in self._views:
            # Its place shows what it is a view of once it is read.
            view._read()

    def _tensors_written(self, inputs: Sequence[Any]) -> list[Any]:
        return [
            inputs[t] if isinstance(t, int) else t if i is None else self.lifted[i]
            for t, i in zip(self.written, self._written_as, strict=True)
        ]

    def _run_with_donation(
        self, owner: Owner, inputs: Sequence[Any], raws: list[Any], escaped: list[Any] | None
    ) -> list[Any]:
        """Take the state from its places, run, and commit; if it raises, nothing has changed."""
        if self._rebinds or self._views:
            self._locate(owner, inputs, escaped)
        resident = bool(owner.held) and not owner.results
        read: list[Any] = []
        try:
            if not resident:
                owner.take()
            if self._read:
                read = read_together(self._read)
            owner.run(self.call, read, raws)
        finally:
            if owner.results:
                results = owner.results[0]
                stays = resident or self._becomes_resident(owner, results, [*read, *raws])
                try:
                    self._commit(owner, escaped, stays)
                except KeyboardInterrupt:
                    # The step has happened: all of it.
                    self._commit(owner, escaped, stays)
                    raise
            else:
                if not resident:
                    owner.put_back()
                if escaped is not None:
                    self.undo()
        return results

    def _run_without_donation(
        self, owner: Owner, inputs: Sequence[Any], raws: list[Any], escaped: list[Any] | None
    ) -> list[Any]:
        """Run where the state may still be needed as it was."""
        with lock:
            self._locate(owner, inputs, escaped)
            given, read = map(read_together, (owner.places, self._read))
        results = self._call(given, read, raws, escaped)
        if owner.targets and is_tracer(results[0]):
            if escaped is not None:
                self.undo()
            raise outlived()
        with lock:
            evict(owner.targets)
            owner.results.append(results)
            self._commit(owner, escaped)
        return results

    def _run_on_tensors(
        self, inputs: Sequence[Any], raws: list[Any], escaped: list[Any] | None
    ) -> list[Any]:
        """Run on what the state reads as here: in a gradient call, or through views."""
        assert self.owner is not None
        if self._rebinds:
            self._bind(self.owner, inputs, escaped)
        given, read = ([self.lifted[i]._peek() for i in of] for of in (self.donated, self.kept))
        results = self._call(given, read, raws, escaped)
        written = zip(self.written, self._tensors_written(inputs), results, strict=False)
        for number, tensor, raw in written:
            if isinstance(number, int) and tensor._view is not None:
                # What the view shows is written, too; that of the state is in the state.
                tensor._write(raw)
            else:
                tensor._version += 1
                tensor._store(raw)
        for place, name, value in self._assignments(results, escaped):
            place[name] = value
        return results

    def _call(
        self, given: list[Any], read: list[Any], raws: list[Any], escaped: list[Any] | None
    ) -> list[Any]:
        try:
            if context.scope is not None and self._recordable:
                operands = tuple(given), tuple(read), tuple(raws)
                return dispatch(self.as_operator, (), operands)
            results = self.call_inside(*([*map(materialize, of)] for of in (given, read, raws)))
            return jax.block_until_ready(results) if self.waits else results
        except BaseException:
            if escaped is not None:
                self.undo()
            raise

    def _commit(self, owner: Owner, escaped: list[Any] | None, resident: bool = False) -> None:
        """Put the results that wait, and what else the program sets, where they belong."""
        if owner.results:
            more = ()
            if self.across and not resident:
                owner.bring_here()
            if self._assigns or escaped is not None:
                more = self._assignments(owner.results[0], escaped)
            owner.commit(more, resident)

    def _assignments(
        self, results: list[Any], escaped: list[Any] | None
    ) -> list[tuple[Place, str, Any]]:
        """Return what a program sets besides its state: attributes, arrays of new Tensors."""
        if escaped is None:
            more = list(self.assigned)
        else:
            # Attributes of Cells are set already.
            rest = results[len(self.written) :]
            more = [(vars(t), "_data", raw) for t, raw in zip(escaped, rest, strict=False)]
        more += [(place, name, wrap(results[i])) for i, place, name in self.slots["write"]]
        for place in (*(p for p, *_ in self.assigned), *(p for _, p, _ in self.slots["new"])):
            bump_revision(place)
        return more

    def _becomes_resident(self, owner: Owner, results: list[Any], others: Iterable[Any]) -> bool:
        """Whether the state stays with the program from now on.

        Args:
            owner: Who has it.
            results: What the program has just given; nobody else has seen them, but for its output.
            others: What it was given besides the state.
        """
        self._unobserved += 1
        if self._unobserved < self._backoff:
            return False
        self._unobserved, self._backoff = 0, min(2 * self._backoff, _LONGEST_BACKOFF)
        # An array that stands for something else too must be looked at before it is given away.
        seen = [*map(id, results), *map(id, others)]
        return (
            not self._rebinds
            and [*map(id, owner.targets)] == [*map(id, owner.places)]
            and len(set(seen)) == len(seen)
            and all(index >= len(owner.targets) for index, _, _ in self.slots["write"])
        )

    def _output(self, inputs: Sequence[Any], results: list[Any]) -> Any:
        """Return what the function returns, with new Tensors of the results."""
        rest = iter(results[len(results) - self._outputs :])
        if self.returned is None:
            return map_tensors(lambda _: wrap(next(rest)), self.output)
        same = iter(self.returned)

        def tensor_of(raw: Any, returned: Any) -> Any:
            if returned is None:
                return wrap(raw)
            if isinstance(returned, type):
                return to_python(materialize(raw), returned)
            found = inputs[returned] if isinstance(returned, int) else returned
            if type(found) is not Number:
                return found
            # In a container it is a plain number, as in MindSpore.
            return found.given if is_tensor(self.output) else unwrapped(found.given)

        return map_tensors(lambda _: tensor_of(next(rest), next(same)), self.output)


class _AsOperator:
    """What the recording of a gradient call knows a program as; it keeps no state alive.

    Args:
        call: The program, compiled, which donates nothing.

    Attributes:
        structure: What it has in common with its like for other shapes.
    """

    name = "ms.jit"

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self.structure: Hashable = self

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the program as a function of tuples of raw arrays, as operators do."""
        return lambda *operands: self._call(*map(list, operands))


def _nothing() -> None:
    return None


def _flat(
    pure: Callable[..., Any], donated: list[int], kept: list[int], escaped: int
) -> Callable[..., Any]:
    """Return ``pure`` as a function of three lists; it refers to no Tensor and no Cell.

    Its results begin with what escapes, so that no output of the shape of a weight comes first and
    takes over the memory of that weight.
    """
    order = [*donated, *kept]

    def run(given: list[Any], read: list[Any], inputs: list[Any]) -> list[Any]:
        values = zip(order, [*given, *read], strict=True)
        state = [value for _, value in sorted(values, key=itemgetter(0))]
        results = pure(*state, *inputs)
        outputs = len(results) - escaped
        return [*results[outputs:], *results[:outputs]]

    return run


def _assigned(scope: LiftScope) -> list[tuple[dict[str, Any], str, Any]]:
    """Find the attributes that the trace has set to something that is no Tensor."""
    return [
        (vars(cell), name, value)
        for key, cell in scope.cells.items()
        for name, value in vars(cell).items()
        if not (name in BOOKKEEPING or name in REGISTRIES or is_tensor(value))
        and value is not scope.before[key].get(name, ABSENT)
    ]


def _slots(scope: LiftScope, escaped: list[Any]) -> dict[str, list[tuple[int, Any, str]]]:
    """Find which lifted and which escaped Tensors are attributes of Cells: index and place.

    A Tensor kept on a Cell is replaced by another object in every call, so it is the place, not
    the object, that is state. Under ``new`` are places that the call may have found empty, as in
    ``if self.hidden is None``: the next call is another program.
    """
    lifted = {id(t): i for i, t in enumerate(scope.lifted)}
    outlives = {id(t): i for i, t in enumerate(escaped)}
    slots: dict[str, list[tuple[int, Any, str]]] = {"read": [], "write": [], "new": []}
    for key, place, was in scope.attribute_dicts():
        for name, value in place.items():
            if not is_tensor(value) or isinstance(value, Parameter):
                continue
            old = was.get(name)
            # The trace may have found the Tensor on another path.
            read = (
                value is not old or (key, name) in scope.reads or (key, "_buffers") in scope.reads
            )
            if id(old) in lifted and read:
                slots["read"].append((lifted[id(old)], place, name))
            if value is not old and id(value) in outlives:
                slots["write"].append((outlives[id(value)], place, name))
                if not is_tensor(old) and (name in was or (key, name) in scope.missed):
                    slots["new"].append((outlives[id(value)], place, name))
    return slots
