"""What programs that read ``.ckpt`` files by themselves import from ``train.serialization``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from msgrad.common import dtype as mstype
from msgrad.interop.ckpt import _content, _title
from msgrad.train._checkpoint_arguments import cipher_of
from msgrad.train.serialization import _read

__all__ = ["tensor_to_ms_type", "tensor_to_np_type"]

tensor_to_ms_type: dict[str, Any] = {
    **{str(kind): kind for kind in mstype.all_types if not str(kind).startswith("Complex")},
    "str": mstype.string,
}


def tensor_to_np_type(tensor_type_str: str) -> Any:
    """Return NumPy's type of a dtype's name in a file, as ``"Float32"``; None if there is none."""
    if tensor_type_str == "str":
        return "U"
    kind = tensor_to_ms_type.get(tensor_type_str)
    return kind and kind.np_dtype and kind.np_dtype.type


def _parse_ckpt_proto(ckpt_file_name: str, dec_key: Any, dec_mode: str, crc_check: bool) -> Any:
    """Return what a file holds, as ``value``, each with ``tag`` and ``tensor``.

    That has ``dims``, ``tensor_type``, ``tensor_content`` and ``ByteSize()``. Differs from
    MindSpore: what is in the file in pieces comes as one.
    """
    cipher = cipher_of("load_checkpoint", "dec", dec_key, dec_mode, "ckpt", crc_check)
    items = _read(ckpt_file_name, crc_check, "ckpt", lambda name: True, cipher)
    return SimpleNamespace(value=[_element(name, value) for name, value in items])


def _element(name: str, value: np.ndarray) -> SimpleNamespace:
    kind = _title(name, value)
    dims, content = _content(kind, value)
    tensor = SimpleNamespace(dims=list(dims), tensor_type=kind, tensor_content=bytes(content))
    tensor.ByteSize = lambda: len(content) + len(kind)
    return SimpleNamespace(tag=name, tensor=tensor)
