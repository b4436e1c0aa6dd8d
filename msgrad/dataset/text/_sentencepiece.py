"""Tokens of models that ``sentencepiece`` has trained; both are that library's."""

from __future__ import annotations

import os
from collections.abc import Iterable
from enum import IntEnum
from io import BytesIO
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import library
from msgrad.dataset._arguments import an_int, check_kind
from msgrad.dataset.text.transforms import _texts
from msgrad.dataset.transforms.transforms import TensorOperation

SentencePieceModel = IntEnum("SentencePieceModel", {"UNIGRAM": 0, "BPE": 1, "CHAR": 2, "WORD": 3})
SentencePieceModel.__doc__ = "How pieces are found."


SPieceTokenizerOutType = IntEnum("SPieceTokenizerOutType", {"STRING": 0, "INT": 1})
SPieceTokenizerOutType.__doc__ = "Whether a tokenizer returns texts or numbers."


SPieceTokenizerLoadType = IntEnum("SPieceTokenizerLoadType", {"FILE": 0, "MODEL": 1})
SPieceTokenizerLoadType.__doc__ = "Where a model comes from."


def _library() -> Any:
    return library("sentencepiece", "text", "A SentencePiece model")


def _trained(
    vocab_size: int, character_coverage: float, model_type: Any, params: dict[str, str], **of: Any
) -> SentencePieceVocab:
    an_int("vocab_size", vocab_size, 0, 2**32 - 1)
    check_kind("character_coverage", character_coverage, float)
    check_kind("model_type", model_type, SentencePieceModel)
    check_kind("params", params, dict)
    for value in params.values():
        check_kind("params", value, str)
    into = BytesIO()
    own = {"vocab_size": vocab_size, "character_coverage": character_coverage}
    try:
        _library().SentencePieceTrainer.train(
            model_writer=into,
            model_type=model_type.name.lower(),
            **{"minloglevel": 2, **own, **params, **of},
        )
    except (OSError, RuntimeError) as error:
        raise EngineError(f"SentencePieceVocab: {error}") from None
    vocab = SentencePieceVocab()
    vocab.model = into.getvalue()
    return vocab


class SentencePieceVocab:
    """A model of pieces of words; made by ``from_file`` or ``from_dataset``.

    Attributes:
        model: bytes, the model as ``sentencepiece`` writes it.

    Differs from MindSpore: a model of ``UNIGRAM`` is trained as the library's version does, which
    may find other pieces; other models are the same, and so is what a model makes of a text.
    """

    model: bytes = b""

    @classmethod
    def from_file(
        cls,
        file_path: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """Train a model with the lines of files.

        Args:
            file_path: list of the files' names.
            vocab_size: How many pieces there are at most.
            character_coverage: float from 0.98 to 1: the share of characters that are pieces.
            model_type: SentencePieceModel.
            params: Further options of ``sentencepiece``'s trainer, texts by name.

        Raises:
            TypeError, ValueError: For other arguments.
            RuntimeError: Where ``sentencepiece`` cannot train.
            ImportError: Without that library.
        """
        check_kind("file_path", file_path, list)
        return _trained(vocab_size, character_coverage, model_type, params, input=file_path)

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        col_names: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """Train a model with the texts of a dataset's columns ``col_names``; see ``from_file``."""
        check_kind("col_names", col_names, list, tuple)

        def lines() -> Iterable[str]:
            rows = dataset.create_dict_iterator(num_epochs=1, output_numpy=True)
            for row in rows:
                for name in col_names:
                    yield from np.ravel(row[name]).tolist()

        missing = set(col_names) - set(dataset.get_col_names())
        if missing or not col_names:
            raise EngineError(
                f"Invalid column: {sorted(missing)} do not exist; the columns are "
                f"{dataset.get_col_names()}."
            )
        given = (vocab_size, character_coverage, model_type, params)
        return _trained(*given, sentence_iterator=iter(lines()))

    @classmethod
    def save_model(cls, vocab: SentencePieceVocab, path: str, filename: str) -> None:
        """Write a model into a folder, for ``sentencepiece`` and ``SentencePieceTokenizer``.

        Raises:
            TypeError: For other arguments.
            RuntimeError: If the folder is not there.
        """
        check_kind("vocab", vocab, SentencePieceVocab)
        check_kind("path", path, str)
        check_kind("filename", filename, str)
        if not os.path.isdir(path):
            raise EngineError(f"Get real path failed, path={path}")
        with open(os.path.join(path, filename), "wb") as file:
            file.write(vocab.model)


class SentencePieceTokenizer(TensorOperation):
    """Cuts a text into pieces, or returns their numbers.

    Args:
        mode: SentencePieceVocab, or the name of a file with a model.
        out_type: SPieceTokenizerOutType.

    Inputs: a text. Output: array (n,) of texts, or int32.

    Raises:
        TypeError: For other arguments.
        RuntimeError: In a call, for no text, or no model.
    """

    def __init__(self, mode: str | SentencePieceVocab, out_type: SPieceTokenizerOutType) -> None:
        check_kind("mode", mode, str, SentencePieceVocab)
        check_kind("out_type", out_type, SPieceTokenizerOutType)
        self._mode, self._out_type = mode, out_type
        self._processor: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_processor": None}

    def __call__(self, text: Any) -> np.ndarray:
        whole = _texts(self, text, 0).item()
        if self._processor is None:
            mode = self._mode
            named = {"model_file": mode} if isinstance(mode, str) else {"model_proto": mode.model}
            try:
                self._processor = _library().SentencePieceProcessor(**named)
            except (OSError, RuntimeError) as error:
                raise EngineError(f"SentencePieceTokenizer: load the model: {error}") from None
        if self._out_type is SPieceTokenizerOutType.INT:
            return np.array(self._processor.encode(whole, out_type=int), np.int32)
        pieces = self._processor.encode(whole, out_type=str)
        return np.array(pieces, None if pieces else "U1")


__all__ = public_names(globals())
