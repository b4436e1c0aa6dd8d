"""The roll call before ``jax.distributed`` connects: all are there, or who is missing is named.

JAX ends the process from C++ where a rank does not come, and does not say which. So rank 0 waits
for the others at the port that JAX will use next, one line each; nothing else passes here.
"""

from __future__ import annotations

import contextlib
import socket
import time

_RETRY = 0.05
_GO = "go"


class RollCallError(Exception):
    """Not all ranks are there, and who is missing."""


def call_roll(address: str, size: int, rank: int, seconds: float) -> None:
    """Wait until all ranks have come.

    Args:
        address: ``host:port`` of rank 0.
        size: How many ranks there are.
        rank: The number of this one.
        seconds: How long to wait for the others.

    Raises:
        RollCallError: If they have not, or the port is taken.
    """
    host, _, port = address.rpartition(":")
    end = time.monotonic() + seconds
    if rank == 0:
        _wait(int(port), size, end)
    else:
        _report(host, int(port), size, rank, end)


def _wait(port: int, size: int, end: float) -> None:
    present: dict[int, socket.socket] = {}
    try:
        listener = socket.create_server(("", port), backlog=max(size, 128))
    except OSError as error:
        raise RollCallError(f"port {port} is taken ({error.strerror})") from None
    with contextlib.ExitStack() as stack:
        with listener:
            while len(present) < size - 1 and (left := end - time.monotonic()) > 0:
                listener.settimeout(left)
                with contextlib.suppress(TimeoutError):
                    connection = stack.enter_context(listener.accept()[0])
                    connection.settimeout(5)
                    with contextlib.suppress(OSError, ValueError):
                        rank, among = map(int, _line(connection).split())
                        if among == size and 0 < rank < size:
                            present[rank] = connection
        # The port is free again when the others are told.
        absent = [rank for rank in range(1, size) if rank not in present]
        text = f"missing: rank {', '.join(map(str, absent))}" if absent else _GO
        for connection in present.values():
            with contextlib.suppress(OSError):
                connection.sendall(f"{text}\n".encode())
    if absent:
        raise RollCallError(text)


def _report(host: str, port: int, size: int, rank: int, end: float) -> None:
    absent = RollCallError(f"missing: rank 0, which should be at {host}:{port}")
    while (left := end - time.monotonic()) > 0:
        try:
            with socket.create_connection((host, port), timeout=left) as connection:
                connection.sendall(f"{rank} {size}\n".encode())
                # Rank 0 gives up at about the same time, and knows more.
                connection.settimeout(left + 5)
                answer = _line(connection)
        except OSError:
            answer = ""
        if answer == _GO:
            return
        if answer:
            raise RollCallError(answer)
        time.sleep(_RETRY)
    raise absent


def _line(connection: socket.socket) -> str:
    received = b""
    while not received.endswith(b"\n"):
        more = connection.recv(256)
        if not more or len(received) > 4096:
            return ""
        received += more
    return received.decode().strip()
