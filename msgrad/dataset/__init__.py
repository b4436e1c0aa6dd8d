"""``mindspore.dataset``: what training needs, in plain Python. This file only re-exports.

Datasets made of Python sources, NumPy arrays, MindRecord, TFRecord, CSV and text files, and those
of images, sounds and texts in the folders they are distributed in; and what is done to them. Rows
are made by whoever asks for the next one, or by worker processes (``engine/_workers.py``), the same
ones in the same order. Some data sets and video are not here; ``_left_out.py`` says what to do.
Images need OpenCV and Pillow, workers need loky: the extra ``data``.
"""

from contextlib import suppress as _suppress
from typing import TYPE_CHECKING

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset import config as config
from msgrad.dataset._left_out import *  # noqa: F403
from msgrad.dataset.callback import *  # noqa: F403
from msgrad.dataset.engine import *  # noqa: F403
from msgrad.dataset.engine.datasets import STEPS
from msgrad.dataset.engine.datasets import BatchInfo as BatchInfo
from msgrad.dataset.engine.datasets_standard_format import Shuffle as Shuffle

# Where MindSpore is imported, `import PIL` alone makes `PIL.Image` known; programs rely on it.
with _suppress(ImportError):
    import PIL.Image as _image  # noqa: F401

__all__ = public_names(globals(), "config")

__getattr__ = missing_names(
    __name__,
    {
        "samplers": "msgrad.dataset.engine",
        **dict.fromkeys(("c_transforms", "py_transforms"), "msgrad.dataset.transforms"),
        **STEPS,
    },
)

if TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad.dataset import audio as audio
    from msgrad.dataset import callback as callback
    from msgrad.dataset import dataloader as dataloader
    from msgrad.dataset import engine as engine
    from msgrad.dataset import text as text
    from msgrad.dataset import transforms as transforms
    from msgrad.dataset import utils as utils
    from msgrad.dataset import vision as vision
