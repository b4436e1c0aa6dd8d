"""``mindspore.ops._primitive_cache``: Primitives made once for each set of options."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def _get_cache_prim(cls: type) -> Callable[..., Any]:
    """Return a function that makes a Primitive of a class, or gives the one made before.

    Args:
        cls: A class of Primitives; what cannot be hashed among the options is made anew.
    """

    def make(*args: Any, **kwargs: Any) -> Any:
        try:
            # The types too, since True and 1 are different options and equal.
            kinds = tuple(type(value) for value in (*args, *kwargs.values()))
            return _made(cls, args, tuple(kwargs.items()), kinds)
        except TypeError:
            return cls(*args, **kwargs)

    return make


@functools.lru_cache(maxsize=1024)
def _made(
    cls: type, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...], kinds: tuple[type, ...]
) -> Any:
    return cls(*args, **dict(kwargs))
