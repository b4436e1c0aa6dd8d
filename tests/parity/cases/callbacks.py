"""Callbacks: when each hook runs and what it sees, printed lines, stopping, rates, checkpoints."""

import os
import re
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, train
from mindspore.train import callback
from mindspore.train.callback import _InternalCallbackParam

from tests.parity.case import case
from tests.parity.cases.model import Data

HOOKS = [
    "on_train_begin",
    "on_train_epoch_begin",
    "on_train_epoch_end",
    "on_train_step_begin",
    "on_train_step_end",
    "on_train_end",
    "on_eval_begin",
    "on_eval_epoch_begin",
    "on_eval_epoch_end",
    "on_eval_step_begin",
    "on_eval_step_end",
    "on_eval_end",
]
OLD_HOOKS = ["begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end"]


def model(rate=0.1, metrics=("mse",)):
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.9)
    return train.Model(net, nn.MSELoss(), optimizer, metrics=set(metrics))


def simple(value):
    """What can be recorded of an entry of the callback parameters."""
    if isinstance(value, Tensor):
        return round(float(value.asnumpy()), 5) if value.ndim == 0 else list(value.shape)
    if isinstance(value, dict):
        return {key: round(float(item), 5) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *[simple(item) for item in value]]
    return value if isinstance(value, (int, str, type(None))) else type(value).__name__


SHOWN = [
    "batch_num",
    "cur_epoch_num",
    "cur_step_num",
    "epoch_num",
    "eval_results",
    "eval_network",
    "loss_fn",
    "metrics",
    "mode",
    "net_outputs",
    "network",
    "optimizer",
    "parallel_mode",
    "train_dataset",
    "train_dataset_element",
    "train_network",
    "valid_dataset",
    "dataset_sink_mode",
    "eval_dataset_element",
    "initial_step",
    "loss_scale_mananger",
]


def spy(names, full=False):
    log = []

    def hook(name):
        def method(self, run_context):
            found = run_context.original_args()
            kept = SHOWN if full else ("cur_epoch_num", "cur_step_num", "mode", "net_outputs")
            log.append([name, {key: simple(found[key]) for key in kept if key in found}])

        return method

    return type("Spy", (train.Callback,), {name: hook(name) for name in names})(), log


@case.table({"names": (False,), "everything": (True,)})
def hooks_of_train(full):
    one, log = spy(HOOKS, full)
    model().train(2, Data(), callbacks=one)
    return log


@case.table({"names": (False,), "everything": (True,)})
def hooks_of_fit(full):
    one, log = spy(HOOKS, full)
    model().fit(2, Data(), Data(), callbacks=[one])
    return log


@case.table({"names": (False,), "everything": (True,)})
def hooks_of_eval(full):
    one, log = spy(HOOKS, full)
    result = model().eval(Data(), callbacks=[one])
    return log, result


@case.table({"train": ("train",), "eval": ("eval",)})
def old_hooks(call):
    one, log = spy(OLD_HOOKS)
    if call == "train":
        model().train(2, Data(), callbacks=one)
    else:
        model().eval(Data(), callbacks=one)
    return log


@case(message=True)
def old_hooks_in_fit():
    one, log = spy(["step_end"])
    model().fit(1, Data(), Data(), callbacks=one)
    return log


@case
def both_names_of_a_hook():
    one, log = spy(["step_end", "on_train_step_end", "begin", "on_train_begin"])
    model().train(1, Data(), callbacks=one)
    return [name for name, _ in log]


@case
def order_of_callbacks():
    order = []
    each = [
        train.LambdaCallback(on_train_step_end=lambda context, n=n: order.append(n))
        for n in range(3)
    ]
    model().train(1, Data(), callbacks=each)
    return order


@case
def lambda_hooks():
    order = []
    made = {name: lambda context, name=name: order.append(name) for name in HOOKS}
    model().fit(1, Data(), Data(), callbacks=train.LambdaCallback(**made))
    return order


@case
def entered_and_left():
    order = []

    class Held(train.Callback):
        def __enter__(self):
            order.append("enter")
            return self

        def __exit__(self, *error):
            order.append(["exit", error[0] is None])

        def on_train_end(self, run_context):
            order.append("end")

        def on_train_step_end(self, run_context):
            if run_context.original_args().cur_step_num == 2 and stop:
                raise KeyError("stop")

    stop = False
    model().train(1, Data(), callbacks=[Held()])
    stop = True
    try:
        model().train(1, Data(), callbacks=[Held()])
    except KeyError:
        order.append("raised")
    return order


def tidy(text):
    return re.sub(r"\d+\.\d+ ms", "T ms", text)


def printed(run):
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as out:
        run()
    # Losses to five digits: the last ones depend on the kernel.
    return re.sub(r"(\d\.\d{5})\d+", r"\1", tidy(out.getvalue()))


@case.table({"1": (1,), "2": (2,), "4": (4,), "0": (0,), "100": (100,)})
def loss_monitor(every):
    return printed(lambda: model().train(2, Data(), callbacks=train.LossMonitor(every)))


@case
def loss_monitor_in_fit():
    return printed(lambda: model().fit(2, Data(), Data(), callbacks=[train.LossMonitor(2)]))


@case
def loss_monitor_in_eval():
    return printed(lambda: model().eval(Data(), callbacks=[train.LossMonitor(2)]))


@case.table(
    {"None": (None,), "2": (2,), "text": ("a",), "negative": (-1,), "0": (0,)}, message=True
)
def time_monitor(size):
    monitor = train.TimeMonitor(size) if size is not None else train.TimeMonitor()
    return printed(lambda: model().fit(1, Data(), Data(), callbacks=[monitor]))


@case
def time_monitor_of_data():
    monitor = train.TimeMonitor(data_time=True)
    text = printed(lambda: model().train(1, Data(), callbacks=[monitor]))
    return re.sub(r"\d+\.\d+", "T", text)


@case
def time_monitor_in_eval():
    return printed(lambda: model().eval(Data(), callbacks=[train.TimeMonitor()]))


def feed(one, name, seen, **more):
    """Drive a callback by hand; returns where it asked to stop, and what it printed."""
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    wrapped = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    parameters = _InternalCallbackParam()
    parameters.update(
        network=net, train_network=wrapped, optimizer=optimizer, cur_epoch_num=0, net_outputs=None
    )
    parameters.update(more)
    context = callback.RunContext(parameters)
    stops, rates = [], []

    def run():
        one.on_train_begin(context)
        for epoch, value in enumerate(seen, 1):
            parameters.cur_epoch_num = epoch
            if name == "loss":
                parameters.net_outputs = Tensor(value, ms.float32)
            else:
                parameters.eval_results = {name: value}
            one.on_train_epoch_end(context)
            stops.append(context.get_stop_requested())
            rates.append(round(float(optimizer.learning_rate.asnumpy()), 7))
        one.on_train_end(context)

    text = printed(run)
    return stops, rates, text


FALLING = (1.0, 0.5, 0.4, 0.41, 0.39, 0.5, 0.6, 0.7, 0.3, 0.29, 0.4, 0.5)
RISING = tuple(1 - value for value in FALLING)
EARLY = {
    "default": ({}, "eval_loss", FALLING),
    "patience_1": ({"patience": 1}, "eval_loss", FALLING),
    "patience_2": ({"patience": 2}, "eval_loss", FALLING),
    "patience_3": ({"patience": 3, "verbose": True}, "eval_loss", FALLING),
    "min_delta": ({"patience": 2, "min_delta": 0.15, "verbose": True}, "eval_loss", FALLING),
    "negative_delta": ({"patience": 2, "min_delta": -0.15}, "eval_loss", FALLING),
    "baseline": ({"patience": 3, "baseline": 0.2, "verbose": True}, "eval_loss", FALLING),
    "baseline_reached": ({"patience": 3, "baseline": 0.45}, "eval_loss", FALLING),
    "max": ({"patience": 2, "mode": "max"}, "eval_loss", FALLING),
    "auto_acc": ({"patience": 2, "monitor": "acc"}, "acc", RISING),
    "auto_accuracy": ({"patience": 2, "monitor": "accuracy"}, "accuracy", RISING),
    "auto_top": ({"patience": 2, "monitor": "top_1_accuracy"}, "top_1_accuracy", RISING),
    "auto_f1": ({"patience": 2, "monitor": "F1"}, "F1", RISING),
    "auto_mse": ({"patience": 2, "monitor": "mse"}, "mse", FALLING),
    "auto_other": ({"patience": 2, "monitor": "other"}, "other", FALLING),
    "absent": ({"patience": 0, "monitor": "mse"}, "mae", FALLING),
    "loss": ({"patience": 2, "monitor": "loss"}, "loss", FALLING),
    "loss_vector": ({"patience": 1, "monitor": "loss"}, "loss", ([1.0, 3.0], [1.0, 2.0], [9, 9])),
    "loss_nan": ({"patience": 1, "monitor": "loss"}, "loss", (1.0, np.nan, 0.5)),
    "value_nan": ({"patience": 1}, "eval_loss", (1.0, np.nan, 0.5)),
}


@case.table(EARLY, message=True)
def early_stopping(options, name, seen):
    return feed(train.EarlyStopping(**options), name, seen)


PLATEAU = {
    "default": ({}, "eval_loss", FALLING),
    "patience_0": ({"patience": 0, "verbose": True}, "eval_loss", FALLING),
    "patience_1": ({"patience": 1, "verbose": True}, "eval_loss", FALLING),
    "patience_2": ({"patience": 2, "factor": 0.5}, "eval_loss", FALLING),
    "cooldown": ({"patience": 1, "cooldown": 2, "verbose": True}, "eval_loss", FALLING),
    "min_lr": ({"patience": 1, "min_lr": 0.05, "verbose": True}, "eval_loss", FALLING),
    "min_delta": ({"patience": 1, "min_delta": 0.15}, "eval_loss", FALLING),
    "negative_delta": ({"patience": 1, "min_delta": -0.15}, "eval_loss", FALLING),
    "max": ({"patience": 2, "mode": "max"}, "eval_loss", FALLING),
    "auto_acc": ({"patience": 2, "monitor": "acc"}, "acc", RISING),
    "auto_other": ({"patience": 2, "monitor": "other"}, "other", RISING),
    "absent": ({"patience": 0, "monitor": "mse"}, "mae", FALLING),
    "loss": ({"patience": 2, "monitor": "loss"}, "loss", FALLING),
}


@case.table(PLATEAU, message=True)
def reduce_on_plateau(options, name, seen):
    return feed(train.ReduceLROnPlateau(**options), name, seen)


@case(message=True)
def plateau_with_a_dynamic_rate():
    model([0.1] * 30).fit(2, Data(), Data(), callbacks=[train.ReduceLROnPlateau("mse", patience=0)])


@case
def early_stopping_in_fit():
    one, log = spy(["on_train_epoch_end"])
    text = printed(
        lambda: model().fit(
            6, Data(), Data(), callbacks=[train.EarlyStopping(patience=1, verbose=True), one]
        )
    )
    return text, log


@case
def restored_best_weights():
    made = model()
    best = train.EarlyStopping("loss", patience=1, restore_best_weights=True, verbose=True)
    text = printed(lambda: made.fit(6, Data(), Data(), callbacks=[best]))
    return text, made._network.weight, made._network.bias


@case
def restored_with_what_the_optimizer_keeps():
    made = model()
    best = train.EarlyStopping("loss", patience=1, restore_best_weights=True)
    lower = train.ReduceLROnPlateau("loss", factor=0.5, patience=0)
    made.fit(6, Data(), Data(), callbacks=[best, lower])
    return {param.name: param.value() for param in made._optimizer.get_parameters()}


@case
def rate_scheduler():
    seen = []

    def rate(now, step):
        seen.append([round(float(now), 6), type(step).__name__, step])
        return now / step

    made = model()
    made.train(2, Data(), callbacks=[train.LearningRateScheduler(rate)])
    return seen, made._optimizer.learning_rate.asnumpy().tolist()


@case(message=True)
def rate_scheduler_with_a_list():
    model([0.1] * 30).train(1, Data(), callbacks=[train.LearningRateScheduler(lambda r, s: r)])


@case
def history():
    one = train.History()
    model().fit(2, Data(), Data(), callbacks=[one])
    return one.epoch, {key: simple(value) for key, value in one.history.items()}


@case
def history_of_train():
    one = train.History()
    model().train(2, Data(), callbacks=[one])
    return one.epoch, {key: simple(value) for key, value in one.history.items()}


@case.table(
    {
        "step": ("on_train_step_end",),
        "epoch": ("on_train_epoch_end",),
        "begin": ("on_train_begin",),
        "step_begin": ("on_train_step_begin",),
    }
)
def request_stop(where):
    order = []

    class Stop(train.Callback):
        pass

    def hook(self, run_context):
        order.append(where)
        run_context.request_stop()

    setattr(Stop, where, hook)
    one, log = spy(HOOKS)
    model().train(2, Data(), callbacks=[Stop(), one])
    return order, [name for name, _ in log]


@case
def own_entries_of_the_parameters():
    parameters = _InternalCallbackParam()
    parameters.mine = 3
    parameters["other"] = 4
    context = callback.RunContext(parameters)
    before = context.get_stop_requested()
    context.request_stop()
    return (
        parameters.other,
        parameters["mine"],
        context.original_args() is parameters,
        before,
        context.get_stop_requested(),
    )


@case
def absent_entry():
    return _InternalCallbackParam().nothing


@case
def manager():
    from mindspore.train.callback import _CallbackManager

    order = []
    one = train.LambdaCallback(
        on_train_step_end=lambda context: order.append("step"),
        on_train_begin=lambda context: order.append("begin"),
    )
    held = _CallbackManager([one, one])
    context = callback.RunContext(_InternalCallbackParam())
    held.on_train_begin(context)
    held.on_train_step_end(context)
    with held:
        order.append("inside")
    return order, isinstance(held, train.Callback)


@case.table(
    {
        "monitor_-1": (lambda: train.LossMonitor(-1),),
        "monitor_float": (lambda: train.LossMonitor(1.5),),
        "monitor_text": (lambda: train.LossMonitor("a"),),
        "monitor_bool": (lambda: train.LossMonitor(True),),
        "time_data": (lambda: train.TimeMonitor(2, data_time=1),),
        "context": (lambda: train.RunContext(3),),
        "manager": (lambda: callback._CallbackManager([3]),),
        "factor_1": (lambda: train.ReduceLROnPlateau(factor=1.0),),
        "factor_2": (lambda: train.ReduceLROnPlateau(factor=2.5),),
        "factor_int": (lambda: train.ReduceLROnPlateau(factor=1),),
        "plateau_patience": (lambda: train.ReduceLROnPlateau(patience=-1),),
        "plateau_float": (lambda: train.ReduceLROnPlateau(patience=1.5),),
        "plateau_mode": (lambda: train.ReduceLROnPlateau(mode="x"),),
        "plateau_monitor": (lambda: train.ReduceLROnPlateau(monitor=3),),
        "plateau_delta": (lambda: train.ReduceLROnPlateau(min_delta="a"),),
        "plateau_cooldown": (lambda: train.ReduceLROnPlateau(cooldown=-1),),
        "plateau_min_lr": (lambda: train.ReduceLROnPlateau(min_lr="a"),),
        "plateau_verbose": (lambda: train.ReduceLROnPlateau(verbose=1),),
        "early_patience": (lambda: train.EarlyStopping(patience=-1),),
        "early_float": (lambda: train.EarlyStopping(patience=1.5),),
        "early_mode": (lambda: train.EarlyStopping(mode="x"),),
        "early_monitor": (lambda: train.EarlyStopping(monitor=3),),
        "early_delta": (lambda: train.EarlyStopping(min_delta="a"),),
        "early_baseline": (lambda: train.EarlyStopping(baseline="a"),),
        "early_verbose": (lambda: train.EarlyStopping(verbose=1),),
        "early_restore": (lambda: train.EarlyStopping(restore_best_weights=1),),
        "steps_negative": (lambda: train.CheckpointConfig(-1),),
        "steps_float": (lambda: train.CheckpointConfig(1.5),),
        "max_text": (lambda: train.CheckpointConfig(keep_checkpoint_max="a"),),
        "max_negative": (lambda: train.CheckpointConfig(keep_checkpoint_max=-1),),
        "integrated": (lambda: train.CheckpointConfig(integrated_save=1),),
        "async": (lambda: train.CheckpointConfig(async_save="x"),),
        "network": (lambda: train.CheckpointConfig(saved_network=3),),
        "append": (lambda: train.CheckpointConfig(append_info=3),),
        "append_name": (lambda: train.CheckpointConfig(append_info=["foo"]),),
        "append_value": (lambda: train.CheckpointConfig(append_info=[{"a": [1]}]),),
        "append_key": (lambda: train.CheckpointConfig(append_info=[{1: 1}]),),
        "append_other": (lambda: train.CheckpointConfig(append_info=[3]),),
        "crc": (lambda: train.CheckpointConfig(crc_check=3),),
        "exception": (lambda: train.CheckpointConfig(exception_save=1),),
        "key": (lambda: train.CheckpointConfig(enc_key="a"),),
        "prefix_slash": (lambda: train.ModelCheckpoint("a/b"),),
        "prefix_number": (lambda: train.ModelCheckpoint(3),),
        "directory": (lambda: train.ModelCheckpoint(directory=3),),
        "config": (lambda: train.ModelCheckpoint(config=3),),
    },
    message=True,
)
def refused(make):
    return make()


@case.table(
    {
        "default": ({},),
        "steps_and_seconds": ({"save_checkpoint_steps": 2, "save_checkpoint_seconds": 3},),
        "seconds": ({"save_checkpoint_steps": None, "save_checkpoint_seconds": 3},),
        "zero": ({"save_checkpoint_steps": 0},),
        "minutes": ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 2},),
        "max_and_minutes": ({"keep_checkpoint_max": 3, "keep_checkpoint_per_n_minutes": 2},),
        "max_0": ({"keep_checkpoint_max": 0},),
        "max_None": ({"keep_checkpoint_max": None},),
    },
    message=True,
)
def checkpoint_policy(options):
    config = train.CheckpointConfig(**options)
    more = config.integrated_save, config.map_param_inc
    return config.get_checkpoint_policy(), config.append_dict, *more


CHECKPOINTS = {
    "every_2": (2, {"config": {"save_checkpoint_steps": 2}}),
    "every_epoch": (3, {"config": {"save_checkpoint_steps": 3}}),
    "at_the_end": (2, {"config": {"save_checkpoint_steps": 100}}),
    "each_step": (1, {}),
    "keep_2": (3, {"config": {"save_checkpoint_steps": 2, "keep_checkpoint_max": 2}}),
    "keep_1": (2, {"config": {"keep_checkpoint_max": 1}}),
    "keep_0": (2, {"config": {"keep_checkpoint_max": 0}}),
    "keep_minutes": (3, {"config": {"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 1}}),
    "never": (2, {"config": {"save_checkpoint_steps": 0}}),
    "seconds": (2, {"config": {"save_checkpoint_steps": None, "save_checkpoint_seconds": 100}}),
    "prefix": (1, {"prefix": "net", "config": {"save_checkpoint_steps": 3}}),
    "async": (3, {"config": {"save_checkpoint_steps": 3, "async_save": True}}),
    "callable": (
        2,
        {"prefix": lambda p: f"x{p.cur_step_num}", "config": {"save_checkpoint_steps": 3}},
    ),
}


@case.table(CHECKPOINTS)
def checkpoint_files(epochs, options):
    with tempfile.TemporaryDirectory() as folder:
        config = train.CheckpointConfig(**options.get("config", {}))
        prefix = options.get("prefix", "CKP")
        one = train.ModelCheckpoint(prefix, os.path.join(folder, "made"), config)
        model().train(epochs, Data(), callbacks=[one])
        return sorted(os.listdir(os.path.join(folder, "made"))), os.path.basename(
            str(one.latest_ckpt_file_name)
        )


@case
def checkpoints_of_several_runs():
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            config = train.CheckpointConfig(3, keep_checkpoint_max=2)
            model().train(2, Data(), callbacks=[train.ModelCheckpoint("a", folder, config)])
        return sorted(os.listdir(folder))


@case
def two_runs_of_one_checkpoint_callback():
    with tempfile.TemporaryDirectory() as folder:
        config = train.CheckpointConfig(3, keep_checkpoint_max=3)
        one = train.ModelCheckpoint("a", folder, config)
        made = model()
        made.train(2, Data(), callbacks=[one])
        made.train(2, Data(), callbacks=[one])
        return sorted(os.listdir(folder))


def loaded(path):
    return {
        key: value if isinstance(value, str) else [value.dtype, list(value.shape)]
        for key, value in ms.load_checkpoint(path).items()
    }


@case.table(
    {
        "all": ({},),
        "network": ({"saved_network": True},),
        "append": ({"append_info": ["epoch_num", "step_num", {"a": 1, "b": 0.5, "c": True}]},),
    }
)
def checkpoint_entries(options):
    with tempfile.TemporaryDirectory() as folder:
        made = model()
        if options.get("saved_network"):
            options = {"saved_network": made._network}
        one = train.ModelCheckpoint("a", folder, train.CheckpointConfig(4, **options))
        made.train(2, Data(), callbacks=[one])
        return [loaded(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]


@case
def appended_numbers():
    with tempfile.TemporaryDirectory() as folder:
        config = train.CheckpointConfig(2, append_info=["epoch_num", "step_num"])
        one = train.ModelCheckpoint("a", folder, config)
        model().train(2, Data(), callbacks=[one])
        files = [ms.load_checkpoint(os.path.join(folder, f)) for f in sorted(os.listdir(folder))]
        return [[int(f["epoch_num"].asnumpy()), int(f["step_num"].asnumpy())] for f in files]


@case
def checkpoint_with_an_initial_epoch():
    with tempfile.TemporaryDirectory() as folder:
        config = train.CheckpointConfig(3, append_info=["epoch_num", "step_num"])
        one = train.ModelCheckpoint("a", folder, config)
        model().train(3, Data(), callbacks=[one], initial_epoch=1)
        files = [ms.load_checkpoint(os.path.join(folder, f)) for f in sorted(os.listdir(folder))]
        numbers = [[int(f["epoch_num"].asnumpy()), int(f["step_num"].asnumpy())] for f in files]
        return sorted(os.listdir(folder)), numbers
