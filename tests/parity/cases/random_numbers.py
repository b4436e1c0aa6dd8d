"""Random numbers: dtypes, shapes and refusals of the operators that draw them, not the numbers."""

import mindspore as ms
import mindspore.nn.probability.distribution as msd
import mindspore.numpy as mnp
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case


def at(dtype, *values):
    return Tensor(values, dtype)


def sevens(dtype):
    """Whole channels are dropped, so that few numbers can come."""
    return np.unique(ops.dropout2d(ops.full((20, 20, 2, 2), 7, dtype=dtype), 0.6).asnumpy())


DRAWN = {
    **{
        f"{name}_{dtype}": (lambda name=name, dtype=dtype: draw(name, getattr(ms, dtype)),)
        for name in ("randn_like", "cauchy", "randint", "randint_like", "uniform", "laplace")
        + ("log_normal", "random_categorical", "gamma")
        for dtype in ("float16", "float64", "int32", "complex64")
    },
    "randn_complex": (lambda: ops.randn(2, dtype=ms.complex64),),
    "randn_int": (lambda: ops.randn(2, dtype=ms.int32),),
    "uniform_of_ints": (lambda: ops.uniform((2,), at(ms.int32, 1), at(ms.int32, 3)),),
    "numpy_no_dimension": (lambda: [mnp.rand(()), mnp.randn(()), mnp.rand(), mnp.randn([])],),
    "numpy_int64": (lambda: [mnp.rand((np.int64(2), 1)), mnp.randn((np.int64(2), 1))],),
}


def draw(name, dtype):
    x = at(dtype, 1, 2)
    calls = {
        "randint": lambda: ops.randint(0, 5, (2,), dtype=dtype),
        "randint_like": lambda: ops.randint_like(x, 0, 5),
        "randn_like": lambda: ops.randn_like(x),
        "cauchy": lambda: x.cauchy(),
        "uniform": lambda: ops.uniform((2,), x, x + x),
        "laplace": lambda: ops.laplace((2,), x, x),
        "gamma": lambda: ops.gamma((2,), x, x),
        "log_normal": lambda: x.log_normal(),
        "random_categorical": lambda: ops.random_categorical(x.expand_dims(0), 2),
    }
    return calls[name]()


@case.table(DRAWN)
def drawn(function):
    found = function()
    return [(x.dtype, x.shape) for x in (found if isinstance(found, list) else [found])]


@case.table({name: (name,) for name in ("int8", "int32", "uint8", "bool_", "complex64")})
def dropped(name):
    return sevens(getattr(ms, name))


@case.table({"Poisson": ([1.5],), "LogNormal": ([0.1], [1.0])}, tol=5e-5)
def at_the_edge(*args):
    """Gradients of what lies below a value, where that begins."""
    name = "Poisson" if len(args) == 1 else "LogNormal"
    dist = getattr(msd, name)(*[Tensor(np.array(a, np.float32)) for a in args])
    edge = Tensor([0.0 if name == "Poisson" else -0.5, 1.0], ms.float32)
    below = dist.cdf if name == "Poisson" else dist.log_cdf
    return ops.GradOperation()(lambda x: below(x))(edge)


def same(first, second=None):
    return bool(np.array_equal(first().asnumpy(), (second or first)().asnumpy()))


REPEATED = {
    "randperm": lambda: [same(lambda s=s: ops.randperm(50, seed=s)) for s in (0, 4, -1)],
    "randperm_offset": lambda: same(
        lambda: ops.randperm(50, seed=1, offset=2), lambda: ops.randperm(50, seed=3, offset=2)
    ),
    "randperm_negative": lambda: ops.randperm(50, seed=-2),
    "bernoulli": lambda: [
        same(lambda s=s: ops.bernoulli(ops.ones(200), 0.5, s)) for s in (0, 4, -1, None)
    ],
    "random_categorical": lambda: [
        same(lambda s=s: ops.random_categorical(ops.zeros((1, 50)), 50, s)) for s in (0, 4)
    ],
    "operator_seed": lambda: [same(lambda s=s: ops.randn(50, seed=s)) for s in (0, 4)],
}


@case.table({name: (function,) for name, function in REPEATED.items()})
def repeated(function):
    """Whether two calls draw the same."""
    return function()


@case
def seeds_together():
    """Numbers come from the seed of the operator and the global one."""
    drawn = []
    for seed in (1, 2, 1):
        ms.set_seed(seed)
        drawn.append(ops.randn(50, seed=4).asnumpy())
    return [np.array_equal(drawn[0], other) for other in drawn[1:]]


def picked(x):
    return ops.multinomial(x, 40, True)


def channels(x):
    return ops.dropout2d(x.reshape(4, 16, 1, 1), 0.5)


def shuffled(x):
    return ops.shuffle(ops.cumsum(x, 0))


def ordered_alike(x):
    return x[:8] + ops.randperm(8)


@case.table({f.__name__: (f,) for f in (picked, channels, shuffled, ordered_alike)})
def rows_of_vmap(function):
    """Whether examples draw numbers of their own: where an operand of the operator has rows."""
    rows = ms.vmap(function)(ops.ones((3, 64), ms.float32)).asnumpy()
    return len({row.tobytes() for row in rows})


@case
def dropout_with_a_tensor():
    made = ops.dropout(Tensor(np.ones(4000, np.float32)), Tensor(0.25))
    zeros = float((made == 0).astype(ms.float32).mean().asnumpy())
    return abs(zeros - 0.25) < 0.05, float(made.max().asnumpy()) - 4 / 3 < 1e-6


SEEDED = {
    "UniformReal": (lambda *s: ops.UniformReal(*s), lambda p: p((9,))),
    "StandardNormal": (lambda *s: ops.StandardNormal(*s), lambda p: p((9,))),
    "StandardLaplace": (lambda *s: ops.StandardLaplace(*s), lambda p: p((9,))),
    "UniformInt": (
        lambda *s: ops.UniformInt(*s),
        lambda p: p((9,), at(ms.int32, 0)[0], at(ms.int32, 9999)[0]),
    ),
    "Dropout": (lambda *s: ops.Dropout(0.5, *s), lambda p: p(ops.ones((99,), ms.float32))[0]),
    "Multinomial": (lambda *s: ops.Multinomial(*s), lambda p: p(ops.ones(99, ms.float32), 20)),
    "RandomShuffle": (lambda *s: ops.RandomShuffle(*s), lambda p: p(ops.arange(99))),
    "RandomChoiceWithMask": (
        lambda *s: ops.RandomChoiceWithMask(9, *s),
        lambda p: p(ops.ones(99, ms.bool_))[0],
    ),
    "RandomGamma": (
        lambda *s: ops.RandomGamma(*s),
        lambda p: p(at(ms.int32, 9), at(ms.float32, 1.0)),
    ),
}


@case.table(SEEDED)
def seeded_primitive(make, draw):
    """Which draws are alike: of one, of another of its seeds, after a seed for all, of others."""
    one = make(3)
    found = [draw(one), draw(one), draw(make(3))]
    ms.set_seed(5)
    found += [draw(make(3)), draw(one), draw(make(3, 4)), draw(make(4, 3)), draw(make(0, 3))]
    found += [draw(make(0, 3)), draw(make(0)), draw(make(0))]
    texts = [each.asnumpy().tobytes() for each in found]
    return [texts.index(text) for text in texts]


@case
def channels_all_dropped():
    x = ops.ones((1, 2, 2, 2, 2), ms.float32)
    left = ops.dropout1d(x[0, 0], 1.0), ops.dropout2d(x[0], 1.0), ops.dropout3d(x, 1.0)
    return left, ops.Dropout3D(0.0)(x), ms.grad(lambda x: ops.dropout3d(x, 1.0))(x)
