"""Programs of two ranks, against MindSpore's API alone; what each rank returns is compared.

Real MindSpore writes down what it gives, on a CPU::

    cd <root>; GLOG_v=3 msrun --worker_num=2 --local_worker_num=2 --join=True --log_dir=/tmp/logs \\
        tests/ranks/programs.py tests/ranks/recording

``test_ranks.py`` runs the same under ``python -m msgrad launch``: all of them in one launch.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, communication, nn, ops
from mindspore.communication import get_group_size, get_rank

from tests.parity import codec

PROGRAMS = {}
GRAPH, PYNATIVE = ms.GRAPH_MODE, ms.PYNATIVE_MODE


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def both_modes(function):
    for name, mode in {"graph": GRAPH, "pynative": PYNATIVE}.items():
        PROGRAMS[f"{function.__name__}[{name}]"] = lambda mode=mode: _in(mode, function)
    return function


def _in(mode, function):
    ms.set_context(mode=mode)
    return function()


def data(*shape, same=False):
    """Numbers of this rank, or the same on all."""
    seed = 7 if same else 11 + get_rank()
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def own(*shape, dtype=np.float32):
    size = int(np.prod(shape))
    return Tensor((np.arange(size).reshape(shape) * (get_rank() + 1) + get_rank()).astype(dtype))


class Net(nn.Cell):
    """Two layers whose weights are the same on all ranks."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 6, weight_init=Tensor(data(6, 4, same=True)))
        self.second = nn.Dense(6, 3, weight_init=Tensor(data(3, 6, same=True)))

    def construct(self, x):
        return self.second(ops.tanh(self.first(x)))


class NormNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, weight_init=Tensor(data(2, 1, 3, 3, same=True)))
        self.norm = nn.BatchNorm2d(2)
        self.head = nn.Dense(2, 3, weight_init=Tensor(data(3, 2, same=True)))

    def construct(self, x):
        return self.head(self.norm(self.conv(x)).mean((2, 3)))


def weights(net):
    return {name: p.asnumpy() for name, p in net.parameters_dict().items()}


def labels():
    return Tensor(np.arange(8) % 3, ms.int32)


def data_parallel(mean=True, **more):
    ms.set_auto_parallel_context(
        parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=mean, **more
    )


@program
def who_am_i():
    here = communication.get_local_rank(), communication.get_local_rank_size()
    return get_rank(), get_group_size(), *here, communication.get_process_group_ranks()


@program
def the_world():
    found = communication.GlobalComm
    return found.BACKEND, found.WORLD_COMM_GROUP, found.INITED


@program
def context_of_data_parallel():
    data_parallel()
    keys = ("parallel_mode", "gradients_mean", "device_num", "global_rank", "parameter_broadcast")
    return {key: ms.get_auto_parallel_context(key) for key in keys}


@both_modes
def all_reduce():
    return ops.AllReduce()(own(4))


@program
def all_reduce_half():
    return ops.AllReduce()(own(4, dtype=np.float16))


@program
def all_reduce_matrix():
    return ops.AllReduce(ops.ReduceOp.SUM)(own(2, 4))


@program
def all_reduce_scalar():
    return ops.AllReduce()(Tensor(get_rank() + 1.0, ms.float32))


@both_modes
def all_gather():
    return ops.AllGather()(own(4))


@program
def all_gather_matrix():
    return ops.AllGather()(own(2, 4))


@program
def broadcast_from_the_first():
    return ops.Broadcast(0)((own(4),))


@program
def broadcast_from_the_last():
    return ops.Broadcast(1)((own(2, 4),))


@program
def broadcast_root_must_be_int():
    return ops.Broadcast("0")


class Summed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.reduce = ops.AllReduce()

    def construct(self, x):
        return (self.reduce(x) * x).sum()


@both_modes
def gradient_through_all_reduce():
    return ms.value_and_grad(Summed())(own(4))


@both_modes
def gradient_through_broadcast():
    send = ops.Broadcast(1)

    class Sent(nn.Cell):
        def construct(self, x):
            return (send((x,))[0] * x).sum()

    return ms.grad(Sent())(own(4))


@program
def gradient_that_looks_on_its_way():
    reduce = ops.AllReduce()

    def looks(x):
        y = reduce(x)
        return (y * x).sum() * (2.0 if float(y[1].asnumpy()) > 0 else 3.0)

    return ms.value_and_grad(looks)(own(4))


@program
def compiled_by_jit():
    reduce = ops.AllReduce()

    @ms.jit
    def step(x):
        return reduce(x) * 2 + x

    return step(own(4)), step(own(4) + 1), step(own(2, 4))


def two_parameters():
    return [ms.Parameter(own(2, 4), name="a"), ms.Parameter(own(4), name="b")]


@both_modes
def reducer_mean():
    data_parallel()
    return nn.DistributedGradReducer(two_parameters(), True, 2)((own(2, 4), own(4)))


@program
def reducer_sum():
    data_parallel()
    return nn.DistributedGradReducer(two_parameters(), False, 2)((own(2, 4), own(4)))


@program
def functional_training():
    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    data_parallel()
    reducer = nn.DistributedGradReducer(optimizer.parameters, True, get_group_size())
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)
    losses = []
    for _ in range(4):
        loss, grads = gradient(Tensor(data(8, 4)), labels())
        optimizer(reducer(grads))
        losses.append(loss)
    return losses, weights(net)


@program
def functional_training_compiled():
    net = Net()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    data_parallel()
    reducer = nn.DistributedGradReducer(optimizer.parameters, True, get_group_size())
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, grads = gradient(x, y)
        optimizer(reducer(grads))
        return loss

    losses = [step(Tensor(data(8, 4)), labels()) for _ in range(10)]
    return losses, weights(net)


def _train(net, x, mean=True, steps=4, optimizer=None):
    data_parallel(mean)
    with_loss = nn.WithLossCell(net, nn.CrossEntropyLoss())
    step = nn.TrainOneStepCell(
        with_loss, optimizer or nn.Momentum(net.trainable_params(), 0.1, 0.9)
    )
    step.set_train()
    losses = [step(Tensor(x), labels()) for _ in range(steps)]
    return losses, weights(net)


@both_modes
def train_one_step_mean():
    return _train(Net(), data(8, 4))


@both_modes
def train_one_step_sum():
    return _train(Net(), data(8, 4), mean=False)


@both_modes
def train_one_step_batch_norm():
    return _train(NormNet(), data(8, 1, 5, 5))


@program
def train_one_step_alone():
    net = Net()
    with_loss = nn.WithLossCell(net, nn.CrossEntropyLoss())
    step = nn.TrainOneStepCell(with_loss, nn.SGD(net.trainable_params(), 0.1))
    return step(Tensor(data(8, 4)), labels()), weights(net)


@program
def clipped_by_global_norm():
    net = Net()
    data_parallel()
    reducer = nn.DistributedGradReducer(net.trainable_params(), True, get_group_size())
    loss_fn = nn.CrossEntropyLoss()

    def forward(x):
        return loss_fn(net(x), labels())

    gradient = ms.grad(forward, None, net.trainable_params())
    return ops.clip_by_global_norm(reducer(gradient(Tensor(data(8, 4)))), 0.1)


@program
def accumulated():
    net = Net()
    data_parallel()
    reducer = nn.DistributedGradReducer(net.trainable_params(), True, get_group_size())
    loss_fn = nn.CrossEntropyLoss()

    def forward(x):
        return loss_fn(net(x), labels())

    gradient = ms.grad(forward, None, net.trainable_params())
    first, second = gradient(Tensor(data(8, 4))), gradient(Tensor(data(8, 4) + 1))
    return reducer(tuple(a + b for a, b in zip(first, second, strict=True)))


@program
def accuracy_of_all():
    right = (own(8) % 2 == 0).astype(ms.float32).sum()
    return ops.AllReduce()(right) / (8 * get_group_size())


@program
def shards_of_a_dataset():
    rows = ds.NumpySlicesDataset(
        np.arange(10), shuffle=False, num_shards=get_group_size(), shard_id=get_rank()
    )
    return [row[0].asnumpy() for row in rows.batch(2).create_tuple_iterator()]


@program
def shuffled_shards_cover_all():
    rows = ds.NumpySlicesDataset(
        np.arange(12), shuffle=True, num_shards=get_group_size(), shard_id=get_rank()
    )
    mine = np.zeros(12, np.float32)
    for (row,) in rows.create_tuple_iterator():
        mine[int(row.asnumpy())] += 1
    return ops.AllReduce()(Tensor(mine))


@program
def model_on_shards():
    net = Net()
    data_parallel()
    x, y = np.random.RandomState(0).randn(16, 4).astype(np.float32), np.arange(16) % 3
    rows = ds.NumpySlicesDataset(
        (x, y.astype(np.int32)), shuffle=False, num_shards=get_group_size(), shard_id=get_rank()
    ).batch(4)
    model = ms.Model(net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    model.train(2, rows, dataset_sink_mode=False)
    return weights(net)


@program
def same_weights_by_seed():
    ms.set_seed(3)
    net = nn.Dense(4, 3)
    mine = net.weight.value()
    return ops.AllReduce()(mine) - 2 * mine


@program
def group_of_both():
    communication.create_group("both", [0, 1])
    return (communication.get_rank("both"), communication.get_group_size("both"),
            communication.get_process_group_ranks("both"),
            communication.get_world_rank_from_group_rank("both", 1),
            communication.get_group_rank_from_world_rank(1, "both"),
            ops.AllReduce(group="both")(own(4)))  # fmt: skip


def main() -> None:
    ms.set_context(device_target="CPU")
    communication.init()
    found = {}
    for name, function in PROGRAMS.items():
        ms.set_context(mode=PYNATIVE)
        ms.reset_auto_parallel_context()
        np.random.seed(0)
        try:
            found[name] = {"returns": codec.encode(function())}
        except Exception as error:
            found[name] = codec.encode_exception(error)
        print(name, json.dumps(found[name])[:200], flush=True)
    if hasattr(ms, "__msgrad_version__"):
        from tests.ranks import more as more
        from tests.ranks.beyond import CHECKS

        for name, function in CHECKS.items():
            ms.set_context(mode=PYNATIVE)
            ms.reset_auto_parallel_context()
            print(name, flush=True)
            # What it raises ends the launch: the other ranks may wait for this one.
            function()
            found[f"beyond:{name}"] = None
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    Path(f"{sys.argv[1]}_{get_rank()}.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
