"""Mixed precision: which dtypes and which rounding come out of ``to_float`` and each amp level."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, amp, nn, ops

from tests.parity.case import case

# 1.0001 is 1 in float16 and in bfloat16, so that the values tell what was rounded.
VALUES = [[1.0001, 2.0], [3.0, 4.0]]


def rows():
    return Tensor(VALUES, ms.float32)


OPERATORS = {
    "relu": lambda x, w: ops.relu(x),
    "matmul": lambda x, w: ops.matmul(x, w),
    "at": lambda x, w: x @ w,
    "MatMul": lambda x, w: ops.MatMul()(x, w),
    "bmm": lambda x, w: ops.bmm(x.expand_dims(0), w.expand_dims(0)),
    "dense": lambda x, w: ops.dense(x, w),
    "exp": lambda x, w: ops.exp(x),
    "log": lambda x, w: ops.log(x),
    "pow": lambda x, w: ops.pow(x, 2),
    "add": lambda x, w: x + w,
    "add_number": lambda x, w: x + 1.0,
    "mul": lambda x, w: x * w,
    "div": lambda x, w: x / w,
    "half_and_single": lambda x, w: x.astype(ms.float16) + w,
    "softmax": lambda x, w: ops.softmax(x),
    "log_softmax": lambda x, w: ops.log_softmax(x),
    "sum": lambda x, w: x.sum(),
    "mean": lambda x, w: x.mean(),
    "max": lambda x, w: x.max(),
    "cumsum": lambda x, w: ops.cumsum(x, 0),
    "sqrt": lambda x, w: ops.sqrt(x),
    "sigmoid": lambda x, w: ops.sigmoid(x),
    "tanh": lambda x, w: ops.tanh(x),
    "gelu": lambda x, w: ops.gelu(x),
    "abs": lambda x, w: ops.abs(x),
    "cat": lambda x, w: ops.cat((x, w)),
    "where": lambda x, w: ops.where(x > 1.5, x, w),
    "tile": lambda x, w: ops.tile(x, (2, 1)),
    "mse_loss": lambda x, w: ops.mse_loss(x, w),
    "l1_loss": lambda x, w: ops.l1_loss(x, w),
    "cross_entropy": lambda x, w: ops.cross_entropy(x, Tensor([0, 1], ms.int32)),
    "prelu": lambda x, w: ops.prelu(x, w[0, :1]),
    "reshape": lambda x, w: x.reshape((4,)),
    "transpose": lambda x, w: x.T,
    "element": lambda x, w: x[0],
    "input": lambda x, w: x,
    "parameter": lambda x, w: w,
    "equal": lambda x, w: x == w,
    "argmax": lambda x, w: x.argmax(),
    "ones_like": lambda x, w: ops.ones_like(x),
    "zeros": lambda x, w: ops.zeros((2,), ms.float32),
    "integers": lambda x, w: ops.ones((2,), ms.int32) + 1,
}


# MindSpore's kernels of these are less exact than the operator; of them only dtypes are compared.
INEXACT = ("softmax", "log_softmax", "tanh", "gelu", "cross_entropy")


class Applied(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.w = Parameter(rows(), name="w")
        self.function = function

    def construct(self, x):
        return self.function(x, self.w)


@case.table({name: (name,) for name in OPERATORS})
def to_float(name):
    return Applied(OPERATORS[name]).to_float(ms.float16)(rows())


# Those that have a bfloat16 kernel on CPU.
BFLOAT16 = ("add", "mul", "input", "reshape", "parameter", "integers")


@case.table({name: (name,) for name in BFLOAT16})
def to_bfloat16(name):
    out = Applied(OPERATORS[name]).to_float(ms.bfloat16)(rows())
    return out.dtype, out.astype(ms.float32)


@case.table({name: (name,) for name in OPERATORS})
def auto(name):
    net = Applied(OPERATORS[name])
    same, out = amp.auto_mixed_precision(net, "auto") is net, net(rows())
    return same, out.dtype if name in INEXACT else out


def image():
    return Tensor(np.arange(18, dtype=np.float32).reshape(1, 2, 3, 3) / 8)


# A bias stays float32, and so does its sum with a product in float16.
LAYERS = {
    "dense": (lambda **bias: nn.Dense(2, 3, "ones", "ones", **bias), rows),
    "dense_relu": (lambda **bias: nn.Dense(2, 3, "ones", "ones", activation="relu", **bias), rows),
    "conv": (
        lambda **bias: nn.Conv2d(2, 3, 3, weight_init="ones", bias_init="ones", **bias),
        image,
    ),
    "transpose": (
        lambda **bias: nn.Conv2dTranspose(2, 3, 3, weight_init="ones", bias_init="ones", **bias),
        image,
    ),
    "sequence": (
        lambda **bias: nn.Conv1d(2, 3, 3, weight_init="ones", bias_init="ones", **bias),
        lambda: image()[:, :, 0],
    ),
}


@case.table({f"{n}-{bias}": (n, bias) for n in LAYERS for bias in (True, False)})
def auto_layer(name, bias):
    make, data = LAYERS[name]
    net = nn.SequentialCell(make(has_bias=bias), nn.ReLU())
    net = amp.auto_mixed_precision(net, "auto")
    inputs = data()
    gradient = ms.grad(lambda x: net(x).sum())(inputs)
    return net(inputs), gradient


@case
def auto_bias_add():
    def add(x):
        return ops.bias_add(ops.matmul(x, x), Tensor([1.0, 2.0], ms.float32))

    return amp.auto_mixed_precision(Applied(add), "auto")(rows())


@case.table({name: (name,) for name in OPERATORS})
def level_2(name):
    out = amp.auto_mixed_precision(Applied(OPERATORS[name]), "O2")(rows())
    return out.dtype if name in INEXACT else out


class Dense(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2, weight_init=Tensor(VALUES, ms.float32), bias_init="zeros")

    def construct(self, x):
        return self.fc(x)


class Relu(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(x)


class Product(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul()
        self.w = Parameter(rows(), name="w")

    def construct(self, x):
        return self.matmul(x, self.w)


class ProductByOperator(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(rows(), name="w")

    def construct(self, x):
        return x @ self.w


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Dense()
        self.w = Parameter(rows(), name="w")

    def construct(self, x):
        return self.inner(x) + self.w


class Exponential(nn.Cell):
    def __init__(self):
        super().__init__()
        self.exp = ops.Exp()

    def construct(self, x):
        return self.exp(x)


class Sequence(nn.Cell):
    def __init__(self):
        super().__init__()
        fc = nn.Dense(2, 2, weight_init=Tensor(VALUES, ms.float32), bias_init="zeros")
        self.layers = nn.SequentialCell(fc, nn.LayerNorm([2]))

    def construct(self, x):
        return self.layers(x)


class Outputs(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2, weight_init=Tensor(VALUES, ms.float32), bias_init="zeros")

    def construct(self, x):
        out = self.fc(x)
        return out, out.argmax(), (out.sum(), 3)


NETS = {
    "dense": Dense,
    "relu": Relu,
    "product": Product,
    "nested": Nested,
    "exponential": Exponential,
    "outputs": Outputs,
}


def observed(net, source):
    """What a network gives, the gradients, and the dtypes of the parameters."""
    params = net.trainable_params()
    gradients = ms.grad(net, 0, params or None)(rows())
    return net(rows()), gradients, [(p.name, p.dtype) for p in net.get_parameters()]


@case.table(
    {
        f"{level}-{name}": (level, net)
        for level in ("O0", "O1", "O2", "O3")
        for name, net in NETS.items()
    }
)
def levels(level, net):
    source = net()
    return observed(amp.auto_mixed_precision(source, level), source)


@case
def level_1_of_the_matmul_sign():
    source = ProductByOperator()
    return observed(amp.auto_mixed_precision(source, "O1"), source)


@case.table({level: (level,) for level in ("O0", "O1", "O2", "O3", "auto")})
def parameters_are_shared(level):
    source = Nested()
    net = amp.auto_mixed_precision(source, level)
    same = [a is b for a, b in zip(net.get_parameters(), source.get_parameters(), strict=True)]
    net.set_train()
    return net is source, same, [name for name, _ in net.parameters_and_names()], net.training


@case.table({"O2": ("O2",), "O3": ("O3",)})
def wrapped(level):
    source = Sequence()
    net = amp.auto_mixed_precision(source, level)
    return (
        repr(net),
        [name for name, _ in net.cells_and_names()],
        [p.name for p in net.get_parameters()],
        source(rows()).dtype,
    )


@case.table(
    {
        "level": (lambda: (Dense(), "O4"),),
        "lower_case": (lambda: (Dense(), "o1"),),
        "dtype": (lambda: (Dense(), "O2", ms.float32),),
        "dtype_of_O0": (lambda: (Dense(), "O0", ms.float32),),
        "function_O1": (lambda: (lambda x: x, "O1"),),
        "function_O2": (lambda: (lambda x: x, "O2"),),
        "number": (lambda: (3, "O2"),),
    },
    message=True,
)
def auto_mixed_precision_errors(arguments):
    return amp.auto_mixed_precision(*arguments())


@case
def auto_of_a_function():
    w = rows()
    return amp.auto_mixed_precision(lambda x: (ops.matmul(x, w), ops.exp(x)), "auto")(rows())


@case.table(
    {
        "none": (dict,),
        "both": (lambda: {"white_list": [nn.Dense], "black_list": [nn.Dense]},),
        "number": (lambda: {"white_list": 3},),
        "tuple": (lambda: {"black_list": (nn.Dense,)},),
        "of_numbers": (lambda: {"white_list": [3]},),
        "of_names": (lambda: {"white_list": ["Dense"]},),
        "of_types": (lambda: {"white_list": [int]},),
        "primitive": (lambda: {"black_list": [int]},),
        "dtype": (lambda: {"white_list": [nn.Dense], "dtype": ms.float32},),
    },
    message=True,
)
def custom_errors(options):
    return amp.custom_mixed_precision(Dense(), **options())


@case.table(
    {
        "white_exp": (Exponential, lambda: {"white_list": [ops.Exp]}),
        "white_relu": (Relu, lambda: {"white_list": [nn.ReLU]}),
        "white_other": (Product, lambda: {"white_list": [nn.Dense]}),
        "black_dense": (Dense, lambda: {"black_list": [nn.Dense]}),
        "black_other": (Nested, lambda: {"black_list": [nn.LayerNorm]}),
    }
)
def custom(net, options):
    source = net()
    return observed(amp.custom_mixed_precision(source, **options()), source)


@case
def lists():
    white, black = amp.get_white_list(), amp.get_black_list()
    listed = [nn.Dense, nn.Conv2d, ops.MatMul, ops.BatchMatMul, ops.ReLU, ops.PReLU]
    white.append(1)
    return (
        [cls in white for cls in listed],
        sorted(cls.__name__ for cls in black),
        len(amp.get_white_list()) + 1 == len(white),
        nn.ReLU in white,
    )


def build(level="O0", loss_fn=True, **options):
    net = Dense()
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    step = amp.build_train_network(
        net, optimizer, nn.MSELoss() if loss_fn else None, level, **options
    )
    return net, step


@case.table(
    {
        "O0": (dict,),
        "O1": (lambda: {"level": "O1"},),
        "O2": (lambda: {"level": "O2", "loss_scale_manager": None},),
        "O3": (lambda: {"level": "O3"},),
        "fixed": (lambda: {"loss_scale_manager": ms.FixedLossScaleManager(4.0, False)},),
        "half": (lambda: {"cast_model_type": ms.float16},),
        "single": (lambda: {"level": "O3", "cast_model_type": ms.float32},),
    }
)
def build_train_network(options):
    net, step = build(**options())
    seen = [step(rows(), Tensor(np.ones((2, 2)), ms.float32)) for _ in range(3)]
    return seen, [(p.asnumpy(), p.dtype) for p in net.trainable_params()], type(step).__name__


@case.table({level: (level,) for level in ("O0", "O2", "O3", "auto")})
def build_of_a_network_with_its_loss(level):
    class Squares(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = Dense()

        def construct(self, x):
            return (self.dense(x) ** 2).mean()

    net = Squares()
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    step = amp.build_train_network(net, optimizer, level=level, loss_scale_manager=None)
    return [step(rows()) for _ in range(2)], [p.dtype for p in net.trainable_params()]


@case.table(
    {
        "level": (lambda: {"level": "O4"},),
        "keyword": (lambda: {"foo": 1},),
        "batchnorm": (lambda: {"keep_batchnorm_fp32": 1},),
        "network": (lambda: {"network": 3},),
        "loss": (lambda: {"loss_fn": lambda logits, labels: ops.mse_loss(logits, labels)},),
    },
    message=True,
)
def build_errors(options):
    net = Dense()
    usual = {"network": net, "optimizer": nn.SGD(net.trainable_params(), 0.01)}
    return amp.build_train_network(**{**usual, **options()})


@case.table(
    {
        "manager": (lambda: {"loss_scale_manager": 3},),
        "optimizer": (lambda: {"optimizer": 3},),
    }
)
def build_type_errors(options):
    return build_errors(options)


@case.table(
    {
        "dynamic": (lambda: {"loss_scale_manager": ms.DynamicLossScaleManager(1024, 2, 2)},),
        "drop": (lambda: {"loss_scale_manager": ms.FixedLossScaleManager(8.0)},),
        "O2": (lambda: {"level": "O2"},),
    }
)
def build_with_overflow_check(options):
    _, step = build(**options())
    return type(step).__name__


@case
def scaled_training_in_half_precision():
    """A hand-written step at level O2 with a dynamic scale, over an overflow."""
    net = Dense()
    model = amp.auto_mixed_precision(net, "O2")
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    scaler, loss_fn = amp.DynamicLossScaler(2.0**10, 2, 2), nn.MSELoss()

    def forward(x, y):
        return scaler.scale(loss_fn(model(x), y))

    step = ms.value_and_grad(forward, None, optimizer.parameters)
    seen = []
    for factor in (1.0, 1e5, 1.0, 1.0, 1.0):
        _, grads = step(rows() * factor, Tensor(np.ones((2, 2)), ms.float32))
        finite = amp.all_finite(grads)
        if finite:
            optimizer(scaler.unscale(grads))
        scaler.adjust(finite)
        seen.append((finite, scaler.scale_value.asnumpy().copy(), [g.dtype for g in grads]))
    return seen, net.fc.weight.dtype, net.fc.weight.asnumpy().round(2)


class Contained(nn.Cell):
    def construct(self, x):
        y = x * 1
        return [(y,), {"a": y, "b": [y]}, y, (y, [y]), 1]


@case.table({"O2": ("O2",), "O3": ("O3",)})
def containers_of_results(level):
    return amp.auto_mixed_precision(Contained(), level)(rows())


class WithLabels(nn.Cell):
    """PointPillars' loss: the layer is made anew, of logits cast back to float32."""

    def __init__(self, reduction):
        super().__init__()
        self.layer = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction=reduction)

    def construct(self, x):
        return self.layer(x.astype(ms.float32), Tensor([0, 1], ms.int32))


@case.table(
    {
        f"{reduction}-{level}": (reduction, level)
        for reduction in ("none", "sum", "mean")
        for level in ("to_float", "auto", "O2", "O3")
    },
    tol=2e-3,  # float16
)
def loss_of_sparse_labels(reduction, level):
    net = WithLabels(reduction)
    if level == "to_float":
        net.to_float(ms.float16)
    else:
        amp.auto_mixed_precision(net, level)
    return net(rows()), ms.grad(net)(rows())


class BackInFloat32(nn.Cell):
    """Compiled, what is cast to float32 stays so; inputs and Tensors that are found are cast."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2, weight_init="ones")
        self.w = Parameter(rows(), name="w")
        self.constant = rows()
        self.add = ops.Add()

    def construct(self, x, also):
        y = self.fc(x)
        z = ops.cast(y, ms.float32)
        return (
            *(x, also, y, z * 3, ops.softmax(z), z.sum() * 65536.0, z > 1),
            *(x * self.w, x + self.constant, self.add(self.w, x), self.add(x, self.constant)),
            *(z + self.w, z * x, self.fc(z), ops.concat((x, self.w)), self.w[0]),
        )


class Scaled(nn.Cell):
    """A loss whose scale is beyond float16's range."""

    def __init__(self):
        super().__init__()
        self.net = BackInFloat32()

    def construct(self, x, also):
        return ops.cast(self.net(x, also)[3].mean(), ms.float32) * 65536.0


LEVELS = {
    "float16": lambda net: net.to_float(ms.float16),
    **{
        level: lambda net, level=level: amp.auto_mixed_precision(net, level)
        for level in ("O1", "O2", "O3")
    },
}


@case.table({level: (lower,) for level, lower in LEVELS.items()}, tol=2e-3)
def compiled(lower):
    net = lower(BackInFloat32())

    @ms.jit
    def run(x, also):
        return net(x, also)

    return run(rows(), (rows(), Tensor([1, 2], ms.int32)))


# At O1 MindSpore does not look into a Cell whose result is an element of another's.
@case.table({level: (LEVELS[level],) for level in ("float16", "O2", "O3")}, tol=2e-2)
def graph_mode(lower):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Scaled()
    weights = ms.ParameterTuple(net.trainable_params())
    loss, grads = ms.value_and_grad(lower(net), None, weights)(rows(), (rows(),))
    return loss, grads


class FoundByFunctions(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(rows(), name="w")

    def construct(self, x):
        return ops.add(x, self.w), self.w.sum(), ops.ones((2, 2), ms.float32) * x


@case
def compiled_found_by_functions():
    net = FoundByFunctions().to_float(ms.float16)

    @ms.jit
    def run(x):
        return net(x)

    return run(rows())
