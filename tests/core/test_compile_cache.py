"""The persistent compilation cache: a second process compiles nothing again, and none is harmed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

import msgrad as ms
from msgrad._core import compile_cache
from msgrad._core.engine import programs

PROGRAM = """
import json, sys
import msgrad as ms
from msgrad import nn, ops

exec(sys.argv[1])
net = nn.SequentialCell(nn.Dense(3, 4, "ones", has_bias=False), nn.ReLU())
step = ms.jit(lambda x: net(x).sum())
eager = ops.cos(ops.zeros((2,), ms.float32)) + ops.tanh(ops.zeros((2,), ms.float32))
value = float(step(ops.ones((2, 3), ms.float32))) + float(eager.sum())
stats = ms.jit_stats()["<process>"]
print(json.dumps([value, stats.cache_hits, stats.compiles - stats.cache_hits]))
"""
VALUE = 26.0
# Ends the process as ``kill -9`` does, while it writes its third program.
KILLED = """
import os, signal
replace, calls = os.replace, []
def killing(*paths):
    calls.append(paths)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*paths)
os.replace = killing
"""
# Of programs in the folder that the arguments name.
FULL = """
import resource
ms.set_compile_cache({!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
"""


def start(statement="", **environment):
    """Start a process in which nothing but its own environment decides."""
    decides = ("JAX_COMP", "JAX_PERS", "MSGRAD_COMPILE")
    inherited = {n: v for n, v in os.environ.items() if not n.startswith(decides)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, statement],
        env={**inherited, "PYTHONPATH": str(Path(ms.__file__).parents[1]), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process):
    """Return what a process found and what it compiled, and what it wrote to stderr."""
    out, err = process.communicate()
    assert process.returncode == 0, err
    value, found, compiled = json.loads(out.splitlines()[-1])
    assert value == VALUE
    return found, compiled, err


def files(folder):
    return sorted(path for path in folder.iterdir() if path.name.endswith(".program"))


def test_programs_are_kept_without_being_asked_for(tmp_path):
    users = {"XDG_CACHE_HOME": str(tmp_path)}
    folder = tmp_path / "msgrad"
    killed = start(KILLED, **users)
    killed.communicate()
    assert killed.returncode == -9
    assert len(files(folder)) == 2
    assert [path.stat().st_size > 0 for path in folder.glob(".new-*")] == [True]

    both = [start(**users), start(**users)]
    for process in both:
        found, compiled, err = end(process)
        assert found >= 2
        assert found + compiled > 3
        assert err == ""
    whole = files(folder)
    assert len(whole) == found + compiled

    whole[0].write_bytes(whole[0].read_bytes()[:-100])
    whole[1].write_bytes(b"\0" + whole[1].read_bytes()[1:])
    assert end(start(**users)) == (len(whole) - 2, 2, "")
    assert files(folder) == whole


def test_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    # A home in which nothing can be made; then a disk on which no program has room.
    home = {"XDG_CACHE_HOME": str(tmp_path / "file"), "HOME": str(tmp_path / "file")}
    full = tmp_path / "full"
    other = "float(ops.ones((5,), ms.float32).sum() / 3)\n"
    found, compiled, err = end(start(other + FULL.format(str(full)), **home))
    assert (found, files(full)) == (0, [])
    assert compiled > 3
    first, second = err.splitlines()
    assert f"not kept in {tmp_path / 'file' / 'msgrad'}: [Errno 20] Not a directory" in first
    assert f"not kept in {full}: [Errno 27] File too large" in second


def store():
    """Return what JAX asks for programs."""
    return programs.program_store()


def thresholds():
    return {name: jax.config.values[name] for name in compile_cache._THRESHOLDS}


@pytest.fixture(autouse=True)
def back():
    yield
    ms.set_compile_cache(None)


def test_it_can_be_turned_off(tmp_path):
    before = thresholds()
    ms.set_compile_cache(tmp_path / "a" / "b")
    assert store().folder == tmp_path / "a" / "b"
    ms.set_compile_cache(tmp_path)
    assert store().folder == tmp_path
    assert thresholds() == compile_cache._THRESHOLDS
    ms.set_compile_cache(None)
    assert store() is None
    assert thresholds() == before


def test_set_context_turns_it_on_and_off(tmp_path):
    ms.set_compile_cache(None)
    ms.set_context(compile_cache_path=str(tmp_path))
    assert store() is None
    ms.set_context(enable_compile_cache=True)
    assert store().folder == tmp_path / "rank_0" / "graph_cache"
    ms.set_context(compile_cache_path=str(tmp_path / "other"))
    assert (tmp_path / "other" / "rank_0" / "graph_cache").is_dir()
    ms.set_context(enable_compile_cache=False)
    assert store() is None


# Variables, and JAX's setting; the folder, or whether there is one.
DECISIONS = {
    "nothing": ({}, None, "caches/msgrad"),
    "off": ({"MSGRAD_COMPILE_CACHE": "0"}, None, None),
    "on": ({"MSGRAD_COMPILE_CACHE": "1"}, None, "caches/msgrad"),
    "path": ({"MSGRAD_COMPILE_CACHE": "/some/where"}, None, "/some/where"),
    "JAX": ({"MSGRAD_COMPILE_CACHE": "/some/where"}, "/its/own", None),
    "MindSpore": (
        {"MS_COMPILER_CACHE_ENABLE": "1", "MS_COMPILER_CACHE_PATH": "/ms"},
        "/its/own",
        "/ms/rank_0/graph_cache",
    ),
    "no XDG folder": ({"XDG_CACHE_HOME": "relative"}, None, "home/.cache/msgrad"),
}


@pytest.mark.parametrize("case", DECISIONS)
def test_who_decides_on_the_folder(case, tmp_path, monkeypatch):
    given, jaxs, folder = DECISIONS[case]
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("MSGRAD_COMPILE_CACHE", raising=False)
    variables = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "caches")}
    for name, value in {**variables, **given}.items():
        monkeypatch.setenv(name, value)
    before = jax.config.values["jax_compilation_cache_dir"]
    jax.config.update("jax_compilation_cache_dir", jaxs)
    try:
        found = compile_cache.usual_store()
    finally:
        jax.config.update("jax_compilation_cache_dir", before)
    assert (found and found.folder) == (folder and tmp_path / folder)


def test_without_a_home_there_is_none(monkeypatch, caplog):
    monkeypatch.setattr(compile_cache, "jaxs_folder", lambda: None)
    monkeypatch.delenv("MSGRAD_COMPILE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    monkeypatch.setattr(compile_cache.logging.getLogger("msgrad"), "propagate", True)
    assert compile_cache.usual_store() is None
    [line] = set(caplog.messages)
    assert "not kept: no home" in line


def test_a_folder_given_to_jax_later_is_jaxs(tmp_path, anything_is_kept):
    before = jax.config.values["jax_compilation_cache_dir"]
    programs.keep_programs_in(compile_cache._NotYet())
    compile_cache._keep_all()
    jax.config.update("jax_compilation_cache_dir", str(tmp_path))
    try:
        jax.jit(lambda x: x * 3 + 0.25)(jnp.ones(3))
        assert any(path.name.endswith("-cache") for path in tmp_path.iterdir())
        kept = jax.config.values["jax_persistent_cache_min_compile_time_secs"]
        assert kept == anything_is_kept
    finally:
        jax.config.update("jax_compilation_cache_dir", before)


def test_other_options_of_the_compiler_are_other_programs(tmp_path):
    ms.set_compile_cache(tmp_path)
    x = jnp.ones((2, 5))

    def program(x):
        return jnp.sin(x) * 2.5

    for options in (None, {"xla_backend_optimization_level": 1}, None):
        jax.jit(program, compiler_options=options)(x)
        jax.clear_caches()
    assert len(list(tmp_path.glob("jit_program-*"))) == 2


def test_tests_leave_the_users_folder_alone():
    assert compile_cache.usual_store() is None


def test_what_is_no_folder(tmp_path):
    before = store(), thresholds()
    with pytest.raises(TypeError, match="must be a path or None"):
        ms.set_compile_cache(3)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        ms.set_compile_cache(tmp_path / "file")
    with pytest.raises(OSError):
        ms.set_context(
            mode=ms.GRAPH_MODE, enable_compile_cache=True, compile_cache_path=str(tmp_path / "file")
        )
    assert (store(), thresholds()) == before
    assert ms.get_context("mode") == ms.PYNATIVE_MODE
    assert ms.get_context("enable_compile_cache") is None
