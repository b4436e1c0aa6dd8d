"""Callbacks that msgrad leaves out, each with the way that is open instead."""

from msgrad._core.left_out import left_out

# Name -> what it does, and what to do instead.
_ROWS = {
    "FlopsUtilizationCollector": ("counts operations", "profile with jax.profiler"),
    "SummaryLandscape": (
        "draws a loss landscape for MindInsight",
        "MindInsight files are not written",
    ),
    "TrainFaultTolerance": (
        "fault tolerance of a cluster",
        "it needs MindIO of Ascend; use ModelCheckpoint, and resume as its docstring shows",
    ),
}
globals().update({name: left_out(__name__, name, *row) for name, row in _ROWS.items()})
__all__ = [*_ROWS]
