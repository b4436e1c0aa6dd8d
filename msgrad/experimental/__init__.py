"""``mindspore.experimental``: optimizers with ``param_groups`` and their schedulers."""

from msgrad._core.missing import missing_names
from msgrad.experimental import optim

__all__ = ["optim"]

__getattr__ = missing_names(__name__)
