"""New Tensors of given contents: zeros, full, eye, arange, linspace; ``random`` has random ones."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.basics import stop_gradient
from msgrad._core.bridge import is_tensor, static
from msgrad._core.checks import above, of_type
from msgrad._core.declared import Sizes
from msgrad._core.engine import is_size, to_device
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError, OptionError
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import convert
from msgrad._core.registry import function, method, spelling
from msgrad._core.rounding import quotient, rounded
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor


def shape_of(size: Any) -> tuple[int, ...]:
    """Return what a caller passed as a size as a shape.

    Raises:
        TypeError: If it is not an int, nor a tuple, list or Tensor of ints.
        ValueError: If a size is negative.
    """
    given = static(size)
    sizes = (given,) if is_size(given) else given
    if not isinstance(sizes, tuple) or not all(map(is_size, sizes)):
        raise OptionError(
            f"the size must be an int, or a tuple, list or Tensor of ints, but got {size!r}."
        )
    if any(s < 0 for s in sizes):
        raise ArgumentValueError(
            f"every dimension of the shape must be greater than or equal to 0, but got {sizes}."
        )
    return sizes


def dtype_of(dtype: Any, default: mstype.DType) -> np.dtype[Any]:
    """Return the NumPy dtype of an optional MindSpore dtype.

    Raises:
        TypeError: If it is given and is not a MindSpore dtype.
    """
    if dtype is None:
        return mstype.to_numpy(default)
    of_type("", "dtype", dtype, mstype.DType)
    return mstype.to_numpy(_CONCRETE.get(dtype, dtype))


_CONCRETE = {mstype.int_: mstype.int32, mstype.float_: mstype.float32, mstype.uint: mstype.uint32}


@operator("Fill")
def _filled(value: Operand, shape: Sizes, dtype: Any) -> Array:
    return jnp.full(shape, jnp.asarray(value).astype(dtype), dtype)


def _all_bits(number: np.ndarray) -> Any:
    """Return a number of NumPy so that a kernel gets it with all of its 64 bits."""
    return to_device(number) if number.dtype.itemsize > 4 else number


def _fill(shape: tuple[int, ...], value: Any, dtype: np.dtype[Any]) -> Tensor:
    if is_tensor(value) and value.shape not in ((), (1,)):
        raise ArgumentValueError(
            f"the value must be a number or a Tensor that holds one, but got shape {value.shape}."
        )
    raw = value._read() if is_tensor(value) else _all_bits(np.asarray(value).astype(dtype))
    return _filled.run((shape, dtype), (value,), (raw,))


@function(primitive="Ones")
def ones(shape: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of ones.

    Args:
        shape: int, or tuple, list or Tensor of ints.
        dtype: float32 by default.

    Raises:
        TypeError: If the shape is of another type, or the dtype is not a MindSpore dtype.
        ValueError: If a size is negative.
    """
    return _fill(shape_of(shape), 1, dtype_of(dtype, mstype.float32))


@function(primitive="Zeros")
def zeros(size: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of zeros; see ``ones``."""
    return _fill(shape_of(size), 0, dtype_of(dtype, mstype.float32))


@function
def full(
    size: tuple | list, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return a Tensor filled with one value.

    Args:
        size: tuple or list of ints.
        fill_value: Number, or Tensor that holds one.
        dtype: int64 by default, whatever the value is.

    Raises:
        TypeError: If the size is not a tuple or list.
        ValueError: For a Tensor that holds more than one number.
    """
    return _fill(shape_of(size), fill_value, dtype_of(dtype, mstype.int64))


@function
def fill(type: mstype.DType, shape: Any, value: Tensor | float | bool) -> Tensor:
    """Return a Tensor of the dtype ``type`` filled with ``value``."""
    return _fill(shape_of(shape), value, dtype_of(type, mstype.float32))


@function(primitive="Fill", public=False)
def _fill_primitive(
    type: mstype.DType, shape: Tensor | tuple[int, ...], value: Tensor | float | bool
) -> Tensor:
    """Return a Tensor of the dtype ``type`` filled with ``value``."""
    # MindSpore's Primitive makes a number of a Tensor: unlike that of ``fill`` it has no gradient.
    return fill(type, shape, stop_gradient(value) if is_tensor(value) else value)


@function(method="fill(value: fill_value)")
def full_like(
    input: Tensor, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return ``fill_value`` in the shape and, by default, the dtype of ``input``.

    Raises:
        TypeError: If ``input`` is not a Tensor.
    """
    return _fill(input.shape, fill_value, dtype_of(dtype, input.dtype))


_LIKE = """Return {} of the shape and, by default, the dtype of ``input``.

    Raises:
        TypeError: If ``input`` is not a Tensor.
    """
ones_like = spelling(
    "ones_like(input, *, dtype=None, _: fill_value = 1)",
    full_like,
    _LIKE.format("ones"),
    primitive="OnesLike",
)
zeros_like = spelling(
    "zeros_like(input, *, dtype=None, _: fill_value = 0)",
    full_like,
    _LIKE.format("zeros"),
    primitive="ZerosLike ZerosLikeExt(input, dtype=None, /)",
)


@operator("Eye")
def _eye(n: int, m: int, dtype: Any) -> Array:
    return jnp.eye(n, m, dtype=dtype)


@function(primitive="Eye")
def eye(n: int, m: int | None = None, dtype: mstype.DType | None = None) -> Tensor:
    """Return ``n`` rows and ``m`` (or ``n``) columns with ones on the diagonal, float32 by default.

    Raises:
        ValueError: If a size is negative.
    """
    rows, columns = shape_of((n, n if m is None else m))
    return _eye(rows, columns, dtype_of(dtype, mstype.float32))


@operator("Range")
def _steps(start: Operand, step: Operand, length: int, dtype: Any) -> Array:
    return convert(start + rounded(step * jax.lax.iota(start.dtype, length)), np.dtype(dtype))


def _stepped(start: Any, end: Any, step: Any, dtype: Any) -> Tensor:
    first, last, delta = (v.item() if is_tensor(v) else v for v in (start, end, step))
    if delta == 0:
        raise ArgumentValueError("the step must not be 0.")
    if (last - first) * delta < 0:
        raise ArgumentValueError(
            f"the step {delta} leads away from the end: start {first}, end {last}."
        )
    real = any(isinstance(v, float) for v in (first, last, delta))
    kind = dtype_of(dtype, mstype.float32 if real else mstype.int64)
    wide = np.float64 if real else np.int64
    length = max(0, math.ceil((last - first) / delta))
    operands = (np.asarray(first, wide), np.asarray(delta, wide))
    if kind.kind not in "iub":
        operands = tuple(o.astype(kind) for o in operands)
    return _steps.run((length, kind), (None, None), tuple(map(_all_bits, operands)))


@function(primitive="Arange(start, end, step, dtype=None, /)")
def arange(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return ``start, start + step, ...`` below ``end``.

    Args:
        start: Number or 0-d Tensor; the end where it is the only argument.
        end: Where to stop, itself not included.
        step: The distance.
        dtype: By default int64 for ints, float32 otherwise.

    Raises:
        ValueError: If the step is 0 or leads away from the end.
    """
    if isinstance(step, bool):
        raise ArgumentTypeError(f"the 'step' must be a number, but got {step}.")
    if end is None:
        start, end = 0, start
    return _stepped(start, end, step, dtype)


@function(primitive="Range(maxlen=1000000)")
def range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """Return ``start, start + step, ...`` below ``end``: int64 of ints, float32 otherwise."""
    return _stepped(start, end, step, None)


tensor_range = range


@function
def make_range(*bounds: int) -> tuple[int, ...]:
    """Return the ints of Python's ``range`` as a tuple."""
    return tuple(np.arange(*bounds).tolist())


def spaced(
    first: Array, last: Array, gaps: int, count: int, ends: bool = True
) -> tuple[Array, Array]:
    """Return ``count`` numbers from ``first`` on along a new first axis, and the step between them.

    Each is one product and one sum, with which they are MindSpore's to the last bit; ``gaps`` steps
    lead to ``last``, and by ``ends`` it is itself there.
    """
    step = quotient(last - first, jnp.asarray(max(gaps, 1), first.dtype))
    places = jnp.arange(count, dtype=first.dtype).reshape((count,) + (1,) * step.ndim)
    values = first + rounded(places * step)
    return jnp.where(places == gaps, last, values) if ends and gaps else values, step


@operator("LinSpace", primitive=True)
def linspace(start: Operand, end: Operand, steps: int) -> Array:
    """Return ``steps`` numbers from ``start`` to ``end``, both included, float32.

    Args:
        start: Number or 0-d Tensor.
        end: Number or 0-d Tensor.
        steps: How many, at least 1.

    Raises:
        ValueError: If ``steps`` is not positive.
    """
    above("", "steps", steps, 0)
    first, last = (jnp.asarray(v) for v in (start, end))
    kind = jnp.float64 if jnp.float64 in (first.dtype, last.dtype) else jnp.float32
    return spaced(first.astype(kind), last.astype(kind), steps - 1, steps, False)[0]


@operator("LogSpace", primitive="(steps=10, base=10, dtype=mstype.float32)")
def logspace(
    start: Operand,
    end: Operand,
    steps: int,
    base: int = 10,
    *,
    dtype: mstype.DType = mstype.float32,
) -> Array:
    """Return ``steps`` powers of ``base``, of exponents from ``start`` to ``end``.

    Args:
        start: Number or 0-d Tensor.
        end: Number or 0-d Tensor.
        steps: How many.
        base: An int.
        dtype: float16, float32 or float64.
    """
    # As MindSpore does: of float32, and rounded to it in the end.
    ends = (jnp.asarray(side).astype(jnp.float32) for side in (start, end))
    first, last = (side.astype(jnp.float64) for side in ends)
    powers = spaced(first, last, steps - 1, steps, False)[0]
    return jnp.power(jnp.float64(base), powers).astype(dtype.np_dtype)


@function(primitive="ScalarToTensor")
def scalar_to_tensor(input_x: Any, dtype: mstype.DType = mstype.float32) -> Tensor:
    """Return a number as a 0-d Tensor of a dtype.

    Raises:
        TypeError: If ``input_x`` is not a number.
    """
    if not isinstance(input_x, (int, float)):
        raise ArgumentTypeError(f"'input_x' must be a number, but got {type(input_x)}.")
    return Tensor(input_x, dtype)


@function(primitive="TupleToArray")
def tuple_to_array(input_x: tuple[Any, ...] | range) -> Tensor:
    """Return a tuple (or range) of ints (int32) or floats (float32) as a 1-D Tensor.

    Raises:
        TypeError: If its elements are of several types.
    """
    kinds = {type(v) for v in input_x}
    if len(kinds) != 1:
        raise ArgumentTypeError(
            "all elements of 'input_x' must be have same type, but got "
            f"{sorted(k.__name__ for k in kinds)}."
        )
    return Tensor(list(input_x), mstype.int32 if kinds == {int} else mstype.float32)


@method("new_zeros")
def _new_zeros(self: Tensor, size: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return zeros of a shape, of the same dtype unless another is given."""
    return zeros(size, self.dtype if dtype is None else dtype)


@method("new_ones")
def _new_ones(self: Tensor, size: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return ones of a shape, of the same dtype unless another is given."""
    return ones(size, self.dtype if dtype is None else dtype)


@method("new_full")
def _new_full(
    self: Tensor, size: Any, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return a Tensor filled with a value, of the same dtype unless another is given."""
    kind = dtype_of(dtype, self.dtype)
    return _fill(shape_of(size), fill_value, kind)


@method("fill_")
def _fill_in_place(self: Tensor, value: Any) -> Tensor:
    """Fill with a value, in place."""
    self._write(full_like(self, value)._peek())
    return self


@method("zero_")
def _zero_in_place(self: Tensor) -> Tensor:
    """Fill with zeros, in place."""
    return self.fill_(0)


@method("copy_")
def _copy_in_place(self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    """Copy the elements of ``src`` into the Tensor, in place, with broadcasting.

    Raises:
        RuntimeError: If ``src`` does not broadcast to the shape of the Tensor.
    """
    try:
        copied = src.astype(self.dtype).broadcast_to(self.shape)
    except ArgumentValueError as error:
        raise KernelError(f"copy_ into a Tensor of shape {self.shape}: {error}") from error
    self._write(copied._peek())
    return self
