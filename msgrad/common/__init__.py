"""``mindspore.common``: the objects - Tensor, Parameter, dtypes, initializers, the seed."""

from msgrad.common.dtype import *  # noqa: F403
