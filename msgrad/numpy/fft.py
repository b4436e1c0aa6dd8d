"""``mindspore.numpy.fft``: the Fourier transforms of ``ops``, with NumPy's names of arguments."""

from __future__ import annotations

from msgrad import ops
from msgrad.numpy._rows import functions, row

_LINE, _PLANE = "a, n=None, axis=-1, norm=None", "a, s=None, axes=(-2, -1), norm=None"
_SPACE, _SHIFT = "a, s=None, axes=None, norm=None", "x, axes=None"

_FORMS = {
    _LINE: "fft ifft rfft irfft hfft ihfft",
    _PLANE: "fft2 ifft2 rfft2 irfft2 hfft2 ihfft2",
    _SPACE: "fftn ifftn rfftn irfftn hfftn ihfftn",
    _SHIFT: "fftshift ifftshift",
}
for _form, _names in _FORMS.items():
    for _name in _names.split():
        _target = getattr(ops, _name)
        globals()[_name] = row(_form, _target, _target.__doc__)

fftfreq, rfftfreq = ops.fftfreq, ops.rfftfreq

__all__ = sorted({*functions(globals()), "fftfreq", "rfftfreq"})
