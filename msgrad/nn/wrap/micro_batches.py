"""Cells that call a network on one part of a batch after the other, and add the results up."""

from __future__ import annotations

from typing import Any

from msgrad._core.checks import above, of_type
from msgrad._core.errors import ArgumentValueError, ParameterNameError
from msgrad._core.exports import public_names
from msgrad.nn.cell import Cell


class _MicroBatches(Cell):
    """Calls a network on each part of a batch; the base of those with MindSpore's names."""

    def __init__(self, network: Any, name: str, parts: Any) -> None:
        super().__init__(auto_prefix=False)
        of_type(self.cls_name, name, parts, int, bool)
        above(self.cls_name, name, parts, 0)
        setattr(self, name, parts)
        self.network = network
        self._counted = name

    def construct(self, *inputs: Any) -> Any:
        parts: int = getattr(self, self._counted)
        for value in inputs:
            if value.shape[0] % parts:
                raise ArgumentValueError(
                    "For micro batch initialization, the 0th dimension shape of input"
                    f"({value.shape[0]}) must be divided by micro size({parts})"
                )
        total = None
        for part in range(parts):
            bounds = [(v, v.shape[0] // parts) for v in inputs]
            out = self.network(*(v[size * part : size * (part + 1)] for v, size in bounds))
            total = out if total is None else total + out
        return total


class _MicroBatch(Cell):
    """Cuts its inputs along their first dimension.

    Args:
        micro_size: Number of parts.

    Inputs: the number of a part, then Tensors whose first dimension ``micro_size`` divides; gives
    a tuple of that part of each.
    """

    def __init__(self, micro_size: int) -> None:
        super().__init__()
        self.micro_size = micro_size

    def construct(self, i: int, *inputs: Any) -> tuple[Any, ...]:
        sizes = [x.shape[0] // self.micro_size for x in inputs]
        return tuple(x[n * i : n * (i + 1)] for x, n in zip(inputs, sizes, strict=True))


class GradAccumulationCell(_MicroBatches):
    """The sum of what a network gives for each part of a batch, and so of its gradients.

    Args:
        network: The Cell, such as one that gives a loss.
        micro_size: How many parts there are, which divides the batch.

    Raises:
        TypeError: If ``network`` is not a Cell, or ``micro_size`` not an int.
        ValueError: If it is not positive, or does not divide the batch.
    """

    def __init__(self, network: Any, micro_size: int) -> None:
        of_type("GradAccumulationCell", "network", network, Cell)
        super().__init__(network, "micro_size", micro_size)


class PipelineCell(_MicroBatches):
    """The sum of what a network gives for each part of a batch; there is one stage here.

    Args:
        network: The Cell.
        micro_size: How many parts there are, which divides the batch.
        stage_config: Name of a child cell -> its stage, set as its ``pipeline_stage``.
        segment_config: Name of a child cell -> its segment, set as its ``pipeline_segment``.

    Raises:
        TypeError: If ``network`` is not a Cell, or ``micro_size`` not an int.
        ValueError: If it is not positive, or does not divide the batch.
        KeyError: If there is no child cell of a name.
    """

    def __init__(
        self, network: Any, micro_size: int, stage_config: Any = None, segment_config: Any = None
    ) -> None:
        of_type("PipelineCell", "network", network, Cell)
        super().__init__(network, "micro_size", micro_size)
        cells = {name or str(network): cell for name, cell in network.cells_and_names()}
        settings = {"pipeline_stage": stage_config, "pipeline_segment": segment_config}
        for attribute, config in settings.items():
            for name, value in (config or {}).items():
                if name not in cells:
                    raise ParameterNameError(
                        f"For 'PipelineCell', '{name}' is not found in 'network', which has: "
                        f"{list(cells)}."
                    )
                setattr(cells[name], attribute, value)


class MicroBatchInterleaved(_MicroBatches):
    """The sum of what a network gives for each part of a batch.

    Args:
        network: The Cell.
        interleave_num: How many parts there are, which divides the batch.

    Raises:
        TypeError: If ``interleave_num`` is not an int.
        ValueError: If it is not positive, or does not divide the batch.
    """

    def __init__(self, network: Any, interleave_num: int = 2) -> None:
        super().__init__(network, "interleave_num", interleave_num)


__all__ = public_names(globals())
