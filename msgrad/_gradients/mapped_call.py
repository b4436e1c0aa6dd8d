"""``MappedCall``: a call of MindSpore's mutable program over a batch of examples, on ``jax.vmap``.

As in ``differentiated_call.py``, the program runs once, in a scope of its own, and what escapes is
committed. Its operators are recorded for one example, to run as one program over all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._compiled.inputs import compiling
from msgrad._core.bridge import refill, tensors_in, wrap_arrays
from msgrad._core.context import context
from msgrad._core.deferred.recording import Recorder, deferring, materialize
from msgrad._core.engine import current_trace
from msgrad._core.errors import EngineError
from msgrad._core.scopes.scope import Scope
from msgrad._gradients.on_demand import Examples
from msgrad._gradients.transformed import BoundTransform, bind_transform
from msgrad._gradients.transforms import mapped

Axes = Sequence[int | None]


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
        self.scope = Scope()
        self._records = deferring() and context.lift is None
        self._raws = [t._peek() if self._records else t._read() for t in tensors_in(args)]
        self._places = [place for place, axis in enumerate(axes) if axis is not None]
        self._values = [*(self._raws[place] for place in self._places), *stacked]
        self._axes = tuple([axis for axis in axes if axis is not None] + [0] * len(stacked))
        self._escaped: list[Any] = []
        self._bound: BoundTransform | None = None

    def run(self) -> list[Any]:
        """Run ``fn`` and commit what escapes.

        Returns:
            The raw Tensors of the output, examples in front.

        Raises:
            RuntimeError: If a value that is written differs between examples.
        """
        size = self._values[0].shape[self._axes[0]]
        try:
            # The number of outputs is known only after a run, so every one comes out in front.
            results, written, made = jax.vmap(self._example, out_axes=(0, None, 0))(np.arange(size))
            if self._bound is not None:
                results, written, made = self._run_recorded(size)
        except ValueError as error:
            self.scope.abandon()
            if "out_axes" not in str(error):
                raise
            named = self._escaped[: len(self.scope.written)]
            names = [getattr(s, "name", repr(type(s))) for s in named]
            raise EngineError(
                f"Inside vmap the values written to {names} differ between examples, so no single "
                "value can be kept; return them from the function instead."
            ) from None
        self.scope.commit(self._escaped, [*written, *made])
        return results

    def _example(self, number: Any) -> tuple[list[Any], list[Any], list[Any]]:
        """Run ``fn`` for one example; nothing is returned yet where ``_bound`` is set."""
        specs = [
            _spec_of_one(value, axis) for value, axis in zip(self._values, self._axes, strict=True)
        ]
        examples = Examples(number, self._in_front, specs)
        recorder = Recorder(current_trace(), examples.pending, list)
        examples_of = recorder.substitutes
        if self._records:
            self.scope.recorder = recorder
        else:
            recorder.replay()
            examples_of = [*map(materialize, examples_of)]
        try:
            # MindSpore compiles it, with the elements of what is mapped as inputs.
            with self.scope, compiling((), {}):
                results, values = self._call(examples_of)
                if self._records:
                    self._bound = self._bind(recorder, results, values)
                    if self._bound is not None:
                        return [], [], []
                recorder.replay()
                values = [*map(materialize, values)]
                results = [*map(materialize, results)]
        finally:
            recorder.close()
        count = len(self.scope.written)
        return results, values[:count], values[count:]

    def _call(self, examples: list[Any]) -> tuple[list[Any], list[Any]]:
        inside = list(self._raws)
        for place, raw in zip(self._places, examples, strict=False):
            inside[place] = raw
        for weight, raw in zip(self.weights, examples[len(self._places) :], strict=True):
            self.scope.substitute(weight, raw)
        self.output = wrap_arrays(self.fn(*refill(self.args, inside)))
        results = [t._peek() for t in tensors_in(self.output)]
        self._escaped, values = self.scope.escaped()
        return results, values

    def _bind(
        self, recorder: Recorder, results: list[Any], values: list[Any]
    ) -> BoundTransform | None:
        first = len(results)
        written = range(first, first + len(self.scope.written))
        fronts = tuple([None if i in written else 0 for i in range(first + len(values))])
        form = (self._axes, fronts, self._values[0].shape[self._axes[0]])
        return bind_transform(self.fn, recorder, [*results, *values], [], mapped, *form)

    def _run_recorded(self, size: int) -> tuple[list[Any], list[Any], list[Any]]:
        assert self._bound is not None
        found, _, _ = self._bound.transformed(self._values)
        count, outputs = len(self.scope.written), len(found) - len(self._escaped)
        for place, constant in enumerate(self._bound.constant):
            if constant and not outputs <= place < outputs + count:
                found[place] = jnp.broadcast_to(found[place], (size, *found[place].shape))
        return found[:outputs], found[outputs : outputs + count], found[outputs + count :]

    def _in_front(self) -> list[Any]:
        return [
            jnp.moveaxis(materialize(value), axis, 0)
            for value, axis in zip(self._values, self._axes, strict=True)
        ]


def _spec_of_one(value: Any, axis: int) -> tuple[tuple[int, ...], Any, bool]:
    shape = list(value.shape)
    del shape[axis]
    return tuple(shape), value.dtype, value.weak_type
