"""Fractional pooling of images whose channels come last: windows of two sizes in random order.

Pooling with windows of one size at random places is in ``unpooling``.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.engine import to_device
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import limits
from msgrad._core.random import next_key
from msgrad._core.registry import function
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor

_DTYPES = ("float32", "float64", "int32", "int64")


def _edges(key: Array, size: int, count: int, pseudo_random: bool) -> Array:
    """Return where each of ``count`` windows begins that fill a size, and where the last ends."""
    if pseudo_random:
        # Graham, "Fractional Max-Pooling" (arXiv 1412.6071); windows differ by 1 at most.
        step, short = size / count, size // count
        most = min((short + 2) / step - 1, (size + 1 - short) / step - (count - 1))
        drawn = jax.random.uniform(key, (), jnp.float32) * most
        inner = jnp.ceil(step * (np.arange(1, count) + drawn)).astype(jnp.int32) - 1
    else:
        longer = jax.random.permutation(key, np.arange(count, dtype=np.int32)) < size % count
        inner = jnp.cumsum(size // count + longer.astype(jnp.int32), dtype=jnp.int32)[:-1]
    return jnp.concatenate([np.zeros(1, np.int32), inner, np.full(1, size, np.int32)])


@operator("FractionalPool")
def _fractional_pool(
    x: Array, key: Array, sizes: tuple[int, ...], pseudo_random: bool, overlapping: bool, mean: bool
) -> tuple[Array, Array, Array]:
    keys = jax.random.split(jax.random.wrap_key_data(key))
    edges: list[Array] = []
    parts: Any = 1
    out = x
    for d, count in enumerate(sizes):
        size = x.shape[1 + d]
        edge = _edges(keys[d], size, count, pseudo_random)
        at = edge[:-1, None] + np.arange(size // count + 1 + overlapping, dtype=np.int32)
        inside = (at < edge[1:, None] + overlapping) & (at < size)
        edges.append(edge.astype(mstype.int64.np_dtype))
        # Both reductions may be taken along one dimension after the other.
        values = jnp.take(out, jnp.minimum(at, size - 1), 1 + d)
        where = inside.reshape(*inside.shape, *(1,) * (2 - d))
        if mean:
            out = values.sum(2 + d, x.dtype, where=where)
            parts = parts * inside.sum(1).reshape(-1, *(1,) * (2 - d))
        else:
            out = jax.lax.reduce_max(jnp.where(where, values, limits(x.dtype)[0]), (2 + d,))
    if mean:
        # Towards zero, as C divides integers.
        out = jax.lax.div(out, jnp.broadcast_to(parts, out.shape).astype(x.dtype))
    return out, edges[0], edges[1]


def _primitive(mean: bool) -> None:
    name = "FractionalAvgPool" if mean else "FractionalMaxPool"
    what = "means" if mean else "maxima"

    def pool(
        x: Tensor,
        pooling_ratio: list,
        pseudo_random: bool,
        overlapping: bool,
        deterministic: bool,
        seed: int,
        seed2: int,
    ) -> tuple[Tensor, Tensor, Tensor]:
        seeds = (seed & 0xFFFFFFFF, seed2 & 0xFFFFFFFF)
        if not isinstance(pooling_ratio, list) or not all(type(r) is float for r in pooling_ratio):
            raise ArgumentTypeError(
                f"'pooling_ratio' must be a list of floats, not {pooling_ratio}."
            )
        if len(pooling_ratio) != 4 or pooling_ratio[::3] != [1.0, 1.0] or min(pooling_ratio) < 1:
            raise ArgumentValueError(
                f"'pooling_ratio' must be [1.0, rows, columns, 1.0], each at least 1.0, but got "
                f"{pooling_ratio}."
            )
        if str(x.dtype).lower() not in _DTYPES:
            raise ArgumentTypeError(
                f"the images must be of {', '.join(_DTYPES)}, but got {x.dtype}."
            )
        sizes = tuple(int(n / r) for n, r in zip(x.shape[1:3], pooling_ratio[1:3], strict=True))
        if x.ndim != 4 or 0 in sizes:
            raise ArgumentValueError(
                f"{pooling_ratio} leaves nothing of images of shape {x.shape}."
            )
        if any(seeds) and not deterministic:
            raise ArgumentValueError("without 'deterministic', 'seed' and 'seed2' must be 0.")
        key = to_device(np.array(seeds, np.uint32)) if any(seeds) else next_key(None)
        return _fractional_pool(x, key, sizes, pseudo_random, overlapping, mean)

    pool.__doc__ = f"""Return the {what} of windows of two sizes in random order, and their edges.

        Args:
            x: Tensor (N, H, W, C), float32, float64, int32 or int64.
            pooling_ratio: How many times more rows and columns than windows: a list
                ``[1.0, rows, columns, 1.0]`` of floats.
            pseudo_random: Whether the windows follow each other evenly, from a random place on.
            overlapping: Whether what is at an edge belongs to both windows.
            deterministic: Whether the seeds tell where the windows are.
            seed: With ``deterministic``, the same seeds give the same windows.
            seed2: The other one.

        Returns:
            Tensor (N, H / rows, W / columns, C), and two int64 Tensors: the edges.
        """
    options = "pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0"
    function(name=name, primitive=f"{name}(pooling_ratio, {options})")(pool)


_primitive(True)
_primitive(False)
