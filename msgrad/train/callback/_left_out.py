"""Callbacks that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError

_OWN = "write a Callback that notes what you need from run_context.original_args()"
_INSTEAD = {
    "BackupAndRestore": "use ModelCheckpoint, and resume as its docstring shows",
    "FlopsUtilizationCollector": "profile with jax.profiler",
    "OnRequestExit": "use ModelCheckpoint, and resume as its docstring shows",
    "SummaryCollector": f"MindInsight files are not written; {_OWN}, or use History",
    "SummaryLandscape": "MindInsight files are not written",
    "SummaryRecord": f"MindInsight files are not written; {_OWN}, or use History",
    "TrainFaultTolerance": "use ModelCheckpoint, and resume as its docstring shows",
}


class _LeftOut:
    """Base of the classes that only say that they are not there."""

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        name = type(self).__name__
        raise UnsupportedError(f"msgrad leaves out train.{name}: {_INSTEAD[name]}.")


class BackupAndRestore(_LeftOut):
    """Left out: saves and restores by itself."""


class FlopsUtilizationCollector(_LeftOut):
    """Left out: counts operations."""


class OnRequestExit(_LeftOut):
    """Left out: saves on a signal."""


class SummaryCollector(_LeftOut):
    """Left out: writes files for MindInsight."""


class SummaryLandscape(_LeftOut):
    """Left out: draws a loss landscape for MindInsight."""


class SummaryRecord(_LeftOut):
    """Left out: writes files for MindInsight."""


class TrainFaultTolerance(_LeftOut):
    """Left out: fault tolerance of a cluster."""
