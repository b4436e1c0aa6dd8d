"""A training on digits that can be killed and goes on from its newest checkpoint.

``python -m tests.train.resumable FOLDER`` trains in ``FOLDER`` until the end, or until the process
kills itself: ``--kill-at-step N`` after the N-th step of this process, ``--kill-in-write N`` in the
middle of writing its N-th checkpoint. Each step adds its loss to ``losses.txt``.
"""

from __future__ import annotations

import argparse
import os
import signal
from pathlib import Path
from unittest import mock

import numpy as np
from sklearn.datasets import load_digits

import msgrad as ms
from msgrad import dataset as ds
from msgrad import nn, ops, train
from msgrad.train.callback import restore_callback_state, restore_random_state

EPOCHS, BATCH, TRAINING = 9, 64, 1280
STEPS = TRAINING // BATCH


class Net(nn.Cell):
    """A classifier whose every forward pass draws random numbers."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dense(64, 32), nn.Dense(32, 10)

    def construct(self, x):
        hidden = ops.relu(self.first(x))
        if self.training:
            hidden = hidden + 0.1 * ops.standard_normal(hidden.shape)
        return self.second(hidden)


def digits():
    images, labels = load_digits(return_X_y=True)
    data = (images / 16).astype(np.float32), labels.astype(np.int32)
    held = slice(0, TRAINING), slice(TRAINING, None)
    training, valid = (tuple(each[part] for each in data) for part in held)
    shuffled = ds.NumpySlicesDataset(training, ["image", "label"], shuffle=True)
    # Random work of the pipeline besides the order of rows: a buffered shuffle of batches.
    batches = shuffled.batch(BATCH, drop_remainder=True).shuffle(4)
    return batches, ds.NumpySlicesDataset(valid, ["image", "label"], shuffle=False).batch(128)


def built(scaled=True):
    ms.set_seed(5)
    ds.config.set_seed(6)
    net = Net()
    optimizer = nn.Adam(net.trainable_params(), 0.01, weight_decay=1e-4)
    # Grows within the run, so that the scale is state that a checkpoint must hold.
    manager = (
        {"loss_scale_manager": train.DynamicLossScaleManager(2.0**10, 2, 30)} if scaled else {}
    )
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return train.Model(net, loss, optimizer, metrics={"acc", "loss"}, **manager)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


class Note(train.Callback):
    """Writes down the loss of each step; may kill the process after one of them."""

    def __init__(self, folder, kill_at=None):
        self.path = Path(folder) / "losses.txt"
        self.kill_at = kill_at

    def on_train_step_end(self, run_context):
        params = run_context.original_args()
        with self.path.open("a") as file:
            print(float(params.net_outputs[0].asnumpy()).hex(), file=file)
        if params.cur_step_num == self.kill_at:
            die()


def callbacks(folder, kill_at=None):
    """One file, always of the same name, so that each save replaces what it would resume from."""
    counting = [
        train.ReduceLROnPlateau("eval_loss", factor=0.5, patience=1, min_delta=0.05),
        train.EarlyStopping(
            "eval_loss", min_delta=0.1, patience=3, restore_best_weights=True, mode="min"
        ),
    ]
    info = ["epoch_num", "random_state", "callback_state"]
    config = train.CheckpointConfig(STEPS, append_info=info)
    saving = train.ModelCheckpoint(lambda params: "newest", str(folder), config)
    return [Note(folder, kill_at), *counting, saving]


def run(folder, kill_at=None):
    """Train in a folder, from its checkpoint if there is one; gives model and callbacks."""
    model, calls, (data, valid) = built(), callbacks(folder, kill_at), digits()
    newest, done = Path(folder) / "newest.ckpt", 0
    if newest.exists():
        state = ms.load_checkpoint(str(newest))
        assert ms.load_param_into_net(model.train_network, state)[0] == []
        assert restore_random_state(state)
        assert restore_callback_state(state, calls)
        done = int(state["epoch_num"].asnumpy())
        data.set_init_step(done * data.get_dataset_size())
    model.fit(EPOCHS, data, valid, callbacks=calls, initial_epoch=done)
    return model, calls


def final_state(model):
    """Give all there is at the end, by name: weights, moments, step, scale and random state."""
    from msgrad.train.callback._resuming import random_state

    values = {p.name: p.asnumpy() for p in model.train_network.get_parameters()}
    return {**values, **{name: value.asnumpy() for name, value in random_state().items()}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--kill-at-step", type=int)
    parser.add_argument("--kill-in-write", type=int)
    args = parser.parse_args()
    replace, writes = os.replace, []

    def replace_or_die(*names):
        writes.append(names)
        if len(writes) == args.kill_in_write:
            # What stands in the new file by now is cut, as in a crash of the machine.
            os.truncate(names[0], os.path.getsize(names[0]) // 2)
            die()
        replace(*names)

    with mock.patch("os.replace", replace_or_die):
        model, _ = run(args.folder, args.kill_at_step)
    np.savez(Path(args.folder) / "final.npz", **final_state(model))


if __name__ == "__main__":
    main()
