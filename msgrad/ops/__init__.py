"""``mindspore.ops``: every operator as a function and as a Primitive class.

The names are those of the rows in the modules of this package (see ``_core.registry``). The
gradient transforms are found here too, as in MindSpore, but looked up in ``msgrad.autograd`` when
they are asked for: that package is built on this one.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from msgrad._core.missing import missing_names
from msgrad.ops._families import exports
from msgrad.ops._methods import install

# MindSpore's other paths to the same names.
_PATHS = ("composite", "functional", "operations")
_GRADIENTS = (
    "DumpGradient GradOperation HookBackward InsertGradientOf derivative get_grad grad isconstant "
    "jacfwd jacrev jet jvp recompute value_and_grad vjp vmap"
)

_BETWEEN_PROCESSES = """
P2POp all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object
all_reduce all_to_all all_to_all_single all_to_all_v_c barrier batch_isend_irecv broadcast
broadcast_object_list
destroy_process_group gather_into_tensor gather_object get_backend get_global_rank get_group_rank
get_process_group_ranks get_rank get_world_size init_process_group irecv is_available
is_initialized isend new_group recv recv_object_list reduce reduce_scatter reduce_scatter_tensor
reduce_scatter_tensor_uneven scatter_object_list scatter_tensor send send_object_list
"""
_ABOVE = {
    **dict.fromkeys(_BETWEEN_PROCESSES.split(), "msgrad.mint.distributed"),
    **dict.fromkeys(_GRADIENTS.split(), "msgrad.autograd"),
    "Tensor": "msgrad.common.tensor",
    "Custom": "msgrad.autograd.custom_operator",
    "linearize": "msgrad.autograd.products",
}

_FAMILIES = [
    import_module(f"{__name__}.{module.name}")
    for module in iter_modules(__path__)
    if module.name not in _PATHS
]
_EXPORTS, _CLASSES = exports(_FAMILIES)
install(_EXPORTS)
globals().update(_EXPORTS)
__all__ = [*_ABOVE, *_EXPORTS, *_CLASSES]  # pyright: ignore[reportUnsupportedDunderAll]

_elsewhere = missing_names(__name__, _ABOVE)


def __getattr__(name: str) -> Any:
    make = _CLASSES.get(name)
    # Of two threads that ask at once, both get the first's.
    return globals().setdefault(name, make()) if make else _elsewhere(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
