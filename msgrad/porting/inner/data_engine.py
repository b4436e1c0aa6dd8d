"""``mindspore._c_dataengine``: what the ``parse`` of programs' own transforms of texts returns."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.dataset import text
from msgrad.dataset.text import Lookup, Vocab

_NAMES = """
AddToken BasicTokenizer BertTokenizer RegexTokenizer UnicodeCharTokenizer UnicodeScriptTokenizer
WhitespaceTokenizer WordpieceTokenizer
"""
_OPERATIONS = {f"{name}Operation": getattr(text, name) for name in _NAMES.split()}
globals().update(_OPERATIONS)

__all__ = ["LookupOperation", "Vocab", *_OPERATIONS]


def LookupOperation(vocab: Vocab, unknown_token: str | None, data_type: str) -> Lookup:
    """Return a ``Lookup`` of the name of a dtype, as ``"int32"``."""
    kind = mstype.bool_ if data_type == "bool" else getattr(mstype, data_type)
    return Lookup(vocab, unknown_token, kind)


def mstype_to_detype(type_: Any) -> str:
    """Return the name that a dtype of MindSpore has in a dataset, as ``"int32"``."""
    if not isinstance(type_, mstype.DType):
        raise UnsupportedError(f"a dtype of MindSpore is needed, but got {type_!r}.")
    return str(type_).lower()
