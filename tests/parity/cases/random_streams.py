"""Random numbers: the same as MindSpore's for the same seed, call by call."""

import mindspore as ms
import mindspore.nn.probability.distribution as msd
import mindspore.numpy as mnp
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


def f32(value):
    return Tensor(value, ms.float32)


def i32(value):
    return Tensor(value, ms.int32)


WEIGHTS = np.array([[1, 2, 3, 4], [3, 1, 0, 1]], np.float32)

MASK, TRUE = Tensor(WEIGHTS > 1), Tensor([[6], [8]], ms.int64)

FUNCTIONS = {
    "rand": lambda: ops.rand(7),
    "rand_many": lambda: ops.rand(3, 700)[:, ::97],
    "rand_half": lambda: ops.rand(4, dtype=ms.float16),
    "rand_double": lambda: ops.rand(4, dtype=ms.float64),
    "rand_like": lambda: ops.rand_like(ones(2, 3)),
    "rand_seed": lambda: ops.rand(4, seed=5),
    "uniform": lambda: ops.uniform((3, 2), f32(1.0), f32(3.0)),
    "uniform_ints": lambda: ops.uniform((9,), i32(-5), i32(2**31 - 1), dtype=ms.int32),
    "uniform_wide": lambda: ops.uniform((99,), i32(-(2**30)), i32(2**30 + 7), dtype=ms.int32)[::9],
    "standard_normal": lambda: ops.standard_normal((9,)),
    "standard_normal_many": lambda: ops.standard_normal((3, 700))[:, ::97],
    "randn": lambda: ops.randn(3, 2),
    "randn_half": lambda: ops.randn(3, dtype=ms.float16),
    "randn_like": lambda: ops.randn_like(ones(2, 3)),
    "normal": lambda: ops.normal((5,), f32(2.0), f32(3.0)),
    "normal_numbers": lambda: ops.normal((5,), 0.0, 1.0),
    "randint": lambda: ops.randint(0, 1000, (9,)),
    "randint_wide": lambda: ops.randint(-3, 1000000000, (9,)),
    "randint_like": lambda: ops.randint_like(Tensor([1, 2, 3]), 0, 10),
    "laplace": lambda: ops.laplace((9,), f32(1.0), f32(2.0)),
    "standard_laplace": lambda: ops.standard_laplace((9,)),
    "multinomial": lambda: ops.multinomial(Tensor(WEIGHTS[0]), 9),
    "multinomial_rows": lambda: ops.multinomial(Tensor(WEIGHTS), 5),
    "multinomial_once": lambda: ops.multinomial(Tensor(WEIGHTS), 2, replacement=False),
    "random_categorical": lambda: ops.random_categorical(Tensor(WEIGHTS[:1]), 9, seed=3),
    "random_categorical_rows": lambda: ops.random_categorical(Tensor(WEIGHTS), 9, seed=3),
    "bernoulli": lambda: ops.bernoulli(ones(4, 5), 0.3, seed=3),
    "bernoulli_each": lambda: ops.bernoulli(i32([1] * 8), f32(np.arange(8) / 7), seed=0),
    "choice_with_mask": lambda: ops.choice_with_mask(MASK, 4),
    "choice_with_mask_few": lambda: ops.choice_with_mask(MASK, 12, seed=3),
    "uniform_candidates": lambda: ops.uniform_candidate_sampler(TRUE, 1, 4, True, 10, 3),
    "uniform_candidates_again": lambda: ops.uniform_candidate_sampler(TRUE, 1, 9, False, 10, 3),
    "random_gamma": lambda: ops.random_gamma(
        i32([2, 4]), f32([[2.0, 0.5, 1.0], [9.0, 40.0, 0.01]])
    ),
    "random_gamma_one": lambda: ops.random_gamma(i32([5]), f32(1.0)),
    "random_gamma_seed": lambda: ops.random_gamma(i32([99]), Tensor([0.7], ms.float64), 3)[::9],
    "dropout": lambda: ops.dropout(ones(4, 16), 0.3),
    "dropout_seed": lambda: ops.dropout(ones(16), 0.5, seed=4),
    "dropout_half": lambda: ops.dropout(ones(16, dtype=np.float16), 0.3),
    "dropout_double": lambda: ops.dropout(ones(16, dtype=np.float64), 0.3),
    "rrelu": lambda: ops.rrelu(-ones(9)),
    "gumbel_softmax": lambda: ops.gumbel_softmax(ones(2, 5)),
    "shuffle": lambda: ops.shuffle(Tensor(np.arange(9.0))),
    "shuffle_rows": lambda: ops.shuffle(Tensor(WEIGHTS.T)),
    "randperm": lambda: ops.randperm(9),
    "randperm_seed": lambda: ops.randperm(300, seed=3)[::29],
    "numpy_rand": lambda: mnp.rand(3, 2),
    "numpy_randn": lambda: mnp.randn(3),
    "numpy_randint": lambda: mnp.randint(3, 50, (4,)),
    "fractional": lambda: ops.fractional_max_pool2d(
        Tensor(np.arange(64, dtype=np.float32).reshape(1, 1, 8, 8)), 2, (4, 4)
    ),
}


@case.table({name: (function,) for name, function in FUNCTIONS.items()}, tol=2e-5)
def functions(function):
    found = []
    for seed in (7, 0):
        ms.set_seed(seed)
        found += [function() for _ in range(3)]
    return found


@case(tol=2e-5)
def by_name():
    """Each function counts for itself, and each seed of its own."""
    ms.set_seed(3)
    rows = [ops.rand(2), ops.uniform((2,), f32(0.0), f32(1.0)), ops.rand(2), ops.randn(2)]
    return [*rows, ops.rand(2, seed=3), ops.rand(2), ops.standard_normal((2,))]


PRIMITIVES = {
    "UniformReal": lambda: (ops.UniformReal(3, 5), (4,)),
    "StandardNormal": lambda: (ops.StandardNormal(3, 5), (3,)),
    "UniformInt": lambda: (ops.UniformInt(3), (4,), i32(0), i32(10)),
    "StandardLaplace": lambda: (ops.StandardLaplace(0, 5), (4,)),
    "Multinomial": lambda: (ops.Multinomial(3), Tensor(WEIGHTS[0]), 4),
    "Dropout": lambda: (ops.Dropout(0.5, 3, 4), ones(8)),
    "TruncatedNormal": lambda: (ops.TruncatedNormal(ms.float32, 3, 5), i32([3, 3])),
    "TruncatedNormal_odd": lambda: (ops.TruncatedNormal(ms.float64, 0, 5), i32([99, 3])),
    "RandomGamma": lambda: (ops.RandomGamma(3, 5), i32([4]), f32([2.0, 0.5])),
    "Bernoulli": lambda: (ops.Bernoulli(3, 5), ones(8), f32(0.5)),
    "RandomChoiceWithMask": lambda: (ops.RandomChoiceWithMask(4, 3, 4), MASK),
    "UniformCandidateSampler": lambda: (ops.UniformCandidateSampler(1, 4, True, 10, 3), TRUE),
    "UniformCandidateSampler_hits": lambda: (
        ops.UniformCandidateSampler(1, 4, True, 10, 3, True),
        TRUE,
    ),
    "UniformCandidateSampler_few": lambda: (
        ops.UniformCandidateSampler(1, 9, True, 10, 3, True),
        TRUE,
    ),
    "RandomShuffle": lambda: (ops.RandomShuffle(3), Tensor(np.arange(7.0))),
}


@case.table({name: (made,) for name, made in PRIMITIVES.items()}, tol=2e-5)
def primitives(made):
    """One goes on where it stopped; another one of the same seeds begins again."""
    (one, *args), (other, *_) = made(), made()
    found = [one(*args), one(*args), other(*args), one(*args)]
    return [each[0] if isinstance(each, tuple) else each for each in found]


@case(tol=2e-5)
def primitive_by_shape():
    normal = ops.StandardNormal(3, 5)
    return [normal(shape) for shape in ((4,), (6,), (4,), (2, 2), (4,))]


SAMPLED = {
    "Normal": lambda: msd.Normal(1.0, 2.0),
    "Normal_seed": lambda: msd.Normal(1.0, 2.0, seed=3),
    "Normal_batch": lambda: msd.Normal([1.0, 2.0], [2.0, 3.0]),
    "Uniform": lambda: msd.Uniform(1.0, 3.0),
    "Bernoulli": lambda: msd.Bernoulli([0.5, 0.2]),
    "Exponential": lambda: msd.Exponential(2.0),
    "Geometric": lambda: msd.Geometric(0.3),
    "Gumbel": lambda: msd.Gumbel(1.0, 2.0),
    "Logistic": lambda: msd.Logistic(1.0, 2.0),
    "LogNormal": lambda: msd.LogNormal(1.0, 0.5),
    "Cauchy": lambda: msd.Cauchy(1.0, 2.0),
    "Categorical": lambda: msd.Categorical([0.2, 0.3, 0.5]),
    "Categorical_batch": lambda: msd.Categorical(Tensor([[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]])),
}


@case.table({name: (made,) for name, made in SAMPLED.items()}, tol=2e-5)
def samples(made):
    ms.set_seed(9)
    distribution = made()
    return [distribution.sample((4,)) for _ in range(2)]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dropout(p=0.3), nn.Dropout(keep_prob=0.5)

    def construct(self, x):
        y = self.first(x)
        return y, self.second(x), self.first(x)


@case
def layers():
    """In one call a layer goes on; compiled, each place in the graph has a stream of its own."""
    ms.set_seed(11)
    net, x = Net().set_train(), ones(8)
    return [net(x) for _ in range(2)]


@case
def seeded_layers():
    """The seeds of layers are those from when they were built."""
    ms.set_seed(2)
    net = Net().set_train()
    ms.set_seed(5)
    return net(ones(8)), Net().set_train()(ones(8))


def mixed():
    """Make a function anew: what is compiled goes on with its numbers, whatever the seed."""

    def draw(x):
        noise = ops.standard_normal((3,)) + ops.rand(3)
        return ops.dropout(x, 0.3), ops.dropout(x, 0.3), noise, ops.randint(0, 9, (3,))

    return draw


@case.table({"eager": (False,), "jit": (True,)}, tol=2e-5)
def several(jit):
    ms.set_seed(6)
    function = ms.jit(mixed()) if jit else mixed()
    return [function(ones(8)) for _ in range(3)]


@case
def other_shapes():
    ms.set_seed(6)
    function = ms.jit(mixed())
    return [function(ones(size))[:2] for size in (8, 4, 8, 4)]


class Trained(nn.Cell):
    def __init__(self):
        super().__init__()
        self.hidden, self.drop, self.out = nn.Dense(6, 8), nn.Dropout(p=0.25), nn.Dense(8, 3)

    def construct(self, x, y):
        hidden = ops.relu(self.hidden(x)) + 0.1 * ops.randn_like(self.hidden(x))
        return ops.cross_entropy(self.out(self.drop(hidden)), y)


@case.table({"eager": (False,), "jit": (True,)}, tol=1e-4)
def training(jit):
    ms.set_seed(12)
    net = Trained().set_train()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    gradient = ms.value_and_grad(net, None, optimizer.parameters)
    rng = np.random.RandomState(0)
    x, y = Tensor(rng.randn(4, 6).astype(np.float32)), Tensor([0, 1, 2, 0], ms.int32)

    def step(x, y):
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    step = ms.jit(step) if jit else step
    # From the sixth on, MindSpore draws in two threads that share a generator.
    return [step(x, y) for _ in range(5)]


@case
def copies():
    """A copy of a layer begins again."""
    import copy

    ms.set_seed(4)
    drop = nn.Dropout(p=0.5).set_train()
    first = drop(ones(8))
    return first, copy.deepcopy(drop)(ones(8)), drop(ones(8))


@case
def seeds_of_operators():
    from mindspore.common.seed import _get_graph_seed

    found = []
    for seed in (0, 5, 2**32 - 1):
        ms.set_seed(seed)
        found += [_get_graph_seed(own, "x") for own in (0, None, 3, 0)]
    return found
