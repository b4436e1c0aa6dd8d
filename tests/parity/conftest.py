"""What cases have XLA compile alike is compiled once: one in nine of their programs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import pytest
from jax._src import compiler

# By JAX's key of what it keeps on disk; those of hundreds of cases before.
_MOST = 1000
_compiled: OrderedDict[str, Any] = OrderedDict()


@pytest.fixture(autouse=True, scope="module")
def compiled_once() -> Iterator[None]:
    """To disk they do not go: writing so small a program takes as long as compiling it."""
    read, compile_ = compiler._cache_read, compiler._compile_and_write_cache

    def found(module_name: str, key: str, *rest: Any) -> tuple[Any, int | None]:
        if key in _compiled:
            _compiled.move_to_end(key)
            return _compiled[key], 0
        return read(module_name, key, *rest)

    def kept(
        backend: Any, module: Any, devices: Any, options: Any, callbacks: Any, *rest: Any
    ) -> Any:
        program = compile_(backend, module, devices, options, callbacks, *rest)
        # What calls back into Python belongs to one case.
        if not callbacks:
            _compiled[rest[-1]] = program
            if len(_compiled) > _MOST:
                _compiled.popitem(last=False)
        return program

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compiler, "_cache_read", found)
        patched.setattr(compiler, "_compile_and_write_cache", kept)
        yield
    _compiled.clear()
