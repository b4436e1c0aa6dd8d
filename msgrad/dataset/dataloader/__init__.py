"""``mindspore.dataset.dataloader``: batches of whatever has rows. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset.dataloader._workers import get_worker_info as get_worker_info
from msgrad.dataset.dataloader.dataloader import DataLoader as DataLoader
from msgrad.dataset.dataloader.dataloader import default_collate as default_collate
from msgrad.dataset.dataloader.dataloader import default_convert as default_convert
from msgrad.dataset.dataloader.dataset import *  # noqa: F403
from msgrad.dataset.dataloader.distributed import *  # noqa: F403
from msgrad.dataset.dataloader.sampler import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
