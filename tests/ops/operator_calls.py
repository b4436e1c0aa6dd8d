"""A call of every operator: which arrays and static arguments it gets; nothing is run here.

How to call the differentiable ones is ``test_gradient_coverage``'s; the others stand here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad import Tensor
from msgrad._core.op import Operator
from tests.ops.test_gradient_coverage import ALL, DIFFERENTIABLE, WITHOUT_GRADIENT, Call

KEY = jax.random.key_data(jax.random.key(0))
# The others without gradient take one or two arrays, and defaults.
_CALLS: dict[str, Call] = {
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


class _Called(Exception):
    """Carries an operator, the static arguments and the operands of a call."""


class _Caller:
    """Stands for a kernel in a table of calls, and calls its operator."""

    def __init__(self, op: Operator) -> None:
        self.op = op

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.op(*[Tensor(a) if isinstance(a, np.ndarray) else a for a in args], **kwargs)


def _calls() -> dict[str, Call]:
    """Return the call of each operator that has operands."""
    tables = DIFFERENTIABLE.items()
    calls = {f"{family}.{name}": call for family, table in tables for name, call in table.items()}
    for family, names in WITHOUT_GRADIENT.items():
        for label in (f"{family}.{name}" for name in names.split()):
            operands = ALL[label].arity
            if operands:
                calls[label] = _CALLS.get(label, lambda k, x, n=operands: k(*(x, x.T)[:n]))
    return calls


def operator_calls(x: jax.Array) -> Iterator[tuple[str, Operator, tuple[Any, ...], Any]]:
    """Yield the name of each operator, the operator, static arguments and operands.

    Args:
        x: array (3, 3), the first of the operands.
    """

    def stop(op: Operator, options: Any, tensors: Any, operands: Any) -> None:
        raise _Called(op, options, operands)

    for label, call in _calls().items():
        with pytest.MonkeyPatch.context() as patch, pytest.raises(_Called) as called:
            patch.setattr(Operator, "run", stop)
            call(_Caller(ALL[label]), x)
        yield label, *called.value.args
