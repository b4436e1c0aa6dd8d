"""MindSpore's Primitives of derivatives, ``ops.operations._grad_ops``: a table (see ``rows``).

A derivative that takes what the forward pass has kept computes that anew of the inputs, but for
the moments of normalisations. Differs from MindSpore: where that gives none, a derivative has
derivatives of its own; the first result of ``GRUV2Grad`` has the shape of ``x``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad import ops
from msgrad.common.tensor import Tensor
from msgrad.porting.inner.expressions import resized as resized
from msgrad.porting.inner.prims import GRUV2 as GRUV2
from msgrad.porting.inner.prims import PSROIPooling as PSROIPooling
from msgrad.porting.inner.rows import classes

_TABLE = """
ACosGrad(x, dout) -> acos(x)
AbsGrad(x, dout) -> abs(x)
AcoshGrad(out, dout) = dout / sinh(out)
AsinGrad(x, dout) -> asin(x)
AsinhGrad(out, dout) = dout / cosh(out)
AtanGrad(x, dout) -> atan(x)
ReluGrad(y_backprop, x) -> relu(x)
ReLU6Grad(y_backprop, x) -> relu6(x)
TanhGrad(y, dy) = dy * (1 - y * y)
SigmoidGrad(y, dy) = dy * y * (1 - y)
SqrtGrad(dy, y) = y / (2 * dy)
RsqrtGrad(y_backprop, x) = x * y_backprop**3 * -0.5
ReciprocalGrad(y, dy) = -dy * y * y
InvGrad(x, grad) = -grad * x * x
SiLUGrad(dout, x) -> silu(x)
EluGrad(dout, out) = where(out > 0, dout, dout * (out + 1))
FastGeLUGrad(dy, x) -> fast_gelu(x)
GeLUGrad(dy, x, y: Unused) -> GeLU()(x)
HShrinkGrad(gradients, features, /, lambd=0.5) -> hardshrink(features, lambd)
SoftShrinkGrad(input_grad, input_x, /, lambd=0.5) -> softshrink(input_x, lambd)
HSigmoidGrad(grads, input_x) -> hardsigmoid(input_x)
HSwishGrad(y_grad, x) -> hardswish(x)
LogitGrad(grad, input, /, eps=-1.0) -> logit(input, eps if eps >= 0 else None)
SoftplusGrad(gradient, features) -> softplus(features)
LogSoftmaxGrad(logits, grad, /, axis=-1) = grad - exp(logits) * grad.sum(axis, None, True)
GluGrad(grads, x, /, axis) -> glu(x, axis)
PReLUGrad(dy, x, weight) -> prelu(x, weight) for x; weight
MaximumGrad(x: Operand, y: Operand, grads, /, grad_x=True, grad_y=True) -> maximum(x, y) for x; y
MinimumGrad(x1: Operand, x2: Operand, grads, /, grad_x=True, grad_y=True) -> minimum(x1, x2) for x1; x2
MaximumGradGrad(x, y, dx, dy, /, grad_x=True, grad_y=True) = _chosen(x, y, dx, dy, x >= y)
MinimumGradGrad(x1, x2, grad_dy1, grad_dy2) = _chosen(x1, x2, grad_dy1, grad_dy2, x1 <= x2)
BiasAddGrad(dout, /, data_format='NCHW') = _of_channels(dout, data_format)
IgammaGradA(a, x) -> igamma(a, x)
MvlgammaGrad(y_grad, x, /, p) -> mvlgamma(x, p)
BinaryCrossEntropyGrad(input, target, grad_output, weight=None, /, reduction='mean') -> binary_cross_entropy(input, target, weight, reduction) for input
KLDivLossGrad(grad, x, target, /, reduction='mean') -> kl_div(x, target, reduction)
SmoothL1LossGrad(prediction, target, dout, /, beta=1.0, reduction='none') -> smooth_l1_loss(prediction, target, beta, reduction)
SigmoidCrossEntropyWithLogitsGrad(x, y, dout) -> SigmoidCrossEntropyWithLogits()(x, y)
MultiMarginLossGrad(y_grad, x, target: Indices, weight=None, /, p=1, margin=1.0, reduction='mean') -> multi_margin_loss(x, target, p, margin, weight, reduction)
NLLLossGrad(logits, loss_grad, labels: Indices, weight, total_weight: Unused, /, reduction='mean', ignore_index=-100) -> NLLLoss(reduction, ignore_index)(logits, labels, weight)[0] for logits
BatchNormGrad(dout, x, scale, saved_mean: Indices, saved_variance: Indices, reserve: Unused, /, is_training=False, epsilon=1e-05, data_format='NCHW') -> _channels_normalised(x, saved_mean, saved_variance, scale, bias, epsilon, is_training) for x; scale; bias=scale.shape
BatchNormGradGrad(x, dy, scale, saved_mean: Indices, saved_variance: Indices, dout_dx, dout_dscale, dout_dbias, /, is_training=False, epsilon=1e-05, data_format='NCHW') -> BatchNormGrad(is_training, epsilon)(dy, x, scale, saved_mean, saved_variance, None) for x; dy; scale
LayerNormGrad(x, dy, variance: Indices, mean: Indices, gamma, /, begin_norm_axis=1, begin_params_axis=1) -> _normalised(x, mean, variance, gamma, beta, 1e-12, begin_norm_axis) for x; gamma; beta=gamma.shape
LayerNormGradGrad(x, dy, variance: Indices, mean: Indices, gamma, d_dx, d_dg, d_db, /, begin_norm_axis=1, begin_params_axis=1) -> LayerNormGrad(begin_norm_axis, begin_params_axis)(x, dy, variance, mean, gamma) for x; dy; gamma
GroupNormGrad(dy, x, mean: Indices, rstd: Indices, gamma_opt, num_groups: Any, dx_is_require: Any = True, dgamma_is_require: Any = True, dbeta_is_require: Any = True) -> _groups_normalised(x, mean, rstd, gamma_opt, beta, num_groups) for x; gamma_opt; beta=gamma_opt.shape
L2NormalizeGrad(x, y: Unused, dout, /, axis=0, epsilon=0.0001) -> L2Normalize(axis, epsilon)(x)
LRNGrad(grads, x, y: Unused, /, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5) -> LRN(depth_radius, bias, alpha, beta)(x)
DropoutGrad(dy, mask, /, keep_prob=0.5) = dy * mask / keep_prob
FlattenGrad(x, shape: Any) = x.reshape(shape)
TraceGrad(y_grad, x_shape: Any) -> trace(x_shape) for x_shape
TraceV2Grad(dout, shape: Any, offset: Any = 0, axis1: Any = 1, axis2: Any = 0) -> diagonal(shape, offset, axis1, axis2).sum(-1) for shape
PdistGrad(y_grad, x, y: Unused, /, p=2.0) -> pdist(x, p)
CdistGrad(grad, input_x, input_y, cdist: Unused, /, p=2.0) -> ops.cdist(input_x, input_y, p)
MedianGrad(y_grad, x, y: Unused, indices: Unused, /, global_median=False, axis=0, keep_dims=False) -> Median(global_median, axis, keep_dims)(x)[0]
GatherDGradV2(x, dim: Any, index: Indices, dout) -> gather_elements(x, dim, index)
MaskedSelectGrad(input, mask: Indices, grad) = zeros_like(input).masked_scatter(mask, grad)
SliceGrad(dy, x, begin: Any, size: Any) -> slice(x, begin, size)
LstsqV2Grad(gX, A, B) -> lstsq(A, B) for A; B
MaxPoolGrad(x, out: Unused, grad, /, kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW') -> MaxPool(kernel_size, strides, pad_mode, data_format)(x)
MaxPoolGradGrad(x, out, grad, /, kernel_size=1, strides=1, pad_mode='VALID') -> MaxPoolGrad(kernel_size, strides, pad_mode)(x, x, out) for out
MaxPool3DGrad(x, out: Unused, grad, /, kernel_size=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), pad_mode='VALID', pad_list=0, data_format='NCDHW') -> MaxPool3D(kernel_size, strides, pad_mode, pad_list, None, data_format)(x)
MaxPool3DGradGrad(x, out, grad, /, kernel_size=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), pad_mode='VALID', data_format='NCDHW') -> MaxPool3DGrad(kernel_size, strides, pad_mode)(x, x, out) for out
AvgPoolGrad(x, out: Unused, dout, /, kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW') -> AvgPool(kernel_size, strides, pad_mode, data_format)(x)
AvgPool3DGrad(x_shape: Any, grads, /, kernel_size=1, strides=1, pads=0, ceil_mode=False, count_include_pad=True, divisor_override=0, data_format='NCDHW', pad_mode='pad') -> AvgPool3D(kernel_size, strides, pad_mode, pads, ceil_mode, count_include_pad, divisor_override, data_format)(x_shape) for x_shape
AdaptiveAvgPool2DGrad(input_grad: Out, orig_input_shape: Any) -> adaptive_avg_pool2d(orig_input_shape, input_grad.shape[-2:]) for orig_input_shape
AdaptiveAvgPool3DGrad(input_grad: Out, orig_input_shape: Any) -> adaptive_avg_pool3d(orig_input_shape, input_grad.shape[-3:]) for orig_input_shape
MaxPoolGradWithArgmax(x, grad, argmax: Indices, /, kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW') -> _taken(x, argmax, 1)
MaxPoolGradWithArgmaxV2(x, grad, argmax: Indices, /, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=None) -> _taken(x, argmax, 2)
MaxPoolGradGradWithArgmax(x: Unused, grad, argmax, /, kernel_size=1, strides=1, pad_mode='VALID') = _taken(grad, argmax, 1)
MaxPool3DGradWithArgmax(x, grads, argmax: Indices, /, ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format='NCDHW') -> _taken(x, argmax, 2)
AdaptiveMaxPool2DGrad(y_grad, x, argmax: Indices) -> _taken(x, argmax, x.ndim - 2)
AdaptiveMaxPool3DGrad(input_grad, x, argmax: Indices) -> _taken(x, argmax, x.ndim - 3)
FractionalMaxPoolGradWithFixedKsize(origin_input, out_backprop, argmax: Indices, /, data_format='NCHW') -> _taken(origin_input, argmax, 2)
FractionalMaxPool3DGradWithFixedKsize(origin_input, out_backprop, argmax: Indices, /, data_format='NCDHW') -> _taken(origin_input, argmax, 2)
FractionalMaxPoolGrad(orig_input, orig_output: Unused, out_backprop, row_pooling_sequence: Indices, col_pooling_sequence: Indices, /, overlapping=False) -> _window_maxima(orig_input, _windows(orig_input, row_pooling_sequence, col_pooling_sequence, overlapping))
FractionalAvgPoolGrad(orig_input_tensor_shape: Any, out_backprop, row_pooling_sequence: Indices, col_pooling_sequence: Indices, /, overlapping=False) -> _window_means(orig_input_tensor_shape, *_windows(orig_input_tensor_shape, row_pooling_sequence, col_pooling_sequence, overlapping)) for orig_input_tensor_shape
InstanceNormV2Grad(dy, x, gamma, mean: Indices, variance: Indices, save_mean: Indices, save_variance: Indices, /, is_training=True, epsilon=1e-05) -> _instances_normalised(x, gamma, beta, mean, variance, save_mean, save_variance, is_training, epsilon) for x; gamma; beta=gamma.shape
ResizeV2Grad(grads: Out, roi: Unused, scales: Unused, original_size: Any, /, coordinate_transformation_mode='half_pixel', mode='nearest') -> resized(original_size, grads.shape, coordinate_transformation_mode, mode) for original_size
ConcatOffset(x, /, N=2, axis=0) = _starts(x, axis)
MaxUnpool2DGrad(x, grads, argmax, /, ksize, strides=0, pads=0, output_shape=(), data_format='NCHW') = _taken(grads, argmax, 2)
MaxUnpool3DGrad(x, grads, argmax, /, ksize, strides=0, pads=0, output_shape=(), data_format='NCDHW') = _taken(grads, argmax, 2)
Conv2DBackpropFilter(dout, input, filter_sizes: Any, /, out_channel, kernel_size, pad_mode='valid', pad=0, pad_list=(0, 0, 0, 0), mode=1, stride=(1, 1), dilation=(1, 1, 1, 1), group=1, data_format='NCHW') -> Conv2D(out_channel, kernel_size, mode, pad_mode, pad_list if pad_mode == 'pad' else 0, stride, dilation[-2:], group, data_format)(input, filter_sizes) for filter_sizes
Conv3DBackpropFilter(x, dout, w_size: Any, /, out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=(1, 1, 1, 1, 1), dilation=(1, 1, 1, 1, 1), group=1, data_format='NCDHW') -> Conv3D(out_channel, kernel_size, mode, pad_mode, pad, stride[-3:], dilation[-3:], group, data_format)(x, w_size) for w_size
Conv3DBackpropInput(weight, dout, input_size: Any, /, out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=1, dilation=1, group=1, data_format='NCDHW') -> Conv3D(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)(input_size, weight) for input_size
DeformableOffsetsGrad(dout, input, offsets, /, strides, pads, kernel_size, dilations=(1, 1, 1, 1), data_format='NCHW', deformable_groups=1, modulated=True) -> DeformableOffsets(strides, pads, kernel_size, dilations, data_format, deformable_groups, modulated)(input, offsets) for input; offsets
ResizeBicubicGrad(grads: Out, image, /, align_corners=False, half_pixel_centers=False) -> ResizeBicubic(align_corners, half_pixel_centers)(image, grads.shape[2:])
ResizeBilinearGrad(grads: Out, image, /, align_corners=False, half_pixel_centers=False) -> ResizeBilinearV2(align_corners, half_pixel_centers)(image, grads.shape[2:])
ResizeLinear1DGrad(grads: Out, x, /, coordinate_transformation_mode='align_corners') -> ResizeLinear1D(coordinate_transformation_mode)(x, grads.shape[2:])
ResizeNearestNeighborGrad(grads: Out, size: Any, /, align_corners=False, half_pixel_centers=False) -> ResizeNearestNeighborV2(align_corners, half_pixel_centers)(x, grads.shape[2:]) for x=grads.shape[:2] + size
ResizeNearestNeighborV2Grad(grads: Out, size: Any, /, align_corners=False, half_pixel_centers=False) -> ResizeNearestNeighborV2(align_corners, half_pixel_centers)(x, grads.shape[2:]) for x=grads.shape[:2] + size
UpsampleNearest1DGrad(dy, input_size: Any, output_size: Any = None, scales: Any = None) -> interpolate(input_size, output_size, scales) for input_size
UpsampleNearest2DGrad(dy, input_size: Any, output_size: Any = None, scales: Any = None) -> interpolate(input_size, output_size, scales) for input_size
UpsampleNearest3DGrad(dy, input_size: Any, output_size: Any = None, scales: Any = None) -> UpsampleNearest3D()(input_size, output_size, scales) for input_size
UpsampleTrilinear3DGrad(dy, input_size: Any, output_size: Any = None, scales: Any = None, /, align_corners=False) -> UpsampleTrilinear3D(align_corners)(input_size, output_size, scales) for input_size
GridSampler2DGrad(grad, input_x, grid, /, interpolation_mode='bilinear', padding_mode='zeros', align_corners=False, output_mask=(1, 1)) -> grid_sample(input_x, grid, interpolation_mode, padding_mode, align_corners) for input_x; grid
GridSampler3DGrad(grad, input_x, grid, /, interpolation_mode='bilinear', padding_mode='zeros', align_corners=False, output_mask=(1, 1)) -> grid_sample(input_x, grid, interpolation_mode, padding_mode, align_corners) for input_x; grid
AffineGridGrad(y_grad, x_size: Any, /, align_corners=False) -> affine_grid(theta, x_size, align_corners) for theta=(x_size[0], len(x_size) - 2, len(x_size) - 1)
PSROIPoolingGrad(x, rois: Indices, /, input_size, spatial_scale, group_size, output_dim) -> PSROIPooling(spatial_scale, group_size, output_dim)(features, rois) for features=(rois.shape[0], output_dim * group_size**2, *input_size)
ROIAlignGrad(dy, rois: Indices, xdiff_shape: Any, /, pooled_height, pooled_width, spatial_scale, sample_num=2) -> ROIAlign(pooled_height, pooled_width, spatial_scale, sample_num)(xdiff_shape, rois) for xdiff_shape
CropAndResizeGradBoxes(grads: Out, images, boxes, box_index: Indices, /, method='bilinear') -> crop_and_resize(images, boxes, box_index, grads.shape[1:3], method) for boxes
CropAndResizeGradImage(grads: Out, boxes, box_index: Indices, image_size: Any, /, T, method='bilinear') -> crop_and_resize(image_size, boxes, box_index, grads.shape[1:3], method) for image_size
ScaleAndTranslateGrad(grads: Out, original_image, scale: Indices, translation: Indices, /, kernel_type='lanczos3', antialias=True) -> ScaleAndTranslate(kernel_type, antialias)(original_image, grads.shape[1:3], scale, translation)
MirrorPadGrad(dy: Out, paddings: Any, /, mode='REFLECT') -> MirrorPad(mode)(x, paddings) for x=_without(dy.shape, paddings)
PadV3Grad(x: Out, paddings: Any, /, mode='reflect', paddings_contiguous=True) -> PadV3(mode, paddings_contiguous)(y, paddings) for y=_without_last(x.shape, paddings, paddings_contiguous)
LSTMGrad(x, hx, cx, w, y: Unused, hy: Unused, cy: Unused, dy, dhy, dcy, reserve: Unused, /, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size=0) -> LSTM(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size)(x, hx, cx, w)[:3] for x; hx; cx; w
GRUV2Grad(x, hx, w, seq_length: Indices, y: Unused, hy: Unused, dy, dhy, reserve: Unused, /, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout) -> GRUV2(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout)(x, hx, w, seq_length)[:2] for x; hx; w
CTCLossV2Grad(grad_out, log_probs, targets: Indices, input_lengths: Indices, target_lengths: Indices, neg_log_likelihood: Unused, log_alpha: Unused, /, blank, reduction='none', zero_infinity=False) -> CTCLossV2(blank, reduction, zero_infinity)(log_probs, targets, input_lengths, target_lengths)[0]
LuUnpackGrad(L_grad, U_grad, LU_data, /, L_grad_flag, U_grad_flag) = _of_factors(L_grad, U_grad, LU_data)
SparseFillEmptyRowsGrad(reverse_index_map, grad_values) = _to_their_rows(reverse_index_map, grad_values)
"""  # noqa: E501


def _chosen(x: Tensor, y: Tensor, dx: Tensor, dy: Tensor, first: Tensor) -> tuple[Tensor, ...]:
    return ops.zeros_like(x), ops.zeros_like(y), ops.where(first, dx, dy)


def _of_channels(dout: Tensor, data_format: str) -> Tensor:
    channels = 1 if data_format == "NCHW" or dout.ndim == 2 else dout.ndim - 1
    return dout.sum(tuple(d for d in range(dout.ndim) if d != channels))


def _taken(x: Tensor, places: Tensor, dims: int) -> Tensor:
    """Return elements by their places among those of the last dimensions, after ``dims``."""
    flat = x.reshape(*x.shape[:dims], -1)
    return ops.gather_elements(flat, dims, places.reshape(*x.shape[:dims], -1)).reshape(
        places.shape
    )


def _normalised(
    x: Tensor, mean: Tensor, variance: Tensor, gamma: Any, beta: Any, eps: float, axes: Any
) -> Tensor:
    """Normalise by moments that are given, which depend on ``x`` where they are its own.

    Args:
        axes: Which they are means over, or the first of these; None where they are not of ``x``.
    """
    if axes is not None:
        own = tuple(axes) if isinstance(axes, list) else tuple(range(x.ndim))[axes:]
        of_x = x.mean(own, True)
        mean = of_x + ops.stop_gradient(mean - of_x)
        of_x = ops.square(x - of_x).mean(own, True)
        variance = of_x + ops.stop_gradient(variance - of_x)
    return (x - mean) * ops.rsqrt(variance + eps) * gamma + beta


def _channels_normalised(
    x: Tensor, mean: Any, variance: Any, gamma: Any, beta: Any, eps: float, own: bool
) -> Tensor:
    line = (-1, *(1,) * (x.ndim - 2))
    axes = [0, *range(2, x.ndim)] if own else None
    mean, variance, gamma, beta = (v.reshape(line) for v in (mean, variance, gamma, beta))
    return _normalised(x, mean, variance, gamma, beta, eps, axes)


def _groups_normalised(
    x: Tensor, mean: Tensor, rstd: Tensor, gamma: Tensor, beta: Tensor, groups: int
) -> Tensor:
    parts = x.reshape(x.shape[0], groups, -1)
    mean, variance = mean.reshape(-1, groups, 1), rstd.reshape(-1, groups, 1) ** -2
    line = (-1, *(1,) * (x.ndim - 2))
    normalised = _normalised(parts, mean, variance, 1, 0, 0.0, 2).reshape(x.shape)
    return normalised * gamma.reshape(line) + beta.reshape(line)


def _instances_normalised(x: Tensor, gamma: Tensor, beta: Tensor, *moments: Any) -> Tensor:
    mean, variance, save_mean, save_rstd, training, eps = moments
    if training:
        return _normalised(x, save_mean, save_rstd**-2, gamma, beta, 0.0, [2, 3])
    return _normalised(x, mean, variance, gamma, beta, eps, None)


def _windows(x: Tensor, rows: Tensor, columns: Tensor, overlapping: bool) -> list[Tensor]:
    """Return which places along height and width of (N, H, W, C) are in which windows."""
    return [
        ops.logical_and(at >= edges[:-1, None], at < edges[1:, None] + int(overlapping))
        for edges, at in zip((rows, columns), map(ops.arange, x.shape[1:3]), strict=True)
    ]


def _window_means(x: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    shares = (each.astype(x.dtype) for each in (rows, columns))
    return ops.einsum("nhwc,ih,jw->nijc", x, *(s / s.sum(1, None, True) for s in shares))


def _window_maxima(x: Tensor, windows: list[Tensor]) -> Tensor:
    rows, columns = windows
    inside = ops.logical_and(rows[:, None, :, None], columns[None, :, None, :])
    values = x.transpose(0, 3, 1, 2)[:, :, None, None]
    least = ops.amin(ops.stop_gradient(x)) - 1
    at = ops.argmax(
        ops.where(inside, values, least).reshape(*x.shape[::3], *inside.shape[:2], -1), -1
    )
    flat = values.reshape(*x.shape[::3], -1)
    found = ops.gather_elements(flat, 2, at.reshape(*x.shape[::3], -1)).reshape(at.shape)
    return found.transpose(0, 2, 3, 1)


def _starts(parts: Any, axis: int) -> Tensor:
    """Return where each part begins in what they are joined to."""
    found = np.zeros((len(parts), parts[0].ndim), np.int64)
    found[1:, axis] = np.cumsum([part.shape[axis] for part in parts[:-1]])
    return Tensor(found)


def _without(shape: tuple[int, ...], paddings: Any) -> tuple[int, ...]:
    """Return what a shape was before it was padded."""
    return tuple(n - sum(pair) for n, pair in zip(shape, paddings, strict=True))


def _without_last(shape: tuple[int, ...], paddings: Any, pairs: bool) -> tuple[int, ...]:
    """Return the same, of paddings that begin with the last dimension."""
    half = len(paddings) // 2
    befores = paddings[::2] if pairs else paddings[:half]
    afters = paddings[1::2] if pairs else paddings[half:]
    last = [*zip(befores, afters, strict=True)][::-1]
    return _without(shape, [(0, 0)] * (len(shape) - half) + last)


def _of_factors(lower: Tensor, upper: Tensor, data: Tensor) -> tuple[Tensor, Tensor]:
    rows, columns = data.shape[-2:]
    lower = ops.pad(lower.tril(-1), (0, columns - lower.shape[-1]))
    return lower, ops.pad(upper.triu(), (0, 0, 0, rows - upper.shape[-2]))


def _to_their_rows(places: Tensor, grads: Tensor) -> tuple[Tensor, Tensor]:
    own = grads[places]
    return own, grads.sum() - own.sum()


__getattr__ = classes(_TABLE, globals())
