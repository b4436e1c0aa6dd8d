"""``MappedCall``: a call of MindSpore's mutable program over a batch of examples, on ``jax.vmap``.

As in ``differentiated_call.py``, the program runs once, in a scope of its own, and what escapes is
committed. Its operators are recorded for one example, to run as one program over all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from msgrad._compiled.inputs import compiling
from msgrad._core.bridge import refill, tensors_in, wrap, wrap_arrays
from msgrad._core.context import context
from msgrad._core.deferred.recording import Recorder, deferring, materialize
from msgrad._core.engine import current_trace, in_trace
from msgrad._core.errors import EngineError
from msgrad._core.scopes.integer_gradients import attach, carrier_of
from msgrad._core.scopes.scope import Scope
from msgrad._gradients.on_demand import Examples
from msgrad._gradients.recorded_program import BoundCall, bind
from msgrad._gradients.transforms import mapped

Axes = Sequence[int | None]
_DTYPES = {bool: jnp.bool_, int: jnp.int64, float: jnp.float32}


class MappedCall:
    """A call of ``fn`` with values that are mapped over.

    Args:
        fn: The program.
        args: Its arguments; it is given new Tensors in the place of theirs.
        axes: For each Tensor among them which dimension is mapped, None for none; at least one.
        weights: Further Tensors that are mapped over, and
        stacked: their values for all examples, raw, in front.

    Attributes:
        output: What ``fn`` returned, for one example, once it has run.
        carriers: Those of the integers in the output, by place, where a gradient is taken around.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        args: tuple[Any, ...],
        axes: Axes,
        weights: Sequence[Any],
        stacked: Sequence[Any],
    ) -> None:
        self.fn, self.args, self.weights = fn, args, weights
        self.output: Any = None
        self.carriers: dict[int, Any] = {}
        self.scope = Scope()
        # Integers that have a gradient around the call have it in each example, too.
        self._carried = [*map(carrier_of, tensors_in(args))]
        integers = any(c is not None for c in self._carried)
        self._records = deferring() and context.lift is None and not integers
        self._raws = [t._peek() if self._records else t._read() for t in tensors_in(args)]
        self._places = [place for place, axis in enumerate(axes) if axis is not None]
        self._values = [*(self._raws[place] for place in self._places), *stacked]
        self._axes = tuple([axis for axis in axes if axis is not None] + [0] * len(stacked))
        for place, axis in zip(self._places, self._axes, strict=False):
            if self._carried[place] is not None:
                self._values.append(self._carried[place])
                self._axes += (axis,)
        self._escaped: list[Any] = []
        # Which Tensors of the output have a carrier; those follow the results.
        self._carry: list[int] = []
        self._bound: BoundCall | None = None
        # How many outputs there are, and which of them, if any, each Tensor is that was made.
        self._outputs = 0
        self._made_at: list[int] = []

    def run(self) -> list[Any]:
        """Run ``fn`` and commit what escapes.

        Returns:
            The raw Tensors of the output, examples in front.

        Raises:
            RuntimeError: If a value that is written differs between examples.
        """
        size = self._values[0].shape[self._axes[0]]
        specs = [_spec_of_one(v, axis) for v, axis in zip(self._values, self._axes, strict=True)]
        examples = Examples(size, self._in_front, specs)
        with in_trace(examples.trace):
            results, values = self._example(examples)
        count = len(self.scope.written)
        try:
            if self._bound is not None:
                results, values = self._run_recorded(size)
            elif any(map(examples.differs, values[:count])):
                raise self._differs()
            else:
                results = [*map(examples.all, results)]
                values = [*values[:count], *map(examples.all, values[count:])]
        except BaseException:
            self.scope.abandon()
            raise
        self.scope.commit(self._escaped, values)
        count = len(results) - len(self._carry)
        if context.scope is not None:
            self.carriers = dict(zip(self._carry, results[count:], strict=True))
        return results[:count]

    def _differs(self) -> EngineError:
        named = self._escaped[: len(self.scope.written)]
        names = [getattr(s, "name", repr(type(s))) for s in named]
        return EngineError(
            f"Inside vmap the values written to {names} differ between examples, so no single "
            "value can be kept; return them from the function instead."
        )

    def _example(self, examples: Examples) -> tuple[list[Any], list[Any]]:
        """Run ``fn`` for one example; returns the results and what escapes, or nothing yet where
        ``_bound`` is set.
        """
        recorder = Recorder(current_trace(), examples.pending, list)
        mapped_values = recorder.substitutes
        if self._records:
            self.scope.recorder = recorder
        else:
            recorder.replay()
            mapped_values = [*map(materialize, mapped_values)]
        try:
            # MindSpore compiles it, with the elements of what is mapped as inputs.
            with self.scope, compiling((), {}):
                results, values = self._call(mapped_values)
                if self._records:
                    self._bound = self._bind(recorder, results, values)
                    if self._bound is not None:
                        return [], []
                recorder.replay()
                return [*map(materialize, results)], [*map(materialize, values)]
        finally:
            recorder.close()

    def _call(self, examples: list[Any]) -> tuple[list[Any], list[Any]]:
        rest, inside, carried = iter(examples), list(self._raws), list(self._carried)
        for place in self._places:
            inside[place] = next(rest)
        for weight in self.weights:
            self.scope.substitute(weight, next(rest))
        for place in self._places:
            if carried[place] is not None:
                carried[place] = next(rest)
        args = refill(self.args, inside)
        for tensor, carrier in zip(tensors_in(args), carried, strict=True):
            if carrier is not None:
                attach(tensor, carrier)
        around, context.maps = context.maps, True
        try:
            self.output = _as_tensors(self.fn(*args))
        finally:
            context.maps = around
        tensors = list(tensors_in(self.output))
        found = {place: carrier_of(t) for place, t in enumerate(tensors)}
        self._carry = [place for place, carrier in found.items() if carrier is not None]
        results = [*(t._peek() for t in tensors), *(found[place] for place in self._carry)]
        self.scope.keep_for_made()
        self._escaped, values = self.scope.escaped()
        return results, values

    def _bind(self, recorder: Recorder, results: list[Any], values: list[Any]) -> BoundCall | None:
        count = len(self.scope.written)
        # A Tensor of the output has been made, too.
        known = {id(result): place for place, result in enumerate(results)}
        made = [value for value in values[count:] if id(value) not in known]
        found = [*results, *made]
        self._made_at = [known.get(id(value), -1) for value in values[count:]]
        fronts = (*(0 for _ in found), *(None for _ in range(count)))
        form = (self._axes, fronts, self._values[0].shape[self._axes[0]])
        self._outputs = len(results)
        return bind(self.fn, recorder, [*found, *values[:count]], [], mapped, *form)

    def _run_recorded(self, size: int) -> tuple[list[Any], list[Any]]:
        assert self._bound is not None
        try:
            found, _, _ = self._bound.run(self._values)
        except ValueError as error:
            raise (self._differs() if "out_axes" in str(error) else error) from None
        count = len(found) - len(self.scope.written)
        for place, constant in enumerate(self._bound.constant[:count]):
            if constant:
                found[place] = jnp.broadcast_to(found[place], (size, *found[place].shape))
        more = iter(found[self._outputs : count])
        made = [found[place] if place >= 0 else next(more) for place in self._made_at]
        return found[: self._outputs], [*found[count:], *made]

    def _in_front(self) -> list[Any]:
        return [
            jnp.moveaxis(materialize(value), axis, 0)
            for value, axis in zip(self._values, self._axes, strict=True)
        ]


def _as_tensors(output: Any) -> Any:
    """Return what ``fn`` gave with Tensors for its numbers, and tuples for its lists."""
    if type(output) in _DTYPES:
        return wrap(jnp.asarray(output, _DTYPES[type(output)]))
    if type(output) in (tuple, list):
        return tuple([_as_tensors(item) for item in output])
    return wrap_arrays(output)


def _spec_of_one(value: Any, axis: int) -> tuple[tuple[int, ...], Any, bool]:
    shape = list(value.shape)
    del shape[axis]
    return tuple(shape), value.dtype, value.weak_type
