"""What a Model does with its metrics: feeding them the outputs of a step; no loop over data."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentValueError
from msgrad.nn.wrap.cell_wrapper import WithEvalCell
from msgrad.train.metrics import Loss, Metric
from msgrad.train.metrics import get_metrics as get_metrics


def evaluation_network(
    network: Any, loss_fn: Any, given: Any, indexes: Any, amp_level: str
) -> tuple[Any, list[int] | None]:
    """Return the network that an evaluation runs, and where loss, prediction and label are in it.

    Raises:
        ValueError: If there is neither an evaluation network nor a loss, or the indexes are no
            list of three.
    """
    if given is not None:
        if indexes is not None and not (isinstance(indexes, list) and len(indexes) == 3):
            raise ArgumentValueError(
                "The argument 'eval_indexes' must be a list or None. If 'eval_indexes' is a list, "
                f"length of it must be three. But got 'eval_indexes' {indexes}"
            )
        return given, indexes
    if loss_fn is None:
        raise ArgumentValueError(
            "If `metrics` is set, `eval_network` must not be None. Do not set `metrics` if you "
            "don't want an evaluation. (With a loss_fn, Model makes the eval_network itself.)"
        )
    return WithEvalCell(network, loss_fn, amp_level in ("O2", "O3", "auto")), [0, 1, 2]


class Scores:
    """The metrics of one evaluation.

    Args:
        metrics: By name.
        indexes: Where loss, prediction and label are among the outputs; None feeds all of them.
        with_loss: Whether to add ``eval_loss``: as in MindSpore, the loss of the last batch.
    """

    def __init__(
        self, metrics: dict[str, Metric], indexes: list[int] | None, with_loss: bool = False
    ) -> None:
        self._metrics = dict(metrics)
        self._indexes = indexes
        if with_loss and indexes is not None:
            self._metrics["eval_loss"] = Loss()
        for metric in self._metrics.values():
            metric.clear()

    def update(self, outputs: Any) -> None:
        """Update with the outputs of a step."""
        each = tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)
        if "eval_loss" in self._metrics:
            self._metrics["eval_loss"].clear()
        for metric in self._metrics.values():
            if self._indexes is None:
                metric.update(*each)
            elif isinstance(metric, Loss):
                metric.update(each[self._indexes[0]])
            else:
                metric.update(each[self._indexes[1]], each[self._indexes[2]])

    def eval(self) -> dict[str, Any]:
        """Return the value of each metric."""
        return {name: metric.eval() for name, metric in self._metrics.items()}
