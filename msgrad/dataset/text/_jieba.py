"""``JiebaTokenizer``: words of Chinese texts, by a dictionary and a hidden Markov model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import a_number, check_kind
from msgrad.dataset.text.transforms import Token, _Tokenizer

JiebaMode = IntEnum("JiebaMode", {"MIX": 0, "MP": 1, "HMM": 2})
JiebaMode.__doc__ = "How ``JiebaTokenizer`` finds words."

# The logarithm of 0, as cppjieba has it.
_NEVER = -3.14e100
_BEGIN, _END, _MIDDLE, _SINGLE = range(4)
# Where a text is cut in any case; and what of ASCII is one word.
_CUTS = re.compile("([ \t\n\uff0c\u3002])")
_LATIN = re.compile(r"([A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[\x00-\x7f])")


class _Words:
    """A dictionary: what each word weighs, the logarithm of its share.

    Args:
        path: Of a file of lines ``word count kind``.

    Raises:
        RuntimeError: For another line.
    """

    def __init__(self, path: Path) -> None:
        lines = [line.split(" ") for line in path.read_text(encoding="utf-8").split("\n") if line]
        try:
            counts = [(word, float(count)) for word, count, _ in lines]
        except ValueError as error:
            raise EngineError(f"{path} is no dictionary of jieba: {error}") from error
        self._whole = sum(count for _, count in counts)
        self._weights = {word: math.log(count / self._whole) for word, count in counts}
        ranked = sorted(math.log(count / self._whole) for _, count in counts)
        self._least, self._usual = ranked[0], ranked[len(ranked) // 2]
        self._begun = {word[:n] for word in self._weights for n in range(1, len(word))}

    def add(self, word: str, count: int) -> None:
        """Add a word; one of no count weighs as much as the one in the middle."""
        self._weights[word] = math.log(count / self._whole) if count else self._usual
        self._begun |= {word[:n] for n in range(1, len(word))}

    def cut(self, text: str) -> list[str]:
        """Return the words that weigh most together; what is in no word is one by itself."""
        best = [(0.0, len(text))] * (len(text) + 1)
        for i in range(len(text) - 1, -1, -1):
            found = self._weights.get(text[i], self._least) + best[i + 1][0]
            best[i], end = (found, i + 1), i + 1
            while end < len(text) and text[i:end] in self._begun:
                end += 1
                weight = self._weights.get(text[i:end])
                if weight is not None and weight + best[end][0] > best[i][0]:
                    best[i] = weight + best[end][0], end
        parts, i = [], 0
        while i < len(text):
            parts.append(text[i : best[i][1]])
            i = best[i][1]
        return parts


class _Model:
    """A hidden Markov model of where words begin and end.

    Args:
        path: Of a file with the logarithms of how likely: the states (begin, end, middle, single)
            at first, one after another (4 lines), and the characters in each (4 lines).

    Raises:
        RuntimeError: For another file.
    """

    def __init__(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [line for line in lines if line.strip() and not line.startswith("#")]
        try:
            self._first, *self._next = ([float(n) for n in row.split()] for row in rows[:5])
            pairs = ([one.rsplit(":", 1) for one in row.split(",") if one] for row in rows[5:])
            self._seen = [{letter: float(n) for letter, n in row} for row in pairs]
            if [len(row) for row in (self._first, *self._next)] != [4] * 5 or len(self._seen) != 4:
                raise ValueError("it has other rows")
        except ValueError as error:
            raise EngineError(f"{path} is no model of jieba: {error}") from error

    def cut(self, text: str) -> Iterator[str]:
        """Yield words; letters and numbers of ASCII are words of their own."""
        for i, part in enumerate(_LATIN.split(text)):
            yield from [part] if i % 2 else self._words(part)

    def _words(self, text: str) -> Iterator[str]:
        if not text:
            return
        seen = [[row.get(letter, _NEVER) for row in self._seen] for letter in text]
        weights, before = [a + b for a, b in zip(self._first, seen[0], strict=True)], []
        for now in seen[1:]:
            rows = [
                [weights[old] + self._next[old][new] + now[new] for old in range(4)]
                for new in range(4)
            ]
            # Where nothing is likely, a word has ended.
            best = [max(row) if max(row) > _NEVER else _NEVER for row in rows]
            before.append(
                [r.index(b) if b > _NEVER else _END for r, b in zip(rows, best, strict=True)]
            )
            weights = best
        state = _END if weights[_END] >= weights[_SINGLE] else _SINGLE
        states = [state]
        for row in reversed(before):
            states.append(state := row[state])
        begin = 0
        for i, state in enumerate(reversed(states)):
            if state in (_END, _SINGLE):
                yield text[begin : i + 1]
                begin = i + 1


class JiebaTokenizer(_Tokenizer):
    """Split Chinese texts into words, as jieba does.

    Args:
        hmm_path: Path of a model, ``hmm_model.utf8`` of cppjieba.
        mp_path: Path of a dictionary, ``jieba.dict.utf8`` of cppjieba.
        mode: JiebaMode: MP finds the words of the dictionary that are most likely together, HMM
            those of the model, and MIX those of the model where the dictionary has none.
        with_offsets: Whether also the first byte of each word comes, and that after its last.

    Raises:
        TypeError: For an argument of another type.
        ValueError: If a file is not there.
        RuntimeError: If a file is another, or what is split is no text.
    """

    def __init__(
        self,
        hmm_path: str,
        mp_path: str,
        mode: JiebaMode = JiebaMode.MIX,
        with_offsets: bool = False,
    ) -> None:
        super().__init__(with_offsets)
        if not isinstance(mode, JiebaMode):
            raise ArgumentTypeError("Wrong input type for mode, should be JiebaMode.")
        for name, path in (("hmm_path", hmm_path), ("mp_path", mp_path)):
            if not isinstance(path, str):
                raise ArgumentTypeError(f"Wrong input type for {name}, should be string.")
            if not Path(path).is_file():
                raise ArgumentValueError(f" jieba mode file {path} is not exist.")
        self.mode, self._files = mode, (Path(hmm_path), Path(mp_path))
        self._added: list[tuple[str, int]] = []
        self._cutters: tuple[_Model, _Words] | None = None

    def add_word(self, word: str, freq: int | None = None) -> None:
        """Add a word to the dictionary.

        Args:
            word: str.
            freq: int, how often it comes; None for as often as a usual word.

        Raises:
            TypeError, ValueError: For another word or number.
        """
        check_kind("word", word, str)
        check_kind("freq", freq, int, type(None))
        a_number("freq", freq or 0, 0, 2**32 - 1)
        self._added.append((word, freq or 0))
        self._cutters = None

    def add_dict(self, user_dict: str | dict[str, int]) -> None:
        """Add words to the dictionary.

        Args:
            user_dict: How often each comes, or the path of a file of lines ``word`` or
                ``word count``.

        Raises:
            TypeError: If it is neither.
            ValueError: If the file is not there.
        """
        if isinstance(user_dict, dict):
            for word, count in user_dict.items():
                self.add_word(word, count)
            return
        if not isinstance(user_dict, str):
            raise ArgumentTypeError("The type of user_dict must str or dict.")
        if not Path(user_dict).is_file():
            raise ArgumentValueError(f"user dict file {user_dict} is not exist.")
        for line in Path(user_dict).read_text(encoding="utf-8").splitlines():
            # Other lines are passed over, as in MindSpore.
            if match := re.fullmatch(r"\s*(\S+)(?: +(\d+))?\s*", line):
                self.add_word(match[1], int(match[2] or 0))

    def _arranged(self, found: list[Token]) -> Any:
        made = super()._arranged(found)
        # Of no text there is one word, and no place of it.
        return made if found or not self._with_offsets else (made[0], made[1][:0], made[2][:0])

    def _parts(self, text: str) -> Iterator[tuple[str, bool]]:
        if self._cutters is None:
            # Read once, by whoever splits first.
            words = _Words(self._files[1])
            for word, count in self._added:
                words.add(word, count)
            self._cutters = _Model(self._files[0]), words
        model, words = self._cutters
        for part in _CUTS.split(text):
            cut = model.cut if self.mode is JiebaMode.HMM else words.cut
            found = cut(part) if self.mode is not JiebaMode.MIX else _mixed(part, model, words)
            yield from ((word, True) for word in found)


def _mixed(text: str, model: _Model, words: _Words) -> Iterator[str]:
    """Yield words of the dictionary; the model cuts the characters between them."""
    between = ""
    for word in words.cut(text):
        if len(word) == 1:
            between += word
            continue
        yield from model.cut(between)
        between = ""
        yield word
    yield from model.cut(between)


__all__ = public_names(globals())
