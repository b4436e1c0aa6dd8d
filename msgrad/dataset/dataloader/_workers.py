"""Worker processes of a ``DataLoader``: batch ``k`` is made by worker ``k % num_workers``.

They are loky's (``engine/_workers.py`` says why), one executor for each, so that what a worker has
made of its dataset stays with it: where an iterable dataset is, what ``worker_init_fn`` has opened.
A process takes seconds to start, and so stays for the next epoch and the next loader; one that has
had nothing to do for a minute ends, and its successor begins where it was.
"""

from __future__ import annotations

import os
import random
import tempfile
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from msgrad._core.errors import EngineError, UnsupportedError
from msgrad._core.missing import library
from msgrad.dataset.dataloader.sampler import LARGEST_SEED
from msgrad.dataset.engine._workers import packed, unpacked

if TYPE_CHECKING:
    from msgrad.dataset.dataloader.dataloader import DataLoader

_executors: dict[int, Any] = {}
_numbers = count()


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker knows of itself.

    Attributes:
        id: int, its number, from 0.
        num_workers: int, how many there are.
        seed: int, what its random generators began with.
        dataset: Its copy of the dataset.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any


@dataclass(frozen=True)
class _Stopped:
    """A worker has no batch: its rows are at their end, or there was an exception."""

    text: str = ""


@dataclass
class _Worker:
    """A worker, in its process.

    Attributes:
        sent: Number of the dataset that it has.
        start: Begins an epoch; gives what makes a batch.
        info: What it knows of itself.
        epoch: Number of the epoch that it is in.
    """

    sent: int
    start: Callable[[], Callable[[Any], Any]]
    info: WorkerInfo
    epoch: int = -1
    make: Any = None


_here: dict[int, _Worker] = {}
_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return what a worker of a ``DataLoader`` knows of itself; None where this is none."""
    return _info


def made_by_workers(loader: DataLoader) -> Iterator[Any]:
    """Return the batches of an epoch.

    Raises:
        NotImplementedError: If loky is not installed.
        RuntimeError: If a worker raises, is killed, or does not answer in time.
    """
    library("loky", "data", "num_workers (unless it is 0)", UnsupportedError)
    library("cloudpickle", "data", "num_workers", UnsupportedError)
    if loader._sent is None:
        work = loader.dataset, loader._work(), loader.worker_init_fn
        sent, ready = next(_numbers), packed(work)
        if loader.persistent_workers:
            loader._sent = sent, ready
    else:
        sent, ready = loader._sent
    seed = int(loader.generator.integers(0, LARGEST_SEED)) + 1
    epoch, workers = next(_numbers), loader.num_workers
    for place in range(workers if loader.timeout else 0):
        # What a process takes to start does not count.
        _executor(place).submit(get_worker_info).result()
    with tempfile.TemporaryDirectory(prefix="msgrad-loader-") as folder:
        path = Path(folder, "work")
        path.write_bytes(ready)

        def ask(place: int, index: Any, before: int) -> Future[Any]:
            return _executor(place).submit(
                _make, str(path), sent, epoch, (place, workers, seed + place), index, before
            )

        try:
            yield from _in_turn(loader, ask)
        except TooLate as error:
            _end_all()
            raise EngineError(
                f"DataLoader timed out waiting for data after {loader.timeout} seconds."
            ) from error
        except BrokenExecutor as error:
            _end_all()
            raise EngineError(
                "A DataLoader worker exited unexpectedly: was it killed, or out of memory?"
            ) from error


def _in_turn(loader: DataLoader, ask: Callable[[int, Any, int], Future[Any]]) -> Iterator[Any]:
    indices, places = iter(loader.index_sampler), cycle(range(loader.num_workers))
    asked = dict.fromkeys(range(loader.num_workers), 0)
    ended: set[int] = set()
    ahead: deque[tuple[int, Future[Any]]] = deque()

    def ask_for_one() -> bool:
        place = next((p for p in (next(places) for _ in asked) if p not in ended), None)
        if place is None:
            return False
        for index in indices:
            ahead.append((place, ask(place, index, asked[place])))
            asked[place] += 1
            return True
        return False

    try:
        while len(ahead) < len(asked) * (loader.prefetch_factor or 1) and ask_for_one():
            pass
        while ahead:
            if not loader.in_order:
                wait([future for _, future in ahead], loader.timeout or None, FIRST_COMPLETED)
                ahead.rotate(-next((k for k, (_, f) in enumerate(ahead) if f.done()), 0))
            place, future = ahead.popleft()
            batch = future.result(loader.timeout or None)
            if not isinstance(batch, _Stopped):
                ask_for_one()
                yield batch
            elif batch.text:
                raise EngineError(f"In worker {place} of the DataLoader:\n{batch.text}")
            else:
                ended.add(place)
                ask_for_one()
    finally:
        for _, future in ahead:
            future.cancel()


def _executor(place: int) -> Any:
    import loky  # pyright: ignore[reportMissingImports]

    # As many processes as processors: several workers may be in one.
    place %= os.cpu_count() or 1
    if place not in _executors:
        # The accelerator is this process's.
        environment = {"JAX_PLATFORMS": "cpu"}
        _executors[place] = loky.ProcessPoolExecutor(1, timeout=60, env=environment)
    return _executors[place]


def _end_all() -> None:
    """End all processes: one has ended, or does not answer."""
    while _executors:
        _, executor = _executors.popitem()
        executor.shutdown(wait=False, kill_workers=True)


def _make(
    path: str, sent: int, epoch: int, about: tuple[int, int, int], index: Any, before: int
) -> Any:
    """Make a batch, in a worker.

    Args:
        path: File of the dataset and what is to be done with it.
        sent: Its number.
        epoch: Number of the epoch.
        about: The worker's number, how many there are, and its seed.
        index: Row numbers of the batch.
        before: How many batches the worker was asked for before this one, in the epoch.
    """
    global _info
    place, _, seed = about
    try:
        worker = _here.get(place)
        if worker is None or worker.sent != sent:
            dataset, start, init = unpacked(path)
            worker = _here[place] = _Worker(sent, start, WorkerInfo(*about, dataset))
            _info = worker.info
            random.seed(seed)
            np.random.seed(np.random.SeedSequence(seed).generate_state(4))
            if init is not None:
                init(place)
        _info = worker.info
        if worker.epoch != epoch:
            worker.epoch, worker.make = epoch, worker.start()
            # A predecessor has made these: rows that have no numbers must be passed over.
            for _ in range(before if _has_no_numbers(index) else 0):
                worker.make(index)
        return worker.make(index)
    except StopIteration:
        return _Stopped()
    except Exception:
        return _Stopped(traceback.format_exc())


def _has_no_numbers(index: Any) -> bool:
    return index is None or (isinstance(index, list) and index[:1] == [None])
