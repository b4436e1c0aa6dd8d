"""The names of ``msgrad.ops``.

Written by ``python -m tests.record_stubs``.
"""

from collections.abc import Callable, Sequence
from functools import partial as partial
from typing import Any

import jax
import numpy as np

from msgrad.autograd.grad_operation import GradOperation as GradOperation
from msgrad.autograd.hooks import HookBackward as HookBackward
from msgrad.autograd.insert_gradient import InsertGradientOf as InsertGradientOf
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops import composite as composite
from msgrad.ops import functional as functional
from msgrad.ops import operations as operations
from msgrad.ops import primitive as primitive
from msgrad.ops.collective import AllGather as AllGather
from msgrad.ops.collective import AllReduce as AllReduce
from msgrad.ops.collective import Broadcast as Broadcast
from msgrad.ops.collective import ReduceOp as ReduceOp
from msgrad.ops.collective import ReduceScatter as ReduceScatter
from msgrad.ops.control import HyperMap as HyperMap
from msgrad.ops.control import Map as Map
from msgrad.ops.control import MultitypeFuncGraph as MultitypeFuncGraph
from msgrad.ops.primitive import Primitive as Primitive

_Number = bool | int | float | complex | np.number[Any] | np.bool_
# What stands beside a symbol.
_Other = Tensor | _Number | jax.Array | list[Any] | tuple[Any, ...]

__all__: list[str]

class ACos(Primitive):
    """Inverse cosine of each element, in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Abs(Primitive):
    """Size of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AccumulateNV2(Primitive):
    """Add a tuple or list of Tensors of one shape and dtype."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, /) -> Tensor: ...

class Acosh(Primitive):
    """Inverse hyperbolic cosine of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveAvgPool2D(Primitive):
    """Compute means of windows chosen so that the output has a given size."""

    output_size: Any
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveAvgPool3D(Primitive):
    """Compute means of windows of (N, C, D, H, W) or (C, D, H, W); see
    ``adaptive_avg_pool2d``.
    """

    output_size: Any
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AdaptiveMaxPool2D(Primitive):
    """Return maxima of windows chosen so that the output has a given size, and their places."""

    output_size: Any
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, x: Tensor, /) -> tuple[Tensor, Tensor]: ...

class Add(Primitive):
    """Add element by element with broadcasting; two bools give their logical or."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class AddN(Primitive):
    """Add a tuple or list of Tensors of one shape and dtype."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, /) -> Tensor: ...

class Addcdiv(Primitive):
    """``input + value * tensor1 / tensor2``, element by element."""
    def __init__(self) -> None: ...
    def __call__(
        self, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1, /
    ) -> Tensor: ...

class Addcmul(Primitive):
    """``input + value * tensor1 * tensor2``, element by element."""
    def __init__(self) -> None: ...
    def __call__(
        self, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1, /
    ) -> Tensor: ...

class ApproximateEqual(Primitive):
    """Whether elements differ by less than a tolerance."""

    tolerance: float
    def __init__(self, tolerance: float = 1e-05) -> None: ...
    def __call__(self, x: Tensor | _Number, y: Tensor | _Number, /) -> Tensor: ...

class ArgMaxWithValue(Primitive):
    """Return the positions (int64) of the largest elements of an axis, and the elements."""

    axis: int
    keep_dims: bool
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, /) -> tuple[Tensor, Tensor]: ...

class ArgMinWithValue(Primitive):
    """Return the positions (int64) of the smallest elements of an axis, and the elements."""

    axis: int
    keep_dims: bool
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, /) -> tuple[Tensor, Tensor]: ...

class Argmax(Primitive):
    """Return the positions of the largest elements of an axis."""

    axis: int
    output_type: Any
    def __init__(self, axis: int = -1, output_type: Any = ...) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Argmin(Primitive):
    """Return the positions of the smallest elements of an axis."""

    axis: int
    output_type: Any
    def __init__(self, axis: int = -1, output_type: Any = ...) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Asin(Primitive):
    """Inverse sine of each element, in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Asinh(Primitive):
    """Inverse hyperbolic sine of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Assign(Primitive):
    """Replace the values of a Parameter, in place."""
    def __init__(self) -> None: ...
    def __call__(self, variable: Any, value: Any, /) -> Tensor: ...

class AssignAdd(Primitive):
    """Add to the values of a Parameter, in place; see ``assign``."""
    def __init__(self) -> None: ...
    def __call__(self, variable: Any, value: Any, /) -> Tensor: ...

class AssignSub(Primitive):
    """Subtract from the values of a Parameter, in place; see ``assign``."""
    def __init__(self) -> None: ...
    def __call__(self, variable: Any, value: Any, /) -> Tensor: ...

class Atan(Primitive):
    """Inverse tangent of each element, in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Atan2(Primitive):
    """Angle of the point (other, input), in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class Atanh(Primitive):
    """Inverse hyperbolic tangent of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class AvgPool(Primitive):
    """Compute means of windows; the rim that is padded does not count."""

    kernel_size: int | tuple[int, ...]
    strides: int | tuple[int, ...]
    pad_mode: str
    data_format: str
    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        strides: int | tuple[int, ...] = 1,
        pad_mode: str = "VALID",
        data_format: str = "NCHW",
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Any: ...

class AvgPool3D(Primitive):
    """Compute means of windows of (N, C, D, H, W)."""

    kernel_size: Any
    strides: Any
    pad_mode: str
    pad: Any
    ceil_mode: bool
    count_include_pad: bool
    divisor_override: int
    data_format: str
    def __init__(
        self,
        kernel_size: Any = 1,
        strides: Any = 1,
        pad_mode: str = "valid",
        pad: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int = 0,
        data_format: str = "NCDHW",
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class BCEWithLogitsLoss(Primitive):
    """Compute the cross entropy of the sigmoid of ``input`` in a stable form."""

    reduction: str
    def __init__(self, reduction: str = "mean") -> None: ...
    def __call__(
        self,
        input: Tensor,
        target: Tensor,
        weight: Tensor | None = None,
        pos_weight: Tensor | None = None,
        /,
    ) -> Tensor: ...

class BatchMatMul(Primitive):
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""

    transpose_a: bool
    transpose_b: bool
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, mat2: Tensor, /) -> Tensor: ...

class BatchNorm(Primitive):
    """Normalize each channel, by the moments of the batch or by those given."""

    is_training: bool
    epsilon: float
    momentum: float
    data_format: str
    def __init__(
        self,
        is_training: bool = False,
        epsilon: float = 1e-05,
        momentum: float = 0.1,
        data_format: str = "NCHW",
    ) -> None: ...
    def __call__(
        self, x: Tensor, scale: Any, bias: Any, mean: Any, variance: Any, /
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]: ...

class BiasAdd(Primitive):
    """Add one number to each channel."""

    data_format: str
    def __init__(self, data_format: str = "NCHW") -> None: ...
    def __call__(self, input_x: Tensor, bias: Tensor, /) -> Tensor: ...

class BinaryCrossEntropy(Primitive):
    """Compute the cross entropy of probabilities."""

    reduction: str
    def __init__(self, reduction: str = "mean") -> None: ...
    def __call__(
        self, logits: Tensor, labels: Tensor, weight: Tensor | None = None, /
    ) -> Tensor: ...

class BitwiseAnd(Primitive):
    """And of the bits of two integers or bools."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class BitwiseOr(Primitive):
    """Or of the bits of two integers or bools."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class BitwiseXor(Primitive):
    """Exclusive or of the bits of two integers or bools."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class BroadcastTo(Primitive):
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size."""

    shape: int | tuple[int, ...] | list[int]
    def __init__(self, shape: int | tuple[int, ...] | list[int]) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Cast(Primitive):
    """Convert to another dtype."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, dtype: mstype.DType, /) -> Tensor: ...

class CeLU(Primitive):
    """Return ``x`` where positive and ``alpha * (exp(x / alpha) - 1)`` elsewhere."""

    alpha: float
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Ceil(Primitive):
    """Round up to an integer."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Complex(Primitive):
    """Return complex numbers of their real and imaginary parts, of one dtype and shape."""
    def __init__(self) -> None: ...
    def __call__(self, real: Tensor, imag: Tensor, /) -> Tensor: ...

class Concat(Primitive):
    """Join Tensors along an existing dimension."""

    axis: int
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, tensors: Any, /) -> Tensor: ...

class Conj(Primitive):
    """Complex conjugate of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Conv2D(Primitive):
    """Convolve over the dimensions after the channels; see ``ops.conv2d``."""

    out_channel: int | tuple[int, ...]
    kernel_size: int | tuple[int, ...]
    mode: Any
    pad_mode: Any
    pad: Any
    stride: int | tuple[int, ...]
    dilation: int | tuple[int, ...]
    group: int
    data_format: str
    def __init__(
        self,
        out_channel: int | tuple[int, ...],
        kernel_size: int | tuple[int, ...],
        mode: Any = 1,
        pad_mode: Any = "valid",
        pad: Any = 0,
        stride: int | tuple[int, ...] = 1,
        dilation: int | tuple[int, ...] = 1,
        group: int = 1,
        data_format: str = "NCHW",
    ) -> None: ...
    def __call__(self, x: Tensor, weight: Tensor, /) -> Tensor: ...

class Conv2DBackpropInput(Primitive):
    """Compute the gradient of ``Conv2D`` for its input: a transposed convolution."""

    out_channel: int
    kernel_size: Any
    pad_mode: str
    pad: Any
    pad_list: Any
    mode: int
    stride: Any
    dilation: Any
    group: int
    data_format: str
    def __init__(
        self,
        out_channel: int,
        kernel_size: Any,
        pad_mode: str = "valid",
        pad: Any = 0,
        pad_list: Any = None,
        mode: int = 1,
        stride: Any = 1,
        dilation: Any = 1,
        group: int = 1,
        data_format: str = "NCHW",
    ) -> None: ...
    def __call__(self, dout: Tensor, weight: Tensor, input_size: Any, /) -> Tensor: ...

class Conv2DTranspose(Primitive):
    """Compute the gradient of ``Conv2D`` for its input: a transposed convolution."""

    out_channel: int
    kernel_size: Any
    pad_mode: str
    pad: Any
    pad_list: Any
    mode: int
    stride: Any
    dilation: Any
    group: int
    data_format: str
    def __init__(
        self,
        out_channel: int,
        kernel_size: Any,
        pad_mode: str = "valid",
        pad: Any = 0,
        pad_list: Any = None,
        mode: int = 1,
        stride: Any = 1,
        dilation: Any = 1,
        group: int = 1,
        data_format: str = "NCHW",
    ) -> None: ...
    def __call__(self, dout: Tensor, weight: Tensor, input_size: Any, /) -> Tensor: ...

class Conv3D(Primitive):
    """Convolve over the dimensions after the channels; see ``ops.conv2d``."""

    out_channel: int | tuple[int, ...]
    kernel_size: int | tuple[int, ...]
    mode: Any
    pad_mode: Any
    pad: Any
    stride: int | tuple[int, ...]
    dilation: int | tuple[int, ...]
    group: int
    data_format: str
    def __init__(
        self,
        out_channel: int | tuple[int, ...],
        kernel_size: int | tuple[int, ...],
        mode: Any = 1,
        pad_mode: Any = "valid",
        pad: Any = 0,
        stride: int | tuple[int, ...] = 1,
        dilation: int | tuple[int, ...] = 1,
        group: int = 1,
        data_format: str = "NCDHW",
    ) -> None: ...
    def __call__(self, x: Tensor, weight: Tensor, /) -> Tensor: ...

class Cos(Primitive):
    """Cosine of each element, in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Cosh(Primitive):
    """Hyperbolic cosine of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Cross(Primitive):
    """Cross product of vectors of size 3 along ``dim`` (the first of that size by default)."""

    dim: int | None
    def __init__(self, dim: int | None = -65530) -> None: ...
    def __call__(self, input: Tensor, other: Tensor, /) -> Tensor: ...

class CumProd(Primitive):
    """Running product along ``axis``."""

    exclusive: bool
    reverse: bool
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int, /) -> Tensor: ...

class CumSum(Primitive):
    """Running sum along ``axis``, in ``dtype`` or that of ``x``."""

    exclusive: bool
    reverse: bool
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int, dtype: Any = None, /) -> Tensor: ...

class DType(Primitive):
    """Return the dtype of a Tensor."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> mstype.DType: ...

class Depend(Primitive):
    """Return ``value``; ``expr`` has run already, since Python evaluates arguments first."""
    def __init__(self) -> None: ...
    def __call__(self, value: Any, expr: Any, /) -> Any: ...

class DepthToSpace(Primitive):
    """Move blocks of channels (N, C * r**2, H, W) into space: (N, C, H * r, W * r)."""

    block_size: int
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Diag(Primitive):
    """Return the Tensor of twice the rank whose diagonal is ``input``, and zeros elsewhere."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Div(Primitive):
    """Divide element by element with broadcasting; integers and bools give float32."""
    def __init__(self) -> None: ...
    def __call__(self, dividend: Tensor | _Number, divisor: Tensor | _Number, /) -> Tensor: ...

class DivNoNan(Primitive):
    """Divide element by element, with 0 where the divisor is 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | _Number, y: Tensor | _Number, /) -> Tensor: ...

class Dropout(Primitive):
    """Zero elements at random and divide the others by ``keep_prob``."""

    keep_prob: float
    Seed0: int
    Seed1: int
    def __init__(self, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> None: ...
    def __call__(self, x: Tensor, /) -> tuple[Tensor, Tensor]: ...

class Einsum(Primitive):
    """Return sums of products over the indices of an equation; see ``ops.einsum``."""

    equation: str
    def __init__(self, equation: str) -> None: ...
    def __call__(self, x: Any, /) -> Tensor: ...

class Elu(Primitive):
    """Return ``x`` where positive and ``exp(x) - 1`` elsewhere."""

    alpha: float
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, input_x: Tensor, /) -> Tensor: ...

class Equal(Primitive):
    """Whether elements are equal."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, other: Tensor | _Number, /) -> Tensor: ...

class Erf(Primitive):
    """Error function of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Erfc(Primitive):
    """``1 - erf(x)``, exact for large x."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Erfinv(Primitive):
    """Inverse of the error function."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Exp(Primitive):
    """e to the power of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ExpandDims(Primitive):
    """Insert a dimension of size 1 at ``axis``, as a view."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, axis: int, /) -> Tensor: ...

class Expm1(Primitive):
    """``exp(x) - 1``, exact near 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Eye(Primitive):
    """Return ``n`` rows and ``m`` (or ``n``) columns with ones on the diagonal, float32 by
    default.
    """
    def __init__(self) -> None: ...
    def __call__(
        self, n: int, m: int | None = None, dtype: mstype.DType | None = None, /
    ) -> Tensor: ...

class FastGeLU(Primitive):
    """Compute ``x * sigmoid(1.702 * x)``."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class FastGelu(Primitive):
    """Compute ``x * sigmoid(1.702 * x)``."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Fill(Primitive):
    """Return a Tensor of the dtype ``type`` filled with ``value``."""
    def __init__(self) -> None: ...
    def __call__(
        self, type: mstype.DType, shape: Tensor | tuple[int, ...], value: Tensor | float | bool, /
    ) -> Tensor: ...

class Flatten(Primitive):
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, order: str = "C", /) -> Tensor: ...

class FloatStatus(Primitive):
    """Return 1.0 if an element is infinite or nan, else 0.0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Floor(Primitive):
    """Round down to an integer."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class FloorDiv(Primitive):
    """Divide and round towards minus infinity; an integer over zero gives its type's limit."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class FloorMod(Primitive):
    """Remainder of the division that rounds towards minus infinity; it has the divisor's
    sign.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | _Number, y: Tensor | _Number, /) -> Tensor: ...

class Gather(Primitive):
    """Return the slices of ``axis`` that the indices name."""

    batch_dims: int
    def __init__(self, batch_dims: int = 0) -> None: ...
    def __call__(self, input_params: Tensor, input_indices: Tensor, axis: int, /) -> Tensor: ...

class GatherD(Primitive):
    """Return the elements along ``dim`` that ``index`` names; as ``gather_elements``."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, dim: int, index: Tensor, /) -> Tensor: ...

class GatherNd(Primitive):
    """Return the slices whose leading positions are the rows of ``indices``."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, /) -> Tensor: ...

class GatherV2(Primitive):
    """Return the slices of ``axis`` that the indices name."""
    def __init__(self) -> None: ...
    def __call__(
        self, input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0, /
    ) -> Tensor: ...

class GeLU(Primitive):
    """Return ``x`` times the normal distribution function of ``x``, approximated by
    ``tanh``.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Ger(Primitive):
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
    M).
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, vec2: Tensor, /) -> Tensor: ...

class Greater(Primitive):
    """Whether ``input`` is greater than ``other``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class GreaterEqual(Primitive):
    """Whether ``input`` is not less than ``other``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class HShrink(Primitive):
    """Make 0 of the elements within ``[-lambd, lambd]``."""

    lambd: float
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class HSigmoid(Primitive):
    """Compute ``relu6(x + 3) / 6``; its gradient is 0 at the edges."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class HSwish(Primitive):
    """Compute ``x * relu6(x + 3) / 6``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Hypot(Primitive):
    """Square root of the sum of two squares."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class Identity(Primitive):
    """Return a copy of a Tensor, through which gradients flow."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Imag(Primitive):
    """Imaginary part of each element; of a real Tensor, zeros."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Inv(Primitive):
    """One over each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class IsFinite(Primitive):
    """Whether each element is neither nan nor infinite."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class IsInf(Primitive):
    """Whether each element is infinite."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class IsNan(Primitive):
    """Whether each element is nan."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class KLDivLoss(Primitive):
    """Compute ``labels * (log(labels) - logits)``, which is 0 where the label is 0."""

    reduction: str
    def __init__(self, reduction: str = "mean") -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor, /) -> Tensor: ...

class L2Loss(Primitive):
    """Return half the sum of the squares of all elements."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, /) -> Tensor: ...

class L2Normalize(Primitive):
    """Divide by the root of the sum of squares over an axis."""

    axis: Any
    epsilon: float
    def __init__(self, axis: Any = 0, epsilon: float = 0.0001) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class LRN(Primitive):
    """Divide by ``(bias + alpha * sum of squares) ** beta`` over neighbouring channels."""

    depth_radius: int
    bias: float
    alpha: float
    beta: float
    norm_region: str
    def __init__(
        self,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class LayerNorm(Primitive):
    """Normalize over the last dimensions, then scale and shift."""

    begin_norm_axis: int
    begin_params_axis: int
    epsilon: float
    def __init__(
        self, begin_norm_axis: int = 1, begin_params_axis: int = 1, epsilon: float = 1e-07
    ) -> None: ...
    def __call__(
        self, x: Tensor, gamma: Tensor, beta: Tensor, /
    ) -> tuple[Tensor, Tensor, Tensor]: ...

class Lerp(Primitive):
    """``input + weight * (end - input)``, element by element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, end: Tensor, weight: Tensor | _Number, /) -> Tensor: ...

class Less(Primitive):
    """Whether ``input`` is less than ``other``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, other: Tensor | _Number, /) -> Tensor: ...

class LessEqual(Primitive):
    """Whether ``input`` is not greater than ``other``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class LinSpace(Primitive):
    """Return ``steps`` numbers from ``start`` to ``end``, both included, float32."""
    def __init__(self) -> None: ...
    def __call__(self, start: Tensor | _Number, end: Tensor | _Number, steps: int, /) -> Tensor: ...

class Log(Primitive):
    """Natural logarithm of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Log1p(Primitive):
    """``log(1 + x)``, exact near 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LogSoftmax(Primitive):
    """Compute the logarithm of ``softmax`` in a stable form."""

    axis: int
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, logits: Tensor, /) -> Tensor: ...

class LogicalAnd(Primitive):
    """Whether both elements are not zero."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class LogicalNot(Primitive):
    """Whether each element is zero or False."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class LogicalOr(Primitive):
    """Whether one of the elements is not zero."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class LogicalXor(Primitive):
    """Whether just one element is not zero."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class LpNorm(Primitive):
    """Return the ``p``-norm over an axis."""

    axis: Any
    p: int
    keep_dims: bool
    epsilon: float
    def __init__(
        self, axis: Any, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class MaskedFill(Primitive):
    """Replace the elements where a mask is True."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, mask: Tensor, value: Tensor | _Number, /) -> Tensor: ...

class MaskedSelect(Primitive):
    """Return the elements where a mask is True, in one dimension."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, mask: Tensor, /) -> Tensor: ...

class MatMul(Primitive):
    """Product of two matrices (N, K) and (K, M) of one dtype."""

    transpose_a: bool
    transpose_b: bool
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, input: Tensor, mat2: Tensor, /) -> Tensor: ...

class MatrixDeterminant(Primitive):
    """Determinant of square matrices (..., N, N)."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class MatrixInverse(Primitive):
    """Return the inverses of square matrices (..., N, N)."""

    adjoint: bool
    def __init__(self, adjoint: bool = False) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class MaxPool(Primitive):
    """Compute maxima of windows in as many dimensions as ``kernel_size`` has; for the
    layers.
    """

    kernel_size: int | tuple[int, ...]
    strides: int | tuple[int, ...]
    pad_mode: str
    data_format: str
    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        strides: int | tuple[int, ...] = 1,
        pad_mode: str = "valid",
        data_format: str = "NCHW",
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Any: ...

class MaxPool3D(Primitive):
    """Compute maxima of windows of (N, C, D, H, W)."""

    kernel_size: Any
    strides: Any
    pad_mode: str
    pad_list: Any
    ceil_mode: Any
    data_format: str
    def __init__(
        self,
        kernel_size: Any = 1,
        strides: Any = 1,
        pad_mode: str = "VALID",
        pad_list: Any = 0,
        ceil_mode: Any = None,
        data_format: str = "NCDHW",
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class MaxPoolWithArgmax(Primitive):
    """Compute maxima of windows, and their places in the image."""

    kernel_size: int | tuple[int, ...]
    strides: int | tuple[int, ...]
    pad_mode: str
    data_format: str
    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        strides: int | tuple[int, ...] = 1,
        pad_mode: str = "valid",
        data_format: str = "NCHW",
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Any: ...

class Maximum(Primitive):
    """The larger of two Tensors element by element; at a tie the gradient is split evenly."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class Meshgrid(Primitive):
    """Return the coordinates of a grid, one Tensor for each axis; see ``ops.meshgrid``."""

    indexing: str
    def __init__(self, indexing: str = "xy") -> None: ...
    def __call__(self, inputs: Sequence[Tensor], /) -> tuple[Tensor, ...]: ...

class Minimum(Primitive):
    """The smaller of two Tensors element by element; at a tie the gradient is split evenly."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class MirrorPad(Primitive):
    """Continue a Tensor over its edges by its mirror image."""

    mode: str
    def __init__(self, mode: str = "REFLECT") -> None: ...
    def __call__(self, input_x: Tensor, paddings: Any, /) -> Tensor: ...

class Mish(Primitive):
    """Compute ``x * tanh(softplus(x))``."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Mod(Primitive):
    """Remainder of the division that rounds towards zero; it has the dividend's sign."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class Mul(Primitive):
    """Multiply element by element with broadcasting."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class NLLLoss(Primitive):
    """Return the weighted negative log likelihood, and the sum of the weights."""

    reduction: str
    ignore_index: int
    def __init__(self, reduction: str = "mean", ignore_index: int = -100) -> None: ...
    def __call__(
        self, logits: Tensor, labels: Tensor, weight: Tensor, /
    ) -> tuple[Tensor, Tensor]: ...

class NPUAllocFloatStatus(Primitive):
    """Always raises ``NotImplementedError``: only Ascend devices have the register it reads."""
    def __init__(self) -> None: ...
    def __call__(self, /, *inputs: Any) -> Tensor: ...

class NPUClearFloatStatus(Primitive):
    """Always raises ``NotImplementedError``: only Ascend devices have the register it reads."""
    def __init__(self) -> None: ...
    def __call__(self, /, *inputs: Any) -> Tensor: ...

class NPUGetFloatStatus(Primitive):
    """Always raises ``NotImplementedError``: only Ascend devices have the register it reads."""
    def __init__(self) -> None: ...
    def __call__(self, /, *inputs: Any) -> Tensor: ...

class Neg(Primitive):
    """Negative of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class NonZero(Primitive):
    """Return the positions of the elements that are not zero."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Any: ...

class NotEqual(Primitive):
    """Whether elements differ."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class OneHot(Primitive):
    """Return rows that are ``on_value`` at the index and ``off_value`` elsewhere."""

    axis: int
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(
        self, indices: Tensor, depth: int, on_value: Any = 1, off_value: Any = 0, /
    ) -> Tensor: ...

class Ones(Primitive):
    """Return a Tensor of ones."""
    def __init__(self) -> None: ...
    def __call__(self, shape: Any, dtype: mstype.DType | None = None, /) -> Tensor: ...

class OnesLike(Primitive):
    """Return ones of the shape and, by default, the dtype of ``input``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class PReLU(Primitive):
    """Return ``x`` where positive and ``weight * x`` elsewhere."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, weight: Tensor, /) -> Tensor: ...

class Pad(Primitive):
    """Put zeros around a Tensor."""

    paddings: Any
    def __init__(self, paddings: Any) -> None: ...
    def __call__(self, input_x: Tensor, /) -> Tensor: ...

class Partial(Primitive):
    """partial(func, *args, **keywords) - new function with partial application of the given
    arguments and keywords.
    """
    def __init__(self) -> None: ...
    def __call__(self, /, *args: Any) -> Any: ...

class Pow(Primitive):
    """Raise to a power element by element; an integer to a negative power gives 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, exponent: Any, /) -> Tensor: ...

class Print(Primitive):
    """Print each argument on a line of its own, Tensors by their ``repr``."""
    def __init__(self) -> None: ...
    def __call__(self, /, *input_x: Any) -> None: ...

class Range(Primitive):
    """Return ``start, start + step, ...`` below ``end``: int64 of ints, float32 otherwise."""

    maxlen: int
    def __init__(self, maxlen: int = 1000000) -> None: ...
    def __call__(self, start: Any, end: Any, step: Any, /) -> Tensor: ...

class Rank(Primitive):
    """Return the number of dimensions."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, /) -> int: ...

class ReLU(Primitive):
    """Compute ``max(x, 0)``; its gradient at 0 is 0. ``inplace`` is accepted and has no
    effect.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, inplace: bool = False, /) -> Tensor: ...

class ReLU6(Primitive):
    """Compute ``min(max(x, 0), 6)``; its gradient is 0 at 0 and 1 at 6."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Real(Primitive):
    """Real part of each element; of a real Tensor, the Tensor itself."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class RealDiv(Primitive):
    """Divide element by element; unlike ``div``, integers stay integers, rounded towards
    zero.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | _Number, y: Tensor | _Number, /) -> Tensor: ...

class Reciprocal(Primitive):
    """One over each element; float32 of integers."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ReduceAll(Primitive):
    """Whether all elements over ``axis`` are true or not zero."""

    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, input: Tensor, axis: Any = None, /) -> Tensor: ...

class ReduceAny(Primitive):
    """Whether some element over ``axis`` is true or not zero."""

    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, input: Tensor, axis: Any = None, /) -> Tensor: ...

class ReduceMax(Primitive):
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = (), /) -> Tensor: ...

class ReduceMean(Primitive):
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = (), /) -> Tensor: ...

class ReduceMin(Primitive):
    """Smallest element over ``axis``; a gradient is split evenly between equal ones."""

    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = (), /) -> Tensor: ...

class ReduceProd(Primitive):
    """Product over ``axis`` in the dtype of ``x``."""

    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = (), /) -> Tensor: ...

class ReduceSum(Primitive):
    """Sum over ``axis`` in the dtype of ``x``; with ``skip_mode``, an axis () changes
    nothing.
    """

    keep_dims: bool
    skip_mode: bool
    def __init__(self, keep_dims: bool = False, skip_mode: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = (), /) -> Tensor: ...

class Reshape(Primitive):
    """Return the elements in row-major order in another shape."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, shape: int | tuple[int, ...] | list[int], /) -> Tensor: ...

class ResizeBilinearV2(Primitive):
    """Resize images (N, C, H, W), linearly between the four nearest positions."""

    align_corners: bool
    half_pixel_centers: bool
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, x: Tensor, size: Any, /) -> Tensor: ...

class ResizeNearestNeighbor(Primitive):
    """Resize images (N, C, H, W), each element that of the nearest position."""

    size: Any
    align_corners: bool
    half_pixel_centers: bool
    def __init__(
        self, size: Any, align_corners: bool = False, half_pixel_centers: bool = False
    ) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class ReverseV2(Primitive):
    """Reverse the order of the elements along the given dimensions (a tuple or list of
    ints).
    """

    axis: int | tuple[int, ...] | list[int]
    def __init__(self, axis: int | tuple[int, ...] | list[int]) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Rint(Primitive):
    """Round to the nearest integer, halves to even."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class RmsNorm(Primitive):
    """Divide by the root of the mean of squares over the last dimensions, then scale."""

    epsilon: float
    def __init__(self, epsilon: float = 1e-06) -> None: ...
    def __call__(self, x: Tensor, gamma: Tensor, /) -> tuple[Tensor, Tensor]: ...

class Round(Primitive):
    """Round to ``decimals`` digits after the point, halves to even."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Rsqrt(Primitive):
    """One over the square root."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class ScalarToTensor(Primitive):
    """Return a number as a 0-d Tensor of a dtype."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, dtype: mstype.DType = ..., /) -> Tensor: ...

class ScatterAdd(Primitive):
    """Add to rows of ``input_x`` in place; returns the new values."""

    use_locking: Any
    def __init__(self, use_locking: Any = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class ScatterNd(Primitive):
    """Add the slices of ``updates`` to zeros of ``shape``, at the rows of ``indices``."""
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, updates: Tensor, shape: tuple[int, ...], /) -> Tensor: ...

class ScatterNdUpdate(Primitive):
    """Replace, in place, the slices at the rows of ``indices``; returns the new values."""

    use_locking: Any
    def __init__(self, use_locking: Any = True) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class ScatterUpdate(Primitive):
    """Replace rows of ``input_x`` in place; returns the new values."""

    use_locking: Any
    def __init__(self, use_locking: Any = True) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class SeLU(Primitive):
    """Compute the scaled exponential linear unit."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, /) -> Tensor: ...

class Select(Primitive):
    """Return ``input`` where a condition holds and ``other`` elsewhere; as ``where``."""
    def __init__(self) -> None: ...
    def __call__(
        self, condition: Tensor, input: Tensor | _Number, other: Tensor | _Number, /
    ) -> Tensor: ...

class Shape(Primitive):
    """Return the sizes of the dimensions as a tuple of ints."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, /) -> int | tuple[int, ...] | list[int]: ...

class Sigmoid(Primitive):
    """``1 / (1 + exp(-x))``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class SigmoidCrossEntropyWithLogits(Primitive):
    """Return the cross entropy of the sigmoid of each element and a label in [0, 1]."""
    def __init__(self) -> None: ...
    def __call__(self, logits: Tensor, label: Tensor, /) -> Tensor: ...

class Sign(Primitive):
    """-1, 0 or 1 by the sign of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Sin(Primitive):
    """Sine of each element, in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Sinh(Primitive):
    """Hyperbolic sine of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Size(Primitive):
    """Return the number of elements."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, /) -> int: ...

class Slice(Primitive):
    """Return ``size[i]`` elements of dimension ``i`` from ``begin[i]`` on; -1 takes the
    rest.
    """
    def __init__(self) -> None: ...
    def __call__(
        self,
        input_x: Tensor,
        begin: int | tuple[int, ...] | list[int],
        size: int | tuple[int, ...] | list[int],
        /,
    ) -> Tensor: ...

class SmoothL1Loss(Primitive):
    """Compute a loss that is quadratic below ``beta`` and linear above."""

    beta: float
    reduction: str
    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None: ...
    def __call__(self, input: Tensor, target: Tensor, /) -> Tensor: ...

class SoftShrink(Primitive):
    """Bring elements nearer to 0 by ``lambd``; those within become 0."""

    lambd: float
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Softmax(Primitive):
    """Compute exponentials that sum to 1 along ``axis``."""

    axis: int
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class SoftmaxCrossEntropyWithLogits(Primitive):
    """Return the cross entropy of the softmax of each row, and its gradient."""
    def __init__(self) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor, /) -> tuple[Tensor, Tensor]: ...

class Softplus(Primitive):
    """Compute ``log(1 + exp(beta * x)) / beta``, and ``x`` itself where ``beta * x >
    threshold``.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, beta: float = 1, threshold: float = 20, /) -> Tensor: ...

class Softsign(Primitive):
    """Compute ``x / (1 + abs(x))``."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class Sort(Primitive):
    """Sort along ``axis``, equal elements in their order."""

    axis: int
    descending: bool
    def __init__(self, axis: int = -1, descending: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, /) -> tuple[Tensor, Tensor]: ...

class SpaceToDepth(Primitive):
    """Move blocks of space (N, C, H * r, W * r) into channels: (N, C * r**2, H, W)."""

    block_size: int
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, x: Tensor, /) -> Tensor: ...

class SparseSoftmaxCrossEntropyWithLogits(Primitive):
    """Return the mean cross entropy of the softmax of each row, or its gradient."""

    is_grad: bool
    def __init__(self, is_grad: bool = False) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor, /) -> Tensor: ...

class Split(Primitive):
    """Cut a Tensor along ``axis`` into equal pieces."""

    axis: int
    output_num: int
    def __init__(self, axis: int = 0, output_num: int = 1) -> None: ...
    def __call__(self, input_x: Tensor, /) -> tuple[Tensor, ...]: ...

class Sqrt(Primitive):
    """Square root; float32 of integers."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Square(Primitive):
    """Square of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class SquaredDifference(Primitive):
    """Square of the difference, element by element."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | _Number, y: Tensor | _Number, /) -> Tensor: ...

class Squeeze(Primitive):
    """Args: axis: The dimension, or dimensions, that it works along."""

    axis: Any
    def __init__(self, axis: Any = ()) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Stack(Primitive):
    """Join Tensors of one shape and dtype along a new dimension."""

    axis: int
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, tensors: Sequence[Tensor], /) -> Tensor: ...

class StandardNormal(Primitive):
    """Return standard normal numbers, float32."""

    seed: Any
    seed2: Any
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any, seed: int | None = None, /) -> Tensor: ...

class StridedSlice(Primitive):
    """Return ``x[begin[0]:end[0]:strides[0], ...]``; bit ``i`` of a mask is about dimension
    ``i``.
    """

    begin_mask: int
    end_mask: int
    ellipsis_mask: int
    new_axis_mask: int
    shrink_axis_mask: int
    def __init__(
        self,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
    ) -> None: ...
    def __call__(
        self,
        input_x: Tensor,
        begin: int | tuple[int, ...] | list[int],
        end: int | tuple[int, ...] | list[int],
        strides: int | tuple[int, ...] | list[int],
        /,
    ) -> Tensor: ...

class Sub(Primitive):
    """Subtract element by element with broadcasting; two bools give where they differ."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class Tan(Primitive):
    """Tangent of each element, in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Tanh(Primitive):
    """Hyperbolic tangent of each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class TensorAdd(Primitive):
    """Add element by element with broadcasting; two bools give their logical or."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class TensorScatterAdd(Primitive):
    """Add to slices, in a copy."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class TensorScatterMax(Primitive):
    """Take the larger of slices and ``updates``, in a copy."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class TensorScatterMin(Primitive):
    """Take the smaller of slices and ``updates``, in a copy."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class TensorScatterMul(Primitive):
    """Multiply slices, in a copy."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class TensorScatterSub(Primitive):
    """Subtract from slices, in a copy."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class TensorScatterUpdate(Primitive):
    """Replace slices in a copy."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, /) -> Tensor: ...

class TensorShape(Primitive):
    """Return the sizes of the dimensions as an int64 Tensor."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, /) -> Tensor: ...

class Tile(Primitive):
    """Repeat the whole Tensor ``dims[i]`` times along dimension ``i``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, dims: int | tuple[int, ...] | list[int], /) -> Tensor: ...

class TopK(Primitive):
    """Return the ``k`` largest elements of the last dimension and their positions; as
    ``topk``.
    """

    sorted: bool
    def __init__(self, sorted: bool = True) -> None: ...
    def __call__(self, input_x: Tensor, k: int, /) -> tuple[Tensor, Tensor]: ...

class Trace(Primitive):
    """Sum of the main diagonal of a matrix."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Transpose(Primitive):
    """Permute the dimensions: dimension ``i`` of the view is dimension ``dims[i]`` of
    ``input``.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, dims: int | tuple[int, ...] | list[int], /) -> Tensor: ...

class Tril(Primitive):
    """Zero the elements above a diagonal of the last two dimensions."""

    diagonal: int
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Triu(Primitive):
    """Zero the elements below a diagonal of the last two dimensions."""

    diagonal: int
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class Trunc(Primitive):
    """Round towards 0; integers and bools stay as they are."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

class TruncateDiv(Primitive):
    """Divide and round towards zero; an integer over zero gives its type's limit."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | _Number, y: Tensor | _Number, /) -> Tensor: ...

class TruncateMod(Primitive):
    """Remainder of the division that rounds towards zero; it has the dividend's sign."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class TupleToArray(Primitive):
    """Return a tuple of ints (int32) or floats (float32) as a 1-D Tensor."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: tuple[Any, ...], /) -> Tensor: ...

class UniformInt(Primitive):
    """Draw int32 numbers from ``minval`` up to, and without, ``maxval``."""

    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Any, minval: Any, maxval: Any, /) -> Tensor: ...

class UniformReal(Primitive):
    """Return numbers uniform on [0, 1); see ``randn`` for the arguments."""

    seed: Any
    seed2: Any
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, /, *size: Any) -> Tensor: ...

class Unique(Primitive):
    """Return the distinct elements in the order of their first occurrence."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> tuple[Tensor, Tensor]: ...

class Unstack(Primitive):
    """Cut a Tensor into the slices of ``axis``, without that dimension."""

    axis: int
    num: int | None
    def __init__(self, axis: int = 0, num: int | None = None) -> None: ...
    def __call__(self, input_x: Tensor, /) -> tuple[Tensor, ...]: ...

class Xlogy(Primitive):
    """``input * log(other)``, and 0 where ``input`` is 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | _Number, other: Tensor | _Number, /) -> Tensor: ...

class Zeros(Primitive):
    """Return a Tensor of zeros; see ``ones``."""
    def __init__(self) -> None: ...
    def __call__(self, size: Any, dtype: mstype.DType | None = None, /) -> Tensor: ...

class ZerosLike(Primitive):
    """Return zeros of the shape and, by default, the dtype of ``input``."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, /) -> Tensor: ...

def abs(input: Tensor) -> Tensor:
    """Size of each element."""

def absolute(input: Tensor) -> Tensor:
    """Size of each element."""

def accumulate_n(x: Any) -> Tensor:
    """Add a tuple or list of Tensors of one shape and dtype."""

def acos(input: Tensor) -> Tensor:
    """Inverse cosine of each element, in radians."""

def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Compute means of ``output_size`` equal parts of the last dimension of (N, C, L) or (C,
    L).
    """

def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows chosen so that the output has a given size."""

def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows of (N, C, D, H, W) or (C, D, H, W); see
    ``adaptive_avg_pool2d``.
    """

def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Compute maxima of ``output_size`` equal parts; see ``adaptive_avg_pool1d``."""

def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows chosen so that the output has a given size."""

def add(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Add element by element with broadcasting; two bools give their logical or."""

def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Accept compiler flags for a function or Cell, which have no effect; gives it back."""

def addbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    beta: Tensor | _Number = 1,
    alpha: Tensor | _Number = 1,
) -> Tensor:
    """``beta * input + alpha * sum(batch1 @ batch2)``, the sum over the batch."""

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1) -> Tensor:
    """``input + value * tensor1 / tensor2``, element by element."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1) -> Tensor:
    """``input + value * tensor1 * tensor2``, element by element."""

def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    beta: Tensor | _Number = 1,
    alpha: Tensor | _Number = 1,
) -> Tensor:
    """``beta * input + alpha * (mat1 @ mat2)`` of matrices."""

def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, beta: Tensor | _Number = 1, alpha: Tensor | _Number = 1
) -> Tensor:
    """``beta * input + alpha * (mat @ vec)`` of a matrix and a vector."""

def addn(x: Any) -> Tensor:
    """Add a tuple or list of Tensors of one shape and dtype."""

def all(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    """Whether all elements over ``axis`` are true or not zero."""

def amax(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Tensor:
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

def amin(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Tensor:
    """Smallest element over ``axis``; see ``amax``."""

def aminmax(input: Any, *, axis: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Smallest and largest elements along ``axis``; without one, of all."""

def any(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    """Whether some element over ``axis`` is true or not zero."""

def arange(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return ``start, start + step, ...`` below ``end``."""

def arccos(input: Tensor) -> Tensor:
    """Inverse cosine of each element, in radians."""

def arccosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def arcsin(input: Tensor) -> Tensor:
    """Inverse sine of each element, in radians."""

def arcsinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def arctan(input: Tensor) -> Tensor:
    """Inverse tangent of each element, in radians."""

def arctan2(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Angle of the point (other, input), in radians."""

def arctanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Position of the first largest element, in int64; in the flattened Tensor without
    ``dim``.
    """

def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Position of the first smallest element, in int32 (int64 of a 0-d Tensor)."""

def argsort(input: Tensor, axis: int = -1, descending: bool = False) -> Tensor:
    """Return the positions, int32, of the elements in sorted order along ``axis``."""

def argwhere(input: Tensor) -> Tensor:
    """Return the positions of the elements that are not zero: int64 Tensor (n, ndim)."""

def asin(input: Tensor) -> Tensor:
    """Inverse sine of each element, in radians."""

def asinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def assign(variable: Any, value: Any) -> Tensor:
    """Replace the values of a Parameter, in place."""

def assign_add(variable: Any, value: Any) -> Tensor:
    """Add to the values of a Parameter, in place; see ``assign``."""

def assign_sub(variable: Any, value: Any) -> Tensor:
    """Subtract from the values of a Parameter, in place; see ``assign``."""

def atan(input: Tensor) -> Tensor:
    """Inverse tangent of each element, in radians."""

def atan2(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Angle of the point (other, input), in radians."""

def atanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def avg_pool1d(
    input_x: Tensor,
    kernel_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Compute means of windows of a Tensor (N, C, L); see ``avg_pool2d``."""

def avg_pool2d(
    input_x: Tensor,
    kernel_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """Compute means of windows."""

def avg_pool3d(
    input_x: Tensor,
    kernel_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """Compute means of windows of a Tensor (N, C, D, H, W); see ``avg_pool2d``."""

def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    beta: Tensor | _Number = 1,
    alpha: Tensor | _Number = 1,
) -> Tensor:
    """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""

def batch_norm(
    input_x: Tensor,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise each channel, then scale and shift it."""

def bernoulli(input: Tensor, p: Any = 0.5, seed: int | None = None) -> Tensor:
    """Return ones with probability ``p`` (number or Tensor) and zeros, in the shape of
    ``input``.
    """

def bias_add(input_x: Tensor, bias: Tensor) -> Tensor:
    """Add a bias (C,) along the second dimension of (N, C, ...)."""

def binary_cross_entropy(
    logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Compute the cross entropy of probabilities."""

def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute the cross entropy of the sigmoid of ``input`` in a stable form."""

def bitwise_and(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """And of the bits of two integers or bools."""

def bitwise_left_shift(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Shift the bits of integers to the left."""

def bitwise_or(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Or of the bits of two integers or bools."""

def bitwise_right_shift(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Shift the bits of integers to the right, keeping the sign."""

def bitwise_xor(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Exclusive or of the bits of two integers or bools."""

def bmm(
    input_x: Tensor, mat2: Tensor, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""

def broadcast_to(input: Tensor, shape: int | tuple[int, ...] | list[int]) -> Tensor:
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size."""

def cast(input: Any, dtype: mstype.DType) -> Tensor:
    """Convert to another dtype."""

def cat(tensors: Any, axis: int = 0) -> Tensor:
    """Join Tensors along an existing dimension."""

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """Distances between the rows of (..., P, M) and (..., R, M), in the p-norm: (..., P, R)."""

def ceil(input: Tensor) -> Tensor:
    """Round up to an integer."""

def celu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return ``x`` where positive and ``alpha * (exp(x / alpha) - 1)`` elsewhere."""

def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into at most ``chunks`` equal pieces, the last smaller."""

def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""

def clip(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""

def clip_by_global_norm(x: Any, clip_norm: Any = 1.0, use_norm: Any = None) -> Any:
    """Scale by ``clip_norm / max(norm, clip_norm)``, with the 2-norm over all Tensors."""

def clip_by_norm(
    x: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Any:
    """Scale down by ``min(max_norm / (norm + 1e-6), 1)``, with the norm over all Tensors."""

def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """Clip to [clip_value_min, clip_value_max], the upper bound last."""

def concat(tensors: Any, axis: int = 0) -> Tensor:
    """Join Tensors along an existing dimension."""

def conj(input: Tensor) -> Tensor:
    """Complex conjugate of each element."""

def constexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """Make a Primitive of a function that MindSpore computes while it compiles; also a
    decorator.
    """

def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    pad_mode: str = "valid",
    padding: int | tuple[int, ...] | list[int] = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve sequences: ``conv2d`` on Tensors (N, C, L) and (C_out, C / groups, k)."""

def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    pad_mode: str = "valid",
    padding: int | tuple[int, ...] | list[int] = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve images."""

def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    pad_mode: str = "valid",
    padding: int | tuple[int, ...] | list[int] = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve volumes: ``conv2d`` on Tensors (N, C, D, H, W) and (C_out, C / groups, ...)."""

def copysign(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """The size of ``input`` with the sign of ``other``."""

def cos(input: Tensor) -> Tensor:
    """Cosine of each element, in radians."""

def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine of each element."""

def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    """Cosine of the angle between vectors along ``dim``; norms count as at least ``eps``."""

def count_nonzero(x: Tensor, axis: Any = (), keep_dims: bool = False, dtype: Any = ...) -> Tensor:
    """How many elements over ``axis`` are not zero, in ``dtype``."""

def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Cross product of vectors of size 3 along ``dim`` (the first of that size by default)."""

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Compute the cross entropy of the softmax of ``input``."""

def cummax(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Running maximum along ``axis`` and its int64 positions."""

def cummin(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Running minimum along ``axis`` and its int32 positions."""

def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Running product along ``dim``; integers and bools give int64."""

def cumsum(
    x: Tensor, axis: int, dtype: Any = None, *, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Running sum along ``axis``, in ``dtype`` or that of ``x``."""

def deg2rad(input: Tensor) -> Tensor:
    """Degrees to radians."""

def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Compute ``input @ weight.T + bias``."""

def depend(value: Any, expr: Any) -> Any:
    """Return ``value``; ``expr`` has run already, since Python evaluates arguments first."""

def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, Any]:
    """Return the value of an element-wise ``fn`` and its derivative of the given order."""

def det(input: Tensor) -> Tensor:
    """Determinant of square matrices (..., N, N)."""

def diag(input: Tensor) -> Tensor:
    """Return the Tensor of twice the rank whose diagonal is ``input``, and zeros elsewhere."""

def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return a diagonal of two dimensions, as a view whose last dimension it is."""

def digamma(input: Tensor) -> Tensor:
    """Derivative of ``lgamma`` of each element."""

def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The p-norm of ``input - other``, over all elements."""

def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element with broadcasting."""

def divide(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element with broadcasting."""

def dot(input: Tensor, other: Tensor) -> Tensor:
    """Contract the last dimension of ``input`` with the last but one of ``other``."""

def dropout(
    input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None
) -> Tensor:
    """Zero elements with probability ``p`` and divide the others by ``1 - p``."""

def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of a Tensor (N, C, L) or (C, L) with probability ``p``."""

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of a Tensor (N, C, H, W) with probability ``p``."""

def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of a Tensor (N, C, D, H, W) with probability ``p``."""

def dtype(x: Tensor) -> mstype.DType:
    """Return the dtype of a Tensor."""

def dyn_shape(input_x: Tensor) -> Tensor:
    """Return the sizes of the dimensions as an int64 Tensor."""

def einsum(equation: str, *operands: Any) -> Tensor:
    """Sum products over the indices an equation such as ``'ij,jk->ik'`` names."""

def elu(input_x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return ``x`` where positive and ``exp(x) - 1`` elsewhere."""

def embedding(
    input: Tensor,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Look up rows of a table."""

def eq(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether elements are equal."""

def equal(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether elements are equal."""

def erf(input: Tensor) -> Tensor:
    """Error function of each element."""

def erfc(input: Tensor) -> Tensor:
    """``1 - erf(x)``, exact for large x."""

def erfinv(input: Tensor) -> Tensor:
    """Inverse of the error function."""

def exp(input: Tensor) -> Tensor:
    """e to the power of each element."""

def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element."""

def expand(input: Tensor, shape: int | tuple[int, ...] | list[int]) -> Tensor:
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size."""

def expand_dims(input_x: Tensor, axis: int) -> Tensor:
    """Insert a dimension of size 1 at ``axis``, as a view."""

def expm1(input: Tensor) -> Tensor:
    """``exp(x) - 1``, exact near 0."""

def eye(n: int, m: int | None = None, dtype: mstype.DType | None = None) -> Tensor:
    """Return ``n`` rows and ``m`` (or ``n``) columns with ones on the diagonal, float32 by
    default.
    """

def fast_gelu(x: Tensor) -> Tensor:
    """Compute ``x * sigmoid(1.702 * x)``."""

def fill(type: mstype.DType, shape: Any, value: Tensor | float | bool) -> Tensor:
    """Return a Tensor of the dtype ``type`` filled with ``value``."""

def flatten(input: Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one."""

def flip(input: Tensor, dims: int | tuple[int, ...] | list[int]) -> Tensor:
    """Reverse the order of the elements along the given dimensions (a tuple or list of
    ints).
    """

def fliplr(input: Tensor) -> Tensor:
    """Reverse the second dimension."""

def flipud(input: Tensor) -> Tensor:
    """Reverse the first dimension."""

def float_power(input: Tensor | _Number, exponent: Tensor | _Number) -> Tensor:
    """Raise to a power element by element, in float64 (complex128 of complex operands)."""

def floor(input: Tensor) -> Tensor:
    """Round down to an integer."""

def floor_div(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Divide and round towards minus infinity; an integer over zero gives its type's limit."""

def floor_divide(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Divide and round towards minus infinity; an integer over zero gives its type's limit."""

def floor_mod(x: Tensor | _Number, y: Tensor | _Number) -> Tensor:
    """Remainder of the division that rounds towards minus infinity; it has the divisor's
    sign.
    """

def fmod(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Remainder of the division that rounds towards zero; it has the dividend's sign."""

def frac(input: Tensor) -> Tensor:
    """What ``trunc`` leaves of each element."""

def full(
    size: tuple | list, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return a Tensor filled with one value."""

def full_like(
    input: Tensor, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return ``fill_value`` in the shape and, by default, the dtype of ``input``."""

def gather(input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0) -> Tensor:
    """Return the slices of ``axis`` that the indices name."""

def gather_d(x: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the elements along ``dim`` that ``index`` names; as ``gather_elements``."""

def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names."""

def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """Return the slices whose leading positions are the rows of ``indices``."""

def ge(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not less than ``other``."""

def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Compute ``x * Phi(x)`` with the normal distribution function, or its tanh
    approximation.
    """

def ger(input: Tensor, vec2: Tensor) -> Tensor:
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
    M).
    """

def get_grad(gradients: Any, identifier: Any) -> Any:
    """Pick one gradient out of the result of ``grad(..., return_ids=True)``."""

def glu(x: Tensor, axis: int = -1) -> Tensor:
    """Return the first half of ``axis`` times the sigmoid of the second."""

def grad(
    fn: Callable[..., Any],
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Make a function that gives the gradients of ``fn``."""

def greater(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is greater than ``other``."""

def greater_equal(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not less than ``other``."""

def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise groups of channels, then scale and shift each channel."""

def gt(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is greater than ``other``."""

def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Make 0 of the elements within ``[-lambd, lambd]``."""

def hardsigmoid(input: Tensor) -> Tensor:
    """Compute ``relu6(x + 3) / 6``; its gradient is 0 at the edges."""

def hardswish(input: Tensor) -> Tensor:
    """Compute ``x * relu6(x + 3) / 6``."""

def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Clip to [min_val, max_val]; its gradient is 0.5 at the edges."""

def hinge_embedding_loss(
    inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """Return ``inputs`` where the target is 1 and ``max(0, margin - inputs)`` where it is
    -1.
    """

def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the second dimension, 1-D ones along their only one."""

def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    """Compute a loss that is quadratic below ``delta`` and linear, of slope ``delta``,
    above.
    """

def hypot(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Square root of the sum of two squares."""

def identity(x: Any) -> Any:
    """Return ``x`` itself."""

def imag(input: Tensor) -> Tensor:
    """Imaginary part of each element; of a real Tensor, zeros."""

def index_add(
    x: Tensor,
    indices: Tensor,
    y: Tensor,
    axis: int,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> Tensor:
    """Add slices to a Parameter, in place."""

def index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """Return the slices of ``axis`` that the 1-D ``index`` names."""

def inner(input: Tensor, other: Tensor) -> Tensor:
    """Contract the last dimensions of both Tensors; a 0-d one multiplies."""

def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second."""

def inv(input: Tensor) -> Tensor:
    """One over each element."""

def inverse(input: Tensor) -> Tensor:
    """Inverse of square matrices (..., N, N)."""

def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is floating."""

def is_tensor(value: Any) -> bool:
    """Whether ``value`` is a Tensor (or Parameter)."""

def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether ``|input - other| <= atol + rtol * |other|``, element by element."""

def isconstant(x: Any) -> bool:
    """Whether ``x`` is known when the function around is compiled; outside of one always."""

def isfinite(input: Tensor) -> Tensor:
    """Whether each element is neither nan nor infinite."""

def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite."""

def isnan(input: Tensor) -> Tensor:
    """Whether each element is nan."""

def jacfwd(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that gives the Jacobian of ``fn``, column by column."""

def jacrev(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that gives the Jacobian of ``fn``, row by row."""

def jet(fn: Callable[..., Any], primals: Any, series: Any) -> tuple[Any, Any]:
    """Return the value of ``fn`` and its derivatives along a curve through ``primals``."""

def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return the output of ``fn`` and its derivative along ``v``, in one forward pass."""

def kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """Compute ``labels * (log(labels) - logits)``, which is 0 where the label is 0."""

def kron(input: Tensor, other: Tensor) -> Tensor:
    """Kronecker product of two Tensors."""

def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the absolute differences; arguments and errors as for ``mse_loss``."""

def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise over the last dimensions, then scale and shift."""

def le(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not greater than ``other``."""

def leaky_relu(input: Tensor, alpha: float = 0.2) -> Tensor:
    """Return ``x`` where positive, ``alpha * x`` elsewhere; the gradient at 0 is the mean of
    both.
    """

def lerp(input: Tensor, end: Tensor, weight: Tensor | _Number) -> Tensor:
    """``input + weight * (end - input)``, element by element."""

def less(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is less than ``other``."""

def less_equal(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not greater than ``other``."""

def lgamma(input: Tensor) -> Tensor:
    """Logarithm of the size of the gamma function."""

def linspace(start: Tensor | _Number, end: Tensor | _Number, steps: int) -> Tensor:
    """Return ``steps`` numbers from ``start`` to ``end``, both included, float32."""

def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Tensor) -> Tensor:
    """Logarithm to the base 10 of each element."""

def log1p(input: Tensor) -> Tensor:
    """``log(1 + x)``, exact near 0."""

def log2(input: Tensor) -> Tensor:
    """Logarithm to the base 2 of each element."""

def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    """Compute the logarithm of ``softmax`` in a stable form."""

def logaddexp(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Logarithm of the sum of two exponentials."""

def logaddexp2(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Base-2 logarithm of ``2**x + 2**y``."""

def logical_and(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether both elements are not zero."""

def logical_not(input: Tensor) -> Tensor:
    """Whether each element is zero or False."""

def logical_or(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether one of the elements is not zero."""

def logical_xor(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether just one element is not zero."""

def logsigmoid(x: Tensor) -> Tensor:
    """Compute ``log(sigmoid(x))`` in a stable form."""

def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """Logarithm of the sum of exponentials over ``dim``, safe from overflow."""

def lrn(
    x: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Tensor:
    """Divide by ``(bias + alpha * sum of squares) ** beta`` over neighbouring channels."""

def lt(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is less than ``other``."""

def make_range(*bounds: int) -> tuple[int, ...]:
    """Return the ints of Python's ``range`` as a tuple."""

def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Compute ``max(0, -target * (input1 - input2) + margin)``; the target is 1 or -1."""

def masked_fill(input_x: Tensor, mask: Tensor, value: Tensor | _Number) -> Tensor:
    """Replace the elements where a mask is True."""

def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where a mask is True, in one dimension."""

def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Matrix product of the last two dimensions, the ones before broadcast."""

def max(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Largest elements along ``axis`` and where they are."""

def max_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """Compute maxima of windows."""

def max_pool3d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Compute maxima of windows of a Tensor (N, C, D, H, W); see ``max_pool2d``."""

def maximum(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """The larger of two Tensors element by element; at a tie the gradient is split evenly."""

def mean(x: Tensor, axis: Any = None, keep_dims: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The lower median along ``axis`` and its int64 position; a nan counts as the median."""

def meshgrid(*inputs: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Return coordinate Tensors of the grid that 1-D Tensors span."""

def min(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Smallest elements along ``axis`` and where they are; see ``max``."""

def minimum(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """The smaller of two Tensors element by element; at a tie the gradient is split evenly."""

def mish(x: Tensor) -> Tensor:
    """Compute ``x * tanh(softplus(x))``."""

def mm(input: Tensor, mat2: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """Product of two matrices (N, K) and (K, M) of one dtype."""

def moveaxis(x: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other positions; the rest keep their order."""

def movedim(x: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other positions; the rest keep their order."""

def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Compute the squared differences, with broadcasting."""

def mul(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Multiply element by element with broadcasting."""

def multinomial(
    input: Tensor, num_samples: int, replacement: bool = True, seed: int | None = None
) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension."""

def multiply(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Multiply element by element with broadcasting."""

def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """Product of a matrix (N, K) and a vector (K,)."""

def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Replace nan by ``nan`` (0) and infinities by ``posinf``, ``neginf`` (the largest
    numbers).
    """

def nanmean(
    input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None
) -> Tensor:
    """Mean over ``axis`` of the elements that are not nan."""

def nansum(input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``axis`` with nan taken as 0; bools give int64."""

def narrow(input: Tensor, axis: int | bool, start: int, length: int) -> Tensor:
    """Return ``length`` elements of ``axis`` from ``start`` on, as a view."""

def ne(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether elements differ."""

def neg(input: Tensor) -> Tensor:
    """Negative of each element."""

def negative(input: Tensor) -> Tensor:
    """Negative of each element."""

def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return the negative log-likelihood of labels."""

def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the positions of the elements that are not zero."""

def norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Norm of vectors or matrices."""

def normal(shape: Any, mean: Any, stddev: Any, seed: int | None = None) -> Tensor:
    """Return normal numbers, float32."""

def not_equal(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether elements differ."""

def numel(input_x: Tensor) -> int:
    """Return the number of elements."""

def one_hot(
    indices: Tensor, depth: int, on_value: Any = 1, off_value: Any = 0, axis: int = -1
) -> Tensor:
    """Return rows that are ``on_value`` at the index and ``off_value`` elsewhere."""

def ones(shape: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of ones."""

def ones_like(input: Tensor, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return ones of the shape and, by default, the dtype of ``input``."""

def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
    M).
    """

def pad(
    input_x: Tensor,
    padding: int | tuple[int, ...] | list[int],
    mode: str = "constant",
    value: float | bool | None = None,
) -> Tensor:
    """Pad the last dimensions."""

def permute(input: Tensor, axis: int | tuple[int, ...] | list[int]) -> Tensor:
    """Permute the dimensions; as ``transpose``."""

def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Make squares of pixels of groups of neighbouring channels."""

def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Make groups of channels of squares of pixels: the reverse of ``pixel_shuffle``."""

def positive(input: Tensor) -> Tensor:
    """The Tensor itself, as a new one."""

def pow(input: Any, exponent: Any) -> Tensor:
    """Raise to a power element by element; an integer to a negative power gives 0."""

def pows(input: Any, exponent: Any) -> Tensor:
    """Raise to a power element by element; an integer to a negative power gives 0."""

def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Return ``x`` where positive and ``weight * x`` elsewhere."""

def print_(*input_x: Any) -> None:
    """Print each argument on a line of its own, Tensors by their ``repr``."""

def prod(input: Tensor, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    """Product over ``axis``; integers and bools give int64."""

def rad2deg(input: Tensor) -> Tensor:
    """Radians to degrees."""

def rand(*size: Any, dtype: mstype.DType | None = None, seed: int | None = None) -> Tensor:
    """Return numbers uniform on [0, 1); see ``randn`` for the arguments."""

def rand_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Return numbers uniform on [0, 1) of the shape and dtype of ``input``."""

def randint(
    low: int, high: int, size: Any, seed: int | None = None, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return integers uniform on [low, high), int64 by default."""

def randn(*size: Any, dtype: mstype.DType | None = None, seed: int | None = None) -> Tensor:
    """Return standard normal numbers."""

def randn_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Return standard normal numbers of the shape and dtype of ``input``."""

def randperm(n: int, seed: int = 0, offset: int = 0, dtype: mstype.DType = ...) -> Tensor:
    """Return the numbers 0 to ``n - 1`` in random order, int64 by default."""

def range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """Return ``start, start + step, ...`` below ``end``: int64 of ints, float32 otherwise."""

def rank(input_x: Tensor) -> int:
    """Return the number of dimensions."""

def ravel(input: Tensor) -> Tensor:
    """Return all elements in row-major order in one dimension, as a view."""

def real(input: Tensor) -> Tensor:
    """Real part of each element; of a real Tensor, the Tensor itself."""

def reciprocal(input: Tensor) -> Tensor:
    """One over each element; float32 of integers."""

def recompute(
    block: Callable[..., Any],
    *args: Any,
    use_reentrant: bool = True,
    output_recompute: bool = False,
    early_stop: bool = True,
    context_fn: Any = None,
    **kwargs: Any,
) -> Any:
    """Run a Cell so that its activations are computed again in the backward pass."""

def reduce_max(x: Tensor, axis: Any = (), keep_dims: bool = False) -> Tensor:
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

def reduce_mean(x: Tensor, axis: Any = (), keep_dims: bool = False) -> Tensor:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

def reduce_min(x: Tensor, axis: Any = (), keep_dims: bool = False) -> Tensor:
    """Smallest element over ``axis``; a gradient is split evenly between equal ones."""

def reduce_sum(
    x: Tensor, axis: Any = (), keep_dims: bool = False, skip_mode: bool = False
) -> Tensor:
    """Sum over ``axis`` in the dtype of ``x``; with ``skip_mode``, an axis () changes
    nothing.
    """

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Compute ``max(x, 0)``; its gradient at 0 is 0. ``inplace`` is accepted and has no
    effect.
    """

def relu6(x: Tensor) -> Tensor:
    """Compute ``min(max(x, 0), 6)``; its gradient is 0 at 0 and 1 at 6."""

def remainder(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Remainder of the division that rounds towards minus infinity; bools are accepted too."""

def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """Repeat each element ``rep`` times along ``axis``."""

def repeat_interleave(input: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat elements along ``axis``, or of the flattened Tensor where it is None."""

def reshape(input: Tensor, shape: int | tuple[int, ...] | list[int]) -> Tensor:
    """Return the elements in row-major order in another shape."""

def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-06) -> tuple[Tensor, Tensor]:
    """Divide by the root of the mean of squares over the last dimensions, then scale."""

def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Shift the elements cyclically along ``dims``, or of the flattened Tensor."""

def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Round to ``decimals`` digits after the point, halves to even."""

def rsqrt(input: Tensor) -> Tensor:
    """One over the square root."""

def scalar_div(x: Any, y: Any) -> float:
    """Divide two Python numbers."""

def scalar_to_tensor(input_x: Any, dtype: mstype.DType = ...) -> Tensor:
    """Return a number as a 0-d Tensor of a dtype."""

def scatter(input: Tensor, axis: int, index: Tensor, src: Any) -> Tensor:
    """Write ``src`` into a copy at the positions along ``axis`` that ``index`` names."""

def scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Add to rows of ``input_x`` in place; returns the new values."""

def scatter_nd(indices: Tensor, updates: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Add the slices of ``updates`` to zeros of ``shape``, at the rows of ``indices``."""

def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace, in place, the slices at the rows of ``indices``; returns the new values."""

def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace rows of ``input_x`` in place; returns the new values."""

def searchsorted(
    sorted_sequence: Tensor, values: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    """Return the places where ``values`` would be inserted into sorted rows."""

def select(condition: Tensor, input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Return ``input`` where a condition holds and ``other`` elsewhere; as ``where``."""

def selu(input_x: Tensor) -> Tensor:
    """Compute the scaled exponential linear unit."""

def shape(input_x: Tensor) -> int | tuple[int, ...] | list[int]:
    """Return the sizes of the dimensions as a tuple of ints."""

def sigmoid(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""

def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 by the sign of each element."""

def silu(input: Tensor) -> Tensor:
    """Compute ``x * sigmoid(x)``."""

def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians."""

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element."""

def size(input_x: Tensor) -> int:
    """Return the number of elements."""

def slice(
    input_x: Tensor,
    begin: int | tuple[int, ...] | list[int],
    size: int | tuple[int, ...] | list[int],
) -> Tensor:
    """Return ``size[i]`` elements of dimension ``i`` from ``begin[i]`` on; -1 takes the
    rest.
    """

def smooth_l1_loss(
    input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "none"
) -> Tensor:
    """Compute a loss that is quadratic below ``beta`` and linear above."""

def softmax(input: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``axis``."""

def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """Compute the softmax of the negated Tensor."""

def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Compute ``log(1 + exp(beta * x)) / beta``, and ``x`` itself where ``beta * x >
    threshold``.
    """

def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Bring elements nearer to 0 by ``lambd``; those within become 0."""

def softsign(x: Tensor) -> Tensor:
    """Compute ``x / (1 + abs(x))``."""

def sort(input_x: Tensor, axis: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """Sort along ``axis``, equal elements in their order."""

def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], axis: int = 0
) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into pieces of a size (the last may be shorter) or of
    sizes.
    """

def sqrt(input: Tensor) -> Tensor:
    """Square root; float32 of integers."""

def square(input: Tensor) -> Tensor:
    """Square of each element."""

def squeeze(input: Tensor, axis: Any = None) -> Tensor:
    """Drop dimensions of size 1: all, or those in ``axis`` (an axis of another size is
    kept).
    """

def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join Tensors of one shape and dtype along a new dimension."""

def standard_normal(shape: Any, seed: int | None = None) -> Tensor:
    """Return standard normal numbers, float32."""

def std(
    input: Tensor, axis: int | tuple[int, ...] | None = None, ddof: int = 0, keepdims: bool = False
) -> Tensor:
    """Square root of the variance; see ``var``."""

def std_mean(
    input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean; see ``var``."""

def stop_gradient(value: Any) -> Any:
    """Return the value with gradient zero."""

def strided_slice(
    input_x: Tensor,
    begin: int | tuple[int, ...] | list[int],
    end: int | tuple[int, ...] | list[int],
    strides: int | tuple[int, ...] | list[int],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Return ``x[begin[0]:end[0]:strides[0], ...]``; bit ``i`` of a mask is about dimension
    ``i``.
    """

def sub(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Subtract element by element with broadcasting; two bools give where they differ."""

def subtract(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Compute ``input - alpha * other``, element by element with broadcasting."""

def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``dim``; integers and bools give int64."""

def svd(input: Any, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular value decomposition of matrices (..., M, N)."""

def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchange two dimensions, as a view."""

def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two dimensions, as a view; as ``swapaxes``."""

def t(input: Tensor) -> Tensor:
    """Transpose a 2-D Tensor; others come back in their shape."""

def take(input: Tensor, index: Tensor) -> Tensor:
    """Return the elements of the flattened Tensor at ``index``."""

def tan(input: Tensor) -> Tensor:
    """Tangent of each element, in radians."""

def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent of each element."""

def tanhshrink(input: Tensor) -> Tensor:
    """Compute ``x - tanh(x)``."""

def tensor_add(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Add element by element with broadcasting; two bools give their logical or."""

def tensor_div(x: Tensor | _Number, y: Tensor | _Number) -> Tensor:
    """Divide element by element; unlike ``div``, integers stay integers, rounded towards
    zero.
    """

def tensor_dot(x1: Tensor, x2: Tensor, axes: Any) -> Tensor:
    """Contract dimensions of two Tensors."""

def tensor_exp(input: Tensor) -> Tensor:
    """e to the power of each element."""

def tensor_floordiv(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Divide and round towards minus infinity; an integer over zero gives its type's limit."""

def tensor_ge(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not less than ``other``."""

def tensor_gt(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is greater than ``other``."""

def tensor_le(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not greater than ``other``."""

def tensor_lt(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is less than ``other``."""

def tensor_mod(x: Tensor | _Number, y: Tensor | _Number) -> Tensor:
    """Remainder of the division that rounds towards minus infinity; it has the divisor's
    sign.
    """

def tensor_mul(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Multiply element by element with broadcasting."""

def tensor_pow(input: Any, exponent: Any) -> Tensor:
    """Raise to a power element by element; an integer to a negative power gives 0."""

def tensor_scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Add to slices, in a copy."""

def tensor_scatter_elements(
    input_x: Tensor, indices: Tensor, updates: Any, axis: int = 0, reduction: str = "none"
) -> Tensor:
    """Write ``updates`` into a copy at the positions along ``axis`` that ``indices`` names."""

def tensor_scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Take the larger of slices and ``updates``, in a copy."""

def tensor_scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Take the smaller of slices and ``updates``, in a copy."""

def tensor_scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Multiply slices, in a copy."""

def tensor_scatter_sub(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Subtract from slices, in a copy."""

def tensor_scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace slices in a copy."""

def tensor_split(
    input: Tensor, indices_or_sections: int | Sequence[int], axis: int = 0
) -> tuple[Tensor, ...]:
    """Cut a Tensor at the given positions, or into a number of nearly equal pieces."""

def tensor_sub(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Subtract element by element with broadcasting; two bools give where they differ."""

def threshold(input: Tensor, thr: float, value: float) -> Tensor:
    """Return ``x`` where above ``thr`` and ``value`` elsewhere."""

def tile(input: Tensor, dims: int | tuple[int, ...] | list[int]) -> Tensor:
    """Repeat the whole Tensor ``dims[i]`` times along dimension ``i``."""

def top_k(input_x: Tensor, k: int, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest elements of the last dimension and their positions; as
    ``topk``.
    """

def topk(
    input: Tensor, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest (or smallest) elements along ``dim``, in order."""

def trace(input: Tensor) -> Tensor:
    """Sum of the main diagonal of a matrix."""

def transpose(input: Tensor, dims: int | tuple[int, ...] | list[int]) -> Tensor:
    """Permute the dimensions: dimension ``i`` of the view is dimension ``dims[i]`` of
    ``input``.
    """

def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """Zero the elements above a diagonal of the last two dimensions."""

def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """Zero the elements below a diagonal of the last two dimensions."""

def true_divide(dividend: Tensor | _Number, divisor: Tensor | _Number) -> Tensor:
    """Divide element by element with broadcasting; integers and bools give float32."""

def trunc(input: Tensor) -> Tensor:
    """Round towards 0; integers and bools stay as they are."""

def tuple_to_array(input_x: tuple[Any, ...]) -> Tensor:
    """Return a tuple of ints (int32) or floats (float32) as a 1-D Tensor."""

def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Convert to the dtype of another Tensor."""

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along a dimension, without it, as a tuple of views."""

def uniform(
    shape: Any, minval: Tensor, maxval: Tensor, seed: int | None = None, dtype: Any = ...
) -> Tensor:
    """Return numbers uniform on [minval, maxval)."""

def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """Return the distinct elements in the order of their first occurrence."""

def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Insert a dimension of size 1 at ``dim``, as a view."""

def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along ``axis``, without it, as a tuple of views; as ``unbind``."""

def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second."""

def value_and_grad(
    fn: Callable[..., Any],
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Make a function that gives what ``fn`` returns together with its gradients."""

def var(input: Tensor, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """Variance over ``axis``, divided by the count less ``ddof``."""

def var_mean(
    input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Variance and mean; see ``var``."""

def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Return ``input`` in the shape of ``other``, as a view."""

def vjp(
    fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False
) -> tuple[Any, ...]:
    """Return the output of ``fn`` and a function that pulls cotangents back through it."""

def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Make a function that maps ``fn`` over a dimension of its arguments."""

def vstack(inputs: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the first dimension, 1-D ones as rows."""

def where(condition: Tensor, input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Return ``input`` where a condition holds and ``other`` elsewhere, with broadcasting."""

def xlogy(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """``input * log(other)``, and 0 where ``input`` is 0."""

def zeros(size: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of zeros; see ``ones``."""

def zeros_like(input: Tensor, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return zeros of the shape and, by default, the dtype of ``input``."""
