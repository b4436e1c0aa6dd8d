"""Functions of NumPy arrays that a program calls on the host, with all bits of what they are given.

Where 64 bits are not the default, JAX narrows such values on their way to a callback, and refuses
them as results: here they travel as words of 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Kind = tuple[tuple[int, ...], np.dtype]

_WIDE = tuple(map(np.dtype, ("int64", "uint64", "float64", "complex128")))


def call_on_host(
    fn: Callable[..., Sequence[Any]], kinds: Sequence[Any], raws: Sequence[Any], **options: Any
) -> list[jax.Array]:
    """Return what ``fn`` gives for arrays, by ``jax.pure_callback``.

    Args:
        fn: Takes NumPy arrays, returns several.
        kinds: What has the shape and dtype of each result.
        raws: The arrays.
        options: Of ``pure_callback``.
    """
    taken, given = [*map(_kind, raws)], [*map(_kind, kinds)]

    def call(*words: Any) -> tuple[np.ndarray, ...]:
        results = fn(*map(_read, words, taken))
        return tuple(_written(*pair) for pair in zip(results, given, strict=True))

    sent = [jax.ShapeDtypeStruct(*_as_sent(*kind)) for kind in given]
    found = jax.pure_callback(call, tuple(sent), *map(_to_words, raws), **options)
    return [*map(_from_words, found, given)]


def tell_host(fn: Callable[..., None], raws: Sequence[Any], ordered: bool = False) -> None:
    """Call ``fn`` with NumPy arrays each time the program comes here, by ``jax.debug.callback``."""
    taken = [*map(_kind, raws)]
    told = [*map(_to_words, raws)]
    jax.debug.callback(lambda *words: fn(*map(_read, words, taken)), *told, ordered=ordered)


def _kind(value: Any) -> Kind:
    return tuple(value.shape), np.dtype(value.dtype)


def _as_sent(shape: tuple[int, ...], dtype: np.dtype) -> Kind:
    wide = dtype in _WIDE
    return ((*shape, dtype.itemsize // 4), np.dtype("uint32")) if wide else (shape, dtype)


def _to_words(raw: Any) -> Any:
    if raw.dtype not in _WIDE:
        return raw
    parts = jnp.stack([raw.real, raw.imag], -1) if raw.dtype.kind == "c" else raw
    return lax.bitcast_convert_type(parts, jnp.uint32).reshape(_as_sent(*_kind(raw))[0])


def _from_words(words: Any, kind: Kind) -> Any:
    shape, dtype = kind
    if dtype not in _WIDE:
        return words
    if dtype.kind != "c":
        return lax.bitcast_convert_type(words, dtype)
    parts = lax.bitcast_convert_type(words.reshape(*shape, 2, 2), jnp.float64)
    return lax.complex(parts[..., 0], parts[..., 1])


def _read(words: Any, kind: Kind) -> np.ndarray:
    shape, dtype = kind
    found = np.ascontiguousarray(words)
    return (found.view(dtype) if dtype in _WIDE else found).reshape(shape)


def _written(array: Any, kind: Kind) -> np.ndarray:
    shape, dtype = kind
    found = np.ascontiguousarray(np.asarray(array, dtype).reshape(shape))
    shape, dtype = _as_sent(shape, dtype)
    return found.view(dtype).reshape(shape)
