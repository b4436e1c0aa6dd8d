"""``mindspore.nn.layer``: the layers, one module per kind."""

from msgrad.nn.layer import (
    activation,
    basic,
    container,
    conv,
    conv_transpose,
    dropout,
    embedding,
    image,
    math,
    normalization,
    padding,
    pooling,
    rnn_cells,
    rnns,
)
from msgrad.nn.layer.activation import *  # noqa: F403
from msgrad.nn.layer.basic import *  # noqa: F403
from msgrad.nn.layer.container import *  # noqa: F403
from msgrad.nn.layer.conv import *  # noqa: F403
from msgrad.nn.layer.conv_transpose import *  # noqa: F403
from msgrad.nn.layer.dropout import *  # noqa: F403
from msgrad.nn.layer.embedding import *  # noqa: F403
from msgrad.nn.layer.image import *  # noqa: F403
from msgrad.nn.layer.math import *  # noqa: F403
from msgrad.nn.layer.normalization import *  # noqa: F403
from msgrad.nn.layer.padding import *  # noqa: F403
from msgrad.nn.layer.pooling import *  # noqa: F403
from msgrad.nn.layer.rnn_cells import *  # noqa: F403
from msgrad.nn.layer.rnns import *  # noqa: F403

__all__ = [
    *activation.__all__,
    *basic.__all__,
    *container.__all__,
    *conv.__all__,
    *conv_transpose.__all__,
    *dropout.__all__,
    *embedding.__all__,
    *image.__all__,
    *math.__all__,
    *normalization.__all__,
    *padding.__all__,
    *pooling.__all__,
    *rnn_cells.__all__,
    *rnns.__all__,
]
