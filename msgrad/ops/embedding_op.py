"""The functional embedding; the layer is in ``nn.layer.embedding``, plain look-up in ``gather``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops.selecting import gather


@operator("Embedding")
def _untrained_row(rows: Array, ids: Indices, padding_idx: int) -> Array:
    return jnp.where((ids == padding_idx)[..., None], lax.stop_gradient(rows), rows)


@function
def embedding(
    input: Tensor,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Look up rows of a table.

    Args:
        input: int Tensor of any shape.
        weight: Parameter or Tensor (rows, size).
        padding_idx: A row that gets no gradient; a negative one counts from the end.
        max_norm: None.
        norm_type: Not used without ``max_norm``.
        scale_grad_by_freq: False.

    Returns:
        Tensor ``(*input.shape, size)``.

    Raises:
        TypeError: If ``padding_idx`` is not an int, or the input not an int Tensor.
        ValueError: If it is out of range.
        RuntimeError: If a number in ``input`` is out of range (checked on the CPU).
        NotImplementedError: For ``max_norm`` or ``scale_grad_by_freq``.
    """
    if max_norm is not None or scale_grad_by_freq:
        raise UnsupportedError(
            "ops.embedding has no 'max_norm' and no 'scale_grad_by_freq' here; scale the table "
            "with ops.clip_by_norm, or its gradient, before the call."
        )
    rows = gather(weight, input, 0)
    if padding_idx is None:
        return rows
    if type(padding_idx) is not int:
        raise ArgumentTypeError(f"the 'padding_idx' must be an int, but got {padding_idx!r}.")
    count = weight.shape[0]
    if not -count <= padding_idx < count:
        raise ArgumentValueError(
            f"the 'padding_idx' must be in range of [-{count}, {count}), but got {padding_idx}."
        )
    return _untrained_row(rows, input, padding_idx % count)
