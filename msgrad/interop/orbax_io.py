"""Orbax checkpoints as arrays by name, by the ``orbax-checkpoint`` library (an extra).

A checkpoint is a folder; a training state as ``functionalize`` gives it goes in and comes back::

    saving = interop.write_orbax("run/100.orbax", state, asynchronous=True)
    ...                                       # Steps may go on, and donate the state.
    saving.wait_until_finished()
    interop.restore(interop.read_orbax("run/100.orbax", like=state))

On several ranks all of them write into one folder, each what it alone has; any number of ranks can
read that. An array that all ranks have alike stands under its name, written once. One that differs
by rank, as the statistics of a ``BatchNorm`` do, stands under ``NAME@ranks``, with an axis of ranks
in front. A state that is spread over the ranks (``enable_parallel_optimizer``) stands under
``NAME@parts:7x5``, flat, each rank having written its part of an array of that shape.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from msgrad._core.bridge import unwrap
from msgrad._core.distributed.across import collective, everyone, here
from msgrad._core.distributed.world import AXIS, mesh_of, world
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.missing import library
from msgrad._core.ownership import is_my_turn, lock, wait_for_turn
from msgrad.interop.functional import State
from msgrad.nn.cell import Cell


def write_orbax(
    path: str | os.PathLike[str], values: Cell | Mapping[str, Any], *, asynchronous: bool = False
) -> Any:
    """Write an Orbax checkpoint; each array in the shards that it has.

    Args:
        path: The folder; one that exists is removed first.
        values: A Cell (a network, an optimizer, a training cell: all its parameters), a ``State``,
            or a dict of arrays, Tensors or Parameters by name. All ranks have the same names.
        asynchronous: Whether to return when the values have been copied, and write meanwhile.

    Returns:
        None; with ``asynchronous`` Orbax's checkpointer, whose ``wait_until_finished()`` is to be
        called before the process ends, and raises what went wrong.

    Raises:
        ModuleNotFoundError: If the library is not installed.
        TypeError: If a value is no array of numbers; nothing is written.
        ValueError: If an array has no elements, which Orbax does not write; nothing is written.
        OSError: If the folder cannot be written.
    """
    orbax = library("orbax.checkpoint", "orbax", "An Orbax checkpoint")
    if isinstance(values, Cell):
        values = {param.name: param for param in values.get_parameters()}
    parts = {name: getattr(value, "_part_of", None) for name, value in values.items()}
    # Of one step, whatever another thread does.
    wait_for_turn()
    with lock:
        is_my_turn()
        arrays = {name: unwrap(value) for name, value in values.items()}
    for name, array in arrays.items():
        arrays[name] = array = array if isinstance(array, jax.Array) else np.asarray(array)
        if array.dtype.kind in "USO":
            raise ArgumentTypeError(
                f"An Orbax checkpoint holds arrays of numbers, but '{name}' is {array.dtype}."
            )
        if not array.size:
            raise ArgumentValueError(
                f"Orbax writes no array without elements, but '{name}' has shape {array.shape}."
            )
    if asynchronous:
        # The next step may donate these.
        arrays = {name: jnp.copy(v) if isinstance(v, jax.Array) else v.copy()
                  for name, v in arrays.items()}  # fmt: skip
    if world.size > 1:
        arrays = _spread(arrays, parts)
    saver = orbax.AsyncCheckpointer(orbax.PyTreeCheckpointHandler())
    saver.save(os.path.abspath(path), args=orbax.args.PyTreeSave(arrays), force=True)
    if asynchronous:
        return saver
    try:
        saver.wait_until_finished()
    finally:
        saver.close()
    return None


def read_orbax(path: str | os.PathLike[str], like: Cell | Mapping[str, Any] | None = None) -> Any:
    """Read an Orbax checkpoint.

    Args:
        path: The folder. Of a checkpoint that others wrote, the names of a path are joined by
            points.
        like: A ``State``, a Cell, or arrays or Tensors by name: these are read, as JAX arrays in
            the shards that they have here. What differed by rank, rank ``r`` has from rank ``r``
            modulo the number of ranks that wrote.

    Returns:
        NumPy arrays by name; with ``like`` what it is, a ``State`` or a dict. Without it, what
        differed by rank stands under ``NAME@ranks``, for all of them.

    Raises:
        ModuleNotFoundError: If the library is not installed.
        FileNotFoundError: If there is no checkpoint.
        ValueError: If it lacks a name of ``like``, or an array has another shape there.
    """
    orbax = library("orbax.checkpoint", "orbax", "An Orbax checkpoint")
    path = os.path.abspath(path)
    asks = like is not None
    if isinstance(like, Cell):
        like = {param.name: param for param in like.get_parameters()}
    like = {} if like is None else like
    with orbax.Checkpointer(orbax.PyTreeCheckpointHandler()) as reader:
        found = reader.metadata(path)
        if found is None or found.item_metadata is None:
            raise FileNotFoundError(f"{path} is not an Orbax checkpoint.")
        tree = found.item_metadata.tree
        shapes = {_dotted(at): leaf for at, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]}
        keys = {_split_name(key)[0]: key for key in shapes}
        parts = {name: getattr(value, "_part_of", None) for name, value in like.items()}
        wanted = {name: unwrap(value) for name, value in like.items()}
        for name, value in wanted.items():
            had = _shape_of(keys.get(name), shapes)
            shape = tuple(value.shape) if parts[name] is None else parts[name]
            if had != shape:
                raise ArgumentValueError(
                    f"'{name}' must be of shape {shape}, but in {path} it is {had}."
                )

        def how(at: Any, _: Any) -> Any:
            name, kind, whole = _split_name(_dotted(at))
            value = wanted.get(name)
            if kind == "parts" and parts.get(name) is not None:
                return _how_to_read_part(orbax, whole)
            if isinstance(value, jax.Array) and not kind and world.size == 1:
                return orbax.ArrayRestoreArgs(sharding=value.sharding)
            return orbax.RestoreArgs(restore_type=np.ndarray)

        restore = orbax.args.PyTreeRestore(restore_args=jax.tree_util.tree_map_with_path(how, tree))
        values = reader.restore(path, args=restore)
    named = {}
    for at, leaf in jax.tree_util.tree_flatten_with_path(values)[0]:
        name, kind, _ = _split_name(key := _dotted(at))
        asked = name in wanted
        leaf = _fitted(key, leaf, parts.get(name), asked)
        named[name if asked or kind == "parts" else key] = leaf
    if not asks:
        return named
    if world.size > 1:
        named = {name: jnp.asarray(value) for name, value in named.items() if name in wanted}
    if isinstance(like, State):
        return like.with_arrays(named)
    return {name: named[name] for name in like}


def _shape_of(key: str | None, stored: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the shape that an array had on a rank, or before it was cut."""
    if key is None:
        return None
    _, kind, whole = _split_name(key)
    shape = tuple(stored[key].shape)
    return whole if kind == "parts" else shape[1:] if kind == "ranks" else shape


# Several ranks -------------------------------------------------------------------------------

_RANKS, _PARTS = "@ranks", "@parts:"


def _split_name(key: str) -> tuple[str, str, tuple[int, ...]]:
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


def _spread(
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


def _how_to_read_part(library: Any, shape: tuple[int, ...]) -> Any:
    """Return how Orbax is to read this rank's part of an array that was cut for any number."""
    width = -(-math.prod(shape) // world.size)
    sharding = NamedSharding(mesh_of(everyone()), PartitionSpec(AXIS))
    return library.ArrayRestoreArgs(
        sharding=sharding, global_shape=(world.size * width,), strict=False
    )


def _fitted(key: str, value: Any, part_of: tuple[int, ...] | None, asked: bool) -> Any:
    """Return what an entry is for this rank.

    Args:
        key: Its name.
        value: What was read.
        part_of: The shape of what this rank keeps a part of, if it does.
        asked: Whether the caller said what it is for.
    """
    _, kind, shape = _split_name(key)
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


_dotted = partial(jax.tree_util.keystr, simple=True, separator=".")

__all__ = public_names(globals())
