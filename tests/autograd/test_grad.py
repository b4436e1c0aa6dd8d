"""What the parity recordings cannot show: callables MindSpore refuses, JAX inside, recompiles."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.op import Operator


@pytest.fixture
def x():
    return Tensor([1.0, 2.0])


class Callable:
    def __call__(self, x):
        return (x * x).sum()

    def method(self, x):
        return (x * 3).sum()


@pytest.mark.parametrize(
    ("fn", "expected"),
    [
        (Callable(), [2, 4]),
        (Callable().method, [3, 3]),
        (functools.partial(lambda a, x: (a * x).sum(), 5.0), [5, 5]),
        (lambda x: (x * 7).sum(), [7, 7]),
        (ops.Exp(), np.exp([1, 2])),
    ],
)
def test_any_callable_is_differentiated(fn, expected, x):
    np.testing.assert_allclose(ms.grad(fn)(x).asnumpy(), expected, rtol=1e-6)


def test_jnp_functions_inside(x):
    def f(x):
        return jnp.sum(jnp.sin(x)) * x.sum()

    expected = jax.grad(lambda v: jnp.sum(jnp.sin(v)) * v.sum())(jnp.array([1.0, 2.0]))
    np.testing.assert_allclose(ms.grad(f)(x).asnumpy(), expected, rtol=1e-6)


def test_raw_arrays_as_output(x):
    assert ms.grad(lambda x: jnp.sum(x * 2))(x).asnumpy().tolist() == [2, 2]


def test_grad_returns_plain_function_named_as_in_mindspore(x):
    assert ms.grad(Callable()).__name__ == "after_grad"
    assert ms.value_and_grad(Callable()).__name__ == "after_grad"


def test_kernels_are_traced_once_per_shape():
    traces = []

    def kernel(x: "Array"):  # noqa: F821
        traces.append(x.shape)
        return x * 2

    double = Operator(kernel, "Double", int_grad=False, view=False, autocast=True, product=False)
    for size in (2, 2, 3, 2):
        double(Tensor(np.ones(size, np.float32)))
    assert traces == [(2,), (3,)]


def test_python_scalars_do_not_recompile(x):
    def programs(call):
        # A call may stand before it that runs by NumPy.
        return getattr(call, "jitted", call)._cache_size()

    ops.mul(x, 1.0)
    compiled = sum(programs(f) for f in ops.mul._compiled.values())
    for value in (0.5, 1.5, 2.5, 3.5):
        x * value
    assert sum(programs(f) for f in ops.mul._compiled.values()) <= compiled + 1


def test_a_cell_trains_with_a_plain_optax_loop_on_its_flax_state():
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 1))
    graph, state = nnx.split(net, nnx.Param)
    data = jnp.array(np.random.default_rng(0).normal(size=(16, 3)), jnp.float32)
    target = data.sum(axis=1, keepdims=True)
    optimizer = optax.adam(1e-2)
    moments = optimizer.init(state)

    @jax.jit
    def step(state, moments):
        def loss(state):
            return jnp.mean((jnp.asarray(nnx.merge(graph, state)(data)) - target) ** 2)

        value, grads = jax.value_and_grad(loss)(state)
        updates, moments = optimizer.update(grads, moments)
        return optax.apply_updates(state, updates), moments, value

    losses = []
    for _ in range(100):
        state, moments, value = step(state, moments)
        losses.append(float(value))
    assert losses[-1] < losses[0] / 5


def test_a_cell_inside_an_nnx_model_trains():
    class Model(nnx.Module):
        def __init__(self):
            self.cell = nn.Dense(3, 4)
            self.head = nnx.Linear(4, 1, rngs=nnx.Rngs(0))

        def __call__(self, x):
            return self.head(jnp.asarray(self.cell(x)))

    model = Model()
    optimizer = nnx.Optimizer(model, optax.sgd(0.05), wrt=nnx.Param)

    @nnx.jit
    def step(model, optimizer, x):
        loss, grads = nnx.value_and_grad(lambda m: ((m(x) - 1) ** 2).mean())(model)
        optimizer.update(model, grads)
        return loss

    x = jnp.ones((2, 3))
    before = model.cell.weight.asnumpy()
    losses = [float(step(model, optimizer, x)) for _ in range(20)]
    assert losses[-1] < losses[0] / 10
    assert isinstance(model.cell.weight, Parameter)
    assert not np.array_equal(before, model.cell.weight.asnumpy())


def test_an_nnx_layer_inside_a_cell_trains_with_a_mindspore_optimizer():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = nnx.Linear(3, 4, rngs=nnx.Rngs(0))
            self.head = nn.Dense(4, 1)

        def construct(self, x):
            return self.head(ops.tanh(self.inner(x)))

    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    assert "inner.kernel" in [p.name for p in optimizer.parameters]
    x = Tensor(np.ones((2, 3), np.float32))
    step = ms.value_and_grad(lambda x: ((net(x) - 1) ** 2).mean(), None, optimizer.parameters)
    before = net.inner.kernel.asnumpy()
    losses = []
    for _ in range(30):
        loss, grads = step(x)
        optimizer(grads)
        losses.append(float(loss))
    assert losses[-1] < losses[0] / 10
    assert not np.array_equal(before, net.inner.kernel.asnumpy())


def test_no_grad_of_a_recursive_function_ends_with_its_last_call():
    @ms._no_grad()
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    x = Tensor([2.0])
    assert float(ms.grad(lambda x: power(x, 3) * x)(x)) == 8.0
    assert float(ms.grad(lambda x: x * x)(x)) == 4.0


def test_no_grad_entered_twice():
    quiet = ms._no_grad()
    with quiet:
        with quiet:
            pass
        with pytest.raises(RuntimeError, match="no_grad"):
            ms.grad(lambda x: x * x)(Tensor([2.0]))
    assert float(ms.grad(lambda x: x * x)(Tensor([2.0]))) == 4.0


def test_raw_arrays_where_a_gradient_is_asked_for_count_as_tensors(x):
    raw = jnp.array([3.0, 4.0])
    for other in (raw, Tensor(raw)):
        value, gradients = ms.value_and_grad(lambda a, b: (a * b).sum(), (0, 1))(x, other)
        assert value == 11
        assert [g.asnumpy().tolist() for g in gradients] == [[3, 4], [1, 2]]
    assert ms.grad(lambda a, b: (a * b).sum(), 1)(x, b=raw).asnumpy().tolist() == [1, 2]
    assert ops.GradOperation()(lambda a: (a * a).sum())(raw).asnumpy().tolist() == [6, 8]
    assert jax.jit(ms.grad(lambda a: (a * a).sum()))(raw).asnumpy().tolist() == [6, 8]
    assert ms.vmap(lambda a, b: a * b.sum())(x, jnp.ones((2, 3))).asnumpy().tolist() == [3, 6]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_keys_and_other_raw_arrays_are_passed_on_as_they_are(x, mode):
    class Noisy(nn.Cell):
        def construct(self, x, key):
            return x * jax.random.uniform(key, x.shape)

    ms.set_context(mode=mode)
    key = jax.random.key(0)
    expected = jax.random.uniform(key, (2,))
    np.testing.assert_array_equal(Noisy()(x, key).asnumpy(), x.asnumpy() * expected)
    np.testing.assert_array_equal(ms.grad(Noisy())(x, key).asnumpy(), expected)
    indices = jnp.array([1, 0])
    picked = ms.grad(lambda a, i: a[0] * jnp.ones(2).at[i].set(3.0)[0], 0)(x, indices)
    assert picked.asnumpy().tolist() == [3, 0]


TRANSFORMS = {
    "jit": jax.jit,
    "checkpoint": jax.checkpoint,
    "vmap": jax.vmap,
    "scan": lambda fn: lambda x: jax.lax.scan(lambda _, row: (0, fn(row)), 0, x)[1],
    "cond": lambda fn: lambda x: jax.lax.cond(True, fn, lambda x: x, x),
    "jvp": lambda fn: lambda x: jax.jvp(fn, (x,), (x,))[0],
    "vjp": lambda fn: lambda x: jax.vjp(fn, x)[0],
}


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_a_transform_of_jax_inside_of_ms_jit(transform):
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])

    def squared(x):
        return TRANSFORMS[transform](lambda x: x * x)(x)

    for function in (squared, ms.jit(squared)):
        assert function(x).asnumpy().tolist() == [[1, 4], [9, 16]]
        assert (function(x + 1) - function(x)).asnumpy().tolist() == [[3, 5], [7, 9]]
    gradient = ms.jit(ms.grad(lambda x: squared(x).sum()))
    assert gradient(x).asnumpy().tolist() == [[2, 4], [6, 8]]
