"""Arguments that are accepted where one expects them refused, and attributes set after the fact."""

import enum

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, mint, nn, ops

from tests.parity.case import case

DTYPES = ("bool", "int8", "uint8", "int32", "float32")


@case.table({dtype: (dtype,) for dtype in DTYPES})
def cumsum_of_narrow_integers(dtype):
    x = Tensor(np.array([[1, 0, 2], [3, 4, 5]], dtype))
    every = x.cumsum(), x.cumsum(None, ms.float32), x.cumsum(dim=1)
    return every, x.cumsum(1, ms.int8), x.cumsum(axis=-1, dtype=x.dtype)


@case
def cumsum_of_bool_by_function():
    return ops.cumsum(Tensor([True, False]), 0)


@case.table({"0": (0,), "1": (1,), "3": (3,), "4": (4,)})
def mint_t(ndim):
    return mint.t(Tensor(np.arange(2**ndim).reshape((2,) * ndim)))


@case.table({"Tensor": (True,), "tuple": (False,)})
def boundaries(tensor):
    x, edges = Tensor([0.5, 3.0, 9.0]), Tensor([1, 3, 5]) if tensor else (1.0, 3.0)
    return ops.bucketize(x, edges), ops.bucketize(x, edges, right=True)


@case
def xlogy_of_complex():
    x, y = Tensor(np.array([1 + 1j, 0, 2], "complex64")), Tensor(np.array([1j, 0, 2], "complex64"))
    return ops.xlogy(x, y), x.xlogy(y)


class Weighted(nn.LossBase):
    def construct(self, logits, labels):
        return self.get_loss(logits - labels, 0.5)


@case.table({"get_loss": (Weighted,), "MSELoss": (nn.MSELoss,), "L1Loss": (nn.L1Loss,)})
def reduction_changed_after(cls):
    loss, x, y = cls(), Tensor([1.0, 2.0]), Tensor([0.0, 0.0])
    found = [loss(x, y)]
    loss.average = False
    found.append(loss(x, y))
    loss.reduce = False
    return [*found, loss(x, y)]


@case
def numpy_diff_between_arrays():
    import mindspore.numpy as mnp

    x = Tensor(np.array([[1.0, 4.0, 9.0], [2.0, 3.0, 5.0]], "float32"))
    return mnp.diff(x, 2, 1, x, x), mnp.diff(x, 1, 0, prepend=x), mnp.diff(x, 1, -1, 7.0, x)


@case.table({"loss": (True, {}), "own": (False, {}), "scale": (True, {"scale": 8.0})})
def trains_what_is_built(loss, scale):
    net = nn.SequentialCell(nn.BatchNorm1d(3), nn.Dense(3, 2))
    if scale:
        scale = {"loss_scale_manager": amp.FixedLossScaleManager(scale["scale"], False)}
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = amp.build_train_network(net, optimizer, nn.MSELoss() if loss else None, **scale)
    return step.training, net.training, net[0].training


AXES = {
    "None": None,
    "(0, 0)": (0, 0),
    "(0,)": (0,),
    "5": 5,
    "-3": -3,
    "1": 1,
    "(0, None)": (0, None),
}


@case.table({f"{n}_{key}": (n, axes) for n in (1, 2) for key, axes in AXES.items()})
def out_axes(count, axes):
    x = Tensor(np.array([[1.0, 4.0, 9.0], [2.0, 3.0, 5.0]], "float32"))

    def one(x):
        return x * 2

    def two(x):
        return x, x * 2

    return ms.vmap(one if count == 1 else two, 0, axes)(x)


@case.table({"pre": (True,), "after": (False,)})
def backward_hook_gives_a_number(pre):
    cell = nn.ReLU()
    if pre:
        cell.register_backward_pre_hook(lambda cell, given: 1.0)
    else:
        cell.register_backward_hook(lambda cell, grads, given: 1.0)
    return ms.grad(cell)(Tensor([1.0, 2.0]))


@case
def hook_backward_gives_too_many():
    return ms.grad(lambda x: ops.HookBackward(lambda g: (g[0], g[0]))(x * 2))(Tensor([1.0, 2.0]))


def numbers():
    return Tensor(np.arange(12).reshape(3, 4).astype(np.float32)), Tensor([2, 0, 1], ms.int32)


TAKES_A_TENSOR = {
    "gather": (lambda x, y, n: ops.gather(x, y, n),),
    "Gather": (lambda x, y, n: ops.Gather()(x, y, n),),
    "gather_elements": (lambda x, y, n: ops.gather_elements(x, n, y.reshape(3, 1)),),
    "GatherD": (lambda x, y, n: ops.GatherD()(x, n, y.reshape(3, 1)),),
    "scatter": (lambda x, y, n: ops.scatter(x, n, y.reshape(3, 1), x[:, :1]),),
    "scatter_elements": (
        lambda x, y, n: ops.tensor_scatter_elements(x, y.reshape(3, 1), x[:, :1], n),
    ),
    "concat": (lambda x, y, n: ops.concat((x, x), n),),
    "topk": (lambda x, y, n: ops.topk(x, n),),
    "topk_dim": (lambda x, y, n: ops.topk(x, 2, n),),
    "TopK": (lambda x, y, n: ops.TopK()(x, n),),
    "one_hot": (lambda x, y, n: ops.one_hot(y, n),),
    "OneHot": (lambda x, y, n: ops.OneHot()(y, n, Tensor(1.0), Tensor(0.0)),),
    "eye": (lambda x, y, n: ops.eye(n),),
    "eye_columns": (lambda x, y, n: ops.eye(2, n),),
    "randperm": (lambda x, y, n: ops.randperm(n).shape,),
    "multinomial": (lambda x, y, n: ops.multinomial(x + 1, n).shape,),
    "group_norm": (lambda x, y, n: ops.group_norm(x.reshape(3, 2, 2), n),),
}


@case.table(TAKES_A_TENSOR)
def tensor_for_a_number(call):
    return call(*numbers(), Tensor(1)), call(*numbers(), Tensor(1, ms.int32))


FLOATS = ("gather", "gather_elements", "concat", "topk", "one_hot", "eye", "group_norm")


@case.table({name: TAKES_A_TENSOR[name] for name in FLOATS})
def float_tensor_for_a_number(call):
    return call(*numbers(), Tensor(1.0))


@case.table({name: TAKES_A_TENSOR[name] for name in ("gather", "one_hot", "eye")})
def two_elements_for_a_number(call):
    return call(*numbers(), Tensor([1, 1]))


@case
def float_tensor_after_an_int_tensor():
    x, y = numbers()
    ops.gather(x, y, Tensor(0))
    return ops.gather(x, y, Tensor(0.5))


@case
def one_hot_as_deep_as_the_labels_are():
    x, y = numbers()
    return ms.value_and_grad(lambda x: (x[:, :3] * ops.one_hot(y, y.max() + 1)).sum())(x)


@case.table({"0d": (Tensor(2.0),), "1d": (Tensor([2.0]),), "int": (Tensor(2),)})
def clip_by_the_norm_in_a_tensor(norm):
    x, _ = numbers()
    return ops.clip_by_norm(x, norm), ops.clip_by_norm((x, x), norm)


@case.table(
    {
        "Unique": (lambda: ops.Unique()(numbers()[0]),),
        "Unique_0d": (lambda: ops.Unique()(Tensor(1)),),
        "UniqueWithPad": (lambda: ops.UniqueWithPad()(Tensor([[1, 2]]), 0),),
        "unique_with_pad": (lambda: ops.unique_with_pad(Tensor([[1, 2]]), 0),),
        "adaptive_avg_pool1d": (lambda: ops.adaptive_avg_pool1d(numbers()[0], 2),),
        "adaptive_max_pool1d": (lambda: ops.adaptive_max_pool1d(numbers()[0], 2),),
        "AdaptiveAvgPool1d": (lambda: nn.AdaptiveAvgPool1d(2)(numbers()[0]),),
        "AdaptiveMaxPool1d": (lambda: nn.AdaptiveMaxPool1d(2)(numbers()[0]),),
    }
)
def too_few_or_many_dimensions(call):
    return call()


@case
def unique_by_function_has_any_dimensions():
    return ops.unique(Tensor([[3, 1], [1, 3]])), ops.Unique()(Tensor([3, 1, 1]))


def one(value, dtype=ms.float32):
    return Tensor(value, dtype)


IN_A_TENSOR = {
    "chunk": lambda x, y: mint.chunk(x, one(2, ms.int64), one(1, ms.int64)),
    "dropout": lambda x, y: mint.nn.functional.dropout(x, one(0.0)),
    "fftfreq": lambda x, y: ops.fftfreq(one(5, ms.int64), one(0.5)),
    "gather": lambda x, y: ops.gather(x, y, 1, one(0, ms.int64)),
    "group_norm": lambda x, y: ops.group_norm(x, 2, eps=one(0.1)),
    "group_norm_mint": lambda x, y: mint.nn.functional.group_norm(x, 2, eps=one(0.1)),
    "nll_loss": lambda x, y: ops.nll_loss(x, y, ignore_index=one(1, ms.int64)),
    "nll_loss_smooth": lambda x, y: ops.nll_loss(x, y, label_smoothing=one(0.25)),
    "batch_norm": lambda x, y: ops.batch_norm(x, x[0], x[1], x[0], x[1], True, eps=one(0.1)),
    "cosine_similarity": lambda x, y: ops.cosine_similarity(x, x + 1, 1, one(9.0)),
    "pad": lambda x, y: ops.pad(x, (1, 1), "constant", one(2.0)),
    "trace": lambda x, y: x.trace(one(1, ms.int64)),
    "one_hot": lambda x, y: ops.one_hot(y, 3, one(2.0), 0.5),
    "one_hot_number_first": lambda x, y: ops.one_hot(y, 3, 2, one(1, ms.int64)),
    "one_hot_of_two_types": lambda x, y: ops.one_hot(y, 3, one(2.0), 1),
    "one_hot_of_two_tensors": lambda x, y: ops.one_hot(y, 3, one(2.0), one(1, ms.int64)),
    "float_for_an_int": lambda x, y: mint.chunk(x, one(2.0)),
    "bool_for_an_int": lambda x, y: mint.chunk(x, one(True, ms.bool_)),
    "two_elements": lambda x, y: mint.chunk(x, Tensor([2, 2])),
}


@case.table({name: (call,) for name, call in IN_A_TENSOR.items()}, tol=1e-5)
def a_number_in_a_tensor(call):
    return call(*numbers())


def at():
    return Tensor([[0, 1], [1, 1]])


OF_TWO_DTYPES = {
    "tensor_scatter_update": lambda x, y: ops.tensor_scatter_update(x, at(), y[0]),
    "tensor_scatter_sub": lambda x, y: ops.tensor_scatter_sub(x, at(), y[0]),
    "tensor_scatter_max": lambda x, y: ops.tensor_scatter_max(x, at(), y[0]),
    "tensor_scatter_elements": lambda x, y: ops.tensor_scatter_elements(x, at(), y),
    "scatter": lambda x, y: x.scatter(0, at(), y),
    "addr": lambda x, y: ops.addr(x, x[0], y[0]),
    "cosine_embedding_loss": lambda x, y: ops.cosine_embedding_loss(x, y, one([1, 1], ms.int32)),
    "margin_ranking_loss": lambda x, y: ops.margin_ranking_loss(x, y, x),
    "margin_ranking_loss_target": lambda x, y: ops.margin_ranking_loss(x, x, y),
    "kl_div": lambda x, y: ops.kl_div(x, y),
    "hinge_embedding_loss": lambda x, y: ops.hinge_embedding_loss(x, y),
    "smooth_l1_loss": lambda x, y: ops.smooth_l1_loss(x, y),
    "nll_loss": lambda x, y: ops.nll_loss(x, y[0] * 0),
}
OF_DTYPES = {
    f"{name}-{left}-{right}": (call, left, right)
    for name, call in OF_TWO_DTYPES.items()
    for left, right in (
        *(("float32", "float32"), ("float32", "float16"), ("float32", "int32")),
        *(("int32", "float32"), ("int32", "int32")),
    )
}


@case.table(OF_DTYPES, tol=1e-5)
def dtypes_that_meet(call, left, right):
    return call(*(Tensor(np.ones((2, 2), dtype)) for dtype in (left, right)))


@case.table(
    {
        "cross_entropy_int": (lambda: ops.cross_entropy(one([[1, 2]], ms.int32), Tensor([1])),),
        "cross_entropy_bool": (lambda: ops.cross_entropy(one([[True]], ms.bool_), Tensor([0])),),
        "huber_nan": (lambda: ops.huber_loss(*numbers()[:1] * 2, "mean", float("nan")),),
        "smoothing_nan": (lambda: ops.cross_entropy(*numbers(), label_smoothing=float("nan")),),
        "bucketize_bool": (lambda: ops.bucketize(Tensor([True]), [0.5]),),
        "multinomial_bool": (lambda: ops.multinomial(Tensor([True, True]), 1),),
        "multinomial_3d": (lambda: ops.multinomial(one([[[1, 2.0]]]), 1),),
        "topk_bool": (lambda: ops.topk(Tensor([True, False]), 1),),
        "fft2_dim": (lambda: ops.fft2(one([[1, 2.0]]), dim=1),),
        "fft2_bool": (lambda: ops.fft2(one([[1, 2.0]]), s=(True, 2)),),
        "rfftn_s": (lambda: ops.rfftn(one([[1, 2.0]]), s=2),),
        "rfft2_lists": (lambda: ops.rfft2(one([[1, 2.0]]), s=[1, 2], dim=[1, 0]),),
    }
)
def of_no_dtype_for_it(call):
    return call()


class Column(enum.IntEnum):
    FIRST = 0
    SECOND = 1
    DEPTH = 2


class Rate(float):
    pass


@case.table({"enum": (Column.SECOND,), "float": (Rate(1.5),)})
def number_of_a_class_of_its_own(number):
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    of_operators = x * number, number - x, x**number, x == number, ops.maximum(x, number)
    y, z = x.copy(), Tensor([1.0, 2.0])
    y += number
    z[0] = number
    return (
        of_operators,
        y,
        z,
        Tensor([number]),
        ops.full((2,), number),
        x.masked_fill(x > 2, number),
    )


def read(x):
    return x[Column.SECOND], x[:, Column.SECOND], x[Column.SECOND :]


def written(x):
    before = x[0]
    x[Column.FIRST] = 7.0
    x[Column.SECOND, Column.FIRST] += Column.DEPTH
    return x, before


def shaped(x):
    whole = (
        x.reshape(Column.SECOND, 4),
        ops.zeros((Column.DEPTH, 2)),
        ops.tile(x, (Column.DEPTH, 1)),
    )
    return (
        whole,
        x.sum(axis=Column.SECOND),
        ops.cat([x, x], Column.SECOND),
        ops.topk(x, Column.SECOND),
    )


def one_hot(x):
    return ops.one_hot(Tensor([0, 1]), Column.DEPTH, Column.SECOND, 0), nn.Dense(2, Column.DEPTH)(
        x
    ).shape


@case.table({f.__name__: (f,) for f in (read, written, shaped, one_hot)})
def members_of_an_enum(of):
    return of(Tensor([[1.0, 2.0], [3.0, 4.0]]))


@case
def members_of_an_enum_compiled():
    def scaled(x, column):
        return x[:, column] * column + x[Column.FIRST, 0]

    return ms.jit(scaled)(Tensor([[1.0, 2.0], [3.0, 4.0]]), Column.SECOND)


@case.table({"complex64": ("complex64",), "complex128": ("complex128",)})
def complex_divided_and_rounded(dtype):
    x = Tensor(np.array([3.7 + 2.6j, -3.5 - 1.2j, 5], dtype))
    y = Tensor(np.array([1 + 1j, 2 - 1j, 0], dtype))
    return x // y, x // 2, 2 // y, ops.floor_divide(x, y), ops.div(x, y, rounding_mode="floor")


def waves(*shape, dtype="float32"):
    return Tensor(np.cos(np.arange(int(np.prod(shape))) * 1.3).reshape(shape).astype(dtype))


_LABELS = Tensor([1, 0], ms.int64)
_FACTORS = {"scale_factor": (1.3, 1.7, 0.8)}
TAKEN = {
    **{
        f"{mode}_{place}_{pair}": (
            lambda x, mode=mode, pair=pair: ops.pad(x, pair, mode),
            shape,
        )
        for mode in ("reflect", "replicate", "circular")
        for place, shape in (("rows", (2, 4)), ("batch", (1, 2, 4)))
        for pair in ((-1, 1), (2, -1), (-2, 2), (-1, -1))
    },
    "mint_circular": (lambda x: mint.nn.functional.pad(x, (-1, 1), "circular"), (1, 2, 4)),
    "replication_1d": (lambda x: nn.ReplicationPad1d((-1, 2))(x), (1, 2, 4)),
    "replication_2d": (lambda x: nn.ReplicationPad2d(-1)(x), (1, 2, 4, 4)),
    "replication_3d": (lambda x: nn.ReplicationPad3d((-1, 0, 1, 0, 0, 1))(x), (1, 1, 2, 2, 3)),
    "reflection_1d": (lambda x: nn.ReflectionPad1d((-1, 2))(x), (1, 2, 4)),
    "factors": (lambda x: ops.interpolate(x, **_FACTORS), (1, 1, 3, 4, 4)),
    "factors_again": (
        lambda x: ops.interpolate(x, **_FACTORS, recompute_scale_factor=True),
        (1, 1, 3, 4, 4),
    ),
    "factors_linear": (
        lambda x: ops.interpolate(x + 3, **_FACTORS, mode="trilinear"),
        (1, 1, 3, 4, 4),
    ),
    "factors_corners": (
        lambda x: ops.interpolate(x, **_FACTORS, mode="trilinear", align_corners=True),
        (1, 1, 3, 4, 4),
    ),
    "factors_layer": (lambda x: nn.Upsample(**_FACTORS)(x), (1, 1, 3, 4, 4)),
    "factors_mint": (lambda x: mint.nn.functional.interpolate(x, **_FACTORS), (1, 1, 3, 4, 4)),
    "factors_mint_images": (
        lambda x: mint.nn.functional.interpolate(x, scale_factor=1.3),
        (1, 1, 5, 4),
    ),
    "factors_mint_again": (
        lambda x: mint.nn.functional.interpolate(x, scale_factor=1.3, recompute_scale_factor=True),
        (1, 1, 5, 4),
    ),
    "factors_mint_int": (lambda x: mint.nn.functional.interpolate(x, scale_factor=2), (1, 1, 5, 4)),
    "factors_nearest_3d": (
        lambda x: ops.UpsampleNearest3D()(x, None, (1.3, 1.7, 0.8)),
        (1, 1, 3, 4, 4),
    ),
    "factors_trilinear_3d": (
        lambda x: ops.UpsampleTrilinear3D()(x + 3, None, (1.3, 1.7, 0.8)),
        (1, 1, 3, 4, 4),
    ),
    "numpy_sizes": (
        lambda x: mint.nn.functional.interpolate(x, tuple(np.array([2, 3]))),
        (1, 1, 5, 4),
    ),
    "numpy_max": (lambda x: x.max(np.int64(1)), (2, 3)),
    "numpy_min": (lambda x: x.min(np.int32(-1), True), (2, 3)),
    "numpy_gather": (lambda x: ops.gather(x, _LABELS, np.int64(1)), (2, 3)),
    "numpy_gather_d": (lambda x: ops.gather_d(x, np.int64(0), _LABELS[:, None]), (2, 3)),
    "numpy_scatter": (lambda x: x.scatter(np.int64(0), _LABELS[:, None], x[:, :1]), (2, 3)),
    "adaptive_max_list": (lambda x: ops.adaptive_max_pool2d(x, [2, 3]), (1, 1, 4, 5)),
    "adaptive_max_tensors": (lambda x: ops.adaptive_max_pool2d(x, Tensor([2, 3])), (1, 1, 4, 5)),
    "adaptive_max_none": (lambda x: ops.adaptive_max_pool2d(x, [None, 3]), (1, 1, 4, 5)),
    "adaptive_max_layer": (lambda x: nn.AdaptiveMaxPool2d([2, 3])(x), (1, 1, 4, 5)),
    "adaptive_max_volume": (lambda x: ops.adaptive_max_pool3d(x, [2, 1, 2]), (1, 1, 3, 4, 4)),
    "adaptive_max_volume_layer": (lambda x: nn.AdaptiveMaxPool3d([2, 1, 2])(x), (1, 1, 3, 4, 4)),
    "add_list": (lambda x: x.add([2, 1, 0]), (2, 3)),
    "sub_tuple": (lambda x: x.sub((2.5,)), (2, 3)),
    "gaussian_one_variance": (lambda x: ops.gaussian_nll_loss(x, -x, Tensor(2.0)), (2, 3)),
    "gaussian_variances": (
        lambda x: ops.gaussian_nll_loss(x, -x, Tensor([2.0, 1.0, 0.5]), reduction="none"),
        (2, 3),
    ),
    "gaussian_narrow": (
        lambda x: ops.gaussian_nll_loss(x, waves(2, 3), waves(2, 3) + 2),
        (2, 1),
    ),
    "soft_margin": (lambda x: ops.multilabel_soft_margin_loss(x, Tensor([1.0, 0.0, 1.0])), (2, 3)),
    "cosine_pairs": (lambda x: ops.cosine_similarity(x[:, None], waves(2, 3) + 1, -1), (2, 3)),
    "nll_half": (
        lambda x: mint.nn.functional.nll_loss(
            x.astype(ms.float16), _LABELS, Tensor([1.0, 2.0, 3.0]), reduction="none"
        ),
        (2, 3),
    ),
}


@case.table(TAKEN)
def taken(call, shape):
    def first(x):
        result = call(x)
        return result[0] if isinstance(result, tuple) else result

    return call(waves(*shape)), ms.grad(first)(waves(*shape))


@case.table(
    {
        f"{dtype}_{order}": (dtype, order)
        for dtype in ("float32", "float64")
        for order in ("fro", "nuc", 2, -2, 1)
    }
)
def order_of_matrices(dtype, order):
    x = waves(2, 3, dtype=dtype)
    return (
        ops.matrix_norm(x, order),
        ops.norm(x, order, (0, 1)),
        ops.matrix_norm(x, order, dtype=ms.float64),
    )
