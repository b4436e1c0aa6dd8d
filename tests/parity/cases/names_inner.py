"""Operators of MindSpore's private modules, and small methods."""

import copy
import importlib
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def numbers(*shape):
    return np.linspace(-1, 1, int(np.prod(shape))).astype(np.float32).reshape(shape)


@case.table({"none": ("none", [[0, 2]]), "add": ("add", [[0, 0]])})
def scatter(how, index):
    from mindspore.ops.auto_generate import Scatter

    x, src, index = Tensor(numbers(3, 3)), Tensor(numbers(1, 2) * 4), Tensor(index)

    def run(x, src):
        return Scatter()(x, 1, index, src, how)

    gradients = ms.grad(lambda *a: (run(*a) ** 2).sum(), (0, 1))(x, src)
    return run(x, src), gradients


@case
def parameter_without_a_name():
    from mindspore.common.parameter import PARAMETER_NAME_DEFAULT

    return PARAMETER_NAME_DEFAULT, Parameter(Tensor([1.0])).name == PARAMETER_NAME_DEFAULT


@case.table(
    {
        "plain": (None, False, ms.float32),
        "causal": (None, True, ms.float32),
        "bool": ([[True, False, True]] * 2, False, ms.float32),
        "int": ([[0, 2, 1]] * 2, False, ms.float32),
        "infinite": ([[0.0, -np.inf, 0.0]] * 2, False, ms.float32),
        "both": ([[0.0, -np.inf, 0.0]] * 2, True, ms.float32),
        "scale of 16 bits": (None, False, ms.float16),
    },
    tol=1e-5,
)
def scaled_dot_product(mask, causal, dtype):
    from mindspore.ops.function.nn_func import _scaled_dot_product_attention

    query, key = Tensor(numbers(2, 2, 5)), Tensor(numbers(2, 3, 5) * 2)
    mask = None if mask is None else Tensor(mask)

    def run(query, key):
        return _scaled_dot_product_attention(query, key, key, mask, 0.0, causal, True, dtype)

    return run(query, key), ms.grad(lambda *a: (run(*a)[0] ** 2).sum(), (0, 1))(query, key)


@case
def scatter_how():
    from mindspore.ops.auto_generate import Scatter

    return Scatter()(Tensor(numbers(3, 3)), 1, Tensor([[0, 1]]), Tensor(numbers(1, 2)), 0)


@case.table(
    {"plain": ({},), "masked": ({"attn_mask": True},), "heads": ({"each": True},)}, tol=1e-5
)
def attention(options):
    from mindspore.ops.function.nn_func import multi_head_attention_forward

    x = Tensor(numbers(3, 2, 4))
    weight, bias = Tensor(numbers(12, 4)), Tensor(numbers(12))
    mask = Tensor(np.triu(np.ones((3, 3), bool), 1)) if "attn_mask" in options else None

    def run(x):
        return multi_head_attention_forward(
            *(x, x, x, 4, 2, weight, bias, None, None, False, 0.0),
            *(Tensor(numbers(4, 4)), Tensor(numbers(4))),
            training=False,
            attn_mask=mask,
            average_attn_weights="each" not in options,
        )

    return run(x), ms.grad(lambda x: (run(x)[0] ** 2).sum())(x)


@case
def take_over():
    x = Tensor([1.0, 2.0])
    return x.assign_value_cpp(Tensor([[3]], ms.int32)), x, x.dtype


@case
def a_parameter_takes_over():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    p.assign_value_cpp(Tensor([3.0, 4.0]))
    return p, p.name


@case
def overloads():
    double = ops.MultitypeFuncGraph("double")

    @double.register("Number")
    def of_number(x):
        return 2 * x

    said = [double.set_doc_url("x"), double.set_need_raise(), double.set_doc_url_("x")]
    return said, double.set_need_raise_(), double(2)


@case
def overloads_without():
    double = ops.MultitypeFuncGraph("double")
    double.set_need_raise()
    return double(2)


@case
def initialized():
    from mindspore.communication._comm_helper import _is_available, _is_initialized

    return _is_initialized(), _is_available()


@case.table(
    {
        "model": ("train.model", "ParallelMode"),
        "serialization": ("train.serialization", "context"),
        "steps": ("dataset", "BatchDataset"),
        "more_steps": ("dataset.engine.datasets", "RepeatDataset"),
        "rows": ("common", "RowTensor"),
        "jit": ("common", "jit"),
        "primexpr": ("ops._utils.utils", "_primexpr"),
        "gpus": ("device_context.gpu", "device_count"),
        "threads": ("device_context.cpu.op_tuning", "threads_num"),
        "timeout": ("device_context.ascend.op_debug", "execute_timeout"),
        "virtual": ("ops.operations", "_VirtualDataset"),
        "number": ("common.np_dtype", "bfloat16"),
    }
)
def is_there(module, name):
    import importlib

    return getattr(importlib.import_module(f"mindspore.{module}"), name).__name__.split(".")[-1]


@case
def steps_by_type():
    from mindspore import dataset as ds

    rows = ds.NumpySlicesDataset(numbers(4), shuffle=False)
    made = {
        "BatchDataset": rows.batch(2),
        "RepeatDataset": rows.repeat(2),
        "ConcatDataset": rows + rows,
        "MapDataset": rows.map(lambda x: x, ["column_0"]),
        "RenameDataset": rows.rename("column_0", "x"),
        "ProjectDataset": rows.project("column_0"),
        "ShuffleDataset": rows.shuffle(2),
        "FilterDataset": rows.filter(lambda x: x > 0),
        "ZipDataset": ds.zip((rows, rows.rename("column_0", "x"))),
    }
    return [isinstance(rows, getattr(ds.engine.datasets, name)) for name in made], [
        isinstance(made, getattr(ds.engine.datasets, name)) for name, made in made.items()
    ]


@case.table({"default": (None,), "30": (30,), "0": (0,), "-1": (-1,), "a": ("a",), "half": (1.5,)})
def autotune_interval(value):
    from mindspore.dataset import config

    if value is not None:
        config.set_autotune_interval(value)
    return config.get_autotune_interval()


@case
def settings_of_datasets_by_keyword():
    from mindspore.dataset import config

    given = {
        "auto_num_workers": {"enable": False},
        "autotune_interval": {"interval": 3},
        "callback_timeout": {"timeout": 60},
        "enable_autotune": {"enable": False, "filepath_prefix": "tuned"},
        "enable_shared_mem": {"enable": True},
        "enable_watchdog": {"enable": True},
        "monitor_sampling_interval": {"interval": 1000},
        "multiprocessing_timeout_interval": {"interval": 300},
        "num_parallel_workers": {"num": 2},
        "numa_enable": {"numa_enable": False},
        "prefetch_size": {"size": 16},
    }
    before = {name: getattr(config, f"get_{name}")() for name in given}
    try:
        for name, named in given.items():
            getattr(config, f"set_{name}")(**named)
        return {name: getattr(config, f"get_{name}")() for name in given}
    finally:
        for name, value in before.items():
            getattr(config, f"set_{name}")(value)


@case.table(
    {"nccl": ("nccl",), "HCCL": ("HCCL",), "x": ("x",), "undefined": ("undefined",), "1": (1,)}
)
def backend(name):
    from mindspore.communication._comm_helper import Backend

    return Backend(name), Backend.MCCL


@case
def levels():
    from mindspore.train.amp import _config_level

    return {
        level: [
            row["keep_batchnorm_fp32"],
            row["cast_model_type"],
            row["loss_scale_manager"] is None,
        ]
        for level, row in _config_level.items()
    }


@case
def normalisations_stay():
    from mindspore.train.amp import _do_keep_batchnorm_fp32

    net = nn.SequentialCell(nn.Conv2d(1, 2, 1), nn.BatchNorm2d(2), nn.ReLU())
    given = _do_keep_batchnorm_fp32(net)
    cells = [type(cell).__name__ for cell in net.name_cells().values()]
    x = Tensor(numbers(1, 2, 2, 2))
    return given, cells, net[1](x).dtype


@case
def no_format():
    return ops.DataType.None_None, ops.DataType.None_Default


def sparse(kind):
    # MindSpore takes a matrix of the other kind, and gives its parts by number: not compared.
    values = Tensor([1.0, 2.0])
    if kind == "coo":
        return ms.COOTensor(Tensor([[0, 1], [1, 0]], ms.int32), values, (2, 3))
    if kind == "csr":
        indptr, indices = Tensor([0, 1, 2], ms.int32), Tensor([1, 0], ms.int32)
        return ms.CSRTensor(indptr, indices, values, (2, 3))
    return values


@case.table(
    {
        f"{given}-{name}": (given, name)
        for name in (
            *("coo_tensor_get_dense_shape", "coo_tensor_get_indices", "coo_tensor_get_values"),
            *("csr_tensor_get_dense_shape", "csr_tensor_get_indices", "csr_tensor_get_indptr"),
            "csr_tensor_get_values",
        )
        for given in (name[:3], "dense")
    }
)
def part_of_a_sparse_matrix(given, name):
    return getattr(ops, name)(sparse(given))


SMALL = np.array([[1, -2, 3, 0.5], [4, 0, -3, 1]], np.float32)
IMPLS = {
    "reduce_all": lambda x: (x > 0, 1, True),
    "reduce_any": lambda x: (x > 3, (0,), False),
    "broadcast_to": lambda x: (x, (2, 2, 4)),
    "cdist": lambda x: (x[:, :2], x[:, :2], 2.0),
    "concat": lambda x: ((x, x), 1),
    "reverse_v2": lambda x: (x, (1,)),
    "glu": lambda x: (x, 1),
    "isclose": lambda x: (x, x, 1e-5, 1e-8, True),
    "log_softmax": lambda x: (x, -1),
    "nan_to_num": lambda x: (Tensor([np.nan, np.inf, -np.inf], ms.float32), 0.0, None, None),
    "softmax": lambda x: (x, -1),
    "squeeze": lambda x: (x[None], (0,)),
    "triu": lambda x: (x, 1),
}


@case.table({name: (name,) for name in IMPLS}, tol=1e-4)
def impl(name):
    from mindspore.ops.auto_generate import pyboost_inner_prim

    return getattr(pyboost_inner_prim, f"{name}_impl")(*IMPLS[name](Tensor(SMALL)))


@case
def own_loss_scaler():
    from mindspore.amp import LossScaler, _grad_scale_map, _grad_unscale_map

    class Mine(LossScaler):
        def scale(self, inputs):
            return _grad_scale_map(Tensor(4.0, ms.float32), inputs)

        def unscale(self, inputs):
            return _grad_unscale_map(Tensor(4.0, ms.float32), inputs)

        def adjust(self, grads_finite):
            return grads_finite

    given = (Tensor([1.0, 2.0]), Tensor([3.0], ms.float16))
    return Mine().scale(given), Mine().unscale(given), Mine().scale(given[0])


@case.table({"none": (None,), "biased": (True,)}, tol=1e-5)
def packed_projections(biased):
    from mindspore.ops.function.nn_func import _in_projection, _in_projection_packed, linear

    q, k, v, weight = (Tensor(numbers(*s)) for s in ((3, 2, 4), (5, 2, 4), (5, 2, 4), (12, 4)))
    bias = Tensor(numbers(12)) if biased else None
    own = Tensor(numbers(4, 4))
    parts = _in_projection(q, k, v, own, own * 2, own * 3, None, bias[:4] if biased else None, None)
    return _in_projection_packed(q, k, v, weight, bias, False, False), parts, linear(q, own, None)


@case.table(
    {
        "query": ("_check_qkv_shape", (3, 3, 3)),
        "query_unbatched": ("_check_qkv_shape", (2, 2, 2)),
        "query_4d": ("_check_qkv_shape", (4, 4, 4)),
        "query_mixed": ("_check_qkv_shape", (2, 2, 3)),
        "padding": ("_check_kpm_shape", (3, 2)),
        "padding_wrong": ("_check_kpm_shape", (3, 1)),
        "mask": ("_check_attn_mask_shape", (3, (3, 2, 4), (5, 2, 4), 2, (3, 5), 2)),
        "mask_4d": ("_check_attn_mask_shape", (3, (3, 2, 4), (5, 2, 4), 4, (1, 1, 3, 5), 2)),
        "mask_heads": ("_check_attn_mask_shape", (2, (3, 4), (5, 4), 3, (2, 3, 5), 2)),
        "mask_heads_wrong": ("_check_attn_mask_shape", (2, (3, 4), (5, 4), 3, (1, 3, 5), 2)),
    }
)
def attention_shapes(name, arguments):
    from mindspore.ops.function import nn_func

    return getattr(nn_func, name)(*arguments)


@case
def attention_parts():
    from mindspore.ops.function.nn_func import _inner_dropout, _inner_pad

    x = Tensor(numbers(2, 3))
    padded = _inner_pad(x, (1, 1), 2.0), _inner_pad(Tensor([[True, False]]), (0, 1))
    return *padded, _inner_dropout(x, 0.5, False), _inner_dropout(x, 0.0, True)


@case
def sizes_of_images():
    from mindspore.ops.function.nn_func import (
        _interploate_ext_make_tuple,
        _interpolate_ext_scale_factor_convert_size,
    )

    x = Tensor(numbers(1, 2, 4, 5))
    several = [_interploate_ext_make_tuple(x, given) for given in (3, 2.5, (2, 3), [2, 3])]
    return several, _interpolate_ext_scale_factor_convert_size(x, (1.6, 2.5))


@case
def amp_strategy():
    from mindspore._c_expression.amp import AmpLevel, create_amp_strategy

    net = nn.Dense(2, 3)
    net.amp_strategy = create_amp_strategy(AmpLevel.AmpO3, ms.float16, [], [])
    levels = [(name, int(level.value)) for name, level in AmpLevel.__members__.items()]
    return levels, net(Tensor(numbers(2, 2))).dtype, net.amp_strategy.get_amp_level().name


class _Twice(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)

    def construct(self, x):
        return self.dense(x) * 2


@case.table({"white": (True,), "neither": (False,)}, tol=1e-3)
def mixed_precision_rewrite(white):
    from mindspore.train.amp import AMP_WHITE_LIST, _auto_mixed_precision_rewrite

    net = _Twice()
    for param in net.get_parameters():
        param.set_data(Tensor(numbers(*param.shape)))
    given = {"white_list": AMP_WHITE_LIST} if white else {}
    return _auto_mixed_precision_rewrite(net, ms.float16, **given)(Tensor(numbers(2, 2)))


@case.table({"same": (("net.weight", "net.bias"),), "two": (("a.weight", "b.bias"),)})
def loaded_under_a_prefix(names):
    from mindspore.train.serialization import _load_dismatch_prefix_params

    net = nn.Dense(2, 3)
    loaded = {
        name: Parameter(Tensor(numbers(*((3, 2) if name.endswith("weight") else (3,)))), name=name)
        for name in names
    }
    absent = ["weight", "bias", "other"]
    result = _load_dismatch_prefix_params(net, loaded, absent, False)
    return result, absent, net.weight.value(), net.bias.value()


@case
def numbers_of_tensors():
    from mindspore.ops.operations._sequence_ops import TensorToScalar

    return [TensorToScalar()(Tensor(value)) for value in (3, 2.5, [4], True, [1, 2])]


@case
def quantized_dtypes():
    from mindspore.common.dtype import QuantDtype

    return QuantDtype is ms.QuantDtype, [(kind.name, kind.value()) for kind in QuantDtype]


QUANTIZED = {
    "scalars": ((2.0, 2, False), {}),
    "lists": (([2.0, 3.0], (2, 3), True), {}),
    "default": ((2.0, 2), {}),
    "further": (([2.0], [1], True), {"signed": True}),
    "scale_of_text": (("a", 1), {}),
    "scale_of_int": ((2, 1), {}),
    "zero_of_float": ((2.0, 1.5), {}),
    "per_channel_of_int": ((2.0, 1, 1), {}),
}


@case.table(QUANTIZED, message=True)
def linear_quantization(args, options):
    from mindspore.ops.operations._quant_ops import FakeQuantParam

    noted = FakeQuantParam.linear_quant_param(ms.QuantDtype.INT4, *args, **options)
    return noted.name, noted.attrs


@case
def quantization_has_no_kernel():
    from mindspore.ops.operations._quant_ops import FakeQuantParam

    return FakeQuantParam(ms.QuantDtype.INT8, "mine", True, bits=4)(Tensor(SMALL)).asnumpy()


@case
def gradients_switched_off():
    from mindspore.common.api import _pynative_executor

    flags = []

    def fn(x):
        _pynative_executor.set_enable_grad(False)
        y = x * 5.0
        flags.append(_pynative_executor.enable_grad())
        _pynative_executor.set_enable_grad(True)
        flags.append(_pynative_executor.enable_grad())
        return x * x + y

    return ms.grad(fn)(Tensor([1.0, 2.0])), flags


@case
def gradients_unscaled_by_the_function_of_the_step():
    from mindspore.nn.wrap.loss_scale import _grad_scale

    grads = (Tensor([1.0, 4.0], ms.float32), Tensor([3.0], ms.float16))
    return ops.HyperMap()(ops.partial(_grad_scale, Tensor([2.0], ms.float32)), grads)


KERNELS = {
    "Chunk": lambda x: (x, 3, 1),
    "ClampScalar": lambda x: (x, -1.5, 2),
    "SliceExt": lambda x: (x, 1, 1, 4, 2),
    "Muls": lambda x: (x, 2.5),
}


@case.table({name: (name,) for name in KERNELS})
def kernel_of_a_function(name):
    from mindspore.ops import auto_generate

    return getattr(auto_generate, name)()(*KERNELS[name](Tensor(SMALL)))


@case.table({"no_dimension": ((), 0), "behind": ((2, 3), 2), "before": ((2, 3), -3)})
def slice_outside_of_the_dimensions(shape, dim):
    from mindspore.ops.auto_generate import SliceExt

    return SliceExt()(ops.ones(shape, ms.float32), dim, 0, 1, 1)


@case
def clamped_below_only():
    from mindspore.ops.auto_generate import ClampScalar, Muls

    return ClampScalar()(Tensor(SMALL), None, 1), Muls()(Tensor([1, 2], ms.int32), 2.5)


@case
def part_of_a_batch():
    from mindspore.nn.wrap.cell_wrapper import _MicroBatch

    cut = _MicroBatch(2)
    return cut.micro_size, cut(0, Tensor(SMALL), Tensor([1, 2, 3, 4])), cut(1, Tensor(SMALL))


@case
def how_a_tensor_is_spread():
    from mindspore.parallel.shard import _DistributedTensorInfo

    layout = ms.Layout((2, 4, 2), ("a", "b", "c"))
    found = [layout(*axes) for axes in (("a", "None"), ("c", "b"), (("a", "b"), "None"))]
    return [_DistributedTensorInfo(one).sharding_strategy for one in found]


@case
def how_a_tensor_is_spread_of_a_name():
    from mindspore.parallel.shard import _DistributedTensorInfo

    return _DistributedTensorInfo("a")


@case
def other_paths():
    from mindspore.common._grad_function import _Function
    from mindspore.graph.api import _no_grad
    from mindspore.ops.communication import all_reduce
    from mindspore.ops.function import comm_func
    from mindspore.profiler import ProfilerLevel
    from mindspore.profiler.common import constant

    same = comm_func.all_reduce is all_reduce, constant.ProfilerLevel is ProfilerLevel
    return *same, _no_grad is ms.common.api._no_grad, _Function.__name__


@case
def attributes_of_a_primitive():
    add = ops.Add().add_prim_attr("mine", 3).set_device("CPU")
    add.init_prim_io_names(["a", "b"], ["c"])
    before = add.mine, add.primitive_target, add.input_names, add.output_names
    add.del_prim_attr("mine")
    return *before, hasattr(add, "mine")


@case
def silent_errors_of_devices():
    return ms.sdc_detect_start(), ms.get_sdc_detect_result(), ms.sdc_detect_stop()


HOMES = {
    "nn.layer.basic": "ClipByNorm L1Regularizer MatrixDiag MatrixDiagPart MatrixSetDiag Norm "
    "OneHot Pad Roll Tril Triu Unflatten Unfold Upsample",
    "nn.layer.image": "CentralCrop ImageGradients MSSSIM PSNR SSIM",
    "nn.layer.math": "DiGamma IGamma LBeta LGamma MatDet MatInverse MatMul Moments Range",
    "nn.layer.pooling": "AdaptiveMaxPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d "
    "LPPool2d MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "nn.loss.loss": "CTCLoss CosineEmbeddingLoss FocalLoss KLDivLoss SampledSoftmaxLoss",
    "dataset.engine.datasets": "Schema Shuffle",
    "dataset.engine.datasets_standard_format": "MindDataset",
    "dataset.engine.datasets_text": "TextFileDataset",
    "dataset.engine.datasets_vision": "Caltech101Dataset Caltech256Dataset CelebADataset "
    "CityscapesDataset CocoDataset DIV2KDataset EMnistDataset FlickrDataset Flowers102Dataset "
    "Food101Dataset KITTIDataset LFWDataset LSUNDataset ManifestDataset OmniglotDataset "
    "Places365Dataset QMnistDataset RenderedSST2Dataset STL10Dataset SUN397Dataset SVHNDataset "
    "SemeionDataset USPSDataset VOCDataset WIDERFaceDataset",
    "dataset.engine.samplers": "Shuffle",
    "context": "_get_mode",
    "log": "_get_logger",
    "mint": "Tensor",
    "dataset.text.transforms": "JiebaTokenizer SentencePieceTokenizer",
    "dataset.text.utils": "JiebaMode SPieceTokenizerLoadType SPieceTokenizerOutType "
    "SentencePieceModel SentencePieceVocab",
}


@case.table({home: (home, names) for home, names in HOMES.items()})
def at_home(home, names):
    """Where MindSpore defines a class, from which old programs import it."""
    module = importlib.import_module(f"mindspore.{home}")
    return {name: getattr(module, name).__name__ for name in names.split()}


@case
def log_logger():
    from mindspore import log

    logger = log._get_logger()
    level = logger.level
    logger.setLevel("ERROR")
    raised = logger.level
    logger.setLevel(level)
    return logger is log._get_logger(), raised, logger.propagate


@case
def context_mode():
    return ms.context._get_mode() == ms.get_context("mode")


@case
def length_of_transposed_convolution():
    from mindspore.nn.layer.conv import _deconv_output_length

    sizes = ((7, 3, 2, 1, 2), (7, 2, 3, 1, 0), (5, 4, 1, 2, 1), (6, 5, 5, 3, 3))
    modes = ((True, False, False), (False, True, False), (False, False, True), (False,) * 3)
    return [[_deconv_output_length(*mode, *size) for size in sizes] for mode in modes]


@case
def gradient_of_strided_slice():
    from mindspore.ops.operations._grad_ops import StridedSliceGrad

    dy, where = Tensor(numbers(2, 2)), ((4, 3), (1, 0), (3, 2), (1, 1))
    back = ms.grad(lambda dy: (StridedSliceGrad()(dy, *where) ** 2).sum())
    whole = Tensor(np.arange(6).reshape(2, 3)), (2, 6), (0, 1), (2, 6), (1, 2)
    return StridedSliceGrad()(dy, *where), back(dy), StridedSliceGrad()(*whole)


@case
def seeds_of_operators():
    from mindspore.ops.function.random_func import _get_seed, _set_prim_op_user_data

    ms.set_seed(3)
    drop = ops.Dropout(0.5)
    kept = _set_prim_op_user_data(drop, "random_cache", False) is drop
    return _get_seed(None, "dropout"), _get_seed(7, "dropout"), kept


@case
def filled_by_the_runtime():
    from mindspore._c_expression import _random_normal, _random_uniform

    normal, uniform = np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32)
    _random_normal(5, normal, 0.0, 0.02)
    _random_uniform(5, uniform, -1.0, 1.0)
    return normal, uniform


@case
def information_of_a_tensor():
    from mindspore._c_expression import ParamInfo

    x = Tensor(numbers(3))
    before, x.param_info = x.param_info, ParamInfo()
    x.param_info.name = "mine"
    x.param_info.parameter_shape = (3,)
    gradient = ms.grad(lambda: (x * x).sum(), None, [x])()
    told = x.param_info.name, x.param_info.parameter_shape
    return before, told, gradient, (x + 1).param_info, copy.deepcopy(x).param_info


class ReLU(ops.ReLU):
    def __call__(self, x):
        from mindspore.ops.primitive import _run_op

        return 2 * _run_op(self, self.name, (x,))


@case
def operator_of_a_program():
    return ReLU()(Tensor(numbers(3)))


@case
def entries_of_a_checkpoint():
    from mindspore.train.serialization import (
        _parse_ckpt_proto,
        tensor_to_ms_type,
        tensor_to_np_type,
    )

    with tempfile.TemporaryDirectory() as folder:
        values = [{"name": "a", "data": Tensor(numbers(2, 3))}, {"name": "b", "data": Tensor(3)}]
        ms.save_checkpoint(values, f"{folder}/x.ckpt", append_dict={"s": "abc", "lr": 0.5})
        found = _parse_ckpt_proto(f"{folder}/x.ckpt", None, "AES-GCM", False).value
    kinds = "Float32", "BFloat16", "Int4", "str", "Bool", "Complex64"
    return (
        [
            (
                one.tag,
                list(one.tensor.dims),
                one.tensor.tensor_type,
                list(one.tensor.tensor_content),
            )
            for one in found
        ],
        [np.dtype(tensor_to_np_type(kind)).name for kind in kinds[:2] + kinds[4:5]],
        [tensor_to_np_type(kind) for kind in kinds[2:4] + kinds[5:]],
        [tensor_to_ms_type.get(kind) for kind in kinds[:2] + kinds[4:]],
    )


@case
def base_of_texts():
    import mindspore.dataset as ds

    rows = ds.GeneratorDataset([[1]], ["a"])
    steps = rows.batch(1), rows.map(abs, ["a"]), rows.take(1), rows.shuffle(2), rows.repeat(2)
    kinds = ds.MnistDataset, ds.TextFileDataset, ds.TFRecordDataset, ds.AGNewsDataset
    return (
        [isinstance(one, ds.TextBaseDataset) for one in (rows, *steps, ds.NumpySlicesDataset([1]))],
        [issubclass(kind, ds.TextBaseDataset) for kind in kinds],
    )


@case
def transforms_of_a_program():
    import mindspore._c_dataengine as cde
    import mindspore.dataset as ds
    from mindspore.dataset import text
    from mindspore.dataset.core.datatypes import mstype_to_detype
    from mindspore.dataset.text.transforms import DE_C_INTER_NORMALIZE_FORM, TextTensorOperation

    class Words(TextTensorOperation):
        def parse(self):
            form = DE_C_INTER_NORMALIZE_FORM[text.NormalizeForm.NFD]
            return cde.BasicTokenizerOperation(True, False, form, False, False)

    class Numbers(TextTensorOperation):
        def __init__(self, vocab):
            super().__init__()
            self.vocab = vocab

        def parse(self):
            return cde.LookupOperation(self.vocab, "a", str(mstype_to_detype(ms.int32)))

    class Python(TextTensorOperation):
        def __init__(self):
            super().__init__()
            self.implementation = text.transforms.Implementation.PY

        def parse(self):
            raise AssertionError("not in Python")

        def _execute_py(self, words):
            return np.array(str(words)[::-1])

    made = text.Vocab.from_list(["a", "b", "c"]).c_vocab
    given = cde.Vocab.from_dict({"a": 1, "b": 5})

    def mapped(vocab):
        rows = ds.NumpySlicesDataset(["A b c!", "b \u00e9"], ["t"], shuffle=False)
        return rows.map([Words(), Numbers(vocab)], ["t"])

    return (
        Words()("Ab c!"),
        [
            [row[0] for row in mapped(vocab).create_tuple_iterator(output_numpy=True)]
            for vocab in (made, given)
        ],
        Python()(np.array("abc")),
        [str(mstype_to_detype(kind)) for kind in (ms.int32, ms.float64, ms.bool_, ms.string)],
    )


@case.table({"none": (None,), "numpy": (np.int32,)})
def names_of_no_dtype(kind):
    from mindspore.dataset.core.datatypes import mstype_to_detype

    return mstype_to_detype(kind)


@case
def modules_to_be_replaced():
    from mindspore.context import K_CONTEXT
    from mindspore.ops.operations.manually_defined import ops_def

    return ops_def.__name__.split(".")[1:], K_CONTEXT.set_backend_policy("ms")


@case(tol=1e-6)
def convolution_of_a_program():
    from mindspore.nn.layer.conv import _Conv

    class Wide(_Conv):
        def __init__(self, **more):
            sizes = (1, 3), (1, 1), "same", 0, (1, 1)
            super().__init__(4, 6, *sizes, 2, True, "normal", None, **more)
            self.conv2d = ops.Conv2D(self.out_channels, (1, 3), 1, "same", 0, 1, 1, self.group)

        def construct(self, x):
            return self.conv2d(x, self.weight) + self.bias.reshape(1, -1, 1, 1)

    ms.set_seed(2)
    net = Wide()
    named = [(p.name, p.shape) for p in Wide(transposed=True).get_parameters()]
    plain = _Conv(2, 3, (3,), (1, 1), "pad", 1, (1, 1), 1, False, None, None, dtype=ms.float16)
    told = plain.kernel_size, plain.padding, plain.weight.shape, plain.weight.dtype, plain.bias
    return net(Tensor(numbers(1, 4, 2, 5))), repr(net)[:60], named, told, isinstance(net, _Conv)
