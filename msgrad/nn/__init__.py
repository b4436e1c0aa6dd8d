"""``mindspore.nn``: Cell, containers, layers, losses and optimizers."""

from typing import TYPE_CHECKING

from msgrad._core.missing import missing_names
from msgrad.nn import dynamic_lr, layer, learning_rate_schedule, loss, optim, wrap
from msgrad.nn.cell import Cell
from msgrad.nn.dynamic_lr import *  # noqa: F403
from msgrad.nn.layer import *  # noqa: F403
from msgrad.nn.learning_rate_schedule import *  # noqa: F403
from msgrad.nn.loss import *  # noqa: F403
from msgrad.nn.optim import *  # noqa: F403
from msgrad.nn.wrap import *  # noqa: F403

# The metrics are of a layer above; in MindSpore they are names of `nn` too.
_METRICS = [
    "F1",
    "MAE",
    "MSE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "CosineSimilarity",
    "Dice",
    "Fbeta",
    "HausdorffDistance",
    "Loss",
    "MeanSurfaceDistance",
    "Metric",
    "OcclusionSensitivity",
    "Perplexity",
    "Precision",
    "Recall",
    "RootMeanSquareDistance",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "auc",
    "get_metric_fn",
    "names",
    "rearrange_inputs",
]

__all__ = [
    "Cell",
    *dynamic_lr.__all__,
    *layer.__all__,
    *learning_rate_schedule.__all__,
    *loss.__all__,
    *optim.__all__,
    *wrap.__all__,
    *_METRICS,
]

__getattr__ = missing_names(__name__, dict.fromkeys(_METRICS, "msgrad.train.metrics"))

if TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad.nn import metrics as metrics
    from msgrad.train.metrics import *  # noqa: F403
