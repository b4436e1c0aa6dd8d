"""Every operator, recorded in a gradient call, has the shape, dtype and weakness it has at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from msgrad._core.deferred.recording import Recorder
from msgrad._core.engine import current_trace, to_device
from msgrad._core.op import Operator
from tests.ops.operator_calls import operator_calls
from tests.ops.test_gradient_coverage import ALL, X

DTYPES = [
    *("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32"),
    *("float64", "complex64", "complex128", "weak_int32", "weak_float32"),
]
# What takes integers or complex numbers only.
_NOT_FLOAT = {
    *("arithmetic._map_uniform", "comparison.invert", "decompositions._matrix_logarithm"),
    *("special.gcd", "special.lcm", "special.population_count", "stacking._dim_map"),
    *(label for label in ALL if "bitwise" in label),
}


def _inputs(dtype: str) -> jax.Array:
    x = jnp.asarray(to_device(X), jnp.dtype(dtype.removeprefix("weak_")))
    # A Python number as an array is weak, as is what is broadcast of it.
    return jnp.broadcast_to(jnp.asarray(x[0, 0].item()), x.shape) if "weak" in dtype else x


def _specs(run: Callable[[], Any]) -> Any:
    """Return shape, dtype and weakness of all results, or the type that was raised."""
    try:
        return [(r.shape, r.dtype, r.weak_type) for r in jax.tree.leaves(run())]
    except Exception as error:
        return type(error)


def _recorded(op: Operator, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
    arrays = [leaf for leaf in jax.tree.leaves(operands) if isinstance(leaf, jax.Array)]
    recorder = Recorder(current_trace(), arrays, list)
    pending = iter(recorder.substitutes)
    stand_in = lambda leaf: next(pending) if isinstance(leaf, jax.Array) else leaf
    return recorder.record(op, options, jax.tree.map(stand_in, operands))


@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered in cast")
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_result_of_every_operator(dtype):
    wrong, refused = {}, set()
    for label, op, options, operands in operator_calls(_inputs(dtype)):
        # What a compiled function gives is what its trace says.
        call = op.compiled(options)
        traced = getattr(call, "jitted", call).trace
        computed = _specs(lambda: traced(*operands).out_info)
        recorded = _specs(lambda: _recorded(op, options, operands))
        if recorded != computed:
            wrong[label] = f"recorded as {recorded}, computed {computed}"
        if not isinstance(computed, list):
            refused.add(label)
    assert not wrong
    if dtype in ("float32", "float64"):
        # Of other dtypes, MindSpore's operators accept some.
        assert refused == _NOT_FLOAT
