"""Functions on the host get, and give, all bits of what a program has."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad._core.callbacks import call_on_host, tell_host
from msgrad._core.engine import to_device

VALUES = {
    "int64": np.array([2**40, -3]),
    "uint64": np.array([[2**63], [1]], np.uint64),
    "float64": np.array([1 + 2.0**-40, -0.0, np.nan]),
    "complex128": np.array([[1 + 2.0**-40 - 3j], [1j]]),
    "complex64": np.array([1 - 3j], np.complex64),
    "float32": np.float32(1.5),
    "bool": np.array([True, False]),
    "number": np.array(2**40),
    "complex_number": np.array(2.0**-40 + 1j),
    "empty": np.zeros((0, 3)),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_keep_their_bits_both_ways(name):
    value, seen = VALUES[name], []

    @jax.jit
    def program(x):
        tell_host(seen.append, [x])
        return call_on_host(lambda a: [a, a.size], [x, jax.ShapeDtypeStruct((), jnp.int64)], [x])

    back, size = program(to_device(value))
    jax.effects_barrier()
    for found in (*seen, np.asarray(back)):
        assert (found.dtype, found.shape) == (value.dtype, value.shape)
        assert found.tobytes() == value.tobytes()
    assert len(seen) == 1 and size.dtype == jnp.int64 and int(size) == value.size
