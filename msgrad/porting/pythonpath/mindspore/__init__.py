"""The module ``mindspore`` of programs that have this folder's parent on ``PYTHONPATH``: msgrad."""

import sys

# From here on, another thread that imports mindspore waits until msgrad stands in its place.
del sys.modules[__name__]

from msgrad.porting.install import install  # noqa: E402

install()
# For a thread that was handed this module before the line above.
__getattr__ = sys.modules[__name__].__getattribute__
