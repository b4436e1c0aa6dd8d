"""Crossing between Tensors and raw arrays: ``unwrap``, ``wrap`` and trees of both.

The Tensor class registers itself here, so that this layer imports nothing above it.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.context import context
from msgrad._core.engine import is_size
from msgrad._core.errors import IntRangeError, NotATensorError
from msgrad._core.promotion import is_inexact

_tensor_class: type[Any]


def register_tensor_class(cls: type[Any]) -> None:
    """Make ``cls`` the class that ``wrap`` builds; called once, by ``msgrad.common.tensor``."""
    global _tensor_class
    _tensor_class = cls


def is_tensor(obj: Any) -> bool:
    """Whether ``obj`` is a Tensor (or Parameter)."""
    return isinstance(obj, _tensor_class)


def wrap(raw: Any) -> Any:
    """Make a Tensor of a raw array, noting it in the running scope."""
    tensor = object.__new__(_tensor_class)
    tensor._data = raw
    # As ``note_made`` does it; this is hot.
    noting = context.scope or context.recorder
    if noting is not None:
        noting.made.append(weakref.ref(tensor))
    return tensor


def note_made(tensor: Any) -> None:
    """Note a new Tensor where it may stand for a value that is computed later."""
    noting = context.scope or context.recorder
    if noting is not None:
        noting.made.append(weakref.ref(tensor))


def unwrap(value: Any) -> Any:
    """Return the raw array of a Tensor as it reads now; anything else comes back unchanged."""
    return value._read() if isinstance(value, _tensor_class) else value


class Place(NamedTuple):
    """A tensor argument of an operator: the operator, its name there, and what is accepted.

    Attributes:
        owner: The operator.
        label: The argument.
        number: Whether a Python number is accepted in the place of a Tensor.
    """

    owner: str
    label: str
    number: bool


def operand(place: Place, value: Any) -> Any:
    """Turn one tensor argument of an operator into what ``dispatch`` takes.

    Args:
        place: Which argument of which operator.
        value: Tensor, raw JAX array, or, where it is accepted, a Python number or NumPy scalar.

    Raises:
        TypeError: For anything else, as MindSpore does.
        RuntimeError: For an int of more than 64 bits.
    """
    if isinstance(value, _tensor_class):
        return value._peek()
    kind = type(value)
    if place.number:
        # Before JAX's own isinstance, which is slow.
        if kind is float or kind is bool or kind is complex:
            return value
        if kind is int:
            return value if -(2**31) <= value < 2**31 else _of_64_bits(place, value)
    # What numbers are drawn from may come from NumPy: the call takes it to the device.
    if isinstance(value, jax.Array) or (place.label == "key" and kind is np.ndarray):
        return value
    if place.number and isinstance(value, (np.number, np.bool_)):
        return operand(place, value.item())
    if place.number and kind is not int and isinstance(value, (int, float)):
        # Made by mindspore.mutable, or a member of an IntEnum.
        return operand(place, static(value))
    if kind is int and not -(2**63) <= value < 2**63:
        raise too_large(place.owner, place.label, value)
    if place.number and is_size(value):
        # A size that ``jax.export`` leaves open, as in ``x.sum() / x.shape[0]``.
        return jnp.asarray(value)
    raise NotATensorError(
        f"Failed calling {place.owner}: '{place.label}' must be a Tensor"
        f"{' or a number' if place.number else ''}, but got {type(value)}; convert it with "
        "mindspore.Tensor(value)."
    )


def too_large(owner: str, label: str, value: int) -> IntRangeError:
    """Return the error for an int of more than 64 bits."""
    calling = f"Failed calling {owner}: " if owner else ""
    return IntRangeError(
        f"{calling}'{label}' must be an int of at most 64 bits, with its sign, but got one of "
        f"{value.bit_length() + 1} bits."
    )


def _of_64_bits(place: Place, value: int) -> jax.Array:
    if not -(2**63) <= value < 2**63:
        raise too_large(place.owner, place.label, value)
    # Weakly typed, as smaller numbers are: it takes the dtype of the Tensor beside it.
    with jax.enable_x64(True):
        return jnp.asarray(value)


def static(value: Any) -> Any:
    """Turn a static argument (axis, shape, flag, dtype) into a hashable Python value."""
    kind = type(value)
    if kind is int or kind is bool or value is None or kind is float or kind is str:
        return value
    if isinstance(value, (list, tuple)):
        return tuple(static(v) for v in value)
    if isinstance(value, _tensor_class):
        return static(value.asnumpy().tolist())
    if isinstance(value, (np.number, np.bool_)):
        return value.item()
    if isinstance(value, np.ndarray):
        return static(value.tolist())
    if hasattr(value, "__ms_origin_object__"):
        return value.__ms_origin_object__
    if isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else value


def tensors_in(tree: Any) -> Iterator[Any]:
    """Yield every Tensor in nested tuples, lists and dicts, depth first."""
    if isinstance(tree, _tensor_class):
        yield tree
    elif isinstance(tree, (tuple, list)):
        for item in tree:
            yield from tensors_in(item)
    elif isinstance(tree, dict):
        for item in tree.values():
            yield from tensors_in(item)


def has_tensors(tree: Any) -> bool:
    """Whether there is a Tensor in nested tuples, lists and dicts."""
    return any(True for _ in tensors_in(tree))


def map_tensors(fn: Callable[[Any], Any], tree: Any) -> Any:
    """Apply ``fn`` to every Tensor in nested tuples, lists and dicts, keeping the containers."""
    if isinstance(tree, _tensor_class):
        return fn(tree)
    if isinstance(tree, tuple):
        items = [map_tensors(fn, item) for item in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else tuple(items)
    if isinstance(tree, list):
        return [map_tensors(fn, item) for item in tree]
    if isinstance(tree, dict):
        return type(tree)((key, map_tensors(fn, item)) for key, item in tree.items())
    return tree


def refill(tree: Any, raws: Iterable[Any]) -> Any:
    """Return ``tree`` with new Tensors of raw arrays in place of its Tensors, in order."""
    rest = iter(raws)
    return map_tensors(lambda _: wrap(next(rest)), tree)


def wrap_arrays(tree: Any) -> Any:
    """Wrap the raw JAX arrays in nested tuples, lists and dicts; the usual Tensor costs nothing.

    Raw arrays come from Flax layers inside a Cell and from ``jnp`` functions in user code.
    """
    kind = type(tree)
    if kind is _tensor_class:
        return tree
    if kind is tuple or kind is list or kind is dict:
        items = tree.values() if kind is dict else tree
        wrapped = [*map(wrap_arrays, items)]
        # A list or dict without raw arrays stays the caller's own: construct may write to it.
        if all(map(operator.is_, wrapped, items)):
            return tree
        return dict(zip(tree, wrapped, strict=True)) if kind is dict else kind(wrapped)
    # A key of jax.random stays one: no Tensor has its dtype.
    raw = isinstance(tree, jax.Array) and not jnp.issubdtype(tree.dtype, jax.dtypes.extended)
    return wrap(tree) if raw else tree


def wrap_inexact(
    args: tuple[Any, ...], kwargs: dict[str, Any], wanted: Container[int]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Wrap the raw JAX arrays of inexact numbers at positions that have a gradient."""
    values: list[Any] = [*args, *kwargs.values()]
    for i, value in enumerate(values):
        if type(value) is not _tensor_class and isinstance(value, jax.Array) and i in wanted:
            values[i] = wrap(value) if is_inexact(value.dtype) else value
    return tuple(values[: len(args)]), dict(zip(kwargs, values[len(args) :], strict=True))


def wrap_tree(raw: Any) -> Any:
    """Wrap a kernel's result: an array, or a tuple or list of arrays."""
    if isinstance(raw, (tuple, list)):
        return type(raw)(wrap_tree(item) for item in raw)
    return wrap(raw)
