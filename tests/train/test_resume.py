"""`Model.fit` on digits, killed and resumed: the losses of one run, bit for bit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import dataset as ds
from msgrad import nn, train
from msgrad._core import random
from msgrad.train.callback import restore_callback_state, restore_random_state
from tests.train import resumable
from tests.train.resumable import STEPS, built, digits


@pytest.fixture(autouse=True)
def own_random_state(monkeypatch):
    # Without the streams that other tests started in this process, as in a new one.
    monkeypatch.setattr(random, "_streams", {None: random.generator()})
    for name in ("_states", "_restored", "_sites", "_counts"):
        monkeypatch.setattr(random, name, type(getattr(random, name))())
    yield
    ds.config._settings.clear()


def in_a_process(folder, *options):
    """Train in a process of its own; gives its exit code."""
    command = [sys.executable, "-m", "tests.train.resumable", str(folder), *options]
    return subprocess.run(command, env={**os.environ, "JAX_PLATFORMS": "cpu"}).returncode


def test_killed_at_a_step_and_in_a_write_it_goes_on_bit_for_bit(tmp_path):
    whole_folder, folder = tmp_path / "whole", tmp_path / "killed"
    folder.mkdir()
    whole_folder.mkdir()
    model, calls = resumable.run(whole_folder)
    expected = resumable.final_state(model)
    whole = (whole_folder / "losses.txt").read_text().splitlines()
    # Both callbacks did something, and at other epochs than those of the kills.
    assert 5 < calls[2].stopped_epoch < resumable.EPOCHS
    assert len(whole) == calls[2].stopped_epoch * STEPS
    assert expected["learning_rate"] < 0.01
    assert expected["scale_sense"] > 2.0**10

    losses, newest = folder / "losses.txt", folder / "newest.ckpt"
    assert in_a_process(folder, "--kill-at-step", str(2 * STEPS + 7)) == -signal.SIGKILL
    assert losses.read_text().splitlines() == whole[: 2 * STEPS + 7]
    assert int(ms.load_checkpoint(str(newest))["epoch_num"].asnumpy()) == 2

    # The third epoch's file is whole, that of the fourth is cut: the third is still there.
    losses.unlink()
    assert in_a_process(folder, "--kill-in-write", "2") == -signal.SIGKILL
    assert losses.read_text().splitlines() == whole[2 * STEPS : 4 * STEPS]
    assert int(ms.load_checkpoint(str(newest))["epoch_num"].asnumpy()) == 3
    assert any(name.endswith(".tmp") for name in os.listdir(folder))

    losses.unlink()
    assert in_a_process(folder) == 0
    assert losses.read_text().splitlines() == whole[3 * STEPS :]
    with np.load(folder / "final.npz") as final:
        assert sorted(final) == sorted(expected)
        for name, value in expected.items():
            np.testing.assert_array_equal(final[name], value, strict=True, err_msg=name)


def test_compiled_it_goes_on_bit_for_bit_too(tmp_path, monkeypatch):
    ms.set_context(mode=ms.GRAPH_MODE)
    folders = [tmp_path / "whole", tmp_path / "parts"]
    states = []
    for folder, ends in zip(folders, [(5,), (3, 5)], strict=True):
        folder.mkdir()
        for end in ends:
            monkeypatch.setattr(resumable, "EPOCHS", end)
            states.append(resumable.final_state(resumable.run(folder)[0]))
    whole, parts = ((folder / "losses.txt").read_text() for folder in folders)
    assert whole == parts
    for name, value in states[0].items():
        np.testing.assert_array_equal(states[-1][name], value, strict=True, err_msg=name)


class Losses(train.Callback):
    def __init__(self):
        self.values = []

    def on_train_step_end(self, run_context):
        self.values.append(float(run_context.original_args().net_outputs.asnumpy()))


def test_from_one_of_several_files_of_a_training_without_loss_scale(tmp_path):
    config = train.CheckpointConfig(STEPS, append_info=["epoch_num", "random_state"])
    model, (data, valid), whole = built(scaled=False), digits(), Losses()
    saving = train.ModelCheckpoint("net", str(tmp_path), config)
    model.fit(4, data, valid, callbacks=[whole, saving])
    assert model.eval(valid)["acc"] > 0.8

    state = ms.load_checkpoint(str(tmp_path / f"net-2_{STEPS}.ckpt"))
    for restored in (True, False):
        again, (data, valid), rest = built(scaled=False), digits(), Losses()
        ms.set_seed(99)
        ds.config.set_seed(6)  # as in `built`: the seed set last holds
        ms.load_param_into_net(again.train_network, state)
        if restored:
            assert restore_random_state(state)
        data.set_init_step(2 * STEPS)
        again.fit(4, data, valid, callbacks=[rest], initial_epoch=2)
        assert (rest.values == whole.values[2 * STEPS :]) is restored


# The state of callbacks -------------------------------------------------------------------------


def a_model():
    net = nn.Dense(2, 1)
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0))


def saved_state(folder, calls, **config):
    rows = np.ones((4, 2), np.float32), np.ones((4, 1), np.float32)
    data = ds.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(2)
    info = train.CheckpointConfig(2, append_info=["callback_state"], **config)
    saving = train.ModelCheckpoint("net", str(folder), info)
    a_model().train(3, data, [*calls, saving])
    return ms.load_checkpoint(saving.latest_ckpt_file_name)


def test_what_callbacks_count_comes_back(tmp_path):
    calls = [train.EarlyStopping("loss", patience=5), train.ReduceLROnPlateau("loss", patience=9)]
    state = saved_state(tmp_path, calls)
    assert sorted(name for name in state if name.startswith("callback_state")) == [
        "callback_state.0.EarlyStopping.best",
        "callback_state.0.EarlyStopping.stopped_epoch",
        "callback_state.0.EarlyStopping.wait",
        "callback_state.1.ReduceLROnPlateau.best",
        "callback_state.1.ReduceLROnPlateau.cooldown_counter",
        "callback_state.1.ReduceLROnPlateau.wait",
    ]
    stopping, reducing = train.EarlyStopping("loss"), train.ReduceLROnPlateau("loss")
    # Callbacks that count nothing may stand between them.
    assert restore_callback_state(state, [train.History(), stopping, reducing])
    assert (stopping.wait, reducing.wait) == (calls[0].wait, calls[1].wait) == (2, 2)
    assert stopping.best == calls[0].best < np.inf

    # The training that follows goes on; one after that starts anew.
    stopping.on_train_begin(None)
    assert stopping.wait == 2
    stopping.on_train_begin(None)
    assert stopping.wait == 0


def test_other_callbacks_than_those_of_the_file_are_refused(tmp_path):
    state = saved_state(tmp_path, [train.EarlyStopping("loss", patience=5)])
    other = train.ReduceLROnPlateau("loss")
    with pytest.raises(ValueError, match="give the same ones in the same order"):
        restore_callback_state(state, [other])
    assert other.wait == 0
    assert not restore_callback_state({}, [other])


def test_the_checkpoint_must_stand_after_what_counts(tmp_path):
    info = train.CheckpointConfig(1, append_info=["callback_state"])
    saving = train.ModelCheckpoint("net", str(tmp_path), info)
    data = ds.NumpySlicesDataset((np.ones((1, 2), np.float32), np.ones((1, 1), np.float32)))
    with pytest.raises(ValueError, match="must stand after EarlyStopping"):
        a_model().train(1, data.batch(1), [saving, train.EarlyStopping("loss")])
    assert os.listdir(tmp_path) == []
