"""Layers put together of others, lookups, sparse products, micro batches, Jvp and Vjp."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

APPROXIMATE = 5e-5


def waves(*shape):
    return Tensor(np.sin(np.arange(np.prod(shape)) * 1.3).reshape(shape), ms.float32)


def filled(layer):
    for parameter in layer.trainable_params():
        parameter.set_data(waves(*parameter.shape))
    return layer


def image():
    return waves(1, 4, 3, 3)


def rows():
    return waves(2, 3)


def steps():
    return waves(2, 3, 4)


def two():
    return waves(2, 2)


LAYERS = {
    "Conv2dBnAct": (lambda: nn.Conv2dBnAct(4, 2, 2), image),
    "Conv2dBnAct_all": (
        lambda: nn.Conv2dBnAct(4, 2, 2, has_bias=True, has_bn=True, activation="relu").set_train(),
        image,
    ),
    "Conv2dBnAct_leaky": (
        lambda: nn.Conv2dBnAct(4, 2, 2, 1, "valid", activation="leakyrelu", alpha=0.5),
        image,
    ),
    "Conv2dBnAct_cell": (lambda: nn.Conv2dBnAct(4, 2, 1, activation=nn.ReLU6()), image),
    "DenseBnAct": (lambda: nn.DenseBnAct(3, 2), rows),
    "DenseBnAct_all": (
        lambda: nn.DenseBnAct(3, 2, has_bn=True, activation="sigmoid").set_train(),
        rows,
    ),
    "DenseBnAct_op": (lambda: nn.DenseBnAct(3, 2, has_bias=False, activation=ops.ReLU()), rows),
    "BiDense": (lambda: nn.BiDense(3, 2, 4), rows, two),
    "BiDense_3": (lambda: nn.BiDense(4, 4, 2, has_bias=False), steps, steps),
    "ChannelShuffle": (lambda: nn.ChannelShuffle(2), image),
    "TimeDistributed": (lambda: nn.TimeDistributed(nn.Dense(4, 2), 1), steps),
    "TimeDistributed_cell": (
        lambda: nn.TimeDistributed(nn.Flatten(), 2),
        lambda: waves(2, 3, 2, 4),
    ),
    "TimeDistributed_0": (lambda: nn.TimeDistributed(nn.Dense(4, 2), 1, 0), steps),
    "TimeDistributed_back": (lambda: nn.TimeDistributed(ops.ReLU(), 0, 1), steps),
    "TimeDistributed_next": (lambda: nn.TimeDistributed(nn.ReLU(), 1, 2), steps),
    "PReLUExt": (lambda: nn.PReLUExt(3, 0.5), rows),
    "LRN": (lambda: nn.LRN(1, 0.5, 2.0, 0.7), image),
}


@case.table(LAYERS, tol=APPROXIMATE)
def layer(make, *inputs):
    made = filled(make())
    given = [value() for value in inputs]
    gradient = ms.grad(lambda *a: (made(*a) ** 2).sum(), tuple(range(len(given))))(*given)
    return made(*given), gradient, [(p.name, p.shape) for p in made.get_parameters()]


@case
def drawn_from_the_seed():
    ms.set_seed(5)
    made = (nn.Conv2dBnAct(4, 2, 2), nn.DenseBnAct(3, 2, has_bn=True), nn.BiDense(2, 3, 2))
    more = (nn.EmbeddingLookup(3, 2), nn.MultiFieldEmbeddingLookup(4, 2, 2))
    return [[p.asnumpy() for p in each.get_parameters()] for each in (*made, *more)]


@case
def rrelu():
    out = nn.RReLU()(rows())
    low, high = rows() / 8, rows() / 3
    inside = ops.logical_and(out <= ops.maximum(low, high), out >= ops.minimum(low, high))
    fixed = nn.RReLU(0.25, 0.25)
    return bool(ops.logical_or(inside, out == rows()).all()), fixed(rows()), ms.grad(fixed)(rows())


@case.table(
    {
        "plain": (lambda: nn.EmbeddingLookup(3, 2), [[0, 2], [1, 1]]),
        "out_of_range": (lambda: nn.EmbeddingLookup(3, 2), [0, 5, -1]),
        "norm": (lambda: nn.EmbeddingLookup(3, 2, max_norm=0.5), [0, 2, 1]),
    },
    tol=APPROXIMATE,
)
def lookup(make, indices):
    return filled(make())(Tensor(indices, ms.int32))


@case.table({"SUM": ("SUM",), "MEAN": ("MEAN",), "MAX": ("MAX",)}, tol=APPROXIMATE)
def fields(operator):
    made = filled(nn.MultiFieldEmbeddingLookup(6, 2, 3, operator=operator))
    indices = Tensor([[2, 4, 0, 1], [1, 2, 5, 0]], ms.int32)
    values = Tensor([[1.0, 0.5, -2.0, 0.0], [3.0, 1.0, 1.0, 0.0]], ms.float32)
    numbers = Tensor([[0, 1, 1, 0], [0, 0, 2, 1]], ms.int32)
    return made(indices, values, numbers)


@case.table({"plain": ({},), "st": ({"adjoint_st": True},), "dt": ({"adjoint_dt": True},)})
def sparse_product(settings):
    made = nn.SparseTensorDenseMatmul(**settings)
    indices, values = Tensor([[0, 1], [1, 2]], ms.int32), Tensor([1.0, 2.0], ms.float32)
    size = 3 if settings.get("adjoint_st") else 4
    dense = waves(2, size) if settings.get("adjoint_dt") else waves(size, 2)
    loss = lambda v, d: (made(indices, v, (3, 4), d) ** 2).sum()
    return made(indices, values, (3, 4), dense), ms.grad(loss, (0, 1))(values, dense)


def squares(x):
    return x * x * 3


def products(x, y):
    return x * y + x


def several(x):
    return x * x, x * 2


@case
def jvp_and_vjp():
    x, y = rows(), rows() + 2
    one = nn.Jvp(squares)(x, y), nn.Vjp(squares)(x, y)
    pair = nn.Jvp(products)(x, y, (y, x)), nn.Vjp(products)(x, y, y)
    return one, pair, nn.Vjp(several)(x, (y, x)), nn.Jvp(several)(x, y)


class Loss(nn.Cell):
    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self.backbone = backbone

    def construct(self, x, y):
        return ((self.backbone(x) - y) ** 2).mean()


MICRO = {
    "GradAccumulationCell": (lambda net: nn.GradAccumulationCell(net, 2),),
    "PipelineCell": (lambda net: nn.PipelineCell(net, 2),),
    "MicroBatchInterleaved": (lambda net: nn.MicroBatchInterleaved(net),),
}


@case.table(MICRO)
def micro_batches(wrap):
    net = wrap(Loss(filled(nn.Dense(3, 2))))
    inputs = waves(4, 3), waves(4, 2)
    names = [p.name for p in net.trainable_params()]
    return net(*inputs), ms.grad(net, None, net.trainable_params())(*inputs), names


@case
def pipeline_stages():
    net = Loss(nn.SequentialCell(nn.Dense(3, 2), nn.Dense(2, 2)))
    nn.PipelineCell(net, 2, {"backbone.0": 0, "backbone.1": 1})
    return net.backbone[0].pipeline_stage, net.backbone[1].pipeline_stage


@case.table({"loss": (None,), "sens": (2.0,)})
def with_grad_cell(sens):
    net = filled(nn.Dense(3, 2))
    sens = None if sens is None else Tensor(sens, ms.float32)
    cell = nn.WithGradCell(net, nn.MSELoss(), sens)
    return cell(rows(), two()), net.training, [p.name for p in cell.trainable_params()]


@case
def with_grad_cell_alone():
    net = Loss(filled(nn.Dense(3, 2)))
    return nn.WithGradCell(net)(rows(), two())


@case
def without_init():
    with nn.no_init_parameters():
        net = nn.Dense(3, 2)
    return [p.name for p in net.get_parameters()], [p.shape for p in net.get_parameters()]


@case.table(
    {
        "conv": (lambda: nn.Conv2dBnAct(4, 2, 2, has_bn=1),),
        "conv_activation": (lambda: nn.Conv2dBnAct(4, 2, 2, activation="bad"),),
        "conv_activation_int": (lambda: nn.Conv2dBnAct(4, 2, 2, activation=3),),
        "dense": (lambda: nn.DenseBnAct(3, 2, after_fake=1),),
        "dense_activation": (lambda: nn.DenseBnAct(3, 2, activation=3),),
        "bidense": (lambda: nn.BiDense(0, 2, 2),),
        "bidense_init": (lambda: nn.BiDense(2, 2, 2, waves(2, 2)),),
        "bidense_bias": (lambda: nn.BiDense(2, 2, 2, bias_init=waves(3)),),
        "bidense_input": (lambda: nn.BiDense(2, 2, 2)(rows(), two()),),
        "bidense_shapes": (lambda: nn.BiDense(3, 2, 2)(rows(), waves(3, 2)),),
        "shuffle": (lambda: nn.ChannelShuffle("a"),),
        "shuffle_0": (lambda: nn.ChannelShuffle(0),),
        "shuffle_odd": (lambda: nn.ChannelShuffle(3)(image()),),
        "time": (lambda: nn.TimeDistributed(nn.ReLU(), "a"),),
        "time_rank": (lambda: nn.TimeDistributed(nn.ReLU(), 0)(rows()),),
        "rrelu": (lambda: nn.RReLU("a"),),
        "rrelu_order": (lambda: nn.RReLU(0.5, 0.25),),
        "rrelu_number": (lambda: nn.RReLU()(1.0),),
        "lrn": (lambda: nn.LRN("a"),),
        "lookup": (lambda: nn.EmbeddingLookup(0, 2),),
        "lookup_target": (lambda: nn.EmbeddingLookup(3, 2, target="GPU"),),
        "lookup_sparse": (lambda: nn.EmbeddingLookup(3, 2, sparse=False),),
        "lookup_norm": (lambda: nn.EmbeddingLookup(3, 2, max_norm=0.0),),
        "fields": (lambda: nn.MultiFieldEmbeddingLookup(3, 2, 0),),
        "fields_operator": (lambda: nn.MultiFieldEmbeddingLookup(3, 2, 2, operator="bad"),),
        "accumulation": (lambda: nn.GradAccumulationCell(squares, 2),),
        "accumulation_size": (lambda: nn.GradAccumulationCell(nn.ReLU(), "a"),),
        "accumulation_0": (lambda: nn.GradAccumulationCell(nn.ReLU(), 0),),
        "pipeline": (lambda: nn.PipelineCell(squares, 2),),
        "pipeline_stage": (lambda: nn.PipelineCell(nn.ReLU(), 2, {"a": 1}),),
        "interleaved": (lambda: nn.MicroBatchInterleaved(nn.ReLU(), "a"),),
        "interleaved_odd": (lambda: nn.MicroBatchInterleaved(nn.ReLU(), 2)(waves(3, 3)),),
    }
)
def errors(call):
    return repr(call())


@case.table({name: (name,) for name in ("rnn_tanh", "rnn_relu", "lstm", "gru")}, tol=2e-4)
def recurrent_functions(name):
    from mindspore.nn.layer import rnn_cells

    rows = {"lstm": 8, "gru": 6}.get(name, 2)
    state = (waves(2, 2), waves(2, 2) + 1) if name == "lstm" else waves(2, 2)
    weights = waves(rows, 3), waves(rows, 2), waves(rows), waves(rows) + 1
    return getattr(rnn_cells, f"_{name}_cell")(waves(2, 3), state, *weights)


@case.table({"grad_scale": ("grad_scale",), "shard_grad_scale": ("shard_grad_scale",)})
def gradients_unscaled(name):
    from mindspore.nn.wrap import grad_reducer

    total = ms.Parameter(rows() + 2, name="total")
    found = getattr(grad_reducer, name)(Tensor(2.0, ms.float32), rows(), total)
    return found, total.asnumpy()
