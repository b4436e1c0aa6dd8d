# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Many devices
#
# MindSpore knows two ways to use more than one device, and both run here. **Ranks**: one process
# for each device, each with its part of the batch, in the mode `data_parallel`. **Several devices
# in one process**: the process has the whole batch, and in the mode `semi_auto_parallel` strategies
# say how arrays are cut. The engine is JAX's own both times: `jax.distributed` between processes,
# shardings within one.

# %% tags=["jax"]
import jax

# Eight virtual devices for this process. On a TPU host or a machine with GPUs, leave it out.
jax.config.update("jax_num_cpu_devices", 8)

import msgrad

_ = msgrad.install()

# %% tags=["jax"]
import json
import socket
import subprocess
import sys
from pathlib import Path

import jax.numpy as jnp
import matplotlib.pyplot as plt
import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from sklearn.datasets import load_digits

plt.rcParams.update(
    {
        "figure.figsize": (8.5, 3.6),
        "figure.dpi": 100,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }
)
images, labels = load_digits(return_X_y=True)
np.savez("digits.npz", x=(images / 16).astype(np.float32), y=labels.astype(np.int32))

# %% [markdown]
# ## One script
#
# It is what MindSpore's guide to data parallel training has: `init()`, the mode, each rank's part of
# the batch. Nothing in it says how many ranks or devices there are.

# %% tags=["jax"]
script = """
import json
import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init


def train(parallel_mode):
    ms.set_context(mode=ms.GRAPH_MODE)
    init()
    ms.set_auto_parallel_context(parallel_mode=parallel_mode, gradients_mean=True)
    rank, size = get_rank(), get_group_size()

    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(64, 128), nn.ReLU(), nn.Dense(128, 10))
    optimizer = nn.Adam(net.trainable_params(), 3e-3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer)

    digits, order = np.load("digits.npz"), np.random.RandomState(0)
    losses = []
    for _ in range(80):
        batch = order.choice(len(digits["x"]), 256, replace=False)[rank::size]
        loss = step(Tensor(digits["x"][batch]), Tensor(digits["y"][batch]))
        losses.append(float(ops.AllReduce()(loss)) / size)
    return net, losses


if __name__ == "__main__":
    _, losses = train("data_parallel")
    if get_rank() == 0:
        with open(sys.argv[1], "w") as file:
            json.dump(losses, file)
"""
_ = Path("train.py").write_text(script)


# %% [markdown]
# `python -m msgrad launch` starts it on two ranks, as `msrun` would. In this process it runs as one
# rank, and then on eight devices in the other mode: the batch of 256 is cut into eight, the weights
# stand on every device, and XLA sums the gradients.


# %% tags=["jax"]
def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def launch(ranks):
    words = f"--worker_num={ranks} --local_worker_num={ranks} --master_port={free_port()}"
    command = [sys.executable, "-m", "msgrad", "launch", *words.split(), "--join=True"]
    return subprocess.Popen(
        [*command, "--log_dir=logs", "train.py", "losses.json"], stdout=subprocess.DEVNULL
    )


ranks = launch(2)

sys.path.insert(0, "")
import train

_, one_rank = train.train("data_parallel")
net, on_devices = train.train("semi_auto_parallel")
ms.reset_auto_parallel_context()
ms.set_context(mode=ms.PYNATIVE_MODE)

assert ranks.wait() == 0
two_ranks = json.loads(Path("losses.json").read_text())

weight = jnp.asarray(net[0].weight)
shapes = {shard.data.shape for shard in weight.addressable_shards}
print(f"the first weight stands on {len(weight.devices())} devices, on each in the shape {shapes}")
for name, losses in (("1 rank", one_rank), ("2 ranks", two_ranks), ("8 devices", on_devices)):
    print(f"{name:9}  first loss {losses[0]:.4f}, last loss {losses[-1]:.4f}")

for losses in (two_ranks, on_devices):
    np.testing.assert_allclose(losses, one_rank, rtol=1e-4)

# %% tags=["jax"]
figure, (left, right) = plt.subplots(1, 2, layout="constrained", width_ratios=(1.4, 1))
left.plot(one_rank, color="#9ecae1", linewidth=7, label="1 rank", solid_capstyle="round")
left.plot(two_ranks, color="#08519c", linewidth=2, label="2 ranks, half of the batch each")
left.plot(on_devices, "o", color="#de2d26", markersize=3, markevery=4, label="8 devices, 1 process")
left.set(xlabel="step", ylabel="loss", title="One script, three ways to run it")
left.legend()
for losses, color, name in (
    (two_ranks, "#08519c", "2 ranks"),
    (on_devices, "#de2d26", "8 devices"),
):
    apart = np.abs(np.array(losses) / one_rank - 1)
    right.plot(np.maximum(apart, 1e-9), "o", color=color, markersize=3, label=name)
right.axhline(np.finfo(np.float32).eps, color="gray", linewidth=0.8, linestyle="--")
right.text(79, 3e-7, "last bit of float32", color="gray", fontsize=8, ha="right")
right.set(yscale="log", ylim=(5e-10, 1e-6), xlabel="step", title="apart from 1 rank by (relative)")
_ = right.legend(loc=(0.5, 0.2))

# %% [markdown]
# What is left between them is rounding: a sum over 256 rows is made in another order when eight
# devices have 32 each. (A difference of zero is drawn at the bottom.)
#
# ## Strategies
#
# An operator says by `shard` how its operands are cut, as a tuple of numbers or by a `Layout`, which
# has names. What it says becomes a constraint of the compiled program; XLA finds the rest: how the
# results are cut, what has to be sent. A weight that such an operator takes stands on the devices in
# these parts from then on, and so does what the optimizer keeps of it.


# %% tags=["jax"]
class Feed(nn.Cell):
    """Two products: the first cut by columns, the second by rows, so that nothing is sent between."""

    def __init__(self, layout):
        super().__init__()
        draw = np.random.RandomState(2)
        self.wide = Parameter(Tensor(draw.randn(64, 256).astype(np.float32) / 8), name="wide")
        self.narrow = Parameter(Tensor(draw.randn(256, 64).astype(np.float32) / 16), name="narrow")
        self.first, self.second, self.relu = ops.MatMul(), ops.MatMul(), ops.ReLU()
        if layout is not None:
            self.first.shard((layout("dp", "None"), layout("None", "mp")))
            self.second.shard((layout("dp", "mp"), layout("mp", "None")))

    def construct(self, x):
        return self.second(self.relu(self.first(x, self.wide)), self.narrow)


def run(layout, **settings):
    mode = "stand_alone" if layout is None else "semi_auto_parallel"
    ms.set_auto_parallel_context(parallel_mode=mode, **settings)
    net = Feed(layout)
    optimizer = nn.Adam(net.trainable_params(), 1e-2)
    step = ms.jit(nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer))
    x = Tensor(images[:128].astype(np.float32) / 16)
    losses = [float(step(x, x)) for _ in range(10)]
    ms.reset_auto_parallel_context()
    return net, optimizer, losses


def on_one_device(tensor):
    array = jnp.asarray(tensor)
    return array.addressable_shards[0].data


grid = ms.Layout((2, 4), ("dp", "mp"))
alone = run(None)
for name, found in (
    ("one device", alone),
    ("2 x 4, weights cut in 4", run(grid)),
    (
        "8 x 1, state of Adam in 8",
        run(ms.Layout((8, 1), ("dp", "mp")), enable_parallel_optimizer=True),
    ),
):
    net, optimizer, losses = found
    np.testing.assert_allclose(losses, alone[2], rtol=1e-4)
    state = [net.wide, net.narrow, *optimizer.moment1, *optimizer.moment2]
    kept = sum(on_one_device(each).nbytes for each in state) / 1024
    print(
        f"{name:26} wide {on_one_device(net.wide).shape!s:10} its moments "
        f"{on_one_device(optimizer.moment1[0]).shape!s:10} {kept:4.0f} KiB a device"
    )

# %% [markdown]
# `Cell.shard`, `ms.shard` and `AutoParallel` say the same for a Cell, a function and a whole network,
# `dataset_strategy` for the inputs. `set_comm_fusion`, `pipeline_stage` and their like are accepted:
# how gradients are put together for sending is XLA's to decide.
#
# ## What a step costs, before anybody has the machines
#
# A program can be compiled for devices that are not there. `python -m tests.benchmarks.devices` in
# the repository does so with the training step of a transformer (12 layers of width 768, 101 million
# parameters in float32, Adam; four sequences of 256 tokens for each device) for 8, 64 and 256
# devices, from shapes alone. Memory is what XLA plans for one device, bytes are counted in the
# collectives of the optimized program, each as a ring of devices sends it. These are its figures:

# %% tags=["jax"]
PARAMETERS = 100_991_488
# Devices -> with the state of Adam whole on each, and cut over all; in MiB.
study = {
    8: (
        {"kept": 1158.8, "all-reduce": 674.2},
        {"kept": 484.6, "all-reduce": 621.7, "all-gather": 358.1},
    ),
    64: (
        {"kept": 1158.8, "all-reduce": 758.5},
        {"kept": 400.3, "all-reduce": 758.5, "all-gather": 379.2},
    ),
    256: (
        {"kept": 1158.8, "all-reduce": 767.5},
        {"kept": 391.3, "all-reduce": 767.5, "all-gather": 383.7},
    ),
}
row = "{:>7} {:>11} {:>9} {:>13} {:>9} {:>20}"
print(row.format("", "kept, MiB:", "", "sent, MiB:", "", "Adam cut and"))
print(row.format("devices", "Adam whole", "Adam cut", "Adam whole", "Adam cut", "reduce-scatter"))
for devices, (whole, cut) in study.items():
    summed, gathered = cut["all-reduce"], cut["all-gather"]
    figures = (
        whole["kept"],
        cut["kept"],
        whole["all-reduce"],
        summed + gathered,
        summed / 2 + gathered,
    )
    print(row.format(devices, *(f"{figure:.0f}" for figure in figures)))

# %% tags=["jax"]
places = np.arange(len(study))
figure, (left, right) = plt.subplots(1, 2, layout="constrained")
for offset, kind, color in ((-0.2, 0, "#9ecae1"), (0.2, 1, "#08519c")):
    name = ("whole on each", "cut over all")[kind]
    kept = [kinds[kind]["kept"] for kinds in study.values()]
    bars = left.bar(places + offset, kept, 0.38, color=color, label=f"state of Adam {name}")
    left.bar_label(bars, fmt="{:.0f}", fontsize=8)
sent = [kinds[0]["all-reduce"] for kinds in study.values()]
bars = right.bar(places, sent, 0.5, color="#9ecae1")
right.bar_label(bars, fmt="{:.0f}", fontsize=8, label_type="center")
right.axhline(2 * 4 * PARAMETERS / 2**20, color="gray", linewidth=0.8, linestyle="--")
right.text(
    -0.2, 2 * 4 * PARAMETERS / 2**20 + 12, "twice the gradients: 771", color="gray", fontsize=8
)
left.set(title="weights and state on a device, MiB", xlabel="devices", ylim=(0, 1500))
right.set(title="sent by a device in a step, MiB", xlabel="devices", ylim=(0, 900))
for axes in (left, right):
    axes.set_xticks(places, [str(devices) for devices in study])
_ = left.legend(fontsize=8)

# %% [markdown]
# ### What that means for 8 GPUs and for 256 hosts
#
# **The bytes hardly depend on how many there are.** Data parallel training sends each gradient
# around once to be summed and once more to be known everywhere: a device sends $2(N-1)/N$ times the
# bytes of the gradients, 674 MiB with 8 devices, 768 with 256, and never more than 771. What counts
# is the slowest link between two neighbours of the ring, not how many follow. (Messages do get
# smaller and more: a ring of 256 takes 510 turns instead of 14, so NCCL uses trees where turns
# cost more than bytes.)
#
# **They do not depend on the batch either**, but the arithmetic does: $6 \cdot P$ operations for each
# token. The ratio of the two decides; the next cell has it for links as they are sold.

# %% tags=["jax"]
TOKENS, FLOPS = 4 * 256, 200e12
arithmetic = 6 * PARAMETERS * TOKENS / FLOPS
print(f"arithmetic of a step, 1024 tokens at 200 TFLOP/s: {1e3 * arithmetic:.1f} ms")
for name, devices, speed in (
    ("8 GPUs, NVLink, 400 GB/s", 8, 400e9),
    ("8 GPUs, PCIe 5, 50 GB/s", 8, 50e9),
    ("256 hosts, 400 Gbit/s", 256, 50e9),
    ("256 hosts, 100 Gbit/s", 256, 12.5e9),
):
    seconds = study[devices][0]["all-reduce"] * 2**20 / speed
    tokens = TOKENS * seconds / arithmetic
    print(
        f"{name:26} sending {1e3 * seconds:5.1f} ms, as long as the arithmetic of {tokens:6.0f} tokens"
    )

# %% [markdown]
# On 8 GPUs with NVLink sending takes less time than the arithmetic of four short sequences. Between 256 hosts at
# 100 Gbit/s each device should have some 20,000 tokens in a step, by a larger batch or by
# accumulating gradients, or send bfloat16 gradients, which halves the bytes.
#
# **Memory.** With everything whole, each device keeps 12 bytes for a parameter (weight and two
# moments), however many devices there are: more of them make the step faster, not the largest model
# larger. With Adam's state cut over all devices (`enable_parallel_optimizer=True`) it is $4 + 8/N$:
# 485 MiB with 8 devices instead of 1,159, and with 64 or 256 little more than the weights. A model
# of 5 billion parameters, 60 GB with its state whole, would then keep 25 GB on each of 8 GPUs. The
# price on a GPU or TPU is none: there XLA turns a sum of which each device needs a part into a
# reduce-scatter, half of an all-reduce, and the other half is the gather of the new weights.
# (For the virtual devices of a CPU it does not do this, so the step compiled here sends half as much
# again.) Temporary memory, 1.3 GiB here, is that of activations and gradients: it follows the batch
# of a device and does not shrink with their number. Where weights or activations are too large for
# one device, strategies cut them, as in the section before.
#
# **Processes.** With 8 GPUs in one machine either way will do. Between hosts there is a process for
# each device, and the mode is `data_parallel`: ranks send what is counted here for the whole state,
# gradients as one buffer. With `enable_parallel_optimizer` each rank keeps its part of the
# optimizer's state, as devices do above. By hand, a command on each machine; or by Slurm or Open MPI:
#
# ```
# python -m msgrad launch --worker_num=8 --local_worker_num=4 --node_rank=0 --master_addr=10.0.0.1 train.py
# python -m msgrad launch --worker_num=8 --local_worker_num=4 --node_rank=1 --master_addr=10.0.0.1 train.py
#
# srun --ntasks=8 --kill-on-bad-exit python -m msgrad run train.py
# mpirun -n 8 --bind-to none python -m msgrad run train.py
# ```
#
# A rank computes on one device. Strategies between ranks are not there: the modes that have them
# are those of one process with all devices, and say so where there are several.
