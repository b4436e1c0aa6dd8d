"""Writes ``signatures.json``: what the constructors and ``construct`` of MindSpore's ``nn`` take.

Run as ``GLOG_v=3 python -m tests.nn.record_signatures`` where MindSpore 2.10 is;
``test_signatures.py`` holds msgrad's classes to it.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIGNATURES = Path(__file__).parent / "signatures.json"


def shown(function: Callable[..., Any]) -> str:
    """Return the parameters after ``self`` with their defaults, an object's as ``...``."""
    texts = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        default = parameter.default
        plain = type(default) in (int, float, str, bool, tuple, type(None))
        if plain or default is parameter.empty:
            texts.append(str(parameter.replace(annotation=parameter.empty)))
        else:
            texts.append(f"{parameter.name}=...")
    return f"({', '.join(texts)})"


def signatures(nn: Any) -> dict[str, list[str]]:
    """Return for each Cell class of ``nn`` what its constructor and its ``construct`` take."""
    return {
        name: [shown(cls.__init__), shown(cls.construct)]
        for name in sorted(nn.__all__)
        if isinstance(cls := getattr(nn, name), type) and issubclass(cls, nn.Cell)
    }


if __name__ == "__main__":
    import mindspore

    rows = signatures(mindspore.nn).items()
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(row)}" for name, row in rows)
    SIGNATURES.write_text("{\n" + lines + "\n}\n")
