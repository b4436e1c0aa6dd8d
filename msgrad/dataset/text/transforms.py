"""``mindspore.dataset.text.transforms``: tokenizers, and what makes other texts of texts.

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

from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import an_int, check_kind, one_of
from msgrad.dataset.engine._rows import called
from msgrad.dataset.text.utils import NormalizeForm, Vocab
from msgrad.dataset.transforms.transforms import Implementation as Implementation
from msgrad.dataset.transforms.transforms import PyTensorOperation, TensorOperation

# A token with its first byte and the one after its last.
Token = tuple[str, int, int]


def _texts(of: Any, value: Any, rank: int | None = None) -> np.ndarray:
    """Return an array of texts, of a rank where one is asked for.

    Raises:
        TypeError: If it is None.
        RuntimeError: If it is another.
    """
    if value is None:
        raise ArgumentTypeError(f"{type(of).__name__}: texts are accepted, but got None.")
    array = np.asarray(value)
    array = array if array.size else array.astype(str)
    if array.dtype.kind not in "US" or rank not in (None, array.ndim):
        wanted = "texts" if rank is None else f"texts of {rank} dimensions"
        raise EngineError(
            f"{type(of).__name__}: {wanted} are accepted, but got {array.dtype} {array.shape}."
        )
    return np.char.decode(array) if array.dtype.kind == "S" else array


class TextTensorOperation(PyTensorOperation):
    """Base of MindSpore's transforms of texts.

    A subclass defines ``_execute_py``, or ``parse``, which returns what is called instead.
    """

    def __call__(self, text: Any) -> Any:
        """Return what is made of the text."""
        parse: Callable[[], Any] | None = getattr(self, "parse", None)
        if parse is None or self.implementation == Implementation.PY:
            return super().__call__(text)
        return parse()(text)


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
    """Split each text of an array with a function, which gives as many tokens for each.

    Args:
        tokenizer: Function of a str that returns a list of str.

    Raises:
        RuntimeError: When called, if the function fails or returns no list.
    """

    def __init__(self, tokenizer: Callable[[str], Any]) -> None:
        check_kind("tokenizer", tokenizer, Callable)
        self._tokenizer = tokenizer

    def __call__(self, text: Any) -> np.ndarray:
        check_kind("input", text, np.ndarray)
        texts = _texts(self, text)
        rows = [called("PythonTokenizer failed", self._split, one) for one in texts.ravel()]
        if len({len(row) for row in rows}) != 1:
            raise EngineError(
                f"PythonTokenizer: each text must have as many tokens, but of {texts.shape} there "
                f"are {[len(row) for row in rows]}."
            )
        return np.stack(rows).reshape(*texts.shape, -1)

    def _split(self, text: Any) -> np.ndarray:
        made = self._tokenizer(str(text))
        check_kind("what the tokenizer returns", made, list, tuple, np.ndarray)
        return np.array([str(one) for one in made], str)


DE_C_INTER_NORMALIZE_FORM = {form: form for form in NormalizeForm}

__all__ = [
    name
    for name in public_names(globals())
    if name not in ("TextTensorOperation", "Token", "Vectors", "Vocab", "NormalizeForm")
]

__getattr__ = missing_names(__name__)
