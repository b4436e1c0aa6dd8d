"""Strategy files of MindSpore, and what they say: how Parameters were cut over devices.

Such a file is a protobuf message. It has a layout for each Parameter (``ParallelLayouts`` of
``node_strategy.proto``); of how operators were spread, nothing is read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError, UnsupportedError
from msgrad._core.protobuf import fields, int64s, signed


@dataclass(frozen=True)
class ParallelLayouts:
    """How a Parameter was cut.

    Attributes:
        devices: The matrix of devices.
        cut: For each axis of the Parameter the axis of that matrix, counted from the last, along
            which it was cut; -1 for none.
        step: How far devices are apart that have the parts of an optimizer's cut.
        parts: How many those are; 0 without such a cut.
    """

    devices: tuple[int, ...]
    cut: tuple[int, ...]
    step: int = 0
    parts: int = 0


def _layout(message: bytes) -> ParallelLayouts:
    own: dict[int, Any] = dict(fields(message))
    step, parts = signed(own.get(6, 0)), signed(own.get(7, 0))
    devices, cut, uneven = (int64s(own.get(number, b"")) for number in (1, 2, 3))
    if any(uneven):
        raise UnsupportedError("Parameters that are cut unevenly are not joined; use MindSpore.")
    return ParallelLayouts(devices, cut, step, parts)


def build_searched_strategy(strategy_filename: str) -> dict[str, ParallelLayouts]:
    """Read a strategy file, as MindSpore writes at ``strategy_ckpt_save_file``.

    Args:
        strategy_filename: Its path.

    Returns:
        How each Parameter was cut, by name.

    Raises:
        TypeError: If the path is not a str.
        ValueError: If there is no such file.
        NotImplementedError: If a Parameter was cut unevenly.
    """
    of_type("build_searched_strategy", "strategy_filename", strategy_filename, str)
    if not Path(strategy_filename).is_file():
        raise ArgumentValueError(
            f"For 'build_searched_strategy', no such strategy file: {strategy_filename}. Please "
            "check whether the 'strategy_filename' exists."
        )
    found = {}
    for number, item in fields(Path(strategy_filename).read_bytes()):
        if number == 3:
            own: dict[int, Any] = dict(fields(item))
            found[own[1].decode()] = _layout(own[2])
    return found


def joined(parts: Sequence[np.ndarray], layout: ParallelLayouts) -> np.ndarray:
    """Return the whole array whose parts devices have, in their order.

    Raises:
        ValueError: If there are not as many parts as devices.
    """
    count = math.prod(layout.devices)
    if len(parts) != count:
        raise ArgumentValueError(
            "For 'merge_sliced_parameter', the length of 'sliced_parameters' should be equal to "
            f"device_count. The length of 'sliced_parameters' is {len(parts)}, but device_count is "
            f"{count}."
        )
    axes = [None if axis < 0 else len(layout.devices) - 1 - axis for axis in layout.cut]
    factors = [1 if axis is None else layout.devices[axis] for axis in axes]
    more = layout.parts if layout.parts > 0 else 1
    shape = list(np.multiply(parts[0].shape, factors))
    if more > 1:
        shape[0] *= more
    whole = np.empty(shape, parts[0].dtype)
    for device, part in enumerate(parts):
        where = np.unravel_index(device, layout.devices)
        starts = [0 if axis is None else int(where[axis]) for axis in axes]
        if more > 1:
            starts[0] = starts[0] * more + device // max(layout.step, 1) % more
        places = zip(starts, part.shape, strict=True)
        whole[tuple(slice(start * size, (start + 1) * size) for start, size in places)] = part
    return whole
