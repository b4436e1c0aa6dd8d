"""More of what MindSpore's CPU cannot do between ranks; as ``beyond.py``, in the same launch."""

from __future__ import annotations

import warnings
from contextlib import contextmanager

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, nn, ops
from mindspore.communication import comm_func, get_group_size, get_rank

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


class Net(nn.Cell):
    """Weights that no number of ranks divides."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(5, 7, weight_init=Tensor(numbers(1, 7, 5)), bias_init="ones")
        self.second = nn.Dense(7, 3, weight_init=Tensor(numbers(2, 3, 7)), bias_init="ones")

    def construct(self, x):
        return self.second(ops.tanh(self.first(x)))


def _trained(make, sharded, mode=ms.GRAPH_MODE, cell=nn.TrainOneStepCell):
    ms.set_context(mode=mode)
    more = {"enable_parallel_optimizer": True} if sharded else {}
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, **more)
    net = Net()
    optimizer = make(net.trainable_params())
    step = cell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    x, y = (Tensor(numbers(20 + get_rank(), 4, width)) for width in (5, 3))
    losses = [step(x, y).asnumpy() for _ in range(8)]
    state = [p for held in optimizer.rule_state().values()
             for p in ([held] if isinstance(held, ms.Parameter) else held)]  # fmt: skip
    weights = [p.asnumpy() for p in net.get_parameters()]
    return losses, weights, sum(p.nbytes for p in state if p.ndim), state


class Scaled(nn.TrainOneStepCell):
    """Looks at the gradients, which must be those of all ranks."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        grads = self.grad_reducer(self.grad_no_sens(self.network, self.weights)(*inputs))
        self.optimizer(ops.clip_by_global_norm(grads, 0.5))
        return loss


@check
def state_sharded_over_ranks():
    n = get_group_size()
    cases = [
        (lambda p: nn.Adam(p, 0.05), ms.GRAPH_MODE, nn.TrainOneStepCell),
        (lambda p: nn.Momentum([{"params": p[:1], "lr": 0.2, "weight_decay": 0.1},
                                {"params": p[1:]}], 0.1, 0.9),
         ms.PYNATIVE_MODE, nn.TrainOneStepCell),
        (lambda p: nn.Lamb(p, 0.05), ms.GRAPH_MODE, Scaled),
    ]  # fmt: skip
    for make, mode, cell in cases:
        whole = _trained(make, False, mode, cell)
        parts = _trained(make, True, mode, cell)
        for got, want in zip(parts[0] + parts[1], whole[0] + whole[1], strict=True):
            np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)
        for weight in parts[1]:
            assert ops.Broadcast(0)(Tensor(weight)).asnumpy().tobytes() == weight.tobytes()
        # 66 weights: their parts are filled up.
        assert parts[2] <= whole[2] / n + 4 * 2 * 4
        assert len({p.name for p in parts[3]}) == len({p.name for p in whole[3]})


@check
def optimizers_that_cannot_be_sharded():
    ms.set_auto_parallel_context(enable_parallel_optimizer=True)
    with pytest.raises(RuntimeError, match="not supported in stand_alone"):
        nn.Adam(Net().trainable_params())
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    with pytest.raises(NotImplementedError, match="whole parameters"):
        nn.AdaFactor(Net().trainable_params())


def _pieces(n, transposed=False):
    """What rank a has for rank b, of as many elements as a + 2 b, and where each piece starts."""
    return [[100.0 * a + 10 * b + np.arange(a + 2 * b, dtype=np.float32) for b in range(n)]
            for a in range(n)]  # fmt: skip


@check
def parts_of_any_size():
    n, rank = get_group_size(), get_rank()
    table = _pieces(n)
    sizes = [[len(piece) for piece in row] for row in table]
    x = Tensor(np.concatenate(table[rank]))
    wanted = np.concatenate([row[rank] for row in table])
    sends, receives = sizes[rank], [row[rank] for row in sizes]
    exchange = ops.AlltoAllV()
    same(exchange(x, sends, Tensor(receives)), wanted)
    of_all = ops.AlltoAllVC()
    counts = [size for row in sizes for size in row]
    same(of_all(x, counts), wanted)
    same(ms.jit(lambda x: of_all(x, counts) * 2)(x), 2 * wanted)
    # Each piece is weighed where it comes to.
    weigh = [np.full(a + 2 * rank, rank + 1.0, np.float32) for a in range(n)]
    got = ms.grad(lambda x: (exchange(x, sends, receives) * Tensor(np.concatenate(weigh))).sum())(x)
    same(got, np.repeat(np.arange(1, n + 1), sends))
    with compiled_for_sure():
        weighed = Tensor(np.concatenate(weigh))
        twice = ms.jit(lambda x: exchange(x, sends, receives) * weighed)
        same(twice(x), wanted * (rank + 1))
        gradient = ms.jit(ms.grad(lambda x: twice(x).sum()))
        same(gradient(x), np.repeat(np.arange(1, n + 1), sends))
    with pytest.raises(ValueError, match="must add up"):
        exchange(x, [9] * n, receives)
    own = Tensor(table[0][rank])
    same(ops.AllGatherV()(own, sizes[0]), np.concatenate(table[0]))
    total = n * np.concatenate(table[0])
    start = sum(sizes[0][:rank])
    part = total[start : start + sizes[0][rank]]
    same(ops.ReduceScatterV()(Tensor(np.concatenate(table[0])), sizes[0]), part)
    received = Tensor(np.zeros(len(wanted), np.float32))
    mint.distributed.all_to_all_single(received, x, receives, sends)
    same(received, wanted)
    rooms = [Tensor(np.zeros(size, np.float32)) for size in receives]
    mint.distributed.all_to_all(rooms, [Tensor(piece) for piece in table[rank]])
    same(np.concatenate([room.asnumpy() for room in rooms]), wanted)


@check
def a_ring_of_neighbours():
    n, rank = get_group_size(), get_rank()
    after, before = (rank + 1) % n, (rank - 1) % n
    # What goes to the next rank has as many rows as its number says.
    x = Tensor(np.full((after + 1, 2), rank, np.float32))
    shapes = ([rank + 1, 2],), ([after + 1, 2],)
    around = ops.NeighborExchange([after], [before], *shapes, ms.float32)
    (came,) = around((x,))
    same(came, np.full((rank + 1, 2), before))
    gradient = ms.grad(lambda x: around((x,))[0].sum() * (rank + 1))(x)
    same(gradient, np.full((after + 1, 2), after + 1))
    with compiled_for_sure():
        same(ms.jit(lambda x: around((x,))[0] * 2)(x), 2 * came.asnumpy())
        gradient = ms.jit(ms.grad(lambda x: around((x,))[0].sum() * (rank + 1)))
        same(gradient(x), np.full((after + 1, 2), after + 1))
    batch = ops.BatchISendIRecv(["isend", "irecv"], [after, before], [[rank + 1, 2]], [ms.float32])
    same(batch((x,))[1], came.asnumpy())
    room = Tensor(np.zeros((rank + 1, 2), np.float32))
    of = mint.distributed.P2POp
    (handle,) = mint.distributed.batch_isend_irecv(
        [of("irecv", room, before), of("isend", x, after)]
    )
    handle.wait()
    same(room, came.asnumpy())
    room, dist = Tensor(np.zeros((rank + 1, 2), np.float32)), mint.distributed
    handles = [dist.isend(x, after), dist.irecv(room, before)]
    found, handle = comm_func.irecv(room, before)
    handles.append(comm_func.isend(x * 2, after))
    for one in (*handles[:: -1 if rank else 1], handle):
        one.wait()
    same(room, came.asnumpy())
    same(found, 2 * came.asnumpy())


@contextmanager
def compiled_for_sure():
    """A compiled call that runs as plain Python warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@check
def messages_in_one_program():
    """Both ranks receive before they send, or after: they are in one order all the same."""
    rank = get_rank()
    to, of = (1, 1) if rank == 0 else (0, 0)
    send, receive = ops.Send(0, to), ops.Receive(0, of, [3], ms.float32)
    x = Tensor(numbers(rank, 3))

    def both(x):
        if rank == 0:
            sent, came = send(x), receive()
        else:
            came, sent = receive(), send(x)
        second = receive() if rank == 0 else ops.ReLU()(came)
        if rank:
            send(x + came)
        return sent + came, second

    if rank < 2:
        with compiled_for_sure():
            for _ in range(2):
                got, second = ms.jit(both)(x)
        same(got, numbers(0, 3) + numbers(1, 3))
        same(second, got.asnumpy() if rank == 0 else np.maximum(numbers(0, 3), 0))


@check
def send_and_receive_in_cells():
    rank = get_rank()

    class Sends(nn.Cell):
        def construct(self, x):
            return ops.Depend()(x, ops.Send(0, 1)(x * 2))

    class Receives(nn.Cell):
        def construct(self):
            return ops.Receive(0, 0, [2, 8], ms.float32)() + 1

    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        with compiled_for_sure():
            if rank == 0:
                Sends()(Tensor(np.ones((2, 8), np.float32)))
            elif rank == 1:
                same(Receives()(), np.full((2, 8), 3.0))
    if rank == 0:
        mint.distributed.send_object_list([{"a": 1}, "b"], 1)
    elif rank == 1:
        found = [None, None]
        mint.distributed.recv_object_list(found, 0)
        assert found == [{"a": 1}, "b"]


@check
def a_result_that_one_rank_does_not_need():
    n, rank = get_group_size(), get_rank()
    x = Tensor(np.arange(4, dtype=np.float32) + rank)
    reduce = ops.AllReduce()
    first = (x.asnumpy() - rank) * n + sum(range(n))

    def step(x):
        y = reduce(x * 2)
        return y if rank == 0 else x

    for _ in range(2):
        same(ms.jit(step)(x), 2 * first if rank == 0 else x.asnumpy())
    ms.jit(lambda x: (None, reduce(x))[rank > 0])(x)

    def loss(x):
        y = reduce(x * 3)
        if rank == 0:
            assert float(y[0].asnumpy()) == 3 * first[0]
        return (x * x).sum()

    for _ in range(2):
        same(ms.grad(loss)(x), 2 * x.asnumpy())


class Images(nn.Cell):
    def __init__(self, norm):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3, weight_init=Tensor(numbers(3, 3, 1, 3, 3)))
        self.norm = norm
        self.head = nn.Dense(3, 4, weight_init=Tensor(numbers(4, 4, 3)), bias_init="zeros")

    def construct(self, x):
        return self.head(ops.relu(self.norm(self.conv(x))).mean((2, 3)))


@check
def as_one_process_with_the_whole_batch():
    n, rank = get_group_size(), get_rank()
    every = numbers(40, 4 * n, 1, 5, 5), np.arange(4 * n, dtype=np.int32) % 4
    mine = [x[4 * rank : 4 * rank + 4] for x in every]
    ms.set_context(mode=ms.GRAPH_MODE)

    def train(norm, x, y):
        net = Images(norm)
        loss = nn.WithLossCell(net, nn.CrossEntropyLoss())
        step = nn.TrainOneStepCell(loss, nn.Adam(net.trainable_params(), 0.02)).set_train()
        return [step(Tensor(x), Tensor(y)) for _ in range(6)], [*net.get_parameters()]

    whole = train(nn.BatchNorm2d(3), *every)
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    parts = train(nn.SyncBatchNorm(3), *mine)
    for own, of_all in zip(parts[0], whole[0], strict=True):
        same(ops.AllReduce()(own) / n, of_all.asnumpy(), 1e-4)
    for own, of_all in zip(parts[1], whole[1], strict=True):
        np.testing.assert_allclose(own.asnumpy(), of_all.asnumpy(), rtol=1e-4, atol=1e-5)
