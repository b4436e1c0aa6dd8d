"""What every test starts from: JAX on the CPU, a fresh context, no ``mindspore`` installed.

Compiled programs are kept on disk, for all workers, for the processes that tests start and for the
next run. XLA compiles them without optimization, in a third of the time; ``XLA_FLAGS= python -m
pytest ...`` takes XLA's own options, as the last run of ``.ci/run`` does. (Optimization level 0 is
right for every program only where no instruction multiplies and adds in one, see
``_core/continuity.py``: AVX has none. Elsewhere than on these processors, level 1.) What has the
mark ``full_compile`` runs under those only.
"""

from __future__ import annotations

import gc
import importlib
import os
import tempfile
import threading
from functools import cache, partial
from importlib.metadata import version
from itertools import count
from pathlib import Path
from platform import machine

# Before anything imports jax: a test must not take a GPU that happens to be there.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault(
    "JAX_COMPILATION_CACHE_DIR", str(Path(tempfile.gettempdir(), f"msgrad-tests-{os.getuid()}"))
)
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "0")
os.environ.setdefault(
    "XLA_FLAGS",
    # An option that XLA does not have ends the process.
    ("--xla_cpu_use_fusion_emitters=false " if version("jaxlib") < "0.11.1" else "")
    + "--xla_backend_optimization_level="
    + ("0 --xla_cpu_max_isa=AVX" if machine() in ("x86_64", "AMD64") else "1")
    +
    # The programs are small: cutting them for several threads takes a sixth of their compile.
    " --xla_cpu_parallel_codegen_split_count=1",
)
# A tenth of what lowering takes is noting where in Python each operation stands; filtering the
# traceback of each exception of a bad argument takes as much again.
os.environ.setdefault("JAX_TRACEBACK_IN_LOCATIONS_LIMIT", "0")
os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")

import jax
import numpy as np
import pytest
from jax._src import traceback_util
from jax._src.interpreters import mlir

import msgrad
from msgrad._core import by_numpy
from msgrad._core import random as core_random
from msgrad._core.context import PYNATIVE_MODE
from msgrad._core.context import context as core_context
from msgrad.context import _set_options, reset_auto_parallel_context
from msgrad.dataset import config as dataset_config

_SEED = 2024

# The suite lowers 30,000 small programs: a fifth of its time went into loading MLIR's dialects for
# each of them, and one twentieth into looking for garbage. A context only grows: anew, at times.
_PROGRAMS_A_CONTEXT = 200


class MlirContexts(threading.local):
    make, left = staticmethod(mlir.make_ir_context), 0

    def __call__(self):
        if not self.left:
            self.context, self.left = self.make(), _PROGRAMS_A_CONTEXT
        self.left -= 1
        return self.context


# Writing a small program takes as long as compiling it, and tests hardly share any; processes that
# they start do, one after the other.
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)
# In how many shapes other tests have called an operator does not decide on a last bit.
by_numpy.SHAPES_IN_FULL = 2**60
if os.environ["XLA_FLAGS"]:
    mlir.make_ir_context = MlirContexts()
gc.set_threshold(50_000, 50, 100)
# JAX asks the file system about each frame that an exception passes on its way out of a trace, and
# reads the whole stack before it finds that it filters no tracebacks.
traceback_util.include_filename = cache(traceback_util.include_filename)
if os.environ["JAX_TRACEBACK_FILTERING"] == "off":
    traceback_util._is_under_reraiser = lambda error: True


@pytest.fixture(autouse=True)
def installed():
    """Begin without ``mindspore``; modules whose tests begin with it have their own of this name.

    Before a test and not after it: undoing looks through all modules, for each of 20,000 cases.
    """
    msgrad.uninstall()


@pytest.fixture(autouse=True)
def fresh_state():
    """Seed the generators, and undo what a test did to the context; a test may do so between."""
    np.random.seed(_SEED)
    yield (undo := partial(_undo, jax.config.values["jax_default_device"]))
    undo()


def _undo(device):
    # One that stays open would make every later gradient call of the thread run twice.
    scope, core_context.scope = core_context.scope, None
    assert scope is None, "a scope of a gradient call was left open"
    core_context.mode = PYNATIVE_MODE
    core_context.deterministic = False
    core_context.forward = None
    _set_options.clear()
    reset_auto_parallel_context()
    # What is called by hand in a dataset draws the same each time where a seed is set, and what an
    # operator draws depends on how many have drawn.
    importlib.import_module("msgrad.common.seed")._global_seed = None
    core_random._global_seed = None
    dataset_config._settings.pop("seed", None)
    jax.config.update("jax_default_device", device)


_TESTS_A_FREEZE = 500
_tests = count()
# A program is three pieces of memory, and a process has 65,530 of them: then XLA crashes.
_PIECES, _MOST_PIECES = Path("/proc/self/maps"), 40_000


def pytest_runtest_logstart(nodeid, location):
    """Spare the garbage collector the 20,000 tests, and the programs that live on."""
    if next(_tests) % _TESTS_A_FREEZE == 0:
        if _PIECES.exists() and _PIECES.read_bytes().count(b"\n") > _MOST_PIECES:
            jax.clear_caches()
        gc.collect()
        gc.freeze()


def pytest_runtest_setup(item):
    if item.get_closest_marker("full_compile") and os.environ["XLA_FLAGS"]:
        pytest.skip("needs XLA's own options: set XLA_FLAGS to nothing")
