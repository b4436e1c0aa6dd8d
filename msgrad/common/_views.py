"""What a write to a view makes of the array that it shows elements of, and where views part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import wrap
from msgrad._core.context import context
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


def rebound(tensor: Any) -> None:
    """Give the elements of a Tensor, which is about to get others, to what shares them."""
    former: Any = None
    for ref in vars(tensor).pop("_views", ()):
        view = ref()
        if view is None or view._view is None or view._view[0] is not tensor:
            continue
        if context.scope is not None and not is_of_the_call(view):
            detach(view)
            continue
        view._refresh()
        view_of = view._view[1]
        detach(view)
        if former is None:
            former = tensor._view[:2] if tensor._view else (wrap(tensor._peek()), lambda raw: raw)
        view._set_base(former[0], _through(former[1], view_of))


def detach(tensor: Any) -> None:
    """Have a Tensor let go of the one it is a view of, which it may yet be written back into."""
    if tensor._view is not None:
        base, view_of, _ = tensor._view
        if tensor._picked is not None and tensor._picked[1] is None:
            tensor._picked = (base, view_of, tensor._picked[2])
        tensor._view = None


def is_of_the_call(tensor: Any) -> bool:
    """Whether a Tensor was made in the running gradient call or compiled call."""
    scope = context.scope
    return scope is not None and any(ref() is tensor for ref in scope.made)


def _through(first: Callable[[Any], Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what shows a view of a view."""
    return lambda raw: then(first(raw))
