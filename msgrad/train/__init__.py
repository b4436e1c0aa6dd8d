"""Training: Model, callbacks, metrics, checkpoints. This file only re-exports."""

from typing import TYPE_CHECKING

from msgrad._core.missing import missing_names
from msgrad.train import callback, metrics
from msgrad.train.amp import build_train_network
from msgrad.train.callback import *  # noqa: F403
from msgrad.train.callback._left_out import SummaryRecord
from msgrad.train.data_sink import data_sink
from msgrad.train.dataset_helper import DatasetHelper, connect_network_with_dataset
from msgrad.train.loss_scale_manager import (
    DynamicLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
)
from msgrad.train.metrics import *  # noqa: F403
from msgrad.train.model import Model
from msgrad.train.serialization import (
    async_ckpt_thread_status,
    export,
    load_checkpoint,
    load_checkpoint_async,
    load_distributed_checkpoint,
    load_param_into_net,
    save_checkpoint,
)

__all__ = [
    "DatasetHelper",
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "Model",
    "SummaryRecord",
    "async_ckpt_thread_status",
    "build_train_network",
    "connect_network_with_dataset",
    "data_sink",
    "export",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_distributed_checkpoint",
    "load_param_into_net",
    "save_checkpoint",
    *callback.__all__,
    *metrics.__all__,
]

__getattr__ = missing_names(__name__)

if TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad.train import amp as amp
    from msgrad.train import loss_scale_manager as loss_scale_manager
    from msgrad.train import model as model
    from msgrad.train import serialization as serialization
    from msgrad.train import summary as summary
