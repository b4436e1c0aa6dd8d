"""``mindspore.nn.layer``: the layers, one module per kind."""

from msgrad._core.exports import public_names
from msgrad.nn.layer.activation import *  # noqa: F403  # noqa: F403
from msgrad.nn.layer.basic import *  # noqa: F403  # noqa: F403  # noqa: F403
from msgrad.nn.layer.combined import *  # noqa: F403
from msgrad.nn.layer.container import *  # noqa: F403
from msgrad.nn.layer.conv import *  # noqa: F403
from msgrad.nn.layer.embedding import *  # noqa: F403
from msgrad.nn.layer.image import *  # noqa: F403
from msgrad.nn.layer.image_measures import *  # noqa: F403
from msgrad.nn.layer.math import *  # noqa: F403
from msgrad.nn.layer.matrices import *  # noqa: F403
from msgrad.nn.layer.normalization import *  # noqa: F403
from msgrad.nn.layer.padding import *  # noqa: F403
from msgrad.nn.layer.pooling import *  # noqa: F403
from msgrad.nn.layer.rnn_cells import *  # noqa: F403
from msgrad.nn.layer.rnns import *  # noqa: F403
from msgrad.nn.layer.transformer import *  # noqa: F403
from msgrad.nn.layer.unpooling import *  # noqa: F403

# `nn.CosineSimilarity` is the metric.
__all__ = [name for name in public_names(globals()) if name != "CosineSimilarity"]
