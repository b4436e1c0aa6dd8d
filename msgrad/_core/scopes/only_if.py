"""``only_if``: an action that changes state, done or left out by a flag that may be known later.

In a compiled call Python cannot ask for the flag, so the action is traced in any case, and each
value that it writes is chosen when the program runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._core.engine import concrete, is_tracer
from msgrad._core.scopes.scope import Scope


def only_if(flag: Any, action: Callable[[], Any]) -> None:
    """Do ``action`` if ``flag`` holds.

    Args:
        flag: 0-d bool Tensor.
        action: Writes Parameters; its result is not used.
    """
    known = concrete(flag._read())
    if not is_tracer(known):
        if bool(known):
            action()
        return
    scope = Scope()
    with scope:
        action()
        tensors, values = scope.escaped()
    count = len(scope.written)
    chosen = [
        jnp.where(known.reshape(()), new, old._read())
        for new, old in zip(values[:count], tensors[:count], strict=True)
    ]
    scope.commit(tensors, [*chosen, *values[count:]])
