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
# # Training
#
# MindSpore trains in three ways: a step written by hand, the `TrainOneStepCell` family, and
# `Model`. All three run on JAX as they are. This notebook trains one network in each way, compiles
# them with one line, lets float16 overflow, clips gradients, and kills a training to resume it.

# %% tags=["jax"]
import msgrad

_ = msgrad.install()

# %%
import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops, train
from sklearn.datasets import load_digits

# %% [markdown]
# ## Data and network
#
# The data are scikit-learn's 1,797 real images of handwritten digits, 8 x 8 pixels each. The order
# of the rows is fixed, so that the three ways see the same batches.

# %%
images, labels = load_digits(return_X_y=True)
order = np.random.RandomState(0).permutation(len(labels))
images = (images[order] / 16).astype(np.float32)
labels = labels[order].astype(np.int32)
test_images, test_labels = images[:360], labels[:360]
train_images, train_labels = images[360:], labels[360:]


def batches_of(images, labels):
    rows = ds.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=False)
    return rows.batch(64, drop_remainder=True)


batches = batches_of(train_images, train_labels)
EPOCHS = 6
print(f"{batches.get_dataset_size()} batches of 64 images, {len(test_labels)} images to test on")

# %% tags=["jax"]
import matplotlib.pyplot as plt

plt.rcParams.update(
    {
        "figure.figsize": (7.5, 3.6),
        "figure.dpi": 100,
        "axes.grid": True,
        "grid.alpha": 0.3,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }
)


# %%
def classifier():
    ms.set_seed(1)
    return nn.SequentialCell(
        nn.Dense(64, 128), nn.ReLU(), nn.Dense(128, 64), nn.ReLU(), nn.Dense(64, 10)
    )


def momentum(net, rate=0.05):
    return nn.Momentum(net.trainable_params(), learning_rate=rate, momentum=0.9)


def accuracy(net):
    net.set_train(False)
    predicted = net(Tensor(test_images)).argmax(1)
    return float((predicted == Tensor(test_labels)).astype(ms.float32).mean())


loss_fn = nn.CrossEntropyLoss()

# %% [markdown]
# `print(net)` gives MindSpore's text. As the last value of a cell, a network shows its parameters.

# %%
print(classifier())

# %% tags=["jax"]
classifier()

# %% [markdown]
# ## Three ways to train
#
# ### 1. A step written by hand


# %%
def by_hand(compiled=False):
    net = classifier()
    optimizer = momentum(net)

    def forward(x, y):
        return loss_fn(net(x), y)

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(x, y):
        loss, grads = grad_fn(x, y)
        optimizer(grads)
        return loss

    net.set_train()
    if compiled:
        step = ms.jit(step)
    losses = [float(step(x, y)) for _ in range(EPOCHS) for x, y in batches]
    return losses, accuracy(net)


# %% [markdown]
# ### 2. `TrainOneStepCell`


# %%
def by_cell(compiled=False):
    net = classifier()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), momentum(net))
    step.set_train()
    if compiled:
        step = ms.jit(step)
    losses = [float(step(x, y)) for _ in range(EPOCHS) for x, y in batches]
    return losses, accuracy(net)


# %% [markdown]
# ### 3. `Model.fit`


# %%
class KeepLosses(train.Callback):
    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        self.losses.append(float(run_context.original_args().net_outputs))


def by_model():
    net = classifier()
    model = train.Model(net, loss_fn, momentum(net), metrics={"accuracy"})
    keep = KeepLosses()
    data, valid = batches_of(train_images, train_labels), batches_of(test_images, test_labels)
    model.fit(EPOCHS, data, valid, callbacks=[keep])
    return keep.losses, accuracy(net)


# %% [markdown]
# The same network, batches and rule: the three give the same losses, and MindSpore 2.10, given these
# cells, prints the same.

# %%
runs = {"by hand": by_hand(), "TrainOneStepCell": by_cell(), "Model.fit": by_model()}
for name, (losses, right) in runs.items():
    print(f"{name:17} first loss {losses[0]:.6f}  last loss {losses[-1]:.6f}  accuracy {right:.2f}")

reference = runs["by hand"][0]
for losses, _ in runs.values():
    np.testing.assert_allclose(losses, reference, rtol=1e-4)

# %% [markdown]
# ## Compiled, with one line
#
# `step = ms.jit(step)` makes one JAX program of the whole step: forward pass, gradients, optimizer,
# the weights and moments it changes. `ms.set_context(mode=ms.GRAPH_MODE)` does so for a whole
# MindSpore program, `Model` included. Nothing else is different, and neither are the numbers. How
# much faster it is, is in the table of the [README](../README.md).

# %%
runs["by hand, ms.jit"] = by_hand(compiled=True)
runs["TrainOneStepCell, ms.jit"] = by_cell(compiled=True)

ms.set_context(mode=ms.GRAPH_MODE)
runs["Model.fit, GRAPH_MODE"] = by_model()
ms.set_context(mode=ms.PYNATIVE_MODE)

for losses, _ in runs.values():
    np.testing.assert_allclose(losses, reference, rtol=1e-4)
print("compiled and eager losses agree")

# %% tags=["jax", "picture"]
# (color, style, width), from the widest below to the thinnest on top.
lines = [
    ("#c6dbef", "-", 9),
    ("#6baed6", "-", 6.5),
    ("#2171b5", "-", 4),
    ("#fdd0a2", "-", 2),
    ("#e6550d", "--", 1.3),
    ("black", ":", 1.3),
]
figure, axes = plt.subplots()
for (name, (losses, _)), (color, style, width) in zip(runs.items(), lines, strict=True):
    axes.plot(losses, style, linewidth=width, color=color, label=name)
axes.set(xlabel="step", ylabel="cross entropy", title="Digits: six trainings, one curve")
_ = axes.legend(handlelength=3)

# %% [markdown]
# ## Loss scale: an overflow in float16
#
# float16 ends at 65504. Small gradients are lost in it, so the loss is scaled up before the
# backward pass and the gradients down after it; when they overflow, the step is skipped and the
# scale halved. MindSpore's cells do this as they do on an accelerator, here on the CPU as well.
#
# The scale starts far too high, and one batch has a broken image.


# %% tags=["jax"]
class Float16Loss(nn.Cell):
    """The network in float16, its loss in float32."""

    def __init__(self, net):
        super().__init__()
        self.net = net.to_float(ms.float16)

    def construct(self, x, y):
        return loss_fn(self.net(x).astype(ms.float32), y)


net = classifier()
scale = nn.DynamicLossScaleUpdateCell(loss_scale_value=2.0**30, scale_factor=2, scale_window=8)
step = nn.TrainOneStepWithLossScaleCell(Float16Loss(net), momentum(net), scale)
step.set_train()

BROKEN = 60
history = []
for number, (x, y) in enumerate(batches.repeat(EPOCHS)):
    if number == BROKEN:
        pixels = x.asnumpy().copy()
        pixels[0, 20] = 1e6
        x = Tensor(pixels)
        before = net[0].weight.asnumpy()
    loss, overflow, sens = step(x, y)
    if number == BROKEN:
        assert bool(overflow)
        np.testing.assert_array_equal(net[0].weight.asnumpy(), before)
        print("the step with the broken image was skipped")
    history.append((bool(overflow), float(sens)))

overflows, scales = map(np.array, zip(*history, strict=True))
# What a step returns is the scale after it; the first step had the one of the beginning.
scales = np.concatenate([[2.0**30], scales[:-1]])
print(f"the first {np.argmin(overflows)} steps overflow: too high a scale")
print(f"accuracy above 0.9: {accuracy(net) > 0.9}")

# %% tags=["jax"]
steps = np.arange(len(scales))
figure, axes = plt.subplots()
axes.step(steps, scales, where="post", color="tab:blue", label="loss scale")
skipped = steps[overflows]
axes.plot(skipped, scales[skipped], "o", color="tab:red", markersize=4, label="overflow: skipped")
axes.annotate(
    "broken image",
    (BROKEN, scales[BROKEN]),
    xytext=(BROKEN - 3, scales[BROKEN] * 64),
    arrowprops={"arrowstyle": "->", "color": "0.4"},
)
axes.set_yscale("log", base=2)
axes.set(xlabel="step", ylabel="scale", title="The loss scale finds its level, and keeps trying")
_ = axes.legend()

# %% [markdown]
# ## Clipping
#
# With a high learning rate the gradients grow. `ops.clip_by_global_norm` shortens all of them
# together to a given norm, and leaves their direction.


# %%
def norm(grads):
    return ops.norm(ops.concat([grad.reshape(-1) for grad in grads]))


def train_clipped(limit, rate):
    net = classifier()
    optimizer = momentum(net, rate)

    def forward(x, y):
        return loss_fn(net(x), y)

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, grads = grad_fn(x, y)
        clipped = ops.clip_by_global_norm(grads, limit)
        optimizer(clipped)
        return loss, norm(grads), norm(clipped)

    history = [step(x, y) for _ in range(EPOCHS) for x, y in batches]
    return np.array([[float(value) for value in row] for row in history])


LIMIT = 0.5
_, before, after = train_clipped(LIMIT, rate=0.1).T
print(f"largest norm after clipping: {after.max():.3f}")
assert after.max() < LIMIT * 1.001
np.testing.assert_allclose(after, np.minimum(before, LIMIT), rtol=1e-4)

# %% tags=["jax"]
figure, axes = plt.subplots()
steps = np.arange(len(before))
axes.fill_between(steps, after, before, color="tab:red", alpha=0.15, linewidth=0)
axes.plot(steps, before, color="tab:red", linewidth=1, label="before")
axes.plot(steps, after, color="tab:blue", linewidth=1.6, label="after")
axes.axhline(LIMIT, color="0.5", linestyle="--", linewidth=1)
axes.set(xlabel="step", ylabel="norm of all gradients", title="clip_by_global_norm(grads, 0.5)")
axes.set_ylim(bottom=0)
_ = axes.legend()

# %% [markdown]
# ## Checkpoint, kill, resume
#
# The program below saves a checkpoint after each epoch. What makes the resumed run the same is
# `append_info`: it puts the number of the epoch and the random state into the checkpoint, beside
# the weights, the moments and the step. `"random_state"` and `restore_random_state` are msgrad's
# own; all else is MindSpore's.

# %%
PROGRAM = '''
import os
import signal
import sys
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, train
from mindspore.train.callback import restore_random_state
from sklearn.datasets import load_digits

EPOCHS = 6


class Note(train.Callback):
    """Writes each loss to a file, and may kill the process."""

    def __init__(self, path, optimizer, kill_at):
        super().__init__()
        self.path, self.optimizer, self.kill_at = path, optimizer, kill_at

    def on_train_step_end(self, run_context):
        step = int(self.optimizer.global_step)
        with open(self.path, "a") as file:
            print(step, float(run_context.original_args().net_outputs), file=file)
        if step == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def main(name, kill_at=None):
    ms.set_seed(1)
    images, labels = load_digits(return_X_y=True)
    data = (images / 16).astype(np.float32), labels.astype(np.int32)
    data = ds.NumpySlicesDataset(data, ["image", "label"], shuffle=True)
    data = data.batch(64, drop_remainder=True)
    net = nn.SequentialCell(
        nn.Dense(64, 128), nn.ReLU(), nn.Dropout(p=0.2), nn.Dense(128, 10)
    )
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.003)
    model = train.Model(net, nn.CrossEntropyLoss(), optimizer)

    done = 0
    found = sorted(Path(name).glob("*.ckpt"), key=lambda path: path.stat().st_mtime)
    if found:
        state = ms.load_checkpoint(str(found[-1]))
        ms.load_param_into_net(model.train_network, state)
        restore_random_state(state)
        done = int(state["epoch_num"])
        data.set_init_step(done * data.get_dataset_size())

    config = train.CheckpointConfig(
        data.get_dataset_size(), append_info=["epoch_num", "random_state"]
    )
    saving = train.ModelCheckpoint("digits", name, config)
    note = Note(f"{name}.txt", optimizer, kill_at)
    model.train(EPOCHS, data, callbacks=[note, saving], initial_epoch=done)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
'''

# %% tags=["jax"]
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

folder = Path(mkdtemp())
(folder / "digits.py").write_text(PROGRAM)


def run(*args):
    command = [sys.executable, "-m", "msgrad", "run", "digits.py", *args]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    print("msgrad run digits.py", *args, "-> exit status", done.returncode)
    return done


whole = run("whole")
killed = run("killed", "100")
resumed = run("killed")
assert (whole.returncode, killed.returncode, resumed.returncode) == (0, -9, 0), resumed.stderr

# %% tags=["jax"]
uninterrupted = np.loadtxt(folder / "whole.txt")
steps, losses = np.loadtxt(folder / "killed.txt").T
cut = int(np.argmin(np.diff(steps))) + 1
begun, rest = slice(0, cut), slice(cut, None)
resumed_at = int(steps[cut])
print(f"killed after step {int(steps[cut - 1])}, resumed at step {resumed_at}")
print("losses of the resumed run equal to the uninterrupted one, bit for bit:", end=" ")
print(np.array_equal(losses[rest], uninterrupted[resumed_at - 1 :, 1]))

# %% tags=["jax"]
figure, axes = plt.subplots()
axes.plot(*uninterrupted.T, color="#9ecae1", linewidth=6, label="uninterrupted")
axes.plot(steps[begun], losses[begun], color="tab:red", linewidth=1.3, label="killed")
axes.plot(steps[rest], losses[rest], "--", color="#08306b", linewidth=1.3, label="resumed")
axes.plot(steps[cut - 1], losses[cut - 1], "x", color="tab:red", markersize=10, markeredgewidth=2.5)
axes.set(xlabel="step", ylabel="cross entropy", yscale="log")
axes.set_title("Killed in the middle of an epoch, resumed from its last checkpoint")
_ = axes.legend()
