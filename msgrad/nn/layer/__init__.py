"""``mindspore.nn.layer``: the layers, one module per kind."""

from msgrad.nn.layer.activation import *  # noqa: F403
from msgrad.nn.layer.activation import __all__ as _activation
from msgrad.nn.layer.basic import *  # noqa: F403
from msgrad.nn.layer.basic import __all__ as _basic
from msgrad.nn.layer.container import *  # noqa: F403
from msgrad.nn.layer.container import __all__ as _container
from msgrad.nn.layer.conv import *  # noqa: F403
from msgrad.nn.layer.conv import __all__ as _conv
from msgrad.nn.layer.conv_transpose import *  # noqa: F403
from msgrad.nn.layer.conv_transpose import __all__ as _conv_transpose
from msgrad.nn.layer.dropout import *  # noqa: F403
from msgrad.nn.layer.dropout import __all__ as _dropout
from msgrad.nn.layer.embedding import *  # noqa: F403
from msgrad.nn.layer.embedding import __all__ as _embedding
from msgrad.nn.layer.image import *  # noqa: F403
from msgrad.nn.layer.image import __all__ as _image
from msgrad.nn.layer.math import *  # noqa: F403
from msgrad.nn.layer.math import __all__ as _math
from msgrad.nn.layer.normalization import *  # noqa: F403
from msgrad.nn.layer.normalization import __all__ as _normalization
from msgrad.nn.layer.padding import *  # noqa: F403
from msgrad.nn.layer.padding import __all__ as _padding
from msgrad.nn.layer.pooling import *  # noqa: F403
from msgrad.nn.layer.pooling import __all__ as _pooling
from msgrad.nn.layer.rnn_cells import *  # noqa: F403
from msgrad.nn.layer.rnn_cells import __all__ as _rnn_cells
from msgrad.nn.layer.rnns import *  # noqa: F403
from msgrad.nn.layer.rnns import __all__ as _rnns

__all__ = [
    *_activation,
    *_basic,
    *_container,
    *_conv,
    *_conv_transpose,
    *_dropout,
    *_embedding,
    *_image,
    *_math,
    *_normalization,
    *_padding,
    *_pooling,
    *_rnn_cells,
    *_rnns,
]
