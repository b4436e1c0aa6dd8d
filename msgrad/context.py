"""``mindspore.context``: ``set_context``, devices and the auto-parallel context of one process.

The execution mode itself lives in ``msgrad._core.context``; what it compiles, in
``msgrad._compiled.graph_mode``.
"""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

import jax

from msgrad._core.compile_cache import as_mindspore_places_it, from_environment, set_compile_cache
from msgrad._core.context import GRAPH_MODE, PYNATIVE_MODE, context, platform
from msgrad._core.distributed.devices import check_dataset_strategy, check_mode, parallel_settings
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad._core.settings import Settings
from msgrad._core.user_code import user_level


class ParallelMode:
    """The names of the ways to spread a program over devices."""

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]


_DEVICE_TARGETS = ("CPU", "GPU", "TPU", "Ascend", "Davinci")

# Keyword -> (accepted type, what get_context gives before it is set). Apart from the mode, the
# device, the compile cache and ``deterministic`` they steer MindSpore's own runtime and compiler:
# checked and kept, they change nothing here.
_OPTIONS: dict[str, tuple[type | tuple[type, ...], Any]] = {
    "mode": (int, None),
    "device_target": (str, None),
    "device_id": (int, 0),
    "aoe_tune_mode": (str, ""),
    "ascend_config": (dict, {}),
    "check_bprop": (bool, False),
    "compile_cache_path": (str, ""),
    "conv_fprop_algo": (str, "normal"),
    "dataset_broadcast_opt_level": (int, 0),
    "debug_level": (int, 0),
    "deterministic": (str, "OFF"),
    "disable_format_transform": (bool, False),
    "enable_compile_cache": (bool, None),
    "enable_graph_kernel": (bool, False),
    "enable_parallel_split": (bool, False),
    "enable_profiling": (bool, False),
    "enable_reduce_precision": (bool, True),
    "env_config_path": (str, ""),
    "exec_order": (str, "bfs"),
    "gpu_config": (dict, {}),
    "graph_kernel_flags": (str, ""),
    "host_scheduling_max_threshold": ((str, int), ""),
    "inter_op_parallel_num": (int, 0),
    "jit_config": (dict, {}),
    "jit_level": (str, ""),
    "jit_syntax_level": (int, 2),
    "max_call_depth": (int, 1000),
    "max_device_memory": (str, 1024.0),
    "memory_optimize_level": (str, 0),
    "mempool_block_size": (str, 1.0),
    "op_timeout": (int, 900),
    "print_file_path": (str, ""),
    "profiling_options": (str, "training_trace"),
    "pynative_synchronize": (bool, False),
    "reserve_class_name_in_scope": (bool, True),
    "runtime_num_threads": (int, 0),
    "save_graphs": ((bool, int), 0),
    "save_graphs_path": (str, "."),
    "support_binary": (bool, False),
    "topo_order": (str, ""),
    "variable_memory_max_size": (str, "0"),
}

# What MindSpore 2.10 still takes and drops; get_context knows none of it.
_DROPPED: dict[str, type | tuple[type, ...]] = {
    "auto_tune_mode": object,
    "enable_auto_mixed_precision": (bool, type(None)),
    "enable_sparse": object,
}

# Keywords of which None says nothing.
_OPTIONAL = {
    *("ascend_config", "disable_format_transform", "enable_reduce_precision", "gpu_config"),
    *("max_device_memory", "mempool_block_size", "print_file_path", "variable_memory_max_size"),
}

# Key of ``jit_config`` -> the values it can have.
_JIT_CONFIG = {"jit_level": ("O0", "O1", "O2"), "infer_boost": ("on", "off")}

# Keyword -> the values it can have.
_CHOICES: dict[str, tuple[Any, ...]] = {
    "mode": (GRAPH_MODE, PYNATIVE_MODE),
    "device_target": _DEVICE_TARGETS,
    "deterministic": ("ON", "OFF"),
    "aoe_tune_mode": ("online", "offline"),
    "debug_level": (0, 1),
    "exec_order": ("bfs", "dfs"),
    "jit_syntax_level": (0, 1, 2),
    "memory_optimize_level": ("O0", "O1"),
}

# Keyword -> what it is beyond its type, and the test of that.
_RANGES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "env_config_path": ("argument 'env_config_path' must be a file that exists", os.path.isfile),
    "host_scheduling_max_threshold": (
        "argument 'host_scheduling_max_threshold' must be set through 'ascend_config'",
        lambda _: False,
    ),
    "jit_config": (
        f"argument 'jit_config' must be a dict of {_JIT_CONFIG}, 'infer_boost' on at O0 alone",
        lambda given: (
            all(value in _JIT_CONFIG.get(key, ()) for key, value in given.items())
            and not (given.get("infer_boost") == "on" and given.get("jit_level") in ("O1", "O2"))
        ),
    ),
    "max_call_depth": ("argument 'max_call_depth' must be greater than 0", lambda depth: depth > 0),
    "save_graphs": ("value for save_graphs should be 0-3", (0, 1, 2, 3).__contains__),
    "save_graphs_path": ("argument 'save_graphs_path' must not be empty", bool),
    **{
        name: (f"argument '{name}' must be one of {list(values)}", values.__contains__)
        for name, values in _CHOICES.items()
    },
    "mode": (
        "argument 'mode' should be context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1)",
        _CHOICES["mode"].__contains__,
    ),
    **{
        name: (f"argument '{name}' must be 0 or more", lambda number: number >= 0)
        for name in ("inter_op_parallel_num", "op_timeout", "runtime_num_threads")
    },
}

# What get_context gives of a value that was set.
_KEPT_AS: dict[str, Callable[[Any], Any]] = {
    "env_config_path": os.path.realpath,
    "memory_optimize_level": ("O0", "O1").index,
    "save_graphs": lambda value: 2 * value if isinstance(value, bool) else value,
    "save_graphs_path": os.path.realpath,
}

# The parameter server, which MindSpore has taken out of use; here it cannot be turned on.
_ps = Settings(
    {
        "enable_ps": (bool, False),
        "config_file_path": (str, ""),
        "enable_ssl": (bool, False),
        "client_password": (str, ""),
        "server_password": (str, ""),
    },
    "PS ",
)

_set_options: dict[str, Any] = {}


def set_context(**kwargs: Any) -> None:
    """Set how the program runs; keyword arguments only.

    Args:
        mode: ``GRAPH_MODE`` (0) or ``PYNATIVE_MODE`` (1), for all threads. In GRAPH_MODE the
            outermost calls of Cells and of gradient functions run as one compiled program each,
            as under ``jit``; operators outside of them run at once, as in PYNATIVE_MODE.
        device_target: ``"CPU"``, ``"GPU"`` or ``"TPU"``, where JAX has such a device. A program
            that imports ``mindspore`` (``msgrad.install``, ``run``) and names another one gets the
            best that is here, with a warning.
        device_id: int, which of these devices.
        enable_compile_cache: bool, whether to keep compiled programs on disk, below
            ``compile_cache_path`` (str); see ``msgrad.set_compile_cache``.
        deterministic: ``"ON"`` has every program compiled in full at once. Otherwise one for a
            shape that may not come back is run by NumPy or compiled cheaply at first, and compiled
            in full where it does come back; then the last bits of a run that is resumed may differ
            where the shapes of its inputs change.
        **kwargs: MindSpore's other keywords steer its own runtime; they are checked and kept for
            ``get_context`` and have no effect.

    Raises:
        ValueError: For an unknown keyword, or a value out of range.
        TypeError: For a value of another type, or a positional argument.
        RuntimeError: For a device that JAX does not have here.
        OSError: If the folder of compiled programs cannot be made.

    Differs from MindSpore: ``"TPU"`` is accepted.
    """
    for key, value in kwargs.items():
        if key in _DROPPED:
            _check_type(key, value, _DROPPED[key])
        else:
            _check_option(_known("set_context", "keyword ", key), value)
    kwargs = {
        key: value
        for key, value in kwargs.items()
        if key not in _DROPPED and not (value is None and key in _OPTIONAL)
    }

    def asked(key: str) -> Any:
        return kwargs.get(key, get_context(key))

    if "device_target" in kwargs or "device_id" in kwargs:
        _use_device(asked("device_target"), asked("device_id"))
    if "enable_compile_cache" in kwargs or "compile_cache_path" in kwargs:
        if asked("enable_compile_cache"):
            set_compile_cache(as_mindspore_places_it(asked("compile_cache_path")))
        elif "enable_compile_cache" in kwargs:
            set_compile_cache(None)
    if "mode" in kwargs:
        context.mode = int(kwargs["mode"])
    if "deterministic" in kwargs:
        context.deterministic = kwargs["deterministic"] == "ON"
    _set_options.update({key: _KEPT_AS.get(key, lambda v: v)(v) for key, v in kwargs.items()})


def get_context(attr_key: str) -> Any:
    """Return the value of one keyword of ``set_context``.

    Raises:
        ValueError: For an unknown keyword.
        TypeError: If the keyword is not a str.
    """
    _check_type("attr_key", attr_key, str)
    if attr_key == "mode":
        return context.mode
    if attr_key == "device_target":
        return platform().upper()
    return _set_options.get(attr_key, _OPTIONS[_known("get_context", "", attr_key)][1])


def _get_mode() -> int:
    return get_context("mode")


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Choose the device that new tensors and computations use.

    Args:
        device_target: ``"CPU"``, ``"GPU"`` or ``"TPU"``.
        device_id: Which of these devices; None for the first.

    Raises:
        TypeError, ValueError: For arguments of another type, or an unknown target.
        RuntimeError: For a device that JAX does not have here.

    Differs from MindSpore: it may be called again, also after work has run; tensors that exist
    stay where they are.
    """
    set_context(device_target=device_target, device_id=0 if device_id is None else device_id)


def _check_parallel(given: dict[str, Any]) -> None:
    mode, devices = given.get("parallel_mode"), given.get("device_num")
    if isinstance(mode, str) and mode not in ParallelMode.MODE_LIST:
        raise ArgumentValueError(
            "The context configuration parameter 'parallel_mode' only support 'stand_alone', "
            "'data_parallel', 'hybrid_parallel', 'semi_auto_parallel' and 'auto_parallel', "
            f"but got the value : {mode}."
        )
    if isinstance(devices, int) and devices <= 0:
        raise ArgumentValueError(
            "The context configuration parameter 'device_num' must be a positive integer, but got "
            f"the value of device_num : {devices}."
        )
    check_mode(given.get("parallel_mode", ""))
    if "dataset_strategy" in given:
        strategy = given["dataset_strategy"]
        check_dataset_strategy("set_auto_parallel_context", strategy)
        if isinstance(strategy, str):
            given.setdefault("full_batch", strategy == "full_batch")
    # Read one by one afterwards; a name that is not known is refused with them.
    if isinstance(pipeline := given.get("pipeline_config"), dict):
        given.update(pipeline)


def _check_ps(given: dict[str, Any]) -> None:
    if given.get("enable_ps") is True:
        raise UnsupportedError(
            "set_ps_context: there is no parameter server; train in one process, or shard arrays "
            "over devices with jax.sharding."
        )


set_auto_parallel_context, get_auto_parallel_context, reset_auto_parallel_context = (
    parallel_settings.functions(
        __name__,
        "auto_parallel_context",
        "training on several ranks, of which the mode ``data_parallel``, ``gradients_mean``, "
        "``parameter_broadcast`` and ``enable_parallel_optimizer`` have an effect; and of several "
        "devices in one process, by the modes ``semi_auto_parallel`` and ``auto_parallel``, with "
        "``device_num`` (all by default), ``dataset_strategy``, ``full_batch`` and "
        "``enable_parallel_optimizer``",
        _check_parallel,
    )
)
set_ps_context, get_ps_context, reset_ps_context = _ps.functions(
    __name__, "ps_context", "the parameter server, which cannot be turned on", _check_ps
)


def _known(call: str, kind: str, key: str) -> str:
    if key not in _OPTIONS:
        raise ArgumentValueError(
            f"For 'context.{call}', the {kind}argument {key} is not recognized! Accepted are "
            f"{', '.join(_OPTIONS)}."
        )
    return key


def _check_type(key: str, value: Any, accepted: type | tuple[type, ...]) -> None:
    if not isinstance(value, accepted):
        raise ArgumentTypeError(f"The parameter '{key}' must be {accepted}, but got {type(value)}")


def _check_option(key: str, value: Any) -> None:
    if value is None and key in _OPTIONAL:
        return
    # MindSpore looks at the choices before it looks at the type of None.
    if value is not None or key not in _CHOICES:
        _check_type(key, value, _OPTIONS[key][0])
    accepted, test = _RANGES.get(key, ("", None))
    if test is not None and not test(value):
        raise ArgumentValueError(f"For 'context.set_context', the {accepted}, but got {value}.")


def _use_device(target: str, index: int) -> None:
    """Make JAX's default device the asked one; leave it alone where it already is."""
    device = _find_device(target, index)
    first = target == jax.default_backend().upper() and index == 0
    if jax.config.values["jax_default_device"] is None and first:
        return
    jax.config.update("jax_default_device", device)


def _find_device(target: str, index: int) -> Any:
    """Return the device of a ``device_target`` and ``device_id``.

    A program that imports ``mindspore`` was written for the device it names; where msgrad stands in
    for MindSpore, the best device here stands in for that one.

    Raises:
        RuntimeError: If JAX does not have it here.
    """
    default = jax.default_backend().upper()
    supported = [default] if default == "CPU" else ["CPU", default]
    if target not in supported and sys.modules.get("mindspore") is sys.modules["msgrad"]:
        warnings.warn(
            f"JAX has no {target} here: the program runs on {default}.",
            RuntimeWarning,
            stacklevel=user_level(inspect.currentframe()),
        )
        target, index = default, 0
    if target not in supported:
        way_out = (
            f"JAX does not run on {target}; write device_target='{default}' (or 'GPU', 'TPU' where "
            "JAX has them), or leave device_target out and the best device here is taken"
            if target in ("Ascend", "Davinci")
            else f"Change or remove device_target, or install JAX for {target}"
        )
        raise EngineError(
            f"Unsupported device target {target}. This process only supports one of the "
            f"{supported}: these are the devices that JAX has here. {way_out}."
        )
    devices = jax.local_devices(backend=target.lower())
    # MindSpore has one CPU, by whatever number.
    if target == "CPU" and index >= len(devices):
        return devices[0]
    if not 0 <= index < len(devices):
        raise EngineError(
            f"The device {target}:{index} does not exist; JAX has {len(devices)} of that kind."
        )
    return devices[index]


from_environment()

# How much of Python a compiled function may be written in; all of it, here.
STRICT, COMPATIBLE, LAX = 0, 1, 2

__all__ = public_names(globals(), "COMPATIBLE", "GRAPH_MODE", "LAX", "PYNATIVE_MODE", "STRICT")

__getattr__ = missing_names(__name__, {"K_CONTEXT": "msgrad.porting.inner.c_expression"})
