"""Model and callbacks beyond the recorded cases: kinds of datasets, failures, the progress bar."""

from __future__ import annotations

import os
import pickle
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, train
from msgrad import dataset as ds
from msgrad.train.callback import _left_out

ROWS = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
WANTED = np.arange(6, dtype=np.float32).reshape(6, 1) / 5
LOSSES = [0.05, 0.3132836, 0.4494766, 0.1134585, 0.2499611, 0.4538652]


def model(**options):
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    return train.Model(net, nn.MSELoss(), optimizer, metrics={"mse"}, **options)


def losses(made, data, **options):
    seen: list[float] = []
    note = train.LambdaCallback(
        on_train_step_end=lambda c: seen.append(float(c.original_args().net_outputs.asnumpy()))
    )
    made.train(2, data, callbacks=[note], **options)
    return seen


class Sized:
    def get_dataset_size(self):
        return 3


class OneShot(Sized):
    """Its iterator is used up after an epoch, unlike MindSpore's."""

    def create_tuple_iterator(self, num_epochs=-1):
        return (tuple(Tensor(each[i : i + 2]) for each in (ROWS, WANTED)) for i in (0, 2, 4))


class Dicts(Sized):
    def create_dict_iterator(self, num_epochs=-1, do_copy=True):
        return [{"x": ROWS[i : i + 2], "y": WANTED[i : i + 2]} for i in (0, 2, 4)]


DATASETS = {
    "one_shot": OneShot,
    "dicts_of_arrays": Dicts,
    "slices": lambda: ds.NumpySlicesDataset((ROWS, WANTED), shuffle=False).batch(2),
}


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("sink", [False, True])
def test_kinds_of_datasets(name, sink):
    seen = losses(model(), DATASETS[name](), dataset_sink_mode=sink)
    # The values recorded from MindSpore.
    np.testing.assert_allclose(seen, LOSSES, rtol=2e-6)


def test_an_exception_in_training_leaves_callbacks_closed():
    left = []

    class Held(train.Callback):
        def __exit__(self, *error):
            left.append(error[0])

        def on_train_step_end(self, run_context):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        model().train(1, OneShot(), callbacks=[Held()])
    assert left == [ZeroDivisionError]


@pytest.mark.parametrize("name", _left_out.__all__)
def test_left_out_callbacks_name_a_way(name):
    with pytest.raises(NotImplementedError, match=rf"leaves out train\.{name}: \w"):
        getattr(train, name)("folder")


@pytest.mark.parametrize(
    "run",
    [
        lambda: model().build(),
        lambda: model().infer_train_layout(None),
        lambda: model().infer_predict_layout(None),
        lambda: train.connect_network_with_dataset(None, None),
    ],
)
def test_what_is_not_supported_says_so(run):
    with pytest.raises(NotImplementedError):
        run()


def test_names_of_checkpoints_are_settled_when_it_is_made(tmp_path):
    """So ranks with one folder agree on them, however late one of them saves."""
    one, other = (train.ModelCheckpoint("net", str(tmp_path)) for _ in range(2))
    for callback in (one, other):
        model().train(1, OneShot(), callbacks=[callback])
    assert one.latest_ckpt_file_name == other.latest_ckpt_file_name
    model().train(1, OneShot(), callbacks=[train.ModelCheckpoint("net", str(tmp_path))])
    assert {name.rpartition("-")[0] for name in os.listdir(tmp_path)} == {"net", "net_1"}


def test_a_failing_save_leaves_the_older_file(tmp_path, monkeypatch):
    config = train.CheckpointConfig(3, keep_checkpoint_max=1)
    one = train.ModelCheckpoint("net", str(tmp_path), config)
    from msgrad.train.callback import _checkpoint

    save = _checkpoint.save_checkpoint

    def second_fails(network, path, *args, **kwargs):
        if os.listdir(tmp_path):
            raise OSError("disk full")
        save(network, path, *args, **kwargs)

    monkeypatch.setattr(_checkpoint, "save_checkpoint", second_fails)
    with pytest.raises(OSError, match="disk full"):
        model().train(2, OneShot(), callbacks=[one])
    assert os.listdir(tmp_path) == ["net-1_3.ckpt"]


def test_no_random_state_in_a_file_without_it():
    assert not train.restore_random_state({"weight": Tensor([1.0])})


def test_the_progress_bar_is_silent_without_a_terminal(capsys):
    model().train(1, OneShot(), callbacks=[train.ProgressBar()])
    assert capsys.readouterr() == ("", "")


def test_the_progress_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    model().train(2, OneShot(), callbacks=[train.ProgressBar()])
    out, err = capsys.readouterr()
    assert out == ""
    assert "6/6" in err
    assert "loss=0.4539" in err


def test_import_paths():
    with ms.install():
        from mindspore.train.callback import Callback, _CallbackManager, _InternalCallbackParam
        from mindspore.train.callback._callback import CallbackManager, InternalCallbackParam
        from mindspore.train.callback._loss_monitor import LossMonitor
        from mindspore.train.callback._time_monitor import TimeMonitor
        from mindspore.train.dataset_helper import DatasetHelper
        from mindspore.train.metrics.metric import Metric
        from mindspore.train.model import Model
    assert (Callback, LossMonitor, TimeMonitor) == (
        train.Callback,
        train.LossMonitor,
        train.TimeMonitor,
    )
    assert (_CallbackManager, _InternalCallbackParam) == (CallbackManager, InternalCallbackParam)
    assert (Metric, Model, DatasetHelper) == (train.Metric, train.Model, train.DatasetHelper)


def test_a_callback_of_named_functions_is_pickled():
    note = pickle.loads(pickle.dumps(train.LambdaCallback(on_train_end=print)))
    assert note.on_train_end is print
    assert note.on_train_begin(None) is None
