"""Metrics: results after several updates, clearing, the errors of constructors and updates."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, train

from tests.parity.case import case

SCORES = [[0.2, 0.5, 0.3], [0.3, 0.1, 0.6], [0.9, 0.06, 0.04], [0.1, 0.8, 0.1]]
LABELS = [1, 2, 1, 0]
MANY = [[1, 0, 1], [0, 1, 0], [1, 1, 1]]
MANY_LABELS = [[1, 0, 0], [0, 1, 1], [1, 0, 1]]


def f32(values):
    return Tensor(np.array(values), ms.float32)


def i32(values):
    return Tensor(np.array(values), ms.int32)


def one_hot(labels, classes=3):
    return f32(np.eye(classes)[np.array(labels)])


def classes():
    return f32(SCORES), i32(LABELS)


def classes_one_hot():
    return f32(SCORES), one_hot(LABELS)


def multilabel():
    return i32(MANY), i32(MANY_LABELS)


def values():
    return f32([0.1, 0.2, 0.6, 0.9]), f32([0.1, 0.25, 0.7, 0.9])


def table_values():
    return f32([[0.1, 0.2], [0.6, 0.9]]), f32([[0.1, 0.25], [0.7, 0.9]])


METRICS = {
    "accuracy": (lambda: nn.Accuracy(), classes),
    "accuracy_one_hot": (lambda: nn.Accuracy("classification"), classes_one_hot),
    "accuracy_multilabel": (lambda: train.Accuracy("multilabel"), multilabel),
    "accuracy_image": (
        lambda: nn.Accuracy(),
        lambda: (f32(np.arange(24).reshape(2, 3, 4) % 5), i32([[0, 1, 2, 0], [2, 2, 1, 0]])),
    ),
    "loss": (lambda: nn.Loss(), lambda: (Tensor(0.5, ms.float32),)),
    "loss_vector": (lambda: nn.Loss(), lambda: (f32([0.5]),)),
    "mae": (lambda: nn.MAE(), values),
    "mae_table": (lambda: nn.MAE(), table_values),
    "mse": (lambda: nn.MSE(), values),
    "mse_table": (lambda: nn.MSE(), table_values),
    "precision": (lambda: nn.Precision("classification"), classes),
    "precision_one_hot": (lambda: nn.Precision("classification"), classes_one_hot),
    "precision_multilabel": (lambda: nn.Precision("multilabel"), multilabel),
    "recall": (lambda: nn.Recall("classification"), classes),
    "recall_one_hot": (lambda: nn.Recall("classification"), classes_one_hot),
    "recall_multilabel": (lambda: nn.Recall("multilabel"), multilabel),
    "f1": (lambda: nn.F1(), classes),
    "f1_one_hot": (lambda: nn.F1(), classes_one_hot),
    "fbeta": (lambda: nn.Fbeta(2), classes),
    "fbeta_half": (lambda: nn.Fbeta(0.5), classes),
    "topk": (lambda: nn.TopKCategoricalAccuracy(2), classes),
    "topk_one_hot": (lambda: nn.TopKCategoricalAccuracy(2), classes_one_hot),
    "top1": (lambda: nn.Top1CategoricalAccuracy(), classes),
    "top5": (
        lambda: nn.Top5CategoricalAccuracy(),
        lambda: (f32(np.arange(24).reshape(3, 8) * 7 % 11), i32([0, 3, 6])),
    ),
    "confusion": (lambda: nn.ConfusionMatrix(3), lambda: (i32([1, 0, 1, 2]), i32([1, 0, 2, 2]))),
    "confusion_scores": (lambda: nn.ConfusionMatrix(3), classes),
    "confusion_target": (lambda: nn.ConfusionMatrix(3, "target"), classes),
    "confusion_prediction": (lambda: nn.ConfusionMatrix(3, "prediction"), classes),
    "confusion_all": (lambda: nn.ConfusionMatrix(3, "all"), classes),
    "confusion_threshold": (
        lambda: nn.ConfusionMatrix(2, threshold=0.4),
        lambda: (f32([0.3, 0.5, 0.4, 0.9]), i32([0, 1, 1, 0])),
    ),
    "perplexity": (
        lambda: nn.Perplexity(),
        lambda: (f32([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), i32([0, 1, 1])),
    ),
    "perplexity_ignore": (
        lambda: nn.Perplexity(ignore_label=1),
        lambda: (f32([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), i32([0, 1, 1])),
    ),
    "dice": (
        lambda: nn.Dice(smooth=1e-5),
        lambda: (f32([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), f32([[0, 1], [1, 0], [0, 1]])),
    ),
    "auto_names": (lambda: nn.get_metric_fn("acc"), classes),
    "named_with_arguments": (lambda: train.get_metric_fn("topk", 2), classes),
}
METRICS.update(
    {
        f"cosine_{kind}_{reduction}_{zero}": (
            lambda k=kind, r=reduction, z=zero: nn.CosineSimilarity(k, r, z),
            lambda: (np.array([[1.0, 3.0, 4.0], [2.0, 4.0, 2.0], [0.0, 1.0, 5.0]]),),
        )
        for kind in ("cosine", "dot")
        for reduction in ("none", "sum", "mean")
        for zero in (True, False)
    }
)


# The sums are of float32, in an order of their own.
@case.table(METRICS, message=True, tol=1e-6)
def after_two_updates(make, inputs):
    metric = make()
    metric.clear()
    metric.update(*inputs())
    first = metric.eval()
    metric.update(*inputs())
    second = metric.eval()
    metric.clear()
    metric.update(*inputs())
    return first, second, metric.eval()


@case.table(METRICS, message=True)
def before_any_update(make, _):
    return make().eval()


@case.table(
    {name: METRICS[name] for name in ("accuracy", "mae", "precision", "f1", "topk", "loss")}
)
def called(make, inputs):
    return make()(*inputs())


@case.table({name: METRICS[name] for name in ("accuracy", "mae", "loss", "topk", "confusion")})
def of_numpy_and_lists(make, inputs):
    metric = make()
    metric.update(*(item.asnumpy() for item in inputs()))
    first = metric.eval()
    metric.clear()
    metric.update(*(item.asnumpy().tolist() for item in inputs()))
    return first, metric.eval()


@case.table(
    {
        "precision_multilabel": (lambda: nn.Precision("multilabel"),),
        "recall_multilabel": (lambda: nn.Recall("multilabel"),),
    }
)
def averaged(make):
    metric = make()
    metric.clear()
    rows = multilabel() if metric._type == "multilabel" else classes()
    metric.update(*rows)
    return metric.eval(), metric.eval(True)


@case.table({"average": (True,), "each": (False,), "nothing": ()})
def fbeta_averaged(*average):
    metric = nn.Fbeta(1)
    metric.clear()
    metric.update(*classes())
    return metric.eval(*average)


@case.table(
    {
        "fbeta_0": (lambda: nn.Fbeta(0),),
        "fbeta_text": (lambda: nn.Fbeta("a"),),
        "topk_0": (lambda: nn.TopKCategoricalAccuracy(0),),
        "topk_float": (lambda: nn.TopKCategoricalAccuracy(1.5),),
        "topk_text": (lambda: nn.TopKCategoricalAccuracy("a"),),
        "topk_negative": (lambda: nn.TopKCategoricalAccuracy(-1),),
        "confusion_norm": (lambda: nn.ConfusionMatrix(3, "x"),),
        "confusion_classes": (lambda: nn.ConfusionMatrix("a"),),
        "confusion_zero": (lambda: nn.ConfusionMatrix(0),),
        "confusion_threshold": (lambda: nn.ConfusionMatrix(3, threshold="a"),),
        "cosine_kind": (lambda: nn.CosineSimilarity("x"),),
        "cosine_reduction": (lambda: nn.CosineSimilarity("cosine", "x"),),
        "cosine_zero": (lambda: nn.CosineSimilarity("cosine", "none", 1),),
        "dice_smooth": (lambda: nn.Dice("a"),),
        "dice_negative": (lambda: nn.Dice(-1.0),),
        "perplexity": (lambda: nn.Perplexity("a"),),
    },
    message=True,
)
def refused(make):
    return make()


# The text is Python's, which changes with its version.
@case
def abstract():
    return nn.Metric()


UPDATES = {
    "accuracy_one": ("acc", lambda: (f32(SCORES),)),
    "accuracy_three": ("acc", lambda: (f32(SCORES), i32(LABELS), i32(LABELS))),
    "accuracy_batch": ("acc", lambda: (f32(SCORES), i32(LABELS[:2]))),
    "accuracy_same_rank": ("acc", lambda: (f32(SCORES), f32(SCORES)[:, :2])),
    "accuracy_vector": ("acc", lambda: (f32([1.0, 2.0]), i32([1, 2]))),
    "accuracy_changes": ("acc", lambda: (f32([[[1.0, 2.0]]]), i32([1]))),
    "loss_two": ("loss", lambda: (f32(1.0), f32(1.0))),
    "loss_vector": ("loss", lambda: (f32([1.0, 2.0]),)),
    "mae_one": ("mae", lambda: (f32([1.0]),)),
    "mae_shapes": ("mae", lambda: (f32([1.0, 2.0]), f32([1.0]))),
    "mse_one": ("mse", lambda: (f32([1.0]),)),
    "precision_one": ("precision", lambda: (f32([1.0]),)),
    "precision_large_label": ("precision", lambda: (f32(SCORES), i32([1, 2, 3, 0]))),
    "recall_one": ("recall", lambda: (f32([1.0]),)),
    "recall_large_label": ("recall", lambda: (f32(SCORES), i32([1, 2, 3, 0]))),
    "f1_one": ("F1", lambda: (f32([1.0]),)),
    "f1_large_label": ("F1", lambda: (f32(SCORES), i32([1, 2, 3, 0]))),
    "top_1_one": ("top_1_accuracy", lambda: (f32([1.0]),)),
    "top_1_vector": ("top_1_accuracy", lambda: (f32([1.0]), i32([1]))),
    "perplexity_one": ("perplexity", lambda: (f32([1.0]),)),
    "perplexity_shapes": ("perplexity", lambda: (f32(SCORES), i32([1]))),
    "dice_one": ("dice", lambda: (f32([1.0]),)),
    "dice_shapes": ("dice", lambda: (f32([1.0]), f32([1.0, 0.0]))),
    "text": ("acc", lambda: ("a", "b")),
}


@case.table(UPDATES, message=True)
def update_refused(name, inputs):
    metric = train.get_metric_fn(name, *(("classification",) if name in ("acc",) else ()))
    metric.clear()
    metric.update(*inputs())
    return metric.eval()


@case.table(
    {
        "accuracy": (lambda: nn.Accuracy("other"),),
        "number": (lambda: nn.Accuracy(3),),
        "precision": (lambda: nn.Precision("other"),),
        "recall": (lambda: nn.Recall("other"),),
    }
)
def eval_type_refused(make):
    return make()


@case
def unknown_name():
    return nn.get_metric_fn("other")


@case
def names():
    return train.names()


class Largest(nn.Metric):
    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self.value = 0.0

    def update(self, *inputs):
        self.value = max(self.value, float(self._convert_data(inputs[0]).max()))

    def eval(self):
        return self.value


@case
def own():
    metric = Largest()
    metric.update(f32([1.0, 3.0]))
    return metric.eval(), metric.indexes, metric(f32([2.0])), metric.indexes


@case.table(
    {"swap": ([1, 0],), "pick": ([2, 0],), "tuple": ((0, 1),), "text": ("a",)}, message=True
)
def set_indexes(indexes):
    metric = nn.Accuracy()
    same = metric.set_indexes(indexes) is metric
    return same, metric.indexes, metric(i32(LABELS), f32(SCORES), f32(SCORES))


class Ordered(nn.Metric):
    @nn.rearrange_inputs
    def update(self, *inputs):
        self.seen = [item.asnumpy() for item in inputs]

    def clear(self):
        self.seen = None

    def eval(self):
        return self.seen


@case.table({"none": (None,), "swap": ([1, 0],), "drop": ([2],)})
def rearranged(indexes):
    metric = Ordered()
    if indexes is not None:
        metric.set_indexes(indexes)
    metric.update(f32(1.0), f32(2.0), f32(3.0))
    return metric.eval()


@case.table(
    {"list": ([1.0, 2.0],), "number": (1.0,), "None": (None,), "tuple": ((1,),)}, message=True
)
def converted(data):
    return Ordered()._convert_data(data)
