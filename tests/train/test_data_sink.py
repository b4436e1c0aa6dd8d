"""``data_sink``; MindSpore runs it on its accelerators only, so there is no recording of it."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import msgrad as ms
from msgrad import dataset as ds
from msgrad import nn


def numbers(count=3):
    values = np.arange(count, dtype=np.float32)
    return ds.NumpySlicesDataset((values, 10 * values), ["x", "y"], shuffle=False).batch(1)


class Own:
    """A dataset of somebody else's, whose iterator ends once."""

    def __init__(self, epochs=None):
        self.epochs = epochs

    def get_dataset_size(self):
        return 3

    def create_tuple_iterator(self):
        if self.epochs == 0:
            return iter(())
        self.epochs = None if self.epochs is None else self.epochs - 1
        return ((np.float32(i), np.float32(10 * i)) for i in range(3))


@pytest.mark.parametrize("data", [numbers, Own], ids=["msgrad", "own"])
@pytest.mark.parametrize("compiled", [None, ms.JitConfig()], ids=["eager", "compiled"])
def test_each_call_takes_the_next_batches(data, compiled):
    one = ms.data_sink(lambda x, y: (x + y).sum(), data(), jit_config=compiled)
    assert [float(one()) for _ in range(7)] == [0, 11, 22, 0, 11, 22, 0]
    two = ms.data_sink(lambda x, y: (x + y).sum(), data(), sink_size=2, jit_config=compiled)
    assert [float(two()) for _ in range(4)] == [11, 0, 22, 11]


def test_a_training_step():
    net = nn.Dense(1, 1, "zeros", "zeros")
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    forward = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)

    def step(x, y):
        """One step."""
        loss, grads = forward(x.reshape(1, 1), y.reshape(1, 1))
        optimizer(grads)
        return loss

    sunk = ms.data_sink(step, numbers(), 1, ms.JitConfig(jit_level="O1"))
    losses = [float(sunk()) for _ in range(60)]
    assert losses[-1] < 1e-2 < losses[2]
    assert int(optimizer.global_step.asnumpy()[0]) == 60
    assert (sunk.__name__, sunk.__doc__) == ("step", "One step.")
    assert not inspect.signature(sunk).parameters


REFUSED = {
    "function": (lambda: ms.data_sink(3, numbers()), TypeError, "must be a function"),
    "size": (lambda: ms.data_sink(print, numbers(), 0), ValueError, "must be int and must > 0"),
    "size_type": (lambda: ms.data_sink(print, numbers(), "1"), TypeError, "must be int"),
    "config": (lambda: ms.data_sink(print, numbers(), 1, True), TypeError, "JitConfig"),
    "dataset": (lambda: ms.data_sink(print, 3), AttributeError, "get_dataset_size"),
}


@pytest.mark.parametrize(("call", "error", "text"), REFUSED.values(), ids=REFUSED)
def test_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_dataset_that_does_not_begin_again():
    sunk = ms.data_sink(lambda x, y: x, Own(epochs=1))
    for _ in range(3):
        sunk()
    with pytest.raises(RuntimeError, match="can it be run again"):
        sunk()
