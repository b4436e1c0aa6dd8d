"""What layers and losses ask of the Tensors that they are called with."""

from __future__ import annotations

from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, NotATensorError
from msgrad.common.tensor import Tensor


def check_tensor(cls_name: str, name: str, value: Any, *dtypes: Any) -> Tensor:
    """Return ``value`` if it is a Tensor, of one of ``dtypes`` if there are some.

    Raises:
        TypeError: If it is not.
    """
    if not is_tensor(value):
        raise NotATensorError(
            f"For '{cls_name}', the '{name}' must be a Tensor, but got {type(value).__name__}."
        )
    if dtypes and value.dtype not in dtypes:
        raise ArgumentTypeError(
            f"For '{cls_name}', the dtype of '{name}' must be in {dtypes}, but got {value.dtype}."
        )
    return value


def check_tensors(owner: str, **values: Any) -> None:
    """Raise ``TypeError`` unless all values are Tensors."""
    for name, value in values.items():
        check_tensor(owner, name, value)


def check_rank(cls_name: str, x: Tensor, *ranks: int) -> None:
    """Raise ``ValueError`` unless a Tensor has one of the numbers of dimensions."""
    if x.ndim not in ranks:
        wanted = " or ".join(f"{rank} dims" for rank in ranks)
        raise ArgumentValueError(
            f"For '{cls_name}', the in_shape must have {wanted}, but got {x.ndim}."
        )
