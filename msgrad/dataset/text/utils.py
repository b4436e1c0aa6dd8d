"""``mindspore.dataset.text.utils``: vocabularies, vectors of words, and texts as bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import an_int, check_kind, one_of

NormalizeForm = IntEnum("NormalizeForm", {"NONE": 0, "NFC": 1, "NFKC": 2, "NFD": 3, "NFKD": 4})
NormalizeForm.__doc__ = "Unicode's normal forms."


def _recoded(name: str, array: Any, encoding: str) -> np.ndarray:
    check_kind("input", array, np.ndarray)
    return getattr(np.char, name)(array, encoding)


def to_bytes(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Return an array of texts as an array of bytes.

    Raises:
        TypeError: If it is not an array of texts.
    """
    return _recoded("encode", array, encoding)


def to_str(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Return an array of bytes as an array of texts.

    Raises:
        TypeError: If it is not an array of bytes.
    """
    return _recoded("decode", array, encoding)


def _a_list(name: str, value: Any) -> list[str]:
    for i, one in enumerate(one_of(name, value, list)):
        one_of(f"{name}[{i}]", one, str)
    return value


def _single(name: str, words: Iterable[str]) -> list[str]:
    counts = Counter(words)
    twice = [word for word, count in counts.items() if count > 1]
    if twice:
        raise ArgumentValueError(f"{name} contains duplicate word: {twice[0]}.")
    return list(counts)


class Vocab:
    """Words with their numbers; made by ``from_list``, ``from_dict``, ``from_file`` and so on."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._words: dict[int, str] = {}

    @property
    def c_vocab(self) -> Vocab:
        """What transforms in C++ take of it: itself."""
        return self

    @classmethod
    def _of(cls, ids: dict[str, int]) -> Vocab:
        made = cls()
        made._ids, made._words = ids, {number: word for word, number in ids.items()}
        return made

    @classmethod
    def from_list(
        cls,
        word_list: list[str],
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """Number the words of a list.

        Args:
            word_list: list of str, each once.
            special_tokens: More words.
            special_first: Whether those come first, or last.

        Raises:
            TypeError, ValueError: For others, or if a word is there twice.
        """
        words = _single("word_list", _a_list("word_list", word_list))
        special = _single("special_tokens", _a_list("special_tokens", special_tokens or []))
        both = set(words) & set(special)
        if both:
            raise ArgumentValueError(
                f"special_tokens and word_list contain duplicate word :{both}."
            )
        ordered = (
            special + words if one_of("special_first", special_first, bool) else words + special
        )
        return cls._of({word: i for i, word in enumerate(ordered)})

    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> Vocab:
        """Take the numbers of a dict.

        Raises:
            TypeError, ValueError: If it has others than texts, and numbers from 0.
        """
        for word, number in one_of("word_dict", word_dict, dict).items():
            one_of("word", word, str)
            an_int("word_id", number, 0)
        return cls._of(dict(word_dict))

    @classmethod
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """Number the words of a file, one on each line.

        Args:
            file_path: Its path.
            delimiter: What ends the word in a line; the line's end by default.
            vocab_size: How many lines to read; None for all.
            special_tokens, special_first: As in ``from_list``.

        Raises:
            TypeError, ValueError: For other arguments.
            RuntimeError: If there is no such file.
        """
        one_of("delimiter", delimiter, str)
        size = None if vocab_size is None else an_int("vocab_size", vocab_size, 1)
        lines = _lines(one_of("file_path", file_path, str))[:size]
        words = [line.split(delimiter)[0] if delimiter else line for line in lines]
        return cls._of_words(words, special_tokens, special_first)

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        columns: Any = None,
        freq_range: tuple[int | None, int | None] | None = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """Number the words of a dataset, the most frequent first.

        Args:
            dataset: Dataset with columns of texts.
            columns: Name of the column, or a list; all by default.
            freq_range: How often a word comes at least and at most; None for no limit.
            top_k: How many words there are at most.
            special_tokens, special_first: As in ``from_list``.

        Raises:
            TypeError, ValueError: For other arguments.
            RuntimeError: If a column is not there, or not of texts.
        """
        low, high = one_of("freq_range", freq_range, tuple) if freq_range else (None, None)
        if low is not None and high is not None and low > high:
            raise ArgumentValueError(f"freq_range must not fall, but got {freq_range}.")
        if top_k is not None:
            an_int("top_k", top_k, 1)
        names = [columns] if isinstance(columns, str) else columns or dataset.get_col_names()
        absent = set(names) - set(dataset.get_col_names())
        if absent:
            raise EngineError(f"Vocab: the dataset has no columns {sorted(absent)}.")
        counts: Counter[str] = Counter()
        for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
            for name in names:
                if row[name].dtype.kind != "U":
                    raise EngineError(f"Vocab: the column {name} is of {row[name].dtype}, no text.")
                counts.update(row[name].ravel().tolist())
        ordered = sorted(counts, key=lambda word: (-counts[word], word))
        kept = [w for w in ordered if (low or 0) <= counts[w] <= (high or counts[w])]
        return cls._of_words(kept[:top_k], special_tokens, special_first)

    @classmethod
    def _of_words(cls, words: list[str], special: list[str] | None, first: bool) -> Vocab:
        """Return what ``from_list`` does; words read that come twice are no wrong argument."""
        more = set(_a_list("special_tokens", special or []))
        twice = sorted(word for word, count in Counter(words).items() if count > 1 or word in more)
        if twice:
            raise EngineError(f"Vocab: the words {twice} come twice.")
        return cls.from_list(words, special, first)

    def vocab(self) -> dict[str, int]:
        """Return the words with their numbers."""
        return dict(self._ids)

    def tokens_to_ids(self, tokens: Any) -> Any:
        """Return the number of a word, or a list of those of several; -1 for what is not there."""
        if isinstance(one_of("tokens", tokens, str, list, np.ndarray), list):
            tokens = [one_of(f"tokens[{i}]", word, str) for i, word in enumerate(tokens)]
        words = np.atleast_1d(np.asarray(tokens)).tolist()
        found = [self._ids.get(word, -1) for word in words]
        return found[0] if len(found) == 1 else found

    def ids_to_tokens(self, ids: Any) -> Any:
        """Return the word of a number, or a list of those of several; an empty one for others."""
        numbers = np.atleast_1d(np.asarray(one_of("ids", ids, int, list, np.ndarray))).tolist()
        found = [self._words.get(an_int("ids", number, 0), "") for number in numbers]
        return found[0] if len(found) == 1 else found


def _lines(path: str) -> list[str]:
    if not Path(path).is_file():
        raise EngineError(f"The file {path} cannot be read.")
    return Path(path).read_text(encoding="utf-8").splitlines()


class Vectors:
    """A vector for each word; made by ``from_file``."""

    _files = re.compile("")

    def __init__(self, rows: dict[str, np.ndarray]) -> None:
        self._rows = rows
        self.dimension = len(next(iter(rows.values()), ()))

    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None = None) -> Vectors:
        """Read a file with a word and its numbers on each line; a first line of sizes may be there.

        Args:
            file_path: Its path.
            max_vectors: How many to read; None for all.

        Raises:
            TypeError, ValueError: For other arguments.
            RuntimeError: If it is no such file.
        """
        if max_vectors is not None:
            an_int("max_vectors", max_vectors, 0)
        if not cls._files.search(Path(one_of("file_path", file_path, str)).name):
            raise EngineError(f"{cls.__name__}: the name of the file {file_path} is another.")
        lines = [line.split() for line in _lines(file_path)]
        lines = lines[len(lines[0]) == 2 if lines else 0 :][: max_vectors or None]
        if len({len(line) for line in lines}) != 1:
            raise EngineError(f"{cls.__name__}: the vectors in {file_path} are of several lengths.")
        return cls({line[0]: np.array(line[1:], np.float32) for line in lines})

    def _vector(self, word: str) -> np.ndarray | None:
        return self._rows.get(word)


class GloVe(Vectors):
    """Vectors of GloVe, of a file ``glove.6B.*.txt``; see ``Vectors``."""

    _files = re.compile(r"^glove\.6B\..*txt$")


class FastText(Vectors):
    """Vectors of fastText, of a file ``*.vec``; see ``Vectors``."""

    _files = re.compile(r"\.vec$")


class CharNGram(Vectors):
    """Vectors of the n-grams of words, whose mean a word has; see ``Vectors``."""

    def _vector(self, word: str) -> np.ndarray | None:
        marks = ["#BEGIN#", *word, "#END#"]
        grams = [
            f"{n}gram-{''.join(marks[i : i + n])}"
            for n in (2, 3, 4)
            for i in range(len(marks) - n + 1)
        ]
        found = [self._rows[gram] for gram in grams if gram in self._rows]
        return np.mean(np.stack(found), axis=0) if found else None


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
