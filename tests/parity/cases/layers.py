"""Layers: values with fixed weights, initial weights by seed, representations and errors."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

# MindSpore's CPU kernels take exp, log and tanh from short polynomials: 4e-6 off at most.
APPROXIMATE = 5e-5


def x():
    return Tensor([[-3.0, -0.6, 0.0], [0.4, 2.0, 7.0]], ms.float32)


ACTIVATIONS = {
    "ReLU": (lambda: nn.ReLU(),),
    "ReLU6": (lambda: nn.ReLU6(),),
    "Tanh": (lambda: nn.Tanh(),),
    "Sigmoid": (lambda: nn.Sigmoid(),),
    "GELU": (lambda: nn.GELU(),),
    "GELU_exact": (lambda: nn.GELU(approximate=False),),
    "GELU_positional": (lambda: nn.GELU(False),),
    "LeakyReLU": (lambda: nn.LeakyReLU(),),
    "LeakyReLU_alpha": (lambda: nn.LeakyReLU(0.5),),
    "LeakyReLU_int_alpha": (lambda: nn.LeakyReLU(alpha=2),),
    "ELU": (lambda: nn.ELU(),),
    "SiLU": (lambda: nn.SiLU(),),
    "Softmax": (lambda: nn.Softmax(),),
    "Softmax_axis": (lambda: nn.Softmax(axis=0),),
    "LogSoftmax": (lambda: nn.LogSoftmax(),),
    "LogSoftmax_axis": (lambda: nn.LogSoftmax(0),),
    "HSwish": (lambda: nn.HSwish(),),
    "HSigmoid": (lambda: nn.HSigmoid(),),
    "LogSigmoid": (lambda: nn.LogSigmoid(),),
    "Identity": (lambda: nn.Identity(),),
    "Identity_with_arguments": (lambda: nn.Identity(3, a=2),),
}


@case.table(ACTIVATIONS, tol=APPROXIMATE)
def activation(make):
    layer = make()
    return layer(x()), repr(layer), [p.name for p in layer.get_parameters()]


@case.table(ACTIVATIONS, tol=APPROXIMATE)
def activation_gradient(make):
    layer = make()
    return ms.grad(lambda v: layer(v) * Tensor([1.0, 2.0, -1.0]))(x())


@case.table({key: row for key, row in ACTIVATIONS.items() if "_" not in key}, tol=4e-3)
def activation_in_half_precision(make):
    return make()(x().astype(ms.float16))


@case.table(
    {
        "ELU_alpha": (lambda: nn.ELU(0.5),),
        "ELU_str": (lambda: nn.ELU("a"),),
        "GELU_int": (lambda: nn.GELU(1),),
        "GELU_str": (lambda: nn.GELU("tanh"),),
        "LeakyReLU_str": (lambda: nn.LeakyReLU("a"),),
        "LeakyReLU_None": (lambda: nn.LeakyReLU(None),),
        "Softmax_str": (lambda: nn.Softmax("a"),),
        "Softmax_float": (lambda: nn.Softmax(1.0),),
        "LogSoftmax_str": (lambda: nn.LogSoftmax("a"),),
        "LogSoftmax_float": (lambda: nn.LogSoftmax(1.0),),
    },
    message=True,
)
def activation_construction_errors(make):
    return repr(make())


@case.table(
    {
        "int_relu": (lambda: nn.ReLU()(Tensor([1, -2])),),
        "softmax_axis": (lambda: nn.Softmax(5)(x()),),
        "log_softmax_axis": (lambda: nn.LogSoftmax(5)(x()),),
        "argument_of_the_layer": (lambda: nn.ReLU(3),),
        "no_input": (lambda: nn.ReLU()(),),
        "two_inputs": (lambda: nn.ReLU()(x(), x()),),
        "identity_of_a_number": (lambda: nn.Identity()(3),),
        "identity_of_two": (lambda: nn.Identity()(1, 2),),
    }
)
def activation_call(call):
    return call()


@case.table(
    {
        "relu": ("relu",),
        "softmax": ("softmax",),
        "sigmoid": ("sigmoid",),
        "gelu": ("gelu",),
        "leakyrelu": ("leakyrelu",),
        "logsoftmax": ("logsoftmax",),
        "hswish": ("hswish",),
        "relu6": ("relu6",),
        "elu": ("elu",),
        "tanh": ("tanh",),
        "silu": ("silu",),
        **{
            name: (name,)
            for name in (
                *("fast_gelu", "hardtanh", "hshrink", "hsigmoid", "logsigmoid", "mish", "prelu"),
                *("preluExt", "rrelu", "softmax2d", "softmin", "softshrink", "softsign"),
                *("tanhshrink", "threshold"),
            )
        },
        "None": (None,),
        "bad": ("bad",),
        "ReLU": ("ReLU",),
        "empty": ("",),
    }
)
def get_activation(name):
    return repr(nn.get_activation(name))


@case.table({name: (name,) for name in ("fast_gelu", "prelu", "softsign", "tanhshrink")})
def dense_with_activation(name):
    x = Tensor(np.array([[1.0, -0.5], [0.5, 0.25]], np.float32))
    weight = Tensor(np.array([[1.0, 2.0], [-1.0, 0.5]], np.float32))
    dense = nn.Dense(2, 2, weight, "zeros", activation=name)
    return dense(x), ms.grad(lambda x: dense(x).sum())(x)


def dense(**options):
    return lambda: nn.Dense(2, 3, **options)


def ones(*shape):
    return lambda: Tensor(np.ones(shape, np.float32))


@case.table(
    {
        "plain": (dense(),),
        "no_bias": (dense(has_bias=False),),
        "activation_name": (dense(activation="relu"),),
        "activation_cell": (lambda: nn.Dense(2, 3, activation=nn.LeakyReLU()),),
        "activation_class": (lambda: nn.Dense(2, 3, activation=nn.ReLU),),
        "activation_int": (dense(activation=3),),
        "has_bias_int": (dense(has_bias=1),),
        "in_0": (lambda: nn.Dense(0, 3),),
        "in_str": (lambda: nn.Dense("a", 3),),
        "in_float": (lambda: nn.Dense(2.0, 3),),
        "in_bool": (lambda: nn.Dense(True, 3),),
        "out_negative": (lambda: nn.Dense(2, -1),),
        "out_None": (lambda: nn.Dense(2, None),),
        "no_out": (lambda: nn.Dense(2),),
        "weight_wrong_shape": (lambda: nn.Dense(2, 3, weight_init=ones(3, 3)()),),
        "weight_wrong_rank": (lambda: nn.Dense(2, 3, weight_init=ones(2)()),),
        "bias_wrong_shape": (lambda: nn.Dense(2, 3, bias_init=ones(4)()),),
        "bias_wrong_rank": (lambda: nn.Dense(2, 3, bias_init=ones(3, 1)()),),
        "weight_name": (dense(weight_init="bad"),),
        "linear": (lambda: nn.Linear(2, 3),),
        "linear_no_bias": (lambda: nn.Linear(2, 3, bias=False),),
        "linear_bias_int": (lambda: nn.Linear(2, 3, bias=1),),
        "linear_in_0": (lambda: nn.Linear(0, 3),),
    },
    message=True,
)
def dense_construction(make):
    layer = make()
    params = [(p.name, p.shape, p.dtype, p.requires_grad) for p in layer.get_parameters()]
    return repr(layer), params, [path for path, _ in layer.cells_and_names()]


@case.table(
    {
        "name": (lambda: "bad",),
        "function": (lambda: ops.relu,),
        "empty": (lambda: "",),
    }
)
def dense_activation_errors(activation):
    return repr(nn.Dense(2, 3, activation=activation()))


@case
def dense_attributes():
    layer = nn.Dense(2, 3, activation="relu")
    plain = nn.Dense(2, 3, has_bias=False)
    return (
        (layer.in_channels, layer.out_channels, layer.has_bias, layer.activation_flag),
        (repr(layer.activation), plain.activation, plain.activation_flag, plain.bias),
        (layer.weight.name, layer.bias.name),
    )


@case
def linear_attributes():
    layer = nn.Linear(2, 3)
    return layer.in_features, layer.out_features, layer.has_bias


SEEDED = {
    "dense": (lambda: nn.Dense(8, 4),),
    "no_bias": (lambda: nn.Dense(8, 4, has_bias=False),),
    "wide": (lambda: nn.Dense(3, 37),),
    "one": (lambda: nn.Dense(1, 1),),
    "half": (lambda: nn.Dense(8, 4, dtype=ms.float16),),
    "linear": (lambda: nn.Linear(8, 4),),
    "linear_half": (lambda: nn.Linear(8, 4, dtype=ms.float16),),
    "normal": (lambda: nn.Dense(8, 4, weight_init="normal", bias_init="zeros"),),
    "weight_only": (lambda: nn.Dense(8, 4, weight_init="ones"),),
    "bias_only": (lambda: nn.Dense(8, 4, bias_init="ones"),),
    "number": (lambda: nn.Dense(2, 3, weight_init=0.5, bias_init=1),),
    "tensor": (lambda: nn.Dense(2, 3, weight_init=ones(3, 2)(), bias_init=ones(3)()),),
    "initializer": (lambda: nn.Dense(8, 4, ms.common.initializer.XavierUniform()),),
    "two_layers": (lambda: nn.SequentialCell(nn.Dense(4, 3), nn.ReLU(), nn.Dense(3, 2)),),
}


@case.table(SEEDED, tol=0.0)
def initial_weights(make):
    ms.set_seed(0)
    return list(make().get_parameters())


@case
def initial_weights_by_numpy_seed():
    np.random.seed(3)
    return list(nn.Dense(8, 4).get_parameters())


def fixed(**options):
    weight = Tensor(np.array([[1.0, 2.0], [-3.0, 0.5], [0.25, -1.0]], np.float32))
    bias = Tensor(np.array([0.5, -0.5, 0.0], np.float32))
    return nn.Dense(2, 3, weight_init=weight, bias_init=bias, **options)


@case.table(
    {
        "batch": (lambda: Tensor([[1.0, 2.0], [3.0, -4.0]], ms.float32),),
        "vector": (lambda: Tensor([1.0, 2.0], ms.float32),),
        "three_dimensions": (lambda: Tensor(np.arange(12.0).reshape(2, 3, 2), ms.float32),),
        "empty": (lambda: Tensor(np.ones((0, 2), np.float32)),),
        "int": (lambda: Tensor([1, 2]),),
        "half": (lambda: Tensor([[1.0, 2.0]], ms.float16),),
        "double": (lambda: Tensor([[1.0, 2.0]], ms.float64),),
        "wrong_size": (lambda: Tensor(np.ones((2, 3), np.float32)),),
        "number": (lambda: 3,),
        "numpy": (lambda: np.ones((2, 2), np.float32),),
    }
)
def dense_call(make):
    return fixed()(make()), fixed(has_bias=False)(make()), fixed(activation="relu")(make())


@case
def linear_call():
    layer = nn.Linear(2, 3, weight_init="ones", bias_init="ones")
    return layer(Tensor([[1.0, 2.0]], ms.float32)), layer(Tensor([1.0, 2.0], ms.float32))


@case
def dense_gradient():
    layer = fixed(activation="tanh")
    rows = Tensor([[0.1, 0.2], [0.3, -0.4]], ms.float32)
    return ms.grad(layer, 0, layer.trainable_params())(rows)


@case
def dense_to_float():
    layer = fixed().to_float(ms.float16)
    return layer(Tensor([[1.0, 2.0]], ms.float32)), layer.weight.dtype


@case.table(
    {
        "default": ((), (2, 3, 4)),
        "one_dimension": ((), (3,)),
        "scalar": ((), ()),
        "scalar_from_0": ((0,), ()),
        "all": ((0, -1), (2, 3)),
        "middle": ((1, 2), (2, 3, 4, 5)),
        "first": ((0, 1), (2, 3, 4)),
        "last": ((-2, -1), (2, 3, 4)),
        "start_after_end": ((2, 1), (2, 3, 4)),
        "out_of_range": ((5, 6), (2, 3)),
        "bool": ((True,), (2, 3)),
        "str": (("a",), (2, 3)),
    }
)
def flatten(arguments, shape):
    layer = nn.Flatten(*arguments)
    size = int(np.prod(shape))
    return repr(layer), layer(Tensor(np.arange(size).reshape(shape), ms.float32))


@case
def flatten_of_a_number():
    return nn.Flatten()(3)


@case.table(
    {
        "default": ({},),
        "p": ({"p": 0.2},),
        "keep_prob": ({"keep_prob": 0.8},),
        "p_0": ({"p": 0.0},),
        "p_int_0": ({"p": 0},),
        "p_1": ({"p": 1.0},),
        "p_int_1": ({"p": 1},),
        "p_negative": ({"p": -0.1},),
        "p_2": ({"p": 2},),
        "p_str": ({"p": "a"},),
        "p_bool": ({"p": True},),
        "keep_prob_0": ({"keep_prob": 0},),
        "keep_prob_0.0": ({"keep_prob": 0.0},),
        "keep_prob_1.0": ({"keep_prob": 1.0},),
        "keep_prob_1.5": ({"keep_prob": 1.5},),
        "keep_prob_str": ({"keep_prob": "a"},),
        "both": ({"p": 0.2, "keep_prob": 0.9},),
        "dtype": ({"p": 0.2, "dtype": ms.float16},),
    },
    message=True,
)
def dropout_construction(options):
    layer = nn.Dropout(**options)
    return repr(layer), layer.p, layer.keep_prob


@case.table(
    {
        "evaluating": (False, 0.5, ms.float32),
        "evaluating_ints": (False, 0.5, ms.int32),
        "nothing_dropped": (True, 0.0, ms.float32),
        "nothing_dropped_ints": (True, 0.0, ms.int32),
        "training_ints": (True, 0.5, ms.int32),
    }
)
def dropout_call(training, p, dtype):
    return nn.Dropout(p=p).set_train(training)(Tensor([[1, 2], [3, 4]], dtype))


@case.table({"float32": (ms.float32,), "float16": (ms.float16,), "p": (ms.float32, 0.25)})
def dropout_in_training(dtype, p=0.5):
    ms.set_seed(1)
    dropped = nn.Dropout(p=p).set_train()(Tensor(np.ones((40, 50)), dtype))
    values = dropped.asnumpy()
    share = float((values == 0).mean())
    return sorted(set(values.reshape(-1).tolist())), dropped.dtype, abs(share - p) < 0.05


@case
def dropout_of_a_number_when_evaluating():
    return nn.Dropout()(3)


@case
def dropout_of_a_number_when_training():
    return nn.Dropout().set_train()(3)


@case
def repr_of_a_net():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = nn.SequentialCell(nn.Dense(4, 3, activation="tanh"), nn.Dropout(p=0.5))
            self.flatten = nn.Flatten()
            self.head = nn.Dense(3, 2, has_bias=False)

    return repr(Net())
