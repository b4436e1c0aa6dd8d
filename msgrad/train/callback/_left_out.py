"""Callbacks that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from functools import partial

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out

_row = partial(left_out, __name__)
_RESUME = "use ModelCheckpoint, and resume as its docstring shows"
_NO_FILES = "MindInsight files are not written"

FlopsUtilizationCollector = _row(
    "FlopsUtilizationCollector", "counts operations", "profile with jax.profiler"
)
SummaryLandscape = _row("SummaryLandscape", "draws a loss landscape for MindInsight", _NO_FILES)
TrainFaultTolerance = _row(
    "TrainFaultTolerance", "fault tolerance of a cluster", f"it needs MindIO of Ascend; {_RESUME}"
)

__all__ = public_names(globals())
