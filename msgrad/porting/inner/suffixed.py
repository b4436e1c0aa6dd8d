"""MindSpore's inner names with a suffix: ``amax_ext`` is ``mint.amax``, ``chunk_view`` a view."""

from __future__ import annotations

import re
from typing import Any

from msgrad import mint, ops
from msgrad.mint.nn import functional

__all__: list[str] = []

# Their parameters are not those of the public function.
_OTHERS = {"add_ext", "sub_ext"}


def __getattr__(name: str) -> Any:
    public = re.sub("(_ext)?(_view)?$", "", name)
    for module in (functional, mint, ops):
        if public not in ("", name) and name not in _OTHERS and public in module.__all__:
            return getattr(module, public)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
