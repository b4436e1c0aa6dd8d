"""The names of ``msgrad.mint.functions``.

Written by ``python -m tests.record_stubs``.
"""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor

_Number = bool | int | float | complex | np.number[Any] | np.bool_
# What stands beside a symbol.
_Other = Tensor | _Number | jax.Array | list[Any] | tuple[Any, ...]

__all__: list[str]

def abs(input: Tensor) -> Tensor:
    """Size of each element."""

def acos(input: Tensor) -> Tensor:
    """Inverse cosine of each element, in radians."""

def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Compute ``input + alpha * other``, element by element with broadcasting."""

def addbmm(
    input: Tensor | _Number,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Tensor | _Number = 1,
    alpha: Tensor | _Number = 1,
) -> Tensor:
    """``beta * input + alpha * sum(batch1 @ batch2)`` over the batch; ``input`` may be a
    number.
    """

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1) -> Tensor:
    """``input + value * tensor1 / tensor2``, element by element."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | _Number = 1) -> Tensor:
    """``input + value * tensor1 * tensor2``, element by element."""

def addmm(
    input: Tensor | _Number,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Tensor | _Number = 1,
    alpha: Tensor | _Number = 1,
) -> Tensor:
    """``beta * input + alpha * (mat1 @ mat2)`` of matrices; ``input`` may be a number."""

def addmv(
    input: Tensor,
    mat: Tensor,
    vec: Tensor,
    *,
    beta: Tensor | _Number = 1,
    alpha: Tensor | _Number = 1,
) -> Tensor:
    """``beta * input + alpha * (mat @ vec)`` of a matrix and a vector."""

def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Compute ``beta * input + alpha * outer(vec1, vec2)``, in place."""

def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether all elements over ``axis`` are true or not zero."""

def allclose(
    input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether all elements are close to each other; see ``isclose``."""

def amax(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""

def amin(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """Smallest element over ``axis``; see ``amax``."""

def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether some element over ``axis`` is true or not zero; of uint8, 0 or 1."""

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

def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the position of the first smallest element, int64."""

def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Return the places, int64, of the elements in sorted order along ``dim``."""

def asin(input: Tensor) -> Tensor:
    """Inverse sine of each element, in radians."""

def asinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def atan(input: Tensor) -> Tensor:
    """Inverse tangent of each element, in radians."""

def atan2(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Angle of the point (other, input), in radians."""

def atanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Tensor | _Number = 1,
    alpha: Tensor | _Number = 1,
) -> Tensor:
    """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""

def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 0 or 1, with the elements as the probabilities of 1."""

def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count each number from 0 on, or sum its weights; the values of ``input`` must be
    known.
    """

def bitwise_and(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """And of the bits of two integers or bools."""

def bitwise_not(input: Tensor) -> Tensor:
    """Flip the bits of each element."""

def bitwise_or(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Or of the bits of two integers or bools."""

def bitwise_xor(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Exclusive or of the bits of two integers or bools."""

def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""

def broadcast_to(input: Tensor, shape: int | tuple[int, ...] | list[int]) -> Tensor:
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size."""

def cat(tensors: Any, dim: int = 0) -> Tensor:
    """Join Tensors along an existing dimension."""

def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: Any = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """Distances between the rows of (..., P, M) and (..., R, M), in the p-norm: (..., P, R)."""

def ceil(input: Tensor) -> Tensor:
    """Round up to an integer."""

def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut along ``dim`` into at most ``chunks`` equal pieces; what is empty, into so many."""

def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""

def clip(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""

def clone(input: Any) -> Tensor:
    """Return an independent Tensor of the same values, through which gradients flow."""

def concat(tensors: Any, dim: int = 0) -> Tensor:
    """Join Tensors along an existing dimension."""

def cos(input: Tensor) -> Tensor:
    """Cosine of each element, in radians."""

def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine of each element."""

def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """Return how many elements over ``dim`` are not 0, int64."""

def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Cross product of vectors of size 3 along ``dim`` (the first of that size by default)."""

def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Running maximum along ``axis`` and its int64 positions."""

def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the running minimum along ``dim`` and its positions, int64."""

def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Running product along ``dim``; integers and bools give int64."""

def cumsum(input: Tensor, dim: int, dtype: mstype.DType | None = None) -> Tensor:
    """Return the running sum along ``dim``; int64 of ints and bools unless ``dtype`` says."""

def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return a diagonal of a matrix, or the matrix with a vector as its diagonal."""

def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences, taken ``n`` times, between neighbours along ``dim``."""

def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element with broadcasting."""

def divide(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element with broadcasting."""

def dot(input: Tensor, other: Tensor) -> Tensor:
    """Contract the last dimensions of both Tensors; a 0-d one multiplies, of any dtype."""

def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the third dimension, which those of fewer are given."""

def einsum(equation: str, *operands: Any) -> Tensor:
    """Sum products over the indices an equation such as ``'ij,jk->ik'`` names."""

def empty(
    *size: Any, dtype: mstype.DType | None = None, device: Any = None, pin_memory: bool = False
) -> Tensor:
    """Return zeros, where MindSpore returns whatever the memory holds."""

def empty_like(
    input: Tensor,
    *,
    dtype: mstype.DType | None = None,
    device: Any = None,
    pin_memory: bool = False,
) -> Tensor:
    """Return zeros of the shape and, unless told, the dtype of ``input``; see ``empty``."""

def eq(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether elements are equal."""

def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two Tensors have the same shape and elements."""

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

def expm1(input: Tensor) -> Tensor:
    """``exp(x) - 1``, exact near 0."""

def eye(n: int, m: int | None = None, dtype: mstype.DType | None = None) -> Tensor:
    """Return ``n`` rows and ``m`` (or ``n``) columns with ones on the diagonal, float32 by
    default.
    """

def fix(input: Tensor) -> Tensor:
    """Round towards 0; integers and bools stay as they are."""

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one, as a view."""

def flip(input: Tensor, dims: int | tuple[int, ...] | list[int]) -> Tensor:
    """Reverse the order of the elements along the given dimensions (a tuple or list of
    ints).
    """

def float_power(input: Tensor | _Number, exponent: Tensor | _Number) -> Tensor:
    """Raise to a power element by element, in float64 (complex128 of complex operands)."""

def floor(input: Tensor) -> Tensor:
    """Round down to an integer."""

def floor_divide(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Divide and round towards minus infinity; an integer over zero gives its type's limit."""

def fmod(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Compute ``input - trunc(input / other) * other``, each step rounded: 6 by 0.1 leaves
    0.
    """

def frac(input: Tensor) -> Tensor:
    """What ``trunc`` leaves of each element."""

def full(
    size: tuple | list, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return a Tensor filled with one value, whose dtype is the default."""

def full_like(
    input: Tensor, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return ``fill_value`` in the shape and, by default, the dtype of ``input``."""

def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names."""

def gcd(input: Tensor, other: Tensor) -> Tensor:
    """Compute the greatest common divisor of integers, element by element."""

def ge(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not less than ``other``."""

def greater(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is greater than ``other``."""

def greater_equal(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not less than ``other``."""

def gt(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is greater than ``other``."""

def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in ``bins`` intervals of one width: float32, or int32 of integers."""

def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join Tensors along the second dimension, 1-D ones along their only one."""

def imag(input: Tensor) -> Tensor:
    """Imaginary part of each element; of a real Tensor, zeros."""

def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """Add ``alpha * source`` to a copy, its slices along ``dim`` to those that ``index``
    names.
    """

def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return the slices of ``axis`` that the 1-D ``index`` names."""

def inverse(input: Tensor) -> Tensor:
    """Inverse of square matrices (..., N, N)."""

def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether ``|input - other| <= atol + rtol * |other|``, element by element."""

def isfinite(input: Tensor) -> Tensor:
    """Whether each element is neither nan nor infinite."""

def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite."""

def isnan(tensor: Tensor) -> Tensor:
    """Whether each element is nan."""

def isneginf(input: Tensor) -> Tensor:
    """Whether it is -infinity."""

def item(input: Tensor) -> float | int | bool:
    """Return the one number of a Tensor."""

def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the ``k``-th smallest elements along ``dim`` and their places, int64."""

def le(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not greater than ``other``."""

def lerp(input: Tensor, end: Tensor, weight: Tensor | _Number) -> Tensor:
    """``input + weight * (end - input)``, element by element."""

def less(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is less than ``other``."""

def less_equal(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is not greater than ``other``."""

def linspace(start: Any, end: Any, steps: int, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return ``steps`` numbers from ``start`` to ``end``, both included; float32 by default."""

def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Tensor) -> Tensor:
    """Logarithm to the base 10 of each element."""

def log1p(input: Tensor) -> Tensor:
    """``log(1 + x)``, exact near 0."""

def log2(input: Tensor) -> Tensor:
    """Logarithm to the base 2 of each element."""

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

def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """Logarithm of the sum of exponentials over ``dim``, safe from overflow."""

def lt(input: Tensor, other: Tensor | _Number) -> Tensor:
    """Whether ``input`` is less than ``other``."""

def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where a mask is True, in one dimension."""

def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Matrix product of the last two dimensions, the ones before broadcast."""

def max(input: Tensor | float, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the maximum of all, along ``dim`` with the places, or of two."""

def maximum(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """The larger of two Tensors element by element; at a tie the gradient is split evenly."""

def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""

def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median of all elements, or those along ``dim`` with their places, int64."""

def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Return the coordinates of a grid, ``'ij'`` (rows first) unless told."""

def min(input: Tensor | float, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the minimum of all, along ``dim`` with the places, or of two."""

def minimum(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """The smaller of two Tensors element by element; at a tie the gradient is split evenly."""

def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Product of two matrices (N, K) and (K, M) of one dtype."""

def mul(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Multiply element by element with broadcasting."""

def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: int | None = None
) -> Tensor:
    """Draw indices with probabilities proportional to the last dimension."""

def mv(input: Tensor, vec: Tensor) -> Tensor:
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

def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``axis`` with nan taken as 0; bools give int64."""

def narrow(input: Tensor, dim: int | bool, start: int, length: int) -> Tensor:
    """Return ``length`` elements of ``axis`` from ``start`` on, as a view."""

def ne(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether elements differ."""

def neg(input: Tensor) -> Tensor:
    """Negative of each element."""

def negative(input: Tensor) -> Tensor:
    """Negative of each element."""

def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the positions of the elements that are not zero."""

def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm over ``dim``, the root of the sum of squares unless ``p`` says."""

def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Return normal numbers, float32, in the shape of ``mean`` and ``std``, or in ``size``."""

def not_equal(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Whether elements differ."""

def npu_gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Compute ``x * Phi(x)`` with the normal distribution function, or its tanh
    approximation.
    """

def ones(size: Any, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of ones."""

def ones_like(input: Tensor, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return ones of the shape and, by default, the dtype of ``input``."""

def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N,
    M).
    """

def permute(input: Tensor, dims: int | tuple[int, ...] | list[int]) -> Tensor:
    """Permute the dimensions; as ``transpose``."""

def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Return the complex numbers of a size and an angle, float32 or float64."""

def pow(input: Any, exponent: Any) -> Tensor:
    """Raise to a power element by element; an integer to a negative power gives 0."""

def prod(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Product over ``axis``; bools, signed integers and uint8 give int64."""

def rand(
    *size: Any, generator: int | None = None, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return numbers uniform on [0, 1); see ``randn`` for the arguments."""

def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Return numbers uniform on [0, 1) of the shape and dtype of ``input``."""

def randint(
    *args: Any, generator: Any = None, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return integers uniform on [low, high), int64 by default: ``randint(low=0, high,
    size)``.
    """

def randint_like(
    input: Tensor, *bounds: int, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return integers uniform on [low, high) as many as ``input`` has: ``(input, low=0,
    high)``.
    """

def randn(
    *size: Any, generator: int | None = None, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return standard normal numbers."""

def randn_like(input: Tensor, *, dtype: mstype.DType | None = None, device: Any = None) -> Tensor:
    """Return standard normal numbers of the shape and, unless told, the dtype of ``input``."""

def randperm(n: int, *, generator: int | None = None, dtype: mstype.DType = ...) -> Tensor:
    """Return the numbers 0 to ``n - 1`` in random order, int64 by default."""

def ravel(input: Tensor) -> Tensor:
    """Return all elements in row-major order in one dimension, as a view."""

def real(input: Tensor) -> Tensor:
    """Real part of each element; of a real Tensor, the Tensor itself."""

def reciprocal(input: Tensor) -> Tensor:
    """One over each element; float32 of integers."""

def remainder(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """Remainder of the division that rounds towards minus infinity; bools are accepted too."""

def repeat_interleave(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: Any = None
) -> Tensor:
    """Repeat elements along ``axis``, or of the flattened Tensor where it is None."""

def reshape(input: Tensor, shape: int | tuple[int, ...] | list[int]) -> Tensor:
    """Return the elements in row-major order in another shape."""

def roll(
    input: Tensor,
    shifts: int | tuple[int, ...] | list[int],
    dims: int | tuple[int, ...] | list[int] | None = None,
) -> Tensor:
    """Shift the elements cyclically, by ``shifts`` along ``dims`` or of the flattened
    Tensor.
    """

def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Round to ``decimals`` digits after the point, halves to even."""

def rsqrt(input: Tensor) -> Tensor:
    """One over the square root."""

def scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """Write ``src`` into a copy at the positions along ``axis`` that ``index`` names."""

def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add ``src`` to a copy at the positions along ``dim`` that ``index`` names."""

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

def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return one slice of a dimension, without it, as a view."""

def sigmoid(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""

def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 by the sign of each element; 0 of nan."""

def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians."""

def sinc(input: Tensor) -> Tensor:
    """Compute ``sin(pi x) / (pi x)`` of each element, 1 at 0; float32 of integers."""

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element."""

def softmax(input: Tensor, dim: int | None, *, dtype: mstype.DType | None = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``dim``: 0 or 1 by the rank, if None."""

def sort(
    input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the elements sorted along ``dim``, equal ones in their order, and their places."""

def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int] | None, dim: int = 0
) -> tuple[Tensor, ...]:
    """Cut a Tensor along ``axis`` into pieces of a size (the last may be shorter) or of
    sizes.
    """

def sqrt(input: Tensor) -> Tensor:
    """Square root; float32 of integers."""

def square(input: Tensor) -> Tensor:
    """Square of each element."""

def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Drop dimensions of size 1: all, or those in ``axis`` (an axis of another size is
    kept).
    """

def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join Tensors of one shape and dtype along a new dimension."""

def std(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    correction: int | bool = 1,
    keepdim: bool = False,
) -> Tensor:
    """Square root of the variance; see ``var``."""

def std_mean(
    input: Any, dim: Any = None, *, correction: int | bool = 1, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean; see ``var``."""

def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Compute ``input - alpha * other``, element by element with broadcasting."""

def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``dim``; bools, signed integers and uint8 give int64."""

def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchange two dimensions, as a view."""

def t(input: Tensor) -> Tensor:
    """Return the Tensor with its first two dimensions exchanged; of fewer, as it is."""

def take(input: Tensor, index: Tensor) -> Tensor:
    """Return the elements of the flattened Tensor at ``index``."""

def tan(input: Tensor) -> Tensor:
    """Tangent of each element, in radians."""

def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent of each element."""

def tile(input: Tensor, dims: int | tuple[int, ...] | list[int]) -> Tensor:
    """Repeat the whole Tensor ``dims[i]`` times along dimension ``i``."""

def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest or smallest elements along ``dim``, and their places, int64."""

def trace(input: Tensor) -> Tensor:
    """Sum of the main diagonal of a matrix."""

def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two dimensions, as a view."""

def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """Solve ``A x = b`` for a triangular ``A``; returns ``x`` and a copy of ``A``."""

def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """Zero the elements above a diagonal of the last two dimensions."""

def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """Zero the elements below a diagonal of the last two dimensions."""

def trunc(input: Tensor) -> Tensor:
    """Round towards 0; integers and bools stay as they are."""

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along a dimension, without it, as a tuple of views."""

def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the distinct elements, sorted."""

def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Return the elements, each run of equal ones as one."""

def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Insert a dimension of size 1 at ``dim``, as a view."""

def var(
    input: Tensor, dim: Any = None, *, correction: int | bool = 1, keepdim: bool = False
) -> Tensor:
    """Variance over ``axis``, divided by the count less ``ddof``, be that 0 or negative."""

def var_mean(
    input: Any, dim: Any = None, *, correction: int | bool = 1, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """Variance and mean; see ``var``."""

def vdot(input: Tensor, other: Tensor) -> Tensor:
    """Compute the product of two vectors, the first one conjugated."""

def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Return ``input`` where a condition holds and ``other`` elsewhere; alone, the places."""

def xlogy(input: Tensor | _Number, other: Tensor | _Number) -> Tensor:
    """``input * log(other)``, and of real numbers 0 where ``input`` is 0; a number is
    float32.
    """

def zeros(size: Any, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return a Tensor of zeros; see ``ones``."""

def zeros_like(input: Tensor, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return zeros of the shape and, by default, the dtype of ``input``."""
