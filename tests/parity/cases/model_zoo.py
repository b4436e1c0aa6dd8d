"""What Cells of public model repositories do; found by running them with their gradients."""

import abc

import mindspore as ms
from mindspore import Tensor, nn, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def logits():
    return numbers(2, 3)


def shares(seed=1):
    return numbers(2, 3, low=0.1, high=0.9, seed=seed)


@case.table(
    {
        "sigmoid": (lambda: ops.SigmoidCrossEntropyWithLogits(), logits, 1),
        "probabilities": (lambda: ops.BinaryCrossEntropy(), shares, 2),
        "each": (lambda: ops.BinaryCrossEntropy("none"), shares, 2),
        "logits": (lambda: ops.BCEWithLogitsLoss(), logits, 3),
        "function": (lambda: ops.binary_cross_entropy_with_logits, logits, 3),
    },
    tol=5e-5,
)
def constants_of_entropy(make, first, more):
    """SinGAN's: neither a label of the first nor a weight of the others has a gradient."""
    inputs = (first(), *(shares(2 + i) for i in range(more)))
    return outcome(make(), inputs, tuple(range(len(inputs))))


@case.table({"cell": (nn.Cell,), "abc": (nn.Cell, abc.ABC)})
def abstract_methods(*bases):
    """nas-fpn's: a Cell is built although a method is abstract."""

    class Merge(*bases):
        def construct(self, x):
            return x + 1

        @abc.abstractmethod
        def other(self):
            pass

    return Merge()(Tensor([1.0], ms.float32))
