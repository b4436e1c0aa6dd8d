"""Compiles a training step for many devices, and says what each of them keeps and sends.

    python -m tests.benchmarks.devices [--devices 8 64 256] [--small]

The step is that of a transformer with 101 M parameters and Adam, data parallel, 4 sequences of 256
tokens for each device. It is compiled by XLA for so many virtual devices from shapes alone and does
not run, so nothing here belongs to a machine: bytes are counted in the optimized program, memory is
what XLA plans for one device. Each number of devices has a process of its own, in which the mode is
``semi_auto_parallel``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import asdict, dataclass
from math import prod
from typing import Any

FULL = {"words": 10240, "width": 768, "heads": 12, "tokens": 256, "depth": 12}
SMALL = {"words": 512, "width": 256, "heads": 4, "tokens": 16, "depth": 1}
BATCH = 4
# How the state of the optimizer stands: settings of ``set_auto_parallel_context``.
KINDS = {"whole": {}, "sharded": {"enable_parallel_optimizer": True}}

_BYTES = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "s64": 8}
# A ring: what a device sends, of the bytes of the whole, among n.
_SENDS = {
    "all-reduce": lambda n: 2 * (n - 1) / n,
    "all-gather": lambda n: (n - 1) / n,
    "reduce-scatter": lambda n: (n - 1) / n,
    "all-to-all": lambda n: (n - 1) / n,
    "collective-permute": lambda n: 1.0,
}
# LLVM's part, which comes after all that is counted here, takes most of the time.
_QUICK = "--xla_backend_optimization_level=1 --xla_llvm_disable_expensive_passes=true"
_OPERATION = re.compile(rf"= (.*?) ({'|'.join(_SENDS)})(?:-start)?\(")
_ARRAY = re.compile(r"\b([a-z]+\d+|pred)\[([\d,]*)\]")


@dataclass(frozen=True)
class Study:
    """What one device has to do with a step.

    Attributes:
        devices: How many there are.
        kind: A key of ``KINDS``.
        parameters: Of the network.
        kept: Bytes of the arrays that it is given: weights, optimizer state, its part of the batch.
        temporary: Bytes that it needs besides while it runs.
        sent: Kind of collective -> bytes that it sends in a step.
        seconds: What compiling took.
    """

    devices: int
    kind: str
    parameters: int
    kept: int
    temporary: int
    sent: dict[str, float]
    seconds: float


def bytes_sent(program: str, devices: int) -> dict[str, float]:
    """Count what each device sends in an optimized program.

    Args:
        program: HLO, as text, in which no collective stands in a loop.
        devices: How many run it.
    """
    sent: dict[str, float] = {}
    for line in program.splitlines():
        found = _OPERATION.search(line)
        if found is None:
            continue
        results, kind = found.groups()
        sizes = [
            _BYTES[dtype] * prod(map(int, filter(None, shape.split(","))))
            for dtype, shape in _ARRAY.findall(results)
        ]
        group = _group_size(line, devices)
        whole = sum(sizes) * (group if kind == "reduce-scatter" else 1)
        sent[kind] = sent.get(kind, 0.0) + whole * _SENDS[kind](group)
    return sent


def _group_size(line: str, devices: int) -> int:
    """Return how many devices a collective is among: ``[8,2]<=[16]`` or ``{{0,1},{2,3}}``."""
    short = re.search(r"replica_groups=\[\d+,(\d+)\]", line)
    if short:
        return int(short[1])
    listed = re.search(r"replica_groups=\{\{([\d,]+)\}", line)
    return len(listed[1].split(",")) if listed else devices


def compile_here(sizes: dict[str, int], kind: str) -> Study:
    """Compile the step for the devices of this process."""
    import time

    import jax
    import numpy as np

    import msgrad

    msgrad.install()
    import mindspore as ms
    from mindspore import Tensor, nn

    from msgrad._compiled.record import record
    from tests.benchmarks.programs import transformer

    devices = len(jax.devices())
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", **KINDS[kind])
    net, forward = transformer.make(**sizes)
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    gradient = ms.value_and_grad(forward, None, net.trainable_params())

    def step(x: Any, y: Any) -> Any:
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    words = Tensor(np.zeros((BATCH * devices, sizes["tokens"]), np.int32))
    inputs = [words, words.copy()]
    program, _ = record(step, tuple(inputs), {}, inputs)
    state, results = program.shardings()

    def abstract(tensor: Any, sharding: Any = None) -> Any:
        return jax.ShapeDtypeStruct(tensor.shape, tensor._read().dtype, sharding=sharding)

    given = [
        [abstract(program.lifted[i], state[i]) for i in numbers]
        for numbers in (program.donated, program.kept)
    ]
    run = jax.jit(program.flat, donate_argnums=0, out_shardings=results)
    start = time.perf_counter()
    compiled = run.lower(*given, [*map(abstract, inputs)]).compile()
    memory = compiled.memory_analysis()
    ms.reset_auto_parallel_context()
    return Study(
        devices,
        kind,
        sum(param.size for param in net.trainable_params()),
        memory.argument_size_in_bytes,
        memory.temp_size_in_bytes,
        bytes_sent(compiled.as_text(), devices),
        time.perf_counter() - start,
    )


def study(devices: int, kind: str, small: bool = False) -> Study:
    """Compile the step in a process that has so many devices."""
    flags = f"{_QUICK} --xla_force_host_platform_device_count={devices}"
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.devices", "--here", kind, *["--small"] * small],
        env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Study(**json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Compile and print, a line for each."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.devices", description="Compile a step for many devices."
    )
    parser.add_argument("--devices", nargs="+", type=int, default=[8, 64, 256])
    parser.add_argument("--small", action="store_true", help="a small network")
    parser.add_argument("--here", choices=KINDS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        print(json.dumps(asdict(compile_here(SMALL if args.small else FULL, args.here))))
        return
    print("devices  optimizer state  kept MiB  temporary MiB  sent MiB  (of which)")
    for devices in args.devices:
        for kind in KINDS:
            found = study(devices, kind, args.small)
            parts = ", ".join(f"{name} {size / 2**20:.1f}" for name, size in found.sent.items())
            total = sum(found.sent.values()) / 2**20
            print(
                f"{devices:7}  {kind:15}  {found.kept / 2**20:8.1f}  "
                f"{found.temporary / 2**20:13.1f}  {total:8.1f}  {parts}",
                flush=True,
            )


if __name__ == "__main__":
    main()
