"""Metrics of numbers: errors, losses, and how alike two arrays are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.checks import of_type, one_of, positive_float
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.train.metrics.metric import BuiltIn, Mean, not_updated, rearrange_inputs

__all__ = ["MAE", "MSE", "CosineSimilarity", "Dice", "Loss", "Perplexity"]


class _Error(Mean):
    _each: Callable[..., Any]

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch.

        Args:
            inputs: Predictions (N, ...) and true values of as many elements.

        Raises:
            ValueError: If there are not two inputs, or their sizes differ.
        """
        y_pred, y = self._pair(inputs)
        self._add(self._each(y.reshape(y_pred.shape) - y_pred).sum(), y.shape[0])


class MAE(_Error):
    """Absolute errors, summed over a row and averaged over rows."""

    _each = np.abs


class MSE(_Error):
    """Squared errors, summed over a row and averaged over rows."""

    _each = np.square


class Loss(Mean):
    """The mean of the losses of all batches, each counted once."""

    _to_check = "whether has called update method before calling eval method"

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with the loss of one batch (a vector counts as its mean).

        Raises:
            ValueError: If there is not one input, or it has more than one axis.
        """
        self._need(inputs, "loss")
        loss = self._convert_data(inputs[0])
        if loss.ndim > 1:
            raise ArgumentValueError(
                f"For 'Loss.update', the dimension of your input (loss) must be 0 or 1, but got "
                f"{loss.ndim}."
            )
        self._add(np.float64(loss.mean(axis=-1) if loss.ndim else loss), 1)


class Dice(Mean):
    """``2 * sum(a * b) / (sum(a^2) + sum(b^2) + smooth)`` of each batch, over the number of rows.

    Args:
        smooth: float above 0, added to the denominator.

    Raises:
        TypeError: If ``smooth`` is not a float.
        ValueError: If it is not above 0.
    """

    _of = "Dice coefficient"

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = positive_float(None, "smooth", smooth)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch: two arrays (N, ...) of one shape.

        Raises:
            ValueError: If there are not two inputs of one shape.
        """
        y_pred, y = self._pair(inputs)
        if y_pred.shape != y.shape:
            raise ArgumentValueError(
                "For 'Dice.update', predicted value (input[0]) and true value (input[1]) should "
                f"have same shape, but got predicted value shape: {y_pred.shape}, true value "
                f"shape: {y.shape}."
            )
        a, b = y_pred.astype(np.float64).ravel(), y.astype(np.float64).ravel()
        self._add(2 * (a @ b) / (a @ a + b @ b + self.smooth), y.shape[0])

    def eval(self) -> float:
        """Return the value; raises ``RuntimeError`` before any sample."""
        return float(super().eval())


class Perplexity(Mean):
    """The exponential of the mean negative log probability of the right class.

    Args:
        ignore_label: int, a label not counted, or None.

    Raises:
        TypeError: If ``ignore_label`` is of another type.
    """

    _to_check = "whether the update method has been called before calling eval method"

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        self.ignore_label = of_type(None, "ignore_label", ignore_label, int, type(None))

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch.

        Args:
            inputs: Probabilities (..., C) and labels (...).

        Raises:
            ValueError: If there are not two inputs.
            RuntimeError: If their shapes do not match.
        """
        preds, labels = self._pair(inputs, "label")
        if labels.size * preds.shape[-1] != preds.size:
            raise EngineError(
                "For 'Perplexity.update', predicted value (input[0]) and label (input[1]) should "
                f"have the same shape, but got predicted value shape {preds.shape}, label shape "
                f"{labels.shape}."
            )
        flat = labels.reshape(-1).astype(np.int64)
        chosen = preds.reshape(-1, preds.shape[-1])[np.arange(flat.size), flat]
        if self.ignore_label is not None:
            chosen = chosen[flat != self.ignore_label]
        self._add(-float(np.log(np.maximum(chosen, 1e-10)).sum()), chosen.size)

    def eval(self) -> float:
        """Return the perplexity; raises ``RuntimeError`` before any sample."""
        return math.exp(super().eval())


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
