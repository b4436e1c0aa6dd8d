"""``CallSignature``: the arguments of one call, and the key that decides which program they run.

It is of the tree of the arguments, shapes and dtypes of Tensors, the values of Python constants,
the identity of other objects.
"""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.core import ShapedArray

from msgrad._compiled.number import Number
from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.engine.flax import ModuleBridge
from msgrad.common.mutable import MUTABLE_NUMBERS, _Mutable, mapped, mapped_varying


class Tokens:
    """What stands for objects in the keys of one function: tokens, which are objects themselves.

    An object is held only where there is no weak reference to it.

    Args:
        gone: Called with the token of an object that has died or is dropped.
        most: How many objects are known at once.
    """

    def __init__(self, gone: Callable[[object], None], most: int = 64) -> None:
        self._gone, self._most = gone, most
        self._known: dict[int, tuple[Any, object]] = {}

    def of(self, value: Any) -> object:
        identity = id(value)
        found = self._known.get(identity)
        if found is not None:
            return found[1]
        here = weakref.ref(self)

        def died(_: Any) -> None:
            tokens = here()
            if tokens is not None:
                tokens._forget(identity)

        try:
            held: Any = weakref.ref(value, died)
        except TypeError:
            held = value
        _, token = self._known[identity] = held, object()
        if len(self._known) > self._most:
            self._forget(next(iter(self._known)))
        return token

    def _forget(self, identity: int) -> None:
        found = self._known.pop(identity, None)
        if found is not None:
            self._gone(found[1])


class CallSignature:
    """The arguments of one call: their key, and the Tensors among them, each once.

    Args:
        args, kwargs: The arguments.
        tokens: What objects are known by to the function that is called.
        lifts_numbers: Whether the numbers that ``mutable`` made are inputs.

    Attributes:
        key: One for tables of programs; its last part are the tokens in it.
        tensors: The Tensors, and one for each raw array and each number that is an input.
        raws: Their arrays.
        numbers: The numbers that are inputs; None where they are not to be.
        owner: The first Cell among the arguments, on which the programs are kept.
    """

    def __init__(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        tokens: Tokens,
        lifts_numbers: bool = True,
    ) -> None:
        self.tensors: list[Any] = []
        self.raws: list[Any] = []
        self.owner: Any = None
        self._tokens = tokens
        self.numbers: list[Number] | None = [] if lifts_numbers else None
        self._used: list[object] = []
        self._places: dict[int, int] = {}
        self._arrays: dict[int, Any] = {}
        self.key: Any = (
            self._describe(args),
            self._describe(kwargs) if kwargs else None,
            context.mixed,
            context.no_grad,
            tuple(self._used),
        )

    def _describe(self, value: Any, varies: bool = False) -> Any:
        kind = type(value)
        if is_tensor(value):
            raw = value._read() if context.scope is None or value.const_arg else value._peek()
            if value.const_arg and not is_tracer(raw):
                return "constant", self._describe(np.asarray(raw))
            place = self._places.setdefault(id(value), len(self.tensors))
            if place == len(self.tensors):
                self.tensors.append(value)
                self.raws.append(raw)
            # Also whether its dtype is weak, where there is such a thing.
            return place, getattr(raw, "aval", None) or (raw.shape, raw.dtype), kind
        if kind is tuple or kind is list or isinstance(value, (tuple, list)):
            varies = varies or issubclass(kind, _Mutable)
            return kind, tuple([self._describe(item, varies) for item in value])
        if isinstance(value, dict):
            varies = varies or issubclass(kind, _Mutable)
            return kind, tuple([(k, self._describe(v, varies)) for k, v in value.items()])
        if (varies or kind in MUTABLE_NUMBERS) and self.numbers is not None:
            number = Number.of(value)
            if number is not None:
                self.numbers.append(number)
                return kind, self._describe(number)
        if kind in _BY_VALUE:
            # 2 and 2.0, and 0.0 and -0.0, are other programs.
            return kind, repr(value) if kind in (float, complex) else value
        if isinstance(value, jax.Array):
            return ("array", self._describe(self._arrays.setdefault(id(value), wrap(value))))
        if isinstance(value, np.ndarray) and value.dtype != object:
            digest = hashlib.blake2b(np.ascontiguousarray(value).tobytes()).digest()
            return kind, value.shape, value.dtype, digest
        if isinstance(value, ModuleBridge):
            if self.owner is None:
                self.owner = value
            return kind, "owner" if value is self.owner else value
        return kind, self._other(value)

    def _other(self, value: Any) -> Any:
        """Return what an object that is no data is compared by: its value, if it is immutable."""
        own_hash = type(value).__hash__
        if own_hash is not None and own_hash is not object.__hash__:
            try:
                hash(value)
            except TypeError:
                pass
            else:
                return value
        token = self._tokens.of(value)
        self._used.append(token)
        return token

    @property
    def shared(self) -> list[Any]:
        """The Tensors that the function may find elsewhere too."""
        made = {id(t) for t in self._arrays.values()}
        return [t for t in self.tensors if id(t) not in made and type(t) is not Number]

    def traceable(self, function: Any, args: Any, kwargs: Any) -> tuple[Any, Any, Any]:
        """Return the function and its arguments so that raw arrays are traced too."""
        if not self._arrays and not self.numbers:
            return function, args, kwargs
        arrays = self._arrays
        inputs = {id(t) for t in arrays.values()}
        numbers = iter(self.numbers or ())

        def with_raw(*args: Any, **kwargs: Any) -> Any:
            def back(t: Any) -> Any:
                return t._read() if id(t) in inputs else t

            return function(*mapped(back, args), **mapped(back, kwargs))

        def as_tensor(value: Any, varies: bool) -> Any:
            if (varies or type(value) in MUTABLE_NUMBERS) and Number.fits(value):
                return next(numbers)
            return arrays.get(id(value), value)

        return with_raw, mapped_varying(as_tensor, args), mapped_varying(as_tensor, kwargs)


def without_shapes(key: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the key of a call without the shapes of Tensors in it, and those shapes."""
    shapes: list[Any] = []

    def form(part: Any) -> Any:
        if isinstance(part, ShapedArray):
            shapes.append(part.shape)
            return part.ndim, part.dtype
        return tuple([form(item) for item in part]) if type(part) is tuple else part

    return form(key), tuple(shapes)


def signature_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the key of a call for a table of programs outside of ``CompiledFunction``."""
    signature = CallSignature(args, kwargs, _others, lifts_numbers=False)
    return signature.key, signature.owner


_others = Tokens(lambda token: None)
_BY_VALUE = frozenset({int, float, bool, str, bytes, complex, type(None), type(Ellipsis), type})
