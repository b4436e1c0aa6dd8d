"""The persistent compilation cache: a second process compiles nothing again."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import jax
import pytest

import msgrad as ms
from msgrad._core import compile_cache

PROGRAM = """
import json, sys
import jax
from collections import Counter

events = Counter()
jax.monitoring.register_event_listener(lambda name, **kwargs: events.update([name]))

import msgrad as ms
from msgrad import nn, ops

exec(sys.argv[1])
net = nn.SequentialCell(nn.Dense(3, 4, "ones", has_bias=False), nn.ReLU())
step = ms.jit(lambda x: net(x).sum())
value = float(step(ops.ones((2, 3), ms.float32))) + float(ops.ones((2,), ms.float32).sum())
prefix = "/jax/compilation_cache/cache_"
found = {name.removeprefix(prefix): n for name, n in events.items() if name.startswith(prefix)}
print(json.dumps([value, found]))
"""


def in_a_process(statement, **environment):
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, statement],
        env={**os.environ, "JAX_PLATFORMS": "cpu", **environment},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def files(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.endswith("-cache"))


def test_a_second_process_finds_all_programs(tmp_path):
    folder = tmp_path / "rank_0" / "graph_cache"
    value, first = in_a_process(f"ms.set_compile_cache({str(folder)!r})")
    assert first["misses"] > 2
    assert "hits" not in first
    kept = files(folder)
    # Small programs are kept as well, every one of them.
    assert len(kept) == first["misses"]

    # The same asked for in MindSpore's words, which add two folders to the path.
    again, second = in_a_process(
        f"ms.set_context(enable_compile_cache=True, compile_cache_path={str(tmp_path)!r})"
    )
    assert again == value
    assert second == {"hits": first["misses"]}
    assert files(folder) == kept


def test_mindspores_environment_variables(tmp_path):
    _, found = in_a_process("", MS_COMPILER_CACHE_ENABLE="1", MS_COMPILER_CACHE_PATH=str(tmp_path))
    assert len(files(tmp_path / "rank_0" / "graph_cache")) == found["misses"] > 2


NAMES = ("jax_compilation_cache_dir", *compile_cache._THRESHOLDS)


def settings():
    return {name: jax.config.values[name] for name in NAMES}


@pytest.fixture(autouse=True)
def back():
    yield
    ms.set_compile_cache(None)


def test_it_can_be_turned_off(tmp_path):
    before = settings()
    ms.set_compile_cache(tmp_path / "a" / "b")
    assert settings()["jax_compilation_cache_dir"] == str(tmp_path / "a" / "b")
    ms.set_compile_cache(tmp_path)
    assert settings() == {
        "jax_compilation_cache_dir": str(tmp_path),
        "jax_persistent_cache_min_compile_time_secs": 0.0,
        "jax_persistent_cache_min_entry_size_bytes": 0,
    }
    ms.set_compile_cache(None)
    assert settings() == before


def test_set_context_turns_it_on_and_off(tmp_path):
    before = settings()
    ms.set_context(compile_cache_path=str(tmp_path))
    assert settings() == before
    ms.set_context(enable_compile_cache=True)
    folder = tmp_path / "rank_0" / "graph_cache"
    assert settings()["jax_compilation_cache_dir"] == str(folder)
    ms.set_context(compile_cache_path=str(tmp_path / "other"))
    assert (tmp_path / "other" / "rank_0" / "graph_cache").is_dir()
    ms.set_context(enable_compile_cache=False)
    assert settings() == before


def test_what_is_no_folder(tmp_path):
    before = settings()
    with pytest.raises(TypeError, match="must be a path or None"):
        ms.set_compile_cache(3)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        ms.set_compile_cache(tmp_path / "file")
    with pytest.raises(OSError):
        ms.set_context(
            mode=ms.GRAPH_MODE, enable_compile_cache=True, compile_cache_path=str(tmp_path / "file")
        )
    assert settings() == before
    assert ms.get_context("mode") == ms.PYNATIVE_MODE
    assert ms.get_context("enable_compile_cache") is None
