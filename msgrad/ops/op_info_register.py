"""``mindspore.ops.op_info_register``: descriptions of kernels that users write for ``ops.Custom``.

A description is a dict, built by calls that say one thing each. Only ``CustomRegOp`` is of use on
a CPU; the others describe kernels of Ascend, which are kept and never run.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.registry import public


class _Description:
    """Builds a description; each call but ``get_op_info`` returns the builder."""

    _kind = ""
    # What an input or output is told after its number and name, by place.
    _said: tuple[str, ...] = ("param_type",)

    def __init__(self, op_name: str = "") -> None:
        if not isinstance(op_name, str) or not op_name:
            raise ArgumentValueError("op name value must be string")
        self.op_name = op_name
        self.inputs: list[dict[str, Any]] = []
        self.outputs: list[dict[str, Any]] = []
        self.attr_: list[dict[str, Any]] = []
        self.fusion_type_ = ""
        self.dtype_format_: list[Any] = []
        self._more: dict[str, Any] = {}

    def _port(self, index: Any, name: Any, more: Any, named: dict[str, Any]) -> dict[str, Any]:
        said = dict(zip(self._said, more, strict=False)) | named
        kind = said.setdefault("param_type", "required")
        for value, wanted in ((index, int), (name, str), (kind, str)):
            if value is not None and not isinstance(value, wanted):
                raise ArgumentTypeError(f"{value} value must be {wanted.__name__}")
        given = {"index": index, "name": name, **said}
        labels = {"param_type": "paramType"}
        return {labels.get(key, key): value for key, value in given.items() if value is not None}

    def input(
        self, index: int | None = None, name: str | None = None, *more: Any, **named: Any
    ) -> Any:
        """Describe an input: its number, its name, ``param_type`` and what else is known."""
        self.inputs.append(self._port(index, name, more, named))
        return self

    def output(
        self, index: int | None = None, name: str | None = None, *more: Any, **named: Any
    ) -> Any:
        """Describe an output; see ``input``."""
        self.outputs.append(self._port(index, name, more, named))
        return self

    def attr(
        self, name: str | None = None, param_type: str | None = None,
        value_type: str | None = None, default_value: Any = None, **kwargs: Any
    ) -> Any:  # fmt: skip
        """Describe an attribute."""
        given = {"name": name, "paramType": param_type, "type": value_type, **kwargs}
        found = {key: value for key, value in given.items() if value is not None}
        if default_value is not None:
            found["defaultValue"] = default_value
        self.attr_.append(found)
        return self

    def dtype_format(self, *args: Any) -> Any:
        """Add one combination of dtypes and formats, of all inputs and outputs in turn.

        Raises:
            ValueError: If there are more or fewer.
        """
        ports = len(self.inputs) + len(self.outputs)
        if len(args) != ports:
            raise ArgumentValueError(
                "The size of 'args' must be equal to the sum of input tensors and output tensors, "
                f"but got {len(args)} vs {ports}"
            )
        self.dtype_format_.append(tuple(args))
        return self

    def fusion_type(self, fusion_type: str) -> Any:
        """Say how it may be fused."""
        self.fusion_type_ = fusion_type
        return self

    def target(self, target: str | None = None) -> Any:
        """Say the device it runs on."""
        if target is not None and not isinstance(target, str):
            raise ArgumentTypeError(f"{target} value must be str")
        self._more["target"] = target
        return self

    def get_op_info(self) -> dict[str, Any]:
        """Return the description."""
        kind = {"imply_type": self._kind} if self._kind else {}
        return {
            "op_name": self.op_name,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "attr": self.attr_,
            "fusion_type": self.fusion_type_,
            "dtype_format": self.dtype_format_,
            **kind,
            **self._more,
        }


def _setting(name: str) -> Callable[..., Any]:
    def set_(self: Any, value: Any = None) -> Any:
        self._more[name] = value
        return self

    set_.__name__ = set_.__qualname__ = name
    set_.__doc__ = f"Keep '{name}' in the description."
    return set_


_OF_TBE = (
    "async_flag binfile_name compute_cost dynamic_compile_static "
    "dynamic_rank_support dynamic_shape input_to_attr_index is_dynamic_format "
    "kernel_name need_check_supported op_pattern "
    "partial_flag real_input_index reshape_type unknown_shape_formats"
)


def _described(name: str, kind: str, what: str, settings: str = "") -> type[Any]:
    made = {setting: _setting(setting) for setting in settings.split()}
    members = {"_kind": kind, "__module__": __name__, "__doc__": f"Describes {what}.", **made}
    return public(type(name, (_Description,), members))


@public
class CustomRegOp(_Description):
    """Describes a kernel for ``ops.Custom``."""

    def __init__(self, op_name: str = "Custom") -> None:
        super().__init__(op_name)


CpuRegOp = _described("CpuRegOp", "CPU", "a kernel for CPU; kept, not run")
AiCPURegOp = _described("AiCPURegOp", "AiCPU", "a kernel for Ascend's AI CPU; kept, not run")
AkgGpuRegOp = _described("AkgGpuRegOp", "AKG", "an AKG kernel for GPU; kept, not run")
AkgAscendRegOp = _described("AkgAscendRegOp", "AKG", "an AKG kernel for Ascend; kept, not run")
TBERegOp = _described("TBERegOp", "TBE", "a TBE kernel for Ascend; kept, not run", _OF_TBE)
TBERegOp._said = ("need_compile", "param_type", "shape", "value_depend")

_SHORT = {
    "bool": "BOOL", "int8": "I8", "uint8": "U8", "int16": "I16", "uint16": "U16", "int32": "I32",
    "uint32": "U32", "int64": "I64", "uint64": "U64", "float16": "F16", "float32": "F32",
    "float64": "F64", "bfloat16": "BF16", "complex64": "C64", "complex128": "C128",
}  # fmt: skip
_FORMATS = {
    "None": "", "Default": "DefaultFormat", "5HD": "NC1HWC0", "FracZ": "FRACTAL_Z",
    "FracNZ": "FRACTAL_NZ", "C1HWNCoC0": "C1HWNCoC0", "NCHW": "NCHW", "NHWC": "NHWC",
    "HWCN": "HWCN", "NDHWC": "NDHWC", "ChannelLast": "ChannelLast", "DHWCN": "DHWCN",
    "NCDHW": "NCDHW", "NDC1HWC0": "NDC1HWC0", "FracZ3D": "FRACTAL_Z_3D",
}  # fmt: skip
DataType = public(
    type(
        "DataType",
        (),
        {
            "__doc__": "Pairs of a dtype and a format, as ``DataType.F32_Default``.",
            "__module__": __name__,
            "None_None": ("", ""),
            "None_Default": ("", "DefaultFormat"),
            **{
                f"{_SHORT[dtype]}_{label}": (dtype, layout)
                for dtype, (label, layout) in itertools.product(_SHORT, _FORMATS.items())
            },
        },
    )
)


@public
def op_info_register(op_info: Any) -> Callable[[Any], Any]:
    """Return a decorator that keeps the description of a kernel, a dict or JSON."""
    return custom_info_register(op_info)


@public
def custom_info_register(*reg_info: Any) -> Callable[[Any], Any]:
    """Return a decorator of a function for ``ops.Custom``, which keeps its descriptions.

    Args:
        reg_info: What ``CustomRegOp(...).get_op_info()`` gives, one for each target.
    """

    def decorate(function: Any) -> Any:
        if not inspect.isfunction(function):
            raise ArgumentTypeError(f"expected a function, but got {type(function).__name__}")

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        called.reg_info = reg_info  # type: ignore[attr-defined]
        return called

    return decorate
