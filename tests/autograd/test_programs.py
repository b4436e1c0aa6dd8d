"""Programs held to references of their own: written in plain JAX, enumerated, or a trained loss.

Those that MindSpore 2.10 gets right are parity cases (``tests/parity/cases/grad_programs.py``).
"""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops


def sample(shape, seed, scale=0.5):
    return (np.random.default_rng(seed).normal(size=shape) * scale).astype(np.float32)


def assert_close(found, expected, rtol=1e-5):
    found = [f.asnumpy() for f in (found if isinstance(found, tuple) else (found,))]
    expected = [np.asarray(e) for e in (expected if isinstance(expected, tuple) else (expected,))]
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f, e, rtol=rtol, atol=rtol * max(1.0, np.abs(e).max()))


class Mlp(nn.Cell):
    def __init__(self, *sizes):
        super().__init__()
        self.layers = nn.CellList()
        for i, (a, b) in enumerate(itertools.pairwise(sizes)):
            layer = nn.Dense(a, b)
            layer.weight.set_data(Tensor(sample((b, a), i, 1 / np.sqrt(a))))
            layer.bias.set_data(Tensor(sample((b,), i + 50, 0.1)))
            self.layers.append(layer)

    def construct(self, *columns):
        x = columns[0] if len(columns) == 1 else ops.concat(columns, 1)
        for layer in self.layers[:-1]:
            x = ops.tanh(layer(x))
        return self.layers[-1](x)


def of_mlp(weights, x):
    """The same network in JAX; weights are (w, b, w, b, ...)."""
    for w, b in zip(weights[:-2:2], weights[1:-2:2], strict=True):
        x = jnp.tanh(x @ w.T + b)
    return x @ weights[-2].T + weights[-1]


def raw(weights):
    return tuple(jnp.asarray(w.asnumpy()) for w in weights)


# Burgers' equation, trained


def test_burgers_network_trains():
    net = Mlp(2, 16, 16, 1)
    weights = net.trainable_params()
    rng = np.random.default_rng(7)
    x, t = (Tensor(rng.uniform(a, 1, (32, 1)).astype(np.float32)) for a in (-1, 0))
    edge = np.linspace(-1, 1, 16, dtype=np.float32).reshape(16, 1)
    x0, t0, u0 = Tensor(edge), Tensor(edge * 0), Tensor(-np.sin(np.pi * edge))

    def loss_of(x, t):
        u, (u_x, u_t) = ms.value_and_grad(net, (0, 1))(x, t)
        u_xx = ms.grad(lambda x, t: ms.grad(net)(x, t))(x, t)
        inside = u_t + u * u_x - 0.01 / np.pi * u_xx
        start = net(x0, t0) - u0
        return (inside * inside).mean() + (start * start).mean()

    step = ms.value_and_grad(loss_of, None, weights)
    optimizer = nn.Adam(weights, 0.02)
    losses = []
    for _ in range(300):
        loss, grads = step(x, t)
        optimizer(grads)
        losses.append(float(loss))
    assert min(losses[-20:]) < losses[0] / 10


def test_second_derivatives_of_a_cell_and_their_weight_gradient():
    net = Mlp(2, 6, 1)
    weights = net.trainable_params()
    x, t = sample((5, 1), 1), sample((5, 1), 2)

    def loss(x, t):
        u_xx = ms.grad(lambda x, t: ms.grad(net)(x, t))(x, t)
        u_xt = ms.grad(lambda x, t: ms.grad(net)(x, t), 1)(x, t)
        return (u_xx * u_xx + u_xt * 3).sum()

    def in_jax(values, x, t):
        def u(x, t):
            return of_mlp(values, jnp.stack([x, t])[None])[0, 0]

        u_xx = jax.vmap(jax.grad(jax.grad(u)))(x[:, 0], t[:, 0])
        u_xt = jax.vmap(jax.grad(jax.grad(u), 1))(x[:, 0], t[:, 0])
        return (u_xx * u_xx + u_xt * 3).sum()

    found = ms.grad(loss, 0, weights)(Tensor(x), Tensor(t))
    by_weight, by_input = jax.grad(in_jax, (0, 1))(raw(weights), x, t)
    assert_close(found[0], by_input, 1e-4)
    assert_close(found[1], by_weight, 1e-4)


# Per-sample gradients


@pytest.mark.parametrize("has_aux", [False, True])
def test_per_sample_gradients_by_vmap_equal_the_loop(has_aux):
    net = Mlp(3, 4, 2)
    weights = net.trainable_params()
    xs, ys = Tensor(sample((6, 3), 3)), Tensor(sample((6, 2), 4))

    def loss(x, y):
        error = ((net(x) - y) ** 2).sum()
        return (error, x * 2) if has_aux else error

    one = ms.value_and_grad(loss, 0, weights, has_aux=has_aux)
    value, (by_input, by_weight) = ms.vmap(one)(xs, ys)
    assert by_weight[0].shape == (6, 4, 3)
    for i in range(6):
        expected, (expected_input, expected_weight) = one(xs[i], ys[i])
        pairs = [(by_input, expected_input), *zip(by_weight, expected_weight, strict=True)]
        pairs += zip(value, expected, strict=True) if has_aux else [(value, expected)]
        for found, wanted in pairs:
            assert_close(found[i], wanted.asnumpy())
    whole = ms.grad(lambda x, y: ((net(x) - y) ** 2).sum(), None, weights)(xs, ys)
    assert_close(tuple(g.sum(axis=0) for g in by_weight), tuple(g.asnumpy() for g in whole))


# Gradients inside a loss, where 2.10 loses terms of the second derivative


def test_gradient_penalty_of_a_critic():
    net = Mlp(2, 8, 1)
    weights = net.trainable_params()
    x = sample((4, 2), 5, 2.0)

    def penalty(x):
        return ((ops.norm(ms.grad(net)(x), dim=1) - 1) ** 2).mean() + net(x).mean()

    def in_jax(values, x):
        slope = jax.grad(lambda x: of_mlp(values, x).sum())(x)
        return ((jnp.linalg.norm(slope, axis=1) - 1) ** 2).mean() + of_mlp(values, x).mean()

    by_input, by_weight = ms.grad(penalty, 0, weights)(Tensor(x))
    expected = jax.grad(in_jax, (0, 1))(raw(weights), x)
    assert_close(by_weight, expected[0], 1e-4)
    assert_close(by_input, expected[1], 1e-4)


@pytest.mark.parametrize("steps", [1, 3])
def test_maml_of_matmul(steps):
    x, y, w, v = sample((5, 2), 6), sample((5, 1), 7), sample((2, 4), 8), sample((4, 1), 9)

    def loss(w, v):
        return ((ops.tanh(Tensor(x) @ w) @ v - Tensor(y)) ** 2).mean()

    def meta_loss(w, v):
        for _ in range(steps):
            by_w, by_v = ms.grad(loss, (0, 1))(w, v)
            w, v = w - 0.1 * by_w, v - 0.1 * by_v
        return loss(w, v)

    def loss_in_jax(w, v):
        return ((jnp.tanh(x @ w) @ v - y) ** 2).mean()

    def in_jax(w, v):
        for _ in range(steps):
            by_w, by_v = jax.grad(loss_in_jax, (0, 1))(w, v)
            w, v = w - 0.1 * by_w, v - 0.1 * by_v
        return loss_in_jax(w, v)

    found = ms.grad(meta_loss, (0, 1))(Tensor(w), Tensor(v))
    assert_close(found, jax.grad(in_jax, (0, 1))(w, v))


def test_a_learned_step_size_through_the_weights_of_a_cell():
    net = Mlp(2, 3, 1)
    weights = net.trainable_params()
    x, y = sample((5, 2), 10), sample((5, 1), 11)

    def loss(x):
        return ((net(x) - Tensor(y)) ** 2).mean()

    def descent(rate):
        # What a small step gains is the rate times the square of the gradient.
        return sum(((g * g).sum() for g in ms.grad(loss, None, weights)(Tensor(x))), 0) * rate

    def in_jax(values, rate):
        grads = jax.grad(lambda v: ((of_mlp(v, x) - y) ** 2).mean())(values)
        return sum((g * g).sum() for g in grads) * rate

    by_rate, by_weight = ms.grad(descent, 0, weights)(Tensor(0.1))
    expected = jax.grad(in_jax, (0, 1))(raw(weights), 0.1)
    assert_close(by_weight, expected[0], 1e-4)
    assert_close(by_rate, expected[1], 1e-4)


def test_hessian_forms_agree():
    def f(x):
        return ops.exp(x.sum() * 0.3) + x[0] * x[1] ** 2

    def in_jax(x):
        return jnp.exp(x.sum() * 0.3) + x[0] * x[1] ** 2

    at, v = np.array([0.5, -1.0, 2.0], np.float32), np.array([1.0, 2.0, -1.0], np.float32)
    x, along = Tensor(at), Tensor(v)
    expected = jax.hessian(in_jax)(at)
    for make in (
        ms.jacfwd(ms.jacrev(f)),
        ms.jacrev(ms.jacfwd(f)),
        ms.jacrev(ms.jacrev(f)),
        ms.jacfwd(ms.grad(f)),
    ):
        assert_close(make(x), expected)
    assert_close(ms.grad(lambda x: (ms.grad(f)(x) * along).sum())(x), expected @ v)
    assert_close(ms.jvp(ms.grad(f), x, along)[1], expected @ v)
    assert_close(ms.vjp(ms.grad(f), x)[1](along), (expected @ v,))
    assert_close(ms.grad(lambda x: ms.jvp(f, x, along)[1])(x), expected @ v)


def test_fisher_vector_product_equals_the_explicit_matrix():
    net = Mlp(3, 4)
    x = sample((6, 3), 12)
    weight = net.layers[0].weight
    v = Tensor(sample(weight.shape, 13))

    def logits(w):
        return ops.dense(Tensor(x), w, net.layers[0].bias)

    z, dz = ms.jvp(logits, weight, v)
    p = ops.softmax(z, -1)
    curved = p * dz - p * (p * dz).sum(axis=1, keepdims=True)
    (found,) = ms.vjp(logits, weight)[1](curved)

    jacobian = ms.jacrev(logits)(weight).asnumpy().reshape(6, 4, -1)
    probabilities = p.asnumpy()
    fisher = sum(
        j.T @ (np.diag(q) - np.outer(q, q)) @ j
        for j, q in zip(jacobian, probabilities, strict=True)
    )
    assert_close(found.reshape(-1), fisher @ v.asnumpy().reshape(-1))


# A conditional random field against the sum over all paths


def test_crf_likelihood_equals_the_enumeration():
    tags, length = 3, 4
    transitions, emissions = sample((tags, tags), 14), sample((length, tags), 15)
    gold = [2, 0, 0, 1]

    def loss(emissions, transitions):
        alpha = emissions[0]
        score = emissions[0][gold[0]]
        for i in range(1, length):
            alpha = ops.logsumexp(alpha.expand_dims(1) + transitions, 0) + emissions[i]
            score += transitions[gold[i - 1]][gold[i]] + emissions[i, gold[i]]
        return ops.logsumexp(alpha, 0) - score

    def in_jax(emissions, transitions):
        def score(path):
            steps = sum(transitions[a, b] for a, b in itertools.pairwise(path))
            return steps + sum(emissions[i, tag] for i, tag in enumerate(path))

        paths = itertools.product(range(tags), repeat=length)
        return jax.nn.logsumexp(jnp.stack([score(p) for p in paths])) - score(gold)

    value, found = ms.value_and_grad(loss, (0, 1))(Tensor(emissions), Tensor(transitions))
    wanted, expected = jax.value_and_grad(in_jax, (0, 1))(emissions, transitions)
    assert_close(value, wanted)
    assert_close(found, expected)


# Surrogates and reversal


def test_surrogate_of_a_spike_trains_what_its_true_gradient_cannot():
    class Spike(nn.Cell):
        def construct(self, v):
            return (v > 0).astype(ms.float32)

        def bprop(self, v, out, dout):
            return (dout / (1 + v * v),)

    spike, w = Spike(), Parameter(Tensor([-1.0, 0.3]), name="w")
    x = Tensor(np.eye(2, dtype=np.float32))

    def loss(x, fire):
        return ((fire((x * w).sum(axis=1)) - Tensor([1.0, 0.0])) ** 2).sum()

    dead = ms.grad(loss, None, w)(x, lambda v: (v > 0).astype(ms.float32))
    assert not dead.asnumpy().any()
    optimizer = nn.SGD([w], 0.5)
    for _ in range(5):
        optimizer((ms.grad(loss, None, w)(x, spike),))
    assert float(loss(x, spike)) == 0


def test_reversal_lets_a_feature_forget_the_domain():
    feature, head = Parameter(Tensor([1.0]), name="f"), Parameter(Tensor([1.0]), name="h")
    reverse = ops.InsertGradientOf(lambda gradient: -gradient)

    def loss(x):
        return (head * reverse(feature * x) - 3).square().sum()

    by_feature, by_head = ms.grad(loss, None, [feature, head])(Tensor([2.0]))
    assert by_feature.asnumpy().tolist() == [4.0]
    assert by_head.asnumpy().tolist() == [-4.0]


# Writes, loops and recursion


def test_writes_in_a_loop_over_rows_and_columns():
    at = sample((3, 4), 16)

    def f(x):
        y = ops.zeros((3, 4), ms.float32)
        for i in range(3):
            y[i, ::2] = x[i, ::2] * (i + 1)
            y[i, 1::2] = y[i, ::2] * x[i, 1::2]
        y[x < 0] = 0.5
        y[:, 0] += x[:, 3]
        return (y * y).sum()

    def in_jax(x):
        rows = jnp.arange(1, 4)[:, None]
        even = x[:, ::2] * rows
        y = jnp.stack([even, even * x[:, 1::2]], 2).reshape(3, 4)
        y = jnp.where(x < 0, 0.5, y)
        return (y.at[:, 0].add(x[:, 3]) ** 2).sum()

    value, gradient = ms.value_and_grad(f)(Tensor(at))
    wanted, expected = jax.value_and_grad(in_jax)(at)
    assert_close(value, wanted)
    assert_close(gradient, expected)


def test_a_write_to_the_input_itself_is_differentiated_and_reaches_the_caller():
    def f(x):
        y = x * x
        x[0] = y[1]
        return x * y

    x = Tensor([2.0, 3.0])
    gradient = ms.grad(f)(x)
    # x0' x0^2 = x1^2 x0^2, and x1^3.
    assert gradient.asnumpy().tolist() == [36, 24 + 27]
    assert x.asnumpy().tolist() == [9, 3]


def test_second_order_through_writes():
    def f(x):
        y = x * 1
        for i in range(1, 3):
            y[i] = y[i - 1] * x[i]
        return y[2]

    x = Tensor([2.0, 3.0, 5.0])
    assert ms.jacfwd(ms.jacrev(f))(x).asnumpy().tolist() == [[0, 5, 3], [5, 0, 2], [3, 2, 0]]
    again = ms.grad(lambda x: ms.grad(f)(x)[0])(x)
    assert again.asnumpy().tolist() == [0, 5, 3]


def test_scatter_and_gather_are_transposes():
    index = np.array([2, 0, 2, 1])
    x, v = sample((3, 2), 17), sample((4, 2), 18)
    where = Tensor(index, ms.int32)
    by_gather = ms.grad(lambda x: (ops.gather(x, where, 0) * Tensor(v)).sum())(Tensor(x))
    scattered = ops.scatter_nd(where.expand_dims(1), Tensor(v), (3, 2))
    assert_close(by_gather, scattered.asnumpy())
    expected = np.zeros_like(x)
    np.add.at(expected, index, v)
    assert_close(scattered, expected)


def test_a_while_loop_differentiated_to_third_order():
    def root(x):
        y = x
        while ops.abs(y * y - x).max() > 1e-3:
            y = 0.5 * (y + x / y)
        return y + 0.5 * (x / y - y)

    derivative = root
    x = np.array([2.0, 5.0], np.float32)
    for expected in (0.5 * x**-0.5, -0.25 * x**-1.5, 0.375 * x**-2.5):
        derivative = ms.grad(derivative)
        assert_close(derivative(Tensor(x)), expected, 2e-3)


def test_recursion_over_a_tree():
    leaf = Parameter(Tensor([0.5, -0.25]), name="leaf")

    def depth(tree):
        return 0 if tree == () else 1 + max(map(depth, tree))

    def embed(tree, w):
        if not tree:
            return leaf
        children = [embed(child, w) for child in tree]
        return ops.tanh(sum(children[1:], children[0]) * w + depth(tree))

    def in_jax(tree, w, leaf):
        if not tree:
            return leaf
        return jnp.tanh(sum(in_jax(child, w, leaf) for child in tree) * w + depth(tree))

    tree = ((), ((), ((),)), ())
    w = np.array([0.3, 0.7], np.float32)
    found = ms.grad(lambda w: embed(tree, w), 0, [leaf])(Tensor(w))
    expected = jax.grad(lambda w, leaf: in_jax(tree, w, leaf).sum(), (0, 1))(
        w, jnp.array([0.5, -0.25])
    )
    assert_close((found[0], found[1][0]), expected)


def test_deep_recursion_is_bounded_by_python_alone():
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    assert_close(ms.grad(lambda x: power(x, 150))(Tensor([1.001])), [150 * 1.001**149], 1e-4)
