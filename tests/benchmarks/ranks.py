"""Times training steps of two ranks beside the same steps by hand in JAX, and in MindSpore.

    python -m tests.benchmarks.ranks [workload ...] [--turns N] [--rounds N]
    MSGRAD_ORACLE_PYTHON=a/python python -m tests.benchmarks.ranks

Each rank has a whole batch of the workload, gradients are those of ``DistributedGradReducer``. All
that is JAX takes turns in one launch, with MindSpore's two modes under ``msrun`` in another; there
are as many turns as ``--turns`` says, and the least of each is shown. By hand there are two ways: a
``psum`` of each gradient, and one of all of them in one buffer, as msgrad has it.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.workloads import WORKLOADS, Workload

ROOT = Path(__file__).parents[2]
DEFAULT = ("wide", "conv", "transformer")
STEPS, WARM = 4, 6


def _by_hand(workload: Workload, flat: bool) -> Callable[[], Any]:
    import jax
    import numpy as np
    import optax
    from jax.flatten_util import ravel_pytree
    from jax.sharding import NamedSharding, PartitionSpec

    from tests.benchmarks.engines import first_weights

    training = importlib.import_module("tests.benchmarks.by_hand.training")
    code = importlib.import_module(f"tests.benchmarks.by_hand.{workload.code}")
    rule = training.make_optimizer(workload.optimizer, workload.rate)
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("ranks",))
    whole, parts = PartitionSpec(), PartitionSpec("ranks")
    params, stats = code.params(first_weights(workload))

    def step(params: Any, moments: Any, x: jax.Array, y: jax.Array) -> Any:
        (loss, _), gradients = jax.value_and_grad(code.loss, has_aux=True)(params, stats, x, y)
        if flat:
            joined, back = ravel_pytree(gradients)
            gradients = back(jax.lax.pmean(joined, "ranks"))
        else:
            gradients = jax.lax.pmean(gradients, "ranks")
        updates, moments = rule.update(gradients, moments, params)
        return optax.apply_updates(params, updates), moments, loss[None]

    specs = {"in_specs": (whole, whole, parts, parts), "out_specs": (whole, whole, parts)}
    run = jax.jit(jax.shard_map(step, mesh=mesh, check_vma=False, **specs), donate_argnums=(0, 1))
    there = NamedSharding(mesh, whole)
    state = jax.device_put((params, rule.init(params)), there)
    batch = [
        jax.make_array_from_process_local_data(NamedSharding(mesh, parts), part)
        for part in workload.data()
    ]

    def call() -> Any:
        nonlocal state
        *state, loss = run(*state, *batch)
        return loss.addressable_data(0).block_until_ready()

    return call


def _program(workload: Workload) -> Callable[[], Any]:
    """Make the step with whichever library ``mindspore`` is."""
    import mindspore as ms
    from mindspore import nn

    training = importlib.import_module("tests.benchmarks.programs.training")
    code = importlib.import_module(f"tests.benchmarks.programs.{workload.code}")
    ms.set_seed(0)
    net, forward = code.make(**workload.options)
    x, y = map(ms.Tensor, workload.data())
    optimizer = training.make_optimizer(net, workload.optimizer, workload.rate)
    differentiate = ms.value_and_grad(forward, None, optimizer.parameters)
    reducer = nn.DistributedGradReducer(optimizer.parameters, True, 2)

    def step(x: Any, y: Any) -> Any:
        loss, gradients = differentiate(x, y)
        optimizer(reducer(gradients))
        return loss

    if ms.get_context("mode") == ms.GRAPH_MODE:
        step = ms.jit(step)
    return lambda: step(x, y).asnumpy()


# Name -> how the step is made, and in which mode it runs.
Way = tuple[Callable[[Workload], Callable[[], Any]], str]
OF_JAX: dict[str, Way] = {
    "by hand": (lambda workload: _by_hand(workload, True), "PYNATIVE_MODE"),
    "by hand, each": (lambda workload: _by_hand(workload, False), "PYNATIVE_MODE"),
    "GRAPH": (_program, "GRAPH_MODE"),
    "PYNATIVE": (_program, "PYNATIVE_MODE"),
}
OF_MINDSPORE = {f"MindSpore {name}": OF_JAX[name] for name in ("GRAPH", "PYNATIVE")}


def here(words: list[str], rounds: int, folder: Path) -> None:
    """Time the ways of this library, as one rank, and write down the least seconds of each."""
    if importlib.util.find_spec("jax") is not None:
        import msgrad

        msgrad.install()
    import mindspore as ms
    from mindspore import communication

    ms.set_context(device_target="CPU")
    communication.init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    ways = OF_JAX if hasattr(ms, "__msgrad_version__") else OF_MINDSPORE
    found = {}
    for word in words:
        calls = {}
        least = dict.fromkeys(ways, float("inf"))
        for number in range(rounds + 1):
            for name, (make, mode) in ways.items():
                ms.set_context(mode=getattr(ms, mode))
                call = calls.get(name) or calls.setdefault(name, make(WORKLOADS[word]))
                for _ in range(STEPS if number else WARM):
                    start = time.perf_counter()
                    call()
                    if number:
                        least[name] = min(least[name], time.perf_counter() - start)
        found[word] = least
    if communication.get_rank() == 0:
        (folder / "found.json").write_text(json.dumps(found))


def _run(command: list[str], words: list[str], rounds: int) -> dict[str, dict[str, float]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        # msrun starts the first ``python`` of PATH.
        path = os.pathsep.join([str(Path(command[0]).parent), os.environ["PATH"]])
        own_path = {"PATH": path, "PYTHONPATH": str(ROOT)}
        options = ["--worker_num=2", "--local_worker_num=2", "--join=True"]
        own = [__file__, *words, "--here", folder, f"--rounds={rounds}"]
        subprocess.run(
            [*command, *options, f"--master_port={port}", f"--log_dir={folder}/log", *own],
            env={**os.environ, **own_path, "GLOG_v": "3", "JAX_PLATFORMS": "cpu"},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return json.loads((Path(folder) / "found.json").read_text())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.ranks", description="Time steps of two ranks."
    )
    parser.add_argument("workloads", nargs="*", help=f"of {', '.join(WORKLOADS)}")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    words = args.workloads or [*DEFAULT]
    if args.here:
        here(words, args.rounds, args.here)
        return
    jobs = [[sys.executable, "-m", "msgrad", "launch"]]
    oracle = os.environ.get("MSGRAD_ORACLE_PYTHON")
    if oracle:
        jobs.append([str(Path(oracle).with_name("msrun"))])
    least: dict[str, dict[str, float]] = {word: {} for word in words}
    for _ in range(args.turns):
        for job in jobs:
            for word, times in _run(job, words, args.rounds).items():
                for name, seconds in times.items():
                    least[word][name] = min(seconds, least[word].get(name, seconds))
    for word, times in least.items():
        print(f"{word}: " + ", ".join(f"{name} {1e3 * s:.2f}" for name, s in times.items()), "ms")


if __name__ == "__main__":
    main()
