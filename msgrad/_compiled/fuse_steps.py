"""``fuse_steps``: many training steps in one compiled call, a ``jax.lax.scan`` over what ``jit``
records of one step. How a step is recorded, and what is state of it, stands in ``record.py``.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from msgrad._compiled.function import MAX_PROGRAMS, JitStats, where
from msgrad._compiled.jit import compiled
from msgrad._compiled.program import CompiledProgram
from msgrad._compiled.record import NEEDS_VALUE, distinct, record
from msgrad._compiled.signature import signature_of
from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, unwrap, wrap, wrap_arrays
from msgrad._core.compiles import counted
from msgrad._core.context import context
from msgrad._core.declared import check
from msgrad._core.engine import to_device
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.scopes.lifted import StaleProgram, uses
from msgrad.common.mutable import mapped


def fuse_steps(step: Callable[..., Any], n: int, unroll: int | None = None) -> Callable[..., Any]:
    """Make one compiled call of ``n`` steps of training.

    Args:
        step: Function or Cell that makes one step: a ``TrainOneStepCell``, or a function that takes
            gradients and calls the optimizer. It is traced once, as by ``jit``.
        n: How many steps a call makes.
        unroll: How many steps stand in one turn of the compiled loop; more compile longer. None for
            1; but on the CPU steps with convolutions then run as compiled steps in turn, since
            XLA runs a convolution in a loop 4 to 25 times slower there.

    Returns:
        A function of the arguments of ``step``, in which each Tensor, NumPy or JAX array, also
        within tuples and dicts, has a leading axis of ``n``, one entry for each step. Instead it
        takes one list of ``n`` batches, each a tuple (or list) of the inputs of one step. What is
        no array is the same in all steps, and what ``step`` closes over is not divided. It gives
        the outputs with a leading axis of ``n``, and has ``stats``, a ``JitStats``. Weights,
        optimizer state, counters, loss scale, statistics, the random state and Tensors kept on
        Cells go from step to step as in ``n`` calls of ``jit(step)``.

    Raises:
        TypeError: If ``step`` cannot be called or ``n`` is not an int.
        ValueError: If ``n`` or ``unroll`` is less than 1, or an input has another leading axis.

    A step that needs a value in Python (``float(loss)``) runs as a plain loop of ``n`` steps, and
    one whose state changes its shape as a loop of compiled steps, with one warning that says why.
    A step that writes into its input writes into a copy.

        train = msgrad.fuse_steps(nn.TrainOneStepCell(loss_net, optimizer), 100)
        losses = train(images, labels)  # (100, batch, ...) and (100, batch) give (100,)
    """
    if not callable(step):
        raise ArgumentTypeError(f"fuse_steps: 'step' must be callable, but got {type(step)}.")
    for name, value in (("n", n), ("unroll", 1 if unroll is None else unroll)):
        check("fuse_steps", name, "int", value)
        if value < 1:
            raise ArgumentValueError(f"fuse_steps: '{name}' must be at least 1, but got {value}.")
    fused = _FusedSteps(step, n, unroll)

    # A function and not the object, so that it may be an attribute of a Cell or a method.
    @functools.wraps(step, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        return fused(args, kwargs)

    call.stats = fused.stats  # pyright: ignore[reportAttributeAccessIssue]
    return call


_MAX_UNSTEADY = 4


class _FusedSteps:
    """The programs of one fused step, by signature."""

    def __init__(self, step: Callable[..., Any], n: int, unroll: int | None) -> None:
        self.step, self.n, self.unroll = step, n, unroll
        self.single = compiled(step)
        self.stats = JitStats()
        # Each with whether it is the loop, not one step of it.
        self._programs: dict[Any, list[tuple[CompiledProgram, bool]]] = {}
        # Signatures that run as a loop over this function.
        self._loops: dict[Any, Callable[..., Any]] = {}
        # How often a first step has left other Python values than it found.
        self._unsteady: dict[Any, int] = {}

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) == 1 and not kwargs and isinstance(args[0], list):
            args = self._stack_batches(args[0])
        stacked = mapped(_as_tensor, (args, kwargs))
        for place, tensor in enumerate(tensors_in(stacked)):
            self._check_leading_axis(place, tensor.shape)
        if context.lift is not None:
            return self._loop(self.step, stacked)
        one = _form_of_one(stacked)
        key = signature_of(*one)
        if key in self._loops:
            return self._loop(self._loops[key], stacked)
        known = self._programs.setdefault(key, [])
        for entry in known:
            if entry[0].guards.hold():
                try:
                    result = self._run(*entry, stacked)
                except StaleProgram:
                    known.remove(entry)
                    break
                self.stats.hits += 1
                return result
        with counted(self.stats.add):
            return self._first_call(key, stacked)

    def _first_call(self, key: Any, stacked: Any) -> Any:
        """Record one step, compile ``n`` of them and make them; or loop, where that cannot be."""
        first = _slice(stacked, 0)
        args, kwargs = first
        try:
            program, escaped = record(self.step, args, kwargs, list(tensors_in(first)))
        except NEEDS_VALUE as error:
            return self._give_up(key, self.step, stacked, where(error))
        if any(isinstance(each, type) for each in program.returned or ()):
            program.undo()
            return self._give_up(key, self.step, stacked, "it returns numbers of Tensors")
        self.stats.compiles += 1
        # A Parameter that is returned is not the same in all steps.
        program.returned = None
        if program.single_use:
            results = [self._execute(program, first, escaped)]
            return self._give_up(key, self.step, stacked, program.single_use, results)
        try:
            run = _scan(program, self.n, self.unroll or 1)
        except _Unsteady as error:
            results = [self._execute(program, first, escaped)]
            return self._give_up(key, self.single, stacked, str(error), results)
        # The next step finds another value, which Python may look at.
        changed = [name for _, _, name in program.slots["new"]]
        changed += [name for _, name, _ in program.assigned]
        if changed:
            results = [self._execute(program, first, escaped)]
            self._unsteady[key] = self._unsteady.get(key, 0) + 1
            if self._unsteady[key] < _MAX_UNSTEADY:
                return self._loop(self.single, stacked, results)
            reason = f"'{changed[0]}' of a Cell changes from step to step; keep it in a Tensor"
            return self._give_up(key, self.single, stacked, reason, results)
        in_turn = self.unroll is None and jax.default_backend() == "cpu"
        fused = not (in_turn and uses(program.recorded.jaxpr, "conv_general_dilated"))
        if fused:
            program.runs_as(run)
            program.checks = [(check, times * self.n) for check, times in program.checks]
        known = self._programs[key]
        known.append((program, fused))
        if len(known) > MAX_PROGRAMS:
            known.pop(0)
        return self._run(program, fused, stacked, escaped)

    def _run(
        self, program: CompiledProgram, fused: bool, stacked: Any, escaped: list[Any] | None = None
    ) -> Any:
        if fused:
            return self._execute(program, stacked, escaped)
        results = []
        for index in range(self.n):
            results.append(self._execute(program, _slice(stacked, index), escaped))
            escaped = None
        return _stack_trees(results, list)

    def _execute(self, program: CompiledProgram, inputs: Any, escaped: list[Any] | None) -> Any:
        tensors = distinct(list(tensors_in(inputs)))
        try:
            return program.run(tensors, [t._read() for t in tensors], escaped)
        except BaseException:
            program.undo()
            raise

    def _give_up(
        self,
        key: Any,
        one_step: Callable[..., Any],
        stacked: Any,
        reason: str,
        results: list[Any] | None = None,
    ) -> Any:
        self._loops[key] = one_step
        self.stats.note(reason)
        warnings.warn(
            f"fuse_steps: {getattr(self.step, '__qualname__', type(self.step).__name__)} runs as a "
            f"loop of {self.n} steps for this kind of arguments: {reason}",
            stacklevel=5,
        )
        return self._loop(one_step, stacked, results)

    def _loop(
        self, one_step: Callable[..., Any], stacked: Any, results: list[Any] | None = None
    ) -> Any:
        """Make the steps, after those that are made, one by one."""
        results = [] if results is None else results
        for index in range(len(results), self.n):
            args, kwargs = _slice(stacked, index)
            result = wrap_arrays(one_step(*args, **kwargs))
            results.append(map_tensors(lambda t: wrap(t._read()), result))
        return _stack_trees(results, list)

    def _stack_batches(self, batches: list[Any]) -> tuple[Any, ...]:
        if len(batches) != self.n:
            raise ArgumentValueError(
                f"fuse_steps: a list must hold one batch for each of the {self.n} steps, but got "
                f"{len(batches)} batches."
            )
        rows = [tuple(b) if isinstance(b, (tuple, list)) else (b,) for b in batches]
        return _stack_trees(rows, _refuse)

    def _check_leading_axis(self, place: int, shape: tuple[int, ...]) -> None:
        if not shape or shape[0] != self.n:
            raise ArgumentValueError(
                f"fuse_steps: each input needs a leading axis of {self.n}, an entry for each step, "
                f"but array {place} has the shape {shape}; stack the batches, or give them as one "
                "list of tuples."
            )


class _Unsteady(Exception):
    """What a step leaves cannot be what the next one finds."""


def _scan(program: CompiledProgram, n: int, unroll: int) -> Callable[..., Any]:
    """Return the loop over a recorded step, with the arguments and results of ``program.call``.

    Outputs come stacked; what is written or kept is that of the last step.
    """
    # A write into an input is one into its slice, which nobody has.
    program.written = [wrap(None) if isinstance(t, int) else t for t in program.written]
    outputs = len(list(tensors_in(program.output)))
    follows = _followers(program, outputs)
    escaped = program.result_avals[outputs:]
    passing = [i for i in range(len(escaped)) if i not in follows.values()]
    order = [*program.donated, *program.kept]

    def run(donated: list[Any], kept: list[Any], inputs: list[Any]) -> list[Any]:
        state = dict(zip(order, [*donated, *kept], strict=True))

        def one_step(carry: tuple[list[Any], list[Any]], now: list[Any]) -> Any:
            values = state | dict(zip(follows, carry[0], strict=True))
            results = program.pure(*[values[i] for i in range(len(values))], *now)
            after = results[outputs:]
            # The cast drops JAX's weak types, which a loop does not carry.
            carried = [lax.convert_element_type(after[i], after[i].dtype) for i in follows.values()]
            last = [lax.convert_element_type(after[i], after[i].dtype) for i in passing]
            return (carried, last), results[:outputs]

        start = [state[i] for i in follows]
        empty = [jnp.zeros(escaped[i].shape, escaped[i].dtype) for i in passing]
        (carried, last), stacked = lax.scan(one_step, (start, empty), inputs, n, unroll=unroll)
        after = dict(zip([*follows.values(), *passing], [*carried, *last], strict=True))
        return [*(after[i] for i in range(len(escaped))), *stacked]

    return run


def _followers(program: CompiledProgram, outputs: int) -> dict[int, int]:
    """Return, for each state that a step changes, which escaped Tensor the next step finds there.

    Raises:
        _Unsteady: If it is not one, or of another shape or dtype.
    """
    places = {id(t): i for i, t in enumerate(program.lifted)}
    follows = {places[id(t)]: i for i, t in enumerate(program.written) if id(t) in places}
    assigned = {(id(place), name): i for i, place, name in program.slots["write"]}
    found: dict[int, set[int | None]] = {}
    for state, place, name in program.slots["read"]:
        after = assigned.get((id(place), name), follows.get(state))
        found.setdefault(state, {follows[state]} if state in follows else set()).add(after)
    for state, after in found.items():
        if len(after) > 1:
            names = [name for i, _, name in program.slots["read"] if i == state]
            raise _Unsteady(f"the step makes several Tensors of one, that of {', '.join(names)}")
        (follower,) = after
        if follower is not None:
            follows[state] = follower
    for state, after in follows.items():
        was, now = program.lifted[state], program.result_avals[outputs + after]
        if (was.shape, was._now().dtype) != (now.shape, now.dtype):
            raise _Unsteady(
                f"the step makes {getattr(was, 'name', 'a Tensor kept on a Cell')} of shape "
                f"{was.shape} and dtype {was._now().dtype} one of {now.shape} and {now.dtype}"
            )
    return follows


def _is_array(value: Any) -> bool:
    return is_tensor(value) or isinstance(value, (jax.Array, np.ndarray))


def _as_tensor(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return wrap(to_device(value))
    return wrap(value) if isinstance(value, jax.Array) else value


def _each_once(fn: Callable[[Any], Any], tree: Any) -> Any:
    """Map Tensors; one that stands in two places gives one that does."""
    # Tensors are hashed by identity.
    return map_tensors(functools.cache(fn), tree)


def _form_of_one(stacked: Any) -> Any:
    """Return the arguments of one step, as Tensors that have a shape and a dtype only."""

    def form(tensor: Any) -> Any:
        raw = tensor._read()
        return wrap(jax.ShapeDtypeStruct(raw.shape[1:], raw.dtype))

    return _each_once(form, stacked)


def _slice(stacked: Any, index: int) -> Any:
    """Return the arguments of one step."""
    return _each_once(lambda t: wrap(lax.dynamic_index_in_dim(t._read(), index, 0, False)), stacked)


_stack = jax.jit(lambda raws: jnp.stack(raws))


def _stack_trees(trees: list[Any], otherwise: Callable[[list[Any]], Any]) -> Any:
    """Make one tree of several: arrays stacked, what is the same in all of them once.

    Args:
        trees: Of one structure.
        otherwise: Gives what stands where they differ.
    """
    first = trees[0]
    if all(_is_array(tree) or isinstance(tree, np.generic) for tree in trees):
        raws = [unwrap(tree) for tree in trees]
        if len({(raw.shape, raw.dtype) for raw in raws}) > 1:
            return otherwise(trees)
        of_numpy = all(isinstance(raw, (np.ndarray, np.generic)) for raw in raws)
        return np.stack(raws) if of_numpy else wrap(_stack(raws))
    if any(type(tree) is not type(first) for tree in trees):
        return otherwise(trees)
    if isinstance(first, (tuple, list)):
        if len({len(tree) for tree in trees}) > 1:
            return otherwise(trees)
        items = [_stack_trees(list(column), otherwise) for column in zip(*trees, strict=True)]
        return type(first)(*items) if hasattr(first, "_fields") else type(first)(items)
    if isinstance(first, dict):
        if any(tree.keys() != first.keys() for tree in trees):
            return otherwise(trees)
        return {key: _stack_trees([tree[key] for tree in trees], otherwise) for key in first}
    return first if all(bool(tree == first) for tree in trees) else otherwise(trees)


def _refuse(values: list[Any]) -> Any:
    shown = [f"{v.shape} {v.dtype}" if _is_array(v) else repr(v) for v in values]
    different = list(dict.fromkeys(shown))
    raise ArgumentValueError(
        "fuse_steps: the batches must have the same structure, shapes and dtypes, and the same "
        f"values where they hold no arrays, but got {', '.join(different[:4])}."
    )
