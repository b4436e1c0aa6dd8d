"""State dicts of PyTorch for networks of MindSpore; checkpoints from one format into another."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from msgrad import log
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, ModuleMissingError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.interop.ckpt import read_ckpt, write_ckpt
from msgrad.interop.orbax_io import read_orbax, write_orbax
from msgrad.interop.safetensors_io import read_safetensors, write_safetensors
from msgrad.nn.cell import Cell

# What ends a name in MindSpore -> in PyTorch; the others are called the same.
_NAMES = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "embedding_table": "weight",
    # Of PReLU.
    "w": "weight",
}
# Counters that MindSpore's layers do not have.
_DROPPED = "num_batches_tracked"


def from_torch(
    state_dict: Mapping[str, Any] | str | os.PathLike[str], net: Cell, *, strict: bool = True
) -> dict[str, Parameter]:
    """Return a PyTorch state dict under the names of a network; ``net`` itself stays as it is.

    Args:
        state_dict: Tensors of PyTorch or NumPy arrays by name; or a file, ``.safetensors``, or
            ``.pt`` or ``.pth``, for which torch must be installed.
        net: A Cell of the same architecture, its cells called as in PyTorch.
        strict: Whether a name that is missing or left over, or another shape, is an error.

    Returns:
        As from ``load_checkpoint``, for ``mindspore.load_param_into_net(net, ...)``: Parameters by
        MindSpore's names, in the dtypes of ``net``. What does not fit is left out, with a warning.

    Raises:
        ValueError: With ``strict``, for what does not fit; it lists all of it.
        TypeError: If ``state_dict`` or ``net`` is something else.
        ModuleNotFoundError: If the file needs a library that is not installed.

    Differs from PyTorch: a ``momentum`` of 0.1 there is 0.9 here, and ``BatchNorm``, ``LayerNorm``
    and others have another ``eps`` unless told; weights do not say so.
    """
    if isinstance(state_dict, (str, os.PathLike)):
        state_dict = read_torch(state_dict)
    if not isinstance(state_dict, Mapping) or not isinstance(net, Cell):
        raise ArgumentTypeError(
            "from_torch takes a dict of arrays by name, or a file, and a Cell, but got "
            f"{type(state_dict).__name__} and {type(net).__name__}."
        )
    given = {k: v for k, v in state_dict.items() if k.rpartition(".")[2] != _DROPPED}
    found: dict[str, Parameter] = {}
    wrong: list[str] = []
    for param in net.get_parameters():
        before, point, last = param.name.rpartition(".")
        names = [param.name, f"{before}{point}{_NAMES.get(last, last)}"]
        name = next((name for name in names if name in given), None)
        if name is None:
            wrong.append(f"'{param.name}' is missing ('{names[1]}')")
            continue
        value = _array(given.pop(name))
        # Conv1d is a Conv2d of height 1 in MindSpore.
        if param.ndim == 4 and value.ndim == 3 and param.shape[2] == 1:
            value = value[:, :, None]
        if value.shape != param.shape:
            wrong.append(f"'{name}' has shape {value.shape}, '{param.name}' {param.shape}")
            continue
        found[param.name] = Parameter(value.astype(param.dtype.np_dtype), name=param.name)
    wrong += [f"'{name}' is left over" for name in given]
    if wrong and strict:
        raise ArgumentValueError(
            f"The state dict does not fit {type(net).__name__}: {'; '.join(wrong)}. strict=False "
            "takes what fits."
        )
    if wrong:
        log.warning("Of the state dict this did not fit: %s", "; ".join(wrong))
    return found


def read_torch(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Read a state dict that PyTorch saved, under PyTorch's names.

    Args:
        path: A ``.pt`` or ``.pth`` file, read by torch as weights only; or ``.safetensors``.

    Raises:
        ModuleNotFoundError: If torch, or safetensors, is not installed.
        TypeError: If the file has something else in it.
        OSError: If it cannot be opened.
    """
    if os.fspath(path).endswith(".safetensors"):
        return read_safetensors(path)
    try:
        import torch  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ModuleMissingError(
            f"Reading {os.fspath(path)} needs torch; or save the state dict where torch is, as "
            "safetensors or NumPy arrays.",
            name="torch",
        ) from None
    found = torch.load(path, map_location="cpu", weights_only=True)
    found = found.get("state_dict", found) if isinstance(found, Mapping) else found
    if not isinstance(found, Mapping):
        raise ArgumentTypeError(f"{os.fspath(path)} has no state dict, but {type(found)}.")
    return {name: _array(value) for name, value in found.items()}


def _array(value: Any) -> np.ndarray:
    if str(getattr(value, "dtype", "")) == "torch.bfloat16":
        # PyTorch does not hand these to NumPy.
        return value.detach().cpu().float().numpy().astype(mstype.bfloat16.np_dtype)
    return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)


_READ: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    ".ckpt": read_ckpt,
    ".safetensors": read_safetensors,
    ".orbax": read_orbax,
    ".pt": read_torch,
    ".pth": read_torch,
}
_WRITE: Mapping[str, Callable[[Any, Any], Any]] = {
    ".ckpt": write_ckpt,
    ".safetensors": write_safetensors,
    ".orbax": write_orbax,
}


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> dict[str, Any]:
    """Write a checkpoint in another format; which ones, the endings say.

    Args:
        source: ``.ckpt``, ``.safetensors``, ``.pt``, ``.pth``, or a folder of Orbax.
        target: ``.ckpt``, ``.safetensors`` or ``.orbax``, a folder; replaced if it exists.

    Returns:
        The arrays by name.

    Raises:
        ValueError: For another ending, a file that is damaged, or what the format cannot hold.
        TypeError: If the format lacks a dtype.
        ModuleNotFoundError: If a library is not installed.
        OSError: If there is no such file, or the new one cannot be written.
    """
    ending = os.path.splitext(source)[1]
    read = read_orbax if os.path.isdir(source) else _READ.get(ending)
    write = _WRITE.get(os.path.splitext(target)[1])
    if read is None or write is None:
        raise ArgumentValueError(
            f"convert reads {[*_READ]} and folders of Orbax, and writes {[*_WRITE]}, but got "
            f"'{os.fspath(source)}' and '{os.fspath(target)}'."
        )
    values = {name: np.asarray(value) for name, value in read(source).items()}
    write(target, values)
    return values


__all__ = public_names(globals())
