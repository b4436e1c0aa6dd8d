"""The bijectors; each is a table of formulas on raw arrays."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.exports import public_names
from msgrad._core.op import Array
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.probability._formula import positive, require
from msgrad.nn.probability.bijector.bijector import Bijector, formula


class PowerTransform(Bijector):
    """``(1 + x * power) ** (1 / power)``; for power 0 the exponential function.

    Args:
        power: Floating Tensor, list or number, 0 or more.
        name: What error texts call it.
    """

    def __init__(self, power: Any = 0.0, name: str = "PowerTransform") -> None:
        self._declare(name, power=power)
        self._power: Tensor
        require(lambda p: p >= 0, "Power must be greater than or equal to zero", self._power)

    @property
    def power(self) -> Tensor:
        """The power."""
        return self._power

    @formula
    def _forward(x: Array, power: Array) -> Array:
        root = jnp.exp(jnp.log1p(x * power) / jnp.where(power == 0, 1.0, power))
        return jnp.where(power == 0, jnp.exp(x), root)

    @formula
    def _inverse(y: Array, power: Array) -> Array:
        log = jnp.log(y)
        grown = jnp.expm1(log * power) / jnp.where(power == 0, 1.0, power)
        return jnp.where(power == 0, log, grown)

    @formula
    def _forward_log_jacobian(x: Array, power: Array) -> Array:
        left = 1.0 / jnp.where(power == 0, 1.0, power) - 1.0
        return jnp.where(power == 0, x, left * jnp.log1p(x * power))

    @formula
    def _inverse_log_jacobian(y: Array, power: Array) -> Array:
        return (power - 1.0) * jnp.log(y)


class Exp(PowerTransform):
    """The exponential function.

    Args:
        name: What error texts call it.
    """

    def __init__(self, name: str = "Exp") -> None:
        super().__init__(name=name)

    def extend_repr(self) -> str:
        """Return what ``repr`` shows between the brackets."""
        return "exp"


class ScalarAffine(Bijector):
    """``scale * x + shift``.

    Args:
        scale: Floating Tensor, list or number.
        shift: The same.
        name: What error texts call it.
    """

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine") -> None:
        self._declare(name, linear=True, scale=scale, shift=shift)
        self._scale: Tensor
        self._shift: Tensor

    @property
    def scale(self) -> Tensor:
        """The scale."""
        return self._scale

    @property
    def shift(self) -> Tensor:
        """The shift."""
        return self._shift

    @formula
    def _forward(x: Array, scale: Array, shift: Array) -> Array:
        return scale * x + shift

    @formula
    def _inverse(y: Array, scale: Array, shift: Array) -> Array:
        return (y - shift) / scale

    @formula
    def _forward_log_jacobian(x: Array, scale: Array, shift: Array) -> Array:
        return jnp.log(jnp.abs(scale))

    @formula
    def _inverse_log_jacobian(y: Array, scale: Array, shift: Array) -> Array:
        return -jnp.log(jnp.abs(scale))


def _softplus_inverse(y: Array) -> Array:
    return y + jnp.log(-jnp.expm1(-y))


class Softplus(Bijector):
    """``log(1 + exp(sharpness * x)) / sharpness``.

    Args:
        sharpness: Floating Tensor, list or number.
        name: What error texts call it.
    """

    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus") -> None:
        self._declare(name, sharpness=sharpness)
        self._sharpness: Tensor

    @property
    def sharpness(self) -> Tensor:
        """The sharpness."""
        return self._sharpness

    @formula
    def _forward(x: Array, sharpness: Array) -> Array:
        return jax.nn.softplus(sharpness * x) / sharpness

    @formula
    def _inverse(y: Array, sharpness: Array) -> Array:
        return _softplus_inverse(sharpness * y) / sharpness

    @formula
    def _forward_log_jacobian(x: Array, sharpness: Array) -> Array:
        return jax.nn.log_sigmoid(sharpness * x)

    @formula
    def _inverse_log_jacobian(y: Array, sharpness: Array) -> Array:
        return sharpness * y - _softplus_inverse(sharpness * y)


class GumbelCDF(Bijector):
    """``exp(-exp(-(x - loc) / scale))``.

    Args:
        loc: Floating Tensor, list or number.
        scale: The same, above 0.
        name: What error texts call it.
    """

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF") -> None:
        self._declare(name, loc=loc, scale=scale)
        self._loc: Tensor
        self._scale: Tensor
        positive(self._scale, "scale")

    @property
    def loc(self) -> Tensor:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scale."""
        return self._scale

    @formula
    def _forward(x: Array, loc: Array, scale: Array) -> Array:
        return jnp.exp(-jnp.exp((loc - x) / scale))

    @formula
    def _inverse(y: Array, loc: Array, scale: Array) -> Array:
        return loc - scale * jnp.log(-jnp.log(y))

    @formula
    def _forward_log_jacobian(x: Array, loc: Array, scale: Array) -> Array:
        z = (x - loc) / scale
        return -z - jnp.exp(-z) - jnp.log(scale)

    @formula
    def _inverse_log_jacobian(y: Array, loc: Array, scale: Array) -> Array:
        return jnp.log(scale / (-y * jnp.log(y)))


class Invert(Bijector):
    """The inverse of a bijector.

    Args:
        bijector: The bijector.
        name: What error texts call it; ``""`` for that of the bijector after "Invert".
    """

    def __init__(self, bijector: Bijector, name: str = "") -> None:
        of_type("Invert", "bijector", bijector, Bijector)
        name = name or f"Invert{bijector.name}"
        super().__init__(
            bijector.is_constant_jacobian,
            bijector.is_injective,
            name,
            bijector.dtype,
            {"bijector": bijector, "name": name},
        )
        self._bijector = bijector
        self._batch_shape = bijector.batch_shape
        self._is_scalar_batch = bijector.is_scalar_batch

    @property
    def bijector(self) -> Bijector:
        """The bijector that is inverted."""
        return self._bijector

    def _forward(self, value: Tensor) -> Tensor:
        return self._bijector.inverse(value)

    def _inverse(self, value: Tensor) -> Tensor:
        return self._bijector.forward(value)

    def _forward_log_jacobian(self, value: Tensor) -> Tensor:
        return self._bijector.inverse_log_jacobian(value)

    def _inverse_log_jacobian(self, value: Tensor) -> Tensor:
        return self._bijector.forward_log_jacobian(value)


__all__ = public_names(globals())
