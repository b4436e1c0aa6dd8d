"""New arrays: of given contents, ranges, random ones, windows, grids and triangles."""

from __future__ import annotations

import builtins
import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.bridge import static
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy.array_ops import repeated
from msgrad.numpy.dtypes import dtype_of, raw_dtype
from msgrad.numpy.utils import tensor
from msgrad.ops._axis import normal_axis
from msgrad.ops.creation import shape_of

Number = int | float | bool


@checked
def array(obj: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """Return a new Tensor of something array-like, with at least ``ndmin`` dimensions."""
    made = tensor(obj, dtype)
    if ndmin > made.ndim:
        if made.size == 0:
            raise ArgumentValueError("For 'array', an empty Tensor cannot get more dimensions.")
        made = made.reshape((1,) * (ndmin - made.ndim) + made.shape)
    return made.copy() if copy and made is obj else made


@checked
def asarray(a: Any, dtype: Any = None) -> Tensor:
    """Return something array-like as a Tensor; a Tensor of that dtype is returned itself."""
    return tensor(a, dtype)


@checked
def asfarray(a: Any, dtype: Any = mstype.float32) -> Tensor:
    """Return something array-like as a floating Tensor."""
    if dtype is None:
        return tensor(a)
    found = dtype_of(dtype)
    return tensor(a, found if raw_dtype(found).kind == "f" else mstype.float32)


@checked
def copy(a: Any) -> Tensor:
    """Return a copy of something array-like."""
    return tensor(a).copy()


def _sizes(name: str, shape: Any) -> tuple[int, ...]:
    if isinstance(shape, (Tensor, int, tuple, list)):
        return shape_of(shape)
    raise ArgumentTypeError(
        f"For '{name}', the shape must be int, tuple, list or Tensor, but got {type(shape)}."
    )


def _constant(name: str, value: int) -> Any:
    def call(shape: Any, dtype: Any = mstype.float32) -> Tensor:
        return ops.full(_sizes(name, shape), value, dtype=dtype_of(dtype))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return a Tensor of {name} of a shape."
    return checked(call)


ones = _constant("ones", 1)
zeros = _constant("zeros", 0)


@checked
def empty(shape: Any, dtype: mstype.DType | None = mstype.float32) -> Tensor:
    """Return a Tensor of a shape; its elements are 0."""
    return ops.zeros(shape, dtype)


@checked
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """Return a Tensor of a shape, filled with a number or with an array that broadcasts to it."""
    sizes = _sizes("full", shape)
    if isinstance(fill_value, (bool, int, float)):
        kind = tensor(fill_value).dtype if dtype is None else dtype_of(dtype)
        return ops.full(sizes, fill_value, dtype=kind)
    return repeated(tensor(fill_value, dtype), sizes)


def _like(name: str, value: int, label: str = "a") -> Any:
    def call(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
        return full_like(a, value, dtype, shape)

    def of_prototype(prototype: Any, dtype: Any = None, shape: Any = None) -> Tensor:
        return full_like(prototype, value, dtype, shape)

    made = call if label == "a" else of_prototype
    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"Return a Tensor of {value} with the shape and dtype of another one."
    return checked(made)


@checked
def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a Tensor filled with a value, with the shape and dtype of another one."""
    model = tensor(a)
    sizes = shape if shape is not None and shape not in ((), []) else model.shape
    return full(sizes, fill_value, model.dtype if dtype is None else dtype)


ones_like = _like("ones_like", 1)
zeros_like = _like("zeros_like", 0)
empty_like = _like("empty_like", 0, "prototype")


def _sizes_of_random(shape: tuple[Any, ...]) -> tuple[int, ...]:
    if len(shape) == 1 and isinstance(shape[0], (list, tuple)):
        shape = tuple(shape[0])
    if not all(isinstance(size, int) for size in shape):
        raise ArgumentTypeError(f"The sizes of a random Tensor must be ints, but got {shape!r}.")
    return shape or (1,)


def _random_dtype(dtype: Any, *kinds: str) -> mstype.DType:
    try:
        found = dtype_of(dtype)
    except ArgumentTypeError:
        found = None
    if found is None or found.np_dtype is None or found.np_dtype.kind not in kinds:
        raise ArgumentValueError(f"A random Tensor cannot have the dtype {dtype!r}.")
    return found


@checked
def randn(*shape: Any, dtype: Any = mstype.float32) -> Tensor:
    """Return a Tensor of samples of the standard normal distribution."""
    found = _random_dtype(dtype, "f")
    return ops.randn(_sizes_of_random(shape)).astype(found)


@checked
def rand(*shape: Any, dtype: Any = mstype.float32) -> Tensor:
    """Return a Tensor of samples of the uniform distribution on ``[0, 1)``."""
    found = _random_dtype(dtype, "f")
    return ops.rand(_sizes_of_random(shape)).astype(found)


@checked
def randint(
    minval: int, maxval: int | None = None, shape: Any = None, dtype: Any = mstype.int32
) -> Tensor:
    """Return random ints of ``[minval, maxval)``, or of ``[0, minval)`` without ``maxval``."""
    low, high = (0, minval) if maxval is None else (minval, maxval)
    if low >= high:
        raise ArgumentValueError(f"For 'randint', [{low}, {high}) holds no int.")
    found = _random_dtype(dtype, "i")
    return ops.randint(low, high, (1,) if shape is None else _sizes("randint", shape)).astype(found)


@checked
def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Tensor:
    """Return the numbers from ``start`` (0) up to ``stop``, ``step`` (1) apart; int32 of ints.

    Raises:
        ValueError: If there are none.
    """
    start, stop, step = (static(v) for v in (start, stop, step))
    given = [v for v in (start, stop, step) if v is not None]
    if not all(isinstance(v, (int, float)) for v in given):
        raise ArgumentTypeError(f"For 'arange', the arguments must be numbers, but got {given}.")
    whole = all(isinstance(v, int) for v in given)
    first, last = (0, start) if stop is None else (start, stop)
    stride = 1 if step is None else step
    count = math.ceil((last - first) / stride)
    if count <= 0:
        raise ArgumentValueError(f"For 'arange', there is no number from {first} to {last}.")
    kind = np.int64 if whole else np.float32
    values = np.arange(count, dtype=kind) * np.asarray(stride, kind) + np.asarray(first, kind)
    found = (mstype.int32 if whole else mstype.float32) if dtype is None else dtype
    return Tensor(values, mstype.from_numpy(values.dtype)).astype(found)


@operator("linspace")
def _between(start: Array, stop: Array, num: int, endpoint: bool, axis: int) -> Any:
    start, stop = jnp.broadcast_arrays(start, stop)
    dtype = jnp.promote_types(jnp.promote_types(start.dtype, stop.dtype), jnp.float32)
    start, stop = start.astype(dtype), stop.astype(dtype)
    axis = normal_axis(axis, start.ndim + 1)
    if num == 1:
        step = jnp.full_like(start, jnp.nan) if endpoint else stop - start
        return jnp.expand_dims(start, axis), step
    step = (stop - start) / (num - 1 if endpoint else num)
    count = jnp.arange(num, dtype=dtype).reshape((num,) + (1,) * start.ndim)
    values = start + count * step
    if endpoint:
        values = values.at[-1].set(stop)
    return jnp.moveaxis(values, 0, axis), step


def _ends(name: str, start: Any, stop: Any, num: int) -> tuple[Tensor, ...]:
    if num < 1:
        raise ArgumentValueError(f"For '{name}', num must be above 0, but got {num}.")
    return tuple(
        v if isinstance(v, Tensor) else tensor(v).astype(mstype.float32) for v in (start, stop)
    )


@checked
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Return ``num`` evenly spaced numbers from ``start`` to ``stop`` along a new axis.

    Returns:
        Tensor, float32 by default; with ``retstep`` a tuple of it and the step.
    """
    values, step = _between(*_ends("linspace", start, stop, num), num, endpoint, axis)
    values = ops.cast(values, mstype.float32 if dtype is None else dtype_of(dtype))
    return (values, step) if retstep else values


@checked
def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Number = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Return ``base`` to the power of ``num`` evenly spaced exponents."""
    found = mstype.float32 if dtype is None else dtype_of(dtype)
    return ops.cast(ops.pow(base, linspace(start, stop, num, endpoint, axis=axis)), found)


@operator("geomspace")
def _geometric(start: Array, stop: Array, num: int, endpoint: bool, axis: int) -> Array:
    root = num - 1 if endpoint else num
    bases = jnp.asarray(stop / start) ** (1.0 / root)
    shape = (num,) + (1,) * bases.ndim
    powers = bases ** jnp.arange(num, dtype=bases.dtype).reshape(shape)
    return jnp.moveaxis(start * powers, 0, normal_axis(axis, bases.ndim + 1))


@checked
def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Tensor:
    """Return ``num`` numbers from ``start`` to ``stop``, each a constant multiple of the last."""
    found = mstype.float32 if dtype is None else dtype_of(dtype)
    ends = _ends("geomspace", start, stop, num)
    return ops.cast(_geometric(*ends, num, endpoint, axis), found)


@checked
def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = mstype.float32) -> Tensor:
    """Return a matrix with ones on the k-th diagonal and zeros elsewhere, of shape (N, M)."""
    return Tensor(np.eye(N, M, k, raw_dtype(dtype)))


@checked
def identity(n: int, dtype: Any = mstype.float32) -> Tensor:
    """Return the identity matrix of shape (n, n)."""
    return eye(n, dtype=dtype)


@checked
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = mstype.float32) -> Tensor:
    """Return a matrix (N, M) with ones on and below the k-th diagonal."""
    return Tensor(np.tri(N, M, k, raw_dtype(dtype)))


@operator("Tril", int_grad=True)
def _triangle(m: Array, k: int, lower: bool) -> Array:
    if not m.ndim:
        raise ArgumentValueError("The input must have at least one dimension.")
    return jnp.tril(_rows(m), k) if lower else jnp.triu(_rows(m), k)


def _rows(m: Array) -> Array:
    return jnp.broadcast_to(m, (*m.shape, *m.shape)) if m.ndim == 1 else m


@checked
def tril(m: Any, k: int = 0) -> Tensor:
    """Return the lower triangle: zeros above the k-th diagonal."""
    return _triangle(tensor(m), k, True)


@checked
def triu(m: Any, k: int = 0) -> Tensor:
    """Return the upper triangle: zeros below the k-th diagonal."""
    return _triangle(tensor(m), k, False)


@operator("Diagonal", int_grad=True)
def _diagonal(a: Array, offset: int, axis1: int, axis2: int) -> Array:
    return jnp.diagonal(a, offset, axis1, axis2)


@checked
def diagonal(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the diagonal of two axes, as the last axis."""
    return _diagonal(a, offset, axis1, axis2)


@checked
def trace(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """Return the sum along the diagonal of two axes."""
    return diagonal(a, offset, axis1, axis2).sum(-1, dtype=dtype)


@checked
def meshgrid(*xi: Tensor, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """Return a grid of coordinates, one Tensor per input; ``indexing`` is ``'xy'`` or ``'ij'``."""
    if indexing not in ("xy", "ij"):
        raise ArgumentTypeError(f"For 'meshgrid', indexing must be 'xy' or 'ij', not {indexing!r}.")
    order = list(builtins.range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        order[:2] = 1, 0
    flat = [x.ravel() for x in xi]
    shape = tuple(flat[i].size for i in order)
    grids = []
    for x, place in zip(flat, order, strict=True):
        grid = x.reshape(tuple(s if i == place else 1 for i, s in enumerate(shape)))
        grids.append(grid if sparse else repeated(grid, shape))
    return grids


class _Grid:
    """``mgrid`` and ``ogrid``: a grid by slices; a complex step is a number of points."""

    def __init__(self, sparse: bool) -> None:
        self.sparse = sparse

    def __getitem__(self, keys: Any) -> Any:
        lines = []
        for key in (keys,) if isinstance(keys, slice) else keys:
            if not isinstance(key.start, int) or not isinstance(key.stop, int):
                raise ArgumentTypeError(f"The limits of a grid must be ints, but got {key}.")
            step = key.step or 1
            many = isinstance(step, complex)
            count = int(builtins.abs(step)) if many else 0
            line = linspace(key.start, key.stop, count) if many else None
            lines.append(arange(key.start, key.stop, step) if line is None else line)
        grids = meshgrid(*lines, sparse=self.sparse, indexing="ij")
        if len(grids) == 1:
            return grids[0]
        return grids if self.sparse else tensor(grids)


mgrid = _Grid(sparse=False)
ogrid = _Grid(sparse=True)


@operator("diag", int_grad=True)
def _diag(v: Array, k: int) -> Array:
    return jnp.diag(v, k)


@checked
def diag(v: Tensor, k: int = 0) -> Tensor:
    """Return the k-th diagonal of a matrix, or a matrix with it of a vector."""
    if v.ndim not in (1, 2):
        raise ArgumentValueError(f"For 'diag', the input must be 1-d or 2-d, but is {v.ndim}-d.")
    return _diag(v, k)


@checked
def diagflat(v: Tensor, k: int = 0) -> Tensor:
    """Return a matrix with the flattened input on its k-th diagonal."""
    return _diag(v.ravel(), k)


@checked
def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the positions of the main diagonal of an array of shape (n, n, ...)."""
    return (arange(0, n),) * ndim


@checked
def ix_(*args: Tensor) -> tuple[Tensor, ...]:
    """Return 1-d Tensors shaped so that together they index a grid."""
    if any(a.ndim != 1 for a in args):
        raise ArgumentValueError("For 'ix_', each input must be 1-d.")
    return tuple(meshgrid(*args, sparse=True, indexing="ij"))


@checked
def indices(dimensions: tuple | list, dtype: Any = mstype.int32, sparse: bool = False) -> list:
    """Return the positions along each axis of a grid, one Tensor per axis."""
    lines = [arange(size, dtype=dtype) for size in dimensions]
    return meshgrid(*lines, sparse=sparse, indexing="ij")


@checked
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return the powers of a vector as columns, the highest first unless ``increasing``."""
    if not isinstance(x, (list, tuple, Tensor)):
        raise ArgumentTypeError(f"For 'vander', x must be array-like, but got {type(x)}.")
    x = tensor(x)
    if x.ndim != 1:
        raise ArgumentValueError(f"For 'vander', x must be 1-d, but is {x.ndim}-d.")
    count = N or x.size
    if count <= 0:
        raise ArgumentValueError(f"For 'vander', N must be above 0, but got {count}.")
    powers = arange(count) if increasing else arange(count - 1, -1, -1)
    return ops.pow(x.reshape(-1, 1), powers.astype(x.dtype))


def _window(name: str, values: Any) -> Any:
    def call(M: int) -> Tensor:
        return Tensor((values(M) if M > 1 else np.ones(builtins.max(0, M))).astype(np.float32))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return the {name} window of ``M`` points, float32."
    return checked(call)


bartlett = _window("bartlett", np.bartlett)
blackman = _window("blackman", np.blackman)
hamming = _window("hamming", np.hamming)
hanning = _window("hanning", np.hanning)


def _triangle_places(upper: bool, n: Any, k: Any, m: Any) -> tuple[Tensor, ...]:
    rows, columns = np.indices((math.ceil(n), math.ceil(n if m is None else m)))
    places = np.nonzero(columns >= rows + k if upper else columns <= rows + k)
    return tuple(Tensor(p.astype(np.int32)) for p in places)


@checked
def triu_indices(n: Number, k: Number = 0, m: Number | None = None) -> tuple[Tensor, ...]:
    """Return the positions of the upper triangle of an (n, m) matrix."""
    return _triangle_places(True, n, k, m)


@checked
def tril_indices(n: Number, k: Number = 0, m: Number | None = None) -> tuple[Tensor, ...]:
    """Return the positions of the lower triangle of an (n, m) matrix."""
    return _triangle_places(False, n, k, m)


def _matrix_sizes(arr: Any) -> Any:
    shape = tensor(arr).shape
    if len(shape) != 2:
        raise ArgumentValueError(f"The input must be 2-d, but has the shape {shape}.")
    return shape


@checked
def triu_indices_from(arr: Any, k: Number = 0) -> tuple[Tensor, ...]:
    """Return the positions of the upper triangle of a matrix."""
    n, m = _matrix_sizes(arr)
    return _triangle_places(True, n, k, m)


@checked
def tril_indices_from(arr: Any, k: Number = 0) -> tuple[Tensor, ...]:
    """Return the positions of the lower triangle of a matrix."""
    n, m = _matrix_sizes(arr)
    return _triangle_places(False, n, k, m)


__all__ = [
    *("array", "asarray", "asfarray", "ones", "zeros", "full", "randn", "rand", "randint"),
    *("arange", "linspace", "logspace", "eye", "identity", "empty", "empty_like", "ones_like"),
    *("zeros_like", "full_like", "diagonal", "tril", "triu", "tri", "trace", "meshgrid", "mgrid"),
    *("ogrid", "diagflat", "diag", "diag_indices", "ix_", "indices", "geomspace", "vander"),
    *("hamming", "hanning", "bartlett", "blackman", "triu_indices", "tril_indices"),
    *("triu_indices_from", "tril_indices_from"),
]
