"""``__all__`` from what a module defines, so that no list of its names is kept by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def public_names(module: Mapping[str, Any], *more: str) -> list[str]:
    """Return the public classes and functions that a module, or a package below it, defines.

    Written as ``__all__ = public_names(globals())`` in the last line. In a package's ``__init__``
    it lists what ``from package.module import *`` brought; what comes from elsewhere is not listed.

    Args:
        module: The ``globals()`` of the module.
        more: Further names: constants, and what the module only passes on.

    Returns:
        The names, sorted.
    """
    own = module["__name__"]
    found = {
        name
        for name, value in module.items()
        # An instance has no name of its own, though it may be callable.
        if name[0] != "_" and callable(value) and hasattr(value, "__name__")
        if f"{getattr(value, '__module__', '')}.".startswith(f"{own}.")
    }
    return sorted(found.union(more))
