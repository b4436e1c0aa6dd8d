"""``mindspore.ops.signature``: how a Primitive of one's own describes its arguments.

Made and kept: no call converts by them, since ``__call__`` is written in operators that do.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

sig_rw = Enum(
    "signature_rw", {"RW_READ": 0, "RW_WRITE": 1, "RW_REF": 2, "RW_EMPTY_DEFAULT_VALUE": 3}
)
sig_kind = Enum(
    "signature_kind",
    "KIND_POSITIONAL_KEYWORD KIND_VAR_POSITIONAL KIND_KEYWORD_ONLY KIND_VAR_KEYWARD "
    "KIND_EMPTY_DEFAULT_VALUE",
    start=0,
)
sig_dtype: Any = Enum(
    "signature_dtype", ["T", *(f"T{n}" for n in range(1, 10)), "T_EMPTY_DEFAULT_VALUE"], start=0
)


class Signature(NamedTuple):
    """What is said of one argument: name, access, kind, default and group of dtypes."""

    name: str = "var"
    rw: Any = sig_rw.RW_READ
    kind: Any = sig_kind.KIND_POSITIONAL_KEYWORD
    default: Any = sig_kind.KIND_EMPTY_DEFAULT_VALUE
    dtype: Any = sig_dtype.T_EMPTY_DEFAULT_VALUE


make_sig = Signature
