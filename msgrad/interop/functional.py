"""Functions, Cells and training steps of MindSpore as pure functions of JAX, and back.

``functionalize`` hands out the program that ``ms.jit`` makes of a call, its state in the open::

    step, state = msgrad.interop.functionalize(train_step, images, labels)
    step = jax.jit(step, donate_argnums=0)
    for images, labels in batches:
        loss, state = step(state, images, labels)
    msgrad.interop.restore(state)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad import log
from msgrad._compiled.function import where
from msgrad._compiled.program import CompiledProgram
from msgrad._compiled.record import NEEDS_VALUE, record_call
from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, unwrap, wrap
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.random import stream_names

__all__ = ["State", "functionalize", "restore"]


class State(Mapping[str, jax.Array]):
    """What a step reads and writes: arrays by MindSpore's names, a pytree.

    ``state[name] = array`` replaces one, ``state.with_arrays`` all, ``dict(state)`` is as good for
    the step itself; ``restore`` finds by a State where they belong.
    """

    __slots__ = ("_homes", "_values")

    # It does no more, since every step passes here: a step may take tens of microseconds.
    def __init__(self, homes: _Homes, values: Any) -> None:
        self._homes, self._values = homes, values

    def __getitem__(self, name: str) -> Any:
        return self._values[self._homes.names[name]]

    def __setitem__(self, name: str, value: Any) -> None:
        self._values = [*self._values]
        self._values[self._homes.names[name]] = value

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes.names)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"State({dict(self)})"

    def with_arrays(self, values: Mapping[str, Any]) -> State:
        """Return a state with the arrays of a dict of the same names, as from a checkpoint."""
        return State(self._homes, [jnp.asarray(values[name]) for name in self])


jax.tree_util.register_pytree_with_keys(
    State,
    lambda state: ([(jax.tree_util.DictKey(name), state[name]) for name in state], state._homes),
    State,
    attrgetter("_values", "_homes"),
)


class _Homes:
    """Where the arrays of a state belong: by name a Tensor, or a function that gives it."""

    def __init__(self, program: CompiledProgram) -> None:
        places = {i: (place, name) for i, place, name in program.slots["read"]}
        self._streams = stream_names()
        self.read: list[str] = []
        self.tensors: dict[str, Callable[[], Any]] = {}
        for index, tensor in enumerate(program.lifted):
            self.read.append(self._add(tensor, places.get(index)))
        known = {id(t): name for t, name in zip(program.lifted, self.read, strict=True)}
        slots = {
            (id(place), name): key
            for key, (place, name) in ((self.read[i], at) for i, at in places.items())
        }
        # By the number of what outlives a call: the name under which it is the new state.
        self.written: dict[int, str] = {}
        for number, tensor in enumerate(program.written):
            self.written[number] = known.get(id(tensor)) or self._add(tensor, None)
        for number, place, name in program.slots["write"]:
            found = slots.get((id(place), name))
            self.written[number] = found or self._add(place.get(name), (place, name))
        self.names = {name: number for number, name in enumerate(self.tensors)}

    def _add(self, tensor: Any, place: tuple[Any, str] | None) -> str:
        known = self._streams.get(id(tensor)) or getattr(tensor, "name", None)
        base = name = place[1] if place else known or "tensor"
        number = 2
        while name in self.tensors:
            name, number = f"{base} ({number})", number + 1
        self.tensors[name] = (lambda: place[0][place[1]]) if place else lambda: tensor
        return name

    def check(self, state: State) -> None:
        """Raise ``ValueError`` where a state does not fit."""
        for name, find in self.tensors.items():
            had, value = find()._read(), state[name]
            if (value.shape, value.dtype) != (had.shape, had.dtype):
                raise ArgumentValueError(
                    f"'{name}' must be an array {had.shape} of {had.dtype}, but got "
                    f"{(value.shape, value.dtype)}."
                )

    def now(self) -> State:
        """Return the state as it stands, in arrays of its own."""
        return State(self, [jnp.copy(self.tensors[name]()._read()) for name in self.names])


def functionalize(step: Callable[..., Any], *example: Any) -> tuple[Callable[..., Any], State]:
    """Return a call as a pure function of JAX, and the state that it starts from.

    Args:
        step: A function, Cell, training Cell, or what ``ms.jit`` or ``value_and_grad`` gave. It is
            traced once; nothing is computed and nothing changes.
        example: Arguments of a call. Tensors and arrays among them are arguments of the pure
            function, by shape and dtype (a ``jax.ShapeDtypeStruct`` is enough, also with symbolic
            sizes); other values are constants of it.

    Returns:
        ``(fn, state)``. ``fn(state, *args) -> (outputs, new_state)`` takes and gives plain arrays,
        in containers as ``step`` has them. ``jax.jit``, ``jax.grad``, ``jax.vmap``,
        ``jax.checkpoint``, ``lax.scan`` and ``shard_map`` go over it. ``state`` has all that the
        call reads or writes: Parameters, moments, steps, the loss scale, random state, Tensors
        kept on Cells; in arrays of its own, which may be donated. ``new_state`` has the same names.

    Raises:
        NotImplementedError: Where the call is not pure: it needs values in Python, sets attributes
            of Cells, keeps new Tensors elsewhere, or writes into its arguments. It says where.
        ValueError: By ``fn``, for a state of other names, arguments of other shapes or dtypes, or
            constants other than those of ``example``.

    JAX gives donated arrays to the results of their shape in turn, so a loss in front takes the
    place of a scalar of the state, and that one the next one's: 50 us of a step that takes 100.
    There, return the state first: ``jax.jit(lambda s, *args: fn(s, *args)[::-1], ...)``.

    What is a constant of an ``ms.jit`` program is one here, for good: Python numbers, attributes of
    Cells, hyperparameters that are no Parameters. That a list of learning rates is long enough is
    not checked.
    """
    leaves, structure = jax.tree.flatten(example, is_leaf=_is_leaf)
    # A Tensor of its own for each, so that one which is passed twice is two arguments.
    leaves = [wrap(_array(v)) if _is_array(v) else v for v in leaves]
    program = _recorded(step, structure.unflatten(leaves))
    homes = _Homes(program)
    places = [i for i, leaf in enumerate(leaves) if is_tensor(leaf)]
    constants = [(i, leaf) for i, leaf in enumerate(leaves) if not is_tensor(leaf)]
    shaped = [(leaves[i].shape, leaves[i]._read().dtype) for i in places]
    outputs = len([*tensors_in(program.output)])

    def fn(state: Any, *args: Any) -> tuple[Any, Any]:
        if set(state) != set(homes.tensors):
            odd = sorted(set(state) ^ set(homes.tensors))
            raise ArgumentValueError(
                f"The state must have the names that functionalize gave it; these differ: {odd}."
            )
        given = structure.flatten_up_to(args)
        for place, constant in constants:
            if given[place] is not constant and given[place] != constant:
                raise ArgumentValueError(
                    f"{constant!r} is a constant of this function, but got {given[place]!r}; call "
                    "functionalize again with that."
                )
        inputs = [jnp.asarray(unwrap(given[place])) for place in places]
        came = [(value.shape, value.dtype) for value in inputs]
        if came != shaped:
            raise ArgumentValueError(
                f"The function was made for arrays of shapes and dtypes {shaped}, but got {came}; "
                "call functionalize again with such arguments."
            )
        results = program.pure(*[state[name] for name in homes.read], *inputs)
        rest = iter(results[:outputs])
        found = map_tensors(lambda _: next(rest), program.output)
        new = {name: results[outputs + number] for number, name in homes.written.items()}
        new = {**state, **new}
        # A plain dict stays one: a carry of lax.scan must not change its kind.
        return found, state.with_arrays(new) if isinstance(state, State) else new

    return fn, homes.now()


def restore(state: State) -> None:
    """Put a state back into the Parameters and Cells that it came from.

    Args:
        state: From ``functionalize``, or what its function gave; also through ``jax.jit`` and
            other transforms. It keeps its arrays.

    Raises:
        TypeError: For a dict that has lost where it belongs.
        ValueError: If a name, shape or dtype is another than the object's; nothing has changed.
    """
    if not isinstance(state, State):
        raise ArgumentTypeError(
            "restore takes a State, as functionalize and its function return it, but got "
            f"{type(state).__name__}; state.with_arrays(other) takes over the arrays of a dict."
        )
    state._homes.check(state)
    for name, find in state._homes.tensors.items():
        find().assign_value(wrap(jnp.copy(state[name])))


def _recorded(step: Callable[..., Any], args: tuple[Any, ...]) -> CompiledProgram:
    if context.scope is not None:
        raise UnsupportedError("functionalize cannot be called inside a transform.")
    tensors = [*tensors_in(args)]
    try:
        program, _ = record_call(step, args, {}, tensors, tensors)
    except NEEDS_VALUE as error:
        raise UnsupportedError(f"This call is not pure: {where(error)}.") from error
    program.undo()
    if program.single_use:
        raise UnsupportedError(f"This call is not pure: {program.single_use}.")
    if int in map(type, program.written):
        raise UnsupportedError("This call is not pure: it writes into an argument; return it.")
    names = [name for _, name, _ in program.assigned] + [name for *_, name in program.slots["new"]]
    if names:
        raise UnsupportedError(
            f"This call is not pure: it sets {sorted(set(names))} of a Cell to something new; call "
            "it once before, or keep the value in a Parameter."
        )
    return program


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, (tuple, list, dict))


def _is_array(value: Any) -> bool:
    return is_tensor(value) or isinstance(value, (jax.Array, np.ndarray, jax.ShapeDtypeStruct))


def _array(value: Any) -> Any:
    return value if isinstance(value, jax.ShapeDtypeStruct) else jnp.asarray(unwrap(value))


def _specs_of(inputs: Any, symbols: Callable[[str], Any] | None) -> list[jax.ShapeDtypeStruct]:
    """Return shapes and dtypes of the inputs, with symbols for the sizes that stay open."""
    shapes = [tuple(tensor.shape) for tensor in inputs]
    firsts = {shape[:1] for shape in shapes}
    shared = all(-1 not in shape for shape in shapes) and len(firsts) == 1 and () not in firsts
    names = [
        [
            "b" if at == 0 and (shared or size == -1) else f"d{place}_{at}" if size == -1 else None
            for at, size in enumerate(shape)
        ]
        for place, shape in enumerate(shapes)
    ]
    return [
        jax.ShapeDtypeStruct(
            tuple(symbols(n) if n and symbols else s for n, s in zip(row, shape, strict=True)),
            getattr(tensor.dtype, "np_dtype", tensor.dtype),
        )
        for row, shape, tensor in zip(names, shapes, inputs, strict=True)
    ]


def with_any_batch(make: Callable[..., Any], inputs: Any) -> Any:
    """Call ``make`` with open sizes; with those of the inputs, where that fails and they have."""
    # Not with msgrad: few programs export.
    from jax.export import SymbolicScope, symbolic_shape

    scope = SymbolicScope()
    try:
        return make(_specs_of(inputs, lambda name: symbolic_shape(name, scope=scope)[0]))
    except Exception as error:
        if any(-1 in tensor.shape for tensor in inputs):
            raise
        found = make(_specs_of(inputs, None))
        said = str(error).splitlines()[0]
        log.warning("The exported network is for these sizes only, as it needs them: %s", said)
        return found
