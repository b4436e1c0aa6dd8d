"""Every operator, recorded in a gradient call, has the shape, dtype and weakness it has at once.

The operators and how to call them are ``test_gradient_coverage``'s; how to call what has no
gradient stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad import Tensor
from msgrad._core.defer import Recorder
from msgrad._core.engine import current_trace, to_device
from msgrad._core.op import Operator
from tests.ops.test_gradient_coverage import ALL, DIFFERENTIABLE, WITHOUT_GRADIENT, Call, X

KEY = jax.random.key_data(jax.random.key(0))
# The others without gradient take one or two arrays, and defaults.
WITHOUT: dict[str, Call] = {
    "array._reinterpret": lambda k, x: k(x, jnp.uint8),
    "float_status.every_finite": lambda k, x: k((x, x)),
    "random._bernoulli": lambda k, x: k(KEY, x, (3, 3), x.dtype),
    "random._integers": lambda k, x: k(KEY, x[0, 0], 9, (3,), jnp.int64),
    "random._multinomial": lambda k, x: k(KEY, x, 2, True),
    "random._normal": lambda k, x: k(KEY, (3,), x.dtype),
    "random._permutation": lambda k, x: k(KEY, 3, jnp.int64),
    "random._uniform": lambda k, x: k(KEY, (3,), x.dtype),
    "sorting.searchsorted": lambda k, x: k(x[0], x[1]),
}
DTYPES = [
    *("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32"),
    *("float64", "complex64", "complex128", "weak_int32", "weak_float32"),
]
# What takes integers only.
_NOT_FLOAT = {n for n in ALL if "bitwise" in n}


class Called(Exception):
    """Carries an operator, the static arguments and the operands of a call."""


class Caller:
    """Stands for a kernel in a table of calls, and calls its operator."""

    def __init__(self, op: Operator) -> None:
        self.op = op

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.op(*[Tensor(a) if isinstance(a, np.ndarray) else a for a in args], **kwargs)


def _calls() -> dict[str, Call]:
    """Give the call of each operator that has operands."""
    tables = DIFFERENTIABLE.items()
    calls = {f"{family}.{name}": call for family, table in tables for name, call in table.items()}
    for family, names in WITHOUT_GRADIENT.items():
        for label in (f"{family}.{name}" for name in names.split()):
            if ALL[label].arity:
                operands = ALL[label].arity
                calls[label] = WITHOUT.get(label, lambda k, x, n=operands: k(*(x, x.T)[:n]))
    return calls


def _inputs(dtype: str) -> jax.Array:
    x = jnp.asarray(to_device(X), jnp.dtype(dtype.removeprefix("weak_")))
    # A Python number as an array is weak, as is what is broadcast of it.
    return jnp.broadcast_to(jnp.asarray(x[0, 0].item()), x.shape) if "weak" in dtype else x


def _specs(run: Callable[[], Any]) -> Any:
    """Give shape, dtype and weakness of all results, or the type that was raised."""
    try:
        return [(r.shape, r.dtype, r.weak_type) for r in jax.tree.leaves(run())]
    except Exception as error:
        return type(error)


def _recorded(op: Operator, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
    arrays = [leaf for leaf in jax.tree.leaves(operands) if isinstance(leaf, jax.Array)]
    recorder = Recorder(current_trace(), arrays, list)
    pending = iter(recorder.stand_ins)
    stand_in = lambda leaf: next(pending) if isinstance(leaf, jax.Array) else leaf
    return recorder.record(op, options, jax.tree.map(stand_in, operands))


@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered in cast")
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_result_of_every_operator(dtype, monkeypatch):
    def stop(op: Operator, options: Any, tensors: Any, operands: Any) -> None:
        raise Called(op, options, operands)

    monkeypatch.setattr(Operator, "run", stop)
    wrong, refused = {}, set()
    for label, call in _calls().items():
        with pytest.raises(Called) as called:
            call(Caller(ALL[label]), _inputs(dtype))
        op, options, operands = called.value.args
        # What a compiled function gives is what its trace says.
        computed = _specs(lambda: op.compiled(options).trace(*operands).out_info)
        recorded = _specs(lambda: _recorded(op, options, operands))
        if recorded != computed:
            wrong[label] = f"recorded as {recorded}, computed {computed}"
        if not isinstance(computed, list):
            refused.add(label)
    assert not wrong
    if dtype in ("float32", "float64"):
        # Of the others, MindSpore's operators accept some.
        assert refused == {"array._reinterpret", *_NOT_FLOAT}
