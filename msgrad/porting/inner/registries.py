"""MindSpore's registries of functions by Primitive: what a program registers is kept and found.

Nothing of msgrad is registered in them, and nothing reads them: JAX differentiates the ``__call__``
of a Primitive (as MindSpore does in PYNATIVE_MODE), and that runs on every device.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.autograd import recompute
from msgrad.ops.primitive import Primitive


class Registry(UserDict[Any, Any]):
    """Functions by Primitive class, or by name."""

    _by_name = False

    def register(self, prim: type[Primitive] | str) -> Callable[[Any], Any]:
        """Keep the decorated function for a Primitive class or a name; raises ``TypeError``."""

        def keep(function: Any) -> Any:
            if isinstance(prim, str):
                self[prim] = function
            elif not isinstance(prim, type):
                raise ArgumentTypeError(f"register() needs a Primitive class or str, not {prim!r}")
            elif issubclass(prim, Primitive):
                self[id(prim)] = function
                if self._by_name:
                    self[prim.__name__] = function
            return function

        return keep

    def get(self, prim_obj: Any, default: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the function of a Primitive, or of a name; ``default`` for none."""
        key = id(type(prim_obj)) if isinstance(prim_obj, Primitive) else prim_obj
        return super().get(key, default)


class _NamedRegistry(Registry):
    _by_name = True


class PyFuncRegistry(UserDict[Any, Any]):
    """Functions by any key."""

    def register(self, key: Any, value: Any) -> None:
        """Keep a function."""
        self[key] = value

    def get(self, key: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a function; raises ``ValueError`` if none is kept."""
        if key not in self:
            raise ArgumentValueError(f"Python function with key{key} not registered.")
        return self[key]


class _Recompute:
    """Where MindSpore finds how a function is computed again backwards."""

    def get(self) -> Any:
        """Return ``mindspore.recompute``."""
        return recompute


bprop_getters, bprops, vm_impl_registry = _NamedRegistry(), _NamedRegistry(), _NamedRegistry()
taylor_fprop_getters, recompute_registry = _NamedRegistry(), _Recompute()
BpropRegistry = VmImplRegistry = _NamedRegistry


def get_bprop_fn(prim: Any) -> Any:
    """Return the derivative registered for a Primitive, or a name, None for none."""
    return bprop_getters.get(prim, None)
