"""Programs of recordings, found on disk before anything of them is traced.

JAX finds a program on disk by what it computes, and so traces and lowers it first: half the time
that a second run takes. A recording says what will be traced: operators of msgrad, their options,
wiring, shapes and dtypes. Where that is all that a program is made of, it is kept a second time,
under a key of

- the recording, and what becomes of it (a gradient, which results);
- msgrad's source files, the versions of Python, jax, NumPy and optax, and the settings that JAX
  traces by;
- JAX's own key of an empty program under the same options, which holds the compiler's version and
  flags, and the processor.

Everything else is traced: what has functions of users or raw JAX in it, calls host or LAPACK
functions (they are registered when they are lowered), runs on several devices or ranks.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import pickle
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from types import NoneType
from typing import Any

import jax
import numpy as np
from jax.experimental.serialize_executable import deserialize_and_load, serialize
from jax.sharding import SingleDeviceSharding

from msgrad._core.engine import (
    calls_outside,
    looked_up_as,
    needs_arguments_later,
    program_store,
    tracing_settings,
)

_PLAIN = (str, bytes, int, float, complex, bool, NoneType)
_EVENTS = "/jax/compilation_cache/cache_hits", "/jax/core/compile/backend_compile_duration"


class NotDescribable(Exception):
    """A value that a key cannot hold."""


def described(value: Any) -> str:
    """Return what a part of a recording is, in words that are the same in every process.

    Raises:
        NotDescribable: If there are none.
    """
    kind = type(value)
    if kind in _PLAIN or isinstance(value, np.dtype):
        return f"{kind.__name__} {value!r}"
    if kind is tuple or kind is list:
        return f"{kind.__name__}({','.join(map(described, value))})"
    if kind is frozenset:
        return f"frozenset({','.join(sorted(map(described, value)))})"
    if kind is slice:
        return f"slice{described((value.start, value.stop, value.step))}"
    own = getattr(kind, "described", None)
    return _name(value) if own is None else own(value)


def _name(value: Any) -> str:
    """Return the name that an operator or a function has in a module of msgrad."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if not str(module).startswith("msgrad.") or vars(sys.modules[module]).get(name) is not value:
        raise NotDescribable(value)
    return f"{module}.{name}"


@functools.cache
def _sources() -> str:
    """Return what tells the code of msgrad, and of what it traces with, from another."""
    # Loaded for kernels that use it; looked for here, its version takes no import.
    import importlib.metadata

    folder = Path(__file__).parents[1]
    files = sorted(
        (path, status.st_mtime_ns, status.st_size)
        for at, _, names in os.walk(folder)
        for path in (os.path.join(at, name) for name in names if name.endswith(".py"))
        for status in (os.stat(path),)
    )
    versions = jax.__version__, np.__version__, importlib.metadata.version("optax"), sys.version
    return repr((files, versions))


@functools.cache
def _form(options: frozenset[tuple[str, Any]]) -> str | None:
    """Return JAX's key of an empty program under options of the compiler; None if it has none."""

    def msgrad_form() -> Any:
        return jax.numpy.zeros(())

    jitted = jax.jit(msgrad_form, compiler_options=dict(options))
    return looked_up_as(f"jit_{msgrad_form.__name__}-", lambda: jitted.lower().compile())


def _leaf(value: Any, device: Any) -> str:
    if not isinstance(value, jax.Array):
        if type(value) in (bool, int, float, complex):
            return type(value).__name__
        if type(value) is not np.ndarray:
            raise NotDescribable(value)
        return f"ndarray{value.shape}{value.dtype!r}"
    sharding = value.sharding
    if not isinstance(sharding, SingleDeviceSharding) or sharding.device_set != {device}:
        raise NotDescribable(value)
    return f"{value.shape}{value.dtype!r}{value.weak_type}{value.committed}"


def _key(what: Any, options: dict[str, Any], args: tuple[Any, ...]) -> str | None:
    """Return the key of a program for arguments; None where it is not to be kept."""
    devices = jax.devices()
    if len(devices) > 1 or jax.process_count() > 1:
        return None
    try:
        leaves, tree = jax.tree.flatten(args)
        parts = [described(what), str(tree), *(_leaf(leaf, devices[0]) for leaf in leaves)]
    except NotDescribable:
        return None
    form = _form(frozenset(options.items()))
    if form is None:
        return None
    text = "\n".join([*parts, form, _sources(), tracing_settings()])
    return f"recorded-{hashlib.sha256(text.encode()).hexdigest()}"


class Kept:
    """A program of a recording that is looked for on disk before it is traced, and kept there.

    Args:
        jitted: The program, as ``jax.jit`` gives it.
        what: What it is made of, see ``described``.
        options: Those of the compiler.
    """

    def __init__(self, jitted: Any, what: Any, options: dict[str, Any]) -> None:
        self._jitted = jitted
        self._what = what
        self._options = options
        self._run: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        # Inside a transform or a trace it becomes a part of something else.
        if needs_arguments_later():
            return self._jitted(*args)
        if self._run is not None:
            return self._run(*args)
        key = _key(self._what, self._options, args)
        store = program_store() if key else None
        if found := store and _load(store.get(key)):
            self._run = found
            return found(*args)
        results = self._jitted(*args)
        if store:
            _keep(store, key, self._jitted, args)
        self._run = self._jitted
        return results

    def lower(self, *args: Any) -> Any:
        """Lower it."""
        return self._jitted.lower(*args)


def _load(entry: bytes | None) -> Any:
    if entry is None:
        return None
    start = time.monotonic()
    try:
        loaded = deserialize_and_load(*pickle.loads(zlib.decompress(entry)))
    except Exception as error:
        # What was written by whatever version: it is compiled anew.
        logging.getLogger("msgrad").debug("A program on disk cannot be loaded: %s", error)
        return None
    jax.monitoring.record_event(_EVENTS[0])
    jax.monitoring.record_event_duration_secs(_EVENTS[1], time.monotonic() - start)
    return loaded


def _keep(store: Any, key: str, jitted: Any, args: tuple[Any, ...]) -> None:
    # Both are there already.
    lowered = jitted.lower(*args)
    compiled = lowered.compile()
    if calls_outside(lowered, compiled):
        return
    try:
        entry = pickle.dumps(serialize(compiled))
    except (NotImplementedError, TypeError, ValueError, pickle.PicklingError) as error:
        logging.getLogger("msgrad").debug("A program is not kept by its recording: %s", error)
        return
    store.put(key, zlib.compress(entry, 1))
