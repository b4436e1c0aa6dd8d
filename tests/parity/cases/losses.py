"""Losses: values and gradients for every reduction, what LossBase offers, and errors."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

# MindSpore's CPU kernels take exp and log from short polynomials: 3e-6 off at most.
APPROXIMATE = 5e-5


def x():
    return Tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]], ms.float32)


def y():
    return Tensor([[1.5, 2.0, 1.0], [0.0, -1.0, 4.0]], ms.float32)


def p():
    return Tensor([[0.1, 0.5, 0.9], [0.3, 0.25, 0.6]], ms.float32)


def q():
    return Tensor([[0.0, 1.0, 0.7], [0.2, 0.5, 1.0]], ms.float32)


def logp():
    return Tensor(np.log([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]]).astype(np.float32))


def labels():
    return Tensor([1, 2], ms.int32)


LOSSES = {
    "L1": (lambda r: nn.L1Loss(r), x, y),
    "MSE": (lambda r: nn.MSELoss(r), x, y),
    "SmoothL1": (lambda r: nn.SmoothL1Loss(reduction=r), x, y),
    "SmoothL1_beta": (lambda r: nn.SmoothL1Loss(0.5, r), x, y),
    "SmoothL1_beta_0": (lambda r: nn.SmoothL1Loss(0.0, r), x, y),
    "Huber": (lambda r: nn.HuberLoss(r), x, y),
    "Huber_delta": (lambda r: nn.HuberLoss(r, 0.5), x, y),
    "BCE": (lambda r: nn.BCELoss(reduction=r), p, q),
    "BCE_weight": (lambda r: nn.BCELoss(x() + 2.0, r), p, q),
    "BCEWithLogits": (lambda r: nn.BCEWithLogitsLoss(r), x, q),
    "BCEWithLogits_weights": (
        lambda r: nn.BCEWithLogitsLoss(r, Tensor([1.0, 2.0, 3.0]), Tensor([2.0, 1.0, 0.5])),
        x,
        q,
    ),
    "CrossEntropy": (lambda r: nn.CrossEntropyLoss(reduction=r), x, labels),
    "CrossEntropy_probabilities": (lambda r: nn.CrossEntropyLoss(reduction=r), x, p),
    "CrossEntropy_weight": (
        lambda r: nn.CrossEntropyLoss(Tensor([1.0, 2.0, 3.0]), reduction=r),
        x,
        labels,
    ),
    "CrossEntropy_ignore": (lambda r: nn.CrossEntropyLoss(ignore_index=1, reduction=r), x, labels),
    "CrossEntropy_smoothing": (
        lambda r: nn.CrossEntropyLoss(label_smoothing=0.1, reduction=r),
        x,
        labels,
    ),
    "NLL": (lambda r: nn.NLLLoss(reduction=r), logp, labels),
    "NLL_weight": (lambda r: nn.NLLLoss(Tensor([1.0, 2.0, 3.0]), reduction=r), logp, labels),
    "NLL_ignore": (lambda r: nn.NLLLoss(ignore_index=1, reduction=r), logp, labels),
    "Softmax": (lambda r: nn.SoftmaxCrossEntropyWithLogits(reduction=r), x, p),
    "Softmax_sparse": (lambda r: nn.SoftmaxCrossEntropyWithLogits(True, r), x, labels),
    "Softmax_sparse_int64": (
        lambda r: nn.SoftmaxCrossEntropyWithLogits(True, r),
        x,
        lambda: Tensor([1, 2]),
    ),
}
REDUCED = {
    f"{key}-{reduction}": (make, logits, wanted, reduction)
    for key, (make, logits, wanted) in LOSSES.items()
    for reduction in ("mean", "sum", "none")
}


@case.table(REDUCED, tol=APPROXIMATE)
def value(make, logits, wanted, reduction):
    loss = make(reduction)
    return loss(logits(), wanted()), repr(loss)


@case.table(REDUCED, tol=APPROXIMATE)
def gradient(make, logits, wanted, reduction):
    return ms.grad(make(reduction))(logits(), wanted())


CLASSES = (
    "L1Loss",
    "MSELoss",
    "SmoothL1Loss",
    "HuberLoss",
    "BCELoss",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "NLLLoss",
    "SoftmaxCrossEntropyWithLogits",
    "LossBase",
)


@case.table({name: (getattr, name) for name in CLASSES})
def default_reduction(get, name):
    loss = get(nn, name)()
    return loss.reduce, loss.average, isinstance(loss, nn.LossBase), isinstance(loss, nn.Cell)


@case.table(
    {
        f"{name}-{key}": (
            lambda name=name, reduction=reduction: getattr(nn, name)(reduction=reduction),
        )
        for name in CLASSES
        if name != "BCEWithLogitsLoss"
        for key, reduction in {"bad": "bad", "MEAN": "MEAN", "None": None, "3": 3}.items()
    },
    message=True,
)
def wrong_reduction(make):
    return repr(make())


@case.table(
    {
        "smoothing_2": (lambda: nn.CrossEntropyLoss(label_smoothing=2.0),),
        "smoothing_str": (lambda: nn.CrossEntropyLoss(label_smoothing="a"),),
        "smoothing_int": (lambda: nn.CrossEntropyLoss(label_smoothing=0),),
        "weight_int": (lambda: nn.CrossEntropyLoss(weight=3),),
        "ignore_str": (lambda: nn.CrossEntropyLoss(ignore_index="a"),),
        "int64_labels": (lambda: nn.CrossEntropyLoss()(x(), Tensor([1, 2])),),
        "sparse_int": (lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=1),),
        "huber_delta_0": (lambda: nn.HuberLoss(delta=0.0)(x(), y()),),
        "bad_name": (lambda: nn.MSELoss("avg"),),
    },
    message=True,
)
def errors(call):
    return repr(call())


@case.table(
    {
        "mse_shapes": (lambda: nn.MSELoss()(x(), Tensor([1.0, 2.0])),),
        "mse_numpy": (lambda: nn.MSELoss()(x(), np.ones((2, 3), np.float32)),),
        "mse_number": (lambda: nn.MSELoss()(x(), 1.0),),
        "l1_number": (lambda: nn.L1Loss()(x(), 1.0),),
        "l1_lists": (lambda: nn.L1Loss()([1.0], [2.0]),),
        "smooth_shapes": (lambda: nn.SmoothL1Loss()(x(), Tensor([1.0, 2.0, 3.0])),),
        "bce_shapes": (lambda: nn.BCELoss()(p(), Tensor([0.1, 0.2, 0.3])),),
        "bce_dtypes": (lambda: nn.BCELoss()(p(), Tensor([[1, 0, 1], [0, 1, 0]])),),
        "bce_logits_shapes": (lambda: nn.BCEWithLogitsLoss()(x(), Tensor([0.1, 0.2, 0.3])),),
        "bce_logits_int": (lambda: nn.BCEWithLogitsLoss()(x(), Tensor([[1, 0, 1], [0, 1, 0]])),),
        "cross_entropy_numpy": (lambda: nn.CrossEntropyLoss()(x().asnumpy(), labels()),),
        "cross_entropy_shapes": (lambda: nn.CrossEntropyLoss()(x(), Tensor([1, 1, 1], ms.int32)),),
        "cross_entropy_label": (lambda: nn.CrossEntropyLoss()(x(), Tensor([1, 3], ms.int32)),),
        "softmax_numpy": (lambda: nn.SoftmaxCrossEntropyWithLogits(True)(x(), np.array([1, 2])),),
        "softmax_dense_sparse": (lambda: nn.SoftmaxCrossEntropyWithLogits()(x(), labels()),),
        "softmax_vector": (
            lambda: nn.SoftmaxCrossEntropyWithLogits(True)(x()[0], Tensor(1, ms.int32)),
        ),
        "softmax_half": (
            lambda: nn.SoftmaxCrossEntropyWithLogits(True)(x().astype(ms.float16), labels()),
        ),
        "softmax_float_labels": (
            lambda: nn.SoftmaxCrossEntropyWithLogits(True)(x(), Tensor([1.0, 2.0])),
        ),
        "base_call": (lambda: nn.LossBase()(x(), y()),),
        "one_input": (lambda: nn.MSELoss()(x()),),
    }
)
def error_types(call):
    return call()


@case.table(
    {
        "l1_broadcast": (lambda: nn.L1Loss()(x(), Tensor([1.0, 2.0, 3.0])),),
        "mse_broadcast": (lambda: nn.MSELoss()(x(), Tensor([1.0, 2.0, 3.0])),),
        "mse_mixed": (lambda: nn.MSELoss()(x(), y().astype(ms.float16)),),
        "cross_entropy_vector": (lambda: nn.CrossEntropyLoss()(x()[0], Tensor(1, ms.int32)),),
        "cross_entropy_all_ignored": (
            lambda: nn.CrossEntropyLoss(ignore_index=1)(x(), Tensor([1, 1], ms.int32)),
        ),
        "cross_entropy_images": (
            lambda: nn.CrossEntropyLoss()(
                Tensor(np.arange(24).reshape(2, 3, 2, 2) / 10, ms.float32),
                Tensor(np.ones((2, 2, 2)), ms.int32),
            ),
        ),
        "softmax_label_outside": (
            lambda: nn.SoftmaxCrossEntropyWithLogits(True)(x(), Tensor([1, 3], ms.int32)),
        ),
    },
    tol=APPROXIMATE,
)
def further(call):
    return call()


@case
def cross_entropy_of_half_precision():
    return nn.CrossEntropyLoss()(x().astype(ms.float16), labels())


@case.table(
    {
        "mean": (lambda: nn.LossBase().get_loss(x()),),
        "sum": (lambda: nn.LossBase("sum").get_loss(x()),),
        "none": (lambda: nn.LossBase("none").get_loss(x()),),
        "number": (lambda: nn.LossBase().get_loss(x(), 2.0),),
        "tensor": (lambda: nn.LossBase("sum").get_loss(x(), Tensor([1.0, 2.0, 3.0])),),
        "half": (lambda: nn.LossBase().get_loss(x().astype(ms.float16)),),
        "ints": (lambda: nn.LossBase().get_loss(Tensor([1, 2, 4])),),
        "str": (lambda: nn.LossBase().get_loss(x(), "a"),),
        "axis": (lambda: nn.LossBase().get_axis(x()),),
        "axis_of_scalar": (lambda: nn.LossBase().get_axis(Tensor(1.0)),),
    }
)
def get_loss(call):
    return call()


@case
def own_loss():
    class Mine(nn.LossBase):
        def construct(self, logits, labels):
            return self.get_loss((logits - labels) ** 2, Tensor([1.0, 0.0, 2.0]))

    return Mine()(x(), y()), Mine("sum")(x(), y()), Mine("none")(x(), y())


@case.table({"sparse": (True, labels), "dense": (False, lambda: p().astype(ms.float16))}, tol=2e-3)
def softmax_of_half_precision(sparse, made):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse, "mean")
    logits = x().astype(ms.float16)
    target = made()
    return loss(logits, target), ms.grad(lambda logits: loss(logits, target))(logits)


LABELS = {
    "column": [[1], [2]],
    "pairs": [[1, 0], [2, 0]],
    "as_wide_as_the_logits": [[1, 0, 2], [2, 0, 0]],
}
OPTIONS = {
    "mean": {},
    "none": {"reduction": "none"},
    "weight": {"weight": Tensor([1.0, 2.0, 3.0])},
    "ignored": {"ignore_index": 1},
    "smoothing": {"label_smoothing": 0.1},
}


@case.table(
    {f"{n}_{kind}": (v, OPTIONS[kind]) for n, v in LABELS.items() for kind in OPTIONS},
    tol=APPROXIMATE,
)
def labels_with_the_rank_of_the_logits(values, options):
    logits, labels = Tensor([[1.0, 2.0, 0.5], [0.1, 0.2, 0.9]]), Tensor(values, ms.int32)

    def loss(logits):
        return ops.cross_entropy(logits, labels, **options)

    return loss(logits), ops.nll_loss(logits, labels, **options), ms.grad(loss)(logits)


@case.table({"int32": (ms.int32,), "bool": (ms.bool_,), "float64": (ms.float64,)})
def labels_refused_by_the_layer(dtype):
    return nn.CrossEntropyLoss()(x(), Tensor([[1, 0, 0], [0, 1, 0]], dtype))


@case
def bools_as_labels():
    return ops.cross_entropy(x(), Tensor([True, False]))
