"""Names of ``mindspore`` itself that no other module has; loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError
from msgrad._core.left_out import refused
from msgrad._core.settings import accepted
from msgrad._gradients.saved_tensors import *  # noqa: F403
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.context import _check_type, set_context
from msgrad.version import __version__

# Why, or the way that is open instead -> names.
_REFUSED = {
    "a MindIR file is a graph of MindSpore's; keep the Python code and load_checkpoint": (
        "load_mindir save_mindir export_split_mindir"
    ),
    "obfuscated checkpoints are read by MindSpore only": "obfuscate_ckpt load_obf_params_into_net",
    "jax.jit(f).lower(...).cost_analysis() counts operations": "flops_collection",
    "MindIO is of Ascend clusters": "set_mindio_server_info mindio_preload",
}
globals().update(
    {
        name: refused(__name__, name, why)
        for why, names in _REFUSED.items()
        for name in names.split()
    }
)


@accepted
def sdc_detect_start() -> None:
    """Ascend devices alone can be watched for silent errors."""


@accepted
def sdc_detect_stop() -> None:
    """Ascend devices alone can be watched for silent errors."""


def get_sdc_detect_result() -> bool:
    """Return False: no silent error of a device was found, since none is watched."""
    return False


class _Numbered(Enum):
    """A list of names whose ``value`` is a method, as in MindSpore."""

    def value(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return the number."""
        return self._value_


QuantDtype = _Numbered(
    "QuantDtype",
    {
        f"{kind}{bits}": first + bits
        for kind, first in (("INT", -1), ("UINT", 99))
        for bits in range(1, 17)
    },
)


class Symbol:
    """What is known of a size that is not: bounds and divisors, for ``Cell.set_inputs``.

    Args:
        max: The largest it can be, for the compiler; 0 for no limit.
        min: The smallest, from 1.
        divisor: What divides it, after
        remainder: was taken away; from 0, and smaller than it.
        unique: Whether two sizes of this Symbol are the same, for the compiler.
        kwargs: Accepted for compatibility.

    Raises:
        TypeError, ValueError: For another type, or a value out of range.
    """

    def __init__(
        self,
        max: int = 0,
        min: int = 1,
        divisor: int = 1,
        remainder: int = 0,
        unique: bool = False,
        **kwargs: Any,
    ) -> None:
        given = {"max": max, "min": min, "divisor": divisor, "remainder": remainder}
        for name, value in given.items():
            of_type("Symbol", name, value, int)
        of_type("Symbol", "unique", unique, bool)
        for name, value in (("min", min), ("divisor", divisor)):
            if value < 1:
                raise ArgumentValueError(
                    f"For 'Symbol', the '{name}' value should be positive, but got {value}"
                )
        if not 0 <= remainder < divisor:
            raise ArgumentValueError(
                "For 'Symbol', the 'remainder' value should be in the range "
                f"'[0, {divisor})', but got {remainder}"
            )
        vars(self).update(given, unique=unique, id=id(self))

    def to_dict(self) -> dict[str, int]:
        """Return what says something, as a ``max`` above ``min``; of one that is unique, its id."""
        own = vars(self)
        defaults = {"max": own["max"] * (own["max"] <= own["min"])}
        defaults |= {"min": 1, "divisor": 1, "remainder": 0}
        found = {key: own[key] for key, default in defaults.items() if own[key] != default}
        return {**found, **({"id": id(self)} if own["unique"] else {})}

    def __str__(self) -> str:
        return str(self.to_dict())


def set_deterministic(deterministic: bool) -> None:
    """Choose whether the same bits come out every time, whatever shapes come and go.

    With inputs of one shape they do in any case; see ``deterministic`` of ``set_context``.

    Raises:
        TypeError: If it is not a bool.
    """
    _check_type("deterministic", deterministic, bool)
    set_context(deterministic="ON" if deterministic else "OFF")


def run_check() -> None:
    """Multiply two Tensors and print whether that is right, and on which device."""
    ones = Tensor(np.ones((3, 3), np.float32))
    right = bool((np.asarray((ones * ones).asnumpy()) == 1).all())
    print(f"MindSpore version:  {__version__}")
    said = "is correct, MindSpore has been installed" if right else "is wrong; msgrad runs"
    end = "successfully!" if right else ""
    print(f"The result of multiplication calculation {said} on platform [{ones.device}] {end}")


from_numpy = Tensor.from_numpy


def frombuffer(buffer: Any, dtype: mstype.DType, count: int = -1, offset: int = 0) -> Tensor:
    """Make a Tensor of what has a buffer, as ``bytes``; the memory is copied.

    Args:
        buffer: The object.
        dtype: The dtype of its elements.
        count: How many; -1 for all.
        offset: How many bytes to skip.
    """
    return Tensor(np.frombuffer(buffer, dtype.np_dtype, count, offset))


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange what two Tensors hold."""
    first, second = t1._read(), t2._read()
    t1._write(second)
    t2._write(first)


def no_inline(fn: Callable[..., Any] | None = None) -> Any:
    """Return the function: XLA decides what it inlines; a decorator."""
    if fn is not None and not callable(fn):
        raise AttributeError(f"'{type(fn).__name__}' object has no attribute 'no_inline'")
    return fn


def enable_dynamic(**kwargs: Any) -> Callable[[Any], Any]:
    """Return a decorator that does nothing: each shape is compiled when it comes.

    Args:
        kwargs: What is known of the inputs.
    """
    return lambda fn: fn


def set_dump(target: Any, enabled: bool = True) -> None:
    """Accepted for compatibility: files of intermediate values are of MindSpore's own runtime."""


def _converter(of: str, to: str) -> Callable[..., None]:
    def convert(
        file_path: str,
        save_path: str | None = None,
        name_map: dict[str, str] | None = None,
        file_name_regex: str | None = None,
        processes_num: int = 1,
    ) -> None:
        from msgrad.train.serialization import load_checkpoint, save_checkpoint

        source, names = Path(file_path), name_map or {}
        for file in sorted(source.glob(f"*.{of}")) if source.is_dir() else [source]:
            found = load_checkpoint(str(file), format=of)
            rows = [{"name": names.get(key, key), "data": value} for key, value in found.items()]
            target = Path(save_path) if save_path is not None else file.parent
            target.mkdir(parents=True, exist_ok=True)
            save_checkpoint(rows, str(target / f"{file.stem}.{to}"), format=to)

    convert.__name__ = convert.__qualname__ = f"{of}_to_{to}"
    convert.__doc__ = f"""Write the ``.{of}`` files of a folder, or one, as ``.{to}``.

    Args:
        file_path: A file or a folder.
        save_path: The folder for the new ones; beside the old by default.
        name_map: Old name of a parameter -> new name.
        file_name_regex: Accepted for compatibility.
        processes_num: Accepted for compatibility.
    """
    return convert


ckpt_to_safetensors = _converter("ckpt", "safetensors")
safetensors_to_ckpt = _converter("safetensors", "ckpt")


Type, Int, List, Tuple, Float = mstype.Type, mstype.Int, mstype.List, mstype.Tuple, mstype.Float
