"""``python -m msgrad launch``: one process for each rank on this machine, with msrun's options.

Nothing of JAX is loaded here. The processes find each other by msrun's own variables, which
``_core/distributed/world.py`` reads. Each has a process group and a log of its own; when one fails,
or this process is told to end, all of them are ended. There is no scheduler process: rank 0 is the
meeting point, at ``--master_addr`` and ``--master_port``.

Several machines by hand: the same command on each, but for ``--node_rank``; the first is where
``--master_addr`` is::

    python -m msgrad launch --worker_num=8 --local_worker_num=4 --node_rank=0 \\
        --master_addr=10.0.0.1 prog.py
    python -m msgrad launch --worker_num=8 --local_worker_num=4 --node_rank=1 \\
        --master_addr=10.0.0.1 prog.py

Slurm and Open MPI start the ranks themselves; nothing of this file runs then, and Slurm or mpirun
ends them (``--kill-on-bad-exit`` is for a rank that fails while the others do not wait for it).
``mpirun`` gives each rank one core unless it is told not to::

    srun --ntasks=8 --kill-on-bad-exit python -m msgrad run prog.py
    mpirun -n 8 --bind-to none python -m msgrad run prog.py

Two of them at a time on a machine may need ``JAX_COORDINATOR_PORT``; how long ranks wait for those
that are late says ``MS_TOPO_TIMEOUT``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgrad.porting.start import python_path

_PORT = 8118
_TIMEOUT = 600
_POLL = 0.02
_GRACE = 2.0
# How long a rank that failed because another did may be the first that is seen.
_SETTLE = 0.3
_TAIL = 1 << 16
# What a rank says in its last line, see ``_core/distributed/world.py``.
FAILED, LOST = "msgrad: rank", "lost another rank"
# JAX ends so a process that waits to leave when another has left already.
_LEFT_ALONE = "was ended by SIGABRT"

_ACCEPTED = {
    "bind_core": "binding to cores",
    "bind_numa": "binding to NUMA nodes",
    "sim_level": "dry runs",
    "sim_rank_id": "dry runs",
    "rank_table_file": "rank tables",
}


class LaunchError(Exception):
    """The ranks cannot be started, and why."""


@dataclass
class _Rank:
    number: int
    process: subprocess.Popen[bytes]
    log: Path
    shown: int = 0
    code: int | None = None


@dataclass
class _Job:
    ranks: list[_Rank]
    size: int
    tail: list[int]
    signals: list[int]


def launch(words: Sequence[str]) -> int:
    """Run a program on several ranks and return the worst of their exit codes.

    Args:
        words: What follows ``launch`` on the command line.
    """
    args = _arguments(words)
    try:
        _check(args)
        return _run(args) if args.join else _in_background(args)
    except LaunchError as error:
        print(f"msgrad launch: {error}", file=sys.stderr)
        return 2


def _flag(text: str) -> bool:
    if text not in ("True", "False"):
        raise argparse.ArgumentTypeError(f"must be True or False, but got {text!r}")
    return text == "True"


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m msgrad launch",
        description="Run a program on several ranks, as msrun does. By Slurm and mpirun programs "
        "can be started without this: srun python -m msgrad run prog.py",
    )
    add = parser.add_argument
    add("--worker_num", type=int, default=8, help="ranks on all machines (%(default)s)")
    add("--local_worker_num", type=int, default=8, help="ranks on this machine (%(default)s)")
    add("--master_addr", default="127.0.0.1", help="where rank 0 is (%(default)s)")
    add("--master_port", type=int, default=_PORT, help="its port, 1024 to 65535 (%(default)s)")
    add("--node_rank", type=int, default=-1, help="number of this machine, where there are several")
    add("--log_dir", default="", help="folder for worker_<rank>.log (this one)")
    add(
        "--join",
        type=_flag,
        default=True,
        help="False: return at once and leave the ranks running (msrun's default)",
    )
    add(
        "--cluster_time_out",
        type=int,
        default=_TIMEOUT,
        help="seconds to wait for ranks that are late (%(default)s)",
    )
    add("--worker_log_name", default="", help="another name than worker; {ip}, {hostname}")
    add("--tail_worker_log", default="0", help="logs to show here: 0,3; -1 for all (%(default)s)")
    for name, what in _ACCEPTED.items():
        add(f"--{name}", help=f"accepted for compatibility: {what}")
    add("task_script", help="the program, or a command such as python -m module")
    add("task_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return parser.parse_args(words)


def _check(args: argparse.Namespace) -> None:
    if args.worker_num < 1 or args.local_worker_num < 1:
        raise LaunchError("--worker_num and --local_worker_num must be at least 1")
    if args.local_worker_num > args.worker_num:
        raise LaunchError(
            f"--local_worker_num, {args.local_worker_num}, is more than --worker_num, "
            f"{args.worker_num}"
        )
    if not 1024 <= args.master_port <= 65535:
        raise LaunchError(f"--master_port must be 1024 to 65535, but got {args.master_port}")
    if args.node_rank < 0 and args.worker_num > args.local_worker_num:
        raise LaunchError(
            f"--worker_num is {args.worker_num}, of which {args.local_worker_num} are started here "
            "(--local_worker_num): give the other machines --node_rank=1, 2, ..., this one "
            "--node_rank=0, and all of them --master_addr; or start all of them here"
        )
    ignored = [f"--{name}" for name in _ACCEPTED if getattr(args, name) is not None]
    if ignored:
        print(f"msgrad launch: without effect here: {', '.join(ignored)}", file=sys.stderr)
    if args.node_rank <= 0 and not _is_free(args.master_port):
        raise LaunchError(
            f"port {args.master_port} is taken, by another job or another program; choose another "
            "--master_port"
        )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the server of rank 0 does: a port whose last user has just ended is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def _environment(args: argparse.Namespace, number: int, local: int) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": python_path(),
        "PYTHONUNBUFFERED": "1",
        "MS_ROLE": "MS_WORKER",
        "MS_WORKER_NUM": str(args.worker_num),
        "MS_SCHED_HOST": args.master_addr,
        "MS_SCHED_PORT": str(args.master_port),
        "MS_TOPO_TIMEOUT": str(args.cluster_time_out),
        "MS_NODE_ID": str(number),
        "RANK_ID": str(number),
        "RANK_SIZE": str(args.worker_num),
        "DEVICE_ID": str(local),
        "MSGRAD_LOCAL_SIZE": str(args.local_worker_num),
        "MSGRAD_LAUNCHER": str(os.getpid()),
    }


def _command(args: argparse.Namespace) -> list[str]:
    script = args.task_script
    own = [] if os.path.basename(script).startswith("python") else [sys.executable]
    return [*own, script, *args.task_script_args]


def _log_name(args: argparse.Namespace) -> str:
    host = socket.gethostname()
    name = args.worker_log_name or "worker"
    if "{ip}" in name:
        try:
            name = name.replace("{ip}", socket.gethostbyname(host))
        except OSError:
            name = name.replace("{ip}", "127.0.0.1")
    return name.replace("{hostname}", host)


def _log_folder(args: argparse.Namespace) -> Path:
    folder = Path(args.log_dir or ".")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LaunchError(f"--log_dir: {error}") from None
    return folder


def _start(args: argparse.Namespace, signals: list[int]) -> _Job:
    folder = _log_folder(args)
    first = max(args.node_rank, 0) * args.local_worker_num
    if first + args.local_worker_num > args.worker_num:
        raise LaunchError(
            f"--node_rank={args.node_rank}: there are no ranks {first} to "
            f"{first + args.local_worker_num - 1} among {args.worker_num}"
        )
    try:
        shown = [int(number) for number in args.tail_worker_log.split(",")]
    except ValueError:
        raise LaunchError(f"--tail_worker_log: {args.tail_worker_log!r} is no number") from None
    tail = list(range(args.local_worker_num)) if -1 in shown else shown
    job = _Job([], args.worker_num, tail, signals)
    command, name = _command(args), _log_name(args)
    try:
        for local in range(args.local_worker_num):
            number = first + local
            log = folder / f"{name}_{number}.log"
            with open(log, "wb") as out:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    env=_environment(args, number, local),
                    start_new_session=True,
                )
            job.ranks.append(_Rank(number, process, log))
    except OSError as error:
        _end(job)
        raise LaunchError(f"{command[0]}: {error}") from None
    return job


def _run(args: argparse.Namespace) -> int:
    signals: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Not where the shell said to ignore it (`nohup`, `&`).
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: signals.append(number))
    job = _start(args, signals)
    try:
        return _watch(job)
    finally:
        _end(job)


def _watch(job: _Job) -> int:
    """Wait until all ranks have ended, or one has failed; return the exit code."""
    while not job.signals:
        _poll(job)
        if any(rank.code for rank in job.ranks):
            _settle(job)
            return _explain(job)
        if all(rank.code == 0 for rank in job.ranks):
            return 0
        time.sleep(_POLL)
    name = signal.Signals(job.signals[0]).name
    print(f"msgrad launch: {name}: ending {len(job.ranks)} ranks", file=sys.stderr)
    return 128 + job.signals[0]


def _poll(job: _Job) -> None:
    for rank in job.ranks:
        if rank.code is None:
            rank.code = rank.process.poll()
        if rank.number - job.ranks[0].number in job.tail:
            _show(rank)


def _settle(job: _Job) -> None:
    """Wait a moment: a rank whose connection was cut may have ended before the one that cut it."""
    end = time.monotonic() + _SETTLE
    while time.monotonic() < end and any(rank.code is None for rank in job.ranks):
        time.sleep(_POLL)
        _poll(job)
    _poll(job)


def _show(rank: _Rank) -> None:
    with contextlib.suppress(OSError), open(rank.log, "rb") as log:
        log.seek(rank.shown)
        text = log.read()
        rank.shown += len(text)
        if text:
            sys.stdout.flush()
            with contextlib.suppress(OSError):
                os.write(1, text)


def _explain(job: _Job) -> int:
    """Say which ranks failed, and why; return the worst code of those that did so by themselves."""
    failed = [(rank, _cause(rank)) for rank in job.ranks if rank.code]
    own = [(rank, cause) for rank, cause in failed if LOST not in cause and cause != _LEFT_ALONE]
    own = own or failed[:1]
    for rank, cause in own[:4]:
        print(
            f"msgrad launch: rank {rank.number} of {job.size} {cause}; its log: {rank.log}",
            file=sys.stderr,
        )
    # As a shell counts what a signal ended.
    return max(128 - code if code < 0 else code for rank, _ in own if (code := rank.code))


def _cause(rank: _Rank) -> str:
    ended = ""
    if rank.code is not None and rank.code < 0:
        ended = f"was ended by {signal.Signals(-rank.code).name}"
    try:
        with open(rank.log, "rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL))
            lines = log.read().decode(errors="replace").splitlines()
    except OSError:
        lines = []
    if ended:
        # What C++ says where it gives up: of shapes or collectives that differ by rank, too.
        said = [line for line in lines if line.strip().startswith("what():")]
        return f"{ended}: {said[-1].strip()[7:].strip()}" if said else ended
    own = [line for line in lines if line.startswith(FAILED)]
    if own:
        return own[-1].partition(": ")[2].split(" ", 4)[-1]
    last = next((line for line in reversed(lines) if line.strip()), "")
    return f"ended with code {rank.code}" + (f": {last.strip()}" if last else "")


def _end(job: _Job) -> None:
    """End what is left, with what it has started: asked first, then killed."""
    _signal(job, signal.SIGTERM)
    end = time.monotonic() + _GRACE
    while time.monotonic() < end and any(rank.process.poll() is None for rank in job.ranks):
        time.sleep(_POLL)
    _signal(job, signal.SIGKILL)
    for rank in job.ranks:
        rank.process.wait()
    _poll(job)


def _signal(job: _Job, number: int) -> None:
    for rank in job.ranks:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(rank.process.pid, number)


def _in_background(args: argparse.Namespace) -> int:
    """Leave the ranks running, watched by a process of their own, which has a log too."""
    log = _log_folder(args) / "launch.log"
    sys.stdout.flush()
    if os.fork():
        print(f"msgrad launch: {args.local_worker_num} ranks are running; see {log}")
        return 0
    os.setsid()
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    null = os.open(os.devnull, os.O_RDONLY)
    for number, stream in enumerate((null, out, out)):
        os.dup2(stream, number)
    os._exit(_run(args))
