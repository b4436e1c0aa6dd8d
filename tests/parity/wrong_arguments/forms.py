# ruff: noqa: E501
"""The call forms, one a line, and the wrong values that take the place of their arguments.

A form is a call written against the MindSpore API that both libraries accept. Each argument of
its outermost call is replaced by each of the wrong values, one at a time; besides, the call gets
25 more arguments, an unknown keyword, and loses its arguments. Names that stand in the forms:

X, Y    float32 (2, 3)            B       bool (2, 3)
Z       float32 (2, 2, 6, 6)      I, J    int32 (2,), int32 (2, 3)
K       float32 (3, 4)            P, Q    Parameter float32 (2, 3)
S       float32 (1, 2, 6)         V       float32 (3,)
"""

from __future__ import annotations

import ast
import itertools
import zlib
from collections.abc import Callable, Iterator
from typing import Any

OPERATORS = """
ops.add(X, Y)
ops.mul(X, 2)
ops.div(X, Y, rounding_mode='floor')
ops.pow(X, 2)
ops.maximum(X, Y)
ops.addcmul(X, Y, X, 0.5)
ops.lerp(X, Y, 0.5)
ops.relu(X)
ops.exp(X)
ops.sqrt(X)
ops.round(X)
ops.sigmoid(X)
ops.logical_and(B, B)
ops.bitwise_and(J, J)
ops.equal(X, Y)
ops.isclose(X, Y, rtol=1e-5, atol=1e-8, equal_nan=False)
ops.greater(X, Y)
ops.sum(X, dim=0, keepdim=True)
ops.mean(X, 0, True)
ops.prod(X, 0, True)
ops.std(X, 0)
ops.logsumexp(X, 0, False)
ops.all(B, 0)
ops.cumsum(X, 0)
ops.cumprod(X, 0)
ops.norm(X, 2.0, 0)
ops.argmax(X, 0)
ops.max(X, 0)
ops.amax(X, 0, True)
ops.median(X, 0)
ops.matmul(X, K)
ops.bmm(ops.ones((1, 2, 3)), ops.ones((1, 3, 4)))
ops.dense(X, ops.ones((4, 3)), ops.ones(4))
ops.outer(V, V)
ops.reshape(X, (3, 2))
ops.transpose(X, (1, 0))
ops.swapaxes(X, 0, 1)
ops.expand_dims(X, 0)
ops.squeeze(S, 0)
ops.flatten(X, start_dim=0)
ops.tile(X, (2, 1))
ops.broadcast_to(X, (2, 2, 3))
ops.flip(X, (0,))
ops.concat((X, Y), 0)
ops.stack((X, Y), 0)
ops.split(X, 1, 0)
ops.chunk(X, 2, 0)
ops.unstack(X, 0)
ops.narrow(X, 0, 0, 1)
ops.meshgrid(V, V, indexing='xy')
ops.gather(X, I, 0)
ops.gather_elements(X, 0, J)
ops.gather_nd(X, I)
ops.index_select(X, 0, I)
ops.select(B, X, Y)
ops.where(B, X, Y)
ops.masked_fill(X, B, 0.5)
ops.masked_select(X, B)
ops.one_hot(I, 3)
ops.scatter(X, 0, J, Y)
ops.tensor_scatter_add(X, ops.ones((2, 1), ms.int32), Y)
ops.topk(X, 2)
ops.sort(X, 0)
ops.nonzero(X)
ops.unique(I)
ops.tril(X, 0)
ops.diag(V)
ops.ones((2, 3), ms.float32)
ops.zeros(3)
ops.full((2,), 1.5)
ops.full_like(X, 2)
ops.ones_like(X)
ops.arange(0, 5, 1)
ops.linspace(0.0, 1.0, 5)
ops.eye(2, 3)
ops.cast(X, ms.int32)
ops.clamp(X, 0.0, 1.0)
ops.clip_by_value(X, 0.0, 1.0)
ops.clip_by_global_norm((X, Y), 1.0)
ops.clip_by_norm(X, 1.0)
ops.softmax(X, 0)
ops.log_softmax(X, 0)
ops.gelu(X, approximate='tanh')
ops.leaky_relu(X, 0.2)
ops.elu(X, 1.0)
ops.hardtanh(X, -1.0, 1.0)
ops.dropout(X, 0.5, True)
ops.batch_norm(X, V, V, V, V)
ops.group_norm(Z, 2)
ops.conv2d(Z, ops.ones((4, 2, 3, 3)), stride=1, padding=0, dilation=1, groups=1)
ops.max_pool2d(Z, 2, 2)
ops.avg_pool2d(Z, 2, 2)
ops.adaptive_avg_pool2d(Z, 3)
ops.pad(Z, (1, 1), 'constant', 0.0)
ops.interpolate(Z, size=(3, 3), mode='nearest')
ops.pixel_shuffle(ops.ones((1, 4, 2, 2)), 2)
ops.cross_entropy(X, I, reduction='mean', label_smoothing=0.0)
ops.nll_loss(X, I)
ops.mse_loss(X, Y, 'mean')
ops.l1_loss(X, Y)
ops.binary_cross_entropy(ops.sigmoid(X), ops.sigmoid(Y))
ops.kl_div(X, Y, 'sum')
ops.huber_loss(X, Y, delta=1.0)
ops.assign(P, X)
ops.assign_add(P, X)
ops.stop_gradient(X)
ops.depend(X, Y)
ops.uniform((2, 3), Tensor(0.0, ms.float32), Tensor(1.0, ms.float32))
ops.rand(2, 3)
ops.randint(0, 5, (2, 3))
ops.multinomial(ops.sigmoid(V), 2)
"""

PRIMITIVES = """
ops.ReduceSum(True)
ops.ReduceSum()(X, 0)
ops.Add()(X, Y)
ops.ReLU()(X)
ops.Softmax(0)
ops.Softmax()(X)
ops.Concat(0)
ops.Concat()((X, Y))
ops.Cast()(X, ms.int32)
ops.Reshape()(X, (3, 2))
ops.Transpose()(X, (1, 0))
ops.MatMul(False, True)
ops.MatMul()(X, K)
ops.Gather(0)
ops.Gather()(X, I, 0)
ops.OneHot(-1)
ops.OneHot()(I, 3, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32))
ops.TopK(True)
ops.TopK()(X, 2)
ops.Split(0, 2)
ops.Dropout(0.5)
ops.Conv2D(4, 3, 1, 'valid')
ops.Conv2D(4, 3)(Z, ops.ones((4, 2, 3, 3)))
ops.MaxPool(2, 2, 'valid')
ops.AvgPool()(Z)
ops.Tile()(X, (2, 1))
ops.StridedSlice()(X, (0, 0), (2, 2), (1, 1))
ops.Fill()(ms.float32, (2,), 1.0)
ops.SoftmaxCrossEntropyWithLogits()(X, Y)
ops.HyperMap()(lambda x: x * 2, [X, Y])
ops.MultitypeFuncGraph('f')
ops.GradOperation(True, False, False)
ops.GradOperation()(square)
ops.InsertGradientOf(square)
ops.HookBackward(square)
"""

METHODS = """
Tensor([1.0, 2.0])
Tensor([1.0, 2.0], ms.float16)
Tensor(shape=(2, 3), dtype=ms.float32, init=One())
Parameter(X, 'w')
Parameter(X, name='w', requires_grad=True, layerwise_parallel=False)
ms.ParameterTuple((P, Q))
P.set_data(X)
P.clone()
X.sum(0, None, True)
X.mean(0, True)
X.max(0)
X.std(0)
X.var(0)
X.reshape(3, 2)
X.reshape((3, 2))
X.view(3, 2)
X.transpose(1, 0)
X.permute(1, 0)
X.swapaxes(0, 1)
X.expand_dims(0)
S.squeeze(0)
X.flatten('C', start_dim=0)
X.astype(ms.float16)
X.to(ms.float16)
X.abs()
X.add(Y)
X.pow(2)
X.matmul(K)
X.argmax(0)
X.cumsum(0)
X.clip(0.0, 1.0)
X.split(1, 0)
X.chunk(2, 0)
X.topk(2)
X.gather(I, 0)
X.masked_fill(B, 0.0)
X.where(B, Y)
X.tile((2, 1))
X.broadcast_to((2, 2, 3))
X.take(I)
V.sum().item()
X.asnumpy()
X.copy()
X.view_as(Y)
X.softmax(0)
X.all(0)
X.nonzero()
X.norm(2.0)
X.unbind(0)
X.new_zeros((2, 3))
X.register_hook(square)
X.assign_value(Y)
X.__getitem__(0)
X.__setitem__(0, 1.0)
X.__add__(Y)
X.__mul__(2)
X.__truediv__(Y)
X.__pow__(2)
X.__matmul__(K)
X.__gt__(Y)
X.__eq__(Y)
"""

LAYERS = """
nn.Dense(3, 4, 'ones', 'zeros', True, 'relu')
nn.Dense(3, 4)(X)
nn.Linear(3, 4, True)
nn.Conv1d(2, 4, 3, stride=1, pad_mode='same', has_bias=True)
nn.Conv2d(2, 4, 3, stride=1, pad_mode='pad', padding=1, dilation=1, group=1, has_bias=True)
nn.Conv2d(2, 4, 3)(Z)
nn.Conv2dTranspose(2, 4, 3, stride=2)
nn.Conv3d(2, 4, 3)
nn.BatchNorm2d(2, 1e-5, 0.9, True)
nn.BatchNorm2d(2)(Z)
nn.LayerNorm((3,), -1, -1)
nn.LayerNorm((3,))(X)
nn.GroupNorm(2, 4)
nn.InstanceNorm2d(2)
nn.Embedding(5, 3, False, 'normal')
nn.Embedding(5, 3)(J)
nn.Dropout(p=0.5)
nn.Dropout(p=0.5)(X)
nn.Flatten(1, -1)
nn.MaxPool2d(2, 2, 'valid')
nn.MaxPool2d(2)(Z)
nn.AvgPool2d(2, 2, 'valid')
nn.AdaptiveAvgPool2d(3)
nn.ReLU()(X)
nn.LeakyReLU(0.2)
nn.Softmax(-1)
nn.Softmax(-1)(X)
nn.PReLU(1, 0.25)
nn.GELU(True)
nn.ELU(1.0)
nn.RNN(2, 3, 1)
nn.LSTM(2, 3, 1, has_bias=True, batch_first=True, dropout=0.0, bidirectional=False)
nn.LSTM(3, 4)(ops.ones((5, 2, 3)))
nn.GRUCell(3, 4)
nn.GRUCell(3, 4)(X, ops.ones((2, 4)))
nn.SequentialCell([nn.ReLU(), nn.Dense(3, 4)])
nn.SequentialCell(nn.ReLU(), nn.Dense(3, 4))
nn.CellList([nn.ReLU()])
nn.CellList([nn.ReLU()]).append(nn.ReLU())
nn.CellDict({'a': nn.ReLU()})
nn.Pad(((1, 1), (1, 1)), 'CONSTANT')
nn.ConstantPad2d(1, 0.5)
nn.Upsample(size=(3, 3), mode='nearest')
nn.OneHot(-1, 3)
nn.Norm(0, True)
nn.get_activation('relu')
nn.Dense(3, 4).set_train(True)
nn.Dense(3, 4).set_grad(True)
nn.Dense(3, 4).to_float(ms.float16)
nn.Dense(3, 4).recompute()
nn.Dense(3, 4).insert_param_to_cell('w', P)
nn.Dense(3, 4).insert_child_to_cell('c', nn.ReLU())
nn.Dense(3, 4).register_forward_hook(hook)
nn.Dense(3, 4).register_backward_hook(hook)
nn.Dense(3, 4).apply(hook)
nn.Dense(3, 4).update_parameters_name('a.')
nn.Dense(3, 4).parameters_and_names('')
nn.Dense(3, 4).get_parameters(True)
"""

TRAINING = """
nn.MSELoss('mean')
nn.MSELoss()(X, Y)
nn.L1Loss('mean')
nn.SmoothL1Loss(1.0, 'none')
nn.HuberLoss('mean', 1.0)
nn.CrossEntropyLoss(None, -100, 'mean', 0.0)
nn.CrossEntropyLoss()(X, I)
nn.NLLLoss()(X, I)
nn.BCELoss(None, 'mean')
nn.BCEWithLogitsLoss()(X, Y)
nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')
nn.SoftmaxCrossEntropyWithLogits(sparse=True)(X, I)
nn.SGD([P], 0.1, momentum=0.9, dampening=0.0, weight_decay=0.0, nesterov=False, loss_scale=1.0)
nn.Momentum([P], 0.1, 0.9, weight_decay=0.0, use_nesterov=False)
nn.Adam([P], 0.1, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False, use_nesterov=False)
nn.Adam([P], weight_decay=0.01, loss_scale=2.0)
nn.Adam([P])((X,))
nn.AdamWeightDecay([P], 0.1, beta1=0.9, eps=1e-6, weight_decay=0.0)
nn.Adagrad([P], accum=0.1, learning_rate=0.1, update_slots=True)
nn.RMSProp([P], 0.1, decay=0.9, momentum=0.0, epsilon=1e-10, centered=False)
nn.Lamb([P], 0.1)
nn.FTRL([P], initial_accum=0.1, learning_rate=0.1, lr_power=-0.5, l1=0.0, l2=0.0)
nn.AdaMax([P], 0.1, beta1=0.9)
nn.Rprop([P], 0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0))
nn.ASGD([P], 0.1, lambd=1e-4, alpha=0.75)
nn.Adadelta([P], rho=0.9)
nn.AdaFactor([P], learning_rate=None, eps=(1e-30, 1e-3))
nn.ProximalAdagrad([P], accum=0.1)
nn.LARS(nn.SGD([P]), epsilon=1e-5, coefficient=0.001)
nn.Adam([{'params': [P], 'lr': 0.1}])
nn.ExponentialDecayLR(0.1, 0.9, 4, False)
nn.ExponentialDecayLR(0.1, 0.9, 4)(Tensor(2, ms.int32))
nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5, False)
nn.CosineDecayLR(0.01, 0.1, 4)
nn.WarmUpLR(0.1, 4)
nn.cosine_decay_lr(0.01, 0.1, 6, 2, 2)
nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1, False)
nn.piecewise_constant_lr([2, 5], [0.1, 0.05])
nn.warmup_lr(0.1, 6, 2, 2)
ms.experimental.optim.Adam([P], lr=0.1, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)
ms.experimental.optim.SGD([P], 0.1, 0.9)
nn.WithLossCell(nn.Dense(3, 4), nn.MSELoss())
nn.TrainOneStepCell(nn.Dense(3, 4), nn.SGD([P]), 1.0)
nn.FixedLossScaleUpdateCell(128)
nn.DynamicLossScaleUpdateCell(128, 2, 1000)
ms.grad(square, 0, None, False)
ms.grad(square)(X)
ms.value_and_grad(square, 0, None, False, return_ids=False)
ms.vjp(square, X)
ms.jvp(square, X, X)
ms.vmap(square, 0, 0)
ms.vmap(square)(X)
ms.jacfwd(square)(X)
ms.jit(square)
ms.jit(square, capture_mode='ast', jit_level='O0')
ms.recompute(nn.ReLU(), X)
ms.ops.get_grad(((0, X), (1, Y)), 0)
ms.mutable((X, Y))
ms.amp.StaticLossScaler(128.0)
ms.amp.StaticLossScaler(128.0).scale(X)
ms.amp.DynamicLossScaler(128.0, 2, 10)
ms.amp.DynamicLossScaler(128.0, 2, 10).adjust(Tensor(True))
ms.amp.all_finite([X])
ms.amp.auto_mixed_precision(nn.Dense(3, 4), 'O2')
ms.FixedLossScaleManager(128.0, False)
ms.DynamicLossScaleManager(128.0, 2, 100)
ms.Model(nn.Dense(3, 4), nn.MSELoss(), nn.SGD([P]), {'loss'}, amp_level='O0')
ms.Model(nn.Dense(3, 4), nn.MSELoss(), nn.SGD([P])).train(1, data(), [])
ms.Model(nn.Dense(3, 4), nn.MSELoss(), nn.SGD([P]), {'loss'}).eval(data())
ms.Model(nn.Dense(3, 4)).predict(X)
ms.LossMonitor(1)
ms.TimeMonitor(1)
ms.EarlyStopping('loss', 0.1, 2, False, 'min')
ms.ReduceLROnPlateau('loss', 0.5, 2)
ms.CheckpointConfig(1, 0, 5, 0)
ms.ModelCheckpoint('CKP', '.')
ms.LearningRateScheduler(square)
ms.nn.Accuracy('classification')
ms.nn.Accuracy().update(X, I)
ms.nn.TopKCategoricalAccuracy(2)
ms.nn.Fbeta(1.0)
ms.nn.ConfusionMatrix(3)
ms.nn.get_metric_fn('accuracy')
"""

OTHERS = """
initializer('ones', (2, 3), ms.float32)
initializer(Normal(), (2, 3))
Constant(1.0)
Uniform(0.1)
Normal(0.1, 0.0)
TruncatedNormal(0.1)
XavierUniform(1.0)
HeNormal(0.0, 'fan_in', 'relu')
Orthogonal(1.0)
ms.set_context(mode=1)
ms.set_context(save_graphs=False, max_call_depth=1000)
ms.set_seed(1)
ms.get_context('mode')
ms.set_auto_parallel_context(parallel_mode='stand_alone')
ms.save_checkpoint(nn.Dense(3, 4), 'a.ckpt')
ms.save_checkpoint([{'name': 'w', 'data': X}], 'a.ckpt', append_dict={'a': 1}, format='ckpt')
ms.load_checkpoint(saved(), strict_load=False, filter_prefix=None)
ms.load_checkpoint(saved(), nn.Dense(3, 4))
ms.load_param_into_net(nn.Dense(3, 4), {'weight': Parameter(ops.ones((4, 3)), name='weight')}, False)
ds.GeneratorDataset(rows(), ['x'], num_samples=2, shuffle=False)
ds.NumpySlicesDataset([1.0, 2.0], ['x'], shuffle=False)
data().batch(2, drop_remainder=False)
data().shuffle(2)
data().repeat(2)
data().take(1)
data().skip(1)
data().map(square, ['x'])
data().create_dict_iterator(num_epochs=1, output_numpy=True)
ds.SequentialSampler(0, 2)
ds.RandomSampler(False, 2)
ds.config.set_seed(1)
"""

FORMS = tuple(
    line.strip()
    for block in (OPERATORS, PRIMITIVES, METHODS, LAYERS, TRAINING, OTHERS)
    for line in block.splitlines()
    if line.strip()
)

WRONG = {
    "None": "None",
    "True": "True",
    "text": "'bad'",
    "negative": "-1",
    "zero": "0",
    "huge": "10**30",
    "fraction": "2.5",
    "nan": "float('nan')",
    "inf": "float('inf')",
    "list": "[]",
    "tuple": "()",
    "dict": "{}",
    "mixed": "[1, 'a']",
    "object": "object()",
    "array": "np.ones((2, 3), np.float32)",
    "complex": "Tensor(np.ones((2, 3)), ms.complex64)",
    "shape": "Tensor(np.ones((5, 7)), ms.float32)",
    "integers": "Tensor(np.ones((2, 3)), ms.int32)",
    "function": "square",
}


def variants(form: str) -> Iterator[tuple[str, str, str]]:
    """Yield what is called wrongly: the argument, the name of the wrong value, and the source.

    Each form has every third of all that ``everything`` yields, so that its arguments together see
    each wrong value; which third does not change when forms are added.
    """
    return itertools.islice(everything(form), zlib.crc32(form.encode()) % 3, None, 3)


def everything(form: str) -> Iterator[tuple[str, str, str]]:
    """Yield each argument of the form with each wrong value, and wrong numbers of arguments."""
    call = ast.parse(form, mode="eval").body
    assert isinstance(call, ast.Call)

    def source(args: list[ast.expr], keywords: list[ast.keyword]) -> str:
        return ast.unparse(ast.Call(call.func, args, keywords))

    wrong = {name: ast.parse(text, mode="eval").body for name, text in WRONG.items()}
    for place in range(len(call.args)):
        for name, value in wrong.items():
            args = [*call.args[:place], value, *call.args[place + 1 :]]
            yield str(place), name, source(args, call.keywords)
    for place, keyword in enumerate(call.keywords):
        for name, value in wrong.items():
            other = ast.keyword(keyword.arg, value)
            keywords = [*call.keywords[:place], other, *call.keywords[place + 1 :]]
            yield str(keyword.arg), name, source(call.args, keywords)
    many = [*call.args, *[ast.Constant(0)] * 25]
    yield "call", "25_more", source(many, call.keywords)
    unknown = ast.keyword("no_such_argument", ast.Constant(0))
    yield "call", "unknown", source(call.args, [*call.keywords, unknown])
    yield "call", "without", source([], [])


def namespace() -> dict[str, Any]:
    """Return fresh values of the names that stand in the forms."""
    import mindspore as ms
    import mindspore.dataset as ds
    import numpy as np
    from mindspore import Parameter, Tensor, nn, ops
    from mindspore.common import initializer as init

    def of(*shape: int) -> Any:
        size = int(np.prod(shape))
        return Tensor(np.linspace(0.1, 0.9, size).reshape(shape).astype(np.float32))

    def data() -> Any:
        return ds.GeneratorDataset(
            [(np.ones(3, np.float32), np.ones(4, np.float32))] * 2, ["x", "y"]
        )

    def saved() -> str:
        ms.save_checkpoint([{"name": "weight", "data": of(4, 3)}], "saved.ckpt")
        return "saved.ckpt"

    tensors = {
        "X": of(2, 3),
        "Y": of(2, 3),
        "Z": of(2, 2, 6, 6),
        "K": of(3, 4),
        "S": of(1, 2, 6),
        "V": of(3),
        "B": of(2, 3) > 0.5,
        "I": Tensor([0, 1], ms.int32),
        "J": Tensor([[0, 1, 0], [1, 0, 1]], ms.int32),
        "P": Parameter(of(2, 3), name="p"),
        "Q": Parameter(of(2, 3), name="q"),
    }
    names = ("initializer", "One", "Constant", "Uniform", "Normal", "TruncatedNormal")
    names = (*names, "XavierUniform", "HeNormal", "Orthogonal")
    return {
        "ms": ms,
        "nn": nn,
        "ops": ops,
        "np": np,
        "ds": ds,
        "Tensor": Tensor,
        "Parameter": Parameter,
        "data": data,
        "saved": saved,
        "square": square,
        "hook": hook,
        "rows": lambda: [np.ones(3, np.float32)] * 4,
        **{name: getattr(init, name) for name in names},
        **tensors,
    }


def square(x: Any) -> Any:
    """A function to differentiate, and a wrong argument elsewhere."""
    return x * x


def hook(*args: Any) -> None:
    """A hook that changes nothing."""


def outcome(source: str, names: dict[str, Any]) -> BaseException | None:
    """Return what the call raises, or None where it is accepted."""
    try:
        result = eval(source, names)
        # A generator refuses its arguments when it is first asked.
        if isinstance(result, Iterator):
            next(result, None)
    except Exception as error:
        return error
    return None


def first_builtin(error: BaseException) -> str:
    """Return the most derived builtin class of an exception."""
    return next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")


Evaluate = Callable[[str, dict[str, Any]], BaseException | None]
