"""``mindspore.train.summary.summary_record``: another import path of ``SummaryRecord``."""

from msgrad.train.callback._left_out import SummaryRecord as SummaryRecord
