"""The bijectors; each is a table of formulas on raw arrays."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.checks import of_type
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn.probability._formula import positive, require
from msgrad.nn.probability.bijector.bijector import Bijector, formula


def _not_zero(power: Any) -> jax.Array:
    return jnp.where(power == 0, 1.0, power)


class PowerTransform(Bijector):
    """``(1 + x * power) ** (1 / power)``; for power 0 the exponential function.

    Args:
        power: Floating Tensor, list or number, 0 or more.
    """

    def __init__(self, power: Any = 0.0, name: str = "PowerTransform") -> None:
        self._declare(name, power=power)
        require(lambda p: p >= 0, "Power must be greater than or equal to zero", self.power)

    _forward = formula(
        lambda x, power: jnp.where(
            power == 0, jnp.exp(x), jnp.exp(jnp.log1p(x * power) / _not_zero(power))
        )
    )
    _inverse = formula(
        lambda y, power: jnp.where(
            power == 0, jnp.log(y), jnp.expm1(jnp.log(y) * power) / _not_zero(power)
        )
    )
    _forward_log_jacobian = formula(
        lambda x, power: jnp.where(
            power == 0, x, (1.0 / _not_zero(power) - 1.0) * jnp.log1p(x * power)
        )
    )
    _inverse_log_jacobian = formula(lambda y, power: (power - 1.0) * jnp.log(y))


class Exp(PowerTransform):
    """The exponential function."""

    def __init__(self, name: str = "Exp") -> None:
        super().__init__(name=name)

    def extend_repr(self) -> str:
        return "exp"


class ScalarAffine(Bijector):
    """``scale * x + shift``.

    Args:
        scale: Floating Tensor, list or number.
        shift: The same.
    """

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine") -> None:
        self._declare(name, linear=True, scale=scale, shift=shift)

    _forward = formula(lambda x, scale, shift: scale * x + shift)
    _inverse = formula(lambda y, scale, shift: (y - shift) / scale)

    _forward_log_jacobian = formula(lambda x, scale, shift: jnp.log(jnp.abs(scale)))
    _inverse_log_jacobian = formula(lambda y, scale, shift: -jnp.log(jnp.abs(scale)))


def _softplus_inverse(y: Any) -> jax.Array:
    return y + jnp.log(-jnp.expm1(-y))


class Softplus(Bijector):
    """``log(1 + exp(sharpness * x)) / sharpness``.

    Args:
        sharpness: Floating Tensor, list or number.
    """

    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus") -> None:
        self._declare(name, sharpness=sharpness)

    _forward = formula(lambda x, sharpness: jax.nn.softplus(sharpness * x) / sharpness)
    _inverse = formula(lambda y, sharpness: _softplus_inverse(sharpness * y) / sharpness)

    _forward_log_jacobian = formula(lambda x, sharpness: jax.nn.log_sigmoid(sharpness * x))
    _inverse_log_jacobian = formula(
        lambda y, sharpness: sharpness * y - _softplus_inverse(sharpness * y)
    )


class GumbelCDF(Bijector):
    """``exp(-exp(-(x - loc) / scale))``.

    Args:
        loc: Floating Tensor, list or number.
        scale: The same, above 0.
    """

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF") -> None:
        self._declare(name, loc=loc, scale=scale)
        positive(self.scale, "scale")

    _forward = formula(lambda x, loc, scale: jnp.exp(-jnp.exp((loc - x) / scale)))
    _inverse = formula(lambda y, loc, scale: loc - scale * jnp.log(-jnp.log(y)))

    _forward_log_jacobian = formula(
        lambda x, loc, scale: (loc - x) / scale - jnp.exp((loc - x) / scale) - jnp.log(scale)
    )
    _inverse_log_jacobian = formula(lambda y, loc, scale: jnp.log(scale / (-y * jnp.log(y))))


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
        self.batch_shape = bijector.batch_shape
        self.is_scalar_batch = bijector.is_scalar_batch

    @property
    def bijector(self) -> Bijector:
        """The bijector that is inverted."""
        return self._bijector

    def _forward(self, value: Tensor) -> Tensor:
        return self.bijector.inverse(value)

    def _inverse(self, value: Tensor) -> Tensor:
        return self.bijector.forward(value)

    def _forward_log_jacobian(self, value: Tensor) -> Tensor:
        return self.bijector.inverse_log_jacobian(value)

    def _inverse_log_jacobian(self, value: Tensor) -> Tensor:
        return self.bijector.forward_log_jacobian(value)


__all__ = public_names(globals())
