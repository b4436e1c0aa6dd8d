"""``left_out``: the classes that msgrad leaves out, each a row that says what to do instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from msgrad._core.errors import MissingAttributeError, UnsupportedError

_COMPILER = "it is of the books of MindSpore's compiler, which is not here"

# What has no object that could say why it is not there -> why, or the way that is open instead.
_ROWS: dict[str, str] = {
    "2.10 does not run it on its CPU": (
        "Tensor.delete_ Tensor.kthvalue Tensor.pin_memory Tensor.set_device_address Tensor.to_ "
        "Tensor.triangular_solve"
    ),
    "in 2.10 whatever reads the Tensor afterwards ends the process; use ms.save_checkpoint": (
        "Tensor.offload"
    ),
    "it is a step of x[index] in MindSpore's C++; write x[index]": (
        "Tensor.getitem_index_info Tensor.setitem_index_info"
    ),
    "hooks are removed with the handle that register_hook returns": "Tensor.remove_hook",
    "a Parameter made of a Tensor has it": "Tensor.set_param_info",
    _COMPILER: (
        "nn.Cell.IGNORE_LIST nn.Cell.create_time nn.Cell.enable_backward_hook "
        "nn.Cell.global_cells nn.Cell.total_instance_count"
    ),
    "it is a name in annotations of MindSpore's own": "nn.Cell.T_destination",
    "apply the function to the Parameter in construct": "nn.Cell.register_parameter_forward_hook",
    "it is of MindSpore's C++; use register": (
        "ops.MultitypeFuncGraph.register_default_fn ops.MultitypeFuncGraph.register_fn "
        "ops.MultitypeFuncGraph.set_signatures"
    ),
    "call the transforms, which do these steps": "dataset.transforms.validators",
}
NOT_THERE = {f"mindspore.{name}": why for why, names in _ROWS.items() for name in names.split()}


# Modules of MindSpore's, with those below them, that are left out, by why.
_MODULES: dict[str, str] = {
    "it is of MindSpore's compiler; JAX compiles here": (
        "_akg _check_jit_forbidden_api _extends.parse _extends.graph_kernel "
        "_extends.parallel_compile _extends.pijit _extends.remote _extends.optimize "
        "_extends.ast_checker _extends.builtin_operations _extends.utils "
        "common._jit_fallback_utils common._pijit_context "
        "common._tensor_cpp_method common._tensor_docs "
        "common.dynamic_shape "
        "common.jit_begin_end common.jit_context graph ops._constants ops._op_impl ops._vmap "
        "ops.auto_generate ops.composite ops.operations ops.tensor_method ops_generate"
    ),
    "JAX differentiates here, by its rules": "ops._grad_experimental ops._grad scipy.ops_grad",
    "arrays are whole here, or sharded with jax.sharding": (
        "parallel._dp_allreduce_fusion parallel._parallel_serialization parallel._tensor "
        "parallel.data_access_adapter parallel.distributed"
    ),
    "the operations of the dataset check their arguments themselves": (
        "dataset.audio.validators dataset.callback.validators dataset.engine.validators "
        "dataset.text.validators dataset.transforms.validators dataset.vision.validators"
    ),
    "data are read in threads of this process, see dataset.config": (
        "dataset.engine.cache_admin dataset.engine.obs dataset.engine.offload dataset.engine.queue"
    ),
    "profiles are those of jax.profiler": (
        "_profiler profiler.analysis profiler.common profiler.dynamic_profile profiler.platform "
        "profiler.profiler_action_controller profiler.profiler_interface"
    ),
    "assign another Cell to the attribute of the network": "rewrite",
    "the launcher is python -m msgrad launch": "parallel.cluster",
    "it runs without devices; jax.eval_shape computes shapes alone": "utils.dryrun",
    "the files are written and read in Python": "_c_mindrecord mindrecord.core mindrecord.common",
}
MODULES_NOT_THERE = {
    f"mindspore.{name}": why for why, names in _MODULES.items() for name in names.split()
}


def why_left_out(module: str) -> str | None:
    """Return why a module of MindSpore's is left out, None if that is not said."""
    while module and module not in MODULES_NOT_THERE:
        module = module.rpartition(".")[0]
    return MODULES_NOT_THERE.get(module)


class _Absent(type):
    """Makes classes without attributes, as ``SymbolTree.create``, which say why."""

    def __getattr__(cls, name: str) -> NoReturn:
        raise MissingAttributeError(cls._text or f"{cls.__name__} has no attribute '{name}'")


class LeftOut(metaclass=_Absent):
    """Base of the classes that only say that they are not there."""

    _text = ""

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(self._text)


def is_left_out(value: Any) -> bool:
    """Whether a class or function only says that it is left out, and what to do instead."""
    if isinstance(value, type):
        return issubclass(value, LeftOut)
    return getattr(value, "__annotations__", {}).get("return") == "NoReturn"


def left_out(
    module: str, name: str, what: str, instead: str, base: type[LeftOut] = LeftOut
) -> type[Any]:
    """Make a class that says that it is left out.

    Args:
        module: The ``__name__`` of the module that defines it; its first folder stands in the text.
        name: The name of the class.
        what: What it does in MindSpore, for the docstring.
        instead: The way that is open instead.
        base: What decides when it says so: its constructor by default.
    """
    text = f"msgrad leaves out {module.split('.')[1]}.{name}: {instead}."
    doc = f"Left out: {what}.\n\nRaises:\n    NotImplementedError: Always."
    return type(name, (base,), {"_text": text, "__doc__": doc, "__module__": module})


def refused(module: str, name: str, instead: str) -> Callable[..., NoReturn]:
    """Make a function that says that it is left out.

    Args:
        module: The ``__name__`` of the module that defines it.
        name: The name of the function.
        instead: Why, or the way that is open instead.
    """

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(f"msgrad leaves out {name}: {instead}.")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__module__ = module
    refuse.__doc__ = f"Left out: {instead}.\n\nRaises:\n    NotImplementedError: Always."
    return refuse


def left_out_all(module: str, what: str, rows: Mapping[str, str]) -> dict[str, type[Any]]:
    """Make the classes of a table.

    Args:
        module: The ``__name__`` of the module that defines them.
        what: What they are, for the docstrings.
        rows: Why, or the way that is open instead -> names.
    """
    return {
        name: left_out(module, name, what, why)
        for why, names in rows.items()
        for name in names.split()
    }
