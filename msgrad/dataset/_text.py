"""``mindspore.dataset.text``: left out; a tokenizer is any Python function."""

from msgrad._core.left_out import left_out_all
from msgrad.dataset.transforms.transforms import Implementation as Implementation
from msgrad.dataset.transforms.transforms import PyTensorOperation


class TextTensorOperation(PyTensorOperation):
    """Base of MindSpore's transforms of texts; a subclass defines ``_execute_py``."""


_ROWS = {
    "map the texts with a Python function, such as a tokenizer of another library": (
        "AddToken BasicTokenizer BertTokenizer CaseFold CharNGram FastText FilterWikipediaXML "
        "GloVe JiebaMode JiebaTokenizer Lookup Ngram NormalizeForm NormalizeUTF8 PythonTokenizer "
        "RegexReplace RegexTokenizer SPieceTokenizerLoadType SPieceTokenizerOutType "
        "SentencePieceModel SentencePieceTokenizer SentencePieceVocab SlidingWindow ToNumber "
        "ToVectors Truncate TruncateSequencePair UnicodeCharTokenizer UnicodeScriptTokenizer "
        "Vectors Vocab WhitespaceTokenizer WordpieceTokenizer to_bytes to_str"
    )
}
_NAMES = left_out_all("msgrad.dataset.text", "a transform of texts", _ROWS)
globals().update(_NAMES)

__all__ = [*_NAMES]  # pyright: ignore[reportUnsupportedDunderAll]
