"""What MindSpore's CPU cannot do between ranks, against formulas; for any number of ranks.

Each check raises where it fails. ``programs.py`` runs them in the same launch.
"""

from __future__ import annotations

import jax
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, communication, nn, ops
from mindspore.communication import comm_func, get_group_size, get_rank
from mindspore.mint import distributed as dist

CHECKS = {}


def check(function):
    CHECKS[function.__name__] = function
    return function


def of(rank, n, shape=(4,), dtype=np.float32):
    """What a rank has; the first axis is for all ranks to share."""
    shape = (shape[0] * n, *shape[1:])
    size = int(np.prod(shape))
    return ((np.arange(size) % 5).reshape(shape) + 2 * rank + 1).astype(dtype)


def world(dtype=np.float32):
    n, rank = get_group_size(), get_rank()
    every = [of(r, n, dtype=dtype) for r in range(n)]
    return n, rank, every, Tensor(every[rank])


def same(got, want, tol=1e-6):
    got = got.asnumpy() if isinstance(got, Tensor) else np.asarray(got)
    assert got.shape == np.shape(want), (got.shape, np.shape(want))
    np.testing.assert_allclose(got.astype(np.float64), np.asarray(want, np.float64), rtol=tol)


DTYPES = (np.float32, np.float64, np.float16, np.int8, np.uint8, np.int32, np.int64, np.bool_)


@check
def every_dtype():
    for dtype in DTYPES:
        n, _, every, x = world(dtype)
        for op, reduce in {"max": np.max, "min": np.min}.items():
            got = ops.AllReduce(op)(x)
            assert got.asnumpy().dtype == dtype, (dtype, op)
            same(got, reduce(every, axis=0))
        assert ops.AllReduce()(x).asnumpy().dtype == dtype
        assert ops.Broadcast(n - 1)(x).asnumpy().tobytes() == every[-1].tobytes()
    with pytest.raises(TypeError, match="no order"):
        ops.AllReduce("max")(Tensor([1j]))


@check
def broadcast_keeps_bits():
    values = np.array([-0.0, np.nan, np.inf, 1e-42], np.float32) * (1 if get_rank() == 0 else 3)
    sent = ops.Broadcast(0)(Tensor(values)).asnumpy()
    assert sent.tobytes() == np.array([-0.0, np.nan, np.inf, 1e-42], np.float32).tobytes()


@check
def other_reductions():
    _, _, every, x = world()
    for op, reduce in {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}.items():
        same(ops.AllReduce(op)(x), reduce(every, axis=0))
        mine = np.split(reduce(every, axis=0), len(every))[get_rank()]
        same(ops.ReduceScatter(op)(x), mine)


@check
def exchanges():
    n, rank, every, x = world()
    parts = [np.split(one, n)[rank] for one in every]
    same(ops.AlltoAll(n, 0, 0)(x), np.concatenate(parts))
    same(ops.CollectiveScatter(n - 1)(x), parts[-1])
    same(ops.Reduce(0)(x), np.sum(every, axis=0) if rank == 0 else every[rank])
    joined = np.concatenate(every)
    same(ops.CollectiveGather(0)(x), joined if rank == 0 else joined * 0)
    ops.Barrier()()


def _gradients(transform):
    """Gradients of sums of each result times other factors on each rank."""
    n, rank, every, x = world()
    factor = rank + 1
    total = sum(range(1, n + 1))
    weigh = Tensor(np.arange(4 * n * n, dtype=np.float32))

    def gradient(fn):
        return transform(ms.grad(fn))(x)

    highest = np.max(every, axis=0)
    same(gradient(lambda x: (ops.AllReduce("max")(x) * factor).sum()),
         total * (every[rank] == highest))  # fmt: skip
    others = np.prod(every, axis=0) / every[rank]
    same(gradient(lambda x: (ops.AllReduce("prod")(x) * factor).sum()), total * others)
    mine = np.arange(4 * n * n).reshape(n, -1)[rank]
    same(gradient(lambda x: (ops.AllGather()(x) * weigh * factor).sum()), total * mine)
    back = np.repeat(np.arange(1, n + 1), 4)
    same(gradient(lambda x: (ops.ReduceScatter()(x) * factor).sum()), back)
    same(gradient(lambda x: (ops.AlltoAll(n, 0, 0)(x) * factor).sum()), back)
    same(gradient(lambda x: (ops.AllReduce()(x) ** 2).sum()), 2 * n * np.sum(every, axis=0))


@check
def gradients():
    _gradients(lambda fn: fn)


@check
def gradients_operator_by_operator():
    with ms.eager_mode("op"):
        _gradients(lambda fn: fn)


@check
def gradients_compiled():
    _gradients(ms.jit)


@check
def second_derivative():
    n, _, every, x = world()
    first = ms.grad(lambda x: (ops.AllReduce()(x) ** 3).sum())
    found = ms.grad(lambda x: first(x).sum())(x)
    same(found, 6 * n * n * np.sum(every, axis=0))


@check
def a_gradient_call_is_one_program():
    from msgrad._core.deferred.recording import Recorder

    replays, was = [], Recorder.replay
    Recorder.replay = lambda self: (replays.append(1), was(self))[1]
    try:
        ms.grad(lambda x: (ops.AllReduce()(x) * x).sum())(world()[-1])
    finally:
        Recorder.replay = was
    assert not replays


@check
def vmap_says_no():
    with pytest.raises(NotImplementedError, match="vmap"):
        ms.vmap(lambda x: ops.AllReduce()(x))(Tensor(np.ones((3, 2), np.float32)))


@check
def strategies_between_ranks_say_no():
    for mode in ("semi_auto_parallel", "auto_parallel"):
        with pytest.raises(NotImplementedError, match="one process that has all devices"):
            ms.set_auto_parallel_context(parallel_mode=mode)
    with pytest.raises(NotImplementedError, match="each a rank with one device"):
        ms.parallel.auto_parallel.AutoParallel(nn.ReLU())


@check
def own_group_and_pairs():
    n, rank, every, x = world()
    communication.create_group(f"own{rank}", [rank])
    same(ops.AllReduce(group=f"own{rank}")(x), every[rank])
    first = rank - rank % 2
    pair = [first, first + 1]
    communication.create_group(f"pair{first}", pair)
    assert communication.get_rank(f"pair{first}") == rank % 2
    wanted = every[first] + every[first + 1]
    same(ops.AllReduce(group=f"pair{first}")(x), wanted)
    reduce = ops.AllReduce(group=f"pair{first}")
    same(ms.jit(lambda x: reduce(x))(x), wanted)
    same(ops.Broadcast(first + 1, f"pair{first}")(x), every[first + 1])
    with pytest.raises(RuntimeError, match="doesn't contain the global rank"):
        communication.create_group("others", [(rank + 1) % n])


@check
def a_group_that_leaves_one_out():
    n, rank, every, x = world()
    if n > 2 and rank < n - 1:
        communication.create_group("most", list(range(n - 1)))
        same(ops.AllReduce(group="most")(x), np.sum(every[:-1], axis=0))


@check
def functions_of_mint():
    n, rank, every, x = world()
    total = np.sum(every, axis=0)
    y = x.copy()
    assert dist.all_reduce(y) is None
    same(y, total)
    y = x.copy()
    dist.all_reduce(y, "avg")
    same(y, total / n)
    y = x.copy()
    dist.broadcast(y, n - 1, async_op=True).wait()
    same(y, every[-1])
    whole = Tensor(np.zeros(4 * n * n, np.float32))
    dist.all_gather_into_tensor(whole, x)
    same(whole, np.concatenate(every))
    listed = [x.copy() for _ in range(n)]
    dist.all_gather(listed, x)
    for got, want in zip(listed, every, strict=True):
        same(got, want)
    part = Tensor(np.zeros(4, np.float32))
    dist.reduce_scatter_tensor(part, x)
    same(part, np.split(total, n)[rank])
    dist.scatter(part, [Tensor(p) for p in np.split(every[0], n)] if rank == 0 else None, 0)
    same(part, np.split(every[0], n)[rank])
    dist.reduce_scatter(part, [Tensor(p) for p in np.split(every[rank], n)])
    same(part, np.split(total, n)[rank])
    parts = [Tensor(np.zeros(4, np.float32)) for _ in range(n)]
    dist.all_to_all(parts, [Tensor(p) for p in np.split(every[rank], n)])
    for got, one in zip(parts, every, strict=True):
        same(got, np.split(one, n)[rank])
    dist.gather(x, listed, 0)
    dist.barrier()
    objects = [None] * n
    dist.all_gather_object(objects, {"rank": rank, "text": "x" * rank})
    assert objects == [{"rank": r, "text": "x" * r} for r in range(n)]
    given = [rank, "here"]
    dist.broadcast_object_list(given, 0)
    assert given == [0, "here"]
    mine = [None]
    dist.scatter_object_list(mine, [*range(n)] if rank == 0 else None, 0)
    assert mine == [rank]


@check
def send_and_receive():
    n, rank, every, x = world()
    if rank == 0:
        dist.send(x, n - 1)
    elif rank == n - 1:
        y = x.copy()
        dist.recv(y, 0)
        same(y, every[0])
    if rank == n - 1:
        comm_func.send(x, 0)
    elif rank == 0:
        same(comm_func.recv(x, n - 1), every[-1])


@check
def functions_of_comm_func():
    n, rank, every, x = world()
    total = np.sum(every, axis=0)
    same(comm_func.all_reduce(x)[0], total)
    same(comm_func.all_gather_into_tensor(x)[0], np.concatenate(every))
    same(comm_func.reduce_scatter_tensor(x)[0], np.split(total, n)[rank])
    same(comm_func.broadcast(x, n - 1), every[-1])
    same(comm_func.scatter_tensor(x, n - 1), np.split(every[-1], n)[rank])
    found, handle = comm_func.all_to_all_single_with_output_shape((4 * n,), x, async_op=True)
    handle.wait()
    same(found, np.concatenate([np.split(one, n)[rank] for one in every]))


def _equal_on_all(net):
    for parameter in net.get_parameters():
        first = ops.Broadcast(0)(parameter.value())
        assert first.asnumpy().tobytes() == parameter.asnumpy().tobytes(), parameter.name


class Scale(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(np.ones(3, np.float32) * (get_rank() + 1)), name="w")

    def construct(self, x):
        return (self.w * x).sum()


@check
def an_overflow_on_one_rank_skips_on_all():
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net = Scale()
        ms.set_auto_parallel_context(parameter_broadcast=True)
        manager = nn.DynamicLossScaleUpdateCell(2.0**4, 2, 100)
        step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.5), manager)
        same(net.w, np.ones(3))
        x = np.ones(3, np.float32)
        bad = x * (np.inf if get_rank() == 0 else 1)
        _, overflow, scale = step(Tensor(bad))
        assert bool(overflow.asnumpy()) and float(scale.asnumpy()) == 8.0
        same(net.w, np.ones(3))
        assert bool(step.get_overflow_status(None, (Tensor(bad),)).asnumpy())
        _, overflow, scale = step(Tensor(x))
        assert not bool(overflow.asnumpy()) and float(scale.asnumpy()) == 8.0
        same(net.w, np.ones(3) * 0.5)
        _equal_on_all(net)


@check
def fused_steps():
    reduce = ops.AllReduce()
    net = Scale()

    def step(x):
        ops.assign(net.w, net.w + reduce(x))
        return net.w.sum()

    xs = np.arange(12, dtype=np.float32).reshape(4, 3) * (get_rank() + 1)
    total = sum(range(1, get_group_size() + 1))
    ms.fuse_steps(step, 4)(Tensor(xs))
    same(net.w, (get_rank() + 1) + total * np.arange(12).reshape(4, 3).sum(0))


@check
def compiled_state_is_that_of_eager_steps():
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    x = Tensor(np.random.RandomState(get_rank()).randn(3).astype(np.float32))
    nets = []
    for compiled in (False, True):
        net = Scale()
        net.w.set_data(Tensor(np.ones(3, np.float32)))
        optimizer = nn.Adam(net.trainable_params(), 0.1)
        reducer = nn.DistributedGradReducer(optimizer.parameters)
        gradient = ms.value_and_grad(net, None, optimizer.parameters)

        def step(x, gradient=gradient, reducer=reducer, optimizer=optimizer):
            loss, grads = gradient(x)
            optimizer(reducer(grads))
            return loss

        run = ms.jit(step) if compiled else step
        for number in range(20):
            run(x)
            if number == 11:
                # Evicts what is resident.
                assert net.w.asnumpy().shape == (3,)
        nets.append(net)
        _equal_on_all(net)
    same(nets[1].w, nets[0].w.asnumpy(), 1e-5)
    assert nets[1].w._peek().devices() == {jax.local_devices()[0]}
