"""The names of ``msgrad.ops``.

Written by ``python -m tests.record_stubs``.
"""

import builtins
from collections.abc import Callable, Sequence
from functools import partial as partial
from typing import Any, NoReturn, dataclass_transform

import jax
import numpy as np

from msgrad.autograd.custom_operator import Custom as Custom
from msgrad.autograd.grad_operation import GradOperation as GradOperation
from msgrad.autograd.hooks import HookBackward as HookBackward
from msgrad.autograd.insert_gradient import DumpGradient as DumpGradient
from msgrad.autograd.insert_gradient import InsertGradientOf as InsertGradientOf
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor
from msgrad.mint.distributed import CommHandle
from msgrad.mint.distributed import P2POp as P2POp
from msgrad.ops import composite as composite
from msgrad.ops import functional as functional
from msgrad.ops import operations as operations
from msgrad.ops import primitive as primitive
from msgrad.ops.collective import AllGather as AllGather
from msgrad.ops.collective import AllReduce as AllReduce
from msgrad.ops.collective import AlltoAll as AlltoAll
from msgrad.ops.collective import Barrier as Barrier
from msgrad.ops.collective import Broadcast as Broadcast
from msgrad.ops.collective import CollectiveGather as CollectiveGather
from msgrad.ops.collective import CollectiveScatter as CollectiveScatter
from msgrad.ops.collective import Reduce as Reduce
from msgrad.ops.collective import ReduceOp as ReduceOp
from msgrad.ops.collective import ReduceScatter as ReduceScatter
from msgrad.ops.control import HyperMap as HyperMap
from msgrad.ops.control import Map as Map
from msgrad.ops.control import MultitypeFuncGraph as MultitypeFuncGraph
from msgrad.ops.exchange import AllGatherV as AllGatherV
from msgrad.ops.exchange import AlltoAllV as AlltoAllV
from msgrad.ops.exchange import AlltoAllVC as AlltoAllVC
from msgrad.ops.exchange import BatchISendIRecv as BatchISendIRecv
from msgrad.ops.exchange import NeighborExchange as NeighborExchange
from msgrad.ops.exchange import Receive as Receive
from msgrad.ops.exchange import ReduceScatterV as ReduceScatterV
from msgrad.ops.exchange import Send as Send
from msgrad.ops.host_functions import Assert as Assert
from msgrad.ops.host_functions import ForiLoop as ForiLoop
from msgrad.ops.host_functions import Morph as Morph
from msgrad.ops.host_functions import PyFunc as PyFunc
from msgrad.ops.host_functions import Scan as Scan
from msgrad.ops.host_functions import TensorDump as TensorDump
from msgrad.ops.host_functions import WhileLoop as WhileLoop
from msgrad.ops.op_info_register import AiCPURegOp as AiCPURegOp
from msgrad.ops.op_info_register import AkgAscendRegOp as AkgAscendRegOp
from msgrad.ops.op_info_register import AkgGpuRegOp as AkgGpuRegOp
from msgrad.ops.op_info_register import CpuRegOp as CpuRegOp
from msgrad.ops.op_info_register import CustomRegOp as CustomRegOp
from msgrad.ops.op_info_register import DataType as DataType
from msgrad.ops.op_info_register import TBERegOp as TBERegOp
from msgrad.ops.primitive import Primitive as Primitive
from msgrad.ops.primitive import PrimitiveWithCheck as PrimitiveWithCheck
from msgrad.ops.primitive import PrimitiveWithInfer as PrimitiveWithInfer
from msgrad.ops.sparse_tensor import COOTensor, CSRTensor
from msgrad.ops.summaries import HistogramSummary as HistogramSummary
from msgrad.ops.summaries import ImageSummary as ImageSummary
from msgrad.ops.summaries import ScalarSummary as ScalarSummary
from msgrad.ops.summaries import TensorSummary as TensorSummary

_Operand = Tensor | bool | int | float | complex | np.number[Any] | np.bool_
_Sizes = int | tuple[int, ...] | list[int]
_Window = int | tuple[int, ...]
# What stands beside a symbol.
_Other = _Operand | jax.Array | list[Any] | tuple[Any, ...]

__all__: list[str]

@dataclass_transform(eq_default=False)
class _Row(Primitive):
    """Its constructor takes its attributes, in their order."""

class _LeftOutPrimitive(Primitive):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn: ...

class _LeftOut:
    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn: ...

class _Of_input(_Row):
    def __call__(self, input: Tensor) -> Tensor: ...

class _Of_x(_Row):
    def __call__(self, x: Tensor) -> Tensor: ...

class _Of_input_other(_Row):
    def __call__(self, input: _Operand, other: _Operand) -> Tensor: ...

class _Of_input_x_indices_updates(_Row):
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class _Of_input_x(_Row):
    def __call__(self, input_x: Tensor) -> Tensor: ...

class _Of_x_y(_Row):
    def __call__(self, x: _Operand, y: _Operand) -> Tensor: ...

class _Of_input_other_(_Row):
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...

class _Of_x_(_Row):
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class _Of_input_(_Row):
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class _Of_x__(_Row):
    def __call__(self, x: Tensor) -> Any: ...

class _Of_x_axis(_Row):
    def __call__(self, x: Tensor, axis: Any = ()) -> Tensor: ...

class _Of_input_x_segment_ids(_Row):
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...

class ACos(_Of_input):
    """Inverse cosine of each element, in radians."""

class Abs(_Of_input):
    """Size of each element."""

class AccumulateNV2(_Row):
    """Add a tuple or list of Tensors of one shape and dtype."""
    def __call__(self, x: Sequence[Tensor]) -> Tensor: ...

class Acosh(_Of_input):
    """Inverse hyperbolic cosine of each element."""

class Adam(_Row):
    """Step by Adam."""

    use_locking: Any = False
    use_nesterov: bool = False
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        beta1_power: _Operand,
        beta2_power: _Operand,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        gradient: Tensor,
    ) -> Sequence[Tensor]: ...

class AdamNoUpdateParam(_Row):
    """Return what Adam would add to the parameter."""

    use_locking: Any = False
    use_nesterov: bool = False
    def __call__(
        self,
        m: Tensor,
        v: Tensor,
        beta1_power: _Operand,
        beta2_power: _Operand,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        gradient: Tensor,
    ) -> Sequence[Tensor]: ...

class AdamW(_Row):
    """Step by Adam with decoupled weight decay."""
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        max_v: Tensor,
        gradient: Tensor,
        step: _Operand,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        decay: _Operand,
        eps: _Operand,
        amsgrad: _Operand = False,
        maximize: _Operand = False,
    ) -> Sequence[Tensor]: ...

class AdamWeightDecay(_Row):
    """Step by Adam without bias correction, with decoupled weight decay."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        decay: _Operand,
        gradient: Tensor,
    ) -> Sequence[Tensor]: ...

class AdaptiveAvgPool2D(_Of_input):
    """Compute means of windows chosen so that the output has a given size."""

    output_size: Any

class AdaptiveAvgPool3D(_Of_input):
    """Compute means of windows of (N, C, D, H, W) or (C, D, H, W); see
    ``adaptive_avg_pool2d``.
    """

    output_size: Any

class AdaptiveMaxPool2D(_Row):
    """Compute maxima of windows chosen so that the output has a given size."""

    output_size: Any
    def __call__(self, input: Tensor) -> Any: ...

class AdaptiveMaxPool3D(_Row):
    """Compute maxima of windows chosen so that the output has a given size."""
    def __call__(self, x: Tensor, output_size: Any) -> Any: ...

class Add(_Of_input_other):
    """Add element by element with broadcasting; two bools give their logical or."""

class AddExt(_Row):
    """Compute ``input + alpha * other``, element by element with broadcasting."""
    def __call__(self, input: Any, other: Any, alpha: Any = 1) -> Tensor: ...

class AddN(_Row):
    """Add a tuple or list of Tensors of one shape and dtype."""
    def __call__(self, x: Sequence[Tensor]) -> Tensor: ...

class Addcdiv(_Row):
    """``input + value * tensor1 / tensor2``, element by element."""
    def __call__(
        self, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: _Operand = 1
    ) -> Tensor: ...

class Addcmul(_Row):
    """``input + value * tensor1 * tensor2``, element by element."""
    def __call__(
        self, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: _Operand = 1
    ) -> Tensor: ...

class AdjustHue(_Row):
    """Turn the hues of an image."""
    def __call__(self, image: Tensor, delta: Tensor) -> Tensor: ...

class AdjustSaturation(_Row):
    """Multiply the saturation of an image, to 1 at most."""
    def __call__(self, image: Tensor, scale: Tensor) -> Tensor: ...

class AffineGrid(_Row):
    """Return the grid on which ``grid_sample`` applies affine maps to images."""

    align_corners: bool = False
    def __call__(self, theta: Tensor, size: tuple[int, ...]) -> Tensor: ...

class Angle(_Of_input):
    """Compute the angle of complex numbers, in radians."""

class ApplyAdaMax(_Row):
    """Step by AdaMax: Adam with the largest gradient for the mean of squares."""
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        beta1_power: _Operand,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        grad: Tensor,
    ) -> Sequence[Tensor]: ...

class ApplyAdadelta(_Row):
    """Step by Adadelta."""
    def __call__(
        self,
        var: Tensor,
        accum: Tensor,
        accum_update: Tensor,
        lr: _Operand,
        rho: _Operand,
        epsilon: _Operand,
        grad: Tensor,
    ) -> Sequence[Tensor]: ...

class ApplyAdagrad(_Row):
    """Step by Adagrad; ``update_slots`` says whether the sum of squares goes on."""

    update_slots: bool = True
    def __call__(
        self, var: Tensor, accum: Tensor, lr: _Operand, grad: Tensor
    ) -> Sequence[Tensor]: ...

class ApplyAdagradDA(_Row):
    """Step by Adagrad's dual averaging."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        gradient_accumulator: Tensor,
        gradient_squared_accumulator: Tensor,
        grad: Tensor,
        lr: _Operand,
        l1: _Operand,
        l2: _Operand,
        global_step: _Operand,
    ) -> Sequence[Tensor]: ...

class ApplyAdagradV2(_Row):
    """Step by Adagrad, with a number added to the root."""

    epsilon: float
    update_slots: bool = True
    def __call__(
        self, var: Tensor, accum: Tensor, lr: _Operand, grad: Tensor
    ) -> Sequence[Tensor]: ...

class ApplyAdamWithAmsgrad(_Row):
    """Step by Adam, divided by the largest mean of squares so far."""

    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-08
    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        vhat: Tensor,
        beta1_power: _Operand,
        beta2_power: _Operand,
        lr: _Operand,
        grad: Tensor,
    ) -> Sequence[Tensor]: ...

class ApplyAdamWithAmsgradV2(_Row):
    """Step by Adam, divided by the largest mean of squares so far."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        vhat: Tensor,
        beta1_power: _Operand,
        beta2_power: _Operand,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        grad: Tensor,
    ) -> Sequence[Tensor]: ...

class ApplyAddSign(_Row):
    """Step along the gradient, further where its sign is that of its mean."""
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        lr: _Operand,
        alpha: _Operand,
        sign_decay: _Operand,
        beta: _Operand,
        grad: Tensor,
    ) -> Sequence[Tensor]: ...

class ApplyCenteredRMSProp(_Row):
    """Step by RMSProp, divided by the root of the variance."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        mean_gradient: Tensor,
        mean_square: Tensor,
        moment: Tensor,
        grad: Tensor,
        learning_rate: _Operand,
        decay: _Operand,
        momentum: _Operand,
        epsilon: _Operand,
    ) -> Sequence[Tensor]: ...

class ApplyFtrl(_Row):
    """Step by FTRL."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        accum: Tensor,
        linear: Tensor,
        grad: Tensor,
        lr: _Operand,
        l1: _Operand,
        l2: _Operand,
        lr_power: _Operand,
    ) -> Sequence[Tensor]: ...

class ApplyGradientDescent(_Row):
    """Step along a gradient."""
    def __call__(self, var: Tensor, alpha: _Operand, delta: Tensor) -> Tensor: ...

class ApplyKerasMomentum(_LeftOutPrimitive):
    """Left out: a step of momentum, as Keras has it; use ApplyMomentum."""

class ApplyMomentum(_Row):
    """Step along an accumulated gradient; ``gradient_scale`` is without effect."""

    use_nesterov: bool = False
    use_locking: Any = False
    gradient_scale: Any = 1.0
    def __call__(
        self,
        variable: Tensor,
        accumulation: Tensor,
        learning_rate: _Operand,
        gradient: Tensor,
        momentum: _Operand,
    ) -> Sequence[Tensor]: ...

class ApplyPowerSign(_Row):
    """Step along the gradient, further where its sign is that of its mean, by a power."""
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        lr: _Operand,
        logbase: _Operand,
        sign_decay: _Operand,
        beta: _Operand,
        grad: Tensor,
    ) -> Sequence[Tensor]: ...

class ApplyProximalAdagrad(_Row):
    """Step by Adagrad, then towards 0."""

    use_locking: Any = False
    def __call__(
        self, var: Tensor, accum: Tensor, lr: _Operand, l1: _Operand, l2: _Operand, grad: Tensor
    ) -> Sequence[Tensor]: ...

class ApplyProximalGradientDescent(_Row):
    """Step along a gradient, then towards 0."""
    def __call__(
        self, var: Tensor, alpha: _Operand, l1: _Operand, l2: _Operand, delta: Tensor
    ) -> Tensor: ...

class ApplyRMSProp(_Row):
    """Step by RMSProp."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        mean_square: Tensor,
        moment: Tensor,
        learning_rate: _Operand,
        grad: Tensor,
        decay: _Operand,
        momentum: _Operand,
        epsilon: _Operand,
    ) -> Sequence[Tensor]: ...

class ApplyRotaryPosEmb(_LeftOutPrimitive):
    """Left out: rotates queries and keys by their places."""

class ApproximateEqual(_Of_x_y):
    """Whether elements differ by less than a tolerance."""

    tolerance: float = 1e-05

class Arange(_Row):
    """Return ``start, start + step, ...`` below ``end``."""
    def __call__(
        self, start: Any, end: Any, step: Any, dtype: mstype.DType | None = None
    ) -> Tensor: ...

class ArgMaxWithValue(_Of_input_):
    """Return the positions (int64) of the largest elements of an axis, and the elements."""

    axis: int = 0
    keep_dims: bool = False

class ArgMinWithValue(_Of_input_):
    """Return the positions (int64) of the smallest elements of an axis, and the elements."""

    axis: int = 0
    keep_dims: bool = False

class Argmax(_Of_input_x):
    """Return the positions of the largest elements of an axis."""

    axis: int = -1
    output_type: Any = ...

class Argmin(_Of_x):
    """Return the positions of the smallest elements of an axis."""

    axis: int = -1
    output_type: Any = ...

class Asin(_Of_input):
    """Inverse sine of each element, in radians."""

class Asinh(_Of_input):
    """Inverse hyperbolic sine of each element."""

class Assign(_Row):
    """Replace the values of a Parameter, in place."""
    def __call__(self, variable: Any, value: Any) -> Tensor: ...

class AssignAdd(_Row):
    """Add to the values of a Parameter, in place; see ``assign``. Shapes () and (1,) mix."""
    def __call__(self, variable: Any, value: Any) -> Tensor: ...

class AssignSub(_Row):
    """Subtract from the values of a Parameter, in place; see ``assign_add``."""
    def __call__(self, variable: Any, value: Any) -> Tensor: ...

class Atan(_Of_input):
    """Inverse tangent of each element, in radians."""

class Atan2(_Of_input_other):
    """Angle of the point (other, input), in radians."""

class Atanh(_Of_input):
    """Inverse hyperbolic tangent of each element."""

class AvgPool(_Of_x__):
    """Compute means of windows; the rim that is padded does not count."""

    kernel_size: _Window = 1
    strides: _Window = 1
    pad_mode: str = "VALID"
    data_format: str = "NCHW"

class AvgPool3D(_Of_x):
    """Compute means of windows of (N, C, D, H, W)."""

    kernel_size: Any = 1
    strides: Any = 1
    pad_mode: str = "valid"
    pad: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int = 0
    data_format: str = "NCDHW"

class BCEWithLogitsLoss(_Row):
    """Compute the cross entropy of the sigmoid of ``input`` in a stable form."""

    reduction: str = "mean"
    def __call__(
        self,
        input: Tensor,
        target: Tensor,
        weight: Tensor | None = None,
        posWeight: Tensor | None = None,
    ) -> Tensor: ...

class BartlettWindow(_Row):
    """Return the Bartlett window, float32 by default."""

    periodic: bool = True
    dtype: mstype.DType = ...
    def __call__(self, window_length: Tensor) -> Tensor: ...

class BasicLSTMCell(_LeftOutPrimitive):
    """Left out: a step of an LSTM; use mindspore.nn.LSTMCell."""

class BatchMatMul(_Row):
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""

    transpose_a: bool = False
    transpose_b: bool = False
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...

class BatchMatMulExt(_Of_input_other_):
    """Matrix product of the last two dimensions, the ones before broadcast."""

class BatchNorm(_Row):
    """Normalize each channel, by the moments of the batch or by those given."""

    is_training: bool = False
    epsilon: float = 1e-05
    momentum: float = 0.1
    data_format: str = "NCHW"
    def __call__(
        self, x: Tensor, scale: Any, bias: Any, mean: Any, variance: Any
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]: ...

class BatchToSpace(_LeftOutPrimitive):
    """Left out: moves blocks of the batch into space; use ops.batch_to_space_nd."""

class BatchToSpaceND(_Of_input_x):
    """Put parts of the batch between the elements of the last dimensions."""

    block_shape: Any
    crops: Any

class BatchToSpaceNDV2(_LeftOutPrimitive):
    """Left out: moves blocks of the batch into space; use ops.batch_to_space_nd."""

class Bernoulli(_Row):
    """Return ones with probability ``p`` and zeros, in the shape and dtype of ``x``."""

    seed: int = -1
    offset: int = 0
    def __call__(self, x: Tensor, p: Any = 0.5) -> Tensor: ...

class BesselI0(_Of_x):
    """Compute the Bessel function i0 of each element."""

class BesselI0e(_Of_x):
    """Compute the Bessel function i0e of each element."""

class BesselI1(_Of_x):
    """Compute the Bessel function i1 of each element."""

class BesselI1e(_Of_x):
    """Compute the Bessel function i1e of each element."""

class BesselJ0(_Of_x):
    """Compute the Bessel function j0 of each element."""

class BesselJ1(_Of_x):
    """Compute the Bessel function j1 of each element."""

class BesselK0(_Of_x):
    """Compute the Bessel function k0 of each element."""

class BesselK0e(_Of_x):
    """Compute the Bessel function k0e of each element."""

class BesselK1(_Of_x):
    """Compute the Bessel function k1 of each element."""

class BesselK1e(_Of_x):
    """Compute the Bessel function k1e of each element."""

class BesselY0(_Of_x):
    """Compute the Bessel function y0 of each element."""

class BesselY1(_Of_x):
    """Compute the Bessel function y1 of each element."""

class Betainc(_Row):
    """Compute the regularized incomplete beta function; its gradient is with respect to
    ``x``.
    """
    def __call__(self, a: Tensor, b: Tensor, x: Tensor) -> Tensor: ...

class BiasAdd(_Row):
    """Add one number to each channel."""

    data_format: str = "NCHW"
    def __call__(self, input_x: Tensor, bias: Tensor) -> Tensor: ...

class BinaryCrossEntropy(_Row):
    """Compute the cross entropy of probabilities."""

    reduction: str = "mean"
    def __call__(self, input: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor: ...

class Bincount(_Row):
    """Sum the weights of each number below ``size``."""
    def __call__(self, array: Tensor, size: Tensor, weights: Tensor) -> Tensor: ...

class BitwiseAnd(_Of_input_other):
    """And of the bits of two integers or bools."""

class BitwiseOr(_Of_input_other):
    """Or of the bits of two integers or bools."""

class BitwiseXor(_Of_input_other):
    """Exclusive or of the bits of two integers or bools."""

class BlackmanWindow(_Row):
    """Return the Blackman window, float32 by default."""

    periodic: bool = True
    dtype: mstype.DType = ...
    def __call__(self, window_length: Tensor) -> Tensor: ...

class BoundingBoxDecode(_Row):
    """Return the boxes that ``bounding_box_encode`` coded, cut off at the edges of an image."""

    max_shape: tuple[int, ...]
    means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)
    wh_ratio_clip: float = 0.016
    def __call__(self, anchor_box: Tensor, deltas: Tensor) -> Tensor: ...

class BoundingBoxEncode(_Row):
    """Code boxes by how they differ from anchors: where the center is, and the logarithms of
    sizes.
    """

    means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)
    def __call__(self, anchor_box: Tensor, groundtruth_box: Tensor) -> Tensor: ...

class BroadcastTo(_Of_input):
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size."""

    shape: _Sizes

class Bucketize(_Of_input):
    """Return the number of the interval that each element lies in: int32."""

    boundaries: tuple[float, ...]

class CSRReduceSum(_LeftOutPrimitive):
    """Left out: sums of a sparse matrix."""

class CTCGreedyDecoder(_Row):
    """Read the best class of each step; the last class is the blank."""

    merge_repeated: bool = True
    def __call__(self, inputs: Tensor, sequence_length: Tensor) -> tuple[Any, ...]: ...

class CTCLoss(_Row):
    """Compute the losses of label sequences of which the alignment is not known."""

    preprocess_collapse_repeated: bool = False
    ctc_merge_repeated: bool = True
    ignore_longer_outputs_than_inputs: bool = False
    def __call__(
        self, x: Tensor, labels_indices: Tensor, labels_values: Tensor, sequence_length: Tensor
    ) -> tuple[Tensor, Tensor]: ...

class CTCLossV2(_Row):
    """Compute the losses of label sequences; the arguments are those of ``ctc_loss``."""

    blank: int = 0
    reduction: str = "none"
    zero_infinity: bool = False
    def __call__(
        self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor
    ) -> tuple[Tensor, Tensor]: ...

class Cast(_Row):
    """Convert to another dtype."""
    def __call__(self, input_x: Any, dtype: mstype.DType) -> Tensor: ...

class Cauchy(_Row):
    """Return numbers of the Cauchy distribution, float32."""

    size: Any
    median: float = 0.0
    sigma: float = 1.0
    def __call__(self) -> Tensor: ...

class Cdist(_Row):
    """Distances between the rows of (..., P, M) and (..., R, M), in the p-norm: (..., P, R)."""

    p: float = 2.0
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class CeLU(_Of_x):
    """Return ``x`` where positive and ``alpha * (exp(x / alpha) - 1)`` elsewhere."""

    alpha: float = 1.0

class Ceil(_Of_input):
    """Round up to an integer."""

class ChannelShuffle(_Of_x):
    """Deal the channels of (N, C, ...) out to ``groups``, one after another."""

    group: int

class CheckNumerics(_Of_x):
    """Return the Tensor; it must hold neither nan nor infinity."""

class CheckValid(_Row):
    """Whether boxes lie within an image."""
    def __call__(self, bboxes: Tensor, img_metas: Tensor) -> Tensor: ...

class Cholesky(_Of_input_x):
    """Factor positive definite matrices (..., N, N) into ``L @ L^H``; ``upper`` gives L^H."""

    upper: bool = False

class CholeskyInverse(_Of_input_x):
    """Invert matrices whose Cholesky factor, the ``upper`` or the lower one, is given."""

    upper: bool = False

class CholeskySolve(_Row):
    """Solve ``A @ x = input`` where ``input2`` is the Cholesky factor of A."""

    upper: bool = False
    def __call__(self, input: Tensor, input2: Tensor) -> Tensor: ...

class Chunk(_Row):
    """Cut a Tensor along ``axis`` into at most ``chunks`` equal pieces, the last smaller."""
    def __call__(self, input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]: ...

class ClampScalar(_Row):
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""
    def __call__(self, input: Tensor, min: Any = None, max: Any = None) -> Tensor: ...

class Coalesce(_Row):
    """Add up the values that stand in one place, and order the places."""
    def __call__(
        self, x_indices: Tensor, x_values: Tensor, x_shape: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]: ...

class Col2Im(_Row):
    """Add up columns where they lie in images; see ``fold``."""

    kernel_size: Any
    dilation: Any = 1
    padding: Any = 0
    stride: Any = 1
    def __call__(self, input_x: Tensor, output_size: Any, padding_value: Any = 0) -> Tensor: ...

class CombinedNonMaxSuppression(_Row):
    """Return the best boxes of each image that overlap with no better one of their class."""

    pad_per_class: bool = False
    clip_boxes: bool = True
    def __call__(
        self,
        boxes: Tensor,
        scores: Tensor,
        max_output_size_per_class: int,
        max_total_size: int,
        iou_threshold: Tensor,
        score_threshold: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class CompareAndBitpack(_Row):
    """Return, for every 8 elements of the last dimension, a byte of which ones are greater."""
    def __call__(self, x: Tensor, threshold: Tensor) -> Tensor: ...

class Complex(_Row):
    """Return complex numbers of their real and imaginary parts, of one dtype and shape."""
    def __call__(self, real: Tensor, imag: Tensor) -> Tensor: ...

class ComplexAbs(_Of_x):
    """Compute the size of complex numbers."""

class ComputeAccidentalHits(_LeftOutPrimitive):
    """Left out: finds sampled classes that are right."""

class Concat(_Row):
    """Join Tensors along an existing dimension."""

    axis: int = 0
    def __call__(self, tensors: Any) -> Tensor: ...

class ConfusionMatrix(_LeftOutPrimitive):
    """Left out: counts pairs of classes."""

class Conj(_Of_input):
    """Complex conjugate of each element."""

class ConjugateTranspose(_Row):
    """Permute the dimensions and take the complex conjugate."""
    def __call__(self, x: Tensor, perm: tuple[int, ...]) -> Tensor: ...

class Conv2D(_Row):
    """Convolve over the dimensions after the channels; see ``ops.conv2d``."""

    out_channel: _Window
    kernel_size: _Window
    mode: Any = 1
    pad_mode: Any = "valid"
    pad: Any = 0
    stride: _Window = 1
    dilation: _Window = 1
    group: int = 1
    data_format: str = "NCHW"
    def __call__(self, x: Tensor, weight: Tensor) -> Tensor: ...

class Conv2DBackpropInput(_Row):
    """Compute the gradient of ``Conv2D`` for its input: a transposed convolution."""

    out_channel: int
    kernel_size: Any
    pad_mode: str = "valid"
    pad: Any = 0
    pad_list: Any = None
    mode: int = 1
    stride: Any = 1
    dilation: Any = 1
    group: int = 1
    data_format: str = "NCHW"
    def __call__(self, dout: Tensor, weight: Tensor, input_size: Any) -> Tensor: ...

class Conv2DTranspose(_Row):
    """Compute the gradient of ``Conv2D`` for its input: a transposed convolution."""

    out_channel: int
    kernel_size: Any
    pad_mode: str = "valid"
    pad: Any = 0
    pad_list: Any = None
    mode: int = 1
    stride: Any = 1
    dilation: Any = 1
    group: int = 1
    data_format: str = "NCHW"
    def __call__(self, dout: Tensor, weight: Tensor, input_size: Any) -> Tensor: ...

class Conv3D(_Row):
    """Convolve over the dimensions after the channels; see ``ops.conv2d``."""

    out_channel: _Window
    kernel_size: _Window
    mode: Any = 1
    pad_mode: Any = "valid"
    pad: Any = 0
    stride: _Window = 1
    dilation: _Window = 1
    group: int = 1
    data_format: str = "NCDHW"
    def __call__(self, x: Tensor, weight: Tensor) -> Tensor: ...

class Conv3DTranspose(_Row):
    """Transpose a convolution of volumes."""

    in_channel: _Window
    out_channel: _Window
    kernel_size: _Window
    mode: Any = 1
    pad_mode: Any = "valid"
    pad: Any = 0
    stride: _Window = 1
    dilation: _Window = 1
    group: int = 1
    output_padding: Any = 0
    data_format: str = "NCDHW"
    def __call__(self, dout: Tensor, weight: Tensor) -> Tensor: ...

class CopyWithSlice(_Row):
    """Write ``y`` into ``x``, in place; returns ``x``."""
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...

class Cos(_Of_input):
    """Cosine of each element, in radians."""

class Cosh(_Of_input):
    """Hyperbolic cosine of each element."""

class CountNonZero(_Of_x):
    """Count the elements that are not zero: int64."""

    dims: Any = None

class CropAndResize(_Row):
    """Cut regions out of images and resize them to one size."""

    method: str = "bilinear"
    extrapolation_value: float = 0.0
    def __call__(
        self, image: Tensor, boxes: Tensor, box_indices: Tensor, crop_size: tuple[int, ...]
    ) -> Tensor: ...

class Cross(_Of_input_other_):
    """Cross product of vectors of size 3 along ``dim`` (the first of that size by default)."""

    dim: int | None = -65530

class CudnnGRU(_LeftOutPrimitive):
    """Left out: a GRU; use nn.GRU."""

class CumProd(_Row):
    """Running product along ``axis``."""

    exclusive: bool = False
    reverse: bool = False
    def __call__(self, x: Tensor, axis: int) -> Tensor: ...

class CumSum(_Row):
    """Running sum along ``axis``, in ``dtype`` or that of ``x``."""

    exclusive: bool = False
    reverse: bool = False
    def __call__(self, input: Tensor, axis: int, dtype: Any = None) -> Tensor: ...

class Cummax(_Of_input_):
    """Running maximum along ``axis`` and its int64 positions."""

    axis: int

class Cummin(_Of_input_):
    """Running minimum along ``axis`` and its int32 positions."""

    axis: int

class CumsumExt(_Row):
    """Running sum along ``axis``, in ``dtype`` or that of ``x``."""
    def __call__(self, x: Tensor, axis: int, dtype: Any = None) -> Tensor: ...

class CumulativeLogsumexp(_Row):
    """Return the logarithm of the running sum of the exponentials."""

    exclusive: bool = False
    reverse: bool = False
    def __call__(self, x: Tensor, axis: int) -> Tensor: ...

class CustomOpBuilder(_LeftOutPrimitive):
    """Left out: compiles a kernel of C++."""

class DType(_Row):
    """Return the dtype of a Tensor."""
    def __call__(self, x: Tensor) -> mstype.DType: ...

class DataFormatDimMap(_Of_x):
    """Return where dimensions of one data format stand in another."""

    src_format: str = "NHWC"
    dst_format: str = "NCHW"

class DataFormatVecPermute(_Of_x):
    """Put numbers, one for each dimension, into the order of another data format."""

    src_format: str = "NHWC"
    dst_format: str = "NCHW"

class DeformableOffsets(_Row):
    """Return the windows of images beside one another, each element read at a place of its
    own.
    """

    strides: Any
    pads: Any
    ksize: Any
    dilations: Any = (1, 1, 1, 1)
    data_format: str = "NCHW"
    deformable_groups: int = 1
    modulated: bool = True
    def __call__(self, x: Tensor, offsets: Tensor) -> Tensor: ...

class Dense(_Row):
    """Compute ``input @ weight.T + bias``."""
    def __call__(self, input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor: ...

class Depend(_Row):
    """Return ``value``; ``expr`` has run already, since Python evaluates arguments first."""
    def __call__(self, value: Any, expr: Any) -> Any: ...

class DepthToSpace(_Of_x):
    """Move blocks of channels (N, C * r**2, H, W) into space: (N, C, H * r, W * r)."""

    block_size: int

class DepthwiseConv2dNative(_LeftOutPrimitive):
    """Left out: convolves each channel by itself; use nn.Conv2d with group=in_channels."""

class Diag(_Of_input):
    """Return the Tensor of twice the rank whose diagonal is ``input``, and zeros elsewhere."""

class DiagPart(_Of_x):
    """Return the diagonal of a Tensor whose second half of dimensions repeats the first."""

class Digamma(_Of_input):
    """Derivative of ``lgamma`` of each element."""

class Dilation2D(_LeftOutPrimitive):
    """Left out: adds windows and takes maxima."""

class Div(_Of_input_other):
    """Divide element by element with broadcasting; integers and bools give float32."""

class DivNoNan(_Of_x_y):
    """Divide element by element, with 0 where the divisor is 0."""

class Dropout(_Of_x_):
    """Zero elements at random and divide the others by ``keep_prob``."""

    keep_prob: float = 0.5
    Seed0: int = 0
    Seed1: int = 0

class Dropout2D(_Of_x_):
    """Zero whole channels at random and divide the others by ``keep_prob``."""

    keep_prob: float = 0.5

class Dropout3D(_Of_x_):
    """Zero whole channels at random and divide the others by ``keep_prob``."""

    keep_prob: float = 0.5

class DropoutDoMask(_Row):
    """Zero the elements whose bit in a mask is 0, and divide the others by ``keep_prob``."""
    def __call__(self, input_x: Tensor, mask: Tensor, keep_prob: _Operand) -> Tensor: ...

class DropoutExt(_Row):
    """Zero elements with probability ``p`` and divide the others by ``1 - p``."""
    def __call__(
        self, input: Tensor, p: float, seed: Tensor, offset: Tensor
    ) -> tuple[Tensor, Tensor]: ...

class DropoutGenMask(_Row):
    """Draw the mask of ``DropoutDoMask``: a bit for each element, in bytes, 128 bits at a
    time.
    """

    Seed0: Any = 0
    Seed1: Any = 0
    def __call__(self, shape: tuple[int, ...], keep_prob: Any) -> Tensor: ...

class DtypeToEnum(_Row):
    """Return the dtype, which stands for itself."""
    def __call__(self, op_name: str, arg_name: str, dtype: Any) -> Any: ...

class DynamicGRUV2(_Row):
    """Run a GRU over sequences."""

    direction: str = "UNIDIRECTIONAL"
    cell_depth: int = 1
    keep_prob: float = 1.0
    cell_clip: float = -1.0
    num_proj: int = 0
    time_major: bool = True
    activation: str = "tanh"
    gate_order: str = "rzh"
    reset_after: bool = True
    is_training: bool = True
    def __call__(
        self,
        x: Tensor,
        weight_input: Tensor,
        weight_hidden: Tensor,
        bias_input: Tensor | None,
        bias_hidden: Tensor | None,
        seq_length: Tensor | None,
        init_h: Tensor,
    ) -> tuple[Tensor, ...]: ...

class DynamicRNN(_Row):
    """Run an LSTM over sequences."""

    cell_type: str = "LSTM"
    direction: str = "UNIDIRECTIONAL"
    cell_depth: int = 1
    use_peephole: bool = False
    keep_prob: float = 1.0
    cell_clip: float = -1.0
    num_proj: int = 0
    time_major: bool = True
    activation: str = "tanh"
    forget_bias: float = 0.0
    is_training: bool = True
    def __call__(
        self,
        x: Tensor,
        w: Tensor,
        b: Tensor,
        seq_length: Tensor | None,
        init_h: Tensor,
        init_c: Tensor,
    ) -> tuple[Tensor, ...]: ...

class DynamicShape(_LeftOutPrimitive):
    """Left out: raises in 2.10 too; use ops.Shape or ops.TensorShape."""

class EditDistance(_Row):
    """Compute how many insertions, deletions and replacements make one sequence of another."""

    normalize: bool = True
    def __call__(
        self,
        hypothesis_indices: Tensor,
        hypothesis_values: Tensor,
        hypothesis_shape: Tensor,
        truth_indices: Tensor,
        truth_values: Tensor,
        truth_shape: Tensor,
    ) -> Tensor: ...

class Eig(_Of_x_):
    """Return the eigenvalues of matrices and, with ``compute_v``, the vectors."""

    compute_v: bool = False

class Einsum(_Row):
    """Return sums of products over the indices of an equation; see ``ops.einsum``."""

    equation: str
    def __call__(self, x: Sequence[Tensor]) -> Tensor: ...

class Elu(_Of_input_x):
    """Return ``x`` where positive and ``exp(x) - 1`` elsewhere."""

    alpha: float = 1.0

class EmbeddingLookup(_Row):
    """Return the rows of a table that begins at ``offset``; zeros outside of it."""
    def __call__(self, input_params: Tensor, input_indices: Tensor, offset: int) -> Tensor: ...

class Eps(_Of_x):
    """Return a Tensor like ``x`` of the distance from 1 to the next number of its dtype."""

class Equal(_Row):
    """Whether elements are equal."""
    def __call__(self, input: Tensor, other: _Operand) -> Tensor: ...

class EqualCount(_Row):
    """Count the elements that are equal in both Tensors, in their dtype: Tensor (1,)."""
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...

class Erf(_Of_input):
    """Error function of each element."""

class Erfc(_Of_input):
    """``1 - erf(x)``, exact for large x."""

class Erfinv(_Of_input):
    """Inverse of the error function."""

class EuclideanNorm(_LeftOutPrimitive):
    """Left out: ops.norm."""

class Exp(_Of_input):
    """e to the power of each element."""

class Expand(_Row):
    """Repeat a Tensor to a larger shape, which comes as an int Tensor."""
    def __call__(self, x: Tensor, shape: Tensor) -> Tensor: ...

class ExpandDims(_Row):
    """Insert a dimension of size 1 at ``axis``, as a view."""
    def __call__(self, input_x: Tensor, axis: int) -> Tensor: ...

class Expm1(_Of_input):
    """``exp(x) - 1``, exact near 0."""

class ExtractGlimpse(_Row):
    """Cut a region around a point out of each image, with noise for what lies outside of it."""

    centered: bool = True
    normalized: bool = True
    uniform_noise: bool = True
    noise: str = "uniform"
    def __call__(self, x: Tensor, size: Tensor, offsets: Tensor) -> Tensor: ...

class ExtractImagePatches(_LeftOutPrimitive):
    """Left out: the windows of images; use ops.unfold."""

class ExtractVolumePatches(_Of_input_x):
    """Return the windows of volumes as channels."""

    kernel_size: Any
    strides: Any
    padding: str

class Eye(_Row):
    """Return ``n`` rows and ``m`` (or ``n``) columns with ones on the diagonal, float32 by
    default.
    """
    def __call__(
        self, n: int, m: int | None = None, dtype: mstype.DType | None = None
    ) -> Tensor: ...

class FFTWithSize(_Of_x):
    """Compute a Fourier transform of the last dimensions."""

    signal_ndim: int
    inverse: bool
    real: bool
    norm: str = "backward"
    onesided: bool = True
    signal_sizes: tuple[int, ...] = ()

class FastGeLU(_Of_x):
    """Compute ``x * sigmoid(1.702 * x)``."""

class Fill(_Row):
    """Return a Tensor of the dtype ``type`` filled with ``value``."""
    def __call__(
        self, dtype: mstype.DType, dims: Tensor | tuple[int, ...], x: Tensor | float | bool
    ) -> Tensor: ...

class FillDiagonal(_Of_input_x):
    """Fill the main diagonal, in a copy."""

    fill_value: float
    wrap: bool = False

class FillV2(_Row):
    """Return a Tensor of a shape, a tuple of ints or int Tensor, filled with a value."""
    def __call__(self, shape: Any, value: Tensor) -> Tensor: ...

class Fills(_Row):
    """Return a Tensor like ``x`` filled with a number."""
    def __call__(self, x: Tensor, value: _Operand) -> Tensor: ...

class FlashAttentionScore(_Row):
    """Compute attention; the other arguments are those of ``flash_attention_score``."""

    head_num: int
    keep_prob: float = 1.0
    scale_value: float = 1.0
    pre_tokens: int = 2147483647
    next_tokens: int = 2147483647
    inner_precise: Any = 0
    input_layout: str = "BSH"
    sparse_mode: int = 0
    def __call__(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        real_shift: Tensor | None = None,
        drop_mask: Any = None,
        padding_mask: Any = None,
        attn_mask: Tensor | None = None,
        prefix: Any = None,
        actual_seq_qlen: Any = None,
        actual_seq_kvlen: Any = None,
    ) -> tuple[Any, ...]: ...

class Flatten(_Of_input_x):
    """Return rows of what stands after the first dimension: (N, ...) gives (N, -1), (N,) (N,
    1).
    """

class FloatStatus(_Of_x):
    """Return 1.0 if an element is infinite or nan, else 0.0."""

class Floor(_Of_input):
    """Round down to an integer."""

class FloorDiv(_Of_input_other):
    """Divide and round towards minus infinity; an integer over zero gives its type's limit."""

class FloorMod(_Of_x_y):
    """Remainder of the division that rounds towards minus infinity; it has the divisor's
    sign.
    """

class Fmax(_Of_input_other):
    """The larger of two elements; of a number and nan, the number."""

class Fmin(_Of_input_other):
    """The smaller of two elements; of a number and nan, the number."""

class FmodScalar(_Of_input_other):
    """Compute ``input - trunc(input / other) * other``, each step rounded: 6 by 0.1 leaves
    0.
    """

class FractionalAvgPool(_Row):
    """Return the means of windows of two sizes in random order, and their edges."""

    pooling_ratio: list
    pseudo_random: bool = False
    overlapping: bool = False
    deterministic: bool = False
    seed: int = 0
    seed2: int = 0
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class FractionalMaxPool(_Row):
    """Return the maxima of windows of two sizes in random order, and their edges."""

    pooling_ratio: list
    pseudo_random: bool = False
    overlapping: bool = False
    deterministic: bool = False
    seed: int = 0
    seed2: int = 0
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class FractionalMaxPool3DWithFixedKsize(_Row):
    """Return maxima of windows whose places are given by random numbers, and where they are."""

    ksize: Any
    output_shape: Any
    data_format: str = "NCDHW"
    def __call__(self, input_x: Tensor, random_samples: Tensor) -> tuple[Tensor, Tensor]: ...

class FractionalMaxPoolWithFixedKsize(_Row):
    """Return maxima of windows whose places are given by random numbers, and where they are."""

    ksize: Any
    output_shape: Any
    data_format: str = "NCHW"
    def __call__(self, input_x: Tensor, random_samples: Tensor) -> tuple[Tensor, Tensor]: ...

class FusedAdaFactor(_Row):
    """Step by Adafactor, whose mean of squares is a product of rows and columns."""

    enable_scale_parameter: bool = False
    enable_first_moment: bool = False
    enable_weight_decay: bool = False
    def __call__(
        self,
        epsilon: Tensor,
        clip_threshold: Tensor,
        beta1: Tensor,
        beta2: Tensor,
        weight_decay: Tensor,
        learning_rate: Tensor,
        gradient: Tensor,
        param: Tensor,
        exp_avg: Tensor,
        exp_avg_sq_row: Tensor,
        exp_avg_sq_col: Tensor,
        exp_avg_sq: Tensor,
    ) -> Sequence[Tensor]: ...

class FusedAdaFactorWithGlobalNorm(_Row):
    """Step by Adafactor, whose mean of squares is a product of rows and columns."""

    enable_scale_parameter: bool = False
    enable_first_moment: bool = False
    enable_weight_decay: bool = False
    def __call__(
        self,
        epsilon: Tensor,
        clip_threshold: Tensor,
        beta1: Tensor,
        beta2: Tensor,
        weight_decay: Tensor,
        learning_rate: Tensor,
        gradient: Tensor,
        param: Tensor,
        exp_avg: Tensor,
        exp_avg_sq_row: Tensor,
        exp_avg_sq_col: Tensor,
        exp_avg_sq: Tensor,
        global_norm: Tensor,
    ) -> Sequence[Tensor]: ...

class FusedAddTopKDiv(_LeftOutPrimitive):
    """Left out: chooses experts."""

class FusedCastAdamWeightDecay(_Row):
    """Step by Adam without bias correction, with decoupled weight decay."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        decay: _Operand,
        gradient: Tensor,
        global_norm: _Operand,
    ) -> Sequence[Tensor]: ...

class FusedSparseAdam(_Row):
    """Step by Adam, where all rows but those of the indices have a gradient of 0."""

    use_locking: Any = False
    use_nesterov: bool = False
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        beta1_power: _Operand,
        beta2_power: _Operand,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        gradient: Tensor,
        indices: Tensor,
    ) -> Sequence[Tensor]: ...

class FusedSparseFtrl(_Row):
    """Step by FTRL in the rows of the indices."""

    lr: float
    l1: float
    l2: float
    lr_power: float
    use_locking: Any = False
    def __call__(
        self, var: Tensor, accum: Tensor, linear: Tensor, grad: Tensor, indices: Tensor
    ) -> Sequence[Tensor]: ...

class FusedSparseLazyAdam(_Row):
    """Step by Adam in the rows of the indices; the others stay, also their moments."""

    use_locking: Any = False
    use_nesterov: bool = False
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        beta1_power: _Operand,
        beta2_power: _Operand,
        lr: _Operand,
        beta1: _Operand,
        beta2: _Operand,
        epsilon: _Operand,
        gradient: Tensor,
        indices: Tensor,
    ) -> Sequence[Tensor]: ...

class FusedSparseProximalAdagrad(_Row):
    """Step by Adagrad, then towards 0, in the rows of the indices."""

    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        accum: Tensor,
        lr: _Operand,
        l1: _Operand,
        l2: _Operand,
        grad: Tensor,
        indices: Tensor,
    ) -> Sequence[Tensor]: ...

class FusedWeightScaleApplyMomentum(_Row):
    """Step along an accumulated gradient, which is scaled, with weight decay."""
    def __call__(
        self,
        weight_decay: _Operand,
        loss_scale: _Operand,
        variable: Tensor,
        accumulation: Tensor,
        learning_rate: _Operand,
        gradient: Tensor,
        momentum: _Operand,
    ) -> Sequence[Tensor]: ...

class GLU(_Of_x):
    """Return the first half of ``axis`` times the sigmoid of the second."""

    axis: int = -1

class Gamma(_Row):
    """Return numbers of the gamma distribution, float32."""

    seed: int | None = 0
    seed2: Any = 0
    def __call__(self, shape: Any, alpha: Tensor, beta: Tensor) -> Tensor: ...

class Gather(_Row):
    """Return the slices of ``axis`` that the indices name."""

    batch_dims: int = 0
    def __call__(self, input_params: Tensor, input_indices: Tensor, axis: int) -> Tensor: ...

class GatherD(_Row):
    """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names."""
    def __call__(self, x: Tensor, dim: int, index: Tensor) -> Tensor: ...

class GatherNd(_Row):
    """Return the slices whose leading positions are the rows of ``indices``."""
    def __call__(self, input_x: Tensor, indices: Tensor) -> Tensor: ...

class GatherV2(_Row):
    """Return the slices of ``axis`` that the indices name."""
    def __call__(
        self, input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0
    ) -> Tensor: ...

class Gcd(_Of_input_other_):
    """Greatest common divisor of integers, element by element."""

class GeLU(_Of_input):
    """Return ``x`` times the normal distribution function of ``x``, approximated by
    ``tanh``.
    """

class GeSwitch(_LeftOutPrimitive):
    """Left out: a branch of the graph engine."""

class GenerateEodMaskV2(_LeftOutPrimitive):
    """Left out: the mask of packed texts."""

class Geqrf(_Of_input_):
    """Factor matrices into R and Householder vectors below its diagonal, and their factors."""

class Ger(_Row):
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
    M).
    """
    def __call__(self, input: Tensor, vec2: Tensor) -> Tensor: ...

class GetNext(_LeftOutPrimitive):
    """Left out: takes a batch from a dataset on the device; iterate over the dataset."""

class Greater(_Of_input_other):
    """Whether ``input`` is greater than ``other``."""

class GreaterEqual(_Of_input_other):
    """Whether ``input`` is not less than ``other``."""

class GridSampler2D(_Row):
    """Return the elements of images at the places of a grid; the last of a place is of the
    width.
    """

    interpolation_mode: str = "bilinear"
    padding_mode: str = "zeros"
    align_corners: bool = False
    def __call__(self, input_x: Tensor, grid: Tensor) -> Tensor: ...

class GridSampler3D(_Row):
    """Return the elements of images at the places of a grid; the last of a place is of the
    width.
    """

    interpolation_mode: str = "bilinear"
    padding_mode: str = "zeros"
    align_corners: bool = False
    def __call__(self, input_x: Tensor, grid: Tensor) -> Tensor: ...

class GroupTopk(_LeftOutPrimitive):
    """Left out: keeps the best groups of experts."""

class GroupedMatmul(_LeftOutPrimitive):
    """Left out: products of groups of rows."""

class GroupedMatmulV2(_LeftOutPrimitive):
    """Left out: products of groups of rows."""

class GroupedMatmulV4(_LeftOutPrimitive):
    """Left out: products of groups of rows."""

class HSVToRGB(_Of_x):
    """Return the colors of hue, saturation and value."""

class HShrink(_Of_input):
    """Make 0 of the elements within ``[-lambd, lambd]``."""

    lambd: float = 0.5

class HSigmoid(_Of_input):
    """Compute ``relu6(x + 3) / 6``, of signed integers cut; its gradient is 0 at the edges."""

class HSwish(_Of_input):
    """Compute ``x * relu6(x + 3) / 6``; of signed integers cut to integers."""

class HammingWindow(_Row):
    """Return the Hamming window; its arguments are those of ``hamming_window``."""

    periodic: bool = True
    alpha: float = 0.54
    beta: float = 0.46
    dtype: mstype.DType = ...
    def __call__(self, length: Tensor) -> Tensor: ...

class Heaviside(_Row):
    """Return 0 for negative elements, 1 for positive ones, and ``values`` where they are 0."""
    def __call__(self, input: Tensor, values: Tensor) -> Tensor: ...

class Histogram(_Of_input):
    """Count the elements in ``bins`` intervals of one width: float32, or int32 of integers."""

    bins: int = 100
    min: float = 0.0
    max: float = 0.0

class HistogramFixedWidth(_Row):
    """Count the elements in ``nbins`` intervals of one width, those outside at the ends:
    int32.
    """

    nbins: int
    dtype: str = "int32"
    def __call__(self, x: Tensor, range: Tensor) -> Tensor: ...

class Hypot(_Of_input_other):
    """Square root of the sum of two squares."""

class IOU(_Row):
    """Return how much boxes overlap; no gradient passes, as in MindSpore."""

    mode: str = "iou"
    def __call__(self, anchor_boxes: Tensor, gt_boxes: Tensor) -> Tensor: ...

class Identity(_Of_input_x):
    """Return a copy of a Tensor, through which gradients flow."""

class IdentityN(_Row):
    """Return the Tensors as they are."""
    def __call__(self, x: Sequence[Tensor]) -> tuple[Tensor, ...]: ...

class Igamma(_Of_input_other_):
    """Compute the lower regularized incomplete gamma."""

class Igammac(_Of_input_other_):
    """Compute the upper regularized incomplete gamma."""

class Im2Col(_Of_x):
    """Return the windows of images as columns."""

    ksizes: Any
    strides: Any = 1
    dilations: Any = 1
    pads: Any = 0

class Imag(_Of_input):
    """Imaginary part of each element; of a real Tensor, zeros."""

class InTopK(_Row):
    """Whether the score of the right class is among the ``k`` highest of its row."""

    k: int
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class IncreFlashAttention(_LeftOutPrimitive):
    """Left out: attention of one new query."""

class IndexAdd(_Row):
    """Add slices to a Parameter, in place."""

    axis: int
    use_lock: bool = True
    check_index_bound: bool = True
    def __call__(self, x: Tensor, indices: Tensor, y: Tensor) -> Tensor: ...

class IndexFill(_Row):
    """Fill the slices of ``axis`` that ``index`` names with a number, in a copy."""
    def __call__(self, x: Tensor, axis: int, index: Tensor, value: _Operand) -> Tensor: ...

class IndexPut(_Row):
    """Write values at positions, in a copy."""

    accumulate: int = 0
    def __call__(self, x1: Tensor, x2: Tensor, indices: Any) -> Tensor: ...

class IndexSelect(_Row):
    """Return the slices of ``axis`` that the 1-D ``index`` names."""
    def __call__(self, input: Tensor, axis: int, index: Tensor) -> Tensor: ...

class InplaceAdd(_Row):
    """Add to rows of a copy of ``x``, which stays as it is, as in 2.10."""

    indices: Any
    def __call__(self, x: Tensor, v: Tensor) -> Tensor: ...

class InplaceCopy(_Row):
    """Write ``y`` into ``x``, in place; returns ``x``."""
    def __call__(self, input: Tensor, src: Tensor) -> Tensor: ...

class InplaceIndexAdd(_Row):
    """Add slices to a Parameter, in place."""

    axis: int
    def __call__(self, var: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class InplaceSub(_Row):
    """Subtract from rows of a copy of ``x``, which stays as it is, as in 2.10."""

    indices: Any
    def __call__(self, x: Tensor, v: Tensor) -> Tensor: ...

class InplaceUpdate(_Row):
    """Replace rows of a copy of ``x``, which stays as it is, as in 2.10."""

    indices: Any
    def __call__(self, x: Tensor, v: Tensor) -> Tensor: ...

class InplaceUpdateV2(_Row):
    """Replace rows of a copy of ``x``, which stays as it is, as in 2.10."""
    def __call__(self, x: Tensor, indices: Any, v: Tensor) -> Tensor: ...

class InstanceNorm(_LeftOutPrimitive):
    """Left out: nn.InstanceNorm2d."""

class Inv(_Of_input):
    """One over each element."""

class Invert(_Of_x):
    """Flip the bits of integers; of bools, not."""

class InvertPermutation(_Row):
    """Return the permutation that undoes one, both as tuples of ints."""
    def __call__(self, input_x: tuple[int, ...]) -> tuple[int, ...]: ...

class IsClose(_Of_input_other_):
    """Whether ``|input - other| <= atol + rtol * |other|``, element by element."""

    rtol: float = 1e-05
    atol: float = 1e-08
    equal_nan: bool = False

class IsFinite(_Of_input):
    """Whether each element is neither nan nor infinite."""

class IsInf(_Of_input):
    """Whether each element is infinite."""

class IsNan(_Of_input):
    """Whether each element is nan."""

class J(_LeftOutPrimitive):
    """Left out: the gradient of a graph."""

class KLDivLoss(_Row):
    """Compute ``labels * (log(labels) - logits)``, which is 0 where the label is 0."""

    reduction: str = "mean"
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...

class L2Loss(_Of_input_x):
    """Return half the sum of the squares of all elements."""

class L2Normalize(_Of_x):
    """Divide by the root of the sum of squares over an axis."""

    axis: Any = 0
    epsilon: float = 0.0001

class LARSUpdate(_LeftOutPrimitive):
    """Left out: scales a gradient by norms; use mindspore.nn.LARS."""

class LRN(_Of_x):
    """Divide by ``(bias + alpha * sum of squares) ** beta`` over neighbouring channels."""

    depth_radius: int = 5
    bias: float = 1.0
    alpha: float = 1.0
    beta: float = 0.5
    norm_region: str = "ACROSS_CHANNELS"

class LSTM(_Row):
    """Run an LSTM over sequences."""

    input_size: int
    hidden_size: int
    num_layers: int
    has_bias: bool
    bidirectional: bool
    dropout: float
    proj_size: int = 0
    def __call__(self, x: Tensor, h: Tensor, c: Tensor, w: Tensor) -> tuple[Tensor, ...]: ...

class LayerNorm(_Row):
    """Normalize over the last dimensions, then scale and shift."""

    begin_norm_axis: int = 1
    begin_params_axis: int = 1
    epsilon: float = 1e-07
    def __call__(
        self, input_x: Tensor, gamma: Tensor, beta: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]: ...

class Lcm(_Of_input_other_):
    """Least common multiple of integers, element by element."""

class LeftShift(_Row):
    """Shift the bits of integers to the left."""
    def __call__(self, x1: _Operand, x2: _Operand) -> Tensor: ...

class Lerp(_Row):
    """``input + weight * (end - input)``, element by element."""
    def __call__(self, input: Tensor, end: Tensor, weight: _Operand) -> Tensor: ...

class LerpScalar(_LeftOutPrimitive):
    """Left out: ops.lerp by a number."""

class Less(_Row):
    """Whether ``input`` is less than ``other``."""
    def __call__(self, input: Tensor, other: _Operand) -> Tensor: ...

class LessEqual(_Of_input_other):
    """Whether ``input`` is not greater than ``other``."""

class Lgamma(_Of_input):
    """Logarithm of the size of the gamma function; float32 of int32."""

class LinSpace(_Row):
    """Return ``steps`` numbers from ``start`` to ``end``, both included, float32."""
    def __call__(self, start: _Operand, stop: _Operand, num: int) -> Tensor: ...

class ListDiff(_Row):
    """Return the elements of ``x`` that are not in ``y``, and where they stand."""

    out_idx: Any = ...
    def __call__(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]: ...

class Log(_Of_input):
    """Natural logarithm of each element."""

class Log1p(_Of_input):
    """``log(1 + x)``, exact near 0."""

class LogMatrixDeterminant(_Of_input_):
    """Return the sign, and the logarithm of the size, of determinants of (..., N, N)."""

class LogNormalReverse(_Of_input):
    """Return numbers, in the shape of a Tensor, whose logarithms are normal."""

    mean: float = 1.0
    std: float = 2.0

class LogSoftmax(_Row):
    """Compute the logarithm of ``softmax`` in a stable form."""

    axis: int = -1
    def __call__(self, logits: Tensor) -> Tensor: ...

class LogSoftmaxExt(_LeftOutPrimitive):
    """Left out: ops.log_softmax."""

class LogSpace(_Row):
    """Return ``steps`` powers of ``base``, of exponents from ``start`` to ``end``."""

    steps: int = 10
    base: int = 10
    dtype: mstype.DType = ...
    def __call__(self, start: _Operand, end: _Operand) -> Tensor: ...

class LogUniformCandidateSampler(_Row):
    """Draw classes, the lower ones more often, for a loss of few of many classes."""

    num_true: int = 1
    num_sampled: int = 5
    unique: bool = True
    range_max: int = 5
    seed: int = 0
    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class LogicalAnd(_Of_x_y):
    """Whether both elements are not zero."""

class LogicalNot(_Of_input):
    """Whether each element is zero or False."""

class LogicalOr(_Of_x_y):
    """Whether one of the elements is not zero."""

class LogicalXor(_Of_input_other):
    """Whether just one element is not zero."""

class Logit(_Of_input):
    """Compute ``log(x / (1 - x))``, of ``x`` moved into [eps, 1 - eps] where ``eps`` is
    given.
    """

    eps: float | None = -1.0

class LowerBound(_Row):
    """Return where values would be inserted into sorted rows, before equal ones."""

    out_type: Any = ...
    def __call__(self, sorted_x: Tensor, values: Tensor) -> Tensor: ...

class LpNorm(_Of_x):
    """Return the ``p``-norm over an axis."""

    axis: Any
    p: int = 2
    keep_dims: bool = False
    epsilon: float = 1e-12

class Lstsq(_Row):
    """Solve ``input @ x = A`` with the least squares of what is left, for full rank."""

    fast: Any = True
    l2_regularizer: Any = 0.0
    def __call__(self, input: Tensor, A: Tensor) -> Tensor: ...

class LuSolve(_Row):
    """Solve ``A @ x = b`` from the LU factors of A."""
    def __call__(self, b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor: ...

class LuUnpack(_Row):
    """Return the permutation and the two triangles that LU data and pivots stand for."""

    unpack_data: bool = True
    unpack_pivots: bool = True
    def __call__(self, LU_data: Tensor, LU_pivots: Tensor) -> tuple[Tensor, ...]: ...

class MapCacheIdx(_LeftOutPrimitive):
    """Left out: maps keys to a cache."""

class MapUniform(_Row):
    """Return the numbers of keys that are dealt out to groups: keys that follow lie apart."""
    def __call__(self, input: Tensor, per_group_size: _Operand, group_num: _Operand) -> Tensor: ...

class MaskedFill(_Row):
    """Replace the elements where a mask is True."""
    def __call__(self, input_x: Tensor, mask: Tensor, value: _Operand) -> Tensor: ...

class MaskedScatter(_Row):
    """Replace the elements where a mask is True by those of ``source``, in order."""
    def __call__(self, input: Tensor, mask: Tensor, source: Tensor) -> Tensor: ...

class MaskedSelect(_Row):
    """Return the elements where a mask is True, in one dimension."""
    def __call__(self, input: Tensor, mask: Tensor) -> Tensor: ...

class MatMul(_Row):
    """Product of two matrices (N, K) and (K, M) of one dtype."""

    transpose_a: bool = False
    transpose_b: bool = False
    def __call__(self, input: Tensor, mat2: Tensor) -> Tensor: ...

class MatMulExt(_Of_input_other_):
    """Matrix product of the last two dimensions, the ones before broadcast."""

class MatrixBandPart(_Row):
    """Zero what is further than ``lower`` below, and ``upper`` above, the main diagonal."""
    def __call__(self, x: Tensor, lower: int, upper: int) -> Tensor: ...

class MatrixDeterminant(_Of_input):
    """Determinant of square matrices (..., N, N)."""

class MatrixDiagPartV3(_Row):
    """Return diagonals of matrices (..., M, N), packed."""

    align: str = "RIGHT_LEFT"
    def __call__(self, x: Tensor, k: Any, padding_value: _Operand) -> Tensor: ...

class MatrixDiagV3(_Row):
    """Make matrices of packed diagonals."""

    align: str = "RIGHT_LEFT"
    def __call__(
        self,
        x: Tensor,
        k: Any = 0,
        num_rows: int = -1,
        num_cols: int = -1,
        padding_value: _Operand = 0,
    ) -> Tensor: ...

class MatrixExp(_Of_input):
    """Return the exponential of matrices (..., N, N)."""

class MatrixInverse(_Of_x):
    """Return the inverses of square matrices (..., N, N)."""

    adjoint: bool = False

class MatrixLogarithm(_Of_x):
    """Return the logarithm of complex matrices (..., N, N), by their eigenvectors."""

class MatrixPower(_Of_input):
    """Multiply square matrices with themselves; a negative power inverts them."""

    n: int

class MatrixSetDiagV3(_Row):
    """Replace diagonals of matrices (..., M, N) by packed ones, in a copy."""

    align: str = "RIGHT_LEFT"
    def __call__(self, x: Tensor, diagonal: Tensor, k: Any = 0) -> Tensor: ...

class MatrixSolve(_Row):
    """Solve ``matrix @ x = rhs``, with ``adjoint`` of the adjoint of the matrices."""

    adjoint: bool = False
    def __call__(self, matrix: Tensor, rhs: Tensor) -> Tensor: ...

class MatrixSolveLs(_Row):
    """Solve ``matrix @ x = rhs`` with least squares."""

    fast: Any = True
    def __call__(self, matrix: Tensor, rhs: Tensor, l2_regularizer: Tensor) -> Tensor: ...

class MatrixTriangularSolve(_Row):
    """Solve ``matrix @ x = rhs`` with a triangle of matrices."""

    lower: bool = True
    adjoint: bool = False
    def __call__(self, matrix: Tensor, rhs: Tensor) -> Tensor: ...

class MaxPool(_Of_x__):
    """Compute maxima of windows in as many dimensions as ``kernel_size`` has; for the
    layers.
    """

    kernel_size: _Window = 1
    strides: _Window = 1
    pad_mode: str = "valid"
    data_format: str = "NCHW"

class MaxPool3D(_Of_x):
    """Compute maxima of windows of (N, C, D, H, W)."""

    kernel_size: Any = 1
    strides: Any = 1
    pad_mode: str = "VALID"
    pad_list: Any = 0
    ceil_mode: Any = None
    data_format: str = "NCDHW"

class MaxPool3DWithArgmax(_Of_x__):
    """Return maxima of windows, and their places in the image or volume."""

    ksize: Any
    strides: Any
    pads: Any
    dilation: Any = (1, 1, 1)
    ceil_mode: bool = False
    data_format: str = "NCDHW"
    argmax_type: mstype.DType = ...

class MaxPoolWithArgmax(_Of_x__):
    """Compute maxima of windows, and their places in the image."""

    kernel_size: _Window = 1
    strides: _Window = 1
    pad_mode: str = "valid"
    data_format: str = "NCHW"

class MaxPoolWithArgmaxV2(_Of_x__):
    """Return maxima of windows, and their places in the image or volume."""

    kernel_size: Any
    strides: Any = None
    pads: Any = 0
    dilation: Any = (1, 1)
    ceil_mode: bool = False
    argmax_type: mstype.DType = ...

class MaxUnpool2D(_Row):
    """Put maxima back where they were, and zeros elsewhere."""

    ksize: Any
    strides: Any = 0
    pads: Any = 0
    output_shape: Any = ()
    data_format: str | None = "NCHW"
    def __call__(self, x: Tensor, argmax: Tensor) -> Tensor: ...

class MaxUnpool3D(_Row):
    """Put maxima back where they were, and zeros elsewhere."""

    ksize: Any
    strides: Any = 0
    pads: Any = 0
    output_shape: Any = ()
    data_format: str | None = "NCDHW"
    def __call__(self, x: Tensor, argmax: Tensor) -> Tensor: ...

class Maximum(_Of_input_other):
    """The larger of two Tensors element by element; at a tie the gradient is split evenly."""

class MeanExt(_Row):
    """Mean over ``axis``; integers stay integers, rounded towards zero."""
    def __call__(
        self, input: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None
    ) -> Tensor: ...

class Median(_Of_x_):
    """Return the medians and their positions, int64."""

    global_median: bool = False
    axis: int = 0
    keep_dims: bool = False
    ignore_nan: bool = False

class Merge(_LeftOutPrimitive):
    """Left out: joins branches."""

class Meshgrid(_Row):
    """Return the coordinates of a grid, one Tensor for each axis; see ``ops.meshgrid``."""

    indexing: str = "xy"
    def __call__(self, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]: ...

class Minimum(_Of_input_other):
    """The smaller of two Tensors element by element; at a tie the gradient is split evenly."""

class MirrorPad(_Row):
    """Continue a Tensor over its edges by its mirror image."""

    mode: str = "REFLECT"
    def __call__(self, input_x: Tensor, paddings: Any) -> Tensor: ...

class Mish(_Of_x):
    """Compute ``x * tanh(softplus(x))``."""

class Mod(_Of_input_other):
    """Remainder as ``fmod`` has it, but rounded once; of 0 by 0 it is 0."""

class MoeComputeExpertTokens(_LeftOutPrimitive):
    """Left out: counts tokens of experts."""

class MoeDistributeCombine(_LeftOutPrimitive):
    """Left out: gathers tokens from experts."""

class MoeDistributeDispatch(_LeftOutPrimitive):
    """Left out: sends tokens to experts."""

class MoeFinalizeRouting(_LeftOutPrimitive):
    """Left out: joins what experts gave."""

class MoeGatingTopKSoftmax(_LeftOutPrimitive):
    """Left out: chooses experts."""

class MoeInitRouting(_LeftOutPrimitive):
    """Left out: routes tokens to experts."""

class MoeInitRoutingV2(_LeftOutPrimitive):
    """Left out: routes tokens to experts."""

class MoeTokenPermute(_LeftOutPrimitive):
    """Left out: sorts tokens by experts."""

class MoeTokenUnpermute(_LeftOutPrimitive):
    """Left out: puts tokens back in order."""

class MoveTo(_LeftOutPrimitive):
    """Left out: moves a Tensor to another device."""

class Mul(_Of_input_other):
    """Multiply element by element with broadcasting."""

class MulNoNan(_Of_x_y):
    """Multiply element by element, and 0 where ``y`` is 0, even of infinity or nan."""

class Muls(_Of_input_other):
    """Multiply element by element with broadcasting."""

class MultiMarginLoss(_Row):
    """Compute how far other classes come within a margin of the right one."""

    p: int = 1
    margin: float = 1.0
    reduction: str = "mean"
    def __call__(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor: ...

class MultilabelMarginLoss(_LeftOutPrimitive):
    """Left out: a loss of several classes; use ops.multilabel_soft_margin_loss."""

class Multinomial(_Row):
    """Draw indices with probabilities proportional to the last dimension, with replacement."""

    seed: int = 0
    seed2: Any = 0
    dtype: Any = ...
    def __call__(self, x: Tensor, num_samples: int) -> Tensor: ...

class MultinomialWithReplacement(_Row):
    """Draw indices with probabilities proportional to the last dimension, int64."""

    numsamples: int
    replacement: bool = False
    def __call__(self, x: Tensor, seed: int | Tensor, offset: int | Tensor) -> Tensor: ...

class Mvlgamma(_Of_input):
    """Compute the logarithm of the multivariate gamma function of dimension ``p``."""

    p: int

class NLLLoss(_Row):
    """Return the weighted negative log likelihood, and the sum of the weights."""

    reduction: str = "mean"
    ignore_index: int = -100
    def __call__(self, logits: Tensor, labels: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]: ...

class NMSWithMask(_Row):
    """Order boxes by their scores, and say which overlap with no better one."""

    iou_threshold: float = 0.5
    def __call__(self, bboxes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class NPUAllocFloatStatus(_Row):
    """Always raises ``NotImplementedError``: only Ascend devices have the register it reads."""
    def __call__(self, *inputs: Any) -> Tensor: ...

class NPUClearFloatStatus(_Row):
    """Always raises ``NotImplementedError``: only Ascend devices have the register it reads."""
    def __call__(self, *inputs: Any) -> Tensor: ...

class NPUGetFloatStatus(_Row):
    """Always raises ``NotImplementedError``: only Ascend devices have the register it reads."""
    def __call__(self, *inputs: Any) -> Tensor: ...

class NanToNum(_Of_input):
    """Replace nan by ``nan`` (0) and infinities by ``posinf``, ``neginf`` (the largest
    numbers).
    """

    nan: float | None = None
    posinf: float | None = None
    neginf: float | None = None

class Neg(_Of_input):
    """Negative of each element."""

class NeighborExchangeV2(_LeftOutPrimitive):
    """Left out: exchanges borders with neighbours."""

class NextAfter(_Of_input_other_):
    """Return the next number after ``input`` in the direction of ``other``, float32 or 64."""

class NoRepeatNGram(_Row):
    """Return the scores, minus infinity for the words that would repeat an n-gram."""

    ngram_size: int = 1
    def __call__(self, state_seq: Tensor, log_probs: Tensor) -> Tensor: ...

class NonDeterministicInts(_Row):
    """Return random integers of all bits."""

    dtype: Any = ...
    def __call__(self, shape: Tensor) -> Tensor: ...

class NonMaxSuppressionV3(_LeftOutPrimitive):
    """Left out: keeps boxes by their scores; use ops.NMSWithMask."""

class NonMaxSuppressionWithOverlaps(_Row):
    """Return which boxes overlap with no better one, the best first."""
    def __call__(
        self,
        overlaps: Tensor,
        scores: Tensor,
        max_output_size: Tensor,
        overlap_threshold: Tensor,
        score_threshold: Tensor,
    ) -> Tensor: ...

class NonZero(_Row):
    """Return the positions of the elements that are not zero."""
    def __call__(self, input: Tensor) -> Any: ...

class NotEqual(_Of_input_other):
    """Whether elements differ."""

class NthElement(_Row):
    """Return the n-th smallest element of the last dimension."""

    reverse: bool = False
    def __call__(self, input: Tensor, n: int) -> Tensor: ...

class NuclearNorm(_Of_x):
    """Return the sum of the singular values."""

    dim: Any = None
    keepdim: bool = False

class OneHot(_Row):
    """Return rows that are ``on_value`` at the index and ``off_value`` elsewhere."""

    axis: int = -1
    def __call__(
        self, indices: Tensor, depth: int, on_value: Any = 1, off_value: Any = 0
    ) -> Tensor: ...

class OneHotExt(_Row):
    """Return rows that are ``on_value`` at the index and ``off_value`` elsewhere."""

    axis: int = -1
    def __call__(
        self, indices: Tensor, depth: int, on_value: Any = 1, off_value: Any = 0
    ) -> Tensor: ...

class Ones(_Row):
    """Return a Tensor of ones."""
    def __call__(self, shape: Any, dtype: mstype.DType | None = None) -> Tensor: ...

class OnesLike(_Of_x):
    """Return ones of the shape and, by default, the dtype of ``input``."""

class Orgqr(_Row):
    """Multiply the Householder reflections that ``geqrf`` returns: the first columns of Q."""
    def __call__(self, input: Tensor, input2: Tensor) -> Tensor: ...

class Ormqr(_Row):
    """Multiply ``other`` by the whole Q of ``geqrf``'s vectors, or by its transpose."""

    left: bool = True
    transpose: bool = False
    def __call__(self, input: Tensor, tau: Tensor, other: Tensor) -> Tensor: ...

class Outer(_Row):
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
    M).
    """
    def __call__(self, input: Tensor, vec2: Tensor) -> Tensor: ...

class PReLU(_Row):
    """Return ``x`` where positive and ``weight * x`` elsewhere."""
    def __call__(self, input: Tensor, weight: Tensor) -> Tensor: ...

class Pack(_Row):
    """Join Tensors of one shape and dtype along a new dimension."""

    axis: int = 0
    def __call__(self, tensors: Sequence[Tensor]) -> Tensor: ...

class Pad(_Of_input_x):
    """Put zeros around a Tensor."""

    paddings: Any

class PadV3(_Row):
    """Pad the last dimensions."""

    mode: str = "constant"
    paddings_contiguous: bool = True
    def __call__(self, x: Tensor, paddings: Any, constant_values: Any = None) -> Tensor: ...

class Padding(_Of_x):
    """Fill the last dimension, which has size 1, with zeros up to ``pad_dim_size``."""

    pad_dim_size: int = 8

class PagedAttention(_LeftOutPrimitive):
    """Left out: attention over a cache in pages."""

class PagedAttentionMask(_LeftOutPrimitive):
    """Left out: attention over a cache in pages."""

class ParallelConcat(_Row):
    """Join Tensors (1, ...) of one shape and dtype along the first dimension."""
    def __call__(self, values: Sequence[Tensor]) -> Tensor: ...

class ParameterizedTruncatedNormal(_Row):
    """Return normal numbers between bounds, each a Tensor of one element or one per row."""

    seed: int = 0
    seed2: Any = 0
    def __call__(
        self, shape: Tensor, mean: Tensor, stdevs: Tensor, min: Tensor, max: Tensor
    ) -> Tensor: ...

class Partial(_Row):
    """Bind the first arguments of a function; ``functools.partial``."""
    def __call__(self, *args: Any) -> Any: ...

class Pdist(_Of_input):
    """Return the distances between every two rows of (..., N, M), in the p-norm."""

    p: float = 2.0

class Poisson(_Row):
    """Return numbers of the Poisson distribution, int32."""

    seed: int | None = 0
    seed2: Any = 0
    def __call__(self, shape: Any, mean: Tensor) -> Tensor: ...

class Polar(_Row):
    """Return the complex numbers of a size and an angle, float32 or float64."""
    def __call__(self, abs: Tensor, angle: Tensor) -> Tensor: ...

class Polygamma(_Row):
    """Compute the derivative of order ``n`` of ``digamma``, element by element."""
    def __call__(self, n: _Operand, input: Tensor) -> Tensor: ...

class PopulationCount(_Of_input_x):
    """Count the bits that are set in each integer: uint8."""

class Pow(_Row):
    """Raise to a power element by element; an integer to a negative power gives 0."""
    def __call__(self, input: Any, exponent: Any) -> Tensor: ...

class Print(_Row):
    """Print each argument on a line of its own, Tensors by their ``repr``."""
    def __call__(self, *input_x: Any) -> None: ...

class PromptFlashAttention(_LeftOutPrimitive):
    """Left out: attention of a prompt."""

class PsROIPooling(_LeftOutPrimitive):
    """Left out: pools regions by place; use ops.roi_align."""

class Pull(_LeftOutPrimitive):
    """Left out: reads weights of a server."""

class Push(_LeftOutPrimitive):
    """Left out: sends gradients to a server."""

class PyExecute(_LeftOutPrimitive):
    """Left out: runs text as Python."""

class Qr(_Of_x_):
    """Return an orthogonal and an upper triangular factor."""

    full_matrices: bool = False

class Quantile(_Row):
    """Return the quantiles of all elements, or along a dimension, between the nearest ones."""

    dim: int | None = None
    keep_dims: bool = False
    ignore_nan: bool = False
    def __call__(self, input: Tensor, q: Any) -> Tensor: ...

class RGBToHSV(_Row):
    """Return hue, saturation and value, each from 0 to 1."""
    def __call__(self, images: Tensor) -> Tensor: ...

class RNNTLoss(_LeftOutPrimitive):
    """Left out: a loss of transducers; use ops.ctc_loss."""

class ROIAlign(_Row):
    """Compute means of points in regions of images, each region divided into equal parts."""

    pooled_height: int
    pooled_width: int
    spatial_scale: float
    sample_num: int = 2
    roi_end_mode: int = 1
    def __call__(self, features: Tensor, rois: Tensor) -> Tensor: ...

class RaggedRange(_Row):
    """Return ranges, one after another, and where each begins."""

    Tsplits: Any
    def __call__(self, starts: Tensor, limits: Tensor, deltas: Tensor) -> tuple[Tensor, Tensor]: ...

class RandomCategorical(_Row):
    """Draw classes with the probabilities that are the softmax of each row."""

    dtype: mstype.DType = ...
    def __call__(self, logits: Tensor, num_sample: int, seed: int = 0) -> Tensor: ...

class RandomChoiceWithMask(_Row):
    """Return places of elements that are True, in random order."""

    count: int = 256
    seed: int | None = 0
    seed2: Any = 0
    def __call__(self, input_x: Tensor) -> tuple[Tensor, Tensor]: ...

class RandomGamma(_Row):
    """Return numbers of the gamma distribution of rate 1."""

    seed: int | None = 0
    seed2: Any = 0
    def __call__(self, shape: Tensor, alpha: Tensor) -> Tensor: ...

class RandomPoisson(_Row):
    """Return numbers of the Poisson distribution."""

    seed: int | None = 0
    seed2: Any = 0
    dtype: mstype.DType = ...
    def __call__(self, shape: Tensor, rate: Tensor) -> Tensor: ...

class RandomShuffle(_Of_x):
    """Put the slices of the first dimension into random order."""

    seed: int | None = 0
    seed2: Any = 0

class Randperm(_Row):
    """Return the numbers 0 to ``n - 1`` in random order, filled up with ``pad``."""

    max_length: int = 1
    pad: int = -1
    dtype: Any = ...
    def __call__(self, n: Tensor) -> Tensor: ...

class RandpermV2(_Row):
    """Return the numbers 0 to ``n - 1`` in random order."""

    seed: int = 0
    offset: int = 0
    dtype: Any = ...
    def __call__(self, n: Any) -> Tensor: ...

class Range(_Row):
    """Return ``start, start + step, ...`` below ``end``: int64 of ints, float32 otherwise."""

    maxlen: int = 1000000
    def __call__(self, start: Any, end: Any, step: Any) -> Tensor: ...

class Rank(_Row):
    """Return the number of dimensions."""
    def __call__(self, x: Tensor) -> int: ...

class ReLU(_Row):
    """Compute ``max(x, 0)``; its gradient at 0 is 0. ``inplace`` is accepted and has no
    effect.
    """
    def __call__(self, input: Tensor, inplace: bool = False) -> Tensor: ...

class ReLU6(_Of_x):
    """Compute ``min(max(x, 0), 6)``; its gradient is 0 at 0 and 1 at 6."""

class Real(_Of_input):
    """Real part of each element; of a real Tensor, the Tensor itself."""

class RealDiv(_Of_x_y):
    """Divide element by element; unlike ``div``, integers stay integers, rounded towards
    zero.
    """

class Reciprocal(_Of_input):
    """One over each element; float32 of integers."""

class ReduceAll(_Row):
    """Whether all elements over ``axis`` are true or not zero."""

    keep_dims: bool = False
    def __call__(self, input: Tensor, axis: Any = None) -> Tensor: ...

class ReduceAny(_Row):
    """Whether some element over ``axis`` is true or not zero; of uint8, 0 or 1."""

    keep_dims: bool = False
    def __call__(self, x: Tensor, axis: Any = None) -> Tensor: ...

class ReduceMax(_Of_x_axis):
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

    keep_dims: bool = False

class ReduceMean(_Of_x_axis):
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

    keep_dims: bool = False

class ReduceMin(_Of_x_axis):
    """Smallest element over ``axis``; a gradient is split evenly between equal ones."""

    keep_dims: bool = False

class ReduceProd(_Of_x_axis):
    """Product over ``axis`` in the dtype of ``x``."""

    keep_dims: bool = False

class ReduceStd(_Of_x_):
    """Return the standard deviation and the mean."""

    axis: Any = ...
    unbiased: bool = True
    keep_dims: bool = False

class ReduceSum(_Of_x_axis):
    """Sum over ``axis`` in the dtype of ``x``; with ``skip_mode``, an axis () changes
    nothing.
    """

    keep_dims: bool = False
    skip_mode: bool = False

class Renorm(_Of_input):
    """Scale down the slices along ``axis`` (``dim`` of the Primitive) of a norm above
    ``maxnorm``.
    """

    p: int | float
    dim: int
    maxnorm: float

class RepeatInterleaveTensor(_Row):
    """Repeat elements along ``axis``, or of the flattened Tensor where it is None."""
    def __call__(
        self, input: Tensor, repeats: Any, dim: int | None = None, output_size: Any = None
    ) -> Tensor: ...

class Reshape(_Row):
    """Return the elements in row-major order in another shape."""
    def __call__(self, input: Tensor, shape: _Sizes) -> Tensor: ...

class ReshapeAndCache(_LeftOutPrimitive):
    """Left out: writes keys and values to a cache in pages."""

class Reshard(_LeftOutPrimitive):
    """Left out: spreads a Tensor otherwise."""

class ResizeArea(_Row):
    """Resize images by means over what an element covers."""

    align_corners: bool = False
    def __call__(self, images: Tensor, size: _Sizes) -> Tensor: ...

class ResizeBicubic(_Row):
    """Resize images by cubic interpolation."""

    align_corners: bool = False
    half_pixel_centers: bool = False
    def __call__(self, image: Tensor, size: Any) -> Tensor: ...

class ResizeBilinearV2(_Row):
    """Resize images (N, C, H, W), linearly between the four nearest positions."""

    align_corners: bool = False
    half_pixel_centers: bool = False
    def __call__(self, image: Tensor, size: Any) -> Tensor: ...

class ResizeLinear1D(_Row):
    """Resize sequences linearly."""

    coordinate_transformation_mode: str = "align_corners"
    def __call__(self, x: Tensor, size: Any) -> Tensor: ...

class ResizeNearestNeighbor(_Of_input_x):
    """Resize images (N, C, H, W), each element that of the nearest position."""

    size: Any
    align_corners: bool = False
    half_pixel_centers: bool = False

class ResizeNearestNeighborV2(_Row):
    """Resize images by the nearest element."""

    align_corners: bool = False
    half_pixel_centers: bool = False
    def __call__(self, image: Tensor, size: Any) -> Tensor: ...

class Reusing(_Row):
    """Return the value itself."""
    def __call__(self, x: Any) -> Any: ...

class ReverseSequence(_Row):
    """Reverse the first elements of each sequence."""

    seq_dim: int
    batch_dim: int = 0
    def __call__(self, x: Tensor, seq_lengths: Tensor) -> Tensor: ...

class ReverseV2(_Of_input):
    """Reverse the order of the elements along the given dimensions (a tuple or list of
    ints).
    """

    axis: _Sizes

class RightShift(_Row):
    """Shift the bits of integers to the right, keeping the sign."""
    def __call__(self, input_x: _Operand, input_y: _Operand) -> Tensor: ...

class Rint(_Of_input):
    """Round to the nearest integer, halves to even."""

class RmsNorm(_Row):
    """Divide by the root of the mean of squares over the last dimensions, then scale."""

    epsilon: float = 1e-06
    def __call__(self, x: Tensor, gamma: Tensor) -> tuple[Tensor, Tensor]: ...

class Roll(_Of_input):
    """Shift the elements cyclically, by ``shifts`` along ``dims`` or of the flattened
    Tensor.
    """

    shifts: _Sizes
    dims: _Sizes | None = None

class RotaryPositionEmbedding(_LeftOutPrimitive):
    """Left out: rotates vectors by their places."""

class Round(_Of_input):
    """Round to ``decimals`` digits after the point, halves to even."""

class Rsqrt(_Of_input):
    """One over the square root."""

class SGD(_Row):
    """Step by gradient descent with momentum; ``stat`` is above 0 before the first step."""

    dampening: float = 0.0
    weight_decay: float = 0.0
    nesterov: bool = False
    def __call__(
        self,
        parameters: Tensor,
        gradient: Tensor,
        learning_rate: Tensor,
        accum: Tensor,
        momentum: Tensor,
        stat: Tensor,
    ) -> Sequence[Tensor]: ...

class STFT(_Row):
    """Compute Fourier transforms of windows; all arguments are those of ``stft``."""

    n_fft: int
    hop_length: int
    win_length: int
    normalized: bool
    onesided: bool
    return_complex: bool
    def __call__(self, x: Tensor, window: Tensor) -> Tensor: ...

class SampleDistortedBoundingBoxV2(_Row):
    """Draw a region of an image that shows enough of one of its objects; else, the whole
    image.
    """

    seed: int = 0
    seed2: int = 0
    aspect_ratio_range: Sequence[float] = (0.75, 1.33)
    area_range: Sequence[float] = (0.05, 1.0)
    max_attempts: int = 100
    use_image_if_no_bounding_boxes: bool = False
    def __call__(
        self, image_size: Tensor, bounding_boxes: Tensor, min_object_covered: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]: ...

class ScalarCast(_Row):
    """Convert a Python number to the Python type of a dtype."""
    def __call__(self, input_x: Any, input_y: Any) -> Any: ...

class ScalarToArray(_Row):
    """Return a Python number as a 0-d Tensor: int64 of an int, float32 of a float."""
    def __call__(self, input_x: Any) -> Tensor: ...

class ScalarToTensor(_Row):
    """Return a number as a 0-d Tensor of a dtype."""
    def __call__(self, x: Any, dtype: mstype.DType = ...) -> Tensor: ...

class ScaleAndTranslate(_Row):
    """Scale images and move them."""

    kernel_type: str = "lanczos3"
    antialias: bool = True
    def __call__(
        self, images: Tensor, size: _Sizes, scale: Tensor, translation: Tensor
    ) -> Tensor: ...

class ScatterAdd(_Of_input_x_indices_updates):
    """Add to rows, in place; returns the new values."""

    use_locking: Any = False

class ScatterAddWithAxis(_Row):
    """Write ``updates`` into a copy at the positions along ``axis`` that ``indices`` names."""

    axis: int = 0
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Any) -> Tensor: ...

class ScatterDiv(_Of_input_x_indices_updates):
    """Divide rows, in place; returns the new values."""

    use_locking: Any = False

class ScatterMax(_Of_input_x_indices_updates):
    """Keep the larger of slices and ``updates``, in place; returns the new values."""

    use_locking: Any = False

class ScatterMin(_Of_input_x_indices_updates):
    """Keep the smaller of both, in place; returns the new values."""

    use_locking: Any = False

class ScatterMul(_Of_input_x_indices_updates):
    """Multiply rows, in place; returns the new values."""

    use_locking: Any = False

class ScatterNd(_Row):
    """Add the slices of ``updates`` to zeros of ``shape``, at the rows of ``indices``."""
    def __call__(self, indices: Tensor, updates: Tensor, shape: tuple[int, ...]) -> Tensor: ...

class ScatterNdAdd(_Of_input_x_indices_updates):
    """Add to slices, in place; returns the new values."""

    use_locking: bool = False

class ScatterNdDiv(_Of_input_x_indices_updates):
    """Divide slices, in place; returns the new values."""

    use_locking: bool = False

class ScatterNdMax(_Of_input_x_indices_updates):
    """Keep the larger of slices and ``updates``, in place; returns the new values."""

    use_locking: bool = False

class ScatterNdMin(_Of_input_x_indices_updates):
    """Keep the smaller of both, in place; returns the new values."""

    use_locking: bool = False

class ScatterNdMul(_Of_input_x_indices_updates):
    """Multiply slices, in place; returns the new values."""

    use_locking: bool = False

class ScatterNdSub(_Of_input_x_indices_updates):
    """Subtract from slices, in place; returns the new values."""

    use_locking: bool = False

class ScatterNdUpdate(_Of_input_x_indices_updates):
    """Replace, in place, the slices at the rows of ``indices``; returns the new values."""

    use_locking: Any = True

class ScatterNonAliasingAdd(_LeftOutPrimitive):
    """Left out: ops.tensor_scatter_add."""

class ScatterSub(_Of_input_x_indices_updates):
    """Subtract from rows, in place; returns the new values."""

    use_locking: Any = False

class ScatterUpdate(_Of_input_x_indices_updates):
    """Replace rows of ``input_x`` in place; returns the new values."""

    use_locking: Any = True

class SeLU(_Of_input_x):
    """Compute the scaled exponential linear unit."""

class SearchSorted(_Row):
    """Return the places where ``values`` would be inserted into sorted rows."""

    dtype: Any = ...
    right: bool = False
    def __call__(
        self, sorted_sequence: Tensor, values: Tensor, sorter: Tensor | None = None
    ) -> Tensor: ...

class SegmentMax(_Of_input_x_segment_ids):
    """Reduce (max) the rows of each segment; of none, to 0 or 1."""

class SegmentMean(_Of_input_x_segment_ids):
    """Reduce (mean) the rows of each segment; of none, to 0 or 1."""

class SegmentMin(_Of_input_x_segment_ids):
    """Reduce (min) the rows of each segment; of none, to 0 or 1."""

class SegmentProd(_Of_input_x_segment_ids):
    """Reduce (prod) the rows of each segment; of none, to 0 or 1."""

class SegmentSum(_Of_input_x_segment_ids):
    """Reduce (sum) the rows of each segment; of none, to 0 or 1."""

class Select(_Row):
    """Return ``input`` where a condition holds and ``other`` elsewhere; as ``where``."""
    def __call__(self, condition: Tensor, input: _Operand, other: _Operand) -> Tensor: ...

class SelectView(_Row):
    """Return one slice of a dimension."""
    def __call__(self, input: Tensor, index: int, dim: int) -> Tensor: ...

class Shape(_Row):
    """Return the sizes of the dimensions as a tuple of ints."""
    def __call__(self, x: Tensor) -> _Sizes: ...

class SiLU(_Of_input):
    """Compute ``x * sigmoid(x)``."""

class Sigmoid(_Of_input):
    """``1 / (1 + exp(-x))``."""

class SigmoidCrossEntropyWithLogits(_Row):
    """Return the cross entropy of the sigmoid of each element and a label in [0, 1]."""
    def __call__(self, logits: Tensor, label: Tensor) -> Tensor: ...

class Sign(_Of_input):
    """-1, 0 or 1 by the sign of each element; 0 of nan."""

class Sin(_Of_input):
    """Sine of each element, in radians."""

class Sinc(_Of_input):
    """Compute ``sin(pi x) / (pi x)`` of each element, 1 at 0; float32 of integers."""

class Sinh(_Of_input):
    """Hyperbolic sine of each element."""

class Size(_Row):
    """Return the number of elements."""
    def __call__(self, input_x: Tensor) -> int: ...

class Slice(_Row):
    """Return ``size[i]`` elements of dimension ``i`` from ``begin[i]`` on; -1 takes the
    rest.
    """
    def __call__(self, input: Tensor, begin: _Sizes, size: _Sizes) -> Tensor: ...

class SliceExt(_Row):
    """Return the elements ``start:end:step`` of a dimension, as a view."""
    def __call__(self, input: Tensor, dim: int, start: int, end: int, step: int) -> Tensor: ...

class SliceGetItem(_LeftOutPrimitive):
    """Left out: an index of a slice."""

class SmoothL1Loss(_Row):
    """Compute a loss that is quadratic below ``beta`` and linear above."""

    beta: float = 1.0
    reduction: str = "none"
    def __call__(self, prediction: Tensor, target: Tensor) -> Tensor: ...

class SoftMarginLoss(_Row):
    """Compute ``log(1 + exp(-target * input))``; the target is 1 or -1."""

    reduction: str = "mean"
    def __call__(self, input: Tensor, target: Tensor) -> Tensor: ...

class SoftShrink(_Of_input):
    """Bring elements nearer to 0 by ``lambd``; those within become 0."""

    lambd: float = 0.5

class Softmax(_Of_input):
    """Compute exponentials that sum to 1 along ``axis``."""

    axis: int = -1

class SoftmaxCrossEntropyWithLogits(_Row):
    """Return the cross entropy of the softmax of each row, and its gradient."""
    def __call__(self, logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]: ...

class Softplus(_Row):
    """Compute ``log(1 + exp(x))``."""
    def __call__(self, input: Tensor, beta: _Operand = 1, threshold: float = 20) -> Tensor: ...

class Softsign(_Of_x):
    """Compute ``x / (1 + abs(x))``."""

class Sort(_Row):
    """Sort along ``axis``, equal elements in their order."""

    axis: int = -1
    descending: bool = False
    def __call__(self, input_x: Tensor) -> tuple[Tensor, Tensor]: ...

class SortExt(_Row):
    """Sort along ``axis``, equal elements in their order."""
    def __call__(
        self, input: Tensor, dim: int = -1, descending: bool = False, stable: Any = False
    ) -> tuple[Tensor, Tensor]: ...

class SpaceToBatch(_LeftOutPrimitive):
    """Left out: moves blocks of space into the batch; use ops.space_to_batch_nd."""

class SpaceToBatchND(_Of_input_x):
    """Cut the last dimensions into blocks, and put the places in a block into the batch."""

    block_shape: Any
    paddings: Any

class SpaceToDepth(_Of_x):
    """Move blocks of space (N, C, H * r, W * r) into channels: (N, C * r**2, H, W)."""

    block_size: int

class SparseApplyAdadelta(_LeftOutPrimitive):
    """Left out: a step of Adadelta in some rows; use ApplyAdadelta."""

class SparseApplyAdagrad(_Row):
    """Step by Adagrad in the rows of the indices."""

    lr: float
    update_slots: bool = True
    use_locking: Any = False
    def __call__(
        self, var: Tensor, accum: Tensor, grad: Tensor, indices: Tensor
    ) -> Sequence[Tensor]: ...

class SparseApplyAdagradV2(_Row):
    """Step by Adagrad in the rows of the indices, with a number added under the root."""

    lr: float
    epsilon: float
    use_locking: Any = False
    update_slots: bool = True
    def __call__(
        self, var: Tensor, accum: Tensor, grad: Tensor, indices: Tensor
    ) -> Sequence[Tensor]: ...

class SparseApplyFtrl(_Row):
    """Step by FTRL in the rows of the indices."""

    lr: float
    l1: float
    l2: float
    lr_power: float
    use_locking: Any = False
    def __call__(
        self, var: Tensor, accum: Tensor, linear: Tensor, grad: Tensor, indices: Tensor
    ) -> Sequence[Tensor]: ...

class SparseApplyFtrlV2(_LeftOutPrimitive):
    """Left out: a step of FTRL in some rows; use SparseApplyFtrl."""

class SparseApplyProximalAdagrad(_LeftOutPrimitive):
    """Left out: a step of Adagrad in some rows; use FusedSparseProximalAdagrad."""

class SparseApplyRMSProp(_Row):
    """Step by RMSProp in the rows of the indices."""

    rho: float
    momentum: float
    epsilon: float
    use_locking: Any = False
    def __call__(
        self,
        var: Tensor,
        mean_square: Tensor,
        moment: Tensor,
        lr: _Operand,
        grad: Tensor,
        indices: Tensor,
    ) -> Sequence[Tensor]: ...

class SparseGatherV2(_LeftOutPrimitive):
    """Left out: rows of a table of parameters; use ops.gather."""

class SparseSlice(_Row):
    """Return a region of a sparse Tensor: its places, values and shape."""
    def __call__(
        self, indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]: ...

class SparseSoftmaxCrossEntropyWithLogits(_Row):
    """Return the mean cross entropy of the softmax of each row, or its gradient."""

    is_grad: bool = False
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...

class SparseTensorDenseAdd(_Row):
    """Add a sparse Tensor to a dense one."""
    def __call__(
        self, x1_indices: Tensor, x1_values: Tensor, x1_shape: tuple[int, ...], x2: Tensor
    ) -> Tensor: ...

class SparseTensorDenseMatmul(_Row):
    """Compute the product of a sparse matrix and a dense one."""

    adjoint_st: bool = False
    adjoint_dt: bool = False
    def __call__(
        self, indices: Tensor, values: Tensor, sparse_shape: tuple[int, ...], dense: Tensor
    ) -> Tensor: ...

class SparseToDense(_Row):
    """Return the Tensor with given values in given places, and zeros elsewhere."""
    def __call__(
        self, indices: Tensor, values: Tensor, sparse_shape: tuple[int, ...]
    ) -> Tensor: ...

class Split(_Row):
    """Cut a Tensor along ``axis`` into equal pieces."""

    axis: int = 0
    output_num: int = 1
    def __call__(self, input_x: Tensor) -> tuple[Tensor, ...]: ...

class SplitV(_LeftOutPrimitive):
    """Left out: ops.split."""

class SplitWithSize(_Row):
    """Cut a Tensor along ``axis`` into pieces of a size (the last may be shorter) or of
    sizes.
    """
    def __call__(
        self,
        tensor: Tensor,
        split_size_or_sections: int | Sequence[int] | None = None,
        axis: int = 0,
        output_num: int | None = None,
    ) -> tuple[Tensor, ...]: ...

class Sqrt(_Of_x):
    """Square root; float32 of integers."""

class Square(_Of_input):
    """Square of each element."""

class SquareSumAll(_Row):
    """Return the sum of the squares of each of two Tensors."""
    def __call__(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]: ...

class SquaredDifference(_Of_x_y):
    """Square of the difference, element by element; of its absolute value where it is
    complex.
    """

class Squeeze(_Of_input):
    """Drop dimensions of size 1: all, or those in ``axis`` (an axis of another size is
    kept).
    """

    axis: Any = ()

class Stack(_Row):
    """Join Tensors of one shape and dtype along a new dimension."""

    axis: int = 0
    def __call__(self, tensors: Sequence[Tensor]) -> Tensor: ...

class StackExt(_Row):
    """Join Tensors of one shape and dtype along a new dimension."""

    dim: int = 0
    def __call__(self, tensors: Sequence[Tensor]) -> Tensor: ...

class StandardLaplace(_Row):
    """Return numbers of the Laplace distribution of mean 0 and scale 1, float32."""

    seed: int | None = 0
    seed2: Any = 0
    def __call__(self, shape: Any) -> Tensor: ...

class StandardNormal(_Row):
    """Return standard normal numbers, float32."""

    seed: int | None = 0
    seed2: Any = 0
    def __call__(self, shape: Any) -> Tensor: ...

class StopGradient(_Row):
    """Return the value with gradient zero."""
    def __call__(self, x: Any) -> Any: ...

class StridedSlice(_Row):
    """Return ``x[begin[0]:end[0]:strides[0], ...]``; bit ``i`` of a mask is about dimension
    ``i``.
    """

    begin_mask: int = 0
    end_mask: int = 0
    ellipsis_mask: int = 0
    new_axis_mask: int = 0
    shrink_axis_mask: int = 0
    def __call__(self, input_x: Tensor, begin: _Sizes, end: _Sizes, strides: _Sizes) -> Tensor: ...

class Sub(_Of_input_other):
    """Subtract element by element with broadcasting; two bools give where they differ."""

class SubAndFilter(_Row):
    """Subtract ``offset`` and keep what lies in [0, max_num); also where it stood."""
    def __call__(
        self, input_x: Tensor, max_num: Tensor | int, offset: Tensor | int
    ) -> tuple[Tensor, Tensor]: ...

class SubExt(_Row):
    """Compute ``input - alpha * other``, element by element with broadcasting."""
    def __call__(self, input: Any, other: Any, alpha: Any = 1) -> Tensor: ...

class SumExt(_Row):
    """Sum over ``dim``; bools, signed integers and uint8 give int64."""
    def __call__(
        self, input: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None
    ) -> Tensor: ...

class Svd(_Row):
    """Return singular values and vectors; see ``ops.svd``."""

    full_matrices: bool = False
    compute_uv: bool = True
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class Swiglu(_LeftOutPrimitive):
    """Left out: SiLU of one half times the other."""

class TCPStore(_LeftOutPrimitive):
    """Left out: where processes meet."""

class Tan(_Of_input):
    """Tangent of each element, in radians."""

class Tanh(_Of_input):
    """Hyperbolic tangent of each element."""

class TensorAdd(_Of_input_other):
    """Add element by element with broadcasting; two bools give their logical or."""

class TensorScatterAdd(_Of_input_x_indices_updates):
    """Add to slices, in a copy."""

class TensorScatterDiv(_Of_input_x_indices_updates):
    """Divide slices, in a copy."""

class TensorScatterElements(_Row):
    """Write ``updates`` into a copy at the positions along ``axis`` that ``indices`` names."""

    axis: int = 0
    reduction: str = "none"
    def __call__(self, data: Tensor, indices: Tensor, updates: Any) -> Tensor: ...

class TensorScatterMax(_Of_input_x_indices_updates):
    """Take the larger of slices and ``updates``, in a copy."""

class TensorScatterMin(_Of_input_x_indices_updates):
    """Take the smaller of slices and ``updates``, in a copy."""

class TensorScatterMul(_Of_input_x_indices_updates):
    """Multiply slices, in a copy."""

class TensorScatterSub(_Of_input_x_indices_updates):
    """Subtract from slices, in a copy."""

class TensorScatterUpdate(_Of_input_x_indices_updates):
    """Replace slices, in a copy."""

class TensorShape(_Of_input_x):
    """Return the sizes of the dimensions as an int64 Tensor."""

class TensorToTuple(_Row):
    """Return the elements of a 1-D Tensor as a tuple of numbers."""
    def __call__(self, x: Tensor) -> tuple[Any, ...]: ...

class Tile(_Row):
    """Repeat the whole Tensor ``dims[i]`` times along dimension ``i``."""
    def __call__(self, input: Tensor, dims: _Sizes) -> Tensor: ...

class TopK(_Row):
    """Return the ``k`` largest elements of the last dimension and their positions; as
    ``topk``.
    """

    sorted: bool = True
    def __call__(self, input_x: Tensor, k: int) -> tuple[Tensor, Tensor]: ...

class TopkExt(_Row):
    """Return the ``k`` largest (or smallest) elements along ``dim``, in order."""
    def __call__(
        self,
        input: Tensor,
        k: int,
        dim: int | None = None,
        largest: bool = True,
        sorted: bool = True,
    ) -> tuple[Tensor, Tensor]: ...

class Trace(_Of_input):
    """Sum of the main diagonal of a matrix."""

class Transpose(_Row):
    """Permute the dimensions: dimension ``i`` of the view is dimension ``dims[i]`` of
    ``input``.
    """
    def __call__(self, input: Tensor, dims: _Sizes) -> Tensor: ...

class TransposeExtView(_Row):
    """Exchange two dimensions, as a view."""
    def __call__(self, input: Tensor, dim0: int, dim1: int) -> Tensor: ...

class TransposeView(_Row):
    """Permute the dimensions: dimension ``i`` of the view is dimension ``dims[i]`` of
    ``input``.
    """
    def __call__(self, input: Tensor, input_perm: _Sizes) -> Tensor: ...

class TridiagonalMatMul(_Row):
    """Multiply matrices of three diagonals by ``rhs``."""
    def __call__(
        self, superdiag: Tensor, maindiag: Tensor, subdiag: Tensor, rhs: Tensor
    ) -> Tensor: ...

class Tril(_Of_input):
    """Zero the elements above a diagonal of the last two dimensions."""

    diagonal: int = 0

class TrilExt(_Row):
    """Zero the elements above a diagonal of the last two dimensions."""
    def __call__(self, input: Tensor, diagonal: int = 0) -> Tensor: ...

class TrilIndices(_Row):
    """Return the places of the lower triangle of a matrix (row, col)."""

    row: int
    col: int
    offset: int = 0
    dtype: mstype.DType = ...
    def __call__(self) -> Tensor: ...

class TripletMarginLoss(_LeftOutPrimitive):
    """Left out: a loss of three vectors; compose it of ops.norm and ops.relu."""

class Triu(_Of_input):
    """Zero the elements below a diagonal of the last two dimensions."""

    diagonal: int = 0

class TriuIndices(_Row):
    """Return the places of the upper triangle of a matrix (row, col)."""

    row: int
    col: int
    offset: int = 0
    dtype: mstype.DType = ...
    def __call__(self) -> Tensor: ...

class Trunc(_Of_input):
    """Round towards 0; integers and bools stay as they are."""

class TruncateDiv(_Of_x_y):
    """Divide and round towards zero; an integer over zero gives its type's limit."""

class TruncateMod(_Of_input_other):
    """Remainder as ``fmod`` has it, but exact, and of an integer by 0 it is 0."""

class TruncatedNormal(_Row):
    """Return standard normal numbers between -2 and 2."""

    dtype: Any = ...
    seed: int = 0
    seed2: Any = 0
    def __call__(self, shape: Tensor) -> Tensor: ...

class TupleToArray(_Row):
    """Return a tuple (or range) of ints (int32) or floats (float32) as a 1-D Tensor."""
    def __call__(self, input_x: tuple[Any, ...] | builtins.range) -> Tensor: ...

class UniformCandidateSampler(_Row):
    """Draw classes, all with one probability."""

    num_true: int
    num_sampled: int
    unique: bool
    range_max: int
    seed: int = 0
    remove_accidental_hits: bool = False
    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class UniformInt(_Row):
    """Draw int32 numbers from ``minval`` up to, and without, ``maxval``."""

    seed: int = 0
    seed2: int = 0
    def __call__(self, shape: Any, minval: Any, maxval: Any) -> Tensor: ...

class UniformReal(_Row):
    """Return numbers uniform on [0, 1); see ``randn`` for the arguments."""

    seed: int | None = 0
    seed2: Any = 0
    def __call__(self, *size: Any) -> Tensor: ...

class Unique(_Of_x_):
    """Return the distinct elements of a 1-D Tensor, and where each stands; as ``unique``."""

class UniqueConsecutive(_Row):
    """Return the elements, each run of equal ones as one, where each went and how long runs
    are.
    """

    return_inverse: bool = False
    return_counts: bool = False
    dim: int | None = None
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class UniqueWithPad(_Row):
    """Return the distinct elements of a 1-D Tensor, filled up to its size with ``pad_num``."""
    def __call__(self, x: Tensor, pad_num: Any) -> tuple[Tensor, Tensor]: ...

class Unpack(_Row):
    """Return the slices along a dimension, without it, as a tuple of views."""

    axis: int = 0
    def __call__(self, input_x: Tensor) -> tuple[Tensor, ...]: ...

class UnravelIndex(_Row):
    """Return the coordinates, one row for each dimension, of flat positions."""
    def __call__(self, indices: Tensor, dims: Tensor) -> Tensor: ...

class UnsortedSegmentMax(_Row):
    """Return the largest of the rows that share a segment."""
    def __call__(self, x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class UnsortedSegmentMin(_Row):
    """Return the smallest of the rows that share a segment."""
    def __call__(self, x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class UnsortedSegmentProd(_Row):
    """Return the product of the rows that share a segment."""
    def __call__(self, x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class UnsortedSegmentSum(_Row):
    """Return the sum of the rows that share a segment."""
    def __call__(self, input_x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class Unstack(_Row):
    """Return the slices along a dimension, without it, as a tuple of views."""

    axis: int = 0
    num: Any = None
    def __call__(self, input_x: Tensor) -> tuple[Tensor, ...]: ...

class UpdateState(_LeftOutPrimitive):
    """Left out: orders side effects."""

class UpperBound(_Row):
    """Return where values would be inserted into sorted rows, after equal ones."""

    out_type: Any = ...
    def __call__(self, sorted_x: Tensor, values: Tensor) -> Tensor: ...

class UpsampleNearest3D(_Row):
    """Resize volumes by the nearest element."""
    def __call__(self, x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor: ...

class UpsampleTrilinear3D(_Row):
    """Resize volumes linearly."""

    align_corners: bool = False
    def __call__(self, x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor: ...

class WeightQuantBatchMatmul(_LeftOutPrimitive):
    """Left out: a product with weights of few bits."""

class Xdivy(_Of_x_y):
    """Divide element by element, and 0 where ``x`` is 0."""

class Xlogy(_Of_input_other):
    """``input * log(other)``, and of real numbers 0 where ``input`` is 0; a number is
    float32.
    """

class Zeros(_Row):
    """Return a Tensor of zeros; see ``ones``."""
    def __call__(self, size: Any, dtype: mstype.DType | None = None) -> Tensor: ...

class ZerosLike(_Of_x):
    """Return zeros of the shape and, by default, the dtype of ``input``."""

class ZerosLikeExt(_Row):
    """Return zeros of the shape and, by default, the dtype of ``input``."""
    def __call__(self, input: Tensor, dtype: mstype.DType | None = None) -> Tensor: ...

class Zeta(_Of_input_other):
    """Compute the Hurwitz zeta function: the sum of ``(k + other) ** -input`` over k."""

def abs(input: Tensor) -> Tensor:
    """Size of each element."""

def accumulate_n(x: Sequence[Tensor]) -> Tensor:
    """Add a tuple or list of Tensors of one shape and dtype."""

def acos(input: Tensor) -> Tensor:
    """Inverse cosine of each element, in radians."""

def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Compute means of ``output_size`` equal parts of the last dimension of (N, C, L)."""

def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows chosen so that the output has a given size."""

class adaptive_avg_pool2d_ext(_LeftOut):
    """Left out: use ops.adaptive_avg_pool2d."""

def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows of (N, C, D, H, W) or (C, D, H, W); see
    ``adaptive_avg_pool2d``.
    """

def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Compute maxima of ``output_size`` equal parts; see ``adaptive_avg_pool1d``."""

def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows chosen so that the output has a given size."""

def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows chosen so that the output has a given size."""

def add(input: _Operand, other: _Operand) -> Tensor:
    """Add element by element with broadcasting; two bools give their logical or."""

def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Accept compiler flags for a function or Cell, which have no effect; gives it back."""

class add_layer_norm(_LeftOut):
    """Left out: an addition, then layer_norm."""

class add_rms_norm(_LeftOut):
    """Left out: an addition, then rms_norm."""

def addbmm(
    input: _Operand, batch1: Tensor, batch2: Tensor, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * sum(batch1 @ batch2)`` over the batch; ``input`` may be a
    number.
    """

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: _Operand = 1) -> Tensor:
    """``input + value * tensor1 / tensor2``, element by element."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: _Operand = 1) -> Tensor:
    """``input + value * tensor1 * tensor2``, element by element."""

def addmm(
    input: _Operand, mat1: Tensor, mat2: Tensor, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * (mat1 @ mat2)`` of matrices; ``input`` may be a number."""

def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * (mat @ vec)`` of a matrix and a vector."""

def addr(
    x: Tensor, vec1: Tensor, vec2: Tensor, *, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """Compute ``beta * x + alpha * outer(vec1, vec2)``."""

def adjoint(x: Tensor) -> Tensor:
    """Exchange the last two dimensions and take the complex conjugate."""

def affine_grid(theta: Tensor, size: tuple[int, ...], align_corners: bool = False) -> Tensor:
    """Return the grid on which ``grid_sample`` applies affine maps to images."""

def all(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    """Whether all elements over ``axis`` are true or not zero."""

def all_gather(tensor_list: Any, tensor: Tensor, group: Any = None, async_op: bool = False) -> Any:
    """Write the Tensors of all processes into those of a list."""

def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: Any = None, async_op: bool = False
) -> Any:
    """Write what all processes have, joined along the first axis, into a Tensor."""

def all_gather_into_tensor_uneven(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Any = None,
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Write what all processes have, joined along the first axis, into a Tensor."""

class all_gather_matmul(_LeftOut):
    """Left out: gathers, then multiplies."""

def all_gather_object(object_list: Any, obj: Any, group: Any = None) -> None:
    """Put the objects of all processes into a list."""

def all_reduce(tensor: Tensor, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Replace a Tensor by the sum, or what ``op`` says, of those of all processes."""

def all_to_all(
    output_tensor_list: Any, input_tensor_list: Any, group: Any = None, async_op: Any = False
) -> Any:
    """Write the Tensors that the processes have for this one into those of a list."""

def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Write the parts that the processes have for this one, joined, into a Tensor."""

def all_to_all_v_c(
    output: Tensor, input: Tensor, send_count_matrix: Any, group: Any = None, async_op: bool = False
) -> Any:
    """Write the parts for this one, joined, into a Tensor; sizes are what each sends to
    each.
    """

def amax(
    input: Tensor,
    axis: Any = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> Tensor:
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

def amin(
    input: Tensor,
    axis: Any = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> Tensor:
    """Smallest element over ``axis``; see ``amax``."""

def aminmax(input: Any, *, axis: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Smallest and largest elements along ``axis``, not counting nan; without one, of all."""

def angle(input: Tensor) -> Tensor:
    """Compute the angle of complex numbers, in radians."""

def any(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    """Whether some element over ``axis`` is true or not zero; of uint8, 0 or 1."""

class apply_rotary_pos_emb_(_LeftOut):
    """Left out: rotates queries and keys by their places."""

def approximate_equal(x: _Operand, y: _Operand, tolerance: float = 1e-05) -> Tensor:
    """Whether elements differ by less than a tolerance."""

def arange(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return ``start, start + step, ...`` below ``end``."""

def arcsin(input: Tensor) -> Tensor:
    """Inverse sine of each element, in radians."""

def arcsinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def arctan(input: Tensor) -> Tensor:
    """Inverse tangent of each element, in radians."""

def arctan2(input: _Operand, other: _Operand) -> Tensor:
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

class array_reduce(_LeftOut):
    """Left out: reduces an array."""

def array_to_scalar(x: Tensor) -> Any:
    """Return the number that a Tensor of one element holds."""

def assign(variable: Any, value: Any) -> Tensor:
    """Replace the values of a Parameter, in place."""

def assign_add(variable: Any, value: Any) -> Tensor:
    """Add to the values of a Parameter, in place; see ``assign``. Shapes () and (1,) mix."""

def assign_sub(variable: Any, value: Any) -> Tensor:
    """Subtract from the values of a Parameter, in place; see ``assign_add``."""

def atleast_1d(inputs: Any) -> Any:
    """Give Tensors of fewer than 1 dimensions new ones of size 1."""

def atleast_2d(inputs: Any) -> Any:
    """Give Tensors of fewer than 2 dimensions new ones of size 1."""

def atleast_3d(inputs: Any) -> Any:
    """Give Tensors of fewer than 3 dimensions new ones of size 1."""

def augassign_add(*args: Any) -> Any:
    """A function with one implementation for each combination of argument types."""

def augassign_div(*args: Any) -> Any:
    """A function with one implementation for each combination of argument types."""

def augassign_floordiv(*args: Any) -> Any:
    """A function with one implementation for each combination of argument types."""

def augassign_mod(*args: Any) -> Any:
    """A function with one implementation for each combination of argument types."""

def augassign_mul(*args: Any) -> Any:
    """A function with one implementation for each combination of argument types."""

def augassign_sub(*args: Any) -> Any:
    """A function with one implementation for each combination of argument types."""

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
    input: Tensor, batch1: Tensor, batch2: Tensor, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""

def baddbmm_ext(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: _Operand = 1, alpha: _Operand = 1
) -> Tensor:
    """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""

def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """Wait for all processes of a group."""

def bartlett_window(
    window_length: Tensor, periodic: bool = True, *, dtype: mstype.DType = ...
) -> Tensor:
    """Return the Bartlett window, float32 by default."""

def batch_dot(x1: Tensor, x2: Tensor, axes: Any = None) -> Tensor:
    """Contract one dimension of each of two batches."""

def batch_isend_irecv(p2p_op_list: list) -> list[CommHandle]:
    """Send and receive Tensors of one dtype, all of them at once; return a list of one
    handle.
    """

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

def batch_to_space_nd(input_x: Tensor, block_shape: Any, crops: Any) -> Tensor:
    """Put parts of the batch between the elements of the last dimensions."""

def bernoulli(input: Tensor, p: Any = 0.5, seed: int | None = None) -> Tensor:
    """Return ones with probability ``p`` (number or Tensor) and zeros, in the shape of
    ``input``.
    """

class bernoulli_(_LeftOut):
    """Left out: ops.bernoulli."""

def bernoulli_ext(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 0 or 1, with the elements as the probabilities of 1."""

def bessel_i0(x: Tensor) -> Tensor:
    """Compute the Bessel function i0 of each element."""

def bessel_i0e(x: Tensor) -> Tensor:
    """Compute the Bessel function i0e of each element."""

def bessel_i1(x: Tensor) -> Tensor:
    """Compute the Bessel function i1 of each element."""

def bessel_i1e(x: Tensor) -> Tensor:
    """Compute the Bessel function i1e of each element."""

def bessel_j0(x: Tensor) -> Tensor:
    """Compute the Bessel function j0 of each element."""

def bessel_j1(x: Tensor) -> Tensor:
    """Compute the Bessel function j1 of each element."""

def bessel_k0(x: Tensor) -> Tensor:
    """Compute the Bessel function k0 of each element."""

def bessel_k0e(x: Tensor) -> Tensor:
    """Compute the Bessel function k0e of each element."""

def bessel_k1(x: Tensor) -> Tensor:
    """Compute the Bessel function k1 of each element."""

def bessel_k1e(x: Tensor) -> Tensor:
    """Compute the Bessel function k1e of each element."""

def bessel_y0(x: Tensor) -> Tensor:
    """Compute the Bessel function y0 of each element."""

def bessel_y1(x: Tensor) -> Tensor:
    """Compute the Bessel function y1 of each element."""

def bias_add(input_x: Tensor, bias: Tensor) -> Tensor:
    """Add a bias (C,) along the second dimension of (N, C, ...)."""

def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Compute ``input1 @ weight[k] @ input2`` for each k, plus ``bias``."""

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

def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count how often each number occurs, or sum the weights where it does."""

def bitwise_and(input: _Operand, other: _Operand) -> Tensor:
    """And of the bits of two integers or bools."""

def bitwise_left_shift(input: _Operand, other: _Operand) -> Tensor:
    """Shift the bits of integers to the left."""

def bitwise_or(input: _Operand, other: _Operand) -> Tensor:
    """Or of the bits of two integers or bools."""

def bitwise_right_shift(input: _Operand, other: _Operand) -> Tensor:
    """Shift the bits of integers to the right, keeping the sign."""

def bitwise_xor(input: _Operand, other: _Operand) -> Tensor:
    """Exclusive or of the bits of two integers or bools."""

def blackman_window(
    window_length: Tensor, periodic: bool = True, *, dtype: mstype.DType = ...
) -> Tensor:
    """Return the Blackman window, float32 by default."""

def block_diag(*inputs: Tensor) -> Tensor:
    """Return the matrix with the given ones (or rows) along its diagonal, and zeros
    elsewhere.
    """

def bmm(
    input_x: Tensor, mat2: Tensor, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""

def bool_and(x: Any, y: Any) -> Any:
    """Whether both are true."""

def bool_eq(a: Any, b: Any, /) -> Any:
    """Whether two bools are equal."""

def bool_not(x: Any) -> Tensor:
    """Return the opposite of a bool, as a 0-d bool Tensor."""

def bool_or(x: Any, y: Any) -> Any:
    """Whether one is true."""

def bounding_box_decode(
    anchor_box: Tensor,
    deltas: Tensor,
    max_shape: tuple[int, ...],
    means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: float = 0.016,
) -> Tensor:
    """Return the boxes that ``bounding_box_encode`` coded, cut off at the edges of an image."""

def bounding_box_encode(
    anchor_box: Tensor,
    groundtruth_box: Tensor,
    means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
) -> Tensor:
    """Code boxes by how they differ from anchors: where the center is, and the logarithms of
    sizes.
    """

def broadcast(tensor: Tensor, src: int, group: Any = None, async_op: bool = False) -> Any:
    """Replace a Tensor by that of the process ``src``."""

def broadcast_gradient_args(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[Any, Any]:
    """Return, for two shapes that broadcast, the dimensions along which each is repeated."""

def broadcast_object_list(
    object_list: list, src: int = 0, group: Any = None, device: Any = None
) -> None:
    """Replace the objects of a list by those of the process ``src``."""

def broadcast_to(input: Tensor, shape: _Sizes) -> Tensor:
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size."""

def bucketize(input: Tensor, boundaries: Any, *, right: bool = False) -> Tensor:
    """Return the number of the interval that each element lies in: int32."""

def cartesian_prod(*inputs: Tensor) -> Tensor:
    """Return every choice of one element of each 1-D Tensor, as rows."""

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

def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """Deal the channels of (N, C, ...) out to ``groups``, one after another."""

def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """Whether boxes lie within an image."""

def choice_with_mask(
    input_x: Tensor, count: int = 256, seed: int | None = None
) -> tuple[Tensor, Tensor]:
    """Return places of elements that are True, in random order."""

def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """Factor positive definite matrices (..., N, N) into ``L @ L^H``; ``upper`` gives L^H."""

def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """Invert matrices whose Cholesky factor, the ``upper`` or the lower one, is given."""

def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """Solve ``A @ x = input`` where ``input2`` is the Cholesky factor of A."""

def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into at most ``chunks`` equal pieces, the last smaller."""

def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""

class clamp_(_LeftOut):
    """Left out: ops.clamp."""

def clip_by_global_norm(x: Any, clip_norm: Any = 1.0, use_norm: Any = None) -> Any:
    """Scale by ``clip_norm / max(norm, clip_norm)``, with the 2-norm over all Tensors."""

def clip_by_norm(
    x: Any, max_norm: float | Tensor, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Any:
    """Scale down by ``min(max_norm / (norm + 1e-6), 1)``, with the norm over all Tensors."""

def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """Clip to [clip_value_min, clip_value_max], the upper bound last."""

def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Add up the values that stand in one place, and order the places."""

def col2im(
    input_x: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any,
    padding_value: Any = 0,
    stride: Any = 1,
    padding: Any = 0,
) -> Tensor:
    """Add up columns where they lie in images; see ``fold``."""

def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the second dimension; those of one dimension are columns."""

def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Return every choice of ``r`` elements of a 1-D Tensor, as rows."""

def cond(A: Tensor, p: Any = None) -> Tensor:
    """Return the condition numbers of matrices: the norm times that of the inverse."""

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
    padding: _Sizes = 0,
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
    padding: _Sizes = 0,
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
    padding: _Sizes = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve volumes: ``conv2d`` on Tensors (N, C, D, H, W) and (C_out, C / groups, ...)."""

def conv3d_transpose(
    inputs: Tensor,
    weight: Tensor,
    pad_mode: Any = "valid",
    padding: Any = 0,
    stride: _Window = 1,
    dilation: _Window = 1,
    group: int = 1,
    output_padding: Any = 0,
) -> Tensor:
    """Transpose a convolution of volumes."""

class conv_transpose2d(_LeftOut):
    """Left out: a transposed convolution; use mindspore.nn.Conv2dTranspose."""

class coo2csr(_LeftOut):
    """Left out: a.to_csr()."""

def coo_abs(x: Any) -> Any:
    """Compute ``abs`` of the values of a sparse matrix."""

def coo_acos(x: Any) -> Any:
    """Compute ``acos`` of the values of a sparse matrix."""

def coo_acosh(x: Any) -> Any:
    """Compute ``acosh`` of the values of a sparse matrix."""

def coo_add(x1: COOTensor, x2: COOTensor, thresh: Tensor) -> COOTensor:
    """Add two sparse matrices; see ``COOTensor.add``."""

def coo_asin(x: Any) -> Any:
    """Compute ``asin`` of the values of a sparse matrix."""

def coo_asinh(x: Any) -> Any:
    """Compute ``asinh`` of the values of a sparse matrix."""

def coo_atan(x: Any) -> Any:
    """Compute ``atan`` of the values of a sparse matrix."""

def coo_atanh(x: Any) -> Any:
    """Compute ``atanh`` of the values of a sparse matrix."""

def coo_ceil(x: Any) -> Any:
    """Compute ``ceil`` of the values of a sparse matrix."""

def coo_concat(sp_input: Any, concat_dim: int | None = 0) -> COOTensor:
    """Return several sparse matrices one after another, elements by row and column."""

def coo_cos(x: Any) -> Any:
    """Compute ``cos`` of the values of a sparse matrix."""

def coo_cosh(x: Any) -> Any:
    """Compute ``cosh`` of the values of a sparse matrix."""

def coo_exp(x: Any) -> Any:
    """Compute ``exp`` of the values of a sparse matrix."""

def coo_expm1(x: Any) -> Any:
    """Compute ``expm1`` of the values of a sparse matrix."""

def coo_floor(x: Any) -> Any:
    """Compute ``floor`` of the values of a sparse matrix."""

def coo_inv(x: Any) -> Any:
    """Compute ``inv`` of the values of a sparse matrix."""

def coo_isfinite(x: Any) -> Any:
    """Compute ``isfinite`` of the values of a sparse matrix."""

def coo_isinf(x: Any) -> Any:
    """Compute ``isinf`` of the values of a sparse matrix."""

def coo_isnan(x: Any) -> Any:
    """Compute ``isnan`` of the values of a sparse matrix."""

def coo_log(x: Any) -> Any:
    """Compute ``log`` of the values of a sparse matrix."""

def coo_log1p(x: Any) -> Any:
    """Compute ``log1p`` of the values of a sparse matrix."""

def coo_neg(x: Any) -> Any:
    """Compute ``neg`` of the values of a sparse matrix."""

def coo_relu(x: Any) -> Any:
    """Compute ``relu`` of the values of a sparse matrix."""

def coo_relu6(x: Any) -> Any:
    """Compute ``relu6`` of the values of a sparse matrix."""

def coo_round(x: Any) -> Any:
    """Compute ``round`` of the values of a sparse matrix."""

def coo_sigmoid(x: Any) -> Any:
    """Compute ``sigmoid`` of the values of a sparse matrix."""

def coo_sin(x: Any) -> Any:
    """Compute ``sin`` of the values of a sparse matrix."""

def coo_sinh(x: Any) -> Any:
    """Compute ``sinh`` of the values of a sparse matrix."""

def coo_softsign(x: Any) -> Any:
    """Compute ``softsign`` of the values of a sparse matrix."""

def coo_sqrt(x: Any) -> Any:
    """Compute ``sqrt`` of the values of a sparse matrix."""

def coo_square(x: Any) -> Any:
    """Compute ``square`` of the values of a sparse matrix."""

def coo_tan(x: Any) -> Any:
    """Compute ``tan`` of the values of a sparse matrix."""

def coo_tanh(x: Any) -> Any:
    """Compute ``tanh`` of the values of a sparse matrix."""

def coo_tensor_get_dense_shape(tensor: Any) -> Any:
    """Return the shape of a ``COOTensor``."""

def coo_tensor_get_indices(tensor: Any) -> Any:
    """Return the indices of a ``COOTensor``."""

def coo_tensor_get_values(tensor: Any) -> Any:
    """Return the values of a ``COOTensor``."""

def copysign(input: _Operand, other: _Operand) -> Tensor:
    """The size of ``input`` with the sign of ``other``; float32 but for float16 and 64."""

def cos(input: Tensor) -> Tensor:
    """Cosine of each element, in radians."""

def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine of each element."""

def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Compute 1 - the cosine where the target is 1, and what it has above a margin where it
    is -1.
    """

def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    """Cosine of the angle between vectors along ``dim``; norms count as at least ``eps``."""

def count_nonzero(x: Tensor, axis: Any = (), keep_dims: bool = False, dtype: Any = ...) -> Tensor:
    """How many elements over ``axis`` are not zero, in ``dtype``."""

def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Return the covariance of variables, each a row of observations."""

def crop_and_resize(
    image: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: tuple[int, ...],
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:
    """Cut regions out of images and resize them to one size."""

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

class csr2coo(_LeftOut):
    """Left out: a.to_coo()."""

def csr_abs(x: Any) -> Any:
    """Compute ``abs`` of the values of a sparse matrix."""

def csr_acos(x: Any) -> Any:
    """Compute ``acos`` of the values of a sparse matrix."""

def csr_acosh(x: Any) -> Any:
    """Compute ``acosh`` of the values of a sparse matrix."""

def csr_add(a: CSRTensor, b: CSRTensor, alpha: Tensor, beta: Tensor) -> CSRTensor:
    """Compute ``alpha * a + beta * b``."""

def csr_asin(x: Any) -> Any:
    """Compute ``asin`` of the values of a sparse matrix."""

def csr_asinh(x: Any) -> Any:
    """Compute ``asinh`` of the values of a sparse matrix."""

def csr_atan(x: Any) -> Any:
    """Compute ``atan`` of the values of a sparse matrix."""

def csr_atanh(x: Any) -> Any:
    """Compute ``atanh`` of the values of a sparse matrix."""

def csr_ceil(x: Any) -> Any:
    """Compute ``ceil`` of the values of a sparse matrix."""

def csr_cos(x: Any) -> Any:
    """Compute ``cos`` of the values of a sparse matrix."""

def csr_cosh(x: Any) -> Any:
    """Compute ``cosh`` of the values of a sparse matrix."""

class csr_div(_LeftOut):
    """Left out: elements over those of a Tensor: a / b."""

def csr_exp(x: Any) -> Any:
    """Compute ``exp`` of the values of a sparse matrix."""

def csr_expm1(x: Any) -> Any:
    """Compute ``expm1`` of the values of a sparse matrix."""

def csr_floor(x: Any) -> Any:
    """Compute ``floor`` of the values of a sparse matrix."""

class csr_gather(_LeftOut):
    """Left out: elements of a Tensor where the matrix has some."""

def csr_inv(x: Any) -> Any:
    """Compute ``inv`` of the values of a sparse matrix."""

def csr_isfinite(x: Any) -> Any:
    """Compute ``isfinite`` of the values of a sparse matrix."""

def csr_isinf(x: Any) -> Any:
    """Compute ``isinf`` of the values of a sparse matrix."""

def csr_isnan(x: Any) -> Any:
    """Compute ``isnan`` of the values of a sparse matrix."""

def csr_log(x: Any) -> Any:
    """Compute ``log`` of the values of a sparse matrix."""

def csr_log1p(x: Any) -> Any:
    """Compute ``log1p`` of the values of a sparse matrix."""

class csr_mm(_LeftOut):
    """Left out: a.mm(b)."""

class csr_mul(_LeftOut):
    """Left out: a * b."""

class csr_mv(_LeftOut):
    """Left out: a.mv(b)."""

def csr_neg(x: Any) -> Any:
    """Compute ``neg`` of the values of a sparse matrix."""

class csr_reduce_sum(_LeftOut):
    """Left out: a.sum(axis)."""

def csr_relu(x: Any) -> Any:
    """Compute ``relu`` of the values of a sparse matrix."""

def csr_relu6(x: Any) -> Any:
    """Compute ``relu6`` of the values of a sparse matrix."""

def csr_round(x: Any) -> Any:
    """Compute ``round`` of the values of a sparse matrix."""

def csr_sigmoid(x: Any) -> Any:
    """Compute ``sigmoid`` of the values of a sparse matrix."""

def csr_sin(x: Any) -> Any:
    """Compute ``sin`` of the values of a sparse matrix."""

def csr_sinh(x: Any) -> Any:
    """Compute ``sinh`` of the values of a sparse matrix."""

def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """Return a sparse matrix with the softmax of the values of each row."""

def csr_softsign(x: Any) -> Any:
    """Compute ``softsign`` of the values of a sparse matrix."""

def csr_sqrt(x: Any) -> Any:
    """Compute ``sqrt`` of the values of a sparse matrix."""

def csr_square(x: Any) -> Any:
    """Compute ``square`` of the values of a sparse matrix."""

def csr_tan(x: Any) -> Any:
    """Compute ``tan`` of the values of a sparse matrix."""

def csr_tanh(x: Any) -> Any:
    """Compute ``tanh`` of the values of a sparse matrix."""

def csr_tensor_get_dense_shape(tensor: Any) -> Any:
    """Return the shape of a ``CSRTensor``."""

def csr_tensor_get_indices(tensor: Any) -> Any:
    """Return the indices of a ``CSRTensor``."""

def csr_tensor_get_indptr(tensor: Any) -> Any:
    """Return the indptr of a ``CSRTensor``."""

def csr_tensor_get_values(tensor: Any) -> Any:
    """Return the values of a ``CSRTensor``."""

def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """Return the ``COOTensor`` of a ``CSRTensor``."""

def csr_to_dense(csr_tensor: CSRTensor) -> Tensor:
    """Return the Tensor of a ``CSRTensor``."""

def ctc_greedy_decoder(
    inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True
) -> tuple[Any, ...]:
    """Read the best class of each step; the last class is the blank."""

def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:
    """Compute the loss of label sequences of which the alignment is not known."""

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

def custom_info_register(*reg_info: Any) -> Callable[[Any], Any]:
    """Return a decorator of a function for ``ops.Custom``, which keeps its descriptions."""

def deepcopy(input_x: Tensor) -> Tensor:
    """Return a copy of a Tensor."""

def deformable_conv2d(
    x: Tensor,
    weight: Tensor,
    offsets: Tensor,
    kernel_size: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[int, ...],
    bias: Tensor | None = None,
    dilations: tuple[int, ...] = (1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:
    """Convolve images whose elements are read at places that are moved by given offsets."""

def deg2rad(input: Tensor) -> Tensor:
    """Degrees to radians."""

def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Compute ``input @ weight.T + bias``."""

def dense_to_sparse_coo(tensor: Tensor) -> COOTensor:
    """Return the elements of a matrix that are not zero, with their places."""

def dense_to_sparse_csr(tensor: Tensor) -> CSRTensor:
    """Return the elements of a matrix that are not zero, by rows."""

def depend(value: Any, expr: Any) -> Any:
    """Return ``value``; ``expr`` has run already, since Python evaluates arguments first."""

def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, Any]:
    """Return the value of an element-wise ``fn`` and its derivative of the given order."""

def destroy_process_group(group: str | None = None) -> None:
    """End communicating."""

def det(input: Tensor) -> Tensor:
    """Determinant of square matrices (..., N, N)."""

def diag(input: Tensor) -> Tensor:
    """Return the Tensor of twice the rank whose diagonal is ``input``, and zeros elsewhere."""

def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Make matrices whose diagonals are the last dimension."""

def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """Return the matrix with the elements along a diagonal, and zeros elsewhere."""

def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return a diagonal of two dimensions, as a view whose last dimension it is."""

def diagonal_scatter(
    input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """Replace a diagonal of two dimensions by ``src``, in a copy of the dtype they meet in."""

def dict_getitem(a: Any, b: Any, /) -> Any:
    """Return the value of a key."""

def dict_setitem(values: Any, key: Any, value: Any) -> Any:
    """Return a dict with one value replaced."""

def diff(
    x: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences between neighbours along ``axis``."""

def diff_ext(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences, taken ``n`` times, between neighbours along ``dim``."""

def digamma(input: Tensor) -> Tensor:
    """Derivative of ``lgamma`` of each element."""

def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The p-norm of ``input - other``, over all elements."""

class distribute(_LeftOut):
    """Left out: spreads a Tensor."""

def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element with broadcasting."""

def dot(input: Tensor, other: Tensor) -> Tensor:
    """Contract the last dimension of ``input`` with the last but one of ``other``."""

def dropout(
    input: Tensor, p: float | Tensor = 0.5, training: bool = True, seed: int | None = None
) -> Tensor:
    """Zero elements with probability ``p`` and divide the others by ``1 - p``."""

def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of a Tensor (N, C, L) or (C, L) with probability ``p``."""

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of a Tensor (N, C, H, W) with probability ``p``."""

def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of a Tensor (N, C, D, H, W) with probability ``p``."""

def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Split a Tensor along dimension 2."""

def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the third dimension, which those of fewer are given."""

def dtype(x: Tensor) -> mstype.DType:
    """Return the dtype of a Tensor."""

def dyn_shape(input_x: Tensor) -> Tensor:
    """Return the sizes of the dimensions as an int64 Tensor."""

def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    """Return the eigenvalues of matrices (..., N, N), and the vectors: both complex."""

def eigvals(A: Tensor) -> Tensor:
    """Return the eigenvalues, complex, of matrices (..., N, N)."""

def einsum(equation: str, *operands: Any) -> Tensor:
    """Sum products over the indices an equation such as ``'ij,jk->ik'`` names."""

def einsum_ext(equation: str, *operands: Any) -> Tensor:
    """Sum products over the indices an equation such as ``'ij,jk->ik'`` names."""

def elu(input_x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return ``x`` where positive and ``exp(x) - 1`` elsewhere."""

class embed(_LeftOut):
    """Left out: embeds a node."""

def embedding(
    input: Tensor,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Look up rows of a table."""

class env_get(_LeftOut):
    """Left out: reads gradients of a graph."""

class environ_add(_LeftOut):
    """Left out: adds gradients of a graph."""

class environ_create(_LeftOut):
    """Left out: makes gradients of a graph."""

class environ_get(_LeftOut):
    """Left out: reads gradients of a graph."""

class environ_set(_LeftOut):
    """Left out: writes gradients of a graph."""

def eps(x: Tensor) -> Tensor:
    """Return a Tensor like ``x`` of the distance from 1 to the next number of its dtype."""

def eq(input: Tensor, other: _Operand) -> Tensor:
    """Whether elements are equal."""

def erf(input: Tensor) -> Tensor:
    """Error function of each element."""

def erfc(input: Tensor) -> Tensor:
    """``1 - erf(x)``, exact for large x."""

def erfinv(input: Tensor) -> Tensor:
    """Inverse of the error function."""

class erfinv_(_LeftOut):
    """Left out: ops.erfinv."""

def exp(input: Tensor) -> Tensor:
    """e to the power of each element."""

def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element."""

def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Broadcast ``input`` to the shape of ``other``."""

def expand_dims(input_x: Tensor, axis: int) -> Tensor:
    """Insert a dimension of size 1 at ``axis``, as a view."""

def expm1(input: Tensor) -> Tensor:
    """``exp(x) - 1``, exact near 0."""

class exponential_(_LeftOut):
    """Left out: exponential random numbers."""

def eye(n: int, m: int | None = None, dtype: mstype.DType | None = None) -> Tensor:
    """Return ``n`` rows and ``m`` (or ``n``) columns with ones on the diagonal, float32 by
    default.
    """

def fast_gelu(x: Tensor) -> Tensor:
    """Compute ``x * sigmoid(1.702 * x)``."""

def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Compute the Fourier transform along ``dim``, cut or padded to ``n``."""

def fft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = (-2, -1),
    norm: Any = None,
) -> Tensor:
    """Compute the Fourier transform over the dimensions ``dim``."""

def fftfreq(n: int, d: float = 1.0, dtype: mstype.DType | None = None) -> Tensor:
    """Return the frequencies of ``fft``, float32."""

def fftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: Any = None,
) -> Tensor:
    """Compute the Fourier transform over the dimensions ``dim``."""

def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Move the frequency 0 to the middle of ``dim``, or of all dimensions."""

def fill(type: mstype.DType, shape: Any, value: Tensor | float | bool) -> Tensor:
    """Return a Tensor of the dtype ``type`` filled with ``value``."""

def fills(x: Tensor, value: _Operand) -> Tensor:
    """Return a Tensor like ``x`` filled with a number."""

def flash_attention_score(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    real_shift: Tensor | None = None,
    drop_mask: Any = None,
    padding_mask: Any = None,
    attn_mask: Tensor | None = None,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    keep_prob: float = 1.0,
    scalar_value: float = 1.0,
    pre_tokens: int = 2147483647,
    next_tokens: int = 2147483647,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> Tensor:
    """Compute ``softmax(scale * query @ key.T + shift) @ value``, head by head."""

def flatten(input: Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one."""

def flip(input: Tensor, dims: _Sizes) -> Tensor:
    """Reverse the order of the elements along the given dimensions (a tuple or list of
    ints).
    """

def fliplr(input: Tensor) -> Tensor:
    """Reverse the second dimension."""

def flipud(input: Tensor) -> Tensor:
    """Reverse the first dimension."""

def float_power(input: _Operand, exponent: _Operand) -> Tensor:
    """Raise to a power element by element, in float64 (complex128 of complex operands)."""

def floor(input: Tensor) -> Tensor:
    """Round down to an integer."""

def floor_div(input: _Operand, other: _Operand) -> Tensor:
    """Divide and round towards minus infinity; an integer over zero gives its type's limit."""

def floor_mod(x: _Operand, y: _Operand) -> Tensor:
    """Remainder of the division that rounds towards minus infinity; it has the divisor's
    sign.
    """

def fmax(input: _Operand, other: _Operand) -> Tensor:
    """The larger of two elements; of a number and nan, the number."""

def fmin(input: _Operand, other: _Operand) -> Tensor:
    """The smaller of two elements; of a number and nan, the number."""

def fmod(input: _Operand, other: _Operand) -> Tensor:
    """Compute ``input - trunc(input / other) * other``, each step rounded: 6 by 0.1 leaves
    0.
    """

def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Add up columns where they lie in images: the transpose of ``unfold``."""

def frac(input: Tensor) -> Tensor:
    """What ``trunc`` leaves of each element."""

def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Compute maxima of windows whose places are random, so that the output has a given
    size.
    """

def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Compute maxima of windows whose places are random, so that the output has a given
    size.
    """

def full(
    size: tuple | list, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return a Tensor filled with one value."""

def full_like(
    input: Tensor, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return ``fill_value`` in the shape and, by default, the dtype of ``input``."""

class fused_infer_attention_score(_LeftOut):
    """Left out: attention while decoding."""

def gamma(shape: Any, alpha: Tensor, beta: Tensor, seed: int | None = None) -> Tensor:
    """Return numbers of the gamma distribution, float32."""

def gather(input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0) -> Tensor:
    """Return the slices of ``axis`` that the indices name."""

def gather_d(x: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names."""

def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names."""

def gather_into_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    dst: int = 0,
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Write what all processes have, joined, into a Tensor, in the process ``dst``."""

def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """Return the slices whose leading positions are the rows of ``indices``."""

def gather_object(
    obj: Any, object_gather_list: Any = None, dst: int = 0, group: Any = None
) -> None:
    """Put the objects of all processes into a list, in the process ``dst``."""

def gaussian_nll_loss(
    x: Tensor,
    target: Tensor,
    var: Tensor,
    full: bool = False,
    eps: float = 1e-06,
    reduction: str = "mean",
) -> Tensor:
    """Compute the negative log-likelihood of normal distributions."""

def gcd(input: Tensor, other: Tensor) -> Tensor:
    """Greatest common divisor of integers, element by element."""

def ge(input: _Operand, other: _Operand) -> Tensor:
    """Whether ``input`` is not less than ``other``."""

def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Compute ``x * Phi(x)`` with the normal distribution function, or its tanh
    approximation.
    """

def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """Factor matrices into R and Householder vectors below its diagonal, and their factors."""

def ger(input: Tensor, vec2: Tensor) -> Tensor:
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
    M).
    """

class geswitch(_LeftOut):
    """Left out: a branch of the graph engine."""

def get_backend(group: str | None = None) -> str:
    """Return the name of the library."""

def get_global_rank(group: str, group_rank: int) -> int:
    """Return the number of a process of a group among all."""

def get_grad(gradients: Any, identifier: Any) -> Any:
    """Pick one gradient out of the result of ``grad(..., return_ids=True)``."""

def get_group_rank(group: str, global_rank: int) -> int:
    """Return the number of a process in a group."""

def get_process_group_ranks(group: str | None = None) -> list[int]:
    """Return the numbers of the processes in a group."""

def get_rank(group: str | None = None) -> int:
    """Return the number of this process in a group."""

class get_vm_impl_fn(_LeftOut):
    """Left out: the Python function of an operator."""

def get_world_size(group: str | None = None) -> int:
    """Return the number of processes in a group."""

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

def greater(input: _Operand, other: _Operand) -> Tensor:
    """Whether ``input`` is greater than ``other``."""

def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Return the elements of images, or volumes, at the places of a grid."""

def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise groups of channels, then scale and shift each channel."""

def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, dim: int = -1) -> Tensor:
    """Draw from the distributions along ``dim``, with a gradient through the draw."""

def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the Hamming window ``alpha - beta * cos(2 pi n / N)``, float32 by default."""

def hann_window(
    window_length: int, periodic: bool = True, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return the Hann window, float64 by default; see ``hamming_window`` for the arguments."""

def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Make 0 of the elements within ``[-lambd, lambd]``."""

def hardsigmoid(input: Tensor) -> Tensor:
    """Compute ``relu6(x + 3) / 6``, of signed integers cut; its gradient is 0 at the edges."""

def hardswish(input: Tensor) -> Tensor:
    """Compute ``x * relu6(x + 3) / 6``; of signed integers cut to integers."""

def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Clip to [min_val, max_val]; its gradient is 0.5 at the edges."""

def hastype(value: Any, kind: Any) -> bool:
    """Whether a value is of a MindSpore type."""

def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """Return 0 for negative elements, 1 for positive ones, and ``values`` where they are 0."""

def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Compute the transform, real, of a Hermitian signal along ``dim``, cut or padded to
    ``n``.
    """

def hfft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = (-2, -1),
    norm: Any = None,
) -> Tensor:
    """Compute the transform, real, of a Hermitian signal over the dimensions ``dim``."""

def hfftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: Any = None,
) -> Tensor:
    """Compute the transform, real, of a Hermitian signal over the dimensions ``dim``."""

def hinge_embedding_loss(
    inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """Return ``inputs`` where the target is 1 and ``max(0, margin - inputs)`` where it is
    -1.
    """

def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in ``bins`` intervals of one width: float32, or int32 of integers."""

def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Split a Tensor along dimension 1."""

def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the second dimension, 1-D ones along their only one."""

def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    """Compute a loss that is quadratic below ``delta`` and linear, of slope ``delta``,
    above.
    """

def hyper_add(*args: Any) -> Any:
    """Apply a function to the leaves of nested tuples and lists, all zipped together."""

def hypot(input: _Operand, other: _Operand) -> Tensor:
    """Square root of the sum of two squares."""

def identity(x: Any) -> Any:
    """Return ``x`` itself."""

def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Compute the inverse Fourier transform along ``dim``, cut or padded to ``n``."""

def ifft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = (-2, -1),
    norm: Any = None,
) -> Tensor:
    """Compute the inverse Fourier transform over the dimensions ``dim``."""

def ifftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: Any = None,
) -> Tensor:
    """Compute the inverse Fourier transform over the dimensions ``dim``."""

def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Move the frequency 0 from the middle of ``dim`` to the front: undo ``fftshift``."""

def igamma(input: Tensor, other: Tensor) -> Tensor:
    """Compute the lower regularized incomplete gamma."""

def igammac(input: Tensor, other: Tensor) -> Tensor:
    """Compute the upper regularized incomplete gamma."""

def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Compute the inverse of the transform of a Hermitian signal along ``dim``, cut or
    padded to ``n``.
    """

def ihfft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = (-2, -1),
    norm: Any = None,
) -> Tensor:
    """Compute the inverse of the transform of a Hermitian signal over the dimensions
    ``dim``.
    """

def ihfftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: Any = None,
) -> Tensor:
    """Compute the inverse of the transform of a Hermitian signal over the dimensions
    ``dim``.
    """

def imag(input: Tensor) -> Tensor:
    """Imaginary part of each element; of a real Tensor, zeros."""

def in_dict(key: Any, items: Any) -> Any:
    """Whether a dict has a key."""

class incre_flash_attention(_LeftOut):
    """Left out: attention of one new query."""

class index(_LeftOut):
    """Left out: use x[...]."""

def index_add(
    x: Tensor,
    indices: Tensor,
    y: Tensor,
    axis: int,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> Tensor:
    """Add slices to a Parameter, in place."""

def index_fill(x: Tensor, axis: int, index: Tensor, value: _Operand) -> Tensor:
    """Fill the slices of ``axis`` that ``index`` names with a number, in a copy."""

def index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """Return the slices of ``axis`` that the 1-D ``index`` names."""

def init_process_group(
    backend: str = "hccl",
    init_method: Any = None,
    timeout: Any = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
) -> None:
    """Begin to communicate with the processes of the job; all but the backend is accepted."""

def inner(input: Tensor, other: Tensor) -> Tensor:
    """Contract the last dimensions of both Tensors; a 0-d one multiplies, of any dtype."""

def inplace_add(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """Add to rows of a copy of ``x``, which stays as it is, as in 2.10."""

def inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Add slices to a Parameter, in place."""

class inplace_sigmoid(_LeftOut):
    """Left out: ops.sigmoid."""

def inplace_sub(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """Subtract from rows of a copy of ``x``, which stays as it is, as in 2.10."""

def inplace_update(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """Replace rows of a copy of ``x``, which stays as it is, as in 2.10."""

def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second."""

def intopk(x1: Tensor, x2: Tensor, k: int) -> Tensor:
    """Whether the score of the right class is among the ``k`` highest of its row."""

def inv(input: Tensor) -> Tensor:
    """One over each element."""

def inverse(input: Tensor) -> Tensor:
    """Inverse of square matrices (..., N, N)."""

def invert(x: Tensor) -> Tensor:
    """Flip the bits of integers; of bools, not."""

def iou(anchor_boxes: Tensor, gt_boxes: Tensor, mode: str = "iou") -> Tensor:
    """Return how much boxes overlap; no gradient passes, as in MindSpore."""

def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to receive the Tensor that the process ``src`` sends into one of its shape."""

def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Compute the inverse Fourier transform to real numbers along ``dim``, cut or padded to
    ``n``.
    """

def irfft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = (-2, -1),
    norm: Any = None,
) -> Tensor:
    """Compute the inverse Fourier transform to real numbers over the dimensions ``dim``."""

def irfftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: Any = None,
) -> Tensor:
    """Compute the inverse Fourier transform to real numbers over the dimensions ``dim``."""

def is_(a: Any, b: Any, /) -> Any:
    """Whether two values are one object."""

def is_available() -> bool:
    """Whether processes can communicate: the one can."""

def is_complex(input: Tensor) -> bool:
    """Whether the dtype is complex."""

class is_dynamic_sequence_element_unknown(_LeftOut):
    """Left out: asks about a graph's sequence."""

def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is floating."""

def is_initialized() -> bool:
    """Whether ``init_process_group`` was called."""

def is_nonzero(input: Tensor) -> bool:
    """Whether the one element of a Tensor is not zero."""

def is_not(a: Any, b: Any, /) -> Any:
    """Whether two values are different objects."""

class is_sequence_shape_unknown(_LeftOut):
    """Left out: asks about a graph's sequence."""

class is_sequence_value_unknown(_LeftOut):
    """Left out: asks about a graph's sequence."""

def is_tensor(obj: Any) -> bool:
    """Whether ``obj`` is a Tensor (or Parameter)."""

def is_tensor_bool_cond(x: Any) -> bool:
    """Whether a Tensor can be the condition of an ``if``: it has one element."""

def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether ``|input - other| <= atol + rtol * |other|``, element by element."""

def isconstant(x: Any) -> bool:
    """Whether ``x`` is known when the function around is compiled; outside of one always."""

def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to send a Tensor to the process ``dst``, and return a handle."""

def isfinite(input: Tensor) -> Tensor:
    """Whether each element is neither nan nor infinite."""

def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite."""

def isnan(input: Tensor) -> Tensor:
    """Whether each element is nan."""

def isneginf(input: Tensor) -> Tensor:
    """Whether it is -infinity."""

def isposinf(input: Tensor) -> Tensor:
    """Whether it is +infinity."""

def isreal(input: Tensor) -> Tensor:
    """Whether elements have no imaginary part."""

class iter_converter(_LeftOut):
    """Left out: an iterator of a graph."""

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

def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the Kaiser window, float64 by default; ``beta`` is how narrow it is."""

def kernel(fn: Any = None, reg_info: Any = None, compile_attrs: Any = None) -> Any:
    """Return a function that is written for MindSpore's kernel compiler; it runs in Python."""

def kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """Compute ``labels * (log(labels) - logits)``, which is 0 where the label is 0."""

def kron(input: Tensor, other: Tensor) -> Tensor:
    """Kronecker product of two Tensors."""

def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the absolute differences, integers of integers; otherwise as ``mse_loss``."""

def laplace(shape: Any, mean: Tensor, lambda_param: Tensor, seed: int | None = None) -> Tensor:
    """Return numbers of the Laplace distribution."""

def layer_norm(
    input: Tensor,
    normalized_shape: _Sizes,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise over the last dimensions, then scale and shift."""

def lcm(input: Tensor, other: Tensor) -> Tensor:
    """Least common multiple of integers, element by element."""

def ldexp(x: _Operand, other: _Operand) -> Tensor:
    """Compute ``x * 2 ** other``, element by element; in float32 at least beside a Tensor."""

def le(input: _Operand, other: _Operand) -> Tensor:
    """Whether ``input`` is not greater than ``other``."""

def leaky_relu(input: Tensor, alpha: float = 0.2) -> Tensor:
    """Return ``x`` where positive, ``alpha * x`` elsewhere; the gradient at 0 is the mean of
    both.
    """

def lerp(input: Tensor, end: Tensor, weight: _Operand) -> Tensor:
    """``input + weight * (end - input)``, element by element."""

def less(input: Tensor, other: _Operand) -> Tensor:
    """Whether ``input`` is less than ``other``."""

def lgamma(input: Tensor) -> Tensor:
    """Logarithm of the size of the gamma function; float32 of int32."""

class lightning_indexer(_LeftOut):
    """Left out: chooses keys for sparse attention."""

def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the result of a function, and a function of its directional derivative there."""

def linspace(start: _Operand, end: _Operand, steps: int) -> Tensor:
    """Return ``steps`` numbers from ``start`` to ``end``, both included, float32."""

def list_equal(a: Any, b: Any, /) -> Any:
    """Whether two lists are equal."""

def list_getitem(a: Any, b: Any, /) -> Any:
    """Return the element at an index."""

def list_len(obj: Any, /) -> Any:
    """Return how many elements there are."""

def list_setitem(values: Any, key: Any, value: Any) -> Any:
    """Return a list with one element replaced."""

def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Tensor) -> Tensor:
    """Logarithm to the base 10 of each element."""

def log1p(input: Tensor) -> Tensor:
    """``log(1 + x)``, exact near 0."""

def log2(input: Tensor) -> Tensor:
    """Logarithm to the base 2 of each element."""

def log_matrix_determinant(input: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sign, and the logarithm of the size, of determinants of (..., N, N)."""

def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    """Compute the logarithm of ``softmax`` in a stable form."""

def log_uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: int = 1,
    num_sampled: int = 5,
    unique: bool = True,
    range_max: int = 5,
    seed: int = 0,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw classes, the lower ones more often, for a loss of few of many classes."""

def logaddexp(input: _Operand, other: _Operand) -> Tensor:
    """Logarithm of the sum of two exponentials."""

def logaddexp2(input: _Operand, other: _Operand) -> Tensor:
    """Base-2 logarithm of ``2**x + 2**y``."""

def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    """Return the logarithm of the running sum of the exponentials along ``axis``."""

def logdet(input: Tensor) -> Tensor:
    """Return the logarithm of the determinants of (..., N, N); of negative real ones it is
    nan.
    """

def logical_and(input: _Operand, other: _Operand) -> Tensor:
    """Whether both elements are not zero."""

def logical_not(input: Tensor) -> Tensor:
    """Whether each element is zero or False."""

def logical_or(input: _Operand, other: _Operand) -> Tensor:
    """Whether one of the elements is not zero."""

def logical_xor(input: _Operand, other: _Operand) -> Tensor:
    """Whether just one element is not zero."""

def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """Compute ``log(x / (1 - x))``, of ``x`` moved into [eps, 1 - eps] where ``eps`` is
    given.
    """

def logsigmoid(x: Tensor) -> Tensor:
    """Compute ``log(sigmoid(x))`` in a stable form."""

def logspace(
    start: _Operand, end: _Operand, steps: int, base: int = 10, *, dtype: mstype.DType = ...
) -> Tensor:
    """Return ``steps`` powers of ``base``, of exponents from ``start`` to ``end``."""

def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """Logarithm of the sum of exponentials over ``dim``, safe from overflow."""

def lp_pool1d(
    x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """Compute the roots of sums of powers of windows."""

def lp_pool2d(
    x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """Compute the roots of sums of powers of windows."""

def lrn(
    x: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Tensor:
    """Divide by ``(bias + alpha * sum of squares) ** beta`` over neighbouring channels."""

def lstsq(input: Tensor, A: Tensor) -> Tensor:
    """Solve ``input @ x = A`` with the least squares of what is left, for full rank."""

def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """Solve ``A @ x = b`` from the LU factors of A."""

def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, ...]:
    """Return the permutation and the two triangles that LU data and pivots stand for."""

class make_coo_tensor(_LeftOut):
    """Left out: COOTensor(indices, values, shape)."""

class make_csr_tensor(_LeftOut):
    """Left out: CSRTensor(indptr, indices, values, shape)."""

def make_dict(keys: Any, values: Any) -> Any:
    """Return a dict of a tuple of keys and one of values."""

def make_list(*values: Any) -> Any:
    """Return the arguments as a list."""

class make_map_parameter(_LeftOut):
    """Left out: a table of weights by key."""

def make_range(*bounds: int) -> tuple[int, ...]:
    """Return the ints of Python's ``range`` as a tuple."""

class make_row_tensor(_LeftOut):
    """Left out: RowTensor(indices, values, shape)."""

class make_row_tensor_inner(_LeftOut):
    """Left out: RowTensor(indices, values, shape)."""

def make_slice(start: Any, stop: Any, step: Any) -> Any:
    """Return a slice."""

class make_sparse_tensor(_LeftOut):
    """Left out: SparseTensor(indices, values, shape)."""

def make_tuple(*values: Any) -> Any:
    """Return the arguments as a tuple."""

def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Compute ``max(0, -target * (input1 - input2) + margin)``; the target is 1 or -1."""

def masked_fill(input_x: Tensor, mask: Tensor, value: _Operand) -> Tensor:
    """Replace the elements where a mask is True."""

def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where a mask is True, in one dimension."""

def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Matrix product of the last two dimensions, the ones before broadcast."""

class matmul_reduce_scatter(_LeftOut):
    """Left out: multiplies, then adds and spreads."""

def matrix_band_part(x: Tensor, lower: int, upper: int) -> Tensor:
    """Zero what is further than ``lower`` below, and ``upper`` above, the main diagonal."""

def matrix_diag(
    x: Tensor,
    k: Any = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: _Operand = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Make matrices of packed diagonals."""

def matrix_diag_part(
    x: Tensor, k: Any, padding_value: _Operand, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Return diagonals of matrices (..., M, N), packed."""

def matrix_exp(input: Tensor) -> Tensor:
    """Return the exponential of matrices (..., N, N)."""

def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    axis: tuple[int, ...] = (-2, -1),
    keepdims: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm of matrices."""

def matrix_power(input: Tensor, n: int) -> Tensor:
    """Multiply square matrices with themselves; a negative power inverts them."""

def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """Replace diagonals of matrices (..., M, N) by packed ones, in a copy."""

def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """Solve ``matrix @ x = rhs``, with ``adjoint`` of the adjoint of the matrices."""

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

def max_unpool1d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Put maxima back where they were, and zeros elsewhere."""

def max_unpool2d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Put maxima back where they were, and zeros elsewhere."""

def max_unpool3d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Put maxima back where they were, and zeros elsewhere."""

def maximum(input: _Operand, other: _Operand) -> Tensor:
    """The larger of two Tensors element by element; at a tie the gradient is split evenly."""

def mean(x: Tensor, axis: Any = None, keep_dims: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The lower median along ``axis`` and its int64 position; a nan counts as the median."""

class merge(_LeftOut):
    """Left out: joins branches."""

def meshgrid(*inputs: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Return coordinate Tensors of the grid that 1-D Tensors span."""

def min(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Smallest elements along ``axis`` and where they are; see ``max``."""

def minimum(input: _Operand, other: _Operand) -> Tensor:
    """The smaller of two Tensors element by element; at a tie the gradient is split evenly."""

def mirror_pad(input_x: Tensor, paddings: Any, mode: str = "REFLECT") -> Tensor:
    """Continue a Tensor over its edges by its mirror image."""

def mish(x: Tensor) -> Tensor:
    """Compute ``x * tanh(softplus(x))``."""

def mixed_precision_cast(dst_dtype: mstype.DType, x: Any) -> Any:
    """Cast the floating Tensors of a value, or of a tuple, to a dtype; leave the rest."""

def mm(input: Tensor, mat2: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """Product of two matrices (N, K) and (K, M) of one dtype."""

class moe_distribute_combine(_LeftOut):
    """Left out: gathers tokens from experts."""

class moe_distribute_dispatch(_LeftOut):
    """Left out: sends tokens to experts."""

class moe_init_routing_v2(_LeftOut):
    """Left out: routes tokens to experts."""

class moe_token_permute(_LeftOut):
    """Left out: sorts tokens by experts."""

class moe_token_unpermute(_LeftOut):
    """Left out: puts tokens back in order."""

class move_to(_LeftOut):
    """Left out: moves a Tensor to another device; x.move_to('CPU') in 2.10."""

def moveaxis(x: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other positions; the rest keep their order."""

class ms_hasnext(_LeftOut):
    """Left out: an iterator of a graph."""

class ms_next(_LeftOut):
    """Left out: an iterator of a graph."""

def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Compute the squared differences, with broadcasting."""

class mse_loss_ext(_LeftOut):
    """Left out: use ops.mse_loss."""

def msort(input: Tensor) -> Tensor:
    """Sort along the first dimension."""

def mul(input: _Operand, other: _Operand) -> Tensor:
    """Multiply element by element with broadcasting."""

def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute how far other classes come within a margin of the right one."""

class multi_scale_deformable_attn_function(_LeftOut):
    """Left out: attention to places of images; compose it of ops.grid_sample."""

class multilabel_margin_loss(_LeftOut):
    """Left out: a loss of several classes; use ops.multilabel_soft_margin_loss."""

def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Compute the binary cross entropy of each class, and its mean over the last dimension."""

def multinomial(
    input: Tensor, num_samples: int, replacement: bool = True, seed: int | None = None
) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension."""

def multinomial_with_replacement(
    x: Tensor, seed: int | Tensor, offset: int | Tensor, numsamples: int, replacement: bool = False
) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension, int64."""

def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """Product of a matrix (N, K) and a vector (K,)."""

def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Compute the logarithm of the multivariate gamma function of dimension ``p``."""

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
    """Mean over ``axis`` of the elements that are not nan, then cast to ``dtype``."""

def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the medians along ``axis`` of what is not nan, and their positions, int64."""

def nanquantile(input: Tensor, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the quantiles of what is not nan; see ``quantile``."""

def nansum(input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``axis`` with nan taken as 0, then cast to ``dtype``; bools give int64."""

def narrow(input: Tensor, axis: int | bool, start: int, length: int) -> Tensor:
    """Return ``length`` elements of ``axis`` from ``start`` on, as a view."""

def ne(input: _Operand, other: _Operand) -> Tensor:
    """Whether elements differ."""

def neg(input: Tensor) -> Tensor:
    """Negative of each element."""

def new_group(
    ranks: list | None = None,
    timeout: Any = None,
    backend: Any = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: Any = None,
) -> str:
    """Return the name of a new group of processes, or "" where this one is not a member."""

def nextafter(input: Tensor, other: Tensor) -> Tensor:
    """Return the next number after ``input`` in the direction of ``other``, float32 or 64."""

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

class normal_(_LeftOut):
    """Left out: normal random numbers; x.normal_() is there."""

def not_in_dict(key: Any, items: Any) -> Any:
    """Whether it has not."""

class nsa_compress(_LeftOut):
    """Left out: compresses blocks of keys."""

class nsa_compress_attention(_LeftOut):
    """Left out: attention to compressed blocks."""

class nsa_select_attention(_LeftOut):
    """Left out: attention to chosen blocks."""

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

def op_info_register(op_info: Any) -> Callable[[Any], Any]:
    """Return a decorator that keeps the description of a kernel, a dict or JSON."""

def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """Multiply the Householder reflections that ``geqrf`` returns: the first columns of Q."""

def ormqr(
    input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False
) -> Tensor:
    """Multiply ``other`` by the whole Q of ``geqrf``'s vectors, or by its transpose."""

def pad(
    input_x: Tensor,
    padding: _Sizes | tuple[tuple[int, ...], ...],
    mode: str = "constant",
    value: float | bool | None = None,
) -> Tensor:
    """Pad the last dimensions."""

def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    """Fill the last dimension, which has size 1, with zeros up to ``pad_dim_size``."""

def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Return the distances between every two rows of (..., N, M), in the p-norm."""

def permute(input: Tensor, axis: _Sizes) -> Tensor:
    """Permute the dimensions; as ``transpose``."""

def pinv(
    x: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    """Return the pseudoinverses of matrices (..., M, N)."""

def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Make squares of pixels of groups of neighbouring channels."""

def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Make groups of channels of squares of pixels: the reverse of ``pixel_shuffle``."""

def poisson(shape: Any, mean: Tensor, seed: int | None = None) -> Tensor:
    """Return numbers of the Poisson distribution, int32."""

def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Return the complex numbers of a size and an angle, float32 or float64."""

def polygamma(n: _Operand, input: Tensor) -> Tensor:
    """Compute the derivative of order ``n`` of ``digamma``, element by element."""

def population_count(input_x: Tensor) -> Tensor:
    """Count the bits that are set in each integer: uint8."""

def positive(input: Tensor) -> Tensor:
    """The Tensor itself, as a new one."""

def pow(input: Any, exponent: Any) -> Tensor:
    """Raise to a power element by element; an integer to a negative power gives 0."""

def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Return ``x`` where positive and ``weight * x`` elsewhere."""

def prim_arg_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Keep the arguments of a Primitive's ``__init__`` as its attributes; a decorator."""

def print_(*input_x: Any) -> None:
    """Print each argument on a line of its own, Tensors by their ``repr``."""

def prod(input: Tensor, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    """Product over ``axis``; bools, signed integers and uint8 give int64."""

class prompt_flash_attention(_LeftOut):
    """Left out: attention of a prompt."""

class put_(_LeftOut):
    """Left out: writes elements at flat positions."""

def qr(input: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Factor matrices (..., M, N) into an orthogonal and an upper triangular one."""

def quantile(input: Tensor, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the quantiles of all elements, or along a dimension, between the nearest ones."""

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

def randint_like(
    input: Tensor, low: int, high: int, seed: int | None = None, *, dtype: Any = None
) -> Tensor:
    """Return integers uniform on [low, high), in the shape and dtype of ``input``."""

def randn(*size: Any, dtype: mstype.DType | None = None, seed: int | None = None) -> Tensor:
    """Return standard normal numbers."""

def randn_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Return standard normal numbers of the shape of ``input``, float32 by default."""

class random_(_LeftOut):
    """Left out: random integers."""

def random_categorical(
    logits: Tensor, num_sample: int, seed: int = 0, dtype: mstype.DType = ...
) -> Tensor:
    """Draw classes with the probabilities that are the softmax of each row."""

def random_gamma(shape: Tensor, alpha: Tensor, seed: int | None = None) -> Tensor:
    """Return numbers of the gamma distribution of rate 1."""

def random_poisson(
    shape: Tensor, rate: Tensor, seed: int | None = None, dtype: mstype.DType = ...
) -> Tensor:
    """Return numbers of the Poisson distribution."""

def randperm(n: int, seed: int | None = 0, offset: int = 0, dtype: mstype.DType = ...) -> Tensor:
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

class recompute_block(_LeftOut):
    """Left out: recomputes a part of a graph; use ms.recompute."""

def recv(tensor: Tensor, src: int = 0, group: Any = None, tag: int = 0) -> int:
    """Write the Tensor that the process ``src`` sends into one of its shape."""

def recv_object_list(object_list: list, src: int = 0, group: Any = None, device: Any = None) -> int:
    """Replace the objects of a list by those that the process ``src`` sends."""

def reduce(
    tensor: Tensor, dst: int, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Replace a Tensor by the sum of all in the process ``dst``; in the others it stays."""

def reduce_max(x: Tensor, axis: Any = (), keep_dims: bool = False) -> Tensor:
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

def reduce_mean(x: Tensor, axis: Any = (), keep_dims: bool = False) -> Tensor:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

def reduce_min(x: Tensor, axis: Any = (), keep_dims: bool = False) -> Tensor:
    """Smallest element over ``axis``; a gradient is split evenly between equal ones."""

def reduce_scatter(
    output: Tensor, input_list: Any, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Write the sum of this process's Tensors in the lists of all processes into a Tensor."""

def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Write this process's part of the sum over all processes into a Tensor."""

def reduce_scatter_tensor_uneven(
    output: Tensor,
    input: Tensor,
    input_split_sizes: Any = None,
    op: str = "sum",
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Write this process's part of the sum over all processes into a Tensor."""

def reduce_sum(
    x: Tensor, axis: Any = (), keep_dims: bool = False, skip_mode: bool = False
) -> Tensor:
    """Sum over ``axis`` in the dtype of ``x``; with ``skip_mode``, an axis () changes
    nothing.
    """

def reduced_shape(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """Return a shape with the dimensions of ``axis`` (all for none) of size 1."""

class ref_to_embed(_LeftOut):
    """Left out: the key of a Parameter."""

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Compute ``max(x, 0)``; its gradient at 0 is 0. ``inplace`` is accepted and has no
    effect.
    """

def relu6(x: Tensor) -> Tensor:
    """Compute ``min(max(x, 0), 6)``; its gradient is 0 at 0 and 1 at 6."""

def remainder(input: _Operand, other: _Operand) -> Tensor:
    """Remainder of the division that rounds towards minus infinity; bools are accepted too."""

def renorm(input: Tensor, p: int | float, axis: int, maxnorm: float) -> Tensor:
    """Scale down the slices along ``axis`` (``dim`` of the Primitive) of a norm above
    ``maxnorm``.
    """

def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """Repeat each element ``rep`` times along ``axis``."""

def repeat_interleave(input: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat elements along ``axis``, or of the flattened Tensor where it is None."""

def reshape(input: Tensor, shape: _Sizes) -> Tensor:
    """Return the elements in row-major order in another shape."""

def reshard(tensor: Any, layout: Any) -> Any:
    """Return the Tensor, cut into parts for several devices as a ``Layout`` says."""

def reverse(x: Tensor, axis: _Sizes) -> Tensor:
    """Reverse the order along each dimension of ``axis``."""

def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """Reverse the first elements of each sequence."""

def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Compute the Fourier transform of real numbers along ``dim``, cut or padded to ``n``."""

def rfft2(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = (-2, -1),
    norm: Any = None,
) -> Tensor:
    """Compute the Fourier transform of real numbers over the dimensions ``dim``."""

def rfftfreq(n: int, d: float = 1.0, dtype: mstype.DType | None = None) -> Tensor:
    """Return the frequencies of ``rfft``, float32."""

def rfftn(
    input: Tensor,
    s: tuple[int, ...] | None = None,
    dim: tuple[int, ...] | None = None,
    norm: Any = None,
) -> Tensor:
    """Compute the Fourier transform of real numbers over the dimensions ``dim``."""

class ring_attention_update(_LeftOut):
    """Left out: joins parts of attention."""

def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-06) -> tuple[Tensor, Tensor]:
    """Divide by the root of the mean of squares over the last dimensions, then scale."""

def roll(input: Tensor, shifts: _Sizes, dims: _Sizes | None = None) -> Tensor:
    """Shift the elements cyclically, by ``shifts`` along ``dims`` or of the flattened
    Tensor.
    """

def rot90(input: Tensor, k: int, dims: Any) -> Tensor:
    """Turn the plane of two dimensions by ``k`` quarters, from the first to the second."""

class rotary_position_embedding(_LeftOut):
    """Left out: rotates vectors by their places."""

class rotated_iou(_LeftOut):
    """Left out: the overlap of turned boxes; use ops.iou for boxes along the axes."""

def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Round to ``decimals`` digits after the point, halves to even."""

def row_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the first dimension, 1-D ones as rows."""

class row_tensor_add(_LeftOut):
    """Left out: adds a Tensor: x.to_dense() + y."""

class row_tensor_get_dense_shape(_LeftOut):
    """Left out: x.shape."""

class row_tensor_get_indices(_LeftOut):
    """Left out: x.indices."""

class row_tensor_get_values(_LeftOut):
    """Left out: x.values."""

def rrelu(input: Tensor, lower: float = 0.125, upper: float = 0.3333333333333333) -> Tensor:
    """Return ``x`` where positive, else ``a * x`` with a slope drawn for each element."""

def rsqrt(input: Tensor) -> Tensor:
    """One over the square root."""

def scalar_add(a: Any, b: Any, /) -> Any:
    """Compute 'add' as Python does."""

def scalar_cast(input_x: Any, input_y: Any) -> Any:
    """Convert a Python number to the Python type of a dtype."""

def scalar_div(x: Any, y: Any) -> float:
    """Divide two Python numbers."""

def scalar_eq(a: Any, b: Any, /) -> Any:
    """Compute 'eq' as Python does."""

def scalar_floordiv(a: Any, b: Any, /) -> Any:
    """Compute 'floordiv' as Python does."""

def scalar_ge(a: Any, b: Any, /) -> Any:
    """Compute 'ge' as Python does."""

def scalar_gt(a: Any, b: Any, /) -> Any:
    """Compute 'gt' as Python does."""

def scalar_le(a: Any, b: Any, /) -> Any:
    """Compute 'le' as Python does."""

def scalar_log(x: Any) -> Any:
    """Compute 'log' as Python does."""

def scalar_lt(a: Any, b: Any, /) -> Any:
    """Compute 'lt' as Python does."""

def scalar_max(x: Any, y: Any) -> Any:
    """Compute 'max' as Python does."""

def scalar_min(x: Any, y: Any) -> Any:
    """Compute 'min' as Python does."""

def scalar_mod(a: Any, b: Any, /) -> Any:
    """Compute 'mod' as Python does."""

def scalar_mul(a: Any, b: Any, /) -> Any:
    """Compute 'mul' as Python does."""

def scalar_ne(a: Any, b: Any, /) -> Any:
    """Compute 'ne' as Python does."""

def scalar_pow(a: Any, b: Any, /) -> Any:
    """Compute 'pow' as Python does."""

def scalar_sub(a: Any, b: Any, /) -> Any:
    """Compute 'sub' as Python does."""

def scalar_to_array(input_x: Any) -> Tensor:
    """Return a Python number as a 0-d Tensor: int64 of an int, float32 of a float."""

def scalar_to_tensor(input_x: Any, dtype: mstype.DType = ...) -> Tensor:
    """Return a number as a 0-d Tensor of a dtype."""

def scalar_uadd(a: Any, /) -> Any:
    """Compute 'uadd' as Python does."""

def scalar_usub(a: Any, /) -> Any:
    """Compute 'usub' as Python does."""

def scatter(input: Tensor, axis: int, index: Tensor, src: Any) -> Tensor:
    """Write ``src`` into a copy at the positions along ``axis`` that ``index`` names."""

def scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Add to rows, in place; returns the new values."""

def scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Divide rows, in place; returns the new values."""

def scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Keep the larger of slices and ``updates``, in place; returns the new values."""

def scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Keep the smaller of both, in place; returns the new values."""

def scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Multiply rows, in place; returns the new values."""

def scatter_nd(indices: Tensor, updates: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Add the slices of ``updates`` to zeros of ``shape``, at the rows of ``indices``."""

def scatter_nd_add(
    input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
) -> Tensor:
    """Add to slices, in place; returns the new values."""

def scatter_nd_div(
    input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
) -> Tensor:
    """Divide slices, in place; returns the new values."""

def scatter_nd_max(
    input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
) -> Tensor:
    """Keep the larger of slices and ``updates``, in place; returns the new values."""

def scatter_nd_min(
    input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
) -> Tensor:
    """Keep the smaller of both, in place; returns the new values."""

def scatter_nd_mul(
    input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
) -> Tensor:
    """Multiply slices, in place; returns the new values."""

def scatter_nd_sub(
    input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
) -> Tensor:
    """Subtract from slices, in place; returns the new values."""

def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace, in place, the slices at the rows of ``indices``; returns the new values."""

def scatter_object_list(
    scatter_object_output_list: list,
    scatter_object_input_list: list,
    src: int = 0,
    group: Any = None,
) -> None:
    """Put this process's object of a list that the process ``src`` has into another list."""

def scatter_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    src: int = 0,
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Write this process's part of what the process ``src`` has into a Tensor."""

def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace rows of ``input_x`` in place; returns the new values."""

def searchsorted(
    sorted_sequence: Tensor,
    values: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Return the places where ``values`` would be inserted into sorted rows."""

def select(condition: Tensor, input: _Operand, other: _Operand) -> Tensor:
    """Return ``input`` where a condition holds and ``other`` elsewhere; as ``where``."""

def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Tensor:
    """Replace one slice of ``axis`` by ``src``, in a copy."""

def selu(input_x: Tensor) -> Tensor:
    """Compute the scaled exponential linear unit."""

def send(tensor: Tensor, dst: int = 0, group: Any = None, tag: int = 0) -> None:
    """Send a Tensor to the process ``dst``, which calls ``recv``."""

def send_object_list(
    object_list: list, dst: int = 0, group: Any = None, device: Any = None
) -> None:
    """Send objects to the process ``dst``, which calls ``recv_object_list``."""

def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    """Return True for the first elements of sequences."""

class set_comm_ops_inplace(_LeftOut):
    """Left out: says which collectives write in place."""

def sgn(input: Tensor) -> Tensor:
    """Compute the sign of each element, or the direction of complex ones."""

def shape(input_x: Tensor) -> _Sizes:
    """Return the sizes of the dimensions as a tuple of ints."""

def shape_mul(shape: Any) -> Any:
    """Multiply the sizes of a shape."""

def shuffle(x: Tensor, seed: int | None = None) -> Tensor:
    """Put the slices of the first dimension into random order."""

def sigmoid(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""

def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 by the sign of each element; 0 of nan."""

def signbit(input: Tensor) -> Tensor:
    """Whether the sign is minus."""

def silu(input: Tensor) -> Tensor:
    """Compute ``x * sigmoid(x)``."""

def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians."""

def sinc(input: Tensor) -> Tensor:
    """Compute ``sin(pi x) / (pi x)`` of each element, 1 at 0; float32 of integers."""

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element."""

def slice(input_x: Tensor, begin: _Sizes, size: _Sizes) -> Tensor:
    """Return ``size[i]`` elements of dimension ``i`` from ``begin[i]`` on; -1 takes the
    rest.
    """

def slice_scatter(
    input: Tensor,
    src: Tensor,
    axis: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """Replace a slice ``start:end:step`` of ``axis`` by ``src``, in a copy."""

def smooth_l1_loss(
    input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "none"
) -> Tensor:
    """Compute a loss that is quadratic below ``beta`` and linear above."""

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Compute ``log(1 + exp(-target * input))``; the target is 1 or -1."""

def soft_shrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Bring elements nearer to 0 by ``lambd``; those within become 0."""

def softmax(input: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``axis``."""

def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """Compute the softmax of the negated Tensor."""

def softplus(input: Tensor, beta: Tensor | float = 1, threshold: float = 20) -> Tensor:
    """Compute ``log(1 + exp(beta * x)) / beta``, and ``x`` itself where ``beta * x >
    threshold``.
    """

def softsign(x: Tensor) -> Tensor:
    """Compute ``x / (1 + abs(x))``."""

def sort(input_x: Tensor, axis: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """Sort along ``axis``, equal elements in their order."""

def space_to_batch_nd(input_x: Tensor, block_size: Any, paddings: Any) -> Tensor:
    """Cut the last dimensions into blocks, and put the places in a block into the batch."""

class sparse_flash_attention(_LeftOut):
    """Left out: attention to chosen keys."""

def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """Compute means of rows, row by row of a table that says which."""

class speed_fusion_attention(_LeftOut):
    """Left out: attention with many options."""

def split(
    tensor: Tensor,
    split_size_or_sections: int | Sequence[int] | None = None,
    axis: int = 0,
    output_num: int | None = None,
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

def standard_laplace(shape: Any, seed: int | None = None) -> Tensor:
    """Return numbers of the Laplace distribution of mean 0 and scale 1, float32."""

def standard_normal(shape: Any, seed: int | None = None) -> Tensor:
    """Return standard normal numbers, float32."""

def std(
    input: Tensor,
    axis: int | tuple[int, ...] | None = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
) -> Tensor:
    """Square root of the variance; see ``var``."""

def std_mean(
    input: Any, axis: Any = None, ddof: int | bool = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean; see ``var``."""

def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """Compute the short-time Fourier transform: how the frequencies of a signal change."""

def stop_gradient(value: Any) -> Any:
    """Return the value with gradient zero."""

class stop_gradient_(_LeftOut):
    """Left out: ops.stop_gradient."""

def strided_slice(
    input_x: Tensor,
    begin: _Sizes,
    end: _Sizes,
    strides: _Sizes,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Return ``x[begin[0]:end[0]:strides[0], ...]``; bit ``i`` of a mask is about dimension
    ``i``.
    """

def string_concat(a: Any, b: Any, /) -> Any:
    """Join two texts."""

def string_eq(a: Any, b: Any, /) -> Any:
    """Whether two texts are equal."""

def sub(input: _Operand, other: _Operand) -> Tensor:
    """Subtract element by element with broadcasting; two bools give where they differ."""

def subtract(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Compute ``input - alpha * other``, element by element with broadcasting."""

def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``dim``; bools, signed integers and uint8 give int64."""

def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular value decomposition of matrices (..., M, N)."""

def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchange two dimensions, as a view."""

def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two dimensions, as a view; as ``swapaxes``."""

class swiglu(_LeftOut):
    """Left out: SiLU of one half times the other; compose it of ops.chunk and ops.silu."""

def switch(condition: Any, true_value: Any, false_value: Any) -> Any:
    """Return one of two values."""

def switch_layer(index: Any, layers: Any) -> Any:
    """Return one of a tuple of functions."""

def t(input: Tensor) -> Tensor:
    """Transpose a 2-D Tensor; others come back in their shape."""

def tail(x: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return all but the first element of a tuple."""

def take(input: Tensor, index: Tensor) -> Tensor:
    """Return the elements of the flattened Tensor at ``index``."""

def tan(input: Tensor) -> Tensor:
    """Tangent of each element, in radians."""

def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent of each element."""

class tanh_(_LeftOut):
    """Left out: ops.tanh."""

def tanhshrink(input: Tensor) -> Tensor:
    """Compute ``x - tanh(x)``."""

def tensor_div(x: _Operand, y: _Operand) -> Tensor:
    """Divide element by element; unlike ``div``, integers stay integers, rounded towards
    zero.
    """

def tensor_dot(x1: Tensor, x2: Tensor, axes: Any) -> Tensor:
    """Contract dimensions of two Tensors."""

def tensor_scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Add to slices, in a copy."""

def tensor_scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Divide slices, in a copy."""

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
    """Replace slices, in a copy."""

def tensor_split(
    input: Tensor, indices_or_sections: int | Sequence[int], axis: int = 0
) -> tuple[Tensor, ...]:
    """Cut a Tensor at the given positions, or into a number of nearly equal pieces."""

def tensordump(file_name: str, tensor: Tensor, mode: str = "out") -> None:
    """Write a Tensor into a NumPy file, whose name is given its dtype and a number."""

def threshold(input: Tensor, thr: float, value: float) -> Tensor:
    """Return ``x`` where above ``thr`` and ``value`` elsewhere."""

def tile(input: Tensor, dims: _Sizes) -> Tensor:
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

def transpose(input: Tensor, dims: _Sizes) -> Tensor:
    """Permute the dimensions: dimension ``i`` of the view is dimension ``dims[i]`` of
    ``input``.
    """

def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Integrate ``y`` along ``dim`` by the trapezoidal rule."""

def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """Zero the elements above a diagonal of the last two dimensions."""

def tril_indices(row: int, col: int, offset: int = 0, *, dtype: mstype.DType = ...) -> Tensor:
    """Return the places of the lower triangle of a matrix (row, col)."""

class triplet_margin_loss(_LeftOut):
    """Left out: a loss of three vectors; compose it of ops.norm and ops.relu."""

def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """Zero the elements below a diagonal of the last two dimensions."""

def triu_indices(row: int, col: int, offset: int = 0, *, dtype: mstype.DType = ...) -> Tensor:
    """Return the places of the upper triangle of a matrix (row, col)."""

def true_divide(dividend: _Operand, divisor: _Operand) -> Tensor:
    """Divide element by element with broadcasting; integers and bools give float32."""

def trunc(input: Tensor) -> Tensor:
    """Round towards 0; integers and bools stay as they are."""

def truncate_div(x: _Operand, y: _Operand) -> Tensor:
    """Divide and round towards zero; an integer over zero gives its type's limit."""

def truncate_mod(input: _Operand, other: _Operand) -> Tensor:
    """Remainder as ``fmod`` has it, but exact, and of an integer by 0 it is 0."""

def tuple_div(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...]:
    """Divide the ints of two tuples; each must be a multiple."""

def tuple_equal(a: Any, b: Any, /) -> Any:
    """Whether two tuples are equal."""

def tuple_getitem(a: Any, b: Any, /) -> Any:
    """Return the element at an index."""

def tuple_len(obj: Any, /) -> Any:
    """Return how many elements there are."""

def tuple_reversed(x: Any) -> Any:
    """Return a tuple backwards."""

def tuple_setitem(values: Any, key: Any, value: Any) -> Any:
    """Return a tuple with one element replaced."""

def tuple_to_array(input_x: tuple[Any, ...] | builtins.range) -> Tensor:
    """Return a tuple (or range) of ints (int32) or floats (float32) as a 1-D Tensor."""

def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Convert to the dtype of another Tensor."""

def typeof(value: Any) -> Any:
    """Return the MindSpore type of a value: of a Tensor ``Tensor[dtype]``, of an int int64."""

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along a dimension, without it, as a tuple of views."""

def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Return the windows of images as columns."""

def uniform(
    shape: Any, minval: Tensor, maxval: Tensor, seed: int | None = None, dtype: Any = ...
) -> Tensor:
    """Return numbers uniform on [minval, maxval)."""

class uniform_(_LeftOut):
    """Left out: uniform random numbers; x.uniform_() is there."""

def uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int = 0,
    remove_accidental_hits: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw classes, all with one probability."""

def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """Return the distinct elements in the order of their first occurrence; each nan is one."""

def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Return the elements, each run of equal ones as one."""

def unique_with_pad(x: Tensor, pad_num: Any) -> tuple[Tensor, Tensor]:
    """Return the distinct elements of a 1-D Tensor, filled up to its size with ``pad_num``."""

def unsorted_segment_max(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Return the largest of the rows that share a segment."""

def unsorted_segment_min(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Return the smallest of the rows that share a segment."""

def unsorted_segment_prod(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Return the product of the rows that share a segment."""

def unsorted_segment_sum(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Return the sum of the rows that share a segment."""

def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Insert a dimension of size 1 at ``dim``, as a view."""

def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along a dimension, without it, as a tuple of views."""

def value_and_grad(
    fn: Callable[..., Any],
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Make a function that gives what ``fn`` returns together with its gradients."""

def vander(x: Tensor, N: int | None = None) -> Tensor:
    """Return the rows of powers of each element, the highest, ``N - 1``, first."""

def var(input: Tensor, axis: Any = None, ddof: int | bool = 0, keepdims: bool = False) -> Tensor:
    """Variance over ``axis``, divided by the count less ``ddof``, be that 0 or negative."""

def var_mean(
    input: Any, axis: Any = None, ddof: int | bool = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Variance and mean; see ``var``."""

def vecdot(x: Tensor, y: Tensor, *, axis: int = -1) -> Tensor:
    """Sum the products along ``axis``, of the complex conjugate of ``x``."""

def vector_norm(
    x: Tensor,
    ord: Any = 2,
    axis: Any = None,
    keepdims: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm of the elements over ``axis``, all of them by default."""

def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Return ``input`` in the shape of ``other``, as a view."""

def view_as_real(input: Tensor) -> Tensor:
    """Return the real and imaginary parts of complex numbers, in a new last dimension."""

def vjp(
    fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False
) -> tuple[Any, ...]:
    """Return the output of ``fn`` and a function that pulls cotangents back through it."""

def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Make a function that maps ``fn`` over a dimension of its arguments."""

def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Split a Tensor along dimension 0."""

def vstack(inputs: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the first dimension, 1-D ones as rows."""

class weight_quant_batch_matmul(_LeftOut):
    """Left out: a product with weights of few bits."""

def where(condition: Tensor, input: _Operand, other: _Operand) -> Tensor:
    """Return ``input`` where a condition holds and ``other`` elsewhere, with broadcasting."""

def xdivy(x: _Operand, y: _Operand) -> Tensor:
    """Divide element by element, and 0 where ``x`` is 0."""

def xlogy(input: _Operand, other: _Operand) -> Tensor:
    """``input * log(other)``, and of real numbers 0 where ``input`` is 0; a number is
    float32.
    """

class zero_(_LeftOut):
    """Left out: zeros; x.zero_() is there."""

def zeros(size: Any, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of zeros; see ``ones``."""

def zeros_like(input: Tensor, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return zeros of the shape and, by default, the dtype of ``input``."""

def zeta(input: _Operand, other: _Operand) -> Tensor:
    """Compute the Hurwitz zeta function: the sum of ``(k + other) ** -input`` over k."""

def zip_operation(*sequences: Any) -> tuple[Any, ...]:
    """Return tuples of the elements of several tuples, place by place."""

FastGelu = FastGeLU
Gelu = GeLU
absolute = abs
addn = accumulate_n
arccos = acos
arccosh = acosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
clip = clamp
concat = cat
divide = div
equal = eq
expand = broadcast_to
float_power_ext = float_power
floor_divide = floor_div
floordiv = floor_div
floormod = floor_mod
greater_equal = ge
gt = greater
i0 = bessel_i0
isnan_ext = isnan
less_equal = le
lt = less
matrix_determinant = det
movedim = moveaxis
ms_kernel = kernel
multiply = mul
negative = neg
not_equal = ne
outer = ger
pows = pow
prim_attr_register = prim_arg_register
reshape_ = reshape
shape_ = shape
size = numel
slogdet = log_matrix_determinant
softshrink = soft_shrink
tensor_add = add
tensor_exp = exp
tensor_expm1 = expm1
tensor_floordiv = floor_div
tensor_ge = ge
tensor_gt = greater
tensor_le = le
tensor_lt = less
tensor_mod = floor_mod
tensor_mul = mul
tensor_muls = mul
tensor_pow = pow
tensor_range = range
tensor_slice = slice
tensor_sub = sub
upsample = interpolate
