"""``mindspore.train.summary``: ``SummaryRecord``."""

from msgrad._core.missing import missing_names
from msgrad.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryRecord"]

__getattr__ = missing_names(__name__)
