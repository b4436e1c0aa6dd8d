"""New arrays: of given contents, ranges, random ones, windows, grids and triangles."""

from __future__ import annotations

import builtins
import math
from functools import partial
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.bridge import is_tensor, static
from msgrad._core.checks import at_least
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array
from msgrad.common import dtype as mstype
from msgrad.common.seed import get_seed
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Function, Like, functions, kernel, row
from msgrad.numpy.array_ops import broadcast_to
from msgrad.numpy.dtypes import dtype_of, raw_dtype
from msgrad.numpy.utils import tensor
from msgrad.ops._checks import normal_axis, of_rank
from msgrad.ops.creation import shape_of, spaced
from msgrad.ops.random import ints, normal_numbers, uniform_numbers


def _listed(value: Any, dtype: Any = None) -> Any:
    """Return ``tensor(value, dtype)``; lists of several lengths are NumPy's ``ValueError``."""
    try:
        return tensor(value, dtype)
    except ArgumentTypeError:
        if isinstance(value, (tuple, list)):
            np.shape(value)
        raise


def array(obj: Any, dtype: Any = None, copy: bool | int = True, ndmin: int = 0) -> Tensor:
    """Return a new Tensor of something array-like, with at least ``ndmin`` dimensions."""
    made = _listed(obj, dtype)
    if ndmin > made.ndim:
        if made.size == 0:
            raise ArgumentValueError("an empty Tensor cannot get more dimensions.")
        made = made.reshape((1,) * (ndmin - made.ndim) + made.shape)
    return made.copy() if copy and made is obj else made


asarray = row("a, dtype=None", _listed, "Return an array-like as a Tensor; of that dtype, itself.")
copy = row("a: Like", lambda a: a.copy(), "Return a copy, a Parameter of a Parameter.")


def asfarray(a: Any, dtype: Any = mstype.float32) -> Tensor:
    """Return something array-like as a floating Tensor."""
    if dtype is None:
        return _listed(a)
    found = dtype_of(dtype)
    return _listed(a, found if raw_dtype(found).kind == "f" else mstype.float32)


def _sizes(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, (Tensor, int, tuple, list)):
        return shape_of(shape)
    raise ArgumentTypeError(f"the shape must be int, tuple, list or Tensor, but got {type(shape)}.")


def _constant(value: int) -> Any:
    return row(
        "shape, dtype=mstype.float32",
        lambda shape, dtype: ops.full(_sizes(shape), value, dtype=dtype_of(dtype)),
        f"Return a Tensor of a shape, filled with {value}.",
    )


ones = _constant(1)
zeros = _constant(0)


def empty(shape: Any, dtype: mstype.DType | None = mstype.float32) -> Tensor:
    """Return a Tensor of a shape; its elements are 0."""
    return ops.zeros(shape, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """Return a Tensor of a shape, filled with a number or with an array that broadcasts to it."""
    sizes = _sizes(shape)
    if isinstance(fill_value, (bool, int, float)):
        kind = tensor(fill_value).dtype if dtype is None else dtype_of(dtype)
        return ops.full(sizes, fill_value, dtype=kind)
    return broadcast_to(tensor(fill_value, dtype), sizes)


def full_like(a: Like, fill_value: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a Tensor of the shape of another one, and of its dtype if the value is a number."""
    sizes = shape if shape is not None and shape not in ((), []) else a.shape
    kind = (fill_value if is_tensor(fill_value) else a).dtype
    return full(sizes, fill_value, kind if dtype is None else dtype)


def _like(value: int, label: str = "a") -> Any:
    return row(
        f"{label}, dtype=None, shape=None",
        lambda a, dtype, shape: full_like(a, value, dtype, shape),
        f"Return a Tensor of {value} with the shape and dtype of another one.",
    )


ones_like = _like(1)
zeros_like = _like(0)
empty_like = _like(0, "prototype")


def _random(kind: str, function: Function, shape: Any, dtype: Any) -> Tensor:
    """Call what draws, with the sizes and the global seed, which MindSpore gives as its own too."""
    try:
        found = dtype_of(dtype)
    except ArgumentTypeError:
        found = None
    if found is None or found.np_dtype is None or found.np_dtype.kind != kind:
        raise ArgumentValueError(f"a random Tensor cannot have the dtype {dtype!r}.")
    sizes = shape or (1,)
    if len(shape) == 1 and isinstance(shape[0], (list, tuple)):
        sizes = tuple(shape[0])
    if not all(isinstance(size, (int, np.integer)) for size in sizes):
        raise ArgumentTypeError(f"the sizes of a random Tensor must be ints, but got {sizes!r}.")
    return function(get_seed(), sizes).astype(found)


def randn(*shape: Any, dtype: Any = mstype.float32) -> Tensor:
    """Return a Tensor of samples of the standard normal distribution."""
    return _random("f", partial(normal_numbers, "numpy.randn"), shape, dtype)


def rand(*shape: Any, dtype: Any = mstype.float32) -> Tensor:
    """Return a Tensor of samples of the uniform distribution on ``[0, 1)``."""
    return _random("f", partial(uniform_numbers, "numpy.rand"), shape, dtype)


def randint(
    minval: int, maxval: int | None = None, shape: Any = None, dtype: Any = mstype.int32
) -> Tensor:
    """Return random ints of ``[minval, maxval)``, or of ``[0, minval)`` without ``maxval``."""
    low, high = (0, minval) if maxval is None else (minval, maxval)
    if low >= high:
        raise ArgumentValueError(f"in [{low}, {high}) there is no int.")
    sizes = (1,) if shape is None else _sizes(shape)

    def drawn(seed: Any, _: Any) -> Tensor:
        return ints("numpy.randint", seed, low, high, sizes, np.dtype("int32"))

    return _random("i", drawn, (), dtype)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Tensor:
    """Return the numbers from ``start`` (0) up to ``stop``, ``step`` (1) apart; int32 of ints.

    Raises:
        ValueError: If there are none.
    """
    start, stop, step = (static(v) for v in (start, stop, step))
    given = [v for v in (start, stop, step) if v is not None]
    if not all(isinstance(v, (int, float)) for v in given):
        raise ArgumentTypeError(f"the arguments must be numbers, but got {given}.")
    whole = all(isinstance(v, int) for v in given)
    first, last = (0, start) if stop is None else (start, stop)
    stride = 1 if step is None else step
    count = math.ceil((last - first) / stride)
    if count <= 0:
        raise ArgumentValueError(f"there is no number from {first} to {last}.")
    kind = np.int64 if whole else np.float32
    values = np.arange(count, dtype=kind) * np.asarray(stride, kind) + np.asarray(first, kind)
    found = (mstype.int32 if whole else mstype.float32) if dtype is None else dtype
    return Tensor(values, mstype.from_numpy(values.dtype)).astype(found)


@kernel("linspace")
def _between(start: Array, stop: Array, num: int, endpoint: bool, axis: int) -> Any:
    dtype = jnp.promote_types(jnp.promote_types(start.dtype, stop.dtype), jnp.float32)
    gaps = num - 1 if endpoint else num
    values, step = spaced(start.astype(dtype), stop.astype(dtype), gaps, num)
    return jnp.moveaxis(values, 0, normal_axis(axis, values.ndim)), step


def _ends(start: Any, stop: Any, num: int) -> tuple[Tensor, ...]:
    at_least("", "num", num, 1)
    return tuple(
        v if isinstance(v, Tensor) else tensor(v).astype(mstype.float32) for v in (start, stop)
    )


def _float32(dtype: Any) -> mstype.DType:
    return mstype.float32 if dtype is None else dtype_of(dtype)


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
    values, step = _between(*_ends(start, stop, num), num, endpoint, axis)
    values = ops.cast(values, _float32(dtype))
    return (values, step if num > endpoint else math.nan) if retstep else values


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Return ``base`` to the power of ``num`` evenly spaced exponents."""
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    return ops.cast(ops.pow(base, exponents), _float32(dtype))


@kernel("geomspace")
def _geometric(start: Array, stop: Array, num: int, endpoint: bool, axis: int) -> Array:
    bases = jnp.asarray(stop / start) ** (1.0 / (num - 1 if endpoint else num))
    powers = bases ** jnp.arange(num, dtype=bases.dtype).reshape((num,) + (1,) * bases.ndim)
    return jnp.moveaxis(start * powers, 0, normal_axis(axis, bases.ndim + 1))


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Tensor:
    """Return ``num`` numbers from ``start`` to ``stop``, each a constant multiple of the last."""
    ends = _ends(start, stop, num)
    return ops.cast(_geometric(*ends, num, endpoint, axis), _float32(dtype))


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = mstype.float32) -> Tensor:
    """Return a matrix with ones on the k-th diagonal and zeros elsewhere, of shape (N, M)."""
    return Tensor(np.eye(N, M, k, raw_dtype(dtype)))


def identity(n: int, dtype: Any = mstype.float32) -> Tensor:
    """Return the identity matrix of shape (n, n)."""
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = mstype.float32) -> Tensor:
    """Return a matrix (N, M) with ones on and below the k-th diagonal."""
    return Tensor(np.tri(N, M, k, raw_dtype(dtype)))


def _rows(m: Array) -> Array:
    if not m.ndim:
        raise ArgumentValueError("the input must have at least one dimension.")
    return jnp.broadcast_to(m, (*m.shape, *m.shape)) if m.ndim == 1 else m


@kernel("Tril", int_grad=True)
def tril(m: Like, k: int = 0) -> Array:
    """Return the lower triangle: zeros above the k-th diagonal."""
    return jnp.tril(_rows(m), k)


@kernel("Tril", int_grad=True)
def triu(m: Like, k: int = 0) -> Array:
    """Return the upper triangle: zeros below the k-th diagonal."""
    return jnp.triu(_rows(m), k)


@kernel("Diagonal", int_grad=True)
def diagonal(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return the diagonal of two axes, as the last axis."""
    return jnp.diagonal(a, offset, axis1, axis2)


def trace(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """Return the sum along the diagonal of two axes."""
    return diagonal(a, offset, axis1, axis2).sum(-1, dtype=dtype)


def meshgrid(*xi: Tensor, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """Return a grid of coordinates, one Tensor per input; ``indexing`` is ``'xy'`` or ``'ij'``."""
    if indexing not in ("xy", "ij"):
        raise ArgumentTypeError(f"indexing must be 'xy' or 'ij', not {indexing!r}.")
    order = list(builtins.range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        order[:2] = 1, 0
    flat = [x.ravel() for x in xi]
    shape = tuple(flat[i].size for i in order)
    grids = []
    for x, place in zip(flat, order, strict=True):
        grid = x.reshape(tuple(s if i == place else 1 for i, s in enumerate(shape)))
        grids.append(grid if sparse else broadcast_to(grid, shape))
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
            if isinstance(step, complex):
                lines.append(linspace(key.start, key.stop, int(builtins.abs(step))))
            else:
                lines.append(arange(key.start, key.stop, step))
        grids = meshgrid(*lines, sparse=self.sparse, indexing="ij")
        if len(grids) == 1:
            return grids[0]
        return grids if self.sparse else tensor(grids)


mgrid = _Grid(sparse=False)
ogrid = _Grid(sparse=True)


@kernel("diag", int_grad=True)
def diag(v: Array, k: int = 0) -> Array:
    """Return the k-th diagonal of a matrix, or a matrix with it of a vector."""
    of_rank(v, 1, 2, label="v")
    return jnp.diag(v, k)


def diagflat(v: Tensor, k: int = 0) -> Tensor:
    """Return a matrix with the flattened input on its k-th diagonal."""
    return diag(v.ravel(), k)


def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the positions of the main diagonal of an array of shape (n, n, ...)."""
    return (arange(0, n),) * ndim


def ix_(*args: Tensor) -> tuple[Tensor, ...]:
    """Return 1-d Tensors shaped so that together they index a grid."""
    if any(a.ndim != 1 for a in args):
        raise ArgumentValueError("each input must be 1-d.")
    return tuple(meshgrid(*args, sparse=True, indexing="ij"))


def indices(dimensions: tuple | list, dtype: Any = mstype.int32, sparse: bool = False) -> list:
    """Return the positions along each axis of a grid, one Tensor per axis."""
    lines = [arange(size, dtype=dtype) for size in dimensions]
    return meshgrid(*lines, sparse=sparse, indexing="ij")


@kernel("vander", int_grad=True)
def vander(x: Like, N: int | None = None, increasing: bool = False) -> Array:
    """Return the powers of a vector as columns, the highest first unless ``increasing``."""
    if x.ndim != 1:
        kind = ArgumentValueError if x.ndim else ArgumentTypeError
        raise kind(f"x must be a vector, but is {x.ndim}-d.")
    return jnp.vander(x, N or x.size, increasing)


def _window(values: Function, summary: str) -> Any:
    def window(M: int) -> Tensor:
        return Tensor((values(M) if M > 1 else np.ones(builtins.max(0, M))).astype(np.float32))

    return row("M: int", window, f"Return the {summary} window of ``M`` points, float32.")


bartlett = _window(np.bartlett, "Bartlett")
blackman = _window(np.blackman, "Blackman")
hamming = _window(np.hamming, "Hamming")
hanning = _window(np.hanning, "Hann")


def _places(upper: bool, n: Any, k: Any, m: Any) -> tuple[Tensor, ...]:
    rows, columns = np.indices((math.ceil(n), math.ceil(n if m is None else m)))
    places = np.nonzero(columns >= rows + k if upper else columns <= rows + k)
    return tuple(Tensor(p.astype(np.int32)) for p in places)


def _places_of(upper: bool, arr: Tensor, k: Any) -> tuple[Tensor, ...]:
    of_rank(arr, 2, label="arr")
    return _places(upper, arr.shape[0], k, arr.shape[1])


_SIZES, _MATRIX = "n, k=0, m=None", "arr: Like, k=0"
_TEXT = "Return the positions of the {} triangle of {}."
triu_indices = row(_SIZES, partial(_places, True), _TEXT.format("upper", "an (n, m) matrix"))
tril_indices = row(_SIZES, partial(_places, False), _TEXT.format("lower", "an (n, m) matrix"))
triu_indices_from = row(_MATRIX, partial(_places_of, True), _TEXT.format("upper", "a matrix"))
tril_indices_from = row(_MATRIX, partial(_places_of, False), _TEXT.format("lower", "a matrix"))

__all__ = functions(globals(), "mgrid", "ogrid")
