"""Gradients that user code gives in a shape or dtype of its own.

MindSpore hands what ``InsertGradientOf`` or ``bprop`` returned on as it is: a constant ``100.``
that reaches an input arrives there as a 0-d Tensor. A JAX cotangent must have the shape and dtype
of its primal. So the cotangent that goes on is broadcast and cast, and the original is kept beside
it until the pullback ends: where exactly that array comes out as a gradient, the original is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero
from jax.dtypes import float0

from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.errors import ArgumentValueError, GradientError


class ReplacedCotangents:
    """What was given in another form during one pullback."""

    def __init__(self) -> None:
        self._given: dict[int, tuple[Any, Any]] = {}
        self._misfits: dict[int, str] = {}

    def take(self, gradient: Any) -> Any:
        """Return the original of ``gradient`` if it came straight from user code, else None."""
        entry = self._given.get(id(gradient))
        if entry is None:
            return None
        self._misfits.pop(id(gradient), None)
        return entry[1]

    def note(self, cotangent: Any, given: Any, misfit: str | None) -> None:
        """Remember that ``cotangent`` stands for ``given``."""
        self._given[id(cotangent)] = (cotangent, given)
        if misfit is not None:
            self._misfits[id(cotangent)] = misfit

    def check(self) -> None:
        """Raise for a gradient of a shape that fits nowhere and that went on into other rules."""
        for text in self._misfits.values():
            raise ArgumentValueError(text)


@contextmanager
def pulling_back() -> Iterator[ReplacedCotangents]:
    """Collect replaced cotangents while a pullback runs."""
    outer, context.replaced = context.replaced, ReplacedCotangents()
    try:
        yield context.replaced
    finally:
        context.replaced = outer


def fit(given: Any, like: Any) -> Any:
    """Return ``given`` as a cotangent of the shape and dtype of ``like``.

    Args:
        given: The raw array that user code returned.
        like: The cotangent, or primal, whose shape and dtype it must take.
    """
    if given.shape == like.shape and given.dtype == like.dtype:
        return given
    misfit = None
    try:
        cotangent = jnp.broadcast_to(given, like.shape).astype(like.dtype)
    except ValueError:
        misfit = (
            "For grad interface or custom function, grad tensor should be broadcast to expected "
            f"shape, but got {list(given.shape)} vs {list(like.shape)}; return a gradient of the "
            "input's shape."
        )
        cotangent = jnp.zeros(like.shape, like.dtype)
    replaced = context.replaced
    if replaced is not None and not is_tracer(cotangent):
        # The identity of this array is what tells it apart, so it must be a fresh one.
        replaced.note(cotangent, given, misfit)
    elif misfit is not None:
        raise GradientError(misfit)
    return cotangent


def instantiated(cotangent: Any) -> Any:
    """Return a cotangent as an array, of zeros where nothing arrives."""
    if type(cotangent) is not SymbolicZero:
        return cotangent
    like: Any = cotangent
    zeros = np.zeros if like.dtype == float0 else jnp.zeros
    return zeros(like.shape, like.dtype)
