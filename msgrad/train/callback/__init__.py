"""``mindspore.train.callback``: callbacks. This file only re-exports."""

from msgrad._core.missing import missing_names
from msgrad.train.callback._callback import Callback, RunContext
from msgrad.train.callback._callback import CallbackManager as _CallbackManager
from msgrad.train.callback._callback import InternalCallbackParam as _InternalCallbackParam
from msgrad.train.callback._callback_state import restore_callback_state
from msgrad.train.callback._checkpoint import CheckpointConfig, ModelCheckpoint
from msgrad.train.callback._early_stop import EarlyStopping
from msgrad.train.callback._history import History
from msgrad.train.callback._lambda_callback import LambdaCallback
from msgrad.train.callback._left_out import (
    BackupAndRestore,
    FlopsUtilizationCollector,
    OnRequestExit,
    SummaryCollector,
    SummaryLandscape,
    TrainFaultTolerance,
)
from msgrad.train.callback._loss_monitor import LossMonitor
from msgrad.train.callback._lr_scheduler_callback import LearningRateScheduler
from msgrad.train.callback._progress_bar import ProgressBar
from msgrad.train.callback._random_state import restore_random_state
from msgrad.train.callback._reduce_lr_on_plateau import ReduceLROnPlateau
from msgrad.train.callback._time_monitor import TimeMonitor

__all__ = [
    "BackupAndRestore",
    "Callback",
    "CheckpointConfig",
    "EarlyStopping",
    "FlopsUtilizationCollector",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "LossMonitor",
    "ModelCheckpoint",
    "OnRequestExit",
    "ProgressBar",
    "ReduceLROnPlateau",
    "RunContext",
    "SummaryCollector",
    "SummaryLandscape",
    "TimeMonitor",
    "TrainFaultTolerance",
    "_CallbackManager",
    "_InternalCallbackParam",
    "restore_callback_state",
    "restore_random_state",
]

__getattr__ = missing_names(__name__)
