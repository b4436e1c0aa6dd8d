"""Small things that programs import from MindSpore's private modules."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from typing import Any, ClassVar

from ml_dtypes import bfloat16 as bfloat16

from msgrad import log, ops
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, EngineError, MissingAttributeError
from msgrad.autograd.hooks import HookHandle as HookHandle
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell
from msgrad.ops.primitive import Primitive, prim_attr_register, primitive
from msgrad.runtime._api import _pynative_executor

__all__ = ["FileSystem", "StubTensor", "cell_attr_register"]

# Of MindSpore's compiler, which keeps what it compiled here; msgrad keeps that on each Cell.
cells_compile_cache: dict[int, Any] = {}


class _CellGraphExecutor(type(_pynative_executor)):
    """What programs ask of MindSpore's executor of GRAPH_MODE; a call compiles."""

    _phases: ClassVar[set[str]] = set()

    def compile(
        self,
        obj: Cell,
        *args: Any,
        phase: str = "predict",
        do_convert: bool = True,
        jit_config_dict: Any = None,
        **kwargs: Any,
    ) -> tuple[str, bool]:
        """Return what a compiled program of a Cell is called, and True; the first call compiles."""
        obj.compile(*args, **kwargs)
        name = f"{phase}.{id(type(obj))}.{id(obj)}"
        new = name not in self._phases
        self._phases.add(name)
        return name, new

    def has_compiled(self, phase: str = "predict") -> bool:
        """Whether ``compile`` has returned this name."""
        return phase in self._phases

    def run(self, obj: Cell, *args: Any, phase: str = "predict") -> Any:
        """Call a Cell as one compiled program."""
        return obj.compile_and_run(*args)


_cell_graph_executor = _CellGraphExecutor()


def _convert_python_data(data: Any) -> Any:
    """Return what a compiled call gave, which is Python data already."""
    return data


def _function_forbid_reuse(func: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function that no compiled graph may share."""
    return func


def _no_recursive(callable_obj: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function, whose calls MindSpore's compiler then does not search for recursion."""
    if not inspect.isfunction(callable_obj):
        raise ArgumentTypeError(
            f"Decorator no_recursive is used for callable object, but got {callable_obj}."
        )
    return callable_obj


def cell_attr_register(fn: Any = None, attrs: Any = None) -> Any:
    """Note the arguments of a Cell's constructor as ``cell_init_args``; also a decorator.

    Args:
        fn: The constructor.
        attrs: A name, or several, of the arguments to note; all by default.
    """
    if fn is None:
        return functools.partial(cell_attr_register, attrs=attrs)
    signature = inspect.signature(fn)
    wanted = [attrs] if isinstance(attrs, str) else attrs

    @functools.wraps(fn)
    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        given = dict(list(signature.bind(self, *args, **kwargs).arguments.items())[1:])
        if wanted is not None:
            given = {name: given.get(name) for name in wanted}
        vars(self)["cell_init_args"] = f"{type(self).__name__}{given.values()}"
        fn(self, *args, **kwargs)

    return construct


def deprecated(
    version: str, substitute: str, use_substitute_name: bool = False, module_prefix: str = ""
) -> Callable[[Any], Any]:
    """Have a function warn, at its first call, that it is deprecated; a decorator.

    Args:
        version: Of MindSpore, since which it is.
        substitute: What to use instead.
        use_substitute_name: Accepted for compatibility.
        module_prefix: Stands before its name.
    """

    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            name = function.__name__
            if name == "__init__":
                name = type(args[0]).__name__
            if (name, substitute) not in _warned:
                _warned.add((name, substitute))
                log.warning(
                    f"'{module_prefix}{name}' is deprecated from version {version} and will be "
                    f"removed in a future version, use '{substitute}' instead."
                )
            return function(*args, **kwargs)

        return called

    return decorate


_warned: set[tuple[str, str]] = set()

# Numbers for Parameters: 0, 1, ...
_get_unique_parameter_key: Callable[[], int] = itertools.count().__next__

# What orders side effects in a graph of MindSpore's; here the order is that of Python.
U, IO = object(), object()


def _set_prim_op_user_data(prim: Primitive, key: str, value: Any) -> Primitive:
    """Return a Primitive, of which MindSpore's runtime notes a value."""
    return prim


class StubTensor(Tensor):
    """What operators returned before 2.7, until their values were there; nothing is one here."""

    def stub_sync(self) -> Tensor:
        """Return the Tensor itself."""
        return self


class _VirtualDataset:
    """Returns its inputs: MindSpore marks the data here that it spreads over devices."""

    def __call__(self, *data: Any) -> tuple[Any, ...]:
        return data


def _load(ref_value: Tensor, monad: Any = None) -> Tensor:
    """Return the value that a Parameter has now; ``monad`` is an order in MindSpore's graphs."""
    return Tensor.copy(ref_value)


Load = primitive("Load", _load)


class TensorToScalar:
    """Return the number that a Tensor of one element holds, None of more."""

    def __call__(self, input_x: Tensor) -> bool | int | float | None:
        return input_x.item() if input_x.size == 1 else None


class FakeQuantParam(Primitive):
    """What a quantized model is noted with, for other devices; no CPU has a kernel that runs it.

    Args:
        quant_dtype: A ``QuantDtype``.
        quant_algo_name: The name of the algorithm.
        is_per_channel: Whether there is one scale for each channel.
        kwargs: Further attributes.
    """

    attr_key_linear_quant_scale = "linear_quant_scale"
    attr_key_linear_quant_zero_point = "linear_quant_zero_point"
    attr_value_linear_quant_algo_name = "linear_quant_algo"

    @prim_attr_register
    def __init__(
        self, quant_dtype: Any, quant_algo_name: str, is_per_channel: bool, **kwargs: Any
    ) -> None:
        for name, value in {"quant_dtype": quant_dtype.value(), **kwargs}.items():
            self.add_prim_attr(name, value)

    @classmethod
    def linear_quant_param(
        cls, quant_dtype: Any, scale: Any, zp: Any, is_per_channel: bool = False, **kwargs: Any
    ) -> FakeQuantParam:
        """Return one with the scales and zero points of a linear quantization.

        Raises:
            TypeError: If ``scale`` is not a float, or ``zp`` not an int, nor a list or tuple of
                such; or ``is_per_channel`` not a bool.
        """
        for name, value, single in (("scale", scale, float), ("zero_point", zp, int)):
            of_type("FakeQuantParam", name, value, single, tuple, list)
        of_type("FakeQuantParam", "is_per_channel", is_per_channel, bool)
        kwargs[cls.attr_key_linear_quant_scale] = [scale] if isinstance(scale, float) else scale
        kwargs[cls.attr_key_linear_quant_zero_point] = [zp] if isinstance(zp, int) else zp
        return cls(quant_dtype, cls.attr_value_linear_quant_algo_name, is_per_channel, **kwargs)

    def __call__(self, x: Tensor) -> Tensor:
        raise EngineError("Unsupported op [FakeQuantParam] on CPU; only its attributes are used.")


class _OperatorsOfTensor:
    """What MindSpore looks operators up in by name: here, the functions of ``msgrad.ops``."""

    def get(self, name: str) -> Callable[..., Any]:
        """Return an operator; raises ``AttributeError`` if there is none of that name."""
        found = getattr(ops, name, None) or getattr(Tensor, name, None)
        if found is None:
            raise MissingAttributeError(f"msgrad has no operator '{name}'.")
        return found


tensor_operator_registry = _OperatorsOfTensor()


class FileSystem:
    """How checkpoints are opened; ``create`` and ``open`` with their modes."""

    def __init__(self) -> None:
        self.create, self.create_args = open, ("ab",)
        self.open, self.open_args = open, ("rb",)
        self.backend = "basic"


def _register_basic_file_system(fs: FileSystem) -> bool:
    """Make a ``FileSystem`` open files with Python's own ``open``."""
    vars(fs).update(vars(FileSystem()))
    return True
