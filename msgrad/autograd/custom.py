"""``_Function``: an operation with a forward and a backward pass of the user's (facts 1.11)."""

from __future__ import annotations

from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.context import context
from msgrad._core.errors import GradientError
from msgrad.autograd.bprop import call_with_bprop


class FunctionCtx:
    """What ``forward`` hands over to ``backward``; any attribute may be set on it.

    Attributes:
        needs_input_grad: Per input, whether it is a Tensor.
    """

    def __init__(self, inputs: tuple[Any, ...]) -> None:
        self.needs_input_grad = tuple(is_tensor(i) for i in inputs)
        self._saved: tuple[Any, ...] = ()

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
        """Accepted for compatibility: ``backward`` decides what is passed on."""

    def set_materialize_grads(self, value: bool) -> None:
        """Accepted for compatibility: gradients of unused outputs are zeros."""


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

        def construct(*inputs: Any) -> Any:
            return cls._forward(ctx, inputs)

        def bprop(*inputs_out_dout: Any) -> Any:
            dout = inputs_out_dout[-1]
            grads = dout if isinstance(dout, (tuple, list)) else (dout,)
            given = cls.backward(ctx, *grads)
            if not isinstance(given, (tuple, list)):
                given = (given,)
            if len(given) < len(args) or any(g is not None for g in given[len(args) :]):
                raise GradientError(
                    f"{cls.__name__}.backward must return one gradient per input of forward: "
                    f"{len(args)} are needed, but got {len(given)}."
                )
            return tuple(
                g for g, needed in zip(given, ctx.needs_input_grad, strict=False) if needed
            )

        return call_with_bprop(construct, bprop, args, {})
