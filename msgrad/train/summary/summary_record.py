"""``mindspore.train.summary.summary_record``: ``SummaryRecord``, which says that it is left out."""

from __future__ import annotations

from msgrad._core.left_out import left_out
from msgrad.train.callback._left_out import NO_SUMMARY

SummaryRecord = left_out(__name__, "SummaryRecord", "writes files for MindInsight", NO_SUMMARY)

__all__ = ["SummaryRecord"]
