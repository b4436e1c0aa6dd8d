"""``mindspore.train.summary.summary_record``: ``SummaryRecord``, files for TensorBoard.

Written by ``tensorboardX``, the extra ``summary``; MindInsight, which reads MindSpore's files, has
ended with MindSpore 2.2.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from msgrad._core.checks import of_type, one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.missing import library
from msgrad.common.tensor import Tensor
from msgrad.ops.summaries import take

__all__ = ["SummaryRecord"]

_WRITTEN = ("tensor", "scalar", "image", "histogram")
_KEPT = ("train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data", "graph")
_FEW = 64


def _get_summary_tensor_data() -> dict[Any, Any]:
    """Return, and forget, what ``ops.ScalarSummary`` and the like have noted, by name and kind."""
    return dict(take())


class SummaryRecord:
    """Writes values by step for TensorBoard: those given, and those of ``ops.ScalarSummary``.

    Args:
        log_dir: The folder.
        file_prefix: Accepted for compatibility.
        file_suffix: The end of the file's name.
        num_process: Accepted for compatibility.
        network: Accepted for compatibility; graphs are not written.
        max_file_size: Accepted for compatibility.
        raise_exception: Accepted for compatibility; errors are raised.
        export_options: Accepted for compatibility.

    Raises:
        TypeError: If ``log_dir`` is not a str.
        NotImplementedError: If tensorboardX is not installed.

    Examples:
        >>> with ms.SummaryRecord("runs") as record:  # doctest: +SKIP
        ...     record.add_value("scalar", "loss", loss)
        ...     record.record(step)
    """

    def __init__(
        self,
        log_dir: str,
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: Any = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: dict[str, Any] | None = None,
    ) -> None:
        if not isinstance(log_dir, str) or not log_dir:
            raise ArgumentTypeError(f"'log_dir' should be a str, but got {log_dir!r}.")
        tensorboard = library("tensorboardX", "summary", "SummaryRecord", UnsupportedError)
        self._writer: Any = tensorboard.SummaryWriter(
            os.path.realpath(log_dir), filename_suffix=file_suffix
        )
        self._mode = "train"
        self._given: dict[tuple[str, str], np.ndarray] = {}

    @property
    def log_dir(self) -> str:
        """The path of the file, absolute."""
        return self._writer.file_writer.event_writer._ev_writer._file_name

    def set_mode(self, mode: str) -> None:
        """Say whether values are of training or evaluation; those have ``eval/`` before the name.

        Raises:
            ValueError: For another mode.
        """
        one_of("SummaryRecord", "mode", mode, "train", "eval")
        self._mode = mode

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Keep a value for the next ``record``.

        Args:
            plugin: ``'scalar'``, ``'image'``, ``'histogram'`` or ``'tensor'``; what else MindSpore
                has is accepted and not written.
            name: Its name.
            value: Tensor.

        Raises:
            ValueError: For another kind, an empty name, or a scalar of several elements.
            TypeError: If the value is not a Tensor.
        """
        if plugin in _KEPT:
            return
        if plugin not in _WRITTEN:
            raise ArgumentValueError(
                f"no such 'plugin' as {plugin!r}; accepted are {[*_WRITTEN, *_KEPT]}."
            )
        if not isinstance(name, str) or not name:
            raise ArgumentValueError(f"'name' should be a str that is not empty, but got {name!r}.")
        of_type("SummaryRecord", "value", value, Tensor)
        if plugin == "scalar" and value.size != 1:
            raise ArgumentValueError(f"a scalar has one element, but got {value.size}.")
        self._given[plugin, name] = value.asnumpy()

    def record(self, step: int, train_network: Any = None, plugin_filter: Any = None) -> bool:
        """Write what was kept since the last time.

        Args:
            step: The number of the step.
            train_network: Accepted for compatibility.
            plugin_filter: Called with a kind: whether to write it.

        Returns:
            Whether it was written; False after ``close``.

        Raises:
            TypeError: If ``step`` is not an int.
        """
        of_type(None, "step", step, int)
        if self._writer is None:
            return False
        values = {**take(), **self._given}
        self._given.clear()
        for (kind, name), value in values.items():
            if plugin_filter is None or plugin_filter(kind):
                self._write(kind, name if self._mode == "train" else f"eval/{name}", value, step)
        return True

    def _write(self, kind: str, name: str, value: np.ndarray, step: int) -> None:
        value = value.astype(np.float32) if value.dtype.kind not in "biuf" else value
        if kind == "scalar":
            self._writer.add_scalar(name, value.reshape(()).item(), step)
        elif kind == "image":
            low, span = value.min(), np.ptp(value) or 1
            self._writer.add_images(name, (value - low) / span, step)
        else:
            self._writer.add_histogram(name, value.reshape(-1), step)
            if kind == "tensor" and value.size <= _FEW:
                self._writer.add_text(name, str(value), step)

    def flush(self) -> None:
        """Write to the disk what was recorded."""
        if self._writer is not None:
            self._writer.flush()

    def close(self) -> None:
        """Write to the disk what was recorded, and end."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def __enter__(self) -> SummaryRecord:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()
