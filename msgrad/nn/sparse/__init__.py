"""``mindspore.nn.sparse``: layers of sparse matrices."""

from msgrad._core.exports import public_names
from msgrad.nn.sparse.sparse import *  # noqa: F403

__all__ = public_names(globals())
