"""Times the pure steps of ``interop.functionalize`` beside the same steps written in JAX by hand.

    python -m tests.benchmarks.pure [program ...] [--rounds N]

Ten programs: the models of ``tests.models``, LeNet with a dynamic loss scale, with gradients of two
batches, and trained by a ``Model`` in GRAPH_MODE; the PINN and the ResNet of the table of speed.
Both ways have their state donated and their loss awaited, and take turns; shown are the medians,
and the median of their ratio in each turn. The first losses are compared.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import msgrad as ms
from tests.benchmarks.by_hand import models as by_hand
from tests.benchmarks.by_hand.training import Training, make_optimizer
from tests.benchmarks.engines import first_weights, program
from tests.benchmarks.workloads import WORKLOADS

WARM, TURN = 5, 0.03

Call = Callable[[], Any]


def _lenet_parts() -> tuple[Any, Any, Callable[[int], Any]]:
    from tests.models.models import lenet

    made = lenet()
    return made.network, ms.nn.CrossEntropyLoss(), made.batch


def _loss_scale() -> tuple[Any, Any, Any]:
    net, loss, batch = _lenet_parts()
    optimizer = ms.nn.Momentum(net.trainable_params(), 0.01, 0.9)
    manager = ms.nn.DynamicLossScaleUpdateCell(2.0**12, 2, 3)
    with_loss = ms.nn.WithLossCell(net, loss)
    return net, ms.nn.TrainOneStepWithLossScaleCell(with_loss, optimizer, manager), batch(0)


def _accumulating() -> tuple[Any, Any, Any]:
    from tests.interop.test_functional import Accumulating

    net, loss, batch = _lenet_parts()
    return net, Accumulating(net, loss), batch(0)


def _graph_mode() -> tuple[Any, Any, Any]:
    net, loss, batch = _lenet_parts()
    ms.set_context(mode=ms.GRAPH_MODE)
    model = ms.Model(net, loss, ms.nn.Adam(net.trainable_params(), 1e-3))
    return net, model.train_network.set_train(), batch(0)


OWN = {"loss_scale": _loss_scale, "accumulating": _accumulating, "graph_mode": _graph_mode}
MODELS = ("lenet", "lstm", "gan", "vae", "transformer")
OF_TABLE = ("pinn", "resnet")
PROGRAMS = [*MODELS, *OWN, *OF_TABLE]


def _jitted(step: Callable[..., Any], state: Any, batch: Any) -> Call:
    run = jax.jit(step, donate_argnums=0)
    arrays = [jnp.asarray(part) for part in batch]

    def call() -> Any:
        nonlocal state
        state, losses = run(state, *arrays)
        return jax.block_until_ready(losses)

    return call


def _pure(step: Callable[..., Any], batch: Any) -> Call:
    fn, state = ms.interop.functionalize(step, *batch)
    # The state first, as by hand: see what functionalize says of donated scalars.
    return _jitted(lambda state, *arrays: fn(state, *arrays)[::-1], state, batch)


def pair(name: str) -> tuple[Call, Call]:
    """Make the step of a program by hand, and as msgrad's pure function."""
    with ms.install():
        if name in OF_TABLE:
            return _pair_of_table(name)
        if name in OWN:
            net, step, batch = OWN[name]()
        else:
            from tests.models.models import PROGRAMS as programs

            made = programs[name]()
            net, step, batch = made.network, made.step, made.batch(0)
        weights = {name: jnp.array(p.asnumpy()) for name, p in net.parameters_and_names()}
        rates = ms.nn.cosine_decay_lr(1e-3, 1e-2, 23, 5, 5) if name == "vae" else None
        make = getattr(by_hand, name)
        state, hand = make(weights, rates) if rates else make(weights)
        return _jitted(hand, state, batch), _pure(step, batch)


def _pair_of_table(name: str) -> tuple[Call, Call]:
    workload = WORKLOADS[name]
    code = importlib.import_module(f"tests.benchmarks.by_hand.{workload.code}")
    rule = make_optimizer(workload.optimizer, workload.rate)
    training = Training(code, first_weights(workload), rule, compiled=True)
    x, y = (jnp.array(part) for part in workload.data())
    _, step, batch = program(workload)
    return lambda: training.step(x, y).block_until_ready(), _pure(step, batch)


def measure(name: str, rounds: int) -> tuple[list[float], list[float]]:
    """Time both in turn.

    Returns:
        The seconds of a step in each turn, by hand and pure.

    Raises:
        AssertionError: If their first losses differ.
    """
    calls = pair(name)
    losses = [np.hstack([np.ravel(v) for v in jax.tree.leaves(call())]) for call in calls]
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-4, err_msg=name)
    for call in calls:
        for _ in range(WARM):
            call()
    start = time.perf_counter()
    calls[0]()
    count = max(1, int(TURN / (time.perf_counter() - start)))
    seconds: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 else (1, 0):
            start = time.perf_counter()
            for _ in range(count):
                calls[which]()
            seconds[which].append((time.perf_counter() - start) / count)
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.pure", description="Time pure steps."
    )
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(PROGRAMS)}; default: all")
    parser.add_argument("--rounds", type=int, default=40)
    args = parser.parse_args()
    for name in args.programs or PROGRAMS:
        hand, pure = measure(name, args.rounds)
        ratio = statistics.median(b / a for a, b in zip(hand, pure, strict=True))
        middle = (1e3 * statistics.median(values) for values in (hand, pure))
        print(f"{name}: by hand {next(middle):.3f} ms, pure {next(middle):.3f} ms, {ratio:.3f}")


if __name__ == "__main__":
    main()
