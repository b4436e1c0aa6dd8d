"""The generator of random operators: one Tensor with a JAX key, made when it is first needed.

It is read and written like a Parameter, so a gradient call commits it and a compiled call threads
it through. MindSpore's initial weights come from another stream (``philox``).
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from msgrad._core.bridge import wrap
from msgrad._core.context import context

# Of the process, as the seed is: all threads draw from one stream.
_state: Any = None


@jax.jit
def _advance(state: jax.Array) -> tuple[jax.Array, jax.Array]:
    following, key = jax.random.split(jax.random.wrap_key_data(state))
    return jax.random.key_data(following), jax.random.key_data(key)


@jax.jit
def _from_seed(seed: jax.Array) -> jax.Array:
    return jax.random.key_data(jax.random.key(seed, impl="threefry2x32"))


def generator() -> Any:
    """Give the Tensor (2,) uint32 that holds the state of the generator."""
    global _state
    if _state is None:
        fresh = np.random.SeedSequence().generate_state(1)[0]
        # Made outside the running scope and trace, which must see it as state.
        scope, context.scope = context.scope, None
        try:
            with jax.ensure_compile_time_eval():
                _state = wrap(_from_seed(fresh))
        finally:
            context.scope = scope
    return _state


def seed_generator(seed: int) -> None:
    """Start the stream of ``seed``."""
    generator()._write(_from_seed(np.uint32(seed)))


def next_key() -> jax.Array:
    """Give a key of its own (raw data, uint32 (2,)), and move the generator on."""
    state = generator()
    following, key = _advance(state._read())
    state._write(following)
    return key


def key_of(seed: int | None) -> jax.Array:
    """Give the key of an operator call: of its own ``seed`` where one is given."""
    return next_key() if seed is None else _from_seed(np.uint32(seed & 0xFFFFFFFF))
