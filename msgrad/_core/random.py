"""The generator of random operators: one Tensor with a JAX key, made when it is first needed.

It is read and written like a Parameter, so a gradient call commits it and a compiled call threads
it through. MindSpore's initial weights come from another stream (``philox``).
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from jax.custom_batching import custom_vmap

from msgrad._core.bridge import wrap
from msgrad._core.context import context
from msgrad._core.engine import to_device

# Of the process, as the seed is: all threads draw from one stream, and one more per operator seed.
_streams: dict[int | None, Any] = {}
# What ``seed_generator`` was last given; it counts in the streams of operator seeds too.
_global_seed = 0


@jax.jit
def _advance(state: jax.Array) -> tuple[jax.Array, jax.Array]:
    following, key = jax.random.split(jax.random.wrap_key_data(state))
    return jax.random.key_data(following), jax.random.key_data(key)


def _from_seed(seed: int, beside: int = 0) -> jax.Array:
    """Return the data of JAX's (threefry) key for a seed of 32 bits; compiles nothing."""
    return to_device(np.array([beside & 0xFFFFFFFF, seed & 0xFFFFFFFF], np.uint32))


def generator(seed: int | None = None) -> Any:
    """Return the Tensor (2,) uint32 with the state of the global stream, or of that of ``seed``."""
    state = _streams.get(seed)
    if state is None:
        start = np.random.SeedSequence().generate_state(1)[0] if seed is None else seed
        state = _streams[seed] = stream(int(start), 0 if seed is None else _global_seed)
    return state


def stream_names() -> dict[int, str]:
    """Return what the states of the streams are called where state has names, by their ids."""
    return {
        id(state): "random_state" + ("" if seed is None else f".{seed}")
        for seed, state in _streams.items()
    }


def stream(start: int, beside: int = 0) -> Any:
    """Make the Tensor (2,) uint32 of a stream that starts at a seed, of which 32 bits count."""
    # Outside the running scope and trace, which must see it as state.
    scope, context.scope = context.scope, None
    try:
        with jax.ensure_compile_time_eval():
            return wrap(_from_seed(start, beside))
    finally:
        context.scope = scope


def seed_generator(seed: int) -> None:
    """Start the global stream at ``seed``, and those of operator seeds anew."""
    global _global_seed
    _global_seed = seed
    generator()._write(_from_seed(seed))
    for own in [s for s in _streams if s is not None]:
        generator(own)._write(_from_seed(own, seed))


def next_key(seed: Any = None) -> jax.Array:
    """Return a key of its own (raw data, uint32 (2,)), and move the stream on.

    Args:
        seed: That of an operator call, which has a stream of its own, as in MindSpore; or a
            Generator.
    """
    state = seed._stream() if hasattr(seed, "_stream") else generator(seed or None)
    following, key = _advance(state._read())
    state._write(following)
    return key


class OwnStream:
    """The stream of one Primitive with seeds, of which 32 bits count; it takes a Generator's place.

    Others of the same seeds draw the same numbers from their beginning, and ``seed_generator`` does
    not count, as in MindSpore.
    """

    def __init__(self, seed: int, beside: int) -> None:
        self._state = stream(seed, beside)

    def _stream(self) -> Any:
        return self._state


@custom_vmap
def key_of_rows(key: jax.Array, *beside: jax.Array) -> jax.Array:
    """Return ``key``; under ``vmap`` one for each row, if an operand of those beside it has rows.

    Each example draws numbers of its own then, as in MindSpore; what has no mapped operand is drawn
    once.
    """
    return key


@key_of_rows.def_vmap
def _(size: int, has_rows: Any, key: jax.Array, *beside: jax.Array) -> tuple[jax.Array, bool]:
    if has_rows[0] or not any(has_rows[1:]):
        return key, has_rows[0]
    # A vmap around this one has rows of its own.
    firsts = [v[0] if rows else v for v, rows in zip(beside, has_rows[1:], strict=True)]
    key = jax.random.wrap_key_data(key_of_rows(key, *firsts))
    return jax.random.key_data(jax.random.split(key, size)), True


def key_of(seed: Any) -> jax.Array:
    """Return the key that ``seed`` names, the same in each call; of -1 or no int, the next one."""
    if isinstance(seed, int):
        return next_key() if seed < 0 else _from_seed(seed)
    return next_key(seed)
