"""``execute``: running a recorded program on the state as it stands, and taking over what it gives.

Every step of a compiled training loop passes through here: nothing is done for each Parameter
that can be done once.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import jax

from msgrad._compiled.number import Number, to_python
from msgrad._compiled.program import Program, distinct
from msgrad._compiled.state_layout import Layout
from msgrad._core.bridge import map_tensors, wrap
from msgrad._core.context import context
from msgrad._core.engine import needs_arguments_later
from msgrad._core.ownership import evict, is_my_turn, lock, read_together, wait_for_turn


def execute(program: Program, tensors: list[Any], new: list[Any] | None = None) -> Any:
    """Run a program.

    Args:
        program: It.
        tensors: The Tensors among the arguments.
        new: In the call that recorded it, what ``record`` gave.

    Returns:
        What the function returns. If the program fails, no state has changed; unless memory gives
        out while it runs, since XLA has been given the state by then.
    """
    inputs = distinct(tensors)
    return execute_on(program, inputs, [t._read() for t in inputs], new)


def execute_on(
    program: Program, inputs: Sequence[Any], raws: list[Any], new: list[Any] | None = None
) -> Any:
    """As ``execute``, of Tensors that are distinct, with their arrays."""
    for check, times in program.checks:
        check(times)
    layout = program.layout
    if layout is None:
        layout = _prepare(program, inputs, raws, new)
    if context.scope is not None:
        results = _run_tensor_by_tensor(program, layout, inputs, raws, new)
    elif layout.pure and not new:
        if layout.moves:
            layout.follow(program, inputs, new is not None)
        layout.refresh()
        results = program.call_inside([], read_together(layout.read), raws)
    elif program.waits and not layout.slow:
        # Without the lock: a callback may wait for a thread that reads.
        results = _run_and_keep(program, layout, inputs, raws, new)
    else:
        wait_for_turn()
        with lock:
            is_my_turn()
            if layout.slow:
                results = _run_tensor_by_tensor(program, layout, inputs, raws, new)
            elif needs_arguments_later():
                results = _run_and_keep(program, layout, inputs, raws, new)
            else:
                if layout.moves:
                    layout.follow(program, inputs, new is not None)
                results = layout.step(program, raws, new)
    if layout.single:
        return wrap(results[-1])
    return _output(program, layout, inputs, results)


def _prepare(
    program: Program, inputs: Sequence[Any], raws: list[Any], new: list[Any] | None
) -> Layout:
    """Find where the state stands; compile while it stands there, since readers wait otherwise."""
    with lock:
        layout = Layout(program)
        layout.follow(program, inputs, new is not None)
        arrays = None if layout.slow else [*map(read_together, (layout.places, layout.read))]
    if not (arrays is None or layout.pure or program.waits or context.scope is not None):
        program.call.lower(*arrays, raws).compile()
    program.layout = layout
    # Tensors may outlive the program that has their arrays.
    weakref.finalize(program, layout.put_back).atexit = False
    return layout


def _call(
    program: Program, given: list[Any], read: list[Any], raws: list[Any], new: list[Any] | None
) -> list[Any]:
    """Run a program without donating its state."""
    try:
        results = program.call_inside(given, read, raws)
        return jax.block_until_ready(results) if program.waits else results
    except BaseException:
        if new is not None:
            program.undo()
        raise


def _run_and_keep(
    program: Program,
    layout: Layout,
    inputs: Sequence[Any],
    raws: list[Any],
    new: list[Any] | None,
) -> list[Any]:
    """Run a program that may not have the state for good."""
    with lock:
        if layout.moves:
            layout.follow(program, inputs, new is not None)
        layout.refresh()
        given, read = map(read_together, (layout.places, layout.read))
    results = _call(program, given, read, raws, new)
    with lock:
        evict(layout.targets)
        layout.results.append(results)
        layout.finish(program, new)
    return results


def _run_tensor_by_tensor(
    program: Program,
    layout: Layout,
    inputs: Sequence[Any],
    raws: list[Any],
    new: list[Any] | None,
) -> list[Any]:
    """Run a program on what its state reads as here: in a gradient call, or through views."""
    if layout.moves:
        layout.follow(program, inputs, new is not None)
    given, read = (
        [program.lifted[i]._read() for i in of] for of in (program.donated, program.kept)
    )
    results = _call(program, given, read, raws, new)
    for tensor, raw in zip(layout.tensors(program, inputs), results, strict=False):
        tensor._version += 1
        tensor._store(raw)
    for place, name, value in layout.more(program, results, new):
        place[name] = value
    return results


def _output(program: Program, layout: Layout, inputs: Sequence[Any], results: list[Any]) -> Any:
    rest = iter(results[len(results) - layout.outputs :])
    if program.returned is None:
        return map_tensors(lambda _: wrap(next(rest)), program.output)
    same = iter(program.returned)

    def tensor_of(raw: Any, returned: Any) -> Any:
        if returned is None:
            return wrap(raw)
        if isinstance(returned, type):
            return to_python(raw, returned)
        found = inputs[returned] if isinstance(returned, int) else returned
        return found.given if type(found) is Number else found

    return map_tensors(lambda _: tensor_of(next(rest), next(same)), program.output)
