"""Embedding: rows of a table, by their number."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.initializer import initializer
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.cell import Cell, check_tensor


class Embedding(Cell):
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

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = mstype.float32,
        padding_idx: int | None = None,
    ) -> None:
        super().__init__()
        self.vocab_size = of_type("Embedding", "vocab_size", vocab_size, int)
        self.embedding_size = of_type("Embedding", "embedding_size", embedding_size, int)
        self.use_one_hot = of_type("Embedding", "use_one_hot", use_one_hot, bool)
        self.dtype = dtype
        self.padding_idx = padding_idx
        table = initializer(embedding_table, [vocab_size, embedding_size], dtype)
        if padding_idx is not None:
            if type(padding_idx) is not int:
                raise ArgumentTypeError(
                    "For 'Embedding', the 'padding_idx' must be 'int',  but got "
                    f"'{type(padding_idx).__name__}'."
                )
            if not 0 <= padding_idx < vocab_size:
                raise ArgumentValueError(
                    f"For 'Embedding', the 'padding_idx' must be in range of [0, {vocab_size}), "
                    f"but got {padding_idx} with type 'int'."
                )
            values = np.array(table.init_data().asnumpy())
            values[padding_idx] = 0
            table = Tensor(values, dtype)
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids: Tensor) -> Tensor:
        """Look up the rows.

        Raises:
            TypeError: If the indices are not an integer Tensor.
        """
        check_tensor("Embedding", "ids", ids)
        if ids.dtype not in mstype.int_type + mstype.uint_type:
            raise ArgumentTypeError(
                f"For 'Embedding', the ids must be an int Tensor, but got {ids.dtype}."
            )
        if not self.use_one_hot:
            return ops.gather(self.embedding_table, ids, 0)
        flat = ops.one_hot(ids.reshape(-1), self.vocab_size, 1.0, 0.0)
        rows = ops.matmul(flat.astype(self.embedding_table.dtype), self.embedding_table)
        return rows.reshape((*ids.shape, self.embedding_size))


__all__ = public_names(globals())
