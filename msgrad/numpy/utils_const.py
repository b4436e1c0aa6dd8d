"""``mindspore.numpy.utils_const``: the helpers that raise."""

from msgrad.numpy.utils import _raise_type_error, _raise_value_error  # noqa: F401
