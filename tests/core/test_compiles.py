"""What compiling takes: the counts, and the line on a terminal."""

from __future__ import annotations

import io
import multiprocessing
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._core import compiles


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def lines(self):
        """Return what stood there, one after the other."""
        return [line.strip() for line in self.getvalue().split("\r")]


@pytest.fixture
def terminal(monkeypatch):
    """A terminal on which a compile is long at once."""
    there = Terminal()
    # Not sys.stderr itself: pytest puts its own back before the test runs.
    system = SimpleNamespace(stderr=there, modules=sys.modules, _current_frames=sys._current_frames)
    monkeypatch.setattr(compiles, "sys", system)
    monkeypatch.setattr(compiles, "PATIENCE", 0.0)
    monkeypatch.delenv(compiles.VARIABLE, raising=False)
    return there


def compiles_until(text, terminal, name):
    """Compile until the line is there."""
    until = time.monotonic() + 20
    with compiles._around(name):
        while text not in terminal.getvalue():
            assert time.monotonic() < until, terminal.getvalue()
            time.sleep(0.01)


def test_the_line_says_what_is_compiled_and_goes(terminal):
    # As JAX's compiling stands above the user's line.
    code = compiles_until.__code__.replace(co_filename=jax.__file__)
    ours = type(compiles_until)(code, globals())

    def train_step():
        ours("Conv2D for train_step test_compiles.py:", terminal, "Conv2D")
        ours("compiling train_step test_compiles.py:", terminal, "_pulled")
        ours("s \\", terminal, "run")

    train_step()
    assert terminal.lines()[-1] == "", "it is erased"


def test_an_interrupted_compile_leaves_no_line(terminal):
    with pytest.raises(KeyboardInterrupt), compiles._around("Conv2D"):
        while "Conv2D" not in terminal.getvalue():
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert terminal.lines()[-1] == ""
    assert not compiles._line.locked()


@pytest.mark.parametrize("where", ["file", "variable", "worker"])
def test_nothing_is_said(where, terminal, monkeypatch):
    if where == "file":
        monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    elif where == "variable":
        monkeypatch.setenv(compiles.VARIABLE, "0")
    else:
        monkeypatch.setattr(multiprocessing.current_process(), "_name", "ForkProcess-1")
    monkeypatch.setattr(compiles, "threading", None)
    with compiles._around("Conv2D"):
        pass
    assert terminal.getvalue() == ""


def test_whatever_jax_compiles_is_watched_and_counted(terminal, monkeypatch, tmp_path):
    names = []
    monkeypatch.setattr(compiles, "_write", lambda name, *_: names.append(name))
    before = ms.jit_stats()["<process>"]

    def cubed(x):
        return x * x * x + 0.123

    ms.set_compile_cache(tmp_path)
    try:
        jax.jit(cubed)(jnp.ones((3, 1, 2)))
    finally:
        ms.set_compile_cache(None)
    after = ms.jit_stats()["<process>"]
    assert "cubed" in names
    assert after.compiles > before.compiles
    assert after.seconds > before.seconds


def test_a_compiled_function_counts_its_own_seconds():
    @ms.jit
    def own(x):
        return x * 3 + 0.321

    def stats():
        return ms.jit_stats()[own.__qualname__]

    own(ms.Tensor([1.0, 2.0]))
    taken = stats().seconds
    assert 0 < taken <= ms.jit_stats()["<process>"].seconds
    own(ms.Tensor([1.0, 2.0]))
    assert stats().seconds == taken
    assert stats().cache_hits in (0, 1)


STRICT = {
    "disable_jit": jax.disable_jit,
    "dtype_promotion": lambda: jax.numpy_dtype_promotion("strict"),
    "rank_promotion": lambda: jax.numpy_rank_promotion("raise"),
    "tracer_leaks": lambda: jax.check_tracer_leaks(True),
}


@pytest.mark.parametrize("setting", STRICT)
def test_settings_of_jax_for_debugging_change_nothing(setting):
    """Under ``disable_jit`` operators get numbers and NumPy's arrays as they are."""
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))

    def run(compile_):
        ms.set_seed(3)
        layers = [nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Dropout(p=0.5), nn.Dense(4, 2)]
        cell = nn.SequentialCell(layers).set_train()
        optimizer = nn.Adam(cell.trainable_params(), 0.5)
        gradient = ms.value_and_grad(lambda x: (cell(x) * 0.5 - 1).mean(), 0, optimizer.parameters)

        def step(x):
            value, (of_x, of_weights) = gradient(x)
            optimizer(of_weights)
            drawn = ops.standard_normal((3,)), ops.rand(3)
            return value, of_x, *drawn, x > 2, 1 - x.astype(ms.float64), x.astype(ms.int32) // 2

        return [t.asnumpy() for t in (*compile_(step)(x), *cell.get_parameters())]

    expected = run(lambda step: step)
    with STRICT[setting]():
        found = [*run(lambda step: step), *run(ms.jit)]
    for one, other in zip(found, expected * 2, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


FORKED = """
import os
import numpy as np
import msgrad as ms
from msgrad import ops

tensor = ms.Tensor(np.ones(3, np.float32))
child = os.fork()
if not child:
    try:
        ops.cos(tensor)
    except RuntimeError as error:
        os._exit(7 if "spawn" in str(error) else 8)
    os._exit(9)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert ops.cos(tensor * 0).asnumpy().tolist() == [1.0] * 3
"""


@pytest.mark.parametrize("where", ["0", "a folder"])
def test_a_fork_that_would_wait_for_jaxs_threads_says_so(where, tmp_path):
    kept = where if where == "0" else str(tmp_path)
    run = [sys.executable, "-W", "ignore", "-c", FORKED]
    environment = os.environ | {"MSGRAD_COMPILE_CACHE": kept}
    subprocess.run(run, timeout=60, check=True, env=environment)
