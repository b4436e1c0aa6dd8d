"""``convert``: checkpoints from one format into another, names and values as they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.interop.ckpt import read_ckpt, write_ckpt
from msgrad.interop.orbax_io import read_orbax, write_orbax
from msgrad.interop.safetensors_io import read_safetensors, write_safetensors
from msgrad.interop.torch_names import read_torch

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
