"""From Python and NumPy data to a raw array, with MindSpore's dtype rules (facts 2.1)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, unwrap
from msgrad._core.context import context
from msgrad._core.engine import is_tracer, to_device
from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.promotion import convert

_ACCEPTED = "['Tensor', 'ndarray', 'list', 'tuple', 'float', 'int', 'bool', 'complex', 'bytes']"


def to_array(data: Any, dtype: Any) -> jax.Array:
    """Make a raw array of ``data``, never aliasing its memory.

    Args:
        data: What ``Tensor`` accepts.
        dtype: A MindSpore dtype to cast to, or None.

    Raises:
        TypeError: If ``data`` is of no accepted kind, or a ragged or non-numeric list.
        RuntimeError: If an int does not fit 64 bits.
    """
    target = None if dtype is None else dtype.np_dtype
    if is_tensor(data) or isinstance(data, jax.Array):
        raw: Any = unwrap(data)
        target = raw.dtype if target is None else target
        # A weak JAX array would take part in arithmetic as a Python number; a Tensor does not.
        weak = getattr(raw, "weak_type", False)
        return convert(raw, target) if weak or raw.dtype != target else raw
    # A dtype that is given gets all digits of Python's floats.
    real = np.float32 if target is None else np.float64
    if context.lift is not None and any(is_tracer(unwrap(tensor)) for tensor in tensors_in(data)):
        form = to_numpy(map_tensors(_zeros, data), real)
        return _stacked(data, form.dtype if target is None else target)
    values = to_numpy(data, real)
    if target is not None and values.dtype != target:
        with np.errstate(over="ignore", invalid="ignore"):
            values = values.astype(target)
    raw = to_device(values)
    if context.lift is not None:
        context.lift.note_constant(raw, values)
    return raw


def described(shape: Any) -> tuple[tuple[int, ...], bool]:
    """Return the sizes that the ``shape`` of a Tensor without values means.

    Args:
        shape: int or sequence of int; None, -1 or a Symbol for an unknown size, None alone for any
            rank.

    Returns:
        The sizes, -1 for an unknown one and (-2,) for any rank, and whether something is unknown.
    """
    given = (shape,) if isinstance(shape, int) else shape
    unknown = (-1 if size is None or hasattr(size, "to_dict") else size for size in given or ())
    sizes = (-2,) if given is None else tuple(unknown)
    return sizes, any(size < 0 for size in sizes)


class NoValues:
    """Stands where an initializer would: the Tensor only describes an input.

    Args:
        shape: As it was given.

    Attributes:
        symbolic_shape: The sizes, Symbols as dicts; None where there are none.
    """

    def __init__(self, shape: Any) -> None:
        given = shape if isinstance(shape, (tuple, list)) else ()
        dicts = [size.to_dict() if hasattr(size, "to_dict") else size for size in given]
        self.symbolic_shape = dicts if dicts != [*given] else None

    def generate(self, shape: Any, dtype: Any) -> Any:
        raise EngineError(
            f"A Tensor of shape {shape} describes an input and has no values; it is for "
            "Cell.set_inputs and jit. To compute, make a Tensor of data, or give all sizes."
        )


def to_numpy(data: Any, real: Any = np.float32) -> np.ndarray:
    """Return what a Tensor of ``data`` would hold, also where its values would be traced.

    Args:
        data: What ``Tensor`` accepts.
        real: The dtype that Python's floats become.
    """
    if isinstance(data, np.ndarray):
        if data.dtype.kind in "OUSMm":
            raise ArgumentTypeError(
                f"For Tensor, the input_data is a numpy array of dtype {data.dtype}; accepted are "
                "bool, int, uint, float and complex."
            )
        return data
    if isinstance(data, np.generic):
        return np.asarray(data)
    if isinstance(data, (bool, int, float, complex)):
        return _number(data, real)
    if isinstance(data, bytes):
        return np.frombuffer(data, dtype=np.uint8)
    if isinstance(data, (list, tuple)):
        return _sequence(data, real)
    raise ArgumentTypeError(
        f"For 'Tensor', the type of 'input_data' should be one of '{_ACCEPTED}', but got type "
        f"'{type(data).__name__}'."
    )


def _number(value: complex, real: Any) -> np.ndarray:
    if isinstance(value, bool):
        return np.asarray(value)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            raise EngineError(f"Unsupported tensor type! The int {value} does not fit 64 bits.")
        return np.asarray(value, dtype=np.int64 if value < 2**63 else np.uint64)
    if isinstance(value, float):
        with np.errstate(over="ignore"):
            return np.asarray(value).astype(real)
    return np.asarray(value, dtype=np.complex128)


def _zeros(tensor: Any) -> np.ndarray:
    return np.zeros(tensor.shape, unwrap(tensor).dtype)


def _stacked(data: Any, dtype: Any) -> Any:
    """Return the values of a list of traced Tensors: constants, as where they are known."""
    if isinstance(data, (list, tuple)):
        return jnp.stack([_stacked(item, dtype) for item in data])
    return lax.stop_gradient(jnp.asarray(unwrap(data), dtype))


def _sequence(data: Any, real: Any) -> np.ndarray:
    def plain(item: Any) -> Any:
        if is_tensor(item):
            return item.asnumpy()
        return [plain(i) for i in item] if isinstance(item, (list, tuple)) else item

    try:
        values = np.asarray(plain(data))
    except (ValueError, OverflowError):
        values = np.asarray(None)
    if values.dtype.kind not in "biufc":
        raise ArgumentTypeError(
            f"For Tensor, the input_data is {data} that contain unsupported element."
        )
    if values.dtype == np.float64:
        with np.errstate(over="ignore"):
            return values.astype(real)
    return values.astype(np.int64) if values.dtype == np.int32 else values
