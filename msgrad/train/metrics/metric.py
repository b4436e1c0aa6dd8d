"""``Metric``, the base of every metric, and what its subclasses share; no metric itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.declared import Guarded
from msgrad._core.docstrings import Documented
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError

__all__ = ["Metric", "rearrange_inputs"]


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Make an ``update`` method see its inputs in the order that ``set_indexes`` chose.

    Args:
        func: The method ``update(self, *inputs)``.
    """

    @wraps(func)
    def wrapper(self: Metric, *inputs: Any) -> Any:
        indexes = self.indexes
        return func(self, *(inputs if indexes is None else [inputs[i] for i in indexes]))

    return wrapper


class Metric(Documented, Guarded, ABC):
    """A number gathered over batches: ``clear``, then ``update`` per batch, then ``eval``."""

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    def _convert_data(self, data: Any) -> np.ndarray:
        """Return a Tensor, a list or an array as a NumPy array; raises ``TypeError`` for others."""
        if is_tensor(data):
            return data.asnumpy()
        if isinstance(data, list):
            return np.array(data)
        if isinstance(data, np.ndarray):
            return data
        raise ArgumentTypeError(
            "For 'Metric' and its derived classes, the input data type must be tensor, list or "
            f"numpy.ndarray, but got {type(data)}."
        )

    @property
    def indexes(self) -> list[int] | None:
        """The inputs of ``update`` that ``set_indexes`` chose, or None for all in order."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes: list[int]) -> Metric:
        """Choose which outputs of the evaluation network ``update`` sees, and in which order.

        Args:
            indexes: list of int.

        Returns:
            The metric.

        Raises:
            ValueError: If it is not a list of int.
        """
        if not isinstance(indexes, list) or not all(isinstance(i, int) for i in indexes):
            raise ArgumentValueError(
                "For 'set_indexes', the argument 'indexes' must be a list and all its elements "
                "must be int, please check whether it is correct."
            )
        self._indexes = indexes
        return self

    def __call__(self, *inputs: Any) -> Any:
        """Clear, update with one batch and evaluate."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    @abstractmethod
    def clear(self) -> None:
        """Forget all batches."""

    @abstractmethod
    def eval(self) -> Any:
        """Return the value over all batches since ``clear``."""

    @abstractmethod
    def update(self, *inputs: Any) -> None:
        """Update with one batch."""


class BuiltIn(Metric):
    """Base of MindSpore's own metrics: their name and their words in errors."""

    # Where it is not the name of the class.
    _title = ""
    _to_check = (
        "whether your inputs(predicted value, true value) are empty, or has called update method "
        "before calling eval method"
    )

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def _name(self) -> str:
        return self._title or type(self).__name__

    def _need(self, inputs: tuple[Any, ...], *names: str, got: str = "") -> None:
        """Raise ``ValueError`` unless ``update`` was given these."""
        if len(inputs) != len(names):
            raise ArgumentValueError(
                f"For '{self._name()}.update', it needs {len(names)} input{'s' * (len(names) > 1)} "
                f"({', '.join(names)}), but got {got}{len(inputs)}."
            )

    def _pair(
        self, inputs: tuple[Any, ...], second: str = "true value", got: str = ""
    ) -> list[np.ndarray]:
        self._need(inputs, "predicted value", second, got=got)
        return [self._convert_data(item) for item in inputs]

    def _nothing_seen(self, of: str = "") -> EngineError:
        return EngineError(
            f"The '{of or self._name()}' can not be calculated, because the number of samples is "
            f"0, please check {self._to_check}."
        )


class Mean(BuiltIn):
    """Base of the metrics that are a sum over all batches, divided by a count."""

    _of = ""

    def clear(self) -> None:
        self._sum: Any = np.float64(0.0)
        self._count = 0

    def _add(self, total: Any, count: int) -> None:
        self._sum += total
        self._count += count

    def eval(self) -> Any:
        """Return the mean over all batches.

        Raises:
            RuntimeError: Before any sample.
        """
        if self._count == 0:
            raise self._nothing_seen(self._of)
        return np.float64(self._sum / self._count)


class EvaluationBase(BuiltIn):
    """Base of the metrics over classes.

    Args:
        eval_type: ``'classification'`` (one class for each sample) or ``'multilabel'``.

    Raises:
        TypeError: For another ``eval_type``.
    """

    # Of the batches since ``clear``.
    _class_num = 0

    def __init__(self, eval_type: str) -> None:
        if eval_type not in ("classification", "multilabel"):
            raise ArgumentTypeError(
                "The argument 'eval_type' must be in {'classification', 'multilabel'}, but got "
                f"{eval_type}"
            )
        self._type = eval_type
        super().__init__()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch.

        Args:
            inputs: Scores (N, C, ...) and labels, (N, ...) or one-hot (N, C, ...); for
                ``'multilabel'``, two arrays (N, C, ...) of 0 and 1.

        Raises:
            ValueError: If there are not two inputs, or shapes or classes do not match.
        """
        y_pred, y = self._batch(inputs)
        classes = y_pred.shape[1]
        if self._class_num not in (0, classes):
            raise ArgumentValueError(
                f"For '{self._name()}.update', class number not match, last input predicted data "
                f"contain {self._class_num} classes, but current predicted data contain {classes} "
                "classes, please check your predicted value(inputs[0])."
            )
        self._take(y_pred, y)
        self._class_num = classes

    def _take(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        raise NotImplementedError

    def _check_shape(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type == "multilabel":
            if y_pred.shape != y.shape:
                raise ArgumentValueError(
                    "In multilabel case, the shapes of y_pred (predicted value) and y (true "
                    f"value) should be equal, but got y_pred shape: {y_pred.shape} and y shape: "
                    f"{y.shape}."
                )
            return
        if y_pred.ndim != y.ndim + 1:
            raise ArgumentValueError(
                "In classification case, the dimension of y_pred (predicted value) should equal to "
                f"the dimension of y (true value) add 1, but got y_pred dimension: {y_pred.ndim} "
                f"and y dimension: {y.ndim}."
            )
        if y_pred.shape[:1] + y_pred.shape[2:] != y.shape:
            raise ArgumentValueError(
                "In classification case, y_pred (predicted value) shape and y (true value) shape "
                "can not match, y shape should be equal to y_pred shape that the value at index 1 "
                "is deleted. Such as y_pred shape (1, 2, 3), then y shape should be (1, 3). But "
                f"got y_pred shape {y_pred.shape} and y shape {y.shape}."
            )

    def _check_value(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type == "multilabel" and not (_binary(y_pred) and _binary(y)):
            raise ArgumentValueError(
                "For multilabel case, all the values of y_pred and y must be 0 or 1."
            )

    def _batch(self, inputs: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Return scores (N, C, ...) and labels (N, ...), or both (N, C, ...) for multilabel."""
        y_pred, y = self._pair(inputs)
        if self._type == "classification" and y_pred.shape == y.shape and one_hot(y):
            y = y.argmax(axis=1)
        self._check_shape(y_pred, y)
        self._check_value(y_pred, y)
        return y_pred, y


def _binary(values: np.ndarray) -> bool:
    return bool(np.isin(values, (0, 1)).all())


def one_hot(values: np.ndarray) -> bool:
    """Whether exactly one entry along axis 1 is 1 and all others are 0."""
    return values.ndim > 1 and _binary(values) and bool((values.sum(axis=1) == 1).all())


def not_updated() -> EngineError:
    """Return the error of a metric that needs an ``update`` before ``eval``."""
    return EngineError("Please call the 'update' method before calling 'eval' method.")
