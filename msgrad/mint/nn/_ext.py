"""Layers of ``mint.nn`` under the names that ``mindspore.nn`` has for them: ``DropoutExt``, ..."""

from msgrad.mint import nn as _layers

_NAMES = (
    *("AvgPool1d", "AvgPool2d", "AvgPool3d", "Dropout", "Dropout2d", "Embedding", "L1Loss"),
    *("LayerNorm", "LogSoftmax", "MaxPool2d"),
)
globals().update({f"{name}Ext": getattr(_layers, name) for name in _NAMES})
__all__ = [f"{name}Ext" for name in _NAMES]  # pyright: ignore[reportUnsupportedDunderAll]
