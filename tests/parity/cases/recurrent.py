"""Recurrent layers and cells: names, initial weights, values, gradients and errors."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

# MindSpore takes sigmoid and tanh from short polynomials, once per step.
APPROXIMATE = 5e-5

LAYERS = {"LSTM": nn.LSTM, "GRU": nn.GRU, "RNN": nn.RNN}
CELLS = {"LSTM": nn.LSTMCell, "GRU": nn.GRUCell, "RNN": nn.RNNCell}


def sequences(length=5, n=2, width=3, dtype=ms.float32):
    values = np.sin(np.arange(length * n * width) * 1.3).reshape(length, n, width)
    return Tensor(values, dtype)


def fixed(layer):
    """Fill the parameters with numbers that do not depend on the random stream."""
    for number, param in enumerate(layer.get_parameters()):
        values = np.cos(np.arange(int(np.prod(param.shape))) * 0.7 + number) * 0.6
        param.set_data(Tensor(values.reshape(param.shape), param.dtype))
    return layer


def start(kind, *shape, dtype=ms.float32):
    state = Tensor(np.cos(np.arange(int(np.prod(shape)))).reshape(shape) * 0.5, dtype)
    return (state, state * 2) if kind == "LSTM" else state


def listed(layer):
    params = [(p.name, p.shape, p.dtype) for p in layer.get_parameters()]
    return repr(layer), params, [path for path, _ in layer.parameters_and_names()]


def of_each(table, options):
    return {f"{kind}_{key}": (kind, row) for kind in table for key, row in options.items()}


SETTINGS = {
    "plain": {},
    "two_layers": {"num_layers": 2},
    "bidirectional": {"bidirectional": True},
    "both": {"num_layers": 2, "bidirectional": True},
    "no_bias": {"has_bias": False},
    "batch_first": {"batch_first": True},
    "dropout_evaluating": {"num_layers": 2, "dropout": 0.5},
}


@case.table(of_each(LAYERS, SETTINGS), tol=APPROXIMATE)
def layer(kind, options):
    net = fixed(LAYERS[kind](3, 4, **options))
    return listed(net), net(sequences())


@case.table(of_each(LAYERS, {key: SETTINGS[key] for key in ("plain", "both")}), tol=APPROXIMATE)
def layer_with_state(kind, options):
    net = fixed(LAYERS[kind](3, 4, **options))
    return net(sequences(), start(kind, 4 if options else 1, 2, 4))


@case.table(of_each(LAYERS, {key: SETTINGS[key] for key in ("plain", "both")}), tol=APPROXIMATE)
def layer_with_lengths(kind, options):
    net = fixed(LAYERS[kind](3, 4, **options))
    state = start(kind, 4 if options else 1, 2, 4)
    return net(sequences(), state, Tensor([3, 5], ms.int32))


@case.table(of_each(LAYERS, {key: SETTINGS[key] for key in ("plain", "both")}), tol=2e-4)
def layer_gradient(kind, options):
    net = fixed(LAYERS[kind](3, 4, **options))
    return ms.grad(lambda x: ops.sin(net(x)[0]), 0, net.trainable_params())(sequences())


@case(tol=APPROXIMATE)
def relu():
    net = fixed(nn.RNN(3, 4, nonlinearity="relu"))
    return repr(net), net(sequences())


@case.table({kind: (kind,) for kind in LAYERS}, tol=3e-3)
def half_precision(kind):
    return fixed(LAYERS[kind](3, 4))(sequences(dtype=ms.float16))


@case.table({kind: (kind,) for kind in LAYERS}, tol=3e-3)
def half_parameters(kind):
    return fixed(LAYERS[kind](3, 4, dtype=ms.float16))(sequences())


SEEDED = {
    "plain": {},
    "both": {"num_layers": 2, "bidirectional": True},
    "no_bias": {"has_bias": False},
    "half": {"dtype": ms.float16},
}


@case.table(of_each(LAYERS, SEEDED), tol=0.0)
def initial_weights(kind, options):
    ms.set_seed(3)
    return list(LAYERS[kind](3, 2, **options).get_parameters())


@case.table(of_each(CELLS, {"plain": {}, "no_bias": {"has_bias": False}}), tol=0.0)
def initial_weights_of_cells(kind, options):
    ms.set_seed(3)
    return list(CELLS[kind](3, 2, **options).get_parameters())


@case.table(of_each(CELLS, {"plain": {}, "no_bias": {"has_bias": False}}), tol=APPROXIMATE)
def cell(kind, options):
    net = fixed(CELLS[kind](3, 4, **options))
    return listed(net), net(sequences()[0], start(kind, 2, 4))


@case(tol=APPROXIMATE)
def cell_relu():
    return fixed(nn.RNNCell(3, 4, nonlinearity="relu"))(sequences()[0], start("RNN", 2, 4))


@case.table({kind: (kind,) for kind in CELLS}, tol=2e-4)
def cell_gradient(kind):
    net = fixed(CELLS[kind](3, 4))

    def run(x, state):
        for step in range(3):
            state = net(x[step], state)
        return state[0] if kind == "LSTM" else state

    return ms.grad(run, 0, net.trainable_params())(sequences(), start(kind, 2, 4))


@case.table(
    of_each(
        LAYERS,
        {
            "input_0": ((0, 4), {}),
            "input_str": (("a", 4), {}),
            "input_float": ((3.0, 4), {}),
            "hidden_0": ((3, 0), {}),
            "layers_0": ((3, 4, 0), {}),
            "layers_float": ((3, 4), {"num_layers": 1.5}),
            "bias_int": ((3, 4), {"has_bias": 1}),
            "batch_first_int": ((3, 4), {"batch_first": 1}),
            "bidirectional_str": ((3, 4), {"bidirectional": "a"}),
            "dropout_large": ((3, 4), {"dropout": 1.5}),
            "dropout_str": ((3, 4), {"dropout": "a"}),
            "dropout_int": ((3, 4), {"dropout": 1}),
        },
    ),
    message=True,
)
def construction_errors(kind, given):
    return repr(LAYERS[kind](*given[0], **given[1]))


@case.table(
    {
        "no_hidden": (lambda: nn.LSTM(3),),
        "unknown": (lambda: nn.GRU(3, 4, foo=1),),
        "lstm_nonlinearity": (lambda: nn.LSTM(3, 4, nonlinearity="tanh"),),
        "rnn_nonlinearity": (lambda: nn.RNN(3, 4, nonlinearity="x"),),
        "cell_0": (lambda: nn.LSTMCell(0, 4),),
        "cell_str": (lambda: nn.GRUCell(3, "a"),),
        "cell_bias": (lambda: nn.RNNCell(3, 4, 1),),
        "cell_nonlinearity": (lambda: nn.RNNCell(3, 4, nonlinearity="x"),),
    }
)
def other_construction_errors(make):
    return repr(make())


def zeros(kind, *shape):
    state = Tensor(np.zeros(shape), ms.float32)
    return (state, state) if kind == "LSTM" else state


@case.table(
    of_each(
        LAYERS,
        {
            "two_dimensions": lambda net, kind: net(sequences()[0]),
            "vector": lambda net, kind: net(sequences()[0, 0]),
            "vector_batch_first": lambda _, kind: LAYERS[kind](3, 4, batch_first=True)(
                sequences()[0, 0]
            ),
            "width": lambda net, kind: net(sequences(width=7)),
            "number": lambda net, kind: net(3),
            "state_number": lambda net, kind: net(sequences(), 3),
            "state_list": lambda net, kind: net(sequences(), [zeros(kind, 1, 2, 4)] * 2),
            "state_tuples": lambda net, kind: net(sequences(), ((zeros("gru", 1, 2, 4),),) * 2),
            "state_batch": lambda net, kind: net(sequences(), zeros(kind, 1, 1, 4)),
            "state_dtype": lambda net, kind: net(sequences(dtype=ms.float16), zeros(kind, 1, 2, 4)),
            "int": lambda net, kind: net(sequences(dtype=ms.int32)),
            "lengths_tuple": lambda net, kind: net(sequences(), None, (3, 5)),
            "lengths_three": lambda net, kind: net(sequences(), None, Tensor([3, 5, 1], ms.int32)),
        },
    )
)
def call_errors(kind, call):
    return call(LAYERS[kind](3, 4), kind)


@case.table(
    of_each(
        CELLS,
        {
            "no_state": lambda net, kind: net(sequences()[0]),
            "vector": lambda net, kind: net(sequences()[0, 0], zeros(kind, 4)),
            "width": lambda net, kind: net(sequences(width=2)[0], zeros(kind, 2, 4)),
            "state_number": lambda net, kind: net(sequences()[0], 3),
            "number": lambda net, kind: net(3, zeros(kind, 2, 4)),
            "dtype": lambda net, kind: net(sequences(dtype=ms.float16)[0], zeros(kind, 2, 4)),
        },
    )
)
def cell_call_errors(kind, call):
    return call(CELLS[kind](3, 4), kind)


@case
def dropout_in_training():
    net = nn.LSTM(3, 4, num_layers=2, dropout=0.5).set_train()
    first, second = net(sequences())[0].asnumpy(), net(sequences())[0].asnumpy()
    return bool((first == second).all()), net.dropout_op.training


@case(tol=APPROXIMATE)
def in_a_net():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(3, 2, bidirectional=True, batch_first=True)
            self.head = nn.Dense(4, 1)

        def construct(self, x):
            out, _ = self.lstm(x)
            return self.head(out[:, -1])

    net = fixed(Net())
    names = [p.name for p in net.trainable_params()]
    return names, ms.grad(net)(sequences())
