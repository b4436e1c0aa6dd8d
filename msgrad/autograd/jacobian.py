"""``jacfwd`` and ``jacrev``: whole Jacobians, forward or backward (facts 1.7)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.declared import check
from msgrad._core.engine import plain_evaluation
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.discovery import handled
from msgrad._gradients.differentiated_call import DifferentiatedCall
from msgrad._gradients.structure import check_positions
from msgrad.autograd.grad import all_outputs
from msgrad.autograd.products import aux_of, first_of_several

Columns = Callable[[Callable[..., Any], tuple[Any, ...], list[Any], Any], tuple[Any, Any, Any]]


def jacfwd(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that gives the Jacobian of ``fn``, column by column.

    Best where there are more outputs than inputs.

    Args:
        fn: Function or Cell of floating Tensors.
        grad_position: Position or tuple of positions of the inputs to differentiate.
        has_aux: Only the first output is differentiated.

    Returns:
        A function of the same arguments. It returns a Tensor of shape
        ``output.shape + input.shape``; for several positions a tuple of them; for several outputs
        a tuple per output; and ``(jacobian, aux)`` with ``has_aux``.

    Raises:
        TypeError: If ``grad_position`` is neither an int nor a tuple of ints, or an input is not a
            floating Tensor.
        ValueError: If it is negative or outside the arguments.
    """
    return _jacobian(fn, grad_position, has_aux, _forward)


def jacrev(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that gives the Jacobian of ``fn``, row by row.

    Best where there are more inputs than outputs.

    Args:
        fn: As for ``jacfwd``, and so are the other arguments.
        grad_position: See ``jacfwd``.
        has_aux: See ``jacfwd``.

    Returns:
        As for ``jacfwd``.

    Raises:
        TypeError, ValueError: As for ``jacfwd``.
    """
    return _jacobian(fn, grad_position, has_aux, _backward)


def _jacobian(
    fn: Callable[..., Any], grad_position: Any, has_aux: Any, columns: Columns
) -> Callable[..., Any]:
    if grad_position is None:
        raise ArgumentTypeError(
            "For 'F.grad', the 'grad_position' must be int or tuple, but got None."
        )
    positions = check_positions(grad_position, ())
    check("jacobian", "has_aux", "bool", has_aux)
    wanted = (positions,) if isinstance(positions, int) else tuple(positions or ())
    select = first_of_several if has_aux else all_outputs

    def derivative(*args: Any) -> Any:
        if any(p >= len(args) for p in wanted):
            raise ArgumentValueError(
                "The element in grad_position must belong to [0, args_num). But got "
                f"{grad_position} for {len(args)} arguments."
            )
        # Each place is differentiated on its own, also where one object stands at two.
        places = [wrap(a._read()) if is_tensor(a) else a for a in args]
        inputs = [places[p] for p in wanted]
        for tensor in inputs:
            if not is_tensor(tensor) or not is_inexact(tensor._read().dtype):
                raise ArgumentTypeError(
                    f"The differentiated inputs must be floating Tensors, but got {tensor!r}."
                )
        output, selected, rows = columns(fn, tuple(places), inputs, select)
        blocks = [
            tuple(
                wrap(block.reshape(out.shape + x.shape))
                for block, x in zip(row, inputs, strict=True)
            )
            for out, row in zip(selected, rows, strict=True)
        ]
        shown = [row[0] if len(row) == 1 else row for row in blocks]
        jacobian = shown[0] if len(shown) == 1 else tuple(shown)
        return (jacobian, aux_of(output)) if has_aux else jacobian

    return derivative


def _basis(tensors: Sequence[Any]) -> list[Any]:
    """Return, stacked, one direction per element of all tensors together."""
    total = sum(t.size for t in tensors)
    stacks, start = [], 0
    for tensor in tensors:
        with plain_evaluation():
            eye = jnp.eye(total, tensor.size, -start, dtype=tensor._read().dtype)
        stacks.append(eye.reshape(total, *tensor.shape))
        start += tensor.size
    return stacks


def _forward(
    fn: Callable[..., Any], args: tuple[Any, ...], inputs: list[Any], select: Any
) -> tuple[Any, list[Any], list[Any]]:
    kept: list[Any] = []

    def along(directions: list[Any]) -> list[Any]:
        call = DifferentiatedCall(fn, args, {}, inputs, select)
        tangents = call.push_forward(directions)
        kept[:] = [call.output, call.selected]
        return tangents

    columns = jax.vmap(along, out_axes=-1)(_basis(inputs))
    output, selected = kept
    sizes = [x.size for x in inputs]
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    rows = [
        [c[..., end - size : end] for size, end in zip(sizes, ends, strict=True)] for c in columns
    ]
    return output, selected, rows


def _backward(
    fn: Callable[..., Any], args: tuple[Any, ...], inputs: list[Any], select: Any
) -> tuple[Any, list[Any], list[Any]]:
    call = DifferentiatedCall(fn, args, {}, inputs, select)
    pullback = call.linearize()
    selected = call.selected
    basis = _basis(selected)
    try:
        rows = jax.vmap(pullback)(basis)
    except EngineError as error:
        handled(error)
        warnings.warn(
            f"jacrev pulls the rows back one by one, because a backward function looks at values "
            f"({error})",
            stacklevel=4,
        )
        each = [pullback(list(row)) for row in zip(*basis, strict=True)]
        rows = [jnp.stack(column) for column in zip(*each, strict=True)]
    ends, split = 0, []
    for tensor in selected:
        split.append([row[ends : ends + tensor.size] for row in rows])
        ends += tensor.size
    return call.output, selected, split
