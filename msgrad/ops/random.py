"""Random Tensors, and dropout, a random mask.

After ``set_seed``, or with a seed, the numbers are those of MindSpore on a CPU (``_core.streams``);
see ``_core.random`` for where each call begins.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core import philox, streams
from msgrad._core.draws import Draws
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    KernelError,
    OptionError,
    UnsupportedError,
)
from msgrad._core.op import Array, Arrays, Operand, operator
from msgrad._core.promotion import wide
from msgrad._core.random import begin, channels, key_of
from msgrad._core.registry import function, method
from msgrad._core.streams import Short, Twister
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, refuse
from msgrad.ops.creation import dtype_of, shape_of

Sizes = tuple[int, ...]
# An int, or a Generator, whose stream is drawn from.
Seed = Any


def _key(raw: Array) -> Any:
    return jax.random.wrap_key_data(raw)


def _sizes(size: tuple[Any, ...]) -> Sizes:
    return shape_of(size[0] if len(size) == 1 else size)


def kind_of(dtype: Any, default: mstype.DType, accepted: type) -> np.dtype[Any]:
    kind = dtype_of(dtype, default)
    if not jnp.issubdtype(kind, accepted):
        wanted = "a float" if accepted is jnp.floating else "a signed int"
        raise ArgumentValueError(f"the 'dtype' must be {wanted} type, but got {dtype}.")
    return kind


def all_of(dtype: mstype.DType, *parameters: Tensor) -> None:
    """Raise ``TypeError`` unless the parameters of a distribution have that dtype."""
    for found in parameters:
        if found.dtype is not dtype:
            raise ArgumentTypeError(
                f"the value data type '{dtype}' is not consistent with assigned tensor data type "
                f"{found.dtype}."
            )


def units_by(engine: Any, key: Array, shape: Sizes, *, wide: bool = False) -> tuple[Array, Array]:
    """Return numbers uniform on [0, 1), and the next state.

    Args:
        engine: ``streams.Short`` or ``streams.Twister``.
        key: Its state, or a JAX key, which it is then that draws.
        shape: Of the numbers.
        wide: Whether ``Short`` makes each of two numbers.
    """
    if key.shape == (2,):
        # The bits of ``jax.random.uniform``, traced and lowered in less than half of the time.
        bits = jax.random.bits(_key(key), shape, jnp.uint32)
        units = jax.lax.shift_right_logical(bits, np.uint32(9)).astype(jnp.float32)
        return units * np.float32(2.0**-23), key
    short = engine is Short
    count = math.prod(shape) * (1 if short and not wide else 2)
    numbers, after = engine.draw(key, count)
    made = streams.short_doubles if wide else streams.short_units
    units = (made if short else streams.long_units)(numbers)
    return units.reshape(shape), after(count)


def drawn(
    engine: Any, kernel: str, seed: Seed | None, draw: Callable[[Any], Any], *shape: Any
) -> list[Tensor]:
    """Call an operator that draws, and write the state back that it returns last.

    Args:
        engine: ``streams.Short`` or ``streams.Twister``.
        kernel: What MindSpore calls the function, as for ``random.seeds_of``.
        seed: What names the stream.
        draw: Calls the operator with where it begins.
        shape: As for ``random.begin``.
    """
    for size in shape[0]:
        if type(size) is int and size >= 2**63:
            raise ArgumentValueError(f"a Tensor of shape {shape[0]} has too many elements.")
    start, home = begin(engine, kernel, seed, *shape)
    *results, following = draw(start)
    if home is not None:
        home._write(following._peek())
    return results


@operator("StandardNormal", product=True)
def _normal(key: Array, beside: Arrays, shape: Sizes, dtype: Any) -> tuple[Array, Array]:
    if key.shape == (2,):
        return jax.random.normal(_key(key), shape, jnp.float32).astype(dtype), key
    numbers, following = streams.normals(key, math.prod(shape))
    return numbers.reshape(shape).astype(dtype), following


@operator("UniformReal")
def _uniform(key: Array, beside: Arrays, shape: Sizes, dtype: Any) -> tuple[Array, Array]:
    units, following = units_by(Twister, key, shape)
    return units.astype(jnp.float32).astype(dtype), following


@operator("Multinomial")
def _choices(key: Array, beside: Arrays, shape: Sizes) -> tuple[Array, Array]:
    return units_by(Short, key, shape)


@operator("UniformInt")
def _integers(
    key: Array, low: Operand, high: Operand, shape: Sizes, dtype: Any, share: float
) -> tuple[Array, Array]:
    """Draw ints; of the numbers drawn at least a share is below a multiple of the bounds' span."""
    low, high = low.reshape(()).astype(jnp.int32), high.reshape(()).astype(jnp.int32)
    if key.shape == (2,):
        return jax.random.randint(_key(key), shape, low, high, jnp.int32).astype(dtype), key
    count, span = math.prod(shape), (high - low).astype(jnp.uint32)
    numbers, after = Twister.draw(key, streams.tries(count, share))
    width = np.uint32(2**32 - 1) // span
    at = streams.kept(numbers < span * width, count)
    found = low + (numbers[at] // width).astype(jnp.int32)
    return found.reshape(shape).astype(dtype), after(at[-1] + 1 if count else 0)


@operator("Normal", int_grad=False)
def _shifted(noise: Array, mean: Operand, stddev: Operand) -> Array:
    return noise * stddev + mean


def _numbers(engine: Any, draw: Callable[..., Any], what: str) -> Callable[..., Tensor]:
    def numbers(
        kernel: str, seed: Seed | None, sizes: Sizes, dtype: Any = None, beside: Any = ()
    ) -> Tensor:
        kind = kind_of(dtype, mstype.float32, jnp.floating)
        return drawn(engine, kernel, seed, lambda key: draw(key, beside, sizes, kind), sizes)[0]

    numbers.__doc__ = f"""Return {what}, by what MindSpore calls the function.

    Args:
        kernel: As for ``drawn``, as is ``seed``.
        sizes: The shape.
        dtype: A floating dtype, float32 by default.
        beside: What the numbers go with: under ``vmap``, each row of it has numbers of its own.
    """
    return numbers


normal_numbers = _numbers(Short, _normal, "standard normal numbers")
uniform_numbers = _numbers(Twister, _uniform, "numbers uniform on [0, 1)")


def choice_numbers(
    kernel: str, seed: Seed | None, sizes: Sizes, beside: tuple[Tensor, ...] = ()
) -> Tensor:
    """Return the numbers uniform on [0, 1) that classes are chosen by; see ``normal_numbers``."""
    return drawn(Short, kernel, seed, lambda key: _choices(key, beside, sizes), sizes)[0]


def ints(kernel: str, seed: Seed | None, low: Any, high: Any, sizes: Sizes, kind: Any) -> Tensor:
    """Return ints from ``low`` up to, and without, ``high``, by what MindSpore calls the function.

    Args:
        kernel: As for ``drawn``, as is ``seed``.
        low: int, or int32 Tensor of one element.
        high: Likewise.
        sizes: The shape.
        kind: The NumPy dtype of the result.

    Raises:
        ValueError: If ``low``, an int, is not below ``high``.
    """
    if isinstance(low, int):
        if low >= high:
            raise ArgumentValueError(f"low must be below high, but got {low} and {high}.")
        if not -(2**31) <= low < high <= 2**31 - 1:
            raise UnsupportedError(
                f"{kernel} draws 32-bit numbers, but got bounds {low} and {high}; draw twice."
            )
    # Not the exact share, for each of which a program would be compiled.
    few = isinstance(low, int) and high - low <= 2**20
    share = 1 - 2**-12 if few else 0.5
    ways = (sizes, kind, share)
    return drawn(Twister, kernel, seed, lambda key: _integers(key, low, high, *ways), sizes)[0]


@function
def randn(*size: Any, dtype: mstype.DType | None = None, seed: Seed | None = None) -> Tensor:
    """Return standard normal numbers.

    Args:
        size: ints, or one tuple of ints.
        dtype: A floating dtype, float32 by default.
        seed: Names a stream of its own; by default the numbers come from the global one.
    """
    return normal_numbers("randn", seed, _sizes(size), dtype)


@function(primitive="UniformReal(seed=0, seed2: _ = 0)")
def rand(*size: Any, dtype: mstype.DType | None = None, seed: Seed | None = None) -> Tensor:
    """Return numbers uniform on [0, 1); see ``randn`` for the arguments."""
    return uniform_numbers("rand", seed, _sizes(size), dtype)


@function
def randn_like(input: Tensor, seed: Seed | None = None, *, dtype: Any = None) -> Tensor:
    """Return standard normal numbers of the shape of ``input``, float32 by default."""
    return normal_numbers("randn_like", seed, input.shape, dtype)


@function
def rand_like(input: Tensor, seed: Seed | None = None, *, dtype: Any = None) -> Tensor:
    """Return numbers uniform on [0, 1) of the shape and dtype of ``input``."""
    kind = input.dtype if dtype is None else dtype
    return uniform_numbers("rand_like", seed, input.shape, kind)


@function(primitive="StandardNormal(seed=0, seed2: _ = 0)")
def standard_normal(shape: Any, seed: Seed | None = None) -> Tensor:
    """Return standard normal numbers, float32."""
    return normal_numbers("standard_normal", seed, shape_of(shape))


@function
def normal(shape: Any, mean: Any, stddev: Any, seed: Seed | None = None) -> Tensor:
    """Return normal numbers, float32.

    Args:
        shape: The shape of what is drawn, which broadcasts with the two below.
        mean: Number or Tensor.
        stddev: Number or Tensor.
        seed: As for ``randn``.
    """
    return _shifted(normal_numbers("normal", seed, shape_of(shape)), mean, stddev)


@function
def uniform(
    shape: Any,
    minval: Tensor,
    maxval: Tensor,
    seed: Seed | None = None,
    dtype: Any = mstype.float32,
) -> Tensor:
    """Return numbers uniform on [minval, maxval).

    Args:
        shape: The shape.
        minval: Tensor, float32, or int32 for integers.
        maxval: Tensor likewise.
        seed: As for ``randn``.
        dtype: float32 or int32.

    Raises:
        TypeError: If a bound is not a Tensor of the dtype of the result, or that is another one.
        RuntimeError: If the shape is an int.
    """
    if isinstance(shape, int):
        raise KernelError(f"the shape must be a tuple of ints, but got {shape}; write ({shape},).")
    if dtype not in (mstype.int32, mstype.float32):
        raise ArgumentTypeError(f"the dtype must be int32 or float32, but got {dtype!r}.")
    all_of(dtype, minval, maxval)
    if dtype is mstype.int32:
        return ints("uniform", seed, minval, maxval, shape_of(shape), np.dtype("int32"))
    sizes = np.broadcast_shapes(shape_of(shape), minval.shape, maxval.shape)
    noise = uniform_numbers("uniform", seed, sizes, dtype)
    return _shifted(noise, minval, maxval - minval)


@function
def randint(
    low: int, high: int, size: Any, seed: Seed | None = None, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return integers uniform on [low, high), int64 by default.

    Raises:
        ValueError: If ``low`` is not below ``high``, or the dtype not a signed int type.
    """
    kind = kind_of(dtype, mstype.int64, jnp.signedinteger)
    return ints("randint", seed, int(low), int(high), shape_of(size), kind)


@function(primitive="UniformInt(*)")
def _uniform_int(shape: Any, minval: Any, maxval: Any, *, seed: Seed = 0, seed2: int = 0) -> Tensor:
    """Draw int32 numbers from ``minval`` up to, and without, ``maxval``.

    Args:
        shape: Tuple of ints.
        minval: int32 Tensor of one element.
        maxval: The same.
    """
    sizes = shape_of(shape)
    return ints("UniformInt", seed, minval, maxval, sizes, np.dtype("int32"))


@functools.lru_cache(maxsize=8)
def _order(n: int, seed: int) -> np.ndarray:
    return np.array(Draws(seed).shuffled(list(range(n))), np.int32)


@operator("Randperm")
def _permutation(key: Array, n: int, dtype: Any) -> Array:
    return jax.random.permutation(_key(key), jnp.arange(n, dtype=jnp.int32)).astype(dtype)


@function
def randperm(
    n: int, seed: Seed | None = 0, offset: int = 0, dtype: mstype.DType = mstype.int64
) -> Tensor:
    """Return the numbers 0 to ``n - 1`` in random order, int64 by default.

    Args:
        n: int.
        seed: Names the order, which is the same in each call; -1 for another one each time.
        offset: Names it likewise, and comes first, unless it is 0.
        dtype: The dtype of the result.

    Raises:
        ValueError: For a seed below -1, or an offset below 0.
    """
    kind = dtype_of(dtype, mstype.int64)
    if offset < 0 or (isinstance(seed, int) and seed < -1):
        raise ArgumentValueError(
            f"seed must be -1 or more, offset 0 or more, but got {seed}, {offset}."
        )
    named = offset or seed
    if isinstance(named, int) and named >= 0:
        return Tensor(_order(n, named).astype(kind))
    return _permutation(key_of(named), n, kind)


@operator("Bernoulli")
def _bernoulli(units: Array, p: Operand, shape: Sizes, dtype: Any) -> Array:
    if units.shape == (2,) and units.dtype == jnp.uint32:
        return jax.random.bernoulli(_key(units), p, shape).astype(dtype)
    return (units.reshape(shape) <= p).astype(dtype)


@function
def bernoulli(input: Tensor, p: Any = 0.5, seed: Seed | None = None) -> Tensor:
    """Return ones with probability ``p`` (number or Tensor) and zeros, in the shape of
    ``input``.

    Args:
        input: Tensor.
        p: The probability.
        seed: Names the numbers, the same in each call; None or -1 for others each time.

    Differs from MindSpore: of a size that is no multiple of four, the next call of the same seed
    begins there with numbers that the last one has left over.
    """
    if isinstance(seed, int) and seed >= 0 and all(type(n) is int for n in input.shape):
        units = jnp.asarray(philox.units(seed, input.size))
    else:
        units = key_of(seed)
    return _bernoulli(units, p, input.shape, input.dtype.np_dtype)


def _weights(input: Array) -> Array:
    refuse(input, jnp.bool_)
    need(input.ndim in (1, 2), "the weights must have 1 or 2 dimensions", input.ndim)
    return input.astype(jnp.float32)


@operator("Multinomial")
def _multinomial(key: Array, input: Array, count: int) -> tuple[Array, Array]:
    """Draw with replacement: a number for each sample, looked up in the sums of the weights."""
    sums = jnp.cumsum(_weights(input), -1)
    shape = (*input.shape[:-1], count)
    units, following = units_by(Short, key, shape)
    rows = (sums / sums[..., -1:]).reshape(-1, input.shape[-1])
    found = jax.vmap(jnp.searchsorted)(rows, units.reshape(-1, count))
    return found.astype(jnp.int32).reshape(shape), following


@operator("Multinomial")
def _each_once(key: Array, input: Array, count: int) -> tuple[Array, Array]:
    """Draw without replacement: those of the largest logarithm of a number by their weight."""
    weights = _weights(input)
    units, following = units_by(Twister, key, input.shape)
    return jax.lax.top_k(jnp.log(units) / (weights + 1e-6), count)[1].astype(jnp.int32), following


@function(method=True)
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = True, seed: Seed | None = None
) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension.

    Args:
        input: Tensor (n,) or (m, n) of weights.
        num_samples: How many draws of each row.
        replacement: Whether an index may be drawn again.
        seed: As for ``randn``.

    Returns:
        int32 Tensor (num_samples,) or (m, num_samples).

    Raises:
        ValueError: Without ``replacement``, for more samples than there are weights.
    """
    if not replacement and num_samples > input.shape[-1]:
        raise ArgumentValueError(
            f"For 'multinomial', {num_samples} samples without replacement need as many weights, "
            f"but got {input.shape[-1]}."
        )
    engine, draw = (Short, _multinomial) if replacement else (Twister, _each_once)
    shape = input.shape
    return drawn(engine, "multinomial", seed, lambda key: draw(key, input, num_samples), shape)[0]


@operator("Dropout", product=True)
def _dropout(x: Array, key: Array, keep: float, spread: int) -> tuple[Array, Array, Array]:
    """Zero elements (or, with ``spread``, whole channels) and scale the rest up."""
    shape = x.shape if not spread else x.shape[:-spread] + (1,) * spread
    units, following = units_by(Short, key, shape, wide=bool(spread))
    mask = (units < np.float32(keep)).astype(x.dtype)
    scaled = (wide(x) * (np.float32(1) / np.float32(keep or 1))).astype(x.dtype)
    return scaled * mask, jnp.broadcast_to(mask, x.shape), following


def drop(x: Tensor, keep: float, spread: int, seed: Seed | jax.Array | None) -> list[Tensor]:
    """Return what is left of elements or channels, and the mask.

    Args:
        x: Tensor.
        keep: Probability to be kept; of elements, above 0.
        spread: How many dimensions a channel has; 0 for elements.
        seed: As for ``drawn``, or a key (2,).
    """
    if not 0.0 < keep <= 1.0 and not (spread and keep == 0):
        raise KernelError(f"the 'keep_prob' must be in (0.0, 1.0], but got {keep}")
    accepted = (jnp.floating, jnp.signedinteger) if spread else (jnp.floating,)
    if not any(jnp.issubdtype(x._peek().dtype, kind) for kind in accepted):
        raise ArgumentTypeError(f"the input must be a floating Tensor, but got {x.dtype}.")
    if isinstance(seed, jax.Array):
        return list(_dropout(x, seed, keep, spread))[:2]
    kernel, place = "dropout", (x.shape,)
    if spread:
        kernel, place = f"Dropout{max(spread, 2)}D", ((*x.shape, *(1,) * (spread == 1)), keep)
    return drawn(Short, kernel, seed, lambda key: _dropout(x, key, keep, spread), *place)


@function
def dropout(
    input: Tensor, p: float | Tensor = 0.5, training: bool = True, seed: Seed | None = None
) -> Tensor:
    """Zero elements with probability ``p`` and divide the others by ``1 - p``.

    Args:
        input: Tensor, float16, bfloat16, float32 or float64.
        p: The probability, a float in [0, 1), or a Tensor () of one.
        training: False gives ``input`` back.
        seed: As for ``randn``.

    Raises:
        TypeError: If ``p`` is not a float, or the input not floating.
        RuntimeError: If ``p`` is out of range.
    """
    if not training:
        return input
    if isinstance(p, Tensor) and p.shape == ():
        p = p._concrete("p").item()
    if not isinstance(p, float):
        raise OptionError(f"'p' must be a float, but got {p!r}.")
    return drop(input, 1.0 - p, 0, seed)[0]


def _of_channels(rank: int, shape: str) -> Any:
    def dropped(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
        return drop(input, 1.0 - p, rank, channels())[0] if training else input

    dropped.__doc__ = f"Zero whole channels of a Tensor {shape} with probability ``p``."
    return function(name=f"dropout{rank}d")(dropped)


dropout1d = _of_channels(1, "(N, C, L) or (C, L)")
dropout2d = _of_channels(2, "(N, C, H, W)")
dropout3d = _of_channels(3, "(N, C, D, H, W)")


@function(primitive="Dropout(*)")
def _dropout_both(
    x: Tensor, *, keep_prob: float = 0.5, Seed0: Seed = 0, Seed1: int = 0
) -> tuple[Tensor, Tensor]:
    """Zero elements at random and divide the others by ``keep_prob``.

    Args:
        x: Tensor, floating.
        keep_prob: Probability of an element to be kept.

    Returns:
        The result, and the mask.
    """
    return tuple(drop(x, keep_prob, 0, Seed0))  # type: ignore[return-value]


@function(primitive="DropoutExt")
def _dropout_ext(input: Tensor, p: float, seed: Tensor, offset: Tensor) -> tuple[Tensor, Tensor]:
    """Zero elements with probability ``p`` and divide the others by ``1 - p``.

    Args:
        input: Tensor, floating.
        p: The probability.
        seed: As ``Generator._step`` gives it; the same numbers draw the same elements.
        offset: Likewise.

    Returns:
        The result, and the mask.
    """
    key = jnp.stack([seed._peek(), offset._peek()]).astype(jnp.uint32)
    return tuple(drop(input, 1.0 - p, 0, key))  # type: ignore[return-value]


@method("normal_")
def _normal_in_place(
    self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None
) -> Tensor:
    """Fill with normal random numbers, in place."""
    self._write(normal(self.shape, mean, std).astype(self.dtype)._peek())
    return self


@method("uniform_")
def _uniform_in_place(
    self: Tensor, from_: float = 0.0, to: float = 1.0, *, generator: Any = None
) -> Tensor:
    """Fill with uniform random numbers, in place."""
    self._write((rand(self.shape, dtype=self.dtype) * (to - from_) + from_)._peek())
    return self


@method("uniform")
def _uniform_method(
    self: Tensor, from_: float = 0.0, to: float = 1.0, generator: Any = None
) -> Tensor:
    """Return uniform random numbers in the shape and dtype of the Tensor."""
    return rand(self.shape, dtype=self.dtype) * (to - from_) + from_


@operator("rrelu", public=False, product=True)
def with_slopes(x: Array, slopes: Array) -> Array:
    factors = jnp.where(x > 0, 1, jnp.where(x < 0, slopes, 0))
    return x * factors.astype(x.dtype)


@function
def rrelu(input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3) -> Tensor:
    """Return ``x`` where positive, else ``a * x`` with a slope drawn for each element.

    Args:
        input: Tensor.
        lower: The least slope.
        upper: The largest.

    Raises:
        ValueError: If ``lower`` is above ``upper``.
    """
    if lower > upper:
        raise ArgumentValueError(
            "the value of 'upper' must be greater than or equal to 'lower', but got upper: "
            f"{upper}, lower: {lower}."
        )
    bounds = (Tensor(bound, mstype.float32) for bound in (lower, upper))
    return with_slopes(input, uniform(input.shape, *bounds))
