"""Activations, normalisation, losses: values, dtypes, gradients at kinks, errors."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

from tests.parity.case import case

# Sums of exponentials, in another order and with another exp than MindSpore's.
SOFT = 3e-6


def grid(*sizes, dtype=np.float32):
    return Tensor(np.arange(np.prod(sizes)).reshape(sizes).astype(dtype))


ACTIVATIONS = {
    "relu": (lambda x: ops.relu(x),),
    "ReLU": (lambda x: ops.ReLU()(x),),
    "relu6": (lambda x: ops.relu6(x),),
    "ReLU6": (lambda x: ops.ReLU6()(x),),
    "gelu": (lambda x: ops.gelu(x),),
    "gelu_tanh": (lambda x: ops.gelu(x, "tanh"),),
    "GeLU": (lambda x: ops.GeLU()(x),),
    "leaky_relu": (lambda x: ops.leaky_relu(x),),
    "leaky_relu_alpha": (lambda x: ops.leaky_relu(x, 0.1),),
    "elu": (lambda x: ops.elu(x),),
    "Elu": (lambda x: ops.Elu()(x),),
    "celu": (lambda x: ops.celu(x, 2.0),),
    "silu": (lambda x: ops.silu(x),),
    "hardtanh": (lambda x: ops.hardtanh(x),),
    "hardtanh_bounds": (lambda x: ops.hardtanh(x, -0.3, 3.0),),
    "hardswish": (lambda x: ops.hardswish(x),),
    "HSwish": (lambda x: ops.HSwish()(x),),
    "hardsigmoid": (lambda x: ops.hardsigmoid(x),),
    "HSigmoid": (lambda x: ops.HSigmoid()(x),),
    "softplus": (lambda x: ops.softplus(x),),
    "softplus_beta": (lambda x: ops.softplus(x, 2, 10),),
    "logsigmoid": (lambda x: ops.logsigmoid(x),),
    "softsign": (lambda x: ops.softsign(x),),
    "softshrink": (lambda x: ops.softshrink(x),),
    "hardshrink": (lambda x: ops.hardshrink(x),),
    "threshold": (lambda x: ops.threshold(x, 0.5, 9.0),),
    "softmax": (lambda x: ops.softmax(x),),
    "softmin": (lambda x: ops.softmin(x),),
}
# MindSpore approximates tanh and the logarithm here to fewer digits than float32 has.
COARSE = {
    "mish": (lambda x: ops.mish(x),),
    "tanhshrink": (lambda x: ops.tanhshrink(x),),
    "log_softmax": (lambda x: ops.log_softmax(x),),
}
EDGES = (-7.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0, 8.0)


# MindSpore approximates exp, tanh and erf to a few units of float32.
@case.table(ACTIVATIONS, tol=2e-5)
def activation(function):
    return function(Tensor(EDGES))


@case
def selu():
    return ops.selu(Tensor(EDGES))


@case.table({"scalar": (0.7,), "one": ([0.7],), "several": ([0.7, 2.0],)}, tol=2e-5)
def softplus_of_a_beta(beta):
    x = Tensor([1.0, -2.0, 3.0])
    return ms.value_and_grad(lambda b: ops.softplus(x, b).sum())(Tensor(beta, ms.float32))


@case.table(ACTIVATIONS, tol=2e-5)
def slope(function):
    return ms.grad(lambda x: function(x) * Tensor(EDGES))(Tensor(EDGES))


@case.table(COARSE, tol=5e-4)
def coarse(function):
    x = Tensor(EDGES)
    return function(x), ms.grad(lambda x: function(x) * Tensor(EDGES))(x)


@case.table({k: ACTIVATIONS[k] for k in ("relu", "silu", "softmax")})
def activation_in_half(function):
    return function(Tensor(EDGES, ms.float16))


@case.table({k: ACTIVATIONS[k] for k in ("relu", "leaky_relu", "softmax", "silu", "elu")})
def activation_of_integers(function):
    return function(Tensor([-1, 0, 2]))


@case
def slope_of_integers():
    return ms.grad(lambda x: ops.relu(x))(Tensor([-1, 0, 2]))


@case.table(
    {
        "last": (lambda x: ops.softmax(x),),
        "first": (lambda x: ops.softmax(x, 0),),
        "method": (lambda x: x.softmax(1),),
        "dtype": (lambda x: ops.softmax(x.astype(ms.int64), dtype=ms.float32),),
        "Softmax": (lambda x: ops.Softmax()(x),),
        "Softmax_axis": (lambda x: ops.Softmax(axis=0)(x),),
        "glu": (lambda x: ops.glu(x, 0),),
        "out_of_range": (lambda x: ops.softmax(x, 5),),
        "two_axes": (lambda x: ops.softmax(x, (0, 1)),),
        "method_without_axis": (lambda x: x.softmax(),),
        "gelu_bad": (lambda x: ops.gelu(x, "bad"),),
        "elu_alpha": (lambda x: ops.elu(x, 2.0),),
    },
    tol=SOFT,
)
def along_an_axis(function):
    return function(grid(2, 3))


@case.table(
    {
        "one": ((1, 2), (0.1,)),
        "channels": ((1, 2), (0.1, 0.2)),
        "image": ((1, 2, 2), (0.1, 0.2)),
        "vector": ((3,), (0.1,)),
        "wrong": ((1, 2), (0.1, 0.2, 0.3)),
    }
)
def prelu(shape, weight):
    x, w = grid(*shape) - 1, Tensor(weight)
    return ops.prelu(x, w), ms.grad(ops.prelu, (0, 1))(x, w)


@case.table(
    {
        "matrix": (lambda: ops.dense(grid(2, 3), grid(4, 3)),),
        "bias": (lambda: ops.dense(grid(2, 3), grid(4, 3), grid(4)),),
        "vector": (lambda: ops.dense(grid(3), grid(4, 3)),),
        "batch": (lambda: ops.dense(grid(2, 2, 3), grid(4, 3), grid(4)),),
        "shape": (lambda: ops.dense(grid(2, 3), grid(4, 2)),),
        "dtype": (lambda: ops.dense(grid(2, 3, dtype=np.int64), grid(4, 3)),),
        "gradient": (lambda: ms.grad(ops.dense, (0, 1, 2))(grid(2, 3), grid(4, 3), grid(4)),),
        "bias_add": (lambda: ops.bias_add(grid(2, 3), grid(3)),),
        "BiasAdd": (lambda: ops.BiasAdd()(grid(1, 2, 1, 2), grid(2)),),
        "bias_add_length": (lambda: ops.bias_add(grid(2, 3), grid(2)),),
        "bias_add_dtype": (lambda: ops.bias_add(grid(2, 3), Tensor([1, 2, 3])),),
        "LayerNorm": (lambda: ops.LayerNorm()(grid(2, 3), ops.ones(3), ops.zeros(3)),),
        "LayerNorm_last": (lambda: ops.LayerNorm(-1, -1, 1e-5)(grid(2, 2, 3), grid(3), grid(3)),),
        "layer_norm_shape": (lambda: ops.layer_norm(grid(2, 3), (2,)),),
    },
    tol=2e-6,
)
def affine(make):
    return make()


P, Y = (0.2, 0.7), (0.0, 1.0)
LOSSES = {
    "mse": (lambda x, y, r: ops.mse_loss(x, y, r),),
    "l1": (lambda x, y, r: ops.l1_loss(x, y, r),),
    "smooth_l1": (lambda x, y, r: ops.smooth_l1_loss(x, y, 0.6, r),),
    "huber": (lambda x, y, r: ops.huber_loss(x, y, r, 0.25),),
    "bce": (lambda x, y, r: ops.binary_cross_entropy(x, y, Tensor([1.0, 2.0]), r),),
    "bce_plain": (lambda x, y, r: ops.binary_cross_entropy(x, y, reduction=r),),
    "bce_logits": (
        lambda x, y, r: ops.binary_cross_entropy_with_logits(
            x, y, Tensor([1.0, 2.0]), Tensor([2.0, 3.0]), r
        ),
    ),
    "bce_logits_plain": (lambda x, y, r: ops.binary_cross_entropy_with_logits(x, y, reduction=r),),
    "kl_div": (lambda x, y, r: ops.kl_div(x, y, r),),
    "margin_ranking": (lambda x, y, r: ops.margin_ranking_loss(x, y, y * 2 - 1, 0.5, r),),
    "hinge_embedding": (lambda x, y, r: ops.hinge_embedding_loss(x, y * 2 - 1, 1.0, r),),
    "SmoothL1Loss": (lambda x, y, r: ops.SmoothL1Loss(1.0, r)(x, y),),
    "BinaryCrossEntropy": (lambda x, y, r: ops.BinaryCrossEntropy(r)(x, y),),
    "KLDivLoss": (lambda x, y, r: ops.KLDivLoss(r)(x, y),),
}


@case.table(
    {f"{k}_{r}": (v[0], r) for k, v in LOSSES.items() for r in ("mean", "sum", "none", "bad")},
    tol=SOFT,
)
def loss(function, reduction):
    return function(Tensor(P), Tensor(Y), reduction)


@case.table({k: v for k, v in LOSSES.items() if k[0].islower()}, tol=SOFT)
def gradient_of_loss(function):
    return ms.grad(lambda x: function(x, Tensor(Y), "mean"))(Tensor(P))


@case.table(
    {
        "SigmoidCrossEntropyWithLogits": (lambda x, y: ops.SigmoidCrossEntropyWithLogits()(x, y),),
        "mse_broadcast": (lambda x, y: ops.mse_loss(grid(2, 2), y),),
        "mse_number": (lambda x, y: ops.mse_loss(x, 1.0),),
        "mse_integers": (lambda x, y: ops.mse_loss(x, y.astype(ms.int64)),),
        "mse_both_integers": (lambda x, y: ops.mse_loss(Tensor([1, 2]), Tensor([2, 4])),),
        "mse_half": (lambda x, y: ops.mse_loss(x, y.astype(ms.float16)),),
        "l1_number": (lambda x, y: ops.l1_loss(x, 1.0),),
        "l1_at_zero": (lambda x, y: ms.grad(ops.l1_loss)(y, y),),
        "smooth_l1_shape": (lambda x, y: ops.smooth_l1_loss(x, grid(3)),),
        "smooth_l1_beta": (lambda x, y: ops.smooth_l1_loss(x, y, -1.0),),
        "huber_delta": (lambda x, y: ops.huber_loss(x, y, "mean", -1.0),),
        "bce_extremes": (lambda x, y: ops.binary_cross_entropy(1 - y, y, reduction="none"),),
        "bce_dtype": (lambda x, y: ops.binary_cross_entropy(x, y.astype(ms.int64)),),
        "bce_shape": (lambda x, y: ops.binary_cross_entropy(x, grid(3)),),
        "bce_logits_dtype": (
            lambda x, y: ops.binary_cross_entropy_with_logits(x, y.astype(ms.int64)),
        ),
        "kl_div_batchmean": (lambda x, y: ops.kl_div(x[None], y[None], "batchmean"),),
        "kl_div_gradient_at_zero": (lambda x, y: ms.grad(ops.kl_div)(x, y),),
    },
    tol=SOFT,
)
def loss_of(make):
    return make(Tensor(P), Tensor(Y))


def labels(*values, dtype=ms.int32):
    return Tensor(list(values), dtype)


CLASSES = {
    "plain": (lambda x, f: f(x, labels(0, 2)),),
    "int64": (lambda x, f: f(x, labels(0, 2, dtype=ms.int64)),),
    "sum": (lambda x, f: f(x, labels(0, 2), reduction="sum"),),
    "none": (lambda x, f: f(x, labels(0, 2), reduction="none"),),
    "bad": (lambda x, f: f(x, labels(0, 2), reduction="bad"),),
    "weight": (lambda x, f: f(x, labels(0, 2), Tensor([1.0, 2.0, 3.0])),),
    "ignored": (lambda x, f: f(x, labels(0, -100)),),
    "ignore_index": (lambda x, f: f(x, labels(0, 2), ignore_index=2, reduction="none"),),
    "smooth": (lambda x, f: f(x, labels(0, 2), label_smoothing=0.1),),
    "smooth_weight": (
        lambda x, f: f(x, labels(0, 2), Tensor([1.0, 2.0, 3.0]), label_smoothing=0.1),
    ),
    "vector": (lambda x, f: f(x[0], Tensor(1, ms.int32)),),
    "image": (lambda x, f: f(grid(1, 3, 2), labels([0, 2])),),
    "out_of_range": (lambda x, f: f(x, labels(0, 5)),),
}


@case.table(CLASSES, tol=SOFT)
def cross_entropy(make):
    return make(grid(2, 3), ops.cross_entropy)


@case.table({k: v for k, v in CLASSES.items() if k not in ("bad", "out_of_range")}, tol=1e-5)
def gradient_of_cross_entropy(make):
    return ms.grad(lambda x: make(x, ops.cross_entropy))(grid(2, 3))


@case.table({k: v for k, v in CLASSES.items() if k != "bad"}, tol=SOFT)
def nll_loss(make):
    return make(grid(2, 3), ops.nll_loss)


@case.table(
    {
        "plain": (lambda x, p: ops.cross_entropy(x, p),),
        "weight": (
            lambda x, p: ops.cross_entropy(x, p, Tensor([1.0, 2.0, 3.0]), reduction="none"),
        ),
        "smooth": (lambda x, p: ops.cross_entropy(x, p, label_smoothing=0.1),),
        "float_labels": (lambda x, p: ops.cross_entropy(x, Tensor([0.0, 2.0])),),
        "pair": (lambda x, p: ops.SoftmaxCrossEntropyWithLogits()(x, p),),
        "pair_gradient": (
            lambda x, p: ms.grad(lambda a: ops.SoftmaxCrossEntropyWithLogits()(a, p)[0])(x),
        ),
        "sparse": (lambda x, p: ops.SparseSoftmaxCrossEntropyWithLogits()(x, labels(0, 2)),),
        "sparse_gradient": (
            lambda x, p: ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(x, labels(0, 2)),
        ),
        "NLLLoss": (lambda x, p: ops.NLLLoss()(x, labels(0, 2), Tensor([1.0, 2.0, 3.0])),),
        "NLLLoss_none": (
            lambda x, p: ops.NLLLoss("none")(x, labels(0, 2), Tensor([1.0, 2.0, 3.0])),
        ),
    },
    tol=1e-5,
)
def of_probabilities(make):
    return make(grid(2, 3), Tensor([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]))


WRITES = {
    "tensor": (lambda p, f: f(p, Tensor([3.0, 4.0])),),
    "integers": (lambda p, f: f(p, Tensor([3, 4])),),
    "number": (lambda p, f: f(p, 3),),
    "shape": (lambda p, f: f(p, Tensor([3.0])),),
    "longer": (lambda p, f: f(p, Tensor([3.0, 4.0, 5.0])),),
    "double": (lambda p, f: f(p, Tensor([3.0, 4.0], ms.float64)),),
    "list": (lambda p, f: f(p, [1.0, 2.0]),),
    "numpy": (lambda p, f: f(p, np.array([1.0, 2.0])),),
    "none": (lambda p, f: f(p, None),),
    "a_number": (lambda p, f: f(3, Tensor([3.0, 4.0])),),
    "plain_tensor": (lambda p, f: f(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])),),
}
WRITERS = {
    "assign": lambda: ops.assign,
    "assign_add": lambda: ops.assign_add,
    "assign_sub": lambda: ops.assign_sub,
    "Assign": lambda: ops.Assign(),
    "AssignAdd": lambda: ops.AssignAdd(),
    "AssignSub": lambda: ops.AssignSub(),
}


@case.table({f"{w}_{k}": (WRITES[k][0], f) for k in WRITES for w, f in WRITERS.items()})
def assigned(write, function):
    parameter = Parameter(Tensor([1.0, 2.0]), name="p")
    return write(parameter, function()), parameter


@case.table(
    {
        "int": (1.0, 3),
        "float": (1.0, 3.5),
        "float_into_int": (1, 3.5),
        "int_into_int": (1, 3),
    }
)
def assigned_number(start, value):
    parameter = Parameter(Tensor(start), name="p")
    return ops.assign(parameter, value), ops.assign_add(parameter, 1), parameter


@case
def what_assign_returns_is_a_copy():
    parameter = Parameter(Tensor([1.0, 2.0]), name="p")
    result = ops.assign(parameter, Tensor([3.0, 4.0]))
    result[0] = 9
    return parameter, result is parameter


@case.table(
    {
        "number": (3,),
        "none": (None,),
        "text": ("a",),
        "tuple": ((1, 2.0),),
    }
)
def stopped(value):
    return ops.stop_gradient(value)


@case.table(
    {
        "stop_gradient": (lambda x: x * ops.stop_gradient(x),),
        "stop_gradient_tuple": (lambda x: x * ops.stop_gradient((x, 2))[0],),
        "stop_gradient_list": (lambda x: x * ops.stop_gradient([x, 2])[0],),
        "identity": (lambda x: ops.identity(x) * x,),
        "Identity": (lambda x: ops.Identity()(x) * x,),
        "depend": (lambda x: ops.depend(x, x * 2) * x,),
        "Depend": (lambda x: ops.Depend()(x, x * 2) * x,),
        "partial": (lambda x: ops.partial(lambda a, b: a * b, x)(x),),
        "hyper_map": (lambda x: ops.HyperMap()(lambda a: a * a, (x, (x,)))[1][0],),
    }
)
def flow(function):
    x = Tensor([2.0, 3.0])
    return function(x), ms.grad(function)(x)


@case.table(
    {
        "tuple": (lambda m, a, b: m(lambda v: v * 2, (a, (b,))),),
        "list": (lambda m, a, b: m(lambda v: v * 2, [a, b]),),
        "two": (lambda m, a, b: m(lambda v, w: v * w, (a, b), (b, a)),),
        "shortest": (lambda m, a, b: m(lambda v, w: v * w, (a, b), (b,)),),
        "partial": (lambda m, a, b: m(ops.partial(lambda v, w: v * w, a), (a, b)),),
        "tensor": (lambda m, a, b: m(lambda v: v * 2, a),),
        "empty": (lambda m, a, b: m(lambda v: v * 2, ()),),
        "number": (lambda m, a, b: m(lambda v: v * 2, (a, 3)),),
        "primitive": (lambda m, a, b: m(ops.ReLU(), (a, b)),),
    }
)
def mapped(call):
    return call(ops.HyperMap(), Tensor(2.0), Tensor(3.0))


@case
def mapped_one_level():
    return ops.Map()(lambda v: v, ((Tensor(1.0),), Tensor(2.0)))


@case.table(
    {
        "tensor": (lambda f: f(Tensor(2.0)),),
        "number": (lambda f: f(2),),
        "tensors": (lambda f: f(Tensor(2.0), Tensor(3.0)),),
        "unknown": (lambda f: f("a"),),
    }
)
def by_type(call):
    graph = ops.MultitypeFuncGraph("graph")

    @graph.register("Tensor")
    def _tensor(x):
        return x * 2

    @graph.register("Number")
    def _number(x):
        return x * 3

    @graph.register("Tensor", "Tensor")
    def _tensors(x, y):
        return x * y

    return call(graph)


VALUES = {
    "int": 2,
    "float": 2.5,
    "bool": True,
    "tensor": Tensor([1.0]),
    "text": "a",
    "none": None,
    "tuple": (1,),
}


@case.table(
    {
        f"{kind}{'' if isinstance(kind, str) else '_itself'}": (kind,)
        for kind in ("Int", "Int64", "Int32", "Float", "Float64", "Bool", "Number", "String")
        + ("int64", "float", ms.int64, ms.float64, ms.number, ms.tensor_type)
    }
)
def values_of_a_type(kind):
    graph = ops.MultitypeFuncGraph("graph")

    @graph.register(kind)
    def _one(x):
        return 1

    @graph.register("Slice")
    def _other(x):
        return 2

    found = []
    for name, value in VALUES.items():
        try:
            found.append((name, graph(value)))
        except ValueError:
            found.append(name)
    return found


@case.table({name: (value,) for name, value in VALUES.items()})
def only_one_implementation(value):
    graph = ops.MultitypeFuncGraph("graph")

    @graph.register("RowTensor")
    def _one(x):
        return 1

    return graph(value)


@case.table({"few": ((),), "many": ((1, 2),), "partial": (None,)})
def arguments_of_the_only_one(args):
    graph = ops.MultitypeFuncGraph("graph")

    @graph.register("Int64", "Tensor")
    def _one(*given):
        (x, y) = given
        return x * y

    if args is None:
        return ops.HyperMap()(ops.partial(graph, 2), (Tensor([1.0]), Tensor([3.0])))
    return graph(*args)


@case
def identity_of_a_number():
    return ops.identity(3), ops.depend(3, Tensor(1.0)), ops.is_tensor(3), ops.is_tensor(Tensor(1))


@case
def Identity_of_a_number():
    return ops.Identity()(3)


@case(prints=True)
def printed():
    return ops.print_("a", 3)


@case(prints=True)
def dropout_that_drops_nothing():
    x = Tensor([1.0, 2.0])
    return ops.dropout(x, 0.0), ops.dropout(x, 0.5, False), ops.Dropout(1.0)(x)


@case.table(
    {
        "one": (lambda x: ops.dropout(x, 1.0),),
        "above": (lambda x: ops.dropout(x, 1.5),),
        "int": (lambda x: ops.dropout(x, 0),),
        "integers": (lambda x: ops.dropout(x.astype(ms.int64), 0.5),),
    }
)
def dropout_refused(call):
    return call(Tensor([1.0, 2.0]))


@case
def dropout_keeps_the_mean():
    x = ops.ones((1000,))
    kept = ops.dropout(x, 0.25)
    return sorted(set(np.round(kept.asnumpy(), 4).tolist())), abs(float(kept.mean()) - 1) < 0.1
