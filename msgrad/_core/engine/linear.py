"""``linear_call``: a linear function with its transpose, as ``jax.custom_derivatives.linear_call``,
which ``jax.vmap`` does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core as jex
from jax.interpreters import ad, batching, mlir

# Takes what it is not linear in, and what it is linear in.
Linear = Callable[[Any, list[Any]], list[Any]]

_linear = jex.Primitive("msgrad_linear")
_linear.multiple_results = True


def linear_call(run: Linear, transposed: Linear, given: Any, values: list[Any]) -> list[Any]:
    """Return ``run(given, values)``; its transpose is ``transposed(given, cotangents)``.

    Args:
        run: Linear in ``values``.
        transposed: Linear in the cotangents.
        given: A tree of arrays, of which no derivative is taken.
        values: Arrays.

    Raises:
        NotImplementedError: If a derivative of ``given`` is taken.
    """
    leaves, tree = jax.tree.flatten(given)

    def flat(function: Linear) -> Linear:
        return lambda leaves, values: function(tree.unflatten(leaves), values)

    return _bind(flat(run), flat(transposed), leaves, values)


def _bind(run: Linear, transposed: Linear, given: Sequence[Any], values: Sequence[Any]) -> Any:
    return _linear.bind(*given, *values, run=run, transposed=transposed, count=len(given))


def _evaluate(*args: Any, run: Linear, transposed: Linear, count: int) -> list[Any]:
    return run([*args[:count]], [*args[count:]])


def _shaped(*avals: Any, **params: Any) -> Any:
    return jax.make_jaxpr(lambda *args: _evaluate(*args, **params))(*avals).out_avals


def _pushed(primals: Any, tangents: Any, *, run: Linear, transposed: Linear, count: int) -> Any:
    given = primals[:count]
    if any(type(tangent) is not ad.Zero for tangent in tangents[:count]):
        raise NotImplementedError(
            "A loop on Tensors in a compiled function has a first derivative only; differentiate "
            "the function itself, or give the loop a fixed number of turns."
        )
    moved = [ad.instantiate_zeros(tangent) for tangent in tangents[count:]]
    results = (_bind(run, transposed, given, each) for each in (primals[count:], moved))
    return tuple(results)


def _pulled(cotangents: Any, *args: Any, run: Linear, transposed: Linear, count: int) -> Any:
    full = [ad.instantiate_zeros(cotangent) for cotangent in cotangents]
    return [None] * count + _bind(transposed, run, args[:count], full)


def _mapped(args: Any, dims: Any, *, run: Linear, transposed: Linear, count: int) -> Any:
    pairs = [*zip(args, dims, strict=True)]
    size = next(arg.shape[dim] for arg, dim in pairs if dim is not None)
    given = [a if dim is None else jnp.moveaxis(a, dim, 0) for a, dim in pairs[:count]]
    axes = [None if dim is None else 0 for dim in dims[:count]]
    values = [
        jnp.broadcast_to(a, (size, *a.shape)) if dim is None else jnp.moveaxis(a, dim, 0)
        for a, dim in pairs[count:]
    ]
    run, transposed = (jax.vmap(each, in_axes=(axes, 0)) for each in (run, transposed))
    results = _bind(run, transposed, given, values)
    return results, [0] * len(results)


_linear.def_impl(_evaluate)
_linear.def_abstract_eval(_shaped)
ad.primitive_jvps[_linear] = _pushed
ad.primitive_transposes[_linear] = _pulled
batching.primitive_batchers[_linear] = _mapped
mlir.register_lowering(_linear, mlir.lower_fun(_evaluate, multiple_results=True))
