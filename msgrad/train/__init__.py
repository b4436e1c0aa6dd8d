"""Training: Model, callbacks, metrics, checkpoints. This file only re-exports."""

from typing import TYPE_CHECKING

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad._core.paths import later
from msgrad.train import callback, loss_scale_manager
from msgrad.train.amp import build_train_network as build_train_network
from msgrad.train.callback import *  # noqa: F403
from msgrad.train.data_sink import *  # noqa: F403
from msgrad.train.dataset_helper import *  # noqa: F403
from msgrad.train.loss_scale_manager import *  # noqa: F403
from msgrad.train.metrics import *  # noqa: F403
from msgrad.train.model import *  # noqa: F403
from msgrad.train.serialization import *  # noqa: F403
from msgrad.train.summary import *  # noqa: F403

__all__ = public_names(
    globals(),
    "build_train_network",
    *callback.__all__,
    *loss_scale_manager.__all__,
    *later(__name__),
)

__getattr__ = missing_names(__name__)

if TYPE_CHECKING:
    from msgrad._top import ckpt_to_safetensors as ckpt_to_safetensors
    from msgrad._top import safetensors_to_ckpt as safetensors_to_ckpt
    from msgrad.parallel._sharded import merge_sliced_parameter as merge_sliced_parameter

    # Loaded when they are asked for.
    from msgrad.train import amp as amp
    from msgrad.train import loss_scale_manager as loss_scale_manager
    from msgrad.train import metrics as metrics
    from msgrad.train import model as model
    from msgrad.train import serialization as serialization
    from msgrad.train import summary as summary
    from msgrad.train._strategy import build_searched_strategy as build_searched_strategy
    from msgrad.train._thor import ConvertModelUtils as ConvertModelUtils
