"""Distributions and bijectors: samples by their moments, gradients, compiled calls, state."""

from __future__ import annotations

import subprocess
import sys

import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.nn.probability import bijector as msb
from msgrad.nn.probability import distribution as msd

DRAWS = 20000
DISTRIBUTIONS = {
    "Bernoulli": ([0.3, 0.6],),
    "Beta": ([1.5, 2.0], [2.5, 3.0]),
    "Exponential": ([0.5, 2.0],),
    "Gamma": ([1.5, 2.0], [2.5, 3.0]),
    "Geometric": ([0.3, 0.6],),
    "Gumbel": ([0.1, 0.2], [1.0, 2.0]),
    "LogNormal": ([0.1, 0.2], [0.3, 0.4]),
    "Logistic": ([0.1, 0.2], [1.0, 2.0]),
    "Normal": ([0.1, 0.2], [1.0, 2.0]),
    "Poisson": ([1.5, 2.0],),
    "Uniform": ([0.0, 0.1], [1.0, 2.0]),
}
REPARAMETERISED = sorted(DISTRIBUTIONS.keys() - {"Bernoulli", "Geometric", "Poisson"})


def made(name: str):
    return getattr(msd, name)(*[Tensor(value, ms.float32) for value in DISTRIBUTIONS[name]])


@pytest.fixture(autouse=True)
def seeded():
    ms.set_seed(3)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_samples_have_the_moments(name):
    dist = made(name)
    drawn = dist.sample((DRAWS,))
    assert drawn.shape == (DRAWS, 2)
    assert drawn.dtype is dist.dtype
    values, mean, sd = drawn.asnumpy(), dist.mean().asnumpy(), dist.sd().asnumpy()
    # Five standard errors; that of a variance depends on the fourth moment, at most 30 here.
    assert np.all(np.abs(values.mean(0) - mean) < 5 * sd / np.sqrt(DRAWS))
    assert np.all(np.abs(values.var(0) / sd**2 - 1) < 5 * np.sqrt(30 / DRAWS))


def test_samples_of_cauchy_have_its_median_and_quartiles():
    values = msd.Cauchy(1.0, 2.0).sample((DRAWS,)).asnumpy()
    assert np.quantile(values, [0.25, 0.5, 0.75]) == pytest.approx([-1.0, 1.0, 3.0], abs=0.15)


def test_samples_of_categories_have_their_probabilities():
    probs = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], np.float32)
    values = msd.Categorical(Tensor(probs)).sample((DRAWS,)).asnumpy()
    found = np.stack([(values == k).mean(0) for k in range(3)], -1)
    assert np.abs(found - probs).max() < 5 * 0.5 / np.sqrt(DRAWS)


def test_seeds():
    def draw(seed):
        return msd.Normal(0.0, 1.0, seed=seed).sample((4,)).asnumpy().tolist()

    first = draw(None), draw(7)
    assert draw(None) != first[0]
    ms.set_seed(3)
    assert (draw(None), draw(7)) == first
    dist = msd.Normal(0.0, 1.0)
    assert dist.sample((4,)).asnumpy().tolist() != dist.sample((4,)).asnumpy().tolist()


@pytest.mark.parametrize("name", REPARAMETERISED)
def test_samples_have_the_gradients_of_the_mean(name):
    dist = getattr(msd, name)
    parameters = [Tensor(value, ms.float32) for value in DISTRIBUTIONS[name]]
    places = tuple(range(len(parameters)))

    def mean(*values):
        return dist(*values).mean().sum()

    def drawn(*values):
        return dist(*values).sample((DRAWS,)).mean(0).sum()

    want, got = (ms.grad(fn, places)(*parameters) for fn in (mean, drawn))
    assert want is not None and got is not None
    for one, other in zip(want, got, strict=True):
        assert np.abs(one.asnumpy() - other.asnumpy()).max() < 0.1


@pytest.mark.parametrize("name", ["Beta", "Gamma", "StudentT"])
def test_gradients_of_densities(name):
    dist = getattr(msd, name)()
    parameters = {**DISTRIBUTIONS, "StudentT": ([3.0, 4.0], [0.1, 0.2], [1.0, 2.0])}[name]
    values = [[0.3, 0.7], *parameters]
    raw = [jnp.asarray(value, jnp.float32) for value in values]

    def density(*arrays):
        return dist.log_prob(*[Tensor(a) for a in arrays]).sum().value()

    check_grads(
        lambda *a: jnp.asarray(density(*a)), raw, 1, ["rev"], atol=2e-2, rtol=2e-2, eps=1e-2
    )


def test_compiled_calls_draw_anew_and_are_the_same_as_others():
    dist = msd.Normal(Tensor([0.0, 1.0], ms.float32), 2.0)
    traced = []

    @ms.jit
    def step(value, mean):
        traced.append(1)
        return dist.log_prob(value, mean), dist.sample((2,)), dist.kl_loss("Normal", mean, mean)

    value, mean = Tensor([0.5, 0.6], ms.float32), Tensor([1.0, 2.0], ms.float32)
    first, second = step(value, mean), step(value, mean)
    assert len(traced) == 1
    assert np.allclose(first[0].asnumpy(), dist.log_prob(value, mean).asnumpy(), rtol=1e-6)
    assert first[1].asnumpy().tolist() != second[1].asnumpy().tolist()


def test_a_distribution_made_in_a_compiled_call():
    @ms.jit
    def density(mean, sd):
        return msd.Normal(mean, sd).log_prob(mean + 1.0)

    mean, sd = Tensor([1.0, 2.0], ms.float32), Tensor([1.0, 1.0], ms.float32)
    assert density(mean, sd).asnumpy() == pytest.approx(-0.5 - 0.5 * np.log(2 * np.pi), rel=1e-6)


def test_parameters_are_trained_and_read_anew():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.prior = msd.Normal(ms.Parameter(Tensor([0.0], ms.float32), name="mean"), 1.0)

        def construct(self, x):
            return -self.prior("log_prob", x).mean()

    net = Net()
    assert [p.name for p in net.trainable_params()] == ["prior._mean_value"]
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.5))
    losses = [float(step(Tensor([1.0, 3.0], ms.float32))) for _ in range(3)]
    assert losses == sorted(losses, reverse=True)
    assert float(net.prior.mean()) == pytest.approx(1.75)


def test_a_policy_gradient():
    logits = ms.Parameter(Tensor([[0.1, 0.2, 0.3]], ms.float32), name="logits")

    def loss(action):
        return -msd.Categorical(ops.softmax(logits)).log_prob(action).sum()

    slope = ms.grad(loss, None, [logits])(Tensor([2], ms.int32))[0].asnumpy()
    probs = ops.softmax(logits).asnumpy()
    assert slope == pytest.approx(probs - np.array([[0.0, 0.0, 1.0]]), abs=1e-6)


def test_a_bijector_of_ones_own():
    class Cube(msb.Bijector):
        def __init__(self):
            super().__init__(name="Cube", param={})

        def _forward(self, x):
            return x**3

        def _inverse(self, y):
            return y ** (1 / 3)

        def _inverse_log_jacobian(self, y):
            return -(2 / 3) * ops.log(y) - float(np.log(3))

    dist = Cube()(msd.Uniform(0.0, 2.0))
    density = dist.prob(Tensor([1.0, 8.0], ms.float32)).asnumpy()
    assert density == pytest.approx([1 / 6, 1 / 24], rel=1e-5)
    assert dist.sample((5,)).shape == (5,)


def test_what_is_wrong_is_told():
    with pytest.raises(ValueError, match="Standard deviation must be greater than zero, but got"):
        msd.Normal(0.0, -1.0)
    with pytest.raises(NotImplementedError, match="entropy is not implemented for Poisson"):
        msd.Poisson([1.0]).entropy()
    with pytest.raises(TypeError, match="rate must be a subclass of Tensor"):
        msd.Exponential().mean()
    assert "median" not in dir(msd.Normal)


def test_it_is_loaded_when_it_is_used():
    text = "import sys, msgrad; print(any('probability' in name for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "False"
