"""Programs of recordings, found on disk before anything of them is traced.

JAX finds a program on disk by what it computes, and so traces and lowers it first: half the time
that a second run takes. A recording says what will be traced: operators of msgrad, their options,
wiring, shapes and dtypes. Where that is all that a program is made of, a file beside those of JAX
says under which key JAX has kept it, and how it is called. That file is found by

- the recording, and what becomes of it (a gradient, which results);
- msgrad's source files, the versions of Python, jax, NumPy and optax, and the settings that JAX
  traces by;
- JAX's own key of an empty program under the same options, which holds the compiler's version and
  flags, and the processor.

Everything else is traced: what has functions of users or raw JAX in it, calls host or LAPACK
functions (they are registered when they are lowered), runs on several devices or ranks, or not on
the CPU, where this was not measured.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import NoneType
from typing import Any

import jax
import numpy as np
from jax.sharding import SingleDeviceSharding

from msgrad._core.collecting import uncollected
from msgrad._core.compile_cache import own_store
from msgrad._core.engine import needs_arguments_later
from msgrad._core.engine.programs import (
    around_program,
    calls_outside,
    compiled_with_key,
    program_from,
    tracing_settings,
)
from msgrad._core.numpy_program import NumpyProgram

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
    if kind is type and value in _PLAIN:
        return value.__name__
    own = getattr(kind, "described", None)
    return _name(value) if own is None else own(value)


def _name(value: Any) -> str:
    """Return the name that an operator or a function has in a module of msgrad."""
    module, name = str(getattr(value, "__module__", "")), getattr(value, "__qualname__", "")
    if not module.startswith("msgrad.") or vars(sys.modules[module]).get(name) is not value:
        raise NotDescribable(value)
    return f"{module}.{name}"


@functools.cache
def sources() -> str | None:
    """Return what tells msgrad's code, and what it traces with, from other versions."""
    import importlib.metadata

    try:
        files = [
            (path, *map(os.stat(path).__getattribute__, ("st_size", "st_mtime_ns", "st_ctime_ns")))
            for folder, _, names in os.walk(Path(__file__).parents[1])
            for path in sorted(os.path.join(folder, n) for n in names if n.endswith(".py"))
        ]
        # Loading optax for its version would take longer than this.
        versions = jax.__version__, np.__version__, importlib.metadata.version("optax"), sys.version
    except (OSError, importlib.metadata.PackageNotFoundError):
        return None
    # In an archive there are no files to look at.
    return repr((sorted(files), versions)) if files else None


@functools.cache
def _form(options: tuple[tuple[str, Any], ...]) -> str | None:
    """Return JAX's key of an empty program under options of the compiler; None if it has none."""

    empty = jax.jit(lambda: jax.numpy.zeros(()), compiler_options=dict(options))
    return compiled_with_key(empty.lower())[1]


def _leaf(value: Any, device: Any) -> str:
    if not isinstance(value, jax.Array):
        if type(value) in (bool, int, float, complex):
            return type(value).__name__
        if type(value) is not np.ndarray or value.dtype == jax.dtypes.float0:
            raise NotDescribable(value)
        return f"ndarray{value.shape}{value.dtype!r}"
    sharding = value.sharding
    if not isinstance(sharding, SingleDeviceSharding) or sharding.device_set != {device}:
        raise NotDescribable(value)
    return f"{value.shape}{value.dtype!r}{value.weak_type}{value.committed}"


def _key(what: Any, options: dict[str, Any], args: tuple[Any, ...]) -> str | None:
    """Return the key of a program for arguments; None where it is not to be kept."""
    devices = jax.devices()
    if len(devices) > 1 or devices[0].platform != "cpu" or jax.process_count() > 1:
        return None
    try:
        leaves, tree = jax.tree.flatten(args)
        parts = [described(what), str(tree), *(_leaf(leaf, devices[0]) for leaf in leaves)]
    except NotDescribable:
        return None
    form = _form(tuple(options.get("compiler_options", {}).items()))
    code = sources()
    if form is None or code is None:
        return None
    text = "\n".join([*parts, form, code, tracing_settings()])
    return f"recorded-{hashlib.sha256(text.encode()).hexdigest()}"


class Kept:
    """A program of a recording that is looked for on disk before it is traced, and kept there.

    Args:
        jitted: The program, as ``jax.jit`` gives it.
        what: What it is made of, see ``described``.
        options: Those of ``jax.jit``.
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
        known = self._run
        if known is not None:
            try:
                return known(*args)
            except (TypeError, ValueError):
                if known is self._jitted:
                    raise
                # What was found takes arguments of one kind; JAX traces for others.
                self._run = self._jitted
                return self._jitted(*args)
        with uncollected():
            run = self._run = self._found_or_kept(args)
            return run(*args)

    def _found_or_kept(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        store = own_store()
        key = _key(self._what, self._options, args) if store else None
        if not key:
            return self._jitted
        start = time.monotonic()
        if run := _load(store, key):
            jax.monitoring.record_event(_EVENTS[0])
            jax.monitoring.record_event_duration_secs(_EVENTS[1], time.monotonic() - start)
        elif not _keep(store, key, self._jitted.lower(*args)):
            return self._jitted
        return run or self._jitted


def _load(store: Any, key: str) -> Any:
    """Return a program that is kept under a key; None if there is none, or not whole."""
    try:
        reference = store.get(key)
        if reference is None:
            return None
        kept = pickle.loads(reference)
        if isinstance(kept, NumpyProgram):
            return kept
        jaxs_key, around = kept
        entry = store.get(jaxs_key)
        return entry and program_from(around, entry)
    except Exception as error:
        # It was written in whatever state: what is compiled anew takes its place.
        logging.getLogger("msgrad").debug("A program on disk cannot be loaded: %s", error)
        return None


def _keep(store: Any, key: str, lowered: Any) -> bool:
    by_numpy = isinstance(lowered, NumpyProgram)
    compiled, jaxs_key = (lowered, None) if by_numpy else compiled_with_key(lowered)
    if not by_numpy and (jaxs_key is None or calls_outside(lowered, compiled)):
        return False
    try:
        kept = lowered if by_numpy else (jaxs_key, around_program(compiled))
        reference = pickle.dumps(kept)
    except (AttributeError, NotImplementedError, TypeError, ValueError, pickle.PicklingError) as e:
        logging.getLogger("msgrad").debug("A program is not found by its recording: %s", e)
        return False
    store.put(key, reference)
    return True
