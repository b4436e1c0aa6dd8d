"""What a write to a view makes of the array that it shows elements of, and where views part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import wrap
from msgrad._core.context import context, count_sharing
from msgrad._core.deferred.recording import materialize


def everything(raw: Any) -> Any:
    """Show all elements: what two Tensors that share them are of each other."""
    return raw


def root(tensor: Any) -> Any:
    """Return the Tensor whose elements one shows all of, itself if there is no other."""
    while tensor._view is not None and tensor._view[1] is everything:
        tensor = tensor._view[0]
    return tensor


def share(target: Any, source: Any) -> None:
    """Have a Tensor share elements from now on with the one whose values it has just taken over.

    Whichever of them is the view, both read alike, but an optimizer's step is faster on what is
    none: rather a Tensor or a loaded checkpoint is one than a Parameter of a Cell, and of two of
    these the one that takes over, as the network that follows another.
    """
    source = root(source)
    if source._view is not None or _rank(source) >= max(_rank(target), 1):
        base, view = source, target
    else:
        base, view = target, source
    view._set_base(base, everything)
    if "_of_a_program" in vars(view):
        count_sharing()


def _rank(tensor: Any) -> int:
    return hasattr(type(tensor), "requires_grad") + vars(tensor).get("_of_a_cell", False)


def write_through(base: Any, view_of: Callable[[Any], Any], raw: Any) -> Any:
    """Return ``base`` with the elements that its view shows replaced by ``raw``.

    Applying the view to an array of positions tells where each of its elements lives, whatever
    the view is (a slice, a reshape, a transpose, chains of them).
    """
    if view_of is everything:
        return raw
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
    """Hand the elements of a Tensor, which is about to get others, to what shares them."""
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
            former = tensor._view[:2] if tensor._view else (wrap(tensor._peek()), everything)
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
    if first is everything or then is everything:
        return then if first is everything else first
    return lambda raw: then(first(raw))
