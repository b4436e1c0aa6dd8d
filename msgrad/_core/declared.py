"""Checking arguments against what a function declares: its annotations are the rule.

``@checked`` holds a function to its annotations, and ``check_constructors`` the constructor of a
class. ``int`` accepts no bool, ``float`` also an int; what is no kind named here accepts anything.
Which types passed is kept, so that a call of types that were seen costs a look into a set. Whatever
then fails inside with an error of Python's, NumPy's or JAX's is raised as one of ours.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

import jax
import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, MsgradError

Function = TypeVar("Function", bound=Callable[..., Any])
Test = Callable[[Any], bool]

# What a wrong argument makes Python, NumPy or JAX raise; what a tracer raises has to get through.
FOREIGN = (TypeError, ValueError, IndexError, AttributeError, OverflowError, AssertionError)
_OF_TRACERS = (jax.errors.JAXTypeError, jax.errors.JAXIndexError)
_OF_SHAPES = re.compile("shape|broadcast|dimension|rank|size|axis|length", re.IGNORECASE)


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_dtype(value: Any) -> bool:
    return type(value).__name__ in ("DType", "Float", "Int", "UInt", "Bool") or (
        isinstance(value, (np.dtype, type)) and not is_tensor(value)
    )


_TESTS: dict[str, Test] = {
    "Tensor": lambda v: is_tensor(v) or isinstance(v, jax.Array),
    "Parameter": lambda v: is_tensor(v) and hasattr(v, "requires_grad"),
    "int": _is_int,
    "float": lambda v: _is_int(v) or isinstance(v, (float, np.floating)),
    "bool": lambda v: isinstance(v, (bool, np.bool_)),
    "dict": lambda v: isinstance(v, dict),
    "tuple": lambda v: isinstance(v, tuple),
    "list": lambda v: isinstance(v, list),
    "Sequence": lambda v: isinstance(v, (tuple, list)),
    "Callable": callable,
    "DType": _is_dtype,
    "mstype.DType": _is_dtype,
    "None": lambda v: v is None,
    "Sizes": lambda v: _is_int(v) or (isinstance(v, (tuple, list)) and all(map(_is_int, v))),
}
_CONTAINERS = ("tuple", "list", "Sequence")


def _split(text: str, mark: str) -> list[str]:
    """Return the parts of an annotation between marks that stand outside its brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == mark and not depth:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


@functools.cache
def test_of(annotation: str) -> tuple[Test | None, bool]:
    """Return the test of an annotation, or None where it accepts anything.

    Returns:
        The test, and whether it looks at the members of a container.
    """
    tests, deep = [], False
    for part in _split(annotation, "|"):
        name, _, inside = part.partition("[")
        test = _TESTS.get(name)
        if test is None:
            return None, False
        if inside and name in _CONTAINERS:
            members = [test_of(p)[0] for p in _split(inside[:-1], ",") if p != "..."]
            if None not in members:
                test, deep = _each(test, members, "..." not in inside and name == "tuple"), True
        tests.append(test)
    return (tests[0] if len(tests) == 1 else lambda v: any(test(v) for test in tests)), deep


def _each(outer: Test, members: Sequence[Any], exact: bool) -> Test:
    if exact:
        return lambda v: (
            outer(v) and len(v) == len(members) and all(t(m) for t, m in zip(members, v))
        )
    return lambda v: outer(v) and all(members[0](m) for m in v)


def shown(value: Any) -> str:
    """Return what came, in a few words: a Tensor by dtype and shape, anything else by its value."""
    if is_tensor(value) or isinstance(value, (jax.Array, np.ndarray)):
        return f"{type(value).__name__} of {value.dtype}, shape {tuple(value.shape)}"
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    return f"{text if len(text) < 80 else text[:77] + '...'} of type '{type(value).__name__}'"


def refuse_argument(owner: str, name: str, annotation: str, value: Any) -> ArgumentTypeError:
    """Return the error that says which argument was refused, what came and what is accepted."""
    return ArgumentTypeError(
        f"For '{owner}', the argument '{name}' must be {annotation.replace(' | ', ' or ')}, but "
        f"got {shown(value)}."
    )


def check(owner: str, name: str, annotation: str, value: Any) -> None:
    """Raise ``TypeError`` where an argument is not what its annotation says."""
    test = test_of(annotation)[0]
    if test is not None and not test(value):
        raise refuse_argument(owner, name, annotation, value)


def raise_ours(owner: str, error: Exception, values: Sequence[Any]) -> NoReturn:
    """Raise an error of ours for what Python, NumPy or JAX raised; one of ours as it is."""
    if isinstance(error, (MsgradError, *_OF_TRACERS)):
        raise error
    came = ", ".join(shown(value) for value in values)
    shapes = isinstance(error, (ValueError, IndexError)) or _OF_SHAPES.search(str(error))
    kind = ArgumentValueError if shapes else ArgumentTypeError
    raise kind(f"For '{owner}', these arguments do not go together: {came}.") from None


class _Declaration:
    """What a function declares of its arguments."""

    def __init__(self, function: Callable[..., Any], owner: str) -> None:
        self.owner = owner
        self.signature = inspect.signature(function)
        self.tests = {
            p.name: (str(p.annotation), *test_of(str(p.annotation)))
            for p in self.signature.parameters.values()
            if p.kind is not p.VAR_KEYWORD and p.annotation is not p.empty
        }

    def check(self, args: tuple[Any, ...], named: dict[str, Any]) -> bool:
        """Raise where an argument is refused; whether its type alone told that it is not."""
        parameters = self.signature.parameters
        try:
            bound = self.signature.bind(*args, **named).arguments
        except TypeError as error:
            raise ArgumentTypeError(f"{self.owner}{self.signature}: {error}") from None
        by_type = True
        for name, value in bound.items():
            annotation, test, deep = self.tests.get(name, ("", None, False))
            if test is None or value is parameters[name].default:
                continue
            several = parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
            for item in value if several else (value,):
                if not test(item):
                    raise refuse_argument(self.owner, name, annotation, item)
            by_type = by_type and not deep
        return by_type


def checked(function: Function, name: str | None = None) -> Function:
    """Hold a function to its annotations; a decorator.

    Args:
        function: Its annotations are strings (``from __future__ import annotations``).
        name: What to call it in error texts; its own name by default.

    Returns:
        The function, which raises ``TypeError`` for an argument of a type that it does not declare.
    """
    owner = name or function.__name__
    declared: _Declaration | None = None
    seen: set[Any] = set()

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        nonlocal declared
        key = (*map(type, args), *named, *map(type, named.values())) if named else (
            tuple(map(type, args))
        )
        if key not in seen:
            declared = declared or _Declaration(function, owner)
            if declared.check(args, named):
                seen.add(key)
        try:
            return function(*args, **named)
        except FOREIGN as error:
            raise_ours(owner, error, (*args, *named.values()))

    return call  # type: ignore[return-value]


def check_constructors(cls: type) -> None:
    """Hold the constructor that ``cls`` defines to its annotations; for ``__init_subclass__``."""
    constructor = cls.__dict__.get("__init__")
    if constructor is None or not cls.__module__.startswith("msgrad."):
        return
    declared: _Declaration | None = None

    @functools.wraps(constructor)
    def init(self: Any, *args: Any, **named: Any) -> None:
        nonlocal declared
        declared = declared or _Declaration(constructor, cls.__name__)
        declared.check((self, *args), named)
        try:
            constructor(self, *args, **named)
        except FOREIGN as error:
            raise_ours(cls.__name__, error, (*args, *named.values()))

    cls.__init__ = init  # type: ignore[misc]
