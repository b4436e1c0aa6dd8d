"""What is done to words: their numbers and vectors, cut, filled and put together.

In MindSpore these stand in ``transforms.py`` as well.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.dataset._arguments import an_int, check_kind, one_of
from msgrad.dataset.text.transforms import _texts
from msgrad.dataset.text.utils import Vectors, Vocab
from msgrad.dataset.transforms.transforms import TensorOperation


class Lookup(TensorOperation):
    """Return the numbers of words.

    Args:
        vocab: Vocab.
        unknown_token: str, the word whose number others have; None where there must be no others.
        data_type: dtype of the numbers.
    """

    def __init__(
        self, vocab: Vocab, unknown_token: str | None = None, data_type: Any = mstype.int32
    ) -> None:
        check_kind("vocab", vocab, Vocab)
        self._ids = vocab.vocab()
        self._unknown = one_of("unknown_token", unknown_token, str, type(None))
        self._type = one_of("data_type", data_type, mstype.DType)

    def __call__(self, words: Any) -> np.ndarray:
        array = _texts(self, words)
        other = self._ids.get(self._unknown) if self._unknown is not None else None
        if self._unknown is not None and other is None:
            raise EngineError(f"Lookup: the unknown_token {self._unknown!r} is not in the vocab.")
        found = [self._ids.get(word, other) for word in array.ravel().tolist()]
        if None in found:
            word = array.ravel()[found.index(None)]
            raise EngineError(f"Lookup: {word!r} is not in the vocab; give an unknown_token.")
        if self._type == mstype.string:
            raise EngineError("Lookup: the data_type must be numeric or bool_, but got string.")
        return np.array(found).astype(mstype.dtype_to_nptype(self._type)).reshape(array.shape)


class ToVectors(TensorOperation):
    """Return the vectors of words.

    Args:
        vectors: Vectors, GloVe, FastText or CharNGram.
        unk_init: list of float for words without one; zeros by default.
        lower_case_backup: Whether a word without one is looked up in lower case as well.
    """

    def __init__(
        self, vectors: Vectors, unk_init: Any = None, lower_case_backup: bool = False
    ) -> None:
        self._vectors = one_of("vectors", vectors, Vectors)
        self._lower = one_of("lower_case_backup", lower_case_backup, bool)
        given = np.zeros(vectors.dimension)
        if unk_init is not None:
            given = one_of("unk_init", unk_init, list, tuple)
        self._other = np.asarray(given, np.float32)

    def __call__(self, words: Any) -> np.ndarray:
        array, find = _texts(self, words), self._vectors._vector
        if self._other.shape != (self._vectors.dimension,):
            raise EngineError(
                f"ToVectors: unk_init must be {self._vectors.dimension} numbers, but is "
                f"{self._other.shape}."
            )
        rows = []
        for word in array.ravel().tolist():
            row = find(word)
            row = find(word.lower()) if row is None and self._lower else row
            rows.append(self._other if row is None else row)
        return np.stack(rows).reshape(*array.shape, -1)


# As std::stoll and std::stod read them: what follows does not count.
_WHOLE = re.compile(r"\s*[+-]?\d+")
_FLOAT = re.compile(
    r"\s*[+-]?(0x[\da-f]+|inf|nan|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)", re.IGNORECASE | re.ASCII
)


class ToNumber(TensorOperation):
    """Read texts as numbers.

    Args:
        data_type: dtype of the numbers.
    """

    def __init__(self, data_type: Any) -> None:
        one_of("data_type", data_type, mstype.DType)
        no_number = data_type == mstype.string
        self._dtype = np.dtype(object if no_number else mstype.dtype_to_nptype(data_type))
        if self._dtype.kind not in "iuf":
            raise ArgumentTypeError(f"data_type: {data_type} is not numeric data type.")

    def __call__(self, texts: Any) -> np.ndarray:
        array = _texts(self, texts)
        if not array.size:
            raise EngineError("ToNumber: one text or more is accepted, but got none.")
        return np.array([self._number(text) for text in array.ravel()], self._dtype).reshape(
            array.shape
        )

    def _number(self, text: str) -> Any:
        whole = self._dtype.kind != "f"
        found = (_WHOLE if whole else _FLOAT).match(text)
        if not found:
            raise EngineError(f"ToNumber: {text!r} is no number.")
        hexadecimal = "x" in found[0].lower()
        value = (int if whole else float.fromhex if hexadecimal else float)(found[0])
        limits: Any = (np.iinfo if whole else np.finfo)(self._dtype.name)  # pyright: ignore
        if value < limits.min or value > limits.max:
            raise EngineError(f"ToNumber: {text!r} is outside of {self._dtype}.")
        return value


class Truncate(TensorOperation):
    """Keep the first elements along the last axis.

    Args:
        max_seq_len: int, how many.
    """

    def __init__(self, max_seq_len: int) -> None:
        self._most = an_int("max_seq_len", max_seq_len, 1)

    def __call__(self, values: Any) -> np.ndarray:
        array = np.asarray(values)
        if array.ndim not in (1, 2):
            raise EngineError(f"Truncate: 1 or 2 dimensions are accepted, but got {array.shape}.")
        return array[..., : self._most]


class TruncateSequencePair(TensorOperation):
    """Take elements off the longer of two sequences until both together are short enough.

    Args:
        max_length: int, of both together.
    """

    def __init__(self, max_length: int) -> None:
        self._most = max_length

    def __call__(self, *values: Any) -> tuple[np.ndarray, np.ndarray]:
        if len(values) != 2 or any(np.ndim(value) != 1 for value in values):
            raise EngineError("TruncateSequencePair: two columns of one dimension are needed.")
        if self._most < 0:
            raise EngineError(f"TruncateSequencePair: max_length is {self._most}, give 0 or more.")
        one, other = len(values[0]), len(values[1])
        while one + other > self._most:
            one, other = (one - 1, other) if one > other else (one, other - 1)
        return np.asarray(values[0])[:one], np.asarray(values[1])[:other]


class AddToken(TensorOperation):
    """Add a token at the beginning or end.

    Args:
        token: str.
        begin: Whether at the beginning.
    """

    def __init__(self, token: str, begin: bool = True) -> None:
        self._token, self._begin = one_of("token", token, str), one_of("begin", begin, bool)

    def __call__(self, words: Any) -> np.ndarray:
        array = _texts(self, words)
        if array.ndim not in (1, 2) or not array.size:
            raise EngineError(
                f"AddToken: texts of 1 or 2 dimensions are accepted, but got {array.shape}."
            )
        parts = [np.full((*array.shape[:-1], 1), self._token), array]
        return np.concatenate(parts if self._begin else parts[::-1], -1)


class SlidingWindow(TensorOperation):
    """Make rows of neighbours of an array of one dimension.

    Args:
        width: int, how many are in a row.
        axis: int, 0 or -1.
    """

    def __init__(self, width: int, axis: int = 0) -> None:
        self._width, self._axis = an_int("width", width, 1), an_int("axis", axis, -(2**31))

    def __call__(self, values: Any) -> np.ndarray:
        array = np.asarray(values)
        if array.ndim != 1 or self._axis not in (0, -1):
            raise EngineError(f"SlidingWindow: the axis 0 of one dimension, not of {array.shape}.")
        if self._width > len(array):
            return array[:0]
        return np.lib.stride_tricks.sliding_window_view(array, self._width).copy()


class Ngram(TensorOperation):
    """Join neighbouring words.

    Args:
        n: int or list of int, how many words are joined.
        left_pad: (str, int), what stands before the first word, n - 1 times or less.
        right_pad: (str, int), likewise after the last.
        separator: str, between words.
    """

    def __init__(
        self,
        n: Any,
        left_pad: tuple[str, int] = ("", 0),
        right_pad: tuple[str, int] = ("", 0),
        separator: str = " ",
    ) -> None:
        sizes = [n] if isinstance(n, int) else n
        if not isinstance(sizes, list) or not sizes:
            raise ArgumentValueError("n needs to be a non-empty list of positive integers.")
        for i, one in enumerate(sizes):
            if one_of(f"gram[{i}]", one, int) < 1:
                raise ArgumentValueError(f"Input gram_{i} must be greater than 0.")
        for name, pad in (("left_pad", left_pad), ("right_pad", right_pad)):
            if not isinstance(pad, tuple) or list(map(type, pad)) != [str, int]:
                raise ArgumentValueError(
                    f"{name} needs to be a tuple of (str, int) str is pad token."
                )
            if pad[1] < 0:
                raise ArgumentValueError("padding width need to be positive numbers.")
        self._sizes, self._left, self._right = sizes, left_pad, right_pad
        self._separator = one_of("separator", separator, str)

    def __call__(self, words: Any) -> np.ndarray:
        array = _texts(self, words, 1).tolist()
        found: list[str] = []
        for n in self._sizes:
            left = [self._left[0]] * min(self._left[1], n - 1)
            right = [self._right[0]] * min(self._right[1], n - 1)
            every = [*left, *array, *right]
            grams = [self._separator.join(every[i : i + n]) for i in range(len(every) - n + 1)]
            found += grams or [""]
        return np.array(found)


__all__ = [name for name in public_names(globals()) if name not in ("Vectors", "Vocab")]
