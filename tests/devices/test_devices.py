"""Eight virtual devices: the programs of ``programs.py``, in one process; strategies as axes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import AbstractMesh

import msgrad as ms
from msgrad import Layout, Tensor, nn, ops
from msgrad._compiled.record import record
from msgrad._core.distributed.devices import Cuts
from msgrad._core.scopes.lifted import uses
from tests.benchmarks.devices import bytes_sent
from tests.devices.programs import DEVICES, PROGRAMS

ROOT = Path(__file__).parents[2]


# One process, since the number of devices is fixed when JAX starts.
def test_programs_of_eight_devices() -> None:
    """The numbers of one device, with state and batches cut as strategies say."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={DEVICES}"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.devices.programs"],
        cwd=ROOT,
        env={**os.environ, "XLA_FLAGS": flags.strip(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert done.stdout.split() == [each.__name__ for each in PROGRAMS]


def test_one_device_has_nothing_of_it() -> None:
    """Strategies leave a Primitive, a layer and a recorded program as they are."""
    assert len(jax.devices()) == 1
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    operator, layer = ops.MatMul().shard(((8, 1), (1, 1))), nn.Dense(2, 2)
    layer.matmul.shard(((8, 1), (1, 1)))
    layer.shard(((8, 1),), parameter_plan={"weight": (8, 1)})
    assert type(operator) is ops.MatMul
    assert layer._cell_replaced is None
    x = Tensor(np.ones((2, 2), np.float32))
    program, _ = record(lambda x: layer(operator(x, x)), (x,), {}, [x])
    assert program.layouts is None
    assert not uses(program.recorded.jaxpr, "sharding_constraint")


def test_bytes_that_are_sent() -> None:
    """As a ring of the devices that take part sends them."""
    program = """
      %a = f32[64]{0} all-reduce(f32[64]{0} %x), channel_id=1, replica_groups=[1,8]<=[8]
      %b = (f32[64]{0}, bf16[2,8]{1,0}) all-reduce(%y, %z), replica_groups={{0,1},{2,3}}
      %c = f32[16,4]{1,0} all-gather(f32[2,4]{1,0} %x), replica_groups=[1,8]<=[8], dimensions={0}
      ROOT %d = f32[8]{0} reduce-scatter(f32[64]{0} %x), replica_groups=[1,8]<=[2,4]T(1,0)
      %e = f32[64]{0} fusion(f32[64]{0} %all-reduce.3), kind=kLoop
    """
    assert bytes_sent(program, 8) == {
        "all-reduce": 2 * 7 / 8 * 256 + 2 * 1 / 2 * (256 + 32),
        "all-gather": 7 / 8 * 256,
        "reduce-scatter": 7 / 8 * 256,
    }


def specs(sizes: tuple[int, ...], *pairs: tuple[Any, tuple[int, ...]], last: bool = False) -> Any:
    """Return the axes of each dimension, by number, for strategies with shapes."""
    cuts = Cuts("here", AbstractMesh(sizes, tuple(f"d{i}" for i in range(len(sizes)))), last)
    # JAX tells one axis by its name.
    told = [
        [(d,) if isinstance(d, str) else d or () for d in cuts.sharding(*p).spec] for p in pairs
    ]
    return [[[int(axis[1:]) for axis in dim] for dim in dims] for dims in told]


@pytest.mark.parametrize(
    ("pairs", "want"),
    [
        # Rows of one, columns of the other: all devices.
        ([((2, 1), (4, 6)), ((1, 4), (6, 8))], [[[0], []], [[], [1, 2]]]),
        # The dimension that is summed over is cut alike, whatever else is.
        ([((2, 4), (4, 8)), ((4, 1), (8, 6))], [[[0], [1, 2]], [[1, 2], []]]),
        ([((1, 8), (4, 8)), ((8, 1), (8, 4))], [[[], [0, 1, 2]], [[0, 1, 2], []]]),
        # A bias beside what it is added to.
        ([((2, 4), (4, 8)), ((4,), (8,))], [[[0], [1, 2]], [[1, 2]]]),
        # Squares: never one axis for two dimensions of an array, and the same for what is alike.
        ([((2, 2), (4, 4)), ((2, 2), (4, 4))], [[[0], [1]], [[0], [1]]]),
    ],
)
def test_axes_of_strategies(pairs: Any, want: Any) -> None:
    """Equal dimensions that are cut equally in one call get the same axes, others others."""
    assert specs((2, 2, 2), *pairs) == want


def test_parameters_take_the_last_axes() -> None:
    """As MindSpore counts them: what is not cut comes first."""
    assert specs((2, 2, 2), ((1, 4), (6, 8)), last=True) == [[[], [1, 2]]]


def test_axes_of_layouts() -> None:
    """Grids of one number of devices are told in the same axes."""
    wide, high = Layout((2, 3), ("a", "b")), Layout((3, 2), ("a", "b"))
    pairs = (wide("a", "b"), (4, 3)), (high("a", "b"), (3, 4)), (high(("a", "b")), (6,))
    assert specs((2, 3), *pairs) == [[[0], [1]], [[1], [0]], [[1, 0]]]
    virtual = Layout((2, 2), ("a", "interleaved_parallel"))
    assert specs((2,), (virtual(("a", "interleaved_parallel"), "None"), (2, 2))) == [[[0], []]]


@pytest.mark.parametrize(
    ("strategy", "shape", "why"),
    [
        ((3, 1), (6, 4), "there are 8 devices"),
        ((-1, 1), (6, 4), "there are 8 devices"),
        ((0, 1), (6, 4), "there are 8 devices"),
        ((4, 4), (8, 8), "there are 8 devices"),
        ((4, 1), (6, 4), "6 is not divided by 4"),
        ((4,), (8, 4), "another number of dimensions"),
        (Layout((3,), ("a",))("a"), (3,), "there are 8 devices"),
        (Layout((8,), ("a",))("a"), (4,), "4 is not divided by 8"),
        (Layout((8,), ("a",))("a"), (8, 8), "another number of dimensions"),
    ],
)
def test_what_does_not_fit(strategy: Any, shape: tuple[int, ...], why: str) -> None:
    """The error says what was given, and why it cannot be."""
    with pytest.raises(RuntimeError, match=why):
        specs((2, 2, 2), (strategy, shape))
