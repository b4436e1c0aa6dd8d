"""``mindspore.dataset.engine``: datasets. This file only re-exports."""

from msgrad._core.missing import missing_names
from msgrad.dataset.engine.datasets import Dataset, zip
from msgrad.dataset.engine.datasets_user_defined import GeneratorDataset, NumpySlicesDataset
from msgrad.dataset.engine.samplers import (
    DistributedSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    SubsetSampler,
)

__all__ = [
    "Dataset",
    "DistributedSampler",
    "GeneratorDataset",
    "NumpySlicesDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "SubsetSampler",
    "zip",
]

__getattr__ = missing_names(__name__)
