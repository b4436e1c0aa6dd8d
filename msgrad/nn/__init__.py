"""``mindspore.nn``: Cell, containers, layers, losses and optimizers."""

from typing import TYPE_CHECKING

from msgrad._core.missing import missing_names
from msgrad.nn import _operators as _operators
from msgrad.nn._derivatives import *  # noqa: F403
from msgrad.nn._left_out import *  # noqa: F403
from msgrad.nn.cell import Cell as Cell
from msgrad.nn.dynamic_lr import *  # noqa: F403
from msgrad.nn.graph_cell import *  # noqa: F403
from msgrad.nn.layer import *  # noqa: F403
from msgrad.nn.learning_rate_schedule import *  # noqa: F403
from msgrad.nn.loss import *  # noqa: F403
from msgrad.nn.no_init import no_init_parameters as no_init_parameters
from msgrad.nn.optim import *  # noqa: F403
from msgrad.nn.sparse import *  # noqa: F403
from msgrad.nn.wrap import *  # noqa: F403

if TYPE_CHECKING:
    from msgrad.nn import dynamic_lr as dynamic_lr
    from msgrad.nn import layer as layer
    from msgrad.nn import learning_rate_schedule as learning_rate_schedule
    from msgrad.nn import loss as loss
    from msgrad.nn import metrics as metrics
    from msgrad.nn import optim as optim
    from msgrad.nn import sparse as sparse
    from msgrad.nn import wrap as wrap
    from msgrad.train.metrics import *  # noqa: F403
else:
    # The metrics are of a layer above, and so are layers of mint; in MindSpore they are names of
    # `nn` too.
    _OF_MINT = (
        "AvgPool1dExt AvgPool2dExt AvgPool3dExt Dropout2dExt DropoutExt EmbeddingExt L1LossExt "
        "LayerNormExt LogSoftmaxExt MaxPool2dExt"
    )
    __getattr__ = missing_names(
        __name__,
        {
            "ResizeBilinear": "msgrad.nn.layer.dropped",
            **dict.fromkeys(_OF_MINT.split(), "msgrad.mint.nn._ext"),
        },
        above="msgrad.train.metrics",
    )
