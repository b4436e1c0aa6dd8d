"""``mindspore.common.generator``: random states to read, keep and set; the random operators'
own stream is in ``_core.random``.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core import random
from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.engine import is_tracer, to_device
from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype

_BYTES = 16
_MASK = 0xFFFFFFFF


class Generator:
    """A stream of random numbers, by its seed and its state.

    Its state is a Tensor (16,) uint8: the seed, then the key that the next draw starts from.

    Differs from MindSpore: the second half of the state is a JAX key, not a count of draws, so a
    state that MindSpore wrote continues differently. Where ``set_seed`` was not called, all random
    operators draw from ``default_generator``; after it, as in MindSpore, only some do.
    """

    def __init__(self) -> None:
        self._seed = 0
        self._own: Any = None

    def _stream(self) -> Any:
        if self._own is None:
            self._own = random.stream(0)
        return self._own

    def seed(self) -> int:
        """Seed by chance, and return the seed."""
        self.manual_seed(int(np.random.SeedSequence().generate_state(1)[0]))
        return self._seed

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream at a seed, and return the generator.

        ``manual_seed`` does so with that of the random operators; initial weights and NumPy are as
        they were, see ``set_seed``.

        Args:
            seed: int of at most 64 bits.

        Raises:
            TypeError: If it is not an int.
            RuntimeError: If it does not fit 64 bits.
        """
        if not isinstance(seed, int):
            raise ArgumentTypeError(f"Seed must be an integer. Got {type(seed).__name__}.")
        if not -(2**63) <= seed < 2**64:
            raise EngineError(f"Cannot construct Tensor: the seed {seed} does not fit 64 bits.")
        # What jax.random.key makes of a seed of 64 bits, where it may have them.
        key = np.array([seed >> 32 & _MASK, seed & _MASK], np.uint32)
        self._stream()._write(to_device(key))
        # As MindSpore, which keeps it in a signed Tensor.
        self._seed = int(seed) - 2**64 if seed >= 2**63 else int(seed)
        return self

    def initial_seed(self) -> int:
        """Return the seed it was last given."""
        return self._seed

    def _step(self, step: Any) -> tuple[Any, Any]:
        """Return the seed and a place in the stream, int64 Tensors, and move the stream on.

        Args:
            step: Tensor; how far does not matter.

        Raises:
            RuntimeError: If it is none.
        """
        if not is_tensor(step):
            raise EngineError(f"Invalid tensor input: Step is a {type(step).__name__}.")
        place = random.next_key(self)[1].astype(jnp.int64)
        return wrap(jnp.asarray(self._seed, jnp.int64)), wrap(place)

    def get_state(self) -> Any:
        """Return the state, a Tensor (16,) uint8."""
        seed = np.frombuffer(self._seed.to_bytes(8, "little", signed=True), np.uint8)
        key = self._stream()._read().view(jnp.uint8)
        return wrap(jnp.concatenate([jnp.asarray(seed), key]))

    def set_state(self, state: Any) -> None:
        """Go back to a state that ``get_state`` gave.

        Args:
            state: Tensor (16,) uint8.

        Raises:
            RuntimeError: For anything else.
        """
        if not is_tensor(state):
            raise EngineError(f"Invalid tensor input: State is a {type(state).__name__}.")
        if state.dtype is not mstype.uint8:
            raise EngineError(f"State data type must be UInt8, but got {state.dtype}")
        if state.size != _BYTES:
            raise EngineError(
                f"State must have {_BYTES} elements, as get_state gives it, but got {state.size}."
            )
        raw = state._read().reshape(-1)
        self._stream()._write(raw[8:].view(jnp.uint32))
        # Traced, the seed has no value; what is drawn does not depend on it.
        if not is_tracer(raw):
            self._seed = int.from_bytes(np.asarray(raw[:8]).tobytes(), "little", signed=True)


class _DefaultGenerator(Generator):
    """The stream that random operators without a seed draw from."""

    def _stream(self) -> Any:
        return random.generator()


default_generator = _DefaultGenerator()


def seed() -> int:
    """Seed the random operators by chance; returns the seed."""
    return default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Seed the random operators; initial weights and NumPy are as they were, see ``set_seed``.

    Returns:
        ``default_generator``.

    Raises:
        TypeError: If it is not an int.
        RuntimeError: If it does not fit 64 bits.
    """
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """Return the seed that the random operators were last given."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """Return the state of the random operators, a Tensor (16,) uint8."""
    return default_generator.get_state()


def set_rng_state(state: Any) -> None:
    """Set the state of the random operators to one that ``get_rng_state`` returned.

    Raises:
        RuntimeError: If it is not such a state.
    """
    default_generator.set_state(state)


__all__ = public_names(globals(), "default_generator")
