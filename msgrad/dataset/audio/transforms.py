"""``mindspore.dataset.audio.transforms``: transforms of sounds. This file only re-exports."""

from msgrad._core.missing import missing_names
from msgrad.dataset.audio import _effects, _filters, _loudness, _spectra, _speech
from msgrad.dataset.transforms.transforms import TensorOperation

_FOUND = {
    name: value
    for module in (_effects, _filters, _loudness, _spectra, _speech)
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, TensorOperation)
}
globals().update(_FOUND)

__all__ = sorted(_FOUND)

__getattr__ = missing_names(__name__)
