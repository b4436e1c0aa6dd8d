"""A ``.mindir`` file as a function of Tensors: its graphs, run by the Primitives of msgrad.

A node calls a Primitive of the file, another graph, or what an earlier node gave: branches are
graphs that ``Switch`` selects from, loops are graphs that call themselves last.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from msgrad._core.errors import KernelError, UnsupportedError
from msgrad._core.left_out import is_left_out
from msgrad._core.protobuf import DamagedFile
from msgrad.common.tensor import Tensor
from msgrad.interop.mindir.graph import (
    BOOL,
    DTYPES_OF_ARGUMENTS,
    KINDS,
    LIST,
    PRIMITIVE,
    TUPLE,
)
from msgrad.interop.mindir.messages import decode

_CALL = "REF::"
# Where Primitives are; the second has those that Python code seldom names.
_MODULES = "msgrad.ops.operations", "msgrad.ops.auto_generate"
# Words that are numbers in a file, by the name of the argument.
_WORDS: dict[str, dict[int, str]] = {
    "approximate": {0: "none", 1: "tanh"},
    "coordinate_transformation_mode": {0: "asymmetric", 1: "align_corners", 2: "half_pixel"},
    "data_format": {0: "NCHW", 1: "NHWC", 14: "NCDHW"},
    "indexing": {0: "ij", 1: "xy"},
    "interpolation_mode": {0: "bilinear", 1: "nearest"},
    "norm": {0: "backward", 1: "forward", 2: "ortho"},
    "pad_mode": {0: "pad", 1: "same", 2: "valid"},
    "padding_mode": {0: "zeros", 1: "border", 2: "reflection"},
    "reduce": {0: "none", 1: "add"},
    "reduction": {0: "sum", 1: "mean", 2: "none"},
    "rounding_mode": {1: "trunc", 2: "floor"},
}
_WORDS["TensorScatterElements.reduction"] = _WORDS["reduce"]
_MONADS = 23, 24
# What only says that one node comes after another: they run in the order of the file.
_ORDER = object()
# What follows from other attributes.
_DERIVED = {"pad_list", "argmax_type"}
_OF_WINDOWS = ("kernel_size", "stride", "strides", "dilation", "pads", "output_padding")
_OTHER_NAMES = {"data_format": "format", "group": "groups"}


@dataclass(frozen=True)
class _Closure:
    """A graph, and the first of its operands."""

    graph: str
    bound: tuple[Any, ...] = ()


@dataclass(frozen=True)
class _Last:
    """A call that a graph ends with."""

    called: _Closure
    operands: Sequence[Any]


class MindIR:
    """What ``load`` returns for a ``.mindir`` file, to be called with Tensors.

    Args:
        content: The bytes of the file.
        folder: Where it is: large Parameters are in files beside it.

    Attributes:
        parameters: Arrays of the graph's Parameters, by name.

    Raises:
        DamagedFile: If it is not such a file.
        OSError: If a file beside it is not there.
    """

    def __init__(self, content: bytes, folder: str = "") -> None:
        try:
            model = decode("model", content)
            self._main = model["graph"]
            graphs = [self._main, *model.get("functions", ())]
            self._graphs = {graph["name"]: graph for graph in graphs}
            self._primitives = {row["name"]: row for row in model.get("primitives", ())}
            rows = self._main.get("parameter", ())
            self._names = {row["name"]: _parameter_name(row) for row in rows}
            self.parameters = {_parameter_name(row): _array(row, folder) for row in rows}
            self._constants = {
                node["name"]: _argument(node["attribute"][0])
                for graph in graphs
                for node in graph.get("node", ())
                if node["op_type"] == "Constant"
            }
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise DamagedFile(f"it is no graph of MindSpore's: {error!r}") from error
        self._calls: dict[Any, Callable[..., Any]] = {}

    def __call__(self, *inputs: Any) -> Any:
        return self.run(inputs, {name: Tensor(array) for name, array in self.parameters.items()})

    def run(self, inputs: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
        """Return what the graph gives.

        Args:
            inputs: Tensors.
            parameters: Its Parameters, by name.

        Raises:
            RuntimeError: If there are more inputs than it has, or fewer; if the file is damaged.
            NotImplementedError: For a Primitive that msgrad does not have.
        """
        known = {node: parameters[name] for node, name in self._names.items()}
        return self._finished(_Last(_Closure(self._main["name"]), inputs), known)

    def _finished(self, result: Any, parameters: Mapping[str, Any]) -> Any:
        """Run what a graph calls last when it has ended itself, so that loops may be long."""
        while isinstance(result, _Last):
            called = result.called
            result = self._run(called.graph, (*called.bound, *result.operands), parameters)
        return result

    def _run(self, name: str, operands: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
        graph = self._graphs[name]
        inputs = graph.get("input", ())
        if len(inputs) != len(operands):
            raise KernelError(
                f"The graph takes {len(inputs)} inputs, but {len(operands)} were given."
            )
        known = {**parameters, **{row["name"]: v for row, v in zip(inputs, operands, strict=True)}}

        def value_of(name: str) -> Any:
            if name in known:
                return known[name]
            if name in self._constants:
                return self._constants[name]
            if name not in self._graphs:
                raise KernelError(f"The graph has no '{name}'.")
            return _Closure(name)

        output = graph["output"][0]["name"]
        for node in graph.get("node", ()):
            if node["op_type"] == "Constant":
                continue
            given = [value_of(name) for name in node.get("input", ())]
            what = node["op_type"].removeprefix(_CALL)
            if what in self._primitives:
                known[node["name"]] = self._call(what, given)
                continue
            last = _Last(value_of(what), given)
            if node["name"] == output:
                return last
            known[node["name"]] = self._finished(last, parameters)
        return value_of(output)

    def _call(self, primitive: str, given: list[Any]) -> Any:
        """Call a Primitive; those that are made with some of their arguments are kept."""
        row = self._primitives[primitive]
        name = row["op_type"]
        if name != "Partial":
            given = [value for value in given if value is not _ORDER]
        if name in _STRUCTURE:
            return _STRUCTURE[name](*given)
        kind, made_with, takes = _kind(name)
        # A Primitive without attributes is made with the last of its operands.
        made = 0 if row["prim_type"] == PRIMITIVE else len(made_with)
        operands, rest = given[: len(given) - made], given[len(given) - made :]
        key = (primitive, repr(rest))
        if key not in self._calls:
            options = dict(zip(made_with, _in_words(name, made_with, rest), strict=False))
            self._calls[key] = kind(**(options or _options(made_with, row)))
        return self._calls[key](*_in_words(name, takes, operands))


@functools.cache
def _kind(name: str) -> tuple[type, dict[str, str], dict[str, str]]:
    """Return a Primitive's class, what it is made with, and what it takes: names, annotations.

    Raises:
        NotImplementedError: If msgrad does not have it.
    """
    places = map(import_module, _MODULES)
    kind = next((found for place in places if (found := getattr(place, name, None))), None)
    if kind is None or is_left_out(kind):
        raise UnsupportedError(f"msgrad has no Primitive '{name}', which this graph calls.")
    made_with, (_, *takes) = (
        [(each.name, str(each.annotation)) for each in inspect.signature(call).parameters.values()]
        for call in (kind, kind.__call__)
    )
    return kind, dict(made_with), dict(takes)


def _options(names: Mapping[str, str], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that a Primitive is made with, from its attributes."""
    found = {item["name"]: _argument(item) for item in row.get("attribute", ())}
    options = {}
    for name in names.keys() - _DERIVED:
        value = found.get(name, found.get(_OTHER_NAMES.get(name, name)))
        if value is None:
            continue
        if name in _OF_WINDOWS and isinstance(value, tuple) and len(value) in (4, 5):
            value = value[2:]
        if name == "output_size" and isinstance(value, tuple):
            # That of the input.
            value = tuple(None if size == -1 else size for size in value)
        options[name] = str(value).lower() if name == "pad_mode" else value
    return options


def _in_words(kind: str, names: Mapping[str, str], values: Sequence[Any]) -> list[Any]:
    """Return arguments with words and dtypes for their numbers."""
    found = []
    for (name, annotation), value in zip(names.items(), values, strict=False):
        words = _WORDS.get(f"{kind}.{name}", _WORDS.get(name))
        if type(value) is int and words is not None:
            value = words[value]
        elif type(value) is int and ("DType" in annotation or name == "output_type"):
            value = DTYPES_OF_ARGUMENTS[value]
        elif type(value) is tuple and len(value) == 1 and annotation == "int":
            (value,) = value
        found.append(value)
    return found


_STRUCTURE: dict[str, Callable[..., Any]] = {
    "AddScalar": lambda x, y, alpha=1: x + alpha * y,
    "BitwiseAndScalar": operator.and_,
    "BitwiseOrScalar": operator.or_,
    "BitwiseXorScalar": operator.xor,
    "Depend": lambda value, *_: value,
    "FloorDivScalar": operator.floordiv,
    "GreaterEqualScalar": operator.ge,
    # In place: who has the Tensor too sees it.
    **dict.fromkeys(("InplaceAddExt", "InplaceAddsExt"), lambda x, y, a: x.add_(y, alpha=a)),
    **dict.fromkeys(("InplaceSubExt", "InplaceSubScalar"), lambda x, y, a: x.sub_(y, alpha=a)),
    **dict.fromkeys(("InplaceMul", "InplaceMuls"), lambda x, y: x.mul_(y)),
    **dict.fromkeys(("InplaceDiv", "InplaceDivs"), lambda x, y: x.div_(y)),
    "LessScalar": operator.lt,
    "ListGetItem": lambda values, at: values[at],
    "Load": lambda value, *_: value,
    **dict.fromkeys(("MakeList", "make_list"), lambda *values: [*values]),
    **dict.fromkeys(("MakeTuple", "make_tuple"), lambda *values: values),
    "Partial": lambda called, *bound: _Closure(called.graph, (*called.bound, *bound)),
    "RemainderScalarTensor": operator.mod,
    "RemainderTensorScalar": operator.mod,
    "RemainderTensorTensor": operator.mod,
    "SubScalar": lambda x, y, alpha=1: x - alpha * y,
    "Switch": lambda which, yes, no: yes if which else no,
    "SwitchLayer": lambda which, cases: cases[int(which)],
    "TupleGetItem": lambda values, at: values[at],
    "TensorMove": lambda value: value.copy(),
    "UpdateState": lambda *_: _ORDER,
}


def _parameter_name(row: Mapping[str, Any]) -> str:
    return row.get("ref_key") or row["name"].rpartition(":")[2]


def _array(row: Mapping[str, Any], folder: str = "") -> np.ndarray:
    shape, dtype = tuple(row.get("dims", ())), KINDS[row["data_type"]].np_dtype
    beside = row.get("external_data")
    if beside is None:
        return np.frombuffer(row.get("raw_data", b""), dtype).reshape(shape).copy()
    path = os.path.join(folder, beside["location"])
    return np.fromfile(path, dtype, math.prod(shape), offset=beside["offset"]).reshape(shape)


def _argument(row: Mapping[str, Any]) -> Any:
    """Return the Python value of an argument or attribute."""
    kind = row["type"]
    if kind in _MONADS:
        return _ORDER
    if kind in (TUPLE, LIST):
        return (tuple if kind == TUPLE else list)(map(_argument, row.get("values", ())))
    if "tensors" in row:
        (content,) = row["tensors"]
        if "raw_data" not in content and all(content.get("dims", ())):
            return KINDS[content["data_type"]]
        return Tensor(_array(content))
    for one, many in (("i", "ints"), ("f", "floats"), ("d", "doubles"), ("s", "strings")):
        if one in row or many in row:
            value = row[one] if one in row else row[many][0]
            return bool(value) if kind == BOOL else value.decode() if one == "s" else value
    return None
