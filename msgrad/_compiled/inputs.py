"""What a compiled call was given as inputs, and what as constants; which of it has a gradient.

MindSpore compiles Tensors, and what ``mutable`` made, as inputs. Other containers, numbers and
``Tensor(const_arg=True)`` are constants, which have no gradient. Here their Tensors are inputs of
the program all the same: only what ``grad`` and ``isconstant`` say of them follows MindSpore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgrad._compiled.number import Number
from msgrad._core.bridge import is_tensor, tensors_in, wrap
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad.common.mutable import MUTABLE_NUMBERS, _Mutable, mapped, plain
from msgrad.common.parameter import Parameter

_HERE = object()


class CallInputs:
    """The arguments of the compiled call that runs, and of those it runs in, by id.

    Attributes:
        inputs: The Tensors that are inputs.
        constants: The containers that are constants, and what is in them.
    """

    def __init__(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], outer: CallInputs | None
    ) -> None:
        self.inputs: set[int] = set() if outer is None else {*outer.inputs}
        self.constants: set[int] = set() if outer is None else {*outer.constants}
        for value in (*args, *kwargs.values()):
            self._note(value, constant=not is_tensor(value) and not isinstance(value, _Mutable))

    def _note(self, value: Any, constant: bool) -> None:
        if is_tensor(value):
            (self.constants if constant or value.const_arg else self.inputs).add(id(value))
        elif isinstance(value, (tuple, list, dict)):
            if constant:
                self.constants.add(id(value))
            for item in value.values() if isinstance(value, dict) else value:
                self._note(item, constant)


@contextmanager
def compiling(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[None]:
    """Run what is inside as a compiled call of these arguments, traced or as plain Python."""
    outer = context.inputs
    context.inputs = CallInputs(args, kwargs, outer)
    try:
        yield
    finally:
        context.inputs = outer


def varies(value: Any) -> bool:
    """Whether a value inside of a compiled call is no constant of it."""
    given = context.inputs
    assert given is not None
    if is_tensor(value):
        if type(value) is Number or isinstance(value, Parameter) or id(value) in given.inputs:
            return True
        if id(value) in given.constants:
            return False
        # As plain Python it cannot be told what was made in the call.
        return context.lift is None or is_tracer(value._data)
    if isinstance(value, (tuple, list, dict)):
        if id(value) in given.constants:
            return False
        items = value.values() if isinstance(value, dict) else value
        return isinstance(value, _Mutable) or any(map(varies, items))
    return type(value) in MUTABLE_NUMBERS


def has_gradient(value: Any) -> bool:
    """Whether an input of a differentiated function has a gradient.

    A Tensor has one; in a compiled call also a container or a number, unless it is a constant.
    """
    return is_tensor(value) if context.inputs is None else varies(value)


def differentiated_in(
    values: list[Any],
) -> tuple[list[Any], Callable[[Sequence[Any]], list[Any]]]:
    """Return the Tensors in inputs that have a gradient, and how gradients become those of inputs.

    Args:
        values: Inputs of which ``has_gradient`` is true.

    Returns:
        The Tensors, and a function that takes one gradient for each and returns one per input, in
        its form: a constant Tensor in a container has zeros, a number 0.
    """
    if context.inputs is None:
        return values, list
    tensors: list[Any] = []

    def form(value: Any) -> Any:
        if type(value) is Number:
            return 0.0 if value.kind is float else 0
        if is_tensor(value):
            if not varies(value):
                return wrap(value._read() * 0)
            tensors.append(value)
            return _HERE
        return value if value is None else 0.0 if isinstance(value, float) else 0

    forms = [plain(mapped(form, value)) for value in values]

    def arranged(gradients: Sequence[Any]) -> list[Any]:
        rest = iter(gradients)
        return [mapped(lambda v: next(rest) if v is _HERE else v, form) for form in forms]

    return tensors, arranged


def apart(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments in which each place of a Tensor has an object of its own, and so a gradient.

    Eagerly the gradients of all its places are summed, as in MindSpore, and nothing is changed.
    """
    given = context.inputs
    if given is None:
        return args, kwargs
    tensors = list(tensors_in((args, kwargs)))
    if len({*map(id, tensors)}) == len(tensors):
        return args, kwargs
    values = (*args, *kwargs.values())
    fixed = [v for v in values if not is_tensor(v) and id(v) in given.constants]
    seen = {id(t) for t in tensors_in(fixed)}

    def own(tensor: Any) -> Any:
        if not is_tensor(tensor) or tensor.const_arg:
            return tensor
        if id(tensor) not in seen:
            seen.add(id(tensor))
            return tensor
        return wrap(tensor._read())

    def placed(value: Any) -> Any:
        return value if any(value is v for v in fixed) else mapped(own, value)

    return tuple(map(placed, args)), {name: placed(value) for name, value in kwargs.items()}


def isconstant(x: Any) -> bool:
    """Whether ``x`` is known when the function around is compiled; outside of one always.

    Args:
        x: Anything.
    """
    return context.inputs is None or not varies(x)
