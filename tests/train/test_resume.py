"""`Model.fit` on digits, killed and resumed: the losses of one run, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

import msgrad as ms
from msgrad import dataset as ds
from msgrad import nn, ops, train
from msgrad.train.callback import restore_random_state

EPOCHS, BATCH = 5, 64


class Killed(Exception):
    pass


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
    held = slice(0, 1280), slice(1280, None)
    training, valid = (tuple(each[part] for each in data) for part in held)
    shuffled = ds.NumpySlicesDataset(training, ["image", "label"], shuffle=True)
    # Random work of the pipeline besides the order of rows: a buffered shuffle of batches.
    batches = shuffled.batch(BATCH, drop_remainder=True).shuffle(4)
    return batches, ds.NumpySlicesDataset(valid, ["image", "label"], shuffle=False).batch(128)


class Note(train.Callback):
    def __init__(self, losses, kill_at=None):
        self.losses, self.kill_at = losses, kill_at

    def on_train_step_end(self, run_context):
        params = run_context.original_args()
        loss = (
            params.net_outputs[0] if isinstance(params.net_outputs, tuple) else params.net_outputs
        )
        self.losses.append(float(loss.asnumpy()))
        if len(self.losses) == self.kill_at:
            raise Killed


def built(scaled):
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


def callbacks(folder, note):
    config = train.CheckpointConfig(
        1280 // BATCH, keep_checkpoint_max=2, append_info=["epoch_num", "random_state"]
    )
    stopping = train.EarlyStopping("eval_loss", patience=4)
    return [note, train.ModelCheckpoint("net", str(folder), config), stopping]


@pytest.fixture(autouse=True)
def unseeded():
    yield
    ds.config._settings.clear()


@pytest.mark.parametrize("scaled", [False, True])
def test_a_resumed_training_goes_on_bit_for_bit(tmp_path, scaled, capsys):
    steps = 1280 // BATCH
    whole: list[float] = []
    model = built(scaled)
    data, valid = digits()
    model.fit(EPOCHS, data, valid, callbacks=callbacks(tmp_path / "whole", Note(whole)))
    assert len(whole) == EPOCHS * steps
    assert model.eval(valid)["acc"] > 0.8

    begun: list[float] = []
    data, valid = digits()
    with pytest.raises(Killed):
        killed = callbacks(tmp_path / "killed", Note(begun, kill_at=2 * steps + 7))
        built(scaled).fit(EPOCHS, data, valid, callbacks=killed)
    assert begun == whole[: len(begun)]

    # A new process would have neither the weights nor the random state.
    resumed: list[float] = []
    again = built(scaled)
    ms.set_seed(99)
    data, valid = digits()
    state = ms.load_checkpoint(killed[1].latest_ckpt_file_name)
    ms.load_param_into_net(again.train_network, state)
    assert restore_random_state(state)
    done = int(state["epoch_num"].asnumpy())
    assert done == 2
    data.set_init_step(done * data.get_dataset_size())
    rest = callbacks(tmp_path / "resumed", Note(resumed))
    again.fit(EPOCHS, data, valid, callbacks=rest, initial_epoch=done)

    assert resumed == whole[done * steps :]
    for one, other in zip(
        model.train_network.get_parameters(), again.train_network.get_parameters(), strict=True
    ):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy(), err_msg=one.name)


def test_without_the_random_state_the_losses_differ(tmp_path):
    model, (data, valid) = built(False), digits()
    losses: list[float] = []
    model.fit(2, data, valid, callbacks=callbacks(tmp_path, Note(losses)))
    state = ms.load_checkpoint(str(tmp_path / "net-1_20.ckpt"))
    again, (data, valid) = built(False), digits()
    ms.load_param_into_net(again.train_network, state)
    data.set_init_step(20)
    resumed: list[float] = []
    again.fit(2, data, valid, callbacks=[Note(resumed)], initial_epoch=1)
    assert resumed != losses[20:]
