"""Arrays that are donated to a program: what others hold of them, and where they stand meanwhile.

A training step reads, donates and replaces some arrays for each weight. Where nobody looks at them
between two steps they go from one call to the next as the list that JAX gave, a ``Residence``; the
instance dicts of their Tensors then hold ``_home`` in place of ``_data``. Whoever reads ``_data``
finds it missing, and ``Tensor.__getattr__`` lets all of them move back first.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from sys import getrefcount
from typing import Any

import jax.numpy as jnp

# Held while arrays are given away: another thread must not read them then.
giving_away = threading.RLock()
# References to an array that only its Tensor holds, where they are counted: the Tensor's, the
# list's and the argument's.
SOLE = 3


def copy_shared(arrays: list[Any]) -> None:
    """Put copies in the place of arrays that not only their Tensors hold, and this list."""
    if max(map(getrefcount, arrays), default=0) > SOLE:
        for i in range(len(arrays)):
            if getrefcount(arrays[i]) > SOLE:
                arrays[i] = jnp.copy(arrays[i])


class Residence:
    """The arrays of some Tensors, kept by a program.

    Args:
        tensors: The Tensors, which no longer have arrays themselves.
        arrays: Their arrays.

    Attributes:
        arrays: The arrays as they are now.
        writes: How often they were replaced.
        left: Whether they have moved back, or are about to.
    """

    __slots__ = ("_tensors", "arrays", "left", "writes")

    def __init__(self, tensors: Sequence[Any], arrays: list[Any]) -> None:
        # Weak: Tensors refer to this, and are to die when their last user lets go of them.
        self._tensors = [weakref.ref(tensor) for tensor in tensors]
        self.arrays = arrays
        self.writes = 0
        self.left = False
        for tensor in tensors:
            place = vars(tensor)
            place["_home"] = self
            del place["_data"]

    def leave(self) -> None:
        """Give the Tensors their arrays back; after an interrupt, it may be called again."""
        with giving_away:
            self.left = True
            for ref, raw in zip(self._tensors, self.arrays, strict=False):
                tensor = ref()
                if tensor is not None and vars(tensor).get("_home") is self:
                    place = vars(tensor)
                    place.setdefault("_data", raw)
                    if "_version" in place:
                        place["_version"] += self.writes
                    del place["_home"]
            self.arrays = []


def come_home(place: dict[str, Any]) -> None:
    """Let an array be in the instance dict of its Tensor, where it is with a program.

    It stays there for certain only while the caller holds ``giving_away``.
    """
    if "_home" in place:
        with giving_away:
            # Another thread may have let it go away again meanwhile.
            while (home := place.get("_home")) is not None:
                home.leave()
                if place.get("_home") is home:
                    # Of a Tensor that is dying, or copied from another one's.
                    del place["_home"]
