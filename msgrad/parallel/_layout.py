"""``shard`` and ``AutoParallel``."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from msgrad._core.checks import of_type, one_of
from msgrad._core.distributed.devices import (
    check_dataset_strategy,
    check_mode,
    parallel_settings,
    several,
)
from msgrad._core.distributed.layout import Layout as Layout
from msgrad._core.errors import ArgumentValueError
from msgrad._core.settings import accepted_as
from msgrad.nn._layout import check_shard, plan_parameters
from msgrad.nn.cell import Cell
from msgrad.ops.spread import constrained


class _DistributedTensorInfo:
    """How a Tensor is spread.

    Attributes:
        layout: The ``Layout``, called with the axes.
        sharding_strategy: Into how many parts each dimension is cut.

    Raises:
        TypeError: For anything but a Layout.
    """

    def __init__(self, distributed_info: Layout) -> None:
        of_type("_DistributedTensorInfo", "distributed_info", distributed_info, Layout)
        self.layout = self.distributed_info = distributed_info

    @property
    def sharding_strategy(self) -> list[int]:
        sizes = self.layout.to_dict()["device_matrix"]
        return [math.prod(sizes[axis] for axis in axes) for axes in self.layout.cuts()]


def shard(
    fn: Callable[..., Any], in_strategy: Any, out_strategy: Any = None, parameter_plan: Any = None
) -> Callable[..., Any]:
    """Return ``fn`` with its inputs and outputs cut into parts for several devices.

    Counts where ``Primitive.shard`` does; on one device it is ``fn``, whatever the strategies say.

    Args:
        fn: A Cell, or a function of Tensors.
        in_strategy: A tuple with one strategy for each Tensor: a ``Layout`` called with the names
            of axes, or a tuple that says into how many parts each dimension is cut.
        out_strategy: The same for outputs; XLA decides where there is none.
        parameter_plan: A dict with the name of a parameter of the Cell and its strategy.

    Raises:
        TypeError: If they are none of these.
        ValueError: If a strategy does not fit a parameter, or a Layout was not called.
    """
    if not several():
        return fn
    check_shard(in_strategy, out_strategy)
    plan_parameters(fn, parameter_plan)

    @functools.wraps(fn, updated=())
    def sharded(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = constrained((args, kwargs), in_strategy, "shard(in_strategy)")
        return constrained(fn(*args, **kwargs), out_strategy, "shard(out_strategy)")

    return sharded


class AutoParallel(Cell):
    """A network that is spread over the devices of the process, where there are several.

    What it compiles runs in the mode ``semi_auto_parallel``: strategies count, and where there is
    none XLA decides.

    Args:
        network: The network.
        parallel_mode: ``'semi_auto'``, ``'sharding_propagation'`` or ``'recursive_programming'``;
            all three do the same.

    Raises:
        ValueError: For another mode.
    """

    def __init__(self, network: Cell, parallel_mode: str = "semi_auto") -> None:
        super().__init__(auto_prefix=False)
        modes = ("semi_auto", "sharding_propagation", "recursive_programming")
        one_of("AutoParallel", "parallel_mode", parallel_mode, *modes)
        check_mode("semi_auto_parallel")
        self.network = network
        vars(self)["_parallel"] = {"parallel_mode": "semi_auto_parallel"}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with parallel_settings.changed(vars(self)["_parallel"]):
            return super().__call__(*args, **kwargs)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Call the network."""
        return self.network(*args, **kwargs)

    def dataset_strategy(self, config: Any) -> None:
        """Say how inputs are cut, as ``dataset_strategy`` of ``set_auto_parallel_context``.

        Args:
            config: ``'data_parallel'``, ``'full_batch'``, or a tuple with a strategy for each.

        Raises:
            ValueError: For None, or another word.
            TypeError: If it is nothing of the kind.
        """
        if config is None:
            raise ArgumentValueError("dataset_strategy is none in config!")
        check_dataset_strategy("AutoParallel.dataset_strategy", config)
        vars(self)["_parallel"]["dataset_strategy"] = config

    def hsdp(
        self, shard_size: int = -1, threshold: int = 64, optimizer_level: str = "level1"
    ) -> None:
        """Cut the state of optimizers along its first dimension, as ``enable_parallel_optimizer``.

        Args:
            shard_size: Into how many parts, a positive int or -1; all devices are used.
            threshold: The smallest Parameter, 0 or more; without effect.
            optimizer_level: ``'level1'``, ``'level2'`` or ``'level3'``; all do the same.

        Raises:
            ValueError: For another value.
        """
        if not isinstance(shard_size, int) or (shard_size <= 0 and shard_size != -1):
            raise ArgumentValueError(
                f"shard_size must be a positive integer or -1, but got {shard_size}."
            )
        if not isinstance(threshold, int) or threshold < 0:
            raise ArgumentValueError(
                f"threshold must be a positive integer or 0, but got {threshold}."
            )
        one_of("hsdp", "optimizer_level", optimizer_level, "level1", "level2", "level3")
        vars(self)["_parallel"]["enable_parallel_optimizer"] = True

    def __getattr__(self, name: str) -> Any:
        cells = vars(self).get("_cells", {})
        if "network" in cells and name not in cells:
            return getattr(cells["network"], name)
        return super().__getattr__(name)


_SETTINGS = (
    "comm_fusion disable_loss_repeated_mean disable_strategy_file_only_for_trainable_params "
    "enable_fp32_communication enable_gradients_mean full_batch load_operator_strategy_file "
    "load_param_strategy_file no_init_parameters_in_compile parameter_broadcast pipeline "
    "print_local_norm save_operator_strategy_file save_param_strategy_file "
    "set_group_ckpt_save_file transformer_opt"
)
for _name in _SETTINGS.split():
    setattr(AutoParallel, _name, accepted_as(_name, "XLA decides, and checkpoints are whole"))
