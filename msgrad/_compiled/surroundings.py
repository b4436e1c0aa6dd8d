"""``surroundings``: what a function reads of its globals and of the variables of enclosing ones."""

from __future__ import annotations

import dis
import functools
from collections.abc import Hashable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from msgrad._compiled.signature import Tokens
from msgrad._core.bridge import is_tensor
from msgrad._core.engine.flax import ModuleBridge
from msgrad._core.user_code import is_ours

_PLAIN = (int, bool, str, bytes, type(None))
# Longer containers and larger arrays count by identity only.
_MOST, _MOST_BYTES = 64, 1024
# LOAD_NAME stands in the body of a class.
_GLOBAL = ("LOAD_GLOBAL", "LOAD_NAME")
_tokens = Tokens(lambda token: None, most=1024)


def surroundings(function: Any) -> tuple[Hashable, ...]:
    """Return a key of what a function of the user's, and those it calls by name, read around them.

    Numbers, texts and NumPy arrays count by value, also in lists, tuples, dicts and as attributes
    that are read of objects; functions, Cells, Tensors and other objects by identity.

    Args:
        function: A function, method or Cell.
    """
    found: list[Hashable] = []
    waiting, seen = [function], set[int]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, ModuleBridge):
            waiting += _constructs(one)
            continue
        values = [one.__self__] if isinstance(one, MethodType) else []
        one = getattr(one, "__wrapped__", getattr(one, "__func__", one))
        if not isinstance(one, FunctionType) or id(one) in seen:
            continue
        if is_ours(one.__code__.co_filename):
            continue
        seen.add(id(one))
        names = names_in(one.__code__)
        for value in [*values, *_named_in(one)]:
            if not isinstance(value, (ModuleType, BuiltinFunctionType, type)):
                found.append(_form(value, names))
                waiting.append(value)
    return tuple(found)


def names_in(code: CodeType) -> set[str]:
    """Return the names of globals and attributes in a code and in the functions defined there."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*map(names_in, inner))


@functools.lru_cache(1024)
def _globals_in(code: CodeType) -> list[str]:
    """Return the names of globals alone: an attribute may have the name of a variable outside."""
    names = {one.argval for one in dis.get_instructions(code) if one.opname in _GLOBAL}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return sorted(names.union(*map(_globals_in, inner)))


def _constructs(cell: Any) -> list[Any]:
    """Return the ``construct`` of a Cell and of all Cells in it, each once."""
    found, waiting = dict[Any, None](), [cell]
    while waiting:
        one = waiting.pop()
        found[getattr(type(one), "construct", None)] = None
        waiting += getattr(one, "_cells", {}).values()
    return [*found]


def _named_in(function: FunctionType) -> Iterator[Any]:
    around = function.__globals__
    yield from (around[name] for name in _globals_in(function.__code__) if name in around)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            # It has no value yet.
            continue


def _form(value: Any, names: set[str] | None = None) -> Hashable:
    """Return a key of a value: with names, also of what it holds, attributes of those names."""
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if kind in (float, complex):
        # 0.0 and -0.0 are other programs.
        return kind, repr(value)
    if isinstance(value, np.ndarray) and value.nbytes <= _MOST_BYTES and value.dtype != object:
        return kind, value.shape, value.dtype, value.tobytes()
    if names is not None and kind in (list, tuple, dict) and len(value) <= _MOST:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return kind, tuple([(_form(key), _form(item)) for key, item in items])
    attributes = getattr(value, "__dict__", None)
    plain = is_tensor(value) or isinstance(value, (ModuleBridge, FunctionType))
    if names is None or plain or type(attributes) is not dict:
        return _tokens.of(value)
    read = [(name, _form(each)) for name, each in attributes.items() if name in names]
    return _tokens.of(value), tuple(read)
