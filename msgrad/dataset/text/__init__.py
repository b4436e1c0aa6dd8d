"""``mindspore.dataset.text``: vocabularies, and transforms of texts. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset.text._jieba import *  # noqa: F403
from msgrad.dataset.text._sentencepiece import *  # noqa: F403
from msgrad.dataset.text._words import *  # noqa: F403
from msgrad.dataset.text.transforms import *  # noqa: F403
from msgrad.dataset.text.utils import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
