"""vmap, Jacobians, recompute and no_grad where the recordings do not reach."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.engine import is_tracer


@pytest.fixture
def x():
    return Tensor(np.arange(8, dtype=np.float32).reshape(4, 2))


def test_vmap_of_a_cell_list_runs_every_cell(x):
    cells = nn.CellList([nn.Dense(2, 3), nn.Dense(2, 3)])
    shared = ms.vmap(cells, None)(x)
    for out, cell in zip(shared.asnumpy(), cells, strict=True):
        np.testing.assert_allclose(out, cell(x).asnumpy(), rtol=1e-6)
    assert ms.vmap(cells)(ops.stack([x, x])).shape == (2, 4, 3)


def test_vmap_refuses_a_parameter_that_differs_between_examples(x):
    weight = Parameter(Tensor([1.0, 1.0]), name="w")

    def writes(row):
        ops.assign(weight, row)
        return row * 2

    with pytest.raises(RuntimeError, match="differ between examples"):
        ms.vmap(writes)(x)
    assert weight.asnumpy().tolist() == [1, 1]


def test_vmap_commits_a_parameter_that_is_the_same_for_all(x):
    weight = Parameter(Tensor([1.0, 1.0]), name="w")

    def writes(row):
        ops.assign_add(weight, Tensor([1.0, 1.0]))
        return row * weight

    np.testing.assert_allclose(ms.vmap(writes)(x).asnumpy(), 2 * x.asnumpy())
    assert weight.asnumpy().tolist() == [2, 2]


def test_vmap_leaves_batched_values_of_what_was_kept(x):
    kept = []
    ms.vmap(lambda row: kept.append(row * 2) or row.sum())(x)
    assert not is_tracer(kept[0]._data)
    np.testing.assert_allclose(kept[0].asnumpy(), 2 * x.asnumpy())


def test_a_value_asked_for_under_vmap_says_what_to_do(x):
    with pytest.raises(RuntimeError, match=r"ops\.where"):
        ms.vmap(lambda row: row if row.sum() > 1 else row * 2)(x)


def test_jacrev_goes_row_by_row_where_a_backward_function_looks_at_values():
    clip = ops.InsertGradientOf(lambda g: g * 2 if g.sum() > 0.5 else g)

    def fn(x):
        return clip(x) * Tensor([1.0, 0.25])

    with pytest.warns(UserWarning, match="one by one"):
        jacobian = ms.jacrev(fn)(Tensor([1.0, 2.0]))
    assert jacobian.asnumpy().tolist() == [[2.0, 0.0], [0.0, 0.25]]


def test_recompute_gives_the_same_gradients_and_commits_state():
    class Counted(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 2)
            self.calls = Parameter(Tensor(0.0), name="calls", requires_grad=False)

        def construct(self, x):
            ops.assign_add(self.calls, Tensor(1.0))
            self.seen = ops.tanh(self.dense(x))
            return self.seen * x

    net = Counted()
    x = Tensor([[1.0, 2.0]])
    weights = net.trainable_params()
    plain = ms.grad(net, 0, weights)(x)
    net.recompute()
    again = ms.grad(net, 0, weights)(x)
    np.testing.assert_allclose(plain[0].asnumpy(), again[0].asnumpy(), rtol=1e-6)
    for one, other in zip(plain[1], again[1], strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)
    assert float(net.calls) == 2
    assert not is_tracer(net.seen._data)


def test_recompute_really_computes_again():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Tanh())
    x = jnp.ones((1, 2))

    def program():
        # A new function each time: JAX remembers what it traced for one it has seen.
        return str(jax.make_jaxpr(lambda raw: ms.grad(net)(Tensor(raw))._read())(x))

    assert "remat" not in program()
    net.recompute()
    assert "remat" in program()


def test_recompute_of_a_block_that_looks_at_values_warns_and_runs():
    class Looks(nn.Cell):
        def construct(self, x):
            return x * 2 if x.sum() > 0 else x

    net = Looks()
    with pytest.warns(UserWarning, match="keeps the activations"):
        grad = ms.grad(lambda x: ms.recompute(net, x))(Tensor([1.0]))
    assert grad.asnumpy().tolist() == [2]


def test_no_grad_stops_the_gradient_of_a_block():
    def fn(x):
        with ms._no_grad():
            factor = x * 3
        return (x * factor).sum()

    assert ms.grad(fn)(Tensor([1.0, 2.0])).asnumpy().tolist() == [3, 6]


class TestCompiledUnderNestedVmap:
    weight = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")
    functions = {
        "plain": lambda x: x * 2,
        "state": lambda x: x * TestCompiledUnderNestedVmap.weight,
        "sum": lambda x: (x * x).sum(),
        "gradient": ms.grad(lambda x: (x * x * TestCompiledUnderNestedVmap.weight).sum()),
        "second": ms.grad(lambda x: ms.grad(lambda x: (x * x * x).sum())(x).sum()),
        "vjp": lambda x: ms.vjp(lambda x: x * x, x)[1](x)[0],
        "new": lambda x: x + Tensor([1.0, 2.0, 3.0]),
    }
    nestings = {
        "inside": lambda f: ms.vmap(ms.vmap(ms.jit(f))),
        "between": lambda f: ms.vmap(ms.jit(ms.vmap(f))),
        "outside": lambda f: ms.jit(ms.vmap(ms.vmap(f))),
        "everywhere": lambda f: ms.jit(ms.vmap(ms.jit(ms.vmap(ms.jit(f))))),
    }

    @pytest.mark.parametrize("nest", nestings.values(), ids=list(nestings))
    @pytest.mark.parametrize("function", functions.values(), ids=list(functions))
    def test_at_changing_sizes(self, function, nest):
        run = nest(function)
        for rows, columns in ((2, 4), (3, 4), (2, 5), (2, 4)):
            x = Tensor(np.arange(rows * columns * 3, dtype=np.float32).reshape(rows, columns, 3))
            want = [[function(row).asnumpy() for row in rows_of_x] for rows_of_x in x]
            np.testing.assert_allclose(run(x).asnumpy(), np.array(want), rtol=1e-6)
