"""Expressions of the user's that ask a Tensor for its truth, or for a place, where it is traced.

``rewriting.py`` has made calls of them: ``a if b else c``, ``not a``, ``a and b``, ``a or b``,
``a[b]``, ``int(a)``, ``math.cos(a)``, ``max(a, b)``, ``range(a)``. Where Python knows the answer,
they do what Python does.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._compiled.carried import kind_of, strong
from msgrad._compiled.number import Number
from msgrad._compiled.while_loops import is_traced, run_if, truth
from msgrad._core.bridge import is_tensor, wrap

_IN_MATH = "sqrt exp expm1 log log2 log10 log1p sin cos tan sinh cosh tanh floor ceil"
# What can be told of a traced number: its kind, and how it is computed.
_OF_NUMBERS: dict[Any, tuple[type, Any]] = {
    **{kind: (kind, None) for kind in (bool, int, float)},
    **{
        getattr(math, name): (int if name in ("floor", "ceil") else float, getattr(jnp, name))
        for name in _IN_MATH.split()
    },
}


def chosen(answer: Any, one: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """Return ``one() if answer else other()``."""
    if not is_traced(answer):
        return one() if answer else other()
    value: Any = None

    def then() -> None:
        nonlocal value
        value = one()

    def otherwise() -> None:
        nonlocal value
        value = other()

    run_if(answer, then, otherwise, ("value",), ("value",))
    return value


def item(values: Any, place: Any) -> Any:
    """Return ``values[place]``; of functions, one that calls the function there."""
    if type(values) not in (tuple, list) or not values or not is_traced(place):
        return values[place]
    raw = strong(place)
    raw = wrap(jnp.where(raw < 0, raw + len(values), raw).reshape(()))

    def at(number: int, of: Callable[[Any], Any]) -> Any:
        if number == len(values) - 1:
            return of(values[number])
        return chosen(raw <= number, lambda: of(values[number]), lambda: at(number + 1, of))

    if all(callable(value) and not is_tensor(value) for value in values):
        return lambda *args, **kwargs: at(0, lambda value: value(*args, **kwargs))
    return at(0, lambda value: value)


def converted(function: Any, value: Any) -> Any:
    """Return ``function(value)``."""
    if is_traced(value) and function in _OF_NUMBERS:
        number = value if type(value) is Number else value.item()
        if type(number) is Number:
            kind, compute = _OF_NUMBERS[function]
            if compute is not None:
                number = Number(float, compute(number.as_kind(float).strong()))
            return number.as_kind(kind)
    return function(value)


def extreme(function: Any, *values: Any, **options: Any) -> Any:
    """Return ``max(*values)`` or ``min(*values)``."""
    if function not in (max, min) or options:
        return function(*values, **options)
    items = [*values[0]] if len(values) == 1 else values
    if not any(map(is_traced, items)):
        return function(items)
    beyond = operator.gt if function is max else operator.lt
    return functools.reduce(
        lambda one, other: chosen(beyond(other, one), lambda: other, lambda: one), items
    )


def counted(*bounds: Any) -> tuple[Any, Any, Any]:
    """Return the first number of a ``range``, the step and how many there are."""
    if not any(map(is_traced, bounds)):
        found = range(*bounds)
        return found.start, found.step, len(found)
    start, stop, step = bounds if len(bounds) == 3 else (*(0, *bounds)[-2:], 1)
    return start, step, -((start - stop) // step)


def known(flag: Any) -> bool:
    """Whether a flag is set, and Python knows it."""
    return not is_traced(flag) and bool(flag)


def negated(value: Any) -> Any:
    """Return ``not value``."""
    if not is_traced(value):
        return not value
    raw = jnp.logical_not(strong(value).astype(bool))
    return wrap(raw) if kind_of(value) is None else Number(bool, raw)


def both(first: Any, second: Callable[[], Any]) -> Any:
    """Return the truth of ``first and second()``."""
    if not is_traced(first):
        return first and second()
    other = second()
    if is_traced(other):
        return wrap(jnp.logical_and(truth(first), truth(other)))
    return first if other else False


def either(first: Any, second: Callable[[], Any]) -> Any:
    """Return the truth of ``first or second()``."""
    return negated(both(negated(first), lambda: negated(second())))
