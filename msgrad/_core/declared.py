"""Checking arguments against what a function declares: its annotations are the rule.

``@checked`` holds a function or a constructor to its annotations, and ``@guarded`` only translates
what goes wrong inside: an error of Python's, NumPy's or JAX's is raised as one of ours. ``int``
accepts no bool, ``float`` also an int; what is no kind named here accepts anything. Which types
passed is kept, so that a call of types that were seen costs a look into a set.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import jax
import numpy as np

from msgrad._core.bridge import is_tensor, too_large
from msgrad._core.engine import is_size
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MsgradError,
    NotATensorError,
    OptionError,
)
from msgrad._core.former import formerly

Function = TypeVar("Function", bound=Callable[..., Any])
Test = Callable[[Any], bool]

# Annotations that are checked more closely than what they stand for: sizes or steps above 0, and a
# text where anything else is a TypeError; most choices by name are a ValueError whatever comes.
Window = int | tuple[int, ...]
Sizes = int | tuple[int, ...] | list[int]
Word = str
# How a window goes over the edge, and the one mode that a convolution has.
PadMode = str
Forward = int

# What a wrong argument makes Python, NumPy or JAX raise; what a tracer raises has to get through.
FOREIGN = (TypeError, ValueError, IndexError, AttributeError, OverflowError, AssertionError)
RAISED = (MsgradError, *FOREIGN)
# A text that begins inside a sentence does not say yet of which operator it speaks.
_UNNAMED = re.compile(r"[a-z]\w* |'")
_OF_TRACERS = (jax.errors.JAXTypeError, jax.errors.JAXIndexError)
_BINDING = re.compile("positional argument|keyword argument|multiple values for argument")
# What Python says of wrong arguments helps, what others say of their own insides does not.
_INTERNAL = re.compile("jax|jnp|trace|numpy|array|dtype|attribute '_|__|unhashable|NoneType", re.I)
_OF_SHAPES = re.compile("shape|broadcast|dimension|rank|size|axis|length", re.IGNORECASE)


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_dtype(value: Any) -> bool:
    # By name: dtypes stand above this layer.
    return isinstance(value, (np.dtype, type)) or any(
        cls.__name__ == "DType" for cls in type(value).__mro__
    )


def _one_of(*accepted: Any) -> Test:
    """Return a test that raises ``ValueError`` for another value of the right type."""

    def test(value: Any) -> bool:
        right = type(value) is type(accepted[0])
        if right and value not in accepted:
            raise ArgumentValueError(f"Only {accepted} are accepted, but got {value!r}.")
        return right

    return test


def _is_sizes(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(_is_int(size) or is_size(size) for size in value)
    return _is_int(value) or is_size(value)


def _is_window(value: Any) -> bool:
    """Whether it is an int or a tuple of ints; raises ``ValueError`` where one is not positive."""
    if not _is_sizes(value) or isinstance(value, list):
        return False
    sizes = (value,) if _is_int(value) else value
    if sizes and max(sizes) >= 2**63:
        raise too_large("the operator", "a size of the window", max(sizes))
    if not sizes or min(sizes) <= 0:
        raise ArgumentValueError(f"A window's sizes and steps must be positive, but got {value}.")
    return True


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
    "DatasetCache": lambda v: type(v).__name__ == "DatasetCache",
    "mstype.DType": _is_dtype,
    "None": lambda v: v is None,
    "Window": _is_window,
    "Word": lambda v: isinstance(v, str),
    "Seed": lambda v: _is_int(v) or hasattr(v, "_stream"),
    "Sizes": _is_sizes,
    "PadMode": _one_of("valid", "same", "pad"),
    "Forward": _one_of(1),
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
            outer(v)
            and len(v) == len(members)
            and all(t(m) for t, m in zip(members, v, strict=True))
        )
    return lambda v: outer(v) and all(members[0](m) for m in v)


def shown(value: Any) -> str:
    """Return what came, in a few words: a Tensor by dtype and shape, anything else by its value."""
    if is_tensor(value) or isinstance(value, jax.Array):
        return f"a Tensor of {value.dtype}, shape {tuple(value.shape)}"
    if isinstance(value, np.ndarray):
        return f"a NumPy array of {value.dtype}, shape {value.shape}"
    if isinstance(value, type) or callable(value):
        return (
            f"{getattr(value, '__name__', type(value).__name__)} of type '{type(value).__name__}'"
        )
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(shown, value))})"
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    return f"{text if len(text) < 80 else text[:77] + '...'} of type '{type(value).__name__}'"


def refuse_argument(owner: str, name: str, annotation: str, value: Any) -> ArgumentTypeError:
    """Return the error that says which argument was refused, what came and what is accepted."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        return too_large(owner, name, value)
    # A nested tuple is what a Tensor or an array was made for a static argument.
    nested = isinstance(value, tuple) and value and isinstance(value[0], tuple)
    kind = NotATensorError if annotation.startswith("Tensor") else ArgumentTypeError
    kind = OptionError if nested or hasattr(value, "shape") else kind
    accepted = annotation.replace(" | ", " or ")
    return kind(f"For '{owner}', the argument '{name}' must be {accepted}, but got {shown(value)}.")


@functools.cache
def annotations_of(function: Callable[..., Any]) -> dict[str, str]:
    """Return what a function declares of its parameters; nothing where it has no signature."""
    try:
        parameters = inspect.signature(function).parameters
    except ValueError:
        return {}
    return {name: str(parameter.annotation) for name, parameter in parameters.items()}


def check(owner: str, name: str, annotation: str, value: Any) -> None:
    """Raise ``TypeError`` where an argument is not what its annotation says."""
    test = test_of(annotation)[0]
    if test is not None and not test(value):
        raise refuse_argument(owner, name, annotation, value)


def raise_ours(owner: str, error: Exception, values: Sequence[Any]) -> NoReturn:
    """Raise an error of ours for what Python, NumPy or JAX raised; one of ours as it is."""
    unnamed = isinstance(error, MsgradError) and _UNNAMED.match(str(*error.args[:1]))
    # An index out of range speaks of no operator.
    if unnamed and not isinstance(error, IndexError):
        # Kernels and their helpers leave it to their operator to say its name.
        error.args = (f"For '{owner}', {error.args[0]}", *error.args[1:])
    if isinstance(error, (MsgradError, UnicodeError, *_OF_TRACERS)):
        raise error
    if _BINDING.search(str(error)):
        raise ArgumentTypeError(f"For '{owner}': {error}") from None
    large = [v for v in values if type(v) is int and not -(2**63) <= v < 2**63]
    if large:
        raise too_large(owner, "one of the arguments", large[0]) from None
    came = ", ".join(
        shown(value)
        for value in values
        if type(value).__module__[:7] != "msgrad." or is_tensor(value)
    )
    shapes = isinstance(error, (ValueError, IndexError)) or _OF_SHAPES.search(str(error))
    kind = ArgumentValueError if shapes else ArgumentTypeError
    if isinstance(error, AttributeError):
        kind = NotATensorError
    said = str(error).partition("\n")[0]
    if not said or _INTERNAL.search(said):
        raise kind(f"For '{owner}', these arguments do not go together: {came}.") from error
    raise kind(f"{said.rstrip('.')}. For '{owner}', which got {came}.") from error


_NUMBERS = {"int": ("Int", "UInt"), "float": ("Int", "UInt", "Float", "BFloat")}


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
        # Which take numbers alone, and of which dtypes, by their names, as dtypes stand above this
        # layer. A Tensor that is declared stays one: it may be traced, and has a gradient.
        self.numbers = {
            name: _NUMBERS[kinds[-1]]
            for name, (said, test, _) in self.tests.items()
            if test and "Tensor" not in (alternatives := _split(said, "|"))
            if (kinds := [kind for kind in _NUMBERS if kind in alternatives])
        }

    def check(
        self,
        args: tuple[Any, ...],
        named: dict[str, Any],
        *,
        limit: bool = False,
        numbers: bool = False,
    ) -> bool:
        """Raise where an argument is refused; whether its type alone told that it is not.

        Args:
            args: Positional arguments.
            named: Keyword arguments.
            limit: Whether an int of more than 64 bits is refused.
            numbers: Whether a Tensor of one element is taken for a number.
        """
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
            if numbers and self._is_number(name, value):
                by_type = False
                continue
            for item in value if several else (value,):
                if not test(item) or (limit and type(item) is int and not -(2**63) <= item < 2**63):
                    raise refuse_argument(self.owner, name, annotation, item)
            by_type = by_type and not deep
        return by_type

    def _is_number(self, name: str, value: Any) -> bool:
        """Whether it is a Tensor in the place of a number."""
        kinds = self.numbers.get(name)
        return (
            kinds is not None
            and is_tensor(value)
            and value.size == 1
            and str(value.dtype).startswith(kinds)
        )

    def with_numbers(
        self, args: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with a number for each Tensor that stands for one."""
        bound = self.signature.bind(*args, **named)
        for name, value in bound.arguments.items():
            if self._is_number(name, value):
                bound.arguments[name] = value.item()
        return bound.args, bound.kwargs


def checked(
    function: Function, name: str | None = None, also: Mapping[str, str] | None = None
) -> Function:
    """Hold a function to its annotations; a decorator.

    A function of ``ops`` or ``mint`` takes a Tensor of one element for an int or a float, as
    operators do.

    Args:
        function: Its annotations are strings (``from __future__ import annotations``).
        name: What to call it in error texts; its own name by default.
        also: Other names of its arguments, with those they stand for.

    Returns:
        The function, which raises ``TypeError`` for an argument of a type that it does not declare.
    """
    constructor = function.__name__ == "__init__"
    numbers = not constructor and function.__module__.startswith(("msgrad.ops.", "msgrad.mint."))
    owner = name or (function.__qualname__.split(".")[-2] if constructor else function.__name__)
    declared: _Declaration | None = None
    seen: set[Any] = set()

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        nonlocal declared
        if named and also:
            named = {also.get(key, key): value for key, value in named.items()}
        key = (
            (*map(type, args), *named, *map(type, named.values()))
            if named
            else (tuple(map(type, args)))
        )
        if key not in seen:
            declared = declared or _Declaration(function, owner)
            try:
                by_type = declared.check(args, named, limit=constructor, numbers=numbers)
            except ArgumentTypeError as error:
                args, named = formerly(owner, args, named, error)
                return call(*args, **named)
            if by_type:
                seen.add(key)
            elif numbers and declared.numbers:
                args, named = declared.with_numbers(args, named)
        try:
            return function(*args, **named)
        except RAISED as error:
            raise_ours(owner, error, (*args, *named.values()))

    return call  # type: ignore[return-value]


def guarded(function: Function, name: str | None = None) -> Function:
    """Raise an error of ours for what Python, NumPy or JAX raises of wrong arguments; a decorator.

    Args:
        function: Must not call functions of the user, whose errors are theirs.
        name: What to call it in error texts; its own name by default.
    """

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except RAISED as error:
            constructor = function.__name__ == "__init__"
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                # Python could not bind the arguments, and says so.
                raise
            if constructor and isinstance(error, MsgradError):
                # What a constructor says of its class is said in full, in MindSpore's words.
                raise
            owner = name or (type(args[0]).__name__ if constructor else function.__name__)
            raise_ours(owner, error, (*args, *named.values()))

    return call  # type: ignore[return-value]


def guard_constructor(cls: type) -> None:
    """Guard the constructor that a class of ours defines; see ``Guarded``."""
    constructor = cls.__dict__.get("__init__")
    if constructor is None or not cls.__module__.startswith("msgrad."):
        return
    cls.__init__ = guarded(constructor)  # type: ignore[misc]


class Guarded:
    """Base of classes whose constructors, where they are of ours, are guarded."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        guard_constructor(cls)
