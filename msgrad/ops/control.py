"""The flow of a program rather than numbers: stop_gradient, depend, partial, HyperMap, Print."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp

from msgrad._core import basics
from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, wrap
from msgrad._core.context import context
from msgrad._core.declared import Word, checked
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.registry import function, public
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops.primitive import Primitive, primitive

partial = public(functools.partial)
public(is_tensor)


@function(primitive="StopGradient(x: value, /)")
def stop_gradient(value: Any) -> Any:
    """Return the value with gradient zero.

    Args:
        value: Tensor, or nested tuple, list or dict with Tensors; anything else passes through.

    Returns:
        A new Tensor that shares the elements, in the same containers.
    """
    if inspect.isfunction(value):
        raise KernelError(
            f"the value must be a Tensor, but got the function {value.__name__}; call it first."
        )
    return map_tensors(basics.stop_gradient, value)


@public
def identity(x: Any) -> Any:
    """Return ``x`` itself."""
    return x


@function(primitive="Identity")
def _identity_of_tensor(x: Tensor) -> Tensor:
    """Return a copy of a Tensor, through which gradients flow."""
    # Not x.copy(): that of a Parameter is a new Parameter, a constant to gradients.
    return Tensor.copy(x)


@function(primitive="Depend")
def depend(value: Any, expr: Any) -> Any:
    """Return ``value``; ``expr`` has run already, since Python evaluates arguments first.

    In a compiled call a condition that is constant until then is known when the program runs.
    """
    if context.lift is not None and (expr is True or [*tensors_in(expr)]):
        return map_tensors(_later, value)
    return value


def _later(tensor: Tensor) -> Tensor:
    # What is written returns True; ``not`` of what depends on it is a Tensor, as in MindSpore.
    if tensor.size != 1 or tensor.dtype is not mstype.bool_ or is_tracer(concrete(tensor._read())):
        return tensor
    return wrap(jnp.copy(tensor._peek()))


@function(primitive="Print")
def print_(*input_x: Any) -> None:
    """Print each argument on a line of its own, Tensors by their ``repr``."""
    for item in input_x:
        print(_Repr(item.value()) if is_tensor(item) else item)


class _Repr(NamedTuple):
    """Text for ``print``, which may have it of a traced Tensor only later."""

    item: Any

    def __str__(self) -> str:
        return repr(self.item)


@public
def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Accept compiler flags for a function or Cell, which have no effect; gives it back."""
    return fn if fn is not None else lambda function: function


class HyperMap(Primitive):
    """Apply a function to the leaves of nested tuples and lists, all zipped together.

    Args:
        ops: The function, unless it is given in the call.
        reverse: Accepted for compatibility.

    The result has tuples where the inputs have tuples or lists; sequences are cut to the shortest.
    In a compiled call the result has the containers of the first input, which may be dicts.
    """

    _deep = True

    def __init__(self, ops: Callable[..., Any] | None = None, reverse: bool = False) -> None:
        super().__init__(type(self).__name__)
        self.ops = ops

    def __call__(self, *args: Any) -> Any:
        """Call as ``hyper_map(function, *trees)``, or ``hyper_map(*trees)`` with ``ops`` given."""
        function, trees = (args[0], args[1:]) if self.ops is None else (self.ops, args)
        if not callable(function):
            raise ArgumentTypeError(f"HyperMap and Map apply a function, but got {type(function)}.")
        return self._map(function, trees, True)

    def _map(self, function: Callable[..., Any], trees: tuple[Any, ...], top: bool) -> Any:
        first, compiled = trees[0], context.inputs is not None
        if top or self._deep:
            if isinstance(first, (tuple, list)):
                rows = zip(*trees, strict=False)
                results = [self._map(function, row, False) for row in rows]
                return results if compiled and isinstance(first, list) else tuple(results)
            if compiled and isinstance(first, dict):
                rows = {key: [tree[key] for tree in trees] for key in first}
                return {key: self._map(function, tuple(row), False) for key, row in rows.items()}
        return function(*trees)


class Map(HyperMap):
    """Apply a function to the elements of tuples and lists, one level deep; see ``HyperMap``.

    Args:
        ops: The function, or None to give it with each call.
        reverse: Accepted for compatibility.
    """

    _deep = False


_KINDS: dict[str, Callable[[Any], bool]] = {
    "Tensor": is_tensor,
    **dict.fromkeys(("Bool", "bool"), lambda v: isinstance(v, bool)),
    **dict.fromkeys(("Int", "int", "Int64", "int64"), lambda v: type(v) is int),
    # Float32 is one in MindSpore's compiled functions only.
    **dict.fromkeys(
        ("Float", "float", "Float32", "Float64", "float64"), lambda v: type(v) is float
    ),
    "Number": lambda v: isinstance(v, (int, float)),
    "Tuple": lambda v: isinstance(v, tuple),
    "List": lambda v: isinstance(v, list),
    "Dictionary": lambda v: isinstance(v, dict),
    "String": lambda v: isinstance(v, str),
    "None": lambda v: v is None,
    "TypeNone": lambda v: v is None,
    "Function": lambda v: callable(v) and not is_tensor(v),
    "Cell": lambda v: hasattr(v, "construct"),
}


class MultitypeFuncGraph(Primitive):
    """A function with one implementation for each combination of argument types.

    Args:
        name: Its name.
        read_value: Accepted for compatibility.
        doc_url: Accepted for compatibility.
    """

    @checked
    def __init__(self, name: Word, read_value: bool = False, doc_url: str = "") -> None:
        super().__init__(name)
        self.entries: list[tuple[tuple[Any, ...], Callable[..., Any]]] = []

    def register(self, *type_names: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return a decorator that registers a function for these types, such as ``"Tensor"``."""

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            self.entries.append((type_names, function))
            return function

        return decorate

    def set_doc_url(self, doc_url: str) -> None:
        """Accepted for compatibility."""

    def set_need_raise(self) -> None:
        """Accepted for compatibility: types without an implementation are an error in any case."""

    set_doc_url_ = set_doc_url
    set_need_raise_ = set_need_raise

    def __call__(self, *args: Any) -> Any:
        """Call the implementation registered for the types of ``args``; the only one for any.

        Raises:
            ValueError: If there are several, and none of them is for these types.
        """
        if len(self.entries) == 1:
            return self.entries[0][1](*args)
        for types, implementation in reversed(self.entries):
            if len(types) == len(args) and all(map(_is_of, args, types)):
                return implementation(*args)
        raise ArgumentValueError(
            "cannot find fn match given args. Got (sigs, fn): "
            f"{[types for types, _ in self.entries]}, and the types "
            f"{[type(a).__name__ for a in args]}."
        )


def _is_of(value: Any, kind: Any) -> bool:
    if isinstance(kind, mstype.TensorType):
        return is_tensor(value)
    return (is_kind := _KINDS.get(str(kind))) is not None and is_kind(value)


# Of the class itself, the signature is another one in each version of Python.
Partial = primitive("Partial", lambda *args: functools.partial(*args))
Partial.__doc__ = "Bind the first arguments of a function; ``functools.partial``."
