"""Names that repositories import from inside MindSpore: helpers of training and of datasets."""

import importlib

import mindspore.dataset as ds
import numpy as np

from tests.parity.case import case

TYPES = {
    "one": (1, int),
    "several": ("a", [int, str]),
    "float": (1.0, (int, str)),
    "bool_is_no_int": (True, int),
    "bool": (True, (int, bool)),
}


@case.table(TYPES, message=True)
def value_type(value, types):
    from mindspore.train._utils import check_value_type

    return check_value_type("speed", value, types)


PLACES = {
    "nn.loss.loss": "TripletMarginLoss DiceLoss HingeEmbeddingLoss",
    "nn.wrap.cell_wrapper": "PipelineCell MicroBatchInterleaved GradAccumulationCell",
    "train.serialization": "merge_sliced_parameter build_searched_strategy",
    "common": "Type",
    "communication.management": "context",
    "dataset": "context",
    "dataset.engine": "config DatasetCache",
    "dataset.transforms.transforms": "TensorOperation PyTensorOperation",
}


@case.table({name: (name,) for name in PLACES})
def places(name):
    module = importlib.import_module(f"mindspore.{name}")
    return [hasattr(module, one) for one in PLACES[name].split()]


CACHES = {
    "number": {"session_id": 3},
    "sizes": {"session_id": 3, "size": 10, "spilling": True},
    "text": {"session_id": "a"},
    "negative": {"session_id": -1},
    "spilling": {"session_id": 1, "spilling": 3},
}


@case.table({name: (options,) for name, options in CACHES.items()})
def cache(options):
    made = ds.DatasetCache(**options)
    return made.session_id, made.size, made.spilling


@case
def cache_wrong():
    ds.TextFileDataset(__file__, cache=3)


@case
def base_of_transforms():
    from mindspore.dataset.transforms.transforms import TensorOperation

    kinds = (ds.vision.HWC2CHW(), ds.transforms.TypeCast(np.int32), len)
    return [isinstance(one, TensorOperation) for one in kinds]
