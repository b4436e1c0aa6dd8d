"""BLEU, ROC, surfaces, rates of a confusion matrix, occlusion: values and wrong arguments."""

import numpy as np
from mindspore import Tensor, nn, train

from tests.parity.case import case


def masks(shift=1):
    first = np.zeros((6, 7), np.int64)
    first[1:4, 2:5] = 1
    return first, np.roll(first, (shift, 2 * shift), (0, 1)) + (np.arange(42).reshape(6, 7) == 40)


def seen(metric, *batches):
    metric.clear()
    for batch in batches:
        metric.update(*batch)
    return metric.eval()


SURFACES = {
    f"{name}-{key}": (name, settings)
    for name, more in {
        "HausdorffDistance": {
            "directed": {"directed": True},
            "percentile": {"percentile": 90.0},
            "whole": {"crop": False},
        },
        "MeanSurfaceDistance": {"symmetric": {"symmetric": True}},
        "RootMeanSquareDistance": {"symmetric": {"symmetric": True}},
    }.items()
    for key, settings in {
        "plain": {},
        "chessboard": {"distance_metric": "chessboard"},
        "taxicab": {"distance_metric": "taxicab"},
        **more,
    }.items()
}


@case.table(SURFACES)
def surface(name, settings):
    first, second = masks()
    metric = getattr(nn, name)(**settings)
    return metric(first, second, 1), metric(Tensor(second), Tensor(first), 0), metric.eval()


@case.table({name: (name,) for name in ("HausdorffDistance", "MeanSurfaceDistance")})
def surface_of_one(name):
    first, _ = masks()
    return getattr(nn, name)()(first, np.zeros_like(first), 1)


WORDS = [["the", "cat", "sat", "on", "the", "mat"], ["a", "dog", "ran", "far", "away"]]
REFERENCES = [
    [["the", "cat", "sat", "on", "a", "mat"], ["there", "sat", "the", "cat"]],
    [["a", "dog", "ran", "very", "far", "away", "today"]],
]


@case.table(
    {
        "4": ({},),
        "2": ({"n_gram": 2},),
        "smooth": ({"n_gram": 3, "smooth": True},),
    }
)
def bleu(settings):
    metric = nn.BleuScore(**settings)
    whole = seen(metric, (WORDS, REFERENCES))
    return whole, seen(metric, (WORDS[:1], REFERENCES[:1]), (WORDS[1:], REFERENCES[1:]))


@case
def roc():
    scores = np.array([0.1, 0.6, 0.3, 0.9, 0.6], np.float32)
    labels = np.array([0, 1, 0, 1, 0])
    # 2.10 mixes up scores of classes where there are not as many samples as classes.
    of_classes = np.array([[0.7, 0.2, 0.1], [0.1, 0.4, 0.5], [0.3, 0.3, 0.4]])
    one = seen(nn.ROC(), (Tensor(scores), Tensor(labels)))
    several = seen(nn.ROC(class_num=3), (of_classes, np.array([0, 1, 2])))
    area = nn.auc(one[0], one[1]), nn.auc(one[0][::-1].copy(), one[1][::-1].copy())
    return one, several, seen(nn.ROC(pos_label=0), (scores, labels)), area


@case
def area():
    x, y = np.array([0.0, 2.0, 1.0]), np.array([1.0, 3.0, 0.5])
    return nn.auc(x, y, reorder=True), nn.auc(x[:2], y[:2])


NAMES = (
    *("sensitivity", "specificity", "precision", "npv", "miss rate", "fall_out", "fdr", "for"),
    *("pt", "ts", "accuracy", "ba", "F1 score", "mcc", "fm", "bm", "mk"),
)


def one_hot(numbers):
    return np.eye(3)[np.array(numbers)]


@case.table({name: (name,) for name in NAMES})
def rate(name):
    batches = (one_hot([0, 1, 2, 1]), one_hot([0, 2, 2, 1])), (one_hot([1, 0]), one_hot([1, 1]))
    return seen(nn.ConfusionMatrixMetric(True, name), *batches)


@case.table({"mean": ("mean",), "sum": ("sum",)})
def rate_of_batches(decrease):
    rows = np.array([[[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 0, 1]]])
    wanted = np.array([[[1, 1, 1], [0, 1, 0]], [[0, 1, 0], [0, 0, 0]]])
    metric = nn.ConfusionMatrixMetric(True, "tpr", True, decrease)
    first = nn.ConfusionMatrixMetric(False, "acc", True, decrease)
    return seen(metric, (rows, wanted)), seen(first, (rows, wanted), (wanted, rows))


class Scores(nn.Cell):
    def construct(self, x):
        return x.reshape((x.shape[0], -1))[:, :3] * Tensor([1.0, 2.0, 3.0])


@case.table(
    {
        "plain": ({},),
        "margin": ({"margin": 1, "n_batch": 4},),
        "box": ({"b_box": [0, 0, 1, 2, 0, -1]},),
        "value": ({"pad_val": 0.5},),
    }
)
def occlusion(settings):
    image = np.arange(12, dtype=np.float32).reshape(1, 1, 3, 4)
    metric = nn.OcclusionSensitivity(**settings)
    return seen(metric, (Scores(), image, np.array(2)))


@case
def by_name():
    found = [type(train.get_metric_fn(name)).__name__ for name in ("roc", "bleu_score")]
    chosen = nn.get_metrics({"accuracy"})
    return found, {name: type(each).__name__ for name, each in chosen.items()}, nn.get_metrics(None)


@case.table(
    {
        "hausdorff": (lambda: nn.HausdorffDistance("bad"),),
        "hausdorff_percentile": (lambda: nn.HausdorffDistance(percentile=90),),
        "hausdorff_two": (lambda: nn.HausdorffDistance().update(*masks()),),
        "hausdorff_label": (lambda: nn.HausdorffDistance().update(*masks(), 5),),
        "hausdorff_text": (lambda: nn.HausdorffDistance().update(*masks(), "a"),),
        "hausdorff_eval": (lambda: nn.HausdorffDistance().eval(),),
        "mean": (lambda: nn.MeanSurfaceDistance(1),),
        "mean_shapes": (lambda: nn.MeanSurfaceDistance().update(masks()[0], masks()[1][:2], 1),),
        "root_label": (lambda: nn.RootMeanSquareDistance().update(*masks(), "a"),),
        "bleu": (lambda: nn.BleuScore(5),),
        "bleu_smooth": (lambda: nn.BleuScore(smooth=1),),
        "bleu_lengths": (lambda: nn.BleuScore().update(WORDS, REFERENCES[:1]),),
        "bleu_eval": (lambda: nn.BleuScore().eval(),),
        "roc": (lambda: nn.ROC("a"),),
        "roc_classes": (lambda: nn.ROC(2).update(np.ones(2), np.ones(2)),),
        "roc_ranks": (lambda: nn.ROC().update(np.ones((2, 2, 2)), np.ones(2)),),
        "roc_positive": (lambda: seen(nn.ROC(), (np.ones(2), np.zeros(2))),),
        "auc": (lambda: nn.auc([1, 2], [1, 2]),),
        "auc_order": (lambda: nn.auc(np.array([1, 3, 2]), np.array([1, 2, 3])),),
        "auc_lengths": (lambda: nn.auc(np.array([1, 2]), np.array([1])),),
        "rates": (lambda: nn.ConfusionMatrixMetric(1),),
        "rates_decrease": (lambda: nn.ConfusionMatrixMetric(decrease="bad"),),
        "rates_name": (
            lambda: seen(nn.ConfusionMatrixMetric(True, "bad"), (one_hot([0]), one_hot([0]))),
        ),
        "rates_binary": (
            lambda: nn.ConfusionMatrixMetric().update(one_hot([0]), one_hot([0]) + 0.5),
        ),
        "occlusion": (lambda: nn.OcclusionSensitivity(0),),
        "occlusion_two": (lambda: nn.OcclusionSensitivity().update(1, 2),),
        "occlusion_model": (
            lambda: nn.OcclusionSensitivity().update(1, np.ones((1, 2)), np.array([0])),
        ),
        "get_metrics": (lambda: nn.get_metrics(["accuracy"]),),
        "get_metrics_dict": (lambda: nn.get_metrics({"a": 1}),),
    }
)
def errors(call):
    return repr(call())
