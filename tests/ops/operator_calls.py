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
from tests.ops.test_gradient_coverage import GRID as PAIRS
from tests.ops.test_gradient_coverage import ROW as NUMBERS

KEY = jax.random.key_data(jax.random.key(0))
ROW, GRID = jnp.asarray(NUMBERS), jnp.asarray(PAIRS)
# The others without gradient take one or two arrays, and defaults.
_CALLS: dict[str, Call] = {
    "arithmetic._map_uniform": lambda k, x: k(x, x.T, x),
    "array._reinterpret": lambda k, x: k(x, jnp.uint8),
    "counting._buckets": lambda k, x: k(x, (0.2, 0.5), True),
    "counting._histogram": lambda k, x: k(x, x[0, :2], 4),
    "counting.intopk": lambda k, x: k(x, ROW, 2),
    "counting._unravel_index": lambda k, x: k(ROW, ROW),
    "creation.logspace": lambda k, x: k(x[0, 0], x[0, 1], 3),
    "ctc._dense_labels": lambda k, x: k(GRID, ROW, 3, 9, True),
    "ctc._greedy": lambda k, x: k(x[:, None], ROW[:1], True),
    "decompositions._eig": lambda k, x: k(x, True),
    "decompositions.orgqr": lambda k, x: k(x, x[0]),
    "detection._choice_with_mask": lambda k, x: k(KEY, x > x.T, 2),
    "detection._in_order": lambda k, x: k(x, x[0], x[0, 0]),
    "detection._nms_with_mask": lambda k, x: k(jnp.concatenate([x, x], 1)[:, :5], 0.5),
    "detection.check_valid": lambda k, x: k(jnp.ones((2, 4), x.dtype), x[0]),
    "detection.iou": lambda k, x: k(jnp.ones((2, 4), x.dtype), jnp.ones((3, 4), x.dtype)),
    "choosing._categorical": lambda k, x: k(KEY, x, 2, jnp.int64),
    "distributions._cauchy_numbers": lambda k, x: k(KEY, (3,), 0.0, 1.0),
    "distributions._gamma": lambda k, x: k(KEY, x, x.T, (3, 3)),
    "distributions._kept_bits": lambda k, x: k(KEY, x[0, 0], 3),
    "distributions._laplace": lambda k, x: k(KEY, x, x.T, (3, 3)),
    "distributions._log_normal": lambda k, x: k(KEY, x, 0.0, 1.0),
    "distributions._poisson": lambda k, x: k(KEY, x, (3, 3), jnp.int32),
    "distributions._truncated": lambda k, x: k(KEY, *x[0], x[1, 0], (2,)),
    "float_status.every_finite": lambda k, x: k((x, x)),
    "distributions._standard_gamma": lambda k, x: k(KEY, x, (2, 3, 3)),
    "distributions._truncated_standard": lambda k, x: k(KEY, (3, 3), x.dtype),
    "random._bernoulli": lambda k, x: k(KEY, x, (3, 3), x.dtype),
    "random._integers": lambda k, x: k(KEY, x[0, 0], 9, (3,), jnp.int64, 0.5),
    "random._choices": lambda k, x: k(KEY, (), (3,)),
    "random._each_once": lambda k, x: k(KEY, x, 2),
    "random._multinomial": lambda k, x: k(KEY, x, 2),
    "random._normal": lambda k, x: k(KEY, (), (3,), x.dtype),
    "random._permutation": lambda k, x: k(KEY, 3, jnp.int64),
    "random._uniform": lambda k, x: k(KEY, (), (3,), x.dtype),
    "recurrent._mask": lambda k, x: k(ROW, 3),
    "regions.crop_and_resize": lambda k, x: k(
        x[None, :, :, None], jnp.ones((1, 4)), ROW[2:], (2, 2)
    ),
    "resize_ops._resize_area": lambda k, x: k(x[None, :, :, None], (2, 2), False),
    "resize_ops._scaled": lambda k, x: k(
        x[None, :, :, None], jnp.ones(2), jnp.zeros(2), (2, 2), "lanczos3", True
    ),
    "detection._combined": lambda k, x: k(
        jnp.ones((1, 3, 1, 4)), x[None], x[0, 0], x[0, 1], 2, 2, True
    ),
    "sorting._searchsorted": lambda k, x: k(x[0], x[1]),
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
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Operator, "run", stop)
            try:
                call(_Caller(ALL[label]), x)
            except _Called as called:
                yield label, *called.args
            else:
                raise AssertionError(f"{label}: its call runs no operator")
