"""Two ranks: the programs of ``programs.py``, in one launch, against what real MindSpore gave."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.parity.compare import differences

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDED = [json.loads((HERE / f"recording_{rank}.json").read_text()) for rank in range(2)]
# Generous: this machine may be busy with other tests.
TIMEOUT = 300

# Where MindSpore's CPU lacks something, or we differ, with the reason.
DIFFERENT: dict[str, str] = {}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def launch(
    folder: Path, *words: str, ranks: int = 2, options: tuple[str, ...] = (), timeout: int = TIMEOUT
) -> subprocess.CompletedProcess[str]:
    """Run a program on some ranks; their logs are in ``folder``."""
    sizes = (f"--worker_num={ranks}", f"--local_worker_num={ranks}")
    place = (f"--master_port={free_port()}", f"--log_dir={folder}")
    return subprocess.run(
        [sys.executable, "-m", "msgrad", "launch", *sizes, *place, *options, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=timeout,
    )


@pytest.fixture(scope="session")
def observed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("ranks")
    done = launch(folder, str(HERE / "programs.py"), str(folder / "observed"))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads((folder / f"observed_{rank}.json").read_text()) for rank in range(2)]


@pytest.mark.parametrize("name", RECORDED[0])
def test_same_as_mindspore(observed: list[dict[str, Any]], name: str) -> None:
    for rank in range(2):
        want, got = RECORDED[rank][name], observed[rank][name]
        found = differences(want, got, 1e-4 if "train" in name else None)
        assert bool(found) == (name in DIFFERENT), f"rank {rank}: {found}\n{want}\n{got}"


def test_all_is_recorded(observed: list[dict[str, Any]]) -> None:
    assert [*observed[0]] == [*observed[1]] == [*RECORDED[0]] == [*RECORDED[1]]


_ = cache
