"""A network as the bytes of a ``.mindir`` file, which MindSpore loads and serves.

The network is traced by JAX. What operators of msgrad have done in it are equations that carry
their number, and become the Primitive of that name where ``operators.py`` knows it; every other
equation becomes what ``primitives.py`` says. Parameters keep their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import Literal

from msgrad._core.engine import scanned
from msgrad._core.errors import UnsupportedError
from msgrad.interop.mindir.graph import Graph, Value
from msgrad.interop.mindir.operators import OPERATORS
from msgrad.interop.mindir.primitives import RULES
from msgrad.interop.mindir.shapes import constant, joined, part, reshaped, whole

_MARK = "msgrad_operator_"
# What a network of many layers, or a loop of many turns, may become.
_MOST_TURNS = 2048
# A larger batch, and two sizes for each place of an open one, the batch first: numbers that nothing
# else is likely to be, so far apart that ``x[:, :512]`` is all of it for one only.
_LARGER_BATCH = 113
_OPEN = (17, 113), (19, 521), (23, 523), (29, 541), (31, 547), (37, 557), (41, 563), (43, 569)


class Calls:
    """The operators that were called while a network was traced; takes a recorder's place."""

    def __init__(self) -> None:
        self.made: list[tuple[Any, tuple[Any, ...], Any]] = []

    def record(self, op: Any, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
        """Run an operator so that its equation can be told; None where nothing is to be done."""
        if not hasattr(op, "options_of"):
            return None
        number = len(self.made)
        self.made.append((op.name, op.options_of(options), jax.tree.structure(operands)))
        with jax.named_scope(f"{_MARK}{number}"):
            return op.compiled(options)(*operands)

    def abandon(self) -> None:
        """Take notice that the call has failed."""


def written(
    network: Callable[[Calls], Callable[..., Any]],
    inputs: Mapping[str, Any],
    parameters: Sequence[tuple[str, Any]],
    stem: str,
) -> dict[str, Iterable[bytes]]:
    """Return the files of a network by their names, each in parts.

    They serve batches of any size, and any sizes that are open, if two sizes lead to one graph.

    Args:
        network: Gives the network as a function of arrays, its operators noted.
        inputs: Its inputs by name; -1 in a shape is an open size.
        parameters: Names and arrays of what stays a Parameter in the file.
        stem: How the names begin.

    Raises:
        NotImplementedError: For what no Primitive of MindSpore stands for; if a size that is open
            is needed as a number.
    """
    shapes = [tuple(value.shape) for value in inputs.values()]
    is_open = any(-1 in shape for shape in shapes)
    first, other = (_specs(inputs.values(), more) for more in range(2))
    trace = _Trace(network, first)
    if first != other:
        rows = zip(first, other, strict=True)
        sizes = {n for a, b in rows for m, n in zip(a.shape, b.shape, strict=True) if m != n}
        try:
            larger = _Trace(network, other).graph(inputs, parameters, Graph(True, [*sizes]))
        except Exception:
            # A network for these sizes alone.
            larger = None
        if larger is not None:
            graph = trace.graph(inputs, parameters, Graph(True, like=larger))
            if graph.does_as(larger):
                return graph.files(shapes, stem)
    if is_open:
        raise UnsupportedError(
            "This network needs the sizes that are open, in Tensor(shape=[None, ...]), as numbers: "
            "export it for each size."
        )
    graph = trace.graph(inputs, parameters, Graph(False))
    return graph.files(shapes, stem)


def _specs(inputs: Iterable[Any], more: int) -> list[jax.ShapeDtypeStruct]:
    """Return shapes and dtypes with numbers for open sizes, or for a larger batch."""
    shapes = [tuple(value.shape) for value in inputs]
    batches = {shape[0] for shape in shapes if shape} if all(shapes) else set()
    grows = len(batches) == 1 and all(-1 not in shape for shape in shapes)
    found, places = [], 0
    for value, shape in zip(inputs, shapes, strict=True):
        sizes = list(shape)
        for at, size in enumerate(shape):
            if size == -1:
                # The first sizes are one, the batch; every other one is its own.
                places += at > 0
                sizes[at] = _OPEN[places % len(_OPEN) if at else 0][more]
        if grows and more:
            sizes[0] = _LARGER_BATCH if sizes[0] != _LARGER_BATCH else 131
        dtype = getattr(value.dtype, "np_dtype", value.dtype)
        found.append(jax.ShapeDtypeStruct(tuple(sizes), dtype))
    return found


class _Trace:
    """A network that was traced for inputs of known sizes."""

    def __init__(self, network: Callable[[Calls], Callable[..., Any]], specs: Any) -> None:
        self._calls, self._specs = Calls(), specs
        make = jax.make_jaxpr(network(self._calls), return_shape=True)
        self._traced, form = make(*specs)
        self._form = jax.tree.structure(form)

    def graph(
        self, names: Iterable[str], parameters: Sequence[tuple[str, Any]], graph: Graph
    ) -> Graph:
        """Return an empty graph with what it does as Primitives."""
        traced = self._traced
        rows = zip(names, self._specs, strict=True)
        inputs = [graph.input(name, spec.shape, spec.dtype) for name, spec in rows]
        if not graph.flexible:
            # MindSpore does not look at the sizes of what it is given: other ones must fail.
            inputs = [graph.node("Reshape", v, v.shape, like=v) if v.shape else v for v in inputs]
        read = {id(value) for value in traced.consts}
        known = {
            id(array): graph.parameter(name, np.asarray(array))
            for name, array in parameters
            if id(array) in read
        }
        constants = [known.get(id(value)) or constant(value) for value in traced.consts]
        lowering = _Lowering(graph, self._calls)
        results = lowering.run(traced.jaxpr, constants, inputs, marked=True)
        leaves = [whole(graph, value) for value in results]
        if not graph.flexible and inputs:
            # Also those that are not read.
            leaves[:1] = [graph.node("Depend", v, *inputs, like=v) for v in leaves[:1]]
        graph.finish(_nested(jax.tree.unflatten(self._form, leaves)))
        return graph


def _nested(output: Any) -> Any:
    if isinstance(output, Value):
        return output
    if isinstance(output, (tuple, list)) and output:
        return tuple(map(_nested, output))
    raise UnsupportedError(
        "A network in a MindIR file returns a Tensor, or a tuple or list of such, but this one "
        f"{type(output)}."
    )


class _Lowering:
    """The walk through the equations.

    Args:
        graph: Where calls of Primitives go.
        calls: The operators that were called.
    """

    def __init__(self, graph: Graph, calls: Calls) -> None:
        self._graph = graph
        self._calls = calls
        self._within = "construct"

    def run(
        self, jaxpr: Any, consts: Sequence[Value], inputs: Sequence[Value], *, marked: bool = False
    ) -> list[Value]:
        """Return the results of a jaxpr."""
        known: dict[Any, Value] = dict(
            zip((*jaxpr.constvars, *jaxpr.invars), (*consts, *inputs), strict=True)
        )

        def value_of(atom: Any) -> Value:
            if isinstance(atom, Literal):
                aval: Any = atom.aval
                return constant(atom.val, aval.dtype)
            return known[atom]

        for equation in jaxpr.eqns:
            operands = [value_of(atom) for atom in equation.invars]
            known.update(
                zip(equation.outvars, self._results(equation, operands, marked), strict=True)
            )
        return [value_of(atom) for atom in jaxpr.outvars]

    def _results(self, equation: Any, operands: list[Value], marked: bool) -> Sequence[Value]:
        found = _folded(equation, operands)
        if found is None and marked:
            found = self._operator(equation, operands)
        if found is not None:
            return found
        name, parameters = equation.primitive.name, equation.params
        if name in _CONTROL:
            return getattr(self, _CONTROL[name])(parameters, operands)
        for held in _HELD:
            if name not in RULES and held in parameters:
                return self._inside(parameters[held], operands)
        rule = RULES.get(name)
        if rule is None:
            raise UnsupportedError(
                f"A MindIR file has no Primitive for '{name}' of JAX, which the network needs "
                f"in '{self._within}'; nearest: file_format='STABLEHLO'."
            )
        likes = [v.aval for v in equation.outvars]
        made = rule(self._graph, likes[0], parameters, *operands)
        return made if isinstance(made, list) else [made]

    def _inside(self, jaxpr: Any, operands: Sequence[Value]) -> list[Value]:
        consts = [constant(value) for value in getattr(jaxpr, "consts", ())]
        return self.run(getattr(jaxpr, "jaxpr", jaxpr), consts, operands)

    def _operator(self, equation: Any, operands: list[Value]) -> Sequence[Value] | None:
        """Return what an operator gives that is one Primitive; None for another equation."""
        stack = str(equation.source_info.name_stack)
        if _MARK not in stack:
            return None
        name, options, form = self._calls.made[int(stack.rpartition(_MARK)[2].split("/")[0])]
        self._within = name
        rule = OPERATORS.get(name)
        if rule is None or form.num_leaves != len(operands):
            return None
        given = jax.tree.unflatten(form, [whole(self._graph, value) for value in operands])
        made = rule(self._graph, equation.outvars[0].aval, options, *given)
        return made if made is None or isinstance(made, list) else [made]

    def _scan(self, parameters: Any, operands: list[Value]) -> Sequence[Value]:
        """Write a loop out, turn by turn."""
        p, g = parameters, self._graph
        if p["length"] > _MOST_TURNS:
            raise UnsupportedError(f"A MindIR file has no loop of {p['length']} turns.")
        fixed, carried, rows = scanned(p, operands)
        turns = range(p["length"])
        stacked: list[list[Value]] = []
        for turn in reversed(turns) if p["reverse"] else turns:
            own = [reshaped(g, part(g, v, 0, turn, turn + 1), v.shape[1:]) for v in rows]
            made = self._inside(p["jaxpr"], [*fixed, *carried, *own])
            carried, found = made[: len(carried)], made[len(carried) :]
            stacked.append([reshaped(g, v, (1, *v.shape)) for v in found])
        if p["reverse"]:
            stacked.reverse()
        columns = [list(column) for column in zip(*stacked, strict=True)]
        return [*carried, *(joined(g, column, 0) for column in columns)]

    def _cond(self, parameters: Any, operands: list[Value]) -> Sequence[Value]:
        which = operands[0].constant
        if which is None:
            raise UnsupportedError("A network that branches on a Tensor is not written as MindIR.")
        branches = parameters["branches"]
        return self._inside(branches[min(max(int(which), 0), len(branches) - 1)], operands[1:])

    def _while(self, parameters: Any, operands: list[Value]) -> Sequence[Value]:
        """Write a loop out whose turns are known."""
        p = parameters
        cond, body = p["cond_nconsts"], p["cond_nconsts"] + p["body_nconsts"]
        carried = operands[body:]
        for _ in range(_MOST_TURNS):
            (goes_on,) = self._inside(p["cond_jaxpr"], [*operands[:cond], *carried])
            if goes_on.constant is None:
                break
            if not goes_on.constant:
                return carried
            carried = self._inside(p["body_jaxpr"], [*operands[cond:body], *carried])
        raise UnsupportedError("A network that loops on a Tensor is not written as MindIR.")


# Where an equation has another function.
_HELD = "jaxpr", "call_jaxpr", "fun_jaxpr"
_CONTROL = {"scan": "_scan", "cond": "_cond", "while": "_while"}


def _folded(equation: Any, operands: list[Value]) -> list[Value] | None:
    """Return the results of an equation of constants; None for another one.

    What is broadcast stays thin, as that may follow the sizes of the inputs.
    """
    if equation.primitive.name == "broadcast_in_dim":
        return None
    if equation.effects or any(held in equation.params for held in _HELD):
        return None
    arrays = [np.broadcast_to(v.constant, v.shape) for v in operands if v.constant is not None]
    if len(arrays) < len(operands):
        return None
    with jax.enable_x64(True):
        made = equation.primitive.bind(*arrays, **equation.params)
    return list(map(constant, made if equation.primitive.multiple_results else [made]))
