"""``Layout``, ``shard``, ``AutoParallel`` and the cells of ``parallel.nn``, on one device.

Layouts are kept and checked; nothing is spread, so a wrapped network is called as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.nn.cell import Cell


class Layout:
    """Names for the axes of a grid of devices; called with some of them, one for each dimension.

    Args:
        device_matrix: The sizes of the grid, a tuple of ints.
        alias_name: A name for each.
        rank_list: The devices; all in order by default.

    Raises:
        TypeError: If one of them is not a tuple.
        ValueError: If there are more or fewer names than sizes.
    """

    def __init__(
        self,
        device_matrix: tuple[int, ...],
        alias_name: tuple[str, ...],
        rank_list: list[int] | None = None,
    ) -> None:
        for name, value in (("device_matrix", device_matrix), ("alias_name", alias_name)):
            if not isinstance(value, tuple):
                raise ArgumentTypeError(f"{name} must be tuple type, but got:{type(value)}")
        if len(device_matrix) != len(alias_name):
            raise ArgumentValueError(
                f"device_matrix and alias_name must have one length, but got {device_matrix} and "
                f"{alias_name}."
            )
        self.device_matrix, self.alias_name = device_matrix, alias_name
        self.rank_list = rank_list or list(range(math.prod(device_matrix)))
        self._tensor_map: tuple[int, ...] | None = None

    def __call__(self, *tensor_map: Any) -> Layout:
        new = Layout(self.device_matrix, self.alias_name, self.rank_list)
        new._tensor_map = tuple(map(self._place, tensor_map))
        return new

    def _place(self, axis: Any) -> Any:
        if isinstance(axis, tuple):
            return tuple(map(self._place, axis))
        if axis == "None":
            return -1
        if axis not in self.alias_name:
            raise ArgumentValueError(f"The axis {axis} is not found in {self.alias_name}")
        return len(self.alias_name) - 1 - self.alias_name.index(axis)

    def to_dict(self) -> dict[str, Any]:
        """Return what it was made of, with the place of each dimension's axis from the end."""
        if self._tensor_map is None:
            raise ArgumentValueError("The tensor_map of layout is None: call it first.")
        return {
            "device_matrix": self.device_matrix,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": "interleaved_parallel" in self.alias_name,
            "alias_name": self.alias_name,
            "rank_list": self.rank_list,
        }


def shard(
    fn: Callable[..., Any],
    in_strategy: Any,
    out_strategy: Any = None,
    parameter_plan: Any = None,
) -> Callable[..., Any]:
    """Return ``fn``: how its inputs are spread over devices counts in a parallel mode only."""
    return fn


class AutoParallel(Cell):
    """A network that is spread over devices; on the one here, the network as it is.

    Args:
        network: The network.
        parallel_mode: ``'semi_auto'``, ``'sharding_propagation'`` or ``'recursive_programming'``.

    Raises:
        ValueError: For another mode.
    """

    def __init__(self, network: Cell, parallel_mode: str = "semi_auto") -> None:
        super().__init__(auto_prefix=False)
        modes = ("semi_auto", "sharding_propagation", "recursive_programming")
        if parallel_mode not in modes:
            raise ArgumentValueError(
                f"parallel_mode must be one of {modes}, but got {parallel_mode}."
            )
        self.network = network

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Call the network."""
        return self.network(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        cells = vars(self).get("_cells", {})
        if "network" in cells and name not in cells:
            return getattr(cells["network"], name)
        return super().__getattr__(name)


def _setting(name: str) -> Callable[..., None]:
    def accept(self: Any, *args: Any, **kwargs: Any) -> None:
        return None

    accept.__name__ = accept.__qualname__ = name
    accept.__doc__ = "Accepted for compatibility: there is one device."
    return accept


for _name in [
    "comm_fusion",
    "dataset_strategy",
    "disable_loss_repeated_mean",
    "disable_strategy_file_only_for_trainable_params",
    "enable_fp32_communication",
    "enable_gradients_mean",
    "full_batch",
    "hsdp",
    "load_operator_strategy_file",
    "load_param_strategy_file",
    "no_init_parameters_in_compile",
    "parameter_broadcast",
    "pipeline",
    "print_local_norm",
    "save_operator_strategy_file",
    "save_param_strategy_file",
    "set_group_ckpt_save_file",
    "transformer_opt",
]:
    setattr(AutoParallel, _name, _setting(_name))


class MicroBatchInterleaved(Cell):
    """Runs a network on parts of a batch, one after another, and averages what comes out.

    Args:
        network: The network, with its loss.
        interleave_num: How many parts; must divide the batch.
    """

    def __init__(self, network: Cell, interleave_num: int = 2) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(interleave_num, int) or interleave_num < 1:
            raise ArgumentTypeError(
                "For 'MicroBatchInterleaved', the argument 'interleave_num' must be integer and at "
                f"least 1, but got {interleave_num}."
            )
        self.network, self.interleave_num = network, interleave_num

    def construct(self, *inputs: Any) -> Any:
        """Compute the mean over the parts."""
        total: Any = 0.0
        for part in range(self.interleave_num):
            total = total + self.network(*(self._part(item, part) for item in inputs))
        return total / self.interleave_num

    def _part(self, item: Any, part: int) -> Any:
        size, rest = divmod(item.shape[0], self.interleave_num)
        if rest:
            raise ArgumentValueError(
                f"The batch of {item.shape[0]} is not divided by {self.interleave_num} parts."
            )
        return item[part * size : (part + 1) * size]


class GradAccumulation(MicroBatchInterleaved):
    """Runs a network on ``micro_size`` parts of a batch, and averages what comes out.

    Args:
        network: The network, with its loss.
        micro_size: How many parts.
    """

    def __init__(self, network: Cell, micro_size: int) -> None:
        super().__init__(network, micro_size)


class Pipeline(GradAccumulation):
    """Runs a network on ``micro_size`` parts of a batch; its stages are all on one device.

    Args:
        network: The network, with its loss.
        micro_size: How many parts.
        stage_config: The stage of each cell, by name; without effect.
        segment_config: Their segments; without effect.
    """

    def __init__(
        self, network: Cell, micro_size: int, stage_config: Any = None, segment_config: Any = None
    ) -> None:
        super().__init__(network, micro_size)
