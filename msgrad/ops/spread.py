"""What cuts Tensors into parts for several devices, where a program is traced that has several.

Which parts there are, strategies say; how they become shardings is in
``_core/distributed/devices.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax

from msgrad._core.bridge import map_tensors, tensors_in
from msgrad._core.context import context
from msgrad._core.distributed.devices import Cuts, mesh, spreads
from msgrad._core.errors import EngineError
from msgrad._core.op import Array, Operator


def _constrain(x: Array, sharding: Any) -> Array:
    return jax.lax.with_sharding_constraint(x, sharding)


_constrained = Operator(
    _constrain, "Reshard", int_grad=True, view=False, autocast=False, product=False
)


def constrained(tree: Any, strategies: Sequence[Any] | None, what: str) -> Any:
    """Return Tensors cut as strategies say, where a program is traced that is spread over devices.

    Args:
        tree: Tensors in tuples, lists and dicts.
        strategies: One for each that has a dimension; None for what XLA decides.
        what: Who asks for it, for errors.

    Raises:
        RuntimeError: If strategies do not fit.
    """
    if strategies is None or context.lift is None or not spreads():
        return tree
    wanted = [s for s in strategies if s != ()]
    shapes = [t.shape for t in tensors_in(tree) if t.shape]
    if len(wanted) != len(shapes):
        raise EngineError(
            f"{what}: there are {len(wanted)} strategies for {len(shapes)} Tensors, of the shapes "
            f"{', '.join(map(str, shapes))}; give one for each."
        )
    cuts = Cuts(what, mesh())
    found = iter([cuts.sharding(s, shape) for s, shape in zip(wanted, shapes, strict=True)])
    return map_tensors(lambda t: _constrained(t, next(found)) if t.shape else t, tree)
