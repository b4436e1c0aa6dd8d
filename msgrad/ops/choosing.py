"""Random choices: classes by their weights, candidates of a sampled loss, and orders.

The numbers are MindSpore's for the same seed where ``tests/parity/cases/random_streams.py`` has
them; the distributions always are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import wrap
from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.philox import scrambled
from msgrad._core.random import OwnStream, draws_of, key_of, next_key, order_of
from msgrad._core.registry import function, spelling
from msgrad._core.streams import Short
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, of_rank, refuse
from msgrad.ops.random import Seed, multinomial, randperm, units_by
from msgrad.ops.selecting import gather


@operator("RandomCategorical")
def _categorical(key: Array, logits: Array, count: int, dtype: Any) -> Array:
    refuse(logits, jnp.integer, jnp.bool_, jnp.complexfloating)
    sums = jnp.cumsum(jax.nn.softmax(logits.astype(jnp.float64)), -1)
    # With a seed, each row has the same numbers.
    rows = logits.shape[:-1] if key.shape == (2,) else (1,) * (logits.ndim - 1)
    units = units_by(Short, key, (*rows, count), wide=True)[0]
    units = jnp.broadcast_to(units, (*logits.shape[:-1], count)).reshape(-1, count)
    picks = jax.vmap(jnp.searchsorted)(sums.reshape(-1, sums.shape[-1]), units)
    return picks.reshape(*logits.shape[:-1], count).astype(dtype)


@function(primitive="RandomCategorical(dtype=mstype.int64)")
def random_categorical(
    logits: Tensor, num_sample: int, seed: int = 0, dtype: mstype.DType = mstype.int64
) -> Tensor:
    """Draw classes with the probabilities that are the softmax of each row.

    Args:
        logits: Tensor (batch, classes), floating.
        num_sample: How many draws of each row.
        seed: Names the draws, which are the same in each call; 0 for others each time.
        dtype: int16, int32 or int64.

    Returns:
        Tensor (batch, num_sample).
    """
    key: Any = Short.start(scrambled(0, seed)) if seed else key_of(None)
    return _categorical(key, logits, num_sample, dtype.np_dtype)


@function(primitive="Multinomial(seed=0, seed2: _ = 0, dtype=mstype.int32)")
def _multinomial(x: Tensor, num_samples: int, dtype: Any = mstype.int32, seed: Seed = 0) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension, with replacement.

    Args:
        x: Tensor (n,) or (m, n) of weights.
        num_samples: How many draws of each row.
        dtype: int32 or int64.
        seed: Names a stream of its own.
    """
    return multinomial(x, int(num_samples), seed=seed).astype(dtype)


@function(primitive="MultinomialWithReplacement(numsamples, replacement=False)")
def multinomial_with_replacement(
    x: Tensor, seed: int | Tensor, offset: int | Tensor, numsamples: int, replacement: bool = False
) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension, int64.

    Args:
        x: Tensor (n,) or (m, n) of weights.
        seed: Accepted for compatibility, as is ``offset``.
        offset: Accepted for compatibility.
        numsamples: How many draws of each row.
        replacement: Whether an index may be drawn again.

    Raises:
        ValueError: If there are more draws than weights.
    """
    if numsamples > x.shape[-1]:
        raise ArgumentValueError(
            f"the value of numsamples must equal or less than {x.shape[-1]}, but got {numsamples}."
        )
    return multinomial(x, numsamples, replacement).astype(mstype.int64)


def _candidates(
    count: int, unique: bool, hits: set[int], draw: Callable[[], int]
) -> tuple[Any, int]:
    """Draw classes until there are ``count``; returns them and how many draws it took."""
    if not unique:
        return np.array([draw() for _ in range(count)]), count
    found: dict[int, None] = {}
    tries = 0
    while len(found) < count:
        tries += 1
        if (drawn := draw()) not in hits:
            found[drawn] = None
    return np.array(list(found)), tries


@function(name="candidate_sampler", public=False)
def _sampled(
    true_classes: Tensor,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: Seed = 0,
    remove_accidental_hits: bool = False,
    log: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    true, count, top = true_classes.asnumpy(), num_sampled, range_max
    of_rank(true, 2, label="true")
    hits = set(true.ravel().tolist()) if remove_accidental_hits else set()
    # Where there are too few others, they stay.
    hits = hits if count <= top - len(hits) else set()
    if unique and count > top:
        raise ArgumentValueError(f"{count} distinct classes cannot be drawn from {top}.")
    own = seed if isinstance(seed, OwnStream) else OwnStream(seed, 0)
    draws = None if log else draws_of("UniformCandidateSampler", own, true.shape)
    if draws is not None:
        draw = lambda: draws.below(top)  # noqa: E731
    else:
        numbers = np.random.default_rng(wrap(next_key(seed or None)).asnumpy())
        if log:
            draw = lambda: min(int((top + 1) ** numbers.random()) - 1, top - 1)  # noqa: E731
        else:
            draw = lambda: int(numbers.integers(0, top))  # noqa: E731
    if log:
        share = lambda c: np.log((c + 2) / (c + 1)) / np.log(top + 1)  # noqa: E731
    else:
        share = lambda c: np.full(np.shape(c), 1 / top)  # noqa: E731
    picks, tries = _candidates(count, unique, hits, draw)

    def expected(classes: Any) -> Tensor:
        p = share(classes)
        value = p * count if tries == count else -np.expm1(tries * np.log1p(-p))
        return Tensor(np.asarray(value, np.float32))

    return Tensor(picks.astype(true.dtype)), expected(true), expected(picks)


_SAMPLED = """Draw classes, {}.

    Args:
        true_classes: int64 Tensor (batch, num_true).
        num_true: How many classes each example has.
        num_sampled: How many to draw.
        unique: Whether each only once.
        range_max: How many classes there are.
        seed: Names a stream of its own.{}

    Returns:
        The classes, how often the true ones are expected among them, and how often they are.
    """
_HITS = """
        remove_accidental_hits: Whether one of the true classes is drawn again, if ``unique`` and
            there are enough others."""
log_uniform_candidate_sampler = spelling(
    "log_uniform_candidate_sampler(true_classes, num_true=1, num_sampled=5, unique=True, "
    "range_max=5, seed=0, _: log = True)",
    _sampled,
    _SAMPLED.format("the lower ones more often, for a loss of few of many classes", ""),
    primitive="LogUniformCandidateSampler(num_true=1, num_sampled=5, unique=True, range_max=5, "
    "seed=0)",
)
uniform_candidate_sampler = spelling(
    "uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, "
    "remove_accidental_hits=False)",
    _sampled,
    _SAMPLED.format("all with one probability", _HITS),
    primitive="UniformCandidateSampler(num_true, num_sampled, unique, range_max, seed=0, "
    "remove_accidental_hits=False)",
)


@operator("RandomShuffle", int_grad=True)
def _shuffled(key: Array, x: Array) -> Array:
    return jax.random.permutation(jax.random.wrap_key_data(key), x)


@function(primitive="RandomShuffle(seed=0, seed2: _ = 0)")
def shuffle(x: Tensor, seed: Seed | None = None) -> Tensor:
    """Put the slices of the first dimension into random order."""
    order = order_of("shuffle", seed, x.shape[0]) if x.ndim else None
    return _shuffled(next_key(seed), x) if order is None else gather(x, Tensor(order), 0)


@function(primitive="RandpermV2(seed=0, offset=0, dtype=mstype.int64)")
def _randperm(n: Any, seed: int = 0, offset: int = 0, dtype: Any = mstype.int64) -> Tensor:
    """Return the numbers 0 to ``n - 1`` in random order.

    Args:
        n: int.
        seed: Names a stream of its own.
        offset: Accepted for compatibility.
        dtype: The dtype of the result.
    """
    return randperm(int(n), seed, offset, dtype)


@function(primitive="Randperm(max_length=1, pad=-1, dtype=mstype.int32)")
def _padded_permutation(
    n: Tensor, max_length: int = 1, pad: int = -1, dtype: Any = mstype.int32
) -> Tensor:
    """Return the numbers 0 to ``n - 1`` in random order, filled up with ``pad``.

    Args:
        n: int Tensor (1,).
        max_length: The length of the result.
        pad: What stands behind the numbers.
        dtype: The dtype of the result.
    """
    count = int(n.asnumpy().reshape(()))
    need(count <= max_length, f"'n' must not be above {max_length}", count)
    rest = np.full(max_length - count, pad)
    drawn = randperm(count, -1).asnumpy()
    return Tensor(np.concatenate([drawn, rest]), dtype)
