"""Names of MindSpore 1.x and 2.0 whose successors take other arguments; ``paths.DROPPED`` has all.

Each is what it was, made of what 2.10 has.
"""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad.autograd import jit
from msgrad.common.tensor import Tensor
from msgrad.ops.primitive import Primitive


def ms_function(
    fn: Any = None,
    obj: Any = None,
    input_signature: Any = None,
    hash_args: Any = None,
    jit_config: Any = None,
) -> Any:
    """Compile a function or method; ``mindspore.jit`` now. The other arguments are accepted."""
    return jit(fn) if fn is not None else jit


def set_offload_context(offload_config: dict[str, Any]) -> None:
    """Accepted for compatibility: where parameters are kept is up to JAX."""


class ResizeBilinear(Primitive):
    """Resizes images (N, C, H, W); ``ops.ResizeBilinearV2`` now.

    Args:
        size: The new (H, W).
        align_corners: Whether corners stay where they are.
        half_pixel_centers: Whether pixels are taken at their middle.
    """

    def __init__(
        self, size: Any, align_corners: bool = False, half_pixel_centers: bool = False
    ) -> None:
        super().__init__("ResizeBilinear")
        self.size = tuple(size)
        self._resize = ops.ResizeBilinearV2(align_corners, half_pixel_centers)

    def __call__(self, x: Tensor) -> Tensor:
        return self._resize(x, self.size)


class ControlDepend(Primitive):
    """Says that one operator follows another, which in msgrad they do as they are written.

    Args:
        depend_mode: Accepted for compatibility.
    """

    def __init__(self, depend_mode: int = 0) -> None:
        super().__init__("ControlDepend")
        self.depend_mode = depend_mode

    def __call__(self, src: Any, dst: Any) -> Any:
        return dst


def control_depend(src: Any, dst: Any, depend_mode: int = 0) -> Any:
    """Return ``dst``: operators run in the order in which they are written."""
    return dst
