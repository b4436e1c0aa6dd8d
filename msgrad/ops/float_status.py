"""Telling whether numbers are finite: ``FloatStatus`` and the test of many Tensors at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._core.errors import UnsupportedError
from msgrad._core.op import Array, Arrays, operator
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating
from msgrad.ops.primitive import primitive


@operator("AllFinite", public=False, autocast=False)
def every_finite(values: Arrays) -> Array:
    """Whether no element of any Tensor is infinite or nan; 0-d bool."""
    return jnp.all(jnp.stack([jnp.isfinite(value).all() for value in values]))


@operator("FloatStatus", primitive=True, public=False, autocast=False)
def float_status(x: Array) -> Array:
    """Return 1.0 if an element is infinite or nan, else 0.0.

    Args:
        x: Tensor, floating.

    Returns:
        Tensor (1,), float32.

    Raises:
        TypeError: If ``x`` is not floating.
    """
    floating(x)
    return 1.0 - jnp.isfinite(x).all().astype(jnp.float32).reshape(1)


def _no_register(name: str) -> Callable[..., Tensor]:
    def refuse(*inputs: Any) -> Tensor:
        """Always raises ``NotImplementedError``: only Ascend devices have the register it reads."""
        # On CPU and GPU MindSpore raises here too, so programs have another way beside it.
        raise UnsupportedError(
            f"Unsupported op [{name}] on CPU: it reads a register that only Ascend devices have; "
            "test the gradients with mindspore.amp.all_finite, or ops.FloatStatus."
        )

    return refuse


def _ascend(name: str) -> Any:
    return primitive(name, _no_register(name))


NPUAllocFloatStatus = _ascend("NPUAllocFloatStatus")
NPUClearFloatStatus = _ascend("NPUClearFloatStatus")
NPUGetFloatStatus = _ascend("NPUGetFloatStatus")
