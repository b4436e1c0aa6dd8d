"""A text model written with ``mindspore.mint``, three steps of it; optimizers.

The model is of what the CPU of 2.10 runs: functions and layers of ``mint`` where it does, else
of ``ops``. The optimizers of ``mint`` do not step there, so the rule is ``experimental.optim``'s.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore.experimental import optim
from mindspore.mint.nn import functional as F

from tests.parity.case import case
from tests.parity.cases.numpy_elementwise import attempt

IDS = np.arange(12).reshape(2, 6) * 5 % 7
SIZE = 4


class Norm(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(mint.ones(SIZE), name="weight")

    def construct(self, x):
        spread = mint.mean(mint.square(x), dim=-1, keepdim=True)
        return mint.mul(mint.mul(x, mint.rsqrt(mint.add(spread, 1e-6))), self.weight)


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.query = mint.nn.Linear(SIZE, SIZE, bias=False)
        self.key = mint.nn.Linear(SIZE, SIZE, bias=False)
        self.value = mint.nn.Linear(SIZE, SIZE, bias=False)
        self.out = mint.nn.Linear(SIZE, SIZE)

    def construct(self, x):
        batch, length, _ = x.shape
        heads = [
            mint.permute(mint.reshape(part(x), (batch, length, 2, SIZE // 2)), (0, 2, 1, 3))
            for part in (self.query, self.key, self.value)
        ]
        scores = mint.div(mint.matmul(heads[0], mint.transpose(heads[1], -1, -2)), SIZE**0.5)
        future = mint.triu(ops.ones((length, length), ms.float32), 1)
        scores = mint.where(mint.gt(future, 0), -1e9, scores)
        mixed = mint.matmul(F.softmax(scores, dim=-1), heads[2])
        mixed = mint.flatten(mint.permute(mixed, (0, 2, 1, 3)), start_dim=2)
        return self.out(mixed)


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = mint.nn.Embedding(7, SIZE)
        self.first, self.second = Norm(), Norm()
        self.attention = Attention()
        self.wide = mint.nn.Linear(SIZE, 2 * SIZE)
        self.narrow = mint.nn.Linear(2 * SIZE, SIZE)
        self.head = mint.nn.Linear(SIZE, 7)
        self.act = mint.nn.SiLU()

    def construct(self, ids):
        x = ops.gather(self.table.weight, ids, 0)
        x = mint.add(x, self.attention(self.first(x)))
        x = mint.add(x, self.narrow(self.act(self.wide(self.second(x)))))
        return self.head(x)


def trained(wrap):
    ms.set_seed(3)
    model = Model()
    optimizer = optim.AdamW(model.trainable_params(), lr=0.1, weight_decay=0.05)
    ids = Tensor(IDS, ms.int64)
    inputs, labels = mint.narrow(ids, 1, 0, 5), mint.narrow(ids, 1, 1, 5)

    def forward(inputs, labels):
        scores = mint.reshape(model(inputs), (-1, 7))
        return ops.cross_entropy(scores, mint.reshape(labels, (-1,)).astype(ms.int32))

    gradients = wrap(ms.value_and_grad(forward, None, model.trainable_params()))
    losses = []
    for _ in range(3):
        loss, grads = gradients(inputs, labels)
        optimizer(grads)
        losses.append(loss)
    return losses, {p.name: p.asnumpy() for p in model.get_parameters()}


# Float32 sums in another order, through three steps of Adam, whose first ones are signs.
@case(tol=5e-4)
def text_model():
    return trained(lambda function: function)


@case(tol=5e-4)
def text_model_compiled():
    return trained(ms.jit)


def parameters():
    return [Parameter(Tensor([1.0, 2.0]), name="a"), Parameter(Tensor([[3.0]]), name="b")]


OPTIONS = ("betas", "eps", "amsgrad", "momentum", "weight_decay", "nesterov", "maximize")
STATES = {
    "Adam": ("Adam", {}),
    "AdamW": ("AdamW", {"lr": 0.1}),
    "SGD": ("SGD", {"lr": 0.1, "momentum": 0.5}),
}


@case.table(STATES)
def settings(name, options):
    made = getattr(mint.optim, name)(parameters(), **options)
    group = {k: v for k, v in made.param_groups[0].items() if k in OPTIONS}
    names = [p.name for p in made.get_parameters()]
    return names, sorted(group.items()), made.param_groups[0]["lr"].asnumpy()


WRONG = {
    "rate": {"lr": -1.0},
    "rate_kind": {"lr": "a"},
    "decay": {"lr": 0.1, "weight_decay": -1.0},
    "params": {"lr": 0.1, "params": [1]},
    "unknown": {"lr": 0.1, "rate": 1},
}


@case.table({f"{n}_{k}": (n, v) for n in STATES for k, v in WRONG.items()})
def wrong(name, options):
    options = {"params": parameters(), **options}
    return attempt(lambda: bool(getattr(mint.optim, name)(**options)))


IMPORTS = {
    "module": "import mindspore.mint as m; found = m.add",
    "name": "from mindspore import mint; found = mint.sum",
    "nn": "from mindspore.mint import nn; found = nn.ReLU",
    "functional": "import mindspore.mint.nn.functional as F; found = F.relu",
    "from_functional": "from mindspore.mint.nn.functional import softmax as found",
    "short": "from mindspore.mint import functional; found = functional.silu",
    "optim": "from mindspore.mint.optim import AdamW as found",
    "linalg": "from mindspore.mint import linalg; found = linalg.norm",
    "special": "from mindspore.mint.special import erfc as found",
    "star": "from mindspore.mint.nn import *; found = Linear",
    "absent": "from mindspore.mint import no_such_name",
}


@case.table({key: (text,) for key, text in IMPORTS.items()})
def imports(text):
    scope = {}
    exec(text, scope)
    return callable(scope["found"])
