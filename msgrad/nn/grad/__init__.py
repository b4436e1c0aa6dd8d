"""``mindspore.nn.grad``: Jvp and Vjp."""

from msgrad._core.exports import public_names
from msgrad.nn.grad.cell_grad import *  # noqa: F403

__all__ = public_names(globals())
