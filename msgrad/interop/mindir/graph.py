"""A graph of MindSpore's Primitives under construction, and as the bytes of a ``.mindir`` file."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from msgrad._core.errors import UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.interop.mindir.messages import encode

# Of protobuf's ``AttributeType``.
FLOAT, INT64, STRING, BOOL, TENSORS, TUPLE, LIST, NONE = 1, 7, 8, 9, 19, 20, 21, 25
PRIMITIVE, _PRIMITIVE_FUNCTION = 1, 2

# dtype: its number in tensors, and as an argument of a Primitive.
_NUMBERS = {
    mstype.float32: (1, 43),
    mstype.uint8: (2, 37),
    mstype.int8: (3, 32),
    mstype.uint16: (4, 38),
    mstype.int16: (5, 33),
    mstype.int32: (6, 34),
    mstype.int64: (7, 35),
    mstype.bool_: (9, 30),
    mstype.float16: (10, 42),
    mstype.float64: (11, 44),
    mstype.uint32: (12, 39),
    mstype.uint64: (13, 40),
    mstype.complex64: (14, 51),
    mstype.complex128: (15, 52),
    mstype.bfloat16: (16, 45),
}
_IN_TENSORS = {kind.np_dtype: number for kind, (number, _) in _NUMBERS.items()}
_AS_ARGUMENT = {kind.np_dtype: number for kind, (_, number) in _NUMBERS.items()}
KINDS = {number: kind for kind, (number, _) in _NUMBERS.items()}
DTYPES_OF_ARGUMENTS = {number: kind for kind, (_, number) in _NUMBERS.items()}
# Float64 has two numbers.
KINDS[17] = KINDS[11]

_GRAPH = "construct"
# What MindSpore puts into one file, and where in the other Parameters begin.
MOST_BYTES = 2**30
_BLOCK = 64


@dataclass(frozen=True, eq=False)
class Value:
    """A result in the graph.

    Attributes:
        name: The name of its node, input or parameter; None for a constant that has no node yet.
        shape: The shape that it stands for.
        dtype: Its dtype.
        constant: Its elements, where they are known.
        thin: The shape that it has, where it is yet to be broadcast; element-wise Primitives do it.
    """

    name: str | None
    shape: tuple[int, ...]
    dtype: np.dtype
    constant: np.ndarray | None = None
    thin: tuple[int, ...] | None = None


def tensor(shape: Sequence[int], dtype: Any, **more: Any) -> dict[str, Any]:
    """Return the message of a Tensor without its elements."""
    return {"dims": list(shape), "data_type": _IN_TENSORS[np.dtype(dtype)], **more}


def of_array(array: np.ndarray, **more: Any) -> dict[str, Any]:
    """Return the message of a Tensor with its elements."""
    return tensor(array.shape, array.dtype, **more, raw_data=array.tobytes())


def attribute(value: Any) -> dict[str, Any]:
    """Return the message of an argument or attribute of a Primitive.

    Raises:
        NotImplementedError: For a type that none has.
    """
    if value is None:
        return {"type": NONE}
    if isinstance(value, bool):
        return {"i": value, "type": BOOL}
    if isinstance(value, np.dtype):
        return {"i": _AS_ARGUMENT[value], "type": INT64}
    if isinstance(value, (int, np.integer)):
        return {"i": int(value), "type": INT64}
    if isinstance(value, float):
        return {"f": value, "type": FLOAT}
    if isinstance(value, str):
        return {"s": value.encode(), "type": STRING}
    if isinstance(value, np.ndarray):
        return {"tensors": [of_array(value, name="value0")], "type": TENSORS}
    if isinstance(value, (tuple, list)):
        kind = TUPLE if isinstance(value, tuple) else LIST
        return {"type": kind, "values": [_item(item) for item in value]}
    raise UnsupportedError(f"MindIR has no argument of type {type(value)}.")


def _item(value: Any) -> dict[str, Any]:
    """Return the message of a value in a tuple: numbers stand in lists of one."""
    found = attribute(value)
    for one, many in (("i", "ints"), ("f", "floats"), ("s", "strings")):
        if one in found:
            found = {many: [found[one]], "type": found["type"]}
    return found


def _form(shapes: Any) -> dict[str, Any]:
    """Return the message of shapes and dtypes: of what has them, or a tuple of such."""
    if isinstance(shapes, (tuple, list)):
        return {"type": TUPLE, "values": [_form(item) for item in shapes]}
    return {"tensors": [tensor(shapes.shape, shapes.dtype)], "type": TENSORS}


class Graph:
    """Nodes in the order in which they were made.

    Args:
        flexible: Whether to leave out what follows from the sizes of the inputs, so that the graph
            may serve others.
        open_sizes: Those of the inputs that may be others; numbers that nothing else divides.
        like: The graph of ``open_sizes``, for one of other sizes.
    """

    def __init__(
        self, flexible: bool, open_sizes: Sequence[int] = (), like: Graph | None = None
    ) -> None:
        self.flexible = flexible
        self._open_sizes = open_sizes
        self._like = like
        self._following: list[int | None] = []
        self._nodes: list[dict[str, Any]] = []
        self._inputs: list[dict[str, Any]] = []
        self._parameters: list[dict[str, Any]] = []
        self._arrays: list[np.ndarray] = []
        self._primitives: dict[Hashable, str] = {}
        self._prim_messages: list[dict[str, Any]] = []
        self._constants: dict[Hashable, str] = {}

    def following(self, shape: Sequence[int]) -> int | None:
        """Return the first dimension of a shape that follows from open sizes, if there is one."""
        if not self.flexible or 0 in shape:
            return None
        before = len(self._following)
        if self._like is None:
            rows = enumerate(shape)
            found = next((i for i, n in rows if any(n % m == 0 for m in self._open_sizes)), None)
        else:
            told = self._like._following
            found = told[before] if before < len(told) else None
        self._following.append(found)
        return found

    def input(self, name: str, shape: tuple[int, ...], dtype: Any) -> Value:
        """Add an input."""
        name = f"{_GRAPH}:{name}"
        self._inputs.append({"name": name, "tensor": [tensor(shape, dtype)]})
        return Value(name, shape, np.dtype(dtype))

    def parameter(self, name: str, array: np.ndarray) -> Value:
        """Add a Parameter with its elements."""
        full = f"{_GRAPH}:{name}"
        self._parameters.append(tensor(array.shape, array.dtype, name=full, ref_key=name))
        self._arrays.append(np.ascontiguousarray(array))
        return Value(full, array.shape, array.dtype)

    def argument(self, value: Any) -> str:
        """Return the name of a result, or of a constant."""
        if isinstance(value, Value):
            if value.name is not None:
                return value.name
            value = value.constant
        if isinstance(value, np.ndarray):
            key: Hashable = value.shape, value.dtype, value.tobytes()
        else:
            key = type(value), repr(value)
        name = self._constants.get(key)
        if name is None:
            name = self._constants[key] = f"constant_{len(self._constants)}"
            row = {"name": "value", **attribute(value)}
            self._nodes.append(
                {"output": [name], "name": name, "op_type": "Constant", "attribute": [row]}
            )
        return name

    def node(self, primitive: str, *arguments: Any, like: Any, **attributes: Any) -> Any:
        """Add a call of a Primitive.

        Args:
            primitive: The name of its class.
            *arguments: Results, or constants.
            like: What has shape and dtype of the result; a tuple for a tuple of results.
            **attributes: Of the Primitive.

        Returns:
            The result, or a list of the results.
        """
        given = [self.argument(value) for value in arguments]
        if not isinstance(like, (tuple, list)):
            return self._called(primitive, given, like, attributes)
        several = self._called(primitive, given, like, attributes)
        return [self.node("TupleGetItem", several, at, like=v) for at, v in enumerate(like)]

    def make_tuple(self, values: Sequence[Any]) -> Value:
        """Add a tuple of results and return it; items may be tuples."""
        items = [
            self.argument(self.make_tuple(v) if isinstance(v, (tuple, list)) else v) for v in values
        ]
        return self._called("MakeTuple", items, values, {})

    def _called(
        self, primitive: str, given: list[str], like: Any, attributes: dict[str, Any]
    ) -> Value:
        """Add the node of a call; its result may be a tuple, which has no shape and dtype."""
        name = f"{_GRAPH}:{primitive}_{len(self._nodes)}"
        self._nodes.append(
            {
                "input": given,
                "output": [name],
                "name": name,
                "op_type": f"REF::{self._primitive(primitive, attributes)}",
                "attribute": [{"name": "shape", **_form(like)}],
                "domain": f"Default/{name}",
            }
        )
        if isinstance(like, (tuple, list)):
            return Value(name, (), np.dtype(object))
        return Value(name, tuple(like.shape), np.dtype(like.dtype))

    def _primitive(self, name: str, attributes: dict[str, Any]) -> str:
        key = (name, repr(attributes))
        found = self._primitives.get(key)
        if found is None:
            found = self._primitives[key] = f"{name}:{len(self._primitives)}"
            self._prim_messages.append(
                {
                    "name": found,
                    "op_type": name,
                    "attribute": [{"name": k, **attribute(v)} for k, v in attributes.items()],
                    "instance_name": "",
                    "prim_type": PRIMITIVE if attributes else _PRIMITIVE_FUNCTION,
                }
            )
        return found

    def finish(self, output: Any) -> None:
        """Say what the graph gives: a result, or a tuple of results and such tuples."""
        if isinstance(output, Value):
            last = {"name": self.argument(output), "tensor": [tensor(output.shape, output.dtype)]}
        else:
            last = {"name": self.argument(self.make_tuple(output)), "attr_info": _form(output)}
        needed, nodes = {last["name"]}, []
        for node in reversed(self._nodes):
            if node["name"] in needed:
                needed.update(node.get("input", ()))
                nodes.append(node)
        self._nodes, self._output = nodes[::-1], last

    def does_as(self, other: Graph) -> bool:
        """Whether another graph does the same, to inputs of its sizes."""
        return (self._primitives, *self._steps()) == (other._primitives, *other._steps())

    def _steps(self) -> list[Any]:
        """Return the nodes without the shapes of their results."""
        return [
            node if node["op_type"] == "Constant" else [node["op_type"], node["input"]]
            for node in self._nodes
        ]

    def files(self, shapes: Sequence[Sequence[int]], stem: str) -> dict[str, Iterable[bytes]]:
        """Return the file by its name, in parts; where it is large, two.

        Args:
            shapes: Those of the inputs, -1 where a size is open.
            stem: How the name begins.
        """
        if sum(array.nbytes for array in self._arrays) <= MOST_BYTES:
            for row, array in zip(self._parameters, self._arrays, strict=True):
                row["raw_data"] = array.tobytes()
            return {f"{stem}.mindir": [self._model(shapes)]}
        folder, name = f"{stem}_variables", "data_0"
        # The first block says in which order bytes are; each Parameter begins with a new one.
        parts, offset = [b"\x01".ljust(_BLOCK, b"\0")], _BLOCK
        for row, array in zip(self._parameters, self._arrays, strict=True):
            place = f"{os.path.basename(folder)}/{name}"
            row["external_data"] = {"location": place, "offset": offset, "length": array.nbytes}
            parts += [array.data, bytes(-array.nbytes % _BLOCK)]
            offset += array.nbytes + -array.nbytes % _BLOCK
        return {f"{folder}/{name}": parts, f"{stem}_graph.mindir": [self._model(shapes)]}

    def _model(self, shapes: Sequence[Sequence[int]]) -> bytes:
        for row, shape in zip(self._inputs, shapes, strict=True):
            row["tensor"][0]["dims"] = list(shape)
        graph = {
            "node": self._nodes,
            "name": _GRAPH,
            "parameter": self._parameters,
            "input": self._inputs,
            "output": [self._output],
        }
        model = {
            "ir_version": "1.1",
            "producer_name": "MindSpore",
            "model_version": "2.10.0",
            "graph": graph,
            "little_endian": True,
            "primitives": self._prim_messages,
            "mind_ir_version": 3,
        }
        return encode("model", model)
