"""``CosineSimilarity``: how alike the rows of a matrix are."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad.nn._checks import of_type, one_of
from msgrad.train.metrics.metric import BuiltIn, not_updated, rearrange_inputs

__all__ = ["CosineSimilarity"]


class CosineSimilarity(BuiltIn):
    """Products of the rows of a matrix (N, M) with each other, of the last batch.

    Args:
        similarity: ``'cosine'`` (rows of length 1) or ``'dot'``.
        reduction: ``'none'`` (N, N), or ``'sum'`` or ``'mean'`` over the last axis.
        zero_diagonal: Whether a row's product with itself counts as 0.

    Raises:
        ValueError: For another ``similarity`` or ``reduction``.
        TypeError: If ``zero_diagonal`` is not a bool.
    """

    def __init__(
        self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True
    ) -> None:
        self.similarity = one_of(None, "similarity", similarity, "dot", "cosine")
        self.reduction = one_of(None, "reduction", reduction, "none", "sum", "mean")
        self.zero_diagonal = of_type(None, "zero_diagonal", zero_diagonal, bool)
        super().__init__()

    def clear(self) -> None:
        """Forget the last batch."""
        self._products: np.ndarray | None = None

    @rearrange_inputs
    def update(self, inputs: Any) -> None:
        """Update with a matrix (N, M)."""
        rows = self._convert_data(inputs)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, ord=2, axis=-1, keepdims=True)
        products = rows @ rows.T
        if self.zero_diagonal:
            np.fill_diagonal(products, 0)
        self._products = products

    def eval(self) -> np.ndarray:
        """Return the products, reduced; raises ``RuntimeError`` before any batch."""
        if self._products is None:
            raise not_updated()
        if self.reduction == "none":
            return self._products
        return getattr(self._products, self.reduction)(axis=-1)
