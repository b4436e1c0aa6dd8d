"""``mindspore.scipy.optimize`` on ``jax.scipy.optimize``, and SciPy's BFGS and assignment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core import engine
from msgrad._core.bridge import unwrap, wrap
from msgrad._core.checks import of_type, one_of
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.common.tensor import Tensor

# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []
__all__ = ["line_search", "linear_sum_assignment", "minimize"]


class OptimizeResults(NamedTuple):
    """What ``minimize`` returns."""

    x: Tensor
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any


class _LineSearchResults(NamedTuple):
    """What ``line_search`` returns."""

    failed: Any
    nit: Any
    nfev: Any
    ngev: Any
    k: Any
    a_k: Any
    f_k: Any
    g_k: Any
    status: Any


def _on_arrays(function: Callable[..., Any], args: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Return a function of Tensors as one of arrays, which JAX differentiates."""

    def call(raw: Any) -> Any:
        return jnp.reshape(unwrap(function(wrap(raw), *args)), ())

    return call


def _plain(value: Any) -> Any:
    """Return a number of JAX as Python's, an array as a Tensor."""
    if value is None or not isinstance(value, (jax.Array, np.ndarray)):
        return value
    return wrap(value) if value.ndim else value.item()


def _bfgs(function: Callable[[Any], Any], start: jax.Array, tol: Any, options: Any) -> Any:
    # SciPy's: the line search of JAX 0.10's BFGS gives up far from the minimum.
    import scipy.optimize

    both = jax.jit(jax.value_and_grad(function))

    def on_numpy(x: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = both(x.astype(start.dtype))
        return float(value), np.asarray(slope, np.float64)

    found = scipy.optimize.minimize(
        on_numpy, np.asarray(start, np.float64), jac=True, method="BFGS", tol=tol, options=options
    )
    for name in ("x", "jac", "hess_inv"):
        found[name] = found[name].astype(start.dtype)
    return found


def _lbfgs(function: Callable[[Any], Any], start: jax.Array, tol: Any, options: Any) -> Any:
    from jax.scipy.optimize import minimize as minimized

    method = "l-bfgs-experimental-do-not-rely-on-this"
    return minimized(function, start, method=method, tol=tol, options=options)


def minimize(
    func: Callable[..., Any],
    x0: Tensor,
    args: tuple[Any, ...] = (),
    method: str | None = None,
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    tol: float | None = None,
    callback: Any = None,
    options: dict[str, Any] | None = None,
) -> OptimizeResults:
    """Find a minimum of a function of one Tensor.

    Args:
        func: Called with a Tensor like ``x0`` and ``args``; gives a number.
        x0: Where to begin, Tensor (n,).
        args: Further arguments.
        method: ``'bfgs'`` or ``'lbfgs'``.
        jac: Not used: JAX differentiates; the next five neither.
        hess: Not used.
        hessp: Not used.
        bounds: Not supported.
        constraints: Not supported.
        tol: The largest gradient to stop at.
        callback: Not used.
        options: ``maxiter``, ``gtol`` and others of ``scipy.optimize.minimize``, or of
            ``jax.scipy.optimize.minimize`` for ``'lbfgs'``.

    Raises:
        TypeError: If ``x0`` is not a Tensor.
        ValueError: For another method, bounds or constraints.
    """
    start = of_type("minimize", "x0", x0, Tensor)
    kind = str(method).lower()
    one_of("minimize", "method", kind, "bfgs", "lbfgs")
    if bounds is not None or constraints:
        raise ArgumentValueError("For 'minimize', bounds and constraints are not supported.")
    given = {key: value for key, value in (options or {}).items() if value is not None}
    found: Any = (_bfgs if kind == "bfgs" else _lbfgs)(
        _on_arrays(func, args),
        start._concrete("minimize") if kind == "bfgs" else start._read(),
        tol,
        given,
    )
    rows = {name: _plain(getattr(found, name, None)) for name in OptimizeResults._fields}
    rows["hess_inv"] = rows["hess_inv"] if kind == "bfgs" else None
    return OptimizeResults(**rows)


def line_search(
    f: Callable[[Tensor], Any],
    xk: Tensor,
    pk: Tensor,
    jac: Any = None,
    gfk: Any = None,
    old_fval: Any = None,
    old_old_fval: Any = None,
    c1: float = 1e-4,
    c2: float = 0.9,
    maxiter: int = 20,
) -> Any:
    """Find how far to go along a direction, so that the Wolfe conditions hold.

    Args:
        f: The function.
        xk: Where to begin.
        pk: The direction.
        jac: Not used: JAX differentiates.
        gfk: The gradient at ``xk``, if it is known.
        old_fval: The value at ``xk``, if it is known.
        old_old_fval: The value before that.
        c1: How much the value must fall.
        c2: How much the slope must.
        maxiter: How many steps to try.
    """
    start, along = (
        of_type("line_search", "xk", xk, Tensor),
        of_type("line_search", "pk", pk, Tensor),
    )
    known = [None if value is None else unwrap(value) for value in (old_fval, old_old_fval, gfk)]
    found: Any = engine.line_search(
        _on_arrays(f, ()), start._read(), along._read(), *known, c1=c1, c2=c2, maxiter=maxiter
    )
    return _LineSearchResults(
        **{name: _plain(getattr(found, name)) for name in _LineSearchResults._fields}
    )


def linear_sum_assignment(
    cost_matrix: Tensor, maximize: bool, dimension_limit: Any = None
) -> tuple[Tensor, Tensor]:
    """Assign rows to columns so that the costs add up to the least, or with ``maximize`` the most.

    Args:
        cost_matrix: Tensor (n, m).
        maximize: Which.
        dimension_limit: Tensor of how many columns count; all by default.

    Returns:
        The rows and their columns, int64 Tensors; where there are fewer columns, -1 fills up.

    Raises:
        TypeError, ValueError: For other arguments.
        RuntimeError: If more columns are to count than there are, or none, or no assignment has a
            cost that is a number.
    """
    from scipy.optimize import linear_sum_assignment as assigned

    costs = of_type("linear_sum_assignment", "cost_matrix", cost_matrix, Tensor).asnumpy()
    of_type("linear_sum_assignment", "maximize", maximize, bool)
    if costs.ndim != 2:
        raise ArgumentValueError(f"the cost_matrix rank must be equal to 2, but got {costs.ndim}.")
    of_type("linear_sum_assignment", "dimension_limit", dimension_limit, Tensor, type(None))
    limit = costs.shape[1] if dimension_limit is None else int(dimension_limit)
    if not 1 <= limit <= costs.shape[1]:
        raise EngineError(f"'dimension_limit' must be 1 to {costs.shape[1]}, but got {limit}.")
    try:
        rows, columns = assigned(costs[:, :limit], maximize)
    except ValueError as error:
        raise EngineError(f"linear_sum_assignment: {error}.") from error
    padded = np.full((2, min(costs.shape)), -1, np.int64)
    padded[:, : len(rows)] = rows, columns
    return Tensor(padded[0]), Tensor(padded[1])
