"""``InsertGradientOf`` and ``DumpGradient``: identities whose backward pass does more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from msgrad._core.bridge import is_tensor, too_large, wrap
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.errors import ArgumentTypeError, GradientError
from msgrad._core.scopes.cotangent import fit
from msgrad._core.scopes.integer_gradients import attach, carrier_of
from msgrad._gradients.identity import identity_with
from msgrad.common.tensor import Tensor
from msgrad.ops.host_functions import tensordump
from msgrad.ops.primitive import Primitive


class InsertGradientOf(Primitive):
    """Identity in the forward pass; ``f`` of the gradient in the backward pass.

    Args:
        f: Takes the incoming gradient (Tensor) and returns the outgoing one: a Tensor of any
            shape, a number, a 1-tuple of either, or None to leave it unchanged. It runs once, on
            the sum over all uses of the output, and may look at values.

    Differs from MindSpore: ``f`` may be any callable, and a lambda need not stand on a line of
    its own. A gradient of a shape of its own must reach an input directly; where it would go on
    through other operators it must broadcast.
    """

    def __init__(self, f: Callable[[Tensor], Any]) -> None:
        super().__init__("InsertGradientOf")
        came: Any = f
        if type(came) is int and abs(came) >= 2**63:
            raise too_large(self.name, "f", came)
        self.f = f
        identity = identity_with(lambda cotangents: [self._pull(cotangents[0])])
        self._identity = lambda raw: identity([raw])[0]

    def __reduce__(self) -> tuple[Any, ...]:
        state = {k: v for k, v in vars(self).items() if k not in ("f", "_identity")}
        return type(self), (self.f,), state

    def __call__(self, *args: Any) -> Any:
        """Return ``x`` back; what is not a Tensor passes through."""
        if len(args) != 1:
            raise GradientError(
                f"For 'InsertGradientOf', the number of input should be 1, but got {len(args)}"
            )
        x = args[0]
        if not is_tensor(x):
            return x
        if context.no_grad:
            return x.copy()
        raw = x._read()
        carrier = carrier_of(x)
        result = wrap(self._identity(raw) if is_tracer(raw) else raw)
        if carrier is not None:
            attach(result, self._identity(carrier))
        return result

    def _pull(self, gradient: Any) -> Any:
        given = self.f(wrap(gradient))
        if isinstance(given, (tuple, list)) and len(given) == 1:
            given = given[0]
        if given is None:
            return gradient
        return fit(as_gradient(given), gradient)

    def __repr__(self) -> str:
        return (
            f"Prim[InsertGradientOf]<f={self.f}, side_effect_backprop=True, "
            "side_effect_backprop_mem=True>"
        )


class DumpGradient(Primitive):
    """Identity in the forward pass; the backward pass writes the gradient into a ``.npy`` file."""

    def __init__(self) -> None:
        super().__init__("DumpGradient")

    def __call__(self, path: str, x: Any, input_output: str) -> Any:
        """Return ``x`` back; the file's name gets the dtype and a number, see ``TensorDump``.

        Args:
            path: The path, with or without ``.npy``.
            x: Tensor.
            input_output: Accepted for compatibility.
        """
        return InsertGradientOf(lambda gradient: tensordump(path, gradient))(x)


def as_gradient(given: Any) -> Any:
    """Return the raw array of what user code returned as a gradient.

    Raises:
        TypeError: If it is neither a Tensor nor a number.
    """
    if is_tensor(given):
        return given._read()
    if isinstance(given, jax.Array):
        return given
    if isinstance(given, (bool, int, float)):
        return Tensor(int(given) if isinstance(given, bool) else given)._read()
    if isinstance(given, np.generic):
        return Tensor(given)._read()
    raise ArgumentTypeError(
        f"Unreasonable data type: {type(given)}. A gradient must be a Tensor or a number."
    )
