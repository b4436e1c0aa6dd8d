"""The functions of PIL images that stand behind the transforms, as 1.x's programs call them."""

import numpy as np
from PIL import Image

from tests.parity.case import case

CALLS = {
    "adjust_brightness": (0.5,),
    "adjust_contrast": (1.5,),
    "adjust_gamma": (2.0, 1.0),
    "adjust_hue": (0.2,),
    "adjust_saturation": (0.3,),
    "auto_contrast": (10.0, None),
    "center_crop": ((3, 2),),
    "equalize": (),
    "grayscale": (3,),
    "invert_color": (),
    "to_tensor": (np.float32,),
}


def image():
    data = np.arange(60, dtype=np.uint8).reshape(5, 4, 3) * 4
    return Image.fromarray(data)


@case.table({name: (name,) for name in CALLS})
def function(name):
    from mindspore.dataset.vision import py_transforms_util

    return np.array(getattr(py_transforms_util, name)(image(), *CALLS[name]))


@case.table({name: (name,) for name in CALLS})
def of_an_array(name):
    from mindspore.dataset.vision import py_transforms_util

    found = getattr(py_transforms_util, name)(np.array(image()), *CALLS[name])
    return np.array(found)


@case
def what_is_an_image():
    from mindspore.dataset.vision import py_transforms_util as util

    return util.is_pil(image()), util.is_pil(1), util.augment_error_message
