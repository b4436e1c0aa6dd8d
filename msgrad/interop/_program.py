"""``Program``: the call of a Cell as a module of Flax, made of what ``jax.export`` gives.

What stands in here reaches a process without msgrad by cloudpickle: classes made in a function go
with their code, so nothing in them may name msgrad.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from flax import nnx

from msgrad._core.bridge import is_tensor
from msgrad._core.missing import library
from msgrad.common.parameter import Parameter
from msgrad.interop.functional import functionalize, with_any_batch


def _classes() -> tuple[type[Any], type[Any]]:
    class Exported:
        """What ``jax.export`` serialized, with the names of the state it takes."""

        def __init__(self, content: bytes, names: tuple[str, ...]) -> None:
            from jax.export import deserialize

            self.content, self.names = content, names
            self.call = deserialize(bytearray(content)).call

        def __reduce__(self) -> Any:
            return type(self), (self.content, self.names)

    class Program(nnx.Module):
        """The call of a Cell; takes and gives arrays.

        Attributes:
            weights: By the Cell's names: nnx.Param, nnx.BatchStat, random states.
            deterministic: Whether to run as after ``set_train(False)``.
        """

        def __init__(self, weights: dict[str, Any], by_mode: Any, deterministic: bool) -> None:
            self.weights = nnx.Dict(weights)
            self.by_mode = by_mode
            self.deterministic = deterministic

        def __call__(self, *args: Any) -> Any:
            program = self.by_mode[self.deterministic]
            state = {name: self.weights[name][...] for name in program.names}
            given = [a for a in jax.tree.leaves(args) if isinstance(a, (jax.Array, np.ndarray))]
            output, written = program.call(state, given)
            for name, value in written.items():
                self.weights[name].set_value(value)
            return output

    return Exported, Program


_Exported, Program = _classes()


def program_of(cell: Any, example: tuple[Any, ...], shared: dict[int, Any]) -> Any:
    """Return the ``Program`` of a Cell, which stays as it is.

    Args:
        cell: The Cell.
        example: Arguments of a call.
        shared: Variables that other Programs of the network have, by the ids of their Tensors.
    """
    library("flatbuffers", "export", "This format")
    modes = {each: each.training for _, each in cell.cells_and_names()}
    found: dict[str, Any] = {}
    try:
        as_it_is = _exported(cell, example, found)
        cell.set_train(not modes[cell])
        other = _exported(cell, example, found)
    finally:
        for each, training in modes.items():
            vars(each)["training"] = training
    for param in cell.get_parameters():
        found.setdefault(param.name, param)
    weights = {name: shared.setdefault(id(t), _variable(t)) for name, t in found.items()}
    by_mode = (as_it_is, other) if modes[cell] else (other, as_it_is)
    return Program(weights, by_mode, not modes[cell])


def _exported(cell: Any, example: tuple[Any, ...], found: dict[str, Any]) -> Any:
    """Export a call; note the Tensors of its state by name."""
    from jax.export import export

    leaves, structure = jax.tree.flatten(example, is_leaf=is_tensor)
    places = [i for i, leaf in enumerate(leaves) if hasattr(leaf, "shape")]

    def make(specs: list[Any]) -> tuple[Any, Any]:
        def filled(raws: Any) -> Any:
            given = dict(zip(places, raws, strict=True))
            return structure.unflatten([given.get(i, leaf) for i, leaf in enumerate(leaves)])

        fn, state = functionalize(cell, *filled(specs))
        changes = set(state._homes.written.values())

        def call(state: Any, raws: Any) -> Any:
            output, new = fn(state, *filled(raws))
            return output, {name: new[name] for name in changes}

        # Not the arrays themselves: where they are would be a part of what is exported.
        forms = {name: jax.ShapeDtypeStruct(a.shape, a.dtype) for name, a in state.items()}
        return export(jax.jit(call))(forms, specs), state

    made, state = with_any_batch(make, [leaves[i] for i in places])
    found |= {name: state._homes.tensors[name]() for name in state}
    return _Exported(bytes(made.serialize(vjp_order=1)), tuple(state))


def _variable(tensor: Any) -> Any:
    kind = nnx.Variable
    if isinstance(tensor, Parameter):
        kind = nnx.Param if tensor.requires_grad else nnx.BatchStat
    return kind(tensor._read())
