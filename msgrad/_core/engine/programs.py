"""The names that JAX calls private of its persistent cache, and of programs found on disk.

See ``kept_programs.py``.
"""

from __future__ import annotations

import io
import threading
from typing import Any

import jax
from jax._src import compilation_cache
from jax._src.config import trace_context
from jax._src.core import AxisEnv
from jax.experimental import serialize_executable


def program_store() -> Any:
    """Return what JAX's persistent cache asks for programs."""
    return compilation_cache._cache


def keep_programs_in(store: Any) -> None:
    """Have JAX's persistent cache ask ``store`` (``get``, ``put``) for programs; None: JAX's own.

    JAX's own is made when the next program is compiled, if a setting names a folder.
    """
    compilation_cache.reset_cache()
    compilation_cache._cache = store


def jaxs_own_store() -> Any:
    """Put JAX's own store of compiled programs back at once, and return it."""
    compilation_cache.reset_cache()
    compilation_cache._initialize_cache()
    return compilation_cache._cache


class _Looked(threading.local):
    keys: list[str] | None = None


_looked = _Looked()
_key_of_program = compilation_cache.get_cache_key


def _noted_key(*args: Any, **kwargs: Any) -> str:
    key = _key_of_program(*args, **kwargs)
    if _looked.keys is not None:
        _looked.keys.append(key)
    return key


compilation_cache.get_cache_key = _noted_key


def compiled_with_key(lowered: Any) -> tuple[Any, str | None]:
    """Compile a program; return also the key under which JAX looks for it on disk, if it does."""
    _looked.keys = keys = []
    try:
        # The last: choosing its options may have compiled another one.
        return lowered.compile(), keys[-1] if keys else None
    finally:
        _looked.keys = None


def tracing_settings() -> str:
    """Return JAX's settings that a trace may depend on, those of this thread included."""
    settings = {k: v for k, v in jax.config.values.items() if "_cache" not in k}
    return tracing_state() + repr(sorted((name, str(value)) for name, value in settings.items()))


def tracing_state() -> str:
    """Return what JAX tells traces of one function apart by, that of this thread included."""
    return repr([repr(value) for value in trace_context() if not isinstance(value, AxisEnv)])


def calls_outside(lowered: Any, compiled: Any) -> bool:
    """Whether a program calls what is there only once it was lowered: Python, LAPACK."""
    made = compiled._executable._unloaded_executable
    if made is None or made.host_callbacks or made.keepalive:
        return True
    text = io.BytesIO()
    lowered.compiler_ir("stablehlo").operation.write_bytecode(text)
    return b"custom_call" in text.getvalue()


class _Pickler(serialize_executable._JaxPjrtPickler):
    """As JAX's own, but that it leaves out what JAX keeps itself."""

    own: Any = None

    def persistent_id(self, obj: Any) -> Any:
        return ("exec",) if obj is self.own else super().persistent_id(obj)


class _Unpickler(serialize_executable._JaxPjrtUnpickler):
    own: bytes = b""

    def persistent_load(self, pid: Any) -> Any:
        return super().persistent_load((*pid, self.own) if pid == ("exec",) else pid)


def around_program(compiled: Any) -> bytes:
    """Return what it takes to call a program that JAX keeps on disk: all but that.

    ``serialize`` has it all, but is wrong for a program that came from the disk itself: the
    functions of it are missing then.

    Raises:
        Exception: If it cannot be pickled.
    """
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.own = compiled.runtime_executable()
    arguments, tree = jax.tree.flatten(compiled.args_info)
    if compiled._params.const_args:
        raise NotImplementedError
    made = compiled._executable._unloaded_executable
    pickler.dump((made, arguments, tree, compiled.out_tree, compiled._no_kwargs))
    return file.getvalue()


def program_from(around: bytes, entry: bytes) -> Any:
    """Return a program that can be called.

    Args:
        around: See ``around_program``.
        entry: What JAX has kept.
    """
    client = jax.devices()[0].client
    unpickler = _Unpickler(io.BytesIO(around), client)
    whole = compilation_cache.decompress_executable(entry)
    unpickler.own, _ = compilation_cache.extract_executable_and_time(whole)
    made, arguments, tree, out_tree, no_kwargs = unpickler.load()
    given = tree.unflatten(arguments)
    return jax.stages.Compiled(made.load(), [], given, out_tree, no_kwargs=no_kwargs)
