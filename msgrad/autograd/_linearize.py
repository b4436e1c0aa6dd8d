"""One gradient call: MindSpore's mutable program as a pure function under ``jax.vjp``.

``linearize`` runs the program once inside a scope in which traced values stand in for the
variables, settles what outlives it, and gives back its output with a pullback. All gradient
transforms are written on it; how their results are arranged is in ``structure.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import wrap_arrays
from msgrad._core.cotangent import pulling_back
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.intgrad import attach, carrier_dtype
from msgrad._core.promotion import is_complex, is_inexact
from msgrad._core.scope import Scope
from msgrad.common.parameter import Parameter

Pullback = Callable[[Sequence[Any] | None], list[Any]]


def linearize(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    variables: Sequence[Any],
    select: Callable[[Any], Sequence[Any]],
) -> tuple[Any, list[Any], Pullback]:
    """Run ``fn`` once and prepare the gradient of its outputs.

    Args:
        fn: The program; it sees the same argument objects that it is given.
        args: Positional arguments.
        kwargs: Keyword arguments.
        variables: The distinct Tensors to differentiate with respect to.
        select: Takes what ``fn`` returned and gives the Tensors in it to differentiate; raises
            for an output that does not fit, in which case no Parameter has changed.

    Returns:
        What ``fn`` returned; the selected Tensors; and a pullback that takes one cotangent per
        selected Tensor (None for ones everywhere) and gives one raw gradient per variable.
    """
    for variable in variables:
        if is_complex(variable._read().dtype):
            raise ArgumentTypeError(
                "gradient not support for complex type currently; differentiate with respect to "
                "the real and imaginary part instead."
            )
    moving = [v for v in variables if not (isinstance(v, Parameter) and not v.requires_grad)]
    output: Any = None
    selected: list[Any] = []
    differentiable: list[bool] = []
    survivors: list[Any] = []
    scope = Scope()

    def pure(values: list[Any]) -> tuple[list[Any], list[Any]]:
        nonlocal output, selected, survivors
        with scope:
            for variable, value in zip(moving, values, strict=True):
                if is_inexact(variable._read().dtype):
                    scope.stand_in(variable, value)
                else:
                    attach(variable, value)
            output = wrap_arrays(fn(*args, **kwargs))
            selected = list(select(output))
            results = []
            for tensor in selected:
                raw = tensor._read()
                if not is_inexact(raw.dtype):
                    carrier = scope.carriers.get(id(tensor))
                    raw = None if carrier is None else carrier[1]
                differentiable.append(raw is not None)
                if raw is not None:
                    results.append(raw)
            survivors, settled = scope.survivors()
        return results, settled

    primals = [_primal(v._read()) for v in moving]
    results, vjp, settled = jax.vjp(pure, primals, has_aux=True)
    scope.settle(survivors, settled)

    def pullback(cotangents: Sequence[Any] | None) -> list[Any]:
        if cotangents is None:
            seeds = [_ones(r) for r in results]
        else:
            chosen = [c for c, moves in zip(cotangents, differentiable, strict=True) if moves]
            seeds = [jnp.asarray(c, r.dtype) for c, r in zip(chosen, results, strict=True)]
        with pulling_back() as replaced:
            (gradients,) = vjp(seeds)
            by_id = {
                id(v): _finish(v, g, replaced, scope)
                for v, g in zip(moving, gradients, strict=True)
            }
            replaced.check()
        return [by_id[id(v)] if id(v) in by_id else jnp.zeros_like(v._read()) for v in variables]

    return output, selected, pullback


def _primal(raw: Any) -> Any:
    if is_inexact(raw.dtype):
        return raw
    return jnp.zeros(raw.shape, carrier_dtype(raw.dtype))


def _ones(result: Any) -> Any:
    if result.dtype.itemsize == 8:
        return jnp.ones(result.shape, result.dtype)
    # A NumPy constant: no dispatch to the device for the usual scalar loss.
    return np.ones(result.shape, result.dtype)


def _finish(variable: Any, gradient: Any, replaced: Any, scope: Scope) -> Any:
    given = replaced.take(gradient)
    if given is not None:
        return given
    dtype = variable._read().dtype
    if is_inexact(dtype):
        return gradient
    return gradient.astype(jnp.float32 if id(variable) in scope.float_gradients else dtype)
