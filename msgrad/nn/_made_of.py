"""Layers show the operators they are made of, as MindSpore's do: ``conv.conv2d``, ``dense.matmul``.

In MindSpore they are attributes that every layer makes in its constructor; programs read them, and
put others in their place. Here a layer is one fused kernel. A table, filled by ``made_of``, tells
which operators a class has and how it would compute with them: an operator is made when it is first
read, and the class computes with them from when the first is replaced, in the layers concerned.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, ref

from msgrad import ops
from msgrad._core.distributed.devices import several
from msgrad.ops.primitive import Primitive

# The operators that were read, by layer: not in the layer, where a program would see them come.
_made: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
# Class -> the method that computes, and how it does so with the operators.
_ways: dict[type[Any], tuple[str, Callable[..., Any]]] = {}


def made_of(
    *classes: type[Any], of: str = "", method: str = "construct", **makers: Callable[[Any], Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say what operators layers are made of; a decorator of how they compute with them.

    Args:
        classes: The classes of layers.
        of: Attributes with their operators, each as ``name=Primitive:settings``; these are
            attributes of the layer.
        method: The method that computes, and that is decorated.
        makers: Name of the attribute -> what makes the operator, called with the layer.
    """

    for name, kind, *settings in (re.split("[=:,]", word) for word in of.split()):
        makers[name] = functools.partial(_made_with, kind, settings)

    def decorate(computes: Callable[..., Any]) -> Callable[..., Any]:
        for cls in classes:
            cls._cell_operators = {**cls._cell_operators, **makers}
            _ways[cls] = (method, computes)
        return computes

    return decorate


def _made_with(kind: str, settings: list[str], layer: Any) -> Primitive:
    return getattr(ops, kind)(*[getattr(layer, name) for name in settings])


def operator_of(layer: Any, name: str) -> Any:
    """Return an operator of a layer, always the same one.

    Args:
        layer: A layer whose class has it.
        name: The name of the attribute.
    """
    made = _made.setdefault(layer, {})
    if name not in made:
        made[name] = type(layer)._cell_operators[name](layer)
        if several() and isinstance(made[name], Primitive):
            # For ``Primitive.shard``: the layer's kernel knows no strategies.
            owner = ref(layer)
            vars(made[name])["_in_use"] = lambda operator: setattr(owner(), name, operator)
    return made[name]


@dataclass(frozen=True)
class _Replaced:
    """Marks a layer in which an operator was replaced; made anew where the layer is unpickled.

    Attributes:
        cls: The class of the layer, which looks for the mark from now on.
    """

    cls: type[Any]

    def __post_init__(self) -> None:
        for cls in self.cls.__mro__:
            if cls in _ways:
                method, computes = _ways.pop(cls)
                setattr(cls, method, _either(getattr(cls, method), computes))

    def __reduce__(self) -> tuple[Any, ...]:
        return _Replaced, (self.cls,)


def replace_operator(layer: Any) -> None:
    """Have a layer compute with its operators from now on, since one is being replaced."""
    if layer._cell_replaced is None:
        layer._cell_replaced = _Replaced(type(layer))


def _either(fused: Callable[..., Any], computes: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fused)
    def either(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self._cell_replaced is not None:
            return computes(self, *args, *kwargs.values())
        return fused(self, *args, **kwargs)

    return either
