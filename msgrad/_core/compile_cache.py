"""Compiled programs kept on disk: JAX's persistent cache, which folder it has, and who decides.

Programs are found again by what they compute, not by the Python they came from; a process still
traces each function once, but for recordings (``kept_programs.py``). Every program is kept, for
loading one takes a tenth of compiling it, the smallest too (6 ms and 60; writing one takes 1).
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax

from msgrad._core.engine.programs import jaxs_own_store, keep_programs_in, program_store
from msgrad._core.errors import ArgumentTypeError

if TYPE_CHECKING:
    from msgrad._core.program_store import ProgramStore

VARIABLE = "MSGRAD_COMPILE_CACHE"
BOUND = 2 * 10**9
_THRESHOLDS = {
    "jax_persistent_cache_min_compile_time_secs": 0.0,
    "jax_persistent_cache_min_entry_size_bytes": 0,
}
# JAX's own threshold: where another one was set, somebody has meant it.
_JAXS_SECONDS = 1.0
# What the settings were, from JAX's own environment variables or from the program.
_before: dict[str, object] = {}


def set_compile_cache(directory: str | os.PathLike[str] | None) -> None:
    """Keep compiled programs in a folder of your choice, so that the next process finds them there.

    They are kept without being asked for, in the user's cache folder (``~/.cache/msgrad``, or where
    ``XDG_CACHE_HOME`` or the environment variable ``MSGRAD_COMPILE_CACHE`` points): the kernels of
    operators, recorded gradient calls and ``ms.jit`` functions. ``python -m msgrad cache`` says
    what is there; ``MSGRAD_COMPILE_CACHE=0`` turns it off. A folder takes 2 GB at most, or
    JAX's ``jax_compilation_cache_max_size``; the longest unused programs go first. Where JAX's own
    settings name a folder (``JAX_COMPILATION_CACHE_DIR``), JAX keeps them there, as it does alone.

    Keep programs only where nobody else can write: they are run as they are found.

    Args:
        directory: The folder, made if it is not there; None keeps none, or goes back to JAX's own
            settings.

    Raises:
        TypeError: If it is not a path.
        OSError: If the folder cannot be made.

    In MindSpore's words the same is ``set_context(enable_compile_cache=True,
    compile_cache_path=...)``, or the environment variables ``MS_COMPILER_CACHE_ENABLE=1`` and
    ``MS_COMPILER_CACHE_PATH``, which put ``rank_0/graph_cache`` into the path.
    """
    if directory is None:
        for name, value in _before.items():
            # Unless somebody has set another one since.
            if jax.config.values[name] == _THRESHOLDS[name]:
                jax.config.update(name, value)
        _before.clear()
        keep_programs_in(None)
        return
    if not isinstance(directory, (str, os.PathLike)):
        raise ArgumentTypeError(
            "For 'set_compile_cache', the directory must be a path or None, but got "
            f"{type(directory).__name__}."
        )
    folder = Path(directory).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    _keep_all()
    keep_programs_in(_store(folder))


def as_mindspore_places_it(path: str) -> Path:
    """Return the folder that MindSpore would use below a ``compile_cache_path``."""
    return Path(path or ".") / "rank_0" / "graph_cache"


def from_environment() -> None:
    """Do what the environment variables ask for; if nothing, keep programs in the user's folder."""
    if folder := _mindspores_folder():
        set_compile_cache(folder)
    elif os.environ.get(VARIABLE) != "0" and not jaxs_folder():
        keep_programs_in(_NotYet())
        if jax.config.values["jax_persistent_cache_min_compile_time_secs"] == _JAXS_SECONDS:
            _keep_all()


def jaxs_folder() -> str | None:
    """Return the folder that JAX's own settings name."""
    return jax.config.values["jax_compilation_cache_dir"]


def usual_store() -> ProgramStore | None:
    """Return the store of a process that asks for nothing but in its environment; None for none."""
    if mindspores := _mindspores_folder():
        folder = mindspores
    elif os.environ.get(VARIABLE) == "0" or jaxs_folder():
        return None
    else:
        folder = _usual_folder()
    return _store(folder) if folder else None


def own_store() -> ProgramStore | None:
    """Return the store that programs are kept in, if it is msgrad's and not JAX's own."""
    store = program_store()
    if isinstance(store, _NotYet):
        store = store.find()
    module = sys.modules.get("msgrad._core.program_store")
    return store if module and isinstance(store, module.ProgramStore) else None


class _NotYet:
    """Stands for the store until the first program: importing msgrad looks at no file.

    A folder that the program has given to JAX by then has been meant.
    """

    _path = "<not yet>"

    def find(self) -> Any:
        """Return the store, which takes this place; None for none."""
        store: Any = usual_store()
        if store is None:
            set_compile_cache(None)
            return jaxs_own_store() if jaxs_folder() else None
        keep_programs_in(store)
        return store

    def get(self, key: str) -> Any:
        """Find the store, and ask it."""
        store = self.find()
        return store.get(key) if store else None

    def put(self, key: str, value: bytes) -> None:
        """Keep nothing: JAX asks before it compiles, and the store stands here then."""


def _keep_all() -> None:
    for name, value in _THRESHOLDS.items():
        _before.setdefault(name, jax.config.values[name])
        jax.config.update(name, value)


def _mindspores_folder() -> Path | None:
    if os.environ.get("MS_COMPILER_CACHE_ENABLE") != "1":
        return None
    return as_mindspore_places_it(os.environ.get("MS_COMPILER_CACHE_PATH", "")).absolute()


def _store(folder: Path) -> ProgramStore:
    # Loaded with the first program only.
    from msgrad._core.program_store import ProgramStore

    asked = jax.config.values["jax_compilation_cache_max_size"]
    return ProgramStore(folder, BOUND if asked < 0 else asked)


def _usual_folder() -> Path | None:
    asked = os.environ.get(VARIABLE, "")
    if asked not in ("", "1"):
        return Path(asked).absolute()
    try:
        folder = _caches() / "msgrad"
        owner = folder.stat().st_uid if folder.exists() else None
        if owner is None or os.name == "nt" or owner == os.geteuid():
            return folder
        reason = f"{folder} belongs to another user"
    except (OSError, RuntimeError) as error:
        reason = str(error)
    logging.getLogger("msgrad").warning(
        "Compiled programs are not kept: %s. A folder for them: %s=/path.", reason, VARIABLE
    )
    return None


def _caches() -> Path:
    """Return the folder in which this platform has what programs can do without."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    local = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    # A path that is not absolute is to be ignored, says the XDG specification.
    named = Path(os.environ.get(local, ""))
    return named if named.is_absolute() else Path.home() / ".cache"
