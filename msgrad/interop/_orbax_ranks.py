"""State of several ranks in one Orbax checkpoint: what is alike, what differs, what is cut.

An array that all ranks have alike stands under its name, written once. One that differs by rank, as
the statistics of a ``BatchNorm`` do, stands under ``NAME@ranks``, with an axis of ranks in front. A
state that is spread over the ranks (``enable_parallel_optimizer``) stands under ``NAME@parts:7x5``,
flat, each rank having written its part of an array of that shape.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from msgrad._core.distributed.across import collective, everyone, here
from msgrad._core.distributed.world import AXIS, mesh_of, world
from msgrad._core.errors import ArgumentValueError

_RANKS, _PARTS = "@ranks", "@parts:"


def split_name(key: str) -> tuple[str, str, tuple[int, ...]]:
    """Return the name of an entry, ``'ranks'``, ``'parts'`` or ``''``, and of parts the shape."""
    name, mark, sizes = key.rpartition(_PARTS)
    if mark:
        return name, "parts", tuple(int(size) for size in sizes.split("x") if size)
    if key.endswith(_RANKS):
        return key.removesuffix(_RANKS), "ranks", ()
    return key, "", ()


def _digests(values: Mapping[str, Any]) -> np.ndarray:
    """Return whether each array is the same on all ranks.

    Raises:
        ValueError: If the ranks have other names, shapes or dtypes.
    """
    forms = [f"{name} {value.shape} {value.dtype}" for name, value in values.items()]
    if not _same_everywhere([_hash("\n".join(forms).encode())]).all():
        raise ArgumentValueError(
            "the ranks have arrays of other names, shapes or dtypes; write files of their own."
        )
    return _same_everywhere([_hash(np.asarray(value).tobytes()) for value in values.values()])


def _hash(data: bytes) -> list[int]:
    return np.frombuffer(hashlib.blake2b(data, digest_size=8).digest(), np.int32).tolist()


def _same_everywhere(rows: list[list[int]]) -> np.ndarray:
    told = collective("all_gather", jnp.asarray([rows], jnp.int32), everyone())
    every = np.asarray(told)
    return (every == every[0]).all((0, 2))


def _of_all(own: Any, whole: bool) -> jax.Array:
    """Return an array of all ranks: the same on each, or one behind the other."""
    spec = PartitionSpec() if whole else PartitionSpec(AXIS)
    shape = own.shape if whole else (world.size * own.shape[0], *own.shape[1:])
    own = jax.device_put(own, world.devices[world.rank])
    sharding = NamedSharding(mesh_of(everyone()), spec)
    return jax.make_array_from_single_device_arrays(shape, sharding, [own])


def spread(
    values: Mapping[str, Any], parts: Mapping[str, tuple[int, ...] | None]
) -> dict[str, jax.Array]:
    """Return arrays of all ranks, by the names of their entries.

    Args:
        values: Of this rank.
        parts: Of what is cut, the whole shape.
    """
    cut = {name: shape for name, shape in parts.items() if shape is not None}
    rest = {name: value for name, value in values.items() if name not in cut}
    found = {
        f"{name}{_PARTS}{'x'.join(map(str, shape))}": _of_all(values[name], False)
        for name, shape in cut.items()
    }
    same = _digests(rest) if rest else ()
    for (name, value), alike in zip(rest.items(), same, strict=True):
        if alike:
            found[name] = _of_all(value, True)
        else:
            found[f"{name}{_RANKS}"] = _of_all(jnp.asarray(value)[None], False)
    return found


def how_to_read_part(library: Any, shape: tuple[int, ...]) -> Any:
    """Return how Orbax is to read this rank's part of an array that was cut for any number."""
    width = -(-math.prod(shape) // world.size)
    sharding = NamedSharding(mesh_of(everyone()), PartitionSpec(AXIS))
    return library.ArrayRestoreArgs(
        sharding=sharding, global_shape=(world.size * width,), strict=False
    )


def fitted(key: str, value: Any, part_of: tuple[int, ...] | None, asked: bool) -> Any:
    """Return what an entry is for this rank.

    Args:
        key: Its name.
        value: What was read.
        part_of: The shape of what this rank keeps a part of, if it does.
        asked: Whether the caller said what it is for.
    """
    _, kind, shape = split_name(key)
    if kind == "parts":
        if part_of is not None:
            return here(value)
        return np.asarray(value)[: math.prod(shape)].reshape(shape)
    if kind == "ranks" and asked:
        return value[world.rank % len(value)]
    if part_of is not None:
        flat = np.asarray(value).reshape(-1)
        width = -(-flat.size // world.size)
        return np.pad(flat, (0, world.size * width - flat.size))[world.rank * width :][:width]
    return value
