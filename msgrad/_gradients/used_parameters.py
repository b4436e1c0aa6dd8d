"""Gradients of the Parameters that a program turns out to use: ``GradOperation`` without weights.

Which they are is known when the program has run. So a Parameter becomes a differentiated value
when it is first read, and counts as used where a cotangent comes back to it.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax

from msgrad._core.context import context
from msgrad._core.engine import current_trace, in_trace
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.cotangent import pulling_back
from msgrad._core.scopes.scope import Scope
from msgrad._gradients.differentiated_call import DifferentiatedCall
from msgrad._gradients.gate import GATE, node
from msgrad._gradients.identity import hooked
from msgrad.common.parameter import Parameter


class _Watching(Scope):
    """A scope in which every trainable Parameter that is read becomes a differentiated value."""

    __slots__ = ("found", "gate", "order", "trace")

    def __init__(self, gate: Any) -> None:
        super().__init__()
        self.gate = gate
        self.trace = current_trace()
        self.order: dict[int, tuple[Parameter, tuple[int, int]]] = {}
        self.found: dict[int, Any] = {}

    def lookup(self, tensor: Any) -> Any:
        value = super().lookup(tensor)
        if not isinstance(tensor, Parameter) or id(tensor) in self.order:
            return value
        if not tensor.requires_grad or not is_inexact(tensor._data.dtype):
            return value
        self.order[id(tensor)] = tensor, self._moment()
        if id(tensor) not in self.values:
            with in_trace(self.trace):
                held = [tensor._data if value is None else value]
                catch = functools.partial(self._catch, id(tensor))
                entered: Any = node(lambda: held, catch, self.gate, [])
                value = hooked(tensor, entered[0], every_level=False)
            self.substitute(tensor, value)
        return value

    def _catch(self, key: int, cotangents: list[Any]) -> list[Any]:
        (self.found[key],) = cotangents
        return []

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

    def used(self, variables: Sequence[Any]) -> list[Parameter]:
        """Return the Parameters with a gradient in MindSpore's order: by operator, in which equal
        ones come from the last operand to the first, and a weight before its bias.
        """
        given = {id(v) for v in variables}
        read = [e for e in self.order.values() if id(e[0]) in self.found or id(e[0]) in given]
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

    def run(gate: Any, values: list[Any]) -> tuple[list[Any], list[Any]]:
        call.scope = _Watching(gate)
        return call(values)

    results, vjp, values = jax.vjp(run, GATE, call.primals(), has_aux=True)
    call.commit(values)
    watching = call.scope
    assert isinstance(watching, _Watching)
    cotangents = call.cotangents(cotangents_of([t._read() for t in call.selected]), results)
    with pulling_back() as replaced:
        _, gradients = vjp(cotangents)
        used = watching.used(call.differentiated)
        inner = [parameter for parameter in used if id(parameter) in watching.found]
        call.differentiated += inner
        call.variables = [*call.variables, *inner]
        found = [watching.found[id(parameter)] for parameter in inner]
        finished = call.finish([*gradients, *found], replaced)
        replaced.check()
    return call.output, call.wrapped(finished, [*targets, *used])
