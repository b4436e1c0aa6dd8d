"""MindSpore's Primitives of sparse matrices, ``ops.operations.sparse_ops``: a table (see ``rows``).

Which places there are decides shapes, so they are computed by NumPy, of numbers that must be known:
what gives places cannot be compiled. Values are gathered and added up by operators. Differs from
MindSpore: ``SparseReshape`` gives the places also for several dimensions, where that gives zeros,
and values have gradients everywhere; ``SparseApplyMomentum`` heeds ``use_nesterov``.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentValueError, KernelError
from msgrad._core.op import Array, Arrays, Indices, operator
from msgrad.common.tensor import Tensor
from msgrad.ops import apply
from msgrad.porting.inner.rows import classes

_TABLE = """
SparseReorder(indices, values, shape) = _in_order(_numbers(indices), values, _numbers(shape))
SparseReshape(indices, shape, new_shape) = _reshaped(_numbers(indices), _numbers(shape), _numbers(new_shape))
SparseAdd(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, thresh) = _added(x1_indices, x1_values, x1_shape, x2_indices, x2_values, thresh)
SparseSparseMaximum(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape) = _larger(maximum, x1_indices, x1_values, x2_indices, x2_values)
SparseSparseMinimum(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape) = _larger(minimum, x1_indices, x1_values, x2_indices, x2_values)
SparseConcat(sp_input_indices, sp_input_values, sp_input_shapes, /, concat_dim=0) = _joined(sp_input_indices, sp_input_values, sp_input_shapes, concat_dim)
SparseFillEmptyRows(indices, values, dense_shape, default_value) = _with_all_rows(_numbers(indices), values, _numbers(dense_shape), default_value)
SparseSoftmax(indices, values, shape) = _softmax(_numbers(indices)[:, :-1], values)
SparseDenseCwiseAdd(x1_indices, x1_values, x1_shape, x2) = x1_values + _elements(x2, x1_indices, x1_shape)
SparseDenseCwiseMul(x1_indices, x1_values, x1_shape, x2) = x1_values * _elements(x2, x1_indices, x1_shape)
SparseToDenseV2(indices, output_shape, values, default_value, /, validate_indices=True) = _dense(_numbers(indices), values, _numbers(output_shape), default_value)
SparseAddmm(x1_indices, x1_values, x1_shape, x2, x3, alpha, beta) = alpha * SparseTensorDenseMatmul()(x1_indices, x1_values, x1_shape, x2) + beta * x3
Sspaddmm(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, x3_dense, alpha, beta) = _with_product(_numbers(x1_indices), x1_values, x1_shape, _numbers(x2_indices), x2_values, _numbers(x2_shape), x3_dense, alpha, beta)
SparseCountSparseOutput(indices, values, dense_shape, weights, /, binary_output=False, minlength=-1, maxlength=-1) = _counted(_numbers(indices), _numbers(values), _numbers(dense_shape), weights, binary_output, minlength, maxlength)
SparseSegmentMean(x, indices, segment_ids) = _segments(x, indices, segment_ids, None, -1)
SparseSegmentSqrtN(x, indices, segment_ids) = _segments(x, indices, segment_ids, None, -0.5)
SparseSegmentSum(x, indices, segment_ids) = _segments(x, indices, segment_ids, None, 0)
SparseSegmentMeanWithNumSegments(x, indices, segment_ids, num_segments) = _segments(x, indices, segment_ids, num_segments, -1)
SparseSegmentSqrtNWithNumSegments(x, indices, segment_ids, num_segments) = _segments(x, indices, segment_ids, num_segments, -0.5)
SparseSegmentSumWithNumSegments(x, indices, segment_ids, num_segments) = _segments(x, indices, segment_ids, num_segments, 0)
SparseSegmentMeanGrad(x, indices, segment_ids, output_dim0) = _segments_back(x, indices, segment_ids, output_dim0, -1)
SparseSegmentSqrtNGrad(x, indices, segment_ids, output_dim0) = _segments_back(x, indices, segment_ids, output_dim0, -0.5)
SparseSliceGrad(backprop_val_grad, indices, start, new_indices) = _slice_back(backprop_val_grad, _numbers(indices), _numbers(start), _numbers(new_indices))
RaggedTensorToSparse(rt_nested_splits, rt_dense_values, /, Tsplits) = _of_ragged(rt_nested_splits, rt_dense_values)
DenseToDenseSetOperation(x1, x2, /, set_operation='a-b', validate_indices=True) = _sets(_numbers(x1), _numbers(x2), set_operation)
SetSize(set_indices, set_values, set_shape, /, validate_indices=True) = _set_sizes(_numbers(set_indices), _numbers(set_values), _numbers(set_shape), validate_indices)
SparseAddGrad(backprop_val_grad, x1_indices, x2_indices, sum_indices) = _of_places(backprop_val_grad, x1_indices, sum_indices), _of_places(backprop_val_grad, x2_indices, sum_indices)
CSRSparseMatrixToSparseTensor(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values) = Tensor(_places(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices)), x_values, x_dense_shape
CSRSparseMatrixToDense(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values) = _dense_csr(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
SparseTensorToCSRSparseMatrix(x_indices, x_values, x_dense_shape) = _csr(_numbers(x_indices), x_values, _numbers(x_dense_shape))
DenseToCSRSparseMatrix(dense_input, indices) = _csr(_numbers(indices), _elements(dense_input, indices, dense_input.shape), np.array(dense_input.shape, _numbers(indices).dtype))
SparseMatrixTranspose(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values, /, conjugate=False) = _transposed(x_dense_shape, _places(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices), conj(x_values) if conjugate else x_values)
SparseMatrixAdd(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values, alpha, beta) = _csr(*_union(_places(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices), alpha * x1_values, _places(x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices), beta * x2_values), _numbers(x1_dense_shape))
SparseMatrixMatMul(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense, /, transpose_x1=False, transpose_x2=False, adjoint_x1=False, adjoint_x2=False, transpose_output=False, conjugate_output=False) = _turned(_turned(_dense_csr(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values), transpose_x1, adjoint_x1) @ _turned(x2_dense, transpose_x2, adjoint_x2), transpose_output, False, conjugate_output)
SparseMatrixNNZ(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values) = Tensor(np.diff(_numbers(x_batch_pointers)).astype(np.int32))
SparseMatrixSoftmax(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values, /, dtype) = x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, _softmax(_places(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices)[:, :-1], x_values)
SparseApplyMomentum(var, accum, lr, grad, indices, momentum, /, use_locking=False, use_nesterov=False) = _step('nesterov' if use_nesterov else 'momentum', (var, accum), grad, indices, lr, momentum)
SparseApplyAdagradDA(var, grad_accum, grad_square_accum, grad, indices, lr, l1, l2, global_step, /, use_locking=False) = _step('averaged', (var, grad_accum, grad_square_accum), grad, indices, lr, l1, l2, global_step)
SparseApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, /, use_locking=False) = _step('centered', (var, mg, ms, mom), grad, indices, lr, rho, momentum, epsilon)
SparseApplyProximalGradientDescent(var, alpha, l1, l2, grad, indices, /, use_locking=False) = _step('proximal', (var,), grad, indices, alpha, l1, l2)
"""  # noqa: E501


def _numbers(value: Any) -> np.ndarray:
    """Return the numbers of a Tensor, which must be known."""
    return np.asarray(value._concrete("a sparse operator") if is_tensor(value) else value)


def _check(places: np.ndarray, values: Tensor, shape: Any) -> None:
    if len(places) != values.shape[0]:
        raise ArgumentValueError(
            f"there must be an index for each value, but got {len(places)} for {values.shape[0]}."
        )
    if ((places < 0) | (places >= shape)).any():
        raise ArgumentValueError(f"indices must be within the shape {(*shape,)}, but got {places}.")


def _in_order(places: np.ndarray, values: Tensor, shape: np.ndarray) -> tuple[Tensor, Tensor]:
    _check(places, values, shape)
    order = np.lexsort(places.T[::-1])
    return Tensor(places[order]), values[Tensor(order)]


def _reshaped(places: np.ndarray, shape: np.ndarray, wanted: np.ndarray) -> tuple[Tensor, Tensor]:
    flat = np.ravel_multi_index((*places.T,), (*shape,))
    sizes = np.where(wanted < 0, shape.prod() // -wanted.prod(), wanted)
    if sizes.prod() != shape.prod():
        raise KernelError(f"there must be {shape.prod()} elements, but got the shape {(*wanted,)}.")
    return Tensor(np.stack(np.unravel_index(flat, (*sizes,)), 1).astype(places.dtype)), Tensor(
        sizes
    )


def _together(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, Tensor, Tensor]:
    """Return the places of two, in order, and where those of each are among them."""
    found, group = np.unique(np.concatenate([one, other]), axis=0, return_inverse=True)
    group = group.reshape(-1).astype(np.int64)
    return found, Tensor(group[: len(one)]), Tensor(group[len(one) :])


def _spread(values: Tensor, group: Tensor, count: int) -> Tensor:
    return ops.unsorted_segment_sum(values, group, count)


def _union(
    one: np.ndarray, values: Tensor, other: np.ndarray, others: Tensor
) -> tuple[np.ndarray, Tensor]:
    found, first, second = _together(one, other)
    return found, _spread(values, first, len(found)) + _spread(others, second, len(found))


def _added(
    one: Tensor, values: Tensor, shape: Tensor, other: Tensor, others: Tensor, least: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    places = _numbers(one), _numbers(other)
    for each, own in zip(places, (values, others), strict=True):
        _check(each, own, np.iinfo(np.int64).max)
    found, total = _union(places[0], values, places[1], others)
    if _numbers(least) > 0:  # of the sums, not of what one of them has alone
        _, first, second = _together(*places)
        alone = np.ones(len(found), bool)
        alone[np.intersect1d(_numbers(first), _numbers(second))] = False
        kept = np.flatnonzero(alone | (np.abs(_numbers(total)) >= _numbers(least)))
        found, total = found[kept], total[Tensor(kept)]
    return Tensor(found), total, shape


def _larger(
    choose: Any, one: Tensor, values: Tensor, other: Tensor, others: Tensor
) -> tuple[Tensor, Tensor]:
    found, first, second = _together(_numbers(one), _numbers(other))
    both = (_spread(v, g, len(found)) for v, g in ((values, first), (others, second)))
    return Tensor(found), choose(*both)


def _joined(indices: Any, values: Any, shapes: Any, dim: int) -> tuple[Tensor, Tensor, Tensor]:
    sizes = [_numbers(shape) for shape in shapes]
    line = np.arange(len(sizes[0])) == dim % len(sizes[0])
    starts = np.cumsum([0] + [size[dim] for size in sizes])
    places = [_numbers(p) + line * s for p, s in zip(indices, starts, strict=False)]
    shape = np.where(line, starts[-1], sizes[0])
    return *_in_order(np.concatenate(places), ops.concat(values), shape), Tensor(shape)


def _with_all_rows(
    places: np.ndarray, values: Tensor, shape: np.ndarray, default: Tensor
) -> tuple[Tensor, ...]:
    _check(places, values, shape)
    empty = ~np.isin(np.arange(shape[0]), places[:, 0])
    added = np.zeros((empty.sum(), places.shape[1]), places.dtype)
    added[:, 0] = np.flatnonzero(empty)
    whole = np.concatenate([places, added])
    order = np.argsort(whole[:, 0], kind="stable")
    filled = ops.concat([values, ops.broadcast_to(default.reshape(1), (len(added),))])
    back = np.argsort(order)[: len(places)]
    return Tensor(whole[order]), filled[Tensor(order)], Tensor(empty), Tensor(back)


def _softmax(rows: np.ndarray, values: Tensor) -> Tensor:
    found, group = np.unique(rows, axis=0, return_inverse=True)
    group = Tensor(group.reshape(-1).astype(np.int64))
    most = ops.unsorted_segment_max(values, group, len(found))
    parts = ops.exp(values - ops.stop_gradient(most[group]))
    return parts / _spread(parts, group, len(found))[group]


def _elements(dense: Tensor, indices: Tensor, shape: Any) -> Tensor:
    sizes = tuple(_numbers(shape).tolist())
    return ops.gather_nd(ops.broadcast_to(dense, sizes), indices)


def _dense(places: np.ndarray, values: Tensor, shape: np.ndarray, default: Tensor) -> Tensor:
    if len(np.unique(places, axis=0)) != len(places):
        raise ArgumentValueError("the indices is repeated")
    places = places.reshape(len(places), -1)
    _check(places, values, shape)
    whole = ops.broadcast_to(default, tuple(shape.tolist()))
    return ops.tensor_scatter_update(whole, Tensor(places), values)


def _counted(
    places: np.ndarray,
    values: np.ndarray,
    shape: np.ndarray,
    weights: Tensor,
    binary: bool,
    least: int,
    most: int,
) -> tuple[Tensor, Tensor, Tensor]:
    kept = np.flatnonzero(values < most) if most > 0 else np.arange(len(values))
    pairs = np.concatenate([places[kept, :-1], values[kept, None]], 1).astype(np.int64)
    found, group = np.unique(pairs, axis=0, return_inverse=True)
    total = _spread(weights[Tensor(kept)], Tensor(group.reshape(-1)), len(found))
    width = max(least, most if most > 0 else int(values.max(initial=-1)) + 1)
    counts = ops.ones_like(total) if binary else total
    return Tensor(found), counts, Tensor(np.array([*shape[:-1], width], np.int64))


def _segments(x: Tensor, indices: Tensor, ids: Tensor, count: Any, power: float) -> Tensor:
    """Add up rows by segments; the sums times a power of how many there are in each."""
    places, rows = _numbers(indices), _numbers(ids)
    if (np.diff(rows) < 0).any() or ((places < 0) | (places >= x.shape[0])).any():
        raise KernelError("segment_ids must ascend, and indices be of rows of x.")
    number = int(rows[-1]) + 1 if count is None else int(_numbers(count).item())
    total = _spread(x[indices], ids, number)
    return total * _weights(rows, number, power, total) if power else total


def _weights(rows: np.ndarray, number: int, power: float, like: Tensor) -> Tensor:
    sizes = np.maximum(np.bincount(rows, minlength=number), 1) ** float(power)
    return Tensor(sizes.reshape(-1, *(1,) * (like.ndim - 1)), like.dtype)


def _segments_back(x: Tensor, indices: Tensor, ids: Tensor, count: Any, power: float) -> Tensor:
    scaled = x * _weights(_numbers(ids), x.shape[0], power, x)
    return _spread(scaled[ids], indices, int(_numbers(count).item()))


def _slice_back(grad: Tensor, places: np.ndarray, start: np.ndarray, taken: np.ndarray) -> Tensor:
    where = {(*place,): n for n, place in enumerate(taken + start)}
    row = np.array([where.get((*place,), len(taken)) for place in places], np.int64)
    return ops.concat([grad, ops.zeros((1,), grad.dtype)])[Tensor(row)]


def _of_ragged(splits: Any, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    places = np.zeros((1, 0), np.int64)
    shape: list[int] = []
    for split in splits:
        sizes = np.diff(_numbers(split))
        shape = shape or [len(sizes)]
        rows = places if len(shape) > 1 else np.arange(len(sizes))[:, None]
        within = np.concatenate([np.arange(n) for n in sizes])
        places = np.concatenate([np.repeat(rows, sizes, 0), within[:, None]], 1)
        shape.append(int(sizes.max(initial=0)))
    return Tensor(places), values, Tensor(np.array(shape, np.int64))


def _sets(one: np.ndarray, other: np.ndarray, operation: str) -> tuple[Tensor, Tensor, Tensor]:
    rows = []
    for index in np.ndindex(*one.shape[:-1]):
        a, b = np.unique(one[index]), np.unique(other[index])
        both = {"a-b": (a, ~np.isin(a, b)), "b-a": (b, ~np.isin(b, a))}
        both |= {"intersection": (a, np.isin(a, b)), "union": (np.union1d(a, b), ...)}
        values, kept = both[operation]
        rows.append((index, values[kept].reshape(-1)))
    places = [(*index, n) for index, row in rows for n in range(len(row))]
    width = max(len(row) for _, row in rows)
    found = np.array(places, np.int64).reshape(-1, one.ndim)
    shape = np.array([*one.shape[:-1], width], np.int64)
    return Tensor(found), Tensor(np.concatenate([row for _, row in rows])), Tensor(shape)


def _set_sizes(places: np.ndarray, values: np.ndarray, shape: np.ndarray, check: bool) -> Tensor:
    """Return how many different values each set has; MindSpore gives 1000 sets, or 1000 x 1000."""
    if check and (np.lexsort(places.T[::-1]) != np.arange(len(places))).any():
        raise ArgumentValueError(f"the indices must be in order, but got {places}.")
    found = np.unique(np.column_stack([places[:, :-1], values]).astype(np.int64), axis=0)
    sizes = np.zeros(shape[:-1], np.int32)
    np.add.at(sizes, (*found[:, :-1].T,), 1)
    return Tensor(sizes)


def _of_places(values: Tensor, places: Tensor, all_places: Tensor) -> Tensor:
    """Return the value at each place, 0 where there is none."""
    same = (_numbers(places)[:, None] == _numbers(all_places)).all(-1)
    return values[Tensor(same.argmax(1))] * Tensor(same.any(1)).astype(values.dtype)


def _places(shape: Any, batches: Any, rows: Any, columns: Any) -> np.ndarray:
    """Return the places of a CSR matrix, (L, 2), or of a batch of them, (L, 3)."""
    sizes, ends, count = _numbers(shape), _numbers(rows), _numbers(columns)
    many = np.diff(_numbers(batches))
    batch = np.repeat(np.arange(len(many)), many)
    each = np.diff(ends.reshape(len(many), -1), axis=1)
    row = np.concatenate([np.repeat(np.arange(sizes[-2]), n) for n in each])
    found = np.stack([batch, row, count], 1).astype(count.dtype)
    return found[:, 3 - len(sizes) :]


def _dense_csr(shape: Any, batches: Any, rows: Any, columns: Any, values: Tensor) -> Tensor:
    places, sizes = _places(shape, batches, rows, columns), _numbers(shape)
    return ops.scatter_nd(Tensor(places), values, tuple(sizes.tolist()))


def _csr(places: np.ndarray, values: Tensor, shape: np.ndarray) -> tuple[Tensor, ...]:
    batch = places[:, 0] if len(shape) > 2 else np.zeros(len(places), np.int64)
    count = shape[0] if len(shape) > 2 else 1
    many = np.bincount(batch, minlength=count)
    row = np.bincount(batch * shape[-2] + places[:, -2], minlength=count * shape[-2])
    ends = np.cumsum(np.pad(row.reshape(count, -1), ((0, 0), (1, 0))), 1).reshape(-1)
    parts = shape, np.cumsum([0, *many]), ends, places[:, -1]
    return *(Tensor(part.astype(places.dtype)) for part in parts), values


def _transposed(shape: Tensor, places: np.ndarray, values: Tensor) -> tuple[Tensor, ...]:
    turned = places[:, [*range(places.shape[1] - 2), -1, -2]]
    order = np.lexsort(turned.T[::-1])
    sizes = _numbers(shape)
    sizes = np.concatenate([sizes[:-2], sizes[:-3:-1]])
    return _csr(turned[order], values[Tensor(order)], sizes)


def _with_product(
    one: np.ndarray, values: Tensor, shape: Any, places: np.ndarray, *given: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """Return a sparse matrix and after it the rows of a product; places stand in columns."""
    others, sizes, dense, alpha, beta = given
    if ((places < 0) | (places >= sizes[:2, None])).any():
        raise ArgumentValueError(f"places must be within {(*sizes,)}, but got {places}.")
    rows, first = np.unique(places[0], return_index=True)
    rows = rows[np.argsort(first)]
    own = Tensor((places[0] == rows[:, None]).astype(np.float32)).astype(others.dtype)
    product = (own * others) @ dense[Tensor(places[1])]
    width = np.arange(dense.shape[1])
    new = [rows.repeat(len(width)), np.tile(width, len(rows))]
    found = np.concatenate([one, new], 1).astype(np.int64)
    return Tensor(found), ops.concat([beta * values, (alpha * product).reshape(-1)]), shape


def _turned(x: Tensor, transpose: bool, adjoint: bool, conjugate: bool = False) -> Tensor:
    x = x.swapaxes(-1, -2) if transpose or adjoint else x
    return ops.conj(x) if adjoint or conjugate else x


# What steps in the rows of a Parameter, one after the other, by the rules of ``ops.apply``.
_RULES: dict[str, Any] = {
    "momentum": lambda state, g, lr, m: apply._momentum.kernel(*state, lr, g, m, False),
    "nesterov": lambda state, g, lr, m: apply._momentum.kernel(*state, lr, g, m, True),
    "averaged": lambda state, g, *given: apply._adagrad_da.kernel(*state, g, *given),
    "centered": lambda state, g, *given: apply._centered_rms_prop.kernel(*state, g, *given),
    "proximal": lambda state, g, *given: (apply._proximal_descent.kernel(*state, *given, g),),
}


@operator("SparseApply", public=False, product=True)
def _rows(state: Arrays, grad: Array, indices: Indices, given: Arrays, rule: str) -> Arrays:
    def turn(state: Arrays, row: tuple[Array, Array]) -> tuple[Arrays, None]:
        at, own = row
        new = _RULES[rule]([each[at] for each in state], own, *given)
        return tuple(s.at[at].set(n) for s, n in zip(state, new, strict=True)), None

    return jax.lax.scan(turn, tuple(state), (indices, grad))[0]


def _step(rule: str, state: tuple[Tensor, ...], grad: Tensor, indices: Tensor, *given: Any) -> Any:
    var = state[0]
    if grad.shape != (*indices.shape, *var.shape[1:]) or indices.ndim != 1:
        raise ArgumentValueError(
            f"each of the indices needs a row of the gradient, but got {indices.shape} for "
            f"{grad.shape} and 'var' of {var.shape}."
        )
    most = var.shape[0]
    if not jnp.issubdtype(indices._peek().dtype, jnp.integer):
        raise ArgumentValueError(f"'indices' must be ints, but got {indices.dtype}.")
    places = indices._concrete("a sparse step")
    if ((places < 0) | (places >= most)).any():
        raise KernelError(f"indices must be from 0 up to {most}, but got {places}.")
    numbers = [ops.cast(v if is_tensor(v) else Tensor(v), var.dtype) for v in given]
    new = _rows(state, grad, indices, numbers, rule)
    for each, value in zip(state, new, strict=True):
        each._assign(value._peek())
    return new[0]


__getattr__ = classes(_TABLE, globals())
