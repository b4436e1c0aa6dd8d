"""Trains the models under the real MindSpore and keeps its checkpoints and losses.

``python -m tests.models.record [model ...]``, from the root of the repository, with an interpreter
that has MindSpore. For each model: ``golden/<model>.ckpt`` (the weights at the start),
``golden/<model>_trained.ckpt`` (weights, moments and counters at the end), and its row in
``golden/losses.json``. ``--resume model file`` prints, as JSON, the losses of going on from a file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mindspore as ms

from tests.models.models import GOLDEN, PROGRAMS, resume, train

LOSSES = GOLDEN / "losses.json"


def record(name: str) -> dict[str, list[list[float]]]:
    """Train one model and write its two checkpoints; returns its losses, and those resumed."""
    ms.set_seed(7)
    program = PROGRAMS[name]()
    start, end = GOLDEN / f"{name}.ckpt", GOLDEN / f"{name}_trained.ckpt"
    save(program.network, start)
    losses = train(program)
    save(program.state, end)
    return {"losses": losses, "resumed": resume(name, end)}


def save(cell: ms.nn.Cell, path: Path) -> None:
    """Write a checkpoint, also over one that is there: MindSpore makes its files read-only."""
    path.unlink(missing_ok=True)
    ms.save_checkpoint(cell, str(path))
    path.chmod(0o644)


def main() -> None:
    """Command line: see the top of this file."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    if sys.argv[1:2] == ["--resume"]:
        name, path = sys.argv[2:]
        print(json.dumps(resume(name, Path(path))))
        return
    known = json.loads(LOSSES.read_text()) if LOSSES.exists() else {}
    known |= {name: record(name) for name in sys.argv[1:] or PROGRAMS}
    rows = [
        f"  {json.dumps(name)}: {json.dumps(known[name])}" for name in PROGRAMS if name in known
    ]
    LOSSES.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
