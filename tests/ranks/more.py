"""More of what MindSpore's CPU cannot do between ranks; as ``beyond.py``, in the same launch."""

from __future__ import annotations

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, nn, ops
from mindspore.communication import get_group_size, get_rank

from tests.ranks.beyond import check, same


def numbers(seed, *shape):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def _normalized(make, differentiate):
    """Output, gradients and statistics of one step over the batches of all ranks, as of one."""
    n, rank = get_group_size(), get_rank()
    # Batches of different sizes.
    every = [numbers(r, 2 + r, 3, 2, 2) for r in range(n)]
    start = sum(map(len, every[:rank]))
    mine = slice(start, start + len(every[rank]))

    def run(layer, x, weigh):
        layer.set_train()

        def loss(x):
            y = layer(x)
            return (y * y * weigh).sum(), y

        weights = layer.trainable_params()
        gradient = differentiate(ms.value_and_grad(loss, 0, weights, has_aux=True))
        (_, y), (of_x, of_weights) = gradient(Tensor(x))
        return y, of_x, of_weights, layer

    whole, weigh = np.concatenate(every), numbers(9, sum(map(len, every)), 3, 2, 2)
    wanted, found = (
        run(layer, x, Tensor(w))
        for layer, x, w in zip(make(), (whole, every[rank]), (weigh, weigh[mine]), strict=True)
    )
    same(found[0], wanted[0].asnumpy()[mine], 1e-4)
    np.testing.assert_allclose(found[1].asnumpy(), wanted[1].asnumpy()[mine], atol=1e-5)
    for own, all_of in zip(found[2], wanted[2], strict=True):
        same(ops.AllReduce()(own), all_of.asnumpy(), 1e-4)
    for own, of_all in zip(found[3].get_parameters(), wanted[3].get_parameters(), strict=True):
        same(own, of_all.asnumpy(), 1e-5)


@check
def sync_batch_norm():
    for differentiate in (lambda fn: fn, ms.jit):
        _normalized(lambda: (nn.BatchNorm2d(3), nn.SyncBatchNorm(3)), differentiate)
    _normalized(lambda: (mint.nn.BatchNorm2d(3), mint.nn.SyncBatchNorm(3)), lambda fn: fn)


@check
def sync_batch_norm_of_groups():
    x = Tensor(numbers(get_rank(), 4, 3))
    alone = nn.SyncBatchNorm(3, process_groups=[[r] for r in range(get_group_size())])
    same(alone.set_train()(x), nn.BatchNorm1d(3).set_train()(x).asnumpy())
