"""``mindspore.dataset.vision``: transforms of images. This file only re-exports.

An array (H, W, C) goes through OpenCV as in MindSpore, and comes out as the same bytes; a PIL image
goes through Pillow. With a seed, random transforms draw what they draw in MindSpore. Both libraries
come with the extra ``data``.
"""

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out_all
from msgrad._core.missing import missing_names
from msgrad.dataset.transforms.transforms import not_random as not_random
from msgrad.dataset.vision.transforms import *  # noqa: F403
from msgrad.dataset.vision.utils import *  # noqa: F403

globals().update(
    left_out_all(
        __name__,
        "a transform of videos",
        {
            "read videos with another library in the source": "DecodeVideo VideoDecoder read_video "
            "read_video_timestamps",
        },
    )
)

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
