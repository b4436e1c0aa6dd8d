"""Programs that are interrupted take interrupts, however the tests were started."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def interruptible() -> Iterator[None]:
    """A shell lets what it starts in the background ignore interrupts, and with it all that this
    starts; what has a handler here is as usual in a new program.
    """
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if ignored:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
