"""Compiled programs kept on disk: JAX's own persistent cache, and MindSpore's ways to ask for it.

Programs are found again by what they compute, not by the Python they came from; a process still
traces each function once.
"""

from __future__ import annotations

import os
from pathlib import Path

import jax
from jax.experimental.compilation_cache import compilation_cache

from msgrad._core.errors import ArgumentTypeError

_THRESHOLDS = {
    "jax_persistent_cache_min_compile_time_secs": 0.0,
    "jax_persistent_cache_min_entry_size_bytes": 0,
}
# What the settings were, from JAX's own environment variables or from the program.
_before: dict[str, object] = {}


def set_compile_cache(directory: str | os.PathLike[str] | None) -> None:
    """Keep compiled programs in a folder, so that the next process need not compile them.

    Every program is kept, small ones too: the kernels of operators as well as ``ms.jit`` functions.
    To bound the folder, set JAX's ``jax_compilation_cache_max_size``. JAX looks programs up by the
    folder's path too: after it was moved they are compiled again.

    Args:
        directory: The folder, made if it is not there; None goes back to JAX's own settings.

    Raises:
        TypeError: If it is not a path.
        OSError: If the folder cannot be made.

    In MindSpore's words the same is ``set_context(enable_compile_cache=True,
    compile_cache_path=...)``, or the environment variables ``MS_COMPILER_CACHE_ENABLE=1`` and
    ``MS_COMPILER_CACHE_PATH``, which put ``rank_0/graph_cache`` into the path.
    """
    if directory is None:
        for name, value in _before.items():
            jax.config.update(name, value)
        _before.clear()
    else:
        if not isinstance(directory, (str, os.PathLike)):
            raise ArgumentTypeError(
                "For 'set_compile_cache', the directory must be a path or None, but got "
                f"{type(directory).__name__}."
            )
        folder = Path(directory).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        for name, value in {"jax_compilation_cache_dir": str(folder), **_THRESHOLDS}.items():
            _before.setdefault(name, jax.config.values[name])
            jax.config.update(name, value)
    # JAX looks at these settings once, at the first compilation.
    compilation_cache.reset_cache()


def as_mindspore_places_it(path: str) -> Path:
    """Return the folder that MindSpore would use below a ``compile_cache_path``."""
    return Path(path or ".") / "rank_0" / "graph_cache"


def from_environment() -> None:
    """Do what MindSpore's environment variables ask for."""
    if os.environ.get("MS_COMPILER_CACHE_ENABLE") == "1":
        path = os.environ.get("MS_COMPILER_CACHE_PATH", "")
        set_compile_cache(as_mindspore_places_it(path))
