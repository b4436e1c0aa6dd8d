"""Layers that look up rows of a table: ``Embedding`` and those that clip or join what they find."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.checks import one_of, positive_float, positive_int, within
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad.common import dtype as mstype
from msgrad.common.initializer import initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank, check_tensor
from msgrad.nn._family import Layer
from msgrad.nn._hyper import Count, Flag, Whole, hyperparameters
from msgrad.nn.layer.math import ClipByNorm


class Embedding(Layer):
    """Looks up rows of a trained table.

    Args:
        vocab_size: Number of rows.
        embedding_size: Size of a row.
        use_one_hot: Whether to look up by a product with a one-hot matrix, in which a number out
            of range gives zeros.
        embedding_table: What ``initializer`` accepts; normal with deviation 0.01 unless told.
        dtype: Of the table.
        padding_idx: A row that begins as zeros (it is trained like the others).

    Inputs: ids, int Tensor of any shape. Output: ``(*ids.shape, embedding_size)``.

    Raises:
        TypeError: For arguments of other types, or ids that are not ints.
        ValueError: If ``padding_idx`` is out of range, or a size not positive.
        RuntimeError: If a number is out of range (checked on the CPU).
    """

    _cell_shown = "vocab_size embedding_size use_one_hot embedding_table dtype padding_idx"

    vocab_size: Whole
    embedding_size: Whole
    use_one_hot: Flag = False
    embedding_table: Any = "normal"
    dtype: Any = mstype.float32
    padding_idx: int | None = None

    def _begin(self, given: dict[str, Any]) -> None:
        embedding_table = given.pop("embedding_table")
        super()._begin(given)
        vocab_size, padding_idx, dtype = self.vocab_size, self.padding_idx, self.dtype
        table = initializer(embedding_table, [vocab_size, self.embedding_size], dtype)
        if padding_idx is not None:
            if type(padding_idx) is not int:
                raise ArgumentTypeError(
                    "For 'Embedding', the 'padding_idx' must be 'int',  but got "
                    f"'{type(padding_idx).__name__}'."
                )
            within("Embedding", "padding_idx", padding_idx, f"[0, {vocab_size})")
            values = np.array(table.init_data().asnumpy())
            values[padding_idx] = 0
            table = Tensor(values, dtype)
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids: Tensor) -> Tensor:
        """Look up the rows.

        Raises:
            TypeError: If the indices are not an integer Tensor.
        """
        check_tensor("Embedding", "ids", ids, *mstype.int_type, *mstype.uint_type)
        if not self.use_one_hot:
            return ops.gather(self.embedding_table, ids, 0)
        flat = ops.one_hot(ids.reshape(-1), self.vocab_size, 1.0, 0.0)
        rows = ops.matmul(flat.astype(self.embedding_table.dtype), self.embedding_table)
        return rows.reshape((*ids.shape, self.embedding_size))


@operator("EmbeddingLookup")
def _rows(table: Array, indices: Array) -> Array:
    found = table.at[indices].get(mode="fill", fill_value=0)
    return jnp.where((indices >= 0)[..., None], found, 0)


class EmbeddingLookup(Layer):
    """Looks up rows of a trained table; a number out of range gives zeros.

    Args:
        vocab_size: Number of rows.
        embedding_size: Size of a row.
        param_init: What ``initializer`` accepts; normal with deviation 0.01 unless told.
        target: ``'CPU'`` or ``'DEVICE'``, where MindSpore looks up; here both are the device.
        slice_mode: Accepted for compatibility.
        manual_shapes: Accepted for compatibility.
        max_norm: Rows longer than this are scaled down; None for none.
        sparse: Whether LazyAdam, FTRL and ProximalAdagrad update only the rows that were looked
            up; True for ``'CPU'``.
        dtype: Of the table.

    Inputs: indices, int Tensor of any shape. Output: ``(*indices.shape, embedding_size)``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For values out of range.
    """

    BATCH_SLICE = "batch_slice"
    FIELD_SLICE = "field_slice"
    TABLE_ROW_SLICE = "table_row_slice"
    TABLE_COLUMN_SLICE = "table_column_slice"

    vocab_size: int
    embedding_size: Count
    param_init: Any = "normal"
    target: str = "CPU"
    slice_mode: str = "batch_slice"
    manual_shapes: Any = None
    max_norm: float | Tensor | None = None
    sparse: Flag = True
    dtype: Any = mstype.float32

    def _begin(self, given: dict[str, Any]) -> None:
        param_init, max_norm = given.pop("param_init"), given.pop("max_norm")
        super()._begin(given)
        owner, sparse, target = self.cls_name, self.sparse, given["target"]
        sizes = [positive_int(None, "vocab_size", self.vocab_size), self.embedding_size]
        one_of(owner, "target", target, "CPU", "DEVICE")
        if not sparse and target == "CPU":
            raise ArgumentValueError(
                f"For '{owner}', 'sparse' must be True when 'target' is \"CPU\", but got 'sparse': "
                f"{sparse} and 'target': {target}"
            )
        table = initializer(param_init, sizes, given["dtype"])
        self.embedding_table = Parameter(table, name="embedding_table")
        self.embedding_table._sparse_rows = sparse
        self.max_norm = None
        if max_norm is not None:
            self.max_norm = Tensor(positive_float(owner, "max_norm", max_norm), mstype.float32)

    def construct(self, indices: Tensor) -> Tensor:
        out = _rows(self.embedding_table, indices)
        if self.max_norm is None:
            return out
        return ClipByNorm(tuple(range(indices.ndim, out.ndim)))(out, self.max_norm)


@operator("MultiFieldEmbeddingLookup", product=True)
def _joined(rows: Array, values: Array, fields: Array, number: int, how: str) -> Array:
    batch, _, size = rows.shape
    place = (fields + number * jnp.arange(batch, dtype=fields.dtype)[:, None]).reshape(-1)
    weighted = (values[..., None] * rows).reshape(-1, size)
    weight = jax.ops.segment_sum(jnp.abs(values).reshape(-1), place, batch * number)[:, None]
    if how == "MAX":
        masked = jnp.where(values.reshape(-1, 1) == 0, -jnp.inf, weighted)
        largest = jax.ops.segment_max(masked, place, batch * number)
        out = jnp.where(weight == 0, 0, largest)
    else:
        out = jax.ops.segment_sum(weighted, place, batch * number)
        if how == "MEAN":
            out = jnp.where(weight == 0, 0, out / jnp.where(weight == 0, 1, weight))
    return out.reshape(batch, number, size)


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Looks up rows of a table and joins, for each field, those that belong to it.

    Args:
        field_size: Number of fields.
        feature_num_list: Accepted for compatibility.
        operator: ``'SUM'``, ``'MEAN'`` or ``'MAX'``.

    Inputs: input_indices (N, L) int, input_values (N, L) float32, the factors of the rows, and
    field_ids (N, L) int32. Output: (N, field_size, embedding_size).

    Raises:
        TypeError: For arguments of other types.
        ValueError: For values out of range, or inputs of other dimensions.
    """

    OPERATOR_SUM = "SUM"
    OPERATOR_MEAN = "MEAN"
    OPERATOR_MAX = "MAX"

    @hyperparameters
    def __init__(
        self,
        vocab_size: int,
        embedding_size: Count,
        field_size: Count,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        feature_num_list: Any = None,
        max_norm: float | None = None,
        sparse: Flag = True,
        operator: str = "SUM",
        dtype: Any = mstype.float32,
    ) -> None:
        one_of(self.cls_name, "operator", operator, "SUM", "MAX", "MEAN")

    def construct(self, input_indices: Tensor, input_values: Tensor, field_ids: Tensor) -> Tensor:
        """Look up the rows and join them."""
        for name, value, dtypes in (
            ("input_indices", input_indices, (mstype.int32, mstype.int64)),
            ("input_values", input_values, (mstype.float32,)),
            ("field_ids", field_ids, (mstype.int32,)),
        ):
            check_rank(self.cls_name, check_tensor(self.cls_name, name, value), 2)
            check_tensor(self.cls_name, name, value, *dtypes)
        rows = super().construct(input_indices)
        return _joined(rows, input_values, field_ids, self.field_size, self.operator)


__all__ = public_names(globals())
