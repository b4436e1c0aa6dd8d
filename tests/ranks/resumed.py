"""A training whose rank 1 is killed, and that goes on from its last checkpoint.

``resumed.py FOLDER kill`` trains, writes checkpoints behind step 3, and dies; ``resumed.py FOLDER``
trains without a pause, and from each of the checkpoints: all must end in the same bits.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Tensor, communication, nn

import msgrad
from msgrad import interop

SAVED, KILLED, LAST = 3, 5, 8


def numbers(seed, *shape):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def build(sharded=True):
    ms.set_auto_parallel_context(
        parallel_mode="data_parallel", gradients_mean=True, enable_parallel_optimizer=sharded
    )
    net = nn.SequentialCell(
        nn.Dense(5, 7, weight_init=Tensor(numbers(1, 7, 5)), bias_init="zeros"),
        nn.BatchNorm1d(7),
        nn.Dense(7, 3, weight_init=Tensor(numbers(2, 3, 7)), bias_init="zeros"),
    )
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01)
    )
    return step.set_train()


def train(step, first, last):
    for number in range(first, last):
        seed = 100 * number + communication.get_rank()
        step(Tensor(numbers(seed, 6, 5)), Tensor(numbers(seed + 50, 6, 3)))
    return {p.name: p.asnumpy().tobytes() for p in step.get_parameters()}


def main(folder, kill):
    communication.init()
    ms.set_context(mode=ms.GRAPH_MODE)
    own = str(folder / f"rank_{communication.get_rank()}.ckpt")
    if kill:
        step = build()
        train(step, 0, SAVED)
        ms.save_checkpoint(step, own)
        interop.write_orbax(folder / "all.orbax", step)
        train(step, SAVED, KILLED)
        if communication.get_rank() == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        train(step, KILLED, LAST)
        return
    wanted = train(build(), 0, LAST)
    step = build()
    ms.load_param_into_net(step, ms.load_checkpoint(own))
    assert train(step, SAVED, LAST) == wanted, "from files of the ranks"
    step = build()
    interop_state = interop.read_orbax(folder / "all.orbax", like=step)
    for parameter in step.get_parameters():
        parameter.set_data(Tensor(np.asarray(interop_state[parameter.name])))
    assert train(step, SAVED, LAST) == wanted, "from the file of all"
    print("equal", flush=True)


if __name__ == "__main__":
    msgrad.install()
    main(Path(sys.argv[1]), len(sys.argv) > 2)
