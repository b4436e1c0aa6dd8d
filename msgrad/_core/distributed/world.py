"""The ranks of this job: one process each, with one device; joined when msgrad is imported.

JAX connects processes before its first computation only, and programs compute before they call
``init()``. So the variables of the launcher decide: those of msrun (``python -m msgrad launch``
sets them too), of Open MPI, and of Slurm inside of ``srun``. The engine is ``jax.distributed``,
with gloo between CPUs and NCCL between GPUs. Here is also how the end comes: a rank that fails
leaves at once and says why, since JAX's own exit waits for the others.

What runs on several ranks is in ``across.py``. With one process nothing here does anything.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

import jax
import numpy as np

from msgrad._core.distributed.rendezvous import RollCallError, call_roll
from msgrad._core.engine import cluster_here, unfinished
from msgrad._core.errors import EngineError

AXIS = "ranks"
_CONNECT_SECONDS = 600
# Where JAX chooses ports of Slurm's jobs.
_FIRST_PORT, _PORTS = 61440, 4096
# A rank that is done waits for those that are not, however long they take; JAX's own is 300.
_LEAVE_SECONDS = 7 * 24 * 3600
_HEARTBEAT_SECONDS = 100
_WATCH_SECONDS = 1.0
# What XLA and JAX say of a connection that was cut.
_CUT = ("Gloo", "gloo", "NCCL", "Connection reset", "coordination service", "heartbeat")


class World:
    """How many ranks there are, and which one this process is.

    Attributes:
        size, rank: Of all of them.
        local_size, local_rank: Of those on this machine.
        devices: The device of each rank.
        connected: Whether all have connected in one collective; see ``across.connect``.
    """

    size = 1
    rank = 0
    local_size = 1
    local_rank = 0
    devices: list[Any] = []
    connected = False


world = World()


def _join() -> None:
    """Connect to the other ranks, where a launcher has started several."""
    environ = os.environ
    if environ.get("MS_ROLE") in ("MS_SCHED", "MS_PSERVER"):
        print("msgrad: no scheduler is needed: rank 0 is the meeting point", file=sys.stderr)
        sys.stderr.flush()
        os._exit(0)
    if not jax.distributed.is_initialized():
        given = _given(environ)
        if given is None:
            return
        jax.config.update("jax_enable_preemption_service", False)
        _connect(given)
    world.size, world.rank = jax.process_count(), jax.process_index()
    if world.size == 1:
        return
    local = environ.get("DEVICE_ID") if "MS_ROLE" in environ else None
    world.local_rank = int(
        local
        or environ.get("OMPI_COMM_WORLD_LOCAL_RANK")
        or environ.get("SLURM_LOCALID")
        or world.rank
    )
    world.local_size = int(
        environ.get("MSGRAD_LOCAL_SIZE")
        or environ.get("OMPI_COMM_WORLD_LOCAL_SIZE")
        or tasks_here(environ)
        or world.size
    )
    first: dict[int, Any] = {}
    for device in jax.devices():
        first.setdefault(device.process_index, device)
    world.devices = [first[rank] for rank in range(world.size)]
    if (count := jax.local_device_count()) > 1:
        print(
            f"msgrad: rank {world.rank} of {world.size} computes on one device, but this process "
            f"has {count}; start a rank for each of them, or one process without ranks for all",
            file=sys.stderr,
        )
    jax.config.update("jax_default_device", world.devices[world.rank])
    sys.excepthook = _leave_at_once
    sys.exit = _exit


def _given(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what ``jax.distributed.initialize`` is to be told; None where there is one process."""
    if environ.get("MS_ROLE") == "MS_WORKER":
        return _msrun(environ)
    step = environ.get("SLURM_STEP_ID", "")
    if int(environ.get("OMPI_COMM_WORLD_SIZE") or 1) > 1:
        port = None
    elif step.isdecimal() and int(environ.get("SLURM_STEP_NUM_TASKS") or 1) > 1:
        # JAX's is that of the job: two steps of one at a time would have the same.
        port = _FIRST_PORT + (int(environ["SLURM_JOB_ID"]) + 127 * int(step)) % _PORTS
    else:
        return None
    address, size, rank, device = cluster_here(port)
    return _initialize(address, size, rank, device)


def _initialize(address: str, size: int, rank: int, device: str | int | None) -> dict[str, Any]:
    # One that is told which GPUs it may see, and it is one, has no other.
    sees = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    own = None if device is None else [0 if sees and "," not in sees else int(device)]
    return {
        "coordinator_address": address,
        "num_processes": size,
        "process_id": rank,
        "local_device_ids": own,
        "cluster_detection_method": "deactivate" if own else None,
    }


def tasks_here(environ: Mapping[str, str]) -> int:
    """Return how many tasks of a Slurm step this machine has; ``2(x3),1`` is said of four."""
    counts: list[int] = []
    for part in filter(None, environ.get("SLURM_STEP_TASKS_PER_NODE", "").split(",")):
        count, _, times = part.rstrip(")").partition("(x")
        counts += [int(count)] * int(times or 1)
    return counts[int(environ.get("SLURM_NODEID") or 0)] if counts else 0


def _msrun(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what msrun's variables say.

    Raises:
        EngineError: Where one of them is missing or no number.
    """
    number = environ.get("RANK_ID") or environ.get("MS_NODE_ID")
    wanted = ("MS_WORKER_NUM", "MS_SCHED_HOST", "MS_SCHED_PORT")
    absent = [name for name in wanted if not environ.get(name)]
    if number is None:
        absent.append("RANK_ID")
    if absent:
        raise EngineError(
            f"MS_ROLE is MS_WORKER, but {', '.join(absent)} is not set; start the program by "
            "'python -m msgrad launch', or unset MS_ROLE."
        )
    try:
        size, rank = int(environ["MS_WORKER_NUM"]), int(str(number))
    except ValueError:
        raise EngineError(
            f"MS_WORKER_NUM={environ['MS_WORKER_NUM']!r} and RANK_ID={number!r} must be numbers."
        ) from None
    if size == 1:
        return None
    address = f"{environ['MS_SCHED_HOST']}:{environ['MS_SCHED_PORT']}"
    return _initialize(address, size, rank, environ.get("DEVICE_ID") or None)


def _connect(given: dict[str, Any]) -> None:
    seconds = int(os.environ.get("MS_TOPO_TIMEOUT") or _CONNECT_SECONDS)
    if seconds <= 0:
        seconds = _LEAVE_SECONDS
    address, size = given["coordinator_address"], given["num_processes"]
    rank = given["process_id"]
    try:
        call_roll(address, size, rank, seconds)
    except RollCallError as error:
        leave(
            f"msgrad: rank {rank} of {size} waited {seconds} s for the others at {address} "
            f"(--cluster_time_out, MS_TOPO_TIMEOUT): {error}"
            if "missing" in str(error)
            else f"msgrad: rank {rank} of {size} failed: {error}; choose another --master_port, or "
            "JAX_COORDINATOR_PORT under Slurm and MPI"
        )
    jax.distributed.initialize(
        **given,
        initialization_timeout=seconds,
        heartbeat_timeout_seconds=_HEARTBEAT_SECONDS,
        shutdown_timeout_seconds=_LEAVE_SECONDS,
    )


def leave(line: str, code: int = 1) -> NoReturn:
    """Write why this rank ends, and end the process as it is."""
    sys.stdout.flush()
    print(line, file=sys.stderr, flush=True)
    os._exit(code)


def _leave_at_once(kind: type[BaseException], error: BaseException, trace: Any) -> NoReturn:
    """Show an error and leave; JAX's exit would wait for ranks that wait for this one."""
    traceback.print_exception(kind, error, trace)
    name = f"msgrad: rank {world.rank} of {world.size}"
    text = str(error).strip().partition("\n")[0]
    if any(word in str(error) for word in _CUT):
        leave(f"{name} lost another rank: {text[:200]}")
    leave(f"{name} failed: {kind.__name__}: {text[:500]}", 130 if kind is KeyboardInterrupt else 1)


_sys_exit = sys.exit


def _exit(status: Any = None, /) -> NoReturn:
    """Raise ``SystemExit``, as ``sys.exit`` does; a code that is not 0 leaves at once, at the end.

    Python ends by it without asking the hook for exceptions, and would wait for the other ranks.
    """
    _exit_status[:] = [status]
    _sys_exit(status)


_exit_status: list[Any] = []


def _at_exit() -> None:
    status = _exit_status[0] if _exit_status else None
    if world.size > 1 and status not in (None, 0):
        code = status if isinstance(status, int) else 1
        leave(f"msgrad: rank {world.rank} of {world.size} failed: sys.exit({status!r})", code)


def _leave_with_launcher() -> None:
    """End this process when its launcher is gone, killed perhaps."""
    launcher = os.environ.get("MSGRAD_LAUNCHER")
    if launcher is None or os.getppid() != int(launcher):
        return

    def watch() -> None:
        while os.getppid() == int(launcher):
            time.sleep(_WATCH_SECONDS)
        leave(f"msgrad: rank {world.rank} of {world.size} failed: its launcher is gone")

    threading.Thread(target=watch, daemon=True, name="msgrad-launcher").start()


def mesh_of(ranks: tuple[int, ...]) -> jax.sharding.Mesh:
    """Return the mesh of some ranks, in one axis."""
    return jax.sharding.Mesh(np.array([world.devices[rank] for rank in ranks]), (AXIS,))


def _finish() -> None:
    """Wait for what still runs: a thread that is in a program while XLA's library ends crashes.

    Not between ranks, where another may never come.
    """
    with suppress(Exception):
        jax.block_until_ready(unfinished())


_join()
if world.size > 1:
    atexit.register(_at_exit)
    _leave_with_launcher()
else:
    atexit.register(_finish)
