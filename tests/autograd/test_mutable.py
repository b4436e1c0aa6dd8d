"""``mutable``: what is an input of a compiled call, and how often it is compiled."""

from __future__ import annotations

import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, mutable, nn, ops


def x() -> Tensor:
    return Tensor([1.0, 2.0], ms.float32)


class TestNumbers:
    @pytest.mark.parametrize("values", [(1, 5, -3, 2**40), (0.5, 2.5, -1.0), (True, False)])
    def test_one_program_for_all_values(self, values):
        @ms.jit
        def run(a, n):
            return a * n, n + 1, n

        for value in values:
            product, more, same = run(x(), mutable(value))
            np.testing.assert_allclose(product.asnumpy(), np.array([1.0, 2.0]) * value, rtol=1e-6)
            assert more == pytest.approx(value + 1)
            assert type(more) is type(value + 1)
            assert same == value
        assert run.stats.compiles == 1
        assert not run.stats.fallbacks

    def test_members_of_containers_too(self):
        @ms.jit
        def run(t):
            return t["a"][0] * t["a"][1]

        for n in range(5):
            assert run(mutable({"a": (n, 2.0)})) == n * 2.0
        assert run.stats.compiles == 1

    def test_a_number_of_another_kind_is_another_program(self):
        run = ms.jit(lambda n: n * 2)
        assert [run(mutable(v)) for v in (3, 3.5, True)] == [6, 7.0, 2]
        assert run.stats.compiles == 3
        assert [run(mutable(v)) for v in (4, 4.5, False)] == [8, 9.0, 0]
        assert run.stats.compiles == 3

    def test_in_graph_mode(self):
        class Scaled(nn.Cell):
            def construct(self, a, n):
                return a * n if n > 2 else a - n

        net = Scaled()
        ms.set_context(mode=ms.GRAPH_MODE)
        found = [net(x(), mutable(n)).asnumpy().tolist() for n in (1, 3, 2, 4)]
        assert found == [[0.0, 1.0], [3.0, 6.0], [-1.0, 0.0], [4.0, 8.0]]
        assert ms.jit_stats()[Scaled.__qualname__].compiles == 1

    def test_where_python_needs_it_each_value_is_right(self):
        @ms.jit
        def run(a, n):
            for _ in range(n):
                a = a * 2
            return a.sum(axis=n - n)

        with pytest.warns(UserWarning, match="runs as plain Python"):
            assert float(run(x(), mutable(1))) == 6.0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert [float(run(x(), mutable(n))) for n in (2, 3, 0)] == [12.0, 24.0, 3.0]

    def test_an_operator_that_takes_python_numbers_only(self):
        run = ms.jit(lambda a, n: ops.one_hot(a, n, Tensor(1.0), Tensor(0.0)))
        with pytest.warns(UserWarning, match="runs as plain Python"):
            assert run(Tensor([0, 1], ms.int32), mutable(2)).shape == (2, 2)
        assert run(Tensor([0, 1], ms.int32), mutable(4)).shape == (2, 4)

    def test_an_error_of_the_function_is_raised(self):
        @ms.jit
        def run(n):
            raise KeyError(n)

        with pytest.warns(UserWarning, match="KeyError|runs"), pytest.raises(KeyError):
            run(mutable(1))

    def test_inside_an_eager_gradient(self):
        run = ms.jit(lambda a, n: a * n)
        for n in (2, 3):
            gradient = ms.grad(run)(x(), mutable(n))
            assert gradient.asnumpy().tolist() == [n, n]
        assert run.stats.compiles == 1

    def test_kept_on_a_cell_it_is_a_value(self):
        class Keeps(nn.Cell):
            def construct(self, a, n):
                self.last = a * n
                return a

        net = ms.jit(Keeps())
        for n in (2, 3):
            net(x(), mutable(n))
            assert net.last.asnumpy().tolist() == [n, 2.0 * n]

    def test_fused_steps_take_their_values(self):
        run = ms.jit(lambda a, n: (a * n).sum())
        assert [float(run(x(), mutable(n))) for n in (1, 2)] == [3.0, 6.0]


class TestContainers:
    def test_a_changed_tensor_is_no_new_program(self):
        run = ms.jit(lambda t: ms.grad(lambda u: u[0] * u[1])(t))
        for scale in (1.0, 2.0, 3.0):
            left, right = run(mutable((x() * scale, x())))
            assert left.asnumpy().tolist() == [1.0, 2.0]
            assert right.asnumpy().tolist() == [scale, 2 * scale]
        assert run.stats.compiles == 1

    def test_plain_and_mutable_are_programs_of_their_own(self):
        run = ms.jit(lambda t: ms.grad(lambda u: u[0] * u[0])(t))
        assert run((x(),)) == ()
        assert len(run(mutable((x(),)))) == 1
        assert run((x(),)) == ()
        assert run.stats.compiles == 2

    def test_where_the_call_runs_as_plain_python(self):
        @ms.jit
        def run(t):
            t[0].asnumpy()
            return ms.grad(lambda u: u[0] * u[1])(t), ops.isconstant(t)

        with pytest.warns(UserWarning, match="runs as plain Python"):
            gradients, constant = run(mutable((x(), 3.0)))
        assert gradients[0].asnumpy().tolist() == [3.0, 3.0]
        assert (gradients[1], constant) == (0.0, False)
        # For the same reason, which is not said again.
        assert run((x(), 3.0)) == ((), True)

    def test_second_order(self):
        def cubes(t):
            return (t[0] ** 3 * t[1]).sum()

        run = ms.jit(lambda t: ms.grad(lambda u: ms.grad(cubes)(u)[0].sum())(t))
        twice, mixed = run(mutable((x(), x())))
        np.testing.assert_allclose(twice.asnumpy(), [6.0, 24.0])
        np.testing.assert_allclose(mixed.asnumpy(), [3.0, 12.0])

    def test_eager_calls_stay_eager(self):
        assert ms.grad(lambda t: t[0] * t[0])(mutable((x(),))) == ()
        assert ops.isconstant(mutable((x(),)))

    def test_nothing_is_left_after_an_error(self):
        @ms.jit
        def run(t):
            raise KeyError("no")

        with pytest.raises(KeyError):
            run((x(),))
        assert ms.grad(lambda t: t * t)(x()).asnumpy().tolist() == [2.0, 4.0]
        assert ops.isconstant(mutable(3))


class TestConstArg:
    def test_one_program_for_each_value(self):
        run = ms.jit(lambda a, t: a.reshape(tuple(t.asnumpy().tolist())))
        a = Tensor(np.arange(6, dtype=np.float32))
        for shape in ([2, 3], [3, 2], [2, 3]):
            assert run(a, Tensor(shape, const_arg=True)).shape == tuple(shape)
        assert run.stats.compiles == 2
        assert not run.stats.fallbacks

    def test_a_value_changed_in_place_is_seen(self):
        run = ms.jit(lambda t: t * 2)
        const = Tensor([1.0], const_arg=True)
        assert float(run(const)) == 2.0
        const.assign_value(Tensor([5.0]))
        assert float(run(const)) == 10.0

    def test_it_may_be_written(self):
        @ms.jit
        def run(t):
            t[0] = t[0] + 1
            return t * 2

        const = Tensor([1.0], const_arg=True)
        assert [float(run(const)) for _ in range(3)] == [4.0, 6.0, 8.0]
        assert float(const) == 4.0

    def test_under_jax_transforms(self):
        const = Tensor([2.0], const_arg=True)
        assert float(jax.jit(lambda a: (Tensor(a) * const)._read())(jnp.ones(1))[0]) == 2.0
