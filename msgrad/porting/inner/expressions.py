"""Inner Primitives that are another spelling of what ``ops`` and ``mint`` have: a table."""

from __future__ import annotations

import math as math
import operator as operator
from typing import Any

import numpy as np

from msgrad import mint as mint
from msgrad import numpy as numpy
from msgrad import ops
from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.dtype import _issubclass_
from msgrad.common.tensor import Tensor
from msgrad.porting.inner.rows import classes
from msgrad.scipy import fft as spectra  # noqa: F401 - the table uses it
from msgrad.scipy import linalg

_TABLE = """
ScalarAdd(x, y) = x + y
ScalarSub(x, y) = x - y
ScalarMul(x, y) = x * y
ScalarDiv(x, y) = _of_numbers(operator.truediv, x, y)
ScalarFloorDiv(x, y) = _of_numbers(operator.floordiv, x, y)
ScalarMod(x, y) = _of_numbers(operator.mod, x, y)
ScalarPow(x, y) = x**y
ScalarMax(x, y) = y if y > x else x
ScalarMin(x, y) = y if y < x else x
ScalarEq(x, y) = x == y
ScalarGe(x, y) = x >= y
ScalarGt(x, y) = x > y
ScalarLe(x, y) = x <= y
ScalarLt(x, y) = x < y
ScalarBool(x) = not not x
ScalarLog(x) = math.log(x)
ScalarUadd(x) = x
ScalarUsub(x) = -x
bit_and(x, y) = _tensor_of(operator.and_, x, y)
bit_or(x, y) = _tensor_of(operator.or_, x, y)
bool_not(x) = not x
BoolNot(x) = Tensor(not x)
InSequence(target, sequence) = target in sequence
ListAppend(x, value) = [*x, value]
ListInsert(x, index, value) = [*x[:index], value, *x[index:]]
ListAppendAndInsertGrad(x, index) = [*x[:index], *x[index:][1:]]
ListToTensor(x, dtype) = Tensor(x).astype(dtype)
TupleToTensor(input_tuple, dtype) = Tensor(input_tuple).astype(dtype)
TensorToList(x) = x.tolist() if x.ndim < 2 else None
ListToTuple(x) = (*x,)
TupleToList(x) = [*x]
SequenceAdd(x, y) = x + y
SequenceCount(sequence, target) = sequence.count(target)
SequenceMax(x) = _first_of(operator.gt, x)
SequenceMin(x) = _first_of(operator.lt, x)
SequenceMul(sequence, scalar) = sequence * scalar
SequenceSlice(sequence, start, stop, step) = sequence[start:stop:step]
SequenceZerosLike(x) = _zeros_like(x)
list_greater_equal(x, y) = x >= y
list_greater_than(x, y) = x > y
list_le(x, y) = x <= y
list_lt(x, y) = x < y
tuple_greater_equal(x, y) = x >= y
tuple_greater_than(x, y) = x > y
tuple_le(x, y) = x <= y
tuple_lt(x, y) = x < y
sequence_len(x) = x.__len__()
AddV2(x, y) = add(x, y)
AnyExt(input, dim, keepdim=False) = mint.any(input, dim, keepdim)
AsStrided(input, size, stride, storage_offset=0) = _strided(input, size, stride, storage_offset)
BitwiseAndTensor(input, other) = bitwise_and(input, other)
BroadcastToView(input, shape) = broadcast_to(input, shape)
ChunkView(input, chunks, dim=0) = chunk(input, chunks, dim)
ClampTensor(input, min=None, max=None) = clamp(input, min, max)
Contiguous(input) = input.contiguous()
Copy(input) = deepcopy(input)
GetData(input) = input
Correlate(a, v, /, pad_mode='valid') = numpy.correlate(a, v, pad_mode)
DCT(x, type=2, n=None, axis=-1, norm=None) = spectra.dct(x, type, n, axis, norm and norm.lower())
IDCT(x, type=2, n=None, axis=-1, norm=None) = spectra.idct(x, type, n, axis, norm and norm.lower())
DCTN(x, type=2, s=None, axes=None, norm=None) = spectra.dctn(x, type, s, axes, norm and norm.lower())
IDCTN(x, type=2, s=None, axes=None, norm=None) = spectra.idctn(x, type, s, axes, norm and norm.lower())
Diagonal(input, /, offset=0, dim1=0, dim2=1) = diagonal(input, offset, dim1, dim2)
DiagonalView(input, offset=0, dim1=0, dim2=1) = diagonal(input, offset, dim1, dim2)
DivMods(input, other, rounding_mode=None) = div(input, other, rounding_mode=rounding_mode)
DynamicAssign(ref, value) = assign(ref, value)
FFTShapeCopy(dout, shape) = _fitted(dout, shape)
InstanceNormV2(x, gamma, beta, mean, variance, /, is_training=True, momentum=0.1, epsilon=1e-05) = _instances(x, gamma, beta, mean, variance, is_training, momentum, epsilon)
IsConstant(x) = True
IsInstance(inst, type_) = _is_of(inst, type_)
IsSubClass(sub_type, type_) = _issubclass_(sub_type, type_)
PadAndShift(input_x, cum_sum_arr, shift_idx) = _at_its_part(input_x, cum_sum_arr.asnumpy(), int(shift_idx))
ResizeV2(x, roi, scales, sizes, /, coordinate_transformation_mode='half_pixel', mode='nearest') = resized(x, sizes, coordinate_transformation_mode, mode)
SequenceIndex(sequence, target, start=None, end=None) = sequence.index(target, start, end)
TensorScatterElementsExt(data, indices, updates, /, axis=0, reduce='none') = tensor_scatter_elements(data, indices, updates, axis, reduce)
TensorToScalar(input_tensor) = input_tensor.item() if input_tensor.size == 1 else None
UpdateCache(input_x, indices, update, max_num) = _cached(input_x, indices.asnumpy(), update, int(max_num))
DivMod(input, other, rounding_mode=None) = div(input, other, rounding_mode=rounding_mode)
Divs(input, other) = div(input, other)
DynamicBroadcastTo(x, shape) = broadcast_to(x, shape.tolist() if is_tensor(shape) else shape)
Empty(size, dtype=None, device=None, pin_memory=False) = mint.empty(size, dtype=dtype)
EmptyLike(input, dtype=None, device=None, pin_memory=False) = mint.empty_like(input, dtype=dtype)
DynamicStitch(indices, data) = _stitched(indices, data)
EqScalar(input, other) = equal(input, other)
ExpandAs(input, other) = input.expand_as(other)
ExpandDimsView(input, dim) = expand_dims(input, dim)
FFT(input, n=None, dim=-1, norm=None) = fft(input, n, dim, norm and norm.lower())
FFT2(input, s=None, dim=(-2, -1), norm=None) = fft2(input, s, dim, norm and norm.lower())
FFTN(input, s=None, dim=None, norm=None) = fftn(input, s, dim, norm and norm.lower())
FFTOrtho(input, axes=None, forward=True) = _orthonormal(input, axes, forward)
FFTFreq(n, d=1.0, dtype=None) = fftfreq(n, d, dtype)
FFTShift(input, dim=None) = fftshift(input, dim)
HFFT(input, n=None, dim=-1, norm=None) = hfft(input, n, dim, norm and norm.lower())
HFFT2(input, s=None, dim=(-2, -1), norm=None) = hfft2(input, s, dim, norm and norm.lower())
HFFTN(input, s=None, dim=None, norm=None) = hfftn(input, s, dim, norm and norm.lower())
IFFT(input, n=None, dim=-1, norm=None) = ifft(input, n, dim, norm and norm.lower())
IFFT2(input, s=None, dim=(-2, -1), norm=None) = ifft2(input, s, dim, norm and norm.lower())
IFFTN(input, s=None, dim=None, norm=None) = ifftn(input, s, dim, norm and norm.lower())
IFFTShift(input, dim=None) = ifftshift(input, dim)
IHFFT(input, n=None, dim=-1, norm=None) = ihfft(input, n, dim, norm and norm.lower())
IHFFT2(input, s=None, dim=(-2, -1), norm=None) = ihfft2(input, s, dim, norm and norm.lower())
IHFFTN(input, s=None, dim=None, norm=None) = ihfftn(input, s, dim, norm and norm.lower())
IRFFT(input, n=None, dim=-1, norm=None) = irfft(input, n, dim, norm and norm.lower())
IRFFTDouble(input, n, dim=-1) = input * _twice_inside(input, n, dim)
IRFFT2(input, s=None, dim=(-2, -1), norm=None) = irfft2(input, s, dim, norm and norm.lower())
IRFFTN(input, s=None, dim=None, norm=None) = irfftn(input, s, dim, norm and norm.lower())
RFFT(input, n=None, dim=-1, norm=None) = rfft(input, n, dim, norm and norm.lower())
RFFT2(input, s=None, dim=(-2, -1), norm=None) = rfft2(input, s, dim, norm and norm.lower())
RFFTN(input, s=None, dim=None, norm=None) = rfftn(input, s, dim, norm and norm.lower())
RFFTFreq(n, d=1.0, dtype=None) = rfftfreq(n, d, dtype)
FlattenExt(input, start_dim=0, end_dim=-1) = mint.flatten(input, start_dim, end_dim)
GatherNdExt(input, indices) = gather_nd(input, indices)
ImagView(input) = imag(input)
RealView(input) = real(input)
Max(input) = mint.max(input)
MaxDim(input, dim, keepdim=False) = (*mint.max(input, dim, keepdim),)
Min(input) = mint.min(input)
MinDim(input, dim, keepdim=False) = (*mint.min(input, dim, keepdim),)
MixedPrecisionCast(dst_dtype, x) = mixed_precision_cast(dst_dtype, x)
Narrow(input, dim, start, length) = narrow(input, dim, start, length)
NarrowView(input, dim, start, length) = narrow(input, dim, start, length)
NewEmpty(input, size, dtype=None, device=None) = input.new_empty(size, dtype=dtype)
NewOnes(input, size, dtype=None) = input.new_ones(size, dtype=dtype)
NewZeros(input, size, dtype=None) = input.new_zeros(size, dtype=dtype)
PixelShuffle(input, upscale_factor) = pixel_shuffle(input, upscale_factor)
PowScalarTensor(input, exponent) = pow(input, exponent)
PowTensorScalar(input, exponent) = pow(input, exponent)
ProdExt(input, dim=None, keepdim=False, dtype=None) = mint.prod(input, dim, keepdim, dtype=dtype)
RangeV2(start, limit, delta, /, maxlen=1000000) = range(start, limit, delta, maxlen).astype(start.dtype)
ReLUV3(x) = relu(x)
ScatterValue(input, dim, index, src, reduce='none') = scatter(input, dim, index, src) if reduce == 'none' else scatter(input, dim, index, src, reduce=reduce)
SelectExtView(input, dim, index) = mint.select(input, dim, index)
SliceExtView(input, dim, start, end, step) = ops.SliceExt()(input, dim, start, end, step)
SoftplusExt(input, beta=1, threshold=20) = softplus(input, beta, threshold)
SplitTensor(input, split_size, dim=0) = split(input, split_size, dim)
SplitTensorView(input, split_size, dim=0) = split(input, split_size, dim)
SplitWithSizeView(input, split_size, dim=0) = split(input, split_size, dim)
TExt(input) = t(input)
TileSize(shape, out_shape, ndim) = _times(shape, out_shape)
ToDevice(input, device=None, dtype=None, non_blocking=False, copy=False) = input if dtype is None else cast(input, dtype)
ToDtype(input, dtype=None, non_blocking=False, copy=False) = input if dtype is None else cast(input, dtype)
ToOther(input, other, non_blocking=False, copy=False) = cast(input, other.dtype)
TraceV2(input, offset=0, axis1=1, axis2=0, dtype=None) = input.trace(offset, axis1, axis2, dtype)
UnstackExtView(input, dim=0) = unbind(input, dim)
UpsampleNearest1D(x, output_size=None, scales=None) = interpolate(x, output_size, scales)
UpsampleNearest2D(x, output_size=None, scales=None) = interpolate(x, output_size, scales)
View(input, shape) = input.view(shape)
ViewAs(input, other) = input.view(other.shape)
ViewDtype(input, dtype) = input.view(dtype)
GroupNorm(input, num_groups, weight=None, bias=None, eps=1e-05) = _group_norm(input, num_groups, weight, bias, eps)
SparseSoftmaxCrossEntropyWithLogitsV2(logits, labels) = _softmax_cross_entropy(logits, labels)
AdjustContrastv2(images, contrast_factor) = _contrast(images, contrast_factor)
ClipByNorm(x, clip_norm, /, axis=None) = _clipped(x, clip_norm, axis)
ConcatOffsetV1(axis, x) = _offsets(axis, x)
ConvertToDynamic(x, /, is_dynamic_rank=False) = x
DynamicBroadcastGradientArgs(s0, s1) = _reduced_axes(s0, s1)
GetGrad(gradients, x) = get_grad(gradients, x)
IsParameter(x) = hasattr(x, 'requires_grad')
SameTypeShape(x, y) = _same(x, y)
Eigh(A, /, compute_eigenvectors=True, lower=True) = _eigh(A, compute_eigenvectors, lower)
SelfAdjointEig(x, /, compute_v=True) = _eigenpairs(x, compute_v)
SolveTriangular(a, b, trans=0, lower=False, unit_diagonal=False) = linalg.solve_triangular(a, b, trans, lower, unit_diagonal)
LstsqV2(A, B, driver=None) = _least_squares(A, B)
TridiagonalSolve(diagonals, rhs, /, partial_pivoting=True) = _tridiagonal(diagonals, rhs)
TensorCopySlices(x, value, begin, end, strides) = _written(x, value, begin, end, strides)
"""  # noqa: E501

_PLACES = ("half_pixel", "align_corners")


def _of_numbers(compute: Any, x: Any, y: Any) -> Any:
    """Divide numbers; by zero that is a ValueError here."""
    if not is_tensor(y) and y == 0:
        raise ArgumentValueError("The divisor could not be zero. But the divisor is zero now.")
    return compute(x, y)


def _tensor_of(compute: Any, x: Any, y: Any) -> Tensor:
    if not all(isinstance(v, (bool, int)) for v in (x, y)):
        raise ArgumentTypeError(f"Both must be ints or bools, but got {type(x)} and {type(y)}.")
    return Tensor(compute(x, y))


def _first_of(before: Any, values: Any) -> Any:
    if any(is_tensor(v) for v in values):
        raise ArgumentTypeError("The sequence must hold numbers, but got a Tensor.")
    best = values[0]
    for value in values[1:]:
        best = value if before(value, best) else best
    return best


def _zeros_like(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return type(x)(map(_zeros_like, x))
    return ops.zeros_like(x) if is_tensor(x) else type(x)(0)


def _is_of(x: Any, type_: Any) -> bool:
    kinds = {bool: "bool_", int: "int64", float: "float32", str: "string"}
    kinds |= {tuple: "tuple_", list: "list_"}
    if not isinstance(type_, mstype.DType):
        raise ArgumentTypeError(f"the type of 'type_' should be 'Type', but got {type(type_)}.")
    if is_tensor(x):
        return isinstance(type_, mstype.TensorType)
    return type(x) in kinds and _issubclass_(getattr(mstype, kinds[type(x)]), type_)


def _strided(x: Tensor, size: Any, stride: Any, offset: int) -> Tensor:
    places = sum(np.ogrid[tuple(slice(n) for n in size)][d] * s for d, s in enumerate(stride))
    return x.reshape(-1)[Tensor(np.asarray(places + offset, np.int64))]


def _stitched(indices: Any, data: Any) -> Tensor:
    """Return the rows of ``data`` in the places of ``indices``, the last one where two have one."""
    if not data:
        raise ArgumentValueError("data must have a Tensor, but got none.")
    places = np.concatenate([i.asnumpy().reshape(-1) for i in indices])
    rows = ops.concat(
        [d.reshape(-1, *d.shape[i.ndim :]) for i, d in zip(indices, data, strict=True)]
    )
    last = {int(place): n for n, place in enumerate(places)}
    empty = ops.zeros((int(places.max()) + 1, *rows.shape[1:]), rows.dtype)
    kept = Tensor(np.array([*last.values()]))
    return ops.tensor_scatter_update(empty, Tensor(np.array([*last])[:, None]), rows[kept])


def _along(x: Tensor, dim: int, values: np.ndarray) -> Tensor:
    """Return one number for each place along a dimension, that broadcasts to ``x``."""
    return Tensor(values.reshape([-1 if d == dim % x.ndim else 1 for d in range(x.ndim)]))


def _orthonormal(x: Tensor, axes: Any, forward: bool) -> Tensor:
    """Scale what a cosine transform gives to lengths as they were, or back."""
    for dim in axes or ():
        n = x.shape[dim]
        scale = np.where(np.arange(n) == 0, 1 / np.sqrt(4 * n), 1 / np.sqrt(2 * n))
        x = x * _along(x, dim, scale if forward else 1 / scale).astype(x.dtype)
    return x


def _twice_inside(x: Tensor, n: int, dim: int) -> Tensor:
    """Return how often each place of half a spectrum stands in the whole one of length ``n``."""
    at = np.arange(x.shape[dim])
    return _along(x, dim, np.where((at > 0) & (at < (n + 1) // 2), 2, 1)).astype(x.dtype)


def _times(shape: Any, wanted: Any) -> tuple[int, ...]:
    return tuple(b if a != b else 1 for a, b in zip(shape, wanted, strict=True))


def _group_norm(x: Tensor, groups: int, weight: Any, bias: Any, eps: float) -> tuple[Tensor, ...]:
    parts = x.reshape(x.shape[0], groups, -1)
    mean, variance = parts.mean(2), parts.var(2)
    return ops.group_norm(x, groups, weight, bias, eps), mean, ops.rsqrt(variance + eps)


def _softmax_cross_entropy(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    hot = ops.one_hot(labels, logits.shape[-1])
    return ops.SoftmaxCrossEntropyWithLogits()(logits, hot.astype(logits.dtype))


def _contrast(images: Tensor, factor: Tensor) -> Tensor:
    wide = images.float()
    mean = wide.mean((-3, -2), True)
    return ((wide - mean) * factor + mean).astype(images.dtype)


def _clipped(x: Tensor, most: Tensor, axis: Any) -> Tensor:
    axes = tuple(range(x.ndim)) if axis is None else axis
    wide = x.float()
    norm = ops.square(wide).sum(axes, None, True).sqrt()
    return wide * most / ops.maximum(norm, most.float())


def _offsets(axis: Tensor, shapes: Any) -> tuple[Tensor, ...]:
    at, sizes = int(axis), [shape.asnumpy() for shape in shapes]
    starts = np.cumsum([0] + [size[at] for size in sizes[:-1]])
    line = np.arange(len(sizes[0])) == at
    return tuple(Tensor((line * start).astype(np.int32)) for start in starts)


def _reduced_axes(s0: Any, s1: Any) -> tuple[Tensor, Tensor]:
    """Return along which dimensions the gradients of two operands are summed up."""
    shapes = [s.tolist() if is_tensor(s) else [*s] for s in (s0, s1)]
    rank = max(map(len, shapes))
    full = [[1] * (rank - len(shape)) + shape for shape in shapes]
    found = [[d for d in range(rank) if shape[d] == 1 and full[0] != full[1]] for shape in full]
    return tuple(Tensor(np.array(axes, np.int64)) for axes in found)  # type: ignore[return-value]


def _fitted(x: Tensor, shape: Any) -> Tensor:
    """Return a corner of that shape; what lies beyond ``x`` is 0."""
    wide = [n for have, want in zip(x.shape, shape, strict=True) for n in (0, max(want - have, 0))]
    pairs = [*zip(wide[::2], wide[1::2], strict=True)]
    return ops.pad(x, [n for pair in pairs[::-1] for n in pair])[tuple(map(slice, shape))]


def _at_its_part(x: Tensor, ends: np.ndarray, part: int) -> Tensor:
    found = np.full(x.shape, -1)
    first, last = ends[part], ends[part + 1]
    found[first:last] = x.asnumpy()[: last - first]
    return Tensor(found).astype(x.dtype)


def _cached(x: Tensor, places: np.ndarray, update: Tensor, most: int) -> Tensor:
    kept = np.flatnonzero((places >= 0) & (places < most))
    x[Tensor(places[kept])] = update[Tensor(kept)]
    return ops.zeros((1,), x.dtype)


def _instances(
    x: Tensor, gamma: Tensor, beta: Tensor, mean: Tensor, variance: Tensor, *given: Any
) -> tuple[Tensor, ...]:
    training, momentum, eps = given
    wide, none = x.float(), ops.zeros_like(mean)
    if not training:
        scale = ops.rsqrt(variance + eps)
        return ((wide - mean) * scale * gamma + beta).astype(x.dtype), none, none
    own, spread = wide.mean((2, 3), True), wide.var((2, 3), keepdims=True)
    scale = ops.rsqrt(spread + eps)
    count = x.shape[2] * x.shape[3]
    for moment, new in (mean, own), (variance, spread * (count / (count - 1))):
        ops.assign(moment, ops.stop_gradient((1 - momentum) * moment + momentum * new))
    return ((wide - own) * scale * gamma + beta).astype(x.dtype), own, scale


def resized(x: Tensor, sizes: Any, places: str, mode: str) -> Tensor:
    """Resize images (N, C, H, W); H is 1 but for ``'cubic'``."""
    rules = {"nearest": ("half_pixel",), **dict.fromkeys(("linear", "cubic"), _PLACES)}
    if mode not in rules or places not in rules[mode]:
        raise ArgumentValueError(
            f"'mode' must be one of {(*rules,)} and 'coordinate_transformation_mode' one of "
            f"{_PLACES}, the first for 'nearest', but got {mode!r} and {places!r}."
        )
    height, width = (sizes.tolist() if is_tensor(sizes) else [*sizes])[-2:]
    corners = places == _PLACES[1]
    if mode == "cubic":
        rows, columns = _cubic(x.shape[2], height, corners), _cubic(x.shape[3], width, corners)
        return ops.einsum("nchw,ih,jw->ncij", x.float(), rows, columns).astype(x.dtype)
    if (height, x.shape[2]) != (1, 1):
        raise ArgumentValueError(f"for {mode!r} heights must be 1, but got {x.shape[2]}, {height}.")
    options = (corners,) if mode == "linear" else ()
    return ops.interpolate(x[:, :, 0], width, None, mode, *options)[:, :, None]


def _cubic(size: int, count: int, corners: bool) -> Tensor:
    """Return the weights of cubic convolution (Keys 1981, a = -0.75), the edges repeated."""
    steps = np.arange(count)
    at = steps * (size - 1) / max(count - 1, 1) if corners else (steps + 0.5) * size / count - 0.5
    found, first = np.zeros((count, size), np.float32), np.floor(at).astype(int) - 1
    for k in range(4):
        d = np.abs(at - first - k)
        near, far = (1.25 * d - 2.25) * d * d + 1, ((3.75 - 0.75 * d) * d - 6) * d + 3
        np.add.at(found, (steps, np.clip(first + k, 0, size - 1)), np.where(d <= 1, near, far))
    return Tensor(found)


def _same(x: Tensor, y: Tensor) -> Tensor:
    if x.shape != y.shape:
        raise ArgumentValueError(f"the x shape should be = y shape: {y.shape}, but got {x.shape}.")
    return x


def _eigh(x: Tensor, vectors: bool, lower: bool) -> Any:
    return linalg.eigh(x, lower=lower, eigvals_only=not vectors)


def _eigenpairs(x: Tensor, vectors: bool) -> tuple[Tensor, Tensor]:
    values, basis = _eigh(x, True, True)
    return values, basis if vectors else ops.zeros_like(basis)


def _tridiagonal(diagonals: Tensor, rhs: Tensor) -> Tensor:
    above, middle, below = ops.unbind(diagonals, -2)
    bands = [(above[..., :-1], 1), (middle, 0), (below[..., 1:], -1)]
    first, second, third = (ops.diag_embed(band, offset) for band, offset in bands)
    return ops.matrix_solve(first + second + third, rhs)


def _written(x: Tensor, value: Tensor, begin: Any, end: Any, strides: Any) -> Tensor:
    whole = Tensor.copy(x)
    whole[tuple(map(slice, begin, end, strides))] = value
    return whole


def _least_squares(a: Tensor, b: Tensor) -> tuple[Tensor, ...]:
    solution = ops.lstsq(a, b)
    rank = Tensor(np.full(a.shape[:-2], min(a.shape[-2:]), np.int64))
    none = ops.zeros((0,), a.dtype)
    return solution, none, rank, none


__getattr__ = classes(_TABLE, globals())
