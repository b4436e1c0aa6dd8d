"""``mindspore.dataset.text.transforms``: tokenizers, and what is done to texts and their numbers.

A text is a ``str`` or an array of one. Patterns are those of Python's ``re``.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common import dtype as mstype
from msgrad.dataset._arguments import an_int, check_kind, one_of
from msgrad.dataset.text.utils import NormalizeForm, Vectors, Vocab
from msgrad.dataset.transforms.transforms import Implementation as Implementation
from msgrad.dataset.transforms.transforms import PyTensorOperation, TensorOperation

# A token with its first byte and the one after its last.
Token = tuple[str, int, int]


def _texts(of: Any, value: Any, rank: int | None = None) -> np.ndarray:
    """Return an array of texts, of a rank where one is asked for.

    Raises:
        RuntimeError: If it is another.
    """
    array = np.asarray(value)
    array = array if array.size else array.astype(str)
    if array.dtype.kind not in "US" or rank not in (None, array.ndim):
        wanted = "texts" if rank is None else f"texts of {rank} dimensions"
        raise EngineError(
            f"{type(of).__name__}: {wanted} are accepted, but got {array.dtype} {array.shape}."
        )
    return np.char.decode(array) if array.dtype.kind == "S" else array


class TextTensorOperation(PyTensorOperation):
    """Base of MindSpore's transforms of texts; a subclass defines ``_execute_py``."""


class _EachText(TensorOperation):
    """Base of those that make one text of each."""

    def __call__(self, text: Any) -> np.ndarray:
        array = _texts(self, text)
        return np.array([self._of(one) for one in array.ravel().tolist()]).reshape(array.shape)

    def _of(self, text: str) -> str:
        raise NotImplementedError(f"{type(self).__name__} must define _of.")


class CaseFold(_EachText):
    """Fold the case of texts, as for a comparison: NFKC_Casefold of Unicode."""

    def _of(self, text: str) -> str:
        found = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        return "".join(letter for letter in found if unicodedata.category(letter) != "Cf")


_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class FilterWikipediaXML(_EachText):
    """Keep the words of lines of a dump of Wikipedia: a to z in lower case, digits as words.

    A redirect has none. Differs from MindSpore: of several texts each one is filtered; 2.10 leaves
    nothing of all but the first.
    """

    def _of(self, text: str) -> str:
        if "#redirect" in text.lower():
            return ""
        plain = re.sub("&[^;]*;", " ", text)
        plain = re.sub("<[^>]*>", "", re.sub("<.*>", "", plain)).lower()
        named = re.sub("[0-9]", lambda digit: f" {_DIGITS[int(digit[0])]} ", plain)
        lines = re.sub(r"[^a-z\n]+", " ", named).replace("\n ", "").strip()
        # As in 2.10, whose replacement "\\n" is an n.
        return " ".join(re.sub(r"\n\s*\n", "n", lines).split())


class NormalizeUTF8(_EachText):
    """Bring texts into a normal form.

    Args:
        normalize_form: NormalizeForm.
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC) -> None:
        self._form = one_of("normalize_form", normalize_form, NormalizeForm)

    def _of(self, text: str) -> str:
        return text if not self._form else unicodedata.normalize(self._form.name, text)  # pyright: ignore


class RegexReplace(_EachText):
    """Replace what a pattern finds.

    Args:
        pattern: str.
        replace: str, in which ``$1`` is the first group.
        replace_all: Whether all is replaced, or what is found first.
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True) -> None:
        self._pattern = one_of("pattern", pattern, str)
        groups = re.sub(r"\\(.)|\$(\d)", _group, one_of("replace", replace, str))
        self._replace = groups
        self._count = 0 if one_of("replace_all", replace_all, bool) else 1

    def _of(self, text: str) -> str:
        pattern = _compiled(self, self._pattern)
        try:
            return pattern.sub(self._replace, text, count=self._count)
        except (re.error, IndexError) as error:
            raise EngineError(f"RegexReplace: the pattern has no such group: {error}.") from error


def _group(match: re.Match[str]) -> str:
    escaped, group = match.groups()
    return rf"\g<{group}>" if group else ("\\\\" if escaped == "\\" else escaped)


def _compiled(of: Any, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise EngineError(f"{type(of).__name__}: {pattern!r} is no pattern: {error}.") from error


class _Tokenizer(TensorOperation):
    """Base of tokenizers.

    Args:
        with_offsets: Whether the first byte of each token, and that after its last, come as well.
    """

    _told = {"keep_whitespace": "Whether what is between words are tokens, too."}

    def __init__(self, with_offsets: bool = False) -> None:
        check_kind("with_offsets", with_offsets, bool)
        self._with_offsets = with_offsets

    def __call__(self, text: Any) -> Any:
        return self._arranged(list(self._tokens(_texts(self, text, 0).item())))

    def _arranged(self, found: list[Token]) -> Any:
        words, starts, ends = zip(*found or [("", 0, 0)], strict=True)
        if not self._with_offsets:
            return np.array(words)
        return np.array(words), np.array(starts, np.uint32), np.array(ends, np.uint32)

    def _tokens(self, text: str) -> Iterator[Token]:
        at = 0
        for part, is_token in self._parts(text):
            size = len(part.encode())
            if is_token:
                yield part, at, at + size
            at += size

    def _parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text, and whether each is a token."""
        raise NotImplementedError(f"{type(self).__name__} must define _parts.")


def _cut(
    text: str, delimiter: re.Pattern[str], is_token: Callable[[str], Any]
) -> Iterator[tuple[str, bool]]:
    at = 0
    for match in delimiter.finditer(text):
        yield text[at : match.start()], match.start() > at
        yield match.group(), bool(match.group() and is_token(match.group()))
        at = match.end()
    yield text[at:], at < len(text)


_BLANK = re.compile(r"\s+")


class WhitespaceTokenizer(_Tokenizer):
    """Split where there is white space."""

    def _parts(self, text: str) -> Iterator[tuple[str, bool]]:
        return _cut(text, _BLANK, lambda part: False)


class UnicodeCharTokenizer(_Tokenizer):
    """Split into characters."""

    def _parts(self, text: str) -> Iterator[tuple[str, bool]]:
        return ((letter, True) for letter in text)


def _script(letter: str) -> str:
    kind = unicodedata.category(letter)[0]
    if letter.isspace():
        return " "
    name = unicodedata.name(letter, "").replace("-", " ")
    return kind if kind != "L" else re.sub("^(FULL|HALF)WIDTH ", "", name).split(" ")[0]


class UnicodeScriptTokenizer(_Tokenizer):
    """Split where the script changes; digits, marks and signs are one.

    Differs from MindSpore: which script a letter is of is read from its name.
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False) -> None:
        super().__init__(with_offsets)
        self._keep = one_of("keep_whitespace", keep_whitespace, bool)

    def _parts(self, text: str) -> Iterator[tuple[str, bool]]:
        signs = dict.fromkeys("NPSC", "N")
        for script, letters in itertools.groupby(
            text, lambda one: signs.get(_script(one), _script(one))
        ):
            yield "".join(letters), self._keep or script != " "


class RegexTokenizer(_Tokenizer):
    """Split where a pattern is found.

    Args:
        delim_pattern: str.
        keep_delim_pattern: str; what is found and matches this is a token, too.
    """

    def __init__(
        self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False
    ) -> None:
        super().__init__(with_offsets)
        self._delimiter = one_of("delim_pattern", delim_pattern, str)
        self._keep = one_of("keep_delim_pattern", keep_delim_pattern, str)

    def _parts(self, text: str) -> Iterator[tuple[str, bool]]:
        keep = _compiled(self, self._keep).fullmatch
        return _cut(text, _compiled(self, self._delimiter), keep)


_UNUSED = r"\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]|\[MASK\]|\[unused\d+\]"
_CJK = (
    "\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
)


@functools.cache
def _signs(unused: bool) -> re.Pattern[str]:
    marks = "".join(c for c in map(chr, range(128, 0x20000)) if unicodedata.category(c)[0] == "P")
    return re.compile(rf"{_UNUSED if unused else ' '}|\s+|[!-/:-@\[-`{{-~{marks}{_CJK}]")


class BasicTokenizer(_Tokenizer):
    """Split where there is white space, and into signs and Chinese characters.

    Args:
        lower_case: Whether the case is folded, and accents are taken away.
        normalization_form: NormalizeForm, of texts whose case is not folded.
        preserve_unused_token: Whether ``[CLS]``, ``[SEP]``, ``[UNK]``, ``[PAD]``, ``[MASK]`` and
            ``[unused1]`` stay as they are.

    Differs from MindSpore: with ``lower_case``, what stands before a ``[SEP]`` comes once only.
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        super().__init__(with_offsets)
        self._lower = one_of("lower_case", lower_case, bool)
        self._keep = one_of("keep_whitespace", keep_whitespace, bool)
        self._form = one_of("normalization_form", normalization_form, NormalizeForm)
        self._unused = one_of("preserve_unused_token", preserve_unused_token, bool)

    def _parts(self, text: str) -> Iterator[tuple[str, bool]]:
        if self._lower:
            parts = re.split(f"({_UNUSED})", text) if self._unused else [text]
            parts[::2] = [CaseFold()._of(part) for part in parts[::2]]
            found = unicodedata.normalize("NFD", "".join(parts))
            text = "".join(letter for letter in found if unicodedata.category(letter) != "Mn")
        else:
            text = NormalizeUTF8(self._form)._of(text)
        text = re.sub(r"\s", " ", text)
        text = "".join(" " if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)
        return _cut(text, _signs(self._unused), lambda part: self._keep or not part.isspace())


class WordpieceTokenizer(_Tokenizer):
    """Split words into the longest pieces that a vocabulary has.

    Args:
        vocab: Vocab.
        suffix_indicator: str, what pieces begin with that do not begin a word.
        max_bytes_per_token: int, how long a word may be that is split.
        unknown_token: str for words that cannot be split; "" keeps the word.
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ) -> None:
        super().__init__(with_offsets)
        self._ids = one_of("vocab", vocab, Vocab).vocab()
        self._suffix = one_of("suffix_indicator", suffix_indicator, str)
        self._longest = an_int("max_bytes_per_token", max_bytes_per_token, 0)
        self._unknown = one_of("unknown_token", unknown_token, str)

    def __call__(self, text: Any) -> Any:
        rank = min(np.ndim(text), 1)
        words = np.atleast_1d(_texts(self, text, rank)).tolist()
        return self._arranged([piece for word in words for piece in self._pieces(word)])

    def _pieces(self, word: str, at: int = 0) -> list[Token]:
        found: list[Token] = []
        start, size = 0, len(word.encode())
        while start < len(word) and size <= self._longest:
            begin = self._suffix if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if begin + word[start:end] in self._ids), None)
            if end is None:
                break
            first, last = len(word[:start].encode()), len(word[:end].encode())
            found.append((begin + word[start:end], at + first, at + last))
            start = end
        return found if start >= len(word) else [(self._unknown or word, at, at + size)]


class BertTokenizer(WordpieceTokenizer):
    """Split as ``BasicTokenizer`` does, then as ``WordpieceTokenizer`` does; see both."""

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        super().__init__(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)
        self._basic = BasicTokenizer(
            lower_case, keep_whitespace, normalization_form, preserve_unused_token
        )

    def __call__(self, text: Any) -> Any:
        words = self._basic._tokens(_texts(self, text, 0).item())
        return self._arranged([piece for word, at, _ in words for piece in self._pieces(word, at)])


class PythonTokenizer(TensorOperation):
    """Split with a function.

    Args:
        tokenizer: Function of a str that returns a list of str.
    """

    def __init__(self, tokenizer: Callable[[str], Any]) -> None:
        check_kind("tokenizer", tokenizer, Callable)
        self._tokenizer = tokenizer

    def __call__(self, text: Any) -> np.ndarray:
        check_kind("input", text, np.ndarray)
        return np.array(self._tokenizer(_texts(self, text, 0).item()))


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
        self._unknown = (
            unknown_token if unknown_token is None else one_of("unknown_token", unknown_token, str)
        )
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
        given = np.zeros(vectors.dimension) if unk_init is None else unk_init
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
        if array.ndim not in (1, 2):
            raise EngineError(f"AddToken: 1 or 2 dimensions are accepted, but got {array.shape}.")
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


__all__ = [
    name
    for name in public_names(globals())
    if name not in ("TextTensorOperation", "Token", "Vectors", "Vocab", "NormalizeForm")
]

__getattr__ = missing_names(__name__)
