"""Times one eager ``value_and_grad`` of an MLP: msgrad beside un-jitted JAX and beside MindSpore.

    python -m tests.benchmarks.eager_mlp
    MSGRAD_ORACLE_PYTHON=path/to/python python -m tests.benchmarks.eager_mlp

Each engine is a process of its own; in every round each of them in turn times a few steps, so that
a busy machine slows all of them alike. Shown are medians over rounds. The MindSpore program is the
same for msgrad and MindSpore. Nothing here is a test: times belong to a machine.

Measured on 2 otherwise idle cores, 9 rounds of 5 steps, jax 0.10.2, MindSpore 2.10.0 (PYNATIVE);
ratios of medians, less is faster:

depth     jax ms   msgrad ms   mindspore ms   msgrad/jax   msgrad/mindspore
2           3.94        1.55          29.68         0.39               0.05
16         28.49        6.91          57.18         0.24               0.12
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

BATCH, WIDTH = 32, 64
DEPTHS = (2, 16)


def mindspore_step(depth: int) -> Callable[[], object]:
    """Make a step that takes loss and gradients of all weights through MindSpore's API."""
    import mindspore as ms
    import numpy as np
    from mindspore import nn

    layers = []
    for _ in range(depth):
        layers += [nn.Dense(WIDTH, WIDTH), nn.ReLU()]
    net = nn.SequentialCell(layers[:-1])
    x = ms.Tensor(np.ones((BATCH, WIDTH), np.float32))
    y = ms.Tensor(np.zeros((BATCH, WIDTH), np.float32))
    loss_fn = nn.MSELoss()
    grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, net.trainable_params())

    def step() -> object:
        loss, grads = grad_fn(x, y)
        return loss.asnumpy(), grads[0].asnumpy()

    return step


def msgrad_step(depth: int) -> Callable[[], object]:
    """Make the same step with msgrad as mindspore."""
    import msgrad

    msgrad.install()
    return mindspore_step(depth)


def jax_step(depth: int) -> Callable[[], object]:
    """Make the same step as one writes it in JAX by hand, without ``jax.jit``."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    weights = [
        (jax.random.normal(key, (WIDTH, WIDTH)) / 8, jnp.zeros(WIDTH))
        for key in jax.random.split(jax.random.key(0), depth)
    ]
    x, y = jnp.ones((BATCH, WIDTH)), jnp.zeros((BATCH, WIDTH))

    def loss_fn(weights: list, x: jax.Array, y: jax.Array) -> jax.Array:
        for w, b in weights[:-1]:
            x = jax.nn.relu(x @ w.T + b)
        w, b = weights[-1]
        return jnp.mean((x @ w.T + b - y) ** 2)

    grad_fn = jax.value_and_grad(loss_fn)

    def step() -> object:
        loss, grads = grad_fn(weights, x, y)
        return np.asarray(loss), np.asarray(grads[0][0])

    return step


ENGINES = {"jax": jax_step, "msgrad": msgrad_step, "mindspore": mindspore_step}


def work(engine: str) -> None:
    """Time steps on request: a line ``depth steps`` comes in, seconds per step go out."""
    made: dict[int, Callable[[], object]] = {}
    for line in sys.stdin:
        depth, steps = map(int, line.split())
        if depth not in made:
            made[depth] = ENGINES[engine](depth)
            for _ in range(3):
                made[depth]()
        start = time.perf_counter()
        for _ in range(steps):
            made[depth]()
        print(f"seconds {(time.perf_counter() - start) / steps}", flush=True)


class Worker:
    """One engine in its own process.

    Args:
        engine: A key of ``ENGINES``.
        python: The interpreter that has it.
    """

    def __init__(self, engine: str, python: str) -> None:
        environment = {**os.environ, "JAX_PLATFORMS": "cpu", "GLOG_v": "3"}
        if engine == "mindspore":
            environment.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [python, "-m", "tests.benchmarks.eager_mlp", "--worker", engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def time(self, depth: int, steps: int) -> float:
        """Give the seconds of one step, the mean of ``steps``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(depth, steps, file=self._process.stdin, flush=True)
        for line in self._process.stdout:
            if line.startswith("seconds "):
                return float(line.split()[1])
        raise RuntimeError(f"the worker ended with code {self._process.wait()}")

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time eager value_and_grad of an MLP.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--worker", choices=ENGINES, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        work(args.worker)
        return
    pythons = {"jax": sys.executable, "msgrad": sys.executable}
    if oracle := os.environ.get("MSGRAD_ORACLE_PYTHON"):
        pythons["mindspore"] = oracle
    workers = {engine: Worker(engine, python) for engine, python in pythons.items()}
    print("depth  " + "".join(f"{engine + ' ms':>14}" for engine in workers), end="")
    print("".join(f"{'msgrad/' + engine:>18}" for engine in workers if engine != "msgrad"))
    for depth in DEPTHS:
        times: dict[str, list[float]] = {engine: [] for engine in workers}
        for _ in range(args.rounds):
            for engine, worker in workers.items():
                times[engine].append(1e3 * worker.time(depth, args.steps))
        medians = {engine: statistics.median(found) for engine, found in times.items()}
        print(f"{depth:<7}" + "".join(f"{medians[e]:14.2f}" for e in workers), end="")
        others = [engine for engine in workers if engine != "msgrad"]
        print("".join(f"{medians['msgrad'] / medians[e]:18.2f}" for e in others))
    for worker in workers.values():
        worker.close()


if __name__ == "__main__":
    main()
