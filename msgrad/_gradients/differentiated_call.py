"""``DifferentiatedCall``: one call of MindSpore's mutable program as a pure function for JAX.

It runs the program once inside a scope in which traced values substitute the variables, and commits
what escapes. All gradient functions are written on its three transforms: ``linearize`` and
``gradients`` on ``jax.vjp``, ``push_forward`` on ``jax.jvp``; how their results are arranged is in
``structure.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import tensors_in, wrap, wrap_arrays
from msgrad._core.checks import of_type
from msgrad._core.context import context
from msgrad._core.deferred.recording import Recorder, deferring, materialize
from msgrad._core.engine import current_trace, has_no_forward_rule, is_tracer
from msgrad._core.op import constant
from msgrad._core.promotion import is_complex, is_inexact
from msgrad._core.scopes.cotangent import ReplacedCotangents, pulling_back
from msgrad._core.scopes.integer_gradients import attach, carrier_dtype, carrier_of, tangent_of
from msgrad._core.scopes.scope import Scope
from msgrad._gradients import transforms
from msgrad._gradients.gate import Gate, vjp_on_demand
from msgrad._gradients.identity import hooked
from msgrad._gradients.on_demand import Enter, jvp_on_demand
from msgrad._gradients.pieces import Around, PieceRecorder
from msgrad._gradients.recorded_program import bind
from msgrad._gradients.saved_tensors import put_on
from msgrad.common.parameter import Parameter

# Takes one cotangent per selected output (None for ones); returns one gradient per variable.
Pullback = Callable[[Sequence[Any] | None], list[Any]]


class DifferentiatedCall:
    """A call of ``fn`` as a pure function of the values of ``variables``.

    Args:
        fn: The program; it sees the same argument objects that it is given.
        args: Positional arguments.
        kwargs: Keyword arguments.
        variables: The distinct Tensors to differentiate with respect to.
        select: Takes what ``fn`` returned and returns the Tensors in it to differentiate; raises
            for an output that does not fit, in which case no Parameter has changed.

    Attributes:
        differentiated: The variables that really are; frozen Parameters only in compiled calls.
        output: What ``fn`` returned, once it has run.
        selected: The Tensors that ``select`` returned.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any],
        kwargs: dict[str, Any],
        variables: Sequence[Any],
        select: Callable[[Any], Sequence[Any]],
    ) -> None:
        self.fn, self.args, self.kwargs, self.select = fn, args, kwargs, select
        self.variables = variables
        self.differentiated = [
            v
            for v in variables
            if context.inputs is not None or not isinstance(v, Parameter) or v.requires_grad
        ]
        self.output: Any = None
        self.selected: list[Any] = []
        self.scope = Scope()
        # The values of ``selected`` inside of the scope, or what stands for them.
        self._raws: list[Any] = []
        self._has_gradient: list[bool] = []
        self._escaped: list[Any] = []
        # Integers of the output, gradients at and directions of integers, whose tangents a call
        # around needs.
        self._carried: list[Any] = []
        self._exact: dict[int, Any] = {}
        self._pushed: list[Any] = []
        # Where all operator calls were recorded and run as one program: that, not run yet.
        self._bound: Any = None
        # Where they were run in pieces: what jax.vjp would return.
        self._pulled: tuple[list[Any], Callable[..., Any], list[Any]] | None = None

    def linearize(self) -> Pullback:
        """Run ``fn`` once and prepare the gradient of its outputs."""
        results, vjp, values = self.vjp()
        self.commit(values)
        return self._pullback(results, vjp)

    def gradients(self, cotangents_of: Callable[[list[Any]], Sequence[Any] | None]) -> list[Any]:
        """Run ``fn`` and pull back at once.

        Args:
            cotangents_of: Takes the selected outputs (raw, or what has their shape and dtype) and
                returns one cotangent for each, or None for ones; may raise.

        Returns:
            One raw gradient per variable.
        """
        results, vjp, values = self.vjp(transforms.pulled)
        if self._bound is None:
            self.commit(values)
            cotangents = cotangents_of([t._read() for t in self.selected])
            return self._pullback(results, vjp)(cotangents)
        try:
            cotangents = _conjugated(cotangents_of(self._raws))
        except Exception:
            self.commit(self._run_bound(None)[0])
            raise
        if cotangents is not None:
            pairs = zip(cotangents, self._bound.constant, strict=True)
            cotangents = tuple([c for c, constant in pairs if not constant])
        values, gradients = self._run_bound(cotangents)
        self.commit(values)
        return self.finish(gradients, None)

    def push_forward(
        self, tangents: Sequence[Any], transform: Callable[..., Any] = transforms.pushed
    ) -> list[Any]:
        """Run ``fn`` once together with its derivative along ``tangents``.

        Args:
            tangents: One raw array per variable, of its shape and dtype.
            transform: What to do with a recording; if it is another one than this method's own,
                nothing has run yet where ``_bound`` is set.

        Returns:
            The raw tangent of each selected Tensor.
        """
        by_id = {id(v): t for v, t in zip(self.variables, tangents, strict=True)}
        chosen = [by_id[id(v)] for v in self.differentiated]
        try:
            pushed, values = self._jvp(chosen, transform)
            if self._bound is not None:
                if transform is not transforms.pushed:
                    return []
                values, pushed = self._run_bound(tuple(chosen))
        except TypeError as error:
            if not has_no_forward_rule(error):
                raise
            return self._push_through_rules([*map(materialize, tangents)])
        self.commit(values)
        rest = iter(as_outside(pushed))
        self._pushed = [next(rest) if moves else None for moves in self._has_gradient]
        return [*map(self._pushed_to, self.selected, self._pushed)]

    def carried_on(self, tangents: Any) -> Any:
        """Return what ``push_forward`` gave, as Tensors: integers with a gradient for the calls
        around.
        """
        for tensor, tangent in zip(tensors_in(tangents), self._pushed, strict=False):
            integer = not is_inexact(tensor._peek().dtype)
            if integer and tangent is not None and context.scope is not None:
                attach(tensor, tangent_of(tangent))
        return tangents

    def _pushed_to(self, result: Any, tangent: Any) -> Any:
        """Return a tangent in the dtype of its result, which for integers is not the carrier's."""
        if tangent is None:
            # It is a constant, perhaps of the program that was recorded.
            return jnp.zeros_like(result._read())
        dtype = result._peek().dtype
        return tangent if is_inexact(dtype) else tangent.astype(dtype)

    def _jvp(
        self, tangents: Sequence[Any], transform: Callable[..., Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return the tangents of the results and what escapes, or nothing yet where ``_bound`` is
        set, to be run by ``_run_bound``.
        """
        self.scope.forward = True
        if self.records():
            primals = [v._peek() for v in self.differentiated]

            def record(enter: Enter) -> tuple[list[Any], list[Any]]:
                return self._record(Recorder(current_trace(), primals, enter), transform)

            return jvp_on_demand(record, tangents)[1:]
        primals = self.primals()
        chosen = [materialize(t).astype(p.dtype) for t, p in zip(tangents, primals, strict=True)]
        return jax.jvp(self, (primals,), (chosen,), has_aux=True)[1:]

    def _run_bound(self, *operands: Any) -> tuple[list[Any], Any]:
        """Run what is bound; returns what escapes, and what the transform gives for each result."""
        bound: Any = self._bound
        try:
            return bound.run(bound.primals, *operands)[1:]
        except BaseException:
            # What the program wrote is as it was.
            self.scope.abandon()
            raise

    def records(self) -> bool:
        """Whether the operators of the program can be recorded."""
        around = context.scope
        return (
            deferring()
            and context.lift is None
            and (around is None or not around.carriers)
            # An integer needs a carrier.
            and all(is_inexact(v._peek().dtype) for v in self.differentiated)
        )

    def _push_through_rules(self, tangents: Sequence[Any]) -> list[Any]:
        """Compute the same where ``fn`` has a backward pass of the user's: pull back the pullback.

        As in MindSpore, one that is not linear is differentiated at a cotangent of ones.
        """
        again = DifferentiatedCall(self.fn, self.args, self.kwargs, self.variables, self.select)
        pullback = again.linearize()
        self.output, self.selected = again.output, again.selected
        ones = [wrap(jnp.ones_like(t._read())) for t in self.selected]
        inexact = [s for s in ones if is_inexact(s._peek().dtype)]

        def pulled(*_: Any) -> list[Any]:
            return [wrap(raw) for raw in pullback([s._read() for s in ones])]

        push = DifferentiatedCall(pulled, inexact, {}, inexact, list).linearize()
        by_id = dict(zip(map(id, inexact), push(tangents), strict=True))
        return [by_id.get(id(s), jnp.zeros_like(s._read())) for s in ones]

    def primals(self) -> list[Any]:
        """Return the values to differentiate, one per differentiated variable."""
        values = [(v._read(), carrier_of(v)) for v in self.differentiated]
        return [
            raw
            if is_inexact(raw.dtype)
            else jnp.zeros(raw.shape, carrier_dtype(raw.dtype))
            if around is None
            else around
            for raw, around in values
        ]

    def __call__(self, values: list[Any]) -> tuple[list[Any], list[Any]]:
        """Run the program on traced values.

        Returns:
            The raw selected outputs that have a gradient, and the values of what escapes.
        """
        with self.scope:
            results, escaping = self._run(values)
        return [*map(materialize, results)], [*map(materialize, escaping)]

    def vjp(
        self, transform: Callable[..., Any] | None = None
    ) -> tuple[list[Any], Callable[..., Any], list[Any]]:
        """Return what ``jax.vjp`` does, or nothing yet where ``_bound`` is set.

        Args:
            transform: What to do with a recording, to be run by ``_run_bound``; None where both
                passes are to be apart.
        """
        if not self.records():
            return jax.vjp(self, self.primals(), has_aux=True)
        primals, around = [v._peek() for v in self.differentiated], Around()

        def record(gate: Gate) -> tuple[list[Any], list[Any]]:
            return self._record(PieceRecorder(self.fn, primals, gate, around), transform)

        traced = vjp_on_demand(record, primals)
        pulled, self._pulled = self._pulled, None
        return pulled or traced

    def _record(
        self, recorder: Recorder, transform: Callable[..., Any] | None
    ) -> tuple[list[Any], list[Any]]:
        """Run the program and record its operator calls.

        Returns:
            The same as ``__call__``, or nothing where ``_bound`` or ``_pulled`` is set.
        """
        recorder.variables = self.differentiated
        self.scope.recorder = recorder
        try:
            with self.scope:
                results, escaping = self._run(recorder.substitutes)
                if transform is not None:
                    self._bound = bind(self.fn, recorder, results, escaping, transform)
                if self._bound is None:
                    self._pulled = recorder.finish(results, escaping)
                if self._bound is not None or self._pulled is not None:
                    return [], []
                return [*map(materialize, results)], [*map(materialize, escaping)]
        finally:
            recorder.close()

    def _run(self, values: list[Any]) -> tuple[list[Any], list[Any]]:
        of_type("grad", "fn", self.fn, Callable)
        scope = self.scope
        if context.saved_hooks is not None:
            put_on()
        for variable, value in zip(self.differentiated, values, strict=True):
            # Each gradient call of a variable puts its hooks on for itself.
            value = hooked(variable, value, every_level=False)
            if is_inexact(variable._peek().dtype):
                scope.substitute(variable, value)
            else:
                attach(variable, value)
        around, context.no_grad = context.no_grad, False
        try:
            self.output = wrap_arrays(self.fn(*self.args, **self.kwargs))
        finally:
            context.no_grad = around
        self.selected = list(self.select(self.output))
        self._raws = [t._peek() for t in self.selected]
        results = []
        for tensor, raw in zip(self.selected, self._raws, strict=True):
            if not is_inexact(raw.dtype):
                carrier = scope.carriers.get(id(tensor))
                raw = None if carrier is None else carrier[1]
            self._has_gradient.append(raw is not None)
            if raw is not None:
                results.append(raw)
        self._escaped, escaping = scope.escaped()
        if scope.parent is not None and scope.carriers:
            found = {id(t): t for t in tensors_in(self.output) if id(t) in scope.carriers}
            self._carried = [*found.values()]
            escaping = [*escaping, *(scope.carriers[key][1] for key in found)]
        return results, escaping

    def commit(self, values: list[Any]) -> None:
        """Commit what escaped the program, with the values that came down from the transform."""
        count = len(self._escaped)
        values = as_outside(values)
        self.scope.commit(self._escaped, values[:count])
        for tensor, carrier in zip(self._carried, values[count:], strict=True):
            attach(tensor, carrier)
        self._carried = []
        # A pullback that is kept for later must not keep alive what was called.
        self._escaped = []
        del self.fn, self.args, self.kwargs, self.select

    def _pullback(self, results: list[Any], vjp: Callable[..., Any]) -> Pullback:
        def pullback(cotangents: Sequence[Any] | None) -> list[Any]:
            with pulling_back() as replaced:
                (gradients,) = vjp(self.cotangents(cotangents, results))
                finished = self.finish(gradients, replaced)
                replaced.check()
            return finished

        return pullback

    def cotangents(self, given: Sequence[Any] | None, results: list[Any]) -> list[Any]:
        """Return one raw cotangent per differentiated result; ``given`` has one per output."""
        if given is None:
            return [_ones(r) for r in results]
        chosen = [c for c, has in zip(given, self._has_gradient, strict=True) if has]
        kept = [
            c if c.dtype == r.dtype else jnp.asarray(materialize(c), r.dtype)
            for c, r in zip(chosen, results, strict=True)
        ]
        return _conjugated(kept)

    def finish(self, gradients: Sequence[Any], replaced: ReplacedCotangents | None) -> list[Any]:
        """Return one raw gradient per variable, in the dtype that MindSpore gives it.

        Args:
            gradients: One per differentiated variable.
            replaced: What user code gave in another form during the pullback.
        """
        by_id = {}
        for variable, gradient in zip(self.differentiated, gradients, strict=True):
            given = replaced.take(gradient) if replaced is not None else None
            dtype = variable._peek().dtype
            if given is None and not is_inexact(dtype):
                stays = id(variable) in self.scope.float_gradients
                if not stays and is_tracer(gradient):
                    self._exact[id(variable)] = gradient
                gradient = gradient.astype(jnp.float32 if stays else dtype)
            if is_complex(dtype):
                gradient = jnp.conj(materialize(gradient))
            by_id[id(variable)] = gradient if given is None else given
        return [
            by_id[id(v)] if id(v) in by_id else jnp.zeros(v._peek().shape, v._peek().dtype)
            for v in self.variables
        ]

    def wrapped(self, gradients: Sequence[Any], targets: Sequence[Any]) -> list[Any]:
        """Return a Tensor for each target, of one raw gradient per variable."""
        by_id = dict(zip(map(id, self.variables), gradients, strict=True))
        tensors = [wrap(by_id[id(t)]) for t in targets]
        if context.scope is not None and self._exact:
            for target, tensor in zip(targets, tensors, strict=True):
                if id(target) in self._exact:
                    attach(tensor, tangent_of(self._exact[id(target)]))
        return tensors


def as_outside(raws: Iterable[Any]) -> list[Any]:
    """Return what a call gives: in a ``_no_grad`` block, for the calls around, constants."""
    if not context.no_grad or context.scope is None:
        return [*raws]
    return [None if raw is None else constant(raw) for raw in raws]


def _conjugated(cotangents: Any) -> Any:
    """Conjugate complex cotangents: MindSpore's gradients are the conjugates of JAX's."""
    if cotangents is None or not any(is_complex(c.dtype) for c in cotangents):
        return cotangents
    return [jnp.conj(materialize(c)) if is_complex(c.dtype) else c for c in cotangents]


def _ones(result: Any) -> Any:
    if result.dtype.itemsize >= 8:
        return jnp.ones(result.shape, result.dtype)
    # A NumPy constant: no dispatch to the device for the usual scalar loss.
    return np.ones(result.shape, result.dtype)
