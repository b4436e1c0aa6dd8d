"""``functionalize``: steps as pure functions, bit for bit those of ``ms.jit``, and back."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, interop, nn, ops

Batch = Callable[[int], tuple[Tensor, ...]]
NAMES = ["lenet", "lstm", "gan", "vae", "transformer"]


def numbers(*shape: int) -> Batch:
    def batch(step: int) -> tuple[Tensor, ...]:
        rng = np.random.default_rng(step)
        x = Tensor(rng.normal(size=shape).astype(np.float32))
        return x, Tensor(rng.integers(0, 2, shape[0]).astype(np.int32))

    return batch


class Mlp(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dropout(p=0.2))
        self.head = nn.Dense(8, 2)

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.layers(x))


class Residual(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3, has_bias=False)
        self.norm = nn.BatchNorm2d(4)
        self.conv = nn.Conv2d(4, 4, 3)
        self.head = nn.Dense(4, 2)

    def construct(self, x: Tensor) -> Tensor:
        x = ops.relu(self.norm(self.stem(x)))
        return self.head(ops.relu(x + self.conv(x)).mean((2, 3)))


class Accumulating(nn.Cell):
    """Gradients of two batches make a step."""

    def __init__(self, net: nn.Cell, loss: nn.Cell) -> None:
        super().__init__()
        self.optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        self.sums = self.optimizer.parameters.clone("sums", init="zeros")
        self.count = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)
        self.run = ms.value_and_grad(lambda x, y: loss(net(x), y), None, self.optimizer.parameters)

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        value, gradients = self.run(x, y)
        for total, each in zip(self.sums, gradients, strict=True):
            ops.assign_add(total, each)
        ops.assign_add(self.count, Tensor(1, ms.int32))
        if self.count % 2 == 0:
            self.optimizer(tuple(total / 2 for total in self.sums))
            for total in self.sums:
                ops.assign(total, ops.zeros_like(total))
        return value


def pinn() -> tuple[Callable[..., Any], Batch]:
    """``u'' = -u`` at points."""
    net = nn.SequentialCell(nn.Dense(1, 8), nn.Tanh(), nn.Dense(8, 1))
    optimizer = nn.Adam(net.trainable_params(), 1e-2)
    slope = ms.grad(lambda x: net(x).sum())
    bend = ms.grad(lambda x: slope(x).sum())
    run = ms.value_and_grad(lambda x: ((bend(x) + net(x)) ** 2).mean(), None, optimizer.parameters)

    def step(x: Tensor) -> Tensor:
        value, gradients = run(x)
        optimizer(gradients)
        return value

    return step, lambda number: numbers(6, 1)(number)[:1]


def with_loss(net: nn.Cell) -> nn.Cell:
    return nn.WithLossCell(net, nn.CrossEntropyLoss())


def scaled() -> tuple[Callable[..., Any], Batch]:
    net = with_loss(Mlp())
    optimizer = nn.Adam(net.trainable_params(), 1e-2)
    manager = nn.DynamicLossScaleUpdateCell(2.0**130, 2, 3)
    return nn.TrainOneStepWithLossScaleCell(net, optimizer, manager), numbers(4, 4)


def residual() -> tuple[Callable[..., Any], Batch]:
    net = Residual()
    optimizer = nn.SGD(net.trainable_params(), 0.1, momentum=0.9, weight_decay=1e-4)
    return nn.TrainOneStepCell(with_loss(net.set_train()), optimizer).set_train(), numbers(
        2, 1, 6, 6
    )


class Loss(ms.train.Callback):
    def on_train_step_end(self, run_context: Any) -> None:
        self.value = run_context.original_args().net_outputs


class Trained:
    """A Model in GRAPH_MODE; called with a batch, it trains on that one."""

    def __init__(self) -> None:
        ms.set_context(mode=ms.GRAPH_MODE)
        net = Mlp()
        rates = nn.exponential_decay_lr(0.1, 0.9, 20, 1, 2)
        optimizer = nn.Adagrad(net.trainable_params(), learning_rate=rates)
        self.model = ms.Model(net, nn.CrossEntropyLoss(), optimizer)
        # As train finds it from its second step on.
        self.model.train_network.set_train()
        self.loss = Loss()

    def __call__(self, x: Tensor, y: Tensor) -> Tensor:
        rows = ms.dataset.GeneratorDataset([(x.asnumpy(), y.asnumpy())], ["x", "y"])
        self.model.train(1, rows, callbacks=[self.loss], dataset_sink_mode=False)
        return self.loss.value


OWN: dict[str, Callable[[], tuple[Callable[..., Any], Batch]]] = {
    "pinn": pinn,
    "residual": residual,
    "loss_scale": scaled,
    "accumulating": lambda: (Accumulating(Mlp(), nn.CrossEntropyLoss()), numbers(4, 4)),
    "graph_mode": lambda: (Trained(), numbers(4, 4)),
}


def program_of(name: str) -> tuple[Callable[..., Any], Batch]:
    if name in OWN:
        return OWN[name]()
    ms.install()
    program = importlib.import_module("tests.models.models").PROGRAMS[name]()
    return program.step, program.batch


def equal(one: Any, other: Any) -> bool:
    """Whether two trees have the same bits."""
    leaves = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(np.asarray(a).tobytes() == np.asarray(b).tobytes() for a, b in leaves)


@pytest.mark.parametrize("name", [*NAMES, *OWN])
def test_ten_programs_go_out_and_come_back_bit_for_bit(name):
    step, batch = program_of(name)
    if isinstance(step, Trained):
        whole_step = step.model.train_network
    elif isinstance(step, nn.Cell):
        ms.set_context(mode=ms.GRAPH_MODE)
        whole_step = step
    else:
        whole_step = step = ms.jit(step)
    pure, start = interop.functionalize(whole_step, *batch(0))

    def run(count: int, first: int) -> list[Any]:
        return [jax.tree.map(np.array, step(*batch(first + i))) for i in range(count)]

    whole = run(15, 0)
    end = interop.functionalize(whole_step, *batch(0))[1]
    interop.restore(start)
    parts = run(5, 0)
    _, state = interop.functionalize(whole_step, *batch(0))
    pure = jax.jit(pure, donate_argnums=0)
    for i in range(5, 10):
        outputs, state = pure(state, *batch(i))
        parts.append(outputs)
    interop.restore(state)
    parts += run(5, 10)
    assert equal(whole, parts)
    assert equal(end, interop.functionalize(whole_step, *batch(0))[1])
    assert not equal(start, end)


def step_of(net: nn.Cell) -> nn.Cell:
    return nn.TrainOneStepCell(with_loss(net), nn.Momentum(net.trainable_params(), 0.1, 0.9))


def test_transforms_of_jax_go_over_it():
    batch = numbers(4, 4)
    fn, state = interop.functionalize(step_of(Mlp().set_train()), *batch(0))
    inputs = [
        jnp.stack(parts)
        for parts in zip(*[[t.asnumpy() for t in batch(i)] for i in range(3)], strict=True)
    ]
    singly, losses = state, []
    for i in range(3):
        loss, singly = jax.jit(fn)(singly, *[part[i] for part in inputs])
        losses.append(loss)
    last, scanned = jax.lax.scan(lambda s, xs: fn(s, *xs)[::-1], state, inputs)[::-1]
    for one, other in ((jnp.stack(losses), last), (dict(singly), dict(scanned))):
        jax.tree.map(
            lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6), one, other
        )
    mapped, states = jax.vmap(fn, in_axes=(None, 0, 0))(state, *inputs)
    assert mapped.shape == (3,) and states["head.weight"].shape == (3, 2, 8)
    assert mapped[0] == pytest.approx(losses[0])

    weights = {name: state[name] for name in ("head.weight", "head.bias")}
    forward, _ = interop.functionalize(with_loss(Mlp()), *batch(0))
    rest = dict(interop.functionalize(with_loss(Mlp()), *batch(0))[1])
    loss = lambda weights: jax.checkpoint(forward)({**rest, **weights}, *batch(0))[0]
    gradients = jax.grad(loss)(weights)
    assert {k: v.shape for k, v in gradients.items()} == {k: v.shape for k, v in weights.items()}
    assert all(np.any(np.asarray(v)) for v in gradients.values())


def test_a_state_is_a_pytree_with_mindspores_names():
    ms.set_seed(1)
    net = Mlp().set_train()
    _, state = interop.functionalize(step_of(net), *numbers(4, 4)(0))
    assert {p.name for p in net.get_parameters()} < set(state)
    assert {"moments.head.weight", "learning_rate"} < set(state)
    assert any(name.startswith("random_state.dropout.") for name in state)
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(state)]
    assert "['head.weight']" in paths
    # Its arrays are its own: giving them away leaves the network as it is.
    state["head.weight"].delete()
    assert net.head.weight.asnumpy().shape == (2, 8)


def test_a_state_from_elsewhere():
    net = Mlp()
    _, state = interop.functionalize(net, numbers(4, 4)(0)[0])
    arrays = {name: np.asarray(value) * 0 + 3 for name, value in state.items()}
    interop.restore(state.with_arrays(arrays))
    assert net.head.bias.asnumpy().tolist() == [3, 3]
    before = net.head.bias.asnumpy()
    with pytest.raises(ValueError, match=r"'head.weight' must be an array \(2, 8\)"):
        interop.restore(state.with_arrays({**arrays, "head.weight": np.zeros(3)}))
    with pytest.raises(TypeError, match="got dict"):
        interop.restore(arrays)
    np.testing.assert_array_equal(net.head.bias.asnumpy(), before)


def test_arguments_are_held_to_the_example():
    fn, state = interop.functionalize(
        lambda x, n, more: (x * n, more["y"] + 1), Tensor([1.0, 2.0]), 3, {"y": np.ones(2)}
    )
    (product, more), _ = fn(state, np.float32([1, 1]), 3, {"y": jnp.ones(2)})
    assert product.tolist() == [3, 3] and more.tolist() == [2, 2]
    with pytest.raises(ValueError, match="functionalize again"):
        fn(state, np.float32([1, 1, 1]), 3, {"y": jnp.ones(2)})
    with pytest.raises(ValueError, match="3 is a constant of this function, but got 4"):
        fn(state, np.float32([1, 1]), 4, {"y": jnp.ones(2)})
    with pytest.raises(ValueError, match="names"):
        fn({"w": 1}, np.float32([1, 1]), 3, {"y": jnp.ones(2)})


class Keeps(nn.Cell):
    """Keeps what it is told to, in a way that no pure function has."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how, self.calls, self.last, self.all = how, 0, None, []

    def construct(self, x: Tensor) -> Tensor:
        if self.how == "number":
            self.calls += 1
        elif self.how == "tensor":
            self.last = x * 2
        elif self.how == "list":
            self.all.append(x * 2)
        elif self.how == "value":
            return x * float(x.asnumpy().sum())
        else:
            x[0] = 1
        return x


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("number", r"\['calls'\]"),
        ("tensor", r"\['last'\].*call it once before"),
        ("list", "list"),
        ("value", r"test_functional.py:\d+: return x \* float"),
        ("argument", "writes into an argument"),
    ],
)
def test_what_is_not_pure_says_where(how, says):
    cell = Keeps(how)
    with pytest.raises(NotImplementedError, match=says):
        interop.functionalize(cell, Tensor([1.0, 2.0]))
    assert (cell.calls, cell.last, cell.all) == (0, None, [])


def test_a_tensor_kept_on_a_cell_is_state():
    cell = Keeps("tensor")
    cell(Tensor([1.0, 2.0]))
    fn, state = interop.functionalize(cell, Tensor([1.0, 2.0]))
    assert list(state) == ["last"]
    _, state = fn(state, np.float32([5, 6]))
    interop.restore(state)
    assert cell.last.asnumpy().tolist() == [10, 12]


def trained_by(cell: nn.Cell) -> Callable[[Any], Any]:
    optimizer = nn.Momentum(cell.trainable_params(), 0.1, 0.9)
    gradient = ms.value_and_grad(lambda x: (cell(x) ** 2).mean(), None, optimizer.parameters)

    def step(x: Any) -> Any:
        loss, grads = gradient(Tensor(x))
        optimizer(grads)
        return loss

    return step


WRITES: dict[str, Callable[[nn.Cell], Callable[[Any], Any]]] = {
    "statistics": lambda cell: cell,
    "statistics_in_a_gradient": lambda cell: ms.grad(lambda x: cell(Tensor(x)).sum()),
    "step": trained_by,
    "compiled_step": lambda cell: ms.jit(trained_by(cell)),
    "assign": lambda cell: lambda x: ops.assign(cell[0].weight, cell[0].weight * x.sum()),
    "random": lambda cell: lambda x: ops.standard_normal((2,)) + x.sum(),
    "random_in_a_gradient": lambda cell: ms.grad(lambda x: nn.Dropout(p=0.5).set_train()(x).sum()),
}


@pytest.mark.parametrize("transform", [jax.jit, lambda f: lambda x: jax.lax.map(f, x[None])])
@pytest.mark.parametrize("write", WRITES)
def test_state_written_in_a_transform_of_jax_stays_as_it_was(write, transform):
    cell = nn.SequentialCell(nn.Dense(4, 2), nn.BatchNorm1d(2)).set_train()
    x = np.ones((3, 4), np.float32)
    step = WRITES[write](cell)
    before = [p.asnumpy() for p in cell.get_parameters()], ms.get_rng_state().asnumpy()
    with pytest.raises(RuntimeError, match="functionalize"):
        transform(step)(x)
    after = [p.asnumpy() for p in cell.get_parameters()], ms.get_rng_state().asnumpy()
    jax.tree.map(np.testing.assert_array_equal, before, after)
    step(Tensor(x))  # goes on outside


def test_a_cell_made_in_a_transform_of_jax_may_be_written_there():
    def statistics(x: Any) -> Any:
        layer = nn.BatchNorm1d(4).set_train()
        layer(Tensor(x))
        return layer.moving_mean

    assert jax.jit(statistics)(np.full((3, 4), 2.0, np.float32)).shape == (4,)
