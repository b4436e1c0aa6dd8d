"""``vmap``: a function over one example mapped over a batch, on ``jax.vmap`` (facts 1.7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from msgrad._compiled.graph_mode import in_graph_mode
from msgrad._core.bridge import is_tensor, refill, tensors_in, wrap_arrays
from msgrad._core.deferred.recording import materialize
from msgrad._core.errors import EngineError, GradientError
from msgrad._core.scopes.integer_gradients import attach
from msgrad._gradients.mapped_call import MappedCall


def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Make a function that maps ``fn`` over a dimension of its arguments.

    Args:
        fn: Function, Cell or gradient function; or a CellList of Cells of one shape, which are
            mapped over together with (or instead of) the arguments.
        in_axes: Which dimension of each argument is mapped: an int for all, or a tuple with one
            int, None (not mapped) or nested tuple per argument.
        out_axes: Where the mapped dimension stands in the outputs: an int, or a tuple with one
            entry per output.

    Returns:
        A function of the same arguments.

    Raises:
        RuntimeError: At the call, for axes that do not fit the arguments, for mapped dimensions
            of different sizes, or if ``fn`` gives a Parameter a value that differs between
            examples.
    """
    # The class is a layer above; it says of itself that a call maps over its cells.
    ensemble = getattr(fn, "_is_ensemble", False)

    def mapped(*args: Any) -> Any:
        axes = _axes_of(in_axes, args, ensemble)
        pairs = zip(args, axes, strict=True)
        args = tuple([arg if axis is None else wrap_arrays(arg) for arg, axis in pairs])
        tensors = list(tensors_in(args))
        flat = _flatten_axes(axes, args)
        _check_axes(flat, tensors)
        cells = list(fn) if ensemble else []
        weights = [list(c.get_parameters()) for c in cells]
        stacked = [jnp.stack([p._read() for p in same]) for same in zip(*weights, strict=True)]
        if not stacked and all(axis is None for axis in flat):
            raise EngineError(
                "vmap needs at least one Tensor among the arguments that in_axes maps."
            )
        own = weights[0] if cells else []
        call = MappedCall(cells[0] if cells else fn, args, flat, own, stacked)
        results, axis_of = call.run(), _output_axes(out_axes, call.output, ensemble)
        output = refill(call.output, [_moved(raw, axis_of(i)) for i, raw in enumerate(results)])
        for place, tensor in enumerate(tensors_in(output)):
            if place in call.carriers:
                attach(tensor, _moved(call.carriers[place], axis_of(place)))
        return output

    # Nested lists have no hash.
    return in_graph_mode(mapped, fn, None, repr(in_axes), repr(out_axes), what="vmap")


def _moved(raw: Any, axis: int) -> Any:
    if not isinstance(axis, int) or not -raw.ndim <= axis < raw.ndim:
        raise GradientError(
            f"The axis: {axis} in 'out_axes' is out of bounds for array of dimension "
            f"[{-raw.ndim},{raw.ndim})."
        )
    return raw if axis == 0 else jnp.moveaxis(materialize(raw), 0, axis)


def _axes_of(in_axes: Any, args: Sequence[Any], ensemble: bool) -> list[Any]:
    if in_axes is None and not ensemble:
        raise GradientError(
            "The 'in_axes' of 'vmap' cannot be a single None while 'fn' is not a 'CellList'."
        )
    if not isinstance(in_axes, (tuple, list)):
        return [in_axes] * len(args)
    if len(in_axes) != len(args):
        raise GradientError(
            "When vmap`s 'in_axes' is a tuple or list, and its size must be equal to the number "
            f"of arguments of 'fn': {len(args)}, but got size: {len(in_axes)}."
        )
    if not ensemble and all(axis is None for axis in in_axes):
        raise GradientError(
            "The 'in_axes' of 'vmap' cannot be all None while 'fn' is not a 'CellList', but got "
            f"{tuple(in_axes)}."
        )
    return list(in_axes)


def _flatten_axes(axes: Any, args: Any) -> list[int | None]:
    """Return one axis per Tensor of ``args``; an axis for a container goes for all in it."""
    if is_tensor(args):
        return [axes]
    if not isinstance(args, (tuple, list, dict)):
        return []
    items = list(args.values()) if isinstance(args, dict) else list(args)
    each = list(axes) if isinstance(axes, (tuple, list)) else [axes] * len(items)
    if len(each) != len(items):
        raise GradientError(
            f"The nested 'in_axes' {tuple(each)} of 'vmap' does not fit an argument of "
            f"{len(items)} elements."
        )
    return [a for axis, item in zip(each, items, strict=True) for a in _flatten_axes(axis, item)]


def _check_axes(axes: list[int | None], tensors: list[Any]) -> None:
    sizes = []
    for axis, tensor in zip(axes, tensors, strict=True):
        if axis is None:
            continue
        if not isinstance(axis, int) or isinstance(axis, bool):
            raise GradientError(
                f"The axis in vmap`s 'in_axes' can only be of type Int or None, but got {axis!r}."
            )
        if not -tensor.ndim <= axis < tensor.ndim:
            raise GradientError(
                f"The axis: {axis} in 'in_axes' is out of bounds for array of dimension "
                f"[{-tensor.ndim},{tensor.ndim})."
            )
        sizes.append(tensor.shape[axis])
    for size in sizes:
        if size != sizes[0]:
            raise GradientError(
                "The 'axis_size' of each argument in the scope of 'vmap' should be equal, but got "
                f"{sizes[0]} and {size}."
            )


def _output_axes(out_axes: Any, output: Any, ensemble: bool) -> Callable[[int], Any]:
    if out_axes is None and not ensemble:
        raise GradientError(
            "The 'out_axes' of 'vmap' cannot be a single None while 'fn' is not a 'CellList'."
        )
    if not isinstance(out_axes, (tuple, list)):
        return lambda index: out_axes
    count = 1 if is_tensor(output) else len(output) if isinstance(output, (tuple, list)) else None
    if count is not None and count != len(out_axes):
        raise GradientError(
            f"The size of vmap's 'out_axes' should be equal to the result size: {count}, but got "
            f"size: {len(out_axes)}."
        )
    return out_axes.__getitem__
