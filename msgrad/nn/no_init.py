"""``no_init_parameters``: Cells whose weights wait, since a checkpoint is loaded over them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgrad.common.parameter import no_values


@contextmanager
def no_init_parameters() -> Iterator[None]:
    """Let Cells made in the ``with`` block draw no weights; each is drawn if it is used before set.

    Examples:
        >>> from msgrad import nn
        >>> with nn.utils.no_init_parameters():
        ...     net = nn.Dense(2, 3)
        >>> net.weight.has_init
        True
    """
    token = no_values.set(True)
    try:
        yield
    finally:
        no_values.reset(token)
