"""Around the numbers: callbacks, checkpoints, cells, seeds, pipelines, as programs use them."""

import os
import random
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, train

from tests.parity.case import case
from tests.parity.cases.callbacks import model


def data(rows=4, batch=2):
    x = np.arange(rows * 2, dtype=np.float32).reshape(rows, 2) / 8
    return ds.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(batch)


def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")


def calling(hook, function):
    return type("Own", (train.Callback,), {hook: lambda self, context: function(context)})()


# Training ---------------------------------------------------------------------------------------


def _stop(context):
    context.request_stop()


def _fail(context):
    raise KeyError("x")


@case.table({"begin": ("on_eval_begin",), "step": ("on_eval_step_end",), "end": ("on_eval_end",)})
def a_stop_in_an_evaluation_ends_it_alone(hook):
    seen = []
    log = calling("on_train_step_end", lambda c: seen.append(c.original_args().cur_step_num))
    model().fit(2, data(), data(), callbacks=[calling(hook, _stop), log])
    return seen


@case
def an_evaluation_in_fit_enters_the_callbacks_again():
    seen = []

    class Entered(train.Callback):
        def __enter__(self):
            seen.append("enter")
            return self

        def __exit__(self, *error):
            seen.append("exit")

    model().fit(1, data(), data(), callbacks=[Entered()])
    return seen


@case
def on_eval_begin_sees_the_network_in_training():
    net = nn.Dense(2, 1)
    trained = train.Model(net, nn.MSELoss(), metrics={"mse"})
    seen = []
    net.set_train()
    trained.eval(data(), [calling("on_eval_begin", lambda c: seen.append(net.training))])
    return seen, net.training


@case.table(
    {
        "train_step": ("on_train_step_end", 1, {}),
        "train_begin": ("on_train_begin", 0, {}),
        "epoch_begin": ("on_train_epoch_begin", 2, {}),
        "eval_step": ("on_eval_step_end", 1, {}),
        "interrupt": ("on_train_step_end", 3, {}),
        "every_step": ("on_train_step_end", 3, {"save_checkpoint_steps": 1}),
    }
)
def exception_save(hook, step, options):
    options = {"save_checkpoint_steps": 100, "exception_save": True, **options}

    def fail(context):
        if context.original_args().cur_step_num >= step:
            raise KeyboardInterrupt if step == 3 else KeyError("x")

    with tempfile.TemporaryDirectory() as folder:
        saving = train.ModelCheckpoint("e", folder, train.CheckpointConfig(**options))
        try:
            model().fit(2, data(), data(), callbacks=[saving, calling(hook, fail)])
        except (KeyError, KeyboardInterrupt) as error:
            files = sorted(os.listdir(folder))
            step = ms.load_checkpoint(os.path.join(folder, files[-1]))["global_step"]
            return type(error).__name__, files, step.asnumpy()


@case
def names_by_a_function_are_all_kept():
    with tempfile.TemporaryDirectory() as folder:
        config = train.CheckpointConfig(1, keep_checkpoint_max=2)
        name = lambda params: f"c{params.cur_step_num}"
        model().train(2, data(), [train.ModelCheckpoint(name, folder, config)])
        return sorted(os.listdir(folder))


@case.table(
    {
        "all_none": ({"save_checkpoint_steps": 0, "keep_checkpoint_max": 0},),
        "two_dicts": ({"append_info": [{"a": 1}, {"b": 1}]},),
        "a_text": ({"append_info": [{"a": "b"}]},),
        "redundancy": ({"remove_redundancy": 1},),
    }
)
def checkpoint_config(options):
    return type(train.CheckpointConfig(**options)).__name__


@case
def remove_redundancy_alone():
    with tempfile.TemporaryDirectory() as folder:
        config = train.CheckpointConfig(remove_redundancy=True)
        model().train(1, data(), [train.ModelCheckpoint("r", folder, config)])


@case
def history_goes_on():
    history = train.History()
    trained = model()
    trained.train(2, data(), history)
    trained.train(1, data(), history)
    return history.epoch, len(history.history["net_output"])


@case.table(
    {
        "loss_function": (lambda: train.Model(nn.ReLU(), lambda a, b: a),),
        "no_batch": (lambda: model().train(1, data().skip(9)),),
        "no_rate": (
            lambda: model().train(1, data(), [train.LearningRateScheduler(lambda r, s: None)]),
        ),
        "kill": (lambda: train.OnRequestExit(sig=9),),
        "top_5_of_3": (
            lambda: train.Top5CategoricalAccuracy().update(Tensor([[0.0, 1, 2]]), Tensor([0])),
        ),
        "lite": (lambda: model().predict(Tensor([[1.0, 2]]), backend="lite"),),
        "backend": (lambda: model().predict(Tensor([[1.0, 2]]), backend="x"),),
    }
)
def refused_or_not(make):
    made = make()
    return made if isinstance(made, Tensor) else type(made).__name__


# Cells and Parameters ---------------------------------------------------------------------------


def parameter(name="q"):
    return Parameter(Tensor([1.0]), name=name)


class Named(nn.Cell):
    of_class = None

    def __init__(self):
        super().__init__()
        self.cell, self.param, self.plain = nn.ReLU(), parameter(), 3


@case.table(
    {
        f"{call}_{name}": (call, name)
        for call in ("insert_param", "insert_cell", "set_param", "set_cell")
        for name in ("of_class", "cell", "param", "plain", "construct", "new")
    }
)
def a_name_that_is_taken(call, name):
    net = Named()
    value = parameter() if call.endswith("param") else nn.Tanh()
    method = {"insert_param": "insert_param_to_cell", "insert_cell": "insert_child_to_cell"}
    made = attempt(getattr(net, method.get(call, "__setattr__")), name, value)
    return made, sorted(net._params), sorted(net._cells)


@case.table({"unknown": ({"foo": 1},), "kind": ({"mp_comm_recompute": 1},)})
def recompute_keyword(options):
    nn.ReLU().recompute(**options)


@case
def recompute_is_asked_for():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.CellList([nn.Dense(2, 2)]), nn.ReLU())
    before = [cell._has_config_recompute for _, cell in net.cells_and_names()]
    net[0].recompute()
    net[1].recompute()
    after = [cell._has_config_recompute for cell in (net, net[0], net[1], net[1][0], net[2])]
    return before, after


@case.table(
    {
        f"{name}_{value}": (name, value)
        for name, values in {
            "layerwise_parallel": (1, True),
            "parallel_optimizer": (1, False),
            "comm_fusion": (-1, 1.5, True, 0),
            "name": (" a ", "a" * 1025),
        }.items()
        for value in values
    }
)
def parameter_attribute(name, value):
    made = parameter()
    setattr(made, name, value)
    return getattr(made, name)


@case.table({repr(name): (name,) for name in ("", "a b", "é", ".", "a.b", 3)})
def prefix_of_a_clone(prefix):
    return [one.name for one in ParameterTuple([parameter()]).clone(prefix)]


@case
def a_dict_of_tensors_is_saved():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "a.ckpt")
        ms.save_checkpoint({"a": Tensor([1.0])}, file)
        return {name: value.asnumpy() for name, value in ms.load_checkpoint(file).items()}


@case
def batch_norm_of_o1_trains():
    net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", bias_init="ones"), nn.BatchNorm1d(2))
    net = ms.amp.auto_mixed_precision(net, "O1").set_train()
    return net(Tensor([[0.0, 1.0], [2.0, 3.0]]))


# Seeds ------------------------------------------------------------------------------------------


def drawn():
    return random.random(), float(np.random.rand())


@case
def a_seed_is_pythons_and_numpys_too():
    ms.set_seed(5)
    first = drawn()
    ds.config.set_seed(5)
    return first, drawn()


@case
def the_seed_set_last_holds():
    ds.config.set_seed(5)
    ms.set_seed(9)
    first = ds.config.get_seed()
    ds.config.set_seed(7)
    return first, ds.config.get_seed(), ms.get_seed()


# Pipelines --------------------------------------------------------------------------------------


def numbers():
    return ds.NumpySlicesDataset({"a": np.arange(4, dtype=np.int32)}, shuffle=False)


def ragged():
    rows = [(np.arange(n, dtype=np.int32),) for n in (1, 4, 2, 3)]
    return ds.GeneratorDataset(rows, ["a"], shuffle=False)


def rows_of(dataset):
    rows = dataset.create_tuple_iterator(output_numpy=True, num_epochs=1)
    return [tuple(row) for row in rows]


@case.table(
    {
        "filter_raises": (lambda: numbers().filter(lambda a: 1 / 0),),
        "filter_of_no_function": (lambda: numbers().filter(3),),
        "batch_raises": (lambda: numbers().batch(2, per_batch_map=lambda a, info: 1 / 0),),
        "batch_gives_a_list": (lambda: numbers().batch(2, per_batch_map=lambda a, info: a),),
        "batch_of_0": (lambda: numbers().batch(lambda info: 0),),
        "map_gives_none": (lambda: numbers().map(lambda a: None),),
        "map_of_nothing": (lambda: numbers().map([]),),
        "map_twice": (lambda: numbers().map(lambda a: (a, a), ["a"], ["b", "b"]),),
        "row_of_none": (lambda: ds.GeneratorDataset([(None,)], ["a"]),),
        "complex_row": (lambda: ds.GeneratorDataset([(1j,)], ["a"]),),
        "column_twice": (lambda: ds.GeneratorDataset([(1, 2)], ["a", "a"]),),
        "columns_in_a_tuple": (lambda: ds.GeneratorDataset([(1, 2)], ("a", "b")),),
        "project_nothing": (lambda: numbers().project([]),),
        "project_twice": (lambda: numbers().project(["a", "a"]),),
        "zip_one": (lambda: ds.zip((numbers(),)),),
        "zip_no_dataset": (lambda: ds.zip((numbers(), 3)),),
        "apply_no_dataset": (lambda: numbers().apply(lambda data: 3),),
        "bucket_pads": (lambda: ragged().bucket_batch_by_length(["a"], [3], [2, 2]),),
        "padded_batch_does_not": (lambda: ragged().padded_batch(2),),
        "generator_object": (lambda: ds.GeneratorDataset((i for i in [(1,), (2,)]), ["a"]),),
    }
)
def pipeline(make):
    dataset = make()
    return rows_of(dataset), rows_of(dataset)


@case
def repeats_of_repeats():
    return numbers().repeat(2).repeat(3).get_repeat_count()


# The context ------------------------------------------------------------------------------------


@case.table(
    {
        f"{name}_{value}": (name, value)
        for name, values in {
            "inter_op_parallel_num": (-1,),
            "runtime_num_threads": (-1,),
            "op_timeout": (-1,),
            "memory_optimize_level": ("O1", "O9"),
            "exec_order": ("dfs", "x"),
            "debug_level": (1, 7),
            "aoe_tune_mode": ("online", "x"),
            "save_graphs": (True, False, 3),
            "jit_syntax_level": (0,),
        }.items()
        for value in values
    }
)
def context_option(name, value):
    ms.set_context(**{name: value})
    return ms.get_context(name)
