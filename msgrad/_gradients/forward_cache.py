"""The forward pass of a Cell with ``set_grad``, kept for the gradient call that follows it.

A hand-written training step calls ``network(*inputs)`` and then
``GradOperation(...)(network, weights)(*inputs, sens)``. MindSpore runs the network once for both
(facts 1.4): one dropout mask, one update of the running statistics. So it is here, for the same
input objects and unchanged weights; at most one forward pass for each thread is kept.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.bridge import is_tensor, tensors_in
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.promotion import is_float
from msgrad._gradients.differentiated_call import DifferentiatedCall, Pullback


class CachedForward:
    """A forward pass that has run, with what its gradient needs; dropped with its Cell."""

    def __init__(
        self, cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], params: list[Any]
    ) -> None:
        # A training step does not use the gradients of its inputs, which cost as much as a layer.
        candidates = params or [*args, *kwargs.values()]
        floating = [v for v in candidates if is_tensor(v) and is_float(v._read().dtype)]
        # What the gradient will be asked for: the parameters, or without any the inputs.
        self.variables = list({id(v): v for v in floating}.values())
        self.args, self.kwargs = args, kwargs
        call = DifferentiatedCall(
            cell, args, kwargs, self.variables, lambda out: list(tensors_in(out))
        )
        self.pullback = call.linearize()
        self.output, self.selected = call.output, call.selected
        self._seen = list(
            {id(t): t for t in [*self.variables, *tensors_in([args, kwargs])]}.values()
        )
        self._values = [t._read() for t in self._seen]
        this = weakref.ref(self)
        self.cell = weakref.ref(cell, lambda _: (kept := this()) and vars(kept).clear())

    def fits(self, cell: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
        """Whether a gradient call of ``cell`` would compute the very same again."""
        return (
            bool(vars(self))
            and self.cell() is cell
            and len(args) == len(self.args)
            and all(a is b for a, b in zip(args, self.args, strict=True))
            and kwargs.keys() == self.kwargs.keys()
            and all(value is self.kwargs[key] for key, value in kwargs.items())
            and all(t._read() is v for t, v in zip(self._seen, self._values, strict=True))
        )


def forward_for_gradient(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a Cell outside of any gradient call and keep what its gradient will need."""
    context.forward = None
    params = list(cell.get_parameters())
    tensors = [*params, *tensors_in([args, kwargs])]
    if context.lift is None and any(is_tracer(t._read()) for t in tensors):
        # Inside a JAX transform of the user's own, nothing may be kept for later.
        return cell._cell_call_now(args, kwargs)
    context.forward = kept = CachedForward(cell, args, kwargs, params)
    return kept.output


def forward_in_program(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a Cell in a compiled call, outside of any gradient, and note what it writes."""
    lift: Any = context.lift
    start = len(lift.history)
    output = cell._cell_call_now(args, kwargs)
    noted = None
    if id(cell) not in lift.forwards and not kwargs and all(map(is_tensor, args)):
        # Not held: what a call makes must not seem to outlive it.
        noted = [*map(weakref.ref, args)], start, len(lift.history)
    lift.forwards[id(cell)] = cell, noted
    return output


def take_back_forward(fn: Any, args: Sequence[Any]) -> None:
    """Give state back what it was before a forward pass that a gradient call is to run again.

    In a compiled call MindSpore runs a network once for both, ``set_grad`` or not, if it is called
    once.
    """
    lift: Any = context.lift
    if lift is None or context.scope is not lift or id(fn) not in lift.forwards:
        return
    cell, noted = lift.forwards[id(fn)]
    lift.forwards[id(fn)] = cell, None
    if noted is None:
        return
    refs, start, end = noted
    alike = [*map(id, args)] == [id(ref()) for ref in refs]
    later = {id(ref()) for ref, _ in lift.history[end:]}
    if alike and later.isdisjoint(map(id, [*cell.get_parameters(), *tensors_in(args)])):
        for ref, value in reversed(lift.history[start:end]):
            if (tensor := ref()) is not None:
                lift.write(tensor, value)


def _cached(fn: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> CachedForward | None:
    cached = context.forward
    usable = cached is not None and context.scope is context.lift and cached.fits(fn, args, kwargs)
    return cached if usable else None


def cached_parameters(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> list[Any] | None:
    """Return the trainable Parameters of the forward pass that was kept for this call, or None."""
    cached = _cached(fn, args, kwargs)
    if cached is None:
        return None
    return [v for v in cached.variables if getattr(v, "requires_grad", False)]


def take_forward(call: DifferentiatedCall) -> Pullback | None:
    """Take over the forward pass that was kept for this gradient call, as if it had run now.

    Returns:
        What ``call.linearize`` would, or None where the program must run (again).
    """
    cached = _cached(call.fn, call.args, call.kwargs)
    if cached is None or not {*map(id, call.variables)} <= {*map(id, cached.variables)}:
        return None
    selected = list(call.select(cached.output))
    if [*map(id, selected)] != [*map(id, cached.selected)]:
        return None
    context.forward = None
    call.output, call.selected, call.variables = cached.output, selected, cached.variables
    return cached.pullback
