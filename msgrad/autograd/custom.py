"""``_Function``: an operation with a forward and a backward pass of the user's (facts 1.11)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from msgrad._core.basics import stop_gradient
from msgrad._core.bridge import is_tensor, map_tensors, tensors_in
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.errors import GradientError
from msgrad.autograd.bprop import call_with_bprop
from msgrad.autograd.hooks import moving_part
from msgrad.common.tensor import Tensor


class FunctionCtx:
    """What ``forward`` hands over to ``backward``; any attribute may be set on it."""

    def __init__(self, inputs: tuple[Any, ...]) -> None:
        self._inputs = inputs
        self._saved: tuple[Any, ...] = ()
        self._constants: set[int] = set()
        self._materialize = True

    @cached_property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """Per input, whether it is a Tensor with a gradient."""
        return tuple(map(_needs_gradient, self._inputs))

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep Tensors for the backward pass."""
        self._saved = tensors

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What ``save_for_backward`` kept."""
        return self._saved

    def mark_dirty(self, *tensors: Any) -> None:
        """Accepted for compatibility: in-place changes are seen without it."""

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Have results carry no gradient: ``backward`` gets zeros for them.

        Raises:
            RuntimeError: If one is not a Tensor.
        """
        for tensor in tensors:
            if not is_tensor(tensor):
                raise GradientError(
                    "element of non_differentiable should be a tensor, but get a "
                    f"{type(tensor).__name__}. Give each result as an argument of its own."
                )
        self._constants = {*map(id, tensors)}

    def set_materialize_grads(self, value: bool) -> None:
        """Have ``backward`` get zeros (True) or None for a result that nothing depends on.

        Raises:
            RuntimeError: If ``value`` is not a bool.
        """
        if not isinstance(value, bool):
            raise GradientError(
                f"set materialize_grads value should be bool! but got {type(value).__name__}"
            )
        self._materialize = value


def _needs_gradient(value: Any) -> bool:
    if not is_tensor(value):
        return False
    if hasattr(type(value), "requires_grad"):
        return value.requires_grad
    return context.scope is not None and is_tracer(moving_part(value))


class _Function:
    """Base of custom operations: define ``forward(ctx, *args)`` and ``backward(ctx, *grads)``.

    Both are static methods. With a static method ``setup_context(ctx, inputs, output)`` as well,
    ``forward`` takes the arguments alone. ``backward`` returns one gradient per input of
    ``forward``; None stands for zeros, and further ones must be None. Call it as
    ``Cls.apply(*args)``.
    """

    @staticmethod
    def forward(ctx: FunctionCtx, *args: Any) -> Any:
        """Compute the output; to be defined by the subclass."""
        raise NotImplementedError("A subclass of _Function must define the static method forward.")

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Any) -> Any:
        """Compute the input gradients; to be defined by the subclass."""
        raise NotImplementedError("A subclass of _Function must define the static method backward.")

    setup_context: Any = None

    @classmethod
    def _forward(cls, ctx: FunctionCtx, args: tuple[Any, ...]) -> Any:
        if cls.setup_context is None:
            return cls.forward(ctx, *args)
        output = cls.forward(*args)  # pyright: ignore[reportArgumentType]
        cls.setup_context(ctx, args, output)
        return output

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run ``forward``, with ``backward`` as its backward pass."""
        ctx = FunctionCtx(args)
        if context.scope is None:
            return cls._forward(ctx, args)

        constants: list[bool] = []
        seen: list[Any] = []

        def construct(*inputs: Any) -> Any:
            output = cls._forward(ctx, inputs)
            # Before anything of the call becomes a number.
            vars(ctx)["needs_input_grad"] = ctx.needs_input_grad
            constants.extend(id(tensor) in ctx._constants for tensor in tensors_in(output))
            seen.extend(tensors_in([*inputs, output]))
            return output

        def bprop(*inputs_out_dout: Any) -> Any:
            *inputs_out, dout = inputs_out_dout
            grads = dout if isinstance(dout, (tuple, list)) else (dout,)
            kinds = (Tensor, tuple, list, dict)
            # Of the transform that is running: the Tensors themselves are of the one around it.
            now = dict(zip(map(id, seen), tensors_in(inputs_out), strict=True))
            saved, ctx._saved = ctx._saved, tuple(now.get(id(t), t) for t in ctx._saved)
            try:
                given = cls.backward(ctx, *[g if isinstance(g, kinds) else None for g in grads])
            finally:
                ctx._saved = saved
            if not isinstance(given, (tuple, list)):
                given = (given,)
            if len(given) < len(args) or any(g is not None for g in given[len(args) :]):
                raise GradientError(
                    f"{cls.__name__}.backward must return one gradient per input of forward: "
                    f"{len(args)} are needed, but got {len(given)}."
                )
            for position, (grad, arg) in enumerate(zip(given, args, strict=False)):
                if grad is not None and not is_tensor(arg):
                    raise GradientError(
                        "Input is not tensor, but gradient is not none, position: "
                        f"{position} type: {type(grad)}. {cls.__name__}.backward must return None "
                        f"there, since forward got {type(arg)}."
                    )
            return tuple(given)

        output = call_with_bprop(construct, bprop, args, {}, lambda: not ctx._materialize)
        if not any(constants):
            return output
        rest = iter(constants)
        return map_tensors(lambda t: stop_gradient(t) if next(rest) else t, output)
