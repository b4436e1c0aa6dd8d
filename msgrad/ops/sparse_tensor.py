"""``COOTensor``, ``CSRTensor`` and ``RowTensor``: containers of Tensors; JAX's BCOO computes.

Gradients flow through the values. What 2.10 cannot run on a CPU (``mv``, ``mm``, ``to_csr``) works.
"""

from __future__ import annotations

import operator as _symbols
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import of_type, one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.registry import method, public
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops import nn_ops, reduction, unary
from msgrad.ops._checks import need
from msgrad.ops.joining import cat

_INDICES = (mstype.int16, mstype.int32, mstype.int64)


def _matrix(indices: Array, values: Array, shape: tuple[int, ...]) -> Any:
    # Loaded when it is first needed.
    from jax.experimental.sparse import BCOO

    return BCOO((values, indices), shape=shape)


@operator("SparseToDense", public=False)
def _dense(indices: Array, values: Array, shape: tuple[int, ...]) -> Array:
    return _matrix(indices, values, shape).todense()


@operator("SparseMatMul", public=False, product=True)
def _product(indices: Array, values: Array, dense: Array, shape: tuple[int, ...]) -> Array:
    return _matrix(indices, values, shape) @ dense


@operator("SparseSum", public=False)
def _summed(places: Array, values: Array, count: int) -> Array:
    return jnp.zeros((count, *values.shape[1:]), values.dtype).at[places].add(values)


@operator("SparseTake", public=False)
def _taken(indices: Array, dense: Array) -> Array:
    return dense[tuple(indices.T)]


def _shown(value: Tensor) -> str:
    return f"Tensor(shape={list(value.shape)}, dtype={value.dtype}, value={_lines(value)})"


def _lines(value: Tensor) -> str:
    text = repr(value).partition("value=")[2][:-1].replace(",", "")
    return text.strip(" ") if value.ndim < 2 else text


class _Sparse:
    """What the kinds of sparse tensors have in common: values, and where they stand."""

    _parts: tuple[str, ...] = ("indices", "values")
    values: Tensor
    indices: Tensor
    shape: tuple[int, ...]

    @property
    def dtype(self) -> mstype.DType:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def size(self) -> int:
        """The number of values."""
        return self.values.size

    @property
    def itemsize(self) -> int:
        """Bytes of one value."""
        return self.values.itemsize

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def _hold(self, owner: str, given: tuple[Any, ...]) -> tuple[Any, ...]:
        for part, value in zip((*self._parts, "shape"), given, strict=True):
            setattr(self, part, of_type(owner, part, value, tuple if part == "shape" else Tensor))
        return given

    def _with(self, values: Tensor) -> Any:
        """Return the same with other values."""
        places = [getattr(self, part) for part in self._parts[:-1]]
        kind: Any = type(self)
        return kind(*places, values, self.shape)

    def _at(self) -> Tensor:
        """Return where each value stands, (n, 2)."""
        return self.indices

    def astype(self, dtype: Any) -> Any:
        """Convert the values to another dtype."""
        return self._with(self.values.astype(dtype))

    def abs(self) -> Any:
        """Return the same with absolute values."""
        return self._with(unary.abs(self.values))

    def to_dense(self) -> Tensor:
        """Return a Tensor; values of one place add up."""
        return _dense(self._at(), self.values, self.shape)

    def to_tuple(self) -> tuple[Any, ...]:
        """Return the parts and the shape."""
        return (*(getattr(self, part) for part in self._parts), self.shape)

    def __neg__(self) -> Any:
        return self._with(-self.values)

    def _sum(self, other: Any) -> Any:
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        return self._sum(other) if isinstance(other, _Sparse) else self.to_dense() + other

    def __sub__(self, other: Any) -> Any:
        return self._sum(-other) if isinstance(other, _Sparse) else self.to_dense() - other

    def _elementwise(self, symbol: Callable[[Any, Any], Any], other: Tensor) -> Any:
        of_type(type(self).__name__, "other", other, Tensor)
        values = symbol(self.values, _taken(self._at(), other.broadcast_to(self.shape)))
        return self._with(values)

    def __mul__(self, other: Tensor) -> Any:
        return self._elementwise(_symbols.mul, other)

    def __truediv__(self, other: Tensor) -> Any:
        return self._elementwise(_symbols.truediv, other)

    def __repr__(self) -> str:
        parts = ", ".join(f"{part}={_shown(getattr(self, part))}" for part in self._parts)
        return f"{type(self).__name__}(shape={list(self.shape)}, dtype={self.dtype}, {parts})"


class COOTensor(_Sparse):
    """A sparse matrix as places and values.

    Args:
        indices: Tensor (n, 2), int16, int32 or int64.
        values: Tensor (n,).
        shape: The shape, a tuple of two.
        coo_tensor: Another one to copy.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For shapes that do not go together.
    """

    def __init__(
        self,
        indices: Any = None,
        values: Any = None,
        shape: Any = None,
        coo_tensor: COOTensor | None = None,
    ) -> None:
        given = (indices, values, shape) if coo_tensor is None else coo_tensor.to_tuple()
        indices, values, shape = self._hold("SparseTensors", given)
        if indices.dtype not in _INDICES:
            raise ArgumentTypeError(
                "For COOTensor, the type of 'indices' must be one of [int16, int32, int64], but "
                f"got {indices.dtype}."
            )
        need(len(shape) == 2, "For COOTensor, the length of 'shape' must be 2", shape)
        if indices.shape != (values.shape[0], 2):
            raise ArgumentValueError(
                "For COOTensor, 'indices' must have the shape (n, 2) for n 'values', but got "
                f"{indices.shape} and {values.shape}."
            )

    def coalesce(self) -> COOTensor:
        """Return the same with each place once, in order; values of one place add up."""
        places, where = np.unique(self.indices.asnumpy(), axis=0, return_inverse=True)
        summed = _summed(Tensor(where.reshape(-1)), self.values, len(places))
        return COOTensor(Tensor(places), summed, self.shape)

    def _sum(self, other: COOTensor) -> COOTensor:
        return self.add(other, Tensor(0, other.dtype))

    def add(self, other: COOTensor, thresh: Tensor) -> COOTensor:
        """Add another one; sums whose magnitude is below ``thresh`` are left out."""
        both = coo_concat((self, COOTensor(other.indices, other.values, self.shape)), None)
        found = both.coalesce()
        kept = np.flatnonzero(np.abs(found.values.asnumpy()) >= thresh.asnumpy())
        if len(kept) == found.size:
            return found
        return COOTensor(found.indices[Tensor(kept)], found.values[Tensor(kept)], self.shape)

    def to_csr(self) -> CSRTensor:
        """Return a ``CSRTensor``; places count in the order of rows."""
        rows, columns = self.indices.asnumpy().T
        order = np.argsort(rows, kind="stable")
        starts = np.searchsorted(rows[order], np.arange(self.shape[0] + 1)).astype(rows.dtype)
        values = self.values[Tensor(order)]
        return CSRTensor(Tensor(starts), Tensor(columns[order]), values, self.shape)


class SparseTensor(COOTensor):
    """``COOTensor``, as MindSpore 1.x calls it."""

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """The shape."""
        return self.shape


class CSRTensor(_Sparse):
    """A sparse matrix by rows.

    Args:
        indptr: Tensor (rows + 1,): where each row begins among the values.
        indices: Tensor (n,): the columns.
        values: Tensor (n,).
        shape: The shape, a tuple.
        csr_tensor: Another one to copy.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For shapes that do not go together.
    """

    _parts = ("indptr", "indices", "values")
    indptr: Tensor

    def __init__(
        self,
        indptr: Any = None,
        indices: Any = None,
        values: Any = None,
        shape: Any = None,
        csr_tensor: CSRTensor | None = None,
    ) -> None:
        given = (indptr, indices, values, shape) if csr_tensor is None else csr_tensor.to_tuple()
        indptr, indices, values, shape = self._hold("CSRTensor", given)
        if len(shape) != values.ndim + 1:
            raise ArgumentValueError(
                "Values' dimension should equal to CSRTensor's dimension - 1, but got Values' "
                f"dimension: {values.ndim} , CSRTensor's dimension: {len(shape)}"
            )
        if indptr.size != shape[0] + 1:
            raise ArgumentValueError(
                f"For CSRTensor, indptr must have length (1 + shape[0]), but got: {indptr.size}"
            )
        if indices.size != values.shape[0]:
            raise ArgumentValueError(
                "For CSRTensor, indices and values must equal in their shape, but got indices "
                f"shape: {indices.size}, values shape: {values.shape[0]}."
            )

    def _elementwise(self, symbol: Callable[[Any, Any], Any], other: Any) -> Any:
        # Of a number, or a Tensor that is one, the values alone, as in MindSpore.
        if isinstance(other, (int, float)):
            return symbol(self.values, other)
        if is_tensor(other) and other.size == 1:
            return symbol(self.values, other.reshape(()))
        return super()._elementwise(symbol, other)

    def _at(self) -> Tensor:
        counts = np.diff(self.indptr.asnumpy())
        rows = np.repeat(np.arange(self.shape[0]), counts).astype(np.int32)
        return Tensor(np.stack([rows, self.indices.asnumpy()], axis=1).astype(np.int32))

    def _sum(self, other: CSRTensor) -> CSRTensor:
        return (self.to_coo()._sum(other.to_coo())).to_csr()

    def add(self, b: CSRTensor, alpha: Tensor, beta: Tensor) -> CSRTensor:
        """Return ``alpha * self + beta * b``."""
        return self._with(self.values * alpha)._sum(b._with(b.values * beta))

    def to_coo(self) -> COOTensor:
        """Return a ``COOTensor``."""
        return COOTensor(self._at(), self.values, self.shape)

    def mv(self, dense_vector: Tensor) -> Tensor:
        """Multiply with a column, (columns, 1)."""
        return _product(self._at(), self.values, dense_vector, self.shape)

    def mm(self, matrix: Any) -> Any:
        """Multiply with a matrix; with a ``CSRTensor``, to one."""
        if isinstance(matrix, CSRTensor):
            return dense_to_sparse_csr(self.mm(matrix.to_dense()))
        return _product(self._at(), self.values, matrix, self.shape)

    def sum(self, axis: int) -> Tensor:
        """Add up each row, to (rows, 1).

        Raises:
            ValueError: If ``axis`` is not 1.
        """
        one_of("CSRReduceSum", "axis", axis, 1, -1)
        return reduction.sum(self.to_dense(), 1, True)


class RowTensor(_Sparse):
    """Some rows of a Tensor, as the gradient of a lookup is.

    Args:
        indices: Tensor (n,): which rows.
        values: Tensor (n, ...): the rows.
        shape: The shape of the whole, a tuple.
        row_tensor: Another one to copy.
    """

    def __init__(
        self,
        indices: Any = None,
        values: Any = None,
        shape: Any = None,
        row_tensor: RowTensor | None = None,
    ) -> None:
        given = (indices, values, shape) if row_tensor is None else row_tensor.to_tuple()
        self._hold("RowTensor", given)

    def to_dense(self) -> Tensor:
        """Return the whole; other rows are zero."""
        return _summed(self.indices, self.values, self.shape[0])

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """The shape of the whole."""
        return self.shape


RowTensorInner = RowTensor


@public
@method("to_coo")
def dense_to_sparse_coo(tensor: Tensor) -> COOTensor:
    """Return the elements of a matrix that are not zero, with their places.

    Raises:
        ValueError: If it is no matrix.
    """
    if of_type("dense_to_sparse_coo", "tensor", tensor, Tensor).ndim != 2:
        raise ArgumentValueError("Currently only support 2-D Tensor when converting to COOTensor.")
    places = np.argwhere(tensor.asnumpy()).astype(np.int32)
    return COOTensor(Tensor(places), _taken(Tensor(places), tensor), tensor.shape)


@public
@method("to_csr")
def dense_to_sparse_csr(tensor: Tensor) -> CSRTensor:
    """Return the elements of a matrix that are not zero, by rows."""
    return dense_to_sparse_coo(tensor).to_csr()


@public
def coo_concat(sp_input: Any, concat_dim: int | None = 0) -> COOTensor:
    """Return several sparse matrices one after another, elements by row and column.

    Args:
        sp_input: Several ``COOTensor``.
        concat_dim: The dimension; None for one over the other.
    """
    places, shape = [], list(sp_input[0].shape)
    offset = np.zeros(2, np.int64)
    for part in sp_input:
        places.append(part.indices.asnumpy() + offset.astype(part.indices.dtype.np_dtype))
        if concat_dim is not None:
            offset[concat_dim] += part.shape[concat_dim]
            shape[concat_dim] = int(offset[concat_dim])
    placed = np.concatenate(places)
    order = np.lexsort(placed.T[::-1])
    values = cat([part.values for part in sp_input])[Tensor(order)]
    return COOTensor(Tensor(placed[order]), values, tuple(shape))


@public
def coo_add(x1: COOTensor, x2: COOTensor, thresh: Tensor) -> COOTensor:
    """Add two sparse matrices; see ``COOTensor.add``."""
    return x1.add(x2, thresh)


@public
def csr_add(a: CSRTensor, b: CSRTensor, alpha: Tensor, beta: Tensor) -> CSRTensor:
    """Compute ``alpha * a + beta * b``."""
    return a.add(b, alpha, beta)


@public
def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """Return the ``COOTensor`` of a ``CSRTensor``."""
    return tensor.to_coo()


@public
def csr_to_dense(csr_tensor: CSRTensor) -> Tensor:
    """Return the Tensor of a ``CSRTensor``."""
    return csr_tensor.to_dense()


@public
def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """Return a sparse matrix with the softmax of the values of each row.

    Args:
        logits: The matrix.
        dtype: float32 or float64, the dtype of the result.
    """
    rows, values = logits.to_coo().indices[:, 0], logits.values.astype(dtype)
    raised = unary.exp(values - values.max())
    return logits._with(raised / _summed(rows, raised, logits.shape[0])[rows])


def _of_values(name: str, operation: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def compute(x: Any) -> Any:
        return x._with(operation(x.values))

    compute.__name__ = compute.__qualname__ = name
    compute.__doc__ = f"Compute ``{name[4:]}`` of the values of a sparse matrix."
    return public(compute)


_OF_VALUES = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan "
    "log log1p neg relu relu6 round sigmoid sin sinh softsign sqrt square tan tanh"
)
for _name in _OF_VALUES.split():
    _own = getattr(unary, _name, None) or getattr(nn_ops, _name)
    globals().update(
        {f"{kind}_{_name}": _of_values(f"{kind}_{_name}", _own) for kind in ("coo", "csr")}
    )


def _getter(name: str, kind: type, part: str) -> Callable[[Any], Any]:
    """Make ``name``, which returns a part of a sparse matrix."""

    def get(tensor: Any) -> Any:
        of_type(name, "input", tensor, kind)
        return getattr(tensor, part)

    get.__name__ = get.__qualname__ = name
    get.__doc__ = f"Return the {part} of a ``{kind.__name__}``."
    return public(get)


for _prefix, _kind in (("coo", COOTensor), ("csr", CSRTensor)):
    for _part in ("indices", "values", "shape", "indptr")[: 3 + (_prefix == "csr")]:
        _label = f"{_prefix}_tensor_get_{'dense_shape' if _part == 'shape' else _part}"
        globals()[_label] = _getter(_label, _kind, _part)
