"""Times one compiled training step of an MLP: ``ms.jit`` beside ``jax.jit`` and optax by hand.

    python -m tests.benchmarks.compiled_step

Both run in one process, in turn within every round; shown are medians over rounds, the ratio and
the difference. Momentum SGD on a mean squared error, state donated on both sides. Nothing here is
a test: times belong to a machine.

Measured on 2 otherwise idle cores, jax 0.10.2:

workload                      by hand us   ms.jit us   ratio  more us
8-16-16-4, batch 4                    22          45    2.08       23
16 layers of 64, batch 32            192         237    1.23       45
784-512x3-10, batch 128             2190        1854    0.85     -336
"""

from __future__ import annotations

import functools
import itertools
import statistics
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import optax

import msgrad as ms
from msgrad import Tensor, nn

RATE, MOMENTUM = 0.01, 0.9
ROUNDS, STEPS = 40, 10
WORKLOADS = {
    "8-16-16-4, batch 4": ((8, 16, 16, 4), 4),
    "16 layers of 64, batch 32": ((64,) * 17, 32),
    "784-512x3-10, batch 128": ((784, 512, 512, 512, 10), 128),
}


def steps(sizes: tuple[int, ...], batch: int) -> tuple[Callable[[], object], Callable[[], object]]:
    """Make the two steps, from the same weights."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(batch, sizes[0])).astype(np.float32)
    y = rng.normal(size=(batch, sizes[-1])).astype(np.float32)
    layers: list[nn.Cell] = []
    for fan_in, fan_out in itertools.pairwise(sizes):
        layers += [nn.Dense(fan_in, fan_out), nn.Tanh()]
    net = nn.SequentialCell(layers[:-1])
    weights = [
        (jnp.asarray(c.weight.asnumpy()), jnp.asarray(c.bias.asnumpy()))
        for c in net
        if isinstance(c, nn.Dense)
    ]
    optimizer = nn.Momentum(net.trainable_params(), RATE, MOMENTUM)
    after = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)

    @ms.jit
    def ours(x: Tensor, y: Tensor) -> Tensor:
        loss, grads = after(x, y)
        optimizer(grads)
        return loss

    rule = optax.sgd(RATE, momentum=MOMENTUM)

    def loss_of(weights: list, x: jax.Array, y: jax.Array) -> jax.Array:
        for index, (weight, bias) in enumerate(weights):
            x = x @ weight.T + bias
            if index < len(weights) - 1:
                x = jnp.tanh(x)
        return ((x - y) ** 2).mean()

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def by_hand(weights: list, state: optax.OptState, x: jax.Array, y: jax.Array) -> tuple:
        loss, grads = jax.value_and_grad(loss_of)(weights, x, y)
        updates, state = rule.update(grads, state, weights)
        return optax.apply_updates(weights, updates), state, loss

    held = [weights, rule.init(weights)]
    inputs, arrays = (Tensor(x), Tensor(y)), (jnp.asarray(x), jnp.asarray(y))

    def hand() -> object:
        held[0], held[1], loss = by_hand(held[0], held[1], *arrays)
        return loss.block_until_ready()

    return lambda: jnp.asarray(ours(*inputs)).block_until_ready(), hand


def main() -> None:
    print(f"{'workload':28}{'by hand us':>12}{'ms.jit us':>12}{'ratio':>8}{'more us':>9}")
    for name, (sizes, batch) in WORKLOADS.items():
        times: dict[int, list[float]] = {0: [], 1: []}
        pair = steps(sizes, batch)
        for step in pair:
            for _ in range(3):
                step()
        for _ in range(ROUNDS):
            for index, step in enumerate(pair):
                start = time.perf_counter()
                for _ in range(STEPS):
                    step()
                times[index].append((time.perf_counter() - start) / STEPS * 1e6)
        ours, hand = statistics.median(times[0]), statistics.median(times[1])
        print(f"{name:28}{hand:12.0f}{ours:12.0f}{ours / hand:8.2f}{ours - hand:9.0f}")


if __name__ == "__main__":
    main()
