"""Shapes and dtypes of random Tensors."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    "laplace": lambda: ops.laplace((2, 3), Tensor(0.0, ms.float32), Tensor(1.0, ms.float32)),
    "standard_laplace": lambda: ops.standard_laplace((2, 3)),
    "random_gamma": lambda: ops.random_gamma(
        Tensor([2, 3], ms.int32), Tensor([1.0, 2.0], ms.float32)
    ),
    "random_poisson": lambda: ops.random_poisson(
        Tensor([2], ms.int32), Tensor([5.0, 2.0], ms.float32)
    ),
    "random_categorical": lambda wide: ops.random_categorical(wide, 5),
    "multinomial_with_replacement": lambda: ops.multinomial_with_replacement(
        Tensor([[0.0, 9.0, 4.0]], ms.float32), 2, 5, 2
    ),
    "log_uniform_candidate_sampler": lambda: ops.log_uniform_candidate_sampler(
        Tensor([[1, 2]], ms.int64), 2, 3, True, 6
    ),
    "uniform_candidate_sampler": lambda: ops.uniform_candidate_sampler(
        Tensor([[1], [3]], ms.int64), 1, 3, True, 6
    ),
    "shuffle": lambda three: ops.shuffle(three),
    "randint_like": lambda ints: ops.randint_like(ints, 1, 9),
    "gumbel_softmax": lambda wide: ops.gumbel_softmax(wide, hard=True),
    "Bernoulli": lambda three: ops.Bernoulli()(three, Tensor([0.2, 0.5, 0.9], ms.float32)),
    "Cauchy": lambda: ops.Cauchy([2, 3])(),
    "LogNormalReverse": lambda three: ops.LogNormalReverse()(three),
    "LogUniformCandidateSampler": lambda: ops.LogUniformCandidateSampler(2, 3, True, 6)(
        Tensor([[1, 2]], ms.int64)
    ),
    "Multinomial": lambda: ops.Multinomial()(Tensor([[0.0, 9.0, 4.0]], ms.float32), 4),
    "MultinomialWithReplacement": lambda: ops.MultinomialWithReplacement(2)(
        Tensor([[0.0, 9.0, 4.0]], ms.float32), Tensor(1, ms.int64), Tensor(2, ms.int64)
    ),
    "NonDeterministicInts": lambda: ops.NonDeterministicInts()(Tensor([2, 3], ms.int32)),
    "ParameterizedTruncatedNormal": lambda: ops.ParameterizedTruncatedNormal()(
        Tensor([2, 3], ms.int32), *(Tensor([v], ms.float32) for v in (0.0, 1.0, -1.0, 1.0))
    ),
    "RandomCategorical": lambda wide: ops.RandomCategorical()(wide, 5, 0),
    "RandomGamma": lambda: ops.RandomGamma()(
        Tensor([2, 3], ms.int32), Tensor([1.0, 2.0], ms.float32)
    ),
    "RandomPoisson": lambda: ops.RandomPoisson()(
        Tensor([2], ms.int32), Tensor([5.0, 2.0], ms.float32)
    ),
    "RandomShuffle": lambda three: ops.RandomShuffle()(three),
    "RandpermV2": lambda: ops.RandpermV2()(4),
    "StandardLaplace": lambda: ops.StandardLaplace()((2, 3)),
    "TruncatedNormal": lambda: ops.TruncatedNormal()(Tensor([2, 3], ms.int32)),
    "UniformCandidateSampler": lambda: ops.UniformCandidateSampler(1, 3, True, 6)(
        Tensor([[1], [3]], ms.int64)
    ),
    "Dropout2D": lambda image1: ops.Dropout2D(0.5)(image1),
    "Dropout3D": lambda volume: ops.Dropout3D(0.5)(volume),
}


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    found = outcome(ROWS[name], gradient=False)
    return {**found, "value": kinds(found["value"])}


def kinds(value):
    """The shapes and dtypes of random Tensors, whose numbers are not MindSpore's."""
    if isinstance(value, tuple):
        return tuple(map(kinds, value))
    return (value.shape, value.dtype) if isinstance(value, Tensor) else value
