"""What more public repositories do; found by running tests/repositories, and others."""

import inspect

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common import initializer
from mindspore.nn.optim.optimizer import opt_init_args_register
from mindspore.train import RunContext
from mindspore.train.callback._callback import InternalCallbackParam, _handle_loss
from mindspore.train.train_thor import ConvertModelUtils

from tests.parity.case import case

NONE = [5, 5, 5]


@case.table({"scalar": ((),), "vector": ((3,),), "matrix": ((2, 2),)})
def text_before_it_has_values(shape):
    return str(Tensor(shape=shape, dtype=ms.float32, init=initializer.One()))


@case.table(
    {
        "one": ([NONE, [3, 4, 0]], [8, 8]),
        "both": ([NONE, NONE], [8, 8]),
        "short": ([[0, 1, 2], NONE], [8, 2]),
    },
    tol=1e-5,  # sums over all alignments of eight steps
)
def ctc_loss_of_no_label(labels, steps):
    """mindocr's, of an image without text."""
    x = Tensor(np.sin(np.arange(96)).reshape(8, 2, 6).astype(np.float32))
    places = Tensor(np.array(list(np.ndindex(np.shape(labels)))), ms.int64)
    values, steps = Tensor(np.ravel(labels), ms.int32), Tensor(steps, ms.int32)

    def loss_of(x):
        return ops.CTCLoss(ctc_merge_repeated=True)(x, places, values, steps)

    return loss_of(x), ms.grad(lambda x: (loss_of(x)[0] * Tensor([1.0, 0.5])).sum())(x)


@case
def names_of_prelu():
    """srgan's, of the applications: a checkpoint has its slopes as w."""
    alone, inside = nn.PReLU(2), nn.SequentialCell(nn.PReLU(2))
    names = [(path, w.name) for net in (alone, inside) for path, w in net.parameters_and_names()]
    return names, alone.w


@case
def prelu_of_float16():
    return nn.PReLU(2)(Tensor([[1, -2], [-3, 4]], ms.float16))


@case
def picked_by_a_list_in_jit():
    """mindyolo's losses: sizes and corners in another order."""

    @ms.jit
    def turned(x):
        gain = ops.ones(7, ms.float32)
        gain[2:6] = Tensor((4, 3, 2, 1), ms.float32)[[3, 2, 3, 2]]
        return x[[1, 0, 1, 0]], gain

    return turned(Tensor([1.0, 2.0, 3.0]))


def six():
    return ds.NumpySlicesDataset(np.arange(6), ["v"], shuffle=False)


@case
def size_before_and_after_it_is_asked_for():
    """mindyolo's: the attribute that get_dataset_size fills in."""
    data = six()
    batches = data.batch(2, drop_remainder=True)
    before = batches.dataset_size
    found = batches.get_dataset_size()
    return before, found, batches.dataset_size, data.dataset_size, batches.batch_size


@case.table({"itself": (six,), "batches": (lambda: six().batch(4),)})
def size_set_by_the_program(made):
    """mindone's and mindformers': nobody is to count the rows."""
    data = made()
    data.dataset_size = 100
    rows = len(list(data.create_tuple_iterator(num_epochs=1)))
    return data.get_dataset_size(), len(data), rows, made().batch(2).get_dataset_size()


@case
def size_set_below():
    data = six()
    data.dataset_size = 100
    return data.batch(2).get_dataset_size()


@case
def size_after_another_sampler():
    data = six()
    first = data.get_dataset_size()
    data.use_sampler(ds.SequentialSampler(num_samples=3))
    return first, data.dataset_size, data.get_dataset_size()


@case
def model_takes_the_size_that_was_set():
    rows = np.ones((6, 2), np.float32), np.ones((6, 1), np.float32)
    data = ds.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(1)
    data.dataset_size = 4
    net, seen = nn.Dense(2, 1), []

    class Noted(ms.Callback):
        def step_end(self, run_context):
            now = run_context.original_args()
            seen.append((now.cur_step_num, now.batch_num, now.cur_epoch_num))

    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(2, data, Noted(), dataset_sink_mode=False)
    return seen


class Counted(nn.Cell):
    """mindcv's accumulation of gradients: a counter that construct sets back."""

    def __init__(self, value, dtype=ms.int32):
        super().__init__()
        self.count = ms.Parameter(Tensor(0, dtype), name="count")
        self.value = value

    def construct(self, x):
        self.count += 1
        if self.count >= 2:
            self.count = self.value
        return x * self.count


VALUES = {
    "0": 0,
    "True": True,
    "2.5": 2.5,
    "tensor": Tensor(7, ms.int32),
    "vector": Tensor([1, 2], ms.int32),
}


@case.table({f"{name}_{d}": (v, d) for name, v in VALUES.items() for d in ("int32", "float32")})
def parameter_set_in_jit(value, dtype):
    """Compiled, ``self.count = value`` is an assignment to the Parameter."""
    net = Counted(value, getattr(ms, dtype))

    @ms.jit
    def step(x):
        return net(x)

    return [step(Tensor(3.0)) for _ in range(3)], net.count


@case
def parameter_set_in_a_gradient_of_a_jit_function():
    net = Counted(0)
    w = ms.Parameter(Tensor(2.0), name="w")

    @ms.jit
    def loss(x):
        return net(x) * w

    step = ms.value_and_grad(loss, None, [w])
    return [step(Tensor(3.0)) for _ in range(3)], net.count


@case
def parameter_set_to_a_number():
    Counted(0).count = 0


@case.table({"inside": (1,), "last": (2,), "past": (3,), "backwards": (-1,)})
def rate_of_a_step(step):
    """mindyolo's log: the rate of the step after this one."""
    w = ms.Parameter(Tensor([1.0]), name="w")
    return nn.SGD([w], [0.1, 0.2, 0.3]).learning_rate(Tensor(step, ms.int32))


OUTPUTS = {
    "tensor": lambda: Tensor([1.0, 2.0]),
    "int": lambda: Tensor(1),
    "tuple": lambda: (Tensor([1.0, 2.0]), Tensor(True)),
    "list": lambda: [Tensor(4.0)],
    "floats": lambda: (1.0, 2.0),
    "none": lambda: None,
    "empty": lambda: (),
}


@case.table({name: (made,) for name, made in OUTPUTS.items()})
def loss_of_outputs(made):
    """mindocr's callback: its meter adds up what this gives."""
    return _handle_loss(made())


@case.table({"alone": (lambda loss: loss,), "with_flags": (lambda loss: (loss, Tensor(True)),)})
def monitor_of_a_loss_that_is_nan(outputs):
    """With a loss scale a step may overflow; then it changed nothing, and training goes on."""
    params = InternalCallbackParam()
    params.update(cur_step_num=1, batch_num=2, cur_epoch_num=1)
    params.net_outputs = outputs(Tensor(float("nan")))
    ms.LossMonitor().step_end(RunContext(params))


@case
def options_chosen_by_a_signature():
    """mindocr's: what an optimizer of its own takes, as the decorator lets it be seen."""

    class Own(nn.Optimizer):
        @opt_init_args_register
        def __init__(self, params, learning_rate=0.1, decay=0.0):
            super().__init__(learning_rate, params)
            self.own_decay = decay

    made = Own([ms.Parameter(Tensor([1.0]), name="w")], decay=0.5)
    return list(inspect.signature(Own.__init__).parameters), made.own_decay


@case.table({"none": (None,), "number": (0.5,), "of_another_type": ("0.5",)})
def optimizer_that_needs_no_rate(rate):
    """An AdaFactor's: its step follows from the weights, so its learning rate may be None."""

    class Own(nn.Optimizer):
        def _preprocess_single_lr(self, learning_rate):
            if learning_rate is None:
                return None
            return super()._preprocess_single_lr(learning_rate)

        def construct(self, gradients):
            step = 0.1 if self.learning_rate is None else self.get_lr()
            return [
                ops.assign(w, w - step * g) for w, g in zip(self.parameters, gradients, strict=True)
            ]

    made = Own(rate, [ms.Parameter(Tensor([1.0, 2.0]), name="w")])
    made((Tensor([1.0, -1.0]),))
    return made.parameters[0].value(), [p.name for p in made.get_parameters()]


@case.table(
    {"above_epsilon": ([3.0, 4.0],), "below_epsilon": ([0.003, 0.004],)},
    tol=1e-5,  # a difference of two that are twenty times as large
)
def gradient_of_normalized_weights(row):
    """N-BEATS' weight normalization, of weights that begin small."""
    rows, factor = Tensor([row, [1.0, 2.0]]), Tensor([[1.0, 2.0], [3.0, 5.0]])
    return ms.value_and_grad(lambda x: (ops.L2Normalize(axis=1)(x) * factor).sum())(rows)


@case
def model_converted_without_thor():
    """BERT's pretraining: every Model goes through it, with whatever optimizer."""
    net = nn.Dense(2, 1)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = ms.Model(net, nn.MSELoss(), optimizer)
    convert = ConvertModelUtils().convert_to_thor_model
    return convert(model, network=net, optimizer=optimizer) is model, convert(model, net) is model


class _Shares(nn.Cell):
    """PointPillars' weights: two of one expression, divided in place by different numbers."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(1.0), name="w")

    def construct(self, labels):
        first = (labels > 0).astype(ms.float32)
        second = (labels > 0).astype(ms.float32)
        first /= 4
        return (first * self.w).sum() + (second * self.w * 10).sum()


@case.table({"value": (False,), "gradient": (True,)})
def equal_values_of_which_one_is_divided_compiled(gradient):
    net, labels = _Shares(), Tensor([[1, 0, 1, 1], [1, 1, 0, 1]], ms.int32)
    weights = ms.ParameterTuple(net.trainable_params())

    @ms.jit
    def run(labels):
        if gradient:
            return ops.GradOperation(get_by_list=True)(net, weights)(labels)
        return net(labels)

    return run(labels)
