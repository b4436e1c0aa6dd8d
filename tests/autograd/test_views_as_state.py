"""Tensors that share the elements of others, as state of a compiled step."""

from __future__ import annotations

import numpy as np

import msgrad as ms
from msgrad import Parameter, Tensor, nn


class Scaled(nn.Cell):
    """Reads a Tensor that shares the elements of another."""

    def __init__(self, scale: Tensor):
        super().__init__()
        self.scale = Tensor(scale)
        self.weight = Parameter(Tensor(np.zeros(3, np.float32)), name="weight")

    @ms.jit
    def construct(self, x):
        self.weight.set_data(self.weight + x * self.scale)
        return self.weight.sum()


def test_a_view_that_is_read_shows_what_is_written_and_weights_are_donated():
    scale = Tensor(np.ones(3, np.float32))
    net, x = Scaled(scale), Tensor(np.ones(3, np.float32))
    expected = 0.0
    for step in range(12):
        before = net.weight._data
        expected += float(scale[0])
        assert float(net(x)) == 3 * expected
        del before
        if step % 3 == 2:
            scale[:] = step
    places = {net.weight._data.unsafe_buffer_pointer() for _ in range(3) if net(x) is not None}
    assert len(places) == 1


def test_a_view_of_the_weight_itself():
    weight = Parameter(Tensor(np.zeros(3, np.float32)), name="weight")
    shared = weight.data

    @ms.jit
    def step(x):
        weight.set_data(weight + x)
        return (weight * 1).sum()

    x = Tensor(np.ones(3, np.float32))
    first = weight[0]
    for n in range(1, 9):
        assert float(step(x)) == 3 * n
    assert float(weight.asnumpy()[0]) == 8
    del shared, first


class Keeps(nn.Cell):
    def construct(self, x):
        doubled = x * 2
        self.last = doubled[0]
        return doubled.reshape(-1), (x + 1).swapaxes(0, 1)


def test_results_that_are_views_are_compiled(recwarn):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    cell = Keeps()
    step = ms.jit(lambda x: cell(x))
    for _ in range(2):
        flat, turned = step(x)
        assert flat.asnumpy().tolist() == [0, 2, 4, 6, 8, 10]
        assert turned.shape == (3, 2) and cell.last.asnumpy().tolist() == [0, 2, 4]
    flat[0] = 7
    assert x.asnumpy()[0, 0] == 0 and cell.last.asnumpy()[0] == 0
    assert not [str(w.message) for w in recwarn]
