"""Edges that whole programs touch: iterators at their end, transforms of one's own, what
optimizers show, flags, and Parameters that were given the data of others.
"""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.dataset import transforms
from mindspore.dataset.text.transforms import Implementation, TextTensorOperation
from mindspore.dataset.transforms.transforms import PyTensorOperation, TensorOperation
from mindspore.dataset.vision.transforms import HWC2CHW, ImageTensorOperation

from tests.parity.case import case


def three():
    return ds.NumpySlicesDataset(np.arange(3), ["v"], shuffle=False)


ITERATORS = {
    "tuple": lambda times: three().create_tuple_iterator(num_epochs=times, output_numpy=True),
    "dict": lambda times: three().create_dict_iterator(num_epochs=times, output_numpy=True),
}


@case.table({f"{kind}_{n}": (kind, n) for kind in ITERATORS for n in (1, 2)})
def epochs(kind, times):
    iterator = ITERATORS[kind](times)
    return [len(list(iterator)) for _ in range(times)]


@case.table({f"{kind}_{n}": (kind, n) for kind in ITERATORS for n in (1, 2)})
def after_the_last_epoch(kind, times):
    iterator = ITERATORS[kind](times)
    return [len(list(iterator)) for _ in range(times + 1)]


@case
def twice_through_iter():
    iterator = iter(three())
    return [len(list(iterator)), len(list(iterator))]


@case
def endless_iterator():
    iterator = three().create_tuple_iterator()
    return [len(list(iterator)) for _ in range(4)]


@case
def columns_of_an_iterator():
    return three().create_dict_iterator().get_col_names()


@case
def stopped_iterator():
    return three().create_dict_iterator().stop()


class Doubled(PyTensorOperation):
    def __init__(self):
        super().__init__()
        self.implementation = Implementation.PY

    def _execute_py(self, value):
        return value * 2


class Tripled(PyTensorOperation):
    def _execute_py(self, value):
        return value * 3


class Nothing(PyTensorOperation):
    pass


class Spelled(TextTensorOperation):
    def __init__(self):
        super().__init__()
        self.implementation = Implementation.PY

    def __call__(self, text):
        return super().__call__(text)

    def execute_py(self, text):
        return self._execute_py(text)

    def _execute_py(self, text):
        return text[::-1]


OWN = {"doubled": Doubled, "tripled": Tripled, "spelled": Spelled}


@case.table({name: (make,) for name, make in {**OWN, "nothing": Nothing}.items()})
def own_transform(make):
    return make()(np.arange(3.0))


@case.table({name: (make,) for name, make in OWN.items()})
def own_transform_mapped(make):
    data = ds.NumpySlicesDataset({"a": np.arange(4.0).reshape(2, 2)}, shuffle=False)
    return [row["a"] for row in data.map(make(), "a").create_dict_iterator(output_numpy=True)]


@case
def own_transforms_composed():
    return transforms.Compose([Doubled(), Tripled(), lambda value: value + 1])(np.arange(3.0))


@case
def classes_of_transforms():
    image = HWC2CHW()
    return (
        issubclass(ImageTensorOperation, TensorOperation),
        isinstance(image, ImageTensorOperation),
        isinstance(image, TensorOperation),
        isinstance(Doubled(), PyTensorOperation),
    )


def parameters():
    return [Parameter(Tensor([1.0, 2.0]), name="p")]


OPTIMIZERS = {
    "SGD": lambda: nn.SGD(parameters(), 0.1),
    "Adam": lambda: nn.Adam(parameters()),
    "AdamOffload": lambda: nn.AdamOffload(parameters()),
    "AdamWeightDecay": lambda: nn.AdamWeightDecay(parameters()),
    "LazyAdam": lambda: nn.LazyAdam(parameters()),
    "FTRL": lambda: nn.FTRL(parameters()),
    "ProximalAdagrad": lambda: nn.ProximalAdagrad(parameters()),
}
TARGETS = {"CPU": "CPU", "GPU": "GPU", "of_no_kind": "XPU", "number": 3}


@case.table({f"{o}_{t}": (o, TARGETS[t]) for o in OPTIMIZERS for t in TARGETS})
def target(optimizer, value):
    made = OPTIMIZERS[optimizer]()
    made.target = value
    return made.target


@case
def flags_of_set_train():
    net = nn.SequentialCell(nn.ReLU())
    seen = [dict(net.get_flags())]
    for mode in (True, False):
        net.set_train(mode)
        seen += [dict(net.get_flags()), dict(net[0].get_flags())]
    return seen


def load(target, source):
    cell = nn.Cell()
    cell.target = target
    ms.load_param_into_net(cell, {"target": source})


GIVEN = {
    "data": lambda target, source: target.set_data(source.data),
    "parameter": lambda target, source: target.set_data(source),
    "assign_value": lambda target, source: target.assign_value(source),
    "load_param_into_net": load,
    "value": lambda target, source: target.set_data(source.value()),
    "copy": lambda target, source: target.set_data(source.copy()),
    "assign": ops.assign,
}


@case.table({name: (give,) for name, give in GIVEN.items()})
def trained_after_its_data_were_given(give):
    given, own = Parameter(Tensor([0.0, 0.0]), name="target"), parameters()[0]
    give(given, own)
    nn.SGD([own], 0.5)((Tensor([1.0, 1.0]),))
    return given.value(), own.value()


class Broken:
    def __getitem__(self, index):
        return {0: np.float32(0.0)}[index]

    def __len__(self):
        return 2


def breaks_off():
    yield (np.float32(0.0),)
    raise ValueError("no more")


SOURCES = {
    "getitem": Broken,
    "generator": lambda: breaks_off,
    "no_iterable": lambda: lambda: 3,
    "call": lambda: lambda: 1 / 0,
}


@case.table({name: (make,) for name, make in SOURCES.items()})
def broken_source(make):
    return [list(row) for row in ds.GeneratorDataset(make(), ["a"], shuffle=False)]


INDICES = {
    "float": lambda: Tensor(1.0),
    "two": lambda: Tensor([0, 1]),
    "none": lambda: Tensor([], ms.int32),
    "one": lambda: Tensor([1]),
    "bool": lambda: Tensor(True),
}


@case.table({name: (make,) for name, make in INDICES.items()}, message=True)
def index_of_a_list(make):
    return [10, 20, 30][make()]


@case.table({"Precision": (nn.Precision,), "Recall": (nn.Recall,)})
def ratio_of_float_labels(make):
    metric = make("multilabel")
    metric.clear()
    metric.update(Tensor([[1.0, 0, 1], [0, 0, 1]]), Tensor([[1.0, 1, 0], [0, 0, 1]]))
    return metric.eval()


@case.table({"momentum": ("momentum", 0.5), "eps": ("eps", 0.5), "affine": ("affine", False)})
def batch_norm_changed_after_it_was_made(name, value):
    layer = nn.BatchNorm2d(2).set_train()
    setattr(layer, name, value)
    made = layer(Tensor(np.sin(np.arange(16) * 1.3).reshape(2, 2, 2, 2), ms.float32))
    return made, layer.moving_mean.value(), layer.moving_variance.value(), getattr(layer, name)


@case.table(
    {
        "Accuracy": (nn.Accuracy, "classification"),
        "Accuracy_multilabel": (nn.Accuracy, "multilabel"),
        "Recall": (nn.Recall, "classification"),
        "F1": (nn.F1,),
    }
)
def another_number_of_classes(make, *settings):
    metric = make(*settings)
    scores, labels = Tensor([[1, 0, 0], [0, 1, 0]]), Tensor([[1, 0, 0], [1, 0, 0]])
    metric.update(scores, labels)
    metric.clear()
    metric.update(scores[:, :2], labels[:, :2])
    metric.update(scores, labels)


JOINED = {
    "int32": np.arange(2, dtype=np.int32),
    "float64": np.ones(2),
    "rows": np.ones((2, 3), np.int64),
    "texts": ["a", "bcd"],
    "longer": np.arange(3),
}


@case.table({name: (values,) for name, values in JOINED.items()})
def joined_with_another_kind(values):
    both = three() + ds.NumpySlicesDataset({"v": values}, shuffle=False)
    return [row["v"] for row in both.create_dict_iterator(num_epochs=1, output_numpy=True)]


@case.table(
    {
        "array": (lambda v: np.array([True, False]),),
        "text": (lambda v: "no",),
        "number": (lambda v: v,),
        "none": (lambda v: None,),
    }
)
def kept_by_what_is_no_bool(predicate):
    kept = three().filter(predicate)
    return [row[0] for row in kept.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@case
def length_that_is_a_tuple():
    made = three().bucket_batch_by_length(["v"], [2], [1, 1], lambda v: (v,))
    return [row[0] for row in made.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@case.table({"more": (7,), "fewer": (2,), "default": (None,)})
def rows_drawn_by_weight(count):
    sampler = ds.WeightedRandomSampler([0, 1, 0], count)
    made = ds.NumpySlicesDataset(np.arange(3), ["v"], sampler=sampler)
    rows = made.create_tuple_iterator(num_epochs=1, output_numpy=True)
    return made.get_dataset_size(), [row[0] for row in rows]


@case.table({"int": (3,), "text": ("yes",), "none": (None,)})
def sink_mode_that_is_no_bool(mode):
    return ms.train.DatasetHelper(three(), mode) is None


@case
def equalized_where_a_half_is_rounded():
    from mindspore.dataset import vision

    pixels = np.random.RandomState(4).rand(9, 7, 3) * 255
    return vision.Equalize()(pixels.astype(np.uint8))


@case.table({name: (getattr(ops, name),) for name in ("hardswish", "hardsigmoid", "silu", "gelu")})
def of_nan(operator):
    return operator(Tensor([float("nan"), 1.0]))


@case.table({"above": (1.5,), "below": (-0.5,)})
def quantile_out_of_range(q):
    return ops.quantile(Tensor([1.0, 2.0, 4.0]), q)


@case
def weights_set_between_steps():
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    step = nn.Momentum([weight], 0.1, 0.9)
    step((Tensor([1.0, 1.0]),))
    weight.set_data(Tensor([1.0, 2.0]))
    step((Tensor([1.0, 1.0]),))
    return weight
