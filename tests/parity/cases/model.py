"""Model: results of train, fit, eval and predict, networks of its own making, and errors."""

import contextlib
import io
import re

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, train
from mindspore.train import Model

from tests.parity.case import case

ROWS = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
WANTED = np.arange(6, dtype=np.float32).reshape(6, 1) / 5


class Batches:
    """An iterator over the batches; after its end it starts over, as MindSpore's own do."""

    def __init__(self, rows):
        self.rows, self.place = rows, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place == len(self.rows):
            self.place = 0
            raise StopIteration
        self.place += 1
        return self.rows[self.place - 1]


class Data:
    """Batches of two rows, with what `Model` asks of a dataset."""

    def __init__(self, columns=2, kind=list):
        self.columns, self.kind = columns, kind

    def get_dataset_size(self):
        return 3

    def create_tuple_iterator(self, num_epochs=-1, do_copy=True):
        each = [(Tensor(ROWS[i : i + 2]), Tensor(WANTED[i : i + 2])) for i in (0, 2, 4)]
        extra = [row + (row[1] * 2,) for row in each]
        return Batches([self.kind(row[: self.columns]) for row in extra])

    def reset(self):
        pass


def network():
    return nn.Dense(2, 1, weight_init="ones", bias_init="zeros")


def parts():
    net = network()
    return net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9)


def model(metrics=("mse",), **options):
    net, loss, optimizer = parts()
    return Model(net, loss, optimizer, metrics=set(metrics) if metrics else None, **options)


def losses(made, epochs, call="train", **options):
    seen = []
    note = train.LambdaCallback(
        on_train_step_end=lambda context: seen.append(context.original_args().net_outputs)
    )
    if call == "train":
        made.train(epochs, Data(), callbacks=[note], **options)
    else:
        made.fit(epochs, Data(), Data(), callbacks=[note], **options)
    return seen


@case.table(
    {
        "plain": ("train", {}),
        "sink": ("train", {"dataset_sink_mode": False}),
        "fit": ("fit", {}),
        "initial_epoch": ("train", {"initial_epoch": 1}),
        "every_other": ("fit", {"valid_frequency": 2}),
    }
)
def trained(call, options):
    made = model()
    return losses(made, 3, call, **options), made._network.weight, made._network.bias


# The metric is a sum of float32.
@case(tol=1e-6)
def returned_values():
    made = model()
    return (
        made.train(1, Data()),
        made.fit(1, Data(), Data()),
        made.eval(Data()),
        made.predict(Tensor(ROWS)),
    )


@case.table(
    {
        "1": (1,),
        "2": (2,),
        "list": ([1, 3],),
        "tuple": ((2, 3),),
        "set": ({1},),
        "0": (0,),
        "text": ("a",),
        "float": (1.5,),
        "all": ([1, 2, 3],),
    },
    message=True,
)
def valid_frequency(frequency):
    epochs = []

    class Note(train.Callback):
        def on_eval_begin(self, run_context):
            epochs.append(run_context.original_args().cur_epoch_num)

    model().fit(3, Data(), Data(), valid_frequency=frequency, callbacks=[Note()])
    return epochs


@case
def modes():
    made = model()
    seen = []

    class Note(train.Callback):
        def on_train_step_end(self, run_context):
            seen.append((made._network.training, made.train_network.training))

        on_eval_step_end = on_train_step_end

    made.fit(1, Data(), Data(), callbacks=[Note()])
    seen.append(made._network.training)
    made.predict(Tensor(ROWS))
    seen.append(made._network.training)
    made.train(1, Data())
    seen.append(made._network.training)
    made.eval(Data())
    return [*seen, made._network.training]


@case
def networks():
    made = model()
    return [str(one) for one in (made.train_network, made.eval_network, made.predict_network)]


@case
def networks_without_optimizer():
    made = Model(network())
    return [type(one).__name__ for one in (made.train_network, made.eval_network)]


class WithLoss(nn.Cell):
    def __init__(self):
        super().__init__(auto_prefix=False)
        self.net = network()
        self.loss = nn.MSELoss()

    def construct(self, rows, wanted):
        return self.loss(self.net(rows), wanted)


@case
def network_with_its_own_loss():
    net = WithLoss()
    made = Model(net, optimizer=nn.SGD(net.trainable_params(), 0.1))
    return losses(made, 2), type(made.train_network.network).__name__


@case
def one_step_cell_as_network():
    net, loss, optimizer = parts()
    made = Model(nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer))
    return losses(made, 2), type(made.train_network).__name__


class Evaluated(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, rows, wanted):
        out = self.net(rows)
        return wanted, out, (out - wanted).abs().mean()


@case.table(
    {
        "indexes": ([2, 1, 0],),
        "no_loss": ([-1, 1, 0],),
        "None": (None,),
        "two": ([1, 0],),
        "tuple": ((2, 1, 0),),
    },
    message=True,
)
def eval_network(indexes):
    net, loss, optimizer = parts()
    made = Model(
        net,
        loss,
        optimizer,
        metrics={"loss": nn.Loss(), "mse": nn.MSE()} if indexes != [-1, 1, 0] else {"mse"},
        eval_network=Evaluated(net),
        eval_indexes=indexes,
    )
    return made.eval(Data())


@case.table({"two": (2, tuple), "list": (2, list), "three": (3, tuple), "one": (1, tuple)})
def columns(count, kind):
    made = model()
    made.train(1, Data(count, kind))
    return made._network.weight


@case
def columns_of_a_loss_network():
    class Three(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = network()

        def construct(self, rows, wanted, other):
            return ((self.net(rows) - wanted) * other).mean()

    net = Three()
    made = Model(net, optimizer=nn.SGD(net.trainable_params(), 0.1))
    made.train(1, Data(3))
    return net.net.weight


@case.table(
    {
        "dict_of_three": (lambda: {"mse": nn.MSE(), "mae": nn.MAE(), "loss": nn.Loss()},),
        "set": (lambda: {"mae"},),
        "dict": (lambda: {"a": nn.MSE(), "b": nn.Loss()},),
        "own_indexes": (lambda: {"a": nn.MSE().set_indexes([1, 2])},),
        "swapped": (lambda: {"a": nn.MSE().set_indexes([2, 1])},),
        "of_loss": (lambda: {"a": nn.MSE().set_indexes([0, 0])},),
        "list": (lambda: ["mse"],),
        "text": (lambda: "mse",),
        "not_a_metric": (lambda: {"a": 3},),
        "empty": (lambda: set(),),
        "None": (lambda: None,),
    },
    message=True,
)
def metrics(make):
    net, loss, optimizer = parts()
    return Model(net, loss, optimizer, metrics=make()).eval(Data())


@case.table(
    {
        "one": (lambda: (Tensor(ROWS),),),
        "none": (lambda: (),),
        "numpy": (lambda: (ROWS,),),
    },
    message=True,
)
def predicted(inputs):
    return model().predict(*inputs())


@case.table(
    {
        "network_None": (lambda: Model(None),),
        "network_number": (lambda: Model(3).train(1, Data()),),
        "keyword": (lambda: model(other=3),),
        "amp_level": (lambda: model(amp_level="O9"),),
        "amp_number": (lambda: model(amp_level=3),),
        "amp_without_optimizer": (lambda: Model(nn.Dense(2, 1), nn.MSELoss(), amp_level="O3"),),
        "boost": (lambda: model(boost_level="x"),),
        "boost_of_a_step": (lambda: ms.amp.build_train_network(*parts()[::2], boost_level="x"),),
        "keep_batchnorm": (lambda: model(keep_batchnorm_fp32=3),),
        "eval_network_alone": (
            lambda: Model(network(), eval_network=network(), metrics={"mse"}).eval(Data()),
        ),
        "indexes_kind": (
            lambda: Model(network(), eval_network=network(), metrics={"mse"}, eval_indexes=3),
        ),
        "indexes_text": (
            lambda: Model(
                network(), eval_network=network(), metrics={"mse"}, eval_indexes=["a", 1, 2]
            ),
        ),
        "no_loss": (lambda: Model(network(), metrics={"mse"}).eval(Data()),),
        "no_optimizer": (lambda: Model(network(), nn.MSELoss()).train(1, Data()),),
        "optimizer_without_loss": (
            lambda: Model(network(), optimizer=parts()[2]).train(1, Data(1)),
        ),
        "epoch_0": (lambda: model().train(0, Data()),),
        "epoch_-1": (lambda: model().train(-1, Data()),),
        "epoch_float": (lambda: model().train(1.5, Data()),),
        "epoch_bool": (lambda: model().train(True, Data()),),
        "epoch_text": (lambda: model().train("a", Data()),),
        "fit_epoch_0": (lambda: model().fit(0, Data()),),
        "initial_epoch_-1": (lambda: model().train(1, Data(), initial_epoch=-1),),
        "initial_epoch_large": (lambda: model().train(1, Data(), initial_epoch=1),),
        "initial_epoch_float": (lambda: model().train(1, Data(), initial_epoch=0.5),),
        "fit_initial_epoch_large": (lambda: model().fit(1, Data(), initial_epoch=1),),
        "sink_text": (lambda: model().train(1, Data(), dataset_sink_mode="a"),),
        "sink_size": (lambda: model().train(1, Data(), sink_size=-2),),
        "sink_size_0": (lambda: model().train(1, Data(), sink_size=0),),
        "sink_size_float": (lambda: model().train(1, Data(), sink_size=1.5),),
        "callback": (lambda: model().train(1, Data(), callbacks=3),),
        "callbacks": (lambda: model().train(1, Data(), callbacks=[3]),),
        "eval_callback": (lambda: model().eval(Data(), callbacks=3),),
        "eval_sink": (lambda: model().eval(Data(), dataset_sink_mode=3),),
        "eval_metrics": (lambda: model(metrics=None).eval(Data()),),
        "fit_metrics": (lambda: model(metrics=None).fit(1, Data(), Data()),),
        "fit_alone": (lambda: model().fit(1, Data()),),
        "fit_sink": (lambda: model().fit(1, Data(), Data(), valid_dataset_sink_mode=3),),
        "dataset_None": (lambda: model().train(1, None),),
        "dataset_number": (lambda: model().train(1, 3),),
        "dataset_list": (lambda: model().train(1, [(Tensor(ROWS), Tensor(WANTED))]),),
        "eval_dataset": (lambda: model().eval(3),),
        "fit_dataset": (lambda: model().fit(1, Data(), 3),),
        "build": (lambda: model().build(Data()),),
    },
    message=True,
)
def refused(run):
    return run()


@case.table(
    {
        "optimizer": (lambda: Model(network(), nn.MSELoss(), 3),),
        "loss_scale_manager": (lambda: model(loss_scale_manager=3),),
        "unknown_metric": (lambda: model({"nothing"}),),
        "key": (lambda: Model(*parts(), metrics={3: nn.MSE()}),),
        "predict_text": (lambda: model().predict("a"),),
    }
)
def refused_in_other_words(run):
    return run()


class Bad(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.net = network()
        self.factor = factor

    def construct(self, rows):
        return self.net(rows) * self.factor


@case(tol=1e-6)
def boosted():
    freezing = {"boost": {"mode": "manual", "grad_freeze": True}, "grad_freeze": {"freeze_p": 1.0}}
    found = []
    for options in (
        {"boost_level": "O1"},
        {"boost_level": "O2", "boost_config_dict": freezing},
        {"acc_level": "O1"},
        {"boost_config_dict": freezing},
    ):
        net, loss, optimizer = parts()
        made = Model(net, loss, optimizer, **options)
        made.train(2, Data(), dataset_sink_mode=False)
        net, loss, optimizer = parts()
        step = ms.amp.build_train_network(
            net, optimizer, loss, boost_level=options.get("boost_level", "O0")
        )
        step(Tensor(ROWS[:2]), Tensor(WANTED[:2]))
        found.append([*made._network.get_parameters(), *net.get_parameters()])
    return found


@case.table({"nan": (np.nan,), "inf": (np.inf,)}, message=True)
def bad_loss(factor):
    net = Bad(Tensor(factor, ms.float32))
    made = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    made.train(1, Data(), callbacks=[train.LossMonitor()])


@case.table(
    {
        "fixed": (lambda: train.FixedLossScaleManager(1024.0, False), "O0"),
        "O0": (lambda: None, "O0"),
        "O3": (lambda: None, "O3"),
    }
)
def scaled(make, level):
    net = network()
    manager = make()
    scale = 1024.0 if manager else 1.0
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=scale)
    extra = {"loss_scale_manager": manager} if manager else {}
    made = Model(net, nn.MSELoss(), optimizer, amp_level=level, **extra)
    seen = losses(made, 2)
    return [round(float(one.asnumpy()), 3 if level == "O3" else 5) for one in seen]


@case.table({"none": (lambda: None,), "not": (list,), "own": (lambda: [train.LossMonitor()],)})
def printed_by_fit(make):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        model().fit(2, Data(), Data(), callbacks=make())
    return re.sub(r"(\d\.\d{5})\d+", r"\1", out.getvalue())


class Tripled(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x):
        return self.net(x) * 3


class OfTheUsers(Model):
    """What projects of private training do: networks of their own around those of the base."""

    def _build_train_network(self):
        net = nn.WithLossCell(self._network, self._loss_fn)
        self.seen = [self._amp_level, self._loss_scale_manager_set, self._keep_bn_fp32]
        self.seen.append(self._parallel_mode)
        return nn.TrainOneStepCell(net, self._optimizer, 2.0)

    def _build_eval_network(self, metrics, eval_network, eval_indexes):
        super()._build_eval_network(metrics, eval_network, eval_indexes)
        self._eval_network = nn.WithEvalCell(Tripled(self._network), self._loss_fn)

    def _build_predict_network(self):
        self._predict_network = Tripled(self._network)


@case(tol=1e-6)
def a_subclass_that_builds_its_networks():
    net, loss, optimizer = parts()
    model = OfTheUsers(net, loss, optimizer, metrics={"loss": nn.Loss(), "mse": nn.MSE()})
    model.train(1, Data(), dataset_sink_mode=False)
    scores = model.eval(Data(), dataset_sink_mode=False)
    return model.seen, net.weight, scores, model.predict(Tensor(ROWS))
