"""Two ranks: the programs of ``programs.py``, in one launch, against what real MindSpore gave."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import msgrad
from msgrad import interop
from msgrad._core.distributed.world import tasks_here
from tests.parity.compare import differences

msgrad.install()
from tests.ranks import more, resumed  # noqa: E402, F401 - more adds to CHECKS
from tests.ranks.beyond import CHECKS  # noqa: E402

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDED = [json.loads((HERE / f"recording_{rank}.json").read_text()) for rank in range(2)]
# Generous: this machine may be busy with other tests.
TIMEOUT = 400


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


# One test, since a launch takes long, and each process of pytest would make one of its own.
def test_programs_of_two_ranks(tmp_path: Path) -> None:
    """What MindSpore gives where its CPU can, and ``beyond.py`` where it cannot."""
    done = launch(tmp_path, str(HERE / "programs.py"), str(tmp_path / "observed"))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    for rank, recorded in enumerate(RECORDED):
        observed = json.loads((tmp_path / f"observed_{rank}.json").read_text())
        assert [*observed] == [*recorded, *(f"beyond:{name}" for name in CHECKS)]
        wrong = {
            name: found
            for name, want in recorded.items()
            if (found := differences(want, observed[name], 1e-4 if _has_tanh(name) else None))
        }
        assert not wrong, f"rank {rank}"


def _has_tanh(name: str) -> bool:
    """Whether a program runs the network: MindSpore's tanh is right to five digits on a CPU."""
    return "train" in name or name in ("accumulated", "clipped_by_global_norm", "model_on_shards")


@pytest.mark.parametrize(
    ("said", "node", "count"),
    [("2", "0", 2), ("2(x3),1", "2", 2), ("2(x3),1", "3", 1), ("", "0", 0)],
)
def test_tasks_of_this_machine_under_slurm(said: str, node: str, count: int) -> None:
    assert tasks_here({"SLURM_STEP_TASKS_PER_NODE": said, "SLURM_NODEID": node}) == count


PROGRAM = """
import os, sys, time
import mindspore as ms
from mindspore import Tensor, ops
from mindspore.communication import get_rank, init
init()
ops.AllReduce()(Tensor([1.0]))
if get_rank() == 1:
    {fault}
# XLA goes on while such a program runs: it is waited for elsewhere.
grad = ms.grad(lambda x: ops.AllReduce()(x @ x).sum())
ops.relu(grad(ops.ones((64, 64)))).asnumpy()
time.sleep(200)
"""


@pytest.mark.parametrize(
    ("fault", "code", "line"),
    [
        ("raise ValueError('bad data')", 1, "rank 1 of 2 failed: ValueError: bad data"),
        ("os.kill(os.getpid(), 9)", 137, "rank 1 of 2 was ended by SIGKILL"),
        ("sys.exit(7)", 7, "rank 1 of 2 failed: sys.exit(7)"),
        ("sys.exit(0)", 1, "but rank 1 has ended after 1; every rank must make the same calls"),
    ],
)
def test_a_rank_that_fails_ends_all(tmp_path: Path, fault: str, code: int, line: str) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.format(fault=fault))
    done = launch(tmp_path, "program.py", timeout=150)
    assert done.returncode == code, done.stdout + done.stderr
    assert line in done.stderr
    assert not _left(tmp_path)


def _left(folder: Path) -> list[str]:
    """Find processes that were started in a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "cwd") == str(folder):
                found.append((entry / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_a_missing_rank_is_named(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import mindspore")
    options = ("--worker_num=3", "--node_rank=0", "--cluster_time_out=12")
    done = launch(tmp_path, "program.py", options=options)
    assert done.returncode == 1
    # On a busy machine rank 1 may be late, too.
    assert re.search("missing: rank (1, )?2", done.stderr), done.stderr


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("", 0))
        port = other.getsockname()[1]
        done = launch(tmp_path, "program.py", options=(f"--master_port={port}",))
    assert done.returncode == 2
    assert f"port {port} is taken" in done.stderr


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--worker_num=4",), "--node_rank"),
        (("--local_worker_num=3",), "is more than --worker_num"),
        (("--master_port=80",), "1024 to 65535"),
        (("--tail_worker_log=a",), "is no number"),
    ],
)
def test_options_that_do_not_go_together(
    tmp_path: Path, options: tuple[str, ...], line: str
) -> None:
    done = launch(tmp_path, "program.py", options=options)
    assert done.returncode == 2
    assert line in done.stderr


def test_a_signal_ends_all(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import time; print('on', flush=True); time.sleep(200)")
    words = (f"--master_port={free_port()}", f"--log_dir={tmp_path}", "program.py")
    sizes = ("--worker_num=2", "--local_worker_num=2")
    job = subprocess.Popen(
        [sys.executable, "-m", "msgrad", "launch", *sizes, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert job.stdout is not None and job.stdout.readline() == "on\n"
    job.terminate()
    _, text = job.communicate(timeout=60)
    assert job.returncode == 128 + 15
    assert "SIGTERM: ending 2 ranks" in text
    assert not _left(tmp_path)


def test_shapes_that_differ_are_a_mismatch(tmp_path: Path) -> None:
    fault = "ops.AllReduce()(ops.ones((9,), ms.float32))"
    (tmp_path / "program.py").write_text(PROGRAM.format(fault=fault))
    done = launch(tmp_path, "program.py", timeout=150)
    assert done.returncode not in (0, 2)
    assert "mismatch" in done.stderr or "lost another rank" in done.stderr
    assert not _left(tmp_path)


def test_a_killed_training_goes_on(tmp_path: Path) -> None:
    """From files of the ranks and from one of all, bit for bit; one process reads that, too."""
    program = str(HERE / "resumed.py")
    done = launch(tmp_path, program, str(tmp_path), "kill")
    assert done.returncode == 137, done.stderr
    assert "rank 1 of 2 was ended by SIGKILL" in done.stderr
    assert not _left(tmp_path)
    done = launch(tmp_path, program, str(tmp_path))
    assert done.returncode == 0, done.stderr
    own = [interop.read_ckpt(tmp_path / f"rank_{rank}.ckpt") for rank in range(2)]
    found = interop.read_orbax(tmp_path / "all.orbax")
    like = resumed.build(sharded=False)
    whole = interop.read_orbax(tmp_path / "all.orbax", like=like)
    for parameter in like.get_parameters():
        name, values = parameter.name, [each[parameter.name] for each in own]
        if name.startswith("moment"):
            joined = np.concatenate(values)[: parameter.size].reshape(parameter.shape)
            assert found[name].tolist() == whole[name].tolist() == joined.tolist()
        elif "moving" in name:
            assert found[f"{name}@ranks"].tolist() == np.stack(values).tolist()
            assert np.any(values[0] != values[1])
        else:
            assert found[name].tolist() == whole[name].tolist() == values[1].tolist()
