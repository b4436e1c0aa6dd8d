"""``derivative`` and ``jet``: higher derivatives along a curve, by nested ``jvp``."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._compiled.graph_mode import compiles_now, in_graph_mode
from msgrad._compiled.inputs import compiling
from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import at_least
from msgrad._core.declared import check
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.autograd.products import jvp
from msgrad.common.tensor import Tensor


def jet(fn: Callable[..., Any], primals: Any, series: Any) -> tuple[Any, Any]:
    """Return the value of ``fn`` and its derivatives along a curve through ``primals``.

    Args:
        fn: Function or Cell of Tensors.
        primals: A Tensor, or a tuple of Tensors: the point.
        series: For each input the derivatives of its curve, order first: a Tensor of shape
            ``(orders, *input.shape)``.

    Returns:
        ``(value, derivatives)``; the derivatives of orders 1 to n, stacked in the first dimension.

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the numbers of inputs and series differ.
    """
    if compiles_now() and callable(fn):
        return in_graph_mode(functools.partial(jet, fn), fn, None, "jet")(primals, series)
    points, curves = _as_tuple(primals), _as_tuple(series)
    if len(points) != len(curves):
        raise ArgumentValueError(
            f"'primals' and 'series' must have the same length, but got {len(points)} and "
            f"{len(curves)}."
        )
    orders = curves[0].shape[0]

    def along(t: Tensor) -> Any:
        return fn(*(_curve(p, c, t) for p, c in zip(points, curves, strict=True)))

    results = _derivatives(along, orders)
    columns = zip(*map(_as_tuple, results[1:]), strict=True)
    stacked = [wrap(jnp.stack([item._read() for item in items])) for items in columns]
    return results[0], stacked[0] if is_tensor(results[0]) else tuple(stacked)


def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, Any]:
    """Return the value of an element-wise ``fn`` and its derivative of the given order.

    Args:
        fn: Function or Cell of Tensors.
        primals: A Tensor, or a tuple of Tensors.
        order: A positive int.

    Returns:
        ``(value, derivative)``, the derivative along ones in every input.

    Raises:
        TypeError: If an input is not a Tensor, or the order not an int.
        ValueError: If the order is not positive.
    """
    check("derivative", "order", "int", order)
    at_least("derivative", "order", order, 1)
    if compiles_now() and callable(fn):
        derived = functools.partial(derivative, fn, order=order)
        return in_graph_mode(derived, fn, None, "derivative", order)(primals)
    points = _as_tuple(primals)

    def along(t: Tensor) -> Any:
        return fn(*(p + t for p in points))

    results = _derivatives(along, order)
    return results[0], results[-1]


def _as_tuple(value: Any) -> tuple[Any, ...]:
    items = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    for item in items:
        if not is_tensor(item):
            raise ArgumentTypeError(f"The inputs type must be Tensor. But got {type(item)}.")
    return items


def _curve(point: Tensor, series: Tensor, t: Tensor) -> Tensor:
    total = point
    for k in range(series.shape[0]):
        total = total + series[k] * (t ** (k + 1)) / math.factorial(k + 1)
    return total


def _derivatives(along: Callable[[Tensor], Any], orders: int) -> list[Any]:
    """Return the value of ``along`` at 0 and its first derivatives."""
    fn: Callable[[Tensor], Any] = along
    # MindSpore compiles it, also in PYNATIVE.
    with compiling((), {}):
        results = [along(Tensor(0.0))]
        for _ in range(orders):
            fn = _differentiated(fn)
            results.append(fn(Tensor(0.0)))
    return results


def _differentiated(fn: Callable[[Tensor], Any]) -> Callable[[Tensor], Any]:
    def derived(t: Tensor) -> Any:
        return jvp(lambda s: fn(t + s), Tensor(0.0), Tensor(1.0))[1]

    return derived
