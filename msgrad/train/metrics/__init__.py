"""``mindspore.train.metrics``: metrics by class and by name."""

from __future__ import annotations

from typing import Any

from msgrad._core.declared import guarded
from msgrad._core.errors import ArgumentTypeError, ParameterNameError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.train.metrics._classes import *  # noqa: F403
from msgrad.train.metrics._confusion import *  # noqa: F403
from msgrad.train.metrics._values import *  # noqa: F403
from msgrad.train.metrics.bleu_score import *  # noqa: F403
from msgrad.train.metrics.metric import *  # noqa: F403
from msgrad.train.metrics.metric import Metric
from msgrad.train.metrics.occlusion_sensitivity import *  # noqa: F403
from msgrad.train.metrics.roc import *  # noqa: F403
from msgrad.train.metrics.surface_distance import *  # noqa: F403

# The classes by the names that programs write.
_BY_NAME = {
    "F1": "F1",
    "acc": "Accuracy",
    "accuracy": "Accuracy",
    "auc": "auc",
    "bleu_score": "BleuScore",
    "confusion_matrix": "ConfusionMatrix",
    "confusion_matrix_metric": "ConfusionMatrixMetric",
    "cosine_similarity": "CosineSimilarity",
    "dice": "Dice",
    "hausdorff_distance": "HausdorffDistance",
    "loss": "Loss",
    "mae": "MAE",
    "mean_surface_distance": "MeanSurfaceDistance",
    "mse": "MSE",
    "occlusion_sensitivity": "OcclusionSensitivity",
    "perplexity": "Perplexity",
    "precision": "Precision",
    "recall": "Recall",
    "roc": "ROC",
    "root_mean_square_distance": "RootMeanSquareDistance",
    "top_1_accuracy": "Top1CategoricalAccuracy",
    "top_5_accuracy": "Top5CategoricalAccuracy",
    "topk": "TopKCategoricalAccuracy",
}


def names() -> list[str]:
    """Return the names that ``get_metric_fn`` and ``Model(metrics={...})`` know."""
    return sorted(_BY_NAME)


@guarded
def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """Make a metric from its name.

    Args:
        name: One of ``names()``.
        args, kwargs: Passed to its class.

    Raises:
        KeyError: For another name.
    """
    if name not in _BY_NAME:
        raise ParameterNameError(
            f"For 'get_metric_fn', unsupported metric {name}, please refer to official website "
            f"for more details about supported metrics. Known names: {names()}"
        )
    return globals()[_BY_NAME[name]](*args, **kwargs)


def get_metrics(metrics: Any) -> dict[str, Metric] | None:
    """Return the metrics of a ``Model`` by name.

    Args:
        metrics: A set of names, a dict of Metrics by name, or None.

    Raises:
        TypeError: For anything else.
    """
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in metrics}
    if isinstance(metrics, dict):
        for key, value in metrics.items():
            if not isinstance(key, str) or not isinstance(value, Metric):
                raise ArgumentTypeError(
                    "For 'get_metrics', if 'metrics' is dict, the key in 'metrics' must be string "
                    f"and value in 'metrics' must be Metric, but got key:{type(key)}, "
                    f"value:{type(value)}."
                )
    elif metrics is not None:
        raise ArgumentTypeError(
            "For 'get_metrics', the argument 'metrics' must be None, dict or set, but got "
            f"{metrics}"
        )
    return metrics


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
