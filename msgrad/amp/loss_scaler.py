"""Loss scalers for hand-written steps, and ``all_finite``.

The managers for ``Model`` are in ``loss_scale_manager.py``, mixed precision in its own file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, map_tensors
from msgrad._core.checks import of_type, positive_int
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, NotATensorError
from msgrad._core.op import Array, Arrays, operator
from msgrad._core.scopes.discovery import Watching
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.ops.float_status import every_finite

__all__ = ["DynamicLossScaler", "LossScaler", "StaticLossScaler", "all_finite"]


def _leaves(tree: Any) -> list[Any]:
    """Return what stands in nested tuples, lists and dicts."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (tuple, list)):
        return [leaf for item in tree for leaf in _leaves(item)]
    if is_tensor(tree):
        return [tree]
    if isinstance(tree, (bool, int, float)):
        raise NotATensorError(
            f"'{type(tree).__name__}' object has no attribute 'dtype': the scalers take Tensors, "
            "in nested tuples, lists and dicts; wrap the number in a Tensor."
        )
    raise ArgumentTypeError(
        "the input must be a Tensor, or Tensors in nested tuples, lists and dicts, but got "
        f"{type(tree).__name__}: {tree}."
    )


@operator("LossScaler", autocast=False)
def _scaled(scale: Array, values: Arrays, up: bool) -> list[jax.Array]:
    # The reciprocal is cast, not the product: MindSpore's integers become 0.
    factor = scale if up else 1.0 / scale
    return [value * factor.astype(value.dtype) for value in values]


def _mapped(scale: Tensor, inputs: Any, up: bool) -> Any:
    scaled = iter(_scaled(scale, _leaves(inputs), up))
    return map_tensors(lambda _: next(scaled), inputs)


def _checked_scale(value: Any) -> Parameter:
    of_type(None, "scale_value", value, float, int)
    if value < 1:
        raise ArgumentValueError(f"The argument 'scale_value' must be > 1, but got {value}")
    return Parameter(Tensor(value, mstype.float32), name="scale_value")


class LossScaler(Watching, ABC):
    """Base of loss scalers: what scales a loss up and its gradients down again."""

    @abstractmethod
    def scale(self, inputs: Any) -> Any:
        """Scale a loss up."""

    @abstractmethod
    def unscale(self, inputs: Any) -> Any:
        """Scale gradients down."""

    @abstractmethod
    def adjust(self, grads_finite: Any) -> Any:
        """Adjust the scale after a step."""


def _grad_scale_map(scale_value: Any, inputs: Any) -> Any:
    """Multiply Tensors in a structure by a scale, for a ``LossScaler`` of one's own."""
    return _mapped(scale_value, inputs, up=True)


def _grad_unscale_map(scale_value: Any, inputs: Any) -> Any:
    """Divide Tensors in a structure by a scale."""
    return _mapped(scale_value, inputs, up=False)


class _Scaler(LossScaler):
    scale_value: Parameter

    def scale(self, inputs: Any) -> Any:
        """Multiply by the scale.

        Args:
            inputs: Tensor, or Tensors in nested tuples, lists and dicts.

        Returns:
            The same structure, each Tensor of its own dtype.

        Raises:
            AttributeError: For a Python number.
            TypeError: For anything else.
        """
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Any) -> Any:
        """Divide by the scale; arguments and errors as for ``scale``."""
        return _grad_unscale_map(self.scale_value, inputs)


class StaticLossScaler(_Scaler):
    """A scale that stays.

    Args:
        scale_value: Number, 1 or more; kept as a Parameter, 0-d float32.

    Raises:
        TypeError: If it is not a number.
        ValueError: If it is below 1.
    """

    def __init__(self, scale_value: float) -> None:
        self.scale_value = _checked_scale(scale_value)

    def adjust(self, grads_finite: Any) -> bool:
        """Do nothing; returns False."""
        return False


@jax.jit
def _adjusted(
    finite: jax.Array, scale: jax.Array, counter: jax.Array, factor: jax.Array, window: jax.Array
) -> tuple[jax.Array, jax.Array]:
    grown = jnp.where(counter == window - 1, scale * factor, scale)
    scale = jnp.where(finite, grown, jnp.maximum(scale / factor, 1.0))
    return scale, jnp.where(finite, (counter + 1) % window, 0)


class DynamicLossScaler(_Scaler):
    """A scale that grows after ``scale_window`` finite steps and shrinks after each other one.

    Args:
        scale_value: Number to start with, 1 or more.
        scale_factor: int above 0 to multiply or divide by.
        scale_window: int above 0.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        self.scale_value = _checked_scale(scale_value)
        self.scale_window = positive_int(None, "scale_window", scale_window)
        self.scale_factor = positive_int(None, "scale_factor", scale_factor)
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter")

    def adjust(self, grads_finite: Tensor) -> bool:
        """Adjust the scale; never below 1.

        Args:
            grads_finite: 0-d bool Tensor: whether the gradients of the step were finite.

        Returns:
            True.

        Raises:
            TypeError: If it is not a bool Tensor.
            ValueError: If it is not 0-d.
        """
        if not is_tensor(grads_finite) or grads_finite.dtype is not mstype.bool_:
            raise ArgumentTypeError(
                "For 'DynamicLossScaler.adjust', 'grads_finite' must be a bool Tensor, as "
                f"all_finite gives it, but got {type(grads_finite).__name__}."
            )
        if grads_finite.ndim:
            raise ArgumentValueError(
                "For 'DynamicLossScaler.adjust', 'grads_finite' must be 0-d, but got shape "
                f"{grads_finite.shape}."
            )
        scale, counter = _adjusted(
            grads_finite._read(),
            self.scale_value._read(),
            self.counter._read(),
            jnp.float32(self.scale_factor),
            jnp.int32(self.scale_window),
        )
        self.scale_value._write(scale)
        self.counter._write(counter)
        return True


def all_finite(inputs: Any) -> Tensor:
    """Whether no element is infinite or nan.

    Args:
        inputs: Tuple or list of Tensors.

    Returns:
        0-d bool Tensor.

    Raises:
        TypeError: If it is not a tuple or list, or holds anything but Tensors.
        ValueError: If it is empty.
    """
    if not isinstance(inputs, (tuple, list)) or not all(is_tensor(item) for item in inputs):
        raise ArgumentTypeError(
            "For 'all_finite', the input must be a tuple or list of Tensors, but got "
            f"{type(inputs).__name__}."
        )
    if not inputs:
        raise ArgumentValueError("For 'all_finite', the input must hold a Tensor, but is empty.")
    return every_finite(inputs)
