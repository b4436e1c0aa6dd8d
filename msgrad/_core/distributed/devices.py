"""Several devices in one process: strategies of MindSpore's become constraints of a program.

In the modes ``semi_auto_parallel`` and ``auto_parallel`` what ``ms.jit`` and GRAPH_MODE compile
runs on all devices: inputs are cut along their first dimension, state stands where strategies put
it, and where nothing is said XLA decides. All strategies are told in the axes of one mesh, of which
each has a prime number of devices, so that (2, 4) and (4, 2) go together in one program.

What a program makes of it is in ``_compiled/spread.py``; what ranks are, processes with a device
each, in ``across.py``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec

from msgrad._core.context import platform
from msgrad._core.distributed.layout import VIRTUAL, Layout
from msgrad._core.distributed.world import world
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    UnsupportedError,
)
from msgrad._core.settings import Settings

Axes = tuple[str, ...]
AUTOMATIC = ("semi_auto_parallel", "auto_parallel")

# Of ``set_auto_parallel_context``; keyword -> (accepted type, default).
parallel_settings = Settings(
    {
        "all_reduce_fusion_config": (list, []),
        "auto_parallel_search_mode": (str, "recursive_programming"),
        "auto_pipeline": (bool, False),
        "comm_fusion": (dict, {}),
        "communi_parallel_mode": (str, "all_group_parallel"),
        "dataset_strategy": ((str, tuple), "data_parallel"),
        "device_num": (int, 1),
        "dump_device_local_norm": (bool, False),
        "dump_local_norm": (bool, False),
        "dump_local_norm_path": (str, ""),
        "enable_alltoall": (bool, False),
        "enable_parallel_optimizer": (bool, False),
        "force_fp32_communication": (bool, False),
        "full_batch": (bool, False),
        "global_rank": (int, 0),
        "grad_accumulation_step": (int, 1),
        "gradient_fp32_sync": (bool, True),
        "gradients_mean": (bool, False),
        "group_ckpt_save_file": (str, ""),
        "init_param_in_compile": (bool, True),
        "loss_repeated_mean": (bool, True),
        "optimizer_weight_shard_aggregated_save": (bool, False),
        "optimizer_weight_shard_size": (int, -1),
        "parallel_mode": (str, "stand_alone"),
        "parallel_optimizer_config": (dict, {}),
        "parameter_broadcast": (bool, False),
        "pipeline_config": (dict, {}),
        "pipeline_interleave": (bool, False),
        "pipeline_result_broadcast": (bool, False),
        "pipeline_scheduler": (str, "1f1b"),
        "pipeline_stages": (int, 1),
        "search_mode": (str, "recursive_programming"),
        "sharding_propagation": (bool, False),
        "strategy_ckpt_config": (dict, {}),
        "strategy_ckpt_load_file": (str, ""),
        "strategy_ckpt_save_file": (str, ""),
    }
)


def check_mode(mode: str) -> None:
    """Raise where strategies would have to cut arrays over the devices of several processes.

    Raises:
        NotImplementedError: For the modes of strategies between ranks.
    """
    if world.size > 1 and mode in AUTOMATIC:
        raise UnsupportedError(
            f"the mode {mode} is that of several devices in one process, but there are "
            f"{world.size} processes, each a rank with one device; use data_parallel between "
            "them, or start one process that has all devices of the machine."
        )


def _devices() -> list[Any]:
    return jax.local_devices(backend=platform())


def several() -> bool:
    """Whether this process has devices to spread anything over."""
    return world.size == 1 and len(_devices()) > 1


def spreads() -> bool:
    """Whether what is compiled now is spread over them."""
    return parallel_settings.get("parallel_mode") in AUTOMATIC and several()


def mesh() -> Mesh:
    """Return the mesh of the devices in use.

    Raises:
        RuntimeError: If there are fewer than ``device_num`` says.
    """
    devices, wanted = _devices(), parallel_settings.get("device_num")
    size = len(devices) if wanted == 1 else wanted
    if size > len(devices):
        raise EngineError(
            f"device_num is {size}, but JAX has {len(devices)} devices here; on a CPU "
            f"XLA_FLAGS=--xla_force_host_platform_device_count={size} makes as many."
        )
    return _mesh_of(tuple(devices[:size]))


@functools.cache
def _mesh_of(devices: tuple[Any, ...]) -> Mesh:
    sizes, rest, factor = [], len(devices), 2
    while rest > 1:
        if rest % factor:
            factor += 1
        else:
            sizes.append(factor)
            rest //= factor
    return Mesh(np.array(devices).reshape(sizes), tuple(f"d{i}" for i in range(len(sizes))))


def _take(grid: Mesh | AbstractMesh, number: int, free: Iterable[str]) -> Axes | None:
    """Return the first axes that have a number of devices; None where they have not."""
    taken, rest = [], number
    for axis in free:
        if rest % grid.shape[axis] == 0:
            taken.append(axis)
            rest //= grid.shape[axis]
    return tuple(taken) if rest == 1 else None


class Cuts:
    """Finds axes for the strategies of one call: equal dimensions cut equally get the same."""

    def __init__(self, what: str, grid: Mesh | AbstractMesh, last: bool = False) -> None:
        self.what, self.grid = what, grid
        self._names = grid.axis_names[::-1] if last else grid.axis_names
        self._whole: dict[Any, list[Axes]] = {}
        self._known: dict[tuple[int, int], Axes] = {}
        self._used: set[str] = set()

    def sharding(self, strategy: Any, shape: tuple[int, ...]) -> NamedSharding:
        """Return the sharding of one array.

        Args:
            strategy: A ``Layout`` that was called, or how many parts each dimension is cut into.
            shape: The array's.

        Raises:
            RuntimeError: If they do not fit each other, or the devices.
        """
        numbers = strategy.to_dict()["tensor_map"] if isinstance(strategy, Layout) else strategy
        if len(numbers) != len(shape):
            raise self._error(strategy, shape, "it has another number of dimensions")
        if isinstance(strategy, Layout):
            dims = self._of_layout(strategy)
        else:
            dims, here = self._whole.get((shape, strategy), []), set[str]()
            for size, number in () if dims else zip(shape, numbers, strict=True):
                dims.append(self._axes(strategy, size, number, here))
                here.update(dims[-1])
            self._whole[shape, strategy] = dims
        for size, axes in zip(shape, dims, strict=True):
            parts = math.prod(self.grid.shape[axis] for axis in axes)
            if size % parts:
                raise self._error(strategy, shape, f"{size} is not divided by {parts}")
        return NamedSharding(self.grid, PartitionSpec(*(axes or None for axes in dims)))

    def _axes(self, strategy: Any, size: int, number: int, here: set[str]) -> Axes:
        known = self._known.get((size, number), ())
        if number == 1 or (known and not here & {*known}):
            return known
        others = [axis for axis in self._names if axis not in here]
        fresh = [axis for axis in others if axis not in self._used]
        found = _take(self.grid, number, fresh) or _take(self.grid, number, others)
        if found is None:
            raise self._error(strategy, (), f"there are {self.grid.size} devices")
        if self._names != self.grid.axis_names:
            found = found[::-1]
        self._known[size, number] = found
        self._used.update(found)
        return found

    def _of_layout(self, layout: Layout) -> list[Axes]:
        free, axes = [*self.grid.axis_names], []
        for size, name in zip(layout.device_matrix, layout.alias_name, strict=True):
            taken = () if name == VIRTUAL else _take(self.grid, size, free)
            if taken is None:
                raise self._error(layout, (), f"there are {self.grid.size} devices")
            free = [axis for axis in free if axis not in taken]
            axes.append(taken)
        return [sum((axes[i] for i in each), ()) for each in layout.cuts()]

    def _error(self, strategy: Any, shape: tuple[int, ...], why: str) -> EngineError:
        shown = strategy.to_dict() if isinstance(strategy, Layout) else strategy
        of = f" for the shape {shape}" if shape else ""
        return EngineError(f"{self.what}: the strategy {shown}{of} does not fit: {why}.")


def along_first(
    grid: Mesh, shape: tuple[int, ...], cut: NamedSharding | None = None
) -> NamedSharding | None:
    """Return the sharding over all devices that are left along the first dimension.

    Args:
        grid: The mesh.
        shape: The array's.
        cut: How it is cut already, if it is.

    Returns:
        ``cut`` where they do not divide that dimension.
    """
    # JAX tells one axis by its name, and leaves out what is not cut at the end.
    told = [(d,) if isinstance(d, str) else d or () for d in (cut.spec if cut else ())]
    first, *others = [*told, *[()] * (len(shape) - len(told))] or [()]
    used = {axis for axes in told for axis in axes}
    first = (*first, *(axis for axis in grid.axis_names if axis not in used))
    if not shape or shape[0] % math.prod(grid.shape[axis] for axis in first):
        return cut
    return NamedSharding(grid, PartitionSpec(first, *(axes or None for axes in others)))


def check_strategies(what: str, given: Any) -> set[type]:
    """Check strategies of Tensors; returns of which kinds they are.

    Args:
        what: Of which argument, for errors.
        given: A tuple with a tuple of ints or a Layout for each.

    Raises:
        TypeError: If it is not.
        ValueError: If a Layout was not called.
    """
    if not isinstance(given, tuple):
        raise ArgumentTypeError(f"{what} must be tuple type, but got:{type(given)}")
    for each in given:
        if isinstance(each, Layout):
            each.to_dict()
        elif not isinstance(each, tuple) or not all(isinstance(number, int) for number in each):
            raise ArgumentTypeError(
                f"{what} must have a tuple of int or a mindspore.parallel.Layout for each Tensor, "
                f"but got {each!r}."
            )
    return {*map(type, given)}


def check_one_kind(what: str, given: Any) -> None:
    """Check strategies further: they must be there, and all tuples or all Layouts.

    Raises:
        TypeError: If they are not.
        ValueError: If a Layout was not called.
    """
    if len(check_strategies(what, given)) != 1:
        raise ArgumentTypeError(f"{what} must have all tuples or all Layouts, but got {given}.")


def check_dataset_strategy(call: str, given: Any) -> None:
    """Check how inputs are to be cut.

    Raises:
        ValueError: If it is another word than ``'data_parallel'`` and ``'full_batch'``.
        TypeError: If it is no tuple of strategies.
    """
    name = f"For '{call}', the argument 'dataset_strategy'"
    if given not in ("data_parallel", "full_batch"):
        if isinstance(given, str):
            raise ArgumentValueError(
                f"{name} must be 'full_batch' or 'data_parallel', but got the value : {given}."
            )
        check_strategies(name, given)


def plan_parameter(param: Any, strategy: Any) -> None:
    """Note where a Parameter is to stand; the first to say so counts.

    Args:
        param: The Parameter.
        strategy: A Layout, or how many parts each dimension is cut into.

    Raises:
        ValueError: If it does not fit the Parameter.
    """
    if isinstance(strategy, tuple):
        if len(strategy) != len(param.shape) or any(
            size % max(number, 1) for size, number in zip(param.shape, strategy, strict=False)
        ):
            raise ArgumentValueError(
                f"For '{param.name}', of shape {param.shape}, the parameter_plan {strategy} does "
                "not fit: it must have one number for each dimension, which divides it."
            )
    else:
        strategy.to_dict()
    vars(param).setdefault("_strategy", strategy)
