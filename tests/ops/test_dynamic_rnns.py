"""The recurrent operators of Ascend give what the layers give, with their weights reordered."""

from __future__ import annotations

import numpy as np
import pytest

from msgrad import Tensor, nn, ops

STEPS, BATCH, INPUT, HIDDEN = 3, 2, 4, 5


def drawn(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32))


def weights(net: nn.Cell, order: tuple[int, ...] | None = None) -> list[np.ndarray]:
    found = []
    for parameter in net.get_parameters():
        gates = np.split(parameter.asnumpy(), len(order or (0,)))
        found.append(np.concatenate([gates[k] for k in order or (0,)]))
    return found


def test_the_lstm_of_ascend():
    net, x = nn.LSTM(INPUT, HIDDEN), drawn(STEPS, BATCH, INPUT)
    h, c = drawn(1, BATCH, HIDDEN), drawn(1, BATCH, HIDDEN) * 2
    out, (last, cell) = net(x, (h, c))
    # The layer has its gates as input, forget, cell, output.
    of_input, of_hidden, *biases = weights(net, (0, 2, 1, 3))
    w = Tensor(np.concatenate([of_input, of_hidden], 1).T.copy())
    found = ops.DynamicRNN()(x, w, Tensor(sum(biases)), None, h, c)
    assert [each.shape for each in found] == [(STEPS, BATCH, HIDDEN)] * 8
    np.testing.assert_allclose(found[0].asnumpy(), out.asnumpy(), atol=1e-6)
    np.testing.assert_allclose(found[1][-1].asnumpy(), last[0].asnumpy(), atol=1e-6)
    np.testing.assert_allclose(found[2][-1].asnumpy(), cell[0].asnumpy(), atol=1e-6)


def test_the_gru_of_ascend():
    net, x, h = nn.GRU(INPUT, HIDDEN), drawn(STEPS, BATCH, INPUT), drawn(1, BATCH, HIDDEN)
    out, _ = net(x, h)
    of_input, of_hidden, *biases = weights(net)
    given = [Tensor(each.T.copy()) for each in (of_input, of_hidden, *biases)]
    found = ops.DynamicGRUV2()(x, *given, None, h[0])
    assert [each.shape for each in found] == [(STEPS, BATCH, HIDDEN)] * 6
    np.testing.assert_allclose(found[0].asnumpy(), out.asnumpy(), atol=1e-6)


def test_options_that_are_not_there():
    x, h = drawn(STEPS, BATCH, INPUT), drawn(1, BATCH, HIDDEN)
    w, b = drawn(INPUT + HIDDEN, 4 * HIDDEN), drawn(4 * HIDDEN)
    with pytest.raises(NotImplementedError, match="use_peephole"):
        ops.DynamicRNN(use_peephole=True)(x, w, b, None, h, h)
    with pytest.raises(ValueError, match="BIDIRECTIONAL"):
        ops.DynamicRNN(direction="BIDIRECTIONAL")(x, w, b, None, h, h)


def test_counts_in_intervals_as_documented():
    x, span = Tensor([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]), Tensor([0.0, 5.0])
    assert ops.HistogramFixedWidth(5)(x, span).asnumpy().tolist() == [2, 1, 1, 0, 2]
    with pytest.raises(ValueError, match="nbins"):
        ops.HistogramFixedWidth(0)(x, span)
