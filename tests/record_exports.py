"""Writes ``exports.json``, the public names of every public module; ``test_exports.py`` reads it.

Run as ``python -m tests.record_exports`` after a change to what is public, and read the diff.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

EXPORTS = Path(__file__).parent / "exports.json"

# The modules that programs import from; other files are where things are defined.
PUBLIC = (
    "msgrad",
    "msgrad.amp",
    "msgrad.boost",
    "msgrad.common",
    "msgrad.common.generator",
    "msgrad.common.initializer",
    "msgrad.common.seed",
    "msgrad.communication",
    "msgrad.communication.management",
    "msgrad.context",
    "msgrad.dataset",
    "msgrad.dataset.config",
    "msgrad.dataset.dataloader",
    "msgrad.dataset.engine",
    "msgrad.dataset.transforms",
    "msgrad.dataset.vision",
    "msgrad.device_manager",
    "msgrad.experimental",
    "msgrad.experimental.optim",
    "msgrad.experimental.optim.lr_scheduler",
    "msgrad.hal",
    "msgrad.interop",
    "msgrad.log",
    "msgrad.mint",
    "msgrad.mint.distributed",
    "msgrad.mint.linalg",
    "msgrad.mint.nn",
    "msgrad.mint.nn.functional",
    "msgrad.mint.optim",
    "msgrad.mint.special",
    "msgrad.nn",
    "msgrad.nn.dynamic_lr",
    "msgrad.nn.layer",
    "msgrad.nn.learning_rate_schedule",
    "msgrad.nn.loss",
    "msgrad.nn.metrics",
    "msgrad.nn.optim",
    "msgrad.nn.wrap",
    "msgrad.numpy",
    "msgrad.ops",
    "msgrad.parallel",
    "msgrad.profiler",
    "msgrad.rewrite",
    "msgrad.runtime",
    "msgrad.scipy",
    "msgrad.scipy.linalg",
    "msgrad.scipy.optimize",
    "msgrad.train",
    "msgrad.train.amp",
    "msgrad.train.callback",
    "msgrad.train.loss_scale_manager",
    "msgrad.train.metrics",
    "msgrad.train.model",
    "msgrad.train.serialization",
    "msgrad.train.summary",
    "msgrad.version",
)


def exported() -> dict[str, list[str]]:
    """Give the sorted ``__all__`` of each public module."""
    return {path: sorted(importlib.import_module(path).__all__) for path in PUBLIC}


if __name__ == "__main__":
    EXPORTS.write_text(json.dumps(exported(), indent=1) + "\n")
