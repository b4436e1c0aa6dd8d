"""MindSpore's inner names with a suffix: ``amax_ext`` is ``mint.amax``, ``chunk_view`` a view.

``sqrt_op`` and ``sqrt_`` are a Primitive that has been made, with its options as by default, and so
are ``divs`` and ``cummax_impl``, where it has no options.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from typing import Any

from msgrad import mint, ops
from msgrad.mint.nn import functional

__all__: list[str] = []

# Their parameters are not those of the public function.
_OTHERS = {"add_ext", "sub_ext"}
# They write into their first argument, which no Primitive here does.
_IN_PLACE = {"floor_", "fill_diagonal_", "index_put_"}
_PRIMITIVES = ("not_on_cpu", "gradients", "expressions", "sparse", "prims")


@functools.cache
def _places() -> dict[str, tuple[Any, str]]:
    """Return where each Primitive class is, by its name in lower case."""
    inner = [importlib.import_module(f"msgrad.porting.inner.{name}") for name in _PRIMITIVES]
    names = ((module, name) for module in (*inner, ops) for name in module.__all__)
    return {name.lower(): (module, name) for module, name in names if name[0].isupper()}


def _made(name: str) -> Any:
    bare = re.sub("(_op|_impl|_)$", "", name)
    module, label = _places().get(bare.replace("_", "").lower(), (None, ""))
    cls: Any = getattr(module, label, None)
    if ops.Primitive not in getattr(cls, "__mro__", ()):
        return None
    options = [*inspect.signature(cls).parameters.values()]
    needed = [p for p in options if p.default is p.empty and p.kind is not p.VAR_POSITIONAL]
    # What has options takes them as arguments elsewhere.
    plain = name.endswith(("_op", "_")) or not options
    return cls() if plain and not [p for p in needed if p.kind is not p.VAR_KEYWORD] else None


def __getattr__(name: str) -> Any:
    public = re.sub("(_ext)?(_view)?$", "", name)
    for module in (functional, mint, ops):
        if public not in ("", name) and name not in _OTHERS and public in module.__all__:
            return getattr(module, public)
    made = None if name[:1].isupper() or name in _IN_PLACE else _made(name)
    if made is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return globals().setdefault(name, made)
