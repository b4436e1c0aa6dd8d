"""The symbols and methods of Tensor that operators are.

Written by ``python -m tests.record_stubs``.
"""

import builtins
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from msgrad import ops as _ops
from msgrad.autograd.hooks import HookHandle
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor
from msgrad.ops.sparse_tensor import COOTensor, CSRTensor
from msgrad.ops.tensor_state import UntypedStorage

_Operand = Tensor | bool | int | float | complex | np.number[Any] | np.bool_
_Sizes = int | tuple[int, ...] | list[int]
_Window = int | tuple[int, ...]
# What stands beside a symbol.
_Other = _Operand | jax.Array | list[Any] | tuple[Any, ...]

class Installed:
    """See ``Tensor``."""
    def __hash__(self) -> builtins.int: ...
    abs = _ops.abs
    absolute = _ops.absolute
    acos = _ops.acos
    acosh = _ops.acosh
    addbmm = _ops.addbmm
    addcdiv = _ops.addcdiv
    addcmul = _ops.addcmul
    addmm = _ops.addmm
    addmv = _ops.addmv
    adjoint = _ops.adjoint
    amax = _ops.amax
    amin = _ops.amin
    angle = _ops.angle
    arccos = _ops.arccos
    arccosh = _ops.arccosh
    arcsin = _ops.arcsin
    arcsinh = _ops.arcsinh
    arctan = _ops.arctan
    arctan2 = _ops.arctan2
    arctanh = _ops.arctanh
    argwhere = _ops.argwhere
    asin = _ops.asin
    asinh = _ops.asinh
    atan = _ops.atan
    atan2 = _ops.atan2
    atanh = _ops.atanh
    baddbmm = _ops.baddbmm
    bincount = _ops.bincount
    bitwise_and = _ops.bitwise_and
    bitwise_left_shift = _ops.bitwise_left_shift
    bitwise_or = _ops.bitwise_or
    bitwise_right_shift = _ops.bitwise_right_shift
    bitwise_xor = _ops.bitwise_xor
    bmm = _ops.bmm
    ceil = _ops.ceil
    cholesky = _ops.cholesky
    cholesky_inverse = _ops.cholesky_inverse
    cholesky_solve = _ops.cholesky_solve
    clamp = _ops.clamp
    clip = _ops.clip
    col2im = _ops.col2im
    conj = _ops.conj
    cos = _ops.cos
    cosh = _ops.cosh
    cov = _ops.cov
    cross = _ops.cross
    cummax = _ops.cummax
    cummin = _ops.cummin
    cumprod = _ops.cumprod
    deg2rad = _ops.deg2rad
    det = _ops.det
    diag = _ops.diag
    diagflat = _ops.diagflat
    diagonal_scatter = _ops.diagonal_scatter
    diff = _ops.diff
    digamma = _ops.digamma
    dot = _ops.dot
    dsplit = _ops.dsplit
    eigvals = _ops.eigvals
    eq = _ops.eq
    equal = _ops.equal
    erf = _ops.erf
    erfc = _ops.erfc
    erfinv = _ops.erfinv
    exp = _ops.exp
    expand_dims = _ops.expand_dims
    expm1 = _ops.expm1
    fills = _ops.fills
    flip = _ops.flip
    fliplr = _ops.fliplr
    flipud = _ops.flipud
    floor = _ops.floor
    fmax = _ops.fmax
    fmin = _ops.fmin
    fold = _ops.fold
    frac = _ops.frac
    gather_elements = _ops.gather_elements
    gather_nd = _ops.gather_nd
    gcd = _ops.gcd
    ge = _ops.ge
    geqrf = _ops.geqrf
    ger = _ops.ger
    greater = _ops.greater
    greater_equal = _ops.greater_equal
    gt = _ops.gt
    hardshrink = _ops.hardshrink
    heaviside = _ops.heaviside
    histc = _ops.histc
    hsplit = _ops.hsplit
    hypot = _ops.hypot
    i0 = _ops.i0
    igamma = _ops.igamma
    igammac = _ops.igammac
    imag = _ops.imag
    index_fill = _ops.index_fill
    inner = _ops.inner
    inplace_update = _ops.inplace_update
    inv = _ops.inv
    inverse = _ops.inverse
    invert = _ops.invert
    is_complex = _ops.is_complex
    is_floating_point = _ops.is_floating_point
    isclose = _ops.isclose
    isfinite = _ops.isfinite
    isinf = _ops.isinf
    isnan = _ops.isnan
    isnan_ext = _ops.isnan_ext
    isneginf = _ops.isneginf
    isposinf = _ops.isposinf
    isreal = _ops.isreal
    lcm = _ops.lcm
    ldexp = _ops.ldexp
    le = _ops.le
    lerp = _ops.lerp
    less = _ops.less
    less_equal = _ops.less_equal
    lgamma = _ops.lgamma
    log = _ops.log
    log10 = _ops.log10
    log1p = _ops.log1p
    log2 = _ops.log2
    log_matrix_determinant = _ops.log_matrix_determinant
    logaddexp = _ops.logaddexp
    logaddexp2 = _ops.logaddexp2
    logcumsumexp = _ops.logcumsumexp
    logdet = _ops.logdet
    logical_not = _ops.logical_not
    logit = _ops.logit
    lstsq = _ops.lstsq
    lt = _ops.lt
    lu_solve = _ops.lu_solve
    masked_select = _ops.masked_select
    matmul = _ops.matmul
    matrix_determinant = _ops.matrix_determinant
    matrix_power = _ops.matrix_power
    maximum = _ops.maximum
    minimum = _ops.minimum
    mm = _ops.mm
    moveaxis = _ops.moveaxis
    movedim = _ops.movedim
    msort = _ops.msort
    mul = _ops.mul
    multinomial = _ops.multinomial
    mvlgamma = _ops.mvlgamma
    nan_to_num = _ops.nan_to_num
    nanmean = _ops.nanmean
    nanmedian = _ops.nanmedian
    nanquantile = _ops.nanquantile
    ne = _ops.ne
    neg = _ops.neg
    negative = _ops.negative
    nextafter = _ops.nextafter
    nonzero = _ops.nonzero
    norm = _ops.norm
    not_equal = _ops.not_equal
    numel = _ops.numel
    orgqr = _ops.orgqr
    outer = _ops.outer
    positive = _ops.positive
    quantile = _ops.quantile
    rad2deg = _ops.rad2deg
    random_categorical = _ops.random_categorical
    ravel = _ops.ravel
    real = _ops.real
    reciprocal = _ops.reciprocal
    renorm = _ops.renorm
    reverse = _ops.reverse
    roll = _ops.roll
    rot90 = _ops.rot90
    round = _ops.round
    rsqrt = _ops.rsqrt
    select_scatter = _ops.select_scatter
    sgn = _ops.sgn
    sigmoid = _ops.sigmoid
    sign = _ops.sign
    signbit = _ops.signbit
    sin = _ops.sin
    sinc = _ops.sinc
    sinh = _ops.sinh
    slice_scatter = _ops.slice_scatter
    slogdet = _ops.slogdet
    soft_shrink = _ops.soft_shrink
    sqrt = _ops.sqrt
    square = _ops.square
    squeeze = _ops.squeeze
    svd = _ops.svd
    swapaxes = _ops.swapaxes
    swapdims = _ops.swapdims
    t = _ops.t
    tan = _ops.tan
    tanh = _ops.tanh
    tensor_expm1 = _ops.tensor_expm1
    tensor_split = _ops.tensor_split
    top_k = _ops.top_k
    topk = _ops.topk
    tril = _ops.tril
    triu = _ops.triu
    true_divide = _ops.true_divide
    trunc = _ops.trunc
    type_as = _ops.type_as
    unbind = _ops.unbind
    unfold = _ops.unfold
    unique_consecutive = _ops.unique_consecutive
    unique_with_pad = _ops.unique_with_pad
    unsorted_segment_max = _ops.unsorted_segment_max
    unsorted_segment_min = _ops.unsorted_segment_min
    unsorted_segment_prod = _ops.unsorted_segment_prod
    view_as = _ops.view_as
    vsplit = _ops.vsplit
    xdivy = _ops.xdivy
    xlogy = _ops.xlogy
    @property
    def H(self) -> Tensor: ...
    @property
    def T(self) -> Tensor:
        """The dimensions reversed; a Tensor of fewer than two is itself."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: _Other) -> Tensor: ...
    def __and__(self, other: _Other) -> Tensor: ...
    def __eq__(self, other: Any) -> Tensor: ...
    def __floordiv__(self, other: _Other) -> Tensor: ...
    def __format__(self, spec: str) -> str:
        """Default object formatter."""
    def __ge__(self, other: _Other) -> Tensor: ...
    def __getitem__(self, index: Any) -> Tensor:
        """Return the elements that ``index`` selects."""
    def __gt__(self, other: _Other) -> Tensor: ...
    def __iadd__(self, other: _Other) -> Tensor: ...
    def __iand__(self, other: _Other) -> Tensor: ...
    def __ifloordiv__(self, other: _Other) -> Tensor: ...
    def __imatmul__(self, other: _Other) -> Tensor: ...
    def __imod__(self, other: _Other) -> Tensor: ...
    def __imul__(self, other: _Other) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __ior__(self, other: _Other) -> Tensor: ...
    def __ipow__(self, other: _Other) -> Tensor: ...
    def __isub__(self, other: _Other) -> Tensor: ...
    def __itruediv__(self, other: _Other) -> Tensor: ...
    def __ixor__(self, other: _Other) -> Tensor: ...
    def __le__(self, other: _Other) -> Tensor: ...
    def __lt__(self, other: _Other) -> Tensor: ...
    def __matmul__(self, other: _Other) -> Tensor: ...
    def __mod__(self, other: _Other) -> Tensor: ...
    def __mul__(self, other: _Other) -> Tensor: ...
    def __ne__(self, other: Any) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: _Other) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: _Other) -> Tensor: ...
    def __radd__(self, other: _Other) -> Tensor: ...
    def __rand__(self, other: _Other) -> Tensor: ...
    def __rfloordiv__(self, other: _Other) -> Tensor: ...
    def __rmatmul__(self, other: _Other) -> Tensor: ...
    def __rmod__(self, other: _Other) -> Tensor: ...
    def __rmul__(self, other: _Other) -> Tensor: ...
    def __ror__(self, other: _Other) -> Tensor: ...
    def __round__(self) -> Tensor: ...
    def __rpow__(self, other: _Other) -> Tensor: ...
    def __rsub__(self, other: _Other) -> Tensor: ...
    def __rtruediv__(self, other: _Other) -> Tensor: ...
    def __rxor__(self, other: _Other) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any) -> None:
        """Replace the elements that ``index`` selects, in place."""
    def __sub__(self, other: _Other) -> Tensor: ...
    def __truediv__(self, other: _Other) -> Tensor: ...
    def __xor__(self, other: _Other) -> Tensor: ...
    def add(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Compute ``input + alpha * other``, element by element with broadcasting."""
    def add_(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Compute ``input + alpha * other``, element by element with broadcasting."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, beta: _Operand = 1, alpha: _Operand = 1) -> Tensor:
        """In place: ``beta * input + alpha * (mat1 @ mat2)`` of matrices; ``input`` may be a
        number.
        """
    def addr(self, vec1: Tensor, vec2: Tensor, beta: _Operand = 1, alpha: _Operand = 1) -> Tensor:
        """Compute ``beta * x + alpha * outer(vec1, vec2)``."""
    def all(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Whether all elements over ``axis`` are true or not zero."""
    def allclose(
        self,
        other: Any,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> builtins.bool:
        """Whether all elements are close to each other; see ``isclose``."""
    def aminmax(self, *, axis: Any = 0, keepdims: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Smallest and largest elements along ``axis``, not counting nan; without one, of all."""
    def any(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Whether some element over ``axis`` is true or not zero; of uint8, 0 or 1."""
    def approximate_equal(self, other: _Operand, tolerance: builtins.float = 1e-05) -> Tensor:
        """Whether elements differ by less than a tolerance."""
    def argmax(
        self,
        dim: Any = ...,
        keepdim: builtins.bool = False,
        *,
        axis: Any = ...,
        keepdims: builtins.bool = ...,
    ) -> Tensor:
        """Position of the first largest element, int64: of all without ``dim``."""
    def argmax_with_value(self, axis: Any = 0, keep_dims: builtins.bool = False) -> Any:
        """Largest elements along ``axis`` and where they are."""
    def argmin(
        self,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
        *,
        dim: builtins.int | None = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Position of the first smallest element, in int32 (int64 of a 0-d Tensor)."""
    def argmin_with_value(self, axis: Any = 0, keep_dims: builtins.bool = False) -> Any:
        """Smallest elements along ``axis`` and where they are; see ``max``."""
    def argsort(
        self,
        axis: builtins.int = -1,
        descending: builtins.bool = False,
        *,
        stable: Any = False,
        dim: builtins.int = ...,
    ) -> Tensor:
        """Return the positions, int32, of the elements in sorted order along ``axis``."""
    def assign_value_cpp(self, value: Any) -> Tensor:
        """Take over the values of another Tensor, in place; a view then has its own elements."""
    def astype(self, dtype: Any, copy: builtins.bool = True) -> Tensor:
        """Convert to another dtype."""
    def bernoulli(self, *, generator: Any = None) -> Tensor:
        """Draw 0 or 1, with the elements as the probabilities of 1."""
    def bernoulli_(self, p: Any = 0.5, *, generator: Any = None) -> Tensor:
        """Fill with ones, each with probability ``p``, a number or Tensor, and zeros, in place."""
    def bfloat16(self) -> Tensor:
        """Convert to BFloat16."""
    def bitwise_not(self) -> Tensor:
        """Flip the bits of integers; of bools, not."""
    def bool(self) -> Tensor:
        """Convert to Bool."""
    def broadcast_to(self, *shape: Any, **named: Any) -> Tensor:
        """Broadcast to a shape: ``broadcast_to(2, 3)`` or ``broadcast_to((2, 3))``."""
    def byte(self) -> Tensor:
        """Convert to UInt8."""
    def cauchy(self, median: builtins.float = 0.0, sigma: builtins.float = 1.0) -> Tensor:
        """Return numbers of the Cauchy distribution in the shape and dtype of the Tensor."""
    def choose(self, choices: Any, mode: str = "clip") -> Tensor:
        """Take each element from the choice that the Tensor has the number of."""
    def chunk(
        self, chunks: builtins.int, dim: builtins.int = 0, *, axis: builtins.int = ...
    ) -> tuple[Tensor, ...]:
        """Cut a Tensor along ``axis`` into at most ``chunks`` equal pieces, the last smaller."""
    def clamp_(self, min: Any = None, max: Any = None) -> Tensor:
        """In place: Clip to [min, max], the upper bound last; the gradient at a bound is 1."""
    def clone(self) -> Tensor:
        """Return an independent Tensor of the same values, through which gradients flow."""
    def contiguous(self) -> Tensor:
        """Return the Tensor itself, or a copy where it shows a part of another or its elements
        stand in another order.
        """
    def convert_bytes_to_tensor(
        self, shape: tuple[builtins.int, ...], dtype: mstype.DType
    ) -> Tensor:
        """Return the Tensor whose bytes ``get_bytes`` gave."""
    def copy_(self, src: Tensor, non_blocking: builtins.bool = False) -> Tensor:
        """Copy the elements of ``src`` into the Tensor, in place, with broadcasting."""
    def copysign(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """The size of ``input`` with the sign of ``other``; float32 but for float16 and 64."""
    def count_nonzero(
        self,
        axis: Any = (),
        keep_dims: builtins.bool = False,
        dtype: Any = ...,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """How many elements over ``axis`` are not zero, in ``dtype``."""
    def cumsum(
        self, axis: builtins.int | None = None, dtype: Any = None, *, dim: builtins.int | None = ...
    ) -> Tensor:
        """Running sum along ``axis``, or of all elements; what is narrower than int32 becomes
        it.
        """
    def data_ptr(self) -> builtins.int:
        """Return the address of the first element, for as long as the Tensor is not written."""
    def data_sync(self, value: Any = None) -> None:
        """Accepted for compatibility: of MindSpore's own storage."""
    @property
    def delta_seed(self) -> Any:
        """Return 0: of MindSpore's own storage."""
    def diagonal(
        self, offset: builtins.int = 0, axis1: builtins.int = 0, axis2: builtins.int = 1
    ) -> Tensor:
        """Return a diagonal of two dimensions, as a view whose last dimension it is."""
    def dim(self) -> builtins.int:
        """Return the number of dimensions."""
    def div(self, other: Any, *, rounding_mode: str | None = None) -> Tensor:
        """Divide element by element with broadcasting."""
    def div_(self, other: Any, *, rounding_mode: str | None = None) -> Tensor:
        """Divide element by element with broadcasting."""
    def divide(self, other: Any, *, rounding_mode: str | None = None) -> Tensor:
        """Divide element by element with broadcasting."""
    def double(self) -> Tensor:
        """Convert to Float64."""
    def erfinv_(self) -> Tensor:
        """In place: Inverse of the error function."""
    def exp_(self) -> Tensor:
        """e to the power of each element."""
    def expand(self, *size: Any) -> Tensor:
        """Broadcast to a shape: ``expand(2, 3)`` or ``expand((2, 3))``."""
    def expand_as(self, other: Tensor = ..., *, x: Tensor = ...) -> Tensor:
        """Broadcast ``input`` to the shape of ``other``."""
    def exponential_(self, lambd: builtins.float = 1, *, generator: Any = None) -> Tensor:
        """Fill with exponentially distributed numbers, in place."""
    def fill(self, value: Tensor | builtins.float | builtins.bool) -> Tensor:
        """Return ``fill_value`` in the shape and, by default, the dtype of ``input``."""
    def fill_(self, value: Any) -> Tensor:
        """Fill with a value, in place."""
    def fill_diagonal(self, fill_value: builtins.float, wrap: builtins.bool = False) -> Tensor:
        """Fill the main diagonal, in a copy."""
    def fill_diagonal_(self, fill_value: builtins.float, wrap: builtins.bool = False) -> Tensor:
        """In place: Fill the main diagonal, in a copy."""
    def flatten(
        self, order: Any = "C", start_dim: builtins.int = 0, end_dim: builtins.int = -1
    ) -> Tensor:
        """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one, as a view."""
    def float(self) -> Tensor:
        """Convert to Float32."""
    def float_power(self, exponent: _Operand = ..., *, other: _Operand = ...) -> Tensor:
        """Raise to a power element by element, in float64 (complex128 of complex operands)."""
    def float_power_ext(self, exponent: _Operand = ..., *, other: _Operand = ...) -> Tensor:
        """Raise to a power element by element, in float64 (complex128 of complex operands)."""
    def floor_(self) -> Tensor:
        """In place: Round down to an integer."""
    def floor_divide(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """Divide and round towards minus infinity; an integer over zero gives its type's limit."""
    def floor_divide_(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """Divide and round towards minus infinity; an integer over zero gives its type's limit."""
    def flush_from_cache(self) -> Any:
        """Return None: of MindSpore's own storage."""
    def fmod(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """Compute ``input - trunc(input / other) * other``, each step rounded: 6 by 0.1 leaves
        0.
        """
    def from_dlpack(self) -> Tensor:
        """Make a Tensor of a capsule, or of what has ``__dlpack__``; the values are copied."""
    def gather(self, *args: Any, **named: Any) -> Tensor:
        """Return the elements, or slices, at the positions that an index names."""
    def get_bytes(self) -> bytes:
        """Return the values as bytes."""
    def half(self) -> Tensor:
        """Convert to Float16."""
    def hooks(self) -> list[Callable[[Tensor], Any]]:
        """Return the hooks that are registered on this Tensor, in their order."""
    def index(self, indices: Any) -> Tensor:
        """Take elements by a tuple of index Tensors, as ``x[indices]``."""
    def index_add(self, *args: Any, alpha: Any = 1, **named: Any) -> Tensor:
        """Add slices, in a copy, at the positions along a dimension; see ``index_add``."""
    def index_add_(self, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Tensor:
        """Add ``alpha * source`` at the positions along a dimension, in place."""
    def index_copy_(self, dim: builtins.int, index: Tensor, tensor: Tensor) -> Tensor:
        """Replace slices along a dimension, in place."""
    def index_fill_(self, axis: builtins.int, index: Tensor, value: _Operand) -> Tensor:
        """In place: Fill the slices of ``axis`` that ``index`` names with a number, in a copy."""
    @property
    def index_of_parent_(self) -> Any:
        """Return None: of MindSpore's own storage."""
    def index_put(self, indices: Any, values: Any, accumulate: builtins.bool = False) -> Tensor:
        """Return the Tensor with elements replaced, or added to, at a tuple of index Tensors."""
    def index_put_(self, indices: Any, values: Any, accumulate: builtins.bool = False) -> Tensor:
        """Replace elements, or add to them, at a tuple of index Tensors, in place."""
    def index_select(
        self, dim: builtins.int = ..., index: Tensor = ..., *, axis: builtins.int = ...
    ) -> Tensor:
        """Return the slices of ``axis`` that the 1-D ``index`` names."""
    @property
    def init_finished(self) -> Any:
        """Return True: of MindSpore's own storage."""
    @property
    def init_flag(self) -> Any:
        """Return False: of MindSpore's own storage."""
    def int(self) -> Tensor:
        """Convert to Int32."""
    def is_contiguous(self) -> builtins.bool:
        """Whether the elements lie next to each other in memory, in row-major order."""
    def is_init(self) -> Any:
        """Return False: of MindSpore's own storage."""
    @property
    def is_meta(self) -> Any:
        """Return False: of MindSpore's own storage."""
    def is_pinned(self) -> Any:
        """Return False: of MindSpore's own storage."""
    def is_shared(self) -> Any:
        """Return False: of MindSpore's own storage."""
    def is_signed(self) -> builtins.bool:
        """Whether the dtype has negative numbers; of float16, MindSpore says no."""
    def itemset(self, *args: Any) -> Tensor:
        """Return the Tensor with one element replaced: ``(value)`` or ``(place, value)``."""
    def log_(self) -> Tensor:
        """In place: Natural logarithm of each element."""
    def log_normal(self, mean: builtins.float = 1.0, std: builtins.float = 2.0) -> Tensor:
        """Return numbers, in the shape of a Tensor, whose logarithms are normal."""
    def logical_and(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """Whether both elements are not zero."""
    def logical_or(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """Whether one of the elements is not zero."""
    def logical_xor(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """Whether just one element is not zero."""
    def logsumexp(
        self,
        dim: Any = ...,
        keepdim: builtins.bool = False,
        *,
        axis: Any = ...,
        keepdims: builtins.bool = ...,
    ) -> Tensor:
        """Logarithm of the sum of exponentials over ``dim``, safe from overflow."""
    def long(self) -> Tensor:
        """Convert to Int64."""
    @property
    def mH(self) -> Any:
        """The matrices transposed and conjugated."""
    @property
    def mT(self) -> Tensor: ...
    def masked_fill(self, mask: Tensor, value: Tensor | builtins.float | builtins.bool) -> Tensor:
        """Replace the elements where a mask is True; ``value`` takes the dtype, complex too."""
    def masked_fill_(self, mask: Tensor, value: Tensor | builtins.float | builtins.bool) -> Tensor:
        """In place: Replace the elements where a mask is True; ``value`` takes the dtype,
        complex too.
        """
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """Replace the elements where a mask is True by those of ``source``, in order."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """In place: Replace the elements where a mask is True by those of ``source``, in order."""
    def max(
        self,
        *place: Any,
        axis: Any = ...,
        keepdims: Any = ...,
        initial: Any = ...,
        where: Any = ...,
        return_indices: Any = ...,
        dim: Any = ...,
        keepdim: Any = ...,
    ) -> Any:
        """``max()``, ``max(dim, keepdim)`` with positions, or ``max(axis=...)`` without."""
    def mean(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        *,
        dtype: Any = None,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Mean over ``axis``; integers stay integers, rounded towards zero."""
    def median(
        self,
        axis: builtins.int = -1,
        keepdims: builtins.bool = False,
        *,
        dim: builtins.int = ...,
        keepdim: builtins.bool = ...,
    ) -> tuple[Tensor, Tensor]:
        """The lower median along ``axis`` and its int64 position; a nan counts as the median."""
    def min(
        self,
        *place: Any,
        axis: Any = ...,
        keepdims: Any = ...,
        initial: Any = ...,
        where: Any = ...,
        return_indices: Any = ...,
        dim: Any = ...,
        keepdim: Any = ...,
    ) -> Any:
        """``max()``, ``max(dim, keepdim)`` with positions, or ``max(axis=...)`` without."""
    def move_to(self, to: Any, blocking: builtins.bool = True) -> Tensor:
        """Return the Tensor: where it is, JAX decides; see ``mindspore.DeviceCtx``."""
    def mul_(self, other: _Operand) -> Tensor:
        """Multiply element by element with broadcasting."""
    def multiply(self, value: _Operand) -> Tensor:
        """Multiply element by element with broadcasting."""
    def nansum(
        self,
        axis: Any = None,
        keepdims: builtins.bool = False,
        *,
        dtype: Any = None,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Sum over ``axis`` with nan taken as 0, then cast to ``dtype``; bools give int64."""
    def narrow(
        self,
        dim: builtins.int | builtins.bool = ...,
        start: builtins.int = ...,
        length: builtins.int = ...,
        *,
        axis: builtins.int | builtins.bool = ...,
    ) -> Tensor:
        """Return ``length`` elements of ``axis`` from ``start`` on, as a view."""
    def ndimension(self) -> builtins.int:
        """Return the number of dimensions."""
    def nelement(self) -> builtins.int:
        """Return the number of elements."""
    def new_empty(self, size: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
        """Return a Tensor of zeros, for values that are to be written; of the same dtype by
        default.
        """
    def new_full(
        self,
        size: Any,
        fill_value: Tensor | builtins.float | builtins.bool,
        *,
        dtype: mstype.DType | None = None,
    ) -> Tensor:
        """Return a Tensor filled with a value, of the same dtype unless another is given."""
    def new_ones(self, size: Any, dtype: mstype.DType | None = None) -> Tensor:
        """Return ones of a shape, of the same dtype unless another is given."""
    def new_zeros(self, size: Any, dtype: mstype.DType | None = None) -> Tensor:
        """Return zeros of a shape, of the same dtype unless another is given."""
    def normal_(self, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
        """Fill with normal random numbers, in place."""
    def offload_file_path(self) -> Any:
        """Return '': of MindSpore's own storage."""
    def ormqr(
        self,
        input2: Tensor,
        input3: Tensor,
        left: builtins.bool = True,
        transpose: builtins.bool = False,
    ) -> Tensor:
        """Multiply ``other`` by the whole Q of ``geqrf``'s vectors, or by its transpose."""
    @property
    def param_info(self) -> Any:
        """None, or what a program that makes its own Parameters of Tensors has assigned."""
    @property
    def parent_tensor_(self) -> Any:
        """Return None: of MindSpore's own storage."""
    def permute(self, *axis: Any, **named: Any) -> Tensor:
        """Permute the dimensions, ``permute(1, 0)`` or ``permute((1, 0))``, or reverse them."""
    def pow(self, exponent: Any) -> Tensor:
        """Raise to a power element by element; an integer to a negative power gives 0."""
    def prod(
        self,
        axis: Any = None,
        keep_dims: builtins.bool = False,
        dtype: Any = None,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
    ) -> Tensor:
        """Product over ``axis``; bools, signed integers and uint8 give int64."""
    def ptp(self, axis: Any = None, keepdims: builtins.bool = False) -> Tensor:
        """Return how far the largest is from the smallest along an axis, or of all."""
    def put_(self, index: Tensor, source: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Replace elements, or add to them, at places of the flat Tensor, in place."""
    def qr(self, some: builtins.bool = True) -> tuple[Tensor, Tensor]:
        """Factor matrices into an orthogonal and an upper triangular one; square without
        ``some``.
        """
    def random_(
        self, from_: builtins.int = 0, to: builtins.int | None = None, *, generator: Any = None
    ) -> Tensor:
        """Fill with random whole numbers from ``from_`` to below ``to``, in place."""
    def register_hook(self, hook: Callable[[Tensor], Any]) -> HookHandle:
        """Call ``hook`` with the gradient of this Tensor when it is known."""
    def remainder(self, other: _Operand = ..., *, divisor: _Operand = ...) -> Tensor:
        """Remainder of the division that rounds towards minus infinity; bools are accepted too."""
    def remainder_(self, other: _Operand = ..., *, divisor: _Operand = ...) -> Tensor:
        """Remainder of the division that rounds towards minus infinity; bools are accepted too."""
    def repeat(self, *repeats: Any, axis: builtins.int | None = None) -> Tensor:
        """Repeat the whole Tensor; with ``axis``, its elements."""
    def repeat_interleave(
        self, repeats: Any, dim: builtins.int | None = None, *, output_size: Any = None
    ) -> Tensor:
        """Repeat elements along ``axis``, or of the flattened Tensor where it is None."""
    def requires_grad_(self, requires_grad: builtins.bool = True) -> None:
        """Set whether a Parameter is trained; of another Tensor, which ``grad`` asks for,
        nothing.
        """
    def reshape(self, *shape: Any, **named: Any) -> Tensor:
        """Return a view in another shape: ``reshape(2, 3)`` or ``reshape((2, 3))``."""
    def reshape_as(self, other: Tensor) -> Tensor:
        """Return ``input`` in the shape of ``other``, as a view."""
    def resize(self, *new_shape: Any) -> Tensor:
        """Return the first elements in another shape; zeros follow where there are too few."""
    def reverse_sequence(
        self, seq_lengths: Tensor, seq_dim: builtins.int = 0, batch_dim: builtins.int = 0
    ) -> Tensor:
        """Reverse the first elements of each sequence."""
    def scatter(
        self,
        dim: Any = None,
        index: Any = None,
        src: Any = None,
        *,
        axis: Any = None,
        reduce: str = "none",
    ) -> Tensor:
        """Write ``src`` into a copy at the positions along a dimension; see ``scatter``."""
    def scatter_(
        self,
        dim: Any = None,
        index: Any = None,
        src: Any = None,
        *,
        axis: Any = None,
        reduce: str = "none",
    ) -> Tensor:
        """In place: Write ``src`` into a copy at the positions along a dimension; see
        ``scatter``.
        """
    def scatter_add(self, *args: Any, **named: Any) -> Tensor:
        """Add, in a copy, at the positions that an index names."""
    def scatter_add_(self, *args: Any, **named: Any) -> Tensor:
        """In place: Add, in a copy, at the positions that an index names."""
    def scatter_div(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Divide slices, in a copy."""
    def scatter_max(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Take the larger of slices and ``updates``, in a copy."""
    def scatter_min(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Take the smaller of slices and ``updates``, in a copy."""
    def scatter_mul(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Multiply slices, in a copy."""
    def scatter_sub(self, indices: Tensor, updates: Tensor) -> Tensor:
        """Subtract from slices, in a copy."""
    def searchsorted(self, v: Any, side: str = "left", sorter: Tensor | None = None) -> Tensor:
        """Return the places where ``v`` would be inserted into sorted rows, as int32."""
    def select(self, *args: Any, **named: Any) -> Tensor:
        """Return one slice of a dimension, or choose elements by a condition."""
    def set_(self, source: Any = None) -> Tensor:
        """Let the Tensor be ``source`` from now on: its shape, and its elements, which both
        share.
        """
    def set_cast_dtype(self, value: Any = None) -> None:
        """Accepted for compatibility: of MindSpore's own storage."""
    def set_init_flag(self, value: Any = None) -> None:
        """Accepted for compatibility: of MindSpore's own storage."""
    def short(self) -> Tensor:
        """Convert to Int16."""
    def sigmoid_(self) -> Tensor:
        """In place: ``1 / (1 + exp(-x))``."""
    def sign_(self) -> Tensor:
        """In place: -1, 0 or 1 by the sign of each element; 0 of nan."""
    def softmax(self, axis: builtins.int, dtype: Any = None) -> Tensor:
        """Compute exponentials that sum to 1 along ``axis``."""
    def sort(
        self,
        axis: builtins.int = -1,
        descending: builtins.bool = False,
        *,
        stable: Any = False,
        dim: builtins.int = ...,
    ) -> tuple[Tensor, Tensor]:
        """Sort along ``axis``, equal elements in their order."""
    def split(
        self,
        split_size: Any = None,
        dim: builtins.int = 0,
        *,
        axis: builtins.int | None = None,
        split_size_or_sections: Any = None,
    ) -> tuple[Tensor, ...]:
        """Cut into pieces along a dimension, by their size or their sizes."""
    def std(
        self,
        axis: builtins.int | tuple[builtins.int, ...] | None = None,
        ddof: builtins.int | builtins.bool = 0,
        keepdims: builtins.bool = False,
        *,
        dim: builtins.int | tuple[builtins.int, ...] | None = ...,
        keepdim: builtins.bool = ...,
        correction: builtins.int | builtins.bool = ...,
    ) -> Tensor:
        """Square root of the variance; see ``var``."""
    def storage(self) -> UntypedStorage:
        """Return the bytes behind the Tensor."""
    def storage_offset(self) -> builtins.int:
        """Return how many elements of the Tensor that this one shows a part of come before it."""
    def stride(self, dim: builtins.int | None = None) -> Any:
        """Return the steps, in elements, from one element to the next in each dimension."""
    def sub(self, other: Any = ..., *, alpha: Any = 1, y: Any = ...) -> Tensor:
        """Compute ``input - alpha * other``, element by element with broadcasting."""
    def sub_(self, other: Any = ..., *, alpha: Any = 1, y: Any = ...) -> Tensor:
        """Compute ``input - alpha * other``, element by element with broadcasting."""
    def subtract(self, other: Any = ..., *, alpha: Any = 1, y: Any = ...) -> Tensor:
        """Compute ``input - alpha * other``, element by element with broadcasting."""
    def sum(
        self,
        dim: Any = None,
        keepdim: Any = ...,
        keepdims: Any = ...,
        initial: Any = None,
        *,
        dtype: Any = None,
        axis: Any = ...,
    ) -> Tensor:
        """Sum over dimensions: ``(dim, keepdim, *, dtype)`` or ``(axis, dtype, keepdims,
        initial)``.
        """
    def sum_to_size(self, *size: Any) -> Tensor:
        """Add up what broadcasting from ``size`` to the shape repeats."""
    @property
    def symbolic_shape(self) -> Any:
        """The sizes of a Tensor that describes an input with Symbols, those as dicts; else None."""
    def take(self, index: Tensor, axis: builtins.int | None = None, mode: str = "clip") -> Tensor:
        """Return the elements, or slices along ``axis``, at the positions in ``index``."""
    def tanh_(self) -> Tensor:
        """In place: Hyperbolic tangent of each element."""
    def tile(self, *dims: Any, **named: Any) -> Tensor:
        """Repeat the whole Tensor along its dimensions; see ``tile``."""
    def to(
        self,
        *args: Any,
        device: str | None = None,
        dtype: Any = None,
        other: Any = None,
        non_blocking: builtins.bool = False,
        copy: builtins.bool = False,
    ) -> Tensor:
        """Convert to a dtype, or to that of another Tensor."""
    def to_coo(self) -> COOTensor:
        """Return the elements of a matrix that are not zero, with their places."""
    def to_csr(self) -> CSRTensor:
        """Return the elements of a matrix that are not zero, by rows."""
    def to_dlpack(self) -> Any:
        """Return a capsule for ``from_dlpack``, of msgrad or another library."""
    def trace(
        self,
        offset: builtins.int = 0,
        axis1: builtins.int = 0,
        axis2: builtins.int = 1,
        dtype: Any = None,
    ) -> Tensor:
        """Sum of a diagonal of two dimensions: int64 of integers, unless ``dtype`` says another."""
    def transpose(self, *axes: Any) -> Tensor:
        """Permute the dimensions: all reversed, two exchanged, or in the order given."""
    def truncate_mod(self, other: _Operand = ..., *, y: _Operand = ...) -> Tensor:
        """Remainder as ``fmod`` has it, but exact, and of an integer by 0 it is 0."""
    def type(self, dtype: Any = None) -> Any:
        """Return the name of the dtype; with ``dtype``, convert to it."""
    def uniform(
        self, from_: builtins.float = 0.0, to: builtins.float = 1.0, generator: Any = None
    ) -> Tensor:
        """Return uniform random numbers in the shape and dtype of the Tensor."""
    def uniform_(
        self, from_: builtins.float = 0.0, to: builtins.float = 1.0, *, generator: Any = None
    ) -> Tensor:
        """Fill with uniform random numbers, in place."""
    def unique(
        self,
        sorted: builtins.bool = True,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: builtins.int | None = None,
    ) -> Any:
        """Return the distinct elements, sorted."""
    def unsqueeze(self, dim: builtins.int = ..., *, axis: builtins.int = ...) -> Tensor:
        """Insert a dimension of size 1 at ``dim``, as a view."""
    def untyped_storage(self) -> UntypedStorage:
        """Return the bytes behind the Tensor."""
    def var(
        self,
        axis: Any = None,
        ddof: builtins.int | builtins.bool = 0,
        keepdims: builtins.bool = False,
        *,
        dim: Any = ...,
        keepdim: builtins.bool = ...,
        correction: builtins.int | builtins.bool = ...,
    ) -> Tensor:
        """Variance over ``axis``, divided by the count less ``ddof``, be that 0 or negative."""
    def view(self, *shape: Any, **named: Any) -> Tensor:
        """Return a view in another shape, or of the same bits in another ``dtype``."""
    @property
    def virtual_flag(self) -> Any:
        """Return False: of MindSpore's own storage."""
    def wait_pipeline(self) -> Any:
        """Return None: of MindSpore's own storage."""
    def where(self, condition: Tensor, other: Any = None, *, y: Any = None) -> Tensor:
        """Return the elements where ``condition`` holds and those of ``other`` elsewhere."""
    def zero_(self) -> Tensor:
        """Fill with zeros, in place."""
