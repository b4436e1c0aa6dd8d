"""``mindspore.dataset.text``: vocabularies, and transforms of texts. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out_all
from msgrad._core.missing import missing_names
from msgrad.dataset.text._sentencepiece import *  # noqa: F403
from msgrad.dataset.text._words import *  # noqa: F403
from msgrad.dataset.text.transforms import *  # noqa: F403
from msgrad.dataset.text.utils import *  # noqa: F403

globals().update(
    left_out_all(
        __name__,
        "a tokenizer of another library",
        {"map with a Python function of jieba": "JiebaMode JiebaTokenizer"},
    )
)

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
