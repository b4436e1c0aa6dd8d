"""``mindspore.dataset.transforms.transforms``: transforms of arrays of any kind, on NumPy."""

from __future__ import annotations

import copy
import functools
import random
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from msgrad._core.docstrings import Documented
from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common import dtype as mstype
from msgrad.dataset._arguments import a_number, a_probability, an_int, one_of
from msgrad.dataset.config import _DEFAULT_SEED, _shuffle_seed, get_seed

Relational = IntEnum("Relational", {"EQ": 0, "NE": 1, "GT": 2, "GE": 3, "LT": 4, "LE": 5})
Relational.__doc__ = "How ``Mask`` compares."


Implementation = IntEnum("Implementation", {"C": 0, "PY": 1})
Implementation.__doc__ = "Where MindSpore runs a transform; here all are functions in Python."


class TensorOperation(Documented):
    """Base of MindSpore's transforms in C++; a subclass is called with the values of columns."""

    implementation: Implementation | None = None
    device_target = "CPU"
    # What it draws from in a pipeline, and which attributes hold transforms.
    _draws: Draws | None = None
    _within: tuple[str, ...] = ()

    def _chance(self) -> Draws:
        """Return what to draw from in this call; by hand it begins anew each time.

        So does MindSpore: with a seed, all calls draw the same. Without one, they go on.
        """
        if self._draws:
            return self._draws
        return _draws_of_no_seed() if get_seed() == _DEFAULT_SEED else Draws(get_seed())


@functools.cache
def _draws_of_no_seed() -> Draws:
    return Draws(_shuffle_seed())


def bound(operations: Any, seed: int, inner: int, held: list[Draws]) -> Any:
    """Return transforms with draws of their own, as a thread of a pipeline has them.

    Args:
        operations: One, or a list or tuple; what is no transform of MindSpore's stays.
        seed: int, of each.
        inner: int, the seed of transforms that another one applies.
        held: Is given the draws of all.
    """
    if isinstance(operations, (list, tuple)):
        return type(operations)(bound(one, seed, inner, held) for one in operations)
    if not isinstance(operations, TensorOperation):
        return operations
    made = copy.copy(operations)
    made._draws = Draws(seed)
    held.append(made._draws)
    for name in made._within:
        # Of what is composed, each stands in the pipeline itself.
        own = seed if type(made) is Compose else inner
        setattr(made, name, bound(getattr(made, name), own, inner, held))
    return made


class PyTensorOperation:
    """Base of transforms in Python: a subclass defines ``_execute_py``, which ``map`` calls."""

    implementation: Implementation | None = None
    # See Compose.
    python_only = True

    def __call__(self, img: Any) -> Any:
        """Return what ``_execute_py`` makes of the value."""
        execute: Callable[[Any], Any] = getattr(self, "_execute_py")  # noqa: B009
        return execute(img)


def _array(value: Any) -> np.ndarray:
    """Return what a transform is given as an array; raises ``TypeError`` for None."""
    if value is None:
        raise ArgumentTypeError("A transform needs an array, a number or a text, but got None.")
    return np.asarray(value)


def empty_of(array: np.ndarray) -> Any:
    """Return what pads an array where no value is given: 0, or an empty text or bytes."""
    return {"U": "", "S": b""}.get(array.dtype.kind, 0)


def padded(array: np.ndarray, shape: Sequence[int], fill: Any) -> np.ndarray:
    """Return an array filled, or cut, at the ends of its axes.

    Raises:
        RuntimeError: If the array or the value is a text, or bytes, and the other is not.
    """
    kind, own = np.asarray(fill).dtype, array.dtype
    if {kind.kind, own.kind} & {"U", "S"}:
        if kind.kind != own.kind:
            raise EngineError(f"{own} cannot be padded by {fill!r}; give a pad_value of its kind.")
        own = np.promote_types(own, kind)
    else:
        # As in MindSpore, numbers go through float32, and wrap around in small integers.
        fill = np.float32(fill).astype(np.int64 if own.kind in "iu" else own).astype(own)
    kept = array[tuple(map(slice, shape))].astype(own, copy=False)
    edges = [(0, new - old) for new, old in zip(shape, kept.shape, strict=True)]
    return np.pad(kept, edges, constant_values=fill)


_COMPARE = (np.equal, np.not_equal, np.greater, np.greater_equal, np.less, np.less_equal)


def _dtype(given: Any) -> np.dtype:
    if given is mstype.string:
        return np.dtype(str)
    if isinstance(given, mstype.DType):
        return np.dtype(mstype.dtype_to_nptype(given))
    try:
        return np.dtype(given)
    except TypeError:
        raise ArgumentTypeError(
            f"A dtype of MindSpore or NumPy is needed, but got {given}."
        ) from None


def _several(transforms: Any) -> list[Callable[..., Any]]:
    if not one_of("transforms", transforms, list):
        raise ArgumentValueError("transforms list can not be empty.")
    for i, one in enumerate(transforms):
        if not callable(one):
            raise ArgumentTypeError(
                f"transforms[{i}] is neither a transforms op (TensorOperation) nor a "
                "callable pyfunc."
            )
    return list(transforms)


def _applied(transforms: Sequence[Callable[..., Any]], values: tuple[Any, ...]) -> tuple[Any, ...]:
    for transform in transforms:
        made = transform(*values)
        values = made if isinstance(made, tuple) else (made,)
    return values


def _pictures(values: tuple[Any, ...]) -> bool:
    """Return whether one of them is a PIL image."""
    return any(type(value).__module__.startswith("PIL.") for value in values)


def alone(values: Sequence[Any]) -> Any:
    """Return the one value there is, or all as a tuple."""
    several = list(values)
    return several[0] if len(several) == 1 else tuple(several)


class Compose(TensorOperation):
    """Apply several transforms in turn.

    Called by hand on a PIL image, or with a transform among them that MindSpore has in Python only
    (``ToPIL``, ``RandomErasing``, ...), it gives a tuple, even of one; so does MindSpore.

    Args:
        transforms: list of functions; a tuple that one gives is the arguments of the next.
    """

    _within = ("transforms",)

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = _several(transforms)
        self.python_only = any(getattr(one, "python_only", False) for one in self.transforms)

    def __call__(self, *values: Any) -> Any:
        made = _applied(self.transforms, values)
        return made if self.python_only or _pictures(values) else alone(made)

    def _by_python(self, values: tuple[Any, ...]) -> bool:
        """Return whether MindSpore draws in Python, from its generator, what is done to values."""
        known = all(hasattr(one, "implementation") for one in self.transforms)
        by_hand = self._draws is None
        return (_pictures(values) and (known or by_hand)) or (self.python_only and known)


class RandomApply(Compose):
    """Apply several transforms in turn, with a probability.

    Args:
        prob: float, 0 to 1.
    """

    def __init__(self, transforms: list[Callable[..., Any]], prob: float = 0.5) -> None:
        super().__init__(transforms)
        self.prob = a_probability(prob)

    def __call__(self, *values: Any) -> Any:
        drawn = random.random() if self._by_python(values) else self._chance().unit()
        return alone(values if drawn > self.prob else _applied(self.transforms, values))


class RandomChoice(Compose):
    """Apply one of several transforms."""

    def __call__(self, *values: Any) -> Any:
        if self._by_python(values):
            chosen = random.choice(self.transforms)
        else:
            chosen = self.transforms[self._chance().below(len(self.transforms))]
        return alone(_applied([chosen], values))


class RandomOrder(Compose):
    """Apply several transforms in random order."""

    _within = ()

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        super().__init__(transforms)
        self.python_only = True

    def __call__(self, *values: Any) -> Any:
        # As in MindSpore, each order is made of the one before.
        random.shuffle(self.transforms)
        return alone(_applied(self.transforms, values))


def in_pipeline(operations: Sequence[Any], after: bool = False) -> tuple[list[Any], bool]:
    """Return operations as MindSpore's pipelines run them, and whether a function is the last one.

    A transform that it does not have in Python only takes PIL images as arrays, in C++, where a
    function of the user's is before it.

    Args:
        operations: What each row goes through.
        after: Whether a function is before them.
    """
    made: list[Any] = []
    for one in operations:
        if type(one) is Compose:
            parts, after = in_pipeline(one.transforms, after)
            made += parts
            continue
        if after and isinstance(one, TensorOperation) and not getattr(one, "python_only", False):
            made.append(_as_arrays)
        after = not isinstance(one, (TensorOperation, PyTensorOperation))
        if isinstance(one, RandomApply):
            one = copy.copy(one)
            one.transforms, after = in_pipeline(one.transforms)
        elif isinstance(one, RandomChoice):
            after = any(in_pipeline([choice])[1] for choice in one.transforms)
        made.append(one)
    return made, after


def _as_arrays(*values: Any) -> Any:
    return alone([np.asarray(value) if _pictures((value,)) else value for value in values])


class TypeCast(TensorOperation):
    """Cast to a dtype.

    Args:
        data_type: A dtype of MindSpore or of NumPy.
    """

    def __init__(self, data_type: Any) -> None:
        self._dtype = _dtype(data_type)

    def __call__(self, *values: Any) -> Any:
        arrays = [_array(value) for value in values]
        for array in arrays:
            if (array.dtype.kind in "US") != (self._dtype.kind in "US"):
                raise EngineError(f"TypeCast: {array.dtype} does not become {self._dtype}.")
        return alone([array.astype(self._dtype) for array in arrays])


class OneHot(TensorOperation):
    """Make one-hot vectors of class numbers.

    Args:
        num_classes: int.
        smoothing_rate: float, 0 to 1, taken from the right class and spread over all.

    Differs from MindSpore: of several classes at once, smoothed, the first is not forgotten.
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        self._classes = an_int("num_classes", num_classes, 1)
        self._rate = a_number("smoothing_rate", smoothing_rate, 0, 1)

    def __call__(self, value: Any) -> np.ndarray:
        label = _array(value).squeeze()
        if label.ndim > 1 or not label.size:
            raise EngineError(f"OneHot: one class or a row of them is needed, not {label.shape}.")
        if label.dtype.kind not in "iu":
            raise EngineError(f"OneHot: the classes must be integers, but are {label.dtype}.")
        if label.min() < 0 or label.max() >= self._classes:
            raise EngineError(f"OneHot: the class {label} is outside [0, {self._classes}).")
        if self._rate == 0:
            return np.eye(self._classes, dtype=label.dtype)[label]
        return np.eye(self._classes)[label] * (1 - self._rate) + self._rate / self._classes


class Fill(TensorOperation):
    """Put one value everywhere.

    Args:
        fill_value: Number, bool, str or bytes.
    """

    def __init__(self, fill_value: Any) -> None:
        self._value = one_of("fill_value", fill_value, str, bytes, bool, int, float)

    def __call__(self, value: Any) -> np.ndarray:
        array, fill = _array(value), np.asarray(self._value)
        text = fill.dtype.kind in "US"
        if text != (array.dtype.kind in "US") or (text and fill.dtype.kind != array.dtype.kind):
            raise EngineError(f"Fill: {self._value!r} does not fit an array of {array.dtype}.")
        return np.full(array.shape, fill if text else fill.astype(array.dtype))


class Mask(TensorOperation):
    """Compare with a constant.

    Args:
        operator: Relational.
        constant: Number, str or bool.
        dtype: Of the result.
    """

    def __init__(self, operator: Relational, constant: Any, dtype: Any = mstype.bool_) -> None:
        self._compare = _COMPARE[one_of("operator", operator, Relational)]
        self._constant = one_of("constant", constant, str, float, bool, int, bytes)
        self._dtype = _dtype(dtype)

    def __call__(self, value: Any) -> np.ndarray:
        array, constant = _array(value), np.asarray(self._constant)
        text = array.dtype.kind in "US"
        if text != (constant.dtype.kind in "US"):
            raise EngineError(f"Mask: an array of {array.dtype} is not compared with {constant!r}.")
        constant = constant if text else constant.astype(array.dtype)
        return np.asarray(self._compare(array, constant), self._dtype)


class PadEnd(TensorOperation):
    """Put values after the ends of the axes until a shape is reached; cut where it is smaller.

    A value without axes stays as it is.

    Args:
        pad_shape: The shape; None for an axis that stays.
        pad_value: Number, str or bytes; 0 or an empty text by default.
    """

    def __init__(self, pad_shape: list[int | None], pad_value: Any = None) -> None:
        for size in one_of("pad_shape", pad_shape, list):
            _ = size is None or an_int("pad_shape", size, 1)
        kinds = (str, float, bool, int, bytes, type(None))
        self._shape, self._value = pad_shape, one_of("pad_value", pad_value, *kinds)

    def __call__(self, value: Any) -> np.ndarray:
        array = _array(value)
        if not array.ndim:
            return array
        if array.ndim != len(self._shape):
            raise EngineError(f"PadEnd: the shape {self._shape} has not the rank of {array.shape}.")
        shape = [
            old if new is None else new for new, old in zip(self._shape, array.shape, strict=True)
        ]
        return padded(array, shape, empty_of(array) if self._value is None else self._value)


class Slice(TensorOperation):
    """Take a part of each axis.

    Args:
        slices: For each axis an int, a list of int, a slice, None or ``...`` for all of it.
    """

    def __init__(self, *slices: object) -> None:
        for one in slices:
            kinds = (int, list, slice, type(None), type(...))
            every = [one, *(one if isinstance(one, list) else ())]
            if any(isinstance(x, bool) or not isinstance(x, kinds) for x in every):
                raise ArgumentTypeError(
                    f"Slice takes int, list, slice, None or ..., but got {one}."
                )
        self._slices = slices

    def __call__(self, value: Any) -> np.ndarray:
        array = _array(value)
        if len(self._slices) > array.ndim:
            raise EngineError(f"Slice: {len(self._slices)} slices for the shape {array.shape}.")
        for axis, one in enumerate(self._slices):
            if one is None or one is ...:
                continue
            try:
                chosen = np.arange(array.shape[axis])[[one] if isinstance(one, int) else one]
            except IndexError as error:
                raise EngineError(f"Slice: {error} of {array.shape}.") from error
            array = np.take(array, chosen, axis)
        return array


class Concatenate(TensorOperation):
    """Join columns along their axis.

    Args:
        axis: int, 0 or -1.
        prepend, append: Arrays to put before and after them, or None.
    """

    def __init__(self, axis: int = 0, prepend: Any = None, append: Any = None) -> None:
        if an_int("axis", axis, -(2**31)) not in (0, -1):
            raise ArgumentValueError("only 1D concatenation supported.")
        self._axis = axis
        for name, part in (("prepend", prepend), ("append", append)):
            one_of(name, part, np.ndarray, type(None))
        self._before, self._after = prepend, append

    def __call__(self, *values: Any) -> np.ndarray:
        ends = [[part] if part is not None else [] for part in (self._before, self._after)]
        parts = [*ends[0], *map(_array, values), *ends[1]]
        if any(part.ndim != 1 or part.dtype.type is not parts[0].dtype.type for part in parts):
            raise EngineError(
                "Concatenate: all must be of one axis and one kind, but are "
                f"{[(part.shape, str(part.dtype)) for part in parts]}."
            )
        return np.concatenate(parts, self._axis)


class Duplicate(TensorOperation):
    """Give a column twice."""

    def __call__(self, value: Any) -> tuple[np.ndarray, np.ndarray]:
        return _array(value), np.array(value)


class Unique(TensorOperation):
    """Give the values in the order of their first coming, the number of each, and the counts.

    Differs from MindSpore: 2.10 raises RuntimeError for any array.
    """

    def __call__(self, value: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        flat = np.asarray(value).ravel()
        found, first, which, counts = np.unique(
            flat, return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        place = np.argsort(order)
        return found[order], place[which].astype(np.int32), counts[order].astype(np.int32)


def not_random(function: Any) -> Any:
    """Accepted for compatibility: mark a function as one that draws nothing."""
    function.random = False
    return function


_BASES = ("Implementation", "PyTensorOperation", "TensorOperation")

__all__ = [n for n in public_names(globals()) if n[0].isupper() and n not in _BASES]

__getattr__ = missing_names(__name__)
