"""``DatasetCache``, which programs make of the number of a cache server's session."""

from __future__ import annotations

from msgrad.dataset._arguments import an_int, one_of


class DatasetCache:
    """The cache of a dataset, which has the rows that the dataset has without it.

    Args:
        session_id: int, of a session of MindSpore's cache server.
        size: int, in MB; 0 for no limit.
        spilling: bool.
        hostname, port, num_connections, prefetch_size: Accepted for compatibility.

    Raises:
        TypeError, ValueError: For other arguments.

    Differs from MindSpore: no server is needed or asked, and rows are made anew in each epoch.
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ) -> None:
        self.session_id = an_int("session_id", session_id, 1, 2**32 - 1)
        self.size = an_int("size", size, 0, 2**32 - 1)
        self.spilling = one_of("spilling", spilling, bool)


__all__ = ["DatasetCache"]
