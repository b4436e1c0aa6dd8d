"""What a loop on Tensors carries from turn to turn: the forms of values, and how they are joined.

Tensors and Python's numbers are leaves; tuples, and a list or dict that is the value of a name, are
carried part by part.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._compiled.branches import same_structure
from msgrad._compiled.number import Number
from msgrad._core.bridge import has_tensors, is_tensor, wrap
from msgrad._core.engine import to_device
from msgrad._core.scopes.discovery import Uncompilable
from msgrad.common.parameter import Parameter

UNBOUND: Any = object()


class Unlike(Exception):
    """Names have other forms after a block than before."""


class Form:
    """The shape, dtype and kind of a leaf."""

    def __init__(self, tensor: Any) -> None:
        raw = None if type(tensor) is Form else strong(tensor)
        self.aval = tensor.aval if raw is None else (raw.shape, raw.dtype)
        self.kind = tensor.kind if type(tensor) in (Number, Form) else None


def joint(value: Any, other: Any) -> Any:
    """Return a value in a form in which it can stand for both; itself where the forms are the same.

    Raises:
        Unlike: If there is none.
    """
    if value is other or (other is UNBOUND and value is UNBOUND):
        return value
    if _are_alike(value, other):
        found = [*map(joint, parts_of(value), parts_of(other))]
        return value if are_same(found, [*parts_of(value)]) else _like(value, found)
    if type(value) in (bool, int, float) and kind_of(other) is type(value) and value != other:
        return Number.of(value)
    if type(value) is bool and is_leaf(other) and kind_of(other) is None:
        return wrap(to_device(np.asarray(value)))
    if is_leaf(value) and type(other) is (kind_of(value) or bool):
        return value
    if is_leaf(value) and is_leaf(other) and {kind_of(value), kind_of(other)} == {bool, None}:
        return other if kind_of(other) is None else value
    if value is UNBOUND or other is UNBOUND or not _same_forms(value, other):
        raise Unlike
    return value


def _same_forms(value: Any, other: Any) -> bool:
    if is_leaf(value) or is_leaf(other):
        alike = is_leaf(value) and is_leaf(other) and kind_of(value) is kind_of(other)
        return alike and not isinstance(value, Parameter)
    return not leaves_in([value]) and not leaves_in([other]) and same_structure(value, other)


def _are_alike(value: Any, other: Any) -> bool:
    """Whether both are containers that a loop can carry, of one form."""
    if type(value) is not type(other) or not (type(value) is tuple or is_carried(value)):
        return False
    return [*value] == [*other] if type(value) is dict else len(value) == len(other)


def is_carried(value: Any) -> bool:
    """Whether a value is a list or dict of what a loop can carry, and of no further ones."""
    return type(value) in (list, dict) and all(
        is_leaf(part) or type(part) in (int, float, bool, tuple) for part in parts_of(value)
    )


def parts_of(value: Any) -> Any:
    if type(value) in (tuple, list):
        return value
    return value.values() if type(value) is dict else ()


def _like(value: Any, parts: Iterable[Any]) -> Any:
    """Return a container of the same form with other parts."""
    return dict(zip(value, parts, strict=True)) if type(value) is dict else type(value)(parts)


def zeros(value: Any) -> Any:
    """Return what can stand for a value behind a flag."""
    raws = (to_device(np.zeros(*Form(t).aval)) for t in leaves_in([value]))
    return leaves_replaced([value], raws)[0]


def is_leaf(value: Any) -> bool:
    return is_tensor(value) or type(value) is Form


def kind_of(value: Any) -> Any:
    if type(value) in (int, float, bool):
        return type(value)
    return value.kind if type(value) in (Number, Form) else None


def leaves_in(values: Any, nested: bool = False) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if is_leaf(value):
            found.append(value)
        elif type(value) is tuple or (is_carried(value) and not nested):
            found += leaves_in(parts_of(value), nested=True)
        elif type(value) in (list, dict) and has_tensors(value):
            raise Uncompilable("a loop on Tensors assigns a list or dict of Tensors")
    return found


def leaves_replaced(values: Any, leaves: Iterator[Any], formed: bool = False) -> list[Any]:
    def replaced(value: Any, nested: bool = True) -> Any:
        if type(value) is tuple or (is_carried(value) and not nested):
            return _like(value, map(replaced, parts_of(value)))
        if not is_leaf(value):
            return value
        new = next(leaves)
        if formed:
            return new
        return wrap(new) if kind_of(value) is None else Number(kind_of(value), new)

    return [replaced(value, nested=False) for value in values]


def strong(tensor: Any) -> Any:
    return tensor.strong() if type(tensor) is Number else tensor._read()


def as_leaf(value: Any, before: Any) -> Any:
    """Return a Python number that took the place of a traced one as such."""
    if _are_alike(value, before):
        return _like(value, map(as_leaf, parts_of(value), parts_of(before)))
    if is_leaf(before) and type(value) is (kind_of(before) or bool):
        return wrap(to_device(np.asarray(value))) if kind_of(before) is None else Number.of(value)
    return value


def raws_of(value: Any, joined: Any, leaves: Iterator[Any]) -> list[Any]:
    """Return the arrays of a value in the form in which it is joined with another one."""
    if _are_alike(value, joined):
        pairs = zip(parts_of(value), parts_of(joined), strict=True)
        return [raw for pair in pairs for raw in raws_of(*pair, leaves)]
    inner = [next(leaves) for _ in leaves_in([value])]
    if joined is UNBOUND or inner:
        return inner if joined is not UNBOUND else []
    forms = [Form(t).aval for t in leaves_in([joined])]
    return [jnp.full(shape, 0 if value is UNBOUND else value, dtype) for shape, dtype in forms]


def are_same(some: Any, others: Any) -> bool:
    return len(some) == len(others) and all(map(operator.is_, some, others))
