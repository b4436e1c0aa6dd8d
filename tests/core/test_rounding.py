"""Fused arithmetic: an operator's results are the same in any program, products included.

XLA contracts ``a * b - c`` into one step with an exact product, unless the product is rounded where
its operator ends; ``_core/rounding`` says how.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import islice
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._core.promotion import is_inexact
from msgrad._core.rounding import quotient, rounded
from tests.ops.operator_calls import operator_calls
from tests.ops.test_gradient_coverage import X

# Each is compiled as one program, by one of several processes.
_PARTS = 4


def _floating(tree: Any) -> list[jax.Array]:
    return [leaf for leaf in jax.tree.leaves(tree) if is_inexact(leaf.dtype)]


@pytest.mark.full_compile
@pytest.mark.parametrize("part", range(_PARTS))
def test_every_operator_is_the_same_in_a_program_that_goes_on(part):
    """What is left of it when its own result is subtracted shows a product that is not rounded."""
    ops_, operands = [], []
    for _, op, options, given in islice(
        operator_calls(jnp.asarray(X, jnp.float32)), part, None, _PARTS
    ):
        with contextlib.suppress(TypeError, NotImplementedError):
            # Some take integers only.
            call = op.compiled(options)
            getattr(call, "jitted", call).trace(*given)
            ops_.append((op, options))
            operands.append(given)

    def run(operands: Any) -> list[list[jax.Array]]:
        pairs = zip(ops_, operands, strict=True)
        return [_floating(op.compiled(options)(*given)) for (op, options), given in pairs]

    left = jax.jit(lambda given, results: jax.tree.map(jnp.subtract, run(given), results))
    rest = left(operands, jax.jit(run)(operands))
    wrong = {
        op.name
        for (op, _), leaves in zip(ops_, rest, strict=True)
        if any(np.nan_to_num(np.asarray(leaf)).any() for leaf in leaves)
    }
    assert not wrong, f"these need product=True: {wrong}"


def _variance(x: Tensor, *_: Tensor) -> Tensor:
    rows = ops.broadcast_to(x.reshape(-1, 1), (x.size, 2))
    return ops.sqrt((rows * rows).mean(-1) - rows.mean(-1) ** 2)


class Difference(nn.Cell):
    """Mahalanobis' root, as a layer."""

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return ops.sqrt(ops.square(x) - ops.mul(y, y))


# Each is given two equal Tensors, and is an exact 0, or not below it.
PROGRAMS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "squares": lambda x, y: ops.sqrt(x * x - y * y),
    "powers": lambda x, y: ops.sqrt(x**2 - ops.pow(y, 2)),
    "square_and_product": Difference(),
    "cubes": lambda x, y: ops.sqrt(x**3 - y * y * y),
    "determinant": lambda x, y: ops.sqrt(x * (y + 1) - (x + 1) * y - x + y) * 0 + x * y - y * x,
    "variance": _variance,
    "reciprocal": lambda x, y: ops.sqrt(1 - ops.minimum(x * (1 / y), Tensor(1.0, x.dtype))),
    "quotient": lambda x, y: ops.sqrt(1 - x / y),
    "distance": lambda x, y: ops.sqrt((x * x) + (y * y) - 2 * (x * y)),
    "added_later": lambda x, y: ops.sqrt(ops.addn([x * x, ops.neg(y * y)])),
    "in_place": lambda x, y: ops.sqrt(ops.relu(x * x) - ops.reshape(y * y, x.shape)),
}


def _in_graph_mode(fn: Any, *args: Tensor) -> Any:
    class Net(nn.Cell):
        def construct(self, *args: Tensor) -> Any:
            return fn(*args)

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return Net()(*args)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def _recorded(fn: Any, *args: Tensor) -> Any:
    kept = []
    ms.grad(lambda *a: kept.append(fn(*a)) or kept[0].sum())(*args)
    return kept[0]


WAYS: dict[str, Callable[..., Tensor]] = {
    "recorded": _recorded,
    "jit": lambda fn, *args: ms.jit(lambda *a: fn(*a))(*args),
    "jit_of_the_gradient": lambda fn, *args: ms.jit(
        ms.value_and_grad(lambda *a: (fn(*a).sum(), fn(*a)), has_aux=True)
    )(*args)[0][1],
    "graph_mode": _in_graph_mode,
    "vmap": lambda fn, *args: ms.vmap(lambda *a: fn(*a))(*[a.reshape(-1, 1) for a in args]),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("way", WAYS)
def test_equal_operands_cancel_as_they_do_operator_by_operator(way, dtype):
    rng = np.random.default_rng(0)
    x, y = (Tensor(rng.uniform(0.1, 9, 40).astype(dtype)) for _ in range(2))
    y[:] = x
    for name, fn in PROGRAMS.items():
        with ms.eager_mode("op"):
            expected = fn(x, y).asnumpy()
        found = WAYS[way](fn, x, y).asnumpy().reshape(expected.shape)
        assert not np.isnan(expected).any(), name
        np.testing.assert_array_equal(found, expected, err_msg=name)


def test_a_schedule_that_ends_at_zero_does_not_pass_it():
    """A compiled division by a constant is a product, too."""
    ends = [
        float(ms.jit(lambda step, n=n: ops.sqrt(1 - step / n))(Tensor(float(n), ms.float32)))
        for n in range(1, 50)
    ]
    assert not np.isnan(ends).any()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "complex64"])
def test_rounding_keeps_value_and_dtype_and_its_gradient_is_one(dtype):
    x = jnp.asarray([0.0, -0.0, 1.5, np.inf, -np.inf, np.nan]).astype(dtype)
    y, pull = jax.vjp(jax.jit(rounded), x)
    assert y.dtype == x.dtype
    for found in (y, pull(x)[0]):
        np.testing.assert_array_equal(found.astype(complex), x.astype(complex))
    np.testing.assert_array_equal(np.signbit(y.real), np.signbit(x.real))


SHAPES = [((3, 4), (3, 4)), ((3, 4), ()), ((), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4))]


@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_products_and_quotients_are_differentiated_and_mapped_as_by_jax(left, right):
    rng = np.random.default_rng(1)
    x, y = (jnp.asarray(rng.uniform(1, 2, (5, *shape)), "float32") for shape in (left, right))

    def ours(x: Any, y: Any) -> Any:
        return rounded(jnp.sin(quotient(x, y)) * x)

    def by_hand(x: Any, y: Any) -> Any:
        return jnp.sin(x / y) * x

    ways: list[Callable[[Any], Any]] = [
        jax.jit,
        lambda fn: jax.jit(lambda x, y: jax.jvp(fn, (x, y), (y, x) if left == right else (x, y))),
        lambda fn: jax.grad(lambda *args: jnp.sin(fn(*args)).sum(), (0, 1)),
        lambda fn: jax.hessian(lambda *args: fn(*args).sum(), (0, 1)),
    ]
    for way in ways:
        for mapped in (lambda fn: fn, jax.checkpoint):
            found, expected = (
                (way(mapped(fn))(x[0], y[0]), jax.vmap(way(mapped(fn)), (0, None))(x, y[0]),
                 jax.vmap(way(mapped(fn)), (None, 0))(x[0], y), jax.vmap(way(mapped(fn)))(x, y))
                for fn in (ours, by_hand)
            )  # fmt: skip
            jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, 3e-5, 1e-6), found, expected)


def test_what_is_rounded_keeps_dtype_and_weak_type():
    for x, y in [
        (1.5, 2.5),
        (np.float64(1), 3.0),
        (jnp.bfloat16(2), 3.0),
        (jnp.float32(2), np.int32(3)),
    ]:
        x, y = jnp.asarray(x), jnp.asarray(y)
        found, expected = jax.eval_shape(quotient, x, y), jax.eval_shape(jnp.divide, x, y)
        assert (found.dtype, found.weak_type) == (expected.dtype, expected.weak_type)
