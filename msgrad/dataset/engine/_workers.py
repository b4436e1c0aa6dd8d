"""Worker processes that make rows: the same rows, in the same order, as without them.

They are loky's, not Grain's, which was looked at first. Grain's workers start the program anew and
so need ``if __name__ == "__main__":`` in it, which programs for MindSpore, whose workers are forks,
often lack; and of its pipeline nothing else could be used: a sampler here is a line of NumPy, and
MindSpore's epochs, batches, columns and ``split`` are not Grain's. Forks are out of the question
in a process where JAX has threads.
"""

from __future__ import annotations

import functools
import os
import random
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError

_Key = tuple[int, ...]
# What seeds Python's and NumPy's generators, which of the workers (counted on), and the argument.
Item = tuple[_Key, int, Any]


class _Surroundings:
    """Unpickled, it has a worker, which may be older, find the modules and files of this process.

    Users' modules also import ``mindspore``.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        install = getattr(sys.modules.get("mindspore"), "install", None)
        return _surrounded, (os.getpid(), install, [*sys.path], os.getcwd())


def _surrounded(
    process: int, install: Callable[[], Any] | None, path: list[str], folder: str
) -> None:
    if process == os.getpid():
        return
    sys.path[:] = path
    os.chdir(folder)
    if install is not None:
        install()


def packed(work: Any) -> bytes:
    """Return what is to be read in another process by ``unpacked``."""
    import cloudpickle  # pyright: ignore[reportMissingImports]

    return cloudpickle.dumps((_Surroundings(), work))


def unpacked(path: str) -> Any:
    """Return what ``packed`` made bytes of, from a file of them."""
    import cloudpickle  # pyright: ignore[reportMissingImports]

    return cloudpickle.loads(Path(path).read_bytes())[1]


def made_by_workers(
    work: Callable[[Any], Any], items: Iterable[Item], workers: int
) -> Iterator[Any]:
    """Return what a function makes of items, in their order.

    Args:
        work: The function; it goes to each worker once.
        items: What it is called with. All of one number are made by one worker, one after another.
        workers: How many processes; not more are started than there are processors.

    A worker takes seconds to start, as it imports what the function needs. Until all are there,
    rows are made here, so that a short epoch does not wait.

    Raises:
        RuntimeError: If a worker is killed; the next epoch has new ones.
    """
    ready = _packed(work) if workers > 1 else None
    if ready is None:
        for _, _, item in items:
            yield work(item)
        return
    with tempfile.TemporaryDirectory(prefix="msgrad-dataset-") as folder:
        path = Path(folder, "work")
        path.write_bytes(ready)
        workers = min(workers, os.cpu_count() or 1)
        pool, ahead = _pool(workers), deque()
        try:
            started = [executor.submit(os.getpid) for executor in pool]
            for key, number, item in items:
                if started and not all(future.done() for future in started):
                    yield _run_here(str(path), key, item)
                    continue
                started = []
                ahead.append(pool[number % workers].submit(_run, str(path), key, item))
                if len(ahead) > 4 * workers:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        except BrokenExecutor as error:
            _pool.cache_clear()
            raise EngineError(
                "A worker process of the dataset has ended before its row was made: was it killed, "
                "or out of memory? Fewer num_parallel_workers need less."
            ) from error
        finally:
            for future in ahead:
                future.cancel()


def _packed(work: Callable[[Any], Any]) -> bytes | None:
    """Return a function as bytes for other processes; None, with a warning, where it cannot be."""
    try:
        import cloudpickle  # noqa: F401  # pyright: ignore[reportMissingImports]
        import loky  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError:
        warnings.warn(
            "Rows are made in this process: workers need loky, of `pip install 'msgrad[data]'`."
        )
        return None
    try:
        return packed(work)
    except Exception as error:
        warnings.warn(f"Rows are made in this process: what makes them cannot be sent: {error}")
        return None


@functools.cache
def _pool(workers: int) -> list[Any]:
    """Return executors of one process each."""
    import loky  # pyright: ignore[reportMissingImports]

    # The accelerator is this process's.
    env = {"JAX_PLATFORMS": "cpu"}
    return [loky.ProcessPoolExecutor(1, timeout=60, env=env) for _ in range(workers)]


_unpacked = functools.lru_cache(maxsize=4)(unpacked)


def _run_here(path: str, key: _Key, item: Any) -> Any:
    """Return what ``_run`` does, with the global generators as they were."""
    states = random.getstate(), np.random.get_state()
    try:
        return _run(path, key, item)
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def _run(path: str, key: _Key, item: Any) -> Any:
    # Python's and NumPy's global generators too: which worker makes a row must not matter.
    seed = int(np.random.SeedSequence(key).generate_state(1)[0])
    random.seed(seed)
    np.random.seed(seed)
    return _unpacked(path)(item)
