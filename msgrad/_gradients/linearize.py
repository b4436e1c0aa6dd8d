"""One differentiated call: MindSpore's mutable program as a pure function for JAX's transforms.

``Program`` runs the program once inside a scope in which traced values stand in for the variables,
and settles what outlives it. ``linearize`` puts it under ``jax.vjp``, ``push_forward`` under
``jax.jvp``. All gradient functions are written on these; how their results are arranged is in
``structure.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import wrap, wrap_arrays
from msgrad._core.context import context
from msgrad._core.deferred.gradient_program import WholeCall, as_whole, replays
from msgrad._core.deferred.recording import Recorder, arrived, deferring
from msgrad._core.engine import current_trace, has_no_forward_rule
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.promotion import is_complex, is_inexact
from msgrad._core.scopes.cotangent import Replaced, pulling_back
from msgrad._core.scopes.integer_gradients import attach, carrier_dtype
from msgrad._core.scopes.scope import Scope
from msgrad._gradients.identity import hooked
from msgrad._gradients.lazy_vjp import Enter, vjp_on_demand
from msgrad.common.parameter import Parameter

Pullback = Callable[[Sequence[Any] | None], list[Any]]


class Program:
    """A call of ``fn`` as a pure function of the values of ``variables``.

    Args:
        fn: The program; it sees the same argument objects that it is given.
        args: Positional arguments.
        kwargs: Keyword arguments.
        variables: The distinct Tensors to differentiate with respect to.
        select: Takes what ``fn`` returned and gives the Tensors in it to differentiate; raises
            for an output that does not fit, in which case no Parameter has changed.
        record: Whether to record the operator calls, to run them as one program if possible.

    Attributes:
        moving: The variables that really are differentiated; frozen Parameters are not.
        output: What ``fn`` returned, once it has run.
        selected: The Tensors that ``select`` gave.
        raws: Their values inside of the scope, or what stands for them.
        whole: The recording, where all of it can run as one program; it then has given nothing.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any],
        kwargs: dict[str, Any],
        variables: Sequence[Any],
        select: Callable[[Any], Sequence[Any]],
        record: bool = False,
    ) -> None:
        for variable in variables:
            if is_complex(variable._peek().dtype):
                raise ArgumentTypeError(
                    "gradient not support for complex type currently; differentiate with respect "
                    "to the real and imaginary part instead."
                )
        self._call = (fn, args, kwargs, select)
        self.variables = variables
        self.moving = [v for v in variables if not _frozen(v)]
        self.output: Any = None
        self.selected: list[Any] = []
        self.raws: list[Any] = []
        self.moves: list[bool] = []
        self.whole: WholeCall | None = None
        self.records = record and all(map(_is_plain, self.moving))
        self._survivors: list[Any] = []
        self.scope = Scope()

    def primals(self) -> list[Any]:
        """Give the values to differentiate, one per moving variable."""
        if self.records:
            return [v._peek() for v in self.moving]
        values = [v._read() for v in self.moving]
        return [
            raw if is_inexact(raw.dtype) else jnp.zeros(raw.shape, carrier_dtype(raw.dtype))
            for raw in values
        ]

    def __call__(self, values: list[Any]) -> tuple[list[Any], list[Any]]:
        """Run the program on traced values.

        Returns:
            The raw selected outputs that carry a gradient, and the values to settle.
        """
        with self.scope:
            results, settled = self._run(values)
        return [arrived(r) for r in results], [arrived(s) for s in settled]

    def recorded(self, primals: list[Any], enter: Enter) -> tuple[list[Any], list[Any]]:
        """Run the program and record its operator calls; gives the same, or nothing yet.

        Args:
            primals: What ``primals`` gave.
            enter: Gives the traced values of raw arrays.
        """
        recorder = Recorder(current_trace(), primals, enter)
        self.scope.recorder = recorder
        try:
            with self.scope:
                results, settled = self._run(recorder.stand_ins)
                replays.note(self._call[0], replayed=not recorder.open)
                self.whole = as_whole(self._call[0], recorder, results, settled)
                if self.whole is not None:
                    return [], []
                recorder.replay()
        finally:
            recorder.close()
        return [arrived(r) for r in results], [arrived(s) for s in settled]

    def _run(self, values: list[Any]) -> tuple[list[Any], list[Any]]:
        fn, args, kwargs, select = self._call
        if not callable(fn):
            raise ArgumentTypeError(f"Only a function can be differentiated, but got {type(fn)}.")
        scope = self.scope
        for variable, value in zip(self.moving, values, strict=True):
            # Each gradient call of a variable puts its hooks on for itself.
            value = hooked(variable, value, every_level=False)
            if is_inexact(variable._peek().dtype):
                scope.stand_in(variable, value)
            else:
                attach(variable, value)
        self.output = wrap_arrays(fn(*args, **kwargs))
        self.selected = list(select(self.output))
        results = []
        self.raws = [t._peek() for t in self.selected]
        for tensor, raw in zip(self.selected, self.raws, strict=True):
            if not is_inexact(raw.dtype):
                carrier = scope.carriers.get(id(tensor))
                raw = None if carrier is None else carrier[1]
            self.moves.append(raw is not None)
            if raw is not None:
                results.append(raw)
        self._survivors, settled = scope.survivors()
        return results, settled

    def settle(self, values: list[Any]) -> None:
        """Settle what outlived the program, with the values that came down from the transform."""
        self.scope.settle(self._survivors, values)
        # A pullback that is kept for later must not keep alive what was called.
        self._survivors = []
        del self._call

    @contextmanager
    def abandoned_on_error(self) -> Iterator[None]:
        """Leave what the program wrote as it was, where running the recording fails."""
        try:
            yield
        except BaseException:
            self.scope.abandon()
            raise

    def cotangents(self, given: Sequence[Any] | None, results: list[Any]) -> list[Any]:
        """Return one raw cotangent per differentiated result; ``given`` has one per output."""
        if given is None:
            return [_ones(r) for r in results]
        chosen = [c for c, moves in zip(given, self.moves, strict=True) if moves]
        return [jnp.asarray(arrived(c), r.dtype) for c, r in zip(chosen, results, strict=True)]

    def finish(self, moving_gradients: Sequence[Any], replaced: Replaced | None) -> list[Any]:
        """Give one raw gradient per variable, in the dtype that MindSpore gives it.

        Args:
            moving_gradients: One per moving variable.
            replaced: What user code gave in another form during the pullback.
        """
        by_id = {}
        for variable, gradient in zip(self.moving, moving_gradients, strict=True):
            given = replaced.take(gradient) if replaced is not None else None
            dtype = variable._peek().dtype
            if given is None and not is_inexact(dtype):
                stays = id(variable) in self.scope.float_gradients
                gradient = gradient.astype(jnp.float32 if stays else dtype)
            by_id[id(variable)] = gradient if given is None else given
        return [
            by_id[id(v)] if id(v) in by_id else jnp.zeros(v._peek().shape, v._peek().dtype)
            for v in self.variables
        ]


def _frozen(variable: Any) -> bool:
    return isinstance(variable, Parameter) and not variable.requires_grad


def _is_plain(variable: Any) -> bool:
    """Tell whether a recorded value can stand in: neither a carrier nor a hook is needed."""
    return variable._hooks is None and is_inexact(variable._peek().dtype)


def _vjp(program: Program, primals: list[Any]) -> tuple[list[Any], Callable[..., Any], list[Any]]:
    if program.records:
        return vjp_on_demand(lambda enter: program.recorded(primals, enter), primals)
    return jax.vjp(program, primals, has_aux=True)


def linearize(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    variables: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
) -> tuple[Any, list[Any], Pullback]:
    """Run ``fn`` once and prepare the gradient of its outputs; see ``Program`` for the arguments.

    Returns:
        What ``fn`` returned; the selected Tensors; and a pullback that takes one cotangent per
        selected Tensor (None for ones everywhere) and gives one raw gradient per variable.
    """
    program = Program(fn, args, kwargs, variables, select, _recording(fn))
    primals = program.primals()
    results, vjp, settled = _vjp(program, primals)
    if program.whole is not None:
        with program.abandoned_on_error():
            results, vjp, settled = program.whole.run(primals)
    program.settle(settled)
    return program.output, program.selected, _pullback(program, results, vjp)


def differentiate(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    variables: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
    cotangents_of: Callable[[list[Any]], Sequence[Any] | None],
) -> tuple[Any, list[Any]]:
    """Run ``fn`` and pull back at once; see ``linearize``.

    Args:
        fn: The program, as the other arguments.
        args: See ``Program``.
        kwargs: See ``Program``.
        variables: See ``Program``.
        select: See ``Program``.
        cotangents_of: Takes the selected outputs (raw, or what has their shape and dtype) and
            gives one cotangent for each, or None for ones; may raise.

    Returns:
        What ``fn`` returned, and one raw gradient per variable.
    """
    program = Program(fn, args, kwargs, variables, select, _recording(fn))
    primals = program.primals()
    results, vjp, settled = _vjp(program, primals)
    whole = program.whole
    if whole is None:
        program.settle(settled)
        cotangents = cotangents_of([t._read() for t in program.selected])
        return program.output, _pullback(program, results, vjp)(cotangents)
    try:
        cotangents = cotangents_of(program.raws)
    except Exception:
        program.settle(whole.run(primals)[-1])
        raise
    with program.abandoned_on_error():
        settled, gradients = whole.run_with_gradient(primals, cotangents)
    program.settle(settled)
    return program.output, program.finish(gradients, None)


def _recording(fn: Any) -> bool:
    return deferring() and context.lift is None and not replays.are_usual(fn)


def _pullback(program: Program, results: list[Any], vjp: Callable[..., Any]) -> Pullback:
    def pullback(cotangents: Sequence[Any] | None) -> list[Any]:
        with pulling_back() as replaced:
            (gradients,) = vjp(program.cotangents(cotangents, results))
            finished = program.finish(gradients, replaced)
            replaced.check()
        return finished

    return pullback


def push_forward(
    fn: Callable[..., Any],
    args: Sequence[Any],
    variables: Sequence[Any],
    tangents: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
) -> tuple[Any, list[Any], list[Any]]:
    """Run ``fn`` once together with its derivative along ``tangents``.

    Args:
        fn: The program.
        args: Its positional arguments.
        variables: The distinct Tensors to differentiate with respect to.
        tangents: One raw array per variable, of its shape and dtype.
        select: As for ``Program``.

    Returns:
        What ``fn`` returned; the selected Tensors; and the raw tangent of each of them.
    """
    program = Program(fn, args, {}, variables, select)
    by_id = {id(v): t for v, t in zip(variables, tangents, strict=True)}
    moving = [by_id[id(v)] for v in program.moving]
    try:
        _, out_tangents, settled = jax.jvp(program, (program.primals(),), (moving,), has_aux=True)
    except TypeError as error:
        if not has_no_forward_rule(error):
            raise
        return _push_through_rules(fn, args, variables, tangents, select)
    program.settle(settled)
    rest = iter(out_tangents)
    return (
        program.output,
        program.selected,
        [
            next(rest) if moves else jnp.zeros_like(t._read())
            for t, moves in zip(program.selected, program.moves, strict=True)
        ],
    )


def _push_through_rules(
    fn: Callable[..., Any],
    args: Sequence[Any],
    variables: Sequence[Any],
    tangents: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
) -> tuple[Any, list[Any], list[Any]]:
    """Compute the same where ``fn`` holds a backward pass of the user's: pull back the pullback.

    As in MindSpore, a backward pass that is not linear is differentiated at a cotangent of ones.
    """
    output, selected, pullback = linearize(fn, args, {}, variables, select)
    seeds = [wrap(jnp.ones_like(t._read())) for t in selected]
    moving = [s for s in seeds if is_inexact(s._peek().dtype)]

    def pulled(*_: Any) -> list[Any]:
        return [wrap(raw) for raw in pullback([s._read() for s in seeds])]

    _, _, push = linearize(pulled, moving, {}, moving, list)
    by_id = dict(zip(map(id, moving), push(tangents), strict=True))
    return (
        output,
        selected,
        [by_id.get(id(s), jnp.zeros_like(s._read())) for s in seeds],
    )


def _ones(result: Any) -> Any:
    if result.dtype.itemsize == 8:
        return jnp.ones(result.shape, result.dtype)
    # A NumPy constant: no dispatch to the device for the usual scalar loss.
    return np.ones(result.shape, result.dtype)
