"""``SummaryCollector``: writes loss, metrics and weights of a training for TensorBoard."""

from __future__ import annotations

import re
from typing import Any

from msgrad._core.checks import at_least, of_type
from msgrad._core.errors import ArgumentValueError
from msgrad.common.tensor import Tensor
from msgrad.train.callback._callback import Callback, RunContext, mean_loss
from msgrad.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryCollector"]

_DATA = (
    "collect_metric", "collect_graph", "collect_train_lineage", "collect_eval_lineage",
    "collect_input_data", "collect_dataset_graph", "histogram_regular", "collect_landscape",
)  # fmt: skip
_FIRST = 5


class SummaryCollector(Callback):
    """Write the loss, what ``ops.ScalarSummary`` kept, metrics and the spread of weights.

    Args:
        summary_dir: The folder.
        collect_freq: Steps from one record to the next.
        num_process: Accepted for compatibility.
        collect_specified_data: dict: ``collect_metric`` (bool) for the loss and
            ``histogram_regular`` (a pattern of names) for weights, by default the first five;
            others are accepted and not written. None for all, False for none.
        keep_default_action: Whether what the dict does not name is written.
        custom_lineage_data: Accepted for compatibility.
        collect_tensor_freq: Accepted for compatibility.
        max_file_size: Accepted for compatibility.
        export_options: Accepted for compatibility.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For a frequency below 1 or unknown data.
        NotImplementedError: When training begins, if tensorboardX is not installed.
    """

    def __init__(
        self,
        summary_dir: str,
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: Any = None,
        keep_default_action: bool = True,
        custom_lineage_data: Any = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        of_type("SummaryCollector", "summary_dir", summary_dir, str)
        of_type("SummaryCollector", "collect_freq", collect_freq, int)
        at_least("SummaryCollector", "collect_freq", collect_freq, 1)
        named = {} if collect_specified_data in (None, False) else dict(collect_specified_data)
        unknown = [name for name in named if name not in _DATA]
        if unknown:
            raise ArgumentValueError(f"{unknown} are none of the data to collect, {_DATA}.")
        rest = keep_default_action and collect_specified_data is not False
        self._freq, self._folder = collect_freq, summary_dir
        self._loss = named.get("collect_metric", rest)
        self._weights = named.get("histogram_regular", True if rest else None)
        self._record: SummaryRecord | None = None

    def begin(self, run_context: RunContext) -> None:
        """Open the file."""
        if self._record is None:
            self._record = SummaryRecord(self._folder)
        params = run_context.original_args()
        self._record.set_mode("eval" if params.get("mode") == "eval" else "train")

    def step_end(self, run_context: RunContext) -> None:
        """Write, if the step is one to write."""
        params = run_context.original_args()
        record, step = self._record, params.cur_step_num
        if record is None or params.get("mode") == "eval" or (step - 1) % self._freq:
            return
        loss = mean_loss(params.net_outputs) if self._loss else None
        if loss is not None:
            record.add_value("scalar", "loss/auto", Tensor(float(loss)))
        for param in self._chosen(params):
            record.add_value("histogram", f"{param.name}/auto", param)
        record.record(step)

    def _chosen(self, params: Any) -> list[Any]:
        network = params.get("train_network") or params.get("network")
        if not self._weights or network is None:
            return []
        found = [param for param in network.trainable_params() if param.ndim]
        if self._weights is True:
            return found[:_FIRST]
        return [param for param in found if re.match(self._weights, param.name)]

    def end(self, run_context: RunContext) -> None:
        """Write the metrics, and close the file."""
        params, record = run_context.original_args(), self._record
        if record is None:
            return
        metrics = params.get("metrics") or {}
        for name, value in metrics.items() if self._loss else ():
            if isinstance(value, (int, float)):
                record.add_value("scalar", f"metrics/{name}", Tensor(float(value)))
        if metrics:
            record.record(int(params.get("cur_step_num", 0)))
        record.close()
        self._record = None
