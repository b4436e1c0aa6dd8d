"""Gradients of the Parameters that a program turns out to use: ``GradOperation`` without weights.

Which they are is known when the program has run. So a Parameter becomes a differentiated value
when it is first read, and counts as used where a cotangent comes back to it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.context import context
from msgrad._core.engine import current_trace, in_trace
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.cotangent import pulling_back
from msgrad._core.scopes.scope import Scope
from msgrad._gradients.differentiated_call import DifferentiatedCall, as_outside
from msgrad._gradients.gate import Gate, vjp_on_demand
from msgrad._gradients.identity import hooked
from msgrad.common.parameter import Parameter


class _Watching(Scope):
    """A scope in which every trainable Parameter that is read becomes a differentiated value."""

    __slots__ = ("entered", "gate", "known", "order", "pieces", "trace")

    def __init__(self, known: int) -> None:
        super().__init__()
        self.order: dict[int, tuple[Parameter, tuple[int, int]]] = {}
        # Ids of those that were given a value, behind the primals that are known before.
        self.entered: list[int] = []
        self.known = known
        # Where the call is not recorded.
        self.gate: Any = None

    def __enter__(self) -> Scope:
        # Hooks of what is saved put a recorder of theirs before that of the call.
        self.trace, self.pieces = current_trace(), self.recorder
        return super().__enter__()

    def lookup(self, tensor: Any) -> Any:
        value = super().lookup(tensor)
        if not isinstance(tensor, Parameter) or id(tensor) in self.order:
            return value
        if not tensor.requires_grad or not is_inexact(tensor._data.dtype):
            return value
        self.order[id(tensor)] = tensor, self._moment()
        if id(tensor) not in self.values:
            with in_trace(self.trace):
                moving = self._moving(tensor._data if value is None else value)
                value = hooked(tensor, moving, every_level=False)
            self.entered.append(id(tensor))
            self.substitute(tensor, value)
        return value

    def _moving(self, value: Any) -> Any:
        pieces: Any = self.pieces
        if pieces is not None:
            return pieces.one_more(value)
        return self.gate.enter([value], self.known + len(self.entered))[0]

    def write(self, tensor: Any, value: Any) -> None:
        super().write(tensor, value)
        if id(tensor) in self.order:
            place, count = self.order[id(tensor)][1]
            if (place, count + 1) == self._moment():
                # It was read for the sake of the write alone, which is no use.
                del self.order[id(tensor)]

    def _moment(self) -> tuple[int, int]:
        """Return what is the same for all that one operator reads: how many results there are."""
        reading = context.scope or self
        return id(reading), len(reading.made)

    def used(self, known: set[int]) -> list[Parameter]:
        """Return the Parameters with a gradient in MindSpore's order: by operator, in which equal
        ones come from the last operand to the first, and a weight before its bias.

        Args:
            known: ids of those that have one.
        """
        read = [entry for entry in self.order.values() if id(entry[0]) in known]
        ordered: list[Parameter] = []
        for _, entries in itertools.groupby(read, key=lambda entry: entry[1]):
            group = [parameter for parameter, _ in entries]
            alike = len({parameter.ndim for parameter in group}) == 1
            ordered += reversed(group) if alike else group
        return ordered


def gradients_of_used(
    call: DifferentiatedCall,
    targets: Sequence[Any],
    cotangents_of: Callable[[list[Any]], Sequence[Any] | None],
) -> tuple[Any, list[Any]]:
    """Run a call and compute the gradients of ``targets`` and of the Parameters it used.

    Args:
        call: What is differentiated with respect to the targets.
        targets: Tensors, among them its variables.
        cotangents_of: Returns the raw cotangents of its selected outputs, or None for ones.

    Returns:
        What the program returned, and a Tensor per target, then one per used Parameter.
    """

    count = len(call.differentiated)
    watching = call.scope = _Watching(count)
    if call.records():
        results, pull, values = call.vjp()
    else:
        primals = call.primals()

        def run(gate: Gate) -> tuple[list[Any], list[Any]]:
            watching.gate = gate
            return call(gate.enter(primals))

        results, pull, values = vjp_on_demand(run, primals)
    call.commit(values)
    cotangents = call.cotangents(cotangents_of([t._read() for t in call.selected]), results)
    with pulling_back() as replaced:
        (gradients,) = pull(cotangents)
        pairs = zip(watching.entered, gradients[count:], strict=False)
        found = {key: gradient for key, gradient in pairs if gradient is not None}
        used = watching.used({*map(id, call.differentiated), *found})
        inner = [parameter for parameter in used if id(parameter) in found]
        call.differentiated += inner
        call.variables = [*call.variables, *inner]
        gradients = [*gradients[:count], *(found[id(parameter)] for parameter in inner)]
        finished = call.finish(gradients, replaced)
        replaced.check()
    return call.output, call.wrapped(as_outside(finished), [*targets, *used])
