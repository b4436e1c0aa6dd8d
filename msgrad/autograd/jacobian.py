"""``jacfwd`` and ``jacrev``: whole Jacobians, forward or backward (facts 1.7)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._compiled.graph_mode import in_graph_mode
from msgrad._compiled.inputs import compiling
from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.declared import check
from msgrad._core.engine import has_no_forward_rule, in_trace, plain_evaluation
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.discovery import handled
from msgrad._gradients.differentiated_call import DifferentiatedCall, as_outside
from msgrad._gradients.on_demand import Examples
from msgrad._gradients.structure import check_positions
from msgrad._gradients.transforms import basis, by_column, by_row, columns, rows
from msgrad.autograd.grad import all_outputs
from msgrad.autograd.products import aux_of, first_of_several

# For each selected output a raw block for each input, of the shapes of both in turn.
Blocks = list[list[Any]]


class _JacobianCall(DifferentiatedCall):
    """A call of which whole Jacobians are wanted, by Tensors that are no Parameters."""

    def by_columns(self) -> Blocks:
        """Run the program and compute its Jacobian with one derivative for each input element."""
        inputs = [v._peek() for v in self.variables]

        def directions() -> list[Any]:
            with plain_evaluation():
                return basis(inputs)

        specs = [(x.shape, x.dtype, False) for x in inputs]
        tangents = Examples(sum(x.size for x in inputs), directions, specs)
        with in_trace(tangents.trace):
            found = self.push_forward(tangents.pending, columns)
        if self._bound is None:
            return [by_column(tangents.all(column, -1), inputs) for column in found]
        try:
            values, found = self._run_bound()
        except TypeError as error:
            if not has_no_forward_rule(error):
                raise
            stacks = jax.vmap(self._push_through_rules, out_axes=-1)(directions())
            return [by_column(stack, inputs) for stack in stacks]
        self.commit(values)
        return self._blocks(found, tangents=True)

    def by_rows(self) -> Blocks:
        """Run the program and compute its Jacobian with one pullback for each output element."""
        results, vjp, values = self.vjp(rows)
        if self._bound is not None:
            values, found = self._run_bound()
            self.commit(values)
            return self._blocks(found)
        self.commit(values)
        pullback = self._pullback(results, vjp)
        outs = [t._read() for t in self.selected]
        with plain_evaluation():
            stack = basis(outs)
        try:
            found = jax.vmap(pullback)(stack)
        except EngineError as error:
            handled(error)
            warnings.warn(
                f"jacrev pulls the rows back one by one, because a backward function looks at "
                f"values ({error})",
                stacklevel=4,
            )
            each = [pullback(list(row)) for row in zip(*stack, strict=True)]
            found = [jnp.stack(column) for column in zip(*each, strict=True)]
        return by_row(found, outs)

    def _blocks(self, found: list[Any], tangents: bool = False) -> Blocks:
        """Return one row of blocks for each selected output, zeros where it does not move.

        Tangents have the dtype of the output, cotangents that of the input.
        """
        rest = iter(found)
        inputs = [v._peek() for v in self.variables]
        blocks: Blocks = []
        for tensor, moves in zip(self.selected, self._has_gradient, strict=True):
            out = tensor._peek()
            row = next(rest) if moves else None
            zeros = (jnp.zeros(out.shape + x.shape, (out if tangents else x).dtype) for x in inputs)
            blocks.append(row or list(zeros))
        return blocks


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
    return _jacobian(fn, grad_position, has_aux, _JacobianCall.by_columns)


def jacrev(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that gives the Jacobian of ``fn``, row by row.

    Best where there are more inputs than outputs.

    Args:
        fn: Function or Cell of Tensors, with floating outputs. A block for an integer input has
            its dtype.
        grad_position: See ``jacfwd``.
        has_aux: See ``jacfwd``.

    Returns:
        As for ``jacfwd``.

    Raises:
        TypeError, ValueError: As for ``jacfwd``.
    """
    return _jacobian(fn, grad_position, has_aux, _JacobianCall.by_rows)


def _jacobian(
    fn: Callable[..., Any],
    grad_position: Any,
    has_aux: Any,
    blocks_of: Callable[[_JacobianCall], Blocks],
) -> Callable[..., Any]:
    if grad_position is None:
        raise ArgumentTypeError(
            "For 'F.grad', the 'grad_position' must be int or tuple, but got None."
        )
    positions = check_positions(grad_position, ())
    check("jacobian", "has_aux", "bool", has_aux)
    wanted = (positions,) if isinstance(positions, int) else tuple(positions or ())
    select = first_of_several if has_aux else all_outputs
    by_rows = blocks_of is _JacobianCall.by_rows

    def outputs(output: Any) -> Any:
        selected = list(select(output))
        if not selected:
            raise ArgumentTypeError(
                f"The function must return a Tensor to differentiate, but returned {output!r}."
            )
        for tensor in selected:
            if by_rows and not is_inexact(tensor._peek().dtype):
                raise ArgumentTypeError(
                    f"The outputs must be floating Tensors, but one is of {tensor.dtype}; cast it, "
                    "or use jacfwd."
                )
        return selected

    def derivative(*args: Any) -> Any:
        if any(p >= len(args) for p in wanted):
            raise ArgumentValueError(
                "The element in grad_position must belong to [0, args_num). But got "
                f"{grad_position} for {len(args)} arguments."
            )
        # Each place is differentiated on its own, also where one object stands at two.
        places = [wrap(a._peek()) if is_tensor(a) else a for a in args]
        inputs = [places[p] for p in wanted]
        for tensor in inputs:
            if not is_tensor(tensor) or not (by_rows or is_inexact(tensor._peek().dtype)):
                raise ArgumentTypeError(
                    f"The differentiated inputs must be floating Tensors, but got {tensor!r}."
                )
        call = _JacobianCall(fn, tuple(places), {}, inputs, outputs)
        # MindSpore compiles it, also in PYNATIVE.
        with compiling(tuple(places), {}):
            blocks = [tuple(map(wrap, as_outside(row))) for row in blocks_of(call)]
        output = call.output
        shown = [row[0] if len(row) == 1 else row for row in blocks]
        jacobian = shown[0] if len(shown) == 1 else tuple(shown)
        return (jacobian, aux_of(output)) if has_aux else jacobian

    form = (blocks_of.__name__, grad_position, has_aux)
    return in_graph_mode(derivative, fn, None, *form)
