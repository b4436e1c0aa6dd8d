"""64-bit values keep their 64 bits through every transform, as they do operator by operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.bridge import tensors_in

X = np.array([0.3, 0.8])
SINGLE = Tensor([1.5, 2.5], ms.float32)
BIG = 2**40


class Doubled(nn.Cell):
    """A ``bprop`` that says what it is given."""

    def __init__(self, seen: list[Any]) -> None:
        super().__init__()
        self.seen = seen

    def construct(self, x: Tensor) -> Tensor:
        return x * x

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
        self.seen += [(t.dtype, t.shape) for t in (x, out, dout)]
        return (2 * x * dout,)


DOUBLED = Doubled([])


def _branch(x: Tensor) -> Tensor:
    h = x * x
    return (h * 4 if h.dtype == ms.float64 else h * 2).sum()


def _branch_on_values(x: Tensor) -> Tensor:
    h = x * x
    return (h * 3).sum() if h.sum() > 0.5 else h.astype(ms.float32).sum().astype(ms.float64)


PROGRAMS: dict[str, Callable[[Tensor], Tensor]] = {
    "branch": _branch,
    "branch_on_values": _branch_on_values,
    "cast": lambda x: ((x * x).astype(ms.float32) * SINGLE).sum(),
    "concat": lambda x: ops.concat([(x * x).astype(ms.float32), SINGLE]).sum(),
    "digits": lambda x: ops.exp((x + 1e-9) * 0.1).sum(),
    "integers": lambda x: (x * (ops.full_like(x, BIG, dtype=ms.int64) * 3 - 3 * BIG + 1)).sum(),
    "bprop": lambda x: DOUBLED(x * x).sum(),
    "two_gradients": lambda x: (ms.grad(lambda y: (y * y * y).sum())(x) * x).sum(),
    "mapped": lambda x: ms.vmap(lambda y: (y * y).astype(ms.float32) * 2)(x).sum(),
    "recomputed": lambda x: ms.recompute(DOUBLED, x * 0.1).sum(),
}


def _in_graph_mode(fn: Any, x: Tensor) -> Any:
    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Any:
            return ms.value_and_grad(fn)(x)

    ms.set_context(mode=ms.GRAPH_MODE)
    return Net()(x)


def _fused(fn: Any, x: Tensor) -> Any:
    stacked = ops.stack([x, x])
    return tuple(t[1] for t in ms.fuse_steps(ms.value_and_grad(fn), 2)(stacked))


WAYS: dict[str, Callable[[Any, Tensor], Any]] = {
    "eager": lambda fn, x: ms.value_and_grad(fn)(x),
    "vjp": lambda fn, x: (ms.vjp(fn, x)[0], ms.grad(fn)(x)),
    "jit": lambda fn, x: ms.jit(ms.value_and_grad(fn))(x),
    "jit_inside": lambda fn, x: ms.value_and_grad(ms.jit(fn))(x),
    "graph_mode": _in_graph_mode,
    "fused": _fused,
    "vmap": lambda fn, x: tuple(t[0] for t in ms.vmap(ms.value_and_grad(fn))(ops.stack([x, x]))),
    "jacobian": lambda fn, x: (fn(x), ms.jacrev(fn)(x)),
}


def _seen(result: Any) -> list[Any]:
    return [(t.dtype, t.asnumpy()) for t in tensors_in(result)]


# A vectorised function has no single value to branch on; a function that calls a ``bprop`` is run
# as plain Python, with a warning, when it is compiled on its own.
_WITHOUT = {("branch_on_values", "vmap"), ("bprop", "jit_inside"), ("recomputed", "jit_inside")}


@pytest.mark.parametrize(
    ("name", "way"), [(n, w) for n in PROGRAMS for w in WAYS if (n, w) not in _WITHOUT]
)
def test_as_operator_by_operator(name, way):
    fn = PROGRAMS[name]
    with ms.eager_mode("op"):
        expected = _seen(ms.value_and_grad(fn)(Tensor(X)))
    try:
        found = _seen(WAYS[way](fn, Tensor(X)))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert [d for d, _ in found] == [d for d, _ in expected]
    for (_, value), (_, other) in zip(found, expected, strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-12 if other.dtype == "f8" else 1e-6)


def test_a_parameter_of_another_dtype_is_assigned_in_a_gradient():
    kept = Parameter(Tensor([0.0, 0.0], ms.float32))

    def fn(x: Tensor) -> Tensor:
        ops.assign(kept, (x * 3).astype(ms.float32))
        return (x * kept).sum()

    assert ms.grad(fn)(Tensor(X)).dtype is ms.float64
    np.testing.assert_array_equal(kept.asnumpy(), (X * 3).astype(np.float32))


@pytest.mark.parametrize("mode", ["deferred", "op"])
def test_a_bprop_is_given_doubles(mode):
    seen: list[Any] = []
    with ms.eager_mode(mode):
        ms.grad(lambda x: Doubled(seen)(x * 1).sum())(Tensor(X))
    assert set(seen) == {(ms.float64, (2,))}


def test_a_tensor_of_a_weak_array_is_not_a_number():
    half, weak = Tensor([1.0], ms.float16), Tensor(jnp.asarray(2.0))
    ways = (lambda f: f, ms.jit, ms.vmap, lambda f: lambda x: ms.vjp(f, x)[0])
    assert [way(lambda x: x + weak)(half).dtype for way in ways] == [ms.float32] * 4


def test_random_doubles():
    """As MindSpore's: drawn in float32."""
    numbers = ops.randn(1000, dtype=ms.float64).asnumpy()
    assert numbers.dtype == np.float64
    assert abs(numbers.mean()) < 0.2
    assert 0.8 < numbers.std() < 1.2
