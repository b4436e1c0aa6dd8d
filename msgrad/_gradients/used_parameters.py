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
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import wrap
from msgrad._core.context import context
from msgrad._core.engine import current_trace, in_trace
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.cotangent import pulling_back
from msgrad._core.scopes.scope import Scope
from msgrad._gradients.identity import hooked
from msgrad._gradients.linearize import Program
from msgrad.common.parameter import Parameter

# What JAX differentiates with respect to, so that a trace is there before any Parameter is.
_GATE = np.float32(0)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _enter(catch: Callable[[Any], None], gate: Any, value: Any) -> Any:
    del catch, gate
    return value


def _enter_forward(catch: Callable[[Any], None], gate: Any, value: Any) -> tuple[Any, None]:
    del catch, gate
    return value, None


def _enter_backward(catch: Callable[[Any], None], _: None, cotangent: Any) -> tuple[Any, None]:
    # Runs only where the result depends on the value.
    catch(cotangent)
    return jnp.zeros_like(_GATE), None


_enter.defvjp(_enter_forward, _enter_backward)


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
                catch = functools.partial(self.found.__setitem__, id(tensor))
                value = _enter(catch, self.gate, tensor._data if value is None else value)
                value = hooked(tensor, value, every_level=False)
            self.stand_in(tensor, value)
        return value

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
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    targets: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
    seeds: Callable[[list[Any]], Sequence[Any] | None],
) -> tuple[Any, list[Any]]:
    """Run ``fn`` and compute the gradients of ``targets`` and of the Parameters it used.

    Args:
        fn: The program.
        args: Its positional arguments.
        kwargs: Its keyword arguments.
        targets: Tensors to differentiate with respect to.
        select: Returns the Tensors of the output to differentiate.
        seeds: Returns their raw cotangents, or None for ones.

    Returns:
        What ``fn`` returned, and a Tensor per target, then one per used Parameter.
    """
    variables = list({id(t): t for t in targets}.values())
    program = Program(fn, args, kwargs, variables, select)

    def run(gate: Any, values: list[Any]) -> tuple[list[Any], list[Any]]:
        program.scope = _Watching(gate)
        return program(values)

    results, vjp, settled = jax.vjp(run, _GATE, program.primals(), has_aux=True)
    program.settle(settled)
    watching = program.scope
    assert isinstance(watching, _Watching)
    cotangents = program.cotangents(seeds([t._read() for t in program.selected]), results)
    with pulling_back() as replaced:
        _, gradients = vjp(cotangents)
        used = watching.used(program.moving)
        inner = [parameter for parameter in used if id(parameter) in watching.found]
        program.moving += inner
        program.variables = [*variables, *inner]
        found = [watching.found[id(parameter)] for parameter in inner]
        finished = program.finish([*gradients, *found], replaced)
        replaced.check()
    by_id = {id(v): wrap(raw) for v, raw in zip(program.variables, finished, strict=True)}
    return program.output, [by_id[id(t)] for t in [*targets, *used]]
