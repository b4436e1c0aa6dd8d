"""What a write to a view makes of the array that it shows elements of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.deferred.recording import materialize


def write_through(base: Any, view_of: Callable[[Any], Any], raw: Any) -> Any:
    """Return ``base`` with the elements that its view shows replaced by ``raw``.

    Applying the view to an array of positions tells where each of its elements lives, whatever
    the view is (a slice, a reshape, a transpose, chains of them).
    """
    positions = _positions(base, view_of)
    return base.reshape(-1).at[positions].set(raw.reshape(-1)).reshape(base.shape)


def write_spread(base: Any, view_of: Callable[[Any], Any], before: Any, raw: Any) -> Any:
    """As ``write_through``, for a view that shows an element several times (``broadcast_to``).

    What was written is told by what changed; where it was not, the other copies stand.
    """
    changed = (raw != before).reshape(-1)
    positions = jnp.where(changed, _positions(base, view_of), base.size)
    flat = base.reshape(-1).at[positions].set(raw.reshape(-1), mode="drop")
    return flat.reshape(base.shape)


def _positions(base: Any, view_of: Callable[[Any], Any]) -> Any:
    places = np.arange(base.size, dtype=np.int32).reshape(base.shape)
    return materialize(view_of(places)).reshape(-1)
