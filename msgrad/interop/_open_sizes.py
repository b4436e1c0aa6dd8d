"""Programs of ``jax.export`` for batches of any size, where the network allows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from msgrad import log


def specs_of(inputs: Any, symbols: Callable[[str], Any] | None) -> list[jax.ShapeDtypeStruct]:
    """Return shapes and dtypes of the inputs, with symbols for the sizes that stay open."""
    shapes = [tuple(tensor.shape) for tensor in inputs]
    firsts = {shape[:1] for shape in shapes}
    shared = all(-1 not in shape for shape in shapes) and len(firsts) == 1 and () not in firsts
    names = [
        [
            "b" if at == 0 and (shared or size == -1) else f"d{place}_{at}" if size == -1 else None
            for at, size in enumerate(shape)
        ]
        for place, shape in enumerate(shapes)
    ]
    return [
        jax.ShapeDtypeStruct(
            tuple(symbols(n) if n and symbols else s for n, s in zip(row, shape, strict=True)),
            getattr(tensor.dtype, "np_dtype", tensor.dtype),
        )
        for row, shape, tensor in zip(names, shapes, inputs, strict=True)
    ]


def with_any_batch(make: Callable[..., Any], inputs: Any) -> Any:
    """Call ``make`` with open sizes; with those of the inputs, where that fails and they have."""
    # Not with msgrad: few programs export.
    from jax.export import SymbolicScope, symbolic_shape

    scope = SymbolicScope()
    try:
        return make(specs_of(inputs, lambda name: symbolic_shape(name, scope=scope)[0]))
    except Exception as error:
        if any(-1 in tensor.shape for tensor in inputs):
            raise
        found = make(specs_of(inputs, None))
        said = str(error).splitlines()[0]
        log.warning("The exported network is for these sizes only, as it needs them: %s", said)
        return found
