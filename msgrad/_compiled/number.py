"""``Number``: a Python number that is an input of a compiled call, or that ``item()``, ``int()``,
``float()`` or ``bool()`` make of a Tensor in one, while the call is traced.

It computes with Python numbers as they do among themselves, in 64-bit integers and 32-bit floats as
MindSpore's compiled functions, and with Tensors as a Python number does. What such a computation
gives is a number again, and leaves the compiled call as one.
"""

from __future__ import annotations

import dis
import functools
import inspect
import weakref
from collections.abc import Callable
from types import CodeType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.context import context
from msgrad._core.deferred.recording import materialize
from msgrad._core.engine import as_weak, is_of_program, is_tracer, to_device
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.scopes.discovery import LiftScope, value_needed
from msgrad._core.user_code import is_ours, stack
from msgrad.common.tensor import Tensor

_DTYPES: dict[type, Any] = {bool: np.bool_, int: np.int64, float: np.float32}
_CATEGORIES = {bool: np.bool_, int: np.integer, float: jnp.floating}


class Number(Tensor):
    """A traced Python number.

    Args:
        kind: ``bool``, ``int`` or ``float``.
        raw: The number: a NumPy scalar of an input, or what was computed of it.
        given: The Python object that is the input.
    """

    def __init__(self, kind: type, raw: Any, given: Any = None) -> None:
        self._data = raw
        self.kind = kind
        self.given = given
        if context.scope is not None:
            context.scope.made.append(weakref.ref(self))

    @classmethod
    def of(cls, value: Any) -> Number | None:
        """Return the number for a value in something mutable; None for what it does not fit."""
        if not cls.fits(value):
            return None
        kind = type(getattr(value, "__ms_origin_object__", value))
        with np.errstate(over="ignore"):
            return cls(kind, to_device(np.asarray(value, _DTYPES[kind])), value)

    @staticmethod
    def fits(value: Any) -> bool:
        """Whether a member of something mutable is a number of at most 64 bits."""
        return isinstance(value, float) or (isinstance(value, int) and -(2**63) <= value < 2**63)

    @property
    def __class__(self) -> type:
        # So that ``isinstance(n, int)`` is what it is outside of the compiled function.
        return self.kind

    def strong(self) -> Any:
        """Return the raw value for computing with numbers."""
        return materialize(super()._peek())

    def as_kind(self, kind: type) -> Number:
        """Return the number as ``kind(number)`` has it."""
        raw = self.strong()
        return Number(kind, raw != 0 if kind is bool else raw.astype(_DTYPES[kind]))

    def __hash__(self) -> int:
        raise value_needed("a number that is only known when the compiled function runs is a key")

    def __format__(self, spec: str) -> str:
        return format(self._one("print"), spec)

    def __str__(self) -> str:
        return str(self._one("print"))

    __repr__ = __str__

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def _peek(self) -> Any:
        # To an operator it is what a Python number is: of its category, and of no width.
        return as_weak(self.strong())


def to_python(raw: Any, kind: type) -> Any:
    """Return a number that leaves a compiled call; still a ``Number`` inside of another trace."""
    return Number(kind, raw) if is_tracer(raw) else kind(np.asarray(raw))


def _array(value: Any, dtype: Any) -> Any:
    if isinstance(value, jax.Array):
        return value.astype(dtype)
    return to_device(np.asarray(value, dtype))


def _power(base: Any, exponent: Any) -> Any:
    if base.dtype != np.int64:
        return jnp.power(base, exponent)
    # An integer, as in MindSpore, also for an exponent below 0.
    below = jnp.trunc(jnp.power(base.astype(np.float32), exponent.astype(np.float32)))
    power = jnp.power(base, jnp.maximum(exponent, 0))
    return jnp.where(exponent < 0, below.astype(np.int64), power)


def _parts(value: Any) -> tuple[type, Any] | None:
    if type(value) is Number:
        return value.kind, value.strong()
    kind = next((k for k in _DTYPES if isinstance(value, k)), None)
    return None if kind is None else (kind, value)


def _binary(name: str, compute: Callable[[Any, Any], Any], result: type | None) -> Any:
    swapped = name.startswith("__r")
    bitwise = compute in _BITWISE.values()

    def method(self: Number, other: Any) -> Any:
        of_other = _parts(other)
        if of_other is None:
            # A list times a number is a longer list.
            repeats = compute is jnp.multiply and isinstance(other, (list, tuple))
            return NotImplemented if repeats else getattr(Tensor, name)(self, other)
        (kind, left), (other_kind, right) = (self.kind, self.strong()), of_other
        if swapped:
            left, right = right, left
        both = float if name in _DIVISIONS or float in (kind, other_kind) else int
        if bitwise and both is float:
            return NotImplemented
        dtype = _DTYPES[both]
        raw = compute(_array(left, dtype), _array(right, dtype))
        return Number(result or both, raw)

    return method


def _unary(compute: Callable[[Any], Any]) -> Any:
    def method(self: Number) -> Number:
        both = float if self.kind is float else int
        if both is float and compute is jnp.invert:
            raise ArgumentTypeError("bad operand type for unary ~: 'float'.")
        return Number(both, compute(_array(self.strong(), _DTYPES[both])))

    return method


_DIVISIONS = ("__truediv__", "__rtruediv__")
_BITWISE = {"and": jnp.bitwise_and, "or": jnp.bitwise_or, "xor": jnp.bitwise_xor}
_ARITHMETIC = {
    **_BITWISE,
    "add": jnp.add,
    "sub": jnp.subtract,
    "mul": jnp.multiply,
    "truediv": jnp.divide,
    "floordiv": jnp.floor_divide,
    "mod": jnp.mod,
    "pow": _power,
}
_COMPARISONS = {
    "lt": jnp.less,
    "le": jnp.less_equal,
    "gt": jnp.greater,
    "ge": jnp.greater_equal,
    "eq": jnp.equal,
    "ne": jnp.not_equal,
}

for _name, _compute in _ARITHMETIC.items():
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(Number, _full, _binary(_full, _compute, None))
    # Not Tensor's, which writes in place: a number is no variable.
    setattr(Number, f"__i{_name}__", getattr(Number, f"__{_name}__"))
for _name, _compute in _COMPARISONS.items():
    setattr(Number, f"__{_name}__", _binary(f"__{_name}__", _compute, bool))
_UNARY = {"neg": jnp.negative, "pos": jnp.positive, "abs": jnp.abs, "invert": jnp.invert}
for _name, _compute in _UNARY.items():
    setattr(Number, f"__{_name}__", _unary(_compute))


@functools.lru_cache(maxsize=256)
def _stores_outside(code: CodeType) -> bool:
    """Whether a function of the user's sets a name that is not its own."""
    ours = is_ours(code.co_filename) or code.co_name.startswith("_msgrad_")
    return not ours and any(
        each.opname == "STORE_GLOBAL"
        or (each.opname == "STORE_DEREF" and each.argval in code.co_freevars)
        for each in dis.get_instructions(code)
    )


def _number_of(lift: LiftScope, tensor: Any) -> Number | None:
    """Return what ``item()`` gives for a Tensor whose value is not known yet."""
    raw = tensor._number()
    kinds = [kind for kind, of in _CATEGORIES.items() if jnp.issubdtype(raw.dtype, of)]
    if not kinds or raw.size != 1 or not is_of_program(raw):
        return None
    # Of which a number of a compiled call would lose digits.
    if raw.dtype in (np.float64, np.uint64):
        return None
    if type(tensor) is Tensor and not is_tracer(lift.value_of(tensor, tensor._peek())):
        return None
    # Where the call is not compiled in the end, it would be left there.
    if any(_stores_outside(frame.f_code) for frame in stack(inspect.currentframe())):
        return None
    lift.numbered = True
    return Number(kinds[0], raw.reshape(()).astype(_DTYPES[kinds[0]]))


LiftScope.number = _number_of
