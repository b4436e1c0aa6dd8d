"""``gradients_of``: one gradient call with its targets in a row; the transforms build on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor, tensors_in, wrap
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, GradientError
from msgrad._gradients.differentiated_call import DifferentiatedCall, as_outside
from msgrad._gradients.forward_cache import (
    cached_parameters,
    take_back_forward,
    take_forward,
)
from msgrad._gradients.used_parameters import gradients_of_used
from msgrad.common import dtype as mstype


def gradients_of(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    targets: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
    cotangents_of: Callable[[list[Any]], list[Any] | None],
    used: bool = False,
) -> tuple[Any, list[Any]]:
    """Run ``fn`` and give its output and the gradient of every target.

    Args:
        fn: The program.
        args: Its positional arguments.
        kwargs: Its keyword arguments.
        targets: Tensors to differentiate with respect to; one that occurs twice gets the same
            total gradient in both places, as MindSpore accumulates per object.
        select: Gives the Tensors of the output to differentiate.
        cotangents_of: Takes these, raw or what has their shape and dtype, and returns a raw
            cotangent for each, or None for ones; see ``given``.
        used: Whether the Parameters that ``fn`` turns out to use are targets as well, behind
            the others.

    Returns:
        What ``fn`` returned, and one Tensor per target.

    Raises:
        RuntimeError: In a ``_no_grad`` block, and so in the ``construct`` of a Cell with a
            ``bprop``.
    """
    if context.no_grad and context.inputs is None:
        raise GradientError(
            "In no_grad context, you can not calculate gradient; call the gradient function "
            "outside of _no_grad, or in bprop instead of construct."
        )

    take_back_forward(fn, args)
    cached = cached_parameters(fn, args, kwargs) if used else None
    if cached is not None:
        targets = [*targets, *cached]
    variables = list({id(t): t for t in targets}.values())
    call = DifferentiatedCall(fn, args, kwargs, variables, select)
    if used and cached is None:
        return gradients_of_used(call, targets, cotangents_of)
    pullback = take_forward(call)
    if pullback is None:
        raws = call.gradients(cotangents_of)
    else:
        raws = pullback(cotangents_of([t._read() for t in call.selected]))
    return call.output, call.wrapped(as_outside(raws), targets)


def given(sens: Any) -> Callable[[list[Any]], list[Any] | None]:
    """Return what checks a cotangent: a Tensor, or a tuple matching the outputs; None for ones."""
    return lambda outputs: None if sens is None else checked_cotangents(sens, outputs)


def checked_cotangents(sens: Any, outputs: Sequence[Any]) -> list[Any]:
    """Return the raw cotangents of the selected outputs, checked against them.

    Args:
        sens: A Tensor, or a tuple of Tensors that matches the outputs; a number for a single
            output of one element. An output without dimensions takes any shape and dtype, and
            compiled any output takes one element, or its own elements in another shape.
        outputs: The raw outputs, or what has their shape and dtype.

    Raises:
        ValueError: For another shape.
        TypeError: For another dtype.
        RuntimeError: For a shape that only would broadcast, a number, or a wrong count.
    """
    number = isinstance(sens, (int, float, np.number)) and not isinstance(sens, bool)
    if number and len(outputs) == 1:
        sens = wrap(jnp.asarray(sens, outputs[0].dtype))
    given = [sens] if is_tensor(sens) else list(tensors_in(sens))
    if len(given) != len(outputs):
        raise GradientError(
            f"The sens gradient must hold one Tensor per output: {len(outputs)} are needed, but "
            f"got {len(given)} in {sens!r}."
        )
    raws = []
    for value, output in zip(given, outputs, strict=True):
        raw = value._peek()
        if output.shape == () and (raw.shape, raw.dtype) != ((), output.dtype):
            # The usual one is a loss scale of shape (1,); MindSpore adds up what are several.
            raw = value._read()
            raw = (raw.reshape(()) if raw.size == 1 else raw.sum()).astype(output.dtype)
        elif context.inputs is not None and raw.shape != output.shape:
            raw = _as_compiled(value._read(), output.shape)
        if raw.shape != output.shape:
            text = f"The shape should be {list(output.shape)}, but got {list(raw.shape)}"
            if raw.ndim == 0:
                raise GradientError(
                    "For grad interface or custom function, grad tensor should be broadcast to "
                    f"expected shape. {text}, for the sens gradient."
                )
            raise ArgumentValueError(f"{text}, for the sens gradient.")
        if raw.dtype != output.dtype:
            raise ArgumentTypeError(
                f"The dtype should be {mstype.from_numpy(output.dtype)}, but got {value.dtype}, "
                "for the sens gradient."
            )
        raws.append(raw)
    return raws


def _as_compiled(raw: Any, shape: tuple[int, ...]) -> Any:
    """Return a cotangent as a compiled call takes it, which does not look at its shape.

    A loss of shape (1,) meets a loss scale without dimensions in many training cells.
    """
    if raw.size == math.prod(shape):
        return raw.reshape(shape)
    return jnp.broadcast_to(raw.reshape(()), shape) if raw.size == 1 else raw
