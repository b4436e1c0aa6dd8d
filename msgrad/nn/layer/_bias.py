"""When a layer adds its bias apart from its product."""

from __future__ import annotations

from msgrad._core.context import context


def bias_apart() -> bool:
    """Whether the sum with a bias is computed in another dtype than the product.

    At level ``"auto"`` of mixed precision the product is float16 and its sum with the bias, which
    stays float32, is float32; otherwise one fused kernel does both.
    """
    mixed = context.mixed
    return mixed is not None and "BiasAdd" in mixed.by_name
