"""Names that repositories import from inside MindSpore: helpers of training and of datasets."""

import importlib
import tempfile

import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn

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
    "nn.loss.loss": "TripletMarginLoss DiceLoss HingeEmbeddingLoss get_activation",
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


# What tinyms passes on by `from mindspore.common import *`.
COMMON = (
    "dtype Type JitConfig CSRTensor COOTensor RowTensor jit jit_class lazy_inline recompute "
    "is_tensor from_numpy set_recursion_limit ms_memory_recycle _no_grad Tensor float32 set_seed"
)


@case
def star_of_common():
    scope = {}
    exec("from mindspore.common import *", scope)
    return [name in scope for name in COMMON.split()], scope["dtype"].float16 == scope["half"]


@case
def cells_a_rewrite_leaves_alone():
    # Golden Stick puts a Cell of its own there as it is imported.
    import mindspore
    from mindspore.rewrite import SymbolTree

    kinds = mindspore.rewrite.common.namespace._subtree_black_list
    return [kind.__name__ for kind in kinds], issubclass(SymbolTree, nn.Cell)


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


COSTS = {
    "least": ([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]], (False,)),
    "most": ([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]], (True,)),
    "wide": ([[4.0, 1, 3], [2, 0, 5]], (False,)),
    "high": ([[4.0, 1], [2, 0], [1, 7]], (False,)),
    "limit": ([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]], (False, 2)),
    "limit_high": ([[4.0, 1], [2, 0]], (False, 3)),
    "limit_none": ([[4.0, 1], [2, 0]], (False, 0)),
    "rank": ([1.0], (False,)),
    "number": ([[4.0, 1], [2, 0]], (3,)),
    "nan": ([[float("nan"), 1], [2, 0]], (False,)),
    "infinite": ([[float("inf"), float("inf")], [2, 0]], (False,)),
}


@case.table(COSTS)
def assignment(costs, arguments):
    from mindspore.scipy.optimize import linear_sum_assignment

    given = [Tensor(one) if i else one for i, one in enumerate(arguments)]
    rows, columns = linear_sum_assignment(Tensor(np.array(costs)), *given)
    return rows.asnumpy(), columns.asnumpy()


@case
def assignment_limit_of_python():
    from mindspore.scipy.optimize import linear_sum_assignment

    linear_sum_assignment(Tensor(np.ones((2, 2))), False, 2)


@case
def iterator_mode():
    found = [ds.config.get_iterator_mode()]
    for options in {"do_copy": True}, {"parallel_convert": True}, {}:
        ds.config.set_iterator_mode(**options)
        found.append(ds.config.get_iterator_mode())
    return found


@case.table({"copy": (1, False), "convert": (True, "a")})
def iterator_mode_wrong(*options):
    return ds.config.set_iterator_mode(*options)


@case
def saved_by_the_inner_function():
    from mindspore.train.serialization import _exec_save, load_checkpoint

    values = {"w": [(2,), "Float32", Tensor([1.0, 2.0])], "n": [(), "Int64", Tensor(3)]}
    values["a"] = [(2, 1), "Float64", np.ones((2, 1))]
    with tempfile.TemporaryDirectory() as folder:
        _exec_save(f"{folder}/w.ckpt", values)
        return load_checkpoint(f"{folder}/w.ckpt")


@case.table({"first": (0, 1e-8), "second": (1, 9.0)})
def cosine_similarity_layer(*options):
    x, y = Tensor([[1.0, 2], [3, 4]]), Tensor([[1.0, 0], [-3, 4]])
    return nn.layer.CosineSimilarity(*options)(x, y), nn.layer.CosineSimilarity()(x, y)
