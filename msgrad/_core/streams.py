"""The numbers that MindSpore draws on a CPU: two generators of the C++ standard, what GCC's
distributions make of them, and TensorFlow's gamma numbers, on arrays.

The state of a generator is an array, so that a compiled program can carry it on: ``Short`` (Park
and Miller 1988, ``std::minstd_rand0``), behind dropout, normal and Laplace numbers, is one uint32;
``Twister`` (Matsumoto and Nishimura 1998, ``std::mt19937``), behind uniform numbers, its 624 words
and the place of the next one; ``Counted``, behind gamma numbers, two seeds and a number. Which
state a call begins with is in ``random``.

Rounding is C++'s; only a logarithm or square root may differ in its last bit.
"""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.philox import MULTIPLIER_0, MULTIPLIER_2, ROUNDS, WEYL_0, WEYL_1

Array = jax.Array
# State after so many of the numbers that were drawn.
After = Callable[[Array | int], Array]

_FACTOR, _PRIME = 16807, 2**31 - 1
_ROW = 256
_WORDS, _FAR = 624, 397
# So many standard deviations of numbers more than expected are drawn where some are rejected.
_SURE = 9
_twister = np.random.MT19937(0)
_seeding = np.random.RandomState(_twister)


def _times(x: Array, y: Array | np.ndarray) -> Array:
    """Multiply uint64 numbers modulo 2**31 - 1."""
    product = x * y
    folded = (product & np.uint64(_PRIME)) + (product >> np.uint64(31))
    return jnp.where(folded >= _PRIME, folded - np.uint64(_PRIME), folded)


@functools.lru_cache(maxsize=64)
def _powers(step: int, count: int, first: int) -> np.ndarray:
    found = [pow(_FACTOR, first, _PRIME)]
    factor = pow(_FACTOR, step, _PRIME)
    while len(found) < count:
        found.append(found[-1] * factor % _PRIME)
    return np.array(found, np.uint64)


class Short:
    """``std::minstd_rand0``: the next number is 16807 times the last, modulo 2**31 - 1."""

    @staticmethod
    def start(seed: int) -> np.ndarray:
        """Return the state for a seed."""
        return np.array(seed % _PRIME or 1, np.uint32)

    @staticmethod
    def draw(state: Array, count: int) -> tuple[Array, After]:
        """Return numbers, uint32 (count,), 0 to 2**31 - 3; any of them needs only the state."""
        rows = _times(state.astype(jnp.uint64), _powers(_ROW, -(-count // _ROW), 0))
        made = _times(rows[:, None], _powers(1, _ROW, 1)).reshape(-1)[:count].astype(jnp.uint32)

        def after(used: Array | int) -> Array:
            return made[used - 1] if count else state

        return made - np.uint32(1), after


class Twister:
    """``std::mt19937``."""

    @staticmethod
    def start(seed: int) -> np.ndarray:
        """Return the state for a seed, of which 32 bits count."""
        with _twister.lock:
            _seeding.seed(seed % 2**32)
            # Where NumPy has them: its attribute ``state`` takes 80 us to make.
            words = (ctypes.c_uint32 * _WORDS).from_address(_twister.ctypes.state_address)
            return np.append(words, np.uint32(_WORDS)).astype(np.uint32)

    @staticmethod
    def draw(state: Array, count: int) -> tuple[Array, After]:
        """Return numbers, uint32 (count,)."""
        first, place = state[:_WORDS], state[_WORDS].astype(jnp.int32)

        def step(words: Array, _: None) -> tuple[Array, Array]:
            following = _twisted(words)
            return following, following

        _, more = jax.lax.scan(step, first, length=-(-count // _WORDS))
        blocks = jnp.concatenate([first[None], more])

        def after(used: Array | int) -> Array:
            at = place + used
            block = jnp.maximum(at - 1, 0) // _WORDS
            return jnp.append(blocks[block], (at - block * _WORDS).astype(jnp.uint32))

        made = jax.lax.dynamic_slice(blocks.reshape(-1), (place,), (count,))
        for shift, mask in ((-11, 2**32 - 1), (7, 0x9D2C5680), (15, 0xEFC60000), (-18, 2**32 - 1)):
            by = np.uint32(abs(shift))
            made = made ^ (made << by if shift > 0 else made >> by) & np.uint32(mask)
        return made, after


def _twisted(words: Array) -> Array:
    """Return the 624 words after others."""
    near = _WORDS - _FAR

    def mixed(upper: Array, lower: Array) -> Array:
        both = upper & np.uint32(2**31) | lower & np.uint32(2**31 - 1)
        return both >> np.uint32(1) ^ (both & np.uint32(1)) * np.uint32(0x9908B0DF)

    # A word needs the one 397 further on, of which the last 397 are new ones.
    a = words[_FAR:] ^ mixed(words[:near], words[1 : near + 1])
    b = a ^ mixed(words[near : 2 * near], words[near + 1 : 2 * near + 1])
    c = b[: _FAR - near - 1] ^ mixed(words[2 * near : -1], words[2 * near + 1 :])
    d = b[_FAR - near - 1 : _FAR - near] ^ mixed(words[-1:], a[:1])
    return jnp.concatenate([a, b, c, d])


def short_units(drawn: Array) -> Array:
    """Return numbers of ``Short`` as float32 in [0, 1) (``generate_canonical<float>``)."""
    return jnp.minimum(drawn.astype(jnp.float32) * np.float32(2**-31), np.float32(1 - 2**-24))


def short_doubles(drawn: Array) -> Array:
    """Return pairs of numbers of ``Short`` as float64 in [0, 1)."""
    low, high = drawn.astype(jnp.float64).reshape(-1, 2).T
    return (low + high * float(_PRIME - 1)) / float(_PRIME - 1) ** 2


def long_units(drawn: Array) -> Array:
    """Return pairs of numbers of ``Twister`` as float64 in [0, 1)."""
    low, high = drawn.astype(jnp.float64).reshape(-1, 2).T
    return jnp.minimum((low + high * 2.0**32) * 2.0**-64, 1 - 2.0**-53)


def kept(accepted: Array, count: int) -> Array:
    """Return the places of the first ``count`` accepted ones: int32 (count,)."""
    order = jnp.cumsum(accepted, dtype=jnp.int32)
    places = jnp.where(accepted, order - 1, count)
    numbers = jnp.arange(accepted.size, dtype=jnp.int32)
    return jnp.zeros(count, jnp.int32).at[places].set(numbers, mode="drop", unique_indices=True)


def tries(count: int, share: float) -> int:
    """Return how many to draw where a share of them is accepted and ``count`` are needed."""
    expected = count / share
    return math.ceil(expected + _SURE * math.sqrt(expected * (1 - share) / share)) + 16 * (
        share < 1
    )


def truncated(state: Array, count: int) -> tuple[Array, Array]:
    """Return standard normal numbers between -2 and 2, float64, and the next state."""
    drawn, after = Short.draw(state, 4 * tries(-(-count // 2), 0.95 * math.pi / 4))
    x, y = (2 * short_doubles(drawn) - 1).reshape(-1, 2).T
    square = x * x + y * y
    factor = jnp.sqrt(-2 * jnp.log(square) / square)
    both = jnp.stack([y * factor, x * factor], 1).reshape(-1)
    at = kept(jnp.repeat((square <= 1) & (square != 0), 2) & (jnp.abs(both) <= 2), count)
    return both[at], after(4 * (at[-1] // 2 + 1)) if count else state


def normals(state: Array, count: int) -> tuple[Array, Array]:
    """Return standard normal numbers, float32, by Marsaglia's polar method, and the next state."""
    pairs = max(-(-count // 2), 1)
    drawn, after = Short.draw(state, 2 * tries(pairs, math.pi / 4))
    x, y = (2 * short_units(drawn) - 1).reshape(-1, 2).T
    square = x * x + y * y
    at = kept((square <= 1) & (square != 0), pairs)
    x, y, square = x[at], y[at], square[at]
    factor = jnp.sqrt(-2 * jnp.log(square) / square)
    both = jnp.stack([y * factor, x * factor], 1).reshape(-1)[:count]
    return both, after(2 * (at[-1] + 1)) if count else state


class Counted:
    """Philox4x32-10 (Salmon et al. 2011); the state: two seeds and how many numbers there were."""

    # Of what each number has blocks of its own.
    each = 256

    @staticmethod
    def start(seed: int, beside: int = 0) -> np.ndarray:
        """Return the state for two seeds."""
        return np.array([seed & 0xFFFFFFFF, beside & 0xFFFFFFFF, 0], np.uint32)

    @staticmethod
    def pair(state: Array, block: Array) -> tuple[Array, Array]:
        """Return the two float64 in [0, 1) of a block."""
        low, word = np.uint64(0xFFFFFFFF), np.uint64(32)
        x = [block & low, block >> word, state[1], jnp.zeros_like(block)]
        key = [state[0], jnp.zeros_like(block)]
        for _ in range(ROUNDS):
            first, second = MULTIPLIER_0 * x[0], MULTIPLIER_2 * x[2]
            upper = second >> word ^ x[1] ^ key[0], first >> word ^ x[3] ^ key[1]
            x = [upper[0], second & low, upper[1], first & low]
            key = [
                (k + np.uint64(more)) & low for k, more in zip(key, (WEYL_0, WEYL_1), strict=True)
            ]
        high = np.uint64(0xFFFFF)
        made = [(x[i] & high) << word | x[i + 1] for i in (0, 2)]
        return made[0].astype(jnp.float64) * 2.0**-52, made[1].astype(jnp.float64) * 2.0**-52


def gammas(state: Array, alphas: Array) -> tuple[Array, Array]:
    """Return a gamma number for each ``alpha``, float64, and the next state.

    As TensorFlow does by the method of Marsaglia and Tsang (2000).

    Normal and uniform numbers come in pairs, each of the next block, of which the second is first.
    """

    wide = state.astype(jnp.uint64)

    def one(number: Array, alpha: Array) -> Array:
        base = (wide[2] + number) * np.uint64(Counted.each)
        small = alpha < 1
        shape = alpha + jnp.where(small, 2 / 3, -1 / 3)
        slope = 1 / 3 / jnp.sqrt(shape)

        def uniform(fresh: Array, kept: Array, left: Array, wanted: Array) -> tuple[Any, Array]:
            more = wanted & (left == 0)
            kept, left = jnp.where(more, fresh, kept), jnp.where(more, 2, left)
            left = jnp.where(wanted, left - 1, left)
            return (kept, left), more

        def step(now: Any) -> Any:
            used, normal, left, kept, remaining, _, _ = now
            # Which of two blocks the uniform numbers have depends on whether there is a normal one.
            blocks = jnp.stack(Counted.pair(wide, base + used + jnp.arange(2, dtype=jnp.uint64)))
            radius = jnp.sqrt(-2 * jnp.log(jnp.maximum(blocks[0, 0], 1e-7)))
            angle, new = 2 * np.pi * blocks[1, 0], left == 0
            normal = jnp.where(new, radius * jnp.stack([jnp.sin(angle), jnp.cos(angle)]), normal)
            left = jnp.where(new, 1, left - 1)
            x = normal[left]
            root = 1 + slope * x
            (kept, remaining), more = uniform(blocks[:, new.astype(int)], kept, remaining, root > 0)
            u, cube = kept[remaining], root**3
            rest = 0.5 * x * x + shape * (1 - cube + jnp.log(cube))
            taken = (root > 0) & ((u < 1 - 0.0331 * x**4) | (jnp.log(u) < rest))
            used += new.astype(jnp.uint64) + more.astype(jnp.uint64)
            return used, normal, left, kept, remaining, taken, shape * cube

        none = jnp.zeros(2, jnp.float64), jnp.zeros((), jnp.int32)
        begin = jnp.zeros((), jnp.uint64), *none, *none, False, jnp.zeros((), jnp.float64)
        found = jax.lax.while_loop(lambda now: ~now[5], step, begin)
        blocks = jnp.stack(Counted.pair(wide, base + jnp.stack([found[0], jnp.zeros_like(base)])))
        (kept, left), _ = uniform(blocks[:, 0], found[3], found[4], small)
        made = found[6] * jnp.where(small, kept[left] ** (1 / alpha), 1)
        return jnp.where(alpha == 1, -jnp.log1p(-blocks[1, 1]), made)

    flat = alphas.astype(jnp.float64).reshape(-1)
    numbers = jnp.arange(flat.size, dtype=jnp.uint64)
    made = jax.vmap(one)(numbers, flat).reshape(alphas.shape)
    return made, state.at[2].add(np.uint32(flat.size))
