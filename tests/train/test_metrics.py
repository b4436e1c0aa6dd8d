"""Metrics against scikit-learn, over several batches; what is left out says so."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as reference

import msgrad as ms
from msgrad import nn, train

CLASSES = 5


@pytest.fixture
def batches():
    rng = np.random.default_rng(0)
    return [
        (rng.random((n, CLASSES)).astype(np.float32), rng.integers(0, CLASSES, n).astype(np.int32))
        for n in (7, 16, 30)
    ]


def gathered(metric, batches):
    metric.clear()
    for scores, labels in batches:
        metric.update(ms.Tensor(scores), ms.Tensor(labels))
    return metric.eval()


def whole(batches):
    scores, labels = (np.concatenate(each) for each in zip(*batches, strict=True))
    return scores, scores.argmax(1), labels


EXPECTED = {
    "acc": (nn.Accuracy, lambda s, p, y: reference.accuracy_score(y, p)),
    "precision": (
        nn.Precision,
        lambda s, p, y: reference.precision_score(y, p, average=None, zero_division=0),
    ),
    "recall": (nn.Recall, lambda s, p, y: reference.recall_score(y, p, average=None)),
    "f1": (nn.F1, lambda s, p, y: reference.f1_score(y, p, average=None)),
    "fbeta": (
        lambda: nn.Fbeta(0.5),
        lambda s, p, y: reference.fbeta_score(y, p, beta=0.5, average=None),
    ),
    "top_2": (
        lambda: nn.TopKCategoricalAccuracy(2),
        lambda s, p, y: reference.top_k_accuracy_score(y, s, k=2),
    ),
    "confusion": (
        lambda: nn.ConfusionMatrix(CLASSES),
        lambda s, p, y: reference.confusion_matrix(y, p),
    ),
    "confusion_normalized": (
        lambda: nn.ConfusionMatrix(CLASSES, "target"),
        lambda s, p, y: reference.confusion_matrix(y, p, normalize="true"),
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_like_scikit_learn(name, batches):
    make, expected = EXPECTED[name]
    np.testing.assert_allclose(gathered(make(), batches), expected(*whole(batches)), rtol=1e-12)


def test_errors_like_scikit_learn(batches):
    pairs = [(scores[:, 0], scores[:, 1]) for scores, _ in batches]
    first, second = (np.concatenate(each) for each in zip(*pairs, strict=True))
    # Sums of float32.
    for make, expected in (
        (nn.MAE, reference.mean_absolute_error),
        (nn.MSE, reference.mean_squared_error),
    ):
        assert gathered(make(), pairs) == pytest.approx(expected(second, first), rel=1e-6)


def test_the_same_classes_under_each_name():
    from msgrad.nn.metrics import Accuracy

    assert Accuracy is nn.Accuracy is train.Accuracy is train.metrics.Accuracy


def test_a_class_that_is_out_of_range_is_named():
    metric = nn.ConfusionMatrix(2)
    with pytest.raises(ValueError, match="a class is 4, but num_classes is 2"):
        metric.update(np.array([0, 1]), np.array([4, 1]))
