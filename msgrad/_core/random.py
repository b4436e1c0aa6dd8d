"""Where random operators begin to draw: MindSpore's streams, and a generator of JAX keys.

After ``set_seed``, or with a seed of its own, an operator draws what MindSpore draws on a CPU
(``streams``): each call of a function from a stream of its own, a Primitive or layer from one for
each shape, a compiled call from one for each place in it. Without a seed, under ``vmap`` and where
the kernel is JAX's, it takes a key of the generator. Both are Tensors that are read and written
like a Parameter, so a gradient call commits them and a compiled call threads them through.
Initial weights come from another stream (``philox``).
"""

from __future__ import annotations

import sys
import weakref
from collections import Counter
from typing import Any

import jax
import numpy as np
from jax.custom_batching import custom_vmap

from msgrad._core.bridge import wrap
from msgrad._core.context import context
from msgrad._core.draws import ShortDraws
from msgrad._core.engine import to_device
from msgrad._core.philox import scrambled
from msgrad._core.streams import Counted
from msgrad._core.user_code import user_frame

# Of the process, as the seed is: all threads draw from one stream, and one more per operator seed.
_streams: dict[int | None, Any] = {}
# What ``seed_generator`` was last given; it counts in the streams of operator seeds too.
_global_seed: int | None = None
# What a checkpoint calls streams, and counts of seeds.
ENTRY, _COUNTS, _SEED = "random_state", "random_state.count.", "random_state.seed"
# How far the seeds of two calls of one function are apart, modulo this prime.
_STEP, _PRIME = 533697028, 2**31 - 1
# How many seeds there were for an operator's own seed and name.
_counts: Counter[tuple[int, str]] = Counter()
# States of MindSpore's streams by name, how many have been called alike, and what a checkpoint has
# for those that are not made yet.
_states: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
_names: Counter[str] = Counter()
_restored: dict[str, jax.Array] = {}
# The streams of functions in compiled calls, by where they are called: programs of one function,
# as for other static arguments or for ``functionalize``, go on with the same.
_sites: dict[Any, Any] = {}


@jax.jit
def _advance(state: jax.Array) -> tuple[jax.Array, jax.Array]:
    following, key = jax.random.split(jax.random.wrap_key_data(state))
    return jax.random.key_data(following), jax.random.key_data(key)


def _from_seed(seed: int, beside: int = 0) -> np.ndarray:
    """Return the data of JAX's (threefry) key for a seed of 32 bits."""
    return np.array([beside & 0xFFFFFFFF, seed & 0xFFFFFFFF], np.uint32)


def generator(seed: int | None = None) -> Any:
    """Return the Tensor (2,) uint32 with the state of the global stream, or of that of ``seed``."""
    state = _streams.get(seed)
    if state is None:
        start = np.random.SeedSequence().generate_state(1)[0] if seed is None else seed
        state = _streams[seed] = stream(int(start), 0 if seed is None else _global_seed or 0)
    return state


def stream_names() -> dict[int, str]:
    """Return what the states of the streams are called where state has names, by their ids."""
    return {id(state): name for name, state in states().items()}


def states() -> dict[str, Any]:
    """Return the state of each stream, by the name that checkpoints have for it."""
    keys = {ENTRY if seed is None else f"{ENTRY}.{seed}": t for seed, t in _streams.items()}
    # What was restored and has not drawn since is still to go on from there.
    later = {name: wrap(raw) for name, raw in _restored.items() if name not in _states}
    return keys | {f"{ENTRY}.{name}": state for name, state in (*_states.items(), *later.items())}


def counts() -> dict[str, int]:
    """Return the global seed, and how many others were given, by the names in checkpoints."""
    given = {f"{_COUNTS}{seed}.{kernel}": n for (seed, kernel), n in _counts.items()}
    return given if _global_seed is None else {_SEED: _global_seed, **given}


def restore(name: str, raw: jax.Array) -> bool:
    """Put a stream, or a count of seeds, back to where it was; whether it is the name of one."""
    global _global_seed
    if name == _SEED:
        _global_seed = int(raw)
        return True
    if name.startswith(_COUNTS):
        seed, _, kernel = name.removeprefix(_COUNTS).partition(".")
        _counts[int(seed), kernel] = int(raw)
        return True
    first, _, own = name.partition(".")
    if first != ENTRY:
        return False
    if not own or own.isdigit():
        generator(int(own) if own else None)._write(raw)
    else:
        # Both: it may be of a layer that was there before the one that goes on.
        _restored[own] = raw
        if own in _states:
            _states[own]._write(raw)
    return True


def stream(start: int, beside: int = 0) -> Any:
    """Make the Tensor (2,) uint32 of a stream that starts at a seed, of which 32 bits count."""
    return _state(_from_seed(start, beside))


def _state(raw: Any) -> Any:
    # Outside the running scope and trace, which must see it as state.
    scope, context.scope = context.scope, None
    try:
        with jax.ensure_compile_time_eval():
            made = wrap(to_device(raw))
            vars(made)["_lasts"] = "the state of the random numbers"
            return made
    finally:
        context.scope = scope


def seed_generator(seed: int) -> None:
    """Start the global stream at ``seed``, and those of operator seeds anew."""
    global _global_seed
    _global_seed = seed
    for kept in (_counts, _names, _restored, _sites, _channels.homes):
        kept.clear()
    generator()._write(to_device(_from_seed(seed)))
    for own in [s for s in _streams if s is not None]:
        generator(own)._write(to_device(_from_seed(own, seed)))


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
    """The streams of one Primitive or layer with seeds; it takes a Generator's place.

    Others of the same seeds, copies too, draw the same numbers from their beginning, and
    ``seed_generator`` does not count, as in MindSpore.
    """

    def __init__(self, seed: int, beside: int) -> None:
        self.seeds = seed, beside
        self.homes: dict[Any, Any] = {}
        self._keys: Any = None

    def __reduce__(self) -> Any:
        return type(self), self.seeds

    def _stream(self) -> Any:
        if not any(self.seeds):
            return generator()
        if self._keys is None:
            self._keys = stream(*self.seeds)
        return self._keys

    def start(self, engine: Any) -> Any:
        """Return the state of a generator (of ``streams``) that no number was drawn from yet."""
        if engine is Counted:
            return engine.start(*self.seeds)
        return engine.start(scrambled(*self.seeds))


class _ChannelStreams(OwnStream):
    def start(self, engine: Any) -> Any:
        return engine.start(1)


_channels = _ChannelStreams(0, 1)


def channels() -> OwnStream:
    """Return the streams by which functions and layers drop channels.

    In MindSpore no seed counts for them; here ``seed_generator`` begins them again.
    """
    return _channels


def seeds_of(kernel: str, seed: Any) -> tuple[int, int]:
    """Return the global seed and one of an operator's own, as MindSpore numbers them.

    Args:
        kernel: What MindSpore calls the function or layer there.
        seed: int or None: what the user gave for it.

    Returns:
        ``(0, 0)`` if there is neither.
    """
    if _global_seed is None and not seed:
        return 0, 0
    count = _counts[seed or 0, kernel]
    _counts[seed or 0, kernel] = count + 1
    seeded = 0 if _global_seed is None else _global_seed % _PRIME or 87654321
    return seeded, ((seed or 0) + count * _STEP) % _PRIME


def seeds_given(before: Counter[tuple[int, str]] | None = None) -> Counter[tuple[int, str]]:
    """Return how many seeds ``seeds_of`` has returned, for what; or go back to so many."""
    if before is not None:
        _counts.clear()
        _counts.update(before)
    return _counts.copy()


def begin(engine: Any, kernel: str, seed: Any, *shape: Any) -> tuple[Any, Any]:
    """Return what a call begins to draw from, and where the next state is to be written.

    Args:
        engine: ``streams.Short`` or ``streams.Twister``.
        kernel: As for ``seeds_of``.
        seed: int, None, a Generator, or the streams of a Primitive or layer.
        shape: What a Primitive has streams for: that of the result, and what else counts.

    Returns:
        A state of the engine or a key (2,), and the Tensor it was read from; None where the next
        call begins elsewhere.
    """
    own = seed if isinstance(seed, OwnStream) else None
    if own is None:
        seeded = not hasattr(seed, "_stream") and bool(seed or _global_seed is not None)
    else:
        seeded = any(own.seeds)
    # A size that ``jax.export`` leaves open has no number of draws.
    if not seeded or context.maps or not all(type(size) is int for size in shape[0]):
        return next_key(None if isinstance(seed, int) else seed), None
    if context.lift is None and own is None:
        return OwnStream(*seeds_of(kernel, seed)).start(engine), None
    key: Any = (engine, kernel, shape)
    if context.lift is not None:
        key = (*key, id(own) if own else _place())
        context.lift.drawn[key] += 1
        key = (*key, context.lift.drawn[key])
    homes = own.homes if own else _sites
    if key not in homes:
        parts = (kernel, *(own.seeds if own else ()), *map(_joined, shape))
        name = _numbered(".".join(map(str, parts)))
        raw = _restored.pop(name, None)
        if raw is None:
            raw = (own or OwnStream(*seeds_of(kernel, seed))).start(engine)
        homes[key] = _states[name] = _state(raw)
    return homes[key], homes[key]


def _place() -> Any:
    """Return which line of the user's code runs."""
    frame = user_frame(sys._getframe())
    return frame and (frame.f_code, frame.f_lineno)


def draws_of(kernel: str, seed: Any, place: Any) -> ShortDraws | None:
    """Return what MindSpore draws a call's numbers from, one by one.

    Args:
        kernel: As for ``seeds_of``.
        seed: As for ``begin``.
        place: What a Primitive goes on by, where it was the same before.

    Returns:
        None where JAX draws: without a seed, in a compiled call, under ``vmap``.
    """
    own = isinstance(seed, OwnStream)
    if context.lift is not None or context.maps or (hasattr(seed, "_stream") and not own):
        return None
    seeds = seed.seeds if own else seeds_of(kernel, seed)
    if not any(seeds):
        return None
    draws = seed.homes.get((kernel, place)) if own else None
    if draws is None:
        draws = ShortDraws(scrambled(*seeds))
        if own:
            seed.homes[kernel, place] = draws
    return draws


def order_of(kernel: str, seed: Any, count: int) -> np.ndarray | None:
    """Return the numbers 0 to ``count - 1``, int32, in the order that MindSpore draws.

    Returns:
        None where ``draws_of`` does.
    """
    draws = draws_of(kernel, seed, count)
    return draws and np.array(draws.shuffled(list(range(count))), np.int32)


def _joined(value: Any) -> str:
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _numbered(name: str) -> str:
    _names[name] += 1
    return f"{name}.{_names[name]}"


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
        return next_key() if seed < 0 else to_device(_from_seed(seed))
    return next_key(seed)
